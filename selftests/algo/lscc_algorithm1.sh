#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: LSCC (link-segmented congestion control) over long links: every rate against Algorithm 1
#   and the queue against Eq. 9, traced in the lab; three long links of one switch, both directions
#   at once, flows that join and leave, a far end that goes and starts again; a workload's senders
#   and load; one interval for switch and receivers
. "$(dirname "$0")/../lib/lab_lib.sh"

HERE=$(dirname "$0")
QREF=2000000
# Eq. 9 and a change of BR by the 40 Gbit/s of the receiver, see lscc_longhaul.sh.
BOUND=$((11000000 + 2 * QREF))

# guest FILE OUT OPTION...: commands in the lab kernel, with the topology and its ports
guest() {
	local file=$1 out=$LAB_OUT/$2
	shift 2
	PATH=$RXE_CC_BUILD/bin:$PATH "$LAB" shell longhaul --clock virtual "$@" \
		<"$file" >"$out" 2>"$out.err" || { tail -n 5 "$out.err" "$out"; return 1; }
}

# run DIR OPTION...
run() {
	local dir=$LAB_OUT/$1
	shift
	LAB_DIR=$dir lab_run longhaul --cc lscc "$@"
}

figure() { LAB_DIR=$LAB_OUT/$1 lab_get longhaul/lscc/1 "$2"; }

# quiet DIR PORT PORT...: nothing is lost, no message is refused, no long link paused
quiet() {
	local dir=$1 p
	shift
	is "$(figure "$dir" '.drops.total + .lscc.refused + .lscc.late + .lscc.expired + .lscc.failed + .lscc.no_place')" "==" 0 ||
		return
	for p; do
		is "$(figure "$dir" ".ports[\"$p\"].pauses_sent")" "==" 0 &&
			is "$(figure "$dir" ".ports[\"$p\"].lscc.heard")" ">=" 100 || return
	done
}

traced() {
	guest "$HERE/lscc_trace_guest.sh" trace --cc lscc --set n=4 --set size=20mb || return
	if grep -E "flowgen failed|trace lost" "$LAB_OUT/trace"; then
		return 1
	fi
	awk -f "$HERE/lscc_algorithm1_eq9.awk" near=es-er far=er-es n=10 t_ns=200000 qref=$QREF \
		step=1000000000 min=100000000 max=200000000000 "$LAB_OUT/trace" >"$LAB_OUT/eq9"
	cat "$LAB_OUT/eq9"
}

# eq9 WORD: the figure after it
eq9() { awk -v w="$1" '{ for (i = 1; i < NF; i += 2) if ($i == w) print $(i + 1) }' "$LAB_OUT/eq9"; }

algorithm() { is "$(eq9 rates)" ">=" 1000 && is "$(eq9 wrong)" "==" 0; }

# At each end of the span a packet of 4178 bytes that one of the two switches has counted and
# the other has not. And es hears R in whole Mbit/s: 11 periods of 200 us, 25 bytes each.
equation() {
	local slack=$((2 * 4178 + 11 * 25))
	is "$(eq9 full)" ">=" 10 && is "$(eq9 worst)" "<=" $slack && is "$(eq9 above)" "<=" $slack
}

several() {
	run sites --set n=4 --set sites=2 --set size=10mb &&
		quiet sites es-er er-es es-x0 x0-es es-x1 x1-es || return
	local p
	for p in es-er es-x0 es-x1; do
		is "$(figure sites ".ports[\"$p\"].lscc.cnps")" ">=" 4 || return
	done
}

fct() { awk -F, '$1 == 0 { print $7 }' "$LAB_OUT/$1/longhaul/lscc/seed1/flows.csv"; }

# Each port has a list, a queue and a limit of its own: what happens at one is nothing to the
# others. Four flows more are some reads of the clock more, of 1 ns each: not 50.
apart() {
	local dir flow=s4,f0,20000000,0
	printf '%s\n' id,src,dst,bytes,start_ns 0,$flow >"$LAB_OUT/alone.csv"
	{ cat "$LAB_OUT/alone.csv"; for i in 0 1 2 3; do echo "$((i + 1)),s$i,r0,10000000,0"; done; } \
		>"$LAB_OUT/beside.csv"
	for dir in alone beside; do
		run "$dir" --set n=5 --set sites=1 --set flows_file="$LAB_OUT/$dir.csv" || return
	done
	is "$(figure beside '.ports["es-er"].lscc.cnps')" ">=" 4 &&
		is "$(($(fct beside) - $(fct alone)))" "<=" 50 &&
		is "$(($(fct alone) - $(fct beside)))" "<=" 50
}

# Four senders to one receiver, each way: both switches do both parts.
both_ways() {
	{
		echo id,src,dst,bytes,start_ns
		for i in 0 1 2 3; do echo "$i,s$i,r0,10000000,0"; done
		for i in 0 1 2 3; do echo "$((i + 4)),r$i,s0,10000000,0"; done
	} >"$LAB_OUT/both.csv"
	run both --set receivers=4 --set flows_file="$LAB_OUT/both.csv" &&
		quiet both es-er er-es || return
	local p
	for p in es-er er-es; do
		is "$(figure both ".ports[\"$p\"].lscc.cnps")" ">=" 4 || return
	done
}

# Five flows that come one after the other and go in the same order, 8 ms apart: of the size
# that each would move at its fair share of 39.2 Gbit/s.
join_leave() {
	awk 'BEGIN {
		print "id,src,dst,bytes,start_ns"
		for (i = 0; i < 5; i++) {
			for (k = i; k < i + 5; k++)
				sum[i] += 1 / (k < 5 ? k + 1 : 9 - k)
			printf "%d,s%d,r0,%.0f,%d\n", i, i, sum[i] * 0.008 * 39.2e9 / 8, i * 8000000
		}
	}' >"$LAB_OUT/five.csv"
	run five --set n=5 --set flows_file="$LAB_OUT/five.csv" && quiet five es-er er-es &&
		is "$(figure five .bottleneck.queue_bytes.max)" "<=" $BOUND
}

# restart DOWN: what es has heard since
restart() {
	{ echo "DOWN=$1"; cat "$HERE/lscc_far_end_restart_guest.sh"; } >"$LAB_OUT/restart.sh"
	guest "$LAB_OUT/restart.sh" restart --cc lscc --set n=4 --set size=20mb || return
	cat "$LAB_OUT/restart"
	grep -q "^flowgen done" "$LAB_OUT/restart" && is "$(heard refused)" "==" 0 &&
		is "$(heard expired)" "==" 1
}

# heard WORD: the figure after it
heard() { sed -n "s/^heard .*$1 \([0-9]*\).*/\1/p" "$LAB_OUT/restart"; }

# Its rate holds for 2 ms after its last message, then anybody who is the peer is believed.
away() { restart 0.005 && is "$(heard late)" "==" 0; }

# It numbers its messages from 0 again, which are older than those in force for as long as that
# rate holds: at most 2 ms after one of the last period, and the first comes T + D = 1.2 ms after
# the start: (2 - 1.2) / 0.2 = 4, and one more.
at_once() {
	restart 0 && is "$(heard late)" ">=" 1 && is "$(heard late)" "<=" 5
}

# Two senders of 40 Gbit/s behind a link of 40 Gbit/s to es, and no LSCC at the far end. Nobody is
# told at es then, so what the rack marks goes on, and the receiver sends CNPs.
far_off() {
	guest "$HERE/lscc_far_end_off_guest.sh" off --cc lscc --set n=2 --set rate=40gbit --set size=20mb || return
	cat "$LAB_OUT/off"
	grep -q "^flowgen done" "$LAB_OUT/off" && is "$(off marked)" ">=" 100 &&
		is "$(off cleared)" "==" 0 && is "$(off direct)" "==" 0 && is "$(off normal)" ">=" 1
}

# off WORD: the figure after it
off() { sed -n "s/^far .*$1 \([0-9]*\).*/\1/p" "$LAB_OUT/off"; }

# Who sends and who gets follows from the scenario, and the load is that of the long link: there
# 16 senders of 40 Gbit/s meet first. A host list of the user's comes before that.
workload() {
	local f="$LAB_OUT/flows"
	"$LAB" flows longhaul --set n=16 --set receivers=4 --set workload=websearch \
		--set load=0.7 --set duration=50ms --out - >"$f" || return
	awk -F, 'NR > 1 && ($2 !~ /^s/ || $3 !~ /^r/) { bad++ } NR > 1 { n++; sum += $4 }
		END { print n, "flows,", sum * 8 / 0.05 / 1e9, "Gbit/s"; exit bad || n < 100 }' "$f" &&
		near "$(awk -F, 'NR > 1 { sum += $4 } END { print sum * 8 / 0.05 }' "$f")" \
			$((140000000000 * 4096 / 4178)) 0.02 || return
	"$LAB" flows longhaul --set n=16 --set receivers=4 --set workload=websearch \
		--set senders=s3+s5 --set duration=20ms --out - |
		awk -F, 'NR > 1 && ($2 !~ /^s[35]$/ || $3 !~ /^r/) { bad++ } END { exit bad || NR < 2 }'
}

# interval WANT OPTION...: what the switch has
interval() {
	local want=$1
	shift
	echo "tc -n es -j qdisc show dev er" >"$LAB_OUT/ask.sh"
	guest "$LAB_OUT/ask.sh" ask "$@" || return
	is "$(jq '.[0].options.lscc_interval_ns' "$LAB_OUT/ask")" "==" "$want"
}

# The algorithm's parameter is the switch's too; where there is none it has a key.
intervals() {
	interval 9000 --cc lscc --param direct_interval=9us &&
		interval 50000 --cc lscc --set preset=paper &&
		interval 7000 --cc dcqcn --set lscc=on --set lscc_interval=7us &&
		interval 4000 --cc dcqcn --set lscc=on
}

# bad WORD OPTION...: refused in one line that names it
bad() {
	local word=$1 out
	shift
	out=$("$LAB" run longhaul --cc lscc "$@" --out "$LAB_OUT/bad" 2>&1) &&
		{ echo "accepted"; return 1; }
	[[ $out == *"$word"* && $out != *$'\n'* ]] || { echo "$out"; return 1; }
}

ktap_print_header
ktap_check "a run with a trace" traced
ktap_check "every rate is Algorithm 1's" algorithm
ktap_check "the queue is that of Eq. 9, the pseudo queue and limits" equation
ktap_check "three long links of one switch" several
ktap_check "one does not notice the other" apart
ktap_check "both directions at once" both_ways
ktap_check "five flows join and leave" join_leave
ktap_check "the far end is gone for a while" away
ktap_check "the far end starts again at once" at_once
ktap_check "the far end runs no LSCC: marks reach the receiver" far_off
ktap_check "a workload: from senders to receivers, load of the long link" workload
ktap_check "the interval of direct CNPs is one setting" intervals
ktap_check "lscc_interval beside the parameter is refused" bad lscc_interval --set lscc_interval=5us
ktap_check "long_xon above long_xoff is refused" bad long_xon --set long_xoff=5mb --set long_xon=6mb
ktap_finished
