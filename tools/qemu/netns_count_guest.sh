#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs in a guest of tools/qemu/run.sh: how rxe counts the devices that use the sockets of a
# network namespace. Shows what fix 20-netns-count of rxe mends; Documentation/guide/kernels.md has
# the commands. Needs neither congestion control nor traffic, so stock rxe can be asked, too.
#
#   netns n: p0, rxe_p  ---- veth ----  q0, rxe_q
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. /guest/ktap_helpers.sh
# shellcheck source=tools/lib/wait.sh
. /guest/wait.sh

# rxe of 7.3 does not bring ib_uverbs; where rxe does not, udev would.
load() { modprobe ib_uverbs && modprobe rdma_rxe; }

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

gone() { [ -z "$(ls /sys/class/infiniband)" ]; }

# Devices of a namespace that has gone go a little later.
unload() { wait_for 100 gone && rmmod rdma_rxe || { ls /sys/class/infiniband; grep rxe /proc/modules; return 1; }; }

ktap_print_header
ktap_print_msg "Linux $(uname -r), $(modinfo -n rdma_rxe)"
ktap_check "rxe loads" load
ktap_check "a name that is taken leaves no socket" name_taken
ktap_check "two removals of a device leave the other's sockets" gone_twice
ktap_check "rxe goes" unload
ktap_print_totals
[ "$KTAP_CNT_FAIL" -eq 0 ]
