# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Mutated copies of every kind of packet into live connections, from both sides, under
# each algorithm in turn: all messages arrive, whole. selftests/rxe/fuzz_packets.sh does the same
# in virtual time and accounts for every packet.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

load_modules || { fail "the modules do not load"; exit 1; }

round() {
	local a n pids=()
	next_algorithm
	make_hosts roce rate 1gbit delay 5us int on prio 3 ecn enqueue kmin 5kb kmax 50kb pmax 1 || { fail "no hosts"; return 1; }
	set_algorithm "$a"
	for n in 1 2; do
		ip netns exec h$n /t/build/selftests/rxe_fuzz v$n 3000 4 $((SEED % 100000 + step * 2 + n)) 60000 1 >$work/fuzz$n 2>&1 &
		pids+=($!)
	done
	all_arrives "$a" 500000
	kill "${pids[@]}"
	wait "${pids[@]}"
	count operations "$(cat $work/fuzz? | awk '$1 == "injected" { n += $2 } END { print n + 0 }')"
	grep injected $work/fuzz?
	remove_hosts
}
SECONDS=0
until_over round
