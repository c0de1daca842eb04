# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Each allocation of ours fails once: the first, then the second, until an operation has no
# more of them. A failure is one clean error that changes nothing, or none at all: then all
# has been done. Ours are allocations with one of our modules among the ten functions that
# called last, in the process that asks; what is done later and by others is not tried.
#
# A fault takes seconds in an emulated kernel with KASAN. So each third of the job has its
# share of the time that the guest gives it. What is left then is counted as "untried", and
# the seed decides which comes first.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

# What may not change, as text. It depends on what the operation is about, as each process
# that is started here takes long in such a kernel, for each allocation.
state() {
	our_modules
	echo /sys/class/infiniband/*
	case $about in
	qdiscs)
		tc -n h1 -j qdisc show dev v1 | jq -c "map(del(.handle))"
		;;
	devices)
		{ rxecc -j dev show; rxecc -j qp show; rdma -j link; } 2>/dev/null |
			jq -cS 'map(if .qpn then { dev, qpn, algo, override } else del(.counters) end)'
		;;
	esac
}

# share WHAT PERCENT: what follows is about this, and may take until then. The guest ends what
# takes 1800 s more than twice its time.
limit=$((TIME * 3 < TIME * 2 + 1500 ? TIME * 3 : TIME * 2 + 1500))
share() {
	about=$1
	until=$((limit * $2 / 100))
}

late() { [ "$SECONDS" -ge "$until" ]; }

# shuffle ARRAY: into an order of the seed's
shuffle() {
	local -n mixed=$1
	local i one
	for ((i = ${#mixed[@]} - 1; i > 0; i--)); do
		random $((i + 1))
		one=${mixed[i]}
		mixed[i]=${mixed[random]}
		mixed[random]=$one
	done
}

# nth WHAT UNDO COMMAND...: UNDO brings back what was before COMMAND
nth() {
	local what=$1 undo=$2 n before after now left rc
	shift 2
	! late || { count untried 1; return; }
	before=$(state)
	"$@" >$work/log 2>&1 || { fail "$what: $(head -n 1 $work/log)"; return; }
	after=$(state)
	$undo
	now=$(state)
	[ "$now" = "$before" ] || { differs "$what: cannot be undone by $undo" "$before" "$now"; return; }
	for ((n = 1; n < 1000; n++)); do
		! late || { count untried 1; break; }
		failnth $work/left $n "$@" >$work/log 2>&1
		rc=$?
		left=$(<$work/left)
		now=$(state)
		if [ $rc -eq 0 ]; then
			[ "$now" = "$after" ] || differs "$what, allocation $n: no error, and not done" "$after" "$now"
			$undo
		elif [ "$left" -gt 0 ]; then
			fail "$what, allocation $n: an error without a fault: $(head -n 1 $work/log)"
			break
		else
			[ "$now" = "$before" ] || differs "$what, allocation $n: an error, and a change" "$before" "$now"
			[ $rc -lt 125 ] || fail "$what, allocation $n: exit status $rc"
			[ -s $work/log ] || fail "$what, allocation $n: an error without a word"
		fi
		[ "$left" -eq 0 ] || break
		count faults 1
		count operations 1
	done
	echo "$what: $((n - 1)) allocations"
}

differs() {
	fail "$1"
	echo "$2" >$work/was
	echo "$3" >$work/is
	diff $work/was $work/is | head -n 20
}

unload() { local m; for m; do rmmod "$m" 2>/dev/null; done; }
load() {
	local m
	share modules 100
	for m in rxe_cc roce_cc_lib $(printf 'rxe_cc_%s ' $algorithms) rdma_rxe sch_roce roce_watch rxe_cc_events; do
		[ -e "$mods/$m.ko" ] || continue
		nth "insmod $m" "unload $m" insmod "$mods/$m.ko"
		insmod "$mods/$m.ko" || fail "$m does not load"
	done
}

plain() { rxecc dev set r1 algo none; }
no_link() { rdma link del r9 2>/dev/null; }
no_qdisc() { tc -n h1 qdisc replace dev v1 root pfifo; }
again() { no_qdisc; tc -n h1 qdisc add dev v1 root roce rate 10gbit; }

features=(
	"rate 10gbit delay 1us"
	"switch auto buffer 4mb prio 3 lossless on"
	"prio 3 ecn enqueue kmin 5kb kmax 50kb pmax 1"
	"int on int-dscp 20"
	"switch auto int on int-response-interval 5us"
	"switch auto prio 3 mercury auto"
	"switch auto iofd-link up prio 3 iofd 2500b iofd-escape 28"
	"switch auto delay 1ms lscc-self 10.0.0.1 lscc-peer 10.0.0.2 prio 3 lossless on lscc on"
)

configure() {
	local f
	share qdiscs 40
	shuffle features
	for f in "${features[@]}"; do
		no_qdisc
		# shellcheck disable=SC2086 # words
		tc -n h1 qdisc add dev v1 root roce $f 2>$work/refused || { echo "not tried: $f: $(head -n 1 $work/refused)"; continue; }
		no_qdisc
		# shellcheck disable=SC2086 # words
		nth "add $f" no_qdisc tc -n h1 qdisc add dev v1 root roce $f
		again
		# shellcheck disable=SC2086 # words
		nth "change $f" again tc -n h1 qdisc change dev v1 root roce $f
		# shellcheck disable=SC2086 # words
		tc -n h1 qdisc change dev v1 root roce $f
		nth "dump $f" true tc -n h1 -s -j qdisc show dev v1
	done
	again
	# shellcheck disable=SC2086
	nth "delete" "tc -n h1 qdisc add dev v1 root roce rate 10gbit" tc -n h1 qdisc del dev v1 root
}

devices() {
	local a k list
	share devices 75
	read -ra list <<<"$algorithms"
	shuffle list
	for a in "${list[@]}"; do
		nth "algo $a" plain rxecc dev set r1 algo "$a"
		rxecc dev set r1 algo "$a"
		nth "params of $a" true rxecc param show r1
		plain
	done
	rxecc dev set r1 knob line_rate=10gbit
	for k in line_rate=1gbit int=off; do
		nth "knob $k" "rxecc dev set r1 knob line_rate=10gbit int=on" rxecc dev set r1 knob $k
	done
	for k in "dev show" "-s dev show" "-s qp show" "algo show" "stats"; do
		# shellcheck disable=SC2086 # words
		nth "dump $k" true rxecc -j $k
	done
	nth "dump rdma" true rdma -j -dd res show qp
	nth "queue pairs" true storm -s 1 -o 60 -n 4 -j 1 r1 r2
	nth "link" no_link ip netns exec h1 rdma link add r9 type rxe netdev d9
}

SECONDS=0
load_modules || { fail "the modules do not load"; exit 1; }
faults_are_ours 10
make_hosts roce rate 10gbit || { fail "no hosts"; exit 1; }
ip -n h1 link add d9 type dummy && ip -n h1 link set d9 up
plan fg 3600 '"mtu": 1024, "chunk_bytes": 65536, "depth": 1, "op": "write"' \
	'{ "src": "r1", "dst": "r2", "start_ns": 3500000000000 }'
flowgen run $work/fg.json --out $work/fg -q >$work/fg.log 2>&1 &
idle=$!
configure
devices
# Else it would wait for its start, and keep the devices and so the modules.
kill $idle
wait $idle
remove_hosts
/t/torture/clean.sh && load
