// SPDX-License-Identifier: GPL-2.0
/* The tc plug-in for the queueing discipline "roce": the entry point that tc looks for. */
#include <linux/pkt_sched_roce.h>

#include "q_roce.h"

/* tc wants it writable: it links its kinds into a list. */
__attribute__((visibility("default")))
struct qdisc_util roce_qdisc_util = {
	.id		= TC_ROCE_KIND,
	.parse_qopt	= roce_parse_opt,
	.print_qopt	= roce_print_opt,
	.print_xstats	= roce_print_xstats,
};
