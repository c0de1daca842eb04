#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a direct port remembers the route of a flow, and forgets it when a route, the hash of
#   paths or a link changes: packets go where they go through the stack; it remembers those of many
#   flows between two hosts
. "$(dirname "$0")/../lib/lab_lib.sh"

# One flow from h0 to h1, by leaf l0, a spine and leaf l1. Each line is what was changed, and how
# many of the next five packets each spine forwarded.
paths() {
	LAB_DIRECT=$1 "$LAB" shell leafspine --set leaves=2 --set per_leaf=1 --set spines=2 \
		--clock virtual 2>/dev/null <<-'END'
		# Not from a connected socket, which chooses the hash of its packets itself. Without a
		# checksum (SO_NO_CHECK), as rxe: one to be filled in has to go through the driver.
		export send='socket(S, PF_INET, SOCK_DGRAM, 17); bind(S, pack_sockaddr_in(5000, INADDR_ANY));
			setsockopt(S, SOL_SOCKET, 11, 1);
			send(S, "x", 0, pack_sockaddr_in(9, inet_aton("10.0.1.1"))) for 1 .. 5'
		forwarded() { ip netns exec "$1" awk '/^Ip: [0-9]/ { print $7 }' /proc/net/snmp; }
		five() {
			local s0 s1
			s0=$(forwarded s0) s1=$(forwarded s1)
			perl -MSocket -e "$send"
			sleep 0.01
			s0=$(($(forwarded s0) - s0)) s1=$(($(forwarded s1) - s1))
			echo "$1: $s0 $s1"
		}
		one() { ip -n l0 route replace 10.0.1.0/24 nexthop via "$1" dev "$2" onlink; }
		both() {
			ip -n l0 route replace 10.0.1.0/24 nexthop via 10.254.0.5 dev s0 onlink \
				nexthop via 10.254.0.7 dev s1 onlink
		}
		script() {
			five start
			five again
			one 10.254.0.5 s0; five s0
			one 10.254.0.7 s1; five s1
			ip -n l0 route replace unreachable 10.0.1.0/24; five none
			both; five both
			for seed in $(seq 20); do
				ip netns exec l0 sysctl -qw net.ipv4.fib_multipath_hash_seed=$seed
				five seed
			done | sort | uniq -c |
				awk '{ print $2, $3, $4, "sometimes" }'
			ip -n l0 link set s0 down; five "s0 down"
		}
		# Nobody listens there: h1 must not say so.
		ip -n h1 route add blackhole 10.0.0.1
		export -f forwarded five one both script
		sleep 0.02	# until the first jiffy timers are late
		ip netns exec h0 bash -c script
	END
}

# What the words of each step mean. A flow stays on its path, and each of 20 seeds chooses anew:
# that all choose the same path has a probability of 2 / 2^20.
stack() {
	paths off >"$LAB_OUT/off" || return 1
	cat "$LAB_OUT/off"
	grep -Eqx 'start: (5 0|0 5)' "$LAB_OUT/off" &&
		[ "$(sed -n 's/^again: //p' "$LAB_OUT/off")" = "$(sed -n 's/^start: //p' "$LAB_OUT/off")" ] &&
		grep -qx 's0: 5 0' "$LAB_OUT/off" && grep -qx 's1: 0 5' "$LAB_OUT/off" &&
		grep -qx 'none: 0 0' "$LAB_OUT/off" && grep -Eqx 'both: (5 0|0 5)' "$LAB_OUT/off" &&
		[ "$(grep -c '^seed: .* sometimes' "$LAB_OUT/off")" = 2 ] &&
		grep -qx 's0 down: 0 5' "$LAB_OUT/off"
}

direct() {
	paths on >"$LAB_OUT/on" && diff "$LAB_OUT/off" "$LAB_OUT/on"
}

# How often the routes of 64 flows' packets from h0 to h1 were looked up, that came in by a device:
# of the first packet of each, and of the second.
look_ups() {
	LAB_DIRECT=$1 "$LAB" shell leafspine --set leaves=2 --set per_leaf=1 --set spines=2 \
		--clock virtual 2>/dev/null <<-'END'
		tracing=/sys/kernel/tracing
		ip -n h1 route add blackhole 10.0.0.1
		echo 'iif > 1' >$tracing/events/fib/fib_table_lookup/filter
		echo 1 >$tracing/events/fib/fib_table_lookup/enable
		for round in first second; do
			echo >$tracing/trace
			ip netns exec h0 perl -MSocket -e '
				for (5001 .. 5064) {
					socket(S, PF_INET, SOCK_DGRAM, 17);
					bind(S, pack_sockaddr_in($_, INADDR_ANY));
					setsockopt(S, SOL_SOCKET, 11, 1);
					send(S, "x", 0, pack_sockaddr_in(9, inet_aton("10.0.1.1")));
				}'
			sleep 0.01
			echo $round $(grep -c fib_table_lookup $tracing/trace)
		done
	END
}

# Each packet is looked up at a leaf, a spine, the other leaf and the host.
stack_looks_up() {
	local first second
	look_ups off >"$LAB_OUT/off" || return 1
	cat "$LAB_OUT/off"
	first=$(sed -n 's/^first //p' "$LAB_OUT/off") second=$(sed -n 's/^second //p' "$LAB_OUT/off")
	[ "$first" -ge $((4 * 64)) ] && [ "$second" = "$first" ]
}

# Of 256 flows and devices in 2^14 places for two, one shares its place with two others with a
# probability of 1 / 8000: none may, or one group of three.
direct_remembers() {
	local first second
	look_ups on >"$LAB_OUT/on" || return 1
	cat "$LAB_OUT/on"
	first=$(sed -n 's/^first //p' "$LAB_OUT/on") second=$(sed -n 's/^second //p' "$LAB_OUT/on")
	[ "$first" -ge $((4 * 64)) ] && [ "$second" -le $((3 * first / 256)) ]
}

ktap_print_header
ktap_check "through the stack packets go where the routes say" stack
ktap_check "direct ports: the same after each change" direct
ktap_check "through the stack each packet of 64 flows is looked up" stack_looks_up
ktap_check "direct ports: the first of each flow only" direct_remembers
ktap_finished
