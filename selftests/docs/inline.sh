# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Commands, keys, tests and links in the text of a page; sourced by docs.sh.
# shellcheck disable=SC2154 # its variables

# known COMMAND OPTION...: are these options of "lab COMMAND"
known() {
	local help o
	help=$("$lab" "$1" --help 2>/dev/null) || { echo "lab $1: no such command"; return 1; }
	for o in "${@:2}"; do
		case $o in
		--*) grep -q -e "${o%%=*}\b" <<<"$help" || { echo "lab $1: no option $o"; return 1; } ;;
		esac
	done
}

# lab_span WORD...: words of a command of the lab. What has no placeholders is asked.
lab_span() {
	local text="$*" key
	key=$(md5sum <<<"$text" | cut -c1-32)
	case $1 in
	run | sweep | shell) ;;
	*) known "$@"; return ;;
	esac
	case "$text " in
	*...* | *[=\ ][A-Z]*) known "$@"; return ;;
	"$1 "[a-z]*) ;;
	*) known "$@"; return ;;
	esac
	[ ! -e "$tmp/asked/$key" ] || return 0
	"$lab" "$@" --dry-run >/dev/null && mkdir -p "$tmp/asked" && : >"$tmp/asked/$key"
}

# Keys of all scenarios.
keys() {
	[ -s "$tmp/keys" ] || "$lab" list -j | jq -r '.[].keys[].name' | sort -u >"$tmp/keys"
	cat "$tmp/keys"
}

# span TEXT: is it true, as far as it is a command, a target, a test
span() {
	local text=$1 w
	while [[ $text =~ ^[A-Z_]+=[^\ \']*\ (.*)$ ]] || [[ $text =~ ^[A-Z_]+=\'[^\']*\'\ (.*)$ ]]; do
		text=${BASH_REMATCH[1]}
	done
	case $text in
	"lab "[a-z]*)
		eval "set -- ${text#lab }" 2>/dev/null || { echo "$text: not a command"; return 1; }
		lab_span "$@"
		;;
	"make "[a-z]*)
		for w in ${text#make }; do
			case $w in
			*=*) break ;;
			-*) ;;
			*) grep -q "^$w:" "$RXE_CC_TOP/Makefile" || { echo "make $w: no target"; return 1; } ;;
			esac
		done
		;;
	"--set "[a-z]*=*)
		w=${text#--set }
		keys | grep -qxF "${w%%=*}" || { echo "$text: no scenario has this key"; return 1; }
		;;
	"rxecc "[a-z]*)
		w=${text#rxecc }
		"$RXE_CC_BUILD/bin/rxecc" help 2>&1 | grep -qw "${w%% *}" || { echo "$text: rxecc has no ${w%% *}"; return 1; }
		;;
	algo/*.sh | docs/*.sh | lab/*.sh | qemu/*.sh | rxe/*.sh | tc/*.sh | wire/*.sh)
		[ -x "$RXE_CC_TOP/selftests/$text" ] || { echo "$text: no such test"; return 1; }
		;;
	*"*"*) ;;
	selftests/*.sh* | scripts/*.sh* | tools/*.sh*)
		w=${text%% *}
		[ -x "$RXE_CC_TOP/$w" ] || [ -x "$RXE_CC_TOP/selftests/$w" ] || { echo "$w: no such program or test"; return 1; }
		[ "$w" != selftests/run.sh ] || [ "$w" = "$text" ] || "$RXE_CC_TOP/selftests/run.sh" --list ${text#* } >/dev/null
		;;
	esac
}

inline_page() {
	local line text rc=0
	awk -f "$docs/inline.awk" "$1" >"$tmp/spans"
	while IFS=$'\t' read -r line text; do
		span "$text" >"$tmp/said" 2>&1 </dev/null || { echo "line $line: \`$text\`: $(cat "$tmp/said")"; rc=1; }
	done <"$tmp/spans"
	return $rc
}

# anchors FILE: of its headings, as the usual renderers make them
anchors() {
	awk '/^```/ { f = !f } !f && /^#+ /' "$1" | sed -E 's/^#+ //; s/[^A-Za-z0-9 _-]//g; s/ /-/g' | tr 'A-Z' 'a-z'
}

links_page() {
	local dir target file anchor rc=0
	dir=$(dirname "$1")
	while read -r target; do
		case $target in http*:* | mailto:*) continue ;; esac
		file=${target%%#*}
		anchor=
		case $target in *"#"*) anchor=${target#*#} ;; esac
		file=${file:+$dir/$file}
		file=${file:-$1}
		[ -e "$file" ] || { echo "$target: no such file"; rc=1; continue; }
		[ -z "$anchor" ] || anchors "$file" | grep -qxF -- "$anchor" || { echo "$target: no such heading"; rc=1; }
	done < <(awk '/^```/ { f = !f } !f' "$1" | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//' | sort -u)
	return $rc
}

# marked_page PAGE: does each paragraph behind the first heading say what stands behind it
marked_page() {
	awk '
		function done() {
			if (text != "" && text !~ /[Cc]hecked by|[Oo]bserved|^The picture: /) {
				print "line " line ": neither checked by a test nor observed: " substr(text, 1, 60)
				rc = 1
			}
			text = ""
		}
		/^```/ { fenced = !fenced }
		/^## / { heading = 1 }
		fenced || !heading || /^(#|\||!|<!--|```)/ { next }
		/^$/ { done(); next }
		text == "" { line = FNR }
		{ text = text " " $0; sub(/^ /, "", text) }
		END { done(); exit rc }' "$1"
}

# all_tests PAGE: is every selftest on it
all_tests() {
	local t rc=0
	while read -r t; do
		grep -qF "| \`$t\`" "$1" || grep -qF ", \`$t\`" "$1" || { echo "$t is not on the page"; rc=1; }
	done < <("$RXE_CC_TOP/selftests/run.sh" --list | cut -d ' ' -f 1 | uniq)
	return $rc
}

# all_counters PAGE: is every counter of a port and of a queue pair on it
all_counters() {
	local c n=0 rc=0
	while read -r c; do
		n=$((n + 1))
		grep -qF "\`$c\`" "$1" || { echo "$c is not on the page"; rc=1; }
	done < <(sed -nE 's/^(QP_)?COUNTER\([^"]*"([a-z0-9_]*)",.*/\2/p' \
		"$RXE_CC_TOP/drivers/infiniband/sw/rxe_cc/core/cc_counter_rows.h")
	[ "$n" -ge 50 ] || { echo "only $n counters found in the code"; rc=1; }
	return $rc
}

# pictures_used: is every picture on a page
pictures_used() {
	local f rc=0
	for f in "$RXE_CC_TOP"/Documentation/images/*; do
		grep -rqF --include='*.md' "images/${f##*/}" "$RXE_CC_TOP/README.md" "$RXE_CC_TOP/Documentation" ||
			{ echo "${f##*/} is on no page"; rc=1; }
	done
	return $rc
}

# short_page PAGE: a reader has it before him as a whole
short_page() {
	local n
	n=$(wc -w <"$1")
	[ "$n" -le 1500 ] || { echo "$n words"; return 1; }
}

# indexed: is every page in the list of its folder
indexed() {
	local page list rc=0
	while read -r page; do
		list=README.md
		case $page in devel/* | measured/*) list=${page%%/*}/README.md page=${page#*/} ;; esac
		[ "$page" = README.md ] || grep -qF "]($page)" "$1/$list" || { echo "$page is not on $list"; rc=1; }
	done < <(find "$1" -name '*.md' -printf '%P\n' | sort)
	return $rc
}

# lists: a page that is in no list is found
lists() {
	mkdir -p "$tmp/lists/devel" && echo '[a](a.md) [devel](devel/README.md)' >"$tmp/lists/README.md" && : >"$tmp/lists/a.md" &&
		echo '[b](b.md)' >"$tmp/lists/devel/README.md" && : >"$tmp/lists/devel/b.md" && indexed "$tmp/lists" || return 1
	: >"$tmp/lists/devel/c.md"
	! indexed "$tmp/lists" >/dev/null
}

# riddles: sentences that readers stumbled over have not come back
riddles() {
	! (cd "$RXE_CC_TOP" && grep -rnE 'what the senders may have unacknowledged|as the rates were when each noticed|have shared out a queue|one of three is not sparse|and lose what waits|had nothing to complain|would never grow old|range left to manufacturers' \
		README.md Documentation include drivers net tools)
}
