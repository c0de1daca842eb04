#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: floods of forged packets of every kind against a connection: what is left of its goodput,
#   and what is believed of them; what windows cost that name a packet under way; `FULL=1`: all
#   rates of [threat-model.md](threat-model.md)
#
# What somebody outside a connection can do to it: floods of packets in the name of one
# of its ends, each with a random PSN, for it cannot see the real ones. The figures are
# those of Documentation/devel/threat-model.md.
#
# Such packets take room on the victim's link too, and some numbers are right by
# chance: where nothing else is said, a flood may cost 5 % of goodput.
#
# FULL=1: every rate of the page.
set -u
# shellcheck source=selftests/lib/forge_lib.sh
. "$(dirname "$0")/../lib/forge_lib.sh"
[ "${1:-}" = inside ] || int_uml "" --env "FULL=${FULL:-}" --env "SEED=${SEED:-1}"

# handled_at_most N COMMAND...: so many CNPs are believed meanwhile
handled_at_most() {
	local n=$1 before
	sleep 0.02
	before=$(counter r1 rp_cnp_handled)
	shift
	"$@" || return
	sleep 0.02
	echo "$(($(counter r1 rp_cnp_handled) - before)) believed of at most $n"
	[ $(($(counter r1 rp_cnp_handled) - before)) -le "$n" ]
}

# A receiver that has nothing to show, as a NIC.
nic() { both dcqcn && cc r2 algo=none; }

# one_packet KIND: of an outsider, to a sender whose peer drops what bears telemetry, as a
# stock rxe does that takes it for the transport header
one_packet() {
	both hpccpp int=auto && cc r2 algo=none int_dscp=50 && DRAIN_NS=20000000 attack $MS r1 "$1" 200 1
	left 95
}

# The peer says that it takes telemetry, and something drops all that has any. A timeout
# of flowgen's default is 67 ms; in 1 s several pass, and the flow goes on between them.
dropped() {
	local back
	both hpccpp int=auto && cc r2 int_dscp=50 || return
	sleep 0.02
	back=$(counter r1 int_taken_back)
	attack 1000 r1 cnp 0
	sleep 0.02
	echo "$gbps Gbit/s, taken back $(($(counter r1 int_taken_back) - back)) times"
	cc r2 int_dscp=27
	[ "$(counter r1 int_taken_back)" -gt "$back" ] && left 10
}

# share ALGORITHM: what forged requests leave of one of four flows to a port, as $share:
# in the first 50 ms, and in 400
share() {
	local calm early
	both "$1" && OTHERS=3 attack 400 r1 cnp 0 || return
	calm=$gbps early=$(goodput 50)
	OTHERS=3 attack 400 r2 write 33000 || return
	share=$(awk -v a="$(goodput 50)" -v b="$early" -v c="$gbps" -v d="$calm" \
		'BEGIN { printf "%.3f %.3f\n", a / b, c / d }')
	echo "$1: $(goodput 50) of $early, $gbps of $calm Gbit/s: $share"
}

# Requests with wrong PSNs make a receiver without an algorithm send NAKs, which is the
# transport's weakness. An algorithm must not make it worse.
requests() {
	local none
	share none && none=$share && share timely || return
	echo "$share $none" | awk '{ exit !($1 >= $3 * 0.95 && $2 >= $4 * 0.95) }'
}

# Of such requests the marked ones do no more than the others.
marked() {
	local plain
	both dcqcn && attack $MS r2 write 10000 || return
	plain=$gbps
	attack $MS r2 write_ce 10000 || return
	echo "$gbps Gbit/s, $plain when not marked"
	awk -v a="$gbps" -v b="$plain" 'BEGIN { exit !(a >= b * 0.95) }'
}

# guess PERCENT RATE: windows of a byte that name a packet ahead of the one that came last, so
# many a second; some were believed. Less is under way then, so not all are.
guess() {
	local before got
	sleep 0.02
	before=$(counter r1 rp_cap_set)
	SEEN=1 flood r1 window_switch "$2" "$1" || return
	sleep 0.02
	got=$(($(counter r1 rp_cap_set) - before))
	echo "$got believed"
	[ "$got" -ge $((100 * MS / 1000 - 2)) ]
}

# ports PERCENT: 100 packets a second that are under way are named, each by 16 ports. Four are
# believed of each: not one less while the flow is not held, which is so for the first.
ports() {
	local before got named=$((100 * (MS + 25) / 1000))
	sleep 0.02
	before=$(counter r1 rp_cnp_handled)
	SEEN=1 flood r1 ports_switch 100 "$1" || return
	sleep 0.02
	got=$(($(counter r1 rp_cnp_handled) - before))
	echo "$got believed of $((16 * named)), at most $((4 * named))"
	[ "$got" -ge 4 ] && [ "$got" -le $((4 * named)) ]
}

# telemetry PERCENT RATE: of a path that nobody has, naming packets under way. It is compared with
# nothing, and so is the true sample after it: each costs two, and no more.
telemetry() {
	local got hops
	sleep 0.02
	got=$(counter r1 report_received) hops=$(counter r1 cc_tel_hops)
	SEEN=1 flood r1 report_hops "$2" "$1" || return
	sleep 0.02
	got=$(($(counter r1 report_received) - got)) hops=$(($(counter r1 cc_tel_hops) - hops))
	echo "$got believed, $hops samples were of no use"
	[ "$got" -ge $(($2 * MS / 1000 - 2)) ] && [ "$hops" -le $((2 * got)) ]
}

ktap_print_header
ktap_check "hosts and switch" make_attack_net

ktap_check "dcqcn alone" peace dcqcn
floods 50000 "dcqcn, CNPs of switches, which it does not want" r1 cnp_switch 95 rp_cnp_handled
floods "10000 50000" "dcqcn, CNPs without a PSN" r1 cnp 95 rp_cnp_handled
floods 50000 "dcqcn, CNPs with any PSN" r1 cnp_psn 95
ktap_check "dcqcn, marked requests, 10000 a second" marked
# Of READ responses 2048 count as under way, so 6 guesses a second are right. One costs 110 us of
# line rate at most, see below.
OP="read" ktap_check "dcqcn, READs, alone" peace dcqcn
OP="read" floods 50000 "dcqcn, READs, CNPs with any PSN" r2 cnp_psn 95
ktap_check "mercury alone" peace mercury
floods 50000 "mercury, windows of switches, which the port does not want" r1 window_switch 95 \
	rp_cnp_handled rp_cap_set
if [ -n "${FULL:-}" ]; then
	MS=1000
	ktap_check "mercury alone, for 1 s" peace mercury
	ktap_check "mercury, a million such windows" flood r1 window_switch 1000000 95 rp_cnp_handled rp_cap_set
	MS=50
fi
# A guess is right once in 2^24 / 128.
ktap_check "mercury where switches are believed, alone" peace mercury switch_feedback=1
floods 50000 "mercury where switches are believed, windows with any PSN" r1 window_switch 95
# Each holds the flow for 55 us, until DCQCN's next increase, or for less. It also halves the
# rate, which five increases bring back: 55 us x (1/2 + 1/4 + ...) of line rate at most. That is
# 110 us, 100 times a second: 1.1 %; the rest of 5 % is for the last increases.
ktap_check "... windows that name a packet under way, 100 a second" guess 95 100
for rate in ${FULL:+1000 10000}; do
	ktap_check "... $rate a second" guess 0 $rate
done
# In the name of 16 ports: 48 000 packets a second, and 16 for each guess, four of which count.
# Of the four one cuts (cut_interval), and one increase lifts all windows: as above.
ktap_check "... windows of 16 ports with any PSN, 3000 a second" flood r1 ports_switch 3000 95
ktap_check "... windows of 16 ports that name a packet under way, 100 a second" ports 95
ktap_check "dcqcn where switches are believed, alone" peace dcqcn switch_feedback=1
# Four cuts leave 1/16 of the rate, and the window of a byte lasts for 1 ms (cap_expiry).
ktap_check "... windows of 16 ports that name a packet under way, 100 a second" ports 0
ktap_check "dcqcn:mlx5 alone" peace dcqcn:mlx5
floods 50000 "dcqcn:mlx5, CNPs without a PSN" r1 cnp 95 rp_cnp_handled
# 50 us apart in 75 ms, and one that may be early.
ktap_check "a receiver that is like a NIC" nic
ktap_check "dcqcn, CNPs without a PSN: as many as a NIC could send" \
	handled_at_most 1502 flood r1 cnp 1000000 0

ktap_check "hpccpp alone" peace hpccpp int=auto
floods 50000 "hpccpp, reports of switches, which it does not want" r1 report_switch 95 report_received
floods 50000 "hpccpp, windows in reports, which it does not want" r1 report 95
floods 50000 "hpccpp, ACKs" r1 ack 95
# An answer has 118 bytes on the wire and more: 10^6 a second would take a tenth of the link.
floods "50000 1000000" "hpccpp, probes" r1 probe 95
for kind in ack report_unknown report probe; do
	ktap_check "hpccpp, a peer that drops telemetry, one $kind with capabilities" one_packet $kind
done
ktap_check "hpccpp, a peer that wants telemetry and drops it" dropped
ktap_check "hpccstar where switches are believed, alone" peace hpccstar int=auto switch_feedback=1
floods 50000 "hpccstar where switches are believed, direct INT with any PSN" r1 report_direct 95
ktap_check "hpccpp:rx alone" peace hpccpp:rx int=auto
floods 50000 "hpccpp:rx, windows in reports" r1 report 95
for algo in powertcp powertcp:theta; do
	ktap_check "$algo alone" peace $algo int=auto
	floods 50000 "$algo, reports with telemetry" r1 report_hops 95
	floods 50000 "$algo, ACKs" r1 ack 95
done
ktap_check "powertcp alone" peace powertcp int=auto
ktap_check "... telemetry that names a packet under way, 10000 a second" telemetry 95 10000
# The requests have 98 bytes on the wire each: 10^6 a second would take 8 % of the link.
for algo in dcqcn timely; do
	ktap_check "$algo alone" peace $algo
	all_rates=${all_rates% *} floods 50000 "$algo, requests that the peer cannot have sent" r2 write 95
done
ktap_check "timely, requests with wrong PSNs: no worse than without control" requests
ktap_finished
