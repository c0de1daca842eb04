/* SPDX-License-Identifier: GPL-2.0 */
/* Mercury: its options and figures, a row each; see roce_row_macros.h. */

#ifdef ROCE_OPTION
ROCE_TITLE("PORT, Mercury:")
ROCE_OPTION(MERCURY_BASE_RTT, __u64, base_rtt_ns, ROCE_TIME, "mercury-rtt", "TIME",
	    "round trip without queues, 1ns..1s, for windows (12us)", "1ns..1s",
	    "mercury-rtt is outside 1 ns..1 s", .flags = ROCE_SPARSE, .min = 1,
	    .max = TC_ROCE_MERCURY_MAX_NS, .value = 12000)
ROCE_OPTION(MERCURY_PERIOD, __u64, period_ns, ROCE_TIME, "mercury-period", "TIME",
	    "T, from one look at an undetermined queue to the next, up to 1s (10us)", "0..1s",
	    "mercury-period is above 1 s", .flags = ROCE_SPARSE, .max = TC_ROCE_MERCURY_MAX_NS,
	    .value = 10000)
ROCE_OPTION(MERCURY_INTERVAL, __u64, interval_ns, ROCE_TIME, "mercury-interval", "TIME",
	    "from one CNP to the next of the same flow, 1ns..1s; auto: mercury-rtt (auto)",
	    "auto or 1ns..1s", "mercury-interval is above 1 s", .flags = ROCE_SPARSE | ROCE_NULL,
	    .words = ROCE_AUTO, .min = 1, .max = TC_ROCE_MERCURY_MAX_NS)
ROCE_OPTION(MERCURY_ECN, __u8, ecn, ROCE_ONOFF, "mercury-ecn", "on|off",
	    "mark in Mercury's priorities all the same (off)", "on or off",
	    "mercury-ecn is neither 0 nor 1", .flags = ROCE_SPARSE)
#endif

#ifdef ROCE_PRIO_OPTION
ROCE_PRIO_OPTION(MERCURY, __u32, prio[0].threshold_bytes, ROCE_SIZE, "mercury", "SIZE",
		 "from a longer queue on senders are told windows, unless PFC may be the reason for it; auto: kmin; off. Switch only (off)",
		 "off, auto or a size below 4gb", NULL, .flags = ROCE_SPARSE | ROCE_OF_SWITCH,
		 .words = ROCE_WORDS({ "off", 0 }, { "0", 0 }, { "auto", TC_ROCE_MERCURY_AUTO }),
		 .min = 1)
#endif

#ifdef ROCE_FIGURE
ROCE_TITLE("  mercury")
ROCE_FIGURE(MERCURY_CNPS, m->cnps, mercury_cnps, "cnps", "", ROCE_ALWAYS, "CNPs of Mercury sent")
ROCE_FIGURE(MERCURY_DAMPED, m->damped, mercury_damped, "damped", "", ROCE_ALWAYS,
	    "not sent, because the flow's last one was less than the interval ago")
ROCE_FIGURE(MERCURY_FAILED, m->failed, mercury_failed, "failed", "", 0,
	    "no memory, no way back to the sender, or the port that it leaves by is down, is full, or already holds 64 KiB of packets that the switch made")
ROCE_FIGURE(MERCURY_FLOWS, m->flows, mercury_flows, "flows", "", ROCE_ALWAYS,
	    "flows with waiting packets here now")
ROCE_FIGURE(MERCURY_FLOWS_PEAK, m->flows_peak, mercury_flows_peak, "peak", "", ROCE_ALWAYS,
	    "the largest number so far")
ROCE_FIGURE(MERCURY_NO_PLACE, m->no_place, mercury_no_place, "no_place", "", 0,
	    "packets of flows that the table had no place for")
#endif

#ifdef ROCE_PRIO_FIGURE
ROCE_TITLE("    mercury")
ROCE_PRIO_FIGURE(MERCURY_UNDETERMINED, m->on & BIT(id) && m->state[id].undetermined,
		 mercury_undetermined, "undetermined now", "", ROCE_ALWAYS, "1 = Undetermined now")
ROCE_PRIO_FIGURE(MERCURY_ENTERED, m->stats[id].entered, mercury_entered, "times", "", ROCE_ALWAYS,
		 "how often it has become Undetermined")
ROCE_PRIO_FIGURE(MERCURY_CONGESTED, m->stats[id].congested, mercury_congested, "congested", "",
		 ROCE_ALWAYS, "packets that met a queue above the threshold while it was Determined")
ROCE_PRIO_FIGURE(MERCURY_SPARED, m->stats[id].spared, mercury_spared, "spared", "", ROCE_ALWAYS,
		 "the same while it was Undetermined")
#endif
