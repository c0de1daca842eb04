#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the first peak of an incast, with INT responses and without, is what a model of both says
#
# Responses of in-band network telemetry (INT), which a switch sends straight back to the sender,
# help in the first round trip of an incast, in which no sender has any feedback on the queue yet.
#
# Without them each of n senders sends its first window W = B * T at line rate B,
# while the bottleneck drains for as long: a queue of (n-1) W. Granularity: a packet
# that starts in a sender's last ns counts whole, so n packets either way.
#
# With them the queue grows from the first packet's arrival until every sender has a
# response and its last packets have arrived. That takes the response's way to the sender
# and the data's way to the switch, two propagation delays D, from the time at which the
# queue holds Q: a peak of (n-1) B 2D + Q. Up to three packets of each sender are added:
# the one that meets Q after another sender's packet has filled it, the one that the
# sender has begun when the response arrives, and the one that its port already holds.
. "$(dirname "$0")/../lib/lab_lib.sh"

N=16
BYTES_US=12500		# 100 Gbit/s
DELAY_US=1
PACKET=$((1024 + 82 + 48))	# with INT of the first link
SET="--set n=$N --set rate=100gbit --set delay=${DELAY_US}us --set mtu=1024"

# peak DIR CC [OPTION]...: runs it, sets got
peak() {
	local dir=$LAB_OUT/$1 cc=$2
	shift 2
	# shellcheck disable=SC2086
	LAB_DIR=$dir lab_run incast --cc "$cc" $SET "$@" || return 1
	got=$(LAB_DIR=$dir lab_get "incast/$cc/1" .bottleneck.queue_bytes.max)
	echo "queue peak $got bytes"
}

first_window() {
	local window rtt
	peak off hpccpp || return 1
	rtt=$(LAB_DIR=$LAB_OUT/off lab_get incast/hpccpp/1 .knobs.base_rtt)
	window=$((BYTES_US * rtt / 1000))
	echo "(n-1) W is $(((N - 1) * window))"
	is "$got" ">=" $(((N - 1) * window - N * PACKET)) &&
		is "$got" "<=" $(((N - 1) * window + N * PACKET))
}

# told DIR SIZE QUEUE [OPTION]...
told() {
	local dir=$1 size=$2 q=$3 low
	shift 3
	low=$(((N - 1) * BYTES_US * 2 * DELAY_US + q))
	peak "$dir" hpccpp --set int_response="$size" "$@" || return 1
	echo "(n-1) B 2D + Q is $low"
	is "$got" ">=" $low && is "$got" "<=" $((low + 3 * (N - 1) * PACKET))
}

# The user's point: less buffer, and nobody is the later for it.
lower() {
	local off on
	off=$(LAB_DIR=$LAB_OUT/off lab_get incast/hpccpp/1 .bottleneck.queue_bytes.max)
	on=$(LAB_DIR=$LAB_OUT/on lab_get incast/hpccpp/1 .bottleneck.queue_bytes.max)
	is "$on" "<=" $((off * 2 / 3)) || return 1
	off=$(LAB_DIR=$LAB_OUT/off lab_get incast/hpccpp/1 .flows.fct_ns.max)
	on=$(LAB_DIR=$LAB_OUT/on lab_get incast/hpccpp/1 .flows.fct_ns.max)
	echo "last flow: $off ns without, $on ns with responses"
	# 5 %: the control after the burst may take a round trip more or less
	is "$on" "<=" $((off + off / 20))
}

# Whoever does not listen to switches is not disturbed by them.
deaf() {
	local off
	peak hpcc-off hpcc || return 1
	off=$got
	peak hpcc-on hpcc --set int_response=50kb || return 1
	is "$got" ">=" $((off - N * PACKET)) && is "$got" "<=" $((off + N * PACKET))
}

same_routed() {
	told router 50kb 51200 --set fabric=router || return 1
	cmp "$LAB_OUT/router/incast/hpccpp/seed1/flows.csv" "$LAB_OUT/on/incast/hpccpp/seed1/flows.csv"
}

refused() {
	local out
	out=$("$LAB" run incast --cc hpccpp --set int=off --set int_response=50kb \
		--out "$LAB_OUT/refused" 2>&1) && { echo "accepted"; return 1; }
	[[ $out == *"int-response needs int on"* ]] || { echo "$out"; return 1; }
}

ktap_print_header
ktap_check "without: first windows" first_window
ktap_check "with int_response=50kb: a round trip over the last hop" told on 50kb 51200
ktap_check "with 100kb: 50 KB more" told on100 100kb 102400
ktap_check "the peak is a third lower at least, and no flow later" lower
ktap_check "the same through a router" same_routed
ktap_check "hpcc does not listen to switches" deaf
ktap_check "int_response needs int" refused
ktap_finished
