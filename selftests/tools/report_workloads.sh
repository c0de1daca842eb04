#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: pictures of workloads: slowdown by size over several seeds and loads, distributions, tiers
#
# lab report of runs under a workload, from small hand-made directories: slowdown by
# size over several seeds against sort and awk, distributions, tiers, several loads in
# one picture; damaged files are named and the rest is reported.
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/report_lib.sh
. "$(dirname "$0")/../lib/report_lib.sh"
# shellcheck source=selftests/lib/figures_lib.sh
. "$(dirname "$0")/../lib/figures_lib.sh"

# run DIR CC SEED LOAD FACTOR: 2000 flows of 1 byte to 3 MB, of which those that start
# from 10 to 190 us are measured; slowdowns are exponential, with FACTOR as mean
run() {
	local d=$1/tree/$2/seed$3

	mkdir -p "$d"
	awk -v seed="$3" -v factor="$5" 'BEGIN { srand(seed)
		print "id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown,group"
		for (i = 0; i < 2000; i++) {
			b = int(exp(rand() * 15)) + 1; ideal = 4000 + int(b * 0.0864)
			printf "%d,h1,h2,17,%d,%d,%d,%d,,workload\n", i, b, i * 100,
				ideal * (1 - factor * log(1 - rand())), ideal } }' >"$d/flows.csv"
	cat >"$d/summary.json" <<-END
		{ "scenario": "tree", "cc": "$2", "seed": $3, "settings": { "rate": "100gbit" },
		  "virtual_ns": 1000000, "flows": { "count": 2000, "completed": 2000,
		    "fct_ns": { "p50": 1, "p99": 2 }, "slowdown": { "p50": 9, "p99": 9 } },
		  "goodput_bps": 5, "jain": null, "cnp": { "sent": 0, "handled": 0 },
		  "bottleneck": { "port": "e0-h0", "utilization": 1, "ecn_marked": 0, "drops": 0,
		    "queue_bytes": { "mean": 1, "p99": null, "max": 1 } },
		  "pfc": { "pause_frames": 0, "pause_ns": 0, "pause_ratio": 0 }, "drops": { "total": 0 },
		  "traffic": { "workload": "hadoop", "load": $4, "load_of": "hosts" },
		  "measured": { "from_ns": 10000, "to_ns": 190000, "flows": 1800, "load_offered": $4,
		    "load_carried": 0.4, "slowdown": { "p50": 2, "p99": 7.5 }, "short": { "p99": 5 }, "long": null },
		  "tiers": { "h-e": { "ports": 2, "utilization": { "mean": 0.25, "max": 0.5 }, "pause_ns": 1000,
		      "pause_ratio": 0.$3, "queue_bytes": { "mean": 10, "p50": 0, "p99": 2000, "max": 3000 } },
		    "e-h": { "ports": 2, "utilization": { "mean": 0.3, "max": 0.4 }, "pause_ns": 0,
		      "pause_ratio": 0, "queue_bytes": { "mean": 10, "p50": 0, "p99": 2000, "max": 3000 } } } }
	END
	echo '{ "wall_s": 1 }' >"$d/run.json"
	echo "t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes" >"$d/rates.csv"
	echo "t_ns,port,prio,bytes,paused" >"$d/queues.csv"
	# Seed 1 is empty half of the time, seed 2 a quarter of it.
	cat >"$d/queue_cdf.csv" <<-END
		tier,bytes,cum
		h-e,0,$(awk -v s="$3" 'BEGIN { print 0.5 / s }')
		h-e,1000,0.75
		h-e,2000,1
		e-h,0,1
	END
}

# column CC BIN NAME...: cells of tree_slowdown.csv
column() {
	local cc=$1
	shift
	awk -F, -v cc="$cc" -v names="$*" 'NR == 1 { n = split(names, want, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		$2 == cc { for (i = 1; i <= n; i++) printf "%s%s", $at[want[i]], i < n ? " " : "\n" }' "$tmp/r/report/tree_slowdown.csv"
}

pictures() {
	local k

	"$lab" report "$tmp/r" >"$tmp/out" 2>"$tmp/err" || return 1
	[ ! -s "$tmp/err" ] || { cat "$tmp/err"; return 1; }
	for k in slowdown fct slowdown_cdf queue_tiers tiers; do
		grep -q '</svg>' "$tmp/r/report/tree_$k.svg" || { echo "$k.svg"; return 1; }
		head -c 4 "$tmp/r/report/tree_$k.png" | grep -q PNG || { echo "$k.png"; return 1; }
		jq -e 'length > 0' "$tmp/r/report/tree_$k.json" >/dev/null || { echo "$k.json"; return 1; }
		[ "$(jq length "$tmp/r/report/tree_$k.json")" = "$(tail -n +2 "$tmp/r/report/tree_$k.csv" | wc -l)" ] ||
			{ echo "$k.json and $k.csv differ"; return 1; }
		grep -q "tree_$k.svg" "$tmp/r/report/index.html" || { echo "$k: not on the page"; return 1; }
	done
}

# Both seeds have 1800 flows of the same sizes for both algorithms: common bins are
# those of one.
slowdown() {
	local cc
	for cc in dcqcn hpcc; do
		bins_of all 10000 190000 "$tmp/r/tree/$cc/seed1" "$tmp/r/tree/$cc/seed2" >"$tmp/want"
		column "$cc" from_bytes to_bytes flows p50 p95 p99 mean max >"$tmp/have"
		same_table "$tmp/want" "$tmp/have" || { echo "$cc"; return 1; }
	done
}

# A bin of two seeds has about 180 flows and none fewer than 100; of one seed about 90, and some
# have fewer. The data of the picture has the numbers, so that such points are hollow; the
# caption says so, and lab report --bins marks these bins and no others.
few() {
	! grep -q "Hollow points" "$tmp/r/report/index.html" || return 1
	mkdir -p "$tmp/few/tree/hpcc" && cp -r "$tmp/r/tree/hpcc/seed1" "$tmp/few/tree/hpcc/" &&
		"$lab" report "$tmp/few" >/dev/null 2>"$tmp/err" && grep -q "Hollow points" "$tmp/few/report/index.html" &&
		diff <(awk -F, '$3 == "median" { print $NF }' "$tmp/few/report/data/tree_slowdown.csv") \
			<(cut -d , -f 6 "$tmp/few/report/tree_slowdown.csv" | tail -n +2) ||
		{ cat "$tmp/err"; head -5 "$tmp/few/report/data/tree_slowdown.csv"; return 1; }
	"$lab" report --bins 20 "$tmp/few/tree/hpcc/seed1" >"$tmp/out" && grep -q "fewer than 100 flows" "$tmp/out" &&
		awk '$1 ~ /^[0-9]+$/ && NF == 8 { n++; marked = sub(/\*$/, "", $3); stars += marked; bad += marked != ($3 + 0 < 100) }
			END { exit bad || n < 20 || !stars }' "$tmp/out" || { cat "$tmp/out"; return 1; }
}

# The band reaches from the lower to the higher of the two seeds, in the common bins.
seeds() {
	local s
	column dcqcn from_bytes to_bytes >"$tmp/bins"
	for s in 1 2; do
		points all 10000 190000 "$tmp/r/tree/dcqcn/seed$s" | awk 'NR == FNR { to[++n] = $2; next }
			{ for (b = 1; $1 > to[b]; b++) ; print b - 1, $1, $2 }' "$tmp/bins" - | sort -n -k1,1 -k3,3 | by_bin |
			awk '{ print $4, $5, $6 }' >"$tmp/s$s"
	done
	paste -d ' ' "$tmp/s1" "$tmp/s2" | awk '{ for (i = 1; i <= 3; i++) printf "%.4f %.4f ", $i < $(i + 3) ? $i : $(i + 3),
		$i < $(i + 3) ? $(i + 3) : $i; print "0 0" }' >"$tmp/want"
	column dcqcn p50_min p50_max p95_min p95_max p99_min p99_max | sed 's/$/ 0 0/' >"$tmp/have"
	same_table "$tmp/want" "$tmp/have"
}

distribution() {
	# 3600 values: the median is the 1800th, and the last row is all.
	points all 10000 190000 "$tmp/r/tree/hpcc/seed1" "$tmp/r/tree/hpcc/seed2" | awk '{ print $2 }' | sort -n >"$tmp/sorted"
	grep -q "^hpcc,$(sed -n 1800p "$tmp/sorted"),0.5$" "$tmp/r/report/tree_slowdown_cdf.csv" &&
		[ "$(grep '^hpcc,' "$tmp/r/report/tree_slowdown_cdf.csv" | tail -n 1)" = "hpcc,$(tail -n 1 "$tmp/sorted"),1" ]
}

# The mean of the seeds' shares; medians of the tiers.
queues() {
	cat >"$tmp/want" <<-END
		dcqcn,h-e,0,0.375
		dcqcn,h-e,1000,0.75
		dcqcn,h-e,2000,1
		dcqcn,e-h,0,1
	END
	grep '^dcqcn,' "$tmp/r/report/tree_queue_tiers.csv" | diff "$tmp/want" - &&
		grep -qx 'dcqcn,h-e,2,0.25,0.5,1000,0.15,10,0,2000,3000' "$tmp/r/report/tree_tiers.csv"
}

columns() {
	"$lab" report --no-plots -j "$tmp/r" >"$tmp/json" || return 1
	jq -e '.scenarios[0].algorithms[0].figures | .load_offered.median == 0.5 and .load_carried.median == 0.4 and
		.measured_slowdown_p99.median == 7.5 and .short_slowdown_p99.median == 5 and
		(has("long_slowdown_p99") | not)' "$tmp/json"
}

# Loads are columns of one picture, in their order; the table has them all.
loads() {
	local l gp=$tmp/s/report/gp/tree_slowdown_p99.gp
	for l in 0.3 0.8; do run "$tmp/s/load=$l" dcqcn 1 "$l" 2; done
	"$lab" report "$tmp/s" >"$tmp/out" 2>"$tmp/err" || return 1
	grep -q 'figcaption' "$tmp/s/report/index.html" && grep -q 'tree_slowdown_p99.svg' "$tmp/s/report/index.html" || return 1
	[ "$(grep -o 'hadoop, load 0.[38]' "$gp" | xargs)" = "hadoop, load 0.3 hadoop, load 0.8" ] &&
		[ "$(cut -d , -f 1 "$tmp/s/report/tree_slowdown_p99.csv" | sort -u | xargs)" = "load=0.3 load=0.8 point" ] &&
		"$lab" report -j "$tmp/s" | jq -e '.plots | length == 2'
}

sampled() {
	run "$tmp/sample" dcqcn 1 0.5 2
	sed -i 's/"count": 2000/"count": 50000/' "$tmp/sample/tree/dcqcn/seed1/summary.json"
	"$lab" report "$tmp/sample" >"$tmp/out" && grep -q 'a sample of 2000 of 50000 flows' "$tmp/sample/report/index.html"
}

# Flows that were stopped as planned are not missed, one that did not complete is.
stopped() {
	local s=$tmp/stop/tree/dcqcn/seed1/summary.json
	run "$tmp/stop" dcqcn 1 0.5 2
	jq '.flows.count = 2003 | .flows.stopped = 3' "$s" >"$tmp/new" && mv "$tmp/new" "$s"
	"$lab" report --no-plots "$tmp/stop" | grep -Eq '^ +dcqcn +1 +2000 ' || return 1
	jq '.flows.stopped = 2' "$s" >"$tmp/new" && mv "$tmp/new" "$s"
	"$lab" report --no-plots "$tmp/stop" | grep -Eq '^ +dcqcn +1 +2000/2001 '
}

# Flows of one size have a distribution, but no figure over sizes.
one_size() {
	run "$tmp/one" dcqcn 1 0.5 2
	sed -i '2,$s/,17,[0-9]*,/,17,8192,/' "$tmp/one/tree/dcqcn/seed1/flows.csv"
	"$lab" report "$tmp/one" >"$tmp/out" && [ -s "$tmp/one/report/tree_slowdown_cdf.svg" ] &&
		[ ! -e "$tmp/one/report/tree_slowdown.svg" ]
}

damaged() {
	run "$tmp/bad" dcqcn 1 0.5 2
	run "$tmp/bad" hpcc 1 0.5 2
	sed -i '9s/,17,/,17,x/' "$tmp/bad/tree/dcqcn/seed1/flows.csv"
	"$lab" report "$tmp/bad" >"$tmp/out" 2>"$tmp/err" || return 1
	[ "$(grep -c 'seed1/flows.csv:9: not a number' "$tmp/err")" = 1 ] && grep -q 'its flows are left out' "$tmp/err" &&
		[ "$(cut -d , -f 2 "$tmp/bad/report/tree_slowdown.csv" | sort -u | xargs)" = "cc hpcc" ]
}

# Of many ports with pauses the page has some rows and says how many more there are.
ports() {
	local d=$tmp/ports/tree/dcqcn/seed1
	run "$tmp/ports" dcqcn 1 0.5 2
	jq '.ports = ([range(60) | { key: "e\(.)-h\(.)", value: { pause_ns: (1000 + .) } }] | from_entries)' \
		"$d/summary.json" >"$tmp/new" && mv "$tmp/new" "$d/summary.json"
	"$lab" report "$tmp/ports" >"$tmp/out" && grep -q 'and [0-9]* more ports' "$tmp/ports/report/index.html"
}

for s in 1 2; do
	run "$tmp/r" dcqcn "$s" 0.5 2
	run "$tmp/r" hpcc "$s" 0.5 1
done
ktap_check "pictures, and tables of what they show" pictures
ktap_check "slowdown by size of all seeds against sort and awk" slowdown
ktap_check "bins of fewer than 100 flows are marked" few
ktap_check "the spread of the seeds against sort and awk" seeds
ktap_check "distribution of all seeds together" distribution
ktap_check "queues and tiers over the seeds" queues
ktap_check "columns of load and slowdown" columns
ktap_check "several loads in one picture" loads
ktap_check "a sample of the flows is said" sampled
ktap_check "flows that were stopped as planned are not missed" stopped
ktap_check "flows of one size" one_size
ktap_check "a damaged flows.csv: file and line, the rest is reported" damaged
ktap_check "more ports with pauses than the page has rows for" ports
ktap_finished
