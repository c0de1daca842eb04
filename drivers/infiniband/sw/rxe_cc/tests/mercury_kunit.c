// SPDX-License-Identifier: GPL-2.0
/*
 * Mercury's sender: against the table of an independent floating-point model
 * (gen_mercury.c), against dcqcn, and case by case.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <rxe_cc/cc_math.h>

#include "core/cc_flow_update.h"
#include "core/cc_port_windows.h"
#include "cc_test.h"
#include "mercury_events.h"

#define GBPS	1000000000ULL
#define LINE	(40 * GBPS)
#define BASE_NS	32000
/* 9/8 of 40 Gbit/s for 32 us: 180000 bytes, 162.7 packets. */
#define W0	(163ULL * MERCURY_PKT_BYTES)
#define CUT_NS	50000
#define RISE_NS	55000

/* Accepted relative error: a hundredth of the 0.1 % that is asked for. */
#define MAX_PPM	10

struct mercury_value {
	const char *name;
	u64 value;
};

struct mercury_point {
	u64 rate_bps, rate_sum, win_sum;
	u32 lifted, held;
};

struct mercury_table {
	const char *name, *preset;
	u64 line_bps;
	struct mercury_source source;
	int ports;
	bool least;
	const struct mercury_value *values;
	const struct mercury_point *points;
};

#include "mercury_vectors.h"

KUNIT_ARRAY_PARAM_DESC(mercury_table, mercury_tables, name);

/**
 * struct mercury_rig - a flow and what the core has of its peer
 * @ops: algorithm
 * @params: values
 * @flow: the flow
 * @now_ns: time
 * @caps: windows of switches, which never expire
 * @ports: how many ports send some
 * @least: of a port's windows the smallest holds
 * @lifts: how often the flow has lifted one
 */
struct mercury_rig {
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	struct rxe_cc_flow flow;
	u64 now_ns;
	struct rxe_cc_windows caps;
	int ports;
	bool least;
	unsigned int lifts;
};

static struct mercury_rig *rig_new(struct kunit *test, const char *algo, u64 line_bps)
{
	struct mercury_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = cc_test_algo(test, algo);
	cc_test_defaults(rig->ops, rig->params);
	cc_test_flow_own(test, &rig->flow, rig->ops);
	rig->now_ns = GBPS;
	rig->flow.line_rate_bps = line_bps;
	return rig;
}

static void rig_preset(struct mercury_rig *rig, const char *name)
{
	unsigned int i;

	for (i = 0; i < rig->ops->nr_presets; i++)
		if (!strcmp(rig->ops->presets[i].name, name))
			memcpy(rig->params, rig->ops->presets[i].values,
			       rig->ops->nr_params * sizeof(u64));
}

/* What the core does after a call, but for its shortest timer of 1 us: that would put off
 * cuts, and rates in between would be none of the model's.
 */
static void rig_after(struct mercury_rig *rig)
{
	struct rxe_cc_flow *f = &rig->flow;

	if (f->lift_cap) {
		rig->caps = (struct rxe_cc_windows) { };
		rig->lifts++;
	}
	rxe_cc_flow_kicked(f);
}

static void rig_start(struct mercury_rig *rig, u64 base_ns)
{
	const struct rxe_cc_env env = {
		.line_rate_bps = rig->flow.line_rate_bps, .min_rate_bps = 1,
		.base_rtt_ns = base_ns, .pkt_bytes = MERCURY_PKT_BYTES,
	};

	rxe_cc_flow_reset(&rig->flow, &env, rig->ops, rig->params, NULL, NULL);
	rig->ops->init(&rig->flow, rig->now_ns);
	rig_after(rig);
}

static void rig_pass(struct mercury_rig *rig, u64 ns)
{
	u64 end_ns = rig->now_ns + ns;

	while (rig->flow.timer_ns <= end_ns) {
		struct rxe_cc_sample s = { .now_ns = rig->flow.timer_ns };

		rig->now_ns = s.now_ns;
		rig->flow.timer_ns = RXE_CC_NO_TIMER;
		rig->ops->on_timer(&rig->flow, &s);
		rig_after(rig);
	}
	rig->now_ns = end_ns;
}

static void rig_told(struct mercury_rig *rig, int port, u64 window_bytes)
{
	const struct rxe_cc_window told = {
		.bytes = window_bytes, .until_ns = U64_MAX, .port = port,
	};
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .cnp_window_bytes = window_bytes,
		.cnp_origin = window_bytes ? RXE_CC_CNP_MERCURY : RXE_CC_CNP_NP,
	};

	if (window_bytes)
		rxe_cc_windows_set(&rig->caps, &told, rig->least, rig->now_ns);
	rig->ops->on_cnp(&rig->flow, &s);
	rig_after(rig);
}

static void rig_cnp(struct mercury_rig *rig, u64 window_bytes)
{
	rig_told(rig, 0, window_bytes);
}

static void rig_sent(struct mercury_rig *rig, u32 bytes)
{
	struct rxe_cc_sample s = { .now_ns = rig->now_ns, .bytes = bytes };

	rig->ops->on_sent(&rig->flow, &s);
	rig_after(rig);
}

static void rig_ack(struct mercury_rig *rig, u64 base_ns)
{
	struct rxe_cc_sample s = { .now_ns = rig->now_ns, .bytes = MERCURY_PKT_BYTES };

	rig->flow.base_rtt_ns = base_ns;
	if (rig->ops->on_ack)
		rig->ops->on_ack(&rig->flow, &s);
	rig_after(rig);
}

static u64 rig_var(struct kunit *test, const struct mercury_rig *rig, const char *name)
{
	struct rxe_cc_var vars[RXE_CC_MAX_VARS];
	unsigned int i, n = rig->ops->dump(&rig->flow, vars);

	for (i = 0; i < n; i++)
		if (!strcmp(vars[i].name, name))
			return vars[i].value;
	KUNIT_FAIL_AND_ABORT(test, "no variable %s", name);
	return 0;
}

static void rig_event(struct mercury_rig *rig, const struct mercury_event *e)
{
	rig_pass(rig, e->dt_ns);
	switch (e->kind) {
	case MERCURY_SENT:
		rig_sent(rig, e->bytes);
		break;
	case MERCURY_ACK:
		rig_ack(rig, e->rtt_ns);
		break;
	case MERCURY_CNP:
		rig_cnp(rig, 0);
		break;
	case MERCURY_WIN:
		rig_told(rig, rig->ports ? mercury_port_of(e, rig->ports) : 0, e->window_bytes);
		break;
	}
}

/* Window of a flow that is alone. */
static u64 rig_window(const struct mercury_rig *rig)
{
	u64 cap_bytes = rxe_cc_windows_least(&rig->caps, rig->now_ns).bytes;
	u64 bytes = rig->flow.cwnd_bytes;

	return cap_bytes ? min(bytes, cap_bytes) : bytes;
}

static u64 diff_ppm(u64 a, u64 b)
{
	return rxe_cc_muldiv(a > b ? a - b : b - a, 1000000, max(b, 1ULL));
}

static void mercury__model(struct kunit *test)
{
	const struct mercury_table *t = test->param_value;
	struct mercury_rig *rig = rig_new(test, "mercury", t->line_bps);
	struct mercury_source src = t->source;
	const struct mercury_value *v;
	u64 worst = 0, rates, windows;
	unsigned int i, j;

	rig->ports = t->ports;
	rig->least = t->least;
	rig_preset(rig, t->preset);
	for (v = t->values; v->name; v++)
		cc_test_param(test, rig->ops, rig->params, v->name, v->value);
	rig_start(rig, 0);
	for (i = 0; i < MERCURY_POINTS; i++) {
		const struct mercury_point *p = &t->points[i];

		rates = 0;
		windows = 0;
		for (j = 0; j < MERCURY_PER_POINT; j++) {
			struct mercury_event e = mercury_next_event(&src);

			rig_event(rig, &e);
			rates += rig->flow.rate_bps;
			if (rig_window(rig) != RXE_CC_NO_WINDOW)
				windows += rig_window(rig);
		}
		KUNIT_ASSERT_EQ_MSG(test, rig->lifts, p->lifted, "row %u", i);
		KUNIT_ASSERT_EQ_MSG(test, rig_var(test, rig, "cuts_held"), (u64)p->held,
				    "row %u", i);
		KUNIT_ASSERT_LE_MSG(test, diff_ppm(rates, p->rate_sum), (u64)MAX_PPM,
				    "row %u: rates %llu, not %llu", i, rates, p->rate_sum);
		/* Each window is whole bytes. */
		KUNIT_ASSERT_LE_MSG(test, windows > p->win_sum ? windows - p->win_sum :
				    p->win_sum - windows, (u64)MERCURY_PER_POINT,
				    "row %u: windows %llu, not %llu", i, windows, p->win_sum);
		worst = max(worst, diff_ppm(rig->flow.rate_bps, p->rate_bps));
		KUNIT_ASSERT_LE_MSG(test, worst, (u64)MAX_PPM, "row %u: rate %llu, not %llu",
				    i, rig->flow.rate_bps, p->rate_bps);
	}
	kunit_info(test, "%u events, worst rate error %llu ppm",
		   MERCURY_POINTS * MERCURY_PER_POINT, worst);
}

/* Without switches that send windows, rates are those of dcqcn to the bit. */
static void mercury__is_dcqcn(struct kunit *test)
{
	struct mercury_source src = { .prng = { 5 } };
	struct mercury_rig *a = rig_new(test, "mercury", LINE);
	struct mercury_rig *b = rig_new(test, "dcqcn", LINE);
	unsigned int i, cuts = 0;

	rig_start(a, BASE_NS);
	rig_start(b, BASE_NS);
	for (i = 0; i < 20000; i++) {
		struct mercury_event e = mercury_next_event(&src);

		if (e.kind == MERCURY_WIN)
			e.kind = MERCURY_CNP;
		rig_event(a, &e);
		rig_event(b, &e);
		cuts += e.kind == MERCURY_CNP;
		KUNIT_ASSERT_EQ_MSG(test, a->flow.rate_bps, b->flow.rate_bps, "event %u", i);
		KUNIT_ASSERT_EQ(test, a->flow.timer_ns, b->flow.timer_ns);
	}
	KUNIT_EXPECT_GT(test, cuts, 1000U);
	KUNIT_EXPECT_EQ(test, a->lifts, 0U);
}

/* w0 C base RTT: as soon as that is known, and as it changes. */
static void mercury__window(struct kunit *test)
{
	struct mercury_rig *rig = rig_new(test, "mercury", LINE);

	rig_start(rig, 0);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, RXE_CC_NO_WINDOW);
	KUNIT_EXPECT_TRUE(test, rig->flow.wants & RXE_CC_WANT_PAIR_WINDOW);
	rig_ack(rig, BASE_NS);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, W0);
	rig_ack(rig, BASE_NS / 2);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 82ULL * MERCURY_PKT_BYTES);
	/* A packet goes in any case. */
	rig_ack(rig, 1);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, (u64)MERCURY_PKT_BYTES);
	cc_test_param(test, rig->ops, rig->params, "initial_window", 0);
	rig->ops->params_changed(&rig->flow, rig->now_ns);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, RXE_CC_NO_WINDOW);
}

/* The first increase after cut_interval without a window lifts; a cut by a receiver's CNP
 * does not, nor does the call that brought it.
 */
static void mercury__lifts(struct kunit *test)
{
	struct mercury_rig *rig = rig_new(test, "mercury", LINE);

	rig_start(rig, BASE_NS);
	rig_cnp(rig, 50000);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, LINE / 2);
	KUNIT_EXPECT_EQ(test, rig_window(rig), 50000ULL);
	rig_pass(rig, RISE_NS - 1);
	KUNIT_EXPECT_EQ(test, rig_window(rig), 50000ULL);
	rig_pass(rig, 1);
	KUNIT_EXPECT_EQ(test, rig_window(rig), W0);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "told_bytes"), 0ULL);
	/* What was not received is not lifted. */
	rig_pass(rig, 3 * RISE_NS);
	KUNIT_EXPECT_EQ(test, rig->lifts, 1U);

	rig_cnp(rig, 40000);
	rig_pass(rig, 40000);
	rig_cnp(rig, 0);
	rig_pass(rig, RISE_NS - 1);
	KUNIT_EXPECT_EQ(test, rig_window(rig), 40000ULL);
	rig_pass(rig, 1);
	KUNIT_EXPECT_EQ(test, rig->lifts, 2U);
}

/* Windows each round trip: the rate is cut once in cut_interval, and increases between
 * leave the window.
 */
static void mercury__interval(struct kunit *test)
{
	struct mercury_rig *rig = rig_new(test, "mercury", LINE);
	unsigned int i;

	rig_start(rig, BASE_NS);
	for (i = 0; i < 10; i++) {
		rig_cnp(rig, 30000 - i);
		KUNIT_EXPECT_EQ(test, rig_window(rig), 30000ULL - i);
		KUNIT_EXPECT_EQ(test, rig_var(test, rig, "cuts"), i / 2 + 1ULL);
		rig_pass(rig, BASE_NS);
		KUNIT_EXPECT_EQ(test, rig_window(rig), 30000ULL - i);
	}
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "cuts_held"), 5ULL);
	KUNIT_EXPECT_EQ(test, rig->lifts, 0U);
	/* To the letter: each of them. */
	cc_test_param(test, rig->ops, rig->params, "cut_interval", 0);
	rig_start(rig, BASE_NS);
	for (i = 0; i < 10; i++) {
		rig_cnp(rig, 30000);
		rig_pass(rig, 1);
	}
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "cuts"), 10ULL);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "cuts_held"), 0ULL);
}

static struct kunit_case mercury_cases[] = {
	KUNIT_CASE_PARAM(mercury__model, mercury_table_gen_params),
	KUNIT_CASE(mercury__is_dcqcn),
	KUNIT_CASE(mercury__window),
	KUNIT_CASE(mercury__lifts),
	KUNIT_CASE(mercury__interval),
	{}
};

static struct kunit_suite mercury_suite = {
	.name = "rxe_cc_mercury",
	.test_cases = mercury_cases,
};

kunit_test_suite(mercury_suite);
