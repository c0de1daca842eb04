#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Torture our modules on several processors: guests of QEMU run jobs that race, remove
# and fuzz; Documentation/devel/torture.md tells of each.
#   torture.sh [OPTION]...
#     --time S          seconds for all jobs together, default 600; booting, building and
#                       looking for leaks come on top
#     --seed N          of all random choices, default a new one, which is printed
#     --only 'A B'      only these jobs; --list shows them
#     --cpus N          one guest of each kernel, with that many processors
#     --kernels 'A B'   only these of host, kasan and kcsan. host is the distribution's, kasan
#                       has KASAN, lockdep and kmemleak, kcsan has KCSAN. Default: those of
#                       them that still leave every job 60 s, in this order. kasan73 and
#                       kcsan73 are the same of Linux 7.3, from the distribution's archive
#     --out DIR         where logs and results go, default build/torture/SEED
#     --list            the jobs, with their shares of the time
# The last lines are a table of what ran and what was found; summary.json has the same.
# Exit status: 0 nothing found, 1 a splat, leak, stuck queue pair, hang or failed check, 2
# usage, 4 something that is needed is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/common.sh
. "$here/../../../scripts/common.sh"

# A guest a line: kernel, processors, then its jobs with their shares.
guests='
host 4 removal:8 storm:6 fuzz:6 netem:5 packets:4
host 2 removal:4 storm:4 fuzz:4
kasan 4 kunit:4 removal:8 failnth:10 faults:6 storm:6 fuzz:6 netem:4 packets:4
kasan 2 kunit:4 removal:4 storm:4 fuzz:4 netem:4 packets:4
kcsan 4 removal:6 faults:4 storm:6 fuzz:4 netem:4 packets:4
kasan73 4 kunit:4 removal:8 failnth:10 faults:6 storm:6 fuzz:6 netem:4 packets:4
kcsan73 4 removal:6 faults:4 storm:6 fuzz:4 netem:4 packets:4
'
declare -A targets=([host]=host [kasan]=x86-kasan [kcsan]=x86-kcsan [kasan73]=x86-kasan73 [kcsan73]=x86-kcsan73)
job_seconds=60

time=600 seed=$((SECONDS + $(date +%s) % 1000000)) only='' kernels='' cpus='' out='' list=''
options "time= seed= only= jobs:only cpus= kernels= out= list" "$@"
[ "${#args[@]}" -eq 0 ] || misuse "unknown argument \"${args[0]}\" (--help lists them)"
for v in "$time" "$seed" "${cpus:-1}"; do
	[[ $v =~ ^[0-9]+$ ]] || misuse "\"$v\" is not a number"
done
for v in $kernels; do
	[ -n "${targets[$v]:-}" ] || misuse "unknown kernel \"$v\": host, kasan, kcsan, kasan73 or kcsan73"
done
if [ -n "$list" ]; then
	grep . <<<"$guests"
	exit 0
fi
for v in $only; do
	grep -q "[ ]$v:" <<<"$guests" || misuse "unknown job \"$v\" (--list shows them)"
done

# chosen: the guests with what was asked for, one a line; with --cpus one of each kernel
chosen() {
	local kernel n j line seen=
	while read -r kernel n line; do
		[[ " $kernels " == *" $kernel "* ]] || continue
		[ -z "$cpus" ] || [[ $seen != *" $kernel "* ]] || continue
		set --
		for j in $line; do
			[ -n "$only" ] && [[ " $only " != *" ${j%:*} "* ]] || set -- "$@" "$j"
		done
		[ $# -gt 0 ] || continue
		seen+=" $kernel "
		echo "$kernel ${cpus:-$n} $*"
	done <<<"$guests"
}

# plan_for KERNELS: sets plan and shares; false when a job of it has too little time
plan_for() {
	local least
	kernels=$1
	mapfile -t plan < <(chosen)
	read -r shares least < <(printf '%s\n' "${plan[@]}" | tr ' ' '\n' |
		awk -F: 'NF == 2 { n += $2; if (!least || $2 < least) least = $2 } END { print n + 0, least + 0 }')
	[ $((time * least)) -ge $((job_seconds * shares)) ]
}
if [ -n "$kernels" ]; then
	plan_for "$kernels"
else
	plan_for "host kasan kcsan" || plan_for "host kasan" || plan_for host
fi
[ ${#plan[@]} -gt 0 ] || misuse "nothing to do: none of the jobs runs in these kernels"

PATH=$PATH:/usr/sbin:/sbin
for v in qemu-system-x86_64 busybox jq ip tc rdma bridge cc; do
	command -v $v >/dev/null || { say "torture.sh: $v: not installed"; exit 4; }
done
out=${out:-$build/torture/$seed}
mkdir -p "$out" || die "cannot write to $out"
rm -f "$out"/*.{out,console,err} "$out/summary.json"
out=$(realpath "$out")

# Programs of ours that a guest needs.
bin=$build/torture/bin
programs() {
	local f libs
	mkdir -p "$bin"
	for f in "$here"/*.c; do
		libs=$(sed -n 's/^ \*\tLibraries: //p' "$f")
		# shellcheck disable=SC2086 # a list
		cc -O2 -g -Wall -Wextra -std=gnu11 -D_GNU_SOURCE -I "$top/include/uapi" \
			-o "$bin/$(basename "$f" .c)" "$f" $libs || return 1
	done
}
# Those of selftests, in $build/selftests
selftest_programs() {
	local p
	mkdir -p "$build/selftests"
	for p in rxe_raw rxe_report rxe_fuzz rxe_forge; do
		cc -O2 -g -Wall -Wextra -std=gnu11 -D_GNU_SOURCE -o "$build/selftests/$p" "$top/selftests/rxe/$p"*.c || return 1
	done
}
step "programs of the jobs" "$build/log/torture-programs.log" programs || exit 1
step "programs of selftests" "$build/log/torture-selftests.log" selftest_programs || exit 1
for v in flowgen rxecc tc; do
	"$top/scripts/tool.sh" $v || exit 1
done
for v in $kernels; do
	[[ ${plan[*]} != *"$v "* ]] || "$top/scripts/modules.sh" "${targets[$v]}" || exit 1
done

# A checkout as a guest sees it, in /t.
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
lay_out() {
	local modules=$1
	rm -rf "${tree:?}"/*
	mkdir -p "$tree"/build/{bin,tc,torture,uml-lab}
	cp -r "$build/selftests" "$tree/build/" && cp -r "$here" "$tree/torture" &&
		cp "$top/tools/lib/wait.sh" "$tree/torture/" &&
		cp "$build"/bin/{flowgen,rxecc} "$tree/build/bin/" &&
		cp "$build/tc/q_roce.so" "$tree/build/tc/" &&
		cp "$top/scripts/ktap.awk" "$tree/torture/" &&
		cp "$bin"/* "$tree/build/torture/" && cp "$modules"/*.ko "$tree/build/uml-lab/"
}

# guest KERNEL CPUS JOB:SHARE...: its logs are KERNEL-CPUS.*
guest() {
	local kernel=$1 n=$2 name=$out/$1-$2 dir=$build/${targets[$1]} j s list=() total=0 args first
	# From kernel and processors alone: a guest that is run by itself begins there, too.
	first=$(($(grep . <<<"$guests" | grep -n "^$1 " | head -n 1 | cut -d: -f1) * 6 + n))
	shift 2
	for j; do
		s=$((time * ${j#*:} / shares))
		list+=("${j%:*}:$s")
		total=$((total + s * 2 + 2100))
	done
	lay_out "$dir" || die "cannot lay out the guest's files"
	args=(--cpus "$n" --mem 3072 --timeout $((total + 600)) --log "$name.console" --tree "$tree:/t")
	for j in "$dir"/*.ko; do
		args+=(--module "$j")
	done
	if [ "$kernel" = host ]; then
		for j in crc32_generic veth bridge sch_netem sch_tbf dummy ib_uverbs rdma_cm; do
			args+=(--module "$j")
		done
	else
		args+=(--kernel "$dir/bzImage" --module-dir "$dir") # has the others built in
	fi
	for j in "$bin"/*; do
		args+=(--bin "$j")
	done
	for j in bash ip tc rdma bridge jq grep sed awk timeout seq setsid cksum "$build/bin/flowgen" \
		"$build/bin/rxecc"; do
		args+=(--bin "$j")
	done
	say "  guest $kernel, $n processors: ${list[*]}"
	"$here/../run.sh" "${args[@]}" -- "$here/guest.sh" "$seed" "$first" "${list[@]}" 2>"$name.err" |
		tee "$name.out" | sed -un 's/^@job \(.*\)/  job \1 .../p; s/^@end \([^ ]*\) \([^ ]*\) \(.*\)/  job \1: \3 s, exit status \2/p; s/^@fail /  FAIL /p; s/^@leak /  leaks: /p'
	echo "${PIPESTATUS[0]}" >"$name.status"
}

say "seed $seed, $time s for all jobs, logs in $out"
for p in "${plan[@]}"; do
	# shellcheck disable=SC2086 # a list
	guest $p
done
"$bin/summary" "$out" "$seed" "$time"
