#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# DCQCN, TIMELY and HPCC at 10 Gbit/s beside a public ns-3 simulator (HPCC, SIGCOMM'19),
# star of 1 us links, kmin 40 KB, kmax 160 KB, pmax 0.2, marking at dequeue as there.
# Medians over seeds with starts jittered over 10 us.
#
#			DCQCN					TIMELY
#   incast 16 x 200 KB	p50 2653 us, p99 2853 us, peak 1586 KB	2437, 3521, 2838
#						utilization	.772
#   four x 60 MB	queue peak 173 KB, Jain 0.98		175 KB, 0.99
#
# That simulator carries 1000 bytes in 1048 (TIMELY: 1056) on the wire, rxe 1024 in
# 1106: the same flows are 196 packets of 1106 bytes instead of 200 of 1048, 3.4 %
# (2.6 %) more. So times and queues are compared as multiples of the bytes that must
# pass. Tolerances: 10 % for times; 25 % for the peak, which with DCQCN hangs on the
# instant at which 16 unsynchronised timers raise their rates together (300 us after
# the last cut, half way back to the line rate), and in "four" with TIMELY on where in
# a round trip the others are when one joins; two points for utilization.
#
# HPCC		incast, maxStage 0	p50 2238 us, p99 3194 us, peak 112 KB, utilization .864
#		maxStage 5, no jitter	2967, 3522, 115.5, .783
#		four, maxStage 0	utilization .940, queue mean 0.5 KB, peak 9.8 KB, Jain .40
# 1000 bytes are 1090 there and 1186 on the last link here, which carries two hops
# of INT: 6.6 % more bytes. The peak is n windows of line rate x T there. Here it is
# n times the packets that fit into one, because here a packet goes when it fits,
# there as long as the window is not full: a packet per flow less, which is the
# tolerance (5 % and n packets) that one has for windows. That rule also is why
# "four" is fairer and its queue longer here (Documentation/results.md has figures for
# both rules); so its Jain index and peak are not compared. Half the flows' times
# hang on how unfair the start was: 3 seeds have a median up to 5 % off that of 10.
# SEEDS='1 2 ...' sets the seeds.
. "$(dirname "$0")/../ktap_helpers.sh"
. "$(dirname "$0")/lab_lib.sh"

# RPG of the simulator: no byte counter, a CNP for every marked packet.
PARAMS="--param rpg_byte_reset=0 --param rpg_time_reset=300us
	--param rpg_threshold=1 --param rpg_ai_rate=2mbit
	--param rpg_hai_rate=20mbit --param dce_tcp_g=255/256
	--param dce_tcp_rtt=1us --param rate_reduce_monitor_period=4us
	--param initial_alpha_value=1 --param rpg_min_dec_fac=0
	--param clamp_tgt_rate=0 --param clamp_tgt_rate_after_time_inc=1
	--param np_min_time_between_cnps=0"
NET="--set rate=10gbit --set mtu=1024 --set kmin=40000b --set kmax=160000b
	--set pmax=0.2 --set ecn_at=dequeue --set ack_every=1
	--set max_unacked=4096 --set max_skbs=4096 --set min_rate=100mbit"
SEEDS=${SEEDS:-1 2 3}

# runs SCENARIO CC OPTION...
runs() {
	local s
	for s in $SEEDS; do
		# shellcheck disable=SC2086
		lab_run "$1" --cc "$2" --seed "$s" $NET "${@:3}" || return 1
	done
}

# med SCENARIO/CC JQ-FILTER
med() {
	local s v=()
	for s in $SEEDS; do
		v+=("$(lab_get "$1/$s" "$2")")
	done
	echo "$1 $2: ${v[*]}" >&2
	median "${v[@]}"
}

# row NAME SCENARIO/CC: medians (smallest - largest)
row() {
	local s f line=$1 figures=(".flows.fct_ns.p50/1e3" ".flows.fct_ns.p99/1e3"
		".bottleneck.queue_bytes.max/1e3" ".bottleneck.queue_bytes.mean/1e3"
		.bottleneck.utilization .jain)
	for f in "${figures[@]}"; do
		line+=" | $(for s in $SEEDS; do lab_get "$2/$s" "$f"; done | sort -g | awk '
			{ v[NR] = $1 }
			function show(x) { return sprintf(x < 2 ? "%.3f" : x < 100 ? "%.1f" : "%.0f", x) }
			END { printf "%s (%s - %s)", show((v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2),
			      show(v[1]), show(v[NR]) }')"
	done
	ktap_print_msg "| $line |"
}

# scaled SCENARIO/CC JQ-FILTER REFERENCE FACTOR FRACTION
scaled() {
	local got
	got=$(med "$1" "$2") || return 1
	echo "median $got, reference $3 x $4"
	near "$got" "$(awk -v a="$3" -v f="$4" 'BEGIN { print a * f }')" "$5"
}

# points SCENARIO/CC JQ-FILTER EXPECTED: within two points
points() {
	local got
	got=$(med "$1" "$2") || return 1
	echo "median $got, reference $3"
	is "$got" ">=" "$(awk -v a="$3" 'BEGIN { print a - 0.02 }')" &&
		is "$got" "<=" "$(awk -v a="$3" 'BEGIN { print a + 0.02 }')"
}

# below SCENARIO/CC JQ-FILTER BOUND
below() {
	local got
	got=$(med "$1" "$2") || return 1
	is "$got" "<=" "$3"
}

# windows SCENARIO/CC N: the peak is that of N windows, by 5 % and a packet each
windows() {
	local got
	got=$(med "$1" .bottleneck.queue_bytes.max) || return 1
	lab_get "$1/1" .knobs.base_rtt | awk -v got="$got" -v n="$2" '{
		w = n * $1 * 10 / 8; slack = 0.05 * w + n * 1154
		printf "peak %d, windows %d, slack %d\n", got, w, slack
		exit !(got >= w - slack && got <= w)
	}'
}

WIRE=1.0344	# 196 * 1106 / (200 * 1048)
WIRE_T=1.0264	# 196 * 1106 / (200 * 1056)
WIRE_H=1.0663	# 196 * 1186 / (200 * 1090)
INCAST="--set n=16 --set size=200000 --set jitter=10us"

ktap_print_header
ktap_print_msg "| | FCT p50 us | p99 us | queue peak KB | mean KB | utilization | Jain |"
ktap_print_msg "| --- | --- | --- | --- | --- | --- | --- |"
# shellcheck disable=SC2086
ktap_check "dcqcn, incast: all flows complete" runs incast dcqcn $INCAST $PARAMS
row "dcqcn, incast" incast/dcqcn
ktap_check "dcqcn, incast: median FCT" scaled incast/dcqcn .flows.fct_ns.p50 2653000 $WIRE 0.10
ktap_check "dcqcn, incast: p99 FCT" scaled incast/dcqcn .flows.fct_ns.p99 2853000 $WIRE 0.10
ktap_check "dcqcn, incast: queue peak" scaled incast/dcqcn .bottleneck.queue_bytes.max 1586000 $WIRE 0.25
# shellcheck disable=SC2086
ktap_check "dcqcn, four: all flows complete" runs four dcqcn $PARAMS
row "dcqcn, four" four/dcqcn
ktap_check "dcqcn, four: queue peak" scaled four/dcqcn .bottleneck.queue_bytes.max 173000 $WIRE 0.25
ktap_check "dcqcn, four: Jain index" scaled four/dcqcn .jain 0.98 1 0.05
# shellcheck disable=SC2086
ktap_check "timely, incast: all flows complete" runs incast timely $INCAST --set preset=ns3
row "timely, incast" incast/timely
ktap_check "timely, incast: median FCT" scaled incast/timely .flows.fct_ns.p50 2437000 $WIRE_T 0.10
ktap_check "timely, incast: p99 FCT" scaled incast/timely .flows.fct_ns.p99 3521000 $WIRE_T 0.10
ktap_check "timely, incast: queue peak" scaled incast/timely .bottleneck.queue_bytes.max 2838000 $WIRE_T 0.25
ktap_check "timely, incast: utilization" points incast/timely .bottleneck.utilization 0.772
ktap_check "timely, four: all flows complete" runs four timely --set jitter=10us --set preset=ns3
row "timely, four" four/timely
ktap_check "timely, four: queue peak" scaled four/timely .bottleneck.queue_bytes.max 175000 $WIRE_T 0.25
ktap_check "timely, four: Jain index" scaled four/timely .jain 0.99 1 0.05
# shellcheck disable=SC2086
ktap_check "hpcc, incast: all flows complete" runs incast hpcc $INCAST --set preset=ns3
row "hpcc, incast" incast/hpcc
ktap_check "hpcc, incast: median FCT" scaled incast/hpcc .flows.fct_ns.p50 2238000 $WIRE_H 0.15
ktap_check "hpcc, incast: p99 FCT" scaled incast/hpcc .flows.fct_ns.p99 3194000 $WIRE_H 0.10
ktap_check "hpcc, incast: queue peak" windows incast/hpcc 16
ktap_check "hpcc, incast: utilization" points incast/hpcc .bottleneck.utilization 0.864
ktap_check "hpcc, four: all flows complete" runs four hpcc --set jitter=10us --set preset=ns3
row "hpcc, four" four/hpcc
ktap_check "hpcc, four: utilization" points four/hpcc .bottleneck.utilization 0.940
ktap_check "hpcc, four: mean queue below one packet" below four/hpcc .bottleneck.queue_bytes.mean 1186
# shellcheck disable=SC2034	# lab_lib.sh reads it
LAB_DIR=$LAB_OUT/stage5 SEEDS=1
# shellcheck disable=SC2086
ktap_check "hpcc, maxStage 5: all flows complete" runs incast hpcc --set n=16 --set size=200000 --set preset=ns3 --param max_stage=5
row "hpcc, incast, maxStage 5" incast/hpcc
ktap_check "hpcc, maxStage 5: median FCT" scaled incast/hpcc .flows.fct_ns.p50 2967000 $WIRE_H 0.10
ktap_check "hpcc, maxStage 5: p99 FCT" scaled incast/hpcc .flows.fct_ns.p99 3522000 $WIRE_H 0.10
ktap_check "hpcc, maxStage 5: utilization" points incast/hpcc .bottleneck.utilization 0.783
ktap_finished
