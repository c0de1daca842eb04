// SPDX-License-Identifier: GPL-2.0
/*
 * LSCC's arithmetic (Long et al., "LSCC: Link-Segmented Congestion Control for RDMA in
 * Cross-Datacenter Networks"), Algorithms 1 and 2.
 *
 * Rate calculation, each T, at the end where the long link's packets come in:
 *
 *	Ra = (Q - Qref) / T - sum of the N adjustments that are under way
 *	R  = BR - Ra, at most dR away from the last R, within Rmin .. Rmax
 *	the adjustment BR - R joins the list, the oldest leaves it
 *
 * Rates are whole bit/s. Only BR and (Q - Qref) / T are rounded, towards 0.
 *
 * Rate limiting, at the other end: a counter to which every packet of the link is added,
 * and which decreases at R. It is exact: it counts in units of 1/8e9 byte, which is one
 * bit/s for one nanosecond.
 *
 * What the paper leaves open: before the first feedback and after the last one has
 * expired there is no R, no pseudo queue, and no feedback to senders.
 */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <rxe_cc/cc_math.h>

#include "roce_lscc_rate.h"

/* Far above what any switch sends, far below what 64 bits hold. */
#define ROCE_LSCC_RATE_MAX	BIT_ULL(42)
#define ROCE_LSCC_TERM_MAX	BIT_ULL(60)

/**
 * roce_lscc_calc_init - before the first rate
 * @calc: calculation
 * @rate_bps: the first rate may differ from that by one step
 */
void roce_lscc_calc_init(struct roce_lscc_calc *calc, u64 rate_bps)
{
	memset(calc, 0, sizeof(*calc));
	calc->last_bps = rate_bps;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_calc_init);

/**
 * roce_lscc_mean_bps - the mean rate of what has passed
 * @bytes: wire bytes
 * @span_ns: in which time
 *
 * Return: bit/s, rounded down, below 2^42.
 */
u64 roce_lscc_mean_bps(u64 bytes, u64 span_ns)
{
	return min(rxe_cc_muldiv(bytes, RXE_CC_BIT_NS_PER_BYTE, span_ns), ROCE_LSCC_RATE_MAX - 1);
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_mean_bps);

/**
 * roce_lscc_in_flight - how many adjustments are under way
 * @rtt_ns: round trip of the long link, the paper's 2D
 * @period_ns: the paper's T, not 0
 *
 * A list of another length than N would have R react to what it has reacted to before, so
 * whoever configures a port refuses what is above %ROCE_LSCC_LIST.
 *
 * Return: the nearest whole number to 2D / T, at least 1.
 */
u64 roce_lscc_in_flight(u64 rtt_ns, u64 period_ns)
{
	return max(div64_u64(rtt_ns + period_ns / 2, period_ns), 1ULL);
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_in_flight);

/* (Q - Qref) / T, bit/s, towards 0. */
static s64 roce_lscc_drift(const struct roce_lscc_rule *rule, u64 queue_bytes)
{
	bool below = queue_bytes < rule->qref_bytes;
	u64 bytes = below ? rule->qref_bytes - queue_bytes : queue_bytes - rule->qref_bytes;
	s64 bps = min(rxe_cc_muldiv(bytes, RXE_CC_BIT_NS_PER_BYTE,
				    rule->period_ns), ROCE_LSCC_TERM_MAX);

	return below ? -bps : bps;
}

/**
 * roce_lscc_calc_rate - Algorithm 1
 * @calc: calculation
 * @rule: what it goes by; a list of another length wants roce_lscc_calc_init()
 * @queue_bytes: Q, wire bytes that came by the long link and are in the switch
 * @out_bps: BR, the mean rate at which such bytes left it during the last T
 *
 * Return: R, bit/s.
 */
u64 roce_lscc_calc_rate(struct roce_lscc_calc *calc,
			const struct roce_lscc_rule *rule, u64 queue_bytes, u64 out_bps)
{
	s64 out = min(out_bps, ROCE_LSCC_RATE_MAX - 1);
	s64 last = calc->last_bps, step = min(rule->step_bps, ROCE_LSCC_RATE_MAX);
	s64 rate = out - (roce_lscc_drift(rule, queue_bytes) - calc->sum);

	rate = clamp(rate, last - step, last + step);
	rate = clamp_t(s64, rate, rule->min_bps, rule->max_bps);
	calc->last_bps = rate;

	calc->sum += out - rate - calc->list[calc->head];
	calc->list[calc->head] = out - rate;
	if (++calc->head >= rule->in_flight)
		calc->head = 0;
	return rate;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_calc_rate);

static void roce_lscc_forget(struct roce_lscc_limit *limit)
{
	limit->rate_bps = 0;
	limit->bytes = 0;
	limit->rem = 0;
}

/* Serve the queue for so long. */
static void roce_lscc_serve(struct roce_lscc_limit *limit, u64 span_ns)
{
	u64 out = rxe_cc_muldiv(limit->rate_bps, span_ns, RXE_CC_BIT_NS_PER_BYTE);

	if (out >= limit->bytes) {
		limit->bytes = 0;
		limit->rem = 0;
		return;
	}
	/* Below 8e9, so that the lower halves of the products do. */
	limit->rem += limit->rate_bps * span_ns - out * RXE_CC_BIT_NS_PER_BYTE;
	if (limit->rem >= RXE_CC_BIT_NS_PER_BYTE) {
		limit->rem -= RXE_CC_BIT_NS_PER_BYTE;
		out++;
	}
	limit->bytes -= out;
	if (!limit->bytes)
		limit->rem = 0;
}

/**
 * roce_lscc_settle - bring the pseudo queue up to date
 * @limit: queue
 * @expiry_ns: a rate is in force for so long
 * @now_ns: present time
 *
 * Return: true when the rate has expired since the last call.
 */
bool roce_lscc_settle(struct roce_lscc_limit *limit, u64 expiry_ns, u64 now_ns)
{
	if (!limit->rate_bps)
		return false;
	if (now_ns - limit->heard_ns >= expiry_ns) {
		roce_lscc_forget(limit);
		return true;
	}
	roce_lscc_serve(limit, now_ns - limit->at_ns);
	limit->at_ns = now_ns;
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_settle);

/**
 * roce_lscc_is_new - is a feedback message newer than the one in force?
 * @limit: queue, settled
 * @seq: its number
 * @peer_ns: its time
 *
 * Both number and time must have moved on, so that an old message is none the better
 * for a new number. When no rate is in force any message will do: the peer may have
 * started again, from another number and time.
 *
 * Return: true if so.
 */
bool roce_lscc_is_new(const struct roce_lscc_limit *limit, u32 seq, u64 peer_ns)
{
	return !limit->rate_bps || ((s32)(seq - limit->seq) > 0 && peer_ns > limit->peer_ns);
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_is_new);

/**
 * roce_lscc_hear - a new rate is in force
 * @limit: queue, settled
 * @seq: number of its message
 * @peer_ns: time in its message
 * @rate_bps: rate, not 0
 * @now_ns: present time
 */
void roce_lscc_hear(struct roce_lscc_limit *limit, u32 seq, u64 peer_ns, u64 rate_bps, u64 now_ns)
{
	limit->seq = seq;
	limit->peer_ns = peer_ns;
	limit->rate_bps = rate_bps;
	limit->heard_ns = now_ns;
	limit->at_ns = now_ns;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_hear);

/**
 * roce_lscc_add - a packet goes out by the long link
 * @limit: queue, settled
 * @wire_bytes: its length
 */
void roce_lscc_add(struct roce_lscc_limit *limit, u32 wire_bytes)
{
	if (limit->rate_bps)
		limit->bytes += wire_bytes;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_add);

/**
 * roce_lscc_is_long - is the pseudo queue at its reference, or above?
 * @limit: queue, settled
 * @qref_bytes: the paper's Q*ref
 *
 * Return: true if so.
 */
bool roce_lscc_is_long(const struct roce_lscc_limit *limit, u64 qref_bytes)
{
	return limit->rate_bps && limit->bytes >= qref_bytes + !!limit->rem;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_is_long);

/**
 * roce_lscc_period - which period it is
 * @since_ns: start of the first
 * @period_ns: the paper's T, not 0
 * @now_ns: present time
 *
 * Marks are of the period in which they were set, so that none has to be reset.
 *
 * Return: its number, from 1.
 */
u64 roce_lscc_period(u64 since_ns, u64 period_ns, u64 now_ns)
{
	return div64_u64(now_ns - since_ns, period_ns) + 1;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_period);

/**
 * roce_lscc_count - a flow has sent a packet
 * @flow: its flow
 * @whom: who is told
 * @wire_bytes: its length
 * @now_ns: present time, not 0
 *
 * TxBytes tells which flows may have had feedback of the other end. That of before a silence
 * of a round trip is about a network that has changed since, so the flow begins anew.
 */
void roce_lscc_count(struct roce_lscc_flow *flow, const struct roce_lscc_whom *whom,
		     u32 wire_bytes, u64 now_ns)
{
	if (now_ns - flow->sent_ns >= whom->idle_ns)
		flow->tx_bytes = 0;
	flow->sent_ns = now_ns;
	flow->tx_bytes += wire_bytes;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_count);

/**
 * roce_lscc_due - is the sender of a packet to be told, now that the queue is long?
 * @flow: its flow, which has the packet
 * @whom: who is told
 * @marked: it is marked in this period
 * @now_ns: present time, not 0
 *
 * Return: if %ROCE_LSCC_TELL the interval has begun.
 */
enum roce_lscc_due roce_lscc_due(struct roce_lscc_flow *flow,
				 const struct roce_lscc_whom *whom, bool marked, u64 now_ns)
{
	if (!marked && flow->tx_bytes >= whom->threshold_bytes)
		return ROCE_LSCC_NOT;
	if (flow->cnp_ns && now_ns - flow->cnp_ns < whom->interval_ns)
		return ROCE_LSCC_DAMPED;
	flow->cnp_ns = now_ns;
	return ROCE_LSCC_TELL;
}
EXPORT_SYMBOL_IF_KUNIT(roce_lscc_due);
