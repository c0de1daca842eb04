#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Put our fixes and congestion control's hooks into a copy of the kernel's rxe driver.
#
# Everything is done in a temporary copy, so that a failure leaves the given
# directory as it was.

usage()
{
	cat <<-USAGE
	usage: ${0##*/} [--fixes | --series OUT] [--leave-out "FIX..."] [--report FILE] DIR
	  DIR  a writable copy of drivers/infiniband/sw/rxe, not patched yet
	Applies the fixes of rxe, then the patches named in "series" and the semantic
	patches of hooks, checks how often each matched, and adds our own files.
	  --fixes        the fixes alone: rxe without congestion control
	  --series OUT   write the fixes as patches for "git am" and a cover letter to the
	                 directory OUT, and print the lines that each and the hooks add to
	                 and take from rxe's files; DIR stays as it is
	  --leave-out    without these fixes, and those that need them, too; what DIR has
	                 itself is left out in any case
	  --report FILE  write to FILE what was done: how many hooks there are, the fixes that
	                 were applied and those that DIR has itself
	USAGE
}

die()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

# How often the fixed string $2 occurs in the file $1.
count()
{
	grep -oF -e "$2" "$1" | wc -l
}

apply_series()
{
	grep -v -e '^#' -e '^$' "$here/series" | while read -r p; do
		patch -d "$1" -p1 -F0 -s -f --no-backup-if-mismatch \
			<"$here/$p" || die "patch $p does not apply"
	done
}

# looks_like WHAT RULE: do the lines "// WHAT: FILE [STRING]" of RULE hold for the rxe that was
# given? FILE is there, and has STRING. $some: is there such a line?
looks_like()
{
	sed -n "s,^// $1: ,,p" "$2" >"$tmp/.looks"
	some=
	while read -r file string; do
		some=1
		[ -f "$dir/$file" ] && grep -qF -e "$string" "$dir/$file" || return 1
	done <"$tmp/.looks"
}

# Is the rule $1 for an rxe that looks like this one?
meant()
{
	looks_like if "$1" || return 1
	! looks_like unless "$1" || [ -z "$some" ]
}

# Has rxe itself what the fix $1 does?
has()
{
	for r in "$here/fixes/$1"/*.cocci; do
		looks_like has "$r" && [ -n "$some" ] && return 0
	done
	return 1
}

# Of the forms of a rule, files that have one name up to the first dot, one is meant.
one_of_each()
{
	for r; do
		r=${r##*/}
		echo "${r%%.*}"
	done | sort -u >"$tmp/.names"
	while read -r name; do
		forms=0
		for r in "${1%/*}/$name".cocci "${1%/*}/$name".*.cocci; do
			[ ! -e "$r" ] || ! meant "$r" || forms=$((forms + 1))
		done
		r=${1%/*}
		[ "$forms" -eq 1 ] || die "rule ${r#"$here"/}/$name: $forms of its forms are for this rxe, not one"
	done <"$tmp/.names"
}

# Is the fault that the fix $1 mends in an rxe that looks like this one?
concerns()
{
	for r in "$here/fixes/$1"/*.cocci; do
		looks_like only "$r" || return 1
	done
}

# The fixes that the files $@ need.
needs()
{
	sed -n 's,^// needs: ,,p' "$@"
}

# Is a fix left out that one of the files $@ needs?
lacks()
{
	for need in $(needs "$@"); do
		case " $left_out " in *" $need "*) return 0 ;; esac
	done
	return 1
}

# Sets own, the fixes that rxe has itself, and fixes, those to apply in the order of their
# numbers, by left_out; adds to this those that need them.
choose_fixes()
{
	all=$(cd "$here/fixes" && echo [0-9]-* [0-9][0-9]-*)
	for fix in $left_out; do
		case " $all " in *" $fix "*) ;; *) die "no fix \"$fix\": $all" ;; esac
	done
	fixes= own=
	for fix in $all; do
		if has "$fix"; then
			own="$own $fix"
			left_out="$left_out $fix"
		fi
		concerns "$fix" || left_out="$left_out $fix"
		if lacks "$here/fixes/$fix"/*.cocci; then
			echo "${0##*/}: $fix is left out: it needs $need" >&2
			left_out="$left_out $fix"
		fi
		case " $left_out " in *" $fix "*) ;; *) fixes="$fixes $fix" ;; esac
	done
}

# A rule names its file and how often each of its hooks must be found there.
apply_rule()
{
	rule=${2#"$here"/}
	target=$(sed -n 's,^// target: ,,p' "$2")
	[ -f "$1/$target" ] || die "rule $rule: no file $target in rxe"
	spatch --sp-file "$2" --no-includes --very-quiet --no-show-diff \
		--in-place "$1/$target" >"$tmp/.log" 2>&1 || {
		cat "$tmp/.log" >&2
		die "rule $rule: spatch failed"
	}
	sed -n 's,^// hits: ,,p' "$2" >"$tmp/.hits"
	[ -s "$tmp/.hits" ] || die "rule $rule: names no hits"
	while read -r want hook; do
		found=$(count "$1/$target" "$hook")
		[ "$found" -eq "$want" ] ||
			die "rule $rule: '$hook' in $target: expected $want, found $found"
	done <"$tmp/.hits"
}

# add_files DIR FROM: sources of our own, and their objects
add_files()
{
	objects=
	for f in "$2"/*.[ch]; do
		[ -e "$f" ] || return 0
		cp "$f" "$1/" || exit 1
		[ "${f%.c}" = "$f" ] || objects="$objects $(basename "$f" .c).o"
	done
	printf '\nrdma_rxe-y +=%s\n' "$objects" >>"$1/Makefile"
}

apply_fix()
{
	one_of_each "$2"/*.cocci
	for r in "$2"/*.cocci; do
		! meant "$r" || apply_rule "$1" "$r"
	done
	add_files "$1" "$2"
}

apply_hooks()
{
	apply_series "$1" || exit 1
	one_of_each "$here"/hooks/*.cocci
	hooks=0
	for r in "$here"/hooks/*.cocci; do
		if meant "$r" && ! lacks "$r"; then
			apply_rule "$1" "$r"
			hooks=$((hooks + $(awk '{ n += $1 } END { print n + 0 }' "$tmp/.hits")))
		fi
	done
	# For rxe_cc_compat.h: what there is of fixes.
	for fix in $fixes; do
		echo "#define RXE_FIX_${fix#*-}" | tr a-z- A-Z_ | sed 's/^#DEFINE/#define/'
	done >"$1/rxe_fixes.h"
	add_files "$1" "$here/glue"
}

# lines WHAT OLD NEW: of rxe's own files
lines()
{
	(cd "$2" && for f in *; do diff -U0 "$f" "$3/$f"; done) |
		awk -v what="$1" '/^(\+\+\+|---) / { next } /^\+/ { plus++ } /^-/ { minus++ }
			END { printf "%-18s +%d -%d\n", what, plus, minus }'
}

# says FILE: its text, without the license line
says()
{
	sed 1d "$1"
}

# row FIX COLUMN: of the table in fixes/README: 2 what happens without it, 3 test, 4 upstream
row()
{
	awk -v fix="$1" -v column="$2" '$1 == fix { sub(/^ /, ""); split($0, part, /   */); print part[column] }' \
		"$here/fixes/README"
}

# Who makes the patches, if git knows; who sends them signs them off.
sender()
{
	name=$(git config user.name) && email=$(git config user.email) && echo "From: $name <$email>"
}

# tested FIX: what shows it, for below its message
tested()
{
	test=$(row "$1" 3)
	case $test in
	*.sh) echo "Shown by: $(echo "$test" | sed 's,[a-z_]*\.sh,selftests/rxe/&,g')" ;;
	*) echo "No test: ${test#none: }" ;;
	esac
}

# changes OLD NEW NUMBER FIX: the patch
changes()
{
	sender
	echo "Subject: [PATCH $3/$nr] $(says "$here/fixes/$4/message" | head -n 1)"
	says "$here/fixes/$4/message" | tail -n +2
	echo ---
	tested "$4"
	echo
	(cd "$tmp" && diff -uprN "$1" "$2" | sed "s,^\([-+]\{3\} [^\t]*\)\t.*,\1,")
}

cover()
{
	sender
	echo "Subject: [PATCH 0/$nr] $(says "$here/fixes/cover" | head -n 1)"
	says "$here/fixes/cover" | tail -n +2
	echo
	n=0
	for fix in $fixes; do
		n=$((n + 1))
		printf '%2d %s\n   without it: %s\n' "$n" "$(says "$here/fixes/$fix/message" | head -n 1)" "$(row "$fix" 2)"
	done
	[ -z "$own" ] || printf '\nThis source has itself:%s\n' "$own"
}

# The fixes as patches, and the size of each.
write_series()
{
	n=0
	nr=$(echo "$fixes" | wc -w)
	set -- "$1" "$tmp/rxe" "$tmp/a/drivers/infiniband/sw/rxe" "$tmp/b/drivers/infiniband/sw/rxe"
	mkdir -p "$1" "$3" "$4" || exit 1
	cover >"$1/0000-cover-letter.patch"
	n=0
	for fix in $fixes; do
		n=$((n + 1))
		cp "$2"/* "$3/"
		apply_fix "$2" "$here/fixes/$fix"
		cp "$2"/* "$4/"
		name=$(says "$here/fixes/$fix/message" | sed -n '1s,^RDMA/rxe: ,,p' | tr -cs 'a-zA-Z0-9\n' -)
		changes a b "$n" "$fix" >"$1/$(printf %04d $n)-RDMA-rxe-$name.patch"
		lines "$fix" "$3" "$4"
	done
	cp "$2"/* "$3/"
	apply_hooks "$2"
	rm -f "$4"/*
	cp "$2"/* "$4/"
	lines "hooks of CC" "$3" "$4"
}

mode=all out= left_out= report=
while [ $# -gt 1 ] || [ "$1" = -h ] || [ "$1" = --help ]; do
	case "$1" in
	-h | --help)
		usage
		exit 0
		;;
	--fixes) mode=fixes ;;
	--patches) die "--patches is called --series now" ;;
	--series)
		mode=series
		out=$2
		shift
		;;
	--leave-out)
		left_out=$2
		shift
		;;
	--report)
		report=$2
		shift
		;;
	*) break ;;
	esac
	shift
done
[ $# -eq 1 ] || {
	usage >&2
	exit 2
}

here=$(cd "$(dirname "$0")" && pwd) || exit 1
dir=$1
[ -d "$dir" ] || die "no directory $dir"
[ -f "$dir/rxe_net.c" ] || die "$dir is no copy of the rxe driver"
! grep -q '^rdma_rxe-y +=' "$dir/Makefile" || die "$dir is patched already"
[ $mode = series ] || [ -w "$dir" ] || die "$dir is not writable"
for tool in spatch patch; do
	command -v $tool >/dev/null || die "needs the program $tool"
done

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

choose_fixes
mkdir "$tmp/rxe" || exit 1
cp "$dir"/*.[ch] "$dir/Makefile" "$tmp/rxe/" && chmod -R u+w "$tmp/rxe" || exit 1
if [ $mode = series ]; then
	write_series "$out"
	exit
fi
for fix in $fixes; do
	apply_fix "$tmp/rxe" "$here/fixes/$fix"
done
hooks=0
[ $mode = fixes ] || apply_hooks "$tmp/rxe"
[ -z "$report" ] || printf 'hooks %s\nfixes%s\nhas%s\n' "$hooks" "$fixes" "$own" >"$report" || exit 1
cp "$tmp"/rxe/*.[ch] "$tmp/rxe/Makefile" "$dir/" || exit 1
