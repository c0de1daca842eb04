#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: two runs into one directory at once: the second loses; nothing is locked after a crash
#
# Where results go: two runs into one place at once, what a killed run leaves there.
. "$(dirname "$0")/../lib/lab_lib.sh"

# long_run OUT OPTION...: a run that goes on for hours, its process id in $long; it
# has the place once its kernel has been started
long_run() {
	local out=$1
	shift
	mkdir -p "$LAB_OUT/tmp"
	TMPDIR=$LAB_OUT/tmp "$LAB" run two --mem 256 --set size=100gb --out "$out" "$@" \
		>"$LAB_OUT/long" 2>&1 </dev/null &
	long=$!
	for _ in $(seq 300); do
		[ -z "$(find "$LAB_OUT/tmp" -name uml.log)" ] || return 0
		sleep 0.1
	done
	cat "$LAB_OUT/long"
	return 1
}

# end_long SIGNAL
end_long() {
	kill "-$1" "$long"
	wait "$long" 2>/dev/null
	return 0
}

# The second has other settings, the same, or --force: it loses and changes nothing.
second_loses() {
	local rc=0 o dir=$LAB_OUT/p
	long_run "$dir" --cc dcqcn || return 1
	for o in size=64kb size=100gb; do
		ends 1 "$LAB" run two --set $o --cc none,dcqcn --force --out "$dir" &&
			grep -q "$dir/two/dcqcn/seed1: another run" "$LAB_OUT/err" || rc=1
	done
	# That of none was free, but the run as a whole was refused.
	[ ! -e "$dir/two/none" ] || { echo "two/none was made"; rc=1; }
	end_long TERM
	nothing_left "$dir" && return $rc
}

# Other seeds and algorithms beside it are what sweeps are made of.
others_go_on() {
	local rc=0 dir=$LAB_OUT/b
	long_run "$dir" --cc dcqcn || return 1
	LAB_DIR=$dir lab_run two --set size=64kb --cc none &&
		LAB_DIR=$dir lab_run two --set size=64kb --cc dcqcn --seed 2 || rc=1
	end_long TERM
	[ "$(cd "$dir/two" && echo */*)" = "dcqcn/seed2 none/seed1" ] ||
		{ ls -R "$dir"; return 1; }
	return $rc
}

# The lock of a run that was killed is gone with it, and results come there.
after_kill() {
	local dir=$LAB_OUT/k
	long_run "$dir" --cc dcqcn || return 1
	end_long KILL
	rm -rf "${LAB_OUT:?}/tmp"
	[ -z "$(find "$dir" -type f)" ] || { find "$dir"; return 1; }
	LAB_DIR=$dir lab_run two --set size=64kb --cc dcqcn && [ -s "$dir/two/dcqcn/seed1/summary.json" ]
}

# Two items of one list, one of which would overwrite the other's results.
twice() {
	ends 2 "$LAB" run two --cc "$1" --out "$LAB_OUT/t" &&
		grep -q "same place, $LAB_OUT/t/two/$2/seed1" "$LAB_OUT/err" && [ ! -e "$LAB_OUT/t" ]
}

# As on NFS, where flock() fails on what is not open for writing.
no_locks() {
	local dir=$LAB_OUT/nl
	echo '#include <errno.h>
		int flock(int fd, int op) { errno = EBADF; return fd < 0 || op ? -1 : 0; }' |
		cc -shared -fPIC -o "$LAB_OUT/nolock.so" -x c - || return 1
	LD_PRELOAD=$LAB_OUT/nolock.so "$LAB" run two --set size=64kb -q --out "$dir" \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	grep -q "$dir/two/none/seed1: no locks there" "$LAB_OUT/err" &&
		[ -s "$dir/two/none/seed1/summary.json" ]
}

ktap_print_header
ktap_check "two runs into one place: the second loses, the place is named" second_loses
ktap_check "runs into places of their own below one directory" others_go_on
ktap_check "a run that was killed leaves no lock" after_kill
ktap_check "a file system without locks: said, and the run goes on" no_locks
ktap_check "the same algorithm twice" twice dcqcn,none,dcqcn dcqcn
ktap_check "the same variant twice" twice dcqcn:dce_tcp_g=1/16,dcqcn:dce_tcp_g=1/16 \
	dcqcn:dce_tcp_g=1_16
ktap_finished
