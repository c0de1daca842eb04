# SPDX-License-Identifier: GPL-2.0
# Checks a run of "four" under RCC (receiver-driven congestion control): the rate of each flow
# between two joins or ends. Arguments: flows.csv rates.csv. T is the round trip in ns. Prints a
# line for each such epoch; status 1 if one is not as algo/rcc.sh says.
$1 == "id" { for (i = 1; i <= NF; i++) f[$i] = i; next }
$1 == "t_ns" { for (i = 1; i <= NF; i++) r[$i] = i; next }
FNR == NR {
	start[$f["id"]] = $f["start_ns"]
	end[$f["id"]] = $f["start_ns"] + $f["fct_ns"]
	change[nr_changes++] = $f["start_ns"]
	change[nr_changes++] = $f["start_ns"] + $f["fct_ns"]
	n++
	next
}
BEGIN { e = 0 }
FNR == 2 { nr_changes = sort(change, nr_changes) }
{
	t = $r["t_ns"]
	if (t != last_t) {
		step = t - last_t
		last_t = t
	}
	# The epoch that the sample lies in.
	while (e + 1 < nr_changes && t > change[e + 1])
		e++
	flow = $r["flow"]
	cc[e, t, flow] = $r["cc_rate_bps"]
	if (!(t in seen)) {
		seen[t] = 1
		times[e, nt[e]++] = t
	}
	if (t - step >= change[e] + 10 * T && start[flow] < t - step && end[flow] >= t) {
		sum[e, flow] += $r["goodput_bps"]
		samples[e, flow]++
	}
}
END {
	wire = 1130.25 / 1024
	for (e = 0; e + 1 < nr_changes; e++) {
		nr = total = squares = 0
		low = 1e18
		high = 0
		for (i = 0; i < n; i++) {
			if (start[i] > change[e] || end[i] <= change[e])
				continue
			active[e, i] = 1
			g = samples[e, i] ? sum[e, i] / samples[e, i] * wire / 1e9 : 0
			nr++
			total += g
			squares += g * g
			low = g < low ? g : low
			high = g > high ? g : high
		}
		if (!nr || change[e + 1] - change[e] < 20 * T)
			continue
		jain = total * total / (nr * squares)
		soon = -1
		for (k = 0; k < nt[e] && soon < 0; k++) {
			t = times[e, k]
			ok = 1
			for (i = 0; i < n; i++)
				if (active[e, i] && (cc[e, t, i] < 95e9 / nr * .99 || cc[e, t, i] > 95e9 / nr * 1.01))
					ok = 0
			if (ok)
				soon = (t - change[e]) / T
		}
		printf "from %.3f ms: %d flows, %.2f to %.2f Gbit/s, Jain %.5f, shares after %.2f RTTs\n",
			change[e] / 1e6, nr, low, high, jain, soon
		if (low < 94 / nr || high > 96 / nr || jain < 0.998 || soon < 0 || soon > 2 + 2000 / T)
			bad = 1
		epochs++
	}
	exit bad || epochs < 6
}
function sort(a, n,   i, j, v) {
	for (i = 1; i < n; i++) {
		v = a[i]
		for (j = i - 1; j >= 0 && a[j] > v; j--)
			a[j + 1] = a[j]
		a[j + 1] = v
	}
	return n
}
