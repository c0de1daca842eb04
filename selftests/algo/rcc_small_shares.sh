#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: RCC: hosts that send little leave a long flow its share; messages of one packet count;
#   flows with windows below a packet fill a link, and PID controls them with both values of `side`;
#   a flow that is held up in the network is recognised beside a busy last hop
#
# RCC (receiver-driven congestion control) where shares are small, or a flow does not use its own:
# what its flows leave unused.
#
# mice	16 hosts send 64 bytes each every 4 us beside a long flow, 5 % of the line. Counted
#	as flows they would leave it 1 / 17. By what they deliver (receiver_port_kunit.c, mice) N is at most
#	1.13, eta / N is 0.84 of the line: 1.19 times its time alone, and its first T.
# packets 16 hosts whose messages are all of one packet. Each counts as a flow: with n_linger=1ns none
#	would, each would be told the whole line, and the queue would be their windows, 15 C T. From 17 T
#	on, when the first windows are through, at most a packet of each waits.
# small	8 pairs of hosts with 6 flows each over one link: W is less than a packet. PID's target is a
#	queue of delta / 2 of a packet of each flow, 4.8 packets, and the link is used for
#	what the goal is, 0.9. With own_round=0, targets and gains for T, it is not.
# side=1 The same with the sender as judge. Without control a packet of each of 48 flows is under way,
#	54 KB, of which all but C T, 6 KB, are the queue. Half of that is the bound.
# busy	4 receivers of 20 flows, of which one comes over a link that 4 of them share: 0.5 Gbit/s of
#	a share of 1.9. (Others send the other 19: ACKs of its own data would fill a last hop.) They have 0.95 x 19 / 20 and that, more than eta - eta_hyst. Held for
#	the last hop's, 4 windows W = eta C T / 20 stand in that link's queue, less its own C T, 2.8
#	C T in all. Under PID it is at most delta C T, which begins PID, and a packet of each, 1.4 C T.
#	The first windows of these flows, 4 x 20 of that link's C T, need 80 T, 1.3 ms.
. "$(dirname "$0")/../lib/lab_lib.sh"

# mice M: flows of h1, long, and of M more, all to h0
mice() {
	awk -v m="$1" 'BEGIN {
		print "id,src,dst,bytes,start_ns"; print "0,h1,h0,1300000,0"; n = 1
		for (t = 0; t < 400000; t += 4000)
			for (i = 0; i < m; i++)
				print n++ ",h" i + 2 ",h0,64," t + int(i * 4000 / m)
	}' >"$LAB_OUT/mice.csv"
	lab_run star --cc rcc --set n=18 --set rate=100gbit --set qp=pair --set limit=40ms \
		--set flows_file="$LAB_OUT/mice.csv"
}

# The long flow's time over its time alone.
long_slowdown() {
	is "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["id"] == 0 { print $c["slowdown"] }' "$LAB_OUT/r/star/rcc/seed1/flows.csv")" "<" 1.3
}

packets() {
	lab_run incast --cc rcc --set n=16 --set size=400kb --set chunk=1000 --set delay=2900ns \
		--set window_from=250us --set window_to=450us
}

# A window on the wire is counted in packets of 1130 bytes.
packets_wait() {
	local w='.window.ports["sw-r"]'
	is "$(lab_get incast/rcc/1 "$w.queue_bytes.p99")" "<=" $((17 * 1130)) &&
		is "$(lab_get incast/rcc/1 "$w.utilization")" ">=" 0.9
}

# small CC
small() {
	awk 'BEGIN {
		print "id,src,dst,bytes,start_ns"
		for (i = 0; i < 48; i++)
			print i ",l" i % 8 ",r" i % 8 ",250000,0"
	}' >"$LAB_OUT/small.csv"
	lab_run dumbbell --cc "$1" --set n=8 --set rate=10gbit --set delay=300ns --set limit=100ms \
		--set flows_file="$LAB_OUT/small.csv" --set window_from=2ms --set window_to=8ms
}

# core CC FIELD: of the link that all share
core() { lab_get "dumbbell/$1/1" ".window.ports[\"sl-sr\"]$2"; }

filled() { is "$(core "$1" .utilization)" ">=" 0.9; }

unfilled() { ! filled "$@" >/dev/null; }

small_queue() { is "$(core rcc:side=1 .queue_bytes.mean)" "<=" $((48 * 1130 / 2 - 3000)); }

busy() {
	awk 'BEGIN {
		print "id,src,dst,bytes,start_ns"
		for (r = 0; r < 4; r++) {
			print n++ ",l" r ",r" r ",300000,0"
			for (i = 0; i < 19; i++)
				print n++ ",r" 4 + (r + i) % 4 ",r" r ",800000,0"
		}
	}' >"$LAB_OUT/busy.csv"
	LAB_DIR=$LAB_OUT/busy lab_run dumbbell --cc rcc --set n=8 --set rate=40gbit --set core_rate=2gbit \
		--set delay=2us --set flows_file="$LAB_OUT/busy.csv" --set window_from=2ms --set window_to=3ms
}

busy_queue() {
	local bdp
	bdp=$(LAB_DIR=$LAB_OUT/busy lab_get dumbbell/rcc/1 '.knobs.base_rtt * 2 / 8')
	is "$(LAB_DIR=$LAB_OUT/busy core rcc .queue_bytes.mean)" "<=" "$(bc <<<"$bdp / 5 + 4 * 1130")" &&
		is "$(LAB_DIR=$LAB_OUT/busy core rcc .utilization)" ">=" 0.9
}

ktap_print_header
ktap_check "mice: all flows complete" mice 16
ktap_check "mice: they leave a long flow its share" long_slowdown
ktap_check "packets: all flows complete" packets
ktap_check "packets: messages of one packet count" packets_wait
ktap_check "small windows: all flows complete" small rcc
ktap_check "small windows: the link is used" filled rcc
ktap_check "small windows, side=1: all flows complete" small rcc:side=1
ktap_check "small windows, side=1: the link is used" filled rcc:side=1
ktap_check "small windows, side=1: PID controls the queue" small_queue
ktap_check "small windows, own_round=0: all flows complete" small rcc:own_round=0:reset=0
ktap_check "small windows, own_round=0: the link is not used" unfilled rcc:own_round=0:reset=0
ktap_check "busy: all flows complete" busy
ktap_check "busy: a flow that is held up in the network is under PID" busy_queue
ktap_finished
