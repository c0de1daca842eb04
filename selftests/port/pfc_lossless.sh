#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: nothing lost with PFC, whatever the buffer, the rate, the number of senders; a buffer that
#   cannot hold the headroom is refused; quanta, X_off, alpha and DCQCN have the effect they should.
#   `FULL=1`: 16, 64, 256 senders, 3 and 32 MB, 10 and 100 Gbit/s
#
# Lossless with PFC: n senders of 4 MB each, without congestion control. Each may have
# all of its flow unacknowledged (4096 packets), so that together they overrun
# the switch's buffer. With PFC no packet is lost and none is sent twice, some port was
# paused, the buffer's accounts are empty afterwards and the bottleneck was never
# idle. Without PFC packets are lost.
#
# FULL=1: n = 16, 64, 256 with 3 MB and 32 MB at 10 and 100 Gbit/s. A pause needs
# 2 x rate x delay of headroom on each port, which are 25 KB at 100 Gbit/s and 1 us:
# 257 ports have 6.4 MB under way that no pause can stop. A switch of 3 MB
# cannot be lossless with them, and the set-up must be refused; with cables of
# 20 m (100 ns) it can.
. "$(dirname "$0")/../lib/lab_lib.sh"

FULL=${FULL:-}

# incast DIR PFC N BUFFER RATE DELAY OPTION...
# A retransmission timer of 1 s: a flow may be paused longer than the usual 67 ms
# when it shares 10 Gbit/s with 255 others. Given up after twice the time that it
# should take; samples are not looked at.
incast() {
	local dir=$1 pfc=$2 n=$3 buffer=$4 rate=$5 delay=$6
	shift 6
	LAB_DIR=$dir lab_run incast --set pfc="$pfc" --set n="$n" --set buffer="$buffer" \
		--set rate="$rate" --set delay="$delay" --set size=4mb --set max_unacked=4096 \
		--set limit="$((n * 4194304 * 18 / ${rate%gbit}))ns" \
		--set ib_timeout=18 --set sample=1ms "$@"
}

# figure DIR CC FILTER
figure() { LAB_DIR=$1 lab_get "incast/$2/1" "$3"; }

# no_loss DIR CC: nothing lost, nothing sent again, nothing left in the buffer
no_loss() {
	is "$(figure "$1" "$2" .flows.completed)" "==" "$(figure "$1" "$2" .flows.count)" &&
		is "$(figure "$1" "$2" .drops.total)" "==" 0 &&
		is "$(figure "$1" "$2" .retransmits)" "==" 0 &&
		is "$(figure "$1" "$2" .timeouts)" "==" 0 &&
		is "$(figure "$1" "$2" .errors)" "==" 0 &&
		is "$(figure "$1" "$2" .switches.sw.used)" "==" 0 &&
		is "$(figure "$1" "$2" '.switches.sw | .reserved_used + .headroom_used + .shared_used')" "==" 0
}

row() {
	figure "$1" none '[.settings.pfc, .settings.n, .settings.buffer, .settings.rate, .settings.delay,
		.drops.total, .retransmits, .pfc.pause_frames, .pfc.resume_frames,
		(.pfc.pause_ns / 1000 | round), .pfc.headroom_ratio, (.switches.sw.peak_used / 1e6 * 1000 | round / 1000),
		(.goodput_bps / 1e6 | round / 1000), .jain, .flows.completed] | @tsv' >>"$LAB_OUT/table"
}

# lossless N BUFFER RATE DELAY: goodput is what headers allow, less the time from the
# start to the first byte and from the last to its ACK: four delays and some packets
lossless() {
	local dir=$LAB_OUT/on.$1.$2.$3.$4 want
	incast "$dir" on "$1" "$2" "$3" "$4" --cc none || return 1
	row "$dir"
	no_loss "$dir" none || return 1
	is "$(figure "$dir" none .pfc.pause_ns)" ">=" 1 || return 1
	is "$(figure "$dir" none .pfc.pause_frames)" ">=" "$1" || return 1
	want=$(awk -v n="$1" -v gbit="${3%gbit}" 'BEGIN {
		ns = n * 4194304 * 1106 / 1024 * 8 / gbit
		print 0.99 * n * 4194304 * 8e9 / (ns + 8000)
	}')
	echo "goodput $(figure "$dir" none .goodput_bps), at least $want"
	is "$(figure "$dir" none .goodput_bps)" ">=" "$want"
}

# lossy N BUFFER RATE DELAY: only as long as it would take without losses, so not
# all flows complete
lossy() {
	local dir=$LAB_OUT/off.$1.$2.$3.$4
	incast "$dir" off "$1" "$2" "$3" "$4" --cc none --set limit="$(($1 * 4194304 * 9 / ${3%gbit}))ns" >/dev/null
	row "$dir"
	is "$(figure "$dir" none .drops.buffer)" ">=" 1 &&
		is "$(figure "$dir" none .retransmits)" ">=" 1 &&
		is "$(figure "$dir" none .pfc.pause_frames)" "==" 0 &&
		is "$(figure "$dir" none .pfc.pause_ns)" "==" 0
}

both() {
	ktap_check "$1 senders, $2, $3, $4 cables: lossless" lossless "$@"
	ktap_check "$1 senders, $2, $3, $4 cables, PFC off: losses" lossy "$@"
}

# refused N BUFFER RATE DELAY
refused() {
	local rc=0
	"$LAB" run incast --cc none --set pfc=on --set n="$1" --set buffer="$2" --set rate="$3" \
		--set delay="$4" --out "$LAB_OUT/refused" >"$LAB_OUT/refused.log" 2>&1 || rc=$?
	cat "$LAB_OUT/refused.log"
	[ $rc -ne 0 ] && grep -q '^lab: .*buffer.*headroom' "$LAB_OUT/refused.log" &&
		[ ! -e "$LAB_OUT/refused/incast/none/seed1/summary.json" ]
}

BASE=$LAB_OUT/on.16.3mb.100gbit.1us

# Quanta say how long a pause holds: with 200 of them (1.02 us at 100 Gbit/s) it must be
# sent again and again, and is; the result is the same.
quanta() {
	local few many
	incast "$LAB_OUT/q2" on 16 3mb 100gbit 1us --cc none --set pfc_quanta=200 || return 1
	few=$(figure "$BASE" none .pfc.pause_frames)
	many=$(figure "$LAB_OUT/q2" none .pfc.pause_frames)
	echo "pauses sent: $few with 65535 quanta, $many with 200"
	no_loss "$LAB_OUT/q2" none && is "$many" ">=" $((10 * few))
}

# in_peak DIR: most that one sender's port had in the buffer below the headroom
in_peak() {
	figure "$1" none '[.ports | to_entries[] | select(.key | startswith("sw-s")) | .value |
		.in_peak_bytes - .headroom_peak_bytes] | max'
}

# A fixed X_off is where the headroom begins, to the byte: while a packet is partly in
# the headroom everything below is full.
xoff() {
	local a b
	incast "$LAB_OUT/x1" on 16 32mb 100gbit 1us --cc none --set xoff=100000b --set xon=90000b || return 1
	incast "$LAB_OUT/x2" on 16 32mb 100gbit 1us --cc none --set xoff=300000b --set xon=90000b || return 1
	a=$(in_peak "$LAB_OUT/x1")
	b=$(in_peak "$LAB_OUT/x2")
	echo "below the headroom at most: $a with 100000 B, $b with 300000 B"
	no_loss "$LAB_OUT/x1" none && no_loss "$LAB_OUT/x2" none &&
		is "$a" "==" 100000 && is "$b" "==" 300000 &&
		is "$(figure "$LAB_OUT/x1" none .pfc.resume_frames)" ">=" \
			"$(figure "$LAB_OUT/x2" none .pfc.resume_frames)"
}

# Dynamic thresholds: 16 equal accounts of T each have T = alpha (S - 16 T), that is
# T = alpha S / (1 + 16 alpha). They do not stay equal: a sender resumed 4 KB below the
# threshold is back after 2 us, when its account has lost another 16th of 25 KB, and
# accounts grow by packets. When all others are that far below, d bytes, the last one
# may have 15 alpha d / (1 + alpha) more than T.
alpha() {
	local a got
	for a in 0.0078125 0.125 1; do
		incast "$LAB_OUT/a$a" on 16 3mb 100gbit 1us --cc none --set alpha=$a || return 1
		no_loss "$LAB_OUT/a$a" none || return 1
		got=$(in_peak "$LAB_OUT/a$a")
		awk -v a=$a -v s="$(figure "$LAB_OUT/a$a" none .switches.sw.shared)" -v got="$got" 'BEGIN {
			low = a * s / (1 + 16 * a)
			high = low + 15 * a * (4096 + 25000 / 16 + 1122) / (1 + a)
			printf "alpha %s: a port has %d at most, expected %d to %d\n", a, got, low, high
			exit !(got > low - 1122 && got < high + 1122)
		}' || return 1
	done
}

# Congestion control keeps queues short; PFC is left with the beginning.
dcqcn() {
	local none dcqcn
	incast "$LAB_OUT/d" on 16 3mb 100gbit 1us --cc dcqcn --set ecn_at=dequeue || return 1
	none=$(figure "$BASE" none .pfc.pause_ns)
	dcqcn=$(figure "$LAB_OUT/d" dcqcn .pfc.pause_ns)
	echo "pause time $none ns with none, $dcqcn ns with dcqcn"
	no_loss "$LAB_OUT/d" dcqcn && is "$dcqcn" "<=" $((none / 5))
}

ktap_print_header
if [ -n "$FULL" ]; then
	for rate in 10gbit 100gbit; do
		for buffer in 3mb 32mb; do
			for n in 16 64 256; do
				delay=1us
				[ $rate.$buffer.$n != 100gbit.3mb.256 ] || delay=100ns
				both $n $buffer $rate $delay
			done
		done
	done
else
	both 16 3mb 100gbit 1us
	both 16 32mb 10gbit 1us
fi
ktap_check "256 senders, 3mb, 100gbit, 1us cables: refused, with the reason" refused 256 3mb 100gbit 1us
ktap_check "short pauses are refreshed" quanta
ktap_check "X_off: where the headroom begins" xoff
ktap_check "alpha: a port's share of the buffer" alpha
ktap_check "dcqcn: lossless too, a fifth of the pauses or less" dcqcn
[ -z "$FULL" ] || ktap_print_msg "$(printf '%s\n' "pfc n buffer rate delay drops retr pauses resumes pause_us headroom peak_MB Gbit/s jain done" |
	tr ' ' '\t' | cat - "$LAB_OUT/table" | column -t)"
ktap_finished
