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
 * - A packet goes when it fits into W; with fill_window while less than W is in
 *   flight, as in the public simulator. The paper does not say which.
 *
 * Loss changes nothing, as in the paper: telemetry shows all. ACKs without
 * telemetry change nothing but the window when T has changed, nor do reports of
 * switches.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/hpcc_common.h>
#include <rxe_cc/version.h>

static const struct rxe_cc_param hpcc_params[] = RXE_HPCC_PARAMS();

static const u64 hpcc_paper[RXE_HPCC_NR_PARAMS] = {
	[RXE_HPCC_ETA]		= RXE_CC_Q24(95, 100),
	[RXE_HPCC_MAX_STAGE]	= 5,
	[RXE_HPCC_N]		= 100,
	[RXE_HPCC_AI_RATE]	= 0,
	[RXE_HPCC_FAST_REACT]	= 1,
	[RXE_HPCC_FILL_WINDOW]	= 0,
	[RXE_HPCC_INT_PROFILE]	= 0,
};

/* As a public simulator is configured for 10 Gbit/s. */
static const u64 hpcc_ns3[RXE_HPCC_NR_PARAMS] = {
	[RXE_HPCC_ETA]		= RXE_CC_Q24(95, 100),
	[RXE_HPCC_MAX_STAGE]	= 0,
	[RXE_HPCC_N]		= 100,
	[RXE_HPCC_AI_RATE]	= 4000000,
	[RXE_HPCC_FAST_REACT]	= 1,
	[RXE_HPCC_FILL_WINDOW]	= 1,
	[RXE_HPCC_INT_PROFILE]	= 0,
};

static const struct rxe_cc_preset hpcc_presets[] = {
	{ "paper", hpcc_paper },
	{ "ns3", hpcc_ns3 },
};

static void hpcc_want(struct rxe_cc_flow *flow)
{
	flow->wants = RXE_CC_WANT_INT | RXE_CC_WANT_ACKS |
		      rxe_hpcc_flow_wants(flow);
}

static void hpcc_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	rxe_hpcc_flow_init(flow);
	hpcc_want(flow);
}

static void hpcc_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_hpcc_ctx ctx;

	flow->telemetry = RXE_CC_TELEMETRY_NONE;
	if (!flow->base_rtt_ns)
		return;
	ctx = rxe_hpcc_flow_ctx(flow);
	if (s->nr_hops && !s->partial)
		flow->telemetry = rxe_hpcc_ack(rxe_cc_priv(flow), &ctx, flow, s);
	else
		flow->cwnd_bytes =
			rxe_hpcc_window(flow->rate_bps << RXE_HPCC_RATE_SHIFT,
					ctx.t_ns);
}

static void hpcc_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	rxe_hpcc_flow_changed(flow);
	hpcc_want(flow);
}

static struct rxe_cc_ops hpcc_ops = {
	.on_ack		= hpcc_on_ack,
	.init		= hpcc_init,
	.params_changed	= hpcc_params_changed,
	.check_params	= rxe_hpcc_flow_check,
	.dump		= rxe_hpcc_flow_dump,
	.params		= hpcc_params,
	.presets	= hpcc_presets,
	.nr_params	= ARRAY_SIZE(hpcc_params),
	.nr_presets	= ARRAY_SIZE(hpcc_presets),
	.signals	= &rxe_hpcc_signal,
	.nr_signals	= 1,
	.needs		= RXE_CC_ALGO_NEED_INT |
			  RXE_CC_ALGO_NEED_ACK_EVERY_PACKET,
	.priv_size	= sizeof(struct rxe_hpcc),
	.name		= "hpcc",
	.owner		= THIS_MODULE,
};

static int __init hpcc_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(hpcc_params) != RXE_HPCC_NR_PARAMS);
	BUILD_BUG_ON(RXE_HPCC_FLOW_VARS > RXE_CC_MAX_VARS);
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
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("hpcc");
