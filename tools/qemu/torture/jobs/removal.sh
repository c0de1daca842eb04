# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Take away a device, a netdev, a namespace, a qdisc, an algorithm or a module while
# queue pairs send, others come and go, everything is changed and everything is dumped,
# all at once on all processors.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

stop=$work/stop

# Processes beside the load. Each ends when $stop is there.
reader() {
	local n=0
	while [ ! -e $stop ]; do
		rxecc -j -s dev show
		rxecc -j -s qp show
		rxecc -j stats
		rxecc -j algo show
		rdma -j res show qp
		ip netns exec h1 tc -s -j qdisc show
		cat /sys/class/infiniband/r?/ports/1/hw_counters/* /sys/class/infiniband/r?/ports/1/cc/*
		n=$((n + 7))
	done >/dev/null 2>&1
	count dumps $n
}

changer() {
	local n=0 d
	random_state=$1
	while [ ! -e $stop ]; do
		pick r1 r2; d=$picked
		# shellcheck disable=SC2086 # a list
		pick none $algorithms
		rxecc dev set $d algo "$picked"
		random 100000000000
		rxecc dev set $d knob line_rate=$((random + 10000000))
		pick 1gbit 10gbit 100gbit
		tc -n h${d#r} qdisc change dev v${d#r} root roce rate "$picked"
		pick off enqueue dequeue
		tc -n h${d#r} qdisc change dev v${d#r} root roce int on prio 3 ecn "$picked"
		n=$((n + 4))
	done >/dev/null 2>&1
	count changes $n
}

take_away() {
	case $1 in
	link) rdma link del r1 ;;
	netdev) ip -n h1 link del v1 ;;
	down) ip -n h1 link set v1 down; ip -n h1 link set v1 up; rdma link del r2 ;;
	netns) ip netns del h1 ;;
	qdisc) tc -n h1 qdisc del dev v1 root; tc -n h2 qdisc replace dev v2 root pfifo ;;
	algorithm) for m in $algorithms; do rmmod "rxe_cc_$m"; done ;;
	module) rmmod rdma_rxe || rdma link del r2; rmmod rdma_rxe; rmmod sch_roce ;;
	move) ip -n h1 link set v1 netns h2 ;;
	esac 2>/dev/null
}

moving() { [ "$(packets)" -gt 300 ]; }

cycle() {
	local pids=() load what
	rm -f $stop
	load_modules || { fail "cycle $step: the modules do not load"; return 1; }
	make_hosts roce rate 10gbit delay 1us int on prio 3 ecn enqueue kmin 5kb kmax 50kb pmax 1 ||
		{ fail "cycle $step: no hosts"; return 1; }
	next_algorithm
	set_algorithm "$a"
	storm -s "$random_state" -t 30 -n 64 -j 2 -k r1 r2 >$work/storm 2>&1 &
	load=$!
	flows fg 30 '"mtu": 1024, "chunk_bytes": 65536, "depth": 8, "retry_cnt": 3, "timeout": 12' \
		'{ "src": "r1", "dst": "r2", "op": "write" }, { "src": "r2", "dst": "r1", "op": "send" },
		 { "src": "r1", "dst": "r2", "op": "read" }, { "src": "r1", "dst": "r2", "op": "write", "transport": "uc" }' &
	pids+=($!)
	reader &
	pids+=($!)
	random 1000000
	changer "$random" &
	pids+=($!)
	wait_for 1800 moving || fail "cycle $step: no traffic"
	random 30
	sleep $((random / 10)).$((random % 10))
	count packets "$(packets)"
	turn link netdev down netns qdisc algorithm module move
	what=$picked
	take_away "$what"
	sleep 1
	: >$stop
	# Whoever used the devices ends, with an error or without.
	wait "${pids[@]}"
	wait $load
	# Without a device there is no path: what has not failed yet is no fault then.
	case $what in qdisc | algorithm) name=stuck ;; *) name=left ;; esac
	sed -n "s/^count stuck/count $name/; s/^count/@count/p" $work/storm
	grep '^stuck' $work/storm | while read -r line; do
		[ $name = stuck ] && fail "cycle $step: $what: $line" || echo "$name: $line"
	done
	remove_hosts || return 1
	[ $((step % 2)) -eq 0 ] || /t/torture/clean.sh || { fail "cycle $step: not all can be removed after $what"; return 1; }
	echo "cycle $step: $what gone under load"
	count operations 1
}

SECONDS=0
until_over cycle
