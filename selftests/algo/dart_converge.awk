# SPDX-License-Identifier: GPL-2.0
#
# How soon two flows share a line, from rates.csv of scenario converge: the rate that
# each sender's congestion control allows.
#	join	when the newcomer's first packet is at the receiver, ns
#	leave	when its last one is
#	rtt	base round-trip time, ns
#	share	what each shall have, bit/s
#	line	what the first flow shall have alone
#	hold	round trips for which that must last
#
# Prints, in round trips, -1 for never: from the join until both have their share, within
# 5 %; from the leave until the first has the line, within 5 %. Then in bit/s the mean
# rate of each from 20 round trips after the join to the leave.
BEGIN { FS = "," }

FNR > 1 {
	if (!n || t[n] != $1)
		t[++n] = $1
	rate[n, $2] = $4
	known[n, $2] = 1
}

function near(x, want) {
	return x >= 0.95 * want && x <= 1.05 * want
}

# Both are there from @from to @to; one flow from the leave on.
function settled(i, both) {
	if (!known[i, 0] || (both && !known[i, 1]))
		return 0
	return both ? near(rate[i, 0], share) && near(rate[i, 1], share) : near(rate[i, 0], line)
}

function first(from, to, both,    i, since) {
	for (i = 1; i <= n; i++) {
		if (t[i] < from || t[i] >= to)
			continue
		if (!settled(i, both))
			since = 0
		else if (!since)
			since = i
		if (since && t[i] - t[since] >= hold * rtt)
			return (t[since] - from) / rtt
	}
	return -1
}

END {
	for (i = 1; i <= n; i++)
		if (t[i] >= join + 20 * rtt && t[i] < leave && known[i, 1]) {
			sum[0] += rate[i, 0]
			sum[1] += rate[i, 1]
			m++
		}
	printf "%.2f %.2f %.0f %.0f\n", first(join, leave, 1), first(leave, 1e18, 0),
	       m ? sum[0] / m : -1, m ? sum[1] / m : -1
}
