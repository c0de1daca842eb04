#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: Mercury's judgements in `victim`, packet by packet from a trace: against the rule, computed
#   again, and against the truth
#
# The states (such as Undetermined) in which Mercury's switch ports see their queues, packet by
# packet, against the truth. Scenario victim, with senders that do not react to CNPs.
#
# Hosts at s1 send 20 and 20 Gbit/s into links of 40. So s1-s2 and s2-s3 are never
# congested: every CNP there is wrong. s3-r2 is never paused, so it is never
# Undetermined, and its own traffic causes all of its queue.
#
# The gap between two pauses is the way of a PFC frame and of the first packet after it, 8 us,
# and the time in which the burst's port sends X_off - X_on, 2 KB: 10 us. s2-s3 has one link
# of the same rate in front of it, so what arrives during a pause is never more than its line
# carries. With T of 50 us it is not judged between two pauses, and sends no CNP
# before the last one ends.
#
# After that as much arrives as the line carries, and the queue keeps its length. It falls
# only as long as s1 is still paused: what s2 holds above X_on, which is what 8 us bring, takes
# 8 us, and the resume and the first packet take another 8. So one judgement finds it shorter,
# or the one T before was earlier. The next but one does not, and all packets from then on cause
# CNPs: at most those of 16 us + 2 T, and one packet, do not.
. "$(dirname "$0")/../lib/lab_lib.sh"

HERE=$(dirname "$0")
THRESHOLD=160000
PACKET=1106

# trace NAME T-US OPTION...: what mercury_port_state.awk says of a run, in NAME
trace() {
	local name=$LAB_OUT/$1 t=$2
	shift 2
	PATH=$RXE_CC_BUILD/bin:$PATH "$LAB" shell victim --clock virtual --cc none \
		--knob switch_feedback=0 --set mercury=on --set mercury_threshold=$THRESHOLD \
		--set mercury_period="${t}us" --set size=6mb --set burst_start=500us --set burst_time=200us "$@" \
		<"$HERE/mercury_port_state_guest.sh" >"$name.trace" 2>"$name.err" ||
		{ tail -n 5 "$name.err" "$name.trace"; return 1; }
	if grep -E "flowgen failed|trace lost" "$name.trace"; then
		return 1
	fi
	awk -f "$HERE/mercury_port_state.awk" thr=$THRESHOLD gbit=40 period="${t}000" "$name.trace" >"$name" &&
		cat "$name"
}

# of NAME PORT COLUMN
of() { awk -v p="$2" -v c="$3" '$1 == p { print $c }' "$LAB_OUT/$1"; }

# Columns of a line of mercury_port_state.awk
DECISIONS=2 TOLD_WRONG=4 SPARED_WRONG=6 LATE_TOLD=16 LATE_SPARED=17 DIFFERS=19

# The kernel's decisions are those of the rule, worked out from what came, went and paused.
rule() {
	local p
	for p in s1-s2 s2-s3 s3-r2; do
		is "$(of "$1" $p $DECISIONS)" ">=" 1000 && is "$(of "$1" $p $DIFFERS)" "==" 0 ||
			return
	done
}

congested_port() {
	is "$(of "$1" s3-r2 $TOLD_WRONG)" "==" 0 && is "$(of "$1" s3-r2 $SPARED_WRONG)" "==" 0
}

quiet_between() {
	is "$(of t50 s2-s3 $TOLD_WRONG)" "==" "$(of t50 s2-s3 $LATE_TOLD)"
}

# afterwards NAME T-US: who comes in T and what the queue falls in is spared, the others not
afterwards() {
	local p most=$((5 * (16000 + 2000 * $2) / PACKET + 1))
	for p in s1-s2 s2-s3; do
		is "$(of "$1" $p $LATE_SPARED)" "<=" $most && is "$(of "$1" $p $LATE_TOLD)" ">=" 1000 ||
			return
	done
}

ktap_print_header
for t in 10 50; do
	ktap_check "T = $t us: a run with a trace" trace t$t $t
	ktap_check "T = $t us: every decision is the rule's" rule t$t
	ktap_check "T = $t us: the congested port is never in doubt, and always right" congested_port t$t
	ktap_check "T = $t us: a queue that stays is congested soon after the last pause" afterwards t$t $t
done
ktap_check "T = 50 us: nobody is told between pauses" quiet_between
ktap_finished
