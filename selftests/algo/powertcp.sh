#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Shows: PowerTCP and theta-PowerTCP at a bottleneck: the queue that theorem 1 says, shares even, the
#   line never idle; half of the queue with half of beta; 10 flows onto a long one, and HPCC
#   beside it (Fig. 4)
. "$(dirname "$0")/../lib/lab_lib.sh"

# Theorem 1: N flows keep a queue of N beta, beta being b T / n. All flows have the same window, as
# W (1 - 1 / P) = beta for each.
#
# That holds where windows are full. A packet goes when it fits, so each flow may be short of its
# window by a packet p, and all together by N p at most: W N = b T + q + N p. With P = 1 + q / (b T)
#	q = N beta / (1 + N p / (b T + q)) >= N beta / (1 + N p / (b T))
# And the samples of the queue are of any time, those of P of when a packet of the flow leaves: N
# packets apart at most.
N=8
variants="powertcp powertcp:preset=theta powertcp:n=20 powertcp:per_packet=1"
runs() {
	lab_run four --cc "${variants// /,}" --set n=$N --set size=10mb --set stagger=0us
}

# equilibrium CC N_PARAMETER: from 1 to 5 ms; flows end after 6.4 ms and later
equilibrium() {
	awk -F, -v base="$(lab_get "four/$1/1" .knobs.base_rtt)" -v n="$2" -v flows=$N '
		BEGIN { bt = 100e9 / 8e9 * base; p = 1106; nbeta = flows * bt / n
			low = nbeta / (1 + flows * p / bt); high = nbeta + flows * p }
		$2 == "sw-r" && $1 >= 1000000 && $1 < 5000000 { k++; sum += $4 }
		END { if (k < 100) { print "only " k + 0 " samples"; exit 1 }
			printf "mean %.0f B, N beta %.0f B, %.0f to %.0f\n", sum / k, nbeta, low, high
			exit sum / k < low || sum / k > high }' "$LAB_OUT/r/four/$1/seed1/queues.csv"
}

# Four packets of each flow wait, so the line has something to send.
never_idle() { is "$(lab_get "four/$1/1" .bottleneck.utilization)" ">=" 0.99; }

fair() { is "$(lab_get "four/$1/1" .jain)" ">=" 0.999; }

# Fig. 4: ten flows of 100 KB onto a long one of 4 MB, 105 round trips T of the line together. While
# they send there is a queue. When they have ended the long flow has an eleventh. The power falls
# within a T, and W follows by the part that is missing: 3 T, of which nothing is lost but the rest.
# theta-PowerTCP does not see an idle line, only that there is no queue: W gains beta each T, so it
# takes n = 10 T to the line, half of which is lost. HPCC leaves 1 - eta of the line free always.
incast() {
	lab_run incast --cc powertcp,powertcp:preset=theta,hpcc --set n=10 --set bg=on --set size=100kb
}

busy() {
	is "$(lab_get "incast/$1/1" .bottleneck.utilization)" ">=" "$(awk -v t="$2" 'BEGIN { print 1 - t / 105 }')"
}
hpcc() { is "$(lab_get incast/hpcc/1 .bottleneck.utilization)" "<=" 0.95; }

ktap_print_header
ktap_check "eight flows" runs
ktap_check "powertcp: the queue is N beta" equilibrium powertcp 10
ktap_check "theta-PowerTCP: the same" equilibrium powertcp:preset=theta 10
ktap_check "n=20: half of it" equilibrium powertcp:n=20 20
# Where W stays, it does not matter of when W_old is.
ktap_check "per_packet=1: the queue is N beta" equilibrium powertcp:per_packet=1 10
for v in powertcp powertcp:preset=theta; do ktap_check "$v: the line is never idle" never_idle "$v"; done
for v in $variants; do ktap_check "$v: shares are even" fair "$v"; done
ktap_check "ten flows onto a long one" incast
ktap_check "powertcp: the line is busy" busy powertcp 3
ktap_check "theta-PowerTCP: but for 8 T" busy powertcp:preset=theta 8
ktap_check "hpcc beside it leaves more of it idle" hpcc
ktap_finished
