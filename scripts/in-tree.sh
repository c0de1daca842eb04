#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build this tree inside a kernel's, with all of it built in, as Kconfig offers it.
#   in-tree.sh [--link]
# The kernel is User-Mode Linux with the lab's configuration, but without the lab's patches:
# none of our files may need these. Ours are compiled and linked with each other; with --link
# the whole kernel is built, which takes many minutes the first time. Source and objects stay in
# build/in-tree/. Environment: KSRC, JOBS, RXE_FIXES_LEAVE_OUT.
set -u
. "$(dirname "$0")/common.sh"
link=
options link "$@"
[ "${#args[@]}" -eq 0 ] || misuse "unknown argument \"${args[0]}\""

dir=$build/in-tree
src=$dir/src obj=$dir/obj
check_path "the checkout's directory" "$top"
mkdir -p "$obj" "$build/log" || die "cannot write to $build"
take 8 "$dir/.lock" "the kernel with everything built in"
ksrc=$("$top/scripts/kernel.sh" source) || exit 1

# add_dir SYMBOL PARENT NAME
add_dir() {
	printf 'obj-$(CONFIG_%s) += %s/\nsubdir-ccflags-y += -Werror\n' "$1" "$3" >>"$dir/src.tmp/$2/Makefile"
}

copy_source() {
	local p
	rm -rf "$dir/src" "$dir/src.tmp"
	cp -r "$ksrc" "$dir/src.tmp" || return
	for p in $(printf '%s\n' "$top"/tools/lab/kernel/*.patch | sort -r); do
		patch -d "$dir/src.tmp" -p1 -R -f --fuzz=0 <"$p" || return
	done
	echo 'source "drivers/infiniband/sw/rxe_cc/Kconfig"' >>"$dir/src.tmp/Kconfig"
	add_dir RXE_CC drivers/infiniband/sw rxe_cc && add_dir NET_SCH_ROCE net/sched sch_roce &&
		echo "$ksrc" >"$dir/src.tmp/.from" && mv "$dir/src.tmp" "$dir/src"
}

# By checksum and without times, as for the modules.
put_ours() {
	cd "$top" || return
	rsync -rlpc Kconfig "$src/drivers/infiniband/sw/rxe_cc/" &&
		rsync -rlpc --delete --exclude=/Kconfig --exclude=/rxe drivers/infiniband/sw/rxe_cc/ \
			"$src/drivers/infiniband/sw/rxe_cc/" &&
		rsync -rlpc --delete net/sched/sch_roce/ "$src/net/sched/sch_roce/" &&
		rsync -rlpc include/ "$src/include/" &&
		rsync -rlpc --delete --exclude=Kconfig --exclude=".*" "$build/rxe/" "$src/drivers/infiniband/sw/rxe/"
}

configure() {
	# All that our Kconfig has.
	sed -n 's/^config \(.*\)/CONFIG_\1=y/p' "$top/Kconfig" >"$dir/ours.config"
	make -C "$src" O="$obj" ARCH=um allnoconfig &&
		"$src/scripts/kconfig/merge_config.sh" -m -O "$obj" "$obj/.config" \
			"$top/tools/lab/kernel/lab.config" "$dir/ours.config" &&
		make -C "$src" O="$obj" ARCH=um olddefconfig &&
		"$top/scripts/kconfig-check.sh" "$obj/.config" "$dir/ours.config"
}

# No two of ours may have a name in common, as they do not as modules.
compile() {
	local dirs=(drivers/infiniband/sw/rxe_cc/ drivers/infiniband/sw/rxe/ net/sched/sch_roce/)
	make -C "$src" O="$obj" ARCH=um -j"$jobs" "${dirs[@]}" && cd "$obj" &&
		ld -r -o "$dir/ours.o" --whole-archive "${dirs[@]/%/built-in.a}" || return
	[ -z "$link" ] || make -C "$src" O="$obj" ARCH=um -j"$jobs" vmlinux
}

[ "$(cat "$src/.from" 2>/dev/null)" = "$ksrc" ] ||
	step "copying the kernel's source, without the lab's patches" "$build/log/in-tree-source.log" copy_source || exit 1
"$top/scripts/rxe-prepare.sh" "$ksrc" || exit 1
mkdir -p "$src/drivers/infiniband/sw/rxe_cc" "$src/net/sched/sch_roce"
step "copying ours into it" "$build/log/in-tree-ours.log" put_ours || exit 1
step "configuring it" "$build/log/in-tree-config.log" configure || exit 1
step "building it" "$build/log/in-tree.log" compile
