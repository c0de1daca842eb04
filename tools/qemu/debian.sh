#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Install Debian packages on a Debian made for this, boot it, use them, remove them.
#   debian.sh [OPTION]... DEB...
#   --release NAME   bookworm or trixie (bookworm); both have a kernel 6.12
#   --kernel SERIES  a kernel to install, for example 7.3, which is in trixie's backports; repeatable
#                    (6.12). The first is there before the packages, the others come after them.
#                    Each is booted, with all of it installed
#   --dir DIR        where the system is made, 3 GB; kept, with console-SERIES.log, and
#                    used again by the next run (a temporary directory)
#   --timeout S      seconds for a boot and all that is done in it (1800)
#   -h, --help       this text
# The packages are installed by apt in a chroot, as a guest in software emulation would
# take an hour for DKMS; the rest happens in the booted guest: tools/qemu/debian_guest.sh. What a
# guest changes is gone with it.
# Needs root, debootstrap, e2fsprogs and qemu-system-x86. Packages come from where this
# machine has its own from.
# Exit status: 0 all passed, 1 not so, 2 usage, 4 something that is needed is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
PATH=$PATH:/usr/sbin:/sbin
die() { echo "debian.sh: $2" >&2; exit "$1"; }
usage() { sed -n '3,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

release=bookworm dir='' limit=1800 kernels=()
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage; exit 0 ;;
	--release | --kernel | --dir | --timeout) [ $# -ge 2 ] || die 2 "$1 needs a value" ;;
	-*) die 2 "unknown option \"$1\"; see --help" ;;
	*) break ;;
	esac
	case $1 in
	--release) release=$2 ;;
	--kernel) kernels+=("$2") ;;
	--dir) dir=$2 ;;
	--timeout) limit=$2 ;;
	esac
	shift 2
done
[ $# -gt 0 ] || die 2 "which packages? See --help."
case $release in
bookworm) meta=6.12-amd64 ;;
trixie) meta=amd64 ;;
*) die 2 "--release \"$release\": bookworm or trixie" ;;
esac
[ ${#kernels[@]} -gt 0 ] || kernels=(6.12)
for k in "${kernels[@]}"; do
	[[ $k =~ ^[0-9]+\.[0-9]+$ ]] || die 2 "--kernel \"$k\": a series is needed, such as 7.3"
done
[[ $limit =~ ^[1-9][0-9]*$ ]] || die 2 "--timeout \"$limit\": a number is needed"
for f; do
	[ -r "$f" ] || die 2 "$f: cannot be read"
done
[ "$(id -u)" -eq 0 ] || die 4 "needs root"
for f in debootstrap mke2fs qemu-system-x86_64; do
	command -v $f >/dev/null || die 4 "$f: not installed"
done

if [ -z "$dir" ]; then
	dir=$(mktemp -d) || exit 1
	drop=1
fi
mkdir -p "$dir" || die 1 "cannot write to $dir"
dir=$(cd "$dir" && pwd)
root=$dir/root
leave() {
	! mountpoint -q "$root/proc" || umount "$root/proc"
	[ -z "${drop:-}" ] || rm -rf --one-file-system "$dir"
}
trap leave EXIT
trap 'exit 130' INT TERM HUP

say() { printf '  %s\n' "$*"; }

# Where this machine has its packages from, for the release.
sources() {
	apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' | sort -u |
		while read -r uri name; do
			case $name in
			*-security) echo "deb $uri $release-security main" ;;
			*-updates | *-backports) ;;
			*)
				echo "deb $uri $release main"
				[[ ${kernels[*]} == 6.12 ]] || echo "deb $uri $release-backports main" ;;
			esac
		done | sort -u
}

# in_root COMMAND...
in_root() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

# run WHAT COMMAND...: said, logged
run() {
	local what=$1 t0=$SECONDS
	shift
	"$@" >>"$dir/log" 2>&1 </dev/null || { tail -n 25 "$dir/log" >&2; die 1 "$what failed, log: $dir/log"; }
	say "$what: $((SECONDS - t0)) s"
}

base() {
	local uri
	uri=$(sources | awk -v r="$release" '$3 == r { print $2; exit }')
	[ -n "$uri" ] || return 1
	debootstrap --variant=minbase "$release" "$root.new" "$uri" || return 1
	cp /etc/apt/apt.conf.d/* "$root.new/etc/apt/apt.conf.d/" 2>/dev/null
	cp /etc/resolv.conf /etc/hosts "$root.new/etc/"
	mv "$root.new" "$root"
}

# apt OPTION-OR-PACKAGE...
apt() { in_root apt-get -q -y --no-install-recommends install "$@"; }

# kernel SERIES: 6.12 is the release's own, or its optional one
kernel() {
	local version
	if [ "$1" = 6.12 ]; then
		apt "linux-image-$meta" "linux-headers-$meta"
		return
	fi
	version=$(in_root apt-cache pkgnames "linux-headers-$1." | sed -n 's/^linux-headers-\(.*+deb[0-9]*-amd64\)$/\1/p' |
		sort -V | tail -n 1)
	[ -n "$version" ] || { echo "$release-backports has no kernel $1"; return 1; }
	apt -t "$release-backports" "linux-image-$version" "linux-headers-$version"
}

system() {
	sources >"$root/etc/apt/sources.list"
	in_root apt-get -q update && apt initramfs-tools kmod iproute2 rdma-core ibverbs-providers ibverbs-utils \
		perftest dkms procps && kernel "${kernels[0]}"
}

# As on a machine that gets a later kernel: DKMS is to compile our modules for it.
upgrade() {
	local k
	for k in "${kernels[@]:1}"; do
		kernel "$k" || return 1
	done
	in_root dkms status
}

ours() {
	rm -rf "$root/debs" "$root/guest" && mkdir -p "$root/debs" "$root/guest/ours" && cp "$@" "$root/debs/" || return 1
	in_root sh -c 'apt-get -q -y --no-install-recommends --reinstall install /debs/*.deb' || return 1
	cp "$here/debian_guest.sh" "$here/smoke_guest.sh" "$top/selftests/lib/ktap_helpers.sh" "$top/tools/lib/wait.sh" \
		"$root/guest/" || return 1
	# smoke_guest.sh takes those that are named here.
	for f in rxe_cc rxe_cc_fixed rxe_cc_dcqcn rxe_cc_template rdma_rxe sch_roce; do
		: >"$root/guest/ours/$f"
	done
	in_root dkms status
}

image() {
	rm -f "$dir/image" && truncate -s 8G "$dir/image" &&
		mke2fs -q -F -t ext4 -d "$root" "$dir/image"
}

: >"$dir/log"
if [ ! -d "$root" ]; then
	rm -rf --one-file-system "$root.new"
	run "$release from the archive" base
fi
mount -t proc proc "$root/proc" || die 1 "cannot mount /proc in $root"
run "kernel and what our packages need" system
run "our packages, modules compiled" ours "$@"
[ ${#kernels[@]} -eq 1 ] || run "kernel ${kernels[*]:1}, modules compiled" upgrade
umount "$root/proc"
run "image" image
# boot SERIES: its newest kernel, and the verdict of what was done in it
boot() {
	local vmlinuz complaint code console=$dir/console-$1.log
	vmlinuz=$(find "$root/boot" -name "vmlinuz-$1.*" | sort -V | tail -n 1)
	[ -n "$vmlinuz" ] || die 1 "$release has no kernel $1"
	say "boot of ${vmlinuz##*/}"
	# As in run.sh, which says why.
	timeout --foreground -k 5 "$limit" qemu-system-x86_64 -accel tcg -cpu max,cx16=off -smp 2 -m 1024 \
		-nodefaults -no-user-config -display none -no-reboot -monitor none \
		-serial "file:$console" -serial stdio -device isa-debug-exit,iobase=0xf4,iosize=0x04 \
		-drive "file=$dir/image,if=virtio,format=raw,snapshot=on" \
		-kernel "$vmlinuz" -initrd "${vmlinuz/vmlinuz/initrd.img}" \
		-append "console=ttyS0 root=/dev/vda rw init=/guest/debian_guest.sh panic=-1 oops=panic mitigations=off random.trust_cpu=on nokaslr tsc=reliable no_timer_check" \
		</dev/null
	code=$?
	complaint=$(grep -a -m 1 -E 'BUG:|WARNING:|Oops|Kernel panic|general protection|INFO: (task|rcu)' "$console")
	[ -z "$complaint" ] || die 1 "kernel: $complaint"
	# QEMU leaves with (status << 1) | 1.
	[ "$code" -ne 124 ] || die 1 "no end after $limit s, guest killed"
	[ $((code % 2)) -eq 1 ] || { tail -n 15 "$console" >&2; die 1 "the guest ended without a verdict"; }
	[ $((code >> 1)) -eq 0 ]
}

failed=0
for k in "${kernels[@]}"; do
	boot "$k" || failed=1
done
exit $failed
