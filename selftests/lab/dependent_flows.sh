#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: flows that wait for flows start at the nanosecond at which these end, or start, and never if these fail
#
# flowgen with flows that wait for flows, of the plan and of a file: when each starts, what a
# failure and a stop leave, and what memory a large graph takes.
. "$(dirname "$0")/../lib/ktap_helpers.sh"
. "$(dirname "$0")/../lib/guest_two.sh"

MODULES='rxe_cc rdma_rxe sch_roce'

HEAD=id,src,dst,bytes,start_ns,stop_ns,after,after_start,delay_ns

# run KEYS: runs the rows, sets rc
run() {
	rc=0
	cat >/run/plan.json <<-PLAN
	{ "mtu": 1024, "lead_ns": 20000000, "flows_file": "/run/rows.csv", $1 }
	PLAN
	flowgen run /run/plan.json --out /run/fg >/run/log 2>&1 || rc=$?
}

# holds WHAT VALUE TEST BOUND
holds() {
	test "$2" "$3" "$4" || { echo "$1: $2 is not $3 $4"; cat /run/log /run/fg/flows.csv; return 1; }
}

# starts ID=SUM...: SUM has ends of flows eN, starts sN and numbers; the largest of several with /
starts() {
	awk -F, -v want="$*" '
		function value(t,	k, n, p, v) {
			n = split(t, p, "+")
			for (k = 1; k <= n; k++) {
				if (p[k] ~ /^e/) v += end[substr(p[k], 2)]
				else if (p[k] ~ /^s/) v += start[substr(p[k], 2)]
				else v += p[k]
			}
			return v
		}
		FNR > 1 { start[$1] = $7; end[$1] = $7 + $8; if ($9 != "ok") { print; bad = 1 } }
		END {
			n = split(want, w, " ")
			for (i = 1; i <= n; i++) {
				split(w[i], a, "=")
				m = split(a[2], alt, "/")
				max = 0
				for (k = 1; k <= m; k++)
					if (value(alt[k]) > max) max = value(alt[k])
				late = start[a[1]] - max
				# A timer is late by a look at the clock when it fires, and one after.
				if (!(a[1] in start) || late < 0 || late > a[3] + 0) {
					print "flow " a[1] " starts at " start[a[1]] ", not " w[i]
					bad = 1
				}
			}
			exit bad
		}' /run/fg/flows.csv || { cat /run/fg/flows.csv; return 1; }
}

# A chain, one that waits for two of which the slower counts, one that waits for a start, delays
# shorter and longer than the 20 us at which queue pairs are made, a start_ns that is later than
# what it waits for, delays of single dependencies of which another counts than ends last. A timer fires when the process looks at the clock: 1 ns late.
guest_moments() {
	local p
	cat >/run/rows.csv <<-CSV
	$HEAD
	3,r0,r1,1000,0,0,1,,0
	0,r0,r1,100000,100,0,,,0
	1,r1,r0,5000,0,0,0,,0
	2,r0,r1,300000,200,0,,,0
	4,r0,r1,1000,0,0,0+2,,0
	5,r1,r0,1000,0,0,3,,700
	6,r1,r0,1000,0,0,3,,50000
	7,r1,r0,1000,0,0,,2,30000
	8,r0,r1,1000,400000,0,0,,10
	9,r0,r1,1000,0,0,0@900000+2,,0
	10,r1,r0,1000,0,0,0@1+2,,0
	11,r1,r0,1000,0,0,2+0@900000,,500
	12,r1,r0,1000,0,0,,2@30000,0
	CSV
	for p in flow pair pool; do
		run "\"qp\": \"$p\""
		holds "$p: exit status" $rc -eq 0 && starts 1=e0 3=e1 4=e0/e2 5=e3+700=1 \
			6=e3+50000=1 7=s2+30000=1 8=400000/e0+10=1 \
			9=e0+900000/e2=1 10=e0+1/e2=1 11=e0+900500/e2+500=1 12=s2+30000=1 || { echo "with $p"; return 1; }
	done
}

# The same of flows of the plan, on queue pairs of their own and on one of all; a row waits for
# one of them.
guest_plan() {
	local qp
	for qp in new pair 7; do
		[ $qp = 7 ] || qp="\"$qp\""
		printf '%s\n' "$HEAD" "10,r0,r1,1000,0,0,5+11,,0" "11,r1,r0,1000,0,0,3,,0" >/run/rows.csv
		run "\"flows\": [
			{ \"id\": 3, \"src\": \"r0\", \"dst\": \"r1\", \"bytes\": 300000, \"qp\": $qp },
			{ \"id\": 9, \"src\": \"r0\", \"dst\": \"r1\", \"bytes\": 300000, \"qp\": $qp,
			  \"after\": [ 3 ] },
			{ \"id\": 5, \"src\": \"r0\", \"dst\": \"r1\", \"bytes\": 1000, \"qp\": $qp,
			  \"after\": [ 3, 9 ], \"after_start\": [ 9 ], \"delay_ns\": 300 } ]"
		holds "$qp: exit status" $rc -eq 0 && starts 9=e3 5=e9+300=1 11=e3 10=e5/e11 || return 1
	done
}

# Flow 0 stops at the plan's stop, so 1 and what waits for that never start; nor does 3, whose
# delay ends later. 2, which waits for its start, does.
guest_stop() {
	printf '%s\n' "$HEAD" "0,r0,r1,1000000000,0,0,,,0" "1,r0,r1,1,0,0,0,,0" "2,r0,r1,1,0,0,,0,0" \
		"3,r0,r1,1,0,0,2,,900000" "4,r0,r1,1,0,0,1,1,0" >/run/rows.csv
	run '"qp": "pair", "depth": 4, "chunk_bytes": 4096, "stop_ns": 500000'
	holds "exit status" $rc -eq 1 &&
		holds "what became of them" "$(awk -F, 'FNR > 1 { print $1, $9 }' /run/fg/flows.csv |
			sort -n | tr '\n' ,)" = "0 stopped,1 not_started,2 ok,3 not_started,4 not_started,"
}

# A flow whose own stop comes has ended as planned: what waits for it starts then. A flow that
# fails takes all with it that wait for its end, 20000 in a row, and those that wait for starts
# of these. Packets of flow 0 reach nobody: they have another MAC address.
guest_failure() {
	printf '%s\n' "$HEAD" "0,r0,r1,1000000000,0,50000,,,0" "1,r0,r1,1000,0,0,0,,0" >/run/rows.csv
	run '"qp": "flow", "depth": 4, "chunk_bytes": 4096'
	holds "exit status" $rc -eq 0 && holds "flows" "$(grep -c ',ok$' /run/fg/flows.csv)" -eq 1 ||
		return 1
	ip -n h0 neigh replace 10.0.0.2 lladdr 02:00:00:00:00:77 dev v0 nud permanent
	awk -v head=$HEAD 'BEGIN {
		print head
		print "0,r0,r1,1000,0,0,,,0"
		for (i = 1; i <= 20000; i++) print i ",r0,r1,1000,0,0," i - 1 ",,0"
		print "20001,r0,r1,1000,0,0,,20000,0"
		print "20002,r0,r1,1000,0,0,,0,0"
	}' >/run/rows.csv
	run '"qp": "pair", "timeout": 1, "retry_cnt": 1'
	holds "exit status" $rc -eq 1 &&
		holds "not started" "$(grep -c ',not_started$' /run/fg/flows.csv)" -eq 20001 &&
		holds "rows" "$(awk -F, 'FNR > 1 && !seen[$1]++' /run/fg/flows.csv | wc -l)" -eq 20003
}

# stages FLOWS WIDTH NEEDS: rows in stages of WIDTH flows, each of which waits for NEEDS of the
# stage before
stages() {
	awk -v n="$1" -v width="$2" -v needs="$3" -v head=$HEAD 'BEGIN {
		print head
		for (i = 0; i < n; i++) {
			printf "%d,r%d,r%d,100,0,0,", i, i % 2, (i + 1) % 2
			for (k = 0; i >= width && k < needs; k++)
				printf "%s%d", k ? "+" : "", (int(i / width) - 1) * width + (i * 7 + k * 3) % width
			print ",,0"
		}
	}'
}

# Every flow starts after the ends of all that it waits for, and at that of the last.
guest_stages() {
	stages 4000 200 50 >/run/rows.csv
	run '"qp": "pool"'
	holds "exit status" $rc -eq 0 && awk -F, '
		FILENAME == "/run/rows.csv" { need[$1] = $7; next }
		FNR > 1 { start[$1] = $7; end[$1] = $7 + $8; rows++ }
		END {
			for (i in start) {
				n = split(need[i], a, "+")
				last = 0
				for (k = 1; k <= n; k++)
					if (end[a[k]] > last) last = end[a[k]]
				if (n && start[i] != last) { print "flow " i " at " start[i] ", not " last; bad++ }
			}
			print rows " rows, " bad + 0 " at another time"
			exit bad || rows != 4000
		}' /run/rows.csv /run/fg/flows.csv
}

# 10^5 flows, 10^7 dependencies. They take 4 bytes each in the lists, half as much again when
# these have just grown, and 4 in the graph; a flow less than 200; the program, its libraries,
# its buffers and the table of names 32 MB.
memory() {
	stages 100000 1000 101 >"$dir/rows.csv" || return 1
	echo "{ \"flows_file\": \"$dir/rows.csv\" }" >"$dir/plan.json"
	(
		ulimit -v $((10000000 * (6 + 4) / 1000 + 100000 * 200 / 1000 + 32000)) &&
			"$RXE_CC_BUILD/bin/flowgen" check "$dir/plan.json" >"$dir/out" || exit
		test "$(wc -l <"$dir/out")" -eq 100001
	)
}

if [ "${1:-}" = guest ]; then
	guest_two
	"guest_$2"
	exit
fi

in_lab() {
	"$UML_EXEC" --modules "$MODULES" --timeout 150 \
		--env RXE_CC_BUILD="$RXE_CC_BUILD" -- "$(realpath "$0")" guest "$1"
}

ktap_print_header
ktap_check "a flow starts at the nanosecond at which what it waits for ends, or starts" in_lab moments
ktap_check "... of the plan, and on one queue pair" in_lab plan
ktap_check "a stop ends those that wait" in_lab stop
ktap_check "a failure ends all that wait for it, a planned stop none" in_lab failure
ktap_check "stages of 200 flows, each after 50 of the stage before" in_lab stages
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
ktap_check "ten million dependencies take the memory that they should" memory
ktap_finished
