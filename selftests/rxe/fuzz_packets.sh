#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: mutated telemetry, ACKs, reports, probes and CNPs into live connections under each
#   algorithm that feedback drives: the transfers complete with the right data, every packet is
#   accounted for by the counters, no rate falls below the floor; afterwards nothing is in flight by
#   any count and no peer is left; `FULL=1 VARIANT=debug` (10^6 packets) for the full proof, of some
#   algorithms with `FUZZ_CC='rcc dart'`
#
# Behind each packet that a host sends go eight bad ones made of it, as from its
# address or a stranger's, most with a right ICRC. Each host judges what comes in by
# its bytes, and each counter must have grown by just what the judge says, packets
# that are dropped without being counted by what is left of them. The transfers
# complete with the right data; no rate is ever below the floor.
#
# When an algorithm's transfers are over nothing is in flight by any count, and when all is,
# no peer is left.
#
# FUZZ_PACKETS (24000; FULL=1: 1000000), SEED (1), VARIANT=debug, FUZZ_CC ("all"). The full
# proof is FULL=1 VARIANT=debug, or that of some algorithms.
set -u
# shellcheck source=selftests/lib/int_lib.sh
. "$(dirname "$0")/../lib/int_lib.sh"
UML_TIMEOUT=${UML_TIMEOUT:-${FULL:+1}3000}
packets=24000
[ -z "${FULL:-}" ] || packets=1000000
[ "${1:-}" = inside ] ||
	int_uml "" --env "FUZZ_PACKETS=${FUZZ_PACKETS:-$packets}" \
		--env "SEED=${SEED:-1}" \
		--env "FUZZ_CC=${FUZZ_CC:-all}"

ratio=8
# Above what three flows get that share a port with all the bad packets.
floor=5000000000
# ALGORITHM[:PRESET], or a parameter
all=(hpcc hpcc:int_profile=1 hpccpp:draft hpccpp:sparse hpccpp:probe hpccpp:rx hpccpp:fair rcc rcc:side=1 dart timely)
[ "$FUZZ_CC" = all ] || read -ra all <<<"$FUZZ_CC"

# Each of two hosts makes so many under each algorithm, of the packets of a round of
# three flows and of later rounds. A busy kernel may keep the program that makes them
# waiting for a whole round, hence several, and gaps between them. Queue pairs live
# until all is over, which is a packet long after the rest: no bad one finds them gone.
each=$((FUZZ_PACKETS / 2 / ${#all[@]}))
rounds=4
bytes=$((1024 * (each / ratio + 500) / rounds))
gap_ns=$bytes
end_ns=10000000000

flows() {
	local i start
	for ((i = 0; i < rounds; i++)); do
		start="\"start_ns\":$((i * gap_ns)),\"bytes\":$bytes"
		echo "{\"src\":\"r1\",\"dst\":\"r2\",\"op\":\"write\",$start},
			{\"src\":\"r2\",\"dst\":\"r1\",\"op\":\"write\",$start},
			{\"src\":\"r2\",\"dst\":\"r1\",\"op\":\"read\",$start},"
	done
	echo "{\"src\":\"r1\",\"dst\":\"r2\",\"op\":\"write\",\"bytes\":8,\"start_ns\":$end_ns}"
}

set_algorithm() {
	local d preset=()
	case $1 in
	*:*=*) preset=(param "${1#*:}") ;;
	*:*) preset=(preset "${1#*:}") ;;
	esac
	for d in r1 r2; do
		cc $d algo=none line_rate=100000000000 int=2 min_rate=$floor &&
			"$rxecc" dev set $d algo "${1%:*}" "${preset[@]}" || return
	done
}

# numbers N: all that is counted of host N, lines of NAME VALUE
numbers() {
	local dir=/sys/class/infiniband/r$1/ports/1/hw_counters f
	# A reading is 10 ms old at most.
	sleep 0.02
	for f in "$dir"/*; do
		[ "${f##*/}" = lifespan ] || echo "${f##*/} $(<"$f")"
	done
	ip netns exec "h$1" cat /proc/net/snmp | awk '$1 == "Udp:" && $2 != "InDatagrams" {
		print "udp_datagrams", $2; print "udp_errors", $4 }'
}

# grown N: what host N has counted since $work/before$N, with sums
grown() {
	numbers "$1" | awk 'NR == FNR { old[$1] = $2; next }
		{ n = $2 - old[$1]; print $1, n }
		$1 ~ /^rp_cnp_(handled|ignored|refused|forged|late|limited)$/ { cnps += n }
		$1 ~ /^report_(received|ignored|bad_.*|late|unused|refused)$/ { reports += n }
		END { print "cnps", cnps + 0; print "reports", reports + 0 }' "$work/before$1" -
}

transfer() {
	local n pids=() rc=0
	for n in 1 2; do
		numbers $n >"$work/before$n"
		ip netns exec h$n "$rxe_fuzz" v$n $each $ratio $((SEED + n)) \
			$((2 * end_ns / 1000000)) >"$work/fuzz$n" &
		pids+=($!)
	done
	sleep 0.01
	run_flows "\"verify\":true,\"gid\":\"ipv4\",\"mtu\":1024" "$(flows)" || rc=1
	for n in "${pids[@]}"; do
		wait "$n" || rc=1
	done
	for n in 1 2; do
		grown $n >"$work/grown$n"
	done
	return $rc
}

said() { awk -v name="$2" '$1 == name { print $2 }' "$work/fuzz$1"; }

# All that were to be made were sent, and came in at the other host, and the judge
# has seen all that came in.
all_arrived() {
	local n
	for n in 1 2; do
		echo "h$n: $(said $n injected) of $each made, $(said $((3 - n)) marked) came in, $(said $n lost) not seen"
		[ "$(said $n injected)" -eq "$each" ] &&
			[ "$(said $((3 - n)) marked)" -eq "$each" ] && [ "$(said $n lost)" -eq 0 ] ||
			return
	done
}

accounted() {
	local n rc=0
	for n in 1 2; do
		awk -v host="h$n" 'NR == FNR { grown[$1] = $2; next }
			NF == 3 && $1 in grown && (grown[$1] < $2 || grown[$1] > $3) {
				print host ": " $1 " " grown[$1] ", should be " $2 ($3 != $2 ? " to " $3 : "")
				bad = 1
			}
			NF == 3 && $1 in grown { known++ }
			END { if (known < 16) print host ": only " known + 0 " counters known"
				exit bad || known < 16 }' "$work/grown$n" "$work/fuzz$n" || rc=1
		cat "$work/grown$n" >>"$work/sum"
	done
	return $rc
}

# nothing_left ALGORITHM: no queue pairs; no messages and senders where they are counted
nothing_left() {
	local d
	sleep 0.05
	for d in r1 r2; do
		"$rxecc" -j dev show $d |
			jq -c '.[0] | { qps } + (if .rx then .rx | { msgs, msgs_all, senders } else {} end)' >"$work/left"
		echo "$d: $(<"$work/left")"
		jq -e 'all(.[]; . == 0)' "$work/left" >"$work/null" || return
		case $1 in rcc* | dart* | hpccpp:fair) jq -e 'has("msgs")' "$work/left" >"$work/null" || return ;; esac
	done
}

# Peers that nobody needs go after 10 to 20 s.
no_peers() {
	local d
	sleep 21
	for d in r1 r2; do
		"$rxecc" -j -s dev show $d | jq -c '.[0].counters | [.peer_added, .peer_expired]' >"$work/left"
		echo "$d: $(<"$work/left") came and went"
		jq -e '.[0] > 0 and .[0] == .[1]' "$work/left" >"$work/null" || return
	done
}

# watch INSTANCE CONDITION: decisions about rates; the first few are enough
watch() {
	local dir=$tracing/instances/$1
	mkdir -p "$dir" && echo 0 >"$dir/options/overwrite" && echo 64 >"$dir/buffer_size_kb" &&
		: >"$dir/trace" &&
		echo "rate_bps $2" >"$dir/events/rxe_cc/rxe_cc_decision/filter" &&
		echo 1 >"$dir/events/rxe_cc/rxe_cc_decision/enable"
}

decided() { grep -m 3 rxe_cc_decision: "$tracing/instances/$1/trace"; }

counted() { awk -v name="$1" '$1 == name { n += $2 } END { print n + 0; exit !n }' "$work/sum"; }

ktap_print_header
: >"$work/sum"
ktap_check "hosts and switch" make_net
ktap_check "rates at the floor are watched" watch at "== $floor"
for a in "${all[@]}"; do
	ktap_check "$a" set_algorithm "$a" || continue
	ktap_check "$a: rates are watched" watch below "< $floor"
	ktap_check "$a: the transfers complete, with the right data" transfer
	ktap_check "$a: $((2 * each)) bad packets were sent and came in" all_arrived
	ktap_check "$a: every packet is accounted for" accounted
	ktap_check "$a: no rate below the floor" eval '! decided below'
	ktap_check "$a: nothing is in flight" nothing_left "$a"
done
ktap_check "no peers are left" no_peers
# Few reports name a packet that is under way: reports_and_probes.sh has some of every other kind.
if [ "$FUZZ_CC" = all ]; then
	ktap_check "some rates were at the floor" decided at
	for c in int_bad_{short,shim,version,length} int_discarded int_foreign int_echo_bad_hop \
		ack_tlv_unknown ack_tlv_bad_{short,length,twice} rp_bad_acks cnps reports \
		report_{received,ignored,refused} report_bad_{kind,psn} \
		cc_tel_{used,first,path,hops,time,bytes}; do
		ktap_check "some were $c" counted $c
	done
fi
awk '{ n[$1] += $2 } END { for (c in n) if (n[c]) print "# " c, n[c] }' "$work/sum" | sort
ktap_finished
