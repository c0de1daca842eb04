/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pacing arithmetic: pure functions, no clock, no timer.
 *
 * A virtual schedule (GCRA): each packet moves the earliest time of the next one
 * by its length over the rate. A sender that was held back and woke up late,
 * because the CPU was busy, catches up by at most the burst, so that the mean
 * rate is exact. One that had nothing to send starts anew.
 */
#ifndef _RXE_CC_PACER_H
#define _RXE_CC_PACER_H

#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>

/* Longest packet that may be charged at once. */
#define RXE_CC_PACER_MAX_BYTES	BIT(17)
#define RXE_CC_PACER_FRAC_BITS	16

/**
 * struct rxe_cc_pacer - schedule of one flow
 * @next_ns: the next packet may leave at this time
 * @frac: fraction of @next_ns, in 2^-16 ns: 82 bytes at 100 Gbit/s are 6.56 ns,
 *	and dropping the rest would make the rate 9 % too high
 * @rate_bps: rate that @next_ns was computed with
 * @held: a packet had to wait and the schedule has not caught up with that yet
 */
struct rxe_cc_pacer {
	u64 next_ns;
	u64 rate_bps;
	u32 frac;
	bool held;
};

/**
 * rxe_cc_pacer_due_ns() - when the next packet may leave
 * @p: schedule
 *
 * Return: the first ns that is not before its time.
 */
static inline u64 rxe_cc_pacer_due_ns(const struct rxe_cc_pacer *p)
{
	return p->next_ns + (p->frac > 0);
}

/**
 * rxe_cc_pacer_hold() - must the next packet wait?
 * @p: schedule
 * @now_ns: time
 *
 * Return: true when it must, until rxe_cc_pacer_due_ns().
 */
static inline bool rxe_cc_pacer_hold(struct rxe_cc_pacer *p, u64 now_ns)
{
	if (now_ns >= rxe_cc_pacer_due_ns(p))
		return false;
	p->held = true;
	return true;
}

/**
 * rxe_cc_pacer_cost_q16() - time that bytes take at a rate
 * @bytes: wire bytes, at most RXE_CC_PACER_MAX_BYTES
 * @rate_bps: at least RXE_CC_RATE_MIN_BPS
 *
 * The product is below 2^17 * 8 * 10^9 * 2^16 < 2^66 and the quotient below
 * 2^57.
 *
 * Return: duration in 2^-16 ns.
 */
static inline u64 rxe_cc_pacer_cost_q16(u32 bytes, u64 rate_bps)
{
	bytes = min_t(u32, bytes, RXE_CC_PACER_MAX_BYTES);
	return rxe_cc_muldiv((u64)bytes * 8,
				   (u64)NSEC_PER_SEC << RXE_CC_PACER_FRAC_BITS,
				   rate_bps);
}

/**
 * rxe_cc_pacer_charge() - a packet leaves
 * @p: schedule
 * @now_ns: time
 * @bytes: wire bytes of the packet
 * @burst_bytes: how far the schedule of a packet that was held may lag behind
 *	@now_ns, in bytes at the rate
 */
static inline void rxe_cc_pacer_charge(struct rxe_cc_pacer *p, u64 now_ns,
				       u32 bytes, u32 burst_bytes)
{
	u64 floor_ns = now_ns;
	u64 q16;

	if (p->held)
		floor_ns -= min(now_ns, rxe_cc_pacer_cost_q16(burst_bytes,
							      p->rate_bps) >>
					RXE_CC_PACER_FRAC_BITS);
	if (p->next_ns < floor_ns) {
		p->next_ns = floor_ns;
		p->frac = 0;
	}
	q16 = rxe_cc_pacer_cost_q16(bytes, p->rate_bps) + p->frac;
	p->next_ns += q16 >> RXE_CC_PACER_FRAC_BITS;
	p->frac = q16 & (BIT(RXE_CC_PACER_FRAC_BITS) - 1);
	if (p->next_ns > now_ns)
		p->held = false;
}

/**
 * rxe_cc_pacer_set_rate() - the rate changes
 * @p: schedule
 * @now_ns: time
 * @rate_bps: new rate, not 0
 *
 * What is left of the wait is work left at the old rate: it is stretched or
 * shrunk, so that a flow that was at its floor starts at once when it may.
 */
static inline void rxe_cc_pacer_set_rate(struct rxe_cc_pacer *p, u64 now_ns,
					 u64 rate_bps)
{
	if (p->rate_bps == rate_bps)
		return;
	if (p->rate_bps && p->next_ns > now_ns) {
		p->next_ns = now_ns + rxe_cc_muldiv(p->next_ns - now_ns,
							  p->rate_bps, rate_bps);
		p->frac = 0;
	}
	p->rate_bps = rate_bps;
}

/**
 * rxe_cc_window_rate_bps() - pace that a window below one packet stands for
 * @cwnd_bytes: window, below one packet
 * @rtt_ns: round-trip time, not 0
 *
 * Return: bit/s, in [RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS].
 */
static inline u64 rxe_cc_window_rate_bps(u64 cwnd_bytes, u64 rtt_ns)
{
	u64 bps = rxe_cc_muldiv(min_t(u64, cwnd_bytes, 1U << 24) * 8,
				      NSEC_PER_SEC, rtt_ns);

	return clamp(bps, RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS);
}

#endif /* _RXE_CC_PACER_H */
