#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: everything taken away under load; `CYCLES=200 VARIANT=debug` for the long run
#
# Take everything away under load, again and again, in the lab kernel or the debug
# kernel, where lockdep, KASAN, object debugging and kmemleak watch. A cycle: two hosts in namespaces of
# their own, traffic with a verbs context open, algorithm and parameters and the
# ports' rate changed meanwhile, then link, qdisc or namespace deleted under it,
# the rest torn down, all modules unloaded and loaded again.
#
# CYCLES sets the number, default 6. The lab kernel sees crashes, warnings and what
# does not go away; VARIANT=debug takes the debug kernel (make kernel modules-uml
# DEBUG=1 builds it).
. "$(dirname "$0")/../lib/ktap_helpers.sh"
. "$(dirname "$0")/../lib/guest_two.sh"

MODULES="rxe_cc roce_cc_lib rxe_cc_dcqcn rxe_cc_fixed rxe_cc_template rxe_cc_hpcc rxe_cc_hpccpp rdma_rxe sch_roce"

guest_load() {
	local m
	for m in $MODULES; do
		insmod "$MODULE_DIR/$m.ko" || return 1
	done
}

guest_unload() {
	local m
	for m in sch_roce rdma_rxe rxe_cc_hpccpp rxe_cc_hpcc rxe_cc_template rxe_cc_fixed rxe_cc_dcqcn roce_cc_lib \
		rxe_cc; do
		rmmod "$m" || return 1
	done
}

# Until a device is gone, in virtual time.
guest_gone() {
	local i
	for i in $(seq 100); do
		[ -e "/sys/class/infiniband/$1" ] || return 0
		guest_sleep 0.05
	done
	echo "cycle $cycle: $1 is still there after 5 s"
	return 1
}

guest_change() {
	local d=$1
	rxecc dev set "$d" algo fixed param rate=5gbit param window=3000 &&
		guest_sleep 0.0002 &&
		rxecc dev set "$d" algo dcqcn preset paper param rpg_ai_rate=1gbit &&
		guest_sleep 0.0002 &&
		rxecc dev set "$d" algo template knob line_rate=50gbit &&
		guest_sleep 0.0002 &&
		rxecc dev set "$d" algo none &&
		rxecc dev set "$d" algo dcqcn knob line_rate=100gbit
}

# Telemetry, reports and probes in every way, between packets that are on their way.
guest_telemetry() {
	local preset d

	for d in r0 r1; do
		rxecc dev set $d algo hpcc knob int=on knob int_hops=2 knob base_rtt=4us || return 1
	done
	for preset in draft rx probe sparse fair rx; do
		for d in r0 r1; do
			rxecc dev set $d algo hpccpp preset $preset || return 1
			guest_sleep 0.0001
		done
	done
	# hw_counters are as of 10 ms ago.
	rxecc -j stats >/run/stats || return 1
	grep -q "\"report_received\":[1-9][0-9][0-9]" /run/stats ||
		{ echo "cycle $cycle: hardly a report"; return 1; }
}

guest_cycle() {
	local pid rc
	ROCE_DIRECT=off
	[ $(((cycle + cycle / 4) % 2)) -eq 0 ] || ROCE_DIRECT=on
	guest_two 100gbit 1us || return 1
	tc -n h1 qdisc change dev v1 root roce int on prio 3 ecn enqueue kmin 5kb kmax 20kb pmax 1
	tc -n h0 qdisc change dev v0 root roce int on prio 3 ecn enqueue kmin 5kb kmax 20kb pmax 1
	cat >/run/plan.json <<-PLAN
	{ "mtu": 1024, "chunk_bytes": 65536, "depth": 8, "stop_ns": 20000000,
	  "drain_ns": 20000000, "retry_cnt": 3, "timeout": 10,
	  "flows": [ { "src": "r0", "dst": "r1", "op": "write" },
		     { "src": "r1", "dst": "r0", "op": "send" },
		     { "src": "r0", "dst": "r1", "op": "read" },
		     { "src": "r0", "dst": "r1", "op": "write", "transport": "uc" } ] }
	PLAN
	flowgen run /run/plan.json --out /run/fg >/run/fg.log 2>&1 &
	pid=$!
	guest_sleep 0.001
	guest_change r0 && guest_change r1 && guest_telemetry || return 1
	# Half of the cycles end with reports and probes under way.
	[ $((cycle / 4 % 2)) -eq 0 ] || rxecc dev set r0 algo dcqcn || return 1
	tc -n h0 qdisc change dev v0 root roce rate 10gbit delay 5us
	guest_sleep 0.001
	case $((cycle % 4)) in
	0) rdma link del r0 || return 1 ;;
	1) ip netns del h0 ;;
	2) tc -n h1 qdisc del dev v1 root ;;
	3) ip -n h0 link del v0 ;;
	esac
	guest_sleep 0.001
	wait "$pid"
	rc=$?
	[ $rc -le 3 ] || { echo "cycle $cycle: flowgen ended with $rc"; return 1; }
	[ $((cycle % 4)) -eq 2 ] && { rdma link del r0; rdma link del r1; }
	ip netns del h0 2>/dev/null
	ip netns del h1
	guest_gone r0 && guest_gone r1 || return 1
	guest_unload && guest_load
}

if [ "${1:-}" = guest ]; then
	guest_load || exit 1
	for cycle in $(seq "$2"); do
		guest_cycle || exit 1
		echo "cycle $cycle done"
	done
	guest_unload || exit 1
	if [ -e /sys/kernel/debug/kmemleak ]; then
		# An object counts as leaked once it is some seconds old.
		for i in 1 2; do
			sleep 8
			echo scan >/sys/kernel/debug/kmemleak
		done
		cat /sys/kernel/debug/kmemleak
		[ ! -s /sys/kernel/debug/kmemleak ] || exit 1
		grep -q . /sys/kernel/debug/kmemleak && exit 1
	fi
	exit 0
fi

VARIANT=${VARIANT:-lab}
CYCLES=${CYCLES:-6}
[ -x "$RXE_CC_BUILD/uml-$VARIANT/linux" ] ||
	ktap_skip_all "no $VARIANT kernel (make kernel modules-uml DEBUG=1)"

cycles() {
	local opt=
	[ "$VARIANT" = lab ] || opt=--debug
	"$UML_EXEC" $opt --timeout $((240 + CYCLES * 60)) \
		--env RXE_CC_BUILD="$RXE_CC_BUILD" \
		--env MODULE_DIR="$RXE_CC_BUILD/uml-$VARIANT" \
		-- "$(realpath "$0")" guest "$CYCLES"
}

ktap_print_header
ktap_check "$CYCLES cycles of change and removal under load, $VARIANT kernel: no splat, no leak" cycles
ktap_finished
