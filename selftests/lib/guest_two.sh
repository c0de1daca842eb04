# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Two hosts on one link with roce qdiscs as ports, made inside the lab kernel; sourced.
#
#	h0 (r0, v0, 10.0.0.1) ---- 100 Gbit/s, 1 us ---- (10.0.0.2, v1, r1) h1
#
# guest_two [RATE [DELAY]] sets it up. ROCE_DIRECT=on: direct ports.
export TC_LIB_DIR=$RXE_CC_BUILD/tc
PATH=$RXE_CC_BUILD/bin:$PATH

# Starting a process is dear in the lab kernel: few of them.
guest_two() {
	local i
	mkdir -p /run/netns
	# New namespaces take IPv6 settings from here.
	echo 1 >/proc/sys/net/core/devconf_inherit_init_net
	echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
	echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
	ip -batch - <<-IP
	netns add h0
	netns add h1
	link add v0 netns h0 type veth peer name v1 netns h1
	IP
	for i in 0 1; do
		ip -n h$i -batch - <<-IP
		link set v$i mtu 9000 address 02:00:00:00:00:0$i up
		addr add 10.0.0.$((i + 1))/24 dev v$i
		neigh add 10.0.0.$((2 - i)) lladdr 02:00:00:00:00:0$((1 - i)) dev v$i nud permanent
		IP
		tc -n h$i qdisc add dev v$i root roce rate "${1:-100gbit}" delay "${2:-1us}" \
			direct "${ROCE_DIRECT:-off}"
		ip netns exec h$i rdma link add r$i type rxe netdev v$i
	done
}

# guest_sleep SECONDS, without a process
guest_sleep() {
	[ -p /run/guest_sleep ] || { mkfifo /run/guest_sleep && exec 8<>/run/guest_sleep; }
	read -rt "$1" -u 8 || :
}

# guest_send BYTES [PLAN-KEYS]: one flow from h0 to h1; results in /run/fg
guest_send() {
	cat >/run/plan.json <<-PLAN
	{ "mtu": 1024, "chunk_bytes": 262144, "depth": 16,
	  "flows": [ { "src": "r0", "dst": "r1", "bytes": $1 } ]${2:+, $2} }
	PLAN
	flowgen run /run/plan.json --out /run/fg
}

trace_on() {
	echo 0 >/sys/kernel/tracing/tracing_on
	echo "${TRACE_KB:-16384}" >/sys/kernel/tracing/buffer_size_kb
	local e
	for e in "$@"; do
		echo 1 >"/sys/kernel/tracing/events/$e/enable"
	done
	echo 1 >/sys/kernel/tracing/tracing_on
}
