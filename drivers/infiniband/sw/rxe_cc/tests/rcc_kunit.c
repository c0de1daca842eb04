// SPDX-License-Identifier: GPL-2.0
/*
 * RCC against an independent floating-point model (gen_rcc.c), and case by case.
 */
#include <linux/array_size.h>
#include <rxe_cc/cc_math.h>

#include "cc_test.h"
#include "rcc_events.h"

#define GBPS	1000000000ULL
#define MBPS	1000000ULL

/* Accepted relative error of a rate: a hundredth of the 0.1 % that is asked for. */
#define MAX_RATE_PPM	10

struct rcc_value {
	const char *name;
	u64 value;
};

struct rcc_point {
	u64 rate_bps, sum_bps, sum_bytes;
	u32 entries;
};

struct rcc_table {
	const char *name, *preset;
	const struct rcc_value *values;
	const struct rcc_point *points;
	struct rcc_source source;
};

#include "rcc_vectors.h"

KUNIT_ARRAY_PARAM_DESC(rcc_table, rcc_tables, name);

/**
 * struct rcc_rig - a flow, as receiver or sender
 * @flow: flow
 * @ops: algorithm
 * @params: its parameters
 * @now_ns: time
 * @seq: next packet
 */
struct rcc_rig {
	struct rxe_cc_flow flow;
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	u64 now_ns;
	u64 seq;
};

static struct rcc_rig *rig_new(struct kunit *test, const char *preset, u64 line_bps,
			       u64 t_ns)
{
	struct rcc_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	const struct rxe_cc_ops *ops = cc_test_algo(test, "rcc");
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
	rig->flow.cwnd_bytes = RXE_CC_NO_WINDOW;
	rig->flow.min_rate_bps = RXE_CC_RATE_MIN_BPS;
	rig->flow.base_rtt_ns = t_ns;
	rig->flow.pkt_bytes = 1106;
	rig->flow.timer_ns = RXE_CC_NO_TIMER;
	rig->now_ns = 1000000;
	rig->seq = 100;
	ops->init(&rig->flow, rig->now_ns);
	return rig;
}

static void rig_param(struct kunit *test, struct rcc_rig *rig, const char *name, u64 value)
{
	cc_test_param(test, rig->ops, rig->params, name, value);
}

static u64 rig_var(struct rcc_rig *rig, const char *name)
{
	struct rxe_cc_var vars[RXE_CC_MAX_VARS];
	unsigned int i, n = rig->ops->dump(&rig->flow, vars);

	for (i = 0; i < n; i++)
		if (!strcmp(vars[i].name, name))
			return vars[i].value;
	return U64_MAX;
}

/* What the port knows: N, and what the last hop has carried in thousandths of C. */
static void rig_port(struct rcc_rig *rig, u32 n, u32 load)
{
	struct rxe_cc_flow *f = &rig->flow;

	f->rx = (struct rxe_cc_rx_view) {
		.round_ns = f->base_rtt_ns, .base_rtt_ns = f->base_rtt_ns,
		.round_bytes = rxe_cc_bytes_in(f->line_rate_bps, f->base_rtt_ns) * load / 1000,
		.msgs = n, .msgs_all = n, .senders = n, .peer_msgs = 1, .peer_counted = 1,
	};
}

static u32 rig_data(struct rcc_rig *rig, bool has_owd, u64 over_ns, bool start, bool end)
{
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .arrived_ns = rig->now_ns, .bytes = 1106,
		.seq = rig->seq++, .kind = RXE_CC_DATA_WRITE, .start = start, .end = end,
		.has_owd = has_owd, .owd_over_ns = has_owd ? over_ns : 0,
	};

	return rig->ops->on_data(&rig->flow, &s);
}

/* A packet in the middle, 100 ns after the last, of one of n messages. Returns the rate. */
static u64 rig_next(struct rcc_rig *rig, u32 n, u32 load, u64 over_ns)
{
	rig->now_ns += 100;
	rig_port(rig, n, load);
	rig_data(rig, true, over_ns, false, false);
	return rig->flow.report.fb[1];
}

/* What the model's event is to the sender with side 1. */
static void rig_ack(struct rcc_rig *rig, const struct rcc_event *e)
{
	u64 line_bps = rig->flow.line_rate_bps;
	u64 give_bps = rxe_cc_mul_q(line_bps, RXE_CC_Q24(95, 100), RXE_CC_Q24_SHIFT);
	struct rxe_cc_sample sent = {
		.now_ns = rig->now_ns, .bytes = 1106, .seq = rig->seq, .inflight_bytes = 1106,
		.start = true,
	};
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .bytes = 1106, .seq = rig->seq++,
		.inflight_bytes = e->end ? 0 : 10000,
		.fb = { 1, give_bps / e->n, e->n,
			  RXE_CC_Q24_ONE * e->load / 1000 },
		.nr_fb = 4, .rtt_ns = e->has_owd ? 9000 + e->over_ns : 0,
	};

	rig->flow.min_rtt_ns = 9000;
	if (e->start)
		rig->ops->on_sent(&rig->flow, &sent);
	rig->ops->on_ack(&rig->flow, &s);
}

static u64 diff_ppm(u64 got, u64 want)
{
	return rxe_cc_muldiv_up(got > want ? got - want : want - got, MBPS, want);
}

static void rcc__model(struct kunit *test)
{
	const struct rcc_table *t = test->param_value;
	struct rcc_source src = t->source;
	struct rcc_rig *rig = rig_new(test, t->preset, src.line_bps, src.t_ns);
	const struct rcc_value *v;
	bool side = false;
	unsigned int i, j;
	u64 worst = 0;

	for (v = t->values; v && v->name; v++) {
		rig_param(test, rig, v->name, v->value);
		side |= !strcmp(v->name, "side") && v->value;
	}
	for (i = 0; i < RCC_POINTS; i++) {
		const struct rcc_point *p = &t->points[i];
		u64 rate_bps = 0, sum_bps = 0, sum_bytes = 0, ppm;

		for (j = 0; j < RCC_PER_POINT; j++) {
			struct rcc_event e = rcc_next_event(&src);

			rig->now_ns = e.now_ns;
			if (side) {
				rig_ack(rig, &e);
				rate_bps = rig->flow.rate_bps;
				sum_bytes += rig->flow.cwnd_bytes;
			} else {
				rig_port(rig, e.n, e.load);
				rig_data(rig, e.has_owd, e.over_ns, e.start, e.end);
				rate_bps = rig->flow.report.fb[1];
				sum_bytes += rig->flow.report.fb[0];
			}
			sum_bps += rate_bps;
		}
		KUNIT_ASSERT_EQ_MSG(test, rig_var(rig, "pid_entries"), p->entries,
				    "row %u", i);
		ppm = max(diff_ppm(rate_bps, p->rate_bps), diff_ppm(sum_bps, p->sum_bps));
		KUNIT_ASSERT_LE_MSG(test, ppm, MAX_RATE_PPM, "row %u", i);
		/* Windows are sent in whole bytes: off by one each. */
		KUNIT_ASSERT_LE_MSG(test, max(sum_bytes, p->sum_bytes) -
				    min(sum_bytes, p->sum_bytes),
				    RCC_PER_POINT + p->sum_bytes / 100000, "row %u", i);
		worst = max(worst, rxe_cc_muldiv_up(max(sum_bps, p->sum_bps) -
						    min(sum_bps, p->sum_bps),
						    1000 * GBPS, p->sum_bps));
	}
	kunit_info(test, "%u events, worst error of a sum of rates %llu in 10^12",
		   RCC_POINTS * RCC_PER_POINT, worst);
}

/* N messages share eta C, whatever they measure while the last hop is busy. */
static void rcc__shares(struct kunit *test)
{
	static const u32 n[] = { 1, 2, 3, 1000, 16384, 100000 };
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(n); i++) {
		u64 want = 95 * GBPS / min(n[i], 16384U);

		for (j = 0; j < 300; j++)
			rig_next(rig, n[i], 990, 100000);
		KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[1], want), 1ULL);
		/* W = rate x T, to the next byte. */
		KUNIT_EXPECT_EQ(test, rig->flow.report.fb[0],
				rxe_cc_muldiv_up(rig->flow.report.fb[1], 12000,
						 RXE_CC_BIT_NS_PER_BYTE));
		KUNIT_EXPECT_EQ(test, rig->flow.report.nr, 2);
		KUNIT_EXPECT_TRUE(test, rig->flow.report.always);
	}
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_entries"), 0ULL);
	/* Nothing in flight, as after an expiry: as one. */
	rig_next(rig, 0, 990, 0);
	KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[1], 95 * GBPS), 1ULL);
}

/* n delays in a row above delta T, for T, on a last hop that is not busy. */
static void rcc__detect(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	unsigned int i;

	/* Delta T is 2400 ns, but for what 0.2 lacks in Q24. Below it: never. */
	for (i = 0; i < 500; i++)
		rig_next(rig, 1, 500, 2399);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 0ULL);
	/* Above it, but for one in 100, and so never for a round trip. */
	for (i = 0; i < 500; i++)
		rig_next(rig, 1, 500, i % 100 ? 2400 : 2399);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 0ULL);
	/* Above it for a round trip: the packet of 12 us later begins PID. */
	rig_next(rig, 1, 500, 0);
	for (i = 0; i < 120; i++)
		rig_next(rig, 1, 500, 2400);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 0ULL);
	rig_next(rig, 1, 500, 2400);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);
	/* It stays, although nothing is congested and the last hop is busy. */
	for (i = 0; i < 1000; i++)
		rig_next(rig, 1, 1000, 0);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);

	/* As the paper has it: three packets are enough. */
	rig = rig_new(test, "paper", 100 * GBPS, 12000);
	rig_next(rig, 1, 500, 2400);
	rig_next(rig, 1, 500, 2400);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 0ULL);
	rig_next(rig, 1, 500, 2400);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);
}

/* Busy from eta on, and until eta - eta_hyst. */
static void rcc__busy(struct kunit *test)
{
	static const struct {
		u32 load;
		u64 busy;
	} t[] = {
		{ 949, 0 }, { 951, 1 }, { 901, 1 }, { 899, 0 }, { 949, 0 }, { 1000, 1 },
	};
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		rig_next(rig, 1, t[i].load, 0);
		KUNIT_EXPECT_EQ_MSG(test, rig_var(rig, "busy"), t[i].busy, "row %u", i);
	}
}

/* Kp, Kd as in section V and numbers that can be checked by hand. */
static void rcc__pid(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, "paper", 100 * GBPS, 12000);
	u64 rate = 0;
	unsigned int i;

	for (i = 0; i < 3; i++)
		rate = rig_next(rig, 1, 500, 4800);
	/* Begun: U = 0, W as it was. */
	KUNIT_EXPECT_LE(test, diff_ppm(rate, 95 * GBPS), 1ULL);
	/* E = 3.6 us. The next update is a round trip later, 16.8 us: not before. */
	rig->now_ns += 16600;
	rate = rig_next(rig, 1, 500, 4800);
	KUNIT_EXPECT_LE(test, diff_ppm(rate, 95 * GBPS), 1ULL);
	/* U = 1e4 x 3.6e-6 = 0.036; 1 - tanh U = 0.9640155; rate = W / (T + 4.8 us). */
	rate = rig_next(rig, 1, 500, 4800);
	KUNIT_EXPECT_LE(test, diff_ppm(rate, 95 * GBPS / 10 * 9640155 / 1000000 * 12 / 16800 *
				       1000), 2ULL);
	/* E = 1.2 us: U = 0.036 + 0.012 - 0.24 = -0.192; 1 - tanh U = 1.1896757. */
	rig->now_ns += 16700;
	rate = rig_next(rig, 1, 500, 2400);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_cut_q24"), 0ULL);
	/* 95 x 0.9640155 x 1.1896757 is above the share: that, and U is 0. */
	KUNIT_EXPECT_LE(test, diff_ppm(rate, 95 * GBPS), 1ULL);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_raise_q24"), 0ULL);
	/* E = 2.4 us: U = 0.024 + 0.12 = 0.144; 1 - tanh U = 0.8569872. */
	rig->now_ns += 14400;
	rate = rig_next(rig, 1, 500, 3600);
	KUNIT_EXPECT_LE(test, diff_ppm(rate, 95 * GBPS / 100 * 85698720 / 1000000 * 12 / 15600 *
				       1000), 5ULL);
}

/* PID rules a flow with delays of 4.8 us. The rate after ten round trips of them. */
static u64 rig_delayed(struct kunit *test, const char *off, u32 load)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	unsigned int i;

	if (off)
		rig_param(test, rig, off, 0);
	for (i = 0; i < 130; i++)
		rig_next(rig, 1, 500, 4800);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);
	for (i = 0; i < 1680; i++)
		rig_next(rig, 1, load, 4800);
	return rig->flow.report.fb[1];
}

/* While the last hop is busy PID does not cut, unless it is on its own. The first update, which
 * is due a round trip after the beginning, finds the hop busy: W is as it was.
 */
static void rcc__hold(struct kunit *test)
{
	KUNIT_EXPECT_LE(test, diff_ppm(rig_delayed(test, NULL, 1000), 95 * GBPS), 1ULL);
	/* U is at least Kp E = 0.036 each time: 1 - tanh U is at most 0.965, ten times. */
	KUNIT_EXPECT_LE(test, rig_delayed(test, NULL, 800), 95 * GBPS * 7 / 10);
	KUNIT_EXPECT_LE(test, rig_delayed(test, "hold", 1000), 95 * GBPS * 7 / 10);
	KUNIT_EXPECT_LE(test, rig_delayed(test, "ewa", 1000), 95 * GBPS * 7 / 10);
}

/* Nor is a delay above delta T acted on before it has lasted for T, which the load covers. */
static void rcc__hold_new(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	unsigned int i;
	u64 w_bytes;

	for (i = 0; i < 130; i++)
		rig_next(rig, 1, 500, 4800);
	for (i = 0; i < 400; i++)
		rig_next(rig, 1, 500, 1200);
	w_bytes = rig->flow.report.fb[0];
	/* 12 us at most, 100 ns apart: one of them is due for an update. */
	for (i = 0; i < 120; i++)
		rig_next(rig, 1, 500, 4800);
	KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[0], w_bytes), 1000ULL);
	for (i = 0; i < 400; i++)
		rig_next(rig, 1, 500, 4800);
	KUNIT_EXPECT_LE(test, rig->flow.report.fb[0], w_bytes * 965 / 1000);
}

/* PID's bound is the window with which the fair share is reached at PID's target. */
static void rcc__reach(struct kunit *test)
{
	u64 fair_bytes = 95 * GBPS / 10 * 12 / 800000;
	unsigned int i, reach;

	for (reach = 0; reach < 2; reach++) {
		struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);

		rig_param(test, rig, "reach", reach);
		for (i = 0; i < 130; i++)
			rig_next(rig, 1, 500, 4800);
		for (i = 0; i < 12000; i++)
			rig_next(rig, 1, 500, 0);
		KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);
		KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[0],
					       fair_bytes * (10 + reach) / 10), 10ULL);
		KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[1], 95 * GBPS), 1ULL);
		/* The share has become smaller: at once. */
		rig_next(rig, 2, 500, 0);
		KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[0],
					       fair_bytes * (10 + reach) / 20), 20ULL);
		KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[1], 95 * GBPS / 2), 1ULL);
	}
}

/* What is told to those who watch follows each packet, PID or not. */
static void rcc__type(struct kunit *test)
{
	static const struct {
		u32 load, over_ns, packets;
		u8 type;
	} t[] = {
		{ 500, 0, 1, RXE_CC_CONGESTION_NONE },
		{ 1000, 0, 1, RXE_CC_CONGESTION_LAST_HOP },
		{ 1000, 4800, 130, RXE_CC_CONGESTION_LAST_HOP },
		{ 500, 0, 1, RXE_CC_CONGESTION_NONE },
		{ 500, 4800, 120, RXE_CC_CONGESTION_NONE },
		{ 500, 4800, 10, RXE_CC_CONGESTION_NETWORK },
		{ 1000, 4800, 1, RXE_CC_CONGESTION_LAST_HOP },
		{ 500, 4800, 1, RXE_CC_CONGESTION_NETWORK },
		{ 500, 1200, 1, RXE_CC_CONGESTION_NONE },
	};
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		for (j = 0; j < t[i].packets; j++)
			rig_next(rig, 1, t[i].load, t[i].over_ns);
		KUNIT_EXPECT_EQ_MSG(test, rig->flow.congestion, t[i].type, "row %u", i);
	}
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);
}

/* With rtt_unit the gains are those of a T of 12 us. */
static void rcc__scaled(struct kunit *test)
{
	struct rcc_rig *a = rig_new(test, NULL, 100 * GBPS, 12000);
	struct rcc_rig *b = rig_new(test, NULL, 100 * GBPS, 120000);
	unsigned int i;

	for (i = 0; i < 2000; i++) {
		u64 over = 3000 + 13 * i;

		/* Ten times the times. */
		b->now_ns += 900;
		KUNIT_ASSERT_LE_MSG(test, diff_ppm(rig_next(a, 1, 500, over),
						   rig_next(b, 1, 500, 10 * over)), 5ULL,
				    "packet %u", i);
	}
	KUNIT_EXPECT_EQ(test, rig_var(a, "pid"), 1ULL);
	KUNIT_EXPECT_LT(test, a->flow.report.fb[1], 60 * GBPS);
}

/* However long the delays, W at most halves in a round trip, and not below the share of
 * n_max. When they are over, U does not have to come back from far away.
 */
static void rcc__bounds(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	u64 before = 95 * GBPS, rate;
	unsigned int i;

	rig_param(test, rig, "n_max", 100);
	for (i = 0; i < 100; i++) {
		rig->now_ns += 1012000;
		rate = rig_next(rig, 1, 500, 1000000);
		/* tanh 0.55 = 0.5005; the first rate knows of the queue, too. */
		if (rig_var(rig, "pid_updates") > 1)
			KUNIT_ASSERT_GE(test, rate, before * 499 / 1000);
		before = rate;
	}
	KUNIT_EXPECT_LE(test, diff_ppm(rig_var(rig, "pid_window_bytes"), 1425), 1000ULL);
	/* Whatever the delay's fall leaves of U, it is within the bound. */
	rig->now_ns += 1012000;
	/* At a target of 1.2 us U is Kp E / leak = -0.048: 1 / 67 is made up in 3 ms. */
	for (i = 0; i < 30000; i++)
		rate = rig_next(rig, 1, 500, 0);
	KUNIT_EXPECT_LE(test, diff_ppm(rate, 95 * GBPS), 1ULL);
}

/* A flow under PID is one until its messages end: until nothing has come for T + D, and for
 * the time of a packet, which is 94 ns at 95 Gbit/s.
 */
static void rcc__end(struct kunit *test)
{
	static const struct {
		u64 gap_ns, over_ns, pid;
	} t[] = {
		{ 12000, 0, 1 }, { 12095, 0, 0 }, { 12095, 5000, 1 }, { 17000, 5000, 1 },
		{ 17095, 5000, 0 }, { 1012000, 1000000, 1 }, { 1012095, 1000000, 0 },
	};
	struct rcc_rig *rig;
	unsigned int i, k;

	for (k = 0; k < ARRAY_SIZE(t); k++) {
		rig = rig_new(test, NULL, 100 * GBPS, 12000);
		for (i = 0; i < 130; i++)
			rig_next(rig, 1, 500, 5000);
		KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);
		rig_data(rig, true, 5000, false, true);
		rig->now_ns += t[k].gap_ns;
		rig_data(rig, true, t[k].over_ns, true, false);
		KUNIT_EXPECT_EQ_MSG(test, rig_var(rig, "pid"), t[k].pid, "%llu ns, D %llu ns",
				    t[k].gap_ns, t[k].over_ns);
	}

	rig = rig_new(test, "paper", 100 * GBPS, 12000);
	for (i = 0; i < 3; i++)
		rig_next(rig, 1, 500, 5000);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);
	rig_data(rig, true, 5000, false, true);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 0ULL);
}

/* The parts alone. */
static void rcc__parts(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	unsigned int i;

	rig_param(test, rig, "pid", 0);
	for (i = 0; i < 1000; i++)
		rig_next(rig, 2, 500, 10000);
	KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[1], 95 * GBPS / 2), 1ULL);
	/* Both off: everybody gets line rate. */
	rig_param(test, rig, "ewa", 0);
	KUNIT_EXPECT_EQ(test, rig_next(rig, 2, 500, 10000), 100 * GBPS);

	rig = rig_new(test, NULL, 100 * GBPS, 12000);
	rig_param(test, rig, "ewa", 0);
	/* From the first packet, from line rate, and whoever else sends. */
	KUNIT_EXPECT_EQ(test, rig_next(rig, 50, 1000, 3000), 100 * GBPS);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);
	for (i = 0; i < 1000; i++)
		rig_next(rig, 50, 1000, 3000);
	KUNIT_EXPECT_LT(test, rig->flow.report.fb[1], 95 * GBPS);
}

static void rig_told(struct rcc_rig *rig, u64 w_bytes, u64 rate_bps)
{
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .fb = { w_bytes, rate_bps }, .nr_fb = 2,
		.bytes = 1106, .inflight_bytes = 50000,
	};

	rig->ops->on_ack(&rig->flow, &s);
}

/* A sender puts into force the feedback it gets, within its bounds. */
static void rcc__told(struct kunit *test)
{
	static const struct {
		u64 w, rate, want_w, want_rate;
	} t[] = {
		{ 142500, 95 * GBPS, 142500, 95 * GBPS },
		{ 143, 95 * MBPS, 143, 95 * MBPS },
		/* None: rate x T */
		{ 0, 10 * GBPS, 15000, 10 * GBPS },
		/* Forged or mistaken */
		{ 1, 1, 1, 1 },
		{ U64_MAX, U64_MAX, BIT_ULL(36), 100 * GBPS },
	};
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	struct rxe_cc_sample s = { .bytes = 1106 };
	unsigned int i;

	/* Before any feedback: line rate, and a window of that. */
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 150000ULL);
	s.now_ns = rig->now_ns;
	rig->ops->on_ack(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 100 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 150000ULL);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "told"), 0ULL);
	for (i = 0; i < ARRAY_SIZE(t); i++) {
		rig_told(rig, t[i].w, t[i].rate);
		KUNIT_EXPECT_EQ_MSG(test, rig->flow.cwnd_bytes, t[i].want_w, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rig->flow.rate_bps, t[i].want_rate, "row %u", i);
		KUNIT_EXPECT_EQ(test, rig_var(rig, "told"), 1ULL);
	}
	/* ACKs without feedback: for a second it holds. */
	rig_told(rig, 15000, 10 * GBPS);
	s.now_ns = rig->now_ns + NSEC_PER_SEC - 1;
	rig->ops->on_ack(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 10 * GBPS);
	s.now_ns++;
	rig->ops->on_ack(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 100 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 150000ULL);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "told"), 0ULL);
}

/* A message after a silence starts at line rate, one that follows another does not. */
static void rcc__restart(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	struct rxe_cc_sample s = { .bytes = 1106, .inflight_bytes = 1106, .start = true };

	rig_told(rig, 15000, 10 * GBPS);
	/* T, and a packet at that rate. */
	s.now_ns = rig->now_ns + 12000 + 885;
	rig->ops->on_sent(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 10 * GBPS);
	s.now_ns++;
	s.inflight_bytes = 2212;
	rig->ops->on_sent(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 10 * GBPS);
	s.inflight_bytes = 1106;
	rig->ops->on_sent(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 100 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 150000ULL);
}

/*
 * What a READ responder sent is acknowledged by nothing; in flight counts requests only. Under
 * way is what no report was on, and then a pause is none of the application's.
 */
static void rcc__restart_read(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	struct rxe_cc_sample s = { .bytes = 1106, .start = true, .seq = 1000 };
	struct rxe_cc_sample ack = {
		.fb = { 15000, 10 * GBPS }, .nr_fb = 2, .seq = 1000,
	};
	unsigned int i;

	ack.now_ns = rig->now_ns;
	rig->ops->on_ack(&rig->flow, &ack);
	/* 100 packets go, of which the first half are reported on. Then the port is paused. */
	for (i = 0; i < 100; i++) {
		s.now_ns = ++rig->now_ns;
		s.seq++;
		s.start = !i;
		s.end = i == 99;
		rig->ops->on_sent(&rig->flow, &s);
	}
	ack.now_ns = rig->now_ns;
	ack.seq = 1050;
	rig->ops->on_ack(&rig->flow, &ack);
	rig->now_ns += 200000;
	s.now_ns = rig->now_ns;
	s.seq++;
	s.start = true;
	rig->ops->on_sent(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 10 * GBPS);
	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, 15000ULL);
	/* The rest is reported on, but for 3 packets: of T / 4 at that rate nothing is known. */
	ack.now_ns = rig->now_ns;
	ack.seq = s.seq - 3;
	rig->ops->on_ack(&rig->flow, &ack);
	s.now_ns = rig->now_ns + 12000 + 886;
	s.seq++;
	rig->ops->on_sent(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 100 * GBPS);
}

/*
 * One of 100 messages, a share of 950 Mbit/s: W = 1425 bytes. Under PID, which halves it and
 * more, it is below a packet: targets and gains are for the time from packet to packet then.
 */
static void rcc__own_round(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	u64 w, rate, round_ns;
	unsigned int i;

	for (i = 0; i < 4000; i++)
		rig_next(rig, 100, 500, 4800);
	w = rig_var(rig, "pid_window_bytes");
	KUNIT_ASSERT_LT(test, w, 553ULL);
	/* A delay between T's target, 1.2 us, and this flow's: W is raised. */
	round_ns = 12000 * 1106 / w;
	for (i = 0; i < 2000; i++)
		rate = rig_next(rig, 100, 500, round_ns / 20);
	KUNIT_EXPECT_GT(test, rig_var(rig, "pid_window_bytes"), w);
	/* With W in T and D in W / packet of T, D at most delta T, as it was at the update. */
	w = rig_var(rig, "pid_window_bytes");
	KUNIT_EXPECT_LE(test, rate, w * 8 * GBPS / 12000 + 8 * GBPS / 12000);
	KUNIT_EXPECT_GE(test, rate, w * 8 * GBPS / 14400);

	/* As Algorithm 1 has it, it is cut until it cannot be. */
	rig = rig_new(test, NULL, 100 * GBPS, 12000);
	rig_param(test, rig, "own_round", 0);
	for (i = 0; i < 6000; i++)
		rig_next(rig, 100, 500, i < 4000 ? 4800 : round_ns / 20);
	KUNIT_EXPECT_LT(test, rig_var(rig, "pid_window_bytes"), 100ULL);
}

/* A queue of 1 ms that was there when PID began is cut for once, not in each T that it takes
 * to go: packets that come meanwhile were sent before.
 */
static void rcc__once(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	unsigned int i;

	for (i = 0; i < 10000; i++)
		rig_next(rig, 1, 500, 100 * i);
	/* From when it began, 12 us, to 1 ms, delays grow as time goes: all sent before. */
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_entries"), 1ULL);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_updates"), 0ULL);
	/* Of those sent after it has become known, one is for an update. */
	for (i = 0; i < 200; i++)
		rig_next(rig, 1, 500, 1000000 - 100 * i);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_updates"), 1ULL);
}

/* What U has added up while the queue was too long does not cut any more when it is gone. */
static void rcc__reset(struct kunit *test)
{
	unsigned int i, reset;
	u64 w[2];

	for (reset = 0; reset < 2; reset++) {
		struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);

		rig_param(test, rig, "reset", reset);
		for (i = 0; i < 3000; i++)
			rig_next(rig, 1, 500, 4800);
		/* E is 10 ns below 0 from here on: Kd E does not undo U, 0.48 / leak and less. */
		for (i = 0; i < 150; i++)
			rig_next(rig, 1, 500, 2000);
		KUNIT_EXPECT_GT(test, rig_var(rig, "pid_cut_q24"), 0ULL);
		w[0] = rig_var(rig, "pid_window_bytes");
		for (i = 0; i < 300; i++)
			rig_next(rig, 1, 500, 1190);
		w[1] = rig_var(rig, "pid_window_bytes");
		if (reset)
			KUNIT_EXPECT_GE(test, w[1], w[0]);
		else
			KUNIT_EXPECT_LT(test, w[1], w[0]);
	}
}

/* A packet of one of 20 messages every @gap_ns, on a last hop that carries @load thousandths. */
static u64 rig_every(struct rcc_rig *rig, u32 load, u64 gap_ns, u64 over_ns, u32 packets)
{
	while (packets--) {
		rig->now_ns += gap_ns - 100;
		rig_next(rig, 20, load, over_ns);
	}
	return rig_var(rig, "pid_entries");
}

/*
 * The last hop was busy, and then has 92.75 %: of 20 messages 19 have their share. W is 7125
 * bytes, the share 4.75 Gbit/s, a packet each 1863 ns. Beside D = 60 us the flow has W / (T + D),
 * a packet each 11177 ns: its window is full, its delays are not the last hop's, and PID begins. An
 * application that sends a quarter of that does not fill it, nor is one held up that has its
 * share. An own_round has no part in it: W is six packets.
 */
static void rcc__starved(struct kunit *test)
{
	static const struct {
		const char *what;
		u64 gap_ns, over_ns, entries;
		u32 load;
	} t[] = {
		{ "held up in the network", 11177, 60000, 1, 927 },
		{ "an application that sends little", 44708, 60000, 0, 927 },
		{ "has its share", 1863, 60000, 0, 927 },
		{ "has its share but for a tenth", 2050, 60000, 0, 927 },
		{ "a last hop that is busy", 11177, 60000, 0, 960 },
		{ "short of its share, no queue", 11177, 1000, 0, 927 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);

		rig_every(rig, 990, 1863, 0, 40);
		KUNIT_EXPECT_EQ(test, rig_var(rig, "busy"), 1ULL);
		KUNIT_EXPECT_EQ_MSG(test, rig_every(rig, t[i].load, t[i].gap_ns, t[i].over_ns, 60),
				    t[i].entries, "%s", t[i].what);
		/* And the other way round: nothing sticks. */
		rig_every(rig, 990, 1863, 0, 40);
		KUNIT_EXPECT_EQ_MSG(test, rig_var(rig, "busy"), 1ULL, "%s", t[i].what);
	}
}

/* The sender with side 1. A window below a packet is empty after each ACK: PID goes on. It ends
 * after a silence.
 */
static void rcc__side_small(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 10 * GBPS, 4660);
	struct rxe_cc_sample s = {
		.bytes = 1106, .fb = { 922, 9500 * MBPS / 6, 6, RXE_CC_Q24(1, 8) },
		.nr_fb = 4, .rtt_ns = 4660 + 40000,
	};
	struct rxe_cc_sample sent = { .bytes = 1106, .inflight_bytes = 1106 };
	unsigned int i;

	rig_param(test, rig, "side", 1);
	rig->flow.min_rtt_ns = 4660;
	for (i = 0; i < 50; i++) {
		sent.now_ns = rig->now_ns;
		sent.seq = rig->seq;
		sent.start = !(i % 4);
		sent.end = i % 4 == 3;
		rig->ops->on_sent(&rig->flow, &sent);
		rig->now_ns += 44660;
		s.now_ns = rig->now_ns;
		s.seq = rig->seq++;
		rig->ops->on_ack(&rig->flow, &s);
	}
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 1ULL);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_entries"), 1ULL);
	/* A quarter of the share is a fourth of W at most; U is above 0.1 each time. */
	KUNIT_EXPECT_LT(test, rig->flow.rate_bps, 9500 * MBPS / 6 / 4);
	sent.start = true;
	sent.now_ns = rig->now_ns + 10 * NSEC_PER_MSEC;
	rig->ops->on_sent(&rig->flow, &sent);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid"), 0ULL);
	KUNIT_EXPECT_EQ(test, rig->flow.rate_bps, 10 * GBPS);
}

/* READ responses have no ACKs: a report when something is new, else eight a round trip. */
static void rcc__reports(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 12000);
	struct rxe_cc_sample s = { .bytes = 1106, .kind = RXE_CC_DATA_READ_RESP };
	unsigned int i, reports = 0;

	for (i = 0; i < 1200; i++) {
		rig_port(rig, i < 600 ? 1 : 2, 500);
		s.now_ns = rig->now_ns += 100;
		reports += rig->ops->on_data(&rig->flow, &s) == RXE_CC_RX_REPORT;
	}
	/* 120 us; the two changes take the place of others, or not. */
	KUNIT_EXPECT_GE(test, reports, 80U);
	KUNIT_EXPECT_LE(test, reports, 82U);
	/* A request to READ says nothing: its data go the other way. */
	s.kind = RXE_CC_DATA_READ_REQ;
	rig_port(rig, 7, 500);
	KUNIT_EXPECT_EQ(test, rig->ops->on_data(&rig->flow, &s), 0U);
	KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[1], 95 * GBPS / 2), 1ULL);
}

/* A receiver that knows no round trip sends a share, no window, and never begins PID; one
 * with common clocks takes twice the way here.
 */
static void rcc__no_base(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 0);
	struct rxe_cc_sample s = {
		.bytes = 1106, .kind = RXE_CC_DATA_SEND, .has_owd = true, .owd_over_ns = 100000,
	};
	unsigned int i;

	KUNIT_EXPECT_EQ(test, rig->flow.cwnd_bytes, RXE_CC_NO_WINDOW);
	for (i = 0; i < 1000; i++)
		rig_next(rig, 4, 500, 100000);
	KUNIT_EXPECT_EQ(test, rig->flow.report.fb[0], 0ULL);
	KUNIT_EXPECT_LE(test, diff_ppm(rig->flow.report.fb[1], 95 * GBPS / 4), 1ULL);
	/* The port's is that of the nearest flow, not this one's. */
	rig_port(rig, 4, 500);
	rig->flow.rx.base_rtt_ns = 4000;
	rig_data(rig, true, 100000, false, false);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "rx_base_rtt_ns"), 0ULL);
	KUNIT_EXPECT_EQ(test, rig->flow.report.fb[0], 0ULL);
	rig->flow.clock_common = true;
	s.owd_ns = 105000;
	s.now_ns = rig->now_ns;
	rig->ops->on_data(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "rx_base_rtt_ns"), 10000ULL);
	KUNIT_EXPECT_NE(test, rig->flow.report.fb[0], 0ULL);
	/* It is that of the flow, and not of its first packet. */
	s.owd_ns = 106000;
	s.owd_over_ns = 99000;
	rig->ops->on_data(&rig->flow, &s);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "rx_base_rtt_ns"), 14000ULL);
}

/* Two clocks and no T at the receiver: it sends N and load, and the sender, which has T, judges
 * from the first of these answers on. With a T, or one clock, the receiver does. Both say so.
 */
static void rcc__side(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, NULL, 100 * GBPS, 0);
	struct rxe_cc_flow *f = &rig->flow;
	struct rxe_cc_sample s = {
		.bytes = 1106, .inflight_bytes = 10000, .nr_fb = 4, .rtt_ns = 15000,
		.fb = { 0, 95 * GBPS, 1, RXE_CC_Q24_ONE / 2 },
	};
	unsigned int i;

	rig_next(rig, 1, 500, 0);
	KUNIT_EXPECT_EQ(test, f->report.nr, 4);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "rx_side"), 1ULL);
	f->clock_common = true;
	rig_next(rig, 1, 500, 0);
	KUNIT_EXPECT_EQ(test, f->report.nr, 2);
	f->clock_common = false;
	f->base_rtt_ns = 12000;
	rig_next(rig, 1, 500, 0);
	KUNIT_EXPECT_EQ(test, f->report.nr, 2);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "rx_side"), 0ULL);

	KUNIT_EXPECT_EQ(test, rig_var(rig, "side"), 0ULL);
	KUNIT_EXPECT_TRUE(test, f->wants & RXE_CC_WANT_INT);
	f->min_rtt_ns = 12000;
	/* 3 us of queue are above delta T; for a T and the T to PID's first update, and the last
	 * hop is not busy.
	 */
	for (i = 0; i < 400; i++) {
		s.now_ns = rig->now_ns += 100;
		rig->ops->on_ack(f, &s);
	}
	KUNIT_EXPECT_EQ(test, rig_var(rig, "side"), 1ULL);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_entries"), 1ULL);
	KUNIT_EXPECT_FALSE(test, f->wants & RXE_CC_WANT_INT);
	KUNIT_EXPECT_TRUE(test, f->wants & RXE_CC_WANT_RTTS);
	KUNIT_EXPECT_LT(test, f->rate_bps, 95 * GBPS);
	/* The receiver knows it now. */
	s.nr_fb = 2;
	s.now_ns = rig->now_ns += 100;
	rig->ops->on_ack(f, &s);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "side"), 0ULL);
	KUNIT_EXPECT_TRUE(test, f->wants & RXE_CC_WANT_INT);
}

/* The parameter adds what it says, evenly. */
static void rcc__jitter(struct kunit *test)
{
	struct rcc_rig *rig = rig_new(test, "paper", 100 * GBPS, 12000);
	unsigned int i;

	rig_param(test, rig, "jitter", 2400);
	for (i = 0; i < 10000; i++)
		rig_next(rig, 1, 500, 0);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_entries"), 0ULL);
	/* Twice that: half of them are too long, three in a row soon. */
	rig_param(test, rig, "jitter", 4800);
	for (i = 0; i < 200; i++)
		rig_next(rig, 1, 500, 0);
	KUNIT_EXPECT_EQ(test, rig_var(rig, "pid_entries"), 1ULL);
}

static struct kunit_case rcc_cases[] = {
	KUNIT_CASE_PARAM(rcc__model, rcc_table_gen_params),
	KUNIT_CASE(rcc__shares),
	KUNIT_CASE(rcc__detect),
	KUNIT_CASE(rcc__busy),
	KUNIT_CASE(rcc__pid),
	KUNIT_CASE(rcc__type),
	KUNIT_CASE(rcc__hold),
	KUNIT_CASE(rcc__hold_new),
	KUNIT_CASE(rcc__reach),
	KUNIT_CASE(rcc__scaled),
	KUNIT_CASE(rcc__bounds),
	KUNIT_CASE(rcc__end),
	KUNIT_CASE(rcc__parts),
	KUNIT_CASE(rcc__told),
	KUNIT_CASE(rcc__restart),
	KUNIT_CASE(rcc__restart_read),
	KUNIT_CASE(rcc__own_round),
	KUNIT_CASE(rcc__once),
	KUNIT_CASE(rcc__reset),
	KUNIT_CASE(rcc__starved),
	KUNIT_CASE(rcc__side_small),
	KUNIT_CASE(rcc__reports),
	KUNIT_CASE(rcc__no_base),
	KUNIT_CASE(rcc__side),
	KUNIT_CASE(rcc__jitter),
	{}
};

static struct kunit_suite rcc_suite = {
	.name = "rxe_cc_rcc",
	.test_cases = rcc_cases,
};

kunit_test_suite(rcc_suite);
