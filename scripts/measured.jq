# SPDX-License-Identifier: GPL-2.0
# Makes a page of Documentation/measured of what "lab paper PAPER -j" prints.
# Arguments: $doc, the paper's file; $ns3, the same with "--form ns3".

def cell: if . == null then "" else tostring | gsub("\\|"; "\\|") end;
def row: "| " + (map(cell) | join(" | ")) + " |";
def name: (if .figure[0:1] == "T" then "Table \(.figure[1:])" else "Fig. \(.figure)" end);
def head: "\(name): \(.title)";
def anchor: head | ascii_downcase | gsub("[^a-z0-9 _-]"; "") | gsub(" "; "-");

# Pages that a sentence names become links.
def linked: gsub("Documentation/(?<page>[a-z/]+)\\.md"; "[\(.page).md](../\(.page).md)");

# How to make the runs of a form that takes long
def how_long: .forms.full as $full | if $full.long | not then ""
	elif $full.runs_of then ", in the paper's size with `--full`, from the runs of \({ figure: $full.runs_of } | name)"
	else ", in the paper's size with `--full`: about \($full.seconds) s on two processors" end;

# An expression that found no such moment gives 1e9.
def range: if .ours == 1e9 then "never" elif .min == null then .ours else "\(.ours) (\(.min) - \(.max))" end;

# Ours may have fewer places than the paper, which would stand behind them: numbers go up.
def in_order: if all(.[]; test("^[0-9.]+$")) then sort_by(tonumber) else . end;

# Places across; a row of ours for each series, below it the paper's where it has any.
def table: .series as $all
	| (reduce ($all[].cells[].x) as $x ([]; if index([$x]) then . else . + [$x] end) | in_order) as $xs
	| ([.places // ""] + $xs | row), ("| --- |" + ($xs | map(" ---: |") | join(""))),
	  ($all[] | .series as $s | (.cells | map({ key: .x, value: . }) | from_entries) as $c
		| (if any(.cells[]; .ours != null) then [$s] + ($xs | map($c[.] // {} | range)) | row else empty end),
		  (if any(.cells[]; .paper != null) then ["\($s), paper"] + ($xs | map($c[.].paper)) | row else empty end));

def measure: "", "\(.label)\(if .unit then ", " + .unit else "" end):", "", table;

def rule: "- \(if .holds then "" else "**does not hold**: " end)\(.says)\(if .why != "" then " (\(.why))" else "" end)";

def rules($kind; $head): [.rules[] | select(.kind == $kind)] | if length > 0 then "", $head, "", (.[] | rule) else empty end;

def figure($doc): . as $f | ($doc.figures[] | select(.figure == $f.figure)) as $entry | "",
	"## \(head)", "",
	(if .no_results then "No result of runs: \(.no_results | linked)"
	 elif .cannot then "**Cannot.** \(.cannot | linked)"
	 else "**\(.verdict | (.[0:1] | ascii_upcase) + .[1:])**\(if .digits then ", \(if .form == "full" then "in the paper's size" else "reduced: \(.differs)" end)" else "" end). `lab paper \(.paper):\(.figure)`\($entry | how_long).",
		"", "The paper (\(.section)): \(.claim)",
		(if .inferred then "", (.inferred[] | "- Inferred: \(.)") else empty end),
		(if .digits then .measures[] | select(.series | length > 0) | measure else empty end),
		($ns3[0][] | select(.figure == $f.figure and .form == "ns3" and .digits) | "",
			"With the configuration of the public simulator (`--form ns3`: \(.differs)): **\(.verdict)**.",
			(.measures[] | select(.series | length > 0) | measure)),
		rules("same"; "For *same*:"), rules("order"; "For *same order*:"), rules("check"; "Checked besides:"),
		(if .tried then "", "Tried: \(.tried | linked)" else empty end)
	 end);

.  as $answers
| "<!-- SPDX-License-Identifier: GPL-2.0 -->",
  "<!-- Made by scripts/measured.sh from tools/lab/papers: change that, not this. -->",
  "# Figures of \($doc.paper)", "",
  "\($doc.title). \($doc.published | rtrimstr(".")).", "",
  "[\($doc.paper)](../algorithms/\($doc.paper).md) says what the algorithm does, [README.md](README.md) how to read this page, [papers.md](../guide/papers.md) how to run a figure.",
  (if $doc.inferred then "", ($doc.inferred[] | "- Inferred: \(.)") else empty end), "",
  "| | verdict | form | |", "| --- | --- | --- | --- |",
  ($answers[] | "| [\(name)](#\(anchor)) | \(.verdict) | \(if .digits then .form else "" end) | \(.title) |"),
  ($answers[] | figure($doc))
