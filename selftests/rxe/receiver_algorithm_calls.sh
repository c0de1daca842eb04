#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: what a receiver's algorithm hears of: every packet of data once, in order
#
# The calls that a receiver's algorithm gets: one for every packet of data, in order, with
# the operation and the length of its message; also if packets are lost, sent
# again or arrive twice. A mark on a packet that rxe drops causes no CNP.
set -u
# shellcheck source=selftests/lib/rxe_lib.sh
. "$(dirname "$0")/../lib/rxe_lib.sh"
[ "${1:-}" = inside ] ||
	rxe_test_uml "rxe_cc rdma_rxe rxe_cc_fixed rxe_cc_dcqcn rxe_cc_testalg"

testalg=/sys/module/rxe_cc_testalg/parameters
MESSAGES=20
CHUNK=10240	# ten packets of MTU 1024
BYTES=$((MESSAGES * CHUNK))

# now: kinds, starts, ends, lengths and gaps so far
now() { paste -sd ' ' "$testalg"/data_{packets,starts,ends,msg_bytes,gaps}; }

# heard OP KINDS STARTS LENGTHS: one transfer from r1 to r2. KINDS: packets of each
# operation, as the algorithm lists them: SEND, WRITE, READ request, READ response,
# atomic, other. A message has ten packets; a READ also has its request, which is a
# message of one packet.
heard() {
	local before after
	before=$(now)
	run_flows "\"verify\":true,\"mtu\":1024,\"timeout\":10,\"chunk_bytes\":$CHUNK,\"op\":\"$1\"" \
		"{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":$BYTES}" || return
	after=$(now)
	awk -v a="$before" -v b="$after" -v want="$2 $3 $3 $4 0" 'BEGIN {
		n = split(a, x, /[ ,]/); split(b, y, /[ ,]/); split(want, w, /[ ,]/)
		for (i = 1; i <= n; i++) {
			got = got (i > 1 ? " " : "") y[i] - x[i]
			bad += y[i] - x[i] != w[i]
		}
		print "heard " got ", expected " want
		exit bad > 0 }'
}

# all: READs ask once more after a loss: then their requests, and the messages that
# these are, are not told apart from what was asked for first, so only without losses.
all() {
	local n=$((MESSAGES * 10))
	ktap_check "$1: SENDs, whose length no header tells" heard send "$n,0,0,0,0,0" $MESSAGES 0
	ktap_check "$1: WRITEs" heard write "0,$n,0,0,0,0" $MESSAGES $BYTES
}

# A forger outside the connection: 200 WRITE packets with wrong PSNs, all marked, in
# the middle of a transfer that takes longer than they do.
marked_forgeries() {
	local before pid
	before=$(counter r2 np_cnp_sent)
	ip netns exec h1 timeout 60 "$rxe_report" marked v1 200 &
	pid=$!
	sleep 0.05
	run_flows '"verify":true,"mtu":1024,"timeout":10,"chunk_bytes":10240,"op":"write"' \
		'{"src":"r1","dst":"r2","bytes":16000000}' || return
	wait $pid || return
	sleep 0.05
	echo "CNPs: $(($(counter r2 np_cnp_sent) - before))"
	[ "$(counter r2 np_cnp_sent)" -eq "$before" ]
}

ktap_print_header
ktap_check "two hosts" make_hosts rate 10gbit delay 1us limit 10000
ktap_check "the algorithm" eval 'knob int 2 && algorithm testalg'
ktap_check "it asks for no telemetry" parameter int_mode 3
all "no losses"
ktap_check "no losses: READs" heard read \
	"0,0,$MESSAGES,$((MESSAGES * 10)),0,0" $((2 * MESSAGES)) $((2 * BYTES))
for n in 1 2; do
	tc -n h$n qdisc replace dev v$n root netem rate 10gbit delay 1us limit 10000 \
		loss 2% duplicate 2%
done
all "2 % lost, 2 % twice"
for n in 1 2; do
	tc -n h$n qdisc replace dev v$n root netem rate 10gbit delay 1us limit 10000
done
algorithm dcqcn
ktap_check "marks on forged packets cause no CNP" marked_forgeries
ktap_check "they go" remove_hosts
ktap_finished
