#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Counts lines of code and of comments in each room, a part of the tree.
#   lines.sh [-j] [DIR]
# DIR is a checkout; default: this one. Code is counted without blank lines,
# comments, tests and generated files (test vectors). A line with code and a
# comment is code. -j: JSON, an object for each room.
set -u
. "$(dirname "$0")/common.sh"

json=0
case ${1:-} in
-h | --help) usage; exit 0 ;;
-j) json=1; shift ;;
-*) die "$1: no such option (--help)" ;;
esac
tree=${1:-$top}
[ -d "$tree/net/sched/sch_roce" ] || die "$tree: not a checkout of rxe-cc"

# name, what its files' paths begin with
rooms() {
	cat <<-'END'
	sch_roce net/sched/sch_roce/
	core+ctl drivers/infiniband/sw/rxe_cc/core/ drivers/infiniband/sw/rxe_cc/ctl/
	algos+lib drivers/infiniband/sw/rxe_cc/algos/ drivers/infiniband/sw/rxe_cc/lib/
	events+watch drivers/infiniband/sw/rxe_cc/events/ drivers/infiniband/sw/rxe_cc/watch/
	rxe drivers/infiniband/sw/rxe_cc/rxe/
	include include/
	tools tools/
	lab tools/lab/
	flowgen tools/flowgen/
	rxecc tools/rxecc/
	tc tools/tc/
	tools/lib tools/lib/
	scripts scripts/
	END
}

sources() { # PREFIX...
	(cd "$tree" && git ls-files -- "$@") |
		grep -Ev '(^|/)tests/|_vectors\.h$|/vectors/|(^|/)rxe/fixes/' |
		grep -E '\.([ch]|sh|py|awk|lua)$|/[a-z-]+$' |
		while read -r f; do
			[ -f "$tree/$f" ] && [ ! -L "$tree/$f" ] || continue
			case $f in
			*.[ch]) echo "c $f" ;;
			*.sh | *.py | *.awk) echo "sh $f" ;;
			*.lua) echo "lua $f" ;;
			*) head -c 2 "$tree/$f" | grep -q '^#!' && echo "sh $f" ;;
			esac
		done
}

count() { # lines "KIND FILE" on standard input: "CODE COMMENT"
	(cd "$tree" && awk '
	{
		kind = $1
		file = $2
		inside = 0
		while ((getline line < file) > 0) {
			code = note = 0
			if (kind == "c") {
				s = line
				while (s != "") {
					if (inside) {
						note = 1
						i = index(s, "*/")
						if (!i)
							break
						inside = 0
						s = substr(s, i + 2)
						continue
					}
					# strings first, so that a comment within one is none
					if (match(s, /^[ \t]+/)) {
						s = substr(s, RLENGTH + 1)
					} else if (match(s, /^"([^"\\]|\\.)*"/) ||
						   match(s, /^\047([^\047\\]|\\.)*\047/)) {
						code = 1
						s = substr(s, RLENGTH + 1)
					} else if (substr(s, 1, 2) == "/*") {
						inside = note = 1
						s = substr(s, 3)
					} else if (substr(s, 1, 2) == "//") {
						note = 1
						break
					} else {
						code = 1
						s = substr(s, 2)
					}
				}
				if (inside)
					note = 1
			} else {
				mark = kind == "lua" ? "--" : "#"
				sub(/^[ \t]+/, "", line)
				if (line != "")
					if (index(line, mark) == 1)
						note = 1
					else
						code = 1
			}
			codes += code
			notes += note && !code
		}
		close(file)
	}
	END { print codes + 0, notes + 0 }')
}

rooms | while read -r name prefix; do
	# shellcheck disable=SC2086 # a list of paths
	echo "$name $(sources $prefix | count)"
done | awk -v json="$json" '
json { printf "{\"room\":\"%s\",\"code\":%d,\"comments\":%d}\n", $1, $2, $3; next }
NR == 1 { printf "%-14s %8s %9s\n", "room", "code", "comments" }
{ printf "%-14s %8d %9d\n", $1, $2, $3 }'
