#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Telemetry from the ports to the sender's algorithm, between two hosts and a
# switch, all of them ports of 100 Gbit/s:
#
#	h1 (r1) ---- p1 [sw] p2 ---- h2 (r2)
#
# The algorithm "probe" adds up what it is told: the sums must be those of what
# the ports have pushed, by their own trace.
set -u
# shellcheck source=selftests/ktap_helpers.sh
. "$(dirname "$0")/../ktap_helpers.sh"
# shellcheck source=selftests/rxe/lib.sh
. "$(dirname "$0")/lib.sh"
[ "${1:-}" = inside ] ||
	rxe_test_uml "rxe_cc rdma_rxe sch_roce rxe_cc_probe rxe_cc_fixed" --env "TC_LIB_DIR=$RXE_CC_BUILD/tc"

tracing=/sys/kernel/tracing
probe=/sys/module/rxe_cc_probe/parameters
rxecc=$RXE_CC_BUILD/bin/rxecc

make_net() {
	local n
	ip netns add sw && ip -n sw link add name sw0 type bridge mcast_snooping 0 || return
	ip -n sw link set sw0 mtu 9000 up
	for n in 1 2; do
		ip netns add h$n
		ip link add v$n netns h$n type veth peer name p$n netns sw
		ip -n h$n link set v$n mtu 4300 address 02:00:00:00:00:0$n up
		ip -n h$n link set lo up
		ip -n h$n addr add 10.0.0.$n/24 dev v$n
		ip -n h$n addr add fd00::$n/64 dev v$n nodad
		ip -n h$n neigh add 10.0.0.$((3 - n)) dev v$n lladdr 02:00:00:00:00:0$((3 - n))
		ip -n h$n neigh add fd00::$((3 - n)) dev v$n lladdr 02:00:00:00:00:0$((3 - n))
		ip -n sw link set p$n mtu 4300 address 02:00:00:ab:00:0$n master sw0 up
		tc -n h$n qdisc add dev v$n root roce rate 100gbit delay 1us int on || return
		tc -n sw qdisc add dev p$n root roce rate 100gbit delay 1us switch auto int on || return
	done
	for n in 1 2; do
		ip netns exec h$n rdma link add r$n type rxe netdev v$n || return
	done
	wait_for 50 active r1 && wait_for 50 active r2
}

# cc DEVICE KEY=VALUE...: knobs and algo by sysfs
cc() {
	local dev=$1 kv
	shift
	for kv in "$@"; do
		echo "${kv#*=}" >"/sys/class/infiniband/$dev/ports/1/cc/${kv%%=*}" || return
	done
}


flow() { run_flows "\"verify\":true,\"gid\":\"$1\",\"mtu\":$2,\"op\":\"$3\"" \
	"{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":$4}"; }

# What the ports pushed, in the order of the probe's parameters.
pushed() {
	awk '/ roce_int: / && /result=pushed/ {
		for (i = 1; i <= NF; i++) if (split($i, kv, "=") == 2) v[kv[1]] = kv[2]
		print v["node"], v["out_port"], v["egress_ts_ns"], v["tx_bytes"], v["qlen_bytes"], v["speed_mbps"]
	}' "$tracing/trace"
}

# 64-bit sums, modulo 2^64 as the kernel's: awk has no integers of that size
sums() {
	local n=0 a=0 b=0 c=0 d=0 e=0 f=0 v1 v2 v3 v4 v5 v6
	while read -r v1 v2 v3 v4 v5 v6; do
		n=$((n + 1)) a=$((a + v1)) b=$((b + v2)) c=$((c + v3))
		d=$((d + v4)) e=$((e + v5)) f=$((f + v6))
	done
	printf '%u %u %u %u %u %u %u\n' $n $a $b $c $d $e $f
}

told() {
	local p
	for p in hops node port ts_ns tx_bytes qlen_bytes mbps; do
		cat "$probe/$p"
	done | tr '\n' ' '
}

# minus "A..." "B...": word by word, modulo 2^64
minus() {
	local a b i
	read -ra a <<<"$1"
	read -ra b <<<"$2"
	for ((i = 0; i < ${#a[@]}; i++)); do
		printf '%u ' $((a[i] - b[i]))
	done
}

# equal GID OP BYTES HOPS: HOPS pushes in all
equal() {
	local before after want got
	before=$(told)
	echo 0 >"$tracing/tracing_on"
	echo 65536 >"$tracing/buffer_size_kb"
	: >"$tracing/trace"
	echo 1 >"$tracing/events/roce/roce_int/enable"
	echo 1 >"$tracing/tracing_on"
	flow "$1" 1024 "$2" "$3" || return
	echo 0 >"$tracing/tracing_on"
	after=$(told)
	got=$(minus "$after" "$before")
	want=$(pushed | sums)
	echo "told   $got"
	echo "pushed $want"
	[ "${got% }" = "$want" ] && [ "${want%% *}" -eq "$4" ] &&
		[ "$(cat "$probe/disorder")" -eq 0 ]
}

# grows DEVICE COUNTER yes|no COMMAND...: does a counter grow?
grows() {
	local dev=$1 c=$2 want=$3 before after
	shift 3
	# A reading is 10 ms old at most.
	sleep 0.02
	before=$(counter "$dev" "$c")
	"$@" || return
	sleep 0.02
	after=$(counter "$dev" "$c")
	echo "$c: $before, then $after"
	if [ "$want" = yes ]; then
		[ "$after" -gt "$before" ]
	else
		[ "$after" -eq "$before" ]
	fi
}

# fuzz: both ends get a damaged copy behind each packet
fuzz() {
	local pid1 pid2
	ip netns exec h1 "$rxe_probe" mutate v1 50 >"$work/mutate1" &
	pid1=$!
	ip netns exec h2 "$rxe_probe" mutate v2 50 >"$work/mutate2" &
	pid2=$!
	sleep 0.02
	flow ipv4 1024 write 4000000 || return
	wait $pid1 && wait $pid2 || return
	sleep 0.02
	cat "$work/mutate1" "$work/mutate2"
	grep -q 'ints [1-9]...' "$work/mutate1" && grep -q 'acks [1-9]...' "$work/mutate2"
}

# state WANT: what rxecc says of r1's queue pair in the middle of a flow
state() {
	local got
	(sleep 0.002; "$rxecc" -j qp show >"$work/qp") &
	flow ipv4 1024 write 64000000 && wait || return
	got=$(jq -rc '.[] | select(.dev == "r1") | [.telemetry, .peer_caps, .algo]' "$work/qp")
	echo "$got"
	[ "$got" = "$1" ]
}

ktap_print_header
ktap_check "hosts and switch" make_net
ktap_check "an algorithm that needs INT is refused while int is off" \
	eval '! cc r1 algo=probe 2>/dev/null'
ktap_check "path MTU 4096 on links of 4300 bytes" flow ipv4 4096 send 100000
ktap_check "int auto, algorithm on both" \
	eval 'cc r1 line_rate=100000000000 int=1 algo=probe && cc r2 int=1 algo=probe'
ktap_check "int off is refused while it runs" eval '! cc r1 int=0 2>/dev/null'
ktap_check "the path MTU leaves room for 8 hops" eval '! flow ipv4 4096 send 100000'
ktap_check "telemetry comes back with path MTU 2048" \
	grows r1 int_echo_received yes flow ipv4 2048 send 4000000
cc r1 int=2
for gid in ipv4 ipv6; do
	for op in send write; do
		ktap_check "$op over $gid: 1000 packets, two hops each, every value as pushed" \
			equal $gid $op 1024000 2000
	done
done
ktap_check "READ, whose data goes the other way, carries no INT" \
	grows r2 int_sent no flow ipv4 1024 read 1000000
sleep 0.02
for d in r1 r2; do
	for c in int_no_room int_bad_short int_bad_shim int_bad_version int_bad_length int_discarded \
		int_foreign int_echo_partial int_echo_bad_hop int_echo_unused ack_tlv_unknown \
		ack_tlv_bad_short ack_tlv_bad_length ack_tlv_bad_twice rp_bad_acks rp_retransmits; do
		ktap_check "$d: $c stays 0" [ "$(counter $d $c)" -eq 0 ]
	done
done

ktap_check "rxecc tells that it is active" state '["active",["ack-tlv","int-sink"],"probe"]'
cc r1 int_hops=1
ktap_check "a path longer than int_hops is told" \
	grows r1 int_echo_partial yes flow ipv4 1024 write 1000000
cc r1 int_hops=8
ktap_check "damaged copies of INT packets and of ACKs: the transfer completes" fuzz
for c in int_bad_short int_bad_shim int_bad_version int_bad_length int_discarded int_foreign; do
	ktap_check "... some of them $c" [ "$(counter r2 $c)" -gt 0 ]
done
for c in int_echo_unused ack_tlv_unknown ack_tlv_bad_short ack_tlv_bad_length ack_tlv_bad_twice; do
	ktap_check "... some of them $c" [ "$(counter r1 $c)" -gt 0 ]
done
cc r1 int=1
cc r2 algo=fixed int=0
ktap_check "a peer with int off: fallback" state '["fallback",["ack-tlv"],"probe"]'
cc r2 algo=none
ktap_check "a peer without an algorithm: fallback" state '["fallback",[],"probe"]'
ktap_check "... gets no INT" grows r1 int_sent no flow ipv6 1024 send 1000000
cc r1 int=2
ktap_check "a peer without an algorithm takes INT off all the same" \
	grows r2 int_received yes flow ipv4 1024 send 1000000
ktap_check "... and echoes nothing" grows r2 int_echo_sent no flow ipv4 1024 send 1000000
ktap_finished
