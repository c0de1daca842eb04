#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Turn HPCC's knobs and see what each does: "incast" of 16 long flows at 100 Gbit/s.
# The start: when the queue of 16 windows is down to BDP / 20 of the true round trip
# (2.6 KB) for the first time, and its peak. Then 1.8 ms of the steady state.
#
# What is expected:
# eta		is the utilization, give or take what W_ai adds (headline.sh).
# n		W_ai is 1 / n of what eta leaves free. With n = 10 for 16 flows they add up
#		to more than that: no room is left and a queue stands. The larger W_ai, the
#		sooner flows are alike: fairness falls from n = 10 to 100 to 1000.
# max_stage	0 takes all that seems free at once, after every round trip, of 16 flows
#		together: overshoot, so a longer queue at its 99th percentile.
# fast_react	0 reacts once per round trip, and the first of these is as long as the
#		queue of the start: 16 windows, which stand for that time. With it flows
#		stop when the second telemetry is in, and the queue drains in 16 round trips
#		from the start. This is the problem that the paper's section 3.2 begins with.
# T		is the window of the start: the peak is twice or half as high. Afterwards too
#		small a T holds windows below the true BDP.
. "$(dirname "$0")/../ktap_helpers.sh"
. "$(dirname "$0")/lab_lib.sh"

ITEMS="hpcc hpcc:eta=0.90 hpcc:eta=0.98 hpcc:n=10 hpcc:n=1000 hpcc:max_stage=0 hpcc:max_stage=20 hpcc:fast_react=0"
TIMES="2096ns 8382ns"
CLEAR=2619

# runs DIR CCS OPTION...
runs() {
	LAB_DIR=$LAB_OUT/$1 lab_run incast --cc "$2" --set n=16 --set size=2250kb \
		--set sample=1us --set window_from=600us --set window_to=2400us "${@:3}"
}

all_runs() {
	local t
	runs auto "${ITEMS// /,}" || return 1
	for t in $TIMES; do
		runs "$t" hpcc --set base_rtt="$t" || return 1
	done
}

# figs DIR CC: us until the queue is gone, peak KB, utilization, mean KB, p99 KB, Jain
figs() {
	local dir=$LAB_OUT/$1/incast/$2/seed1
	awk -F, -v clear=$CLEAR '$2 == "sw-r" {
		if ($4 > clear) up = 1; else if (up) { print $1 / 1e3; exit } }' "$dir/queues.csv"
	jq '.bottleneck.queue_bytes.max / 1e3, (.window | (.ports["sw-r"] | .utilization,
		.queue_bytes.mean / 1e3, .queue_bytes.p99 / 1e3), .jain)' "$dir/summary.json"
}

# row NAME DIR CC: also to $LAB_OUT/tsv
row() {
	local v
	mapfile -t v < <(figs "$2" "$3")
	printf '%s\t' "$1" "${v[@]}" >>"$LAB_OUT/tsv"
	echo >>"$LAB_OUT/tsv"
	ktap_print_msg "$(printf '| %s | %.0f | %.0f | %.3f | %.2f | %.1f | %.3f |' "$1" "${v[@]}")"
}

# fig NAME COLUMN
fig() {
	awk -F '\t' -v n="$1" -v c="$2" '$1 == n { print $(c + 1) }' "$LAB_OUT/tsv"
}

# times NAME COLUMN FACTOR: so many times hpcc's
times() {
	awk -v v="$(fig hpcc "$2")" -v f="$3" 'BEGIN { print v * f }'
}

ktap_print_header
ktap_check "all flows complete" all_runs || ktap_finished
ktap_print_msg "| | queue of the start gone, us | its peak KB | utilization | queue mean KB | p99 KB | Jain |"
ktap_print_msg "| --- | --- | --- | --- | --- | --- | --- |"
for cc in $ITEMS; do
	row "$cc" auto "$cc"
done
for t in $TIMES; do
	row "base_rtt=$t" "$t" hpcc
done

ktap_check "eta lower: utilization lower by 0.03 at least" \
	is "$(fig hpcc:eta=0.90 3)" "<=" "$(awk -v u="$(fig hpcc 3)" 'BEGIN { print u - 0.03 }')"
ktap_check "eta higher: utilization higher by 0.015 at least" \
	is "$(fig hpcc:eta=0.98 3)" ">=" "$(awk -v u="$(fig hpcc 3)" 'BEGIN { print u + 0.015 }')"
ktap_check "n below the number of flows: a queue stands" is "$(fig hpcc:n=10 4)" ">=" "$(times hpcc 4 2)"
ktap_check "n smaller: fairer" is "$(fig hpcc:n=10 6)" ">=" "$(fig hpcc 6)"
ktap_check "n larger: less fair" is "$(fig hpcc:n=1000 6)" "<=" "$(fig hpcc 6)"
ktap_check "max_stage 0: overshoot" is "$(fig hpcc:max_stage=0 5)" ">=" "$(times hpcc 5 2)"
ktap_check "fast_react 0: the queue of the start stands longer" is "$(fig hpcc:fast_react=0 1)" ">=" "$(times hpcc 1 1.4)"
ktap_check "T half: half the peak" near "$(fig base_rtt=2096ns 2)" "$(times hpcc 2 0.5)" 0.1
ktap_check "T half: less than the line carries" is "$(fig base_rtt=2096ns 3)" "<=" "$(fig hpcc 3)"
ktap_check "T double: a higher peak" is "$(fig base_rtt=8382ns 2)" ">=" "$(times hpcc 2 1.5)"
ktap_check "T double: the queue of the start stands longer" is "$(fig base_rtt=8382ns 1)" ">=" "$(times hpcc 1 1.2)"
ktap_finished
