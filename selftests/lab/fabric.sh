#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: chain, dumbbell, leaf-spine, fat-tree: ideal times, spread over equal-cost paths;
#   `FABRIC_K=8` for 128 hosts
#
# Networks of several switches: a fat-tree with equal-cost paths, two tiers, a
# dumbbell, a chain. FABRIC_K sets the fat-tree's k (a power of two, default 4),
# FABRIC_QPS the flows of each host in the spread (default 1024/k^2).
# With 16, 1024 hosts send at the same instant: no backlog of the lab kernel may
# lose their packets.
. "$(dirname "$0")/../lib/lab_lib.sh"

K=${FABRIC_K:-4}
QPS=${FABRIC_QPS:-$((1024 / K / K))}
FLOW=16384			# bytes: one message of 16 packets of 1106 and a RETH
FLOW_WIRE=$((16 * 1106 + 16))

fattree() {
	LAB_DIR=$LAB_OUT/$1 lab_run fattree --set k="$K" --set qps="$QPS" --set size=$((QPS * FLOW))
}

all_complete() {
	local flows=$((K * K * K * QPS / 4))
	fattree a || return 1
	is "$(LAB_DIR=$LAB_OUT/a lab_get fattree/none/1 .flows.completed)" "==" "$flows" &&
		is "$(LAB_DIR=$LAB_OUT/a lab_get fattree/none/1 .retransmits)" "==" 0 &&
		is "$(LAB_DIR=$LAB_OUT/a lab_get fattree/none/1 .drops.total)" "==" 0
}

same_bytes() {
	fattree b && diff -r -x run.json "$LAB_OUT/a" "$LAB_OUT/b"
}

# Subnets are numbered from pod to pod, so the k^2/2 - 1 others take log2(k^2/2)
# routes at an edge switch, those of other pods log2(k) at an aggregation switch,
# and each pod one at a core switch.
routes() {
	local want got lg
	lg=$(awk -v k="$K" 'BEGIN { print int(log(k) / log(2) + 0.5) }')
	want=$((K * K * (K + 3 * lg - 1) / 2 + K * K * K / 4))
	got=$(sed -n 's/^@lab:routes \([0-9]*\) in .*/\1/p' "$LAB_OUT/a/fattree/none/seed1/console.log")
	is "$got" "==" "$want"
}

# Flows that each uplink carried: data packets of whole flows are all but the few
# ACKs (one of 86 bytes a flow, less than one flow's bytes on any port). Prints
# "TIER SWITCH FLOWS REST"; REST is what is left over, as part of a flow.
uplinks() {
	jq -r --argjson w "$FLOW_WIRE" '.ports | to_entries[] |
		select(.key | test("^(e[0-9]+-a|a[0-9]+-c)")) |
		[.key[0:1], (.key | split("-")[0]), (.value.tx_wire_bytes / $w | floor),
		 (.value.tx_wire_bytes / $w % 1)] | @tsv' "$LAB_OUT/a/fattree/none/seed1/summary.json"
}

# Every flow that leaves its edge switch, or its pod, is counted on exactly one
# uplink of that tier: no flow is divided, none is lost.
conservation() {
	uplinks >"$LAB_OUT/uplinks"
	awk -F, -v k="$K" -v up="$LAB_OUT/uplinks" '
		NR > 1 {
			s = substr($2, 2); d = substr($3, 2)
			edge += int(s / (k / 2)) != int(d / (k / 2))
			pod += int(s / (k * k / 4)) != int(d / (k * k / 4))
		}
		END {
			while ((getline line < up) > 0) {
				split(line, f, "\t")
				n[f[1]] += f[3]
			}
			printf "edge uplinks %d flows, expected %d; core uplinks %d, expected %d\n", n["e"], edge, n["a"], pod
			exit !(n["e"] == edge && n["a"] == pod && pod > 0)
		}' "$LAB_OUT/a/fattree/none/seed1/flows.csv"
}

# A uniform hash at a switch with m uplinks makes sum (n_i - n/m)^2 / (n/m) of its
# ports a chi-square variable with m - 1 degrees of freedom: mean m - 1, variance
# 2(m - 1); over the switches of a tier they add up. 4 standard deviations are
# passed once in 15000. Routers that all hash alike use one uplink of m for what
# comes in by one port, which makes the sum grow with the number of flows.
spread() {
	awk -F'\t' -v tier="$1" '
		$1 == tier { n[$2, ++ports[$2]] = $3; sum[$2] += $3; total += $3; links++
			if ($3 > most) most = $3 }
		END {
			for (s in ports) {
				if (!sum[s])
					continue
				mean = sum[s] / ports[s]
				dof += ports[s] - 1
				for (i = 1; i <= ports[s]; i++)
					chi += (n[s, i] - mean) ^ 2 / mean
			}
			limit = dof + 4 * sqrt(2 * dof)
			printf "%d uplinks, mean %.1f flows, most %d, chi-square %.1f, degrees of freedom %d, limit %.1f\n", links, total / links, most, chi, dof, limit
			exit !(dof > 0 && chi <= limit)
		}' "$LAB_OUT/uplinks"
}

# alone SCENARIO OPTION...: no flow meets another, so each takes its ideal time;
# the acknowledgments of the other direction cost a fraction of a percent.
alone() {
	local dir=$LAB_OUT/alone.$RANDOM
	LAB_DIR=$dir lab_run "$@" || return 1
	is "$(LAB_DIR=$dir lab_get "$1/none/1" .flows.slowdown.max)" "<=" 1.005 &&
		is "$(LAB_DIR=$dir lab_get "$1/none/1" .flows.slowdown.p50)" ">=" 0.9999
}

# Forwarding by address or by route takes no time: the same packets at the same
# instants.
chain() {
	LAB_DIR=$LAB_OUT/c1 lab_run chain3 --set size=2mb --set fabric=bridge &&
		LAB_DIR=$LAB_OUT/c2 lab_run chain3 --set size=2mb --set fabric=router &&
		is "$(LAB_DIR=$LAB_OUT/c1 lab_get chain3/none/1 .flows.completed)" "==" 3 &&
		diff "$LAB_OUT"/c[12]/chain3/none/seed1/flows.csv
}

# Two bottlenecks in a row: both links between switches are busy nearly all the
# time, each with two flows.
parking_lot() {
	local port
	for port in s1-s2 s2-s3; do
		is "$(jq ".ports[\"$port\"].busy_ns / .virtual_ns" \
			"$LAB_OUT/c1/chain3/none/seed1/summary.json")" ">=" 0.95 || return 1
	done
}

# refused WORD OPTION...: status 2 and a line that names the culprit
refused() {
	local word=$1 rc=0
	shift
	"$LAB" run "$@" --out "$LAB_OUT/bad" >"$LAB_OUT/bad.log" 2>&1 </dev/null || rc=$?
	cat "$LAB_OUT/bad.log"
	[ "$rc" -eq 2 ] && grep -q "$word" "$LAB_OUT/bad.log" && [ ! -e "$LAB_OUT/bad" ]
}

run_figures() {
	jq -r '"set-up \(.setup_s) s with \(.mem_setup_kb / 1024 | floor) MB, traffic \(.traffic_s) s"' \
		"$LAB_OUT/a/fattree/none/seed1/run.json"
}

ktap_print_header
ktap_check "fat-tree, k=$K, $QPS flows a host: all complete, nothing is lost" all_complete
ktap_print_msg "$(run_figures)"
ktap_check "each flow takes one path: flows on the uplinks add up" conservation
ktap_check "edge switches spread flows as a uniform hash does" spread e
ktap_print_msg "$(spread e)"
ktap_check "aggregation switches do so independently" spread a
ktap_print_msg "$(spread a)"
ktap_check "few routes: subnets next to each other share one" routes
ktap_check "a second run gives the same bytes" same_bytes
ktap_check "fat-tree of given tiers: two hosts six links apart, ideal time" \
	alone fattree --set pods=2 --set edges=1 --set aggs=1 --set down=1 --set up=1
ktap_check "multi: ideal time" alone multi --set size=2mb --set stagger=1ms
ktap_check "two tiers: ideal time" alone leafspine --set leaves=2 --set per_leaf=1
ktap_check "dumbbell over a slow long link: ideal time" \
	alone dumbbell --set n=1 --set core_rate=40gbit --set core_delay=10us --set size=4mb
ktap_check "chain of bridges and of routers: the same flows" chain
ktap_check "chain: both links between switches are bottlenecks" parking_lot
ktap_check "odd k: refused" refused "must be even" fattree --set k=5
ktap_check "more hosts than there is room for: refused" refused "room for 16" \
	fattree --set k=4 --set hosts=17
ktap_check "bridges in a loop: refused" refused "several paths" leafspine --set fabric=bridge
ktap_finished
