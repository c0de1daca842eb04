#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What make bench runs, each in the lab kernel:
#   rxe    patched rxe without CC against stock rxe, pairs in real time
#   qdisc  CPU time per packet of roce, netem and pfifo, rounds in virtual time
#   path   wall time per data packet under each algorithm, rounds in virtual time
#   lab    the lab's speed in virtual time
#   bench.sh [--only rxe|qdisc|path|lab] [--pairs N] [--rounds N] [--seed N]
#            [--cc A,B...] [--old FILE] [--old-lab FILE] [--out DIR] [-j]
#     --only NAME   only that
#     --pairs N     of rxe, 6..1000, default 20
#     --rounds N    of qdisc and path, 6..1000, default 40 and 10
#     --cc A,B...   path: algorithms, as lab run takes them; default all
#     --seed N      of the order within pairs and rounds, default 1
#     --old FILE    qdisc: another sch_roce.ko for the lab kernel, beside the present one
#     --old-lab FILE  path: build/bin/lab of another checkout, beside the present one
#     --out DIR     results, default build/bench: rxe/bench.json, qdisc/qdisc.json,
#                   path/path.json, speed.json
#     -j, --json    print JSON
# Exit code: 0 goals met or not decided, 1 not so, 2 bad arguments. See Documentation/bench.md.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$top/build
out=$build/bench
only='rxe qdisc path lab'
json=
pairs=20
rounds=
seed=1
cc=
old=
old_lab=
goal=170000	# data packets per second

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
	--only | --pairs | --rounds | --seed | --cc | --old | --old-lab | --out)
		[ $# -ge 2 ] || usage_error "$1 needs a value" ;;
	esac
	case $1 in
	-h | --help) sed -n '3,21s/^# \{0,1\}//p' "$0"; exit 0 ;;
	--only)
		case $2 in
		rxe | qdisc | path | lab) only=$2 ;;
		*) usage_error "--only: '$2' is none of rxe, qdisc, path, lab" ;;
		esac
		shift ;;
	--pairs) pairs=$2; shift ;;
	--rounds) rounds=$2; shift ;;
	--seed) seed=$2; shift ;;
	--cc) cc=$2; shift ;;
	--old) old=$2; shift ;;
	--old-lab) old_lab=$2; shift ;;
	--out) out=$2; shift ;;
	-j | --json) json=1 ;;
	*) usage_error "'$1': unknown" ;;
	esac
	shift
done
for f in uml-lab/linux uml-lab/stock/rdma_rxe.ko uml-lab/rdma_rxe.ko uml-lab/rxe_cc.ko \
	uml-lab/sch_roce.ko tc/q_roce.so bin/flowgen bin/bench bin/lab; do
	[ -e "$build/$f" ] || die "build/$f is missing: run make"
done
[ -z "$old" ] || [ -r "$old" ] || die "--old: $old cannot be read"
[ "$(id -u)" -eq 0 ] || die "needs root: the lab kernel uses the host's file system as root"
[ -z "$old_lab" ] || [ -x "$old_lab" ] || die "--old-lab: $old_lab cannot be run"
mkdir -p "$out" || die "cannot create $out"

# compare NAME GUEST OPTION...: one of the program's benchmarks.
compare() {
	local name=$1 guest=$2
	shift 2
	"$build/bin/bench" "$name" --linux "$build/uml-lab/linux" \
		--guest "$top/tools/bench/$guest" --out "$out/$name" \
		--seed "$seed" ${json:+-j} "$@"
}

bench_rxe() {
	echo "rxe: boots the lab kernel, takes about 6 s a pair; results in $out/rxe" >&2
	compare rxe guest.sh --pairs "$pairs" --stock "$build/uml-lab/stock" \
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

bench_path() {
	echo "path: takes about 1 s an algorithm and round, twice that with --old-lab; results in $out/path" >&2
	"$build/bin/bench" path --lab "$build/bin/lab" --out "$out/path" --seed "$seed" \
		--rounds "${rounds:-10}" ${json:+-j} ${cc:+--cc "$cc"} ${old_lab:+--old-lab "$old_lab"}
}

# Data packets per second of wall time: one flow of 1 KiB packets through one
# switch, an ACK a packet; the best of three, as the others were disturbed.
# Messages of 1 MB and a sample a millisecond: else what programs in the lab
# kernel do between packets, a system call is dear there, would be measured too.
bench_lab() {
	local i best=0 now

	for i in 1 2 3; do
		rm -rf "$out/speed"
		"$build/bin/lab" run two --cc none --set mtu=1024 --set ack_every=1 \
			--set chunk=1mb --set sample=1ms --set size=256mb --seed "$i" --out "$out/speed" \
			>"$out/speed.log" 2>&1 || die "lab run two failed, see $out/speed.log"
		now=$(jq -n --slurpfile s "$out/speed/two/none/seed$i/summary.json" \
			--slurpfile r "$out/speed/two/none/seed$i/run.json" \
			'$s[0].data_packets / $r[0].traffic_s | floor') ||
			die "no traffic_s in $out/speed"
		[ "$now" -le "$best" ] || best=$now
	done
	echo "{ \"data_packets_per_s\": $best, \"goal\": $goal }" >"$out/speed.json"
	[ -n "$json" ] && cat "$out/speed.json" && return
	echo "Lab speed, two, MTU 1024, an ACK a packet, 1 MB messages: $((best / 1000)) k data packets per second of wall time (goal $((goal / 1000)) k)"
}

rc=0
for name in $only; do
	"bench_$name" || rc=$?
	[ "$rc" -ne 2 ] || break
done
exit "$rc"
