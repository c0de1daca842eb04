#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a workload on 16 hosts: bins, load offered and carried against awk, tiers and queue
#   distributions against samples taken another way
#
# Figures of a run under a workload: what summary.json and the tables say of flows,
# load, tiers and queues, against awk and sort and against samples taken another way.
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/lab_lib.sh
. "$(dirname "$0")/../lib/lab_lib.sh"
# shellcheck source=selftests/lib/figures_lib.sh
. "$(dirname "$0")/../lib/figures_lib.sh"
ktap_print_header

# 16 hosts, 96 ports. Measured is [100, 900) us. Small buffers, so that there are pauses.
common=(fattree --cc dcqcn --set k=4 --set workload=hadoop --set load=0.5 --set duration=1ms --set pfc=on
	--set buffer=1mb --set window_from=100us --set window_to=900us --set sample=800ns --set watch=all)
d=$LAB_OUT/r/fattree/dcqcn/seed1

run() {
	lab_run "${common[@]}" && [ "$(jq .errors "$d/summary.json")" = 0 ] &&
		cp -r "$d" "$LAB_OUT/first"
}

window() {
	jq -e '.measured.from_ns == 100000 and .measured.to_ns == 900000' "$d/summary.json" &&
		is "$(jq .measured.flows "$d/summary.json")" == \
			"$(awk -F, 'NR > 1 && $6 >= 100000 && $6 < 900000' "$d/flows.csv" | wc -l)" &&
		is "$(jq .measured.flows "$d/summary.json")" ">=" 100
}

bins() {
	bins_of all 100000 900000 "$d" >"$LAB_OUT/want"
	table count all "$d/fct_size.csv" >"$LAB_OUT/have"
	same_table "$LAB_OUT/want" "$LAB_OUT/have" || return 1
	decades_of all 100000 900000 "$d" | cut -d ' ' -f 3- | sed 's/^/0 0 /' >"$LAB_OUT/want"
	table decade all "$d/fct_size.csv" | cut -d ' ' -f 3- | sed 's/^/0 0 /' >"$LAB_OUT/have"
	same_table "$LAB_OUT/want" "$LAB_OUT/have" || return 1
	# The same in summary.json.
	jq -r '.fct_bins.all.count[] | [.from_bytes, .to_bytes, .flows, .p50, .p95, .p99, .mean, .max] |
		map(tostring) | join(" ")' "$d/summary.json" >"$LAB_OUT/want"
	table count all "$d/fct_size.csv" >"$LAB_OUT/have"
	same_table "$LAB_OUT/want" "$LAB_OUT/have"
}

# Messages are of 64 packets of 1024 bytes: 82 bytes more a packet, 16 a message. What
# is carried counts each flow by the part of its time that lies in the window.
load() {
	local have
	have=$(jq -r '[.measured.load_offered, .measured.load_carried, .measured.payload_bytes, .traffic.load_carried] |
		map(tostring) | join(" ")' "$d/summary.json")
	awk -F, 'function wire(b, full, rest) { full = int(b / 65536); rest = b % 65536
			return b + full * (64 * 82 + 16) + (rest ? int((rest + 1023) / 1024) * 82 + 16 : 0) }
		NR > 1 { from = $6 > 100000 ? $6 : 100000; to = $6 + $7 < 900000 ? $6 + $7 : 900000
			if ($6 >= 100000 && $6 < 900000) offered += wire($5)
			part = to > from ? (to - from) / $7 : 0; carried += part * wire($5); payload += part * $5 }
		END { all = 16 * 100 / 8 * 800000
			printf "%.5f %.5f %.0f %.5f\n", offered / all, carried / all, payload, carried / all }' \
		"$d/flows.csv" >"$LAB_OUT/want"
	echo "$have" | paste -d ' ' - "$LAB_OUT/want" | awk '{ exit $1 - $5 > 2e-5 || $5 - $1 > 2e-5 || $2 - $6 > 2e-5 ||
		$6 - $2 > 2e-5 || $3 - $7 > 2 || $7 - $3 > 2 || $4 != $2 }' || { echo "$have"; cat "$LAB_OUT/want"; return 1; }
}

# What ports did between the same two samples ("window") is counted apart from "tiers".
# Of a mean of 16 rounded figures and one that was rounded once.
tiers() {
	local t
	[ "$(jq -r '.tiers | keys_unsorted | join(" ")' "$d/summary.json")" = "h-e e-a a-c c-a a-e e-h" ] || return 1
	for t in h-e e-a a-c c-a a-e e-h; do
		jq -r --arg t "$t" '(.window.ports | to_entries | map(select((.key | gsub("[0-9]"; "")) == $t) | .value)) as $p |
			.tiers[$t] as $x | [$x.ports, ($p | length), $x.utilization.mean, ([$p[].utilization] | add / length),
			$x.utilization.max, ([$p[].utilization] | max), $x.queue_bytes.mean,
			([$p[].queue_bytes.mean] | add / length)] | map(tostring) | join(" ")' "$d/summary.json"
	done >"$LAB_OUT/tiers"
	awk '{ if ($1 != 16 || $2 != 16 || $3 - $4 > 1e-5 || $4 - $3 > 1e-5 || $5 != $6 || $7 - $8 > 1 || $8 - $7 > 1 ||
			$3 <= 0) { print; exit 1 } } END { exit NR != 6 }' "$LAB_OUT/tiers"
}

# The ports count how long their queues were how long; by the time integral of the
# queues, which is kept apart, the mean lies between those of the buckets' lowest and
# highest values. It is rounded down to 1 KiB us for each port, 1.3 bytes in 800 us. And
# of each sample of queues.csv in the window the tier has the bucket; where there is no
# row a queue was empty.
queues() {
	local t
	for t in h-e e-a a-c c-a a-e e-h; do
		awk -F, -v t="$t" -v mean="$(jq --arg t "$t" '.tiers[$t].queue_bytes.mean' "$d/summary.json")" '
			$1 == t { shift = 1; while ($2 + 1 > 32 * shift) shift *= 2; hi += $2 * ($3 - last)
				lo += ($2 < 32 ? $2 : $2 + 1 - shift) * ($3 - last); last = $3 }
			END { print t, lo, mean, hi, last; exit !(lo - 2 <= mean && mean <= hi + 1 && last == 1 && hi > 0) }' \
			"$d/queue_cdf.csv" || return 1
	done
	awk -F, 'FNR == 1 { next } FILENAME ~ /queue_cdf.csv$/ { has[$1 "," $2] = 1; next }
		$1 < 100000 || $1 >= 900000 { next }
		{ q[$1 "," $2] += $4; t = $2; gsub(/[0-9]/, "", t); tier[$1 "," $2] = t }
		END { for (k in q) { shift = 1; while (q[k] >= 32 * shift) shift *= 2
				end = (int(q[k] / shift) + 1) * shift - 1; n++
				if (!has[tier[k] "," end]) { print k, q[k], end; bad = 1 } }
			exit bad || n < 1000 }' "$d/queue_cdf.csv" "$d/queues.csv"
}

percentiles() {
	local t p want
	for t in h-e a-e e-h; do
		for p in 50 99; do
			want=$(awk -F, -v t="$t" -v p="$p" '$1 == t && $3 >= p / 100 { print $2; exit }' "$d/queue_cdf.csv")
			is "$(jq --arg t "$t" ".tiers[\$t].queue_bytes.p$p" "$d/summary.json")" == "$want" || return 1
		done
		is "$(jq --arg t "$t" '.tiers[$t].queue_bytes | .p50 <= .p99 and .p99 <= .max | if . then 1 else 0 end' \
			"$d/summary.json")" == 1 || return 1
	done
}

# Pauses of the window are some of those of the run, tier by tier.
pauses() {
	jq -e '[.tiers[].pause_ns] | add > 0' "$d/summary.json" &&
		jq -e '. as $s | [.tiers | to_entries[] | .key as $t | .value.pause_ns <=
			([$s.ports | to_entries[] | select((.key | gsub("[0-9]"; "")) == $t) | .value.pause_ns] | add)] | all' \
			"$d/summary.json"
}

# The table that tools recompute from a results directory is the run's own.
again() {
	"$LAB" report --bins 20 --out "$LAB_OUT/again" "$d" >"$LAB_OUT/out" && diff "$d/fct_size.csv" "$LAB_OUT/again/fct_size.csv" &&
		diff "$d/fct_cdf.csv" "$LAB_OUT/again/fct_cdf.csv" && diff "$d/slowdown_cdf.csv" "$LAB_OUT/again/slowdown_cdf.csv"
}

# A sample of the flows in flows.csv; figures of all of them.
sample() {
	lab_run "${common[@]}" --set flows_rows=50 --force || return 1
	[ "$(tail -n +2 "$d/flows.csv" | wc -l)" = 50 ] && [ -z "$(cut -d , -f 1 "$d/flows.csv" | sort | uniq -d)" ] &&
		jq -r '.notes[]' "$d/summary.json" | grep -q "flows.csv has 50 of $(jq .flows.count "$d/summary.json") flows" &&
		diff "$LAB_OUT/first/fct_size.csv" "$d/fct_size.csv" && diff "$LAB_OUT/first/fct_cdf.csv" "$d/fct_cdf.csv" &&
		[ "$(jq -c .measured "$LAB_OUT/first/summary.json")" = "$(jq -c .measured "$d/summary.json")" ]
}

# Without a workload there are none of these, and none of an earlier run stay.
without() {
	lab_run fattree --cc dcqcn --set k=4 --set size=64kb --force || return 1
	jq -e 'has("measured") or has("traffic") or has("tiers") or has("fct_bins") | not' "$d/summary.json" &&
		[ ! -e "$d/fct_size.csv" ] && [ ! -e "$d/queue_cdf.csv" ] && [ ! -e "$d/slowdown_cdf.csv" ] &&
		head -n 1 "$d/flows.csv" | grep -q 'slowdown$'
}

# Two long flows at 8 hosts, which are stopped after 300 us and end when what they had
# posted is through: no failures, and no port is busy for longer than there was time.
stopped() {
	local d=$LAB_OUT/s/star/dcqcn/seed1
	LAB_DIR=$LAB_OUT/s lab_run star --cc dcqcn --set background_load=0.5 --set incast_degree=4 --set load=0.5 \
		--set duration=300us || return 1
	jq -e '.flows.stopped == 2 and .flows.completed == .flows.count - 2 and .errors == 0 and
		.bottleneck.utilization <= 1 and .measured.groups.long.active_flows == 2' "$d/summary.json" || return 1
	# Not one row has a completion time that does not mean one.
	[ "$(awk -F, '$10 == "long" && $7 == ""' "$d/flows.csv" | wc -l)" = 2 ]
}

ktap_check "a workload on a fat-tree of 16 hosts" run
ktap_check "flows that start in the time that is measured" window
ktap_check "slowdown by size against sort and awk" bins
ktap_check "load offered and carried against awk" load
ktap_check "utilization and mean queues by tier against another count" tiers
ktap_check "distribution of the queues of 96 ports against samples of each" queues
ktap_check "percentiles of queues" percentiles
ktap_check "pauses by tier" pauses
ktap_check "lab report --bins gives what the run gave" again
ktap_check "flows_rows: a sample of the flows, figures of all" sample
ktap_check "flows that are stopped as planned" stopped
ktap_check "without a workload nothing of it" without
ktap_finished
