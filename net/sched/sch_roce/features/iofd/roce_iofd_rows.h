/* SPDX-License-Identifier: GPL-2.0 */
/* Options and figures of in-order flow deflection (IOFD), a row each; see roce_row_macros.h. */

#ifdef ROCE_OPTION
ROCE_TITLE("PORT, IOFD:")
ROCE_OPTION(IOFD_LINK, __u8, link, ROCE_NAMED, "iofd-link", "none|up|down",
	    "behind the port is no switch, one nearer to the core, or one\nfarther from it (none)",
	    "none, up or down", "iofd-link is none of none, up, down", .flags = ROCE_SPARSE,
	    .words = ROCE_WORDS({ "none", TC_ROCE_IOFD_NONE }, { "up", TC_ROCE_IOFD_UP },
				{ "down", TC_ROCE_IOFD_DOWN }))
ROCE_OPTION(IOFD_HOLD, __u64, hold_ns, ROCE_TIME, "iofd-hold", "TIME",
	    "a flow is deflected until so long after the last packet of a message, up to 10s (100us)",
	    "0..10s", "iofd-hold is above 10 s", .flags = ROCE_SPARSE, .max = TC_ROCE_IOFD_MAX_NS,
	    .value = 100000)
ROCE_OPTION(IOFD_IDLE, __u64, idle_ns, ROCE_TIME, "iofd-idle", "TIME",
	    "or so long after any other, up to 10s (1ms)", "0..10s", "iofd-idle is above 10 s",
	    .flags = ROCE_SPARSE, .max = TC_ROCE_IOFD_MAX_NS, .value = 1000000)
#endif

#ifdef ROCE_PRIO_OPTION
ROCE_PRIO_OPTION(IOFD, __u32, prio[0].threshold_bytes, ROCE_SIZE, "iofd", "SIZE",
		 "flows with tokens that come with more than SIZE ahead of them leave by another port; off. Switch only (off)",
		 "off or a size below 4gb", NULL, .flags = ROCE_SPARSE | ROCE_OF_SWITCH,
		 .words = ROCE_OFF, .min = 1)
ROCE_PRIO_OPTION(IOFD_ESCAPE, __u8, prio[0].escape_dscp, ROCE_NUMBER, "iofd-escape", "DSCP",
		 "what packets get that turn from a port that leads up to one\nthat leads up; off: none are sent where they must. Switch only\n(off)",
		 "off or 1..63", "iofd-escape is above 63", .unit = "_dscp",
		 .flags = ROCE_SPARSE | ROCE_NULL, .words = ROCE_OFF, .min = 1,
		 .max = TC_ROCE_DSCPS - 1)
#endif

#ifdef ROCE_FIGURE
ROCE_TITLE("  iofd")
ROCE_FIGURE(IOFD_FLOWS, m->stats.flows, iofd_flows, "flows", "", ROCE_ALWAYS,
	    "of those routed to this port: flows deflected")
ROCE_FIGURE(IOFD_PACKETS, m->stats.packets, iofd_packets, "packets", "", ROCE_ALWAYS,
	    "packets of them that left by another port")
ROCE_FIGURE(IOFD_BYTES, m->stats.bytes, iofd_bytes, "bytes", "", ROCE_ALWAYS, "their wire bytes")
ROCE_FIGURE(IOFD_TAKEN, m->taken, iofd_taken, "taken", "", ROCE_ALWAYS,
	    "packets that other ports have deflected to this port")
ROCE_FIGURE(IOFD_FULL, m->stats.full, iofd_full, "full", "", 0,
	    "flows not deflected because the table was full")
ROCE_FIGURE(IOFD_NO_PORT, m->stats.no_port, iofd_no_port, "no_port", "", 0,
	    "flows not deflected because no other port was suitable")
ROCE_FIGURE(IOFD_LOST_PORT, m->stats.lost_port, iofd_lost_port, "lost_port", "", 0,
	    "entries whose port was removed")
ROCE_FIGURE(IOFD_ESCAPED, m->stats.escaped, iofd_escaped, "escaped", "", ROCE_ALWAYS,
	    "packets that came in and left by ports that lead up, with the escape priority")
ROCE_FIGURE(IOFD_NO_ESCAPE, m->stats.no_escape, iofd_no_escape, "no_escape", "", 0,
	    "the same with their own, because none is configured")
ROCE_FIGURE(IOFD_FAILED, m->stats.failed, iofd_failed, "failed", "", 0,
	    "packets lost because there was no memory to change them")
ROCE_FIGURE(IOFD_ENTRIES, sw ? roce_iofd_count(&sw->table) : 0, iofd_entries, "entries", "", 0,
	    "the switch's entries now")
ROCE_FIGURE(IOFD_ENTRIES_PEAK, sw ? sw->table.peak : 0, iofd_entries_peak, "peak", "", 0,
	    "the largest number so far")
#endif
