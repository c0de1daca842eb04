#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Which source files of a room need each other in a circle?
#   cycles.sh [-v|-q] [ROOM]...
# ROOM is a name of the table below; default: all. File A needs file B if A's
# object refers to a symbol that B's defines: what the compiler saw, inline
# functions of headers included, calls through pointers not. Not counted is the table of a
# switch feature, by which each of the feature's files finds its state. Files that reach each
# other are one cycle. Prints the largest of each room; exit 1 if one has more files
# than its room may have. -v: also every pair of files within a cycle, with the symbols;
# -q: only the rooms that have too many.
# Reads the objects of build/uml-lab, else of build/host (make lab, make modules).
set -u
. "$(dirname "$0")/common.sh"

# name, most files in a cycle, directories
rooms() {
	cat <<-'END'
	core 2 drivers/infiniband/sw/rxe_cc/core
	ctl 2 drivers/infiniband/sw/rxe_cc/ctl
	lib 2 drivers/infiniband/sw/rxe_cc/lib
	events 2 drivers/infiniband/sw/rxe_cc/events
	watch 2 drivers/infiniband/sw/rxe_cc/watch
	rxe_cc 2 drivers/infiniband/sw/rxe_cc/core drivers/infiniband/sw/rxe_cc/ctl
	glue 2 drivers/infiniband/sw/rxe_cc/rxe/glue
	sch_roce 2 net/sched/sch_roce net/sched/sch_roce/features/ecn net/sched/sch_roce/features/int net/sched/sch_roce/features/mercury net/sched/sch_roce/features/iofd net/sched/sch_roce/features/lscc
	END
}

verbose=0 quiet=0
case ${1:-} in
-h | --help) usage; exit 0 ;;
-v) verbose=1; shift ;;
-q) quiet=1; shift ;;
esac
for mod in "$build/uml-lab/mod" "$build/host/mod"; do
	[ ! -e "$mod/modules.order" ] || break
done
[ -e "$mod/modules.order" ] || die "no objects: make lab or make modules first"

# Lines "FILE T|U SYMBOL" of the objects of directories that have a source here.
symbols() {
	local d o from
	for d; do
		from=$d # the glue is compiled beside rxe
		[ "${d%/glue}" = "$d" ] || from=drivers/infiniband/sw/rxe
		for o in "$top/$d"/*.c; do
			o=${o##*/}
			o=$mod/$from/${o%.c}.o
			[ ! -e "$o" ] || nm "$o" | awk -v f="${o##*/}" '
				$NF ~ /^roce_[a-z]+_feature$/ { next }
				$(NF - 1) == "U" { print f, "U", $NF }
				$(NF - 1) ~ /^[TDBRVW]$/ { print f, "T", $NF }'
		done
	done
}

# The largest set of files that reach each other, from lines of symbols().
largest() {
	awk -v room="$1" -v most="$2" -v verbose="$verbose" -v quiet="$quiet" '
	{ file[$1] }
	$2 == "T" { def[$3] = $1 }
	$2 == "U" { use[$1, $3] }
	END {
		for (k in use) {
			split(k, p, SUBSEP)
			b = def[p[2]]
			if (b != "" && b != p[1]) {
				reach[p[1], b] = 1
				why[p[1], b] = why[p[1], b] " " p[2]
			}
		}
		for (k in file) n++
		for (k in file) for (i in file) if (reach[i, k])
			for (j in file) if (reach[k, j]) reach[i, j] = 1
		for (i in file) {
			c = 0
			names = ""
			for (j in file) if (i == j || reach[i, j] && reach[j, i]) {
				c++
				names = names " " j
			}
			if (c > big) { big = c; set = names; one = i }
		}
		gsub(/\.o/, ".c", set)
		if (!quiet || big > most)
			printf "%-9s %3d files, largest cycle %d, at most %d%s\n",
				room, n, big, most, (big > 1 ? ":" set : "")
		if (verbose) for (k in why) {
			split(k, p, SUBSEP)
			if (reach[p[1], p[2]] && reach[p[2], p[1]])
				printf "  %s -> %s:%s\n", p[1], p[2], why[k] | "sort"
		}
		exit big > most
	}'
}

bad=0
while read -r name most dirs; do
	[ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
	# shellcheck disable=SC2086
	symbols $dirs | largest "$name" "$most" || bad=1
done < <(rooms)
exit $bad
