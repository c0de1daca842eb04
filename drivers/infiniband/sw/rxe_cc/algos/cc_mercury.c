// SPDX-License-Identifier: GPL-2.0
/*
 * Mercury's sender: He et al., "Accurate and fast congestion feedback in MEC-enabled
 * RDMA datacenters", Journal of Cloud Computing 2024, algorithm 2. DCQCN, to which
 * switches send windows.
 *
 *	start		cwnd = w0 C base RTT
 *	CNP of a switch	cwnd = Win, the least of several ports; the rate is cut as DCQCN's
 *	CNP of a host	the rate is cut as DCQCN's
 *	rate increase	cwnd = w0 C base RTT
 *
 * C is the own line. cwnd is that of all queue pairs of the port to one host whose data has
 * one DSCP: those with something under way have equal shares of it. Win is the core's, for every
 * algorithm: see cc_window_cap.c. Here it is lifted when DCQCN raises the rate, by its timer or
 * by its byte counter. DCQCN is cc_dcqcn_rp.c, untouched.
 *
 * The switch decides who gets a window: roce_mercury.c of sch_roce.
 *
 * Differences from the paper:
 * - Line 17 is cwnd = min(cwnd, Win). Here the newest Win of a port replaces its last, so
 *   a window follows the queue both ways. The knob cap_least is the paper to the letter.
 * - Win expires when no switch repeats it (knob cap_expiry). There a CNP would hold a
 *   flow for ever that sends nothing any more, or is at the line rate, where DCQCN has
 *   no increases.
 * - cut_interval: of the CNPs of switches, which may come each round trip, one in that
 *   time cuts; each carries its window, which no increase within that time lifts. DCQCN
 *   expects no more CNPs than that, from a receiver. 0 is the paper to the letter.
 * - Of the queue pairs to a host only those lift a Win that received it.
 * - w0 (initial_window) is 9/8, not 1: packets of a window are acknowledged an eighth of
 *   it at a time, so in the mean 1/16 of what counts as in flight has arrived already.
 *   And it is rounded up to whole packets. Without the base RTT there is no such window.
 * - READ responses and UC have no window; see cc_window_cap.c for what a Win does there.
 * - Plain switches that mark may be on the path: their marks come back as CNPs of the
 *   receiver, at most one in np_min_time_between_cnps, as with dcqcn.
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/dcqcn_rp.h>
#include <rxe_cc/version.h>

enum {
	MERCURY_NP_INTERVAL = RXE_DCQCN_NR_PARAMS,
	MERCURY_CUT_INTERVAL,
	MERCURY_INITIAL_WINDOW,
	MERCURY_NR_PARAMS,
};

enum {
	MERCURY_TOLD_BYTES = RXE_DCQCN_NR_VARS,
	MERCURY_TOLD,
	MERCURY_CUTS_HELD,
	MERCURY_LIFTED,
	MERCURY_NR_VARS,
};

/**
 * struct mercury_sender - a flow that sends
 * @rp: DCQCN
 * @base_rtt_ns: that of the window
 * @cut_ns: when a switch's CNP cut last, if @told
 * @told_ns: when a switch's window came last, if @told
 * @told_bytes: window of a switch that came last, until it is lifted; 0: none
 * @told: windows received
 * @held: of their CNPs, those that did not cut
 * @lifted: windows lifted
 */
struct mercury_sender {
	struct rxe_dcqcn_rp rp;
	u64 base_rtt_ns;
	u64 cut_ns;
	u64 told_ns;
	u64 told_bytes;
	u32 told;
	u32 held;
	u32 lifted;
};

struct mercury_np {
	u64 last_cnp_ns;
};

static const struct rxe_cc_param mercury_params[] = {
	RXE_DCQCN_PARAMS,
	{ "np_min_time_between_cnps", "ns", 0, 131071000, 50000,
	  "least time between two CNPs of a QP, sent, or believed if they name no packet" },
	{ "cut_interval", "ns", 0, 131071000, 50000,
	  "least time between two cuts by CNPs of switches; 0: each cuts" },
	{ "initial_window", "q24", 0, RXE_CC_Q24(16, 1), RXE_CC_Q24(9, 8),
	  "window without congestion, in line rate x base RTT; 0: none" },
};

#define MERCURY_VALUES(cnp_ns, cut_ns)						\
	[MERCURY_NP_INTERVAL]		= (cnp_ns),			\
	[MERCURY_CUT_INTERVAL]		= (cut_ns),			\
	[MERCURY_INITIAL_WINDOW]	= RXE_CC_Q24(9, 8)

static const u64 mercury_paper[MERCURY_NR_PARAMS] = {
	RXE_DCQCN_PAPER_VALUES,
	MERCURY_VALUES(50000, 50000),
};

static const u64 mercury_mlx5[MERCURY_NR_PARAMS] = {
	RXE_DCQCN_MLX5_VALUES,
	MERCURY_VALUES(4000, 4000),
};

static const u64 mercury_ns3[MERCURY_NR_PARAMS] = {
	RXE_DCQCN_NS3_VALUES,
	MERCURY_VALUES(0, 0),
};

static const struct rxe_cc_preset mercury_presets[] = {
	{ "paper", mercury_paper },
	{ "mlx5", mercury_mlx5 },
	{ "ns3", mercury_ns3 },
};

/* w0 C base RTT, in whole packets: of a few the part that no packet fits into is much. */
static u64 mercury_window(const struct rxe_cc_flow *flow)
{
	u64 w0 = flow->params[MERCURY_INITIAL_WINDOW];
	u64 pkt_bytes = max(flow->pkt_bytes, 1U);
	u64 bytes;

	if (!w0 || !flow->base_rtt_ns)
		return RXE_CC_NO_WINDOW;
	bytes = rxe_cc_muldiv(flow->line_rate_bps, flow->base_rtt_ns, 8 * NSEC_PER_SEC);
	bytes = rxe_cc_mul_q(bytes, w0, RXE_CC_Q24_SHIFT);
	return max(DIV64_U64_ROUND_UP(bytes, pkt_bytes), 1ULL) * pkt_bytes;
}

static void mercury_set_window(struct rxe_cc_flow *flow, struct mercury_sender *m)
{
	m->base_rtt_ns = flow->base_rtt_ns;
	flow->cwnd_bytes = mercury_window(flow);
}

/* DCQCN has run, and the rate was @before_bps. */
static void mercury_recover(struct rxe_cc_flow *flow, struct mercury_sender *m,
			    u64 before_bps, u64 now_ns)
{
	if (m->rp.rate_bps <= before_bps || !m->told_bytes ||
	    now_ns - m->told_ns < flow->params[MERCURY_CUT_INTERVAL])
		return;
	flow->lift_cap = true;
	m->lifted++;
	m->told_bytes = 0;
}

static void mercury_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct mercury_sender *m = rxe_cc_priv(flow);

	rxe_dcqcn_rp_init(&m->rp, &ctx);
	rxe_dcqcn_rp_apply(&m->rp, &ctx, flow);
	mercury_set_window(flow, m);
	flow->wants |= RXE_CC_WANT_PAIR_WINDOW;
	flow->cnp_gap_ns = flow->params[MERCURY_NP_INTERVAL];
}

/* The base RTT may have been measured, and changes with rtt_window. */
static void mercury_on_ack(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct mercury_sender *m = rxe_cc_priv(flow);

	if (flow->base_rtt_ns != m->base_rtt_ns)
		mercury_set_window(flow, m);
}

static void mercury_on_sent(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct mercury_sender *m = rxe_cc_priv(flow);
	u64 before_bps = m->rp.rate_bps;

	if (!m->rp.limited)
		return;
	rxe_dcqcn_rp_sent(&m->rp, &ctx, s->bytes, s->now_ns);
	rxe_dcqcn_rp_apply(&m->rp, &ctx, flow);
	mercury_recover(flow, m, before_bps, s->now_ns);
}

/* Has a switch sent a window so soon after another that it does not cut? */
static bool mercury_hold(struct rxe_cc_flow *flow, struct mercury_sender *m,
			 const struct rxe_cc_sample *s)
{
	bool first = !m->told;

	if (s->cnp_origin == RXE_CC_CNP_NP || !s->cnp_window_bytes)
		return false;
	m->told_bytes = s->cnp_window_bytes;
	m->told_ns = s->now_ns;
	if (m->told < U32_MAX)
		m->told++;
	if (!first && s->now_ns - m->cut_ns < flow->params[MERCURY_CUT_INTERVAL]) {
		m->held++;
		return true;
	}
	m->cut_ns = s->now_ns;
	return false;
}

/* The core has taken the window before. */
static void mercury_on_cnp(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct mercury_sender *m = rxe_cc_priv(flow);

	if (mercury_hold(flow, m, s))
		return;
	rxe_dcqcn_rp_cnp(&m->rp, &ctx, s->now_ns);
	rxe_dcqcn_rp_apply(&m->rp, &ctx, flow);
}

static void mercury_on_timer(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct mercury_sender *m = rxe_cc_priv(flow);
	u64 before_bps = m->rp.rate_bps;

	rxe_dcqcn_rp_advance(&m->rp, &ctx, s->now_ns);
	rxe_dcqcn_rp_apply(&m->rp, &ctx, flow);
	mercury_recover(flow, m, before_bps, s->now_ns);
}

static u32 mercury_on_data(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct mercury_np *np = rxe_cc_rx_priv(flow);

	if (s->ce && rxe_cc_np_due(&np->last_cnp_ns, s->now_ns,
				   flow->params[MERCURY_NP_INTERVAL]))
		return RXE_CC_RX_CNP;
	return 0;
}

static void mercury_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct mercury_sender *m = rxe_cc_priv(flow);

	rxe_dcqcn_rp_changed(&m->rp, &ctx, now_ns);
	rxe_dcqcn_rp_apply(&m->rp, &ctx, flow);
	mercury_set_window(flow, m);
	flow->cnp_gap_ns = flow->params[MERCURY_NP_INTERVAL];
}

static unsigned int mercury_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	const struct mercury_sender *m = (const struct mercury_sender *)flow->priv;

	rxe_dcqcn_rp_dump(&m->rp, vars);
	vars[MERCURY_TOLD_BYTES] = (struct rxe_cc_var) { "told_bytes", m->told_bytes };
	vars[MERCURY_TOLD] = (struct rxe_cc_var) { "told", m->told };
	vars[MERCURY_CUTS_HELD] = (struct rxe_cc_var) { "cuts_held", m->held };
	vars[MERCURY_LIFTED] = (struct rxe_cc_var) { "lifted", m->lifted };
	return MERCURY_NR_VARS;
}

static struct rxe_cc_ops mercury_ops = {
	.on_ack		= mercury_on_ack,
	.on_sent	= mercury_on_sent,
	.on_cnp		= mercury_on_cnp,
	.on_timer	= mercury_on_timer,
	.on_data	= mercury_on_data,
	.init		= mercury_init,
	.params_changed	= mercury_params_changed,
	.check_params	= rxe_dcqcn_rp_check,
	.dump		= mercury_dump,
	.params		= mercury_params,
	.presets	= mercury_presets,
	.nr_params	= ARRAY_SIZE(mercury_params),
	.nr_presets	= ARRAY_SIZE(mercury_presets),
	.signals	= &rxe_dcqcn_signal,
	.nr_signals	= 1,
	.needs		= RXE_CC_ALGO_NEED_ECN,
	.priv_size	= sizeof(struct mercury_sender),
	.rx_priv_size	= sizeof(struct mercury_np),
	.name		= "mercury",
	.owner		= THIS_MODULE,
};

static int __init mercury_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(mercury_params) != MERCURY_NR_PARAMS);
	BUILD_BUG_ON(MERCURY_NR_VARS > RXE_CC_MAX_VARS);
	return rxe_cc_register(&mercury_ops);
}

static void __exit mercury_module_exit(void)
{
	rxe_cc_unregister(&mercury_ops);
}

module_init(mercury_module_init);
module_exit(mercury_module_exit);

MODULE_DESCRIPTION("Mercury congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("mercury");
