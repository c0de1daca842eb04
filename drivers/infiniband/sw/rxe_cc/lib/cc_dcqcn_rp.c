// SPDX-License-Identifier: GPL-2.0
/*
 * DCQCN reaction point.
 *
 * Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM
 * 2015, section 3.1, with the parameters and the cut period of mlx5 NICs.
 *
 *	cut		R_T = R_C			(see "clamp")
 *			R_C = R_C (1 - alpha / 2)
 *	alpha		alpha = (1 - g) alpha + g	period with a CNP
 *			alpha = (1 - g) alpha		period without
 *	fast recovery	R_C = (R_T + R_C) / 2		max(T, BC) < F
 *	additive	R_T += R_AI, R_C as above	otherwise
 *	hyper		R_T += R_HAI, R_C as above	min(T, BC) > F
 *
 * T and BC count the increases of the timer and of the byte counter since the
 * last cut. They are compared before the increase at hand is counted, so fast
 * recovery is exactly F increases. With the byte counter off, T stands for both.
 *
 * Differences from the paper:
 *  - Cuts. rate_reduce_monitor_period 0 is the paper: each CNP cuts at once,
 *    raises alpha and restarts the alpha period. Otherwise, as a NIC: time is
 *    divided into periods from the first CNP on, a period with one or more CNPs
 *    ends with one cut, and alpha is updated at the end of each of its own
 *    periods whether a CNP came in it or not.
 *  - Clamp. The paper sets R_T at every cut. With clamp_tgt_rate 0 a cut that
 *    follows a cut without an increase between leaves R_T alone, so that one
 *    congestion episode does not make the flow forget its rate.
 *  - Hyper increase adds R_HAI each time; 802.1Qau's QCN, to which the paper
 *    refers, adds i R_HAI the i-th time. NICs and the public simulators of DCQCN
 *    do as here.
 *  - rpg_min_dec_fac, rpg_gd, rate_to_set_on_first_cnp, rpg_min_rate are mlx5's.
 *  - R_AI and R_HAI can scale with the line rate (rate_unit).
 *  - Of what is due together the cut comes first, as in the paper: before an
 *    update of alpha, and before an increase of the timer, which it puts off. With
 *    cut_last it comes last, as in a public simulator of NICs (ns-3, HPCC,
 *    SIGCOMM'19): 1 ns after the end of its period, so that a CNP at the very end
 *    still counts; and of a CNP that cuts at once alpha is raised first.
 *
 * In that simulator too the first CNP sets alpha and does not count as a CNP for the
 * alpha period in which it comes.
 *
 * An increase rounds up, so that R_C reaches R_T and then the line rate after a
 * finite number of increases; a limiter at the line rate is off and costs no
 * timer. Alpha goes on decaying meanwhile: its periods are not timed but applied
 * together, as a power, when the value is needed. alpha is in Q62 (see
 * cc_math.h): with less than 24 fractional bits alpha stops decaying early and
 * rates are off by percents, and a power needs more than that.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/dcqcn_rp.h>

/*
 * Steps made up for in one call: increases, and the cut that may be among them. A timer
 * that is later than that many periods (a stopped virtual machine) has missed the rest:
 * a bound on the work in a softirq, and no surge.
 */
#define RXE_DCQCN_MAX_CATCH_UP	64

/* rpg_gd is a logarithm of a number with ten fractional bits. */
#define RXE_DCQCN_GD_ONE	10

static u64 dcqcn_max(const struct rxe_dcqcn_ctx *ctx)
{
	u64 max_bps = ctx->p[RXE_DCQCN_MAX_RATE];

	return max_bps ? min(max_bps, ctx->line_rate_bps) : ctx->line_rate_bps;
}

static u64 dcqcn_min(const struct rxe_dcqcn_ctx *ctx)
{
	return min(max(ctx->p[RXE_DCQCN_MIN_RATE], ctx->min_rate_bps),
		   dcqcn_max(ctx));
}

/* How long after the end of its period a cut is due. */
static u64 dcqcn_cut_delay(const struct rxe_dcqcn_ctx *ctx)
{
	return ctx->p[RXE_DCQCN_CUT_LAST] ? 1 : 0;
}

static u64 dcqcn_q62(u64 q24)
{
	return q24 << (RXE_CC_Q62_SHIFT - RXE_CC_Q24_SHIFT);
}

/* Back at the maximum: the limiter is off, only alpha lives on. */
static void dcqcn_release(struct rxe_dcqcn_rp *rp,
			  const struct rxe_dcqcn_ctx *ctx)
{
	rp->rate_bps = dcqcn_max(ctx);
	rp->target_bps = rp->rate_bps;
	rp->inc_ns = RXE_CC_NO_TIMER;
	rp->bytes = 0;
	rp->time_stage = 0;
	rp->byte_stage = 0;
	rp->limited = false;
}

/* The rate was lowered: both counters start over. */
static void dcqcn_limit(struct rxe_dcqcn_rp *rp,
			const struct rxe_dcqcn_ctx *ctx, u64 now_ns)
{
	if (rp->rate_bps >= dcqcn_max(ctx)) {
		dcqcn_release(rp, ctx);
		return;
	}
	rp->inc_ns = rxe_cc_sat_add(now_ns, ctx->p[RXE_DCQCN_TIME_RESET]);
	rp->bytes = 0;
	rp->time_stage = 0;
	rp->byte_stage = 0;
	rp->limited = true;
}

/* alpha = (1 - g) alpha + g */
static void dcqcn_alpha_raise(struct rxe_dcqcn_rp *rp,
			      const struct rxe_dcqcn_ctx *ctx)
{
	u64 keep = dcqcn_q62(ctx->p[RXE_DCQCN_TCP_G]);

	rp->alpha_q62 = rxe_cc_ewma_q62(rp->alpha_q62, RXE_CC_Q62_ONE,
					RXE_CC_Q62_ONE - keep);
}

/*
 * All updates of alpha due at or before @t_ns. Only the first of them can be of
 * a period with a CNP: each CNP brings alpha up to date before it is noted.
 */
static void dcqcn_alpha_until(struct rxe_dcqcn_rp *rp,
			      const struct rxe_dcqcn_ctx *ctx, u64 t_ns)
{
	u64 rtt_ns = max(ctx->p[RXE_DCQCN_TCP_RTT], 1ULL);
	u64 keep = dcqcn_q62(ctx->p[RXE_DCQCN_TCP_G]);
	u64 n;

	if (!rp->seen_cnp || t_ns < rp->alpha_ns)
		return;
	n = div64_u64(t_ns - rp->alpha_ns, rtt_ns);
	if (!n)
		return;
	rp->alpha_ns += n * rtt_ns;
	if (rp->alpha_cnp) {
		dcqcn_alpha_raise(rp, ctx);
		rp->alpha_cnp = false;
		n--;
	}
	rp->alpha_q62 = rxe_cc_mul_q(rp->alpha_q62, rxe_cc_pow_q62(keep, n),
				     RXE_CC_Q62_SHIFT);
}

/* All updates due before @t_ns. */
static void dcqcn_alpha_before(struct rxe_dcqcn_rp *rp,
			       const struct rxe_dcqcn_ctx *ctx, u64 t_ns)
{
	if (t_ns)
		dcqcn_alpha_until(rp, ctx, t_ns - 1);
}

static void dcqcn_cut(struct rxe_dcqcn_rp *rp, const struct rxe_dcqcn_ctx *ctx,
		      u64 t_ns)
{
	const u64 *p = ctx->p;
	u64 keep;

	rp->cut_ns = RXE_CC_NO_TIMER;
	rp->cuts++;
	dcqcn_alpha_before(rp, ctx, t_ns);
	if (p[RXE_DCQCN_CLAMP] || rp->byte_stage ||
	    (p[RXE_DCQCN_CLAMP_ATI] && rp->time_stage))
		rp->target_bps = rp->rate_bps;
	keep = RXE_CC_Q62_ONE -
	       (rp->alpha_q62 >> (p[RXE_DCQCN_GD] - RXE_DCQCN_GD_ONE));
	keep = max(keep, dcqcn_q62(p[RXE_DCQCN_MIN_DEC_FAC]));
	rp->rate_bps = max(rxe_cc_mul_q(rp->rate_bps, keep, RXE_CC_Q62_SHIFT),
			   dcqcn_min(ctx));
	dcqcn_limit(rp, ctx, t_ns);
}

static u64 dcqcn_step(const struct rxe_dcqcn_ctx *ctx, u64 step_bps)
{
	u64 unit_bps = ctx->p[RXE_DCQCN_RATE_UNIT];

	if (unit_bps)
		step_bps = rxe_cc_muldiv(step_bps, ctx->line_rate_bps, unit_bps);
	return max(step_bps, 1ULL);
}

/* One increase, of the counter that @stage belongs to. */
static void dcqcn_increase(struct rxe_dcqcn_rp *rp,
			   const struct rxe_dcqcn_ctx *ctx, u32 *stage)
{
	u64 threshold = ctx->p[RXE_DCQCN_THRESHOLD];
	u32 t = rp->time_stage;
	u32 bc = ctx->p[RXE_DCQCN_BYTE_RESET] ? rp->byte_stage : t;
	u64 step_bps = 0;

	if (min(t, bc) > threshold)
		step_bps = dcqcn_step(ctx, ctx->p[RXE_DCQCN_HAI_RATE]);
	else if (max(t, bc) >= threshold)
		step_bps = dcqcn_step(ctx, ctx->p[RXE_DCQCN_AI_RATE]);
	rp->target_bps = min(rxe_cc_sat_add(rp->target_bps, step_bps),
			     dcqcn_max(ctx));
	rp->rate_bps += DIV_ROUND_UP(rxe_cc_sat_sub(rp->target_bps,
						    rp->rate_bps), 2);
	if (*stage < U32_MAX)
		(*stage)++;
	if (rp->rate_bps >= dcqcn_max(ctx))
		dcqcn_release(rp, ctx);
}

/**
 * rxe_dcqcn_rp_init() - start at the highest rate, without alpha
 * @rp: state
 * @ctx: context
 */
void rxe_dcqcn_rp_init(struct rxe_dcqcn_rp *rp, const struct rxe_dcqcn_ctx *ctx)
{
	*rp = (struct rxe_dcqcn_rp) { .cut_ns = RXE_CC_NO_TIMER };
	dcqcn_release(rp, ctx);
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_rp_init);

/**
 * rxe_dcqcn_rp_advance() - do what has fallen due
 * @rp: state
 * @ctx: context
 * @now_ns: time
 *
 * Cuts and timer increases take effect in the order in which they were due,
 * however late the call; of two due together the cut, which restarts the timer, or
 * with cut_last the increase.
 */
void rxe_dcqcn_rp_advance(struct rxe_dcqcn_rp *rp,
			  const struct rxe_dcqcn_ctx *ctx, u64 now_ns)
{
	u64 period_ns = max(ctx->p[RXE_DCQCN_TIME_RESET], 1ULL);
	unsigned int n;

	for (n = 0; rxe_dcqcn_rp_due(rp) <= now_ns; n++) {
		if (rxe_dcqcn_rp_due(rp) == RXE_CC_NO_TIMER)
			return;
		if (rp->cut_ns < rp->inc_ns ||
		    (rp->cut_ns == rp->inc_ns && !ctx->p[RXE_DCQCN_CUT_LAST])) {
			dcqcn_cut(rp, ctx, rp->cut_ns);
			continue;
		}
		if (n >= RXE_DCQCN_MAX_CATCH_UP) {
			rp->inc_ns = rxe_cc_sat_add(now_ns, period_ns);
			continue;
		}
		rp->inc_ns = rxe_cc_sat_add(rp->inc_ns, period_ns);
		dcqcn_increase(rp, ctx, &rp->time_stage);
	}
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_rp_advance);

static void dcqcn_first_cnp(struct rxe_dcqcn_rp *rp,
			    const struct rxe_dcqcn_ctx *ctx, u64 now_ns)
{
	u64 first_bps = ctx->p[RXE_DCQCN_FIRST_CNP_RATE];

	rp->seen_cnp = true;
	rp->alpha_q62 = dcqcn_q62(ctx->p[RXE_DCQCN_INITIAL_ALPHA]);
	rp->alpha_ns = now_ns;
	rp->epoch_ns = now_ns;
	if (!first_bps)
		return;
	rp->rate_bps = clamp(first_bps, dcqcn_min(ctx), rp->rate_bps);
	rp->target_bps = rp->rate_bps;
	dcqcn_limit(rp, ctx, now_ns);
}

/* The CNP ends the alpha period. */
static void dcqcn_cut_at_once(struct rxe_dcqcn_rp *rp,
			      const struct rxe_dcqcn_ctx *ctx, u64 now_ns)
{
	if (ctx->p[RXE_DCQCN_CUT_LAST]) {
		dcqcn_alpha_before(rp, ctx, now_ns);
		dcqcn_alpha_raise(rp, ctx);
		rp->alpha_ns = now_ns;
		dcqcn_cut(rp, ctx, now_ns);
	} else {
		dcqcn_cut(rp, ctx, now_ns);
		dcqcn_alpha_raise(rp, ctx);
		rp->alpha_ns = now_ns;
	}
	rp->alpha_cnp = false;
}

/**
 * rxe_dcqcn_rp_cnp() - a CNP arrived
 * @rp: state
 * @ctx: context
 * @now_ns: time
 */
void rxe_dcqcn_rp_cnp(struct rxe_dcqcn_rp *rp, const struct rxe_dcqcn_ctx *ctx,
		      u64 now_ns)
{
	u64 period_ns = ctx->p[RXE_DCQCN_MONITOR_PERIOD];
	bool first = !rp->seen_cnp;
	u64 periods, start_ns;

	rxe_dcqcn_rp_advance(rp, ctx, now_ns);
	rp->cnps++;
	if (first)
		dcqcn_first_cnp(rp, ctx, now_ns);
	if (!period_ns) {
		dcqcn_cut_at_once(rp, ctx, now_ns);
		return;
	}
	dcqcn_alpha_until(rp, ctx, now_ns);
	rp->alpha_cnp = !first;
	if (rp->cut_ns != RXE_CC_NO_TIMER)
		return;
	start_ns = rp->epoch_ns + dcqcn_cut_delay(ctx);
	periods = div64_u64(rxe_cc_sat_sub(now_ns, start_ns), period_ns) + 1;
	rp->cut_ns = rxe_cc_sat_add(start_ns, periods * period_ns);
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_rp_cnp);

/**
 * rxe_dcqcn_rp_sent() - data was sent: the byte counter
 * @rp: state
 * @ctx: context
 * @bytes: wire bytes; sent again counts too
 * @now_ns: time
 */
void rxe_dcqcn_rp_sent(struct rxe_dcqcn_rp *rp, const struct rxe_dcqcn_ctx *ctx,
		       u64 bytes, u64 now_ns)
{
	u64 reset = ctx->p[RXE_DCQCN_BYTE_RESET];
	unsigned int n;

	rxe_dcqcn_rp_advance(rp, ctx, now_ns);
	if (!rp->limited || !reset)
		return;
	rp->bytes = rxe_cc_sat_add(rp->bytes, bytes);
	for (n = 0; rp->bytes >= reset; n++) {
		if (n >= RXE_DCQCN_MAX_CATCH_UP) {
			rp->bytes = 0;
			return;
		}
		rp->bytes -= reset;
		dcqcn_increase(rp, ctx, &rp->byte_stage);
	}
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_rp_sent);

/**
 * rxe_dcqcn_rp_changed() - parameters or the line rate have new values
 * @rp: state
 * @ctx: context with the new values
 * @now_ns: time
 *
 * A flow at the old maximum goes to the new one. No wait gets longer than the
 * new periods. Alpha periods since the last CNP count with the new length.
 */
void rxe_dcqcn_rp_changed(struct rxe_dcqcn_rp *rp,
			  const struct rxe_dcqcn_ctx *ctx, u64 now_ns)
{
	u64 due_ns;

	if (rp->cut_ns != RXE_CC_NO_TIMER) {
		due_ns = rxe_cc_sat_add(now_ns,
					ctx->p[RXE_DCQCN_MONITOR_PERIOD]);
		rp->cut_ns = min(rp->cut_ns, due_ns);
	}
	rp->target_bps = clamp(rp->target_bps, dcqcn_min(ctx), dcqcn_max(ctx));
	rp->rate_bps = clamp(rp->rate_bps, dcqcn_min(ctx), rp->target_bps);
	if (!rp->limited || rp->rate_bps >= dcqcn_max(ctx)) {
		dcqcn_release(rp, ctx);
		return;
	}
	due_ns = rxe_cc_sat_add(now_ns, ctx->p[RXE_DCQCN_TIME_RESET]);
	rp->inc_ns = min(rp->inc_ns, due_ns);
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_rp_changed);

/**
 * rxe_dcqcn_rp_rate() - rate to send at
 * @rp: state
 * @ctx: context
 *
 * Return: bit/s of wire bytes.
 */
u64 rxe_dcqcn_rp_rate(const struct rxe_dcqcn_rp *rp,
		      const struct rxe_dcqcn_ctx *ctx)
{
	return rp->limited ? min(rp->rate_bps, dcqcn_max(ctx)) : dcqcn_max(ctx);
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_rp_rate);

/**
 * rxe_dcqcn_rp_dump() - state for people
 * @rp: state
 * @vars: at least RXE_DCQCN_NR_VARS to fill
 *
 * alpha is as of the last CNP or cut: it decays without being written.
 *
 * Return: how many were filled.
 */
unsigned int rxe_dcqcn_rp_dump(const struct rxe_dcqcn_rp *rp,
			       struct rxe_cc_var *vars)
{
	const struct rxe_cc_var v[RXE_DCQCN_NR_VARS] = {
		{ "target_bps", rp->target_bps },
		{ "alpha_q24", rp->alpha_q62 >>
			       (RXE_CC_Q62_SHIFT - RXE_CC_Q24_SHIFT) },
		{ "time_stage", rp->time_stage },
		{ "byte_stage", rp->byte_stage },
		{ "byte_counter_bytes", rp->bytes },
		{ "limited", rp->limited },
		{ "cuts", rp->cuts },
		{ "cnps", rp->cnps },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(v); i++)
		vars[i] = v[i];
	return i;
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_rp_dump);

/* What rxe_dcqcn_rp_dump() has of it, for algorithms that use this library. */
const struct rxe_cc_signal rxe_dcqcn_signal = {
	.var	= "alpha_q24",
	.name	= "alpha",
	.unit	= "q24",
	.help	= " at its last CNP, which cut the rate by half of it",
};
EXPORT_SYMBOL_GPL(rxe_dcqcn_signal);

/**
 * rxe_dcqcn_rp_check() - do the parameters fit together?
 * @p: values, each in its range
 * @bad: set to the index of the one to blame
 *
 * Return: NULL, or what is wrong.
 */
const char *rxe_dcqcn_rp_check(const u64 *p, unsigned int *bad)
{
	if (p[RXE_DCQCN_MAX_RATE] &&
	    p[RXE_DCQCN_MIN_RATE] > p[RXE_DCQCN_MAX_RATE]) {
		*bad = RXE_DCQCN_MIN_RATE;
		return "is above rpg_max_rate";
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_rp_check);

/**
 * rxe_dcqcn_flow_init() - a flow begins
 * @flow: flow whose sender's state is a struct rxe_dcqcn_rp and nothing else, as in all
 *	rxe_dcqcn_flow_*() calls, which are or make the ops of such an algorithm
 */
void rxe_dcqcn_flow_init(struct rxe_cc_flow *flow)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct rxe_dcqcn_rp *rp = rxe_cc_priv(flow);

	rxe_dcqcn_rp_init(rp, &ctx);
	rxe_dcqcn_rp_apply(rp, &ctx, flow);
	flow->cwnd_bytes = RXE_CC_NO_WINDOW;
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_flow_init);

/**
 * rxe_dcqcn_flow_sent() - on_sent of such a flow
 * @flow: flow
 * @s: what was sent
 */
void rxe_dcqcn_flow_sent(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct rxe_dcqcn_rp *rp = rxe_cc_priv(flow);

	if (!rp->limited)
		return;
	rxe_dcqcn_rp_sent(rp, &ctx, s->bytes, s->now_ns);
	rxe_dcqcn_rp_apply(rp, &ctx, flow);
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_flow_sent);

/**
 * rxe_dcqcn_flow_cnp() - on_cnp of such a flow
 * @flow: flow
 * @s: the CNP
 */
void rxe_dcqcn_flow_cnp(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct rxe_dcqcn_rp *rp = rxe_cc_priv(flow);

	rxe_dcqcn_rp_cnp(rp, &ctx, s->now_ns);
	rxe_dcqcn_rp_apply(rp, &ctx, flow);
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_flow_cnp);

/**
 * rxe_dcqcn_flow_timer() - on_timer of such a flow
 * @flow: flow
 * @s: the time
 */
void rxe_dcqcn_flow_timer(struct rxe_cc_flow *flow, const struct rxe_cc_sample *s)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct rxe_dcqcn_rp *rp = rxe_cc_priv(flow);

	rxe_dcqcn_rp_advance(rp, &ctx, s->now_ns);
	rxe_dcqcn_rp_apply(rp, &ctx, flow);
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_flow_timer);

/**
 * rxe_dcqcn_flow_changed() - parameters or the line rate of such a flow have changed
 * @flow: flow
 * @now_ns: time
 */
void rxe_dcqcn_flow_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct rxe_dcqcn_ctx ctx = rxe_dcqcn_ctx_of(flow);
	struct rxe_dcqcn_rp *rp = rxe_cc_priv(flow);

	rxe_dcqcn_rp_changed(rp, &ctx, now_ns);
	rxe_dcqcn_rp_apply(rp, &ctx, flow);
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_flow_changed);

/**
 * rxe_dcqcn_flow_dump() - dump of such a flow
 * @flow: flow
 * @vars: set to its variables
 *
 * Return: how many, RXE_DCQCN_NR_VARS.
 */
unsigned int rxe_dcqcn_flow_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	return rxe_dcqcn_rp_dump((const struct rxe_dcqcn_rp *)flow->priv, vars);
}
EXPORT_SYMBOL_GPL(rxe_dcqcn_flow_dump);
