// SPDX-License-Identifier: GPL-2.0
/* The trace events' own code, see roce_trace.h. */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>

#define CREATE_TRACE_POINTS
#include "roce_trace.h"

/* For features in modules of their own. */
EXPORT_TRACEPOINT_SYMBOL_GPL(roce_feature);
