#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab sweep` on this machine: the same bytes, also after a task or the sweep was killed;
#   what is refused. `FULL=1`: 64 runs
# Alone: kills tasks when they are half done, by the clock
. "$(dirname "$0")/../lib/lab_lib.sh"
. "$(dirname "$0")/../lib/sweep_lib.sh"
needs parallel tar

sweep() { "$LAB" sweep two --mem 256 "$@"; }

# refused STATUS WORDS OPTION...: one line that has the words, nothing is made
refused() {
	local status=$1 words=$2
	shift 2
	mkdir -p "$LAB_OUT/tmp"
	TMPDIR=$LAB_OUT/tmp ends "$status" "$LAB" sweep two --mem 256 --out "$LAB_OUT/n" "$@" || return 1
	[ "$(wc -l <"$LAB_OUT/err")" -eq 1 ] && grep -qF -- "$words" "$LAB_OUT/err" ||
		{ cat "$LAB_OUT/err"; return 1; }
	[ ! -s "$LAB_OUT/out" ] && nothing_left "$LAB_OUT/n"
}

# Programs of this PATH are those of the system but one.
without() {
	local dir=$LAB_OUT/without-$1
	mkdir -p "$dir" && ln -s /usr/bin/* "$dir/" && rm "$dir/$1" && echo "$dir"
}

no_program() {
	local program=$1
	shift
	PATH=$(without "$program") refused "$@"
}

# As many runs by hand; one of them brings its own names of directories.
same_as_runs() {
	local size seed
	for size in 64kb 128kb; do
		for seed in 1 2; do
			LAB_DIR=$LAB_OUT/one/size=$size lab_run two --mem 256 --set size=$size \
				--cc none,dcqcn:preset=ns3 --seed $seed || return 1
		done
	done
	sweep --set size=64kb,128kb --cc none,dcqcn:preset=ns3 --seed 1,2 --jobs 2 \
		--out "$LAB_OUT/all" >"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	same_results "$LAB_OUT/one" "$LAB_OUT/all"
}

# One table of all runs in the order of the options, one line of progress for each.
joint_table() {
	[ "$(grep -c '^size=.* 1/1 ' "$LAB_OUT/out")" -eq 8 ] &&
		[ "$(grep -c 'cc/seed' "$LAB_OUT/out")" -eq 1 ] &&
		grep -q '^size=128kb dcqcn:preset=ns3/2 ' "$LAB_OUT/out" &&
		[ "$(grep -c '^[1-8]/8 ' "$LAB_OUT/err")" -eq 8 ] || { cat "$LAB_OUT/out" "$LAB_OUT/err"; return 1; }
}

joint_json() {
	sweep --set size=64kb,128kb --cc none,dcqcn:preset=ns3 --seed 1,2 --out "$LAB_OUT/all" -j -q \
		2>&1 | jq -e 'length == 8 and (map(select(.point == "size=64kb")) | length == 4) and
			all(.flows.completed == 1)' >/dev/null
}

joint_report() {
	"$LAB" report --no-plots -j "$LAB_OUT/all" >"$LAB_OUT/json" &&
		[ "$(jq -r '[.scenarios[] | .point + " " + (.algorithms | length | tostring)] | join(";")' \
			"$LAB_OUT/json")" = "size=64kb 2;size=128kb 2" ] || { cat "$LAB_OUT/json"; return 1; }
}

# stamps DIR: which files these are
stamps() { find "$1" -name run.json -printf '%i %T@ %p\n' | sort; }

# What is there is not made again; a place without the last file is of a killed run.
resumes() {
	local before dir=$LAB_OUT/all
	rm "$dir/size=64kb/two/none/seed2/run.json"
	echo half >"$dir/size=64kb/two/none/seed2/flows.csv"
	before=$(stamps "$dir")
	sweep --set size=64kb,128kb --cc none,dcqcn:preset=ns3 --seed 1,2 --out "$dir" \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	grep -q '7 of 8 runs have' "$LAB_OUT/err" && same_results "$LAB_OUT/one" "$dir" || return 1
	[ "$(stamps "$dir" | comm -12 - <(echo "$before") | wc -l)" -eq 7 ] || { echo "made again"; return 1; }
	# More values of what was there.
	sweep --set size=64kb,128kb --cc none --seed 1-3 --out "$dir" >/dev/null 2>"$LAB_OUT/err" &&
		grep -q '4 of 6 runs have' "$LAB_OUT/err"
}

# Results of other settings, and of another build, are neither taken nor lost.
others_stay() {
	local before dir=$LAB_OUT/all s=$LAB_OUT/all/size=64kb/two/none/seed1/summary.json
	before=$(stamps "$dir")
	ends 1 "$LAB" sweep two --mem 256 --set rate=10gbit --set size=64kb,128kb --out "$dir" &&
		grep -q "size=64kb/two/none/seed1: results with other settings" "$LAB_OUT/err" || return 1
	sed -i 's/"commit": *"[^"]*"/"commit": "0123"/' "$s"
	ends 1 "$LAB" sweep two --mem 256 --set size=64kb,128kb --out "$dir" &&
		grep -q "size=64kb/two/none/seed1: results of another build" "$LAB_OUT/err" &&
		[ "$(stamps "$dir")" = "$before" ] || return 1
	sweep --set size=64kb,128kb --cc none,dcqcn:preset=ns3 --seed 1,2 --force --out "$dir" \
		>/dev/null 2>&1 || return 1
	[ "$(stamps "$dir" | comm -12 - <(echo "$before") | wc -l)" -eq 2 ] || { echo "not made again"; return 1; }
	rm -r "$dir"/*/two/none/seed3
	same_results "$LAB_OUT/one" "$dir"
}

long=(--set "size=16mb,32mb" --seed 1-4 --jobs 1)

results() { [ "$(find "$1" -name run.json | wc -l)" -ge "$2" ]; }

# interrupted SIGNAL: after the first results; the same command goes on. The sweep
# itself is told, or killed, and nothing of it may run on.
interrupted() {
	local dir=$LAB_OUT/i-$1 pid rc=0 pids
	mkdir -p "$LAB_OUT/tmp"
	# With job control, or a shell has SIGINT ignored.
	set -m
	TMPDIR=$LAB_OUT/tmp "$LAB" sweep two --mem 256 "${long[@]}" --out "$dir" >/dev/null 2>"$LAB_OUT/err" &
	pid=$!
	set +m
	until_true 60 results "$dir" 2 || return 1
	pids=$(tree $pid)
	kill "-$1" $pid
	wait $pid || rc=$?
	[ "$1" = KILL ] || [ "$rc" -eq 1 ] || { echo "exit status $rc"; return 1; }
	[ "$1" = KILL ] || grep -q 'interrupted after [2-7] of 8 runs' "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	# shellcheck disable=SC2086 # a list
	until_true 20 gone $pids || return 1
	[ -z "$(ls "$LAB_OUT/tmp")" ] || { ls "$LAB_OUT/tmp"; return 1; }
	! results "$dir" 8 || { echo "all done"; return 1; }
	sweep "${long[@]}" --jobs 2 --out "$dir" >/dev/null 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	grep -q '[2-7] of 8 runs have' "$LAB_OUT/err" && results "$dir" 8 || { cat "$LAB_OUT/err"; return 1; }
	# Each of these waits for the first, which has results of the whole by then.
	same_results "$LAB_OUT/i-INT" "$dir" && [ -z "$(find "$dir/.sweep" -name '*.tar*')" ]
}

# No process of the list is left but as a zombie.
gone() {
	local p
	for p; do
		case $(ps -o stat= -p "$p") in '' | Z*) ;; *) return 1 ;; esac
	done
}

# A flow that does not end is a result, and the run is not tried again; a run that ends
# without results is a row of the table.
failures() {
	ends 1 "$LAB" sweep two --mem 256 --set size=64kb,64mb --set limit=1ms --retries 3 --out "$LAB_OUT/l" &&
		grep -q '1 of 2 runs failed' "$LAB_OUT/err" && grep -q '^size=64mb none/1 *0/1 ' "$LAB_OUT/out" &&
		[ "$(grep -c worker "$LAB_OUT/l/.sweep/joblog")" -eq 2 ] || { cat "$LAB_OUT/out" "$LAB_OUT/err"; return 1; }
	# The next sweep, which finds the results, says the same.
	ends 1 "$LAB" sweep two --mem 256 --set size=64kb,64mb --set limit=1ms --out "$LAB_OUT/l" &&
		grep -q '2 of 2 runs have' "$LAB_OUT/err" && grep -q '1 of 2 runs failed' "$LAB_OUT/err" &&
		grep -q '^size=64mb none/1: failed: .*did not end' "$LAB_OUT/out" ||
		{ cat "$LAB_OUT/out" "$LAB_OUT/err"; return 1; }
	ends 1 "$LAB" sweep two --mem 256 --set size=64kb,100gb --timeout 2 --out "$LAB_OUT/t" &&
		grep -q '^size=64kb none/1 *1/1 ' "$LAB_OUT/out" &&
		grep -q '^size=100gb none/1: failed: .*no end after 2 s' "$LAB_OUT/out" &&
		[ ! -e "$LAB_OUT/t/size=100gb" ] || { cat "$LAB_OUT/out" "$LAB_OUT/err"; return 1; }
}

# What a machine sends that is not plain files: refused, and nothing it points to is moved or read.
hostile_archive() {
	local dir=$LAB_OUT/h key
	sweep --out "$dir" >/dev/null 2>&1 || return 1
	key=$(cut -f1 "$dir/.sweep/todo")
	mkdir -p "$LAB_OUT/bait" "$LAB_OUT/pack" "$dir/.sweep/out" && mv "$dir/two" "$LAB_OUT/bait/two" || return 1
	ln -s "$LAB_OUT/bait" "$LAB_OUT/pack/r" && echo 0 >"$LAB_OUT/pack/status" &&
		tar -cf "$dir/.sweep/out/$key.tar" -C "$LAB_OUT/pack" . || return 1
	# The archive is taken first; then the run is made, since there are no results.
	sweep --out "$dir" >"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/out" "$LAB_OUT/err"; return 1; }
	[ -e "$LAB_OUT/bait/two/none/seed1/summary.json" ] || { echo "moved away"; return 1; }
	[ -z "$(find "$dir" -type l)" ] && same_results "$LAB_OUT/bait/two" "$dir/two"
}

# Same settings, other contents.
changed_file() {
	local dir=$LAB_OUT/c
	mkdir -p "$dir" && cd "$dir" || return 1
	printf 'id,src,dst,bytes,start_ns\n0,h0,h1,1000,0\n' >a.csv
	cp a.csv b.csv
	set -- --mem 256 --set n=2 --set "flows_file=a.csv,b.csv" --out o
	"$LAB" sweep star "$@" >"$LAB_OUT/out" 2>&1 || { cat "$LAB_OUT/out"; return 1; }
	echo 1,h1,h0,1000,0 >>b.csv
	ends 1 "$LAB" sweep star "$@" && grep -q 'b.csv has changed' "$LAB_OUT/err"
}

two_sweeps() {
	local pid rc=0
	"$LAB" sweep two --mem 256 --set size=100gb,200gb --out "$LAB_OUT/2" >/dev/null 2>&1 &
	pid=$!
	until_true 60 test -e "$LAB_OUT/2/.sweep/joblog" || return 1
	ends 1 "$LAB" sweep two --mem 256 --out "$LAB_OUT/2" && grep -q 'another sweep' "$LAB_OUT/err" || rc=1
	kill $pid
	wait $pid
	return $rc
}

# The shells on the way change nothing.
odd_names() {
	local dir="$LAB_OUT/a b'c, \"d\" \$e %j"
	mkdir -p "$dir" && (cd "$dir" && sweep --set size=64kb,128kb --out "o ut;'" >/dev/null 2>&1) &&
		same_results "$LAB_OUT/one/size=64kb/two/none/seed1" "$dir/o ut;'/size=64kb/two/none/seed1" || return 1
	"$LAB" sweep two --set 'preset=a\,b c' --dry-run | grep -qF "'--set' 'preset=a,b c'"
}

ktap_print_header
ktap_check "a bad value among good ones" refused 2 "--set size=bogus" --set size=64kb,bogus,128kb
ktap_check "a value out of range" refused 2 "rpg_threshold=99999: not in 1..31" \
	--cc none,dcqcn --param rpg_threshold=1,2,99999 --set size=64kb,128kb
ktap_check "a value that only the kernel refuses" refused 2 "--param t_low=600us" \
	--cc none,timely --param t_low=1us,2us,600us --set size=64kb,128kb
ktap_check "a network that only the kernel refuses" refused 2 "--set buffer=50kb" \
	--set pfc=on --set buffer=3mb,50kb
ktap_check "an algorithm that cannot run there" refused 2 "--cc hpcc" --set transport=uc --cc none,hpcc
ktap_check "an unknown algorithm" refused 2 '"dcqn", did you mean' --cc none,dcqn
ktap_check "an unknown parameter" refused 2 "bogus" --cc dcqcn --param bogus=1,2
ktap_check "an unknown key" refused 2 "bogus" --set bogus=1,2
ktap_check "an empty value" refused 2 "--set size=1kb,,2kb: empty" --set size=1kb,,2kb
ktap_check "no value" refused 2 "--set size=: " --set size=
ktap_check "an empty seed" refused 2 "--seed 1,: empty" --seed 1,
ktap_check "a range that falls" refused 2 "--seed 5-1" --seed 5-1
ktap_check "a value twice" refused 2 "--set size=1kb: twice" --set size=1kb,1kb
ktap_check "a key twice" refused 2 "--set size: given twice" --set size=1kb --set size=2kb
ktap_check "two values with one place" refused 2 "have the same place" --set preset=a/b,a_b
ktap_check "jobs that are none" refused 2 "--jobs abc" --jobs abc
ktap_check "no tries" refused 2 "--retries 0" --retries 0
ktap_check "an unknown option" refused 2 "--bogus" --bogus
ktap_check "options that exclude each other" refused 2 "one or the other" --slurm --sshlogin a
ktap_check "an option of Slurm without it" refused 2 "--no-wait" --no-wait
ktap_check "no machine" refused 2 "--sshlogin: empty" --sshlogin ,
ktap_check "a directory that is none" refused 1 "--out /proc/x" --out /proc/x
ktap_check "a directory that is a file" refused 1 "--out /dev/null" --out /dev/null
ktap_check "no GNU parallel" no_program parallel 1 "GNU parallel is missing"
ktap_check "no Slurm" no_program sinfo 1 "--slurm: no sinfo here" --slurm
ktap_check "the same results as single runs" same_as_runs
ktap_check "one table, a line of progress for each run" joint_table
ktap_check "one JSON array" joint_json
ktap_check "one report, a table for each point" joint_report
ktap_check "only what is missing is made" resumes
ktap_check "results of other settings and builds" others_stay
for s in INT TERM KILL; do
	ktap_check "ended by $s: nothing runs on, the same command goes on" interrupted $s
done
ktap_check "runs that fail are in the table" failures
ktap_check "an archive with a link in it" hostile_archive
ktap_check "a file of flows has changed since" changed_file
ktap_check "two sweeps into one directory" two_sweeps
ktap_check "names with spaces, quotes and commas" odd_names
ktap_finished
