#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: unit tests of user-space programs (tools/lib, lab, flowgen), see
#   [below](#unit-tests-of-the-tools); generated tables are what their generators make
set -u
. "$(dirname "$0")/../lib/ktap_helpers.sh"

for c in make pkg-config; do
	command -v "$c" >/dev/null || ktap_skip_all "no $c"
done
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
ktap_print_header
# same_version: in the tools, and in the files that name it.
same_version() {
	local v
	v=$(sed -n 's/^#define RXE_CC_VERSION\t"\(.*\)"$/\1/p' "$RXE_CC_TOP/include/rxe_cc/version.h") &&
		[ "$("$RXE_CC_BUILD/bin/lab" --version)" = "lab $v" ] &&
		[[ $("$RXE_CC_BUILD/bin/rxecc" --version) == "rxecc $v,"* ]] &&
		grep -qx "version: \"$v\"" "$RXE_CC_TOP/CITATION.cff" &&
		[ "$(grep -m 1 "^## " "$RXE_CC_TOP/CHANGELOG.md")" = "## $v" ]
}

ktap_check "version: the same in lab, rxecc, CITATION.cff and CHANGELOG.md" same_version
for t in test_number test_param test_stats test_files test_options test_child; do
	ktap_check "lib: $t" make -s -C "$RXE_CC_TOP/tools/lib/tests" BUILD="$RXE_CC_BUILD" \
		check TESTS="$t"
done
for t in $(cd "$RXE_CC_TOP/tools/lab/tests" && printf '%s\n' test_*.c); do
	t=${t%.c}
	ktap_check "lab: $t" make -s -C "$RXE_CC_TOP/tools/lab" BUILD="$RXE_CC_BUILD" check \
		TESTS="$t"
done
ktap_check "flowgen: distributions, plans, generators" \
	make -s -C "$RXE_CC_TOP/tools/flowgen" BUILD="$RXE_CC_BUILD" check
ktap_check "dcqcn: the table of the floating-point model" \
	make -s -C "$RXE_CC_TOP/drivers/infiniband/sw/rxe_cc/tests" OUT="$out" check
ktap_check "mercury, lscc: the tables of the switch's models" \
	make -s -C "$RXE_CC_TOP/net/sched/sch_roce/tests" OUT="$out/sch_roce" check
ktap_finished
