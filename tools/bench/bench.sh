#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What make bench runs, each in the lab kernel:
#   rxe    patched rxe without CC against stock rxe, pairs in real time; or in a guest
#          of the distribution's kernel in QEMU
#   qdisc  CPU time per packet of roce, netem and pfifo, rounds in virtual time
#   path   wall time per data packet under each algorithm, rounds in virtual time
#   lab    the lab's speed, beside an older build; or whether both give the same results
#   scale  what a hop costs in networks of 2 to 1024 hosts; only if asked for
#   bench.sh [--only rxe|qdisc|path|lab|scale] [--pairs N] [--rounds N] [--seed N]
#            [--cc A,B...] [--old FILE] [--old-tree DIR] [--case WORDS]... [--same]
#            [--out DIR] [-j]
#     --only NAME   only that
#     --backend NAME  rxe: uml (default), or qemu, for which it builds the modules
#     --icount      rxe, qemu: time by instructions, 1 ns each; one processor
#     --cpus N      rxe, qemu: processors, default 1
#     --pairs N     of rxe and lab, 6..1000, default 20 and 10
#     --rounds N    of qdisc and path, 6..1000, default 40 and 10
#     --cc A,B...   path, lab: algorithms, as lab run takes them; default all, and hpcc,dcqcn
#     --seed N      of the order within pairs and rounds, default 1; --same: of the runs
#     --old FILE    qdisc: another sch_roce.ko for the lab kernel, beside the present one
#     --old-tree DIR  path, lab: another checkout, built, beside the present one
#     --old-lab FILE  the same by its build/bin/lab
#     --case WORDS  lab: two, two-1mb, fattree, websearch, at-once, or a scenario with
#                   options as lab run takes them; up to 16 times, default all of these
#     --same        lab: compare the results of both checkouts, not the speed
#     --out DIR     results, default build/bench: rxe/bench.json, qdisc/qdisc.json,
#                   path/path.json, lab/lab.json
#     -j, --json    print JSON
# Exit code: 0 goals met or not decided, 1 not so, 2 bad arguments. See Documentation/devel/bench.md.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$top/build
out=$build/bench
only='rxe qdisc path lab'
json=
backend=uml
icount=
cpus=
pairs=
rounds=
seed=1
cc=
old=
old_lab=
cases=()
same=

die() {
	echo "bench.sh: $*" >&2
	exit 1
}

usage_error() {
	echo "bench.sh: $*, see --help" >&2
	exit 2
}

while [ $# -gt 0 ]; do
	case $1 in
	--only | --backend | --cpus | --pairs | --rounds | --seed | --cc | --old | --old-lab | --old-tree | --case | --out)
		[ $# -ge 2 ] || usage_error "$1 needs a value" ;;
	esac
	case $1 in
	-h | --help) sed -n '3,32s/^# \{0,1\}//p' "$0"; exit 0 ;;
	--only)
		case $2 in
		rxe | qdisc | path | lab | scale) only=$2 ;;
		*) usage_error "--only: '$2' is none of rxe, qdisc, path, lab, scale" ;;
		esac
		shift ;;
	--backend)
		case $2 in
		uml | qemu) backend=$2 ;;
		*) usage_error "--backend: '$2' is neither uml nor qemu" ;;
		esac
		shift ;;
	--icount) icount=--icount ;;
	--cpus) cpus=$2; shift ;;
	--smp) usage_error "--smp is called --cpus now" ;;
	--pairs) pairs=$2; shift ;;
	--rounds) rounds=$2; shift ;;
	--seed) seed=$2; shift ;;
	--cc) cc=$2; shift ;;
	--old) old=$2; shift ;;
	--old-lab) old_lab=$2; shift ;;
	--old-tree) old_lab=$2/build/bin/lab; shift ;;
	--case) cases+=(--case "$2"); shift ;;
	--same) same=--same ;;
	--out) out=$2; shift ;;
	-j | --json) json=1 ;;
	*) usage_error "'$1': unknown" ;;
	esac
	shift
done
if [ "$backend$icount$cpus" != uml ]; then
	case $only in
	rxe | *" "*) only=rxe ;;
	*) usage_error "--backend, --icount and --cpus are not for $only" ;;
	esac
	[ "$backend" = qemu ] || usage_error "--icount and --cpus need --backend qemu"
fi
if [ -n "$same" ] || [ "${#cases[@]}" -gt 0 ]; then
	case $only in
	lab | *" "*) only=lab ;;
	*) usage_error "--case and --same are not for $only" ;;
	esac
fi
[ -z "$same" ] || [ -n "$old_lab" ] || usage_error "--same needs --old-tree"
# make lab does not build these.
[ "$backend" = uml ] || "$top/scripts/modules.sh" host >&2 || exit 1
needed=(uml-lab/linux uml-lab/stock/rdma_rxe.ko uml-lab/rdma_rxe.ko uml-lab/rxe_cc.ko \
	uml-lab/sch_roce.ko tc/q_roce.so bin/flowgen bin/bench bin/lab)
[ "$backend" = uml ] || needed=(host/rdma_rxe.ko host/rxe_cc.ko bin/flowgen bin/bench)
for f in "${needed[@]}"; do
	[ -e "$build/$f" ] || die "build/$f is missing: run make"
done
[ -z "$old" ] || [ -r "$old" ] || die "--old: $old cannot be read"
[ "$(id -u)" -eq 0 ] || die "needs root: the lab kernel uses the host's file system as root"
[ -z "$old_lab" ] || [ -x "$old_lab" ] || die "--old-tree: $old_lab cannot be run (make lab there)"
mkdir -p "$out" || die "cannot create $out"

# compare NAME GUEST OPTION...: one of the program's benchmarks.
compare() {
	local name=$1 guest=$2
	shift 2
	"$build/bin/bench" "$name" --linux "$build/uml-lab/linux" \
		--guest "$top/tools/bench/$guest" --out "$out/$name" \
		--seed "$seed" ${json:+-j} "$@"
}

# The distribution's own rxe, for the kernel that run.sh boots.
stock_module() {
	local kernel from
	kernel=$(find /boot -name 'vmlinuz-6.12*-amd64' 2>/dev/null | sort -V | tail -n 1)
	from=$(find "/lib/modules/${kernel##*/vmlinuz-}/kernel" -name 'rdma_rxe.ko*' 2>/dev/null)
	mkdir -p "$1" || return 1
	case $from in
	*.ko) cp "$from" "$1/" ;;
	*.xz) xz -dc "$from" >"$1/rdma_rxe.ko" ;;
	*) return 1 ;;
	esac
}

bench_rxe_qemu() {
	stock_module "$out/rxe-stock" || die "no stock rdma_rxe.ko of a kernel 6.12 (package linux-image-6.12-amd64)"
	echo "rxe: boots QEMU, takes about 20 s a pair; results in $out/rxe" >&2
	"$build/bin/bench" rxe --qemu ${icount:+"$icount"} ${cpus:+--cpus "$cpus"} \
		--linux "$top/tools/bench/boot_qemu.sh" --guest "$top/tools/bench/guest_rxe.sh" \
		--out "$out/rxe" --seed "$seed" ${json:+-j} --pairs "${pairs:-20}" \
		--timeout $((300 + 120 * ${pairs:-20})) --stock "$out/rxe-stock" \
		--patched "$build/host" --flowgen "$build/bin/flowgen"
}

bench_rxe() {
	if [ "$backend" = qemu ]; then
		bench_rxe_qemu
		return
	fi
	echo "rxe: boots the lab kernel, takes about 6 s a pair; results in $out/rxe" >&2
	compare rxe guest_rxe.sh --pairs "${pairs:-20}" --stock "$build/uml-lab/stock" \
		--patched "$build/uml-lab" --flowgen "$build/bin/flowgen"
}

# The generator is a module of the lab kernel.
bench_qdisc() {
	make -s -C "$top/tools/bench" BUILD="$build" gen >"$out/gen.log" 2>&1 ||
		die "the packet generator does not build, see $out/gen.log"
	echo "qdisc: boots the lab kernel, takes about 1.5 s a round; results in $out/qdisc" >&2
	compare qdisc guest_qdisc.sh --rounds "${rounds:-40}" \
		--roce "$build/uml-lab/sch_roce.ko" --gen "$build/obj/bench/gen/qdisc_bench.ko" \
		--tc "$build/tc" ${old:+--old "$old"}
}

# How many lines of cache a hop touches, by the modules as they are built.
hop_lines() {
	"$top/scripts/uml-exec.sh" --modules 'sch_roce sch_roce_testfeat sch_roce_kunit' -- \
		cat /sys/kernel/debug/kunit/roce_cache_lines/results 2>/dev/null |
		sed -n 's/.*roce_cache_lines__hop: /path: /p'
}

bench_path() {
	[ -n "$json" ] || hop_lines
	echo "path: takes about 1 s an algorithm and round, twice that with --old-lab; results in $out/path" >&2
	"$build/bin/bench" path --lab "$build/bin/lab" --out "$out/path" --seed "$seed" \
		--rounds "${rounds:-10}" ${json:+-j} ${cc:+--cc "$cc"} ${old_lab:+--old-lab "$old_lab"}
}

bench_lab() {
	if [ -n "$same" ]; then
		echo "lab: compares results, takes about a minute; results in $out/lab" >&2
	else
		echo "lab: takes about 2 s a case, algorithm, build and pair; results in $out/lab" >&2
	fi
	"$build/bin/bench" lab --lab "$build/bin/lab" --out "$out/lab" --seed "$seed" \
		--pairs "${pairs:-10}" ${json:+-j} ${cc:+--cc "$cc"} ${same:+"$same"} \
		${old_lab:+--old-lab "$old_lab"} "${cases[@]}"
}

bench_scale() {
	echo "scale: takes some minutes a round; results in $out/scale" >&2
	"$top/tools/bench/hop_scaling.sh" --lab "$build/bin/lab" --out "$out/scale" \
		--rounds "${rounds:-3}" ${json:+-j}
}

rc=0
for name in $only; do
	"bench_$name" || rc=$?
	[ "$rc" -ne 2 ] || break
done
exit "$rc"
