// SPDX-License-Identifier: GPL-2.0
/*
 * PowerTCP against the table of an independent floating-point model (gen_powertcp.c), and case
 * by case.
 */
#include <linux/array_size.h>
#include <rxe_cc/cc_math.h>

#include "cc_test.h"
#include "powertcp_events.h"

#define GBPS		1000000000ULL
#define T_NS		10000ULL	/* b T is 125 kB at 100 Gbit/s */
#define LINE		(100 * GBPS)

/* 0.1 % is asked for. A single rate of a row's 120 that is so far off moves their sum by
 * 0.001 / 120 where the rates of the row are alike. So sums are held to a tenth of that, and
 * rates to the same: 830 ppb.
 */
#define MAX_RATE_PPB	830
/* Each average is rounded towards the old value by a step: together by T / dt steps, 1000 in
 * the mean of the farthest flow. A power of 4096^2 has 53 bits of a double and 60 here: 2^8
 * steps.
 */
#define MAX_POWER_STEPS	10000

struct power_row {
	u64 rate_16th, sum_bps, power_q32;
	u32 used, updates;
};

#include "powertcp_vectors.h"

static const struct power_table {
	const struct power_ev_conf *c;
	const struct power_row *row;
} power_tables[] = {
	{ &power_ev_confs[0], power_paper_100g },
	{ &power_ev_confs[1], power_tree_25g },
	{ &power_ev_confs[2], power_far_400g },
	{ &power_ev_confs[3], power_odd_10g },
	{ &power_ev_confs[4], power_theta_100g },
	{ &power_ev_confs[5], power_theta_far_10g },
	{ &power_ev_confs[6], power_packet_100g },
};

static void power_table_desc(const struct power_table *t, char *desc)
{
	strscpy(desc, t->c->ev.name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(power_table, power_tables, power_table_desc);

/**
 * struct power_rig - a flow and the path that it is on
 * @t: flow
 * @s: next ACK
 * @hop: its telemetry
 */
struct power_rig {
	struct cc_test_flow t;
	struct rxe_cc_sample s;
	struct rxe_cc_int_hop hop[HPCC_EV_HOPS];
};

/* 100 Gbit/s, 10 us, two ports of that speed; nothing heard yet. */
static struct power_rig *rig_new(struct kunit *test, bool theta)
{
	struct power_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	cc_test_flow_new(test, &rig->t, "powertcp");
	cc_test_flow_param(test, &rig->t, "theta", theta);
	/* W is what UpdateWindow wants of it, at once. */
	cc_test_flow_param(test, &rig->t, "gamma", RXE_CC_Q24_ONE);
	rig->t.flow.base_rtt_ns = T_NS;
	for (i = 0; i < ARRAY_SIZE(rig->hop); i++)
		rig->hop[i] = (struct rxe_cc_int_hop) {
			.ts_ns = 5000 + i, .tx_bytes = 1000 * i, .rate_bps = LINE,
			.node = 100 + i, .port = i,
		};
	rig->s = (struct rxe_cc_sample) {
		.now_ns = 1000000, .hops = rig->hop, .nr_hops = 2, .seq = 10, .next_seq = 60,
	};
	cc_test_flow_start(&rig->t, 0);
	return rig;
}

static void rig_ack(struct power_rig *rig)
{
	rig->t.ops->on_ack(&rig->t.flow, &rig->s);
}

/* Time passes, each port sends at @permille of its speed; an ACK comes. */
static void rig_pass(struct power_rig *rig, u64 ns, u64 permille)
{
	unsigned int i;

	rig->s.now_ns += ns;
	for (i = 0; i < ARRAY_SIZE(rig->hop); i++) {
		rig->hop[i].ts_ns += ns;
		rig->hop[i].tx_bytes += rxe_cc_bytes_in(rig->hop[i].rate_bps / 1000 * permille,
							ns);
	}
	rig_ack(rig);
}

/* The same as its packet is the first that was sent after the last update. */
static void rig_round(struct power_rig *rig, u64 permille)
{
	rig->s.seq = rig->s.next_seq;
	rig->s.next_seq += 50;
	rig_pass(rig, T_NS, permille);
}

static u64 rig_power(const struct power_rig *rig)
{
	return cc_test_flow_var(&rig->t, "power_q24");
}

static u64 off_by(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* A rate to the ppm: a quotient of Q36, of whole bytes. */
#define EXPECT_RATE(test, rig, bps) do {					\
	u64 power_got = (rig)->t.flow.rate_bps, power_want = (bps);		\
										\
	KUNIT_EXPECT_LE_MSG(test, off_by(power_got, power_want),		\
			    power_want / 1000000 + 1, "%llu, expected %llu",	\
			    power_got, power_want);				\
} while (0)

static void rig_event(struct power_rig *rig, const struct power_ev_conf *c,
		      struct hpcc_ev_source *source, struct power_rtt *rtt)
{
	struct hpcc_ev e;

	if (c->theta) {
		power_rtt_next(rtt);
		rig->s = (struct rxe_cc_sample) {
			.now_ns = rtt->now_ns, .rtt_ns = rtt->rtt_ns, .seq = rtt->seq,
			.next_seq = rtt->next_seq,
		};
	} else {
		power_ev_next(c, source, &e);
		memcpy(rig->hop, e.hop, sizeof(rig->hop));
		rig->s.now_ns = e.now_ns;
		rig->s.nr_hops = e.nr;
		rig->s.seq = e.seq;
		rig->s.next_seq = e.next_seq;
		rig->t.flow.base_rtt_ns = e.t_ns;
	}
	rig_ack(rig);
}

static u64 power_ppb(u64 got, u64 want)
{
	return rxe_cc_muldiv_up(off_by(got, want), NSEC_PER_SEC, want);
}

static void powertcp__model(struct kunit *test)
{
	const struct power_table *t = test->param_value;
	const struct power_ev_conf *c = t->c;
	struct power_rig *rig = rig_new(test, c->theta);
	struct power_rtt rtt = power_rtt_start(c);
	u64 worst_rate = 0, worst_sum = 0, worst_power = 0, sum = 0;
	const struct power_row *row = t->row;
	struct hpcc_ev_source source;
	u32 i, used = 0;

	cc_test_flow_param(test, &rig->t, "gamma", c->gamma_q24);
	cc_test_flow_param(test, &rig->t, "n", c->ev.n);
	cc_test_flow_param(test, &rig->t, "per_packet", c->per_packet);
	rig->t.flow.line_rate_bps = c->ev.line_bps;
	rig->t.flow.min_rate_bps = c->ev.min_bps;
	rig->t.flow.base_rtt_ns = c->ev.t_ns;
	memset(rig->t.flow.priv, 0, rig->t.ops->priv_size);
	cc_test_flow_start(&rig->t, 0);
	hpcc_ev_start(&source, &c->ev);
	for (i = 1; i <= POWER_EV_NR; i++) {
		rig_event(rig, c, &source, &rtt);
		used += rig->t.flow.telemetry == RXE_CC_TELEMETRY_USED;
		sum += rig->t.flow.rate_bps;
		if (i % POWER_EV_ROW)
			continue;
		worst_rate = max(worst_rate, power_ppb(rig->t.flow.rate_bps * 16, row->rate_16th));
		worst_sum = max(worst_sum, power_ppb(sum, row->sum_bps));
		worst_power = max(worst_power, off_by(rig_power(rig), row->power_q32 >> 8));
		if (!c->theta)
			KUNIT_ASSERT_EQ_MSG(test, used, row->used, "event %u", i);
		KUNIT_ASSERT_EQ_MSG(test, (u32)cc_test_flow_var(&rig->t, "updates"), row->updates,
				    "event %u", i);
		KUNIT_ASSERT_LE_MSG(test, worst_rate, (u64)MAX_RATE_PPB,
				    "event %u: %llu bit/s, expected %llu", i,
				    rig->t.flow.rate_bps, row->rate_16th / 16);
		KUNIT_ASSERT_LE_MSG(test, worst_sum, (u64)MAX_RATE_PPB,
				    "event %u: sum %llu, expected %llu", i, sum, row->sum_bps);
		/* A step of Q24, and what rounding to it takes. */
		KUNIT_ASSERT_LE_MSG(test, worst_power, (MAX_POWER_STEPS >> 12) + 1ULL,
				    "event %u: power %llu, expected %llu in Q24", i,
				    rig_power(rig), row->power_q32 >> 8);
		sum = 0;
		row++;
	}
	kunit_info(test, "%u events, %u updates; worst error: rate %llu ppb, sum %llu ppb, power %llu x 2^-24",
		   POWER_EV_NR, row[-1].updates, worst_rate, worst_sum, worst_power);
}

/* Nothing but the path is kept: rate and power as they were, the window is known. */
static void powertcp__first_is_only_remembered(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);

	rig->hop[1].qlen_bytes = 10000000;
	rig_ack(rig);
	KUNIT_EXPECT_EQ(test, (int)rig->t.flow.telemetry, (int)RXE_CC_TELEMETRY_FIRST);
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, LINE);
	KUNIT_EXPECT_EQ(test, rig->t.flow.cwnd_bytes, 125000ULL);
	KUNIT_EXPECT_EQ(test, rig_power(rig), RXE_CC_Q24_ONE);
}

struct power_case {
	u64 permille;
	u32 q_before, q_now;
	u64 rate_bps;
};

/* Over one T each, so that smooth is the power; W is old / power + beta, beta 10 Gbit/s. */
static void powertcp__by_hand(struct kunit *test)
{
	static const struct power_case t[] = {
		{ 1000, 0, 0, LINE },			/* 1: 110, held to the line */
		{ 500, 0, 0, LINE },			/* 0.5 */
		{ 1000, 125000, 125000, 60 * GBPS },	/* 1 x 2: 50 + 10 */
		{ 1000, 0, 125000, 35 * GBPS },		/* 2 x 2: 25 + 10 */
		{ 1000, 125000, 0, LINE },		/* nothing came: as it was */
		{ 1000, 125000, 62500, LINE },		/* 0.5 x 1.5 */
		{ 1000, 62500, 125000, 43333333333 },	/* 1.5 x 2: 33.3 + 10 */
		{ 800, 125000, 125000, 72500000000 },	/* 0.8 x 2: 62.5 + 10 */
	};
	unsigned int i, j;

	/* The port that decides may be either. */
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		for (j = 0; j < 2; j++) {
			struct power_rig *rig = rig_new(test, false);

			rig->hop[j].qlen_bytes = t[i].q_before;
			rig_ack(rig);
			rig->hop[j].qlen_bytes = t[i].q_now;
			rig->hop[!j].tx_bytes -= 10000;
			rig_pass(rig, T_NS, t[i].permille);
			EXPECT_RATE(test, rig, t[i].rate_bps);
		}
	}
}

/* A port of a quarter of the speed with a quarter of the queue has the same power. */
static void powertcp__slow_port(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);

	rig->hop[1].rate_bps = 25 * GBPS;
	rig->hop[1].qlen_bytes = 31250;
	rig_ack(rig);
	rig_pass(rig, T_NS, 1000);
	EXPECT_RATE(test, rig, 60 * GBPS);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "busiest_hop"), 1ULL);
}

/* A power counts by its time beside what was before. */
static void powertcp__average(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);

	rig_ack(rig);
	/* 2500 ns: 31250 bytes sent and as many more queued; the voltage is 1.25. */
	rig->hop[0].qlen_bytes = 31250;
	rig_pass(rig, T_NS / 4, 1000);
	/* 1 x 3/4 + 2 x 1.25 / 4 = 1.375: 72.727 + 10 */
	KUNIT_EXPECT_LE(test, off_by(rig_power(rig), RXE_CC_Q24(1375, 1000)), 1ULL);
	EXPECT_RATE(test, rig, 82727272727);
}

/* W starts from W_old however many ACKs tell of the same queue; W_old follows once a round. */
static void powertcp__once_a_round(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);

	rig->hop[0].qlen_bytes = 125000;
	rig_ack(rig);
	rig_pass(rig, T_NS, 1000);
	EXPECT_RATE(test, rig, 60 * GBPS);
	rig_pass(rig, T_NS, 1000);
	EXPECT_RATE(test, rig, 60 * GBPS);
	rig_round(rig, 1000);
	EXPECT_RATE(test, rig, 60 * GBPS);
	rig_round(rig, 1000);
	EXPECT_RATE(test, rig, 40 * GBPS);
}

/* Half of what is wanted, half of what was. */
static void powertcp__gamma(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);

	cc_test_flow_param(test, &rig->t, "gamma", RXE_CC_Q24_ONE / 2);
	rig->hop[0].qlen_bytes = 125000;
	rig_ack(rig);
	rig_pass(rig, T_NS, 1000);
	EXPECT_RATE(test, rig, 80 * GBPS);
}

/* Theorem 1: where the queue is N beta, and the power 1 + N beta / (b T), W is as it was. Ten
 * flows with n = 10 have a queue of b T, and a tenth of 2 b T each.
 */
static void powertcp__equilibrium(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);
	unsigned int i;

	rig->hop[0].qlen_bytes = 125000;
	rig_ack(rig);
	for (i = 0; i < 60; i++)
		rig_round(rig, 1000);
	EXPECT_RATE(test, rig, 20 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->t.flow.cwnd_bytes, 25000ULL);
}

struct theta_case {
	u64 before_ns, now_ns, rate_bps;
};

static void powertcp_theta__by_hand(struct kunit *test)
{
	static const struct theta_case t[] = {
		{ T_NS, T_NS, LINE },			/* 1 x 1: 110, held to the line */
		{ 2 * T_NS, 2 * T_NS, 60 * GBPS },	/* 1 x 2 */
		{ T_NS, 2 * T_NS, 35 * GBPS },		/* 2 x 2 */
		{ 2 * T_NS, T_NS, LINE },		/* 0 x 1 */
		{ 4 * T_NS, T_NS, LINE },		/* less than nothing is nothing */
		{ 3 * T_NS, 2 * T_NS + T_NS / 2, 90 * GBPS },	/* 0.5 x 2.5 */
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct power_rig *rig = rig_new(test, true);

		rig->s.nr_hops = 0;
		rig->s.rtt_ns = t[i].before_ns;
		rig_ack(rig);
		KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, LINE);
		rig->s.rtt_ns = t[i].now_ns;
		rig_round(rig, 0);
		EXPECT_RATE(test, rig, t[i].rate_bps);
	}
}

/* An RTT counts once a round trip; ACKs between, and ones without an RTT, do not. */
static void powertcp_theta__once_a_round(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, true);

	rig->s.rtt_ns = 2 * T_NS;
	rig_ack(rig);
	rig_pass(rig, T_NS, 0);
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, LINE);
	KUNIT_EXPECT_EQ(test, rig_power(rig), RXE_CC_Q24_ONE);
	rig->s.rtt_ns = 0;
	rig_round(rig, 0);
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, LINE);
	rig->s.rtt_ns = 2 * T_NS;
	rig_round(rig, 0);
	EXPECT_RATE(test, rig, 60 * GBPS);
	/* Two in one ns: the second says nothing. */
	rig->s.rtt_ns = 4 * T_NS;
	rig->s.seq = rig->s.next_seq;
	rig_ack(rig);
	EXPECT_RATE(test, rig, 60 * GBPS);
	rig->s.rtt_ns = 2 * T_NS;
	rig_round(rig, 0);
	EXPECT_RATE(test, rig, 40 * GBPS);
	/* The path drains as fast as time passes: W stays. */
	rig->s.rtt_ns = T_NS;
	rig_round(rig, 0);
	KUNIT_EXPECT_EQ(test, rig_power(rig), 0ULL);
	EXPECT_RATE(test, rig, 40 * GBPS);
}

/* A parameter decides what packets carry, and what the port must give. */
static void powertcp__needs(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);
	const struct rxe_cc_ops *ops = rig->t.ops;

	KUNIT_EXPECT_EQ(test, (u32)rig->t.flow.wants, (u32)(RXE_CC_WANT_INT | RXE_CC_WANT_ACKS));
	KUNIT_EXPECT_TRUE(test, ops->needs_of(rig->t.params) & RXE_CC_ALGO_NEED_INT);
	cc_test_flow_param(test, &rig->t, "theta", 1);
	ops->params_changed(&rig->t.flow, 0);
	KUNIT_EXPECT_EQ(test, (u32)rig->t.flow.wants, (u32)(RXE_CC_WANT_RTTS | RXE_CC_WANT_ACKS));
	KUNIT_EXPECT_FALSE(test, ops->needs_of(rig->t.params) & RXE_CC_ALGO_NEED_INT);
	/* Neither mode goes by the other's signal. */
	rig->hop[0].qlen_bytes = 125000;
	rig_ack(rig);
	rig_round(rig, 1000);
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, LINE);
}

/* Before it is measured a flow has the line, whatever that is now; without T no window. */
static void powertcp__line_rate(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);

	rig->t.flow.line_rate_bps = 2 * LINE;
	rig->t.ops->params_changed(&rig->t.flow, 0);
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, 2 * LINE);
	rig->t.flow.line_rate_bps = LINE / 2;
	rig->t.ops->params_changed(&rig->t.flow, 0);
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, LINE / 2);
	rig->t.flow.base_rtt_ns = 0;
	rig->t.ops->params_changed(&rig->t.flow, 0);
	KUNIT_EXPECT_EQ(test, rig->t.flow.cwnd_bytes, RXE_CC_NO_WINDOW);
	rig_ack(rig);
	rig_round(rig, 1000);
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, LINE / 2);
}

/* A sample of a switch on the way has ports of a part of the path only. */
static void powertcp__partial(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);

	rig_ack(rig);
	rig->s.partial = true;
	rig_round(rig, 500);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "updates"), 0ULL);
	KUNIT_EXPECT_EQ(test, rig_power(rig), RXE_CC_Q24_ONE);
	rig->s.partial = false;
	rig_round(rig, 500);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "updates"), 1ULL);
	KUNIT_EXPECT_EQ(test, rig_power(rig), RXE_CC_Q24_ONE / 2);
}

/* W does not go below what the port's floor carries in T, however long the queue. */
static void powertcp__floor(struct kunit *test)
{
	struct power_rig *rig = rig_new(test, false);
	unsigned int i;

	cc_test_flow_param(test, &rig->t, "n", 1000000);
	rig->t.flow.min_rate_bps = LINE / 10;
	rig_ack(rig);
	for (i = 0; i < 3; i++) {
		rig->hop[1].qlen_bytes = 100000000;
		rig_round(rig, 1000);
	}
	KUNIT_EXPECT_EQ(test, rig->t.flow.cwnd_bytes, rxe_cc_bytes_in(LINE / 10, T_NS));
	EXPECT_RATE(test, rig, LINE / 10);
}

static struct kunit_case power_cases[] = {
	KUNIT_CASE_PARAM(powertcp__model, power_table_gen_params),
	KUNIT_CASE(powertcp__first_is_only_remembered),
	KUNIT_CASE(powertcp__by_hand),
	KUNIT_CASE(powertcp__slow_port),
	KUNIT_CASE(powertcp__average),
	KUNIT_CASE(powertcp__once_a_round),
	KUNIT_CASE(powertcp__gamma),
	KUNIT_CASE(powertcp__equilibrium),
	KUNIT_CASE(powertcp_theta__by_hand),
	KUNIT_CASE(powertcp_theta__once_a_round),
	KUNIT_CASE(powertcp__partial),
	KUNIT_CASE(powertcp__floor),
	KUNIT_CASE(powertcp__needs),
	KUNIT_CASE(powertcp__line_rate),
	{}
};

static struct kunit_suite power_suite = {
	.name = "rxe_cc_powertcp",
	.test_cases = power_cases,
};

kunit_test_suite(power_suite);
