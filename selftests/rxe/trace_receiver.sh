#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: trace events of what receivers believe: the type of congestion changes under dart and rcc,
#   look-aheads are taken and refused
#
# Trace events of a receiver's judgements, in runs of dart and rcc: the type of congestion
# changes, of a port or of a flow, and a look-ahead is accepted or refused. receiver_port.sh has those of
# messages and senders.
#
# The port to h2 has 5 Gbit/s and marks, all others 10. If r2's line rate is 5, a full port is
# the last hop's congestion. If r2's line rate is 10 Gbit/s, data never arrives at it, so
# the same port counts as one in the network. Types begin with none; from then on each event's
# "before" is the type of the event before it.
set -u
# shellcheck source=selftests/lib/forge_lib.sh
. "$(dirname "$0")/../lib/forge_lib.sh"
[ "${1:-}" = inside ] || int_uml

# A sender of 10 Gbit/s goes by n after a round trip of 11 us: 7 KB wait then.
slow_link() {
	local p
	for p in 0 3; do
		tc -n sw qdisc change dev p2 root roce rate 5gbit prio $p ecn enqueue kmin 3kb kmax 3kb ||
			return
	done
}

# all LINE-OF-R2: $algo, with telemetry from the first packet on: a delay of a flow is
# compared with that of the first packet that has any
all() {
	both "$algo" base_rtt=11us clock_common=1 int=2 && "$rxecc" dev set r2 knob line_rate="$1"
}

# trace_on EVENT...: these and no others
trace_on() {
	local e
	echo 0 >"$tracing/tracing_on"
	echo 0 >"$tracing/events/enable"
	: >"$tracing/trace"
	for e; do echo 1 >"$tracing/events/rxe_cc/$e/enable" || return; done
	echo 1 >"$tracing/tracing_on"
}

# events NAME: what they say, a line each
events() {
	echo 0 >"$tracing/tracing_on"
	sed -n "s/.* $1: //p" "$tracing/trace"
}

# changes LINE-OF-R2 TYPE: of the congestion at r2 while r1 writes 5 MB; $work/changes has "TYPE
# BEFORE QPN NS"
changes() {
	all "$1" && trace_on rxe_cc_congestion &&
		run_flows '"gid":"ipv4","mtu":1024' '{"src":"r1","dst":"r2","bytes":5000000,"op":"write"}' ||
		return
	events rxe_cc_congestion | awk '$1 == "dev=r2" { split($2, q, "="); split($3, t, "=")
		split($4, b, "="); split($5, n, "="); print t[2], b[2], q[2], n[2] }' >"$work/changes"
	echo "$(wc -l <"$work/changes") changes, the first:"
	head -n 4 "$work/changes"
	awk -v want="$2" '
		$2 != (NR == 1 ? "none" : type) || $1 == $2 || $4 + 0 < at { bad = 1; print "row " NR ": " $0 }
		{ type = $1; at = $4; seen += $1 == want; other += $1 != want && $1 != "none" }
		END { exit bad || !seen || (want == "network" && other) }' "$work/changes"
}

# of port|flow: the queue pair is r2's, or 0
of() {
	case $1 in
	port) ! awk '$3 != 0' "$work/changes" | grep . ;;
	flow) [ "$(cut -d ' ' -f 3 "$work/changes" | sort -u | wc -l)" -eq 1 ] && ! grep -q ' 0 [0-9]*$' "$work/changes" ;;
	esac
}

# expect STATUS HOSTS: a look-ahead
expect() {
	local rc=0
	"$rxecc" dev cmd r2 peer "$2" expect >>"$work/said" 2>&1 || rc=$?
	[ "$rc" -eq "$1" ]
}

# One host is told, or answers that it does not take it. Several are asked first, and told if
# none refuses. r1 and r4 are connected, and send after 40 ms.
look_ahead() {
	local pid rc=0 late='"dst":"r2","bytes":8,"op":"write","start_ns":40000000'
	all 5gbit && "$rxecc" dev set r2 param la_quota=2 &&
		trace_on rxe_cc_inst_refused rxe_cc_inst_cmd || return
	: >"$work/said"
	run_flows '"gid":"ipv4","mtu":1024' "{\"src\":\"r1\",$late},{\"src\":\"r4\",$late}" &
	pid=$!
	OTHERS=1 wait_for 50 all_qps
	# They are connected a little after they are there.
	sleep 0.02
	expect 0 10.0.0.1 && expect 0 10.0.0.4,10.0.0.1 && expect 1 10.0.0.4,10.0.0.1 &&
		expect 1 10.0.0.1 && "$rxecc" dev set r2 param lookahead=off &&
		expect 1 10.0.0.4,10.0.0.1 || rc=1
	wait "$pid" || rc=1
	[ $rc -eq 0 ] || cat "$work/said"
	echo 0 >"$tracing/tracing_on"
	sed -n 's/.* rxe_cc_inst_\(cmd\|refused\): \(.*\) now_ns=[0-9]*/\1 \2/p' "$tracing/trace" >"$work/told"
	return $rc
}

# EDQUOT is 122: r1 has been announced twice, r4 once. EPERM is 1: r4 is asked first.
told() {
	local r1 r4
	cat "$work/told"
	r1=$(sed -n '1s/.* peer=\([0-9]*\) .*/\1/p' "$work/told")
	r4=$(sed -n '2s/.* peer=\([0-9]*\) .*/\1/p' "$work/told")
	[ "$r1" != "$r4" ] && diff "$work/told" - <<-END
		cmd dev=r2 peer=$r1 cmd=expect args={} err=0
		cmd dev=r2 peer=$r4 cmd=expect args={} err=0
		cmd dev=r2 peer=$r1 cmd=expect args={} err=0
		refused dev=r2 peer=$r1 cmd=expect err=-122
		cmd dev=r2 peer=$r1 cmd=expect args={} err=-122
		refused dev=r2 peer=$r4 cmd=expect err=-1
	END
}

ktap_print_header
ktap_check "hosts and switch" make_attack_net
ktap_check "a link of 5 Gbit/s to the receiver" slow_link
algo=dart
ktap_check "dart: the line is full, congestion is the last hop's" changes 5gbit last_hop
ktap_check "... of the port, qpn is 0" of port
ktap_check "dart: a port in the network is full" changes 10gbit network
ktap_check "... of the port, qpn is 0" of port
algo=rcc
ktap_check "rcc: a port in the network is full" changes 10gbit network
ktap_check "... of the flow, qpn is its receiver's" of flow
algo=dart
ktap_check "look-ahead: two lists are taken, two refused" look_ahead
ktap_check "... and so say the events" told
ktap_finished
