#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab capture`: hops of a capture over six ports of a fat-tree as the dissector has them;
#   written as IOAM the same by tshark's own decoder, as IFA by a table of its fields; records of all
#   three are the same; IOAM and IFA of others; cut, lying and damaged packets
#
# Three decoders that share no code with it: our dissector for INT, tshark's for IOAM, and a table
# of fields here for IFA.
# shellcheck disable=SC2317 # functions are called through ktap_check
set -u
# shellcheck source=selftests/lib/lab_lib.sh
. "$(dirname "$0")/../lib/lab_lib.sh"
# shellcheck source=selftests/lib/packets_lib.sh
. "$(dirname "$0")/../lib/packets_lib.sh"

ktap_print_header
for p in tshark dumpcap text2pcap editcap mergecap perl; do
	command -v $p >/dev/null || ktap_skip_all "$p: not installed"
done
lua=$RXE_CC_TOP/tools/wireshark/rxe_cc.lua
tmp=$LAB_OUT

shark() { WIRESHARK_CONFIG_DIR=$tmp tshark -o udp.ignore_ipv6_zero_checksum:TRUE "$@" 2>"$tmp/stderr"; }

# same TEXT COMMAND...: prints TEXT
same() {
	local want=$1 got
	shift
	got=$("$@" 2>&1)
	[ "$got" = "$want" ] || { printf 'want %s\ngot  %s\n' "$want" "$got"; return 1; }
}

# records FILE OPTION...: without the format
records() { "$LAB" capture "$tmp/$1" -q "${@:2}" | sed 's/,\(int\|ioam\|ifa\),/,/'; }

# Rows packet, hop, then fields, the first port first, of lines with lists that have the newest
# first. Numbers are decimal, "-" is all ones. perl has 64 bits, awk has not.
unlist() {
	perl -ne '
		chomp;
		my ($packet, @lists) = map { [split /,/] } split /;/, $_, -1;
		my $n = @{$lists[0]};
		for my $i (1 .. $n) {
			print join(",", $packet->[0], $i, map { $_->[$n - $i] // "-" } @lists), "\n";
		}'
}

# Real traffic: h0 writes to h15, over the ports of h0 and five switches.
traffic() {
	cat >"$tmp/commands" <<-END
	ip link set lo up
	ip netns exec e7 dumpcap -q -i h15 -w $tmp/int.pcapng &
	flowgen server --dev rxe_h15 --once &
	sleep 2
	flowgen client 127.0.0.1 --dev rxe_h0 --size 64kb --count 2
	sleep 2
	kill %1
	wait %1
	END
	"$LAB" shell fattree --set k=4 --cc hpcc --clock virtual <"$tmp/commands" >"$tmp/log" 2>&1
	[ -s "$tmp/int.pcapng" ] && return
	cat "$tmp/log"
	return 1
}

dissector() {
	shark -X "lua_script:$lua" -r "$tmp/int.pcapng" -Y 'rxe_cc_int.hops == 6' -T fields -E separator=';' \
		-e frame.number -e rxe_cc_int.hop.node -e rxe_cc_int.hop.in_port \
		-e rxe_cc_int.hop.out_port -e rxe_cc_int.hop.egress_ts_ns -e rxe_cc_int.hop.queue_bytes \
		-e rxe_cc_int.hop.tx_bytes -e rxe_cc_int.hop.speed_mbps | unlist
}

# our FILE OPTION...: the same columns of our records
our() {
	"$LAB" capture "$tmp/$1" -q "${@:2}" | awk -F, -v OFS=, 'NR > 1 {
		print $1, $9, $11, $12, $13, $15, $18, $19, $20 }'
}

agree() {
	local n
	n=$(wc -l <"$tmp/want")
	[ "$n" -ge 600 ] || { echo "only $n hops"; cat "$tmp/stderr"; return 1; }
	diff "$tmp/want" "$tmp/got" | head -n 10
	cmp -s "$tmp/want" "$tmp/got"
}

as_dissector() {
	dissector >"$tmp/want"
	our int.pcapng >"$tmp/got"
	agree
}

# tshark's IOAM dissector has hexadecimal numbers, but for the hop limit.
ioam_by_tshark() {
	local f=ipv6.opt.ioam.trace.node
	shark -r "$tmp/ioam.pcap" -Y 'ipv6.opt.ioam.trace.ns == 0x0cc1' -T fields -E separator=';' \
		-e frame.number -e $f.id_wide -e $f.iif -e $f.eif -e $f.tss -e $f.tsf -e $f.qdepth \
		-e $f.nsdata_wide -e $f.nsdata |
		perl -pe 's/0x([0-9a-f]+)/hex $1/ge' | unlist |
		perl -F, -lane 'print join ",", @F[0 .. 4], $F[5] * 1_000_000_000 + $F[6], @F[7 .. 9]'
}

as_ioam() {
	dissector >"$tmp/want"
	ioam_by_tshark >"$tmp/got"
	agree
}

# faults FILE...: packets with which tshark finds something wrong
faults() {
	local f
	for f; do
		shark -o ip.check_checksum:TRUE -r "$tmp/$f" -T fields -e frame.number \
			-Y '_ws.malformed or _ws.expert.severity == error'
	done
}

# The table of fields: name, bits. From draft-kumar-ippm-ifa-08 and what vendors publish of LNS 1;
# opaque words as Documentation/devel/wire.md has them.
ifa_by_table() {
	perl -e '
		my @field = ([lns => 4], [node => 20], [ttl => 8], [speed => 4], [congestion => 2],
			[queue => 6], [sec => 20], [out => 16], [in => 16], [ns => 32],
			[residence => 32], [tx => 32], [reserved => 16], [cells => 16], [bytes => 32]);
		my @mbps = (10000, 25000, 40000, 50000, 100000, 200000, 400000);
		local $/;
		my $file = <STDIN>;
		my $at = 24;
		for (my $n = 1; $at < length $file; $n++) {
			my ($s, undef, $len) = unpack "VVV", substr $file, $at, 12;
			my $p = substr $file, $at + 16, $len;
			$at += 16 + $len;
			my $l4 = 14 + (unpack("n", substr $p, 12, 2) == 0x86dd ? 40 : 20);
			next if ord(substr $p, $l4 == 54 ? 20 : 23, 1) != 253;
			my ($version, $next, $flags, $max) = unpack "C4", substr $p, $l4, 4;
			die "header" if $version != 0x2f || $next != 17 || $flags || $max != 255;
			my ($request, $action, $limit, $words) = unpack "C4", substr $p, $l4 + 12, 4;
			die "length" if $words % 8;
			for my $i (1 .. $words / 8) {
				my $bits = unpack "B256", substr $p, $l4 + 16 + 4 * $words - 32 * $i, 32;
				my %v;
				for (@field) {
					my ($name, $size) = @$_;
					$v{$name} = oct "0b" . substr $bits, 0, $size, "";
				}
				die "LNS" if $v{lns} != 12;
				die "cells" if $v{cells} != int(($v{bytes} + 255) / 256);
				my $sec = $v{sec} + (($s >> 20) << 20);
				print join(",", $n, $i, $v{node}, $v{in}, $v{out},
					$sec * 1_000_000_000 + $v{ns}, $v{bytes}, $v{tx}, $mbps[$v{speed}]), "\n";
			}
		}' <"$tmp/ifa.pcap"
}

as_ifa() {
	dissector >"$tmp/want"
	ifa_by_table >"$tmp/got"
	agree
}

export_to() { "$LAB" capture "$tmp/$1" -q --to "$2" --out "$tmp/$3"; }

back() {
	local f
	records "$1" >"$tmp/want"
	for f in ioam ifa; do
		export_to "$1" $f back.pcap || return
		records back.pcap >"$tmp/got"
		diff "$tmp/want" "$tmp/got" | head -n 6
		cmp -s "$tmp/want" "$tmp/got" || { echo $f; return 1; }
	done
}

# Without INT a packet is as its sender made it: what is not INT's is the same in both.
inner() {
	local fields=(-T fields -e infiniband.bth.opcode -e infiniband.bth.destqp -e infiniband.bth.psn
		-e infiniband.invariant.crc)
	shark -X "lua_script:$lua" -r "$tmp/int.pcapng" "${fields[@]}" >"$tmp/want"
	shark -r "$tmp/ioam.pcap" "${fields[@]}" >"$tmp/got"
	diff "$tmp/want" "$tmp/got" | head -n 6
	cmp -s "$tmp/want" "$tmp/got"
}

ktap_check "a capture of the lab" traffic
ktap_check "records are what the dissector has" as_dissector
ktap_check "INT becomes IOAM" export_to int.pcapng ioam ioam.pcap
ktap_check "... which tshark decodes to the same figures" as_ioam
ktap_check "... around the packets as they were sent" inner
ktap_check "INT becomes IFA" export_to int.pcapng ifa ifa.pcap
ktap_check "... which the table of its fields decodes to the same figures" as_ifa
ktap_check "nothing is malformed, checksums are right" same "" faults ioam.pcap ifa.pcap
ktap_check "records of IOAM and of IFA are those of INT" back int.pcapng

# By hand: every instruction that ports know, over IPv6, a port that knows nothing, two VLAN tags.
bth=0440ffff00000011800000010102030405060708090a0b0c0d0e0f10deadbeef
all=10140000200011fffc000cc1e0000000
# node, ports, latency, queue, arrival, departure, bytes, queue, speed
hop="01020304 00050006 00000064 03000a0b 17979cfe362a0000 17979cfe362a0064 0000000300000007 00012345 000186a0"
ones=$(printf 'ff%.0s' {1..48})
# at SECONDS NAME: hex dumps from stdin, captured then
at() { capture raw && editcap -F pcap -t "$(perl -e 'printf "%d", $ARGV[0] - $ARGV[1]' "$1" \
	"$(shark -r "$tmp/raw.pcap" -c 1 -T fields -e frame.time_epoch)")" "$tmp/raw.pcap" "$tmp/$2.pcap"; }
{
	v6 27 "101b0000 20000c06 fc000cc1 e0000000" "$hop" "$ones" "$bth"
	v4 27 "100f0000 24000c00 fc000cc1 e0000000" "$hop" "$bth"
	v4 27 "10030000 20000c00 fc000cc1 e0000000" "$bth"
	v4 26 "$bth"
} | at 1700000000 hand
cols() { "$LAB" capture "$tmp/$1.pcap" -q "${@:2}" | tail -n +2 | cut -d, -f1,3-; }
known="1,16909060,5,6,1700000000000000000,1700000000000000100,100,3,74565,12884901895,100000"
ktap_check "all fields, ports that know nothing, no hop, E" same \
	"1,int,fd00::1,fd00::2,17,1,2,1,0,,,,,,,,,,
1,int,fd00::1,fd00::2,17,1,2,2,0${known#1}
2,int,10.0.0.1,10.0.0.2,17,1,1,1,1${known#1}" cols hand
lost() {
	export_to hand.pcap ioam hand-ioam.pcap && export_to hand.pcap ifa hand-ifa.pcap
	cols hand-ioam | sed 's/,3,74565/,,74565/'
	cols hand-ifa
}
ktap_check "... what IOAM and IFA have of them" same \
	"1,ioam,fd00::1,fd00::2,17,1,2,1,0,,,,,,,,,,
1,ioam,fd00::1,fd00::2,17,1,2,2,0,16909060,5,6,1700000000000000000,1700000000000000100,100,,74565,12884901895,100000
2,ioam,10.0.0.1,10.0.0.2,17,1,1,1,1,16909060,5,6,1700000000000000000,1700000000000000100,100,,74565,12884901895,100000
1,ifa,fd00::1,fd00::2,17,1,2,1,0,,,,,,,,,,
1,ifa,fd00::1,fd00::2,17,1,2,2,0,131844,5,6,1700000000000000000,1700000000000000100,100,3,74565,7,100000
2,ifa,10.0.0.1,10.0.0.2,17,1,1,1,0,131844,5,6,1700000000000000000,1700000000000000100,100,3,74565,7,100000" lost
says() { { "$LAB" capture "$tmp/$1" "${@:2}" >/dev/null; } 2>&1; }
ktap_check "... and it says what is lost" same \
	"lab: packets: all 4, int 3, ioam 0, ifa 0, plain 1, cut 0, malformed 0, other 0; hops: 3
lab: 2 hops with a node of more than 20 bits: IFA has the lower ones" \
	says hand.pcap --to ifa --out "$tmp/x.pcap"

# Seven hops of ten words: six fit into an option.
{
	v4 27 "1057 0000 20000c01 fc000cc1 e0000000" "$(for _ in 1 2 3 4 5 6 7; do echo "$hop"; done)" "$bth"
} | at 1700000000 seven
fit() {
	export_to seven.pcap ioam seven-ioam.pcap
	shark -r "$tmp/seven-ioam.pcap" -T fields -e ipv6.opt.ioam.trace.flag.o -e ipv6.opt.ioam.trace.node.tsf |
		tr ',' '\n' | wc -l
	cols seven-ioam | cut -d, -f7-9 | tail -n 1
	says seven.pcap --to ioam --out "$tmp/x.pcap" | tail -n 1
}
ktap_check "hops that do not fit are left out, O is set" same \
	$'6\n6,6,1\nlab: 1 packets with more hops than fit: the last ones are left out' fit

# What others send. IOAM: namespace 123, short fields, a snapshot, 4 bytes free; the same as an
# incremental trace in front of ICMPv6; direct export. IFA: LNS 1; TCP; a fragment of metadata.
ip6() {
	local p
	p=$(concat "${@:2}")
	dump 020000000002020000000001 86dd 60000000 "$(printf '%04x' $((${#p} / 2)))" "${1}40" \
		fd000000000000000000000000000001 fd000000000000000000000000000002 "$p"
}
ip4() {
	local p
	p=$(concat "${@:2}")
	dump 0200000000020200000000010800 4500 "$(printf '%04x' $((${#p} / 2 + 20)))" 00004000 "40$1" 0000 \
		0a000001 0a000002 "$p"
}
node="3f000007 00020003 6553f100 00000064 00000032 00000009"
udp=$(udp "$bth")
md="1000403f 4153f100 00050003 00000064 00000032 00001000 00000009 00000000"
foreign() {
	ip6 00 1109 0100 314a 0000 007b3001 fa000200 00000000 "$node" 01000005 aabbccdd "$node" \
		00ffffff "$udp"
	ip6 00 3a04 0100 3122 0001 007b3009 fa000000 "$node" 01020000 8000 0000
	ip6 00 1101 3106 0004 007b 0000 01020000 0000 "$udp"
	ip4 fd 2f1100ff "${udp:0:16}" 00000210 "$md" "$md" "$bth"
	ip4 fd 2f0600ff 00010002 00000000 00000000 60100000 00000000 00000000 00000208 "$md"
	ip4 fd 2f1110ff "${udp:0:16}" 00000208 "$md" "$bth"
}
foreign | at 1700000123 others
ktap_check "IOAM and IFA of others" same \
	"1,ioam,fd00::1,fd00::2,17,1,2,1,0,7,2,3,1700000000000000100,1700000000000000150,50,,9216,,
1,ioam,fd00::1,fd00::2,17,1,2,2,0,7,2,3,1700000000000000100,1700000000000000150,50,,9216,,
2,ioam,fd00::1,fd00::2,,,1,1,0,7,2,3,1700000000000000100,1700000000000000150,50,,9216,,
4,ifa,10.0.0.1,10.0.0.2,17,1,2,1,0,64,3,5,1700000000000000100,1700000000000000150,50,21,9216,4096,100000
4,ifa,10.0.0.1,10.0.0.2,17,1,2,2,0,64,3,5,1700000000000000100,1700000000000000150,50,21,9216,4096,100000
5,ifa,10.0.0.1,10.0.0.2,,,1,1,0,64,3,5,1700000000000000100,1700000000000000150,50,21,9216,4096,100000" \
	cols others --queue-unit 1kb
ktap_check "... what their records lack is said" same \
	"lab: packets: all 6, int 0, ioam 2, ifa 2, plain 0, cut 0, malformed 0, other 2; hops: 6
lab: 2 packets of foreign IOAM: it has no tx_bytes and no speed_mbps
lab: 2 packets of IFA: it has the lower 32 bits of tx_bytes
lab: 4 packets have queues in a unit of their own: give --queue-unit" says others.pcap
clocks() {
	local c
	for c in ptp ntp posix; do
		cols others --ioam-time $c | sed -n 1p | cut -d, -f13
	done
}
ktap_check "... on three clocks" same \
	$'1700000000000000100\n3785978496000000023\n1700000000000100000' clocks
json() { "$LAB" capture "$tmp/$1.pcap" -q -j | jq -c "$2"; }
ktap_check "as JSON" same '[6,null,50,6,2]' \
	json others '[(.hops | length), .hops[0].tx_bytes, .hops[5].latency_ns, .packets.all, .packets.ifa]'

# Where Debian's validator is; selftests/lab/json_schema.sh looks at the other documents.
schema() {
	local v
	v=$(PATH=/usr/bin:$PATH command -v jsonschema) || return "$KSFT_SKIP"
	jq '. + { "$ref": "#/$defs/capture" } | del(.anyOf)' "$RXE_CC_TOP/tools/lab/schema/lab.schema.json" \
		>"$tmp/schema" && "$LAB" capture "$tmp/others.pcap" -q -j >"$tmp/others.json" &&
		"$v" -i "$tmp/others.json" "$tmp/schema" || return 1
	jq '.hops[0].node = "1"' "$tmp/others.json" >"$tmp/fault.json"
	! "$v" -i "$tmp/fault.json" "$tmp/schema" 2>/dev/null
}
ktap_check "... by its schema" schema

# Lengths that lie, one each; then what is of another version or kind.
lies() {
	local u
	v4 27 10020000 20000804 c4000cc1 e0000000 "$bth"		# shim shorter than MD header
	v4 27 10ff0000 20000804 c4000cc1 e0000000 "$bth"		# stack longer than the packet
	v4 27 10040000 20000804 c4000cc1 e0000000 00000000 "$bth"	# half a hop
	v4 27 10030000 20000004 c4000cc1 e0000000 "$bth"		# hops of no length
	v4 27 10030000 20000704 c4000cc1 e0000000 "$bth"		# shorter than the instructions
	v4 27 10030000 20000804 c4000cc1 e0000000 0440ffff		# no BTH
	v4 27 "$all" "$bth" | sed 's/45 6e .. ../45 6e ff ff/'		# IP
	v4 27 "$all" "$bth" | sed 's/45 6e .. ../4f 6e 00 14/'		# options of IP
	u=$(v4 27 10030000 20000804 c4000cc1 e0000000 "$bth")
	echo "${u/12 b7 00/12 b7 ff}"					# UDP
	ip6 00 11ff 0100 310e 0000 007b3000 fa000000 "$udp"		# options beyond the packet
	ip6 00 1101 0100 31ff 0000 007b3000 fa000000 "$udp"		# an option beyond the options
	ip6 00 1101 0100 310a 0000 007b307f fa000000 "$udp"		# free space beyond the option
	ip6 00 1101 0100 310a 0000 007b0000 fa000000 "$udp"		# nodes of no length
	ip6 00 1101 0100 310a 0000 007b2800 fa000000 "$udp"		# shorter than the type
	ip6 00 1102 0100 310e 0000 007b3000 fa000000 00000000 01020000 "$udp"	# part of a node
	ip6 00 1103 0100 3116 0000 007b0800 80000200 00000000 ff000000 00000000 0000 "$udp"	# snapshot
	ip4 fd 2f1100ff "${udp:0:16}" 000002ff "$md"			# stack longer than the packet
	ip4 fd 2f06 00ff "$md"						# TCP header of no length
}
{
	v4 27 20030000 20000804 c4000cc1 e0000000 "$bth"		# not INT-MD
	v4 27 10030000 30000804 c4000cc1 e0000000 "$bth"		# version 3
	v4 27 10030000 20000804 c4020cc1 e0000000 "$bth"		# reserved instruction
	v4 27 10050000 20000200 00000cc1 10000000 9123456abcde1234 "$bth"	# compact
	ip4 fd 3f1100ff "${udp:0:16}" 00000200 "$bth"			# IFA 3
	ip4 fd 2f2f00ff 00000800 00000200				# GRE
	ip4 fd 2f1100ff "${udp:0:16}" 00000204 "${md:0:35}" "$bth"	# other metadata
} | at 1700000000 kinds
ktap_check "lengths that lie: all are counted, none is read" same \
	"lab: packets: all 18, int 0, ioam 0, ifa 0, plain 0, cut 0, malformed 18, other 0; hops: 0" \
	eval 'lies | at 1700000000 lies; says lies.pcap'
ktap_check "what is not known here is counted" same \
	"lab: packets: all 7, int 0, ioam 0, ifa 0, plain 0, cut 0, malformed 0, other 7; hops: 0" \
	says kinds.pcap
left_out() { export_to lies.pcap ioam none.pcap && shark -r "$tmp/none.pcap" -T fields -e frame.number; }
ktap_check "... and left out of exports" same "" left_out

# Every packet of the above cut at every byte, and damaged at random. The fuzz harness does
# the same with the sanitizers (tools/fuzz_inputs.sh).
mergecap -F pcap -a -w "$tmp/some.pcap" "$tmp"/{hand,hand-ioam,hand-ifa,others,lies,kinds}.pcap
mergecap -F pcap -a -w "$tmp/many.pcap" "$tmp"/some.pcap{,,,,,,,,,}
sweep() {
	local i f n
	for ((i = 1; i < 200; i++)); do
		editcap -F pcap -s $i "$tmp/some.pcap" "$tmp/cut.pcap"
		"$LAB" capture "$tmp/cut.pcap" -q >"$tmp/out" || { echo "cut at $i: $?"; return 1; }
		n=$(wc -l <"$tmp/out")
		[ "$n" -ge "${last:-0}" ] || { echo "$n hops at $i, fewer than before"; return 1; }
		last=$n
	done
	for ((i = 1; i < 20; i++)); do
		editcap -F pcap -E 0.03 --seed $i -o 12 "$tmp/many.pcap" "$tmp/bad.pcap" 2>/dev/null
		for f in ioam ifa; do
			"$LAB" capture "$tmp/bad.pcap" -q --to $f --out "$tmp/out.pcap" || return
			"$LAB" capture "$tmp/out.pcap" >"$tmp/out" 2>"$tmp/say" || return
			grep -q "int 0, .* malformed 0," "$tmp/say" || { cat "$tmp/say"; return 1; }
		done
	done
}
ktap_check "cut at every byte, and damaged" sweep

# refused TEXT ARGUMENT...: exit status 2, and one line
refused() {
	local out rc
	out=$({ "$LAB" capture "${@:2}" >/dev/null; } 2>&1)
	rc=$?
	[ "$rc" -eq 2 ] && [ "$out" = "lab: $1" ] && return
	echo "$rc: $out"
	return 1
}
errors() {
	echo "no capture" >"$tmp/text"
	editcap -F pcap -T rawip "$tmp/hand.pcap" "$tmp/raw-ip.pcap"
	refused 'exactly one capture expected; see "lab capture --help"' &&
		refused "$tmp/none: No such file or directory" "$tmp/none" &&
		refused "$tmp/text: unknown file format" "$tmp/text" &&
		refused "$tmp/raw-ip.pcap: packets of Raw IP, not Ethernet" "$tmp/raw-ip.pcap" &&
		refused "--to ifa: --out FILE is missing" "$tmp/hand.pcap" --to ifa &&
		refused "--to ifa: packets are not JSON" "$tmp/hand.pcap" --to ifa --out "$tmp/x" -j &&
		refused "--out $tmp/hand.pcap: is the capture itself" "$tmp/hand.pcap" --out "$tmp/hand.pcap" &&
		refused "--to int: must be ioam or ifa" "$tmp/hand.pcap" --to int
}
ktap_check "bad arguments and files: one line" errors
cut_file() {
	head -c -5 "$tmp/hand.pcap" >"$tmp/half.pcap"
	"$LAB" capture "$tmp/half.pcap" >"$tmp/out" 2>"$tmp/say"
	[ $? -eq 1 ] && [ "$(wc -l <"$tmp/out")" = 4 ] && grep -q "half.pcap: after packet 3: truncated" "$tmp/say"
}
ktap_check "a file that ends early: what is there, and status 1" cut_file

ktap_finished
