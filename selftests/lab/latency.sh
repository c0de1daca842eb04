#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a round trip is the sum of delays and serialisation, within 20 ns
#
# A 64 byte SEND there and back takes what delays and serialisation add up to:
# 146 bytes on the wire, store and forward at the switch, two links of 1 us each
# way; and each message leaves its host right behind the ACK of the other, of 86
# bytes. Bound: 20 ns, for rounding up to ns at each port and for clock
# reads of rxe and of the program, 1 ns of virtual time each.
. "$(dirname "$0")/../lib/lab_lib.sh"

# round_trip NAME RATE_GBIT LINKS OPTION...
round_trip() {
	local gbit=$2 links=$3 want got dir=$LAB_OUT/$1
	shift 3
	LAB_DIR=$dir lab_run latency --cc none --set rate="${gbit}gbit" \
		--set iterations=200 "$@" || return 1
	want=$(awk -v r="$gbit" -v l="$links" 'BEGIN { print 2 * (l * (1000 + 146 * 8 / r) + 86 * 8 / r) }')
	got=$(LAB_DIR=$dir lab_get latency/none/1 .latency.rtt_ns.p50)
	echo "p50 $got ns, expected $want"
	is "$got" ">=" "$(awk -v w="$want" 'BEGIN { print w - 20 }')" &&
		is "$got" "<=" "$(awk -v w="$want" 'BEGIN { print w + 20 }')"
}

ktap_print_header
ktap_check "10 Gbit/s through a switch: sum of the path within 20 ns" round_trip a 10 2
ktap_check "100 Gbit/s through a switch: sum of the path within 20 ns" round_trip b 100 2
ktap_check "100 Gbit/s, one link: sum of the path within 20 ns" round_trip c 100 1 --set direct=on
ktap_finished
