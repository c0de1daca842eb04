#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: files of other simulators: flow.txt and topology.txt of HPCC, inet-tub and SimAI, .cm of
#   htsim with its triggers, GOAL, sizes in shares, fct.txt and pfc.txt out: the flows and the network that are counted by hand; bad input
#
# Files of other simulators run, as networks, as flows and as sizes of flows. What is read of
# each kind is in the unit test test_simulator_files; here they go through a run.
. "$(dirname "$0")/../lib/lab_lib.sh"

cd "$LAB_OUT" || exit 1

# Two racks of two hosts, 50 Gbit/s and 2 us to the hosts, 100 Gbit/s and 500 ns between.
cat >topology.txt <<'END'
# two racks
6 2 5
4 5
0 4 50Gbps 0.002ms 0
1 4 50Gbps 0.002ms 0
2 5 50Gbps 0.002ms 0
3 5 50Gbps 0.002ms 0
4 5 100Gbps 500ns 0
END
printf '2\r\n# src dst pg dport bytes start\r\n0 3 3 100 1024 2.0005\r\n1 2 3 200 1 2.00025\r\n2 0 3 100 9 3\r\n' >flow.txt
printf 'Nodes 4\nConnections 2\n0->1 id 1 start 3000000 size 1000\n2->3 id 2 start 1000000 size 500\n' >two.cm

# The first flow of the file starts at 0, the other 250 us later; the third is not announced.
network() {
	local r=topology.txt/none/1
	lab_run topology.txt --mem 256 --set flows_file=flow.txt || return 1
	awk -F, 'NR > 1 { print $1, $2, $3, $5, $6, $10 }' "$LAB_OUT/r/topology.txt/none/seed1/flows.csv" >rows
	# flowgen looks at the clock when it starts a flow: a few ns.
	awk '$5 > 250010 { print "late: " $0; bad = 1 } { $5 = int($5 / 1000); print } END { exit bad }' rows >rounded
	printf '%s\n' "0 h1 h2 1 0 incast" "1 h0 h3 1024 250 workload" | diff - rounded || return 1
	[ "$(lab_get $r '[.traffic.file_start_ns, .traffic.file_lines_left_out] | tostring')" = '[2000250000,1]' ] &&
		lab_get $r '.notes[]' | grep -q '^1 lines of the flows_file are left out' || { lab_get $r .notes; return 1; }
	# 1024 bytes are 1122 on the wire: 179.52 ns at 50 Gbit/s twice, 89.76 at 100; an ACK of 86 takes
	# 13.76 twice and 6.88; and twice 2 + 0.5 + 2 us: 9483 ns.
	[ "$(awk -F, '$2 == "h0" { print $8 }' "$LAB_OUT/r/topology.txt/none/seed1/flows.csv")" -eq 9483 ] ||
		{ cat "$LAB_OUT/r/topology.txt/none/seed1/flows.csv"; return 1; }
	near "$(awk -F, '$2 == "h0" { print $7 }' "$LAB_OUT/r/topology.txt/none/seed1/flows.csv")" 9483 0.001
}

# Without flows of a file: a permutation; and a workload in shares, over the same network.
own_flows() {
	local a b
	LAB_DIR=$LAB_OUT/p lab_run ./topology.txt --mem 256 --set size=10kb || return 1
	[ "$(LAB_DIR=$LAB_OUT/p lab_get topology.txt/none/1 '[.flows.completed, .flows.bytes] | tostring')" = '[4,40960]' ] ||
		return 1
	printf '0 0.0\r\n1000 0.5\r\n3000 1.0\r\n' >shares
	printf '0 0\n1000 50\n3000 100\n' >percent
	a=$("$LAB" flows topology.txt --set workload=shares --set flows=50 --out - 2>/dev/null | cksum)
	b=$("$LAB" flows topology.txt --set workload=percent --set flows=50 --out - 2>/dev/null | cksum)
	[ -n "$a" ] && [ "$a" = "$b" ]
}

# Two servers of two hosts, each with an NVSwitch (4, 5), and one switch (6) for all.
simai() {
	{
		printf '7 2 2 1 8 H100\n4 5 6\n'
		for h in 0 1 2 3; do printf '%d %d 2880Gbps 0.000025ms 0\n%d 6 400Gbps 0.0005ms 0\n' $h $((4 + h / 2)) $h; done
	} >simai+H100
	lab_run ./simai+H100 --mem 256 --set size=10kb || return 1
	[ "$(lab_get simai_H100/none/1 '[.flows.completed, (.switches | keys)] | tostring')" = '[4,["s6"]]' ] &&
		lab_get simai_H100/none/1 '.notes[]' | grep -q '^NVSwitches and their links are left out'
}

htsim() {
	"$LAB" flows star --set n=4 --set flows_file=two.cm --out flows.csv >out 2>&1 || { cat out; return 1; }
	printf '%s\n' id,src,dst,bytes,start_ns 0,h2,h3,500,0 1,h0,h1,1000,2000 | diff - flows.csv || return 1
	# And our own file of these flows is the same as theirs.
	LAB_DIR=$LAB_OUT/cm lab_run star --mem 256 --set n=4 --set flows_file=two.cm &&
		LAB_DIR=$LAB_OUT/csv lab_run star --mem 256 --set n=4 --set flows_file=flows.csv &&
		cmp "$LAB_OUT"/{cm,csv}/star/none/seed1/flows.csv
}

# A chain of flows by triggers. Each starts when the one that it waits for is complete; flowgen looks at the clock
# when it starts a flow: a few ns.
triggers() {
	cat >chain.cm <<'END'
Nodes 4
Connections 4
Triggers 3
0->1 id 1 start 5000000 size 10000 send_done_trigger 1
1->2 id 2 trigger 1 size 20000 send_done_trigger 2
2->3 id 3 trigger 2 size 30000 recv_done_trigger 3
3->0 id 4 trigger 3 size 1000
trigger id 1 oneshot
trigger id 2 oneshot
trigger id 3 barrier count 1
END
	LAB_DIR=$LAB_OUT/t lab_run star --mem 256 --set n=4 --set flows_file=chain.cm || return 1
	sort -n "$LAB_OUT/t/star/none/seed1/flows.csv" | awk -F, '/^[0-9]/ {
		if (n++ && ($6 < end || $6 > end + 20)) { print "not when the one before ends: " $0; bad = 1 }
		end = $6 + $7; print $1, $2, $3, $5 >"chain" } END { exit bad }' || return 1
	printf '%s\n' "0 h0 h1 10000" "1 h1 h2 20000" "2 h2 h3 30000" "3 h3 h0 1000" | diff - chain
}

# The network and the flows above again, as fct.txt: node 0 has the address 11.0.0.1, node 3 11.0.3.1; starts are those
# of flow.txt. What the run says of its flows is in flows.csv.
fct_out() {
	local d=$LAB_OUT/r/topology.txt/none/seed1
	"$LAB" report --no-plots --fct --out "$LAB_OUT/fct" "$LAB_OUT/r" >out 2>&1 || { cat out; return 1; }
	awk -F, 'NR > 1 { f = $2 == "h0" ? "0b000001 0b000301 10000 100 1024 " : "0b000101 0b000201 10000 200 1 "
		printf "%s%d %d %d\n", f, 2000250000 + $6, $7, $8 }' "$d/flows.csv" | diff - "$LAB_OUT/fct/topology.txt/none/seed1/fct.txt" &&
		printf '%s\n' "0 h0" "1 h1" "2 h2" "3 h3" "4 s4" "5 s5" | diff - "$LAB_OUT/fct/topology.txt/none/seed1/nodes.txt" &&
		[ ! -e "$LAB_OUT/fct/index.html" ]
}

# A run made by hand. The switch comes first among the ports, and has number 2: hosts are first. A flow that did not
# complete is left out; the second of h0 to h1 that did has the next port. Samples are 1 us apart: sw-h1 was paused for
# 400 ns before 1 us and for 500 after, which is one pause from 600 to 1500 ns; h0-sw from 1 to 2 us, and for 250 ns
# before 4 us. All is 2 s later in the file that the flows came from.
by_hand() {
	local d=$LAB_OUT/hand/star/none/seed1 o=$LAB_OUT/hand/report/star/none/seed1
	mkdir -p "$d"
	echo '{"scenario":"star","cc":"none","seed":1,"traffic":{"file_start_ns":2000000000},"switches":{"sw":{}},
		"ports":{"sw-h0":{},"sw-h1":{},"h0-sw":{},"h1-sw":{}}}' >"$d/summary.json"
	printf '%s\n' id,src,dst,qpn,bytes,start_ns,fct_ns,ideal_fct_ns,slowdown,group 0,h0,h1,17,5000,100,2000,1500,1.3,incast \
		1,h0,h1,18,9,200,,1000,, 2,h0,h1,19,7,300,10,9,1.1,workload 3,h1,h0,20,8,300,11,9,1.2,workload >"$d/flows.csv"
	printf '%s\n' t_ns,port,prio,pause_ns 1000,sw-h1,3,400 1000,h0-sw,3,0 2000,sw-h1,3,900 2000,h0-sw,3,1000 3000,sw-h1,3,900 \
		3000,h0-sw,3,1000 4000,sw-h1,3,900 4000,h0-sw,3,1250 >"$d/pauses.csv"
	"$LAB" report --no-plots --fct "$LAB_OUT/hand" >out 2>&1 || { cat out; return 1; }
	printf '%s\n' "0 h0" "1 h1" "2 sw" | diff - "$o/nodes.txt" &&
		printf '%s\n' "0b000001 0b000101 10000 200 5000 2000000100 2000 1500" "0b000001 0b000101 10001 100 7 2000000300 10 9" \
			"0b000101 0b000001 10000 100 8 2000000300 11 9" | diff - "$o/fct.txt" &&
		printf '2000%s\n' "000600 2 1 2 1" "001000 0 0 1 1" "001500 2 1 2 0" "002000 0 0 1 0" "003750 0 0 1 1" \
			"004000 0 0 1 0" | diff - "$o/pfc.txt" || return 1
	ends 2 "$LAB" report --fct --bins 3 "$d" && grep -q -- "--fct.* do not go with" "$LAB_OUT/err"
}

# GOAL: a message, 700 ns of work, two messages to two ranks; the last rank answers when it has had both its messages,
# 2 us after that of rank 0 and 50 us after that of rank 1, which is later. Then the same from the file that "lab flows"
# writes of it.
goal() {
	cat >work.goal <<'END'
num_ranks 3
rank 0 {
l1: calc 300
l2: send 20000b to 1 tag 1
l2 requires l1
l3: send 5000b to 2 tag 1
l3 requires l2
l4: recv 4096b from 2
}
rank 1 {
l1: recv 20000b from 0 tag 1
l2: calc 700
l2 requires l1
l3: send 10000b to 2 tag 1
l3 requires l2
}
rank 2 {
l1: recv 10000b from 1 tag 1
l2: recv 5000b from 0 tag 1
w1: calc 48000
w1 requires l1
w2: calc 2000
w2 requires w1
w2 requires l2
l3: send 4096b to 0
l3 requires w2
}
END
	LAB_DIR=$LAB_OUT/g lab_run star --mem 256 --set n=3 --set flows_file=work.goal || return 1
	# A timer is up to a look at the clock late when it fires and one after: a few ns.
	awk -F, 'NR > 1 { s[$2 $3] = $6; e[$2 $3] = $6 + $7; n++ }
		function at(what, want) { if (s[what] < want || s[what] > want + 10) { print what, s[what], want; bad = 1 } }
		END { at("h0h1", 300); at("h0h2", e["h0h1"]); at("h1h2", e["h0h1"] + 700); at("h2h0", e["h1h2"] + 50000)
			exit bad || n != 4 }' "$LAB_OUT/g/star/none/seed1/flows.csv" || return 1
	"$LAB" flows star --set n=3 --set flows_file=work.goal --out own.csv >out 2>&1 || { cat out; return 1; }
	grep -q '^3,h2,h0,4096,50000,1@2000+2@50000,,0,' own.csv || { cat own.csv; return 1; }
	LAB_DIR=$LAB_OUT/o lab_run star --mem 256 --set n=3 --set flows_file=own.csv &&
		cmp "$LAB_OUT"/{g,o}/star/none/seed1/flows.csv
}

# refuses FILE:LINE:TEXT SCENARIO [KEY=VALUE]
refuses() {
	ends 2 "$LAB" run "$2" --mem 256 ${3:+--set "$3"} --out "$LAB_OUT/bad" && nothing_left "$LAB_OUT/bad" &&
		grep -q "$1" "$LAB_OUT/err" && [ "$(wc -l <"$LAB_OUT/err")" -eq 1 ] || { cat "$LAB_OUT/err"; return 1; }
}

bad_input() {
	sed 's/^3 5 50Gbps 0.002ms 0$/3 5 50Gbps 0.002ms 1.5/' topology.txt >lossy.txt
	printf '1\n0 6 3 100 5 0\n' >host.txt
	printf 'Nodes 4\n0->1 id 1 trigger 1 size 9\ntrigger id 1 oneshot\n' >trigger.cm
	refuses "lossy.txt:7: loss .1.5.: not a share from 0 to 1" lossy.txt &&
		refuses "host.txt:2: no host 6 in scenario topology.txt, which has 4 hosts" topology.txt flows_file=host.txt &&
		refuses "trigger.cm:3: trigger 1 needs 1 flows that set it off, and has 0" topology.txt flows_file=trigger.cm &&
		refuses "flow.txt:1: 1 words; a file of a network" flow.txt &&
		refuses "none.txt: No such file" none.txt &&
		refuses "set rate: cannot be set in scenario topology.txt: each link has its own" topology.txt rate=5gbit
}

ktap_print_header
ktap_check "topology.txt and flow.txt: flows, hosts, times as counted by hand" network
ktap_check "a network's own flows, and sizes in shares" own_flows
ktap_check "SimAI: NVSwitches are left out, and a note says so" simai
ktap_check "htsim's connection matrix: the same as our own file of it" htsim
ktap_check "htsim's triggers: each flow starts when the one that it waits for is complete" triggers
ktap_check "GOAL: flows start when their calcs and what they wait for are done; the same as our own file of it" goal
ktap_check "fct.txt of a run: addresses, ports and starts of the simulator" fct_out
ktap_check "fct.txt and pfc.txt of a run made by hand" by_hand
ktap_check "bad input: one line with file and line, nothing is run" bad_input
ktap_finished
