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
# shellcheck source=tools/lib/wait.sh
. /guest/wait.sh

# each_kernel COMMAND...: with the version of each installed kernel behind it
each_kernel() {
	local d
	for d in /lib/modules/*/kernel; do
		d=${d%/kernel}
		"$@" "${d##*/}" || { echo "not with ${d##*/}"; return 1; }
	done
}

# file_of VERSION: the rdma_rxe that modprobe takes in that kernel
file_of() { modinfo -k "$1" -n rdma_rxe; }
is_ours() { [[ $(file_of "$1") == */updates/dkms/* ]]; }
is_stock() { [[ $(file_of "$1") == */kernel/drivers/* ]]; }

all_modules() {
	local m
	for m in $(sed -n 's/^BUILT_MODULE_NAME.*="\(.*\)"/\1/p' /usr/src/rxe-cc-*/dkms.conf); do
		modinfo -k "$1" -n "$m" | grep -q '/updates/dkms/' || { echo "$m: not there"; return 1; }
	done
}

# Only ours has a version, and so a checksum of its source.
loaded_source() { cat /sys/module/rdma_rxe/srcversion 2>/dev/null; }

ours_is_loaded() {
	modprobe ib_uverbs && modprobe rdma_rxe || return 1
	echo "srcversion $(loaded_source)"
	[ -n "$(loaded_source)" ] && [ "$(loaded_source)" = "$(modinfo -F srcversion rdma_rxe)" ] &&
		grep -q '^rxe_cc .*rdma_rxe' /proc/modules
}

# ready DEVICE: with a GID for IPv4
ready() {
	grep -q ACTIVE "/sys/class/infiniband/$1/ports/1/state" &&
		grep -q ':ffff:0a00:000' "/sys/class/infiniband/$1/ports/1/gids/"[0-3]
} 2>/dev/null

# host NAME ADDRESS
host() {
	ip netns add "$1" && ip link set "${1}0" netns "$1" && ip -n "$1" addr add "$2/24" dev "${1}0" &&
		ip -n "$1" link set "${1}0" up && ip netns exec "$1" rdma link add "rxe_$1" type rxe netdev "${1}0"
}

# Both ways under each of these, every byte checked.
flows() {
	local algo
	ip link add a0 type veth peer name b0 && host a 10.0.0.1 && host b 10.0.0.2 &&
		wait_for 300 ready rxe_a && wait_for 300 ready rxe_b || { rdma link; return 1; }
	cat >/tmp/plan.json <<-PLAN
	{ "mtu": 1024, "chunk_bytes": 32768, "depth": 4, "gid": "ipv4", "retry_cnt": 7, "timeout": 17, "verify": true,
	  "flows": [ { "src": "rxe_a", "dst": "rxe_b", "op": "write", "bytes": 500000 },
		     { "src": "rxe_b", "dst": "rxe_a", "op": "read", "bytes": 500000 } ] }
	PLAN
	for algo in none dcqcn; do
		rxecc dev set rxe_a algo "$algo" && rxecc dev set rxe_b algo "$algo" &&
			timeout 300 flowgen run /tmp/plan.json --out "/tmp/$algo" -q || { echo "under $algo"; return 1; }
	done
	rdma link del rxe_a && rdma link del rxe_b && ip netns del a && ip netns del b
}

# A device of a namespace goes a little later, and the algorithm stays until it is told to go.
unloaded() {
	local m
	for m in rdma_rxe rxe_cc_dcqcn roce_cc_lib rxe_cc; do
		modprobe -r "$m"
	done 2>/dev/null
	! grep -qE '^(rdma_rxe|rxe_cc)' /proc/modules
}

tools() {
	rxecc --version && flowgen --help >/dev/null && /usr/share/rxe-cc/check-tc && lab list incast >/dev/null
}

# A machine with other work is slower yet than software emulation.
perftest() { LIMIT=300 bash /guest/smoke_guest.sh; }

remove() { dpkg --remove rxe-cc-dev rxe-cc-lab rxe-cc-tools rxe-cc-dkms; }

stock_back() {
	each_kernel is_stock && ! modinfo rxe_cc >/dev/null 2>&1 && ! command -v rxecc >/dev/null || return 1
	modprobe rdma_rxe && [ -e /sys/module/rdma_rxe ] && [ -z "$(loaded_source)" ] || return 1
	ip link add v0 type veth peer name v1 && ip link set v0 up && ip link set v1 up &&
		rdma link add rxe0 type rxe netdev v0 || return 1
	rdma link | grep -q 'rxe0/1' && [ ! -e /sys/class/infiniband/rxe0/ports/1/cc ] &&
		! grep -q '^rxe_cc ' /proc/modules && rdma link del rxe0 && modprobe -r rdma_rxe
}

ktap_print_header
ktap_print_msg "$(. /etc/os-release; echo "$PRETTY_NAME"), Linux $(uname -r), $(tc -V)"
ktap_print_msg "kernels: $(cd /lib/modules && echo *)"
ktap_check "modprobe prefers the package's rdma_rxe, of each kernel" each_kernel is_ours
ktap_check "all modules are there, for each kernel" each_kernel all_modules
ktap_check "the rdma_rxe that is loaded is the package's" ours_is_loaded
ktap_check "tools run, the plug-in fits this tc" tools
ktap_check "flowgen under none and dcqcn" flows
ktap_check "the modules can be unloaded" wait_for 100 unloaded
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
