#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the command that `lab report` prints for a run makes the same files, byte for byte
#
# The command that "lab report" prints for a run makes the same results, byte for byte:
# keys, parameters, knobs, an algorithm's own parameters, seed and flows from a file.
# shellcheck disable=SC2317 # functions are called through ktap_check
set -u
. "$(dirname "$0")/../lib/lab_lib.sh"
ktap_print_header

# again NAME CC ARGS...: run, then what the report says, and compare all but wall time
again() {
	local name=$1 cc=$2 command f

	shift 2
	"$LAB" run "$@" --cc "$cc" --quiet --out "$LAB_OUT/$name.1" >"$LAB_OUT/out" 2>&1 || { cat "$LAB_OUT/out"; return 1; }
	"$LAB" report --no-plots -j "$LAB_OUT/$name.1" >"$LAB_OUT/json" || return 1
	for command in $(seq 0 $(($(jq '.scenarios[0].algorithms | length' "$LAB_OUT/json") - 1))); do
		command=$(jq -r ".scenarios[0].algorithms[$command].commands[0]" "$LAB_OUT/json")
		echo "# $command"
		PATH=${LAB%/*}:$PATH bash -c "$command --quiet --out '$LAB_OUT/$name.2'" >"$LAB_OUT/out" 2>&1 || { cat "$LAB_OUT/out"; return 1; }
	done
	while read -r f; do
		cmp "$LAB_OUT/$name.1/$f" "$LAB_OUT/$name.2/$f" || return 1
	done < <(cd "$LAB_OUT/$name.1" && find . -type f ! -name run.json)
	diff <(cd "$LAB_OUT/$name.1" && find . -type f | sort) <(cd "$LAB_OUT/$name.2" && find . -type f | sort)
}

# Two algorithms, one of them with a parameter of its own: each has its own command.
several() {
	again several dcqcn,hpcc:eta=0.9 four --set size=64kb --set n=2 --set jitter=3us --seed 7 --param dcqcn.rpg_ai_rate=50mbit --knob min_rate=20mbit &&
		[ "$(jq -r '.scenarios[0].algorithms[1].commands[0]' "$LAB_OUT/json")" = \
			"lab run four --cc hpcc:eta=0.9 --seed 7 --set n=2 --set size=64kb --set jitter=3us --knob min_rate=20mbit" ]
}

# Words that a shell would take apart.
file() {
	printf '%s\n' id,src,dst,bytes,start_ns 0,h1,h2,20000,0 1,h2,h1,30000,5000 >"$LAB_OUT/some flows.csv"
	again file dcqcn star --set n=3 --set "flows_file=$LAB_OUT/some flows.csv"
}

ktap_check "settings, parameters, knobs, variants, seed" several
ktap_check "flows of a file whose name has a space" file
ktap_finished
