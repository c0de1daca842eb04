#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: CNPs right and wrong, byte for byte; ECN and DSCP of everything on the wire
#
# Congestion notification packets: accepted when they are right, ignored or
# dropped when they are not, harmless whatever they are; sent as IBTA Annex A17
# says; ECN and DSCP of everything on the wire.
set -u
# shellcheck source=selftests/lib/rxe_lib.sh
. "$(dirname "$0")/../lib/rxe_lib.sh"
[ "${1:-}" = inside ] ||
	rxe_test_uml "rxe_cc rdma_rxe rxe_cc_fixed rxe_cc_dcqcn"

inject() { ip netns exec h2 "$rxe_raw" inject v2 "$@"; }

kinds="handled ignored refused forged late limited"

# cnp NAME COUNTER QPN KIND: that counter of CNPs goes up by one, and no other; "-": none.
cnp() {
	local name=$1 want=$2 c before=() got=
	shift 2
	for c in $kinds; do
		before+=("$(counter r1 rp_cnp_$c)")
	done
	inject "$@" || { ktap_test_fail "$name"; return; }
	sleep 0.05
	for c in $kinds; do
		[ "$(counter r1 rp_cnp_$c)" = "${before[0]}" ] || got+=" $c"
		before=("${before[@]:1}")
	done
	ktap_print_msg "counted as:${got:- -}"
	ktap_check "$name" [ "${got:- -}" = " $want" ]
}

# CNPs that name no packet, from a peer that has shown nothing, as a NIC.
received() {
	local pid i flows=''
	algorithm none && knob line_rate 1000000000 &&
		echo dcqcn >/sys/class/infiniband/r1/ports/1/cc/algo || return 1
	# QP numbers start at 17 and are not used again soon: r1 has two of its own
	# first, so that its later ones have other numbers than their peers. Enough
	# that 0xd2 is one; its peer is 0xd0.
	run_flows '"mtu":1024' '{"src":"r1","dst":"r1","bytes":1000}' || return 1
	for ((i = 19; i <= 0xd2; i++)); do
		flows+="${flows:+,}{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":0}"
	done
	run_flows '"mtu":1024,"depth":1,"chunk_bytes":1024,"stop_ns":5000000000' \
		"$flows" &
	pid=$!
	sleep 1
	cnp "the vector of facts is handled" handled 0 vector
	cnp "a good CNP is handled" handled 0xd2 good
	cnp "a window in it too" handled 0xd2 window
	cnp "a bad ICRC is dropped without a trace" - 0xd2 icrc
	for i in long short pad version pkey source; do
		cnp "a CNP with a bad \"$i\" is ignored" ignored 0xd2 $i
	done
	cnp "a switch's, where none is wanted, is refused" refused 0xd0 forward
	knob switch_feedback 1
	cnp "... where they are wanted, one that names no packet is forged" forged 0xd0 forward
	cnp "... with the own is ignored" ignored 0xd2 forward
	cnp "... from a stranger is ignored" ignored 0xd0 forward_source
	cnp "a CNP for no QP is ignored" ignored 77777 good
	cnp "a CNP for QP 0 is ignored" ignored 0 good
	cnp "a CNP for QP 1 is ignored" ignored 1 good
	algorithm fixed
	cnp "an algorithm without use for CNPs ignores them" ignored 0xd2 good
	algorithm none
	cnp "no algorithm: ignored" ignored 0xd2 good
	algorithm dcqcn
	ktap_check "5000 random packets" inject 0xd2 random 5000
	wait "$pid"
}

# names COUNTER KIND NAME: of CNPs from a peer that has shown to name packets. The second
# of two of a packet is counted apart.
names() {
	local want=$1 kind=$2 name=$3
	inject() { ip netns exec h2 "$rxe_report" inject v2 "$1"; }
	cnp "$name" "$want" "$kind"
}

named() {
	local pid
	algorithm dcqcn && knob line_rate 100000000 || return 1
	run_flows '"mtu":1024' '{"src":"r1","dst":"r1","bytes":1000}' || return 1
	run_flows '"mtu":1024,"depth":4,"chunk_bytes":102400,"stop_ns":2000000000' \
		'{"src":"r1","dst":"r2","bytes":0}' &
	pid=$!
	sleep 0.2
	names handled cnp "a CNP that names a packet under way is handled"
	names "handled late" cnp_again "... once"
	names forged cnp_acked "one that names a packet of long ago is forged"
	names forged cnp_unsent "... one that was never sent"
	names forged cnp_nic "... none, as a NIC's"
	names ignored cnp_origin "an origin that nobody knows is ignored"
	names handled cnp_switch "a switch's that names a packet under way is handled"
	knob switch_feedback 0
	names refused cnp_switch "... refused where none is wanted"
	wait "$pid"
}

# wire ALGORITHM OP DSCP-BYTE-OF-r1: one transfer under marking; what r1's
# packets (h2's arrivals) and r2's look like.
wire() {
	local a=$1 op=$2 p1 p2
	algorithm "$a" || return 1
	ip netns exec h2 "$rxe_raw" capture v2 500 >"$work/cap2" &
	p1=$!
	ip netns exec h1 "$rxe_raw" capture v1 500 >"$work/cap1" &
	p2=$!
	sleep 0.1
	run_flows "\"verify\":true,\"mtu\":1024,\"op\":\"$op\",\"tclass\":104" \
		'{"src":"r1","dst":"r2","bytes":2000000}' || return 1
	wait "$p1" "$p2"
	cat "$work/cap1" "$work/cap2" >"$work/cap"
	[ "$(grep -c '^bad_icrc 0$' "$work/cap")" = 2 ] && ! grep odd_cnp "$work/cap"
}

# only REGEX: no other kind of packet was seen
only() { ! grep '^op_' "$work/cap" | grep -vE "^op_($1) "; }
some() { grep -qE "^op_($1) " "$work/cap"; }

sent() {
	knob line_rate 10000000000
	ktap_check "SEND without an algorithm" wire none send
	ktap_check "... keeps the application's TOS" only '.._tos_68'
	ktap_check "SEND under dcqcn and marking" wire dcqcn send
	ktap_check "... data is ECT(0) or CE, ACKs and CNPs Not-ECT, DSCP 26, 26 and 48" \
		only '0[0-4]_tos_6[ab]|11_tos_68|81_tos_c0'
	ktap_check "... there are CNPs" some 81_tos_c0
	knob ack_dscp 48
	ktap_check "ACKs in a class of their own" wire dcqcn send
	ktap_check "... DSCP 48" only '0[0-4]_tos_6[ab]|11_tos_c0|81_tos_c0'
	knob ack_dscp 64
	knob data_dscp 20
	ktap_check "ACKs in the application's class, data in another" wire dcqcn send
	ktap_check "... DSCP 26 and 20" only '0[0-4]_tos_5[23]|11_tos_68|81_tos_c0'
	knob data_dscp 26
	knob ack_dscp 65
	ktap_check "READ under dcqcn and marking" wire dcqcn read
	ktap_check "... responses are data, requests too" \
		only '(0[cdef]|10)_tos_6[ab]|81_tos_c0'
	ktap_check "... there are CNPs from the requester" \
		[ "$(counter r1 np_cnp_sent)" -gt 0 ]
}

ktap_print_header
ktap_check "its ICRC" "$rxe_raw" selftest
ktap_check "two hosts" make_hosts rate 1gbit delay 1us limit 10000
received
named
tc -n h1 qdisc replace dev v1 root netem rate 10gbit delay 1us limit 10000 loss 2% ecn
tc -n h2 qdisc replace dev v2 root netem rate 10gbit delay 1us limit 10000 loss 2% ecn
sent
ktap_check "they go" remove_hosts
ktap_finished
