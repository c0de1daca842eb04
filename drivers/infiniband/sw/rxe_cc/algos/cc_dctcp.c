// SPDX-License-Identifier: GPL-2.0
/*
 * DCTCP for RDMA: RFC 8257, section 3, with the window of RFC 5681.
 *
 *	M = marked bytes / received bytes		of a window of data
 *	alpha = (1 - g) alpha + g M			at its end
 *	mark		W = W (1 - alpha / 2)		once a window of data
 *	no mark		W = W + acked			W < ssthresh (slow start)
 *			W = W + packet acked / W	else
 *	NAK		W = W / 2			once a window of data
 *	timeout		ssthresh = W / 2, two packets at least, then W = a packet
 *
 * Switches mark (ECN). The receiver counts the bytes that came and those of them that were
 * marked, and tells both totals in each ACK: what one that is lost has told the next tells, too.
 *
 * Differences from the RFC:
 *  - TCP has one bit, ECE, and a state machine at the receiver to make it follow the marks in
 *    spite of delayed ACKs. Totals need neither.
 *  - W starts at line rate x base RTT, as flows of RoCE do, and not at ten packets. From there
 *    it is in slow start.
 *  - After a timeout ssthresh is half of W, not of what was in flight, which is gone by then.
 *  - W may be below two packets, down to min_cwnd: below one the core paces. TCP stops at one
 *    or two.
 *  - W grows only while it is what holds the flow back (RFC 5681 leaves that to RFC 7661).
 *  - A READ response has no window, so a responder has no control.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/version.h>

/* Windows have 16 fractional bits of a byte: many small steps add up. */
#define DCTCP_SHIFT		16
#define DCTCP_MAX_Q16		BIT_ULL(56)
#define DCTCP_MAX_ACKED		BIT_ULL(40)

/* Packets to start with while nobody knows the base RTT. */
#define DCTCP_START_PKTS	10

/* Feedback: totals of the receiver. */
enum {
	DCTCP_FB_BYTES,
	DCTCP_FB_MARKED,
	DCTCP_NR_FB,
};

enum {
	DCTCP_G,
	DCTCP_MIN_CWND,
	DCTCP_NR_PARAMS,
};

static const struct rxe_cc_param dctcp_params[] = {
	[DCTCP_G] = {
		"g", "q24", 1, RXE_CC_Q24(1, 1), RXE_CC_Q24(1, 16),
		"weight of the newest window of data in alpha"
	},
	[DCTCP_MIN_CWND] = {
		"min_cwnd", "q24", 1, RXE_CC_Q24(65535, 1), RXE_CC_Q24(2, 1),
		"smallest window, in packets"
	},
};

/**
 * struct dctcp - state of a sender
 * @cwnd_q16: W in 2^-16 bytes
 * @ssthresh_q16: below it W is in slow start
 * @alpha_q62: alpha
 * @seen_bytes: the receiver's totals as of the last ACK that told them
 * @seen_marked: likewise
 * @came_bytes: received in this window of data
 * @came_marked: of that, marked
 * @window_end: first packet of the next window of data: alpha follows then
 * @cut_end: first packet that was sent after W went down
 * @cuts: how often it has
 * @told: @seen_bytes is known
 */
struct dctcp {
	u64 cwnd_q16;
	u64 ssthresh_q16;
	u64 alpha_q62;
	u64 seen_bytes;
	u64 seen_marked;
	u64 came_bytes;
	u64 came_marked;
	u64 window_end;
	u64 cut_end;
	u64 cuts;
	bool told;
};

static u64 dctcp_pkt_q16(const struct rxe_cc_flow *flow)
{
	return (u64)flow->pkt_bytes << DCTCP_SHIFT;
}

/* Limit the window and hand it to the core. */
static void dctcp_set(struct dctcp *st, struct rxe_cc_flow *flow, u64 cwnd_q16)
{
	u64 min_q16 = rxe_cc_mul_q(dctcp_pkt_q16(flow), flow->params[DCTCP_MIN_CWND],
				   RXE_CC_Q24_SHIFT);

	min_q16 = clamp(min_q16, BIT_ULL(DCTCP_SHIFT), DCTCP_MAX_Q16);
	st->cwnd_q16 = clamp(cwnd_q16, min_q16, DCTCP_MAX_Q16);
	flow->cwnd_bytes = st->cwnd_q16 >> DCTCP_SHIFT;
	flow->rate_bps = flow->line_rate_bps;
}

static void dctcp_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	u64 bytes = rxe_cc_bytes_in(flow->line_rate_bps, flow->base_rtt_ns);
	struct dctcp *st = rxe_cc_priv(flow);

	/* The core gives no window, a replay perhaps one. */
	if (flow->cwnd_bytes != RXE_CC_NO_WINDOW)
		bytes = flow->cwnd_bytes;
	else if (!flow->base_rtt_ns)
		bytes = (u64)flow->pkt_bytes * DCTCP_START_PKTS;
	st->alpha_q62 = RXE_CC_Q62_ONE;
	st->ssthresh_q16 = DCTCP_MAX_Q16;
	dctcp_set(st, flow, min(bytes, DCTCP_MAX_Q16 >> DCTCP_SHIFT) << DCTCP_SHIFT);
	flow->report = (struct rxe_cc_report) { .nr = DCTCP_NR_FB, .always = true };
}

static void dctcp_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct dctcp *st = rxe_cc_priv(flow);

	dctcp_set(st, flow, st->cwnd_q16);
}

/* Sections 3.3, 1 to 8: the end of a window of data. */
static void dctcp_estimate(struct dctcp *st, const struct rxe_cc_flow *flow,
			   const struct rxe_cc_sample *s)
{
	u64 g_q62 = flow->params[DCTCP_G] << (RXE_CC_Q62_SHIFT - RXE_CC_Q24_SHIFT);
	u64 part;

	if (s->seq < st->window_end || !st->came_bytes)
		return;
	part = rxe_cc_ratio_q(st->came_marked, st->came_bytes, RXE_CC_Q62_SHIFT);
	st->alpha_q62 = rxe_cc_ewma_q62(st->alpha_q62, part, g_q62);
	st->window_end = s->next_seq;
	st->came_bytes = 0;
	st->came_marked = 0;
}

/* W goes down by a part of it, in Q62, unless it has for a packet of this window of data. */
static void dctcp_cut(struct dctcp *st, struct rxe_cc_flow *flow, u64 part,
		      const struct rxe_cc_sample *s)
{
	if (st->cuts && s->seq < st->cut_end)
		return;
	st->cuts++;
	st->cut_end = s->next_seq;
	dctcp_set(st, flow, rxe_cc_mul_q(st->cwnd_q16, RXE_CC_Q62_ONE - part, RXE_CC_Q62_SHIFT));
	st->ssthresh_q16 = st->cwnd_q16;
}

/* Had the window been larger, more would have been sent. */
static bool dctcp_is_limited(const struct dctcp *st, const struct rxe_cc_flow *flow,
			     const struct rxe_cc_sample *s)
{
	u64 was_bytes = rxe_cc_sat_add(s->inflight_bytes, s->bytes);

	return rxe_cc_sat_add(was_bytes, flow->pkt_bytes) > st->cwnd_q16 >> DCTCP_SHIFT;
}

static void dctcp_raise(struct dctcp *st, struct rxe_cc_flow *flow, u64 acked_bytes)
{
	u64 step_q16 = min(acked_bytes, DCTCP_MAX_ACKED) << DCTCP_SHIFT;

	if (st->cwnd_q16 >= st->ssthresh_q16)
		step_q16 = rxe_cc_muldiv(step_q16, dctcp_pkt_q16(flow), st->cwnd_q16);
	dctcp_set(st, flow, rxe_cc_sat_add(st->cwnd_q16, step_q16));
}

/* What the receiver's totals have gained. Ones that contradict the last are kept, so that those
 * of a receiver that has begun anew, or false ones, cost one ACK or two.
 */
static bool dctcp_gained(struct dctcp *st, const struct rxe_cc_sample *s, u64 *marked_bytes)
{
	u64 bytes = s->fb[DCTCP_FB_BYTES] - st->seen_bytes;
	u64 marked = s->fb[DCTCP_FB_MARKED] - st->seen_marked;
	bool use = st->told && (s64)bytes >= 0 && marked <= bytes;

	st->told = true;
	st->seen_bytes = s->fb[DCTCP_FB_BYTES];
	st->seen_marked = s->fb[DCTCP_FB_MARKED];
	if (!use)
		return false;
	st->came_bytes = rxe_cc_sat_add(st->came_bytes, bytes);
	st->came_marked = rxe_cc_sat_add(st->came_marked, marked);
	*marked_bytes = marked;
	return true;
}

static void dctcp_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct dctcp *st = rxe_cc_priv(flow);
	u64 marked_bytes;

	/* Who is not told of marks must not raise anything. */
	if (s->nr_fb < DCTCP_NR_FB || !dctcp_gained(st, s, &marked_bytes))
		return;
	dctcp_estimate(st, flow, s);
	if (marked_bytes)
		dctcp_cut(st, flow, st->alpha_q62 / 2, s);
	else if (dctcp_is_limited(st, flow, s))
		dctcp_raise(st, flow, s->bytes);
}

/* Section 3.5: as any TCP. */
static void dctcp_on_loss(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct dctcp *st = rxe_cc_priv(flow);

	if (s->loss == RXE_CC_LOSS_NAK)
		dctcp_cut(st, flow, RXE_CC_Q62_ONE / 2, s);
	if (s->loss != RXE_CC_LOSS_TIMEOUT)
		return;
	st->ssthresh_q16 = max(st->cwnd_q16 / 2, 2 * dctcp_pkt_q16(flow));
	st->cut_end = s->next_seq;
	st->cuts++;
	dctcp_set(st, flow, dctcp_pkt_q16(flow));
}

/* Receiver: the totals go with each ACK. */
static u32 dctcp_on_data(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	flow->report.fb[DCTCP_FB_BYTES] += s->bytes;
	if (s->ce)
		flow->report.fb[DCTCP_FB_MARKED] += s->bytes;
	return 0;
}

static unsigned int dctcp_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	const struct dctcp *st = (const void *)flow->priv;

	vars[0] = (struct rxe_cc_var) {
		"alpha_q24", st->alpha_q62 >> (RXE_CC_Q62_SHIFT - RXE_CC_Q24_SHIFT)
	};
	vars[1] = (struct rxe_cc_var) { "ssthresh_bytes", st->ssthresh_q16 >> DCTCP_SHIFT };
	vars[2] = (struct rxe_cc_var) { "cuts", st->cuts };
	vars[3] = (struct rxe_cc_var) { "told_bytes", st->seen_bytes };
	vars[4] = (struct rxe_cc_var) { "told_marked_bytes", st->seen_marked };
	return 5;
}

static const struct rxe_cc_signal dctcp_signals[] = { {
	.var	= "alpha_q24",
	.name	= "alpha",
	.unit	= "q24",
	.help	= ", the part of the bytes that was marked, averaged",
} };

static struct rxe_cc_ops dctcp_ops = {
	.on_ack		= dctcp_on_ack,
	.on_loss	= dctcp_on_loss,
	.on_data	= dctcp_on_data,
	.init		= dctcp_init,
	.params_changed	= dctcp_params_changed,
	.dump		= dctcp_dump,
	.params		= dctcp_params,
	.nr_params	= ARRAY_SIZE(dctcp_params),
	.signals	= dctcp_signals,
	.nr_signals	= ARRAY_SIZE(dctcp_signals),
	.needs		= RXE_CC_ALGO_NEED_ECN | RXE_CC_ALGO_NEED_RTT,
	.nr_fb		= DCTCP_NR_FB,
	.priv_size	= sizeof(struct dctcp),
	.all_data	= true,
	.obeys		= true,
	.name		= "dctcp",
	.owner		= THIS_MODULE,
};

static int __init dctcp_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(dctcp_params) != DCTCP_NR_PARAMS);
	return rxe_cc_register(&dctcp_ops);
}

static void __exit dctcp_module_exit(void)
{
	rxe_cc_unregister(&dctcp_ops);
}

module_init(dctcp_module_init);
module_exit(dctcp_module_exit);

MODULE_DESCRIPTION("DCTCP congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("dctcp");
