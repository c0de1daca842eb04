#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: each congestion notification packet (CNP) of a switch that runs Mercury, byte for byte and
#   to the nanosecond, against a model of flows, windows and pauses; on and off under load
#
#	h1 ---- p1 [sw] p3 ---- h3
#	h2 ---- p2 [sw]
#
# Hosts are devices without addresses; frames (see frames.h) is what sends and
# receives. The port in front of h3 is the bottleneck.
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
[ "${1:-}" = inside ] || frames_enter

COUNT=${COUNT:-400}
# twice 1.1 KB in 300 ns are 60 Gbit/s
LOAD="count=$COUNT size=64-2048 gap=300ns"
SETUP="port h1 h2 h3 sw:p1 sw:p2 sw:p3
trace enqueue dequeue pause"
BACK="back-rate=100gbit back-delay=1us"

# ports [P3-OPTION...]
ports() {
	frames_ports <<-PORTS
	sw:p1 rate 100gbit delay 1us switch auto
	sw:p2 rate 100gbit delay 1us switch auto
	sw:p3 rate 40gbit delay 1us switch auto $*
	PORTS
}

# of FILTER: figures of p3
of() { tc -n sw -s -j qdisc show dev p3 | jq -r ".[0] | $1"; }
PRIO3='.prios[] | select(.prio == 3)'

# counters LOG: the port has counted what the model has, and no flow is left
counters() {
	local want have
	want=$(sed -n 's/^sw:p3 cnps=//p' "$1" | head -n 1 | tr -cs '0-9\n' ' ')
	have="$(of .mercury_cnps) $(of .mercury_damped) $(of "$PRIO3"' |
		[.mercury_entered, .mercury_congested, .mercury_spared] | join(" ")')"
	[ "$want" = "$have" ] ||
		{ echo "cnps, damped, entered, congested, spared: $have, the model says $want"; return 1; }
	have=$(of '[.mercury_flows, .mercury_failed, .mercury_no_place] | join(" ")')
	[ "$have" = "0 0 0" ] || { echo "flows left, failed, no place: $have"; return 1; }
}

# at_least N NAME: so many, or the test shows little
at_least() {
	local n
	n=$(sed -n "s/^sw:p3 .*$2=\([0-9]*\).*/\1/p" /run/log)
	[ "$n" -ge "$1" ] || { echo "only $n $2, want $1"; return 1; }
}

# bridged MIN-CNPS P3-OPTIONS CHECK-OPTIONS [DATA-OPTIONS]
bridged() {
	ports "$2" || return
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$SETUP
	data h1,h2 to=h3 $LOAD ${4:-dscp=26}
	settle
	check-mercury sw:p3 at=h3 rate=40gbit $BACK $3
	STEPS
	cat /run/log
	counters /run/log && at_least "$1" cnps
}

# Three queue pairs of h1 are one flow: one CNP an interval, and one share.
one_pair() {
	ports "mercury-interval 5us prio 3 mercury 10kb" || return
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$SETUP
	data h1,h1,h1,h2 to=h3 $LOAD
	settle
	check-mercury sw:p3 at=h3 rate=40gbit $BACK threshold=10kb interval=5us
	STEPS
	cat /run/log
	counters /run/log && at_least 30 cnps
}

# The host pauses the port, again and again: repeated pauses, short and long ones, some
# that run out (100 quanta are 1280 ns), under more and less than the line carries.
paused() {
	local i load
	ports "mercury-period $1 mercury-interval 1us prio 3 lossless on xoff 4mb mercury 20kb" || return
	{
		echo "$SETUP"
		for i in $(seq 60); do
			load="count=$((i * 7 % 20 + 5)) size=64-2048 gap=$((i * 137 % 500 + 100))ns"
			echo "pfc h3 enable=8 quanta=$((i % 3 ? 65535 : i * 40))"
			echo "data h1,h2 to=h3 $load"
			[ $((i % 4)) -ne 0 ] || echo "pfc h3 enable=8 quanta=65535"
			echo "data h1 to=h3 count=$((i % 5)) size=512 gap=200ns"
			echo "pfc h3 enable=8 quanta=0"
			echo "data h2,h1 flow=3 to=h3 $load"
			[ $((i % 6)) -ne 0 ] || echo "wait 20us"
		done
		echo "settle"
		echo "check-mercury sw:p3 at=h3 rate=40gbit $BACK threshold=20kb period=$1 interval=1us"
	} | frames_run >/run/log || { cat /run/log; return 1; }
	cat /run/log
	counters /run/log && at_least 20 cnps && at_least 20 entered && at_least 100 spared &&
		[ "$(of "$PRIO3 | .mercury_undetermined")" = 0 ]
}

# The host pauses the port, again and again, and never lets it go on; meanwhile the line
# becomes slower and faster. The pause runs out, and nothing is left.
never_resumed() {
	ports "mercury-interval 1us prio 3 lossless on xoff 4mb mercury 20kb" || return
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$SETUP
	data h1,h2 to=h3 $LOAD
	pfc h3 enable=8 quanta=65535
	data h1,h2 flow=3 to=h3 $LOAD
	run tc -n sw qdisc change dev p3 root roce rate 1gbit
	pfc h3 enable=8 quanta=65535
	data h1,h2 flow=5 to=h3 $LOAD
	run tc -n sw qdisc change dev p3 root roce rate 100gbit
	pfc h3 enable=8 quanta=65535
	settle
	STEPS
	[ "$(of '[.mercury_flows, .mercury_failed, .mercury_no_place] | join(" ")')" = "0 0 0" ] &&
		[ "$(of "$PRIO3"' | .mercury_entered >= 1 and .mercury_spared >= 1 and
			.mercury_congested >= 1 and .mercury_undetermined == 0')" = true ] ||
		{ of .; return 1; }
}

# Mercury takes the place of marks, unless it is told not to.
marks() {
	local ecn="prio 3 ecn enqueue kmin 20kb kmax 40kb mercury auto" plain
	bridged 10 "prio 3 ecn enqueue kmin 20kb kmax 40kb mercury auto" threshold=20kb "dscp=26 ecn=2" ||
		return
	[ "$(of "$PRIO3 | .ecn_marked")" = 0 ] || { echo "marks"; return 1; }
	bridged 10 "mercury-ecn on $ecn" threshold=20kb "dscp=26 ecn=2" || return
	plain=$(of "$PRIO3 | .ecn_marked")
	[ "$plain" -gt 50 ] || { echo "$plain marks with mercury-ecn on"; return 1; }
}

# vlan HOSTS RECEIVER SENT WANT: a bridge that filters VLANs, where the hosts that send and the
# one that receives have VLAN 5 tagged or untagged; data with the tag SENT, CNPs with WANT
vlan() {
	local p opt rc=0
	ports "prio 3 mercury 20kb" && ip -n sw link set sw type bridge vlan_filtering 1 || return
	for p in 1 2 3; do
		opt=$1
		[ $p -ne 3 ] || opt=$2
		echo "vlan del dev p$p vid 1"
		echo "vlan add dev p$p vid 5 ${opt#tagged}"
		echo "fdb replace 02:00:00:00:0$p:00 dev p$p vlan 5 master static"
	done | bridge -n sw -batch - || return
	frames_run >/run/log <<-STEPS || rc=1
	$SETUP
	data h1,h2 to=h3 $LOAD vlan=$3
	settle
	check-cnps h1 vlan=$4 least=5
	check-cnps h2 vlan=$4 least=5
	STEPS
	[ "$(of '.mercury_failed')" = 0 ] || rc=1
	for p in 1 2 3; do
		echo "fdb del 02:00:00:00:0$p:00 dev p$p vlan 5 master"
		echo "vlan del dev p$p vid 5"
		echo "vlan add dev p$p vid 1 pvid untagged"
	done | bridge -n sw -batch -
	ip -n sw link set sw type bridge vlan_filtering 0
	[ $rc = 0 ] || cat /run/log
	return $rc
}

# On, off and on again while packets wait.
on_and_off() {
	ports || return
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$SETUP
	data h1,h2 to=h3 $LOAD
	run tc -n sw qdisc change dev p3 root roce prio 3 mercury 1b
	run tc -n sw qdisc change dev p3 root roce prio 3 mercury off
	data h1,h2 to=h3 $LOAD
	run tc -n sw qdisc change dev p3 root roce prio 3 mercury auto
	settle
	STEPS
	[ "$(of '[.mercury_cnps, .mercury_flows] | join(" ")')" = "0 0" ] || { of .; return 1; }
}

ktap_print_header
frames_fixed_switch 3 || ktap_exit_fail_msg "no network"
ktap_check "each CNP at its nanosecond, damped" \
	bridged 10 "prio 3 mercury 20kb" "threshold=20kb"
ktap_check "interval of 1 ns: for every packet" bridged 400 \
	"mercury-interval 1ns prio 3 mercury 30kb" "threshold=30kb interval=1ns"
ktap_check "another round trip" bridged 10 \
	"mercury-rtt 3456ns prio 3 mercury 20kb" "threshold=20kb rtt=3456ns"
ktap_check "IPv6" bridged 10 "prio 3 mercury 20kb" "threshold=20kb" "v6"
ktap_check "behind a VLAN tag" bridged 10 "prio 3 mercury 20kb" "threshold=20kb" "vlan=5"
while read -r name hosts receiver sent want; do
	hosts=${hosts//+/ } receiver=${receiver//+/ }
	ktap_check "VLANs: ${name//_/ }" vlan "$hosts" "$receiver" "$sent" "$want"
done <<'ROWS'
tagged_senders,_untagged_receiver tagged pvid+untagged 5 5
untagged_senders,_tagged_receiver pvid+untagged tagged 0 0
all_are_tagged tagged tagged 5 5
nobody_is_tagged pvid+untagged pvid+untagged 0 0
ROWS
ktap_check "packets with INT" bridged 10 "prio 3 mercury 20kb" "threshold=20kb" \
	"int=0xc400 ds=0xe000 hops=8"
ktap_check "three queue pairs of a host are one flow" one_pair
ktap_check "paused by the host, T = 10 us" paused 10us
ktap_check "paused by the host, T = 1 us" paused 1us
ktap_check "paused by the host, T = 0" paused 0
ktap_check "paused and never resumed, at other speeds" never_resumed
ktap_check "no marks, unless they are wanted" marks
ktap_check "above the queue there is: none" bridged 0 "prio 3 mercury 30mb" "threshold=30mb"
ktap_check "another priority: none" bridged 0 "prio 2 mercury 1b" "threshold=30mb"
ktap_check "on and off" on_and_off
ktap_finished
