/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ECN: the marking ramp of a queue, and setting CE in a packet.
 */
#ifndef _ROCE_ECN_H
#define _ROCE_ECN_H

#include <linux/bits.h>
#include <linux/types.h>

struct sk_buff;

#define ROCE_PPM	1000000U

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

#endif /* _ROCE_ECN_H */
