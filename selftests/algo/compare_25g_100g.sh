#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: tables of algorithms at 100 (`FULL=1`: and 25) Gbit/s: incast, joins, two bottlenecks in a
#   row
#
# Tables of algorithms at 25 and 100 Gbit/s, for which we have no simulator's figures:
# "incast" of 16 flows that fill the line for as long as 16 x 200 KB do at 10 Gbit/s,
# "four" flows that join one after the other, "chain3" with two bottlenecks in a row.
# Medians over seeds, starts jittered over 10 us.
#
# What must hold for the HPCC family and why:
# incast	The peak is at most n windows, because no more is sent before the first ACKs. If
#		not every packet asks for an ACK, hpccpp adds up to W / 8 to W for the packets that
#		wait for one.
# four		Utilization of the whole run is eta to 3 points: one that hpcc_steady.sh allows
#		for the steady state, and two for joins and ends: after each of them a flow
#		needs max_stage and some more round trips to use the free bandwidth. A window
#		of 45 packets (25 Gbit/s: 12) may also be a few packets short.
#		The mean queue is below BDP / 20 at 100 Gbit/s; at 25 Gbit/s that is 0.7 KB,
#		less than a packet: there it is a packet. With n_auto W_ai uses what eta leaves
#		free, so that utilization may be 1.
# chain3	Flow 0 crosses both bottlenecks, flows 1 and 2 one each. Each window
#		follows the busiest port of its path, and all flows have the same W_ai: that is
#		max-min fairness, half of each port. But flow 0's U is an average over ACKs of the
#		maximum of two ports, whose values jump from packet to packet, independently of each
#		other. So it is larger than the U of the other flows, and flow 0 gets at most
#		half. How much less is observed: it gets a third, and nearly half with one
#		decision a round trip (fast_react = 0).
#		hpcc only: n_auto is for congestion at the last port (results.md).
# FULL=1: 25 Gbit/s and the variants. SEEDS='1 2 ...' sets the seeds.
. "$(dirname "$0")/../lib/lab_lib.sh"

SEEDS=${SEEDS:-1}
RATES=100${FULL:+ 25}
FAMILY="hpcc${FULL:+ hpcc:int_profile=1 hpcc:fast_react=0 hpccpp:preset=fair hpccpp:preset=sparse hpccpp:preset=sparse:n_auto=1 hpccpp:preset=probe hpccpp:preset=rx}"
OTHERS="timely dcqcn"

# runs RATE SCENARIO OPTION...
runs() {
	local s ccs
	ccs=$(echo "$FAMILY $OTHERS" | tr ' ' ,)
	for s in $SEEDS; do
		LAB_DIR=$LAB_OUT/$1 lab_run "$2" --cc "$ccs" --seed "$s" --set rate="$1gbit" \
			--set jitter=10us "${@:3}" || return 1
	done
}

# med RATE SCENARIO CC JQ-FILTER
med() {
	local s v=()
	for s in $SEEDS; do
		v+=("$(LAB_DIR=$LAB_OUT/$1 lab_get "$2/$3/$s" "$4")")
	done
	median "${v[@]}"
}

# row RATE SCENARIO CC FORMAT JQ-FILTER...
row() {
	local v=() f
	for f in "${@:5}"; do
		v+=("$(med "$1" "$2" "$3" "$f")")
	done
	# shellcheck disable=SC2059
	ktap_print_msg "| $1 | $3 | $(printf "$4" "${v[@]}") |"
}

head_row() {
	ktap_print_msg "| Gbit/s | $1 |"
	ktap_print_msg "| --- | $(echo "$1" | sed 's/[^|]*/ --- /g; s/^ //; s/ $//') |"
}

BDP='.knobs.base_rtt * .knobs.line_rate / 8e9'
Q=.bottleneck.queue_bytes

ktap_print_header
head_row "incast of 16 | FCT p50 us | p99 us | queue peak KB | mean KB | utilization"
for r in $RATES; do
	ktap_check "incast, $r Gbit/s: all flows complete" runs "$r" incast --set size=$((20000 * r)) || continue
	for cc in $FAMILY $OTHERS; do
		row "$r" incast "$cc" "%.0f | %.0f | %.0f | %.1f | %.3f" \
			.flows.fct_ns.p50/1e3 .flows.fct_ns.p99/1e3 $Q.max/1e3 $Q.mean/1e3 .bottleneck.utilization
	done
	for cc in $FAMILY; do
		case $cc in *sparse* | *probe* | *rx) most=1.125 ;; *) most=1 ;; esac
		ktap_check "incast, $r Gbit/s, $cc: the peak is at most n windows" \
			is "$(med "$r" incast "$cc" "$Q.max / (16 * $BDP)")" "<=" "$most"
	done
done

head_row "four x 60 MB | utilization | queue mean KB | p99 KB | peak KB | Jain"
for r in $RATES; do
	ktap_check "four, $r Gbit/s: all flows complete" runs "$r" four || continue
	for cc in $FAMILY $OTHERS; do
		row "$r" four "$cc" "%.3f | %.2f | %.1f | %.0f | %.3f" \
			.bottleneck.utilization $Q.mean/1e3 $Q.p99/1e3 $Q.max/1e3 .jain
	done
	for cc in $FAMILY; do
		ktap_check "four, $r Gbit/s, $cc: utilization, at least" \
			is "$(med "$r" four "$cc" .bottleneck.utilization)" ">=" 0.92
		case $cc in *n_auto* | *fair) ;; *)
			ktap_check "four, $r Gbit/s, $cc: utilization, at most" \
				is "$(med "$r" four "$cc" .bottleneck.utilization)" "<=" 0.98 ;;
		esac
		ktap_check "four, $r Gbit/s, $cc: mean queue" \
			is "$(med "$r" four "$cc" "$Q.mean - ([$BDP / 20, 1186] | max)")" "<=" 0
	done
done

# What flow 0 has of the port that it shares with flow 1.
SHARE='.window.goodput_bps | .[0] / (.[0] + .[1])'
head_row "chain3 | flow 0 Gbit/s | flow 1 | flow 2 | share of flow 0 | utilization | queue mean KB"
for r in $RATES; do
	ktap_check "chain3, $r Gbit/s: all flows complete" runs "$r" chain3 \
		--set size=$((120 * r / 100))mb --set window_from=12ms --set window_to=15ms || continue
	for cc in $FAMILY $OTHERS; do
		row "$r" chain3 "$cc" "%.1f | %.1f | %.1f | %.2f | %.3f | %.2f" \
			'.window.goodput_bps[0]/1e9' '.window.goodput_bps[1]/1e9' '.window.goodput_bps[2]/1e9' \
			"$SHARE" '.window.ports["s1-s2"].utilization' '.window.ports["s1-s2"].queue_bytes.mean/1e3'
	done
	for cc in hpcc ${FULL:+hpcc:fast_react=0}; do
		ktap_check "chain3, $r Gbit/s, $cc: share of flow 0, at most half" \
			is "$(med "$r" chain3 "$cc" "$SHARE")" "<=" 0.5
	done
done
ktap_finished
