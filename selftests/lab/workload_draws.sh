#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: what a workload draws, without a kernel: load within 1 %, sizes and gaps by
#   Kolmogorov-Smirnov, evenness by chi-square, policies, incasts, files; every bad input is one
#   line and runs nothing
#
# Traffic by a workload: what "lab flows" draws, without a kernel. Bounds of
# random figures: 4 standard deviations, or a Kolmogorov-Smirnov distance of
# 1.95 / sqrt(n), which one sample in a thousand exceeds. Draws depend on the seed
# alone, so a test that passes once passes always.
. "$(dirname "$0")/../lib/lab_lib.sh"

# draw NAME SCENARIO OPTION...: $LAB_OUT/NAME.csv
draw() {
	local name=$1
	shift
	"$LAB" flows "$@" --out "$LAB_OUT/$name.csv" >/dev/null
}

# Distributions as published, "bytes:percent".
declare -A published
published[websearch]="10000:15 20000:20 30000:30 50000:40 80000:53 200000:60 1000000:70 2000000:80 5000000:90 10000000:97 30000000:100"
published[hadoop]="100:1 200:2 300:5 350:15 400:20 500:30 600:40 700:50 1000:60 2000:67 7000:70 30000:72 50000:82 80000:87 120000:90 300000:95 1000000:97.5 2000000:99 10000000:100"
published[storage]="4000:22.93 8000:69.21 16000:80.61 32000:90.47 64000:93.53 128000:96.77 256000:97.53 2000000:100"
published[cachefollower]="1500:36 3000:40 10500:46 19500:50 100500:60 199500:70 1000500:78 1999500:80 3000000:90 4000500:99 49999500:100"
# Capped at 30 MB, where the published one has 95 + 3 * (30 - 3.16) / (100 - 3.16).
published[datamining]="180:10 216:20 560:30 900:40 1100:50 1870:60 3160:70 10000:80 400000:90 3160000:95 30000000:95.83147459727386 30000000:100"

points() {
	local w got
	for w in websearch hadoop storage cachefollower datamining; do
		got=$("$LAB" flows star --set n=320 --set workload=$w -j |
			jq -r '[.traffic.cdf[] | "\(.[0]):\(.[1])"] | join(" ")')
		awk -v a="$got" -v b="${published[$w]}" 'BEGIN {
			n = split(a, x, "[ :]"); m = split(b, y, "[ :]")
			for (i = 1; i <= n; i++) if (x[i] - y[i] > 1e-6 || y[i] - x[i] > 1e-6) exit 1
			exit n != m }' || { echo "$w: $got"; return 1; }
	done
}

# Wire bytes of WRITEs of at most 65536 bytes in packets of 1024, over 320 links of
# 100 Gbit/s in $1 ms: not as lab counts, but from the rows.
offered() {
	awk -F, -v ms="$1" 'NR > 1 { sum += $4 + 82 * int(($4 + 1023) / 1024) + 16 * int(($4 + 65535) / 65536) }
		END { print sum / (320 * 12.5e9 * ms / 1000) }' "$LAB_OUT/load.csv"
}

load_within_1_percent() {
	local w l ms
	for w in websearch hadoop; do
		for l in 0.3 0.5 0.8; do
			for ms in 3 10; do
				draw load fattree320 --set workload=$w --set load=$l --set duration=${ms}ms &&
					near "$(offered $ms)" $l 0.01 || { echo "$w $l $ms ms"; return 1; }
			done
		done
	done
	# So do few flows: 81 of 8 hosts.
	for l in 1 2 3 4 5; do
		draw load star --set workload=websearch --seed $l &&
			near "$(offered 3)" 0.0125 0.01 || { echo "seed $l"; return 1; }
	done
	draw load fattree320 --set workload=websearch --set load=0.8 --set load_counts=payload || return 1
	near "$(awk -F, 'NR > 1 { s += $4 } END { print s / (320 * 12.5e9 * 0.003) }' "$LAB_OUT/load.csv")" 0.8 0.01
}

# ks_sizes WORKLOAD FILE: sizes, rounded to bytes, against the distribution
ks_sizes() {
	tail -n +2 "$2" | cut -d, -f4 | sort -n | awk -v cdf="${published[$1]}" '
		BEGIN { n = split(cdf, c, "[ :]") / 2 }
		function F(b, i, b0, p0) {
			b0 = p0 = 0
			for (i = 1; i <= n; i++) {
				if (b <= c[2 * i - 1]) return p0 + (c[2 * i] - p0) * (b - b0) / (c[2 * i - 1] - b0)
				b0 = c[2 * i - 1]; p0 = c[2 * i]
			}
			return 100
		}
		{ v[NR] = $1 }
		END {
			for (i = 1; i <= NR; i++) {
				hi = i / NR - F(v[i] - 0.5) / 100; lo = F(v[i] + 0.5) / 100 - (i - 1) / NR
				if (hi > d) d = hi
				if (lo > d) d = lo
			}
			printf "n %d distance %.6f\n", NR, d
			exit !(NR > 1000 && d < 1.95 / sqrt(NR))
		}'
}

sizes() {
	local w
	for w in websearch hadoop storage; do
		draw sizes fattree320 --set workload=$w && ks_sizes $w "$LAB_OUT/sizes.csv" || return 1
	done
	# The same flows by another distribution must not pass.
	! ks_sizes hadoop "$LAB_OUT/sizes.csv" >/dev/null
}

# ks_gaps [SOURCE]: gaps of all starts, or those of one source, are exponential
ks_gaps() {
	awk -F, -v src="${1:-}" 'NR > 1 && (src == "" || $2 == src) {
		if (last != "") print $5 - last; last = $5 }' "$LAB_OUT/gaps.csv" | sort -n |
		awk '{ v[NR] = $1; s += $1 } END {
			for (i = 1; i <= NR; i++) {
				f = 1 - exp(-v[i] / (s / NR))
				if (i / NR - f > d) d = i / NR - f
				if (f - (i - 1) / NR > d) d = f - (i - 1) / NR
			}
			printf "n %d mean %.1f distance %.5f\n", NR, s / NR, d
			exit !(NR > 1000 && d < 1.95 / sqrt(NR))
		}'
}

gaps() {
	draw gaps fattree320 --set workload=websearch --set duration=10ms && ks_gaps || return 1
	draw gaps star --set n=4 --set workload=hadoop --set duration=40ms && ks_gaps h2
}

# even COLUMN HOSTS FILE: chi-square of flows by host; HOSTS - 1 degrees of freedom
# have that mean and twice that variance
even() {
	awk -F, -v col="$1" -v n="$2" 'NR > 1 { c[$col]++; N++ } END {
		for (h in c) x += (c[h] - N / n) ^ 2 / (N / n)
		x += (n - length(c)) * N / n
		printf "column %d: chi-square %.1f of %d\n", col, x, n - 1
		exit !(x > n - 1 - 4 * sqrt(2 * (n - 1)) && x < n - 1 + 4 * sqrt(2 * (n - 1))) }' "$3"
}

hosts() {
	draw hosts fattree320 --set workload=hadoop && even 2 320 "$LAB_OUT/hosts.csv" &&
		even 3 320 "$LAB_OUT/hosts.csv" &&
		awk -F, 'NR > 1 && ($2 == $3 || $1 != NR - 2 || $5 < t || $4 < 1) { print; exit 1 } { t = $5 + 0 }' \
			"$LAB_OUT/hosts.csv"
}

seeds() {
	draw s1 fattree --set workload=websearch && draw s2 fattree --set workload=websearch --seed 1 &&
		draw s3 fattree --set workload=websearch --seed 2 && cmp "$LAB_OUT/s1.csv" "$LAB_OUT/s2.csv" &&
		! cmp -s "$LAB_OUT/s1.csv" "$LAB_OUT/s3.csv"
}

# Of a source all starts move by one factor when another host comes; of no other
# stream do they depend.
one_host_more() {
	draw n8 star --set n=8 --set workload=hadoop && draw n9 star --set n=9 --set workload=hadoop || return 1
	join -t, <(awk -F, '$2 == "h3" { print 1000 + ++n "," $5 }' "$LAB_OUT/n8.csv") \
		<(awk -F, '$2 == "h3" { print 1000 + ++n "," $5 }' "$LAB_OUT/n9.csv") |
		awk -F, 'NR > 20 { r = $2 / $3; if (!first) first = r
			if (r / first > 1.0001 || r / first < 0.9999) { print $0, r, first; exit 1 } n++ }
			END { exit !(n > 100) }'
}

# share FILE CONDITION EXPECTED: of flows, within 4 standard deviations
share() {
	awk -F, -v e="$3" 'function rack(h) { return int(substr(h, 2) / 4) }
		NR > 1 { n++; if ('"$2"') k++ } END { printf "%.4f of %d\n", k / n, n
		s = 4 * sqrt(e * (1 - e) / n); exit !(k / n > e - s && k / n < e + s) }' "$1"
}

policies() {
	local hot
	draw p leafspine --set workload=hadoop --set policy=local --set local_share=0.8 &&
		share "$LAB_OUT/p.csv" 'rack($2) == rack($3)' 0.8 || return 1
	draw p leafspine --set workload=hadoop && share "$LAB_OUT/p.csv" 'rack($2) == rack($3)' 0.2 || return 1
	draw p leafspine --set workload=hadoop --set policy=hotspot --set hot_share=0.3 --set hot_hosts=2 || return 1
	hot=$(tail -n +2 "$LAB_OUT/p.csv" | cut -d, -f3 | sort | uniq -c | sort -rn | awk 'NR <= 2 { print $2 }' | paste -sd' ')
	share "$LAB_OUT/p.csv" "\$3 == \"${hot% *}\" || \$3 == \"${hot#* }\"" 0.3
}

# Only those that are named, each as often as the others, at a load of their own links: 2 of 8
# of 100 Gbit/s, in 3 ms. In a row of switches two senders share one link of 40.
lists() {
	draw list star --set n=8 --set workload=hadoop --set senders=h1+h5 --set receivers=h5+h6+h7 || return 1
	awk -F, 'NR > 1 { n[$2 "," $3]++; N[$2]++
			sum += $4 + 82 * int(($4 + 1023) / 1024) + 16 * int(($4 + 65535) / 65536) }
		function even(src, dst, p, s) {
			s = 4 * sqrt(N[src] * p * (1 - p))
			return n[src "," dst] > N[src] * p - s && n[src "," dst] < N[src] * p + s
		}
		END {
			load = sum / (2 * 12.5e9 * 0.003)
			print N["h1"], N["h5"], load
			exit !(length(n) == 5 && N["h5"] > 100 && load > 0.495 && load < 0.505 &&
				even("h1", "h5", 1 / 3) && even("h1", "h6", 1 / 3) && even("h1", "h7", 1 / 3) &&
				even("h5", "h6", 1 / 2) && even("h5", "h7", 1 / 2)) }' "$LAB_OUT/list.csv" &&
		draw numbers star --set n=8 --set workload=hadoop --set senders=5+1 --set receivers=7+5+6 &&
		cmp "$LAB_OUT/list.csv" "$LAB_OUT/numbers.csv" &&
		"$LAB" flows firsthop -j | jq -e '.traffic | .capacity_bps == 40e9 and .load_of == "core" and
			.senders == ["h1", "h2"] and .receivers == ["r1", "r2"]' >/dev/null
}

# Four leaves of four hosts with a quarter of the capacity up: half of that. With
# flows of 64 KB each, which are 70784 wire bytes; 12 of 15 destinations are in
# other racks.
core() {
	printf '65536 0\n65536 100\n' >"$LAB_OUT/fixed"
	local o=(--set per_leaf=4 --set spines=1 --set workload="$LAB_OUT/fixed" --set duration=40ms)
	[ "$("$LAB" flows leafspine "${o[@]}" -j | jq -r .traffic.load_of)" = core ] &&
		draw core leafspine "${o[@]}" || return 1
	awk -F, 'function rack(h) { return int(substr(h, 2) / 4) } NR > 1 { N++; n += rack($2) != rack($3) } END {
		load = n * 70800 / (4 * 12.5e9 * 0.040); s = 4 * sqrt(0.8 * 0.2 * N) / n
		print load, s; exit !(load > 0.5 * (1 - s) && load < 0.5 * (1 + s)) }' "$LAB_OUT/core.csv" || return 1
	[ "$("$LAB" flows leafspine --set workload=hadoop -j | jq -r .traffic.load_of)" = hosts ]
}

# Each event: so many different sources, one destination, one instant; beside the
# scenario's own flows, which are larger.
incasts() {
	draw inc fattree320 --set workload=none --set incast_degree=16 --set incast_size=8kb --set load=0.05 || return 1
	tail -n +2 "$LAB_OUT/inc.csv" | awk -F, '$4 == 8192 { k = $5 "," $3; n[k]++; if (seen[k, $2]++ || $2 == $3) bad = 1 }
		END { for (k in n) { events++; if (n[k] != 16) bad = 1 } print events, "events"; exit bad || events < 100 }' &&
		near "$("$LAB" flows fattree320 --set incast_degree=16 --set incast_load=0.25 -j |
			jq '.groups.incast.bytes / (.groups.incast.bytes + .groups.workload.bytes)')" 0.25 0.02
}

# Fixed groups: so many receivers, each with the same senders every time, and all of them are used;
# the load is that of drawn ones.
groups() {
	local o=(fattree320 --set workload=none --set incast_degree=16 --set incast_size=8kb --set load=0.05)
	draw grp "${o[@]}" --set incast_groups=20 || return 1
	tail -n +2 "$LAB_OUT/grp.csv" | awk -F, '$4 == 8192 { n[$3]++; if (!seen[$3, $2]++) from[$3]++ }
		END { for (d in n) { to++; if (from[d] != 16 || n[d] % 16) bad = 1 } print to, "receivers"; exit bad || to != 20 }' &&
		near "$("$LAB" flows "${o[@]}" --set incast_groups=20 -j | jq .traffic.load_offered)" 0.05 0.01 || return 1
	# A long flow from each host, and 15 of its 31 pairs are a group's: none of them is the same.
	draw beside mix --set hosts=32 --set incast_degree=15 --set incast_groups=32 --set background_flows=32 || return 1
	tail -n +2 "$LAB_OUT/beside.csv" | awk -F, '$4 > 8192 { long[$2, $3] } $4 <= 8192 { n++; short[$2, $3] }
		END { for (p in long) { N++; if (p in short) bad = 1 } exit bad || N != 32 || !n }'
}

# Sizes of an incast: each of three as often as the others, within four standard deviations of a
# binomial distribution; the load is that of their mean, within four of the mean of so many.
halved() {
	local o=(fattree320 --set workload=none --set incast_degree=16 --set incast_size=8kb --set incast_halvings=2 --set load=0.05)
	draw half "${o[@]}" || return 1
	awk -F, 'NR > 1 && $4 <= 8192 { n[$4]++; N++ } END {
		s = 4 * sqrt(N * 2 / 9)
		for (b = 8192; b > 1024; b /= 2) { print b, n[b]; sum += n[b]; if (n[b] < N / 3 - s || n[b] > N / 3 + s) bad = 1 }
		exit bad || sum != N || N < 1000 }' "$LAB_OUT/half.csv" || return 1
	near "$("$LAB" flows "${o[@]}" -j | jq .traffic.load_offered)" 0.05 0.01
}

# The same flows, each up to 50 us later, 25 on average: four standard deviations, as above.
spread() {
	local o=(fattree320 --set workload=none --set incast_degree=16 --set incast_size=8kb --set load=0.05)
	draw sync "${o[@]}" && draw late "${o[@]}" --set incast_spread=50us || return 1
	for f in sync late; do
		tail -n +2 "$LAB_OUT/$f.csv" | awk -F, '$4 == 8192 { print $2 "," $3 "," $5 }' | sort -t, -k1,2 -k3,3n >"$LAB_OUT/$f.sorted"
	done
	paste -d, "$LAB_OUT/sync.sorted" "$LAB_OUT/late.sorted" | awk -F, '
		$1 != $4 || $2 != $5 || $6 < $3 || $6 > $3 + 50000 { print; bad = 1; exit }
		{ N++; sum += $6 - $3 }
		END { s = 4 * 50000 / sqrt(12 * N); print N, sum / N; exit bad || N < 1000 || sum / N < 25000 - s || sum / N > 25000 + s }'
}

# Out again as in; hosts by number; alone they are the scenario's flows.
file() {
	draw f1 fattree --set workload=websearch || return 1
	sed 's/h\([0-9]\)/\1/g' "$LAB_OUT/f1.csv" >"$LAB_OUT/numbers.csv"
	draw f2 fattree --set flows_file="$LAB_OUT/f1.csv" && cmp "$LAB_OUT/f1.csv" "$LAB_OUT/f2.csv" &&
		draw f2 fattree --set flows_file="$LAB_OUT/numbers.csv" && cmp "$LAB_OUT/f1.csv" "$LAB_OUT/f2.csv"
}

measured() {
	"$LAB" flows fattree320 -j | jq -e '.traffic | .warmup_ns == 300000 and .cooldown_ns == 300000' >/dev/null &&
		draw m fattree320 && [ "$("$LAB" flows fattree320 -j | jq .groups.workload.measured)" -eq \
			"$(awk -F, 'NR > 1 && $5 >= 300000 && $5 < 2700000' "$LAB_OUT/m.csv" | wc -l)" ]
}

# 40 bytes a flow, 32 more while they are drawn, twice while an array grows.
million() {
	(ulimit -v 300000 && "$LAB" flows fattree320 --set workload=hadoop --set flows=1000000 -j) >"$LAB_OUT/m.json" &&
		jq -e '.flows == 1000000 and .traffic.load_offered > 0.495 and .traffic.load_offered < 0.505' \
			"$LAB_OUT/m.json" >/dev/null
}

# refused TEXT SCENARIO OPTION...: one line with TEXT in it, status 2, no file written
refused() {
	local text=$1
	shift
	rm -f "$LAB_OUT/none.csv"
	ends 2 "$LAB" flows "$@" --out "$LAB_OUT/none.csv" || return 1
	[ "$(wc -l <"$LAB_OUT/err")" -eq 1 ] && [ ! -e "$LAB_OUT/none.csv" ] &&
		grep -qF -- "$text" "$LAB_OUT/err" || { echo "wanted: $text"; cat "$LAB_OUT/err"; return 1; }
}

# bad_cdf TEXT LINES: a CDF file with these lines
bad_cdf() {
	# shellcheck disable=SC2059 # the lines have \n
	printf "$2" >"$LAB_OUT/cdf"
	refused "$LAB_OUT/cdf$1" fattree --set workload="$LAB_OUT/cdf"
}

bad_cdfs() {
	bad_cdf ':2: the last point is at 90' '10 50\n20 90\n' && bad_cdf ':2: the percentage falls' '10 50\n20 40\n30 100\n' &&
		bad_cdf ':2: the size is below' '20 50\n10 100\n' && bad_cdf ':1: a size below 1' '0 10\n10 100\n' &&
		bad_cdf ':3: a size below 1' '# x\n0 0\n0.5 1\n10 100\n' &&
		bad_cdf ':2: the size is not from 1 to 2^50' '10 10\n9223372036854775808 100\n' &&
		bad_cdf ':1: the size is not' 'nan 10\n' && bad_cdf ':1: the percentage is not' '10 nan\n' &&
		bad_cdf ':2: the percentage is not' '10 10\n20 100.5\n' && bad_cdf ':1: not `bytes percent`' 'x y\n' &&
		bad_cdf ':1: not `bytes percent`' '10 20 30\n' && bad_cdf ': no points' '# nothing\n' &&
		refused 'no such file' fattree --set workload=websearsh && grep -q 'did you mean "websearch"' "$LAB_OUT/err" &&
		refused 'Is a directory' fattree --set workload=/
}

# bad_file TEXT LINES: a flows_file with these lines
bad_file() {
	# shellcheck disable=SC2059 # the lines have \n
	printf "$2" >"$LAB_OUT/flows"
	refused "$LAB_OUT/flows$1" fattree --set flows_file="$LAB_OUT/flows"
}

bad_files() {
	local head='id,src,dst,bytes,start_ns\n'
	bad_file ':1: the heading' '0,h0,h1,1,0\n' && bad_file ':2: flow 0 is from h3 to itself' "${head}0,h3,3,1,0\n" &&
		bad_file ':2: no host "x"' "${head}0,h1,x,1,0\n" && bad_file ':2: no host "16"' "${head}0,16,h1,1,0\n" &&
		bad_file ':2: no host "e0"' "${head}0,h0,e0,1,0\n" &&
		bad_file ':3: id "0": ids count from 0, so 1' "${head}0,h1,h2,1,0\n0,h1,h2,1,0\n" &&
		bad_file ':3: id "2": ids count from 0, so 1' "${head}0,h1,h2,1,0\n2,h1,h2,1,0\n" &&
		bad_file ':3: flow 1 starts before' "${head}0,h1,h2,1,5\n1,h1,h2,1,4\n" &&
		bad_file ':2: not the 5 columns' "${head}0,h1,h2,1\n" && bad_file ':2: not the 5 columns' "${head}0,h1,h2,1,0,7\n" &&
		bad_file ':2: bytes "0"' "${head}0,h1,h2,0,0\n" && bad_file ':2: bytes "9223372036854775808"' "${head}0,h1,h2,9223372036854775808,0\n" &&
		bad_file ':2: bytes "-1"' "${head}0,h1,h2,-1,0\n" && bad_file ':2: start_ns "1.5"' "${head}0,h1,h2,1,1.5\n" &&
		bad_file ': no flows' "$head" && refused 'flows_file=/none' fattree --set flows_file=/none
}

bad_keys() {
	local w=(--set workload=hadoop)
	refused '--set load=0: must be above 0' fattree "${w[@]}" --set load=0 &&
		refused 'load=1.01: above the maximum' fattree "${w[@]}" --set load=1.01 &&
		refused 'load=nan: not a number' fattree "${w[@]}" --set load=nan &&
		refused 'load=inf: not a number' fattree "${w[@]}" --set load=inf &&
		refused 'load=-1: below' fattree "${w[@]}" --set load=-1 &&
		refused '--set flows: duration is set too' fattree "${w[@]}" --set flows=9 --set duration=1ms &&
		refused 'load: of no use without workload' fattree --set load=0.5 &&
		refused 'flows: of no use without workload' fattree --set flows=5 &&
		refused 'incast_size: of no use without incast_degree' fattree "${w[@]}" --set incast_size=1kb &&
		refused 'background_flows: of no use without background_load' fattree "${w[@]}" --set background_flows=4 &&
		refused 'incast_groups: of no use without incast_degree' fattree "${w[@]}" --set incast_groups=1 &&
		refused 'incast_groups=17: each has a receiver of its own, there are 16 hosts' fattree "${w[@]}" \
			--set incast_degree=2 --set incast_groups=17 &&
		refused 'incast_groups=2: the incasts of this load need 8 receivers at least' fattree "${w[@]}" \
			--set load=0.9 --set incast_degree=2 --set incast_load=0.5 --set incast_groups=2 &&
		refused 'incast_halvings: of no use without incast_degree' fattree "${w[@]}" --set incast_halvings=1 &&
		refused 'incast_halvings=4: 8 bytes cannot be halved' fattree "${w[@]}" --set incast_degree=2 \
			--set incast_size=8b --set incast_halvings=4 &&
		refused 'qp: of no use' fattree --set qp=pair &&
		refused 'hot_hosts=15: at least two' fattree "${w[@]}" --set policy=hotspot --set hot_hosts=15 &&
		refused 'all hosts are at one switch' star "${w[@]}" --set policy=local &&
		refused 'host h0 is alone' leafspine "${w[@]}" --set policy=local --set per_leaf=1 --set leaves=4 &&
		refused 'senders: of no use without workload' star --set senders=h1 &&
		refused '--set senders: no host "h8"; there are h0 to h7' star "${w[@]}" --set senders=h1+h8 &&
		refused '--set receivers: no host ""' star "${w[@]}" --set receivers=h1+ &&
		refused '--set receivers: no host "8"' star "${w[@]}" --set receivers=8 &&
		refused '--set senders: host h1 is named twice' star "${w[@]}" --set senders=h1+1 &&
		refused '--set receivers: h1 sends too' star "${w[@]}" --set senders=h1+h2 --set receivers=h1 &&
		refused '--set receivers: only with policy=uniform' fattree "${w[@]}" --set policy=local --set receivers=h1 &&
		refused 'incast_degree=16: there are 15 other' fattree "${w[@]}" --set incast_degree=16 &&
		refused 'incast_load: with background_load more' fattree "${w[@]}" --set incast_degree=2 --set incast_load=0.6 --set background_load=0.6 &&
		refused 'duration: not one flow' fattree --set workload=websearch --set duration=1us --set load=0.01 &&
		refused 'warmup, cooldown: together' fattree "${w[@]}" --set warmup=2ms --set cooldown=1ms &&
		refused 'flows, at most 4000000' fattree320 "${w[@]}" --set duration=1s &&
		refused 'these are all flows' fattree "${w[@]}" --set flows_file=x &&
		refused 'verify=on: only with' fattree "${w[@]}" --set verify=on &&
		refused 'hosts=63: not a multiple' mix --set hosts=63
}

# 1024 hosts take 1.9 GB of a kernel that has 1.
too_big() {
	mkdir -p "$LAB_OUT/tmp"
	TMPDIR=$LAB_OUT/tmp ends 2 "$LAB" run fattree --set k=16 --mem 1000 --out "$LAB_OUT/x" &&
		grep -q -- "--mem 1000: 1024 hosts and 6144 ports need about 20[0-9][0-9] MB" "$LAB_OUT/err" && nothing_left "$LAB_OUT/x"
}

# What is refused runs nothing and leaves nothing.
run_refused() {
	mkdir -p "$LAB_OUT/tmp"
	TMPDIR=$LAB_OUT/tmp ends 2 "$LAB" run fattree --set workload=hadoop --set load=0 --out "$LAB_OUT/x" &&
		nothing_left "$LAB_OUT/x"
}

ktap_print_header
ktap_check "the five distributions are those published" points
ktap_check "offered load within 1 %: two workloads, three loads, 3 and 10 ms, few flows" load_within_1_percent
ktap_check "sizes follow the distribution (Kolmogorov-Smirnov)" sizes
ktap_check "gaps are exponential, of all sources and of one" gaps
ktap_check "sources and destinations are even (chi-square); ids, starts in order" hosts
ktap_check "same seed, same bytes; another seed, others" seeds
ktap_check "one host more does not shift the others' streams" one_host_more
ktap_check "policies: uniform, local, hot spot" policies
ktap_check "lists of senders and of receivers" lists
ktap_check "over-subscribed: the load is of the core, by what crosses it" core
ktap_check "incasts: distinct sources, one destination, one instant, their share" incasts
ktap_check "incasts of fixed groups" groups
ktap_check "incasts of several sizes" halved
ktap_check "incasts within a time" spread
ktap_check "flows_file: what was written is read, hosts by name and number" file
ktap_check "warm-up and cool-down: a tenth each" measured
ktap_check "a million flows in 300 MB" million
ktap_check "bad CDF files: one line that names file and line" bad_cdfs
ktap_check "bad flows_file: one line that names file and line" bad_files
ktap_check "bad keys: one line that names the key" bad_keys
ktap_check "a fabric that does not fit the memory is refused" too_big
ktap_check "a refused run leaves nothing" run_refused
ktap_finished
