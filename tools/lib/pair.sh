# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# A pair of soft-RoCE devices, one at each end of a path; sourced.
#
# Stock rxe works in the initial network namespace only, so both devices are there,
# with stock rxe and with ours. Rules keep packets between their addresses on the path.

# pair_rules A B: network devices a0 and b0 get 10.0.0.1 and 10.0.0.2 and are up. Their
# hardware addresses end in 01 and 02.
pair_rules() {
	ip link set lo up
	for i in all "$1" "$2"; do
		echo 1 >"/proc/sys/net/ipv4/conf/$i/accept_local"
		echo 0 >"/proc/sys/net/ipv4/conf/$i/rp_filter"
		echo 1 >"/proc/sys/net/ipv6/conf/$i/disable_ipv6"
	done
	ip -batch - <<-END
		addr add 10.0.0.1/32 dev $1
		addr add 10.0.0.2/32 dev $2
		link set $1 up
		link set $2 up
		route add 10.0.0.2/32 dev $1 table 10
		route add 10.0.0.1/32 dev $2 table 10
		rule add pref 1 iif $1 lookup local
		rule add pref 2 iif $2 lookup local
		rule add pref 3 to 10.0.0.0/30 lookup 10
		rule add pref 4 lookup local
		rule del pref 0
		neigh add 10.0.0.2 dev $1 lladdr 02:00:00:00:00:02 nud permanent
		neigh add 10.0.0.1 dev $2 lladdr 02:00:00:00:00:01 nud permanent
	END
}

# pair_load DIR A B: the rxe in DIR, with our core if that is there too, and a device on
# each end.
pair_load() {
	[ ! -e "$1/rxe_cc.ko" ] || insmod "$1/rxe_cc.ko" || return 1
	insmod "$1/rdma_rxe.ko" &&
		rdma link add rxe_a type rxe netdev "$2" &&
		rdma link add rxe_b type rxe netdev "$3"
}

# pair_unload: both devices, rxe and all of ours that needs it
pair_unload() {
	rdma link del rxe_a && rdma link del rxe_b && rmmod rdma_rxe || return 1
	for m in /sys/module/rxe_cc_*; do
		[ ! -d "$m" ] || rmmod "${m##*/}" || return 1
	done
	[ ! -d /sys/module/rxe_cc ] || rmmod rxe_cc
}
