#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: ports, devices, namespaces, the bridge and the module taken away from a lossless switch
#   under load; `CYCLES= SEED= VARIANT=debug` for more
#
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
# CYCLES (2), OPS (8), SEED (1), VARIANT=debug.
set -u
. "$(dirname "$0")/../lib/frames_lib.sh"
. "$(dirname "$0")/../lib/guest_two.sh"
HOSTS=4
FRAMES_TIMEOUT=${FRAMES_TIMEOUT:-$((120 + ${CYCLES:-2} * 60))}
[ "${1:-}" = inside ] || frames_enter "${CYCLES:-2}" "${OPS:-8}" "${SEED:-1}" \
	"$(realpath "${SCH_ROCE:-$RXE_CC_BUILD/uml-$VARIANT/sch_roce.ko}")"
cycles=$2 ops=$3 seed=$4 module=$5

# A subshell seeds bash's own random numbers anew, by time and process id.
random_state=$seed
# random N: sets random to 0..N-1
random() {
	random_state=$(((random_state * 1103515245 + 12345) & 0x7fffffff))
	random=$(((random_state >> 8) % $1))
}

# pick WORDS...: sets picked to one of them
pick() {
	random $#
	shift "$random"
	picked=$1
}

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
		echo "sw:p$i rate 100gbit delay 500ns switch auto buffer 2mb prio 3 lossless on xoff 60kb xon 40kb ecn dequeue kmin 20kb kmax 200kb int-response 5kb mercury 5kb"
	done | frames_ports || return
	guest_sleep 2	# bridges hear of a carrier up to a second late
}

# load N: host N sends to another one, a burst for each word it is given
load() {
	local i=$1 to word more=
	[ "$i" -ne 2 ] && [ "$i" -ne 3 ] || more="int=0xc400 ds=0xe000 hops=8"
	while read -r -u "$((20 + i))" word && [ "$word" != end ]; do
		to=$((i % HOSTS + 1))
		[ "$i" -eq 1 ] || to=1
		# it ends when its device does
		"$FRAMES" >/dev/null 2>&1 <<-STEPS
		port h$i:v$i h$to:v$to
		data h$i:v$i to=h$to:v$to flow=$i count=800 size=64-1500 gap=90ns $more
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

pick_options() {
	local lscc="lscc-self 169.254.0.$n lscc-peer 169.254.0.$((n % 2 ? n + 1 : n - 1)) lscc-qref 1kb delay 500ns"
	pick "rate 100gbit" "rate 1gbit" "rate 400gbit" "delay 0" "delay 5us" \
		"overhead 0" "overhead 500" "overhead 24" \
		"buffer 1mb" "buffer 300kb" "buffer 64mb" "buffer 1500kb" \
		"pfc-quanta 300" "pfc-quanta 65535" "pfc-quanta 20" "pfc-response 0" \
		"pfc-response 3us" "pfc-watchdog off" \
		"pfc-watchdog 50us pfc-watchdog-action drop" \
		"pfc-watchdog 20us pfc-watchdog-action ignore" \
		"pfc-watchdog 1us pfc-watchdog-action report" \
		"direct on" "direct off" "direct on" "int off prio 3 int-response off" "int off" "int on" "peer-mtu 1500" "peer-mtu auto" \
		"dscp 26:5 dscp 27:2" "dscp all:3" "dscp 26:3" \
		"switch 7" "switch auto" "switch auto" "limit 50kb" "limit 32mb" \
		"prio 3 lossless off" "prio 3 lossless on" "prio 5 lossless on" \
		"prio 3 xoff auto xon 0 alpha 1/8" "prio 3 alpha 0.00002" \
		"prio 3 alpha auto xoff 20kb xon 0" "prio 3 reserve 50kb" \
		"prio 3 reserve 0" "prio 0 reserve 10kb" "prio 3 headroom 60kb" \
		"prio 3 headroom auto" "prio 3 headroom 3kb" "prio 0 alpha 1/64" \
		"prio 3 ecn enqueue kmin 1kb kmax 5kb pmax 1" \
		"prio 3 int-response 1b" "prio 3 int-response 20kb" "prio 3 int-response off" \
		"int-response-interval 0" "int-response-interval 100us" \
		"prio 3 mercury off" "prio 3 mercury 1b" "prio 3 mercury auto prio 5 mercury 2kb" \
		"mercury-ecn on" "mercury-period 0" "mercury-interval 1ns" "mercury-rtt 1s" \
		"$lscc prio 3 lscc on" "$lscc lscc-period 1us lscc-pseudo 1b lscc-interval 0 prio 3 lscc on" \
		"$lscc lscc-min 1mbit lscc-expiry 1us prio 3 lscc on prio 5 lossless on lscc on" "prio 3 lscc off" \
		"prio 0 ecn dequeue kmin 0 kmax 0 pmax 1 ecn-not-ect drop"
}

pick_refusal() {
	pick "buffer 1kb prio 3 lossless on headroom 60kb" "prio 3 lossless on headroom 0" "prio 3 reserve 900mb" \
		"prio 3 lossless on ecn-not-ect drop" "prio 3 alpha 1 xoff 5kb" \
		"prio 3 xoff 5kb xon 6kb alpha auto" "prio 3 lossless on limit 5kb" \
		"switch none buffer 1mb" "rate 1kbit" "pfc-quanta 0" \
		"int off prio 3 int-response 1kb" "switch none prio 3 mercury 1b" "mercury-rtt 0" \
		"lscc-period 0" "lscc-self 10.0.0.1 lscc-peer 10.0.0.1 prio 3 lossless on lscc on" \
		"prio 0 lossless off lscc on"
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
	local n
	random "$HOSTS"
	n=$((random + 1))
	random 26
	# shellcheck disable=SC2086 # words
	case $random in
	[0-7]) pick_options && tc_port "$n" change $picked ;;
	8 | 9) pick_refusal && must_refuse "$n" $picked ;;
	10) tc_port "$n" "replace" rate 50gbit switch auto prio 3 lossless on ;;
	11)
		quiet tc -n "${at[n]}" qdisc del dev "p$n" root
		guest_sleep 0.00005
		tc_port "$n" add rate 100gbit switch auto prio 3 lossless on xoff 20kb xon 10kb
		;;
	12)
		random 9
		quiet tc -n "${at[n]}" qdisc replace dev "p$n" root handle "$((random + 1)):" \
			roce rate 100gbit switch auto prio 3 lossless on
		;;
	13) quiet ip -n "${at[n]}" link set "p$n" down ;;
	14) quiet ip -n "${at[n]}" link set "p$n" up ;;
	15) quiet ip -n "h$n" link set "v$n" down && guest_sleep 0.0001 &&
		quiet ip -n "h$n" link set "v$n" up ;;
	16) quiet ip -n "${at[n]}" link set "p$n" nomaster ;;
	17) quiet ip -n "${at[n]}" link set "p$n" master br ;;
	18) pick 1500 9000 4096 65000 && quiet ip -n "${at[n]}" link set "p$n" mtu "$picked" ;;
	19)
		quiet ip -n "${at[n]}" link set "p$n" address "02:00:00:ab:01:0$n"
		quiet ip -n "${at[n]}" link set "p$n" name q
		quiet ip -n "${at[n]}" link set dev q name "p$n"
		;;
	20) move "$n" ;;
	21) quiet ip netns del "h$n" ;;
	22) pick "8 65535" "255 65535" "40 3000" "8 1" && hostile "$n" $picked ;;
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

# A port with LSCC sends a message each period, so it is never empty.
calm() {
	local i
	for ((i = 1; i <= HOSTS; i++)); do
		quiet tc -n "${at[i]}" qdisc change dev "p$i" root roce prio 3 lscc off prio 5 lscc off
	done
}

# All accounts of all ports there are.
drained() {
	local ns left
	for ns in sw away h1 h2 h3 h4; do
		[ -e "/run/netns/$ns" ] || continue
		left=$(tc -n "$ns" -s -j qdisc show | jq -c '.[] | select(.kind == "roce") |
			{ dev, backlog, qlen, in_flight: (.in_flight // 0),
			  used: (.switch.used_bytes // 0), xoff: (.switch.xoff // 0),
			  flows: (.mercury_flows // 0),
			  sum: ([.prios[]? | (.in_bytes // 0) + (.headroom_used_bytes // 0) +
				(.out_bytes // 0) + (.bytes // 0) + (.packets // 0)] | add // 0) } |
			select(.backlog + .qlen + .in_flight + .used + .xoff + .flows + .sum > 0)')
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
		echo "check-same h1:v1$(for ((i = 2; i <= HOSTS; i++)); do echo -n ",h$i:v$i"; done)"
	} >/run/steps
	"$FRAMES" /run/steps >/run/flows.log 2>&1 || fail "$(tail -n 5 /run/flows.log)"
}

# A port that pauses its peer goes on telling it when its qdisc is reset and used
# again without any change of the link, and when the link comes back.
told_again() {
	local i
	repair || return
	for ((i = 1; i <= 2; i++)); do
		tc -n sw qdisc change dev "p$i" root roce rate 1gbit &&
			tc -n "h$i" qdisc change dev "v$i" root roce rate 1gbit || return
	done
	# a pause of 33 ms, told again each 17 ms
	"$FRAMES" >/run/told.log 2>&1 <<-STEPS || fail "$(cat /run/told.log)" || return
	port h1:v1 h2:v2
	pfc h2:v2 enable=8 quanta=65535
	data h1:v1 to=h2:v2 flow=1 count=200 size=1000 dscp=26
	wait 3ms
	run tc -n h1 -s -j qdisc show dev v1 >/run/told.0
	run tc -n sw qdisc add dev p1 clsact
	pfc h2:v2 enable=8 quanta=65535
	wait 25ms
	run tc -n h1 -s -j qdisc show dev v1 >/run/told.1
	run ip -n sw link set p1 down
	run ip -n sw link set p1 up
	pfc h2:v2 enable=8 quanta=65535
	wait 1ms
	run tc -n h1 -s -j qdisc show dev v1 >/run/told.2
	wait 100ms
	STEPS
	told=()
	for i in 0 1 2; do
		told+=("$(jq '.[0].pfc_rx' "/run/told.$i")")
	done
	[[ ${told[0]} -ge 1 && ${told[1]} -gt ${told[0]} && ${told[2]} -gt ${told[1]} ]] ||
		fail "pauses received: ${told[0]}, after clsact ${told[1]}, after link up ${told[2]}: should be more each time"
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
	pick "sw h1 h2 h3 h4 away" "h3 away h2 sw h4 h1" "h1 h2 h3 h4 sw away"
	for ns in $picked; do
		quiet ip netns del "$ns"
		guest_sleep 0.00003
	done
	load_say end
	wait "${loaders[@]}"
	gone && rmmod sch_roce && insmod "$module"
}

cycle() {
	local i
	random_state=$((seed * 1000003 + $1 * 7919))
	history=("cycle $1 of seed $seed:")
	repair || fail "repair" || return
	load_start
	for ((i = 0; i < ops; i++)); do
		load_say go
		random 150
		guest_sleep "0.000$((random + 100))"
		step || return
	done
	if [ $(($1 % 3)) -eq 2 ]; then
		load_say go
		guest_sleep 0.0001
		vanish
		return
	fi
	load_say end
	wait "${loaders[@]}"
	calm
	# the longest pause is 34 ms, the longest queue 64 MB at 1 Gbit/s 540 ms
	guest_sleep 1
	drained && repair && flows && drained
}

guest_sleep 0.001	# opens what subshells need
ktap_print_header
ktap_check "a pause is told again after a reset" told_again
bad=$KTAP_CNT_FAIL
for ((c = 1; c <= cycles && KTAP_CNT_FAIL == bad; c++)); do
	ktap_check "cycle $c" cycle "$c"
done
ktap_finished
