# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# KTAP output for the selftests; sourced. The names are those of the kernel's
# own helpers, so that a test can move there.
#
#	. "$(dirname "$0")/../lib/ktap_helpers.sh"
#	ktap_print_header
#	ktap_set_plan 2			(optional)
#	ktap_check "what must hold" command args...
#	ktap_test_result "name" command args...
#	ktap_test_pass|ktap_test_fail "name"; ktap_test_skip "name" ["why"]
#	ktap_finished			(prints the totals, exits)

KTAP_TESTNO=1
KTAP_CNT_PASS=0
KTAP_CNT_FAIL=0
KTAP_CNT_SKIP=0
KTAP_PLAN=

KSFT_PASS=0
KSFT_FAIL=1
KSFT_SKIP=4

# The checkout and what is built in it.
RXE_CC_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
RXE_CC_BUILD=$RXE_CC_TOP/build
UML_EXEC=$RXE_CC_TOP/scripts/uml-exec.sh
export RXE_CC_TOP RXE_CC_BUILD UML_EXEC

# registered_algorithms: names of all algorithms of the checkout, one a line
registered_algorithms() {
	sed -n 's/^algos := //p' "$RXE_CC_TOP/drivers/infiniband/sw/rxe_cc/Kbuild" | tr ' ' '\n'
}

ktap_print_header() {
	echo "TAP version 13"
}

ktap_print_msg() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

ktap_set_plan() {
	KTAP_PLAN=$1
	echo "1..$1"
}

# The whole test is skipped: ktap_skip_all WHY
ktap_skip_all() {
	echo "1..0 # SKIP $*"
	exit "$KSFT_SKIP"
}

# ktap_compile NAME ARGUMENT...: the program build/selftests/NAME. It is there whole or not
# at all, as another test may make it or run it at the same time.
ktap_compile() {
	local new=$RXE_CC_BUILD/selftests/$1.$$

	mkdir -p "${new%/*}" &&
		command "${CC:-cc}" -O2 -g -Wall -Wextra -std=gnu11 -D_GNU_SOURCE -o "$new" "${@:2}" &&
		mv "$new" "${new%.*}" || ktap_exit_fail_msg "$1 does not compile"
}

# ktap_result ok|"not ok" NAME [DIRECTIVE]
ktap_result() {
	echo "$1 $KTAP_TESTNO $2${3:+ # $3}"
	KTAP_TESTNO=$((KTAP_TESTNO + 1))
}

ktap_test_pass() {
	ktap_result ok "$1"
	KTAP_CNT_PASS=$((KTAP_CNT_PASS + 1))
}

ktap_test_fail() {
	ktap_result "not ok" "$1"
	KTAP_CNT_FAIL=$((KTAP_CNT_FAIL + 1))
}

ktap_test_skip() {
	ktap_result ok "$1" "SKIP${2:+ $2}"
	KTAP_CNT_SKIP=$((KTAP_CNT_SKIP + 1))
}

ktap_test_xfail() {
	ktap_result ok "$1" XFAIL
	KTAP_CNT_PASS=$((KTAP_CNT_PASS + 1))
}

# ktap_test_result NAME COMMAND...: by the command's exit status.
ktap_test_result() {
	local name=$1 rc=0
	shift
	"$@" || rc=$?
	case $rc in
	"$KSFT_PASS") ktap_test_pass "$name" ;;
	"$KSFT_SKIP") ktap_test_skip "$name" ;;
	*) ktap_test_fail "$name" ;;
	esac
	return $rc
}

# ktap_check NAME COMMAND...: the same, and the output shows only on failure.
ktap_check() {
	local name=$1 rc=0 text
	shift
	text=$("$@" 2>&1) || rc=$?
	if [ "$rc" -ne 0 ] && [ "$rc" -ne "$KSFT_SKIP" ]; then
		ktap_print_msg "$*"
		ktap_print_msg "${text:-no output}" "(exit status $rc)"
	fi
	ktap_test_result "$name" return_status "$rc"
}

return_status() { return "$1"; }

ktap_print_totals() {
	echo "# Totals: pass:$KTAP_CNT_PASS fail:$KTAP_CNT_FAIL skip:$KTAP_CNT_SKIP"
}

ktap_exit_fail_msg() {
	echo "Bail out! ${1:-}"
	ktap_print_totals
	exit "$KSFT_FAIL"
}

ktap_finished() {
	[ -n "$KTAP_PLAN" ] || echo "1..$((KTAP_TESTNO - 1))"
	ktap_print_totals
	[ "$KTAP_CNT_FAIL" -eq 0 ] || exit "$KSFT_FAIL"
	[ "$KTAP_CNT_PASS" -gt 0 ] || exit "$KSFT_SKIP"
	exit "$KSFT_PASS"
}
