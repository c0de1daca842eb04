#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: variants of an algorithm; rate and signal, queue against utilization, joins; a queue that
#   was not sampled, times without flows, a long run of `none`
#
# lab report over many algorithms and variants of one: rate and signal, queue
# against utilization, a join; from small hand-made result directories.
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/report_lib.sh
. "$(dirname "$0")/../lib/report_lib.sh"

# duo DIR LABEL UTILIZATION MEAN P99 SLOW_US [START_US]: flow 0 for a millisecond at
# 90 Gbit/s; flow 1 from START_US (200) on, first at 10, SLOW_US later at 40 Gbit/s, as
# flow 0 from then on. Packets carry 80 % payload, a round trip is 10 us: a fair share
# of 95 % of 100 Gbit/s is 38 Gbit/s.
duo() {
	local d=$1/duo/$2/seed1 start=${7:-200} t a b

	mkdir -p "$d"
	cat >"$d/summary.json" <<-END
		{ "scenario": "duo", "cc": "${2%%:*}", "label": "$2", "seed": 1, "settings": {},
		  "knobs": { "base_rtt": 10000 },
		  "algo_params": { "eta": 0.95, "t_low": 50000, "t_high": 500000,
		    "rtt_unit": 20000 },
		  "virtual_ns": 1000000,
		  "flows": { "count": 2, "completed": 2, "bytes": 8000000,
		    "fct_ns": { "p50": 800000, "p99": 1000000 }, "slowdown": { "p50": 1, "p99": 1 } },
		  "goodput_bps": 5000000000, "jain": 0.5, "cnp": { "sent": 0, "handled": 0 },
		  "bottleneck": { "port": "sw-r", "utilization": $3, "ecn_marked": 0, "drops": 0,
		    "queue_bytes": { "mean": $4, "p99": $5, "max": $5 } },
		  "ports": { "sw-r": { "rate_bps": 100000000000, "tx_wire_bytes": 10000000 } } }
	END
	case $2 in
	hpccpp*) signals='{ "var": "rx_u_q24", "name": "U", "unit": "q24", "help": ", as told", "lines": ["eta"] },
		{ "var": "u_q24", "name": "U", "unit": "q24", "help": "", "lines": ["eta"] }' ;;
	hpcc*) signals='{ "var": "u_q24", "name": "U", "unit": "q24", "help": ", how full", "lines": ["eta"] }' ;;
	timely) signals='{ "var": "rtt_ns", "name": "RTT", "unit": "ns", "help": ", measured", "lines": ["t_low", "t_high"],
		"rtt_unit": "rtt_unit" }' ;;
	*) signals='{ "var": "alpha_q24", "name": "alpha", "unit": "q24", "help": "", "lines": [] }' ;;
	esac
	echo "{ \"signals\": [ $signals ] }" >"$d/run.json"
	{
		echo "id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown"
		echo "0,a,r,17,4000000,0,1000000,80000,12.5"
		echo "1,b,r,18,4000000,${start}000,$((1000 - start))000,80000,12.5"
	} >"$d/flows.csv"
	for ((t = 10; t <= 1000; t += 10)); do
		a=90 b=10
		[ "$t" -le $((start + $6)) ] || a=40 b=40
		echo "${t}000,0,${a}000000000,${a}000000000,,1"
		[ "$t" -le "$start" ] || echo "${t}000,1,${b}000000000,${b}000000000,,1"
	done | sed '1i t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes' >"$d/rates.csv"
	{
		echo "t_ns,port,prio,bytes,paused"
		echo "10000,sw-r,3,1000,0"
		echo "990000,sw-r,3,2000,0"
	} >"$d/queues.csv"
}

# state DIR LABEL NAME EARLY LATE: a variable of both flows, changed at 600 us
state() {
	local f=$1/duo/$2/seed1/state.csv

	[ -e "$f" ] || echo "t_ns,flow,name,value" >"$f"
	printf '%s\n' "10000,0,$3,$4" "210000,1,$3,$4" "600000,0,$3,$5" "600000,1,$3,$5" >>"$f"
}

gp=$tmp/r/report/gp
data=$tmp/r/report/data

report() {
	rm -rf "$1/report"
	"$lab" report "$1" >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err"; return 1; }
	[ ! -s "$tmp/err" ] || { cat "$tmp/err"; return 1; }
}

pictures() {
	local k

	report "$tmp/r" || return 1
	for k in scatter join signal_hpcc signal_hpcc_eta=0.8 signal_timely signal_dcqcn signal_hpccpp_rx=1; do
		grep -q '</svg>' "$tmp/r/report/duo_$k.svg" || { echo "$k.svg"; return 1; }
		head -c 4 "$tmp/r/report/duo_$k.png" | grep -q PNG || { echo "$k.png"; return 1; }
		grep -q "duo_$k.svg" "$tmp/r/report/index.html" || { echo "$k: not on the page"; return 1; }
	done
}

# The algorithm's own colour for it as it is, shades for its variants.
variants() {
	local scatter=$gp/duo_scatter.gp

	"$lab" report --no-plots -j "$tmp/r" >"$tmp/json" || return 1
	[ "$(jq -r '.scenarios[0].algorithms | map(.cc + "/" + .label) | join(" ")' "$tmp/json")" = \
		"dcqcn/dcqcn timely/timely hpcc/hpcc hpcc/hpcc:eta=0.8 hpccpp/hpccpp:rx=1" ] || { cat "$tmp/json"; return 1; }
	grep -q 'lab run duo --cc hpcc:eta=0.8 --seed 1' "$tmp/r/report/index.html" || return 1
	[ "$(elements "$scatter" curve_rgb | sed -n 3p)" = $((0x009e73)) ] || { echo "hpcc"; return 1; }
	[ "$(elements "$scatter" note_rgb | sort -u | wc -l)" = 5 ] || { echo "colours"; return 1; }
	# A directory's name will do.
	cp -r "$tmp/r" "$tmp/d" && sed -i 's/"label": "[^"]*", //; s/"cc": "[^"]*", //' "$tmp"/d/duo/*/seed1/summary.json
	"$lab" report --no-plots -j "$tmp/d" >"$tmp/json2" &&
		[ "$(jq '.scenarios[0].algorithms' "$tmp/json")" = "$(jq '.scenarios[0].algorithms' "$tmp/json2")" ]
}

# A value holds until the next; the line is where the parameter says.
signal() {
	local hpcc=$gp/duo_signal_hpcc.gp timely=$gp/duo_signal_timely.gp

	# 100 samples and as many bins: the 59th is the last before the change.
	[ "$(points "$data/duo_signal_hpcc.csv" u_q24 hpcc "flow 0" | sed -n '1p;59p;60p' | cut -d , -f 2 | xargs)" = "0.5 0.5 1" ] ||
		{ cat "$data/duo_signal_hpcc.csv"; return 1; }
	[ "$(elements "$hpcc" line_at)" = 0.95 ] && [ "$(elements "$hpcc" name_text | tail -1)" = '"eta 0.95"' ] ||
		{ echo "eta"; return 1; }
	# Beyond what the RTT reaches: a logarithmic axis has room for both. They are those
	# for a base RTT of 20 us, and it is 10 us.
	elements "$timely" name_text | grep -q 't.*low 25 us' && elements "$timely" name_text | grep -q 't.*high 250 us' &&
		[ "$(elements "$timely" panel_ylog | xargs)" = "0 1" ] || { echo "T_low, T_high"; return 1; }
	# Computed by the receiver: what the sender says is not it.
	[ "$(points "$data/duo_signal_hpccpp_rx=1.csv" rx_u_q24 | head -1 | cut -d , -f 2)" = 0.25 ] || { echo "rx"; return 1; }
	# Two panels with the same margins and the same time.
	aligned "$hpcc" 2 && [ "$(elements "$hpcc" panel_x1 | sort -u | wc -l)" = 1 ]
}

# The window instead of a rate that never moves; results that declare nothing have no lines.
window() {
	local f=$tmp/v/duo/hpcc/seed1

	mkdir -p "$tmp/v/duo" && cp -r "$tmp/r/duo/hpcc" "$tmp/v/duo" && echo '{}' >"$f/run.json" || return 1
	awk -F , -v OFS=, 'NR > 1 { $4 = 100000000000; $5 = 20000 + NR }  { print }' "$f/rates.csv" >"$tmp/new" &&
		mv "$tmp/new" "$f/rates.csv" && report "$tmp/v" || return 1
	[ "$(elements "$tmp/v/report/gp/duo_signal_hpcc.gp" panel_title | xargs)" = "window U" ] &&
		[ "$(elements "$tmp/v/report/gp/duo_signal_hpcc.gp" panel_ylabel | head -1)" = '"window (KiB)"' ] &&
		grep -q '^cwnd_bytes,hpcc,flow 0,' "$tmp/v/report/data/duo_signal_hpcc.csv" &&
		[ -z "$(elements "$tmp/v/report/gp/duo_signal_hpcc.gp" line_at)" ]
}

# Two or three algorithms side by side, more have pictures of their own only.
compare() {
	local f=$tmp/3/report/gp/duo_compare.gp d=$tmp/3/report/data/duo_compare.csv

	[ ! -e "$tmp/r/report/duo_compare.svg" ] || { echo "five in one picture"; return 1; }
	mkdir -p "$tmp/3/duo"
	cp -r "$tmp"/r/duo/{dcqcn,timely,hpcc} "$tmp/3/duo"
	report "$tmp/3" && [ -s "$tmp/3/report/duo_compare.png" ] || return 1
	# Three columns and three rows, each of one width and one height.
	[ "$(for a in x y; do elements "$f" panel_$a | sort | uniq -c | awk '{ print $1 }'; done | xargs)" = "3 3 3 3 3 3" ] &&
		[ "$(elements "$f" panel_w | sort -u | wc -l)/$(elements "$f" panel_h | sort -u | wc -l)" = 1/1 ] || { echo "grid"; return 1; }
	[ "$(points "$d" cc_rate_bps hpcc | head -1 | cut -d , -f 2)" = 9e+10 ] &&
		[ "$(points "$d" u_q24 hpcc "flow 0" | sed -n '59p;60p' | cut -d , -f 2 | xargs)" = "0.5 1" ] &&
		[ "$(points "$d" queue_bytes dcqcn | xargs)" = "0,0 10000,1000 990000,2000" ] &&
		elements "$f" note_text | grep -q '"eta 0.95"' || { cat "$f"; return 1; }
	# Without a signal its place says so.
	rm "$tmp/3/duo/timely/seed1/state.csv"
	report "$tmp/3" && [ "$(grep -c '"no signal"' "$f")" = 1 ]
}

# A constant, a variable that nobody knows, no file: no picture and no word.
no_signal() {
	duo "$tmp/n" hpcc 0.5 1000 2000 20
	duo "$tmp/n" dcqcn 0.5 1000 2000 20
	duo "$tmp/n" timely 0.5 1000 2000 20
	state "$tmp/n" dcqcn bytes 1 2
	printf '%s\n' t_ns,flow,name,value 10000,0,rtt_ns,5000 210000,1,rtt_ns,5000 >"$tmp/n/duo/timely/seed1/state.csv"
	report "$tmp/n" && [ -z "$(find "$tmp/n/report" -name '*_signal_*')" ]
}

# A port that was not sampled has no rows, and no percentile, as an empty queue has one: no
# picture of it, a place that says so beside others, and a line that says what to do.
not_sampled() {
	local k=$tmp/u/duo/hpcc/seed1

	mkdir -p "$tmp/u/duo" && cp -r "$tmp"/r/duo/{dcqcn,hpcc} "$tmp/u/duo" &&
		sed -i '2,$d' "$k/queues.csv" && jq '.bottleneck.queue_bytes.p99 = null' "$k/summary.json" >"$tmp/new" &&
		mv "$tmp/new" "$k/summary.json" || return 1
	"$lab" report "$tmp/u" >"$tmp/out" 2>"$tmp/err" || return 1
	[ "$(cat "$tmp/err")" = "lab report: $k: port 'sw-r' was not sampled, so its queue is not drawn (--set watch=all samples all ports)" ] ||
		{ cat "$tmp/err"; return 1; }
	[ -z "$(points "$tmp/u/report/data/duo_queue.csv" queue_bytes hpcc)" ] &&
		[ -n "$(points "$tmp/u/report/data/duo_queue.csv" queue_bytes dcqcn)" ] &&
		[ "$(grep -c '"not sampled"' "$tmp/u/report/gp/duo_compare.gp")" = 1 ] || { cat "$tmp/u/report/data/duo_queue.csv"; return 1; }
	# Of none of them: no picture. An empty queue that was sampled is a line at 0.
	rm -r "$tmp/u/duo/dcqcn" && "$lab" report "$tmp/u" >/dev/null 2>&1 &&
		! grep -q duo_queue "$tmp/u/report/index.html" || { echo "a picture"; return 1; }
	jq '.bottleneck.queue_bytes.p99 = 0 | .bottleneck.queue_bytes.max = 0' "$k/summary.json" >"$tmp/new" &&
		mv "$tmp/new" "$k/summary.json" && report "$tmp/u" &&
		[ "$(points "$tmp/u/report/data/duo_queue.csv" queue_bytes hpcc | xargs)" = "0,0 1000000,0" ]
}

# Ten flows from 0 to 0.3 and ten from 0.7 to 1 ms: the band of twenty flows has a gap, which
# gnuplot is told by an empty line. So has the line of one flow that stops in between.
gaps() {
	local f=$tmp/g/duo/hpcc/seed1/rates.csv t i

	mkdir -p "$tmp/g/duo" && cp -r "$tmp/r/duo/hpcc" "$tmp/g/duo" || return 1
	for ((t = 10; t <= 1000; t += 10)); do
		for ((i = 0; i < 20; i++)); do
			[ $((i < 10 ? t <= 300 : t >= 700)) = 0 ] || echo "${t}000,$i,4000000000,4000000000,,1"
		done
	done | sed '1i t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes' >"$f"
	report "$tmp/g" || return 1
	# The heading, then lines of a curve until the two empty ones.
	awk 'NR > 1 && NF { n++; if (empty == 1) gap++; empty = 0 } !NF { empty++ }
		END { exit !(n >= 10 && gap == 1) }' "$tmp/g/report/data/duo_goodput.csv" ||
		{ cat "$tmp/g/report/data/duo_goodput.csv"; return 1; }
	sed -i 's/,1[0-9],4000/,0,4000/; /,[1-9],4000/d' "$f" && awk '!seen[$0]++' "$f" >"$tmp/new" && mv "$tmp/new" "$f" &&
		report "$tmp/g" && [ "$(points "$tmp/g/report/data/duo_goodput.csv" goodput_bps hpcc "flow 0" | wc -l)" -ge 10 ] &&
		awk 'NR > 1 && NF { if (empty == 1) gap++; empty = 0 } !NF { empty++ } END { exit gap != 1 }' \
			"$tmp/g/report/data/duo_goodput.csv" || { cat "$tmp/g/report/data/duo_goodput.csv"; return 1; }
}

# One CNP each: alpha has as many rows as there are flows, and changes. A signal that has one
# value all the time is drawn beside those of others, and has no picture of its own.
few_changes() {
	local d=$tmp/w/duo

	mkdir -p "$d" && cp -r "$tmp"/r/duo/{dcqcn,hpcc} "$d" || return 1
	printf '%s\n' t_ns,flow,name,value "210000,0,alpha_q24,$q24" "400000,1,alpha_q24,$((q24 / 2))" >"$d/dcqcn/seed1/state.csv"
	report "$tmp/w" && [ -e "$tmp/w/report/duo_signal_dcqcn.svg" ] && ! grep -q '"no signal"' "$tmp/w/report/gp/duo_compare.gp" &&
		[ "$(points "$tmp/w/report/data/duo_compare.csv" alpha_q24 dcqcn "flow 1" | head -1 | cut -d , -f 2)" = 0.5 ] ||
		{ echo "few rows"; return 1; }
	sed -i "s/,$((q24 / 2))\$/,$q24/" "$d/dcqcn/seed1/state.csv" && report "$tmp/w" || return 1
	! grep -q duo_signal_dcqcn "$tmp/w/report/index.html" && ! grep -q '"no signal"' "$tmp/w/report/gp/duo_compare.gp" &&
		[ "$(points "$tmp/w/report/data/duo_compare.csv" alpha_q24 dcqcn | cut -d , -f 2 | sort -u)" = 1 ] ||
		{ echo "a constant"; return 1; }
	# All of it 0, which is a value too.
	sed -i "s/,$q24\$/,0/" "$d/dcqcn/seed1/state.csv" && report "$tmp/w" &&
		! grep -q '"no signal"' "$tmp/w/report/gp/duo_compare.gp"
}

# none takes ten times as long as hpcc: the axes of all end with hpcc, and the captions say how
# long none goes on. Alone it has its own.
none_axis() {
	local d=$tmp/a/duo k

	mkdir -p "$d" && cp -r "$tmp"/r/duo/{dcqcn,hpcc} "$d" && duo "$tmp/a" none 0.1 1000 2000 300 || return 1
	rm -f "$d/none/seed1/state.csv"
	sed -i 's/000,0,9/0000,0,9/; s/000,1,1/0000,1,1/; s/000,\([01]\),4/0000,\1,4/' "$d/none/seed1/rates.csv"
	sed -i 's/^\([0-9]*\),sw/\10,sw/' "$d/none/seed1/queues.csv"
	sed -i 's/"virtual_ns": 1000000/"virtual_ns": 10000000/' "$d/none/seed1/summary.json"
	report "$tmp/a" || return 1
	for k in queue goodput ccrate compare; do
		[ "$(paste <(elements "$tmp/a/report/gp/duo_$k.gp" panel_x1) <(elements "$tmp/a/report/gp/duo_$k.gp" panel_xdiv) |
			awk '{ end = $1 * $2; good += end >= 900000 && end <= 1000000 } END { print NR && good == NR }')" = 1 ] ||
			{ echo "$k: $(elements "$tmp/a/report/gp/duo_$k.gp" panel_x1 | xargs)"; return 1; }
	done
	[ "$(grep -o "The run of none goes on until 9.9 ms\|The run of none goes on until 10 ms" "$tmp/a/report/index.html" | wc -l)" -ge 4 ] ||
		{ grep -o "The run of none.*" "$tmp/a/report/index.html"; return 1; }
	[ "$(points "$tmp/a/report/data/duo_goodput.csv" goodput_bps none |
		awk -F , '$1 != "NaN" { n++; late += $1 > 1000000 } END { print (n > 0 && !late) }')" = 1 ] || { echo "beyond the axis"; return 1; }
	rm -r "$d"/{dcqcn,hpcc} && report "$tmp/a" && [ "$(elements "$tmp/a/report/gp/duo_goodput.gp" panel_x1)" = 10 ]
}

scatter() {
	local k

	# In the order of the palette: dcqcn first, mean and 99th percentile in bytes.
	[ "$(sed -n 2p "$data/duo_scatter.csv")" = dcqcn,0.79,78000,611000 ] &&
		grep -q '^hpcc,0.94,500,2300$' "$data/duo_scatter.csv" || { cat "$data/duo_scatter.csv"; return 1; }
	# hpcc and its variant are the same here: their names must not lie on each other.
	k=$(paste <(elements "$gp/duo_scatter.gp" note_text) <(elements "$gp/duo_scatter.gp" note_x) <(elements "$gp/duo_scatter.gp" note_y) |
		grep -E '^"hpcc(:eta=0.8)?"' | cut -f 2- | sort -u | wc -l)
	[ "$k" = 2 ] || { echo "names at one place"; return 1; }
	# Less than the axis has, and no percentile: the port was not sampled.
	cp -r "$tmp/r" "$tmp/f"
	k=$tmp/f/duo/timely/seed1/summary.json
	jq '.bottleneck.queue_bytes = { "mean": 8, "p99": null, "max": 20 }' "$k" >"$tmp/new" && mv "$tmp/new" "$k"
	report "$tmp/f" || return 1
	grep -q '^timely,0.82,8,8$' "$tmp/f/report/data/duo_scatter.csv" &&
		grep -q '"<= 0.1"' "$tmp/f/report/gp/duo_scatter.gp" || return 1
	# All runs have a window: its figures.
	for k in "$tmp"/f/duo/*/seed1/summary.json; do
		jq '.window.ports["sw-r"] = { "utilization": 0.6, "queue_bytes": { "mean": 7000, "p99": 9000 } }' "$k" >"$tmp/new" &&
			mv "$tmp/new" "$k"
	done
	report "$tmp/f" && grep -q '^timely,0.6,7000,9000$' "$tmp/f/report/data/duo_scatter.csv"
}

# 10 and 40 Gbit/s of 38, two round trips after the join.
join() {
	local d=$data/duo_join.csv

	[ "$(points "$d" joins hpcc | head -4 | xargs)" = "1,0.263157895 2,0.263157895 3,1.05263158 4,1.05263158" ] &&
		[ "$(points "$d" "was there" hpcc | sed -n '2p;3p' | xargs)" = "2,2.36842105 3,1.05263158" ] &&
		[ "$(elements "$gp/duo_join.gp" line_at | xargs)" = "0.9 0.9" ] || { cat "$d"; return 1; }
	# Later, a point is the mean over 8 % of the time: 30 of 38 round trips at 10.
	[ "$(points "$d" joins dcqcn | awk -F , '$1 > 40 { print $2; exit }')" = 1.05263158 ]
}

# Two round trips after the first flow is no join; nor after the first has ended.
no_join() {
	duo "$tmp/j" hpcc 0.5 1000 2000 20 20
	report "$tmp/j" && [ ! -e "$tmp/j/report/duo_join.svg" ] || return 1
	duo "$tmp/j" hpcc 0.5 1000 2000 20 200
	sed -i 's/^0,a,r,17,4000000,0,1000000/0,a,r,17,4000000,0,190000/' "$tmp/j/duo/hpcc/seed1/flows.csv"
	report "$tmp/j" && [ ! -e "$tmp/j/report/duo_join.svg" ]
}

# More than three algorithms: a panel each.
many() {
	[ "$(elements "$gp/duo_queue.gp" panel_x | wc -l)" = 5 ] && [ "$(elements "$gp/duo_queue.gp" panel_title | grep -c hpcc)" = 3 ]
}

damaged() {
	sed -i '1s/value/number/' "$tmp/r/duo/hpcc/seed1/state.csv"
	sed -i '2s/.*/soon,0,rtt_ns,1/' "$tmp/r/duo/timely/seed1/state.csv"
	"$lab" report "$tmp/r" >"$tmp/out" 2>"$tmp/err" || return 1
	grep -q "hpcc/seed1/state.csv: no column 'value'" "$tmp/err" && grep -q "timely/seed1/state.csv: 1 of 4 rows unreadable" "$tmp/err" &&
		[ -e "$tmp/r/report/duo_signal_dcqcn.svg" ]
}

q24=16777216
duo "$tmp/r" dcqcn 0.79 78000 611000 300
duo "$tmp/r" timely 0.82 13000 90000 500
duo "$tmp/r" hpcc 0.94 500 2300 20
duo "$tmp/r" hpcc:eta=0.8 0.94 500 2300 20
duo "$tmp/r" hpccpp:rx=1 0.93 700 2300 20
state "$tmp/r" dcqcn alpha_q24 $q24 $((q24 / 2))
state "$tmp/r" timely rtt_ns 10000 12000
state "$tmp/r" hpcc u_q24 $((q24 / 2)) $q24
state "$tmp/r" hpcc:eta=0.8 u_q24 $((q24 / 2)) $q24
state "$tmp/r" hpccpp:rx=1 rx_u_q24 $((q24 / 4)) $q24
state "$tmp/r" hpccpp:rx=1 u_q24 $q24 $((q24 / 2))
ktap_check "pictures as SVG and PNG, on the page" pictures
ktap_check "variants: names, order, colours" variants
ktap_check "rate and signal: values hold, parameters as lines" signal
ktap_check "a window where the rate is flat" window
ktap_check "three algorithms side by side" compare
ktap_check "a queue that was not sampled is not drawn as empty" not_sampled
ktap_check "times without flows: curves have a gap" gaps
ktap_check "a signal that hardly changes, or never" few_changes
ktap_check "a long run of none does not set the axis of all" none_axis
ktap_check "nothing to go by: no picture" no_signal
ktap_check "queue against utilization: points, names, window" scatter
ktap_check "a join in fair shares and round trips" join
ktap_check "no join: no picture" no_join
ktap_check "many algorithms: a panel each" many
ktap_check "a damaged state.csv is named" damaged
ktap_finished
