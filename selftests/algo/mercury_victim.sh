#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: Mercury's switches in `victim`: states of ports over time; why a Mercury port marks nothing;
#   `firsthop`. Who is slowed down by a burst and who is not are the paper's Fig. 3, 4 and 9,
#   `lab/papers.sh mercury`
#
# Scenarios victim and firsthop, with switches that run Mercury.
. "$(dirname "$0")/../lib/lab_lib.sh"

AWK=$(dirname "$0")/flow_rate_around_event.awk

# figures SCENARIO CC FLOW AT: in $fig: rates before and after, three smallest, us until back
figures() {
	read -ra fig < <(awk -f "$AWK" flow="$3" at="$4" "${LAB_DIR:-$LAB_OUT/r}/$1/$2/seed1/rates.csv")
	echo "$2, flow $3: ${fig[*]}"
}

# Of the windows that the switch has told some have reached their senders, who believe them.
told() {
	lab_get "$1/mercury/1" '.mercury.cnps >= 1 and .mercury.flows_left == 0 and
		.cnp.handled >= 1 and
		.bottleneck.ecn_marked == 0 and .drops.total == 0' | grep -qx true
}

# Nobody listens, so the pauses reach s1. mercury.csv says that a port is paused in those
# samples in which queues.csv does. The congested port is never in doubt: nobody pauses it.
states() {
	local d=$LAB_OUT/states/victim/none/seed1
	LAB_DIR=$LAB_OUT/states lab_run victim --cc none --set mercury=on --set size=10mb || return 1
	awk -F, 'FNR == 1 { next }
		FILENAME ~ /mercury.csv$/ { n[$2, $4]++; m[$2]++; at[$2, m[$2]] = $1; is[$2, m[$2]] = $4; next }
		{
			while (k[$2] < m[$2] && at[$2, k[$2] + 1] <= $1)
				k[$2]++
			if (($5 == 1) != (is[$2, k[$2]] == "paused") && m[$2]) {
				print $0, is[$2, k[$2]]
				bad = 1
			}
			rows++
		}
		END {
			print rows, n["s2-s3", "paused"], n["s1-s2", "undetermined"], n["s3-r2", "determined"], m["s3-r2"]
			exit bad || !rows || !n["s2-s3", "paused"] || !n["s1-s2", "undetermined"] ||
				m["s3-r2"] != 1 || n["s3-r2", "determined"] != 1
		}' "$d/mercury.csv" "$d/queues.csv"
}

# ecn on|off: with thresholds of a tenth, so that pauses reach s1 in spite of the windows. A
# queue behind a pause is above kmin then: s2 takes 32 KB from s1 before it pauses that. With
# marks the victim is told by its receiver, and the first CNP halves its rate.
ecn() {
	local LAB_DIR=$LAB_OUT/ecn_$1 pause_ns marks
	lab_run victim --cc mercury --set size=10mb --set xoff=32000 --set xon=31800 --set kmin=16000 \
		--set mercury_ecn="$1" || return 1
	read -r pause_ns marks < <(lab_get victim/mercury/1 '[.ports["s1-s2"], .ports["s2-s3"]] |
		"\(map(.pause_ns) | min) \(map(.ecn_marked) | add)"')
	echo "paused $pause_ns ns, marks $marks"
	figures victim mercury 0 3000000
	is "$pause_ns" ">=" 1 || return
	if [ "$1" = on ]; then
		is "$marks" ">=" 1 && is "${fig[1]}" "<=" 10000000000
	else
		is "$marks" "==" 0 && is "${fig[1]}" "==" 20000000000
	fi
}

# Two senders, one link, 0.8 of it asked for.
first_hop() {
	lab_run firsthop --cc mercury --set duration=3ms && told firsthop &&
		lab_get firsthop/mercury/1 '.traffic | .capacity_bps == 40e9 and .load_offered > 0.79 and
			.load_offered < 0.81' | grep -qx true
}

ktap_print_header
ktap_check "states of ports over time" states
ktap_check "mercury without marks: the victim is paused, its rate stays" ecn off
ktap_check "with marks besides: the victim is slowed down" ecn on
ktap_check "firsthop: load of the link that two senders share, windows" first_hop
ktap_finished
