/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ECN: what can be set of it and what it counts, the marking ramp of a queue, and
 * setting CE in a packet.
 */
#ifndef _ROCE_ECN_H
#define _ROCE_ECN_H

#include <linux/bits.h>
#include <linux/prandom.h>
#include <linux/types.h>

#include "roce_feature.h"

#define ROCE_ECN_PPM	1000000U

/**
 * struct roce_ecn_ramp - probability of a mark as a function of the queue
 * @kmin_bytes: up to here nothing is marked
 * @kmax_bytes: above here everything is marked
 * @pmax_ppm: probability at @kmax_bytes, parts per million; linear between
 */
struct roce_ecn_ramp {
	u32 kmin_bytes;
	u32 kmax_bytes;
	u32 pmax_ppm;
};

/* A probability as the number of 32-bit random values that mark. */
#define ROCE_ECN_ALWAYS	BIT_ULL(32)

u64 roce_ecn_threshold(const struct roce_ecn_ramp *ramp, u64 queue_bytes);

/**
 * enum roce_ecn_result - what became of a packet that was to be marked
 * @ROCE_ECN_MARKED: it was ECT and is CE now
 * @ROCE_ECN_WAS_CE: an earlier hop had marked it
 * @ROCE_ECN_NOT_ECT: its transport does not understand ECN; unchanged
 * @ROCE_ECN_NOMEM: its header is shared and could not be copied; unchanged
 */
enum roce_ecn_result {
	ROCE_ECN_MARKED,
	ROCE_ECN_WAS_CE,
	ROCE_ECN_NOT_ECT,
	ROCE_ECN_NOMEM,
};

enum roce_ecn_result roce_ecn_set_ce(struct sk_buff *skb);

/**
 * struct roce_ecn_prio - what can be set of one priority
 * @when: when marks are decided, enum tc_roce_ecn
 * @not_ect: what becomes of a packet to be marked that is not ECT, enum
 *	tc_roce_not_ect
 * @ramp: how often
 */
struct roce_ecn_prio {
	u8 when;
	u8 not_ect;
	struct roce_ecn_ramp ramp;
};

/**
 * struct roce_ecn_config - what can be set of a port
 * @prio: per priority
 */
struct roce_ecn_config {
	struct roce_ecn_prio prio[TC_ROCE_PRIOS];
};

/**
 * struct roce_ecn_stats - counters of one priority; they only grow
 * @marked: packets set to CE here
 * @not_ect: packets to be marked that do not understand ECN, sent
 * @nomem: packets to be marked whose header could not be made private
 */
struct roce_ecn_stats {
	u64 marked;
	u64 not_ect;
	u64 nomem;
};

/**
 * struct roce_ecn - state of a port
 * @rnd: random numbers
 * @seed: what they started from
 * @seeded: they have
 * @stats: per priority
 */
struct roce_ecn {
	struct rnd_state rnd;
	u64 seed;
	bool seeded;
	struct roce_ecn_stats stats[TC_ROCE_PRIOS];
};

static inline struct roce_ecn_config *
roce_ecn_config(const struct roce_config *cfg)
{
	BUILD_BUG_ON(sizeof(struct roce_ecn_config) > ROCE_FEATURE_CONFIG_BYTES);
	return roce_feature_config(cfg, &roce_ecn_feature);
}

#endif /* _ROCE_ECN_H */
