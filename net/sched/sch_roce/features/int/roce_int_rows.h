/* SPDX-License-Identifier: GPL-2.0 */
/* INT: its options and figures, a row each; see roce_row_macros.h. */

#ifdef ROCE_OPTION
ROCE_TITLE("PORT, INT:")
ROCE_OPTION(INT, __u8, on, ROCE_ONOFF, "int", "on|off", "push metadata into INT packets (on)",
	    "on or off", "int is neither 0 nor 1", .flags = ROCE_QUIET, .value = 1)
ROCE_OPTION(INT_DSCP, __u8, dscp, ROCE_NUMBER, "int-dscp", "N",
	    "which packets these are, 0..63 (27)", "0..63", "int-dscp is above 63",
	    .flags = ROCE_QUIET, .max = TC_ROCE_DSCPS - 1, .value = 27)
ROCE_OPTION(INT_DOMAIN, __u16, domain, ROCE_HEX, "int-domain", "N",
	    "domain id of the metadata beyond the standard's (0x0cc1)", "0..0xffff", NULL,
	    .flags = ROCE_QUIET, .value = 0x0cc1)
ROCE_OPTION(INT_NODE, __u32, node, ROCE_NUMBER, "int-node", "N",
	    "node id; auto: last four bytes of the MAC address (auto)", "auto or 1..4294967295",
	    NULL, .flags = ROCE_QUIET | ROCE_NULL, .words = ROCE_AUTO, .min = 1)
ROCE_OPTION(INT_PORT, __u16, port, ROCE_NUMBER, "int-port", "N",
	    "port id, 1..65535; auto: interface index (auto)", "auto or 1..65535", NULL,
	    .flags = ROCE_QUIET | ROCE_NULL, .words = ROCE_AUTO, .min = 1)
ROCE_OPTION(INT_CLOCK_OFFSET, __u64, clock_offset_ns, ROCE_TIME, "int-clock-offset", "TIME",
	    "the port's INT times are ahead by up to 10s (0)", "0..10s",
	    "int-clock-offset is above 10 s", .flags = ROCE_QUIET, .max = TC_ROCE_CLOCK_MAX_NS)
ROCE_OPTION(INT_CLOCK_JITTER, __u64, clock_jitter_ns, ROCE_TIME, "int-clock-jitter", "TIME",
	    "and by a random time up to this, 1s at most (0)", "0..1s",
	    "int-clock-jitter is above 1 s", .flags = ROCE_QUIET,
	    .max = TC_ROCE_CLOCK_JITTER_MAX_NS)
ROCE_OPTION(INT_CLOCK_RATE, __u32, clock_rate, ROCE_NUMBER, "int-clock-rate", "N",
	    "ns that its clock counts in a second, 999000000..1001000000 (1000000000)",
	    "999000000..1001000000", "int-clock-rate is more than 1000 ppm off 10^9",
	    .flags = ROCE_QUIET, .min = TC_ROCE_CLOCK_RATE_MIN, .max = TC_ROCE_CLOCK_RATE_MAX,
	    .value = TC_ROCE_CLOCK_RATE)
#endif

#ifdef ROCE_FIGURE
ROCE_FIGURE(INT_NODE, roce_int_node(port), int_node, NULL, "", 0, "node id in force")
ROCE_FIGURE(INT_PORT, roce_int_port_id(port), int_port, NULL, "", 0, "port id in force")
ROCE_TITLE("  int")
ROCE_FIGURE(INT_PUSHED, state->pushed, int_pushed, "pushed", "", ROCE_ALWAYS,
	    "packets that got metadata here")
ROCE_FIGURE(INT_HOP_LIMIT, state->hop_limit, int_hop_limit, "hop_limit", "", 0,
	    "no remaining hop (E set)")
ROCE_FIGURE(INT_MTU, state->mtu, int_mtu, "mtu", "", 0, "would exceed the MTU (M set)")
ROCE_FIGURE(INT_BAD, state->bad, int_bad, "bad", "", 0, "passed untouched: malformed")
ROCE_FIGURE(INT_UNSUPPORTED, state->unsupported, int_unsupported, "unsupported", "", 0,
	    "passed untouched: other version or instructions")
ROCE_FIGURE(INT_NOMEM, state->nomem, int_nomem, "nomem", "", 0,
	    "passed untouched: no memory to copy a shared header")
ROCE_FIGURE(INT_NODE, 0, int_as_node, "as node", "", ROCE_ALWAYS | ROCE_TEXT, NULL)
ROCE_FIGURE(INT_PORT, 0, int_as_port, "port", "", ROCE_ALWAYS | ROCE_TEXT, NULL)
#endif
