#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Has the installed tc load our plug-in, q_roce.so, and says whether it fits.
#   check-tc.sh [DIR]
# tc's interface for plug-ins is its own and may change from version to version.
# Loads DIR/q_roce.so (default: where tc looks) with all that it needs of tc, and has
# it read a line and refuse one. Changes nothing; needs neither root nor the module.
# Exit status: 0 it fits, 1 it does not, 2 usage, 3 no tc.
set -u
case ${1:-} in
-h | --help) sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$0"; exit 0 ;;
-*) echo "check-tc.sh: unknown option \"$1\"; see --help" >&2; exit 2 ;;
esac
PATH=$PATH:/usr/sbin:/sbin
export LC_ALL=C
tc=$(command -v tc) || { echo "check-tc.sh: no tc: install iproute2" >&2; exit 3; }
[ $# -eq 0 ] || export TC_LIB_DIR=$1

no() {
	echo "check-tc.sh: the plug-in for \"roce\" does not fit $($tc -V): $1" >&2
	exit 1
}

# tc_says WORDS...: what tc says of a qdisc with these; every symbol is looked up at once
tc_says() { LD_BIND_NOW=1 "$tc" qdisc add dev lo root roce "$@" 2>&1; }

says=$(tc_says help)
case $says in
*"line rate"*"mercury-"*) ;;
*"Unknown qdisc"*) no "tc does not load it (missing, or made for another tc)" ;;
*) no "no help from it" ;;
esac
says=$(tc_says rate 10gbit no-such-option)
case $says in
*no-such-option*) ;;
*) no "it does not read options" ;;
esac
echo "the plug-in fits $($tc -V)"
