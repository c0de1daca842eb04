#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Put congestion control's hooks into a copy of the kernel's rxe driver.
#
# Everything is done in a temporary copy, so that a failure leaves the given
# directory as it was.

usage()
{
	cat <<-USAGE
	usage: ${0##*/} DIR
	  DIR  a writable copy of drivers/infiniband/sw/rxe, not patched yet
	Applies the patches named in "series" and the semantic patches,
	checks how often each matched, and adds our own files.
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

# A rule names its file and how often each of its hooks must be found there.
apply_rule()
{
	rule=${2##*/}
	target=$(sed -n 's,^// target: ,,p' "$2")
	[ -f "$1/$target" ] || die "rule $rule: no file $target in rxe"
	spatch --sp-file "$2" --no-includes --very-quiet --no-show-diff \
		--in-place "$1/$target" >"$1/.log" 2>&1 || {
		cat "$1/.log" >&2
		die "rule $rule: spatch failed"
	}
	sed -n 's,^// hits: ,,p' "$2" >"$1/.hits"
	[ -s "$1/.hits" ] || die "rule $rule: names no hits"
	while read -r want hook; do
		found=$(count "$1/$target" "$hook")
		[ "$found" -eq "$want" ] ||
			die "rule $rule: '$hook' in $target: expected $want, found $found"
	done <"$1/.hits"
}

case "$1" in
-h | --help)
	usage
	exit 0
	;;
esac
[ $# -eq 1 ] || {
	usage >&2
	exit 2
}

here=$(cd "$(dirname "$0")" && pwd) || exit 1
dir=$1
[ -d "$dir" ] || die "no directory $dir"
[ -f "$dir/rxe_net.c" ] || die "$dir is no copy of the rxe driver"
[ ! -e "$dir/rxe_cc_glue.c" ] || die "$dir is patched already"
[ -w "$dir" ] || die "$dir is not writable"
for tool in spatch patch; do
	command -v $tool >/dev/null || die "needs the program $tool"
done

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

cp "$dir"/*.[ch] "$dir/Makefile" "$tmp/" || exit 1
apply_series "$tmp" || exit 1
for r in "$here"/fixes/*.cocci "$here"/hooks/*.cocci; do
	apply_rule "$tmp" "$r"
done
cp "$here"/glue/rxe_cc_*.[ch] "$tmp/" || exit 1
{
	printf "\nrdma_rxe-y +="
	for f in "$here"/glue/*.c; do
		printf " %s" "$(basename "$f" .c).o"
	done
	echo
} >>"$tmp/Makefile"
cp "$tmp"/*.[ch] "$tmp/Makefile" "$dir/" || exit 1
