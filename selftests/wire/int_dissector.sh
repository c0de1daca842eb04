#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: The Wireshark dissector of INT (in-band network telemetry) and of what peers tell each
#   other: every field of hand-made packets, what is behind INT as InfiniBand, malformed packets,
#   and many that were damaged at random: never an error of the script
# shellcheck disable=SC2317 # functions are called through ktap_check
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"

# shellcheck source=selftests/lib/packets_lib.sh
. "$(dirname "$0")/../lib/packets_lib.sh"

script=$RXE_CC_TOP/tools/wireshark/rxe_cc.lua
ktap_print_header
for p in tshark text2pcap editcap mergecap; do
	command -v $p >/dev/null || ktap_skip_all "$p: not installed"
done
tshark -v 2>/dev/null | grep -q "with Lua" || ktap_skip_all "tshark: built without Lua"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# Root's warning of itself goes to stderr. Nobody's preferences matter.
shark() {
	WIRESHARK_CONFIG_DIR=$tmp tshark -o udp.ignore_ipv6_zero_checksum:TRUE \
		-X "lua_script:$script" "$@" 2>"$tmp/stderr"
}

# BTH: SEND Only to QP 0x11, PSN 1; 16 bytes; ICRC.
bth=0440ffff00000011800000010102030405060708090a0b0c0d0e0f10deadbeef
# Node 1, ports 2 to 3, at 1 s, 4096 bytes sent, queue of 5, 100 Gbit/s.
hop1=0000000100020003000000003b9aca00000000000000100000000005000186a0
# Node 9, ports 4 to 5, at 2 s, 8192 bytes sent, queue of 6, 400 Gbit/s.
hop2=0000000900040005000000007735940000000000000020000000000600061a80

# rows NAME FILTER FIELD...: of the packets that match, one line each
rows() {
	local names=("${@:3}")
	shark -r "$tmp/$1.pcap" -Y "$2" -T fields -E separator=';' "${names[@]/#/-e}"
}

# same TEXT COMMAND...: prints TEXT
same() {
	local want=$1 got
	shift
	got=$("$@")
	[ "$got" = "$want" ] && return
	printf 'want %s\ngot  %s\n' "$want" "$got"
	cat "$tmp/stderr"
	return 1
}

hpcc="20000804 c4000cc1 e0000000"	# HopML 8, RemHop 4
header=(rxe_cc_int.hops rxe_cc_int.version rxe_cc_int.hop_ml rxe_cc_int.rem_hop rxe_cc_int.instr
	rxe_cc_int.domain rxe_cc_int.ds_instr)
hop=(node in_port out_port egress_ts_ns tx_bytes queue_bytes speed_mbps)
hop=("${hop[@]/#/rxe_cc_int.hop.}")

{
	v4 27 10130000 "$hpcc" "$hop2" "$hop1" "$bth"
	v6 27 10130000 "$hpcc" "$hop2" "$hop1" "$bth"
	v4 27 10030000 "$hpcc" "$bth"
	v4 26 "$bth"
} | capture good

both="2,1;9,1;4,2;5,3;2000000000,1000000000;8192,4096;6,5;400000,100000"
ktap_check "header, over IPv4 and IPv6" \
	same "$(printf '%s\n' {2,2,0}';2;8;4;0xc400;0x0cc1;0xe000')" \
	rows good rxe_cc_int "${header[@]}"
ktap_check "hops, the newest first" \
	same "$both"$'\n'"$both" rows good 'rxe_cc_int.hops == 2' rxe_cc_int.hop.position "${hop[@]}"
ktap_check "behind INT is RoCE, as without" \
	same "$(yes '4;0x000011;1;0xdeadbeef' | head -n 4)" \
	rows good frame infiniband.bth.opcode infiniband.bth.destqp infiniband.bth.psn infiniband.invariant.crc
ktap_check "the filter finds packets with INT only" same $'1\n2\n3' \
	rows good rxe_cc_int frame.number
ktap_check "no expert message" same "" shark -r "$tmp/good.pcap" -Y _ws.expert
ktap_check "another DSCP by preference" same "4" \
	shark -r "$tmp/good.pcap" -o rxe_cc_int.dscp:26 -Y rxe_cc_int -T fields -e frame.number

# Whoever opens a capture without the dissector sees a packet that nobody has sent. Our page has
# such a packet, says what is shown of it, and names the dissector before anything else.
page=$RXE_CC_TOP/tools/wireshark/README.md
without() {
	awk '/^0000 /, /^END/ { if (!/^END/) print }' "$page" | capture page || return 1
	WIRESHARK_CONFIG_DIR=$tmp tshark -r "$tmp/page.pcap" -T fields -e _ws.col.Info 2>/dev/null |
		sed 's/ *$//'
}
ktap_check "without it: what the README says" \
	same "$(sed -n 's/^packets that nobody has sent, like `\(.*\)`\.$/\1/p' "$page")" without
ktap_check "with it: the packet that the README says" same $'17;1000000000;1280;1' \
	rows page rxe_cc_int rxe_cc_int.hop.{node,egress_ts_ns,queue_bytes} infiniband.bth.psn

# Every instruction, told and not told; somebody else's domain; RCC; a
# reserved instruction.
values=01020304050607080000000903000a0b00000000000000110000000000000012
{
	v4 27 10140000 200011ff ff810cc1 e0000000 "$values" 0000001300000014 00000015 02000016 \
		0000000000000017 00000018 00000019 0000001a "$bth"
	v4 27 10140000 200011ff ff810cc1 e0000000 "$(printf 'ff%.0s' {1..68})" "$bth"
	v4 27 10080000 20000501 80011234 e0000000 00000001 aabbccdd11223344 55667788 99aabbcc "$bth"
	v4 27 10050000 20000200 04000000 00000000 000000003b9aca00 "$bth"
	v4 27 10060000 20000300 80400000 00000000 00000001 01020304 "$bth" # HopML too large
	v4 27 10050000 20000200 80400000 00000000 00000001 01020304 "$bth"
} | capture fields
all=(node in_port out_port latency_ns queue queue_occupancy ingress_ts_ns egress_ts_ns l2_in_port
	l2_out_port tx_utilization buffer buffer_occupancy tx_bytes queue_bytes speed_mbps checksum)
ktap_check "every field" \
	same "16909060;1286;1800;9;3;2571;17;18;19;20;21;2;22;23;24;25;0x0000001a" \
	rows fields 'frame.number == 1' "${all[@]/#/rxe_cc_int.hop.}"
told() { shark -r "$tmp/fields.pcap" -Y "frame.number == $1" -V | grep -c '(unknown)'; }
ktap_check "what a hop cannot tell is unknown" same 17 told 2
ktap_check "nothing else is" same 0 told 1
ktap_check "another domain's metadata are bytes, the checksum stays last" \
	same "1;aabbccdd1122334455667788;0x99aabbcc;;" rows fields 'frame.number == 3' \
	rxe_cc_int.hop.{node,ds_data,checksum,tx_bytes} _ws.expert.message
ktap_check "the time alone (RCC)" same "1;0;1000000000;4" \
	rows fields 'frame.number == 4' rxe_cc_int.{hops,rem_hop,hop.egress_ts_ns} infiniband.bth.opcode
ktap_check "a reserved instruction has four bytes" \
	same "1;01020304;INT: reserved instructions" rows fields 'frame.number == 6' \
	rxe_cc_int.hop.{node,reserved} _ws.expert.message

# Compact hops: 100 Gbit/s at 1193046 ns, 11259360 bytes, 596480 queued; 10 Gbit/s at
# eight times, eight times half of that, a sixteenth; a port that cannot tell.
compact="9123456abcde1234 4123456abcde4321 0000000000000000"
{
	v4 27 10090000 20000205 00000cc1 1000abcd "$compact" "$bth"
	v4 27 10050000 20000205 00001234 1000abcd 0102030405060708 "$bth"
} | capture compact
ktap_check "compact hops" \
	same "3;0xabcd;0x9123456abcde1234,0x4123456abcde4321,0x0000000000000000;100000,10000,0;1193046,9544368;11259360,5629680;596480,274960" \
	rows compact 'frame.number == 1' rxe_cc_int.{hops,ds_flags,hop.compact} \
	rxe_cc_int.hop.compact.{speed_mbps,ts_ns,tx_bytes,queue_bytes}
ktap_check "another domain's are bytes" same "1;0102030405060708;;" \
	rows compact 'frame.number == 2' rxe_cc_int.{hops,hop.ds_data,hop.compact} _ws.expert.message

# Flags and what is wrong, with what stands behind the stack where it is known.
{
	v4 27 10030000 2c000800 c4000cc1 e0000000 "$bth"
	v4 27 10030000 22000804 c4000cc1 e0000000 "$bth"
	v4 27 20030000 "$hpcc" "$bth"
	v4 27 10030000 30000804 c4000cc1 e0000000 "$bth"
	v4 27 10020000 "$hpcc" "$bth"
	v4 27 10ff0000 "$hpcc" "$bth"
	v4 27 10040000 "$hpcc" 00000000 "$bth"
	v4 27 10030000 20000004 c4000cc1 e0000000 "$bth"
	v4 27 10030000 20000704 c4000cc1 e0000000 "$bth"
	v4 27 10030000 20000904 c4000cc1 00000000 "$bth"
	v4 27 100300
	v4 27 10030000 "$hpcc" 0440ffff
	v4 27 "$bth"
} | capture bad
ktap_check "expert messages" same "\
4;1;0;INT: hops are missing, the hop limit was reached (E)
4;0;1;INT: hops are missing, the MTU was reached (M)
;;;INT: not INT-MD before the UDP payload
;0;0;INT: version 3
;0;0;INT: the shim's length is less than the MD header
;0;0;INT: no room for BTH and ICRC behind the stack
;0;0;INT: the stack does not hold whole hops
;0;0;INT: HopML is 0
4;0;0;INT: HopML is less than the instructions make
4;0;0;INT: HopML is not what the instructions make
;;;INT: too short for its headers, BTH and ICRC
;;;INT: too short for its headers, BTH and ICRC
;;;INT: not INT-MD before the UDP payload" \
	rows bad frame infiniband.bth.opcode rxe_cc_int.{e,m} _ws.expert.message

# The capture ends within INT: what is there is shown.
editcap -F pcap -s 100 "$tmp/good.pcap" "$tmp/cut.pcap"
ktap_check "cut off by the capture" \
	same $'9;INT: cut off by the capture\n;INT: cut off by the capture' \
	rows cut 'rxe_cc_int.hops == 2' rxe_cc_int.hop.node _ws.expert.message

# The worst hop: 100 Gbit/s, 0xd25a, utilization 0.75, a queue of 4660 ns; T is 8 us.
worst=9d25a0c000001234
{
	v4 27 10050000 20000200 00000cc1 08001fa0 "$worst" "$bth"
	v4 27 10050000 20000200 00000cc1 08000000 0000000000000000 "$bth"
} | capture worst
ktap_check "the worst hop" same $'1;0x1fa0;100000;0xd25a;0.75;4660;\n1;0x0000;0;0x0000;0;0;' \
	rows worst rxe_cc_int rxe_cc_int.{hops,ds_flags} \
	rxe_cc_int.hop.worst.{speed_mbps,id,utilization,drain_ns} _ws.expert.message

# What peers tell each other: an ACK with every TLV, reports, a probe, a SEND that
# asks for times, one without any of that.
ack="1140ffff 00000011 03000007 00000005"
report="c100ffff 00000011 03000009"
icrc=deadbeef
told="06030000 01020304 000000000000d431"
{
	v4 48 "$ack" 01100001 "$hop2" "$hop1" 0206013e 0000000000000064 00000000000000c8 \
		0000000000000005 "${told/0603/0605}" 0000000000000007 $icrc
	v6 48 "$report" 01000000 "$told" $icrc
	v4 48 "$report" 04000000 01080000 "$hop1" $icrc
	v4 27 10130000 "$hpcc" "$hop2" "$hop1" c200ffff 00000011 03000008 $icrc
	v4 26 "${bth/80000001/87000001}"
	v4 48 "${ack/03000007/00000007}" $icrc
} | capture told
{
	v4 48 "${ack/03000007/23000007}" 01070006 abcd0000 "$compact" $icrc
	v4 48 "$ack" 01020008 000000003b9aca00 $icrc
	v4 48 "$ack" 01050010 0102030405060708 0102030405060708 01020304 $icrc
	v4 48 "$ack" 01040004 abcd0000 0102030405060708 01020304 $icrc
	v4 48 "$ack" 01010004 abcd0000 $icrc
	v4 48 "$ack" 01040008 0102030405060708 0102030405060708 $icrc
	v4 48 "$ack" 0102000c "$worst" $icrc
} | capture profiles
ktap_check "echoes of every profile" same "\
1;1;1;3;0xabcd;100000,10000,0;;
2;0;2;1;;;1000000000;
3;0;;;;;;TLV of an unknown type
4;0;1;;;;;TLV INT echo: not whole hops, or none, or more than 16
5;0;1;;;;;TLV INT echo: not whole hops, or none, or more than 16
6;0;2;;;;;TLV INT echo: not whole hops, or none, or more than 1
7;0;3;1;;;;" \
	rows profiles frame frame.number rxe_cc.cap_profiles rxe_cc.echo.{layout,hops,path} \
	rxe_cc_int.hop.{compact.speed_mbps,egress_ts_ns} _ws.expert.message
tlvs=(cap_tlv cap_sink ask_time tlv.type echo.hops echo.e echo.m time.tx_ns time.rx_ns
	time.turnaround_ns time.ttl told.algo_id told.value)
tlvs=("${tlvs[@]/#/rxe_cc.}")
ktap_check "an ACK with all there is to tell" \
	same "17;1;1;0;1,2,6;2;1;0;100;200;5;62;0x01020304;54321,7" \
	rows told 'frame.number == 1' infiniband.bth.opcode "${tlvs[@]}"
ktap_check "... its hops, the newest first" same "2,1;9,1;4,2;5,3;2000000000,1000000000;8192,4096;6,5;400000,100000" \
	rows told 'frame.number == 1' rxe_cc_int.hop.position "${hop[@]}"
ktap_check "reports" same $'1;9;6;54321;;0xdeadbeef\n4;9;1;;1;0xdeadbeef' \
	rows told rxe_cc.report.kind rxe_cc.{report.kind,psn,tlv.type,told.value} \
	rxe_cc_int.hop.node rxe_cc.icrc
ktap_check "a probe behind INT" same "2;8;0xdeadbeef" \
	rows told rxe_cc.probe rxe_cc_int.hops rxe_cc.psn rxe_cc.icrc
ktap_check "a SEND that asks for times" same "5;4;1" \
	rows told 'rxe_cc.ask_time == 1' frame.number infiniband.bth.opcode infiniband.bth.psn
ktap_check "what has nothing to tell is left alone" same $'1;1,2,6\n2;6\n3;1\n4;\n5;' \
	rows told rxe_cc frame.number rxe_cc.tlv.type
ktap_check "the info column says it" same "\
[CC: hops 2, times, told 2]
[CC: report: data, told 1]
[CC: report: switch, hops 1]
[CC: probe]" eval "rows told rxe_cc.cap_tlv==1 _ws.col.Info | grep -o '\[CC.*'"
ktap_check "no expert message of it" same "" rows told _ws.expert frame.number

# What is wrong with them.
{
	v4 48 "$ack" "$told" "$told" $icrc
	v4 48 "$ack" 06010000 00000000 $icrc
	v4 48 "$ack" 06020000 0000000000000000 $icrc
	v4 48 "$ack" 02050000 "${hop1:0:40}" $icrc
	v4 48 "$report" 01000000 010c0000 "$hop1" "${hop1:0:32}" $icrc
	v4 48 "$report" 01000000 01000000 $icrc
	v4 48 "$ack" "$told" 09020000 00000000 $icrc
	v4 48 "$ack" 0300 $icrc
	v4 48 "$report" $icrc
	v4 48 "$report" 09000000 09010000 01020304 $icrc
	v4 48 "$ack" 060b0000 "$(printf '%088d' 1)" $icrc
} | capture wrong
ktap_check "what is wrong with TLVs" same "\
1;TLV told: twice
2;TLV told: not 1 to 4 values of 8 bytes
3;TLV told: not 1 to 4 values of 8 bytes
4;TLV times: wrong length
5;TLV INT echo: not whole hops, or none, or more than 16
6;TLV INT echo: wrong length
7;TLV: goes beyond the packet
8;TLV: goes beyond the packet
9;too short
10;TLV of an unknown type
11;TLV told: not 1 to 4 values of 8 bytes" \
	rows wrong 'rxe_cc && _ws.expert' frame.number _ws.expert.message
editcap -F pcap -s 100 "$tmp/told.pcap" "$tmp/cut.pcap"
ktap_check "TLVs cut off by the capture" same "1;TLVs: cut off by the capture" \
	rows cut 'rxe_cc && _ws.expert' frame.number _ws.expert.message

# Damaged at random, 3 % of all bytes, some cut off too.
mergecap -F pcap -a -w "$tmp/many.pcap" "$tmp"/{good,fields,compact,worst,bad,told,profiles,wrong}.pcap
for _ in 1 2 3 4; do
	mergecap -F pcap -a -w "$tmp/more.pcap" "$tmp"/many{,,}.pcap
	mv "$tmp/more.pcap" "$tmp/many.pcap"
done
for seed in 1 2 3; do
	editcap -F pcap -E 0.03 --seed $seed -o 34 "$tmp/many.pcap" "$tmp/damaged.pcap" 2>/dev/null
	editcap -F pcap -s $((20 + 30 * seed)) "$tmp/damaged.pcap" "$tmp/damaged-cut.pcap"
	for c in damaged damaged-cut; do
		shark -r "$tmp/$c.pcap" -V >"$tmp/$c.txt"
		echo "$c $seed: $(grep -c '^In-band' "$tmp/$c.txt")" \
			"$(grep -c '^Congestion control' "$tmp/$c.txt")" \
			"$(cat "$tmp/$c.txt" "$tmp/stderr" | grep -ci 'lua.*error')"
	done
done >"$tmp/damage"
harmless() {
	cat "$tmp/damage"
	awk '$3 < 1200 || $5 != 0 { bad = 1 } { told += $4 }
		END { exit bad || told < 5000 || NR != 6 }' "$tmp/damage"
}
ktap_check "damaged packets do not make it fail" harmless

ktap_finished
