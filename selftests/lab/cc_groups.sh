#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: groups of hosts with an algorithm each in one run: what each group gets, and which groups are
#   refused because receivers lack what senders need; dcqcn beside hpcc, hpcc beside rcc
. "$(dirname "$0")/../lib/lab_lib.sh"

# bell CC OPTION...: pairs l0-r0, l1-r1, ... over one link
bell() {
	local cc=$1
	shift
	lab_run dumbbell --cc "$cc" --set size=20mb "$@"
}
# group CC N MEMBER
group() { lab_get "dumbbell/$1/1" ".cc_groups.groups[$2].$3"; }

# Rates of 30 and 60 Gbit/s pass a link of 100 side by side: shares are 1/3 and 2/3. Both ends of the
# time that counts are samples, of which a run has 500 or more: 0.4 % of what either moves.
FIXED=fixed:rate=30gbit@l0+fixed:rate=60gbit@l1
rates() {
	bell $FIXED --set n=2 && near "$(group $FIXED 0 share)" 0.33333 0.004 &&
		near "$(group $FIXED 1 share)" 0.66667 0.004 &&
		near "$(lab_get dumbbell/$FIXED/1 .cc_groups.jain)" 0.9 0.004
}
ktap_check "each group has its own parameters: 30 and 60 Gbit/s" rates

# The same algorithm in two groups is as in one: byte for byte but for what names the groups.
same() {
	local d=$LAB_OUT/r/dumbbell
	bell hpcc --set n=4 && bell hpcc@l0-l1+hpcc@l2-l3 --set n=4 &&
		cmp "$d"/{hpcc,hpcc@l0-l1+hpcc@l2-l3}/seed1/flows.csv &&
		cmp "$d"/{hpcc,hpcc@l0-l1+hpcc@l2-l3}/seed1/rates.csv
}
ktap_check "one algorithm in two groups is as without groups" same

# hpcc keeps queues empty, and dcqcn slows down only for marks, which begin at 400 KB. As long as none
# comes dcqcn sends at line rate, and hpcc gives way to its floor. So dcqcn's flow takes what 20 MB
# take at 100 Gbit/s, and hpcc's bytes of that time: those of its first round trips (a window is 55
# KB, the limit without feedback) and a floor of 1 % at most. 5 % are 90 us, 20 windows.
MIXED=hpcc@l0+dcqcn@l1+r0-r1
beside() {
	bell $MIXED --set n=2 || return
	is "$(lab_get dumbbell/$MIXED/1 '[.ports[].ecn_marked] | add')" == 0 &&
		near "$(group $MIXED 1 fct_p50_ns)" \
			"$(awk 'BEGIN { print 20 * 1048576 / 1024 * 1106 * 8 / 100 }')" 0.05 &&
		is "$(group $MIXED 1 share)" ">=" 0.95 && is "$(group $MIXED 0 completed)" == 1
}
ktap_check "dcqcn beside hpcc, 1:1: without marks dcqcn has the line" beside

# With marks from the first packet on dcqcn gives way as well.
marks() {
	bell $MIXED --set n=2 --set kmin=1kb --set kmax=40kb --force &&
		is "$(lab_get dumbbell/$MIXED/1 '[.ports[].ecn_marked] | add')" ">=" 1 &&
		is "$(group $MIXED 0 share)" ">=" 0.05
}
ktap_check "marks at short queues make dcqcn leave some to hpcc" marks

# hpcc beside rcc at one receiver. Its receiver counts the messages of both, and gives each flow of rcc
# eta / N of the line, wire bytes. The rest up to eta, which is as much for each flow, hpcc takes. Of a
# packet 1024 bytes are payload, of 1130 on the last link under rcc (24 of INT), and of 1186 under hpcc
# (16 and 2 ports of 32): so hpcc's part is 1130 / (1130 + 1186). The start, a window of each flow (55 KB
# of 20 MB), and hpcc's steps up are below 2 %.
last_hop() {
	local cc=$1
	shift
	lab_run incast --cc "$cc" --set size=20mb "$@" &&
		near "$(lab_get "incast/$cc/1" '.cc_groups.groups[0].share')" \
			"$(awk 'BEGIN { print 1130 / (1130 + 1186) }')" 0.02 &&
		is "$(lab_get "incast/$cc/1" '.cc_groups.jain')" ">=" 0.99
}
ktap_check "hpcc beside rcc at one receiver, 1:1: as much for each" last_hop hpcc@s0+rcc@s1+r --set n=2
ktap_check "4:4" last_hop hpcc@s0-s3+rcc@s4-s7+r --set n=8

# In the network: each receiver has one flow, so rcc sends at eta = 0.95 of the line. Then hpcc, which
# wants 0.95 as well, gets the part x of the line at which W / (1 + x / 0.95) + W_ai = W, with W = x C T
# and W_ai = 0.05 / 100 C T: x^2 = 0.95 * 0.0005 (1 + x / 0.95), so x = 0.022. That and the window of the
# start, 0.3 % of 20 MB, are below 0.05. rcc's flow takes 20 MB, packets of 1130 bytes, at 95
# Gbit/s, and 2 % for the start and the path.
in_the_network() {
	local cc=hpcc@l0+rcc@l1+r0-r1
	bell $cc --set n=2 && is "$(group $cc 0 share)" "<=" 0.05 && is "$(group $cc 0 share)" ">=" 0.01 &&
		near "$(group $cc 1 fct_p50_ns)" "$(awk 'BEGIN { print 20 * 1024 * 1130 * 8 / 95 }')" 0.02
}
ktap_check "hpcc beside rcc in the network, 1:1: rcc has the line" in_the_network

sum() {
	bell $MIXED --set n=2 --force && is "$(lab_get dumbbell/$MIXED/1 '.cc_groups.groups | map(.share) | add')" ">=" 0.9999 &&
		is "$(lab_get dumbbell/$MIXED/1 '.cc_groups.groups | map(.flows) | add')" == 2 &&
		is "$(lab_get dumbbell/$MIXED/1 .errors)" == 0
}
ktap_check "figures of groups are of all flows" sum

# refused CC WORDS
refused() {
	ends 2 "$LAB" run dumbbell --set n=2 --cc "$1" --out "$LAB_OUT/refused" &&
		{ grep -qF -- "$2" "$LAB_OUT/err" || { cat "$LAB_OUT/err"; return 1; }; } &&
		[ ! -e "$LAB_OUT/refused" ]
}
while IFS='|' read -r cc words; do
	ktap_check "refused: $cc" refused "$cc" "$words"
done <<'END'
hpcc@l0+dcqcn@l1|put r1 into its group
rcc@l0-l1+dcqcn@r0-r1|put r0 into its group
hpcc@l0-l1+none@r0-r1|put r0 into its group
dcqcn@l0+hpcc@l0|host l0 is in two groups
dcqcn@l0+hpcc@l9|no host "l9"
dcqcn@l0+hpc@l1|did you mean "hpcc"?
hpcc:et=1@l0+dcqcn@l1|did you mean "eta"?
END
ktap_finished
