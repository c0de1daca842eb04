#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a measured round trip is the path within 2 ns, and not the queue in the sender's own port
#
# What a round-trip time measures: from the first bit of a packet on its sender's
# wire to the ACK at the same port. Not the queue in the sender's own port, if that tells
# when a packet left, and not rxe's work queue; the queues of the network count.
#
# One link, 1 us each way: a WRITE of 1122 bytes there, its ACK of 86 bytes back, and
# 28 more in which that tells its times, but for the first, whose sender does not know
# the peer yet. How long the ACK took to be made is not in the RTT.
# Bound: 2 ns, for rounding up at both ports.
. "$(dirname "$0")/../lib/ktap_helpers.sh"
. "$(dirname "$0")/../lib/guest_two.sh"

MODULES='rxe_cc rxe_cc_dcqcn rxe_cc_timely rxe_cc_testalg rdma_rxe sch_roce'
ALGO=${ALGO:-dcqcn}
ALGO_SETS=${ALGO_SETS:-}
PORT=${PORT:-roce}

# Inside the lab kernel: guest RATE FLOWS BYTES CHUNK DEPTH [TO [LINE_RATE]] prints, for every RTT
# measured, QP, time since the packet was handed to the port, RTT, time, one-way delay, ports
# on the path; and how many ACKs there were.
if [ "${1:-}" = guest ]; then
	rate=$2
	guest_two "$rate"
	if [ "$PORT" != roce ]; then
		tc -n h0 qdisc replace dev v0 root tbf rate 1gbit burst 2kb limit 4mb || exit 1
	fi
	for i in 0 1; do
		# shellcheck disable=SC2086 # words
		rxecc dev set r$i algo "$ALGO" knob line_rate="${8:-$rate}" clock_common=1 \
			$ALGO_SETS || exit 1
	done
	flows=()
	for ((i = 0; i < $3; i++)); do
		flows+=("{ \"src\": \"r0\", \"dst\": \"${7:-r1}\", \"bytes\": $4 }")
	done
	cat >/run/plan.json <<-PLAN
	{ "mtu": 1024, "chunk_bytes": $5, "depth": $6,
	  "flows": [ $(IFS=,; echo "${flows[*]}") ] }
	PLAN
	trace_on rxe_cc/rxe_cc_sample
	flowgen run /run/plan.json --out /run/fg >/run/flowgen.log || { cat /run/flowgen.log; exit 1; }
	sed -n 's/.* dev=r0 qpn=\([0-9]*\) event=\([a-z]*\) now_ns=\([0-9]*\) seq=\([0-9]*\) .* rtt_ns=\([0-9]*\) .* owd_ns=\([0-9]*\) .* path_hops=\([0-9]*\) .*/\1 \2 \3 \4 \5 \6 \7/p' \
		/sys/kernel/tracing/trace |
		awk '$2 == "sent" { sent[$1, $4] = $3 }
			$2 == "ack" && !($1 in acks) && !$5 { print "first ACK of " $1 ": no RTT" }
			$2 == "ack" { acks[$1]++; all++ }
			$2 == "ack" && $5 { print "rtt", $1, $3 - sent[$1, $4], $5, $3, $6, $7 }
			END { print "acks", all, length(acks) }'
	exit 0
fi

run() {
	"$UML_EXEC" --modules "$MODULES" --timeout 150 \
		--env RXE_CC_BUILD="$RXE_CC_BUILD" --env ALGO="$ALGO" --env ALGO_SETS="$ALGO_SETS" --env PORT="$PORT" -- "$(realpath "$0")" guest "$@"
}

# base GBIT [LINE_GBIT]: a packet at a time; the line rate told may be wrong
base() {
	run "$1gbit" 1 65536 1024 1 r1 "${2:-$1}gbit" | awk -v gbit="$1" '
		$1 == "acks" { acks = $2; next }
		$1 != "rtt" { print; next }
		{
			want = 2000 + (1122 + 86 + (n ? 28 : 0)) * 8 / gbit
			off = $4 - want
			if (off < -2 || off > 2) { bad++; print $4 " ns, expected " want }
			n++
			sum += off
		}
		END {
			printf "%d measured, %.2f ns above %.2f in the mean\n", n, sum / n, want
			exit bad || n < 60
		}'
}

# One way, from the first bit at one port to the last at the other: 1 us and the packet's
# own length; the first ACK tells no times. The smallest is what an idle path has; its
# packets go from port to port without a router.
one_way() {
	run "$1gbit" 1 65536 1024 1 | awk -v gbit="$1" '
		$1 == "acks" { next }
		$1 != "rtt" { print; next }
		!m++ { next }
		{
			want = 1000 + 1122 * 8 / gbit
			off = $6 - want
			if (off < -2 || off > 2 || $7 != 1) { bad++; print $6 " ns, " $7 " ports, expected " want }
			n++
		}
		END { printf "%d measured\n", n; exit bad || n < 60 }'
}

# Every ACK of four flows at once measures a round trip, the first too, one round trip after
# the start: 2 us, packet and ACK, and what waits in the own port for the others, at most a
# window of each. The algorithm asks each packet for an ACK.
each_ack() {
	ALGO=testalg ALGO_SETS="int=on param all_rtts=1 int_mode=3 window=20000" run 100gbit 4 262144 262144 1 | awk '
		$1 == "acks" { acks = $2; flows = $3; next }
		$1 != "rtt" { print; bad++; next }
		{ n++ }
		END {
			printf "%d measured, %d ACKs of %d flows\n", n, acks, flows
			exit bad || n != acks || flows != 4 || n != 4 * 256
		}'
}

# Four flows into one port: each packet waits there for those of the others, which
# no RTT may show. ACKs may wait for one another at the far end.
own_queue() {
	run 100gbit 4 1048576 262144 4 | awk '
		$1 == "acks" { acks = $2; next }
		$1 != "rtt" { print; next }
		{
			n++
			if ($3 > wait) wait = $3
			if ($4 > rtt) rtt = $4
			if (!min || $4 < min) min = $4
		}
		END {
			printf "%d measured, %d to %d ns; ACKs came up to %d ns after the packet was handed down\n",
				n, min, rtt, wait
			want = 2000 + (1122 + 86) * 0.08
			exit n < 40 || wait < 3 * want || min < want - 2 || rtt > want + 2 + 3 * 86 * 0.08
		}'
}

# A port that does not say when a packet left, here tbf's: what packets wait in it counts,
# so an RTT is the time from handing the packet down to the ACK. 1106 bytes and more wait
# for one another at 1 Gbit/s.
other_port() {
	PORT=tbf run 100gbit 1 1048576 262144 4 | awk '
		$1 == "acks" { acks = $2; next }
		$1 != "rtt" { print; next }
		{
			n++
			if ($4 > rtt) rtt = $4
			if ($4 < $3 - 2 || $4 > $3) { bad++; print $4 " ns, handed down " $3 " ns before" }
		}
		END {
			printf "%d measured, up to %d ns\n", n, rtt
			exit bad || n < 10 || rtt < 1000 + 10 * 1106 * 8
		}'
}

# An algorithm that needs RTTs has one in each round trip: the next measurement is
# of the next packet, 88 ns later at most. rxe would ask for an ACK every 66 packets.
each_trip() {
	ALGO=timely run 100gbit 1 1048576 1048576 1 | awk '
		$1 == "acks" { acks = $2; next }
		$1 != "rtt" { print; next }
		{ n++; if (t && $5 - t > gap) gap = $5 - t; t = $5 }
		END {
			printf "%d measured, at most %d ns apart\n", n, gap
			exit n < 30 || gap > 2096 + 89
		}'
}

# To itself: no port lets go of anything, and time does not pass.
loopback() {
	run 100gbit 1 1048576 262144 4 r0 | awk '
		$1 == "acks" { acks = $2; next }
		$1 != "rtt" { print; next }
		{ n++; if ($4 > rtt) rtt = $4 }
		END {
			printf "%d measured, up to %d ns\n", n, rtt
			exit !n || rtt > 10000
		}'
}

ktap_print_header
ktap_check "1 Gbit/s, idle: the path within 2 ns" base 1
ktap_check "10 Gbit/s, idle: the path within 2 ns" base 10
ktap_check "100 Gbit/s, idle: the path within 2 ns" base 100
ktap_check "told a hundredth of the line rate: no longer for that" base 100 1
ktap_check "a queue in the sender's own port does not count" own_queue
ktap_check "a port that tells no departures: from when it was handed down" other_port
ktap_check "timely: measured once in each round trip" each_trip
ktap_check "10 Gbit/s, idle: one way within 2 ns" one_way 10
ktap_check "100 Gbit/s, idle: one way within 2 ns" one_way 100
ktap_check "each ACK measures, for those who want it, and the first" each_ack
ktap_check "loopback: measured all the same" loopback
ktap_finished
