#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: HPCC* in `longhaul`: four flows fair within 25 round trips, the queue that LSCC keeps, INT
#   taken off every packet; without it hpcc to the packet; not believed; a rate that lapses;
#   routers; bad values
#
# HPCC* is HPCC (High Precision Congestion Control, by in-band telemetry) with a rate R from the
# switch at a long link. The link has 200 Gbit/s and 1 ms. Four senders of 40 Gbit/s in one
# datacenter send to a receiver in the other, whose link of 40 Gbit/s is the bottleneck.
#
# Plain HPCC gets no feedback for a round trip of 2 ms: 4 x 40 Gbit/s arrive and 40 leave, so
# 120 Gbit/s x 2 ms = 30 MB wait. With HPCC* the switch before the long link sends
# senders R within microseconds, and LSCC computes R. By the paper's Eq. 9 the queue
# behind the link is Qref (2 MB) plus the change of the bottleneck's rate, at most its
# 40 Gbit/s, over 2D + T = 2.2 ms: 11 MB.
#
# Fair is a quarter of the payload of the 40 Gbit/s: packets have 4096 bytes, 82 of headers,
# 16 of INT and 32 for each of 3 ports behind the switch that takes INT off. Each flow is
# within a quarter of it after 25 round trips, as the paper has it for LSCC.
. "$(dirname "$0")/../lib/lab_lib.sh"
. "$(dirname "$0")/../lib/longhaul_lib.sh"

BOUND=$((11000000 + QREF))
ALONE=30000000
FAIR=$((40000000000 / 4 * 4096 / (4178 + 16 + 3 * 32)))
SHORT="--set size=20000000"

queue() {
	local max
	max=$(figure four hpccstar .bottleneck.queue_bytes.max)
	echo "queue at most $max bytes"
	is "$max" "<=" $BOUND
}

# Each packet has its INT taken off while there is an R, and is told of or too soon after
# another; nobody gets CNPs. Four flows: one direct INT in 4 us each, at most.
direct() {
	local l virtual
	l=$(figure four hpccstar .lscc)
	virtual=$(figure four hpccstar .virtual_ns)
	echo "$l"
	is "$(jq '.ints + .damped' <<<"$l")" "==" "$(jq .taken <<<"$l")" &&
		is "$(jq '.untaken + .failed + .cnps + .no_place' <<<"$l")" "==" 0 &&
		is "$(jq .ints <<<"$l")" ">=" 1000 &&
		is "$(jq .ints <<<"$l")" "<=" $((4 * (virtual / 4000 + 1)))
}

# Without a switch that tells it anything it is hpcc, packet for packet.
without() {
	run off hpccstar --set lscc=off $SHORT && run off hpcc $SHORT || return 1
	is "$(figure off hpccstar .bottleneck.queue_bytes.max)" ">=" $ALONE &&
		cmp "$LAB_OUT/off/longhaul/hpccstar/seed1/flows.csv" \
			"$LAB_OUT/off/longhaul/hpcc/seed1/flows.csv"
}

# The same when the switch tells but is not believed.
unbelieved() {
	run deaf hpccstar $SHORT --knob switch_feedback=0 || return 1
	is "$(figure deaf hpccstar .lscc.ints)" ">=" 100 &&
		is "$(figure deaf hpccstar .bottleneck.queue_bytes.max)" ">=" $ALONE
}

# Packets without INT are told by CNPs, also by such a switch; senders with it get none of
# those from the other kind.
others() {
	run int lscc $SHORT --set lscc_reply=int && run cnp hpccstar $SHORT --set lscc_reply=cnp ||
		return 1
	is "$(figure int lscc .lscc.cnps)" ">=" 4 && is "$(figure int lscc .lscc.taken)" "==" 0 &&
		is "$(figure cnp hpccstar '.lscc.taken + .lscc.ints')" "==" 0
}

# R lapses half a period before the next comes: INT is taken off half of the time.
lapses() {
	run lapse hpccstar $SHORT --set lscc_expiry=100us || return 1
	is "$(figure lapse hpccstar .lscc.expired)" ">=" 10 &&
		is "$(figure lapse hpccstar .lscc.taken)" ">=" 100 &&
		is "$(figure lapse hpccstar .drops.total)" "==" 0
}

routed() {
	run router hpccstar --set fabric=router $SHORT || return 1
	is "$(figure router hpccstar .lscc.ints)" ">=" 100 &&
		is "$(figure router hpccstar '.lscc.failed + .lscc.untaken')" "==" 0
}

# bad WORD OPTION...: refused in one line with the word
bad() {
	local word=$1 out
	shift
	out=$("$LAB" run longhaul --cc hpccstar "$@" --out "$LAB_OUT/bad" 2>&1) &&
		{ echo "accepted"; return 1; }
	[[ $out == *"$word"* && $out != *$'\n'*$'\n'* ]] || { echo "$out"; return 1; }
}

ktap_print_header
ktap_check "four flows: fair within 25 round trips" fair hpccstar "$FAIR"
ktap_check "the long link is not paused" no_pause hpccstar
ktap_check "the queue is what LSCC keeps" queue
ktap_check "direct INT for all packets" direct
ktap_check "without: hpcc, and a round trip's worth of queue" without
ktap_check "not believed: that queue, too" unbelieved
ktap_check "senders without telemetry, switches with CNPs" others
ktap_check "a rate that lapses" lapses
ktap_check "the same through routers" routed
ktap_check "direct INT without INT is refused" bad "int=on" --set int=off --set lscc_reply=int
ktap_check "lscc_reply=perhaps is refused" bad lscc_reply --set lscc_reply=perhaps
ktap_check "compact telemetry is refused" bad int_profile --param int_profile=1
ktap_finished
