# SPDX-License-Identifier: GPL-2.0
# What the expressions of a paper's figures may use, and how a figure is judged.
# Documentation/guide/papers.md explains it.

# Of lists of numbers. Percentiles are by nearest rank, as everywhere in the lab.
def percentile($p): sort | if length == 0 then null else .[[(length * $p / 100 | ceil) - 1, 0] | max] end;
def mean: if length == 0 then null else add / length end;
def jain: if length == 0 or add == 0 then null else (add * add) / (length * (map(. * .) | add)) end;
def median: sort | length as $n
	| if $n == 0 then null elif $n % 2 == 1 then .[($n - 1) / 2] else (.[$n / 2 - 1] + .[$n / 2]) / 2 end;

# With $n significant digits.
def significant($n): if . == 0 then . else (fabs | log10 | floor) as $e
	| if $e < $n then pow(10; $n - 1 - $e) as $s | (. * $s | round) / $s
	  else pow(10; $e - $n + 1) as $s | (. / $s | round) * $s end end;

# Each run: rows of rates.csv, queues.csv and so on whose sample lies in from < t <= to.
def between($rows; $from; $to): $rows[] | select(.t_ns > $from and .t_ns <= $to);

# The smallest mean goodput over any whole time of $bin ns from $from on; rows are of one flow.
def smallest_over($rows; $from; $bin): ($rows | length) as $n
	| (reduce range(1; $n) as $i ([0]; . + [.[-1] + $rows[$i].goodput_bps * ($rows[$i].t_ns - $rows[$i - 1].t_ns)])) as $bits
	| reduce range(0; $n) as $i ({ k: 0, least: null }; if $rows[$i].t_ns < $from then . else
		.k = first((range([.k, $i] | max; $n) | select($rows[.].t_ns - $rows[$i].t_ns >= $bin)), $n)
		| if .k < $n then .least = ([.least, ($bits[.k] - $bits[$i]) / ($rows[.k].t_ns - $rows[$i].t_ns)] | map(select(. != null)) | min)
		  else . end end) | .least;

# An algorithm is meant by its name where no item of --cc is just that.
def item($all; $who): [$all | keys_unsorted[] | split(" ")[0]] | if index([$who]) then $who
	else map(select(startswith($who + ":")))[0] // $who end;

# Rules and derived measures see { ours, paper }: measure, series, place -> number.
def v($m; $s; $x): (.ours[$m] // {}) as $all | $all[item($all; $s)][$x] | if . == null then error("no \($m) of \($s) at \($x)") else . end;
def v($m; $s): v($m; $s; "");
def p($m; $s; $x): .paper[$m][$s][$x] | if . == null then error("the paper has no \($m) of \($s) at \($x)") else . end;
def p($m; $s): p($m; $s; "");
# Over the seeds: the smallest and the largest.
def of_seeds($m; $s; $x; $k): .digits[$m][$s][$x] | if type == "array" then .[$k] else . end
	| if . == null then error("no \($m) of \($s) at \($x)") else . end;
def least($m; $s; $x): of_seeds($m; $s; $x; 1);
def least($m; $s): least($m; $s; "");
def most($m; $s; $x): of_seeds($m; $s; $x; 2);
def most($m; $s): most($m; $s; "");
def near($a; $b; $share): (($a - $b) | fabs) <= $share * ($b | fabs);

# Each place of a measure that the paper and we have: { s, x, ours, paper }.
def both($m): . as $t | (.paper[$m] // {}) | to_entries[] | .key as $s | .value | to_entries[]
	| select(.value | type == "number") | { s: $s, x: .key, paper: .value, ours: $t.ours[$m][$s][.key] }
	| select(.ours != null);

# Is each within a share of the paper's number, or within so much of it, whichever is more?
def within($m; $share; $much): [both($m)]
	| length > 0 and all((.ours - .paper | fabs) <= ([$share * (.paper | fabs), $much] | max));

# Where two series of the paper differ by more than a share of the larger one, do ours differ in
# the same direction?
def ordered($m; $share): [both($m)] | group_by(.x) | map(. as $c | $c[] as $a | $c[] as $b
		| select($a.paper < $b.paper - $share * ($b.paper | fabs)) | $a.ours < $b.ours)
	| length > 0 and all;

# How much lower a measure is for one algorithm than for each other one, in per cent, place by place;
# swept keys are the same.
def gain($m; $name): .ours[$m] as $all | item($all; $name) as $who
	| $all | to_entries | map((.key | split(" ")) as $w | select($w[0] != $who)
		| .key as $s | ([$who] + $w[1:] | join(" ")) as $mine
		| { key: $s, value: (.value | with_entries(select(.value != 0) | .value = 100 * (1 - $all[$mine][.key] / .value))) }) | from_entries;

# The same of some algorithms, a list; is it lower than for all of these?
def gains($m; $who; $others): .ours[$m] as $all | ($others | map(item($all; .))) as $items
	| [gain($m; $who) | to_entries[] | select((.key | split(" ")[0]) as $s | $items | index([$s])) | .value[]];
def below($m; $who; $others): gains($m; $who; $others) | length > 0 and all(. > 0);

# The key that goes along the axis, where it is swept.
def x_key: .x | if type == "string" then . else null end;

# A value of a measure: a number; a list, in the order of the measure's places; or an object,
# place -> number. Comes out as { x, v }.
def places($m): if type == "array" then to_entries[] | { x: ($m.x[.key] // (.key | tostring)), v: .value }
	elif type == "object" then to_entries[] | { x: .key, v: .value }
	else { x: "", v: . } end | select(.v != null);

# A run: its algorithm and the swept keys that are not along the axis.
def series($m): ($m | x_key) as $k | [.cc] + [.point | to_entries[] | select(.key != $k) | "\(.key)=\(.value)"]
	| join(" ");

def cells($m; $value): . as $r | series($m) as $s | $value
	| if . == null then empty
	  elif ($m | x_key) then { s: $s, x: ($r.point[$m.x] // $r.settings[$m.x]), v: . }
	  else { s: $s } + places($m) end;

# Of each seed: measure, series, place -> number.
def tables: .figure.measures as $ms | (.rows // []) | group_by(.seed) | map(
	reduce (.[] as $r | range($ms | length) as $k | $r | cells($ms[$k]; $r.values[$k]) | .m = $ms[$k].name)
		as $c ({}; .[$c.m][$c.s][$c.x] = $c.v));

def paper_table: reduce (.figure.measures[] as $m | ($m.paper // {}) | to_entries[] | .key as $s | .value
	| places($m) | .s = $s | .m = $m.name) as $c ({}; .[$c.m][$c.s][$c.x] = $c.v);

# An answer is made in steps: begin, derive for each derived measure, sum_up, rule for each rule,
# answer.
def begin: { q: ., paper: paper_table, tables: tables };

def derive($k; f): .q.figure.measures[$k] as $m | .paper as $paper | .tables |= map(
	({ ours: ., paper: $paper } | f) as $value
	| reduce ($value | to_entries[] | .key as $s | .value | places($m) | .s = $s) as $c
		(.; .[$m.name][$c.s][$c.x] = $c.v));

# Over the seeds: a number, or [median, smallest, largest].
def spread($n): if length == 1 then .[0] | significant($n) else [median, min, max] | map(significant($n))
	| if .[1] == .[2] then .[0] else . end end;

def sum_up: (.q.figure.measures | map({ key: .name, value: (.digits // 4) }) | from_entries) as $digits
	| .digits = if .q.rows == null then .q.stored else
		(reduce (.tables[] | . as $t | paths(numbers) | { p: ., v: (. as $p | $t | getpath($p)) }) as $c
			({}; setpath($c.p; getpath($c.p) + [$c.v])))
		| with_entries(.key as $m | .value |= map_values(map_values(spread($digits[$m]))))
	  end
	| .ours = if .digits == null then null else
		.digits | map_values(map_values(map_values(if type == "array" then .[0] else . end))) end;

# A rule holds for all forms, or for those that it names.
def rule($kind; $k; f): (if $kind == "check" then .q.figure.checks else .q.figure.verdict[$kind] end)[$k] as $r
	| .q.form as $form
	| if .ours == null or ($r.forms != null and ($r.forms | index([$form]) == null)) then . else
		({ ours, paper, digits } | try { holds: (f == true) } catch { holds: false, error: tostring }) as $is
		| .rules += [{ kind: $kind, says: $r.says, why: $r.why } + $is]
	  end;

def verdict: (.rules // []) as $r | ($r | map(select(.kind == "same"))) as $same
	| ($r | map(select(.kind == "order"))) as $order
	| if .q.figure.cannot then "cannot"
	  elif .q.figure.no_results then "no results"
	  elif .ours == null then "not run"
	  elif ($same | length) > 0 and ($same + $order | all(.holds)) then "same"
	  elif ($order | length) > 0 and ($order | all(.holds)) then "same order"
	  else "not" end;

# Places of the paper's that we do not have are there, too.
def shown($m; $paper; $digits): ($digits[$m.name] // {}) as $d | ($paper[$m.name] // {}) as $p
	| ($d | keys_unsorted) + (($p | keys_unsorted) - ($d | keys_unsorted)) | map(. as $s
		| { series: $s, cells: (($p[$s] // {} | keys_unsorted) as $px | ($d[$s] // {} | keys_unsorted) as $dx
			| ($dx + ($px - $dx)) | map(. as $x | $d[$s][$x] as $o | { x: $x }
				+ (if $o == null then {} elif ($o | type) == "array" then
					{ ours: $o[0], min: $o[1], max: $o[2] } else { ours: $o } end)
				+ (if $p[$s][$x] == null then {} else { paper: $p[$s][$x] } end))) });

def answer: . as $a | .q as $q | $q.figure as $f | ($f.forms // {})[$q.form // ""] as $form
	| { paper: $q.paper, figure: $f.figure, title: $f.title, section: $f.section, claim: $f.claim,
	    cannot: $f.cannot, no_results: $f.no_results, inferred: $f.inferred, tried: $f.tried,
	    form: $q.form, differs: $form.differs, seconds: $form.seconds,
	    verdict: verdict,
	    measures: [($f.measures // [])[] as $m
		| { name: $m.name, label: $m.label, unit: $m.unit, places: ($m.along // ($m | x_key) | if . == "" then null else . end),
		    series: shown($m; $a.paper; $a.digits // {}) } | with_entries(select(.value != null))],
	    rules: (.rules // []), digits: .digits,
	    changed: (if $q.rows == null or $q.stored == null then null else
		.digits as $d | [([$d, $q.stored | paths(scalars)] | unique)[] as $p
			| select(($d | try getpath($p) catch null) != ($q.stored | try getpath($p) catch null))
			| $p | map(tostring) | join(" ")] end) }
	| with_entries(select(.value != null));
