# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Waiting for a condition; sourced, also by scripts that run in guests.

# wait_for TENTHS COMMAND...: run it until it succeeds, so often at most, a tenth of a second apart
wait_for() {
	local i n=$1
	shift
	for ((i = 0; i < n; i++)); do
		"$@" && return 0
		sleep 0.1
	done
	return 1
}
