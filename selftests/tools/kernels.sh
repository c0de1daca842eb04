#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the table of kernels on the page is that of `tools/qemu/kernels.sh`, which boots none here
#
# tools/qemu/kernels.sh without a guest: what it refuses, the table that it makes of results, and
# that the page has this table's rows and kernels.
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"

kernels=$RXE_CC_TOP/tools/qemu/kernels.sh
page=$RXE_CC_TOP/Documentation/guide/kernels.md
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export RXE_CC_CACHE=$tmp/cache

# refuses MESSAGE ARGUMENT...: status 2, nothing is made
refuses() {
	local rc=0
	"$kernels" "${@:2}" >"$tmp/out" 2>&1 || rc=$?
	[ $rc -eq 2 ] && grep -qF -- "$1" "$tmp/out" && [ ! -e "$RXE_CC_CACHE" ] || { cat "$tmp/out"; return 1; }
}

# Nothing was run: each row but the first says so, in each column. Nothing is fetched for that.
nothing_was_run() {
	"$kernels" --table >"$tmp/out" || return 1
	[ "$(tail -n +3 "$tmp/out" | grep -vc '^|[^|]*|\( not run |\)*$')" -eq 0 ] &&
		[ "$(wc -l <"$tmp/out")" -gt 10 ] && [ ! -e "$RXE_CC_CACHE/apt" ] || { cat "$tmp/out"; return 1; }
}

# shows COLUMN ROW VALUE
shows() {
	local value
	value=$(awk -F ' *[|] *' -v row="$2" -v column="$1" '$2 == row { print $(column + 2) }' "$tmp/out")
	[ "$value" = "$3" ] || { echo "$2: \"$value\", not \"$3\""; return 1; }
}

# Results of a check are counted by the words that they begin with.
results_are_counted() {
	local dir=$RXE_CC_CACHE/kernels/trixie-backports-7.3
	mkdir -p "$dir/results" && printf '%s\n' /none 7.3.9-1 7.3.9-amd64 >"$dir/release" &&
		printf '%s\n' 'hooks 44' 'fixes 1-a 2-b 3-c' 'has ' >"$dir/results/report" &&
		printf '%s\n' '# Linux 7.3.9, tc utility, iproute2-6.15.0' 'ok 1 tc: fits' 'ok 2 switch: PFC' \
			'not ok 3 switch: INT, under hpcc' 'ok 4 removal: of a link under load' \
			'not ok 5 removal: of a netdev under load' >"$dir/results/switch" &&
		echo 'an error' >"$dir/results/pair" && "$kernels" --table >"$tmp/out" || return 1
	shows 2 kernel 7.3.9-1 && shows 1 kernel 6.12 && shows 2 hooks 44 && shows 2 "fixes of rxe that are applied" 3 &&
		shows 2 "fixes that the kernel has itself" none && shows 2 "plug-in in tc" "1 of 1, iproute2 6.15.0" &&
		shows 2 "PFC: pauses, nothing lost" "1 of 1" && shows 2 "INT under hpcc" "0 of 1" &&
		shows 2 "removal under load: device, netdev, namespace, port" "1 of 2" && shows 1 "INT under hpcc" "not run" &&
		shows 2 "perftest, two guests: dcqcn" failed && shows 2 modules "not run"
}

first_column() { sed -n 's/^| \([^|]*\) |.*/\1/p'; }

page_has_it() {
	rm -rf "$RXE_CC_CACHE"
	sed -n '/<!-- tools\/qemu\/kernels.sh -->/,/^$/p' "$page" | grep '^|' >"$tmp/page"
	"$kernels" --table >"$tmp/out" && diff <(first_column <"$tmp/out") <(first_column <"$tmp/page") || return 1
	# Each column is of the kernel of that place in the list.
	"$kernels" --list | sed 's/.*://' >"$tmp/list"
	head -n 1 "$tmp/page" | tr '|' '\n' | sed -n '3,$s/^ *\([0-9]*\.[0-9]*\).*/\1/p' | diff - "$tmp/list"
}

ktap_print_header
ktap_check "a kernel that is none" refuses '"7.3" is not SUITE:SERIES' 7.3
ktap_check "a check that there is not" refuses '--only "boot": one of build smoke' --only boot
ktap_check "jobs" refuses '--jobs "x": a number' --jobs x
ktap_check "nothing was run" nothing_was_run
ktap_check "results are counted" results_are_counted
ktap_check "the page has the table" page_has_it
ktap_finished
