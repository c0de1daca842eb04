#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Remove what a job has left in the guest, but for processes of the job's own group:
# namespaces, devices, our modules. Says what does not go away, and fails.
set -u
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

for f in /sys/kernel/debug/failslab /sys/kernel/debug/fail_page_alloc; do
	[ ! -e $f ] || echo 0 >$f/probability
done
mkdir -p /run/netns
for n in /run/netns/*; do
	[ ! -e "$n" ] || ip netns del "${n##*/}"
done
for d in /sys/class/infiniband/*; do
	[ ! -e "$d" ] || rdma link del "${d##*/}" 2>/dev/null
done
for d in /sys/class/net/*; do
	case ${d##*/} in
	lo | bonding_masters) ;;
	*) ip link del "${d##*/}" 2>/dev/null ;;
	esac
done
wait_for 600 no_rdma || { echo "clean: an RDMA device stays: $(ls /sys/class/infiniband)"; exit 1; }
# Namespaces are taken apart later; a module goes when nothing of it is in use.
until=$((SECONDS + 300))
while :; do
	left=''
	for m in $(our_modules); do
		rmmod "$m" 2>/dev/null || left+=" $m"
	done
	[ -n "$left" ] && [ "$SECONDS" -lt "$until" ] || break
	sleep 0.1
done
[ -z "$(our_modules)" ] || { echo "clean: modules stay: $(our_modules)"; lsmod; exit 1; }
rdma system set netns shared
