#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run the selftests: every executable *.sh here and one directory down.
#   run.sh [--totals FILE] [--list] [DIRECTORY|TEST]...
# e.g. run.sh tc lab/two.sh. A test prints KTAP; exit status 4 means skipped.
# --totals: write "passed failed skipped" to FILE.
# Environment: TEST_TIMEOUT, seconds for one test, default 900.
# The last line is: N passed, N failed, N skipped.
set -u
. "$(dirname "$0")/../scripts/common.sh"
here=$top/selftests
logs=$build/log/selftests
totals=$logs/totals
list=
wanted=()
while [ $# -gt 0 ]; do
	case $1 in
	--totals) totals=${2:?--totals needs a file}; shift ;;
	--list) list=1 ;;
	-h | --help) usage; exit 0 ;;
	-*) die "unknown option \"$1\"" ;;
	*) wanted+=("$1") ;;
	esac
	shift
done

tests=()
find_tests() {
	local w t all
	mapfile -t all < <(cd "$here" && find . -mindepth 1 -maxdepth 2 -name '*.sh' -perm -u+x \
		! -path ./run.sh -printf '%P\n' | sort)
	if [ "${#wanted[@]}" -eq 0 ]; then
		tests=("${all[@]}")
		return
	fi
	for w in "${wanted[@]}"; do
		w=${w%/}
		mapfile -t t < <(printf '%s\n' "${all[@]}" |
			awk -v w="$w" '$0 == w || $0 == w ".sh" || index($0, w "/") == 1')
		[ -n "${t[0]:-}" ] || die "no selftest \"$w\" (--list shows them)"
		tests+=("${t[@]}")
	done
}

# run_test TEST: adds to the counters, prints one line and what failed.
run_test() {
	local t=$1 log t0=$SECONDS rc=0 p f s report
	log=$logs/${t//\//-}.log
	(cd "$here/$(dirname "$t")" &&
		timeout -k 10 "${TEST_TIMEOUT:-900}" "./${t##*/}") >"$log" 2>&1 </dev/null || rc=$?
	report=$(awk -f "$top/scripts/ktap.awk" -v level=0 -v name="$t" \
		-v totals="$log.totals" "$log")
	read -r p f s <"$log.totals"
	rm -f "$log.totals"
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
	printf '  %-32s %4d passed, %d failed, %d skipped %6d s\n' \
		"$t" "$p" "$f" "$s" $((SECONDS - t0))
	[ -z "$report" ] || printf '%s\n' "$report"
	[ "$f" -eq 0 ] || say "       log: $log"
	passed=$((passed + p))
	failed=$((failed + f))
	skipped=$((skipped + s))
}

passed=0
failed=0
skipped=0
find_tests
if [ -n "$list" ]; then
	printf '%s\n' "${tests[@]}"
	exit 0
fi
mkdir -p "$logs" "${totals%/*}" || die "cannot write to $build"
for t in "${tests[@]}"; do
	run_test "$t"
done
echo "$passed $failed $skipped" >"$totals"
say "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
