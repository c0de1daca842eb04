#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the computed headroom is enough for cables of 0 to 100 us (`FULL=1`: 1 ms) and 80 % of it
#   is not from 10 us on
#
# The computed headroom is enough at every cable length, and not much more than
# enough where the cable decides. N senders at 100 Gbit/s into one port, each with
# more to send than fits between the first packet and its pause; a fixed X_off, so
# that the headroom begins at the same fill on every port. There is no pacing.
#
# How much of it is used: after a port has asked for a pause, packets keep coming at
# line rate for 2 x delay, and a little longer: the pause frame waits for the packet that the
# port is sending and takes 6.72 ns itself, and the sender finishes the packet that it has
# begun. Meanwhile the bottleneck drains, in order of arrival, a packet of each
# sender in turn. So a port's headroom fills by
#	(1 - 1/N) x 2 x rate x delay, or up to two packets less,
# as arrivals and departures come in whole packets. The rest of the computed size
# is the share that drains, and three packets of the largest length: the one that
# does not fit (here a part of it does), one that may be on the line before the pause
# (here only ACKs of 86 bytes are), and one that the sender may have just begun.
#
# With N = 8 that is 87.5 % of 2 x rate x delay, and above 80 % of all if the delay is
# 10 us or more. So 80 % of the computed headroom must lose packets there.
#
# FULL=1: 1 ms too.
. "$(dirname "$0")/../lib/lab_lib.sh"

FULL=${FULL:-}
N=8
XOFF=100000

# under_way NS: bytes on a cable of this delay, there and back, at 100 Gbit/s
under_way() { echo $(($1 * 25)); }

# overload DIR NS OPTION...: half as much again as a sender can bring to the line
# before it is paused, and twice X_off, all of it posted at once (1024 messages of
# 64 packets). Given up after about twice the time that it should take.
overload() {
	local dir=$1 ns=$2
	shift 2
	LAB_DIR=$dir lab_run incast --cc none --set n=$N --set delay="${ns}ns" --set rate=100gbit \
		--set size="$(($(under_way "$ns") * 3 / 2 + 4 * XOFF))b" --set max_unacked=65536 \
		--set pfc=on --set buffer=1gb --set xoff=${XOFF}b --set xon=$((XOFF * 9 / 10))b \
		--set depth=1024 --set limit="$((16 * ns + N * ($(under_way "$ns") * 3 / 2 + 4 * XOFF) / 5))ns" \
		--set ib_timeout=18 --set sample=1ms "$@"
}

figure() { LAB_DIR=$1 lab_get incast/none/1 "$2"; }

enough() {
	local ns=$1 dir=$LAB_OUT/$1 used size cable
	overload "$dir" "$ns" || return 1
	used=$(figure "$dir" .pfc.headroom_peak_bytes)
	size=$(figure "$dir" .pfc.headroom_bytes)
	cable=$(under_way "$ns")
	awk -v ns="$ns" -v used="$used" -v size="$size" -v cable="$cable" -v n=$N \
		-v drops="$(figure "$dir" .drops.total)" 'BEGIN {
		printf "%8d ns  2 x rate x delay %9d  computed %9d  used %9d  %.3f of computed  at least %.3f  drops %d\n",
			ns, cable, size, used, used / size, (cable > 2564 ? (1 - 1 / n) * cable - 2244 : 0) / size, drops
	}' | tee -a "$LAB_OUT/table"
	is "$(figure "$dir" .drops.total)" "==" 0 &&
		is "$(figure "$dir" .retransmits)" "==" 0 &&
		is "$(figure "$dir" .switches.sw.used)" "==" 0 &&
		is "$(figure "$dir" .pfc.pause_frames)" ">=" $N &&
		is "$used" ">=" 1 && is "$used" "<=" "$size" &&
		is "$used" ">=" $((cable - cable / N - 2 * 1122))
}

# What does not hang on the cable is the same for all: three packets, a pause frame of
# 84 bytes, and two ns, as clocks show whole ones (25 bytes, rounded up). A packet of
# MTU 1024 has 1122 bytes with the longest header of a WRITE; the ports' MTU has room for
# INT over two links (80), for what rxe takes off (20 more) and for a VLAN tag (4).
adds_up() {
	local ns rest
	for ns in "$@"; do
		rest=$(($(figure "$LAB_OUT/$ns" .pfc.headroom_bytes) - $(under_way "$ns")))
		echo "$ns ns: $rest bytes besides the cable's"
		is "$rest" ">=" $((3 * 1122 + 84 + 26)) && is "$rest" "<=" $((3 * 1226 + 84 + 26)) || return 1
		is "$rest" "==" "$(figure "$LAB_OUT/$1" .pfc.headroom_bytes)" || return 1
	done
}

# As long as it would take without losses: rxe sends a lot again.
too_little() {
	local ns=$1 dir=$LAB_OUT/$1.80 size limit
	size=$(($(figure "$LAB_OUT/$ns" .pfc.headroom_bytes) * 8 / 10))
	limit=$((8 * ns + N * ($(under_way "$ns") * 3 / 2 + 4 * XOFF) / 12))
	overload "$dir" "$ns" --set headroom=${size}b --set limit=${limit}ns >/dev/null
	echo "headroom $size: $(figure "$dir" .drops.headroom) drops" | tee -a "$LAB_OUT/table"
	is "$(figure "$dir" .pfc.headroom_bytes)" "==" $size &&
		is "$(figure "$dir" .drops.headroom)" ">=" 1 &&
		is "$(figure "$dir" .drops.total)" "==" "$(figure "$dir" .drops.headroom)"
}

sweep=(0 100 1000 10000 100000)
[ -z "$FULL" ] || sweep+=(1000000)

ktap_print_header
for ns in "${sweep[@]}"; do
	ktap_check "delay $ns ns: lossless with the computed headroom" enough "$ns"
	[ "$ns" -lt 10000 ] ||
		ktap_check "delay $ns ns: losses with 80 % of it" too_little "$ns"
done
ktap_check "computed: 2 x rate x delay, three packets, a pause frame" adds_up "${sweep[@]}"
[ -z "$FULL" ] || ktap_print_msg "$(cat "$LAB_OUT/table")"
ktap_finished
