#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Make Debian packages of what was built: build/deb/*.deb.
#   deb.sh
# rxe-cc-dkms: source of the modules, with rxe as patched for this kernel source, for
# any kernel 6.12; rxe-cc-tools; rxe-cc-lab; rxe-cc-dev, to compile algorithms for the lab.
# "make deb" builds what goes into them.
# The same sources give the same packages: times are those of the commit.
set -u
. "$(dirname "$0")/common.sh"
[ $# -eq 0 ] || { usage >&2; [[ $1 == -h || $1 == --help ]]; exit; }
for f in dpkg-buildpackage dh dh_dkms; do
	command -v $f >/dev/null || die "$f is missing: scripts/install-packages.sh deb"
done
base=$(sed -n 's/^#define RXE_CC_VERSION[[:space:]]*"\(.*\)"/\1/p' "$top/include/rxe_cc/version.h")
[ -n "$base" ] || die "include/rxe_cc/version.h: no version"
commit=$("$top/scripts/commit.sh")
if [ "$commit" = unknown ]; then
	SOURCE_DATE_EPOCH=$(stat -c %Y "$top/CHANGELOG.md")
	version=$base
else
	SOURCE_DATE_EPOCH=$(git -C "$top" log -1 --format=%ct)
	version=$base+git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M).${commit:0:7}
	[[ $commit != *-dirty ]] || version+=.dirty
fi
export SOURCE_DATE_EPOCH RXE_CC_TOP=$top DKMS_VERSION=$version
work=$build/deb/work
rm -rf "$build/deb"
mkdir -p "$work/debian" || die "cannot write to $build"
export DKMS_SOURCE=$build/deb/dkms

# dkms.conf: each module and where its source is
dkms_conf() {
	local ko i=0
	cat <<-END
	PACKAGE_NAME="rxe-cc"
	PACKAGE_VERSION="$version"
	# The interfaces of rxe and its surroundings are those of 6.12.
	BUILD_EXCLUSIVE_KERNEL="^6\.12\."
	AUTOINSTALL="yes"
	MAKE[0]="make -C \$kernel_source_dir M=\$dkms_tree/\$PACKAGE_NAME/\$PACKAGE_VERSION/build CONFIG_KUNIT= modules"
	CLEAN="true"
	END
	while read -r ko; do
		ko=${ko%.o}
		ko=${ko%.ko}
		ko=${ko#"$build/host/mod/"}
		[[ $ko != *_kunit ]] && [[ $ko != *_test@(alg|feat) ]] || continue
		printf 'BUILT_MODULE_NAME[%d]="%s"\nBUILT_MODULE_LOCATION[%d]="%s"\nDEST_MODULE_LOCATION[%d]="/updates/dkms"\n' \
			$i "${ko##*/}" $i "${ko%/*}" $i
		i=$((i + 1))
	done <"$build/host/mod/modules.order"
	[ $i -gt 0 ]
}

"$top/scripts/modules.sh" host --source "$DKMS_SOURCE" || exit 1
cp "$top"/packaging/debian/* "$work/debian/" || exit 1
dkms_conf >"$work/debian/rxe-cc-dkms.dkms" || die "no modules: make modules-host"
printf 'rxe-cc (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" \
	"$(sed -n 's/^Maintainer: //p' "$work/debian/control")" "$(date -uR -d "@$SOURCE_DATE_EPOCH")" \
	>"$work/debian/changelog"
pack() { cd "$work" && dpkg-buildpackage -b -us -uc; }
step "Debian packages" "$build/log/deb.log" pack || exit 1
rm -rf "$work" "$DKMS_SOURCE"
rm -f "$build"/deb/*.buildinfo "$build"/deb/*.changes
for f in "$build"/deb/*.deb; do
	say "${f#"$top/"}"
done
