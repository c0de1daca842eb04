# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Loss, duplication, reordering and corruption under each algorithm in turn: all
# messages arrive, whole. What netem draws is not of the seed; what is asked of it is.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

load_modules || { fail "the modules do not load"; exit 1; }

round() {
	local a what
	next_algorithm
	pick "loss 2%" "duplicate 5%" "delay 5ms reorder 20%" "corrupt 2%" "loss 1% duplicate 1% corrupt 1% delay 3ms 2ms"
	what=$picked
	# shellcheck disable=SC2086 # words
	make_hosts netem limit 10000 $what || { fail "no hosts"; return 1; }
	set_algorithm "$a"
	all_arrives "$a, $what" 300000
	count operations 1
	remove_hosts
}
SECONDS=0
until_over round
