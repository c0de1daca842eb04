#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: scenarios `victim` and `burst`: pauses reach the first switch, who is slowed down by them
#   and who is not; a burst is in the queue before anybody can answer; under `mercury` the victim's
#   rate stays, and the queue of the burst is half as long; states of ports over time; why a Mercury
#   port marks nothing; `firsthop`
#
# Scenarios victim and burst, with algorithms that get feedback on congestion from the far end.
#
# victim: the burst is 8 x 40 Gbit/s into a link of 40, beside flow 1 at 20. First it fills
# s3: flow 1's port there reaches X_off, and so on to s1. A sender whose window is no more
# than its bandwidth-delay product cannot fill that: 20 Gbit/s for a round trip of 33 us
# is 83 KB, X_off is 320.
#
# burst: 8 x 120000 bytes arrive in the time of one, 25.9 us, from beside the long flow;
# meanwhile the link carries a ninth of nine. A round trip is 33 us or more, so the rest is in
# the queue before the first answer: 8 x (117 packets of 1106 bytes and one of 274), 1037 KB.
# No feedback from the far end can prevent that.
#
# With mercury the first switch sends CNPs itself. At 8 x 5 bytes a ns the queue is at
# the threshold of 160000 bytes after 4 us. The next packet of each sender that joins causes
# its CNP: a packet time of 221 ns, or two. The CNP takes 4 us, and the last packet before it
# another 4, so the queue never has more than (4 + 8 + 0.7) us x 40, 508 KB.
. "$(dirname "$0")/../lib/lab_lib.sh"

AWK=$(dirname "$0")/flow_rate_around_event.awk
told_bytes=508000
CLAMPS=clamp_tgt_rate=0:clamp_tgt_rate_after_time_inc=0
burst_bytes=$((8 * (117 * 1106 + 274)))

# figures SCENARIO CC FLOW AT: in $fig: rates before and after, three smallest, us until back
figures() {
	read -ra fig < <(awk -f "$AWK" flow="$3" at="$4" "${LAB_DIR:-$LAB_OUT/r}/$1/$2/seed1/rates.csv")
	echo "$2, flow $3: ${fig[*]}"
}

paused_ns() { lab_get "victim/$1/1" ".ports[\"$2\"].pause_ns"; }

# Both links are paused, and nothing is lost.
reached() {
	is "$(paused_ns "$1" s2-s3)" ">=" 1 && is "$(paused_ns "$1" s1-s2)" ">=" 1 &&
		is "$(lab_get "victim/$1/1" .drops.total)" "==" 0
}

# The host's own link is the rate before. Under dcqcn the first CNP halves it.
slowed() {
	figures victim "$1" 0 3000000
	is "${fig[0]}" "==" 20000000000 && is "${fig[1]}" "<=" 10000000000 && is "${fig[5]}" "==" -1
}

# With no algorithm it is the pauses that stop it: the rate stays, goodput does not.
paused_only() {
	figures victim none 0 3000000
	is "${fig[1]}" "==" 20000000000 && is "${fig[4]}" "<=" 10000000000
}

small_window() {
	is "$(paused_ns hpcc s2-s3)" "==" 0 || return
	figures victim hpcc 0 3000000
	is "${fig[1]}" ">=" "$(awk -v b="${fig[0]}" 'BEGIN { print 0.98 * b }')"
}

# culprit CC: flow 1 is slowed down, as it should
culprit() {
	figures victim "$1" 1 3000000
	is "${fig[1]}" "<=" 10000000000
}

# clamped CC: each cut sets the target to the present rate, so the culprit is not back in the run.
clamped() {
	figures victim "$1" 1 3000000
	is "${fig[5]}" "==" -1
}

# kept CC: the target is kept over cuts, so six increases of 55 us restore 98 % of the rate. The
# last cut is over by then: of the burst all has arrived, and what flow 1 had sent before that, 2049
# packets of 1106 bytes at 40 Gbit/s (453 us), a round trip (33 us), an interval of CNPs (50 us).
kept() {
	local end_us
	end_us=$(awk -F, '$2 ~ /^b/ && $6 + $7 > last { last = $6 + $7 } END { print int(last / 1000) }' \
		"$LAB_OUT/r/victim/$1/seed1/flows.csv")
	figures victim "$1" 1 3000000
	echo "the burst has arrived after $((end_us - 3000)) us"
	is "$end_us" ">=" 3500 && is "${fig[5]}" ">=" 0 &&
		is "${fig[5]}" "<=" $((end_us - 3000 + 453 + 33 + 50 + 6 * 55))
}

peak() {
	is "$(lab_get "burst/$1/1" .bottleneck.queue_bytes.max)" ">=" $((burst_bytes * 99 / 100))
}

# Nine equal shares are 4.4 Gbit/s, of payload 4.1: an algorithm that answers a burst that is
# over already with cuts falls below, and over 300 us too.
too_late() {
	figures burst "$1" 0 600000
	is "${fig[4]}" "<=" 4100000000
}

# Of the windows that the switch has told some have reached their senders, who believe them.
told() {
	lab_get "$1/mercury/1" '.mercury.cnps >= 1 and .mercury.flows_left == 0 and
		.cnp.handled >= 1 and
		.bottleneck.ecn_marked == 0 and .drops.total == 0' | grep -qx true
}

# Within 2 %, as the paper has it.
spared() {
	figures victim mercury 0 3000000
	is "${fig[1]}" ">=" "$(awk -v b="${fig[0]}" 'BEGIN { print 0.98 * b }')"
}

short() {
	is "$(lab_get burst/mercury/1 .bottleneck.queue_bytes.max)" "<=" $told_bytes
}

# A flow that is paused gets no ACKs, and what it has sent is no reason to count less.
never_below_0() {
	awk -F, 'FNR > 1 && $3 < 0 { print FILENAME, $1, $2, $3; bad = 1 } END { exit bad || NR < 1000 }' \
		"$LAB_OUT"/r/victim/*/seed1/rates.csv
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
ktap_check "victim: all complete" lab_run victim --cc none,dcqcn,timely,hpcc
for cc in none dcqcn timely; do
	ktap_check "$cc: pauses reach the first switch" reached $cc
done
for cc in dcqcn timely; do
	ktap_check "$cc: the victim is slowed down, for good" slowed $cc
	ktap_check "$cc: so is the culprit" culprit $cc
done
ktap_check "none: the victim is only paused" paused_only
ktap_check "hpcc: a window of a bandwidth-delay product does not pause" small_window
ktap_check "burst: all complete" lab_run burst --cc dcqcn,timely,hpcc
for cc in dcqcn timely hpcc; do
	ktap_check "$cc: all of the burst is in the queue" peak $cc
done
for cc in dcqcn timely; do
	ktap_check "$cc: the long flow pays for it afterwards" too_late $cc
done
ktap_check "mercury: all complete" lab_run victim --cc mercury
ktap_check "mercury: the switch tells windows, and marks nothing" told victim
ktap_check "mercury: the victim's rate stays" spared
ktap_check "mercury: the culprit is slowed down" culprit mercury
ktap_check "without clamps of the target rate: all complete" lab_run victim --cc "dcqcn:$CLAMPS,mercury:$CLAMPS"
for cc in dcqcn mercury; do
	ktap_check "$cc: the culprit is not back" clamped $cc
	ktap_check "$cc without clamps: the culprit is back" kept "$cc:$CLAMPS"
done
ktap_check "mercury, burst: all complete" lab_run burst --cc mercury
ktap_check "mercury, burst: windows" told burst
ktap_check "mercury, burst: half of it never gets there" short
ktap_check "no goodput is below 0" never_below_0
ktap_check "states of ports over time" states
ktap_check "mercury without marks: the victim is paused, its rate stays" ecn off
ktap_check "with marks besides: the victim is slowed down" ecn on
ktap_check "firsthop: load of the link that two senders share, windows" first_hop
ktap_finished
