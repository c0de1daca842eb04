#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a stock rxe in a second lab kernel as peer: SEND, WRITE, READ, atomics; the same bytes
#   without an algorithm; hpccpp in every mode falls back and says so; a switch's windows for stock
#   change nothing
#
# Stock rxe as peer. Two lab kernels in real time on one cable, which is a pair
# of UDP sockets of the host (L2TPv3):
#
#	lab kernel s: unmodified rxe (10.1.0.1) ---- 10.1.0.2, ours :lab kernel p
#
# First, without an algorithm, each asks the other for the same, and what ours
# puts on the wire must be what stock rxe does: opcodes, ACK requests, lengths,
# ECN, everything but numbers. Then every operation, with fixed and dcqcn too, and
# with algorithms that need telemetry, which stock rxe cannot give: hpccpp in every mode.
# Last, CNPs with windows, as a switch with Mercury sends them to whoever it is: stock rxe
# does not know them, and goes on.
# Alone: real time
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"
# shellcheck source=tools/lib/wait.sh
. "$RXE_CC_TOP/tools/lib/wait.sh"
flowgen=$RXE_CC_BUILD/bin/flowgen
rxecc=$RXE_CC_BUILD/bin/rxecc
raw=$RXE_CC_BUILD/selftests/rxe_raw
forge=$RXE_CC_BUILD/selftests/rxe_forge
# Which of the two this is; inside, by the environment.
me=${me:-} peer=${peer:-} my_last=${my_last:-} peer_last=${peer_last:-}
ops="send send_imm write write_imm read fetch_add cmp_swap"
# 80 packets a message, so that an ACK is asked for within one too; small enough
# for the buffer of the cable.
how=(--dev r0 --size 20kb --count 20 --depth 1 --mtu 256 --interval 0 --ib-timeout 17)

# meet NAME: both kernels get here.
meet() {
	touch "$dir/$me.$1"
	wait_for 600 test -e "$dir/$peer.$1" || { echo "no $dir/$peer.$1" >&2; return 1; }
}

# start: inside either kernel
start() {
	ip link set vec0 address "02:00:00:00:01:0$my_last" mtu 1500 &&
		ip addr add "10.1.0.$my_last/24" dev vec0 &&
		ip link set vec0 up && rdma link add r0 type rxe netdev vec0 || return 1
	"$flowgen" server --dev r0 >"$dir/$me.server" 2>&1 &
	meet up
}

ask() { "$flowgen" client "10.1.0.$peer_last" --op "$1" "${how[@]}"; }

# falls_back PRESET: hpccpp goes on without telemetry, and says so while it does
falls_back() {
	local pid i shown=1
	"$rxecc" dev set r0 algo hpccpp preset "$1" || return 1
	"$flowgen" client "10.1.0.$peer_last" --op write "${how[@]/%20/200}" &
	pid=$!
	for ((i = 0; i < 100 && shown; i++)); do
		"$rxecc" qp show | grep "algo hpccpp .* telemetry fallback" && shown=0
		sleep 0.02
	done
	wait "$pid" && return $shown
}

# record NAME ASKER: what comes in while ASKER asks for everything
record() {
	local op pid
	"$raw" list vec0 2000 >"$dir/$me.$1" &
	pid=$!
	sleep 0.5
	meet "$1.start"
	if [ "$me" = "$2" ]; then
		for op in $ops; do
			ask "$op" >>"$dir/$me.log" 2>&1 || echo "$op failed"
		done
	fi
	wait "$pid"
	meet "$1.end"
}

# packets: of RoCE, that stock rxe has taken
packets() { cat /sys/class/infiniband/r0/ports/1/hw_counters/rcvd_pkts; }

# Data in both directions, until all windows have been told; what came in and what of it counted.
gets_windows() {
	local before pid rc=0
	before=$(packets)
	"$raw" capture vec0 3000 >"$dir/s.came" &
	pid=$!
	sleep 0.5
	meet windows
	until [ -e "$dir/p.told" ] || [ $rc != 0 ]; do
		"$flowgen" client "10.1.0.$peer_last" --op write "${how[@]/%20/200}" >"$dir/s.windows" 2>&1 &&
			ask read >>"$dir/s.windows" 2>&1
		rc=$?
	done
	wait "$pid"
	echo "taken $(($(packets) - before))" >>"$dir/s.came"
	echo $rc >"$dir/s.windows.rc"
	meet told
}

stock_side() {
	local op
	start || return 1
	record ours_asks p
	record stock_asks s
	cat /sys/class/infiniband/r0/ports/1/hw_counters/completer_retry_err >"$dir/$me.retries"
	meet recorded
	meet algorithms
	meet asked
	for op in $ops; do
		ask "$op" >"$dir/s.$op" 2>&1
		echo $? >"$dir/s.$op.rc"
	done
	meet served
	gets_windows
}

# same NAME OURS STOCK. What was sent again, because the host was too slow for the
# cable, is no difference of ours.
same() {
	if ! cmp -s "$dir/$2" "$dir/$3" && [ "$(cat "$dir"/[sp].retries)" != "0
0" ]; then
		ktap_test_skip "$1: the same packets" "packets were lost on the host"
		return
	fi
	ktap_check "$1: the same packets ($(grep -c ^op "$dir/$2"))" \
		diff "$dir/$2" "$dir/$3"
	ktap_check "... some" grep -q ^op "$dir/$2"
}

# As from a switch, 500 windows of a byte for each end's queue pair number.
tell_windows() {
	local qpns qpn i
	meet windows
	for ((i = 0; i < 300; i++)); do
		qpns=$("$rxecc" -j qp show | jq -r 'if length > 0 then .[0] | .qpn, .dest_qpn else empty end')
		[ -z "$qpns" ] || break
		sleep 0.1
	done
	for qpn in $qpns; do
		"$forge" vec0 "10.1.0.$my_last" "10.1.0.$peer_last" "02:00:00:00:01:0$peer_last" \
			"$qpn" window_switch 1000 500 || return 1
	done
	[ -n "$qpns" ]
}

came() { sed -n "s/^$1 //p" "$dir/s.came"; }

# All came, each with a good ICRC, and all else was taken, so that is what was dropped.
dropped() {
	local all
	all=$(awk '/^op_/ { n += $2 } END { print n }' "$dir/s.came")
	echo "$(came op_81_tos_c0) CNPs of $all packets came, $(came taken) were taken"
	[ "$(came op_81_tos_c0)" -ge 900 ] && [ "$(came bad_icrc)" = 0 ] &&
		[ "$(came taken)" = $((all - $(came op_81_tos_c0))) ]
}

ours_side() {
	local algo op
	start || return 1
	record ours_asks p
	record stock_asks s
	cat /sys/class/infiniband/r0/ports/1/hw_counters/completer_retry_err >"$dir/$me.retries"
	meet recorded
	same requests s.ours_asks p.stock_asks
	same responses s.stock_asks p.ours_asks
	meet algorithms
	echo 1 >/sys/class/infiniband/r0/ports/1/cc/int || return 1
	for algo in none fixed testalg probes dcqcn; do
		# "probes" is "testalg" with INT on packets of their own.
		echo ${algo/%probes/testalg} >/sys/class/infiniband/r0/ports/1/cc/algo || return 1
		[ $algo != probes ] || echo int_mode 2 >/sys/class/infiniband/r0/ports/1/cc/params || return 1
		for op in $ops; do
			ktap_check "ours asks, stock serves: $op under $algo" ask "$op"
		done
	done
	for algo in draft sparse probe rx fair; do
		ktap_check "hpccpp, preset $algo: falls back, and says so" falls_back $algo
	done
	echo dcqcn >/sys/class/infiniband/r0/ports/1/cc/algo || return 1
	meet asked
	meet served
	for op in $ops; do
		ktap_check "stock asks, ours serves: $op under dcqcn" \
			[ "$(cat "$dir/s.$op.rc")" = 0 ]
	done
	ktap_check "windows for stock, as of a switch" tell_windows
	meet told
	ktap_check "... change nothing: its transfers end well" [ "$(cat "$dir/s.windows.rc")" = 0 ]
	ktap_check "... it drops them, and nothing else" dropped
	for op in int_sent report_sent probe_sent int_echo_sent; do
		ktap_check "nothing of ours goes to stock: $op" \
			[ "$(cat "/sys/class/infiniband/r0/ports/1/hw_counters/$op")" = 0 ]
	done
}

# kernel FUNCTION MODULES OWN-PORT PEER-PORT OPTION...
kernel() {
	local vec="vec0:transport=l2tpv3,udp=1,src=127.0.0.1,dst=127.0.0.1"
	vec+=",srcport=$3,dstport=$4,rx_session=0xcc01,tx_session=0xcc01,depth=512"
	"$UML_EXEC" --real --timeout 150 --mem 512M --modules "$2" \
		--append "$vec" --env "dir=$dir" "${@:5}" -- "$(realpath "$0")" "$1"
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
command -v "${CC:-cc}" >/dev/null || ktap_skip_all "no ${CC:-cc}"
grep -q CONFIG_UML_NET_VECTOR=y "$uml/obj/.config" ||
	ktap_skip_all "the lab kernel has no vector network devices"
ktap_compile rxe_raw "$RXE_CC_TOP/selftests/rxe/rxe_raw.c"
ktap_compile rxe_forge "$RXE_CC_TOP/selftests/rxe/rxe_forge.c"

dir=$(mktemp -d "$RXE_CC_BUILD/interop.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
port=$((20000 + $$ % 20000))
ktap_print_header
kernel stock_side stock $port $((port + 1)) --env me=s --env peer=p \
	--env my_last=1 --env peer_last=2 >"$dir/stock.log" 2>&1 &
stock_pid=$!
kernel ours_side "rxe_cc rdma_rxe rxe_cc_fixed rxe_cc_dcqcn rxe_cc_testalg rxe_cc_hpccpp" $((port + 1)) $port \
	--env me=p --env peer=s --env my_last=2 --env peer_last=1
rc=$?
[ -z "${KEEP:-}" ] || cp -r "$dir" "$KEEP"
wait "$stock_pid" || {
	sed 's/^/# stock: /' "$dir/stock.log"
	echo "not ok 1 the stock kernel ends without complaint"
	exit 1
}
exit "$rc"
