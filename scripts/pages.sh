#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Write the tables of pages that are made from rows of the code.
#   pages.sh [--check]
# --check: change nothing, name the pages that differ; exit 1 if there is one.
# A line <!-- rows: TABLE --> in a page stands before such a table: TABLE is SENDER, RECEIVER, ...
# (counters of a port), QP_COUNTER or RX_STAT, as cc_counter_rows.h has them.
set -u
. "$(dirname "$0")/common.sh"

check=0
case ${1:-} in
-h | --help) usage; exit 0 ;;
--check) check=1 ;;
'') ;;
*) misuse "unknown option \"$1\"" ;;
esac

# tables PAGE: it, with the tables that the rows make
tables() {
	awk '
	NR == FNR {
		if (!match($0, /^(QP_COUNTER|COUNTER|RX_STAT)\(/))
			next
		kind = substr($0, 1, RLENGTH - 1)
		n = split($0, part, "\"")
		split(substr($0, RLENGTH + 1), word, /, */)
		name = kind == "RX_STAT" ? word[1] : part[2]
		if (kind == "COUNTER")
			kind = word[3]
		row[kind] = row[kind] "| `" name "` | " part[n - 1] " |\n"
		next
	}
	skip && /^\|/ { if (++skip > 3) next }
	skip && !/^\|/ { printf "%s", row[table]; skip = 0 }
	/^<!-- rows: / { table = $3; skip = 1 }
	{ print }' "$top/drivers/infiniband/sw/rxe_cc/core/cc_counter_rows.h" "$1"
}

cd "$top" || exit 1
bad=0
for page in $(grep -rl --include='*.md' '^<!-- rows: ' Documentation); do
	tables "$page" | cmp -s - "$page" && continue
	bad=1
	if [ "$check" = 1 ]; then
		echo "$page: differs from the rows of the code (scripts/pages.sh)"
	else
		tables "$page" >"$page.new" && mv "$page.new" "$page"
	fi
done
# Knobs are shown as the kernel prints them, which selftests/docs.sh compares.
for knob in $(sed -n 's/^KNOB([A-Z_0-9]*, \([a-z_0-9]*\),.*/\1/p' drivers/infiniband/sw/rxe_cc/core/cc_knob_rows.h); do
	grep -q "^$knob " Documentation/counters.md && continue
	echo "Documentation/counters.md: no knob $knob (rxecc param show)"
	bad=1 check=1
done
exit $((bad && check))
