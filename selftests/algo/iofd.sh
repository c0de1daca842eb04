#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: IOFD (in-order flow deflection, Dart's half in the switch) in fabrics: deflected above the
#   threshold and never otherwise; no packet out of order, also over several messages of a queue
#   pair; everything deflected in small buffers: nothing lost, no deadlock; a port that goes
#
# IOFD in fabrics: that short flows are deflected above the threshold and never otherwise;
# that not one packet comes out of order, which the receiver would answer with a NAK and
# the sender with retransmissions; that a fabric in which everything is deflected as often
# as it can be neither deadlocks nor loses anything.
. "$(dirname "$0")/../lib/lab_lib.sh"

MIX="mix --cc dcqcn --set hosts=32 --set duration=2ms --set load=0.6"

# run DIR OPTION...
run() {
	local dir=$LAB_OUT/$1
	shift
	LAB_DIR=$dir lab_run "$@"
}

# figure DIR FILTER [SCENARIO/CC/SEED]
figure() { LAB_DIR=$LAB_OUT/$1 lab_get "${3:-mix/dcqcn/1}" "$2"; }

# All complete, nothing was lost, nothing came out of order, nobody is stuck.
clean() {
	is "$(figure "$1" .errors "${2:-}")" "==" 0 && is "$(figure "$1" .drops.total "${2:-}")" "==" 0 &&
		is "$(figure "$1" .retransmits "${2:-}")" "==" 0 &&
		is "$(figure "$1" '.iofd | .no_escape + .failed + .lost_port' "${2:-}")" "==" 0
}

# Each deflected packet has been taken by a port. Entries: 8 a switch.
deflects() {
	# shellcheck disable=SC2086
	run on $MIX --set iofd=on || return 1
	figure on '.iofd | tojson'
	clean on && is "$(figure on .iofd.flows)" ">=" 1 &&
		is "$(figure on '.iofd.taken - .iofd.packets')" "==" 0 &&
		is "$(figure on .iofd.entries_peak)" "<=" 8 &&
		is "$(figure on '.iofd.packets / .iofd.flows')" "<=" 8
}

same_bytes() {
	# shellcheck disable=SC2086
	run again $MIX --set iofd=on && diff -rq -x run.json "$LAB_OUT/on" "$LAB_OUT/again"
}

# none NAME OPTION...: nothing is deflected, and flows end as without IOFD
none() {
	local name=$1
	shift
	# shellcheck disable=SC2086
	run "$name" $MIX --set iofd=on "$@" || return 1
	clean "$name" && is "$(figure "$name" .iofd.packets)" "==" 0 &&
		cmp "$LAB_OUT/off/mix/dcqcn/seed1/flows.csv" "$LAB_OUT/$name/mix/dcqcn/seed1/flows.csv"
}

off() {
	# shellcheck disable=SC2086
	run off $MIX || return 1
	[ "$(figure off .iofd)" = null ]
}

# Messages of 2 KB, one behind the other on few queue pairs: the next one must not overtake
# a deflected one, nor be deflected past one that is not.
messages() {
	# shellcheck disable=SC2086
	run messages $MIX --set iofd=on --set chunk=2kb --set qp=pair --set iofd_threshold=5kb || return 1
	figure messages '.iofd | tojson'
	clean messages && is "$(figure messages .iofd.flows)" ">=" 1
}

# Everything is short, everything above 2 KB is deflected, seven times, and turns up twice;
# flows of a pair of hosts follow each other on its queue pairs, and buffers are small.
TORTURE="--set iofd=on --set iofd_short=1gb --set iofd_tokens=7 --set iofd_threshold=2kb --set iofd_escapes=2
	--set pfc=on --set rate=10gbit --set delay=5us --set incast_degree=8 --set incast_size=16kb --set load=1
	--set duration=2ms --set qp=pool"
torture() {
	local scenario=$1
	shift
	# shellcheck disable=SC2086
	run "$scenario" "$scenario" --cc fixed $TORTURE "$@" || return 1
	figure "$scenario" '.iofd | tojson' "$scenario/fixed/1"
	clean "$scenario" "$scenario/fixed/1" &&
		is "$(figure "$scenario" .iofd.flows "$scenario/fixed/1")" ">=" 8 &&
		is "$(figure "$scenario" .iofd.escaped "$scenario/fixed/1")" ">=" 1 &&
		is "$(figure "$scenario" '.pfc.pause_frames' "$scenario/fixed/1")" ">=" 1 &&
		is "$(figure "$scenario" '.pfc.storms' "$scenario/fixed/1")" "==" 0
}

# All of Dart in one word is dart and iofd=on, and dart beside it has no IOFD.
whole() {
	local mix=${MIX/dcqcn/dart}
	# shellcheck disable=SC2086
	run whole ${mix/dart/dart,dart:preset=whole} && run both $mix --set iofd=on || return 1
	[ "$(figure whole .iofd mix/dart/1)" = null ] && clean whole mix/dart:preset=whole/1 &&
		is "$(figure whole .iofd.flows mix/dart:preset=whole/1)" ">=" 1 &&
		cmp "$LAB_OUT"/{both/mix/dart,whole/mix/dart:preset=whole}/seed1/flows.csv
}

# On a host the preset sets the knob, another preset leaves it, and who names it prevails.
whole_host() {
	local rc=0
	"$LAB" shell two --clock virtual --cc none >"$LAB_OUT/out" 2>&1 <<-'END' || rc=1
		tokens() { cat /sys/class/infiniband/rxe_h0/ports/1/cc/iofd_tokens; }
		for preset in whole paper "whole knob iofd_tokens=2"; do
			rxecc dev set rxe_h0 algo dart preset $preset && tokens || exit 1
		done
	END
	[ $rc -eq 0 ] && [ "$(tr '\n' ' ' <"$LAB_OUT/out")" = "4 4 2 " ] && return
	cat "$LAB_OUT/out"
	return 1
}

# bad WORD KEY=VALUE...: refused in one line that names the key; CC is the algorithm
bad() {
	local out word=$1
	shift
	out=$("$LAB" run two --cc "${CC:-dcqcn}" "${@/#/--set=}" --out "$LAB_OUT/bad" 2>&1) &&
		{ echo "accepted"; return 1; }
	[[ $out == *"$word"* && $out != *$'\n'*$'\n'* ]] || { echo "$out"; return 1; }
}

# A port that others are deflected to goes, and routing hears of it: what was on its way is
# lost and sent again, and the entries go with the port. All transfers complete.
link_fails() {
	local before
	"$LAB" shell leafspine --clock virtual --cc dcqcn --set leaves=2 --set per_leaf=4 --set spines=2 \
		--set rate=1gbit --set iofd=on --set iofd_short=1gb --set iofd_threshold=2kb \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err" <<-'END' || { cat "$LAB_OUT/out" "$LAB_OUT/err"; return 1; }
		ip link set lo up
		for i in 0 1 2 3; do
			flowgen server --dev rxe_h$((4 + i)) --port $((20000 + i)) >/dev/null 2>&1 &
		done
		sleep 0.1
		pids=()
		for i in 0 1 2 3; do
			flowgen client 127.0.0.1 --port $((20000 + i)) --dev rxe_h$i --qps 4 --size 20kb --count 100 \
				--depth 2 --ib-timeout 8 --interval 0 >/dev/shm/client$i 2>&1 &
			pids+=($!)
		done
		sleep 0.02
		figures() { tc -n l0 -s -j qdisc show | jq -c "[.[] | select(.kind == \"roce\") | .iofd_$1 // 0] | $2"; }
		echo "before: $(figures packets add) packets, $(figures entries max) entries"
		ip -n l0 link set s1 down
		via=$(ip -n l1 route show 10.0.0.0/24 | sed -n 's/.*via \([0-9.]*\) dev s0.*/\1/p')
		ip -n l1 route replace 10.0.0.0/24 dev s0 via "$via" onlink
		rc=0
		for p in "${pids[@]}"; do wait "$p" || rc=1; done
		cat /dev/shm/client*
		echo "after: $(figures entries max) entries"
		exit $rc
	END
	before=$(sed -n 's/^before: \([0-9]*\) packets, .*/\1/p' "$LAB_OUT/out")
	grep -E "^(before|after)" "$LAB_OUT/out"
	is "$before" ">=" 1 && is "$(grep -c '^write  *20480  *4  *400 ' "$LAB_OUT/out")" "==" 4 &&
		grep -q '^after: 0 entries' "$LAB_OUT/out"
}

ktap_print_header
ktap_check "off: no IOFD in the results" off
ktap_check "on: short flows are deflected, in order" deflects
ktap_check "twice, the same bytes" same_bytes
ktap_check "no tokens: as without" none tokens --set iofd_tokens=0
ktap_check "no queue so long: as without" none threshold --set iofd_threshold=2gb
ktap_check "several messages of a queue pair, in order" messages
ktap_check "leaf-spine, everything deflected" torture leafspine --set leaves=4 --set per_leaf=8 --set spines=2 --set buffer=1mb
ktap_check "fat-tree, everything deflected" torture fattree --set buffer=400kb
ktap_check "a port that others are deflected to goes: all complete" link_fails
ktap_check "all of Dart in one word" whole
ktap_check "... on a host" whole_host
CC=dart:preset=whole ktap_check "all of Dart on a bridge is refused" bad fabric=router
CC=dart:preset=whole ktap_check "all of Dart without IOFD is refused" bad iofd=off iofd=off fabric=router
ktap_check "a bridge is refused" bad fabric iofd=on
ktap_check "8 tokens are refused" bad iofd_tokens iofd=on fabric=router iofd_tokens=8
ktap_check "3 escapes are refused" bad iofd_escapes iofd=on fabric=router iofd_escapes=3
ktap_check "a threshold of 0 is refused" bad iofd_threshold iofd=on fabric=router iofd_threshold=0b
ktap_finished
