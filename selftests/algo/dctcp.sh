#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: DCTCP at a bottleneck: the queue of the paper's analysis for 2, 4 and 8 flows, the line never
#   idle; with marks from a fifth of the path on the line stays full, without alpha it does not
. "$(dirname "$0")/../lib/lab_lib.sh"

# SIGCOMM 2010, section 3.3, for N flows that go up and down together, with marks from K packets on.
# Each has W* = (C RTT + K) / N when the queue reaches K, alpha is sqrt(2 / W*), and the queue goes
# between K + N and K + N - A packets, with A = sqrt(2 N (C RTT + K)) / 2. Flows that do not go
# together have less of A. So its mean lies between the two.
K=100000
runs() {
	local n
	for n in 2 4 8; do
		LAB_DIR=$LAB_OUT/n$n lab_run four --cc dctcp --set n=$n --set size=10mb --set stagger=0us \
			--set kmin=${K}b --set kmax=${K}b --set pmax=1 || return
	done
}

# sawtooth N: from 1 ms on, when slow start is over, until flows end
sawtooth() {
	awk -F, -v base="$(LAB_DIR=$LAB_OUT/n$1 lab_get four/dctcp/1 .knobs.base_rtt)" -v n="$1" -v k=$K '
		BEGIN { p = 1106; path = 100e9 / 8e9 * base / p; k /= p
			high = (k + n) * p; low = high - sqrt(2 * n * (path + k)) / 2 * p
			end = n * 8e5 }
		$2 == "sw-r" && $1 >= 1000000 && $1 < end { m++; sum += $4; idle += $4 == 0 }
		END { if (m < 50) { print "only " m + 0 " samples"; exit 1 }
			printf "mean %.0f B, %.0f to %.0f, %d of %d empty\n", sum / m, low, high, idle, m
			exit sum / m < low || sum / m > high || idle }' "$LAB_OUT/n$1/four/dctcp/seed1/queues.csv"
}

# K a fifth of what the path holds, 2 flows: A is 7.5 packets and K + N 11, so the queue is never
# empty. With alpha of 1, which the least g leaves, W halves each time: from 1.2 of the path to 0.6,
# and back in steps of a packet. In two thirds of that time it is below 1, 0.8 on average: 0.87.
small=10450
no_alpha=dctcp:g=0.00000006
low_marks() {
	LAB_DIR=$LAB_OUT/low lab_run four --cc dctcp,$no_alpha --set n=2 --set size=20mb --set stagger=0us \
		--set kmin=${small}b --set kmax=${small}b --set pmax=1
}

used() { LAB_DIR=$LAB_OUT/low lab_get "four/$1/1" .bottleneck.utilization; }
full() { is "$(used dctcp)" ">=" 0.98; }
halves() { is "$(used $no_alpha)" "<=" 0.94; }

ktap_print_header
ktap_check "2, 4 and 8 flows" runs
for n in 2 4 8; do ktap_check "$n flows: the queue is that of the analysis" sawtooth $n; done
ktap_check "marks from a fifth of the path on" low_marks
ktap_check "the line is full" full
ktap_check "without alpha it is not" halves
ktap_finished
