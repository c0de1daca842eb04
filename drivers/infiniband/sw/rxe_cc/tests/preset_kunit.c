// SPDX-License-Identifier: GPL-2.0
/*
 * Presets: the first is what an algorithm starts with, and the others differ from it
 * in what their pages and sources say, and in nothing else.
 */
#include <rxe_cc/cc_math.h>

#include "cc_test.h"

#define PRESET_MAX	8

struct preset_value {
	const char *name;
	u64 value;
};

/* Factory settings of NICs, as the table of dcqcn.md has them. */
static const struct preset_value preset_mlx5[] = {
	{ "rpg_time_reset", 300000 }, { "rpg_byte_reset", 2097088 },
	{ "rpg_threshold", 1 }, { "rpg_ai_rate", 5000000 },
	{ "rpg_hai_rate", 50000000 }, { "rate_unit", 0 },
	{ "rpg_min_dec_fac", RXE_CC_Q24(1, 2) },
	{ "dce_tcp_g", RXE_CC_Q24(1019, 1024) }, { "dce_tcp_rtt", 1000 },
	{ "initial_alpha_value", RXE_CC_Q24(1023, 1024) },
	{ "rate_reduce_monitor_period", 4000 }, { "clamp_tgt_rate", 0 },
	{ "np_min_time_between_cnps", 4000 }, { }
};

/* A public simulator, as configured for 10 Gbit/s. */
static const struct preset_value preset_ns3[] = {
	{ "rpg_time_reset", 300000 }, { "rpg_byte_reset", 0 },
	{ "rpg_threshold", 1 }, { "rpg_ai_rate", 2000000 },
	{ "rpg_hai_rate", 20000000 }, { "rate_unit", 10000000000ULL },
	{ "rpg_min_rate", 100000000 }, { "dce_tcp_rtt", 1000 },
	{ "rate_reduce_monitor_period", 4000 }, { "clamp_tgt_rate", 0 },
	{ "cut_last", 1 }, { "np_min_time_between_cnps", 0 }, { }
};

static const struct preset_value preset_none[] = { { } };

static const struct {
	const char *algo, *preset;
	const struct preset_value *common;
	struct preset_value own[PRESET_MAX];
} presets[] = {
	{ "dcqcn", "mlx5", preset_mlx5 },
	{ "dcqcn", "ns3", preset_ns3 },
	{ "dart", "mlx5", preset_mlx5 },
	{ "dart", "whole", preset_none },
	{ "mercury", "mlx5", preset_mlx5, { { "cut_interval", 4000 } } },
	{ "mercury", "ns3", preset_ns3, { { "cut_interval", 0 } } },
	{ "hpcc", "ns3", preset_none, { { "max_stage", 0 }, { "ai_rate", 4000000 },
					{ "fill_window", 1 } } },
	{ "hpccpp", "sparse", preset_none, { { "max_stage", 3 }, { "int_mode", 1 } } },
	{ "hpccpp", "probe", preset_none, { { "max_stage", 1 }, { "int_mode", 2 } } },
	{ "hpccpp", "rx", preset_none, { { "rx", 1 } } },
	{ "hpccpp", "fair", preset_none, { { "n_auto", 1 } } },
	{ "powertcp", "theta", preset_none, { { "theta", 1 } } },
	{ "timely", "ns3", preset_none, { { "rtt_unit", 0 }, { "min_rtt", 20000 },
					  { "hai_low", 1 }, { "min_rate", 100000000 } } },
};

static void preset_set(struct kunit *test, const struct rxe_cc_ops *ops, u64 *want,
		       const struct preset_value *v)
{
	for (; v->name; v++)
		cc_test_param(test, ops, want, v->name, v->value);
}

static void preset_expect(struct kunit *test, const struct rxe_cc_ops *ops,
			  const struct rxe_cc_preset *preset, const u64 *want)
{
	unsigned int i;

	for (i = 0; i < ops->nr_params; i++)
		KUNIT_EXPECT_EQ_MSG(test, preset->values[i], want[i], "%s %s: %s",
				    ops->name, preset->name, ops->params[i].name);
}

static void preset__first(struct kunit *test)
{
	const struct rxe_cc_ops *ops = test->param_value;
	u64 want[RXE_CC_MAX_PARAMS];

	if (!ops->nr_presets)
		return;
	cc_test_defaults(ops, want);
	preset_expect(test, ops, &ops->presets[0], want);
}

static void preset__others(struct kunit *test)
{
	const struct rxe_cc_preset *preset;
	const struct rxe_cc_ops *ops;
	u64 want[RXE_CC_MAX_PARAMS];
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(presets); i++) {
		ops = cc_test_algo(test, presets[i].algo);
		cc_test_defaults(ops, want);
		preset_set(test, ops, want, presets[i].common);
		preset_set(test, ops, want, presets[i].own);
		for (j = 0, preset = NULL; j < ops->nr_presets; j++)
			if (!strcmp(ops->presets[j].name, presets[i].preset))
				preset = &ops->presets[j];
		KUNIT_ASSERT_NOT_NULL_MSG(test, preset, "%s %s", ops->name,
					  presets[i].preset);
		preset_expect(test, ops, preset, want);
	}
}

static struct kunit_case preset_cases[] = {
	KUNIT_CASE_PARAM(preset__first, cc_test_algo_gen),
	KUNIT_CASE(preset__others),
	{ }
};

static struct kunit_suite preset_suite = {
	.name = "rxe_cc_preset",
	.test_cases = preset_cases,
};

kunit_test_suite(preset_suite);
