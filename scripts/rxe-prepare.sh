#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Make build/rxe/, or OUT: upstream's rxe from the kernel source, with our hooks.
#   rxe-prepare.sh KERNEL-SOURCE [OUT]
# Does nothing when neither the source nor the hooks have changed. The hooks
# and the check that each of them was applied are in
# drivers/infiniband/sw/rxe_cc/rxe/apply.sh.
# Environment: RXE_FIXES_LEAVE_OUT, fixes of rxe that the source has itself.
set -u
. "$(dirname "$0")/common.sh"
[ $# -eq 1 ] || [ $# -eq 2 ] || { usage >&2; exit 2; }
ksrc=$1
hooks=$top/drivers/infiniband/sw/rxe_cc/rxe
out=${2:-$build/rxe}
[ -f "$ksrc/drivers/infiniband/sw/rxe/rxe_req.c" ] || die "$ksrc has no drivers/infiniband/sw/rxe"
[ -x "$hooks/apply.sh" ] || die "$hooks/apply.sh is missing"

mkdir -p "${out%/*}" || die "cannot write to ${out%/*}"
take 7 "${out%/*}/.${out##*/}.lock" "the patched rxe"
key=$( (cd "$ksrc/drivers/infiniband/sw/rxe" && cat -- *
	cd "$hooks" && find . -type f | sort | xargs cat; echo "${RXE_FIXES_LEAVE_OUT:-}") | sha256sum)
[ "$(cat "$out/.key" 2>/dev/null)" = "$key" ] && exit 0

rm -rf "$out" "$out.tmp"
mkdir -p "$out.tmp"
cp "$ksrc"/drivers/infiniband/sw/rxe/* "$out.tmp"/
TAIL=15 step "patching rxe" "$build/log/rxe-prepare.log" "$hooks/apply.sh" \
	--leave-out "${RXE_FIXES_LEAVE_OUT:-}" --report "$out.tmp/.report" "$out.tmp" || exit 1
echo "$key" >"$out.tmp/.key"
mv "$out.tmp" "$out"
