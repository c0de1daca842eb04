#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Boot the distribution's kernel in QEMU with guest_rxe.sh, for "bench rxe --qemu".
#   boot_qemu.sh DIR GUEST CPUS ICOUNT SECONDS
# DIR has what bench prepared; all of it is /guest/bench in the guest. ICOUNT: 1 for
# time by instructions, else 0. QEMU's process id is in DIR/qemu.pid.
set -u
[ $# -eq 5 ] || exit 2
dir=$1 guest=$2
lib=$(dirname "$0")/../lib/pair.sh
# The distribution's modules have no debug information. To read and free 20 times as much
# before one of the builds leaves the allocator in another state for its first traffic.
strip -g "$dir"/{stock,patched}/*.ko || exit 4
args=(--cpus "$3" --timeout "$5" --mem 1024 --log "$dir/kernel.log" --pidfile "$dir/qemu.pid")
# One instruction, one ns.
[ "$4" = 0 ] || args+=(--icount 0)
for f in "$dir"/{order,plans,flowgen,*.json,stock/*.ko,patched/*.ko}; do
	case $f in
	*/bench.json) ;;
	*) args+=(--file "$f:/guest/bench/${f#"$dir"/}") ;;
	esac
done
# What the modules need of the distribution's; the guest loads them by path.
PATH=$PATH:/usr/sbin:/sbin
needs=$(modinfo -F depends "$dir"/{stock,patched}/*.ko | tr , '\n' | sort -u | grep -vx rxe_cc)
needs="$needs crc32_generic veth"
for m in $needs; do
	args+=(--module "$m")
done
for b in ip rdma jq; do
	args+=(--bin "$b")
done
exec "$(dirname "$0")/../qemu/run.sh" "${args[@]}" --env bench_dir=/guest/bench \
	--file "$lib" --env PAIR_LIB=/guest/pair.sh \
	--env "bench_modules=${needs//$'\n'/ }" -- "$guest"
