/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DCQCN's reaction point as a library, for dcqcn itself and for algorithms that
 * build on it.
 *
 * An algorithm puts RXE_DCQCN_PARAMS at the start of its parameter table, keeps a
 * struct rxe_dcqcn_rp in its private state, and makes a struct rxe_dcqcn_ctx on
 * the stack for each call. The library reads no clock and sets no timer: after
 * every call the algorithm takes the rate from rxe_dcqcn_rp_rate() and the time
 * of the next rxe_dcqcn_rp_advance() from rxe_dcqcn_rp_due(), or both with
 * rxe_dcqcn_rp_apply().
 *
 * Context of all functions: any; the caller serialises calls for one state.
 */
#ifndef _RXE_CC_DCQCN_RP_H
#define _RXE_CC_DCQCN_RP_H

#include <linux/types.h>
#include <rxe_cc/cc.h>

/*
 * Parameters of the reaction point, named as mlx5's. Where mlx5 has a fixed-point
 * or percent number the value here is the fraction that it stands for:
 *
 *	parameter			mlx5			here
 *	rpg_time_reset			300 (us)		300us
 *	rpg_byte_reset			32767 (64 bytes)	2097088
 *	rpg_ai_rate, rpg_hai_rate	5, 50 (Mbit/s)		5mbit, 50mbit
 *	rpg_gd				11			11
 *	rpg_min_dec_fac			50 (%)			50%
 *	dce_tcp_g			1019 (1024ths)		1019/1024
 *	initial_alpha_value		1023 (1024ths)		1023/1024
 *
 * dce_tcp_g is the weight of the old alpha: the paper's 1 - g.
 */
enum rxe_dcqcn_param {
	RXE_DCQCN_TIME_RESET,
	RXE_DCQCN_BYTE_RESET,
	RXE_DCQCN_THRESHOLD,
	RXE_DCQCN_AI_RATE,
	RXE_DCQCN_HAI_RATE,
	RXE_DCQCN_RATE_UNIT,
	RXE_DCQCN_MIN_RATE,
	RXE_DCQCN_MAX_RATE,
	RXE_DCQCN_GD,
	RXE_DCQCN_MIN_DEC_FAC,
	RXE_DCQCN_TCP_G,
	RXE_DCQCN_TCP_RTT,
	RXE_DCQCN_INITIAL_ALPHA,
	RXE_DCQCN_MONITOR_PERIOD,
	RXE_DCQCN_FIRST_CNP_RATE,
	RXE_DCQCN_CLAMP,
	RXE_DCQCN_CLAMP_ATI,
	RXE_DCQCN_CUT_LAST,
	RXE_DCQCN_NR_PARAMS,
};

/*
 * One number per parameter: a NIC's defaults, the SIGCOMM'15 paper's, and those of
 * a public ns-3 simulator at 10 Gbit/s.
 */
#define RXE_DCQCN_MLX5_VALUES						\
	[RXE_DCQCN_TIME_RESET]		= 300000,			\
	[RXE_DCQCN_BYTE_RESET]		= 32767 * 64,			\
	[RXE_DCQCN_THRESHOLD]		= 1,				\
	[RXE_DCQCN_AI_RATE]		= 5000000,			\
	[RXE_DCQCN_HAI_RATE]		= 50000000,			\
	[RXE_DCQCN_RATE_UNIT]		= 0,				\
	[RXE_DCQCN_MIN_RATE]		= 1000000,			\
	[RXE_DCQCN_MAX_RATE]		= 0,				\
	[RXE_DCQCN_GD]			= 11,				\
	[RXE_DCQCN_MIN_DEC_FAC]		= RXE_CC_Q24(1, 2),		\
	[RXE_DCQCN_TCP_G]		= RXE_CC_Q24(1019, 1024),	\
	[RXE_DCQCN_TCP_RTT]		= 1000,				\
	[RXE_DCQCN_INITIAL_ALPHA]	= RXE_CC_Q24(1023, 1024),	\
	[RXE_DCQCN_MONITOR_PERIOD]	= 4000,				\
	[RXE_DCQCN_FIRST_CNP_RATE]	= 0,				\
	[RXE_DCQCN_CLAMP]		= 0,				\
	[RXE_DCQCN_CLAMP_ATI]		= 1,				\
	[RXE_DCQCN_CUT_LAST]		= 0

#define RXE_DCQCN_PAPER_VALUES						\
	[RXE_DCQCN_TIME_RESET]		= 55000,			\
	[RXE_DCQCN_BYTE_RESET]		= 10000000,			\
	[RXE_DCQCN_THRESHOLD]		= 5,				\
	[RXE_DCQCN_AI_RATE]		= 40000000,			\
	[RXE_DCQCN_HAI_RATE]		= 400000000,			\
	[RXE_DCQCN_RATE_UNIT]		= 40000000000ULL,		\
	[RXE_DCQCN_MIN_RATE]		= 1000000,			\
	[RXE_DCQCN_MAX_RATE]		= 0,				\
	[RXE_DCQCN_GD]			= 11,				\
	[RXE_DCQCN_MIN_DEC_FAC]		= 0,				\
	[RXE_DCQCN_TCP_G]		= RXE_CC_Q24(255, 256),		\
	[RXE_DCQCN_TCP_RTT]		= 55000,			\
	[RXE_DCQCN_INITIAL_ALPHA]	= RXE_CC_Q24(1, 1),		\
	[RXE_DCQCN_MONITOR_PERIOD]	= 0,				\
	[RXE_DCQCN_FIRST_CNP_RATE]	= 0,				\
	[RXE_DCQCN_CLAMP]		= 1,				\
	[RXE_DCQCN_CLAMP_ATI]		= 1,				\
	[RXE_DCQCN_CUT_LAST]		= 0

#define RXE_DCQCN_NS3_VALUES						\
	[RXE_DCQCN_TIME_RESET]		= 300000,			\
	[RXE_DCQCN_BYTE_RESET]		= 0,				\
	[RXE_DCQCN_THRESHOLD]		= 1,				\
	[RXE_DCQCN_AI_RATE]		= 2000000,			\
	[RXE_DCQCN_HAI_RATE]		= 20000000,			\
	[RXE_DCQCN_RATE_UNIT]		= 10000000000ULL,		\
	[RXE_DCQCN_MIN_RATE]		= 100000000,			\
	[RXE_DCQCN_MAX_RATE]		= 0,				\
	[RXE_DCQCN_GD]			= 11,				\
	[RXE_DCQCN_MIN_DEC_FAC]		= 0,				\
	[RXE_DCQCN_TCP_G]		= RXE_CC_Q24(255, 256),		\
	[RXE_DCQCN_TCP_RTT]		= 1000,				\
	[RXE_DCQCN_INITIAL_ALPHA]	= RXE_CC_Q24(1, 1),		\
	[RXE_DCQCN_MONITOR_PERIOD]	= 4000,				\
	[RXE_DCQCN_FIRST_CNP_RATE]	= 0,				\
	[RXE_DCQCN_CLAMP]		= 0,				\
	[RXE_DCQCN_CLAMP_ATI]		= 1,				\
	[RXE_DCQCN_CUT_LAST]		= 1

/* Rows for the start of an algorithm's table. Others follow undesignated. */
#define RXE_DCQCN_PARAMS						\
	[RXE_DCQCN_TIME_RESET] = {					\
		"rpg_time_reset", "ns", 1000, 131071000, 55000,		\
		"time between two rate increases of the timer"		\
	},								\
	[RXE_DCQCN_BYTE_RESET] = {					\
		"rpg_byte_reset", "bytes", 0, 1ULL << 40, 10000000,	\
		"wire bytes between two rate increases; 0 = no byte counter" \
	},								\
	[RXE_DCQCN_THRESHOLD] = {					\
		"rpg_threshold", "count", 1, 31, 5,			\
		"increases after a cut that are fast recovery"		\
	},								\
	[RXE_DCQCN_AI_RATE] = {						\
		"rpg_ai_rate", "bps", 1000, RXE_CC_RATE_MAX_BPS, 40000000, \
		"step of an additive increase"				\
	},								\
	[RXE_DCQCN_HAI_RATE] = {					\
		"rpg_hai_rate", "bps", 1000, RXE_CC_RATE_MAX_BPS, 400000000, \
		"step of a hyper increase"				\
	},								\
	[RXE_DCQCN_RATE_UNIT] = {					\
		"rate_unit", "bps", 0, RXE_CC_RATE_MAX_BPS, 40000000000ULL, \
		"line rate for which both steps hold: scales them; 0 = no scaling" \
	},								\
	[RXE_DCQCN_MIN_RATE] = {					\
		"rpg_min_rate", "bps", RXE_CC_RATE_MIN_BPS,		\
		RXE_CC_RATE_MAX_BPS, 1000000, "lowest rate"		\
	},								\
	[RXE_DCQCN_MAX_RATE] = {					\
		"rpg_max_rate", "bps", 0, RXE_CC_RATE_MAX_BPS, 0,	\
		"highest rate; 0 = line rate"				\
	},								\
	[RXE_DCQCN_GD] = {						\
		"rpg_gd", "count", 10, 15, 11,				\
		"a cut takes alpha / 2^(rpg_gd - 10) of the rate"	\
	},								\
	[RXE_DCQCN_MIN_DEC_FAC] = {					\
		"rpg_min_dec_fac", "q24", 0, RXE_CC_Q24(1, 1), 0,	\
		"part of the rate that a cut leaves at least"		\
	},								\
	[RXE_DCQCN_TCP_G] = {						\
		"dce_tcp_g", "q24", 0, RXE_CC_Q24(1, 1),		\
		RXE_CC_Q24(255, 256),					\
		"weight of the old alpha in an update: 1 - g of the paper" \
	},								\
	[RXE_DCQCN_TCP_RTT] = {						\
		"dce_tcp_rtt", "ns", 100, 131071000, 55000,		\
		"time between two updates of alpha"			\
	},								\
	[RXE_DCQCN_INITIAL_ALPHA] = {					\
		"initial_alpha_value", "q24", 0, RXE_CC_Q24(1, 1),	\
		RXE_CC_Q24(1, 1), "alpha at the first CNP"		\
	},								\
	[RXE_DCQCN_MONITOR_PERIOD] = {					\
		"rate_reduce_monitor_period", "ns", 0, 131071000, 0,	\
		"at most one cut in each, at its end; 0 = each CNP cuts at once" \
	},								\
	[RXE_DCQCN_FIRST_CNP_RATE] = {					\
		"rate_to_set_on_first_cnp", "bps", 0,			\
		RXE_CC_RATE_MAX_BPS, 0,					\
		"rate and target at the first CNP; 0 = as they are"	\
	},								\
	[RXE_DCQCN_CLAMP] = {						\
		"clamp_tgt_rate", "bool", 0, 1, 1,			\
		"each cut sets the target to the rate before it"	\
	},								\
	[RXE_DCQCN_CLAMP_ATI] = {					\
		"clamp_tgt_rate_after_time_inc", "bool", 0, 1, 1,	\
		"a cut after an increase of the timer does so too"	\
	},								\
	[RXE_DCQCN_CUT_LAST] = {					\
		"cut_last", "bool", 0, 1, 0,				\
		"alpha and increases that are due with a cut go first; 0: the cut does" \
	}

/**
 * struct rxe_dcqcn_ctx - what a call needs besides the state
 * @p: values of the parameters, indexed by enum rxe_dcqcn_param
 * @line_rate_bps: speed of the port
 * @min_rate_bps: floor given by the administrator
 */
struct rxe_dcqcn_ctx {
	const u64 *p;
	u64 line_rate_bps;
	u64 min_rate_bps;
};

/**
 * struct rxe_dcqcn_rp - state of one reaction point
 * @rate_bps: R_C, current rate
 * @target_bps: R_T, target rate
 * @alpha_q62: alpha as of @alpha_ns
 * @alpha_ns: start of the alpha period that is not accounted for yet
 * @epoch_ns: time of the first CNP: cut periods count from here
 * @cut_ns: when the pending cut is due, or RXE_CC_NO_TIMER
 * @inc_ns: when the timer increases the rate, or RXE_CC_NO_TIMER
 * @bytes: sent since the byte counter's last increase
 * @cuts: cuts so far
 * @cnps: CNPs so far
 * @time_stage: the paper's T, increases of the timer since the last cut
 * @byte_stage: the paper's BC, increases of the byte counter since then
 * @seen_cnp: the first CNP has come, so alpha and @epoch_ns are set
 * @alpha_cnp: a CNP came in the current alpha period
 * @limited: the rate is below the maximum and the increase timer runs
 */
struct rxe_dcqcn_rp {
	u64 rate_bps;
	u64 target_bps;
	u64 alpha_q62;
	u64 alpha_ns;
	u64 epoch_ns;
	u64 cut_ns;
	u64 inc_ns;
	u64 bytes;
	u64 cuts;
	u64 cnps;
	u32 time_stage;
	u32 byte_stage;
	bool seen_cnp;
	bool alpha_cnp;
	bool limited;
};

#define RXE_DCQCN_NR_VARS	8

void rxe_dcqcn_rp_init(struct rxe_dcqcn_rp *rp,
		       const struct rxe_dcqcn_ctx *ctx);
void rxe_dcqcn_rp_cnp(struct rxe_dcqcn_rp *rp, const struct rxe_dcqcn_ctx *ctx,
		      u64 now_ns);
void rxe_dcqcn_rp_sent(struct rxe_dcqcn_rp *rp, const struct rxe_dcqcn_ctx *ctx,
		       u64 bytes, u64 now_ns);
void rxe_dcqcn_rp_advance(struct rxe_dcqcn_rp *rp,
			  const struct rxe_dcqcn_ctx *ctx, u64 now_ns);
void rxe_dcqcn_rp_changed(struct rxe_dcqcn_rp *rp,
			  const struct rxe_dcqcn_ctx *ctx, u64 now_ns);
u64 rxe_dcqcn_rp_rate(const struct rxe_dcqcn_rp *rp,
		      const struct rxe_dcqcn_ctx *ctx);
extern const struct rxe_cc_signal rxe_dcqcn_signal;
unsigned int rxe_dcqcn_rp_dump(const struct rxe_dcqcn_rp *rp,
			       struct rxe_cc_var *vars);
const char *rxe_dcqcn_rp_check(const u64 *p, unsigned int *bad);

void rxe_dcqcn_flow_init(struct rxe_cc_flow *flow);
void rxe_dcqcn_flow_sent(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
void rxe_dcqcn_flow_cnp(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
void rxe_dcqcn_flow_timer(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s);
void rxe_dcqcn_flow_changed(struct rxe_cc_flow *flow, u64 now_ns);
unsigned int rxe_dcqcn_flow_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars);

/**
 * rxe_dcqcn_rp_due() - when rxe_dcqcn_rp_advance() has something to do
 * @rp: state
 *
 * Return: time, or RXE_CC_NO_TIMER.
 */
static inline u64 rxe_dcqcn_rp_due(const struct rxe_dcqcn_rp *rp)
{
	return rp->cut_ns < rp->inc_ns ? rp->cut_ns : rp->inc_ns;
}

/**
 * rxe_dcqcn_ctx_of() - context of a flow
 * @flow: the flow
 *
 * Return: the context, for the duration of the call.
 */
static inline struct rxe_dcqcn_ctx
rxe_dcqcn_ctx_of(const struct rxe_cc_flow *flow)
{
	return (struct rxe_dcqcn_ctx) {
		.p = flow->params,
		.line_rate_bps = flow->line_rate_bps,
		.min_rate_bps = flow->min_rate_bps,
	};
}

/**
 * rxe_dcqcn_rp_apply() - hand rate and timer to the core
 * @rp: state
 * @ctx: context
 * @flow: the flow
 */
static inline void rxe_dcqcn_rp_apply(const struct rxe_dcqcn_rp *rp,
				      const struct rxe_dcqcn_ctx *ctx,
				      struct rxe_cc_flow *flow)
{
	flow->rate_bps = rxe_dcqcn_rp_rate(rp, ctx);
	flow->timer_ns = rxe_dcqcn_rp_due(rp);
}

#endif /* _RXE_CC_DCQCN_RP_H */
