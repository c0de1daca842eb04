#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `lab run --clock real --top`: reports of rates, queues and pauses while the traffic runs, then
#   the table as ever; refused where there is nothing to watch
#
# 20 MB at 100 Mbit/s take 1.6 s at least, and the first report comes after one. What it says of a
# device and of a port is not known, but that something was sent.
# Alone: real time
. "$(dirname "$0")/../lib/lab_lib.sh"

watched() {
	"$LAB" run two --cc dcqcn --set rate=100mbit --set size=20mb --clock real --beyond --top \
		--out "$LAB_OUT/top" >"$LAB_OUT/text" 2>"$LAB_OUT/err" </dev/null ||
		{ tail -n 20 "$LAB_OUT/text" "$LAB_OUT/err"; return 1; }
}

reports() {
	grep -c '^after .*, of the last ' "$LAB_OUT/text" &&
		awk '$1 == "rxe_h0/1" && $2 == "dcqcn" && $4 != "0bit" { dev = 1 }
			$1 == "sw:h1" && $2 != "0bit" { port = 1 }
			END { exit !(dev && port) }' "$LAB_OUT/text"
}

# Where that is no terminal there is nothing but text.
plain() { ! grep -q $'[\033\r]' "$LAB_OUT/text"; }

# Reports end with the traffic: behind the last one are the results.
then_results() {
	awk '/^after /{ last = NR } /^dcqcn\/1 / { row = NR } END { exit !(last && row > last) }' \
		"$LAB_OUT/text" && jq -e '.flows.completed == 1' \
		"$LAB_OUT/top/two/dcqcn/seed1/summary.json" >/dev/null
}

refused() {
	ends 2 "$LAB" run two --top --out "$LAB_OUT/no" &&
		grep -q "^lab: --top: with --clock real" "$LAB_OUT/err" &&
		ends 2 "$LAB" run two --backend qemu --top --out "$LAB_OUT/no" &&
		ends 2 "$LAB" run two --clock real --top --json --out "$LAB_OUT/no" &&
		ends 2 "$LAB" shell two --top && grep -q "rxecc top -a" "$LAB_OUT/err" &&
		[ ! -e "$LAB_OUT/no" ]
}

ktap_print_header
if ktap_check "a run that is watched" watched; then
	ktap_check "reports of a device and a port" reports
	ktap_check "no control characters" plain
	ktap_check "then the results" then_results
fi
ktap_check "refused elsewhere" refused
ktap_finished
