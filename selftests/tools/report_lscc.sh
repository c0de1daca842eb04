#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lab report: what LSCC did at the two ends of a long link. From a small hand-made result
# directory.
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/report_lib.sh
. "$(dirname "$0")/../lib/report_lib.sh"

dir=$tmp/r/far/lscc/seed1
gp=$tmp/r/report/gp/far_lscc_lscc.gp

# Two links; more comes in at b-a than anywhere, so b is the far end and a-b the near one.
make_run() {
	mkdir -p "$dir"
	cat >"$dir/summary.json" <<-END
		{ "scenario": "far", "cc": "lscc", "seed": 1, "settings": { "lscc_qref": "2000000" },
		  "virtual_ns": 3000000, "flows": { "count": 1, "completed": 1,
		    "fct_ns": { "p50": 1000000, "p99": 1000000 }, "slowdown": { "p50": 1, "p99": 1 } },
		  "goodput_bps": 5000000000, "jain": 1, "cnp": { "sent": 0 },
		  "bottleneck": { "port": "b-r", "utilization": 1, "ecn_marked": 0, "drops": 0,
		    "queue_bytes": { "mean": 1, "p99": 1, "max": 1 } } }
	END
	echo '{}' >"$dir/run.json"
	printf '%s\n' id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown \
		0,s,r,17,1000000,0,1000000,80000,12.5 >"$dir/flows.csv"
	printf '%s\n' t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes \
		1000000,0,5000000000,5000000000,,1 >"$dir/rates.csv"
	echo t_ns,port,prio,bytes,paused >"$dir/queues.csv"
	printf '%s\n' t_ns,port,queue_bytes,out_bps,rate_bps,limit_bps,pseudo_bytes \
		0,a-b,0,0,7000000000,8000000000,3000000 0,b-a,0,40000000000,8000000000,7000000000,11 \
		0,a-c,0,0,7000000000,0,12 0,c-a,900,1000000,7000000000,0,13 \
		1000000,a-b,0,0,7000000000,8000000000,1000000 \
		1000000,b-a,4000000,20000000000,9000000000,7000000000,14 >"$dir/lscc.csv"
}

report() { "$lab" report "$tmp/r" >"$tmp/out" 2>"$tmp/err"; }

# rows BLOCK: its data
rows() { awk -v block="\$$1 << EOD" '$0 == block { on = 1; next } /^EOD/ { on = 0 } on' "$gp"; }

# ms, Gbit/s and MB
picture() {
	report && [ -s "$tmp/r/report/far_lscc_lscc.png" ] || { cat "$tmp/err"; return 1; }
	[ "$(rows BR)" = $'0 40\n1 20' ] && [ "$(rows R)" = $'0 8\n1 9' ] &&
		[ "$(rows queue)" = $'0 0\n1 4' ] && [ "$(rows pseudo)" = $'0 3\n1 1' ] &&
		grep -q '^plot 2 with lines' "$gp" || { cat "$gp"; return 1; }
}

damaged() {
	echo "2000000,,1,2,3,4,5" >>"$dir/lscc.csv"
	report && grep -q "lscc.csv: 1 of 7 rows unreadable" "$tmp/err" || { cat "$tmp/err"; return 1; }
}

# One end only, or nothing that moved: no picture, and no word of it.
one_end() {
	rm -rf "$tmp/r/report"
	printf '%s\n' t_ns,port,queue_bytes,out_bps,rate_bps,limit_bps,pseudo_bytes \
		0,b-a,1,1,1,1,1 1000000,b-a,1,1,1,1,1 >"$dir/lscc.csv"
	report && [ ! -e "$gp" ] && ! grep lscc.csv "$tmp/err"
}

ktap_print_header
make_run
ktap_check "rates and queues of the link where most comes in" picture
ktap_check "a damaged lscc.csv is named" damaged
ktap_check "one end is no picture" one_end
ktap_finished
