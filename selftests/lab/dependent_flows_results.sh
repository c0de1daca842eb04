#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: flows of a file or a scenario that wait for others: real starts in flows.csv, completion times of groups
#
# Flows that wait for flows in a run of the lab: from a flows_file with its columns after,
# after_start, delay_ns and group, and from a scenario file, to the results.
. "$(dirname "$0")/../lib/lab_lib.sh"

file=$LAB_OUT/flows.csv
cat >"$file" <<END
id,src,dst,bytes,start_ns,after,delay_ns,group,after_start
0,h0,h1,100000,1000,,,first,
1,h1,h2,50000,0,0,500,first,
2,h2,h3,300000,2000,,,,
3,h3,h0,20000,0,1+2,0,last,
4,h3,h1,20000,0,,30000,last,3
END

star() {
	lab_run star --mem 400 --set n=4 "$@"
}

# moments DIR: starts follow the ends, to the nanosecond; with a delay a timer is a look at the
# clock late, 1 ns, and so is what waits for a start.
moments() {
	awk -F, -v OFS=, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{ start[$c["id"]] = $c["start_ns"]; end[$c["id"]] = $c["start_ns"] + $c["fct_ns"] }
		END {
			max = end[1] > end[2] ? end[1] : end[2]
			d[1] = start[1] - end[0] - 500
			d[3] = start[3] - max
			d[4] = start[4] - start[3] - 30000
			print d[1], d[3], d[4]
			exit d[1] < 0 || d[1] > 1 || d[3] != 0 || d[4] < 0 || d[4] > 1
		}' "$1/flows.csv"
}

# Of a group from its first start to its last end, by the rows of flows.csv.
groups() {
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		{
			g = $c["group"]; s = $c["start_ns"]; e = s + $c["fct_ns"]
			if (!(g in first) || s < first[g]) first[g] = s
			if (e > last[g]) last[g] = e
			n[g]++; b[g] += $c["bytes"]
		}
		END {
			for (g in n)
				printf "%s %d %d %d %d %d %.0f\n", g, n[g], n[g], b[g], first[g],
					last[g] - first[g], b[g] * 8e9 / (last[g] - first[g])
		}
	' "$1/flows.csv" | sort >"$LAB_OUT/want"
	jq -r '.group_times | to_entries[] | [.key, .value.flows, .value.completed, .value.bytes,
		.value.start_ns, .value.completion_ns, .value.goodput_bps] | join(" ")' \
		"$1/summary.json" | sort | diff "$LAB_OUT/want" -
}

of_file() {
	local dir=$LAB_OUT/of_file/star/dcqcn/seed1
	LAB_DIR=$LAB_OUT/of_file star --cc dcqcn --set flows_file="$file" &&
		moments "$dir" && groups "$dir" && test "$(wc -l <"$LAB_OUT/want")" -eq 3 &&
		grep -Eq '^dcqcn/1 +last +2/2 ' "$LAB_OUT"/log.*
}

# The same flows in the plan, with queue pairs before the traffic, and rows in rates.csv.
of_plan() {
	local qp
	for qp in flow pair; do
		LAB_DIR=$LAB_OUT/$qp star --cc dcqcn --set flows_file="$file" --set series=on \
			--set qp=$qp && moments "$LAB_OUT/$qp/star/dcqcn/seed1" || return 1
	done
	cut -d, -f1-3,5-10 "$LAB_OUT/flow/star/dcqcn/seed1/flows.csv" >"$LAB_OUT/a"
	cut -d, -f1-3,5-10 "$LAB_OUT/of_file/star/dcqcn/seed1/flows.csv" | cmp - "$LAB_OUT/a"
}

# Some in the plan, others in flowgen's file: each waits for flows of the other kind.
of_both() {
	LAB_DIR=$LAB_OUT/both star --cc dcqcn --set flows_file="$file" --set series=on \
		--set series_flows=2 && moments "$LAB_OUT/both/star/dcqcn/seed1"
}

# What lab flows writes is the file, read and written again.
again() {
	"$LAB" flows star --set n=4 --set flows_file="$file" --out "$LAB_OUT/1.csv" >/dev/null &&
		"$LAB" flows star --set n=4 --set flows_file="$LAB_OUT/1.csv" --out "$LAB_OUT/2.csv" \
			>/dev/null && cmp "$LAB_OUT/1.csv" "$LAB_OUT/2.csv" &&
		grep -qx '4,h3,h1,20000,0,,3,30000,last' "$LAB_OUT/1.csv"
}

# A scenario of the user's own: a token goes round three times, and a flow that starts with the
# second round ends in a group of its own.
of_scenario() {
	local dir=$LAB_OUT/ring/ring/none/seed1
	cat >"$LAB_OUT/ring.json" <<-END
	{
	  "name": "ring", "help": "a token", "keys": [],
	  "hosts": [ { "for": "3", "name": "h{i}" } ], "switches": [ { "name": "s" } ],
	  "links": [ { "for": "3", "a": "h{i}", "b": "s" } ],
	  "flows": [
	    { "for": "9", "src": "h{i%3}", "dst": "h{(i+1)%3}", "bytes": "4000", "after": "i-1", "group": "token" },
	    { "src": "h0", "dst": "h2", "bytes": "1000", "after_start": "3", "delay": "1000", "group": "late" }
	  ]
	}
	END
	LAB_DIR=$LAB_OUT/ring lab_run "$LAB_OUT/ring.json" --mem 400 --cc none &&
		groups "$dir" && awk -F, '
		FNR > 1 { s[$1] = $6; e[$1] = $6 + $7 }
		END {
			for (i = 1; i < 9; i++) if (s[i] != e[i - 1]) { print "flow " i " at " s[i] ", not " e[i - 1]; bad = 1 }
			d = s[9] - s[3] - 1000
			if (d < 0 || d > 1) { print "flow 9 at " s[9] ", flow 3 at " s[3]; bad = 1 }
			exit bad
		}' "$dir/flows.csv"
}

# refused TEXT ARGUMENT...
refused() {
	local text=$1 rc=0
	shift
	"$LAB" flows star --set n=4 "$@" >"$LAB_OUT/said" 2>&1 || rc=$?
	test $rc -eq 2 && test "$(wc -l <"$LAB_OUT/said")" -eq 1 && grep -F "$text" "$LAB_OUT/said" ||
		{ cat "$LAB_OUT/said"; return 1; }
}

circle() {
	printf 'id,src,dst,bytes,start_ns,after\n0,h0,h1,9,0,\n1,h0,h1,9,0,0+2\n2,h0,h1,9,0,1\n' \
		>"$LAB_OUT/circle.csv"
	refused "circle.csv:4: after: in a circle, flow waits for itself: 2" \
		--set flows_file="$LAB_OUT/circle.csv"
}

unknown() {
	printf 'id,src,dst,bytes,start_ns,after\n0,h0,h1,9,0,\n1,h0,h1,9,0,0+9\n' >"$LAB_OUT/none.csv"
	refused "none.csv:3: after: there is no flow 9" --set flows_file="$LAB_OUT/none.csv"
}

ktap_print_header
ktap_check "flows of a file start when others end; completion times of groups" of_file
ktap_check "... with rows of their own, on queue pairs of their own or of pairs" of_plan
ktap_check "... some in the plan and some in the file" of_both
ktap_check "lab flows writes what it read" again
ktap_check "flows of a scenario file" of_scenario
ktap_check "a circle is refused with file and line" circle
ktap_check "an id of no flow is refused with file and line" unknown
ktap_finished
