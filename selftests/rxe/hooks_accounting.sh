#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: between rxe and the core, to the byte: every counter of a transfer, an MTU just enough for
#   telemetry and a byte less, wire bytes of probes, a duplicate whose ACK must echo nothing, a
#   one-packet READ that is asked for again
#
# Between rxe and the core, to the byte and the packet: every counter of a transfer, an
# MTU that is just enough for telemetry and one byte less, what a probe is counted as, an
# ACK that answers another packet than the one that caused it, a READ of one packet that
# is asked for again.
set -u
# shellcheck source=selftests/lib/int_lib.sh
. "$(dirname "$0")/../lib/int_lib.sh"
[ "${1:-}" = inside ] || int_uml "rxe_cc_testalg rxe_cc_fixed rxe_cc_hpcc rxe_cc_hpccpp"

HOPS=8
PACKETS=1000
# An INT header, and what each port adds in full.
ROOM=$((16 + HOPS * 32))
# A SEND of MTU 1024: IPv4, UDP, BTH, payload, ICRC. On the wire there are preamble,
# Ethernet header, FCS and gap besides.
SEND=$((20 + 8 + 12 + 1024 + 4))
ON_WIRE=38

# deltas COUNTER@DEVICE... -- COMMAND...: what the command adds to the counters, in $got
deltas() {
	local c before=() after=()
	local list=()
	while [ "$1" != -- ]; do
		list+=("$1")
		shift
	done
	shift
	# A reading is 10 ms old at most.
	sleep 0.05
	for c in "${list[@]}"; do before+=("$(counter "${c#*@}" "${c%@*}")"); done
	"$@" || return
	sleep 0.05
	for c in "${list[@]}"; do after+=("$(counter "${c#*@}" "${c%@*}")"); done
	got=
	for c in "${!list[@]}"; do got+="${got:+ }$((after[c] - before[c]))"; done
	echo "${list[*]}: $got"
}

# tally DEVICE: every counter of its port
tally() {
	(cd "/sys/class/infiniband/$1/ports/1/hw_counters" && grep . -- * | tr : ' ' |
		grep -v '^lifespan ')
}

# changed DEVICE...: counters that have changed since their tally, and by how much; of
# peers, which outlive their queue pairs, nothing
changed() {
	local d
	for d; do
		tally "$d" | awk -v d="$d" 'NR == FNR { was[$1] = $2; next }
			$2 != was[$1] && $1 != "peer_added" { print d, $1, $2 - was[$1] }' \
			"$work/before.$d" -
	done
}

# What a transfer of 100 packets in ten messages is to the counters, and an atomic
# operation behind it. Every packet but the first waits for the line. Answers to the
# data are 100 ACKs that echo, or 100 reports of READ responses: IPv4 or IPv6, UDP, BTH,
# header, two hops, times, ICRC.
report_bytes=$((20 + 8 + 12 + 4 + (4 + 2 * 32) + 28 + 4 + ON_WIRE))
want_write='r1 ack_deferred 101
r1 cc_tel_used 100
r1 int_echo_received 100
r1 int_sent 100
r1 rcvd_pkts 101
r1 rp_pacing_stalls 99
r1 sent_pkts 101
r2 int_echo_sent 100
r2 int_received 100
r2 rcvd_pkts 101
r2 sent_pkts 101'
want_read='r1 ack_deferred 101
r1 int_echo_sent 100
r1 int_received 100
r1 rcvd_pkts 101
r1 report_sent 100
r1 report_sent_bytes BYTES
r1 sent_pkts 111
r2 cc_tel_used 100
r2 int_echo_received 100
r2 int_sent 100
r2 rcvd_pkts 11
r2 report_received 100
r2 rp_pacing_stalls 99
r2 sent_pkts 101'

# counted VERSION OP: nothing else has changed
counted() {
	local want=$want_write d bytes=$report_bytes
	[ "$2" != read ] || want=$want_read
	[ "$2" != send ] || want+=$'\nr1 rdma_sends 10\nr2 rdma_recvs 10'
	[ "$1" = ipv4 ] || bytes=$((bytes + 20))
	sleep 0.05
	for d in r1 r2; do tally "$d" >"$work/before.$d"; done
	run_flows "\"gid\":\"$1\",\"mtu\":1024,\"chunk_bytes\":10240" \
		"{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":102400,\"op\":\"$2\",\"verify\":true},
		{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":8,\"op\":\"fetch_add\",\"start_ns\":2000000}" || return
	sleep 0.05
	sort <<<"${want/BYTES/$((100 * bytes))}" >"$work/want"
	changed r1 r2 | sort | diff "$work/want" -
}

# expect WANT COUNTER@DEVICE... -- COMMAND...
expect() {
	local want=$1 got
	shift
	deltas "$@" && [ "$got" = "$want" ]
}

route_mtu_ipv4() { ip -n h1 route change 10.0.0.0/24 dev v1 src 10.0.0.1 mtu "$1"; }
route_mtu_ipv6() { ip -n h1 -6 route replace fd00::/64 dev v1 metric 100 mtu "$1"; }
link_mtu() { ip -n h1 link set v1 mtu "$1" && ip -n h2 link set v2 mtu "$1"; }

# fits VERSION MTU: the path's MTU is just enough for a packet and all hops, or a byte less:
# then all of it goes, and without telemetry.
fits() {
	local rc=0 get=(int_sent@r1 int_no_room@r1)
	"route_mtu_$1" "$2" &&
		expect "$PACKETS 0" "${get[@]}" -- flow "$1" 1024 send $((PACKETS * 1024)) &&
		"route_mtu_$1" $(($2 - 1)) &&
		expect "0 $PACKETS" "${get[@]}" -- flow "$1" 1024 send $((PACKETS * 1024)) || rc=$?
	"route_mtu_$1" 4300 && return "$rc"
}

# The device reports a path MTU for which its port's has room: rxe takes 80 bytes for
# its longest headers, and INT its own.
reports() {
	link_mtu $((1024 + 80 + ROOM)) && flow ipv4 1024 send 100000 &&
		link_mtu $((1024 + 80 + ROOM - 1)) && ! flow ipv4 1024 send 100000 2>/dev/null &&
		flow ipv4 512 send 100000 && link_mtu 4300
}

# What h1's port has sent in the priority of data: SENDs and probes. Of a probe the counter
# has the wire bytes on the first link.
port_bytes() {
	tc -n h1 -s -j qdisc show dev v1 root |
		jq '.[0].prios[] | select(.prio == 3).tx_wire_bytes'
}

probes() {
	local before after got n bytes
	before=$(port_bytes)
	deltas probe_sent@r1 probe_sent_bytes@r1 rp_retransmits@r1 -- \
		run_flows '"gid":"ipv4","mtu":1024' \
		'{"src":"r1","dst":"r2","bytes":4096000,"op":"send","verify":true}' || return
	after=$(port_bytes)
	read -r n bytes _ <<<"$got"
	echo "the port sent $((after - before)) bytes"
	# Headers of a packet without payload, and INT with the port's own hop.
	[ "$n" -ge 10 ] && [ "$bytes" -eq $((n * (SEND - 1024 + ON_WIRE + 16 + 32))) ] &&
		[ $((after - before)) -eq $((4000 * (SEND + ON_WIRE) + bytes)) ]
}

# What comes a second time is answered by the ACK of the newest packet, of which it tells
# nothing: only the 1000 packets that are new are echoed, one each.
dup() {
	local pid rc
	ip netns exec h1 timeout 60 "$rxe_report" again v1 20 >"$work/again" &
	pid=$!
	sleep 0.01
	flow ipv4 1024 send $((PACKETS * 1024))
	rc=$?
	wait "$pid" && [ "$rc" -eq 0 ]
}

# One-packet READs, the second of which the pacer holds for several of the requester's
# timeouts: each is answered once, however often it is asked for.
held() {
	local pid rc responses requests
	cc r2 algo=fixed && "$rxecc" dev set r2 param rate=200kbit knob min_rate=1kbit || return
	ip netns exec h2 timeout 60 "$rxe_raw" capture v2 1000 >"$work/requests" &
	pid=$!
	ip netns exec h1 timeout 60 "$rxe_raw" capture v1 1000 >"$work/responses" &
	sleep 0.01
	run_flows '"gid":"ipv4","mtu":1024,"timeout":8,"depth":1,"chunk_bytes":1024' \
		'{"src":"r1","dst":"r2","bytes":3072,"op":"read","verify":true}'
	rc=$?
	wait "$pid"; wait
	requests=$(awk '/^op_0c_/ { n += $2 } END { print n + 0 }' "$work/requests")
	responses=$(awk '/^op_10_/ { n += $2 } END { print n + 0 }' "$work/responses")
	echo "$requests requests, $responses responses"
	[ "$rc" -eq 0 ] && [ "$responses" -eq 3 ] && [ "$requests" -gt 4 ]
}

# sockets NUMBER: so many of RoCE's port has each host, for IPv4 and for IPv6
sockets() {
	local n f
	for n in h1 h2; do
		for f in udp udp6; do
			[ "$(ip netns exec "$n" grep -c ':12B7 ' "/proc/net/$f")" -eq "$1" ] || {
				echo "$n: $f: not $1"
				return 1
			}
		done
	done
}

# By sysfs: whoever names the algorithm that runs again, or sets a knob, leaves its parameters
# as they are; another algorithm begins with its own.
by_sysfs() {
	local cc=/sys/class/infiniband/r1/ports/1/cc
	echo hpccpp >$cc/algo && echo "max_stage 3" >$cc/params || return 2
	echo hpccpp >$cc/algo && echo 1 >$cc/int && grep -q "^max_stage 3 " $cc/params || {
		cat $cc/params
		return 1
	}
	echo hpcc >$cc/algo && grep "^max_stage " $cc/params && ! grep -q "^max_stage 3 " $cc/params
}

# Each parameter is there, by its name and with its value, as netlink tells them.
sysfs_lists() {
	local a
	for a in fixed hpcc hpccpp; do
		cc r1 algo=$a || return
		"$rxecc" -j dev show r1 | jq -r '.[0].params | to_entries[] | "\(.key) \(.value.value)"' >"$work/want"
		awk '{ print $1, $2 }' /sys/class/infiniband/r1/ports/1/cc/params |
			diff "$work/want" - && [ -s "$work/want" ] || { echo "$a"; return 1; }
	done
}

# The sockets of a namespace stay when its devices go, and go with the module.
unload() {
	sockets 1 && rdma link del r1 && rdma link del r2 && wait_for 50 no_devices &&
		wait_for 50 sockets 0 && rmmod rdma_rxe && sockets 0
}

ktap_print_header
ktap_check "hosts and switch" make_net
ktap_check "algorithm" eval 'cc r1 line_rate=100000000000 int=2 algo=testalg && cc r2 int=2 algo=testalg'
for v in ipv4 ipv6; do
	for op in send write read; do
		ktap_check "$op over $v: every counter" counted $v $op
	done
done
ktap_check "a path MTU that is just enough for telemetry, and a byte less" fits ipv4 $((SEND + ROOM))
ktap_check "... IPv6" fits ipv6 $((SEND + 20 + ROOM))
ktap_check "a link MTU that is just enough for path MTU 1024, and a byte less" reports
ktap_check "an ACK caused by a packet of long ago echoes nothing" \
	expect "$PACKETS $((PACKETS + 20)) $PACKETS" \
	int_echo_sent@r2 int_received@r2 int_sent@r1 -- dup
# shellcheck disable=SC2016 # expanded by eval
ktap_check "HPCC++ with probes" eval '"$rxecc" dev set r1 algo hpccpp preset probe knob base_rtt=10us &&
	"$rxecc" dev set r2 algo hpccpp preset probe knob base_rtt=10us'
ktap_check "probes are counted as they are on the wire" probes
ktap_check "a READ of one packet that waits is answered once" held
ktap_check "sysfs: parameters stay with the algorithm that runs" by_sysfs
ktap_check "sysfs: every parameter, as by netlink" sysfs_lists
ktap_check "the last device of a namespace takes its sockets along" unload
ktap_finished
