// SPDX-License-Identifier: GPL-2.0
/*
 * An algorithm to copy: halve the rate on a CNP, add a step every interval.
 *
 * To write your own: "lab build --new NAME DIR" copies this file, and
 * Documentation/guide/add-an-algorithm.md goes on from there. Start the file, like
 * this comment, with the paper, its formula, and how you differ from it. Here:
 *
 *	CNP		rate = rate / 2, at most once per interval
 *	interval	rate = rate + step
 *
 * Rules: no clock (the sample has the time), no sleeping, no allocation, no
 * logging, no division by something that may be 0. Rates are bit/s and sizes
 * bytes, both of wire bytes; times are ns. rxe_cc/cc_math.h has the arithmetic.
 * The conformance suite ("lab check") calls every algorithm with extreme values.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/version.h>

/* Parameters: index here, row below. Users set them by name. */
enum {
	TEMPLATE_STEP,
	TEMPLATE_INTERVAL,
	TEMPLATE_NR_PARAMS,
};

static const struct rxe_cc_param template_params[] = {
	/* name, unit, smallest, largest, default, help */
	[TEMPLATE_STEP] = {
		"step", "bps", 1000, RXE_CC_RATE_MAX_BPS, 50000000,
		"rate added in each interval"
	},
	[TEMPLATE_INTERVAL] = {
		"interval", "ns", 1000, 1000000000, 50000,
		"time between two steps, and between two CNPs of a QP"
	},
};

/* What a sender remembers, per QP, zeroed; its size is given below. */
struct template_state {
	u64 last_cut_ns;
	u64 cuts;
};

/* What a receiver remembers, per QP, zeroed. */
struct template_rx_state {
	u64 last_cnp_ns;
};

/* A QP begins to use the algorithm: set the rate, and a window if you use one. */
static void template_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	flow->rate_bps = flow->line_rate_bps;
	flow->cwnd_bytes = RXE_CC_NO_WINDOW;
}

/* Congestion was notified. The core clamps the rate after each call. */
static void template_on_cnp(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	u64 interval_ns = flow->params[TEMPLATE_INTERVAL];
	struct template_state *st = rxe_cc_priv(flow);

	if (st->cuts && s->now_ns - st->last_cut_ns < interval_ns)
		return;
	st->cuts++;
	st->last_cut_ns = s->now_ns;
	flow->rate_bps /= 2;
	flow->timer_ns = rxe_cc_sat_add(s->now_ns, interval_ns);
}

/* The time in timer_ns has come. It must be set again to have another one. */
static void template_on_timer(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	flow->rate_bps = rxe_cc_sat_add(flow->rate_bps, flow->params[TEMPLATE_STEP]);
	/* At the line rate there is nothing to wait for: no timer when idle. */
	if (flow->rate_bps < flow->line_rate_bps)
		flow->timer_ns = rxe_cc_sat_add(s->now_ns, flow->params[TEMPLATE_INTERVAL]);
}

/* Receiver: a marked packet came (every packet, had .all_data been set). */
static u32 template_on_data(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct template_rx_state *st = rxe_cc_rx_priv(flow);

	if (s->ce && rxe_cc_np_due(&st->last_cnp_ns, s->now_ns,
				   flow->params[TEMPLATE_INTERVAL]))
		return RXE_CC_RX_CNP;
	return 0;
}

/* A command: `rxecc qp cmd DEV QPN rate bps=1gbit`. The core has checked the argument by
 * its table, so what is left to refuse is what only the algorithm knows.
 */
static int template_cmd_rate(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s,
			     struct rxe_cc_cmd_call *c)
{
	if (c->args[0] > flow->line_rate_bps) {
		c->why = "above the line rate";
		return -ERANGE;
	}
	c->var[c->nr_vars++] = (struct rxe_cc_var) { "was_bps", flow->rate_bps };
	flow->rate_bps = c->args[0];
	flow->timer_ns = rxe_cc_sat_add(s->now_ns, flow->params[TEMPLATE_INTERVAL]);
	return 0;
}

static const struct rxe_cc_param template_rate_args[] = {
	{ "bps", "bps", 1000, RXE_CC_RATE_MAX_BPS, 1000, "rate" },
};

static const struct rxe_cc_cmd template_cmds[] = {
	{
		.name = "rate", .help = "go on from this rate",
		.args = template_rate_args, .nr_args = ARRAY_SIZE(template_rate_args),
		.required = BIT(0), .to_qp = template_cmd_rate,
	},
};

/* Shown by `rxecc qp`. The names carry the unit. */
static unsigned int template_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	const struct template_state *st = (const void *)flow->priv;

	vars[0] = (struct rxe_cc_var) { "last_cut_ns", st->last_cut_ns };
	vars[1] = (struct rxe_cc_var) { "cuts", st->cuts };
	return 2;
}

/* Calls that are not needed (on_ack, on_sent, on_loss, ...) stay NULL. */
static struct rxe_cc_ops template_ops = {
	.on_cnp		= template_on_cnp,
	.on_timer	= template_on_timer,
	.on_data	= template_on_data,
	.init		= template_init,
	.dump		= template_dump,
	.params		= template_params,
	.nr_params	= ARRAY_SIZE(template_params),
	.cmds		= template_cmds,
	.nr_cmds	= ARRAY_SIZE(template_cmds),
	.needs		= RXE_CC_ALGO_NEED_ECN,
	.priv_size	= sizeof(struct template_state),
	.rx_priv_size	= sizeof(struct template_rx_state),
	.name		= "template",
	.owner		= THIS_MODULE,
};

static int __init template_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(template_params) != TEMPLATE_NR_PARAMS);
	return rxe_cc_register(&template_ops);
}

static void __exit template_module_exit(void)
{
	rxe_cc_unregister(&template_ops);
}

module_init(template_module_init);
module_exit(template_module_exit);

MODULE_DESCRIPTION("Congestion-control algorithm to copy from");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("template");
