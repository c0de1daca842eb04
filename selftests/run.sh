#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run the selftests: every executable *.sh here and one directory down.
#   run.sh [--totals FILE] [--list] [--jobs N] [--set NAME] [DIRECTORY|TEST]...
# e.g. run.sh port lab/fabric.sh. A test prints KTAP; exit status 4 means skipped.
# --jobs: so many tests at the same time; default as many as there are processors. Lines
# come as tests end. A test with a line "# Alone: WHY" runs by itself, after the others. One
# with a line "# Parts: OPTION" is a test for each line that it prints with OPTION, and gets
# that line as its argument: "docs.sh README.md" is one of "docs.sh".
# --totals: write "passed failed skipped" to FILE.
# --set: the tests of NAME.set here, with the variables that it gives them, in the
# lab kernel NAME (VARIANT=NAME); with names of tests only those of it. A test that
# boots no such kernel, or another one too, has failed, and so has one that is
# skipped.
# Environment: TEST_TIMEOUT, seconds after which a test hangs, default 3600, 7200 of a set;
# more on a busy machine, as scripts/hang-guard.sh counts them.
# TEST_END, a time in seconds since 1970: what has not begun by then is skipped.
# The last line is: N passed, N failed, N skipped.
set -u
. "$(dirname "$0")/../scripts/common.sh"
here=$top/selftests
logs=$build/log/selftests
totals=$logs/totals
list=
set=
jobs=$(nproc)
declare -A settings # by test of the set: its variables
options "totals= list jobs= set=" "$@"
wanted=("${args[@]}")

tests=()
all_tests() {
	(cd "$here" && find . -mindepth 1 -maxdepth 2 -name '*.sh' -perm -u+x \
		! -path ./run.sh -printf '%P\n' | sort)
}

# Tests of the set, in its order.
set_tests() {
	local t vars
	[ -r "$here/$set.set" ] || die "no set \"$set\": $here/$set.set"
	while read -r t vars; do
		case $t in '' | '#'*) continue ;; esac
		[ -x "$here/$t" ] || die "$set.set: no selftest \"$t\""
		settings[$t]=$vars
		all+=("$t")
	done <"$here/$set.set"
}

# Each test in all that has parts becomes them.
split_tests() {
	local t option parts part whole=("${all[@]}")
	all=()
	for t in "${whole[@]}"; do
		option=$(sed -n 's/^# Parts: //p' "$here/$t")
		[ -n "$option" ] || { all+=("$t"); continue; }
		parts=$("$here/$t" "$option") && [ -n "$parts" ] || die "$t $option: no parts"
		while read -r part; do
			all+=("$t $part")
			settings[$t $part]=${settings[$t]:-}
		done <<<"$parts"
	done
}

find_tests() {
	local w t all=()
	if [ -n "$set" ]; then
		set_tests
	else
		mapfile -t all < <(all_tests)
	fi
	split_tests
	if [ "${#wanted[@]}" -eq 0 ]; then
		tests=("${all[@]}")
		return
	fi
	for w in "${wanted[@]}"; do
		w=${w%/}
		mapfile -t t < <(printf '%s\n' "${all[@]}" |
			awk -v w="$w" '$0 == w || $0 == w ".sh" || index($0, w "/") == 1 ||
				index($0, w " ") == 1 || index($0, w ".sh ") == 1')
		[ -n "${t[0]:-}" ] || die "no selftest \"$w\" (--list shows them)"
		tests+=("${t[@]}")
	done
}

# wrong_kernel FILE: what is wrong with the kernels that were booted, one a line;
# scripts/uml-exec.sh and lab note them there.
wrong_kernel() {
	local other
	[ -s "$1" ] || { echo "no lab kernel was booted"; return; }
	other=$(grep -vxF -m 1 -- "$set" "$1") && echo "ran in the kernel \"$other\""
}

# log_of TEST
log_of() {
	echo "$logs/${1//[\/ ]/-}.log"
}

# run_test TEST: prints one line and what failed; the counters go to its log's .totals.
run_test() {
	local t=$1 log t0=$SECONDS rc=0 p f s report vars=() limit=3600 wrong file=${1%% *} part=()
	log=$(log_of "$t")
	if [ -n "${TEST_END:-}" ] && [ "$EPOCHSECONDS" -ge "$TEST_END" ]; then
		echo "0 0 1" >"$log.totals"
		echo "  skip $t: not begun, the time of this run is over"
		return
	fi
	[ "$t" = "$file" ] || part=("${t#* }")
	if [ -n "$set" ]; then
		read -ra vars <<<"${settings[$t]}"
		vars+=("VARIANT=$set" "LAB_KERNELS=$log.kernels")
		rm -f "$log.kernels"
		limit=7200
	fi
	# Jobs in the background ignore SIGINT, and so would the test's programs.
	(cd "$here/$(dirname "$file")" &&
		exec env -u TEST_END --default-signal=INT,QUIT "${vars[@]}" "$top/scripts/hang-guard.sh" "${TEST_TIMEOUT:-$limit}" \
			"./${file##*/}" "${part[@]}") \
		>"$log" 2>&1 </dev/null &
	# shellcheck disable=SC2064 # this test
	trap "kill $!; exit 1" TERM
	wait $! || rc=$?
	report=$(awk -f "$top/scripts/ktap.awk" -v level=0 -v name="$t" \
		-v totals="$log.totals" "$log")
	read -r p f s <"$log.totals"
	if [ $((p + f + s)) -eq 0 ] && [ "$rc" -eq 4 ]; then
		s=1
		report="  skip $t: $(sed -n 's/^1\.\.0 # SKIP *//p' "$log" | head -n 1)"
	elif [ "$rc" -eq 124 ]; then
		f=$((f + 1))
		report+=${report:+$'\n'}"  FAIL $t: out of time"
	elif [ "$rc" -ne 0 ] && [ "$rc" -ne 4 ] && [ "$f" -eq 0 ]; then
		f=1
		report+=${report:+$'\n'}"  FAIL $t: exit status $rc"
	elif [ $((p + f + s)) -eq 0 ]; then
		f=1
		report="  FAIL $t: no results"
	fi
	if [ -n "$set" ]; then
		wrong=$(wrong_kernel "$log.kernels")
		[ -n "$wrong" ] || [ "$p" -gt 0 ] || [ "$f" -gt 0 ] || wrong="was skipped"
		[ -z "$wrong" ] || {
			f=$((f + 1))
			report+=${report:+$'\n'}"  FAIL $t: $wrong"
		}
	fi
	echo "$p $f $s" >"$log.totals"
	[ "$f" -eq 0 ] || report+=${report:+$'\n'}"       log: $log"
	# In one piece, as others print, too.
	printf '  %-44s %4d passed, %d failed, %d skipped %6d s\n%s' \
		"$t" "$p" "$f" "$s" $((SECONDS - t0)) "${report:+$report$'\n'}"
}

# run_tests N TEST...: N at the same time. What runs is counted anew after each wait, which may
# end for another child of this shell, too, such as one that made a list.
run_tests() {
	local n=$1 t
	shift
	for t; do
		while [ "$(jobs -rp | wc -l)" -ge "$n" ]; do
			wait -n
		done
		run_test "$t" &
	done
	while [ -n "$(jobs -rp)" ]; do
		wait -n
	done
}

[[ $jobs =~ ^[1-9][0-9]*$ ]] || misuse "--jobs: \"$jobs\" is not a number"
find_tests
if [ -n "$list" ]; then
	printf '%s\n' "${tests[@]}"
	exit 0
fi
mkdir -p "$logs" "${totals%/*}" || die "cannot write to $build"
# Jobs in the background do not hear Ctrl-C, and a test has a process group of its own.
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 130' INT TERM
together=() alone=()
for t in "${tests[@]}"; do
	rm -f "$(log_of "$t").totals"
	if grep -q '^# Alone: ' "$here/${t%% *}"; then alone+=("$t"); else together+=("$t"); fi
done
run_tests "$jobs" "${together[@]}"
run_tests 1 "${alone[@]}"
passed=0 failed=0 skipped=0
for t in "${tests[@]}"; do
	# A test of which nothing is known has failed.
	read -r p f s 2>/dev/null <"$(log_of "$t").totals" || p=0 f=1 s=0
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed $failed $skipped" >"$totals"
say "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
