#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the control tool against the kernel
#
# rxecc against the real modules, in the lab kernel: show and set, bad input,
# atomicity, an algorithm of one QP, JSON, notifications, privilege.
# Two devices on the ends of a veth pair in one namespace:
#
#	rxe0 - veth0 ------ veth1 - rxe1
#
# Traffic runs from rxe0 to itself: rxe loops it back above the network device.
set -u
. "$(dirname "$0")/../lib/ktap_helpers.sh"
# shellcheck source=tools/lib/wait.sh
. "$RXE_CC_TOP/tools/lib/wait.sh"
rxecc=$RXE_CC_BUILD/bin/rxecc

if [ "${1:-}" != inside ]; then
	for f in "$RXE_CC_BUILD"/uml-lab/{linux,rxe_cc.ko,rdma_rxe.ko} "$rxecc" \
		"$RXE_CC_BUILD/bin/labinit"; do
		[ -e "$f" ] || ktap_skip_all "$f is not built"
	done
	for c in jq ibv_rc_pingpong ibv_uc_pingpong setpriv rdma; do
		command -v "$c" >/dev/null || ktap_skip_all "no $c"
	done
	exec "$UML_EXEC" --timeout 240 --modules "rxe_cc rdma_rxe sch_roce" --env "TC_LIB_DIR=$RXE_CC_BUILD/tc" -- \
		"$(realpath "$0")" inside
fi

tmp=$(mktemp -d "$RXE_CC_BUILD/rxecc-test.XXXXXX") || exit 1
pids=()
cleanup() {
	[ "${#pids[@]}" -eq 0 ] || kill "${pids[@]}" 2>/dev/null
	rm -rf "$tmp"
}
trap cleanup EXIT

# Everything that can be set, without what changes by itself.
snapshot() {
	"$rxecc" -j dev | jq -cS 'map(del(.counters, .qps))'
	"$rxecc" -j qp | jq -cS 'map({dev, qpn, algo, override})'
}

# is EXPECTED FILTER ARG...: one value out of rxecc -j ARG...
is() {
	local want=$1 filter=$2 got
	shift 2
	got=$("$rxecc" -j "$@" | jq -r "$filter")
	[ "$got" = "$want" ] || { echo "$filter is $got, wanted $want"; return 1; }
}

# param_is NAME EXPECTED: the value of a parameter of rxe0.
param_is() {
	is "$2" ".[0].params.$1.value" dev show rxe0
}

# refused CODE TEXT COMMAND...: that exit status, one line on stderr with TEXT,
# nothing on stdout, nothing changed.
refused() {
	local code=$1 text=$2 rc=0 before
	shift 2
	before=$(snapshot)
	"$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
	cat "$tmp/out" "$tmp/err"
	[ "$rc" -eq "$code" ] || { echo "exit status $rc, wanted $code"; return 1; }
	[ ! -s "$tmp/out" ] || { echo "output on stdout"; return 1; }
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || { echo "not one line"; return 1; }
	grep -qF -- "$text" "$tmp/err" || { echo "no \"$text\""; return 1; }
	[ "$(snapshot)" = "$before" ] || { echo "something changed"; return 1; }
}

# lines_match REGEX ARG...: rxecc ARG... prints a line that matches.
lines_match() {
	local re=$1
	shift
	"$rxecc" "$@" >"$tmp/out" || return 1
	grep -qE -- "$re" "$tmp/out" || { cat "$tmp/out"; return 1; }
}

valid_json() {
	local o
	for o in "algo" "algo show dcqcn" "dev" "dev show rxe0" "qp" "param rxe0" "stats" \
		"stats rxe0 -i 10ms -c 1" "top -a -i 10ms -c 1"; do
		# shellcheck disable=SC2086
		"$rxecc" -j $o | jq -e . >/dev/null || { echo "$o"; return 1; }
		# shellcheck disable=SC2086
		"$rxecc" -jpds $o | jq -e . >/dev/null || { echo "-jpds $o"; return 1; }
	done
}

# interval_counts NAME: stats -i has some of that counter, and of none more than was added from
# a look before it to one after it. Before it that counter has grown for longer than this takes,
# so totals would be too many.
interval_counts() {
	local before during after
	before=$("$rxecc" -j stats rxe0)
	during=$("$rxecc" -j stats rxe0 -i 200ms -c 1)
	after=$("$rxecc" -j stats rxe0)
	jq -en --arg name "$1" --argjson before "$before" --argjson after "$after" \
		--argjson during "$during" '$during.devs[0].counters as $in |
			$in[$name] > 0 and $during.interval_ns >= 200000000 and
			all($in | keys[]; $in[.] <= $after[0].counters[.] - $before[0].counters[.])' ||
		{ echo "$before $during $after"; return 1; }
}

# top_shows_rate QPN BPS: what top says of a queue pair with that fixed rate, of a device that
# only sends to itself and so through no port. A report is 200 ms long, and a message of
# ibv_rc_pingpong, as the wire has it, at most 4 ms at 10 Mbit/s: so 2 % of the rate at each end.
top_shows_rate() {
	local got
	got=$("$rxecc" -j top rxe0 -i 200ms -c 1) || return 1
	jq -en --argjson qpn "$1" --argjson bps "$2" --argjson got "$got" \
		'$got.qps[] | select(.qpn == $qpn) | .sent_bps > 0 and .sent_bps <= 1.04 * $bps' ||
		{ echo "$got"; return 1; }
}

# top_shows_port: the port of a qdisc roce, with what was sent through it meanwhile, in this
# namespace and in a named one.
top_shows_port() {
	local got rc=0
	ip netns add other &&
		ip -n other link add veth2 type veth peer name veth3 &&
		tc -n other qdisc add dev veth2 root roce rate 25gbit || return 1
	tc qdisc add dev veth0 root roce rate 10gbit || return 1
	got=$("$rxecc" -j top -a -i 10ms -c 1)
	tc qdisc del dev veth0 root
	ip netns del other
	jq -en --argjson got "$got" '[$got.ports[] | [.port, .rate_bps]] | sort ==
		[["other:veth2", 25000000000], ["veth0", 10000000000]]' || rc=1
	[ $rc = 0 ] || echo "$got"
	return $rc
}

# openmetrics_as_stats: the same counters as stats has, and the mark at the end.
openmetrics_as_stats() {
	"$rxecc" stats rxe1 --openmetrics >"$tmp/metrics" || return 1
	[ "$(tail -n 1 "$tmp/metrics")" = "# EOF" ] || { cat "$tmp/metrics"; return 1; }
	same "$("$rxecc" -j stats rxe1 | jq -r '.[0].counters | to_entries[] | "\(.key) \(.value)"')" \
		"$(sed -n 's/^rxecc_\(.*\)_total{device="rxe1",port="1"} /\1 /p' "$tmp/metrics")"
}

# What show prints, set accepts, and nothing changes by it.
round_trip() {
	local before words opt
	for opt in -d -n; do
		before=$(snapshot)
		"$rxecc" "$opt" dev show rxe0 |
			sed -En 's/^    (param|knob) ([a-z0-9_]+) +([^ ]+).*/\1\n\2=\3/p' \
				>"$tmp/words"
		mapfile -t words <"$tmp/words"
		[ "${#words[@]}" -ge 20 ] || { echo "only ${#words[@]} words"; return 1; }
		"$rxecc" dev set rxe0 "${words[@]}" || return 1
		same "$before" "$(snapshot)" || return 1
	done
}

setup() {
	ip link set lo up &&
		ip link add veth0 type veth peer name veth1 &&
		ip addr add 10.0.0.1/24 dev veth0 &&
		ip addr add 10.0.0.2/24 dev veth1 &&
		ip link set veth0 up && ip link set veth1 up &&
		rdma link add rxe0 type rxe netdev veth0 &&
		rdma link add rxe1 type rxe netdev veth1
}

have_qps() { [ "$("$rxecc" -j qp | jq length)" -ge "$1" ]; }
first_qpn() { "$rxecc" -j qp show dev rxe0 | jq -r '.[0].qpn'; }

test_show() {
	ktap_check "both devices start without an algorithm" \
		is "none none" '[.[].algo] | join(" ")' dev
	ktap_check "algo lists what is loaded" lines_match '^algo none ' algo
	ktap_check "algo show loads the module" \
		lines_match '^    rpg_ai_rate +bps ' algo show dcqcn
	ktap_check "help needs no kernel" lines_match '^Usage: rxecc dev' dev help
	ktap_check "stats of one device" lines_match '^    np_cnp_sent ' stats rxe1
	ktap_check "no queue pair yet" is 0 length qp
}

test_set() {
	ktap_check "algorithm" "$rxecc" dev set rxe0 algo dcqcn
	ktap_check "of that device only" \
		is "dcqcn none" 'sort_by(.dev) | [.[].algo] | join(" ")' dev
	ktap_check "a rate" "$rxecc" dev set rxe0 param rpg_ai_rate=40mbit
	ktap_check "is set" param_is rpg_ai_rate 40000000
	ktap_check "param set, several units" "$rxecc" param set rxe0 rpg_time_reset=55us \
		rpg_byte_reset=10mb rpg_min_dec_fac=1/4 clamp_tgt_rate=on rpg_threshold=5
	ktap_check "a time" param_is rpg_time_reset 55000
	ktap_check "a size" param_is rpg_byte_reset 10485760
	ktap_check "a fraction" param_is rpg_min_dec_fac 4194304
	ktap_check "a switch" param_is clamp_tgt_rate 1
	ktap_check "a count" param_is rpg_threshold 5
	ktap_check "what show prints, set reads" round_trip
	ktap_check "a knob" "$rxecc" dev set rxe0 knob line_rate=100gbit
	ktap_check "the line rate follows" is 100000000000 '.[0].line_rate_bps' dev show rxe0
	ktap_check "preset, then a parameter" \
		"$rxecc" dev set rxe0 preset paper param rpg_threshold=7
	ktap_check "the parameter wins" param_is rpg_threshold 7
	ktap_check "the same algorithm keeps its values" "$rxecc" dev set rxe0 algo dcqcn
	ktap_check "still the same" param_is rpg_threshold 7
	ktap_check "abbreviated" "$rxecc" d set rxe0/1 pre mlx5
	ktap_check "preset took it back" param_is rpg_threshold 1
}

test_refused() {
	ktap_check "unknown algorithm" refused 1 "algo nosuch: " "$rxecc" dev set rxe0 algo nosuch
	ktap_check "unknown device" refused 1 "dev rxe9: " "$rxecc" dev set rxe9 algo dcqcn
	ktap_check "unknown device, show" refused 1 "dev rxe9: " "$rxecc" dev show rxe9
	ktap_check "unknown parameter" refused 2 \
		"algorithm dcqcn has no such parameter, did you mean rpg_ai_rate?" \
		"$rxecc" dev set rxe0 param rpg_ai_rat=40mbit
	ktap_check "unknown knob" refused 2 "knob brust: no such knob, did you mean burst?" \
		"$rxecc" dev set rxe0 knob brust=8kb
	ktap_check "unknown preset" refused 2 "did you mean paper?" \
		"$rxecc" dev set rxe0 preset papre
	ktap_check "bad unit" refused 2 "param rpg_ai_rate: value 40us: unit us: needs a rate" \
		"$rxecc" dev set rxe0 param rpg_ai_rate=40us
	ktap_check "out of range" refused 1 "param rpg_threshold: value 32: not in 1..31" \
		"$rxecc" dev set rxe0 param rpg_threshold=32
	ktap_check "knob out of range" refused 1 "knob cnp_dscp: value 65: not in 0..64" \
		"$rxecc" dev set rxe0 knob cnp_dscp=65
	ktap_check "one bad of three changes nothing" refused 1 "param rpg_threshold" \
		"$rxecc" dev set rxe0 param rpg_ai_rate=77mbit rpg_threshold=99 knob burst=9kb
	ktap_check "bad last word with a new algorithm" refused 1 "knob cnp_dscp" \
		"$rxecc" dev set rxe0 algo none knob burst=9kb cnp_dscp=99
	ktap_check "bad preset with a new algorithm" refused 2 "preset x" \
		"$rxecc" dev set rxe1 algo dcqcn preset x
	ktap_check "unknown queue pair" refused 1 "qpn 12345: " "$rxecc" qp set rxe0 12345 algo none
	ktap_check "unknown port" refused 1 "port 2: " "$rxecc" dev set rxe0/2 algo none
	ktap_check "without CAP_NET_ADMIN" refused 1 \
		"dev rxe0: Operation not permitted (changes need CAP_NET_ADMIN)" \
		setpriv --bounding-set=-net_admin "$rxecc" dev set rxe0 algo none
	ktap_check "reading needs no privilege" setpriv --bounding-set=-all "$rxecc" dev show rxe0
	if unshare -U -r true 2>/dev/null; then
		ktap_check "root of another user namespace" refused 1 "CAP_NET_ADMIN" \
			unshare -U -r "$rxecc" dev set rxe0 algo none
	else
		ktap_test_skip "root of another user namespace" "no user namespaces"
	fi
}

rate_of() { is "$2" ".[0].rate_bps" qp show dev rxe0 qpn "$1"; }

test_qp() {
	local qpn
	ibv_rc_pingpong -d rxe0 -g 1 -e -n 100000 >"$tmp/server" 2>&1 &
	pids+=($!)
	ktap_check "a queue pair appears" wait_for 100 have_qps 1
	qpn=$(first_qpn)
	ktap_check "with the port's algorithm" is "dcqcn false" \
		'.[0] | "\(.algo) \(.override)"' qp show dev rxe0 qpn "$qpn"
	ktap_check "override" "$rxecc" qp set rxe0 "$qpn" algo none
	ktap_check "is marked" lines_match "qpn $qpn .* algo none\*" qp show
	ktap_check "the port changes, it does not" "$rxecc" dev set rxe0 algo fixed
	ktap_check "still none" is "none true" \
		'.[0] | "\(.algo) \(.override)"' qp show dev rxe0 qpn "$qpn"
	ktap_check "unknown algorithm for it" refused 1 "qpn $qpn: algo nosuch: " \
		"$rxecc" qp set rxe0 "$qpn" algo nosuch
	ktap_check "without CAP_NET_ADMIN" refused 1 "CAP_NET_ADMIN" \
		setpriv --bounding-set=-net_admin "$rxecc" qp set rxe0 "$qpn" algo dcqcn
	ktap_check "back to the default" "$rxecc" qp set rxe0 "$qpn" algo default
	ktap_check "is the port's" is "fixed false" \
		'.[0] | "\(.algo) \(.override)"' qp show dev rxe0 qpn "$qpn"
	ktap_check "a fixed rate" "$rxecc" dev set rxe0 param rate=10mbit
	ktap_check "the queue pair follows" rate_of "$qpn" 10000000
	ibv_rc_pingpong -d rxe0 -g 1 -e -n 100000 127.0.0.1 >"$tmp/client" 2>&1 &
	pids+=($!)
	ktap_check "its peer appears" wait_for 100 have_qps 2
	sleep 0.5
	ktap_check "an interval counts what was paced in it" interval_counts rp_pacing_stalls
	ktap_check "top shows what a queue pair sends" top_shows_rate "$qpn" 10000000
	ktap_check "top shows ports" top_shows_port
	ktap_check "counters for a collector" openmetrics_as_stats
	ktap_check "users are counted" is 2 '.[0].users' algo show fixed
	ktap_check "a module in use stays" in_use rxe_cc_fixed
	ktap_check "switch under traffic" "$rxecc" dev set rxe0 algo dcqcn
	ktap_check "both follow" is "dcqcn dcqcn" '[.[].algo] | join(" ")' qp
	kill "${pids[@]}"
	pids=()
	ktap_check "both disappear" wait_for 100 no_qps
}

pingpong() {
	ibv_rc_pingpong -d rxe0 -g 1 -e -n 10000000 >"$tmp/server" 2>&1 &
	pids+=($!)
	wait_for 100 have_qps 1
	ibv_rc_pingpong -d rxe0 -g 1 -e -n 10000000 127.0.0.1 >"$tmp/client" 2>&1 &
	pids+=($!)
	wait_for 100 have_qps 2
}

testalg_says() { same "$2" "$(cat "/sys/module/rxe_cc_testalg/parameters/$1")"; }

# Every kind of command, to the first queue pair and to 10.0.0.1, until told to stop.
# Counts what was taken and what was not; any other end than these two is a failure.
command_storm() {
	local rc taken=0 refused=0
	while [ ! -e "$tmp/stop" ]; do
		for c in "qp cmd rxe0 $1 window bytes=64kb" "dev cmd rxe0 forget" \
			"dev cmd rxe0 peer 10.0.0.1 announce bytes=1kb"; do
			rc=0
			# shellcheck disable=SC2086
			"$rxecc" $c >/dev/null 2>&1 || rc=$?
			case $rc in
			0) taken=$((taken + 1)) ;;
			1 | 2) refused=$((refused + 1)) ;;
			*) echo "bad $rc" ;;
			esac
		done
		sleep 0.01
	done >"$tmp/storm" 2>&1
	echo "$taken $refused" >>"$tmp/storm"
}

# The algorithm comes and goes while its flows send and commands for it arrive.
switch_under_commands() {
	local i storm taken refused
	rm -f "$tmp/stop"
	command_storm "$1" &
	storm=$!
	for ((i = 0; i < 10; i++)); do
		"$rxecc" dev set rxe0 algo fixed || return 1
		rmmod rxe_cc_testalg || return 1
		"$rxecc" dev set rxe0 algo testalg || return 1
		sleep 0.05
	done
	: >"$tmp/stop"
	wait "$storm"
	read -r taken refused <"$tmp/storm"
	echo "$taken taken, $refused refused"
	[ "$taken" -ge 10 ]
}

test_commands() {
	local qpn
	# Slow enough that virtual time passes.
	ktap_check "an algorithm with commands" \
		"$rxecc" dev set rxe0 algo testalg knob int=on line_rate=10mbit
	ktap_check "algo lists them" lines_match '^    command announce scope peer: ' algo show testalg
	ktap_check "a required argument has no default" is "null 1" \
		'.[0].commands.announce.args | "\(.bytes.default) \(.flows.default)"' algo show testalg
	pingpong
	ktap_check "traffic" have_qps 2
	qpn=$(first_qpn)
	ktap_check "to a queue pair" is 1048576 '.results.was_bytes' qp cmd rxe0 "$qpn" \
		window bytes=64kb
	ktap_check "holds" is 65536 '.[0].cwnd_bytes' qp show dev rxe0 qpn "$qpn"
	ktap_check "above the parameter" refused 1 \
		"dev rxe0: qpn $qpn: cmd window: testalg: above the parameter window" \
		"$rxecc" qp cmd rxe0 "$qpn" window bytes=2mb
	ktap_check "refused: still holds" is 65536 '.[0].cwnd_bytes' qp show dev rxe0 qpn "$qpn"
	ktap_check "to a peer" is "3072 3072" '.results | "\(.peer_bytes) \(.port_bytes)"' \
		dev cmd rxe0 peer 10.0.0.1 announce bytes=1kb flows=3
	ktap_check "its flows know" wait_for 100 testalg_says group_bytes 3072
	ktap_check "the default of an argument" is 4096 '.results.peer_bytes' \
		dev cmd rxe0 peer 10.0.0.1 algo testalg announce bytes=1kb
	ktap_check "the quota of a peer" refused 1 \
		"dev rxe0: cmd announce: testalg: the peer's quota is used up" \
		"$rxecc" dev cmd rxe0 peer 10.0.0.1 announce bytes=1mb
	ktap_check "to the port" is 4096 '.results.was_bytes' dev cmd rxe0 forget
	ktap_check "refused: nothing was added" is 0 '.results.was_bytes' dev cmd rxe0 forget
	ktap_check "a missing argument" refused 1 "dev rxe0: announce needs bytes" \
		"$rxecc" dev cmd rxe0 peer 10.0.0.1 announce flows=2
	ktap_check "an argument out of range" refused 1 \
		"dev rxe0: arg flows: value 1001: not in 1..1000" \
		"$rxecc" dev cmd rxe0 peer 10.0.0.1 announce bytes=1 flows=1001
	ktap_check "an unknown argument" refused 2 "arg byte: no such argument" \
		"$rxecc" dev cmd rxe0 peer 10.0.0.1 announce byte=1
	ktap_check "an argument twice" refused 2 "bytes: given twice" \
		"$rxecc" dev cmd rxe0 peer 10.0.0.1 announce bytes=1 bytes=2
	ktap_check "an unknown command" refused 2 "has no such command, did you mean forget?" \
		"$rxecc" dev cmd rxe0 forge
	ktap_check "an unknown peer" refused 1 \
		"dev rxe0: peer: no queue pair of testalg is connected to it" \
		"$rxecc" dev cmd rxe0 peer 10.0.0.9 announce bytes=1
	ktap_check "one of several peers unknown" refused 1 \
		"dev rxe0: peer: ::ffff:10.0.0.9: no queue pair of testalg is connected to it" \
		"$rxecc" dev cmd rxe0 peer 10.0.0.1,10.0.0.9 announce bytes=1
	ktap_check "a peer named twice" refused 1 "dev rxe0: peer: ::ffff:10.0.0.1: named twice" \
		"$rxecc" dev cmd rxe0 peer 10.0.0.1,10.0.0.1 announce bytes=1
	ktap_check "one of several peers that is none" refused 2 "dev rxe0: peer 10.0.0: not an IP" \
		"$rxecc" dev cmd rxe0 peer 10.0.0.1,10.0.0 announce bytes=1
	ktap_check "more peers than fit" refused 2 "dev rxe0: too many peers for one command" \
		"$rxecc" dev cmd rxe0 peer "$(printf '10.0.0.1,%.0s' {1..1000})10.0.0.1" announce bytes=1
	ktap_check "nothing was added by these" is 0 '.results.was_bytes' dev cmd rxe0 forget
	ktap_check "an unknown queue pair" refused 1 "no such RC or UC queue pair" \
		"$rxecc" qp cmd rxe0 12345 window bytes=1
	ktap_check "an algorithm that does not run there" refused 1 \
		"dev rxe1: algo testalg: testalg is not in use there" \
		"$rxecc" dev cmd rxe1 algo testalg forget
	ktap_check "without CAP_NET_ADMIN" refused 1 "CAP_NET_ADMIN" \
		setpriv --bounding-set=-net_admin "$rxecc" dev cmd rxe0 forget
	ktap_check "the queue pair runs another" "$rxecc" qp set rxe0 "$qpn" algo fixed
	ktap_check "which has no such command" refused 2 "algorithm fixed has no such command" \
		"$rxecc" qp cmd rxe0 "$qpn" window bytes=1
	"$rxecc" qp set rxe0 "$qpn" algo default
	ktap_check "the algorithm comes and goes under commands" switch_under_commands "$qpn"
	kill "${pids[@]}"
	pids=()
	ktap_check "the queue pairs disappear" wait_for 100 no_qps
	ktap_check "the algorithm too" "$rxecc" dev set rxe0 algo dcqcn \
		knob int=off line_rate=100gbit
	ktap_check "and its module" rmmod rxe_cc_testalg
}

no_qps() { ! have_qps 1; }
in_use() { ! rmmod "$1" 2>/dev/null; }

test_monitor() {
	local qpn
	ibv_rc_pingpong -d rxe0 -g 1 -e >/dev/null 2>&1 &
	pids+=($!)
	wait_for 100 have_qps 1
	qpn=$(first_qpn)
	"$rxecc" -j monitor -c 4 >"$tmp/events" &
	pids+=($!)
	"$rxecc" monitor -c 4 >"$tmp/lines" &
	pids+=($!)
	sleep 0.5
	"$rxecc" dev set rxe0 param rpg_ai_rate=33mbit
	"$rxecc" dev set rxe0 param rpg_threshold=99 2>/dev/null
	"$rxecc" qp set rxe0 "$qpn" algo none
	rdma link del rxe1
	rdma link add rxe1 type rxe netdev veth1
	ktap_check "four notifications" wait_for 100 four_lines
	ktap_check "in this order" same "dev rxe0 qp rxe0 dev-del rxe1 dev rxe1" \
		"$(jq -r '.event + " " + .dev' "$tmp/events" | paste -sd ' ')"
	ktap_check "the first carries the value" same 33000000 \
		"$(jq -r '.params.rpg_ai_rate.value // empty' "$tmp/events")"
	ktap_check "as text" grep -qE \
		"^[0-9-]{10}T[0-9:.]{18} qp dev rxe0/1 qpn $qpn algo none\*\$" "$tmp/lines"
	ktap_check "a device went" grep -qE ' dev rxe1/1 removed$' "$tmp/lines"
	kill "${pids[@]}" 2>/dev/null
	pids=()
}

four_lines() { [ "$(cat "$tmp/events" "$tmp/lines" | wc -l)" -eq 8 ]; }
same() { [ "$1" = "$2" ] || { echo "got $2, wanted $1"; return 1; }; }

listed() { "$rxecc" -j algo | jq -e --arg a "$1" 'any(.[]; .algo == $a)' >/dev/null; }

# Others are still in use, or go next. What stays in the list would be in memory that is free.
all_go() {
	local ko a
	for ko in "$RXE_CC_BUILD"/uml-lab/rxe_cc_*.ko; do
		a=${ko##*/rxe_cc_}
		a=${a%.ko}
		case $a in *kunit | testalg | events | dcqcn | fixed) continue ;; esac
		insmod "$ko" && listed "$a" && rmmod "rxe_cc_$a" && ! listed "$a" || { echo "$a"; return 1; }
	done
}

test_gone() {
	ktap_check "devices go away" rdma link del rxe0
	ktap_check "and are unknown then" refused 1 "dev rxe0: " "$rxecc" dev show rxe0
	rdma link del rxe1
	ktap_check "an algorithm goes with its module" all_go
	ktap_check "modules unload" rmmod rdma_rxe rxe_cc_dcqcn roce_cc_lib rxe_cc_fixed rxe_cc
	ktap_check "the module is missing" gone
}

gone() {
	local rc=0 text
	text=$("$rxecc" dev 2>&1) || rc=$?
	same "1 rxecc: module rxe_cc is not loaded (modprobe rxe_cc)" "$rc $text"
}

ktap_print_header
ktap_check "two devices" setup || ktap_exit_fail_msg "no devices"
test_show
test_set
test_refused
ktap_check "JSON is valid" valid_json
test_qp
test_commands
test_monitor
test_gone
ktap_finished
