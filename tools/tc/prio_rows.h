/* SPDX-License-Identifier: GPL-2.0 */
/* Collects the rows (options and figures) of a priority, in the order in which tc prints them. */
#define ROCE_PART 1
#include <linux/pkt_sched_roce.h>
#include "features/ecn/roce_ecn_rows.h"
#undef ROCE_PART
#define ROCE_PART 2
#include <linux/pkt_sched_roce.h>
#include "features/roce_features_rows.h"
#undef ROCE_PART
#define ROCE_PART 3
#include <linux/pkt_sched_roce.h>
#undef ROCE_PART
