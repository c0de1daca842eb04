#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# First process of the benchmark's lab kernel, in real time, where $bench_dir comes
# from the kernel's command line; or the script of a QEMU guest (boot_qemu.sh). Loads
# the rxe that each line of "order" names, runs every plan over one veth pair, marks
# begin and end of the traffic on the console, where the host samples the CPU time,
# and says there what flowgen measured.
#
# Stock rxe knows only the initial network namespace, so both ends of the cable
# are in it; the rules keep packets between its own two addresses on the cable.
bench_dir=${bench_dir:?not on the kernel command line}
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
if [ $$ -eq 1 ]; then
	mount -t proc proc /proc
	mount -t sysfs sysfs /sys
	mount -t devtmpfs devtmpfs /dev
	mount -t tmpfs tmpfs /run
fi

leave() {
	[ $$ -ne 1 ] || poweroff -f
	exit "$1"
}

fail() {
	echo "@fail $*"
	leave 1
}

cable() {
	ip link set lo up
	ip link add a0 mtu 4200 address 02:00:00:00:00:01 type veth \
		peer name b0 mtu 4200 address 02:00:00:00:00:02 || return 1
	for i in all a0 b0; do
		echo 1 >/proc/sys/net/ipv4/conf/$i/accept_local
		echo 0 >/proc/sys/net/ipv4/conf/$i/rp_filter
		echo 1 >/proc/sys/net/ipv6/conf/$i/disable_ipv6
	done
	ip -batch - <<-END
		addr add 10.0.0.1/32 dev a0
		addr add 10.0.0.2/32 dev b0
		link set a0 up
		link set b0 up
		route add 10.0.0.2/32 dev a0 table 10
		route add 10.0.0.1/32 dev b0 table 10
		rule add pref 1 iif a0 lookup local
		rule add pref 2 iif b0 lookup local
		rule add pref 3 to 10.0.0.0/30 lookup 10
		rule add pref 4 lookup local
		rule del pref 0
		neigh add 10.0.0.2 dev a0 lladdr 02:00:00:00:00:02 nud permanent
		neigh add 10.0.0.1 dev b0 lladdr 02:00:00:00:00:01 nud permanent
	END
}

load() {
	case $1 in
	stock) insmod "$bench_dir/stock/rdma_rxe.ko" ;;
	patched)
		insmod "$bench_dir/patched/rxe_cc.ko" &&
			insmod "$bench_dir/patched/rdma_rxe.ko"
		;;
	esac || return 1
	rdma link add rxe_a type rxe netdev a0 &&
		rdma link add rxe_b type rxe netdev b0
}

unload() {
	rdma link del rxe_a && rdma link del rxe_b && rmmod rdma_rxe || return 1
	[ ! -d /sys/module/rxe_cc ] || rmmod rxe_cc
}

# Everything is connected before the first sample: it sees traffic only.
measure() {
	"$bench_dir/flowgen" run "$bench_dir/$2.json" --out "$bench_dir/$1-$2" \
		-q --ready-fd 7 --go-fd 8 7>/run/ready 8<>/run/go 2>/run/err &
	if ! head -c 1 /run/ready | grep -q .; then
		wait $!
		fail "$1 $2: $(head -n 1 /run/err)"
	fi
	echo "@begin $1 $2"
	sleep 0.05
	printf x >/run/go
	wait $! || fail "$1 $2: $(head -n 1 /run/err)"
	echo "@end $1 $2"
	sleep 0.05
	case $2 in
	send_*) value=$(jq ".probes[0].rtt_ns.p50" "$bench_dir/$1-$2/latency.json") ;;
	*) value=$(jq .goodput_bps "$bench_dir/$1-$2/summary.json") ;;
	esac
	echo "@result $1 $2 $value"
}

# shellcheck disable=SC2086 # a list
[ -z "${bench_modules:-}" ] || modprobe -a $bench_modules || fail "modules of the distribution"
mkfifo /run/ready /run/go
cable || fail "set-up of the network"
n=0
while read -r variant; do
	load "$variant" || fail "loading $variant rxe"
	# shellcheck disable=SC2013 # names without blanks
	for plan in $(cat "$bench_dir/plans"); do
		measure "$n" "$plan"
	done
	unload || fail "unloading $variant rxe"
	n=$((n + 1))
done <"$bench_dir/order"
echo "@done"
leave 0
