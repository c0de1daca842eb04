# SPDX-License-Identifier: GPL-2.0
#
# The rule of starve.sh, (b) and (d), for one run: what each flow got in each of the three
# windows, and the queues of the ports that are congested.
#	awk -v W_ns=... (all names that starve_row_to_run.awk prints) -v timeouts=N \
#		-f starve_check_run.awk shares rates.csv queues.csv
# Prints a line of figures and a line for each breach; exit status 1 if there was any.
# Rates are means since the flow's row before: what a flow got in a window is the sum over
# its rows there. A flow that has no rows got nothing.

function bad(text) { text_bad = text_bad "\n" text; breaches++ }

BEGIN { FS = "[ ,]"; n_ports = split(ports, port, " ") }
FILENAME ~ /shares$/ { share[$1] = $2; next }
FNR == 1 { rates = FILENAME ~ /rates.csv$/; for (i = 1; i <= NF; i++) col[$i] = i; next }
rates {
	f = $col["flow"]; t = $col["t_ns"]
	if (!(f in share))
		next
	dt = t - (f in last ? last[f] : 0)
	last[f] = t
	w = int((t - 1) / W_ns)
	got[f, w] += $col["goodput_bps"] * dt / 8e9 * scale
	next
}
{
	w = int(($col["t_ns"] - 1) / W_ns)
	queue[$col["port"], w] += $col["bytes"] * sample_ns / W_ns
}
END {
	least = 1e9
	for (f = 0; f < n; f++)
		for (w = 1; w <= 3; w++) {
			full = share[f] * eta * W_ns / 8e9
			# Bytes are known in steps of unit: one more may be under way at each end.
			want = part * full - unit
			if (want < packet)
				want = packet
			x = got[f, w] / full
			if (x < least)
				least = x
			if (got[f, w] < want * 0.999) {
				starved++
				if (got[f, w] == 0)
					nothing++
				if (starved <= 3)
					some = some sprintf("; flow %d, window %d: %.0f of %.0f bytes, its share %.0f",
							    f, w, got[f, w], want, full)
			}
		}
	# Without PFC a packet may be lost that only a timeout can bring again.
	if (starved && !(pfc == "off" && timeouts > 0 && timeouts <= n && starved <= timeouts))
		bad(sprintf("(b) %d of %d flow windows below, %d got nothing%s", starved, 3 * n, nothing, some))
	printf "least %.3f of eta times the share", least
	for (i = 1; i <= n_ports; i++) {
		q = queue[port[i], 3] + 0
		before = queue[port[i], 2] + 0
		printf ", %s queue %.0f %.0f %.0f", port[i], queue[port[i], 1], before, q
		if (q > queue_bound)
			bad(sprintf("(d) %s: mean queue %.0f above %d", port[i], q, queue_bound))
		if (before < queue_from)
			before = queue_from
		if (q > 1.5 * before + (n + mice) * packet)
			bad(sprintf("(d) %s: mean queue grows from %.0f to %.0f", port[i], before, q))
	}
	printf " (at most %d)%s\n", queue_bound, text_bad
	exit breaches > 0
}
