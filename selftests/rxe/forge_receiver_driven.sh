#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the same where receivers count and tell, rcc and dart: floods of what they tell, of first
#   packets and ends; what a right guess costs; a host with fifty queue pairs; look-ahead lists that
#   are refused, and those that come to nothing
#
# What outsiders, and peers that take too much, can do where the receiver counts and sends
# shares: rcc and dart. Figures are those of Documentation/devel/threat-model.md.
#
# Floods as in forge.sh, each packet with a random PSN. Then, to see what a right guess costs,
# reports of somebody who sees the packets. Then hosts that take part: one with fifty queue
# pairs, and look-ahead notices for hosts that never come.
#
# FULL=1: every rate of the page.
set -u
# shellcheck source=selftests/lib/forge_lib.sh
. "$(dirname "$0")/../lib/forge_lib.sh"
[ "${1:-}" = inside ] || int_uml "" --env "FULL=${FULL:-}" --env "SEED=${SEED:-1}"

huge=18446744073709551615
totals=4611686018427387904,4611686018427387904
knobs=(int=1 base_rtt=11us clock_common=1)

# Who joins and leaves at r2 under a flood of first packets in the name of r1: r1, once.
nobody_joins() {
	local n
	echo 0 >"$tracing/tracing_on"
	: >"$tracing/trace"
	echo 1 >"$tracing/events/rxe_cc/rxe_cc_rx_sender/enable"
	echo 1 >"$tracing/tracing_on"
	flood r2 write 50000 95 || return
	echo 0 >"$tracing/tracing_on"
	grep 'dev=r2 .*joined' "$tracing/trace" | sed 's/.*rx_sender: //' >"$work/joined"
	n=$(grep -vc 'senders=1 msgs=1$' "$work/joined")
	[ "$n" -eq 0 ] || { head -n 5 "$work/joined"; return 1; }
}

# guess PERCENT VALUES RATE: right guesses, so many a second; most were believed
guess() {
	local before got
	sleep 0.02
	before=$(counter r1 report_received)
	SEEN=1 flood r1 "report=$algo:$2" "$3" "$1" || return
	sleep 0.02
	got=$(($(counter r1 report_received) - before))
	echo "$got believed"
	# Those before and behind the flow are not, and one at either edge.
	[ "$got" -ge $(($3 * MS / 1000 - 2)) ]
}

# plan MS FLOWS: as JSON; the goodput of flow 0 is left in series.csv
plan() {
	run_flows "\"mtu\":${MTU:-4096},\"gid\":\"ipv4\",\"op\":\"write\",\"chunk_bytes\":65536,\"depth\":4,\"lead_ns\":20000000,\"interval_ns\":500000,\"stop_ns\":${1}000000" "$2"
}

# share FROM TO: of flow 0, as a part of what it has alone, between two times in ms
share() {
	awk -F, -v a="$1" -v b="$2" -v calm="$(<"$work/calm")" '
	NR > 1 && $2 == 0 && $1 >= a * 1e6 && !t0 { t0 = $1; b0 = $3 }
	NR > 1 && $2 == 0 && $1 <= b * 1e6 { t1 = $1; b1 = $3 }
	END { printf "%.3f\n", (b1 - b0) * 8 / (t1 - t0) / calm }' "$work/out/series.csv"
}

# between VALUE LOW HIGH
between() {
	echo "$1 of its rate, should be $2 to $3"
	awk -v v="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(v >= a && v <= b) }'
}

# What r1 has beside fifty queue pairs of r4: half of 95 % of the line, or less under rcc, whose
# window W = w T has no room for a queue, w = 0.475 C. How much less depends on how r4's packets
# come, one of each queue pair in P = 50 p / w. Evenly: up to a tenth less. All fifty in a row, for
# b = 50 p / C: they take the line, and r1's packets wait. With x = T + queue / C, dx/dt is
# (w / C) T / x in that time, so x ends at sqrt(T^2 + 2 (w / C) T b); from there to T it is less
# by 1. r1 delivers C (x - T), then C (x - T) less what the line did, and w for the rest of P. With T
# = 11 us, p = 1131 bytes and C = 10 Gbit/s that is 0.3576 C of 0.95 C: 0.376. All of them begin at
# line rate: fifty first windows of rcc are 0.7 MB; under dart each goes on for up to two round
# trips, 1.4 MB. The 5 % of the line that are not given out, 62 KB a ms, drain that in 23 ms.
greedy() {
	local flows='{"src":"r1","dst":"r2"}' i low
	for ((i = 0; i < 50; i++)); do
		flows+=',{"src":"r4","dst":"r2"}'
	done
	case $algo in
	rcc)
		# Alone it would have 95 % of the line, 1024 of 1131 bytes of which are payload.
		echo 8.602 >"$work/calm"
		"$rxecc" dev set r2 param peer_max=1 && MTU=1024 plan 50 "$flows" || return
		;;
	dart)
		for i in 1 4; do "$rxecc" dev set r$i param eta=0.95 || return; done
		plan 50 "$flows" || return
		;;
	esac
	echo "at first $(share 1 10)"
	[ "$algo" = rcc ] && low=0.376 || low=0.45
	between "$(share 30 49)" $low 0.525
}

# notice WORD PEERS: it is refused with one line that has WORD; nobody counts who did not
notice() {
	if "$rxecc" dev cmd r2 peer "$2" expect >"$work/said" 2>&1; then
		echo "$2 was taken"
		return 1
	fi
	cat "$work/said"
	[ "$(wc -l <"$work/said")" -eq 1 ] && grep -q "$1" "$work/said" &&
		[ "$("$rxecc" -j dev show r2 | jq '.[0].rx.senders')" -le 1 ]
}

# Hosts that are connected and do not send, r4 to r6, beside r1 that does.
idle_hosts='{"src":"r1","dst":"r2"},{"src":"r4","dst":"r2","start_ns":40000000},
	{"src":"r5","dst":"r2","start_ns":40000000},{"src":"r6","dst":"r2","start_ns":40000000}'

bad_notices() {
	local pid rc=0 i many=10.1.0.0
	for ((i = 1; i < 700; i++)); do many+=,10.1.$((i / 256)).$((i % 256)); done
	plan 40 "$idle_hosts" &
	pid=$!
	OTHERS=3 wait_for 50 all_qps
	sleep 0.03
	for ((i = 0; i < 5; i++)); do
		notice 10.0.0.99 10.0.0.4,10.0.0.99 && notice 10.1.0.0 "$many" && notice 10.0.0.4 10.0.0.4,10.0.0.4 || rc=1
	done
	"$rxecc" dev set r2 param la_senders=2 && notice la_senders 10.0.0.4,10.0.0.5,10.0.0.6 || rc=1
	"$rxecc" dev set r2 param lookahead=off && notice lookahead 10.0.0.4 || rc=1
	wait "$pid" || rc=1
	"$rxecc" dev set r2 param lookahead=on la_senders=1024
	between "$(share 1 39)" 0.97 1.03 && return $rc
}

# Those that are not refused: la_quota (16) of three hosts each, which do not come.
empty_notices() {
	local pid i taken=0
	plan 40 "$idle_hosts" &
	pid=$!
	OTHERS=3 wait_for 50 all_qps
	sleep 0.025
	for ((i = 0; i < 25; i++)); do
		"$rxecc" dev cmd r2 peer 10.0.0.4,10.0.0.5,10.0.0.6 expect >"$work/said" 2>&1 && taken=$((taken + 1))
		sleep 0.001
	done
	cat "$work/said"
	wait "$pid" || return
	echo "$taken taken"
	[ $taken -eq 16 ] && grep -q quota "$work/said"
}

# What a right guess costs. Of rcc, which asks each packet for an ACK: until the next one, less
# than a round trip of 11 us. dart: a packet that asks goes 250 us later at most
# (RXE_CC_ACK_QUIET_NS), and its answer takes less than 50 us. Hence 1.1 % of the time with
# 1000 guesses a second, and 3 % with 100; and the edges of the flow.
guesses() {
	local v most=96 rate=100
	[ $algo = dart ] || { most=98 rate=1000; }
	for v in 0,0 1,1 $huge,1 $huge,$huge; do
		ktap_check "$algo, $rate right guesses a second of $v" guess $most $v $rate
	done
}

ktap_print_header
ktap_check "hosts and switch" make_attack_net
ktap_check "dctcp alone" peace dctcp "${knobs[@]}"
for kind in report ack; do
	floods 50000 "dctcp, ${kind}s with false totals" r1 $kind=dctcp:$totals 95 report_late
done
# One that is believed says that all of a window of data was marked: alpha gains 1/16. Of two in 100
# us, nine round trips, alpha keeps (15/16)^9, so it is 0.14, and W goes down by 0.07. It gains a
# packet in the next round trip, of the three that the path holds.
algo=dctcp
for rate in 1000 10000; do
	ktap_check "dctcp, $rate right guesses a second" guess 95 $totals $rate
done
# Reports have no round trip, and nscc looks at nothing else. An ACK that is believed makes one ACK
# or two of no use: the next total is lower.
ktap_check "nscc alone" peace nscc "${knobs[@]}"
for kind in report ack; do
	floods 50000 "nscc, ${kind}s with false totals" r1 $kind=nscc:$huge 95 report_late
done
algo=nscc
for rate in 1000 10000; do
	ktap_check "nscc, $rate right guesses a second" guess 95 $huge $rate
done
for algo in rcc dart; do
	ktap_check "$algo alone" peace $algo "${knobs[@]}"
	for kind in report ack; do
		floods 50000 "$algo, ${kind}s of the largest and the smallest" \
			r1 $kind=$algo:$huge,1 95 report_late
	done
	floods 50000 "$algo, ends without starts" r2 write_last 95
	ktap_check "$algo, 50000 first packets a second: nobody joins" nobody_joins
	guesses
	ktap_check "$algo, beside fifty queue pairs of one host: half of the port" greedy
done
for d in r1 r4; do "$rxecc" dev set $d param eta=1; done
ktap_check "look-ahead lists with strangers, too long, with doubles: refused as a whole" bad_notices
ktap_check "look-ahead for hosts that never come: so many, then none" empty_notices
# A notice counts for 1 ms, and comes once in 1.05 ms (timers of programs have 50 us to spare).
ktap_check "... with four senders r1 has a fourth, and in between all" between "$(share 8 19)" 0.24 0.32
ktap_check "... and all of it when they are refused" between "$(share 26 39)" 0.97 1.03
ktap_finished
