#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a port against a model, frame by frame, to the nanosecond; changed under load
#
# A roce port against a model, frame by frame, to the nanosecond of virtual
# time (port_model.c), and what an administrator may do to it under load:
#
#	port_model -> va [roce] ------ vb -> port_model
#
# With --debug or VARIANT=debug in the debug kernel.
set -u
. "$(dirname "$0")/../lib/ktap_helpers.sh"
lib=$RXE_CC_BUILD/tc
bin=$RXE_CC_BUILD/selftests
src=$RXE_CC_TOP/selftests/port

variant=${VARIANT:-lab} opt=''
[ "${1:-}" != --debug ] || variant=debug
if [ "${1:-}" != inside ]; then
	for f in "$RXE_CC_BUILD/uml-$variant"/{linux,sch_roce.ko} "$lib/q_roce.so" \
		"$RXE_CC_BUILD/bin/labinit"; do
		[ -e "$f" ] || ktap_skip_all "$f is not built"
	done
	for c in jq tc "${CC:-cc}"; do
		command -v "$c" >/dev/null || ktap_skip_all "no $c"
	done
	ktap_compile port_model "$src/port_model.c" -lm
	[ $variant = lab ] || opt=--debug
	exec "$UML_EXEC" ${opt:+$opt} --timeout 800 --modules sch_roce \
		--env "TC_LIB_DIR=$lib" -- "$(realpath "$0")" inside $variant
fi

variant=$2
ko=$RXE_CC_BUILD/uml-$variant/sch_roce.ko
flag=$bin/under-load
pid=
trap 'rm -f "$flag"; [ -z "$pid" ] || kill "$pid" 2>/dev/null' EXIT

# port OPTION...: a fresh port; frames OPTION...: frames through it.
port() {
	tc qdisc replace dev va root pfifo && tc qdisc replace dev va root roce "$@"
}
frames() { "$bin/port_model" --tx va --rx vb "$@"; }

# check_port NAME "PORT OPTIONS" FRAMES OPTION...
check_port() {
	local name=$1 opts
	read -ra opts <<<"$2"
	shift 2
	port "${opts[@]}" || { ktap_test_fail "$name"; return; }
	ktap_check "$name" frames "$@"
}

# stat FILTER: one figure of the port
stat_of() { tc -s -j qdisc show dev va | jq -r ".[0] | $1"; }

rates() {
	local r
	for r in 1 10 100 1000 10000 25000 40000 100000 200000 400000 800000; do
		check_port "exact at $r Mbit/s" "rate ${r}mbit" \
			--rate "${r}000000" --count 500 --gap $((1000000 / r + 1))
	done
	check_port "exact at 10312500001 bit/s" "rate 10312500001" \
		--rate 10312500001 --count 2000 --gap 2000
}

shapes() {
	local prios=(--dscp 0:0 --dscp 10:1 --dscp 26:3 --dscp 20:5 --dscp 48:6)

	check_port "one packet at a time" "rate 100gbit delay 1us" \
		--delay 1000 --size 128 --count 1
	check_port "delay of 2 ms keeps every gap" "rate 100gbit delay 2ms" \
		--delay 2000000 --count 3000 --gap 400
	check_port "overhead 0" "overhead 0" --overhead 0 --count 500
	check_port "overhead 512" "overhead 512" --overhead 512 --count 500
	check_port "strict priorities" "rate 25gbit delay 1234ns dscp 10:1 dscp 20:5" \
		--rate 25000000000 --delay 1234 "${prios[@]}" --count 10000 --gap 2000
	check_port "minimum frames at line rate" "rate 100gbit" \
		--size 60 --count 5000
}

limits() {
	check_port "port limit drops the right frames" "rate 10gbit limit 100kb" \
		--rate 10000000000 --limit 102400 --count 3000 --gap 3000 \
		--dscp 0:0 --dscp 26:3 --dscp 48:6
	check_port "priority limit drops the right frames" \
		"rate 10gbit prio 3 limit 50kb" \
		--rate 10000000000 --plimit 51200 --count 3000 --gap 3000
}

marks() {
	local when n
	for when in enqueue dequeue; do
		n=1
		[ $when = enqueue ] || n=2
		check_port "ECN ramp at $when" \
			"rate 10gbit prio 3 ecn $when kmin 10kb kmax 1mb pmax 0.5" \
			--rate 10000000000 --kmin 10240 --kmax 1048576 --pmax 0.5 \
			--ecn $n --ect 2 --count 30000 --gap 5000
		check_port "ECN of three priorities at $when" \
			"rate 10gbit prio 0 ecn $when prio 3 ecn $when prio 6 ecn $when" \
			--rate 10000000000 --kmin 40960 --kmax 163840 --pmax 0.2 \
			--ecn $n --ect 2 --count 10000 --gap 5000 \
			--dscp 0:0 --dscp 26:3 --dscp 48:6
		check_port "ECN step at $when" \
			"rate 10gbit prio 3 ecn $when kmin 50kb kmax 50kb" \
			--rate 10000000000 --kmin 51200 --kmax 51200 \
			--ecn $n --ect 1 --count 5000 --gap 4800
		check_port "no CE without ECT at $when" \
			"rate 10gbit prio 3 ecn $when kmin 0 kmax 0" \
			--rate 10000000000 --kmin 0 --kmax 0 --ecn $n --ect 0 --count 500
	done
	ktap_check "they are counted" not_ect_is 498
}

# The first starts at once and meets no queue, the last leaves none behind.
not_ect_is() {
	[ "$(stat_of '.prios[] | select(.prio == 3) | .ecn_not_ect')" = "$1" ]
}

# Two runs with one seed mark the same frames, another seed others.
same_seed() {
	local out=() s
	for s in 5 5 6; do
		port rate 10gbit seed $s prio 3 ecn enqueue kmin 0 kmax 10mb pmax 0.5
		out+=("$(frames --rate 10000000000 --kmin 0 --kmax 10485760 --pmax 0.5 \
			--ecn 1 --ect 2 --count 5000 --gap 2000 | sed 's/.*marked=\([0-9]*\).*/\1/')")
	done
	echo "${out[@]}"
	[ "${out[0]}" = "${out[1]}" ] && [ "${out[0]}" != "${out[2]}" ]
}

# A sender with room for few packets waits for departures, not for arrivals:
# 10 ms of wire do not slow it down.
departures() {
	local out span busy
	port rate 1gbit delay 10ms
	out=$(frames --rate 1000000000 --delay 10000000 --count 2000 --snd 20000) ||
		return 1
	echo "$out"
	span=${out#*span_ns=} busy=${out#*busy_ns=}
	# the line is never idle, then the last frame travels
	[ $((${span%% *} - 10000000)) -le $((${busy%% *} * 101 / 100)) ]
}

counters() {
	port rate 100gbit
	frames --size 1000 --count 1000 >/dev/null || return 1
	tc -s -j qdisc show dev va
	# 1024 wire bytes are 81.92 ns
	[ "$(stat_of .busy_ns)" = 81920 ] &&
		[ "$(stat_of .tx_wire_bytes)" = 1024000 ] &&
		[ "$(stat_of .tx_packets)" = 1000 ] &&
		[ "$(stat_of .bytes)" = 1000000 ] &&
		[ "$(stat_of .backlog)" = 0 ] && [ "$(stat_of .in_flight)" = 0 ]
}

# A device that is taken down while it sends: the line was busy until then, and with no frame
# longer than that. At 1 Mbit/s a byte takes 8 us, a frame 1024 of them.
cut_off() {
	local sent busy
	port rate 1mbit
	frames --size 1000 --count 10 >/dev/null 2>&1 &
	pid=$!
	sleep 0.02
	ip link set va down
	sent=$(stat_of .tx_wire_bytes) busy=$(stat_of .busy_ns)
	ip link set va up
	wait "$pid"
	pid=
	echo "$sent bytes begun, busy for $busy ns"
	[ "$sent" -gt 0 ] && [ "$busy" -lt $((sent * 8000)) ] &&
		[ "$busy" -gt $(((sent - 1024) * 8000)) ]
}

# Where nothing uses it. Not in the debug kernel: KASAN of UML remembers the
# variables of a module that is gone, and accuses the next one in its place.
reload() {
	[ "$variant" = debug ] || { rmmod sch_roce && insmod "$ko"; }
}

# Everything is changed, down to the device, while frames go through.
abuse() {
	local i
	port rate 10gbit delay 100us
	: >"$flag"
	( while [ -e "$flag" ]; do frames --count 2000 --gap 20000 >/dev/null 2>&1; done ) &
	pid=$!
	for ((i = 1; i <= 40; i++)); do
		tc qdisc change dev va root roce rate $((i * 3))gbit delay $((i % 7 * 50))us &&
			tc qdisc change dev va root roce limit $((i + 1))kb prio 3 \
				ecn dequeue kmin 1kb kmax $((i + 1))kb dscp 26:$((i % 8)) &&
			tc -s qdisc show dev va >/dev/null || return 1
		case $((i % 4)) in
		0) tc qdisc del dev va root ;;
		1) ip link set va down; ip link set va up ;;
		2) tc qdisc replace dev va root pfifo ;;
		esac
		case $((i % 4)) in
		0 | 2) reload || return 1 ;;
		*) rmmod sch_roce 2>/dev/null && return 1 ;;
		esac
		tc qdisc replace dev va root roce rate 10gbit delay 100us || return 1
	done
	rm "$flag"
	wait "$pid"
	pid=
}

segmented() {
	local got
	# TCP hands down packets of up to 64 KiB
	ip netns add far && ip link set vb netns far &&
		ip addr add 192.0.2.1/24 dev va &&
		ip -n far addr add 192.0.2.2/24 dev vb &&
		ip -n far link set vb up || return 1
	port rate 10gbit delay 1us
	head -c 4000000 /dev/zero | busybox nc -l -p 5000 &
	pid=$!
	sleep 0.2
	# its input stays open: nc ends at the first end of file
	got=$(sleep 3 | ip netns exec far busybox nc 192.0.2.1 5000 | wc -c)
	wait "$pid"
	pid=
	tc -s -j qdisc show dev va
	[ "$got" = 4000000 ] &&
		[ "$(stat_of '(.bytes / .packets) <= 1514')" = true ] &&
		[ "$(stat_of '.bytes > 4000000')" = true ] &&
		[ "$(stat_of '.prios[] | select(.prio == 0) | .drop_other')" = 0 ]
}

# What is on the wire: 1106 bytes a frame, so 948 in 1 MiB. A second after the last of 3000 was
# sent, and nine before the first arrives, as many are there and the others lost.
wire_holds() {
	local got lost
	port rate 100gbit delay 10s "$@" || return
	frames --delay 10000000000 --size 1082 --count 3000 --gap 200 >/dev/null &
	pid=$!
	sleep 1
	got=$(stat_of .in_flight) lost=$(stat_of '.prios[] | select(.prio == 3) | .drop_wire_limit')
	wait "$pid"
	pid=
	echo "$got under way, $lost lost; at the end $(stat_of .in_flight)"
	[ "$got" = "$want" ] && [ "$lost" = $((3000 - want)) ] && [ "$(stat_of .in_flight)" = 0 ]
}
wire_limits() {
	local want=948
	wire_holds wire-limit 1mb || return
	want=100
	wire_holds wire-packets 100 || return
	want=3000
	wire_holds
}

# Each packet that the cable loses is an event, with its reason.
lost_traced() {
	local dir=/sys/kernel/tracing
	mount -t tracefs tracefs $dir 2>/dev/null
	echo >$dir/trace
	echo 1 >$dir/events/roce/roce_lost/enable
	port rate 100gbit loss 0.5
	frames --size 1000 --count 200 >/dev/null 2>&1
	tc qdisc change dev va root roce link down
	frames --size 1000 --count 100 >/dev/null 2>&1
	echo 0 >$dir/events/roce/roce_lost/enable
	echo "$(stat_of .lost) lost at random, $(stat_of .lost_down) by the link"
	[ "$(stat_of .lost)" -gt 0 ] && [ "$(stat_of .lost_down)" = 100 ] &&
		[ "$(grep -c 'roce_lost: .* wire_bytes=1024 reason=random$' $dir/trace)" = "$(stat_of .lost)" ] &&
		[ "$(grep -c 'roce_lost: .* wire_bytes=1024 reason=down$' $dir/trace)" = 100 ]
}

# A cable that becomes shorter delivers nothing out of order, so all that is sent behind what
# is under way arrives with its last: 5000 packets in one nanosecond, more than one go takes.
received() { ip -s -j link show vb | jq '.[0].stats64.rx.packets'; }
all_at_once() {
	local before
	port rate 100gbit delay 1s "$@" || return
	before=$(received)
	frames --size 1082 --count 10 --gap 200 >/dev/null &
	pid=$!
	sleep 0.1
	tc qdisc change dev va root roce delay 0 || return
	frames --size 1082 --count 5000 --gap 200 >/dev/null
	wait "$pid"
	pid=
	sleep 1
	echo "$(($(received) - before)) received"
	[ $(($(received) - before)) = 5010 ]
}

ktap_print_header
sysctl -qw net.ipv6.conf.default.disable_ipv6=1
ip link add va type veth peer name vb && ip link set va up &&
	ip link set vb up || ktap_exit_fail_msg "no veth pair"
rates
shapes
limits
marks
ktap_check "a seed decides who is marked" same_seed
ktap_check "senders hear of departures" departures
ktap_check "counters" counters
ktap_check "a frame that is cut off" cut_off
ktap_check "the wire holds what it may" wire_limits
ktap_check "lost packets are traced" lost_traced
ktap_check "5000 packets that arrive at once" all_at_once
ktap_check "5000 packets that arrive at once, direct" all_at_once direct on
ktap_check "change, delete, unload under load" abuse
if command -v busybox >/dev/null; then
	ktap_check "GSO packets are sent as segments" segmented
else
	ktap_test_skip "GSO packets are sent as segments" "no busybox"
fi
ktap_finished
