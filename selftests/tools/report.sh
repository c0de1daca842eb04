#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: tables, plots, page
#
# lab report: figures, pictures and page from small hand-made result
# directories; damaged and missing files are named and the rest is reported.
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/report_lib.sh
. "$(dirname "$0")/../lib/report_lib.sh"

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
		  "cnp": { "sent": 8, "handled": 7, "ignored": 0 },
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

# Queues a thousandfold apart: a logarithmic axis, with its own tics beside the first.
log_axis() {
	local f=$tmp/l/pair/none/seed1/queues.csv
	cp -r "$tmp/r" "$tmp/l" && awk -F, -v OFS=, 'NR > 1 { $4 *= 1000 } { print }' "$f" >"$f.new" && mv "$f.new" "$f" &&
		"$lab" report "$tmp/l" >/dev/null || return 1
	grep -q '>&lt;= 1<' "$tmp/l/report/pair_queue.svg" && grep -q '>100<' "$tmp/l/report/pair_queue.svg" &&
		grep -q '>10000<' "$tmp/l/report/pair_queue.svg"
}

json_figures() {
	"$lab" report -j "$tmp/r" >"$tmp/json" || return 1
	[ "$(figure none fct_p50_ns)" = 300000 ] && [ "$(figure dcqcn fct_p50_ns)" = 200000 ] &&
		[ "$(figure dcqcn utilization)" = 0.25 ] && [ "$(figure dcqcn drops)" = 4 ] &&
		[ "$(figure dcqcn cnp_handled)" = 7 ] &&
		[ "$(jq '.warnings | length' "$tmp/json")" = 0 ] &&
		[ "$(jq -r '.scenarios[0].algorithms | map(.cc) | join(",")' "$tmp/json")" = none,dcqcn ]
}

pictures() {
	local k

	for k in overview queue goodput ccrate fct; do
		grep -q '</svg>' "$tmp/r/report/pair_$k.svg" || { echo "$k.svg"; return 1; }
		head -c 4 "$tmp/r/report/pair_$k.png" | grep -q PNG || { echo "$k.png"; return 1; }
	done
	grep -q 'kmin 40 KiB' "$tmp/r/report/pair_queue.svg" || { echo "kmin"; return 1; }
	# The middle of the three seeds of none stands in the overview: 300 us.
	grep -q '>300.0<' "$tmp/r/report/pair_overview.svg" || { echo "FCT"; return 1; }
}

# Whatever the language of whoever asks, as in a container that has none.
any_locale() {
	LC_ALL=C "$lab" report "$tmp/r" >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ] || { cat "$tmp/err"; return 1; }
}

# An edit of a program shows when gnuplot runs again, and the next report undoes it. Data is a
# heading and rows of as many cells, in base units.
restyle() {
	local d=$tmp/r/report

	sed 's/^heading = .*/heading = "mine"/' "$d/gp/pair_queue.gp" >"$tmp/pair" &&
		sed 's/lw curve_width\[c\]/lw 7/' "$d/gp/common.gp" >"$tmp/common" || return 1
	cp "$tmp/common" "$d/gp/common.gp" && cp "$tmp/pair" "$d/gp/pair_queue.gp" || return 1
	(cd "$d" && gnuplot gp/pair_queue.gp) || return 1
	grep -q '>mine<' "$d/pair_queue.svg" && grep -q 'stroke-width.*7.00' "$d/pair_queue.svg" || { echo "the edit"; return 1; }
	"$lab" report "$tmp/r" >"$tmp/out" || return 1
	! grep -q '>mine<' "$d/pair_queue.svg" && ! grep -q 'stroke-width.*7.00' "$d/pair_queue.svg" || { echo "undone"; return 1; }
	[ "$(head -1 "$d/data/pair_queue.csv")" = panel,cc,series,t_ns,value,low,high ] &&
		[ "$(points "$d/data/pair_queue.csv" queue_bytes none p0 | sed -n 2,3p | xargs)" = "100000,10000 200000,20000" ] || { cat "$d/data/pair_queue.csv"; return 1; }
	awk -F , 'FNR == 1 { n = NF } NF && NF != n { bad = 1; print FILENAME ": " $0 } END { exit bad }' "$d"/data/*.csv
}

# The page is made of templates: an edit shows; a part that there is not, or is not closed,
# is one line, and the page of before stays.
templates() {
	local root=$tmp/lab d p
	d=$root/tools/lab/report/page
	mkdir -p "$root/build/bin" "$root/tools/lab" && cp "$lab" "$root/build/bin/" &&
		cp -r "$RXE_CC_TOP/tools/lab/report" "$root/tools/lab/" && cp -r "$tmp/r" "$tmp/t" || return 1
	p=$tmp/t/report/index.html
	echo 'h1 { color: tomato }' >>"$d/style.css" && sed -i 's/rxe-cc: results/mine/' "$d/page.html" &&
		"$root/build/bin/lab" report "$tmp/t" >/dev/null && grep -q tomato "$p" && grep -q '<h1>mine' "$p" || return 1
	cp "$p" "$tmp/before" && sed -i 's/{{caption}}/{{nosuch}}/' "$d/figure.html" || return 1
	! "$root/build/bin/lab" report "$tmp/t" >/dev/null 2>"$tmp/err" && grep -q 'figure.html: nosuch: no such part' "$tmp/err" &&
		[ "$(wc -l <"$tmp/err")" = 1 ] && cmp "$p" "$tmp/before" && [ ! -e "$p.new" ] || { cat "$tmp/err"; return 1; }
	sed -i 's/{{nosuch}}/{{caption/' "$d/figure.html" &&
		! "$root/build/bin/lab" report "$tmp/t" >/dev/null 2>"$tmp/err" && cmp "$p" "$tmp/before"
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

# As README's "then lab report" has it.
default_dir() {
	mkdir -p "$tmp/d" && cp -r "$tmp/r" "$tmp/d/results" && rm -rf "$tmp/d/results/report" &&
		(cd "$tmp/d" && "$lab" report) >"$tmp/out" || return 1
	grep -q '^ *dcqcn ' "$tmp/out" && [ -s "$tmp/d/results/report/index.html" ]
}

no_default() {
	local rc=0

	mkdir -p "$tmp/e"
	(cd "$tmp/e" && "$lab" report) >"$tmp/out" 2>"$tmp/err" || rc=$?
	[ "$rc" -eq 1 ] && grep -q '^lab report: results: ' "$tmp/err" || { echo "$rc"; cat "$tmp/err"; return 1; }
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

# chain DIR CC SENDERS PAUSED(0|1): a way a1-s1-s2-b1 shares the link s1-s2 with
# a0-s1-s2-s3-b0, where SENDERS hosts at s3 fill s3-b0 for the whole millisecond.
# From 400 to 800 us s2-s3 is paused all the time, s1-s2 and every sender three
# quarters of it, which takes the victim from 40 to 10 Gbit/s.
chain() {
	local d=$1/chain/$2/seed1 n=$3 on=$4 i t ids="" sep="" part full

	mkdir -p "$d"
	{
		echo "id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown"
		echo "0,a0,b0,17,1000000,0,1000000,80000,12.5"
		echo "1,a1,b1,18,3500000,0,1000000,286000,3.5"
		for ((i = 0; i < n; i++)); do
			echo "$((i + 2)),x$i,b0,$((i + 19)),1000000,0,1000000,80000,12.5"
			ids+=$sep$((i + 2))
			sep=,
		done
	} >"$d/flows.csv"
	echo "t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes" >"$d/rates.csv"
	echo "t_ns,port,prio,bytes,paused" >"$d/queues.csv"
	echo "t_ns,port,prio,pause_ns" >"$d/pauses.csv"
	for ((t = 10; t <= 1000; t += 10)); do
		full=$((t <= 400 ? 0 : t >= 800 ? 400 : t - 400))
		part=$((full * 750))
		echo "${t}000,0,10000000000,,,1"
		echo "${t}000,1,$((full > 0 && t <= 800 ? 10 : 40))000000000,,,1"
		for ((i = 0; i < n; i++)); do
			echo "${t}000,$((i + 2)),$((80000000000 / n)),,,1"
			[ "$on" = 0 ] || echo "${t}000,x$i-s3,3,$part" >&4
		done
		echo "${t}000,s3-b0,3,3000000,0" >&3
		[ "$on" = 0 ] || [ "$full" = 0 ] || [ "$t" -gt 800 ] || {
			echo "${t}000,s1-s2,3,1000000,$((t < 800 && t % 40 ? 1 : 0))" >&3
			echo "${t}000,s2-s3,3,2000000,$((t < 800))" >&3
			echo "${t}000,s1-s2,3,$part" >&4
			echo "${t}000,s2-s3,3,${full}000" >&4
		}
	done >>"$d/rates.csv" 3>>"$d/queues.csv" 4>>"$d/pauses.csv"
	chain_summary "$2" "$n" "$on" "$ids" >"$d/summary.json"
	echo '{}' >"$d/run.json"
}

# chain_summary CC SENDERS PAUSED IDS
chain_summary() {
	cat <<-END
		{ "scenario": "chain", "cc": "$1", "seed": 1, "settings": { "rate": "100gbit", "mtu": "4096" },
		  "virtual_ns": 1000000, "flows": { "count": $(($2 + 2)), "completed": $(($2 + 2)),
		    "fct_ns": { "p50": 1000000, "p99": 1000000 }, "slowdown": { "p50": 9, "p99": 9 } },
		  "goodput_bps": 5000000000, "jain": 0.5, "cnp": { "sent": 0, "handled": 0 },
		  "bottleneck": { "port": "s1-s2", "utilization": 1, "ecn_marked": 0, "drops": 2,
		    "queue_bytes": { "mean": 1, "p99": 1, "max": 1 } },
		  "pfc": { "pause_frames": $(($3 * 12)), "pause_ns": $(($3 * 700000)), "pause_ratio": 0.07,
		    "storms": 0, "headroom_bytes": 50000, "headroom_peak_bytes": 40000, "headroom_ratio": 0.8 },
		  "drops": { "total": 7, "buffer": 5, "feature": 2, "headroom": 0 },
		  "groups": { "victim": [ 1 ], "burst": [ $4 ] },
		  "ports": { "s1-a0": {}, "s1-a1": {}, "s3-b2": {}, "s2-b1": { "rate_bps": 100000000000, "pause_ns": 0 },
		    "s1-s2": { "pause_ns": $(($3 * 300000)) }, "s2-s3": { "pause_ns": $(($3 * 400000)) } } }
	END
}

# bars CSV ROW: the area of a row of bars in a picture's data, in per cent
bars() {
	awk -F , -v row="$2" '$1 != "paused_share" { next }
		$3 != last { last = $3; k++; n = 0 }
		k == row + 1 { if (n % 2) area += ($4 - x) * $5; else x = $4; n++; end = $4 }
		END { printf "%.0f\n", area / end * 100 }' "$1"
}

# The rows are in the order in which pauses spread, and as high as pauses are long.
pauses() {
	local gp=$tmp/c/report/gp/chain_pauses_none.gp csv=$tmp/c/report/data/chain_pauses_none.csv k

	"$lab" report "$tmp/c" >"$tmp/out" || return 1
	for k in pauses_none spread_none; do
		grep -q '</svg>' "$tmp/c/report/chain_$k.svg" || { echo "$k.svg"; return 1; }
		head -c 4 "$tmp/c/report/chain_$k.png" | grep -q PNG || { echo "$k.png"; return 1; }
		# Three panels with the same two margins.
		aligned "$tmp/c/report/gp/chain_$k.gp" 3 || { echo "$k: panels are not aligned"; return 1; }
		grep -q "chain_$k.svg" "$tmp/c/report/index.html" || { echo "$k: not on the page"; return 1; }
	done
	[ "$(elements "$gp" tic_text | xargs)/$(elements "$gp" tic_at | xargs)" = \
		"s2-s3 x0-s3 x1-s3 s1-s2/3.5 2.5 1.5 0.5" ] || { echo "rows"; return 1; }
	[ "$(bars "$csv" 0)/$(bars "$csv" 1)/$(bars "$csv" 3)" = 40/30/30 ] || { echo "bars"; return 1; }
	# Paused never under dcqcn: no picture of it.
	grep -q '"400 us, 40 %"' "$gp" && grep -q '"300 us, 30 %"' "$gp" &&
		[ ! -e "$tmp/c/report/chain_pauses_dcqcn.svg" ] && [ ! -e "$tmp/c/report/chain_spread_dcqcn.svg" ]
}

victim() {
	local gp=$tmp/c/report/gp/chain_spread_none.gp

	# 98.04 Gbit/s of payload fit into 100 Gbit/s: 10 of them leave 90 % idle.
	grep -q 'While s1-s2 is paused 75 % .* a1 to b1 gets 10 Gbit/s instead of 40 Gbit/s' "$gp" &&
		grep -q 'never uses s3-b0, .*, s2-b1, is idle 90 %' "$gp" &&
		grep -q '"paused 75 %"' "$gp" && grep -q '"paused 100 %"' "$gp" &&
		grep -q '3 flows via s3-b0' "$gp"
}

# Pauses that cost a flow little have no victim.
no_victim() {
	cp -r "$tmp/c/chain" "$tmp/w" && sed -i 's/,1,10000000000/,1,39000000000/' "$tmp/w/chain/none/seed1/rates.csv"
	"$lab" report "$tmp/w" >"$tmp/out" || return 1
	[ -e "$tmp/w/report/chain_pauses_none.svg" ] && [ ! -e "$tmp/w/report/chain_spread_none.svg" ]
}

pause_columns() {
	grep -Eq '^ +none .* 12 +700\.0 +7\.00 +39\.06 +48\.83 +80\.00 +7 +5 +2$' "$tmp/out" || { cat "$tmp/out"; return 1; }
	"$lab" report --no-plots -j "$tmp/c" >"$tmp/json" || return 1
	[ "$(figure none pause_frames)/$(figure none pause_ns)/$(figure none drops_buffer)/$(figure none drops_feature)" = \
		12/700000/5/2 ] &&
		[ "$(figure none headroom_ratio)" = 0.8 ] || return 1
	# The page's table of ports: those that were paused, the longest first.
	grep -A4 'Ports: pauses, headroom, drops' "$tmp/c/report/index.html" | tail -1 |
		grep -q 'none<td>s2-s3<td>400 us<td>' || { echo "ports"; return 1; }
	[ "$(grep -c '<td>s2-b1' "$tmp/c/report/index.html")" = 0 ] || return 1
	# Nothing to say about it: no column.
	! "$lab" report --no-plots "$tmp/r" | grep -Eq 'pause|headroom'
}

# curves CSV PANEL: how many it has
curves() { awk -F , -v p="$2" '$1 == p { print $3 }' "$1" | sort -u | wc -l; }

many() {
	local gp=$tmp/m/report/gp/chain_pauses_none.gp csv=$tmp/m/report/data/chain_pauses_none.csv summary=$tmp/m/chain/none/seed1/summary.json

	"$lab" report "$tmp/m" >"$tmp/out" || return 1
	grep -q '"256 hosts to s3"' "$gp" && grep -q '"300 us each, 30 %"' "$gp" &&
		grep -q '"256 x burst"' "$gp" && [ "$(bars "$csv" 1)" = 30 ] &&
		[ "$(curves "$csv" goodput_bps)" = 3 ] || return 1
	# Without groups what goes to one receiver is one.
	jq 'del(.groups)' "$summary" >"$tmp/new" && mv "$tmp/new" "$summary"
	"$lab" report "$tmp/m" >"$tmp/out" || return 1
	grep -q '"257 flows to b0"' "$gp" && grep -q '"a1 to b1"' "$gp" &&
		[ "$(curves "$csv" goodput_bps)" = 2 ]
}

# sampled: results without pauses.csv, then without what summary.json says
sampled() {
	local d=$tmp/o/chain/none/seed1 html=$tmp/o/report/index.html gp=$tmp/o/report/gp/chain_pauses_none.gp
	local csv=$tmp/o/report/data/chain_pauses_none.csv

	rm "$d/pauses.csv"
	"$lab" report "$tmp/o" >"$tmp/out" 2>"$tmp/err" || return 1
	[ ! -s "$tmp/err" ] && grep -q 'samples every 10 us' "$html" && grep -q 'totals are exact' "$html" &&
		[ "$(bars "$csv" 0)" = 39 ] || return 1
	# null: that port was not sampled.
	jq 'del(.ports, .groups, .pfc, .drops) | .bottleneck.queue_bytes.p99 = null' "$d/summary.json" >"$tmp/new" && mv "$tmp/new" "$d/summary.json"
	"$lab" report "$tmp/o" >"$tmp/out" 2>"$tmp/err" || return 1
	[ ! -s "$tmp/err" ] && grep -q 'estimates from them' "$html" && grep -q '"390 us, 39 %"' "$gp"
}

# Pauses that no sample saw are in the totals.
unseen() {
	local d=$tmp/u/chain/none/seed1 gp=$tmp/u/report/gp/chain_pauses_none.gp
	local csv=$tmp/u/report/data/chain_pauses_none.csv

	echo "t_ns,port,prio,pause_ns" >"$d/pauses.csv"
	rm "$d/rates.csv"
	"$lab" report "$tmp/u" >"$tmp/out" 2>"$tmp/err" || return 1
	grep -q 'rates.csv: No such file' "$tmp/err" && [ "$(wc -l <"$tmp/err")" = 1 ] || return 1
	grep -q 'No sample saw a pause' "$tmp/u/report/index.html" && [ "$(bars "$csv" 0)" = 0 ] &&
		grep -q '"400 us, 40 %"' "$gp" && ! grep -q 'goodput' "$gp" || return 1
	rm "$d/queues.csv" "$d/flows.csv" "$tmp/u/report/chain_pauses_none.svg"
	"$lab" report "$tmp/u" >"$tmp/out" 2>"$tmp/err" || return 1
	[ ! -e "$tmp/u/report/chain_pauses_none.svg" ] && [ "$(wc -l <"$tmp/err")" = 3 ]
}

run none 1 200002
run none 2 300000
run none 3 400000
run dcqcn 1 200000
chain "$tmp/c" none 2 1
chain "$tmp/c" dcqcn 2 0
chain "$tmp/m" none 256 1
chain "$tmp/o" none 2 1
chain "$tmp/u" none 2 1
mkdir "$tmp/empty" "$tmp/w"
ktap_check "figures as JSON, medians over seeds, palette order" json_figures
ktap_check "table with spread over the seeds" table
ktap_check "pictures as SVG and PNG" pictures
ktap_check "no complaints in the locale C" any_locale
ktap_check "a logarithmic axis has all of its tics" log_axis
ktap_check "a picture can be changed and drawn again" restyle
ktap_check "page is self-contained and tells the commands" page
ktap_check "page and style sheet are templates" templates
ktap_check "points of a sweep are kept apart" sweep
ktap_check "queue, pauses and rates on one time axis" pauses
ktap_check "a victim of pauses: who, how much, why" victim
ktap_check "pauses that cost little have no victim" no_victim
ktap_check "columns of pauses, headroom and drops, only when there are any" pause_columns
ktap_check "256 flows and 256 paused hosts share a curve and a row" many
ktap_check "results without exact pauses, ports or groups" sampled
ktap_check "pauses that no sample saw, missing files" unseen
ktap_check "damaged files are named, the rest is reported" damaged
ktap_check "without a directory: what \"lab run\" left in ./results" default_dir
ktap_check "without a directory and without results: named" no_default
ktap_check "a directory without results is refused" refused 1 "$tmp/empty"
ktap_check "a directory that does not exist is refused" refused 1 "$tmp/nonexistent"
ktap_check "an unknown option is refused" refused 2 --nonexistent "$tmp/r"
ktap_finished
