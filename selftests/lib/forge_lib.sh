# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154
# The network of the tests of forged packets: hosts at a switch, of 10 Gbit/s each, one of them an
# attacker; sourced in place of int_lib.sh.
#
#	h1 (r1, 10.0.0.1) ---- p1 [sw] p2 ---- (10.0.0.2, r2) h2
#	h4 to h6 (r4 to r6) -- p4..     p3 ---- h3, no RDMA device
#
# A flow from r1 to r2, some from the others too, and packets of rxe_forge in the name of
# r1 or r2.

# shellcheck source=selftests/lib/int_lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/int_lib.sh"

# The attacker's link only has to let 10^6 packets a second through.
make_attack_net() {
	local n
	ip netns add sw && ip -n sw link add name sw0 type bridge mcast_snooping 0 || return
	ip -n sw link set sw0 mtu 9000 up
	for n in 1 2 3 4 5 6; do
		ip netns add h$n
		ip link add v$n netns h$n type veth peer name p$n netns sw
		ip -n h$n link set v$n mtu 4500 address 02:00:00:00:00:0$n up
		ip -n h$n link set lo up
		ip -n h$n addr add 10.0.0.$n/24 dev v$n
		ip -n sw link set p$n mtu 4500 address 02:00:00:ab:00:0$n master sw0 up
		tc -n h$n qdisc add dev v$n root roce rate 10gbit delay 1us int on || return
		tc -n sw qdisc add dev p$n root roce rate 10gbit delay 1us switch auto int on || return
	done
	# A queue pair's timeout that is armed in the kernel's first 20 ms is over at the end of
	# them, whatever its length. Nothing is lost then, but what is under way is sent again,
	# READs whole, and for milliseconds nothing new comes.
	sleep 0.03
	for n in 1 2 4 5 6; do
		[ $n = 2 ] || ip -n h$n neigh add 10.0.0.2 dev v$n lladdr 02:00:00:00:00:02
		[ $n = 2 ] || ip -n h2 neigh add 10.0.0.$n dev v2 lladdr 02:00:00:00:00:0$n
		ip netns exec h$n rdma link add r$n type rxe netdev v$n && wait_for 50 active r$n ||
			return
	done
}

# both ALGORITHM[:PRESET] KNOB=VALUE...: of both devices; all others at their defaults
both() {
	local d kv preset=() knobs=()
	[ "$1" = "${1%:*}" ] || preset=(preset "${1#*:}")
	for kv in line_rate=10gbit "${@:2}"; do knobs+=(knob "$kv"); done
	for d in r1 r2 r4 r5 r6; do
		cc $d algo=none && "$rxecc" dev set $d "${knobs[@]}" algo "${1%:*}" "${preset[@]}" ||
			return
	done
}

qps() { "$rxecc" -j qp show; }
all_qps() { [ "$(qps | jq length)" = $((2 + 2 * ${OTHERS:-0})) ]; }
# Of the flow that is attacked, whose queue pair at r1 is the only one there.
qpn() {
	qps | jq -r --arg d "$1" '[.[] | select(.dev == "r1")][0] | if $d == "r1" then .qpn else .dest_qpn end'
}

# forge_to r1|r2 KIND RATE COUNT: a switch's names the queue pair of the other end. SEEN=1: by
# the other end itself, which knows what is under way.
forge_to() {
	local n=${1#r} qp=$1
	case $2 in *_switch) qp=r$((3 - n)) ;; esac
	qp=$(qpn "$qp")
	if [ -n "${SEEN:-}" ]; then
		ip netns exec "h$((3 - n))" "$rxe_forge" "v$((3 - n))" 10.0.0.$((3 - n)) 10.0.0.$n 02:00:00:00:00:0$n \
			"$qp" "$2" "$3" "$4" seen
		return
	fi
	# In virtual time a program that sleeps for 1 us each time must be the first.
	ip netns exec h3 "$rxe_forge" v3 10.0.0.$((3 - n)) 10.0.0.$n 02:00:00:00:00:0$n \
		"$qp" "$2" "$3" "$4" "${SEED:-1}"
}

# attack MS r1|r2 KIND RATE [COUNT]: data from r1 to r2 (OP=read: what r1 reads) for so
# long; packets from before its start to its end, unless RATE is 0. Sets $gbps.
attack() {
	local ms=$1 pid forge='' rc=0 flows='' d
	for d in r1 r4 r5 r6; do
		flows+="${flows:+,}{\"src\":\"$d\",\"dst\":\"r2\",\"op\":\"${OP:-write}\",\"chunk_bytes\":${CHUNK:-65536},\"depth\":4}"
		[ $d != "r$((${OTHERS:-0} ? 3 + ${OTHERS:-0} : 1))" ] || break
	done
	run_flows "\"mtu\":${MTU:-4096},\"gid\":\"ipv4\",\"lead_ns\":20000000,\"warmup_bytes\":65536,\"interval_ns\":500000,\"stop_ns\":$((ms * 1000000)),\"drain_ns\":${DRAIN_NS:-1000000000}" \
		"$flows" &
	pid=$!
	wait_for 50 all_qps || rc=1
	if [ "$rc$4" != 00 ] && [ "$4" -gt 0 ]; then
		# The first message, before the data, has shown what the peer can do.
		sleep 0.01
		forge_to "$2" "$3" "$4" "${5:-$(($4 * (ms + 25) / 1000))}" &
		forge=$!
	fi
	wait "$pid" || rc=1
	[ -z "$forge" ] || wait "$forge" || rc=1
	gbps=$(goodput "$ms")
	return $rc
}

# What was delivered by the end, over that time.
goodput() {
	awk -F, -v ms="$1" 'NR > 1 && $2 == 0 && $1 <= ms * 1e6 { n = $3 }
		END { printf "%.3f\n", n * 8 / ms / 1e6 }' "$work/out/series.csv"
}

MS=50
all_rates="1000 10000 50000 1000000"

# peace ALGORITHM KNOB=VALUE...: goodput that nobody disturbs
peace() {
	both "$@" && attack $MS r1 cnp 0 || return
	echo "$gbps" | tee "$work/calm"
}

# left PERCENT: is so much of it left?
left() {
	echo "$gbps of $(<"$work/calm") Gbit/s"
	awk -v a="$gbps" -v b="$(<"$work/calm")" -v p="$1" 'BEGIN { exit !(b > 0 && a >= b * p / 100) }'
}

# flood r1|r2 KIND RATE PERCENT [COUNTER...]: under it at least so much is left; none of
# the counters of r1 moves
flood() {
	local to=$1 kind=$2 rate=$3 percent=$4 c before=() rc=0
	shift 4
	sleep 0.02
	for c in "$@"; do before+=("$(counter r1 "$c")"); done
	attack $MS "$to" "$kind" "$rate" || rc=1
	sleep 0.02
	for c in "$@"; do
		echo "$c: $(counter r1 "$c"), before ${before[0]}"
		[ "$(counter r1 "$c")" = "${before[0]}" ] || rc=1
		before=("${before[@]:1}")
	done
	left "$percent" && return $rc
}

# floods "RATE..." NAME ...: of the quick form only those rates
floods() {
	local rate rates=${FULL:+$all_rates}
	for rate in ${rates:-$1}; do
		ktap_check "$2, $rate a second" flood "$3" "$4" "$rate" "${@:5}"
	done
}
