#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: the lab as an ordinary user, in a checkout that may only be read
#
# The lab as an ordinary user, in a checkout that somebody else has built and that may
# only be read: results and caches go to the user's own places.
. "$(dirname "$0")/../lib/lab_lib.sh"

command -v setpriv >/dev/null && [ "$(id -u)" -eq 0 ] || ktap_skip_all "needs root and setpriv"
uid=65534
top=$LAB_OUT/checkout
home=$LAB_OUT/home

# What is built here, without links to places that only root may read.
checkout() {
	mkdir -p "$top"/{build/{bin,uml-lab,obj},tools/lab} "$home" &&
		cp -L "$RXE_CC_BUILD"/bin/{lab,labinit,flowgen,rxecc} "$top/build/bin/" &&
		cp -L "$RXE_CC_BUILD"/uml-lab/{linux,commit,*.ko} "$top/build/uml-lab/" &&
		cp "$RXE_CC_BUILD"/obj/*.commit "$top/build/obj/" &&
		cp -r "$RXE_CC_BUILD/tc" "$top/build/" &&
		cp -r "$RXE_CC_TOP/tools/lab/scenarios" "$top/tools/lab/" &&
		rm -f "$top/build/uml-lab/tables.json" && chmod -R a+rX,go-w "$LAB_OUT" &&
		chown "$uid:$uid" "$home" && find "$top" -exec touch -d @1 {} +
}

# user LAB-ARGUMENT...: as the user, in the user's home
user() {
	(cd "$home" && env -u TMPDIR -u RXE_CC_CACHE HOME="$home" \
		setpriv --reuid "$uid" --regid "$uid" --clear-groups -- "$top/build/bin/lab" "$@")
}

runs() {
	user run two --mem 256 --cc timely --param beta=0.5 --set size=64kb --events --out out </dev/null &&
		[ "$(stat -c %u "$home/out/two/timely/seed1/summary.json")" -eq "$uid" ]
}

replays() {
	user replay --cc timely --in out/two/timely/seed1/events.csv --out again.csv </dev/null |
		grep -qx "all as recorded"
}

sweeps() {
	user sweep two --mem 256 --set size=4kb,8kb --out swept --quiet </dev/null &&
		[ "$(find "$home/swept" -name run.json | wc -l)" -eq 2 ]
}

# Root in the lab kernel is the user outside.
shells() {
	local out
	out=$(echo 'id -u; touch there && stat -c %u there; touch '"$top"'/there && echo written' |
		user shell two --mem 256 2>/dev/null) || true
	[ "$(head -n 1 <<<"$out")" = 0 ] && ! grep -q written <<<"$out"
}

keeps_cache() {
	user list dcqcn >/dev/null && [ -s "$home/.cache/rxe-cc/lab-lab-tables.json" ]
}

# Nothing in the checkout is new.
untouched() {
	local new
	new=$(find "$top" -newermt @2)
	[ -z "$new" ] || { echo "$new"; return 1; }
}

ktap_print_header
checkout || ktap_exit_fail_msg "cannot copy the checkout"
ktap_check "run, with parameters and events" runs
ktap_check "replay" replays
ktap_check "sweep" sweeps
ktap_check "shell: root in the lab kernel is the user outside" shells
ktap_check "list: the kernel's tables are in the user's cache" keeps_cache
ktap_check "the checkout is as it was" untouched
ktap_finished
