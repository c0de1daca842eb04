#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: without control the queue grows to the senders' limit of unacknowledged packets; with DCQCN
#   it stays shorter; with marking off it grows again; a long run is sampled less often
#
# What the bottleneck's queue does. Without congestion control each of n senders
# may have U packets unacknowledged, wherever they are: the queue grows to
# their sum, less the bytes that fill the path. With DCQCN it does not, and with marking
# off DCQCN has no effect.
#
# What DCQCN's peak should be: all send at line rate until the first CNP, some 10 us,
# then at a half, a quarter, an eighth of it for 50 us each (a CNP per sender every
# 50 us, alpha still near 1), until 8 x 100/8 Gbit/s fit. (700 x 10 + 300 x 50 +
# 100 x 50) Gbit/s us are 3.4 MB, whatever the senders' limit is. 30 % of 18 MB
# allow for the different times of the first marks.
. "$(dirname "$0")/../lib/lab_lib.sh"

N=8
U=2048
# rxe lets one packet more than the limit out.
SUM=$((N * (U + 1) * 1106))
# Two links of 1 us, there and back, of the bottleneck's rate.
PATH_BYTES=$((4 * 1000 * 100 / 8))
SET="--set n=$N --set size=8mb --set rate=100gbit --set max_unacked=$U --set max_skbs=4096"

peak() {
	local got
	# shellcheck disable=SC2086
	LAB_DIR=$LAB_OUT/$1 lab_run incast --cc "$2" $SET --set ecn="$3" --set ecn_at=dequeue || return 1
	got=$(LAB_DIR=$LAB_OUT/$1 lab_get "incast/$2/1" .bottleneck.queue_bytes.max)
	echo "queue peak $got bytes, may be unacknowledged $SUM"
	case $4 in
	full) is "$got" "<=" $SUM && is "$got" ">=" $((SUM - PATH_BYTES - N * 70 * 1106)) ;;
	short) is "$got" "<=" $((SUM * 3 / 10)) ;;
	esac
}

mean_falls() {
	local off on
	off=$(LAB_DIR=$LAB_OUT/b lab_get incast/dcqcn/1 .bottleneck.queue_bytes.mean)
	on=$(LAB_DIR=$LAB_OUT/c lab_get incast/dcqcn/1 .bottleneck.queue_bytes.mean)
	echo "mean queue with marking off $off, on $on bytes"
	is "$on" "<=" "$(awk -v a="$off" 'BEGIN { print a / 5 }')"
}

marks() {
	is "$(LAB_DIR=$LAB_OUT/c lab_get incast/dcqcn/1 .bottleneck.ecn_marked)" ">=" 100 &&
		is "$(LAB_DIR=$LAB_OUT/c lab_get incast/dcqcn/1 .cnp.handled)" ">=" 100 &&
		is "$(LAB_DIR=$LAB_OUT/b lab_get incast/dcqcn/1 .bottleneck.ecn_marked)" "==" 0
}

# After 2000 samples, the first of them at 0, the interval doubles: 10 us up to instant 1999,
# which is 19.99 ms, and to the next, then 20 us. A rate is that since the sample before.
# 4 MB at 1 Gbit/s take 36 ms.
thins() {
	LAB_DIR=$LAB_OUT/d lab_run two --cc fixed --param rate=1gbit --set size=4mb --set sample=10us ||
		return 1
	awk -F, 'NR > 1 && $1 != last + ($1 > 20000000 ? 20000 : 10000) { print "after", last, "comes", $1; bad = 1 }
		NR > 1 { last = $1 }
		END { exit bad || last < 36000000 }' "$LAB_OUT/d/two/fixed/seed1/rates.csv"
}

ktap_print_header
ktap_check "none: the queue grows to the sum of what may be unacknowledged" peak a none on full
ktap_check "dcqcn with marking off: the same" peak b dcqcn off full
ktap_check "dcqcn with marking: the peak stays below 30 % of it" peak c dcqcn on short
ktap_check "dcqcn with marking: the mean is a fifth or less" mean_falls
ktap_check "marks and CNPs only with marking" marks
ktap_check "a long run is sampled less often" thins
ktap_finished
