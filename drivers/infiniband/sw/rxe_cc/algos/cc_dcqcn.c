// SPDX-License-Identifier: GPL-2.0
/*
 * DCQCN (Zhu et al., SIGCOMM 2015): its notification point, and the algorithm's calls of the
 * reaction point in cc_dcqcn_rp.c, where the formulae and the differences from the paper are.
 *
 * Notification point: a CE-marked packet causes a CNP unless one was sent for
 * this QP less than np_min_time_between_cnps before (IBTA Annex A17). A sender assumes that
 * its peer has the same setting: of CNPs that name no packet, such as those of NICs, it
 * believes one in that time.
 *
 * Loss changes nothing: neither the paper nor NICs react to it in DCQCN, which
 * assumes a lossless network. Retransmitted data counts for the byte counter.
 *
 * No window. ACKs are not looked at.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/dcqcn_rp.h>
#include <rxe_cc/version.h>

enum {
	DCQCN_NP_INTERVAL = RXE_DCQCN_NR_PARAMS,
	DCQCN_NR_PARAMS,
};

struct dcqcn_np {
	u64 last_cnp_ns;
};

static const struct rxe_cc_param dcqcn_params[] = {
	RXE_DCQCN_PARAMS,
	{ "np_min_time_between_cnps", "ns", 0, 131071000, 50000,
	  "least time between two CNPs of a QP, sent, or believed if they name no packet" },
};

static const u64 dcqcn_paper[DCQCN_NR_PARAMS] = {
	RXE_DCQCN_PAPER_VALUES,
	[DCQCN_NP_INTERVAL] = 50000,
};

static const u64 dcqcn_mlx5[DCQCN_NR_PARAMS] = {
	RXE_DCQCN_MLX5_VALUES,
	[DCQCN_NP_INTERVAL] = 4000,
};

/* That simulator answers every marked packet with a CNP. */
static const u64 dcqcn_ns3[DCQCN_NR_PARAMS] = {
	RXE_DCQCN_NS3_VALUES,
	[DCQCN_NP_INTERVAL] = 0,
};

/*
 * The first is the default. The paper's steps scale with the line rate, so that
 * flows reach fair shares in milliseconds at 100 Gbit/s too; a NIC's 5 and 50
 * Mbit/s every 300 us take hundreds of them.
 */
static const struct rxe_cc_preset dcqcn_presets[] = {
	{ "paper", dcqcn_paper },
	{ "mlx5", dcqcn_mlx5 },
	{ "ns3", dcqcn_ns3 },
};

static void dcqcn_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	rxe_dcqcn_flow_init(flow);
	flow->cnp_gap_ns = flow->params[DCQCN_NP_INTERVAL];
}

static u32 dcqcn_on_data(struct rxe_cc_flow *flow,
			 const struct rxe_cc_sample *s)
{
	struct dcqcn_np *np = rxe_cc_rx_priv(flow);

	if (s->ce && rxe_cc_np_due(&np->last_cnp_ns, s->now_ns,
				   flow->params[DCQCN_NP_INTERVAL]))
		return RXE_CC_RX_CNP;
	return 0;
}

static void dcqcn_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	rxe_dcqcn_flow_changed(flow, now_ns);
	flow->cnp_gap_ns = flow->params[DCQCN_NP_INTERVAL];
}

static struct rxe_cc_ops dcqcn_ops = {
	.on_sent	= rxe_dcqcn_flow_sent,
	.on_cnp		= rxe_dcqcn_flow_cnp,
	.on_timer	= rxe_dcqcn_flow_timer,
	.on_data	= dcqcn_on_data,
	.init		= dcqcn_init,
	.params_changed	= dcqcn_params_changed,
	.check_params	= rxe_dcqcn_rp_check,
	.dump		= rxe_dcqcn_flow_dump,
	.params		= dcqcn_params,
	.presets	= dcqcn_presets,
	.nr_params	= ARRAY_SIZE(dcqcn_params),
	.nr_presets	= ARRAY_SIZE(dcqcn_presets),
	.signals	= &rxe_dcqcn_signal,
	.nr_signals	= 1,
	.needs		= RXE_CC_ALGO_NEED_ECN,
	.priv_size	= sizeof(struct rxe_dcqcn_rp),
	.rx_priv_size	= sizeof(struct dcqcn_np),
	.name		= "dcqcn",
	.owner		= THIS_MODULE,
};

static int __init dcqcn_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(dcqcn_params) != DCQCN_NR_PARAMS);
	BUILD_BUG_ON(RXE_DCQCN_NR_VARS > RXE_CC_MAX_VARS);
	return rxe_cc_register(&dcqcn_ops);
}

static void __exit dcqcn_module_exit(void)
{
	rxe_cc_unregister(&dcqcn_ops);
}

module_init(dcqcn_module_init);
module_exit(dcqcn_module_exit);

MODULE_DESCRIPTION("DCQCN congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("dcqcn");
