// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC's reaction to telemetry (SIGCOMM 2019, Algorithm 1).
 *
 * For each port i on the path, from what it reported last time (L) and now:
 *
 *	txRate_i = (txBytes - L.txBytes) / (ts - L.ts)
 *	u_i = min(qlen, L.qlen) / (B T) + txRate_i / B		(Eq. 2)
 *
 *	u = max u_i, tau = ts - L.ts of that port, at most T
 *	U = (1 - tau/T) U + tau/T u
 *
 * With R = W / T, Rc = Wc / T and AI = W_ai / T the window's step is
 *
 *	R = Rc / (U / eta) + AI		if U >= eta or incStage >= maxStage
 *	R = Rc + AI			otherwise
 *
 * and is committed, Rc = R, once per round trip: when an ACK has reached the
 * first packet sent after the last commit.
 *
 * Differences from the paper:
 * - The paper leaves out what must be guarded. The first sample becomes L and
 *   nothing else; a port whose time has not moved is not looked at, and none has
 *   moved on far more than the own clock; of a path
 *   that has changed L starts anew while Rc and U stay. A sample that
 *   contradicts the one before becomes L too (if the older one was the wrong
 *   one, nothing else would end the contradiction) but does not touch U; one
 *   that is impossible in itself changes nothing. Only a sample that updates U
 *   computes a window.
 * - R is held between the flow's floor and line rate, that is W between floor
 *   x T and W_init; so is what is committed.
 * - Without fast reaction, ACKs between two commits are not looked at, as in the
 *   public simulator: L and tau then span the whole round trip.
 *
 * Scales: U in Q36, rates in bit/s in Q16. U moves by (u - U) tau/T, which is
 * lost below one step: with T a million times tau and Q24 it would stop 6 % off,
 * with Q36 it stops at 1.5e-5.
 */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/time64.h>
#include <rxe_cc/hpcc_rp.h>

/* After so long without feedback a sender's path counts as silent. */
#define HPCC_SILENT_NS		(2 * (u64)NSEC_PER_SEC)

/* So long a receiver may leave a commit out at most, whatever queues a packet claims: far
 * above any round trip.
 */
#define HPCC_PERIOD_MAX_NS	BIT_ULL(26)

/**
 * rxe_hpcc_init() - a flow begins, at line rate, with U of 1
 * @h: state, overwritten
 * @ctx: parameters
 */
void rxe_hpcc_init(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx)
{
	*h = (struct rxe_hpcc) {
		.rc_q16 = ctx->line_q16,
		.u_q36 = BIT_ULL(RXE_HPCC_U_SHIFT),
	};
}
EXPORT_SYMBOL_GPL(rxe_hpcc_init);

static bool hpcc_silent(const struct rxe_hpcc *h, const struct rxe_cc_sample *s)
{
	return s->now_ns - h->path.heard_ns > HPCC_SILENT_NS;
}

/**
 * struct hpcc_max - the port that decides
 * @u_q36: its u
 * @tau_ns: time between its two samples; 0: no port yet
 * @port: its index
 */
struct hpcc_max {
	u64 u_q36;
	u64 tau_ns;
	u8 port;
};

/* The last port of a sample may be a pseudo queue. */
static bool hpcc_is_pseudo(const struct rxe_hpcc_ctx *ctx,
			   const struct rxe_cc_sample *s, unsigned int i)
{
	return ctx->pseudo_t_ns && i + 1 == s->nr_hops;
}

/* u_i of one port. */
static void hpcc_port(const struct rxe_hpcc_ctx *ctx, const struct rxe_cc_sample *s,
		      const struct rxe_cc_path_step *step, unsigned int i, struct hpcc_max *m)
{
	const struct rxe_cc_int_hop *hop = &s->hops[i];
	u32 queue_bytes = min(hop->qlen_bytes, step->qlen_before);
	u64 u_q36;

	if (!step->dt_ns)
		return;
	u_q36 = rxe_cc_load_q36(step->tx_bytes, hop->rate_bps, step->dt_ns);
	if (queue_bytes)
		u_q36 = rxe_cc_sat_add(u_q36,
				       rxe_cc_load_q36(queue_bytes, hop->rate_bps,
						       hpcc_is_pseudo(ctx, s, i) ?
						       ctx->pseudo_t_ns : ctx->t_ns));
	if (u_q36 > m->u_q36 || !m->tau_ns) {
		m->u_q36 = min(u_q36, RXE_HPCC_U_MAX);
		m->tau_ns = step->dt_ns;
		m->port = i;
	}
}

static void hpcc_average(struct rxe_hpcc *h, const struct hpcc_max *m, u64 t_ns)
{
	if (m->tau_ns >= t_ns)
		h->u_q36 = m->u_q36;
	else if (m->u_q36 >= h->u_q36)
		h->u_q36 += rxe_cc_muldiv(m->u_q36 - h->u_q36, m->tau_ns, t_ns);
	else
		h->u_q36 -= rxe_cc_muldiv(h->u_q36 - m->u_q36, m->tau_ns, t_ns);
}

/**
 * rxe_hpcc_measure() - MeasureInflight: update U from one sample
 * @h: state
 * @ctx: parameters
 * @s: telemetry and time
 *
 * Return: what the telemetry was good for; U has changed with
 * %RXE_CC_TELEMETRY_USED only. After %RXE_CC_TELEMETRY_COUNT and
 * %RXE_CC_TELEMETRY_SPEED nothing has.
 */
enum rxe_cc_telemetry rxe_hpcc_measure(struct rxe_hpcc *h,
				       const struct rxe_hpcc_ctx *ctx,
				       const struct rxe_cc_sample *s)
{
	struct rxe_cc_path_step step[RXE_CC_MAX_HOPS];
	enum rxe_cc_telemetry verdict;
	struct hpcc_max m = {};
	unsigned int i;

	verdict = rxe_cc_path_compare(&h->path, s, ctx->pseudo_t_ns, step);
	if (verdict != RXE_CC_TELEMETRY_USED)
		return verdict;
	for (i = 0; i < s->nr_hops; i++)
		hpcc_port(ctx, s, &step[i], i, &m);
	h->busiest = m.port;
	hpcc_average(h, &m, ctx->t_ns);
	return RXE_CC_TELEMETRY_USED;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_measure);

/**
 * rxe_hpcc_rate() - ComputeWind: the rate that U stands for
 * @h: state
 * @ctx: parameters
 * @commit: updateWc: it becomes the reference
 *
 * Return: W / T in bit/s, Q16, within floor and line rate.
 */
u64 rxe_hpcc_rate(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx,
		  bool commit)
{
	u64 eta_q36 = (u64)ctx->eta_q24 << (RXE_HPCC_U_SHIFT - RXE_CC_Q24_SHIFT);
	bool step = h->u_q36 >= eta_q36 || h->inc_stage >= ctx->max_stage;
	bool last = ctx->last_ai_q16 && h->busiest + 1 == h->path.nr;
	u64 rate_q16 = h->rc_q16, u_q36 = h->u_q36;

	/* U of 0 is an idle path: the quotient saturates, the clamp decides. */
	if (step)
		rate_q16 = rxe_cc_muldiv(rate_q16, eta_q36, max(u_q36, 1ULL));
	rate_q16 = rxe_cc_sat_add(rate_q16, last ? ctx->last_ai_q16 :
						  ctx->ai_q16);
	rate_q16 = clamp(rate_q16, ctx->min_q16, ctx->line_q16);
	if (commit) {
		h->rc_q16 = rate_q16;
		h->inc_stage = step ? 0 : h->inc_stage + 1;
	}
	return rate_q16;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_rate);

/* Has the first packet sent with the present Wc been acknowledged? */
static bool hpcc_acked(const struct rxe_hpcc *h, const struct rxe_cc_sample *s)
{
	return s->seq >= h->update;
}

/**
 * rxe_hpcc_step() - NewAck, for who has more than one loop: telemetry came back
 * @h: state of the loop
 * @ctx: parameters; T of the loop
 * @s: with telemetry
 * @rate_q16: W / T in bit/s, Q16: the present one, replaced when there is another
 *
 * Return: what the telemetry was good for; %RXE_CC_TELEMETRY_NONE when it was
 * not looked at because there is no fast reaction. @rate_q16 has changed with
 * %RXE_CC_TELEMETRY_USED only.
 */
enum rxe_cc_telemetry rxe_hpcc_step(struct rxe_hpcc *h,
				    const struct rxe_hpcc_ctx *ctx,
				    const struct rxe_cc_sample *s,
				    u64 *rate_q16)
{
	enum rxe_cc_telemetry verdict = RXE_CC_TELEMETRY_NONE;
	bool first = !h->path.nr, commit = !first && hpcc_acked(h, s);

	if (ctx->fast || commit || first)
		verdict = rxe_hpcc_measure(h, ctx, s);
	if (verdict == RXE_CC_TELEMETRY_USED)
		*rate_q16 = rxe_hpcc_rate(h, ctx, commit);
	if (first || (commit && verdict == RXE_CC_TELEMETRY_USED))
		h->update = s->next_seq;
	return verdict;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_step);

/**
 * rxe_hpcc_ack() - NewAck: telemetry came back to the sender
 * @h: state
 * @ctx: parameters
 * @flow: flow; its rate and window are set
 * @s: the ACK, with telemetry
 *
 * The window follows T even when the telemetry is of no use.
 *
 * Return: as rxe_hpcc_step().
 */
enum rxe_cc_telemetry rxe_hpcc_ack(struct rxe_hpcc *h,
				   const struct rxe_hpcc_ctx *ctx,
				   struct rxe_cc_flow *flow,
				   const struct rxe_cc_sample *s)
{
	u64 rate_q16 = flow->rate_bps << RXE_HPCC_RATE_SHIFT;
	enum rxe_cc_telemetry verdict = rxe_hpcc_step(h, ctx, s, &rate_q16);

	rxe_hpcc_apply(flow, rate_q16, ctx->t_ns);
	return verdict;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_ack);

/**
 * rxe_hpcc_early() - a switch on the path reports the queue that a packet met
 * @h: state
 * @ctx: parameters
 * @flow: flow; its rate and window may be lowered
 * @s: the report; its hops end with the congested port
 *
 * A port with a queue sends all the time, so u = qlen / (B T) + 1, without L. When
 * that is more than U and lowers the rate, it becomes U, as an ACK would make it after
 * a T, and the rate follows at once; it is committed by the rule for ACKs, which go on
 * from there. L stays. A report that does not lower the rate changes nothing: U is what
 * the present rate was computed from.
 *
 * Return: what the telemetry was good for; %RXE_CC_TELEMETRY_NONE when it said
 * nothing worse than what is known.
 */
enum rxe_cc_telemetry rxe_hpcc_early(struct rxe_hpcc *h,
				     const struct rxe_hpcc_ctx *ctx,
				     struct rxe_cc_flow *flow,
				     const struct rxe_cc_sample *s)
{
	const struct rxe_cc_int_hop *hop;
	struct rxe_hpcc next = *h;
	u64 rate_q16, u_q36;

	if (!s->nr_hops || s->nr_hops > RXE_CC_MAX_HOPS)
		return RXE_CC_TELEMETRY_COUNT;
	hop = &s->hops[s->nr_hops - 1];
	if (!hop->rate_bps)
		return RXE_CC_TELEMETRY_SPEED;
	u_q36 = rxe_cc_sat_add(BIT_ULL(RXE_HPCC_U_SHIFT),
			       rxe_cc_load_q36(hop->qlen_bytes, hop->rate_bps,
					       ctx->t_ns));
	next.u_q36 = min(u_q36, RXE_HPCC_U_MAX);
	if (next.u_q36 <= h->u_q36)
		return RXE_CC_TELEMETRY_NONE;
	next.busiest = s->nr_hops - 1;
	rate_q16 = rxe_hpcc_rate(&next, ctx, h->path.nr && hpcc_acked(h, s));
	if (rate_q16 >= flow->rate_bps << RXE_HPCC_RATE_SHIFT)
		return RXE_CC_TELEMETRY_NONE;
	if (h->path.nr && hpcc_acked(h, s))
		next.update = s->next_seq;
	*h = next;
	rxe_hpcc_apply(flow, rate_q16, ctx->t_ns);
	return RXE_CC_TELEMETRY_USED;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_early);

/* U is below 2^8, so of one window an honest receiver leaves more than eta / 2^8. Less is
 * reported by one whose windows before that got lost, or whose sender has begun anew: then
 * the next round trip takes the rest. Or by somebody else.
 */
#define HPCC_FB_SHIFT		(RXE_HPCC_U_BITS - RXE_HPCC_U_SHIFT)

static u64 hpcc_fb_floor(const struct rxe_hpcc *h,
			 const struct rxe_hpcc_ctx *ctx)
{
	return rxe_cc_mul_q(h->rc_q16, ctx->eta_q24,
			    RXE_CC_Q24_SHIFT + HPCC_FB_SHIFT) >>
	       RXE_HPCC_RATE_SHIFT;
}

/* By the clock and not by numbers of packets: who forges a report chooses the number. */
static bool hpcc_round_over(const struct rxe_hpcc *h,
			    const struct rxe_hpcc_ctx *ctx,
			    const struct rxe_cc_sample *s)
{
	return h->path.nr != RXE_HPCC_FEEDBACK || s->now_ns - h->round.since_ns >= ctx->t_ns;
}

/**
 * rxe_hpcc_feedback() - the receiver computed a window
 * @h: state
 * @ctx: parameters
 * @flow: flow; its rate and window are set
 * @s: the ACK or report
 * @rate_q16: W / T in bit/s, Q16, with the T for which the receiver computed W
 *
 * The rate becomes the reference, within floor and line rate; so that telemetry
 * which comes later starts from there. All that is reported within a T takes no more off
 * than one window of an honest receiver may.
 */
void rxe_hpcc_feedback(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx,
		       struct rxe_cc_flow *flow, const struct rxe_cc_sample *s,
		       u64 rate_q16)
{
	if (hpcc_round_over(h, ctx, s))
		h->round = (struct rxe_hpcc_round) {
			.since_ns = s->now_ns,
			.floor_bps = hpcc_fb_floor(h, ctx),
		};
	rate_q16 = max(rate_q16, h->round.floor_bps << RXE_HPCC_RATE_SHIFT);
	rate_q16 = clamp(rate_q16, ctx->min_q16, ctx->line_q16);
	h->rc_q16 = rate_q16;
	h->inc_stage = 0;
	h->u_q36 = BIT_ULL(RXE_HPCC_U_SHIFT);
	h->path.heard_ns = s->now_ns;
	h->path.nr = RXE_HPCC_FEEDBACK;
	h->update = s->next_seq;
	rxe_hpcc_apply(flow, rate_q16, ctx->t_ns);
}
EXPORT_SYMBOL_GPL(rxe_hpcc_feedback);

/**
 * rxe_hpcc_unheard() - an ACK brought neither telemetry nor a window
 * @h: state
 * @ctx: parameters
 * @flow: flow; its rate and window are set
 * @s: the ACK
 *
 * Nobody knows what a rate is good for that was computed long ago. When the first
 * such ACK after two seconds is followed by two more seconds without anything
 * else, the flow is as at its start. So an idle flow keeps its rate, which hears
 * something soon after its first ACK. The window follows T.
 */
void rxe_hpcc_unheard(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx,
		      struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	u64 rate_q16 = flow->rate_bps << RXE_HPCC_RATE_SHIFT;

	if (h->path.nr && hpcc_silent(h, s)) {
		if (h->path.nr == RXE_HPCC_VOID) {
			rxe_hpcc_init(h, ctx);
			rate_q16 = h->rc_q16;
		} else {
			h->path.nr = RXE_HPCC_VOID;
			h->path.heard_ns = s->now_ns;
		}
	}
	rxe_hpcc_apply(flow, rate_q16, ctx->t_ns);
}
EXPORT_SYMBOL_GPL(rxe_hpcc_unheard);

/* When what a receiver reports now shows in what arrives: W must reach the sender, and
 * what that sends must pass the queues.
 */
static u64 hpcc_shows(const struct rxe_hpcc_ctx *ctx,
		      const struct rxe_cc_sample *s)
{
	u64 ns = ctx->t_ns;
	unsigned int i;

	for (i = 0; i < s->nr_hops; i++)
		ns = rxe_cc_sat_add(ns, rxe_cc_ns_for(s->hops[i].qlen_bytes,
						      s->hops[i].rate_bps));
	return s->now_ns + min(ns, HPCC_PERIOD_MAX_NS);
}

/**
 * rxe_hpcc_data() - NewINT: telemetry reached the receiver (Rx-HPCC)
 * @h: state
 * @ctx: parameters; of the sender's path, fast reaction or not
 * @s: the data packet, with telemetry
 * @rate_q16: W / T to report to the sender, in bit/s, Q16; 0: nothing
 *
 * Commits, and has something to report, when more than a round trip has passed since
 * it last did: T and the queues that the path had then. Between, U is measured and
 * nothing else: nobody would hear of it.
 *
 * Return: what the telemetry was good for.
 */
enum rxe_cc_telemetry rxe_hpcc_data(struct rxe_hpcc *h,
				    const struct rxe_hpcc_ctx *ctx,
				    const struct rxe_cc_sample *s,
				    u64 *rate_q16)
{
	enum rxe_cc_telemetry verdict = rxe_hpcc_measure(h, ctx, s);

	*rate_q16 = 0;
	if (verdict == RXE_CC_TELEMETRY_FIRST) {
		h->update = s->now_ns + min(ctx->t_ns, HPCC_PERIOD_MAX_NS);
	} else if (verdict == RXE_CC_TELEMETRY_USED &&
		   s->now_ns > h->update) {
		*rate_q16 = rxe_hpcc_rate(h, ctx, true);
		h->update = hpcc_shows(ctx, s);
	}
	return verdict;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_data);

/**
 * rxe_hpcc_changed() - parameters, floor or line rate have new values
 * @h: state
 * @ctx: the new values
 *
 * A flow that has heard nothing yet goes to the new line rate; another keeps its
 * rate as far as the bounds allow.
 */
void rxe_hpcc_changed(struct rxe_hpcc *h, const struct rxe_hpcc_ctx *ctx)
{
	u64 rc_q16 = h->rc_q16;

	if (!h->path.nr)
		rc_q16 = ctx->line_q16;
	h->rc_q16 = clamp(rc_q16, ctx->min_q16, ctx->line_q16);
}
EXPORT_SYMBOL_GPL(rxe_hpcc_changed);

/**
 * rxe_hpcc_dump() - state for people
 * @h: state
 * @vars: at least RXE_HPCC_NR_VARS to fill
 *
 * Return: how many were filled.
 */
unsigned int rxe_hpcc_dump(const struct rxe_hpcc *h, struct rxe_cc_var *vars)
{
	const struct rxe_cc_var v[RXE_HPCC_NR_VARS] = {
		{ "reference_bps", h->rc_q16 >> RXE_HPCC_RATE_SHIFT },
		{ "u_q24", h->u_q36 >> (RXE_HPCC_U_SHIFT - RXE_CC_Q24_SHIFT) },
		{ "inc_stage", h->inc_stage },
		{ "update_seq", h->update },
		{ "hops", h->path.nr <= RXE_CC_MAX_HOPS ? h->path.nr : 0 },
		{ "busiest_hop", h->busiest },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(v); i++)
		vars[i] = v[i];
	return i;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_dump);

/* What rxe_hpcc_dump() has of it, for algorithms that use this library. */
const struct rxe_cc_signal rxe_hpcc_signal = {
	.var	= "u_q24",
	.name	= "U",
	.unit	= "q24",
	.help	= ", how full the fullest port on its way is",
	.lines	= { "eta" },
};
EXPORT_SYMBOL_GPL(rxe_hpcc_signal);
