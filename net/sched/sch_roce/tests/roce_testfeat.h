/* SPDX-License-Identifier: GPL-2.0 */
/* The feature "testfeat": what it can be told, and what it has seen. */
#ifndef _ROCE_TESTFEAT_H
#define _ROCE_TESTFEAT_H

#include "../roce_feature.h"
#include "../roce_flow_table.h"

extern struct roce_feature roce_testfeat_feature;

#define ROCE_TESTFEAT_FLOWS	(4 * ROCE_FLOW_WAYS)

/**
 * struct roce_testfeat_prio - what can be set of one priority
 * @what: TC_ROCE_TESTFEAT_*
 */
struct roce_testfeat_prio {
	u32 what;
};

/**
 * struct roce_testfeat_config - what can be set of a port
 * @interval_ns: of the timer, 0 = none
 * @prio: per priority
 */
struct roce_testfeat_config {
	u64 interval_ns;
	struct roce_testfeat_prio prio[TC_ROCE_PRIOS];
};

/**
 * struct roce_testfeat_port - state of a port
 * @calls: per enum roce_hook
 * @timer_ns: per call of the timer, its time: the last one
 * @timers: calls of the timer
 * @replies: packets sent to senders
 * @next_ns: when the timer is due
 * @here: packets that have arrived and neither departed nor been lost
 * @waiting_bytes: per priority, of those that wait, by arrived, dequeue and lost
 * @wrong: times that @waiting_bytes was not the port's queue
 * @pause_ns: last pause
 * @resume_ns: last resume
 * @flows: their bytes in the queues
 */
struct roce_testfeat_port {
	u64 calls[ROCE_HOOKS];
	u64 timer_ns;
	u64 timers;
	u64 replies;
	u64 next_ns;
	u64 here;
	u64 waiting_bytes[TC_ROCE_PRIOS];
	u64 wrong;
	u64 pause_ns;
	u64 resume_ns;
	struct roce_flow flows[ROCE_TESTFEAT_FLOWS];
};

/**
 * struct roce_testfeat_switch - state of a switch
 * @here: packets at all its ports
 * @ports: that have told of any, bit per slot below 64
 */
struct roce_testfeat_switch {
	u64 here;
	u64 ports;
};

static inline struct roce_testfeat_config *
roce_testfeat_config(const struct roce_config *cfg)
{
	BUILD_BUG_ON(sizeof(struct roce_testfeat_config) >
		     ROCE_FEATURE_CONFIG_BYTES);
	return roce_feature_config(cfg, &roce_testfeat_feature);
}

#endif /* _ROCE_TESTFEAT_H */
