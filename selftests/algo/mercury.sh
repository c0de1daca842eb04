#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: switches with Mercury under dcqcn: the first peak of an incast is what a model says,
#   bridged and routed; CNPs, marks, the interval; the judgement of ports in `victim`; bad values
#
# Switches that run Mercury, under an algorithm that does not use it.
#
# In an incast the queue grows by (n-1) B from the first packet's arrival on. When it is
# longer than the threshold Q, each packet that arrives causes a CNP to its sender, with a
# window of its share, a sixteenth of C T at Q. More than that is under way, so the sender stops
# when the CNP arrives. That is two propagation delays D after its packet arrived, and what it
# has sent until then still arrives: a peak of (n-1) B 2D + Q. Up to three packets of each
# sender are added: the one that meets the long queue after those of the others, the one
# that the sender has begun when the CNP arrives, and the one that its port already holds.
. "$(dirname "$0")/../lib/lab_lib.sh"

N=16
BYTES_US=12500		# 100 Gbit/s
DELAY_US=1
PACKET=$((1024 + 82))
Q=200000
SET="--set n=$N --set rate=100gbit --set delay=${DELAY_US}us --set mtu=1024 --set mercury_threshold=$Q"

# run DIR [OPTION]...
run() {
	local dir=$LAB_OUT/$1
	shift
	# shellcheck disable=SC2086
	LAB_DIR=$dir lab_run incast --cc dcqcn $SET "$@"
}

# figure DIR FILTER [SCENARIO]
figure() { LAB_DIR=$LAB_OUT/$1 lab_get "${3:-incast}/dcqcn/1" "$2"; }

# Each CNP is the switches' and is believed, and nothing is left behind.
told() {
	local cnps
	cnps=$(figure "$1" .mercury.cnps)
	echo "$cnps CNPs"
	is "$cnps" ">=" $N && is "$(figure "$1" .cnp.handled)" "==" "$cnps" &&
		is "$(figure "$1" .cnp.sent)" "==" 0 &&
		is "$(figure "$1" '.mercury | .failed + .no_place + .flows_left')" "==" 0 &&
		is "$(figure "$1" .mercury.flows_peak)" "==" $N &&
		is "$(figure "$1" .bottleneck.ecn_marked)" "==" 0
}

peak() {
	local low=$(((N - 1) * BYTES_US * 2 * DELAY_US + Q)) got
	run "$@" --set mercury=on || return 1
	got=$(figure "$1" .bottleneck.queue_bytes.max)
	echo "queue peak $got bytes, (n-1) B 2D + Q is $low"
	is "$got" ">=" $low && is "$got" "<=" $((low + 3 * (N - 1) * PACKET)) && told "$1"
}

# Without, the first marks make a round trip, through the queue.
later() {
	run off --set mercury=off || return 1
	is "$(figure off .bottleneck.queue_bytes.max)" ">=" \
		$((2 * $(figure on .bottleneck.queue_bytes.max))) &&
		is "$(figure off .bottleneck.ecn_marked)" ">=" 1 &&
		[ "$(figure off .mercury)" = null ]
}

same_routed() {
	peak router --set fabric=router || return 1
	cmp "$LAB_OUT/router/incast/dcqcn/seed1/flows.csv" "$LAB_OUT/on/incast/dcqcn/seed1/flows.csv"
}

marks_too() {
	run ecn --set mercury=on --set mercury_ecn=on --set kmin=$Q || return 1
	is "$(figure ecn .bottleneck.ecn_marked)" ">=" 1 && is "$(figure ecn .mercury.cnps)" ">=" $N
}

# Once in the interval for a host, and no window is told more often.
damped() {
	local span_ns
	run interval --set mercury=on --set mercury_interval=50us || return 1
	span_ns=$(figure interval .virtual_ns)
	is "$(figure interval .mercury.cnps)" "<=" $((N * (span_ns / 50000 + 1))) &&
		is "$(figure interval .mercury.damped)" ">=" 1
}

# Who is to blame? 20 and 20 Gbit/s go into links of 40: s1 and s2 have long queues only
# because they are paused. At s3 the burst is to blame, and nobody pauses that port.
blame() {
	local p
	LAB_DIR=$LAB_OUT/victim lab_run victim --cc dcqcn --set mercury=on --set mercury_threshold=50kb ||
		return 1
	for p in s1-s2 s2-s3 s3-r2; do
		echo "$p: $(figure victim ".ports[\"$p\"].mercury | del(.failed, .no_place)" victim | tr -d '\n ')"
	done
	is "$(figure victim '.ports["s3-r2"].mercury | .spared + .entered' victim)" "==" 0 &&
		is "$(figure victim '.ports["s3-r2"].mercury.cnps' victim)" ">=" 8 &&
		is "$(figure victim '.mercury | .failed + .no_place + .flows_left' victim)" "==" 0
}

# Flow 0 has two congested ports on its way, s1-s2 and s2-s3. CNPs of a port come in the order
# of the packets that caused them, so none is late, whatever the other port has named. Each port
# has two flows and tells both, once at least.
two_ports() {
	local LAB_DIR=$LAB_OUT/chain p
	lab_run chain3 --cc "$1" --set mercury=on --set size=4mb --set mercury_threshold=50kb || return 1
	for p in s1-s2 s2-s3; do
		is "$(lab_get "chain3/$1/1" ".ports[\"$p\"].mercury.cnps")" ">=" 2 || return 1
	done
	is "$(lab_get "chain3/$1/1" .cnp.handled)" ">=" 4 &&
		is "$(lab_get "chain3/$1/1" .cnp.ignored)" "==" 0
}

# bad WORD KEY=VALUE: refused in one line that names the key
bad() {
	local out
	out=$("$LAB" run incast --cc dcqcn --set mercury=on --set "$2" --out "$LAB_OUT/bad" 2>&1) &&
		{ echo "accepted"; return 1; }
	[[ $out == *"$1"* && $out != *$'\n'*$'\n'* ]] || { echo "$out"; return 1; }
}

ktap_print_header
ktap_check "incast: a round trip over the last hop above the threshold" peak on
ktap_check "without: twice the queue, and marks" later
ktap_check "the same through a router" same_routed
ktap_check "marks besides" marks_too
ktap_check "an interval of 50 us" damped
ktap_check "victim: the congested port tells, and only it is never in doubt" blame
ktap_check "two congested ports on a path: no window is refused as late" two_ports dcqcn
ktap_check "... under mercury" two_ports mercury
ktap_check "a threshold of 0 is refused" bad mercury_threshold mercury_threshold=0b
ktap_check "an interval of 0 is refused" bad mercury_interval mercury_interval=0ns
ktap_check "mercury=perhaps is refused" bad mercury mercury=perhaps
ktap_finished
