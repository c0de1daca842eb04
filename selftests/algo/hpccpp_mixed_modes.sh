#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: HPCC++ with different modes at the two ends, a row for every mix, and with different T: the
#   port is full, its queue is short, the right end computes; `FULL=1`: modes that are no preset
#
# HPCC++ with a mode of its own at each end: every mix of modes at the senders and at the
# receiver, each a row, and T that differs. Four long flows into one port, or one; from 300 us
# (70 round trips) after the start on for 400 us.
#
# Each row must fill the port and keep its queue short, as modes that are alike at both ends do
# (hpccpp.sh has the same bounds): eta is 0.95, and 3 points less where telemetry comes once in a
# round trip; a mean queue of at most 5 packets. A sender that hears nothing keeps its window of
# line rate times T, which is a queue of three windows, 140 packets, here. A receiver tells
# windows up to its line rate times its T: one flow whose sender takes them for its own T, twice
# as long, has half the line.
#
# And what is in force is what both ends can do: with rx at both all senders go by windows, and
# nothing is echoed. Otherwise telemetry comes back and no window does, asked for or not.
# int_mode acts at the sender only. FULL=1: at the receiver, too, and parameters that are no
# preset.
. "$(dirname "$0")/../lib/lab_lib.sh"

HERE=$(dirname "$0")
MODES="draft int_mode=1,max_stage=3 int_mode=2,max_stage=1 rx=1 n_auto=1"
RECEIVERS="draft rx=1 n_auto=1"
if [ -n "${FULL:-}" ]; then
	MODES+=" rx=1,int_mode=1,max_stage=3 rx=1,n_auto=1"
	RECEIVERS=$MODES
fi

rows() {
	local s r
	for s in $MODES; do
		for r in $RECEIVERS; do
			echo "$s $r 1 1 4"
		done
	done
	for r in 1 4; do
		echo "rx=1 rx=1 2 1 $r"
		echo "rx=1 rx=1 1 2 $r"
	done
}

run() {
	{ echo "ROWS='$(rows)'"; cat "$HERE/hpccpp_mixed_modes_guest.sh"; } >"$LAB_OUT/guest.sh"
	PATH=$RXE_CC_BUILD/bin:$PATH "$LAB" shell incast --clock virtual --cc hpccpp --set n=4 \
		<"$LAB_OUT/guest.sh" >"$LAB_OUT/rows" 2>"$LAB_OUT/err" ||
		{ tail -n 5 "$LAB_OUT/err" "$LAB_OUT/rows"; return 1; }
	if grep -v '^row ' "$LAB_OUT/rows"; then
		return 1
	fi
	is "$(wc -l <"$LAB_OUT/rows")" "==" "$(rows | wc -l)"
}

has_rx() { [[ ,$1, = *,rx=1,* ]]; }

# good SENDERS RECEIVER N QUEUE UTILIZATION ECHOES UNUSED TOLD DONE
good() {
	local n=$3 queue=$4 util=$5 echoes=$6 unused=$7 told=$8 done=$9
	echo "queue $queue, utilization $util, echoes $echoes, not asked for $unused, told $told, done $done of $n"
	is "$done" "==" "$n" && is "$queue" "<=" 5530 && is "$util" ">=" 920 && is "$unused" "==" 0 || return
	if has_rx "$1" && has_rx "$2"; then
		is "$told" "==" "$n" && is "$echoes" "==" 0
	else
		is "$told" "==" 0 && is "$echoes" ">=" 100
	fi
}

ktap_print_header
ktap_check "all rows run" run
while read -r _ s r t_s t_r n figures; do
	# shellcheck disable=SC2086 # words
	ktap_check "senders $s, receiver $r, T $t_s and $t_r, $n flows" good "$s" "$r" "$n" $figures
done < <(grep "^row " "$LAB_OUT/rows")
ktap_finished
