/* SPDX-License-Identifier: GPL-2.0 */
/* ECN: its options and figures, a row each; see roce_row_macros.h. */

#ifdef ROCE_PRIO_OPTION
ROCE_PRIO_OPTION(ECN, __u8, prio[0].when, ROCE_NAMED, "ecn", "WHEN",
		 "off, enqueue: by the queue that a packet meets, dequeue: by\nthe queue that it leaves behind (off)",
		 "off, enqueue or dequeue", "ecn is none of off, enqueue, dequeue",
		 .words = ROCE_WORDS({ "off", TC_ROCE_ECN_OFF }, { "enqueue", TC_ROCE_ECN_ENQUEUE },
				     { "dequeue", TC_ROCE_ECN_DEQUEUE }))
ROCE_PRIO_OPTION(ECN_KMIN, __u32, prio[0].ramp.kmin_bytes, ROCE_SIZE, "kmin", "SIZE",
		 "up to here no packet is marked (40kb)", "a size below 4gb", NULL,
		 .value = 40 << 10)
ROCE_PRIO_OPTION(ECN_KMAX, __u32, prio[0].ramp.kmax_bytes, ROCE_SIZE, "kmax", "SIZE",
		 "above here every packet is marked (160kb)", "a size below 4gb", NULL,
		 .value = 160 << 10)
ROCE_PRIO_OPTION(ECN_PMAX, __u32, prio[0].ramp.pmax_ppm, ROCE_PPM, "pmax", "P",
		 "probability at kmax, 0..1 or 0%..100% (0.2)", "0..1 or 0%..100%",
		 "pmax is above 1000000 ppm", .max = 1000000, .value = 200000)
ROCE_PRIO_OPTION(ECN_NOT_ECT, __u8, prio[0].not_ect, ROCE_NAMED, "ecn-not-ect", "pass|drop",
		 "a packet to be marked that is not ECT (pass)", "pass or drop",
		 "ecn-not-ect is neither pass nor drop", .flags = ROCE_QUIET,
		 .words = ROCE_WORDS({ "pass", TC_ROCE_NOT_ECT_PASS },
				     { "drop", TC_ROCE_NOT_ECT_DROP }))
#endif

#ifdef ROCE_PRIO_FIGURE
ROCE_TITLE("    ecn")
ROCE_PRIO_FIGURE(ECN_MARKED, stats->marked, ecn_marked, "marked", "", ROCE_ALWAYS,
		 "packets set to CE here")
ROCE_PRIO_FIGURE(ECN_NOT_ECT, stats->not_ect, ecn_not_ect, "not_ect", "", 0,
		 "packets to be marked that are not ECT, sent")
ROCE_PRIO_FIGURE(ECN_NOMEM, stats->nomem, ecn_nomem, "nomem", "", 0,
		 "packets to be marked, but a shared header could not be copied, sent")
#endif
