# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Netlink messages made up from the policies of the family rxe_cc and of the roce qdisc,
# two processes for each of them at once, while flows run. After each round the two hosts
# must still be able to talk.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

load_modules || { fail "the modules do not load"; exit 1; }
words="none default $algorithms rate kmin window line_rate int min_rate"

# fuzzer NAME NETNS ARGUMENT...: its first messages can be had again by the seed
fuzzer() {
	local name=$1 ns=$2
	shift 2
	ip netns exec "$ns" nlfuzz "$@" >$work/$name 2>&1 || fail "round $step: $name: $(tail -n 2 $work/$name)"
	sed -n 's/^count/@count/p' $work/$name
}

round() {
	local i pids=() s load
	make_hosts roce rate 10gbit delay 1us int on prio 3 ecn enqueue kmin 5kb kmax 50kb pmax 1 ||
		{ fail "round $step: no hosts"; return 1; }
	plan load 600 '"mtu": 1024, "chunk_bytes": 65536, "depth": 8' \
		'{ "src": "r1", "dst": "r2", "op": "write" }, { "src": "r2", "dst": "r1", "op": "read" }'
	flowgen run $work/load.json --out $work/load -q >$work/load.log 2>&1 &
	load=$!
	for i in 1 2; do
		random 1000000000
		s=$random
		echo "round $step: seeds $s"
		# The family is that of devices, which the initial namespace sees.
		# shellcheck disable=SC2086 # a list
		nlfuzz -s $s -o "${FUZZ_MESSAGES:-3000}" -t 120 genl rxe_cc r1 r2 $words >$work/genl$i 2>&1 &
		pids+=($!)
		fuzzer tc$i h$i -s $s -o "${FUZZ_MESSAGES:-3000}" -t 120 tc v$i &
		pids+=($!)
	done
	wait "${pids[@]}"
	for i in 1 2; do
		grep -q '^count unanswered 0' $work/genl$i || fail "round $step: genl: $(tail -n 1 $work/genl$i)"
		sed -n 's/^count/@count/p' $work/genl$i
		tc -n h$i qdisc replace dev v$i root pfifo || fail "round $step: the qdisc cannot be replaced"
		rxecc dev set r$i algo none || fail "round $step: no algorithm cannot be set"
	done
	# Not before: a port may hold packets for minutes by then, and rxe warns when a queue
	# pair that is destroyed has some under way for 50 s.
	kill $load
	wait $load
	count packets "$(packets)"
	flows after 0 '"mtu": 1024, "chunk_bytes": 4096, "depth": 2, "retry_cnt": 7, "timeout": 17, "verify": true' \
		'{ "src": "r1", "dst": "r2", "op": "write", "bytes": 65536 }, { "src": "r2", "dst": "r1", "op": "send", "bytes": 65536 }' ||
		fail "round $step: the hosts cannot talk afterwards: $(head -n 2 $work/after.log)"
	remove_hosts
}
SECONDS=0
until_over round
