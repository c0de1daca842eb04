#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the kept inputs of [fuzzing](#fuzzing-what-the-lab-reads), once each, with the sanitizers
#   of gcc
#
# What the lab reads, fuzzed: the inputs that are kept, once each, with the sanitizers of gcc.
# scripts/fuzz makes up new ones.
set -u
. "$(dirname "$0")/../lib/ktap_helpers.sh"

for c in make gcc pkg-config; do
	command -v "$c" >/dev/null || ktap_skip_all "no $c"
done
dir=$RXE_CC_TOP/tools/lab/tests/fuzz
ktap_print_header
for name in $("$RXE_CC_TOP/scripts/fuzz" --list); do
	ktap_check "$name: $(find "$dir/corpus/$name" -type f | wc -l) inputs" \
		make -s -C "$dir" BUILD="$RXE_CC_BUILD" CC=gcc FUZZ="$name" replay
done
ktap_finished
