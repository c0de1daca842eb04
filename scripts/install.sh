#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Install what "make modules-host tools" built.
#   install.sh DESTDIR PREFIX
# Modules to DESTDIR/lib/modules/VERSION/updates/ (depmod prefers them to the
# distribution's rdma_rxe), tools and manual pages below DESTDIR/PREFIX, the
# tc plug-in where tc looks for it (TC_DIR, default /usr/lib/tc), the Wireshark
# dissector to DESTDIR/PREFIX/share/rxe-cc (tools/wireshark/README.md: how to
# have it loaded).
set -u
. "$(dirname "$0")/common.sh"
[ $# -eq 2 ] || { usage >&2; exit 2; }
dest=$1
prefix=$2
tcdir=${TC_DIR:-/usr/lib/tc}

[ -n "$dest" ] || [ "$(id -u)" -eq 0 ] || die "needs root (or DESTDIR=DIR)"
hdr=$("$top/scripts/kernel.sh" headers) || exit 1
version=$(make -s -C "$hdr" kernelrelease) || die "$hdr: cannot tell the kernel's version"
modules=$dest/lib/modules/$version/updates/rxe_cc

put() { install -D -m "$1" "$2" "$3" || die "cannot write $3"; }

for ko in "$build"/host/*.ko; do
	[[ $ko == *_kunit.ko ]] || put 644 "$ko" "$modules/${ko##*/}"
done
for tool in rxecc flowgen; do
	put 755 "$build/bin/$tool" "$dest$prefix/bin/$tool"
done
put 644 "$build/tc/q_roce.so" "$dest$tcdir/q_roce.so"
for f in rxe_cc.lua rxe_cc_tlv.inc rxe_cc_lscc.inc; do
	put 644 "$top/tools/wireshark/$f" "$dest$prefix/share/rxe-cc/$f"
done
for page in "$top"/tools/*/*.8 "$top"/Documentation/*.8; do
	[ ! -f "$page" ] || put 644 "$page" "$dest$prefix/share/man/man8/${page##*/}"
done
if [ -z "$dest" ]; then
	depmod "$version" || die "depmod $version failed"
fi
say "modules    $modules"
say "tools      $dest$prefix/bin"
say "tc plug-in $dest$tcdir/q_roce.so"
say "dissector  $dest$prefix/share/rxe-cc/rxe_cc.lua"
