#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Kernels of the distribution's archive: build the modules for each, run them in QEMU beside the
# kernel's own rxe, and print a table of what passed.
#   kernels.sh [OPTION]... [KERNEL]...
#   KERNEL           SUITE:SERIES, for example trixie-backports:7.3; default: those of
#                    Documentation/guide/kernels.md
#   --list           those kernels, a line each
#   --only CHECK     build, smoke, switch, stock, pair or peer; repeatable
#   --again          do again what has passed
#   --jobs N         compilers at a time (processors)
#   --table          run nothing, print the table of what is there
#   --page           the same, written into Documentation/guide/kernels.md
#   -h, --help       this text
# What is fetched and what has passed stays in the cache; a check is done again when modules or
# scripts have changed, or if it failed. So an interrupted run goes on where it was.
#   build   the modules, with compiler and headers of that suite
#   smoke   what selftests/qemu/smoke.sh runs: one guest, two processors, perftest under dcqcn, unload
#   switch  one guest: the plug-in in that suite's tc, PFC, INT, removal under load
#   stock   two guests with the kernel's own rxe: perftest, flowgen
#   pair    two guests with ours: the same under none, dcqcn and hpcc
#   peer    ours under dcqcn, and the kernel's own rxe of another kernel, the next of the list
# Needs root (the compiler runs in a chroot), QEMU, 2 GB in the cache for each suite, and for each kernel about
# 15 minutes of an idle machine with two processors.
# Environment: RXE_CC_CACHE; JOBS.
# Exit status: 0 all passed, 1 not so, 2 usage, 4 something that is needed is missing.
set -u
# shellcheck source=scripts/common.sh
. "$(dirname "$0")/../../scripts/common.sh"

# Each is the next one's peer, and the last the first one's.
kernels=(bookworm:6.12 trixie-backports:7.3)
checks=(build smoke switch stock pair peer)
algos="none dcqcn hpcc"
server_kernel=

only=()
options "list only+= again jobs= table page" "$@"
[ -z "${list:-}" ] || { printf '%s\n' "${kernels[@]}"; exit; }
for c in "${only[@]}"; do
	[[ " ${checks[*]} " == *" $c "* ]] || misuse "--only \"$c\": one of ${checks[*]}"
done
[ ${#args[@]} -gt 0 ] || args=("${kernels[@]}")
[[ $jobs =~ ^[1-9][0-9]*$ ]] || misuse "--jobs \"$jobs\": a number is needed"
for k in "${args[@]}"; do
	[[ $k =~ ^[a-z-]+:[0-9]+\.[0-9]+$ ]] || misuse "\"$k\" is not SUITE:SERIES"
done
PATH=$PATH:/usr/sbin:/sbin
guests=$top/tools/qemu
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0

# place KERNEL: where all of it is
place() {
	suite=${1%:*} series=${1#*:}
	dir=$cache/kernels/$suite-$series
	results=$dir/results
}

# know KERNEL: sets what is known of it; its rxe is fetched. "own" is this machine's
know() {
	place "$1"
	mkdir -p "$results" || die "cannot write to $cache"
	# What was fetched once is the kernel of this table, until it is removed.
	if [ ! -s "$dir/release" ]; then
		ksrc=$("$top/scripts/archive.sh" rxe "$suite" "linux-source-$series") || exit 4
		version=${ksrc##*/linux-source-"$series"-}
		release=$("$top/scripts/archive.sh" release "$suite" "$version") || exit 4
		printf '%s\n' "$ksrc" "$version" "$release" >"$dir/release.new" && mv "$dir/release"{.new,}
	fi
	{ read -r ksrc; read -r version; read -r release; } <"$dir/release"
	root=$dir/root own=
	if [ "$suite" = "$(. /etc/os-release && echo "$VERSION_CODENAME")" ] &&
		[ -e "/lib/modules/$release/build/Makefile" ] && [ -e "/boot/vmlinuz-$release" ]; then
		own=1 root=
	fi
	modules=$dir/modules
}

# Compiler, headers, kernel and programs of the suite.
get_root() {
	local vmlinuz
	[ -z "$own" ] || return 0
	[ "$(id -u)" -eq 0 ] || { echo "needs root"; return 4; }
	"$top/scripts/archive.sh" root "$suite" "$root" "linux-image-$release" "linux-headers-$release" base-files bash \
		binutils coreutils dash findutils gawk grep iproute2 ibverbs-providers kmod libjson-c5 libmnl0 make perftest \
		rdma-core sed || return 4
	# What scripts of packages would have done.
	mkdir -p "$root/proc" "$root/dev" "$root/boot" && chmod 1777 "$root/tmp" || return 1
	[ -c "$root/dev/null" ] || { rm -f "$root/dev/null"; mknod -m 666 "$root/dev/null" c 1 3; } || return 1
	ln -sf gawk "$root/usr/bin/awk"
	vmlinuz=lib/modules/$release/vmlinuz
	[ ! -e "$root/$vmlinuz" ] || ln -sf "../$vmlinuz" "$root/boot/vmlinuz-$release"
	[ -e "$root/lib/modules/$release/modules.dep.bin" ] || depmod -b "$root" "$release"
}

# The sources change, the root does not: "proc" is for objtool, which asks for its limits.
check_build() {
	get_root || return
	if [ -n "$own" ]; then
		JOBS=$jobs "$top/scripts/modules.sh" host && cp "$build/rxe/.report" "$results/report" &&
			rsync -a --delete --include='*.ko' --exclude='*' "$build/host/" "$modules/"
		return
	fi
	KSRC=$ksrc "$top/scripts/modules.sh" host --source "$dir/source" && cp "$build/rxe-host/.report" "$results/report" ||
		return
	mkdir -p "$root/build" && rsync -rlpc --delete --exclude='*.o' --exclude='*.ko' --exclude='*.mod' \
		--exclude='*.mod.c' --exclude='.*' --exclude=modules.order --exclude=Module.symvers "$dir/source/" "$root/build/" ||
		return 1
	unshare -m sh -c "mount -t proc proc \"\$0/proc\" && exec chroot \"\$@\"" "$root" "$root" \
		env -i PATH=/usr/bin:/usr/sbin make -C "/lib/modules/$release/build" M=/build W=1e CONFIG_KUNIT= -j"$jobs" modules || return 1
	mkdir -p "$modules" && rm -f "$modules"/*.ko && find "$root/build" -name '*.ko' -exec cp {} "$modules/" \;
}

# options_of "ours"|"stock": sets guest, what run.sh needs to boot the kernel that is known
options_of() {
	local m b
	guest=(--kernel "$root/boot/vmlinuz-$release")
	[ -n "$own" ] || guest+=(--sysroot "$root")
	for b in bash ip tc rdma timeout ib_write_bw ib_read_bw ib_send_bw ib_send_lat ib_write_lat \
		"$build/bin/rxecc" "$build/bin/flowgen"; do
		guest+=(--bin "$b")
	done
	# rxe of 6.12 asks for "crc32" by name, which no dependency shows; later ones call it.
	! grep -q '/crc32_generic\.ko' "$root/lib/modules/$release/modules.order" || guest+=(--module crc32_generic)
	for m in ib_uverbs veth bridge virtio_net virtio_pci; do
		guest+=(--module "$m")
	done
	guest+=(--file "$top/selftests/lib/ktap_helpers.sh" --file "$top/tools/lib/wait.sh" --file "$top/scripts/check-tc.sh"
		--file "$build/tc/q_roce.so:/guest/tc/q_roce.so" --env TC_LIB_DIR=/guest/tc)
	if [ "$1" = stock ]; then
		guest+=(--module rdma_rxe)
		return
	fi
	for m in rxe_cc rxe_cc_fixed roce_cc_lib rxe_cc_dcqcn rxe_cc_hpcc rxe_cc_template rdma_rxe sch_roce; do
		guest+=(--module "$modules/$m.ko" --file "/dev/null:/guest/ours/$m")
	done
}

check_smoke() {
	options_of ours
	"$guests/run.sh" --cpus 2 --timeout 3600 --log "$results/smoke.console" "${guest[@]}" --env LIMIT=300 -- "$guests/smoke_guest.sh"
}

check_switch() {
	options_of ours
	"$guests/run.sh" --cpus 2 --timeout 3600 --log "$results/switch.console" "${guest[@]}" -- "$guests/kernels_guest.sh" switch
}

# two NAME SERVER CLIENT ALGORITHMS: both are "ours" or "stock"; the server of $server_kernel
two() {
	local name=$1 server rc
	rm -f "$tmp/cable"
	(
		know "$server_kernel"
		get_root || exit
		options_of "$2"
		exec "$guests/run.sh" --cpus 1 --mem 768 --timeout 3600 "${guest[@]}" --net "listen=$tmp/cable" \
			--env "ALGOS=$([ "$2" = stock ] && echo stock)" -- "$guests/kernels_guest.sh" server
	) >"$results/$name.server" 2>&1 &
	server=$!
	options_of "$3"
	"$guests/run.sh" --cpus 1 --mem 768 --timeout 3600 --log "$results/$name.console" "${guest[@]}" \
		--net "connect=$tmp/cable" --env "ALGOS=$4" -- "$guests/kernels_guest.sh" client
	rc=$?
	wait $server || { tail -n 20 "$results/$name.server"; echo "not ok the other guest"; rc=1; }
	return $rc
}

check_stock() { server_kernel=$k two stock stock stock stock; }
check_pair() { server_kernel=$k two pair ours ours "$algos"; }
check_peer() { server_kernel=$(next "$k") two peer stock ours dcqcn; }

# next KERNEL: the one behind it in the list
next() {
	local i
	for i in "${!kernels[@]}"; do
		[ "${kernels[i]}" != "$1" ] || echo "${kernels[(i + 1) % ${#kernels[@]}]}"
	done
}

# What a check depends on.
key_of() {
	case $1 in
	build) (cd "$top" && cat Kbuild && find include drivers net -type f -print0 | sort -z | xargs -0 cat) ;;
	smoke) cat "$modules"/*.ko "$guests"/{smoke_guest,run}.sh ;;
	stock) cat "$guests"/{kernels_guest,run}.sh ;;
	*) cat "$modules"/*.ko "$guests"/{kernels_guest,run}.sh ;;
	esac | cat - "$dir/release" | sha256sum
}

passed() { [ "$(cat "$results/$1.passed" 2>/dev/null)" = "$(key_of "$1")" ]; }

# run CHECK: unless it has passed
run() {
	local check=$1 t0=$SECONDS rc
	if [ -z "${again:-}" ] && passed "$check"; then
		say "  $k $check: passed before"
		return 0
	fi
	rm -f "$results/$check.passed"
	say "  $k $check ..."
	"check_$check" >"$results/$check.new" 2>&1 </dev/null
	rc=$?
	mv "$results/$check.new" "$results/$check"
	if [ $rc -eq 0 ]; then
		key_of "$check" >"$results/$check.passed"
		say "  $k $check: passed, $((SECONDS - t0)) s"
		return 0
	fi
	grep -E '^not ok|^#|^[a-z.]*sh: ' "$results/$check" | tail -n 12 >&2
	say "  $k $check: FAILED ($rc) after $((SECONDS - t0)) s: $results/$check" >&2
	[ $rc -ne 4 ] || exit 4
	failed=1
	return 1
}

# count CHECK [WORDS]: "N of M" of the results that begin with WORDS
count() {
	local all good
	[ -s "$results/$1" ] || { echo "not run"; return; }
	all=$(grep -cE "^(not )?ok [0-9]* ${2:-}" "$results/$1")
	good=$(grep -cE "^ok [0-9]* ${2:-}" "$results/$1")
	[ "$all" -gt 0 ] && echo "$good of $all" || echo failed
}

# With which compiler the modules were built.
built() {
	if [ ! -e "$results/build.passed" ]; then
		count build
	elif [ -n "$own" ]; then
		echo "by gcc $(gcc -dumpversion)"
	else
		echo "by gcc $(find "$root/usr/bin" -name 'x86_64-linux-gnu-gcc-[0-9]*' | sed 's/.*-//' | sort -n | tail -n 1)"
	fi
}

# column KERNEL: a line for each row of the table; nothing is fetched for it
column() {
	local a
	place "$1"
	if [ ! -s "$dir/release" ]; then
		echo "${1#*:}"
		printf 'not run\n%.0s' $(seq 2 ${#rows[@]})
		return
	fi
	know "$1"
	echo "$version"
	if [ -s "$results/report" ]; then
		sed -n 's/^hooks //p' "$results/report"
		sed -n 's/^fixes //p' "$results/report" | wc -w
		sed -n 's/^has *//p' "$results/report" | sed 's/^$/none/'
	else
		printf 'not run\n%.0s' 1 2 3
	fi
	built
	count smoke
	a=$(sed -n 's/^# Linux .*iproute2-\([0-9.]*\).*/\1/p' "$results/switch" 2>/dev/null)
	echo "$(count switch tc)${a:+, iproute2 $a}"
	count switch "switch: PFC"
	count switch "switch: INT"
	count switch removal
	count stock "stock: ib"
	for a in $algos; do
		count pair "$a: ib"
	done
	count pair flowgen
	count peer "dcqcn: ib"
	count peer flowgen
}

rows=("kernel" "hooks" "fixes of rxe that are applied" "fixes that the kernel has itself" "modules" "smoke test" "plug-in in tc" "PFC: pauses, nothing lost" "INT under hpcc"
	"removal under load: device, netdev, namespace, port" "perftest, two guests: stock rxe"
	"perftest, two guests: none" "perftest, two guests: dcqcn" "perftest, two guests: hpcc" "flowgen, write and read" "perftest, peer is stock rxe of the other kernel" "flowgen with that peer")

table_of() {
	local i n=0 line
	printf '%s\n' "${rows[@]}" >"$tmp/table"
	for k in "${kernels[@]}"; do
		column "$k" >"$tmp/column" || return
		paste -d'|' "$tmp/table" "$tmp/column" >"$tmp/table.new" && mv "$tmp/table.new" "$tmp/table"
		n=$((n + 1))
	done
	i=0
	while IFS= read -r line; do
		printf '| %s |\n' "${line//|/ | }"
		[ $i -gt 0 ] || { printf '|'; printf ' --- |%.0s' $(seq 0 $n); echo; }
		i=1
	done <"$tmp/table"
}

# Between the marks of the page.
write_page() {
	local page=$top/Documentation/guide/kernels.md
	grep -q '<!-- tools/qemu/kernels.sh -->' "$page" || die "$page has no place for the table"
	table_of >"$tmp/new" || exit 1
	awk -v new="$tmp/new" '
		/<!-- tools\/qemu\/kernels.sh -->/ { print; while ((getline line < new) > 0) print line; skip = 1; next }
		skip && /^\|/ { next }
		{ skip = 0; print }' "$page" >"$tmp/page" && cat "$tmp/page" >"$page"
}

[ -z "${page:-}" ] || { write_page; exit; }
[ -z "${table:-}" ] || { table_of; exit; }

for t in qemu-system-x86_64 busybox unshare depmod rsync spatch; do
	command -v $t >/dev/null || { echo "kernels.sh: $t: not installed" >&2; exit 4; }
done
for f in bin/rxecc bin/flowgen tc/q_roce.so; do
	[ -e "$build/$f" ] || { echo "kernels.sh: no build/$f: make tools" >&2; exit 4; }
done
for k in "${args[@]}"; do
	lock "kernels-$k"
	know "$k"
	for c in "${checks[@]}"; do
		[[ ${#only[@]} -eq 0 || " ${only[*]} " == *" $c "* ]] || continue
		[ "$c" = build ] || get_root || exit
		run "$c" || [ "$c" != build ] || break
	done
done
table_of
exit $failed
