#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: collective operations end within 1 % of the derived time on an idle star; what a straggler
#   costs; two jobs and background flows beside each other; the same bytes twice
#
# Jobs of workload=collective.
. "$(dirname "$0")/../lib/lab_lib.sh"

dir=$LAB_OUT/c

# collective NAME N OPTION...: on a star of N hosts
collective() {
	local name=$1 n=$2
	shift 2
	LAB_DIR=$dir/$name lab_run star --mem 512 --set n="$n" --set workload=collective \
		--set mtu=4096 --set rate=100gbit --set delay=1us "$@"
}

took() {
	LAB_DIR=$dir/$1 lab_get "star/${2:-none}/1" ".collectives[${3:-0}].completion_ns"
}

# A flow of B bytes alone: packets of 4096 + 82 bytes (Ethernet 38, IP 20, UDP 8, BTH 12, ICRC 4), a
# RETH of 16 for each message of 256 KiB, at 0.08 ns a byte; four times 1 us for the way and back;
# the last packet once more on the second link, and the ACK of 86 bytes on both.
alone() {
	awk -v b="$1" 'BEGIN {
		packets = int((b + 4095) / 4096)
		last = b - (packets - 1) * 4096 + 82
		line = b + 82 * packets + 16 * int((b + 262143) / 262144)
		printf "%.0f\n", (line + last + 2 * 86) * 0.08 + 4000
	}'
}

# Each of the 2 (n - 1) steps of a ring sends 1/n of the bytes, and begins when the one before is
# acknowledged. By halving it is log2(n) steps of 1/2, 1/4, ... and the same backwards.
derived() {
	local slice=$((16777216 / 16)) sum=0 b
	collective ring 16 --set job_size=16mib && near "$(took ring)" $((30 * $(alone $slice))) 0.01 || return 1
	for ((b = 16777216 / 2; b >= slice; b /= 2)); do sum=$((sum + 2 * $(alone $b))); done
	collective halving 16 --set job_size=16mib --set collective=all_reduce_halving &&
		near "$(took halving)" $sum 0.01 || return 1
	# In all-to-all each link carries 15 parts, one after the other or in turn: as one flow.
	collective pairs 16 --set job_size=16mib --set collective=all_to_all_pairs &&
		near "$(took pairs)" $((15 * $(alone $slice))) 0.01
}

# Bus bandwidth is what a link carries of payload: 2 (n - 1) / n of the bytes in that time.
bus() {
	near "$(LAB_DIR=$dir/ring lab_get star/none/1 '.collectives[0].bus_bandwidth_bps')" \
		"$(awk -v t="$(took ring)" 'BEGIN { print 30 / 16 * 16777216 * 8e9 / t }')" 0.000001
}

# All flows of a ring are on the links once a step, in steps.csv as in flows.csv; the path has one
# of each step.
steps() {
	awk -F, 'NR > 1 { n[$3]++; end[$3] = $8 > end[$3] ? $8 : end[$3]; path += $9 }
		END { for (s = 0; s < 30; s++) if (n[s] != 16 || (s && end[s] <= end[s - 1])) exit 1
			exit path != 30 }' "$dir/ring/star/none/seed1/steps.csv"
}

# Rank 0 computes 20 us longer. A chain of the 13 steps with computing passes each of 8 ranks once
# or twice, and the longest one twice rank 0.
straggler() {
	local opts=(--set job_size=1mib --set compute=100us)
	collective even 8 "${opts[@]}" && collective slow 8 "${opts[@]}" --set stragglers=1 || return 1
	near $(($(took slow) - $(took even))) 40000 0.01
}

# Two jobs on hosts of their own do not touch each other on a star: each takes as long as alone. A
# flow besides that takes half of some links does make the one longer whose link it shares.
beside() {
	local opts=(--set ranks=4 --set job_size=4mib)
	collective one 8 "${opts[@]}" && collective two 8 "${opts[@]}" --set jobs=2 || return 1
	near "$(took two)" "$(took one)" 0.001 && near "$(took two none 1)" "$(took one)" 0.001 || return 1
	collective flows 8 "${opts[@]}" --set jobs=2 --set background_flows=8 --set stop=3ms --cc dcqcn &&
		is "$(LAB_DIR=$dir/flows lab_get star/dcqcn/1 '[.collectives[].completion_ns] | max')" ">=" \
			$(($(took one) * 12 / 10))
}

again() {
	collective ring2 16 --set job_size=16mib &&
		cmp "$dir/ring/star/none/seed1/steps.csv" "$dir/ring2/star/none/seed1/steps.csv" &&
		cmp "$dir/ring/star/none/seed1/flows.csv" "$dir/ring2/star/none/seed1/flows.csv"
}

# Bytes of each kind, placement and what is refused: tools/lab/tests/test_collectives.c.
ktap_print_header
ktap_check "ring, halving and all-to-all take the derived time" derived
ktap_check "bus bandwidth is what a link carries" bus
ktap_check "steps.csv has each step, and the path that decided" steps
ktap_check "a straggler costs what its chain passes it" straggler
ktap_check "two jobs beside each other, and background flows" beside
ktap_check "the same again, byte for byte" again
ktap_finished
