#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: each packet of a paced flow within 1 ns of the ideal schedule; windows down to a quarter of
#   a packet; both window rules
#
# The pacer and the window, with algorithm "fixed", packet by packet: arrivals at
# the sender's port, from the qdisc's trace point, against the ideal schedule.
#
# A packet leaves at the first ns that is not before its time on the schedule,
# so none may be off by more than 1 ns, and the errors must not add up.
. "$(dirname "$0")/../lib/ktap_helpers.sh"
. "$(dirname "$0")/../lib/guest_two.sh"

MODULES='rxe_cc rxe_cc_fixed rdma_rxe sch_roce'

# Inside the lab kernel: guest NAME=VALUE... prints arrival times.
if [ "${1:-}" = guest ]; then
	shift
	bytes=$1
	shift
	guest_two
	for i in 0 1; do
		rxecc dev set r$i algo fixed knob line_rate=100gbit knob min_rate=1kbit "$@" || exit 1
	done
	trace_on roce/roce_enqueue
	guest_send "$bytes" >/run/flowgen.log || exit 1
	awk -F, 'NR == 2 { print "status", $9, "fct_ns", $8 }' /run/fg/flows.csv
	grep 'wire_bytes=1[0-9][0-9][0-9]' /sys/kernel/tracing/trace |
		sed 's/.* t_ns=\([0-9]*\) .* wire_bytes=\([0-9]*\) .*/arrival \1 \2/'
	exit 0
fi

run() {
	"$UML_EXEC" --modules "$MODULES" --timeout 200 \
		--env RXE_CC_BUILD="$RXE_CC_BUILD" -- "$(realpath "$0")" guest "$@"
}

# spacing BYTES RATE_BPS MAX_NS: every arrival within MAX_NS of the schedule,
# mean rate within 0.1 %
spacing() {
	run "$1" param "rate=$2" | awk -v rate="$2" -v max="$3" '
		$1 == "status" && $2 != "ok" { print "the flow failed"; bad = 1 }
		$1 != "arrival" { next }
		n++ < 1 { t0 = $2; bytes = 0; last = $3; next }
		{
			bytes += last; last = $3
			off = $2 - t0 - bytes * 8e9 / rate
			if (off < -max || off > max) {
				if (!bad++) print "packet " n " is off by " off " ns"
			}
			t = $2
		}
		END {
			if (n < 1000) { print "only " n " packets"; exit 1 }
			got = bytes * 8e9 / (t - t0)
			printf "%d packets, %.4f of the rate\n", n, got / rate
			if (got < rate * 0.999 || got > rate * 1.001) bad++
			exit bad > 0
		}'
}

# A quarter of a packet of window: one packet every four round trips, no
# retransmission. Round trip of the idle link: 2 us of delay, serialisation of
# the packet (88.5 ns) and of its ACK (66 bytes of payload and headers, 6.9 ns).
quarter_window() {
	run 65536 param rate=100gbit param window=277 | awk '
		$1 == "status" && $2 != "ok" { print "the flow failed"; bad = 1 }
		$1 != "arrival" { next }
		n++ > 1 { gap = $2 - last; sum += gap; if (gap > max) max = gap }
		{ last = $2 }
		END {
			mean = sum / (n - 2)
			want = 2095 * 1106 / 277
			printf "%d packets, mean gap %.0f ns, expected %.0f, max %d\n", n, mean, want, max
			if (n != 64) { print "not 64 packets: sent again?"; bad = 1 }
			if (mean < want * 0.98 || mean > want * 1.02 || max > want * 1.1) bad = 1
			exit bad
		}'
}

# So slow that the retransmission timeout (67 ms) is over before the next packet
# leaves: each must ask for an ACK, else each is sent again.
slow() {
	run 32768 param rate=100kbit | awk '
		$1 == "status" && $2 != "ok" { print "the flow failed"; bad = 1 }
		$1 == "arrival" { n++ }
		END {
			print n " packets of 32"
			exit bad || n != 32
		}'
}

# window_rate BYTES PACKETS OPTION...: so many packets a round trip
window_rate() {
	run 1048576 param rate=100gbit param window="$1" "${@:3}" | awk -v pkts="$2" '
		$1 != "arrival" { next }
		n++ == 200 { t0 = $2; c = n }
		n > 200 { t = $2 }
		END {
			got = (n - c) / (t - t0)
			want = pkts / 2096
			printf "%.4f packets per us, expected %.4f\n", got * 1000, want * 1000
			exit !(got > want * 0.99 && got < want * 1.01)
		}'
}

ktap_print_header
ktap_check "37 Gbit/s: every packet within 1 ns of the schedule" spacing 4194304 37000000000 1.01
ktap_check "1 Gbit/s: every packet within 1 ns of the schedule" spacing 2097152 1000000000 1.01
ktap_check "99.9 Gbit/s: every packet within 1 ns of the schedule" spacing 4194304 99900000000 1.01
ktap_check "100 kbit/s: nothing is sent twice" slow
ktap_check "a window of a quarter packet: one packet in four round trips" quarter_window
ktap_check "a window of one packet: one packet a round trip" window_rate 1106 1
ktap_check "a window of 7.5 packets: seven packets a round trip" window_rate 8295 7
ktap_check "... eight when a packet need not fit" window_rate 8295 8 param fill_window=1
ktap_check "a window of seven packets: seven also then" window_rate 7742 7 param fill_window=1
ktap_check "a window of one byte: one packet a round trip then" window_rate 1 1 param fill_window=1
ktap_finished
