/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that all HPCC algorithms share besides the reaction (hpcc_rp.h): parameters, start,
 * changes, dump. Such an algorithm has RXE_HPCC_PARAMS() as the head of its table and a struct
 * rxe_hpcc as the head of its sender state.
 *
 * Context of all functions: that of the algorithm's calls.
 */
#ifndef _RXE_CC_HPCC_COMMON_H
#define _RXE_CC_HPCC_COMMON_H

#include <rxe_cc/hpcc_rp.h>

/* In the order of RXE_HPCC_PARAMS(). */
enum rxe_hpcc_param {
	RXE_HPCC_ETA,
	RXE_HPCC_MAX_STAGE,
	RXE_HPCC_N,
	RXE_HPCC_AI_RATE,
	RXE_HPCC_FAST_REACT,
	RXE_HPCC_FILL_WINDOW,
	RXE_HPCC_INT_PROFILE,
	RXE_HPCC_NR_PARAMS,
};

#define RXE_HPCC_PARAMS(...) {						\
	{ "eta", "q24", RXE_CC_Q24(1, 8), RXE_CC_Q24(1, 1),		\
	  RXE_CC_Q24(95, 100), "target utilization" },			\
	{ "max_stage", "count", 0, 255, 5,				\
	  "additive increases before a multiplicative one" },		\
	{ "n", "count", 1, 1000000, 100,				\
	  "flows on a link for which no queue shall form: W_ai = W_init (1 - eta) / n" }, \
	{ "ai_rate", "bps", 0, RXE_CC_RATE_MAX_BPS, 0,			\
	  "W_ai / T, in place of n; 0 = by n" },			\
	{ "fast_react", "bool", 0, 1, 1,				\
	  "react to every ACK, not only once per round trip" },		\
	{ "fill_window", "bool", 0, 1, 0,				\
	  "send while less than the window is in flight; 0: a packet must fit" }, \
	{ "int_profile", "count", 0, 2, 0,				\
	  "telemetry: 0 full, 32 bytes a hop; 1 compact, 8; 2 the worst hop, 8 in all" }, \
	__VA_ARGS__							\
}

/**
 * rxe_hpcc_flow_ctx() - what the library needs to know, from flow and parameters
 * @flow: flow
 *
 * Return: the context of a sender's call; T is 0 while it is not known.
 */
static inline struct rxe_hpcc_ctx
rxe_hpcc_flow_ctx(const struct rxe_cc_flow *flow)
{
	u64 line_bps = min(flow->line_rate_bps, RXE_HPCC_RATE_MAX_BPS);
	u64 ai_q16 = flow->params[RXE_HPCC_AI_RATE] << RXE_HPCC_RATE_SHIFT;
	u64 eta_q24 = flow->params[RXE_HPCC_ETA];

	if (!ai_q16)
		ai_q16 = rxe_hpcc_ai_q16(line_bps, eta_q24,
					 flow->params[RXE_HPCC_N]);
	return (struct rxe_hpcc_ctx) {
		.t_ns = flow->base_rtt_ns,
		.line_q16 = line_bps << RXE_HPCC_RATE_SHIFT,
		.min_q16 = min(flow->min_rate_bps, line_bps) <<
			   RXE_HPCC_RATE_SHIFT,
		.ai_q16 = ai_q16,
		.eta_q24 = eta_q24,
		.max_stage = flow->params[RXE_HPCC_MAX_STAGE],
		.fast = flow->params[RXE_HPCC_FAST_REACT],
	};
}

/**
 * rxe_hpcc_flow_wants() - what parameters say of telemetry and window
 * @flow: flow
 *
 * Return: what to add to &rxe_cc_flow.wants.
 */
static inline u16 rxe_hpcc_flow_wants(const struct rxe_cc_flow *flow)
{
	static const u16 profiles[] = { 0, RXE_CC_WANT_INT_COMPACT, RXE_CC_WANT_INT_WORST };

	return profiles[flow->params[RXE_HPCC_INT_PROFILE]] |
	       (flow->params[RXE_HPCC_FILL_WINDOW] ? RXE_CC_WANT_FILL_WINDOW : 0);
}

void rxe_hpcc_flow_init(struct rxe_cc_flow *flow);
void rxe_hpcc_flow_changed(struct rxe_cc_flow *flow);
const char *rxe_hpcc_flow_check(const u64 *params, unsigned int *bad);
unsigned int rxe_hpcc_flow_dump(const struct rxe_cc_flow *flow,
				struct rxe_cc_var *vars);

/* What rxe_hpcc_flow_dump() fills. */
#define RXE_HPCC_FLOW_VARS	(RXE_HPCC_NR_VARS + 2)

#endif /* _RXE_CC_HPCC_COMMON_H */
