#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: rcc in `multi`: types of congestion against the ports, N against the flows, three seeds;
#   who is unfair or slow with `pid=0`, `ewa=0`
#
# The type of congestion that rcc's receivers detect, and the messages that they count, beside the
# truth that "lab run" computes from ports and flows (types.csv, counts.csv; results/types_csv.c says how).
# And which flows are unfair or slow in "multi" (RCC, Fig. 15) when a half of the algorithm is off.
#
# types	The classifier is right for 95 % of the time, three round trips after each change
#	left out: the goal set for it. The starts move by up to 10 us with the seed. All three
#	types occur, and at least half of the flows' time is judged. Otherwise nothing would be tested.
# delta=10	Delays count as congestion from ten round trips on, which the windows of three flows
#	never cause. The classifier must be wrong then; otherwise the test detects nothing.
# N	A newcomer's first packet takes half a round trip and its own queue, at most one more. An
#	end counts for one more, and comes half a round trip before the sender knows. So three
#	round trips after a change the count is exact.
# rcc	Flow 2 has its half of eta C with its first ACK or two: within 2 T and a sample (rcc.sh
#	has the derivation). Flows 0 and 2 have half of eta C each, +- 1 Gbit/s.
# pid=0	unfair: windows in the ratio of the shares, 1 to 2, share the link in the network.
# ewa=0	slow: a newcomer begins at 100 Gbit/s, and E is at most what it and flow 0 make in
#	excess, half of T. With Kp T = Kd T = 0.12 U is at most 0.12, 0.15, 0.17, 0.19 in the first
#	four updates, which leave 51 of 100: not half before the fifth, and they are T apart or
#	more. And unfair: flow 0 has the sum of two queues
#	for its E, so it loses rate as long as the others meet their target: it has less than half
#	of the rate of flow 1.
. "$(dirname "$0")/../lib/lab_lib.sh"

# multi CC SEED
multi() {
	lab_run multi --cc "$1" --seed "$2" --set size=15mb --set stagger=500us --set delay=1900ns \
		--set jitter=10us --set sample=1us --set window_from=1500us --set window_to=2100us
}

result() { echo "$LAB_OUT/r/multi/$1/seed$2"; }

is_right() {
	local d seed=$1 type
	d=$(result rcc "$seed")
	for type in none last_hop network; do
		awk -F, -v type=$type '$4 == type { n++ } END { exit !n }' "$d/types.csv" ||
			{ echo "the truth is never $type"; return 1; }
	done
	is "$(lab_get "multi/rcc/$seed" .types.right)" ">=" 0.95 &&
		is "$(lab_get "multi/rcc/$seed" '.types | .judged_ns / (.judged_ns + .left_out_ns)')" \
			">=" 0.5
}

is_wrong() { ! is "$(lab_get multi/rcc:delta=10/1 .types.right)" ">=" 0.95 >/dev/null; }

counts() { is "$(lab_get "multi/rcc/$1" .counts.right)" "==" 1; }

# rate CC SEED FLOW: mean goodput in the window, Gbit/s of wire bytes
rate() {
	lab_get "multi/$1/$2" ".window.goodput_bps[$3] * 1130.25 / 1024 / 1e9"
}

halves() {
	near "$(rate rcc "$1" 0)" 47.5 0.0211 && near "$(rate rcc "$1" 2)" 47.5 0.0211
}

# soon CC: round trips from flow 2's start until its rate is its half, within 1 %
soon() {
	local d
	d=$(result "$1" 1)
	awk -F, -v T="$(jq .knobs.base_rtt "$d/summary.json")" '
		FNR == NR { if ($1 == 2) start = $6; next }
		$1 == "t_ns" { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$2 == 2 && $c["cc_rate_bps"] >= 47.5e9 * .99 && $c["cc_rate_bps"] <= 47.5e9 * 1.01 {
			print ($1 - start) / T
			found = 1
			exit
		}
		END { if (!found) print 1e9 }' "$d/flows.csv" "$d/rates.csv"
}

sample_rtts() { jq '1000 / .knobs.base_rtt' "$(result rcc 1)/summary.json"; }

unfair() { near "$(bc -l <<<"$(rate rcc:pid=0 1 1) / $(rate rcc:pid=0 1 0)")" 2 0.05; }

gives_way() { is "$(rate rcc:ewa=0 1 0)" "<=" "$(bc -l <<<"$(rate rcc:ewa=0 1 1) / 2")"; }

ktap_print_header
for seed in 1 2 3; do
	ktap_check "multi, seed $seed: all flows complete" multi rcc $seed
	ktap_check "multi, seed $seed: types are right" is_right $seed
	ktap_check "multi, seed $seed: N is right" counts $seed
	ktap_check "multi, seed $seed: flows 0 and 2 have their halves" halves $seed
done
ktap_check "multi: flow 2 has its half at once" \
	is "$(soon rcc)" "<=" "$(bc -l <<<"2 + $(sample_rtts)")"
ktap_check "multi, delta=10: all flows complete" multi rcc:delta=10 1
ktap_check "multi, delta=10: types are wrong" is_wrong
ktap_check "multi, pid=0: all flows complete" multi rcc:pid=0 1
ktap_check "multi, pid=0: flows 0 and 1 are unfair" unfair
ktap_check "multi, ewa=0: all flows complete" multi rcc:ewa=0 1
ktap_check "multi, ewa=0: flow 2 is slow" is "$(soon rcc:ewa=0)" ">=" 5
ktap_check "multi, ewa=0: flow 0 gives way" gives_way
ktap_finished
