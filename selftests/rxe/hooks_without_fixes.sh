#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the hooks fit an rxe that has our fixes itself (RXE_FIXES_LEAVE_OUT): they apply and
#   compile without all of them; `FULL=1`: without each one, too
set -u
# shellcheck source=selftests/lib/rxe_lib.sh
. "$(dirname "$0")/../lib/rxe_lib.sh"

hooks=$RXE_CC_TOP/drivers/infiniband/sw/rxe_cc/rxe
stock=$RXE_CC_BUILD/ksrc/drivers/infiniband/sw/rxe
rxe=$RXE_CC_BUILD/selftests/rxe-left-out

# without FIX...: builds, and the files say that they are not in
without() { build_rxe "$stock" "$rxe" "$hooks/apply.sh" --leave-out "$*" && says_so "$@"; }
says_so() {
	local fix
	for fix; do
		fix=${fix#*-}
		! grep -qx "#define RXE_FIX_$(tr a-z- A-Z_ <<<"$fix")" "$rxe/rxe_fixes.h" || return
	done
}

[ -e "$RXE_CC_BUILD/uml-lab/mod/Module.symvers" ] || ktap_skip_all "the modules are not built"
command -v spatch >/dev/null || ktap_skip_all "no spatch"
mapfile -t fixes < <(cd "$hooks/fixes" && ls -dv -- *-*)
ktap_print_header
ktap_check "${#fixes[@]} fixes" [ "${#fixes[@]}" -gt 0 ]
ktap_check "without all of them" without "${fixes[@]}"
ktap_check "with none of their files" [ ! -e "$rxe/rxe_netns.c" ]
if [ -n "${FULL:-}" ]; then
	for fix in "${fixes[@]}"; do ktap_check "without $fix" without "$fix"; done
fi
rm -rf "$rxe"
ktap_finished
