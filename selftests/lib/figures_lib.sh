# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Figures of flows by awk and sort from flows.csv, which know nothing of our code;
# sourced.

# points GROUP FROM TO DIR...: "bytes slowdown" of the flows that count, by size
points() {
	local group=$1 from=$2 to=$3 d
	shift 3
	for d; do tail -n +2 "$d/flows.csv"; done |
		awk -F, -v g="$group" -v from="$from" -v to="$to" '$7 != "" && $6 >= from && $6 < to &&
			(g == "all" || $10 == g) { printf "%d %.6f\n", $5, $7 / $8 }' | sort -n -k1,1 -k2,2
}

# bins_of GROUP FROM TO DIR...: "from to flows p50 p95 p99 mean max" of equal counts.
# A size belongs to the bin of its middle flow: 20 (first + last + 1) / 2 / all.
bins_of() {
	points "$@" | awk '{ b[NR] = $1; s[NR] = $2 } END {
		for (i = 1; i <= NR; i = j) {
			for (j = i; j <= NR && b[j] == b[i]; j++) ;
			bin = int(20 * ((i - 1) + (j - 1)) / 2 / NR)
			for (k = i; k < j; k++) print bin, b[k], s[k] } }' |
		sort -n -k1,1 -k3,3 | by_bin
}

decades_of() {
	points "$@" | awk '{ d = 3; while (10 ^ d < $1) d++; print d, $1, $2 }' | sort -n -k1,1 -k3,3 | by_bin
}

# by_bin: rows "bin bytes slowdown", by slowdown in each bin
by_bin() {
	awk 'BEGIN { bin = -1 } function rank(p) { r = int(p * n / 100); return s[r * 100 < p * n ? r + 1 : r] }
		function put() { if (n) printf "%d %d %d %.4f %.4f %.4f %.4f %.4f\n", lo, hi, n, rank(50), rank(95),
			rank(99), sum / n, s[n] }
		$1 != bin { put(); bin = $1; n = 0; sum = 0; lo = $2; hi = $2 }
		{ s[++n] = $3; sum += $3; lo = $2 < lo ? $2 : lo; hi = $2 > hi ? $2 : hi } END { put() }'
}

# table BINNING GROUP FILE: the same columns of fct_size.csv
table() {
	awk -F, -v b="$1" -v g="$2" '$1 == b && $5 == g { print $3, $4, $6, $7, $8, $9, $10, $11 }' "$3"
}

# same_table A B: tables that differ by rounding of the last digit only
same_table() {
	[ -s "$1" ] && paste -d ' ' "$1" "$2" | awk '{ n = NF / 2; if (NF != 16) exit 1
		for (i = 1; i <= n; i++) { d = $i - $(i + n); if (d > 0.00011 || d < -0.00011) { print; exit 1 } } }'
}
