#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: RCC: congestion in the network with PID and without; an incast; replay at both sides. Shares
#   and joins are the paper's Fig. 6, `lab/papers.sh rcc`
#
# RCC (receiver-driven congestion control): congestion in the network, an incast.
#
# multi	Fig. 15: flows 0 and 1 share a link in the network, flow 2 ends where flow 0 does.
#	Flows 0 and 2 have half of eta C each, their shares of the last hop, and flow 1 the
#	rest of the link in the network: max-min fair. The paper's figure is not in its text,
#	which says that both kinds of congestion are handled and the queue is near zero.
#	With hold=0, PID as in the paper's Algorithm 1, flow 0 reduces its window for the queue that
#	flow 2 builds when it starts, and flow 1 takes the rest: flow 0 does not have its half.
#	With pid=0 no window is reduced, and the queue of that link stays.
# incast 16 x 200 KB, and a flow that started earlier: the line is full, and after the first
#	round trip's burst the queue is gone.
# replay, at both sides: the same decisions.
. "$(dirname "$0")/../lib/lab_lib.sh"

RTT="--set delay=2900ns"

# in_network CC: from 2.5 to 5 ms all three flows run
in_network() {
	# shellcheck disable=SC2086
	LAB_DIR=$LAB_OUT/multi lab_run multi --cc "$1" --set size=30mb --set stagger=1ms \
		--set window_from=2500us --set window_to=4500us --set sample=5us $RTT
}

# port CC NAME FILTER: of a port of "multi" in that time
port() { LAB_DIR=$LAB_OUT/multi lab_get "multi/$1/1" ".window.ports[\"$2\"]$3"; }

# state CC FLOW NAME: the last value of a variable
state() {
	awk -F, -v f="$2" -v name="$3" '$2 == f && $3 == name { v = $4 } END { print v + 0 }' \
		"$LAB_OUT/multi/multi/$1/seed1/state.csv"
}

# Flows 0 and 1 fill their link, whose queue is delta T / 2, give or take half of that.
queue_is() {
	local bdp
	bdp=$(LAB_DIR=$LAB_OUT/multi lab_get multi/rcc/1 '.knobs.base_rtt * .knobs.line_rate / 8e9')
	is "$(port rcc sw0-sw1 .utilization)" ">=" 0.98 &&
		near "$(port rcc sw0-sw1 .queue_bytes.mean)" "$(bc <<<"$bdp / 10")" 0.5
}

# Who was under PID: those who share that link, and not flow 2.
judged() {
	is "$(state rcc 0 rx_pid_entries)" ">=" 1 && is "$(state rcc 1 rx_pid_entries)" ">=" 1 &&
		is "$(state rcc 2 rx_pid_entries)" "==" 0
}

# half FLOW [CC]: it has half of eta C
half() {
	local d=$LAB_OUT/multi/multi/${2:-rcc}/seed1
	awk -F, -v flow="$1" '$1 == "t_ns" { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["flow"] == flow && $c["t_ns"] > 2500000 && $c["t_ns"] <= 4500000 {
			sum += $c["goodput_bps"]; n++ }
		END { v = sum / n * 1130.25 / 1024 / 1e9; print v; exit v < 46.5 || v > 48.5 }' \
		"$d/rates.csv"
}

# not_half FLOW CC
not_half() { ! half "$@"; }

# With pid=0 flows 0 and 1 have W of half and all of eta C T: 0.425 C T more than fit.
stands() {
	local bdp
	bdp=$(LAB_DIR=$LAB_OUT/multi lab_get multi/rcc:pid=0/1 '.knobs.base_rtt * .knobs.line_rate / 8e9')
	near "$(port rcc:pid=0 sw0-sw1 .queue_bytes.mean)" "$(bc <<<"$bdp * 0.425")" 0.15
}

# 16 flows and a long one. Each sends C T before it hears: 17 C T in all, which take 17 T.
# From 25 T on the queue is at most a packet of each.
incast() {
	# shellcheck disable=SC2086
	LAB_DIR=$LAB_OUT/incast lab_run incast --cc rcc --set n=16 --set size=2mb --set bg=on \
		--set bg_size=8mb --set start=200us --set window_from=500us --set window_to=2500us $RTT
}

calm() {
	local w='.window.ports["sw-r"]'
	is "$(LAB_DIR=$LAB_OUT/incast lab_get incast/rcc/1 "$w.utilization")" ">=" 0.94 &&
		is "$(LAB_DIR=$LAB_OUT/incast lab_get incast/rcc/1 "$w.utilization")" "<=" 0.96 &&
		is "$(LAB_DIR=$LAB_OUT/incast lab_get incast/rcc/1 "$w.queue_bytes.p99")" "<=" $((17 * 1130)) &&
		is "$(LAB_DIR=$LAB_OUT/incast lab_get incast/rcc/1 .window.jain)" ">=" 0.998
}

# replays CC OPTION...: what was recorded is decided again
replays() {
	local cc=$1 param=() out
	shift
	# shellcheck disable=SC2086
	LAB_DIR=$LAB_OUT/replay lab_run multi --cc "$cc" --events --set size=2mb --set stagger=20us \
		$RTT "$@" || return 1
	case $cc in *:*) param=(--param "${cc#*:}") ;; esac
	out=$("$LAB" replay --cc rcc "${param[@]}" --in "$LAB_OUT/replay/multi/$cc/seed1/events.csv" \
		--out "$LAB_OUT/again.csv" 2>&1) || { echo "$out"; return 1; }
	rm -rf "$LAB_OUT/replay"
	grep "all as recorded" <<<"$out"
}

ktap_print_header
ktap_check "multi: all flows complete" in_network rcc
ktap_check "multi: the link in the network is full, its queue delta T / 2" queue_is
ktap_check "multi: PID for those who share it, not for the third" judged
ktap_check "multi: flow 0 has its half of the last hop" half 0
ktap_check "multi: flow 2 has its half of the last hop" half 2
ktap_check "multi, hold=0: all flows complete" in_network rcc:hold=0
ktap_check "multi, hold=0: flow 0 does not have its half" not_half 0 rcc:hold=0
ktap_check "multi, pid=0: all flows complete" in_network rcc:pid=0
ktap_check "multi, pid=0: the queue stands" stands
ktap_check "incast beside a long flow: all flows complete" incast
ktap_check "incast: line at eta, no queue, equal shares" calm
ktap_check "replay" replays rcc
ktap_check "replay, side=1" replays rcc:side=1
ktap_check "replay, READ" replays rcc --set op=read
ktap_finished
