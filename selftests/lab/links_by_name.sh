#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: key links: rate, delay and loss of single links by name, in a run, in ideal times and where names are wrong
. "$(dirname "$0")/../lib/lab_lib.sh"

# 1 MB over a link of 100 Gbit/s and 1 us, then one of 25 Gbit/s and 3 us. 1024 packets of 1106 bytes,
# 16 of them 16 longer (RETH), at 25 Gbit/s: 362496 ns; the first at 100 Gbit/s: 90; 2 * 4 us; an ACK of
# 86 bytes at both: 34. Alone it is as fast as that: its ideal time is the same.
one() {
	local run=two/none/1
	lab_run two --cc none --set size=1mb --set "links=sw-h1 rate 25gbit delay 3us" || return
	is "$(lab_get $run .flows.fct_ns.max)" ">=" 370615 && is "$(lab_get $run .flows.fct_ns.max)" "<=" 370640 &&
		near "$(lab_get $run .flows.slowdown.max)" 1 0.0001 &&
		[ "$(lab_get $run .settings.links)" = "sw-h1 rate 25gbit delay 3us" ]
}
ktap_check "a flow takes the time of its links" one

# With two spines, one of which has links of 40 Gbit/s, no flow is faster than its ideal time, whichever
# way the hash takes it: alone, a flow by the other spine needs all of it.
spines() {
	lab_run leafspine --cc none --set leaves=2 --set spines=2 --set per_leaf=1 --set qps=8 --set size=200kb \
		--set "links=*-s0 rate 40gbit" || return
	awk -F, 'NR > 1 { n++; if ($9 < 1) { print "slowdown " $9; bad = 1 } } END { exit bad || !n }' \
		"$LAB_OUT/r/leafspine/none/seed1/flows.csv"
}
ktap_check "equal-cost paths that differ: no flow is faster than its ideal time" spines

# In a network of a simulator's file, and by a key of a scenario of one's own.
loses() {
	[ "$(lab_get "$1" '[.ports | to_entries[] | select(.value.lost > 0) | .key] | sort | join(" ")')" = "$2" ]
}
numbered() {
	printf '%s\n' '4 1 3' 3 '0 3 100Gbps 1us 0' '1 3 100Gbps 1us 0' '2 3 100Gbps 1us 0' >"$LAB_OUT/net.txt"
	lab_run "$LAB_OUT/net.txt" --cc none --set size=10mb --set ib_timeout=8 --set "links=h1-s3 loss 0.01" &&
		loses net.txt/none/1 "h1-s3 s3-h1"
}
ktap_check "a network of a simulator's file" numbered
own() {
	jq '.name = "mine" | .keys += [{ "name": "slow", "unit": "rate", "default": "10gbit", "help": "of one link" }]
		| .defaults.links = "h0-sw rate {slow}bit"' "$RXE_CC_TOP/tools/lab/scenarios/two.json" >"$LAB_OUT/mine.json"
	lab_run "$LAB_OUT/mine.json" --cc none --set size=1mb --set slow=20gbit &&
		near "$(lab_get mine/none/1 .flows.slowdown.max)" 1 0.0001 &&
		near "$(lab_get mine/none/1 .flows.fct_ns.max)" $((1132800 * 8 / 20 + 4000)) 0.001
}
ktap_check "a scenario with a link of its own key" own

# refused LINKS WORDS
refused() {
	ends 2 "$LAB" run two --cc none --set "links=$1" --out "$LAB_OUT/refused" &&
		{ grep -qF -- "$2" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }; } &&
		[ ! -e "$LAB_OUT/refused" ]
}
while IFS='|' read -r links words; do
	ktap_check "refused: $links" refused "$links" "$words"
done <<'END'
h0-h1 rate 1gbit|links: "h0-h1 rate 1gbit": no link "h0-h1"
h0-sw|rate, delay or loss expected
h0-sw rate|nothing behind rate
h0-sw speed 1gbit|"speed" is none of rate, delay, loss
h0-sw rate 1bit|"h0-sw rate 1bit": rate 1bit: below the minimum of 1mbit
h0-sw loss 2|"h0-sw loss 2": loss 2: above the maximum of 1
h0-sw delay soon|delay "soon": not as --set delay takes it
h0-sw delay 2us;sw-h1 rate|"sw-h1 rate": nothing behind rate
END

ktap_finished
