#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the marked fraction at constant queues against the ramp; `FULL=1`: over 100 k packets each;
#   packets that are not ECT
#
# Which part of the packets is marked at a queue of constant length, beside the
# ramp: kmin 100 KB, kmax 500 KB, pmax 0.5.
#
# Two senders at line rate with a window of U + 1 packets each (rxe lets one more
# than max_unacked out) and an ACK for every packet keep 2 (U + 1) packets in the
# loop. The idle loop holds LOOP of them: four links of 5 us, two full packets of
# 1106 bytes and two ACKs of 86 to serialise, at 88.48 ns a packet, and the packet that
# is judged, as it joins the queue or leaves it. The rest waits at the switch: so the queue is
# known to a packet, which is 0.14 points on this ramp.
# DCQCN is there only because it sends ECT(0): its rates may not fall below the line's.
#
# While the windows open the queue grows from 0 by a packet for each that leaves;
# while they close it falls. Marked by the queue met, 2 q of the N packets see it
# grow (two arrive per departure); marked by the queue left behind, q see it grow
# and q fall. Either way 2 q packets see all lengths up to q, each as often.
#
# Bound: 1 point. Of N packets sqrt(p (1 - p) / N) is the standard deviation of the
# fraction: below 0.35 points for 20480 (quick), below 0.16 for 102400 (FULL=1), at
# p = 1/2. The seed is fixed: what passes once passes always.
. "$(dirname "$0")/../lib/lab_lib.sh"

FULL=${FULL:-}
MB=10
[ -z "$FULL" ] || MB=50
KMIN=100000
KMAX=500000
PMAX=0.5
LOOP=229
RAMP="--set kmin=${KMIN}b --set kmax=${KMAX}b --set pmax=$PMAX"

# held DIR CC UNACKED OPTION...: the run, in DIR
held() {
	local dir=$1 cc=$2 unacked=$3
	shift 3
	# shellcheck disable=SC2086
	LAB_DIR=$dir lab_run incast --cc "$cc" --set n=2 --set size=${MB}mb --set delay=5us \
		--set max_unacked="$unacked" --set max_skbs=8192 --set ack_every=1 \
		--set min_rate=100gbit --set sample=50us $RAMP "$@"
}

# is_queue DIR CC PACKETS: that is what the port had, within two packets; each
# 64th is a first packet of a message and 16 bytes longer
is_queue() {
	local got
	got=$(LAB_DIR=$1 lab_get "incast/$2/1" .bottleneck.queue_bytes.p50)
	echo "queue $got bytes, expected $(($3 * 1106))"
	is "$got" ">=" $((($3 - 2) * 1106)) && is "$got" "<=" $((($3 + 2) * 1106 + ($3 / 64 + 1) * 16))
}

# marked AT UNACKED
marked() {
	local at=$1 unacked=$2 dir=$LAB_OUT/$1.$2 q n marks
	q=$((2 * (unacked + 1) - LOOP))
	held "$dir" dcqcn "$unacked" --set ecn=on --set ecn_at="$at" \
		--param np_min_time_between_cnps=131ms || return 1
	marks=$(LAB_DIR=$dir lab_get incast/dcqcn/1 .bottleneck.ecn_marked)
	n=$(LAB_DIR=$dir lab_get incast/dcqcn/1 .data_packets)
	is_queue "$dir" dcqcn $q &&
		is "$n" "==" $((MB * 2048)) &&
		is "$(LAB_DIR=$dir lab_get incast/dcqcn/1 .retransmits)" "==" 0 &&
		awk -v q=$((q * 1106)) -v kmin=$KMIN -v kmax=$KMAX -v pmax=$PMAX -v n="$n" \
			-v marks="$marks" -v at="$at" -v table="$LAB_OUT/table" '
		BEGIN {
			if (q <= kmin)
				ramp = ends = 0
			else if (q <= kmax) {
				ramp = pmax * (q - kmin) / (kmax - kmin)
				ends = ramp / 2 * (q - kmin) / q
			} else {
				ramp = 1
				ends = (pmax / 2 * (kmax - kmin) + q - kmax) / q
			}
			share = 2 * q / 1106 / n
			want = ramp * (1 - share) + ends * share
			got = marks / n
			row = sprintf("%-8s queue %6d  packets %6d  ramp %6.2f %%  with the ends %6.2f %%  marked %6.2f %%  off %+.2f", at, q, n, 100 * ramp, 100 * want, 100 * got, 100 * (got - want))
			print row
			print row >>table
			exit !(got - want <= 0.01 && want - got <= 0.01)
		}'
}

# Packets that are not ECT: cc none sends those. Half of the ramp, and above it.
not_ect_passes() {
	local dir=$LAB_OUT/pass
	held "$dir" none 250 --set ecn=on || return 1
	is_queue "$dir" none $((502 - LOOP)) &&
		is "$(LAB_DIR=$dir lab_get incast/none/1 .bottleneck.ecn_marked)" "==" 0 &&
		is "$(LAB_DIR=$dir lab_get incast/none/1 '.ports["sw-r"].ecn_not_ect')" ">=" $((MB * 2048 / 10)) &&
		is "$(LAB_DIR=$dir lab_get incast/none/1 .drops.total)" "==" 0 &&
		is "$(LAB_DIR=$dir lab_get incast/none/1 .retransmits)" "==" 0
}

# The summary has every reason for which a port may lose a packet; that of a full wire only
# when there was such a loss (port/port_against_model.sh has one).
all_reasons() {
	diff <(LAB_DIR=$LAB_OUT/drop lab_get incast/none/1 '.drops | del(.total) | keys[]') \
		<(sed -n 's/^\tTCA_ROCE_PSTATS_DROP_\([A-Z_]*\),.*/\L\1/p' \
			"$(dirname "$0")/../../include/uapi/linux/pkt_sched_roce.h" | grep -vx wire_limit | sort)
}

# "drop": they are lost instead, and sent again; ECT ones are not.
not_ect_drops() {
	local dir=$LAB_OUT/drop
	held "$dir" none 250 --set ecn=on --set ecn_not_ect=drop --set size=1mb || return 1
	is "$(LAB_DIR=$dir lab_get incast/none/1 .bottleneck.ecn_marked)" "==" 0 &&
		is "$(LAB_DIR=$dir lab_get incast/none/1 .drops.not_ect)" ">=" 10 &&
		is "$(LAB_DIR=$dir lab_get incast/none/1 .drops.total)" "==" \
			"$(LAB_DIR=$dir lab_get incast/none/1 .drops.not_ect)" &&
		is "$(LAB_DIR=$dir lab_get incast/none/1 .retransmits)" ">=" 10 || return 1
	held "$LAB_OUT/ect" dcqcn 250 --set ecn=on --set ecn_not_ect=drop --set size=1mb \
		--param np_min_time_between_cnps=131ms &&
		is "$(LAB_DIR=$LAB_OUT/ect lab_get incast/dcqcn/1 .drops.total)" "==" 0 &&
		is "$(LAB_DIR=$LAB_OUT/ect lab_get incast/dcqcn/1 .bottleneck.ecn_marked)" ">=" 100
}

ktap_print_header
for at in enqueue dequeue; do
	# 10, 30, 50, 70 and 90 % of the ramp
	for unacked in 177 213 249 285 321; do
		ktap_check "$at, window of $unacked packets: marked fraction within 1 point" \
			marked $at $unacked
	done
	# 99 KB, below kmin, and 601 KB, above kmax
	ktap_check "$at, queue below kmin: no marks" marked $at 158
	ktap_check "$at, queue above kmax: all but the ends" marked $at 385
done
ktap_check "Not-ECT passes: never marked, counted" not_ect_passes
ktap_check "Not-ECT drops: lost, ECT marked" not_ect_drops
ktap_check "drops by every reason that ports know" all_reasons
[ -z "$FULL" ] || ktap_print_msg "$(cat "$LAB_OUT/table")"
ktap_finished
