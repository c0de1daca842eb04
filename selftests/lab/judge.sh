#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab judge`: programs of libibverbs, librdmacm and perftest and a module of rdma-core's
#   tests in Python, under stock rxe, none and dcqcn; a test that fails under one algorithm alone is
#   seen; what it refuses. `lab judge` runs all of them under all algorithms, [perftest.md](../guide/perftest.md#lab-judge)
. "$(dirname "$0")/../lib/lab_lib.sh"

for c in ib_write_bw rping ibv_rc_pingpong ip tc rdma; do
	command -v $c >/dev/null || ktap_skip_all "no $c"
done
[ -e "$RXE_CC_BUILD/uml-lab/stock/rdma_rxe.ko" ] || ktap_skip_all "no stock rxe (make lab)"
"$RXE_CC_TOP/scripts/pyverbs-tests.sh" >/dev/null 2>&1 || ktap_skip_all "no python3-pyverbs"
out=$LAB_OUT/j

judge() { "$LAB" judge --timeout 200 -q "$@" 2>"$LAB_OUT/err" </dev/null; }

few() {
	judge --cc none,dcqcn --tests rping,ibv_rc_pingpong,ibv_xsrq_pingpong,perftest.read_bw.RC.plain,pyverbs.test_mr --out "$out" \
		>"$LAB_OUT/table" || { cat "$LAB_OUT/err" "$LAB_OUT/table"; return 1; }
}

# get FILTER: of judge.json, true
get() { jq -e "$1" "$out/judge.json" >/dev/null || { jq -c '.results[]' "$out/judge.json" | head -n 60; return 1; }; }

passes() {
	local t
	for t in rping rping.large ibv_rc_pingpong ibv_rc_pingpong.events perftest.read_bw.RC.plain pyverbs.test_mr \
		pyverbs.test_mr.MRTest.test_reg_mr_bad_flags; do
		get "[.results[] | select(.test == \"$t\") | [.cc, .verdict]] ==
			[[\"stock\", \"pass\"], [\"none\", \"pass\"], [\"dcqcn\", \"pass\"]]" || return 1
	done
	get '.worse == 0' && grep -qE '^rping +pass +pass +pass$' "$LAB_OUT/table"
}

# rxe has no XRC: no fault of ours.
fails_with_stock() {
	get '[.results[] | select(.test == "ibv_xsrq_pingpong") | [.verdict, .runs]] == [["fail", 1], ["fail", 1], ["fail", 1]]'
}

# In real time a test that fails is run three times.
in_real_time() {
	"$LAB" judge -q -j --clock real --cc none --tests ibv_xsrq_pingpong,rping --out "$LAB_OUT/r" \
		>"$LAB_OUT/real" 2>"$LAB_OUT/err" </dev/null || { cat "$LAB_OUT/err"; return 1; }
	jq -e '.clock == "real" and
		all(.results[]; if .test == "ibv_xsrq_pingpong" then .verdict == "fail" and .runs == 3
				else .verdict == "pass" end)' "$LAB_OUT/real" >/dev/null || { cat "$LAB_OUT/real"; return 1; }
}

# Each test of a module is a row, and those that skip themselves say why.
rows_of_a_suite() {
	get '[.results[] | select(.test | startswith("pyverbs.test_mr.")) | .test] | unique | length >= 10' &&
		get 'any(.results[]; .verdict == "skip" and (.why | length) > 0)'
}

by_schema() {
	local validator
	validator=$(PATH=/usr/bin:$PATH command -v jsonschema) || return "$KSFT_SKIP"
	jq '. + { "$ref": "#/$defs/judge" } | del(.anyOf)' "$RXE_CC_TOP/tools/lab/schema/lab.schema.json" \
		>"$LAB_OUT/schema" && "$validator" -i "$out/judge.json" "$LAB_OUT/schema" 2>&1 | cut -c1-300
	return "${PIPESTATUS[0]}"
}

# 50 messages of 64 KiB are 26 Mbit. At 1 Mbit/s, the lowest rate of all, they take 26 s, so the
# run ends by its limit of 15 s; stock rxe knows no rates.
sees_what_is_worse() {
	local rc=0
	"$LAB" judge -q -j --cc fixed:rate=1mbit --tests perftest.write_bw.RC.plain --tries 1 --timeout 15 --out "$LAB_OUT/w" \
		>"$LAB_OUT/worse" 2>"$LAB_OUT/err" </dev/null || rc=$?
	[ $rc -eq 1 ] && jq -e '.worse == 1 and
		[.results[] | [.cc, .verdict]] == [["stock", "pass"], ["fixed:rate=1mbit", "fail"]]' "$LAB_OUT/worse" >/dev/null ||
		{ echo "status $rc"; cat "$LAB_OUT/worse" "$LAB_OUT/err"; return 1; }
}

refuses() { ends 2 "$LAB" judge --out "$LAB_OUT/n" "$@" && [ ! -e "$LAB_OUT/n" ]; }

refusals() {
	refuses --tests nonsense && refuses --cc dcqnc && refuses --set rat=1gbit && refuses --sizes 64 &&
		refuses --backend xen && refuses --cpus 2 && refuses --backend qemu --cpus 0 && refuses -- -n 5
}

ktap_print_header
ktap_check "tests of each kind under stock, none, dcqcn" few
ktap_check "... pass" passes
ktap_check "... but those that fail with stock" fails_with_stock
ktap_check "in real time, where what fails is run three times" in_real_time
ktap_check "a row for each test of a suite" rows_of_a_suite
ktap_check "... JSON by its schema" by_schema
ktap_check "a test that fails under an algorithm alone is seen" sees_what_is_worse
ktap_check "bad arguments are refused, and nothing is made" refusals
ktap_finished
