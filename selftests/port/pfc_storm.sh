#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a host that pauses its own port and has packets sent to it: what its neighbour gets without
#   a watchdog, by default, and when the port does not obey
#
#	h1 [roce] ---- p1 [switch] p2 ---- h2	the attacker
#				   p3 ---- h3	the neighbour's peer
#
# h1 sends as much to h2 as to h3, 9 Mbit/s of its 100 to each. What h2 does not
# take fills the account of p1, and p1 pauses h1: nothing comes to h3. The test
# counts what h3 gets in each tenth of a second of one second; from 0.1 s on h2
# attacks. 400 KiB take 33 ms to drain at 100 Mbit/s: the watchdog of five buffers
# would be shorter than 200 ms, so it is 200.
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
[ "${1:-}" = inside ] || frames_enter

TENTHS=10
STEPS=10	# of a tenth: 10 ms each
BURST=10	# packets of 1106 bytes to either, each step
ALL=$((TENTHS * STEPS * BURST))
# All that p1 may hold before h1 is silent: the threshold and the headroom, which is
# 2 x 9042 + 9042 + 84 bytes of packets and 100 Mbit/s x (2 x 1 us + 2 ns) / 8 = 26.
# Every other packet is one for h3; they come in bursts.
HELD=$((20480 + 3 * 9042 + 84 + 26))
MOST=$((STEPS * BURST + HELD / 1106 + 2 * BURST))

# attack [EVERY]: the pauses of h2 and the data of h1, as steps for frames; with a
# break, a resume and a pause again, EVERY 10 ms from its beginning
attack() {
	local i every=${1:-0}
	for ((i = 0; i < TENTHS * STEPS; i++)); do
		if ((i >= STEPS)); then
			((every && i > STEPS && (i - STEPS) % every == 0)) && echo "pfc h2 enable=0x08 quanta=0"
			echo "pfc h2 enable=0x08 quanta=65535"
		fi
		echo "data h1 flow=0 to=h2 count=$BURST size=1024"
		echo "data h1 flow=1 to=h3 count=$BURST size=1024"
		echo "wait 10ms"
		(((i + 1) % STEPS)) ||
			echo "run tc -n sw -s -j qdisc show dev p3 >>/run/p3.json"
	done
}

# got: what h3 has got in each tenth of a second
got() {
	jq -s '[.[][0].prios[] | select(.prio == 3) | .tx_packets]
		| [., [0] + .[:-1]] | transpose | map(.[0] - .[1]) | @text' -r /run/p3.json
}

# total: all of it
total() { jq -s '.[-1][0].prios[] | select(.prio == 3) | .tx_packets' /run/p3.json; }

# figure NAME: of port p2's priority 3
figure() {
	tc -n sw -s -j qdisc show dev p2 |
		jq ".[0].prios[] | select(.prio == 3) | .$1"
}

# under_attack "P2-OPTIONS" [EVERY]
under_attack() {
	local all="rate 100mbit delay 1us switch auto buffer 400kb prio 3 lossless on xoff 20kb xon 10kb"
	frames_ports <<-PORTS || return
	h1 rate 100mbit delay 1us prio 3 lossless on
	sw:p1 $all
	sw:p2 $1 $all
	sw:p3 $all
	PORTS
	rm -f /run/p3.json
	{
		echo "port h1 h2 h3"
		attack "${2:-0}"
	} | frames_run || return
	ktap_print_msg "$(printf '%-44s' "${1:-default}${2:+, a break every ${2}0 ms}") h3 got $(got), storms $(figure storms)"
}

at_most() { [ "$1" -le "$2" ] || { echo "$1, want at most $2"; return 1; }; }
exactly() { [ "$1" = "$2" ] || { echo "$1, want $2"; return 1; }; }

# Without a watchdog the neighbour stands still for as long as the attacker likes.
off() {
	under_attack "pfc-watchdog off" && at_most "$(total)" $MOST &&
		exactly "$(figure storms)" 0
}

# By default for 200 ms; all that h1 had to hold back comes then.
default() {
	under_attack "" && exactly "$(total)" $ALL && exactly "$(figure storms)" 1 &&
		at_most "$(got | jq '.[1] + .[2]')" $((MOST - STEPS * BURST)) &&
		exactly "$(got | jq -c '.[4:] | unique')" "[$((STEPS * BURST))]"
}

# A break after the storm buys nothing: from then on h3 gets what it is sent.
breaks() {
	under_attack "" 25 && exactly "$(total)" $ALL &&
		exactly "$(got | jq -c '.[4:] | unique')" "[$((STEPS * BURST))]"
}

# Without that memory each break buys another 200 ms.
forgetful() {
	under_attack "pfc-watchdog-restore 0ns" 25 &&
		exactly "$(got | jq '.[4:] | min')" 0
}

# Breaks in time are no storm: this is what the watchdog cannot see.
in_time() {
	under_attack "" 15 && exactly "$(figure storms)" 0 &&
		at_most "$(total)" $((ALL / 2))
}

# A port that does not obey cannot be used so.
disobey() {
	under_attack "pfc-obey off" && exactly "$(total)" $ALL &&
		exactly "$(got | jq -c unique)" "[$((STEPS * BURST))]" &&
		exactly "$(figure pfc_ignored)" $(((TENTHS - 1) * STEPS))
}

ktap_print_header
frames_fixed_switch 3 || ktap_exit_fail_msg "no network"
ktap_check "watchdog off: the neighbour stands still" off
ktap_check "default: 200 ms, and nothing is lost" default
ktap_check "a break after the storm: no more" breaks
ktap_check "no restore time: 200 ms for each break" forgetful
ktap_check "breaks before the watchdog's time: no storm" in_time
ktap_check "pfc-obey off: the neighbour notices nothing" disobey
ktap_finished
