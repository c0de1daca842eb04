# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# All KUnit suites, once: as scripts/kunit.sh in the lab kernel, here with preemption and
# several processors. Cases that say they are slow are left out: they loop a million times
# in one thread. Takes the time it takes. A case that fails is run three times more, and has
# failed if it does so each time. Suites of the core let time pass and compare to the
# microsecond, which holds in the lab's virtual time: theirs are "late" if they succeed then,
# and if they do not, nothing is known of them ("undecided"): the machine was too busy.
# shellcheck source=tools/qemu/torture/lib.sh
. /t/torture/lib.sh

suites='sch_roce_kunit rxe_cc_kunit rxe_cc_conformance_kunit'
timed=' rxe_cc_ask rxe_cc_cap rxe_cc_counters rxe_cc_owd rxe_cc_peer rxe_cc_profile rxe_cc_report rxe_cc_rtt rxe_cc_rxport rxe_cc_trust '
results=/sys/kernel/debug/kunit
load_modules || { fail "the modules do not load"; exit 1; }
printf "speed>slow" >/sys/module/kunit/parameters/filter
printf skip >/sys/module/kunit/parameters/filter_action
for m in sch_roce_testfeat rxe_cc_events roce_watch $suites; do
	[ ! -e $mods/$m.ko ] || insmod $mods/$m.ko || fail "$m does not load"
done
cat $results/*/results >$work/kunit
awk -f /t/torture/ktap.awk -v level=1 -v name=kunit -v totals=$work/totals $work/kunit >$work/bad
read -r passed failed _ <$work/totals
count operations "$passed"
[ $((passed + failed)) -gt 0 ] || fail "no results"
[ "$failed" -eq 0 ] || grep -E '^ +(# |not ok)' $work/kunit | grep -vE '# (module|Subtest|Totals)|: pass:' | head -n 60

# again SUITE CASE
again() {
	local m
	for m in $suites; do rmmod $m; done
	printf %s "$1.$2" >/sys/module/kunit/parameters/filter_glob
	for m in $suites; do insmod $mods/$m.ko || fail "$m does not load"; done
	grep -q "^ *ok [0-9]* $2\$" $results/"$1"/results
}
sed -n 's/^  FAIL \(.*\): \(.*\)/\1 \2/p' $work/bad >$work/again
while read -r suite case; do
	if again "$suite" "$case" || again "$suite" "$case" || again "$suite" "$case"; then
		count late 1
	elif [[ $timed == *" $suite "* ]]; then
		count undecided 1
		echo "undecided: $suite: $case"
	else
		fail "$suite: $case, each time"
	fi
done <$work/again
