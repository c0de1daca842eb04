#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: tshark reads the congestion notification packets (CNPs) of a switch that runs Mercury,
#   windows and all
#
#	h1 ---- p1 [sw] p3 ---- h3		captured at h1 and h2
#	h2 ---- p2 [sw]
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"

# guest DIR: the capture, and the switch's trace
guest() {
	frames_fixed_switch 3 || return
	frames_ports <<-PORTS || return
	sw:p1 rate 100gbit delay 1us switch auto
	sw:p2 rate 100gbit delay 1us switch auto
	sw:p3 rate 40gbit delay 1us switch auto prio 3 mercury 20kb
	PORTS
	frames_run <<-STEPS
	port h1 h2 h3
	trace mercury_cnp
	data h1,h2 to=h3 count=400 size=64-2048 gap=300ns
	settle
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
frames_prepare
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT


# A CNP of the standard, and not a word of complaint: DSCP, length, P_Key, PSN 0; BECN is
# in byte 4 of the BTH, which tshark calls reserved.
decodes() {
	local h n
	for h in h1 h2; do
		n=$(frames_fields "$out/$h.pcap" "infiniband.bth.opcode == 0x81" ip.dsfield.dscp udp.length \
			infiniband.bth.p_key infiniband.bth.psn udp.payload |
			sed 's/ [0-9a-f]\{8\}\(..\)[0-9a-f]*$/ \1/' | sort -u)
		[ "$n" = "48 40 65535 0 40" ] || { echo "$h: $n"; cat "$out/err"; return 1; }
		n=$(frames_fields "$out/$h.pcap" '_ws.malformed' frame.number)
		[ -z "$n" ] || { echo "malformed at $h: $n"; return 1; }
	done
}

# PSN of the packet and window, in hexadecimal digits: behind the BTH of 12 bytes, and in
# the switch's trace.
windows() {
	local h
	for h in h1 h2; do
		frames_fields "$out/$h.pcap" "infiniband.bth.opcode == 0x81" udp.payload
	done | awk '{ gsub(":", "", $1); print substr($1, 41, 8), substr($1, 25, 8) }' |
		sort >"$out/shark"
	sed -n 's/.* psn=\([0-9]*\) error=0 window_bytes=\([0-9]*\) .*/\1 \2/p' "$out/trace" |
		while read -r psn bytes; do
			printf '%08x %08x\n' "$psn" "$bytes"
		done | sort >"$out/ours"
	[ "$(wc -l <"$out/ours")" -ge 10 ] || { head "$out/shark" "$out/ours"; return 1; }
	cmp "$out/shark" "$out/ours"
}

# What our dissector reads: the port of a CNP is the lower 16 bits of the CRC-32 of the port's
# address, 02:00:00:ab:00:03 for p3.
port_number() {
	printf '\x02\x00\x00\xab\x00\x03' | gzip -c | tail -c 8 | od -An -tu4 -N4 |
		awk '{ print (4294967295 - $1) % 65536 }'
}

dissects() {
	# shellcheck disable=SC2034 # frames_fields takes it
	local h want FRAMES_TSHARK=(-X "lua_script:$RXE_CC_TOP/tools/wireshark/rxe_cc.lua")
	want="1 $(port_number) True True True"
	for h in h1 h2; do
		frames_fields "$out/$h.pcap" "infiniband.bth.opcode == 0x81" rxe_cc.cnp.window_bytes rxe_cc.cnp.psn rxe_cc.cnp.origin \
			rxe_cc.cnp.port rxe_cc.cnp.forward rxe_cc.cnp.has_window rxe_cc.cnp.has_psn
	done | sed 's/\<1 1 1$/True True True/' >"$out/fields"
	awk -v want="$want" '{ $1 = $2 = ""; sub(/^ +/, ""); if ($0 != want) { print $0 ", not " want; bad = 1 } }
		END { exit bad || NR < 10 }' "$out/fields" || { head -n 3 "$out/fields"; return 1; }
	awk '{ printf "%08x %08x\n", $2, $1 }' "$out/fields" | sort | cmp - "$out/ours"
}

ktap_print_header
ktap_check "capture in the lab" frames_uml "$(realpath "$0")" inside "$out"
ktap_check "CNPs, and nothing is malformed" decodes
ktap_check "the switch's windows" windows
ktap_check "our dissector: windows, PSNs, the port's number" dissects
ktap_finished
