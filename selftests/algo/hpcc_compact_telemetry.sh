#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: compact telemetry beside telemetry in full: goodput of joins, an incast and a fat-tree;
#   `FULL=1`: three seeds, steady states, two bottlenecks
#
# HPCC and HPCC++ with compact telemetry (int_profile=1, 8 bytes a hop) beside telemetry in
# full (32 bytes a hop), at 100 Gbit/s. What the shorter packets are worth, and where the
# results differ.
#
# What must hold and why:
# goodput	Both profiles steer U to eta, and U counts wire bytes. So the two runs carry
#		the same wire bytes, and goodput differs by what a packet is shorter: 1138
#		bytes instead of 1186 on the last link of "four", 4.2 % more payload. U is
#		rounded in the compact profile, by up to 2.5 % (int_overhead.sh says how): goodput is
#		at least 0.975 x 1.042 of that in full.
# fattree	The last link of the longest path carries 16 + 6 x 8 bytes of INT instead of
#		16 + 6 x 32: 1171 wire bytes a packet instead of 1315 (1107 without). Flows
#		that stay below one switch gain less. So the sum of goodput must not fall.
# Without FULL=1: "four" with one seed, and the fat-tree.
. "$(dirname "$0")/../lib/lab_lib.sh"

SEEDS=1${FULL:+ 2 3}
FOUR="hpcc hpcc:int_profile=1 hpccpp hpccpp:int_profile=1 hpccpp:preset=fair hpccpp:preset=fair:int_profile=1"
CHAIN="hpcc hpcc:int_profile=1 hpcc:n=10 hpcc:n=10:int_profile=1 hpcc:n=3 hpcc:n=3:int_profile=1"
PAIR="hpcc hpcc:int_profile=1"
Q=.bottleneck.queue_bytes

# runs DIR SCENARIO CCS OPTION...: one run for each seed
runs() {
	local s
	for s in $SEEDS; do
		LAB_DIR=$LAB_OUT/$1 lab_run "$2" --cc "${3// /,}" --seed "$s" "${@:4}" || return 1
	done
}

# med DIR SCENARIO/CC JQ-FILTER
med() {
	local s v=()
	for s in $SEEDS; do
		v+=("$(LAB_DIR=$LAB_OUT/$1 lab_get "$2/$s" "$3")")
	done
	median "${v[@]}"
}

# row NAME DIR SCENARIO/CC FORMAT JQ-FILTER...
row() {
	local v=() f
	for f in "${@:5}"; do
		v+=("$(med "$2" "$3" "$f")")
	done
	# shellcheck disable=SC2059
	ktap_print_msg "| $1 | $(printf "$4" "${v[@]}") |"
}

# head_row TEXT
head_row() {
	ktap_print_msg "| $1 |"
	ktap_print_msg "| $(sed 's/[^|]*/ --- /g; s/^ //; s/ $//' <<<"$1") |"
}

# more DIR SCENARIO CC JQ-FILTER FACTOR: with compact hops it is at least FACTOR times that in full
more() {
	is "$(med "$1" "$2/$3:int_profile=1" "$4")" ">=" \
		"$(awk -v v="$(med "$1" "$2/$3" "$4")" -v f="$5" 'BEGIN { print v * f }')"
}

# joint SCENARIO TITLE OPTION...: a table of a run with six algorithms
joint() {
	local cc goodput='.goodput_bps / 1e9'
	ktap_check "$1: all flows complete" runs "$1" "$1" "$FOUR" --set jitter=10us "${@:3}" || return 0
	head_row "$2 | goodput Gbit/s | utilization | queue mean KB | peak KB | Jain"
	for cc in $FOUR; do
		row "$cc" "$1" "$1/$cc" "%.1f | %.3f | %.1f | %.1f | %.3f" \
			"$goodput" .bottleneck.utilization "$Q.mean / 1e3" "$Q.max / 1e3" .jain
	done
	for cc in hpcc hpccpp hpccpp:preset=fair; do
		ktap_check "$1, $cc: goodput of compact hops" more "$1" "$1" "$cc" "$goodput" 1.016
	done
}

clos() {
	local cc
	ktap_check "fattree: all flows complete" runs clos fattree "$PAIR" --set k=4 --set size=2mb --set qps=2 || return 0
	head_row "fattree | goodput Gbit/s, all flows | FCT p50 us | p99 us | slowdown p99 | Jain"
	for cc in $PAIR; do
		row "$cc" clos "fattree/$cc" "%.0f | %.0f | %.0f | %.1f | %.3f" \
			'.goodput_bps / 1e9' '.flows.fct_ns.p50 / 1e3' '.flows.fct_ns.p99 / 1e3' .flows.slowdown.p99 .jain
	done
	ktap_check "fattree: compact hops do not lower goodput" more clos fattree hpcc .goodput_bps 1
}

# steadies: the steady state of hpcc_steady.sh, with one seed as there
steadies() {
	local n mtu cc SEEDS=1
	head_row "steady state of n flows | utilization | queue mean KB | peak KB"
	for n in 1 2 4 16 64 2-4096; do
		mtu=1024
		case $n in *-*) mtu=${n#*-} ;; esac
		ktap_check "n = ${n%-*}, MTU $mtu: all flows complete" runs "n${n%-*}-$mtu" incast "$PAIR" \
			--set n="${n%-*}" --set mtu="$mtu" --set size=$((36000000 / ${n%-*}))b \
			--set window_from=600us --set window_to=2600us || continue
		for cc in $PAIR; do
			row "n = ${n%-*}, MTU $mtu: $cc" "n${n%-*}-$mtu" "incast/$cc" "%.3f | %.2f | %.1f" \
				'.window.ports["sw-r"].utilization' '.window.ports["sw-r"].queue_bytes.mean / 1e3' "$Q.max / 1e3"
		done
	done
}

chain() {
	local cc
	ktap_check "two bottlenecks in a row: all flows complete" runs chain chain3 "$CHAIN" \
		--set jitter=10us --set size=120mb --set window_from=12ms --set window_to=15ms || return 0
	head_row "chain3 | share of the flow that crosses both links | utilization"
	for cc in $CHAIN; do
		row "$cc" chain "chain3/$cc" "%.3f | %.3f" '.window.goodput_bps | .[0] / (.[0] + .[1])' \
			'.window.ports["s1-s2"].utilization'
	done
}

ktap_print_header
joint four '`four`'
[ -z "${FULL:-}" ] || joint incast '`incast` of 16' --set n=16 --set size=2mb
clos
[ -z "${FULL:-}" ] || { chain; steadies; }
ktap_finished
