#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: devices, namespaces and modules removed under traffic: each ends in bounded time
#
# Devices, netdevs, namespaces and modules are removed under traffic, with open
# verbs contexts: each ends in bounded time, by completing or by a clear refusal.
set -u
# shellcheck source=selftests/lib/rxe_lib.sh
. "$(dirname "$0")/../lib/rxe_lib.sh"
[ "${1:-}" = inside ] ||
	rxe_test_uml "rxe_cc rdma_rxe rxe_cc_fixed rxe_cc_dcqcn" --env MODULE_DIR="$RXE_CC_BUILD/uml-${VARIANT:-lab}"

pid=

# traffic ALGORITHM OP: without an end, both ways, under way on return.
traffic() {
	make_hosts rate 1gbit delay 1us limit 10000 || return 1
	knob line_rate 1000000000 && algorithm "$1" || return 1
	[ "$1" != fixed ] || parameter rate 100000000 || return 1
	run_flows "\"mtu\":4096,\"op\":\"$2\",\"stop_ns\":600000000000" \
		'{"src":"r1","dst":"r2","bytes":0},{"src":"r2","dst":"r1","bytes":0}' \
		>"$work/log" 2>&1 &
	pid=$!
	wait_for 50 moving
}

moving() { [ "$(counter r1 sent_pkts)" -gt 500 ]; }
no_process() { ! kill -0 "$pid" 2>/dev/null; }

# stopped: flowgen noticed that its devices are gone, and ended.
stopped() {
	wait_for 100 no_process || return 1
	wait "$pid"
	[ $? -eq 1 ]
}

# within SECONDS COMMAND...
within() {
	local s=$1
	shift
	timeout "$s" "$@"
}

remove_links() { within 5 rdma link del r1 && within 5 rdma link del r2; }
remove_netns() { ip netns del h1 && ip netns del h2 && wait_for 50 no_devices; }
remove_netdev() { ip -n h1 link del v1 && wait_for 50 no_devices; }
move_netdev() { ip -n h1 link set v1 netns h2 && wait_for 50 no_device r1; }

# removal HOW ALGORITHM OP
removal() {
	ktap_check "$1 under $2, $3: traffic" traffic "$2" "$3"
	ktap_check "$1 under $2, $3: ends" "$1"
	ktap_check "$1 under $2, $3: the application notices" stopped
	ktap_check "$1 under $2, $3: nothing is left" remove_hosts
}

# A process that holds mappings and does not run cannot notice anything.
mapped() {
	local flowgen_pid
	ktap_check "a process is stopped" traffic none write
	flowgen_pid=$(pgrep -x flowgen)
	kill -STOP "$flowgen_pid"
	ktap_check "... its devices go" remove_links
	ktap_check "... the module goes, though its queues are mapped, and comes again" reload
	ktap_check "... new devices can come" remake
	kill -CONT "$flowgen_pid"
	ktap_check "... it notices" stopped
	ktap_check "... all of it goes" remove_hosts
	ktap_check "... nothing holds the module" \
		[ "$(cat /sys/module/rdma_rxe/refcnt)" = 0 ]
}

reload() { within 20 rmmod rdma_rxe && insmod "$MODULE_DIR/rdma_rxe.ko"; }
remake() {
	ip netns exec h1 rdma link add r1 type rxe netdev v1 &&
		ip netns exec h2 rdma link add r2 type rxe netdev v2
}

# The RDMA devices follow their netdevs: all clients of the RDMA subsystem start over, and
# connections by rdma_cm need a GSI queue pair again.
move_devices() {
	local i
	make_hosts rate 1gbit delay 1us limit 10000 || return
	for i in 1 2; do
		rdma dev set r$i netns h$i && wait_for 50 in_netns $i || return
	done
	! dmesg | grep "create ib_mad QP1"
}
in_netns() { ip netns exec "h$1" rdma dev show "r$1" >/dev/null; }
# Of a device that goes with its namespace the initial one sees nothing: let them go first.
remove_moved() {
	local i
	for i in 1 2; do
		ip netns exec h$i rdma link del r$i || return
	done
	remove_hosts
}
connected() {
	local server rc
	timeout 20 ip netns exec h1 rping -s -a 22.22.22.7 -C 3 &
	server=$!
	sleep 0.1
	timeout 20 ip netns exec h2 rping -c -a 22.22.22.7 -C 3
	rc=$?
	wait $server || rc=1
	return $rc
}

unload() {
	local m
	for m in rxe_cc_dcqcn roce_cc_lib rxe_cc_fixed rdma_rxe rxe_cc; do
		within 20 rmmod $m || return 1
	done
}

# An open context without mappings does not hold the module.
unload_under_traffic() {
	ktap_check "unload: traffic" traffic none write
	remove_links
	ktap_check "unload: the application notices" stopped
	ktap_check "unload: all modules" unload
}

ktap_print_header
for algo in none dcqcn fixed; do
	for op in write read; do
		removal remove_links $algo $op
		removal remove_netns $algo $op
	done
done
removal remove_netdev dcqcn read
removal move_netdev dcqcn write
ktap_check "devices move to network namespaces" move_devices
if command -v rping >/dev/null; then
	ktap_check "... and are connected by rdma_cm there" connected
else
	echo "# no rping, so no connection by rdma_cm"
fi
ktap_check "... nothing is left" remove_moved
mapped
unload_under_traffic
ktap_finished
