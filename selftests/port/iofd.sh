#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: IOFD (in-order flow deflection, Dart's half in the switch) at a router by real packets:
#   who is deflected, to whose address, ports that go, what is refused
#
# IOFD at a router, by real packets: which leave by another port, to whose address, and
# when that port has gone.
#
#	hosts ---- in [router] far ---- far	where packets are routed
#			       up1 ---- up1	leads up
#			       up2 ---- up2	leads up
#
# far sends 1 Mbit/s: a packet of 1000 bytes takes 8 ms, and what is sent at once waits.
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
[ "${1:-}" = inside ] || frames_enter

PAYLOAD=$(printf '\\x01%.0s' {1..900})

# of PORT FILTER: figures of a port of the router
of() { tc -n router -s -j qdisc show dev "$1" | jq -r ".[0] | $2"; }
exactly() { [ "$1" = "$2" ] || { echo "$1, want $2"; return 1; }; }
counts() { of far '[.iofd_flows, .iofd_packets, .iofd_no_port, .iofd_lost_port] | map(. // 0) | join(" ")'; }
taken() { echo "$(of up1 '.iofd_taken // 0') $(of up2 '.iofd_taken // 0')"; }

net() {
	local n
	ip netns add router
	for n in in far up1 up2; do
		ip netns add $n
		ip link add $n mtu 1500 netns router type veth peer name eth0 netns $n || return 1
		ip -n $n link set eth0 up
		ip -n router link set $n up
	done
	ip -n router addr add 10.0.0.1/24 dev in
	ip -n router addr add 10.0.1.1/24 dev far
	ip -n in addr add 10.0.0.2/24 dev eth0
	ip -n in route add default via 10.0.0.1
	ip -n far addr add 10.0.1.2/24 dev eth0
	ip -n up1 addr add 10.0.1.2/32 dev lo
	ip -n up1 link set lo up
	ip netns exec router sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
}

neighbour() {
	ip -n router neigh replace "$2" dev "$1" nud permanent \
		lladdr "$(ip -n "$1" -j link show eth0 | jq -r '.[0].address')"
}

# qdiscs: DSCP 0 is in priority 3, what is in the escape is in 4
qdiscs() {
	local n link=(none none up up)
	for n in in far up1 up2; do
		tc -n router qdisc del dev $n root 2>/dev/null
	done
	for n in in far up1 up2; do
		tc -n router qdisc replace dev $n root roce rate 1mbit switch 1 dscp 0:3 dscp 28:4 \
			iofd-link "${link[0]}" iofd-idle 1s prio 3 iofd 2500b iofd-escape 28 || return 1
		link=("${link[@]:1}")
	done
	neighbour far 10.0.1.2 && neighbour up1 10.9.0.1 && neighbour up2 10.9.0.2
}

# send BITS QP COUNT: RoCEv2 as far as IOFD looks at it, in one datagram each
send() {
	local i
	for ((i = 0; i < $3; i++)); do
		# shellcheck disable=SC2059 # bytes
		ip netns exec in bash -c "printf '\\x07\\x00\\xff\\xff\\x$1\\x00\\x00\\x$2\\x00\\x00\\x00\\x00$PAYLOAD' \
			>/dev/udp/10.0.1.2/4791" || return 1
	done
	sleep 0.001
}

# Three of 966 bytes wait behind the first when the fifth comes: more than 2500.
deflects() {
	qdiscs || return 1
	send 0c 11 1		# the first on an idle line
	send 00 12 3
	send 04 11 1		# no longer the first
	exactly "$(counts)" "0 0 0 0" || return 1
	send 0c 13 1
	send 04 13 2
	exactly "$(counts)" "1 3 0 0" || return 1
	case "$(taken)" in "3 0" | "0 3") ;; *) taken; return 1 ;; esac
}

below() {
	qdiscs || return 1
	send 00 12 3
	send 0c 13 1
	exactly "$(counts)" "0 0 0 0"
}

off() {
	qdiscs && tc -n router qdisc change dev far root roce prio 3 iofd off || return 1
	send 00 12 4
	send 0c 13 2
	exactly "$(counts)" "0 0 0 0"
}

# Only to the one neighbour of a port.
unknown() {
	qdiscs || return 1
	ip -n router neigh flush dev up1 nud permanent
	ip -n router neigh replace 10.9.0.9 dev up2 nud permanent lladdr 02:00:00:00:00:99
	send 00 12 4
	send 0c 13 2
	exactly "$(counts)" "0 0 2 0"
	local rc=$?
	ip -n router neigh del 10.9.0.9 dev up2
	return $rc
}

# What arrives at the other neighbour is for it, by its MAC address.
arrives() {
	local before
	qdiscs || return 1
	before=$(ip netns exec up1 awk '/^Udp: [0-9]/ { print $3 }' /proc/net/snmp)
	ip -n router link set up2 down
	send 00 12 4
	send 0c 13 1
	sleep 0.1
	ip -n router link set up2 up
	exactly "$(taken)" "1 0" &&
		exactly "$(ip netns exec up1 awk '/^Udp: [0-9]/ { print $3 }' /proc/net/snmp)" $((before + 1))
}

# A port that goes takes its entries along; what follows goes where it is routed.
port_down() {
	local gone
	qdiscs || return 1
	send 00 12 4
	send 0c 13 1
	gone=up1
	[ "$(taken)" = "0 1" ] && gone=up2
	ip -n router link set $gone down
	send 04 13 1
	ip -n router link set $gone up
	exactly "$(counts)" "1 1 0 1"
}

port_leaves() {
	local gone
	qdiscs || return 1
	send 00 12 4
	send 0c 13 1
	gone=up1
	[ "$(taken)" = "0 1" ] && gone=up2
	tc -n router qdisc del dev $gone root
	send 04 13 1
	exactly "$(counts)" "1 1 0 0"
}

# bad WORD OPTION...: refused in words
bad() {
	local word=$1 out
	shift
	out=$(tc -n router qdisc change dev far root roce "$@" 2>&1) && { echo accepted; return 1; }
	[[ $out == *"$word"* ]] || { echo "$out"; return 1; }
}

ktap_print_header
net && qdiscs ||
	ktap_exit_fail_msg "no network"
ktap_check "above the threshold the first packet and those behind it are deflected" deflects
ktap_check "below it none" below
ktap_check "off: none" off
ktap_check "not to a port with no neighbour or two" unknown
ktap_check "to the neighbour's address" arrives
ktap_check "a port that is down takes its entries along" port_down
ktap_check "a port that leaves takes its entries along" port_leaves
ktap_check "no switch" bad "switch is none" switch none prio 3 iofd 1kb
ktap_check "an escape to itself" bad "leads back" dscp 0:3 dscp 28:4 dscp 30:3 prio 3 iofd-escape 30
ktap_check "an escape that leads back" bad "leads back" dscp 0:3 dscp 28:4 dscp 30:3 prio 4 iofd-escape 30
ktap_check "a lossy escape of a lossless priority" bad "is lossy" prio 3 lossless on
ktap_check "an escape that is telemetry's" bad "int-dscp" int-dscp 28
ktap_check "a DSCP of 64" bad "iofd-escape" prio 3 iofd-escape 64
ktap_check "a link to the side" bad "iofd-link" iofd-link aside
ktap_check "a hold of 11 s" bad "iofd-hold" iofd-hold 11s
ktap_finished
