#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: NSCC at a bottleneck: the queue settles at the target delay wherever marks begin below it,
#   at half of it with half the target; quick adapt from 11 flows on, as the gate says
. "$(dirname "$0")/../lib/lab_lib.sh"

# Marks begin at K, below the target C T (T: base RTT). A flow that sees marks and less delay than
# the target keeps its W, but for eta, so the queue grows to the target. Above it W goes down. Each
# of N flows adds eta = 3/20 packets x C T / 150000 in a T. Above the target it goes on for T until
# the average has followed, for the RTT of 2 T, and for T until W may be cut: e = 4 N eta. A cut
# takes 4/5 of the average's excess over the target from all that is under way, 2 C T at the target,
# and is felt an RTT later, in which there may be two: 16/5 e.
K=10450
runs() {
	local n
	for n in 4 8; do
		LAB_DIR=$LAB_OUT/n$n lab_run four --cc nscc,$half --set n=$n --set size=10mb --set stagger=0us \
			--set kmin=${K}b --set kmax=${K}b --set pmax=1 || return
	done
}
half=nscc:target_qdelay=0.5

# settles N CC TARGETS: from 2 ms on; from K to the target it takes C T / (N eta) T, 0.9 ms for four
settles() {
	awk -F, -v base="$(LAB_DIR=$LAB_OUT/n$1 lab_get "four/$2/1" .knobs.base_rtt)" -v n="$1" -v part="$3" '
		BEGIN { path = 100e9 / 8e9 * base; e = 4 * n * 0.15 * 1106 * path / 150000
			high = part * path + e; low = part * path - 3.2 * e
			end = n * 8e5 }
		$2 == "sw-r" && $1 >= 2000000 && $1 < end { m++; sum += $4; idle += $4 == 0 }
		END { if (m < 50) { print "only " m + 0 " samples"; exit 1 }
			printf "mean %.0f B, %.0f to %.0f, %d of %d empty\n", sum / m, low, high, idle, m
			exit sum / m < low || sum / m > high || idle }' "$LAB_OUT/n$1/four/$2/seed1/queues.csv"
}

# In a base RTT and the target's, 2 T, C / N brings each flow 2 C T / N. The gate is max_wnd / 8, 3/16
# C T: N above 10.7 are below it. All begin with 3/2 C T, so 16 see 23 T in queues, and four targets
# are enough.
adapts() {
	LAB_DIR=$LAB_OUT/a$1 lab_run incast --cc nscc --set n="$1" --set size=200kb --set kmin=${K}b \
		--set kmax=${K}b --set pmax=1 || return
	awk -F, '$3 == "adapts" && $4 > most { most = $4 } END { print most + 0 }' \
		"$LAB_OUT/a$1/incast/nscc/seed1/state.csv" >"$LAB_OUT/adapts"
	echo "a flow: $(<"$LAB_OUT/adapts") times"
}
never() { adapts 8 && [ "$(<"$LAB_OUT/adapts")" -eq 0 ]; }
once() { adapts 16 && [ "$(<"$LAB_OUT/adapts")" -ge 1 ]; }

ktap_print_header
ktap_check "4 and 8 flows, marks from a fifth of the path on" runs
for n in 4 8; do
	ktap_check "$n flows: the queue is at the target, not at the marks" settles $n nscc 1
	ktap_check "$n flows, half the target: half of it" settles $n $half 0.5
done
ktap_check "8 flows at once: quick adapt never runs" never
ktap_check "16: it does" once
ktap_finished
