#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: flowgen with flows from a file: queue pairs shared, start times, what is left behind
#
# flowgen with flows from a file: which flows share a queue pair, when flows start, whether
# thousands of queue pairs leave anything behind, and what is written when a run is stopped.
. "$(dirname "$0")/../lib/ktap_helpers.sh"
. "$(dirname "$0")/../lib/guest_two.sh"

MODULES='rxe_cc rdma_rxe sch_roce'

# rows N GAP_NS BYTES [STOP_NS]: flows of 1..BYTES bytes in both directions by turns
rows() {
	awk -v n="$1" -v gap="$2" -v bytes="$3" -v stop="${4:-0}" 'BEGIN {
		srand(1)
		print "id,src,dst,bytes,start_ns,stop_ns"
		for (i = 0; i < n; i++)
			printf "%d,r%d,r%d,%d,%d,%d\n", i, i % 2, (i + 1) % 2,
				1 + int(rand() * bytes), 100 + i * gap, stop
	}' >/run/rows.csv
}

# run KEYS: runs the rows, sets rc
run() {
	rc=0
	cat >/run/plan.json <<-PLAN
	{ "mtu": 1024, "lead_ns": 20000000, "flows_file": "/run/rows.csv", $1 }
	PLAN
	flowgen run /run/plan.json --out /run/fg >/run/log 2>&1 || rc=$?
}

summary() {
	sed -n "s/^  \"$1\": *\([0-9]*\).*/\1/p" /run/fg/summary.json
}

# holds WHAT VALUE TEST BOUND
holds() {
	test "$2" "$3" "$4" || { echo "$1: $2 is not $3 $4"; cat /run/log; return 1; }
}

# Each flow once, as long as asked for, in order of completion.
check_rows() {
	awk -F, -v n="$1" '
		FNR == 1 { next }
		FILENAME == "/run/rows.csv" { want[$1] = $4; next }
		{
			if (!($1 in want) || want[$1] != $6 || $9 != "ok") { print "row " $0; bad = 1 }
			delete want[$1]
			if ($7 + $8 < last) { print "not by completion: " $0; bad = 1 }
			last = $7 + $8
			rows++
		}
		END { if (rows != n) { print rows + 0 " rows"; bad = 1 }; exit bad }
	' /run/rows.csv /run/fg/flows.csv
}

# 400 flows, 200 in each direction: a queue pair at both ends of each connection.
guest_policies() {
	local late
	rows 400 100 20000
	for p in flow pair pool; do
		run "\"qp\": \"$p\", \"qp_pool\": 3"
		holds "$p: exit status" $rc -eq 0 && check_rows 400 || return 1
		case $p in
		flow) holds "$p: queue pairs" "$(summary qps_created)" -eq 800 ;;
		pair) holds "$p: queue pairs" "$(summary qps_created)" -eq 4 ;;
		pool)
			holds "$p: queue pairs" "$(summary qps_created)" -gt 4 &&
				holds "$p: queue pairs" "$(summary qps_created)" -le 12
			;;
		esac || return 1
		# The timer is exact; the clock moves by 1 ns with each look at it, one when
		# the timer fires and one for the start.
		late=$(summary late_ns)
		holds "$p: late" "$late" -le 2 || return 1
	done
}

# 4000 flows, each with its queue pairs. Slabs and page tables have their size after
# the first time. A page left behind by each flow would be 16 MB.
guest_no_leak() {
	local before after
	rows 4000 500 1000
	run '"qp": "flow"'
	holds "exit status" $rc -eq 0 || return 1
	before=$(awk '/MemAvailable/ { print $2 }' /proc/meminfo)
	run '"qp": "flow"'
	after=$(awk '/MemAvailable/ { print $2 }' /proc/meminfo)
	echo "available: $before kB, then $after kB; queue pairs at once: $(summary qps_peak)"
	holds "exit status" $rc -eq 0 && holds "queue pairs" "$(summary qps_created)" -eq 8000 &&
		holds "lost" $((before - after)) -le 4096 || return 1
	# 20 us ahead, 20 us after, and a flight of less than 10 us, at 2 flows a us.
	holds "queue pairs at once" "$(summary qps_peak)" -le 200
}

# 100 flows of up to 100 MB are stopped by their own stop_ns, which is no failure.
guest_own_stop() {
	rows 100 100 100000000 500000
	run '"qp": "flow", "chunk_bytes": 4096, "depth": 4'
	holds "exit status" $rc -eq 0 && holds "stopped" "$(summary stopped)" -ge 90 &&
		holds "flows" "$(awk 'END { print NR - 1 }' /run/fg/flows.csv)" -eq 100 || return
	# Starts at 100 + 10000 i: the last 50 would come after the stop, and never do.
	rows 100 10000 100000000 500000
	run '"qp": "flow", "chunk_bytes": 4096, "depth": 4'
	holds "exit status" $rc -eq 0 && holds "flows that never started" "$(awk -F, '
		FNR > 1 && $7 >= 500000 && !$6 && $8 == -1 && $9 == "stopped"' /run/fg/flows.csv | wc -l)" -eq 50 &&
		holds "flows" "$(awk 'END { print NR - 1 }' /run/fg/flows.csv)" -eq 100
}

# The plan's stop is a failure: what ran is "stopped", the rest follows by id.
guest_cut() {
	rows 200 10000 1000000000
	run '"qp": "pair", "chunk_bytes": 4096, "depth": 4, "stop_ns": 1000000'
	holds "exit status" $rc -eq 1 || return 1
	awk -F, '
		FNR == 1 { next }
		seen[$1]++ { print "twice: " $0; bad = 1 }
		$9 == "not_started" { n++; if ($1 < last) { print "not by id: " $0; bad = 1 }; last = $1 }
		$9 == "stopped" { s++ }
		END {
			# Starts at 100 + 10000 i: the first 100 come before the stop at 1 ms.
			if (n != 100 || s != 100) { print n + 0 " not started, " s + 0 " stopped"; bad = 1 }
			exit bad
		}' /run/fg/flows.csv
}

# Reads, sends and unreliable connections by turns; more flows at once than a
# completion queue of this device holds.
guest_kinds() {
	rows 200 200 200000
	for k in '"op": "read"' '"op": "send"' '"op": "send", "transport": "uc"' \
		'"op": "write", "depth": 512, "chunk_bytes": 1024'; do
		run "\"qp\": \"flow\", $k"
		holds "$k: exit status" $rc -eq 0 && check_rows 200 || return 1
	done
}

# Fewer completions, the same posts: all times stay as they are. Messages of 64 KiB, 32
# at once: after the first 32, posts of 8 at a time, one completion for each post.
guest_signals() {
	local before
	for plan in "\"flows\": [ { \"src\": \"r0\", \"dst\": \"r1\", \"bytes\": 16777216 } ]" \
		"\"flows_file\": \"/run/rows.csv\""; do
		rows 20 1000 16777216
		for every in 1 0; do
			cat >/run/plan.json <<-PLAN
			{ "mtu": 1024, "start_at_ns": 0, "lead_ns": 20000000, "chunk_bytes": 65536,
			  "depth": 32, "signal_every": $every, $plan }
			PLAN
			flowgen run /run/plan.json --out /run/fg$every >/run/log 2>&1 || return 1
			grep -E "\"(completions|send_wrs|post_calls)\"" /run/fg$every/summary.json
			before=$now
			now=$(sed -n "s/^  \"completions\": *\([0-9]*\).*/\1/p" /run/fg$every/summary.json)
		done
		# Queue pairs have other numbers the second time.
		for every in 1 0; do
			awk -F, "{ print \$1, \$6, \$7, \$8, \$9 }" /run/fg$every/flows.csv >/run/times$every
		done
		cmp /run/times1 /run/times0 || { diff /run/times1 /run/times0 | head; return 1; }
		holds "completions" "$now" -le $((before / 4)) || return 1
	done
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
ktap_check "a queue pair a flow, one a pair, a pool: as many as they should be, starts on time" \
	in_lab policies
ktap_check "thousands of queue pairs leave nothing behind" in_lab no_leak
ktap_check "a flow's own stop is no failure" in_lab own_stop
ktap_check "a run that is cut writes every flow once" in_lab cut
ktap_check "reads, sends, unreliable connections, many completions" in_lab kinds
ktap_check "completions only where they lead to a post: the same times" in_lab signals
ktap_finished
