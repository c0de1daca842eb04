#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: HPCC++ with delayed ACKs and telemetry on every packet: a few ACKs a window, no less goodput;
#   the receiver's look at what is not acknowledged makes the queue of an incast shorter
#
# A packet asks for an ACK for each eighth of the window. T is 12.2 us, so two flows share 140
# packets and the window of each is about 65: an ACK for 8 packets, where windows are even. One
# that has a quarter of the other's still has an ACK for 3 packets; half of the packets at most is
# far above that, and far below the ACK for each packet that there is without.
#
# Of 16 flows that begin at line rate each has 8 packets, which all ask: what is delayed there is the
# first round trip, with windows of W_init. delay_acks=1s is never reached: no packet is answered that
# does not ask. With 1 us senders hear earlier, so the queue is gone earlier: its mean is less.
. "$(dirname "$0")/../lib/lab_lib.sh"

CC=hpccpp,hpccpp:delay_acks=1s,hpccpp:delay_acks=1us
runs() {
	LAB_DIR=$LAB_OUT/$1 lab_run incast --cc $CC --set n="$1" --set size="$2" --set delay=3us \
		--set jitter=10us
}

get() { LAB_DIR=$LAB_OUT/$1 lab_get "incast/$2/1" "$3"; }
part() { awk -v a="$1" -v b="$2" 'BEGIN { print a / b }'; }

few_acks() {
	is "$(part "$(get 2 "$1" .ack_packets)" "$(get 2 "$1" .data_packets)")" "<=" 0.5
}
each_acked() { is "$(get 2 hpccpp .ack_packets)" ">=" "$(get 2 hpccpp .data_packets)"; }

# eta is 0.95; 3 points less, as for telemetry that comes more seldom (hpccpp.sh).
busy() { is "$(get 2 "$1" .bottleneck.utilization)" ">=" 0.91; }

shorter() {
	is "$(get 16 hpccpp:delay_acks=1us .bottleneck.queue_bytes.mean)" "<" \
		"$(get 16 hpccpp:delay_acks=1s .bottleneck.queue_bytes.mean)"
}

done_all() {
	local v
	for v in ${CC//,/ }; do is "$(get 16 "$v" .flows.completed)" "==" 16 || return 1; done
}

ktap_print_header
ktap_check "two flows" runs 2 16mb
ktap_check "each packet is acknowledged by default" each_acked
for v in delay_acks=1s delay_acks=1us; do
	ktap_check "$v: few packets are" few_acks "hpccpp:$v"
	ktap_check "$v: the line is busy" busy "hpccpp:$v"
done
ktap_check "sixteen flows" runs 16 2mb
ktap_check "all complete" done_all
ktap_check "with a look the mean queue is shorter" shorter
ktap_finished
