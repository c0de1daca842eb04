#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# First process of the guest of tools/qemu/debian.sh: our packages are installed; use
# them, remove them, and have the distribution's rxe back.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C
mount -t proc proc /proc 2>/dev/null
mount -t sysfs sysfs /sys 2>/dev/null
mountpoint -q /dev || mount -t devtmpfs devtmpfs /dev
mkdir -p /run /tmp
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /tmp
mkdir -p /dev/shm
mount -t tmpfs tmpfs /dev/shm
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
ip link set lo up
stty raw -echo </dev/ttyS1
exec </dev/null >/dev/ttyS1 2>&1

# shellcheck source=selftests/lib/ktap_helpers.sh
. /guest/ktap_helpers.sh

of_ours() { modinfo -n rdma_rxe | grep -q '/updates/dkms/'; }

all_modules() {
	local m
	for m in $(sed -n 's/^BUILT_MODULE_NAME.*="\(.*\)"/\1/p' /usr/src/rxe-cc-*/dkms.conf); do
		modinfo -n "$m" | grep -q '/updates/dkms/' || { echo "$m: not there"; return 1; }
	done
}

tools() {
	rxecc --version && flowgen --help >/dev/null && /usr/share/rxe-cc/check-tc && lab list incast >/dev/null
}

perftest() { bash /guest/smoke_guest.sh; }

remove() { dpkg --remove rxe-cc-lab rxe-cc-tools rxe-cc-dkms; }

stock_back() {
	modinfo -n rdma_rxe | grep -q '/kernel/drivers/' && ! modinfo rxe_cc >/dev/null 2>&1 &&
		! command -v rxecc >/dev/null || return 1
	ip link add v0 type veth peer name v1 && ip link set v0 up && ip link set v1 up &&
		rdma link add rxe0 type rxe netdev v0 || return 1
	rdma link | grep -q 'rxe0/1' && [ ! -e /sys/class/infiniband/rxe0/ports/1/cc ] &&
		! grep -q '^rxe_cc ' /proc/modules && rdma link del rxe0 && modprobe -r rdma_rxe
}

ktap_print_header
ktap_print_msg "$(. /etc/os-release; echo "$PRETTY_NAME"), Linux $(uname -r), $(tc -V)"
ktap_check "modprobe prefers the package's rdma_rxe" of_ours
ktap_check "all modules are there" all_modules
ktap_check "tools run, the plug-in fits this tc" tools
ktap_check "links, roce ports, perftest under dcqcn and without, unload" perftest
ktap_check "the packages go" remove
ktap_check "the distribution's rxe is back and works" stock_back
ktap_print_totals
code=$((KTAP_CNT_FAIL > 0))
sync
mount -o remount,ro / 2>/dev/null
# Octal, one byte; QEMU leaves with (code << 1) | 1 the moment it is written.
# shellcheck disable=SC2059 # an escape of printf is what is wanted
printf "\\$(printf %o "$code")" | dd of=/dev/port bs=1 seek=244 2>/dev/null
poweroff -f
