#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: ports that hand their packets straight to the peer device (option `direct`) give the
#   results of ports that go through the stack, to the byte, with a timer interrupt per message and
#   not per packet
. "$(dirname "$0")/../lib/lab_lib.sh"

# same SCENARIO OPTION...: once each way
same() {
	local text
	LAB_DIR=$LAB_OUT/$1.on lab_run "$@" || return 1
	LAB_DIRECT=off LAB_DIR=$LAB_OUT/$1.off lab_run "$@" || return 1
	[ "$(find "$LAB_OUT/$1.on" -type f ! -name run.json | wc -l)" -ge 5 ] || return 1
	text=$(diff -r -x run.json "$LAB_OUT/$1.on" "$LAB_OUT/$1.off") && return
	head -n 12 <<<"$text"
	return 1
}

bridge() {
	same incast --cc none,hpcc --set n=6 --set size=300kb --set jitter=5us
}

# Many packets of one nanosecond: equal rates, and all flows start at once.
ties() {
	same four --cc dcqcn --set size=1mb --set stagger=0
}

pauses() {
	same chain3 --cc none --set size=2mb --set pfc=on --set n=6 --set burst_size=300kb \
		--set xoff=100kb
}

routes() {
	same fattree --cc dcqcn,timely --set k=4 --set size=100kb --set qps=2
}

# Timer interrupts of a flow of 5 ms, and its messages of 1 MB.
interrupts() {
	LAB_DIRECT=$1 "$LAB" shell two --clock virtual 2>/dev/null <<-'END'
		timers() { awk '/timer/ { print $2 }' /proc/interrupts; }
		ip link set lo up
		flowgen server --dev rxe_h1 >/dev/null 2>&1 &
		sleep 0.1
		before=$(timers)
		flowgen client 127.0.0.1 --dev rxe_h0 --duration 5ms --interval 0 --size 1mb |
			awk '$1 == "write" { print $4 }'
		echo $(($(timers) - before))
		kill %1
	END
}

# Through the stack each packet takes a timer at each port on its way, so a message of 1024
# packets takes 1024 at least. A direct port moves the time on itself as long as no process
# wants to run. The client wants to at the end of each message. The port then needs a timer
# at most twice: when the client wakes up, and when it sleeps again.
skips() {
	local messages direct stack
	{ read -r messages && read -r direct; } < <(interrupts on)
	{ read -r messages && read -r stack; } < <(interrupts off)
	echo "$messages messages, $direct interrupts, through the stack $stack"
	[ "$messages" -ge 50 ] && [ "$stack" -ge $((messages * 1024)) ] &&
		[ "$direct" -le $((2 * messages)) ]
}

# LAB_DIRECT=off is what is compared with, so it must do something: a port that is
# not direct does not say so.
differs() {
	local way
	for way in on off; do
		LAB_DIRECT=$way "$LAB" shell two <<<"tc -n h1 -j qdisc show" 2>/dev/null |
			grep -o '"direct":[a-z]*' | sort -u
	done >"$LAB_OUT/ways"
	[ "$(tr '\n' ' ' <"$LAB_OUT/ways")" = '"direct":true "direct":false ' ] ||
		{ cat "$LAB_OUT/ways"; return 1; }
}

ktap_print_header
ktap_check "a bridge: the same bytes either way" bridge
ktap_check "packets of one instant: the same bytes either way" ties
ktap_check "PFC: the same bytes either way" pauses
ktap_check "routers: the same bytes either way" routes
ktap_check "the timer is needed per message, not per packet" skips
ktap_check "the ports of the lab are direct, with LAB_DIRECT=off they are not" differs
ktap_finished
