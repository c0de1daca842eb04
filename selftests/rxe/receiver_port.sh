#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: messages and senders in flight as a receiver counts them: all operations at once, a host
#   that falls silent, a process that is killed, counting switched off and on, forged first packets;
#   all 0 in the end
#
# hpccpp with n_auto counts who sent something within n_expiry, 1 ms here: far above any gap
# of the flows (their round trips are below 100 us), far below the steps of this test.
set -u
# shellcheck source=selftests/lib/forge_lib.sh
. "$(dirname "$0")/../lib/forge_lib.sh"
[ "${1:-}" = inside ] || int_uml "" --env "SEED=${SEED:-1}"

pid=

# rx DEVICE KEY
rx() { "$rxecc" -j dev show "$1" | jq ".[0].rx.$2"; }
# Those of sysfs are some milliseconds old.
expirations() { "$rxecc" -j dev show r2 | jq '.[0].counters.rx_msg_expired'; }

# counts MESSAGES SENDERS: that is what r2 receives, as $now
counts() {
	now=$("$rxecc" -j dev show r2 | jq -r '.[0].rx | "\(.msgs),\(.senders)"')
	[ "$now" = "$1,$2" ]
}

# soon COMMAND...: within 100 ms
soon() {
	local i
	for ((i = 0; i < 100; i++)); do
		"$@" && return
		sleep 0.001
	done
	return 1
}

says_counts() {
	soon counts "$1" "$2" && return
	echo "messages, senders: $now"
	return 1
}

# Also a little later, and later still.
stays() {
	local i
	for i in 1 2 3 4 5; do
		counts "$1" "$2" || { echo "$i: messages, senders: $now"; return 1; }
		sleep 0.002
	done
}

# No queue pair's timer has run out: that would make gaps, and nothing was lost.
no_timeouts() {
	local d
	sleep 0.02
	for d in r1 r2 r4 r5 r6; do
		[ "$(counter $d completer_retry_err)" = 0 ] || { echo "$d: $(counter $d completer_retry_err)"; return 1; }
	done
}

all_zero() {
	local d
	for d in r1 r2 r4 r5 r6; do
		[ "$(rx $d msgs),$(rx $d msgs_all),$(rx $d senders)" = 0,0,0 ] || { echo "$d"; return 1; }
	done
}

count() {
	local d
	both hpccpp:fair int=auto || return
	for d in r1 r2 r4 r5 r6; do "$rxecc" dev set $d param n_expiry=1ms || return; done
}

# Data to r2: three queue pairs of r1 write, two of r4 send, r2 reads from r5, r6 adds.
mixed() {
	local w='"src":"r1","dst":"r2","op":"write"'
	local s='"src":"r4","dst":"r2","op":"send","chunk_bytes":10000000'
	cat >"$work/plan.json" <<-END
		{"mtu": 4096, "gid": "ipv4", "timeout": 10, "stop_ns": 1000000000, "flows": [
		{$w}, {$w}, {$w, "chunk_bytes": 100}, {$s}, {$s},
		{"src": "r2", "dst": "r5", "op": "read"},
		{"src": "r6", "dst": "r2", "op": "fetch_add"}]}
	END
	"$flowgen" run "$work/plan.json" --out "$work/out" -q >"$work/log" 2>&1 &
	pid=$!
}

expired() {
	local before
	before=$(expirations)
	# In the middle of a message each, of 2442 packets.
	# What it sends to itself its port of the bridge drops; nobody else loses anything.
	ip -n h4 neigh replace 10.0.0.2 dev v4 lladdr 02:00:00:00:00:04 &&
		says_counts 5 3 && stays 5 3 || return
	echo "expired: $(($(expirations) - before))"
	[ $(($(expirations) - before)) -eq 2 ]
}

# Its timeout is 4 ms, and a jiffy.
back() { ip -n h4 neigh replace 10.0.0.2 dev v4 lladdr 02:00:00:00:00:02 && says_counts 7 4; }

killed() {
	kill -9 "$pid"
	wait "$pid"
	says_counts 0 0 && soon all_zero
}

# What joined or left while a stranger sends first packets of WRITEs in the name of r1.
forged() {
	local n
	trace_senders && attack 50 r2 write 50000 || return
	echo 0 >"$tracing/tracing_on"
	grep 'dev=r2' "$tracing/trace" | sed 's/.*rx_sender: //'
	# The first message, and the flow, 20 ms later or so; it leaves when somebody looks.
	n=$(grep -c 'dev=r2 .*joined' "$tracing/trace")
	[ "$n" -ge 1 ] && [ "$n" -le 2 ] || return
	! grep 'dev=r2 .*joined' "$tracing/trace" | grep -v 'senders=1 msgs=1'
}

trace_senders() {
	echo 0 >"$tracing/tracing_on"
	: >"$tracing/trace"
	echo 1 >"$tracing/events/rxe_cc/rxe_cc_rx_sender/enable" &&
		echo "${1:-0}" >"$tracing/events/rxe_cc/rxe_cc_rx_msg/enable" &&
		echo 1 >"$tracing/tracing_on"
}

# Trace events: so many queue pairs more have joined than left, and so many hosts.
traced() {
	local event n
	for event in msg sender; do
		n=$(grep -c "rx_$event: dev=r2 .* joined" "$tracing/trace")
		n=$((n - $(grep -c "rx_$event: dev=r2 .* left" "$tracing/trace")))
		[ "$n" -eq "$1" ] || { echo "rx_$event: $n more have joined than left"; return 1; }
		shift
	done
	grep 'dev=r2 ' "$tracing/trace" | tail -n 1 | grep 'senders=4 msgs=7'
}

# Off: nothing is shown, and nothing of it comes back.
switched_off() {
	mixed
	says_counts 7 4 && "$rxecc" dev set r2 param n_auto=off &&
		[ "$(rx r2 msgs)" = null ] && "$rxecc" dev set r2 param n_auto=on &&
		says_counts 7 4 && killed
}

# All queue pairs of r2 go over to another algorithm in the middle of their messages.
switched_away() {
	mixed
	says_counts 7 4 && cc r2 algo=dcqcn && [ "$(rx r2 msgs)" = null ] && count &&
		says_counts 7 4 && killed
}

ktap_print_header
ktap_check "hosts and switch" make_attack_net
ktap_check "all devices count" count
trace_senders 1
mixed
ktap_check "WRITE, SEND, READ and atomic operations at once: 7 messages of 4 hosts" \
	says_counts 7 4
ktap_check "... and it stays so" stays 7 4
ktap_check "... and trace events have told of each" traced 7 4
ktap_check "... without a timeout" no_timeouts
ktap_check "a host falls silent: its two messages expire" expired
ktap_check "it is back" back
ktap_check "the process is killed: nothing is left" killed
ktap_check "counting is switched off and on under load" switched_off
ktap_check "another algorithm, and back, under load" switched_away
ktap_check "50000 forged first packets a second: nobody joins" forged
ktap_check "nothing is left" soon all_zero
ktap_finished
