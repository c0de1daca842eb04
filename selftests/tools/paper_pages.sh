#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: files of papers by their schema, every numbered figure in the list, pages of
#   `Documentation/measured` as the kept digits make them; a wrong digit, claim or verdict and a
#   missing figure are found
#
# The registry of papers' figures without a run (Documentation/guide/papers.md). lab/papers.sh runs them.
. "$(dirname "$0")/../lib/ktap_helpers.sh"
lab=$RXE_CC_BUILD/bin/lab
papers=$RXE_CC_TOP/tools/lab/papers
schema=$RXE_CC_TOP/tools/lab/schema/paper.schema.json
[ -x "$lab" ] || ktap_skip_all "the lab is not built (make lab)"
command -v jq >/dev/null || ktap_skip_all "needs jq"
# Debian's: others on the PATH may be of another age.
validator=$(PATH=/usr/bin:$PATH command -v jsonschema) || ktap_skip_all "needs python3-jsonschema"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# valid FILE
valid() {
	local kind=paper
	case $1 in *.measured.json) kind=measured ;; esac
	jq --arg ref "#/\$defs/$kind" '.["$ref"] = $ref' "$schema" >"$tmp/schema" &&
		"$validator" -i "$1" "$tmp/schema" 2>&1 | cut -c1-300
	return "${PIPESTATUS[0]}"
}

# not_valid FILE JQ-FILTER: with a mistake
not_valid() {
	jq "$2" "$1" >"$tmp/${1##*/}" || return 1
	! valid "$tmp/${1##*/}" >/dev/null
}

# complete FILE: all that the paper numbers is there, parts (12a, 12b) for the whole, in its order,
# and nothing twice; the name is that of the file
complete() {
	jq -e --arg name "$(basename "$1" .json)" '.paper == $name and ([.figures[].figure] as $is
		| ([range(1; .numbered.figures + 1) | tostring] + [range(1; .numbered.tables + 1) | "T\(.)"]) as $all
		| ($is | map(sub("[a-z]+$"; "")) | reduce .[] as $x ([]; if index([$x]) then . else . + [$x] end)) == $all
			and ($is | unique | length) == ($is | length))' "$1" >/dev/null
}

# kept FILE: digits are of figures and forms that there are
kept() {
	jq -e --slurpfile doc "${1%.measured.json}.json" '[to_entries[] | .key as $f | .value | keys[] | [$f, .]]
		| all(. as [$f, $form] | $doc[0].figures | any(.figure == $f and .forms[$form] != null))' "$1" >/dev/null
}

pages() { "$RXE_CC_TOP/scripts/measured.sh" --check; }

# found PAGE SED-COMMAND: a page that is wrong is found
found() {
	rm -rf "$tmp/pages"
	cp -r "$RXE_CC_TOP/Documentation/measured" "$tmp/pages" && sed -i "$2" "$tmp/pages/$1" || return 1
	cmp -s "$tmp/pages/$1" "$RXE_CC_TOP/Documentation/measured/$1" && { echo "nothing changed"; return 1; }
	! MEASURED_PAGES=$tmp/pages "$RXE_CC_TOP/scripts/measured.sh" --check >/dev/null
}

# refused TEXT ARGUMENT...: one line that says why, status 2
refused() {
	local rc=0
	"$lab" paper "${@:2}" >"$tmp/out" 2>"$tmp/err" </dev/null || rc=$?
	[ $rc -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$1" "$tmp/err" || { cat "$tmp/err"; return 1; }
}

ktap_print_header
for f in "$papers"/*.json; do
	name=$(basename "$f" .json)
	ktap_check "$name: valid" valid "$f"
	case $name in
	*.measured) ktap_check "$name: of figures that there are" kept "$f" ;;
	*) ktap_check "$name: all that the paper numbers, in order" complete "$f" ;;
	esac
done
ktap_check "not valid: a figure without a claim" not_valid "$papers/rcc.json" 'del(.figures[0].claim)'
ktap_check "not valid: a rule without a reason" not_valid "$papers/rcc.json" 'del(.figures[0].verdict.order[0].why)'
ktap_check "not valid: cannot, and runs" not_valid "$papers/rcc.json" '.figures[0].cannot = "x"'
jq 'del(.figures[6])' "$papers/rcc.json" >"$tmp/rcc.json"
ktap_check "not complete: a figure is missing" eval '! complete "$tmp/rcc.json"'
ktap_check "pages are as the kept digits make them" pages
ktap_check "found: a wrong digit" found rcc.md '/^| rcc |/s/[1-9]/0/'
ktap_check "found: a wrong claim" found rcc.md 's/^The paper (V-B): Each/The paper (V-B): No/'
ktap_check "found: a wrong verdict" found rcc.md 's/| same |/| not |/'
ktap_check "found: a missing figure" found rcc.md '/^## Fig. 6/,/^## Fig. 7/d'
ktap_check "refused: unknown paper, with the nearest" refused 'did you mean "rcc"' rc
ktap_check "refused: unknown figure" refused 'rcc has no figure "99"' rcc:99
ktap_check "refused: unknown form" refused 'rcc:6 has no form "half"' rcc:6 --form half
ktap_check "refused: a paper among figures" refused 'PAPER:FIGURE expected' rcc:6 rcc
ktap_finished
