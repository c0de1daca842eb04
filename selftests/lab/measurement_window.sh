#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the times of a run: which flows of a flows file are measured, what time their load is
#   over, a limit shorter than a sample
. "$(dirname "$0")/../lib/lab_lib.sh"

file=$LAB_OUT/flows.csv
r=star/none/1

# run_file STARTS OPTION...: flows of 1 MB from h0 to h1 and from h2 to h3, at these times
run_file() {
	printf 'id,src,dst,bytes,start_ns\n0,h0,h1,1000000,%s\n1,h2,h3,1000000,%s\n' "${1%,*}" "${1#*,}" >"$file"
	shift
	lab_run star --mem 300 --force --set n=4 --set flows_file="$file" "$@"
}

# All at once, or the last one much later: flowgen starts a flow some ns after its time.
all_measured() {
	local s
	for s in 0,0 0,1 0,500000 700,700; do
		run_file $s || return 1
		[ "$(lab_get $r '.measured | [.flows, .completed, .from_ns, .to_ns] | tostring')" = "[2,2,0,null]" ] ||
			{ echo "starts $s"; lab_get $r .measured; return 1; }
	done
	"$LAB" report --bins 20 "$LAB_OUT/r/star/none/seed1" | grep -q '^2 flows, 2 of them completed'
}

# 1 MB in packets of 1024 bytes, 82 more each, and 16 more for each message of 65536: of the
# 50 Gbyte/s of four hosts, in the time that one flow needs alone. At line rate that is
# ideal_fct, which is longer than sending by 2 us of cables, a packet at the second link and the
# way of the ACK: less than 5 us of 86.
load_at_once() {
	run_file 0,0 || return 1
	local wire ideal
	wire=$((1000000 + 977 * 82 + 16 * 16))
	ideal=$(awk -F, 'NR == 2 { print $8 }' "$LAB_OUT/r/star/none/seed1/flows.csv")
	is "$ideal" ">=" $((wire * 8 / 100)) && is "$ideal" "<=" $((wire * 8 / 100 + 5000)) &&
		near "$(lab_get $r .traffic.load_offered)" "$(awk -v w=$wire -v t="$ideal" 'BEGIN { print 2 * w / (50 * t) }')" 0.001 &&
		near "$(lab_get $r .measured.load_offered)" "$(lab_get $r .traffic.load_offered)" 0.001 &&
		is "$(lab_get $r .measured.load_carried)" ">=" 0.45 && is "$(lab_get $r .measured.load_carried)" "<=" 0.5
}

# Those that are asked for: the second one starts in the cool-down, or the first in the warm-up.
asked_for() {
	run_file 0,500000 --set cooldown=100us &&
		[ "$(lab_get $r '.measured | [.flows, .to_ns] | tostring')" = "[1,400001]" ] &&
		run_file 0,500000 --set warmup=100us &&
		[ "$(lab_get $r '.measured | [.flows, .from_ns, .to_ns] | tostring')" = "[1,100000,null]" ]
}

# 900 GB take 77 s, so a thousandth of that, a sample, is longer than the limit. Four messages of
# 65536 bytes are posted at any time: 4 * (64 * 1106 + 16) bytes on the wire, 22.7 us, and a round
# trip of 4.2 us. Those go on.
limit() {
	local d=$LAB_OUT/limit/two/none/seed1 rows
	ends 1 "$LAB" run two --mem 256 --set size=900gb --set limit=200us --set depth=4 --out "$LAB_OUT/limit" &&
		grep -q "did not end within 200000 ns" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	is "$(jq .virtual_ns "$d/summary.json")" ">=" 190000 && is "$(jq .virtual_ns "$d/summary.json")" "<=" 227000 ||
		return 1
	# At line rate 200 us are 2 261 packets; those that are posted are 256.
	is "$(jq '.ports["h0-sw"].tx_packets' "$d/summary.json")" "<=" 2530 || return 1
	rows=$(awk -F, 'NR > 1 && $1 <= 200000' "$d/rates.csv" | wc -l)
	is "$rows" ">=" 100
}

ktap_print_header
ktap_check "all flows of a file are measured, whenever they start" all_measured
ktap_check "the load of flows that all start at once is over the time that they need alone" load_at_once
ktap_check "warmup and cooldown leave out the flows that they should" asked_for
ktap_check "a limit shorter than a sample ends the run, and there are samples" limit
ktap_finished
