// SPDX-License-Identifier: GPL-2.0
/*
 * template: a cut halves, a step adds, and both keep their distance. A table to copy for an
 * algorithm of your own, see Documentation/guide/add-an-algorithm.md.
 */
#include <linux/array_size.h>

#include "cc_test.h"

#define GBIT(n)	((u64)(n) * 1000 * 1000 * 1000)

struct template_case {
	u64 now_ns;
	bool cnp;		/* else the timer */
	u64 rate_bps;		/* afterwards */
};

static const struct template_case template_cases[] = {
	{ 100000, true, GBIT(50) },
	{ 120000, true, GBIT(50) },	/* less than 50 us later: ignored */
	{ 150000, false, GBIT(50) + 50000000 },
	{ 150000, true, (GBIT(50) + 50000000) / 2 },
};

static void template__table(struct kunit *test)
{
	struct cc_test_flow *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	cc_test_flow_new(test, t, "template");		/* 100 Gbit/s, 10 us, defaults */
	cc_test_flow_start(t, 0);
	for (i = 0; i < ARRAY_SIZE(template_cases); i++) {
		const struct template_case *c = &template_cases[i];
		struct rxe_cc_sample s = { .now_ns = c->now_ns };

		if (c->cnp)
			t->ops->on_cnp(&t->flow, &s);
		else
			t->ops->on_timer(&t->flow, &s);
		KUNIT_EXPECT_EQ_MSG(test, t->flow.rate_bps, c->rate_bps, "row %u", i);
	}
}

static struct kunit_case template_kunit_cases[] = {
	KUNIT_CASE(template__table),
	{}
};

static struct kunit_suite template_suite = {
	.name = "rxe_cc_template",
	.test_cases = template_kunit_cases,
};

kunit_test_suite(template_suite);
