#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: lost packets do not kill a queue pair; every operation, over IPv4 and IPv6
#
# Packets dropped in the sender's own queue, or on the wire, do not kill a QP:
# every transfer ends and its data is right. And every operation, with and
# without an algorithm, over IPv4 and IPv6.
set -u
# shellcheck source=selftests/lib/rxe_lib.sh
. "$(dirname "$0")/../lib/rxe_lib.sh"
[ "${1:-}" = inside ] ||
	rxe_test_uml "rxe_cc rdma_rxe rxe_cc_fixed rxe_cc_dcqcn"

# both_ways OPTIONS BYTES
both_ways() {
	run_flows "$1" "{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":$2},
		{\"src\":\"r2\",\"dst\":\"r1\",\"bytes\":$2}"
}

lossy() {
	local a op
	for a in none fixed dcqcn; do
		algorithm $a
		for op in send write read; do
			ktap_check "$1: $op under $a" both_ways "\"verify\":true,
				\"timeout\":10,\"mtu\":1024,\"op\":\"$op\"" 1000000
		done
	done
}

every_operation() {
	local a gid op
	for a in none fixed dcqcn; do
		algorithm $a
		[ $a != fixed ] || parameter rate 37000000000
		for gid in ipv4 ipv6; do
			for op in send send_imm write write_imm read; do
				ktap_check "$op over $gid under $a" both_ways \
					"\"verify\":true,\"gid\":\"$gid\",\"mtu\":4096,\"op\":\"$op\"" 4000000
			done
			for op in fetch_add cmp_swap; do
				ktap_check "$op over $gid under $a" both_ways \
					"\"gid\":\"$gid\",\"op\":\"$op\"" 800
			done
			for op in send write; do
				ktap_check "UC $op over $gid under $a" both_ways \
					"\"transport\":\"uc\",\"gid\":\"$gid\",\"op\":\"$op\"" 1000000
			done
		done
	done
}

ktap_print_header
ktap_check "two hosts" make_hosts rate 100gbit delay 1us limit 10000
knob line_rate 100000000000
every_operation
for n in 1 2; do
	tc -n h$n qdisc replace dev v$n root netem rate 10gbit delay 1us limit 20
done
lossy "a queue of 20 packets"
ktap_check "... drops were counted" [ "$(counter r1 send_err)" -gt 0 ]
for n in 1 2; do
	tc -n h$n qdisc replace dev v$n root netem rate 10gbit delay 1us limit 10000 loss 1%
done
lossy "1 % lost"
ktap_check "they go" remove_hosts
ktap_finished
