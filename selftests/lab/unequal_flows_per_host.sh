#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: fairness between hosts and between flows, with three flows of one host beside one of each
#   other: without congestion control hosts have the same, with most algorithms flows; the [table in
#   virtual time](../measured/real-time.md#in-qemu-guests)
#
#	s0 --- 3 flows -+
#	s1 --- 1 flow --+- sw --- r
#	s2 --- 1 flow --+
#
# Without congestion control each host sends at line rate, and the switch pauses all three alike.
# So each has a third of the last link and s0's flows have a ninth: Jain's index
# (sum x)^2 / (5 sum x^2) of 1/9, 1/9, 1/9, 1/3, 1/3 is 27/35. If all flows get the same it
# is 1. dart divides by hosts, and mercury's windows are for a pair of hosts: 27/35 again.
#
# At a rate that real time can keep: measured/real-time.md has the same from guests beside it.
. "$(dirname "$0")/../lib/lab_lib.sh"

BY_FLOW="dcqcn dctcp timely swift nscc hpcc hpccpp hpccstar powertcp rcc lscc"
BY_HOST="dart mercury"
HOST_JAIN=$(awk 'BEGIN { print 27 / 35 }')
# Nearer to 1 than to that, or not
BETWEEN=$(awk 'BEGIN { print (1 + 27 / 35) / 2 }')

runs() {
	local all="none $BY_FLOW $BY_HOST"
	lab_run incast --cc "${all// /,}" --set n=3 --set s0_flows=3 --set size=1mb \
		--set rate=20mbit --set delay=2ms --set kmin=20kb --set kmax=80kb --set ib_timeout=20 \
		--set pfc=on --set xoff=150kb --set xon=100kb --set headroom=200kb \
		--param dcqcn.rpg_time_reset=20ms --param dcqcn.dce_tcp_rtt=10ms \
		--param lscc.rpg_time_reset=20ms --param lscc.dce_tcp_rtt=10ms
}

jain() { lab_get "incast/$1/1" .jain; }
queue() { lab_get "incast/$1/1" .bottleneck.queue_bytes.mean; }
paused() { lab_get "incast/$1/1" .pfc.pause_ratio; }

# A host's share is that of whole pauses: xoff - xon is a twentieth of a flow.
by_link() { near "$(jain none)" "$HOST_JAIN" 0.05; }

# The mean is over four ports with data, three of which are paused for two thirds of the time.
# That begins when each host has 150 KB of its 1 MB in the switch. It ends when s1 and s2 have
# sent all, after 3 of the run's 5 MB. A twentieth is whole pauses, as above, and another one is
# what s0 has left in the switch then.
pauses() { near "$(paused none)" "$(awk 'BEGIN { print 3 / 4 * 2 / 3 * 3 * .85 / 5 }')" 0.1; }

by_flow() { is "$(jain "$1")" ">=" "$BETWEEN"; }
by_host() { is "$(jain "$1")" "<=" "$BETWEEN"; }

less() {
	is "$(queue "$1")" "<" "$(queue none)" && is "$(paused "$1")" "<" "$(paused none)"
}

says() {
	local line
	line=$(printf '| %s | %.3f | %.1f | %.1f |' "$1" "$(jain "$1")" \
		"$(awk -v q="$(queue "$1")" 'BEGIN { print q / 1000 }')" \
		"$(awk -v p="$(paused "$1")" 'BEGIN { print p * 100 }')")
	ktap_print_msg "$line"
	grep -qF -- "$line" "$RXE_CC_TOP/Documentation/measured/real-time.md" || { echo "not on real-time.md: $line"; return 1; }
}
page() {
	local cc rc=0
	for cc in none $BY_FLOW $BY_HOST; do
		says $cc || rc=1
	done
	return $rc
}

ktap_print_header
ktap_check "runs" runs
ktap_check "none: hosts get the same, flows do not" by_link
ktap_check "none: hosts are paused" pauses
for cc in $BY_FLOW; do
	ktap_check "$cc: flows get the same" by_flow "$cc"
done
for cc in $BY_HOST; do
	ktap_check "$cc: hosts get the same" by_host "$cc"
done
for cc in $BY_FLOW $BY_HOST; do
	ktap_check "$cc: shorter queue, fewer pauses than none" less "$cc"
done
ktap_check "the figures of real-time.md" page
ktap_finished
