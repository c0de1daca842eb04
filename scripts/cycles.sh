#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Which source files of a room, a part of the tree, depend on each other in a circle?
#   cycles.sh [-v|-q] [ROOM]...
# ROOM is a name of the table below; default: all. File A needs file B if A's
# object refers to a symbol that B's defines: what the compiler saw, inline
# functions of headers included, calls through pointers not. Not counted is the table of a
# switch feature, by which each of the feature's files finds its state. Files that reach each
# other are one cycle. Prints the largest of each room; exit 1 if one has more files
# than its room may have. -v: also every pair of files within a cycle, with the symbols;
# -q: only the rooms that have too many.
# A room whose name ends in "/" is one of folders: what matters is which folder needs which.
# Reads the objects of build/uml-lab, else of build/host (make lab, make modules), and of the
# tools.
set -u
. "$(dirname "$0")/common.sh"

# Folders of the lab with sources of its programs.
lab_dirs() {
	find "$top/tools/lab" \( -name tests -o -name kernel \) -prune -o -name '*.c' -printf '%h\n' |
		sort -u | sed "s,^$top/,," | paste -sd ' '
}

# name, most files in a cycle, directories
rooms() {
	cat <<-'END'
	core 2 drivers/infiniband/sw/rxe_cc/core
	ctl 2 drivers/infiniband/sw/rxe_cc/ctl
	cc_lib 2 drivers/infiniband/sw/rxe_cc/lib
	events 2 drivers/infiniband/sw/rxe_cc/events
	watch 2 drivers/infiniband/sw/rxe_cc/watch
	rxe_cc 2 drivers/infiniband/sw/rxe_cc/core drivers/infiniband/sw/rxe_cc/ctl
	glue 2 drivers/infiniband/sw/rxe_cc/rxe/glue
	sch_roce 2 net/sched/sch_roce net/sched/sch_roce/features/ecn net/sched/sch_roce/features/int net/sched/sch_roce/features/mercury net/sched/sch_roce/features/iofd net/sched/sch_roce/features/lscc
	flowgen 2 tools/flowgen
	rxecc 2 tools/rxecc
	tc 2 tools/tc
	lib 2 tools/lib
	bench 2 tools/bench
	END
	for d in $(lab_dirs); do
		echo "${d#tools/} 2 $d"
	done
	echo "lab 2 $(lab_dirs)"
	echo "lab/ 1 $(lab_dirs)"
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

# Where the objects of a directory are. The glue is compiled beside rxe.
objects() {
	case $1 in
	tools/tc) echo "$build/tc" ;;
	tools/lib) echo "$build/obj/lab/lib" ;;
	tools/*) echo "$build/obj/${1#tools/}" ;;
	*/glue) echo "$mod/drivers/infiniband/sw/rxe" ;;
	*) echo "$mod/$1" ;;
	esac
}

# Lines "FILE T|U SYMBOL" of the objects of directories that have a source here; for a room
# of folders FOLDER instead of FILE.
symbols() {
	local room=$1 list=() from d o
	shift
	for d; do
		from=$(objects "$d")
		for o in "$top/$d"/*.c; do
			o=${o##*/}
			o=$from/${o%.c}.o
			[ ! -e "$o" ] || list+=("$o")
		done
	done
	[ "${#list[@]}" -eq 0 ] || nm -A "${list[@]}" | awk -v room="$room" -v obj="$build/obj/" '
		{ f = $1; sub(/[.]o:.*/, ".c", f) }
		index(f, obj) != 1 || room !~ /^lab\/?$/ { sub(/.*\//, "", f) }
		{ sub(obj, "", f) }
		room ~ /\/$/ { sub(/\/[^\/]*$/, "", f) }
		$NF ~ /^roce_[a-z]+_feature$/ { next }
		$(NF - 1) == "U" { print f, "U", $NF }
		$(NF - 1) ~ /^[TDBRVW]$/ { print f, "T", $NF }'
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
		if (!quiet || big > most)
			printf "%-16s %3d %s, largest cycle %d, at most %d%s\n",
				room, n, room ~ /\/$/ ? "folders" : "files", big, most, (big > 1 ? ":" set : "")
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
	symbols "$name" $dirs | largest "$name" "$most" || bad=1
done < <(rooms)
exit $bad
