#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: Dart's direct apportioning of sending rates (DASR) at both ends and at one: what is told,
#   whose congestion it is, DCQCN where the other end has something else; WRITE, SEND and READ of
#   one host
#
# DASR between two hosts of which both have it, or one: the values that the sender gets, the
# type of congestion, and that a flow whose other end runs another algorithm uses DCQCN.
#
# The link to the receiver is half as fast as the sender, and marks. The receiver knows its
# own speed, so that link is its line, and marks mean congestion at the receiver.
set -u
# shellcheck source=selftests/lib/int_lib.sh
. "$(dirname "$0")/../lib/int_lib.sh"
[ "${1:-}" = inside ] || int_uml

# both R1 R2: algorithms
both() {
	cc r1 line_rate=100000000000 base_rtt=4200 algo="$1" &&
		cc r2 line_rate=50000000000 base_rtt=4200 algo="$2"
}

# The last link: 50 Gbit/s, and it marks.
slow_link() {
	local p
	for p in 0 3; do
		tc -n sw qdisc change dev p2 root roce rate 50gbit prio $p ecn enqueue kmin 20kb kmax 20kb ||
			return
	done
}

# 25 MB are 4 ms at 50 Gbit/s.
write='{"src":"r1","dst":"r2","bytes":25000000,"op":"write","verify":true}'

# r2 receives all three: two that r1 sends, and one that it reads from r1.
three='{"src":"r1","dst":"r2","bytes":10000000,"op":"write","verify":true},
	{"src":"r1","dst":"r2","bytes":10000000,"op":"send","verify":true},
	{"src":"r2","dst":"r1","bytes":10000000,"op":"read","verify":true}'

# shellcheck disable=SC2154 # $work: rxe_lib.sh
# look FILTER: until it is so; gives up after 10 ms. A filter has the queue pairs of r1 as
# $s, those of r2 as $r.
look() {
	local i
	for ((i = 0; i < 50; i++)); do
		sleep 0.0002
		"$rxecc" -j -d qp show >"$work/qp"
		jq "map(select(.dev == \"r1\")) as \$s | map(select(.dev == \"r2\")) as \$r | $1" \
			"$work/qp" >"$work/saw"
		[ "$(cat "$work/saw")" != true ] || return
	done
}

# sees FLOWS FILTER: it becomes so while FLOWS are under way
sees() {
	look "$2" &
	run_flows '"gid":"ipv4","mtu":1024' "$1" && wait || return
	[ "$(cat "$work/saw")" = true ] && return
	jq -c '.[] | [.dev, .algo, .rate_bps, .peer_caps, .state]' "$work/qp"
	return 1
}

# shellcheck disable=SC2016 # $s and $r are of the filter
{
ktap_print_header
ktap_check "hosts and switch" make_net
ktap_check "a link of 50 Gbit/s to the receiver" slow_link
ktap_check "dart at both ends" both dart dart
ktap_check "the sender is told n and the receiver's line, and goes by it" sees "$write" \
	'($s | any(.state.n == 1 and .state.receiver_bps == 50e9 and .rate_bps == 50e9)) and
	($r | any(.state.told_n == 1 and (.peer_caps | index("obeys"))))'
ktap_check "the line is full: marks are the receiver's, CNPs are held back" sees "$write" \
	'($s | any(.rate_bps == 50e9 and .state.cnps == 0)) and ($r | any(.state.congestion == 1 and .state.cnps_held > 100))'
ktap_check "WRITE, SEND and READ of one host: one sender, three queue pairs" sees "$three" \
	'($s | length == 3 and all(.state.n == 1 and .state.peer_flows == 3 and .rate_bps <= 50e9 / 3)) and
	($r | all(.state.told_n == 1))'
ktap_check "r2 has none" both dart none
ktap_check "the sender is told nothing, and stays at line rate" sees "$write" \
	'$s | any(.state.n == 0 and .rate_bps == 100e9 and .counters.tx_packets > 10000)'
ktap_check "r2 has dcqcn" both dart dcqcn
ktap_check "the sender is told nothing, and runs DCQCN" sees "$write" \
	'$s | any(.state.n == 0 and .state.cnps > 0 and .rate_bps < 100e9)'
ktap_check "r1 has dcqcn" both dcqcn dart
ktap_check "which does not go by n, so it gets CNPs" sees "$write" \
	'($s | any(.state.cnps > 0 and .rate_bps < 100e9)) and
	($r | any(.state.cnps_held == 0 and (.peer_caps | index("obeys") | not)))'
ktap_finished
}
