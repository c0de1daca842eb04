#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the [QEMU backend](../guide/qemu.md#the-lab-in-guests): an incast through guests, with and without
#   dcqcn; files of all guests as those of one run; commands in nodes; guests that die, Ctrl-C. Some
#   minutes; `FULL=1`: pauses between guests, LSCC
#
# The QEMU backend: three hosts in two guests, their switch in a third, real time on
# whatever machine this is. So nothing here is about how long anything takes.
#
# Queue: two senders of 20 Mbit/s send to one port of 20 Mbit/s. Without congestion
# control each may have its whole flow under way (4096 packets of 1 KB, a flow is
# 1 MB). While both send, half of what they send stays in the switch: up to 1 MB, a
# triangle in time with a mean of half that. With DCQCN every packet that finds
# kmax (80 KB) is marked, and a sender halves its rate with the first CNP: the queue
# passes kmax by what comes in the time of one reaction, 20 KB in 8 ms. Its timers must
# be of the order of that round trip: with those for 40 Gbit/s, 55 us, the rate is back
# before the next packet can be marked, and the queue is that of no control, also in
# virtual time. Guests that wait for a processor stretch both, so only their order is
# asked for, with room: the mean with DCQCN is at most half of that without.
# Alone: real time
. "$(dirname "$0")/../lib/lab_lib.sh"

[ "${VARIANT:-lab}" = lab ] || ktap_skip_all "guests run the distribution's kernel: no debug variant"
command -v qemu-system-x86_64 >/dev/null || ktap_skip_all "qemu-system-x86_64: not installed"
host=$RXE_CC_BUILD/host/sch_roce.ko
[ -e "$host" ] || ktap_skip_all "no modules in build/host (make modules-host)"
release=$(PATH=$PATH:/usr/sbin:/sbin modinfo -F vermagic "$host" | cut -d ' ' -f 1)
[ -r "/boot/vmlinuz-$release" ] || ktap_skip_all "no /boot/vmlinuz-$release"

export TMPDIR=$LAB_OUT/tmp
mkdir -p "$TMPDIR"
# Two senders at line rate have 8 KB at the switch after 4 ms, and from there every packet is
# marked. With marks by chance between 20 and 80 KB a run had 50, 14, 5 or none.
SETTINGS=(--backend qemu --guests 2 --set n=2 --set rate=20mbit --set delay=2ms
	--set size=1mb --set kmin=4kb --set kmax=8kb --set ib_timeout=18)

# complete CC OPTION...: a run ends well only if all flows have completed and no kernel
# complained
complete() {
	timeout -k 10 900 "$LAB" run incast --cc "$1" "${SETTINGS[@]}" "${@:2}" --timeout 850 \
		--out "$LAB_OUT/r" >"$LAB_OUT/log" 2>&1 </dev/null || { cat "$LAB_OUT/log"; return 1; }
	is "$(lab_get "incast/$1/1" '.flows.completed')" == 2 &&
		is "$(lab_get "incast/$1/1" '.errors')" == 0
}

lower_queue() {
	local none
	none=$(lab_get incast/none/1 '.bottleneck.queue_bytes.mean')
	is "$(lab_get incast/dcqcn/1 '.bottleneck.queue_bytes.mean')" "<=" \
		"$(awk -v q="$none" 'BEGIN { print q / 2 }')"
}

# What each guest has written is in the files of one run: flows of both senders, the
# queue of the switch, marks of the switch and CNPs of the receiver.
all_guests() {
	local dir=$LAB_OUT/r/incast/dcqcn/seed1
	[ "$(cut -d , -f 2 "$dir/flows.csv" | sort | tr '\n' ' ')" = "s0 s1 src " ] &&
		grep -q ',sw-r,' "$dir/queues.csv" && grep -q ',0,' "$dir/rates.csv" &&
		grep -q ',1,' "$dir/rates.csv" || { echo "rows of a guest are missing"; return 1; }
	awk -F , 'NR > 2 && $1 < last { exit 1 } { last = $1 }' "$dir/queues.csv" ||
		{ echo "queues.csv is not in the order of time"; return 1; }
	is "$(lab_get incast/dcqcn/1 '.bottleneck.ecn_marked')" ">=" 1 &&
		is "$(lab_get incast/dcqcn/1 '.algo_params.rpg_time_reset')" == 20000000 &&
		is "$(lab_get incast/dcqcn/1 '.cnp.sent')" ">=" 1 &&
		is "$(lab_get incast/dcqcn/1 '.cnp.handled')" ">=" 1
}

says_what() {
	local dir=$LAB_OUT/r/incast/dcqcn/seed1
	[ "$(jq -r '.backend + " " + .clock' "$dir/summary.json")" = "qemu real" ] &&
		jq -e '.guests.guests | length == 3' "$dir/run.json" >/dev/null &&
		jq -e '.guests.clock_error_ns > 0' "$dir/run.json" >/dev/null &&
		jq -e '.notes | map(select(test("3 QEMU guests of 2 CPUs"))) | length == 1' \
			"$dir/summary.json" >/dev/null || { jq . "$dir/run.json"; return 1; }
}

# What real time is worth there was measured before. Needed: 2 MB of 1 KB packets (2048) in the
# time that the network takes for them alone. Two senders of 1 MB share a port of 20 Mbit/s, a
# packet is 1106 bytes there: 906 ms, and with delays of 8 ms and twice the first packet's
# 0.44 ms not less than 2048 / 0.92 s nor more than 2048 / 0.90 s. The path that is measured is four
# times as fast as that, and an emulated one is slower.
measured() {
	local dir=$LAB_OUT/r/incast/dcqcn/seed1 f
	for f in summary run; do
		jq -e '.realtime | .late_p50_ns <= .late_p99_ns and .late_p99_ns <= .late_max_ns and
			.late_p50_ns > 0 and .rtt_added_ns > 0 and .packets_per_s > 0 and
			.packets_per_s <= 4.05 * .needed_packets_per_s and .links == 2 and
			.needed_packets_per_s >= 2226 and .needed_packets_per_s <= 2276' \
			"$dir/$f.json" >/dev/null || { jq .realtime "$dir/$f.json"; return 1; }
	done
	jq -r .realtime.beyond "$dir/run.json"
	grep -q 'real time here: timers late by .* needed are ' "$LAB_OUT/log" || { cat "$LAB_OUT/log"; return 1; }
	[ "$(jq -r '.realtime.beyond != null' "$dir/run.json")" = \
		"$(jq -r '.notes | any(test("figures are of this machine"))' "$dir/summary.json")" ]
}

# Where there is a KVM that boots no guest the first run has found that out.
remembered() {
	[ -r /dev/kvm ] && [ -w /dev/kvm ] || return "$KSFT_SKIP"
	[ "$(jq -r .guests.accelerator "$LAB_OUT/r/incast/dcqcn/seed1/run.json")" = kvm ] ||
		cmp "${RXE_CC_CACHE:-$HOME/.cache/rxe-cc}/no-kvm" /proc/sys/kernel/random/boot_id
}

# Probes without flows, over links of which real time can say something.
latency() {
	timeout -k 10 900 "$LAB" run latency --backend qemu --set rate=20mbit --set delay=1ms --set iterations=100 \
		--timeout 850 --out "$LAB_OUT/l" >"$LAB_OUT/log" 2>&1 </dev/null || { cat "$LAB_OUT/log"; return 1; }
	is "$(LAB_DIR=$LAB_OUT/l lab_get latency/none/1 '.latency.rtt_ns.min')" ">=" 4000000
}

# valid KIND FILE
valid() {
	jq --arg ref "#/\$defs/$1" 'del(.anyOf) + { "$ref": $ref }' \
		"$RXE_CC_TOP/tools/lab/schema/lab.schema.json" >"$LAB_OUT/$1.schema" &&
		"$validator" -i "$2" "$LAB_OUT/$1.schema"
}

by_schema() {
	local dir=$LAB_OUT/r/incast/dcqcn/seed1
	valid summary "$dir/summary.json" && valid run "$dir/run.json"
}


# refused WORD OPTION...: status 2 and a line that says why
refused() {
	local word=$1
	shift
	ends 2 "$LAB" run incast --backend qemu "$@" && grep -q -- "$word" "$LAB_OUT/err" ||
		{ cat "$LAB_OUT/err"; return 1; }
}

refusals() {
	refused virtual --clock virtual && refused debug --debug && refused events --events &&
		refused transport --set transport=uc && refused guests --guests 0 || return 1
	ends 2 "$LAB" run incast --guests 2
}

# A kernel with too little memory dies at boot. The run ends with it, not with its
# timeout, says which guest it was and keeps its console.
guest_dies() {
	local out=$LAB_OUT/dies
	ends 1 timeout -k 10 600 "$LAB" run two --backend qemu --mem 64 --timeout 550 --out "$out" &&
		grep -q 'guest [0-9] (.*) has ended' "$LAB_OUT/err" &&
		[ -s "$out/two/none/seed1.console.log" ] || { cat "$LAB_OUT/err"; return 1; }
}

# interrupted: Ctrl-C in the middle of the boot ends all guests
interrupted() {
	local pid rc=0
	timeout -s INT -k 60 8 "$LAB" run two --backend qemu --out "$LAB_OUT/int" \
		>"$LAB_OUT/log" 2>&1 </dev/null || rc=$?
	is "$rc" ">=" 1 || return 1
	pid=$(pgrep -f "lab_work=$TMPDIR/" || true)
	[ -z "$pid" ] || { echo "guests still run: $pid"; return 1; }
	nothing_left "$LAB_OUT/int"
}

# A guest that QEMU spoils at boot is booted again, and the run is as any other. Here QEMU is
# played by a script, that once leaves the console of such a guest and ends.
spoiled_boot() {
	local bin=$LAB_OUT/bin
	mkdir -p "$bin"
	cat >"$bin/qemu-system-x86_64" <<-END
		#!/bin/bash
		PATH=\${PATH#*:}
		for arg; do
			[[ \$arg != file:*console-1.log ]] || console=\${arg#file:}
		done
		[ -n "\${console:-}" ] && mkdir "$bin/spoiled" 2>/dev/null || exec qemu-system-x86_64 "\$@"
		echo "[    3.5] Oops: int3: 0000 [#1] PREEMPT SMP NOPTI" >"\$console"
	END
	chmod +x "$bin/qemu-system-x86_64"
	# Once for this; more often if the emulation spoils a boot itself, which this stands for.
	PATH=$bin:$PATH complete none --force && [ -d "$bin/spoiled" ] &&
		is "$(jq .guests.boots_repeated "$LAB_OUT/r/incast/none/seed1/run.json")" ">=" 1
}

# Pauses of the switch stop the senders: without, 2 MB would meet 150 KB of threshold and
# 200 KB of headroom.
pauses() {
	timeout -k 10 900 "$LAB" run incast --cc none "${SETTINGS[@]}" --set pfc=on \
		--set xoff=150kb --set headroom=200kb --timeout 850 --out "$LAB_OUT/p" \
		>"$LAB_OUT/log" 2>&1 </dev/null || { cat "$LAB_OUT/log"; return 1; }
	LAB_DIR=$LAB_OUT/p
	is "$(lab_get incast/none/1 '.pfc.pause_frames')" ">=" 1 &&
		is "$(lab_get incast/none/1 '.pfc.pause_ns')" ">=" 1 &&
		is "$(lab_get incast/none/1 '.bottleneck.drops')" == 0
	set -- $?
	unset LAB_DIR
	return "$1"
}

# In a shell a command in a node has its output and status; what runs in one node sees
# the RDMA device there, and a node in another guest.
shell_in_nodes() {
	local rc=0
	cat >"$LAB_OUT/in" <<-'END'
		on h0 'echo "out of $(ls /sys/class/infiniband)"; exit 5'
		echo "status $?"
		on sw ip -o link show h1
		on h1 'timeout 300 flowgen server --dev rxe_h1 >/dev/null' &
		for i in $(seq 60); do
			on h1 'ss -Hltn "sport = :18516"' | grep -q . && break
			sleep 2
		done
		on h0 flowgen client 10.0.0.2 --dev rxe_h0 --size 64kb --count 2 -j
		echo "client $?"
		exit 7
	END
	timeout -k 10 900 "$LAB" shell two --backend qemu --set rate=20mbit --set delay=1ms \
		--timeout 850 <"$LAB_OUT/in" >"$LAB_OUT/log" 2>&1 || rc=$?
	[ "$rc" -eq 7 ] && grep -qx 'out of rxe_h0' "$LAB_OUT/log" &&
		grep -qx 'status 5' "$LAB_OUT/log" && grep -q '^[0-9]*: h1' "$LAB_OUT/log" &&
		grep -qx 'client 0' "$LAB_OUT/log" || { cat "$LAB_OUT/log"; return 1; }
}

# Switches and hosts are in different guests: what the switches are told of the algorithm is in
# the job. Both switches of the long link tell each other rates, and the senders' one sends CNPs.
long_link() {
	local dir=$LAB_OUT/r/longhaul/lscc/seed1/summary.json
	timeout -k 10 900 "$LAB" run longhaul --cc lscc --backend qemu --guests 2 --timeout 850 \
		--set n=2 --set rate=20mbit --set host_rate=20mbit --set long_rate=20mbit \
		--set delay=1ms --set long_delay=20ms --set size=500kb --set mtu=1024 \
		--set ib_timeout=20 --set lscc_period=10ms --set lscc_qref=20kb \
		--set lscc_min=1mbit --set lscc_step=1mbit --beyond --out "$LAB_OUT/r" \
		>"$LAB_OUT/log" 2>&1 </dev/null || { cat "$LAB_OUT/log"; return 1; }
	is "$(jq .flows.completed "$dir")" == 2 && is "$(jq .errors "$dir")" == 0 &&
		is "$(jq .lscc.heard "$dir")" ">=" 1 && is "$(jq .lscc.cnps "$dir")" ">=" 1 &&
		is "$(jq .cnp.handled "$dir")" ">=" 1
}

ktap_print_header
ktap_check "refuses what it cannot do" refusals
ktap_check "Ctrl-C ends all guests and leaves nothing" interrupted
ktap_check "none, a guest booted twice: all flows complete" spoiled_boot
ktap_check "dcqcn: all flows complete" complete dcqcn --param rpg_time_reset=20ms \
	--param dce_tcp_rtt=10ms
ktap_check "the queue with dcqcn is at most half of that without" lower_queue
ktap_check "rows of all guests in one set of files" all_guests
ktap_check "says what it ran in" says_what
ktap_check "remembers that KVM does not boot" remembered
ktap_check "measures what real time is worth" measured
ktap_check "latency probes from guest to guest" latency
validator=$(PATH=/usr/bin:$PATH command -v jsonschema) || validator=
if [ -n "$validator" ]; then
	ktap_check "summary.json and run.json by the schema" by_schema
else
	ktap_test_skip "schema: needs python3-jsonschema"
fi
ktap_check "a guest that dies ends the run" guest_dies
ktap_check "a shell runs commands in nodes" shell_in_nodes
if [ -n "${FULL:-}" ]; then
	ktap_check "pauses of the switch stop senders in other guests" pauses
	ktap_check "LSCC between switches in one guest, hosts in others" long_link
fi
ktap_finished
