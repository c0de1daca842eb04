#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: Dart with short incasts over long flows: all short ones complete, long ones are stopped,
#   the same bytes twice; a priority of short flows
. "$(dirname "$0")/../lib/lab_lib.sh"

# 32 hosts in two racks: half of the traffic, 16 of 31 destinations, crosses two
# times four uplinks of 10 Gbit/s, so a load of 1 is 80 Gbit/s * 31 / 16 = 155.
shares() {
	local m want
	for m in typical:0.4 light:0.2 heavy:0.6; do
		want=${m#*:}
		"$LAB" flows mix --set hosts=32 --set mix="${m%:*}" -j | jq -e --argjson w "$want" '.traffic |
			.load_of == "core" and .capacity_bps == 155000000000 and .incast.load == $w and
			(.background.load - 1 + $w | fabs) < 1e-6' >/dev/null || { echo "$m"; return 1; }
	done
}

run() {
	local s
	"$LAB" run mix --cc dcqcn --set hosts=32 --set duration=2ms --out "$LAB_OUT/$1" -q >"$LAB_OUT/$1.log" 2>&1 ||
		{ cat "$LAB_OUT/$1.log"; return 1; }
	s=$LAB_OUT/$1/mix/dcqcn/seed1/summary.json
	# What is not long has completed, nothing was lost, long flows moved something.
	jq -e '.errors == 0 and .drops.total == 0 and .measured.groups.long.goodput_bps > 0 and
		.measured.flows == .measured.completed and .flows.count - .flows.completed == .traffic.background.flows' \
		"$s" >/dev/null || { jq '.errors, .drops, .measured, .flows' "$s"; return 1; }
	# 16 hosts and 4 spines at a leaf; two leaves at a spine.
	jq -e '.switches | (.l0.buffer == 20 * 225000) and (.s0.buffer == 2 * 225000)' "$s" >/dev/null ||
		{ jq -c .switches "$s"; return 1; }
}

# No long flow has a rate above its link: payload of 1024 of 1106 wire bytes.
rates() {
	jq -e '.measured.groups.long | .goodput_bps < .active_flows * 10e9 * 1024 / 1106' \
		"$LAB_OUT/a/mix/dcqcn/seed1/summary.json" >/dev/null
}

same_bytes() {
	run b && diff -rq -x run.json "$LAB_OUT/a" "$LAB_OUT/b"
}

# Two flows fill a link of 10 Gbit/s twice for 500 us, which leaves 625 KB of queue, 500 us
# of it. A short flow waits for that, or, in a priority of its own, for the end of one packet
# of 1106 bytes: 885 ns. $1 and $2: what it takes above its ideal
short_fct() {
	local op=$1 ns=$2
	shift 2
	printf 'id,src,dst,bytes,start_ns\n0,h0,h3,2000000,0\n1,h1,h3,2000000,0\n2,h2,h3,8192,500000\n' >"$LAB_OUT/three.csv"
	LAB_DIR=$LAB_OUT/three lab_run star --cc fixed --set n=4 --set rate=10gbit --set ack_prio=on \
		--set flows_file="$LAB_OUT/three.csv" --force "$@" || return 1
	is "$(awk -F, '$5 == 8192 { print $7 - $8 }' "$LAB_OUT/three/star/fixed/seed1/flows.csv")" "$op" "$ns"
}

# bad WORD KEY=VALUE...: refused in one line that names the key
bad() {
	local word=$1
	shift
	ends 2 "$LAB" run mix --cc dcqcn "${@/#/--set=}" --out "$LAB_OUT/bad" &&
		grep -q "$word" "$LAB_OUT/err"
}

ktap_print_header
ktap_check "shares of short and long flows; the load is of the uplinks" shares
ktap_check "all but the long flows complete; 225 KB for each port" run a
ktap_check "long flows are not faster than their links" rates
ktap_check "twice, the same bytes" same_bytes
ktap_check "a short flow waits behind long ones" short_fct ">=" 490000
ktap_check "... in a priority of its own for one packet" short_fct "<=" 885 --set short_prio=8kb
ktap_check "a priority of short flows on shared queue pairs is refused" bad short_prio short_prio=8kb qp=pair
ktap_check "... and with IOFD" bad short_prio short_prio=8kb iofd=on
ktap_check "... of 0 bytes" bad short_prio short_prio=0b
ktap_finished
