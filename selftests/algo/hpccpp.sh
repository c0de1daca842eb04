#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: HPCC++, every preset: what its packets carry and how often, a full bottleneck with a short
#   queue, joins, an incast, READs with and without
#
# HPCC++'s variants on a real stack: what their packets carry, counted from the events
# that the algorithm got at both ends, and the result: a bottleneck that is full
# to eta with a short queue, in steady state, when flows join, in an incast, for READs.
#
# Bounds of utilization: eta is 0.95; telemetry of one packet per round trip may cost 2
# points (the page says why), joins and leaves in "four" a point more. "fair" settles at
# 1. Queues: 2 to 16 long flows have a mean queue of at most 5 packets. The first round trip of
# an incast leaves a queue of W_init of each sender, and 1/7 more if not every packet asks for an
# ACK.
. "$(dirname "$0")/../lib/lab_lib.sh"

VARIANTS='draft sparse probe rx fair'

label() { echo "hpccpp:preset=$1"; }

# all SCENARIO OPTION...: one run with all variants
all() {
	local cc
	# shellcheck disable=SC2086
	cc=$(printf ',hpccpp:preset=%s' $VARIANTS)
	lab_run "$1" --cc "${cc#,}" "${@:2}"
}

# figures of a variant: fig SCENARIO VARIANT JQ-FILTER
fig() { lab_get "$1/$(label "$2")/1" "$3"; }

# events VARIANT: what the flows' algorithms heard: "acks hops windows senders
# most_senders data data_hops least_ns", where least_ns is the least time between two
# samples, or windows, of one flow, once the first round trips are over (20 us). The
# first value told is a window, the second how many send.
events() {
	awk -F, '
	/^#/ { next }
	!n++ { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["event"] == "data" { data++; if ($c["hops"] != "") data_hops++ }
	$c["event"] == "ack" {
		if ($c["bytes"] > 0) acks++
		if ($c["hops"] != "") hops++
		split($c["told"], told, "|")
		if (told[1] > 0) windows++
		if (told[2] > 0) {
			senders++
			if (told[2] > most) most = told[2]
		}
		if ($1 > 20000 && ($c["hops"] != "" || told[1] > 0)) {
			f = $c["flow"]
			if (f in last && (least == "" || $1 - last[f] < least)) least = $1 - last[f]
			last[f] = $1
		}
	}
	END { print acks + 0, hops + 0, windows + 0, senders + 0, most + 0, data + 0, data_hops + 0, least + 0 }' \
		"$LAB_DIR/two/$(label "$1")/seed1/events.csv"
}

# carries VARIANT: one long flow over two hops; BDP and T are the lab's
carries() {
	local v=$1 acks hops windows senders most data data_hops least t packets rounds
	read -r acks hops windows senders most data data_hops least < <(events "$v")
	t=$(fig two "$v" .knobs.base_rtt)
	packets=$(fig two "$v" .data_packets)
	rounds=$(($(fig two "$v" .flows.fct_ns.max) / t))
	echo "$packets packets, $rounds round trips of $t ns; acks $acks hops $hops windows $windows" \
		"senders $senders (most $most) data $data with hops $data_hops, apart $least ns"
	case $v in
	draft | fair)
		is "$hops" == "$packets" && is "$windows" == 0 || return 1
		if [ "$v" = fair ]; then
			is "$senders" == "$hops" && is "$most" == 1
		else
			is "$senders" == 0
		fi
		;;
	sparse | probe)
		# One sample a round trip, which is T or up to a third more; few ACKs.
		is "$hops" ">=" $((rounds * 2 / 3)) && is "$hops" "<=" $((rounds + 1)) &&
			is "$least" ">=" $((t * 9 / 10)) && is "$windows" == 0 &&
			is "$acks" "<=" $((packets / 3))
		;;
	rx)
		# A window a round trip, and nothing is echoed.
		is "$hops" == 0 && is "$data_hops" == "$packets" &&
			is "$windows" ">=" $((rounds * 2 / 3)) &&
			is "$windows" "<=" $((rounds + 1)) &&
			is "$least" ">=" $((t * 9 / 10)) && is "$acks" "<=" $((packets / 3))
		;;
	esac
}

# least utilization: full SCENARIO VARIANT POINTS: those below eta
full() {
	local low=0.95 util
	[ "$2" != fair ] || low=0.97
	util=$(fig "$1" "$2" "${4:-.bottleneck.utilization}")
	echo "utilization $util, mean queue $(fig "$1" "$2" .bottleneck.queue_bytes.mean)"
	is "$util" ">=" "$(awk -v l=$low -v p="$3" 'BEGIN { print l - p / 100 }')"
}

short_queue() {
	is "$(fig "$1" "$2" "${4:-.bottleneck}.queue_bytes.mean")" "<=" "$3"
}

clean() {
	is "$(fig "$1" "$2" '.flows.count - .flows.completed + .drops.total + .retransmits')" == 0
}

long_flows() {
	clean incast "$1" &&
		full incast "$1" 3 '.window.ports["sw-r"].utilization' &&
		short_queue incast "$1" 5530 '.window.ports["sw-r"]'
}

joins() {
	clean four "$1" && full four "$1" 3 && short_queue four "$1" 5530
}

# Sixteen windows in the queue at most. Flows of four windows are not over before the
# first samples of a round trip can be compared, so utilization says less here.
burst() {
	local w
	w=$(fig incast "$1" '.knobs.base_rtt * .knobs.line_rate / 8e9')
	clean incast "$1" && is "$(fig incast "$1" .bottleneck.queue_bytes.max)" "<=" \
		"$(awk -v w="$w" 'BEGIN { print 16 * w * 8 / 7 }')" &&
		is "$(fig incast "$1" .bottleneck.utilization)" ">=" 0.8
}

# READ responses have no window: rates alone bring the queue of the start down. The
# bound is a tenth of the queue that there is without control.
reads() {
	local without
	without=$(lab_get incast/none/1 .bottleneck.queue_bytes.mean)
	echo "mean queue $(fig incast "$1" .bottleneck.queue_bytes.mean), without control $without"
	clean incast "$1" && short_queue incast "$1" $((without / 10)) &&
		is "$(fig incast "$1" .bottleneck.utilization)" ">=" 0.88
}

# group NAME SCENARIO OPTION...: a run of all variants in a place of its own
group() {
	local name=$1
	LAB_DIR=$LAB_OUT/${name// /_}
	shift
	ktap_check "$name: all variants run" all "$@"
}

# each TEXT CHECK
each() {
	local v
	for v in $VARIANTS; do
		ktap_check "$v: $1" "$2" "$v"
	done
}

ktap_print_header
group "one flow" two --set size=4mb --events
each "what its packets carry" carries
group "four long flows" incast --set n=4 --set size=9mb --set window_from=600us --set window_to=2600us
each "full, short queue" long_flows
group "four flows that join" four --set size=15mb --set stagger=400us
each "full, short queue while flows come and go" joins
group "incast of sixteen" incast
each "at most sixteen windows in the queue" burst
group "READs of four" incast --set n=4 --set size=4mb --set op=read
ktap_check "the same without control" lab_run incast --cc none --set n=4 --set size=4mb --set op=read
each "READ responses give way" reads
# No ACK comes for a response, and a probe measures no round trip.
group "READs of four, RTT measured" incast --set n=4 --set size=4mb --set op=read --knob base_rtt=0
ktap_check "the same without control" lab_run incast --cc none --set n=4 --set size=4mb --set op=read
each "READ responses give way" reads
ktap_finished
