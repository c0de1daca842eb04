#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab compare`: values and ranks are those of the runs, what is there is not run again, a module of
#   one's own has a row; what is refused
. "$(dirname "$0")/../lib/lab_lib.sh"
command -v parallel >/dev/null && command -v gnuplot >/dev/null || ktap_skip_all "needs parallel and gnuplot"

out=$LAB_OUT/c
dir=$out/quick
export RXE_CC_CACHE=$LAB_OUT/cache
mkdir -p "$RXE_CC_CACHE"

# to STATUS COMMAND...: stdout in $LAB_OUT/out, stderr in $LAB_OUT/err
to() {
	local want=$1 rc=0
	shift
	"$@" >"$LAB_OUT/out" 2>"$LAB_OUT/err" </dev/null || rc=$?
	[ "$rc" -eq "$want" ] || { echo "$*: exit status $rc, not $want"; cat "$LAB_OUT/err"; return 1; }
}
compare() { to 0 "$LAB" compare --quick --seeds 2 --cc dcqcn,hpcc --only join,queue,dcqcn --out "$out" -q "$@"; }

# mean JQ-PATH DIR...: of the summaries in these directories
mean() {
	local path=$1
	shift
	jq -s "map($path) | add / length" "${@/%//summary.json}"
}
# value ROW COLUMN MEMBER
value() { jq ".rows[$1].values[$2].$3" "$dir/compare.json"; }

table() {
	compare || return 1
	near "$(value 0 0 mean)" "$(mean .jain "$dir"/join/four/dcqcn/seed{1,2})" 1e-5 &&
		near "$(value 1 1 mean)" "$(mean .bottleneck.queue_bytes.mean/1024 "$dir"/join/four/hpcc/seed{1,2})" 1e-5 &&
		near "$(value 1 2 mean)" "$(mean .cc_groups.jain "$dir"/dcqcn/dumbbell/hpcc@*/seed{1,2})" 1e-5
}
ktap_print_header
ktap_check "values are means over the seeds of what the runs have" table

# Of two values that are not the same the better one has rank 1; of the queue that is the smaller.
ranks() {
	jq -e '. as $c | [range(3)] | all(. as $e | [$c.rows[].values[$e]] | ($c.columns[$e].better == "more") as $more
		| sort_by(.mean) | (if $more then reverse else . end) | .[0].rank == 1 and (.[1].rank == 2 or .[1].rank == 1))' \
		"$dir/compare.json" >"$LAB_OUT/out" || { jq -c .rows "$dir/compare.json"; return 1; }
	[ "$(value 0 1 rank)" != "$(value 1 1 rank)" ] && [ -s "$dir/compare.svg" ] && [ -s "$dir/compare.png" ] &&
		grep -q ">hpcc<" "$dir/compare.svg"
}
ktap_check "ranks follow the values, and there is a picture" ranks

again() {
	local before
	before=$(stat -c %y "$dir"/*/*/*/seed*/run.json)
	cp "$dir/compare.json" "$LAB_OUT/before.json" && compare -j && cmp "$LAB_OUT/before.json" "$dir/compare.json" &&
		[ "$before" = "$(stat -c %y "$dir"/*/*/*/seed*/run.json)" ] &&
		cmp <(jq -S . "$LAB_OUT/out") <(jq -S . "$dir/compare.json")
}
ktap_check "the same command runs nothing again, and gives the same table; -j prints it" again

own() {
	to 0 "$LAB" build --new mine "$LAB_OUT/mine" && to 0 "$LAB" build "$LAB_OUT/mine" &&
		to 0 "$LAB" compare --quick --seeds 1 --only parking --module "$LAB_OUT/mine/rxe_cc_mine.ko" --cc mine,template \
			--out "$LAB_OUT/own" -q &&
		jq -e '.rows | map(.cc) == ["mine", "template"] and .[0].values == .[1].values and .[0].values[0].rank == 1' \
			"$LAB_OUT/own/quick/compare.json" >/dev/null
}
ktap_check "one's own algorithm has a row; the template under another name shares its rank" own

refuses() {
	to 2 "$LAB" compare --only jion && grep -q 'did you mean "join"' "$LAB_OUT/err" &&
		to 2 "$LAB" compare --cc dcqnc && grep -q dcqcn "$LAB_OUT/err" && to 2 "$LAB" compare four &&
		to 0 "$LAB" compare --list && [ "$(wc -l <"$LAB_OUT/out")" -eq "$(jq '.entries | length' "$RXE_CC_TOP/tools/lab/compare/tournament.json")" ]
}
ktap_check "unknown entries and algorithms are refused; --list names all entries" refuses
ktap_finished
