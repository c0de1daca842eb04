#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Make Documentation/measured/results.md from its template, Documentation/measured/results.md.in, and the
# tests that print its tables.
#   results.sh [--check] [--from DIR] [SECTION]...
#   results.sh --list
# Runs the test of each SECTION and puts its tables on the page; "all" stands for every
# section. All other tables stay as they are. Without a section only the text is taken from
# the template.
# --check: change nothing; show what would change, and exit with 1 if anything would.
# --from DIR: do not run the test of a SECTION; take its output from DIR/SECTION.log. A run
# leaves it in build/log/results.
# --list: the sections, how long each took on two processors, and what it runs.
# Every table that a test prints must have a place in the template, "<!-- table SECTION N -->":
# tables are taken whole. "<!-- no table SECTION N -->" stands for one that the page leaves out.
set -u
. "$(dirname "$0")/common.sh"
page=${RESULTS_PAGE:-$top/Documentation/measured/results.md}
template=${RESULTS_TEMPLATE:-$top/Documentation/measured/results.md.in}
logs=$build/log/results

# name, seconds on an idle machine with two processors, test, variables
sections() {
	cat <<-END
		steady    45 algo/hpcc_steady.sh  FULL=1
		join      1040 algo/join_convergence.sh      FULL=1
		overhead  1030 algo/int_overhead.sh  FULL=1
		compact   710 algo/hpcc_compact_telemetry.sh   FULL=1
		reference 210 algo/compare_with_ns3.sh FULL=1
		tables    480 algo/compare_25g_100g.sh    FULL=1
	END
}

# tables LOG PREFIX: the tables in a test's comments, to PREFIX-1, PREFIX-2, ...
# A table begins with the row above a "| --- |" row; tests print results between rows.
tables() {
	awk -v prefix="$2" '
		!/^# \|/ { next }
		{ row = substr($0, 3) }
		row ~ /^\| --- / { file = prefix "-" ++n; print held >file; print row >file; held = ""; next }
		{ if (held != "") print held >file; held = row }
		END { if (held != "") print held >file }' "$1"
}

# of_page PAGE DIR: the tables that are on it, to DIR/SECTION-N
of_page() {
	awk -v dir="$2" '/^<!-- table / { file = dir "/" $3 "-" $4; next }
		/^\|/ && file != "" { print >file; next } { file = "" }' "$1"
}

# compose DIR: the page from the template and the tables in DIR
compose() {
	awk -v dir="$1" -v by="scripts/${0##*/}" -v name="${template##*/}" '
		NR == 2 { print "<!-- Made by " by " from " name ": change that, not this. -->" }
		{ print }
		/^<!-- table / {
			file = dir "/" $3 "-" $4
			n = 0
			while ((getline row <file) > 0) { print row; n++ }
			close(file)
			if (!n) { print name ": no table " $4 " of " $3 >"/dev/stderr"; bad = 1 }
		}
		END { exit bad }' "$template"
}

# all_placed DIR: has each table a place in the template
all_placed() {
	local f rc=0
	for f in "$1"/*-*; do
		[ -e "$f" ] || continue
		f=${f##*/}
		grep -qxE -- "<!-- (no )?table ${f%-*} ${f##*-} -->" "$template" ||
			{ say "${template##*/}: no place for table ${f##*-} of ${f%-*}" >&2; rc=1; }
	done
	return $rc
}

# refresh SECTION DIR: run its test, and put its tables there instead of the old ones
# The tables of a test that has failed are not taken.
refresh() {
	local test vars
	read -r _ _ test vars < <(sections | awk -v s="$1" '$1 == s')
	rm -f "$2/$1"-*
	if [ -z "$from" ]; then
		# shellcheck disable=SC2086 # words
		step "$1: $vars $test" "$logs/$1.log" env $vars "$top/selftests/$test"
	fi
	if grep '^not ok' "${from:-$logs}/$1.log" >&2 || ! grep -q '^# Totals' "${from:-$logs}/$1.log"; then
		die "$1: the test has not passed, ${from:-$logs}/$1.log"
	fi
	tables "${from:-$logs}/$1.log" "$2/$1"
}

check= list=
from=
wanted=()
options "check from= list" "$@"
if [ -n "$list" ]; then
	sections | awk '{ printf "%-10s %4d s  ", $1, $2; $1 = $2 = ""; sub(/^ +/, ""); print }'
	exit 0
fi
for section in "${args[@]}"; do
	if [ "$section" = all ]; then
		mapfile -t -O "${#wanted[@]}" wanted < <(sections | awk '{ print $1 }')
	else
		wanted+=("$section")
	fi
done

for s in "${wanted[@]}"; do
	sections | grep -q "^$s " ||
		misuse "no section \"$s\": $(sections | awk '{ printf "%s%s", sep, $1; sep = ", " }')"
	[ -z "$from" ] || [ -r "$from/$s.log" ] || misuse "cannot read $from/$s.log"
done
# What a test finds on the page is to be changed.
[ -n "$check" ] || export PAGE_IS_MADE=1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/tables" || exit 1
of_page "$page" "$tmp/tables"
rc=0
for s in "${wanted[@]}"; do
	refresh "$s" "$tmp/tables" || exit 1
done
compose "$tmp/tables" >"$tmp/page" && all_placed "$tmp/tables" || exit 1
if [ -n "$check" ]; then
	diff -u --label "${page##*/}" "$page" --label "made now" "$tmp/page" || rc=1
elif cmp -s "$tmp/page" "$page"; then
	say "${page##*/} is as it was"
else
	cp "$tmp/page" "$page" && say "${page##*/} is written"
fi
exit $rc
