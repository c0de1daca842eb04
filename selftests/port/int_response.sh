#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: INT responses, telemetry that a switch with a long queue sends straight back to the
#   sender: each byte and nanosecond against a model; bridged, routed over two paths; no way back;
#   everything taken away
#
#	h1 ---- p1 [sw] p3 ---- h3	h4 ---- p1 [r1] u1 -- d1 [s1] d2 -- u1 [r2]
#	h2 ---- p2 [sw]			h5 ---- p2 [r1] u2 -- d1 [s2] d2 -- u2 [r2]
#								    [r2] p3 ---- h6
#
# Hosts are devices without addresses; frames (see frames.h) is what sends and
# receives. The port in front of h3 or h6 is the bottleneck.
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
[ "${1:-}" = inside ] || frames_enter

COUNT=${COUNT:-400}
HPCC="int=0xc400 ds=0xe000 hops=8"
# twice 1.1 KB in 300 ns are 60 Gbit/s
LOAD="count=$COUNT size=64-2048 gap=300ns"

# bridge_ports [P3-OPTION...]
bridge_ports() {
	frames_ports <<-PORTS
	sw:p1 rate 100gbit delay 1us switch auto
	sw:p2 rate 100gbit delay 1us switch auto
	sw:p3 rate 40gbit delay 1us switch auto $*
	PORTS
}

BRIDGE="port h1 h2 h3 sw:p1 sw:p2 sw:p3
trace enqueue dequeue pfc_tx"
BRIDGE_PATHS="path 0 sw:p1>sw:p3
path 1 sw:p2>sw:p3"

# counter NETNS DEV NAME
counter() { tc -n "$1" -s -j qdisc show dev "$2" | jq ".[0].int_response_$3"; }

# counters NETNS DEV LOG: the port has counted what the model has
counters() {
	local want have
	want=$(sed -n 's/.* responses=\([0-9]*\) damped=\([0-9]*\)/\1 \2/p' "$3")
	have="$(counter "$1" "$2" sent) $(counter "$1" "$2" damped)"
	[ "$want" = "$have" ] || { echo "sent and damped: $have, the model says $want"; return 1; }
	[ "$(counter "$1" "$2" failed)" = 0 ] || { echo "some have failed"; return 1; }
}

# at_least N LOG: so many responses, or the test shows little
at_least() {
	local n
	n=$(sed -n 's/.* responses=\([0-9]*\).*/\1/p' "$2")
	[ "$n" -ge "$1" ] || { echo "only $n responses, want $1"; return 1; }
}

# bridged MIN-RESPONSES P3-OPTIONS CHECK-OPTIONS [DATA-OPTIONS]
bridged() {
	bridge_ports "$2" || return
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$BRIDGE
	data h1,h2 to=h3 $LOAD ${4:-$HPCC}
	settle
	$BRIDGE_PATHS
	check-response sw:p3 at=h3 rate=40gbit back-rate=100gbit back-delay=1us $3
	STEPS
	cat /run/log
	counters sw p3 /run/log && at_least "$1" /run/log
}

# Two flows of one host are damped each by itself.
two_flows() {
	bridge_ports "int-response-interval 5us prio 3 int-response 10kb" || return
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$BRIDGE
	data h1,h1,h2 to=h3 $LOAD $HPCC
	settle
	path 0 sw:p1>sw:p3
	path 1 sw:p1>sw:p3
	path 2 sw:p2>sw:p3
	check-response sw:p3 at=h3 rate=40gbit back-rate=100gbit back-delay=1us threshold=10kb interval=5us
	STEPS
	cat /run/log
	counters sw p3 /run/log && at_least 30 /run/log
}

# The switch's own pauses are among what its ports have sent.
with_pfc() {
	local all="delay 1us switch auto buffer 4mb" pfc="prio 3 lossless on xoff 60kb xon 40kb"
	frames_ports <<-PORTS || return
	sw:p1 rate 100gbit $all $pfc
	sw:p2 rate 100gbit $all $pfc
	sw:p3 rate 40gbit $all $pfc int-response 30kb
	h1 rate 100gbit delay 1us prio 3 lossless on int off
	h2 rate 100gbit delay 1us prio 3 lossless on int off
	PORTS
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$BRIDGE
	data h1,h2 to=h3 $LOAD $HPCC
	settle
	$BRIDGE_PATHS
	check-response sw:p3 at=h3 rate=40gbit threshold=30kb
	check-count sw:p1 pfc_tx min=2
	STEPS
	cat /run/log
	counters sw p3 /run/log && at_least 10 /run/log
}

# Turned on and off while packets come: none before and after.
on_and_off() {
	bridge_ports || return
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$BRIDGE
	data h1,h2 to=h3 $LOAD $HPCC
	settle
	run tc -n sw qdisc change dev p3 root roce int-response-interval 2us prio 3 int-response 1b
	run tc -n sw qdisc change dev p3 root roce prio 3 int-response off
	data h1,h2 to=h3 $LOAD $HPCC
	settle
	$BRIDGE_PATHS
	check-response sw:p3 at=h3 rate=40gbit
	STEPS
	cat /run/log
	counters sw p3 /run/log
}

# Hosts of the routed network, by interface index: their addresses.
index() { cat "/sys/class/net/$1/ifindex"; }

# in_netns NETNS COMMAND...
in_netns() {
	local ns=$1
	shift
	nsenter --net="/run/netns/$ns" "$@"
}

# routes NETNS HOST DEV[/MAC] [DEV/MAC]: by one device, or by two equal ones
routes() {
	local i
	i=$(index "$2")
	echo "$1: route add 10.0.0.$i/32$(hops 169.254.9. "${@:3}")"
	echo "$1: route add fd00::$(printf %x "$i")/128$(hops fe80:: "${@:3}")"
}
hops() {
	local net=$1 n=0 hop
	shift
	for hop; do
		n=$((n + 1))
		[ $# -eq 1 ] || echo -n " nexthop"
		echo -n " via ${net}$((16#${hop: -2})) dev ${hop%/*} onlink"
	done
}

# neighbour NETNS DEV MAC: the last byte of the MAC address is that of the IP's
neighbour() {
	local n=$((16#${3: -2}))
	echo "$1: neigh add 169.254.9.$n lladdr $3 dev $2 nud permanent"
	echo "$1: neigh add fe80::$n lladdr $3 dev $2 nud permanent"
}

router_network() {
	local r h
	{
		for r in r1 s1 s2 r2; do
			echo "netns add $r"
			echo "$r: link set lo up"	# gateways are looked up in a table that it makes
		done
		echo "link add h4 type veth peer name p1 netns r1"
		echo "link add h5 type veth peer name p2 netns r1"
		echo "link add h6 type veth peer name p3 netns r2"
		for r in 1 2; do
			echo "link add u$r netns r1 type veth peer name d1 netns s$r"
			echo "link add d2 netns s$r type veth peer name u$r netns r2"
		done
		for h in 4 5 6; do
			echo "link set h$h mtu 9000 address 02:00:00:00:00:0$h up"
		done
	} | frames_net || return
	for r in r1 s1 s2 r2; do
		in_netns $r sh -c 'cd /proc/sys/net && echo 1 >ipv4/ip_forward &&
			echo 0 >ipv6/conf/all/disable_ipv6 && echo 0 >ipv6/conf/default/accept_dad &&
			echo 1 >ipv6/conf/all/forwarding && echo 1 >ipv4/fib_multipath_hash_policy &&
			echo 7 >ipv4/fib_multipath_hash_seed &&
			echo 1 >ipv6/fib_multipath_hash_policy' || return
	done
	{
		set_port r1 p1 11
		set_port r1 p2 12
		set_port r1 u1 13
		set_port r1 u2 14
		set_port s1 d1 15
		set_port s1 d2 16
		set_port s2 d1 17
		set_port s2 d2 18
		set_port r2 u1 19
		set_port r2 u2 1a
		set_port r2 p3 1b
	} | frames_net || return
	{
		neighbour r1 p1 02:00:00:00:00:04
		neighbour r1 p2 02:00:00:00:00:05
		neighbour r2 p3 02:00:00:00:00:06
		neighbour r1 u1 02:00:00:ab:00:15
		neighbour r1 u2 02:00:00:ab:00:17
		neighbour r2 u1 02:00:00:ab:00:16
		neighbour r2 u2 02:00:00:ab:00:18
		neighbour s1 d1 02:00:00:ab:00:13
		neighbour s1 d2 02:00:00:ab:00:19
		neighbour s2 d1 02:00:00:ab:00:14
		neighbour s2 d2 02:00:00:ab:00:1a
		routes r1 h4 p1/04
		routes r1 h5 p2/05
		routes r1 h6 u1/15 u2/17
		for h in h4 h5; do
			routes s1 $h d1/13
			routes s2 $h d1/14
			routes r2 $h u1/16 u2/18
		done
		routes s1 h6 d2/19
		routes s2 h6 d2/1a
		routes r2 h6 p3/06
	} | frames_net
}
set_port() { echo "$1: link set $2 mtu 9000 address 02:00:00:ab:00:$3 up"; }

# The two ways have the same ids: the model need not know which a flow takes.
# router_ports R2-P3-OPTION...
router_ports() {
	local p
	for p in r1:p1 r1:p2 r1:u1 r1:u2 s1:d1 s1:d2 s2:d1 s2:d2; do
		echo "$p rate 100gbit delay 1us switch auto"
	done | frames_ports || return
	frames_ports <<-PORTS
	r2:u1 rate 100gbit delay 1us switch auto int-port 77
	r2:u2 rate 100gbit delay 1us switch auto int-port 77
	r2:p3 rate 40gbit delay 1us switch auto int-node 5 int-port 6 $*
	PORTS
}

ROUTERS="port h4 h5 h6 r1:p1 r1:p2 r1:u1 s1:d1 s1:d2 r2:u1 r2:p3
ids r2:u1 port=77
ids r2:p3 node=5 port=6
trace enqueue dequeue pfc_tx"
FAR="s1:d1>s1:d2,r2:u1>r2:p3"

# routed [DATA-OPTION]...: eight flows of one sender
routed() {
	local f
	router_ports "int-response-interval 4us prio 3 int-response 10kb" || return
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$ROUTERS
	data h4,h4,h4,h4,h4,h4,h4,h4 flow=0 to=h6 via=r1:p1 count=$COUNT size=256 gap=300ns $HPCC $*
	settle
	$(for f in 0 1 2 3 4 5 6 7; do echo "path $f r1:p1>r1:u1,$FAR"; done)
	check-response r2:p3 at=h6 rate=40gbit routed threshold=10kb interval=4us
	STEPS
	cat /run/log
	counters r2 p3 /run/log && at_least 40 /run/log
	[ "$(tx r2 u1)" -gt 0 ] && [ "$(tx r2 u2)" -gt 0 ] ||
		{ echo "back by u1: $(tx r2 u1), by u2: $(tx r2 u2)"; return 1; }
}
tx() { tc -n "$1" -s -j qdisc show dev "$2" | jq '.[0].prios[] | select(.prio == 6).tx_packets'; }

# At the first router: back by the port that the sender is at.
first_hop() {
	router_ports || return
	frames_ports <<-PORTS || return
	r1:u1 rate 10gbit delay 1us switch auto int-node 5 int-port 8 prio 3 int-response 10kb
	r1:u2 rate 10gbit delay 1us switch auto int-node 5 int-port 8 prio 3 int-response 10kb
	PORTS
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$ROUTERS
	ids r1:u1 node=5 port=8
	data h4 to=h6 via=r1:p1 count=$COUNT size=512 gap=300ns $HPCC
	settle
	STEPS
	[ $(($(counter r1 u1 sent) + $(counter r1 u2 sent))) -ge 10 ] &&
		[ "$(tx r1 p1)" = $(($(counter r1 u1 sent) + $(counter r1 u2 sent))) ] ||
		{ echo "u1 sent $(counter r1 u1 sent), u2 $(counter r1 u2 sent), p1 $(tx r1 p1)"; return 1; }
}

# Whoever asks the routing for the way of an answer gives it back. IPv6 makes a destination
# of each route that is used; of 100 routes, one after the other, 100 would stay for ever.
# Freed ones stay in slabs that are kept for the next: half of that is too much.
given_back() {
	local before n i
	router_ports "int-response-interval 0 prio 3 int-response 1b" || return
	before=$(destinations)
	{
		echo "port h4 h6 r1:p1"
		for ((i = 0; i < 100; i++)); do
			echo "data h4 to=h6 via=r1:p1 count=4 size=1024 gap=100ns v6 $HPCC"
			echo settle
			echo "run ip -n r2 -6 route del fd00::$(printf %x "$(index h4)")"
			routes r2 h4 u1/16 u2/18 | sed -n 's/^r2: \(.* fd00.*\)/run ip -n r2 \1/p'
		done
	} >/run/steps
	frames_run </run/steps >/run/log || { cat /run/log; return 1; }
	n=$(($(destinations) - before))
	echo "$(counter r2 p3 sent) answers, $n more destinations"
	[ "$(counter r2 p3 sent)" -ge 100 ] && [ "$n" -lt 50 ]
}
destinations() { awk '$1 == "ip6_dst_cache" { print $3 }' /proc/slabinfo; }

# no_way IP-COMMAND...: no answer, but each that was due is counted
no_way() {
	router_ports "int-response-interval 4us prio 3 int-response 10kb" || return
	printf '%s\n' "$@" | ip -n r2 -batch - || return
	frames_run >/run/log <<-STEPS || { cat /run/log; return 1; }
	$ROUTERS
	data h4 to=h6 via=r1:p1 count=$COUNT size=2048 gap=300ns $HPCC
	settle
	path 0 r1:p1>r1:u1,$FAR
	check-response r2:p3 at=h6 rate=40gbit routed
	STEPS
	[ "$(counter r2 p3 sent)" = 0 ] && [ "$(counter r2 p3 failed)" -ge 10 ] ||
		{ echo "sent $(counter r2 p3 sent), failed $(counter r2 p3 failed)"; return 1; }
}

# step_away N: what happens in between
step_away() {
	case $1 in
	0) echo "run tc -n r2 qdisc del dev u1 root" ;;
	1) echo "run ip -n r2 neigh del 169.254.9.24 dev u2" ;;
	2) echo "run ip -n r2 link set u2 down" ;;
	3) echo "run tc -n r2 qdisc replace dev u1 root roce rate 10gbit switch auto" ;;
	4) echo "run ip -n r2 route flush table main" ;;
	5) echo "run ip -n r2 link set u2 up" ;;
	6) echo "run tc -n r2 qdisc replace dev u2 root pfifo" ;;
	7) echo "run tc -n r2 qdisc change dev p3 root roce prio 3 int-response off" ;;
	8) echo "run tc -n r2 qdisc change dev p3 root roce prio 3 int-response 1b" ;;
	9)
		echo "run ip -n r2 neigh replace 169.254.9.24 lladdr 02:00:00:ab:00:18 dev u2 nud permanent"
		echo "run tc -n r2 qdisc replace dev u2 root roce rate 10gbit switch auto"
		{ routes r2 h4 u1/16 u2/18; routes r2 h6 p3/06; } | sed 's/^r2: */run ip -n r2 /'
		;;
	esac
}

# Ports, neighbours, routes, links and at last the routers go while packets and
# reports are on their way: a report is lost or counted, and the module can go.
taken_away() {
	local i
	router_ports "int-response-interval 0 prio 3 int-response 1b" || return
	{
		echo "port h4 h6 r1:p1"
		for ((i = 0; i < 40; i++)); do
			echo "data h4 flow=$((i % 8)) to=h6 via=r1:p1 count=100 size=1024 $HPCC"
			echo "data h4 flow=$((i % 8 + 8)) to=h6 via=r1:p1 count=100 size=1024 v6 $HPCC"
			echo "wait 5us"
			step_away $((i % 10))
		done
		echo "run tc -n r2 -s -j qdisc show dev p3 >/run/away"
		for i in r2 s1 r1 s2; do
			echo "data h4 to=h6 via=r1:p1 count=100 size=1024 $HPCC"
			echo "wait 5us"
			echo "run ip netns del $i"
		done
	} | sed '/^run.*away$/!{/^run/s/$/ 2>\/dev\/null || true/}' >/run/steps
	# it ends when its device does
	"$FRAMES" /run/steps >/run/log 2>&1
	[ "$(jq '.[0] | .int_response_sent > 100 and .int_response_failed > 100' /run/away)" = true ] ||
		{ cat /run/away /run/log; return 1; }
	for i in r2 s1 r1 s2 sw; do
		ip netns del $i 2>/dev/null
	done
	for i in $(seq 100); do
		! grep -q '^sch_roce [0-9]* 0 ' /proc/modules || break
		sleep 0.05
	done
	rmmod sch_roce
}

ktap_print_header
frames_fixed_switch 3 || ktap_exit_fail_msg "no network"
ktap_check "each response at its nanosecond, damped" \
	bridged 10 "prio 3 int-response 20kb" "threshold=20kb"
ktap_check "interval of 1 us" bridged 80 \
	"int-response-interval 1us prio 3 int-response 1b" "threshold=1 interval=1us"
ktap_check "no interval: for every packet" bridged 400 \
	"int-response-interval 0 prio 3 int-response 30kb" "threshold=30kb interval=0"
ktap_check "IPv6" bridged 10 "prio 3 int-response 20kb" "threshold=20kb" "v6 $HPCC"
ktap_check "behind a VLAN tag" bridged 10 "prio 3 int-response 20kb" \
	"threshold=20kb" "vlan=5 $HPCC"
ktap_check "two flows of one sender" two_flows
ktap_check "with PFC" with_pfc
ktap_check "off: none" bridged 0 "" ""
ktap_check "on and off again: none" on_and_off
ktap_check "above the queue there is: none" bridged 0 "prio 3 int-response 30mb" ""
ktap_check "another priority: none" bridged 0 "prio 2 int-response 1b" ""
ktap_check "packets without INT: none" bridged 0 "prio 3 int-response 1b" "threshold=1" "dscp=26"
ktap_check "RCC's instructions: none" bridged 0 "prio 3 int-response 1b" \
	"threshold=1" "int=0x0400 ds=0 hops=1"
ktap_check "another domain: none" bridged 0 "prio 3 int-response 1b" \
	"threshold=1" "$HPCC domain=0x1234"
router_network || ktap_exit_fail_msg "no routers"
ktap_check "routed, over two paths" routed
ktap_check "routed, IPv6" routed v6
ktap_check "no route is kept" given_back
ktap_check "at the first router" first_hop
ktap_check "no neighbour" no_way "neigh del 169.254.9.22 dev u1" "neigh del 169.254.9.24 dev u2"
ktap_check "no route" no_way "route del 10.0.0.$(index h4)"
ktap_check "a route by something else" no_way "link add d0 type dummy" "link set d0 up" \
	"neigh add 169.254.9.9 lladdr 02:00:00:00:00:99 dev d0 nud permanent" \
	"route add 10.0.0.$(index h4)/32 via 169.254.9.9 dev d0 onlink"
ktap_check "taken away under load" taken_away
ktap_finished
