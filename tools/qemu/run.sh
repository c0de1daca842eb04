#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Boot the distribution's kernel, or one of ours, in QEMU with our modules and run one script.
set -u

usage() {
	cat <<'END'
Usage: run.sh [OPTION]... -- SCRIPT [ARG]...

Boots a kernel in qemu-system-x86_64 with a file system made for this run,
runs SCRIPT (with its own #! line) as root in it and leaves with its exit code. The script's output
comes out here; kernel messages go to the console log.

  --kernel FILE    vmlinuz (default: newest /boot/vmlinuz-6.12*-amd64)
  --module-dir DIR the kernel's modules, *.ko in DIR, if it is not a
                   distribution's: what a name in --module means
  --sysroot DIR    another system (scripts/archive.sh root): the kernel's modules, and
                   programs and libraries, are taken from below it; --kernel too
  --append ARGS    more kernel parameters
  --cpus N         processors (default 2)
  --mem MB         memory (default 1024)
  --timeout S      seconds until the guest is killed (default 120)
  --accel A        tcg (default) or kvm
  --icount SHIFT   one instruction takes 2^SHIFT ns of the guest's time, and idle time none
                   of ours: time does not depend on this machine; --cpus 1 only
  --module M       module with all it needs: a name of the distribution's or a
                   path of ours, which wins over one of the same name; repeatable
  --bin PROG       program with its libraries: a name or a path; repeatable
  --file SRC[:DST] any file (default DST: /guest/ and the name); repeatable
  --tree DIR:DST   all that is in DIR; repeatable
  --env NAME=VALUE set in the script's environment; repeatable
  --net listen=SOCKET | connect=SOCKET
                   a virtio-net device on a cable to one other guest: the one
                   makes the UNIX socket, the other waits for it. Needs
                   --module virtio_net --module virtio_pci
  --pidfile FILE   QEMU's process id, while it runs
  --log FILE       console log (default: thrown away unless the run fails)
  --initrd-only F  write the file system to F and stop
  -h, --help       this text

Exit code: that of the script (at most 126); 4 when something that must be
installed is missing; 124 on timeout; 125 when the guest died or the kernel
complained (warning, oops, lockdep); 2 for a bad command line.
END
}

die() {
	echo "run.sh: $2" >&2
	exit "$1"
}

kernel='' cpus=2 mem=1024 limit=120 accel=tcg log='' initrd_only='' net='' append='' icount='' pidfile=''
moddir='' sysroot='' modules=() bins=() files=() trees=() envs=()
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage; exit 0 ;;
	--) shift; break ;;
	-*) [ $# -ge 2 ] || die 2 "$1: needs a value" ;;
	*) die 2 "'$1': unexpected before --" ;;
	esac
	case $1 in
	--kernel) kernel=$2 ;;
	--cpus) cpus=$2 ;;
	--smp) die 2 "--smp is called --cpus now" ;;
	--mem) mem=$2 ;;
	--timeout) limit=$2 ;;
	--accel) accel=$2 ;;
	--icount) icount=$2 ;;
	--pidfile) pidfile=$2 ;;
	--module) modules+=("$2") ;;
	--bin) bins+=("$2") ;;
	--file) files+=("$2") ;;
	--tree) trees+=("$2") ;;
	--module-dir) moddir=$2 ;;
	--sysroot) sysroot=${2%/} ;;
	--append) append=$2 ;;
	--env) envs+=("$2") ;;
	--net) net=$2 ;;
	--log) log=$2 ;;
	--initrd-only) initrd_only=$2 ;;
	*) die 2 "$1: unknown option" ;;
	esac
	shift 2
done
[ $# -ge 1 ] || die 2 "which script? See --help."
script=$1
shift
[ -r "$script" ] || die 2 "$script: cannot be read"
for v in "cpus $cpus" "mem $mem" "timeout $limit"; do
	case ${v#* } in
	'' | *[!0-9]*) die 2 "--${v% *}: '${v#* }' is not a number" ;;
	esac
done
case $net in
'' | listen=?* | connect=?*) ;;
*) die 2 "--net: '$net' is neither listen=SOCKET nor connect=SOCKET" ;;
esac
case $icount in
'') ;;
*[!0-9]*) die 2 "--icount: '$icount' is not a number" ;;
*) [ "$cpus $accel" = "1 tcg" ] || die 2 "--icount needs --cpus 1 and --accel tcg" ;;
esac
case $accel in
tcg | kvm) ;;
*) die 2 "--accel: '$accel' is neither tcg nor kvm" ;;
esac

PATH=$PATH:/usr/sbin:/sbin
for tool in qemu-system-x86_64 busybox dash cpio depmod modprobe modinfo xz; do
	command -v $tool >/dev/null || die 4 "$tool: not installed"
done
[ -z "$sysroot" ] || { [ -n "$kernel" ] && [ -z "$moddir" ]; } || die 2 "--sysroot needs --kernel, and no --module-dir"
if [ -z "$kernel" ]; then
	kernel=$(find /boot -name 'vmlinuz-6.12*-amd64' 2>/dev/null |
		sort -V | tail -n 1)
	[ -n "$kernel" ] ||
		die 4 "no /boot/vmlinuz-6.12*-amd64 (package linux-image-6.12-amd64)"
fi
[ -r "$kernel" ] || die 4 "$kernel: cannot be read"
ours=''
if [ -n "$moddir" ]; then
	ours=$moddir
	release=$(find "$ours" -maxdepth 1 -name '*.ko' -exec modinfo -F vermagic {} \; -quit)
	release=${release%% *}
	[ -n "$release" ] || die 2 "--module-dir: no modules in $ours"
else
	release=${kernel##*/vmlinuz-}
fi
moddir=/lib/modules/$release
[ -n "$ours" ] || [ -d "$sysroot$moddir" ] || die 4 "$moddir: no modules for $kernel"

tmp=$(mktemp -d) || die 125 "no temporary directory"
trap 'rm -rf "$tmp"' EXIT
root=$tmp/root
mkdir -p "$root"/{bin,sbin,dev,proc,sys,run,tmp,etc,guest,usr/bin,usr/sbin} \
	"$root$moddir/updates"

# A program or library and every library it was linked with, where it was.
add_elf() {
	local path lib

	path=$(PATH=${sysroot:+$sysroot/usr/bin:$sysroot/usr/sbin:}$PATH command -v "$1") || die 4 "$1: not found"
	if [ ! -e "$root/bin/${path##*/}" ]; then
		cp -L "$path" "$root/bin/" || die 125 "$path: cannot be copied"
	fi
	add_libs "$path"
}

# Of another system its own loader knows them; what it does not find there it would take from here.
list_libs() {
	local loader=$sysroot/lib64/ld-linux-x86-64.so.2

	if [ -z "$sysroot" ]; then
		ldd "$1"
	else
		echo " /lib64/ld-linux-x86-64.so.2 (0x)"
		"$loader" --inhibit-cache --library-path "$sysroot/usr/lib/x86_64-linux-gnu" --list "$1" |
			sed 's, => /lib64/.*,,'
	fi
}

add_libs() {
	local lib

	list_libs "$1" 2>/dev/null | sed -n 's/.*[[:space:]]\(\/[^ ]*\) (0x.*/\1/p' |
		while read -r lib; do
			lib=${lib#"$sysroot"}
			[ -e "$root$lib" ] && continue
			[ -e "$sysroot$lib" ] || { echo "${1##*/}: $lib is not in $sysroot"; continue; }
			mkdir -p "$root${lib%/*}"
			cp -L "$sysroot$lib" "$root$lib"
		done >>"$tmp/no-libs"
}

declare -A have=()

# A module of the distribution, unpacked, with those it depends on.
add_stock_module() {
	local path name

	modprobe ${sysroot:+-d "$sysroot"} -S "$release" --show-depends "$1" 2>/dev/null >"$tmp/deps" ||
		die 4 "module $1: not in $moddir"
	while read -r _ path _; do
		case $path in
		/*) ;;
		*) continue ;;
		esac
		name=${path##*/}
		name=${name%%.ko*}
		name=${name//-/_}
		[ -n "${have[$name]:-}" ] && continue
		have[$name]=$path
		path=${path#"$sysroot"}
		mkdir -p "$root${path%/*}"
		case $path in
		*.xz) xz -dc "$sysroot$path" >"$root${path%.xz}" ;;
		*) cp "$sysroot$path" "$root$path" ;;
		esac
	done <"$tmp/deps"
}

# The same for a kernel of ours: what it has not as a module is built in.
add_our_module() {
	local d

	[ -z "${have[$1]:-}" ] || return 0
	[ -r "$ours/$1.ko" ] || die 4 "module $1: not in $ours"
	have[$1]=$ours/$1.ko
	cp "$ours/$1.ko" "$root$moddir/updates/" || die 125 "$1.ko: cannot be copied"
	for d in $(modinfo -F depends "$ours/$1.ko" | tr ',' ' '); do
		add_our_module "${d//-/_}"
	done
}

# add_module NAME
add_module() {
	if [ -n "$ours" ]; then
		add_our_module "${1//-/_}"
	else
		add_stock_module "$1"
	fi
}

# Ours first, so that a stock module of the same name is never taken.
for m in "${modules[@]}"; do
	case $m in
	*.ko)
		[ -r "$m" ] || die 2 "$m: cannot be read"
		name=${m##*/}
		name=${name%.ko}
		cp "$m" "$root$moddir/updates/" || die 125 "$m: cannot be copied"
		have[${name//-/_}]=$m
		;;
	esac
done
for m in "${modules[@]}"; do
	case $m in
	*.ko) for d in $(modinfo -F depends "$m" | tr ',' ' '); do
		[ -n "${have[${d//-/_}]:-}" ] || add_module "$d"
	done ;;
	*) [ -n "${have[${m//-/_}]:-}" ] || add_module "$m" ;;
	esac
done
[ -n "$ours" ] || cp "$sysroot$moddir"/modules.{order,builtin,builtin.modinfo} "$root$moddir/" 2>/dev/null
depmod -b "$root" "$release" 2>"$tmp/depmod" ||
	die 125 "depmod: $(head -n 1 "$tmp/depmod")"

# BusyBox for everything that is not given by name; dash as shell, because that
# of BusyBox prefers its own applets to any program in the path.
cp -L "$(command -v busybox)" "$root/bin/busybox"
add_elf dash
ln -s dash "$root/bin/sh"
for b in "${bins[@]}"; do
	add_elf "$b"
done
for applet in $("$root/bin/busybox" --list); do
	[ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"
done
for p in insmod modprobe rmmod depmod; do
	ln -sf /bin/busybox "$root/sbin/$p"
done

# libibverbs loads its provider by name at run time: ldd does not show it.
provider=$(find "$sysroot/usr/lib" -path '*/libibverbs/librxe-rdmav*.so' 2>/dev/null |
	head -n 1)
if [ -n "$provider" ]; then
	to=$root${provider#"$sysroot"}
	mkdir -p "${to%/*}" "$root/etc/libibverbs.d"
	cp -L "$provider" "$to"
	add_libs "$provider"
	cp "$sysroot"/etc/libibverbs.d/rxe.driver "$root/etc/libibverbs.d/" 2>/dev/null ||
		echo "driver rxe" >"$root/etc/libibverbs.d/rxe.driver"
fi
echo 'root:x:0:0:root:/:/bin/sh' >"$root/etc/passwd"
echo '127.0.0.1 localhost' >"$root/etc/hosts"
for f in "${files[@]}"; do
	src=${f%%:*}
	dst=/guest/${src##*/}
	case $f in
	*:*) dst=${f#*:} ;;
	esac
	[ -r "$src" ] || die 2 "$src: cannot be read"
	mkdir -p "$root${dst%/*}"
	cp -L "$src" "$root$dst"
	add_libs "$src"
done
for f in "${trees[@]}"; do
	case $f in
	?*:/?*) ;;
	*) die 2 "--tree: '$f' is not DIR:/DST" ;;
	esac
	mkdir -p "$root${f#*:}" && cp -rL "${f%%:*}/." "$root${f#*:}/" ||
		die 125 "${f%%:*}: cannot be copied"
done
[ ! -s "$tmp/no-libs" ] || die 4 "$(head -n 1 "$tmp/no-libs")"
cp "$script" "$root/guest/script"
chmod 755 "$root/guest/script"
cp "$(dirname "$0")/init.sh" "$root/init"
chmod 755 "$root/init"
{
	for e in "${envs[@]}"; do
		case $e in
		[A-Za-z_]*=*) printf 'export %s=%q\n' "${e%%=*}" "${e#*=}" ;;
		*) die 2 "--env: '$e' is not NAME=VALUE" ;;
		esac
	done
	args=''
	for a in "$@"; do
		args="$args $(printf %q "$a")"
	done
	printf 'GUEST_ARGS=%q\n' "$args"
} >"$root/guest/env" || exit $?

# Not compressed: unpacking in software emulation costs more than it saves.
(cd "$root" && find . | cpio -o -H newc --quiet) >"$tmp/initrd" ||
	die 125 "cannot write the initial file system"
if [ -n "$initrd_only" ]; then
	cp "$tmp/initrd" "$initrd_only" || die 125 "$initrd_only: not written"
	exit 0
fi

# The one that connects must find the socket there.
netargs=()
if [ -n "$net" ]; then
	socket=${net#*=} server=on mac=52:54:00:00:00:01
	if [ "${net%%=*}" = connect ]; then
		server=off mac=52:54:00:00:00:02
		until [ -S "$socket" ]; do
			[ "$SECONDS" -lt "$limit" ] || die 125 "$socket: nobody listens"
			sleep 0.1
		done
	fi
	netargs=(-netdev "stream,id=net0,server=$server,addr.type=unix,addr.path=$socket"
		-device "virtio-net-pci,netdev=net0,mac=$mac,romfile=")
fi

console=$tmp/console
# Without ACPI a kernel finds processors in the BIOS's table, which has one for each socket.
sockets=
[ -z "$ours" ] || sockets=,sockets=$cpus
# QEMU 7.2 leaves wrong flags when an interrupt comes with cmpxchg16b, which the
# kernel's allocator uses where there is one: the guest ends in a double fault.
cpu=max,cx16=off
[ "$accel" = kvm ] && cpu=host
boot() {
	timeout --foreground -k 5 "$limit" qemu-system-x86_64 \
		-accel "$accel" -cpu "$cpu" -smp "$cpus$sockets" -m "$mem" -nodefaults \
		-no-user-config -display none -no-reboot -monitor none \
		-serial "file:$console" -serial stdio \
		-device isa-debug-exit,iobase=0xf4,iosize=0x04 "${netargs[@]}" \
		${icount:+-icount "shift=$icount,sleep=off"} ${pidfile:+-pidfile "$pidfile"} \
		-kernel "$kernel" -initrd "$tmp/initrd" \
		-append "console=ttyS0 rdinit=/init panic=-1 oops=panic mitigations=off random.trust_cpu=on nokaslr tsc=reliable no_timer_check $append" \
		</dev/null
	code=$?
}

# A kernel that changes its own code puts a breakpoint there until all processors have seen
# it. In software emulation before 8.1 one may still meet it when the kernel has forgotten it.
spoiled() {
	[ "$accel" = tcg ] && grep -aq 'Oops: int3' "$console" && ! grep -aq 'Run /init as init' "$console"
}
for again in 1 2 3 ''; do
	boot
	{ [ -n "$again" ] && spoiled; } || break
	echo "run.sh: QEMU spoiled the boot (int3): once more" >&2
done

[ -n "$log" ] && cp "$console" "$log"
complaint=$(grep -a -m 1 -E \
	'BUG:|WARNING:|Oops|Kernel panic|general protection|INFO: (task|rcu)|KASAN|possible (circular|recursive) lock' \
	"$console")
if [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
	tail -n 15 "$console" >&2
	die 124 "no end after $limit s, guest killed"
fi
if [ -n "$complaint" ]; then
	grep -a -A 25 -F "$complaint" "$console" | head -n 40 >&2
	die 125 "kernel: $complaint"
fi
# An odd code is a verdict, unless QEMU itself failed before there was a console.
if [ $((code % 2)) -eq 0 ] || [ ! -s "$console" ]; then
	tail -n 15 "$console" >&2
	die 125 "the guest ended without a verdict (QEMU exit code $code)"
fi
exit $(((code - 1) / 2))
