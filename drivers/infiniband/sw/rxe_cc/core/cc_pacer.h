/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pacing arithmetic: pure functions, no clock, no timer.
 *
 * A virtual schedule (GCRA) in units of work: each packet adds its bits to a debt,
 * which the rate pays off with time; the next packet may leave when nothing is
 * owed. A rate in bit/s times a time in ns is a whole number of 10^-9 bit, so the
 * debt is exact however often the rate changes, and no change needs a division.
 * A schedule kept as a time would be rounded by each change: at 800 Gbit/s a packet
 * of 1106 bytes takes 11 ns, so that fractions of a ns are percents of the rate.
 *
 * A sender that was held back and woke up late, because the CPU was busy, catches
 * up by at most the burst, so that the mean rate is exact. One that had nothing to
 * send starts anew.
 */
#ifndef _RXE_CC_PACER_H
#define _RXE_CC_PACER_H

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>

/* Longest packet that may be charged at once: 10^15 units of the debt, so that
 * thousands of them fit.
 */
#define RXE_CC_PACER_MAX_BYTES	BIT(17)

/**
 * struct rxe_cc_pacer - schedule of one flow
 * @debt_nbit: bits sent ahead of the schedule as of @since_ns, in 10^-9 bit;
 *	negative: the flow is behind
 * @since_ns: time up to which @rate_bps has been accounted for
 * @rate_bps: rate since then
 * @held: a packet had to wait and the schedule has not caught up with that yet
 */
struct rxe_cc_pacer {
	s64 debt_nbit;
	u64 since_ns;
	u64 rate_bps;
	bool held;
};

/* What the rate has paid until @now_ns. */
static inline u64 rxe_cc_pacer_paid(const struct rxe_cc_pacer *p, u64 now_ns)
{
	u64 paid_nbit;

	if (check_mul_overflow(p->rate_bps,
			       rxe_cc_sat_sub(now_ns, p->since_ns), &paid_nbit))
		return U64_MAX;
	return paid_nbit;
}

/* Account for the time until @now_ns. A flow that was held may be behind by
 * @credit_nbit, at most S64_MAX; another one not at all.
 */
static inline void rxe_cc_pacer_settle(struct rxe_cc_pacer *p, u64 now_ns,
				       s64 credit_nbit)
{
	s64 floor_nbit = p->held ? -credit_nbit : 0;
	s64 debt_nbit = max(p->debt_nbit, floor_nbit);
	u64 paid_nbit = rxe_cc_pacer_paid(p, now_ns);

	if (paid_nbit >= (u64)debt_nbit - (u64)floor_nbit)
		p->debt_nbit = floor_nbit;
	else
		p->debt_nbit = debt_nbit - (s64)paid_nbit;
	p->since_ns = max(p->since_ns, now_ns);
}

static inline s64 rxe_cc_pacer_nbit(u32 bytes)
{
	return min_t(u32, bytes, RXE_CC_PACER_MAX_BYTES) *
	       (s64)RXE_CC_BIT_NS_PER_BYTE;
}

/**
 * rxe_cc_pacer_due_ns() - when the next packet may leave
 * @p: schedule, with a rate
 *
 * Return: the first ns that is not before its time.
 */
static inline u64 rxe_cc_pacer_due_ns(const struct rxe_cc_pacer *p)
{
	if (p->debt_nbit <= 0)
		return p->since_ns;
	return p->since_ns + DIV64_U64_ROUND_UP((u64)p->debt_nbit, p->rate_bps);
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
	if (p->debt_nbit <= 0 ||
	    rxe_cc_pacer_paid(p, now_ns) >= (u64)p->debt_nbit)
		return false;
	p->held = true;
	return true;
}

/**
 * rxe_cc_pacer_charge() - a packet leaves
 * @p: schedule
 * @now_ns: time
 * @bytes: wire bytes of the packet; above RXE_CC_PACER_MAX_BYTES they count as
 *	that many
 * @burst_bytes: how far the schedule of a packet that was held may lag behind
 *	@now_ns, in bytes; limited likewise
 */
static inline void rxe_cc_pacer_charge(struct rxe_cc_pacer *p, u64 now_ns,
				       u32 bytes, u32 burst_bytes)
{
	rxe_cc_pacer_settle(p, now_ns, rxe_cc_pacer_nbit(burst_bytes));
	p->debt_nbit += rxe_cc_pacer_nbit(bytes);
	if (p->debt_nbit > 0)
		p->held = false;
}

/**
 * rxe_cc_pacer_set_rate() - the rate changes
 * @p: schedule
 * @now_ns: time
 * @rate_bps: new rate, not 0
 *
 * What is left of the wait is work, to be done at the new rate: so a flow that was
 * at its floor starts at once when it may. So is what a held flow is behind by.
 *
 * Return: true when it is another rate than before.
 */
static inline bool rxe_cc_pacer_set_rate(struct rxe_cc_pacer *p, u64 now_ns,
					 u64 rate_bps)
{
	if (p->rate_bps == rate_bps)
		return false;
	rxe_cc_pacer_settle(p, now_ns, S64_MAX);
	p->rate_bps = rate_bps;
	return true;
}

/**
 * rxe_cc_pacer_within() - the next packet need not wait for longer than that
 * @p: schedule, accounted for until now
 * @ns: time, at most 10 ms: the product has to fit
 *
 * What is owed beyond that is forgiven.
 */
static inline void rxe_cc_pacer_within(struct rxe_cc_pacer *p, u64 ns)
{
	p->debt_nbit = min(p->debt_nbit, (s64)(p->rate_bps * ns));
}

/**
 * rxe_cc_window_rate_bps() - pace that a window stands for
 * @cwnd_bytes: window; above 1 GB it counts as that
 * @rtt_ns: round-trip time, not 0
 *
 * Return: bit/s, in [RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS].
 */
static inline u64 rxe_cc_window_rate_bps(u64 cwnd_bytes, u64 rtt_ns)
{
	u64 bps = rxe_cc_muldiv(min_t(u64, cwnd_bytes, BIT(30)) * 8,
				      NSEC_PER_SEC, rtt_ns);

	return clamp(bps, RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS);
}

#endif /* _RXE_CC_PACER_H */
