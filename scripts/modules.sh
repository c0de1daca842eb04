#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build our modules for one target.
#   modules.sh uml-lab|uml-debug|uml-apps|x86-kasan|x86-kcsan|x86-kasan73|x86-kcsan73|host [--no-tests|--tests|--source DIR] [MAKE-ARGUMENT...]
# e.g. only one directory: modules.sh uml-lab rxe-cc-dirs=net/sched/sch_roce
# --source DIR: compile nothing, leave in DIR the sources that compile without KUnit for a
# kernel like the target's: patched rxe, our modules, and how to build them.
# --no-tests: without KUnit suites, a third of all, unless they were built before; the suite of
# conformance, which "lab check" needs, is built all the same.
# --tests: nothing if the KUnit suites were built before.
# The 6.12 kbuild writes beside the sources, so these are copied to
# build/TARGET/mod/ first, with the patched rxe; the modules end up flat in
# build/TARGET/. Any compiler or modpost warning is an error (W=1e).
# Environment: KSRC, KHDR, RXE_CC_CACHE, RXE_CC_GCOV as for kernel.sh; JOBS.
set -u
. "$(dirname "$0")/common.sh"

case ${1:-} in
uml-lab | uml-debug | uml-apps | x86-kasan | x86-kcsan | x86-kasan73 | x86-kcsan73 | host) target=$1 ;;
-h | --help) usage; exit 0 ;;
*) usage >&2; exit 2 ;;
esac
shift
dir=$build/$target
rxe=$build/rxe
source=
if [ "${1:-}" = --source ]; then
	source=${2:?--source needs a directory}
	# Nothing that was compiled is in the way.
	dir=$build/source
	shift 2
fi
no_tests=()
if [ "${1:-}" = --tests ]; then
	[ ! -e "$dir/rxe_cc_kunit.ko" ] || exit 0
	shift
fi
if [ "${1:-}" = --no-tests ]; then
	[ -e "$dir/rxe_cc_kunit.ko" ] || no_tests=(CONFIG_KUNIT= rxe-cc-conformance=m)
	shift
fi
mod=$dir/mod
log=$build/log/modules-$target.log
check_path "the checkout's directory" "$top"
mkdir -p "$mod" "$build/log" || die "cannot write to $build"
take 8 "$dir/.lock" "the modules for $target"

if [ "$target" = host ]; then
	# That of another kernel is not in the way of the lab's.
	[ -z "${KSRC:-}" ] || rxe=$build/rxe-host
	hdr=
	[ -n "$source" ] || hdr=$("$top/scripts/kernel.sh" headers) || exit 1
	ksrc=$("$top/scripts/kernel.sh" rxe) || exit 1
	kernel=${hdr:-$ksrc}
	kmake=(make -C "$hdr")
else
	"$top/scripts/kernel.sh" "${target%-*}" "${target#*-}" || exit 1
	kernel=$(readlink "$dir/obj")
	ksrc=$(readlink "$kernel/source")
	arch=um
	[ "${target%-*}" = uml ] || arch=x86_64
	# Its rxe is not the lab's.
	[[ $target != x86-k?san[1-9]* ]] || rxe=$build/rxe-${target#x86-}
	kmake=(make -C "$ksrc" O="$kernel" ARCH="$arch")
fi

# Objects made for another kernel are of no use.
if [ "$(cat "$dir/.kernel" 2>/dev/null)" != "$kernel" ]; then
	rm -rf "$mod"
	mkdir -p "$mod"
	echo "$kernel" >"$dir/.kernel"
fi

# copy SOURCE... DEST: by checksum and without times, so that only what has
# changed is newer than its object.
copy() {
	rsync -rlpcR --delete --exclude='*.o' --exclude='*.gcno' --exclude='*.gcda' --exclude='*.ko' --exclude='*.mod' \
		--exclude='*.mod.c' --exclude='.*' --exclude=modules.order \
		--exclude=Module.symvers --exclude=/drivers/infiniband/sw/rxe/ "$@"
}

stage() {
	local part parts=()
	cd "$top" || exit 1
	for part in Kbuild include drivers/infiniband/sw/rxe_cc net/sched/sch_roce; do
		[ -e "$part" ] && parts+=("$part")
	done
	copy "${parts[@]}" "$mod"/ || exit 1
	[[ " $* " != *rxe-cc-dirs=* || " $* " == *"sw/rxe "* ]] || return 0
	[ -e drivers/infiniband/sw/rxe_cc/rxe/apply.sh ] || return 0
	"$top/scripts/rxe-prepare.sh" "$ksrc" "$rxe" || exit 1
	rsync -rlpc "$rxe/" "$mod/drivers/infiniband/sw/rxe/" || exit 1
}

flatten() {
	local ko name wanted=" "
	while read -r ko; do
		ko=${ko%.o}
		ko=${ko%.ko}.ko
		[ "${ko#/}" != "$ko" ] || ko=$mod/$ko
		name=${ko##*/}
		wanted+="$name "
		cmp -s "$ko" "$dir/$name" && continue
		cp "$ko" "$dir/.$name.tmp" && mv "$dir/.$name.tmp" "$dir/$name" || exit 1
	done <"$mod/modules.order"
	[ $# -eq 0 ] || return 0 # a partial build: the others stay
	for ko in "$dir"/*.ko; do
		case $wanted in
		*" ${ko##*/} "*) ;;
		*) rm -f "$ko" ;;
		esac
	done
}

compile() {
	"${kmake[@]}" M="$mod" W=1e -j"$jobs" "${no_tests[@]}" ${RXE_CC_GCOV:+GCOV_PROFILE=y} "$@" modules
}

commit=$("$top/scripts/commit.sh")
stage "$@"
if [ -n "$source" ]; then
	rsync -rlpt --delete --prune-empty-dirs --exclude='*.o' --exclude='*.ko' --exclude='*.mod' --exclude='*.mod.c' \
		--exclude='.*' --exclude=modules.order --exclude=Module.symvers --include=tests/ --include=roce_testfeat_rows.h \
		--exclude='tests/*' --exclude=/drivers/infiniband/sw/rxe_cc/rxe \
		"$mod/" "$source/" || exit 1
	exit 0
fi
step "modules for $target" "$log" compile "$@" || exit 1
# modpost only warns of what insmod refuses later
if grep 'WARNING: modpost' "$log" >&2; then
	rm -f "$mod/modules.order"
	die "modpost warnings are errors, log: $log"
fi
flatten "$@"
# For results: see scripts/commit.sh. After a partial build they are of two kinds.
[ $# -eq 0 ] || commit=${commit%-dirty}-dirty
echo "$commit" >"$dir/commit"
