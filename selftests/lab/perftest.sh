#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab perftest`: three tests under stock rxe, none and dcqcn in the lab kernel; figures,
#   command lines, JSON by its schema; the rxe is the one that the row names, and the data crossed
#   the switch; what it refuses; a test that fails
#
# "lab perftest" in the lab kernel: it runs what it says, under the rxe that it says, across
# the switch, and tells when something fails. Figures of virtual time are looked at in
# programs_in_virtual_time.sh.
. "$(dirname "$0")/../lib/lab_lib.sh"

for c in ib_write_bw ip tc rdma; do
	command -v $c >/dev/null || ktap_skip_all "no $c"
done
[ -e "$RXE_CC_BUILD/uml-lab/stock/rdma_rxe.ko" ] || ktap_skip_all "no stock rxe (make lab)"
out=$LAB_OUT/p
json=$out/perftest.json
SIZE=65536
N=20

perftest() { "$LAB" perftest --timeout 120 -q "$@" 2>"$LAB_OUT/err" </dev/null; }

few() {
	perftest --cc none,dcqcn --tests write_bw.RC.plain,send_lat.UD.plain,read_bw.cm --out "$out" -- -n $N \
		>"$LAB_OUT/table" || { cat "$LAB_OUT/err"; return 1; }
}

# get FILTER: of all results, true
get() { jq -e "$1" "$json" >/dev/null || { jq -c '.results[]' "$json"; return 1; }; }

rows() {
	get '[.results[].cc] == ["stock","none","dcqcn","stock","none","dcqcn","stock","none","dcqcn"]' &&
		get '.clock == "virtual"' && get '[.results[].test] | unique == ["read_bw","send_lat","write_bw"]' &&
		get 'all(.results[]; .passed == 1 and .runs >= 1)' &&
		get 'all(.results[] | select(.cc == "stock"); .to_stock == 1)' &&
		get 'all(.results[]; (.goodput_bps // .median_ns) > 0 and (.messages_per_s // .p99_ns) > 0)'
}

# Goodput is that of messages; perftest rounds both to a hundredth of a Gbit/s and to a message.
figures() {
	get 'all(.results[] | select(.goodput_bps);
		(.goodput_bps - .messages_per_s * .size_bytes * 8 | fabs) <= 5e6 + .size_bytes * 8)'
}

table() {
	[ "$(grep -cE '^(write|read)_bw .* (stock|none|dcqcn) ' "$LAB_OUT/table")" = 6 ] &&
		[ "$(grep -cE '^send_lat .* (stock|none|dcqcn) ' "$LAB_OUT/table")" = 3 ] || { cat "$LAB_OUT/table"; return 1; }
}

command_lines() {
	get 'all(.results[]; .test as $t | (.client | contains(" -n '$N'") and startswith("ib_\($t) ")))' &&
		get 'all(.results[] | select(.mode == "cm"); .client | test(" -R .* 10\\.0\\.0\\.2$"))'
}

# of TEST CC FILE
of() { cat "$out/cases/$1."*".$2.r1/$3"; }

under_the_right_rxe() {
	! of write_bw stock setup.log | grep -q rxe_cc &&
		of write_bw none setup.log | grep -q '/rxe_cc$' &&
		! of write_bw none setup.log | grep -q rxe_cc_dcqcn &&
		of write_bw dcqcn setup.log | grep -qw rxe_cc_dcqcn
}

# sent TEST CC FILE: what has left the switch
sent() { of "$1" "$2" "$3" | awk '$1 == "Sent" { print $2; exit }'; }

# All bytes that were written; with READ all that was read crosses the other port.
crosses_the_switch() {
	local cc n
	for cc in stock none dcqcn; do
		n=$(($(sent write_bw $cc port.after) - $(sent write_bw $cc port.before)))
		is "$n" ">=" $((SIZE * N)) || return 1
	done
}

by_schema() {
	local validator
	validator=$(PATH=/usr/bin:$PATH command -v jsonschema) || return "$KSFT_SKIP"
	jq '. + { "$ref": "#/$defs/perftest" } | del(.anyOf)' "$RXE_CC_TOP/tools/lab/schema/lab.schema.json" \
		>"$LAB_OUT/schema" && "$validator" -i "$json" "$LAB_OUT/schema" 2>&1 | cut -c1-300
	return "${PIPESTATUS[0]}"
}

refuses() { ends 2 "$LAB" perftest --out "$LAB_OUT/n" "$@" && [ ! -e "$LAB_OUT/n" ]; }

refusals() {
	refuses --tests nonsense && refuses --cc dcqnc && refuses --set rat=1gbit && refuses --set rate=fast &&
		refuses --set pmax=2 && refuses --qps 0 && refuses --sizes 1tb && refuses --backend xen &&
		refuses --cpus 2 && refuses --jobs 0 && refuses --clock real --jobs 2 && refuses --clock wall && refuses --backend qemu --clock virtual && refuses --backend qemu --cpus 0 && refuses --rounds 0 && refuses write_bw
}

# perftest refuses it, so all fail: status 1, twice each.
fails() {
	ends 1 "$LAB" perftest --cc none --tests write_bw.RC.plain --tries 2 --out "$LAB_OUT/f" -j -- --no-such-option &&
		jq -e 'all(.results[]; .passed == 0 and .runs == 2 and .goodput_bps == null)' "$LAB_OUT/out" >/dev/null
}

# A case does not see those before it, nor those beside it: figures and all output are the same. rxe's
# keys of memory are random. Ports tell the time, which was seen to differ by 1 ns at the begin of a case.
alone() {
	local d
	perftest --jobs 1 --cc dcqcn --tests read_bw.cm --out "$LAB_OUT/alone" -- -n $N >/dev/null || { cat "$LAB_OUT/err"; return 1; }
	for d in "$LAB_OUT"/alone/cases/*; do
		sed -i 's/ RKey 0x[0-9a-f]*//' "$d"/*.log "$out/cases/${d##*/}"/*.log
		diff -r -x "*.cmd" -x "port.*" "$d" "$out/cases/${d##*/}" || return 1
	done
}

in_real_time() {
	perftest --clock real --tries 3 --cc none --tests write_bw.RC.plain,send_lat.UD.plain --out "$LAB_OUT/real" -- -n $N \
		>"$LAB_OUT/table" || { cat "$LAB_OUT/err"; return 1; }
	jq -e '.clock == "real" and all(.results[]; .passed == 1)' "$LAB_OUT/real/perftest.json" >/dev/null
}

listed() {
	"$LAB" perftest --list --cc none >"$LAB_OUT/list" && [ "$(cut -d: -f1 "$LAB_OUT/list" | sort -u | wc -l)" -ge 20 ] &&
		[ "$(cut -d: -f1 "$LAB_OUT/list" | sort | uniq -d)" = "" ]
}

ktap_print_header
ktap_check "three tests under stock, none, dcqcn" few
ktap_check "... a row each, with figures" rows
ktap_check "... that fit each other" figures
ktap_check "... in the table" table
ktap_check "... command lines as asked for" command_lines
ktap_check "... each under its rxe" under_the_right_rxe
ktap_check "... across the switch" crosses_the_switch
ktap_check "... JSON by its schema" by_schema
ktap_check "the same figures and output as the only case" alone
ktap_check "bad arguments are refused, and nothing is made" refusals
ktap_check "a test that fails is run again, and told" fails
ktap_check "in real time" in_real_time
ktap_check "--list" listed
ktap_finished
