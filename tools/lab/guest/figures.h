/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of all figures of a port: see roce_rows.h. */
#ifndef ROCE_TITLE
#define ROCE_TITLE(...)
#endif
#include <linux/pkt_sched_roce.h>
#include "features/ecn/roce_ecn_rows.h"
#include "features/roce_features_rows.h"
