#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Install the Debian packages that are missing (scripts/packages.txt).
#   install-packages.sh [GROUP...]          say what is missing and install it
#   install-packages.sh --check [GROUP...]  only say it; exit 1 if any is missing
# GROUP: kernel, demo, test, ..., a section of packages.txt; default all but apps.
# Needs root or sudo, unless everything is there already.
set -u
. "$(dirname "$0")/common.sh"
list=$top/scripts/packages.txt

check=
options check "$@"
groups=("${args[@]}")
for group in "${groups[@]}"; do
	grep -qxF "[$group]" "$list" ||
		misuse "no group \"$group\": $(sed -n 's/^\[\(.*\)\]$/\1/p' "$list" | paste -sd ' ')"
done
command -v dpkg-query >/dev/null ||
	die "this is not a Debian system: install what scripts/packages.txt lists by hand"

# Names of the groups' packages.
wanted() {
	awk -v groups=" ${groups[*]} " '/^#/ || !NF { next }
		/^\[/ { group = substr($1, 2, length($1) - 2); next }
		(groups == "  " && group != "apps") || index(groups, " " group " ") { print $1 }' "$list"
}

mapfile -t missing < <(
	wanted | sort -u |
		comm -23 - <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' |
			awk '$1 == "ii" { print $2 }' | sort -u))
[ "${#missing[@]}" -gt 0 ] || exit 0

say "Packages to install (${#missing[@]}):"
for p in "${missing[@]}"; do
	awk -v p="$p" '$1 == p { $1 = ""; printf "  %-26s%s\n", p, $0; exit }' "$list"
done
[ -z "$check" ] || exit 1

if [ "$(id -u)" -eq 0 ]; then
	root=()
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
	root=(sudo)
else
	die "neither root nor sudo: have root run: apt-get install ${missing[*]}"
fi

as_root() { "${root[@]}" env DEBIAN_FRONTEND=noninteractive "$@"; }

# Whoever else installs something has locks: wait for them, however long it takes. The option
# is for dpkg's lock only, and apt-get gives up on those of its index and its cache.
exec 7>&1
apt() {
	local out rc said=
	while :; do
		rc=0
		out=$(as_root env LC_ALL=C apt-get -q -o DPkg::Lock::Timeout=-1 "$@" 2>&1) || rc=$?
		printf '%s\n' "$out"
		[ "$rc" -ne 0 ] && grep -q 'Could not get lock' <<<"$out" || return "$rc"
		[ -n "$said" ] ||
			say "  waiting for another apt: $(grep -m 1 -o 'Could not get lock.*' <<<"$out")" >&7
		said=1
		sleep "${APT_RETRY:-3}"
	done
}

# Daemons that tests start for themselves: those of the system neither start now nor at
# boot. Whoever had them already keeps them as they were.
declare -A daemons=([openssh-server]=ssh [munge]=munge [slurmctld]=slurmctld [slurmd]=slurmd)
policy=/usr/sbin/policy-rc.d
services=()
policy_made=
hold_services() {
	local p
	for p in "${missing[@]}"; do
		[ -z "${daemons[$p]:-}" ] || services+=("${daemons[$p]}.service")
	done
	[ "${#services[@]}" -gt 0 ] && [ ! -e "$policy" ] || return 0
	policy_made=1
	printf '#!/bin/sh\nexit 101\n' | as_root sh -c "cat >$policy; chmod 755 $policy"
}

release_services() {
	[ -z "$policy_made" ] || as_root rm -f "$policy"
	[ "${#services[@]}" -eq 0 ] || ! command -v systemctl >/dev/null ||
		as_root systemctl -q disable "${services[@]}" >/dev/null 2>&1
	return 0
}

install() {
	apt -y --no-install-recommends -o Dpkg::Options::=--force-confold install "${missing[@]}"
}

# The index may be absent or old: look first, then refresh it once.
log=$build/log/packages.log
unknown() {
	apt-cache madison "${missing[@]}" 2>/dev/null | awk '{ print $1 }' | sort -u |
		comm -13 - <(printf '%s\n' "${missing[@]}" | sort)
}
[ ${#root[@]} -eq 0 ] || sudo -v || die "sudo was refused"
step "apt-get update" "$log" apt update || exit 1
bad=$(unknown | paste -sd ' ')
[ -z "$bad" ] ||
	die "apt knows no package $bad (Debian 12 with its security updates has them all)"
hold_services
trap release_services EXIT
step "apt-get install" "$log" install || exit 1
