#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: how long PFC pauses the hosts of an incast under RCC, DCQCN and TIMELY: not at all, or for
#   as long as what is sent before any feedback does not fit the buffer
#
# Every sender starts at line rate, so before any feedback n times the bytes arrive that
# a flow sends without it. With dcqcn and timely that is S, all of its 200 KB: their first
# feedback comes when the last byte leaves. With rcc it is W = C T and a packet, its
# window until the first ACK. The ports of the switch share a pool P; one that holds a
# is paused when a exceeds (P - used) / 8 and resumed 4 KB below that. So
#
# - no host is paused while n a + 8 a <= P: rcc with n = 192, a = W, the others with n = 128;
# - while used >= P the threshold is 0, so every port that has something in the buffer is
#   paused. All have until nearly the end, because packets leave in the order in which they
#   came. The last host begins within the jitter, its burst takes a / C, and then what is
#   left in buffer and hosts falls by C: for (n a - P) / C all hosts are paused.
#   Before the begin of that, and at its end, a burst, a T and the jitter are allowed;
# - and no host is paused any more once used + 8 (a + 4 KB) <= P: with the refill of what was
#   paused, which takes a round trip of the link, an upper bound.
#
# A host that is paused for a part of the run counts with this part; the mean over the n hosts
# and the port to the receiver, which is never paused, is n / (n + 1) of a host's.
. "$(dirname "$0")/../lib/lab_lib.sh"

POOL=32000000

# run N CCS
run() { LAB_DIR=$LAB_OUT/$1 lab_run pauses --cc "$2" --set n="$1"; }

get() { LAB_DIR=$LAB_OUT/$1 lab_get "pauses/$2/1" "$3"; }

# burst N CC: wire bytes that a host sends on its own, of rcc C T. 200 KB are four messages of
# up to 64 packets and 196 packets, each 82 bytes longer and the first of a message 16 more.
burst() {
	if [ "$2" = rcc ]; then
		get "$1" rcc '.knobs.base_rtt * 12.5'
	else
		echo $((200000 + 196 * 82 + 4 * 16))
	fi
}

# nobody N CC. rcc may be ahead of its window by a packet.
nobody() {
	is "$(awk -v n="$1" -v a="$(burst "$1" "$2")" 'BEGIN { print (n + 8) * (a + 1154) }')" "<=" $POOL &&
		is "$(get "$1" "$2" .pfc.pause_frames)" "==" 0 &&
		is "$(get "$1" "$2" .pfc.pause_ratio)" "==" 0
}

# bounded N CC: time paused of a host, in bytes of the line, and the ratio of it
bounded() {
	local ns ratio
	ns=$(get "$1" "$2" .pfc.pause_ns)
	ratio=$(get "$1" "$2" .pfc.pause_ratio)
	awk -v n="$1" -v a="$(burst "$1" "$2")" -v pool=$POOL -v ns="$ns" -v ratio="$ratio" \
		-v run="$(get "$1" "$2" .virtual_ns)" 'BEGIN {
		paused = ns / n * 12.5
		least = n * a - pool - a - 13000 * 12.5
		most = n * (a + 1154) - pool + 8 * (a + 1154 + 4096) + 2 * 2900 * 12.5
		want = ns / (n + 1) / run
		printf "each host is paused for %.0f us, %.0f to %.0f expected; ratio %.4f, of the run %.4f\n",
			paused / 12500, least / 12500, most / 12500, ratio, want
		# The run is counted from the first start, within the jitter of 1 us.
		exit paused < least || paused > most || ratio < want - 1e-5 || ratio > want * (1 + 1001 / run) + 1e-5
	}'
}

# nothing is lost, whatever is paused
lossless() {
	local cc
	for cc in rcc dcqcn timely; do
		is "$(get "$1" $cc .drops.total)" "==" 0 || return 1
	done
}

ktap_print_header
ktap_check "128 senders: all flows complete" run 128 dcqcn,timely
for n in 192 256; do
	ktap_check "$n senders: all flows complete" run $n rcc,dcqcn,timely
	ktap_check "$n senders: nothing is lost" lossless $n
done
ktap_check "rcc, 192 senders: no pauses" nobody 192 rcc
ktap_check "rcc, 256 senders: for as long as the first windows do not fit" bounded 256 rcc
for cc in dcqcn timely; do
	ktap_check "$cc, 128 senders: no pauses" nobody 128 $cc
	for n in 192 256; do
		ktap_check "$cc, $n senders: for as long as the flows do not fit" bounded $n $cc
	done
done
ktap_finished
