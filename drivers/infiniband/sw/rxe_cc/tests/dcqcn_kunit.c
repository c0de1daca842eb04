// SPDX-License-Identifier: GPL-2.0
/*
 * DCQCN's reaction point: against the tables of an independent floating-point
 * model (gen_dcqcn.c), and case by case.
 */
#include <kunit/test.h>
#include <rxe_cc/cc_math.h>
#include <rxe_cc/dcqcn_rp.h>

#include "cc_test.h"

#define GBPS	1000000000ULL

/* Accepted relative error of a rate: a hundredth of the 0.1 % that is asked for. */
#define MAX_RATE_PPM	10

/* Every parameter away from the presets. */
#define DCQCN_ODD_VALUES						\
	[RXE_DCQCN_TIME_RESET]		= 20000,			\
	[RXE_DCQCN_BYTE_RESET]		= 100000,			\
	[RXE_DCQCN_THRESHOLD]		= 3,				\
	[RXE_DCQCN_AI_RATE]		= 100000000,			\
	[RXE_DCQCN_HAI_RATE]		= GBPS,				\
	[RXE_DCQCN_RATE_UNIT]		= 100 * GBPS,			\
	[RXE_DCQCN_MIN_RATE]		= 20000000,			\
	[RXE_DCQCN_MAX_RATE]		= 150 * GBPS,			\
	[RXE_DCQCN_GD]			= 12,				\
	[RXE_DCQCN_MIN_DEC_FAC]		= RXE_CC_Q24(7, 8),		\
	[RXE_DCQCN_TCP_G]		= RXE_CC_Q24(3, 4),		\
	[RXE_DCQCN_TCP_RTT]		= 13000,			\
	[RXE_DCQCN_INITIAL_ALPHA]	= RXE_CC_Q24(1, 2),		\
	[RXE_DCQCN_MONITOR_PERIOD]	= 7000,				\
	[RXE_DCQCN_FIRST_CNP_RATE]	= 50 * GBPS,			\
	[RXE_DCQCN_CLAMP]		= 0,				\
	[RXE_DCQCN_CLAMP_ATI]		= 0,				\
	[RXE_DCQCN_CUT_LAST]		= 0

/* Cuts come last, and increases as often as every second cut period. */
#define DCQCN_LAST_VALUES						\
	[RXE_DCQCN_TIME_RESET]		= 8000,				\
	[RXE_DCQCN_BYTE_RESET]		= 0,				\
	[RXE_DCQCN_THRESHOLD]		= 1,				\
	[RXE_DCQCN_AI_RATE]		= 2000000,			\
	[RXE_DCQCN_HAI_RATE]		= 20000000,			\
	[RXE_DCQCN_RATE_UNIT]		= 0,				\
	[RXE_DCQCN_MIN_RATE]		= 100000000,			\
	[RXE_DCQCN_MAX_RATE]		= 0,				\
	[RXE_DCQCN_GD]			= 11,				\
	[RXE_DCQCN_MIN_DEC_FAC]		= 0,				\
	[RXE_DCQCN_TCP_G]		= RXE_CC_Q24(255, 256),		\
	[RXE_DCQCN_TCP_RTT]		= 2000,				\
	[RXE_DCQCN_INITIAL_ALPHA]	= RXE_CC_Q24(1, 1),		\
	[RXE_DCQCN_MONITOR_PERIOD]	= 4000,				\
	[RXE_DCQCN_FIRST_CNP_RATE]	= 0,				\
	[RXE_DCQCN_CLAMP]		= 0,				\
	[RXE_DCQCN_CLAMP_ATI]		= 1,				\
	[RXE_DCQCN_CUT_LAST]		= 1

enum { LOOK, CNP, SENT };

struct dcqcn_vector {
	u32 dt_ns, kind, bytes;
	u64 rate_bps;
	u32 alpha_q31;
};

#include "dcqcn_vectors.h"

static const struct dcqcn_table {
	const char *name;
	const u64 *params;
	const struct dcqcn_vector *row;
	unsigned int nr;
	u64 line_bps;
} dcqcn_tables[] = {
	{ "mlx5_100g", dcqcn_params_mlx5_100g, dcqcn_mlx5_100g,
	  ARRAY_SIZE(dcqcn_mlx5_100g), 100 * GBPS },
	{ "paper_40g", dcqcn_params_paper_40g, dcqcn_paper_40g,
	  ARRAY_SIZE(dcqcn_paper_40g), 40 * GBPS },
	{ "ns3_10g", dcqcn_params_ns3_10g, dcqcn_ns3_10g,
	  ARRAY_SIZE(dcqcn_ns3_10g), 10 * GBPS },
	{ "odd_200g", dcqcn_params_odd_200g, dcqcn_odd_200g,
	  ARRAY_SIZE(dcqcn_odd_200g), 200 * GBPS },
	{ "last_25g", dcqcn_params_last_25g, dcqcn_last_25g,
	  ARRAY_SIZE(dcqcn_last_25g), 25 * GBPS },
};

KUNIT_ARRAY_PARAM_DESC(dcqcn_table, dcqcn_tables, name);

struct dcqcn_rig {
	struct rxe_dcqcn_rp rp;
	struct rxe_dcqcn_ctx ctx;
	u64 p[RXE_DCQCN_NR_PARAMS];
	u64 now_ns;
};

static const u64 dcqcn_mlx5[RXE_DCQCN_NR_PARAMS] = { RXE_DCQCN_MLX5_VALUES };
static const u64 dcqcn_paper[RXE_DCQCN_NR_PARAMS] = { RXE_DCQCN_PAPER_VALUES };
static const u64 dcqcn_ns3[RXE_DCQCN_NR_PARAMS] = { RXE_DCQCN_NS3_VALUES };

static struct dcqcn_rig *rig_new(struct kunit *test, const u64 *params,
				 u64 line_bps)
{
	struct dcqcn_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, rig);
	memcpy(rig->p, params, sizeof(rig->p));
	rig->ctx.p = rig->p;
	rig->ctx.line_rate_bps = line_bps;
	rig->ctx.min_rate_bps = RXE_CC_RATE_MIN_BPS;
	rig->now_ns = NSEC_PER_SEC;
	rxe_dcqcn_rp_init(&rig->rp, &rig->ctx);
	return rig;
}

static u64 rig_rate(struct dcqcn_rig *rig)
{
	return rxe_dcqcn_rp_rate(&rig->rp, &rig->ctx);
}

/* Let time pass; timers fire on time, or only at the end when @late. */
static void rig_pass(struct dcqcn_rig *rig, u64 ns, bool late)
{
	u64 end_ns = rig->now_ns + ns;

	while (!late && rxe_dcqcn_rp_due(&rig->rp) <= end_ns)
		rxe_dcqcn_rp_advance(&rig->rp, &rig->ctx,
				     rxe_dcqcn_rp_due(&rig->rp));
	rig->now_ns = end_ns;
	rxe_dcqcn_rp_advance(&rig->rp, &rig->ctx, end_ns);
}

static void rig_cnp(struct dcqcn_rig *rig)
{
	rxe_dcqcn_rp_cnp(&rig->rp, &rig->ctx, rig->now_ns);
}

static void rig_event(struct dcqcn_rig *rig, const struct dcqcn_vector *v)
{
	if (v->kind == CNP)
		rig_cnp(rig);
	else if (v->kind == SENT)
		rxe_dcqcn_rp_sent(&rig->rp, &rig->ctx, v->bytes, rig->now_ns);
}

static u64 diff_ppm(u64 got, u64 want)
{
	u64 diff = got > want ? got - want : want - got;

	return rxe_cc_muldiv_up(diff, 1000000, want);
}

static void dcqcn__model(struct kunit *test)
{
	const struct dcqcn_table *t = test->param_value;
	struct dcqcn_rig *rig = rig_new(test, t->params, t->line_bps);
	u64 worst_ppb = 0, worst_alpha = 0;
	unsigned int i;

	for (i = 0; i < t->nr; i++) {
		const struct dcqcn_vector *v = &t->row[i];
		u64 got, alpha, diff;

		rig_pass(rig, v->dt_ns, false);
		rig_event(rig, v);
		got = rig_rate(rig);
		diff = got > v->rate_bps ? got - v->rate_bps : v->rate_bps - got;
		worst_ppb = max(worst_ppb, rxe_cc_muldiv_up(diff, NSEC_PER_SEC,
							    v->rate_bps));
		KUNIT_ASSERT_LE_MSG(test, diff_ppm(got, v->rate_bps),
				    (u64)MAX_RATE_PPM,
				    "row %u: %llu bit/s, expected %llu", i, got,
				    v->rate_bps);
		if (v->kind != CNP)
			continue;
		alpha = rig->rp.alpha_q62 >> 31;
		diff = alpha > v->alpha_q31 ? alpha - v->alpha_q31 :
					      v->alpha_q31 - alpha;
		worst_alpha = max(worst_alpha, diff);
		KUNIT_ASSERT_LE_MSG(test, diff, 1ULL << 8,
				    "row %u: alpha %llu, expected %u", i, alpha,
				    v->alpha_q31);
	}
	kunit_info(test, "%u events, worst rate error %llu ppb, alpha %llu x 2^-31",
		   t->nr, worst_ppb, worst_alpha);
}

/* How late or how often the library is called makes no difference. */
static void dcqcn__late(struct kunit *test)
{
	const struct dcqcn_table *t = test->param_value;
	struct dcqcn_rig *a = rig_new(test, t->params, t->line_bps);
	struct dcqcn_rig *b = rig_new(test, t->params, t->line_bps);
	struct dcqcn_rig *c = rig_new(test, t->params, t->line_bps);
	unsigned int i, j;

	for (i = 0; i < t->nr; i++) {
		const struct dcqcn_vector *v = &t->row[i];

		rig_pass(a, v->dt_ns, false);
		rig_pass(b, v->dt_ns, true);
		for (j = 0; j < 7; j++)
			rig_pass(c, v->dt_ns / 7, false);
		rig_pass(c, v->dt_ns - v->dt_ns / 7 * 7, false);
		rig_event(a, v);
		rig_event(b, v);
		rig_event(c, v);
		KUNIT_ASSERT_EQ_MSG(test, rig_rate(b), rig_rate(a), "row %u", i);
		KUNIT_ASSERT_EQ_MSG(test, rig_rate(c), rig_rate(a), "row %u", i);
		KUNIT_ASSERT_EQ_MSG(test, b->rp.alpha_q62, a->rp.alpha_q62,
				    "row %u", i);
	}
}

/* Alpha decayed at once is alpha decayed period by period. */
static void dcqcn__alpha_lazy(struct kunit *test)
{
	static const u32 periods[] = { 1, 2, 3, 10, 100, 1000, 5000 };
	u64 keep = RXE_CC_Q24(1019, 1024) << 38;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		struct dcqcn_rig *rig = rig_new(test, dcqcn_mlx5, 100 * GBPS);
		u64 alpha, diff;

		rig_cnp(rig);
		alpha = rig->rp.alpha_q62;
		rig->now_ns += periods[i] * 1000ULL + 300;
		rig_cnp(rig);
		for (n = 0; n < periods[i]; n++)
			alpha = rxe_cc_mul_q(alpha, keep, RXE_CC_Q62_SHIFT);
		diff = alpha > rig->rp.alpha_q62 ? alpha - rig->rp.alpha_q62 :
						   rig->rp.alpha_q62 - alpha;
		KUNIT_EXPECT_LE_MSG(test, diff, 1ULL << 12, "%u periods",
				    periods[i]);
	}
}

static void dcqcn__first_cnp(struct kunit *test)
{
	struct dcqcn_rig *rig = rig_new(test, dcqcn_paper, 40 * GBPS);

	KUNIT_EXPECT_EQ(test, rig_rate(rig), 40 * GBPS);
	KUNIT_EXPECT_EQ(test, rxe_dcqcn_rp_due(&rig->rp), RXE_CC_NO_TIMER);
	rig_cnp(rig);
	/* alpha is 1: half of the rate goes; the target stays. */
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 20 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->rp.target_bps, 40 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->rp.alpha_q62, RXE_CC_Q62_ONE);
	/* Fast recovery: three quarters, seven eighths... */
	rig_pass(rig, 55000, false);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 30 * GBPS);
	rig_pass(rig, 55000, false);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 35 * GBPS);
}

/* Several CNPs in a period are one cut, and it comes at the period's end. */
static void dcqcn__one_cut_a_period(struct kunit *test)
{
	struct dcqcn_rig *rig = rig_new(test, dcqcn_mlx5, 100 * GBPS);
	unsigned int i;

	for (i = 0; i < 5; i++) {
		rig_cnp(rig);
		KUNIT_EXPECT_EQ(test, rig->rp.cuts, 0ULL);
		rig_pass(rig, 700, false);
	}
	rig_pass(rig, 499, false);
	KUNIT_EXPECT_EQ(test, rig->rp.cuts, 0ULL);
	rig_pass(rig, 1, false);
	KUNIT_EXPECT_EQ(test, rig->rp.cuts, 1ULL);
	rig_pass(rig, 20000, false);
	KUNIT_EXPECT_EQ(test, rig->rp.cuts, 1ULL);
	rig_cnp(rig);
	rig_pass(rig, 4000, false);
	KUNIT_EXPECT_EQ(test, rig->rp.cuts, 2ULL);
	KUNIT_EXPECT_EQ(test, rig->rp.cnps, 6ULL);
}

/* g of 1/256, alpha every 1 us, cuts every 4 us: when the first cut comes alpha was
 * multiplied by 255/256 three times, or, when the cut is last, four times.
 */
static void dcqcn__first_cut(struct kunit *test)
{
	static const struct {
		u64 num, den, cut_ns;
	} t[] = {
		{ 16581375, 16777216, 4000 },		/* .988327 */
		{ 4228250625, 4294967296, 4001 },	/* .984466 */
	};
	struct dcqcn_rig *rig;
	u64 want_bps;
	int last;

	for (last = 0; last < 2; last++) {
		rig = rig_new(test, dcqcn_ns3, 10 * GBPS);
		KUNIT_EXPECT_EQ(test, rig->p[RXE_DCQCN_CUT_LAST], 1ULL);
		rig->p[RXE_DCQCN_CUT_LAST] = last;
		rig_cnp(rig);
		rig_pass(rig, t[last].cut_ns - 1, false);
		KUNIT_EXPECT_EQ(test, rig_rate(rig), 10 * GBPS);
		rig_pass(rig, 1, false);
		want_bps = 10 * GBPS - mul_u64_u64_div_u64(5 * GBPS, t[last].num,
							   t[last].den);
		KUNIT_EXPECT_LE(test, rig_rate(rig), want_bps + 1);
		KUNIT_EXPECT_GE(test, rig_rate(rig), want_bps - 1);
	}
}

/* A CNP at the very end of a period. */
static void dcqcn__cnp_at_the_end(struct kunit *test)
{
	struct dcqcn_rig *rig;
	int last;

	for (last = 0; last < 2; last++) {
		rig = rig_new(test, dcqcn_ns3, 10 * GBPS);
		rig->p[RXE_DCQCN_CUT_LAST] = last;
		rig_cnp(rig);
		rig_pass(rig, 8000, false);
		KUNIT_EXPECT_EQ(test, rig->rp.cuts, 1ULL);
		rig_cnp(rig);
		KUNIT_EXPECT_EQ(test, rxe_dcqcn_rp_due(&rig->rp) - rig->now_ns,
				last ? 1ULL : 4000ULL);
	}
}

/* 300 us after a cut an increase is due together with another cut. */
static void dcqcn__cut_and_increase(struct kunit *test)
{
	struct dcqcn_rig *rig;
	u64 before_bps;
	int last;

	for (last = 0; last < 2; last++) {
		rig = rig_new(test, dcqcn_ns3, 10 * GBPS);
		rig->p[RXE_DCQCN_CUT_LAST] = last;
		rig_cnp(rig);
		rig_pass(rig, 303000, false);
		before_bps = rig_rate(rig);
		rig_cnp(rig);
		rig_pass(rig, 1000 + last, false);
		KUNIT_EXPECT_EQ(test, rig->rp.cuts, 2ULL);
		KUNIT_EXPECT_EQ(test, rig->rp.time_stage, 0U);
		/* Half way to the target, which then becomes the target. */
		KUNIT_EXPECT_EQ(test, rig->rp.target_bps,
				last ? (before_bps + 10 * GBPS + 1) / 2 : 10 * GBPS);
		if (last)
			KUNIT_EXPECT_GT(test, rig_rate(rig), before_bps);
		else
			KUNIT_EXPECT_LT(test, rig_rate(rig), before_bps);
	}
}

/* Each CNP cuts: by alpha as it was, or as the CNP makes it: 1/2 or 257/512. */
static void dcqcn__cut_at_once(struct kunit *test)
{
	struct dcqcn_rig *rig;
	int last;

	for (last = 0; last < 2; last++) {
		rig = rig_new(test, dcqcn_paper, 40 * GBPS);
		rig->p[RXE_DCQCN_CUT_LAST] = last;
		rig->p[RXE_DCQCN_INITIAL_ALPHA] = RXE_CC_Q24(1, 2);
		rig_cnp(rig);
		KUNIT_EXPECT_EQ(test, rig_rate(rig),
				last ? 40 * GBPS * 767 / 1024 : 30 * GBPS);
		KUNIT_EXPECT_EQ(test, rig->rp.alpha_q62,
				RXE_CC_Q62_ONE / 512 * 257);
	}
}

static void dcqcn__min_dec_fac(struct kunit *test)
{
	struct dcqcn_rig *rig = rig_new(test, dcqcn_paper, 40 * GBPS);

	rig->p[RXE_DCQCN_GD] = 10;
	rig->p[RXE_DCQCN_MIN_DEC_FAC] = RXE_CC_Q24(1, 4);
	rig_cnp(rig);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 10 * GBPS);
	rig->p[RXE_DCQCN_MIN_DEC_FAC] = RXE_CC_Q24(1, 1);
	rig_cnp(rig);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 10 * GBPS);
	rig->p[RXE_DCQCN_MIN_DEC_FAC] = 0;
	rig_cnp(rig);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), rig->p[RXE_DCQCN_MIN_RATE]);
}

struct clamp_case {
	u64 clamp, ati;
	bool by_time, by_bytes, want;
};

/* When does the second cut take the rate as the target? */
static void dcqcn__clamp(struct kunit *test)
{
	static const struct clamp_case t[] = {
		{ 1, 1, false, false, true }, { 0, 1, false, false, false },
		{ 0, 1, true, false, true }, { 0, 0, true, false, false },
		{ 0, 0, false, true, true }, { 0, 0, true, true, true },
		{ 1, 0, false, false, true },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct dcqcn_rig *rig = rig_new(test, dcqcn_paper, 40 * GBPS);
		u64 before;

		rig->p[RXE_DCQCN_CLAMP] = t[i].clamp;
		rig->p[RXE_DCQCN_CLAMP_ATI] = t[i].ati;
		rig_cnp(rig);
		if (t[i].by_time)
			rig_pass(rig, rig->p[RXE_DCQCN_TIME_RESET], false);
		if (t[i].by_bytes)
			rxe_dcqcn_rp_sent(&rig->rp, &rig->ctx,
					  rig->p[RXE_DCQCN_BYTE_RESET],
					  rig->now_ns);
		before = rig_rate(rig);
		rig_cnp(rig);
		KUNIT_EXPECT_EQ_MSG(test, rig->rp.target_bps,
				    t[i].want ? before : 40 * GBPS, "row %u", i);
	}
}

/* F = 2: which of nothing, AI and HAI is added at each increase? */
static void dcqcn__stages(struct kunit *test)
{
	static const struct {
		bool bytes;	/* this increase is the byte counter's */
		u64 add;
	} t[] = {
		{ false, 0 }, { false, 0 }, { false, 1 }, { true, 1 },
		{ true, 1 }, { true, 1 }, { true, 10 }, { false, 10 },
	};
	struct dcqcn_rig *rig = rig_new(test, dcqcn_paper, 40 * GBPS);
	unsigned int i;

	rig->p[RXE_DCQCN_THRESHOLD] = 2;
	rig->p[RXE_DCQCN_AI_RATE] = 1000000;
	rig->p[RXE_DCQCN_HAI_RATE] = 10000000;
	rig_cnp(rig);
	rig_cnp(rig);
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		u64 before = rig->rp.target_bps;

		if (t[i].bytes)
			rxe_dcqcn_rp_sent(&rig->rp, &rig->ctx,
					  rig->p[RXE_DCQCN_BYTE_RESET],
					  rig->now_ns);
		else
			rig_pass(rig, rig->p[RXE_DCQCN_TIME_RESET], false);
		KUNIT_EXPECT_EQ_MSG(test, rig->rp.target_bps - before,
				    t[i].add * 1000000, "row %u", i);
	}
}

/* Without a byte counter the timer alone leads to hyper increase. */
static void dcqcn__no_byte_counter(struct kunit *test)
{
	struct dcqcn_rig *rig = rig_new(test, dcqcn_mlx5, 100 * GBPS);
	u64 target;

	rig->p[RXE_DCQCN_BYTE_RESET] = 0;
	rig_cnp(rig);
	rig_pass(rig, 4000, false);
	rig->p[RXE_DCQCN_CLAMP] = 1;
	rig_cnp(rig);
	rig_pass(rig, 4000, false);
	target = rig->rp.target_bps;
	rxe_dcqcn_rp_sent(&rig->rp, &rig->ctx, U64_MAX, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig->rp.time_stage + rig->rp.byte_stage, 0U);
	rig_pass(rig, 300000, false);
	KUNIT_EXPECT_EQ(test, rig->rp.target_bps, target);
	rig_pass(rig, 300000, false);
	KUNIT_EXPECT_EQ(test, rig->rp.target_bps, target + 5000000);
	rig_pass(rig, 300000, false);
	KUNIT_EXPECT_EQ(test, rig->rp.target_bps, target + 55000000);
}

/* Back at the line rate nothing is timed; alpha has decayed all the same. */
static void dcqcn__release(struct kunit *test)
{
	struct dcqcn_rig *rig = rig_new(test, dcqcn_mlx5, 10 * GBPS);
	unsigned int timers = 0;

	rig_cnp(rig);
	while (rxe_dcqcn_rp_due(&rig->rp) != RXE_CC_NO_TIMER &&
	       timers < 10000) {
		rig->now_ns = rxe_dcqcn_rp_due(&rig->rp);
		rxe_dcqcn_rp_advance(&rig->rp, &rig->ctx, rig->now_ns);
		timers++;
	}
	KUNIT_EXPECT_LT(test, timers, 100U);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 10 * GBPS);
	rig_cnp(rig);
	KUNIT_EXPECT_LT(test, rig->rp.alpha_q62, RXE_CC_Q62_ONE / 1000);
}

/* A machine that slept for hours: bounded work, no surge. Late by 64 periods it has had
 * them all; from there on the rest is left out, and the next is a period from now.
 */
static void dcqcn__slept(struct kunit *test)
{
	struct dcqcn_rig *rig = rig_new(test, dcqcn_mlx5, 100 * GBPS);

	rig->p[RXE_DCQCN_CLAMP] = 1;
	rig->p[RXE_DCQCN_BYTE_RESET] = 0;
	rig->p[RXE_DCQCN_HAI_RATE] = 1000;
	rig->p[RXE_DCQCN_AI_RATE] = 1000;
	rig_cnp(rig);
	rig_pass(rig, 4000, false);
	rig_cnp(rig);
	rig_pass(rig, 4000, false);
	rig_pass(rig, 10 * 3600ULL * NSEC_PER_SEC, true);
	KUNIT_EXPECT_EQ(test, rig->rp.time_stage, 64U);
	KUNIT_EXPECT_LT(test, rig_rate(rig), 60 * GBPS);
	KUNIT_EXPECT_EQ(test, rxe_dcqcn_rp_due(&rig->rp),
			rig->now_ns + rig->p[RXE_DCQCN_TIME_RESET]);
}

/* The cap to the unit, by the timer and by the byte counter. A cut takes a place too. */
static void dcqcn__catch_up(struct kunit *test)
{
	static const struct {
		u32 periods, stage;
		bool cut;
	} t[] = {
		{ 63, 63 }, { 64, 64 }, { 65, 64 }, { 1000, 64 },
		{ 63, 63, true }, { 64, 63, true }, { 65, 63, true },
	};
	struct dcqcn_rig *rig;
	u64 period_ns, reset;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		rig = rig_new(test, dcqcn_mlx5, 100 * GBPS);
		/* Rates so low that no increase reaches the line. */
		rig->p[RXE_DCQCN_CLAMP] = 1;
		rig->p[RXE_DCQCN_AI_RATE] = 1000;
		rig->p[RXE_DCQCN_HAI_RATE] = 1000;
		period_ns = rig->p[RXE_DCQCN_TIME_RESET];
		reset = rig->p[RXE_DCQCN_BYTE_RESET];
		rig_cnp(rig);
		rig_pass(rig, 4000, false);
		rig_cnp(rig);
		if (!t[i].cut)
			rig_pass(rig, 4000, false);
		KUNIT_ASSERT_EQ(test, rig->rp.cuts, t[i].cut ? 1ULL : 2ULL);
		rig_pass(rig, t[i].periods * period_ns + (t[i].cut ? 4000 : 0), true);
		KUNIT_EXPECT_EQ_MSG(test, rig->rp.cuts, 2ULL, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rig->rp.time_stage, t[i].stage, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rxe_dcqcn_rp_due(&rig->rp),
				    rig->now_ns + period_ns, "row %u", i);
		if (t[i].cut)
			continue;
		/* Of one call: what does not make an increase stays, up to the cap. */
		rxe_dcqcn_rp_sent(&rig->rp, &rig->ctx, t[i].periods * reset + 7,
				  rig->now_ns);
		KUNIT_EXPECT_EQ_MSG(test, rig->rp.byte_stage, t[i].stage, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rig->rp.bytes, t[i].periods <= 64 ? 7ULL : 0ULL,
				    "row %u", i);
	}
}

static void dcqcn__changed(struct kunit *test)
{
	struct dcqcn_rig *rig = rig_new(test, dcqcn_paper, 40 * GBPS);

	/* At the maximum, the flow follows it, up and down. */
	rig->ctx.line_rate_bps = 100 * GBPS;
	rxe_dcqcn_rp_changed(&rig->rp, &rig->ctx, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 100 * GBPS);
	rig->p[RXE_DCQCN_MAX_RATE] = 8 * GBPS;
	rxe_dcqcn_rp_changed(&rig->rp, &rig->ctx, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 8 * GBPS);
	/* Limited, it keeps its rate as far as the bounds allow. */
	rig_cnp(rig);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 4 * GBPS);
	rig->p[RXE_DCQCN_MAX_RATE] = 0;
	rxe_dcqcn_rp_changed(&rig->rp, &rig->ctx, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 4 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->rp.target_bps, 8 * GBPS);
	/* Nor may its target be above them: it would rise beyond. */
	rig->p[RXE_DCQCN_MAX_RATE] = 6 * GBPS;
	rxe_dcqcn_rp_changed(&rig->rp, &rig->ctx, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 4 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->rp.target_bps, 6 * GBPS);
	rig->p[RXE_DCQCN_MAX_RATE] = 0;
	rig->p[RXE_DCQCN_MIN_RATE] = 5 * GBPS;
	rxe_dcqcn_rp_changed(&rig->rp, &rig->ctx, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), 5 * GBPS);
	/* A shorter period does not wait for the end of the old one. */
	rig->p[RXE_DCQCN_TIME_RESET] = 1000;
	rxe_dcqcn_rp_changed(&rig->rp, &rig->ctx, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rxe_dcqcn_rp_due(&rig->rp), rig->now_ns + 1000);
	rig->ctx.line_rate_bps = GBPS;
	rxe_dcqcn_rp_changed(&rig->rp, &rig->ctx, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig_rate(rig), GBPS);
	KUNIT_EXPECT_EQ(test, rxe_dcqcn_rp_due(&rig->rp), RXE_CC_NO_TIMER);
}

static void dcqcn__check(struct kunit *test)
{
	struct dcqcn_rig *rig = rig_new(test, dcqcn_mlx5, 40 * GBPS);
	unsigned int bad = UINT_MAX;

	KUNIT_EXPECT_NULL(test, rxe_dcqcn_rp_check(rig->p, &bad));
	rig->p[RXE_DCQCN_MAX_RATE] = rig->p[RXE_DCQCN_MIN_RATE];
	KUNIT_EXPECT_NULL(test, rxe_dcqcn_rp_check(rig->p, &bad));
	rig->p[RXE_DCQCN_MAX_RATE]--;
	KUNIT_EXPECT_NOT_NULL(test, rxe_dcqcn_rp_check(rig->p, &bad));
	KUNIT_EXPECT_EQ(test, bad, (unsigned int)RXE_DCQCN_MIN_RATE);
}

static struct kunit_case dcqcn_cases[] = {
	KUNIT_CASE_PARAM(dcqcn__model, dcqcn_table_gen_params),
	KUNIT_CASE_PARAM(dcqcn__late, dcqcn_table_gen_params),
	KUNIT_CASE(dcqcn__alpha_lazy),
	KUNIT_CASE(dcqcn__first_cnp),
	KUNIT_CASE(dcqcn__one_cut_a_period),
	KUNIT_CASE(dcqcn__first_cut),
	KUNIT_CASE(dcqcn__cnp_at_the_end),
	KUNIT_CASE(dcqcn__cut_and_increase),
	KUNIT_CASE(dcqcn__cut_at_once),
	KUNIT_CASE(dcqcn__min_dec_fac),
	KUNIT_CASE(dcqcn__clamp),
	KUNIT_CASE(dcqcn__stages),
	KUNIT_CASE(dcqcn__no_byte_counter),
	KUNIT_CASE(dcqcn__release),
	KUNIT_CASE(dcqcn__slept),
	KUNIT_CASE(dcqcn__catch_up),
	KUNIT_CASE(dcqcn__changed),
	KUNIT_CASE(dcqcn__check),
	{}
};

static struct kunit_suite dcqcn_suite = {
	.name = "rxe_cc_dcqcn",
	.test_cases = dcqcn_cases,
};

kunit_test_suite(dcqcn_suite);
