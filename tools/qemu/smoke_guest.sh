#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs in the guest of selftests/qemu/smoke.sh: two hosts on one cable, perftest
# between them under dcqcn, then everything unloaded again.
#
#   netns a: a0 (10.0.0.1), rxe_a  ---- veth, "roce" ports ----  b0 (10.0.0.2),
#                                                               rxe_b :netns b
# The devices' core is in shared namespace mode (the default), so processes in a
# namespace see them. Results are KTAP lines; the caller prints header and plan.
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. /guest/ktap_helpers.sh

LIMIT=${LIMIT:-40}	# seconds for one perftest run in software emulation
MODULES="rxe_cc rxe_cc_fixed roce_cc_lib rxe_cc_dcqcn rxe_cc_template rdma_rxe sch_roce"

loaded() {
	grep -q "^$1 " /proc/modules
}

load_modules() {
	local m

	# rxe of 6.12 brings it; where rxe does not, udev would.
	modprobe ib_uverbs || return 1
	for m in $MODULES; do
		[ -e "/guest/ours/$m" ] || continue
		modprobe "$m" || return 1
		loaded "$m" || return 1
	done
	# Ours, not the distribution's: only the patched rxe uses the core.
	grep -q '^rxe_cc .*rdma_rxe' /proc/modules
}

unload_modules() {
	local m left=

	for m in sch_roce rdma_rxe rxe_cc_template rxe_cc_dcqcn roce_cc_lib rxe_cc_fixed rxe_cc; do
		loaded "$m" && modprobe -r "$m"
	done
	for m in $MODULES; do
		loaded "$m" && left="$left $m"
	done
	[ -z "$left" ] || { echo "still loaded:$left"; return 1; }
}

# host NAME ADDRESS
host() {
	ip netns add "$1" &&
	ip link set "${1}0" netns "$1" &&
	ip -n "$1" addr add "$2/24" dev "${1}0" &&
	ip -n "$1" link set lo up &&
	ip -n "$1" link set "${1}0" up &&
	ip netns exec "$1" rdma link add "rxe_$1" type rxe netdev "${1}0"
}

make_hosts() {
	ip link add a0 type veth peer name b0 || return 1
	host a 10.0.0.1 || return 1
	host b 10.0.0.2 || return 1
	sleep 0.5
	[ "$(rdma link | grep -c 'rxe_[ab]/1 state ACTIVE')" = 2 ] ||
		{ rdma link; return 1; }
}

# Slow enough that software emulation fills it, also on a busy machine; marks from one packet on.
make_ports() {
	local h

	for h in a b; do
		ip netns exec $h tc qdisc add dev ${h}0 root roce rate 20mbit delay 5us \
			prio 3 ecn enqueue kmin 1kb kmax 40kb pmax 1 || return 1
		ip netns exec $h tc qdisc show dev ${h}0 | grep -q 'qdisc roce' || return 1
	done
}

set_algo() {
	local h

	for h in a b; do
		ip netns exec $h rxecc dev set rxe_$h algo "$1" || return 1
		ip netns exec $h rxecc dev show rxe_$h | grep -qw "$1" || return 1
	done
}

# Index of the device's IPv4 GID; it moves when link-local addresses do.
gid_index() {
	local f

	for f in /sys/class/infiniband/"$1"/ports/1/gids/*; do
		case $(cat "$f" 2>/dev/null) in
		0000:0000:0000:0000:0000:ffff:*) echo "${f##*/}"; return ;;
		esac
	done
	return 1
}

# perftest PROGRAM ARGUMENTS...: server at b, client at a.
perftest() {
	local prog=$1 rc server ga gb

	shift
	if ! ga=$(gid_index rxe_a) || ! gb=$(gid_index rxe_b); then
		echo "no IPv4 GID"
		return 1
	fi
	timeout $LIMIT ip netns exec b "$prog" -d rxe_b -x "$gb" -F --tclass=104 "$@" >/tmp/server 2>&1 &
	server=$!
	sleep 1
	timeout $LIMIT ip netns exec a "$prog" -d rxe_a -x "$ga" -F --tclass=104 "$@" 10.0.0.2
	rc=$?
	[ $rc -eq 0 ] || kill $server 2>/dev/null
	wait $server || { rc=1; cat /tmp/server; }
	return $rc
}

# counter DEVICE NAME
counter() {
	cat "/sys/class/infiniband/$1/ports/1/hw_counters/$2" 2>/dev/null
}

# The switch marked, b answered with CNPs, a's algorithm took them.
cnps_seen() {
	local sent handled

	sent=$(counter rxe_b np_cnp_sent)
	handled=$(counter rxe_a rp_cnp_handled)
	echo "np_cnp_sent=${sent:-?} rp_cnp_handled=${handled:-?}"
	[ "${sent:-0}" -gt 0 ] && [ "${handled:-0}" -gt 0 ]
}

remove_hosts() {
	rdma link del rxe_a && rdma link del rxe_b &&
	ip netns del a && ip netns del b || return 1
	! rdma link | grep -q rxe_
}

# Removing a namespace's device is finished a little later.
clean_up() {
	remove_hosts || return 1
	sleep 0.5
	unload_modules
}

ktap_check "modules load" load_modules
ktap_check "two devices in two namespaces" make_hosts
ktap_check "roce ports with ECN" make_ports
ktap_check "dcqcn on both devices" set_algo dcqcn
ktap_check "ib_write_bw completes under dcqcn" perftest ib_write_bw -s 65536 -n 60
ktap_check "CNPs sent and handled" cnps_seen
ktap_check "ib_read_bw completes under dcqcn" perftest ib_read_bw -s 65536 -n 30
# Polling: with -e perftest 4.5 overruns its own completion queue, on any rxe.
ktap_check "ib_send_lat completes under dcqcn" perftest ib_send_lat -s 64 -n 200
ktap_check "none on both devices" set_algo none
ktap_check "ib_write_bw completes without CC" perftest ib_write_bw -s 65536 -n 30
ktap_check "everything unloads" clean_up
ktap_check "modules load again" load_modules
ktap_check "and unload again" unload_modules
[ "$KTAP_CNT_FAIL" -eq 0 ]
