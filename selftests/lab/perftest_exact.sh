#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: perftest at 100 and 400 Gbit/s, MTU 1024 and 4096: goodput of WRITE, READ and SEND within 0.1 %
#   of the derived one, without an algorithm and with dcqcn, and within a packet of its target under
#   hpcc; half round trips of 2 B to 8 MB are the derived time and whole polls; `FULL=1`: all of it
#
# Two devices with a switch between them, each cable 1 us (lab perftest). A packet has MTU bytes of
# payload, 58 of Ethernet, IP, UDP, BTH and ICRC, and 24 of FCS, preamble and gap. The first of a
# WRITE has 16 more (RETH), first and last of a READ's answer have 4 (AETH), so has an ACK, and a
# READ request is 98 + 24 bytes.
#
# Goodput: from the first post to the last completion all packets go at the rate of the link, then the
# last one goes behind the switch, and its ACK comes back; of READs the first request goes there
# first. perftest looks once more for each poll. DCQCN alone on its path gets no mark and is at line rate.
#
# Latency: the packets of a message follow each other, and each is stored and sent on by the switch.
# With ib_send_lat the receiver sees a message with its next poll. ib_write_lat spins on the last byte
# and sees it at once, but before that it polls for the completion of what it has sent itself, whose
# ACK comes with the peer's answer. So half a round trip is at most a poll longer. perftest prints
# hundredths of a us. A read of the cycle counter takes 1 ns. Payload is padded to 4 bytes.
. "$(dirname "$0")/../lib/lab_lib.sh"

command -v ib_write_bw >/dev/null || ktap_skip_all "no perftest"
[ -e "$RXE_CC_BUILD/uml-lab/stock/rdma_rxe.ko" ] || ktap_skip_all "no stock rxe (make lab)"
POLL_NS=50
ROUNDED_NS=5
READS_NS=4
HANGS=900

# perftest_run NAME CC TESTS SIZES RATE MTU N
perftest_run() {
	rm -rf "${LAB_OUT:?}/$1"
	timeout -k 10 $HANGS "$LAB" perftest -q --cc "$2" --tests "$3" --sizes "$4" --set rate="$5" \
		--out "$LAB_OUT/$1" -- -m "$6" -n "$7" >"$LAB_OUT/said" 2>&1 </dev/null || { tail -n 20 "$LAB_OUT/said"; return 1; }
}

# result NAME FILTER: lines of words
result() { jq -r ".results[] | $2" "$LAB_OUT/$1/perftest.json"; }

# The derived goodput of N messages, as awk's function.
goodput='
	function ser(bytes) { return bytes * 8 / rate }
	function goodput(test, size, mtu, n,	packets, wire, ns) {
		packets = int((size + mtu - 1) / mtu)
		wire = size + packets * 82 + (test == "write_bw" ? 16 : test == "read_bw" ? packets > 1 ? 8 : 4 : 0)
		ns = n * ser(wire) + 4000
		if (test == "read_bw")
			ns += 2 * ser(122) + ser(mtu + 86)
		else
			ns += ser(mtu + 82) + 2 * ser(86)
		return n * size * 8 / ns * 1e9
	}'

# bandwidth RATE MTU N: of 64 KiB messages under none and dcqcn
bandwidth() {
	local name=bw test size v
	perftest_run $name none,dcqcn write_bw.RC.plain,read_bw.RC.plain,send_bw.RC.plain 64kb "$1gbit" "$2" "$3" || return 1
	while read -r test size v; do
		near "$v" "$(awk -v rate="$1" "$goodput"' BEGIN { print goodput(ARGV[1], ARGV[2], ARGV[3], ARGV[4]) }' \
			"$test" "$size" "$2" "$3")" 0.001 || { echo "$test"; return 1; }
	done <<<"$(result $name 'select(.cc != "stock") | "\(.test) \(.size_bytes) \(.goodput_bps)"')"
}

# From the post to the last byte at the receiver.
latency='
	function latency(test, size, mtu,	at_switch, behind, left, first, bytes) {
		first = test == "write_lat" ? 16 : 0
		for (left = size; left > 0; left -= mtu) {
			bytes = int(((left > mtu ? mtu : left) + 3) / 4) * 4 + 82 + first
			first = 0
			at_switch += bytes * 8 / rate
			behind = (behind > at_switch ? behind : at_switch) + bytes * 8 / rate
		}
		return behind + 2000
	}'

# latencies RATE MTU N SIZES
latencies() {
	local name=lat test size v want
	perftest_run $name none write_lat.RC.plain,send_lat.RC.plain "$4" "$1gbit" "$2" "$3" || return 1
	while read -r test size v; do
		want=$(awk -v rate="$1" "$latency"' BEGIN { print latency(ARGV[1], ARGV[2], ARGV[3]) }' "$test" "$size" "$2")
		is "$v" ">=" "$(awk -v w="$want" -v r=$ROUNDED_NS 'BEGIN { print w - r }')" &&
			is "$v" "<=" "$(awk -v w="$want" -v r=$((ROUNDED_NS + READS_NS + POLL_NS)) 'BEGIN { print w + r }')" ||
			{ echo "$test of $size bytes"; return 1; }
	done <<<"$(result $name 'select(.cc == "none") | "\(.test) \(.size_bytes) \(.median_ns)"')"
}

# HPCC alone on the link. Telemetry is 80 bytes of a packet there: 16, and 32 for each of two ports.
# At rest the window W fulfils W = W eta / u + W_ai, with eta = 0.95, W_ai = W_init (1 - eta) / 100 and
# W = eta W_init. So the use u of the link is at most eta / (1 - W_ai / W).
# A packet is sent when it fits into the window, so less than a packet of the window is not used. W is
# at least what eta of the link carries in a round trip, of which the delays and the packet's time on
# two cables are a part. So u is at least eta (1 - packet / W).
#   hpcc_holds MTU
hpcc_holds() {
	local v
	perftest_run hpcc hpcc write_bw.RC.plain 64kb 100gbit "$1" 2000 || return 1
	v=$(result hpcc 'select(.cc == "hpcc") | .goodput_bps')
	awk -v goodput="$v" -v mtu="$1" 'BEGIN {
		size = 65536; eta = 0.95; ns = 4000 + 2 * (mtu + 82) * 8 / 100
		used = goodput * (size + int((size + mtu - 1) / mtu) * 162 + 16) / size / 1e11
		least = eta * (1 - (mtu + 162) / (eta * 100 / 8 * ns)); most = eta / (1 - (1 - eta) / 100 / eta)
		printf "%.4f of the link, derived %.4f to %.4f\n", used, least, most
		exit !(used >= least && used <= most)
	}'
}

all_sizes=2,4,8,16,32,64,128,256,512,1kb,2kb,4kb,8kb,16kb,32kb,64kb,128kb,256kb,512kb,1mb,2mb,4mb,8mb

ktap_print_header
for mtu in 1024 4096; do
	ktap_check "hpcc, 100 Gbit/s, MTU $mtu: within a packet of its target" hpcc_holds $mtu
done
if [ -n "${FULL:-}" ]; then
	for rate in 100 400; do
		for mtu in 1024 4096; do
			ktap_check "none, $rate Gbit/s, MTU $mtu: goodput" bandwidth $rate $mtu 1000
			ktap_check "none, $rate Gbit/s, MTU $mtu: latency of 2 B to 8 MB" latencies $rate $mtu 20 $all_sizes
		done
	done
else
	ktap_check "none, 100 Gbit/s, MTU 4096: goodput" bandwidth 100 4096 400
	ktap_check "none, 400 Gbit/s, MTU 1024: goodput" bandwidth 400 1024 400
	ktap_check "none, 100 Gbit/s, MTU 1024: latency" latencies 100 1024 20 2,1kb,8kb
	ktap_check "none, 400 Gbit/s, MTU 4096: latency" latencies 400 4096 10 64,4097,1mb
fi
ktap_finished
