#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What our patches change in the lab kernel (Documentation/lab-kernel.md): CRC-32 by
# multiplication and by table are the same function.
. "$(dirname "$0")/../ktap_helpers.sh"

[ -x "$RXE_CC_BUILD/uml-lab/linux" ] && [ -e "$RXE_CC_BUILD/uml-lab/rxe_cc_kunit.ko" ] ||
	ktap_skip_all "the lab kernel or its KUnit suites are not built (make lab)"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# crc32 HOW PARAMETER...: the kernel chooses HOW, and its CRC-32 is right
crc32() {
	local how=$1
	shift
	"$RXE_CC_TOP/scripts/uml-exec.sh" --out "$tmp/out" --append "${*:-quiet} kunit.filter_glob=rxe_cc_crc32" \
		--modules 'rxe_cc rxe_cc_kunit' -- \
		sh -c 'cat /sys/kernel/debug/kunit/rxe_cc_crc32/results; dmesg | grep crc32:' >"$tmp/said" 2>&1 ||
		{ cat "$tmp/said"; return 1; }
	grep -q "^ok 1 rxe_cc_crc32" "$tmp/said" && grep -q "crc32: by $how" "$tmp/said" ||
		{ cat "$tmp/said"; return 1; }
}

ktap_print_header
ktap_check "crc32: by table" crc32 table crc32=table
if grep -qw pclmulqdq /proc/cpuinfo && grep -qw sse4_1 /proc/cpuinfo; then
	ktap_check "crc32: by multiplication" crc32 multiplication
else
	ktap_test_skip "crc32: by multiplication" "the CPU cannot"
fi
ktap_finished
