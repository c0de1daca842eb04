// SPDX-License-Identifier: GPL-2.0
/*
 * Every parameter and every knob: name, unit, smallest, largest and default value, as the
 * pages in Documentation/algorithms have them. A table of its own, because a limit that
 * is off by one refuses nobody who uses sensible values.
 */
#include <rxe_cc/cc_math.h>

#include "core/cc_port_knobs.h"
#include "cc_test.h"

#define ONE		RXE_CC_Q24(1, 1)
#define RATE_MAX	800000000000ULL		/* 800 Gbit/s */
#define US		1000ULL
#define MS		1000000ULL
#define S		1000000000ULL
/* 131.071 ms: the largest time of IEEE 802.1Qau, 17 bits of us. */
#define QAU_MAX		131071000ULL

struct param_row {
	const char *name, *unit;
	u64 min, max, def;
};

#define PARAM_DCQCN(...) {						\
	{ "rpg_time_reset", "ns", US, QAU_MAX, 55 * US },		\
	{ "rpg_byte_reset", "bytes", 0, 1ULL << 40, 10 * MS },		\
	{ "rpg_threshold", "count", 1, 31, 5 },				\
	{ "rpg_ai_rate", "bps", 1000, RATE_MAX, 40000000 },		\
	{ "rpg_hai_rate", "bps", 1000, RATE_MAX, 400000000 },		\
	{ "rate_unit", "bps", 0, RATE_MAX, 40 * S },			\
	{ "rpg_min_rate", "bps", 1000, RATE_MAX, 1000000 },		\
	{ "rpg_max_rate", "bps", 0, RATE_MAX, 0 },			\
	{ "rpg_gd", "count", 10, 15, 11 },				\
	{ "rpg_min_dec_fac", "q24", 0, ONE, 0 },			\
	{ "dce_tcp_g", "q24", 0, ONE, 255 << 16 },			\
	{ "dce_tcp_rtt", "ns", 100, QAU_MAX, 55 * US },			\
	{ "initial_alpha_value", "q24", 0, ONE, ONE },			\
	{ "rate_reduce_monitor_period", "ns", 0, QAU_MAX, 0 },		\
	{ "rate_to_set_on_first_cnp", "bps", 0, RATE_MAX, 0 },		\
	{ "clamp_tgt_rate", "bool", 0, 1, 1 },				\
	{ "clamp_tgt_rate_after_time_inc", "bool", 0, 1, 1 },		\
	{ "cut_last", "bool", 0, 1, 0 },				\
	__VA_ARGS__							\
}

#define PARAM_HPCC(...) {						\
	{ "eta", "q24", ONE / 8, ONE, RXE_CC_Q24(95, 100) },		\
	{ "max_stage", "count", 0, 255, 5 },				\
	{ "n", "count", 1, 1000000, 100 },				\
	{ "ai_rate", "bps", 0, RATE_MAX, 0 },				\
	{ "fast_react", "bool", 0, 1, 1 },				\
	{ "fill_window", "bool", 0, 1, 0 },				\
	{ "int_profile", "count", 0, 2, 0 },				\
	__VA_ARGS__							\
}

static const struct param_row param_dcqcn[] =
PARAM_DCQCN({ "np_min_time_between_cnps", "ns", 0, QAU_MAX, 50 * US },
	    { });

static const struct param_row param_mercury[] =
PARAM_DCQCN({ "np_min_time_between_cnps", "ns", 0, QAU_MAX, 50 * US },
	    { "cut_interval", "ns", 0, QAU_MAX, 50 * US },
	    { "initial_window", "q24", 0, 16 * ONE, ONE + ONE / 8 },
	    { });

static const struct param_row param_dart[] =
PARAM_DCQCN({ "np_min_time_between_cnps", "ns", 0, QAU_MAX, 50 * US },
	    { "eta", "q24", ONE / 2, ONE, ONE },
	    { "rx_busy", "q24", ONE / 2, ONE, RXE_CC_Q24(95, 100) },
	    { "rate_window", "ns", 0, S, 0 },
	    { "ce_hold", "ns", 0, S, 0 },
	    { "linger", "ns", 0, S, 0 },
	    { "idle", "ns", MS, 100 * S, 2 * S },
	    { "n_max", "count", 2, 1000000, 4096 },
	    { "n_hold", "ns", US, 100 * S, S },
	    { "lookahead", "bool", 0, 1, 1 },
	    { "la_expiry", "ns", US, S, MS },
	    { "la_senders", "count", 1, 1000000, 1024 },
	    { "la_quota", "count", 1, 255, 16 },
	    { });

/* DCQCN's with the defaults of the preset mlx5, and two of its own. */
static const struct param_row param_lscc[] = {
	{ "rpg_time_reset", "ns", US, QAU_MAX, 300 * US },
	{ "rpg_byte_reset", "bytes", 0, 1ULL << 40, 32767 * 64 },
	{ "rpg_threshold", "count", 1, 31, 1 },
	{ "rpg_ai_rate", "bps", 1000, RATE_MAX, 5000000 },
	{ "rpg_hai_rate", "bps", 1000, RATE_MAX, 50000000 },
	{ "rate_unit", "bps", 0, RATE_MAX, 0 },
	{ "rpg_min_rate", "bps", 1000, RATE_MAX, 1000000 },
	{ "rpg_max_rate", "bps", 0, RATE_MAX, 0 },
	{ "rpg_gd", "count", 10, 15, 11 },
	{ "rpg_min_dec_fac", "q24", 0, ONE, ONE / 2 },
	{ "dce_tcp_g", "q24", 0, ONE, 1019 << 14 },
	{ "dce_tcp_rtt", "ns", 100, QAU_MAX, US },
	{ "initial_alpha_value", "q24", 0, ONE, 1023 << 14 },
	{ "rate_reduce_monitor_period", "ns", 0, QAU_MAX, 4 * US },
	{ "rate_to_set_on_first_cnp", "bps", 0, RATE_MAX, 0 },
	{ "clamp_tgt_rate", "bool", 0, 1, 0 },
	{ "clamp_tgt_rate_after_time_inc", "bool", 0, 1, 1 },
	{ "cut_last", "bool", 0, 1, 0 },
	{ "direct_interval", "ns", 0, QAU_MAX, 4 * US },
	{ "cnp_multiple", "count", 0, 1000, 10 },
	{ }
};

static const struct param_row param_hpcc[] = PARAM_HPCC({ });

static const struct param_row param_hpccpp[] =
PARAM_HPCC({ "int_mode", "count", 0, 2, 0 },
	   { "rx", "bool", 0, 1, 0 },
	   { "n_auto", "bool", 0, 1, 0 },
	   { "n_expiry", "ns", US, 10 * S, 200 * US },
	   { "delay_acks", "ns", 0, S, 0 },
	   { });

static const struct param_row param_hpccstar[] =
PARAM_HPCC({ "near_rtt", "ns", 0, S, 0 },
	   { });

static const struct param_row param_fixed[] = {
	{ "rate", "bps", 0, RATE_MAX, 0 },
	{ "window", "bytes", 0, 1ULL << 32, 0 },
	{ "fill_window", "bool", 0, 1, 0 },
	{ }
};

static const struct param_row param_rcc[] = {
	{ "ewa", "bool", 0, 1, 1 },
	{ "pid", "bool", 0, 1, 1 },
	{ "side", "count", 0, 2, 2 },
	{ "eta", "q24", ONE / 16, ONE, RXE_CC_Q24(95, 100) },
	{ "eta_hyst", "q24", 0, ONE, RXE_CC_Q24(5, 100) },
	{ "delta", "q24", ONE / 1024, 16 * ONE, RXE_CC_Q24(1, 5) },
	{ "n", "count", 1, 1000, 3 },
	{ "kp", "q24", 0, 1000000 * ONE, 10000 * ONE },
	{ "kd", "q24", 0, 1000000 * ONE, 10000 * ONE },
	{ "rtt_unit", "ns", 0, S, 12 * US },
	{ "umax", "q24", ONE / 1024, 16 * ONE, RXE_CC_Q24(55, 100) },
	{ "leak", "q24", 0, ONE, ONE / 4 },
	{ "scale", "count", 0, 2, 0 },
	{ "linger", "bool", 0, 1, 1 },
	{ "confirm", "bool", 0, 1, 1 },
	{ "hold", "bool", 0, 1, 1 },
	{ "reach", "bool", 0, 1, 1 },
	{ "acks", "bool", 0, 1, 1 },
	{ "fill_window", "bool", 0, 1, 1 },
	{ "n_max", "count", 1, 1 << 24, 16384 },
	{ "peer_max", "count", 0, 1 << 24, 0 },
	{ "n_linger", "ns", 0, 10 * S, 0 },
	{ "n_idle", "ns", US, 100 * S, 2 * S },
	{ "told_expiry", "ns", US, 100 * S, S },
	{ "restart", "bool", 0, 1, 1 },
	{ "jitter", "ns", 0, S, 0 },
	{ "own_round", "bool", 0, 1, 1 },
	{ "reset", "bool", 0, 1, 1 },
	{ }
};

static const struct param_row param_dctcp[] = {
	{ "g", "q24", 1, ONE, ONE / 16 },
	{ "min_cwnd", "q24", 1, 65535 * ONE, 2 * ONE },
	{ }
};

static const struct param_row param_nscc[] = {
	{ "target_qdelay", "q24", ONE / 1024, 1000 * ONE, ONE },
	{ "max_wnd", "q24", ONE / 1024, 1000 * ONE, 3 * ONE / 2 },
	{ "alpha", "q24", 0, 1000 * ONE, 4 * ONE },
	{ "fi", "q24", 0, 1000 * ONE, 5 * ONE },
	{ "fi_scale", "q24", 0, 1000 * ONE, ONE / 4 },
	{ "eta", "q24", 0, 1000 * ONE, RXE_CC_Q24(3, 20) },
	{ "gamma", "q24", 0, ONE, RXE_CC_Q24(4, 5) },
	{ "max_md_jump", "q24", 0, ONE, ONE / 2 },
	{ "clear", "q24", 0, 1000 * ONE, RXE_CC_Q24(1, 12) },
	{ "quick_adapt", "bool", 0, 1, 1 },
	{ "qa_threshold", "q24", 0, 1000 * ONE, 4 * ONE },
	{ "qa_gate", "count", 0, 63, 3 },
	{ "adjust_bytes", "q24", ONE, 65535 * ONE, 8 * ONE },
	{ "adjust_period", "q24", ONE / 1024, 1000 * ONE, ONE },
	{ }
};

static const struct param_row param_powertcp[] = {
	{ "theta", "bool", 0, 1, 0 },
	{ "gamma", "q24", ONE / 1024, ONE, RXE_CC_Q24(9, 10) },
	{ "n", "count", 1, 1000000, 10 },
	{ "per_packet", "bool", 0, 1, 0 },
	{ }
};

static const struct param_row param_swift[] = {
	{ "ai", "q24", 1, 1000 * ONE, ONE },
	{ "beta", "q24", 0, ONE, RXE_CC_Q24(4, 5) },
	{ "max_mdf", "q24", 0, ONE, ONE / 2 },
	{ "queue", "q24", 0, 1000 * ONE, ONE / 4 },
	{ "hop", "ns", 0, S, 0 },
	{ "fs_range", "q24", 0, 1000 * ONE, 5 * ONE },
	{ "fs_min", "q24", 1, 65535 * ONE, RXE_CC_Q24(1, 10) },
	{ "fs_max", "q24", 1, 65535 * ONE, 100 * ONE },
	{ "min_cwnd", "q24", 1, 65535 * ONE, RXE_CC_Q24(1, 1000) },
	{ "retx_reset", "count", 1, 1000, 5 },
	{ }
};

static const struct param_row param_template[] = {
	{ "step", "bps", 1000, RATE_MAX, 50000000 },
	{ "interval", "ns", US, S, 50 * US },
	{ }
};

static const struct param_row param_timely[] = {
	{ "t_low", "ns", 0, S, 50 * US },
	{ "t_high", "ns", 0, S, 500 * US },
	{ "rtt_unit", "ns", 0, S, 20 * US },
	{ "min_rtt", "ns", 0, S, 0 },
	{ "beta", "q24", 0, ONE, RXE_CC_Q24(4, 5) },
	{ "ewma", "q24", 1, ONE, ONE - ONE / 8 },
	{ "delta", "bps", 1000, RATE_MAX, 10000000 },
	{ "hai_n", "count", 1, 1000, 5 },
	{ "hai_low", "bool", 0, 1, 0 },
	{ "rate_unit", "bps", 0, RATE_MAX, 10 * S },
	{ "min_rate", "bps", 1000, RATE_MAX, 10000000 },
	{ }
};

static const struct {
	const char *algo;
	const struct param_row *rows;
} param_tables[] = {
	{ "dart", param_dart }, { "dcqcn", param_dcqcn }, { "dctcp", param_dctcp },
	{ "fixed", param_fixed }, { "hpcc", param_hpcc }, { "hpccpp", param_hpccpp },
	{ "hpccstar", param_hpccstar },
	{ "lscc", param_lscc }, { "mercury", param_mercury },
	{ "nscc", param_nscc }, { "powertcp", param_powertcp }, { "rcc", param_rcc }, { "swift", param_swift },
	{ "template", param_template }, { "timely", param_timely },
};

/* In the order of enum rxe_cc_knob, which is that of a dump. */
static const struct param_row param_knobs[] = {
	{ "line_rate", "bps", 0, RATE_MAX, 0 },
	{ "min_rate", "bps", 1000, RATE_MAX, 1000000 },
	{ "burst", "bytes", 0, 131072, 4500 },
	{ "base_rtt", "ns", 0, 10 * S, 0 },
	/* rxe asks for an ACK every 66 packets without us, and leaves 128 unacknowledged. */
	{ "ack_every", "count", 1, 66, 66 },
	{ "max_unacked_psns", "count", 128, 1 << 22, 128 },
	{ "max_skbs_out", "count", 4, 1 << 20, 64 },
	{ "data_dscp", "count", 0, 64, 26 },
	{ "cnp_dscp", "count", 0, 64, 48 },
	{ "int", "mode", 0, 2, 0 },
	{ "int_hops", "count", 1, 16, 8 },
	{ "int_dscp", "count", 0, 63, 27 },
	{ "ack_dscp", "count", 0, 65, 65 },
	{ "rtt_window", "ns", MS, 1000 * S, 10 * S },
	{ "report_interval", "ns", 0, S, 500 },
	{ "switch_feedback", "bool", 0, 1, 0 },
	{ "cap_expiry", "ns", US, 10 * S, MS },
	{ "clock_common", "bool", 0, 1, 0 },
	{ "iofd_tokens", "count", 0, 7, 0 },
	{ "iofd_short", "bytes", 1, 1 << 30, 8192 },
	{ "cap_least", "bool", 0, 1, 0 },
	{ }
};

static void param_expect(struct kunit *test, const char *whose,
			 const struct rxe_cc_param *p, unsigned int nr,
			 const struct param_row *want)
{
	unsigned int i;

	for (i = 0; i < nr && want[i].name; i++) {
		KUNIT_EXPECT_STREQ_MSG(test, p[i].name, want[i].name, "%s", whose);
		KUNIT_EXPECT_STREQ_MSG(test, p[i].unit, want[i].unit, "%s %s", whose,
				       want[i].name);
		KUNIT_EXPECT_EQ_MSG(test, p[i].min, want[i].min, "%s %s: min", whose,
				    want[i].name);
		KUNIT_EXPECT_EQ_MSG(test, p[i].max, want[i].max, "%s %s: max", whose,
				    want[i].name);
		KUNIT_EXPECT_EQ_MSG(test, p[i].def, want[i].def, "%s %s: default", whose,
				    want[i].name);
	}
	KUNIT_EXPECT_EQ_MSG(test, i, nr, "%s: more than the table here", whose);
	KUNIT_EXPECT_NULL_MSG(test, want[i].name, "%s: less than the table here", whose);
}

static void param__algos(struct kunit *test)
{
	const struct rxe_cc_ops *ops;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(param_tables); i++) {
		ops = cc_test_algo(test, param_tables[i].algo);
		param_expect(test, ops->name, ops->params, ops->nr_params,
			     param_tables[i].rows);
	}
}

static void param__knobs(struct kunit *test)
{
	param_expect(test, "knob", rxe_cc_knobs, RXE_CC_NR_KNOBS, param_knobs);
}

/* Which knobs contradict each other, to the bit/s. */
static void param__knob_check(struct kunit *test)
{
	static const struct {
		u64 line_bps, min_bps;
		int bad;
	} rows[] = {
		{ 0, 1000000, -1 }, { 0, RATE_MAX, -1 },
		{ 1, 1000, RXE_CC_KNOB_LINE_RATE }, { 999, 1000, RXE_CC_KNOB_LINE_RATE },
		{ 1000, 1000, -1 }, { 1000, 1001, RXE_CC_KNOB_MIN_RATE },
		{ 10 * S, 10 * S, -1 }, { 10 * S, 10 * S + 1, RXE_CC_KNOB_MIN_RATE },
	};
	unsigned int i, k, bad;
	const char *why;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		u64 knob[RXE_CC_NR_KNOBS];

		for (k = 0; k < RXE_CC_NR_KNOBS; k++)
			knob[k] = rxe_cc_knobs[k].def;
		knob[RXE_CC_KNOB_LINE_RATE] = rows[i].line_bps;
		knob[RXE_CC_KNOB_MIN_RATE] = rows[i].min_bps;
		bad = RXE_CC_NR_KNOBS;
		why = rxe_cc_knob_check(knob, &bad);
		KUNIT_EXPECT_EQ_MSG(test, why ? (int)bad : -1, rows[i].bad, "row %u", i);
	}
}

/* Which algorithm runs on which port: what it needs, with telemetry off and on. */
static void param__refusal(struct kunit *test)
{
	static const struct {
		u32 needs;
		u64 mode;
		bool refused;
	} rows[] = {
		{ 0, RXE_CC_INT_OFF, false },
		{ RXE_CC_ALGO_NEED_ECN, RXE_CC_INT_OFF, false },
		{ RXE_CC_ALGO_NEED_RTT, RXE_CC_INT_OFF, false },
		{ RXE_CC_ALGO_NEED_ACK_EVERY_PACKET, RXE_CC_INT_OFF, false },
		{ RXE_CC_ALGO_NEED_ECN | RXE_CC_ALGO_NEED_RTT |
		  RXE_CC_ALGO_NEED_ACK_EVERY_PACKET, RXE_CC_INT_ON, false },
		{ RXE_CC_ALGO_NEED_INT, RXE_CC_INT_OFF, true },
		{ RXE_CC_ALGO_NEED_INT, RXE_CC_INT_AUTO, false },
		{ RXE_CC_ALGO_NEED_INT, RXE_CC_INT_ON, false },
		{ RXE_CC_ALGO_NEED_PEER, RXE_CC_INT_OFF, true },
		{ RXE_CC_ALGO_NEED_PEER, RXE_CC_INT_ON, true },
		{ RXE_CC_ALGO_NEED_PEER | RXE_CC_ALGO_NEED_INT, RXE_CC_INT_ON, true },
		{ 1U << 31, RXE_CC_INT_ON, true },
	};
	u64 knob[RXE_CC_NR_KNOBS] = {};
	struct rxe_cc_ops ops = {};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		ops.needs = rows[i].needs;
		knob[RXE_CC_KNOB_INT] = rows[i].mode;
		KUNIT_EXPECT_EQ_MSG(test, !!rxe_cc_port_refusal(&ops, NULL, knob),
				    rows[i].refused, "row %u", i);
	}
}

/* Parameter 0 says whether it goes by telemetry; what is not among all needs counts not. */
static u32 param_needs_of(const u64 *params)
{
	return RXE_CC_ALGO_NEED_RTT | RXE_CC_ALGO_NEED_PEER |
	       (params[0] ? RXE_CC_ALGO_NEED_INT : 0);
}

/* What an algorithm needs may depend on its parameters: with telemetry off one runs, and the
 * other does not.
 */
static void param__needs_of(struct kunit *test)
{
	const struct rxe_cc_ops ops = {
		.needs = RXE_CC_ALGO_NEED_INT | RXE_CC_ALGO_NEED_RTT,
		.needs_of = param_needs_of,
	};
	u64 knob[RXE_CC_NR_KNOBS] = { [RXE_CC_KNOB_INT] = RXE_CC_INT_OFF };
	u64 param = 0;

	KUNIT_EXPECT_NULL(test, rxe_cc_port_refusal(&ops, &param, knob));
	KUNIT_EXPECT_EQ(test, rxe_cc_needs(&ops, &param), (u32)RXE_CC_ALGO_NEED_RTT);
	param = 1;
	KUNIT_EXPECT_NOT_NULL(test, rxe_cc_port_refusal(&ops, &param, knob));
	KUNIT_EXPECT_EQ(test, rxe_cc_needs(&ops, &param), ops.needs);
	knob[RXE_CC_KNOB_INT] = RXE_CC_INT_AUTO;
	KUNIT_EXPECT_NULL(test, rxe_cc_port_refusal(&ops, &param, knob));
}

static struct kunit_case param_cases[] = {
	KUNIT_CASE(param__algos),
	KUNIT_CASE(param__knobs),
	KUNIT_CASE(param__knob_check),
	KUNIT_CASE(param__refusal),
	KUNIT_CASE(param__needs_of),
	{ }
};

static struct kunit_suite param_suite = {
	.name = "rxe_cc_params",
	.test_cases = param_cases,
};

kunit_test_suite(param_suite);
