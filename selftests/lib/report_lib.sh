# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What tests of "lab report" share: the programs they need and a directory that
# goes away with them; sourced first, by a test in this directory.
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"

# shellcheck disable=SC2034 # for the tests
lab=$RXE_CC_BUILD/bin/lab
ktap_print_header
[ -x "$lab" ] || ktap_skip_all "no build/bin/lab: make tools"
command -v jq >/dev/null || ktap_skip_all "jq: not installed"
command -v gnuplot >/dev/null || ktap_skip_all "gnuplot: not installed"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# points CSV [PANEL [CC [SERIES]]]: a picture's rows without the words before them. With
# other columns in front, CSV [WORD...]; "" is any.
points() {
	awk -F , -v a="${2-}" -v b="${3-}" -v c="${4-}" 'NR > 1 && NF &&
		(a == "" || $1 == a) && (b == "" || $2 == b) && (c == "" || $3 == c)' "$1" |
		cut -d , -f 4- | sed 's/,*$//'
}

# elements GP ARRAY: of an array that a picture is drawn from, one a line
elements() {
	sed -n "s/^array $2\\[[0-9]*\\] = \\[\\(.*\\), NaN\\]\$/\\1/p" "$1" | sed 's/", "/"\n"/g; /^"/!s/, /\n/g'
}

# aligned GP PANELS: so many panels have the same left end and width
aligned() {
	[ "$(elements "$1" panel_x | wc -l)" = "$2" ] &&
		[ "$(elements "$1" panel_x | sort -u | wc -l)" = 1 ] &&
		[ "$(elements "$1" panel_w | sort -u | wc -l)" = 1 ]
}
