#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: two guests with virtio-net, a port that does not tell when packets left: windows of HPCC
#   and HPCC++ and the rate of TIMELY follow a path that gets longer
#
# Two guests of the distribution's kernel with virtio-net between them: a port that
# frees packets whenever it likes, and does not tell when they left. Algorithms that
# make their window or thresholds of the smallest round trip let the flow do what its path
# allows all the same.
#
# Each flow begins with single packets on a short path. Then ACKs are held for 200 ms on
# their way, and the flow goes to full speed, 100 Mbit/s. Its window is to become what the
# line carries in a round trip, which is 200 ms and more: 2.5 MB at least. timely has no
# window; its rate is to reach half of the line's, for the round trip is its base and no
# sign of a queue. If the base stayed that of the short path, or the few us that the driver's
# freeing of packets would make of it, the window would stay at a few packets, and
# timely, for which 200 ms would always be above t_high, at its lowest rate, 20 kbit/s. So the
# guests may take as long as they need, up to a minute: what is moved meanwhile depends on
# the machine, and is not looked at.
# Environment: QEMU_PAIR_LOG=PREFIX keeps console logs; QEMU_PAIR_MODULES=DIR takes the
# modules of another build.
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"

ALGOS='hpcc timely hpccpp'
DELAY_MS=200
run=$RXE_CC_TOP/tools/qemu/run.sh
host=${QEMU_PAIR_MODULES:-$RXE_CC_BUILD/host}

ktap_print_header
for tool in qemu-system-x86_64 busybox ip rdma tc; do
	PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null ||
		ktap_skip_all "$tool: not installed"
done
args=(--cpus 1 --mem 512 --timeout 500)
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
		--env "ALGOS=$ALGOS" --env WINDOW_S=2 --env DELAY_MS=$DELAY_MS \
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
	grep -v '^flow' "$tmp/client"
	echo "exit status: client $client_rc, server $server_rc"
	[ "$client_rc" -eq 0 ] && [ "$server_rc" -eq 0 ]
}

# opens ALGORITHM
opens() {
	awk -v algo="$1" '
		$1 == "flow" && $2 == algo { print $3 " " $4 ", needed " $5; n++; if ($4 < $5) bad++ }
		END { exit !n || bad }' "$tmp/client"
}

# Two kernels cannot exchange two packets within 20 us, even without emulation.
short_rtts() {
	awk '$1 == "flow" { n++; print $2 ": " $6 " ns"; if ($6 < 20000) bad++ }
		END { exit !n || bad }' "$tmp/client"
}

# No round trip is shorter than the delay that is in it, once the window is over.
long_rtts() {
	awk -v delay_ns="${DELAY_MS}000000" '
		$1 == "flow" { n++; print $2 ": " $7 " ns"; if ($7 < delay_ns) bad++ }
		END { exit !n || bad }' "$tmp/client"
}

ktap_check "both guests end by themselves, their kernels have no complaint" ends
ktap_check "single packets: no round-trip time of a few us" short_rtts
ktap_check "a longer path is followed" long_rtts
for algo in $ALGOS; do
	ktap_check "$algo on virtio-net lets the flow do what the long path allows" opens $algo
done
ktap_finished
