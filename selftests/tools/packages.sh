#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
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
		cp "$RXE_CC_TOP"/scripts/{install-packages,packages-demo,common}.sh "$tmp/scripts/" ||
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
		[ "$(head -n 1 "$tmp/apt")" = "-q update" ] || { cat "$tmp/apt"; return 1; }
}

# First what the kernel needs, then the rest while the kernel is built, which here ends
# only when apt-get was told of the rest.
meanwhile() {
	runs packages-demo.sh 0 debug && grep -qxF "kernel uml debug" "$tmp/apt" &&
		[ "$(grep -o 'install [a-z]*$' "$tmp/apt" | paste -sd ' ')" = "install bc install gcc" ] ||
		{ cat "$tmp/apt"; return 1; }
}

# Either may fail; the packages' error is shown with the end of their log.
meanwhile_fails() {
	program ../scripts/kernel.sh 'exit 3' && runs packages-demo.sh 3 lab &&
		program apt-get 'echo "$@" >>"$TMP_APT"; case $* in *gcc) echo "no gcc today"; exit 1 ;; esac' &&
		program ../scripts/kernel.sh : && runs packages-demo.sh 1 lab &&
		grep -qF "no gcc today" "$tmp/out" && runs packages-demo.sh 1 other
}

all_there() {
	program dpkg-query 'printf "ii  %s\n" make gcc bc' &&
		runs packages-demo.sh 0 lab && [ ! -s "$tmp/out" ] &&
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
	[ "$(sed -n 's/^\[\(.*\)\]$/\1/p' "$list" | paste -sd ' ')" = "kernel demo install deb test check" ] &&
		awk '/^\[/ { group = $1; next } /^#/ || !NF { next }
			!group || seen[$1]++ || NF < 2 { print "line " NR ": " $0; bad = 1 }
			END { exit bad }' "$list"
}

# asks TARGET GROUPS: what "make TARGET" would have installed
asks() {
	make -n -C "$RXE_CC_TOP" "$1" 2>/dev/null | grep -m 1 '^scripts/install-packages.sh' >"$tmp/out"
	[ "$(cat "$tmp/out")" = "scripts/install-packages.sh${2:+ $2}" ] || { cat "$tmp/out"; return 1; }
}

targets() {
	make -n -C "$RXE_CC_TOP" demo | grep -qxF 'scripts/packages-demo.sh lab' &&
		make -n -C "$RXE_CC_TOP" lab DEBUG=1 | grep -qxF 'scripts/packages-demo.sh debug' &&
		asks test "kernel demo install deb test" && asks check "kernel demo install deb test check" &&
		asks install "kernel demo install" && asks deb "kernel demo install deb" &&
		asks packages ""
}

ktap_print_header
ktap_check "a system to install on" system
ktap_check "what is missing of each group" only_said
ktap_check "what is missing is installed, nothing else" installed
ktap_check "the kernel is built while packages are installed" meanwhile
ktap_check "the kernel or the packages fail" meanwhile_fails
ktap_check "nothing is missing: nothing is said or done" all_there
ktap_check "a group, an option, a package that is not there" unknown
ktap_check "packages.txt: six groups, each package once" our_list
ktap_check "make asks for the groups that a target needs" targets
ktap_finished
