#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run a command in the lab kernel (User-Mode Linux), on the host's file system.
#   uml-exec.sh [OPTION]... [--] COMMAND [ARG]...
#     --debug             the debug kernel (lockdep, KASAN, ...); so does
#                         VARIANT=debug in the environment
#     --virtual           virtual time (the default)
#     --real              real time
#     --mem SIZE          memory, default 2G
#     --timeout SECONDS   wall time after which the kernel is killed, default 300; longer on a
#                         busy machine (scripts/hang-guard.sh)
#     --modules 'A B'     load these first: names in build/uml-*/, or paths; KUnit suites
#                         are built if there are none;
#                         'stock' is the unmodified rxe
#     --exclusive         RDMA devices stay in the initial namespace
#     --env NAME=VALUE    for the command; may be given again
#     --append 'P Q'      more kernel parameters
#     --out DIR           keep stdout, stderr, console.log, exit_status there
#     --allow REGEX       lines of the kernel's log that are no failure
# Prints the command's output, and on trouble the kernel's messages. Exit
# status: the command's; 124 out of time; 125 the kernel complained (warning,
# oops, lockdep, KASAN, UBSAN, kmemleak) or did not come up. LAB_KERNELS=FILE in
# the environment: the kernel's name, lab or debug, is added to FILE.
set -u
. "$(dirname "$0")/common.sh"

variant=${VARIANT:-lab}
debug='' real='' exclusive='' mem=2G timeout=300 modules='' append='' out=''
env=()
allow='^$'
options "debug virtual real exclusive mem= timeout= modules= env+= append= out= allow= ..." "$@"
set -- "${args[@]}"
[ -z "$debug" ] || variant=debug
read -ra append <<<"$append"
exclusive=$([ -n "$exclusive" ] && echo true || echo false)
[ $# -ge 1 ] || misuse "no command (--help shows the usage)"
case $timeout in '' | *[!0-9]*) misuse "--timeout: \"$timeout\" is not a number of seconds" ;; esac

dir=$build/uml-$variant
init=$build/bin/labinit
[ -x "$dir/linux" ] || die "no $variant kernel in $dir: run scripts/kernel.sh uml $variant"
[ -x "$init" ] || die "$init is missing: run make tools"

if [ -n "$out" ]; then
	mkdir -p "$out" || die "cannot create $out"
	out=$(realpath "$out")
	rm -f "$out"/{exit_status,stdout,stderr,console.log,kmemleak}
else
	out=$(mktemp -d "$build/uml-exec.XXXXXX") || die "cannot write to $build"
	trap 'rm -rf "$out"' EXIT
fi

paths=()
for m in $modules; do
	case $m in
	stock) m=$dir/stock/rdma_rxe.ko ;;
	*/*) m=$(realpath "$m") ;;
	*) m=$dir/${m%.ko}.ko ;;
	esac
	# "make lab" makes neither KUnit suites nor what tests load beside them.
	case $m in
	"$dir"/*_kunit.ko | "$dir"/*_testalg.ko | "$dir"/*_testfeat.ko)
		[ -r "$m" ] || "$top/scripts/modules.sh" "uml-$variant" --tests >&2 || exit 1
		;;
	esac
	[ -r "$m" ] || die "module $m does not exist"
	paths+=("$m")
done

# The debug kernel also looks for leaks; kmemleak reports what is older than
# 5 s, and what the boot left is not ours.
wrapper='exec "$@" >"$0/stdout" 2>"$0/stderr"'
# shellcheck disable=SC2016 # expanded in the lab kernel
[ "$variant" = lab ] || wrapper='
	leaks=/sys/kernel/debug/kmemleak
	sleep 6; echo scan >$leaks; echo clear >$leaks
	"$@" >"$0/stdout" 2>"$0/stderr"
	rc=$?
	sleep 6; echo scan >$leaks; sleep 6; echo scan >$leaks
	cat $leaks >"$0/kmemleak" 2>&1
	exit $rc'

job() {
	jq -n --arg out "$out" --arg dir "$dir" --arg cwd "$PWD" --arg wrapper "$wrapper" \
		--arg modules "$(printf '%s\n' "${paths[@]}")" \
		--arg env "$(printf '%s\n' "${env[@]}")" \
		--argjson exclusive "$exclusive" --argjson limit "$timeout" \
		'{ mode: "exec", out: $out, cwd: $cwd, module_dir: $dir,
		   timeout_s: ($limit * 1000), rdma_exclusive: $exclusive,
		   modules: ($modules | split("\n") | map(select(. != ""))),
		   env: ($env | split("\n") | map(select(. != "") |
			capture("^(?<key>[^=]*)=(?<value>.*)$"; "s")) | from_entries),
		   argv: (["/bin/sh", "-c", $wrapper, $out] + $ARGS.positional) }' \
		--args -- "$@"
}

boot() {
	local args=(mem="$mem" root=none rootfstype=hostfs rootflags=/ rw
		init="$init" con=null "con0=null,fd:1" uml_dir="$out/uml/"
		printk.time=0 lab_job="$out/job.json")
	[ -n "$real" ] || args+=(time-travel=inf-cpu)
	[ -z "${LAB_KERNELS:-}" ] || echo "$variant" >>"$LAB_KERNELS"
	"$top/scripts/hang-guard.sh" "$timeout" "$dir/linux" "${args[@]}" "${append[@]}" \
		</dev/null >"$out/console.log" 2>&1
}

# What a healthy kernel never says.
splat='WARNING: |BUG: |BUG at |Oops|KASAN: |UBSAN: |ODEBUG: |INFO: |Kernel panic|'
splat+='general protection|Segfault with no mm|refcount_t: |suspicious RCU|'
splat+='kmemleak: [0-9]+ new|unreferenced object|waiting for .* to become free|'
splat+='Call Trace:|soft lockup|hung task'

# From the first complaint on.
complaints() {
	awk -v splat="$splat" -v allow="$allow" '
		!hit && $0 ~ splat && $0 !~ allow { hit = NR }
		hit && NR < hit + 80
		END { exit !hit }' "$out/console.log"
}

job "$@" >"$out/job.json" || die "cannot write the job"
boot
kernel_rc=$?
rm -rf "$out/uml"
cat "$out/stdout" 2>/dev/null
cat "$out/stderr" >&2 2>/dev/null

if [ -s "$out/kmemleak" ]; then
	head -n 80 "$out/kmemleak" >&2
	echo "uml-exec.sh: the kernel leaks memory (above)" >&2
	exit 125
fi
killed() { [ "$kernel_rc" -eq 124 ] || [ "$kernel_rc" -eq 137 ]; }
if complaints >&2; then
	echo "uml-exec.sh: the kernel complained (above)" >&2
	# It leaves where it is then, under locks too, and complains about that itself.
	! killed || echo "uml-exec.sh: killed after $timeout s; a trace with last_ditch_exit comes from that" >&2
	exit 125
fi
if killed; then
	tail -n 20 "$out/console.log" >&2
	echo "uml-exec.sh: killed after $timeout s" >&2
	exit 124
fi
if [ ! -s "$out/exit_status" ]; then
	tail -n 30 "$out/console.log" >&2
	echo "uml-exec.sh: the lab kernel ended without an exit status" >&2
	exit 125
fi
status=$(cat "$out/exit_status")
# labinit's own complaints, for instance a module that does not load
[ "$status" -ne 125 ] || tail -n 20 "$out/console.log" >&2
exit "$status"
