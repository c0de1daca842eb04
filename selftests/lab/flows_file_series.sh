#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: flows of a file with rows of their own: the same flows; a priority that telemetry or a knob
#   would override is said or refused
#
# Flows of a flows_file that have rows of their own (series=on), and priorities that keys
# ask for and others would take back.
. "$(dirname "$0")/../lib/lab_lib.sh"

file=$LAB_OUT/flows.csv
printf 'id,src,dst,bytes,start_ns\n0,h0,h1,1000000,0\n1,h2,h1,1000000,20000\n2,h3,h2,30000,30000\n' >"$file"

star() {
	lab_run star --mem 400 --set n=4 "$@"
}

# with DIR: the run of the file, with rows or without
both_runs() {
	LAB_DIR=$LAB_OUT/off star --cc dcqcn --set flows_file="$file" &&
		LAB_DIR=$LAB_OUT/on star --cc dcqcn --set flows_file="$file" --set series=on
}

on=$LAB_OUT/on/star/dcqcn/seed1
off=$LAB_OUT/off/star/dcqcn/seed1

# Rows of each flow while it is active; the goodput of its rows over the time is its bytes:
# a row's rate is that since the row before, and the last row lies one sample or less after
# the end, so the sum is off by the payload of one sample at line rate at most.
has_rows() {
	local dt
	dt=$(awk -F, 'FNR > 1 && $2 == 0 { if (n++ == 1) { print $1 - t; exit } t = $1 }' "$on/rates.csv")
	awk -F, -v dt="$dt" '
		FNR == 1 { next }
		FILENAME ~ /flows.csv$/ { bytes[$1] = $5; from[$1] = $6; to[$1] = $6 + $7; next }
		!($2 in bytes) || $1 < from[$2] || $1 > to[$2] + dt { print "odd row " $0; bad = 1 }
		{ sum[$2] += $3 * dt / 8e9; rows[$2]++ }
		END {
			for (f in bytes) {
				most = 100 * dt / 8
				if (rows[f] < (to[f] - from[f]) / dt - 1 || sum[f] < bytes[f] - most ||
				    sum[f] > bytes[f] + most) {
					print "flow " f ": " rows[f] + 0 " rows, " sum[f] " of " bytes[f] " bytes"
					bad = 1
				}
			}
			exit bad || !dt
		}' "$on/flows.csv" "$on/rates.csv" &&
		[ "$(awk -F, 'FNR > 1 && $2 < 2' "$on/state.csv" | cut -d, -f2 | sort -u | paste -sd ' ')" = "0 1" ]
}

same_flows() {
	cmp "$on/flows.csv" "$off/flows.csv"
}

said() {
	[ "$(wc -l <"$off/rates.csv")" -eq 1 ] && jq -e '.notes | any(contains("series=on"))' \
		"$off/summary.json" && jq -e '.notes == []' "$on/summary.json"
}

# Flows 0 and 1 share a queue pair, 2 has one of its own, 3 comes when they have been stopped.
shared_run() {
	printf 'id,src,dst,bytes,start_ns\n0,h0,h1,0,0\n1,h0,h1,0,0\n2,h2,h1,0,0\n3,h3,h1,5000,1200000\n' \
		>"$LAB_OUT/shared.csv"
	LAB_DIR=$LAB_OUT/pair star --cc dcqcn --set flows_file="$LAB_OUT/shared.csv" --set series=on \
		--set series_flows=3 --set qp=pair --set stop=1ms --set chunk=4kb --set depth=4 --set sample=10us
}

pair=$LAB_OUT/pair/star/dcqcn/seed1

# They take turns message by message, once the first has posted the four that may be outstanding.
# One queue pair has one rate and one window at a time.
shared_rows() {
	awk -F, 'FNR == 1 { next }
		FILENAME ~ /flows.csv$/ { bytes[$1] = $5; next }
		{ sum[$2] += $3 * ($1 - last[$2]) / 8e9; last[$2] = $1; at = $4 "," $5
		  if ($2 == 1 && at != was[$1]) { print "other rates at " $1 ": " $0; bad = 1 }
		  if (!$2) was[$1] = at }
		END {
			for (f = 0; f < 3; f++)
				if (sum[f] < bytes[f] * 0.98 || sum[f] > bytes[f] * 1.02 || !bytes[f]) {
					print "flow " f ": " sum[f] " of " bytes[f]; bad = 1
				}
			d = bytes[0] - bytes[1]
			if (d > 5 * 4096 || d < -4096) { print "turns: " d; bad = 1 }
			exit bad
		}' "$pair/flows.csv" "$pair/rates.csv"
}

shared_first() {
	[ "$(awk -F, 'FNR > 1 { print $2 }' "$pair/rates.csv" | sort -u | paste -sd ' ')" = "0 1 2" ]
}

stopped() {
	jq -e '.flows.count == 4 and .flows.completed == 1 and .flows.stopped == 3' "$pair/summary.json"
}

# 20 000 bytes as 1, then 300 and 4096 in turn: 1 + 300 + 4 * (4096 + 300) + 2115 bytes: a packet,
# one, 4 * (4 + 1), 3. Without the two keys 4 * 4096 + 3616: 4 * 4 + 4.
lengths() {
	local packets
	printf 'id,src,dst,bytes,start_ns\n0,h0,h1,20000,0\n' >"$LAB_OUT/one.csv"
	LAB_DIR=$LAB_OUT/mixed star --cc dcqcn --set flows_file="$LAB_OUT/one.csv" --set chunk=4kb \
		--set first=1 --set alternate=300 || return 1
	packets=$(jq '.ports["h0-sw"].tx_packets' "$LAB_OUT/mixed/star/dcqcn/seed1/summary.json")
	[ "$packets" -eq 25 ] || { echo "$packets packets"; return 1; }
}

# refused TEXT OPTION...
refused() {
	local text=$1
	shift
	ends 2 "$LAB" run star --mem 400 --set n=4 --out "$LAB_OUT/n" "$@" &&
		grep -q -- "$text" "$LAB_OUT/err" && [ ! -e "$LAB_OUT/n" ] || { cat "$LAB_OUT/err"; return 1; }
}

too_many() {
	awk 'BEGIN { print "id,src,dst,bytes,start_ns"; for (i = 0; i <= 1000; i++) print i ",h0,h1,1,0" }' \
		>"$LAB_OUT/many.csv"
	refused "1001 flows, at most 1000" --set flows_file="$LAB_OUT/many.csv" --set series=on
}

# hpcc's data bears telemetry, dcqcn's does not.
overridden() {
	local cc n
	for cc in hpcc dcqcn; do
		LAB_DIR=$LAB_OUT/prio star --cc $cc --set workload=hadoop --set duration=20us \
			--set short_prio=8kb || return 1
		n=$(jq '[.notes[] | select(startswith("short_prio: data of"))] | length' \
			"$LAB_OUT/prio/star/$cc/seed1/summary.json")
		[ "$cc $n" = "hpcc 1" ] || [ "$cc $n" = "dcqcn 0" ] || { echo "$cc: $n notes"; return 1; }
	done
}

ktap_print_header
ktap_check "flows of a file, with rows and without" both_runs
ktap_check "series=on: rows of each flow, and no others" has_rows
ktap_check "... the flows are the same to the byte" same_flows
ktap_check "without it there are none, and that is said" said
ktap_check "series without a file" refused "series: of no use" --set series=on
ktap_check "series with queue pairs of a pool" refused "series=on: not with qp" \
	--set flows_file="$file" --set series=on --set qp=pool
ktap_check "two flows on a queue pair, and a third beside: run" shared_run
ktap_check "... each has rows of its own, those that share have one window" shared_rows
ktap_check "series_flows: the others have none" shared_first
ktap_check "flows of 0 bytes are stopped, and that is no failure" stopped
ktap_check "... without stop they are refused" refused "0 needs --set stop" \
	--set flows_file="$LAB_OUT/shared.csv"
ktap_check "series_flows without series" refused "of no use without series=on" \
	--set flows_file="$file" --set series_flows=1
ktap_check "first, alternate: packets as lengths of messages make them" lengths
ktap_check "... longer than chunk" refused "first: above chunk" --set flows_file="$file" \
	--set chunk=4kb --set first=4097
ktap_check "series of too many flows" too_many
ktap_check "a priority of short flows that telemetry overrides: said" overridden
ktap_check "... that a knob would take back: refused" refused "data_dscp=26: takes the priority back" \
	--set workload=hadoop --set short_prio=8kb --knob data_dscp=26
ktap_check "the priority of ACKs likewise" refused "ack_dscp=65: takes the priority back" \
	--set ack_prio=on --knob ack_dscp=65
ktap_finished
