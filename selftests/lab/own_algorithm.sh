#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: an algorithm outside of the tree: `lab build`, `lab check`, `--module` in `lab run`, `lab sweep` and
#   `lab replay`; conformance finds broken ones; what is refused, a line each
. "$(dirname "$0")/../lib/lab_lib.sh"

work=$LAB_OUT/work
ko=$work/rxe_cc_sawtooth.ko
export RXE_CC_CACHE=$LAB_OUT/cache
mkdir -p "$RXE_CC_CACHE"

# to STATUS COMMAND...: what it prints in $LAB_OUT/out
to() {
	local want=$1 rc=0
	shift
	"$@" >"$LAB_OUT/out" 2>&1 </dev/null || rc=$?
	[ "$rc" -eq "$want" ] || { echo "$*: exit status $rc, not $want"; cat "$LAB_OUT/out"; return 1; }
}
# refused STATUS TEXT COMMAND...: in one line
refused() {
	local status=$1 text=$2
	shift 2
	to "$status" "$@" || return 1
	[ "$(wc -l <"$LAB_OUT/out")" -eq 1 ] && grep -qF -- "$text" "$LAB_OUT/out" || { cat "$LAB_OUT/out"; return 1; }
}
# changed NAME SED-PROGRAM: work/NAME has the example, changed
changed() {
	mkdir -p "$LAB_OUT/$1"
	sed "$2" "$work/cc_sawtooth.c" >"$LAB_OUT/$1/cc_sawtooth.c" &&
		! cmp -s "$LAB_OUT/$1/cc_sawtooth.c" "$work/cc_sawtooth.c"
}

builds() {
	to 0 "$LAB" build --new sawtooth "$work" && to 0 "$LAB" build "$work" && [ -s "$ko" ] &&
		to 0 "$LAB" check "$ko" && grep -qx '[0-9]* passed, 0 failed, 0 skipped' "$LAB_OUT/out" &&
		refused 2 "is there already" "$LAB" build --new sawtooth "$work"
}
ktap_print_header
ktap_check "the example of the page is compiled and passes" builds

# It is the template under another name: the same results, byte for byte.
runs() {
	local f d=$LAB_OUT/r/four
	lab_run four --module "$ko" --cc hpcc,sawtooth,template --set size=2mb || return 1
	for f in flows rates queues; do
		cmp "$d"/{sawtooth,template}/seed1/$f.csv || return 1
	done
	[ "$(lab_get four/sawtooth/1 .module_hash)" != null ] && [ "$(lab_get four/template/1 .module_hash)" = null ] &&
		to 0 "$LAB" report "$LAB_OUT/r" && [ -s "$LAB_OUT/r/report/index.html" ] &&
		[ -s "$LAB_OUT/r/report/four_cwnd.png" ]
}
ktap_check "it runs beside the lab's, with the results of the template" runs

# The command in run.json makes the run again.
again() {
	local words
	mapfile -t words < <(jq -r '.command[1:][]' "$LAB_OUT/r/four/sawtooth/seed1/run.json")
	to 0 "$LAB" "${words[@]}" --out "$LAB_OUT/again" &&
		cmp "$LAB_OUT"/{r,again}/four/sawtooth/seed1/flows.csv
}
ktap_check "the command of its results repeats them" again

sweeps() {
	to 0 "$LAB" sweep four --module "$ko" --cc sawtooth,template --seed 1,2 --set size=200kb --out "$LAB_OUT/s" -q &&
		to 0 "$LAB" sweep four --module "$ko" --cc sawtooth,template --seed 1,2 --set size=200kb --out "$LAB_OUT/s" &&
		cmp "$LAB_OUT"/s/four/{sawtooth,template}/seed2/flows.csv
}
if command -v parallel >/dev/null; then
	ktap_check "lab sweep takes it, and goes on" sweeps
else
	ktap_test_skip "lab sweep takes it, and goes on" "needs parallel"
fi

replays() {
	lab_run four --module "$ko" --cc sawtooth --set size=200kb --set rate=10gbit --events --force &&
		to 0 "$LAB" replay --module "$ko" --cc sawtooth --in "$LAB_OUT/r/four/sawtooth/seed1/events.csv" --out "$LAB_OUT/e.csv"
}
ktap_check "a recording of it, replayed, gives the same decisions" replays

# broken NAME SED-PROGRAM TEXT: it compiles, and conformance does not take it
broken() {
	changed "$1" "$2" && to 0 "$LAB" build "$LAB_OUT/$1" && to 1 "$LAB" check "$LAB_OUT/$1/rxe_cc_sawtooth.ko" &&
		grep -qF "$3" "$LAB_OUT/out" || { cat "$LAB_OUT/out"; return 1; }
}
# A timer at line rate, too; a write behind the states of sender and receiver; a null pointer.
finds() {
	broken timer 's/if (flow->rate_bps < flow->line_rate_bps)/if (flow->rate_bps)/' "FAIL conf__idle" &&
		broken state 's/st->cuts++;/st->cuts++; (\&st->cuts)[2] = 1;/' "FAIL conf__" &&
		broken null 's/st->cuts++;/st->cuts++; *(volatile u64 *)(st->cuts == 3 ? NULL : st) = 0;/' "in sawtooth_on_cnp+0x"
}
ktap_check "conformance finds a timer of an idle flow, a write behind the state, a null pointer" finds

# An on_ack that the template has not, with SED-PROGRAM's TEXT in it.
acks() {
	broken "$1" "s/^static unsigned int sawtooth_dump/static void sawtooth_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)\\n{\\n$2\\n}\\n\\n&/; s/^\t.on_cnp\t/\t.on_ack\t\t= sawtooth_on_ack,\\n&/" "$3"
}
# A rate below 0; a division where the round trip is the parameter.
finds_in_acks() {
	acks below 'flow->rate_bps -= flow->params[SAWTOOTH_STEP];' "defaults: rate_bps went below 0, to -" &&
		acks divide 'if (s->rtt_ns) flow->rate_bps = s->bytes \/ (s->rtt_ns - flow->params[SAWTOOTH_INTERVAL]);' "(division by 0, or its quotient has more than 64 bits)" &&
		grep -q "did not get through conf__" "$LAB_OUT/out"
}
ktap_check "conformance finds a rate below 0, and a division by what is 0 where a round trip equals a parameter" finds_in_acks

says() {
	mkdir -p "$LAB_OUT"/{empty,taken,licence,name,bin,alias} || return 1
	cp "$work/cc_sawtooth.c" "$LAB_OUT/taken/cc_dcqcn.c"
	cp "$work/cc_sawtooth.c" "$LAB_OUT/name/cc_Saw.c"
	changed licence '/^MODULE_LICENSE/d' && changed alias '/^MODULE_ALIAS/d' || return 1
	ln -s "$(command -v make)" "$LAB_OUT/bin/make"
	refused 2 "no algorithm here" "$LAB" build "$LAB_OUT/empty" &&
		refused 2 "No such file" "$LAB" build "$LAB_OUT/nowhere" &&
		refused 2 "the lab has an algorithm \"dcqcn\"" "$LAB" build "$LAB_OUT/taken" &&
		refused 2 "lower case letters" "$LAB" build "$LAB_OUT/name" &&
		refused 1 "no compiler: gcc is not in the PATH" env PATH="$LAB_OUT/bin" "$RXE_CC_BUILD/bin/lab" build "$work" &&
		refused 1 "MODULE_LICENSE(\"GPL\") is missing" "$LAB" build "$LAB_OUT/licence" &&
		refused 2 "--module needs a cache" env -u HOME -u RXE_CC_CACHE "$RXE_CC_BUILD/bin/lab" run two --module "$work/rxe_cc_sawtooth.ko" --cc sawtooth &&
		refused 2 "not a kernel module" "$LAB" run two --module "$work/cc_sawtooth.c" --cc sawtooth &&
		refused 2 "the lab has an algorithm \"hpcc\"" "$LAB" run two --module "$RXE_CC_BUILD/uml-lab/rxe_cc_hpcc.ko" --cc hpcc &&
		refused 1 "MODULE_ALIAS_RXE_CC(\"sawtooth\") is missing" "$LAB" build "$LAB_OUT/alias"
}
ktap_check "no source, no compiler, no licence, no alias, a name that is taken: a line each" says

# The name is in three places, a default must be in its range, and the kernel has no floating point.
mistakes() {
	changed other 's/^MODULE_ALIAS_RXE_CC("sawtooth")/MODULE_ALIAS_RXE_CC("other")/' &&
		changed ops 's/\.name\([[:space:]]*\)= "sawtooth"/.name\1= "other"/' &&
		changed range 's/1000, 1000000000, 50000,/1000, 1000, 50000,/' &&
		changed float 's,flow->rate_bps /= 2;,flow->rate_bps = flow->rate_bps * 0.5;,' || return 1
	refused 1 "must have the file's name, \"sawtooth\"" "$LAB" build "$LAB_OUT/other" &&
		refused 1 "no floating point" "$LAB" build "$LAB_OUT/float" &&
		to 0 "$LAB" build "$LAB_OUT/ops" && to 0 "$LAB" build "$LAB_OUT/range" &&
		to 1 "$LAB" check "$LAB_OUT/ops/rxe_cc_sawtooth.ko" && grep -qF 'no algorithm "sawtooth": .name' "$LAB_OUT/out" &&
		refused 1 "sawtooth: parameter 1" "$LAB" check "$LAB_OUT/range/rxe_cc_sawtooth.ko"
}
ktap_check "a wrong name, a default out of its range, floating point: the place of the mistake" mistakes

lists() {
	to 0 "$LAB" list --module "$ko" sawtooth && grep -q "rate added in each interval" "$LAB_OUT/out" &&
		to 2 "$LAB" list sawtooth
}
ktap_check "lab list shows its parameters" lists

# Of a kernel and of a core that are not the lab's, in the places of those.
others() {
	local core
	core=$(modinfo -F srcversion "$RXE_CC_BUILD/uml-lab/rxe_cc.ko")
	sed "s/^\\(.*vermagic=\\)6/\\15/; s/\\(vermagic=\\)6/\\15/" "$ko" >"$LAB_OUT/kernel.ko"
	sed "s/rxe_cc_core=$core/rxe_cc_core=$(tr '0-9A-F' '1-9A-F0' <<<"$core")/" "$ko" >"$LAB_OUT/core.ko"
	refused 2 'built for kernel "5' "$LAB" run two --module "$LAB_OUT/kernel.ko" --cc sawtooth &&
		refused 2 "built for another version of rxe_cc" "$LAB" run two --module "$LAB_OUT/core.ko" --cc sawtooth &&
		refused 1 "results of another module" "$LAB" run four --module "$LAB_OUT/timer/rxe_cc_sawtooth.ko" \
			--cc sawtooth --set size=200kb --set rate=10gbit --out "$LAB_OUT/r"
}
if command -v modinfo >/dev/null; then
	ktap_check "modules of another kernel, of another core, and results of another module" others
else
	ktap_test_skip "modules of another kernel, of another core, and results of another module" "needs modinfo"
fi
ktap_finished
