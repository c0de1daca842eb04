# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Mutated copies of every kind of packet into live connections, from both sides, under
# each algorithm in turn: all messages arrive, whole. selftests/rxe/fuzz.sh does the same
# in virtual time and accounts for every packet.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

load_modules || { fail "the modules do not load"; exit 1; }

round() {
	local a list n rc pids=()
	read -ra list <<<"none $algorithms"
	a=${list[(step + SEED) % ${#list[@]}]}
	make_hosts roce rate 1gbit delay 5us int on prio 3 ecn enqueue kmin 5kb kmax 50kb pmax 1 || { fail "no hosts"; return 1; }
	set_algorithm "$a"
	for n in 1 2; do
		ip netns exec h$n /t/build/selftests/rxe_fuzz v$n 3000 4 $((SEED % 100000 + step * 2 + n)) 60000 >$work/fuzz$n 2>&1 &
		pids+=($!)
	done
	timeout 400 flowgen run $work/plan.json --out $work/out -q >$work/log 2>&1
	rc=$?
	case $rc in
	0) ;;
	124) count stuck 1; fail "round $step: $a: no end" ;;
	*) fail "round $step: $a: $(head -n 2 $work/log)" ;;
	esac
	wait "${pids[@]}"
	count packets "$(packets)"
	count operations "$(cat $work/fuzz? | awk '$1 == "injected" { n += $2 } END { print n + 0 }')"
	echo "round $step: $a: $rc, $(grep injected $work/fuzz? | tr '\n' ' ')"
	remove_hosts
}
cat >$work/plan.json <<'PLAN'
{ "mtu": 1024, "chunk_bytes": 32768, "depth": 4, "gid": "ipv4", "retry_cnt": 7, "timeout": 17, "verify": true,
  "flows": [ { "src": "r1", "dst": "r2", "op": "write", "bytes": 500000 }, { "src": "r2", "dst": "r1", "op": "send", "bytes": 500000 },
	     { "src": "r1", "dst": "r2", "op": "read", "bytes": 500000 } ] }
PLAN
SECONDS=0
until_over round
