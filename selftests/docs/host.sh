# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Runs the script that page.awk makes of a page; also sourced by guest.sh.
#	bash host.sh SCRIPT OUT
# What block LINE prints goes to OUT/LINE. Ends at the first command that fails: line and
# output of its block on stdout.
set -eE -o pipefail
docs_script=$1
docs_out=$2
docs_block=0

_block() {
	[ -z "${DOCS_LOG:-}" ] || echo "block $1" >>"$DOCS_LOG"
	docs_block=$1
	export DOCS_HOW=$2
	shift 2
	[ $# -eq 0 ] || _devices "$@" >"$docs_out/$docs_block.devices" 2>&1
	exec >"$docs_out/$docs_block" 2>&1
}

_end() {
	exec >&3 2>&1
}

_failed() {
	local rc=$?
	exec >&3 2>&1
	trap - ERR
	echo "line $1: exit status $rc; the block prints:"
	tail -n 15 "$docs_out/$docs_block"
	exit 1
}

exec 3>&1 </dev/null
trap '_failed $LINENO' ERR
# shellcheck disable=SC1090 # of the page
. "$docs_script"
