#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Two guests of the distribution's kernel with virtio-net between them: a port that
# frees packets whenever it likes, and does not tell when they left. Algorithms that
# make their window or thresholds of the smallest round trip move what a flow without
# congestion control moves.
#
# Each flow begins with single packets on a short path. Then ACKs are held for 200 ms on
# their way, and the flow goes to full speed. What limits it without congestion control
# is rxe's 128 packets per round trip, 5 Mbit/s. A window of line rate (100 Mbit/s) times
# 200 ms is 17 times what 128 packets need, so no algorithm has a reason to hold the flow
# back. One of line rate times the round trip of the short path, or of the few us that the
# driver's freeing of packets would make of it, is a few packets at most. The limit is
# between the two, at half, as this is real time: a guest that does not run for one of its
# 8 s moves an eighth less.
# Environment: QEMU_PAIR_ROUNDS; QEMU_PAIR_LOG=PREFIX keeps console logs;
# QEMU_PAIR_MODULES=DIR takes the modules of another build.
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"

ALGOS='none hpcc timely hpccpp'
DELAY_MS=200
run=$RXE_CC_TOP/tools/qemu/run.sh
host=${QEMU_PAIR_MODULES:-$RXE_CC_BUILD/host}

ktap_print_header
for tool in qemu-system-x86_64 busybox ip rdma tc; do
	PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null ||
		ktap_skip_all "$tool: not installed"
done
args=(--smp 1 --mem 512 --timeout 500)
for m in rxe_cc roce_cc_lib rxe_cc_hpcc rxe_cc_timely rxe_cc_hpccpp rdma_rxe; do
	[ -e "$host/$m.ko" ] || ktap_skip_all "no $m.ko in build/host: make modules"
	args+=(--module "$host/$m.ko")
done
for b in rxecc flowgen; do
	[ -x "$RXE_CC_BUILD/bin/$b" ] || ktap_skip_all "no build/bin/$b: make tools"
	args+=(--bin "$RXE_CC_BUILD/bin/$b")
done
for b in bash ip rdma tc; do
	args+=(--bin "$b")
done
for m in crc32_generic sch_netem virtio_net virtio_pci; do
	args+=(--module "$m")
done

tmp=$(mktemp -d) || exit 1
# The server's guest ends by itself once the client's is gone.
trap 'rm -rf "$tmp"' EXIT

# guest ROLE NET
guest() {
	local log=()

	[ -z "${QEMU_PAIR_LOG:-}" ] || log=(--log "$QEMU_PAIR_LOG-$1.log")
	PATH=$PATH:/usr/sbin:/sbin "$run" "${args[@]}" "${log[@]}" --net "$2=$tmp/cable" \
		--env "ALGOS=$ALGOS" --env "ROUNDS=${QEMU_PAIR_ROUNDS:-2}" \
		--env RUN_S=8 --env WINDOW_S=2 --env DELAY_MS=$DELAY_MS \
		-- "$RXE_CC_TOP/tools/qemu/pair_guest.sh" "$1" >"$tmp/$1" 2>"$tmp/$1.err"
}

guest server listen &
server=$!
guest client connect &
client=$!
wait -n $server $client
first_rc=$?
# Without the other one neither has anything to do.
[ $first_rc -eq 0 ] || kill $server $client 2>/dev/null
wait $server
server_rc=$?
wait $client
client_rc=$?
[ "$client_rc" -eq 4 ] || [ "$server_rc" -eq 4 ] && ktap_skip_all "$(cat "$tmp"/*.err | head -n 1)"

ends() {
	cat "$tmp/server" "$tmp/server.err" "$tmp/client.err"
	grep -v '^moved' "$tmp/client"
	echo "exit status: client $client_rc, server $server_rc"
	[ "$client_rc" -eq 0 ] && [ "$server_rc" -eq 0 ]
}

# as_none ALGORITHM: means over the rounds
as_none() {
	awk -v algo="$1" '
		$1 == "moved" { n[$2]++; sum[$2] += $3 }
		END {
			if (!n["none"] || n["none"] != n[algo]) { print "runs missing"; exit 1 }
			ratio = sum[algo] / sum["none"]
			printf "%.3f of the %.2f Mbit/s of none\n", ratio, sum["none"] / n["none"] / 1e6
			exit ratio < 0.5
		}' "$tmp/client"
}

# Two kernels cannot exchange two packets within 20 us, even without emulation.
short_rtts() {
	awk '$1 == "moved" && $2 != "none" { n++; print $2 ": " $4 " ns"; if ($4 < 20000) bad++ }
		END { exit !n || bad }' "$tmp/client"
}

# No round trip is shorter than the delay that is in it, once the window is over.
long_rtts() {
	awk -v delay_ns="${DELAY_MS}000000" '
		$1 == "moved" && $2 != "none" { n++; print $2 ": " $5 " ns"; if ($5 < delay_ns) bad++ }
		END { exit !n || bad }' "$tmp/client"
}

ktap_check "both guests end by themselves, their kernels have no complaint" ends
ktap_check "single packets: no round-trip time of a few us" short_rtts
ktap_check "a longer path is followed" long_rtts
for algo in hpcc timely hpccpp; do
	ktap_check "$algo on virtio-net moves at least half of what none does" as_none $algo
done
ktap_finished
