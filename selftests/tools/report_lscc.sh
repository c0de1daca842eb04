#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: what LSCC did at the two ends of a long link, as pictures
#
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
		  "goodput_bps": 5000000000, "jain": 1, "cnp": { "sent": 0, "handled": 0 },
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

# rows PANEL: time and value
rows() { points "$tmp/r/report/data/far_lscc_lscc.csv" "$1" | xargs; }

# ns, bit/s and bytes, those of the port where most comes in and of its peer
picture() {
	report && [ -s "$tmp/r/report/far_lscc_lscc.png" ] || { cat "$tmp/err"; return 1; }
	[ "$(rows out_bps)" = "0,4e+10 1000000,2e+10" ] && [ "$(rows rate_bps)" = "0,8e+09 1000000,9e+09" ] &&
		[ "$(rows queue_bytes)" = "0,0 1000000,4000000" ] &&
		[ "$(rows pseudo_bytes)" = "0,3000000 1000000,1000000" ] &&
		[ "$(elements "$gp" line_at)" = 1.90734863 ] || { cat "$gp"; return 1; }
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
