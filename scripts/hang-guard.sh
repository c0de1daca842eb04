#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run a command and end it when it hangs.
#   hang-guard.sh SECONDS COMMAND [ARG]...
# As timeout(1): after SECONDS the command's process group is ended, and the exit status is
# 124. But the seconds are those of a machine that is not overloaded: while the load is F
# times the number of processors, a second counts as 1/F. So a busy machine does not fail a
# test that only waits for its turn. 10 s after SIGTERM comes SIGKILL.
# Environment: HANG_GUARD_LOADAVG, in place of /proc/loadavg, for the test of this script.
set -u
. "$(dirname "$0")/common.sh"
case ${1:-} in -h | --help) usage; exit 0 ;; esac
[ $# -ge 2 ] || misuse "SECONDS and a command (--help shows the usage)"
limit=$1
shift
[[ $limit =~ ^[1-9][0-9]*$ ]] || misuse "\"$limit\" is not a number of seconds"
cpus=$(nproc)

# Sleeps until the time is over.
watch() {
	local left=$((limit * 1000)) load
	while [ "$left" -gt 0 ]; do
		sleep 1
		read -r load _ <"${HANG_GUARD_LOADAVG:-/proc/loadavg}" || load=0.00
		load=$((10#${load/./} / cpus)) # in hundredths, for one processor
		left=$((left - (load > 100 ? 100000 / load : 1000)))
	done
}

# A process group of its own, with the stdin of this script.
set -m
"$@" <&0 &
pid=$!
set +m
# shellcheck disable=SC2064 # expand now
trap "kill -- -$pid 2>/dev/null" TERM INT HUP
watch >/dev/null 2>&1 </dev/null &
watcher=$!
wait -n -p first "$pid" "$watcher"
rc=$?
if [ "${first:-}" = "$watcher" ]; then
	kill -- -"$pid" 2>/dev/null
	for ((i = 0; i < 100; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL -- -"$pid" 2>/dev/null
	wait "$pid" 2>/dev/null # and no word about it
	rc=124
elif [ -z "${first:-}" ]; then # a signal to this script
	wait "$pid"
	rc=$?
fi
kill "$watcher" 2>/dev/null
exit $rc
