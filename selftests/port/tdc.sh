#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: every option of the qdisc: set, dump, refuse
#
# Runs the cases of tc-tests/, for every option of the roce qdisc, in the lab kernel, with the
# distribution's tc and our plug-in. The cases have the format of the kernel's tc-testing, whose own
# runner (tdc.py) takes them too:
#	setup, cmdUnderTest and its exit status, then verifyCmd's output must
#	match matchPattern exactly matchCount times, then teardown.
set -u
. "$(dirname "$0")/../lib/ktap_helpers.sh"
lib=$RXE_CC_BUILD/tc
cases=$RXE_CC_TOP/selftests/port/tc-tests

# list_cases: the shell code that sets a case's variables, one case a line.
list_cases() {
	jq -r '.[] | . as $c |
		["id", "name", "cmdUnderTest", "expExitCode", "verifyCmd",
		 "matchPattern", "matchCount"] | map("\(.)=\($c[.] | @sh)") +
		["setup=\($c.setup | join(" && ") | @sh)",
		 "teardown=\($c.teardown | join(" && ") | @sh)"] | join(" ")' "$cases"/*/*.json
}

# A case, set by a line of list_cases.
id='' name='' setup='' cmdUnderTest='' expExitCode='' verifyCmd=''
matchPattern='' matchCount='' teardown=''

# judge N: case N, by what it left in $dir. Says what is wrong.
judge() {
	local rc found=() text

	[ -e "$dir/$1.failed" ] && { cat "$dir/$1.failed"; return 1; }
	rc=$(<"$dir/$1.rc") && text=$(<"$dir/$1.out") || return
	if [ "$rc" != "$expExitCode" ]; then
		printf '%s\n' "$cmdUnderTest" "$text" "exit status $rc, expected $expExitCode"
		return 1
	fi
	# one line that names the culprit
	if [ "$rc" -eq 1 ] && [[ -z $text || $text == *$'\n'* ]]; then
		printf '%s\n' "not one line:" "$text"
		return 1
	fi
	mapfile -t found < <(grep -oP -- "$matchPattern" "$dir/$1.verify")
	if [ "${#found[@]}" != "$matchCount" ]; then
		cat "$dir/$1.verify"
		echo "${#found[@]} matches of $matchPattern, expected $matchCount"
		return 1
	fi
}

# To start a process takes long in the lab kernel. So it only runs the commands, and what they
# printed is judged here.
if [ "${1:-}" != inside ]; then
	for f in "$RXE_CC_BUILD"/uml-lab/{linux,sch_roce.ko} "$lib/q_roce.so" \
		"$RXE_CC_BUILD/bin/labinit"; do
		[ -e "$f" ] || ktap_skip_all "$f is not built"
	done
	for c in jq tc; do
		command -v "$c" >/dev/null || ktap_skip_all "no $c"
	done
	dir=$(mktemp -d) || exit 1
	trap 'rm -rf "$dir"' EXIT
	list_cases >"$dir/cases" || exit 1
	mapfile -t all <"$dir/cases"
	ktap_print_header
	ktap_set_plan "$((${#all[@]} + 1))"
	ktap_check "${#all[@]} cases in the lab kernel" "$UML_EXEC" --timeout 600 --modules sch_roce \
		--env "TC_LIB_DIR=$lib" -- "$(realpath "$0")" inside "$dir"
	for n in "${!all[@]}"; do
		eval "${all[n]}"
		ktap_check "$id $name" judge "$n"
	done
	ktap_finished
fi

dir=$2
# The names that the cases use.
# shellcheck disable=SC2034
TC=tc IP=ip DUMMY=tdcdummy0

# commands WHAT COMMANDS: run them. If one fails, so has the case; false.
commands() {
	eval "$2" >"$dir/$n.did" 2>&1 && return
	{ echo "$1 failed: $2"; cat "$dir/$n.did"; } >"$dir/$n.failed"
	return 1
}

# A subshell would be one more process.
mapfile -t all <"$dir/cases" || exit 1
ip link add "$DUMMY" type dummy || exit 1
for n in "${!all[@]}"; do
	eval "${all[n]}"
	if commands setup "$setup"; then
		eval "$cmdUnderTest" >"$dir/$n.out" 2>&1
		echo $? >"$dir/$n.rc"
		eval "$verifyCmd" >"$dir/$n.verify" 2>&1
		commands teardown "$teardown"
	fi
	ip -batch - <<<"link del $DUMMY"$'\n'"link add $DUMMY type dummy" || exit 1
done
