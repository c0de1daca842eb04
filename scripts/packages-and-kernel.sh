#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Install the packages that "make demo" and "make lab" need. The lab kernel takes
# minutes to build and needs few of them: while the others come it is built.
#   packages-and-kernel.sh lab|debug   which kernel
set -u
. "$(dirname "$0")/common.sh"
case ${1:-} in
-h | --help) usage; exit 0 ;;
lab | debug) ;;
*) die "which kernel, lab or debug?" ;;
esac
install=$top/scripts/install-packages.sh
log=$build/log/packages-and-kernel.log

"$install" kernel || exit 1
"$install" --check demo >/dev/null && exit 0
mkdir -p "$build/log" || die "cannot write to $build"
say "Packages that the kernel's build does not need are installed meanwhile ($log)."
"$install" demo >"$log" 2>&1 &
pid=$!
trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM HUP
rc=0
"$top/scripts/kernel.sh" uml "$1" || rc=$?
wait "$pid" || {
	tail -n 25 "$log" >&2
	die "packages could not be installed, log: $log"
}
grep '^  apt-get install ' "$log"
exit "$rc"
