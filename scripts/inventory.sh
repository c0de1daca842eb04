#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Everything that users can name, one a line: commands and their options, scenarios and keys,
# algorithms with parameters, presets and commands, knobs, counters, sysfs files, trace
# events and their fields, words of "tc ... roce" and names in its JSON, columns and JSON paths
# of result files, words of flow plans and job files.
#   inventory.sh [DIR]            of the built checkout DIR (default: this one)
#   inventory.sh --compare A B    what B has no more (-) and has besides (+) of what A
#                                 printed, both files; exit 1 if anything is lost
# Starts the lab kernel twice. The algorithm for tests is left out.
set -u
. "$(dirname "$0")/common.sh"
export LC_ALL=C

compare() {
	local lost
	lost=$(comm -23 <(sort -u "$1") <(sort -u "$2"))
	comm -13 <(sort -u "$1") <(sort -u "$2") | sed 's/^/+ /'
	[ -z "$lost" ] || { sed 's/^/- /' <<<"$lost"; return 1; }
}

case ${1:-} in
-h | --help) usage; exit 0 ;;
--compare) [ $# -eq 3 ] || misuse "--compare needs two files"; compare "$2" "$3"; exit ;;
-*) misuse "unknown option \"$1\"" ;;
esac
tree=$(cd "${1:-$top}" && pwd) || exit 1
bin=$tree/build/bin
[ -x "$bin/lab" ] && [ -e "$tree/build/uml-lab/rxe_cc.ko" ] || die "$tree is not built: make lab-tests there"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# under WORD: each line behind that word
under() { sed "s/^/$1 /"; }

# Options that a help text on standard input names.
words() { grep -oE -- '(^|[ ,|[])(-[A-Za-z]|--[a-z][a-z-]*)\b' | tr -d ' ,|[' | sort -u; }

# Paths of a JSON document; all entries of a list are one.
paths() { jq -r 'paths | map(if type == "number" then "[]" else . end) | join(".")' "$@" | sort -u; }

options() {
	local c
	for c in '' list run exec flows sweep paper replay report version shell perftest judge; do
		# shellcheck disable=SC2086 # '' is no argument
		"$bin/lab" $c --help 2>&1 | words | under "lab${c:+ $c}"
	done
	"$bin/lab" --help | sed -n 's/^  \([a-z]*\)  .*/lab command \1/p'
	for c in rxecc flowgen bench; do
		"$bin/$c" --help 2>&1 | words | under "$c"
	done
	for c in client server; do
		"$bin/flowgen" "$c" --help 2>&1 | words | under "flowgen $c"
	done
	for c in rxe qdisc path lab; do "$bin/bench" "$c" --help 2>&1; done | words | under "bench"
	"$bin/rxecc" help 2>&1 | sed -n 's/^ *rxecc \(.*\)/rxecc command \1/p'
}

scenarios() {
	"$bin/lab" list -j | jq -r '.[] | .name as $s | if .keys then "scenario \($s)", (.keys[] | "key \($s) \(.name) \(.unit) \(.default)") else "list \($s)" end'
}

# In the lab kernel: a device, and a port with INT responses, Mercury and ECN.
kernel() {
	cat <<-'END' >"$tmp/inside"
		export PATH=$1:$PATH TC_LIB_DIR=$2
		set -e
		ip link add v0 type veth peer name v1
		ip addr add 10.0.0.1/24 dev v0; ip link set v0 up; ip link set v1 up
		rdma link add r0 type rxe netdev v0
		rxecc -j algo show | jq -r '.[] | select(.algo | . != "testalg" and . != "probe") | .algo as $a | "algorithm \($a)",
			((.params // {}) | keys[] | "parameter \($a) \(.)"), ((.presets // {}) | if type == "array" then .[] | (.name? // .) else keys[] end | "preset \($a) \(.)"),
			((.commands // {}) | keys[] | "command \($a) \(.)"), ((.signals // [])[] | "signal \($a) \(.var? // .name?)")'
		rxecc -j dev show r0 | jq -r '.[0] | (paths | map(if type == "number" then "[]" else . end) | join(".") | "dev \(.)")' | sort -u
		rdma -j statistic show link r0/1 | jq -r '.[0] | keys[] | "statistic \(.)"'
		(cd /sys/class/infiniband/r0/ports/1/cc && find . -type f | sed 's,^\./,sysfs ,')
		for e in /sys/kernel/tracing/events/rxe_cc/*/format /sys/kernel/tracing/events/roce/*/format; do
			n=${e%/format}
			sed -n 's/.*field:\(.*\);\toffset.*/\1/p' "$e" | grep -v common_ | sed "s,^,trace ${n##*events/} ,"
		done
		tc qdisc add dev v1 root roce help 2>&1 | grep -oE '^  [a-z][a-z0-9-]+' | tr -d ' ' | sort -u | sed 's/^/tc /'
		tc qdisc add dev v1 root roce rate 10gbit switch 1 buffer 4mb delay 1us prio 3 lossless on ecn off int-response 100kb mercury 100kb prio 4 ecn enqueue
		tc -j -s qdisc show dev v1 | jq -r '.[0] | (paths | map(if type == "number" then "[]" else . end) | join(".") | "tc json \(.)")' | sort -u
	END
	local m mods='rxe_cc rdma_rxe sch_roce roce_cc_lib'
	for m in "$tree"/build/uml-lab/rxe_cc_*.ko; do
		m=${m##*/}
		case $m in *_kunit.ko | *_events.ko | *_probe.ko | *_testalg.ko) continue ;; esac
		mods+=" ${m%.ko}"
	done
	"$tree/scripts/uml-exec.sh" --real --modules "$mods" -- bash "$tmp/inside" "$bin" "$tree/build/tc" ||
		die "the lab kernel failed"
}

results() {
	local d cc f
	f=$tree/tools/lab/common/csv_column_rows.h
	[ ! -e "$f" ] || awk -F\" '/^TABLE/ { file = /TABLE_RESULT/ ? $2 : "" }
		/^(COLUMN|OPTIONAL)\(/ && file { print "column", file, $2 }' "$f"
	"$bin/lab" run two --cc dcqcn,hpcc,rcc,dart,lscc --set size=200kb --set sample=10us --events --out "$tmp/r" >/dev/null ||
		die "a run failed"
	for d in "$tmp"/r/two/*/seed1; do
		cc=$(basename "$(dirname "$d")")
		for f in "$d"/*.csv; do grep -m 1 -v "^#" "$f" | tr ',' '\n' | under "column ${f##*/}"; done
		for f in "$d"/*.json; do paths "$f" | under "json $cc ${f##*/}"; done
	done
}

plans() {
	sed -nE 's/^\t*[A-Z_]+\(([a-z_0-9]+), K_.*/plan \1/p' "$tree"/tools/flowgen/*.c
	sed -nE 's/^K\([A-Z_0-9]+, ([A-Z]+), "([^"]+)".*/job \2/p' "$tree/tools/lab/common/job_file_keys.h" | sort -u
}

{ options; scenarios; kernel; results; plans; } | sort -u
