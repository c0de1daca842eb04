#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Apply all rules to the rxe of kernels in the distribution's archive, and print what came of it.
#   kernels.sh                  those that the page Documentation/guide/kernels.md names
#   kernels.sh SUITE PACKAGE [VERSION]   one: kernels.sh sid linux-source-7.2
# A row of the table has the kernel, the number of hooks, of fixes that were applied, and the fixes
# that the kernel has itself. Sources are fetched once (scripts/archive.sh).
# Exit status: 0 all rules fit all kernels, 1 not so, or one is not to be had.
set -u
. "$(dirname "$0")/common.sh"
options "" "$@"
set -- "${args[@]}"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

# row SUITE PACKAGE [VERSION]
row() {
	local dir has version
	dir=$("$top/scripts/archive.sh" rxe "$@") || { failed=1; return; }
	version=${dir##*/}
	version=${version#linux-source-*-}
	rm -rf "$tmp/rxe"
	cp -r "$dir/drivers/infiniband/sw/rxe" "$tmp/rxe" && chmod -R u+w "$tmp/rxe" || exit 1
	if "$top/drivers/infiniband/sw/rxe_cc/rxe/apply.sh" --report "$tmp/report" "$tmp/rxe" 2>"$tmp/err"; then
		has=$(sed -n 's/^has //p' "$tmp/report")
		printf '| %s | %s | %s | %s |\n' "$version" "$(sed -n 's/^hooks //p' "$tmp/report")" \
			"$(sed -n 's/^fixes //p' "$tmp/report" | wc -w)" "${has:-none}"
	else
		printf '| %s | %s | | |\n' "$version" "$(tail -n 1 "$tmp/err")"
		failed=1
	fi
}

echo "| kernel | hooks | fixes applied | fixes that it has itself |"
echo "| --- | --- | --- | --- |"
case $# in
0)
	row bookworm linux-source-6.12
	row trixie linux-source-6.12
	row sid linux-source-7.2
	row trixie-backports linux-source-7.3
	;;
2 | 3) row "$@" ;;
*) usage >&2; exit 2 ;;
esac
exit $failed
