#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the commands of a page that need root, in the lab kernel.
#	guest.sh SCRIPT OUT
# Devices that a block asks for are new: rxeN is a soft-RoCE device on eth0, any other name
# is one end of a veth pair.
export TC_LIB_DIR=$RXE_CC_BUILD/tc
fars=0

_devices() {
	local name
	for name; do
		case $name in
		rxe*)
			rdma link add "$name" type rxe netdev eth0
			continue
			;;
		esac
		! ip link show "$name" >/dev/null 2>&1 || ip link del "$name"
		far=far$((++fars))
		ip link add "$name" mtu 9000 type veth peer name "$far"
		ip link set "$name" up
		ip link set "$far" mtu 9000 up
		[ "$name" != eth0 ] || ip addr add 10.0.0.1/24 dev eth0
	done
}

mkdir -p /run/netns
ip link set lo up
# shellcheck source=host.sh
. "$(dirname "$0")/host.sh"
