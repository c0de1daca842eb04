#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs in both guests of selftests/qemu/two_guests.sh: rxe on virtio-net, with nothing
# below that tells when a packet left, and no base_rtt.
#
#   pair_guest.sh server: takes what the client sends until that has gone
#   pair_guest.sh client: prints "flow ALGORITHM LIMIT VALUE LEAST NS NS" for each: what
#	holds the flow back (cwnd_bytes or rate_bps), how much it allows, how much the long path
#	needs; the smallest round trips known, on the short path and on the long one; 0: unknown
# Environment: ALGOS, DELAY_MS, WINDOW_S.
set -u

nic() {
	local n

	for n in /sys/class/net/*; do
		[ -e "$n/device" ] && echo "${n##*/}" && return
	done
	return 1
}

# set_up ADDRESS ALGORITHM. Algorithms that need telemetry find no port that adds any,
# and keep the window of their start: line rate times base round trip. Each packet
# asks for an ACK, as hpcc's do, so that all runs have the same ACKs. At 100 Mbit/s
# neither that window nor timely's lowest rate hides a base that is wrong.
set_up() {
	modprobe virtio_pci && modprobe virtio_net && modprobe crc32_generic &&
	modprobe rdma_rxe || return 1
	dev=$(nic) || { echo "no network device"; return 1; }
	ip addr add "$1/24" dev "$dev" && ip link set "$dev" up &&
	rdma link add rxe0 type rxe netdev "$dev" &&
	rxecc dev set rxe0 algo "$2" knob int=on knob ack_every=1 knob min_rate=20kbit
}

reach() {
	ping -c 1 -W 2 "$1" >/dev/null 2>&1
}

# wait_for COMMAND...: until it succeeds
wait_for() {
	local i

	for ((i = 0; i < 60; i++)); do
		"$@" && return 0
		sleep 1
	done
	echo "in vain: $*"
	return 1
}

# listens PORT, in hexadecimal
listens() {
	cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q ":$1 .* 0A "
}

# The server says so once all of its own listens.
ready() {
	[ "$(nc -w 5 10.0.0.1 7001 </dev/null)" = ready ]
}

# Each connection brings the delay that answers have from then on.
delays() {
	local delay_ms

	while delay_ms=$(nc -l -p 7000); do
		tc qdisc replace dev "$dev" root netem delay "${delay_ms}ms"
	done
}

server() {
	local gone=0

	# The receiver stays the same, so that runs differ in the sender alone.
	set_up 10.0.0.1 hpcc && modprobe sch_netem || return 1
	flowgen server --dev rxe0 >/run/server.log 2>&1 &
	delays &
	wait_for listens 4854 && wait_for listens 1B58 || return 1
	echo ready | nc -l -p 7001
	wait_for reach 10.0.0.2 || return 1
	while [ $gone -lt 3 ]; do
		sleep 2
		if reach 10.0.0.2; then gone=0; else gone=$((gone + 1)); fi
	done
	return 0
}

# look LIMIT: sets value to that member of the only queue pair, and rtt_ns to the smallest
# round trip known, of the same moment
look() {
	local qp

	qp=$(rxecc -j qp show dev rxe0)
	value=$(sed -n 's/.*"'"$1"'": *\([0-9]*\).*/\1/p' <<<"$qp")
	rtt_ns=$(sed -n 's/.*"min_rtt_ns": *\([0-9]*\).*/\1/p' <<<"$qp")
	[ -n "$value" ] && [ -n "$rtt_ns" ]
}

# The server's ACKs wait so long from now on. Between two such messages the server does
# not listen for a moment.
path() {
	wait_for tell_delay "$1"
}

tell_delay() {
	echo "$1" | nc 10.0.0.1 7000 2>/dev/null
}

# What holds the flow back: hpcc's window, timely's rate. Is it what the long path needs?
opened() {
	look "$1" && [ "$value" -ge "$2" ] && [ "$rtt_ns" -ge "${DELAY_MS}000000" ]
}

# run ALGORITHM: prints what the flow may send. The flow begins with single packets on a
# short path, which the driver frees when their ACKs come. Then the path gets longer, the
# smallest round trip leaves the window, and the flow goes to full speed.
run() {
	local value rtt_ns short_ns limit=cwnd_bytes least=$((100000000 / 8 * DELAY_MS / 1000))

	path 0 || return 1
	rxecc dev set rxe0 algo "$1" knob line_rate=20kbit || return 1
	if [ "$1" = timely ]; then
		rxecc param set rxe0 delta=1gbit || return 1
		limit=rate_bps least=50000000
	fi
	flowgen client 10.0.0.1 --dev rxe0 --size 64kb --ib-timeout 19 --duration 300s \
		--interval 0 >/run/client.log 2>&1 &
	sleep 4
	look $limit && short_ns=$rtt_ns
	path "$DELAY_MS" || return 1
	rxecc dev set rxe0 knob line_rate=100mbit || return 1
	wait_for opened $limit $least || cat /run/client.log
	echo "flow $1 $limit ${value:-0} $least ${short_ns:-0} ${rtt_ns:-0}"
	kill $! && wait $!
	return 0
}

client() {
	local algo

	set_up 10.0.0.2 none && wait_for ready || return 1
	rxecc dev set rxe0 knob rtt_window="${WINDOW_S}s"
	sleep 2
	for algo in $ALGOS; do
		run "$algo" || return 1
	done
}

"$1"
