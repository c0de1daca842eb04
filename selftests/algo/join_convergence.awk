# SPDX-License-Identifier: GPL-2.0
#
# Who gets how much after a join: rates.csv, then queues.csv of a run.
#	join	when the last flow starts, ns
#	rtt	base round-trip time, ns
#	fair	goodput of a fair share, bit/s
#	n	flows; the last one joins
#	smooth	round trips over which a flow's goodput is taken for "settled"
#	hold	round trips for which that must last
#	port	whose queue counts
#	clear	bytes, below them there is no queue
#
# Prints, in round trips after the join, -1 for never: when the newcomer begins to
# get 90 % of a fair share (over one round trip), when all flows begin to get that and
# go on to, when the queue is gone that the join made. And that queue's peak, bytes.
BEGIN {
	FS = ","
}

FNR == 1 {
	file++
	next
}

file == 1 {
	if (!n_t || t[n_t] != $1)
		t[++n_t] = $1
	row[n_t, $2] = $3
	rows[n_t]++
}

# A queue has no rows while it is empty, but one when it gets so.
file == 2 && $2 == port && $1 >= join && $1 <= join + hold * rtt {
	if ($4 > peak)
		peak = $4
	if ($4 >= clear)
		queued = $1
}

# Goodput of a flow from sample a to sample b.
function got(flow, a, b) {
	return (sum[b, flow] - sum[a, flow]) / (t[b] - t[a])
}

# First sample from which every flow from "low" on has 90 % for "over" round trips,
# and again at each sample of the next "more" round trips.
function first(low, over, more,    a, b, f, ok, since) {
	b = start
	since = 0
	for (a = start; a <= last; a++) {
		while (b <= last && t[b] - t[a] < over * rtt)
			b++
		if (b > last)
			return -1
		ok = 1
		for (f = low; f < n; f++)
			if (got(f, a, b) < 0.9 * fair)
				ok = 0
		if (!ok)
			since = 0
		else if (!since)
			since = a
		if (since && t[a] - t[since] >= more * rtt)
			return (t[since] - join) / rtt
	}
	return -1
}

END {
	for (i = 2; i <= n_t; i++) {
		for (f = 0; f < n; f++)
			sum[i, f] = sum[i - 1, f] + row[i, f] * (t[i] - t[i - 1])
		if (rows[i] == n)
			last = i
		if (!start && t[i] >= join)
			start = i
	}
	printf "%.2f %.2f %.2f %d\n", first(n - 1, 1, 0), first(0, smooth, hold),
	       queued ? (queued - join) / rtt : 0, peak
}
