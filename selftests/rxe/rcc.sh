#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: RCC (receiver-driven congestion control) at one end only, and that it says so; WRITE, SEND
#   and READ to one port; messages shorter than a packet and longer than a window
#
# On one link of 100 Gbit/s eta of the line is given out: 95 Gbit/s among the queue pairs that
# have a message in flight.
set -u
# shellcheck source=selftests/lib/int_lib.sh
. "$(dirname "$0")/../lib/int_lib.sh"
[ "${1:-}" = inside ] || int_uml

# both R1 R2: algorithms
both() {
	cc r1 line_rate=100000000000 int=1 base_rtt=4200 clock_common=1 algo="$1" &&
		cc r2 line_rate=100000000000 int=1 base_rtt=4200 clock_common=1 algo="$2"
}

# shellcheck disable=SC2154 # $work: rxe_lib.sh
# look DEVICE FILTER: until the queue pairs of DEVICE say so
look() {
	local i
	for ((i = 0; i < 20; i++)); do
		sleep 0.0005
		"$rxecc" -j -d qp show >"$work/qp"
		jq -c "[.[] | select(.dev == \"$1\")] | $2" "$work/qp" >"$work/saw"
		[ "$(cat "$work/saw")" != true ] || return
	done
}

# sees DEVICE FILTER FLOWS: what the queue pairs of DEVICE say in the middle of FLOWS
sees() {
	look "$1" "$2" &
	run_flows '"gid":"ipv4","mtu":1024' "$3" && wait || return
	[ "$(cat "$work/saw")" = true ] && return
	jq -c ".[] | select(.dev == \"$1\")" "$work/qp"
	return 1
}

# r1 writes 128 MB to r2: 12 ms
write='{"src":"r1","dst":"r2","bytes":128000000,"op":"write","verify":true}'

# Each flow of a mix is a queue pair of its own. r2 receives three: two that r1 sends and one
# that it reads from r1.
three='{"src":"r1","dst":"r2","bytes":50000000,"op":"write","verify":true},
	{"src":"r1","dst":"r2","bytes":50000000,"op":"send","verify":true},
	{"src":"r2","dst":"r1","bytes":50000000,"op":"read","verify":true}'

# shares TOLERANCE: rates of the three flows are equal, and 95 Gbit/s in sum
shares() {
	awk -F, -v tol="$1" '
	$1 == "id" { for (i = 1; i <= NF; i++) col[$i] = i; next }
	{ r[n++] = $col["bytes"] * 8 / $col["fct_ns"]; sum += r[n - 1] }
	END {
		# The payload of 1024 takes 1130 bytes, or with a READ up to 1134.
		want = 95 * 1024 / 1131 / n
		for (i = 0; i < n; i++) {
			printf "flow %d: %.2f Gbit/s, its share is %.2f\n", i, r[i], want
			if (r[i] < want * (1 - tol) || r[i] > want * (1 + tol)) bad = 1
		}
		exit bad
	}' "$work/out/flows.csv"
}

# Many messages of less than a packet, and a long one: the short ones are not in its way.
short_and_long() {
	run_flows '"gid":"ipv4","mtu":1024' \
		'{"src":"r1","dst":"r2","bytes":100000,"chunk_bytes":100,"op":"send","verify":true},
		{"src":"r1","dst":"r2","bytes":30000000,"chunk_bytes":30000000,"op":"write","verify":true}'
}

ktap_print_header
ktap_check "hosts and switch" make_net
ktap_check "rcc at both ends" both rcc rcc
ktap_check "the sender is told, and has its share" \
	sees r1 'any(.state.told == 1 and .rate_bps > 94e9 and .rate_bps < 96e9)' "$write"
ktap_check "the receiver counts one message" \
	sees r2 'any(.state.rx_n == 1 and .state.pid_entries == 0)' "$write"
ktap_check "WRITE, SEND and READ to one port: three messages" \
	sees r2 'length == 3 and all(.state.rx_n == 3)' "$three"
ktap_check "... with a third each" shares 0.03
ktap_check "messages of 100 bytes beside one of 30 MB" short_and_long
for peer in none dcqcn; do
	ktap_check "r2 has $peer" both rcc $peer
	ktap_check "r1 is told nothing, and stays at line rate with a window of it" \
		sees r1 'any(.state.told == 0 and .counters.tx_packets > 1000 and .rate_bps == 100e9 and .cwnd_bytes == 52500)' "$write"
	ktap_check "r1 has $peer, r2 rcc" both $peer rcc
	ktap_check "the transfer completes" run_flows '"gid":"ipv4","mtu":1024' "$write"
done
ktap_check "r2 has none" both rcc none
ktap_check "... which shows as fall-back" sees r1 'any(.telemetry == "fallback")' "$write"
ktap_finished
