#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Builds and tests one fault (mutant) in kernel code; run by scripts/mutate. Compiles what differs
# from the last build, links its module, runs what covers the file in the lab kernel. Of a header
# all that includes it is compiled, tests too, and every module of that linked.
#   mutate-kernel.sh [--selftests N] [--no-suites]
# --selftests N: after the KUnit suites no more than N selftests; default all. Of a file
# that no suite covers two at least.
# --no-suites: selftests alone, for faults that suites did not see.
# The first run builds everything, as "make lab-tests" does. The others take the saved
# commands of that build instead of make and modpost, which look at hundreds of
# files. What covers a file is in covered_by().
# Environment: MUTATE_FROM=DIR, a checkout with the same sources that is built: its
# build is copied instead. MUTATE_LOG=FILE: a line for each fault, with what saw it.
# Exit status: 0 when nothing saw a fault.
set -u
. "$(dirname "$0")/common.sh"
cd "$top" || exit 1

selftests=99 no_suites=
options "selftests= no-suites" "$@"
dir=$build/uml-lab
mod=$dir/mod
good=$dir/good # the sources without a fault

# covered_by FILE: a line with modules, the suites last; one with selftests for what
# suites do not see, those first that are about the file, or quick.
covered_by() {
	local rxe=(rxe/hooks_accounting.sh tools/rxecc.sh rxe/cnp.sh rxe/reports_and_probes.sh rxe/held_packets.sh) first=() name
	local base=${1%.[ch]}
	case $1 in
	include/*)
		case $base in
		*/dcqcn_rp) first=(algo/dcqcn_queue.sh) ;;
		*/hpcc_*) first=(lab/replay.sh) ;;
		*/icrc) first=(rxe/cnp.sh) ;;
		*/int*) first=(port/int_telemetry_values.sh rxe/telemetry.sh) ;;
		esac
		echo "$(algorithms)" rxe_cc_kunit rxe_cc_conformance_kunit sch_roce sch_roce_testfeat sch_roce_kunit
		in_order "${first[@]}" "${rxe[@]}" port/port_against_model.sh ;;
	*/sch_roce/*)
		case $base in
		*_reply_* | *_response*) first=(port/int_response.sh) ;;
		*_lscc*) first=(port/lscc.sh) ;;
		*_mercury*) first=(port/mercury.sh) ;;
		*_iofd*) first=(port/iofd.sh) ;;
		*_int_*) first=(port/int_telemetry_values.sh) ;;
		*_event | *_pause_* | *_pfc* | *_shared_buffer | *_switch | *_switch_order | *_tap) first=(port/pfc_timing.sh) ;;
		*_option* | *_config* | *_stats) first=(port/tdc.sh) ;;
		*_link | *_member | *_netdev_*) first=(port/port_against_model.sh port/stress_switch.sh) ;;
		esac
		echo sch_roce sch_roce_testfeat sch_roce_kunit
		in_order "${first[@]}" port/port_against_model.sh port/tdc.sh port/int_response.sh port/pfc_timing.sh \
			port/mercury.sh port/lscc.sh port/iofd.sh ;;
	*/rxe_cc/rxe/*)
		case $base in
		*_lifecycle) first=(rxe/removal.sh rxe/loss.sh) ;;
		*_cnp) first=(rxe/cnp.sh rxe/reports_and_probes.sh) ;;
		*_datapath) first=(rxe/hooks_accounting.sh rxe/reports_and_probes.sh) ;;
		*_report_* | *_tlv_*) first=(rxe/reports_and_probes.sh) ;;
		*_int) first=(rxe/telemetry.sh) ;;
		esac
		echo
		in_order "${first[@]}" rxe/hooks_accounting.sh rxe/receiver_algorithm_calls.sh rxe/cnp.sh rxe/reports_and_probes.sh \
			rxe/telemetry.sh rxe/loss.sh ;;
	*/rxe_cc/watch/*)
		echo
		echo algo/dcqcn_queue.sh lab/workload_figures.sh algo/mercury_victim.sh ;;
	*/rxe_cc/events/*)
		echo "$(algorithms)" rxe_cc_kunit rxe_cc_conformance_kunit
		echo lab/replay.sh ;;
	*/rxe_cc/ctl/*)
		echo "$(algorithms)" rxe_cc_kunit rxe_cc_conformance_kunit
		in_order tools/rxecc.sh "${rxe[@]}" ;;
	*/rxe_cc/algos/*)
		name=${1##*/cc_}
		first=(algo/"${name%.c}".sh)
		[ -x "$top/selftests/${first[0]}" ] || first=()
		echo "$(algorithms)" rxe_cc_kunit rxe_cc_conformance_kunit
		in_order "${first[@]}" "${rxe[@]}" ;;
	*)
		case $base in
		*_cnp_* | *_window_cap) first=(rxe/cnp.sh) ;;
		*_knob* | *_registry | *_life) first=(tools/rxecc.sh) ;;
		*_report_* | *_tlv_*) first=(rxe/reports_and_probes.sh) ;;
		*_int_feedback | *_ack_request) first=(rxe/telemetry.sh) ;;
		*_receiver_port | *_unexpected_psn) first=(rxe/receiver_port.sh) ;;
		*_algo_call | *_datapath) first=(rxe/held_packets.sh) ;;
		*_rtt) first=(rxe/rtt.sh) ;;
		esac
		echo "$(algorithms)" rxe_cc_kunit rxe_cc_conformance_kunit
		in_order "${first[@]}" "${rxe[@]}" ;;
	esac
}

# in_order TEST...: each once.
in_order() {
	printf '%s\n' "$@" | awk '!seen[$0]++' | tr '\n' ' '
	echo
}

algorithms() {
	(cd "$dir" && printf '%s\n' rxe_cc_*.ko) | sed 's/\.ko$//' |
		grep -vxF -e rxe_cc_kunit -e rxe_cc_conformance_kunit -e rxe_cc_testalg | tr '\n' ' '
}

sources() {
	find drivers net include/rxe_cc -name '*.[ch]' ! -path '*/tests/*'
}

# Where a source file is compiled.
staged() {
	case $1 in
	*/rxe_cc/rxe/*) echo "$mod/drivers/infiniband/sw/rxe/${1##*/}" ;;
	*) echo "$mod/$1" ;;
	esac
}

# again FILE: run the command that made FILE.
again() {
	local cmd
	cmd=$(sed -n '1s/^savedcmd_[^ ]* := //p' "${1%/*}/.${1##*/}.cmd")
	[ -n "$cmd" ] || die "nothing tells how $1 was made"
	cmd=${cmd//\$\$/\$}
	(cd "$dir/obj" && eval "${cmd//\\#/#}")
}

# modules_of OBJECT: the modules that have it.
modules_of() {
	find "$mod" -name '*.mod' -exec grep -lxF -- "$1" {} + | sed 's/\.mod$//'
}

# objects_of FILE: what is compiled from a staged file, or includes it.
objects_of() {
	case $1 in
	*.c) echo "${1%.c}.o" ;;
	*) find "$mod" -name '.*.o.cmd' -exec grep -lE -- "(^| )$1( |\$)" {} + |
		sed 's,/\.\([^/]*\)\.cmd$,/\1,' ;;
	esac
}

# compile FILE: its objects and the modules that have them. What they were is kept, when
# all of it is good.
compile() {
	local to o m objects modules made
	to=$(staged "$1")
	mapfile -t objects < <(objects_of "$to")
	mapfile -t modules < <(for o in "${objects[@]}"; do modules_of "$o"; done | sort -u)
	[ "${#modules[@]}" -gt 0 ] || die "$1: no module has it"
	made=("${objects[@]}")
	for m in "${modules[@]}"; do
		[[ " ${objects[*]} " == *" $m.o "* ]] || made+=("$m.o")
		made+=("$m.ko" "$dir/${m##*/}.ko")
	done
	[ -e "$good/$1.tar" ] || tar -cPf "$good/$1.tar" "${made[@]}" || return 1
	cp "$1" "$to" || return 1
	export -f again die
	export dir
	printf '%s\0' "${objects[@]}" | xargs -0 -P "$jobs" -I{} bash -c 'again {}' || return 1
	for m in "${modules[@]}"; do
		[[ " ${objects[*]} " == *" $m.o "* ]] || again "$m.o" || return 1
		again "$m.ko" && cp "$m.ko" "$dir/" || return 1
	done
}

# restore FILE: as compiled from the good source.
restore() {
	tar -xPf "$good/$1.tar" && cp "$1" "$(staged "$1")"
}

# seen BY WHAT: a fault was seen.
seen() {
	printf '%s: %s: %s\n' "${faulty[*]:-none}" "$1" "$2"
	[ -z "${MUTATE_LOG:-}" ] || printf '%s\t%s\t%s\n' "${faulty[*]:-none}" "$1" "$2" >>"$MUTATE_LOG"
	exit 1
}

# suites MODULE...: KUnit, all that the last module has.
suites() {
	local out=$build/log/mutate-kunit rc=0 bad
	[ $# -gt 0 ] || return 0
	mkdir -p "$out"
	"$top/scripts/uml-exec.sh" --timeout "${KUNIT_TIMEOUT:-150}" --out "$out" --modules "$*" -- \
		sh -c 'cat /sys/kernel/debug/kunit/*/results' >"$out.ktap" 2>"$out.err" || rc=$?
	bad=$(grep -m 1 -E '^ *not ok' "$out.ktap" || [ "$rc" -eq 0 ] || tail -n 1 "$out.err")
	if [ "$rc" -ne 0 ] || [ -n "$bad" ]; then
		seen "${!#} ($rc)" "$bad"
	fi
	grep -q '^ok' "$out.ktap" || seen "${!#}" "no results"
}

# adopt DIR: the build of a checkout whose sources are these; false when they are not.
adopt() {
	local f
	[ -e "$1/build/uml-lab/rxe_cc_kunit.ko" ] && [ -x "$1/build/bin/lab" ] || return 1
	while read -r f; do
		cmp -s "$f" "$1/build/uml-lab/mod/$f" || return 1
	done < <(find drivers net include -name '*.[ch]')
	rm -rf "$build" && mkdir -p "$build" || return 1
	for f in bin tc obj ksrc rxe selftests uml-lab; do
		[ ! -e "$1/build/$f" ] || cp -a "$1/build/$f" "$build/" || return 1
	done
	find "$mod" \( -name '.*.cmd' -o -name '*.mod' \) -exec sed -i "s,$1/,$top/,g" {} +
}

faulty=()
if [ ! -d "$good" ]; then
	adopt "${MUTATE_FROM:-/none}" || make lab-tests || exit 1
	mkdir -p "$good" || exit 1
	sources | rsync -a --files-from=- . "$good/"
fi

restored=0
while read -r f; do
	if ! cmp -s "$f" "$good/$f"; then
		faulty+=("$f")
	elif ! cmp -s "$f" "$(staged "$f")"; then
		restore "$f" || exit 1
		restored=1
	fi
done < <(sources)
# What was restored may have brought back another file's module as well.
for f in "${faulty[@]}"; do
	[ "$restored" = 0 ] && cmp -s "$f" "$(staged "$f")" || compile "$f" || exit 1
done

# Without a fault all suites must pass.
targets=("${faulty[@]}")
[ "${#targets[@]}" -gt 0 ] || targets=(net/sched/sch_roce/none drivers/none)
for f in "${targets[@]}"; do
	{ read -ra modules; read -ra tests; } < <(covered_by "$f")
	[ -n "$no_suites" ] || suites "${modules[@]}"
	[ -e "$f" ] || continue
	n=$selftests
	[ "${#modules[@]}" -gt 0 ] || [ "$n" -gt 2 ] || n=2
	for t in "${tests[@]:0:n}"; do
		# What these compile for themselves has no fault, and takes longer than they do.
		cc=${CC:-cc}
		[[ $t != rxe/* ]] || [ ! -x "$build/selftests/rxe_forge" ] || cc=true
		out=$(CC=$cc "$top/selftests/run.sh" "$t") || seen "$t" "$(grep -m 1 FAIL <<<"$out")"
	done
done
if [ "${#faulty[@]}" -gt 0 ] && [ -n "${MUTATE_LOG:-}" ]; then
	printf '%s\tnot seen\n' "${faulty[*]}" >>"$MUTATE_LOG"
fi
