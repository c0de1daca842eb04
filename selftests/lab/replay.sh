#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: recording changes nothing else; replay of every algorithm, HPCC++ at sender and receiver,
#   READ, losses, decides the same with the same parameters, otherwise with others; files made by
#   hand, counters that wrap, T, W and rate given, DCQCN's order beside a public simulator; bad ones
#
# events.csv and "lab replay": recording changes nothing else; what was recorded
# gives the same decisions when the kernel's algorithm gets it again, and other
# ones with other parameters; files of others are taken, bad ones refused.
. "$(dirname "$0")/../lib/lab_lib.sh"

"$RXE_CC_TOP/scripts/modules.sh" uml-lab --tests >&2 || ktap_exit_fail_msg "rxe_cc_testalg is not built"
[ -e "$RXE_CC_BUILD/uml-lab/rxe_cc_events.ko" ] || ktap_skip_all "rxe_cc_events is not built"

# Marks, CNPs and all phases of recovery within a few ms; 6 k to 60 k events.
incast=(incast --set n=4 --set size=1mb --set rate=10gbit --set jitter=10us)
recorded=dcqcn,template,hpcc,timely
# Computed by sender and receiver, with all ways of telemetry; and of READ responses,
# on which reports come.
for v in draft sparse probe rx fair; do
	recorded+=,hpccpp:preset=$v
done
reads=(two --set op=read --set size=1mb --set rate=10gbit)
readers=hpcc,hpccpp,hpccpp:preset=rx
IFS=, read -ra runs <<<"$recorded"
runs=("${runs[@]/#/incast/}" four/dcqcn)
IFS=, read -ra all_readers <<<"$readers"
runs+=("${all_readers[@]/#/two/}")
four=(four --set rate=10gbit --set size=4mb --set stagger=1ms --set buffer=1mb)

events_of() {
	echo "$LAB_OUT/on/$1/seed1/events.csv"
}

# lines RUN CONDITION OP COUNT: how many lines of its events are such
lines() {
	is "$(awk -F, "$2" "$(events_of "$1")" | wc -l)" "$3" "$4" || { echo "$1: $2"; return 1; }
}

# replay FILE OPTION...: decisions go to $LAB_OUT/out.csv, messages to $LAB_OUT/say
replay() {
	local in=$1
	shift
	rm -f "$LAB_OUT/out.csv"
	"$LAB" replay --in "$in" --out "$LAB_OUT/out.csv" "$@" >"$LAB_OUT/say" 2>&1 </dev/null
}

decisions() {
	grep -a ',decision,' "$1"
}

same_decisions() {
	cmp <(decisions "$1") <(decisions "$LAB_OUT/out.csv") && return
	diff <(decisions "$1") <(decisions "$LAB_OUT/out.csv") | head -n 6
	return 1
}

record() {
	LAB_DIR=$LAB_OUT/off lab_run "${incast[@]}" --cc "$recorded" &&
		LAB_DIR=$LAB_OUT/on lab_run "${incast[@]}" --cc "$recorded" --events &&
		LAB_DIR=$LAB_OUT/off lab_run "${reads[@]}" --cc "$readers" &&
		LAB_DIR=$LAB_OUT/on lab_run "${reads[@]}" --cc "$readers" --events &&
		LAB_DIR=$LAB_OUT/off lab_run "${four[@]}" --cc dcqcn &&
		LAB_DIR=$LAB_OUT/on lab_run "${four[@]}" --cc dcqcn --events
}

nothing_else_changes() {
	local f
	record || return 1
	for f in "${runs[@]}"; do
		[ ! -e "$LAB_OUT/off/$f/seed1/events.csv" ] || return 1
		diff -r -x run.json -x events.csv "$LAB_OUT/off/$f" "$LAB_OUT/on/$f" || return 1
	done
}

# Enough of each kind that the comparison is worth something.
all_kinds() {
	local kind
	for kind in init,8 sent,1000 ack,100 cnp,20 timer,100 data,100 decision,1000 end,8; do
		lines incast/dcqcn "\$3 == \"${kind%,*}\"" ">=" "${kind#*,}" || return 1
	done
	# each packet of hpcc brings its hops, NIC and switch; timely measures often
	lines incast/hpcc '$3 == "ack" && split($9, hop, "|") == 2' ">=" 3000 &&
		lines incast/timely '$3 == "ack" && $8' ">=" 200 &&
		told_kinds
}

# Rx-HPCC: hops at the receiver, windows from there, no echo; senders counted there go
# with every ACK; READ responses bring hops back in reports that acknowledge nothing.
told_kinds() {
	local rx=incast/hpccpp:preset=rx fair=incast/hpccpp:preset=fair
	lines $rx '$3 == "data" && split($9, hop, "|") == 2' ">=" 3000 &&
		lines $rx '$3 == "decision" && $27 && $29' ">=" 100 &&
		lines $rx '$3 == "ack" && $29' ">=" 100 &&
		lines $rx '$3 == "ack" && $9' "==" 0 &&
		lines $fair '$3 == "decision" && $28 && $29 ~ "^0[|][1-9]"' ">=" 3000 &&
		lines $fair '$3 == "ack" && $29 ~ "^0[|][1-9]" && $9' ">=" 3000 &&
		lines two/hpccpp '$3 == "ack" && $9 && !$6' ">=" 500 &&
		lines two/hpccpp:preset=rx '$3 == "decision" && $27' ">=" 50 &&
		lines two/hpccpp:preset=rx '$3 == "data" && $30 == "read_response" && $31' ">=" 500
}

same_bytes() {
	LAB_DIR=$LAB_OUT/again lab_run "${incast[@]}" --cc dcqcn --events &&
		cmp "$(events_of incast/dcqcn)" "$LAB_OUT/again/incast/dcqcn/seed1/events.csv"
}

# as_recorded FILE ALGORITHM
as_recorded() {
	replay "$1" --cc "$2" && grep -q "^all as recorded" "$LAB_OUT/say" && return
	cat "$LAB_OUT/say"
	return 1
}

identical() {
	local f=$1
	as_recorded "$f" "$2" || return 1
	[ "$(decisions "$LAB_OUT/out.csv" | wc -l)" -ge 100 ] && same_decisions "$f"
}

# Most of its virtual time is waiting for timeouts: no need to sample that every 10 us.
# All four flows start again at the same ns each time, so how many packets a round
# brings home, and whether it takes one second or three, hangs on single ns.
identical_losses() {
	local f=$LAB_OUT/losses/incast/dcqcn/seed1/events.csv
	LAB_DIR=$LAB_OUT/losses lab_run "${incast[@]}" --cc dcqcn --set buffer=60kb --events \
		--set sample=1ms --set limit=10s --param rpg_ai_rate=5mbit --param dce_tcp_g=1019/1024 || return 1
	is "$(grep -c ',loss,' "$f")" ">=" 1 || { echo "no losses"; return 1; }
	identical "$f" dcqcn
}

# differs OPTION...: a replay that decides otherwise says so by its exit status
differs() {
	local rc=0
	replay "$@" || rc=$?
	[ "$rc" -eq 3 ] || { echo "exit status $rc"; cat "$LAB_OUT/say"; return 1; }
}

other_parameter() {
	local f
	f=$(events_of four/dcqcn)
	differs "$f" --cc dcqcn --param rpg_ai_rate=80mbit || return 1
	grep -q "^not as recorded: line" "$LAB_OUT/say" && ! same_decisions "$f" >/dev/null
}

other_algorithm() {
	differs "$(events_of four/dcqcn)" --cc fixed --param rate=3gbit --param window=20kb ||
		return 1
	decisions "$LAB_OUT/out.csv" | awk -F, '$17 != 3000000000 || $18 != 20480 { bad++ }
		END { exit bad || NR < 100 }'
}

# One CNP per period for one flow. With the paper's preset the alpha timer is set
# 55 us after the first cut; in this file nothing says when timers went off.
foreign() {
	cat >"$LAB_OUT/foreign.csv" <<-'F'
	# made by hand
	# line_rate_bps=25gbit
	# int_tx_bits=20
	t_ns,flow,event,rtt_ns,hops
	1000,a,ack,9000,1:5000:1048000:0:25000000000:2|2:5100:12:900:25000000000
	2000,a,cnp,,
	60000,b,ack,8000,1:6000:24:0:25000000000
	500000,a,ack,9000,
	F
	replay "$LAB_OUT/foreign.csv" --cc dcqcn || { cat "$LAB_OUT/say"; return 1; }
	# init of both at the line rate, the cut at once to a half, its timers by themselves
	decisions "$LAB_OUT/out.csv" | awk -F, '
		$16 == "init" && $17 == 25000000000 { init++ }
		$16 == "cnp" && $1 == 2000 && $17 == 12500000000 { cut++ }
		$16 == "timer" && $1 == 57000 && $2 == "a" { timer++ }
		$16 == "timer" { timers++ }
		$2 == "b" && $17 != 25000000000 { bad++ }
		END { exit !(init == 2 && cut == 1 && timer == 1 && timers >= 5 && !bad) }' ||
		{ decisions "$LAB_OUT/out.csv" | head; return 1; }
	# the command line goes before the file
	replay "$LAB_OUT/foreign.csv" --cc dcqcn --line-rate 40gbit --rate 7gbit || return 1
	decisions "$LAB_OUT/out.csv" |
		awk -F, '$16 == "init" && $17 == 7000000000 { n++ } END { exit n != 2 }'
}

# Preset ns3 decides as that simulator does. g is 1/256, alpha has a period of 1 us, cuts
# one of 4 us, increases one of 300 us. The first cut is 4 us and 1 ns after the first
# CNP, after the fourth update of alpha: .984466. 300 us later an increase and a cut are
# due together: the rate goes half way back to the line, alpha has had 303 updates
# without a CNP and one with, then comes the cut. With the paper's order alpha has had
# three updates at the first cut, .988327, and there is no increase.
foreign_dcqcn() {
	local order
	cat >"$LAB_OUT/foreign.csv" <<-'F'
	# line_rate_bps=10gbit
	t_ns,flow,event
	1000,a,cnp
	304500,a,cnp
	310000,a,ack
	F
	for order in 1 0; do
		replay "$LAB_OUT/foreign.csv" --cc dcqcn --preset ns3 --param cut_last=$order ||
			{ cat "$LAB_OUT/say"; return 1; }
		[ $order = 0 ] || cp "$LAB_OUT/out.csv" "$LAB_OUT/last.csv"
		decisions "$LAB_OUT/out.csv" | awk -F, -v last=$order '
			function near(a, b) { return a > b - 2 && a < b + 2 }
			BEGIN {
				keep = 255 / 256
				alpha1 = keep ^ (last ? 4 : 3)
				first = 1e10 * (1 - alpha1 / 2)
				alpha2 = last ? keep ^ 304 + 1 / 256 : keep ^ 303
				second = (last ? (first + 1e10) / 2 : first) * (1 - alpha2 / 2)
			}
			$16 == "timer" && $1 == 5000 + last { ok += near($17, first) }
			$16 == "timer" && $1 == 305000 + last { ok += near($17, second) }
			$16 == "timer" { timers++ }
			END { exit timers != 2 || ok != 2 }' ||
			{ echo "cut_last=$order"; decisions "$LAB_OUT/out.csv"; return 1; }
	done
	replay "$LAB_OUT/foreign.csv" --cc dcqcn --preset ns3 || return 1
	cmp "$LAB_OUT/out.csv" "$LAB_OUT/last.csv"
}

# hpcc takes differences: counters of 20 bits, which wrap every millisecond and
# megabyte, say the same as whole ones.
narrow_counters() {
	local f=$LAB_OUT/narrow.csv wraps
	# a time has more digits than a double
	awk -F, -v OFS=, 'BEGIN { print "# int_ts_bits=20\n# int_tx_bits=20" }
		function low(t,   hi, lo) {
			hi = substr(t, 1, length(t) - 9)
			lo = substr(t, length(t) - 8)
			return (hi % 2^20 * 10^9 + lo) % 2^20
		}
		$3 == "ack" && $9 {
			n = split($9, hop, "|")
			for (i = 1; i <= n; i++) {
				split(hop[i], v, ":")
				hop[i] = v[1] ":" low(v[2]) ":" v[3] % 2^20 ":" v[4] ":" v[5] (v[6] ? ":" v[6] : "")
				$9 = (i > 1 ? $9 "|" : "") hop[i]
			}
		}
		{ print }' "$(events_of incast/hpcc)" >"$f"
	# of the switch, as the first flow sees them
	wraps=$(awk -F'[,|]' '$3 == "ack" && $2 == "0" && $10 {
		split($10, v, ":"); ts += v[2] < last_ts; tx += v[3] < last_tx
		last_ts = v[2]; last_tx = v[3] } END { print ts < tx ? ts : tx }' "$f")
	is "$wraps" ">=" 2 && as_recorded "$f" hpcc
}

# An older recording: PSNs, which come round in the middle of every flow.
psns() {
	local f=$LAB_OUT/psns.csv
	awk -F, -v OFS=, '
		function wrapped(seq) { return (seq - base[$2] + 2^24 - 50) % 2^24 }
		$4 == "seq" { $4 = "psn"; $5 = "next_psn" }
		/^[^#t]/ && $5 != "" {
			if (!($2 in base)) base[$2] = $5
			$4 = wrapped($4)
			$5 = wrapped($5)
			if (last[$2] > $5) wraps++
			last[$2] = $5
		}
		{ print }
		END { for (f in base) flows++; exit !flows || wraps < flows }' "$(events_of incast/hpcc)" >"$f" || return 1
	as_recorded "$f" hpcc
}

# --columns has a line for each column that a recording has, and one for each meaning.
columns() {
	local f
	f=$(events_of incast/dcqcn)
	"$LAB" replay --columns >"$LAB_OUT/columns" || return 1
	grep -m 1 '^t_ns,' "$f" | tr , '\n' >"$LAB_OUT/names"
	[ "$(wc -l <"$LAB_OUT/names")" -ge 50 ] || return 1
	# behind them the two that are only read
	awk 'NR % 2 { print $1 }' "$LAB_OUT/columns" | diff "$LAB_OUT/names" - | grep -v '^[0-9]' |
		diff - <(printf '> %s\n' window_bytes senders) &&
		! grep -q '^ *$' "$LAB_OUT/columns"
}

# Files of before there were receivers' reports have fewer columns.
fewer_columns() {
	cut -d, -f1-25 "$(events_of incast/dcqcn)" >"$LAB_OUT/old.csv" &&
		head -n 40 "$LAB_OUT/old.csv" | grep -q ',port$' && as_recorded "$LAB_OUT/old.csv" dcqcn
}

# What receivers and switches tell gets through; with every bit of it. A window and a
# number of senders, of older recordings, are the first two values.
told() {
	cat >"$LAB_OUT/told.csv" <<-'F'
	# line_rate_bps=25gbit
	t_ns,flow,event,window_bytes,senders,partial,hops,told,kind,msg_bytes,late_ns
	10,a,ack,18446744073709551615,4294967295,1,7:1:2:3:25000000000,,,,
	11,a,ack,,,,,1|0|18446744073709551615|4,,,
	12,a,ack,,,,,,,,
	13,a,data,,,,7:1:2:3:25000000000,,read_response,4294967295,13
	14,a,fill,,,,,,,,
	15,a,shared,,,,,,,,
	16,a,port,,,,,,,,
	F
	"$LAB" replay --check --in "$LAB_OUT/told.csv" --out "$LAB_OUT/check.csv" || return 1
	awk -F, '$3 != "init" && /^[0-9]/ { print $3, $9, $29, $26, $30, $31, $32 }' "$LAB_OUT/check.csv" |
		diff - <(printf '%s\n' \
			"ack 7:1:2:3:25000000000 18446744073709551615|4294967295 1   " \
			"ack  1|0|18446744073709551615|4    " "ack      " \
			"data 7:1:2:3:25000000000   read_response 4294967295 13" \
			"fill      " "shared      " "port      ")
}

# Times and lengths of paths, who made a CNP, what the port says of clocks.
ways() {
	cat >"$LAB_OUT/ways.csv" <<-'F'
	# line_rate_bps=25gbit
	t_ns,flow,event,rtt_ns,turnaround_ns,owd_ns,owd_over_ns,path_hops,cnp_origin,rtt_window_ns,clock_common
	9,a,init,,,,,,,5000000,1
	10,a,ack,2000,100,1000,0,3,,,
	11,a,ack,2000,,,9223372036854775807,255,,,
	12,a,ack,2000,,,,,,,
	13,a,data,,,900,20,2,,,
	14,a,cnp,,,,,,lscc,,
	15,a,cnp,,,,,,,,
	16,a,env,,,,,,,,
	F
	"$LAB" replay --check --in "$LAB_OUT/ways.csv" --out "$LAB_OUT/check.csv" || return 1
	awk -F, '/^[0-9]/ { print $3, $34, $35, $36, $37, $38, $39, $40 }' "$LAB_OUT/check.csv" |
		diff - <(printf '%s\n' "init      5000000 1" "ack 100 1000 0 3   " \
			"ack   9223372036854775807 255   " "ack       " "data  900 20 2   " \
			"cnp     lscc  " "cnp     receiver  " "env      5000000 ")
}

# The smallest round trip has the receiver's turnaround in it, which is told apart: 8 us,
# of which nothing or half is the receiver's. hpcc takes it for T, and looks at no other.
turnaround() {
	local t
	for t in '8000,' '4000,4000'; do
		cat >"$LAB_OUT/turn.csv" <<-F
		# line_rate_bps=25gbit
		t_ns,flow,event,seq,next_seq,bytes,hops,rtt_ns,turnaround_ns
		8100,f,ack,0,40,1106,3:4100:0:0:25000000000,$t
		12100,f,ack,1,41,1106,3:8100:9000:4000:25000000000,$t
		16100,f,ack,50,90,1106,3:12100:19000:4000:25000000000,$t
		F
		replay "$LAB_OUT/turn.csv" --cc hpcc || { cat "$LAB_OUT/say"; return 1; }
		decisions "$LAB_OUT/out.csv" >"$LAB_OUT/turn.${t%%,*}"
	done
	# T x 25 Gbit/s
	grep -q ',ack,25000000000,25000,' "$LAB_OUT/turn.8000" &&
		diff "$LAB_OUT/turn.8000" "$LAB_OUT/turn.4000"
}

# paths FABRIC HPCC TIMELY: ports on the path over two switches, for all ACKs that tell; and
# the same decisions again.
paths() {
	local cc want run
	LAB_DIR=$LAB_OUT/on lab_run dumbbell --set n=1 --set rate=10gbit --set size=500kb \
		--set fabric="$1" --cc hpcc,timely --events --force || return 1
	for cc in hpcc timely; do
		run=dumbbell/$cc
		[ "$cc" = hpcc ] && want=$2 || want=$3
		lines "$run" '$3 == "ack" && $37' ">=" 20 &&
			lines "$run" '$3 == "ack" && $37 && $37 != '"$want" == 0 &&
			lines "$run" '$3 == "ack" && $35 && $36 != ""' ">=" 20 &&
			lines "$run" '$3 == "ack" && $35 && $35 < 3000' == 0 &&
			as_recorded "$(events_of "$run")" "$cc" || return
	done
}

# By hand: 24375 bytes in 8 us of 25 Gbit/s, counters wrapping: U = 0.975 over one T of
# 8 us. R = R0 x 0.95 / 0.975 + 12.5 Mbit/s (5 % of the line for 100 flows), whatever
# it starts with; a window of 14 KB is 14.336 Gbit/s. Fixed point is good for 1e-6.
foreign_hpcc() {
	local cc start options
	cat >"$LAB_OUT/foreign.csv" <<-'F'
	# line_rate_bps=25gbit
	# int_tx_bits=20
	# int_ts_bits=24
	t_ns,flow,event,psn,next_psn,bytes,rtt_ns,hops
	8100,a,ack,0,40,1106,8100,3:16777000:1048000:0:25000000000
	16100,a,ack,40,80,1106,8100,3:7784:23799:0:25000000000
	F
	for cc in hpcc hpccpp; do
		for start in "7e9 --rate 7gbit" "14.336e9 --cwnd 14kb" "25e9"; do
			read -ra options <<<"$start"
			replay "$LAB_OUT/foreign.csv" --cc $cc --base-rtt 8us "${options[@]:1}" ||
				{ cat "$LAB_OUT/say"; return 1; }
			decisions "$LAB_OUT/out.csv" | awk -F, -v r0="${options[0]}" '
				function near(a, b) { return a > b * 0.999999 && a < b * 1.000001 }
				{ r = NR < 3 ? r0 : r0 * 0.95 / 0.975 + 12.5e6
				  ok += near($17, r) && $18 >= r / 1e6 - 1 && $18 <= r / 1e6 + 1 }
				END { exit NR != 3 || ok != 3 }' ||
				{ echo "$cc $start"; decisions "$LAB_OUT/out.csv"; return 1; }
		done
	done
}

# tree_with SCRIPT: a checkout whose flowgen runs the script beside itself. It gives
# commands while flows send.
tree_with() {
	local build t=$LAB_OUT/tree bin
	build=$(realpath "$RXE_CC_BUILD")
	bin=$t/build/bin
	rm -rf "$t" && mkdir -p "$bin" && cp "$build/bin/lab" "$bin/lab" &&
		ln -s "$build/bin/labinit" "$bin/" && ln -s "$build"/uml-* "$build/tc" "$t/build/" &&
		ln -s "$build/../tools" "$t/tools" || return 1
	cat >"$bin/flowgen" <<-END
		#!/bin/bash
		rxecc=$build/bin/rxecc
		{ $1
		} >"$LAB_OUT/commands" 2>&1 </dev/null &
		exec $build/bin/flowgen "\$@"
	END
	chmod +x "$bin/flowgen"
}

# record_commands NAME ALGORITHM: with commands of the script of tree_with
record_commands() {
	local debug=()
	[ "${VARIANT:-lab}" = lab ] || debug=(--debug)
	"$LAB_OUT/tree/build/bin/lab" run two "${debug[@]}" --set rate=1gbit --set size=4mb --cc "$2" \
		--events --out "$LAB_OUT/$1" >"$LAB_OUT/say" 2>&1 </dev/null && return
	tail -n 20 "$LAB_OUT/say"
	return 1
}

# Traffic begins at 60 s and takes 34 ms for 4 MB at 1 Gbit/s. The loop gives commands
# every 3 ms as long as there are queue pairs: at least 5 while packets are under way.
# shellcheck disable=SC2016 # a script
during='
	until [ "$($rxecc -j qp show dev rxe_h0 | jq length)" -ge 1 ]; do sleep 0.01; done
	qpn=$($rxecc -j qp show dev rxe_h0 | jq -r ".[0].qpn")
	read -r up _ </proc/uptime
	sleep $((59 - ${up%.*}))
	until read -r up _ </proc/uptime && [ "${up%.*}" -ge 60 ]; do sleep 0.002; done
	for i in {1..10}; do give || break; sleep 0.003; done'

# All that a command does to a flow, and all that it says, comes again.
commands_template() {
	local f=$LAB_OUT/cmd/two/template/seed1/events.csv
	tree_with 'give() { $rxecc qp cmd rxe_h0 $qpn rate bps=$((i * 90))mbit; }'"$during" &&
		record_commands cmd template || return 1
	is "$(awk -F, '$3 == "cmd" && $45 == "qp" && $46 == "rate" && $47 ~ "^bps=[1-9]" &&
		$49 ~ "^was_bps="' "$f" | wc -l)" ">=" 5 ||
		{ cat "$LAB_OUT/commands"; grep -a ,cmd, "$f"; return 1; }
	# a decision after each, with the rate that it asked for
	awk -F, '$3 == "cmd" { want = substr($47, 5) }
		$3 == "decision" && $16 == "cmd" && $17 != want { bad++ }
		$3 == "decision" && $16 == "port" { bad++ }
		$3 == "cmd" { n++ } $16 == "cmd" { n-- } END { exit bad || n }' "$f" ||
		{ grep -a ,cmd, "$f"; return 1; }
	as_recorded "$f" template && same_decisions "$f"
}

# Of each scope, a port's before there is a flow; with one that is refused: a quota of
# 1 MB is used up by the third.
commands_testalg() {
	local f=$LAB_OUT/cmd/two/testalg/seed1/events.csv row
	tree_with '
		$rxecc dev cmd rxe_h0 forget
		give() {
			$rxecc qp cmd rxe_h0 $qpn window bytes=$((100 + i))kb
			$rxecc dev cmd rxe_h0 peer 10.0.0.2 announce bytes=200kb flows=2
			[ $i != 5 ] || $rxecc dev cmd rxe_h0 forget
		}
		'"$during" && record_commands cmd testalg || return 1
	for row in 'qp,window,$4 == "" && $49 ~ "^was_bytes="' \
		   'peer,announce,$33 && $25 == "rxe_h0" && $47 == "bytes=204800|flows=2" && $49 ~ "peer_bytes="' \
		   'peer,announce,$48 == 122 && $49 == ""' \
		   'port,forget,$25 == "rxe_h0" && $49 == "was_bytes=0"' \
		   'port,forget,$25 == "rxe_h0" && $49 ~ "^was_bytes=[1-9]"'; do
		is "$(awk -F, '$3 == "cmd" && $45 == "'"${row%%,*}"'" && '"${row#*,*,}" "$f" |
			grep -c ",$(cut -d, -f2 <<<"$row"),")" ">=" 1 ||
			{ echo "$row"; cat "$LAB_OUT/commands"; grep -a ,cmd, "$f"; return 1; }
	done
	as_recorded "$f" testalg && same_decisions "$f" &&
		diff <(grep -a ,cmd, "$f") <(grep -a ,cmd, "$LAB_OUT/out.csv") &&
		"$LAB" replay --check --in "$f" --out "$LAB_OUT/check.csv" &&
		cmp <(grep -v ,decision, "$f") "$LAB_OUT/check.csv"
}

# An answer is compared as a decision is, and a command that is no longer what it was
# is refused. Another algorithm gets none.
commands_changed() {
	local f=$LAB_OUT/cmd/two/testalg/seed1/events.csv g=$LAB_OUT/changed.csv
	sed '0,/peer_bytes=[0-9]*/s//peer_bytes=7/' "$f" >"$g"
	differs "$g" --cc testalg || return 1
	# a command less: the second announcement finds another sum
	awk -F, '!($3 == "cmd" && $46 == "announce" && !n++)' "$f" >"$g"
	differs "$g" --cc testalg &&
		sed 's/,bytes=\([0-9]*\)|flows=/,octets=\1|flows=/' "$f" | refuse "octets: no such argument" --cc testalg &&
		sed 's/,announce,/,announced,/' "$f" | refuse "announced: no such command" --cc testalg &&
		sed 's/|flows=2,/|flows=1001,/' "$f" | refuse "flows: argument out of range" --cc testalg &&
		sed 's/,port,forget,/,peer,forget,/' "$f" | refuse "forget: a command for something else" --cc testalg ||
		return 1
	# what the algorithm got is in the file, not in how
	differs "$f" --cc fixed && ! grep -q "[0-9],rxe_h0,cmd,\|[0-9],0,cmd," "$LAB_OUT/out.csv"
}

# A recording, read and written again without its decisions, is the same file.
read_and_written() {
	local f
	f=$(events_of incast/dcqcn)
	"$LAB" replay --check --in "$f" --out "$LAB_OUT/check.csv" &&
		cmp <(grep -v ,decision, "$f") "$LAB_OUT/check.csv"
}

# Counters of 24 and 20 bits wrap, in units of 80 and 100 bytes; one goes back a little.
int_counters() {
	cat >"$LAB_OUT/int.csv" <<-'F'
	# line_rate_bps=25gbit
	# int_ts_bits=24
	# int_tx_bits=20
	# int_tx_unit=100
	flow,t_ns,hops,event
	a,1,7:16777000:1048000:3:400000000000,ack
	b,2,7:100:50:0:400000000000|8:9:9:9:25000000000:65535,ack
	a,3,7:500:24:2:400000000000,ack
	a,4,7:400:20:2:400000000000:1,ack
	a,5,7:400:20:2:400000000000,ack
	F
	cat >"$LAB_OUT/int.want" <<-'F'
	a 7:16777000:104800000:240:400000000000
	b 7:100:5000:0:400000000000|8:9:900:720:25000000000:65535
	a 7:16777716:104860000:160:400000000000
	a 7:400:2000:160:400000000000:1
	a 7:16777616:104859600:160:400000000000
	F
	"$LAB" replay --check --int-qlen-unit 80 --in "$LAB_OUT/int.csv" --out "$LAB_OUT/check.csv" ||
		return 1
	awk -F, '$3 == "ack" { print $2, $9 }' "$LAB_OUT/check.csv" | diff - "$LAB_OUT/int.want"
}

# refuse TEXT OPTION...: standard input is the file; nothing is written
refuse() {
	local text=$1 rc=0
	shift
	cat >"$LAB_OUT/bad.csv"
	replay "$LAB_OUT/bad.csv" "$@" || rc=$?
	if [ $rc -ne 2 ] || [ "$(wc -l <"$LAB_OUT/say")" -ne 1 ] ||
	   [ -e "$LAB_OUT/out.csv" ] || ! grep -qF -- "$text" "$LAB_OUT/say"; then
		echo "exit status $rc, expected: $text; got:"
		cat "$LAB_OUT/say"
		return 1
	fi
}

bad_rows() {
	local head='# line_rate_bps=10gbit\nt_ns,flow,event,psn,rtt_ns,ce,hops\n'
	# text of the message|rows, both with ~ for a bar
	while IFS='|' read -r text rows; do
		text=${text//\~/|}
		# shellcheck disable=SC2059 # the rows have \n in them
		printf "$head${rows//\~/|}\n" | refuse "bad.csv:$text" --cc dcqcn || return 1
	done <<-'T'
	3: column t_ns: "x": not a whole number|x,a,ack,1,,,
	3: column t_ns: "-5": before the start|-5,a,ack,1,,,
	4: column t_ns: "99": time goes back|100,a,ack,1,,,\n99,a,ack,2,,,
	3: column flow: "": not a name|1,,ack,1,,,
	3: column event: "akc": not a word|1,a,akc,1,,,
	3: column psn: "4294967296": too large|1,a,ack,4294967296,,,
	3: column rtt_ns: "-1": not a whole number|1,a,ack,1,-1,,
	3: column rtt_ns: "18446744073709551616": not a|1,a,ack,1,18446744073709551616,,
	3: column ce: "2": too large|1,a,data,1,,2,
	3: column hops: "1:2:3:4": a hop has five or six|1,a,ack,1,,,1:2:3:4
	3: column hops: "1:2:3:4:5~": not node:|1,a,ack,1,,,1:2:3:4:5~
	3: column hops: "1:2:3:4:5:6:7": not node:|1,a,ack,1,,,1:2:3:4:5:6:7
	3: 6 columns, the heading has 7|1,a,ack,1,,
	T
}

bad_files() {
	refuse "no line rate" --cc dcqcn <<<$'t_ns,flow,event\n1,a,ack' &&
		refuse 'unknown column "rtt_n", did you mean "rtt_ns"' --cc dcqcn \
			<<<'t_ns,flow,event,rtt_n' &&
		refuse "bad.csv:1: no column event" --cc dcqcn <<<'t_ns,flow' &&
		refuse "column flow stands there twice" --cc dcqcn <<<'t_ns,flow,flow' &&
		refuse "no events" --cc dcqcn --line-rate 1gbit <<<'t_ns,flow,event' &&
		refuse "no line with the names" --cc dcqcn </dev/null &&
		refuse "1 to 64" --cc dcqcn <<<$'# int_ts_bits=65\nt_ns,flow,event\n1,a,ack'
}

bad_arguments() {
	local file=$'# line_rate_bps=10gbit\nt_ns,flow,event\n1,a,ack'
	refuse 'unknown algorithm "dcqcm", did you mean "dcqcn"' --cc dcqcm <<<"$file" &&
		refuse "decides nothing" --cc none <<<"$file" &&
		refuse "rpg_ai: no such parameter, did you mean" --cc dcqcn --param rpg_ai=1 <<<"$file" &&
		refuse '"hpcc" is not in --cc' --cc dcqcn --param hpcc.eta=1 <<<"$file" &&
		refuse "rpg_gd=99: not in " --cc dcqcn --param rpg_gd=99 <<<"$file" &&
		refuse "no preset \"x\"; it has" --cc dcqcn --preset x <<<"$file" &&
		refuse "--line-rate 5us: not a rate" --cc dcqcn --line-rate 5us <<<"$file" &&
		refuse "--pkt 0: not a size from 1b to 128kb" --cc dcqcn --pkt 0 <<<"$file" || return 1
	! "$LAB" replay --cc dcqcn --out "$LAB_OUT/x" >"$LAB_OUT/say" 2>&1 || return 1
	grep -q -- "--in FILE is missing" "$LAB_OUT/say"
}

# The file itself, a symbolic and a hard link to it: refused, and it is still there.
own_input() {
	local file=$'# line_rate_bps=10gbit\nt_ns,flow,event\n1,a,ack' d=$LAB_OUT/own name rc check
	mkdir -p "$d" && echo "$file" >"$d/in.csv" && ln -s in.csv "$d/soft.csv" &&
		ln "$d/in.csv" "$d/hard.csv" || return 1
	for name in in.csv soft.csv hard.csv ../own/in.csv; do
		for check in "" --check; do
			rc=0
			"$LAB" replay --cc dcqcn $check --in "$d/in.csv" --out "$d/$name" \
				>"$LAB_OUT/say" 2>&1 || rc=$?
			[ "$rc" -eq 2 ] && grep -q -- "--out $d/$name: that is the file of --in" "$LAB_OUT/say" ||
				{ echo "$name $check: exit status $rc"; cat "$LAB_OUT/say"; return 1; }
		done
	done
	[ -L "$d/soft.csv" ] && [ "$(cat "$d/in.csv")" = "$file" ] && [ "$(cat "$d/hard.csv")" = "$file" ]
}

# A buffer of 1 MB for 5 MB of events, and the first sample after the start comes too late
lost_events() {
	if LAB_DIR=$LAB_OUT/lost lab_run two --cc dcqcn --set size=20mb --set sample=100ms \
		--events-mb 1 >"$LAB_OUT/say"; then
		echo "a run that lost events succeeded"
		return 1
	fi
	grep -q "events were lost" "$LAB_OUT/say" || { cat "$LAB_OUT/say"; return 1; }
}

stale_events() {
	local f=$LAB_OUT/again/incast/dcqcn/seed1/events.csv
	[ -e "$f" ] && LAB_DIR=$LAB_OUT/again lab_run "${incast[@]}" --cc dcqcn && [ ! -e "$f" ]
}

ktap_print_header
ktap_check "recording changes no other result" nothing_else_changes
ktap_check "all kinds of events are recorded" all_kinds
ktap_check "the same run twice: the same events to the byte" same_bytes
ktap_check "a run without recording leaves no events.csv of an older one" stale_events
for r in "${runs[@]}"; do
	a=${r#*/}
	ktap_check "$r: replay decides the same" identical "$(events_of "$r")" "${a%%:*}"
done
ktap_check "losses, other parameters: replay decides the same" identical_losses
ktap_check "replay with another parameter decides otherwise" other_parameter
ktap_check "replay with another algorithm" other_algorithm
ktap_check "a file made by hand: hops, no timers, values of the command line" foreign
ktap_check "a cut, alpha and an increase due together, as in a public simulator: dcqcn" foreign_dcqcn
ktap_check "T, window and rate given, counters that wrap: hpcc and hpccpp" foreign_hpcc
ktap_check "counters that wrap: hpcc decides the same" narrow_counters
ktap_check "PSNs that come round: hpcc decides the same" psns
ktap_check "a file with fewer columns" fewer_columns
ktap_check "--columns: all that recordings have" columns
ktap_check "what receivers and switches tell" told
ktap_check "times and lengths of paths" ways
ktap_check "the receiver's turnaround is part of the smallest round trip" turnaround
# Over bridges only telemetry counts; over routers the TTL does.
ktap_check "two bridges: three ports by telemetry, one without" paths bridge 3 1
ktap_check "two routers: three ports, telemetry or not" paths router 3 3
ktap_check "the events are not overwritten: --out may not be --in" own_input
ktap_check "commands to a flow: replay decides the same" commands_template
ktap_check "commands to a flow, a peer and a port: the same answers again" commands_testalg
ktap_check "another answer, a command less, another table of commands" commands_changed
ktap_check "a recording read and written again is the same" read_and_written
ktap_check "INT counters that wrap, in units" int_counters
ktap_check "bad rows: file, line, column, reason; nothing written" bad_rows
ktap_check "bad files" bad_files
ktap_check "bad arguments" bad_arguments
ktap_check "lost events fail the run" lost_events
ktap_finished
