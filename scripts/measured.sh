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
		# What came out

		All figures and tables of the papers behind four algorithms, and [other pages](#other-pages): what the paper claims, how it is run here, what comes out, and whether that is the same. [papers.md](../guide/papers.md) says how to run one yourself.

		| paper | same | same order | not | cannot | not run | of |
		| --- | ---: | ---: | ---: | ---: | ---: | ---: |
	END
	"$lab" paper -j | jq -r '["same", "same order", "not", "cannot", "not run"] as $v
		| def row($name): map(select(.no_results | not)) as $f
			| "| \($name) | \($v | map(. as $x | $f | map(select(.verdict == $x)) | length | tostring) | join(" | ")) | \($f | length) |";
		(group_by(.paper)[] | row("[\(.[0].paper)](\(.[0].paper).md)")), row("all")'
	cat <<-END

		Drawings, lists of symbols and other figures without results do not count.

		| verdict | |
		| --- | --- |
		| same | What the paper claims comes out here, with its numbers, within the bounds that the page gives |
		| same order | The numbers differ, but who is ahead of whom, and what is large and what small, is as in the paper |
		| not | That differs, too. The page says what was tried |
		| cannot | It cannot be run, for the reason that the page gives: rules or inputs are not public, or there is nothing to run |
		| not run | Nobody has run it, or its results were not kept |

		## How to read a page
		The first table lists the figures. *Form* is \`full\` for the paper's size, \`reduced\` for a smaller run; how it differs stands below. Under each figure:

		- *The paper*: its claim, with the section.
		- *Inferred*: what the paper does not say and was assumed.
		- Tables: a row for each algorithm, as \`lab run --cc\` names it. In rows with ", paper" are the paper's numbers. In brackets are the smallest and the largest over the seeds. Runs are in virtual time, so everybody gets the same digits.
		- *For same*, *For same order*, *Checked besides*: the rules that make the verdict, each with the reason for its bound. **Does not hold** stands before those that fail.
		- *Tried*: what was changed in search of a paper's result that does not come out.

		## What may be believed
		| about | what to know |
		| --- | --- |
		| what is real | The hosts' transport: Linux's soft-RoCE with go-back-N, patched ([the changes](../../drivers/infiniband/sw/rxe_cc/rxe/README)), and the algorithms' kernel modules |
		| what is a model | The links and ports, with shared buffer, PFC and ECN ([rules](../reference/qdisc.md#the-model)): a port sends a packet on when it has arrived completely, and forwarding takes no time of its own. Processors of hosts take no time, unless [they are made to](../guide/programs.md#what-it-costs-a-host) |
		| how exact time is | A packet alone takes what links and ports add up to, to some nanoseconds (\`lab/latency.sh\`, \`lab/ideal_completion_time.sh\`); the same seed gives the same bytes (\`lab/determinism.sh\`) |
		| what it was compared with | The simulator of HPCC's paper ([differences](results.md#beside-a-simulator-at-10-gbits)), real time and guests ([real-time.md](real-time.md)), independent models of the algorithms ([models.md](../devel/algorithms/models.md) and the pages beside it). No NIC ([what to expect](../guide/vms.md#beside-hardware-nics)) |
		| one seed | is one draw. Run several (\`lab sweep --seed 1-10\`): tables then have [ranges and 95 % intervals](../guide/report.md#what-it-prints) |
		| a short run | The network is empty at its start and its end: [what counts](../guide/workloads.md#warm-up-and-cool-down) |
		| a comparison | depends on the baseline: [three presets of dcqcn](algorithms.md#dcqcn) differ by more than many gains. Figures of papers have the form \`ns3\` beside ours |
		| a single table | The notes below it say what makes it misleading. *Checked by* names the test that fails if a statement is not true; what is *observed* no test asserts |

		## Other pages
		| page | what came out |
		| --- | --- |
		| [results.md](results.md) | joins, incasts, what telemetry costs; beside a simulator |
		| [workloads.md](workloads.md) | slowdown by flow size on 320 hosts; queue pairs; scenario \`mix\` |
		| [algorithms.md](algorithms.md) | what single algorithms do: dctcp, nscc, powertcp, swift, lscc, hpccstar |
		| [compare.md](compare.md) | all algorithms over a fixed set of runs |
		| [coexistence.md](coexistence.md) | two algorithms in one network |
		| [collectives.md](collectives.md) | completion times of collective operations |
		| [failures.md](failures.md) | links that fail or lose packets |
		| [latency.md](latency.md) | small messages beside an incast |
		| [real-time.md](real-time.md) | guests and real time beside virtual time |
	END
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
	# The directory has other pages, too.
	rc=0
	for page in $({ (cd "$tmp" && ls); (cd "$dir" && grep -l '^<!-- Made by scripts/measured.sh ' -- *.md); } | sort -u); do
		diff -uN "$dir/$page" "$tmp/$page" || rc=1
	done
	exit $rc
fi
mkdir -p "$dir" && cp "$tmp"/*.md "$dir/"
