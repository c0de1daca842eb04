#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the rules that patch rxe refuse what they do not know; all of them fit Linux 7.3, too
#
# apply.sh, which patches rxe: what it does to a good copy, and what it says when
# something does not fit. What it does to the rxe of a later kernel, one of the archive's, which
# is kept in the cache.
set -u
# shellcheck source=selftests/lib/ktap_helpers.sh
. "$(dirname "$0")/../lib/ktap_helpers.sh"
dir=$RXE_CC_TOP/drivers/infiniband/sw/rxe_cc/rxe
stock=$RXE_CC_BUILD/ksrc/drivers/infiniband/sw/rxe

for c in spatch patch; do
	command -v $c >/dev/null || ktap_skip_all "no $c"
done
[ -e "$stock/rxe.c" ] || ktap_skip_all "no kernel source: make kernel"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

fresh() {
	rm -rf "$tmp/rxe" && mkdir "$tmp/rxe" &&
		cp "$stock"/*.[ch] "$stock"/Makefile "$tmp/rxe" &&
		chmod -R u+w "$tmp/rxe"
}

# fails MESSAGE COMMAND...: and the copy stays as it was.
fails() {
	local want=$1 before
	shift
	before=$(cat "$tmp"/rxe/* | cksum)
	! "$@" 2>"$tmp/err" || return 1
	grep -qF -- "$want" "$tmp/err" || { cat "$tmp/err"; return 1; }
	[ "$(cat "$tmp"/rxe/* | cksum)" = "$before" ]
}

broken() { fresh && sed -i "$2" "$tmp/rxe/$1"; }

not() { ! "$@"; }

# later RXE WORD...: that of a later kernel is patched, and has these fixes itself
later() {
	rm -rf "$tmp/rxe" && cp -r "$1" "$tmp/rxe" && "$dir/apply.sh" --report "$tmp/report" "$tmp/rxe" || return
	shift
	cat "$tmp/report"
	grep -qx "has $*" "$tmp/report" && [ ! -e "$tmp/rxe/rxe_netns.c" ] &&
		! grep -qw RXE_FIX_NETNS "$tmp/rxe/rxe_fixes.h" && grep -qw RXE_FIX_NETNS_COUNT "$tmp/rxe/rxe_fixes.h"
}

# A rule that has a third form for the same source as one of the others.
one_form_too_many() {
	cp -r "$dir" "$tmp/rules" && sed 's,rxe_notify,rxe_none,' "$dir/hooks/74-dev-link.cocci" >"$tmp/rules/hooks/74-dev-link.third.cocci" &&
		fails "rule hooks/74-dev-link: 2 of its forms are for this rxe, not one" "$tmp/rules/apply.sh" "$tmp/rxe"
}

ktap_print_header
fresh
ktap_check "a fresh copy" "$dir/apply.sh" "$tmp/rxe"
ktap_check "nothing of stock's is left to do" \
	[ "$(grep -c init_net "$tmp"/rxe/rxe_{net,qp}.c | grep -cv ':0$')" = 0 ]
ktap_check "twice is refused" fails "is patched already" "$dir/apply.sh" "$tmp/rxe"
broken rxe_req.c 's/update_state(qp, &pkt);/update_state(qp, \&pkt, 0);/'
ktap_check "a rule that does not match is named" \
	fails "rule hooks/12-req-sent.cocci: 'rxe_hook_tx_sent(' in rxe_req.c: expected 1, found 0" \
	"$dir/apply.sh" "$tmp/rxe"
broken rxe_verbs.h 's/need_req_skb/need_a_req_skb/'
ktap_check "a patch that does not apply is named" \
	fails "patch hooks/0001-rxe-glue.patch does not apply" "$dir/apply.sh" "$tmp/rxe"
fresh
rm "$tmp/rxe/rxe_comp.c"
ktap_check "a missing file is named" fails "no file rxe_comp.c" "$dir/apply.sh" "$tmp/rxe"
rm "$tmp/rxe/rxe_net.c"
ktap_check "another directory is refused" fails "is no copy of the rxe driver" \
	"$dir/apply.sh" "$tmp/rxe"
fresh
ktap_check "a fix that there is not is named" fails 'no fix "4-none"' "$dir/apply.sh" --leave-out 4-none "$tmp/rxe"
ktap_check "no directory" fails "no directory" "$dir/apply.sh" "$tmp/none"
fresh
ktap_check "a rule with two forms for one source is named" one_form_too_many
fresh
ktap_check "a report" "$dir/apply.sh" --report "$tmp/report" "$tmp/rxe"
# 20-netns-count is for rxe_ns.c, which this kernel has not.
ktap_check "the report names all fixes that concern the kernel, and none that it has" \
	[ "$(sed -n 's/^fixes //p' "$tmp/report" | wc -w) $(grep -cx has "$tmp/report")" = "$(find "$dir/fixes" -mindepth 1 -type d ! -name 20-netns-count | wc -l) 1" ]
ktap_check "not one that mends what it has not" not grep -q netns-count "$tmp/report"
if rxe=$(timeout 300 "$RXE_CC_TOP/scripts/archive.sh" rxe trixie-backports linux-source-7.3 7.3.4-1~bpo13+1 2>"$tmp/err"); then
	ktap_check "Linux 7.3" later "$rxe/drivers/infiniband/sw/rxe" 4-disassociate 5-netns
else
	ktap_test_skip "Linux 7.3" "$(tail -n 1 "$tmp/err")"
fi
ktap_check "--help" "$dir/apply.sh" --help
ktap_finished
