#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# First process of the benchmark's lab kernel, in real time, where $bench_dir comes
# from the kernel's command line; or the script of a QEMU guest (boot_qemu.sh). Loads
# the rxe that each line of "order" names, runs every plan over one veth pair, marks
# begin and end of the traffic on the console, where the host samples the CPU time,
# and says there what flowgen measured.
#
# Both ends of the cable are in the initial namespace, see tools/lib/pair.sh.
bench_dir=${bench_dir:?not on the kernel command line}
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
if [ $$ -eq 1 ]; then
	mount -t proc proc /proc
	mount -t sysfs sysfs /sys
	mount -t devtmpfs devtmpfs /dev
	mount -t tmpfs tmpfs /run
fi
# shellcheck source=tools/lib/pair.sh
. "${PAIR_LIB:-${0%/*}/../lib/pair.sh}"

leave() {
	[ $$ -ne 1 ] || poweroff -f
	exit "$1"
}

fail() {
	echo "@fail $*"
	leave 1
}

# A packet of 4096 bytes takes 8 KiB, a slab has four. How many empty slabs the allocator keeps
# when all packets under way are freed, and how many it makes anew and zeroes for the next,
# depends on what else was in them: on the past, not on rxe. Here it keeps them all.
keep_slabs() {
	for f in /sys/kernel/slab/kmalloc-*/min_partial; do
		echo 128 >"$f" || return 1
	done
}

# Traffic that is not measured: the first after a module was loaded finds lists of free
# pages full, and slabs empty.
warm_up() {
	[ ! -e "$bench_dir/warmup.json" ] ||
		"$bench_dir/flowgen" run "$bench_dir/warmup.json" --out "$bench_dir/$n-warmup" -q
}

cable() {
	ip link add a0 mtu 4200 address 02:00:00:00:00:01 type veth \
		peer name b0 mtu 4200 address 02:00:00:00:00:02 && pair_rules a0 b0
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
[ $$ -eq 1 ] || keep_slabs || fail "memory allocator"
mkfifo /run/ready /run/go
cable || fail "set-up of the network"
n=0
while read -r variant; do
	pair_load "$bench_dir/$variant" a0 b0 || fail "loading $variant rxe"
	warm_up || fail "$variant: traffic to warm up"
	# shellcheck disable=SC2013 # names without blanks
	for plan in $(cat "$bench_dir/plans"); do
		measure "$n" "$plan"
	done
	pair_unload || fail "unloading $variant rxe"
	n=$((n + 1))
done <"$bench_dir/order"
echo "@done"
leave 0
