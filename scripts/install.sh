#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Install what was built, or take it away again.
#   install.sh [--parts "modules tools lab"] DESTDIR PREFIX
#   install.sh --uninstall DESTDIR PREFIX
# modules  DESTDIR/lib/modules/VERSION/updates/rxe_cc/: depmod prefers them to the
#          distribution's rdma_rxe, which stays as it is
# tools    rxecc, flowgen, manual pages, completions and the Wireshark dissector
#          below DESTDIR/PREFIX, the plug-in for tc where the installed tc looks
# lab      lab, its kernel, modules and pages in DESTDIR/PREFIX/lib/rxe-cc
# dev      what "lab build" needs: our headers, the headers of the lab kernel, and which symbols the
#          modules have; there too. Part modules or rxe-cc-dkms is not needed, part lab is
# PREFIX/share/rxe-cc/installed lists every file; --uninstall removes these, and
# directories that are empty then. Environment: TC_DIR, where tc has plug-ins.
set -u
. "$(dirname "$0")/common.sh"
PATH=$PATH:/usr/sbin:/sbin
parts="modules tools lab" uninstall=
options "uninstall parts=" "$@"
set -- "${args[@]}"
[ $# -eq 2 ] || { usage >&2; exit 2; }
dest=${1%/}
prefix=$2
[ "${prefix#/}" != "$prefix" ] || misuse "PREFIX \"$prefix\" is no absolute path"
[ -n "$parts" ] || [ -n "$uninstall" ] || misuse "no parts: \"modules tools lab\", or some of them"
for p in $parts; do
	case $p in
	modules | tools | lab | dev) ;;
	*) misuse "no part \"$p\": modules tools lab dev" ;;
	esac
done
[ -n "$dest" ] || [ "$(id -u)" -eq 0 ] || die "needs root (or DESTDIR=DIR)"
share=$prefix/share/rxe-cc
list=$dest$share/installed

# Kernel versions, a line each, whose modules FILE names.
versions_in() { sed -n 's,^/lib/modules/\([^/]*\)/.*,\1,p' "$1" | sort -u; }

# Modules that are installed for a version count once depmod has seen them.
run_depmod() {
	local v
	[ -z "$dest" ] || return 0
	for v; do
		depmod "$v" || die "depmod $v failed"
	done
}

remove() {
	local f dir versions n=0
	[ -r "$list" ] || die "nothing is installed: no $list"
	versions=$(versions_in "$list")
	while read -r f; do
		rm -f "$dest$f" || die "cannot remove $dest$f"
		n=$((n + 1))
	done <"$list"
	# What lab has asked its kernel for and kept there (tools/lab/boot/kernel_param_tables.c).
	rm -f "$dest$prefix/lib/rxe-cc/build/uml-lab/tables.json"
	while read -r f; do
		dir=${f%/*}
		# Directories of ours only: others may be meant to be empty.
		while [[ $dir == */rxe_cc || $dir == */rxe-cc || $dir == */rxe-cc/* ]]; do
			rmdir "$dest$dir" 2>/dev/null || break
			dir=${dir%/*}
		done
	done < <(sort -r "$list"; echo "$share/installed")
	rm -f "$list"
	rmdir "$dest$share" 2>/dev/null
	# shellcheck disable=SC2086 # words
	run_depmod $versions
	say "removed $n files; loaded modules stay until they are unloaded or the machine restarts"
}

if [ -n "$uninstall" ]; then
	remove
	exit 0
fi

noted=$(mktemp) || exit 1
trap 'rm -f "$noted"' EXIT

# put MODE SOURCE PATH
put() {
	[ -f "$2" ] || die "$2 is missing: make ${missing:-tools}"
	install -D -m "$1" "$2" "$dest$3" || die "cannot write $dest$3"
	echo "$3" >>"$noted"
}

# link TARGET PATH
link() {
	mkdir -p "$dest${2%/*}" && ln -sfn "$1" "$dest$2" || die "cannot write $dest$2"
	echo "$2" >>"$noted"
}

# What tc has been built with; the first of a Debian for this machine without one.
tc_dir() {
	local tc
	tc=$(command -v tc) && grep -aoE -m 1 '/[a-z0-9_/-]+/tc/' "$tc" | head -n 1 | sed 's,/$,,'
}

install_modules() {
	local hdr version ko
	hdr=$("$top/scripts/kernel.sh" headers) || exit 1
	version=$(make -s -C "$hdr" kernelrelease) || die "$hdr: cannot tell the kernel's version"
	modules=/lib/modules/$version/updates/rxe_cc
	missing="modules-host"
	for ko in "$build"/host/*.ko; do
		[[ $ko == *_kunit.ko ]] || put 644 "$ko" "$modules/${ko##*/}"
	done
	missing=
}

install_tools() {
	local f name tool
	for tool in rxecc flowgen; do
		put 755 "$build/bin/$tool" "$prefix/bin/$tool"
	done
	for f in "$top"/tools/*/bash-completion/*; do
		name=${f##*/}
		[ "$name" = lab ] || put 644 "$f" "$prefix/share/bash-completion/completions/$name"
	done
	put 644 "$build/tc/q_roce.so" "$tcdir/q_roce.so"
	put 755 "$top/scripts/check-tc.sh" "$share/check-tc"
	for f in "$top"/tools/wireshark/*.lua "$top"/tools/wireshark/*.inc; do
		put 644 "$f" "$share/${f##*/}"
	done
	install_pages '' lab
}

# install_pages ONLY NOT: manual pages whose names begin with ONLY and not with NOT
install_pages() {
	local f name
	[ -d "$build/man" ] || die "$build/man is missing: make man"
	for f in "$build"/man/*; do
		name=${f##*/}
		[[ $name == "$1"* ]] || continue
		[[ -z $2 || $name != "$2"* ]] || continue
		put 644 "$f" "$prefix/share/man/man${f##*.}/$name"
	done
}

# The same tree as in a checkout, as far as lab looks into it.
install_lab() {
	local f to=$prefix/lib/rxe-cc tool
	missing=lab
	for f in lab labinit labmpi labstage; do
		put 755 "$build/bin/$f" "$to/build/bin/$f"
	done
	for tool in rxecc flowgen; do
		link "../../../../bin/$tool" "$to/build/bin/$tool"
	done
	for tool in lab flowgen; do
		put 644 "$build/obj/$tool.commit" "$to/build/obj/$tool.commit"
	done
	put 755 "$build/uml-lab/linux" "$to/build/uml-lab/linux"
	put 644 "$build/uml-lab/commit" "$to/build/uml-lab/commit"
	for f in "$build"/uml-lab/*.ko; do
		# "lab check" needs one of the suites.
		case $f in
		*/rxe_cc_conformance_kunit.ko) ;;
		*_kunit.ko | *_testalg.ko | *_testfeat.ko) continue ;;
		esac
		put 644 "$f" "$to/build/uml-lab/${f##*/}"
	done
	put 644 "$build/uml-lab/stock/rdma_rxe.ko" "$to/build/uml-lab/stock/rdma_rxe.ko"
	# For guests of QEMU. The machine's own are those of part modules, or of DKMS.
	missing="modules-host"
	for f in "$build"/host/*.ko; do
		case $f in *_kunit.ko | *_testalg.ko | *_testfeat.ko) continue ;; esac
		put 644 "$f" "$to/build/host/${f##*/}"
	done
	missing=lab
	put 644 "$build/lib/pairclock.so" "$to/build/lib/pairclock.so"
	for f in vtime mpi pmi; do
		put 755 "$build/lib/librxecc_$f.so" "$to/build/lib/librxecc_$f.so"
	done
	put 755 "$top/tools/lab/stage/on.sh" "$to/tools/lab/stage/on.sh"
	for f in run.sh init.sh; do
		put 755 "$top/tools/qemu/$f" "$to/tools/qemu/$f"
	done
	put 755 "$top/tools/lab/programs/run_cases_in_guest.sh" "$to/tools/lab/programs/run_cases_in_guest.sh"
	put 644 "$top/tools/lib/pair.sh" "$to/tools/lib/pair.sh"
	put 755 "$top/scripts/pyverbs-tests.sh" "$to/scripts/pyverbs-tests.sh"
	put 644 "$top/scripts/common.sh" "$to/scripts/common.sh"
	put 644 "$build/tc/q_roce.so" "$to/build/tc/q_roce.so"
	while read -r f; do
		put 644 "$top/$f" "$to/$f"
	done < <(cd "$top" && find tools/lab -path tools/lab/tests -prune -o -path tools/lab/kernel -prune -o \
		-type f \( -name '*.json' -o -name '*.gp' -o -name '*.jq' -o -name '*.html' -o -name '*.css' \) -print | sort)
	link ../lib/rxe-cc/build/bin/lab "$prefix/bin/lab"
	# The pages are where their links to sources are right, as far as those are installed.
	while read -r f; do
		put 644 "$top/$f" "$to/$f"
	done < <(cd "$top" && find README.md Documentation/guide Documentation/reference Documentation/algorithms \
		Documentation/devel Documentation/measured Documentation/images Documentation/README.md \
		-type f \( -name '*.md' -o -name '*.png' -o -name '*.svg' \) -print | sort)
	link ../../lib/rxe-cc "$prefix/share/doc/rxe-cc"
	put 644 "$top/tools/lab/bash-completion/lab" "$prefix/share/bash-completion/completions/lab"
	install_pages lab ''
	missing=
}

# put_tree SOURCE PATH: the files of a list, with their times and modes
put_tree() {
	local list
	list=$(mktemp) || exit 1
	cat >"$list"
	[ -s "$list" ] || die "$1 is missing: make ${missing:-tools}"
	mkdir -p "$dest$2" && tar -c -C "$1" --no-recursion -T "$list" | tar -x --no-same-owner -C "$dest$2" ||
		die "cannot write $dest$2"
	awk -v to="$2" '{ print to "/" $0 }' "$list" >>"$noted"
	rm -f "$list"
}

# Of the lab kernel what compiling a module reads: its sources' headers and Makefiles, and
# what its build made of them. One tree has both.
install_dev() {
	local to=$prefix/lib/rxe-cc ksrc obj f
	missing=modules
	ksrc=$(readlink -f "$build/ksrc") && obj=$(readlink -f "$build/uml-lab/obj") || die "no lab kernel: make lab"
	(cd "$ksrc" && find Makefile include scripts arch/um arch/x86 -type f \( -name '*.h' -o -name 'Makefile*' -o \
		-name 'Kbuild*' -o -name '*.include' -o -name module-common.c -o -path 'scripts/*.sh' -o -path 'scripts/*.pl' -o -path 'scripts/*.awk' -o -path 'scripts/*.lds*' \) \
		! -path 'scripts/kconfig/*' ! -path 'scripts/dtc/*' ! -path 'scripts/package/*' ! -path 'scripts/gdb/*' -print |
		sort) | put_tree "$ksrc" "$to/build/ksrc"
	(cd "$obj" && find Module.symvers include/config/auto.conf include/config/kernel.release include/generated \
		arch/um/include/generated arch/x86/include/generated scripts/module.lds scripts/basic/fixdep \
		scripts/mod/modpost scripts/mod/empty.o scripts/mod/elfconfig.h scripts/mod/devicetable-offsets.h \
		-type f ! -name '.*' -print 2>/dev/null | sort) | put_tree "$obj" "$to/build/ksrc"
	link ../ksrc "$to/build/uml-lab/obj"
	put 644 "$build/uml-lab/mod/Module.symvers" "$to/build/uml-lab/mod/Module.symvers"
	missing="modules-host"
	put 644 "$build/host/mod/Module.symvers" "$to/build/host/mod/Module.symvers"
	put 644 "$build/host/.kernel" "$to/build/host/.kernel"
	missing=
	# The template, and all others as examples.
	for f in "$top"/drivers/infiniband/sw/rxe_cc/algos/cc_*.[ch]; do
		put 644 "$f" "$to/${f#"$top/"}"
	done
	(cd "$top" && find include -type f -name '*.h' -print | sort) | put_tree "$top" "$to"
}

tcdir=${TC_DIR:-$(tc_dir)}
tcdir=${tcdir:-/usr/lib/$(gcc -print-multiarch 2>/dev/null)/tc}
missing=
for p in $parts; do
	"install_$p"
done
# Another install's files that this one has not written are still ours to remove.
mkdir -p "${list%/*}" || die "cannot write to ${list%/*}"
{ [ ! -f "$list" ] || cat "$list"; cat "$noted"; } | sort -u >"$list.tmp" && mv "$list.tmp" "$list" ||
	die "cannot write $list"
# shellcheck disable=SC2046 # words
run_depmod $(versions_in "$noted")
for p in $parts; do
	case $p in
	modules) say "modules    $dest$modules" ;;
	tools)
		say "tools      $dest$prefix/bin"
		say "tc plug-in $dest$tcdir/q_roce.so"
		say "dissector  $dest$share/rxe_cc.lua"
		"$top/scripts/check-tc.sh" "$dest$tcdir" >/dev/null ||
			say "           installed all the same; Documentation/guide/install.md has the versions of tc that it fits" >&2
		;;
	lab) say "lab        $dest$prefix/lib/rxe-cc" ;;
	dev) say "headers    $dest$prefix/lib/rxe-cc/build/ksrc, and include beside build" ;;
	esac
done
