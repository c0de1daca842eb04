#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build one of the tools.
#   tool.sh NAME
set -u
. "$(dirname "$0")/common.sh"
[ $# -eq 1 ] && [ -f "$top/tools/$1/Makefile" ] || { usage >&2; exit 2; }
compile() {
	make -C "$top/tools/$1" -j"$jobs" BUILD="$build"
}
commit=$("$top/scripts/commit.sh")
step "tool $1" "$build/log/tool-$1.log" compile "$1" || exit 1
mkdir -p "$build/obj"
# For results: see scripts/commit.sh.
echo "$commit" >"$build/obj/$1.commit"
