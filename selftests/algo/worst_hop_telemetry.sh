#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: telemetry of the worst hop only beside telemetry of all hops: goodput of joins and of a
#   fat-tree; `FULL=1`: websearch on a fat-tree, three seeds
#
# HPCC and HPCC++ with int_profile=2: packets have the load of the most loaded port of their path,
# 24 bytes of telemetry in all, instead of 16 and 32 (or 8) a hop.
#
# What must hold and why:
# four		One port is full, so the worst hop is that port and says u itself: its measurement
#		takes 1 us or more, so the ns of two instants are 0.2 % of it at most, and the queue
#		is told to 1 ns of T = 8 us. Both runs steer u to eta, so they carry the same wire
#		bytes: 1130 a packet on the last link instead of 1186, 4.96 % more payload. A
#		measurement is up to T / 2 old, which counts while flows join: goodput is at least
#		0.98 x 1.0496 of that in full. Of probes there is one in a round trip, so shorter
#		ones save next to nothing: at least 0.98 of the goodput in full.
# fattree	The last link of the longest path carries 24 bytes of telemetry instead of 16 + 6 x 32
#		or, compact, 16 + 6 x 8: goodput must not fall below that of either.
# mixed rates	The worse of two ports is the one with the larger u, whatever its speed: behind a link
#		of 25 Gbit/s a flow alone gets 0.95 of it. It begins at 100 Gbit/s; ten round
#		trips of 8 us until it is steered are 1 % of its 7.4 ms, and 2 % are allowed.
. "$(dirname "$0")/../lib/lab_lib.sh"

# runs NAME SEED SCENARIO CCS OPTION...
runs() {
	LAB_DIR=$LAB_OUT/$1 lab_run "$3" --cc "$4" --seed "$2" "${@:5}"
}

# of NAME ITEM FILTER
of() { LAB_DIR=$LAB_OUT/$1 lab_get "$2" "$3"; }

# more NAME ITEM OTHER FACTOR: goodput of ITEM is FACTOR times that of OTHER
more() {
	local a b
	a=$(of "$1" "$2" .goodput_bps) && b=$(of "$1" "$3" .goodput_bps) || return 1
	is "$a" ">=" "$(awk -v b="$b" -v f="$4" 'BEGIN { print b * f }')"
}

# slow_link: of its 1130 wire bytes a packet has 1024 of payload
slow_link() {
	near "$(of slow "dumbbell/hpcc:int_profile=2/1" .goodput_bps)" \
		"$(awk 'BEGIN { print 0.95 * 25e9 * 1024 / 1130 }')" 0.02
}

websearch() {
	local s
	for s in 1 2 3; do
		runs "web$s" $s fattree hpccpp,hpccpp:int_profile=1,hpccpp:int_profile=2 --set k=4 \
			--set pfc=on --set workload=websearch --set load=0.5 --set duration=5ms || return 1
	done
}

# table: a row for each profile, medians of three seeds
table() {
	local p item filter v
	ktap_print_msg "| telemetry | load carried % | slowdown p50 | p95 | p99 | long flows p50 | p99 |"
	ktap_print_msg "| --- | --- | --- | --- | --- | --- | --- |"
	for p in 0 1 2; do
		item=hpccpp:int_profile=$p
		[ $p != 0 ] || item=hpccpp
		v=("int_profile=$p")
		for filter in '.measured.load_carried * 100' .measured.slowdown.{p50,p95,p99} \
			.measured.long.{p50,p99}; do
			v+=("$(median "$(of web1 "fattree/$item/1" "$filter")" \
				"$(of web2 "fattree/$item/2" "$filter")" \
				"$(of web3 "fattree/$item/3" "$filter")")")
		done
		ktap_print_msg "| $(printf "%s | " "${v[@]}")"
	done
}

ktap_print_header
if ktap_check "four: all flows complete" runs four 1 four \
	hpcc,hpccpp,hpcc:int_profile=2,hpccpp:int_profile=2 --set jitter=10us; then
	for cc in hpcc hpccpp; do
		ktap_check "four, $cc: goodput is what shorter packets leave" \
			more four "four/$cc:int_profile=2/1" "four/$cc/1" 1.0286
	done
fi
if ktap_check "fattree: all flows complete" runs clos 1 fattree \
	hpcc,hpcc:int_profile=1,hpcc:int_profile=2 --set k=4 --set size=2mb --set qps=2; then
	for p in hpcc hpcc:int_profile=1; do
		ktap_check "fattree: not less goodput than $p" \
			more clos fattree/hpcc:int_profile=2/1 "fattree/$p/1" 1
	done
fi
# An answer to a probe has the busiest link only.
PROBE=hpccpp:preset=probe
ktap_check "four, probes: all flows complete" runs probe 1 four $PROBE,$PROBE:int_profile=2 --set jitter=10us &&
	ktap_check "four, probes: the busiest link is enough" \
		more probe "four/$PROBE:int_profile=2/1" "four/$PROBE/1" 0.98
ktap_check "a slow link in the path: the flow completes" runs slow 1 dumbbell hpcc:int_profile=2 \
	--set n=1 --set size=20mb --set core_rate=25gbit &&
	ktap_check "... at the slow link's rate" slow_link
if [ -n "${FULL:-}" ]; then
	ktap_check "websearch: all flows complete" websearch && table
fi
ktap_finished
