# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154 # tmp
# Packets made by hand, as hex dumps that text2pcap reads; sourced. The caller has $tmp.
#
#	concat HEX...		without blanks
#	udp HEX...		the datagram to port 4791 with that as payload
#	v4 DSCP HEX...		a frame with it over IPv4
#	v6 DSCP HEX...		the same over IPv6
#	dump HEX...		a frame of these bytes
#	capture NAME		hex dumps from stdin to $tmp/NAME.pcap

# concat HEX...: without blanks
concat() { printf '%s' "$@" | tr -d ' \n'; }

# udp HEX: the datagram to port 4791 with HEX as payload
udp() {
	local p
	p=$(concat "$@")
	printf 'c00012b7%04x0000%s' $((${#p} / 2 + 8)) "$p"
}

# v4 DSCP HEX...: a frame over IPv4, as a hex dump that text2pcap reads
v4() {
	local u dscp=$1
	shift
	u=$(udp "$@")
	dump 02000000000202000000000108004500 "$(printf '%04x' $((${#u} / 2 + 20)))" \
		00004000401100000a0000010a000002 "$u" | sed "s/08 00 45 00/08 00 45 $(tos "$dscp")/"
}

# v6 DSCP HEX...
v6() {
	local u dscp=$1
	shift
	u=$(udp "$@")
	dump 020000000002020000000001 86dd "6$(tos "$dscp")00000" "$(printf '%04x' $((${#u} / 2)))" \
		1140 fd000000000000000000000000000001 fd000000000000000000000000000002 "$u"
}

tos() { printf '%02x' $(($1 << 2 | 2)); }
dump() { echo "000000 $(concat "$@" | sed 's/../& /g')"; }

# capture NAME: hex dumps from stdin to a file
capture() { text2pcap -q - "$tmp/$1.pcap" 2>/dev/null && [ -s "$tmp/$1.pcap" ]; }
