#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: what a host's processor takes for a request, a completion and an interrupt (`host_post`, ...):
#   times of one write and of many are the derived ones; told in the results; refused where nobody pays
#
# The model is of the library that is loaded into programs (programs.md): nothing of the lab's own pays.
. "$(dirname "$0")/../lib/lab_lib.sh"

CC=${CC:-cc}
here=$(dirname "$(readlink -f "$0")")
command -v "$CC" >/dev/null || ktap_skip_all "no $CC"
[ -e /usr/include/infiniband/verbs.h ] || ktap_skip_all "no headers of libibverbs"
"$CC" -O2 -Wall -Wextra -o "$LAB_OUT/writes" "$here/writes_and_waits.c" -libverbs ||
	ktap_skip_all "the test's program cannot be built"

POST=300
COMPLETION=200
INTERRUPT=2500
POLL=50
N=10
# A read of the clock takes 1 ns, also that of each sleep, and each hop is rounded to one.
SLACK=20
# There and back over two links of 1 us, at 100 Gbit/s: 64 bytes of payload with RETH, headers, FCS,
# preamble and gap, and the ACK.
NETWORK=$(awk 'BEGIN { print 4 * 1000 + 2 * (64 + 16 + 58 + 24) * 8 / 100 + 2 * (58 + 4 + 24) * 8 / 100 }')

# writes HOW [OPTION...]: prints the two times
writes() {
	local how=$1
	shift
	timeout -k 10 300 "$LAB" exec two -q --mem 256 --force --out "$LAB_OUT/r" --set rate=100gbit \
		--set delay=1us "$@" -- "$LAB_OUT/writes" "${how%:*}" rxe_h0 rxe_h1 "${how#*:}" \
		2>"$LAB_OUT/err" | awk -v h="${how%:*}" '$1 == h { print $2, $3 }'
}

# took HOW POSTED END [OPTION...]: both at least so much, the last at most a poll more
took() {
	local posted end
	read -r posted end <<<"$(writes "$1" "${@:4}")"
	[ -n "$end" ] || { cat "$LAB_OUT/err"; return 1; }
	is "$posted" ">=" "$2" && is "$posted" "<=" $(($2 + SLACK)) && is "$end" ">=" "$3" &&
		is "$end" "<=" "$(awk -v e="$3" -v s=$((POLL + SLACK)) 'BEGIN { print e + s }')" || { echo "$1: $posted $end"; return 1; }
}

# sum NUMBER...
sum() { awk 'BEGIN { for (i = 1; i < ARGC; i++) s += ARGV[i]; print s }' "$@"; }

costs=(--set "host_post=${POST}ns" --set "host_completion=${COMPLETION}ns" --set "host_interrupt=${INTERRUPT}ns")

free() {
	took poll:1 0 "$NETWORK" && took start_poll:1 0 "$NETWORK" && took event:1 0 "$NETWORK"
}

one_write() {
	local end
	end=$(sum $POST "$NETWORK" $COMPLETION)
	took poll:1 $POST "$end" "${costs[@]}" && took start_poll:1 $POST "$end" "${costs[@]}" &&
		took event:1 $POST "$(sum "$end" $INTERRUPT)" "${costs[@]}"
}

# A thread posts one request after the other: the last one leaves when all have been paid for. Those
# of a batch leave together: then N - 1 more packets are before the last, 162 bytes each.
many_writes() {
	local last batch
	last=$(sum $((N * POST)) "$NETWORK" $COMPLETION)
	batch=$(awk -v e="$last" -v n=$N 'BEGIN { print e + (n - 1) * 162 * 8 / 100 }')
	took post:$N $((N * POST)) "$last" "${costs[@]}" && took batch:$N $((N * POST)) "$batch" "${costs[@]}"
}

told() {
	jq -e --arg p ${POST}ns --arg i ${INTERRUPT}ns '.settings | .host_post == $p and .host_interrupt == $i' \
		"$LAB_OUT/r/two/none/seed1/summary.json" >/dev/null || { jq .settings "$LAB_OUT/r/two/none/seed1/summary.json"; return 1; }
}

# perftest at 400 Gbit/s, 64 bytes: a request takes longer than a packet, so it posts one each
# microsecond. After the last one comes a round trip, and some polls.
perftest_pays() {
	local v n=200
	"$LAB" perftest -q --cc none --tests write_bw.RC.plain --sizes 64 --set rate=400gbit --set host_post=1us \
		--out "$LAB_OUT/p" -- -n $n >"$LAB_OUT/out" 2>&1 </dev/null || { cat "$LAB_OUT/out"; return 1; }
	for v in $(jq '.results[].messages_per_s' "$LAB_OUT/p/perftest.json"); do
		is "$v" "<=" 1000000 && is "$v" ">=" "$(awk -v n=$n 'BEGIN { print n / (n + 5) * 1e6 }')" || return 1
	done
	jq -e '.settings.host_post == "1us"' "$LAB_OUT/p/perftest.json" >/dev/null
}

refused() {
	ends 2 "$LAB" run two --set host_post=1us --out "$LAB_OUT/n" && ends 2 "$LAB" run two --set host_post=2ms --out "$LAB_OUT/n" &&
		ends 2 "$LAB" perftest --clock real --set host_interrupt=1us --out "$LAB_OUT/n" && nothing_left "$LAB_OUT/n"
}

ktap_print_header
ktap_check "without the model a write takes the network's time" free
ktap_check "one write: a request, the network, a completion, an interrupt" one_write
ktap_check "several writes: one after the other, and a batch" many_writes
ktap_check "... told in the results" told
command -v ib_write_bw >/dev/null && [ -e "$RXE_CC_BUILD/uml-lab/stock/rdma_rxe.ko" ] &&
	ktap_check "perftest: one message each microsecond" perftest_pays
ktap_check "refused where nobody pays" refused
ktap_finished
