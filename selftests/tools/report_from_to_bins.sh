#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab report --from`, `--to`, `--bins` against awk and sort: slowdown by size, percentiles, distributions, several
#   seeds, a million flows in bounded memory, damaged tables
#
# lab report --from, --to, --bins: slowdown by size, percentiles and distributions against awk and sort,
# which know nothing of our code; seeds together; a million flows in bounded
# memory and files; damaged tables are refused with file and line.
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/report_lib.sh
. "$(dirname "$0")/../lib/report_lib.sh"
# shellcheck source=selftests/lib/figures_lib.sh
. "$(dirname "$0")/../lib/figures_lib.sh"

head="id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown,group"

# summary DIR FLOWS [FROM TO]: what a run says of its flows
summary() {
	if [ $# -gt 2 ]; then
		echo "{\"flows\":{\"count\":$2},\"measured\":{\"from_ns\":$3,\"to_ns\":$4}}"
	else
		echo "{\"flows\":{\"count\":$2}}"
	fi >"$1/summary.json"
}

# known DIR: 1000 flows, the i-th of i KB with slowdown i
known() {
	mkdir -p "$1"
	awk -v head="$head" 'BEGIN { print head
		for (i = 1; i <= 1000; i++)
			printf "%d,a,b,17,%d,%d,%d,%d,%d,\n", i - 1, i * 1000, i, i * 777, 777, i }' >"$1/flows.csv"
	summary "$1" 1000
}

# drawn DIR SEED FLOWS: sizes from 1 byte to 30 MB, many of the small ones alike; one
# in ten of the group incast, one in fifty not completed
drawn() {
	mkdir -p "$1"
	awk -v head="$head" -v seed="$2" -v n="$3" 'BEGIN { srand(seed); print head
		for (i = 0; i < n; i++) {
			b = int(exp(rand() * 17)) + 1; ideal = 4000 + int(b * 0.0864)
			fct = int(ideal * (1 - 3 * log(1 - rand())))
			printf "%d,h1,h2,17,%d,%d,%s,%d,,%s\n", i, b, i * 100, rand() < .02 ? "" : fct, ideal,
				rand() < .1 ? "incast" : "" } }' >"$1/flows.csv"
	summary "$1" "$3" 10000 "$((($3 - 50) * 100))"
}

known_bins() {
	known "$tmp/known/seed1"
	"$lab" report --bins 20 --out "$tmp/known/out" "$tmp/known/seed1" >"$tmp/out" || return 1
	# Bin b has the slowdowns 50 b + 1 to 50 b + 50, of ranks 25, 48 and 50.
	awk 'BEGIN { for (b = 0; b < 20; b++) printf "%d %d 50 %.4f %.4f %.4f %.4f %.4f\n", (50 * b + 1) * 1000,
		(50 * b + 50) * 1000, 50 * b + 25, 50 * b + 48, 50 * b + 50, 50 * b + 25.5, 50 * b + 50 }' >"$tmp/want"
	table count all "$tmp/known/out/fct_size.csv" | diff "$tmp/want" -
}

known_decades() {
	# Up to 1 KB: one flow; to 10 KB: 2 to 10; to 100 KB: 11 to 100; to 1 MB: 101 to 1000.
	cat >"$tmp/want" <<-END
		1 1000 1 1.0000 1.0000 1.0000 1.0000 1.0000
		1001 10000 9 6.0000 10.0000 10.0000 6.0000 10.0000
		10001 100000 90 55.0000 96.0000 100.0000 55.5000 100.0000
		100001 1000000 900 550.0000 955.0000 991.0000 550.5000 1000.0000
	END
	table decade all "$tmp/known/out/fct_size.csv" | diff "$tmp/want" -
}

# With 1000 flows every one has its row.
known_cdf() {
	awk 'BEGIN { for (i = 1; i <= 1000; i++) printf "all,%d,%.9g\n", i * 777, i / 1000 }' >"$tmp/want"
	tail -n +2 "$tmp/known/out/fct_cdf.csv" | diff "$tmp/want" -
}

known_summary() {
	"$lab" report --bins 20 -j "$tmp/known/seed1" >"$tmp/json" || return 1
	jq -c '[.flows, .completed, .slowdown.p999, .short.flows, .short.p99, .long, .fct_ns.p99]' "$tmp/json" |
		grep -qx '\[1000,1000,999,10,10,null,769230\]' || { cat "$tmp/json"; return 1; }
}

window() {
	# Starts 101 to 900; bins of 80 flows.
	"$lab" report --from 101ns --to 901ns --bins 10 --out "$tmp/known/win" "$tmp/known/seed1" >"$tmp/out" || return 1
	[ "$(table count all "$tmp/known/win/fct_size.csv" | awk '{ print $3 }' | sort -u)" = 80 ] &&
		[ "$(table count all "$tmp/known/win/fct_size.csv" | sed -n '1s/ .*//p;$p' | awk '{ print $1 }' |
			xargs)" = "101000 821000" ]
}

against_awk() {
	local g
	"$lab" report --bins 20 --out "$tmp/d/out" "$tmp/d/seed1" >"$tmp/out" || return 1
	for g in all incast; do
		bins_of "$g" 10000 495000 "$tmp/d/seed1" >"$tmp/want"
		table count "$g" "$tmp/d/out/fct_size.csv" >"$tmp/have"
		same_table "$tmp/want" "$tmp/have" || { echo "equal counts, $g"; return 1; }
		# Bounds of decades are powers of ten, not sizes that occur.
		decades_of "$g" 10000 495000 "$tmp/d/seed1" | cut -d ' ' -f 3- | sed 's/^/0 0 /' >"$tmp/want"
		table decade "$g" "$tmp/d/out/fct_size.csv" | cut -d ' ' -f 3- | sed 's/^/0 0 /' >"$tmp/have"
		same_table "$tmp/want" "$tmp/have" || { echo "decades, $g"; return 1; }
	done
}

# cdf_exact FILE GROUP COLUMN FROM TO DIR...: each row's share is that of the values
# that do not exceed it, and the rows at 99.9 and 99.99 % are there.
cdf_exact() {
	local file=$1 group=$2 col=$3
	shift 3
	points "$group" "$@" | awk '{ print $2 }' | sort -n >"$tmp/sorted"
	awk -F, -v g="$group" '$1 == g { print $2, $3 }' "$file" |
		awk -v col="$col" 'NR == FNR { v[++n] = $1; next }
			{ while (k < n && v[k + 1] <= $1 + 5e-7) k++
			if ($2 - k / n > 1e-8 || k / n - $2 > 1e-8) { print "row", $0, "share", k / n; exit 1 }
			rows++; if ($2 >= 0.999 && !a) a = $2; if ($2 >= 0.9999 && !b) b = $2 }
			END { if (rows > 1028 || a - 0.999 > 1 / n || b - 0.9999 > 1 / n || $2 != 1) { print rows, a, b; exit 1 } }' \
			"$tmp/sorted" -
}

distribution() {
	drawn "$tmp/big/seed1" 7 30000
	"$lab" report --bins 20 --out "$tmp/big/out" "$tmp/big/seed1" >"$tmp/out" &&
		cdf_exact "$tmp/big/out/slowdown_cdf.csv" all slowdown 10000 2995000 "$tmp/big/seed1" &&
		cdf_exact "$tmp/big/out/slowdown_cdf.csv" incast slowdown 10000 2995000 "$tmp/big/seed1"
}

pooled() {
	"$lab" report --bins 20 --out "$tmp/d/both" "$tmp/d/seed1" "$tmp/d/seed2" >"$tmp/out" || return 1
	bins_of all 10000 495000 "$tmp/d/seed1" "$tmp/d/seed2" >"$tmp/want"
	table count all "$tmp/d/both/fct_size.csv" >"$tmp/have"
	same_table "$tmp/want" "$tmp/have"
}

# One size: one bin of all flows, whatever their order.
one_size() {
	known "$tmp/one/seed1"
	sed -i '2,$s/^\([^,]*,a,b,17,\)[0-9]*/\18192/' "$tmp/one/seed1/flows.csv"
	"$lab" report --bins 20 --out "$tmp/one/out" "$tmp/one/seed1" >"$tmp/out" || return 1
	[ "$(table count all "$tmp/one/out/fct_size.csv")" = \
		"8192 8192 1000 500.0000 950.0000 990.0000 500.5000 1000.0000" ]
}

no_flows() {
	known "$tmp/none/seed1"
	sed -i '2,$d' "$tmp/none/seed1/flows.csv"
	summary "$tmp/none/seed1" 0
	"$lab" report --bins 20 --out "$tmp/none/out" "$tmp/none/seed1" >"$tmp/out" || return 1
	[ "$(wc -l <"$tmp/none/out/fct_size.csv")" = 1 ] && grep -q '^0 flows' "$tmp/out"
}

# 40 bytes a flow, half as much again while that grows, and 16 to sort: 96 MB for a
# million; the rest is for the program. Files: 20 + 17 bins and 1028 rows a group.
million() {
	drawn "$tmp/m/seed1" 3 1000000
	(ulimit -v 160000 && "$lab" report --bins 20 --out "$tmp/m/out" "$tmp/m/seed1" >"$tmp/out") || return 1
	grep -q '^999850 flows' "$tmp/out" || { head -1 "$tmp/out"; return 1; }
	[ "$(wc -l <"$tmp/m/out/fct_size.csv")" -le 75 ] && [ "$(wc -l <"$tmp/m/out/fct_cdf.csv")" -le 2057 ] &&
		[ "$(wc -l <"$tmp/m/out/slowdown_cdf.csv")" -le 2057 ]
}

# refused STATUS TEXT ARGS...: one line on stderr that says TEXT, and nothing printed
refused() {
	local want=$1 text=$2 rc=0
	shift 2
	"$lab" report --bins 20 "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
	if [ "$rc" != "$want" ] || [ -s "$tmp/out" ] || [ "$(wc -l <"$tmp/err")" != 1 ] ||
		! grep -qF -- "$text" "$tmp/err"; then
		echo "exit status $rc"
		cat "$tmp/err"
		return 1
	fi
}

# damaged LINE SED TEXT: a table with one bad line
damaged() {
	known "$tmp/bad/seed1"
	sed -i "$1$2" "$tmp/bad/seed1/flows.csv"
	refused 1 "bad/seed1/flows.csv:$1: $3" "$tmp/bad/seed1"
}

old_name() {
	local rc=0
	"$lab" figures "$tmp/known/seed1" 2>"$tmp/err" || rc=$?
	[ $rc = 2 ] && grep -q "lab report --bins" "$tmp/err"
}

drawn "$tmp/d/seed1" 1 5000
drawn "$tmp/d/seed2" 2 5000
ktap_check "known slowdowns: bins of equal counts" known_bins
ktap_check "known slowdowns: decades" known_decades
ktap_check "known slowdowns: every flow of 1000 in the distribution" known_cdf
ktap_check "known slowdowns: all, short and long flows" known_summary
ktap_check "other times and bins" window
ktap_check "bins of drawn flows against sort and awk, with groups" against_awk
ktap_check "distribution against sort and awk, to 99.99 %" distribution
ktap_check "two seeds together against sort and awk" pooled
ktap_check "flows of one size share a bin" one_size
ktap_check "no flows" no_flows
ktap_check "a million flows: memory and files are bounded" million
ktap_check "a word for a number: file and line" damaged 501 's/,500,[0-9]*,/,500,x,/' 'not a number: "x"'
ktap_check "a negative size: file and line" damaged 7 's/,17,/,17,-/' 'not a number: "-6000"'
ktap_check "a line cut off: file and line" damaged 1001 's/,17.*//' 'too few columns: "999"'
ktap_check "a heading without a column: file and line" damaged 1 's/ideal_fct_ns/x/' 'no column "ideal_fct_ns"'
ktap_check "no summary.json" refused 1 "flows.csv: No such file" "$tmp"
ktap_check "no directory" refused 2 "a result directory is expected"
ktap_check "the old command names the new one" old_name
ktap_check "options of pictures" refused 2 "do not go with" --over n "$tmp/known/seed1"
ktap_check "no bins" refused 2 "--bins 0: not a number from 1 to 1000" --bins 0 "$tmp/known/seed1"
ktap_check "not a time" refused 2 "--from x: not a time" --from x "$tmp/known/seed1"
ktap_check "an empty window" refused 2 "--from 5ns: not before --to 5ns" --from 5 --to 5 "$tmp/known/seed1"
ktap_finished
