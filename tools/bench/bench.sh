#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Patched rxe without CC against stock rxe, as pairs in the lab kernel in real
# time. What make bench runs.
#   bench.sh [--pairs N] [--seed N] [--out DIR] [-j]    (bench --help: all)
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$top/build
out=$build/bench

die() {
	echo "bench.sh: $*" >&2
	exit 1
}

args=()
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) sed -n '3,5s/^# \{0,1\}//p' "$0"; exit 0 ;;
	--out) out=${2:?--out needs a directory}; shift ;;
	*) args+=("$1") ;;
	esac
	shift
done
for f in uml-lab/linux uml-lab/stock/rdma_rxe.ko uml-lab/rdma_rxe.ko uml-lab/rxe_cc.ko \
	bin/flowgen bin/bench; do
	[ -e "$build/$f" ] || die "build/$f is missing: run make"
done
[ "$(id -u)" -eq 0 ] || die "needs root: the lab kernel uses the host's file system as root"
mkdir -p "$out" || die "cannot create $out"
echo "Benchmark: boots the lab kernel once, takes about 6 s a pair; results in $out" >&2
exec "$build/bin/bench" --linux "$build/uml-lab/linux" --stock "$build/uml-lab/stock" \
	--patched "$build/uml-lab" --flowgen "$build/bin/flowgen" \
	--guest "$top/tools/bench/guest.sh" --out "$out" "${args[@]}"
