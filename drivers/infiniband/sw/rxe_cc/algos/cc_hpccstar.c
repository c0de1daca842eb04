// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC*: Long et al., "LSCC: Link-Segmented Congestion Control for RDMA in Cross-Datacenter
 * Networks", section III-D.
 *
 * HPCC (cc_hpcc_rp.c) twice, for a path with a long link in it. ACKs report the ports from
 * the long link on, a round trip of milliseconds late, and make W. The switch in front
 * of the link (sch_roce, lscc-reply int) takes the telemetry of the ports before it off
 * each packet and sends it straight back, microseconds late, with its pseudo queue as the
 * last port: direct INT, which makes W*.
 *
 *	in force: min(W, W*)
 *
 * Both are kept as rates, W / T and W* / T, and W* is the window that its rate makes of T. In
 * the near loop the round trip is T*, not T: in u = qlen / (B T*) + txRate / B, in the
 * average (tau / T*), and from one commit to the next.
 *
 * Differences from the paper, besides those of the library:
 * - Rounds of the near loop. In the paper direct INT bears no sequence number, so commits
 *   are a fraction 1/N of a round trip apart, found by snd_una; N is not given. Here it
 *   names a packet, as it must to be believed, and the library's rule for ACKs does: commit
 *   when the first packet sent since the last one is reported.
 * - T* is the smallest time from when a number was the next to be sent to when a packet
 *   of that number, or a later one, is reported; or given (near_rtt). It is thus too long by
 *   what the sender waited. Without a T* there is no near loop: for one round of it.
 * - The end of W*. The paper gives none. W* goes when an ACK comes for a packet that was
 *   sent after the last direct INT had come: it went by the switch without direct INT.
 *   That is a round trip later, and so never while direct INT comes.
 * - Compact hops cannot hold a rate that is no speed of a port: full telemetry only.
 *
 * Without direct INT (no such switch, knob switch_feedback off) it is hpcc.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/hpcc_common.h>
#include <rxe_cc/version.h>

enum {
	HPCCSTAR_NEAR_RTT = RXE_HPCC_NR_PARAMS,
	HPCCSTAR_NR_PARAMS,
};

static const struct rxe_cc_param hpccstar_params[] =
RXE_HPCC_PARAMS({
	"near_rtt", "ns", 0, NSEC_PER_SEC, 0,
	"T*, round trip to the switch at the long link and back; 0: measured"
});

/* eta, max_stage, n, ai_rate, fast_react, fill_window, int_profile; near_rtt */
static const u64 hpccstar_paper[HPCCSTAR_NR_PARAMS] = {
	RXE_CC_Q24(95, 100), 5, 100, 0, 1, 0, 0, 0
};

static const struct rxe_cc_preset hpccstar_presets[] = {
	{ "paper", hpccstar_paper },
};

#define HPCCSTAR_NO_LIMIT	U64_MAX

/**
 * struct hpccstar - sender
 * @far: HPCC, by the telemetry in ACKs
 * @near: HPCC, of direct INT
 * @far_q16: W / T, bit/s in Q16
 * @near_q16: W* / T; HPCCSTAR_NO_LIMIT: nothing is known
 * @timed_ns: when @timed_seq was the next to be sent
 * @timed_seq: number of a packet
 * @near_rtt_ns: T* as measured; 0: not yet
 * @link_ns: when the last sample of @near came: its L
 * @told_seq: number that was the next to be sent when direct INT came last
 * @voided: how often W* came to its end
 * @timing: a packet is being timed
 * @told: direct INT has come, and W* has not come to its end since
 */
struct hpccstar {
	struct rxe_hpcc far;
	struct rxe_hpcc near;
	u64 far_q16;
	u64 near_q16;
	u64 timed_ns;
	u64 timed_seq;
	u64 near_rtt_ns;
	u64 link_ns;
	u64 told_seq;
	u32 voided;
	bool timing;
	bool told;
};

static void hpccstar_apply(struct rxe_cc_flow *flow, const struct hpccstar *h)
{
	rxe_hpcc_apply(flow, min(h->far_q16, h->near_q16), flow->base_rtt_ns);
	flow->cwnd_bytes = flow->base_rtt_ns ?
			   rxe_hpcc_window(h->far_q16, flow->base_rtt_ns) :
			   RXE_CC_NO_WINDOW;
}

/* W* is forgotten; what the path is stays. */
static void hpccstar_void(struct hpccstar *h, const struct rxe_hpcc_ctx *ctx)
{
	rxe_hpcc_init(&h->near, ctx);
	h->near_q16 = HPCCSTAR_NO_LIMIT;
	h->told = false;
}

static void hpccstar_want(struct rxe_cc_flow *flow)
{
	flow->wants = RXE_CC_WANT_INT | RXE_CC_WANT_ACKS | RXE_CC_WANT_DIRECT |
		      rxe_hpcc_flow_wants(flow);
}

static void hpccstar_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_hpcc_ctx ctx = rxe_hpcc_flow_ctx(flow);
	struct hpccstar *h = rxe_cc_priv(flow);

	rxe_hpcc_flow_init(flow);
	h->far_q16 = h->far.rc_q16;
	hpccstar_void(h, &ctx);
	hpccstar_want(flow);
}

static void hpccstar_far(struct rxe_cc_flow *flow, struct hpccstar *h,
			 const struct rxe_cc_sample *s)
{
	struct rxe_hpcc_ctx ctx = rxe_hpcc_flow_ctx(flow);

	if (h->told && s->seq >= h->told_seq) {
		hpccstar_void(h, &ctx);
		h->voided++;
	}
	if (s->nr_hops && ctx.t_ns)
		flow->telemetry = rxe_hpcc_step(&h->far, &ctx, s, &h->far_q16);
}

/* T*: one packet is timed after the other. No part of the way is longer than all of it. 0: not
 * known yet.
 */
static u64 hpccstar_near_rtt(const struct rxe_cc_flow *flow, struct hpccstar *h,
			     const struct rxe_cc_sample *s)
{
	u64 rtt_ns;

	if (h->timing && s->seq >= h->timed_seq) {
		rtt_ns = max(s->now_ns - h->timed_ns, 1ULL);
		if (!h->near_rtt_ns || rtt_ns < h->near_rtt_ns)
			h->near_rtt_ns = rtt_ns;
		h->timing = false;
	}
	if (!h->timing) {
		h->timed_seq = s->next_seq;
		h->timed_ns = s->now_ns;
		h->timing = true;
	}
	rtt_ns = flow->params[HPCCSTAR_NEAR_RTT] ?: h->near_rtt_ns;
	return flow->base_rtt_ns ? min(rtt_ns, flow->base_rtt_ns) : rtt_ns;
}

/* Has more time passed at the pseudo queue than here since L, twice over and T* besides? Then
 * one of the two is wrong: with a time of his own choice a stranger could claim any txRate.
 */
static bool hpccstar_ahead(const struct hpccstar *h, const struct rxe_cc_sample *s,
			   u64 t_ns)
{
	u32 last = s->nr_hops - 1;
	s64 passed_ns;

	if (!rxe_cc_path_same(&h->near.path, s))
		return false;
	passed_ns = s->hops[last].ts_ns - h->near.path.port[last].ts_ns;
	return passed_ns > 0 && passed_ns > rxe_cc_sat_add(2 * (s->now_ns - h->link_ns), t_ns);
}

/* Is it L now? */
static bool hpccstar_linked(u8 verdict)
{
	return verdict != RXE_CC_TELEMETRY_NONE &&
	       verdict != RXE_CC_TELEMETRY_COUNT &&
	       verdict != RXE_CC_TELEMETRY_SPEED;
}

static void hpccstar_near(struct rxe_cc_flow *flow, struct hpccstar *h,
			  const struct rxe_cc_sample *s)
{
	struct rxe_hpcc_ctx ctx = rxe_hpcc_flow_ctx(flow);

	ctx.t_ns = hpccstar_near_rtt(flow, h, s);
	if (hpccstar_ahead(h, s, ctx.t_ns))
		h->near.path.nr = 0;
	h->told = true;
	h->told_seq = s->next_seq;
	if (!ctx.t_ns)
		return;
	ctx.pseudo_t_ns = flow->base_rtt_ns ?: ctx.t_ns;
	flow->telemetry = rxe_hpcc_step(&h->near, &ctx, s, &h->near_q16);
	if (hpccstar_linked(flow->telemetry))
		h->link_ns = s->now_ns;
	/* Another path may be longer. */
	if (flow->telemetry == RXE_CC_TELEMETRY_PATH ||
	    flow->telemetry == RXE_CC_TELEMETRY_HOPS) {
		h->near_rtt_ns = 0;
		h->timing = false;
	}
}

static void hpccstar_on_ack(struct rxe_cc_flow *flow,
			    const struct rxe_cc_sample *s)
{
	struct hpccstar *h = rxe_cc_priv(flow);

	flow->telemetry = RXE_CC_TELEMETRY_NONE;
	if (!s->partial)
		hpccstar_far(flow, h, s);
	else if (s->direct)
		hpccstar_near(flow, h, s);
	hpccstar_apply(flow, h);
}

static void hpccstar_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_hpcc_ctx ctx = rxe_hpcc_flow_ctx(flow);
	struct hpccstar *h = rxe_cc_priv(flow);

	rxe_hpcc_changed(&h->far, &ctx);
	rxe_hpcc_changed(&h->near, &ctx);
	if (!h->far.path.nr)
		h->far_q16 = h->far.rc_q16;
	h->far_q16 = clamp(h->far_q16, ctx.min_q16, ctx.line_q16);
	if (h->near_q16 != HPCCSTAR_NO_LIMIT)
		h->near_q16 = clamp(h->near_q16, ctx.min_q16, ctx.line_q16);
	hpccstar_apply(flow, h);
	hpccstar_want(flow);
}

static const char *hpccstar_check_params(const u64 *params, unsigned int *bad)
{
	if (params[RXE_HPCC_INT_PROFILE]) {
		*bad = RXE_HPCC_INT_PROFILE;
		return "but 0 does not tell the speed of a long link: set it to 0";
	}
	return rxe_hpcc_flow_check(params, bad);
}

static unsigned int hpccstar_dump(const struct rxe_cc_flow *flow,
				  struct rxe_cc_var *vars)
{
	const struct hpccstar *h = (const struct hpccstar *)flow->priv;
	bool limits = h->near_q16 != HPCCSTAR_NO_LIMIT;
	const struct rxe_cc_var more[] = {
		{ "far_bps", h->far_q16 >> RXE_HPCC_RATE_SHIFT },
		{ "near_bps", limits ? h->near_q16 >> RXE_HPCC_RATE_SHIFT : 0 },
		{ "near_reference_bps", h->near.rc_q16 >> RXE_HPCC_RATE_SHIFT },
		{ "near_u_q24", h->near.u_q36 >>
				(RXE_HPCC_U_SHIFT - RXE_CC_Q24_SHIFT) },
		{ "near_hops", h->near.path.nr },
		{ "near_rtt_ns", h->near_rtt_ns },
		{ "near_voided", h->voided },
	};
	unsigned int n = rxe_hpcc_flow_dump(flow, vars), i;

	BUILD_BUG_ON(RXE_HPCC_FLOW_VARS + ARRAY_SIZE(more) > RXE_CC_MAX_VARS);
	for (i = 0; i < ARRAY_SIZE(more); i++)
		vars[n++] = more[i];
	return n;
}

static struct rxe_cc_ops hpccstar_ops = {
	.on_ack		= hpccstar_on_ack,
	.init		= hpccstar_init,
	.params_changed	= hpccstar_params_changed,
	.check_params	= hpccstar_check_params,
	.dump		= hpccstar_dump,
	.params		= hpccstar_params,
	.presets	= hpccstar_presets,
	.nr_params	= ARRAY_SIZE(hpccstar_params),
	.nr_presets	= ARRAY_SIZE(hpccstar_presets),
	.signals	= &rxe_hpcc_signal,
	.nr_signals	= 1,
	.needs		= RXE_CC_ALGO_NEED_INT |
			  RXE_CC_ALGO_NEED_ACK_EVERY_PACKET,
	.priv_size	= sizeof(struct hpccstar),
	.name		= "hpccstar",
	.owner		= THIS_MODULE,
};

static int __init hpccstar_module_init(void)
{
	BUILD_BUG_ON(offsetof(struct hpccstar, far));
	BUILD_BUG_ON(ARRAY_SIZE(hpccstar_params) != HPCCSTAR_NR_PARAMS);
	return rxe_cc_register(&hpccstar_ops);
}

static void __exit hpccstar_module_exit(void)
{
	rxe_cc_unregister(&hpccstar_ops);
}

module_init(hpccstar_module_init);
module_exit(hpccstar_module_exit);

MODULE_DESCRIPTION("HPCC* congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("hpccstar");
