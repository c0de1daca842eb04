# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Loss, duplication, reordering and corruption under each algorithm in turn: all
# messages arrive, whole. What netem draws is not of the seed; what is asked of it is.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

load_modules || { fail "the modules do not load"; exit 1; }

# In the order of the list, so that even a short run has some of each.
round() {
	local a list what
	read -ra list <<<"none $algorithms"
	a=${list[(step + SEED) % ${#list[@]}]}
	pick "loss 2%" "duplicate 5%" "delay 5ms reorder 20%" "corrupt 2%" "loss 1% duplicate 1% corrupt 1% delay 3ms 2ms"
	what=$picked
	# shellcheck disable=SC2086 # words
	make_hosts netem limit 10000 $what || { fail "no hosts"; return 1; }
	set_algorithm "$a"
	timeout 400 flowgen run $work/lossy.json --out $work/lossy -q >$work/log 2>&1
	rc=$?
	case $rc in
	0) ;;
	124) count stuck 1; fail "round $step: $a, $what: no end" ;;
	*) fail "round $step: $a, $what: $(head -n 2 $work/log)" ;;
	esac
	count packets "$(packets)"
	count operations 1
	echo "round $step: $a, $what: $rc"
	remove_hosts
}
cat >$work/lossy.json <<'PLAN'
{ "mtu": 1024, "chunk_bytes": 32768, "depth": 4, "gid": "ipv4", "retry_cnt": 7, "timeout": 17, "verify": true,
  "flows": [ { "src": "r1", "dst": "r2", "op": "write", "bytes": 300000 }, { "src": "r2", "dst": "r1", "op": "send", "bytes": 300000 },
	     { "src": "r1", "dst": "r2", "op": "read", "bytes": 300000 } ] }
PLAN
SECONDS=0
until_over round
