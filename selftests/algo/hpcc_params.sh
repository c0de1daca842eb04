#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: what each of HPCC's parameters does, and a wrong T
#
# What each of HPCC's parameters does: "incast" of 16 long flows at 100 Gbit/s.
# The start: when the queue of 16 windows is down to BDP / 20 of the true round trip
# (2.6 KB) for the first time, and its peak. Then 1.8 ms of the steady state.
#
# What is expected, with T the true round trip of 4.19 us, BDP = 52.4 KB and n = 16 flows:
# eta		is the utilization to a point either way (hpcc_steady.sh): so 0.05 less eta is
#		0.03 to 0.07 less utilization, 0.03 more is 0.01 to 0.05 more.
# n		W_ai is 1 / n of what eta leaves free of a window. A window is stable where
#		W = W eta / U + W_ai, and the windows together are U BDP: U = eta + (1 - eta)
#		16 / n. With n = 10 that is 1.03. Utilization is 1 at most, so 0.03 BDP wait,
#		1.57 KB. The larger W_ai, the sooner flows are equal: fairness falls from
#		n = 10 to 100 to 1000.
# max_stage	with 0 each of 16 flows takes all that seems free after every round trip. Together
#		they overshoot: at the 99th percentile at least one packet more waits.
# fast_react	0 reacts once per round trip. The first reaction can follow the first
#		ACK of a packet sent after the first ACK, and that packet waits behind all 16
#		windows: it comes after 1 + 16 T. All windows are still in flight then, and the line
#		needs 15 T more: the queue is not gone before 32 T = 134 us. With
#		fast_react flows stop when the second telemetry arrives, so the queue drains from the
#		start and is gone earlier. Section 3.2 of the paper begins with this problem.
# T		is the window of the start: all 16 are sent before the first ACK, and the line
#		takes one of them meanwhile. Half the T is half the peak; windows are whole
#		packets, 22.7 of them then and 45.4 before, so to 5 %. With twice the T each flow
#		still has room in its window when its first telemetry arrives, and sends at least one
#		packet more, which takes longer to drain. Afterwards too small a T counts
#		a queue twice in U, so utilization is lower.
. "$(dirname "$0")/../lib/lab_lib.sh"

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
	local v text
	mapfile -t v < <(figs "$2" "$3")
	printf '%s\t' "$1" "${v[@]}" >>"$LAB_OUT/tsv"
	echo >>"$LAB_OUT/tsv"
	text=$(printf "| %s | %.0f | %.0f | %.3f | %.2f | %.1f | %.3f |" "$1" "${v[@]}")
	ktap_print_msg "$text"
	ktap_check "$1: this row is on the page" on_page measured/algorithms.md "$text"
}

# fig NAME COLUMN
fig() {
	awk -F '\t' -v n="$1" -v c="$2" '$1 == n { print $(c + 1) }' "$LAB_OUT/tsv"
}

# times NAME COLUMN FACTOR: so many times hpcc's
times() {
	awk -v v="$(fig hpcc "$2")" -v f="$3" 'BEGIN { print v * f }'
}

# more NAME COLUMN SUM: so much more than hpcc's
more() {
	awk -v v="$(fig hpcc "$2")" -v s="$3" 'BEGIN { print v + s }'
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
ktap_check "eta higher: utilization higher by 0.01 at least" \
	is "$(fig hpcc:eta=0.98 3)" ">=" "$(awk -v u="$(fig hpcc 3)" 'BEGIN { print u + 0.01 }')"
ktap_check "n below the number of flows: a queue of 0.03 BDP stands" is "$(fig hpcc:n=10 4)" ">=" 1.57
ktap_check "n smaller: fairer" is "$(fig hpcc:n=10 6)" ">=" "$(fig hpcc 6)"
ktap_check "n larger: less fair" is "$(fig hpcc:n=1000 6)" "<=" "$(fig hpcc 6)"
ktap_check "max_stage 0: overshoot" is "$(fig hpcc:max_stage=0 5)" ">=" "$(more hpcc 5 1.186)"
ktap_check "fast_react 0: the queue of the start stands for 32 T" is "$(fig hpcc:fast_react=0 1)" ">=" 134
ktap_check "fast_react 1: for less" is "$(fig hpcc 1)" "<=" 134
ktap_check "T half: half the peak" near "$(fig base_rtt=2096ns 2)" "$(times hpcc 2 0.5)" 0.05
ktap_check "T half: less than the line carries" is "$(fig base_rtt=2096ns 3)" "<=" "$(fig hpcc 3)"
ktap_check "T double: a packet more of each flow at the peak" is "$(fig base_rtt=8382ns 2)" ">=" "$(more hpcc 2 18.976)"
ktap_check "T double: the queue of the start stands longer" is "$(fig base_rtt=8382ns 1)" ">=" "$(more hpcc 1 1)"
ktap_finished
