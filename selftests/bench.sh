#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The benchmark of the qdiscs: not how fast they are, which depends on the
# machine, but how many timer interrupts a packet needs, which does not: each is
# dearer than all else that a qdisc does. And what bench.sh refuses.
set -u
. "$(dirname "$0")/ktap_helpers.sh"

bench=$RXE_CC_TOP/tools/bench/bench.sh
for f in uml-lab/linux uml-lab/sch_roce.ko tc/q_roce.so bin/bench; do
	[ -e "$RXE_CC_BUILD/$f" ] || ktap_skip_all "$f is not built"
done
for c in jq tc rsync; do
	command -v "$c" >/dev/null || ktap_skip_all "no $c"
done
[ "$(id -u)" -eq 0 ] || ktap_skip_all "needs root"
out=$(mktemp -d "$RXE_CC_BUILD/bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

# A missed goal is exit code 1 too: the results are what counts here.
measure() {
	rm -f "$out/qdisc/qdisc.json"
	"$bench" --only qdisc --rounds 6 -j --out "$out" >"$out/stdout"
	[ -s "$out/qdisc/qdisc.json" ]
}

# figures FILTER: true of all of them that it does not leave out
figures() {
	jq -e "[.figures[] | $1] | length > 0 and all" "$out/qdisc/qdisc.json" >/dev/null
}

# interrupts QDISC ALONE QUEUE: per packet, the one of the generator included
# (one for 256 packets in the bursts). The tolerance is for what the kernel does
# by itself besides, some timers in the virtual tenth of a second of a run.
interrupts() {
	figures "select(.qdisc == \"$1\") | .interrupts - (if .load == \"alone\" then $2 else $3 + 1 / 256 end) | fabs < 0.01"
}

# refused CODE TEXT OPTION...
refused() {
	local code=$1 text=$2 rc
	shift 2
	"$bench" --out "$out" "$@" >"$out/refused" 2>&1
	rc=$?
	[ "$rc" -eq "$code" ] && grep -qF -- "$text" "$out/refused"
}

ktap_print_header
ktap_check "all qdiscs under both loads, no packet lost" measure
ktap_check "each in the results" figures '.qdisc != "" and .total_ns > 0'
ktap_check "roce, netem and pfifo are there" jq -e \
	'[.figures[].qdisc] | index("roce") and index("netem") and index("pfifo")' "$out/qdisc/qdisc.json"
ktap_check "pfifo has no timer" interrupts pfifo 1 0
ktap_check "netem: one timer a packet" interrupts netem 2 1
for q in roce "roce ecn" "roce ecn pfc" "roce int" "roce all"; do
	ktap_check "$q: one timer a packet" interrupts "$q" 2 1
done
ktap_check "roce: one more for a sender that waits" interrupts "roce owned" 3 2
ktap_check "a module that does not load is named" refused 1 "loading old.ko" --only qdisc --old /dev/null
ktap_check "unknown part" refused 2 "--only: 'foo'" --only foo
ktap_check "too few rounds" refused 2 "--rounds: '5'" --only qdisc --rounds 5
ktap_check "an option without its value" refused 2 "--seed needs a value" --seed
ktap_check "an algorithm that is not there" refused 1 "--cc nosuch failed" --only path --rounds 6 --cc nosuch
ktap_check "another lab that is not there" refused 1 "--old-lab: $out/none" --only path --old-lab "$out/none"
ktap_check "an unreadable module" refused 1 "--old: $out/none" --only qdisc --old "$out/none"
ktap_finished
