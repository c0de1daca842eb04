# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Runs of four senders over a long link of 200 Gbit/s and 1 ms, and their checks, as the tests of
# LSCC (lscc_longhaul.sh) and HPCC* (hpccstar.sh) share them; sourced after lab_lib.sh.

# shellcheck disable=SC2034 # for who sources this
QREF=2000000
RTT_NS=2000000

# run DIR CC [OPTION]...
run() {
	local dir=$LAB_OUT/$1 cc=$2
	shift 2
	LAB_DIR=$dir lab_run longhaul --cc "$cc" "$@"
}

# figure DIR CC FILTER
figure() { LAB_DIR=$LAB_OUT/$1 lab_get "longhaul/$2/1" "$3"; }

# goodputs DIR CC FROM TO: mean of each flow in that time, ns
goodputs() {
	awk -F, -v from="$3" -v to="$4" 'NR > 1 && $1 >= from && $1 < to { sum[$2] += $3; n[$2]++ }
		END { for (f in sum) printf "%.0f\n", sum[f] / n[f] }' \
		"$LAB_OUT/$1/longhaul/$2/seed1/rates.csv"
}

# fair CC BPS: each has this goodput, within a quarter of it, after 25 round trips
fair() {
	local g n=0 fair=$2
	run four "$1" || return 1
	while read -r g; do
		echo "goodput $g, fair $fair"
		is "$g" ">=" $((fair * 3 / 4)) && is "$g" "<=" $((fair * 5 / 4)) || return 1
		n=$((n + 1))
	done < <(goodputs four "$1" $((25 * RTT_NS)) $((35 * RTT_NS)))
	is "$n" "==" 4
}

# no_pause CC: nothing is lost, and neither end of the long link has paused the other
no_pause() {
	local pauses='.ports["er-es"].pauses_sent + .ports["es-er"].pauses_sent'
	is "$(figure four "$1" "$pauses")" "==" 0 && is "$(figure four "$1" .drops.total)" "==" 0
}
