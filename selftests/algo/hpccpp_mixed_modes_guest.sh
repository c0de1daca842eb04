# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For lab shell, by hpccpp_mixed_modes.sh: the scenario's traffic again and again, with parameters
# of their own at the senders and at the receiver. A line of $ROWS is "SENDERS RECEIVER T_S T_R
# N": parameters joined by commas, how many times the true T each end has, and how many of the
# senders send, 10 MB together. Prints after "row" and the line: the mean queue of the port to
# the receiver in bytes and its utilization in thousandths, from 300 to 700 us after the start;
# echoes, and values not asked for, that came to the senders; flows that went by windows at 700
# us; flows that have completed.
job=$(tr ' ' '\n' </proc/cmdline | sed -n 's/^lab_job=//p')
mkdir -p /run/modes
mkfifo /run/modes/never && exec 8<>/run/modes/never
pause() { read -rt "$1" -u 8 || :; }

base=$(rxecc -j dev show rxe_r | jq '.[0].knobs.base_rtt.value')
senders=$(rxecc -j dev show | jq -r '.[].dev | select(startswith("rxe_s"))')

# set_to DEVICE PARAMETERS TIMES
set_to() {
	local words=${2//,/ }
	words=${words#draft}
	# shellcheck disable=SC2086 # words
	rxecc dev set "$1" preset draft ${words:+param $words} knob base_rtt=$((base * $3))ns || echo "$1 refuses $2"
}

# port: now_ns busy_ns area
port() {
	tc -n sw -s -j qdisc show dev r |
		jq -r '.[] | select(.kind == "roce") | "\(.now_ns) \(.busy_ns) \([.prios[].area_kib_us] | add)"'
}

heard() {
	rxecc -j dev show | jq -r '[.[] | select(.dev | startswith("rxe_s")).counters |
		[.int_echo_received // 0, .told_unused // 0]] | transpose | map(add) | "\(.[0]) \(.[1])"'
}

by_windows() { rxecc -j -d qp show | jq '[.[] | select((.dev | startswith("rxe_s")) and .state.told == 1)] | length'; }

# Starting a process is dear in the lab kernel: few of them.
read -r echoes_0 unused_0 <<<"$(heard)"
while read -r s r t_s t_r n; do
	for dev in $senders; do
		set_to "$dev" "$s" "$t_s"
	done
	set_to rxe_r "$r" "$t_r"
	read -r now _ <<<"$(port)"
	jq --argjson at $((now + 20000000)) --argjson n "$n" '.plan | .start_at_ns = $at |
		.flows |= (.[:$n] | map(.bytes = 10000000 / $n))' "$job" >/run/modes/plan.json
	rm -rf /run/modes/fg
	flowgen run /run/modes/plan.json --out /run/modes/fg -q &
	pause 0.0203
	read -r t0 busy_0 area_0 <<<"$(port)"
	pause 0.0004
	read -r t1 busy_1 area_1 <<<"$(port)"
	told=$(by_windows)
	wait $! || echo "flowgen failed"
	read -r echoes_1 unused_1 <<<"$(heard)"
	echo "row $s $r $t_s $t_r $n $(((area_1 - area_0) * 1024000 / (t1 - t0))) $(((busy_1 - busy_0) * 1000 / (t1 - t0)))" \
		"$((echoes_1 - echoes_0)) $((unused_1 - unused_0)) $told" \
		"$(awk -F, 'NR > 1 && $7 > 0 { n++ } END { print n + 0 }' /run/modes/fg/flows.csv)"
	echoes_0=$echoes_1 unused_0=$unused_1
done <<<"$ROWS"
