#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `scripts/inventory.sh` lists options, keys, parameters, counters, columns and whatever else
#   users can name, and tells what one build has and another has no more
#
# scripts/inventory.sh has names of every kind that users can name, and tells what is lost
# between two lists.
# shellcheck disable=SC2317 # functions are called through ktap_check
. "$(dirname "$0")/../lib/ktap_helpers.sh"

for f in bin/lab uml-lab/rxe_cc.ko tc/q_roce.so; do
	[ -e "$RXE_CC_BUILD/$f" ] || ktap_exit_fail_msg "build/$f is missing (make lab-tests)"
done
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
inventory=$RXE_CC_TOP/scripts/inventory.sh

# One of each kind, from the pages.
kinds() {
	local name rc=0
	"$inventory" >"$tmp/names" 2>"$tmp/err" || { cat "$tmp/err"; return 1; }
	while read -r name; do
		grep -qxF -- "$name" "$tmp/names" || { echo "not there: $name"; rc=1; }
	done <<-'END'
		lab run --set
		lab command sweep
		rxecc --json
		scenario incast
		key incast ack_prio bool off
		algorithm dcqcn
		parameter rcc delta
		preset hpccpp fair
		signal swift rtt_ns
		dev knobs.base_rtt.value
		statistic np_cnp_sent
		sysfs algo
		trace roce/roce_dequeue u32 wire_bytes
		tc rate
		tc json int_pushed
		column flows.csv fct_ns
		column events.csv cwnd_bytes
		json hpcc summary.json bottleneck.queue_bytes.max
		plan iterations
		job modprobe
	END
	! grep -E '^(algorithm|parameter [a-z]*) (testalg|null)' "$tmp/names" && return "$rc"
}

lost() {
	grep -vxF 'tc rate' "$tmp/names" | sed '$a new thing' >"$tmp/less"
	! "$inventory" --compare "$tmp/names" "$tmp/less" >"$tmp/said" || return 1
	diff "$tmp/said" - <<-'END' || return 1
		+ new thing
		- tc rate
	END
	"$inventory" --compare "$tmp/names" "$tmp/names"
}

ktap_print_header
ktap_check "names of every kind" kinds
ktap_check "what is lost, and what is new" lost
ktap_finished
