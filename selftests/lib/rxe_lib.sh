# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Two hosts on one cable, for the tests of rxe; sourced inside the lab kernel.
#
#	netns h1: v1, RDMA device r1  ---- veth ----  v2, RDMA device r2 :netns h2
#
# The RDMA subsystem is in exclusive mode: both devices are seen from the
# initial namespace, where flowgen runs.

# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "${BASH_SOURCE[0]}")/ktap_helpers.sh"
# shellcheck source=tools/lib/wait.sh
. "$RXE_CC_TOP/tools/lib/wait.sh"
flowgen=$RXE_CC_BUILD/bin/flowgen
rxe_raw=$RXE_CC_BUILD/selftests/rxe_raw
rxe_report=$RXE_CC_BUILD/selftests/rxe_report
rxe_fuzz=$RXE_CC_BUILD/selftests/rxe_fuzz
rxe_forge=$RXE_CC_BUILD/selftests/rxe_forge
work=/dev/shm

# rxe_test_uml MODULES [OPTION]...: run this test again inside the lab kernel.
# VARIANT=debug in the environment takes the debug kernel, UML_TIMEOUT is in seconds.
rxe_test_uml() {
	local mods=$1 f c
	shift
	[ "${VARIANT:-lab}" = lab ] || set -- --debug "$@"
	for f in "$RXE_CC_BUILD/uml-${VARIANT:-lab}"/{linux,rxe_cc.ko,rdma_rxe.ko} "$flowgen" \
		"$RXE_CC_BUILD/bin/labinit"; do
		[ -e "$f" ] || ktap_skip_all "$f is not built"
	done
	for c in jq ip tc rdma "${CC:-cc}"; do
		command -v "$c" >/dev/null || ktap_skip_all "no $c"
	done
	for c in "$rxe_raw" "$rxe_report" "$rxe_fuzz" "$rxe_forge"; do
		ktap_compile "${c##*/}" "$RXE_CC_TOP/selftests/rxe/${c##*/}"*.c
	done
	exec "$UML_EXEC" --timeout "${UML_TIMEOUT:-800}" --exclusive --modules "$mods" "$@" -- \
		"$(realpath "$0")" inside
}

# build_rxe FROM DIR COMMAND...: its rdma_rxe.ko, of the rxe in FROM that COMMAND DIR has changed
build_rxe() {
	local from=$1 dir=$2 uml=$RXE_CC_BUILD/uml-lab
	local mod=$uml/mod
	shift 2
	rm -rf "$dir" && mkdir -p "$dir" && cp "$from"/*.[ch] "$from/Makefile" "$dir/" &&
		chmod -R u+w "$dir" && "$@" "$dir" &&
		make -C "$RXE_CC_BUILD/ksrc/" O="$(readlink "$uml/obj")" ARCH=um M="$dir" W=e \
			KCFLAGS="-I$mod/include -I$mod/include/uapi" \
			KBUILD_EXTRA_SYMBOLS="$mod/Module.symvers" modules >"$dir/log" 2>&1 || {
		tail -n 20 "$dir/log"
		return 1
	}
}

# make_hosts NETEM-ARGUMENT...
make_hosts() {
	local i
	for i in 1 2; do ip netns add "h$i" || return 1; done
	ip link add v1 address 02:00:00:00:00:01 mtu 4200 netns h1 type veth \
		peer name v2 address 02:00:00:00:00:02 mtu 4200 netns h2 || return 1
	for i in 1 2; do
		ip -n "h$i" addr add "22.22.22.$((6 + i))/24" dev "v$i"
		ip -n "h$i" addr add "fd00::$i/64" dev "v$i" nodad
		ip -n "h$i" link set "v$i" up
		ip -n "h$i" neigh replace "22.22.22.$((9 - i))" dev "v$i" \
			lladdr "02:00:00:00:00:0$((3 - i))" nud permanent
		ip -n "h$i" neigh replace "fd00::$((3 - i))" dev "v$i" \
			lladdr "02:00:00:00:00:0$((3 - i))" nud permanent
		tc -n "h$i" qdisc replace dev "v$i" root netem "$@" || return 1
		ip netns exec "h$i" rdma link add "r$i" type rxe netdev "v$i" ||
			return 1
	done
	wait_for 50 active r1 && wait_for 50 active r2
}

active() { grep -q ACTIVE "/sys/class/infiniband/$1/ports/1/state"; }
no_device() { [ ! -e "/sys/class/infiniband/$1" ]; }
no_devices() { no_device r1 && no_device r2; }

remove_hosts() {
	ip netns del h1 2>/dev/null
	ip netns del h2 2>/dev/null
	wait_for 100 no_devices
}

# algorithm NAME; knob NAME VALUE; parameter NAME VALUE: of both devices.
algorithm() { knob algo "$1"; }
parameter() { knob params "$1 $2"; }
knob() {
	local d
	for d in r1 r2; do
		echo "$2" >"/sys/class/infiniband/$d/ports/1/cc/$1" || return 1
	done
}

# counter DEVICE NAME
counter() { cat "/sys/class/infiniband/$1/ports/1/hw_counters/$2"; }

# run_flows OPTIONS FLOWS: JSON members of the plan, and its list of flows.
run_flows() {
	echo "{$1, \"flows\": [$2]}" >"$work/plan.json"
	"$flowgen" run "$work/plan.json" --out "$work/out" -q
}
