#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: pacing and windows against rxe's timers, references and ACK requests; after a window is
#   reduced, as many packets as fit leave in a round trip
#
# Packets that pacing or the window holds back, together with rxe's retransmission timers,
# references and ACK requests. Each case has once stalled, multiplied packets or failed the QP.
. "$(dirname "$0")/../lib/ktap_helpers.sh"
. "$(dirname "$0")/../lib/guest_two.sh"

MODULES='rxe_cc rxe_cc_fixed rdma_rxe sch_roce'

counter() {
	rxecc -j stats "$1" | grep -o "\"$2\": *[0-9]*" | grep -o '[0-9]*$'
}

fixed() {
	local i
	for i in 0 1; do
		rxecc dev set r$i algo fixed knob line_rate=100gbit knob min_rate=1kbit "$@" || exit 1
	done
}

# A window that closes in mid-flow, over packets that did not ask for an ACK: 10 Gbit/s
# have 45 packets of 1106 bytes in flight over cables of 20 us, and then 4 of them fit.
# From then on 4 packets go in each round trip of 40 us and what a packet takes on the
# line. In the 2 ms at most before, 2262 of 8192 are sent; 5930 take 59.3 ms at
# least, where they would take 5.2 ms at 10 Gbit/s, and all of them 84 ms at most.
guest_window_closes() {
	local fct stalls
	fixed param rate=10gbit
	(sleep 0.001; rxecc dev set r0 param window=4500) &
	guest_send 8388608 || return 1
	fct=$(awk -F, '$1 == 0 { print $8 }' /run/fg/flows.csv)
	stalls=$(counter r0 rp_window_stalls)
	echo "retransmits $(counter r0 rp_retransmits) timeouts $(counter r0 rp_timeouts) stalls $stalls FCT $fct ns"
	[ "$(counter r0 rp_timeouts)" -eq 0 ] && [ "$(counter r0 rp_retransmits)" -eq 0 ] &&
		[ "$stalls" -ge 1000 ] && [ "$fct" -ge 59300000 ] && [ "$fct" -le 84000000 ]
}

# Slower than a packet per timeout and no retry to spare: the timer expires with
# everything acknowledged.
guest_no_retry() {
	fixed param rate=100kbit
	guest_send 8192 '"retry_cnt": 0'
}

# A READ answered more slowly than its requester's timeout is answered once: 64
# responses that h1 sends, whatever h0 asks for again.
guest_slow_read() {
	local sent
	fixed param rate=100kbit
	cat >/run/plan.json <<-PLAN
	{ "mtu": 1024, "flows": [ { "src": "r0", "dst": "r1", "bytes": 65536, "op": "read" } ] }
	PLAN
	trace_on roce/roce_enqueue
	flowgen run /run/plan.json --out /run/fg || return 1
	sent=$(grep -c 'wire_bytes=11[01][0-9]' /sys/kernel/tracing/trace)
	echo "$sent responses"
	[ "$sent" -eq 64 ]
}

# READs queued for minutes do not hold the process that gave up on them.
guest_reads_abandoned() {
	local t0 t1
	fixed param rate=1mbit
	cat >/run/plan.json <<-PLAN
	{ "mtu": 1024, "depth": 4, "chunk_bytes": 1048576, "stop_ns": 20000000,
	  "drain_ns": 1000000, "flows": [ { "src": "r0", "dst": "r1", "op": "read" } ] }
	PLAN
	read -r t0 _ </proc/uptime
	flowgen run /run/plan.json --out /run/fg >/run/log 2>&1
	read -r t1 _ </proc/uptime
	echo "from $t0 to $t1 s"
	awk -v a="$t0" -v b="$t1" 'BEGIN { exit !(b - a < 1) }'
}

if [ "${1:-}" = guest ]; then
	guest_two 100gbit "${3:-1us}"
	"guest_$2"
	exit
fi

in_lab() {
	"$UML_EXEC" --modules "$MODULES" --timeout 150 \
		--env RXE_CC_BUILD="$RXE_CC_BUILD" -- "$(realpath "$0")" guest "$@"
}

ktap_print_header
ktap_check "a window closes in mid-flow: 4 packets a round trip, no timeout, nothing sent twice" in_lab window_closes 20us
ktap_check "a rate below a packet per timeout, no retry to spare: completes" in_lab no_retry
ktap_check "a READ slower than its timeout: each response once" in_lab slow_read
ktap_check "READs given up while paced: the process ends at once" in_lab reads_abandoned
ktap_finished
