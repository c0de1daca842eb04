#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: unit tests of rxecc, without a kernel: parsers, and whole command lines against a fake
#   kernel (tools/rxecc/tests)
set -u
. "$(dirname "$0")/../lib/ktap_helpers.sh"

for c in make pkg-config; do
	command -v "$c" >/dev/null || ktap_skip_all "no $c"
done
ktap_print_header
for t in test_netlink_objects test_command_lines test_roce_ports; do
	ktap_check "$t" make -s -C "$RXE_CC_TOP/tools/rxecc" BUILD="$RXE_CC_BUILD" \
		check TESTS="$t"
done
ktap_finished
