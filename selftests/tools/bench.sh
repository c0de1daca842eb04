#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: timer interrupts per packet of the qdisc; the comparison of two labs and of stock and
#   patched rxe, with made-up ones; never a time
#
# The benchmark of the qdiscs: not how fast they are, which depends on the
# machine, but how many timer interrupts a packet needs, which does not: each is
# dearer than all else that a qdisc does. And what bench.sh refuses.
# Alone: real time
set -u
. "$(dirname "$0")/../lib/ktap_helpers.sh"

bench=$RXE_CC_TOP/tools/bench/bench.sh
for f in uml-lab/linux uml-lab/sch_roce.ko tc/q_roce.so bin/bench; do
	[ -e "$RXE_CC_BUILD/$f" ] || ktap_skip_all "$f is not built"
done
for c in jq tc rsync; do
	command -v "$c" >/dev/null || ktap_skip_all "no $c"
done
[ "$(id -u)" -eq 0 ] || ktap_skip_all "needs root"
out=$(mktemp -d "$RXE_CC_BUILD/bench.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT

# A missed goal is exit code 1 too: the results are what counts here.
measure() {
	rm -f "$out/qdisc/qdisc.json"
	"$bench" --only qdisc --rounds 6 -j --out "$out" >"$out/stdout"
	[ -s "$out/qdisc/qdisc.json" ]
}

# figures FILTER: true of all of them that it does not leave out
figures() {
	jq -e "[.figures[] | $1] | length > 0 and all" "$out/qdisc/qdisc.json" >/dev/null
}

# interrupts QDISC ALONE QUEUE: per packet, the one of the generator included
# (one for 256 packets in the bursts). The tolerance is for what the kernel does
# by itself besides, some timers in the virtual tenth of a second of a run.
interrupts() {
	figures "select(.qdisc == \"$1\") | .interrupts - (if .load == \"alone\" then $2 else $3 + 1 / 256 end) | fabs < 0.01"
}

# refused CODE TEXT OPTION...
refused() {
	local code=$1 text=$2 rc
	shift 2
	"$bench" --out "$out" "$@" >"$out/refused" 2>&1
	rc=$?
	[ "$rc" -eq "$code" ] && grep -qF -- "$text" "$out/refused"
}

# fake NAME PACKETS LINE: a program in the place of lab; of its results only the commit and
# run.json differ from call to call. What it leaves running takes 0.1 s of CPU time.
fake() {
	cat >"$out/$1" <<-EOF
	#!/bin/bash
	[ "\$1" = run ] || exit 0
	[ "\$2" != broken ] || exit 3
	while [ \$# -gt 0 ]; do
		case \$1 in --seed) seed=\$2 ;; --out) to=\$2 ;; esac
		shift
	done
	to=\$to/two/none/seed\$seed
	mkdir -p "\$to" && cd "\$to" || exit 1
	date +%N >run.json
	printf 'id,fct_ns\n0,%s\n' $3 >flows.csv
	echo "{ \"commit\": \"\$(date +%N)\", \"data_packets\": $2 }" >summary.json
	burn() {
		local stat=(0 0 0 0 0 0 0 0 0 0 0 0 0 0 0)
		while [ \$((stat[13] + stat[14])) -lt $(($(getconf CLK_TCK) / 10)) ]; do
			read -ra stat <"/proc/\$BASHPID/stat"
		done
	}
	burn &
	EOF
	chmod +x "$out/$1"
}

# faked CODE TEXT NEW OLD OPTION...: the program of the benchmark on made-up labs
faked() {
	local code=$1 text=$2 new=$3 old=$4 rc
	shift 4
	"$RXE_CC_BUILD/bin/bench" lab --lab "$out/$new" --old-lab "$out/$old" --out "$out/lab" \
		"$@" >"$out/faked" 2>&1
	rc=$?
	{ [ "$rc" -eq "$code" ] && grep -qF -- "$text" "$out/faked"; } || { cat "$out/faked"; return 1; }
}

# more_than NAME: the same as NAME, by a program that writes more files and keys
more_than() {
	sed 's/^echo.*commit/echo more >more.csv; &/; s/"data/"more\\": [], \\"data/; s/^burn &//' \
		"$out/$1" >"$out/more" && chmod +x "$out/more"
}

same_more() {
	fake a 1000 5 && more_than a && faked 0 "The same results: 1 scenarios" more a --same --case two
}

same_not() {
	fake a 1000 5 && fake b 1001 5 && fake c 1000 6 && more_than a &&
		faked 1 ': two/none/seed1/summary.json.data_packets: 1001, was 1000' b a --same --case two &&
		faked 1 ': two/none/seed1/flows.csv: line 2: "0,6", was "0,5"' c a --same --case two &&
		faked 1 ': two/none/seed1/more.csv: only in the old results' a more --same --case two
}

# 1000 packets, at least 0.1 s: at most 10 000 a second.
speed() {
	fake a 1000 5 && fake b 2000 5 &&
		faked 0 "" b a --case "two --set x=1" --case at-once --case websearch --cc none --rounds 6 &&
		grep -q '^bench: websearch left out: the lab has no key "workload"$' "$out/faked" &&
		jq -e '.pairs == 6 and (.figures | length == 1) and .two_at_once.median > 0 and
			(.figures[0] | .cc == "none" and .run == "two --set x=1" and .to_old.low <= .to_old.median and
			.lowest <= .to_old.low and .to_old.high <= .highest and
			.old_packets_per_cpu_s > 0 and .old_packets_per_cpu_s <= 1e4 and
			.packets_per_cpu_s > 0 and .packets_per_cpu_s <= 2e4)' "$out/lab/lab.json" >/dev/null ||
		{ cat "$out/faked" "$out/lab/lab.json"; return 1; }
}

# boot, in the place of boot_qemu.sh: as if patched rxe took 2 % more with small packets and
# half a per cent more for a round trip; in the first pair large ones are 1 % faster. It is the process that "QEMU" is, too.
fake_boot() {
	cat >"$out/boot" <<-"EOF"
	#!/bin/bash
	echo $$ >"$1/qemu.pid"
	[ "$3 $4" = "1 1" ] && [ -s "$1/warmup.json" ] || exit 1
	n=0
	while read -r variant; do
		while read -r plan; do
			case $variant-$plan in
			patched-send_*) v=80400 ;;
			*-send_*) v=80000 ;;
			patched-*1024) v=980000000 ;;
			*4096) v=$((n < 2 ? 1010000000 : 1000000000)) ;;
			*) v=1000000000 ;;
			esac
			printf "@%s $n $plan\\n" begin end
			echo "@result $n $plan $v"
		done <"$1/plans"
		n=$((n + 1))
	done <"$1/order"
	echo "@done"
	EOF
	chmod +x "$out/boot"
}

# A packet of 1024 bytes at 1 Gbit/s and 1 ns an instruction: 8192 instructions.
instructions() {
	local rc
	fake_boot
	"$RXE_CC_BUILD/bin/bench" rxe --qemu --icount --linux "$out/boot" --guest "$bench" --out "$out/rxe" \
		--stock "$RXE_CC_BUILD/uml-lab/stock" --patched "$RXE_CC_BUILD/uml-lab" --flowgen "$bench" \
		--pairs 6 >"$out/faked" 2>&1
	rc=$?
	[ "$rc" -eq 1 ] && jq -e '.cpus == 1 and .time == "instructions" and (.figures | length == 5 and
		([.[] | .verdict] == ["met", "met", "missed", "missed", "met"]) and
		([.[] | .spread] | (.[0] - 0.01 | fabs < 1e-9) and (.[1] - 1 + 1 / 1.01 | fabs < 1e-9) and .[2:] == [0, 0, 0]) and
		(.[3] | .stock == 8192 and (.ratio.low * 0.98 - 1 | fabs < 1e-6) and .goal == 1.01) and
		(.[4] | .ratio.high == 1.005 and .stock == 80000))' "$out/rxe/bench.json" >/dev/null ||
		{ cat "$out/faked"; return 1; }
}

ktap_print_header
ktap_check "all qdiscs under both loads, no packet lost" measure
ktap_check "each in the results" figures '.qdisc != "" and .total_ns > 0'
ktap_check "roce, netem and pfifo are there" jq -e \
	'[.figures[].qdisc] | index("roce") and index("netem") and index("pfifo")' "$out/qdisc/qdisc.json"
ktap_check "pfifo has no timer" interrupts pfifo 1 0
ktap_check "netem: one timer a packet" interrupts netem 2 1
for q in roce "roce ecn" "roce ecn pfc" "roce int" "roce all"; do
	ktap_check "$q: one timer a packet" interrupts "$q" 2 1
done
ktap_check "roce: one more for a sender that waits" interrupts "roce owned" 3 2
ktap_check "a module that does not load is named" refused 1 "loading old.ko" --only qdisc --old /dev/null
scale_small() {
	"$RXE_CC_TOP/tools/bench/hop_scaling.sh" --lab "$out/scale-lab" --out "$out/scale" --rounds 1 --most 16 2>/dev/null
}

# A made-up lab: 1000 hops, and as many microseconds a run as it has flows.
scale() {
	cat >"$out/scale-lab" <<-'END'
		#!/bin/bash
		while [ $# -gt 0 ]; do
			case $1 in
			--out) dir=$2 ;;
			flows=*) flows=${1#flows=} ;;
			esac
			shift
		done
		mkdir -p "$dir/fattree/hpcc/seed1" && cd "$dir/fattree/hpcc/seed1" || exit 1
		echo '{"packet_hops": 1000}' >summary.json
		echo "{\"traffic_s\": ${flows}e-6, \"mem_total_kb\": 7}" >run.json
	END
	chmod +x "$out/scale-lab"
	scale_small >"$out/scale.txt" || return 1
	# 320 flows in networks of 2 and 16 hosts; then 1 to 100 000 flows.
	[ "$(cut -d, -f1-3,6 "$out/scale/scale.csv" | tr '\n' ' ')" = "what,hosts,flows,ns_per_hop hosts,2,320,320.0 hosts,16,320,320.0 flows,16,1,1.0 flows,16,10,10.0 flows,16,100,100.0 flows,16,1000,1000.0 flows,16,10000,10000.0 flows,16,100000,100000.0 " ] &&
		[ -s "$out/scale/scale.png" ]
}

ktap_check "the cost of a hop is time over hops, for each size" scale
ktap_check "unknown part" refused 2 "--only: 'foo'" --only foo
ktap_check "too few rounds" refused 2 "--rounds 5: not a number from 6 to 1000" --only qdisc --rounds 5
ktap_check "an option without its value" refused 2 "--seed needs a value" --seed
ktap_check "an algorithm that is not there" refused 1 "--cc nosuch failed" --only path --rounds 6 --cc nosuch
ktap_check "another checkout that is not there" refused 1 "--old-tree: $out/none/build/bin/lab" --only path --old-tree "$out/none"
ktap_check "same results: nothing to compare with" refused 2 "--same needs --old-tree" --same
ktap_check "a case of another part" refused 2 "--case and --same are not for path" --only path --case two
ktap_check "a case without a scenario" refused 2 "--case: '-x'" --only lab --case -x
ktap_check "lab: the same results, and what only the newer writes" same_more
ktap_check "lab: the first difference is named" same_not
ktap_check "lab: CPU time of all processes; pairs, ratio, cases" speed
ktap_check "lab: a run that fails is named" faked 1 "a run broken --cc none failed, see $out/lab/" a a --case broken --cc none
ktap_check "rxe: instructions a packet, verdicts" instructions
ktap_check "rxe: time by instructions is not for many processors" refused 2 "--icount: one processor only" --backend qemu --icount --cpus 2
ktap_check "an unreadable module" refused 1 "--old: $out/none" --only qdisc --old "$out/none"
ktap_finished
