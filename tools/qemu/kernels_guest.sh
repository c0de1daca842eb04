#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs in the guests of tools/qemu/kernels.sh. Results are KTAP lines; a name begins with what the
# table calls it.
#
#   kernels_guest.sh switch	two hosts and a switch in one guest: the plug-in for tc, PFC, INT,
#				removal under load
#
#	a: a0, rxe_a  ---- sa [bridge of netns sw] sb ----  b0, rxe_b :b
#
#   kernels_guest.sh namespace	the part of it for the sockets of a network namespace; stock rxe, too
#   kernels_guest.sh server	does what the client's guest asks for, one line each to port 7000
#   kernels_guest.sh client	perftest under each of $ALGOS ("stock": an rxe without
#				congestion control), flowgen
# Both need a virtio-net device. sch_roce is loaded if it is there.
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. /guest/ktap_helpers.sh
# shellcheck source=tools/lib/wait.sh
. /guest/wait.sh

LIMIT=300	# seconds for one program: software emulation on a machine that has other work
OURS="sch_roce rdma_rxe rxe_cc_hpcc rxe_cc_dcqcn roce_cc_lib rxe_cc"

loaded() { grep -q "^$1 " /proc/modules; }

load() {
	modprobe ib_uverbs && modprobe rdma_rxe || return 1
	[ "${ALGOS:-}" != stock ] || return 0
	modprobe sch_roce && modprobe rxe_cc_dcqcn && modprobe rxe_cc_hpcc
}

unloaded() {
	local m
	for m in $OURS; do
		! loaded "$m" || modprobe -r "$m" 2>/dev/null
	done
	for m in $OURS; do
		! loaded "$m" || return 1
	done
}

# counter DEVICE NAME
counter() { cat "/sys/class/infiniband/$1/ports/1/hw_counters/$2"; }

active() { grep -q ACTIVE "/sys/class/infiniband/$1/ports/1/state"; }

# Index of the device's IPv4 GID, one of the first; there are files for a thousand.
gid_index() {
	local i gid

	for i in 0 1 2 3; do
		read -r gid <"/sys/class/infiniband/$1/ports/1/gids/$i" 2>/dev/null || continue
		[[ $gid != 0000:0000:0000:0000:0000:ffff:* ]] || { echo $i; return; }
	done 2>/dev/null
	return 1
}

has_gid() { gid_index "$1" >/dev/null; }

# listens PORT [NAMESPACE], the port in hexadecimal
listens() {
	${2:+ip netns exec $2} cat /proc/net/tcp /proc/net/tcp6 | grep -q ":$1 .* 0A "
}

# One guest

in_a() { ip netns exec a "$@"; }
in_b() { ip netns exec b "$@"; }

# The line to b is slower than the other one, so the switch has to pause a. In software emulation a may
# obey late, so there is headroom for all that it may have unacknowledged: 128 packets of 1.1 KB.
make_net() {
	local h rate
	local port="delay 5us int on prio 3 lossless on"

	ip netns add sw && ip -n sw link add br0 type bridge && ip -n sw link set br0 up || return 1
	for h in a b; do
		ip netns add $h && ip link add ${h}0 netns $h type veth peer name s$h netns sw &&
			ip -n $h addr add "10.0.0.$([ $h = a ] && echo 1 || echo 2)/24" dev ${h}0 &&
			ip -n sw link set s$h master br0 && ip -n sw link set s$h up &&
			ip -n $h link set ${h}0 up || return 1
		rate=$([ $h = a ] && echo 60mbit || echo 10mbit)
		# shellcheck disable=SC2086 # words
		tc -n $h qdisc add dev ${h}0 root roce rate $rate $port &&
			tc -n sw qdisc add dev s$h root roce rate $rate switch auto buffer 800kb $port \
				xoff 20kb xon 10kb headroom 160kb || return 1
		in_$h rdma link add rxe_$h type rxe netdev ${h}0 &&
			wait_for 100 active rxe_$h && wait_for 100 has_gid rxe_$h || { rdma link; return 1; }
	done
}

shown() {
	tc -n sw qdisc show dev sa >/run/shown
	grep -q 'lossless on' /run/shown || { cat /run/shown; return 1; }
}

gone() { [ -z "$(ls /sys/class/infiniband)" ]; }

remove_net() {
	ip netns del a 2>/dev/null
	ip netns del b 2>/dev/null
	ip netns del sw 2>/dev/null
	wait_for 200 gone && wait_for 100 unloaded || { rdma link; cat /proc/modules; return 1; }
}

# set_algo NAME [KNOB=VALUE]...
set_algo() {
	local d name=$1 knobs
	shift
	[ $# -eq 0 ] || knobs=$(printf ' knob %s' "$@")
	for d in rxe_a rxe_b; do
		# shellcheck disable=SC2086 # words
		rxecc dev set $d algo "$name" ${knobs:-} || return 1
	done
}

# write N: messages from a to b
write() {
	local server rc
	in_b timeout $LIMIT ib_write_bw -d rxe_b -x "$(gid_index rxe_b)" -F -u 19 --tclass=104 -s 65536 -n "$1" >/run/server 2>&1 &
	server=$!
	wait_for 600 listens 4853 b
	in_a timeout $LIMIT ib_write_bw -d rxe_a -x "$(gid_index rxe_a)" -F -u 19 --tclass=104 -s 65536 -n "$1" 10.0.0.2 || {
		kill $server 2>/dev/null
		cat /run/server
		wait $server
		return 1
	}
	wait $server
}


# The switch pauses a, and a obeys: nothing is lost.
pfc() {
	local requests received drops
	set_algo none && write 30 || return 1
	requests=$(tc -n sw -s qdisc show dev sa | sed -n 's/.*pauses the peer: requests \([0-9]*\).*/\1/p')
	received=$(tc -n a -s qdisc show dev a0 | sed -n 's/.*pfc: sent [0-9]* received \([0-9]*\).*/\1/p')
	drops=$(tc -n sw -s qdisc show dev sb | sed -n 's/.*(dropped \([0-9]*\),.*/\1/p')
	echo "pauses asked for $requests, frames received $received, dropped $drops"
	[ "${requests:-0}" -gt 0 ] && [ "${received:-0}" -gt 0 ] && [ "$drops" = 0 ]
}

# hpcc's window is that of its start until telemetry comes back.
int() {
	local sent received
	set_algo hpcc int=on && write 30 || return 1
	sent=$(counter rxe_a int_sent)
	received=$(counter rxe_b int_received)
	echo "packets with INT: sent $sent, received $received"
	[ "$sent" -gt 0 ] && [ "$received" -gt 0 ]
}

under_way() { [ "$(counter rxe_a sent_pkts)" -gt "$1" ]; }

ended() { ! kill -0 "$1" 2>/dev/null; }

# removal WHAT: while a flow is under way; what is left goes afterwards, the modules too
removal() {
	local pids=() p

	load && make_net && set_algo dcqcn || return 1
	in_b flowgen server --dev rxe_b >/run/server 2>&1 &
	pids+=($!)
	wait_for 600 listens 4854 b || return 1
	in_a flowgen client 10.0.0.2 --dev rxe_a --duration 300s --interval 0 --ib-timeout 19 >/run/client 2>&1 &
	pids+=($!)
	wait_for 1200 under_way 200 || { cat /run/client; return 1; }
	case $1 in
	link) rdma link del rxe_a ;;
	netdev) ip -n a link del a0 ;;
	namespace) ip netns del a ;;
	qdisc) tc -n a qdisc del dev a0 root ;;
	esac || return 1
	sleep 1
	for p in "${pids[@]}"; do
		kill "$p"
		wait_for 300 ended "$p" || { echo "a process does not end"; kill -9 "$p"; return 1; }
	done 2>/dev/null
	wait
	remove_net
}

# Sockets for RoCE packets in the namespace n, of IPv4 and IPv6: port 4791.
sockets() { ip netns exec n cat /proc/net/udp /proc/net/udp6 | grep -c ':12B7 '; }
no_socket() { [ "$(sockets)" = 0 ]; }

# Two netdevs in one namespace, the ends of one cable.
two_links() {
	ip netns add n && ip -n n link add p0 type veth peer name q0 && ip -n n link set p0 up &&
		ip -n n link set q0 up && ip netns exec n rdma link add rxe_q type rxe netdev q0
}

add_p() { ip netns exec n rdma link add "$1" type rxe netdev p0; }

# A device that cannot be made leaves the socket of another one as it was.
name_taken() {
	two_links && ! add_p rxe_q && ! add_p rxe_q && rdma link del rxe_q && wait_for 50 no_socket ||
		{ echo "$(sockets) sockets left"; ip netns del n; return 1; }
	ip netns del n
}

# "rdma link del" twice at once: the sockets are still there for the other device.
gone_twice() {
	local i n
	two_links || return 1
	n=$(sockets)
	for ((i = 0; i < 20; i++)); do
		add_p rxe_p || break
		rdma link del rxe_p &
		rdma link del rxe_p 2>/dev/null
		wait
		[ "$(sockets)" = "$n" ] || { echo "$(sockets) sockets after $i removals, not $n"; break; }
	done
	ip netns del n
	[ $i -eq 20 ]
}

namespace() {
	ktap_check "namespace: modules load" load
	ktap_check "namespace: a name that is taken leaves no socket" name_taken
	ktap_check "namespace: two removals of a device leave the other's sockets" gone_twice
}

switch() {
	ktap_check "tc: the plug-in fits $(tc -V)" bash /guest/check-tc.sh /guest/tc
	ktap_check "switch: modules load" load
	ktap_check "switch: two hosts and a switch" make_net
	ktap_check "switch: tc shows the ports" shown
	ktap_check "switch: PFC" pfc
	ktap_check "switch: INT, under hpcc" int
	ktap_check "switch: all of it goes" remove_net
	namespace
	wait_for 100 unloaded
	for what in link netdev namespace qdisc; do
		ktap_check "removal: of a $what under load" removal $what
	done
}

# Two guests

nic() {
	local n
	for n in /sys/class/net/*; do
		[ ! -e "$n/device" ] || { echo "${n##*/}"; return; }
	done
	return 1
}

# set_up ADDRESS: a port that marks and stamps, if there is sch_roce
set_up() {
	modprobe virtio_pci && modprobe virtio_net && load || return 1
	dev=$(nic) || { echo "no network device"; return 1; }
	ip addr add "$1/24" dev "$dev" && ip link set "$dev" up || return 1
	! loaded sch_roce || tc qdisc add dev "$dev" root roce rate 40mbit delay 5us int on \
		prio 3 ecn enqueue kmin 20kb kmax 80kb || return 1
	rdma link add rxe0 type rxe netdev "$dev" && wait_for 100 active rxe0 && wait_for 100 has_gid rxe0
}

server() {
	local command pid=

	set_up 10.0.0.1 || return 1
	while :; do
		command=$(nc -l -p 7000) || sleep 0.1
		case $command in
		end) return 0 ;;
		"" | sync) continue ;;
		"algo "*) set_algorithm "${command#algo }"; continue ;;
		esac
		[ -z "$pid" ] || { wait_for 50 ended "$pid"; kill "$pid" 2>/dev/null; wait "$pid"; }
		# shellcheck disable=SC2086 # words
		timeout $LIMIT ${command/GID/$(gid_index rxe0)} &
		pid=$!
		wait_for 600 listens 485[34]
	done
}

# tell LINE: when the server has done what it was told before
tell() { wait_for 600 told "$1"; }
told() { echo "$1" | nc -w 5 10.0.0.1 7000 2>/dev/null; }

# perftest PROGRAM ARGUMENT...
perftest() {
	tell "$1 -d rxe0 -x GID -F -u 19 --tclass=104 ${*:2}" && tell sync &&
		timeout $LIMIT "$1" -d rxe0 -x "$(gid_index rxe0)" -F -u 19 --tclass=104 "${@:2}" 10.0.0.1
}

flow() {
	tell "flowgen server --dev rxe0 --once" && tell sync &&
		timeout $LIMIT flowgen client 10.0.0.1 --dev rxe0 --size 64kb --count 10 --ib-timeout 19 --interval 0 "$@"
}

# Only a peer that is ours can take INT off.
set_algorithm() { rxecc dev set rxe0 algo "$1" knob "int=$([ "$1" = hpcc ] && echo on || echo off)"; }
algorithm() { tell "algo $1" && tell sync && set_algorithm "$1"; }

client() {
	local algo

	ktap_check "pair: this guest is set up" set_up 10.0.0.2
	ktap_check "pair: the other one is" tell sync
	for algo in $ALGOS; do
		[ "$algo" = stock ] || ktap_check "$algo: set" algorithm "$algo"
		ktap_check "$algo: ib_write_bw" perftest ib_write_bw -s 65536 -n 20
		ktap_check "$algo: ib_read_bw" perftest ib_read_bw -s 65536 -n 10
		ktap_check "$algo: ib_send_bw" perftest ib_send_bw -s 4096 -n 50
		ktap_check "$algo: ib_write_lat" perftest ib_write_lat -s 64 -n 50
		ktap_check "flowgen: write, $algo" flow --op write
		ktap_check "flowgen: read, $algo" flow --op read
	done
	tell end
}

case ${1:-} in
switch | namespace | client)
	ktap_print_header
	ktap_print_msg "Linux $(uname -r), $(tc -V)"
	"$1"
	ktap_print_totals
	[ "$KTAP_CNT_FAIL" -eq 0 ]
	;;
server) server ;;
*) echo "see the head of this script" >&2; exit 2 ;;
esac
