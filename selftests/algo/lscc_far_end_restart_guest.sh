# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For lab shell, by lscc_algorithm1.sh: the scenario's traffic, and 15 ms after its start the switch
# at the far end loses its port to the long link, and has it again after $DOWN seconds.
job=$(tr ' ' '\n' </proc/cmdline | sed -n 's/^lab_job=//p')
mkdir -p /run/far
jq '.plan | .start_at_ns = 500000000' "$job" >/run/far/plan.json
options=$(tc -n er qdisc show dev es | sed '1s/^.* refcnt [0-9]* //' | tr '\n' ' ')

flowgen run /run/far/plan.json --out /run/far/fg -q &
read -r now _ </proc/uptime
sleep "$(awk -v now="$now" 'BEGIN { print 0.515 - now }')"
tc -n er qdisc del dev es root
[ "$DOWN" = 0 ] || sleep "$DOWN"
# shellcheck disable=SC2086 # words
tc -n er qdisc add dev es root handle 1: roce $options || echo "not added"
wait $! && echo "flowgen done"
tc -n es -s -j qdisc show dev er |
	jq -r '.[0] | "heard \(.lscc_heard // 0) late \(.lscc_late // 0) refused \(.lscc_refused // 0) expired \(.lscc_expired // 0)"'
