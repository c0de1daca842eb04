#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: figures over a swept key: medians and extremes by value, units, gaps, which keys make a
#   picture, `--over`
#
# lab report of sweeps: figures over a swept key, from small hand-made directories; which
# keys make a line, in which order, and what is said when one does not.
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/report_lib.sh
. "$(dirname "$0")/../lib/report_lib.sh"

# run DIR CC SEED N [RATIO]: mean completion time N x SEED us, and the like
run() {
	local d=$1/many/$2/seed$3 us=$(($4 * $3))

	mkdir -p "$d"
	cat >"$d/summary.json" <<-END
		{ "scenario": "many", "cc": "$2", "seed": $3, "settings": { "n": "$4" },
		  "virtual_ns": 1000000, "retransmits": 0, "timeouts": 0, "errors": 0,
		  "flows": { "count": $4, "completed": $4,
		    "fct_ns": { "mean": ${us}000, "p50": 1, "p99": 2 }, "slowdown": { "p50": 2, "p99": $us.5 } },
		  "goodput_bps": 5000000000, "jain": 0.5, "cnp": { "sent": 0, "handled": 0 },
		  "bottleneck": { "port": "p0", "utilization": 0.25, "ecn_marked": 0, "drops": 0,
		    "queue_bytes": { "mean": 1, "p99": $4, "max": 3 } },
		  "pfc": { "pause_frames": 0, "pause_ns": 0, "pause_ratio": ${5:-0} } }
	END
	echo '{ "wall_s": 1 }' >"$d/run.json"
	printf 'id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown\n0,a,b,1,9,0,2,1,2\n' >"$d/flows.csv"
	echo "t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes" >"$d/rates.csv"
	printf 't_ns,port,prio,bytes,paused\n1000,p0,3,9,0\n2000,p0,3,9,0\n' >"$d/queues.csv"
}

# report DIR OPTION...: without a complaint
report() {
	"$lab" report "${@:2}" "$tmp/$1" >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ] || { cat "$tmp/err"; return 1; }
}

# pictures DIR: those over a key, by name
pictures() {
	(cd "$tmp/$1/report" && find . -name '*_over_*.svg' -printf '%f\n' | sort | xargs)
}

# Seeds 1 to 3: the median is that of seed 2, the bars those of 1 and 3, and so is the mean. The
# standard deviation of N, 2 N, 3 N is N, and Student's t of 3 values 4.303.
figures() {
	local n cc s c k
	for n in 16 64 256; do for cc in dcqcn rcc; do for s in 1 2 3; do
		run "$tmp/a/n=$n" $cc $s $n 0
	done; done; done
	report a || return 1
	cat >"$tmp/want" <<-END
		n,value,cc,seeds$(for k in slowdown_p99 fct_mean_ns queue_p99_bytes goodput_bps utilization; do
			printf ,%s "$k" "${k}_min" "${k}_max" "${k}_mean" "${k}_ci95"
		done)
	END
	for cc in dcqcn rcc; do for n in 16 64 256; do
		c=$(awk -v n=$n 'BEGIN { printf "%.12g", 4.303 * n / sqrt(3) }')
		k=$(awk -v n=$n 'BEGIN { printf "%.12g", 4303 * n / sqrt(3) }')
		echo "$n,$n,$cc,3,$((2 * n)).5,$n.5,$((3 * n)).5,$((2 * n)).5,$c,$((2 * n))000,${n}000,$((3 * n))000,$((2 * n))000,$k,$n,$n,$n,$n,0,5000000000,5000000000,5000000000,5000000000,0,0.25,0.25,0.25,0.25,0"
	done; done >>"$tmp/want"
	diff "$tmp/want" "$tmp/a/report/many_over_n.csv" &&
		jq -e 'length == 6 and .[0].n == 16 and .[5].fct_mean_ns_max == 768000' "$tmp/a/report/many_over_n.json"
}

picture() {
	local gp=$tmp/a/report/gp/many_over_n.gp
	grep -q '</svg>' "$tmp/a/report/many_over_n.svg" &&
		head -c 4 "$tmp/a/report/many_over_n.png" | grep -q PNG &&
		grep -q 'many_over_n.svg' "$tmp/a/report/index.html" || return 1
	# The palette's colours, and the values as places of the axis, logarithmic: the middle of 16 and 256.
	[ "$(elements "$gp" curve_rgb | sort -u | xargs)" = "$((0xd1322b)) $((0x0072b2))" ] &&
		[ "$(elements "$gp" tic_text | head -3 | xargs)/$(elements "$gp" tic_at | head -3 | xargs)" = "16 64 256/0 0.5 1" ] &&
		"$lab" report -j "$tmp/a" | jq -e '.plots | length == 1'
}

# A figure that is zero everywhere is left out, one that is not has a panel. Without a run of
# rcc at one value there is no row of it, and no other is missing.
paused_missing() {
	cp -r "$tmp/a" "$tmp/b" && rm -rf "$tmp/b/report" "$tmp/b/n=64/many/rcc" &&
		run "$tmp/b/n=256" rcc 3 256 0.125 && report b || return 1
	! grep -q pause_ratio "$tmp/a/report/many_over_n.csv" &&
		jq -e '.[4] | .pause_ratio == 0 and .pause_ratio_max == 0.125' "$tmp/b/report/many_over_n.json" &&
		[ "$(cut -d , -f 1,3 "$tmp/b/report/many_over_n.csv" | tail -n +2 | xargs)" = \
			"16,dcqcn 64,dcqcn 256,dcqcn 16,rcc 256,rcc" ] &&
		grep -q 'rcc,n,.*,NaN,NaN,NaN' "$tmp/b/report/data/many_over_n.csv"
}

# 2mb is more than 64kb, and the table has both words and bytes.
units() {
	local v
	for v in 2mb 64kb 1kb; do run "$tmp/u/size=$v" dcqcn 1 7; done
	report u && [ "$(cut -d , -f 1,2 "$tmp/u/report/many_over_size.csv" | xargs)" = \
		"size,value 1kb,1024 64kb,65536 2mb,2097152" ]
}

# A word besides: a picture for each. Another number besides: only when asked for.
several() {
	local n w k
	for n in 1 2 3; do
		for w in web data; do run "$tmp/w/work=$w,n=$n" dcqcn 1 $n; done
		for k in 1 2 3; do run "$tmp/k/kp=$k,n=$n" dcqcn 1 $n; done
	done
	report w && [ "$(pictures w)" = "many_over_n_work=data.svg many_over_n_work=web.svg" ] || return 1
	report k && [ -z "$(pictures k)" ] || return 1
	report k --over kp && [ "$(pictures k)" = "many_over_kp_n=1.svg many_over_kp_n=2.svg many_over_kp_n=3.svg" ] &&
		[ "$(cut -d , -f 1,5 "$tmp/k/report/many_over_kp_n=2.csv" | tail -n 1)" = 3,2.5 ]
}

few() {
	run "$tmp/f/n=1" dcqcn 1 1
	run "$tmp/f/n=2" dcqcn 1 2
	report f && [ -z "$(pictures f)" ]
}

# refused TEXT DIR KEY: status 2, one line, nothing written
refused() {
	local rc=0
	rm -rf "$tmp/$2/report"
	"$lab" report --over "$3" "$tmp/$2" >"$tmp/out" 2>"$tmp/err" || rc=$?
	[ "$rc" -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "--over $3: $1" "$tmp/err" &&
		[ ! -s "$tmp/out" ] && [ ! -e "$tmp/$2/report" ] || { echo "exit status $rc"; cat "$tmp/err"; return 1; }
}

bad_key() {
	refused "nothing below" a size && refused "nothing below" a n=16 && refused "2 values, a line takes 3" f n &&
		refused "not all of its values are numbers" w work
}

ktap_check "medians and extremes of the seeds, by value" figures
ktap_check "a picture in the algorithms' colours, on the page" picture
ktap_check "a panel for what is not zero everywhere, a gap where nothing ran" paused_missing
ktap_check "values with units" units
ktap_check "several keys" several
ktap_check "two values make no line" few
ktap_check "--over a key that makes no line is refused" bad_key
ktap_finished
