// SPDX-License-Identifier: GPL-2.0
/*
 * NSCC: Network Signaled Congestion Control, Ultra Ethernet Specification 1.0, section 3.6.13, as
 * far as it works with packets in order and without trimming.
 *
 *	delay = RTT - base RTT, target = target base RTTs, a = BDP / 150000 bytes
 *
 *	not marked, delay < target	inc += alpha packet a acked (target - delay) / 12 us
 *	not marked, delay >= target	inc += fi packet a acked
 *	marked, delay >= target		W = W max(1 - gamma (avg - target) / avg, max_md_jump),
 *					once a base RTT, if avg > target
 *	marked, delay < target		nothing
 *	each period, or adjust_bytes	W = W + inc / W, inc = 0; once a period W = W + eta packet a
 *	delay about 0 for all of W	W = W + fi_scale a acked instead of inc (fast increase)
 *	NAK, or delay > qa_threshold	at the end of a base RTT + target in which less than
 *					max_wnd / 2^qa_gate has arrived: W = what has (quick adapt).
 *					What was under way then is let pass, if it is marked
 *	NAK without that		W = W - packet
 *	timeout				W = packet
 *
 * 12 us and 150000 bytes are the reference network of the specification, 100 Gbit/s and 12 us.
 * Switches mark (ECN). The receiver counts marked bytes and tells the total in each ACK, so a mark
 * is not lost with an ACK. Every packet asks for an ACK, and each is measured.
 *
 * Differences from the specification:
 *  - ACKs of RoCE have no mark and no received bytes. What an ACK acknowledges stands for the
 *    latter: packets come in order.
 *  - A mark of an ACK without an RTT counts with the next that has one.
 *  - A NAK is what a trimmed packet would have told. It names one lost packet, however many are.
 *  - A timeout says that all that was under way is lost. Each packet of it takes one from W, and W
 *    was full or did not matter.
 *  - The average delay is the implementation's. Here a sample has the weight of the time since
 *    the last, in base RTTs, 1 at most.
 *  - "delay about 0" has no number. Here it is clear base RTTs, 1/12, as in the consortium's
 *    simulator.
 *  - The base RTT is the core's, and config_base_rtt is the same: there is no probe packet.
 *  - The penalty of a receiver that is too slow (Rcv_Cwnd_Pend) is left out: RNR and credits
 *    of RoCE say that.
 *  - A READ response has no window, so a responder has no control.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/version.h>

/* Windows have 16 fractional bits of a byte, times of a ns: many small steps add up. */
#define NSCC_SHIFT		16
#define NSCC_MAX_Q16		BIT_ULL(56)
#define NSCC_MAX_ACKED		BIT_ULL(40)

/* Increases are bytes^2 until W divides them. */
#define NSCC_INC_SHIFT		8

/* The network that the constants are for. */
#define NSCC_REF_BYTES		150000
#define NSCC_REF_NS		12000

/* Packets to start with while nobody knows the base RTT. */
#define NSCC_START_PKTS		16

/* Feedback: the receiver's total of marked bytes. */
#define NSCC_NR_FB		1

enum {
	NSCC_TARGET,
	NSCC_MAX_WND,
	NSCC_ALPHA,
	NSCC_FI,
	NSCC_FI_SCALE,
	NSCC_ETA,
	NSCC_GAMMA,
	NSCC_MAX_MD_JUMP,
	NSCC_CLEAR,
	NSCC_QUICK_ADAPT,
	NSCC_QA_THRESHOLD,
	NSCC_QA_GATE,
	NSCC_ADJUST_BYTES,
	NSCC_ADJUST_PERIOD,
	NSCC_NR_PARAMS,
};

static const struct rxe_cc_param nscc_params[] = {
	[NSCC_TARGET] = {
		"target_qdelay", "q24", RXE_CC_Q24(1, 1024), RXE_CC_Q24(1000, 1), RXE_CC_Q24(1, 1),
		"queueing delay that is aimed at, in base RTTs"
	},
	[NSCC_MAX_WND] = {
		"max_wnd", "q24", RXE_CC_Q24(1, 1024), RXE_CC_Q24(1000, 1), RXE_CC_Q24(3, 2),
		"largest window, and the first, in BDPs"
	},
	[NSCC_ALPHA] = {
		"alpha", "q24", 0, RXE_CC_Q24(1000, 1), RXE_CC_Q24(4, 1),
		"proportional increase of the reference network: packets in an RTT without delay"
	},
	[NSCC_FI] = {
		"fi", "q24", 0, RXE_CC_Q24(1000, 1), RXE_CC_Q24(5, 1),
		"fair increase of the reference network: packets in an RTT"
	},
	[NSCC_FI_SCALE] = {
		"fi_scale", "q24", 0, RXE_CC_Q24(1000, 1), RXE_CC_Q24(1, 4),
		"fast increase of the reference network: part of the window in an RTT"
	},
	[NSCC_ETA] = {
		"eta", "q24", 0, RXE_CC_Q24(1000, 1), RXE_CC_Q24(3, 20),
		"increase in any case of the reference network: packets in a period"
	},
	[NSCC_GAMMA] = {
		"gamma", "q24", 0, RXE_CC_Q24(1, 1), RXE_CC_Q24(4, 5),
		"part of the excess delay by which the window goes down"
	},
	[NSCC_MAX_MD_JUMP] = {
		"max_md_jump", "q24", 0, RXE_CC_Q24(1, 1), RXE_CC_Q24(1, 2),
		"least part of the window that such a step leaves"
	},
	[NSCC_CLEAR] = {
		"clear", "q24", 0, RXE_CC_Q24(1000, 1), RXE_CC_Q24(1, 12),
		"delay below which the path counts as idle, in base RTTs"
	},
	[NSCC_QUICK_ADAPT] = {
		"quick_adapt", "bool", 0, 1, 1,
		"set the window to what arrived, after a loss or a very long delay"
	},
	[NSCC_QA_THRESHOLD] = {
		"qa_threshold", "q24", 0, RXE_CC_Q24(1000, 1), RXE_CC_Q24(4, 1),
		"delay above which that is done, in target_qdelay"
	},
	[NSCC_QA_GATE] = {
		"qa_gate", "count", 0, 63, 3,
		"only if less than max_wnd / 2^this has arrived"
	},
	[NSCC_ADJUST_BYTES] = {
		"adjust_bytes", "q24", RXE_CC_Q24(1, 1), RXE_CC_Q24(65535, 1), RXE_CC_Q24(8, 1),
		"packets acknowledged after which increases take effect"
	},
	[NSCC_ADJUST_PERIOD] = {
		"adjust_period", "q24", RXE_CC_Q24(1, 1024), RXE_CC_Q24(1000, 1), RXE_CC_Q24(1, 1),
		"time after which they do, in base RTTs"
	},
};

/**
 * struct nscc - state of a sender
 * @cwnd_q16: W in 2^-16 bytes
 * @inc_q8: increases that have not taken effect, bytes^2 in Q8
 * @avg_q16: average queueing delay, 2^-16 ns
 * @avg_ns: time of its last sample
 * @delay_ns: that sample
 * @dec_ns: when W was last multiplied
 * @adjust_ns: when eta was last added
 * @qa_end_ns: when quick adapt may be next; 0 before the first ACK
 * @achieved_bytes: arrived since it could be last
 * @received_bytes: arrived since increases took effect
 * @idle_bytes: arrived in a row without delay
 * @ignore_bytes: under way at the last quick adapt
 * @ignored_bytes: arrived since
 * @seen_marked: the receiver's total as of the last ACK that was used
 * @cuts: how often W was multiplied
 * @adapts: how often it was set to what had arrived
 * @told: @seen_marked is known
 * @begun: something was heard, so W is no longer the first window
 * @fast: in fast increase
 * @trigger_qa: a packet was lost, and W not set since
 */
struct nscc {
	u64 cwnd_q16;
	u64 inc_q8;
	u64 avg_q16;
	u64 avg_ns;
	u64 delay_ns;
	u64 dec_ns;
	u64 adjust_ns;
	u64 qa_end_ns;
	u64 achieved_bytes;
	u64 received_bytes;
	u64 idle_bytes;
	u64 ignore_bytes;
	u64 ignored_bytes;
	u64 seen_marked;
	u32 cuts;
	u32 adapts;
	bool told;
	bool begun;
	bool fast;
	bool trigger_qa;
};

/* So that products with the largest parameters fit. */
static u64 nscc_base_ns(const struct rxe_cc_flow *flow)
{
	return clamp(flow->base_rtt_ns, 1ULL, (u64)NSEC_PER_SEC);
}

/* A number of base RTTs in 2^-16 ns. */
static u64 nscc_rtts_q16(const struct rxe_cc_flow *flow, u64 rtts_q24)
{
	return rxe_cc_mul_q(nscc_base_ns(flow) << NSCC_SHIFT, rtts_q24, RXE_CC_Q24_SHIFT);
}

static u64 nscc_target_q16(const struct rxe_cc_flow *flow)
{
	return nscc_rtts_q16(flow, flow->params[NSCC_TARGET]);
}

static u64 nscc_pkt_q16(const struct rxe_cc_flow *flow)
{
	return (u64)flow->pkt_bytes << NSCC_SHIFT;
}

static u64 nscc_bdp(const struct rxe_cc_flow *flow)
{
	return rxe_cc_bytes_in(flow->line_rate_bps, nscc_base_ns(flow));
}

/* A parameter of the reference network, for this one. */
static u64 nscc_scaled_q24(const struct rxe_cc_flow *flow, unsigned int param)
{
	return rxe_cc_muldiv(flow->params[param], nscc_bdp(flow), NSCC_REF_BYTES);
}

static u64 nscc_max_q16(const struct rxe_cc_flow *flow)
{
	u64 bytes = rxe_cc_mul_q(nscc_bdp(flow), flow->params[NSCC_MAX_WND], RXE_CC_Q24_SHIFT);

	if (!flow->base_rtt_ns)
		bytes = (u64)flow->pkt_bytes * NSCC_START_PKTS;
	bytes = clamp(bytes, (u64)flow->pkt_bytes, NSCC_MAX_Q16 >> NSCC_SHIFT);
	return bytes << NSCC_SHIFT;
}

/* Limit the window and hand it to the core. */
static void nscc_set(struct nscc *st, struct rxe_cc_flow *flow, u64 cwnd_q16)
{
	st->cwnd_q16 = clamp(cwnd_q16, nscc_pkt_q16(flow), nscc_max_q16(flow));
	flow->cwnd_bytes = st->cwnd_q16 >> NSCC_SHIFT;
	flow->rate_bps = flow->line_rate_bps;
}

static void nscc_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct nscc *st = rxe_cc_priv(flow);
	u64 cwnd_q16 = NSCC_MAX_Q16;

	/* The core gives no window, a replay perhaps one. */
	st->begun = flow->cwnd_bytes != RXE_CC_NO_WINDOW;
	if (st->begun)
		cwnd_q16 = min(flow->cwnd_bytes, NSCC_MAX_Q16 >> NSCC_SHIFT) << NSCC_SHIFT;
	st->dec_ns = now_ns;
	st->adjust_ns = now_ns;
	nscc_set(st, flow, cwnd_q16);
	flow->report = (struct rxe_cc_report) { .nr = NSCC_NR_FB, .always = true };
	flow->wants |= RXE_CC_WANT_RTTS;
}

static void nscc_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct nscc *st = rxe_cc_priv(flow);

	nscc_set(st, flow, st->begun ? st->cwnd_q16 : NSCC_MAX_Q16);
}

static void nscc_count(struct nscc *st, u64 bytes)
{
	st->achieved_bytes = rxe_cc_sat_add(st->achieved_bytes, bytes);
	st->received_bytes = rxe_cc_sat_add(st->received_bytes, bytes);
	st->ignored_bytes = rxe_cc_sat_add(st->ignored_bytes, bytes);
}

/* Whether any byte was marked since the last ACK that was used. A total that is lower is kept,
 * so that one of a receiver that has begun anew, or a false one, costs an ACK or two.
 */
static bool nscc_is_told(struct nscc *st, u64 total, bool *marked)
{
	s64 gained = total - st->seen_marked;
	bool use = st->told && gained >= 0;

	st->told = true;
	st->seen_marked = total;
	*marked = gained > 0;
	return use;
}

static void nscc_average(struct nscc *st, const struct rxe_cc_flow *flow, u64 now_ns)
{
	u64 base_ns = nscc_base_ns(flow), delay_q16 = st->delay_ns << NSCC_SHIFT;
	u64 dt_ns = min(now_ns - st->avg_ns, base_ns);

	st->avg_ns = now_ns;
	if (delay_q16 >= st->avg_q16)
		st->avg_q16 += rxe_cc_muldiv(delay_q16 - st->avg_q16, dt_ns, base_ns);
	else
		st->avg_q16 -= rxe_cc_muldiv(st->avg_q16 - delay_q16, dt_ns, base_ns);
}

/* At the end of its period: W is what has arrived in it, if that is little and @bad. */
static bool nscc_may_adapt(struct nscc *st, struct rxe_cc_flow *flow,
			   const struct rxe_cc_sample *s, bool bad)
{
	u64 gate_q16 = nscc_max_q16(flow) >> flow->params[NSCC_QA_GATE];
	u64 bytes = min(st->achieved_bytes, NSCC_MAX_ACKED);
	bool first = !st->qa_end_ns;

	if (s->now_ns < st->qa_end_ns)
		return false;
	st->qa_end_ns = rxe_cc_sat_add(s->now_ns, nscc_base_ns(flow) +
				       (nscc_target_q16(flow) >> NSCC_SHIFT));
	st->achieved_bytes = 0;
	if (first || !(bad || st->trigger_qa) || bytes << NSCC_SHIFT >= gate_q16)
		return false;
	nscc_set(st, flow, bytes << NSCC_SHIFT);
	st->ignore_bytes = s->inflight_bytes;
	st->ignored_bytes = 0;
	st->trigger_qa = false;
	st->adapts++;
	return true;
}

/* True if nothing else is to be done: W was set, or what was under way then still arrives. */
static bool nscc_quick_adapt(struct nscc *st, struct rxe_cc_flow *flow,
			     const struct rxe_cc_sample *s, bool marked, bool bad)
{
	if (!flow->params[NSCC_QUICK_ADAPT])
		return false;
	if (!(marked && st->ignored_bytes < st->ignore_bytes) &&
	    !nscc_may_adapt(st, flow, s, bad))
		return false;
	st->inc_q8 = 0;
	st->received_bytes = 0;
	return true;
}

/* Bytes @per_rtt_q8 in a round trip, and @acked of W in this ACK. */
static void nscc_increase(struct nscc *st, u64 per_rtt_q8, u64 acked)
{
	st->inc_q8 = rxe_cc_sat_add(st->inc_q8, rxe_cc_mul_q(per_rtt_q8, acked, 0));
}

static u64 nscc_step_q8(const struct rxe_cc_flow *flow, unsigned int param)
{
	return rxe_cc_mul_q((u64)flow->pkt_bytes << NSCC_INC_SHIFT, nscc_scaled_q24(flow, param),
			    RXE_CC_Q24_SHIFT);
}

static void nscc_fast(struct nscc *st, struct rxe_cc_flow *flow, u64 acked)
{
	bool clear = st->delay_ns << NSCC_SHIFT < nscc_rtts_q16(flow, flow->params[NSCC_CLEAR]);

	st->idle_bytes = clear ? rxe_cc_sat_add(st->idle_bytes, acked) : 0;
	st->fast = clear && (st->fast || st->idle_bytes > st->cwnd_q16 >> NSCC_SHIFT);
	if (st->fast)
		nscc_set(st, flow, rxe_cc_sat_add(st->cwnd_q16,
						  rxe_cc_mul_q(acked << NSCC_SHIFT,
							       nscc_scaled_q24(flow, NSCC_FI_SCALE),
							       RXE_CC_Q24_SHIFT)));
}

static void nscc_proportional(struct nscc *st, struct rxe_cc_flow *flow, u64 acked)
{
	u64 left_q16 = nscc_target_q16(flow) - (st->delay_ns << NSCC_SHIFT);

	nscc_fast(st, flow, acked);
	if (!st->fast)
		nscc_increase(st, rxe_cc_muldiv(nscc_step_q8(flow, NSCC_ALPHA), left_q16,
						(u64)NSCC_REF_NS << NSCC_SHIFT), acked);
}

static void nscc_decrease(struct nscc *st, struct rxe_cc_flow *flow, u64 now_ns)
{
	u64 target_q16 = nscc_target_q16(flow), part;

	st->fast = false;
	st->idle_bytes = 0;
	if (st->avg_q16 <= target_q16 || now_ns - st->dec_ns <= nscc_base_ns(flow))
		return;
	part = rxe_cc_ratio_q(st->avg_q16 - target_q16, st->avg_q16, RXE_CC_Q62_SHIFT);
	part = rxe_cc_mul_q(part, flow->params[NSCC_GAMMA], RXE_CC_Q24_SHIFT);
	part = max(RXE_CC_Q62_ONE - part,
		   flow->params[NSCC_MAX_MD_JUMP] << (RXE_CC_Q62_SHIFT - RXE_CC_Q24_SHIFT));
	st->dec_ns = now_ns;
	st->cuts++;
	nscc_set(st, flow, rxe_cc_mul_q(st->cwnd_q16, part, RXE_CC_Q62_SHIFT));
}

static void nscc_fulfill(struct nscc *st, struct rxe_cc_flow *flow, u64 now_ns)
{
	u64 period_q16 = nscc_rtts_q16(flow, flow->params[NSCC_ADJUST_PERIOD]);
	u64 bytes_q24 = rxe_cc_mul_q(flow->params[NSCC_ADJUST_BYTES], flow->pkt_bytes, 0);
	bool period = now_ns - st->adjust_ns >= period_q16 >> NSCC_SHIFT;
	u64 cwnd_q16;

	if (!period && st->received_bytes <= bytes_q24 >> RXE_CC_Q24_SHIFT)
		return;
	cwnd_q16 = rxe_cc_sat_add(st->cwnd_q16,
				  rxe_cc_muldiv(st->inc_q8,
						BIT_ULL(2 * NSCC_SHIFT - NSCC_INC_SHIFT),
						st->cwnd_q16));
	if (period) {
		st->adjust_ns = now_ns;
		cwnd_q16 = rxe_cc_sat_add(cwnd_q16,
					  rxe_cc_mul_q(nscc_step_q8(flow, NSCC_ETA),
						       BIT_ULL(NSCC_SHIFT - NSCC_INC_SHIFT), 0));
	}
	nscc_set(st, flow, cwnd_q16);
	st->inc_q8 = 0;
	st->received_bytes = 0;
}

static void nscc_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	u64 acked = min(s->bytes, NSCC_MAX_ACKED);
	struct nscc *st = rxe_cc_priv(flow);
	u64 delay_q16, target_q16;
	bool marked;

	st->begun = true;
	nscc_count(st, acked);
	/* Who is not told of marks must not raise anything. */
	if (!s->rtt_ns || s->nr_fb < NSCC_NR_FB || !nscc_is_told(st, s->fb[0], &marked))
		return;
	st->delay_ns = min(rxe_cc_sat_sub(s->rtt_ns, nscc_base_ns(flow)),
			   U64_MAX >> (NSCC_SHIFT + 1));
	nscc_average(st, flow, s->now_ns);
	delay_q16 = st->delay_ns << NSCC_SHIFT;
	target_q16 = nscc_target_q16(flow);
	if (nscc_quick_adapt(st, flow, s, marked,
			     delay_q16 > rxe_cc_mul_q(target_q16, flow->params[NSCC_QA_THRESHOLD],
						      RXE_CC_Q24_SHIFT)))
		return;
	if (!marked && delay_q16 >= target_q16)
		nscc_increase(st, nscc_step_q8(flow, NSCC_FI), acked);
	else if (!marked)
		nscc_proportional(st, flow, acked);
	else if (delay_q16 >= target_q16)
		nscc_decrease(st, flow, s->now_ns);
	nscc_fulfill(st, flow, s->now_ns);
}

static void nscc_on_loss(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct nscc *st = rxe_cc_priv(flow);

	st->begun = true;
	if (s->loss == RXE_CC_LOSS_RNR)
		return;
	if (s->loss == RXE_CC_LOSS_TIMEOUT) {
		nscc_set(st, flow, 0);
		return;
	}
	st->trigger_qa = true;
	st->ignored_bytes = rxe_cc_sat_add(st->ignored_bytes, flow->pkt_bytes);
	if (!nscc_quick_adapt(st, flow, s, true, false))
		nscc_set(st, flow, rxe_cc_sat_sub(st->cwnd_q16, nscc_pkt_q16(flow)));
}

/* Receiver: the core calls it for marked packets. */
static u32 nscc_on_data(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	if (s->ce)
		flow->report.fb[0] += s->bytes;
	return 0;
}

static unsigned int nscc_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	const struct nscc *st = (const void *)flow->priv;

	vars[0] = (struct rxe_cc_var) { "delay_ns", st->delay_ns };
	vars[1] = (struct rxe_cc_var) { "avg_delay_ns", st->avg_q16 >> NSCC_SHIFT };
	vars[2] = (struct rxe_cc_var) { "target_ns", nscc_target_q16(flow) >> NSCC_SHIFT };
	vars[3] = (struct rxe_cc_var) { "cuts", st->cuts };
	vars[4] = (struct rxe_cc_var) { "adapts", st->adapts };
	vars[5] = (struct rxe_cc_var) { "told_marked_bytes", st->seen_marked };
	return 6;
}

static const struct rxe_cc_signal nscc_signals[] = { {
	.var	= "delay_ns",
	.name	= "queueing delay",
	.unit	= "ns",
	.help	= ", the last round trip less the base RTT",
} };

static struct rxe_cc_ops nscc_ops = {
	.on_ack		= nscc_on_ack,
	.on_loss	= nscc_on_loss,
	.on_data	= nscc_on_data,
	.init		= nscc_init,
	.params_changed	= nscc_params_changed,
	.dump		= nscc_dump,
	.params		= nscc_params,
	.nr_params	= ARRAY_SIZE(nscc_params),
	.signals	= nscc_signals,
	.nr_signals	= ARRAY_SIZE(nscc_signals),
	.needs		= RXE_CC_ALGO_NEED_ECN | RXE_CC_ALGO_NEED_RTT |
			  RXE_CC_ALGO_NEED_ACK_EVERY_PACKET,
	.nr_fb		= NSCC_NR_FB,
	.priv_size	= sizeof(struct nscc),
	.obeys		= true,
	.name		= "nscc",
	.owner		= THIS_MODULE,
};

static int __init nscc_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(nscc_params) != NSCC_NR_PARAMS);
	return rxe_cc_register(&nscc_ops);
}

static void __exit nscc_module_exit(void)
{
	rxe_cc_unregister(&nscc_ops);
}

module_init(nscc_module_init);
module_exit(nscc_module_exit);

MODULE_DESCRIPTION("NSCC congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("nscc");
