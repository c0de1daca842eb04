/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options and figures of LSCC (link-segmented congestion control), a row each; see
 * roce_row_macros.h.
 */

#ifdef ROCE_OPTION
ROCE_TITLE("PORT, LSCC:")
ROCE_OPTION(LSCC_SELF, __u32, self, ROCE_IPV4, "lscc-self", "ADDR",
	    "this switch's IPv4 address, or none (none)", "none or an IPv4 address", NULL,
	    .flags = ROCE_SPARSE | ROCE_NULL, .words = ROCE_NONE, .min = 1)
ROCE_OPTION(LSCC_PEER, __u32, peer, ROCE_IPV4, "lscc-peer", "ADDR",
	    "that of the switch at the other end of the link (none)", "none or an IPv4 address",
	    NULL, .flags = ROCE_SPARSE | ROCE_NULL, .words = ROCE_NONE, .min = 1)
ROCE_OPTION(LSCC_QREF, __u32, qref_bytes, ROCE_SIZE, "lscc-qref", "SIZE",
	    "queue to aim at, of what came by the link (2000000b)", "a size from 1b below 4gb",
	    "lscc-qref is 0", .flags = ROCE_SPARSE, .min = 1, .value = 2000000)
ROCE_OPTION(LSCC_PSEUDO, __u32, pseudo_bytes, ROCE_SIZE, "lscc-pseudo", "SIZE",
	    "pseudo queue from which on senders are told (2000000b)", "a size from 1b below 4gb",
	    "lscc-pseudo is 0", .flags = ROCE_SPARSE, .min = 1, .value = 2000000)
ROCE_OPTION(LSCC_PERIOD, __u64, period_ns, ROCE_TIME, "lscc-period", "TIME",
	    "T, from one feedback rate to the next, 1us..1s (200us)", "1us..1s",
	    "lscc-period is outside 1 us..1 s", .flags = ROCE_SPARSE, .min = TC_ROCE_LSCC_MIN_NS,
	    .max = TC_ROCE_LSCC_MAX_NS, .value = 200000)
ROCE_OPTION(LSCC_RTT, __u64, rtt_ns, ROCE_TIME, "lscc-rtt", "TIME",
	    "round trip of the link, up to 1s; auto: twice the delay (auto)", "auto or 1ns..1s",
	    "lscc-rtt is above 1 s", .flags = ROCE_SPARSE | ROCE_NULL, .words = ROCE_AUTO,
	    .min = 1, .max = TC_ROCE_LSCC_MAX_NS)
ROCE_OPTION(LSCC_STEP, __u64, step_bps, ROCE_RATE, "lscc-step", "RATE",
	    "from one feedback rate to the next at most (1gbit)", "1bit..800gbit",
	    "lscc-step is outside 1 bit/s..800 Gbit/s", .flags = ROCE_SPARSE, .min = 1,
	    .max = TC_ROCE_RATE_MAX_BPS, .value = 1000000000)
ROCE_OPTION(LSCC_MIN, __u64, min_bps, ROCE_RATE, "lscc-min", "RATE",
	    "lowest feedback rate (100mbit)", "1mbit..800gbit",
	    "lscc-min is outside 1 Mbit/s..800 Gbit/s", .flags = ROCE_SPARSE,
	    .min = TC_ROCE_RATE_MIN_BPS, .max = TC_ROCE_RATE_MAX_BPS, .value = 100000000)
ROCE_OPTION(LSCC_MAX, __u64, max_bps, ROCE_RATE, "lscc-max", "RATE",
	    "highest; auto: the line's (auto)", "auto or 1mbit..800gbit",
	    "lscc-max is outside 1 Mbit/s..800 Gbit/s", .flags = ROCE_SPARSE | ROCE_NULL,
	    .words = ROCE_AUTO, .min = TC_ROCE_RATE_MIN_BPS, .max = TC_ROCE_RATE_MAX_BPS)
ROCE_OPTION(LSCC_INTERVAL, __u64, interval_ns, ROCE_TIME, "lscc-interval", "TIME",
	    "from one direct CNP or INT of a flow to the next, up to 1s (4us)", "0..1s",
	    "lscc-interval is above 1 s", .flags = ROCE_SPARSE, .max = TC_ROCE_LSCC_MAX_NS,
	    .value = 4000)
ROCE_OPTION(LSCC_THRESHOLD, __u64, threshold_bytes, ROCE_SIZE, "lscc-threshold", "SIZE",
	    "flows that have sent less are told, marked or not; auto: what the link carries in lscc-rtt (auto)",
	    "auto or a size from 1b", NULL, .flags = ROCE_SPARSE | ROCE_NULL, .words = ROCE_AUTO,
	    .min = 1)
ROCE_OPTION(LSCC_EXPIRY, __u64, expiry_ns, ROCE_TIME, "lscc-expiry", "TIME",
	    "a feedback rate holds so long, up to 10s; auto: 10 T (auto)", "auto or 1us..10s",
	    "lscc-expiry is outside 1 us..10 s", .flags = ROCE_SPARSE | ROCE_NULL,
	    .words = ROCE_AUTO, .min = TC_ROCE_LSCC_MIN_NS, .max = 10 * TC_ROCE_LSCC_MAX_NS)
ROCE_OPTION(LSCC_REPLY, __u8, reply, ROCE_NAMED, "lscc-reply", "cnp|int",
	    "senders are told by CNPs; int: those of packets with full telemetry\nby direct INT, which takes it off (cnp)",
	    "cnp or int", "lscc-reply is neither cnp nor int", .flags = ROCE_SPARSE,
	    .words = ROCE_WORDS({ "cnp", TC_ROCE_LSCC_REPLY_CNP },
				{ "int", TC_ROCE_LSCC_REPLY_INT }))
ROCE_OPTION(LSCC_CLEAR, __u8, clear, ROCE_NAMED, "lscc-clear", "always|long",
	    "CE of flows with a place ends here while there is a rate; long: only\nwhile the pseudo queue is long (always)",
	    "always or long", "lscc-clear is neither always nor long", .flags = ROCE_SPARSE,
	    .words = ROCE_WORDS({ "always", TC_ROCE_LSCC_CLEAR_ALWAYS },
				{ "long", TC_ROCE_LSCC_CLEAR_LONG }))
#endif

#ifdef ROCE_PRIO_OPTION
ROCE_PRIO_OPTION(LSCC, __u8, prio[0], ROCE_ONOFF, "lscc", "on|off",
		 "the port is at a long link: it tells the other end a rate, and keeps to the one that it is told. Switch only, lossless (off)",
		 "on or off", "lscc is neither 0 nor 1", .flags = ROCE_SPARSE | ROCE_OF_SWITCH)
#endif

#ifdef ROCE_FIGURE
ROCE_TITLE("  lscc")
ROCE_FIGURE(LSCC_RATE, l->on ? l->calc.last_bps : 0, lscc_rate_bps, "rate", "bit", ROCE_ALWAYS,
	    "the last rate sent to the other end")
ROCE_FIGURE(LSCC_SENT, l->stats.sent, lscc_sent, "sent", "", ROCE_ALWAYS, "messages sent")
ROCE_FIGURE(LSCC_UNSENT, l->stats.unsent, lscc_unsent, "unsent", "", 0,
	    "messages not sent: no memory, no link, no room, or left out because the machine was late")
ROCE_TITLE("    limit")
ROCE_FIGURE(LSCC_LIMIT, l->limit.rate_bps, lscc_limit_bps, "limit", "bit", ROCE_ALWAYS,
	    "the other end's rate in force, 0 = none")
ROCE_FIGURE(LSCC_PSEUDO, l->limit.bytes, lscc_queue_bytes, "queue", "b", ROCE_ALWAYS,
	    "pseudo queue now")
ROCE_FIGURE(LSCC_PSEUDO_PEAK, l->peak_bytes, lscc_queue_peak_bytes, "peak", "b", ROCE_ALWAYS,
	    "its longest")
ROCE_FIGURE(LSCC_HEARD, l->stats.heard, lscc_heard, "heard", "", ROCE_ALWAYS, "messages believed")
ROCE_FIGURE(LSCC_REFUSED, l->stats.refused, lscc_refused, "refused", "", 0,
	    "messages malformed, or not from the peer to us")
ROCE_FIGURE(LSCC_LATE, l->stats.late, lscc_late, "late", "", 0,
	    "messages not newer than the one in force")
ROCE_FIGURE(LSCC_EXPIRED, l->stats.expired, lscc_expired, "expired", "", 0,
	    "how often `lscc-expiry` passed without a message")
ROCE_TITLE("    direct")
ROCE_FIGURE(LSCC_CNPS, l->stats.cnps, lscc_cnps, "cnps", "", ROCE_ALWAYS, "direct CNPs sent")
ROCE_FIGURE(LSCC_INTS, l->stats.ints, lscc_ints, "ints", "", 0, "direct INT sent")
ROCE_FIGURE(LSCC_DAMPED, l->stats.damped, lscc_damped, "damped", "", ROCE_ALWAYS,
	    "neither sent, because the last was less than the interval ago")
ROCE_FIGURE(LSCC_FAILED, l->stats.failed, lscc_failed, "failed", "", 0,
	    "neither sent: no memory, no way back, no room there")
ROCE_FIGURE(LSCC_CLEARED, l->stats.cleared, lscc_cleared, "cleared", "", ROCE_ALWAYS,
	    "packets from inside whose CE became ECT(0)")
ROCE_FIGURE(LSCC_UNCLEARED, l->stats.uncleared, lscc_uncleared, "uncleared", "", 0,
	    "no memory to copy a shared header for that")
ROCE_FIGURE(LSCC_MARKED, l->stats.marked, lscc_marked, "marked", "", ROCE_ALWAYS,
	    "receivers' CNPs that came in by the link")
ROCE_FIGURE(LSCC_TAKEN, l->stats.taken, lscc_taken, "taken", "", 0,
	    "packets whose hops were taken off")
ROCE_FIGURE(LSCC_UNTAKEN, l->stats.untaken, lscc_untaken, "untaken", "", 0,
	    "not taken off: no memory to copy a shared header, or the packet has a UDP checksum")
ROCE_FIGURE(LSCC_NO_PLACE, l->stats.no_place, lscc_no_place, "no_place", "", 0,
	    "packets and CNPs for which the tables had no place")
#endif
