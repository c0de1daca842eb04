#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: [measured/results.md](../measured/results.md) is what `scripts/results.sh` makes: its text, and the tables of
#   one section made again; `FULL=1`: of every section (`scripts/results.sh --list` has the times)
#
# Documentation/measured/results.md is what scripts/results.sh makes of its template and of the tests
# that print its tables: the text, and the tables of the section that takes seconds.
# FULL=1: the tables of every section.
. "$(dirname "$0")/../lib/ktap_helpers.sh"
[ -x "$RXE_CC_BUILD/bin/lab" ] && [ -x "$RXE_CC_BUILD/uml-lab/linux" ] ||
	ktap_skip_all "the lab is not built (make lab)"
results=$RXE_CC_TOP/scripts/results.sh
page=$RXE_CC_TOP/Documentation/measured/results.md
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# refused TEXT SED-EXPRESSION ARGUMENT...: a page changed by it is not what is made, and the
# difference, or what is said, has the text
refused() {
	local text=$1 rc=0
	sed "$2" "$page" >"$tmp/page.md" && ! cmp -s "$page" "$tmp/page.md" || { echo "nothing changed"; return 1; }
	RESULTS_PAGE=$tmp/page.md "$results" --check "${@:3}" >"$tmp/out" 2>&1 || rc=$?
	[ "$rc" -ne 0 ] && grep -qF -- "$text" "$tmp/out" || { echo "exit status $rc"; cat "$tmp/out"; return 1; }
}

# A place that the template does not have, and one that no table is for.
places() {
	local rc=0
	grep -vxF '<!-- table steady 1 -->' "$RXE_CC_TOP/Documentation/measured/results.md.in" >"$tmp/template"
	RESULTS_TEMPLATE=$tmp/template "$results" --check >"$tmp/out" 2>&1 || rc=$?
	[ "$rc" -ne 0 ] && grep -q 'no place for table 1 of steady' "$tmp/out" || { cat "$tmp/out"; return 1; }
	{ cat "$RXE_CC_TOP/Documentation/measured/results.md.in"; echo '<!-- table steady 7 -->'; } >"$tmp/template"
	RESULTS_TEMPLATE=$tmp/template "$results" --check >"$tmp/out" 2>&1 && { echo taken; return 1; }
	grep -q 'no table 7 of steady' "$tmp/out" || { cat "$tmp/out"; return 1; }
	sed 's/^<!-- table steady 1 -->/<!-- no table steady 1 -->/' "$RXE_CC_TOP/Documentation/measured/results.md.in" >"$tmp/template"
	! RESULTS_TEMPLATE=$tmp/template "$results" --check >"$tmp/out" 2>&1 && grep -q '^-| 25 ' "$tmp/out" &&
		! grep -q 'no place' "$tmp/out" || { cat "$tmp/out"; return 1; }
}

# A test that has failed, or not ended, gives no table.
failed() {
	mkdir -p "$tmp/logs" && printf '# | a |\n# | --- |\n# | 1 |\nnot ok 1 x\n# Totals: x\n' >"$tmp/logs/join.log" &&
		! "$results" --check --from "$tmp/logs" join >"$tmp/out" 2>&1 &&
		grep -q 'join: the test has not passed' "$tmp/out" || { cat "$tmp/out"; return 1; }
	printf '# | a |\n# | --- |\n# | 1 |\n' >"$tmp/logs/join.log"
	! "$results" --check --from "$tmp/logs" join >"$tmp/out" 2>&1 &&
		grep -q 'join: the test has not passed' "$tmp/out" || { cat "$tmp/out"; return 1; }
}

ktap_print_header
ktap_check "the text is the template's" "$results" --check
ktap_check "steady: its tables, made again" "$results" --check steady
ktap_check "a word changed on the page is found" refused "+# Results" 's/^# Results/# Figures/'
ktap_check "a digit changed in a table is found" refused "| 0.518 |" 's/| 0.518 |/| 0.519 |/' \
	--from "$RXE_CC_BUILD/log/results" steady
ktap_check "a row left out is found" refused "| 781.3 |" '/| 781.3 |/d' \
	--from "$RXE_CC_BUILD/log/results" steady
ktap_check "a table without a place, a place without a table" places
ktap_check "a test that has failed gives no table" failed
ktap_check "an unknown section is named" bash -c "! '$results' --check nothing 2>'$tmp/out' && grep -q 'no section \"nothing\"' '$tmp/out'"
if [ -n "${FULL:-}" ]; then
	for s in $("$results" --list | awk '$1 != "steady" { print $1 }'); do
		ktap_check "$s: its tables, made again" "$results" --check "$s"
	done
fi
ktap_finished
