/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Mercury, the switch's half: which queues are really congested, whose packets make
 * them so, and a CNP with a window straight to those senders.
 */
#ifndef _ROCE_MERCURY_H
#define _ROCE_MERCURY_H

#include <linux/types.h>

#include "features/ecn/roce_ecn.h"
#include "roce_feature.h"
#include "roce_flow_table.h"
#include "roce_mercury_queue_state.h"

/* Flows of a switch that may have packets waiting at the same time; a flow at two
 * ports counts twice.
 */
#define ROCE_MERCURY_FLOWS	(2048 * ROCE_FLOW_WAYS)

/**
 * struct roce_mercury_prio - what can be set of one priority
 * @threshold_bytes: of the queue; 0 = Mercury is off here, %TC_ROCE_MERCURY_AUTO =
 *	kmin of ECN
 */
struct roce_mercury_prio {
	u32 threshold_bytes;
};

/**
 * struct roce_mercury_config - what can be set of a port
 * @base_rtt_ns: round trip without queues, for windows
 * @period_ns: the paper's T
 * @interval_ns: from one CNP to the next of a flow; 0 = @base_rtt_ns
 * @ecn: go on marking in Mercury's priorities
 * @prio: per priority
 */
struct roce_mercury_config {
	u64 base_rtt_ns;
	u64 period_ns;
	u64 interval_ns;
	u8 ecn;
	struct roce_mercury_prio prio[TC_ROCE_PRIOS];
};

/**
 * struct roce_mercury_stats - counters of one priority; they only grow
 * @entered: times that it has become Undetermined
 * @congested: packets that made a Determined queue longer than the threshold, or came
 *	to one
 * @spared: packets that would have, had it not been Undetermined
 */
struct roce_mercury_stats {
	u64 entered;
	u64 congested;
	u64 spared;
};

/**
 * struct roce_mercury_port - state of a port
 * @state: per priority
 * @stats: per priority
 * @on: bit per priority in which it is on
 * @flows: those that have packets waiting here
 * @flows_peak: the most there were
 * @no_place: packets of flows that the table had no place for
 * @cnps: on their way to a sender
 * @damped: not sent, so soon after another of the flow
 * @failed: could not be made or sent
 */
struct roce_mercury_port {
	struct roce_mercury_state state[TC_ROCE_PRIOS];
	struct roce_mercury_stats stats[TC_ROCE_PRIOS];
	u8 on;
	u32 flows;
	u32 flows_peak;
	u64 no_place;
	u64 cnps;
	u64 damped;
	u64 failed;
};

/**
 * struct roce_mercury_switch - state of a switch
 * @flows: of all its ports. An entry's bytes are those of the flow that wait; its
 *	datum is when the last CNP was due that was not damped, 0 = never
 */
struct roce_mercury_switch {
	struct roce_flow flows[ROCE_MERCURY_FLOWS];
};

static inline struct roce_mercury_config *
roce_mercury_config(const struct roce_config *cfg)
{
	BUILD_BUG_ON(sizeof(struct roce_mercury_config) > ROCE_FEATURE_CONFIG_BYTES);
	return roce_feature_config(cfg, &roce_mercury_feature);
}

/**
 * roce_mercury_threshold - the queue that makes congestion
 * @cfg: configuration
 * @prio: priority in which Mercury is on
 *
 * Return: wire bytes.
 */
static inline u64 roce_mercury_threshold(const struct roce_config *cfg, u8 prio)
{
	u32 bytes = roce_mercury_config(cfg)->prio[prio].threshold_bytes;

	return bytes == TC_ROCE_MERCURY_AUTO ?
	       roce_ecn_config(cfg)->prio[prio].ramp.kmin_bytes : bytes;
}

#endif /* _ROCE_MERCURY_H */
