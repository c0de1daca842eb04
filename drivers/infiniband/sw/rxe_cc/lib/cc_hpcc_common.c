// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that all HPCC algorithms share besides the reaction: start, change of parameters,
 * checks, dump.
 */
#include <linux/export.h>
#include <rxe_cc/hpcc_common.h>

/**
 * rxe_hpcc_flow_init() - a flow comes under the algorithm
 * @flow: flow
 *
 * It starts with the window that it has, else with its rate: no window and line
 * rate unless somebody has preset others. While T is not known there is no
 * window.
 */
void rxe_hpcc_flow_init(struct rxe_cc_flow *flow)
{
	struct rxe_hpcc_ctx ctx = rxe_hpcc_flow_ctx(flow);
	struct rxe_hpcc *h = rxe_cc_priv(flow);
	u64 rate_q16 = min(flow->rate_bps, RXE_HPCC_RATE_MAX_BPS) <<
		       RXE_HPCC_RATE_SHIFT;

	rxe_hpcc_init(h, &ctx);
	if (ctx.t_ns && flow->cwnd_bytes != RXE_CC_NO_WINDOW)
		rate_q16 = rxe_hpcc_window_rate(flow->cwnd_bytes, ctx.t_ns);
	h->rc_q16 = clamp(rate_q16, ctx.min_q16, ctx.line_q16);
	rxe_hpcc_apply(flow, h->rc_q16, ctx.t_ns);
	if (!ctx.t_ns)
		flow->cwnd_bytes = RXE_CC_NO_WINDOW;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_flow_init);

/**
 * rxe_hpcc_flow_changed() - parameters, line rate, floor or T have new values
 * @flow: flow
 *
 * The next telemetry finds them; until then what can be said without is put
 * right.
 */
void rxe_hpcc_flow_changed(struct rxe_cc_flow *flow)
{
	struct rxe_hpcc_ctx ctx = rxe_hpcc_flow_ctx(flow);
	struct rxe_hpcc *h = rxe_cc_priv(flow);
	u64 rate_q16 = flow->rate_bps << RXE_HPCC_RATE_SHIFT;

	rxe_hpcc_changed(h, &ctx);
	if (!h->path.nr)
		rate_q16 = h->rc_q16;
	rate_q16 = clamp(rate_q16, ctx.min_q16, ctx.line_q16);
	rxe_hpcc_apply(flow, rate_q16, ctx.t_ns);
	if (!ctx.t_ns)
		flow->cwnd_bytes = RXE_CC_NO_WINDOW;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_flow_changed);

/**
 * rxe_hpcc_flow_check() - may these values be used together?
 * @params: values, each in its range
 * @bad: index of the parameter to blame
 *
 * Return: NULL or what is wrong.
 */
const char *rxe_hpcc_flow_check(const u64 *params, unsigned int *bad)
{
	if (params[RXE_HPCC_ETA] == RXE_CC_Q24_ONE &&
	    !params[RXE_HPCC_AI_RATE]) {
		*bad = RXE_HPCC_ETA;
		return "of 1 leaves nothing for W_ai: lower it or set ai_rate";
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_flow_check);

/**
 * rxe_hpcc_flow_dump() - a sender's state for people
 * @flow: flow
 * @vars: at least RXE_HPCC_FLOW_VARS to fill
 *
 * Return: how many were filled.
 */
unsigned int rxe_hpcc_flow_dump(const struct rxe_cc_flow *flow,
				struct rxe_cc_var *vars)
{
	struct rxe_hpcc_ctx ctx = rxe_hpcc_flow_ctx(flow);
	unsigned int n;

	n = rxe_hpcc_dump((const struct rxe_hpcc *)flow->priv, vars);
	vars[n++] = (struct rxe_cc_var) {
		"ai_bps", ctx.ai_q16 >> RXE_HPCC_RATE_SHIFT
	};
	vars[n++] = (struct rxe_cc_var) { "base_rtt_ns", ctx.t_ns };
	return n;
}
EXPORT_SYMBOL_GPL(rxe_hpcc_flow_dump);
