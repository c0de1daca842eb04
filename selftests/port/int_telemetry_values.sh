#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: INT (in-band network telemetry): every value that ports stamp in a network of switches
#   against the ports' own trace, compact hops and the path's id too; remaining hops, MTU, other
#   paths
#
#	h1 --- p1             p1 [s2] p2              p1
#	           [s1] p3 ---            --- [s3] p2 --- h3
#	h2 --- p2       p4 --- p1 [s4] p2 --- p3
#
# Every link end is a roce port. Hosts are devices without addresses; frames
# (see frames.h) is what sends and receives.
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
[ "${1:-}" = inside ] || frames_enter

COUNT=${COUNT:-1000}
# What HPCC asks for
HPCC="int=0xc400 ds=0xe000 hops=8"
EVENTS="trace enqueue dequeue int pfc_tx"
# ifindex and MAC give s1 and the hosts their ids; the others are told.
IDS="ids s2:p1 node=0x51000002 port=201
ids s2:p2 node=0x51000002 port=202
ids s3:p1 node=0x51000003 port=301
ids s3:p2 node=0x51000003 port=302
ids s3:p3 node=0x51000003 port=303
ids s4:p1 node=4 port=65535
ids s4:p2 node=4 port=65534"
OPEN="port h1 h2 h3 s1:p1 s1:p2 s1:p3 s1:p4 s2:p1 s2:p2 s3:p1 s3:p2 s3:p3 s4:p1 s4:p2
$IDS"
RATES="rates=h1@100gbit,h2@100gbit,s1:p3@100gbit,s2:p2@50gbit,s3:p2@40gbit"
FAR="s2:p1>s2:p2,s3:p1>s3:p2"
PATHS="path 0 h1,s1:p1>s1:p3,$FAR
path 1 h2,s1:p2>s1:p3,$FAR"

topology() {
	local s p
	{
		for s in 1 2 3 4; do
			echo "netns add s$s"
			echo "s$s: link add name sw type bridge mcast_snooping 0"
			echo "s$s: link set sw mtu 9000 up"
		done
		echo "link add h1 type veth peer name p1 netns s1"
		echo "link add h2 type veth peer name p2 netns s1"
		echo "link add h3 type veth peer name p2 netns s3"
		echo "link add p3 netns s1 type veth peer name p1 netns s2"
		echo "link add p2 netns s2 type veth peer name p1 netns s3"
		echo "link add p4 netns s1 type veth peer name p1 netns s4"
		echo "link add p2 netns s4 type veth peer name p3 netns s3"
		for p in 1 2 3; do
			echo "link set h$p mtu 9000 address 02:00:00:00:0$p:00 up"
		done
		for p in s1:1 s1:2 s1:3 s1:4 s2:1 s2:2 s3:1 s3:2 s3:3 s4:1 s4:2; do
			s=${p%:*}
			echo "$s: link set p${p#*:} mtu 9000 address 02:00:00:ab:${s#s}0:0${p#*:} master sw"
		done
	} | frames_net
}

# Where the hosts are, and nothing else: no learning, no flooding; the switches
# are a ring. Then the ports come up.
forwarding() {
	local s p h
	for s in 1 2 3 4; do
		{
			for p in 1 2 3 4; do
				[ $p -le "$(ports_of $s)" ] &&
					echo "link set dev p$p learning off flood off mcast_flood off bcast_flood off"
			done
			for h in 1 2 3; do
				echo "fdb add 02:00:00:00:0$h:00 dev $(way $s $h) master static"
			done
		} | bridge -n s$s -batch - || return
	done
	for p in s1:1 s1:2 s1:3 s1:4 s2:1 s2:2 s3:1 s3:2 s3:3 s4:1 s4:2; do
		echo "${p%:*}: link set p${p#*:} up"
	done | frames_net
}

ports_of() { case $1 in 1) echo 4 ;; 3) echo 3 ;; *) echo 2 ;; esac; }

# way SWITCH HOST
way() {
	case $1$2 in
	11) echo p1 ;;
	12) echo p2 ;;
	13) echo p3 ;;
	33 | 23 | 43) echo p2 ;;
	*) echo p1 ;;
	esac
}

# ports [HOST-OPTION [SWITCH-OPTION [S2P2-OPTION]]]
ports() {
	frames_ports <<-PORTS
	h1 rate 100gbit delay 1us ${1:-}
	h2 rate 100gbit delay 1us ${1:-}
	h3 rate 40gbit delay 1us ${1:-}
	s1:p1 rate 100gbit delay 1us switch auto ${2:-}
	s1:p2 rate 100gbit delay 1us switch auto ${2:-}
	s1:p3 rate 100gbit delay 1us switch auto ${2:-}
	s1:p4 rate 100gbit delay 1us switch auto ${2:-}
	s2:p1 rate 100gbit delay 1us switch auto int-node 0x51000002 int-port 201 ${2:-}
	s2:p2 rate 50gbit delay 1us switch auto int-node 0x51000002 int-port 202 ${3:-} ${2:-}
	s3:p1 rate 50gbit delay 1us switch 7 int-node 0x51000003 int-port 301 ${2:-}
	s3:p2 rate 40gbit delay 1us switch 7 int-node 0x51000003 int-port 302 ${2:-}
	s3:p3 rate 100gbit delay 1us switch 7 int-node 0x51000003 int-port 303 ${2:-}
	s4:p1 rate 100gbit delay 1us switch auto int-node 4 int-port 65535 ${2:-}
	s4:p2 rate 100gbit delay 1us switch auto int-node 4 int-port 65534 ${2:-}
	PORTS
}

# Two senders at a time: queues at every port from s1 on.
incast() {
	ports || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1,h2 to=h3 count=$COUNT size=256-4096 $HPCC
	settle
	$PATHS
	check-int h3 $RATES queued=$COUNT
	STEPS
}

ipv6() {
	ports || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1,h2 to=h3 count=$COUNT size=64-2048 v6 $HPCC
	settle
	$PATHS
	check-int h3 $RATES queued=$COUNT
	STEPS
}

# instructions BITMAP DS [KEY=VALUE]...
instructions() {
	local int=$1 ds=$2
	shift 2
	ports || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1,h2 to=h3 count=200 size=1024 int=$int ds=$ds hops=255 $*
	settle
	$PATHS
	check-int h3 $RATES
	STEPS
}

# Two senders and compact hops: queues at every port.
compact() {
	ports || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1,h2 to=h3 count=$COUNT size=256-4096 int=0 ds=0x1000 hops=8
	settle
	$PATHS
	check-int h3 $RATES queued=$COUNT
	STEPS
}

# RCC's single hop: the first port takes it, the next sets E.
remaining() {
	ports || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1 flow=0 to=h3 count=200 int=0xc400 ds=0xe000 hops=0
	data h1 flow=1 to=h3 count=200 int=0x0400 hops=1
	data h1 flow=2 to=h3 count=200 v6 int=0xc400 ds=0xe000 hops=3
	data h1 flow=3 to=h3 count=200 int=0xc400 ds=0xe000 hops=4
	settle
	path 0 - flags=E
	path 1 h1 flags=E
	path 2 h1,s1:p1>s1:p3,s2:p1>s2:p2 flags=E
	path 3 h1,s1:p1>s1:p3,$FAR
	check-int h3
	STEPS
}

# 1024 bytes are 1084 in IPv4 with an empty stack: two hops of 32 fit into
# 1150, at s2 a third does not; in IPv6 (20 more) not even the second.
mtu() {
	ip -n s2 link set p2 mtu 1150 && ports || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1 flow=0 to=h3 count=200 $HPCC
	data h1 flow=1 to=h3 count=200 v6 size=960 $HPCC
	settle
	path 0 h1,s1:p1>s1:p3,s3:p1>s3:p2 flags=M
	path 1 h1,s1:p1>s1:p3,$FAR
	check-int h3
	STEPS
}

silent_port() {
	ports "" "" "int off" || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1,h2 to=h3 count=500 $HPCC
	settle
	path 0 h1,s1:p1>s1:p3,s3:p1>s3:p2
	path 1 h2,s1:p2>s1:p3,s3:p1>s3:p2
	check-int h3
	STEPS
}

# s1 sends through s4 from one packet to the next.
rerouted() {
	ports || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1 flow=0 to=h3 count=500 $HPCC
	settle
	run bridge -n s1 fdb replace 02:00:00:00:03:00 dev p4 master static
	data h1 flow=1 to=h3 count=500 $HPCC
	settle
	run bridge -n s1 fdb replace 02:00:00:00:03:00 dev p3 master static
	path 0 h1,s1:p1>s1:p3,$FAR
	path 1 h1,s1:p1>s1:p4,s4:p1>s4:p2,s3:p3>s3:p2
	check-int h3
	STEPS
}

# With PFC, both ways: txBytes then counts the ports' own PFC frames too.
with_pfc() {
	ports "prio 3 lossless on" \
		"buffer 4mb pfc-quanta 500 prio 3 lossless on xoff 100kb xon 80kb ecn dequeue kmin 40kb kmax 160kb" || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1,h2 to=h3 count=$COUNT size=256-4096 $HPCC
	data h3 flow=2 to=h1 count=$COUNT size=64-2048 $HPCC
	settle
	$PATHS
	path 2 h3,s3:p2>s3:p1,s2:p2>s2:p1,s1:p3>s1:p1
	check-int h3,h1 $RATES,h3@40gbit,s3:p1@50gbit,s2:p1@100gbit,s1:p1@100gbit queued=$COUNT
	check-count s1:p1 pfc_tx min=10
	STEPS
}

untouched() {
	ports || return
	frames_run <<-STEPS
	$OPEN
	$EVENTS
	data h1 flow=0 to=h3 count=300 size=64-4096 dscp=26
	data h1 flow=1 to=h3 count=300 size=64-4096 dscp=28 v6
	data h1 flow=2 to=h3 count=300 size=64-4096 dscp=0 vlan=9
	settle
	check-same h3
	check-count s1:p3 int max=0
	STEPS
}

ktap_print_header
topology && forwarding || ktap_exit_fail_msg "no network"
ktap_check "two senders, every stamp is the trace's" incast
ktap_check "IPv6" ipv6
ktap_check "two senders, compact hops" compact
ktap_check "every standard instruction" instructions 0xff81 0xe000
ktap_check "the egress time alone" instructions 0x0400 0
ktap_check "compact hops, the path's id" instructions 0 0x1000
ktap_check "compact hops over IPv6, a domain that is not the ports'" \
	instructions 0 0x1000 v6 domain=0x1234
ktap_check "compact hops among others" instructions 0xc400 0xf000
ktap_check "behind a VLAN tag" instructions 0xfc00 0xa000 vlan=5
ktap_check "another domain gets ones" instructions 0xc400 0xe000 domain=0x1234
ktap_check "remaining hops, E" remaining
ktap_check "a port without INT" silent_port
ktap_check "the path changes" rerouted
ktap_check "with PFC, ECN, and traffic both ways" with_pfc
ktap_check "other packets are not touched" untouched
ktap_check "MTU, M" mtu
ktap_finished
