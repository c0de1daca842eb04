#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: a flow whose window is below a packet goes on when a queue has gone
#
# A window below a packet after a queue has gone: one round trip of the pace is the last, the
# others are those of the idle path.
#
# h1 has a window of a quarter packet (277 of 1106 bytes) to h0, so a packet goes every four round
# trips. 100 us after its start h2 and h3 send 5 MB each to h0 at line rate: 5 MB stand at the
# switch at most, for R = 432 us with headers, and all is gone 864 us after their start. A packet
# that meets this queue has a round trip of at most R and the idle path's T, and the next one goes
# 3 T after that. Later no packet meets a queue and each takes 4 T:
#	100 us + 864 us + R + 4 T + 99 x 4 T
# for 100 packets with T = 4.2 us: 3.1 ms. What h1 sends besides is 11 us of the line. With the last
# round trip for all four it is 4.4 ms, with smoothed ones, which forget an eighth a packet,
# 4 R x 8 = 14 ms alone.
. "$(dirname "$0")/../lib/lab_lib.sh"

# 100 packets in messages of one
cat >"$LAB_OUT/plan.json" <<-END
	{ "mtu": 1024, "lead_ns": 20000000, "depth": 128, "flows": [
	  { "src": "rxe_h1", "dst": "rxe_h0", "op": "send", "bytes": 102400, "chunk_bytes": 102400 },
	  { "src": "rxe_h2", "dst": "rxe_h0", "op": "send", "bytes": 5000000, "start_ns": 100000 },
	  { "src": "rxe_h3", "dst": "rxe_h0", "op": "send", "bytes": 5000000, "start_ns": 100000 } ] }
END

run() {
	"$LAB" shell star --set n=4 --clock virtual --cc fixed --param window=277 >"$LAB_OUT/out" 2>&1 <<-END
		rxecc dev set rxe_h2 algo none && rxecc dev set rxe_h3 algo none &&
			flowgen run "$LAB_OUT/plan.json" --out "$LAB_OUT/flows"
	END
	local rc=$?
	[ "$rc" -eq 0 ] || { echo "status $rc"; tail -n 20 "$LAB_OUT/out"; return 1; }
}

fct() {
	awk -F, -v id="$1" '$1 == "id" { for (i = 1; i <= NF; i++) col[$i] = i; next }
		$1 == id { print $col["fct_ns"] }' "$LAB_OUT/flows/flows.csv"
}

# Both bursts together take 864 us of the line, a start and an ACK.
queue() { is "$(fct 1)" ">=" 840000 && is "$(fct 2)" "<=" 900000; }

ktap_print_header
ktap_check "a flow with a window of a quarter packet, a queue that comes and goes" run
ktap_check "the queue was there for 864 us" queue
ktap_check "the flow goes on at four round trips a packet" is "$(fct 0)" "<=" 3100000
ktap_check "... and not before" is "$(fct 0)" ">=" $((99 * 4 * 4190))
ktap_finished
