#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the commands on the pages work, see [Pages](#pages); each page is a test,
#   `selftests/docs.sh README.md` for one
#
# The pages are true: every command in a block of README.md and Documentation/ is run, in
# the order of its page, in a scratch directory that looks like the checkout; what a page
# shows as its output has the same words and columns; commands between backticks are
# checked; links lead somewhere. docs/page.awk says which comments change what is done
# with a block.
#   docs.sh [PAGE|itself]...
#   docs.sh --pages		what there is
# Parts: --pages
# "itself" is what no page has: this test on pages with a mistake, pictures, sentences that
# readers stumbled over. Dear runs are only checked (--dry-run) and begun, unless FULL=1 is in
# the environment.
. "$(dirname "$0")/lib/ktap_helpers.sh"
docs=$RXE_CC_TOP/selftests/docs
mapfile -t pages < <(cd "$RXE_CC_TOP" && echo README.md && find Documentation -name '*.md' | sort)
if [ "${1:-}" = --pages ]; then
	printf '%s\n' itself "${pages[@]}"
	exit 0
fi
lab=$RXE_CC_BUILD/bin/lab
[ -x "$lab" ] && [ -x "$RXE_CC_BUILD/uml-lab/linux" ] || ktap_skip_all "the lab is not built (make lab)"
for c in jq gnuplot parallel; do
	command -v "$c" >/dev/null || ktap_skip_all "needs $c"
done
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
. "$docs/inline.sh"

# Modules that a block in the lab kernel may want.
modules() {
	local m
	printf 'sch_roce rxe_cc rdma_rxe'
	for m in "$RXE_CC_BUILD"/uml-lab/rxe_cc_*.ko; do
		m=$(basename "$m" .ko)
		case $m in *kunit* | rxe_cc_events) ;; *) printf ' %s' "$m" ;; esac
	done
}

# scratch DIR: as the checkout, but with a "lab" that knows what is dear
scratch() {
	local f
	mkdir -p "$1/build/bin" || return 1
	for f in "$RXE_CC_TOP"/*; do
		case $f in
		*/build | */results) ;;
		*/drivers) cp -r "$f" "$1/" || return 1 ;; # where authors write
		*) ln -s "$f" "$1/" ;;
		esac
	done
	for f in "$RXE_CC_BUILD"/*; do
		[ "${f##*/}" = bin ] || ln -s "$f" "$1/build/"
	done
	for f in "$RXE_CC_BUILD"/bin/*; do
		ln -s "$f" "$1/build/bin/"
	done
	ln -sf "$docs/lab" "$1/build/bin/lab"
}

# words FILE: its lines with single spaces
words() {
	sed -E 's/[ \t]+/ /g; s/^ //; s/ $//' "$1"
}

# shape FILE: and without digits
shape() {
	words "$1" | sed -E 's/[0-9]+([.,][0-9]+)*/#/g'
}

# begun LOG BLOCK: was a run of the block not made as it is written
begun() {
	awk -v block="$2" '$1 == "block" { in_it = $2 == block } in_it && $1 == "dry" { hit = 1 }
		END { exit !hit }' "$1"
}

# same_output PAGE LIST DIR: what pages show is in what was printed, in this order; all
# digits of it, too, unless a run was only begun
same_output() {
	local page=$1 list=$2 dir=$3 line kind block how rc=0
	while read -r line kind block; do
		[ "$kind" = output ] && [ -e "$dir/out/$block" ] || continue
		how=words
		! begun "$dir/log" "$block" || how=shape
		awk -v from="$line" 'NR > from && /^```/ { exit } NR > from' "$page" >"$tmp/shown"
		awk 'NR == FNR { want[++n] = $0; next }
			at < n && $0 == want[at + 1] { at++ }
			END { if (at < n) { print want[at + 1]; exit 1 } }' \
			<($how "$tmp/shown") <($how "$dir/out/$block") >"$tmp/missing" && continue
		echo "line $line: not printed: $(cat "$tmp/missing")"
		sed 's/^/  printed: /' "$dir/out/$block" | head -n 40
		rc=1
	done <"$list"
	return $rc
}

# count LIST LOG: how many blocks were what
count() {
	awk -v log_file="$2" '
		{ n[$2]++ }
		$2 == "not" || $2 == "dry" { line = $1; kind = $2; $1 = $2 = ""; why = why "\n  line " line ", " \
			(kind == "not" ? "not run:" : "only checked:") $0 }
		END {
			while ((getline s <log_file) > 0)
				c[substr(s, 1, 3)]++
			printf "blocks: %d run, %d in the lab kernel, %d by a smaller one, %d only checked, %d not run; ",
				n["run"], n["guest"], n["as"], n["dry"], n["not"]
			printf "commands of the lab: %d as written, %d checked and begun%s\n", c["run"], c["dry"], why
		}' "$1"
}

# run_page PAGE DIR: 0 if all of it is as it should be; what is not, on stdout
run_page() {
	local page=$1 dir=$2 rc=0
	mkdir -p "$dir/out" && scratch "$dir/work" && : >"$dir/log" || return 1
	awk -v where=host -v list="$dir/list" -f "$docs/page.awk" "$page" >"$dir/host" &&
		awk -v where=guest -f "$docs/page.awk" "$page" >"$dir/guest" || return 1
	if grep ' error ' "$dir/list"; then
		return 1
	fi
	if grep -q '^_block' "$dir/host"; then
		(cd "$dir/work" && PATH=$dir/work/build/bin:$PATH DOCS_LOG=$dir/log DOCS_HOW=run \
			TC_LIB_DIR=$RXE_CC_BUILD/tc bash "$docs/host.sh" "$dir/host" "$dir/out") || rc=1
	fi
	if [ "$rc" -eq 0 ] && grep -q '^_block' "$dir/guest"; then
		(cd "$dir/work" && "$UML_EXEC" --timeout 300 --modules "$(modules)" \
			--env "PATH=$RXE_CC_BUILD/bin:$PATH" --env "RXE_CC_BUILD=$RXE_CC_BUILD" -- \
			bash "$docs/guest.sh" "$dir/guest" "$dir/out") || rc=1
	fi
	[ "$rc" -ne 0 ] || same_output "$page" "$dir/list" "$dir" || rc=1
	return $rc
}

# page NAME: blocks, commands between backticks, links
page() {
	local dir=$tmp/${1//\//_} file=$RXE_CC_TOP/$1
	ktap_check "$1: what it tells to type works" run_page "$file" "$dir"
	if [ -s "$dir/list" ]; then
		ktap_print_msg "$1: $(count "$dir/list" "$dir/log")"
	fi
	ktap_check "$1: commands in its text" inline_page "$file"
	ktap_check "$1: links" links_page "$file"
	ktap_check "$1: all of it is shown" awk -f "$docs/shown.awk" "$file"
	[ "${1#Documentation/algorithms/}" = "$1" ] ||
		ktap_check "$1: at most 1500 words" short_page "$file"
	[ "$1" != Documentation/devel/testing.md ] ||
		ktap_check "$1: every selftest is on it" all_tests "$file"
	[ "$1" != Documentation/reference/counters.md ] ||
		ktap_check "$1: every counter is on it" all_counters "$file"
	[ "$1" != Documentation/measured/results.md ] ||
		ktap_check "$1: each statement is checked or observed" marked_page "$file"
	rm -rf "$dir"
}

# refused TEXT PAGE-TEXT...: a page with these lines fails and says TEXT
refused() {
	local text=$1 dir
	shift
	dir=$(mktemp -d "$tmp/self.XXXXXX") || return 1
	printf '%s\n' "$@" >"$dir/page.md"
	if run_page "$dir/page.md" "$dir" >"$dir/said" 2>&1 && inline_page "$dir/page.md" >>"$dir/said" 2>&1 &&
		links_page "$dir/page.md" >>"$dir/said" 2>&1 &&
		awk -f "$docs/shown.awk" "$dir/page.md" >>"$dir/said"; then
		echo "taken"
		return 1
	fi
	grep -qF -- "$text" "$dir/said" || { cat "$dir/said"; return 1; }
}

# claims: a statement about results that says nothing of itself
claims() {
	printf "%s\n" "## Results" "" "It is fast." >"$tmp/claims.md"
	! marked_page "$tmp/claims.md" >/dev/null && echo "*Observed.*" >>"$tmp/claims.md" && marked_page "$tmp/claims.md"
}

# This test can fail.
itself() {
	refused "line 2: exit status 1" '```sh' 'false' '```' &&
		refused "unknown scenario" '```sh' 'lab run nowhere' '```' &&
		refused "a block without a language" '```' 'true' '```' &&
		refused "an indented block" '' '    lab list' &&
		refused "a line for each command" '```sh' 'false && true' '```' &&
		refused "without more" '<!-- not run: -->' '```sh' 'true' '```' &&
		refused "no block after the comment" '<!-- not run: it is dear -->' 'Text.' &&
		refused "not printed: no such column" '```sh' 'echo a column' '```' '```output' 'no such column' '```' &&
		refused "line 3: exit status" "<!-- run in: guest p1 -->" '```sh' "tc qdisc add dev p1 root roce ratee 1gbit" '```' &&
		refused "betaa: no such parameter" 'See `lab run two --cc dcqcn --param betaa=1`.' &&
		refused "unknown scenario" 'See `lab run nowhere --set n=2`.' &&
		refused "no target" 'See `make nothing`.' &&
		refused "no such test" 'See `lab/nothing.sh`.' &&
		refused "nowhere.md" 'See [there](nowhere.md).' &&
		refused "line 1: a * within a word" 'k*k/4 switches, and k*k*k/4 hosts.' &&
		refused "line 3: a row of 3 cells in a table of 2" '| a | b |' '| --- | --- |' '| 1 | 2 | 3 |' &&
		refused "line 2: a comment or a column beyond" '```sh' "$(printf '%-90s # all is well' true)" '```' &&
		claims
}

# And does not where it should not.
takes() {
	local dir
	dir=$(mktemp -d "$tmp/self.XXXXXX") || return 1
	printf '%s\n' '# Page' '<!-- not run: no such program -->' '```sh' 'nothing' '```' \
		'```sh' 'echo b 1 2.5' '```' '' '```output' 'b  3' '```' \
		'| `a*b` | c\|d |' '| --- | --- |' '2 * 3 \*, *so*' >"$dir/page.md"
	# A column is missing.
	! run_page "$dir/page.md" "$dir" >/dev/null || return 1
	sed -i "s/^b  3\$/b  1 2.5/" "$dir/page.md"
	rm -rf "$dir"/{work,out}
	run_page "$dir/page.md" "$dir" && [ "$(awk '$2 == "not"' "$dir/list" | wc -l)" -eq 1 ] &&
		awk -f "$docs/shown.awk" "$dir/page.md"
}

ktap_print_header
[ $# -gt 0 ] || set -- itself "${pages[@]}"
for p; do
	if [ "$p" != itself ]; then
		page "$p"
		continue
	fi
	ktap_check "a page with a mistake fails" itself
	ktap_check "a page without one passes" takes
	ktap_check "every picture is on a page" pictures_used
	ktap_check "every page is in the list of its folder" indexed "$RXE_CC_TOP/Documentation"
	ktap_check "a page that is in no list is found" lists
	ktap_check "sentences that readers stumbled over" riddles
done
ktap_finished
