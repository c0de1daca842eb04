#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the same seed gives the same bytes, also on a busy host
#
# The same settings and seed give the same bytes in every result file but
# run.json; another seed gives other starts and the same conclusion.
. "$(dirname "$0")/../lib/lab_lib.sh"

run() {
	LAB_DIR=$1 lab_run incast --cc none,dcqcn --set n=8 --set size=1mb \
		--set jitter=10us --seed "$2"
}

# differ A B: the first differences, if any
differ() {
	local text
	text=$(diff -r -x run.json "$1" "$2") && return
	head -n 12 <<<"$text"
	return 1
}

same_bytes() {
	run "$LAB_OUT/a" 1 && run "$LAB_OUT/b" 1 || return 1
	[ "$(find "$LAB_OUT/a" -type f ! -name run.json | wc -l)" -ge 8 ] || return 1
	differ "$LAB_OUT/a" "$LAB_OUT/b"
}

# Pauses too: ports that share a buffer are brought up to date in order of time,
# whoever looks first. Short pauses, so that refreshes count too.
same_bytes_lossless() {
	local d
	for d in e f; do
		LAB_DIR=$LAB_OUT/$d lab_run incast --cc none --set pfc=on --set buffer=3mb \
			--set n=8 --set size=2mb --set jitter=10us --set sample=10us \
			--set pfc_quanta=500 || return 1
	done
	is "$(LAB_DIR=$LAB_OUT/e lab_get incast/none/1 .pfc.pause_frames)" ">=" 8 &&
		differ "$LAB_OUT/e" "$LAB_OUT/f"
}

# With load on the host besides: results must not know.
same_bytes_under_load() {
	local pid rc=0
	sh -c 'while :; do :; done' &
	pid=$!
	run "$LAB_OUT/c" 1 || rc=1
	kill "$pid"
	[ $rc -eq 0 ] && differ "$LAB_OUT/a" "$LAB_OUT/c"
}

other_seed() {
	local a b
	run "$LAB_OUT/d" 2 || return 1
	! cmp -s "$LAB_OUT/a/incast/dcqcn/seed1/flows.csv" "$LAB_OUT/d/incast/dcqcn/seed2/flows.csv" ||
		{ echo "the seed changes nothing"; return 1; }
	a=$(LAB_DIR=$LAB_OUT/a lab_get incast/dcqcn/1 .goodput_bps)
	b=$(LAB_DIR=$LAB_OUT/d lab_get incast/dcqcn/2 .goodput_bps)
	near "$b" "$a" 0.1
}

no_overwriting() {
	if LAB_DIR=$LAB_OUT/a lab_run incast --cc dcqcn --set n=4 >"$LAB_OUT/msg"; then
		echo "results with other settings were overwritten"
		return 1
	fi
	grep -q -- --force "$LAB_OUT/msg" || { cat "$LAB_OUT/msg"; return 1; }
}

ktap_print_header
ktap_check "same seed twice: byte-identical results" same_bytes
ktap_check "same seed under load on the host: byte-identical results" same_bytes_under_load
ktap_check "same seed twice with PFC: byte-identical results" same_bytes_lossless
ktap_check "another seed: other starts, goodput within 10 %" other_seed
ktap_check "results with other settings are not overwritten" no_overwriting
ktap_finished
