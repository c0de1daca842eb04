#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the modules in the distribution's own kernel, two CPUs, perftest
#
# Smoke test on the distribution's stock kernel, in QEMU's software emulation
# with two processors: the modules load, perftest between two devices completes
# under dcqcn, everything unloads, the kernel does not complain.
# Environment: QEMU_SMOKE_LOG=FILE keeps the console log.
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"

run=$RXE_CC_TOP/tools/qemu/run.sh
host=$RXE_CC_BUILD/host
args=(--cpus 2 --mem 1024 --timeout 180)

ktap_print_header
for tool in qemu-system-x86_64 busybox ib_write_bw ib_read_bw ib_send_lat rdma; do
	PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null ||
		ktap_skip_all "$tool: not installed"
done
for m in rdma_rxe rxe_cc roce_cc_lib rxe_cc_dcqcn sch_roce; do
	[ -e "$host/$m.ko" ] ||
		ktap_skip_all "no $m.ko in build/host: make modules"
done
[ -x "$RXE_CC_BUILD/bin/rxecc" ] || ktap_skip_all "no build/bin/rxecc: make tools"
[ -r "$RXE_CC_BUILD/tc/q_roce.so" ] ||
	ktap_skip_all "no build/tc/q_roce.so: make tools"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
for m in rxe_cc rxe_cc_fixed roce_cc_lib rxe_cc_dcqcn rxe_cc_template rdma_rxe sch_roce; do
	[ -e "$host/$m.ko" ] || continue
	args+=(--module "$host/$m.ko" --file "/dev/null:/guest/ours/$m")
done
for b in bash ip tc rdma timeout ib_write_bw ib_read_bw ib_send_lat \
	"$RXE_CC_BUILD/bin/rxecc"; do
	args+=(--bin "$b")
done
PATH=$PATH:/usr/sbin:/sbin "$run" "${args[@]}" \
	--module crc32_generic --module ib_uverbs --module veth \
	--file "$RXE_CC_TOP/selftests/lib/ktap_helpers.sh" \
	--file "$RXE_CC_BUILD/tc/q_roce.so:/guest/tc/q_roce.so" \
	--env TC_LIB_DIR=/guest/tc ${QEMU_SMOKE_LOG:+--log "$QEMU_SMOKE_LOG"} \
	-- "$RXE_CC_TOP/tools/qemu/smoke_guest.sh" 2>"$tmp/err" | tee "$tmp/out"
rc=${PIPESTATUS[0]}
[ "$rc" -eq 4 ] && ktap_skip_all "$(head -n 1 "$tmp/err")"

# Take the guest's results into the totals, then add the host's own.
KTAP_CNT_PASS=$(grep -c '^ok ' "$tmp/out")
KTAP_CNT_FAIL=$(grep -c '^not ok ' "$tmp/out")
# shellcheck disable=SC2034 # the helpers use it
KTAP_TESTNO=$((KTAP_CNT_PASS + KTAP_CNT_FAIL + 1))
if [ "$rc" -eq 0 ] || { [ "$rc" -eq 1 ] && [ "$KTAP_CNT_FAIL" -gt 0 ]; }; then
	ktap_test_pass "the guest ends by itself and its kernel has no complaint"
else
	ktap_print_msg "$(cat "$tmp/err")" "(exit status $rc)"
	ktap_test_fail "the guest ends by itself and its kernel has no complaint"
fi
ktap_finished
