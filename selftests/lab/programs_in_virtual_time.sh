#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: programs of others in virtual time, see [programs.md](../guide/programs.md): perftest's goodput at
#   100 Gbit/s and its latency are what headers, cables and whole polls give; the same bytes twice;
#   ways to wait without sleeping, in programs with the library and in static ones
#
# Programs that wait without sleeping, in the lab kernel's virtual time: perftest, which polls,
# spins and reads the cycle counter, and one program for each way to wait.
. "$(dirname "$0")/../lib/lab_lib.sh"

CC=${CC:-cc}
here=$(dirname "$(readlink -f "$0")")
command -v "$CC" >/dev/null || ktap_skip_all "no $CC"
command -v ib_write_bw >/dev/null || ktap_skip_all "no perftest"
[ -e "$RXE_CC_BUILD/uml-lab/stock/rdma_rxe.ko" ] || ktap_skip_all "no stock rxe (make lab)"
HANGS=600
SIZE=65536
N=500
POLL_NS=50

# perftest NAME OPTION...: results in directory NAME
perftest() {
	timeout -k 10 $HANGS "$LAB" perftest -q --cc none --tests write_bw.RC.plain,write_lat.RC.plain \
		--set rate=100gbit --out "$LAB_OUT/p" "${@:2}" -- -n $N >"$LAB_OUT/err" 2>&1 </dev/null ||
		{ cat "$LAB_OUT/err"; return 1; }
	# rxe's keys of memory are random.
	sed -i 's/ RKey 0x[0-9a-f]*//' "$LAB_OUT"/p/cases/*/*.log && mv "$LAB_OUT/p" "$LAB_OUT/$1"
}

# result FILTER, of all of the test's results
result() { jq -r "$1" "$LAB_OUT/p1/perftest.json"; }

# A packet has 58 bytes of Ethernet, IP, UDP, BTH and ICRC and 24 of FCS, preamble and gap; the
# first of a message 16 more (RETH). From the first post to the last completion are all messages at
# the rate of the link, 1 us on each of two cables there and back, and the last packet and its ACK
# once more behind the switch. Polls add one at most.
goodput() {
	local v want
	want=$(awk -v n=$N -v s=$SIZE 'BEGIN {
		wire = s / 4096 * (4096 + 58 + 24) + 16
		ns = n * wire * 8 / 100 + 4000 + (4096 + 58 + 24) * 8 / 100 + 2 * (58 + 4 + 24) * 8 / 100
		printf "%.0f", n * s * 8 / ns * 1e9 }')
	for v in $(result '.results[] | select(.test == "write_bw") | .goodput_bps'); do
		near "$v" "$want" 0.001 || return 1
	done
}

# Half a round trip of 64 bytes is twice a cable and twice the packet at the rate of the link. The
# program sees a message when memory has changed, at once; perftest prints hundredths of a us.
latency() {
	local v want
	want=$(awk 'BEGIN { print 2 * 1000 + 2 * (64 + 58 + 16 + 24) * 8 / 100 }')
	for v in $(result '.results[] | select(.test == "write_lat") | .median_ns, .p99_ns'); do
		is "$v" ">=" "$(awk -v w="$want" 'BEGIN { print w - 5 }')" &&
			is "$v" "<=" "$(awk -v w="$want" -v p=$POLL_NS 'BEGIN { print w + p + 5 }')" || return 1
	done
}

# One case after the other, over what the first run left: neither makes other system calls.
same_twice() {
	cp -r "$LAB_OUT/p1" "$LAB_OUT/p" && perftest p2 --jobs 1 && diff -r "$LAB_OUT/p1" "$LAB_OUT/p2" | head -n 20
	return "${PIPESTATUS[0]}"
}

# waits OPTION...: all ways to wait, in the lab kernel; prints what each says, and its status
waits() {
	local ways='deadline counter counter_deadline thread_and_yield thread_and_spin shared_and_yield
		shared_and_spin dontwait polls_fd epolls selects reads_eventfd writes_pipe counter_in_library computes
		computes_in_memory reaps own_sigill'
	timeout -k 10 $HANGS "$LAB" shell two --mem 256 --clock virtual --timeout $HANGS <<-END
		sleep 1
		for w in ${ways//$'\n'/ }; do timeout 5 $LAB_OUT/ways \$w; echo "\$w status \$?"; done
		for w in deadline thread_and_spin shared_and_spin computes; do timeout 5 $LAB_OUT/static \$w; echo "static \$w status \$?"; done
	END
}

all_waits() {
	"$CC" -O2 -Wall -Wextra -pthread -o "$LAB_OUT/ways" "$here/waits_without_sleeping.c" &&
		"$CC" -O2 -pthread -static -DSTATIC -o "$LAB_OUT/static" "$here/waits_without_sleeping.c" &&
		echo '#include <x86intrin.h>
			unsigned long long read_counter(void) { return __rdtsc(); }' |
		"$CC" -O2 -shared -fPIC -x c -o "$LAB_OUT/ways.so" - &&
		waits >"$LAB_OUT/w1" 2>"$LAB_OUT/err"
	[ "$(grep -c 'status 0$' "$LAB_OUT/w1")" = 22 ] || { cat "$LAB_OUT/w1"; return 1; }
}

# took WAY FROM TO: ns
took() {
	local v
	for v in $(awk -v w="$1" '$1 == w && $2 != "status" { print $2 }' "$LAB_OUT/w1"); do
		is "$v" ">=" "$2" && is "$v" "<=" "$3" || { echo "$1"; return 1; }
	done
}

# A loop that reads a clock is late by 4 % at most. With "deadline" the read that tells how long it
# took is one more of the same loop, for the kernel. A thread sets a flag 3 ms after it was made,
# seen at once by who spins and with the next poll by who polls: calls take 300 ns. The rest takes
# some reads of clocks of 1 ns. A process whose thread sleeps for 100 us is reaped then: the kernel
# may be late by its timer slack, 50 us, and waits in steps of 1 us for what the thread removes.
times() {
	took deadline 10000000 10816000 && took counter_deadline 10000000 10400000 &&
		took thread_and_yield 3000000 3001000 && took thread_and_spin 3000000 3001000 &&
		took shared_and_yield 3000000 3001000 && took shared_and_spin 3000000 3001000 &&
		took dontwait 3000000 3001000 && took polls_fd 3000000 3001000 &&
		took epolls 3000000 3001000 && took selects 3000000 3001000 &&
		took reads_eventfd 3000000 3001000 && took writes_pipe 3000000 3001000 &&
		took counter_in_library 5000000 5001000 &&
		took computes 0 100 && took computes_in_memory 0 100 && took own_sigill 0 1000 &&
		took reaps 100000 152000
}

# The static program has no library, so each of its reads is a call of the kernel.
same_clock() {
	awk '$1 == "deadline" && $2 != "status" { print $2 }' "$LAB_OUT/w1" | { read -r library && read -r call &&
		is "$library" == "$call"; }
}

# Beside a loop on each processor: when the host's timer finds a program that spins or computes is
# another time then.
same_waits() {
	local busy=() rc=0 i
	for i in $(seq "$(nproc)"); do
		(while :; do :; done) &
		busy[i]=$!
	done
	waits >"$LAB_OUT/w2" 2>"$LAB_OUT/err" && diff "$LAB_OUT/w1" "$LAB_OUT/w2" || rc=1
	kill "${busy[@]}"
	wait "${busy[@]}" 2>/dev/null
	return $rc
}

ktap_print_header
ktap_check "perftest in virtual time: polls, spins, reads the cycle counter" perftest p1
ktap_check "... goodput at 100 Gbit/s is the derived one" goodput
ktap_check "... latency is the derived one" latency
ktap_check "... the same bytes in a second run" same_twice
ktap_check "each way to wait ends" all_waits
ktap_check "... when it should" times
ktap_check "a clock that is read without a call is as late as with one" same_clock
ktap_check "ways to wait end at the same time in a second run, on a busy machine" same_waits
ktap_finished
