#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tests of rdma-core in Python, as the package python3-pyverbs has them, unpacked.
#   pyverbs-tests.sh   print the directory in which run_tests.py is
# They are documents of that package, compressed, so they are unpacked into the cache, once for
# each of its versions. Exit status: 4 when the package is not installed.
# Environment: RXE_CC_CACHE, default ~/.cache/rxe-cc
set -u
. "$(dirname "$0")/common.sh"

case ${1:-} in
'') ;;
-h | --help) usage; exit 0 ;;
*) misuse "unknown argument \"$1\"" ;;
esac
# shellcheck disable=SC2016 # dpkg-query's own variables
version=$(dpkg-query -W -f '${db:Status-Abbrev}${Version}' python3-pyverbs 2>/dev/null)
from=/usr/share/doc/rdma-core/tests
case $version in
ii*) [ -e "$from/run_tests.py" ] || [ -e "$from/run_tests.py.gz" ] ;;
*) false ;;
esac || { echo "${0##*/}: package python3-pyverbs is not installed" >&2; exit 4; }
version=${version#ii}
dir=$cache/pyverbs-tests-${version//[^A-Za-z0-9.+-]/_}
if [ ! -d "$dir" ]; then
	tmp=$dir.$$
	mkdir -p "$tmp" && cp -rL "$from" "$tmp/" || die "cannot write to $cache"
	find "$tmp" -name '*.gz' -exec gunzip {} + || die "cannot unpack in $tmp"
	mv -T "$tmp" "$dir" 2>/dev/null || rm -rf "$tmp"
fi
echo "$dir/tests"
