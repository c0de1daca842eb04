#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: no flow starves under ordinary traffic, all algorithms, [see below](#no-flow-starves);
#   `FULL=1`: every row
#
# No flow starves under ordinary traffic: a pairwise covering array for each algorithm.
#	starve.sh [ALGORITHM|ALGORITHM.ROW...]	quick rows; FULL=1: all
#	starve.sh --list [ALGORITHM...]	the rows, and what is excluded by arithmetic
#	starve.sh --row ALGORITHM.ROW	one row: its command, its figures, its bounds; "ALGORITHM
#		NAME SETTINGS", as --list shows them: one of your own
# In any two factors, any two settings meet in a row (starve_covering_array.awk):
#	rate	1, 10, 25, 40, 100, 400 Gbit/s
#	mtu	1024, 4096
#	msg	messages: even: k packets; odd: k packets and a byte; mixed: every second one has
#		a third of a packet; first: as even, after one of 1 byte
#	n	1, 2, 6, 12, 60, 140 flows
#	place	last: the receiver's link is congested; net: one in the network; both
#	qp	flow: a queue pair each; pair: two flows on each
#	op	WRITE, SEND, READ
#	pfc	on, off
#	mice	0, 1, 16 hosts beside that send 64 bytes again and again
#	rtt	base_rtt told, or measured
#	clock	common, or apart: clock_common
#	preset	those that the algorithm's page recommends
# What a row means in the lab is in starve_row_to_run.awk, with the bounds and where they come from.
#
# The rule. T is the base RTT, P the algorithm's slow period, eta its target. W is 200 T, 20 P or
# the time of 40 packets of each flow, whichever is longest. After W come three windows W.
# (a) The algorithm was in force, see in_force().
# (b) Each flow has in each window 0.1 of eta times its max-min share, and a packet at least;
#     0.01 where the page says that the algorithm has no fixed point or needs longer, or that
#     flows through two full links get less (part_of()).
# (c) Each port that the routes saturate carries 0.5 eta C.
# (d) The mean queue of such a port in the last window is at most bound(), and 1.5 times that of
#     the window before and a packet of each sender. Those that go by marks have no queue below
#     which they are congested but kmin: for them it counts from there.
# (e) Without PFC windows with a timeout are left out, one a flow at most, and reported.
# Then all flows end, and as many finite ones begin; all must complete.
#
# A row that an algorithm cannot pass by its paper's design stands in the algorithm's table on
# Documentation/devel/starvation.md. Such a row must fail: else the page is wrong. starve_open.txt
# has rows that fail and are not mended yet.
. "$(dirname "$0")/../lib/ktap_helpers.sh"

HERE=$(cd "$(dirname "$0")" && pwd)
# All there are, but for what is there to be copied. The control, fixed, goes first.
mapfile -t algos < <(registered_algorithms | grep -vx -e fixed -e template | sed '1i fixed')
QUICK_ROWS=${QUICK_ROWS:-5}
QUICK_COST=${QUICK_COST:-2.2}
JOBS=${STARVE_JOBS:-2}

# recommended ALGO: presets and variants that its page recommends
recommended() {
	case $1 in
	fixed) echo share ;;
	dcqcn | dart | mercury) echo default preset=mlx5 ;;
	hpcc) echo default int_profile=1 ;;
	hpccpp) echo default preset=sparse preset=probe preset=rx preset=fair ;;
	rcc) echo default side=1 ;;
	powertcp) echo default preset=theta ;;
	*) echo default ;;
	esac
}

# named ALGO: rows beside the array, of what once failed. Dart's marks that no CNP answered are in
# algo/dart.sh, beside DCQCN: by DCQCN's own floor those flows are too many for their link.
named() {
	case $1 in
	# Ports that measured over a time of three packets had slow flows give way.
	hpcc) echo hpcc worst_hop int_profile=2 25 1024 even 12 net pair write on 1 measured apart ;;
	rcc) cat <<-END
		rcc chunk65537 default 10 1024 odd 2 net flow write off 0 told common k=64
		rcc chunk65537at25 default 25 1024 odd 2 net flow write off 0 told common k=64
		rcc chunk262145 default 25 4096 odd 2 net flow write off 0 told common k=64
		rcc chunk262145at40 default 40 4096 odd 2 net flow write off 0 told common k=64
		rcc chunk262145at100 default 100 4096 odd 2 net flow write off 0 told common k=64
		rcc byte_first default 10 1024 first 2 net flow write off 0 told common k=64
		rcc ratchet default 100 1024 even 4 net flow write off 0 told common k=64 knob:rtt_window=1ms window=3500000
		rcc small_windows default 10 1024 even 48 net flow write off 0 told common k=64 hosts=8 delay=300
		rcc mice16 default 100 1024 even 1 last flow write off 16 told common
		rcc reads60 default 10 4096 odd 60 net flow read on 16 told common
		END
		;;
	esac
}

# rows ALGO: its array, and named ones
rows() {
	local haul=0
	case $1 in lscc | hpccstar) haul=1 ;; esac
	named "$1"
	awk -v algo="$1" -v presets="$(recommended "$1")" -v haul=$haul \
		-f "$HERE/starve_covering_array.awk"
}

plan() { awk -v dir="${2:-}" -f "$HERE/starve_row_to_run.awk" <<<"$1"; }

# row_of ALGO.ROW
row_of() { rows "${1%%.*}" | awk -v id="${1#*.}" '$1 != "#" && $2 == id'; }

# quick_rows ALGO: the first of the array, of those that are cheap, and named ones if they are not
# three times as expensive
quick_rows() {
	rows "$1" | awk -v costs=1 -f "$HERE/starve_row_to_run.awk" |
		awk -v left="$QUICK_ROWS" -v most="$QUICK_COST" '{
			named = $3 !~ /^[0-9]/
			if ($1 <= most * (1 + 2 * named) && (named || left-- > 0)) {
				sub(/^[^ ]* /, "")
				print
			}
		}'
}

# in_force DIR: did the algorithm do anything
in_force() {
	local d=$1 algo=$2 x
	jq -e '[.notes[] | select(test("without control"))] == []' "$d/summary.json" >/dev/null ||
		{ echo "(a) $(jq -r '.notes[]' "$d/summary.json" | grep "without control")"; return 1; }
	case $algo in
	fixed) return 0 ;;
	dcqcn | lscc) x=$(jq '.cnp.handled > 0' "$d/summary.json") ;;
	mercury) # the window of a flow alone may be all that is needed
		x=$(jq '.cnp.handled > 0' "$d/summary.json")
		[ "$x" = true ] || x=$(awk -F, 'FNR > 1 && $5 > 0 { print "true"; exit }' "$d/rates.csv") ;;
	rcc) # a flow alone may be told the same from the start
		x=$(awk -F, '$3 == "told" && $4 > 0 { print "true"; exit }' "$d/state.csv") ;;
	nscc) # a flow alone may keep its first window, but measures
		x=$(awk -F, '$3 == "delay_ns" && $4 > 0 { print "true"; exit }' "$d/state.csv") ;;
	dart) # a number of senders was told
		x=$(awk -F, '$3 == "n" && $4 > 0 { print "true"; exit }' "$d/state.csv") ;;
	*) # rates or windows moved
		x=$(awk -F, 'FNR > 1 { k = $4 "," $5; if ($2 in was && was[$2] != k) { print "true"; exit }
			was[$2] = k }' "$d/rates.csv") ;;
	esac
	[ "$x" = true ] || { echo "(a) $algo was not in force"; return 1; }
}

# row_run ROW DIR: figures, then what is wrong
row_run() {
	# shellcheck disable=SC2034 # some are read by their names only
	local d rc=0 vars cc scenario sets T_ns P_ns W_ns n eta part ports queue_bound queue_from pfc
	local timeouts p u args=() v
	mkdir -p "$2"
	vars=$(plan "$1" "$2") || return 1
	eval "$vars"	# what starve_row_to_run.awk prints
	# shellcheck disable=SC2086
	[ -z "$SHOW" ] || echo "lab run $scenario --cc $cc$sets --set flows_file=FILE"
	# shellcheck disable=SC2086
	"$LAB" run "$scenario" --cc "$cc" $sets --set flows_file="$2/flows.csv" --out "$2/r" \
		>"$2/log" 2>&1 </dev/null || rc=$?
	d=$2/r/$scenario/${cc//\//_}/seed1
	[ -r "$d/summary.json" ] || { tail -n 5 "$2/log"; return 1; }
	[ -z "$SHOW" ] || echo "T $T_ns ns, P $P_ns ns, W $W_ns ns, eta $eta, part $part, queue at most $queue_bound"
	timeouts=$(jq .window.timeouts "$d/summary.json")
	for v in W_ns sample_ns n mice eta part steps unit packet scale ports queue_bound queue_from pfc \
		timeouts; do
		args+=(-v "$v=${!v}")
	done
	v=0
	awk "${args[@]}" -f "$HERE/starve_check_run.awk" "$2/shares" "$d/rates.csv" "$d/queues.csv" || v=1
	in_force "$d" "${1%% *}" || v=1
	for p in $ports; do
		u=$(jq ".window.ports[\"$p\"].utilization" "$d/summary.json")
		echo "$p utilization $u"
		awk -v u="$u" -v eta="$eta" 'BEGIN { exit u == "null" || u < 0.5 * eta }' ||
			{ echo "(c) $p: utilization $u below 0.5 of $eta"; v=1; }
	done
	[ "$timeouts" -eq 0 ] || echo "$timeouts timeouts in the windows"
	if [ "$timeouts" -gt 0 ] && { [ "$pfc" = on ] || [ "$timeouts" -gt "$n" ]; }; then
		echo "(e) $timeouts timeouts, pfc $pfc, $n flows"
		v=1
	fi
	if [ "$rc" -ne 0 ]; then
		sed -n 's/^lab: /(f) /p' "$2/log" | head -n 2
		v=1
	fi
	return $v
}

# does_not_work ROW: is it in its algorithm's table of starvation.md, by its number or name, or by
# settings that it has: `timely.17`, `op=read`, `op=read n=60`; a line may have several of these,
# with commas between
does_not_work() {
	awk -v row="$1" 'BEGIN {
			split("algo id preset rate mtu msg n place qp op pfc mice rtt clock", name, " ")
			for (i = split(row, word, " "); i > 0; i--)
				has[name[i] "=" word[i]] = 1
			has[word[1] "." word[2]] = 1
		}
		/^#/ { on = $1 == "##" && $2 == word[1] }
		on && /^\| `/ {
			gsub(/^\| | \|.*|`/, "")
			for (j = split($0, rows, ", "); j > 0; j--) {
				all = n = split(rows[j], want, " ")
				for (i = 1; i <= n; i++)
					all -= want[i] in has
				found += n && !all
			}
		}
		END { exit !found }' "$RXE_CC_TOP/Documentation/devel/starvation.md"
}

# one ROW: runs it, leaves its verdict in $LAB_OUT/ALGO.ROW
one() {
	local row=$1 id algo rc=0
	read -r algo id _ <<<"$row"
	row_run "$row" "$LAB_OUT/$algo.$id.d" >"$LAB_OUT/$algo.$id.text" 2>&1 || rc=$?
	rm -rf "$LAB_OUT/$algo.$id.d"
	echo "$rc" >"$LAB_OUT/$algo.$id"
}

# open_row ALGO.ROW: what is seen of it, if it is in starve_open.txt
open_row() {
	awk -F '\t' -v row="$1" '$1 == row { print $2; found = 1 } END { exit !found }' "$HERE/starve_open.txt"
}

verdict() {
	local algo id rest rc seen
	read -r algo id rest <<<"$1"
	rc=$(cat "$LAB_OUT/$algo.$id" 2>/dev/null || echo 1)
	if does_not_work "$1"; then
		if [ "$rc" -ne 0 ]; then
			sed 's/^/# /' "$LAB_OUT/$algo.$id.text"
			ktap_test_xfail "$algo.$id: $rest"
			return
		fi
		ktap_print_msg "passes, but starvation.md says that it does not work"
		ktap_test_fail "$algo.$id: $rest"
		return
	fi
	sed 's/^/# /' "$LAB_OUT/$algo.$id.text"
	if seen=$(open_row "$algo.$id"); then
		if [ "$rc" -ne 0 ]; then
			ktap_print_msg "open: $seen"
			ktap_test_xfail "$algo.$id: $rest"
			return
		fi
		ktap_print_msg "passes, but starve_open.txt has it"
		rc=1
	fi
	if [ "$rc" -eq 0 ]; then ktap_test_pass "$algo.$id: $rest"; else ktap_test_fail "$algo.$id: $rest"; fi
}

main() {
	local row all=() i
	for row in "$@"; do
		if [[ $row == *.* ]]; then
			mapfile -t -O "${#all[@]}" all < <(row_of "$row")
		elif [ "${FULL:-}" ]; then
			mapfile -t -O "${#all[@]}" all < <(rows "$row" | grep -v '^#')
			rows "$row" | grep '^#'
		else
			mapfile -t -O "${#all[@]}" all < <(quick_rows "$row")
		fi
	done
	(
		for row in "${all[@]}"; do
			while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n; done
			one "$row" &
		done
		wait
	) &
	# Results in order, as they come.
	for row in "${all[@]}"; do
		i=$(awk '{ print $1 "." $2 }' <<<"$row")
		while [ ! -e "$LAB_OUT/$i" ] && kill -0 $! 2>/dev/null; do sleep 0.2; done
		verdict "$row"
	done
	wait
}

# known NAME...: all of them are algorithms, or rows of them
known() {
	local a
	for a; do
		[[ " ${algos[*]} " == *" ${a%%.*} "* ]] ||
			{ echo "starve.sh: no algorithm \"${a%%.*}\"; those here: ${algos[*]}" >&2; exit 2; }
		[[ $a != *.* || $(row_of "$a") ]] ||
			{ echo "starve.sh: no row \"$a\"; --list ${a%%.*} shows them" >&2; exit 2; }
	done
}

SHOW=
case ${1:-} in
-h | --help)
	sed -n '4,/^#.*NAME SETTINGS/s/^# \{0,1\}//p' "$0"
	exit
	;;
--list)
	shift
	known "$@"
	[ $# -gt 0 ] && algos=("$@")
	for a in "${algos[@]}"; do rows "$a"; done
	exit
	;;
esac
. "$HERE/../lib/lab_lib.sh"
if [ "${1:-}" = --row ]; then
	SHOW=1
	row=${2:-}
	[[ $row == *\ * ]] || row=$(row_of "${2:-}")
	[ -n "$row" ] || { echo "starve.sh: no row \"${2:-}\"; --list ALGORITHM shows them" >&2; exit 2; }
	echo "$row"
	row_run "$row" "${KEEP:-$LAB_OUT/row}"
	exit
fi
known "$@"
[ $# -gt 0 ] && algos=("$@")
ktap_print_header
main "${algos[@]}"
ktap_finished
