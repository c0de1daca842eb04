#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What a packet's hop costs in networks of 2 to 1024 hosts, and with 1 to 100 000 flows.
#   hop_scaling.sh --lab FILE --out DIR [--rounds N] [--most HOSTS] [-j]
#     --rounds N    of all cases, one after another, default 3; the median counts
#     --most HOSTS  no larger network, at least 16, default 1024; below 128 the flows are
#                   counted in one of 16
#     -j, --json    print JSON
# Each case is one "lab run" under hpcc with PFC, INT and an ACK a packet, 320 MB of payload in
# all, so some 330 000 data packets. A hop is a packet on a link, ACKs too. The time is that of
# the traffic alone, by the wall: use a machine that does nothing else.
# Writes scale.csv, scale.gp and scale.png to DIR.
set -u
lab='' out='' rounds=3 most=1024 json=''
total=320000000

die() {
	echo "hop_scaling.sh: $*" >&2
	exit 2
}

while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) sed -n '3,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
	--lab) lab=${2:-}; shift ;;
	--out) out=${2:-}; shift ;;
	--rounds) rounds=${2:-}; shift ;;
	--most) most=${2:-}; shift ;;
	-j | --json) json=1 ;;
	*) die "$1: no such option, see --help" ;;
	esac
	shift
done
[ -x "$lab" ] || die "--lab: a program is needed"
[ -n "$out" ] || die "--out: a directory is needed"
[[ $rounds =~ ^[1-9][0-9]*$ ]] || die "--rounds: a number is needed"
[[ $most =~ ^[1-9][0-9]*$ ]] && [ "$most" -ge 16 ] || die "--most: a number from 16 is needed"
mkdir -p "$out" || exit 1
rows=$out/rows
flows_k=8
[ "$most" -ge 128 ] || flows_k=4
: >"$rows"

# run WHAT HOSTS FLOWS SCENARIO...
run() {
	local what=$1 hosts=$2 flows=$3 dir=$out/run
	shift 3
	[ "$hosts" -le "$most" ] || return 0
	echo "scale: $what, $hosts hosts, $flows flows" >&2
	printf '%d 0\n%d 100\n' $((total / flows)) $((total / flows)) >"$out/sizes.cdf"
	"$lab" run "$@" --cc hpcc --set pfc=on --set ack_every=1 --set workload="$out/sizes.cdf" \
		--set load=0.5 --set flows="$flows" --set flows_rows=1000 --out "$dir" --force -q \
		>"$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }
	dir=$(echo "$dir"/*/hpcc/seed1)
	jq -r --slurpfile r "$dir/run.json" --arg what "$what" \
		'[$what, '"$hosts, $flows"', .packet_hops, $r[0].traffic_s, $r[0].mem_total_kb] | @tsv' \
		"$dir/summary.json" >>"$rows" || exit 1
	rm -rf "$out/run"
}

for ((i = 0; i < rounds; i++)); do
	for k in 2 4 6 8 12 16; do
		run hosts $((k * k * k / 4)) 320 fattree --set k=$k
	done
	for flows in 1 10 100 1000 10000 100000; do
		run flows $((flows_k * flows_k * flows_k / 4)) $flows fattree --set k=$flows_k
	done
done

sort -k1,1r -k2,2n -k3,3n -k5,5n "$rows" | awk -F '\t' '
	BEGIN { OFS = ","; print "what,hosts,flows,hops,traffic_s,ns_per_hop,memory_kb" }
	function flush() {
		if (!n)
			return
		m = int((n + 1) / 2)
		print what, hosts, flows, hops[m], s[m], sprintf("%.1f", s[m] * 1e9 / hops[m]), kb[m]
	}
	$1 "," $2 "," $3 != key { flush(); n = 0; key = $1 "," $2 "," $3 }
	{ n++; what = $1; hosts = $2; flows = $3; hops[n] = $4; s[n] = $5; kb[n] = $6 }
	END { flush() }' >"$out/scale.csv"

cat >"$out/scale.gp" <<'END'
set terminal pngcairo size 900,380 font "DejaVu Sans,10"
set output 'scale.png'
set datafile separator ','
set logscale x
set yrange [0:*]
set y2range [0:*]
set ytics nomirror
set y2tics
set grid y
set key top left
set ylabel 'time of a hop, ns'
set y2label 'memory, MB'
set multiplot layout 1,2
set xlabel 'hosts (fat-tree, 320 flows)'
plot '< grep ^hosts scale.csv' using 2:6 with linespoints lw 2 pt 7 title 'time of a hop', \
     '' using 2:($7/1000) axes x1y2 with linespoints dt 2 pt 6 title 'memory'
set xlabel 'flows (128 hosts, or 16)'
plot '< grep ^flows scale.csv' using 3:6 with linespoints lw 2 pt 7 title 'time of a hop', \
     '' using 3:($7/1000) axes x1y2 with linespoints dt 2 pt 6 title 'memory'
END
(cd "$out" && gnuplot scale.gp) || exit 1
rm -f "$rows" "$out/log" "$out/sizes.cdf"
if [ -n "$json" ]; then
	jq -Rn '[inputs | split(",")] | .[0] as $h | [.[1:][] | [$h, .] | transpose
		| map({(.[0]): (.[1] | tonumber? // .)}) | add]' "$out/scale.csv"
else
	column -s, -t "$out/scale.csv"
fi
