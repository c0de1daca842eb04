// SPDX-License-Identifier: GPL-2.0
/*
 * LSCC's sender and receiver (Long et al., "LSCC: Link-Segmented Congestion Control for
 * RDMA in Cross-Datacenter Networks"): DCQCN (cc_dcqcn_rp.c, untouched) with two kinds of
 * CNPs.
 *
 *	direct	from the switch at this end of the long link, one in direct_interval
 *	normal	from the receiver, one in cnp_multiple x direct_interval
 *
 * Both cut the rate. Normal CNPs are a long round trip old, so that many of them make the
 * rate swing; without any the switch cannot tell which long flows to slow down. The paper
 * takes ten times.
 *
 * The switch keeps its interval itself (roce_lscc_limit.c of sch_roce); the parameter here
 * is what the receiver's is reckoned from.
 *
 * A sender that meets a receiver's CNPs at another interval than its own believes those of
 * ours, which name a packet, all the same; of others one in that time.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/dcqcn_rp.h>
#include <rxe_cc/version.h>

enum {
	LSCC_DIRECT_INTERVAL = RXE_DCQCN_NR_PARAMS,
	LSCC_CNP_MULTIPLE,
	LSCC_NR_PARAMS,
};

struct lscc_np {
	u64 last_cnp_ns;
};

/* The defaults of DCQCN's are those of the first preset, see lscc_module_init(). */
static struct rxe_cc_param lscc_params[] = {
	RXE_DCQCN_PARAMS,
	{ "direct_interval", "ns", 0, 131071000, 4000,
	  "least time between two direct CNPs, as switches have it" },
	{ "cnp_multiple", "count", 0, 1000, 10,
	  "least time between two CNPs of a receiver, in direct_intervals; 0: it sends none" },
};

#define LSCC_VALUES(direct_ns)							\
	[LSCC_DIRECT_INTERVAL]	= (direct_ns),				\
	[LSCC_CNP_MULTIPLE]	= 10

static const u64 lscc_paper[LSCC_NR_PARAMS] = {
	RXE_DCQCN_PAPER_VALUES,
	LSCC_VALUES(50000),
};

static const u64 lscc_mlx5[LSCC_NR_PARAMS] = {
	RXE_DCQCN_MLX5_VALUES,
	LSCC_VALUES(4000),
};

/* The first is the default: "Mellanox's recommendation", as the paper has it. DCQCN's own
 * steps are larger and its CNPs fewer, so that the rate swings; see lscc.md.
 */
static const struct rxe_cc_preset lscc_presets[] = {
	{ "mlx5", lscc_mlx5 },
	{ "paper", lscc_paper },
};

static u64 lscc_np_interval(const struct rxe_cc_flow *flow)
{
	return flow->params[LSCC_CNP_MULTIPLE] *
	       flow->params[LSCC_DIRECT_INTERVAL];
}

static void lscc_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	rxe_dcqcn_flow_init(flow);
	flow->cnp_gap_ns = lscc_np_interval(flow);
}

static u32 lscc_on_data(struct rxe_cc_flow *flow,
			const struct rxe_cc_sample *s)
{
	struct lscc_np *np = rxe_cc_rx_priv(flow);

	if (s->ce && flow->params[LSCC_CNP_MULTIPLE] &&
	    rxe_cc_np_due(&np->last_cnp_ns, s->now_ns, lscc_np_interval(flow)))
		return RXE_CC_RX_CNP;
	return 0;
}

static void lscc_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	rxe_dcqcn_flow_changed(flow, now_ns);
	flow->cnp_gap_ns = lscc_np_interval(flow);
}

static struct rxe_cc_ops lscc_ops = {
	.on_sent	= rxe_dcqcn_flow_sent,
	.on_cnp		= rxe_dcqcn_flow_cnp,
	.on_timer	= rxe_dcqcn_flow_timer,
	.on_data	= lscc_on_data,
	.init		= lscc_init,
	.params_changed	= lscc_params_changed,
	.check_params	= rxe_dcqcn_rp_check,
	.dump		= rxe_dcqcn_flow_dump,
	.params		= lscc_params,
	.presets	= lscc_presets,
	.nr_params	= ARRAY_SIZE(lscc_params),
	.nr_presets	= ARRAY_SIZE(lscc_presets),
	.signals	= &rxe_dcqcn_signal,
	.nr_signals	= 1,
	.needs		= RXE_CC_ALGO_NEED_ECN,
	.priv_size	= sizeof(struct rxe_dcqcn_rp),
	.rx_priv_size	= sizeof(struct lscc_np),
	.name		= "lscc",
	.owner		= THIS_MODULE,
};

static int __init lscc_module_init(void)
{
	int i;

	for (i = 0; i < RXE_DCQCN_NR_PARAMS; i++)
		lscc_params[i].def = lscc_mlx5[i];
	BUILD_BUG_ON(ARRAY_SIZE(lscc_params) != LSCC_NR_PARAMS);
	BUILD_BUG_ON(RXE_DCQCN_NR_VARS > RXE_CC_MAX_VARS);
	return rxe_cc_register(&lscc_ops);
}

static void __exit lscc_module_exit(void)
{
	rxe_cc_unregister(&lscc_ops);
}

module_init(lscc_module_init);
module_exit(lscc_module_exit);

MODULE_DESCRIPTION("LSCC congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("lscc");
