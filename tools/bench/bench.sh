#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What make bench runs: patched rxe without CC against stock rxe, as pairs in
# the lab kernel in real time; then the lab's speed in virtual time.
#   bench.sh [--pairs N] [--seed N] [--out DIR] [-j] [--no-speed]
# Results in DIR (build/bench): bench.json, speed.json. See Documentation/bench.md.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$top/build
out=$build/bench
speed=1
json=
goal=170000	# data packets per second

die() {
	echo "bench.sh: $*" >&2
	exit 1
}

args=()
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
	--out) out=${2:?--out needs a directory}; shift ;;
	--no-speed) speed= ;;
	-j | --json) json=1; args+=(-j) ;;
	*) args+=("$1") ;;
	esac
	shift
done
for f in uml-lab/linux uml-lab/stock/rdma_rxe.ko uml-lab/rdma_rxe.ko uml-lab/rxe_cc.ko \
	bin/flowgen bin/bench bin/lab; do
	[ -e "$build/$f" ] || die "build/$f is missing: run make"
done
[ "$(id -u)" -eq 0 ] || die "needs root: the lab kernel uses the host's file system as root"
mkdir -p "$out" || die "cannot create $out"

# Data packets per second of wall time: one flow of 1 KiB packets through one
# switch, an ACK a packet; the best of three, as the others were disturbed.
# Messages of 1 MB and a sample a millisecond: else what programs in the lab
# kernel do between packets, a system call is dear there, would be measured too.
lab_speed() {
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

echo "Benchmark: boots the lab kernel, takes about 6 s a pair; results in $out" >&2
"$build/bin/bench" --linux "$build/uml-lab/linux" --stock "$build/uml-lab/stock" \
	--patched "$build/uml-lab" --flowgen "$build/bin/flowgen" \
	--guest "$top/tools/bench/guest.sh" --out "$out" "${args[@]}"
rc=$?
[ "$rc" -ne 2 ] && [ -n "$speed" ] && lab_speed
exit "$rc"
