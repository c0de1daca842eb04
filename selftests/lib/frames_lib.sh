# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Tests that send frames through ports of namespaces in the lab kernel; sourced.
#
#	frames_enter [ARGUMENT]...	first: runs the script again in the lab
#					kernel, with "inside" in front of them
#	frames_net			namespaces and links from stdin
#	frames_switch N			hosts around one switch
#	frames_fixed_switch N		the same, and its address table is fixed
#	frames_ports			roce qdiscs from stdin
#	frames_run			steps from stdin, see frames --help
#
# Environment: VARIANT=debug for the debug kernel, SCH_ROCE for another module.
# ROCE_DIRECT=on has all ports hand their packets to the peer (qdisc.md, Direct).
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "${BASH_SOURCE[0]}")/ktap_helpers.sh"
FRAMES=$RXE_CC_BUILD/selftests/frames
VARIANT=${VARIANT:-lab}

frames_compile() {
	local src=$RXE_CC_TOP/selftests/port f
	command -v "${CC:-cc}" >/dev/null || ktap_skip_all "no ${CC:-cc}"
	for f in "$src"/frames*.[ch]; do
		[ "$f" -nt "$FRAMES" ] || continue
		ktap_compile frames "$src"/frames*.c
		break
	done
}

# The host's part of every test.
frames_prepare() {
	local f
	for f in "$RXE_CC_BUILD/uml-$VARIANT"/{linux,sch_roce.ko} \
		"$RXE_CC_BUILD/tc/q_roce.so" "$RXE_CC_BUILD/bin/labinit"; do
		[ -e "$f" ] || ktap_skip_all "$f is not built"
	done
	for f in jq tc ip bridge; do
		command -v $f >/dev/null || ktap_skip_all "no $f"
	done
	frames_compile
}

# frames_uml COMMAND...: in the lab kernel; nothing there speaks by itself
frames_uml() {
	local opt=()
	[ "$VARIANT" = lab ] || opt=(--debug)
	"$UML_EXEC" "${opt[@]}" --timeout "${FRAMES_TIMEOUT:-600}" \
		--modules "${SCH_ROCE:-sch_roce}" \
		--append ipv6.disable_ipv6=1 \
		--env "TC_LIB_DIR=$RXE_CC_BUILD/tc" --env "VARIANT=$VARIANT" \
		--env "ROCE_DIRECT=${ROCE_DIRECT:-off}" -- "$@"
}

frames_enter() {
	frames_prepare
	frames_uml "$(realpath "$0")" inside "$@"
	exit
}

# Lines "NETNS: COMMAND" are ip's in that
# namespace, others in the initial one.
frames_net() {
	local line ns
	local -A batch=()
	mkdir -p /run/netns
	while read -r line; do
		ns=
		[[ $line != *": "* ]] || ns=${line%%: *}
		batch["x$ns"]+=${line#"$ns: "}$'\n'
	done
	[ -z "${batch[x]:-}" ] || ip -batch - <<<"${batch[x]}" || return
	unset "batch[x]"
	for ns in "${!batch[@]}"; do
		ip -n "${ns#x}" -batch - <<<"${batch[$ns]}" || return
	done
	# bridges hear of a carrier up to a second late
	sleep 2
}

# frames_ports: lines "[NETNS:]DEV OPTION..." from stdin: fresh roce ports
frames_ports() {
	local port opts ns
	local direct=${ROCE_DIRECT:+direct $ROCE_DIRECT}
	local -A batch=()
	while read -r port opts; do
		[ -n "$port" ] || continue
		ns=
		[[ $port != *:* ]] || ns=${port%:*}
		batch["x$ns"]+="qdisc replace dev ${port#*:} root pfifo"$'\n'
		batch["x$ns"]+="qdisc replace dev ${port#*:} root roce $opts $direct"$'\n'
	done
	for ns in "${!batch[@]}"; do
		if [ "$ns" = x ]; then
			tc -batch - <<<"${batch[$ns]}" || return
		else
			tc -n "${ns#x}" -batch - <<<"${batch[$ns]}" || return
		fi
	done
}

frames_run() { "$FRAMES"; }

# frames_switch N: hosts h1..hN at the ports p1..pN of one bridge:
#	h1 ---- p1 [sw] p2 ---- h2
frames_switch() {
	local p
	{
		echo "netns add sw"
		echo "sw: link add name sw type bridge mcast_snooping 0"
		echo "sw: link set sw mtu 9000 up"
		for ((p = 1; p <= $1; p++)); do
			echo "link add name h$p type veth peer name p$p netns sw"
			echo "link set h$p mtu 9000 address 02:00:00:00:0$p:00 up"
			echo "sw: link set p$p mtu 9000 address 02:00:00:ab:00:0$p master sw up"
		done
	} | frames_net
}

# frames_fixed_switch N: the same, but it knows where the hosts are and learns nothing,
# whatever addresses packets claim to have
frames_fixed_switch() {
	local p
	frames_switch "$1" &&
		for ((p = 1; p <= $1; p++)); do
			echo "link set dev p$p learning off"
			echo "fdb add 02:00:00:00:0$p:00 dev p$p master static"
		done | bridge -n sw -batch -
}

# frames_fields FILE FILTER FIELD...: what tshark reads, a line for each packet, lists joined by
# commas; FRAMES_TSHARK: options. What it complains of is in $out/err.
FRAMES_TSHARK=()
frames_fields() {
	local file=$1 filter=$2 f args=()
	shift 2
	for f; do
		args+=(-e "$f")
	done
	tshark "${FRAMES_TSHARK[@]}" -r "$file" -Y "$filter" -T fields -E separator=' ' \
		-E occurrence=a -E aggregator=, "${args[@]}" 2>"${out:?}/err"
}
