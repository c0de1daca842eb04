# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What tests of "lab report" share: the programs they need and a directory that
# goes away with them; sourced first, by a test in this directory.
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"

# shellcheck disable=SC2034 # for the tests
lab=$RXE_CC_BUILD/bin/lab
ktap_print_header
[ -x "$lab" ] || ktap_skip_all "no build/bin/lab: make tools"
command -v jq >/dev/null || ktap_skip_all "jq: not installed"
command -v gnuplot >/dev/null || ktap_skip_all "gnuplot: not installed"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
