#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run the KUnit suites in the lab kernel.
#   kunit.sh [--debug] [--totals FILE]
# --totals: write "passed failed skipped" (test cases) to FILE.
# Builds the suites, and all modules with them, if there are none (make lab makes none).
# Prints what failed and, last, N passed, N failed, N skipped.
set -u
. "$(dirname "$0")/common.sh"

variant=lab
debug='' totals=$build/log/kunit/totals
options "debug totals=" "$@"
[ -z "$debug" ] || variant=debug

out=$build/log/kunit
mkdir -p "$out" "${totals%/*}"
"$top/scripts/modules.sh" "uml-$variant" --tests || exit 1
suites=("$build/uml-$variant"/*_kunit.ko)

# The conformance suite tests every algorithm that is loaded: "testalg" is none.
modules=()
for m in "$build/uml-$variant"/rxe_cc_*.ko; do
	[[ $m == *_kunit.ko || $m == *_testalg.ko ]] || modules+=("$m")
done
modules+=("${suites[@]}")

# Every suite's results are a file of their own in debugfs.
timeout=300
[ "$variant" = lab ] || timeout=1800 # at a load of 12 it took 11 minutes
options=(--timeout "$timeout" --out "$out" --modules "${modules[*]}")
[ "$variant" = lab ] || options+=(--debug)
"$top/scripts/uml-exec.sh" "${options[@]}" -- \
	sh -c 'cat /sys/kernel/debug/kunit/*/results' >"$out/results.ktap" 2>"$out/errors"
rc=$?

awk -f "$top/scripts/ktap.awk" -v level=1 -v name=kunit -v totals="$totals" "$out/results.ktap"
read -r passed failed skipped <"$totals"
if [ "$rc" -ne 0 ]; then
	cat "$out/errors" >&2
	say "  FAIL kunit: the lab kernel (exit status $rc), log: $out/console.log"
	failed=$((failed + 1))
elif [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ]; then
	say "  FAIL kunit: no results, log: $out/console.log"
	failed=1
fi
echo "$passed $failed $skipped" >"$totals"
# Show the cause of each failure: the lines between it and the result before.
[ "$failed" -eq 0 ] || grep -aE '^ +(# |not ok)' "$out/results.ktap" |
	grep -vE '# (module|Subtest|Totals)|: pass:' | head -n 60
say "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
