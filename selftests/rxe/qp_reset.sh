#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a queue pair that is reset and connected again: rate and window are those of a new one
#
# A queue pair that is reset begins as a new one: its rate and window are those of the start,
# whatever the connection before has learned, and packets of the new connection, whose
# numbers are far from the old ones, are believed.
#
# A device that takes its line for 10 Gbit/s sends through a port of 1 Gbit/s. HPCC's window
# is then a tenth of the first one, or a little less, both times; less than a fifth is asked for.
set -u
# shellcheck source=selftests/lib/int_lib.sh
. "$(dirname "$0")/../lib/int_lib.sh"

reset=$RXE_CC_BUILD/selftests/rxe_reset
if [ "${1:-}" != inside ]; then
	ktap_compile rxe_reset "$RXE_CC_TOP/selftests/rxe/rxe_reset.c" -libverbs
	int_uml "rxe_cc_hpcc"
fi

setup() {
	make_net && tc -n h1 qdisc replace dev v1 root roce rate 1gbit delay 1us int on &&
		"$rxecc" dev set r1 knob line_rate=10gbit int=1 base_rtt=100us algo hpcc &&
		"$rxecc" dev set r2 knob int=1 algo hpcc
}

# say COMMAND: to rxe_reset, until it is done
say() {
	local answer
	echo "$1" >&"${pair[1]}" && read -r -t 60 answer <&"${pair[0]}" && [ "$answer" = "done" ]
}

figures() {
	"$rxecc" -j qp show | jq -c '.[] | select(.dev == "r1") | [.rate_bps, .cwnd_bytes]'
}

# first_packets: with telemetry, of the first message; the peer has yet to say that it takes it
first_packets() {
	local before
	sleep 0.02
	before=$(counter r1 int_sent)
	say "write 10000" || return
	sleep 0.02
	echo $(($(counter r1 int_sent) - before))
}

# again PSN: connected with 1000, used, reset, connected with PSN, and used
again() {
	local first used second last int
	coproc pair { "$reset" r1 r2; }
	say "connect 1000" && first=$(figures) && int=$(first_packets) &&
		say "write 4000000" && used=$(figures) && say reset && say "connect $1" &&
		second=$(figures) && int+=", $(first_packets)" && say "write 4000000" &&
		last=$(figures) || return 2
	echo "new $first, used $used, reset $second, used again $last; of the first message $int with telemetry"
	[ "$second" = "$first" ] && [ "$int" = "0, 0" ] && jq -en --argjson a "$first" \
		--argjson b "$used" --argjson c "$last" '$b[1] * 5 < $a[1] and $c[1] * 5 < $a[1]' >/dev/null
}

ktap_print_header
ktap_check "hosts" setup
ktap_check "a queue pair that is reset begins as a new one" again 1000
ktap_check "... with other packet numbers" again 9000000
ktap_finished
