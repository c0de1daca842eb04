#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the lab kernel's CRC-32, by multiplication and by table, against one bit at a time
#
# What our patches change in the lab kernel (Documentation/devel/lab-kernel.md): CRC-32 by
# multiplication and by table are the same function; rxe's tasks run without workers.
. "$(dirname "$0")/../lib/ktap_helpers.sh"
. "$(dirname "$0")/../lib/guest_two.sh"

switches() {
	awk '$1 == "ctxt" { print $2 }' /proc/stat
}

# A worker is woken up for each packet and sleeps again: two changes of tasks. Without
# workers only programs are left: at 256 KiB a message each that ends is 256 packets, for
# which those of both ends take turns a few times. Half a change a packet is far from both.
guest_tasks() {
	local before n packets=8192
	before=$(switches)
	guest_send $((packets * 1024)) >/run/log 2>&1 || { cat /run/log; return 1; }
	n=$(($(switches) - before))
	echo "$n changes of tasks, $packets packets"
	[ "$n" -lt $((packets / 2)) ]
}

if [ "${1:-}" = guest ]; then
	ROCE_DIRECT=$3 guest_two
	"guest_$2"
	exit
fi

[ -x "$RXE_CC_BUILD/uml-lab/linux" ] || ktap_skip_all "the lab is not built (make lab)"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# crc32 HOW PARAMETER...: the kernel chooses HOW, and its CRC-32 is right
crc32() {
	local how=$1
	shift
	"$RXE_CC_TOP/scripts/uml-exec.sh" --out "$tmp/out" --append "${*:-quiet} kunit.filter_glob=rxe_cc_crc32" \
		--modules 'rxe_cc rxe_cc_kunit' -- \
		sh -c 'cat /sys/kernel/debug/kunit/rxe_cc_crc32/results; dmesg | grep crc32:' >"$tmp/said" 2>&1 ||
		{ cat "$tmp/said"; return 1; }
	grep -q "^ok 1 rxe_cc_crc32" "$tmp/said" && grep -q "crc32: by $how" "$tmp/said" ||
		{ cat "$tmp/said"; return 1; }
}

# without_workers DIRECT
without_workers() {
	"$UML_EXEC" --modules 'rxe_cc rdma_rxe sch_roce' --timeout 90 \
		--env RXE_CC_BUILD="$RXE_CC_BUILD" -- "$(realpath "$0")" guest tasks "$1"
}

ktap_print_header
ktap_check "crc32: by table" crc32 table crc32=table
if grep -qw pclmulqdq /proc/cpuinfo && grep -qw sse4_1 /proc/cpuinfo; then
	ktap_check "crc32: by multiplication" crc32 multiplication
else
	ktap_test_skip "crc32: by multiplication" "the CPU cannot"
fi
ktap_check "tasks: no workers, with direct ports" without_workers on
ktap_check "tasks: no workers, with ports that go through the stack" without_workers off
ktap_finished
