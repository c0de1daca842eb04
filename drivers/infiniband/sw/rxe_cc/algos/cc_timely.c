// SPDX-License-Identifier: GPL-2.0
/*
 * TIMELY: Mittal et al., "TIMELY: RTT-based Congestion Control for the
 * Datacenter", SIGCOMM 2015, section 4.3.
 *
 *	avg = (1 - w) avg + w (rtt - previous rtt)	once per RTT
 *	gradient = avg / min_rtt
 *
 *	rtt < t_low	R = R + delta
 *	rtt > t_high	R = R (1 - beta (1 - t_high / rtt))
 *	gradient <= 0	R = R + n delta
 *	otherwise	R = R (1 - beta gradient), not below min_rate
 *
 * n is 1, and hai_n (N of the paper) once that many updates in a row have raised
 * the rate.
 *
 * One update per round trip: an ACK counts when it acknowledges a packet that
 * was sent after the ACK of the update before had come. That packet is the
 * paper's segment. The first measurement has none before it and changes nothing.
 *
 * No window. The paper has none, and a cap of ours would hide what TIMELY does
 * in an incast; rxe's limit of unacknowledged packets holds as for everybody.
 * Flows start at the line rate. Loss changes nothing.
 *
 * Differences from the paper:
 *  - w weighs the new difference. The paper's formula has it so too and says no
 *    more of its value than that it is an EWMA parameter. 0.875 is what public
 *    simulators use with RTTs of single packets; the authors' published snippet
 *    recommends 0.02 for that, and also scales every step by the time since the
 *    last update.
 *  - An average within 1 ps of 0 is 0. In exact virtual time RTTs can stay the
 *    same to the ns, and the average of a rise that is over would keep its sign
 *    for hundreds of round trips without meaning anything.
 *  - A gradient that would take more than all of the rate leaves min_rate, for
 *    which the paper has no value: delta, so that the next update doubles it.
 *  - RTTs are of single packets, not of 16 to 64 KB segments.
 *  - t_low and t_high scale with the base RTT (rtt_unit), delta and min_rate with
 *    the line rate (rate_unit); 0 switches that off.
 *  - hai_low: steps below t_low count as the others and may be n delta too, as
 *    in public simulators. The paper adds delta there.
 */
#include <linux/module.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/version.h>

/* The average has 30 fractional bits, so RTTs must have no more than 32. */
#define TIMELY_AVG_SHIFT	30
#define TIMELY_MAX_RTT_NS	((u64)U32_MAX)
#define TIMELY_AVG_ZERO		(1LL << (TIMELY_AVG_SHIFT - 10))

/* Rates have 16 fractional bits: many small cuts of a small rate add up. */
#define TIMELY_RATE_SHIFT	16

enum {
	TIMELY_T_LOW,
	TIMELY_T_HIGH,
	TIMELY_RTT_UNIT,
	TIMELY_MIN_RTT,
	TIMELY_BETA,
	TIMELY_EWMA,
	TIMELY_DELTA,
	TIMELY_HAI_N,
	TIMELY_HAI_LOW,
	TIMELY_RATE_UNIT,
	TIMELY_MIN_RATE,
	TIMELY_NR_PARAMS,
};

static const struct rxe_cc_param timely_params[] = {
	[TIMELY_T_LOW] = {
		"t_low", "ns", 0, NSEC_PER_SEC, 50000,
		"below this RTT the rate goes up whatever the gradient"
	},
	[TIMELY_T_HIGH] = {
		"t_high", "ns", 0, NSEC_PER_SEC, 500000,
		"above this RTT the rate goes down whatever the gradient"
	},
	[TIMELY_RTT_UNIT] = {
		"rtt_unit", "ns", 0, NSEC_PER_SEC, 20000,
		"base RTT for which t_low and t_high hold: scales them; 0 = no scaling"
	},
	[TIMELY_MIN_RTT] = {
		"min_rtt", "ns", 0, NSEC_PER_SEC, 0,
		"what differences of RTTs are divided by; 0 = base RTT"
	},
	[TIMELY_BETA] = {
		"beta", "q24", 0, RXE_CC_Q24(1, 1), RXE_CC_Q24(4, 5),
		"part of the rate that goes at a gradient of 1"
	},
	[TIMELY_EWMA] = {
		"ewma", "q24", 1, RXE_CC_Q24(1, 1), RXE_CC_Q24(7, 8),
		"weight of the new difference in the average"
	},
	[TIMELY_DELTA] = {
		"delta", "bps", 1000, RXE_CC_RATE_MAX_BPS, 10000000,
		"rate added in an update"
	},
	[TIMELY_HAI_N] = {
		"hai_n", "count", 1, 1000, 5,
		"increases in a row before hyper increase, and steps in each of that"
	},
	[TIMELY_HAI_LOW] = {
		"hai_low", "bool", 0, 1, 0,
		"hyper increase below t_low too"
	},
	[TIMELY_RATE_UNIT] = {
		"rate_unit", "bps", 0, RXE_CC_RATE_MAX_BPS, 10000000000ULL,
		"line rate for which delta and min_rate hold: scales them; 0 = no scaling"
	},
	[TIMELY_MIN_RATE] = {
		"min_rate", "bps", RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS,
		10000000, "lowest rate"
	},
};

static const u64 timely_paper[TIMELY_NR_PARAMS] = {
	[TIMELY_T_LOW]		= 50000,
	[TIMELY_T_HIGH]		= 500000,
	[TIMELY_RTT_UNIT]	= 20000,
	[TIMELY_MIN_RTT]	= 0,
	[TIMELY_BETA]		= RXE_CC_Q24(4, 5),
	[TIMELY_EWMA]		= RXE_CC_Q24(7, 8),
	[TIMELY_DELTA]		= 10000000,
	[TIMELY_HAI_N]		= 5,
	[TIMELY_HAI_LOW]	= 0,
	[TIMELY_RATE_UNIT]	= 10000000000ULL,
	[TIMELY_MIN_RATE]	= 10000000,
};

/* Of a public simulator (HPCC, SIGCOMM'19) at 10 Gbit/s: times are absolute. */
static const u64 timely_ns3[TIMELY_NR_PARAMS] = {
	[TIMELY_T_LOW]		= 50000,
	[TIMELY_T_HIGH]		= 500000,
	[TIMELY_RTT_UNIT]	= 0,
	[TIMELY_MIN_RTT]	= 20000,
	[TIMELY_BETA]		= RXE_CC_Q24(4, 5),
	[TIMELY_EWMA]		= RXE_CC_Q24(7, 8),
	[TIMELY_DELTA]		= 10000000,
	[TIMELY_HAI_N]		= 5,
	[TIMELY_HAI_LOW]	= 1,
	[TIMELY_RATE_UNIT]	= 10000000000ULL,
	[TIMELY_MIN_RATE]	= 100000000,
};

static const struct rxe_cc_preset timely_presets[] = {
	{ "paper", timely_paper },
	{ "ns3", timely_ns3 },
};

/**
 * struct timely - state of a sender
 * @rate_q16: R in 2^-16 bit/s
 * @line_bps: line rate that @rate_q16 was last limited by
 * @avg_q30: average difference of two RTTs, in 2^-30 ns
 * @rtt_ns: RTT of the last update
 * @updates: updates so far, the first measurement left out
 * @cuts: those that lowered the rate
 * @until_seq: packets from here on were sent after the last update
 * @raised: updates in a row that raised the rate, at most hai_n
 * @started: @rtt_ns and @until_seq are known
 */
struct timely {
	u64 rate_q16;
	u64 line_bps;
	s64 avg_q30;
	u64 rtt_ns;
	u64 updates;
	u64 cuts;
	u64 until_seq;
	u32 raised;
	bool started;
};

/* A rate that may be meant for another line rate, in 2^-16 bit/s. */
static u64 timely_scaled_q16(const struct rxe_cc_flow *flow, u64 bps)
{
	u64 unit_bps = flow->params[TIMELY_RATE_UNIT];
	u64 q16 = bps << TIMELY_RATE_SHIFT;

	return unit_bps ? rxe_cc_muldiv(q16, flow->line_rate_bps, unit_bps) :
			  q16;
}

/* Limit the rate and hand it to the core. */
static void timely_set(struct timely *st, struct rxe_cc_flow *flow,
		       u64 rate_q16)
{
	u64 line_q16 = flow->line_rate_bps << TIMELY_RATE_SHIFT;
	u64 min_q16 = max(timely_scaled_q16(flow, flow->params[TIMELY_MIN_RATE]),
			  flow->min_rate_bps << TIMELY_RATE_SHIFT);

	st->rate_q16 = clamp(rate_q16, min(min_q16, line_q16), line_q16);
	st->line_bps = flow->line_rate_bps;
	flow->rate_bps = (st->rate_q16 + (1ULL << (TIMELY_RATE_SHIFT - 1))) >>
			 TIMELY_RATE_SHIFT;
}

static void timely_init(struct rxe_cc_flow *flow, u64 now_ns)
{
	/* The core gives the line rate, a replay perhaps another one. */
	timely_set(rxe_cc_priv(flow), flow, flow->rate_bps << TIMELY_RATE_SHIFT);
	flow->cwnd_bytes = RXE_CC_NO_WINDOW;
}

/* A flow at the old line rate goes to the new one. */
static void timely_params_changed(struct rxe_cc_flow *flow, u64 now_ns)
{
	struct timely *st = rxe_cc_priv(flow);
	u64 rate_q16 = st->rate_q16;

	if (rate_q16 >= st->line_bps << TIMELY_RATE_SHIFT)
		rate_q16 = flow->line_rate_bps << TIMELY_RATE_SHIFT;
	timely_set(st, flow, rate_q16);
}

static s64 timely_mul(s64 v, u64 q24)
{
	return v < 0 ? -(s64)rxe_cc_mul_q(-v, q24, RXE_CC_Q24_SHIFT) :
		       (s64)rxe_cc_mul_q(v, q24, RXE_CC_Q24_SHIFT);
}

static void timely_average(struct timely *st, const u64 *p, u64 rtt_ns)
{
	s64 diff_q30 = ((s64)rtt_ns - (s64)st->rtt_ns) *
		       (1LL << TIMELY_AVG_SHIFT);

	st->avg_q30 = timely_mul(st->avg_q30, RXE_CC_Q24_ONE - p[TIMELY_EWMA]) +
		      timely_mul(diff_q30, p[TIMELY_EWMA]);
}

static void timely_raise(struct timely *st, struct rxe_cc_flow *flow, bool low)
{
	const u64 *p = flow->params;
	u64 step_q16 = timely_scaled_q16(flow, p[TIMELY_DELTA]);

	if (st->raised >= p[TIMELY_HAI_N] && (!low || p[TIMELY_HAI_LOW]))
		step_q16 = rxe_cc_mul_q(step_q16, p[TIMELY_HAI_N], 0);
	else if (st->raised < p[TIMELY_HAI_N])
		st->raised++;
	timely_set(st, flow, rxe_cc_sat_add(st->rate_q16, step_q16));
}

/* Take a part of the rate, in Q62. */
static void timely_cut(struct timely *st, struct rxe_cc_flow *flow, u64 part)
{
	part = min(part, RXE_CC_Q62_ONE);
	st->raised = 0;
	st->cuts++;
	timely_set(st, flow, rxe_cc_mul_q(st->rate_q16, RXE_CC_Q62_ONE - part,
					  RXE_CC_Q62_SHIFT));
}

static void timely_update(struct timely *st, struct rxe_cc_flow *flow,
			  u64 rtt_ns)
{
	const u64 *p = flow->params;
	/* As the parameter's limit, so that the products fit. */
	u64 base_ns = clamp(flow->base_rtt_ns, 1ULL, (u64)NSEC_PER_SEC);
	u64 unit_ns = p[TIMELY_RTT_UNIT];
	u64 min_ns = p[TIMELY_MIN_RTT] ? p[TIMELY_MIN_RTT] : base_ns;
	/* RTT and thresholds times the unit: no division, nothing rounded. */
	u64 rtt = rtt_ns * (unit_ns ? unit_ns : 1);
	u64 low = p[TIMELY_T_LOW] * (unit_ns ? base_ns : 1);
	u64 high = p[TIMELY_T_HIGH] * (unit_ns ? base_ns : 1);

	timely_average(st, p, rtt_ns);
	st->updates++;
	if (rtt < low) {
		timely_raise(st, flow, true);
	} else if (rtt > high) {
		u64 over = RXE_CC_Q62_ONE -
			   rxe_cc_ratio_q(high, rtt, RXE_CC_Q62_SHIFT);

		timely_cut(st, flow, rxe_cc_mul_q(over, p[TIMELY_BETA],
						  RXE_CC_Q24_SHIFT));
	} else if (st->avg_q30 < TIMELY_AVG_ZERO) {
		timely_raise(st, flow, false);
	} else {
		u64 loss = rxe_cc_mul_q(st->avg_q30, p[TIMELY_BETA],
					RXE_CC_Q24_SHIFT);

		timely_cut(st, flow, rxe_cc_ratio_q(loss,
						    min_ns << TIMELY_AVG_SHIFT,
						    RXE_CC_Q62_SHIFT));
	}
}

static void timely_on_ack(struct rxe_cc_flow *flow,
			  const struct rxe_cc_sample *s)
{
	u64 rtt_ns = min(s->rtt_ns, TIMELY_MAX_RTT_NS);
	struct timely *st = rxe_cc_priv(flow);

	if (!rtt_ns)
		return;
	if (st->started) {
		if (s->seq < st->until_seq)
			return;
		timely_update(st, flow, rtt_ns);
	}
	st->started = true;
	st->rtt_ns = rtt_ns;
	st->until_seq = s->next_seq;
}

static const char *timely_check(const u64 *p, unsigned int *bad)
{
	if (p[TIMELY_T_LOW] > p[TIMELY_T_HIGH]) {
		*bad = TIMELY_T_LOW;
		return "is above t_high";
	}
	return NULL;
}

static unsigned int timely_dump(const struct rxe_cc_flow *flow,
				struct rxe_cc_var *vars)
{
	const struct timely *st = (const void *)flow->priv;
	u64 avg_ns = abs(st->avg_q30) >> TIMELY_AVG_SHIFT;

	vars[0] = (struct rxe_cc_var) { "rtt_ns", st->rtt_ns };
	vars[1] = (struct rxe_cc_var) { "rise_ns", st->avg_q30 > 0 ? avg_ns : 0 };
	vars[2] = (struct rxe_cc_var) { "fall_ns", st->avg_q30 < 0 ? avg_ns : 0 };
	vars[3] = (struct rxe_cc_var) { "raised", st->raised };
	vars[4] = (struct rxe_cc_var) { "updates", st->updates };
	vars[5] = (struct rxe_cc_var) { "cuts", st->cuts };
	return 6;
}

static const struct rxe_cc_signal timely_signals[] = { {
	.var		= "rtt_ns",
	.name		= "RTT",
	.unit		= "ns",
	.help		= ", the last round trip measured",
	.lines		= { "t_low", "t_high" },
	.rtt_unit	= "rtt_unit",
} };

static struct rxe_cc_ops timely_ops = {
	.on_ack		= timely_on_ack,
	.init		= timely_init,
	.params_changed	= timely_params_changed,
	.check_params	= timely_check,
	.dump		= timely_dump,
	.params		= timely_params,
	.presets	= timely_presets,
	.nr_params	= ARRAY_SIZE(timely_params),
	.nr_presets	= ARRAY_SIZE(timely_presets),
	.signals	= timely_signals,
	.nr_signals	= ARRAY_SIZE(timely_signals),
	.needs		= RXE_CC_ALGO_NEED_RTT,
	.priv_size	= sizeof(struct timely),
	.name		= "timely",
	.owner		= THIS_MODULE,
};

static int __init timely_module_init(void)
{
	BUILD_BUG_ON(ARRAY_SIZE(timely_params) != TIMELY_NR_PARAMS);
	return rxe_cc_register(&timely_ops);
}

static void __exit timely_module_exit(void)
{
	rxe_cc_unregister(&timely_ops);
}

module_init(timely_module_init);
module_exit(timely_module_exit);

MODULE_DESCRIPTION("TIMELY congestion control for soft-RoCE");
MODULE_LICENSE("GPL");
MODULE_VERSION(RXE_CC_VERSION);
MODULE_ALIAS_RXE_CC("timely");
