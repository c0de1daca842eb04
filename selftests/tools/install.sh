#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: what is installed where, runs from there, also in guests of QEMU, and goes again;
#   completions, manual pages, `tc` and the plug-in; Debian packages. `FULL=1`: compiles the modules
#   in them
#
# What "make install" puts where, below a directory: all of it is listed, works from
# there, counts for depmod, and goes again. Completions and manual pages. Debian packages.
# FULL=1: compiles the sources that are in the package for DKMS.
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"

PATH=$PATH:/usr/sbin:/sbin
install=$RXE_CC_TOP/scripts/install.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
dest=$tmp/root

# run_to STATUS COMMAND...: its output in $tmp/out
run_to() {
	local want=$1 rc=0
	shift
	"$@" >"$tmp/out" 2>&1 || rc=$?
	[ "$rc" -eq "$want" ] || { echo "exit status $rc, not $want"; cat "$tmp/out"; return 1; }
}

files_below() { (cd "$1" && find . \( -type f -o -type l \) -printf '/%P\n' | sort); }

puts() {
	run_to 0 "$install" --parts "tools lab" "$dest" /usr/local || return 1
	files_below "$dest" | grep -v -e /share/rxe-cc/installed$ -e /tables.json$ |
		diff - "$dest/usr/local/share/rxe-cc/installed" || return 1
	# What only tests load stays in the checkout.
	! files_below "$dest" | grep -v rxe_cc_conformance_kunit | grep -E '_(kunit|testalg|testfeat)\.ko$'
}

# Every tool says its version or help from where it was put; lab finds what it needs there.
tools_run() {
	local bin=$dest/usr/local/bin
	"$bin/rxecc" --version >/dev/null && "$bin/flowgen" --help >/dev/null && "$bin/lab" --version >/dev/null &&
		"$bin/lab" list incast | grep -q buffer
}

# The same bytes as from the checkout: flows.csv has each flow's times in ns.
lab_runs() {
	"$dest/usr/local/bin/lab" run two --out "$tmp/a" -q >/dev/null &&
		"$RXE_CC_BUILD/bin/lab" run two --out "$tmp/b" -q >/dev/null &&
		cmp "$tmp/a/two/none/seed1/flows.csv" "$tmp/b/two/none/seed1/flows.csv" &&
		[ "$(jq -r .commit "$tmp/a/two/none/seed1/summary.json")" = "$(jq -r .commit "$tmp/b/two/none/seed1/summary.json")" ]
}

# Part dev is all that "lab build" takes: an algorithm from there has the bytes of one from the checkout.
compiles_there() {
	local lab=$dest/usr/local/bin/lab
	run_to 0 "$install" --parts "tools lab dev" "$dest" /usr/local &&
		[ -s "$dest/usr/local/share/doc/rxe-cc/Documentation/guide/../../drivers/infiniband/sw/rxe_cc/algos/cc_powertcp.c" ] &&
		[ -s "$dest/usr/local/share/doc/rxe-cc/Documentation/guide/../reference/cc-api.md" ] &&
		run_to 0 "$lab" build --new mine "$tmp/mine" &&
		run_to 0 "$lab" build "$tmp/mine" && run_to 0 "$lab" check "$tmp/mine/rxe_cc_mine.ko" &&
		run_to 0 "$lab" build --host "$tmp/mine" && mv "$tmp/mine/rxe_cc_mine.ko" "$tmp/mine.ko" &&
		run_to 0 "$RXE_CC_BUILD/bin/lab" build "$tmp/mine" && cmp "$tmp/mine.ko" "$tmp/mine/rxe_cc_mine.ko"
}

# Guests of QEMU find their first program, their modules and "on" there.
guests_run() {
	local release
	release=$(modinfo -F vermagic "$RXE_CC_BUILD/host/sch_roce.ko" | cut -d ' ' -f 1)
	[ -r "/boot/vmlinuz-$release" ] && command -v qemu-system-x86_64 >/dev/null || return "$KSFT_SKIP"
	run_to 0 timeout 600 "$dest/usr/local/bin/lab" shell two --backend qemu --guests 1 --set rate=20mbit --set delay=2ms \
		--timeout 550 <<<'on h1 ls /sys/class/infiniband' && grep -x 'rxe_h[01].*' "$tmp/out"
}

plugin_fits() {
	local dir
	dir=$(dirname "$dest$(grep 'q_roce\.so$' "$dest/usr/local/share/rxe-cc/installed" | grep -v rxe-cc/build)")
	run_to 0 "$dest/usr/local/share/rxe-cc/check-tc" "$dir" || return 1
	# Where tc itself looks.
	grep -qaF "${dir#"$dest"}/" "$(command -v tc)"
}

# A plug-in that wants a function that this tc has not; half a file; none.
plugin_that_does_not_fit() {
	mkdir -p "$tmp/bad" "$tmp/half" "$tmp/none" &&
		printf 'extern int tc_of_another_day(void);\nint f(void) { return tc_of_another_day(); }\nstruct { void *p[8]; } roce_qdisc_util;\n' |
		${CC:-cc} -shared -fPIC -x c -o "$tmp/bad/q_roce.so" - &&
		head -c 4000 "$RXE_CC_BUILD/tc/q_roce.so" >"$tmp/half/q_roce.so" || return 1
	for d in bad half none; do
		run_to 1 "$RXE_CC_TOP/scripts/check-tc.sh" "$tmp/$d" && grep -q 'does not fit' "$tmp/out" || return 1
	done
}

# words LINE...: what completion offers for the command line LINE
words() {
	bash -c '. "$1"/$2; shift 2
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); COMP_LINE=$*
		compopt() { :; }
		_$1; printf "%s\n" "${COMPREPLY[@]}"' words "$dest/usr/local/share/bash-completion/completions" "$1" "$@"
}

completions() {
	local PATH=$dest/usr/local/bin:$PATH
	[ "$(words lab ru)" = run ] && [ "$(words lab run inc)" = incast ] && [ "$(words lab run incast --no | wc -w)" -eq 0 ] &&
		[ "$(words lab run incast --dry)" = --dry-run ] && [ "$(words lab run incast --cc dcqcn,tim)" = dcqcn,timely ] &&
		[ "$(words lab run incast --set buff)" = buffer= ] && [ "$(words lab sw)" = sweep ] &&
		[ "$(words lab sweep incast --clock r)" = real ] &&
		[ "$(words flowgen cl)" = client ] && [ "$(words flowgen client h --transport u)" = uc ] &&
		[ "$(words flowgen client h --lat)" = --latency ] && [ "$(words rxecc st)" = stats ]
}

# Each page has its name, each option that the help has, and nothing that man warns of.
pages() {
	local p cmd option text
	for p in lab.1 lab-list.1 lab-run.1 lab-exec.1 lab-flows.1 lab-sweep.1 lab-paper.1 lab-replay.1 lab-report.1 lab-shell.1 \
		flowgen.1 flowgen-server.1 flowgen-client.1 rxecc.8 tc-roce.8; do
		p=$dest/usr/local/share/man/man${p##*.}/$p
		[ -s "$p" ] || { echo "${p##*/}: no page"; return 1; }
		text=$(MANWIDTH=1000 MANPAGER=cat man -E ascii --warnings=w -l "$p" 2>"$tmp/err") && [ ! -s "$tmp/err" ] ||
			{ cat "$tmp/err"; return 1; }
		cmd=$(basename "${p%.*}")
		case $cmd in
		lab-* | flowgen-*) cmd="$RXE_CC_BUILD/bin/${cmd%%-*} ${cmd#*-} --help" ;;
		lab | flowgen) cmd="$RXE_CC_BUILD/bin/$cmd --help" ;;
		*) continue ;;
		esac
		for option in $($cmd | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
			grep -qF -- "$option" <<<"$text" || { echo "${p##*/}: no $option"; return 1; }
		done
	done
	MANWIDTH=1000 man -l "$dest/usr/local/share/man/man8/tc-roce.8" 2>/dev/null | grep -q 'mercury-rtt TIME'
}

# Installed again with fewer parts, all of it is still known.
again() {
	run_to 0 "$install" --parts tools "$dest" /usr/local &&
		files_below "$dest" | grep -v -e /share/rxe-cc/installed$ -e /tables.json$ | diff - "$dest/usr/local/share/rxe-cc/installed"
}

# Of two modules of one name, that in updates/ is the one; without it the other is back.
modules() {
	local v ko
	run_to 0 "$install" --parts modules "$dest" /usr/local || return 1
	v=$(ls "$dest/lib/modules")
	ko=$dest/lib/modules/$v/kernel/drivers/infiniband/sw/rxe/rdma_rxe.ko
	install -D "$RXE_CC_BUILD/host/rdma_rxe.ko" "$ko" || return 1
	depmod -b "$dest" "$v" 2>/dev/null
	modprobe -d "$dest" -S "$v" --show-depends rdma_rxe 2>/dev/null | tail -n 1 | grep -q '/updates/rxe_cc/rdma_rxe.ko' || return 1
	run_to 0 "$install" --uninstall "$dest" /usr/local || return 1
	depmod -b "$dest" "$v" 2>/dev/null
	modprobe -d "$dest" -S "$v" --show-depends rdma_rxe 2>/dev/null | tail -n 1 | grep -q '/kernel/.*/rdma_rxe.ko' &&
		[ "$(files_below "$dest" | grep -c '/updates/')" -eq 0 ] && rm -r "${dest:?}/lib/modules/$v"
}

gone() {
	[ ! -e "$dest/usr/local/share/rxe-cc/installed" ] || run_to 0 "$install" --uninstall "$dest" /usr/local || return 1
	[ -z "$(files_below "$dest")" ] || { files_below "$dest"; return 1; }
	[ ! -e "$dest/usr/local/lib/rxe-cc" ] && [ ! -e "$dest/usr/local/share/rxe-cc" ] || return 1
	run_to 1 "$install" --uninstall "$dest" /usr/local && grep -q 'nothing is installed' "$tmp/out"
}

# One clear error, and nothing is written.
refused() {
	run_to 2 "$install" --parts "tools nosuch" "$tmp/n" /usr && grep -q 'no part "nosuch"' "$tmp/out" &&
		run_to 2 "$install" --parts "" "$tmp/n" /usr && run_to 2 "$install" "$tmp/n" usr &&
		grep -q '"usr" is no absolute path' "$tmp/out" && run_to 2 "$install" --nosuch "$tmp/n" /usr &&
		run_to 2 "$install" "$tmp/n" && [ ! -e "$tmp/n" ] && run_to 2 "$RXE_CC_TOP/scripts/check-tc.sh" --nosuch
}

packages() {
	local d=$RXE_CC_BUILD/deb p n
	run_to 0 "$RXE_CC_TOP/scripts/deb.sh" || return 1
	n=$(cd "$d" && ls -- *.deb | sed 's/_.*//' | paste -sd ' ')
	[ "$n" = "rxe-cc-dev rxe-cc-dkms rxe-cc-lab rxe-cc-tools" ] || { echo "packages: $n"; return 1; }
	for p in "$d"/*.deb; do
		dpkg-deb -x "$p" "$tmp/deb" || return 1
	done
	set -- "$tmp"/deb/usr/src/rxe-cc-*
	[ -f "$1/dkms.conf" ] && [ ! -e "$1/drivers/infiniband/sw/rxe_cc/tests" ] && [ -x "$tmp/deb/usr/bin/rxecc" ] &&
		[ -x "$tmp/deb/usr/lib/rxe-cc/build/bin/labstage" ] &&
		"$tmp/deb/usr/bin/lab" list >/dev/null || return 1
	! grep -E '^BUILT_MODULE_NAME.*_(kunit|testalg|testfeat)"' "$1/dkms.conf" || return 1
	# Each module that is installed from the checkout is in dkms.conf, with a directory that is there.
	for p in "$RXE_CC_BUILD"/host/*.ko; do
		p=$(basename "$p" .ko)
		[[ $p != *_kunit && $p != *_test@(alg|feat) ]] || continue
		grep -qE "^BUILT_MODULE_NAME\[[0-9]+\]=\"$p\"" "$1/dkms.conf" || { echo "dkms.conf: no $p"; return 1; }
	done
	headers_there "$1"
}

# locations SOURCES KERNEL: what DKMS makes of dkms.conf: the directories of the modules, if the kernel is one of
# those; status 1 if not
locations() (
	# shellcheck disable=SC2034 # dkms.conf uses them
	kernelver=$2 kernel_source_dir=/ dkms_tree=/
	. "$1/dkms.conf"
	[[ $kernelver =~ $BUILD_EXCLUSIVE_KERNEL ]] || return 1
	echo "${MAKE[0]}" | grep -o 'rxe-cc-rxe=[^ ]*'
	printf '%s\n' "${BUILT_MODULE_LOCATION[@]}"
)

# Each kernel gets the rxe of its series, and any other none.
kernels_of_the_package() {
	local src p k
	src=$(echo "$tmp"/deb/usr/src/rxe-cc-*)
	for k in 6.1.0-50-amd64 6.120.1 6.13-amd64 7.30.1 7.4.0+deb14-amd64 16.12.1 67.3.0; do
		! locations "$src" $k || { echo "$k is one of them"; return 1; }
	done
	for k in 6.12.117+deb12-amd64 6.12.0-1-cloud-amd64 7.3.4+deb13-amd64 7.3.10; do
		locations "$src" $k >"$tmp/out" || { [[ $k = 7.3* && ! -e $src/drivers/infiniband/sw/rxe-7.3 ]] && continue; return 1; }
		[[ $k != 6.12* ]] || p=6.12
		[[ $k != 7.3* ]] || p=7.3
		[ "$(grep -c "^drivers/infiniband/sw/rxe-$p$" "$tmp/out")" -eq 1 ] && [ "$(head -n 1 "$tmp/out")" = "rxe-cc-rxe=rxe-$p" ] ||
			{ echo "$k:"; cat "$tmp/out"; return 1; }
		while read -r p; do
			[ -d "$src/$p" ] || { echo "$k: no directory $p"; return 1; }
		done < <(tail -n +2 "$tmp/out")
	done
	# The fixes of rxe's own of each: namespaces are upstream's in 7.3.
	[ -e "$src/drivers/infiniband/sw/rxe-6.12/rxe_netns.c" ] && [ ! -e "$src/drivers/infiniband/sw/rxe-7.3/rxe_netns.c" ]
}

# headers_there DIR: those that its sources include by a way from where they are
headers_there() {
	local file header missing=0
	while IFS=: read -r file header; do
		[ -e "${file%/*}/$header" ] || { echo "$file: no $header"; missing=1; }
	done < <(grep -roE --include='*.[ch]' '^#include "\.\./[^"]+' "$1" | sed 's/#include "//')
	return $missing
}

dkms_compiles() {
	local src n
	src=$(echo "$tmp"/deb/usr/src/rxe-cc-*)
	make -s -C "$("$RXE_CC_TOP/scripts/kernel.sh" headers)" M="$src" CONFIG_KUNIT= rxe-cc-rxe=rxe-6.12 W=1e modules >"$tmp/out" 2>&1 ||
		{ tail -n 20 "$tmp/out"; return 1; }
	n=$(find "$src" -name '*.ko' | wc -l)
	[ "$n" -eq "$(grep -c '^BUILT_MODULE_NAME' "$src/dkms.conf")" ]
}

ktap_print_header
for f in bin/lab bin/flowgen bin/rxecc tc/q_roce.so uml-lab/linux host/sch_roce.ko; do
	[ -e "$RXE_CC_BUILD/$f" ] || ktap_skip_all "no build/$f: make lab modules-host"
done
"$RXE_CC_TOP/scripts/man.sh" >/dev/null || ktap_skip_all "no manual pages: make man"
ktap_check "all that is installed is listed" puts
ktap_check "the tools run from there" tools_run
ktap_check "the lab runs from there, with the same result" lab_runs
ktap_check "part dev compiles an algorithm, also for the machine" compiles_there
ktap_check "guests of QEMU run from there" guests_run
ktap_check "the plug-in is where tc looks and fits it" plugin_fits
ktap_check "a plug-in that does not fit is told from one that does" plugin_that_does_not_fit
ktap_check "completions" completions
ktap_check "manual pages" pages
ktap_check "installed again" again
ktap_check "modules come before the distribution's, which are back afterwards" modules
ktap_check "uninstalled, nothing is left" gone
ktap_check "what is refused" refused
if ! command -v dh_dkms >/dev/null; then
	ktap_test_skip "Debian packages" "no dh_dkms: scripts/install-packages.sh deb"
else
	ktap_check "Debian packages" packages
	ktap_check "the package for DKMS: which kernels" kernels_of_the_package
	[ -z "${FULL:-}" ] || ktap_check "the sources for DKMS compile" dkms_compiles
fi
ktap_finished
