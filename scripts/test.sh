#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What "make test" runs: builds everything, then the quick part of "make check", KUnit
# and the selftests.
#   test.sh [--debug]
# Selftests that have not begun after TEST_MINUTES (environment; 60; 0: no end) are skipped, with a
# line each: where all must end in 90 minutes that leaves time for packages before and for what runs
# then. On most machines all of it takes half an hour.
# --debug: KUnit and the selftests of selftests/debug.set, in the debug kernel.
# Ends with what failed, once more, and the sum of all: N passed, N failed, N skipped.
set -u
. "$(dirname "$0")/common.sh"
case ${1:-} in
-h | --help) usage; exit 0 ;;
'' | --debug) ;;
*) misuse "unknown option \"$1\"" ;;
esac

minutes=${TEST_MINUTES:-60}
[[ $minutes =~ ^[0-9]+$ ]] || misuse "TEST_MINUTES: \"$minutes\" is not a number"
[ $# -eq 0 ] || minutes=${TEST_MINUTES:-0} # the debug kernel takes hours
[ "$minutes" -eq 0 ] || export TEST_END=$((EPOCHSECONDS + 60 * minutes))

say "Build"
make -C "$top" --no-print-directory lab-tests modules-host DEBUG= || exit 1
[ $# -eq 0 ] || "$top/scripts/modules.sh" uml-debug || exit 1
counts=$(mktemp -d "$build/test.XXXXXX") || exit 1
trap 'rm -rf "$counts"' EXIT
if [ $# -eq 0 ]; then
	say "Checks"
	"$top/scripts/check.sh" --quick --totals "$counts/checks" | tee "$counts/checks.out"
else
	echo "0 0 0" >"$counts/checks"
fi
say "KUnit"
"$top/scripts/kunit.sh" ${1:+"$1"} --totals "$counts/kunit" | sed -u 's/^\([0-9]\)/  \1/' |
	tee "$counts/kunit.out"
say "Selftests"
"$top/selftests/run.sh" ${1:+--set debug} --totals "$counts/selftests" | sed -u 's/^\([0-9]\)/  \1/' |
	tee "$counts/selftests.out"
# The end is all that some see of a run.
failures=$(grep -hE '^  FAIL |^[^ ].*:[0-9]+: |^  [a-z-]+ +[1-9][0-9]* findings' "$counts"/*.out)
[ -z "$failures" ] || say "Failures"$'\n'"$failures"
say "Finished in $((SECONDS / 60)) min $((SECONDS % 60)) s"
[ -s "$counts/checks" ] || echo "0 1 0" >"$counts/checks"
[ -s "$counts/kunit" ] || echo "0 1 0" >"$counts/kunit"
[ -s "$counts/selftests" ] || echo "0 1 0" >"$counts/selftests"
awk '{ p += $1; f += $2; s += $3 }
	END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }' \
	"$counts/checks" "$counts/kunit" "$counts/selftests"
