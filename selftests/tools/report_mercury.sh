#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: states of ports above queues and pauses; flows with a role of their own
#
# lab report: the states that Mercury has ports in, above queues and pauses; flows that
# have a role of their own. From small hand-made result directories.
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/report_lib.sh
. "$(dirname "$0")/../lib/report_lib.sh"

# trio DIR CC RATE: flow 0 is the victim at RATE Gbit/s, flow 1 the culprit at half of it,
# flows 2 and 3 the burst; s1-s2 is paused from 200 to 600 us of 1000, s2-r is the root
trio() {
	local d=$1/trio/$2/seed1 t f

	mkdir -p "$d"
	cat >"$d/summary.json" <<-END
		{ "scenario": "trio", "cc": "$2", "seed": 1, "settings": { "rate": "100gbit" },
		  "virtual_ns": 1000000, "flows": { "count": 4, "completed": 4,
		    "fct_ns": { "p50": 1000000, "p99": 1000000 }, "slowdown": { "p50": 1, "p99": 1 } },
		  "goodput_bps": 5000000000, "jain": 0.5, "cnp": { "sent": 0, "handled": 0 },
		  "bottleneck": { "port": "s2-r", "utilization": 1, "ecn_marked": 0, "drops": 0,
		    "queue_bytes": { "mean": 1, "p99": 1, "max": 1 } },
		  "groups": { "victim": [ 0 ], "culprit": [ 1 ], "burst": [ 2, 3 ] },
		  "ports": { "s1-s2": { "pause_ns": 400000 }, "s2-r": { "pause_ns": 0 }, "s1-x": { "pause_ns": 0 } } }
	END
	echo '{}' >"$d/run.json"
	{
		echo "id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown"
		for f in 0 1 2 3; do echo "$f,h$f,r,1$f,1000000,0,1000000,80000,12.5"; done
	} >"$d/flows.csv"
	echo "t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes" >"$d/rates.csv"
	for ((t = 10; t <= 1000; t += 10)); do
		for f in 0 1 2 3; do
			echo "${t}000,$f,$(($3 / (f + 1) / 2))000000000,$(($3 / (f + 1)))000000000,,1"
		done
	done >>"$d/rates.csv"
	printf '%s\n' t_ns,port,prio,bytes,paused 100000,s2-r,3,900000,0 200000,s1-s2,3,500000,1 \
		600000,s1-s2,3,0,0 1000000,s2-r,3,0,0 >"$d/queues.csv"
	printf '%s\n' t_ns,port,prio,pause_ns 200000,s1-s2,3,0 600000,s1-s2,3,400000 >"$d/pauses.csv"
}

# Paused for 400 us, then in doubt for 100; s1-x never was.
states() {
	printf '%s\n' t_ns,port,prio,state 0,s1-s2,3,determined 0,s1-x,3,determined 0,s2-r,3,determined \
		200000,s1-s2,3,paused 600000,s1-s2,3,undetermined 700000,s1-s2,3,determined
}

report() {
	rm -rf "$1/report"
	"$lab" report "$1" >"$tmp/out" 2>"$tmp/err"
}

pictures() {
	local k

	report "$tmp/r" || return 1
	[ ! -s "$tmp/err" ] || { cat "$tmp/err"; return 1; }
	for k in roles pauses_mercury pauses_dcqcn; do
		grep -q '</svg>' "$tmp/r/report/trio_$k.svg" || { echo "$k.svg"; return 1; }
		head -c 4 "$tmp/r/report/trio_$k.png" | grep -q PNG || { echo "$k.png"; return 1; }
		grep -q "trio_$k.svg" "$tmp/r/report/index.html" || { echo "$k: not on the page"; return 1; }
	done
}

# Bars as from, row, until in ns, the first row on top: s1-s2, then the root.
bars() {
	local gp=$tmp/r/report/gp/trio_pauses_mercury.gp csv=$tmp/r/report/data/trio_pauses_mercury.csv

	[ "$(points "$csv" state mercury paused | xargs)" = "200000,1.5,600000" ] &&
		[ "$(points "$csv" state mercury undetermined | xargs)" = "600000,1.5,700000" ] &&
		[ "$(points "$csv" state mercury determined | xargs)" = "0,1.5,200000 700000,1.5,1000000 0,0.5,1000000" ] ||
		{ points "$csv" state; return 1; }
	[ "$(elements "$gp" tic_text | head -2 | xargs)" = "s1-s2 s2-r" ] &&
		# Four panels with the same two margins; three without Mercury.
		aligned "$gp" 4 && aligned "$tmp/r/report/gp/trio_pauses_dcqcn.gp" 3
}

# Two roles, rate and goodput each; the burst has none. dcqcn comes first, with its colour.
roles() {
	local gp=$tmp/r/report/gp/trio_roles.gp csv=$tmp/r/report/data/trio_roles.csv

	[ "$(paste -d , <(elements "$gp" panel_title) <(elements "$gp" panel_more) | tr -d '"' | cut -d ' ' -f 1-4 | xargs)" = \
		"victim,, flow 0: rate victim,, flow 0: goodput culprit,, flow 1: rate culprit,, flow 1: goodput" ] ||
		{ elements "$gp" panel_more; return 1; }
	[ "$(for f in 0 1; do for p in cc_rate_bps goodput_bps; do for a in dcqcn mercury; do
		points "$csv" $p $a "flow $f" | cut -d , -f 2 | sort -u; done; done; done | xargs)" = \
		"2e+10 4e+10 1e+10 2e+10 1e+10 2e+10 5e+09 1e+10" ] || { head -40 "$csv"; return 1; }
	[ "$(elements "$gp" curve_rgb | head -2 | xargs)/$(elements "$gp" curve_name | head -2 | xargs)" = \
		"$((0x0072b2)) $((0xcc79a7))/dcqcn mercury" ]
}

# Nobody has a role where flows are all of one kind.
no_roles() {
	trio "$tmp/n" dcqcn 20
	sed -i 's/"groups".*/"groups": { "burst": [ 0, 1, 2, 3 ] },/' "$tmp/n/trio/dcqcn/seed1/summary.json"
	report "$tmp/n" && [ -z "$(find "$tmp/n/report" -name '*_roles*')" ]
}

# An unknown state, no port: named with their number, and the rest is shown.
damaged() {
	local f=$tmp/d/trio/mercury/seed1/mercury.csv

	cp -r "$tmp/r" "$tmp/d" && { states && echo 710000,s1-s2,3,sleepy && echo 720000,,3,paused; } >"$f"
	report "$tmp/d" || return 1
	grep -q "mercury.csv: 2 of 8 rows unreadable" "$tmp/err" && [ "$(wc -l <"$tmp/err")" = 1 ] || { cat "$tmp/err"; return 1; }
	[ "$(points "$tmp/d/report/data/trio_pauses_mercury.csv" state mercury paused | xargs)" = "200000,1.5,600000" ] || return 1
	echo "t_ns,port,prio" >"$f"
	report "$tmp/d" && grep -q "mercury.csv: no column 'state'" "$tmp/err"
}

trio "$tmp/r" dcqcn 20
trio "$tmp/r" mercury 40
states >"$tmp/r/trio/mercury/seed1/mercury.csv"
ktap_check "pictures as SVG and PNG, on the page" pictures
ktap_check "states as bars, where Mercury ran" bars
ktap_check "rate and goodput of flows with a role" roles
ktap_check "no roles: no picture" no_roles
ktap_check "a damaged mercury.csv is named" damaged
ktap_finished
