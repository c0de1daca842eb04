#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the figures of papers in their reduced forms: digits as kept, checks hold, rules can be
#   applied; `FULL=1`: in the papers' sizes, hours
#
# Each figure of tools/lab/papers that has a form which is not long, and digits of it, is run and judged ("lab paper",
# Documentation/guide/papers.md). A digit that is not as kept, a check that does not hold, a rule that
# cannot be applied fails. With FULL=1 the full forms, long ones too.
#   papers.sh [PAPER|PAPER:FIGURE]...	only these
# Parts: --papers
papers=$(cd "$(dirname "$0")/../../tools/lab/papers" && pwd)
if [ "${1:-}" = --papers ]; then
	find "$papers" -name '[a-z]*.json' ! -name '*.measured.json' -printf '%f\n' | sed 's/\.json$//' | sort
	exit 0
fi
. "$(dirname "$0")/../lib/lab_lib.sh"

# figures: PAPER:FIGURE, and the form to run: one with digits that are kept; with FULL=1 all but the
# reduced one of a figure that has a full one
figures() {
	local f
	for f in "$papers"/*.json; do
		case $f in *.measured.json) continue ;; esac
		jq -r --arg full "${FULL:-}" --slurpfile kept "${f%.json}.measured.json" '.paper as $p
			| .figures[] | .figure as $name | .forms as $f | select($f)
			| (if $full != "" then ($f | keys_unsorted[] | select(. != "reduced" or ($f.full | not)))
				elif $f.reduced then "reduced" else "full" end) as $form
			| select($full != "" or (($f[$form].long | not) and $kept[0][$name][$form]))
			| "\($p):\($name) \($form)"' "$f"
	done
}

# is_chosen PAPER:FIGURE ARGUMENT...
is_chosen() {
	local name=$1 a
	shift
	[ $# -gt 0 ] || return 0
	for a; do
		[ "$a" = "$name" ] || [ "$a" = "${name%%:*}" ] && return 0
	done
	return 1
}

# drawn FIGURE FORM: the picture is there, and each number of the paper that has one of ours beside
# it is among its data, to ten digits; $LAB_OUT/answer is what came of the figure
drawn() {
	local dir=$LAB_OUT/papers/${1/:/\/}/$2
	jq -e '.[0].picture' "$LAB_OUT/answer" >/dev/null || return 0
	[ -s "$dir/figure.svg" ] && [ -s "$dir/figure.png" ] || { echo "no picture in $dir"; return 1; }
	jq -r '.[0].measures[].series[].cells[] | select(.ours != null and (.paper | type) == "number") | .paper' \
		"$LAB_OUT/answer" >"$LAB_OUT/numbers"
	awk -F'\t' 'NR == FNR { if (NF > 4) there[$5 + 0]; next } !($1 + 0 in there) { print "not drawn: " $1; bad = 1 } END { exit bad }' \
		"$dir/figure.tsv" "$LAB_OUT/numbers"
}

# run FIGURE FORM: figures that share runs share results
run() {
	"$LAB" paper "$1" --form "$2" -q -j --jobs 1 --out "$LAB_OUT/papers" >"$LAB_OUT/answer" 2>"$LAB_OUT/said" </dev/null &&
		drawn "$1" "$2" && return 0
	cat "$LAB_OUT/said"
	jq -r '.[] | (.rules[] | select(.holds | not) | "\(.kind): does not hold: \(.says) \(.error // "")"), (.changed // [] | .[] | "not as kept: \(.)")' \
		"$LAB_OUT/answer"
	return 1
}

ktap_print_header
while read -r name form; do
	is_chosen "$name" "$@" || continue
	ktap_check "$name, $form" run "$name" "$form"
done < <(figures)
ktap_finished
