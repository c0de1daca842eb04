#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the fixes of rxe alone: they build, make patches, and end faults that the kernel's own rxe
#   shows
#
# The fixes of rxe alone, without congestion control (rxe_cc/rxe/fixes): they build, and each
# fault that can be brought about shows in the kernel's own rxe and not in the fixed one.
#
#	r1, v1 (10.0.0.1) ---- veth ---- (10.0.0.2) v2, r2
#
# At the end once more, with stock rxe, the fixed one, and the one with congestion control, each
# with faults of our own: there is no memory for every seventh READ response, or one takes long.
#
# Both ends are in the initial namespace, the only one of the kernel's own rxe; rules keep
# what goes between them on the cable. For the last fault they are in namespaces.
set -u
# shellcheck source=selftests/lib/rxe_lib.sh
. "$(dirname "$0")/../lib/rxe_lib.sh"

hooks=$RXE_CC_TOP/drivers/infiniband/sw/rxe_cc/rxe
uml=$RXE_CC_BUILD/uml-lab
stock=$RXE_CC_BUILD/ksrc/drivers/infiniband/sw/rxe
rxe=$RXE_CC_BUILD/selftests/rxe-fixes
rxe_reset=$RXE_CC_BUILD/selftests/rxe_reset
rxe_length=$RXE_CC_BUILD/selftests/rxe_length

fixed() { "$hooks/apply.sh" --fixes "$1"; }
# Of a responder's opcodes only those of READ responses carry data.
faulty() {
	local read='(rxe_opcode[opcode].mask \& RXE_PAYLOAD_MASK)' file=$1/rxe_resp.c
	local made="static unsigned int made; if ($read \\&\\& no_memory \\&\\& ++made % no_memory == 0) return NULL;"
	local slow="if ($read \\&\\& slow_us) usleep_range(slow_us, slow_us);"
	local vars='static uint no_memory, slow_us; module_param(no_memory, uint, 0644); module_param(slow_us, uint, 0644);'
	sed -i -e "s/^\tpad = (-payload) & 0x3;/\t{ $made $slow }\n&/" \
		-e "s/^#include \"rxe_queue.h\"/&\n#include <linux\/delay.h>\n$vars/" "$file" &&
		grep -q '++made' "$file" && grep -q module_param "$file"
}
fixed_faulty() { fixed "$1" && faulty "$1"; }
fault() { echo "$2" >"/sys/module/rdma_rxe/parameters/$1"; }

alone() { ! grep -l 'rxe_cc\|rxe_hook' "$rxe"/*.[ch] "$rxe/Makefile"; }

# As a series that "git am" takes, one upon the other, they make the same files.
as_patches() {
	local p tree=$rxe/patches/tree
	local git=(git -C "$tree" -c user.name=test -c user.email=test@example.invalid)
	"$hooks/apply.sh" --series "$rxe/patches" "$stock" >/dev/null || return
	mkdir -p "$tree/drivers/infiniband/sw/rxe" && cp "$stock"/*.[ch] "$stock/Makefile" "$tree/drivers/infiniband/sw/rxe/" &&
		chmod -R u+w "$tree" && git init -q "$tree" && "${git[@]}" add . && "${git[@]}" commit -q -m stock || return
	for p in "$rxe"/patches/*-RDMA-*.patch; do
		{ grep -q '^From:' "$p" || echo 'From: test <test@example.invalid>'; cat "$p"; } | "${git[@]}" am -q || return
	done
	for p in "$tree"/drivers/infiniband/sw/rxe/*; do cmp "$p" "$rxe/${p##*/}" || return; done
	grep -q "^Subject: \[PATCH 0/$(ls "$rxe"/patches/*-RDMA-*.patch | wc -l)\]" "$rxe/patches/0000-cover-letter.patch"
}

cable() {
	local i
	ip link set lo up
	ip link add v1 mtu 4200 address 02:00:00:00:00:01 type veth \
		peer name v2 mtu 4200 address 02:00:00:00:00:02 || return
	for i in all v1 v2; do
		echo 1 >"/proc/sys/net/ipv4/conf/$i/accept_local"
		echo 0 >"/proc/sys/net/ipv4/conf/$i/rp_filter"
		echo 1 >"/proc/sys/net/ipv6/conf/$i/disable_ipv6"
	done
	ip -batch - <<-END || return
		addr add 10.0.0.1/32 dev v1
		addr add 10.0.0.2/32 dev v2
		link set v1 up
		link set v2 up
		route add 10.0.0.2/32 dev v1 table 10
		route add 10.0.0.1/32 dev v2 table 10
		rule add pref 1 iif v1 lookup local
		rule add pref 2 iif v2 lookup local
		rule add pref 3 to 10.0.0.0/30 lookup 10
		rule add pref 4 lookup local
		rule del pref 0
		neigh add 10.0.0.2 dev v1 lladdr 02:00:00:00:00:02 nud permanent
		neigh add 10.0.0.1 dev v2 lladdr 02:00:00:00:00:01 nud permanent
	END
	for i in 1 2; do
		tc qdisc replace dev v$i root netem rate 10gbit delay 1us limit "$1" &&
			rdma link add r$i type rxe netdev v$i || return
	done
	wait_for 50 active r1 && wait_for 50 active r2
}

queue() {
	local i
	for i in 1 2; do
		tc qdisc replace dev v$i root netem rate 10gbit delay 1us limit "$1" || return
	done
}

# transfer [OPTIONS [BYTES [OP]]]
transfer() {
	run_flows "\"verify\":true,\"timeout\":10,\"mtu\":1024,\"op\":\"${3:-send}\"${1:-}" \
		"{\"src\":\"r1\",\"dst\":\"r2\",\"bytes\":${2:-1000000}}" >"$work/log" 2>&1
}

sender() { rdma -j res show qp link r1/1 | jq '.[] | select(.type == "RC") | .lqpn'; }
sending() { [ -n "$(sender)" ]; }

# Beside 4000 ACKs with random PSNs, one in 10 us: from before the first packet, which
# waits for 20 ms, to after the last.
beside_acks() {
	local rc=0
	transfer ',"lead_ns":20000000' 4000000 &
	pid=$!
	wait_for 50 sending && "$rxe_forge" v2 10.0.0.2 10.0.0.1 02:00:00:00:00:01 "$(sender)" ack 100000 4000 || rc=2
	wait $pid || rc=1
	return $rc
}

# 4 MB take more than 3.2 ms at 10 Gbit/s, in which 320 ACKs come while requests wait. Half of
# the numbers are ahead: 160 of them, less 4 standard deviations of 9 at least. Of all 4000 it
# is 2000, and 4 of 32 more at most.
counted() { local n; n=$(counter r1 response_bad_psn); [ "$n" -ge 124 ] && [ "$n" -le 2128 ]; }

# A reading is 10 ms old at most.
fresh() { sleep 0.05; counter "$@"; }
# grown DEVICE COUNTER SINCE N: by more than N
grown() { [ $(($(counter "$1" "$2") - $3)) -gt "$4" ]; }

# 1000 WRITEs of one packet, one after another, over a line that loses one packet in 100. Nothing
# comes behind a packet, so the retransmission timer (timeout 10: 4.2 ms; it takes 1 to 2
# ticks of 10 ms) has to find each loss. ACKs whose PSN is 1000 behind what has come arrive every
# 1 ms for 2 s meanwhile, and the transfer has to end before they do. 10 losses, of which the
# standard deviation is 3.2, take 0.2 s at most; in 2 s there is room for 100. If the ACKs hold up
# the first loss, it ends after them. That nothing is lost, so that stock rxe passes, happens once
# in 23 000 times.
lossy_beside_acks() {
	local rc=0 acks
	tc qdisc replace dev v1 root netem rate 10gbit delay 1us limit 10000 loss 1% || return 2
	transfer ',"lead_ns":20000000,"chunk_bytes":1024,"depth":1' 1024000 write &
	pid=$!
	wait_for 50 sending || return 2
	"$rxe_forge" v2 10.0.0.2 10.0.0.1 02:00:00:00:00:01 "$(sender)" ack 1000 2000 \
		seen-1000 &
	acks=$!
	wait $pid || rc=2
	kill -0 $acks 2>/dev/null || rc=1
	wait $acks || rc=2
	return $rc
}

# A READ of 8 MB, for which 7813 responses come in 0.68 s. Those of 1 ms are lost near its beginning,
# and the others go on for many times the timeout. To ask for them once is enough.
asked_once() {
	local heard retries
	tc qdisc replace dev v2 root netem rate 100mbit delay 1us limit 10000 || return
	heard=$(fresh r1 rcvd_pkts) retries=$(counter r1 completer_retry_err)
	transfer ',"chunk_bytes":8000000' 8000000 read &
	pid=$!
	wait_for 50 grown r1 rcvd_pkts "$heard" 100 && tc qdisc add dev v1 clsact &&
		tc filter add dev v1 ingress matchall action drop && sleep 0.001 &&
		tc qdisc del dev v1 clsact || return
	wait $pid || return
	retries=$(($(fresh r1 completer_retry_err) - retries))
	echo "# $retries retries"
	[ $retries = 1 ]
}

pid=
moving() { [ "$(counter r1 sent_pkts)" -gt 500 ]; }

# Does the device go while an application has it open?
removed_in_use() {
	local rc
	echo '{"mtu":4096,"op":"write","stop_ns":600000000000,
		"flows":[{"src":"r1","dst":"r2","bytes":0}]}' >"$work/plan.json"
	"$flowgen" run "$work/plan.json" --out "$work/out" -q >"$work/log" 2>&1 &
	pid=$!
	wait_for 50 moving || return 2
	rdma link del r1 &
	wait_for 30 no_device r1
	rc=$?
	kill "$pid" 2>/dev/null
	wait
	return $rc
}

outside() {
	ip link del v1
	wait_for 50 no_devices && make_hosts rate 10gbit delay 1us limit 10000 && transfer
}

# lossy COMMAND: 100 rounds of rxe_reset while one response in ten is lost. That no first
# response is lost, so that stock rxe passes, happens once in 38 000 times (1 / 0.9^100). That
# one of at most 300 is lost in all 7 tries, so that the fixed one fails, once in 33 000.
lossy() {
	tc qdisc replace dev v2 root netem rate 10gbit delay 1us limit 10000 loss 10% || return 2
	printf 'connect 1\n%s 100\n' "$1" | timeout 60 "$rxe_reset" r1 r2 >"$work/log" 2>&1 || return 1
}

# WRITEs of another length than their data, and such of the right one. Stock rxe warns.
lengths() { timeout 60 "$rxe_length" r1 r2 v1 02:00:00:00:00:02; }

# taken_name: the name of a device for another netdev is refused, and who has it is said
taken_name() {
	local out rc=0
	ip link add d1 type dummy && ip link set d1 up || return 2
	out=$(rdma link add r1 type rxe netdev d1 2>&1) && rc=2
	echo "# $out"
	ip link del d1
	[ $rc = 0 ] || return $rc
	[[ $out == *"File exists"* ]] && dmesg | grep -q "RDMA device r1 already"
}

# The last device goes, and the port of RoCE is free.
bound() { awk '$2 ~ /:12B7$/' /proc/net/udp /proc/net/udp6 | grep -q .; }
port_freed() {
	bound || return 2
	rdma link del r1 && rdma link del r2 && wait_for 50 no_devices || return 2
	! bound
}
warns() { dmesg | grep "WARNING: .*$1"; }

# READs of two packets under an algorithm, whose responder is told of those that could not be
# made, too: one in seven. Which of the seven is not known, so the counts may differ by one from
# that. They are read at one instant: a process takes no virtual time.
told_of_all() {
	local sent told
	sent=$(fresh r2 sent_pkts)
	echo fixed >/sys/class/infiniband/r2/ports/1/cc/algo || return 2
	run_flows '"timeout":10,"mtu":1024,"op":"read","chunk_bytes":2048,"stop_ns":2000000000' \
		'{"src":"r1","dst":"r2","bytes":0}' >"$work/log" 2>&1 &
	pid=$!
	wait_for 50 grown r2 sent_pkts "$sent" 1000 && sleep 0.05 || return
	told=$("$RXE_CC_BUILD/bin/rxecc" -j qp show |
		jq '[.[] | select(.dev == "r2") | .counters.tx_packets] | max')
	sent=$(($(counter r2 sent_pkts) - sent))
	echo "# $sent sent, $told told"
	wait $pid || { cat "$work/log"; return 1; }
	[ $((told - told / 7 - sent)) -le 1 ] && [ $((sent - told + told / 7)) -le 1 ]
}

# With 10 ms for each response an application is killed that has asked for 8 READs of 64
# responses: 5 s, and more, as it asks for them again when its timeout is over. Both ends are in
# one process, and the one that is to answer goes, too. One response is made yet: 1 s is enough.
ended() { ! kill -0 $pid 2>/dev/null; }
ends_at_once() {
	local sent rc
	sent=$(fresh r2 sent_pkts)
	fault slow_us 10000 || return 2
	echo '{"timeout":10,"mtu":1024,"op":"read","chunk_bytes":65536,"depth":8,"stop_ns":60000000000,
		"flows":[{"src":"r1","dst":"r2","bytes":0}]}' >"$work/plan.json"
	"$flowgen" run "$work/plan.json" --out "$work/out" -q >"$work/log" 2>&1 &
	pid=$!
	wait_for 50 grown r2 sent_pkts "$sent" 10 || return 2
	kill -KILL $pid
	wait_for 10 ended
	rc=$?
	fault slow_us 0
	wait $pid
	return $rc
}
# 20 READs of 64 responses, one READ at a time, 1 ms for each response, so a READ takes longer
# than the timeout (4.2 ms; the timer takes 1 to 2 ticks of 10 ms). Then the responder stands still
# for 0.2 s, in which 20 retries are made at most and 9 at least, each of which asks for the rest
# of the READ. While they are answered, nothing more is to be asked for: one retry more at most, at
# the beginning.
stands_still() {
	local sent retries
	sent=$(fresh r2 sent_pkts) retries=$(counter r1 completer_retry_err)
	fault slow_us 1000 || return 2
	transfer ',"chunk_bytes":65536,"depth":1' 1310720 read &
	pid=$!
	wait_for 50 grown r2 sent_pkts "$sent" 10 && fault slow_us 200000 && sleep 0.1 && fault slow_us 1000 || return 2
	wait $pid || return
	fault slow_us 0
	retries=$(($(fresh r1 completer_retry_err) - retries))
	sent=$(($(counter r2 sent_pkts) - sent))
	echo "# $retries retries, $sent responses"
	echo "$sent" >"$work/sent"
	[ $retries -ge 9 ] && [ $retries -le 21 ]
}
# Of those copies one is answered, and the one of the retry at the beginning. Without the fix, 9 are.
few_copies() {
	local more=$(($(cat "$work/sent" || echo 0) - 20 * 64))
	[ $more -ge 0 ] || return 2
	[ $more -le $((2 * 64)) ]
}

# no_room LEAST: 5000 WRITEs with random PSNs come to the responder in 50 ms, and at least so many
# find no room. Each retry sends a copy of the READ that is answered, which
# may take a place. In 20 ms before and in these 50 ms there are 7 at most, and one for a NAK: 20
# leaves room.
no_room() {
	local full responder
	full=$(fresh r2 request_queue_full)
	responder=$(rdma -j res show qp link r2/1 | jq '.[] | select(.type == "RC") | .lqpn')
	"$rxe_forge" v1 10.0.0.1 10.0.0.2 02:00:00:00:00:02 "$responder" write 100000 5000 || return 2
	full=$(($(fresh r2 request_queue_full) - full))
	echo "# $full of 5000 had no room"
	[ $full -ge "$1" ] && [ $full -le $(($1 + 20)) ]
}
# slow and fast: how long a READ response takes: 0.5 s or nothing; with congestion control 45 ms
slow() {
	case $rxe_is in
	fixed) fault slow_us 500000 && sleep 0.02 ;;
	cc) rxecc dev set r2 param rate=200kbit ;;
	esac
}
fast() {
	case $rxe_is in
	fixed) fault slow_us 0 ;;
	cc) rxecc dev set r2 param rate=0 ;;
	esac
}
rxecc() { "$RXE_CC_BUILD/bin/rxecc" "$@"; }
# Of 4096 places the READ that is answered has one. With max_unacked_psns 4096 there are 8192, of which
# 4096 are taken. All that waits is looked at in the end, and the READs go on.
limited() {
	local sent rc=0
	sent=$(fresh r2 sent_pkts)
	case $rxe_is in
	fixed) fault slow_us 1000 ;;
	cc) rxecc dev set r2 knob min_rate=1kbit algo fixed param rate=10mbit ;;
	esac || return 2
	transfer ',"chunk_bytes":65536,"depth":1' 655360 read &
	pid=$!
	wait_for 50 grown r2 sent_pkts "$sent" 10 && slow && no_room $((5000 - 4095)) || rc=$?
	if [ $rc = 0 ] && [ "$rxe_is" = cc ]; then
		rxecc dev set r2 knob max_unacked_psns=4096 && no_room $((5000 - 4096)) || rc=$?
	fi
	fast && wait $pid && return $rc
}

# Which rxe is loaded comes by the environment: stock, fixed, or cc.
rxe_is=${rxe_is:-}

# shows NAME COMMAND...: the fault, with the kernel's own rxe only
shows() {
	local name=$1
	shift
	if [ "$rxe_is" = stock ]; then
		ktap_check "stock: $name: fails" not "$@"
	else
		ktap_check "$rxe_is: $name" "$@"
	fi
}
# 2: what was to bring the fault about failed itself
not() { "$@"; [ $? -eq 1 ]; }

if [ "${1:-} ${2:-}" = "inside faulty" ]; then
	ktap_check "$rxe_is with faults: two devices" cable 10000
	if [ "$rxe_is" != cc ]; then # whose tasks may not sleep in virtual time
		shows "the end of an application whose READs take long" ends_at_once
		ktap_check "$rxe_is: what comes twice puts off a retry" stands_still
		shows "few copies of a READ are answered" few_copies
	fi
	# Stock rxe does not count what waits.
	[ "$rxe_is" = stock ] || ktap_check "$rxe_is: not all requests that come may wait" limited
	fault no_memory 7
	# Of two packets each: the first fails as often as the second.
	shows "READs without memory for every seventh response" transfer ',"chunk_bytes":2048' 1000000 read
	case $rxe_is in
	stock) ktap_check "stock: with a warning" warns rxe_completer ;;
	cc) ktap_check "cc: and an algorithm is told of all responses" told_of_all ;;
	esac
	exit
fi
if [ "${1:-}" = inside ]; then
	ktap_check "$rxe_is: two devices on a cable" cable 10000
	ktap_check "$rxe_is: a transfer" transfer
	queue 20
	shows "a transfer through a local queue of 20 packets" transfer
	queue 10000
	shows "a transfer beside ACKs with random PSNs" beside_acks
	if [ "$rxe_is" = stock ]; then
		ktap_check "stock: flowgen says how much has not arrived" grep 'bytes differ, .* of them 0, the first at' "$work/log"
	else
		ktap_check "fixed: half of them are counted" counted
	fi
	shows "WRITEs over a line that loses, beside ACKs from long before" lossy_beside_acks
	ktap_check "$rxe_is: a READ asks once for what is lost, while the rest comes" asked_once
	queue 10000
	shows "READs without data, over a line that loses" lossy empty
	shows "READs before WRITEs without data, over a line that loses" lossy reads
	[ "$rxe_is" = fixed ] || ktap_check "stock: with a warning" warns rxe_mr_copy
	queue 10000
	shows "WRITEs of another length than their data" lengths
	shows "a name that another device has" taken_name
	shows "removal of a device that is open" removed_in_use
	wait_for 50 no_device r1 && rdma link add r1 type rxe netdev v1
	shows "UDP port 4791 without a device" port_freed
	shows "a transfer outside of the initial namespace" outside
	exit
fi

for f in "$uml"/{linux,stock/rdma_rxe.ko} "$flowgen" "$RXE_CC_BUILD/bin/labinit"; do
	[ -e "$f" ] || ktap_skip_all "$f is not built"
done
for c in spatch patch jq ip tc rdma; do
	command -v $c >/dev/null || ktap_skip_all "no $c"
done
ktap_compile rxe_forge "$RXE_CC_TOP/selftests/rxe/rxe_forge.c"
ktap_compile rxe_length "$RXE_CC_TOP/selftests/rxe/rxe_length.c" -libverbs
ktap_compile rxe_reset "$RXE_CC_TOP/selftests/rxe/rxe_reset.c" -libverbs
ktap_print_header
ktap_check "the fixes alone build" build_rxe "$stock" "$rxe" fixed
ktap_check "nothing of congestion control is in them" alone
ktap_check "as patches they make the same" as_patches
# inside WHAT MODULES [faulty]: what it prints, counted on. Stock rxe may warn; tests of
# their own look for that.
inside() {
	local line ok allow='^$'
	[ "$1" != stock ] || allow='WARNING: .*rxe_(completer|mr_copy)|Call Trace:'
	while read -r line; do
		case $line in
		"ok "*) ok=true ;;
		"not ok "*) ok=false ;;
		*)
			echo "$line"
			continue
			;;
		esac
		line=${line#*ok }
		ktap_check "${line#* }" $ok
	done < <("$UML_EXEC" --timeout 300 --exclusive --modules "$2" --env rxe_is="$1" \
		--allow "$allow" -- \
		"$(realpath "$0")" inside "${3:-}" || echo "not ok 0 $1: the lab kernel ends well")
}
inside stock stock
inside fixed "$rxe/rdma_rxe.ko"
ktap_check "stock with faults builds" build_rxe "$stock" "$rxe-stock-faulty" faulty
ktap_check "the fixes with faults build" build_rxe "$stock" "$rxe-faulty" fixed_faulty
ktap_check "the one with congestion control and faults builds" build_rxe "$RXE_CC_BUILD/rxe" "$rxe-cc-faulty" faulty
inside stock "$rxe-stock-faulty/rdma_rxe.ko" faulty
inside fixed "$rxe-faulty/rdma_rxe.ko" faulty
inside cc "rxe_cc $rxe-cc-faulty/rdma_rxe.ko rxe_cc_fixed" faulty
ktap_finished
