#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: rcc and dart: a sender dies in the middle of a message of an incast, a receiver with
#   messages on their way, a receiver's algorithm alone; the others' shares before and after expiry;
#   no messages, senders, queue pairs and peers in the end
#
# Ends of processes under algorithms whose receivers count, rcc and dart: a sender in the
# middle of a message of an incast, a receiver with messages on their way to it, and a
# receiver's algorithm alone. The others have the right share as soon as the messages of the
# dead one have expired, and in the end nothing is counted.
#
# Links of 10 Gbit/s, MTU 4096. On the wire a packet has 82 bytes more, 4 bytes of RETH on
# average in messages of four packets, and under rcc 24 of INT. rcc gives out eta = 0.95 of the
# line. So the share of one of n senders is known. Rates are counted over 3 ms and more, in
# which a share is 0.7 MB at least; flows move on by messages of 16 KB, one of which may be
# missing at either end: 4.6 %. That a sender too many is counted costs 25 or 33 %.
#
# Round trips take 11 us on the idle path. All four begin at line rate, until they have heard
# of each other: a round trip and a packet of each, 25 us. So up to 75 us of line rate wait in
# the switch, and a round trip takes less than 100 us. A message counts for 100 us after its end (linger): from the end of one
# to the first packet of the next there are four packets of 3.4 us, more than a round trip. So
# a step has been made 500 us after its cause.
set -u
# shellcheck source=selftests/lib/forge_lib.sh
. "$(dirname "$0")/../lib/forge_lib.sh"
[ "${1:-}" = inside ] || int_uml

idle_us=8000 told_us=5000 step_us=500
algo=

# Each check is a subshell: what the next ones need is in files, times in us.
put() { echo "$2" >"$work/$1"; }
get() { cat "$work/$1"; }

# One device, as both() does it for all.
count_at() {
	local expiry
	case $algo in
	rcc) expiry=("n_idle=${idle_us}us" n_linger=100us "told_expiry=${told_us}us") ;;
	dart) expiry=("idle=${idle_us}us" linger=100us "n_hold=${told_us}us") ;;
	esac
	"$rxecc" dev set "$1" knob line_rate=10gbit int=1 base_rtt=11us clock_common=1 algo "$algo" \
		param "${expiry[@]}"
}

count_all() {
	local d
	for d in r1 r2 r4 r5 r6; do count_at $d || return; done
}

# share N: payload of one of N, in bytes per us
share() {
	awk -v n="$1" -v a="$algo" 'BEGIN {
		print 1250 / n * 4096 / (4096 + 82 + 4 + (a == "rcc") * 24) * (a == "rcc" ? 0.95 : 1) }'
}

# start NAME MS SIZE DEVICE...: from each a flow to r2, 200 ms from now, for so long, in
# messages of SIZE; "late" with those before it. Its process is $pid.
start() {
	local name=$1 ms=$2 size=$3 flows='' d
	shift 3
	for d; do flows+="${flows:+,}{\"src\":\"$d\",\"dst\":\"r2\"}"; done
	[ "$name" = late ] || put t0 "$(awk '{ printf "%d", $1 * 1e6 + 200000 }' /proc/uptime)"
	echo "{\"mtu\":4096,\"op\":\"write\",\"gid\":\"ipv4\",\"timeout\":10,\"chunk_bytes\":$size,\"depth\":4,
		\"start_at_ns\":$(get t0)000,\"interval_ns\":100000,\"stop_ns\":${ms}000000,
		\"flows\":[$flows]}" >"$work/$name.json"
	"$flowgen" run "$work/$name.json" --out "$work/$name" -q >"$work/$name.log" 2>&1 &
	pid=$!
}

# until MS: that long after the start of the flows, or a tick later, which the clock that
# we have does not show
until_ms() {
	local ms
	ms=$(awk -v t0="$(get t0)" -v ms="$1" '{ printf "%d", t0 / 1e3 + ms - $1 * 1e3 }' /proc/uptime)
	sleep "$(awk -v ms="$ms" 'BEGIN { print ms / 1e3 }')"
}

trace_on() {
	echo 0 >"$tracing/tracing_on"
	echo mono >"$tracing/trace_clock" && : >"$tracing/trace" &&
		echo 1 >"$tracing/events/rxe_cc/rxe_cc_rx_sender/enable" &&
		echo 1 >"$tracing/tracing_on"
}

mark() { echo "$*" >"$tracing/trace_marker"; }

# When that was marked, in us since the start of the flows.
marked() {
	awk -v what="tracing_mark_write: $1" -v t0="$(get t0)" '
	index($0, what) { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) print $i * 1e6 - t0 }' \
		"$tracing/trace"
}

# rates NAME N FROM TO: each of the flows has the share of one of N then, in us
rates() {
	local want
	want=$(share "$2")
	awk -F, -v n="$2" -v want="$want" -v from="$3" -v to="$4" '
	NR == 1 { next }
	$1 / 1e3 >= from && $1 / 1e3 <= to {
		if (!($2 in t0)) { t0[$2] = $1; b0[$2] = $3 }
		t1[$2] = $1
		b1[$2] = $3
	}
	END {
		for (f in t0) {
			flows++
			us = (t1[f] - t0[f]) / 1e3
			rate = us ? (b1[f] - b0[f]) / us : 0
			printf "flow %d, %d to %d us: %.4f of the share of one of %d\n", f, t0[f] / 1e3, t1[f] / 1e3, rate / want, n
			if (us < 2800 || rate < want * 0.954 || rate > want * 1.046)
				bad = 1
		}
		exit bad || !flows
	}' "$work/$1/series.csv"
}

# One of four senders goes, in the middle of a message of 10 MB. Its process cannot notice.
sender_dies() {
	local dead
	trace_on
	start some 40 16384 r1 r4 r5
	some=$pid
	start late 40 10000000 r6
	dead=$pid
	until_ms 5
	kill -STOP $dead
	mark dies
	timeout 5 rdma link del r6 || return
	mark dead
	wait $some || { cat "$work/some.log"; return 1; }
	kill -9 $dead
	wait $dead
	echo 0 >"$tracing/tracing_on"
	put left "$(awk -v t0="$(get t0)" '/tracing_mark_write: dies/ { on = 1 }
		on && /dev=r2 .* left / { sub(/.*at_ns=/, ""); print $1 / 1e3 - t0; exit }' "$tracing/trace")"
}

# Its last packet came while it went, or had been under way.
expires() {
	awk -v a="$(marked dies)" -v b="$(marked dead)" -v left="$(get left)" -v idle=$idle_us 'BEGIN {
		last = left - idle
		printf "it went from %d to %d us, its last packet came at %d us\n", a, b, last
		exit !(last >= a - 100 && last <= b + 100)
	}'
}

# since N FROM TO: each has the share of one of N, in us from when the dead one does not count
since() {
	local left
	left=$(get left)
	rates some "$1" "$(awk -v l="$left" -v d="$2" 'BEGIN { print l + d }')" \
		"$(awk -v l="$left" -v d="$3" 'BEGIN { print l + d }')"
}

back() {
	ip netns exec "h$1" rdma link add "r$1" type rxe netdev "v$1" && wait_for 50 active "r$1" &&
		count_at "r$1"
}

# The receiver goes while two send to it, and comes back; they notice after a while.
receiver_dies() {
	local dead
	start some 60 16384 r1 r4
	dead=$pid
	until_ms 5
	kill -STOP $dead
	timeout 5 rdma link del r2 || return
	sleep 0.005
	kill -9 $dead
	wait $dead
	back 2 || return
	start some 20 16384 r1 r4 r5
	wait "$pid" || { cat "$work/some.log"; return 1; }
}

# Its algorithm goes: the senders go on as long as what they heard is good for, then at line
# rate, as if they had never heard anything; and it comes back. (By default a message of rcc
# starts at line rate when nothing was told for a round trip: restart.)
algorithm_dies() {
	local d
	[ $algo = dart ] || for d in r1 r4 r5; do "$rxecc" dev set $d param restart=0 || return; done
	start some 30 16384 r1 r4 r5
	until_ms 5
	trace_on
	echo 'dev == "r1" && rate_bps == 10000000000' >"$tracing/events/rxe_cc/rxe_cc_decision/filter"
	echo 1 >"$tracing/events/rxe_cc/rxe_cc_decision/enable"
	cc r2 algo=none && mark dies
	sleep 0.007
	count_at r2 && mark back
	wait "$pid" || { cat "$work/some.log"; return 1; }
	echo 0 >"$tracing/tracing_on"
	echo 0 >"$tracing/events/rxe_cc/rxe_cc_decision/enable"
	# The first and the last time that it decided for line rate.
	put fast "$(awk -v t0="$(get t0)" '/rxe_cc_decision/ { sub(/.*now_ns=/, ""); if (!n++) a = $1; b = $1 }
		END { printf "%d %d\n", a / 1e3 - t0, b / 1e3 - t0 }' "$tracing/trace")"
}

expires_too() {
	local from to
	read -r from to <"$work/fast"
	awk -v a="$(marked dies)" -v b="$(marked back)" -v from="$from" -v to="$to" -v hold=$told_us 'BEGIN {
		printf "no algorithm from %d to %d us, line rate from %d to %d us\n", a, b, from, to
		exit !(from >= a + hold - 100 && from <= a + hold + 100 && to >= b - 100 && to <= b + 100)
	}'
}

# nothing DEVICE...: no messages, senders, queue pairs; and no peers once they have not been
# needed for 10 s, which takes 20 at most
nothing() {
	local d
	sleep 21
	for d; do
		"$rxecc" -j dev show "$d" >"$work/dev"
		jq -c '.[0] | [.rx.msgs, .rx.msgs_all, .rx.senders, .qps,
			.counters.peer_added - .counters.peer_expired]' "$work/dev" >"$work/left"
		[ "$(<"$work/left")" = "[0,0,0,0,0]" ] || { echo "$d: $(<"$work/left")"; return 1; }
	done
}

ktap_print_header
ktap_check "hosts and switch" make_attack_net
for algo in rcc dart; do
	ktap_check "$algo at all" count_all
	ktap_check "$algo: one of four senders dies" sender_dies
	ktap_check "... it counts for $idle_us us from its last packet on" expires
	ktap_check "... as long the others have a fourth" since 4 -$((idle_us - step_us)) -$step_us
	ktap_check "... then a third" since 3 $step_us $((step_us + 10000))
	ktap_check "... nothing is left of it" nothing r1 r2 r4 r5
	ktap_check "it is back" back 6
	ktap_check "$algo: the receiver dies, and comes back" receiver_dies
	ktap_check "... three senders have a third of it" rates some 3 2000 19000
	ktap_check "... nothing is left" nothing r1 r2 r4 r5 r6
	ktap_check "$algo: the receiver's algorithm goes, and comes back" algorithm_dies
	ktap_check "... senders believe for $told_us us what they heard, and hear again" expires_too
	ktap_check "... three senders have a third again" rates some 3 20000 29000
	ktap_check "... nothing is left" nothing r1 r2 r4 r5 r6
done
ktap_finished
