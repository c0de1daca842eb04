#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Make the manual pages, build/man/*.[18], from what the tools say of themselves.
#   man.sh
# "--help" is the one text that is kept; a page has that, by help2man, and what a
# page needs besides. rxecc.8 is written by hand. Needs the tools (make tools) and
# help2man.
set -u
. "$(dirname "$0")/common.sh"
[ $# -eq 0 ] || { usage >&2; [[ $1 == -h || $1 == --help ]]; exit; }
out=$build/man
bin=$build/bin
version=$(sed -n 's/^#define RXE_CC_VERSION[[:space:]]*"\(.*\)"/\1/p' "$top/include/rxe_cc/version.h")
[ -n "$version" ] || die "include/rxe_cc/version.h: no version"
for f in lab flowgen; do
	[ -x "$bin/$f" ] || die "$bin/$f is missing: make tools"
done
command -v help2man >/dev/null || die "help2man is missing: scripts/install-packages.sh install"
# help2man dates a page; the same sources give the same page.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/CHANGELOG.md")}
export SOURCE_DATE_EPOCH
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
rm -rf "$out"
mkdir -p "$out" || exit 1

# see PAGE...: the last section
see() {
	local p
	printf '[SEE ALSO]\n'
	for p; do
		printf '.BR %s (%s)%s\n' "${p%.*}" "${p##*.}" "$([ "$p" = "${!#}" ] || echo ,)"
	done
}

# page NAME.SECTION SUMMARY SEE-ALSO COMMAND...: of a command whose help has the usual form
page() {
	local name=${1%.*} section=${1##*.} summary=$2 also=$3
	shift 3
	# The page has the name of what help2man runs.
	printf '#!/bin/sh\nexec %s 2>&1\n' "$*" >"$tmp/$name"
	chmod +x "$tmp/$name"
	# shellcheck disable=SC2086 # words
	see $also >"$tmp/include"
	help2man -N -s "$section" -n "$summary" -i "$tmp/include" \
		--version-string="$version" -S rxe-cc -o "$out/$name.$section" "$tmp/$name" ||
		die "$name.$section: help2man failed"
}

# own NAME.SECTION SEE-ALSO COMMAND...: of a command whose help has a page's sections
own() {
	local name=${1%.*} section=${1##*.} also=$2
	shift 2
	# shellcheck disable=SC2086 # words
	"$@" | awk -v title="${name^^}" -v section="$section" -v version="$version" \
		-v day="$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" '
		function text(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); sub(/^[.'\'']/, "\\\\\\&&", s); return s }
		BEGIN { printf ".TH %s %s \"%s\" \"rxe-cc %s\"\n", title, section, day, version }
		/^[A-Z]/ { if (open) print ".fi"; printf ".SH %s\n", text($0); head = $0; open = 0; next }
		!NF && !open { next }
		!open { print (head == "NAME" ? ".ad l" : ".nf"); open = head != "NAME" }
		{ sub(/^    /, ""); print text($0) }
		END { if (open) print ".fi" }' >"$out/$name.$section" || die "$name.$section: failed"
	# shellcheck disable=SC2086 # words
	see $also | sed 's/^\[\(.*\)\]/.SH \1/' >>"$out/$name.$section"
}

# Summaries of lab's commands are those of "lab --help".
commands=$("$bin/lab" --help | awk '/^  [a-z]/ && $1 != "version" { print $1 }')
subs=$(for c in $commands; do printf 'lab-%s.1 ' "$c"; done)
page lab.1 "congestion control of RoCEv2 in virtual time" "$subs flowgen.1 rxecc.8 tc-roce.8" "$bin/lab" '"$@"'
for c in $commands; do
	page "lab-$c.1" "$("$bin/lab" --help | sed -n "s/^  $c  *//p")" "lab.1" "$bin/lab" "$c" '"$@"'
done
page tc-roce.8 "port of a NIC or a switch: rate, delay, PFC, ECN marking, INT" "tc.8 rxecc.8 lab.1" \
	env TC_LIB_DIR="$build/tc" tc qdisc add dev lo root roce help
own flowgen.1 "flowgen-server.1 flowgen-client.1 lab.1" "$bin/flowgen" --help
own flowgen-server.1 "flowgen-client.1 flowgen.1" "$bin/flowgen" server --help
own flowgen-client.1 "flowgen-server.1 flowgen.1" "$bin/flowgen" client --help
cp "$top"/tools/*/*.8 "$out"/ || exit 1
