#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: scenario `longhaul` with LSCC: four flows fair within 25 round trips, queue around Qref,
#   the long link never paused; against none; two bottlenecks; a wrong round trip; dcqcn; routers;
#   bad values
#
# LSCC (link-segmented congestion control) over a long link between datacenters: 200 Gbit/s, 1 ms,
# so a round trip is 2 ms. Four senders in one datacenter send to a receiver in the other, whose
# link of 40 Gbit/s is the bottleneck.
#
# What the paper's Fig. 8 claims: within 25 round trips (50 ms) all flows have the fair rate,
# the queue of what came by the link stays around Qref (2 MB), the long link is never
# paused. Fair is a quarter of the payload of the 40 Gbit/s: packets have 4096 bytes and 82
# of headers, so 9.8 Gbit/s. "At the fair rate" is here: the mean goodput of 50 .. 70 ms is
# within a quarter of it, for every flow.
#
# The bound of the queue: Eq. 9 says that Q - Qref is the change of BR between two successive
# spans of 2D + T, 2.2 ms, times such a span. BR never changes by more than the 40 Gbit/s
# that the receiver takes: 40 x 2.2 ms / 8 = 11 MB. So it is below 13 MB, plus
# the pseudo queue's excess, which is sent before the senders have slowed down.
#
# The first messages have Rmin, and a step more each: senders at 4 x 40 Gbit/s fill the pseudo
# queue of 2 MB within a tenth of a millisecond, long before the first feedback of a receiver.
. "$(dirname "$0")/../lib/lab_lib.sh"
. "$(dirname "$0")/../lib/longhaul_lib.sh"

BOUND=$((11000000 + 2 * QREF))
FAIR=$((40000000000 / 4 * 4096 / 4178))

all_heard() {
	local l
	l=$(figure "$1" lscc '.ports["es-er"].lscc')
	is "$(jq .unsent <<<"$l")" "==" 0 && is "$(jq .refused <<<"$l")" "==" 0 &&
		is "$(jq .late <<<"$l")" "==" 0 && is "$(jq .expired <<<"$l")" "==" 0 &&
		is "$(jq '.failed + .no_place + .uncleared' <<<"$l")" "==" 0 &&
		is "$(jq .heard <<<"$l")" ">=" 350
}

# The queue towards the receiver's rack is what came by the link and waits.
queue() {
	local max
	max=$(figure four lscc .bottleneck.queue_bytes.max)
	echo "queue at most $max bytes"
	is "$max" ">=" $((QREF / 4)) && is "$max" "<=" $BOUND
}

# Direct CNPs, and normal ones; both are believed, and the switches at the link mark nothing.
cnps() {
	local direct normal
	direct=$(figure four lscc .lscc.cnps)
	normal=$(figure four lscc .cnp.sent)
	echo "$direct direct, $normal normal"
	is "$direct" ">=" 4 && is "$normal" ">=" 4 &&
		is "$(figure four lscc .cnp.handled)" "==" $((direct + normal)) &&
		is "$(figure four lscc .lscc.marked)" "==" "$normal" &&
		is "$(figure four lscc '.ports["er-tr0"].ecn_marked + .ports["es-er"].ecn_marked')" "==" 0
}

# Without: for a round trip nobody hears anything, and 4 x 40 Gbit/s come: 30 MB and more.
without() {
	run off lscc --set lscc=off --set size=20000000 || return 1
	is "$(figure off lscc .bottleneck.queue_bytes.max)" ">=" 30000000 &&
		[ "$(figure off lscc .lscc)" = null ]
}

# With, the first round trip is over before the queue has that: a pseudo queue of 2 MB is
# filled within 0.1 ms.
sooner() {
	is "$(figure four lscc .bottleneck.queue_bytes.max)" "<=" \
		$(($(figure off lscc .bottleneck.queue_bytes.max) / 2))
}

# Two receivers at 40 Gbit/s with two and three senders, as in Fig. 9(b).
two() {
	local n
	run two lscc --set n=5 --set receivers=2 --set size=20000000 || return 1
	n=$(figure two lscc '[.lscc.failed, .lscc.no_place, .ports["er-es"].pauses_sent] | add')
	is "$n" "==" 0 && is "$(figure two lscc .lscc.cnps)" ">=" 5
}

# The round trip is thought to be half or twice what it is.
wrong_rtt() {
	run "rtt$1" lscc --set "lscc_rtt=$1" --set size=20000000 || return 1
	is "$(figure "rtt$1" lscc '.ports["er-es"].pauses_sent')" "==" 0 &&
		is "$(figure "rtt$1" lscc .drops.total)" "==" 0
}

# Another algorithm gets direct CNPs, too.
dcqcn() {
	run dcqcn dcqcn --set lscc=on --set size=20000000 || return 1
	is "$(figure dcqcn dcqcn .lscc.cnps)" ">=" 4
}

# Routers forward by address; the messages are for the next one only.
routed() {
	run router lscc --set fabric=router --set size=20000000 || return 1
	is "$(figure router lscc '.ports["es-er"].lscc | .heard')" ">=" 100 &&
		is "$(figure router lscc .lscc.refused)" "==" 0
}

# bad WORD KEY=VALUE: refused in one line that names the key
bad() {
	local out
	out=$("$LAB" run longhaul --cc lscc --set "$2" --out "$LAB_OUT/bad" 2>&1) &&
		{ echo "accepted"; return 1; }
	[[ $out == *"$1"* && $out != *$'\n'*$'\n'* ]] || { echo "$out"; return 1; }
}

ktap_print_header
ktap_check "four flows: fair within 25 round trips" fair lscc "$FAIR"
ktap_check "the long link is not paused" no_pause lscc
ktap_check "each message is heard" all_heard four
ktap_check "the queue is around its reference" queue
ktap_check "direct and normal CNPs" cnps
ktap_check "without: a round trip's worth of queue" without
ktap_check "with: half of that, or less" sooner
ktap_check "two bottlenecks" two
ktap_check "a round trip of half of what it is" wrong_rtt 1ms
ktap_check "of twice that" wrong_rtt 4ms
ktap_check "dcqcn, with switches that run LSCC" dcqcn
ktap_check "the same through routers" routed
ktap_check "lscc without pfc is refused" bad lscc pfc=off
ktap_check "a period of 0 is refused" bad lscc_period lscc_period=0ns
ktap_check "a reference of 0 is refused" bad lscc_qref lscc_qref=0b
ktap_check "lscc=perhaps is refused" bad lscc lscc=perhaps
ktap_check "a link of more periods than LSCC remembers is refused" bad lscc_period long_delay=103ms
ktap_finished
