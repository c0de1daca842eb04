#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Stock rxe as peer. Two lab kernels in real time on one cable, which is a pair
# of UDP sockets of the host (L2TPv3):
#
#	lab kernel s: unmodified rxe (10.1.0.1) ---- 10.1.0.2, ours :lab kernel p
#
# Each runs `flowgen server` and `flowgen client` in turn. Every operation, first
# with no algorithm on our side, then with fixed and dcqcn.
set -u
# shellcheck source=selftests/ktap_helpers.sh
. "$(dirname "$0")/ktap_helpers.sh"
flowgen=$RXE_CC_BUILD/bin/flowgen
ops="send send_imm write write_imm read fetch_add cmp_swap"
how=(--size 64kb --count 200 --mtu 1024 --interval 0)

# host ADDRESS/LAST: inside either kernel.
host() {
	ip link set vec0 address "02:00:00:00:01:0$1" mtu 1500 &&
		ip addr add "10.1.0.$1/24" dev vec0 && ip link set vec0 up &&
		rdma link add r0 type rxe netdev vec0
}

# Kernel s: serves, then asks, when the file that p leaves says so.
stock_side() {
	local op
	host 1 || return 1
	touch "$dir/s.up"
	"$flowgen" server --dev r0 &
	wait_for "$dir/p.served"
	for op in $ops; do
		"$flowgen" client 10.1.0.2 --dev r0 --op "$op" "${how[@]}" \
			>"$dir/s.$op" 2>&1
		echo $? >"$dir/s.$op.rc"
	done
	touch "$dir/s.done"
	wait_for "$dir/p.done"
}

ours_side() {
	local algo op
	host 2 || return 1
	wait_for "$dir/s.up"
	for algo in none fixed dcqcn; do
		echo $algo >/sys/class/infiniband/r0/ports/1/cc/algo || return 1
		for op in $ops; do
			ktap_check "ours asks, stock serves: $op under $algo" \
				"$flowgen" client 10.1.0.1 --dev r0 --op "$op" "${how[@]}"
		done
	done
	"$flowgen" server --dev r0 &
	touch "$dir/p.served"
	wait_for "$dir/s.done"
	for op in $ops; do
		ktap_check "stock asks, ours serves: $op under dcqcn" \
			[ "$(cat "$dir/s.$op.rc")" = 0 ]
	done
	touch "$dir/p.done"
}

wait_for() {
	local i
	for ((i = 0; i < 600; i++)); do
		[ -e "$1" ] && return
		sleep 0.1
	done
	echo "no $1" >&2
}

# kernel NAME MODULES OWN-PORT PEER-PORT
kernel() {
	local vec="vec0:transport=l2tpv3,udp=1,src=127.0.0.1,dst=127.0.0.1"
	vec+=",srcport=$3,dstport=$4,rx_session=0xcc01,tx_session=0xcc01"
	"$UML_EXEC" --real --timeout 240 --mem 512M --modules "$2" \
		--append "$vec" --env "dir=$dir" -- "$(realpath "$0")" "$1"
}

case ${1:-} in
stock_side)
	stock_side
	exit
	;;
ours_side)
	ours_side
	ktap_finished
	;;
esac

uml=$RXE_CC_BUILD/uml-lab
for f in "$uml"/{linux,stock/rdma_rxe.ko,rdma_rxe.ko,rxe_cc.ko} "$flowgen" \
	"$RXE_CC_BUILD/bin/labinit"; do
	[ -e "$f" ] || ktap_skip_all "$f is not built"
done
grep -q CONFIG_UML_NET_VECTOR=y "$uml/obj/.config" ||
	ktap_skip_all "the lab kernel has no vector network devices"

dir=$(mktemp -d "$RXE_CC_BUILD/interop.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
port=$((20000 + $$ % 20000))
ktap_print_header
kernel stock_side stock $port $((port + 1)) >"$dir/s.log" 2>&1 &
stock_pid=$!
kernel ours_side "rxe_cc rdma_rxe rxe_cc_fixed rxe_cc_dcqcn" $((port + 1)) $port
rc=$?
touch "$dir/p.served" "$dir/p.done"
wait "$stock_pid" || {
	sed 's/^/# stock: /' "$dir/s.log"
	echo "not ok the stock kernel ends without complaint"
	exit 1
}
exit "$rc"
