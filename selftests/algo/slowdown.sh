#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: who wins at which size under hadoop at half load, [measured/workloads.md](../measured/workloads.md): 16 hosts;
#   `FULL=1`: 320
#
# Slowdown of flow completion times by flow size, of HPCC, DCQCN and RCC under the hadoop workload
# at half load (Documentation/measured/workloads.md). Small flows win with HPCC, whose queues are a few
# packets, and flows of some MB with DCQCN, which does not give way to each small one. RCC shares
# a port among messages: a small one must count as the little that it delivers, else the long
# ones get next to nothing, and it must not wait for them. On 16 hosts without the second claim,
# with FULL=1 all on 320.
#
# The claims are of order, not of size: pooled over a thousand flows and more a factor
# of two is far outside of what a seed does (p99 of small flows: up to 30 %; medians of
# large ones: 5 %, so the order alone is checked there, with a fifth to spare).
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/lab_lib.sh
. "$(dirname "$0")/../lib/lab_lib.sh"
ktap_print_header

FULL=${FULL:-0}
if [ "$FULL" = 1 ]; then
	net=fattree320
	common=(fattree320 --set duration=1ms)
else
	net=fattree
	common=(fattree --set k=4 --set duration=3ms)
fi
common+=(--set workload=hadoop --set load=0.5)

# decade CC BYTES PERCENTILE: slowdown of flows of the decade that BYTES is in
decade() {
	jq -r ".fct_bins.all.decade[] | select(.from_bytes <= $2 and .to_bytes >= $2) | .$3" \
		"$LAB_OUT/r/$net/$1/seed1/summary.json"
}

run() { lab_run "${common[@]}" --cc dcqcn,timely,hpcc,rcc; }

# beats PART PERCENTILE BYTES CC THAN: CC's slowdown is at most PART of THAN's
beats() {
	local a b
	a=$(decade "$4" "$3" "$2") && b=$(decade "$5" "$3" "$2") || return
	echo "$2, $3 bytes: $4 $a, $5 $b"
	is "$a" ">=" 1 && is "$a" "<=" "$(awk -v b="$b" -v part="$1" 'BEGIN { print b * part }')"
}

ktap_check "all flows complete" run
ktap_check "up to 1 KB: p99 of hpcc at most half of dcqcn's" beats 0.5 p99 500 hpcc dcqcn
ktap_check "up to 1 KB: p99 of hpcc at most half of timely's" beats 0.5 p99 500 hpcc timely
ktap_check "10 to 100 KB: p99 of hpcc at most half of dcqcn's" beats 0.5 p99 50000 hpcc dcqcn
ktap_check "up to 1 KB: p99 of rcc at most half of dcqcn's" beats 0.5 p99 500 rcc dcqcn
ktap_check "1 to 10 MB: median of rcc below that of hpcc" beats 0.8 p50 5000000 rcc hpcc
if [ "$FULL" = 1 ]; then
	ktap_check "1 to 10 MB: median of dcqcn below that of hpcc" beats 0.8 p50 5000000 dcqcn hpcc
fi
ktap_finished
