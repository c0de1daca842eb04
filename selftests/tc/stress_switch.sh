#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Change, unplug, move and delete the ports of a switch with PFC while it is
# full, at random. Four hosts send to one another as fast as they can:
#
#	[h1] v1 ---- p1 [sw: bridge br] p4 ---- v4 [h4]
#	             p2     p3
#
# A cycle is OPS random steps, each while packets come. Then the load stops:
# whatever is left of the switch must be empty, in its accounts too; what is
# broken is repaired, and every packet sent from then on arrives. In every third
# cycle all is deleted under load instead and the module unloaded. Refused
# options must have changed nothing. The kernel must say nothing; the debug
# kernel looks with lockdep, KASAN, object debugging and kmemleak.
#
# CYCLES (6), OPS (8), SEED (1), VARIANT=debug.
set -u
. "$(dirname "$0")/../ktap_helpers.sh"
. "$(dirname "$0")/frames_lib.sh"
. "$(dirname "$0")/../lab/guest_two.sh"
HOSTS=4
FRAMES_TIMEOUT=${FRAMES_TIMEOUT:-$((120 + ${CYCLES:-6} * 60))}
[ "${1:-}" = inside ] || frames_enter "${CYCLES:-6}" "${OPS:-8}" "${SEED:-1}"
cycles=$2 ops=$3
RANDOM=$4

pick() { local n=$((RANDOM % $# + 1)); echo "${!n}"; }

# say WHAT...: what happened, shown when something is wrong
history=()
say() { history+=("$*"); }
fail() {
	printf '%s\n' "${history[@]}" "$*"
	return 1
}

# where a port is: at[N]
at=()

# The good state, from whatever there is.
repair() {
	local i
	mkdir -p /run/netns
	ip netns add sw 2>/dev/null
	ip netns add away 2>/dev/null
	ip -n sw link add name br type bridge mcast_snooping 0 2>/dev/null
	for ((i = 1; i <= HOSTS; i++)); do
		ip -n away link set "p$i" netns sw 2>/dev/null
		at[i]=sw
		[ -e "/run/netns/h$i" ] && ip -n sw link show "p$i" >/dev/null 2>&1 && continue
		ip netns del "h$i" 2>/dev/null
		ip -n sw link del "p$i" 2>/dev/null
		ip -batch - <<-IP || return
		netns add h$i
		link add name v$i netns h$i type veth peer name p$i netns sw
		IP
	done
	for ((i = 1; i <= HOSTS; i++)); do
		echo "link set p$i mtu 9000 address 02:00:00:ab:00:0$i master br up"
	done | ip -n sw -batch - || return
	ip -n sw link set dev br mtu 9000 up || return
	for ((i = 1; i <= HOSTS; i++)); do
		ip -n "h$i" link set "v$i" mtu 9000 address "02:00:00:00:0$i:00" up || return
	done
	for ((i = 1; i <= HOSTS; i++)); do
		echo "link set dev p$i learning off"
		echo "fdb replace 02:00:00:00:0$i:00 dev p$i master static"
	done | bridge -n sw -batch - || return
	for ((i = 1; i <= HOSTS; i++)); do
		echo "h$i:v$i rate 100gbit delay 500ns prio 3 lossless on int off"
		echo "sw:p$i rate 100gbit delay 500ns switch auto buffer 2mb prio 3 lossless on xoff 60kb xon 40kb ecn dequeue kmin 20kb kmax 200kb"
	done | frames_ports || return
	guest_sleep 2	# bridges hear of a carrier up to a second late
}

# load N: host N sends to another one, a burst for each word it is given
load() {
	local i=$1 to word more=
	[ "$i" -ne 2 ] || more="int=0xc400 ds=0xe000 hops=8"
	while read -r -u "$((20 + i))" word && [ "$word" != end ]; do
		to=$((i % HOSTS + 1))
		[ "$i" -eq 1 ] || to=1
		# it ends when its device does
		"$FRAMES" >/dev/null 2>&1 <<-STEPS
		port h$i:v$i h$to:v$to
		data h$i:v$i to=h$to:v$to flow=$i count=1500 size=64-1500 gap=90ns $more
		STEPS
	done
}

loaders=()
load_start() {
	local i fd
	loaders=()
	for ((i = 1; i <= HOSTS; i++)); do
		fd=$((20 + i))
		[ -p "/run/load$i" ] || mkfifo "/run/load$i"
		eval "exec $fd<>/run/load$i"
		load "$i" &
		loaders+=($!)
	done
}

load_say() {
	local i
	for ((i = 1; i <= HOSTS; i++)); do
		echo "$1" >&$((20 + i))
	done
}

port_show() { tc -n "${at[$1]}" -j qdisc show dev "p$1" 2>/dev/null; }

# tc_port N VERB OPTION...: a refusal changes nothing
tc_port() {
	local n=$1 verb=$2 before
	shift 2
	before=$(port_show "$n")
	say "p$n: $verb $*"
	# shellcheck disable=SC2086
	tc -n "${at[n]}" qdisc $verb dev "p$n" root roce "$@" >/dev/null 2>&1 && return
	say "... refused"
	[ "$verb" != change ] || [ "$before" = "$(port_show "$n")" ] ||
		fail "p$n: refused, but changed from $before to $(port_show "$n")"
}

# must_refuse N OPTION...
must_refuse() {
	local n=$1 before
	shift
	before=$(port_show "$n")
	[[ $before == *'"roce"'* ]] || return 0
	say "p$n: must refuse $*"
	if tc -n "${at[n]}" qdisc change dev "p$n" root roce "$@" >/dev/null 2>&1; then
		fail "p$n: accepted $*"
		return
	fi
	[ "$before" = "$(port_show "$n")" ] ||
		fail "p$n: refused $*, but changed from $before to $(port_show "$n")"
}

options() {
	pick "rate 100gbit" "rate 1gbit" "rate 400gbit" "delay 0" "delay 5us" \
		"overhead 0" "overhead 500" "overhead 24" \
		"buffer 1mb" "buffer 300kb" "buffer 64mb" "buffer 1500kb" \
		"pfc-quanta 300" "pfc-quanta 65535" "pfc-quanta 20" "pfc-response 0" \
		"pfc-response 3us" "pfc-watchdog off" \
		"pfc-watchdog 50us pfc-watchdog-action drop" \
		"pfc-watchdog 20us pfc-watchdog-action ignore" \
		"pfc-watchdog 1us pfc-watchdog-action report" \
		"int off" "int on" "peer-mtu 1500" "peer-mtu auto" \
		"dscp 26:5 dscp 27:2" "dscp all:3" "dscp 26:3" \
		"switch 7" "switch auto" "switch auto" "limit 50kb" "limit 32mb" \
		"prio 3 lossless off" "prio 3 lossless on" "prio 5 lossless on" \
		"prio 3 xoff auto xon 0 alpha 1/8" "prio 3 alpha 0.00002" \
		"prio 3 alpha auto xoff 20kb xon 0" "prio 3 reserve 50kb" \
		"prio 3 reserve 0" "prio 0 reserve 10kb" "prio 3 headroom 60kb" \
		"prio 3 headroom auto" "prio 3 headroom 3kb" "prio 0 alpha 1/64" \
		"prio 3 ecn enqueue kmin 1kb kmax 5kb pmax 1" \
		"prio 0 ecn dequeue kmin 0 kmax 0 pmax 1 ecn-not-ect drop"
}

refusals() {
	pick "buffer 1kb" "prio 3 lossless on headroom 0" "prio 3 reserve 900mb" \
		"prio 3 lossless on ecn-not-ect drop" "prio 3 alpha 1 xoff 5kb" \
		"prio 3 xoff 5kb xon 6kb alpha auto" "prio 3 lossless on limit 5kb" \
		"switch none buffer 1mb" "rate 1kbit" "pfc-quanta 0"
}

# quiet WHAT COMMAND...: may fail when its object is away
quiet() {
	say "$*"
	"$@" >/dev/null 2>&1 || say "... failed"
	return 0
}

# Pauses for ever, or nearly, from a host.
hostile() {
	say "h$1 sends pauses"
	"$FRAMES" >/dev/null 2>&1 <<-STEPS
	port h$1:v$1
	pfc h$1:v$1 enable=$2 quanta=$3 count=20 gap=1us
	STEPS
	return 0
}

move() {
	local n=$1 to=away
	[ "${at[n]}" = sw ] || to=sw
	quiet ip -n "${at[n]}" link set "p$n" netns "$to"
	at[n]=$to
	quiet ip -n "$to" link set "p$n" up
	[ "$to" = away ] || quiet ip -n sw link set "p$n" master br
	tc_port "$n" add rate 100gbit switch auto prio 3 lossless on
}

used() { grep -q '^sch_roce [0-9]* [1-9]' /proc/modules; }

step() {
	local n=$((RANDOM % HOSTS + 1))
	# shellcheck disable=SC2046
	case $((RANDOM % 26)) in
	[0-7]) tc_port "$n" change $(options) $(: "$RANDOM") ;;
	8 | 9) must_refuse "$n" $(refusals) ;;
	10) tc_port "$n" "replace" rate 50gbit switch auto prio 3 lossless on ;;
	11)
		quiet tc -n "${at[n]}" qdisc del dev "p$n" root
		guest_sleep 0.00005
		tc_port "$n" add rate 100gbit switch auto prio 3 lossless on xoff 20kb xon 10kb
		;;
	12) quiet tc -n "${at[n]}" qdisc replace dev "p$n" root handle "$((RANDOM % 9 + 1)):" \
		roce rate 100gbit switch auto prio 3 lossless on ;;
	13) quiet ip -n "${at[n]}" link set "p$n" down ;;
	14) quiet ip -n "${at[n]}" link set "p$n" up ;;
	15) quiet ip -n "h$n" link set "v$n" down && guest_sleep 0.0001 &&
		quiet ip -n "h$n" link set "v$n" up ;;
	16) quiet ip -n "${at[n]}" link set "p$n" nomaster ;;
	17) quiet ip -n "${at[n]}" link set "p$n" master br ;;
	18) quiet ip -n "${at[n]}" link set "p$n" mtu "$(pick 1500 9000 4096 65000)" ;;
	19)
		quiet ip -n "${at[n]}" link set "p$n" address "02:00:00:ab:01:0$n"
		quiet ip -n "${at[n]}" link set "p$n" name q
		quiet ip -n "${at[n]}" link set dev q name "p$n"
		;;
	20) move "$n" ;;
	21) quiet ip netns del "h$n" ;;
	22) hostile "$n" "$(pick 8 255 40)" "$(pick 65535 1 3000)" ;;
	23)
		quiet tc -n "${at[n]}" qdisc add dev "p$n" clsact
		quiet tc -n "${at[n]}" qdisc del dev "p$n" clsact
		;;
	24)
		quiet ip -n sw link del dev br
		quiet ip -n sw link add name br type bridge mcast_snooping 0
		quiet ip -n sw link set dev br mtu 9000 up
		;;
	25)
		say "rmmod"
		! used || ! rmmod sch_roce 2>/dev/null || fail "the module went away while it was used"
		;;
	esac
}

# All accounts of all ports there are.
drained() {
	local ns left
	for ns in sw away h1 h2 h3 h4; do
		[ -e "/run/netns/$ns" ] || continue
		left=$(tc -n "$ns" -s -j qdisc show | jq -c '.[] | select(.kind == "roce") |
			{ dev, backlog, qlen, in_flight: (.in_flight // 0),
			  used: (.switch.used_bytes // 0), xoff: (.switch.xoff // 0),
			  sum: ([.prios[]? | (.in_bytes // 0) + (.headroom_used_bytes // 0) +
				(.out_bytes // 0) + (.bytes // 0) + (.packets // 0)] | add // 0) } |
			select(.backlog + .qlen + .in_flight + .used + .xoff + .sum > 0)')
		[ -z "$left" ] || fail "not empty in $ns: $left" || return
	done
}

flows() {
	local i
	{
		echo "port$(for ((i = 1; i <= HOSTS; i++)); do echo -n " h$i:v$i"; done)"
		for ((i = 1; i <= HOSTS; i++)); do
			echo "data h$i:v$i flow=$i to=h$((i % HOSTS + 1)):v$((i % HOSTS + 1)) count=300 size=64-1500 dscp=26"
		done
		echo "wait 5ms"
		echo "settle"
		for ((i = 1; i <= HOSTS; i++)); do
			echo "check-same h$i:v$i"
		done
	} >/run/steps
	"$FRAMES" /run/steps >/run/flows.log 2>&1 || fail "$(tail -n 5 /run/flows.log)"
}

gone() {
	local i
	for i in $(seq 100); do
		used || return 0
		guest_sleep 0.05
	done
	fail "the module is still used 5 s after the last namespace was deleted"
}

# Everything at once, under load.
vanish() {
	local ns
	for ns in $(pick "sw h1 h2 h3 h4 away" "h3 away h2 sw h4 h1" "h1 h2 h3 h4 sw away"); do
		quiet ip netns del "$ns"
		guest_sleep 0.00003
	done
	load_say end
	wait "${loaders[@]}"
	gone && rmmod sch_roce && insmod "$RXE_CC_BUILD/uml-$VARIANT/sch_roce.ko"
}

cycle() {
	local i
	history=("cycle $1:")
	repair || fail "repair" || return
	load_start
	for ((i = 0; i < ops; i++)); do
		load_say go
		guest_sleep "0.000$((RANDOM % 150 + 100))"
		step || return
	done
	if [ $(($1 % 3)) -eq 0 ]; then
		load_say go
		guest_sleep 0.0001
		vanish
		return
	fi
	load_say end
	wait "${loaders[@]}"
	# the longest pause is 34 ms, the longest queue 64 MB at 1 Gbit/s 540 ms
	guest_sleep 1
	drained && repair && flows && drained
}

ktap_print_header
for ((c = 1; c <= cycles; c++)); do
	ktap_check "cycle $c" cycle "$c"
	[ "$KTAP_CNT_FAIL" -eq 0 ] || break
done
ktap_finished
