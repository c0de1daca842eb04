/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides whether the peer can have sent a request or probe whose PSN is not the expected one.
 * Pure functions, no clock, no lock.
 *
 * A peer is ahead of what has arrived by the packets that it may have under way, and by
 * the PSNs that its READs reserve. Whoever sees none of its packets has to guess one of
 * 2^24 numbers.
 */
#ifndef _RXE_CC_UNEXPECTED_PSN_H
#define _RXE_CC_UNEXPECTED_PSN_H

#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <rxe_cc/cc_math.h>

/* READs behind each other whose requests may be lost before one arrives. With more, a
 * timeout may have to bring them.
 */
#define RXE_CC_EXPECT_READS	4
/* Packets that a peer may have under way at least, whatever this port allows its own:
 * one guess of 8192 is among them.
 */
#define RXE_CC_EXPECT_MIN	2048
/* A peer may be further ahead than anybody here knows. Then its loss is reported so often:
 * before a timeout shows it, and too seldom to be of use for those who make it up.
 */
#define RXE_CC_EXPECT_FAR_NS	(10 * (u64)NSEC_PER_MSEC)

/**
 * struct rxe_cc_expect - what a peer's next packets may be
 * @read_psns: PSNs of its largest READ so far
 * @far_ns: when a request that was too far ahead was believed last; 0: none was
 * @probe_ns: when the last probe was answered whose PSN was wrong; 0: none was
 */
struct rxe_cc_expect {
	u32 read_psns;
	u64 far_ns;
	u64 probe_ns;
};

/**
 * rxe_cc_expect_reach() - how far ahead the peer may be
 * @e: state
 * @window_psns: packets that it may have under way
 *
 * Return: PSNs.
 */
static inline s32 rxe_cc_expect_reach(const struct rxe_cc_expect *e,
				      u32 window_psns)
{
	return window_psns + RXE_CC_EXPECT_READS * min_t(u32, e->read_psns,
							 BIT(20));
}

/**
 * rxe_cc_expect_request() - may the peer have sent a request that is ahead?
 * @e: state
 * @psn: PSN of the request
 * @expected: PSN of the next request in sequence
 * @window_psns: packets that the peer may have under way, as far as known
 * @now_ns: time
 *
 * Return: true when it may; and now and then when nobody can know.
 */
static inline bool rxe_cc_expect_request(struct rxe_cc_expect *e, u32 psn,
					 u32 expected, u32 window_psns,
					 u64 now_ns)
{
	s32 reach = rxe_cc_expect_reach(e, max(window_psns, RXE_CC_EXPECT_MIN));

	if (rxe_cc_psn_diff(psn, expected) <= reach)
		return true;
	if (e->far_ns && now_ns - e->far_ns < RXE_CC_EXPECT_FAR_NS)
		return false;
	e->far_ns = now_ns;
	return true;
}

/**
 * rxe_cc_expect_near() - is a packet not further from another than may be?
 * @psn: its PSN
 * @expected: that of the other, in sequence
 * @ahead: how far ahead it may be
 * @behind: how far behind
 *
 * Return: true when it is not.
 */
static inline bool rxe_cc_expect_near(u32 psn, u32 expected, s32 ahead,
				      s32 behind)
{
	s32 diff = rxe_cc_psn_diff(psn, expected);

	return diff <= ahead && diff >= -behind;
}

#endif /* _RXE_CC_UNEXPECTED_PSN_H */
