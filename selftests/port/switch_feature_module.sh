#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a switch feature in a module of its own: options, statistics, timer, what it does to
#   packets, unloading
#
# A switch feature in a module of its own (sch_roce_testfeat), by tc and real
# packets: its options, its statistics, its timer, what it does to packets, and
# that it stays as long as it is needed.
#
#	h1 ---- p1 [switch] p2 ---- h2
#			    p3 ---- h3
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
export SCH_ROCE=sch_roce_testfeat
[ "${1:-}" = inside ] || {
	"$RXE_CC_TOP/scripts/modules.sh" "uml-$VARIANT" --tests >&2 ||
		ktap_exit_fail_msg "sch_roce_testfeat.ko is not built"
	frames_enter
}

COUNT=100

# of PORT FILTER: figures of a port of the switch
of() { tc -n sw -s -j qdisc show dev "$1" | jq -r ".[0] | $2"; }
prio() { echo ".prios[] | select(.prio == $1)"; }
exactly() { [ "$1" = "$2" ] || { echo "$1, want $2"; return 1; }; }

# send P3-OPTIONS: packets from h1 to h3 by the switch
send() {
	frames_ports <<-PORTS || return
	sw:p1 rate 10gbit delay 1us switch auto
	sw:p2 rate 10gbit delay 1us switch auto
	sw:p3 rate 1gbit delay 1us switch auto $*
	PORTS
	frames_run <<-STEPS
	port h1 h2 h3
	data h1 to=h3 count=$COUNT size=1024
	wait 10ms
	STEPS
}

# Every packet: arrive, arrived, start, depart; those that wait, two more. The line
# is ten times slower than the packets come: all but the first wait.
told() {
	send testfeat-interval 1ms prio 3 testfeat 0x1 || return
	exactly "$(of p3 .testfeat_calls)" $((4 * COUNT + 2 * (COUNT - 1))) &&
		exactly "$(of p3 .testfeat_wrong)" 0 &&
		exactly "$(of p3 "$(prio 3) | .testfeat_bytes // 0")" 0 &&
		exactly "$(of p3 "$(prio 3) | .tx_packets")" $COUNT
}

# Once a millisecond of virtual time, nobody else looking.
timer() {
	local a b
	a=$(of p3 '[.now_ns, .testfeat_timers]')
	sleep 0.1
	b=$(of p3 '[.now_ns, .testfeat_timers]')
	jq -ne --argjson a "$a" --argjson b "$b" '(($b[0] - $a[0]) / 1000000) as $ms |
		($b[1] - $a[1]) as $n | $n >= ($ms | floor) and $n <= ($ms | ceil)' \
		>/dev/null || { echo "from $a to $b"; return 1; }
}

round_trip() {
	exactly "$(of p3 '.options | .testfeat_interval_ns')" 1000000 &&
		exactly "$(of p3 ".options.prios[3].testfeat")" 1 &&
		tc -n sw qdisc show dev p3 | grep -q '^ *testfeat-interval 1ms $' &&
		tc -n sw qdisc show dev p3 | grep -q 'prio 3 .*testfeat 0x0001 $'
}

# consumed, refused: h3 gets nothing; only the latter is a drop
consume() {
	send prio 3 testfeat 0x5 || return
	exactly "$(of p3 "$(prio 3) | .tx_packets, .drop_feature" | tr '\n' ' ')" "0 0 " &&
		exactly "$(of p3 '.drops, .qlen, .backlog' | tr '\n' ' ')" "0 0 0 "
}

refuse() {
	send prio 3 testfeat 0x3 || return
	exactly "$(of p3 "$(prio 3) | .drop_feature")" $COUNT &&
		exactly "$(of p3 .drops)" $COUNT
}

# Out by the next port instead: that is p1, back to h1.
redirect() {
	send prio 3 testfeat 0x9 || return
	exactly "$(of p3 "$(prio 3) | .tx_packets")" 0 &&
		exactly "$(of p1 "$(prio 3) | .tx_packets")" $COUNT &&
		exactly "$(of p3 '.drops, .qlen, .backlog' | tr '\n' ' ')" "0 0 0 "
}

# The sender hears of each packet.
reply() {
	send prio 3 testfeat 0x81 || return
	exactly "$(of p3 .testfeat_replies)" $COUNT &&
		exactly "$(of p1 "$(prio 6) | .tx_packets")" $COUNT
}

refused_options() {
	local out
	out=$(tc -n sw qdisc change dev p3 root roce prio 3 testfeat 0x2 2>&1) && return 1
	grep -q 'prio 3: testfeat does nothing without bit 0' <<<"$out" || { echo "$out"; return 1; }
	tc qdisc replace dev h2 root roce prio 3 testfeat 0x9 2>/run/err && return 1
	grep -q 'switch is none' /run/err || { cat /run/err; return 1; }
}

# traced: a line an event
traced() {
	local dir=/sys/kernel/tracing
	mount -t tracefs tracefs $dir 2>/dev/null
	echo >$dir/trace
	echo 1 >$dir/events/roce/roce_feature/enable
	send prio 3 testfeat 0x1 || return
	echo 0 >$dir/events/roce/roce_feature/enable
	exactly "$(grep -c 'feature=testfeat event=depart' $dir/trace)" $COUNT &&
		exactly "$(grep -c 'feature=testfeat event=dequeue' $dir/trace)" $((COUNT - 1))
}

# The module stays as long as a port has state of the feature, and its options go
# with it.
unload() {
	rmmod sch_roce_testfeat 2>/dev/null && { echo "unloaded in use"; return 1; }
	tc -n sw qdisc change dev p3 root roce prio 3 testfeat 0 || return
	rmmod sch_roce_testfeat 2>/dev/null && { echo "unloaded with statistics"; return 1; }
	tc -n sw qdisc del dev p3 root && rmmod sch_roce_testfeat || return
	send prio 3 testfeat 0x1 2>/dev/null && { echo "options without module"; return 1; }
	send
}

# Loaded again: ports that are there have it, off.
reload() {
	insmod "$RXE_CC_BUILD/uml-$VARIANT/sch_roce_testfeat.ko" || return
	exactly "$(of p3 ".options.prios[3].testfeat")" 0 &&
		tc -n sw qdisc change dev p3 root roce prio 3 testfeat 0x1 &&
		exactly "$(of p3 ".options.prios[3].testfeat")" 1
}

ktap_print_header
frames_fixed_switch 3 || ktap_exit_fail_msg "no network"
ktap_check "told of every packet" told
ktap_check "timer" timer
ktap_check "options, and back" round_trip
ktap_check "options that make no sense" refused_options
ktap_check "consumed packets are no drops" consume
ktap_check "refused packets are" refuse
ktap_check "redirected packets leave by another port" redirect
ktap_check "answers" reply
ktap_check "trace event" traced
ktap_check "unloaded when no port needs it" unload
ktap_check "loaded again" reload
ktap_finished
