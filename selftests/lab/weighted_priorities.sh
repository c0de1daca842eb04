#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: two priorities with weights share a link by them, within packets; each has its own marks
#   and bytes; strict without
#
# Short flows in a priority of their own that takes turns with the others' (DWRR).
. "$(dirname "$0")/../lib/lab_lib.sh"

# A flow of 1 MB in the short flows' priority, and two of 8 MB in the data's, from hosts of their
# own to one: its link has both waiting until the short one is through.
file=$LAB_OUT/flows.csv
printf 'id,src,dst,bytes,start_ns\n0,h1,h3,8000000,0\n1,h2,h3,8000000,0\n2,h0,h3,1000000,20000\n' >"$file"

run() {
	LAB_DIR=$LAB_OUT/$1 lab_run star --mem 400 --set n=4 --set flows_file="$file" --set mtu=4096 \
		--set short_prio=1mb --set buffer=64mb --set kmin=100kb --set kmax=400kb "${@:2}"
}

fct() {
	awk -F, '$1 == "2" { print $7 }' "$LAB_OUT/$1/star/$2/seed1/flows.csv"
}

# 1 MB are 245 packets of 4096 + 82 bytes on the line (Ethernet 38, IP 20, UDP 8, BTH 12, ICRC 4)
# and a RETH of 16 bytes for each of four messages of 256 KiB. With a share w / (w + v) of 100 Gbit/s they take
# 1 020 154 * 8 / 100 * (w + v) / w ns, and before them what waits: with weights at most
# 1 + p / q of both, in bytes of the data, q the quantum: v * 1024 * (1 + 4178 / (w * 1024) +
# 4178 / (v * 1024)) for weights w and v of which one is 1. And the way: four times 1 us at most,
# two packets of 334 ns each way, and the ACK.
shares() {
	local w v
	for weights in 3:1 1:3 1:1; do
		w=${weights%:*} v=${weights#*:}
		run "$w$v" --set short_weight="$w" --set data_weight="$v" || return 1
		awk -v fct="$(fct "$w$v" none)" -v w="$w" -v v="$v" 'BEGIN {
			line = 1020154 * 0.08
			ideal = line * (w + v) / w
			slack = v * 1024 * (1 + 4178 / (w * 1024) + 4178 / (v * 1024)) * 0.08 + 4000 + 4 * 334
			if (fct < ideal - slack || fct > ideal + slack) {
				print w ":" v ": " fct " ns, wanted " ideal " +- " slack
				exit 1
			}
		}' || return 1
	done
}

# Without weights the short flow does not wait for the others: only for the packet being sent.
strict() {
	run strict || return 1
	is "$(fct strict none)" "<=" "$(awk 'BEGIN { print 1020154 * 0.08 + 4000 + 5 * 334 }')"
}

# figure PRIO NAME: of the switch's port to the receiver, under dcqcn with weights 3:1
figure() {
	LAB_DIR=$LAB_OUT/marks lab_get star/dcqcn/1 ".ports[\"sw-h3\"].prio[] | select(.prio == $1).$2"
}

# Each class has its own bytes, and marks by the length of its own queue: the data's is over kmin.
# The short flows' queue is filled by its one sender with four thirds of what it may send there,
# for 20 us or so until a CNP cuts it: a quarter of 100 Gbit/s for that time is 62 KB, below kmin.
marks() {
	run marks --cc dcqcn --set short_weight=3 --set data_weight=1 || return 1
	is "$(figure 5 tx_wire_bytes)" ">=" 1020154 && is "$(figure 5 tx_wire_bytes)" "<=" 1100000 &&
		is "$(figure 3 tx_wire_bytes)" ">=" 16000000 &&
		is "$(figure 3 ecn_marked)" ">=" 1 &&
		is "$(figure 3 queue_peak_bytes)" ">=" 100000
}

refused() {
	local word=$1
	shift
	"$LAB" run star --set n=2 "$@" >"$LAB_OUT/log" 2>&1
	[ $? -eq 2 ] && grep -q -- "$word" "$LAB_OUT/log" && [ "$(wc -l <"$LAB_OUT/log")" -eq 1 ] ||
		{ cat "$LAB_OUT/log"; return 1; }
}

bad() {
	refused "--set short_weight: needs short_prio" --set short_weight=3 &&
		refused "--set data_weight: needs short_weight" --set data_weight=3 --set short_prio=1mb &&
		refused "short_weight" --set short_prio=1mb --set short_weight=256
}

ktap_print_header
ktap_check "weights share the link, within a turn" shares
ktap_check "without weights the short flows' priority is strict" strict
ktap_check "marks with weights" marks
ktap_check "weights without a priority are refused" bad
ktap_finished
