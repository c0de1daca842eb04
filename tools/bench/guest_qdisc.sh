#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# First process of the lab kernel that measures qdiscs, in virtual time.
# $bench_dir comes from the kernel's command line. For each line of "order",
# ROUND VARIANT MODULE PACKETS: loads the qdisc, sets it up by VARIANT.tc, sends
# what each line of "loads" says and prints what gen/qdisc_bench.c answers.
#
#	generator -> d0 [qdisc], a dummy device: what leaves is freed
#	             i0, where the packets pretend to have come in
bench_dir=${bench_dir:?not on the kernel command line}
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
export TC_LIB_DIR="$bench_dir"
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tmpfs tmpfs /run
mount -t debugfs debugfs /sys/kernel/debug
gen=/sys/kernel/debug/qdisc_bench
loaded=-

fail() {
	echo "@fail $*"
	poweroff -f
}

# Nothing but ours may be sent: no IPv6, which announces itself.
devices() {
	for i in i0 d0; do
		ip link add $i type dummy || return 1
		echo 1 >/proc/sys/net/ipv6/conf/$i/disable_ipv6
		ip link set $i up
	done
}

load() {
	[ "$1" != - ] || return 0
	[ "$1" != "$loaded" ] || return 0
	[ "$loaded" = - ] || rmmod sch_roce || return 1
	loaded=$1
	insmod "$bench_dir/$1.ko"
}

# run ROUND VARIANT PACKETS
run() {
	while read -r n count burst period; do
		echo "d0 i0 $3 $count $burst $period" >$gen ||
			fail "qdisc $2: $(dmesg | grep qdisc_bench: | tail -n 1)"
		read -r answer <$gen
		echo "@run $1 $2 $n $answer"
	done <"$bench_dir/loads"
}

insmod "$bench_dir/gen.ko" || fail "loading the generator"
devices || fail "set-up of the devices"
while read -r round variant module packets; do
	tc -batch "$bench_dir/reset.tc" || fail "resetting the qdiscs"
	load "$module" || fail "loading $module.ko"
	tc -batch "$bench_dir/$variant.tc" 2>/run/err ||
		fail "tc: $(grep -v '^Command failed' /run/err | head -n 1)"
	run "$round" "$variant" "$packets"
done <"$bench_dir/order"
echo "@done"
poweroff -f
