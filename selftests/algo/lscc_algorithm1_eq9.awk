# SPDX-License-Identifier: GPL-2.0
# Checks what ports with LSCC (link-segmented congestion control) told and heard
# (lscc_trace_guest.sh) against Algorithm 1 and Eq. 9 of the paper.
#
# With N + 1 periods in a round trip and one more, Q and BR of er-es and R that it told:
#
#	Eq. 9	Q9(k) = Qref + T sum over j = 0 .. N of BR(k - N - 1 - j) - BR(k - j)
#
# That takes for granted that es sends at R, and that R was not limited. What es has sent
# beyond R is in its pseudo queue P, what it has sent less is U >= 0; what R was limited by
# is c = (BR - Ra) - R. So
#
#	Q(k) - Q9(k) = P(k - N) - P(k - 2N - 1) - U - T c(k - N - 1)
#
# P(i): when the message of period i is heard, since D later all that is sent is what has come
# 2D = N T after that message was sent. U is 0 while P is never empty: when it has at
# least R T at the begin of each period.
#
# near=PORT far=PORT n= t_ns= qref= step= min= max=
BEGIN { FS = "[ =]+" }
$1 == "#port" { name[$2, $3] = $4; next }
$1 == "rate" && name[$3, $5] == far { k++; Q[k] = $9; B[k] = $11; R[k] = $13 }
$1 == "feedback" && name[$3, $5] == near && $9 == "heard" {
	h++; H[h] = $15; P[h] = $17
}
END {
	T = t_ns / 8e9			# bytes in a period per bit/s
	# Messages that are under way when the trace begins: n / 2, of periods before the first.
	for (i = 1; i <= k && i + lead <= h; i++)
		if (i == 1) {
			for (lead = 0; lead < n && !same(); lead++)
				;
			if (lead == n) {
				print "no message is the first one told"
				exit
			}
		}
	for (i = n + 1; i <= k; i++) {
		want = int((Q[i] - qref) / T)
		want = B[i] - want
		for (j = 1; j <= n; j++)
			want += B[i - j] - R[i - j]
		c[i] = want - R[i]
		if (want > R[i - 1] + step)
			want = R[i - 1] + step
		if (want < R[i - 1] - step)
			want = R[i - 1] - step
		want = want < min ? min : want > max ? max : want
		rates++
		wrong += want != R[i]
	}
	for (i = 3 * n; i <= k && i + lead <= h; i++) {
		q9 = qref
		for (j = 0; j <= n; j++)
			q9 += T * (B[i - n - 1 - j] - B[i - j])
		e = Q[i] - q9
		rest = e - (P[i - n + lead] - P[i - 2 * n - 1 + lead]) + T * c[i - n - 1]
		busy = 1
		for (j = i - 2 * n - 1; j < i - n; j++)
			busy = busy && P[j + lead] >= T * R[j]
		if (rest > above || !seen++)
			above = rest
		if (!busy)
			continue
		full++
		off = rest < 0 ? -rest : rest
		worst = off > worst ? off : worst
		e = e < 0 ? -e : e
		sum += e
		most = e > most ? e : most
	}
	printf "rates %d wrong %d periods %d above %.0f full %d worst %.0f mean_off %.0f max_off %.0f\n",
		rates, wrong, seen, above, full, worst, full ? sum / full : 0, most
}
# Does message 1 + lead say what was told in periods 1 to 20?
function same(	i) {
	for (i = 1; i <= 20; i++)
		if (int(R[i] / 1e6) * 1e6 != H[i + lead])
			return 0
	return 1
}
