#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: misleading runs are refused or get a note: algorithms that cannot run on UC or get no
#   feedback on READs, figures of UC, builds of changed sources, base RTT in real time
#
# Results that would mislead are refused, or say so in table, summary and report.
. "$(dirname "$0")/../lib/lab_lib.sh"

# note SCENARIO/CC/SEED TEXT: one of its notes says so
note() {
	lab_get "$1" '.notes[]' | grep -q "$2" || { lab_get "$1" .notes; return 1; }
}

# Algorithms that live on ACKs, on connections that have none: the kernel would run
# "none". With others in the list none of these runs either.
uc_refused() {
	local cc
	mkdir -p "$LAB_OUT/tmp"
	for cc in timely hpcc hpccpp none,timely; do
		TMPDIR=$LAB_OUT/tmp ends 2 "$LAB" run two --mem 256 --set transport=uc --cc "$cc" \
			--out "$LAB_OUT/u" && grep -q "${cc#none,} needs acknowledgments" "$LAB_OUT/err" &&
			nothing_left "$LAB_OUT/u" || return 1
	done
}

# The sender's completions come when 4 x 4 MB have left the hosts at 4 x 100 Gbit/s;
# the bottleneck needs four times as long. 64 packets of 1024 bytes are 70800 bytes on
# the wire (82 beside each payload, a RETH for the message), so its rate times its
# utilization times 65536/70800 is the goodput. Utilization has five digits.
uc_figures() {
	local r=incast/none/1
	lab_run incast --set transport=uc --set n=4 --set size=4mb || return 1
	is "$(lab_get $r .bottleneck.utilization)" "<=" 1 &&
		is "$(lab_get $r .bottleneck.utilization)" ">=" 0.9 &&
		near "$(lab_get $r '.goodput_bps / .bottleneck.utilization')" \
			"$(awk 'BEGIN { print 100e9 * 65536 / 70800 }')" 0.00002 || return 1
	[ "$(lab_get $r '[.flows.slowdown, .jain, .bottleneck.drops] | tostring')" = "[null,null,0]" ] &&
		note $r "uc: completions" || return 1
	awk -F, 'NR > 1 && ($7 !~ /^[0-9]+$/ || $9 != "") { print; bad = 1 } END { exit bad || NR != 5 }' \
		"$LAB_OUT/r/incast/none/seed1/flows.csv"
}

# 1 MB holds a sixteenth of what comes at once.
uc_lost() {
	LAB_DIR=$LAB_OUT/lost lab_run incast --set transport=uc --set n=4 --set size=4mb \
		--set buffer=1mb || return 1
	[ "$(LAB_DIR=$LAB_OUT/lost lab_get incast/none/1 .goodput_bps)" = null ] &&
		LAB_DIR=$LAB_OUT/lost note incast/none/1 "[1-9][0-9]* packets were lost"
}

# What an algorithm needs depends on its parameters: rcc with side=1 goes by round-trip times.
# It runs where telemetry is off, under control and without a note; rcc as it is is refused.
by_round_trips() {
	LAB_DIR=$LAB_OUT/side lab_run two --set size=1mb --set int=off --cc rcc:side=1 || return 1
	[ "$(LAB_DIR=$LAB_OUT/side lab_get two/rcc:side=1/1 '.notes | length')" = 0 ] ||
		{ LAB_DIR=$LAB_OUT/side lab_get two/rcc:side=1/1 .notes; return 1; }
	[ "$(LAB_DIR=$LAB_OUT/side lab_get two/rcc:side=1/1 .algo_params.side)" = 1 ] || return 1
	ends 2 "$LAB" run two --mem 256 --set int=off --cc rcc --out "$LAB_OUT/side" &&
		grep -q "knob int is off" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
}

# READ responses are timed only if they carry INT, which timely has no use for; hpcc
# has, and WRITEs are timed by their ACKs.
read_unseen() {
	local rc=0 out
	out=$("$LAB" run two --set op=read --set size=1mb --cc timely,hpcc,dcqcn --out "$LAB_OUT/rd" 2>&1 &&
		"$LAB" run two --set size=1mb --cc timely --out "$LAB_OUT/wr" 2>&1) || rc=1
	[ "$rc" -eq 0 ] && [ "$(grep -c "[a-z]: note: " <<<"$out")" -eq 1 ] &&
		grep -q "timely: note: timely goes by round-trip times and got none" <<<"$out" ||
		{ echo "$out"; return 1; }
	LAB_DIR=$LAB_OUT/rd note two/timely/1 "got none of any flow" || return 1
	out=$("$LAB" report --no-plots -j "$LAB_OUT/rd" 2>/dev/null)
	# Of one flow no algorithm has anything to do; that is another one.
	[ "$(jq '.warnings | map(select(test("congested") | not)) | length' <<<"$out")" -eq 1 ] &&
		grep -q "timely goes by round-trip" <<<"$out"
}

# says WHAT: of the repository in $LAB_OUT/git
says() {
	local got
	got=$("$RXE_CC_TOP/scripts/commit.sh" "$LAB_OUT/git")
	[ "$got" = "$1" ] || { echo "$got, not $1"; return 1; }
}

# Changed, new and staged files below the sources; others do not matter.
dirty_tree() {
	local d=$LAB_OUT/git head g
	g=(git -C "$d" -c user.name=x -c user.email=x@y)
	mkdir -p "$d/tools" "$d/Documentation" && echo 1 >"$d/tools/a" && says unknown || return 1
	git init -q "$d" && "${g[@]}" add -A && "${g[@]}" commit -qm x || return 1
	head=$("${g[@]}" rev-parse HEAD)
	says "$head" && echo 1 >"$d/Documentation/a" && says "$head" || return 1
	echo 1 >"$d/tools/b" && says "$head-dirty" && "${g[@]}" add -A && says "$head-dirty" &&
		rm "$d/tools/b" && "${g[@]}" add -A && says "$head" && echo 2 >"$d/tools/a" &&
		says "$head-dirty" || return 1
}

# commit_is WHAT: what a run in $LAB_OUT/root notes
commit_is() {
	local got
	"$LAB_OUT/root/build/bin/lab" run two --set size=64kb --out "$LAB_OUT/c" --force >"$LAB_OUT/out" 2>&1 ||
		{ cat "$LAB_OUT/out"; return 1; }
	got=$(LAB_DIR=$LAB_OUT/c lab_get two/none/1 .commit)
	[ "$got" = "$1" ] || { echo "$got, not $1"; return 1; }
}

# A copy of the lab without git, and notes of what was built from what.
built_from() {
	local d=$LAB_OUT/root b
	b=$d/build
	mkdir -p "$b/bin" "$b/obj" "$b/uml-lab" "$d/tools/lab" || return 1
	cp "$LAB" "$b/bin/" && cp -r "$RXE_CC_TOP/tools/lab/scenarios" "$d/tools/lab/" &&
		ln -s "$RXE_CC_BUILD"/bin/{labinit,flowgen} "$b/bin/" &&
		ln -s "$RXE_CC_BUILD"/uml-lab/{linux,*.ko} "$b/uml-lab/" || return 1
	commit_is unknown || return 1
	echo a1 | tee "$b/uml-lab/commit" "$b/obj/lab.commit" >"$b/obj/flowgen.commit"
	commit_is a1 || return 1
	echo b2 >"$b/obj/flowgen.commit"
	commit_is a1-dirty || return 1
	echo a1-dirty >"$b/obj/flowgen.commit"
	commit_is a1-dirty || return 1
	echo a1 >"$b/obj/flowgen.commit"
	git init -q "$d" && git -C "$d" add tools &&
		git -C "$d" -c user.name=x -c user.email=x@y commit -qm x || return 1
	b=$(git -C "$d" rev-parse HEAD)
	echo "$b" | tee "$d/build/uml-lab/commit" "$d/build/obj/lab.commit" >"$d/build/obj/flowgen.commit"
	commit_is "$b" || return 1
	sed 's/"name": "two"/"name": "zwei"/' "$d/tools/lab/scenarios/two.json" \
		>"$d/tools/lab/scenarios/zwei.json"
	commit_is "$b-dirty"
}

# Real time: nothing is asserted about its times.
real_clock() {
	local r=two/none/1 o=(two --set size=64kb --set rate=100mbit --set limit=100s)
	LAB_DIR=$LAB_OUT/real lab_run "${o[@]}" --clock real --beyond || return 1
	[ "$(LAB_DIR=$LAB_OUT/real lab_get $r .knobs.base_rtt)" = null ] &&
		LAB_DIR=$LAB_OUT/real note $r "base_rtt is measured" || return 1
	LAB_DIR=$LAB_OUT/real lab_run "${o[@]}" --clock real --beyond --set base_rtt=20ms --force || return 1
	# Whether the machine can keep it is another note.
	[ "$(LAB_DIR=$LAB_OUT/real lab_get $r '[.knobs.base_rtt, (.notes | map(select(test("base_rtt"))))] | tostring')" = '[20000000,[]]' ] &&
		LAB_DIR=$LAB_OUT/virtual lab_run "${o[@]}" || return 1
	[ "$(LAB_DIR=$LAB_OUT/virtual lab_get $r '[.knobs.base_rtt > 0, .notes] | tostring')" = '[true,[]]' ]
}

ktap_print_header
ktap_check "UC: algorithms that cannot run there are refused before anything runs" uc_refused
ktap_check "UC: utilization and goodput until the network is empty, what is not known is null" uc_figures
ktap_check "UC: goodput is not known when packets were lost" uc_lost
ktap_check "rcc:side=1 needs no telemetry, rcc does" by_round_trips
ktap_check "READ: table, summary and report say that timely sees nothing" read_unseen
if command -v git >/dev/null; then
	ktap_check "sources that are not those of the commit: dirty" dirty_tree
	ktap_check "commit: what modules and programs were built from" built_from
else
	ktap_test_skip "commit" "needs git"
fi
ktap_check "real clock: base RTT is measured unless given, and the summary says so" real_clock
ktap_finished
