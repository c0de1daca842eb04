// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC: "HPCC: High Precision Congestion Control", SIGCOMM 2019.
 *
 * A sender keeps its bytes in flight where the busiest port of the path, by its
 * own telemetry, holds eta of what it can: window and pacing rate follow every
 * ACK; the reference window that they start from follows once per round trip.
 * Formulae, guards and scales: cc_hpcc_rp.c.
 *
 * Differences from the paper, besides those of the library:
 * - T is the base round-trip time of the flow: given (knob base_rtt) or the
 *   smallest measured. Until one is known the flow has line rate and no window.
 * - W_ai is W_init (1 - eta) / n, the paper's rule of thumb, or given as a rate.
 * - The sender's own port is a hop like any other.
 *
 * Loss changes nothing, as in the paper: telemetry tells all. ACKs without
 * telemetry change nothing but the window when T has changed.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/hpcc_rp.h>

enum {
	HPCC_ETA,
	HPCC_MAX_STAGE,
	HPCC_N,
	HPCC_AI_RATE,
	HPCC_FAST_REACT,
	HPCC_NR_PARAMS,
};

static const struct rxe_cc_param hpcc_params[] = {
	[HPCC_ETA] = {
		"eta", "q24", RXE_CC_Q24(1, 8), RXE_CC_Q24(1, 1),
		RXE_CC_Q24(95, 100), "target utilization"
	},
	[HPCC_MAX_STAGE] = {
		"max_stage", "count", 0, 255, 5,
		"additive increases before a multiplicative one"
	},
	[HPCC_N] = {
		"n", "count", 1, 1000000, 100,
		"flows on a link for which no queue shall form: W_ai = W_init (1 - eta) / n"
	},
	[HPCC_AI_RATE] = {
		"ai_rate", "bps", 0, RXE_CC_RATE_MAX_BPS, 0,
		"W_ai / T, in place of n; 0 = by n"
	},
	[HPCC_FAST_REACT] = {
		"fast_react", "bool", 0, 1, 1,
		"react to every ACK, not only once per round trip"
	},
};

static const u64 hpcc_paper[HPCC_NR_PARAMS] = {
	[HPCC_ETA]		= RXE_CC_Q24(95, 100),
	[HPCC_MAX_STAGE]	= 5,
	[HPCC_N]		= 100,
	[HPCC_AI_RATE]		= 0,
	[HPCC_FAST_REACT]	= 1,
};

/* As a public simulator is configured for 10 Gbit/s. */
static const u64 hpcc_ns3[HPCC_NR_PARAMS] = {
	[HPCC_ETA]		= RXE_CC_Q24(95, 100),
	[HPCC_MAX_STAGE]	= 0,
	[HPCC_N]		= 100,
	[HPCC_AI_RATE]		= 4000000,
	[HPCC_FAST_REACT]	= 1,
};

static const struct rxe_cc_preset hpcc_presets[] = {
	{ "paper", hpcc_paper },
	{ "ns3", hpcc_ns3 },
};

static struct rxe_hpcc_ctx hpcc_ctx(const struct rxe_cc_flow *flow)
{
	u64 line_bps = min(flow->line_rate_bps, RXE_HPCC_RATE_MAX_BPS);
	u64 ai_q16 = flow->params[HPCC_AI_RATE] << RXE_HPCC_RATE_SHIFT;
	u64 eta_q24 = flow->params[HPCC_ETA];

	if (!ai_q16)
		ai_q16 = rxe_hpcc_ai_q16(line_bps, eta_q24,
					 flow->params[HPCC_N]);
	return (struct rxe_hpcc_ctx) {
		.t_ns = flow->base_rtt_ns,
		.line_q16 = line_bps << RXE_HPCC_RATE_SHIFT,
		.min_q16 = min(flow->min_rate_bps, line_bps) <<
			   RXE_HPCC_RATE_SHIFT,
		.ai_q16 = ai_q16,
		.eta_q24 = eta_q24,
		.max_stage = flow->params[HPCC_MAX_STAGE],
		.fast = flow->params[HPCC_FAST_REACT],
	};
}

static void hpcc_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_hpcc_ctx ctx = hpcc_ctx(flow);

	rxe_hpcc_init(rxe_cc_priv(flow), &ctx);
	flow->rate_bps = flow->line_rate_bps;
	flow->cwnd_bytes = RXE_CC_NO_WINDOW;
	if (ctx.t_ns)
		rxe_hpcc_apply(flow, ctx.line_q16, ctx.t_ns);
}

static void hpcc_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_hpcc_ctx ctx;

	flow->telemetry = RXE_CC_TELEMETRY_NONE;
	if (!flow->base_rtt_ns)
		return;
	ctx = hpcc_ctx(flow);
	if (s->nr_hops)
		flow->telemetry = rxe_hpcc_ack(rxe_cc_priv(flow), &ctx, flow, s);
	else
		flow->cwnd_bytes =
			rxe_hpcc_window(flow->rate_bps << RXE_HPCC_RATE_SHIFT,
					ctx.t_ns);
}

/* Parameters, line rate, floor or base round-trip time: the next telemetry
 * finds them; until then what can be said without is put right.
 */
static void hpcc_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_hpcc_ctx ctx = hpcc_ctx(flow);
	struct rxe_hpcc *h = rxe_cc_priv(flow);
	u64 rate_q16 = flow->rate_bps << RXE_HPCC_RATE_SHIFT;

	rxe_hpcc_changed(h, &ctx);
	if (!h->nr)
		rate_q16 = h->rc_q16;
	rate_q16 = clamp(rate_q16, ctx.min_q16, ctx.line_q16);
	rxe_hpcc_apply(flow, rate_q16, ctx.t_ns);
	if (!ctx.t_ns)
		flow->cwnd_bytes = RXE_CC_NO_WINDOW;
}

static const char *hpcc_check_params(const u64 *p, unsigned int *bad)
{
	if (p[HPCC_ETA] == RXE_CC_Q24_ONE && !p[HPCC_AI_RATE]) {
		*bad = HPCC_ETA;
		return "of 1 leaves nothing for W_ai: lower it or set ai_rate";
	}
	return NULL;
}

static unsigned int hpcc_dump(const struct rxe_cc_flow *flow,
			      struct rxe_cc_var *vars)
{
	struct rxe_hpcc_ctx ctx = hpcc_ctx(flow);
	unsigned int n;

	n = rxe_hpcc_dump((const struct rxe_hpcc *)flow->priv, vars);
	vars[n++] = (struct rxe_cc_var) {
		"ai_bps", ctx.ai_q16 >> RXE_HPCC_RATE_SHIFT
	};
	vars[n++] = (struct rxe_cc_var) { "base_rtt_ns", ctx.t_ns };
	return n;
}

static struct rxe_cc_ops hpcc_ops = {
	.on_ack		= hpcc_on_ack,
	.init		= hpcc_init,
	.params_changed	= hpcc_params_changed,
	.check_params	= hpcc_check_params,
	.dump		= hpcc_dump,
	.params		= hpcc_params,
	.presets	= hpcc_presets,
	.nr_params	= ARRAY_SIZE(hpcc_params),
	.nr_presets	= ARRAY_SIZE(hpcc_presets),
	.needs		= RXE_CC_ALGO_NEED_INT |
			  RXE_CC_ALGO_NEED_ACK_EVERY_PACKET,
	.name		= "hpcc",
	.owner		= THIS_MODULE,
};

static int __init hpcc_module_init(void)
{
	rxe_cc_check_priv(struct rxe_hpcc);
	BUILD_BUG_ON(ARRAY_SIZE(hpcc_params) != HPCC_NR_PARAMS);
	BUILD_BUG_ON(RXE_HPCC_NR_VARS + 2 > RXE_CC_MAX_VARS);
	return rxe_cc_register(&hpcc_ops);
}

static void __exit hpcc_module_exit(void)
{
	rxe_cc_unregister(&hpcc_ops);
}

module_init(hpcc_module_init);
module_exit(hpcc_module_exit);

MODULE_DESCRIPTION("HPCC congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_ALIAS_RXE_CC("hpcc");
