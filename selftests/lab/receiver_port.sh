#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: messages in flight as the core counts them against flows.csv, packet by packet: eight
#   WRITEs, SENDs, READs that begin and end one by one
#
# Messages in flight as a receiver's core counts them (column rx_msgs of events.csv), against
# those that there are by flows.csv. hpccpp with n_auto has a flow counted until nothing has come
# from it for n_expiry, 50 us here, so its gaps must be below that and its end is over n_expiry
# later than the flow's.
#
# Flows begin and end one by one. At 10 Gbit/s with delays of 1 us per link a packet of MTU
# 1024 takes 5 us to the receiver, and so does the ACK back; a READ's data needs a request
# before. What stands in queues comes on top: at most BDP / 20 here once flows share (algo/join_convergence.sh),
# but all flows start at line rate: with eight of them eight windows of a round trip, 80 us in
# all. So a flow is there for sure from 100 us after its start to 20 us before its end, and
# gone for sure 60 us after its end. In between nothing is asserted, at any other time the
# count must be right with every packet.
. "$(dirname "$0")/../lib/lab_lib.sh"

[ -e "$RXE_CC_BUILD/uml-lab/rxe_cc_events.ko" ] || ktap_skip_all "rxe_cc_events is not built"

CC=hpccpp:preset=fair:n_expiry=50us

# Eight flows, 500 us apart, over four to eight ms.
staggered() {
	LAB_DIR=$LAB_OUT/$1 lab_run four --cc "$CC" --events --set n=8 --set op="$1" \
		--set stagger=500us --set size=800kb --set rate=10gbit --set jitter=20us
}

# truth OP: compare each packet with flows.csv
truth() {
	local dir=$LAB_OUT/$1/four/$CC/seed1
	awk -F, '
	$1 == "id" { for (i = 1; i <= NF; i++) col[$i] = i; next }
	FNR == NR {
		start[n + 0] = $col["start_ns"]
		end[n++] = $col["start_ns"] + $col["fct_ns"]
		next
	}
	$1 == "t_ns" { for (i = 1; i <= NF; i++) ev[$i] = i; next }
	/^#/ || $ev["event"] != "data" || !$ev["rx_msgs"] { next }
	{
		t = $ev["t_ns"] + 0
		sure = 0
		for (i = 0; i < n; i++) {
			if (t < start[i] || t > end[i] + 60000)
				continue
			if (t < start[i] + 100000 || t > end[i] - 20000)
				next
			sure++
		}
		rows++
		seen[sure]++
		if ($ev["rx_msgs"] != sure || $ev["rx_senders"] != sure) {
			if (bad++ < 5)
				printf "at %d ns: %d messages, %d senders, there are %d\n", t, $ev["rx_msgs"], $ev["rx_senders"], sure
		}
	}
	END {
		for (i in seen)
			kinds++
		printf "%d packets, %d wrong, %d different numbers\n", rows, bad, kinds
		exit !(rows > 1000 && !bad && kinds >= 3)
	}' "$dir/flows.csv" "$dir/events.csv"
}

ktap_print_header
for op in write send read; do
	ktap_check "$op: eight flows" staggered "$op"
	ktap_check "$op: N is right with every packet" truth "$op"
done
ktap_finished
