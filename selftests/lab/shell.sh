#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab shell` on a terminal and with commands from a file; what signals leave behind: nothing
. "$(dirname "$0")/../lib/lab_lib.sh"

# Seconds of wall time after which a shell counts as hanging.
HANGS=600

# in_shell OPTION...: commands from stdin, in the topology of "two"
in_shell() {
	timeout -k 10 $HANGS "$LAB" shell two --mem 256 "$@"
}

# Both streams, nothing else, and bash's exit status.
commands() {
	local rc=0 out
	out=$(printf 'ip netns; cat nothing\nexit 7' | LC_ALL=C in_shell 2>"$LAB_OUT/err") || rc=$?
	[ "$rc" -eq 7 ] || { echo "exit status $rc"; cat "$LAB_OUT/err"; return 1; }
	[ "$out" = $'sw\nh1\nh0\ncat: nothing: No such file or directory' ] || { echo "$out"; return 1; }
	[ "$(cat "$LAB_OUT/err")" = "lab: real clock: base_rtt is measured by the hosts, not given" ] ||
		{ cat "$LAB_OUT/err"; return 1; }
}

# Commands begin where the user is, as in any shell.
here() {
	mkdir -p "$LAB_OUT/a b" && [ "$(cd "$LAB_OUT/a b" && echo pwd | in_shell 2>/dev/null)" = "$LAB_OUT/a b" ]
}

# The console is a stream of bytes: long lines, carriage returns, what looks like the
# beginning of a message of labinit's, and no newline at the end.
bytes() {
	local -r make='head -c 20000 /dev/zero | tr "\0" x; printf "@la@lab\n@l\r\n@@lab"; printf bye'
	echo "$make" | in_shell >"$LAB_OUT/out" || return 1
	cmp "$LAB_OUT/out" <(bash -c "$make")
}

# From a file and from nothing.
ends_with_input() {
	echo 'rdma link show rxe_h0/1 >/dev/null && echo there' >"$LAB_OUT/in"
	[ "$(in_shell <"$LAB_OUT/in")" = there ] && [ -z "$(in_shell </dev/null)" ]
}

wall_timeout() {
	mkdir -p "$LAB_OUT/tmp"
	echo 'echo before; sleep 1000' >"$LAB_OUT/in"
	TMPDIR=$LAB_OUT/tmp timeout -k 10 $HANGS "$LAB" shell two --mem 256 --timeout 4 <"$LAB_OUT/in" \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err"
	[ $? -eq 1 ] && grep -q -- --timeout "$LAB_OUT/err" && grep -q "^before$" "$LAB_OUT/out" &&
		nothing_left "$LAB_OUT/n"
}

# at_1mbit SIZE [COMMANDS]: a client of two flows with messages of SIZE that stops after 100 ms,
# when 8 of each flow are outstanding; beside it COMMANDS
at_1mbit() {
	in_shell --clock virtual --cc fixed --param rate=1mbit >"$LAB_OUT/out" <<-END
		ip link set lo up
		flowgen server --dev rxe_h1 >/dev/null 2>&1 &
		sleep 0.1
		flowgen client 127.0.0.1 --dev rxe_h0 --duration 100ms --interval 0 --qps 2 --size $1 &
		client=\$!
		${2:-}
		wait \$client
	END
}
# gives_up SIZE WHY [COMMANDS]: with all of them outstanding
gives_up() {
	local rc=0
	at_1mbit "$1" "${3:-}" || rc=$?
	[ "$rc" -eq 1 ] || { echo "exit status $rc"; cat "$LAB_OUT/out"; return 1; }
	for flow in 0 1; do
		grep -q "flow $flow (rxe_h0 -> (server)): write: 8 of 8 messages outstanding after the stop, and $2" \
			"$LAB_OUT/out" || { cat "$LAB_OUT/out"; return 1; }
	done
}
# A message of 1 MB takes 8 s, and a second after its stop the client has had enough.
outstanding() { gives_up 1mb "nothing has completed for 1.00s"; }
# One of 100 KB takes more than 0.8 s, so the last of 8 ends more than 6 s after the stop, but in
# each second something completes.
slow_but_going() { at_1mbit 100kb || { cat "$LAB_OUT/out"; return 1; }; }
# The same, but 0.4 s after the stop somebody is in a hurry.
hurried() { gives_up 100kb "a signal ended the wait" 'sleep 0.5; kill -INT $client'; }

# base_rtt VALUE OPTION...: the knob of both hosts
base_rtt() {
	local want=$1 out
	shift
	out=$(echo '{ rxecc dev show rxe_h0; rxecc dev show rxe_h1; } | grep -c "knob base_rtt  *'"$want"'$"' | in_shell "$@" 2>"$LAB_OUT/err") ||
		{ cat "$LAB_OUT/err"; return 1; }
	[ "$out" = 2 ] || { echo "$out"; return 1; }
}

# The topology's round trip is what virtual time has: 2 links of 1 us each way, a
# packet of 1106 bytes and an ACK of 86 at 100 Gbit/s over both: 4191 ns. In real
# time it is not, unless somebody says so.
base_rtts() {
	base_rtt "4.191us" --clock virtual && ! grep -q base_rtt "$LAB_OUT/err" &&
		base_rtt "0ns" && grep -q "base_rtt is measured" "$LAB_OUT/err" &&
		base_rtt "7us" --set base_rtt=7us && ! grep -q base_rtt "$LAB_OUT/err"
}

# signalled SIGNAL COMMANDS: ended by a signal while they run
signalled() {
	local rc=0
	mkdir -p "$LAB_OUT/tmp"
	echo "$2" >"$LAB_OUT/in"
	TMPDIR=$LAB_OUT/tmp timeout -s "$1" -k 20 4 "$LAB" shell two --mem 256 <"$LAB_OUT/in" \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err" || rc=$?
	[ "$rc" -eq 124 ] && grep -q interrupted "$LAB_OUT/err" ||
		{ echo "exit status $rc"; cat "$LAB_OUT/err"; return 1; }
	nothing_left "$LAB_OUT/n"
}

# open_input: descriptor 5 can be written and read, and does not end
open_input() {
	mkdir -p "$LAB_OUT/tmp"
	rm -f "$LAB_OUT/fifo"
	mkfifo "$LAB_OUT/fifo" && exec 5<>"$LAB_OUT/fifo"
}

# signalled_input SIGNAL: while the commands still come
signalled_input() {
	local rc=0
	open_input || return 1
	TMPDIR=$LAB_OUT/tmp timeout -s "$1" -k 20 1 "$LAB" shell two --mem 256 <&5 \
		>"$LAB_OUT/out" 2>"$LAB_OUT/err" || rc=$?
	exec 5>&-
	[ "$rc" -eq 124 ] && nothing_left "$LAB_OUT/n"
}

# on_terminal COMMAND...: with a terminal of its own, on which is typed what stdin says
on_terminal() {
	command script -qec "$(printf '%q ' "$@")" /dev/null
}

terminal() {
	local rc=0
	open_input || return 1
	# What is typed before the lab kernel has the terminal is lost.
	{
		until grep -q '^[^ ]*[#$] $' <(tail -n 1 "$LAB_OUT/out"); do sleep 0.2; done
		printf '[ -t 0 ] && echo "on terminal" $((6 * 7))\nexit\n' >&5
	} 2>/dev/null &
	TMPDIR=$LAB_OUT/tmp on_terminal timeout --foreground -k 10 $HANGS "$LAB" shell two \
		--mem 256 <&5 >"$LAB_OUT/out" || rc=$?
	kill $! 2>/dev/null
	exec 5>&-
	[ "$rc" -eq 0 ] || { cat "$LAB_OUT/out"; return 1; }
	grep -q "^on terminal 42" "$LAB_OUT/out" || { cat "$LAB_OUT/out"; return 1; }
	nothing_left "$LAB_OUT/n"
}

# signalled_terminal SIGNAL: nothing left, no process either. The processes of the kernel's programs
# die when it does, but nobody waits for them.
signalled_terminal() {
	local i
	open_input || return 1
	TMPDIR=$LAB_OUT/tmp on_terminal timeout --foreground -s "$1" -k 20 4 "$LAB" \
		shell two --mem 256 <&5 >"$LAB_OUT/out"
	exec 5>&-
	for ((i = 0; i < 50; i++)); do
		pgrep -f "uml_dir=$LAB_OUT/tmp" >"$LAB_OUT/pids" || break
		sleep 0.1
	done
	[ "$i" -lt 50 ] || { cat "$LAB_OUT/pids"; return 1; }
	nothing_left "$LAB_OUT/n"
}

ktap_print_header
ktap_check "a script: its output, its exit status" commands
ktap_check "it begins in the user's directory" here
ktap_check "a script's output comes as it is" bytes
ktap_check "the end of standard input is the end" ends_with_input
ktap_check "base RTT: the topology's in virtual time, measured in real time" base_rtts
ktap_check "flowgen client: messages outstanding at its end are named" outstanding
ktap_check "flowgen client: waits while some of them still complete" slow_but_going
ktap_check "flowgen client: a signal after the stop ends the wait" hurried
ktap_check "wall-clock timeout: said, nothing left behind" wall_timeout
for s in INT TERM HUP; do
	ktap_check "$s while commands run: nothing left behind" signalled $s "sleep 1000"
	ktap_check "$s while commands are read: nothing left behind" signalled_input $s
done
if command -v script >/dev/null; then
	ktap_check "a terminal: prompt, commands, exit" terminal
	for s in INT TERM HUP; do
		ktap_check "a terminal, $s: nothing left behind" signalled_terminal $s
	done
else
	ktap_test_skip "a terminal" "needs script"
fi
ktap_finished
