# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For lab shell, by lscc_algorithm1.sh: the scenario's traffic, with the messages that LSCC's
# ports send and receive on the standard output.
tracing=/sys/kernel/tracing
job=$(tr ' ' '\n' </proc/cmdline | sed -n 's/^lab_job=//p')

for ns in $(ip netns list | cut -d' ' -f1); do
	ip -n "$ns" -o link show | awk -v ns="$ns" -v inode="$(stat -L -c %i "/run/netns/$ns")" \
		-F '[:@ ]+' '$2 != "lo" && $2 != "br0" { print "#port", inode, $1, ns "-" $2 }'
done
# Traffic begins half a second after the kernel, 2500 periods.
echo 32768 >$tracing/buffer_size_kb
for e in rate feedback; do
	echo 1 >$tracing/events/roce/roce_lscc_$e/enable
done
mkdir -p /run/far
jq '.plan | .start_at_ns = 500000000' "$job" >/run/far/plan.json
flowgen run /run/far/plan.json --out /run/far/fg -q || echo "flowgen failed"
echo 0 >$tracing/tracing_on
[ "$(sed -n 's/^overrun: //p' $tracing/per_cpu/cpu0/stats)" = 0 ] || echo "trace lost"
sed -n 's/^.* roce_lscc_\([a-z]*\): /\1 /p' $tracing/trace
