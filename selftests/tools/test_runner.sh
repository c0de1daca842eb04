#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a set of tests fails if one of it does not run in the set's kernel; what a kernel complains
#   of fails a test; tests that have parts; a test that hangs is ended, and a busy machine gets more
#   time
#
# run.sh --set: the tests of a set, their variables, and whether each ran in the
# set's kernel; what a kernel complains of fails what ran in it. run.sh --jobs: which
# tests run at the same time, and tests that have parts; how long a test may take. The first part is about made-up tests in a tree of their own.
. "$(dirname "$0")/../lib/ktap_helpers.sh"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# fake NAME BODY: a test that passes, after BODY
fake() {
	printf '#!/bin/bash\n%s\necho "ok 1 x"\necho 1..1\n' "$2" >"$tmp/selftests/$1.sh"
	chmod +x "$tmp/selftests/$1.sh"
}

fake_tree() {
	mkdir -p "$tmp/selftests" "$tmp/scripts" &&
		cp "$RXE_CC_TOP/selftests/run.sh" "$tmp/selftests/" &&
		cp "$RXE_CC_TOP"/scripts/{common.sh,hang-guard.sh,ktap.awk} "$tmp/scripts/" || return 1
	# shellcheck disable=SC2016 # expanded in the test
	{
		fake right '[ "$VARIANT,$A,$B" = debug,1,2 ] || exit 1
			echo debug >>"$LAB_KERNELS"; echo debug >>"$LAB_KERNELS"'
		fake ignores 'echo lab >>"$LAB_KERNELS"'
		fake both 'echo debug >>"$LAB_KERNELS"; echo lab >>"$LAB_KERNELS"'
		fake boots_none ''
		fake skipped 'echo "1..0 # SKIP no kernel"; exit 4'
		fake outside 'exit 1'
	}
	printf '# a set\n\nright.sh A=1 B=2\nignores.sh\nboth.sh\nboots_none.sh\nskipped.sh\n' \
		>"$tmp/selftests/debug.set"
}

# set_run STATUS ARGUMENT...: run.sh on the made-up tests; its output in $tmp/out
set_run() {
	local want=$1 rc=0
	shift
	"$tmp/selftests/run.sh" "$@" >"$tmp/out" 2>&1 || rc=$?
	[ "$rc" -eq "$want" ] || { echo "exit status $rc"; cat "$tmp/out"; return 1; }
}

# said TEXT...
said() {
	local t
	for t; do
		grep -qF -- "$t" "$tmp/out" || { echo "not said: $t"; cat "$tmp/out"; return 1; }
	done
}

kernels() {
	fake_tree && set_run 1 --set debug || return 1
	said 'FAIL ignores.sh: ran in the kernel "lab"' 'FAIL both.sh: ran in the kernel "lab"' \
		'FAIL boots_none.sh: no lab kernel was booted' 'FAIL skipped.sh: no lab kernel was booted' &&
		! grep -q "FAIL right.sh\|outside" "$tmp/out" &&
		[ "$(tail -n 1 "$tmp/out")" = "4 passed, 4 failed, 1 skipped" ] || { cat "$tmp/out"; return 1; }
}

variables() {
	set_run 0 --set debug right && set_run 0 --set debug --list &&
		[ "$(tr '\n' ' ' <"$tmp/out")" = "right.sh ignores.sh both.sh boots_none.sh skipped.sh " ]
}

bad_sets() {
	set_run 1 --set nothing && said 'no set "nothing"' && set_run 1 --set debug outside &&
		said 'no selftest "outside"' && echo "gone.sh" >>"$tmp/selftests/debug.set" &&
		set_run 1 --set debug && said 'no selftest "gone.sh"'
}

# The set of this checkout names tests that there are.
our_set() {
	local n
	n=$("$RXE_CC_TOP/selftests/run.sh" --set debug --list | wc -l)
	[ "$n" -ge 1 ] && [ "$n" -eq "$(grep -c '^[a-z]' "$RXE_CC_TOP/selftests/debug.set")" ]
}

# Two tests that wait for each other, and one that must not meet them, though its name
# comes between theirs.
at_once() {
	local meet='echo $$ >$0.runs; for ((i = 0; i < 100; i++)); do
		[ $(ls "${0%/*}"/*.runs | wc -l) -lt 2 ] || break; sleep 0.1; done
		sleep 1; rm $0.runs; [ $i -lt 100 ] || exit 1'

	rm "$tmp/selftests"/[!r]*.sh "$tmp/selftests/right.sh"
	fake first "$meet" && fake third "$meet" &&
		fake second $'# Alone: a reason\n! ls "${0%/*}"/*.runs 2>/dev/null || exit 1' &&
		set_run 0 --jobs 2 &&
		[ "$(tail -n 1 "$tmp/out")" = "3 passed, 0 failed, 0 skipped" ] || { cat "$tmp/out"; return 1; }
	set_run 1 --jobs 1 && said 'FAIL first.sh' 'FAIL third.sh' '1 passed, 2 failed, 0 skipped' || return 1
	fake third 'kill -9 $PPID'
	set_run 1 --jobs 2 third && set_run 2 --jobs no && set_run 2 --jobs 0
}

# What a test said before a result that failed stands under it.
reasons() {
	fake first $'echo "# of another"; echo "ok 2 y"; echo "# because"; echo "not ok 3 z"' &&
		set_run 1 first && said 'FAIL first.sh: z' '| # because' && ! grep -q 'of another' "$tmp/out"
}

# After the end of its time a run begins nothing.
too_late() {
	fake first '' && TEST_END=$((EPOCHSECONDS - 1)) set_run 0 first &&
		said 'skip first.sh: not begun' '0 passed, 0 failed, 1 skipped' &&
		TEST_END=$((EPOCHSECONDS + 1000)) set_run 0 first && said '1 passed, 0 failed, 0 skipped'
}

# Whoever ends run.sh ends its tests: 222.25 s is the name of this one.
ends_all() {
	local pid i
	fake first 'sleep 222.25' && fake third 'sleep 222.25'
	"$tmp/selftests/run.sh" --jobs 2 first third >"$tmp/out" 2>&1 &
	pid=$!
	for ((i = 0; i < 100; i++)); do
		[ "$(pgrep -fc '^sleep 222.25')" -lt 2 ] || break
		sleep 0.1
	done
	[ $i -lt 100 ] || { echo "not begun"; kill $pid; return 1; }
	kill $pid
	wait $pid
	[ $? -eq 130 ] || return 1
	for ((i = 0; i < 100; i++)); do
		pgrep -f '^sleep 222.25' >/dev/null || return 0
		sleep 0.1
	done
	return 1
}

# A test with parts: each is one of its own with a log and a result, and all run at once.
parts() {
	# shellcheck disable=SC2016 # expanded in the test
	fake pages '# Parts: --pages
		[ "$1" != --pages ] || { printf "a/b.md\nc.md\n"; exit; }
		echo "page $1"
		echo $$ >"$0.${1##*/}.runs"; for ((i = 0; i < 100; i++)); do
			[ "$(ls "${0%/*}"/*.runs | wc -l)" -lt 2 ] || break; sleep 0.1; done
		sleep 1; rm "$0.${1##*/}.runs"; [ $i -lt 100 ] || exit 1
		[ "$1" != c.md ] || exit 3'
	fake first ''
	set_run 1 --jobs 2 first pages.sh && said 'pages.sh a/b.md ' 'FAIL pages.sh c.md: exit status 3' \
		'2 passed, 1 failed, 0 skipped' &&
		grep -qx "page a/b.md" "$tmp/build/log/selftests/pages.sh-a-b.md.log" || { cat "$tmp/out"; return 1; }
	set_run 0 --list pages && [ "$(paste -sd '|' "$tmp/out")" = "pages.sh a/b.md|pages.sh c.md" ] &&
		set_run 0 --list "pages.sh c.md" && [ "$(cat "$tmp/out")" = "pages.sh c.md" ] || return 1
	fake pages '# Parts: --pages
		exit 1'
	set_run 1 && said "pages.sh --pages: no parts" && rm "$tmp/selftests/pages.sh"
}

# guard LOAD STATUS SECONDS COMMAND...: hang-guard.sh on a machine with this load
guard() {
	local want=$2 rc=0
	echo "$1 1.00 1.00 1/100 1" >"$tmp/load"
	HANG_GUARD_LOADAVG=$tmp/load "$RXE_CC_TOP/scripts/hang-guard.sh" "${@:3}" || rc=$?
	[ "$rc" -eq "$want" ] || { echo "exit status $rc"; return 1; }
}

# A second counts less where the load is above the number of processors, here by more than
# anybody waits: 4 s are then not over after 6. What hangs ends all the same, with all of
# its group.
patient() {
	guard "$(nproc)000.00" 0 4 sleep 6 && guard 0.00 124 2 sleep 600 &&
		guard "$(nproc).00" 124 2 sh -c 'trap "" TERM; sleep 600.5; sleep 600.5' &&
		! pgrep -f '^sleep 600.5' >/dev/null && guard 0.00 7 600 sh -c 'exit 7' &&
		[ "$(echo in | guard 0.00 0 600 cat)" = in ] && guard 0.00 2 no sleep 1 2>/dev/null
}

# A test that hangs has failed, and is named; but not one that waits for its turn.
hangs() {
	fake first 'sleep 5'
	HANG_GUARD_LOADAVG=$tmp/load
	export HANG_GUARD_LOADAVG
	echo "0.00 1.00 1.00 1/100 1" >"$tmp/load"
	TEST_TIMEOUT=2 set_run 1 first && said 'FAIL first.sh: out of time' || return 1
	echo "$(nproc)000.00 1.00 1.00 1/100 1" >"$tmp/load"
	TEST_TIMEOUT=2 set_run 0 first
}

have_lab() {
	[ -x "$RXE_CC_BUILD/uml-lab/linux" ] && [ -x "$RXE_CC_BUILD/bin/lab" ]
}

# What boots a kernel notes which.
notes_kernels() {
	LAB_KERNELS=$tmp/kernels VARIANT=lab "$UML_EXEC" true &&
		[ "$(cat "$tmp/kernels")" = lab ] || return 1
	echo true | LAB_KERNELS=$tmp/kernels "$RXE_CC_BUILD/bin/lab" shell two 2>/dev/null &&
		[ "$(cat "$tmp/kernels")" = $'lab\nlab' ] || { cat "$tmp/kernels"; return 1; }
	! VARIANT=nothing "$UML_EXEC" true >"$tmp/out" 2>&1 && said "no nothing kernel"
}

# complains LINE: a kernel that says so fails a command that succeeds
complains() {
	local rc=0
	"$UML_EXEC" sh -c "echo '<4>$1' >/dev/kmsg" >"$tmp/out" 2>&1 || rc=$?
	[ "$rc" -eq 125 ] || { echo "exit status $rc"; cat "$tmp/out"; return 1; }
}

ktap_print_header
ktap_check "a set: who ignores its kernel, boots another too, or none, has failed" kernels
ktap_check "a set: variables, one test of it, the list" variables
ktap_check "a set that is not there, or names a test that is not there" bad_sets
ktap_check "debug.set names tests that are there" our_set
ktap_check "two tests at the same time, and one alone" at_once
ktap_check "what has not begun in time is skipped" too_late
ktap_check "what a test said of a result that failed" reasons
ktap_check "an end of run.sh ends its tests" ends_all
ktap_check "a test with parts: each is a test" parts
ktap_check "a busy machine has more time, what hangs does not" patient
ktap_check "a test that hangs, and one that waits for its turn" hangs
if have_lab; then
	ktap_check "uml-exec.sh and lab note the kernel that they boot" notes_kernels
	ktap_check "a warning in the kernel's log fails" complains "WARNING: CPU: 0 PID: 1 at x.c:1 y+0x1/0x2"
	ktap_check "lockdep in the kernel's log fails" \
		complains "WARNING: possible circular locking dependency detected"
	ktap_check "KASAN in the kernel's log fails" complains "BUG: KASAN: slab-use-after-free in x+0x1/0x2"
	ktap_check "kmemleak in the kernel's log fails" \
		complains "kmemleak: 1 new suspected memory leaks (see /sys/kernel/debug/kmemleak)"
else
	ktap_test_skip "kernels" "the lab is not built (make lab)"
fi
ktap_finished
