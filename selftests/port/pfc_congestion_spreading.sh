#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: pauses spread: a victim whose path is free starves behind another flow's congestion, and
#   does not without PFC
#
#	a0 -+        a2 -+        x0..x15 -+
#	a1 -+- s1 ------ s2 ------------- s3 -- b0
#	                 +- b1             +-- b2
#
# Flow 0 goes from a0 to b0, flow 1, the victim, from a1 to b1, flow 2 from a2 to b2.
# In the middle of it 16 hosts at s3 send to b0. s3 pauses s2, s2 pauses s1; the
# victim's packets stand behind flow 0's, at the pace that b0's port leaves to flow
# 0, one of 17: 5.9 of 100 Gbit/s, though nobody else wants the link to b1. The same
# without the burst, or without PFC: the victim has half of the link that it shares
# with flow 0, or more.
#
# To draw it: lab run chain3 --cc none and the options below, then lab report.
. "$(dirname "$0")/../lib/lab_lib.sh"

N=16
START_NS=300000
# Payload at 100 Gbit/s of wire bytes, MTU 1024
LINE_BPS=92585895118

# chain DIR PFC BURSTERS OPTION...
chain() {
	local dir=$1 pfc=$2 n=$3
	shift 3
	LAB_DIR=$dir lab_run chain3 --cc none --set size=16mb --set burst_size=1mb --set buffer=3mb \
		--set n="$n" --set burst_start=${START_NS}ns --set pfc="$pfc" --set ecn=off \
		--set max_unacked=65536 --set ib_timeout=18 --set limit=10ms --set sample=50us "$@"
}

figure() { LAB_DIR=$1 lab_get chain3/none/1 "$2"; }

# rate DIR FLOW: mean goodput from a fifth of the burst, when the pauses have reached
# everybody, to its end
rate() {
	awk -F, -v flow="$2" -v from=$((START_NS + N * 18000)) -v to=$((START_NS + N * 90000)) '
		$2 == flow && $1 >= from && $1 < to { sum += $3; n++ }
		END { if (n < 10) exit 1; printf "%.0f\n", sum / n }' "$1/chain3/none/seed1/rates.csv"
}

# says DIR NAME
says() {
	printf '%-26s victim %5.1f Gbit/s  flow 0 %5.1f  flow 2 %5.1f  drops %6d  paused us: s1-s2 %d, s2-s3 %d, a1 %d  queue at s2-b1 %d B\n' \
		"$2" "$(rate "$1" 1 | awk '{ print $1 / 1e9 }')" \
		"$(rate "$1" 0 | awk '{ print $1 / 1e9 }')" "$(rate "$1" 2 | awk '{ print $1 / 1e9 }')" \
		"$(figure "$1" .drops.total)" \
		"$(figure "$1" '.ports["s1-s2"].pause_ns / 1000 | floor')" \
		"$(figure "$1" '.ports["s2-s3"].pause_ns / 1000 | floor')" \
		"$(figure "$1" '.ports["a1-s1"].pause_ns / 1000 | floor')" \
		"$(figure "$1" '.ports["s2-b1"].queue_peak_bytes')" | tee -a "$LAB_OUT/table"
}

# Nothing waits at the port towards the victim's receiver but a few packets that came
# back to back through a port of the same rate.
own_path_is_free() {
	is "$(figure "$1" '.ports["s2-b1"].queue_peak_bytes')" "<=" $((4 * 1122))
}

# Half, less the pauses that flow 0 gets here too, for the sake of flow 2: they have to
# share the link from s2 to s3, and each of its two senders is paused now and then.
alone() {
	chain "$LAB_OUT/alone" on 0 || return 1
	says "$LAB_OUT/alone" "pfc, no burst"
	is "$(figure "$LAB_OUT/alone" .drops.total)" "==" 0 &&
		near "$(rate "$LAB_OUT/alone" 1)" $((LINE_BPS / 2)) 0.15 &&
		own_path_is_free "$LAB_OUT/alone"
}

# A 17th is 5.4 Gbit/s of payload. Twice that leaves room for the share that b0's
# port gives to one of 17 that come and go.
spreads() {
	chain "$LAB_OUT/burst" on $N || return 1
	says "$LAB_OUT/burst" "pfc, burst"
	is "$(figure "$LAB_OUT/burst" .drops.total)" "==" 0 &&
		is "$(rate "$LAB_OUT/burst" 1)" "<=" $((2 * LINE_BPS / 17)) &&
		is "$(rate "$LAB_OUT/burst" 2)" "<=" $((LINE_BPS * 19 / 20)) &&
		own_path_is_free "$LAB_OUT/burst" &&
		is "$(figure "$LAB_OUT/burst" '.ports["s2-s3"].pause_ns')" ">=" $((N * 60000)) &&
		is "$(figure "$LAB_OUT/burst" '.ports["s1-s2"].pause_ns')" ">=" $((N * 60000)) &&
		is "$(figure "$LAB_OUT/burst" '.ports["a1-s1"].pause_ns')" ">=" $((N * 60000))
}

# As long as what is looked at: rxe sends a lot again.
lossy() {
	chain "$LAB_OUT/lossy" off $N --set limit=2ms >/dev/null
	says "$LAB_OUT/lossy" "no pfc, burst"
	is "$(figure "$LAB_OUT/lossy" .drops.buffer)" ">=" 1 &&
		is "$(rate "$LAB_OUT/lossy" 1)" ">=" $((LINE_BPS / 2 * 95 / 100)) &&
		own_path_is_free "$LAB_OUT/lossy"
}

ktap_print_header
ktap_check "no burst: the victim has its half" alone
ktap_check "PFC, a burst to another host: the victim starves, its path is free" spreads
ktap_check "no PFC, the same burst: others lose packets, the victim has its half or more" lossy
[ -z "${FULL:-}" ] || ktap_print_msg "$(cat "$LAB_OUT/table")"
ktap_finished
