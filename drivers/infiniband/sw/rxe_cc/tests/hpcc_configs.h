/* SPDX-License-Identifier: GPL-2.0 */
/* Configurations of the flows in hpcc_vectors.h. */
#ifndef _RXE_CC_HPCC_CONFIGS_H
#define _RXE_CC_HPCC_CONFIGS_H

#include "hpcc_events.h"

static const struct hpcc_ev_conf hpcc_ev_confs[] = {
	{ "paper_100g", 1, 100000000000, 10000000, 0, 12000, 85, 95, 100, 100,
	  5, 3, true },
	{ "ns3_10g", 2, 10000000000, 10000000, 4000000, 5600, 870, 95, 100, 1,
	  0, 2, true },
	{ "slow_100g", 3, 100000000000, 10000000, 0, 12000, 300, 95, 100, 30,
	  5, 5, false },
	{ "eta_400g", 4, 400000000000, 50000000, 0, 4100, 25, 7, 8, 16, 3, 8,
	  true },
	/* T is ten thousand times the gap: what U moves by is tiny. */
	{ "far_25g", 5, 25000000000, 10000000, 20000000, 4000000, 400, 95, 100,
	  1, 1, 2, true },
	{ "all_800g", 6, 800000000000, 100000000, 1000000000, 8000, 60, 1, 1, 1,
	  255, 1, true },
};

#endif /* _RXE_CC_HPCC_CONFIGS_H */
