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

static void registry_init(struct rxe_cc_flow *flow, u64 now_ns)
{
}

static unsigned int registry_dump(const struct rxe_cc_flow *flow, struct rxe_cc_var *vars)
{
	return 0;
}

static const char *registry_check(const u64 *params, unsigned int *bad)
{
	return params[0] == 51 ? "51 is no value" : NULL;
}

#define REGISTRY_PARAM	{ "value", "count", 10, 100, 50, "for the test" }

static const struct rxe_cc_param registry_one[] = { REGISTRY_PARAM };
static const struct rxe_cc_param registry_51_def[] = {
	{ "value", "count", 10, 100, 51, "for the test" },
};

static const struct rxe_cc_param registry_twice[] = { REGISTRY_PARAM, REGISTRY_PARAM };
/* One wrong member in each. */
static const struct rxe_cc_param registry_bad[] = {
	{ NULL, "count", 10, 100, 50, "for the test" },
	{ "", "count", 10, 100, 50, "for the test" },
	{ "Value", "count", 10, 100, 50, "for the test" },
	{ "value", NULL, 10, 100, 50, "for the test" },
	{ "value", "furlong", 10, 100, 50, "for the test" },
	{ "value", "count", 10, 100, 50, NULL },
	{ "value", "count", 10, 100, 9, "for the test" },
	{ "value", "count", 10, 100, 101, "for the test" },
	/* 32 bytes with the zero are the longest. */
	{ "a1234567890123456789012345678901", "count", 10, 100, 50, "for the test" },
};

static const struct rxe_cc_param registry_good[] = {
	{ "a123456789012345678901234567890", "count", 10, 100, 50, "for the test" },
	{ "value", "ppm", 10, 100, 10, "for the test" },
	{ "value", "q24", 10, 100, 100, "for the test" },
};

static const u64 registry_9[] = { 9 }, registry_10[] = { 10 }, registry_51[] = { 51 },
		 registry_100[] = { 100 }, registry_101[] = { 101 };

/* Tokens are a field of three bits. */
static const struct rxe_cc_preset registry_ends[] = {
	{ "least", registry_10, "iofd_tokens", 7 }, { "most", registry_100 },
};

static const struct rxe_cc_preset registry_low[] = {
	{ "most", registry_100 }, { "low", registry_9 },
};

static const struct rxe_cc_preset registry_high[] = { { "high", registry_101 } };
static const struct rxe_cc_preset registry_clash[] = { { "clash", registry_51 } };
static const struct rxe_cc_preset registry_tokens[] = {
	{ "tokens", registry_10, "iofd_tokens", 8 },
};

#define REGISTRY_SIGNAL	.var = "rtt_ns", .name = "RTT", .unit = "ns", .help = "for the test"

static const struct rxe_cc_signal registry_signals[] = {
	{ REGISTRY_SIGNAL, .lines = { "value" }, .rtt_unit = "value" },
	{ REGISTRY_SIGNAL, .lines = { "value", "other" } },
	{ REGISTRY_SIGNAL, .rtt_unit = "other" },
};

#define REGISTRY_OPS							\
	.init = registry_init, .params = registry_one, .nr_params = 1,	\
	.name = "registry", .owner = THIS_MODULE

static int registry_try(struct rxe_cc_ops *ops)
{
	int err = rxe_cc_register(ops);

	if (!err)
		rxe_cc_unregister(ops);
	return err;
}

/* What is refused, each beside the last value that is not. */
static void registry__refused(struct kunit *test)
{
	static struct {
		const char *what;
		struct rxe_cc_ops ops;
		int err;
	} rows[] = {
		{ "all is well", { REGISTRY_OPS } },
		{ "no init", { .name = "registry", .owner = THIS_MODULE }, -EINVAL },
		{ "no name", { .init = registry_init, .owner = THIS_MODULE }, -EINVAL },
		{ "upper case", { .init = registry_init, .name = "Registry" }, -EINVAL },
		{ "15 characters", { .init = registry_init, .name = "a12345678901234" } },
		{ "16 characters", { .init = registry_init,
				     .name = "a123456789012345" }, -EINVAL },
		{ "a name that is taken", { .init = registry_init, .name = "none" }, -EEXIST },
		{ "a name that means another", { .init = registry_init,
						 .name = "default" }, -EEXIST },
		{ "state of a peer", { REGISTRY_OPS, .peer_priv_size = 1024 } },
		{ "too much of it", { REGISTRY_OPS, .peer_priv_size = 1025 }, -EINVAL },
		{ "values told", { REGISTRY_OPS, .nr_fb = 4 } },
		{ "too many of them", { REGISTRY_OPS, .nr_fb = 5 }, -EINVAL },
		{ "no table", { .init = registry_init, .nr_params = 1,
				.name = "registry" }, -EINVAL },
		{ "too long a table", { .init = registry_init, .params = registry_one,
					.nr_params = RXE_CC_MAX_PARAMS + 1,
					.name = "registry" }, -EINVAL },
		{ "a parameter twice", { .init = registry_init, .params = registry_twice,
					 .nr_params = 2, .name = "registry" }, -EINVAL },
		{ "defaults that agree", { .init = registry_init, .params = registry_one,
					   .nr_params = 1, .check_params = registry_check,
					   .name = "registry" } },
		{ "defaults that clash", { .init = registry_init, .params = registry_51_def,
					   .nr_params = 1, .check_params = registry_check,
					   .name = "registry" }, -EINVAL },
		{ "presets at the ends", { REGISTRY_OPS, .presets = registry_ends,
					   .nr_presets = 2,
					   .check_params = registry_check } },
		{ "a preset that is low", { REGISTRY_OPS, .presets = registry_low,
					    .nr_presets = 2 }, -EINVAL },
		{ "a preset that is high", { REGISTRY_OPS, .presets = registry_high,
					     .nr_presets = 1 }, -EINVAL },
		{ "tokens of a preset", { REGISTRY_OPS, .presets = registry_tokens,
					  .nr_presets = 1 }, -EINVAL },
		{ "a preset that no check looks at", { REGISTRY_OPS,
						       .presets = registry_clash,
						       .nr_presets = 1 } },
		{ "a preset that clashes", { REGISTRY_OPS, .presets = registry_clash,
					     .nr_presets = 1,
					     .check_params = registry_check }, -EINVAL },
		{ "a signal", { REGISTRY_OPS, .signals = &registry_signals[0],
				.nr_signals = 1, .dump = registry_dump } },
		{ "a signal without a dump", { REGISTRY_OPS, .nr_signals = 1,
					       .signals = &registry_signals[0] }, -EINVAL },
		{ "a line that is no parameter", { REGISTRY_OPS, .nr_signals = 1,
						   .signals = &registry_signals[1],
						   .dump = registry_dump }, -EINVAL },
		{ "a unit that is none", { REGISTRY_OPS, .nr_signals = 1,
					   .signals = &registry_signals[2],
					   .dump = registry_dump }, -EINVAL },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, registry_try(&rows[i].ops), rows[i].err, "%s",
				    rows[i].what);
}

static void registry__params_refused(struct kunit *test)
{
	struct rxe_cc_ops ops = { REGISTRY_OPS };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(registry_bad); i++) {
		ops.params = &registry_bad[i];
		KUNIT_EXPECT_EQ_MSG(test, registry_try(&ops), -EINVAL, "row %u", i);
	}
	for (i = 0; i < ARRAY_SIZE(registry_good); i++) {
		ops.params = &registry_good[i];
		KUNIT_EXPECT_EQ_MSG(test, registry_try(&ops), 0, "row %u", i);
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
	KUNIT_CASE(registry__refused),
	KUNIT_CASE(registry__params_refused),
	{}
};

static struct kunit_suite registry_suite = {
	.name = "rxe_cc_registry",
	.suite_init = registry_suite_init,
	.test_cases = registry_cases,
};

kunit_test_suite(registry_suite);
