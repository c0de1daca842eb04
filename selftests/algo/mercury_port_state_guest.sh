# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For lab shell, by mercury_port_state.sh: the scenario's traffic, with a trace for mercury_port_state.awk on the
# standard output. Only of priority 3, the data's.
tracing=/sys/kernel/tracing
events="roce_enqueue roce_dequeue roce_mercury roce_mercury_packet"
job=$(tr ' ' '\n' </proc/cmdline | sed -n 's/^lab_job=//p')

# A port is NODE and PEER; a host's only port is eth0.
for ns in $(ip netns list | cut -d' ' -f1); do
	kind=switch
	ip -n "$ns" -br link show eth0 >/dev/null 2>&1 && kind=host
	ip -n "$ns" -o link show | awk -v ns="$ns" -v kind=$kind \
		-v inode="$(stat -L -c %i "/run/netns/$ns")" -F '[:@ ]+' \
		'$2 != "lo" && $2 != "br0" { print "#port", inode, $1, ns, $2, kind }'
	ip -n "$ns" -o -4 addr show dev eth0 2>/dev/null |
		awk -v ns="$ns" '{ sub("/.*", "", $4); print "#host", ns, $4 }'
done

echo 0 >$tracing/tracing_on
echo 131072 >$tracing/buffer_size_kb
for e in $events; do
	case $e in
	*queue) echo 'prio == 3' >$tracing/events/roce/"$e"/filter ;;
	esac
	echo 1 >$tracing/events/roce/"$e"/enable
done
mkdir -p /run/judge
jq .plan "$job" >/run/judge/plan.json
echo 1 >$tracing/tracing_on
flowgen run /run/judge/plan.json --out /run/judge/fg -q || echo "flowgen failed"
echo 0 >$tracing/tracing_on
[ "$(sed -n 's/^overrun: //p' $tracing/per_cpu/cpu0/stats)" = 0 ] || echo "trace lost"
sed -n 's/^.* roce_\([a-z_]*: \)/\1/p' $tracing/trace
