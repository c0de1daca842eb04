#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: The lab's commands beside a plain run: list, sweep, ends before time, what a refused or
#   ended run leaves behind, verbs and fabrics
. "$(dirname "$0")/../lib/lab_lib.sh"

lists() {
	"$LAB" list -j | jq -e 'map(.name) | contains(["chain3", "dumbbell", "fattree", "four", "incast", "latency", "leafspine", "multi", "pairs", "two"])' \
		>/dev/null &&
		"$LAB" list incast | grep -q '^ *n  *count  *16 ' &&
		"$LAB" list | grep -q '^algorithms.* dcqcn .*none'
}

# Not those of a scenario. What is too long for the column is left out.
general_defaults() {
	"$LAB" list | sed -n '/^keys of all scenarios/,/^$/p' | awk 'NR > 1 && NF { print $1, $3 }' |
		grep -v ' computed$' >"$LAB_OUT/listed"
	jq -r '.keys[] | "\(.name) \(.default // "auto" | ltrimstr("="))"' \
		"$RXE_CC_TOP/tools/lab/scenarios/common.json" >"$LAB_OUT/general"
	is "$(wc -l <"$LAB_OUT/listed")" ">=" 30 && ! grep -vxFf "$LAB_OUT/general" "$LAB_OUT/listed"
}

# Every combination once, and --set of a list apart from --set of one value.
sweep_commands() {
	local n
	n=$("$LAB" sweep incast --set n=2,4 --set size=1mb --cc none,dcqcn --seed 1-3 --dry-run |
		sort -u | wc -l)
	[ "$n" -eq 12 ] || { echo "$n commands"; return 1; }
	"$LAB" sweep incast --set n=2,4 --set size=1mb --dry-run |
		grep -q -- "'results/n=4'$"
}

sweep_runs() {
	command -v parallel >/dev/null || { echo "needs GNU parallel"; return 1; }
	"$LAB" sweep two --set size=1mb --set rate=10gbit,100gbit --seed 1,2 --jobs 2 \
		--out "$LAB_OUT/s" >"$LAB_OUT/out" 2>&1 || { cat "$LAB_OUT/out"; return 1; }
	[ "$(find "$LAB_OUT/s" -name summary.json | wc -l)" -eq 4 ] &&
		[ -f "$LAB_OUT/s/rate=10gbit/two/none/seed2/summary.json" ]
}

# The last line of progress and summary.json count alike: every packet at every port, of hosts
# and switches. Of leafspine no port is sampled, and it has hops all the same.
hops() {
	local s n
	for s in two leafspine; do
		"$LAB" run $s --set size=100kb --out "$LAB_OUT/h" >/dev/null 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
		n=$(jq .packet_hops "$LAB_OUT/h/$s/none/seed1/summary.json")
		[ "$n" -gt 0 ] && grep -q ", $n packet hops, " "$LAB_OUT/err" || { echo "$n"; cat "$LAB_OUT/err"; return 1; }
	done
}

limit() {
	ends 1 "$LAB" run two --set size=64mb --set limit=1ms --out "$LAB_OUT/l" &&
		grep -Eq '^0,h0,h1,[0-9]+,[0-9]+,[0-9]+,,[0-9]+,$' \
			"$LAB_OUT/l/two/none/seed1/flows.csv"
}

wall_timeout() {
	mkdir -p "$LAB_OUT/tmp"
	TMPDIR=$LAB_OUT/tmp ends 1 "$LAB" run two --mem 256 --set size=100gb --timeout 2 \
		--out "$LAB_OUT/w" && nothing_left "$LAB_OUT/w"
}

# interrupt SIGNAL: in the first of two runs; the second must not start
interrupt() {
	mkdir -p "$LAB_OUT/tmp"
	TMPDIR=$LAB_OUT/tmp ends 124 timeout -s "$1" -k 20 2 "$LAB" run two --mem 256 \
		--cc none,dcqcn --set size=100gb --out "$LAB_OUT/i" &&
		[ "$(grep -c interrupted "$LAB_OUT/err")" -eq 1 ] && nothing_left "$LAB_OUT/i"
}

# A parameter of one algorithm goes to its runs only, and all that runs finds it.
sweep_params() {
	local out
	out=$("$LAB" sweep two --cc none,hpcc,dcqcn --param hpcc.eta=0.9,0.95 --dry-run) || return 1
	[ "$(grep -c -- "--param" <<<"$out")" -eq 2 ] &&
		[ "$(grep -- "--param" <<<"$out" | grep -c "'hpcc'")" -eq 2 ] || { echo "$out"; return 1; }
	ends 2 "$LAB" sweep two --cc none,hpcc --param hpcx.eta=0.9 --dry-run &&
		grep -q 'hpcx.eta.*did you mean "hpcc"' "$LAB_OUT/err" &&
		ends 2 "$LAB" sweep two --param eta=0.9 --dry-run && grep -q 'eta.*no parameters' "$LAB_OUT/err"
}

# --dry-run: what is right is described, what the kernel refuses is refused, and nothing is made.
dry_run() {
	[ "$("$LAB" run incast --cc none,dcqcn --set n=4 --set size=1500 --dry-run --out "$LAB_OUT/n")" = \
		"incast: hosts 5, switches 1, flows 4, bytes 6000, data packets 8; would run under none, dcqcn" ] &&
		"$LAB" run fattree --set k=4 --dry-run -j --out "$LAB_OUT/n" | jq -e ".hosts == 16 and .switches == 20" >/dev/null &&
		[ ! -e "$LAB_OUT/n" ] && refused betaa --cc dcqcn --param betaa=1 --dry-run &&
		ends 2 "$LAB" sweep two --cc dcqcn --param betaa=1,2 --out "$LAB_OUT/n" --dry-run &&
		grep -q betaa "$LAB_OUT/err" && [ ! -e "$LAB_OUT/n" ] &&
		"$LAB" shell two --dry-run | grep -q "^two: hosts 2, "
}

# refused WORD OPTION...: status 2, the message names the culprit, nothing is made
refused() {
	local word=$1
	shift
	mkdir -p "$LAB_OUT/tmp"
	TMPDIR=$LAB_OUT/tmp ends 2 "$LAB" run two --mem 256 --set size=1mb --out "$LAB_OUT/n" "$@" &&
		grep -q "$word" "$LAB_OUT/err" && nothing_left "$LAB_OUT/n"
}

# lists_algo: parameters of an algorithm with limits in the units of the command line, and
# in JSON what rxecc says.
lists_algo() {
	local out
	out=$("$LAB" list timely) || return 1
	grep -qE "beta +q24 +0.8 .*\[0\.\.1\]" <<<"$out" && grep -qE "t_low +ns +50us" <<<"$out" ||
		{ echo "$out"; return 1; }
	"$LAB" list -j timely | jq -e '.algo == "timely" and .params.delta.unit == "bps" and
		.params.delta.min == 1000 and .params.delta.max == 800000000000'
}

# Of a key in JSON: limits and words.
lists_limits() {
	"$LAB" list -j two | jq -e '[.keys[] | {(.name): .}] | add |
		.rate.min == "1mbit" and .rate.max == "800gbit" and .op.words == ["write", "send", "read"]'
}

unknown_name() {
	ends 2 "$LAB" list timelt && grep -q 'did you mean "timely"' "$LAB_OUT/err" &&
		ends 2 "$LAB" list twoo && grep -q 'did you mean "two"' "$LAB_OUT/err"
}

no_room() {
	ends 1 "$LAB" run two --mem 900000000 --out "$LAB_OUT/n" && grep -q "MB free" "$LAB_OUT/err" &&
		[ ! -e "$LAB_OUT/n" ]
}

no_place() {
	ends 1 "$LAB" run two --out /proc/lab && grep -q "/proc/lab" "$LAB_OUT/err"
}

# Runs of one algorithm under different parameters, side by side in one table.
variants() {
	local d=$LAB_OUT/v/two got
	LAB_DIR=$LAB_OUT/v lab_run two --set size=64kb --param rpg_ai_rate=2mbit \
		--cc dcqcn,dcqcn:preset=ns3,dcqcn:rpg_ai_rate=1mbit:dce_tcp_g=1/16 || return 1
	got=$(cd "$d" && jq -rs 'map("\(.cc) \(.label) \(.params | tostring)") | sort | .[]' ./*/seed1/summary.json)
	[ "$got" = 'dcqcn dcqcn {"rpg_ai_rate":"2mbit"}
dcqcn dcqcn:preset=ns3 {"rpg_ai_rate":"2mbit"}
dcqcn dcqcn:rpg_ai_rate=1mbit:dce_tcp_g=1/16 {"rpg_ai_rate":"1mbit","dce_tcp_g":"1/16"}' ] ||
		{ echo "$got"; return 1; }
	got=$(cd "$d" && echo *)
	[ "$got" = "dcqcn dcqcn:preset=ns3 dcqcn:rpg_ai_rate=1mbit:dce_tcp_g=1_16" ] ||
		{ echo "$got"; return 1; }
	"$LAB" report --no-plots -j "$LAB_OUT/v" | jq -e '.scenarios[0].algorithms | length == 3' >/dev/null
}

# each_alone CC CC
each_alone() {
	LAB_DIR=$LAB_OUT/alone lab_run two --set size=64kb --cc "$1,$2" &&
		[ -f "$LAB_OUT/alone/two/$1/seed1/summary.json" ] &&
		[ -f "$LAB_OUT/alone/two/$2/seed1/summary.json" ]
}

# Times are those of rates.csv, a value is not repeated, the receiver of a
# sender's algorithm has nothing to tell.
states() {
	local d=$LAB_OUT/st/two/hpcc:eta=0.9/seed1
	LAB_DIR=$LAB_OUT/st lab_run two --set size=1mb --cc hpcc:eta=0.9 || return 1
	is "$(jq .algo_params.eta "$d/summary.json")" ">=" 0.899999 &&
		is "$(jq .algo_params.eta "$d/summary.json")" "<=" 0.900001 || return 1
	awk -F, '
		FNR == 1 { if (NR > 1 && $0 != "t_ns,flow,name,value") bad("heading " $0); next }
		NR == FNR { known[$1 "," $2]; next }
		!(($1 "," $2) in known) { bad("no such row in rates.csv: " $0) }
		NF != 4 || $4 !~ /^[0-9]+$/ || $3 ~ /^rx_/ { bad("odd row: " $0) }
		($2 "," $3) in last && last[$2 "," $3] == $4 { bad("repeated: " $0) }
		{ last[$2 "," $3] = $4; n[$3]++ }
		function bad(what) { print what; failed = 1; exit }
		END { if (!failed && n["u_q24"] < 10) { print "u_q24: " n["u_q24"] " rows"; failed = 1 }
			exit failed }' "$d/rates.csv" "$d/state.csv"
}

# full_rate OPTION...: the port towards h1 is busy all the time
full_rate() {
	local dir=$LAB_OUT/f.$RANDOM
	LAB_DIR=$dir lab_run two --set size=4mb "$@" || return 1
	grep -Eq '^0,h0,h1,' "$dir/two/none/seed1/flows.csv" || { echo "wrong direction"; return 1; }
	is "$(LAB_DIR=$dir lab_get two/none/1 .bottleneck.utilization)" ">=" 0.98 &&
		is "$(LAB_DIR=$dir lab_get two/none/1 .flows.slowdown.p50)" "<=" 1.01 &&
		is "$(LAB_DIR=$dir lab_get two/none/1 .flows.slowdown.p50)" ">=" 0.999
}

ktap_print_header
ktap_check "list: scenarios, keys, algorithms" lists
ktap_check "lab list: defaults of the keys that all have" general_defaults
ktap_check "sweep: every combination once, in a place of its own" sweep_commands
ktap_check "sweep: runs side by side" sweep_runs
ktap_check "packet hops: the line of progress has those of summary.json" hops
ktap_check "virtual time limit: status 1, the flow shows as unfinished" limit
ktap_check "wall-clock timeout: status 1, nothing left behind" wall_timeout
for s in INT TERM HUP; do
	ktap_check "interrupted by $s: nothing left behind" interrupt $s
done
ktap_check "parameter out of range: named" refused rpg_threshold --cc dcqcn --param rpg_threshold=99999
ktap_check "... with the limits in its unit" refused "beta=1.5: not in 0\.\.1\$" --cc timely --param beta=1.5
ktap_check "... a time too" refused "not in 1us\.\.131\.071ms" --cc dcqcn --param rpg_time_reset=1s
ktap_check "parameter with a letter too many: the right one named" \
	refused 'did you mean "beta"' --cc timely --param betaa=0.5
ktap_check "knob with letters swapped: the right one named" refused 'did you mean "burst"' --knob brust=1kb
ktap_check "list: parameters of an algorithm" lists_algo
ktap_check "list: limits and words of keys in JSON" lists_limits
ktap_check "list: unknown name: the nearest scenario or algorithm" unknown_name
ktap_check "unknown parameter: named" refused bogus --cc dcqcn --param bogus=1
ktap_check "parameter of an algorithm that does not run: named" refused 'dcqnc.*did you mean "dcqcn"' \
	--cc none,dcqcn --param dcqnc.rpg_ai_rate=1mbit
ktap_check "parameter where only none runs: named" refused rpg_ai_rate --param rpg_ai_rate=1mbit
ktap_check "parameter of none: named" refused none.rpg_ai_rate --param none.rpg_ai_rate=1mbit
ktap_check "parameter without a name: named" refused "dcqcn.=1" --cc dcqcn --param dcqcn.=1
ktap_check "parameter that only one of two has: named before either runs" \
	refused "congestion control hpcc: rpg_ai_rate: " --cc dcqcn,hpcc --param rpg_ai_rate=1mbit
ktap_check "sweep: parameters go to the algorithms that they are for" sweep_params
ktap_check "value that is none of its unit: named" refused rpg_ai_rate --cc dcqcn --param rpg_ai_rate=5us
ktap_check "--dry-run: says what would run, asks the kernel, makes nothing" dry_run
ktap_check "unknown knob: named" refused bogus --knob bogus=1
ktap_check "unknown preset: named" refused bogus --cc dcqcn --set preset=bogus
ktap_check "variants of an algorithm: a run of its own each" variants
# t_low must not be above t_high: by default 50 us and 500 us.
ktap_check "variants: what one sets is not set for the next, which then fits" \
	each_alone timely:t_high=60us timely:t_low=100us
ktap_check "... or does not: named before either runs" \
	refused "timely: t_low: " --cc timely:t_high=1ms,timely:t_low=600us
ktap_check "variant with an unknown parameter: named" refused bogus --cc dcqcn:bogus=1
ktap_check "variant with an unknown preset: named" refused bogus --cc dcqcn:preset=bogus
ktap_check "variant without a value: named" refused rpg_ai_rate --cc dcqcn:rpg_ai_rate
ktap_check "variant of none: refused" refused "no parameters" --cc none:eta=1
ktap_check "state.csv: the algorithm's variables as they change, its parameters" states
ktap_check "buffer below its headrooms: the port and the reason" refused "port sw-h1: .*headrooms" \
	--set pfc=on --set buffer=50kb
ktap_check "xon without xoff: the port and the reason" refused "port sw-h0: .*xon" \
	--set pfc=on --set xon=10kb
ktap_check "time that is no whole number of ns: named" refused "not a whole number of ns" --set delay=0.5ns
ktap_check "alpha that is no number: named" refused alpha --set alpha=1/8x
ktap_check "no room for the kernel's memory: said before anything starts" no_room
ktap_check "no place for results: said before anything starts" no_place
ktap_check "WRITE: full rate, ideal time" full_rate --set op=write
ktap_check "SEND: full rate, ideal time" full_rate --set op=send
ktap_check "READ: full rate, ideal time, data from src to dst" full_rate --set op=read
ktap_check "routed switch: full rate, ideal time" full_rate --set fabric=router
ktap_finished
