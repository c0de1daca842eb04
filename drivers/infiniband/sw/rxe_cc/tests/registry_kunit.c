// SPDX-License-Identifier: GPL-2.0
/* What is registered, and whether the tables of parameters make sense. */
#include <kunit/test.h>
#include <linux/kmod.h>
#include <linux/string.h>
#include <rxe_cc/cc.h>

#include "cc_test.h"

static void registry__registered(struct kunit *test)
{
	static const char *const ours[] = { "fixed", "dcqcn", "template" };
	const struct rxe_cc_ops *ops;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ours); i++) {
		for (ops = rxe_cc_test_next_algo(NULL); ops;
		     ops = rxe_cc_test_next_algo(ops))
			if (!strcmp(ops->name, ours[i]))
				break;
		KUNIT_EXPECT_NOT_NULL_MSG(test, ops, "%s: load rxe_cc_%s first",
					  ours[i], ours[i]);
	}
}

static bool registry_unit_known(const char *unit)
{
	static const char *const units[] = {
		"ns", "bytes", "bps", "ppm", "count", "bool", "q24",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(unit, units[i]))
			return true;
	return false;
}

static void registry__table(struct kunit *test)
{
	const struct rxe_cc_ops *ops = test->param_value;
	unsigned int i, j, n;

	KUNIT_ASSERT_LE(test, ops->nr_params, (unsigned int)RXE_CC_MAX_PARAMS);
	KUNIT_EXPECT_NOT_NULL(test, ops->init);
	for (i = 0; i < ops->nr_params; i++) {
		const struct rxe_cc_param *p = &ops->params[i];

		KUNIT_ASSERT_NOT_NULL_MSG(test, p->name, "row %u", i);
		KUNIT_ASSERT_NOT_NULL_MSG(test, p->unit, "%s", p->name);
		KUNIT_ASSERT_NOT_NULL_MSG(test, p->help, "%s", p->name);
		n = strlen(p->name);
		KUNIT_EXPECT_TRUE_MSG(test, n && n < RXE_CC_NAME_MAX &&
				      strspn(p->name, "abcdefghijklmnopqrstuvwxyz0123456789_") == n,
				      "%s: not a name", p->name);
		KUNIT_EXPECT_TRUE_MSG(test, registry_unit_known(p->unit),
				      "%s: unit %s", p->name, p->unit);
		KUNIT_EXPECT_TRUE_MSG(test, strlen(p->help) > 5 &&
				      !strchr(p->help, '\n'),
				      "%s: help must be a line", p->name);
		KUNIT_EXPECT_TRUE_MSG(test, p->min <= p->def && p->def <= p->max,
				      "%s: default not in its range", p->name);
		if (!strcmp(p->unit, "bool"))
			KUNIT_EXPECT_TRUE_MSG(test, !p->min && p->max == 1,
					      "%s: a bool is 0 or 1", p->name);
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_NE_MSG(test,
					    strcmp(ops->params[j].name, p->name),
					    0, "%s: twice", p->name);
	}
	for (i = 0; i < ops->nr_presets; i++) {
		const struct rxe_cc_preset *ps = &ops->presets[i];

		for (j = 0; j < ops->nr_params; j++) {
			const struct rxe_cc_param *p = &ops->params[j];

			KUNIT_EXPECT_TRUE_MSG(test, p->min <= ps->values[j] &&
					      ps->values[j] <= p->max,
					      "preset %s: %s", ps->name, p->name);
			/* The first preset is what a new port gets. */
			if (!i)
				KUNIT_EXPECT_EQ_MSG(test, ps->values[j], p->def,
						    "preset %s: %s", ps->name,
						    p->name);
		}
	}
}

/* Loads what modprobe finds; registry__registered says what is missing. */
static int registry_suite_init(struct kunit_suite *suite)
{
	request_module("rxe_cc_fixed");
	request_module("rxe_cc_dcqcn");
	request_module("rxe_cc_template");
	return 0;
}

static struct kunit_case registry_cases[] = {
	KUNIT_CASE(registry__registered),
	KUNIT_CASE_PARAM(registry__table, cc_test_algo_gen),
	{}
};

static struct kunit_suite registry_suite = {
	.name = "rxe_cc_registry",
	.suite_init = registry_suite_init,
	.test_cases = registry_cases,
};

kunit_test_suite(registry_suite);
