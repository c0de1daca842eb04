#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: HPCC: utilization eta, a queue of less than BDP / 20, a peak of at most n windows, in the
#   steady state; the whole run beside it; the rows of results.md; `FULL=1`: more flows, other MTUs
#   and rates
#
# What HPCC promises: a bottleneck that is eta full with almost no queue, and a queue of at
# most n windows when n flows begin at once. "incast" of long flows from one switch
# port. The steady state is 2 ms from 0.6 ms on: until then the windows of the start drain
# (n x W is n round trips: 0.27 ms for 64), and later flows end. Everything is counted by
# the ports in wire bytes, telemetry included.
#
# This leaves out the start, of which only the peak is shown, and the end, when flows
# finish one after the other and the others take time to use the free bandwidth. The last
# two columns have utilization and mean queue of the whole run, from the first start to the
# last completion, unchecked. Goodput, which telemetry lowers, is in int_overhead.sh, joins are
# in join_convergence.sh, short flows in slowdown.sh; Jain's index is shown and not checked.
#
# HPCC steers U = utilization + queue / BDP to eta, plus what W_ai adds, n / 100 of
# 1 - eta for the default of n = 100. Where the BDP is 45 packets, as at 100 Gbit/s
# and an MTU of 1024, a packet that waits is 2 % of it and utilization is eta to a
# point. Where it is 11 packets (25 Gbit/s, or an MTU of 4096), packets of 16 flows
# that are not synchronised meet more often. The queue is then a larger part of U, and
# utilization is lower by it, so the sum is checked, to 2 points. HPCC uses the smaller of
# two successive queues. In the mean that is the whole mean queue if the two are equal, and
# half of it if they are independent.
# FULL=1: all rows.
. "$(dirname "$0")/../lib/lab_lib.sh"

# steady NAME N ETA RATE MTU
steady() {
	local bytes
	bytes=$(awk -v n="$2" -v r="${4%gbit}" 'BEGIN { printf "%d", 360000 * r / n }')
	LAB_DIR=$LAB_OUT/$1 lab_run incast --cc hpcc --set n="$2" --param eta="$3" \
		--set rate="$4" --set mtu="$5" --set size="${bytes}b" \
		--set window_from=600us --set window_to=2600us || return 1
	LAB_DIR=$LAB_OUT/$1 lab_get incast/hpcc/1 \
		'(.knobs.base_rtt * .knobs.line_rate / 8e9) as $bdp |
		 .window.ports["sw-r"] as $w |
		 [$w.utilization, $w.queue_bytes.mean, $w.queue_bytes.p99,
		  .bottleneck.queue_bytes.max, $bdp, .window.jain,
		  .bottleneck.utilization, .bottleneck.queue_bytes.mean] | @tsv' >"$LAB_OUT/$1.tsv"
}

# fig NAME COLUMN
fig() {
	cut -f "$2" "$LAB_OUT/$1.tsv"
}

# row NAME N ETA RATE MTU
row() {
	local text
	text=$(awk -v n="$2" -v e="$3" -v r="${4%gbit}" -v m="$5" '{
		printf "| %s | %d | %d | %.2f | %.3f | %.2f | %.2f | %.1f | %.3f | %.3f | %.3f | %.2f |",
		r, m, n, e, $1, $2 / 1e3, $3 / 1e3, $4 / 1e3, $4 / (n * $5), $6, $7, $8 / 1e3 }' "$LAB_OUT/$1.tsv")
	ktap_print_msg "$text"
	ktap_check "$1: this row is in results.md" on_page measured/results.md "$text"
}

# sum NAME N ETA: utilization and queue / BDP are what U is steered to
sum() {
	awk -v n="$2" -v e="$3" '{
		low = e - 0.02; high = e + (1 - e) * n / 100 + 0.02
		printf "utilization %s and queue / BDP %.3f for U of %.3f - %.3f\n",
		       $1, $2 / $5, low, high
		exit !($1 + $2 / $5 >= low && $1 + $2 / $5 / 2 <= high) }' "$LAB_OUT/$1.tsv"
}

# check N ETA RATE MTU [short]: short of packets is the BDP
check() {
	local name=n$1-$2-$3-$4
	ktap_check "$name: all flows complete" steady "$name" "$@" || return 0
	row "$name" "$@"
	ktap_check "$name: peak of the queue at most n windows" \
		is "$(fig "$name" 4)" "<=" "$(awk -v n="$1" '{ print n * $5 }' "$LAB_OUT/$name.tsv")"
	ktap_check "$name: utilization and queue are what U is to be" sum "$name" "$1" "$2"
	[ -z "${5:-}" ] || return 0
	ktap_check "$name: mean queue below BDP / 20" \
		is "$(fig "$name" 2)" "<=" "$(awk '{ print $5 / 20 }' "$LAB_OUT/$name.tsv")"
	ktap_check "$name: utilization within a point of eta" near_point "$(fig "$name" 1)" "$2"
}

near_point() {
	is "$1" ">=" "$(awk -v e="$2" 'BEGIN { print e - 0.01 }')" &&
		is "$1" "<=" "$(awk -v e="$2" 'BEGIN { print e + 0.01 }')"
}

ktap_print_header
ktap_print_msg "| Gbit/s | MTU | n | eta | utilization | queue mean KB | p99 KB | peak KB | peak / n W | Jain | whole run: utilization | mean KB |"
ktap_print_msg "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
check 2 0.95 100gbit 1024
check 16 0.95 100gbit 1024
check 2 0.90 100gbit 1024
check 2 0.98 100gbit 1024
if [ -n "${FULL:-}" ]; then
	check 1 0.95 100gbit 1024
	check 4 0.95 100gbit 1024
	check 16 0.90 100gbit 1024
	check 16 0.98 100gbit 1024
	check 64 0.95 100gbit 1024 short
	check 2 0.95 100gbit 4096 short
	check 16 0.95 100gbit 4096 short
	check 4 0.95 25gbit 1024 short
	check 16 0.95 25gbit 1024 short
fi
ktap_finished
