/* SPDX-License-Identifier: GPL-2.0 */
/* The feature for tests: its options and figures, a row each; see roce_row_macros.h. */

#ifdef ROCE_OPTION
ROCE_TITLE("PORT, for tests (module sch_roce_testfeat):")
ROCE_OPTION(TESTFEAT_INTERVAL, __u64, interval_ns, ROCE_TIME, "testfeat-interval", "TIME",
	    "timer of the test feature, 1us..1s; off (off)", "off or 1us..1s",
	    "testfeat-interval is neither 0 nor in 1 us..1 s", .flags = ROCE_QUIET,
	    .words = ROCE_OFF, .min = 1000, .max = 1000000000)
#endif

#ifdef ROCE_PRIO_OPTION
ROCE_PRIO_OPTION(TESTFEAT, __u32, prio[0].what, ROCE_HEX, "testfeat", "BITS",
		 "what the test feature does, TC_ROCE_TESTFEAT_* (0)", "0..0x1ff",
		 "testfeat has unknown bits", .flags = ROCE_QUIET, .max = TC_ROCE_TESTFEAT_ALL)
#endif

#ifdef ROCE_FIGURE
ROCE_TITLE("  testfeat", .optional = 1)
ROCE_FIGURE(TESTFEAT_CALLS, calls, testfeat_calls, "calls", "", ROCE_ALWAYS,
	    "calls for packets and pauses")
ROCE_FIGURE(TESTFEAT_TIMERS, testfeat->timers, testfeat_timers, "timers", "", ROCE_ALWAYS,
	    "calls of its timer")
ROCE_FIGURE(TESTFEAT_REPLIES, testfeat->replies, testfeat_replies, "replies", "", ROCE_ALWAYS,
	    "CNPs sent")
ROCE_FIGURE(TESTFEAT_WRONG, testfeat->wrong, testfeat_wrong, "wrong", "", 0,
	    "its account of a queue was not the port's")
#endif

#ifdef ROCE_PRIO_FIGURE
ROCE_TITLE("    testfeat", .optional = 1)
ROCE_PRIO_FIGURE(TESTFEAT_BYTES, testfeat->waiting_bytes[id], testfeat_bytes, "waiting", "b",
		 ROCE_ALWAYS, "wire bytes queued, by its account")
#endif
