#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: thousands of queue pairs on a device: dumps, look-up by number; the line rate follows the
#   link
#
# Thousands of queue pairs on a device: a reader with a small buffer sees each once in a
# dump, as one with a large buffer does, and each is found by its number; a dump of
# algorithms ends for it too. The line rate follows the link. Times are printed, not judged.
set -u
# shellcheck source=selftests/lib/rxe_lib.sh
. "$(dirname "$0")/../lib/rxe_lib.sh"

counts="10 1000"
[ "${FULL:-0}" = 0 ] || counts="10 1000 10000"
counts=${COUNTS:-$counts}
scale=$RXE_CC_BUILD/selftests/rxe_scale

if [ "${1:-}" != inside ]; then
	ktap_compile rxe_scale "$RXE_CC_TOP/selftests/rxe/rxe_scale.c" -libverbs -lmnl
	rxe_test_uml "rxe_cc rdma_rxe rxe_cc_dcqcn" --env "COUNTS=$counts"
fi

scaled() {
	local n
	algorithm "$1" || return 1
	# shellcheck disable=SC2086 # a list
	"$scale" r1 $counts >"$work/out" 2>&1 || { cat "$work/out"; return 1; }
	n=$(wc -w <<<"$counts")
	[ "$(wc -l <"$work/out")" -eq "$n" ]
}

# What rxe_scale found, as comments.
figures() {
	ktap_print_msg "$1: queue pairs; cycles for each: made, dumped 4 KB, dumped 32 KB, found, destroyed"
	while read -r row; do ktap_print_msg "$row"; done <"$work/out"
}

rate_of() { "$RXE_CC_BUILD/bin/rxecc" -j dev show "$1" | jq '.[0].line_rate_bps'; }
rate_is() { [ "$(rate_of rb)" = "$1" ]; }

bridge() {
	ip -n h1 link add br0 type bridge && ip -n h1 link set br0 up &&
		ip -n h1 link add va type veth peer name vb && ip -n h1 link set vb up &&
		ip netns exec h1 rdma link add rb type rxe netdev br0
}

ktap_print_header
ktap_check "two hosts" make_hosts rate 10gbit delay 1us limit 10000
ktap_check "many queue pairs without an algorithm" scaled none
figures none
ktap_check "many queue pairs under dcqcn" scaled dcqcn
figures dcqcn
ktap_check "a device over a bridge without ports" bridge
ktap_check "nobody knows how fast it is" wait_for 20 rate_is 100000000000
ktap_check "a port comes" eval 'ip -n h1 link set va master br0 && ip -n h1 link set va up'
ktap_check "the line rate follows" wait_for 50 rate_is 10000000000
ktap_check "the port goes" ip -n h1 link set va nomaster
ktap_check "the line rate follows again" wait_for 50 rate_is 100000000000
ktap_check "they go" remove_hosts
ktap_finished
