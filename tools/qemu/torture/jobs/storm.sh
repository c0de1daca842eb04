# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Ten thousand queue pairs come and go under each algorithm in turn while flows run and
# everything is dumped.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

stop=$work/stop
reader() {
	local n=0
	while [ ! -e $stop ]; do
		rxecc -j -s qp show
		rxecc -j -s dev show
		rdma -j res show qp
		rdma res show cm_id
		n=$((n + 4))
	done >/dev/null 2>&1
	count dumps $n
}

load_modules || { fail "the modules do not load"; exit 1; }
make_hosts roce rate 10gbit delay 1us int on prio 3 ecn enqueue kmin 5kb kmax 50kb pmax 1 || { fail "no hosts"; exit 1; }

part=$((TIME > 60 ? TIME / 6 : 10))
round() {
	local pids=() rc
	rm -f $stop
	next_algorithm
	set_algorithm "$a"
	reader &
	pids+=($!)
	flows_until $stop fg '"mtu": 1024, "chunk_bytes": 65536, "depth": 8, "retry_cnt": 7, "timeout": 16' \
		'{ "src": "r1", "dst": "r2", "op": "write" }, { "src": "r2", "dst": "r1", "op": "read" }' &
	pids+=($!)
	storm -s "$random_state" -t $part -n 5000 -j 4 r1 r2 >$work/storm 2>&1
	rc=$?
	sed -n 's/^count/@count/p' $work/storm
	if [ $rc -ne 0 ]; then
		fail "storm under $a: exit status $rc: $(grep -v '^count' $work/storm | head -n 3)"
	fi
	: >$stop
	wait "${pids[0]}"
	wait "${pids[1]}" || fail "flows under $a: $(head -n 2 $work/fg.log)"
	echo "round $step: $a"
}
SECONDS=0
until_over round
count packets "$(packets)"
remove_hosts
