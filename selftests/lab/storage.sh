#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a disk by NVMe over RDMA, read by `fio` on a host of a lab, see [programs.md](../guide/programs.md#disks-over-rdma): a read alone
#   takes the derived time, the same bytes twice; beside an incast it waits for the queue
. "$(dirname "$0")/../lib/lab_lib.sh"

[ -x "$RXE_CC_BUILD/uml-apps/linux" ] || ktap_skip_all "the kernel for it is not built (make lab-apps)"
for c in fio nvme; do
	command -v "$c" >/dev/null || ktap_skip_all "no $c (make lab-apps)"
done
HANGS=600

# reads WORD...: the example with these; results in $LAB_OUT/r
reads() {
	rm -rf "$LAB_OUT/r"
	(cd "$RXE_CC_TOP" && timeout -k 10 $HANGS "$LAB" run Documentation/examples/nvme.json --apps \
		--set rate=100gbit --out "$LAB_OUT/r" -q "$@") >"$LAB_OUT/out" 2>&1 </dev/null ||
		{ tail -n 20 "$LAB_OUT/out"; return 1; }
}

# fio_says CC FILTER: of its JSON
fio_says() { jq -r "$2" "$LAB_OUT/r/nvme/$1/seed1/program2.txt"; }

# A read is a SEND of 64 bytes, a WRITE of 4096 back (16 bytes of RETH), and a SEND of 16 right behind it, with
# 4 bytes that name a memory region. Each has 82 bytes of Ethernet with FCS, preamble and gap, IP, UDP, BTH and
# ICRC. The first two cross two links each, one after the other, the last adds its own time once. The four cables
# are 1 us long. fio and the kernels on both ends make system calls and read clocks, 1 ns each, some 10 times.
ALONE=$(awk 'BEGIN { print 4 * 1000 + (2 * (64 + 82) + 2 * (4096 + 16 + 82) + 16 + 4 + 82) * 8 / 100 }')
alone() {
	reads --set n=0 --set reads=100 || return 1
	is "$(fio_says none .jobs[0].read.total_ios)" == 100 &&
		is "$(fio_says none .jobs[0].read.clat_ns.min)" ">=" "$ALONE" &&
		is "$(fio_says none .jobs[0].read.clat_ns.max)" "<=" "$(awk -v t="$ALONE" 'BEGIN { print t + 20 }')"
}

# nvme-cli may give the host a random name, which is in the kernel's messages.
same_twice() {
	cp -r "$LAB_OUT/r" "$LAB_OUT/first" && reads --set n=0 --set reads=100 &&
		diff -r -x run.json -x console.log "$LAB_OUT/first" "$LAB_OUT/r"
}

# Without congestion control the port to the reader has a queue that stays, and each read waits for all of it.
# HPCC paces its senders to less than the link: at most one packet of each of the 16 is before most reads.
beside_incast() {
	local queue
	reads --set reads=200 --cc none,hpcc || return 1
	queue=$(lab_get nvme/none/1 '.bottleneck.queue_bytes.p50') || return 1
	near "$(fio_says none '.jobs[0].read.clat_ns.percentile["50.000000"]')" \
		"$(awk -v t="$ALONE" -v q="$queue" 'BEGIN { print t + q * 8 / 100 }')" 0.02 &&
		is "$(fio_says hpcc '.jobs[0].read.clat_ns.percentile["50.000000"]')" "<=" \
			"$(awk -v t="$ALONE" 'BEGIN { print t + 16 * (4096 + 82) * 8 / 100 }')" &&
		is "$(lab_get nvme/none/1 .pfc.pause_frames)" ">=" 1 && is "$(lab_get nvme/none/1 .bottleneck.drops)" == 0
}

refused() {
	local rc=0
	"$LAB" run two --apps --debug -q --out "$LAB_OUT/n" 2>"$LAB_OUT/err" || rc=$?
	is $rc == 2 && grep -q -- "--apps: .*not with --debug" "$LAB_OUT/err"
}

ktap_print_header
ktap_check "a read of 4 KiB takes the derived time" alone
ktap_check "... the same bytes in a second run" same_twice
ktap_check "reads beside an incast" beside_incast
ktap_check "one kernel at a time" refused
ktap_finished
