#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: every value that ports push reaches the sender's algorithm, over IPv4 and IPv6, in every
#   INT profile; modes, fallback
#
# Telemetry from the ports to the sender's algorithm, between two hosts and a
# switch. The algorithm "testalg" adds up the values that it gets. The sums must be those of
# the values that the ports have pushed, by their own trace.
set -u
# shellcheck source=selftests/lib/int_lib.sh
. "$(dirname "$0")/../lib/int_lib.sh"
[ "${1:-}" = inside ] || int_uml "rxe_cc_testalg rxe_cc_fixed"

# state WANT: what rxecc says of r1's queue pair in the middle of a flow
state() {
	local got
	(sleep 0.002; "$rxecc" -j qp show >"$work/qp") &
	flow ipv4 1024 write 64000000 && wait || return
	got=$(jq -rc '[.[] | select(.dev == "r1")] | min_by(.qpn) |
		[.telemetry, .peer_caps, .algo]' "$work/qp")
	echo "$got"
	[ "$got" = "$1" ]
}

ktap_print_header
ktap_check "hosts and switch" make_net
ktap_check "an algorithm that needs INT is refused while int is off" \
	eval '! cc r1 algo=testalg 2>/dev/null'
ktap_check "path MTU 4096 on links of 4300 bytes" flow ipv4 4096 send 100000
ktap_check "int auto, algorithm on both" \
	eval 'cc r1 line_rate=100000000000 int=1 algo=testalg && cc r2 int=1 algo=testalg'
ktap_check "int off is refused while it runs" eval '! cc r1 int=0 2>/dev/null'
ktap_check "the path MTU leaves room for 8 hops" eval '! flow ipv4 4096 send 100000'
ktap_check "telemetry comes back with path MTU 2048" \
	grows r1 int_echo_received yes flow ipv4 2048 send 4000000
cc r1 int=2
for gid in ipv4 ipv6; do
	for op in send write read; do
		ktap_check "$op over $gid: 1000 packets, two hops each, every value as pushed" \
			equal $gid $op 1024000 2000
	done
done
sleep 0.05
ktap_check "each READ response was reported on" \
	[ "$(counter r1 report_sent) $(counter r2 report_received)" = "2000 2000" ]
sleep 0.02
for d in r1 r2; do
	for c in int_no_room int_bad_short int_bad_shim int_bad_version int_bad_length int_discarded \
		int_foreign int_echo_partial int_echo_bad_hop int_echo_unused ack_tlv_unknown \
		ack_tlv_bad_short ack_tlv_bad_length ack_tlv_bad_twice ack_tlv_other_algo int_rx_bad_hop \
		report_ignored report_bad_kind report_bad_psn report_late report_bad_tlv report_unused \
		rp_bad_acks rp_retransmits; do
		ktap_check "$d: $c stays 0" [ "$(counter $d $c)" -eq 0 ]
	done
done

ktap_check "rxecc tells that it is active" \
	state '["active",["ack-tlv","int-sink","int-profiles","told","cnp-psn"],"testalg"]'

# Until the peer has told that it knows other profiles, all comes in full.
profile() {
	local d
	for d in r1 r2; do
		"$rxecc" dev set $d param "int_profile=$1" || return
	done
}
cc r1 int=1
ktap_check "compact telemetry is chosen" profile 1
for gid in ipv4 ipv6; do
	for op in send write read; do
		ktap_check "compact: $op over $gid: times and speeds as pushed, queues within half a unit" \
			equal_compact $gid $op 1024000
	done
done
ktap_check "the first port's time alone is chosen" profile 2
for op in send read; do
	ktap_check "first port: $op: one hop, the time as pushed" equal_first ipv4 $op 1024000
done
for d in r1 r2; do
	for c in int_no_room int_foreign int_echo_bad_hop int_echo_unused int_compact_far ack_tlv_unknown \
		ack_tlv_bad_length report_unused report_bad_tlv rp_bad_acks rp_retransmits; do
		ktap_check "$d: $c is 0 after all profiles" [ "$(counter $d $c)" -eq 0 ]
	done
done
profile 0
cc r1 int=2
cc r1 int_hops=1
ktap_check "a path longer than int_hops is told" \
	grows r1 int_echo_partial yes flow ipv4 1024 write 1000000
cc r1 int_hops=8
cc r1 int=1
cc r2 algo=fixed int=0
ktap_check "a peer with int off: fallback" state '["fallback",["ack-tlv","told","cnp-psn"],"testalg"]'
cc r2 algo=none
ktap_check "a peer without an algorithm: fallback" state '["fallback",[],"testalg"]'
ktap_check "... gets no INT" grows r1 int_sent no flow ipv6 1024 send 1000000
cc r1 int=2
ktap_check "a peer without an algorithm takes INT off all the same" \
	grows r2 int_received yes flow ipv4 1024 send 1000000
ktap_check "... and echoes nothing" grows r2 int_echo_sent no flow ipv4 1024 send 1000000
ktap_finished
