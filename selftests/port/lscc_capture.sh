#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: tshark with our dissector reads LSCC's messages as the switch has traced them, and its
#   CNPs; messages cut off anywhere
#
# tshark reads what a port with LSCC sends: its feedback messages, with our dissector, against
# the switch's trace, and direct CNPs. That they are right is what lscc.sh shows.
#
#	h1 ---- p1 [sw] p2 ==== h2, the other end of the long link	captured at both
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"

# guest DIR: the capture, and the switch's trace
guest() {
	frames_fixed_switch 2 || return
	frames_ports <<-PORTS || return
	sw:p1 rate 100gbit delay 1us switch auto buffer 64mb
	sw:p2 rate 10gbit delay 100us switch auto buffer 64mb lscc-self 169.254.0.1 lscc-peer 169.254.0.2 lscc-min 1mbit lscc-period 200us lscc-expiry 10ms lscc-interval 0 lscc-pseudo 10000b prio 3 lossless on lscc on
	PORTS
	frames_run <<-STEPS
	port h1 h2
	trace lscc_rate
	feedback h2 seq=5 time=1 rate=100
	wait 10us
	data h1 to=h2 count=20 size=1000 dscp=26 ecn=2
	wait 3ms
	run tc -n sw qdisc change dev p2 root roce prio 3 lscc off
	settle 1ms
	pcap h1 $1/h1.pcap
	pcap h2 $1/h2.pcap
	run cat /sys/kernel/tracing/trace >$1/trace
	STEPS
}

if [ "${1:-}" = inside ]; then
	guest "$2"
	exit
fi

command -v tshark >/dev/null || ktap_skip_all "no tshark"
lua=$RXE_CC_TOP/tools/wireshark/rxe_cc.lua
FRAMES_TSHARK=(-X "lua_script:$lua")
frames_prepare
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT

# An IP packet to the nearest bridge, from switch to switch, and ICMP with a right sum.
packet() {
	local n
	n=$(frames_fields "$out/h2.pcap" rxe_cc_lscc eth.dst ip.src ip.dst ip.ttl ip.dsfield.dscp \
		icmp.type icmp.code icmp.checksum.status rxe_cc_lscc.version | sort -u)
	[ "$n" = "01:80:c2:00:00:0e 169.254.0.1 169.254.0.2 255 48 253 0 1 1" ] ||
		{ echo "$n"; cat "$out/err"; return 1; }
}

# Number, time and rate, in whole Mbit/s, of each, as the switch has traced them. The clock
# of its messages is that of the trace.
messages() {
	frames_fields "$out/h2.pcap" rxe_cc_lscc rxe_cc_lscc.seq rxe_cc_lscc.time_ns \
		rxe_cc_lscc.rate_mbps >"$out/shark"
	sed -n 's/.*roce_lscc_rate: .* t_ns=\([0-9]*\) .* rate_bps=\([0-9]*\) error=0.*/\1 \2/p' \
		"$out/trace" | awk '{ printf "%s %d\n", $1, $2 / 1000000 }' >"$out/traced"
	# Those before the trace began are in the capture only.
	awk 'NR == FNR { if (!first) first = $1; rate[$1] = $2; next }
		$2 >= first { n++; bad += rate[$2] != $3 } END { exit bad || n < 10 }' \
		"$out/traced" "$out/shark" || { head "$out/shark" "$out/traced"; return 1; }
}

# One more with each message.
numbers() {
	awk 'NR > 1 && $1 != last + 1 { bad++ } { last = $1 } END { exit bad || NR < 10 }' "$out/shark"
}

# Direct CNPs are CNPs: DSCP, opcode and P_Key of the standard.
cnps() {
	local n
	n=$(frames_fields "$out/h1.pcap" "infiniband.bth.opcode == 0x81" ip.dsfield.dscp \
		infiniband.bth.p_key infiniband.bth.psn | sort | uniq -c)
	[[ $n =~ ^\ *11\ 48\ 65535\ 0$ ]] || { echo "$n"; cat "$out/err"; return 1; }
}

malformed() {
	local h n
	for h in h1 h2; do
		n=$(frames_fields "$out/$h.pcap" '_ws.malformed || rxe_cc_lscc.expert.malformed' \
			frame.number)
		[ -z "$n" ] || { echo "malformed at $h: $n"; return 1; }
	done
}

# Cut anywhere, the script says so or says nothing, and has no error.
cut_off() {
	local len
	for len in 34 38 41 42 45 50 57; do
		editcap -F pcap -s $len "$out/h2.pcap" "$out/cut.pcap" || return
		tshark "${FRAMES_TSHARK[@]}" -r "$out/cut.pcap" -V >"$out/text" 2>&1
		! grep -i "lua error" "$out/text" || return
	done
	[ -n "$(frames_fields "$out/cut.pcap" rxe_cc_lscc.expert.malformed frame.number)" ]
}

ktap_print_header
ktap_check "capture in the lab" frames_uml "$(realpath "$0")" inside "$out"
ktap_check "an ICMP message for the nearest bridge" packet
ktap_check "what it says" messages
ktap_check "numbers have no gap" numbers
ktap_check "direct CNPs" cnps
ktap_check "nothing is malformed" malformed
if command -v editcap >/dev/null; then
	ktap_check "messages that were cut off" cut_off
fi
ktap_finished
