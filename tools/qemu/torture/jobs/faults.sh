# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Allocations of ours fail at random while flows run, queue pairs come and go and everything
# is changed. Flows may fail, but end; when no more allocations fail all data arrives again.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

stop=$work/stop

changer() {
	local n=0 d
	random_state=$1
	while [ ! -e $stop ]; do
		pick r1 r2; d=$picked
		# shellcheck disable=SC2086 # a list
		pick none $algorithms
		rxecc dev set $d algo "$picked"
		rxecc -j -s qp show
		pick 1gbit 10gbit 100gbit
		tc -n h${d#r} qdisc change dev v${d#r} root roce rate "$picked"
		tc -n h${d#r} qdisc replace dev v${d#r} root roce rate 10gbit int on prio 3 ecn enqueue
		tc -n h${d#r} -s -j qdisc show dev v${d#r}
		n=$((n + 5))
	done >/dev/null 2>&1
	count changes $n
}

round() {
	local pids=() pid
	rm -f $stop
	make_hosts roce rate 10gbit int on prio 3 ecn enqueue kmin 5kb kmax 50kb pmax 1 || { fail "no hosts"; return 1; }
	next_algorithm
	set_algorithm "$a"
	pick 1 3 10
	fail_some "$picked"
	flows fg 10 '"mtu": 1024, "chunk_bytes": 65536, "depth": 8, "retry_cnt": 6, "timeout": 14' \
		'{ "src": "r1", "dst": "r2", "op": "write" }, { "src": "r2", "dst": "r1", "op": "send" }, { "src": "r1", "dst": "r2", "op": "read" }' &
	pids+=($!)
	storm -s "$random_state" -t 10 -n 64 -j 2 -k r1 r2 >$work/storm 2>&1 &
	pids+=($!)
	random 1000000
	changer "$random" &
	sleep 12
	: >$stop
	for pid in "${pids[@]}"; do
		wait_for 3000 ended "$pid" || { count stuck 1; fail "round $step: a process has no end"; }
	done
	wait
	fail_some 0
	count faults "$faults"
	count operations 1
	sed -n 's/^count/@count/p' $work/storm
	! grep '^stuck' $work/storm || fail "round $step: stuck under $a"
	set_algorithm none
	set_algorithm "$a"
	all_arrives "$a after $faults faults" 100000
	remove_hosts
}
SECONDS=0
load_modules || { fail "the modules do not load"; exit 1; }
until_over round
