#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Prints the commit that a build is made from, for the results of runs.
#   commit.sh [DIR]
# DIR is a checkout; default: this one. After the commit comes "-dirty" when files that end up in
# kernel, modules or tools are not those of the commit, new ones included; "unknown" without git.
set -u
. "$(dirname "$0")/common.sh"
case ${1:-} in -h | --help) usage; exit 0 ;; esac
dir=${1:-$top}

sources=(Kbuild Makefile include drivers net scripts tools)
# Not that of a repository further up.
[ -e "$dir/.git" ] && commit=$(git -C "$dir" rev-parse --verify -q HEAD 2>/dev/null) &&
	changes=$(git -C "$dir" status --porcelain -- "${sources[@]}" 2>/dev/null) ||
	{ echo unknown; exit 0; }
echo "$commit${changes:+-dirty}"
