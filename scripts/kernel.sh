#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kernel source, the lab's User-Mode-Linux kernels and those of "make torture", kept
# in a cache.
#   kernel.sh source          extract and patch the source; print its directory
#   kernel.sh uml lab|debug|apps  build that UML kernel; link it into build/uml-*/
#   kernel.sh x86 kasan|kcsan build that kernel for QEMU; link it into build/x86-*/
#   kernel.sh x86 kasan73     the same of Linux 7.3, from the distribution's archive; kcsan73, too
#   kernel.sh headers         print the kernel headers directory of the host target
#   kernel.sh rxe             print a directory with the rxe of that kernel below it
# Environment: KSRC=DIR      a kernel tree instead of the distribution's source; for the host
#                            target drivers/infiniband/sw/rxe is all that is needed of it
#              KHDR=DIR      a headers (or build) directory instead of the distribution's
#              RXE_CC_CACHE  the cache, default ~/.cache/rxe-cc
#              RXE_CC_GCOV   not empty: modules can count which of their lines run (make gcov)
# A kernel is built once per source, configuration, patches and compiler.
set -u
. "$(dirname "$0")/common.sh"

tarball=/usr/src/linux-source-6.12.tar.xz
patches=("$top"/tools/lab/kernel/*.patch)
source_mb=600
object_mb=1600 # the debug kernel; the lab kernel takes 200
arch=um

digest() { sha256sum | cut -c1-10; }

# What the source is: a version for people, and everything that tells two
# sources apart.
source_version() {
	if [ -n "${archived:-}" ]; then
		echo "$archived"
	elif [ -n "${KSRC:-}" ]; then
		make -s -C "$KSRC" kernelversion 2>/dev/null
	else
		dpkg-query -W -f '${Version}' linux-source-6.12 2>/dev/null
	fi
}

source_identity() {
	source_version
	[ ${#patches[@]} -eq 0 ] || cat "${patches[@]}"
	[ -n "${KSRC:-}" ] || return 0
	realpath "$KSRC"
	if [ -e "$KSRC/.git" ]; then
		git -C "$KSRC" rev-parse HEAD
		git -C "$KSRC" diff HEAD
	else
		(cd "$KSRC" && cat Makefile arch/um/kernel/time.c drivers/infiniband/sw/rxe/*)
	fi
}

find_source() {
	local version
	if [ -n "${KSRC:-}" ]; then
		[ -f "$KSRC/arch/um/kernel/time.c" ] || die "KSRC=$KSRC is not a kernel source tree"
		KSRC=$(realpath "$KSRC")
	else
		[ -n "${archived:-}" ] || [ -f "$tarball" ] || die "$tarball is missing: run scripts/install-packages.sh"
	fi
	version=$(source_version)
	[ -n "$version" ] || die "cannot tell the version of the kernel source"
	version=${version//[^A-Za-z0-9.]/.}
	src=$cache/linux-$version-$(source_identity | digest)
}

# Directories of sources that no lab kernel has. What the configuration reads stays.
unused=(sound tools/perf tools/testing
	drivers/{accel,clk,comedi,crypto,gpu,iio,md,media,mtd,pinctrl,scsi,staging,usb,video}
	drivers/net/{ethernet,wireless})

# With other architectures and documents they are two thirds of the tree.
extract_tarball() {
	local d exclude=()
	for d in "${unused[@]}"; do
		exclude+=("--exclude=*/$d/*.[ch]")
	done
	tar -C "$1" --strip-components=1 -xJf "$tarball" --wildcards "${exclude[@]}" \
		--exclude='*/arch/[!ux]*/*.[chS]' --exclude='*/arch/[!ux]*/*.dts*' \
		--exclude='*/Documentation/*.rst' --exclude='*/Documentation/devicetree/*'
}

copy_ksrc() {
	rsync -a --exclude=.git --exclude='*.o' --exclude='*.ko' --exclude='*.cmd' \
		--exclude=/.config --exclude=/include/config --exclude=/include/generated \
		--exclude='/arch/*/include/generated' "$KSRC"/ "$1"/
}

# Each patch must apply without guessing, and be there at the end.
apply_patches() {
	local p
	for p in "${patches[@]}"; do
		patch -d "$1" -p1 --forward --fuzz=0 <"$p" ||
			{ echo "$p does not apply to the kernel source"; return 1; }
	done
	for p in "${patches[@]}"; do
		patch -d "$1" -p1 --reverse --dry-run --fuzz=0 <"$p" ||
			{ echo "$p is not in the patched source"; return 1; }
	done
}

get_source() {
	local tmp log=$build/log/source.log
	find_source
	tmp=$src.tmp
	[ -d "$src" ] && return
	check_path "the cache directory" "$cache"
	lock source
	[ -d "$src" ] && return
	need_space "$cache" $((source_mb + object_mb))
	rm -rf "$tmp"
	mkdir -p "$tmp"
	if [ -n "${archived:-}" ]; then
		# shellcheck disable=SC2086 # suite, package and version
		tarball=$("$top/scripts/archive.sh" tarball $from_archive) || exit 4
	fi
	if [ -n "${KSRC:-}" ]; then
		step "copying $KSRC" "$log" copy_ksrc "$tmp" || exit 1
	else
		step "extracting ${tarball##*/}" "$log" extract_tarball "$tmp" || exit 1
	fi
	step "patching the kernel source" "$log" apply_patches "$tmp" || exit 1
	mv "$tmp" "$src" || exit 1
	[ -z "${archived:-}" ] || rm -f "$tarball"
	exec 9>&-
}

configure() {
	make -C "$src" O="$1" ARCH=$arch allnoconfig &&
		"$src/scripts/kconfig/merge_config.sh" -m -O "$1" "$1/.config" "${fragments[@]}" &&
		make -C "$src" O="$1" ARCH=$arch olddefconfig &&
		"$top/scripts/kconfig-check.sh" "$1/.config" "${fragments[@]}"
}

declare -A goals=([um]=linux [x86_64]=bzImage)
compile() {
	make -C "$src" O="$1" ARCH=$arch -j"$jobs" "${goals[$arch]}" modules
}

# build WHAT NAME: the kernel of $arch and $fragments, as NAME in the cache; sets obj.
# The object directory is published by its stamp: an interrupted build has
# none and is resumed.
build() {
	local what=$1 name=$2 key log=$build/log/$2
	get_source
	key=$( { basename "$src"; cat "${fragments[@]}"; gcc -dumpfullversion; } | digest)
	obj=$cache/$name-$key
	[ ! -e "$obj/.complete" ] || return 0
	lock "$name"
	if [ ! -e "$obj/.complete" ]; then
		need_space "$cache" "$object_mb"
		mkdir -p "$obj"
		step "configuring the $what kernel" "$log-config.log" \
			configure "$obj" || exit 1
		step "building the $what kernel (once)" "$log-build.log" \
			compile "$obj" || exit 1
		touch "$obj/.complete"
	fi
	exec 9>&-
}

build_uml() {
	local variant=$1 obj
	fragments=("$top/tools/lab/kernel/lab.config")
	case $variant in
	lab) ;;
	debug) fragments+=("$top/tools/lab/kernel/debug.config") ;;
	apps) # with a source of its own
		fragments+=("$top/tools/lab/kernel/apps.config")
		patches+=("$top"/tools/lab/kernel/apps/*.patch) ;;
	*) misuse "unknown variant \"$variant\": lab, debug or apps" ;;
	esac
	[ -z "${RXE_CC_GCOV:-}" ] || fragments+=("$top/tools/lab/kernel/gcov.config")
	build "UML $variant" "uml-$variant"
	publish "uml-$variant" "$obj" linux
}

# later_source SERIES: the source is that of a later kernel, and without our patches, which are for UML
later_source() {
	local l name
	for l in "${later[@]}"; do
		read -r name from_archive <<<"$l"
		[ "$name" != "$1" ] || { archived=${from_archive##* } patches=() KSRC=; return; }
	done
	misuse "no kernel $1 of the archive: ${later[*]%% *}"
}

build_x86() {
	local variant=$1 obj series
	case $variant in
	kasan | kcsan) ;;
	kasan[1-9]* | kcsan[1-9]*)
		series=${variant#k?san}
		series=${series:0:1}.${series:1}
		later_source "$series" ;;
	*) misuse "unknown variant \"$variant\": kasan or kcsan, and kasan73 for that of Linux 7.3" ;;
	esac
	fragments=("$top/tools/qemu/kernel/smp.config" "$top/tools/qemu/kernel/${variant%%[1-9]*}.config")
	[ -z "${series:-}" ] || fragments+=("$top/tools/qemu/kernel/$series.config")
	arch=x86_64
	build "$variant" "x86-$variant"
	publish "x86-$variant" "$obj" arch/x86/boot/bzImage
}

# publish NAME OBJ IMAGE
publish() {
	local dir=$build/$1 obj=$2
	mkdir -p "$dir/stock"
	ln -sfn "$obj" "$dir/obj"
	# The source of what has patches of its own is that of nothing else, nor is a later one.
	[ "$1" = uml-apps ] || [ -n "${archived:-}" ] || ln -sfn "$src" "$build/ksrc"
	ln -sfn "$obj/$3" "$dir/${3##*/}"
	cmp -s "$obj/drivers/infiniband/sw/rxe/rdma_rxe.ko" "$dir/stock/rdma_rxe.ko" ||
		cp "$obj/drivers/infiniband/sw/rxe/rdma_rxe.ko" "$dir/stock/"
}

headers() {
	local dir
	if [ -n "${KHDR:-}" ]; then
		[ -f "$KHDR/Makefile" ] || die "KHDR=$KHDR is not a kernel build directory"
		realpath "$KHDR"
		return
	fi
	# the package only depends on that of the present version
	dir=$(dpkg-query -W -f '${Depends}' linux-headers-6.12-amd64 2>/dev/null)
	dir=/usr/src/${dir%% *}
	[ -f "$dir/Makefile" ] || die "no kernel headers for 6.12: run scripts/install-packages.sh"
	echo "$dir"
}

# Our patches are the lab kernel's: those of another kernel would not fit.
rxe_source() {
	if [ -n "${KSRC:-}" ]; then
		[ -f "$KSRC/drivers/infiniband/sw/rxe/rxe.c" ] || die "KSRC=$KSRC has no drivers/infiniband/sw/rxe"
		realpath "$KSRC"
	else
		get_source >&2
		echo "$src"
	fi
}

mkdir -p "$build/log" || die "cannot write to $build"
case ${1:-} in
source) get_source >&2; echo "$src" ;;
uml) build_uml "${2:-lab}" ;;
x86) build_x86 "${2:-kasan}" ;;
headers) headers ;;
rxe) rxe_source ;;
-h | --help) usage ;;
*) usage >&2; exit 2 ;;
esac
