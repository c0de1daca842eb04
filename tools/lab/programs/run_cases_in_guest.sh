#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs in the kernel under test: a pair of soft-RoCE devices with a switch between
# them, and the cases of a plan on it, each with an rxe loaded anew.
#
#	rxe_a: a0 10.0.0.1 --- netns sw: [pa bridge pb] --- b0 10.0.0.2 :rxe_b
#
# All four ends are roce ports. With --network it makes only that, for all copies of this kernel.
# Environment, from programs/run_cases.c:
#	PAIR_PLAN	a case a line: ID, how often it is run if it fails, algorithm or "stock", what
#			is set with it, seconds, how to see that the server is ready ("!" behind it: it
#			never ends), server, client; with a byte 0x1f between them
#	PAIR_OUT	gets a directory for each case
#	PAIR_STOCK, PAIR_OURS	directories with modules
#	PAIR_MTU, PAIR_HOST, PAIR_SWITCH	settings of devices and ports
#	PAIR_MODULES	to load first
#	PAIR_PRELOAD	library for programs: in virtual time virtual_time_preload for all, in real time
#			perftest_clock_preload.c for perftest, with PAIR_TSC_HZ
#	PAIR_RELAY	the output directory is not the host's: print its files
# Commands are words for bash, with the variables dev_a, gid_a, ip_a, the same of b, and out,
# the case's directory. The host reads lines that begin with @lab: on standard output.
# shellcheck disable=SC2317 # what wait_for is given
set -u
here=${0%/*}
# shellcheck source=tools/lib/pair.sh
. "${PAIR_LIB:-$here/../../lib/pair.sh}"
export dev_a=rxe_a dev_b=rxe_b ip_a=10.0.0.1 ip_b=10.0.0.2 gid_a gid_b out

# What a healthy kernel never says.
SPLAT='WARNING: |BUG: |BUG at |Oops|KASAN: |UBSAN: |INFO: |general protection|refcount_t: |suspicious RCU|Call Trace:'

die() {
	echo "@lab:error $*"
	exit 125
}

network() {
	local i

	# IPv6 in the switch would add packets of its own, at random times.
	# shellcheck disable=SC2086 # words
	ip netns add sw &&
		ip link add a0 mtu "$PAIR_MTU" address 02:00:00:00:00:01 type veth \
			peer name pa mtu "$PAIR_MTU" netns sw &&
		ip link add b0 mtu "$PAIR_MTU" address 02:00:00:00:00:02 type veth \
			peer name pb mtu "$PAIR_MTU" netns sw &&
		ip netns exec sw sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6 &&
			echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6' &&
		ip -n sw link add name br0 mtu "$PAIR_MTU" type bridge mcast_snooping 0 || return 1
	for i in pa pb; do
		# shellcheck disable=SC2086
		ip -n sw link set $i master br0 && ip -n sw link set $i up &&
			tc -n sw qdisc add dev $i root roce $PAIR_SWITCH || return 1
	done
	ip -n sw link set br0 up
	for i in a0 b0; do
		# shellcheck disable=SC2086
		tc qdisc add dev $i root roce $PAIR_HOST || return 1
	done
	pair_rules a0 b0 || return 1
	# Of multicast the sender names the device.
	ip route add 239.0.0.0/8 dev a0 metric 1 && ip route add 239.0.0.0/8 dev b0 metric 2
}

# perftest wants to read the clock's rate there, and believes its own measurement
# when that is another.
cpuinfo() {
	! grep -q '^cpu MHz' /proc/cpuinfo || return 0
	{ cat /proc/cpuinfo; echo 'cpu MHz		: 1000.000'; } >/run/cpuinfo &&
		mount --bind /run/cpuinfo /proc/cpuinfo
}

# Index of the device's IPv4 GID.
gid_index() {
	local f

	for f in "/sys/class/infiniband/$1/ports/1/gids"/*; do
		case $(cat "$f" 2>/dev/null) in
		0000:0000:0000:0000:0000:ffff:*) echo "${f##*/}"; return ;;
		esac
	done
	return 1
}

# wait_for SECONDS COMMAND...
wait_for() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -le $end ] || return 1
		sleep 0.02
	done
}

gids() {
	gid_a=$(gid_index rxe_a) && gid_b=$(gid_index rxe_b)
}

# use ALGORITHM SETTINGS: rxe of that kind, anew
use() {
	local dir=$PAIR_OURS d

	[ "$1" != stock ] || dir=$PAIR_STOCK
	pair_load "$dir" a0 b0 || return 1
	wait_for 5 gids || return 1
	[ "$1" != stock ] || return 0
	for d in rxe_a rxe_b; do
		# shellcheck disable=SC2086
		rxecc dev set $d algo "$1" $2 || return 1
	done
}

unuse() {
	[ ! -d /sys/module/rdma_rxe ] || pair_unload
}

# is_ready HOW PID: does the server wait for its client?
is_ready() {
	kill -0 "$2" 2>/dev/null || return 0
	case $1 in
	tcp:*) grep -q ":$(printf %04X "${1#tcp:}") 0*:0000 0A " /proc/net/tcp /proc/net/tcp6 2>/dev/null ;;
	cm) rdma res show cm_id 2>/dev/null | grep -q 'state LISTEN' ;;
	esac
}

splats() {
	dmesg 2>/dev/null | grep -cE "$SPLAT"
}

# program ROLE SECONDS COMMAND: in the background
program() {
	eval "set -- $1 $2 $3"
	echo "${*:3}" >"$out/$1.cmd"
	[ -z "${PAIR_PRELOAD:-}" ] || [[ ${PAIR_TSC_HZ:-} && $3 != ib_* ]] || export LD_PRELOAD=$PAIR_PRELOAD
	exec timeout -k 2 "$2" "${@:3}" >"$out/$1.log" 2>&1 </dev/null
}

gone() { ! kill -0 "$1" 2>/dev/null; }

# pair SECONDS READY SERVER CLIENT: prints "CLIENT-STATUS SERVER-STATUS"
pair() {
	local server=0 rc=0 src=0 ready=${2%!}

	if [ -n "$3" ]; then
		program server "$1" "$3" &
		server=$!
		case $ready in
		sleep:*) sleep "${ready#sleep:}" ;;
		*) wait_for 10 is_ready "$ready" $server ;;
		esac
	fi
	program client "$1" "$4" &
	wait $! || rc=$?
	if [ $server != 0 ]; then
		# It ends by itself soon after its client, or not at all.
		[ $rc -eq 0 ] && [ "$ready" = "$2" ] && wait_for 5 gone $server ||
			kill $server 2>/dev/null
		wait $server || src=$?
	fi
	echo "$rc $src"
}

# relay DIRECTORY: to a host that has not this file system
relay() {
	tar -cz -C "$PAIR_OUT" "$1" | base64 | sed 's/^/@lab:file /'
}

# What left the switch towards b, and which modules and settings these are.
note() {
	tc -n sw -s qdisc show dev pb >"$out/port.$1"
	ls -d /sys/module/rdma_rxe /sys/module/rxe_cc* 2>/dev/null
	[ ! -d /sys/module/rxe_cc ] || rxecc dev show
}

# try ALGORITHM SETTINGS SECONDS READY SERVER CLIENT: once; prints both states, or what failed and 0
try() {
	local before rc

	before=$(splats)
	if use "$1" "$2" >"$out/setup.log" 2>&1; then
		cd "$out" || return
		note before >>setup.log 2>&1
		rc=$(pair "$3" "$4" "$5" "$6")
		note after >/dev/null 2>&1
		cd /
	else
		rc="setup 0"
	fi
	unuse >>"$out/setup.log" 2>&1 || rc="unload 0"
	if [ "$(splats)" -gt "$before" ]; then
		dmesg | tail -n 200 >"$out/dmesg"
		rc="kernel 0"
	fi
	echo "$rc"
}

# run_case ID TRIES ALGORITHM SETTINGS SECONDS READY SERVER CLIENT
run_case() {
	local rc runs=0

	out=$PAIR_OUT/$1
	echo "@lab:case $1"
	while :; do
		[ -d "$out" ] || mkdir -p "$out" || die "$out: cannot be made"
		runs=$((runs + 1))
		rc=$(try "${@:3}")
		case $rc in
		"0 0" | "4 "* | "127 "* | unload*) break ;;
		"0 "*) [ "${6%!}" = "$6" ] || break ;;
		esac
		[ $runs -lt "$2" ] || break
		# What a try that failed left is kept beside the last one.
		mv "$out" "$out.try$runs"
	done
	[ -z "${PAIR_RELAY:-}" ] || relay "$1"
	echo "@lab:done $1 $rc $runs"
	[ "${rc% *}" != unload ] || die "case $1: rxe cannot be unloaded"
}

# What is there before the first case. It may have been there when this kernel was copied.
prepare() {
	local m

	for m in ${PAIR_MODULES:-}; do
		modprobe "$m" || die "module $m does not load"
	done
	[ -z "${PAIR_MODULES:-}" ] || modprobe sch_roce || die "sch_roce does not load"
	network >/run/network.log 2>&1 || die "network: $(tail -n 1 /run/network.log)"
	# TCP takes a time stamp of 0 us for none, and warns: of virtual time nothing has passed.
	sleep 0.01
	cpuinfo || die "/proc/cpuinfo: cannot be replaced"
}

[ -n "${PAIR_OURS:-}" ] || PAIR_OURS=/lib/modules/$(uname -r)/updates
[ -e /run/netns/sw ] || prepare
[ "${1:-}" != --network ] || exit 0
while IFS=$'\x1f' read -r -u 3 id tries algo settings seconds ready server client; do
	run_case "$id" "$tries" "$algo" "$settings" "$seconds" "$ready" "$server" "$client"
done 3<"$PAIR_PLAN"
exit 0
