#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: which packages each make target asks for, what is installed of them; `apt` waits for
#   another one's lock; which targets build the KUnit suites
#
# scripts/install-packages.sh on a made-up system: which packages a group has, what
# is installed, what is refused; and which groups the make targets ask for.
. "$(dirname "$0")/../lib/ktap_helpers.sh"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# program NAME BODY: in front of the system's own
program() {
	printf '#!/bin/bash\n%s\n' "$2" >"$tmp/bin/$1" && chmod +x "$tmp/bin/$1"
}

# A system where only make and sparse are there; apt-get notes what it is asked for.
system() {
	mkdir -p "$tmp/bin" "$tmp/scripts" &&
		cp "$RXE_CC_TOP"/scripts/{install-packages,packages-and-kernel,common}.sh "$tmp/scripts/" ||
		return 1
	cat >"$tmp/scripts/packages.txt" <<-'EOT'
	# a list
	[kernel]
	bc	arithmetic
	[demo]
	gcc	compiler
	make	build

	[test]
	jq	JSON
	[check]
	sparse	checks
	perl	checks
	EOT
	# shellcheck disable=SC2016 # expanded by the programs
	{
		program dpkg-query 'printf "ii  %s\n" make sparse; echo "rc  gcc"'
		program apt-get 'echo "$@" >>"$TMP_APT"'
		program apt-cache 'shift; printf "%s | 1 | x\n" "$@" | grep -v nosuch'
		program id 'echo 0'
		# The kernel takes as long as the packages that come beside it.
		program ../scripts/kernel.sh 'echo kernel "$@" >>"$TMP_APT"; while ! grep -q "install.* gcc" "$TMP_APT"; do sleep .1; done'
	}
}

# runs SCRIPT STATUS ARGUMENT...: output in $tmp/out, what apt-get was told in $tmp/apt
runs() {
	local script=$1 want=$2 rc=0
	shift 2
	: >"$tmp/apt"
	PATH=$tmp/bin:$PATH TMP_APT=$tmp/apt timeout 60 "$tmp/scripts/$script" "$@" >"$tmp/out" 2>&1 || rc=$?
	[ "$rc" -eq "$want" ] || { echo "exit status $rc"; cat "$tmp/out"; return 1; }
}

installs() { runs install-packages.sh "$@"; }

# missing NAME...: these and no others were listed
missing() {
	local got
	got=$(awk 'NR > 1 && /^  / { print $1 }' "$tmp/out" | paste -sd ' ')
	[ "$got" = "$*" ] || { cat "$tmp/out"; return 1; }
}

only_said() {
	installs 1 --check demo && missing gcc && installs 1 --check test && missing jq &&
		installs 1 --check demo test && missing gcc jq && installs 1 check --check && missing perl &&
		installs 1 --check && missing bc gcc jq perl && [ ! -s "$tmp/apt" ]
}

installed() {
	installs 0 demo test && [ "$(tail -n 1 "$tmp/apt" | sed 's/.* install //')" = "gcc jq" ] &&
		head -n 1 "$tmp/apt" | grep -q "^-q .*update$" || { cat "$tmp/apt"; return 1; }
}

# apt-get finds a lock of its index, then one of its cache: both are waited for, and said. Any
# other error ends it.
locked() {
	# shellcheck disable=SC2016 # expanded by the program
	program apt-get 'echo "$@" >>"$TMP_APT"
		case $(wc -l <"$TMP_APT") in
		1 | 3) echo "E: Could not get lock /var/lib/$1/lock. It is held by process 7 (apt-get)" >&2; exit 100 ;;
		esac'
	APT_RETRY=0.1 installs 0 demo && [ "$(grep -c "update$" "$tmp/apt"),$(grep -c "install gcc$" "$tmp/apt")" = 2,2 ] &&
		! grep -qv -- "-o DPkg::Lock::Timeout=-1 " "$tmp/apt" &&
		[ "$(grep -c "waiting for another apt: Could not get lock .*process 7" "$tmp/out")" -eq 2 ] ||
		{ cat "$tmp/out" "$tmp/apt"; return 1; }
	# shellcheck disable=SC2016
	program apt-get 'echo "$@" >>"$TMP_APT"; echo "E: no network"; exit 100'
	installs 1 demo && [ "$(wc -l <"$tmp/apt")" -eq 1 ] && grep -qF "no network" "$tmp/out" || return 1
	# shellcheck disable=SC2016
	program apt-get 'echo "$@" >>"$TMP_APT"'
}

# First what the kernel needs, then the rest while the kernel is built, which here ends
# only when apt-get was told of the rest.
meanwhile() {
	runs packages-and-kernel.sh 0 debug && grep -qxF "kernel uml debug" "$tmp/apt" &&
		[ "$(grep -o 'install [a-z]*$' "$tmp/apt" | paste -sd ' ')" = "install bc install gcc" ] ||
		{ cat "$tmp/apt"; return 1; }
}

# Either may fail; the packages' error is shown with the end of their log.
meanwhile_fails() {
	program ../scripts/kernel.sh 'exit 3' && runs packages-and-kernel.sh 3 lab &&
		program apt-get 'echo "$@" >>"$TMP_APT"; case $* in *gcc) echo "no gcc today"; exit 1 ;; esac' &&
		program ../scripts/kernel.sh : && runs packages-and-kernel.sh 1 lab &&
		grep -qF "no gcc today" "$tmp/out" && runs packages-and-kernel.sh 1 other
}

all_there() {
	program dpkg-query 'printf "ii  %s\n" make gcc bc' &&
		runs packages-and-kernel.sh 0 lab && [ ! -s "$tmp/out" ] &&
		installs 0 demo && installs 0 --check demo && [ ! -s "$tmp/out" ] && [ ! -s "$tmp/apt" ]
}

unknown() {
	installs 2 nosuch && grep -qxF 'install-packages.sh: no group "nosuch": kernel demo test check' "$tmp/out" &&
		installs 2 --nosuch && grep -qF 'unknown option "--nosuch"' "$tmp/out" &&
		echo "nosuch	a package that apt does not know" >>"$tmp/scripts/packages.txt" &&
		installs 1 check && grep -qF 'apt knows no package nosuch' "$tmp/out" &&
		! grep -qF install "$tmp/apt"
}

# Our list: each package once, all of them in a group that there is.
our_list() {
	local list=$RXE_CC_TOP/scripts/packages.txt
	[ "$(sed -n 's/^\[\(.*\)\]$/\1/p' "$list" | paste -sd ' ')" = "kernel demo install deb test check apps" ] &&
		awk '/^\[/ { group = $1; next } /^#/ || !NF { next }
			!group || seen[$1]++ || NF < 2 { print "line " NR ": " $0; bad = 1 }
			END { exit bad }' "$list"
}

# asks TARGET GROUPS: what "make TARGET" would have installed
asks() {
	make -n -C "$RXE_CC_TOP" "$1" 2>/dev/null | grep -m 1 '^scripts/install-packages.sh' >"$tmp/out"
	[ "$(cat "$tmp/out")" = "scripts/install-packages.sh${2:+ $2}" ] || { cat "$tmp/out"; return 1; }
}

# modules TARGET VARIANT [OPTION]: how "make TARGET" builds the lab kernel's modules
modules() {
	make -n -C "$RXE_CC_TOP" "$1" ${4:+"$4"} 2>/dev/null | grep '^scripts/modules.sh uml-' >"$tmp/out"
	[ "$(cat "$tmp/out")" = "scripts/modules.sh uml-$2${3:+ $3}" ] || { echo "$1"; cat "$tmp/out"; return 1; }
}

# KUnit suites take minutes: only what runs them builds them. "make test" is scripts/test.sh.
suites() {
	modules lab lab --no-tests && modules lab debug --no-tests DEBUG=1 && modules demo lab --no-tests &&
		modules install lab --no-tests && modules deb lab --no-tests && modules kunit lab &&
		modules selftests lab && modules lab-tests lab && modules modules-uml debug "" DEBUG=1 &&
		grep -q 'make .* lab-tests ' "$RXE_CC_TOP/scripts/test.sh" &&
		grep -q 'make .* lab-tests ' "$RXE_CC_TOP/scripts/gcov.sh"
}

# A build with the module that is asked for, and a kernel that succeeds with any command.
made_up_lab() {
	local s=$RXE_CC_TOP/scripts
	mkdir -p "$tmp/lab/scripts" "$tmp/lab/build/bin" "$tmp/lab/build/uml-lab" &&
		cp "$s"/{uml-exec,kunit,common,hang-guard}.sh "$s/ktap.awk" "$tmp/lab/scripts/" || return 1
	# shellcheck disable=SC2016 # expanded by the programs
	{
		program ../lab/build/bin/labinit :
		program ../lab/build/uml-lab/linux 'for a; do case $a in lab_job=*) out=$(dirname "${a#*=}") ;; esac; done
			echo 0 >"$out/exit_status"; printf "    ok 1 x\nok 1 y\n" >"$out/stdout"; : >"$out/stderr"'
		program ../lab/scripts/modules.sh 'echo "$@" >>"${0%/*}/asked"
			touch "${0%/*}"/../build/uml-lab/{rxe_cc_testalg,rxe_cc_kunit}.ko'
	}
}

# builds COMMAND...: it has the suites built, if there are none
builds() {
	rm -f "$tmp/lab/build/uml-lab"/*.ko "$tmp/lab/scripts/asked"
	"$@" >"$tmp/out" 2>&1 && [ "$(cat "$tmp/lab/scripts/asked")" = "uml-lab --tests" ] ||
		{ echo "$*"; cat "$tmp/out" "$tmp/lab/scripts/asked"; return 1; }
}

suites_built() {
	made_up_lab && builds "$tmp/lab/scripts/kunit.sh" &&
		builds "$tmp/lab/scripts/uml-exec.sh" --modules rxe_cc_testalg -- true &&
		builds "$tmp/lab/scripts/uml-exec.sh" --modules rxe_cc_kunit -- true || return 1
	rm "$tmp/lab/scripts/asked"
	"$tmp/lab/scripts/uml-exec.sh" --modules 'rxe_cc_testalg rxe_cc_kunit' -- true && [ ! -e "$tmp/lab/scripts/asked" ] &&
		! "$tmp/lab/scripts/uml-exec.sh" --modules rxe_cc_nothing -- true 2>"$tmp/out" &&
		grep -q "rxe_cc_nothing.ko does not exist" "$tmp/out" && [ ! -e "$tmp/lab/scripts/asked" ] || return 1
}

targets() {
	make -n -C "$RXE_CC_TOP" demo | grep -qxF 'scripts/packages-and-kernel.sh lab' &&
		make -n -C "$RXE_CC_TOP" lab DEBUG=1 | grep -qxF 'scripts/packages-and-kernel.sh debug' &&
		asks test "kernel demo install deb test" && asks check "kernel demo install deb test check" &&
		asks install "kernel demo install" && asks deb "kernel demo install deb" &&
		asks packages ""
}

ktap_print_header
ktap_check "a system to install on" system
ktap_check "what is missing of each group" only_said
ktap_check "what is missing is installed, nothing else" installed
ktap_check "another apt: its locks are waited for" locked
ktap_check "the kernel is built while packages are installed" meanwhile
ktap_check "the kernel or the packages fail" meanwhile_fails
ktap_check "nothing is missing: nothing is said or done" all_there
ktap_check "a group, an option, a package that is not there" unknown
ktap_check "packages.txt: six groups, each package once" our_list
ktap_check "make asks for the groups that a target needs" targets
ktap_check "make builds KUnit suites only for what runs them" suites
ktap_check "what needs KUnit suites builds them" suites_built
ktap_finished
