#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: error messages of the tools: parameters, presets and knobs that are wrong, before anything
#   boots, with limits in their units; a full disk; Ctrl-C; the exit statuses of
#   [exit-status.md](../reference/exit-status.md)
. "$(dirname "$0")/../lib/lab_lib.sh"

FLOWGEN=$RXE_CC_BUILD/bin/flowgen
kernels=$LAB_OUT/kernels

# A checkout of its own, with what is built here: its modules can be changed.
copy_build() {
	local c=$LAB_OUT/copy
	mkdir -p "$c/build/bin" "$c/build/uml-lab" "$c/tools/lab" &&
		cp "$RXE_CC_BUILD/bin/lab" "$c/build/bin/" &&
		ln -s "$RXE_CC_BUILD"/bin/{labinit,flowgen,rxecc} "$c/build/bin/" &&
		ln -s "$RXE_CC_BUILD/tc" "$RXE_CC_BUILD/obj" "$c/build/" &&
		ln -s "$RXE_CC_BUILD/uml-lab/linux" "$RXE_CC_BUILD"/uml-lab/*.ko "$c/build/uml-lab/" &&
		ln -s "$RXE_CC_TOP/tools/lab/scenarios" "$c/tools/lab/"
}

copied() {
	LAB_KERNELS=$kernels RXE_CC_CACHE=$LAB_OUT/cache "$LAB_OUT/copy/build/bin/lab" "$@"
}

# boots N: how many kernels were started since the last time
boots() {
	local n=0
	[ ! -e "$kernels" ] || n=$(wc -l <"$kernels")
	rm -f "$kernels"
	[ "$n" -eq "$1" ] || { echo "$n kernels were started, not $1"; return 1; }
}

# refused TEXT OPTION...: one line, status 2, no kernel, no results
refused() {
	local text=$1
	shift
	ends 2 copied run two --out "$LAB_OUT/n" "$@" && boots 0 &&
		[ "$(cat "$LAB_OUT/err")" = "lab: $text" ] && [ ! -e "$LAB_OUT/n" ] ||
		{ cat "$LAB_OUT/err"; return 1; }
}

# Asked once for a build of the modules, and again when one has changed.
tables() {
	local t=$LAB_OUT/copy/build/uml-lab
	copied list timely >"$LAB_OUT/list1" && boots 1 && copied list dcqcn >/dev/null && boots 0 &&
		[ -s "$t/tables.json" ] || return 1
	rm "$t/rxe_cc_timely.ko" && cp "$RXE_CC_BUILD/uml-lab/rxe_cc_timely.ko" "$t/" &&
		copied list timely >"$LAB_OUT/list2" && boots 0 || return 1
	printf 'x' >>"$t/rxe_cc_timely.ko"
	jq '.algos.timely.params.beta.max = 33554432' "$t/tables.json" >"$t/t" && mv "$t/t" "$t/tables.json"
	ends 2 copied run two --cc timely --param beta=1.5 --out "$LAB_OUT/n" &&
		grep -q 'not in 0\.\.1$' "$LAB_OUT/err" && boots 1 || { cat "$LAB_OUT/err"; return 1; }
	cmp "$LAB_OUT/list1" "$LAB_OUT/list2"
}

# Where the build cannot be written they are in the user's cache.
tables_cache() {
	local t=$LAB_OUT/copy/build/uml-lab/tables.json
	rm -f "$t" && mkdir "$t" && copied list timely >/dev/null && boots 1 &&
		copied list timely >/dev/null && boots 0 && [ -s "$LAB_OUT/cache/lab-lab-tables.json" ] &&
		rmdir "$t"
}

# full SIZE COMMAND...: with a disk of SIZE at $LAB_OUT/disk
full() {
	local size=$1
	shift
	mkdir -p "$LAB_OUT/disk"
	unshare -Urm true 2>/dev/null || return "$KSFT_SKIP"
	unshare -Urm bash -c '. "$0"; mount -t tmpfs -o '"$size"' tmpfs "$LAB_OUT/disk" &&
		"$@"' "$LAB_OUT/in_full" "$@"
}

# What full() runs is in this file, for the shell with the disk.
in_full() {
	{
		declare -p LAB LAB_OUT RXE_CC_BUILD
		declare -f ends full_results full_keeps full_work
	} >"$LAB_OUT/in_full"
}

full_results() {
	ends 1 "$LAB" run two --cc none,dcqcn --set size=4mb --mem 256 --quiet --out "$LAB_OUT/disk/r" &&
		[ "$(wc -l <"$LAB_OUT/err")" -eq 1 ] &&
		grep -q "/two/none/seed1/.*: No space left on device$" "$LAB_OUT/err" &&
		[ -z "$(ls -A "$LAB_OUT/disk")" ] || { cat "$LAB_OUT/err"; find "$LAB_OUT/disk"; return 1; }
}

# Results of the same settings that were there stay, to the byte.
full_keeps() {
	local d=$LAB_OUT/disk
	"$LAB" run two --set size=40kb --mem 256 --quiet --out "$d/r" >/dev/null || return 1
	(cd "$d" && find r -type f -exec cksum {} + | sort) >"$LAB_OUT/before"
	head -c 100000 /dev/zero >"$d/filler" 2>/dev/null
	ends 1 "$LAB" run two --set size=40kb --mem 256 --quiet --out "$d/r" &&
		grep -q "No space left on device$" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	(cd "$d" && find r -type f -exec cksum {} + | sort) | diff "$LAB_OUT/before" -
}

# The disk of temporary files has no room for the run's raw tables.
full_work() {
	TMPDIR=$LAB_OUT/disk ends 1 "$LAB" run two --cc none,dcqcn --set size=1mb --mem 256 --quiet \
		--out "$LAB_OUT/w" && [ "$(wc -l <"$LAB_OUT/err")" -eq 1 ] &&
		grep -q "No space left on device$" "$LAB_OUT/err" && [ ! -e "$LAB_OUT/w" ] &&
		[ -z "$(ls -A "$LAB_OUT/disk")" ] || { cat "$LAB_OUT/err"; return 1; }
}

full_stdout() {
	"$LAB" list >/dev/full 2>"$LAB_OUT/err"
	[ $? -eq 1 ] && [ "$(cat "$LAB_OUT/err")" = "lab: standard output: No space left on device" ]
}

# As somebody who may not read it, a file that is there is not missing. Root may read all.
forbidden() {
	local s=$LAB_OUT/copy/tools/lab/scenarios rc=0
	command -v setpriv >/dev/null && [ "$(id -u)" -eq 0 ] || return "$KSFT_SKIP"
	rm "$s" && cp -r "$RXE_CC_TOP/tools/lab/scenarios" "$s" && chmod 0 "$s/two.json" &&
		chmod 755 "$LAB_OUT" || return 1
	setpriv --reuid 65534 --clear-groups -- "$LAB_OUT/copy/build/bin/lab" list two \
		>/dev/null 2>"$LAB_OUT/err" || rc=$?
	grep -q "two.json: Permission denied" "$LAB_OUT/err" && [ "$rc" -ne 0 ] ||
		{ cat "$LAB_OUT/err"; return 1; }
}

# Ctrl-C goes to all of the group.
once() {
	local p rc=0
	set -m
	TMPDIR=$LAB_OUT "$LAB" "$@" --mem 256 --set size=100gb --out "$LAB_OUT/i" \
		>/dev/null 2>"$LAB_OUT/err" </dev/null &
	p=$!
	set +m
	sleep 2
	kill -INT -- "-$p" && wait "$p" || rc=$?
	[ "$rc" -eq 1 ] && [ "$(tr '\r' '\n' <"$LAB_OUT/err" | grep -c interrupted)" -eq 1 ] &&
		[ "$(grep -c '^lab: ' "$LAB_OUT/err")" -eq 1 ] || { echo "status $rc"; cat "$LAB_OUT/err"; return 1; }
}

# status WANT COMMAND...
status() {
	local want=$1 rc=0
	shift
	"$@" >"$LAB_OUT/out" 2>"$LAB_OUT/err" </dev/null || rc=$?
	[ "$rc" -eq "$want" ] || { echo "status $rc, not $want: $*"; cat "$LAB_OUT/err"; return 1; }
}

plan() {
	echo "{ \"flows\": [ { \"src\": \"nodev0\", \"dst\": \"nodev1\", \"bytes\": 1${1:-} } ] }" \
		>"$LAB_OUT/plan.json"
}

statuses() {
	local s=$RXE_CC_TOP/scripts r=$RXE_CC_BUILD/bin/rxecc
	status 0 "$LAB" list && status 2 "$LAB" lsit && status 2 "$LAB" list nothing &&
		status 1 "$LAB" run two --out /proc/lab && status 0 "$r" --version &&
		status 2 "$r" nothing && plan && status 0 "$FLOWGEN" check "$LAB_OUT/plan.json" &&
		status 3 "$FLOWGEN" run "$LAB_OUT/plan.json" --out "$LAB_OUT/fg" &&
		plan ', "odd": 1' && status 2 "$FLOWGEN" check "$LAB_OUT/plan.json" &&
		status 0 "$RXE_CC_BUILD/bin/bench" --help && status 2 "$RXE_CC_BUILD/bin/bench" --odd || return 1
	for t in check.sh install-packages.sh kunit.sh test.sh uml-exec.sh modules.sh kernel.sh; do
		status 2 "$s/$t" --odd || return 1
	done
	status 2 "$RXE_CC_TOP/selftests/run.sh" --odd && status 2 "$s/mutate" --odd &&
		status 2 "$RXE_CC_TOP/tools/qemu/run.sh" --odd
}

# In the lab kernel: the command's own status, and out of time.
uml_statuses() {
	status 7 "$UML_EXEC" sh -c 'exit 7' && status 124 "$UML_EXEC" --real --timeout 3 sleep 100
}

other_decisions() {
	local e=$LAB_OUT/e/two/timely/seed1/events.csv
	"$LAB" run two --cc timely --set size=64kb --mem 256 --events --out "$LAB_OUT/e" >/dev/null 2>&1 &&
		status 0 "$LAB" replay --cc timely --in "$e" --out "$LAB_OUT/e/again.csv" &&
		status 3 "$LAB" replay --cc timely --in "$e" --out "$LAB_OUT/e/again.csv" --param beta=0.1 \
			--param t_low=0 --param t_high=1ns
}

interrupted_script() {
	local rc=0
	bash -c '. "$0/scripts/common.sh"; (sleep 0.5; kill -TERM $$) & step x "$1" sleep 20' \
		"$RXE_CC_TOP" "$LAB_OUT/step.log" >/dev/null 2>&1 || rc=$?
	[ "$rc" -eq 130 ] || { echo "status $rc"; return 1; }
}

# Every status of the page has a case above; a new one needs one too.
on_the_page() {
	local got
	got=$(awk -F ' *[|] *' 'NF >= 4 { n = NF > 4 ? $3 : $2; if (n ~ /^[0-9]+$/) print n }' \
		"$RXE_CC_TOP/Documentation/reference/exit-status.md" | sort -nu | paste -sd ' ')
	[ "$got" = "0 1 2 3 4 124 125 130" ] || { echo "the page has $got"; return 1; }
}

ktap_print_header
copy_build || ktap_exit_fail_msg "cannot copy the build"
in_full
ktap_check "tables of the kernel: asked for once, and again when a module has changed" tables
ktap_check "... kept in the cache where the build cannot be written" tables_cache
copied list timely >/dev/null; rm -f "$kernels"
ktap_check "parameter out of range: its limits as the user writes them, nothing boots" \
	refused "congestion control timely: beta=1.5: not in 0..1" --cc timely --param beta=1.5
ktap_check "... of a variant" \
	refused "congestion control dcqcn: rpg_time_reset=1s: not in 1us..131.071ms" \
	--cc dcqcn:rpg_time_reset=1s
ktap_check "parameter of another unit" refused \
	"congestion control timely: t_low=1gbit: unit gbit: needs a time (55us, 1ms; plain number: ns)" \
	--cc timely --param t_low=1gbit
ktap_check "unknown parameter: the one that was meant" refused \
	'congestion control timely: betaa: no such parameter, did you mean "beta"?; see "lab list timely"' \
	--cc timely --param betaa=0.5
ktap_check "old name of a key: the new one" refused "--set timeout: is called ib_timeout now" --set timeout=16
ktap_check "old name of an option: the new one" refused "--guest-cpus: is called --cpus now" --guest-cpus 2
ktap_check "unknown preset: the one that was meant, and all" refused \
	'congestion control dcqcn: no preset "ns2", did you mean "ns3"?; it has paper, mlx5, ns3' \
	--cc dcqcn --set preset=ns2
ktap_check "... of --param" refused 'congestion control dcqcn: no preset "ns4", did you mean "ns3"?; it has paper, mlx5, ns3' \
	--cc none,dcqcn --param preset=ns3 --param dcqcn.preset=ns4
ktap_check "... --param for another algorithm" refused '--param hpcc.preset=ns3: "hpcc" is not in --cc' \
	--cc dcqcn --param hpcc.preset=ns3
ktap_check "unknown knob: the one that was meant" refused \
	'--knob brust: no such knob, did you mean "burst"?' --knob brust=1kb
ktap_check "knob out of range" refused '--knob burst=1gb: not in 0b..128kb' --knob burst=1gb
ktap_check "unknown word: the one that was meant, and all" refused \
	'--set op=writ: not one of write, send, read, did you mean "write"?' --set op=writ
ktap_check "no room for results: one line, nothing half" full size=64k full_results
ktap_check "... those of before stay" full size=64k full_keeps
for n in 5 9 14; do
	ktap_check "no room for temporary files ($n files): one line" full size=400m,nr_inodes=$n full_work
done
ktap_check "standard output that takes nothing: status 1" full_stdout
ktap_check "a file that may not be read is not missing" forbidden
ktap_check "Ctrl-C: run says it once" once run two --cc none,dcqcn
ktap_check "Ctrl-C: sweep says it once" once sweep two --seed 1,2
ktap_check "exit statuses: 0, 1, 2, 3 of tools and scripts" statuses
ktap_check "exit statuses: of a command in the lab kernel, 124" uml_statuses
ktap_check "exit status 3: other decisions than recorded" other_decisions
ktap_check "exit status 130: a build step that is interrupted" interrupted_script
ktap_check "exit statuses: those on the page" on_the_page
ktap_finished
