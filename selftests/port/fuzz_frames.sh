#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: mutated INT and PFC frames and LSCC messages under load: nothing crashes, nothing else is
#   touched, every account is empty afterwards; `FUZZ_FRAMES=1000000 VARIANT=debug` for the full
#   proof
#
# Mutated INT and PFC frames, and LSCC's messages, through the ports of a switch, while good traffic
# goes on:
#
#	h1 (mutated) ------------- p1 [sw] p3 --- [roce] h3 (receives, and sends
#	h2 (good) [roce] --- p2 [sw]                          mutated frames too)
#
# h1 obeys no pause. Every frame that comes out must be one that went in, plus
# what a port may add, or a report or a CNP of the switch to a sender; the ports'
# counters must account for each frame; the good flow loses nothing; in the end
# the buffer is empty and ports send again.
#
# FUZZ_FRAMES (20000; 1000000 in the debug kernel is the full proof), SEED (1),
# VARIANT=debug.
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
FRAMES_TIMEOUT=${FRAMES_TIMEOUT:-3000}
if [ "${1:-}" != inside ]; then
	frames_enter "${FUZZ_FRAMES:-20000}" "${SEED:-1}"
fi
count=$2 seed=$3
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

ports() {
	local all="delay 500ns switch auto buffer 2mb int-response-interval 2us prio 3 lossless on xoff 100kb xon 60kb ecn dequeue kmin 20kb kmax 200kb int-response 10kb mercury 15kb mercury-ecn on mercury-interval 3us"
	frames_ports <<-PORTS
	h2 rate 100gbit delay 500ns int off prio 3 lossless on
	h3 rate 100gbit delay 500ns int off prio 3 lossless on
	sw:p1 rate 100gbit int-node 0xa5c30001 $all
	sw:p2 rate 100gbit int-node 0xa5c30002 $all pfc-response 300ns
	sw:p3 rate 40gbit int-node 0xa5c30003 ${all/prio 3/prio 3 lscc on} lscc-self 169.254.0.1 lscc-peer 169.254.0.2 lscc-qref 1kb lscc-period 50ms lscc-expiry 10s lscc-pseudo 50kb lscc-min 1mbit lscc-interval 3us
	PORTS
}

storm() {
	local rc=0
	frames_run >"$out/log" <<-STEPS || rc=$?
	port h1 h2 h3
	fuzz count=$count seed=$seed bad=h1,h3 good=h2 to=h3 mtu=9000
	STEPS
	tc -n sw -s -j qdisc show >"$out/qdiscs"
	return $rc
}

# said PORT NAME: what frames has counted; stat PORT JQ-FILTER: what the port has
said() { sed -n "s/^$1 \(.* \)*$2=\([0-9]*\).*/\2/p" "$out/log"; }
stat() {
	jq -r --arg dev "p$1" "first(.[] | select(.dev == \$dev and .kind == \"roce\")) | $2" \
		"$out/qdiscs"
}

# same WHAT A B
same() {
	[ "$2" = "$3" ] || { echo "$1: $2, should be $3"; false; }
}

int_counters() {
	local p n rc=0
	for p in 1 2 3; do
		for n in pushed hop_limit mtu bad unsupported; do
			same "p$p int_$n" "$(stat $p ".int_$n // 0")" "$(said h$p $n)" || rc=1
		done
		same "p$p int_nomem" "$(stat $p '.int_nomem // 0')" 0 || rc=1
	done
	for n in pushed hop_limit mtu bad unsupported; do
		[ "$(said h3 $n)" -gt 0 ] || { echo "nobody has tried int_$n"; rc=1; }
	done
	return $rc
}

# Every response came out somewhere, whole; what is hostile was answered too.
responses() {
	local sum n rc=0
	sum=$(($(said h1 reports) + $(said h2 reports) + $(said h3 reports)))
	same "responses sent" "$(jq '[.[].int_response_sent // 0] | add' "$out/qdiscs")" $sum || rc=1
	for n in sent damped failed; do
		[ "$(jq "[.[].int_response_$n // 0] | add" "$out/qdiscs")" -gt 0 ] ||
			{ echo "no response was $n"; rc=1; }
	done
	for n in h1 h2; do
		[ "$(said $n reports)" -gt 0 ] || { echo "$n was never told"; rc=1; }
	done
	return $rc
}

# Likewise Mercury's CNPs, and its table is empty.
mercury() {
	local sum n rc=0
	sum=$(($(said h1 cnps) + $(said h2 cnps) + $(said h3 cnps)))
	same "CNPs sent" "$(jq '[.[].mercury_cnps // 0] | add' "$out/qdiscs")" $sum || rc=1
	for n in mercury_cnps mercury_damped mercury_failed; do
		[ "$(jq "[.[].$n // 0] | add" "$out/qdiscs")" -gt 0 ] || { echo "no $n"; rc=1; }
	done
	for n in spared congested entered; do
		[ "$(jq "[.[].prios[]?.mercury_$n // 0] | add" "$out/qdiscs")" -gt 0 ] ||
			{ echo "no packet was $n"; rc=1; }
	done
	same "flows left" "$(jq '[.[].mercury_flows // 0] | add' "$out/qdiscs")" 0 || rc=1
	return $rc
}

# Likewise LSCC's, at p3: what it has told h3, and direct CNPs; of what h3 tells it some is
# believed, some is broken, some is old.
lscc() {
	local n rc=0
	same "p3 lscc_sent" "$(stat 3 '.lscc_sent')" "$(said h3 told)" || rc=1
	same "p3 lscc_cnps" "$(stat 3 '.lscc_cnps')" \
		$(($(said h1 direct) + $(said h2 direct) + $(said h3 direct))) || rc=1
	same "told at h1 and h2" $(($(said h1 told) + $(said h2 told))) 0 || rc=1
	for n in sent heard refused late cnps damped cleared; do
		[ "$(stat 3 ".lscc_$n // 0")" -gt 0 ] || { echo "no lscc_$n"; rc=1; }
	done
	return $rc
}

pfc_counters() {
	local p n rc=0
	for p in 1 3; do
		for n in pfc_rx pfc_bad pfc_other; do
			same "p$p $n" "$(stat $p ".$n // 0")" "$(said h$p $n)" || rc=1
			[ "$(said h$p $n)" -gt 0 ] || { echo "nobody has tried $n"; rc=1; }
		done
	done
	for p in 1 2 3; do
		same "p$p pfc_tx" "$(stat $p '.pfc_tx // 0')" "$(said h$p pfc)" || rc=1
	done
	[ "$(said h2 pfc)" -gt 0 ] || { echo "the switch was never full"; rc=1; }
	return $rc
}

# Whatever a port has sent came out, nothing is left in it.
all_delivered() {
	local p rc=0
	for p in 1 2 3; do
		same "p$p sent" "$(stat $p '.tx_packets')" "$(said h$p rx)" || rc=1
		same "p$p backlog" "$(stat $p '.backlog')" 0 || rc=1
		same "p$p in_flight" "$(stat $p '.in_flight // 0')" 0 || rc=1
		same "p$p drops" "$(stat $p '.drops')" \
			"$(stat $p '[.prios[] | to_entries[] | select(.key | startswith("drop_")) | .value] | add')" ||
			rc=1
	done
	return $rc
}

buffer_empty() {
	local p f rc=0
	for f in used_bytes reserved_used_bytes headroom_used_bytes shared_used_bytes xoff; do
		same "switch $f" "$(stat 1 ".switch.$f // 0")" 0 || rc=1
	done
	for p in 1 2 3; do
		for f in in_bytes headroom_used_bytes out_bytes bytes packets xoff paused; do
			same "p$p $f" "$(stat $p "[.prios[].$f // 0 | if type == \"boolean\" then (if . then 1 else 0 end) else . end] | add")" 0 || rc=1
		done
	done
	[ "$(stat 1 '.switch.peak_used_bytes // 0')" -gt 0 ] || { echo "it was never used"; rc=1; }
	return $rc
}

# Hostile pauses have expired: packets pass both ways, at once.
sends_again() {
	frames_run <<-STEPS
	port h1 h2 h3
	trace drop
	data h2 flow=0 to=h3 count=200 dscp=26
	data h3 flow=1 to=h2 count=200 dscp=26
	data h1 flow=2 to=h2 count=200 dscp=26 gap=1us
	wait 1ms
	settle
	check-same h2,h3
	STEPS
}

ktap_print_header
frames_fixed_switch 3 && ports || ktap_exit_fail_msg "no network"
ktap_check "what comes out of $count mutated frames" storm
sed -n 's/^/# /p' "$out/log"
ktap_check "INT counters" int_counters
ktap_check "INT responses" responses
ktap_check "Mercury's CNPs, and no flow left" mercury
ktap_check "LSCC: messages believed and not, direct CNPs" lscc
ktap_check "PFC counters" pfc_counters
ktap_check "everything was delivered or dropped" all_delivered
ktap_check "the buffer is empty" buffer_empty
ktap_check "ports send again" sends_again
ktap_finished
