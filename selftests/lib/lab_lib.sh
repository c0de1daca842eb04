# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Lab runs in a temporary directory; sourced.
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "${BASH_SOURCE[0]}")/ktap_helpers.sh"
LAB=$RXE_CC_BUILD/bin/lab
LAB_OUT=$(mktemp -d) || exit 1
trap 'rm -rf "$LAB_OUT"' EXIT

[ -x "$LAB" ] && [ -x "$RXE_CC_BUILD/uml-${VARIANT:-lab}/linux" ] ||
	ktap_skip_all "the lab is not built (make lab)"
if [ "${VARIANT:-lab}" = debug ]; then
	# What boots a kernel boots that one.
	cat >"$LAB_OUT/lab" <<-END
		#!/bin/bash
		case \${1:-} in run | replay | shell) set -- "\$1" --debug "\${@:2}" ;; esac
		exec "$LAB" "\$@"
	END
	chmod +x "$LAB_OUT/lab"
	LAB=$LAB_OUT/lab
fi
command -v jq >/dev/null || ktap_skip_all "needs jq"

# lab_run SCENARIO OPTION...: prints nothing unless it fails
lab_run() {
	local log=$LAB_OUT/log.$$.$RANDOM
	"$LAB" run "$@" --out "${LAB_DIR:-$LAB_OUT/r}" >"$log" 2>&1 </dev/null && return 0
	tail -n 20 "$log"
	return 1
}

# lab_get SCENARIO/CC/SEED JQ-FILTER
lab_get() {
	jq -r "$2" "${LAB_DIR:-$LAB_OUT/r}/${1%/*}/seed${1##*/}/summary.json"
}

# is VALUE OP BOUND, in floating point; says so when it does not hold
is() {
	awk -v a="$1" -v op="$2" -v b="$3" 'BEGIN {
		if (a == "" || a == "null") { print "no value"; exit 1 }
		a += 0; b += 0
		ok = op == "<" ? a < b : op == "<=" ? a <= b : op == ">=" ? a >= b : op == "==" ? a == b : 0
		if (!ok) printf "%s is not %s %s\n", a, op, b
		exit !ok
	}'
}

# near VALUE EXPECTED FRACTION
near() {
	is "$1" ">=" "$(awk -v b="$2" -v f="$3" 'BEGIN { print b * (1 - f) }')" &&
		is "$1" "<=" "$(awk -v b="$2" -v f="$3" 'BEGIN { print b * (1 + f) }')"
}

# median VALUE...
median() {
	printf '%s\n' "$@" | sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# on_page PAGE TEXT: is this line on a page of Documentation/; always if the page is being
# made anew
on_page() {
	[ -z "${PAGE_IS_MADE:-}" ] || return 0
	grep -qxF -- "$2" "$RXE_CC_TOP/Documentation/$1" || { echo "not on $1: $2"; return 1; }
}

# ends STATUS COMMAND...: it ends with this status and one line that says why
ends() {
	local want=$1 rc=0
	shift
	"$@" >"$LAB_OUT/out" 2>"$LAB_OUT/err" </dev/null || rc=$?
	[ "$rc" -eq "$want" ] || { echo "status $rc, not $want"; cat "$LAB_OUT/err"; return 1; }
	grep -q '^lab: ' "$LAB_OUT/err" || { echo "no message"; return 1; }
}

# nothing_left DIR: no results, no work directory in $LAB_OUT/tmp
nothing_left() {
	local left
	left=$(find "$LAB_OUT/tmp" -mindepth 1 2>/dev/null)
	[ ! -e "$1" ] && [ -z "$left" ] && return
	echo "left behind: $1 $left"
	return 1
}
