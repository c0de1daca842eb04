#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The first comparison: eight real soft-RoCE hosts send to a ninth at
# 100 Gbit/s in virtual time, without congestion control and with DCQCN.
#   demo.sh [LAB-RUN-OPTION]...
# Results, plots and the report page go to results/demo/.
set -u
. "$(dirname "$0")/common.sh"
case ${1:-} in -h | --help) usage; exit 0 ;; esac
lab=$build/bin/lab
out=$top/results/demo
[ -x "$lab" ] || die "$lab is missing: run make lab"

say "Eight hosts send 100 MB each to one over 100 Gbit/s links:"
mkdir -p "$build/log" "$out" || die "cannot write to $top"
"$lab" run incast --cc none,dcqcn --set rate=100gbit --set n=8 --set size=100mb \
	--set mtu=4096 --out "$out" --force "$@" >"$build/log/demo.log" || {
	cat "$build/log/demo.log"
	die "the run failed"
}
"$lab" report "$out" || exit 1
say "Finished in $SECONDS s; results: $out"
