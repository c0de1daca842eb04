#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: pictures for print: `--pdf`, `--width`, `--no-title`, a look of its own for each algorithm;
#   means and their 95 % intervals; events of the timeline in pictures over time
#
# lab report for papers, from small hand-made result directories.
# shellcheck disable=SC2317 # functions are called through ktap_check
# shellcheck source=selftests/lib/report_lib.sh
. "$(dirname "$0")/../lib/report_lib.sh"

# run DIR CC SEED GOODPUT [EVENTS]: one flow of a millisecond, with a queue at port s-b. EVENTS is
# a list in JSON.
run() {
	local d=$1/pair/$2/seed$3 t

	mkdir -p "$d"
	cat >"$d/summary.json" <<-END
		{ "scenario": "pair", "cc": "$2", "seed": $3, "settings": { "kmin": "40kb" },
		  "virtual_ns": 1000000, "retransmits": 0, "timeouts": 0, "errors": 0,
		  "flows": { "count": 1, "completed": 1, "fct_ns": { "mean": 1000000, "p50": 1000000, "p99": 1000000 },
		    "slowdown": { "p50": 2, "p99": 2 } },
		  "goodput_bps": $4, "jain": 1, "cnp": { "sent": 0, "handled": 0 },
		  "timeline": { "events": ${5:-[]}, "spans": [] },
		  "bottleneck": { "port": "s-b", "utilization": 0.25, "ecn_marked": 0, "drops": 0,
		    "queue_bytes": { "mean": 1000, "p99": 2000, "max": 3000 } },
		  "pfc": { "pause_frames": 0, "pause_ns": 0, "pause_ratio": 0 } }
	END
	echo '{ "wall_s": 1 }' >"$d/run.json"
	printf 'id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown\n0,a,b,1,9,0,1000000,500000,2\n' >"$d/flows.csv"
	echo "t_ns,flow,goodput_bps,cc_rate_bps,cwnd_bytes,inflight_bytes" >"$d/rates.csv"
	echo "t_ns,port,prio,bytes,paused" >"$d/queues.csv"
	for t in 1 2 3 4 5 6 7 8 9 10; do
		echo "${t}00000,0,5000000000,5000000000,,1" >>"$d/rates.csv"
		echo "${t}00000,s-b,3,${t}000,0" >>"$d/queues.csv"
	done
}

# report DIR OPTION...: without a complaint
report() {
	"$lab" report "${@:2}" "$tmp/$1" >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ] || { cat "$tmp/err"; return 1; }
}

# The page of a PDF: "WIDTH HEIGHT" in points
pdf_page() { LC_ALL=C grep -aom1 '/MediaBox *\[ *0 0 [0-9. ]*' "$1" | awk '{ print $(NF - 1), $NF }'; }

# wide WIDTH INCHES: each picture is so wide; 900 pixels of the page are 7 inches.
wide() {
	local f page
	rm -rf "$tmp/a/report" && report a --pdf --width "$1" && grep -q 'SVG, PNG and PDF' "$tmp/out" || return 1
	[ "$(find "$tmp/a/report" -name '*.pdf' | wc -l)" -ge 4 ] &&
		[ "$(find "$tmp/a/report" -name '*.pdf' | wc -l)" = "$(find "$tmp/a/report" -name '*.svg' | wc -l)" ] || return 1
	for f in "$tmp"/a/report/*.pdf; do
		page=$(pdf_page "$f")
		# A pixel is 0.56 points, and gnuplot takes whole points.
		awk -v w="${page% *}" -v inch="$2" 'BEGIN { exit !(w > inch * 72 - 1.3 && w < inch * 72 + 1.3) }' ||
			{ echo "${f##*/}: $page"; return 1; }
		grep -qF "${f##*/}" "$tmp/a/report/index.html" || { echo "page"; return 1; }
	done
}

without_pdf() {
	rm -rf "$tmp/a/report" && report a && [ -z "$(find "$tmp/a/report" -name '*.pdf')" ] &&
		! grep -q '\.pdf' "$tmp/a/report/index.html" && grep -q 'plots (SVG and PNG)' "$tmp/out"
}

# Nothing in a picture is to the right of it, or left.
inside() {
	local f w
	for f in "$tmp"/a/report/*.svg; do
		w=$(sed -n 's/.*viewBox="0 0 \([0-9]*\) .*/\1/p' "$f" | head -n 1)
		[ "$w" = "$1" ] || { echo "${f##*/}: width $w"; return 1; }
		sed -n 's/.*translate(\(-*[0-9.]*\),.*/\1/p' "$f" |
			awk -v w="$w" '$1 < 0 || $1 > w { bad = 1 } END { exit bad }' ||
			{ echo "${f##*/}: text beyond its edge"; return 1; }
	done
}

narrow_inside() { rm -rf "$tmp/a/report" && report a --width 3.3in && inside 424; }

# The title's 30 pixels are gone, nothing else is.
untitled() {
	local f old new
	rm -rf "$tmp/a/report" && report a && cp -r "$tmp/a/report" "$tmp/titled" && report a --no-title || return 1
	for f in overview queue goodput fct; do
		old=$(sed -n 's/.*viewBox="0 0 900 \([0-9]*\)".*/\1/p' "$tmp/titled/pair_$f.svg")
		new=$(sed -n 's/.*viewBox="0 0 900 \([0-9]*\)".*/\1/p' "$tmp/a/report/pair_$f.svg")
		[ "$new" = $((old - 30)) ] && grep -q '>pair: ' "$tmp/titled/pair_$f.svg" &&
			! grep -q '>pair: ' "$tmp/a/report/pair_$f.svg" || { echo "$f: $old, $new"; return 1; }
		[ "$(grep -c '<text>\(<tspan\|[^<]\)' "$tmp/titled/pair_$f.svg")" = $(($(grep -c '<text>\(<tspan\|[^<]\)' "$tmp/a/report/pair_$f.svg") + 1)) ] ||
			{ echo "$f: texts"; return 1; }
	done
}

# No two algorithms have dash and point alike, whatever their colours.
looks() {
	local src=$RXE_CC_TOP/tools/lab/report/model/algorithm_style.c
	sed -n '/rpt_palette\[\] = {/,/^};/s/.*0x[0-9a-f]*, \([0-9]*, [0-9]*\) }.*/\1/p; /rpt_spare\[\] = {/,/^};/s/.*0x[0-9a-f]*, \([0-9]*, [0-9]*\) }.*/\1/p' \
		"$src" >"$tmp/looks"
	[ "$(wc -l <"$tmp/looks")" -ge 18 ] && [ -z "$(sort "$tmp/looks" | uniq -d)" ] || { sort "$tmp/looks" | uniq -d; return 1; }
}

# In a picture an algorithm's dash is that of its row.
same_look() {
	local gp=$tmp/a/report/gp
	[ "$(elements "$gp/pair_queue.gp" curve_dash | xargs)" = "3 1" ] &&
		[ "$(elements "$gp/pair_fct.gp" curve_dash | xargs)" = "3 1" ] &&
		[ "$(elements "$gp/pair_fct.gp" curve_point | xargs)" = "7 9" ]
}

# Goodput 1, 2, 6 Gbit/s: mean 3, standard deviation sqrt(7), Student's t of 3 values 4.303.
means() {
	"$lab" report --no-plots "$tmp/i" >"$tmp/out" && grep -q 'means over the seeds, ± their 95 % confidence interval' "$tmp/out" || return 1
	# 4.303 sqrt(7 / 3) / 3 is 219.1 %.
	sed -n '/means over/,$p' "$tmp/out" | grep -Eq '^ *none +3 +3 +3\.000 ±219\.1%' || { cat "$tmp/out"; return 1; }
	"$lab" report --no-plots -j "$tmp/i" | jq -e '.scenarios[0].algorithms[0].figures.goodput_bps |
		.median == 2e9 and .min == 1e9 and .max == 6e9 and .mean == 3e9 and
		.ci95 * .ci95 * 3 / 7 > 4.3029e9 * 4.3029e9 and .ci95 * .ci95 * 3 / 7 < 4.3031e9 * 4.3031e9' >/dev/null
}

one_seed() {
	"$lab" report --no-plots "$tmp/a" >"$tmp/out" && ! grep -q 'means over' "$tmp/out" &&
		"$lab" report --no-plots -j "$tmp/a" | jq -e '.scenarios[0].algorithms[0].figures.goodput_bps |
			.mean == 5e9 and .ci95 == null' >/dev/null
}

# The band reaches from 0 to 3 + 6.573 Gbit/s, and the axis that far.
band() {
	report i && points "$tmp/i/report/data/pair_overview.csv" goodput_bps none >"$tmp/rows" &&
		awk -F , '{ exit !($5 == 0 && $6 > 9.572e9 && $6 < 9.574e9) }' "$tmp/rows" || { cat "$tmp/rows"; return 1; }
	grep -q "Student's t" "$tmp/i/report/index.html" && ! grep -q "Student's t" "$tmp/a/report/index.html"
}

# Three events: the first two are 5 us apart, of a millisecond: their names have no room.
EVENTS='[ { "what": "link s-b down", "at_ns": 500000, "done_ns": 500002 },
	{ "what": "host a cc hpcc:eta=0.9", "at_ns": 505000, "done_ns": 505002 },
	{ "what": "reroute", "at_ns": 900000, "done_ns": 900002 },
	{ "what": "link s-b up", "at_ns": 9000000, "done_ns": 9000002 } ]'
marks() {
	local f
	report e || return 1
	for f in queue goodput ccrate; do
		[ "$(elements "$tmp/e/report/gp/pair_$f.gp" mark_at | head -n 3 | xargs)" = "500 505 900" ] ||
			[ "$(elements "$tmp/e/report/gp/pair_$f.gp" mark_at | head -n 3 | xargs)" = "0.5 0.505 0.9" ] ||
			{ echo "$f: $(elements "$tmp/e/report/gp/pair_$f.gp" mark_at | xargs)"; return 1; }
		[ "$(elements "$tmp/e/report/gp/pair_$f.gp" mark_text | head -n 3 | xargs)" = 's-b down, +1  reroute' ] ||
			{ echo "$f: $(elements "$tmp/e/report/gp/pair_$f.gp" mark_text | xargs)"; return 1; }
		grep -q '>s-b down, +1<' "$tmp/e/report/pair_$f.svg" || { echo "$f.svg"; return 1; }
	done
	# Each panel has the lines, and only pictures over time.
	[ "$(elements "$tmp/e/report/gp/pair_goodput.gp" mark_panel | xargs)" = "1 1 1 2 2 2" ] &&
		! grep -q '^array mark_' "$tmp/e/report/gp/pair_fct.gp" || [ "$(elements "$tmp/e/report/gp/pair_fct.gp" mark_at | wc -l)" = 0 ] || return 1
	grep -q 'Dotted lines: 500 us link s-b down, 505 us host a cc hpcc:eta=0.9, 900 us reroute, 9 ms link s-b up\.' "$tmp/e/report/index.html"
}

# refused WORDS ARGS...: status 2 and one line with these words
refused() {
	local rc=0
	"$lab" report "${@:2}" "$tmp/a" >"$tmp/out" 2>"$tmp/err" || rc=$?
	[ "$rc" -eq 2 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$1" "$tmp/err" || { echo "$rc"; cat "$tmp/err"; return 1; }
}
widths_refused() {
	local w
	for w in 3.3 3.3ft in -4in wide 4e in; do refused "not a width such as 3.3in" --width "$w" || return 1; done
	refused "not 3in to 20in" --width 2.999in && refused "not 3in to 20in" --width 508.1mm &&
		refused "do not go with --no-plots" --no-plots --pdf && refused "do not go with --no-plots" --no-plots --width 4in &&
		refused "do not go with --from" --from 1ms --no-title
}

run "$tmp/a" none 1 5000000000
run "$tmp/a" dcqcn 1 4000000000
run "$tmp/i" none 1 1000000000
run "$tmp/i" none 2 2000000000
run "$tmp/i" none 3 6000000000
run "$tmp/e" none 1 5000000000 "$EVENTS"
run "$tmp/e" dcqcn 1 4000000000 "$EVENTS"
ktap_check "every picture as PDF, 7 inches wide" wide 7in 7
ktap_check "3.3 inches wide" wide 3.3in 3.3
ktap_check "8.4 cm wide" wide 8.4cm 3.307
ktap_check "no PDF unless asked for" without_pdf
ktap_check "a narrow picture holds all that is in it" narrow_inside
ktap_check "--no-title: without the title and its height" untitled
ktap_check "no two algorithms look alike in black and white" looks
ktap_check "an algorithm has its dash and point in each picture" same_look
ktap_check "means and 95 % intervals over three seeds" means
ktap_check "one seed has none" one_seed
ktap_check "the interval in the overview and on the page" band
ktap_check "events of the timeline are lines in pictures over time" marks
ktap_check "bad widths, and options that do not go together" widths_refused
ktap_finished
