#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab exec` and `programs` of a scenario: output, exit status, times and results of the network; what
#   crashes, forks, never ends, prints without end or is not there; nothing is left behind; latency that
#   perftest measures, alone and beside an incast
. "$(dirname "$0")/../lib/lab_lib.sh"

# Seconds of wall time after which a run counts as hanging.
HANGS=120

# in_lab WORD...: lab exec with these, output and messages in files of $LAB_OUT; its status
in_lab() {
	rm -rf "$LAB_OUT/r"
	mkdir -p "$LAB_OUT/tmp"
	TMPDIR=$LAB_OUT/tmp timeout -k 10 $HANGS "$LAB" exec --out "$LAB_OUT/r" -q --mem 256 "$@" \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err"
}

# want STATUS WORD...: the exit status, and that nothing is left behind
want() {
	local rc=0 status=$1
	shift
	in_lab "$@" || rc=$?
	[ "$rc" -eq "$status" ] || { echo "exit status $rc, not $status"; cat "$LAB_OUT/err"; return 1; }
	nothing_left "$LAB_OUT/n" || return 1
}

# result FILTER [CC [SCENARIO]]: of summary.json, is it true?
result() {
	local f=$LAB_OUT/r/${3:-two}/${2:-none}/seed1/summary.json
	jq -e "$1" "$f" >/dev/null || { echo "not so: $1"; jq '.programs' "$f"; return 1; }
}

# Output of both streams to the user and to a file; nothing else on stdout.
output() {
	want 7 two -- sh -c 'echo there; echo wrong >&2; pwd; exit 7' || return 1
	printf 'there\nwrong\n%s\n' "$PWD" | cmp - "$LAB_OUT/out" &&
		cmp "$LAB_OUT/out" "$LAB_OUT/r/two/none/seed1/program0.txt" &&
		result '.programs == [.programs[0]] and .programs[0].exit_status == 7 and .programs[0].host == "h0"' &&
		grep -q "status 7  *sh -c" "$LAB_OUT/err"
}

# A sleep of 2 s takes that of the lab's time and next to none of ours, and the same again. The
# start of a program and each look at the clock cost some ns.
its_time() {
	want 0 two -- sleep 2 && result '.programs[0] | .end_ns - .start_ns | . >= 2e9 and . < 2e9 + 1e3' || return 1
	cp -r "$LAB_OUT/r" "$LAB_OUT/first" && want 0 two -- sleep 2 &&
		diff -r -x run.json "$LAB_OUT/first" "$LAB_OUT/r"
}

# The host is a machine of its own: its address, and the other's by the network.
on_host() {
	want 0 two --on h1 -- ip -4 -o addr show dev eth0 && grep -q "inet 10.0.0.2/" "$LAB_OUT/out" &&
		want 0 two -- ls -d /sys/class/net/eth0 /sys/class/infiniband/rxe_h0 &&
		want 2 two --on h7 -- true && grep -q 'no host "h7" for a program; there are 2: h0 to h1' "$LAB_OUT/err"
}

# Verbs programs on two hosts, which connect by rdma_cm or by TCP through the network. 1000 round
# trips of 4 KiB at an MTU of 1024: 4 packets there and back.
cat >"$LAB_OUT/pair.json" <<-END
	{ "name": "pair",
	  "keys": [ { "name": "trips", "unit": "count", "default": "20", "help": "round trips" } ],
	  "hosts": [ { "name": "h0" }, { "name": "h1" } ], "switches": [ { "name": "sw" } ],
	  "links": [ { "a": "h0", "b": "sw" }, { "a": "h1", "b": "sw" } ],
	  "flows": [ { "src": "h0", "dst": "h1", "bytes": "1000000" } ],
	  "programs": [
	    { "host": "h1", "command": "rping -s -a 10.0.0.2 -P", "wait": false },
	    { "host": "h1", "command": "ibv_rc_pingpong -e -d rxe_h1 -g 1 -n {trips}" },
	    { "host": "h0", "command": "rping -c -a 10.0.0.2 -C {trips}", "start": "50000" },
	    { "host": "h0", "command": "ibv_rc_pingpong -e -d rxe_h0 -g 1 -n {trips} 10.0.0.2", "start": "200000" } ] }
END

# pair OPTION...: that scenario by lab run
pair() {
	rm -rf "$LAB_OUT/r"
	timeout -k 10 $HANGS "$LAB" run "$LAB_OUT/pair.json" --out "$LAB_OUT/r" -q "$@" \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
}

# 20 trips of a 4 KiB message each way, as both ends send as many bytes as they receive.
beside_flows() {
	local d=$LAB_OUT/r/pair/dcqcn/seed1
	pair --cc none,dcqcn && cat "$LAB_OUT/out" || return 1
	result '.flows.completed == 1 and (.programs | length) == 4' dcqcn pair &&
		result '.programs[0].stopped and (.programs[1:] | all(.exit_status == 0))' dcqcn pair &&
		result '.programs[2].start_ns >= 50000 and .programs[3].start_ns >= 200000' dcqcn pair || return 1
	grep -q "20 iters" "$d/program3.txt" || { cat "$d/program3.txt"; return 1; }
	# Of the last queue pair: the pings alone.
	awk -F, 'NR > 1 && $2 == "rxe_h0" { n[$3] = $8 } END { for (q in n) if (n[q] >= 80) found = 1; exit !found }' \
		"$d/program_qps.csv" || { cat "$d/program_qps.csv"; return 1; }
}

same_twice() {
	pair --cc dcqcn && cp -r "$LAB_OUT/r" "$LAB_OUT/pair1" && pair --cc dcqcn &&
		diff -r -x run.json "$LAB_OUT/pair1" "$LAB_OUT/r"
}

failing_program() {
	jq '.programs = [{ "host": "h0", "command": "exit 3" }] | .name = "fails"' "$LAB_OUT/pair.json" >"$LAB_OUT/fails.json"
	! timeout -k 10 $HANGS "$LAB" run "$LAB_OUT/fails.json" --out "$LAB_OUT/r" -q >"$LAB_OUT/out" 2>"$LAB_OUT/err" &&
		grep -q 'on h0: "exit 3": exit status 3, see' "$LAB_OUT/err"
}

not_there() {
	want 127 two -- no-such-program && grep -q "no-such-program: No such file" "$LAB_OUT/err"
}

crash() { want 139 two -- sh -c 'kill -SEGV $$' && result '.programs[0].signal == 11'; }

# Of a program that forks the first process counts; what it leaves is ended, and said.
forks() {
	want 0 two -- sh -c 'sleep 1000 & sleep 0.001' && result '.programs[0].left_processes' &&
		result '.programs[0].end_ns < 2e9'
}

# Its own end is what the limit of the lab's time is for. It may ignore the first signal.
never_ends() {
	want 1 two --set limit=5ms -- sh -c 'trap "" TERM; sleep 1000; sleep 1000' || return 1
	grep -q 'on h0: "sh -c trap .* (process [0-9]*) did not end within 5000000 ns (--set limit)' "$LAB_OUT/err" &&
		result '.programs[0].stopped and .programs[0].signal == 9'
}

# A program that counts while it spins stops the lab's time, and after 10 s of ours it is named. One
# that does not count waits for an event instead. The lab kernel's timer stops it now and then, which
# is no system call.
spins() {
	want 1 two --timeout 12 -- sh -c 'i=0; while :; do i=$((i + 1)); done' &&
		grep -qE "time has stood still for 10 s: process [0-9]+ \(sh\) computes in user mode" "$LAB_OUT/err"
}
# The end by --timeout names it, too; in dash "kill" is a system call.
spins_with_calls() {
	want 1 two --timeout 3 -- sh -c 'while kill -0 $$; do :; done' &&
		grep -qE "process [0-9]+ \(sh\) makes system calls, and never sleeps: kill \(62\)" "$LAB_OUT/err"
}

# The bound is 16 MiB, and a read of the pipe may bring 64 KiB more.
no_end_of_output() {
	want 1 two -- yes && grep -q '"yes" was killed: it has printed more than 16 MiB' "$LAB_OUT/err" &&
		result '.programs[0].too_much_output and .programs[0].output_bytes >= 16777216 and .programs[0].output_bytes < 16777216 + 65536'
}

# Killed with messages under way: the queue pairs go, the network is there for the next program.
killed_in_message() {
	want 0 two -- sh -c 'ibv_rc_pingpong -e -d rxe_h1 -g 1 -s 1000000 & server=$!
		sleep 0.01; ibv_rc_pingpong -e -d rxe_h0 -g 1 -s 1000000 localhost & client=$!
		sleep 0.01; kill -KILL $client; sleep 0.01; kill -KILL $server; wait
		sleep 0.1; rdma resource show qp | grep -c RC' || [ $? -eq 0 ]
	[ "$(tail -n 1 "$LAB_OUT/out")" = 0 ] || { cat "$LAB_OUT/out"; return 1; }
}

# Two servers with one port: the second one says so, the first one goes on.
one_port() {
	want 0 two -- sh -c 'ibv_rc_pingpong -e -d rxe_h1 -g 1 & sleep 0.01
		ibv_rc_pingpong -e -d rxe_h1 -g 1 && exit 1
		ibv_rc_pingpong -e -d rxe_h0 -g 1 localhost' && grep -q "1000 iters" "$LAB_OUT/out"
}

# perftest and the like say only that theirs is not there.
no_device() {
	want 1 two -- ibv_rc_pingpong -d mlx5_0 && grep -q "mlx5_0 not found" "$LAB_OUT/out" &&
		grep -q 'no RDMA device "mlx5_0" in this lab; there are 2, rxe_h0 to rxe_h1' "$LAB_OUT/err"
}

bad_arguments() {
	want 2 two && grep -q "no program" "$LAB_OUT/err" && want 2 -- true &&
		want 2 incast --set n=50 -- true && grep -q "too many for" "$LAB_OUT/err" &&
		want 2 two --clock real -- true
}

# perftest's own figures. 2 bytes are padded to 4: half a round trip is two cables of 1 us and 86 bytes
# at 100 Gbit/s twice, and at most a poll of 50 ns. perftest prints hundredths of a us.
perftest_latency() {
	cat >"$LAB_OUT/lat.sh" <<-END
		ib_send_lat -d rxe_h1 -x 1 -F -n 50 >/dev/null &
		sleep 0.01
		ib_send_lat -d rxe_h0 -x 1 -F -n 50 -U 127.0.0.1
	END
	want 0 two -- sh "$LAB_OUT/lat.sh" &&
		result '.programs[0].latency | .bytes == 2 and .messages == 50 and .p50_ns >= 2013 - 5 and .p99_9_ns <= 2014 + 50 + 5' || return 1
	# A heading, and a row for each time from one message to the next.
	[ "$(wc -l <"$LAB_OUT/r/two/none/seed1/latency.csv")" = 50 ] || { head "$LAB_OUT/r/two/none/seed1/latency.csv"; return 1; }
	grep -q "^none/1  *h0  *2  *50  *2\.0" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
}

# Each message waits for the queue once, so half a round trip is half the queue's time and 2 us.
latency_beside_incast() {
	local queue p50
	rm -rf "$LAB_OUT/r"
	timeout -k 10 $HANGS "$LAB" run probe --cc none --set messages=20 --set lasts=12ms --out "$LAB_OUT/r" -q \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }
	queue=$(awk -F, '$2 == "sw-r" && $1 >= 223e6 && $1 <= 225e6 { s += $4; n++ } END { print s / n }' \
		"$LAB_OUT/r/probe/none/seed1/queues.csv")
	p50=$(jq '.programs[1].latency.p50_ns' "$LAB_OUT/r/probe/none/seed1/summary.json")
	near "$p50" "$(awk -v q="$queue" 'BEGIN { print q * 8 / 100 / 2 + 2050 }')" 0.05 || return 1
	! command -v gnuplot >/dev/null || { "$LAB" report "$LAB_OUT/r" >/dev/null &&
		grep -q "</svg>" "$LAB_OUT/r/report/probe_program_latency.svg"; }
}

# refused PROGRAMS WORDS: a scenario with this list is refused with these words
refused() {
	jq --argjson p "$1" '.programs = $p | .name = "bad"' "$LAB_OUT/pair.json" >"$LAB_OUT/bad.json"
	! timeout -k 10 $HANGS "$LAB" run "$LAB_OUT/bad.json" --out "$LAB_OUT/r" -q >"$LAB_OUT/out" 2>"$LAB_OUT/err" &&
		grep -qF "$2" "$LAB_OUT/err" || { echo "$1"; cat "$LAB_OUT/err"; return 1; }
}

bad_lists() {
	refused '[{ "host": "h0" }]' 'a program without "command"' &&
		refused '[{ "host": "hh", "command": "true" }]' 'no host "hh"' && refused '["true"]' 'no host ""' &&
		refused '{}' 'programs: not a list' &&
		refused '[{ "host": "h0", "command": "true", "start": "0-1" }]' 'start before 0' &&
		refused '[{ "for": "257", "host": "h0", "command": "true" }]' 'more than 256 programs' &&
		refused '[{ "host": "h0", "command": "echo ${HOME}" }]' '"HOME": unknown name'
}

# A signal to lab ends it, whatever the program makes of signals.
interrupted() {
	local rc=0
	TMPDIR=$LAB_OUT/tmp timeout -s INT -k 20 2 "$LAB" exec two --out "$LAB_OUT/r" --force -q -- \
		sh -c 'trap "" INT TERM HUP; while :; do :; done' >"$LAB_OUT/out" 2>"$LAB_OUT/err" || rc=$?
	[ "$rc" -eq 124 ] && grep -q interrupted "$LAB_OUT/err" && nothing_left "$LAB_OUT/n"
}

needs() { command -v rping rcopy ibv_rc_pingpong >/dev/null; }

# A file by rsockets, 1 MB at 100 Gbit/s. It goes in packets of 1024 bytes with 58 of Ethernet, IP, UDP,
# BTH and ICRC and 24 of FCS, preamble and gap. rcopy connects before (three messages of the CM, and
# what it finds out of addresses), and tells name and end (two times there and back): at most ten
# round trips of 4 us.
COPY=1000000
copied_file() {
	local least
	cat >"$LAB_OUT/copy.json" <<-END
	{ "name": "copy", "hosts": [ { "name": "h0" }, { "name": "h1" } ], "switches": [ { "name": "sw" } ],
	  "links": [ { "a": "h0", "b": "sw" }, { "a": "h1", "b": "sw" } ],
	  "programs": [
	    { "host": "h1", "command": "rcopy", "wait": false },
	    { "host": "h0", "command": "head -c $COPY /dev/urandom >/run/a && exec rcopy /run/a 10.0.0.2:/run/b", "start": "1ms" },
	    { "host": "h0", "command": "cmp /run/a /run/b && wc -c </run/b", "start": "3ms" } ] }
	END
	rm -rf "$LAB_OUT/c"
	timeout -k 10 $HANGS "$LAB" run "$LAB_OUT/copy.json" --out "$LAB_OUT/c" --set rate=100gbit -q >"$LAB_OUT/out" 2>"$LAB_OUT/err" ||
		{ cat "$LAB_OUT/err"; return 1; }
	is "$(cat "$LAB_OUT"/c/copy/none/seed1/program2.txt)" == $COPY || return 1
	least=$(awk -v n=$COPY 'BEGIN { printf "%.0f", n * (1024 + 58 + 24) / 1024 * 8 / 100 }')
	jq -e --argjson t "$least" '.programs[1] | (.end_ns - .start_ns) | . >= $t and . <= $t + 40000' \
		"$LAB_OUT/c/copy/none/seed1/summary.json" || { jq .programs "$LAB_OUT/c/copy/none/seed1/summary.json"; return 1; }
}

ktap_print_header
ktap_check "output to the user and to a file, exit status of the program" output
ktap_check "a program's time is the lab's, the same in two runs" its_time
ktap_check "a host is chosen by --on, one that is not there is named" on_host
if needs; then
	ktap_check "programs of a scenario beside its flow: verbs, rdma_cm, TCP" beside_flows
	ktap_check "the same bytes in two runs" same_twice
	ktap_check "killed in mid-message: no queue pair is left" killed_in_message
	ktap_check "two servers with one port" one_port
	ktap_check "a device that is not there: those that are, are named" no_device
	ktap_check "a file by rcopy" copied_file
else
	ktap_test_skip "verbs programs" "needs ibverbs-utils and rdmacm-utils"
fi
if command -v ib_send_lat >/dev/null; then
	ktap_check "latency that perftest has measured, in the results" perftest_latency
	ktap_check "... beside an incast it is that of the queue, and there is a picture" latency_beside_incast
else
	ktap_test_skip "latency of programs" "needs perftest"
fi
ktap_check "a program of a scenario that fails, fails the run" failing_program
ktap_check "a program that is not there" not_there
ktap_check "a program that crashes" crash
ktap_check "a program that forks, and leaves processes" forks
ktap_check "a program that never ends: the limit says who, and ends it" never_ends
ktap_check "a program that spins is named" spins
ktap_check "the same of one that makes system calls" spins_with_calls
ktap_check "output without end" no_end_of_output
ktap_check "SIGINT while a program spins: nothing left behind" interrupted
ktap_check "bad arguments" bad_arguments
ktap_check "lists of programs with mistakes" bad_lists
ktap_finished
