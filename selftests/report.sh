#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lab report: figures, pictures and page from a small hand-made result
# directory; damaged and missing files are named and the rest is reported.
# shellcheck disable=SC2317 # functions are called through ktap_check
set -u
# shellcheck source=selftests/ktap_helpers.sh
. "$(dirname "$0")/ktap_helpers.sh"

lab=$RXE_CC_BUILD/bin/lab
ktap_print_header
[ -x "$lab" ] || ktap_skip_all "no build/bin/lab: make tools"
command -v jq >/dev/null || ktap_skip_all "jq: not installed"
command -v gnuplot >/dev/null || ktap_skip_all "gnuplot: not installed"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# run CC SEED FCT_NS: two flows, goodput and queue that depend on FCT_NS only.
run() {
	local d=$tmp/r/pair/$1/seed$2 t

	mkdir -p "$d"
	cat >"$d/summary.json" <<-END
		{ "scenario": "pair", "cc": "$1", "seed": $2, "backend": "uml",
		  "clock": "virtual", "kernel": "k", "commit": "c",
		  "settings": { "rate": "10gbit", "kmin": "40kb", "kmax": 160000 },
		  "params": { "note": "it's" }, "virtual_ns": 1000000,
		  "data_packets": 10, "ack_packets": 10, "packet_hops": 40,
		  "flows": { "count": 2, "completed": 2, "bytes": 2000,
		    "fct_ns": { "min": $3, "mean": $3, "p50": $3, "p95": $3, "p99": $3, "max": $3 },
		    "slowdown": { "mean": 2, "p50": 2, "p95": 2, "p99": 2, "max": 2 } },
		  "goodput_bps": 5000000000, "jain": 0.5,
		  "bottleneck": { "port": "p0", "utilization": 0.25, "ecn_marked": 3, "drops": 4,
		    "queue_bytes": { "mean": 1000, "p50": 1000, "p99": 2000, "max": 3000 } },
		  "pfc": { "pause_frames": 0, "resume_frames": 0, "pause_ns": 0, "pause_ratio": 0 },
		  "cnp": { "sent": 7, "handled": 7, "ignored": 0 },
		  "retransmits": 0, "timeouts": 0, "errors": 0 }
	END
	echo '{ "wall_s": 1.5, "date": "2026-01-01" }' >"$d/run.json"
	{
		echo "id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown"
		echo "0,a,b,17,1000,0,$3,100,2"
		echo "1,b,a,18,1000,0,$3,100,2"
	} >"$d/flows.csv"
	echo "t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes" >"$d/rates.csv"
	echo "t_ns,port,prio,bytes,paused" >"$d/queues.csv"
	for t in 1 2 3 4 5 6 7 8 9; do
		echo "${t}00000,0,2500000000,5000000000,,1000" >>"$d/rates.csv"
		echo "${t}00000,1,2500000000,5000000000,,1000" >>"$d/rates.csv"
		echo "${t}00000,p0,3,${t}0000,0" >>"$d/queues.csv"
	done
}

# figure CC KEY: the median in the JSON
figure() {
	jq -r --arg cc "$1" --arg key "$2" '.scenarios[0].algorithms[] |
		select(.cc == $cc) | .figures[$key].median' "$tmp/json"
}

json_figures() {
	"$lab" report -j "$tmp/r" >"$tmp/json" || return 1
	[ "$(figure none fct_p50_ns)" = 300000 ] && [ "$(figure dcqcn fct_p50_ns)" = 200000 ] &&
		[ "$(figure dcqcn utilization)" = 0.25 ] && [ "$(figure dcqcn drops)" = 4 ] &&
		[ "$(figure dcqcn cnp_sent)" = 7 ] &&
		[ "$(jq '.warnings | length' "$tmp/json")" = 0 ] &&
		[ "$(jq -r '.scenarios[0].algorithms | map(.cc) | join(",")' "$tmp/json")" = none,dcqcn ]
}

pictures() {
	local k

	for k in overview queue goodput ccrate fct; do
		grep -q '</svg>' "$tmp/r/report/pair_$k.svg" || { echo "$k.svg"; return 1; }
		head -c 4 "$tmp/r/report/pair_$k.png" | grep -q PNG || { echo "$k.png"; return 1; }
	done
	grep -q 'kmin 40.96 kB' "$tmp/r/report/pair_queue.svg" || { echo "kmin"; return 1; }
	# The middle of the three seeds of none stands in the overview: 300 us.
	grep -q '>300.0<' "$tmp/r/report/pair_overview.svg" || { echo "FCT"; return 1; }
}

page() {
	local p=$tmp/r/report/index.html

	[ "$(grep -c 'data:image/svg+xml;base64' "$p")" -ge 5 ] &&
		! grep -Eq '(src|href)="(https?:|//|[a-z]+/)' "$p" &&
		grep -q "lab run pair --cc dcqcn --seed 1 .*--set rate=10gbit.*--param 'note=it'" "$p"
}

table() {
	"$lab" report --no-plots "$tmp/r" | grep -Eq '^ +none +3 +6 +5\.000 .* 300\.0 ±33\.3%'
}

# Combinations of a sweep are compared among themselves only.
sweep() {
	mkdir -p "$tmp/s/rate=10gbit" "$tmp/s/rate=100gbit"
	cp -r "$tmp/r/pair" "$tmp/s/rate=10gbit"
	cp -r "$tmp/r/pair" "$tmp/s/rate=100gbit"
	"$lab" report --no-plots -j "$tmp/s" >"$tmp/json" &&
		[ "$(jq -r '[.scenarios[] | .scenario + " " + .point] | join(";")' "$tmp/json")" = \
			"pair rate=10gbit;pair rate=100gbit" ]
}

damaged() {
	local d=$tmp/r/pair

	rm "$d/none/seed2/flows.csv" "$d/none/seed1/rates.csv"
	echo '{' >"$d/none/seed3/summary.json"
	sed -i 's/,bytes/,octets/' "$d/dcqcn/seed1/queues.csv"
	sed -i 's/10gbit/25gbit/' "$d/dcqcn/seed1/summary.json"
	"$lab" report "$tmp/r" >"$tmp/out" 2>"$tmp/err" || return 1
	grep -q 'seed2/flows.csv: No such file' "$tmp/err" &&
		grep -q 'seed1/rates.csv: No such file' "$tmp/err" &&
		grep -q 'seed3/summary.json: not valid JSON' "$tmp/err" &&
		grep -q "queues.csv: no column 'bytes'" "$tmp/err" &&
		grep -q "setting 'rate' differs" "$tmp/err" &&
		grep -q '^ *dcqcn ' "$tmp/out"
}

# refused STATUS ARGS...: exit status and one line on stderr
refused() {
	local want=$1 rc=0

	shift
	"$lab" report "$@" >/dev/null 2>"$tmp/err" || rc=$?
	if [ "$rc" != "$want" ] || [ ! -s "$tmp/err" ]; then
		echo "exit status $rc"
		cat "$tmp/err"
		return 1
	fi
}

run none 1 200000
run none 2 300000
run none 3 400000
run dcqcn 1 200000
mkdir "$tmp/empty"
ktap_check "figures as JSON, medians over seeds, palette order" json_figures
ktap_check "table with spread over the seeds" table
ktap_check "pictures as SVG and PNG" pictures
ktap_check "page is self-contained and tells the commands" page
ktap_check "points of a sweep are kept apart" sweep
ktap_check "damaged files are named, the rest is reported" damaged
ktap_check "a directory without results is refused" refused 1 "$tmp/empty"
ktap_check "a directory that does not exist is refused" refused 1 "$tmp/nonexistent"
ktap_check "an unknown option is refused" refused 2 --nonexistent "$tmp/r"
ktap_finished
