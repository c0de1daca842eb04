#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: Many hosts on one switch, each sending to one and receiving from another at full rate: no
#   flow slows another. HOSTS sets how many, default 64. And bad input: the lab prints one line that
#   names the error, before anything starts
. "$(dirname "$0")/../lib/lab_lib.sh"

HOSTS=${HOSTS:-64}

# A flow alone on its path; slowed down only by clock reads of the program that
# starts all of them.
permutation() {
	lab_run pairs --cc dcqcn --set n="$HOSTS" --set size=1mb || return 1
	is "$(lab_get pairs/dcqcn/1 .flows.completed)" "==" "$HOSTS" &&
		is "$(lab_get pairs/dcqcn/1 .bottleneck.drops)" "==" 0 &&
		is "$(lab_get pairs/dcqcn/1 .flows.slowdown.p99)" "<=" 1.02
}

# refused CULPRIT OPTION...
refused() {
	local culprit=$1 rc=0
	shift
	"$LAB" run "$@" --out "$LAB_OUT/bad" >"$LAB_OUT/bad.log" 2>&1 || rc=$?
	cat "$LAB_OUT/bad.log"
	[ $rc -ne 0 ] && [ "$(wc -l <"$LAB_OUT/bad.log")" -le 3 ] &&
		grep -qF -- "$culprit" "$LAB_OUT/bad.log" && [ ! -e "$LAB_OUT/bad" ]
}

ktap_print_header
ktap_check "$HOSTS hosts, a random permutation: all at full rate" permutation
ktap_check "unknown scenario" refused nosuch nosuch --cc none
ktap_check "unknown algorithm" refused nosuch two --cc nosuch
ktap_check "unknown key" refused rat two --cc none --set rat=1gbit
ktap_check "unknown unit" refused 1furlong two --cc none --set rate=1furlong
ktap_check "value out of range" refused rate two --cc none --set rate=900gbit
ktap_check "a key without a value" refused rate two --cc none --set rate
ktap_finished
