#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Generate the netlink headers and policies from the YNL specification with
# the kernel's own generator.
#   ynl-regen.sh KERNEL-SOURCE [OUTPUT-DIR]
# OUTPUT-DIR defaults to this checkout.
set -eu
[ $# -ge 1 ] || { sed -n '3,6s/^# //p' "$0"; exit 2; }
top=$(cd "$(dirname "$0")/.." && pwd)
ksrc=$1
out=${2:-$top}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/Documentation/netlink/specs" \
	"$out/include/uapi/linux" "$out/drivers/infiniband/sw/rxe_cc/ctl"
touch "$tmp/MAINTAINERS" # the generator looks for the root of a kernel tree
cp "$ksrc"/Documentation/netlink/*.yaml "$tmp/Documentation/netlink/"
cp "$top/Documentation/netlink/specs/rxe_cc.yaml" \
	"$tmp/Documentation/netlink/specs/"
cd "$tmp"
gen() {
	/usr/bin/python3 "$ksrc/tools/net/ynl/ynl-gen-c.py" \
		--spec Documentation/netlink/specs/rxe_cc.yaml "$@"
}
gen --mode uapi --header -o "$out/include/uapi/linux/rxe_cc.h"
gen --mode kernel --header -o "$out/drivers/infiniband/sw/rxe_cc/ctl/cc_netlink_gen.h"
gen --mode kernel --source -o "$out/drivers/infiniband/sw/rxe_cc/ctl/cc_netlink_gen.c"
