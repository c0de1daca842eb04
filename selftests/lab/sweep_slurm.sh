#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab sweep` by Slurm (one node that the test starts): the same bytes, also after a task or
#   the sweep was killed; what is refused
# Alone: kills tasks when they are half done, by the clock
. "$(dirname "$0")/../lib/lab_lib.sh"
. "$(dirname "$0")/../lib/sweep_lib.sh"
needs parallel tar munged slurmctld slurmd sbatch squeue

if [ -n "${FULL:-}" ]; then
	# 8 seeds x 4 algorithms x 2 sizes
	runs=64
	what=(--set "size=4mb,8mb" --cc "none,dcqcn,timely,hpcc" --seed 1-8)
else
	runs=8
	what=(--set "size=4mb,8mb" --cc "none,dcqcn" --seed 1-2)
fi
# Arrays of at most 5: several for one sweep.
export SLURM_MAX_ARRAY=6

sweep() { "$LAB" sweep two --mem 256 "${what[@]}" "$@"; }

# begin OPTION...: a sweep in the background, its process in $pid
begin() {
	"$LAB" sweep two --mem 256 "${what[@]}" "$@" >"$LAB_OUT/out" 2>"$LAB_OUT/err" &
	pid=$!
}

results() { [ "$(find "$1" -name run.json 2>/dev/null | wc -l)" -ge "$2" ]; }
running() { squeue -h -r -t running -o %i | grep -q .; }
empty() { [ -z "$(squeue -h -r -o %i)" ]; }
arrived() { find "$1/.sweep/out" -name '*.tar' | grep -q .; }

# took COMMAND...: its wall time, said when FULL=1
took() {
	local t0=$SECONDS
	"$@" || return 1
	[ -z "${FULL:-}" ] || ktap_print_msg "$runs runs: $((SECONDS - t0)) s: ${*:2:1}" >&3
}

locally() {
	took sweep --out "$LAB_OUT/local" -q >"$LAB_OUT/out" 2>&1 || { cat "$LAB_OUT/out"; return 1; }
	[ "$(find "$LAB_OUT/local" -name summary.json | wc -l)" -eq "$runs" ]
}

arrays() {
	local dir=$LAB_OUT/arrays
	took sweep --slurm --slurm-opt=--comment=x --out "$dir" >"$LAB_OUT/out" 2>"$LAB_OUT/err" ||
		{ cat "$LAB_OUT/err"; return 1; }
	same_results "$LAB_OUT/local" "$dir" && [ "$(grep -c '1/1' "$LAB_OUT/out")" -eq "$runs" ] &&
		[ "$(wc -l <"$dir/.sweep/slurm")" -eq $(((runs + 4) / 5)) ]
}

# Processes of a task are killed in the middle of its runs: it is submitted again. Soon: a
# task whose last run is over when the signal comes need not be.
killed_task() {
	local dir=$LAB_OUT/task pid
	begin --slurm --out "$dir"
	until_true 60 results "$dir" 1 &&
		until_true 60 pkill -KILL -f -- "--worker.*$LAB_OUT/task/" || return 1
	wait $pid || { cat "$LAB_OUT/err" "$LAB_OUT/out"; return 1; }
	same_results "$LAB_OUT/local" "$dir" && [ "$(wc -l <"$dir/.sweep/slurm")" -gt $(((runs + 4) / 5)) ]
}

# The sweep is killed and its jobs go on: the next one submits none of them again.
killed_sweep() {
	local dir=$LAB_OUT/killed pid
	begin --slurm --jobs 1 --out "$dir"
	until_true 60 results "$dir" 2 || { cat "$LAB_OUT/err"; return 1; }
	kill -KILL $pid
	wait $pid 2>/dev/null
	until_true 20 running || return 1
	sweep --slurm --out "$dir" >"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	same_results "$LAB_OUT/local" "$dir" && [ "$(wc -l <"$dir/.sweep/slurm")" -eq $(((runs + 4) / 5)) ] ||
		{ cat "$dir/.sweep/slurm"; return 1; }
}

# Jobs are taken out of the queue: the next sweep submits what is missing.
cancelled() {
	local dir=$LAB_OUT/cancelled
	sweep --slurm --no-wait --out "$dir" >"$LAB_OUT/out" 2>"$LAB_OUT/err" &&
		grep -q "$runs runs submitted" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	until_true 60 arrived "$dir" && scancel --name=lab-two && until_true 60 empty || return 1
	[ -z "$(find "$dir" -name run.json)" ] || { echo "there are results"; return 1; }
	sweep --slurm --out "$dir" >"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	same_results "$LAB_OUT/local" "$dir" && [ -z "$(find "$dir/.sweep" -name '*.tar*')" ]
}

# refused STATUS WORDS OPTION...: one line, nothing is made
refused() {
	local status=$1 words=$2
	shift 2
	ends "$status" "$LAB" sweep two --mem 256 --slurm --out "$LAB_OUT/n" "$@" || return 1
	[ "$(wc -l <"$LAB_OUT/err")" -eq 1 ] && grep -qF -- "$words" "$LAB_OUT/err" ||
		{ cat "$LAB_OUT/err"; return 1; }
	[ -z "$(find "$LAB_OUT/n" -name run.json 2>/dev/null)" ] && rm -rf "$LAB_OUT/n"
}

# A node whose build is another one says so, and nothing comes of it.
other_build() {
	install_lab && make_other || return 1
	ends 1 "$LAB" sweep two --mem 256 --slurm --remote-dir "$LAB_OUT/lab" --out "$LAB_OUT/other" &&
		grep -q "failed: $LAB_OUT/lab is built from" "$LAB_OUT/out" || { cat "$LAB_OUT/out"; return 1; }
}

no_controller() {
	sed "s|^SlurmctldPort=.*|SlurmctldPort=1|" "$SLURM_CONF" >"$LAB_OUT/slurm/none.conf"
	SLURM_CONF=$LAB_OUT/slurm/none.conf refused 1 "--slurm: "
}

exec 3>&1
ktap_print_header
slurm_up || ktap_exit_fail_msg "Slurm does not start"
ktap_check "no controller" no_controller
ktap_check "an option that sbatch refuses" refused 1 "--slurm: sbatch: " --slurm-opt=--bogus
ktap_check "a partition that there is not" refused 1 "--slurm: sbatch: error: invalid partition" \
	--slurm-opt=--partition=bogus
ktap_check "jobs that are no number" refused 2 "--jobs 50%" --jobs 50%
ktap_check "here" locally
ktap_check "job arrays: the bytes of local runs" arrays
ktap_check "tasks are killed in the middle: they are made again" killed_task
ktap_check "the sweep is killed: its jobs are found in the queue" killed_sweep
ktap_check "jobs are cancelled: the same command goes on" cancelled
ktap_check "a node with another build" other_build
ktap_finished
