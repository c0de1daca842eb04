#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: RCC and the idle path: messages that end or begin with a packet of one byte, at 10 to 100
#   Gbit/s, delays and round trips; a standing queue is not taken for the idle path; senders
#   evaluate delays where the receiver cannot
#
# RCC and the delay of an idle path: dumbbell, all flows over one link in the network, so that
# shares of the last hop do not limit them and PID does.
#
# lengths	Messages end in a packet of one byte, or begin with a message of one. It is faster than
#		a full one on an idle path, which is no queue. Flows stopped for ever when the fastest
#		packet was the measure of all. The link must be half busy at least until the
#		last flow ends, so that is after twice the time that the link needs for all, and
#		0.1 ms for the start. With side=1 the same of round trips.
# flat		The queue that PID keeps does not become the idle path after rtt_window, here 1 ms:
#		its mean in the last third of the time that all flows send is at most 1.5 times
#		that of the first and a packet of each flow more; and below delta T / 2 at C, half
#		as much again, and a packet of each flow.
# side		Hosts with clocks of their own that are not told a round trip: the receiver knows no
#		T, so it tells the senders to judge round trips (side 1), PID begins, and the
#		queue is below delta T / 2 at C, half as much again and two packets of each flow.
#		With side=0 the senders judge nothing.
# round	A receiver that has seen a message of one byte only knows too short a path. Flows that
#	share the line in rounds of that length have a full line each, PID ends, and the queue
#	grows by a window of each flow. The bound is that of side, T the time of three links for
#	a packet of 4178 bytes and of an ACK, 1 us each more in both directions.
. "$(dirname "$0")/../lib/lab_lib.sh"

# done_by GBIT BYTES NAME: all flows are complete by twice the time that the link needs
done_by() {
	local d
	d=$(find "$LAB_OUT/$3" -name flows.csv)
	awk -F, -v gbit="$1" -v all="$2" '$1 == "id" { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{
			n++
			end = $c["start_ns"] + $c["fct_ns"]
			if (!$c["fct_ns"]) { print "flow " $1 " is not complete"; bad++ }
			if (end > last) last = end
		}
		END {
			most = 2 * all * 8 / gbit + 100000
			printf "%d flows, the last ends after %.2f ms, at most %.2f\n", n, last / 1e6, most / 1e6
			exit bad || !n || last > most
		}' "$d"
}

# lengths NAME CC GBIT MTU CHUNK
lengths() {
	LAB_DIR=$LAB_OUT/$1 lab_run dumbbell --cc "$2" --set n=2 --set rate="${3}gbit" --set size=3mb \
		--set mtu="$4" --set chunk="$5" --set limit=50ms && done_by "$3" 6000000 "$1"
}

# Messages of one byte on an idle path, and the flows on the same queue pairs.
byte_first() {
	local i
	{
		echo id,src,dst,bytes,start_ns
		for i in 0 1 2 3; do
			echo "$i,l$((i % 2)),r$((i % 2)),$((i < 2 ? 1 : 3000000)),$((i < 2 ? i * 20000 : 100000))"
		done
	} >"$LAB_OUT/byte.csv"
	LAB_DIR=$LAB_OUT/$1 lab_run dumbbell --cc "$2" --set n=2 --set rate=10gbit --set qp=pair \
		--set flows_file="$LAB_OUT/byte.csv" --set limit=50ms && done_by 10 6000000 "$1"
}

# flat NAME OPTION...: the queue of the link while all flows send
flat() {
	local d
	LAB_DIR=$LAB_OUT/$1 lab_run dumbbell --cc rcc --knob rtt_window=1ms --set n=4 --set size=25mb \
		--set sample=5us "${@:2}" || return 1
	d=$LAB_OUT/$1/dumbbell/rcc/seed1
	awk -F, -v base="$(jq .knobs.base_rtt "$d/summary.json")" '
		FNR == 1 { delete c; for (i = 1; i <= NF; i++) c[$i] = i; next }
		FILENAME ~ /flows/ {
			end = $c["start_ns"] + $c["fct_ns"]
			if (!first || end < first) first = end
			next
		}
		$c["port"] == "sl-sr" && $c["t_ns"] >= 1e6 && $c["t_ns"] < first {
			third = int(3 * ($c["t_ns"] - 1e6) / (first - 1e6))
			sum[third] += $c["bytes"]
			n[third]++
		}
		END {
			a = sum[0] / n[0]
			z = sum[2] / n[2]
			most = 1.5 * 0.1 * base * 12.5 + 4 * 1154
			printf "mean queue %d bytes, then %d, at most %d\n", a, z, most
			exit !(z <= 1.5 * a + 4 * 1154 && z <= most)
		}' "$d/flows.csv" "$d/queues.csv"
}

# state NAME CC FLOW VARIABLE: its last value
state() {
	awk -F, -v f="$3" -v name="$4" '$2 == f && $3 == name { v = $4 } END { print v + 0 }' \
		"$LAB_OUT/$1/clock/$2/seed1/state.csv"
}

side() {
	local q
	LAB_DIR=$LAB_OUT/side lab_run clock --cc rcc,rcc:side=0 --knob base_rtt=0 --set clock_offset=1ms \
		--set size=15mb --set sample=10us --set window_from=1ms --set window_to=2ms || return 1
	is "$(state side rcc 0 side)" == 1 &&
		is "$(state side rcc:side=0 0 side)" == 0 &&
		is "$(state side rcc 0 pid_entries)" ">=" 1 || return 1
	q=$(LAB_DIR=$LAB_OUT/side lab_get clock/rcc/1 '.window.ports["sl-sr"].queue_bytes.mean')
	awk -v q="$q" 'BEGIN { print "mean queue", q; exit !(q <= 1.5 * 0.1 * 12000 * 12.5 + 4 * 1154) }'
}

round() {
	local q
	LAB_DIR=$LAB_OUT/round lab_run dumbbell --cc rcc --set n=2 --set rate=1gbit --set mtu=4096 --set size=2mb \
		--set first=1b --knob base_rtt=0 --set limit=200ms && done_by 1 4000000 round || return 1
	q=$(LAB_DIR=$LAB_OUT/round lab_get dumbbell/rcc/1 .bottleneck.queue_bytes.mean)
	awk -v q="$q" 'BEGIN {
		t_ns = 3 * (4178 + 90) * 8 + 6000
		most = 1.5 * 0.1 * t_ns * 0.125 + 4 * 4178
		printf "mean queue %d, at most %d\n", q, most
		exit !(q <= most)
	}'
}

ktap_print_header
ktap_check "10 Gbit/s, a byte behind each 64 packets" lengths a rcc 10 1024 65537
ktap_check "the same with side=1" lengths as rcc:side=1 10 1024 65537
ktap_check "25 Gbit/s" lengths b rcc 25 1024 65537
for gbit in 25 40 100; do
	ktap_check "$gbit Gbit/s, packets of 4096" lengths c$gbit rcc $gbit 4096 262145
done
ktap_check "a message of one byte first" byte_first d rcc
ktap_check "the same with side=1" byte_first ds rcc:side=1
ktap_check "a queue that stands is no idle path" flat e
ktap_check "nor at a round trip of 12 us" flat f --set delay=1900ns
ktap_check "clocks of their own, no round trip given" side
ktap_check "a byte first, then full packets: rounds of their length" round
ktap_finished
