#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: what changes in a run happens at its nanosecond and does what it says: links, switches, hosts,
#   flows; a spine link that fails loses packets until routers leave it out, and no longer
. "$(dirname "$0")/../lib/lab_lib.sh"

# A packet of 1024 bytes and 82 of headers at 100 Gbit/s: 88.48 ns.
PACKET=88.48

# span RUN N MEMBER, event RUN N MEMBER
span() { lab_get "$1" ".timeline.spans[$2].$3"; }
event() { lab_get "$1" ".timeline.events[$2].$3"; }

# gbit RUN N RATE: a span's wire bytes to hosts; 1 % is 5 us of 500, the path has 4.3
gbit() { near "$(span "$1" "$2" to_hosts_bps)" "${3}e9" 0.01; }

ktap_check "a link's rate and state, and a delay" lab_run two --cc fixed --set size=20mb \
	--at "500us:link h0-sw rate 50gbit" --at "1ms:link h0-sw rate 100gbit" \
	--at "1.5ms:link sw-h1 down" --at "1.6ms:link sw-h1 up" --at "2ms:link h0-sw delay 10us"
R=two/fixed/1

# The clock is read some times before an option is in force, 1 ns each time.
exact() {
	local i
	for i in 0 1 2 3 4; do
		is "$(($(event $R $i done_ns) - $(event $R $i at_ns)))" ">=" 0 &&
			is "$(($(event $R $i done_ns) - $(event $R $i at_ns)))" "<=" 20 || return
	done
}
ktap_check "each event is carried out within 20 ns of its time" exact
ktap_check "100 Gbit/s" gbit $R 0 99.9
ktap_check "50 Gbit/s after it" gbit $R 1 50
ktap_check "100 Gbit/s again" gbit $R 2 99.9

# Lost is what left in 100 us and what was under way: 1 us of delay. ACKs of one in 65 packets
# are lost for half a round trip at most.
cut() {
	local want
	want=$(awk -v p=$PACKET 'BEGIN { printf "%d", 101000 / p }')
	is "$(lab_get $R .lost.link_down)" ">=" "$((want - 1))" &&
		is "$(lab_get $R .lost.link_down)" "<=" "$((want + 3))" &&
		is "$(lab_get $R .lost.random)" == 0 && is "$(lab_get $R .drops.total)" == 0 &&
		is "$(span $R 3 to_hosts_bps)" == 0 && is "$(lab_get $R .flows.completed)" == 1
}
ktap_check "a link that is down loses what is sent and under way, and is told apart" cut

# An event hits the flow if a link loses a packet until the next one: when it is down, and what was
# being sent when it came up.
hit() {
	lab_get $R '.timeline as $t | [range(5) | if $t.spans[. + 1].lost > 0 then 1 else 0 end] == [$t.events[].flows_hit] | if . then 1 else 0 end' >"$LAB_OUT/same" &&
		is "$(cat "$LAB_OUT/same")" == 1 && is "$(event $R 2 flows_hit)" == 1 && is "$(event $R 1 flows_hit)" == 0
}
ktap_check "an event hits the flows of which links lose packets until the next" hit

ktap_check "the run's settings have the timeline" \
	is "$(lab_get $R '.settings.timeline | split(";") | length')" == 5

# Hosts: a parameter or another algorithm holds for flows that are under way.
host() {
	lab_run two --cc fixed:rate=50gbit --set size=10mb --at "500us:host h0 param rate=25gbit" \
		--at "1ms:host h0-h1 cc fixed:rate=10gbit" --at "1.5ms:host h0 knob max_unacked_psns=128" &&
		gbit two/fixed:rate=50gbit/1 0 50 && gbit two/fixed:rate=50gbit/1 1 25 &&
		gbit two/fixed:rate=50gbit/1 2 10
}
ktap_check "a host's parameter, algorithm and knob" host

# A stalled host sends nothing but the packet that it has begun, of 89 ns, then goes on at line rate.
# So a flow takes the time of the stall longer, less what was left of that packet. The other end gets
# what was under way: 2 us of delay and the packets at two ports.
stall() {
	local free long
	LAB_DIR=$LAB_OUT/free lab_run two --cc fixed --set size=5mb || return
	LAB_DIR=$LAB_OUT/stall lab_run two --cc fixed --set size=5mb --at "200us:host h0 stall on" \
		--at "400us:host h0 stall off" || return
	free=$(LAB_DIR=$LAB_OUT/free lab_get two/fixed/1 .flows.fct_ns.max)
	long=$(LAB_DIR=$LAB_OUT/stall lab_get two/fixed/1 .flows.fct_ns.max)
	is "$((long - free))" ">=" $((200000 - 89 - 20)) && is "$((long - free))" "<=" $((200000 + 20)) &&
		is "$(LAB_DIR=$LAB_OUT/stall span two/fixed/1 1 to_hosts_bps)" "<=" \
			$((4 * 1106 * 8 * 5000 + 100 * 1000000000 * 2 / 200)) &&
		is "$(LAB_DIR=$LAB_OUT/stall lab_get two/fixed/1 '.retransmits + .drops.total')" == 0
}
ktap_check "a host stalls, and goes on" stall

# Switches: nothing is marked with a kmin of 1 GB, all above an empty queue with 0. At 50 us the
# flows have sent a third, and the queue is as long as the packets of three of them.
marks() {
	local at=(--set kmin=1gb --set kmax=1gb --set pmax=1 --set n=4 --set size=2mb)
	LAB_DIR=$LAB_OUT/no lab_run incast --cc dcqcn "${at[@]}" &&
		is "$(LAB_DIR=$LAB_OUT/no lab_get incast/dcqcn/1 .bottleneck.ecn_marked)" == 0 &&
		lab_run incast --cc dcqcn "${at[@]}" --at "50us:switch all kmin 0b" \
			--at "50us:switch sw kmax 0b" &&
		is "$(lab_get incast/dcqcn/1 .bottleneck.ecn_marked)" ">=" 1
}
ktap_check "a switch's thresholds" marks

# Flows: of two one stops, and the other has the line.
stop() {
	lab_run incast --cc none --set n=2 --set size=20mb --at "1ms:flow 0 stop" &&
		is "$(lab_get incast/none/1 .errors)" == 0 &&
		is "$(lab_get incast/none/1 .flows.completed)" == 1
}
ktap_check "a flow stops" stop

# Flows of a file, which have no rows: 0 stops, 1 has the line, 2 waits for the end of 0, which comes
# with the stop: 4 messages of 64 KiB that are posted take 57 us at 40 Gbit/s, and the path has 4. 3
# would start at 1.5 ms, after its stop.
stop_file() {
	cat >"$LAB_OUT/flows.csv" <<-END
	id,src,dst,bytes,start_ns,after
	0,0,2,20000000,0,
	1,1,2,20000000,0,
	2,0,2,100000,0,0
	3,1,2,100000,1500000,
	END
	LAB_DIR=$LAB_OUT/file lab_run star --cc fixed:rate=40gbit --set n=3 --set chunk=64kb --set depth=4 \
		--set flows_file="$LAB_OUT/flows.csv" \
		--at "1ms:flow 0 stop" --at "1.4ms:flow 3 stop" || return
	awk -F, 'NR > 1 { bytes[$1] = $5; start[$1] = $6; fct[$1] = $7 }
		END {
			if (NR != 5 || fct[0] != "" || bytes[0] < 1 || bytes[0] >= 20000000 || fct[3] != "" || bytes[3] ||
			    bytes[1] != 20000000 || fct[2] == "" || start[2] < 1000000 || start[2] > 1061000)
				exit 1
		}' "$LAB_OUT/file/star/fixed:rate=40gbit/seed1/flows.csv" || { cat "$LAB_OUT/file/star/fixed:rate=40gbit/seed1/flows.csv"; return 1; }
	is "$(LAB_DIR=$LAB_OUT/file lab_get star/fixed:rate=40gbit/1 .flows.stopped)" == 2 &&
		is "$(LAB_DIR=$LAB_OUT/file lab_get star/fixed:rate=40gbit/1 .flows.completed)" == 2 &&
		is "$(LAB_DIR=$LAB_OUT/file lab_get star/fixed:rate=40gbit/1 .errors)" == 0
}
ktap_check "flows of a file stop, and what waits for them goes on" stop_file

# A group of a workload stops: what would start later never does, the other group goes on.
stop_group() {
	LAB_DIR=$LAB_OUT/group lab_run star --cc dcqcn --set workload=hadoop --set load=0.3 --set n=8 \
		--set duration=1ms --set incast_degree=4 --set incast_load=0.05 --set incast_size=20kb \
		--at "500us:group workload stop" || return
	awk -F, 'NR > 1 && $NF == "workload" && $6 < 500000 { before += $7 != "" }
		NR > 1 && $NF == "workload" && $6 >= 500000 { never += $7 == "" && !$5; late++ }
		NR > 1 && $NF == "incast" { incasts++; whole += $7 != ""; after += $6 >= 500000 }
		END {
			print before + 0 " before, " never + 0 " of " late + 0 " never, " whole + 0 " of " incasts + 0 " of incasts"
			exit !(before > 0 && late > 0 && never == late && after > 0 && whole == incasts)
		}' "$LAB_OUT/group/star/dcqcn/seed1/flows.csv" &&
		is "$(LAB_DIR=$LAB_OUT/group lab_get star/dcqcn/1 .errors)" == 0
}
ktap_check "a group of a workload stops" stop_group

# A spine link fails at 1 ms and is back at 3 ms, under websearch. l0 has another way by s1, which
# routers take 1 ms later. From then on no more is lost than waited at the link's two ports.
spine=(leafspine --cc dcqcn --set leaves=4 --set spines=2 --set per_leaf=4 --set workload=websearch
	--set load=0.5 --set duration=5ms --at "1ms:link l0-s0 down" --at "3ms:link l0-s0 up")
S=leafspine/dcqcn/1
queued() { lab_get "$1" '[.ports["l0-s0", "s0-l0"].queue_peak_bytes] | add'; }
fails() {
	lab_run "${spine[@]}" &&
		is "$(lab_get $S '.flows.count - .flows.completed')" == 0 &&
		[ "$(event $S 1 what)" = reroute ] || return
	is "$(event $S 1 at_ns)" == 2000000 && is "$(event $S 3 at_ns)" == 4000000 &&
		is "$(span $S 0 lost)" == 0 && is "$(span $S 1 lost)" ">=" 1 &&
		is "$(span $S 2 lost_wire_bytes)" "<=" "$(queued $S)" &&
		is "$(span $S 3 lost)" == 0 && is "$(span $S 4 lost)" == 0 &&
		is "$(lab_get $S .retransmits)" ">=" "$(span $S 4 retransmits)" &&
		is "$(span $S 2 to_hosts_bps)" ">=" 1e9
}
ktap_check "a spine link fails and is back: lost until routers know, then no more" fails

# A flow waits for its timeout of 67 ms only if its last packets or their ACKs are lost, which is by
# the link that is down, or just before routers know. Only flows that have begun by then are hit.
flows_hit() {
	local hit
	hit=$(lab_get $S '[.timeline.events[] | select(.at_ns < 3e6) | .flows_hit] | add')
	is "$hit" ">=" "$(awk -F , 'NR > 1 && $7 > 60e6' "$LAB_OUT/r/leafspine/dcqcn/seed1/flows.csv" | wc -l)" &&
		is "$hit" ">=" 1 && is "$(event $S 3 flows_hit)" == 0 &&
		is "$(event $S 0 flows_hit)" "<=" "$(awk -F , 'NR > 1 && $6 < 2e6' "$LAB_OUT/r/leafspine/dcqcn/seed1/flows.csv" | wc -l)"
}
ktap_check "flows hit: at least those that wait for a timeout, at most those under way" flows_hit

# With reroute=0 that is all: what waited at the two ports, and what was under way, 1 us of 100
# Gbit/s each way and a packet that was being sent.
at_once() {
	LAB_DIR=$LAB_OUT/at0 lab_run "${spine[@]}" --set reroute=0ns || return
	is "$(LAB_DIR=$LAB_OUT/at0 lab_get $S .lost.wire_bytes)" "<=" \
		"$(($(LAB_DIR=$LAB_OUT/at0 queued $S) + 2 * (12500 + 1200)))"
}
ktap_check "with reroute=0 only what waited there and was under way" at_once

again() {
	LAB_DIR=$LAB_OUT/again lab_run "${spine[@]}" &&
		diff -r -x run.json "$LAB_OUT/r/leafspine/dcqcn/seed1" "$LAB_OUT/again/leafspine/dcqcn/seed1"
}
ktap_check "the same run again is the same" again

# own FILE: a scenario's own timeline, with its keys
own() {
	jq '.name = "mine" | .defaults.timeline = "{size/125}ns:link h0-sw rate 50gbit"' \
		"$RXE_CC_TOP/tools/lab/scenarios/two.json" >"$LAB_OUT/mine.json" &&
		lab_run "$LAB_OUT/mine.json" --cc fixed --set size=5mb &&
		is "$(event mine/fixed/1 0 at_ns)" == 41943 &&
		is "$(lab_get mine/fixed/1 '.settings | has("timeline") | if . then 1 else 0 end')" == 1
}
ktap_check "a scenario has a timeline of its own" own

# A parameter that the kernel does not know: the file's line, as of an event that cannot be read.
own_bad() {
	local line
	jq '.name = "mine" | .defaults.timeline = "1ms:host h0 param x=1"' \
		"$RXE_CC_TOP/tools/lab/scenarios/two.json" >"$LAB_OUT/mine.json" &&
		line=$(sed -n '/"timeline"/=' "$LAB_OUT/mine.json") || return
	ends 2 "$LAB" run "$LAB_OUT/mine.json" --cc hpcc --out "$LAB_OUT/refused" &&
		grep -q "^lab: .*/mine.json:$line: .*no such parameter" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
}
ktap_check "an error in it names file and line, one of the kernel's tables too" own_bad

# refused WHAT WORDS: exit status 2 and one line with these words, before anything runs
refused() {
	ends 2 "$LAB" run two --cc hpcc --at "$1" --out "$LAB_OUT/refused" &&
		{ grep -qF -- "$2" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }; } &&
		[ ! -e "$LAB_OUT/refused" ]
}
while IFS='|' read -r what words; do
	ktap_check "refused: $what" refused "$what" "$words"
done <<'END'
1ms|TIME:WHAT expected
soon:link h0-sw down|"soon" is not a time
1ms:lnk h0-sw down|did you mean "link"?
1ms:link h0-h1 down|no link "h0-h1"
1ms:link h0-sw dwn|did you mean "down"?
1ms:link h0-sw down now|nothing expected behind it
1ms:link h0-sw rate|one value expected
1ms:link h0-sw rate 1bit|below the minimum of 1mbit
1ms:link h0-sw loss 2|above the maximum of 1
1ms:host h0-h3+x1 cc dcqcn|no host "x1"
1ms:host all cc dcqn|did you mean "dcqcn"?
1ms:host all cc dcqcn:x=1|no such parameter
1ms:host all param x=1|no such parameter
1ms:host all knob foo=1|no such knob
1ms:switch h0 kmin 1kb|no switch "h0"
1ms:flow 7 stop|no flow "7"
1ms:host h0 stall maybe|neither on nor off
1ms:host h7 stall on|no host "h7"
1ms:group x stop|no flow of a group "x"
END

ktap_finished
