#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: RCC and Dart: WRITEs, SENDs and READs to one port, several queue pairs of a host, messages
#   of a byte and of 570 windows: shares, and nothing counted at the end
#
# Receiver-driven algorithms and all operations at once, several queue pairs a pair of hosts.
#
# share	h0 receives five messages: three WRITEs of h1, one SEND of h2, and what it READs from
#	h3. rcc gives each queue pair a fifth of eta of the line, 95 Gbit/s; dart each host a
#	third of the line, which the queue pairs of h1 divide. The sizes are in proportion to these
#	shares, so that all end at the same time and no share changes before. So the end is known:
#	the wire bytes that h0 receives take SUM / 95 or SUM / 100 Gbit/s.
#	All begin at line rate. Three hosts send for one T = 4.2 us before the first feedback, so the
#	queue is 2 C T, which takes 2 T. A flow of READs or of the slowest host is late by as much,
#	and by the last round trip: 4 T, of 1.6 ms or more. dart's rate for a host is also wrong
#	for as long as the host is counted late. 3 % are allowed.
# lengths Messages of less than a packet, by SEND and READ, beside one of 30 MB, which is 570 windows.
# Both end with nothing counted at any port.
. "$(dirname "$0")/../lib/lab_lib.sh"

# plan FLOWS: for flowgen, into $LAB_OUT/plan.json
plan() {
	cat >"$LAB_OUT/plan.json" <<-END
		{ "mtu": 1024, "gid": "ipv4", "lead_ns": 20000000, "depth": 16, "chunk_bytes": 65536,
		  "verify": true, "flows": [ $1 ] }
	END
}

flow() { echo "{\"src\":\"rxe_$1\",\"dst\":\"rxe_$2\",\"op\":\"$3\",\"bytes\":$4${5:+,$5}}"; }

# run CC: the plan among four hosts; what is counted afterwards
run() {
	"$LAB" shell star --set n=4 --clock virtual --cc "$1" >"$LAB_OUT/out" 2>&1 <<-END
		rm -rf "$LAB_OUT/flows"
		flowgen run "$LAB_OUT/plan.json" --out "$LAB_OUT/flows" || exit 1
		sleep 0.1
		rxecc -j dev show >"$LAB_OUT/dev.json" && rxecc -j -d qp show >"$LAB_OUT/qp.json"
	END
	local rc=$?
	[ "$rc" -eq 0 ] || { echo "status $rc"; tail -n 20 "$LAB_OUT/out"; return 1; }
}

shared() {
	local third=$2
	plan "$(flow h1 h0 write 4000000), $(flow h1 h0 write 4000000), $(flow h1 h0 write 4000000),
		$(flow h2 h0 send $third), $(flow h0 h3 read $third)"
	run "$1"
}

lengths() {
	plan "$(flow h1 h0 send 20000 '"chunk_bytes":100'), $(flow h0 h3 read 20000 '"chunk_bytes":64'),
		$(flow h1 h0 write 20000 '"chunk_bytes":1'),
		$(flow h2 h0 write 30000000 '"chunk_bytes":30000000')"
	run "$1"
}

complete() {
	awk -F, '
		$1 == "id" { for (i = 1; i <= NF; i++) col[$i] = i; next }
		{ n++; if ($col["status"] != "ok") { print; bad = 1 } }
		END { if (n != '"$1"') { print n " flows"; bad = 1 } exit bad }' "$LAB_OUT/flows/flows.csv"
}

# ends_together BPS WIRE: each flow ends when all that h0 receives has come at this rate, a packet of
# 1024 bytes as so many on the wire.
ends_together() {
	awk -F, -v bps="$1" -v wire="$2" '
		$1 == "id" { for (i = 1; i <= NF; i++) col[$i] = i; next }
		{ sum += $col["bytes"]; fct[n++] = $col["fct_ns"] }
		END {
			want = sum * wire / 1024 * 8e9 / bps
			for (i = 0; i < n; i++) {
				printf "flow %d: %.0f us, expected %.0f\n", i, fct[i] / 1e3, want / 1e3
				if (fct[i] < want * 0.97 || fct[i] > want * 1.03) bad = 1
			}
			exit bad || n != 5
		}' "$LAB_OUT/flows/flows.csv"
}

# Counted somewhere, once: the devices have it.
nothing_counted() {
	local left
	left=$(jq -c '[.[] | select(.rx) | .rx | select(.msgs != 0 or .msgs_all != 0 or .senders != 0)]' \
		"$LAB_OUT/dev.json")
	[ "$(jq '[.[] | select(.rx)] | length' "$LAB_OUT/dev.json")" -ge 1 ] || { echo "no port counts"; return 1; }
	[ "$left" = "[]" ] || { echo "$left"; return 1; }
}

ktap_print_header
ktap_check "rcc: five queue pairs of three hosts by WRITE, SEND and READ" shared rcc 4000000
ktap_check "rcc: all complete" complete 5
ktap_check "rcc: each queue pair has a fifth of eta" ends_together 95e9 1130
ktap_check "rcc: nothing is counted any more" nothing_counted
ktap_check "dart: the same" shared dart 12000000
ktap_check "dart: all complete" complete 5
ktap_check "dart: each host has a third of the line, its queue pairs divide it" ends_together 100e9 1106
ktap_check "dart: nothing is counted any more" nothing_counted
for cc in rcc dart; do
	ktap_check "$cc: messages below a packet beside one of 570 windows" lengths $cc
	ktap_check "$cc: all complete" complete 4
	ktap_check "$cc: nothing is counted any more" nothing_counted
done
ktap_finished
