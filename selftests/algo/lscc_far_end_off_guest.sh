# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For lab shell, by lscc_algorithm1.sh: the scenario's traffic while the switch at the far end runs
# no LSCC, so that no rate is in force at the near end.
job=$(tr ' ' '\n' </proc/cmdline | sed -n 's/^lab_job=//p')
mkdir -p /run/far
jq '.plan | .start_at_ns = 500000000' "$job" >/run/far/plan.json
read -r now _ </proc/uptime
sleep "$(awk -v now="$now" 'BEGIN { print 0.49 - now }')"
tc -n er qdisc change dev es root roce prio 3 lscc off || echo "not off"
flowgen run /run/far/plan.json --out /run/far/fg -q && echo "flowgen done"

# of SWITCH PORT FIGURE
of() { tc -n "$1" -s -j qdisc show dev "$2" | jq "[.. | objects | .$3? // empty] | add // 0"; }
echo "far marked $(of ts0 es ecn_marked) cleared $(of es er lscc_cleared) direct $(of es er lscc_cnps)" \
	"normal $(cat /sys/class/infiniband/rxe_r0/ports/1/hw_counters/np_cnp_sent)"
