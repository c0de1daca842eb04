# SPDX-License-Identifier: GPL-2.0
#
# The rate and goodput of one flow around an event, from rates.csv: the lowest before and after it,
# and how soon the rate is back.
#	flow	which
#	at	when it happens, ns
#
# Prints, in bit/s: the smallest rate of its congestion control before, and from then on;
# the smallest goodput over 10, 100 and 300 us from then on, until the flow's last
# sample. Then in us from the event until that rate is within 2 % of what it was before
# for good; -1: not in the run. The goodput of a sample is of the time before it.
BEGIN { FS = "," }

FNR > 1 && $2 == flow {
	n++
	t[n] = $1
	bits[n] = bits[n - 1] + (n > 1 ? $3 * (t[n] - t[n - 1]) : 0)
	rate[n] = $4
	if ($1 <= at && (!before || rate[n] < before))
		before = rate[n]
}

# Over whole bins: the last samples are those of a flow that ends.
function smallest(bin,    i, k, least, bps) {
	least = -1
	for (i = k = 1; i <= n; i++) {
		if (t[i] < at)
			continue
		while (k < n && t[k] - t[i] < bin)
			k++
		if (t[k] - t[i] < bin)
			break
		bps = (bits[k] - bits[i]) / (t[k] - t[i])
		if (least < 0 || bps < least)
			least = bps
	}
	return least
}

END {
	after = -1
	for (i = n; i >= 1 && t[i] >= at; i--) {
		if (after < 0 || rate[i] < after)
			after = rate[i]
		if (!low && rate[i] < 0.98 * before)
			low = i
	}
	if (low)
		back = low < n ? (t[low + 1] - at) / 1000 : -1
	printf "%.0f %.0f %.0f %.0f %.0f %.0f\n", before, after, smallest(10000),
	       smallest(100000), smallest(300000), back
}
