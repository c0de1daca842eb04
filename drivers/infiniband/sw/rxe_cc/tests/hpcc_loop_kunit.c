// SPDX-License-Identifier: GPL-2.0
/*
 * The algorithm hpcc in a loop with a bottleneck: steady state, incast, join and
 * leave, an idle gap, changes while running. What packets do is the lab's matter.
 */
#include "hpcc_loop.h"

/* One flow: utilization within a point of eta, no queue. */
static void loop__steady(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test, "hpcc");

	loop_join(rig, 0, LOOP_T_NS);
	KUNIT_EXPECT_EQ(test, rig->f[0].flow.cwnd_bytes, (u64)LOOP_BDP);
	loop_rounds(rig, 50);
	loop_mark(rig);
	loop_rounds(rig, 200);
	KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_BDP / 20ULL);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 940ULL);
	KUNIT_EXPECT_LE(test, loop_permille(rig), 960ULL);
}

/* Sixteen at line rate: at most their windows in the queue; soon it is short,
 * and the line is used.
 */
static void loop__incast(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test, "hpcc");
	unsigned int i;

	for (i = 0; i < LOOP_FLOWS; i++)
		loop_join(rig, i, LOOP_T_NS);
	loop_rounds(rig, 20);
	KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_FLOWS * (u64)LOOP_BDP);
	KUNIT_EXPECT_GE(test, rig->peak_bytes, (u64)LOOP_BDP);
	loop_rounds(rig, 100);
	loop_mark(rig);
	loop_rounds(rig, 200);
	KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_BDP / 20ULL);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 930ULL);
	KUNIT_EXPECT_LE(test, loop_permille(rig), 970ULL);
	KUNIT_EXPECT_GE(test, loop_jain(rig, LOOP_FLOWS), 990ULL);
}

/* A second flow gets its share by additive increase: fast with a large step. Once
 * it leaves, the first takes all within the additive rounds and a few more.
 */
static void loop__join_and_leave(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test, "hpcc");

	loop_param(test, rig, "ai_rate", 1000 * LOOP_MBPS);
	loop_join(rig, 0, LOOP_T_NS);
	loop_rounds(rig, 50);
	/* It comes when there is little left; the first one has the more. */
	loop_join(rig, 1, LOOP_T_NS);
	loop_rounds(rig, 300);
	KUNIT_EXPECT_GE(test, loop_jain(rig, 2), 990ULL);
	loop_mark(rig);
	loop_rounds(rig, 100);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 930ULL);
	KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_BDP / 10ULL);
	rig->f[1].active = false;
	loop_rounds(rig, 12);
	KUNIT_EXPECT_GE(test, loop_bps(rig, 0), 90000 * LOOP_MBPS);
}

/* An idle flow keeps its rate, and finds its way again afterwards. */
static void loop__idle_gap(struct kunit *test)
{
	static const u64 gap_ns[] = { 100000, 3000000000ULL, 8590000000ULL };
	struct loop_rig *rig = loop_new(test, "hpcc");
	unsigned int i;
	u64 rate;

	loop_join(rig, 0, LOOP_T_NS);
	loop_rounds(rig, 50);
	for (i = 0; i < ARRAY_SIZE(gap_ns); i++) {
		rate = rig->f[0].flow.rate_bps;
		rig->f[0].active = false;
		loop_rounds(rig, 2);
		rig->now_ns += gap_ns[i];
		KUNIT_EXPECT_EQ(test, rig->f[0].flow.rate_bps, rate);
		rig->f[0].active = true;
		loop_rounds(rig, 30);
		loop_mark(rig);
		loop_rounds(rig, 50);
		KUNIT_EXPECT_GE(test, loop_permille(rig), 940ULL);
		KUNIT_EXPECT_LE(test, rig->peak_bytes, LOOP_BDP / 20ULL);
	}
}

/* Line rate without a window until T is known; a smaller T shrinks the window. */
static void loop__base_rtt(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test, "hpcc");
	struct rxe_cc_flow *f = &rig->f[0].flow;

	loop_join(rig, 0, 0);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, RXE_CC_NO_WINDOW);
	KUNIT_EXPECT_EQ(test, f->rate_bps, LOOP_LINE_BPS);
	loop_rounds(rig, 3);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, RXE_CC_NO_WINDOW);
	f->base_rtt_ns = 2 * LOOP_T_NS;
	loop_step(rig);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, 2ULL * LOOP_BDP);
	loop_rounds(rig, 30);
	f->base_rtt_ns = LOOP_T_NS;
	loop_step(rig);
	KUNIT_EXPECT_LE(test, f->cwnd_bytes, (u64)LOOP_BDP);
	loop_rounds(rig, 30);
	loop_mark(rig);
	loop_rounds(rig, 50);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 940ULL);
	/* An ACK without telemetry: the window follows T, the rate stays. */
	f->rate_bps = 8000 * LOOP_MBPS;
	f->base_rtt_ns = 5000;
	rig->ops->on_ack(f, &(struct rxe_cc_sample) { .now_ns = rig->now_ns });
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, 5000ULL);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 8000 * LOOP_MBPS);
	KUNIT_EXPECT_EQ(test, (int)f->telemetry, (int)RXE_CC_TELEMETRY_NONE);
}

/* Parameters, line rate and floor while the flow runs. */
static void loop__changes(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test, "hpcc");
	struct rxe_cc_flow *f = &rig->f[0].flow;

	loop_join(rig, 0, LOOP_T_NS);
	loop_rounds(rig, 50);
	loop_param(test, rig, "eta", RXE_CC_Q24(3, 4));
	rig->ops->params_changed(f, rig->now_ns);
	loop_rounds(rig, 50);
	loop_mark(rig);
	loop_rounds(rig, 50);
	KUNIT_EXPECT_GE(test, loop_permille(rig), 740ULL);
	KUNIT_EXPECT_LE(test, loop_permille(rig), 760ULL);

	f->line_rate_bps = 10000 * LOOP_MBPS;
	rig->ops->params_changed(f, rig->now_ns);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 10000 * LOOP_MBPS);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, 15000ULL);
	loop_rounds(rig, 30);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 10000 * LOOP_MBPS);
	f->line_rate_bps = LOOP_LINE_BPS;
	f->min_rate_bps = 20000 * LOOP_MBPS;
	rig->ops->params_changed(f, rig->now_ns);
	KUNIT_EXPECT_EQ(test, f->rate_bps, 20000 * LOOP_MBPS);
	loop_rounds(rig, 30);
	KUNIT_EXPECT_GE(test, f->rate_bps, 70000 * LOOP_MBPS);
	f->base_rtt_ns = 0;
	rig->ops->params_changed(f, rig->now_ns);
	KUNIT_EXPECT_EQ(test, f->cwnd_bytes, RXE_CC_NO_WINDOW);

	/* One that has heard nothing is at line rate, whatever that is. */
	loop_join(rig, 1, LOOP_T_NS);
	rig->f[1].flow.line_rate_bps = 400000 * LOOP_MBPS;
	rig->ops->params_changed(&rig->f[1].flow, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig->f[1].flow.rate_bps, 400000 * LOOP_MBPS);
	KUNIT_EXPECT_EQ(test, rig->f[1].flow.cwnd_bytes, 600000ULL);
}

static void loop__check_params(struct kunit *test)
{
	struct loop_rig *rig = loop_new(test, "hpcc");
	unsigned int bad = UINT_MAX;

	KUNIT_EXPECT_NULL(test, rig->ops->check_params(rig->params, &bad));
	loop_param(test, rig, "eta", RXE_CC_Q24_ONE);
	KUNIT_ASSERT_NOT_NULL(test, rig->ops->check_params(rig->params, &bad));
	KUNIT_EXPECT_STREQ(test, rig->ops->params[bad].name, "eta");
	loop_param(test, rig, "ai_rate", LOOP_MBPS);
	KUNIT_EXPECT_NULL(test, rig->ops->check_params(rig->params, &bad));
}

static struct kunit_case loop_cases[] = {
	KUNIT_CASE(loop__steady),
	KUNIT_CASE(loop__incast),
	KUNIT_CASE(loop__join_and_leave),
	KUNIT_CASE(loop__idle_gap),
	KUNIT_CASE(loop__base_rtt),
	KUNIT_CASE(loop__changes),
	KUNIT_CASE(loop__check_params),
	{}
};

static struct kunit_suite loop_suite = {
	.name = "rxe_cc_hpcc_loop",
	.test_cases = loop_cases,
};

kunit_test_suite(loop_suite);
