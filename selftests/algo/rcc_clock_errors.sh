#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: hosts whose clocks are apart: an offset changes nothing, jitter and drift do to RCC what
#   [rcc](../algorithms/rcc.md) says, `side=1` does not notice
#
# Hosts whose clocks are apart: scenario clock, two flows over one link in the network, 100 Gbit/s,
# T = 12 us. rcc keeps the excess delay of packets at delta T / 2 = 1.2 us.
#
# offset	An algorithm compares delays with the smallest one, or a port's times with each
#		other: the offset of the clocks is the same in both. flows.csv has the same bytes.
# jitter	Each delay is longer than the smallest by the queue and by J / 2 in the mean. So a
#		queue of delta T / 2 - J / 2 is left, give or take a packet of each flow, which
#		come in turns.
# side=1	uses the sender's own clock alone, so the others have no effect.
# drift		l0 is fast and l1 slow by d: after t the delay of flow 0 looks shorter by d t
#		and that of flow 1 longer, so that U of the two differs by 2 d t Kp / leak and
#		W0 / W1 grows by d t^2 Kp / (leak (T + delta T / 2)) in its logarithm: with 100 ppm
#		by 2.9 in 3 ms, 18 times. Without drift flow 1 has more here. The test
#		requires three times: the rate depends on more than W, and PID does not begin at an exact time.
. "$(dirname "$0")/../lib/lab_lib.sh"

CCS=rcc,rcc:side=1,hpcc

# run NAME CCS OPTION...
run() {
	LAB_DIR=$LAB_OUT/$1 lab_run clock --cc "$2" --set size=20mb --set window_from=2ms \
		--set window_to=3ms "${@:3}"
}

# same NAME CC: the flows of "none" to the byte
same() { cmp "$LAB_OUT/none/clock/$2/seed1/flows.csv" "$LAB_OUT/$1/clock/$2/seed1/flows.csv"; }

port() { LAB_DIR=$LAB_OUT/$1 lab_get "clock/$2/1" ".window.ports[\"sl-sr\"]$3"; }

# queue NAME JITTER-NS
queue() {
	local base
	base=$(LAB_DIR=$LAB_OUT/$1 lab_get clock/rcc/1 .knobs.base_rtt)
	is "$(port "$1" rcc .utilization)" ">=" 0.98 || return 1
	awk -v q="$(port "$1" rcc .queue_bytes.mean)" -v t="$base" -v j="$2" 'BEGIN {
		want = 12.5 * (0.1 * t - j / 2)
		printf "mean queue %d bytes, expected %d\n", q, want
		exit q < want - 2 * 1154 || q > want + 2 * 1154
	}'
}

# times RATIO NAME: flow 0 has so much more than flow 1
times() {
	LAB_DIR=$LAB_OUT/$2 lab_get clock/rcc/1 ".window.goodput_bps | \"\(.[0]) \(.[1]) $1\"" |
		awk '{ printf "%.1f and %.1f Gbit/s\n", $1 / 1e9, $2 / 1e9; exit !($1 >= $3 * $2) }'
}

drifts() { ! times 1 none && run drift "$CCS" --set clock_drift=100 && times 3 drift; }

refused() {
	ends 2 "$LAB" run clock --set clock_jitter=-1ns --out "$LAB_OUT/no" && ends 2 "$LAB" run clock \
		--set clock_drift=1000.5 --out "$LAB_OUT/no" && ends 2 "$LAB" run clock \
		--set clock_offset=11s --out "$LAB_OUT/no" && [ ! -e "$LAB_OUT/no" ]
}

ktap_print_header
ktap_check "clocks that are one" run none "$CCS"
ktap_check "rcc: the queue is delta T / 2" queue none 0
ktap_check "an offset of up to 1 ms" run offset "$CCS" --set clock_offset=1ms
for cc in rcc rcc:side=1 hpcc; do
	ktap_check "$cc: nothing changes" same offset $cc
done
for j in 100 1000; do
	ktap_check "jitter of $j ns" run j$j "$CCS" --set clock_jitter=${j}ns
	ktap_check "rcc: the queue is J / 2 less" queue j$j $j
	ktap_check "rcc:side=1: nothing changes" same j$j rcc:side=1
done
ktap_check "rcc:side=1: jitter of 5 us" run j5us rcc:side=1 --set clock_jitter=5us
ktap_check "rcc:side=1: nothing changes" same j5us rcc:side=1
ktap_check "drift of 100 ppm: who is slow gives way" drifts
ktap_check "rcc:side=1: nothing changes" same drift rcc:side=1
ktap_check "bad values are refused" refused
ktap_finished
