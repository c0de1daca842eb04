# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Two hosts and a switch whose ports, of 100 Gbit/s, push in-band network telemetry (INT); sourced
# by tests of it.
#
#	h1 (r1) ---- p1 [sw] p2 ---- h2 (r2)
#
# The algorithm "testalg" adds up what it is told.

# shellcheck source=selftests/lib/rxe_lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/rxe_lib.sh"

# shellcheck disable=SC2034 # for those who include this
rxecc=$RXE_CC_BUILD/bin/rxecc
tracing=/sys/kernel/tracing
testalg=/sys/module/rxe_cc_testalg/parameters

# int_uml [MODULES [OPTION]...]: run this test again inside the lab kernel
int_uml() {
	rxe_test_uml "rxe_cc rdma_rxe sch_roce ${1:-}" --env "TC_LIB_DIR=$RXE_CC_BUILD/tc" "${@:2}"
}

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

# flow GID MTU OP BYTES: from r1 to r2, or what r1 reads. A queue pair goes as soon as
# its run has ended, and may miss reports on the last READ responses: hence an
# atomic operation of another one, which carries no INT, a little later.
flow() {
	run_flows "\"gid\":\"$1\",\"mtu\":$2" \
		"{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":$4,\"op\":\"$3\",\"verify\":true},
		{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":8,\"op\":\"fetch_add\",\"start_ns\":2000000}"
}

# What the ports pushed, in the order of the algorithm's parameters.
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
		cat "$testalg/$p"
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

trace_pushes() {
	echo 0 >"$tracing/tracing_on"
	echo 65536 >"$tracing/buffer_size_kb"
	: >"$tracing/trace"
	echo 1 >"$tracing/events/roce/roce_int/enable"
	echo 1 >"$tracing/tracing_on"
}

# equal GID OP BYTES [HOPS]: HOPS pushes in all
equal() {
	local before after want got
	before=$(told)
	trace_pushes
	flow "$1" 1024 "$2" "$3" || return
	echo 0 >"$tracing/tracing_on"
	after=$(told)
	got=$(minus "$after" "$before")
	want=$(pushed | sums)
	echo "told   $got"
	echo "pushed $want"
	[ "${got% }" = "$want" ] && [ "${want%% *}" -eq "${4:-${want%% *}}" ] &&
		[ "$(cat "$testalg/disorder")" -eq 0 ]
}

# told_pushed GID OP BYTES: runs a flow; sums of what was told, and of what was pushed,
# are then in the arrays t and p
told_pushed() {
	local before
	before=$(told)
	trace_pushes
	flow "$1" 1024 "$2" "$3" || return
	echo 0 >"$tracing/tracing_on"
	read -ra t <<<"$(minus "$(told)" "$before")"
	read -ra p <<<"$(pushed | sums)"
	echo "told   ${t[*]}"
	echo "pushed ${p[*]}"
}

# equal_compact GID OP BYTES: hops, times (1 ns is the unit at this speed) and speeds are
# those that were pushed; a queue is at most half a unit off, 64 bytes; ports are not told.
equal_compact() {
	local t p off
	told_pushed "$@" || return
	off=$((t[5] - p[5]))
	[ "${t[0]} ${t[3]} ${t[6]}" = "${p[0]} ${p[3]} ${p[6]}" ] && [ "${t[0]}" -ge 1000 ] &&
		[ "${t[2]}" -eq 0 ] && [ "${off#-}" -le $((64 * t[0])) ] &&
		[ "$(cat "$testalg/disorder")" -eq 0 ]
}

# equal_first GID OP BYTES: times are those that the senders' own port pushed
equal_first() {
	local t p
	told_pushed "$@" || return
	[ "${t[0]} ${t[3]}" = "${p[0]} ${p[3]}" ] && [ "${t[0]}" -ge 900 ] &&
		[ "${t[1]} ${t[2]} ${t[4]} ${t[5]} ${t[6]}" = "0 0 0 0 0" ]
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
