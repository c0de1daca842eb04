#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: each port marks by the rate of its own link; keys of the links between switches
#
# Each port marks from 40 KB per 10 Gbit/s of its own link on, also Mercury and IOFD, unless
# something is set; links between switches have keys of their own.
. "$(dirname "$0")/../lib/lab_lib.sh"

# tc_says NODE PORT PATTERN OPTION...: what tc shows of a port of a dumbbell with one pair
tc_says() {
	local node=$1 port=$2 pattern=$3
	shift 3
	echo "ip netns exec $node tc qdisc show dev $port" |
		"$LAB" shell dumbbell --mem 256 --set n=1 "$@" >"$LAB_OUT/tc" 2>&1 || { cat "$LAB_OUT/tc"; return 1; }
	grep -qE "prio 3 .*$pattern" "$LAB_OUT/tc" || { echo "wanted $pattern"; cat "$LAB_OUT/tc"; return 1; }
}

# KB are 1000 bytes where they are written here, and tc's kb 1024: 400000 bytes are 390.625 kb.
ports() {
	local core=(--set core_rate=400gbit)
	tc_says sl sr 'kmin (1600000b|1562\.5kb|1562500b)' "${core[@]}" &&
		tc_says sr r0 'kmin (400000b|390625b|390\.6..kb)' "${core[@]}"
}

# 8 hosts of 100 Gbit/s send 300 KB each through a link of 400 Gbit/s: it is behind by half of what
# has come, 1.3 MB with headers, when they end. A link of 400 Gbit/s marks from 1.6 MB on, one of
# 100 from 0.4. Without an algorithm packets are not ECN capable: they are counted as such.
marks() {
	local dir=$LAB_OUT/m
	for core in auto 400kb; do
		LAB_DIR=$dir/$core lab_run dumbbell --mem 400 --set n=8 --set size=300000 --set core_rate=400gbit \
			--set core_kmin=$core || return 1
	done
	is "$(LAB_DIR=$dir/auto lab_get dumbbell/none/1 '.ports["sl-sr"].queue_peak_bytes')" ">=" 1100000 &&
		is "$(LAB_DIR=$dir/auto lab_get dumbbell/none/1 '.ports["sl-sr"].queue_peak_bytes')" "<=" 1400000 &&
		is "$(LAB_DIR=$dir/auto lab_get dumbbell/none/1 ".ports[\"sl-sr\"] | .ecn_marked + .ecn_not_ect")" "==" 0 &&
		is "$(LAB_DIR=$dir/400kb lab_get dumbbell/none/1 ".ports[\"sl-sr\"] | .ecn_marked + .ecn_not_ect")" ">=" 1
}

# The same of Mercury: a threshold that no queue passes tells nobody.
mercury() {
	LAB_DIR=$LAB_OUT/mercury lab_run dumbbell --mem 400 --cc none --set mercury=on --set n=8 --set size=300000 \
		--set core_rate=400gbit || return 1
	is "$(LAB_DIR=$LAB_OUT/mercury lab_get dumbbell/none/1 '.ports["sl-sr"].mercury.congested')" "==" 0
}

# summary.json and the picture have those of the port.
said() {
	LAB_DIR=$LAB_OUT/s lab_run dumbbell --mem 256 --set n=1 --set size=64kb --set core_rate=400gbit || return 1
	[ "$(LAB_DIR=$LAB_OUT/s lab_get dumbbell/none/1 '.bottleneck | [.port, .kmin_bytes, .kmax_bytes] | tostring')" = \
		'["sl-sr",1600000,6400000]' ]
}

ktap_print_header
ktap_check "ports have thresholds by the rate of their own links" ports
ktap_check "a fast link does not mark from the threshold of a slow one on" marks
ktap_check "Mercury's threshold is that of the port" mercury
ktap_check "the summary says which the bottleneck has" said
ktap_finished
