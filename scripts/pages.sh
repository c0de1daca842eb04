#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Write the tables of pages that are made from rows of the code and heads of selftests.
#   pages.sh [--check]
# --check: change nothing, name the pages that differ; exit 1 if there is one.
# A line <!-- rows: TABLE --> in a page stands before such a table: TABLE is SENDER, RECEIVER, ...
# (counters of a port), QP_COUNTER or RX_STAT, as cc_counter_rows.h has them; COLUMN, the columns of
# result files, of the lab's csv_column_rows.h, but for those that the page explains once for all
# files; or selftests, each of which has a line "# Shows:" in
# its head; lines that begin with "#   " continue it.
set -u
. "$(dirname "$0")/common.sh"

check=0
case ${1:-} in
-h | --help) usage; exit 0 ;;
--check) check=1 ;;
'') ;;
*) misuse "unknown option \"$1\"" ;;
esac

# The rows of all tables, each behind the name of its table and a tab.
rows() {
	awk '/^(QP_COUNTER|COUNTER|RX_STAT)\(/ {
		kind = substr($0, 1, index($0, "(") - 1)
		n = split($0, part, "\"")
		split(substr($0, length(kind) + 2), word, /, */)
		name = kind == "RX_STAT" ? word[1] : part[2]
		print (kind == "COUNTER" ? word[3] : kind) "\t| `" name "` | " part[n - 1] " |"
	}' drivers/infiniband/sw/rxe_cc/core/cc_counter_rows.h
	awk '{ split($0, part, "\"") }
	/^TABLE\(/ { result = /TABLE_RESULT/; file = "`" part[2] "`" }
	/"(time of the sample|number of the flow|name of the port|priority, 0 to 7)"\)/ && !/"id"/ { next }
	/^(COLUMN|OPTIONAL)\(/ && result {
		print "COLUMN\t| " file " | `" part[2] "` | " part[6] " |"
		file = ""
	}' tools/lab/common/csv_column_rows.h
	selftests
}

# By rooms in this order and by name; what is in none of them comes last.
selftests() {
	local t
	for t in $(cd selftests && find . -mindepth 1 -maxdepth 2 -name '*.sh' -perm -u+x ! -path ./run.sh -printf '%P\n' |
		awk -F/ 'BEGIN { for (n = split("lab algo rxe port wire tools", room, " "); n; n--) nr[room[n]] = n }
			{ print ($1 in nr ? nr[$1] : 9), $0 }' | LC_ALL=C sort | cut -d' ' -f2); do
		awk -v name="$t" '
			/^# Shows: / { text = substr($0, 10); next }
			text == "" && /^#/ { next }
			sub(/^#   /, "") { text = text " " $0; next }
			{ exit }
			END { print "selftests\t| `" name "` | " text " |" }' "selftests/$t"
	done
}

# tables PAGE: it, with the tables that the rows make
tables() {
	awk '
	NR == FNR { table = substr($0, 1, index($0, "\t") - 1); row[table] = row[table] substr($0, length(table) + 2) "\n"; next }
	skip && /^\|/ { if (++skip > 3) next }
	skip && !/^\|/ { printf "%s", row[table]; skip = 0 }
	/^<!-- rows: / { table = $3; skip = 1 }
	{ print }' - "$1" <<<"$made"
}

cd "$top" || exit 1
made=$(rows)
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
for t in $(sed -n 's/^selftests\t| `\(.*\)` |  |$/\1/p' <<<"$made"); do
	echo "selftests/$t: no line \"# Shows:\" in its head"
	bad=1 check=1
done
# Knobs are shown as the kernel prints them, which selftests/docs.sh compares.
for knob in $(sed -n 's/^KNOB([A-Z_0-9]*, \([a-z_0-9]*\),.*/\1/p' drivers/infiniband/sw/rxe_cc/core/cc_port_knob_rows.h); do
	grep -q "^$knob " Documentation/reference/counters.md && continue
	echo "Documentation/reference/counters.md: no knob $knob (rxecc param show)"
	bad=1 check=1
done
exit $((bad && check))
