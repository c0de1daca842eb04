#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: windows, senders and times in ACKs, reports and probes between two hosts; some made by
#   hand, right and wrong, into a live connection
#
# Reports and probes, packets between peers that are no answers, and what ACKs tell besides
# telemetry. Real ones first: what was pushed, told or asked for arrives, and nothing else. Then
# some made by hand in the name of the peer, right and wrong, into a live connection: each is
# counted by what it is, and the transfer goes on.
set -u
# shellcheck source=selftests/lib/int_lib.sh
. "$(dirname "$0")/../lib/int_lib.sh"
[ "${1:-}" = inside ] || int_uml "rxe_cc_testalg rxe_cc_fixed"

param() { cat "$testalg/$1"; }

# deltas DEVICE COUNTER... -- COMMAND...: sets $got to by how much they grow
deltas() {
	local dev=$1 c names=() before=()
	shift
	while [ "$1" != -- ]; do
		names+=("$1")
		shift
	done
	shift
	# A reading is 10 ms old at most.
	sleep 0.05
	for c in "${names[@]}"; do before+=("$(counter "$dev" "$c")"); done
	"$@" || return
	sleep 0.05
	got=
	for c in "${names[@]}"; do
		got+=" $(($(counter "$dev" "$c") - before[0]))"
		before=("${before[@]:1}")
	done
	got=${got# }
	echo "${names[*]}: $got"
}

# with_base COMMAND...: without it READ responses go with INT besides probes, to measure the path
with_base() {
	local rc=0
	knob base_rtt 5000 && "$@" || rc=$?
	knob base_rtt 0
	return $rc
}

# Probes: as many as answers, each with the hops that were pushed into it; data
# goes without INT.
probes() {
	local sent int received
	parameter int_mode 2
	deltas "$3" probe_sent int_sent report_received -- equal "$1" "$2" 1024000 || return
	read -r sent int received <<<"$got"
	[ "$sent" -gt 0 ] && [ "$int" -eq "$sent" ] && [ "$received" -eq "$sent" ]
}

# One packet a round trip: more than the round trips of the transfer at line rate
# would be wrong, and none too.
sparse() {
	parameter int_mode 1
	deltas "$3" int_sent int_echo_received -- equal "$1" "$2" 1024000 || return
	[ "${got%% *}" -gt 0 ] && [ "${got%% *}" -lt 200 ] && [ "${got%% *}" -eq "${got##* }" ]
}

# The receiver's algorithm takes the telemetry: nothing goes back.
taken() {
	local h0 b0 h1 b1 hops bytes
	parameter int_mode 0
	parameter rx_hops 1
	trace_pushes
	h0=$(param data_hops) b0=$(param data_tx_bytes)
	deltas "$3" int_echo_sent report_sent -- flow "$1" 1024 "$2" 1024000 || return
	h1=$(param data_hops) b1=$(param data_tx_bytes)
	pushed | sums >"$work/pushed"
	read -r hops _ _ _ bytes _ <"$work/pushed"
	echo "hops $((h1 - h0)) of $hops, bytes $((b1 - b0)) of $bytes"
	parameter rx_hops 0
	[ "$got" = "0 0" ] && [ "$hops" -eq 2000 ] && [ $((h1 - h0)) -eq "$hops" ] &&
		[ $((b1 - b0)) -eq "$bytes" ]
}

# What the receiver tells comes with every ACK: 1000 packets, 1000 ACKs.
always() {
	local before
	parameter tell 4611686018427387900
	parameter tell_nr 4
	parameter tell_always 1
	before=$(param fb_calls)
	deltas r2 report_sent -- flow ipv4 1024 "$1" 1024000 || return
	echo "told $(($(param fb_calls) - before)) times, $(param fb)"
	parameter tell_always 0
	[ "$got" = 0 ] && [ $(($(param fb_calls) - before)) -eq 1000 ] &&
		[ "$(param fb)" = 4611686018427387900,4611686018427387901,4611686018427387902,4611686018427387903 ]
}

# Told at the start of each message, whose packet asks for no ACK: a report. 100
# messages of 10 packets.
told_now() {
	local before
	parameter window 1000000000
	parameter ask_acks 0
	parameter tell 77
	parameter tell_nr 1
	parameter tell_now 1
	before=$(param fb_calls)
	deltas r2 report_sent -- run_flows '"mtu":1024,"chunk_bytes":10240,"op":"write"' \
		'{"src":"r1","dst":"r2","bytes":1024000}' || return
	echo "told $(($(param fb_calls) - before)) times, $(param fb)"
	parameter tell_now 0
	parameter ask_acks 1
	[ "$got" = 100 ] && [ $(($(param fb_calls) - before)) -eq 100 ] &&
		[ "$(param fb)" = 77,0,0,0 ]
}

# Times: the ACK of a packet that asked for them. The path, from the first port's
# start of transmission: two links of 1 us and at least the packet's own length.
times() {
	local pid n way min max rtt
	ip netns exec h1 "$rxe_report" tlvs v1 50 >"$work/tlvs" &
	pid=$!
	sleep 0.02
	run_flows '"mtu":1024,"depth":1,"chunk_bytes":1024,"op":"send"' \
		'{"src":"r1","dst":"r2","bytes":102400}' || return
	wait $pid
	cat "$work/tlvs"
	grep '^ack_tlv_2 ' "$work/tlvs" >"$work/time"
	read -r _ n _ _ _ _ way min max <"$work/time"
	rtt=$(param rtt_ns)
	echo "$n times, $way $min to $max, RTT $rtt"
	# 1106 wire bytes and the hops take 91 to 95 ns a link.
	grep -q '^odd 0$' "$work/tlvs" && [ "$n" -ge 90 ] && [ "$min" -ge 2180 ] &&
		[ "$max" -lt 2300 ] && [ "$max" -lt "$rtt" ]
}

# The same of a receiver whose algorithm looks at no packet: only those that ask are stamped.
times_only() {
	local rc=0
	cc r2 algo=fixed && times || rc=$?
	cc r2 algo=testalg && return "$rc"
}

# One-way delays, at either end; one packet at a time, so the path is idle: its length is
# within 2 ns what two links of 1 us and 100 Gbit/s take for a packet, which is longer on
# the second one by a hop. First what the receiver's algorithm is told, by the first port's
# time, then what the ACKs of packets without INT tell. Clocks that are not common: none.
one_way() {
	local want=$1 bytes=$2 mode=$3 profile=$4 name=$5 before
	parameter int_mode "$mode"
	parameter int_profile "$profile"
	parameter rx_hops $((mode == 0))
	before=$(param "${name}owds")
	deltas r1 owd_refused -- run_flows '"mtu":1024,"depth":1,"chunk_bytes":1024,"op":"send"' \
		'{"src":"r1","dst":"r2","bytes":102400}' || return
	echo "$(($(param "${name}owds") - before)) measured, the last $(param "${name}owd_ns")," \
		"path $(param "${name}path_hops")"
	parameter rx_hops 0
	parameter int_profile 0
	parameter int_mode 0
	[ "$got" = 0 ] && [ $(($(param "${name}owds") - before)) -ge 99 ] || return
	[ "$want" = 0 ] && { [ "$(param "${name}owd_ns")" = 0 ]; return; }
	want=$((want + bytes * 8 / 100))
	[ "$(param "${name}owd_ns")" -ge $((want - 2)) ] && [ "$(param "${name}owd_ns")" -le $((want + 2)) ]
}

# How many ports: two that push, whichever end is told.
path_length() {
	parameter rx_hops 1
	flow ipv4 1024 write 102400 && [ "$(param data_path_hops)" = 2 ] || return
	parameter rx_hops 0
	flow ipv4 1024 write 102400 && [ "$(param path_hops)" = 2 ]
}

# A real one of a switch: its port to h2 is slower than the senders, and tells r1 of
# its queue; each that is sent is believed and told.
responses() {
	local sent before
	parameter int_mode 0
	knob switch_feedback 1
	tc -n sw qdisc change dev p2 root roce rate 25gbit prio 3 int-response 20kb || return
	before=$(param partial)
	deltas r1 report_received report_ignored report_bad_psn report_late report_bad_tlv \
		report_unused -- flow "$1" 1024 write 2048000 || return
	sent=$(tc -n sw -s -j qdisc show dev p2 | jq '.[0].int_response_sent')
	echo "sent $sent, told $(($(param partial) - before))"
	tc -n sw qdisc change dev p2 root roce rate 100gbit prio 3 int-response 0 || return
	sent=$((sent - ${responses_before:-0}))
	[ "$sent" -gt 10 ] && [ "$got" = "$sent 0 0 0 0 0" ] &&
		[ $(($(param partial) - before)) -eq "$sent" ]
}

# A READ response with INT counts as long as it is on its first link: 1106 bytes, 4 more
# at the ends of a message, and 48 of INT.
response_bytes() {
	local got
	parameter int_mode 0
	knob line_rate 1000000000
	(sleep 0.004; "$RXE_CC_BUILD/bin/rxecc" -s -j qp show >"$work/qp") &
	flow ipv4 1024 read 1024000 && wait || return
	knob line_rate 100000000000
	jq -c '.[] | select(.dev == "r2") | [.counters.tx_packets, .counters.tx_bytes]' "$work/qp"
	got=$(jq '[.[] | select(.dev == "r2") | .counters | select(.tx_packets > 100) |
		.tx_bytes / .tx_packets | floor] | max' "$work/qp")
	[ "$got" = 1154 ]
}

# Classes: data has DSCP 26, or 27 when it has INT, and so have probes; ACKs and
# reports have DSCP 48. Responses and what acknowledges after them are data.
classes() {
	local pid1 pid2 op back forth
	parameter int_mode 2
	for op in write read; do
		ip netns exec h1 "$rxe_report" tlvs v1 50 >"$work/to1" &
		pid1=$!
		ip netns exec h2 "$rxe_report" tlvs v2 50 >"$work/to2" &
		pid2=$!
		sleep 0.02
		flow ipv4 1024 $op 1024000 && wait $pid1 && wait $pid2 || return
		cat "$work/to1" "$work/to2"
		# To the one that sends the data, and to the one that receives it.
		if [ $op = write ]; then
			back=$work/to1 forth=$work/to2
		else
			back=$work/to2 forth=$work/to1
		fi
		[ "$(grep -c '^probe_shim' "$forth")" = 1 ] && grep -q '^probe_shim_68 ' "$forth" || return
		grep -q '^op_c2_tos_6c ' "$forth" && grep -q '^op_c1_tos_c0 ' "$back" || return
		! grep '^op_' "$forth" | grep -vE '^op_(c2_tos_6c|(0.|1[0-4d-f])_tos_68|12_tos_c0) ' || return
		! grep '^op_' "$back" | grep -vE '^op_(1[12]_tos_c0|c1_tos_c0|(0.|1[0-4])_tos_68) ' || return
	done
}

# hand WANT KIND [WANT KIND]...: for each kind, the counters of r1 that go up by one
hand() {
	local want
	while [ $# -gt 0 ]; do
		want=$1
		ktap_check "by hand, $2: ${want:-nothing}" one_by_hand "$want" "$2"
		shift 2
	done
}

hand_counters=(report_received report_ignored report_bad_kind report_bad_psn report_late
	report_bad_tlv report_unused report_refused report_sent)

one_by_hand() {
	local want='' c
	for c in "${hand_counters[@]}"; do
		[[ " $1 " == *" $c "* ]] && want+=" 1" || want+=" 0"
	done
	deltas r1 "${hand_counters[@]}" -- ip netns exec h2 "$rxe_report" inject v2 "$2" &&
		[ "$got" = "${want# }" ]
}

# A flow of 11000 packets a second, for 5.5 s; the receiver tells nothing, so that all that
# comes is by hand.
by_hand() {
	local pid before
	parameter tell_window 0
	parameter tell_senders 0
	parameter int_mode 0
	parameter ask_acks 0
	# Two queue pairs of r1 alone: later ones have other numbers than their peers.
	run_flows '"mtu":1024' '{"src":"r1","dst":"r1","bytes":1000}' || return
	knob line_rate 100000000
	tc -n h1 qdisc change dev v1 root roce rate 100mbit || return
	run_flows '"verify":true,"mtu":1024,"depth":4,"chunk_bytes":10240,"op":"write"' \
		'{"src":"r1","dst":"r2","bytes":64000000}' &
	pid=$!
	sleep 0.1
	hand report_received good report_received good
	ktap_check "... its value arrives" [ "$(param fb)" = 54321,0,0,0 ]
	hand 'report_received report_late' late 'report_received report_late' again \
		report_bad_psn unsent report_bad_psn acked report_bad_psn old report_bad_psn resp \
		report_bad_psn probe report_bad_kind kind0 report_bad_kind kind6 \
		report_ignored stranger report_ignored qpn report_ignored gsi report_ignored pad \
		report_ignored version report_ignored pkey report_ignored headless \
		report_ignored half report_ignored icrc report_bad_tlv cut report_bad_tlv twice report_bad_tlv length report_unused empty
	knob switch_feedback 0
	hand report_refused switch report_refused direct
	knob switch_feedback 1
	before=$(param partial)
	hand report_received switch report_unused direct report_ignored switch_own report_ignored switch_stranger
	ktap_check "... a switch's report is told as such" [ "$(param partial)" = $((before + 1)) ]
	hand report_sent ask report_ignored ask_long report_ignored ask_stranger \
		report_ignored ask_icrc
	cc r1 algo=fixed
	hand report_unused good
	cc r1 algo=none
	hand report_ignored good report_ignored ask report_ignored switch
	cc r1 algo=testalg
	parameter ask_acks 0
	hand report_received good
	wait "$pid"
	ktap_check "the flow went on to its end" [ $? -eq 0 ]
}

# Queue pairs come and go, hundreds of them, while packets for all of them, and for
# those that are gone, keep coming.
churn() {
	local flows='' i pid
	parameter int_mode 0
	knob line_rate 50000000
	tc -n h1 qdisc change dev v1 root roce rate 100gbit || return
	for ((i = 0; i < 20; i++)); do
		flows+="${flows:+,}{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":100000}"
	done
	ip netns exec h2 "$rxe_report" flood v2 20000 &
	pid=$!
	for ((i = 0; i < 20; i++)); do
		run_flows '"verify":true,"mtu":1024' "$flows" || return
	done
	wait "$pid"
}

# Some met one, some missed: of 10000 reports, 5000 CNPs, 5000 probes.
churned() {
	local received ignored bad late cnps sent
	deltas r1 report_received report_ignored report_bad_psn report_late rp_cnp_ignored \
		report_sent -- churn || return
	read -r received ignored bad late cnps sent <<<"$got"
	[ $((received + bad + late)) -gt 100 ] && [ "$ignored" -gt 5000 ] && [ "$cnps" -gt 4000 ] &&
		[ "$sent" -gt 50 ]
}

ktap_print_header
ktap_check "hosts and switch" make_net
ktap_check "the algorithm on both" \
	eval 'for d in r1 r2; do cc $d line_rate=100000000000 int=2 algo=testalg || break; done'
for op in write read; do
	dev=r1
	[ $op = write ] || dev=r2
	for gid in ipv4 ipv6; do
		ktap_check "probes over $gid, $op: every value as pushed" with_base probes $gid $op $dev
	done
	ktap_check "INT once a round trip, $op: every value as pushed" sparse ipv4 $op $dev
done
ktap_check "the receiver of a WRITE takes its telemetry" taken ipv4 write r2
ktap_check "the receiver of a READ takes its telemetry" taken ipv6 read r1
ktap_check "four values with each ACK of SENDs" always send
ktap_check "four values with each ACK of WRITEs" always write
ktap_check "a value told at once is a report" told_now
ktap_check "times, when asked for" times
ktap_check "times, when nothing else asks for them" times_only
ktap_check "one-way delay above the smallest, clocks apart" one_way 0 0 3 0 ''
for d in r1 r2; do cc $d clock_common=1; done
# 1024 bytes have 82 more, and 48 of INT; the last link has one hop more. A delay is that of
# the flow's longest packet. Of those with only the first port's time, 24 bytes, that is the
# first: before its answer nobody knows that the peer reads another kind than the full one.
ktap_check "one-way delay of what was sent" one_way 2000 $((2 * 1106)) 3 0 ''
ktap_check "one-way delay of what came, by its hops" one_way 2000 $((2 * 1106 + 48 + 80)) 0 0 data_
ktap_check "one-way delay of what came, by the first port's time" \
	one_way 2000 $((2 * 1106 + 48 + 80)) 0 2 data_
ktap_check "ports on the path" path_length
ktap_check "a switch's INT responses over IPv4" responses ipv4
responses_before=$(tc -n sw -s -j qdisc show dev p2 | jq '.[0].int_response_sent')
ktap_check "a switch's INT responses over IPv6" responses ipv6
ktap_check "classes of data, probes and reports" with_base classes
ktap_check "bytes of READ responses" response_bytes
by_hand
ktap_check "packets for queue pairs that come and go" churned
ktap_finished
