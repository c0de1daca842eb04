#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The headline comparison: an incast of real soft-RoCE hosts at 100 Gbit/s in
# virtual time, without congestion control and with DCQCN.
#   demo.sh [LAB-RUN-OPTION]...
# Results, plots and the report page go to results/demo/.
set -u
. "$(dirname "$0")/common.sh"
case ${1:-} in -h | --help) usage; exit 0 ;; esac
lab=$build/bin/lab
out=$top/results/demo
[ -x "$lab" ] || die "$lab is missing: run make lab"

"$lab" run incast --cc none,dcqcn --set rate=100gbit --out "$out" --force "$@" || exit 1
"$lab" report "$out" || exit 1
say "Finished in $SECONDS s. Everything is in $out"
