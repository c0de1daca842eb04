#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: how soon a second flow has its share, both have theirs, and the queue is gone; `FULL=1`:
#   ten seeds, four flows
#
# How soon a join is over: a second flow at 100 Gbit/s, 0.2 ms after the first (48
# round trips, and up to 10 us more or less by the seed, so that the phase differs).
#
# A fair share is half of 95 % of the line, for all algorithms alike, as goodput: less
# what the packets of the run carry in headers and telemetry. In base round trips
# after the join:
#
#   newcomer	begins to get 90 % of a fair share, over one round trip
#   settled	both begin to get 90 %, over ten round trips (at 100 Gbit/s 200 packets
#		each, so that one packet does not matter), and do so for a hundred
#   queue gone	last time within a hundred that it was above BDP / 20
#
# Samples are 1 us apart, a quarter of a round trip. All flows begin at the line rate,
# so the newcomer has its share as soon as its first packets have arrived: a round
# trip. After that the algorithms differ. HPCC's first telemetry only serves to compare the
# next with. In the second round trip U rises to the load of the port (it is an average over
# one round trip), and rates are divided by it. The excess, a window, has drained two round
# trips after that: the queue lasts five round trips. Where the receiver computes one window a
# round trip (rx), each of these three steps may come a round trip later: eight. With one
# sample a round trip (sparse, probe) it depends on when samples fall; their rows are
# observed, not checked. All flows divide by the same U, so they keep the ratio that they
# had when the second joined, and that depends on the phase. W_ai
# evens out the difference, which decays with eta line / (n W_ai / T): 950 round trips with hpcc's W_ai, which
# is more than this run has, 19 with that for the N that the receiver counts (n_auto). A flow
# that begins with nothing has 90 % after ln 10 times that: 44. TIMELY and
# DCQCN search for their rates, which takes longer. With n_auto W_ai uses all
# that eta leaves free: two packets may wait now and then, so there is no check that its
# queue is gone.
# SEEDS='1 2 ...' sets the seeds; FULL=1: ten of them, and four flows 1 ms apart.
. "$(dirname "$0")/../lib/lab_lib.sh"

AWK=$(dirname "$0")/join_convergence.awk
SEEDS=${SEEDS:-${FULL:+2 3 4 5 6 7 8 9 10} 1}
SENDERS="hpcc hpcc:int_profile=1 hpccpp:preset=fair hpccpp:preset=sparse hpccpp:preset=sparse:n_auto=1 hpccpp:preset=probe hpccpp:preset=rx"
OTHERS="timely dcqcn"

# joins N STAGGER SIZE: all runs
joins() {
	local s ccs
	ccs=$(echo "$SENDERS $OTHERS" | tr ' ' ,)
	for s in $SEEDS; do
		LAB_DIR=$LAB_OUT/$1 lab_run four --cc "$ccs" --seed "$s" --set n="$1" \
			--set stagger="$2" --set size="$3" --set jitter=10us \
			--set ack_every=1 --set sample=1us || return 1
	done
}

# of_run N CC SEED: newcomer, settled, queue gone, peak KB, utilization, Jain
of_run() {
	local dir=$LAB_OUT/$1/four/$2/seed$3 vars
	vars=$(jq -r --argjson n "$1" '(.knobs.base_rtt) as $t | .ports["sw-r"] |
		"rtt=\($t) clear=\($t * .rate_bps / 8e9 / 20)
		 fair=\(.95 * .rate_bps / $n * 1024 * .tx_packets / .tx_wire_bytes)"' \
		"$dir/summary.json")
	# shellcheck disable=SC2086
	awk -f "$AWK" join="$(awk -F, -v f=$(($1 - 1)) '$1 == f { print $6 }' "$dir/flows.csv")" \
		n="$1" smooth=10 hold=100 port=sw-r $vars "$dir/rates.csv" "$dir/queues.csv"
}

# table N: rows, and the medians to $LAB_OUT/N.tsv
table() {
	local cc s
	ktap_print_msg "| $1 flows | newcomer | settled | queue gone | peak KB |"
	ktap_print_msg "| --- | --- | --- | --- | --- |"
	for cc in $SENDERS $OTHERS; do
		for s in $SEEDS; do
			of_run "$1" "$cc" "$s"
		done >"$LAB_OUT/figs"
		awk -v cc="$cc" -v out="$LAB_OUT/$1.tsv" '
		# Never is more than anything.
		function of(c,    i, j, v, x) {
			for (i = 1; i <= NR; i++) {
				x = f[i, c] < 0 ? 1e9 : f[i, c]
				for (j = i - 1; j > 0 && v[j] > x; j--)
					v[j + 1] = v[j]
				v[j + 1] = x
			}
			low = v[1]; high = v[NR]
			return (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2
		}
		function show(x) { return x >= 1e8 ? "never" : sprintf(x < 100 ? "%.1f" : "%.0f", x) }
		{ for (c = 1; c <= NF; c++) f[NR, c] = $c }
		END {
			printf "| %s", cc
			line = cc
			for (c = 1; c <= 4; c++) {
				m = of(c); s = c == 4 ? 1e3 : 1
				line = line "\t" m
				printf " | %s%s", show(m / s), (NR > 1 ? " (" show(low / s) " - " show(high / s) ")" : "")
			}
			print " |"
			print line >>out
		}' "$LAB_OUT/figs"
	done | sed "s,^,# ,"
}

# fig N CC COLUMN
fig() {
	awk -F '\t' -v cc="$2" -v c="$3" '$1 == cc { print $(c + 1) }' "$LAB_OUT/$1.tsv"
}

ktap_print_header
ktap_check "two flows: all complete" joins 2 200us 30mb
table 2
for cc in $SENDERS; do
	ktap_check "$cc: the newcomer has its share within two round trips" is "$(fig 2 "$cc" 1)" "<=" 2
	case $cc in hpcc) most=5 ;; *rx) most=8 ;; *) most= ;; esac
	[ -z "$most" ] ||
		ktap_check "$cc: the queue is gone within $most" is "$(fig 2 "$cc" 3)" "<=" "$most"
	ktap_check "$cc: it was at most two windows" is "$(fig 2 "$cc" 4)" "<=" 104775
done
ktap_check "hpccpp:preset=fair: settled within 44" is "$(fig 2 hpccpp:preset=fair 2)" "<=" 44
for cc in $OTHERS; do
	ktap_check "$cc: settles later than hpccpp:preset=fair" is "$(fig 2 "$cc" 2)" ">=" "$(fig 2 hpccpp:preset=fair 2)"
done
if [ -n "${FULL:-}" ]; then
	ktap_check "four flows: all complete" joins 4 1ms 60mb
	table 4
fi
ktap_finished
