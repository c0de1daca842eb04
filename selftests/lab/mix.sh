#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Scenario mix: short incasts over long flows that are stopped with the traffic.
. "$(dirname "$0")/../ktap_helpers.sh"
. "$(dirname "$0")/lab_lib.sh"

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

ktap_print_header
ktap_check "shares of short and long flows; the load is of the uplinks" shares
ktap_check "all but the long flows complete; 225 KB for each port" run a
ktap_check "long flows are not faster than their links" rates
ktap_check "twice, the same bytes" same_bytes
ktap_finished
