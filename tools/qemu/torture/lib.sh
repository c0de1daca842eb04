# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Shared by the jobs of "make torture"; sourced in the guest.
#
#	h1: v1, RDMA device r1  ---- veth ----  v2, RDMA device r2 :h2
#
# As in selftests/lib/rxe_lib.sh the RDMA subsystem is in exclusive mode: both devices are
# seen from the initial namespace.
export PATH=/t/build/bin:/t/build/torture:$PATH TC_LIB_DIR=/t/build/tc
mods=/t/build/uml-lab
work=/run/torture
mkdir -p $work
# shellcheck source=tools/lib/wait.sh
. /t/torture/wait.sh

algorithms='dcqcn dctcp timely swift nscc hpcc hpccpp rcc dart mercury lscc hpccstar powertcp fixed template'

# Without a process: failnth asks for each allocation.
our_modules() {
	local m rest
	while read -r m rest; do
		case $m in sch_roce* | rdma_rxe* | rxe_cc* | roce_*) echo "$m" ;; esac
	done </proc/modules
}

no_rdma() { [ -z "$(ls /sys/class/infiniband)" ]; }

# The same numbers for the same seed; a subshell would begin anew with bash's own.
random_state=$((${SEED:-1} + ${FIRST:-0}))
# random N: sets random to 0..N-1
random() {
	random_state=$(((random_state * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff))
	random=$(((random_state >> 33) % $1))
}

# pick WORDS...: sets picked to one of them
# shellcheck disable=SC2034 # for the caller
pick() {
	random $#
	shift "$random"
	picked=$1
}

# count NAME N: added up by the host over all jobs
count() { echo "@count $1 $2"; }

# fail WHAT...: the job goes on; the host takes it as a failure
fail() { echo "@fail $*"; echo "torture: $*" >/dev/kmsg; }

# until_over COMMAND: again and again until the job's time is over; the step is in $step
step=${FIRST:-0}
until_over() {
	while [ "$SECONDS" -lt "$TIME" ]; do
		step=$((step + 1))
		"$@" || return 1
	done
}

load_modules() {
	local m
	for m in rxe_cc roce_cc_lib $(printf 'rxe_cc_%s ' $algorithms) rdma_rxe sch_roce; do
		[ -e "/sys/module/$m" ] || insmod "$mods/$m.ko" || return 1
	done
}

active() { grep -q ACTIVE "/sys/class/infiniband/$1/ports/1/state" 2>/dev/null; }

# make_host N
make_host() {
	ip -n "h$1" -batch - <<-IP
	link set v$1 mtu 4200 up
	addr add 10.0.0.$1/24 dev v$1
	neigh replace 10.0.0.$((3 - $1)) lladdr 02:00:00:00:00:0$((3 - $1)) dev v$1 nud permanent
	IP
	ip netns exec "h$1" rdma link add "r$1" type rxe netdev "v$1"
}

# make_hosts QDISC...: both hosts, and the qdisc at both
make_hosts() {
	local i
	rdma system set netns exclusive
	ip netns add h1 && ip netns add h2 &&
		ip link add v1 address 02:00:00:00:00:01 netns h1 type veth \
			peer name v2 address 02:00:00:00:00:02 netns h2 || return 1
	for i in 1 2; do
		make_host $i && tc -n h$i qdisc replace dev v$i root "$@" || return 1
	done
	wait_for 300 active r1 && wait_for 300 active r2 || return 1
	# Some algorithms are refused without telemetry.
	rxecc dev set r1 knob int=on && rxecc dev set r2 knob int=on
}

# set_algorithm NAME: of both devices
set_algorithm() {
	rxecc dev set r1 algo "$1" && rxecc dev set r2 algo "$1" || fail "$1 cannot be set"
}

remove_hosts() {
	ip netns del h1 2>/dev/null
	ip netns del h2 2>/dev/null
	wait_for 600 no_rdma || { fail "RDMA devices stay: $(ls /sys/class/infiniband)"; return 1; }
}

# plan NAME SECONDS KEYS FLOWS: a plan for flowgen, $work/NAME.json
plan() {
	echo "{ \"stop_ns\": ${2}000000000, \"drain_ns\": 60000000000, \"gid\": \"ipv4\", $3, \"flows\": [ $4 ] }" \
		>"$work/$1.json"
}

# what_waits: the queue pairs, ports and counters, of which some do not get on
what_waits() {
	local i
	rdma -dd res show qp
	rxecc -s -d qp show
	grep -v ":0$" /sys/class/infiniband/r?/ports/1/hw_counters/*
	for i in 1 2; do tc -s -n h$i qdisc show dev v$i; done
}

# Not wait_for: in the slowest guests ten processes a second are a load, and each sleep takes
# longer than it is told to.
# within SECONDS COMMAND
within() {
	local until=$((SECONDS + $1))
	shift
	while ! "$@"; do
		[ $SECONDS -lt $until ] || return 1
		sleep 1
	done
}

# begin_flows NAME SECONDS KEYS FLOWS: flowgen with that plan in the background, its output in
# $work/NAME. Sets pid.
begin_flows() {
	plan "$@"
	flowgen run "$work/$1.json" --out "$work/$1" -q >"$work/$1.log" 2>&1 &
	pid=$!
}

# end_flows SECONDS: of pid, with flowgen's status. It fails if for a minute after the stop
# nothing completes. What waits after so many seconds is printed.
end_flows() {
	within "$1" ended "$pid" || what_waits
	wait "$pid"
}

# flows NAME SECONDS KEYS FLOWS: from begin to end
flows() {
	local pid
	begin_flows "$@"
	end_flows $(($2 + 30))
}

# flows_until FILE NAME KEYS FLOWS: the same, until FILE is there
flows_until() {
	local pid day=86400
	begin_flows "$2" $day "${@:3}"
	within $day ended_or_file "$pid" "$1"
	kill $pid 2>/dev/null
	end_flows 30
}

# packets: sent by all devices that are there
packets() { cat /sys/class/infiniband/*/ports/1/hw_counters/sent_pkts 2>/dev/null | awk '{ n += $1 } END { print n + 0 }'; }

# turn WORDS...: sets picked to that of this step. Guests begin at different steps, so that a
# run has all of them although a slow guest has a few steps only.
# shellcheck disable=SC2034 # for the caller
turn() {
	shift $(((step + SEED) % $#))
	picked=$1
}

# next_algorithm: sets a to that of this step
# shellcheck disable=SC2034,SC2086 # for the caller; a list
next_algorithm() {
	turn none $algorithms
	a=$picked
}

ended() { ! kill -0 "$1" 2>/dev/null; }
ended_or_file() { [ -e "$2" ] || ended "$1"; }

# all_arrives WHAT BYTES: a WRITE, a SEND and a READ of so many bytes end, and nothing is
# changed on the way
all_arrives() {
	local rc pid
	cat >$work/plan.json <<-PLAN
	{ "mtu": 1024, "chunk_bytes": 32768, "depth": 4, "gid": "ipv4", "retry_cnt": 7, "timeout": 17, "verify": true,
	  "flows": [ { "src": "r1", "dst": "r2", "op": "write", "bytes": $2 }, { "src": "r2", "dst": "r1", "op": "send", "bytes": $2 },
		     { "src": "r1", "dst": "r2", "op": "read", "bytes": $2 } ] }
	PLAN
	flowgen run $work/plan.json --out $work/out -q >$work/log 2>&1 &
	pid=$!
	if wait_for 2400 ended $pid; then
		wait $pid
		rc=$?
	else
		what_waits
		kill $pid
		rc=124
	fi
	case $rc in
	0) ;;
	124) count stuck 1; fail "round $step: $1: no end" ;;
	*) fail "round $step: $1: $(head -n 2 $work/log)" ;;
	esac
	count packets "$(packets)"
	echo "round $step: $1: $rc"
}

# faults_are_ours DEPTH: only those allocations may fail that have one of our modules among
# the DEPTH functions that called last. Nothing but our modules is in the room for modules.
faults_are_ours() {
	local f
	for f in failslab fail_page_alloc; do
		f=/sys/kernel/debug/$f
		printf 0xffffffffa0000000 >$f/require-start
		printf 0xffffffffff000000 >$f/require-end
		echo "$1" >$f/stacktrace-depth
		echo 1 >$f/verbose
		echo N >$f/ignore-gfp-wait
	done
	echo 0 >/sys/kernel/debug/fail_page_alloc/min-order
}

# fail_some PERCENT: of allocations of ours, and of those that they make others do. Sets faults
# to how many have failed since it was called last.
# shellcheck disable=SC2034 # for the caller
fail_some() {
	local f n
	faults=0
	# Not every kernel can.
	[ -e /sys/kernel/debug/failslab ] || return 0
	faults_are_ours 32
	for f in failslab fail_page_alloc; do
		f=/sys/kernel/debug/$f
		echo 0 >$f/probability
		n=$(<$f/times)
		[ "$n" -lt 2 ] || faults=$((faults + 1000000 - n))
		echo 0 >$f/verbose
		echo 1000000 >$f/times
		echo "$1" >$f/probability
	done
}
