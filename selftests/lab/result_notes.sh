#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: what the figures alone do not tell is said: the port they are of, packets sent twice,
#   nothing completed, nothing congested
#
# What the figures alone do not tell is said: which port they are of, that packets were sent
# twice, that nothing completed, that other flows ran beside, that nothing was congested.
. "$(dirname "$0")/../lib/lab_lib.sh"

# Prints the table; run.sh's lab_run prints nothing.
table() {
	"$LAB" run "$@" --mem 400 --quiet 2>"$LAB_OUT/err" </dev/null || { cat "$LAB_OUT/err"; return 1; }
}

# port_in FILE CC: of which port the table says that the row is
port_in() {
	sed -n 's/.*, bottleneck port //p' "$1" | grep . || awk -v cc="$2/1" '$1 == cc { print $NF }' "$1"
}

# A star names no bottleneck: the busiest port of a run is another one than that of the next.
ports() {
	local cc t=$LAB_OUT/table got want all=
	table star --set n=4 --set size=200kb --cc none,hpcc,rcc --out "$LAB_OUT/ports" >"$t" || return 1
	for cc in none hpcc rcc; do
		want=$(LAB_DIR=$LAB_OUT/ports lab_get star/$cc/1 .bottleneck.port)
		got=$(port_in "$t" $cc)
		all="$all $want"
		[ "$got" = "$want" ] || { echo "$cc: $got in the table, $want"; cat "$t"; return 1; }
	done
	ktap_print_msg "busiest:$all"
	"$LAB" report --no-plots "$LAB_OUT/ports" >"$t" 2>/dev/null
	for cc in $all; do
		head -n 1 "$t" | grep -q -- " $cc" || { echo "report: no $cc"; head -n 1 "$t"; return 1; }
	done
}

# 40 Gbit/s between switches and 10 to hosts: flows that meet at a host wait before it.
elsewhere() {
	local d=$LAB_OUT/elsewhere/fattree/dcqcn/seed1/summary.json n want
	table fattree --set k=4 --set rate=10gbit --set core_rate=40gbit --set pods=2 --set down=16 --set edges=2 \
		--set aggs=1 --set up=1 --set size=200kb --cc dcqcn --out "$LAB_OUT/elsewhere" >/dev/null || return 1
	want=$(jq '.ports as $p | .bottleneck as $b | [.ports | to_entries[] | select(.key | test("^h") | not) |
		.value.queue_peak_bytes] | max > 2 * $b.queue_bytes.max' "$d")
	n=$(jq '[.notes[] | select(test("the longest queue was that of port"))] | length' "$d")
	[ "$want $n" = "true 1" ] || [ "$want $n" = "false 0" ] || { echo "$want, $n notes"; return 1; }
	[ "$want" = false ] || jq -e '.ports as $p | .notes[] | select(test("the longest queue")) |
		capture("port (?<p>[^,]*), (?<b>[0-9]+) bytes with (?<m>[0-9]+) marks") |
		$p[.p].queue_peak_bytes == (.b | tonumber) and $p[.p].ecn_marked == (.m | tonumber)' "$d" >/dev/null
}

# Four links of 20 ms are a round trip of 80; 2^14 * 4.096 us are 67.1.
timeout_follows() {
	local r=two/dcqcn/1
	LAB_DIR=$LAB_OUT/t lab_run two --mem 300 --set delay=20ms --set size=200kb --cc dcqcn &&
		[ "$(LAB_DIR=$LAB_OUT/t lab_get $r '[.retransmits, .timeouts, .settings.ib_timeout] | tostring')" = '[0,0,"16"]' ] &&
		LAB_DIR=$LAB_OUT/t lab_get $r '.notes[]' | grep -qx 'ib_timeout=16, 268.4 ms, in place of 14: the base round trip is 80 ms' &&
		LAB_DIR=$LAB_OUT/t14 lab_run two --mem 300 --set delay=20ms --set size=200kb --set ib_timeout=14 --cc dcqcn || return 1
	is "$(LAB_DIR=$LAB_OUT/t14 lab_get $r .timeouts)" ">=" 1 &&
		LAB_DIR=$LAB_OUT/t14 lab_get $r '.notes[]' | grep -q 'timeout, 67.11 ms (ib_timeout=14), is below the base round trip of 80 ms'
}

# Seven hosts send 200 KB each at 100 Mbit/s to one, which takes 16 ms. An eighth begins after 20 ms:
# before its first packet are 1.5 MB on the wire less 20 ms, 101 ms of queue. Nothing is lost.
sent_twice() {
	local r=star/none/1 f=$LAB_OUT/late.csv i o
	echo id,src,dst,bytes,start_ns >"$f"
	for i in 1 2 3 4 5 6 7; do echo "$((i - 1)),h$i,h0,200000,0"; done >>"$f"
	echo 7,h8,h0,200000,20000000 >>"$f"
	o=(star --mem 300 --set n=9 --set rate=100mbit --set flows_file="$f")
	LAB_DIR=$LAB_OUT/again lab_run "${o[@]}" && LAB_DIR=$LAB_OUT/once lab_run "${o[@]}" --set ib_timeout=17 || return 1
	[ "$(LAB_DIR=$LAB_OUT/again lab_get $r .drops.total)" = 0 ] && is "$(LAB_DIR=$LAB_OUT/again lab_get $r .retransmits)" ">=" 1 &&
		LAB_DIR=$LAB_OUT/again lab_get $r '.notes[]' | grep -q "^$(LAB_DIR=$LAB_OUT/again lab_get $r .retransmits) packets were sent again and none was lost" &&
		[ "$(LAB_DIR=$LAB_OUT/once lab_get $r .retransmits)" = 0 ] &&
		! LAB_DIR=$LAB_OUT/once lab_get $r '.notes[]' | grep -q "sent again"
}

nothing_completed() {
	local d=$LAB_OUT/null/two/none/seed1
	ends 1 "$LAB" run two --mem 256 --set size=900gb --set limit=200us --out "$LAB_OUT/null" || return 1
	[ "$(jq -c '[.flows.completed, .flows.fct_ns, .flows.slowdown]' "$d/summary.json")" = "[0,null,null]" ] &&
		awk '$1 == "none/1" && $2 == "0/1" && $4 == "-" && $5 == "-" && $6 == "-" { ok = 1 } END { exit !ok }' "$LAB_OUT/out" ||
		{ cat "$LAB_OUT/out"; return 1; }
	"$LAB" report --no-plots "$LAB_OUT/null" >"$LAB_OUT/out" 2>"$LAB_OUT/err" && ! grep -q "no figure" "$LAB_OUT/err" || return 1
	# Under a workload too.
	printf 'id,src,dst,bytes,start_ns\n0,h0,h1,1000000000,0\n' >"$LAB_OUT/one.csv"
	ends 1 "$LAB" run star --mem 300 --set n=4 --set flows_file="$LAB_OUT/one.csv" --set limit=100us --out "$LAB_OUT/null" || return 1
	[ "$(jq -c '.measured | [.completed, .fct_ns, .slowdown, .flow_goodput_bps]' "$LAB_OUT/null/star/none/seed1/summary.json")" = \
		"[0,null,null,null]" ] && "$LAB" report --bins 20 "$LAB_OUT/null/star/none/seed1" | head -n 1 | grep -qx '1 flows, 0 of them completed'
}

# Eight flows of the permutation, which are in no group, and those of incasts.
beside() {
	local r=star/none/1
	LAB_DIR=$LAB_OUT/beside lab_run star --mem 400 --set n=8 --set incast_degree=4 --set load=0.2 --set duration=200us || return 1
	LAB_DIR=$LAB_OUT/beside lab_get $r '.notes[]' | grep -q "^the scenario's own 8 flows, 8388608 bytes, run besides" || return 1
	[ "$(LAB_DIR=$LAB_OUT/beside lab_get $r '.flows.count - .traffic.flows')" = 8 ] || return 1
	LAB_DIR=$LAB_OUT/alone lab_run star --mem 400 --set n=8 --set workload=hadoop --set incast_degree=4 --set duration=100us || return 1
	[ "$(LAB_DIR=$LAB_OUT/alone lab_get $r '.flows.count - .traffic.flows')" = 0 ] &&
		! LAB_DIR=$LAB_OUT/alone lab_get $r '.notes[]' | grep -q "run besides"
}

# says DIR TEXT: the report of the runs has one warning with this text
says() {
	"$LAB" report --no-plots -j "$1" 2>/dev/null |
		jq -e --arg t "$2" '[.warnings[] | select(contains($t))] | length == 1' >/dev/null
}

# congested DIR ANSWERS: of all runs, by the names of their algorithms
congested() {
	local got
	got=$(jq -r '[.cc, .congested] | join("=")' "$1"/*/*/seed1/summary.json | tr '\n' ' ')
	[ "$got" = "$2 " ] || { echo "$got, not $2"; return 1; }
}

# One flow alone meets no queue. HPCC leaves a part of the idle line free: so it differs.
idle() {
	local t=$LAB_OUT/table text='nothing was congested: algorithms cannot differ here'
	table two --set size=64kb --cc none --out "$LAB_OUT/alone1" >"$t" && grep -q "^note: $text" "$t" &&
		congested "$LAB_OUT/alone1" "none=false" && says "$LAB_OUT/alone1" "$text" &&
		table two --set size=64kb --cc none,dcqcn,timely --out "$LAB_OUT/idle" >"$t" &&
		[ "$(grep -c "^note: $text" "$t")" = 1 ] && ! grep -q 'tell the algorithms apart' "$t" &&
		congested "$LAB_OUT/idle" "dcqcn=false none=false timely=false" && says "$LAB_OUT/idle" "$text" &&
		table two --set size=64kb --cc none,hpcc --out "$LAB_OUT/free" >"$t" || { cat "$t"; return 1; }
	grep -q '^note: no port of a switch was congested' "$t" && ! grep -q "$text" "$t" &&
		congested "$LAB_OUT/free" "hpcc=true none=false" &&
		says "$LAB_OUT/free" "no port of a switch was congested" || { cat "$t"; return 1; }
}

# One kind of signal each. Eight at once meet a queue: the last of eight packets waits for seven.
signals() {
	local t=$LAB_OUT/table o=(incast --set n=8 --set size=16kb)
	table "${o[@]}" --cc none,dcqcn --out "$LAB_OUT/busy" >"$t" || return 1
	! grep -q 'congested' "$t" && grep -q '^note: none, dcqcn have the same completion times' "$t" &&
		congested "$LAB_OUT/busy" "dcqcn=true none=true" || { cat "$t"; return 1; }
	table incast --set n=8 --set size=1mb --cc none,dcqcn --out "$LAB_OUT/busier" >"$t" || return 1
	! grep -q '^note: ' "$t" || { cat "$t"; return 1; }
	# A base round trip of 1 ms makes every queue a short one: the other signals alone are left.
	o=(incast --set n=2 --set size=64kb --cc none --set base_rtt=1ms)
	table "${o[@]}" --set ecn=off --out "$LAB_OUT/queue" >"$t" && ! grep -q "^note: nothing" "$t" &&
		congested "$LAB_OUT/queue" "none=" &&
		table "${o[@]}" --set kmin=2kb --cc none,dcqcn --out "$LAB_OUT/mark" >"$t" && ! grep -q "^note: nothing" "$t" &&
		congested "$LAB_OUT/mark" "dcqcn=true none=true" &&
		table "${o[@]}" --set ecn=off --set pfc=on --set xoff=4kb --out "$LAB_OUT/pause" >"$t" &&
		! grep -q "^note: nothing" "$t" && congested "$LAB_OUT/pause" "none=true" &&
		table "${o[@]}" --set ecn=off --set buffer=8kb --out "$LAB_OUT/drop" >"$t" &&
		! grep -q "^note: nothing" "$t" && congested "$LAB_OUT/drop" "none=true" || { cat "$t"; return 1; }
}

ktap_print_header
ktap_check "no bottleneck named: each row is of the port that the table says, the report too" ports
ktap_check "a queue that is longer elsewhere than at the busiest port" elsewhere
ktap_check "the retransmission timeout follows the base round trip, or is said to be below it" timeout_follows
ktap_check "packets that were sent twice although none was lost" sent_twice
ktap_check "nothing completed: times are not known, in table, summary and report" nothing_completed
ktap_check "the scenario's own flows beside incasts" beside
ktap_check "nothing congested: table, summary and report say so of one run and of several" idle
ktap_check "a queue, marks, pauses or drops: nobody says that nothing was congested" signals
ktap_finished
