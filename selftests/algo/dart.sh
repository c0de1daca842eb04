#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: Dart's direct apportioning of sending rates (DASR): rates match the count one round trip
#   after a join, two after a leave; types of congestion: at the receiver, in the network, at the
#   source; a look-ahead, accepted and refused; READs; replay
#
# converge is Dart's Fig. 15: 10 Gbit/s, 5 us a link. From the newcomer's first packet
# at the receiver on, the answer to it has n = 2, and so has the answer to the next packet
# of the other flow, which is at most a packet away. Both take half a round trip. So
# a round trip is enough. After its end a message counts for one more round trip (linger),
# and then the other flow's next packet takes two packet times: two round trips. Without
# linger one is enough again. (The paper: one round trip for both.)
. "$(dirname "$0")/../lib/lab_lib.sh"

AWK=$(dirname "$0")/dart_converge.awk
half=5e9
# From a start to the first packet's arrival: twice a packet and 5 us. From a flow's
# completion back to the last packet's arrival: twice an ACK and 5 us.
first_ns=11770 ack_ns=10138

# of_run CC [SHARE]: join, leave, mean rates; of scenario converge
of_run() {
	local dir=${LAB_DIR:-$LAB_OUT/r}/converge/$1/seed1 rtt
	rtt=$(jq .knobs.base_rtt "$dir/summary.json")
	# shellcheck disable=SC2046
	awk -f "$AWK" rtt="$rtt" share="${2:-$half}" line=1e10 hold=10 \
		$(awk -F, -v f=$first_ns -v a=$ack_ns '$1 == 1 { print "join=" $6 + f, "leave=" $6 + $7 - a }' \
			"$dir/flows.csv") "$dir/rates.csv"
}

# column N OF...
column() {
	shift "$1"
	echo "$1"
}

# within CC COLUMN MOST
within() {
	local v
	# shellcheck disable=SC2046
	v=$(column "$2" $(of_run "$1"))
	is "$v" ">=" 0 && is "$v" "<=" "$3"
}

both_have_half() {
	local v
	read -ra v <<<"$(of_run dart)"
	near "${v[2]}" $half 0.001 && near "${v[3]}" $half 0.001
}

# All of it is the receiver's congestion: marks, and no CNP.
held_back() {
	lab_get converge/dart/1 '.bottleneck.ecn_marked > 100 and .cnp.sent == 0' | grep -qx true &&
		awk -F, '$3 == "rx_cnps_held" && $4 > 100 { found = 1 } END { exit !found }' \
			"$LAB_OUT/r/converge/dart/seed1/state.csv"
}

slower() {
	local v
	# shellcheck disable=SC2046
	v=$(column 1 $(of_run dcqcn))
	is "$v" "==" -1 || is "$v" ">=" 10
}

# Two flows to two receivers over one link between switches: neither receiver is busy,
# so both let marks through, and DCQCN shares the link: each has been cut once at least.
in_network() {
	LAB_DIR=$LAB_OUT/net lab_run dumbbell --cc dart --set n=2 --set rate=10gbit --set size=4mb \
		--set kmin=22500 --set kmax=22500 --set pmax=1 || return 1
	LAB_DIR=$LAB_OUT/net lab_get dumbbell/dart/1 '.cnp.handled >= 2 and .bottleneck.queue_bytes.p99 < 1000000' |
		grep -qx true
}

# Twenty flows of at most 100 Mbit/s over one link of 1 Gbit/s to twenty receivers: a packet in
# 88 us or more at each, and mostly none in a rate_window, which is a base RTT of 33 us. A receiver
# that takes that for silence holds back all marks, and the queue becomes as long as all that is
# sent in excess, 5 MB. One that does not is DCQCN's notification point, and n = 1 leaves the
# senders to DCQCN. Packets are further apart than its interval of 50 us as long as the queue
# keeps them apart, so a CNP goes for nearly each mark, and the queue is that under dcqcn: within a
# tenth, for before the first gap of each flow nothing is known.
slow_flows() {
	local dir=$LAB_OUT/slow cc marks cnps
	LAB_DIR=$dir lab_run dumbbell --cc dart:rpg_max_rate=100mbit,dcqcn:rpg_max_rate=100mbit --set n=20 --set rate=10gbit \
		--set core_rate=1gbit --set delay=5us --set kmin=22500 --set kmax=22500 --set pmax=1 --set ack_prio=on \
		--set size=500kb --set jitter=5ms --set buffer=256mb --set ib_timeout=17 --set chunk="$1" --force || return 1
	for cc in dart dcqcn; do
		marks=$(LAB_DIR=$dir lab_get dumbbell/$cc:rpg_max_rate=100mbit/1 .bottleneck.ecn_marked)
		cnps=$(LAB_DIR=$dir lab_get dumbbell/$cc:rpg_max_rate=100mbit/1 .cnp.sent)
		echo "$cc: $cnps CNPs for $marks marks, queue $(LAB_DIR=$dir lab_get dumbbell/$cc:rpg_max_rate=100mbit/1 .bottleneck.queue_bytes.mean)"
		is "$cnps" ">=" "$((marks * 9 / 10))" || return
	done
	is "$(LAB_DIR=$dir lab_get dumbbell/dart:rpg_max_rate=100mbit/1 .bottleneck.queue_bytes.mean)" "<=" \
		"$(LAB_DIR=$dir lab_get dumbbell/dcqcn:rpg_max_rate=100mbit/1 '.bottleneck.queue_bytes.mean * 1.1')"
}

# Sixteen hosts send 8 KB each to one at the same instant, every 400 us: 141 KB of wire bytes, of which
# what comes when 22.5 KB wait is marked: 16 times 10 Gbit/s come in and one goes out. Between them
# is a silence of 250 us, which is no low rate: all marks are the receiver's, and no CNP goes.
incasts_held() {
	awk 'BEGIN { print "id,src,dst,bytes,start_ns"
		for (i = 0; i < 20; i++) for (h = 0; h < 16; h++) printf "%d,h%d,h16,8192,%d\n", id++, h, i * 400000 }' >"$LAB_OUT/flows.csv"
	LAB_DIR=$LAB_OUT/held lab_run star --cc dart --set n=17 --set rate=10gbit --set delay=5us --set kmin=22500 --set kmax=22500 \
		--set pmax=1 --set ack_prio=on --set flows_file="$LAB_OUT/flows.csv" || return 1
	# 128 packets of 1106 bytes; while they come, 1/16 of them leave; 21 do not see 22.5 KB.
	is "$(LAB_DIR=$LAB_OUT/held lab_get star/dart/1 .bottleneck.ecn_marked)" ">=" $((20 * (128 - 21 * 16 / 15 - 1))) &&
		is "$(LAB_DIR=$LAB_OUT/held lab_get star/dart/1 .cnp.sent)" "==" 0
}

# One host to two receivers: congestion at the source. Its port marks, unless it is told
# not to; then nobody hears of it, and only the port's own buffer holds the flows.
at_source() {
	local ecn
	cat >"$LAB_OUT/flows.csv" <<-END
		id,src,dst,bytes,start_ns
		0,h0,h1,4000000,0
		1,h0,h2,4000000,0
	END
	for ecn in on off; do
		LAB_DIR=$LAB_OUT/src$ecn lab_run star --cc dart --set n=3 --set rate=10gbit --set flows_file="$LAB_OUT/flows.csv" \
			--set host_ecn=$ecn --set kmin=22500 --set kmax=22500 --set pmax=1 || return 1
	done
	is "$(LAB_DIR=$LAB_OUT/srcon lab_get star/dart/1 .cnp.handled)" ">=" 2 &&
		is "$(LAB_DIR=$LAB_OUT/srcoff lab_get star/dart/1 .cnp.handled)" "==" 0
}

# A part is a host's: two queue pairs of h0 have half the line together, as one of h1 has. With
# twice the bytes for that one all three end together, but for a packet of each at their rates.
# A third each would make 9 and 12 of the same units.
shared_by_host() {
	cat >"$LAB_OUT/flows.csv" <<-END
		id,src,dst,bytes,start_ns
		0,h0,h2,2000000,0
		1,h0,h2,2000000,0
		2,h1,h2,4000000,0
	END
	LAB_DIR=$LAB_OUT/part lab_run star --cc dart --set n=3 --set rate=10gbit --set flows_file="$LAB_OUT/flows.csv" || return 1
	awk -F, 'NR > 1 { if (!min || $7 < min) min = $7; if ($7 > max) max = $7; print }
		END { exit !(min && max < min * 1.01) }' "$LAB_OUT/part/star/dart/seed1/flows.csv"
}

# 16 senders join a long flow: 8 packets of each arrive within 7.1 us. Without a notice the
# long flow goes on at the line meanwhile, 8 packets; announced 20 us before, it has slowed
# down to a packet in 15 us when they come. So the peak is at least six packets lower.
announced() {
	local l
	for l in auto 20us; do
		LAB_DIR=$LAB_OUT/la$l lab_run incast --cc dart --set n=16 --set size=8kb --set bg=on --set bg_size=2mb \
			--set rate=10gbit --set delay=5us --set start=500us --set lookahead=$l || return 1
	done
	LAB_DIR=$LAB_OUT/la20us lab_get incast/dart/1 '.lookahead == { "notices": 1, "refused": 0 }' | grep -qx true &&
		is "$(LAB_DIR=$LAB_OUT/la20us lab_get incast/dart/1 .bottleneck.queue_bytes.max)" "<=" \
			"$(LAB_DIR=$LAB_OUT/laauto lab_get incast/dart/1 '.bottleneck.queue_bytes.max - 6000')"
}

# Incasts whose flows start one after the other are announced once each, before the first. Two
# at one host within the time are one, which is rare.
announced_together() {
	LAB_DIR=$LAB_OUT/lat lab_run mix --cc dart --set hosts=32 --set duration=2ms --set incast_spread=50us --set lookahead=20us ||
		return 1
	LAB_DIR=$LAB_OUT/lat lab_get mix/dart/1 '.lookahead.refused == 0 and .lookahead.notices <= .traffic.incast.events and
		.lookahead.notices >= 0.9 * .traffic.incast.events' | grep -qx true
}

# So early that more than 600 flows lie between a notice and its incast: all of them have their
# queue pairs by then. Nobody has used up a quota, and nothing expires.
announced_early() {
	LAB_DIR=$LAB_OUT/early lab_run mix --cc dart --set hosts=32 --set load=0.6 --set duration=3ms --set lookahead=2ms \
		--param la_quota=255 --param la_expiry=3ms || return 1
	LAB_DIR=$LAB_OUT/early lab_get mix/dart/1 '.lookahead.refused == 0 and .lookahead.notices == .traffic.incast.events and
		.traffic.incast.events > 600 / 16 * 3 / 2' | grep -qx true
}

# A port that takes none refuses it, and the run goes on.
refused_by_port() {
	LAB_DIR=$LAB_OUT/ref lab_run incast --cc dart --set n=4 --set size=8kb --set rate=10gbit --set start=50us \
		--set lookahead=11us --param lookahead=0 || return 1
	LAB_DIR=$LAB_OUT/ref lab_get incast/dart/1 '.lookahead == { "notices": 0, "refused": 1 } and
		(.notes | any(contains("look-ahead is off")))' | grep -qx true
}

# The same decisions from what was recorded, commands of a look-ahead among it.
replayed() {
	local in=$LAB_OUT/ev/incast/dart/seed1/events.csv
	LAB_DIR=$LAB_OUT/ev lab_run incast --cc dart --set n=4 --set size=200kb --set bg=on --set rate=10gbit \
		--set start=100us --set lookahead=11us --events || return 1
	grep -q ',expect,' "$in" || { echo "no command recorded"; return 1; }
	"$LAB" replay --cc dart --in "$in" --out "$LAB_OUT/out.csv" >"$LAB_OUT/say" 2>&1 || { cat "$LAB_OUT/say"; return 1; }
	grep -q 'all as recorded' "$LAB_OUT/say" || { cat "$LAB_OUT/say"; return 1; }
}

# At 1 Gbit/s and n = 16 a packet takes longer to send than a round trip, so there is a silence
# between any two messages, and of READ responses nothing is in flight meanwhile. The rates of n
# flows are C, so the queue of the start stays, and does not grow by more than two packets of each.
reads() {
	LAB_DIR=$LAB_OUT/reads lab_run incast --cc dart --set op=read --set n=16 --set rate=1gbit \
		--set size=2mb --set buffer=128mb --set ib_timeout=20 || return
	awk -F, '$2 == "sw-r" && $1 >= 10e6 { if (!first) first = $4; if ($4 > most) most = $4 }
		END { printf "%d bytes, then %d at most\n", first, most; exit !first || most > first + 32 * 1106 }' \
		"$LAB_OUT/reads/incast/dart/seed1/queues.csv"
}

ktap_print_header
ktap_check "converge: all complete" lab_run converge --cc dart,dcqcn
ktap_check "both have half within a round trip" within dart 1 1
ktap_check "and go on to have it" both_have_half
ktap_check "the first has the line again within two" within dart 2 2
ktap_check "marks come, and no CNP goes" held_back
ktap_check "dcqcn needs ten times as long" slower
LAB_DIR=$LAB_OUT/l1 ktap_check "without a linger" lab_run converge --cc dart --param linger=1ns
LAB_DIR=$LAB_OUT/l1 ktap_check "the line again within a round trip" within dart 2 1
ktap_check "marks are heard where packets are rarer than a window" slow_flows 256kb
ktap_check "and where each is a message" slow_flows 1kb
ktap_check "marks of incasts stay the receiver's, whatever the silence between" incasts_held
LAB_DIR=$LAB_OUT/read ktap_check "READs" lab_run converge --cc dart --set op=read
LAB_DIR=$LAB_OUT/read ktap_check "of which answers tell as soon" within dart 1 1
ktap_check "congestion in the network is DCQCN's" in_network
ktap_check "congestion at the source too, if its port marks" at_source
ktap_check "queue pairs of one host share its part" shared_by_host
ktap_check "slow READs know n from message to message" reads
ktap_check "a look-ahead keeps the queue shorter" announced
ktap_check "incasts of which each flow has its own start" announced_together
ktap_check "incasts that are announced long before" announced_early
ktap_check "a port may refuse it" refused_by_port
ktap_check "a recording gives the same decisions" replayed
ktap_finished
