#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a lab in virtual time stays on one processor, two labs on two; more labs than processors
#   and a lab in real time go where they like
# Alone: no other lab may have a processor
. "$(dirname "$0")/../lib/lab_lib.sh"

# start NAME [OPTION]...: a lab that waits in virtual time until it is told to end
start() {
	local name=$1
	shift
	"$LAB" shell two "$@" <<<"echo >$LAB_OUT/$name.up
		until [ -e $LAB_OUT/$name.end ]; do sleep 0.1; done" \
		>"$LAB_OUT/$name.log" 2>&1 &
	labs+=($!)
	for ((i = 0; i < 600; i++)); do
		[ ! -e "$LAB_OUT/$name.up" ] || return 0
		sleep 0.1
	done
	cat "$LAB_OUT/$name.log"
	return 1
}

# Where the lab's kernel may run: the processor, or the list of all.
where() {
	local pid
	for pid in $(pgrep -P "$1" linux); do
		awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$pid/status"
	done
}

# The list of processors that are ours, as the kernel prints it.
all=$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/self/status)
n=$(nproc)

ends() {
	local name
	for name in "$@"; do
		echo >"$LAB_OUT/$name.end"
	done
	wait "${labs[@]}"
	labs=()
}

one() {
	labs=()
	start one --clock virtual || return 1
	local at
	at=$(where "${labs[0]}")
	ends one
	echo "at $at of $all"
	[[ $at =~ ^[0-9]+$ ]]
}

# As many as there are processors, each on one of its own; and one more.
many() {
	local i names=() at
	labs=()
	for ((k = 0; k < n; k++)); do
		names+=("m$k")
		start "m$k" --clock virtual || return 1
	done
	start more --clock virtual || return 1
	at=$(for i in "${labs[@]}"; do where "$i"; done)
	ends "${names[@]}" more
	echo "$at"
	[ "$(head -n "$n" <<<"$at" | grep -cx '[0-9]*')" = "$n" ] &&
		[ "$(head -n "$n" <<<"$at" | sort -u | wc -l)" = "$n" ] &&
		[ "$(tail -n 1 <<<"$at")" = "$all" ]
}

real() {
	labs=()
	start real --clock real || return 1
	local at
	at=$(where "${labs[0]}")
	ends real
	[ "$at" = "$all" ] || { echo "at $at of $all"; return 1; }
}

# A lab that ends gives its processor back a moment later than its output.
nobody() {
	for ((i = 0; i < 600; i++)); do
		grep -q '@rxe-cc-lab-cpu' /proc/net/unix || return 0
		sleep 0.1
	done
	grep '@rxe-cc-lab-cpu' /proc/net/unix
	ps -eo pid,ppid,etimes,args | grep '[/ ]lab '
	return 1
}

ktap_print_header
[ "$n" -ge 2 ] && [ "$n" -le 8 ] || ktap_skip_all "needs two to eight processors"
ktap_check "no other lab runs" nobody
ktap_check "a lab in virtual time stays on one processor" one
ktap_check "each lab has one of its own, one too many goes where it likes" many
ktap_check "a lab in real time goes where it likes" real
ktap_finished
