#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab sweep` on two machines by ssh (sshd on the loopback): the same bytes, also after a
#   machine was killed; what is refused
# Alone: kills tasks when they are half done, by the clock
. "$(dirname "$0")/../lib/lab_lib.sh"
. "$(dirname "$0")/../lib/sweep_lib.sh"
needs parallel tar sshd ssh ssh-keygen rsync perl

if [ -n "${FULL:-}" ]; then
	# 8 seeds x 4 algorithms x 2 sizes
	runs=64
	what=(--set "size=4mb,8mb" --cc "none,dcqcn,timely,hpcc" --seed 1-8)
else
	runs=8
	what=(--set "size=4mb,8mb" --cc "none,dcqcn" --seed 1-2)
fi

sweep() { "$LAB" sweep two --mem 256 "${what[@]}" "$@"; }

# begin OPTION...: a sweep in the background, its process in $pid
begin() {
	"$LAB" sweep two --mem 256 "${what[@]}" "$@" >"$LAB_OUT/out" 2>"$LAB_OUT/err" &
	pid=$!
}

remote() { sweep --sshlogin a,b --ssh "$SWEEP_SSH" --remote-dir "$LAB_OUT/lab" "$@"; }

results() { [ "$(find "$1" -name run.json 2>/dev/null | wc -l)" -ge "$2" ]; }

# took COMMAND...: its wall time, said when FULL=1
took() {
	local t0=$SECONDS
	"$@" || return 1
	[ -z "${FULL:-}" ] || ktap_print_msg "$runs runs: $((SECONDS - t0)) s: ${*:1:1}" >&3
}

# nothing_there: no run, no file of one is left on the machines
nothing_there() {
	local left
	left=$(find "$LAB_OUT"/ssh/home-* -type f)
	[ -z "$left" ] || { echo "left: $left"; return 1; }
}

locally() {
	took sweep --out "$LAB_OUT/local" -q >"$LAB_OUT/out" 2>&1 || { cat "$LAB_OUT/out"; return 1; }
	[ "$(find "$LAB_OUT/local" -name summary.json | wc -l)" -eq "$runs" ]
}

two_machines() {
	local dir=$LAB_OUT/both n
	took remote --out "$dir" >"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	same_results "$LAB_OUT/local" "$dir" || return 1
	for n in a b; do
		grep -q "^[0-9]*	$n	" "$dir/.sweep/joblog" || { echo "$n did nothing"; return 1; }
	done
	[ "$(grep -c '1/1' "$LAB_OUT/out")" -eq "$runs" ] && nothing_there
}

# A machine is lost in the middle of its runs: the other one makes them.
lost_machine() {
	local dir=$LAB_OUT/lost pid
	begin --sshlogin a,b --ssh "$SWEEP_SSH" --remote-dir "$LAB_OUT/lab" --jobs 1 --out "$dir"
	until_true 60 results "$dir" 2 || { cat "$LAB_OUT/err"; return 1; }
	until_true 60 busy b || return 1
	ssh_kill b
	wait $pid || { cat "$LAB_OUT/err" "$LAB_OUT/out"; return 1; }
	same_results "$LAB_OUT/local" "$dir"
}

# The sweep itself is killed with runs on both machines, which end; it goes on with one,
# as the other has not come back.
killed_sweep() {
	local dir=$LAB_OUT/killed pid
	begin --sshlogin a,b --ssh "$SWEEP_SSH" --remote-dir "$LAB_OUT/lab" --jobs 1 --out "$dir"
	until_true 60 results "$dir" 2 || { cat "$LAB_OUT/err"; return 1; }
	kill -KILL $pid
	wait $pid 2>/dev/null
	until_true 20 idle || return 1
	! results "$dir" "$runs" || { echo "all done"; return 1; }
	ssh_kill b
	ends 1 remote --out "$dir" && grep -q -- '--sshlogin b: ' "$LAB_OUT/err" || return 1
	sweep --sshlogin a --ssh "$SWEEP_SSH" --remote-dir "$LAB_OUT/lab" --out "$dir" \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	grep -q "of $runs runs have their results" "$LAB_OUT/err" && same_results "$LAB_OUT/local" "$dir"
}

# No worker runs on either machine.
idle() { ! pgrep -f "$LAB_OUT/lab/build/bin/lab"; }

# refused WORDS OPTION...: one line, nothing is made
refused() {
	local words=$1
	shift
	ends 1 "$LAB" sweep two --mem 256 --out "$LAB_OUT/n" "$@" || return 1
	[ "$(wc -l <"$LAB_OUT/err")" -eq 1 ] && grep -qF -- "$words" "$LAB_OUT/err" ||
		{ cat "$LAB_OUT/err"; return 1; }
	[ ! -e "$LAB_OUT/n" ]
}

# A file that an option names is sent along, whatever its name; one that is named by its
# full path must be there, and one above this directory cannot be sent.
files() {
	local dir="$LAB_OUT/fi les" name="in/a b'c,d\$e.csv" text
	mkdir -p "$dir/in" && cd "$dir" || return 1
	text=$(printf 'id,src,dst,bytes,start_ns\n0,h0,h1,100000,0\n1,h2,h3,100000,1000\n')
	echo "$text" >"$name"
	set -- --mem 256 --set n=4 --set "flows_file=${name//,/\\,}" --seed 1-2
	"$LAB" sweep star "$@" --out here >"$LAB_OUT/out" 2>"$LAB_OUT/err" &&
		"$LAB" sweep star "$@" --sshlogin a --ssh "$SWEEP_SSH" --out there >"$LAB_OUT/out" \
			2>"$LAB_OUT/err" || { cat "$LAB_OUT/err" "$LAB_OUT/out"; return 1; }
	same_results here there && nothing_there || return 1
	ends 2 "$LAB" sweep star --mem 256 --set n=4 --set "flows_file=../${dir##*/}/${name//,/\\,}" \
		--sshlogin a --ssh "$SWEEP_SSH" --out up && grep -q "below this directory" "$LAB_OUT/err"
}

other_build() {
	local rc=0
	make_other || return 1
	refused "--sshlogin a: $LAB_OUT/lab/build/bin/lab is built from" --sshlogin a --ssh "$SWEEP_SSH" \
		--remote-dir "$LAB_OUT/lab" || rc=1
	install_lab || return 1
	return $rc
}

no_ssh() {
	local dir=$LAB_OUT/without
	mkdir -p "$dir" && ln -s /usr/bin/* "$dir/" && rm "$dir/ssh" || return 1
	PATH=$dir refused "ssh: not found" --sshlogin a
}

exec 3>&1
ktap_print_header
ssh_up a b || ktap_exit_fail_msg "sshd does not start"
install_lab || ktap_exit_fail_msg "the lab cannot be copied"
ktap_check "an unknown machine" refused "--sshlogin nohost.invalid: " --sshlogin nohost.invalid
ktap_check "a machine that does not answer" refused "--sshlogin nobody: " --sshlogin a,nobody --ssh \
	"$SWEEP_SSH"
ktap_check "no ssh" no_ssh
ktap_check "a machine without the lab" refused "--sshlogin a: it lacks /nowhere/build/bin/lab: build it" \
	--sshlogin a --ssh "$SWEEP_SSH" --remote-dir /nowhere
ktap_check "a machine with another build" other_build
ktap_check "here" locally
ktap_check "two machines: the bytes of local runs, nothing stays there" two_machines
ktap_check "files that options name" files
ktap_check "a machine is lost in the middle: the other makes its runs" lost_machine
ktap_check "the machine comes back" ssh_start b
ktap_check "the sweep is killed, and goes on with one machine" killed_sweep
ktap_finished
