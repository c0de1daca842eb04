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
#		maxStage 5, one run without jitter: 2967, 3522, 115.5, .783
#		four, maxStage 0	utilization .940, queue mean 0.5 KB, peak 9.8 KB, Jain .40
# 1000 bytes are 1090 there and 1186 on the last link here, which carries two hops
# of INT: 6.6 % more bytes. Preset ns3 has that simulator's window rule (fill_window):
# a packet goes while less than the window is in flight. So the peak of the incast is n
# windows of line rate x T, there as here, and 5 % is asked for; that of "four" is 9
# packets, so 10 % is one.
# Half the flows' times hang on how unfair the start was: 3 seeds have a median up to
# 5 % off that of 10. maxStage 5 is compared with jitter too: one run in which all start
# at the same ns is one draw, and its utilization differs by 2 points from the median. "Mean Jain" is the mean over time of Jain's index: flows change
# places, so the index of what they have moved in all that time is higher.
# SEEDS='1 2 ...' sets the seeds.
. "$(dirname "$0")/../lib/ktap_helpers.sh"
. "$(dirname "$0")/../lib/lab_lib.sh"

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

# windows SCENARIO/CC N: the peak is that of N windows
windows() {
	local got
	got=$(med "$1" .bottleneck.queue_bytes.max) || return 1
	near "$got" "$(($2 * $(lab_get "$1/1" .knobs.base_rtt) * 10 / 8))" 0.05
}

# mean_jain SCENARIO/CC SEED: mean of Jain's index over the intervals of rates.csv in
# which all four flows are active from start to end
mean_jain() {
	local dir=${LAB_DIR:-$LAB_OUT/r}/$1/seed$2
	awk -F, 'FNR == 1 { file++; next }
		file == 1 {
			if ($6 > from) from = $6
			if (!to || $6 + $7 < to) to = $6 + $7
			next
		}
		$1 != t { before = t; t = $1; n = sum = squares = 0 }
		before >= from && t <= to {
			n++; sum += $3; squares += $3 * $3
			if (n == 4 && squares) { jain += sum * sum / 4 / squares; times++ }
		}
		END { if (times) printf "%.4f\n", jain / times }' \
		"$dir/flows.csv" "$dir/rates.csv"
}

# mean_jains CC: of "four", one per seed
mean_jains() {
	local s
	for s in $SEEDS; do
		mean_jain "four/$1" "$s"
	done
}

# fair CC EXPECTED TOLERANCE
fair() {
	local v got
	mapfile -t v < <(mean_jains "$1")
	got=$(median "${v[@]}")
	echo "median $got of ${v[*]}, reference $2"
	is "$got" ">=" "$(awk -v a="$2" -v d="$3" 'BEGIN { print a - d }')" &&
		is "$got" "<=" "$(awk -v a="$2" -v d="$3" 'BEGIN { print a + d }')"
}

WIRE=1.0344	# 196 * 1106 / (200 * 1048)
WIRE_T=1.0264	# 196 * 1106 / (200 * 1056)
WIRE_H=1.0663	# 196 * 1186 / (200 * 1090)
INCAST="--set n=16 --set size=200000 --set jitter=10us"

ktap_print_header
ktap_print_msg "| | FCT p50 us | p99 us | queue peak KB | mean KB | utilization | Jain |"
ktap_print_msg "| --- | --- | --- | --- | --- | --- | --- |"
# shellcheck disable=SC2086
ktap_check "dcqcn, incast: all flows complete" runs incast dcqcn $INCAST --set preset=ns3
row "dcqcn, incast" incast/dcqcn
ktap_check "dcqcn, incast: median FCT" scaled incast/dcqcn .flows.fct_ns.p50 2653000 $WIRE 0.10
ktap_check "dcqcn, incast: p99 FCT" scaled incast/dcqcn .flows.fct_ns.p99 2853000 $WIRE 0.10
ktap_check "dcqcn, incast: queue peak" scaled incast/dcqcn .bottleneck.queue_bytes.max 1586000 $WIRE 0.25
ktap_check "dcqcn, four: all flows complete" runs four dcqcn --set preset=ns3
row "dcqcn, four" four/dcqcn
ktap_print_msg "dcqcn, four: mean Jain, each seed:" "$(mean_jains dcqcn | paste -sd " ")"
ktap_check "dcqcn, four: queue peak" scaled four/dcqcn .bottleneck.queue_bytes.max 173000 $WIRE 0.25
ktap_check "dcqcn, four: mean Jain index" fair dcqcn 0.98 0.05
# shellcheck disable=SC2086
ktap_check "timely, incast: all flows complete" runs incast timely $INCAST --set preset=ns3
row "timely, incast" incast/timely
ktap_check "timely, incast: median FCT" scaled incast/timely .flows.fct_ns.p50 2437000 $WIRE_T 0.10
ktap_check "timely, incast: p99 FCT" scaled incast/timely .flows.fct_ns.p99 3521000 $WIRE_T 0.10
ktap_check "timely, incast: queue peak" scaled incast/timely .bottleneck.queue_bytes.max 2838000 $WIRE_T 0.25
ktap_check "timely, incast: utilization" points incast/timely .bottleneck.utilization 0.772
ktap_check "timely, four: all flows complete" runs four timely --set jitter=10us --set preset=ns3
row "timely, four" four/timely
ktap_print_msg "timely, four: mean Jain, each seed:" "$(mean_jains timely | paste -sd " ")"
ktap_check "timely, four: queue peak" scaled four/timely .bottleneck.queue_bytes.max 175000 $WIRE_T 0.25
ktap_check "timely, four: mean Jain index" fair timely 0.99 0.05
# shellcheck disable=SC2086
ktap_check "hpcc, incast: all flows complete" runs incast hpcc $INCAST --set preset=ns3
row "hpcc, incast" incast/hpcc
ktap_check "hpcc, incast: median FCT" scaled incast/hpcc .flows.fct_ns.p50 2238000 $WIRE_H 0.15
ktap_check "hpcc, incast: p99 FCT" scaled incast/hpcc .flows.fct_ns.p99 3194000 $WIRE_H 0.10
ktap_check "hpcc, incast: queue peak" windows incast/hpcc 16
ktap_check "hpcc, incast: utilization" points incast/hpcc .bottleneck.utilization 0.864
ktap_check "hpcc, four: all flows complete" runs four hpcc --set jitter=10us --set preset=ns3
row "hpcc, four" four/hpcc
ktap_print_msg "hpcc, four: mean Jain, each seed:" "$(mean_jains hpcc | paste -sd " ")"
ktap_check "hpcc, four: utilization" points four/hpcc .bottleneck.utilization 0.940
ktap_check "hpcc, four: queue peak" scaled four/hpcc .bottleneck.queue_bytes.max 9800 1 0.10
ktap_check "hpcc, four: mean Jain index" fair hpcc 0.40 0.04
ktap_check "hpcc, four: mean queue below one packet" below four/hpcc .bottleneck.queue_bytes.mean 1186
# shellcheck disable=SC2034	# lab_lib.sh reads it
LAB_DIR=$LAB_OUT/stage5
# shellcheck disable=SC2086
ktap_check "hpcc, maxStage 5: all flows complete" runs incast hpcc $INCAST --set preset=ns3 --param max_stage=5
row "hpcc, incast, maxStage 5" incast/hpcc
ktap_check "hpcc, maxStage 5: median FCT" scaled incast/hpcc .flows.fct_ns.p50 2967000 $WIRE_H 0.10
ktap_check "hpcc, maxStage 5: p99 FCT" scaled incast/hpcc .flows.fct_ns.p99 3522000 $WIRE_H 0.10
ktap_check "hpcc, maxStage 5: utilization" points incast/hpcc .bottleneck.utilization 0.783
ktap_finished
