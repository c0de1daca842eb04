#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: LSCC at a port: its messages to the nanosecond; who is told, by size, mark, interval and
#   pseudo queue; CE ends there; forged, old, broken and extreme messages; a peer that starts again
#
# LSCC (link-segmented congestion control) at a port to a long link: its messages to the other
# end, the messages that it believes, and the senders that get CNPs.
#
#	h1 ---- p1 [sw] p2 ==== h2, the other end of the long link
#
# Hosts are devices without addresses; frames (see frames.h) is what sends and
# receives, so that the other end may be anybody.
#
# The pseudo queue of the limit tests: 20 packets of 1000 bytes have 1082 wire bytes and
# come at once, the rate is 100 Mbit/s, 12.5 bytes a us. So the queue is at the reference
# of 10000 bytes with the tenth packet, and nearly at 20000 after the last.
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
[ "${1:-}" = inside ] || frames_enter

SETUP="port h1 h2 sw:p1 sw:p2
trace enqueue"
ENDS="lscc-self 169.254.0.1 lscc-peer 169.254.0.2"
LOAD="to=h2 count=20 size=1000 dscp=26"

# ports [P2-OPTION...]
ports() {
	frames_ports <<-PORTS
	sw:p1 rate 100gbit delay 1us switch auto buffer 64mb
	sw:p2 rate 10gbit delay 100us switch auto buffer 64mb $*
	PORTS
}

# on [OPTION...]: and no message comes in between
on() { ports "$ENDS lscc-min 1mbit lscc-period 1ms lscc-expiry 10ms $* prio 3 lossless on lscc on"; }

# of FILTER: figures of p2
of() { tc -n sw -s -j qdisc show dev p2 | jq -r ".[0] | $1"; }

# figures NAME... is VALUE...
figures() {
	local names=() have
	while [ "$1" != is ]; do
		names+=("(.lscc_$1 // 0)")
		shift
	done
	shift
	have=$(of "[$(IFS=,; echo "${names[*]}")] | join(\" \")")
	[ "$have" = "$*" ] || { echo "${names[*]}: $have, want $*"; return 1; }
}

# steps from stdin, after the setup
steps() {
	{ echo "$SETUP"; cat; } | frames_run >/run/log || { cat /run/log; return 1; }
}

# A message a period, by number, time and arrival; idle, so the first two rates are those of
# qref / T: 2000000 bytes in 200 us are 80 Gbit/s, and the line has 10.
tells() {
	ports "$ENDS lscc-step 100gbit prio 3 lossless on lscc on" || return
	steps <<-STEPS || return
	wait 5ms
	settle 100us
	check-feedback h2 from=1 to=2 period=200us least=20
	STEPS
	[ "$(of .lscc_unsent)" = 0 ] && figures heard refused cnps is 0 0 0
}

# limit OPTIONS DATA CNPS: the queue is long from the tenth packet on
limit() {
	on "lscc-pseudo 10000b $1" || return
	steps <<-STEPS || return
	feedback h2 seq=5 time=1 rate=100
	wait 10us
	data h1 $LOAD $2
	wait 1ms
	settle 100us
	check-direct h1 cnps=$3
	check-ect h2 packets=20
	STEPS
	figures heard cnps failed no_place is 1 "$3" 0 0 &&
		[ "$(of .lscc_queue_peak_bytes)" -gt 21000 ]
}

without_rate() {
	on "lscc-pseudo 1b" || return
	steps <<-STEPS || return
	data h1 $LOAD ecn=2
	wait 1ms
	settle 100us
	check-direct h1 cnps=0
	STEPS
	figures cnps queue_peak_bytes is 0 0
}

# CE from inside ends at the port, and has marked a flow that is long.
ce() {
	limit "lscc-interval 0 lscc-threshold 1b" "ecn=3$1" 11 && figures cleared is 20
}

# A long flow that nobody has marked; then a CNP of its receiver comes by the link: it marks
# all flows of the two hosts, and goes on to the sender.
receiver_cnp() {
	ports "$ENDS lscc-pseudo 10000b lscc-interval 0 lscc-threshold 1b lscc-min 1mbit" \
		"lscc-period 500ms prio 3 lossless on lscc on" || return
	steps <<-STEPS || return
	feedback h2 seq=5 time=1 rate=1
	wait 10us
	data h1 $LOAD ecn=2 flow=1
	wait 1ms
	cnp h2 flow=1
	data h1 $LOAD ecn=2 flow=2 vlan=7
	wait 1ms
	data h1 $LOAD ecn=2 flow=1
	wait 1ms
	settle 100us
	check-direct h1 cnps=40 others=1
	STEPS
	figures cnps marked is 40 1
}

# wrong NAME WORDS...: a message that is not believed, after one that is
wrong() {
	local name=$1 sum
	shift
	on || return
	steps <<-STEPS || return
	feedback h2 seq=5 time=1000 rate=300
	wait 10us
	feedback h2 rate=400 $*
	wait 10us
	settle 100us
	STEPS
	sum=$(of '[.lscc_refused, .lscc_late] | add')
	figures limit_bps heard is 300000000 1 || return
	[ "$name" = ignored ] && name=refused && [ "$sum" = 0 ] && return
	[ "$name" != ignored ] && [ "$sum" = 1 ] && figures "$name" is 1
}

strangers() {
	local a
	for a in "seq=6 time=1001 from=3" "seq=6 time=1001 to=3" "seq=6 time=1001 ttl=254" \
		"seq=6 time=1001 code=1" "seq=6 time=1001 flip=24" "seq=6 time=1001 flip=36" \
		"seq=6 time=1001 flip=39" "seq=6 time=1001 flip=57" "seq=6 time=1001 cut=57"; do
		wrong refused "$a" || { echo "$a"; return 1; }
	done
}

others() {
	local a
	for a in "seq=6 time=1001 mac=0" "seq=6 time=1001 flip=34"; do
		wrong ignored "$a" || { echo "$a"; return 1; }
	done
}

the_past() {
	local a
	for a in "seq=5 time=1000" "seq=5 time=2000" "seq=6 time=1000" "seq=4 time=2000" \
		"seq=6 time=999" "seq=2147483653 time=2000"; do
		wrong late "$a" || { echo "$a"; return 1; }
	done
}

# Rates of 0, of more than the line has, and as many Mbit/s as there can be.
bounds() {
	local r
	for r in "0 1000000" "20000 10000000000" "4294967295 10000000000"; do
		on || return
		echo "feedback h2 seq=1 time=1 rate=${r% *}
		wait 10us
		settle 100us" | steps || return
		figures limit_bps heard is "${r#* }" 1 || return
	done
}

# After ten silent periods anybody who is the peer is believed again.
expires() {
	on || return
	steps <<-STEPS || return
	feedback h2 seq=5 time=1000 rate=300
	wait 11ms
	feedback h2 seq=1 time=10 rate=200
	wait 10us
	settle 100us
	STEPS
	figures limit_bps heard late expired is 200000000 2 0 1
}

# On and off with packets on their way, in another priority, and off for good.
on_and_off() {
	on "lscc-pseudo 1b" || return
	steps <<-STEPS || return
	feedback h2 seq=5 time=1000 rate=1
	wait 10us
	data h1 $LOAD ecn=2
	run tc -n sw qdisc change dev p2 root roce prio 3 lscc off
	data h1 $LOAD ecn=2
	wait 3ms
	run tc -n sw qdisc change dev p2 root roce prio 3 lscc on
	wait 3ms
	run tc -n sw qdisc change dev p2 root roce prio 3 lscc off
	settle 1ms
	STEPS
	figures rate_bps limit_bps queue_bytes is 0 0 0
}

ktap_print_header
frames_fixed_switch 2 || ktap_exit_fail_msg "no network"
ktap_check "a message each T, to the nanosecond" tells
ktap_check "short flows are told from the tenth packet on" limit "lscc-interval 0" ecn=2 11
ktap_check "once an interval" limit "lscc-interval 1ms" ecn=2 1
ktap_check "IPv6" limit "lscc-interval 0" "ecn=2 v6" 11
ktap_check "long flows are not told" limit "lscc-interval 0 lscc-threshold 1b" ecn=2 0
ktap_check "without a rate nobody is told" without_rate
ktap_check "CE marks, and becomes ECT(0)" ce ""
ktap_check "CE, IPv6" ce " v6"
ktap_check "CE, behind a VLAN tag" ce " vlan=5"
ktap_check "CNP of a receiver marks the flows of its two hosts" receiver_cnp
ktap_check "messages of strangers, and broken ones" strangers
ktap_check "what is no message" others
ktap_check "messages of the past" the_past
ktap_check "rates of 0, and above the line" bounds
ktap_check "a peer that has been silent, and starts again" expires
ktap_check "on and off" on_and_off
ktap_finished
