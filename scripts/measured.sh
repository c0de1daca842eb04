#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Write the pages of Documentation/measured: the figures of papers, with the digits that are kept in
# tools/lab/papers and the verdicts that follow from them.
#   measured.sh [--check]
# --check: change nothing, name the pages that differ; exit 1 if there is one.
# "lab paper PAPER:FIGURE --store" keeps digits.
set -u
. "$(dirname "$0")/common.sh"
check=
options "check" "$@"
dir=${MEASURED_PAGES:-$top/Documentation/measured}
papers=$top/tools/lab/papers
lab=$build/bin/lab
[ -x "$lab" ] || die "the lab is not built (make lab)"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

index() {
	cat <<-END
		<!-- SPDX-License-Identifier: GPL-2.0 -->
		<!-- Made by scripts/measured.sh from tools/lab/papers: change that, not this. -->
		# Figures of papers

		What the papers measure, and what comes out here. [papers.md](../guide/papers.md) says how figures are run and judged.

		| paper | same | same order | not | cannot | not run | of |
		| --- | ---: | ---: | ---: | ---: | ---: | ---: |
	END
	"$lab" paper -j | jq -r 'group_by(.paper)[] | [.[] | select(.no_results | not)] as $f
		| ["same", "same order", "not", "cannot", "not run"] as $v
		| "| [\(.[0].paper)](\(.[0].paper).md) | \($v | map(. as $x | $f | map(select(.verdict == $x)) | length | tostring) | join(" | ")) | \($f | length) |"'
}

index >"$tmp/README.md" || exit 1
for f in "$papers"/*.json; do
	name=$(basename "$f" .json)
	case $name in *.measured) continue ;; esac
	"$lab" paper "$name" -j >"$tmp/answers" || exit 1
	"$lab" paper "$name" --form ns3 -j >"$tmp/ns3" || exit 1
	jq -r --argjson doc "$(cat "$f")" --slurpfile ns3 "$tmp/ns3" -f "$top/scripts/measured.jq" "$tmp/answers" >"$tmp/$name.md" || exit 1
done
rm -f "$tmp/answers" "$tmp/ns3"
if [ -n "$check" ]; then
	diff -ru "$dir" "$tmp" >"$tmp.diff" && rm "$tmp.diff" && exit 0
	cat "$tmp.diff"
	rm "$tmp.diff"
	exit 1
fi
mkdir -p "$dir" && cp "$tmp"/*.md "$dir/"
