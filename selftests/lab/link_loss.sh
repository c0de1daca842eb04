#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a link that loses one packet in a thousand costs what go-back-N and rxe's timer cost; other links lose none
#
# a -- s -- b, where a-s loses packets in both directions, and one flow of 100 MB at a fixed rate of
# 50 Gbit/s. So there is no queue, and what a run takes is known: every packet that is sent takes its
# time on the line, and every timeout is a time in which nothing is sent.
. "$(dirname "$0")/../lib/lab_lib.sh"

cat >"$LAB_OUT/lossy.json" <<'END'
{ "name": "lossy", "help": "one link that loses packets",
  "keys": [
    { "name": "share", "unit": "fraction", "default": "0.001", "min": "0", "max": "1", "help": "lost on a-s" } ],
  "hosts": [ { "name": "a" }, { "name": "b" } ], "switches": [ { "name": "s" } ],
  "links": [ { "a": "a", "b": "s", "loss": "share" }, { "a": "s", "b": "b" } ],
  "flows": [ { "src": "a", "dst": "b", "bytes": "100mb" } ] }
END

fct='' sent='' again='' timeouts='' total='' drops='' errors='' data='' acks='' n_acks='' elsewhere=''
# what RUN: the figures that the checks are about, as variables
what() {
	eval "$(lab_get "$1" '"fct=\(.flows.fct_ns.max) sent=\(.data_packets) again=\(.retransmits)",
		"timeouts=\(.timeouts) total=\(.lost.total) drops=\(.drops.total) errors=\(.errors)",
		"data=\(.ports["a-s"].lost) acks=\(.ports["s-a"].lost) n_acks=\(.ports["s-a"].tx_packets)",
		"elsewhere=\([.ports | to_entries[] | select(.key | test("b")) | .value.lost // 0] | add)"')"
}

# What is lost is a binomial number: 5 sigma are missed once in 1.7 million.
shares() {
	what "$1"
	is "$((data + acks))" == "$total" && is "$elsewhere" == 0 && is "$drops" == 0 &&
		is "$errors" == 0 || return
	awk -v n="$sent" -v k="$data" -v m="$n_acks" -v l="$acks" 'BEGIN {
		a = 5 * sqrt(n * 0.001) ; b = 5 * sqrt(m * 0.001)
		if (k < n / 1000 - a || k > n / 1000 + a || l > m / 1000 + b) {
			print k " of " n " data packets and " l " of " m " others are lost"; exit 1
		}
	}'
}

# A packet of 1024 bytes and 82 of headers takes 177 ns at 50 Gbit/s. Nothing else delays the flow
# but the path (4 us and some packets) and timeouts. A timeout is 4.096 us * 2^14, 67.1 ms, in jiffies
# of 10 ms, so it may be one too short and two too long, and of it the sender sends for as long as
# 4096 packets take: 0.73 ms.
completion() {
	what "$1"
	awk -v fct="$fct" -v sent="$sent" -v k="$timeouts" 'BEGIN {
		rest = fct - sent * 1106 * 8 / 50
		low = k * (67.1e6 - 10e6 - 0.73e6) ; high = k * (67.1e6 + 20e6) + 20e3
		if (rest < low || rest > high) {
			print rest / 1e6 " ms beyond sending for " k " timeouts, not " low / 1e6 " to " high / 1e6
			exit 1
		}
	}'
}

# After a lost packet the sender goes back to it when the NAK comes: the packets of a round trip.
# That is 4 times 1 us, three packets of 88 ns and an ACK: 4.3 us or 24.3 packets; one is on the line
# and one more lost. A timeout sends again what is outstanding, at most 4096.
go_back() {
	what "$1"
	is "$again" ">=" 1 && is "$again" "<=" "$((data * 27 + timeouts * 4096))"
}

for seed in 1 2 3; do
	run=lossy/fixed:rate=50gbit/$seed
	ktap_check "seed $seed: a run with losses" lab_run "$LAB_OUT/lossy.json" \
		--cc fixed:rate=50gbit --seed $seed
	ktap_check "seed $seed: one packet in a thousand is lost, on that link" shares $run
	ktap_check "seed $seed: a loss costs the packets of a round trip" go_back $run
	ktap_check "seed $seed: time is that of packets and timeouts" completion $run
done

# Losses have a generator of their own: one that takes no packet leaves every mark where it was.
marks() {
	local set dir=$LAB_OUT/marks
	for set in 0 0.000000001; do
		LAB_DIR=$dir/$set lab_run incast --cc dcqcn --set n=4 --set size=1mb --set loss=$set || return
	done
	is "$(LAB_DIR=$dir/0 lab_get incast/dcqcn/1 .bottleneck.ecn_marked)" ">=" 1 &&
		cmp "$dir"/{0,0.000000001}/incast/dcqcn/seed1/rates.csv &&
		cmp "$dir"/{0,0.000000001}/incast/dcqcn/seed1/queues.csv
}
ktap_check "losses move no mark" marks

# The key is of all links, and results tell it only where it was set.
all_links() {
	lab_run two --cc hpcc --set loss=0.001 --set size=10mb || return
	is "$(lab_get two/hpcc/1 '[.ports[] | select(.lost > 0)] | length')" ">=" 2 &&
		is "$(lab_get two/hpcc/1 .settings.loss)" == 0.001 || return
	lab_run two --cc none || return
	is "$(lab_get two/none/1 '.settings | has("loss") | if . then 1 else 0 end')" == 0 &&
		is "$(lab_get two/none/1 'has("lost") | if . then 1 else 0 end')" == 0
}
ktap_check "the key loss" all_links

again() {
	LAB_DIR=$LAB_OUT/again lab_run "$LAB_OUT/lossy.json" --cc fixed:rate=50gbit || return
	diff -r -x run.json "$LAB_OUT/r/lossy/fixed:rate=50gbit/seed1" \
		"$LAB_OUT/again/lossy/fixed:rate=50gbit/seed1"
}
ktap_check "the same seed loses the same packets" again

ktap_finished
