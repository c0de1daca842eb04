#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: `scripts/check.sh` on a made-up tree; the version of every module
#
# scripts/check.sh on a made-up tree: what it finds, says and counts. And that our own
# modules say their version.
. "$(dirname "$0")/../lib/ktap_helpers.sh"

tmp=$(mktemp -d) && out=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp" "$out"' EXIT

tree() {
	mkdir -p "$tmp/scripts" "$tmp/Documentation/images" &&
		cp "$RXE_CC_TOP"/scripts/{check.sh,common.sh} "$tmp/scripts/" &&
		printf '#!/bin/bash\n# SPDX-License-Identifier: GPL-2.0\necho /nowhere\n' >"$tmp/scripts/kernel.sh" &&
		chmod +x "$tmp/scripts/kernel.sh" &&
		printf '// SPDX-License-Identifier: GPL-2.0\nint x;\n' >"$tmp/good.c" &&
		printf '{}\n' >"$tmp/data.json" &&
		printf '<!-- SPDX-License-Identifier: GPL-2.0 -->\n![](images/used.png)\n' \
			>"$tmp/Documentation/page.md" &&
		cp "$tmp/Documentation/page.md" "$tmp/README.md" && : >"$tmp/Documentation/images/used.png"
}

# check STATUS ARGUMENT...: its output is in $out
check() {
	local want=$1 rc=0
	shift
	"$tmp/scripts/check.sh" --totals "$out/totals" "$@" >"$out/said" 2>&1 || rc=$?
	[ "$rc" -eq "$want" ] || { echo "status $rc"; cat "$out/said"; return 1; }
}

said() {
	grep -qF -- "$1" "$out/said" || { echo "not said: $1"; cat "$out/said"; return 1; }
}

clean() {
	tree && check 0 spdx stray && said "check 1 of 2: spdx" && said "check 2 of 2: stray" &&
		[ "$(cat "$out/totals")" = "2 0 0" ]
}

no_spdx() {
	printf '\n\n\n// SPDX-License-Identifier: GPL-2.0\n' >"$tmp/late.c"
	printf 'int y;\n' >"$tmp/none.c"
	check 1 spdx stray && said "late.c: no SPDX line" && said "none.c: no SPDX line" &&
		! grep -q "good.c\|data.json" "$out/said" &&
		[ "$(cat "$out/totals")" = "1 1 0" ] && rm "$tmp/late.c" "$tmp/none.c"
}

stray() {
	: >"$tmp/Documentation/images/unused.png"
	check 1 stray && said "images/unused.png: on no page" && ! grep -q "/used.png" "$out/said"
}

names() {
	printf '# SPDX-License-Identifier: GPL-2.0\n# As there.sh and gone.sh, cc_gone.c and rxe_comp.c.\n' >"$tmp/there.sh"
	check 1 names && said "there.sh:2: there is no gone.sh" && said "there.sh:2: there is no cc_gone.c" &&
		! grep -q "no there.sh\|no rxe_comp.c" "$out/said" && rm "$tmp/there.sh"
}

unknown() {
	check 2 spdy && said 'unknown check "spdy"'
}

# What takes long says so: the progress line of a step that is no terminal's.
progress() {
	bash -c '. "$0/scripts/common.sh"; step "check 1 of 1: slow" "$1/slow" sleep 6' \
		"$RXE_CC_TOP" "$out" | grep -q 'check 1 of 1: slow \.\.\. [5-9] s'
}

versions() {
	local v m got
	v=$(sed -n 's/^#define RXE_CC_VERSION\t"\(.*\)"$/\1/p' "$RXE_CC_TOP/include/rxe_cc/version.h")
	for m in "$RXE_CC_BUILD"/uml-lab/*.ko; do
		got=$(modinfo -F version "$m")
		[ "$got" = "$v" ] || { echo "${m##*/}: version \"$got\", not $v"; return 1; }
	done
}

ktap_print_header
ktap_check "a clean tree: what is checked, and how many" clean
ktap_check "no SPDX line in the first three: named" no_spdx
ktap_check "a picture on no page: named" stray
ktap_check "a file that is named and not there: named" names
ktap_check "an unknown check: status 2" unknown
ktap_check "progress of what takes more than 5 s" progress
if [ -e "$RXE_CC_BUILD/uml-lab/rxe_cc.ko" ]; then
	ktap_check "version.h: the version of every module" versions
else
	ktap_test_skip "version of every module" "the lab is not built (make lab)"
fi
ktap_finished
