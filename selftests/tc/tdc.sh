#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs the cases of tc-tests/ in the lab kernel, with the distribution's tc and
# our plug-in. The cases have the format of the kernel's tc-testing, whose own
# runner (tdc.py) takes them too:
#	setup, cmdUnderTest and its exit status, then verifyCmd's output must
#	match matchPattern exactly matchCount times, then teardown.
set -u
. "$(dirname "$0")/../lib/ktap_helpers.sh"
lib=$RXE_CC_BUILD/tc
cases=$RXE_CC_TOP/selftests/tc/tc-tests

if [ "${1:-}" != inside ]; then
	for f in "$RXE_CC_BUILD"/uml-lab/{linux,sch_roce.ko} "$lib/q_roce.so" \
		"$RXE_CC_BUILD/bin/labinit"; do
		[ -e "$f" ] || ktap_skip_all "$f is not built"
	done
	for c in jq tc; do
		command -v "$c" >/dev/null || ktap_skip_all "no $c"
	done
	exec "$UML_EXEC" --timeout 600 --modules sch_roce \
		--env "TC_LIB_DIR=$lib" -- "$(realpath "$0")" inside
fi

# The names that the cases use.
# shellcheck disable=SC2034
TC=tc IP=ip DUMMY=tdcdummy0
# A case, set by what list_cases prints.
id='' name='' setup='' cmdUnderTest='' expExitCode='' verifyCmd=''
matchPattern='' matchCount='' teardown=''

# run_case: one case, its fields are in variables. Says what is wrong.
run_case() {
	local out rc=0 found

	while IFS= read -r cmd; do
		[ -z "$cmd" ] && continue
		eval "$cmd" || { echo "setup failed: $cmd"; return 1; }
	done <<<"$setup"

	out=$(eval "$cmdUnderTest" 2>&1) || rc=$?
	if [ "$rc" != "$expExitCode" ]; then
		printf '%s\n' "$cmdUnderTest" "$out" \
			"exit status $rc, expected $expExitCode"
		return 1
	fi
	# one line that names the culprit
	if [ "$rc" -eq 1 ] && [[ -z $out || $out == *$'\n'* ]]; then
		printf '%s\n' "not one line:" "$out"
		return 1
	fi

	out=$(eval "$verifyCmd" 2>&1)
	mapfile -t found <<<"$(grep -oP -- "$matchPattern" <<<"$out")"
	[ -n "${found[0]}" ] || found=()
	if [ "${#found[@]}" != "$matchCount" ]; then
		printf '%s\n' "$out" \
			"${#found[@]} matches of $matchPattern, expected $matchCount"
		return 1
	fi

	while IFS= read -r cmd; do
		[ -z "$cmd" ] && continue
		eval "$cmd" || { echo "teardown failed: $cmd"; return 1; }
	done <<<"$teardown"
}

# The shell code that sets a case's variables, one case a line.
list_cases() {
	jq -r '.[] | . as $c |
		["id", "name", "cmdUnderTest", "expExitCode", "verifyCmd",
		 "matchPattern", "matchCount"] | map("\(.)=\($c[.] | @sh)") +
		["setup=\($c.setup | join(" && ") | @sh)",
		 "teardown=\($c.teardown | join(" && ") | @sh)"] | join(" ")' "$@"
}

ktap_print_header
mapfile -t all <<<"$(list_cases "$cases"/*/*.json)"
ktap_set_plan "${#all[@]}"
for c in "${all[@]}"; do
	eval "$c"
	ip link add "$DUMMY" type dummy || ktap_exit_fail_msg "no dummy device"
	ktap_check "$id $name" run_case
	ip link del "$DUMMY"
done
ktap_finished
