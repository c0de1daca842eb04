#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Kernels of the distribution's archive, of this suite and of others, kept in the cache. The
# machine's own apt is not changed: lists and downloads are private.
#   archive.sh list SUITE...                    the kernel sources: suite, package, version
#   archive.sh release SUITE VERSION            what "uname -r" says of that version, for amd64
#   archive.sh rxe SUITE PACKAGE [VERSION]      print a directory with the rxe of that source below it,
#                                               in drivers/infiniband/sw/rxe
#   archive.sh tarball SUITE PACKAGE VERSION    print a file with all of that source
#   archive.sh fetch SUITE DIR PACKAGE[=VERSION]...  download packages into DIR
#   archive.sh root SUITE DIR PACKAGE...        unpack packages, and all that they depend on, below DIR: a
#                                               system of that suite to compile in by chroot, and to take
#                                               programs from. No script of a package runs
# --arch ARCH: packages of another architecture, for example arm64
# SUITE: bookworm, trixie, forky, sid, bookworm-backports, ...; PACKAGE: for example
# linux-source-6.12. A list that is older than a day is fetched again. Packages come from where
# this machine has its own from.
# Environment: RXE_CC_CACHE.
set -u
. "$(dirname "$0")/common.sh"

options "arch=" "$@"
set -- "${args[@]}"

# The places of this machine's packages, "KIND URI": KIND is security or main.
places() {
	apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | sort -u |
		while read -r uri name; do
			case $name in
			*-security) echo "security $uri" ;;
			*-updates | *-backports) ;;
			bookworm | trixie | forky | sid | stable | testing | unstable) echo "main $uri" ;;
			esac
		done | sort -u
}

uri_of() { places | awk -v kind="$1" '$1 == kind { print $2; exit }'; }

# sources_of SUITE: backports alone
# sources_of SUITE base: with the suite that they are for
sources_of() {
	local main security
	main=$(uri_of main)
	security=$(uri_of security)
	[ -n "$main" ] || return 1
	echo "deb $main $1 main"
	[[ ${2:-} != base || $1 != *-backports ]] || sources_of "${1%-backports}"
	case $1 in
	sid | unstable | *-backports) ;;
	*) [ -z "$security" ] || echo "deb $security $1-security main" ;;
	esac
}

# private SUITE [base]: sets apt_options; its lists are there and fresh
private() {
	local suite=$1 dir=$cache/apt/$1${2:+-$2}${arch:+-$arch}
	[[ $suite =~ ^[a-z][a-z-]*$ ]] || misuse "no suite \"$suite\""
	[[ ${arch:-} =~ ^[a-z0-9-]*$ ]] || misuse "no architecture \"$arch\""
	mkdir -p "$dir"/{lists/partial,archives/partial} || die "cannot write to $cache"
	: >>"$dir/status"
	apt_options=(-q -o "Dir::State=$dir" -o "Dir::State::status=$dir/status" -o "Dir::State::lists=$dir/lists"
		-o "Dir::Cache=$dir" -o "Dir::Etc::sourcelist=$dir/sources.list" -o Dir::Etc::sourceparts=-
		-o APT::Sandbox::User=root -o Acquire::Languages=none)
	[ -z "${arch:-}" ] || apt_options+=(-o "APT::Architecture=$arch" -o "APT::Architectures=$arch")
	sources_of "$@" >"$dir/sources.new" || die "this machine's apt has no Debian archive"
	if ! cmp -s "$dir/sources.new" "$dir/sources.list" || [ -z "$(find "$dir/fresh" -mtime -1 2>/dev/null)" ]; then
		mv "$dir/sources.new" "$dir/sources.list"
		apt-get "${apt_options[@]}" update >"$dir/log" 2>&1 && ! grep -q '^[EW]:' "$dir/log" ||
			die "$suite is not to be had: $(grep -m 1 '^[EW]:' "$dir/log")"
		touch "$dir/fresh"
	fi
}

list() {
	local suite
	for suite; do
		private "$suite"
		apt-cache "${apt_options[@]}" search --names-only '^linux-source-[0-9.]*$' |
			cut -d' ' -f1 | xargs -r apt-cache "${apt_options[@]}" madison |
			awk -v suite="$suite" '{ print suite, $1, $3 }'
	done | sort -u | sort -k1,1 -k3,3V
}

# fetch SUITE DIR PACKAGE[=VERSION]...
fetch() {
	local suite=$1 dir=$2
	shift 2
	private "$suite"
	mkdir -p "$dir" && (cd "$dir" && apt-get "${apt_options[@]}" download "$@" >&2)
}

release() {
	local upstream=${2%%-*}
	private "$1" base
	apt-cache "${apt_options[@]}" pkgnames "linux-headers-$upstream+" |
		sed -n 's/^linux-headers-\([0-9.]*+deb[0-9.]*-amd64\)$/\1/p' | sort -V | tail -n 1 | grep . ||
		die "$1 has no kernel $2 for amd64"
}

# newest SUITE PACKAGE
newest() {
	apt-cache "${apt_options[@]}" madison "$2" | awk 'NR == 1 { print $3 }'
}

# unpack_all ARCHIVES DIR: libraries and the directories that are links today come first
unpack_all() {
	local deb
	for deb in "$1"/{usrmerge,usr-is-merged,base-files}_*.deb "$1"/*.deb; do
		[ ! -e "$deb" ] || dpkg-deb --fsys-tarfile "$deb" | tar -C "$2" -x --keep-directory-symlink || return
	done
}

# files_of KERNEL-PACKAGE: the packages that have its files; those of Linux 7 are two
files_of() {
	local version=${1#linux-image-}
	if [ -n "$(apt-cache "${apt_options[@]}" madison "linux-binary-$version")" ]; then
		echo "linux-binary-$version linux-modules-$version"
	else
		echo "$1"
	fi
}

# What is there stays until the archive has newer packages, or others are asked for. Kernels come
# without what they depend on: that makes and boots an initrd, and may be too old in the base suite.
root() {
	local suite=$1 dir key p files images=() packages=()
	dir=$(realpath -m "$2")
	shift 2
	[ ! -e "$dir" ] || [ -e "$dir/.packages" ] || die "$dir is there already, and not made by this"
	private "$suite" base
	for p; do
		case $p in
		linux-image-*)
			read -ra files < <(files_of "$p")
			images+=("${files[@]}")
			;;
		*) packages+=("$p") ;;
		esac
	done
	key=$(apt-get "${apt_options[@]}" -qq -y --no-install-recommends --print-uris install "${packages[@]}" 2>&1) ||
		die "$suite: $(tail -n 1 <<<"$key")"
	key=$({ sort <<<"$key"; printf '%s\n' "${images[@]}"; } | sha256sum)
	[ "$(cat "$dir/.packages" 2>/dev/null)" != "$key" ] || return 0
	rm -rf --one-file-system "$dir" "$dir.debs"
	mkdir -p "$dir" "$dir.debs/partial" && : >"$dir/.packages" || die "cannot write to $dir"
	apt-get "${apt_options[@]}" -o "Dir::Cache::archives=$dir.debs" -qq -y --no-install-recommends \
		--download-only install "${packages[@]}" >&2 &&
		{ [ ${#images[@]} -eq 0 ] || fetch "$suite" "$dir.debs" "${images[@]}"; } &&
		unpack_all "$dir.debs" "$dir" || die "$suite: packages are not to be had"
	rm -rf "$dir.debs"
	echo "$key" >"$dir/.packages"
}

# get_tarball DIR: of $package, into DIR/usr/src
get_tarball() {
	local deb
	fetch "$suite" "$1/deb" "$package=$version" || return
	deb=$(echo "$1"/deb/*.deb)
	dpkg-deb --fsys-tarfile "$deb" | tar -C "$1" -x --wildcards '*/linux-source-*.tar.xz' && rm -rf "${1:?}/deb"
}

unpack_rxe() {
	local tmp=$1
	get_tarball "$tmp" || return
	tar -C "$tmp" -xJf "$tmp"/usr/src/linux-source-*.tar.xz --strip-components=1 --wildcards \
		'*/drivers/infiniband/sw/rxe' --exclude='*/Documentation/*' || return
	rm -rf "${tmp:?}/usr"
}

rxe() {
	local suite=$1 package=$2 version=${3:-} dir
	if [ -z "$version" ]; then
		private "$suite"
		version=$(newest "$suite" "$package")
		[ -n "$version" ] || die "$suite has no package $package"
	fi
	dir=$cache/archive/$package-$version
	if [ ! -d "$dir" ]; then
		lock "archive-$package-$version"
		rm -rf "$dir.tmp"
		mkdir -p "$dir.tmp" && unpack_rxe "$dir.tmp" >&2 && mv "$dir.tmp" "$dir" ||
			die "$package $version of $suite is not to be had"
	fi
	echo "$dir"
}

tarball() {
	local suite=$1 package=$2 version=$3 file=$cache/archive/$2-$3.tar.xz
	if [ ! -e "$file" ]; then
		lock "archive-$package-$version"
		rm -rf "$file.tmp"
		mkdir -p "$file.tmp" && get_tarball "$file.tmp" >&2 && mv "$file.tmp"/usr/src/linux-source-*.tar.xz "$file" &&
			rm -rf "$file.tmp" || die "$package $version of $suite is not to be had"
	fi
	echo "$file"
}

case $#:${1:-} in
[2-9]*:list) shift; list "$@" ;;
3:release) shift; release "$@" ;;
3:rxe | 4:rxe) shift; rxe "$@" ;;
4:tarball) shift; tarball "$@" ;;
[4-9]:fetch | [1-9]?*:fetch) shift; fetch "$@" ;;
[4-9]:root | [1-9]?*:root) shift; root "$@" ;;
*) usage >&2; exit 2 ;;
esac
