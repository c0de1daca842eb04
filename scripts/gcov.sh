#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Which lines of our kernel modules the tests run.
#   gcov.sh [--report] [TEST]...
#     TEST      selftests, as selftests/run.sh takes them; default rxe port algo tools/rxecc lab/replay;
#               "none": the KUnit suites only
#     --report  run nothing, report of what was counted last
# Works on a copy of the checkout, build/gcov/tree, whose lab kernel counts. labinit keeps the
# counters of each boot; they are added up here. Prints for each file how many of its lines
# ran, and the total; build/gcov/lines.info is the same for lcov and genhtml. A header's
# lines count once, wherever they were compiled in. Needs lcov.
# Exit status: that of the tests.
set -u
. "$(dirname "$0")/common.sh"

tree=$build/gcov/tree
mod=$tree/build/uml-lab/mod
raw=$tree/build/uml-lab/gcov
info=$build/gcov/lines.info
report=
options report "$@"
tests=("${args[@]}")
[ "${#tests[@]}" -gt 0 ] || tests=(rxe port algo tools/rxecc lab/replay)
command -v geninfo >/dev/null || die "lcov is not installed"

export RXE_CC_GCOV=1

run_tests() {
	local rc=0
	mkdir -p "$tree" || exit 1
	(cd "$top" && git ls-files -z -co --exclude-standard) |
		rsync -a --files-from=- --from0 --ignore-missing-args "$top" "$tree/" || exit 1
	make -C "$tree" lab-tests || exit 1
	rm -rf "$raw"
	"$tree/scripts/kunit.sh" || rc=1
	[ "${tests[*]}" = none ] || (unset BUILD; "$tree/selftests/run.sh" "${tests[@]}") || rc=1
	return $rc
}

# Counters of all boots into one directory.
add_up() {
	local boot sum=$build/gcov/sum
	rm -rf "$sum" "$sum.new"
	for boot in "$raw"/*/; do
		# None of the modules was loaded.
		[ -n "$(ls -A "$boot")" ] || continue
		if [ ! -d "$sum" ]; then
			cp -r "$boot" "$sum" || return 1
			continue
		fi
		gcov-tool merge -o "$sum.new" "$sum" "$boot" || return 1
		rm -rf "$sum" && mv "$sum.new" "$sum" || return 1
	done
	find "$mod" -name '*.gcda' -delete
	rsync -a "$sum$mod/" "$mod/"
}

# Not the tests themselves, and of rxe only what is ours: the rest is upstream's.
lines() {
	geninfo --quiet --base-directory "$(readlink "$tree/build/uml-lab/obj")" \
		--output-filename "$info.all" "$mod" || return 1
	lcov --quiet --output-file "$info.ours" --extract "$info.all" "$mod/drivers/infiniband/sw/rxe_cc/*" \
		"$mod/drivers/infiniband/sw/rxe/rxe_cc*" "$mod/net/*" "$mod/include/*" || return 1
	lcov --quiet --output-file "$info" --remove "$info.ours" '*/tests/*'
}

table() {
	awk -v mod="$mod/" '
	/^SF:/ { file = substr($0, 4); sub("^" mod, "", file) }
	/^LF:/ { lines = substr($0, 4) }
	/^LH:/ { ran = substr($0, 4) }
	/^end_of_record/ {
		printf "%5.1f %% %5d of %5d  %s\n", 100 * ran / lines, ran, lines, file | "sort -k 6"
		all += lines
		hit += ran
	}
	END {
		close("sort -k 6")
		if (!all)
			exit 1
		printf "%5.1f %% %5d of %5d  total\n", 100 * hit / all, hit, all
	}' "$info"
}

rc=0
[ -n "$report" ] || run_tests || rc=$?
[ -d "$raw" ] || die "nothing was counted: $raw is missing"
boots=("$raw"/*/)
step "counters of ${#boots[@]} boots" "$build/log/gcov-sum.log" add_up || exit 1
step "lines" "$build/log/gcov-lines.log" lines || exit 1
# Of these not even the number of lines is known; a file of tables has no code.
find "$mod" -name '*.gcno' ! -path '*/tests/*' ! -name '*.mod.gcno' ! -name '.*' | while read -r f; do
	[ -e "${f%.gcno}.gcda" ] || echo "not counted: ${f#"$mod"/}"
done
table || exit 1
exit $rc
