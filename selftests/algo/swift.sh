#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: Swift at a bottleneck: the queue is that of the target delay, the line is never idle,
#   shares are even; 128 flows with and without the flow scaling
. "$(dirname "$0")/../lib/lab_lib.sh"

# Four flows with a quarter of the path each: W is at least a quarter of what the line
# carries in a base RTT, 12 packets of 1106 bytes at 4.2 us, and the target at most, in
# base RTTs above the path's,
#	0.25 + 5 (1 / sqrt(12) - 1 / sqrt(100)) / (1 / sqrt(0.1) - 1 / sqrt(100)) = 0.558.
# Above the target a round trip's growth
# is seen, a packet of each flow, and another before the cuts are felt.
four() { lab_run four --cc swift --set size=10mb --set stagger=200us; }

target_queue() {
	local base
	base=$(lab_get four/swift/1 .knobs.base_rtt)
	awk -v base="$base" 'BEGIN {
		bdp = 100e9 / 8e9 * base # ns
		w = bdp / 4 / 1106
		t = .25 + 5 * (1 / sqrt(w) - .1) / (1 / sqrt(.1) - .1)
		printf "%.0f\n", t * bdp + 2 * 4 * 1106 }'
}

# Once all four are there; the first 100 us after the last join are left out.
steady() {
	awk -F, -v bound="$1" '$2 == "sw-r" && $1 >= 700000 && $1 < 2500000 {
			n++; sum += $4; over += $4 > bound; idle += $4 == 0 }
		END { if (n < 50) { print "only " n + 0 " samples"; exit 1 }
			printf "%d samples, mean %.0f B, %d above %.0f B, %d empty\n", n, sum / n, over, bound, idle
			exit over > n / 50 || idle > n / 50 }' "$LAB_OUT/r/four/swift/seed1/queues.csv"
}

queue() { steady "$(target_queue)"; }

# A cut takes beta of the excess at most, and the excess is what the queue holds more than
# was aimed at: the rest of the queue, at least a quarter of the path, stays.
busy() { is "$(lab_get four/swift/1 .bottleneck.utilization)" ">=" 0.99; }
fair() { is "$(lab_get four/swift/1 .jain)" ">=" 0.99; }

# 128 flows have less than half a packet each in the path. Without scaling all aim at the
# same delay, and those with less than a packet have no way to tell who has more.
many() {
	lab_run incast --cc swift,swift:fs_range=0 --set n=128 --set size=500kb
}

scaled() {
	is "$(lab_get incast/swift/1 .jain)" ">=" 0.99 &&
		is "$(lab_get incast/swift/1 .jain)" ">=" "$(lab_get incast/swift:fs_range=0/1 .jain)" &&
		is "$(lab_get incast/swift/1 .flows.fct_ns.p99)" "<=" \
			"$(lab_get incast/swift:fs_range=0/1 .flows.fct_ns.p99)"
}

# Without it the problem is there.
unscaled() { is "$(lab_get incast/swift:fs_range=0/1 .jain)" "<=" 0.95; }

ktap_print_header
ktap_check "four flows" four
ktap_check "the queue is as long as is aimed at" queue
ktap_check "the line is busy" busy
ktap_check "shares are even" fair
ktap_check "128 flows" many
ktap_check "flow scaling makes them even" scaled
ktap_check "without it they are not" unscaled
ktap_finished
