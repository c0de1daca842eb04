#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Make Debian packages of what was built: build/deb/*.deb.
#   deb.sh
# rxe-cc-dkms: source of the modules, with the patched rxe of each kernel in "later" (common.sh), and of this
# machine's kernel source, 6.12; rxe-cc-tools; rxe-cc-lab; rxe-cc-dev, to compile algorithms for the lab.
# "make deb" builds what goes into them. A later kernel whose source is not to be had is left out, with
# a line that says so.
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
series=(6.12)

# Each rxe in a directory named for its series.
rxe_of_each() {
	local kernel name source dir=$DKMS_SOURCE/drivers/infiniband/sw
	mv "$dir/rxe" "$dir/rxe-6.12" || return 1
	for kernel in "${later[@]}"; do
		read -r name source <<<"$kernel"
		# shellcheck disable=SC2086 # suite, package and version
		if ! source=$("$top/scripts/archive.sh" rxe $source); then
			say "  the packages are without Linux $name"
			continue
		fi
		"$top/scripts/rxe-prepare.sh" "$source" "$build/rxe-$name" &&
			rsync -rlpt --exclude='.*' "$build/rxe-$name/" "$dir/rxe-$name/" || return 1
		series+=("$name")
	done
}

# dkms.conf: each module and where its source is
dkms_conf() {
	local ko i=0 kernels=${series[*]//./\\.}
	cat <<-END
	PACKAGE_NAME="rxe-cc"
	PACKAGE_VERSION="$version"
	# Any other kernel keeps its own rxe, and DKMS says that this is not for it.
	BUILD_EXCLUSIVE_KERNEL="^(${kernels// /|})\."
	AUTOINSTALL="yes"
	# "7.3" of "7.3.4+deb13-amd64"
	series="\${kernelver%%.*}.\$(cut -d. -f2 <<<"\$kernelver.")"
	MAKE[0]="make -C \$kernel_source_dir M=\$dkms_tree/\$PACKAGE_NAME/\$PACKAGE_VERSION/build CONFIG_KUNIT= rxe-cc-rxe=rxe-\$series modules"
	CLEAN="true"
	END
	while read -r ko; do
		ko=${ko%.o}
		ko=${ko%.ko}
		ko=${ko#"$build/host/mod/"}
		ko=${ko/#drivers\/infiniband\/sw\/rxe\//drivers/infiniband/sw/rxe-\$series/}
		[[ $ko != *_kunit ]] && [[ $ko != *_test@(alg|feat) ]] || continue
		printf 'BUILT_MODULE_NAME[%d]="%s"\nBUILT_MODULE_LOCATION[%d]="%s"\nDEST_MODULE_LOCATION[%d]="/updates/dkms"\n' \
			$i "${ko##*/}" $i "${ko%/*}" $i
		i=$((i + 1))
	done <"$build/host/mod/modules.order"
	[ $i -gt 0 ]
}

"$top/scripts/modules.sh" host --source "$DKMS_SOURCE" && rxe_of_each || exit 1
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
