#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What "make torture" runs in a guest: its jobs, one after the other.
#   guest.sh SEED FIRST JOB:SECONDS...
# FIRST is how many steps of each job are left out, as other guests do them.
# Prints for the host, besides what jobs say:
#	@job NAME		it begins
#	@count NAME N		so many operations, packets, faults
#	@fail WHAT		what should not be, and no kernel complains of
#	@leak N			objects that kmemleak found when it was over
#	@end NAME STATUS SECONDS
set -u
seed=$1 first=$2
shift 2
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh
leaks=/sys/kernel/debug/kmemleak

# kmemleak reports what is older than 5 s, and unchanged since the scan before.
scan() {
	sleep 6
	echo scan >$leaks
	sleep 1
	echo scan >$leaks
}

look_for_leaks() {
	local n
	[ -e $leaks ] || return 0
	scan
	n=$(grep -c '^unreferenced object' $leaks)
	[ "$n" -gt 0 ] || return 0
	echo "@leak $n"
	sed -n '1,200{s/^/torture: leak: /p}' $leaks >/dev/kmsg
	echo clear >$leaks
}

# A network namespace and its devices are taken apart by the kernel's own threads.
# In the distribution's kernel these are modules; ours have it all built in.
for m in ib_uverbs rdma_cm udp_tunnel ip6_udp_tunnel veth bridge sch_netem sch_tbf dummy crc32_generic; do
	modprobe $m 2>/dev/null
done
[ ! -e $leaks ] || { scan; echo clear >$leaks; }
sysctl -qw kernel.hung_task_timeout_secs=120 2>/dev/null
uname -r
for j; do
	name=${j%:*}
	echo "@job $name"
	echo "torture: job $name" >/dev/kmsg
	t0=$SECONDS
	# By name, so that a job is the same whatever ran before it.
	s=$(printf '%s %s' "$seed" "$name" | cksum | cut -d' ' -f1)
	# Most of a job's time is its own to keep, and some take what they need; beyond that it hangs.
	# shellcheck disable=SC2016 # of the job's shell
	SEED=$s FIRST=$first TIME=${j#*:} timeout -k 10 $((${j#*:} * 2 + 1800)) setsid \
		bash -c 'echo $$ >"$0"; exec bash "$1"' $work/group /t/torture/jobs/"$name".sh
	rc=$?
	if [ $rc -eq 124 ] || [ $rc -eq 137 ]; then
		fail "$name: no end"
		# Its flows and all else that it has begun; they would keep our modules.
		kill -KILL -- "-$(<$work/group)"
	fi
	/t/torture/clean.sh || fail "$name: not all can be removed"
	look_for_leaks
	echo "@end $name $rc $((SECONDS - t0))"
done
exit 0
