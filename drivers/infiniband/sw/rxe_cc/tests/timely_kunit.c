// SPDX-License-Identifier: GPL-2.0
/*
 * TIMELY against an independent floating-point model (gen_timely.c), and case by
 * case.
 */
#include <linux/array_size.h>
#include <rxe_cc/cc_math.h>

#include "cc_test.h"
#include "timely_events.h"

#define GBPS	1000000000ULL
#define MBPS	1000000ULL

/* Accepted relative error of a rate: a hundredth of the 0.1 % that is asked for. */
#define MAX_RATE_PPM	10

struct timely_value {
	const char *name;
	u64 value;
};

struct timely_point {
	u64 rate_bps, sum_bps;
	u32 updates, cuts;
};

struct timely_table {
	const char *name, *preset;
	const struct timely_value *values;
	const struct timely_point *points;
	u64 line_bps;
	struct timely_source source;
};

#include "timely_vectors.h"

KUNIT_ARRAY_PARAM_DESC(timely_table, timely_tables, name);

struct timely_rig {
	struct rxe_cc_flow flow;
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	u64 seq;
};

static struct timely_rig *rig_new(struct kunit *test, const char *preset,
				  u64 line_bps, u64 base_ns)
{
	struct timely_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	const struct rxe_cc_ops *ops = cc_test_algo(test, "timely");
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = ops;
	cc_test_defaults(ops, rig->params);
	for (i = 0; preset && i < ops->nr_presets; i++)
		if (!strcmp(ops->presets[i].name, preset))
			memcpy(rig->params, ops->presets[i].values,
			       ops->nr_params * sizeof(u64));
	cc_test_flow_own(test, &rig->flow, ops);
	rig->flow.params = rig->params;
	rig->flow.line_rate_bps = line_bps;
	rig->flow.rate_bps = line_bps;
	rig->flow.min_rate_bps = RXE_CC_RATE_MIN_BPS;
	rig->flow.base_rtt_ns = base_ns;
	rig->flow.timer_ns = RXE_CC_NO_TIMER;
	ops->init(&rig->flow, 0);
	KUNIT_ASSERT_EQ(test, rig->flow.rate_bps, line_bps);
	KUNIT_ASSERT_EQ(test, rig->flow.cwnd_bytes, RXE_CC_NO_WINDOW);
	return rig;
}

static void rig_param(struct kunit *test, struct timely_rig *rig,
		      const char *name, u64 value)
{
	unsigned int i;

	for (i = 0; i < rig->ops->nr_params; i++) {
		if (strcmp(rig->ops->params[i].name, name))
			continue;
		KUNIT_ASSERT_GE(test, value, rig->ops->params[i].min);
		KUNIT_ASSERT_LE(test, value, rig->ops->params[i].max);
		rig->params[i] = value;
		return;
	}
	KUNIT_FAIL(test, "no parameter %s", name);
}

static u64 rig_var(struct timely_rig *rig, const char *name)
{
	struct rxe_cc_var vars[RXE_CC_MAX_VARS];
	unsigned int i, n = rig->ops->dump(&rig->flow, vars);

	for (i = 0; i < n; i++)
		if (!strcmp(vars[i].name, name))
			return vars[i].value;
	return U64_MAX;
}

static void rig_event(struct timely_rig *rig, u64 rtt_ns, u64 seq, u64 next_seq)
{
	struct rxe_cc_sample s = {
		.rtt_ns = rtt_ns, .seq = seq, .next_seq = next_seq,
		.bytes = 1106,
	};

	rig->ops->on_ack(&rig->flow, &s);
}

/* A round trip of ten packets. */
static u64 rig_rtt(struct timely_rig *rig, u64 rtt_ns)
{
	rig_event(rig, rtt_ns, rig->seq, rig->seq + 10);
	rig->seq += 10;
	return rig->flow.rate_bps;
}

static u64 diff_ppm(u64 got, u64 want)
{
	return rxe_cc_muldiv_up(got > want ? got - want : want - got, MBPS,
				want);
}

static void timely__model(struct kunit *test)
{
	const struct timely_table *t = test->param_value;
	struct timely_source src = t->source;
	struct timely_rig *rig = rig_new(test, t->preset, t->line_bps,
					 src.base_ns);
	const struct timely_value *v;
	unsigned int i, j;
	u64 worst = 0;

	for (v = t->values; v && v->name; v++)
		rig_param(test, rig, v->name, v->value);
	for (i = 0; i < TIMELY_POINTS; i++) {
		const struct timely_point *p = &t->points[i];
		u64 sum_bps = 0, ppm;

		for (j = 0; j < TIMELY_PER_POINT; j++) {
			struct timely_event e = timely_next_event(&src);

			rig_event(rig, e.rtt_ns, e.seq, e.next_seq);
			sum_bps += rig->flow.rate_bps;
		}
		KUNIT_ASSERT_EQ_MSG(test, rig_var(rig, "updates"), p->updates,
				    "row %u", i);
		KUNIT_ASSERT_EQ_MSG(test, rig_var(rig, "cuts"), p->cuts,
				    "row %u", i);
		ppm = max(diff_ppm(rig->flow.rate_bps, p->rate_bps),
			  diff_ppm(sum_bps, p->sum_bps));
		KUNIT_ASSERT_LE_MSG(test, ppm, MAX_RATE_PPM, "row %u", i);
		worst = max(worst, rxe_cc_muldiv_up(rig->flow.rate_bps >
						    p->rate_bps ?
						    rig->flow.rate_bps -
						    p->rate_bps : p->rate_bps -
						    rig->flow.rate_bps,
						    1000 * GBPS, p->rate_bps));
	}
	kunit_info(test, "%u events, worst rate error %llu in 10^12",
		   TIMELY_POINTS * TIMELY_PER_POINT, worst);
}

/* Only ACKs of packets sent after the last update count. */
static void timely__once_per_rtt(struct kunit *test)
{
	struct timely_rig *rig = rig_new(test, "ns3", 10 * GBPS, 5600);
	u64 start = BIT_ULL(32) - 20;

	rig_event(rig, 6000, start, start + 10);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "updates"), 0ULL);
	rig_event(rig, 600000, start + 9, start + 12);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "updates"), 0ULL);
	rig_event(rig, 0, start + 10, start + 12);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "updates"), 0ULL);
	rig_event(rig, 600000, start + 10, start + 25);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "updates"), 1ULL);
	/* Past what 32 bits hold. */
	rig_event(rig, 700000, start + 19, start + 27);
	rig_event(rig, 700000, start + 24, start + 28);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "updates"), 1ULL);
	rig_event(rig, 700000, start + 25, start + 40);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "updates"), 2ULL);
}

/* The three zones, with numbers that can be checked by hand. */
static void timely__zones(struct kunit *test)
{
	struct timely_rig *rig = rig_new(test, "ns3", 10 * GBPS, 5600);

	KUNIT_EXPECT_EQ(test, rig_rtt(rig, 1000000), 10 * GBPS);
	/* 1 - 0.8 (1 - 500 / 1000) */
	KUNIT_EXPECT_LE(test, diff_ppm(rig_rtt(rig, 1000000), 6 * GBPS), 1ULL);
	/* At T_high and falling; at T_low; below it */
	KUNIT_EXPECT_LE(test, diff_ppm(rig_rtt(rig, 500000),
				       6 * GBPS + 10 * MBPS), 1ULL);
	KUNIT_EXPECT_LE(test, diff_ppm(rig_rtt(rig, 50000),
				       6 * GBPS + 20 * MBPS), 1ULL);
	KUNIT_EXPECT_LE(test, diff_ppm(rig_rtt(rig, 49999),
				       6 * GBPS + 30 * MBPS), 1ULL);
}

/* avg = 7/8 of 8 us, gradient = 7 / 20, 0.8 of that: 28 % go. */
static void timely__gradient(struct kunit *test)
{
	struct timely_rig *rig = rig_new(test, "ns3", 10 * GBPS, 5600);

	rig_rtt(rig, 100000);
	KUNIT_EXPECT_LE(test, diff_ppm(rig_rtt(rig, 108000), 7200 * MBPS), 1ULL);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "rise_ns"), 7000ULL);
	/* The same again: 7/8 + 7/64 of 8 us, 31.5 % go. */
	KUNIT_EXPECT_LE(test, diff_ppm(rig_rtt(rig, 116000), 4932 * MBPS), 1ULL);
	/* More than all: the floor. */
	KUNIT_EXPECT_EQ(test, rig_rtt(rig, 216000), 100 * MBPS);
}

/* A rise that is over does not hold the rate down for ever. */
static void timely__constant(struct kunit *test)
{
	struct timely_rig *rig = rig_new(test, "ns3", 10 * GBPS, 5600);
	unsigned int i;

	rig_rtt(rig, 100000);
	rig_rtt(rig, 120000);
	/* 17.5 us fall below 1 ps in the 9th update: 17.5e6 / 8^9 < 1. */
	for (i = 1; i <= 8; i++)
		rig_rtt(rig, 120000);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "cuts"), 9ULL);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "raised"), 0ULL);
	rig_rtt(rig, 120000);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "raised"), 1ULL);
}

/* How much does each of ten increases add, in steps of delta? */
static void timely__hyper(struct kunit *test)
{
	static const struct {
		const char *preset;
		u64 rtt_ns;
		u32 steps[8];
	} t[] = {
		{ "ns3", 10000, { 1, 1, 1, 1, 1, 5, 5, 5 } },
		{ "paper", 10000, { 1, 1, 1, 1, 1, 1, 1, 1 } },
		{ "paper", 100000, { 1, 1, 1, 1, 1, 5, 5, 5 } },
	};
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct timely_rig *rig = rig_new(test, t[i].preset, 40 * GBPS,
						 20000);
		u64 before;

		rig_rtt(rig, 1000000);
		before = rig_rtt(rig, 1000000);
		for (j = 0; j < ARRAY_SIZE(t[i].steps); j++) {
			u64 now = rig_rtt(rig, t[i].rtt_ns);

			/* Steps are for 10 Gbit/s: four times that here. */
			KUNIT_EXPECT_LE_MSG(test,
					    diff_ppm(now - before,
						     t[i].steps[j] * 40 * MBPS),
					    1ULL, "row %u, increase %u", i, j);
			before = now;
		}
	}
}

/* Thresholds and the gradient follow the base RTT: a fifth of those for 20 us. */
static void timely__scaled(struct kunit *test)
{
	struct timely_rig *rig = rig_new(test, "paper", 10 * GBPS, 4000);

	rig_rtt(rig, 100001);
	rig_rtt(rig, 100001);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "cuts"), 1ULL);
	rig_rtt(rig, 9000);
	rig_rtt(rig, 9999);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "cuts"), 1ULL);

	rig = rig_new(test, "paper", 10 * GBPS, 4000);
	rig_rtt(rig, 9999);
	/* avg = 7/8 of 2 us, over 4 us, 0.8 of that: 35 % go. */
	KUNIT_EXPECT_LE(test, diff_ppm(rig_rtt(rig, 11999), 6500 * MBPS), 1ULL);
}

static void timely__changed(struct kunit *test)
{
	struct timely_rig *rig = rig_new(test, "paper", 10 * GBPS, 20000);

	/* At the line rate, the flow follows it, up and down. */
	rig->flow.line_rate_bps = 100 * GBPS;
	rig->ops->params_changed(&rig->flow, 0);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 100 * GBPS);
	rig->flow.line_rate_bps = 10 * GBPS;
	rig->ops->params_changed(&rig->flow, 0);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 10 * GBPS);
	/* Below, it keeps its rate as far as the bounds allow. */
	rig_rtt(rig, 1000000);
	rig_rtt(rig, 1000000);
	rig->flow.line_rate_bps = 100 * GBPS;
	rig->ops->params_changed(&rig->flow, 0);
	KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.rate_bps, 6 * GBPS), 1ULL);
	rig_param(test, rig, "min_rate", 700 * MBPS);
	rig->ops->params_changed(&rig->flow, 0);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 7 * GBPS);
	rig->flow.line_rate_bps = 5 * GBPS;
	rig->ops->params_changed(&rig->flow, 0);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 5 * GBPS);
}

static void timely__check(struct kunit *test)
{
	struct timely_rig *rig = rig_new(test, NULL, 10 * GBPS, 20000);
	unsigned int bad = UINT_MAX;

	rig_param(test, rig, "t_low", 500000);
	KUNIT_EXPECT_NULL(test, rig->ops->check_params(rig->params, &bad));
	rig_param(test, rig, "t_low", 500001);
	KUNIT_EXPECT_NOT_NULL(test, rig->ops->check_params(rig->params, &bad));
	KUNIT_ASSERT_LT(test, bad, rig->ops->nr_params);
	KUNIT_EXPECT_STREQ(test, rig->ops->params[bad].name, "t_low");
}

static struct kunit_case timely_cases[] = {
	KUNIT_CASE_PARAM(timely__model, timely_table_gen_params),
	KUNIT_CASE(timely__once_per_rtt),
	KUNIT_CASE(timely__zones),
	KUNIT_CASE(timely__gradient),
	KUNIT_CASE(timely__constant),
	KUNIT_CASE(timely__hyper),
	KUNIT_CASE(timely__scaled),
	KUNIT_CASE(timely__changed),
	KUNIT_CASE(timely__check),
	{}
};

static struct kunit_suite timely_suite = {
	.name = "rxe_cc_timely",
	.test_cases = timely_cases,
};

kunit_test_suite(timely_suite);
