#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: all JSON of the lab by its schema, and that no document with a member renamed or of another
#   type passes
#
# What lab writes as JSON is what tools/lab/schema/lab.schema.json says: real outputs of
# every kind are valid, and none is with a member renamed, added or of another type.
. "$(dirname "$0")/../lib/lab_lib.sh"

schema=$RXE_CC_TOP/tools/lab/schema/lab.schema.json
# Debian's: others on the PATH may be of another age.
validator=$(PATH=/usr/bin:$PATH command -v jsonschema) || ktap_skip_all "needs python3-jsonschema"

# kind NAME: the schema of documents of one kind, which tells better what is wrong
kind() {
	jq --arg ref "#/\$defs/$1" 'del(.anyOf) + { "$ref": $ref }' "$schema" >"$LAB_OUT/$1.schema"
}

# valid KIND FILE...
valid() {
	local args=() f k=$1
	shift
	for f; do args+=(-i "$f"); done
	kind "$k" && [ "${#args[@]}" -gt 0 ] && "$validator" "${args[@]}" "$LAB_OUT/$k.schema" 2>&1 |
		cut -c1-300
	return "${PIPESTATUS[1]:-1}"
}

# elements PREFIX: each element of the list on stdin as a file of its own
elements() {
	jq -c '.[]' | split -l 1 -a 3 --additional-suffix=.json - "$1"
}

# run NAME OPTION...: summary.json and run.json into directories of their own
run() {
	local name=$1
	shift
	"$LAB" run "$@" --mem 512 --quiet -j --out "$LAB_OUT/o/$name" >"$LAB_OUT/run.$name" 2>"$LAB_OUT/err" \
		</dev/null || grep -q "did not end within" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	elements "$LAB_OUT/summary.$name." <"$LAB_OUT/run.$name"
}

# Among them all parts that a summary may have.
runs() {
	printf 'id,src,dst,bytes,start_ns\n0,h0,h1,100000,0\n' >"$LAB_OUT/flows.csv"
	jq '.name = "programs" | .programs = [{ host: "h0", command: "sleep 0.001 & true" }]' \
		"$RXE_CC_TOP/tools/lab/scenarios/two.json" >"$LAB_OUT/programs.json"
	run programs "$LAB_OUT/programs.json" && run plain two --cc none,timely,hpcc --set size=16kb --param timely.beta=0.5 --knob burst=4kb &&
		run pfc incast --cc dcqcn --set n=2 --set size=64kb --set pfc=on --set window_from=2us \
			--set window_to=10us &&
		run dart incast --cc dart --set n=2 --set size=16kb --set lookahead=10us &&
		run latency latency && run mercury victim --cc mercury --set limit=200us &&
		run iofd mix --cc dart:preset=whole --set limit=50us &&
		run lscc longhaul --cc lscc --set size=20kb &&
		run types multi --cc rcc --set size=100kb && run uc two --set transport=uc --set size=16kb &&
		run traffic star --cc rcc --set n=4 --set workload=hadoop --set duration=50us \
			--set size_cap=1mb --set senders=h0+h1 --set incast_degree=2 \
			--set incast_spread=1us --set incast_halvings=1 &&
		run file star --cc dcqcn --set n=4 --set flows_file="$LAB_OUT/flows.csv"
}

summaries() {
	valid summary "$LAB_OUT"/summary.*.json &&
		find "$LAB_OUT/o" -name summary.json -exec cp --backup=t {} "$LAB_OUT/s.json" \; &&
		valid summary "$LAB_OUT"/s.json*
}

parts() {
	local p
	for p in window latency mercury iofd lscc types counts lookahead traffic measured tiers fct_bins; do
		jq -se --arg p "$p" 'any(.[]; has($p))' "$LAB_OUT"/summary.*.json >/dev/null ||
			{ echo "no run has $p"; return 1; }
	done
}

run_files() {
	find "$LAB_OUT/o" -name run.json -exec cp --backup=t {} "$LAB_OUT/r.json" \; &&
		valid run "$LAB_OUT"/r.json*
}

lists() {
	local a
	"$LAB" list -j | elements "$LAB_OUT/scenario." && valid scenario "$LAB_OUT"/scenario.*.json || return 1
	for a in $("$LAB" list | sed -n 's/^algorithms (--cc): //p'); do
		[ "$a" = none ] || "$LAB" list -j "$a" >"$LAB_OUT/algo.$a.json" || return 1
	done
	valid algorithm "$LAB_OUT"/algo.*.json &&
		jq -e '.params.hai_low.words == ["off", "on"]' "$LAB_OUT/algo.timely.json" >/dev/null
}

plans() {
	"$LAB" run incast --cc none,dcqcn --dry-run -j >"$LAB_OUT/plan.json" && valid plan "$LAB_OUT/plan.json"
}

reports() {
	local n
	for n in plain pfc traffic uc; do
		"$LAB" report --no-plots -j "$LAB_OUT/o/$n" >"$LAB_OUT/report.$n.json" 2>/dev/null || return 1
	done
	valid report "$LAB_OUT"/report.*.json
}

# A list of figures that have digits; further ones add nothing but time.
paper_list() {
	"$LAB" paper -j >"$LAB_OUT/papers.json" && valid paper "$LAB_OUT/papers.json" &&
		jq '[first(.[] | select(.rules != [] and .inferred)), first(.[] | select(.cannot))]
			| map(.digits = {} | (.measures[].series[].cells[]) |= del(.paper))' \
			"$LAB_OUT/papers.json" >"$LAB_OUT/paper.json"
}

# Each member of a document by its path, but for what is free: names that others give.
free='["settings","params","knobs","algo_params","ports","switches","tiers","groups","fct_bins","commands","args","digits"]'

# faults KIND FILE N: more than N documents with one member renamed, or of another type, none valid
faults() {
	local f n args=() dir=$LAB_OUT/faults.$1
	mkdir -p "$dir" && kind "$1" && jq -c --argjson free "$free" '
		. as $doc | paths | select(.[-1] | type == "string")
		| select(.[-2] as $p | $free | any(. == $p) | not) | . as $p
		| ($doc | getpath($p)) as $v
		| ($doc | delpaths([$p]) | setpath($p[:-1] + [$p[-1] + "_renamed"]; $v)),
		  ($doc | setpath($p; if $v | type == "string" then 1 else "text" end))' "$2" |
		split -l 1 -a 4 --additional-suffix=.json - "$dir/f" || return 1
	for f in "$dir"/f*; do args+=(-i "$f"); done
	n=$((${#args[@]} / 2))
	[ "$n" -gt "$3" ] || { echo "only $n faults"; return 1; }
	"$validator" --output pretty "${args[@]}" "$LAB_OUT/$1.schema" >"$dir.out" 2>&1
	f=$(sed -n 's/^===\[SUCCESS\]===(\(.*\))===.*/\1/p' "$dir.out" | head -n 1)
	[ -z "$f" ] || { echo "valid: $f"; diff <(jq -S . "$2") <(jq -S . "$f"); return 1; }
	[ "$(grep -c '^===\[' "$dir.out")" -ge "$n" ] || { head -n 5 "$dir.out"; return 1; }
}

ktap_print_header
ktap_check "runs of every kind" runs
ktap_check "lab run -j and summary.json" summaries
ktap_check "... among them every part that there is" parts
ktap_check "run.json" run_files
ktap_check "lab list -j: scenarios, algorithms, words of switches" lists
ktap_check "lab run --dry-run -j" plans
ktap_check "lab report -j" reports
ktap_check "lab paper -j" paper_list
ktap_check "a summary with a fault is not valid" faults summary "$LAB_OUT/summary.pfc.aaa.json" 200
ktap_check "... nor one of a workload" faults summary "$LAB_OUT/summary.traffic.aaa.json" 300
ktap_check "... nor any other document: run.json" faults run "$LAB_OUT/r.json" 15
ktap_check "... an algorithm" faults algorithm "$LAB_OUT/algo.dcqcn.json" 20
ktap_check "... a scenario" faults scenario "$LAB_OUT/scenario.aaa.json" 100
ktap_check "... a plan" faults plan "$LAB_OUT/plan.json" 10
ktap_check "... figures of papers" faults paper "$LAB_OUT/paper.json" 50
ktap_check "... a report" faults report "$LAB_OUT/report.pfc.json" 50
ktap_finished
