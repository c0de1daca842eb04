#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: from a PFC frame to silence and back, to the nanosecond, per speed; a switch's own pauses
#   and its buffer against a model
#
# PFC to the nanosecond, against models in exact arithmetic (frames_check_pause.c,
# frames_check_xoff.c):
#
#	h1 [roce] ---- [roce] h2			a link; frames is both ends
#
#	h1 [roce] ---- p1 [switch] p2 ---- h2	a switch that sends PFC itself
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
[ "${1:-}" = inside ] || frames_enter

# packet_ns MBIT: time of a packet of 1024 bytes (1106 on the wire), rounded
packet_ns() { echo $((1106 * 8 * 1000 / $1)); }

# A sender that floods, and all that a peer may say to it. Priorities 1, 3 and
# 5 are there, 1 and 3 are lossless. Frames come at any phase of a packet.
# obey MBIT RESPONSE
obey() {
	local u i more=''
	u=$(packet_ns "$1")
	for ((i = 0; i < 24; i++)); do
		more+="wait $((u * (i % 5 + 3) + i * 7))ns"$'\n'
		more+="pfc h2 enable=0x0a quanta=0,$((i * 3)),0,$((i * 7 % 160)),0,9,0,0"$'\n'
	done
	frames_ports <<-PORTS || return
	h1 rate ${1}mbit delay 1234ns pfc-response $2 prio 1 lossless on prio 3 lossless on dscp 10:1 dscp 20:5
	h2 rate ${1}mbit delay 777ns
	PORTS
	frames_run <<-STEPS
	port h1 h2
	trace enqueue dequeue pfc_rx pause
	data h1 flow=0 to=h2 count=600 dscp=26
	data h1 flow=1 to=h2 count=40 dscp=10
	wait $((u * 20))ns
	# silence, while the other priorities go on
	pfc h2 enable=0x08 quanta=200
	wait $((u * 30))ns
	# a refresh extends it
	pfc h2 enable=0x0a quanta=1000
	wait $((u * 40))ns
	pfc h2 enable=0x0a quanta=1000
	data h1 flow=2 to=h2 count=20 dscp=20
	wait $((u * 30))ns
	# and can shorten it
	pfc h2 enable=0x0a quanta=100
	wait $((u * 20))ns
	pfc h2 enable=0xff quanta=65535
	wait $((u * 9))ns
	# 0 ends it at once
	pfc h2 enable=0x0a quanta=0
	wait $((u * 20))ns
	# not for this port: priority 5 and 0 are lossy, nobody is enabled
	pfc h2 enable=0x21 quanta=65535
	pfc h2 enable=0 quanta=65535
	wait $((u * 5))ns
	# not PFC
	control h2 enable=0x108 quanta=65535
	control h2 enable=0x08 quanta=65535 dst=01:80:c2:00:00:00
	control h2 enable=0x08 quanta=65535 dst=ff:ff:ff:ff:ff:ff
	control h2 enable=0x08 quanta=65535 len=59
	control h2 enable=0x08 quanta=65535 len=17
	control h2 opcode=1 quanta=65535
	control h2 opcode=0x0102 enable=0x08 quanta=65535
	$more
	wait $((u * 700))ns
	settle
	check-pause h1 rate=${1}mbit delay=1234 response=$2 lossless=0x0a peer=h2 waits=12
	STEPS
}

# All that has been said to h1 is counted. 24 frames and 8: of the 24 the first
# resumes, and so does one of the 8; six enable priority 3, five priority 1.
counted() {
	tc -s -j qdisc show dev h1
	tc -s -j qdisc show dev h1 | jq -e '.[0] |
		(.prios[] | select(.prio == 1)) as $p1 |
		(.prios[] | select(.prio == 3)) as $p3 |
		(.prios[] | select(.prio == 5)) as $p5 |
		.pfc_rx == 32 and .pfc_bad == 5 and .pfc_other == 2 and
		$p1.pfc_indications == 23 + 4 and $p1.pfc_resumed == 2 and
		$p3.pfc_indications == 23 + 5 and $p3.pfc_resumed == 2 and
		$p5.pfc_ignored == 2' >/dev/null
}

# Ingress of 1 and egress of 0.4 of the rate: the switch must pause h1. Its
# frames go ahead of the data that h2 sends to h1.
# ask MBIT "THRESHOLDS" "MODEL" REVERSE
ask() {
	local u out=$(($1 * 2 / 5))
	u=$(packet_ns "$1")
	frames_ports <<-PORTS || return
	h1 rate ${1}mbit delay 500ns prio 3 lossless on
	h2 rate ${out}mbit delay 500ns
	sw:p1 rate ${1}mbit delay 500ns switch auto buffer 1mb pfc-quanta 150 prio 3 lossless on headroom 150kb $2
	sw:p2 rate ${out}mbit delay 500ns switch auto prio 3 lossless on headroom 150kb $2
	PORTS
	frames_run <<-STEPS
	port h1 h2 sw:p1 sw:p2
	trace enqueue dequeue pfc_rx pfc_tx pause xoff drop
	data h1 flow=0 to=h2 count=800 dscp=26 size=64-2048
	data h2 flow=1 to=h1 count=$4 dscp=0 size=64-1400
	wait $((u * 3000))ns
	settle
	check-xoff sw:p1 out=sw:p2 rate=${1}mbit delay=500 prio=3 $3 quanta=150 pauses=3 refreshes=5 behind=$(($4 / 70))
	check-pause h1 rate=${1}mbit delay=500 lossless=0x08 peer=sw:p1 waits=3
	check-same h2,h1
	check-count sw:p2 drop max=0
	STEPS
}

# 150 quanta are 9600 bytes: half of them are over while 20 KB drain.
fixed() { ask "$1" "xoff 60kb xon 40kb" "xoff=60kb xon=40kb" 210; }

# Of 1 MB the headrooms leave 724 KB; an eighth of what is free is 80 KB. What
# h2 sent would take of that, too.
dynamic() { ask "$1" "alpha 1/8 xon-offset 20kb" "alpha=8192 pool=724kb xon-offset=20kb" 0; }

ktap_print_header
frames_net <<-NET || ktap_exit_fail_msg "no network"
	link add name h1 type veth peer name h2
	link set h1 address 02:00:00:00:01:00 up
	link set h2 address 02:00:00:00:02:00 up
NET
for rate in 1000 10000 25000 40000 100000 200000 400000; do
	ktap_check "a peer's pauses at $rate Mbit/s" obey $rate 0ns
	[ $rate != 100000 ] || ktap_check "counters" counted
done
ktap_check "response time" obey 100000 1111ns
ktap_check "response time, beyond the next frames" obey 10000 30us

ip link del h1
frames_switch 2 || ktap_exit_fail_msg "no network"
for rate in 1000 10000 25000 40000 100000 200000 400000; do
	ktap_check "pauses of the switch's own at $rate Mbit/s" fixed $rate
	ktap_check "with a dynamic threshold" dynamic $rate
done
ktap_finished
