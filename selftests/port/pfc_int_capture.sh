#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: tshark reads captures of `roce` ports, PFC (priority-based flow control) by itself and INT
#   (in-band network telemetry) with our dissector: every field as the frames tool has read it from
#   the same bytes
#
#	h1 [roce] --- p1 [sw] p2 --- h2		captured at h1 and at h2
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"

guest() {
	frames_switch 2 || return
	frames_ports <<-PORTS || return
	h1 rate 100gbit delay 1us prio 3 lossless on
	h2 rate 40gbit delay 1us
	sw:p1 rate 100gbit delay 1us switch auto buffer 4mb int-node 17 pfc-quanta 300 prio 3 lossless on xoff 50kb xon 30kb
	sw:p2 rate 40gbit delay 1us switch auto int-node 17 prio 3 lossless on
	PORTS
	frames_run <<-STEPS
	port h1 h2
	data h2 flow=9 to=h1 count=1 dscp=26
	wait 100us
	trace drop
	data h1 flow=0 to=h2 count=100 size=64-2048 int=0xc400 ds=0xe000 hops=8
	data h1 flow=1 to=h2 count=20 v6 int=0xfc00 ds=0x4000 hops=1
	data h1 flow=2 to=h2 count=20 dscp=26
	settle
	pcap h1 $1/h1.pcap
	pcap h2 $1/h2.pcap
	dump h1 $1/h1.txt
	dump h2 $1/h2.txt
	STEPS
}

if [ "${1:-}" = inside ]; then
	guest "$2"
	exit
fi

command -v tshark >/dev/null || ktap_skip_all "no tshark"
lua=$RXE_CC_TOP/tools/wireshark/rxe_cc.lua
[ -e "$lua" ] || ktap_skip_all "no dissector"
FRAMES_TSHARK=(-X "lua_script:$lua")
frames_prepare
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT


# same NAME LINES: tshark's in $out/shark, ours in $out/ours
same() {
	[ "$(wc -l <"$out/ours")" -ge "$1" ] || { echo "only $(wc -l <"$out/ours") lines"; return 1; }
	diff "$out/shark" "$out/ours" | head -n 20
	cmp -s "$out/shark" "$out/ours" || { cat "$out/err"; return 1; }
}

# What the tool says of INT packets with these instructions, as frames_fields does.
ours() {
	awk -v want="$1" '
		index($0, want) {
			split("", v)
			n = split($0, w, /[ |]+/)
			for (i = 1; i <= n; i++) {
				if (split(w[i], kv, "=") < 2)
					continue
				k = kv[1]
				x = k == "node" ? hex(kv[2]) : kv[2]
				if (k == "queue" && index(x, "/"))
					sub(/\/.*/, "", x)
				if (k in v)
					v[k] = v[k] "," x
				else
					v[k] = x
			}
			line = v["seq"]
			for (i = 2; i <= split(cols, c, " "); i++)
				line = line " " v[c[i]]
			print line
		}
		function hex(s, i, d) {
			d = 0
			for (i = 1; i <= length(s); i++)
				d = 16 * d + index("0123456789abcdef", substr(s, i, 1)) - 1
			return d
		}' cols="$2" "$out/h2.txt" >"$out/ours"
}

telemetry() {
	ours "flow=0 " "seq hops rem_hop node in out egress tx_bytes qlen mbps"
	frames_fields "$out/h2.pcap" "rxe_cc_int.instr == 0xc400" infiniband.bth.psn \
		rxe_cc_int.hops rxe_cc_int.rem_hop rxe_cc_int.hop.node \
		rxe_cc_int.hop.in_port rxe_cc_int.hop.out_port \
		rxe_cc_int.hop.egress_ts_ns rxe_cc_int.hop.tx_bytes \
		rxe_cc_int.hop.queue_bytes rxe_cc_int.hop.speed_mbps >"$out/shark"
	same 100
}

telemetry6() {
	ours "flow=1 " "seq hops node latency queue ingress qlen"
	frames_fields "$out/h2.pcap" "ipv6 and rxe_cc_int.e == 1" infiniband.bth.psn rxe_cc_int.hops \
		rxe_cc_int.hop.node rxe_cc_int.hop.latency_ns rxe_cc_int.hop.queue \
		rxe_cc_int.hop.ingress_ts_ns rxe_cc_int.hop.queue_bytes >"$out/shark"
	same 20
}

plain() {
	frames_fields "$out/h2.pcap" "ip.dsfield.dscp == 26 and infiniband and not rxe_cc_int.instr" \
		infiniband.bth.psn >"$out/shark"
	awk '/flow=2 /' "$out/h2.txt" | sed 's/.*seq=//' >"$out/ours"
	same 20
}

pfc() {
	frames_fields "$out/h1.pcap" "macc.opcode == 0x0101" macc.cbfc.enbv macc.cbfc.pause_time.c3 >"$out/shark"
	sed -n 's/.* control opcode=0101 enable=\(....\) quanta=[0-9]*,[0-9]*,[0-9]*,\([0-9]*\),.*/0x\1 \2/p' \
		"$out/h1.txt" >"$out/ours"
	same 3 && grep -qx '0x0008 300' "$out/ours" && grep -qx '0x0008 0' "$out/ours"
}

sound() {
	frames_fields "$out/h2.pcap" "_ws.malformed or rxe_cc_int.expert.malformed or _ws.expert.group == \"Malformed\"" \
		frame.number >"$out/shark"
	frames_fields "$out/h1.pcap" "_ws.malformed or macc.dst_address_invalid or macc.cbfc.enbv.not_zero" \
		frame.number >>"$out/shark"
	cat "$out/shark"
	[ ! -s "$out/shark" ]
}

ktap_print_header
ktap_check "capture in the lab" frames_uml "$(realpath "$0")" inside "$out"
ktap_check "INT over IPv4, every field" telemetry
ktap_check "INT over IPv6, other instructions, E" telemetry6
ktap_check "RoCE without INT" plain
ktap_check "PFC" pfc
ktap_check "nothing is malformed" sound
ktap_finished
