#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: one boot for several algorithms: the same bytes as a boot each, also after a run that died
#
# A command with several algorithms boots once and does each run in a copy of that kernel. What
# a run leaves must not be seen by the next: all files but run.json are those of a command each,
# in both orders of the runs, and where a run does not complete or its kernel is killed.
. "$(dirname "$0")/../lib/lab_lib.sh"

# in_dir DIR SCENARIO OPTION...: all that was booted for it is named in $LAB_OUT/kernels
in_dir() {
	local dir=$1
	shift
	: >"$LAB_OUT/kernels"
	LAB_KERNELS=$LAB_OUT/kernels LAB_DIR=$dir lab_run "$@"
}

# boots N
boots() {
	[ "$(wc -l <"$LAB_OUT/kernels")" -eq "$1" ] && return
	echo "booted $(wc -l <"$LAB_OUT/kernels") times, not $1"
	return 1
}

# differ A B: the first differences, if any
differ() {
	local text
	text=$(diff -r -x run.json "$1" "$2") && return
	head -n 12 <<<"$text"
	return 1
}

# same_bytes NAME 'CC CC CC' SCENARIO OPTION...
same_bytes() {
	local name=$LAB_OUT/$1 ccs=$2 cc backwards=
	shift 2
	for cc in $ccs; do
		LAB_DIR=$name.each lab_run "$@" --cc "$cc" || return 1
		backwards=$cc${backwards:+,$backwards}
	done
	[ "$(find "$name.each" -type f ! -name run.json | wc -l)" -ge 12 ] || return 1
	in_dir "$name.all" "$@" --cc "${ccs// /,}" && boots 1 && differ "$name.each" "$name.all" &&
		in_dir "$name.back" "$@" --cc "$backwards" && boots 1 &&
		differ "$name.each" "$name.back"
}

# Two of the three have the same switches and so share the network; hpcc has INT. The buffer
# is small, so ports pause.
with_pfc() {
	same_bytes pfc 'none dcqcn hpcc' incast --set pfc=on --set buffer=3mb --set n=8 \
		--set size=512kb --set jitter=10us --set sample=10us --events &&
		is "$(LAB_DIR=$LAB_OUT/pfc.all lab_get incast/none/1 .pfc.pause_frames)" ">=" 8
}

with_workload() {
	same_bytes load 'dcqcn timely hpcc' fattree --set workload=hadoop --set load=0.3 \
		--set flows=200
}

# The first run ends at its limit, with flows that did not. 1 GB takes 80 ms at 100 Gbit/s.
after_incomplete() {
	local rc=0 opts=(two --set size=1gb --set limit=1ms)
	for cc in none dcqcn; do
		LAB_DIR=$LAB_OUT/i.each lab_run "${opts[@]}" --cc $cc >/dev/null && rc=1
	done
	in_dir "$LAB_OUT/i.all" "${opts[@]}" --cc none,dcqcn >/dev/null && rc=1
	[ $rc -eq 0 ] || { echo "a run that did not complete ended with status 0"; return 1; }
	boots 1 && differ "$LAB_OUT/i.each" "$LAB_OUT/i.all"
}

# innermost PID: of it and its descendants the last that has children: kernels have some
innermost() {
	local pid child next=$1
	while [ -n "$next" ]; do
		pid=$next
		next=
		for child in $(ps -o pid= --ppid "$pid"); do
			[ -z "$(ps -o pid= --ppid "$child")" ] || next=$child
		done
	done
	echo "$pid"
}

# The kernel of the first run is killed in the midst of its traffic: it has no results, those
# after it have theirs.
after_killed() {
	local opts=(incast --set n=8 --set size=4mb) lab pid rc=0 cc
	LAB_DIR=$LAB_OUT/k.each lab_run "${opts[@]}" --cc dcqcn &&
		LAB_DIR=$LAB_OUT/k.each lab_run "${opts[@]}" --cc hpcc || return 1
	mkdir -p "$LAB_OUT/tmp"
	: >"$LAB_OUT/kernels"
	LAB_KERNELS=$LAB_OUT/kernels TMPDIR=$LAB_OUT/tmp "$LAB" run "${opts[@]}" \
		--cc none,dcqcn,hpcc --out "$LAB_OUT/k.all" >"$LAB_OUT/said" 2>&1 </dev/null &
	lab=$!
	for _ in $(seq 3000); do
		[ -z "$(find "$LAB_OUT/tmp" -name plan.json)" ] || break
		sleep 0.01
	done
	pid=$(innermost $lab)
	kill -KILL "$pid"
	wait $lab || rc=$?
	[ $rc -eq 1 ] && grep -q "incast/none: the lab kernel ended early" "$LAB_OUT/said" &&
		[ ! -e "$LAB_OUT/k.all/incast/none/seed1/summary.json" ] ||
		{ echo "status $rc"; cat "$LAB_OUT/said"; return 1; }
	rm -rf "$LAB_OUT/k.all/incast/none"
	boots 1 && differ "$LAB_OUT/k.each" "$LAB_OUT/k.all" && nothing_left "$LAB_OUT/none"
}

ktap_print_header
ktap_check "several algorithms with PFC: the same bytes as a command each" with_pfc
ktap_check "several algorithms under a workload: the same" with_workload
ktap_check "after a run that did not complete: the same" after_incomplete
ktap_check "after a run whose kernel was killed: the same" after_killed
ktap_finished
