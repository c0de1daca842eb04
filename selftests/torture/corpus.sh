#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: inputs that once did harm, replayed; some thousand netlink messages made up from policies;
#   the hosts can still talk
#
# Inputs that once did harm, again, in the lab kernel, and some of what the netlink
# fuzzer makes up. VARIANT=debug takes the debug kernel.
#
#	corpus/*.nl	messages, as nlfuzz prints and replays them (tools/qemu/torture/nlfuzz.c)
#	corpus/*.sh	steps between two hosts, sourced: r1 and r2 as in rxe_lib.sh, ports roce
#
# After each the two hosts must still be able to talk.
# MESSAGES (4000) of each kind, SEED (1).
set -u
# shellcheck source=selftests/lib/rxe_lib.sh
. "$(dirname "$0")/../lib/rxe_lib.sh"
nlfuzz=$RXE_CC_BUILD/selftests/nlfuzz
corpus=$RXE_CC_TOP/selftests/torture/corpus

if [ "${1:-}" != inside ]; then
	ktap_compile nlfuzz -I "$RXE_CC_TOP/include/uapi" "$RXE_CC_TOP/tools/qemu/torture/nlfuzz.c" -lmnl
	rxe_test_uml "rxe_cc roce_cc_lib rxe_cc_dcqcn rxe_cc_hpcc rxe_cc_dart rxe_cc_rcc rdma_rxe sch_roce" \
		--env "TC_LIB_DIR=$RXE_CC_BUILD/tc" --env "MESSAGES=${MESSAGES:-4000}" --env "SEED=${SEED:-1}"
fi
PATH=$RXE_CC_BUILD/bin:$PATH

hosts() {
	local i
	make_hosts delay 0 || return 1
	for i in 1 2; do
		tc -n h$i qdisc replace dev v$i root roce rate 10gbit delay 1us int on || return 1
	done
}

# Whatever was set before.
can_talk() {
	local i
	for i in 1 2; do
		tc -n h$i qdisc replace dev v$i root pfifo || return 1
	done
	algorithm none || return 1
	run_flows '"verify":true,"gid":"ipv4","mtu":1024' \
		'{"src":"r1","dst":"r2","op":"write","bytes":100000},{"src":"r2","dst":"r1","op":"send","bytes":100000}'
}

# Answered, and some of them taken: else the fuzzer no longer knows the policy.
fuzz() {
	"$@" >"$work/fuzz" 2>&1 || { cat "$work/fuzz"; return 1; }
	awk '$2 == "accepted" && $3 > '"$MESSAGES"' / 50 { some = 1 } END { exit !some }' "$work/fuzz" ||
		{ cat "$work/fuzz"; return 1; }
}
fuzz_genl() { fuzz "$nlfuzz" -s "$SEED" -o "$MESSAGES" genl rxe_cc r1 r2 none default dcqcn hpcc dart rcc; }
fuzz_tc() { fuzz ip netns exec h1 "$nlfuzz" -s "$SEED" -o "$MESSAGES" tc v1; }
replayed() {
	local ns=
	! grep -q '^tc' "$1" || ns="ip netns exec h1"
	$ns "$nlfuzz" replay "$1"
}

# case WHAT COMMAND...
run_case() {
	local what=$1
	shift
	ktap_check "$what: hosts" hosts
	ktap_check "$what" "$@"
	ktap_check "$what: the hosts can talk" can_talk
	ktap_check "$what: nothing is left" remove_hosts
}

ktap_print_header
run_case "messages to rxe_cc, seed $SEED" fuzz_genl
run_case "messages to a port, seed $SEED" fuzz_tc
for f in "$corpus"/*; do
	case $f in
	*.nl) run_case "${f##*/}" replayed "$f" ;;
	*.sh) run_case "${f##*/}" . "$f" ;;
	esac
done
ktap_finished
