/* SPDX-License-Identifier: GPL-2.0 */
/* INT responses: its options and figures, a row each; see roce_row_macros.h. */

#ifdef ROCE_OPTION
ROCE_OPTION(INT_RESPONSE_INTERVAL, __u64, interval_ns, ROCE_TIME, "int-response-interval", "TIME",
	    "from one response to the next of the same flow, up to 1s (10us)", "0..1s",
	    "int-response-interval is above 1 s", .flags = ROCE_QUIET,
	    .max = TC_ROCE_INT_RESPONSE_MAX_NS, .value = 10000)
#endif

#ifdef ROCE_PRIO_OPTION
ROCE_PRIO_OPTION(INT_RESPONSE, __u32, prio[0].bytes, ROCE_SIZE, "int-response", "SIZE",
		 "an INT packet of HPCC that meets a queue of SIZE has its sender told at once; off. Switch only, needs int on (off)",
		 "off or a size below 4gb", NULL, .flags = ROCE_QUIET | ROCE_OF_SWITCH,
		 .words = ROCE_OFF, .min = 1)
#endif

#ifdef ROCE_FIGURE
ROCE_TITLE("  int responses")
ROCE_FIGURE(INT_RESPONSE_SENT, rsp->sent, int_response_sent, "sent", "", ROCE_ALWAYS,
	    "INT responses sent")
ROCE_FIGURE(INT_RESPONSE_DAMPED, rsp->damped, int_response_damped, "damped", "", ROCE_ALWAYS,
	    "not sent, because the flow's last one was less than the interval ago")
ROCE_FIGURE(INT_RESPONSE_FAILED, rsp->failed, int_response_failed, "failed", "", ROCE_ALWAYS,
	    "no memory, no way back to the sender, or the port that it leaves by is down or full")
#endif
