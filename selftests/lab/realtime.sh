#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: real time is measured before a run: what it cannot keep is refused, or marked with
#   `--beyond`; the measured path
#
# Real time: what it is worth is measured before each run, and what it cannot keep is
# refused, or marked. No time is asserted but where the measurement says that it is kept.
# Alone: real time
. "$(dirname "$0")/../lib/lab_lib.sh"

# No machine forwards 28 million packets/s through one such kernel, nor adds less than
# 1 us to a round trip of 4 us.
too_fast() {
	mkdir -p "$LAB_OUT/tmp"
	TMPDIR=$LAB_OUT/tmp ends 2 "$LAB" run two --set rate=100gbit --set mtu=256 \
		--clock real --out "$LAB_OUT/fast" || return 1
	cat "$LAB_OUT/err"
	grep -q 'packets/s are more than 1/2 of what it carries.*--beyond' "$LAB_OUT/err" &&
		grep -q 'real time here: timers late by .* ms (p50)' "$LAB_OUT/err" &&
		nothing_left "$LAB_OUT/fast"
}

too_near() {
	ends 2 "$LAB" run latency --clock real --out "$LAB_OUT/near" || return 1
	cat "$LAB_OUT/err"
	grep -q 'base round trip of 0.004 ms' "$LAB_OUT/err" && [ ! -e "$LAB_OUT/near" ]
}

# The same, asked for: figures, and what they are worth, in all three places.
marked() {
	local r=two/none/1 why f
	LAB_DIR=$LAB_OUT/m lab_run two --set rate=100gbit --set mtu=256 --set size=16kb \
		--clock real --beyond || return 1
	why=$(LAB_DIR=$LAB_OUT/m lab_get $r .realtime.beyond)
	echo "$why"
	case $why in *"packets/s are more than"*) ;; *) return 1 ;; esac
	LAB_DIR=$LAB_OUT/m lab_get $r '.notes[]' | grep -qF "$why" || return 1
	f=$LAB_OUT/m/two/none/seed1/run.json
	[ "$(jq -r .realtime.beyond "$f")" = "$why" ] &&
		jq -e '.command | index("--beyond")' "$f" >/dev/null &&
		jq -e '.realtime | .late_p50_ns <= .late_p99_ns and .late_p99_ns <= .late_max_ns and
			.rtt_added_ns > 0 and .packets_per_s > 0 and .links == 2' "$f" >/dev/null
}

virtual_is_not() {
	LAB_DIR=$LAB_OUT/v lab_run two --set size=16kb || return 1
	[ "$(LAB_DIR=$LAB_OUT/v lab_get two/none/1 .realtime)" = null ]
}

# The path that is measured is four times as fast as what is needed, so it carries no
# more; one packet more may have been at its end at the second look than at the first.
path_limits() {
	local r=two/none/1 needed got
	LAB_DIR=$LAB_OUT/s lab_run two --set rate=10mbit --set size=100kb --set delay=1ms \
		--clock real --beyond || return 1
	needed=$(LAB_DIR=$LAB_OUT/s lab_get $r .realtime.needed_packets_per_s)
	got=$(LAB_DIR=$LAB_OUT/s lab_get $r .realtime.packets_per_s)
	echo "needed $needed, measured $got"
	# 1130 packets/s; the least that is measured for is 1000. One packet in 1/4 s is 4/s.
	is "$got" "<=" $((4 * (needed > 1000 ? needed : 1000) + 64 * 4))
}

ktap_print_header
ktap_check "more packets per second than it carries: refused, nothing is left" too_fast
ktap_check "a shorter round trip than it can keep: refused" too_near
ktap_check "--beyond: summary.json, run.json and a note say what is beyond" marked
ktap_check "virtual time: nothing is measured" virtual_is_not
ktap_check "the measured path carries what its rate allows, no more" path_limits
ktap_finished
