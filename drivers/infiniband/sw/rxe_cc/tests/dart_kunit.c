// SPDX-License-Identifier: GPL-2.0
/*
 * Dart's direct apportioning of sending rates (DASR): against the table of an independent
 * floating-point model (gen_dart.c), and case by case.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <rxe_cc/cc_math.h>

#include "core/cc_flow_update.h"
#include "cc_test.h"
#include "dart_events.h"

#define GBPS	1000000000ULL
#define BASE_NS	22000
#define LINE	(10 * GBPS)

/* Accepted relative error of a rate: a hundredth of the 0.1 % that is asked for. */
#define MAX_RATE_PPM	10

struct dart_value {
	const char *name;
	u64 value;
};

struct dart_point {
	u64 rate_bps, rate_sum, told_sum;
	u32 cnps, held, changes, bad;
};

struct dart_table {
	const char *name, *preset;
	u64 line_bps, base_ns;
	struct dart_source source;
	const struct dart_value *values;
	const struct dart_point *points;
};

#include "dart_vectors.h"

KUNIT_ARRAY_PARAM_DESC(dart_table, dart_tables, name);

/**
 * struct dart_rig - queue pairs of one port to one host
 * @ops: algorithm
 * @params: values
 * @flow: queue pairs
 * @nr: how many
 * @set_ns: what the timer of each is armed for
 * @now_ns: time
 * @port: state of the port
 * @peer: state of the peer
 */
struct dart_rig {
	const struct rxe_cc_ops *ops;
	u64 params[RXE_CC_MAX_PARAMS];
	struct rxe_cc_flow flow[3];
	unsigned int nr;
	u64 set_ns[3];
	u64 now_ns;
	void *port;
	void *peer;
};

static struct dart_rig *rig_new(struct kunit *test, u64 line_bps, u64 base_ns)
{
	struct dart_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, rig);
	rig->ops = cc_test_algo(test, "dart");
	cc_test_defaults(rig->ops, rig->params);
	rig->port = kunit_kzalloc(test, rig->ops->port_priv_size, GFP_KERNEL);
	rig->peer = kunit_kzalloc(test, rig->ops->peer_priv_size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, rig->port);
	KUNIT_ASSERT_NOT_NULL(test, rig->peer);
	KUNIT_ASSERT_EQ(test, 0, rig->ops->port_init(rig->port));
	rig->ops->peer_init(rig->peer, rig->port);
	for (i = 0; i < ARRAY_SIZE(rig->flow); i++)
		cc_test_flow_own(test, &rig->flow[i], rig->ops);
	rig->now_ns = GBPS;
	rig->nr = 1;
	rig->flow[0].line_rate_bps = line_bps;
	rig->flow[0].base_rtt_ns = base_ns;
	return rig;
}

static void rig_start(struct dart_rig *rig, unsigned int nr)
{
	const struct rxe_cc_env env = {
		.line_rate_bps = rig->flow[0].line_rate_bps,
		.base_rtt_ns = rig->flow[0].base_rtt_ns,
		.min_rate_bps = 1, .pkt_bytes = DART_PKT_BYTES, .peer_obeys = true,
	};
	unsigned int i;

	rig->nr = nr;
	for (i = 0; i < nr; i++) {
		struct rxe_cc_flow *f = &rig->flow[i];

		rxe_cc_flow_reset(f, &env, rig->ops, rig->params, rig->port, rig->peer);
		f->rx.base_rtt_ns = env.base_rtt_ns;
		f->rx.senders = 1;
		rig->set_ns[i] = RXE_CC_NO_TIMER;
		cc_bh_off_do(rig->ops->init(f, rig->now_ns));
	}
}

/* As the core, after a call: others hear of it, once. */
static void rig_after(struct dart_rig *rig, struct rxe_cc_flow *f)
{
	bool kick = f->kick_peer || f->kick_port;
	unsigned int i;

	rxe_cc_flow_kicked(f);
	for (i = 0; i < rig->nr; i++) {
		struct rxe_cc_sample s = { .now_ns = rig->now_ns };

		if (kick)
			cc_bh_off(rig->ops->on_group(&rig->flow[i], &s));
		rxe_cc_flow_settle(&rig->flow[i], rig->now_ns, &rig->set_ns[i]);
	}
}

/* Let time pass; timers fire on time. */
static void rig_pass(struct dart_rig *rig, u64 ns)
{
	u64 end_ns = rig->now_ns + ns;
	unsigned int i;

	for (i = 0; i < rig->nr; i++) {
		struct rxe_cc_flow *f = &rig->flow[i];

		while (f->timer_ns <= end_ns) {
			struct rxe_cc_sample s = { .now_ns = f->timer_ns };

			rig->now_ns = s.now_ns;
			rxe_cc_flow_expire(f, s.now_ns, &rig->set_ns[i]);
			cc_bh_off_do(rig->ops->on_timer(f, &s));
			rig_after(rig, f);
		}
	}
	rig->now_ns = end_ns;
}

static u64 rig_var(struct kunit *test, struct dart_rig *rig, const char *name)
{
	struct rxe_cc_var var[RXE_CC_MAX_VARS];
	unsigned int i, n = rig->ops->dump(&rig->flow[0], var);

	for (i = 0; i < n; i++)
		if (!strcmp(var[i].name, name))
			return var[i].value;
	KUNIT_FAIL_AND_ABORT(test, "no variable %s", name);
	return 0;
}

static void rig_param(struct kunit *test, struct dart_rig *rig, const char *name, u64 value)
{
	cc_test_param(test, rig->ops, rig->params, name, value);
}

/* A packet comes, the first of a message or not. Returns what is to be done about it. */
static u32 rig_data_of(struct dart_rig *rig, unsigned int i, u32 bytes, bool ce, bool start)
{
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .arrived_ns = rig->now_ns, .bytes = bytes,
		.ce = ce, .start = start, .kind = RXE_CC_DATA_WRITE,
	};

	return cc_bh_off(rig->ops->on_data(&rig->flow[i], &s));
}

/* One of a message that goes on. */
static u32 rig_data(struct dart_rig *rig, u32 bytes, bool ce)
{
	return rig_data_of(rig, 0, bytes, ce, false);
}

/* An answer is built. Returns the n in it. */
static u64 rig_fill(struct dart_rig *rig)
{
	cc_bh_off_do(rig->ops->fill_ack(&rig->flow[0], rig->now_ns));
	return rig->flow[0].report.fb[0];
}

static void rig_sent(struct dart_rig *rig, unsigned int i, u64 inflight_bytes, bool end)
{
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .bytes = DART_PKT_BYTES, .end = end,
		.inflight_bytes = inflight_bytes,
	};

	cc_bh_off_do(rig->ops->on_sent(&rig->flow[i], &s));
	rig_after(rig, &rig->flow[i]);
}

static void rig_ack(struct dart_rig *rig, unsigned int i, u64 inflight_bytes)
{
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .inflight_bytes = inflight_bytes,
	};

	cc_bh_off_do(rig->ops->on_ack(&rig->flow[i], &s));
	rig_after(rig, &rig->flow[i]);
}

/* An ACK with n and the receiver's line. Returns the rate. */
static u64 rig_told(struct dart_rig *rig, unsigned int i, u64 n, u64 line_bps)
{
	struct rxe_cc_sample s = {
		.now_ns = rig->now_ns, .inflight_bytes = DART_PKT_BYTES,
		.fb = { n, line_bps }, .nr_fb = 2,
	};

	cc_bh_off_do(rig->ops->on_ack(&rig->flow[i], &s));
	rig_after(rig, &rig->flow[i]);
	return rig->flow[i].rate_bps;
}

static u64 rig_cnp(struct dart_rig *rig)
{
	struct rxe_cc_sample s = { .now_ns = rig->now_ns };

	cc_bh_off_do(rig->ops->on_cnp(&rig->flow[0], &s));
	rig_after(rig, &rig->flow[0]);
	return rig->flow[0].rate_bps;
}

static u64 diff_ppm(u64 got, u64 want)
{
	return rxe_cc_muldiv_up(got > want ? got - want : want - got, 1000000, want ? want : 1);
}

/* What a model's event is here; sums what its table has. */
static void model_event(struct dart_rig *rig, const struct dart_event *e,
			struct dart_point *got)
{
	struct rxe_cc_flow *f = &rig->flow[0];

	rig_pass(rig, e->dt_ns);
	f->rx.senders = e->senders;
	f->peer_obeys = e->obeys;
	switch (e->kind) {
	case DART_DATA:
		got->cnps += !!(rig_data_of(rig, 0, e->bytes, e->ce, e->start) &
				RXE_CC_RX_CNP);
		return;
	case DART_FILL:
		got->told_sum += rig_fill(rig);
		return;
	case DART_TOLD: {
		struct rxe_cc_sample s = {
			.now_ns = rig->now_ns, .fb = { e->n, e->line_bps },
			.nr_fb = 2, .inflight_bytes = e->inflight_bytes,
		};

		cc_bh_off_do(rig->ops->on_ack(f, &s));
		rig_after(rig, f);
		break;
	}
	case DART_ACK:
		rig_ack(rig, 0, e->inflight_bytes);
		break;
	case DART_SENT: {
		struct rxe_cc_sample s = {
			.now_ns = rig->now_ns, .bytes = e->bytes, .end = e->end,
			.inflight_bytes = e->inflight_bytes,
		};

		cc_bh_off_do(rig->ops->on_sent(f, &s));
		rig_after(rig, f);
		break;
	}
	case DART_CNP:
		rig_cnp(rig);
		break;
	}
	got->rate_bps = f->rate_bps;
	got->rate_sum += f->rate_bps;
}

static void dart__model(struct kunit *test)
{
	const struct dart_table *t = test->param_value;
	struct dart_rig *rig = rig_new(test, t->line_bps, t->base_ns);
	struct dart_source src = t->source;
	const struct dart_value *v;
	struct dart_point got = { .rate_bps = t->line_bps };
	unsigned int i, j;
	u64 ppm, worst = 0;

	for (i = 0; i < rig->ops->nr_presets; i++)
		if (!strcmp(rig->ops->presets[i].name, t->preset))
			memcpy(rig->params, rig->ops->presets[i].values,
			       rig->ops->nr_params * sizeof(u64));
	for (v = t->values; v->name; v++)
		rig_param(test, rig, v->name, v->value);
	rig_start(rig, 1);
	for (i = 0; i < DART_POINTS; i++) {
		const struct dart_point *p = &t->points[i];

		got.rate_sum = 0;
		got.told_sum = 0;
		for (j = 0; j < DART_PER_POINT; j++) {
			struct dart_event e = dart_next_event(&src);

			model_event(rig, &e, &got);
		}
		KUNIT_ASSERT_EQ_MSG(test, got.told_sum, p->told_sum, "row %u", i);
		KUNIT_ASSERT_EQ_MSG(test, got.cnps, p->cnps, "row %u", i);
		KUNIT_ASSERT_EQ_MSG(test, rig_var(test, rig, "cnps_held"), (u64)p->held,
				    "row %u", i);
		KUNIT_ASSERT_EQ_MSG(test, rig_var(test, rig, "congestion_changes"),
				    (u64)p->changes, "row %u", i);
		KUNIT_ASSERT_EQ_MSG(test, rig_var(test, rig, "bad_told"), (u64)p->bad,
				    "row %u", i);
		/* The core holds a rate at 1 bit/s at least, in this test. */
		ppm = max(p->rate_bps ? diff_ppm(got.rate_bps, p->rate_bps) : 0,
			  diff_ppm(got.rate_sum, p->rate_sum));
		/* Whole bit/s: of small rates that is more. */
		if (p->rate_bps < 1000000 || p->rate_sum < 100000000)
			continue;
		KUNIT_ASSERT_LE_MSG(test, ppm, MAX_RATE_PPM, "row %u: %llu, not %llu", i,
				    got.rate_bps, p->rate_bps);
		worst = max(worst, ppm);
	}
	kunit_info(test, "%u events, worst rate error %llu ppm",
		   DART_POINTS * DART_PER_POINT, worst);
}

/* Packets of a full size, one each @gap_ns. Returns the flags of all of them. */
static u32 rig_stream(struct dart_rig *rig, unsigned int nr, u64 gap_ns, bool ce)
{
	u32 flags = 0;

	while (nr--) {
		rig_pass(rig, gap_ns);
		flags |= rig_data(rig, DART_PKT_BYTES, ce);
	}
	return flags;
}

/* The three states, one after the other, with numbers that can be checked by hand: a
 * packet takes 884.8 ns, a base RTT is 22 us, 25 packets of a busy line.
 */
static void dart__states(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);

	rig_start(rig, 1);
	rig->flow[0].rx.senders = 3;
	/* Busy, no marks. */
	rig_stream(rig, 60, 885, false);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 0ULL);
	KUNIT_EXPECT_EQ(test, rig_fill(rig), 3ULL);
	/* Busy, marks: n, no CNP. */
	KUNIT_EXPECT_FALSE(test, rig_stream(rig, 60, 885, true) & RXE_CC_RX_CNP);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 1ULL);
	KUNIT_EXPECT_EQ(test, rig_fill(rig), 3ULL);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "cnps_held"), 60ULL);
	/* 0.9 of the line, marks: a CNP, and n = 1. */
	KUNIT_EXPECT_TRUE(test, rig_stream(rig, 60, 983, true) & RXE_CC_RX_CNP);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 2ULL);
	KUNIT_EXPECT_EQ(test, rig_fill(rig), 1ULL);
	/* A base RTT after the last mark it is over, also if nothing comes. */
	rig_pass(rig, BASE_NS - 1);
	KUNIT_EXPECT_EQ(test, rig_fill(rig), 1ULL);
	rig_pass(rig, 1);
	KUNIT_EXPECT_EQ(test, rig_fill(rig), 3ULL);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 0ULL);
}

/* Out of a silence between messages: nothing is concluded for an eighth of a base RTT,
 * then from what has come. The first packet is not in its own round, so 4 of a busy line
 * take 3.5 us.
 */
static void dart__silence(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);

	rig_start(rig, 1);
	rig->flow[0].rx.senders = 5;
	KUNIT_EXPECT_FALSE(test, rig_stream(rig, 3, 885, true) & RXE_CC_RX_CNP);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 0ULL);
	KUNIT_EXPECT_FALSE(test, rig_stream(rig, 3, 885, true) & RXE_CC_RX_CNP);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 1ULL);
	/* The same at half the line. */
	rig_pass(rig, 2 * BASE_NS);
	KUNIT_EXPECT_FALSE(test, rig_data_of(rig, 0, DART_PKT_BYTES, true, true) &
			   RXE_CC_RX_CNP);
	KUNIT_EXPECT_FALSE(test, rig_stream(rig, 1, 1770, true) & RXE_CC_RX_CNP);
	KUNIT_EXPECT_TRUE(test, rig_stream(rig, 3, 1770, true) & RXE_CC_RX_CNP);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 2ULL);
}

/* Less than a packet in a window, all marked: by the rate over the gaps it is not the
 * receiver's congestion, whether a message goes on in them or each packet is one of its
 * own. Then the packet before, alone too, shows that it was no silence between incasts.
 * And a CNP each time that DCQCN would send one: after more than np_min_time_between_cnps.
 */
static void dart__slow(struct kunit *test)
{
	const u64 apart_ns = 55000;
	unsigned int i, start;

	for (start = 0; start < 2; start++) {
		struct dart_rig *rig = rig_new(test, LINE, BASE_NS);

		rig_start(rig, 1);
		rig->flow[0].rx.senders = 5;
		/* Nothing is known of what was before the first. */
		rig_data_of(rig, 0, DART_PKT_BYTES, false, true);
		for (i = 0; i < 100; i++) {
			rig_pass(rig, apart_ns);
			KUNIT_EXPECT_TRUE_MSG(test, rig_data_of(rig, 0, DART_PKT_BYTES,
								true, start) & RXE_CC_RX_CNP,
					      "%u, %u", start, i);
			KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 2ULL);
			KUNIT_EXPECT_EQ(test, rig_fill(rig), 1ULL);
		}
		KUNIT_EXPECT_EQ(test, rig_var(test, rig, "cnps_held"), 0ULL);
	}
}

/* Packets of two messages come in pairs, the second an eighth of a window after the first
 * at most: it is as slow. The queue pair that always comes second gets its CNPs too.
 */
static void dart__slow_pairs(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);
	unsigned int i;

	rig_start(rig, 2);
	for (i = 0; i < 100; i++) {
		bool first = !i;
		u32 flags[2];

		rig_pass(rig, 3 * BASE_NS);
		flags[0] = rig_data_of(rig, 0, DART_PKT_BYTES, !first, first);
		rig_pass(rig, BASE_NS / 16);
		flags[1] = rig_data_of(rig, 1, DART_PKT_BYTES, !first, first);
		KUNIT_EXPECT_EQ_MSG(test, flags[0] & RXE_CC_RX_CNP,
				    first ? 0U : RXE_CC_RX_CNP, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, flags[1] & RXE_CC_RX_CNP,
				    first ? 0U : RXE_CC_RX_CNP, "%u", i);
	}
}

/* Incasts with silence between them: 128 packets of 16 messages at the line, from the 20th
 * on marked (22.5 KB), then nothing for three base RTTs. All their marks stay the
 * receiver's, as the first incast's do.
 */
static void dart__incasts(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);
	unsigned int i, j;

	rig_start(rig, 3);
	for (i = 0; i < 20; i++) {
		for (j = 0; j < 128; j++) {
			KUNIT_EXPECT_FALSE_MSG(test, rig_data_of(rig, j % 3, DART_PKT_BYTES,
								 j >= 20, j < 16) & RXE_CC_RX_CNP,
					       "incast %u, packet %u", i, j);
			KUNIT_EXPECT_NE(test, rig_var(test, rig, "congestion"), 2ULL);
			rig_pass(rig, 885);
		}
		rig_pass(rig, 3 * BASE_NS);
	}
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion_changes"), 39ULL);
}

/* A message that goes on slowly while incasts come and go. Its packets are marked elsewhere;
 * within a round trip after one the incast's own marks are the receiver's.
 */
static void dart__incast_beside_slow(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);
	unsigned int i, j;

	rig_start(rig, 2);
	rig_data_of(rig, 0, DART_PKT_BYTES, false, true);
	for (i = 0; i < 20; i++) {
		rig_pass(rig, 3 * BASE_NS);
		KUNIT_EXPECT_TRUE(test, rig_data_of(rig, 0, DART_PKT_BYTES, true, false) &
				  RXE_CC_RX_CNP);
		for (j = 0; j < 128; j++) {
			rig_pass(rig, 885);
			KUNIT_EXPECT_FALSE_MSG(test, rig_data_of(rig, 1, DART_PKT_BYTES,
								 j >= 20, j < 16) & RXE_CC_RX_CNP,
					       "incast %u, packet %u", i, j);
		}
		KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 1ULL);
	}
}

/* Who does not go by n gets CNPs as under DCQCN. */
static void dart__stranger(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);

	rig_start(rig, 1);
	rig->flow[0].peer_obeys = false;
	KUNIT_EXPECT_TRUE(test, rig_stream(rig, 60, 885, true) & RXE_CC_RX_CNP);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "congestion"), 1ULL);
	KUNIT_EXPECT_EQ(test, rig_var(test, rig, "cnps_held"), 0ULL);
}

/* What is news goes with the next packet, once. */
static void dart__news(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);
	struct rxe_cc_sample s = { .kind = RXE_CC_DATA_READ_RESP };

	rig_start(rig, 1);
	KUNIT_EXPECT_TRUE(test, rig_data(rig, 100, false) & RXE_CC_RX_REPORT);
	KUNIT_EXPECT_EQ(test, rig_fill(rig), 1ULL);
	KUNIT_EXPECT_EQ(test, rig->flow[0].report.fb[1], LINE);
	KUNIT_EXPECT_TRUE(test, rig->flow[0].report.always);
	KUNIT_EXPECT_EQ(test, rig_data(rig, 100, false), 0U);
	rig->flow[0].rx.senders = 2;
	KUNIT_EXPECT_TRUE(test, rig_data(rig, 100, false) & RXE_CC_RX_REPORT);
	KUNIT_EXPECT_EQ(test, rig_fill(rig), 2ULL);
	rig_pass(rig, 10 * BASE_NS);
	KUNIT_EXPECT_EQ(test, rig_data(rig, 100, false), 0U);
	/* A READ response has no ACK: again after a base RTT. */
	s.now_ns = rig->now_ns;
	s.arrived_ns = rig->now_ns;
	KUNIT_EXPECT_EQ(test, cc_bh_off(rig->ops->on_data(&rig->flow[0], &s)), RXE_CC_RX_REPORT);
	rig_fill(rig);
	KUNIT_EXPECT_EQ(test, cc_bh_off(rig->ops->on_data(&rig->flow[0], &s)), 0U);
}

static const struct {
	u64 n, line_bps, rate_bps;
	bool bad;
} dart_told_rows[] = {
	{ 1, LINE, LINE, false },
	{ 2, LINE, LINE / 2, false },
	{ 3, LINE, LINE / 3, false },
	/* A faster receiver, a slower one. */
	{ 2, 100 * GBPS, LINE, false },
	{ 25, 100 * GBPS, 4 * GBPS, false },
	{ 1, GBPS, GBPS, false },
	/* Out of range. */
	{ 0, LINE, LINE, true },
	{ U64_MAX, LINE, LINE / 4096, true },
	{ 4096, LINE, LINE / 4096, false },
	{ 4097, LINE, LINE / 4096, true },
	{ 2, 0, LINE / 2, true },
	{ 2, 1, 500, true },
	{ 4, U64_MAX, LINE, true },
	{ U64_MAX, U64_MAX, 800 * GBPS / 4096, true },
	{ 0, 0, LINE, true },
	/* Nothing of it remains. */
	{ 1, LINE, LINE, false },
};

static void dart__told(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);
	unsigned int i, bad = 0;

	rig_start(rig, 1);
	rig_sent(rig, 0, DART_PKT_BYTES, false);
	for (i = 0; i < ARRAY_SIZE(dart_told_rows); i++) {
		KUNIT_EXPECT_EQ_MSG(test, rig_told(rig, 0, dart_told_rows[i].n,
						   dart_told_rows[i].line_bps),
				    dart_told_rows[i].rate_bps, "row %u", i);
		bad += dart_told_rows[i].bad;
		KUNIT_EXPECT_EQ_MSG(test, rig_var(test, rig, "bad_told"), (u64)bad,
				    "row %u", i);
	}
}

/* Half of what is given is DCQCN's business: the smaller of the two rates holds, and n
 * changes nothing of DCQCN's state.
 */
static void dart__dcqcn(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);

	rig_start(rig, 1);
	rig_sent(rig, 0, DART_PKT_BYTES, false);
	/* The first CNP: alpha = 1. */
	KUNIT_EXPECT_EQ(test, rig_cnp(rig), LINE / 2);
	KUNIT_EXPECT_EQ(test, rig_told(rig, 0, 2, LINE), LINE / 2);
	KUNIT_EXPECT_EQ(test, rig_told(rig, 0, 4, LINE), LINE / 4);
	KUNIT_EXPECT_EQ(test, rig_told(rig, 0, 1, LINE), LINE / 2);
	/* Fast recovery. */
	rig_pass(rig, 55000);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE / 4 * 3);
	rig_pass(rig, 100 * NSEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE);
	KUNIT_EXPECT_EQ(test, rig->flow[0].timer_ns, RXE_CC_NO_TIMER);
}

/* Queue pairs that have data in flight share what their host may send. */
static void dart__on_group(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);

	rig_start(rig, 3);
	rig_sent(rig, 0, DART_PKT_BYTES, false);
	KUNIT_EXPECT_EQ(test, rig_told(rig, 0, 2, LINE), LINE / 2);
	/* A second one begins, and learns of n without feedback of its own. */
	rig_sent(rig, 1, DART_PKT_BYTES, false);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE / 4);
	KUNIT_EXPECT_EQ(test, rig->flow[1].rate_bps, LINE / 4);
	/* All follow the feedback that one of them gets. */
	KUNIT_EXPECT_EQ(test, rig_told(rig, 1, 5, LINE), LINE / 10);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE / 10);
	/* A share of the whole line is not divided: the port does that. */
	KUNIT_EXPECT_EQ(test, rig_told(rig, 1, 1, LINE), LINE);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE);
	KUNIT_EXPECT_EQ(test, rig_told(rig, 0, 2, LINE), LINE / 4);
	/* One ends: its last packet is sent, then acknowledged. */
	rig_sent(rig, 1, DART_PKT_BYTES, true);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE / 4);
	rig_ack(rig, 1, 0);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE / 2);
	/* One vanishes. */
	rig_sent(rig, 2, DART_PKT_BYTES, false);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE / 4);
	cc_bh_off_do(rig->ops->release(&rig->flow[2]));
	rig->nr = 2;
	rig_ack(rig, 0, DART_PKT_BYTES);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE / 2);
}

/* n is forgotten after a silence of a base RTT and a packet at the flow's pace, or when nobody
 * repeats it.
 */
static void dart__forgotten(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);
	/* Four times as slow as the line. */
	u64 pkt_ns = rxe_cc_ns_for(DART_PKT_BYTES, LINE / 4);

	rig_param(test, rig, "n_hold", 1000000);
	rig_start(rig, 1);
	rig_sent(rig, 0, DART_PKT_BYTES, false);
	rig_told(rig, 0, 4, LINE);
	rig_sent(rig, 0, DART_PKT_BYTES, true);
	rig_ack(rig, 0, 0);
	rig_pass(rig, BASE_NS + pkt_ns);
	rig_sent(rig, 0, DART_PKT_BYTES, true);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE / 4);
	rig_ack(rig, 0, 0);
	rig_pass(rig, BASE_NS + pkt_ns + 1);
	rig_sent(rig, 0, DART_PKT_BYTES, true);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE);
	rig_told(rig, 0, 4, LINE);
	rig_pass(rig, 1000000);
	rig_sent(rig, 0, DART_PKT_BYTES, true);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE / 4);
	rig_pass(rig, 1);
	rig_sent(rig, 0, DART_PKT_BYTES, true);
	KUNIT_EXPECT_EQ(test, rig->flow[0].rate_bps, LINE);
}

static int rig_expect(struct dart_rig *rig, unsigned int list, bool check,
		      struct rxe_cc_cmd_call *c)
{
	struct rxe_cc_port_call p = {
		.now_ns = rig->now_ns, .params = rig->params,
		.timer_ns = RXE_CC_NO_TIMER,
	};

	*c = (struct rxe_cc_cmd_call) { .list = list, .check = check };
	return rig->ops->cmds[0].to_peer(rig->peer, rig->port, &p, c);
}

static void dart__lookahead(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);
	struct rxe_cc_cmd_call c;
	struct rxe_cc_sample s = { .start = true };
	unsigned int i;

	rig_start(rig, 1);
	KUNIT_EXPECT_EQ(test, rig_expect(rig, 1, true, &c), 0);
	KUNIT_EXPECT_EQ(test, c.expect_ns, 0ULL);
	rig_param(test, rig, "la_quota", 3);
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, rig_expect(rig, 1, true, &c), 0);
		KUNIT_EXPECT_EQ(test, rig_expect(rig, 1, false, &c), 0);
		KUNIT_EXPECT_EQ(test, c.expect_ns, 1000000ULL);
	}
	KUNIT_EXPECT_EQ(test, rig_expect(rig, 1, true, &c), -EDQUOT);
	KUNIT_EXPECT_NOT_NULL(test, c.why);
	/* It comes. */
	s.now_ns = rig->now_ns;
	s.arrived_ns = rig->now_ns;
	cc_bh_off(rig->ops->on_data(&rig->flow[0], &s));
	KUNIT_EXPECT_EQ(test, rig_expect(rig, 1, false, &c), 0);
	rig_param(test, rig, "la_senders", 20);
	KUNIT_EXPECT_EQ(test, rig_expect(rig, 20, true, &c), 0);
	KUNIT_EXPECT_EQ(test, rig_expect(rig, 21, true, &c), -E2BIG);
	rig_param(test, rig, "lookahead", 0);
	KUNIT_EXPECT_EQ(test, rig_expect(rig, 1, true, &c), -EPERM);
	KUNIT_EXPECT_EQ(test, c.expect_ns, 0ULL);
}

/* A notice makes a difference: who has just sent gets feedback at once, others do not. */
static void dart__told_at_once(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);
	struct rxe_cc_sample s = {};

	rig_start(rig, 1);
	s.now_ns = rig->now_ns;
	rig->flow[0].rx.senders = 17;
	/* Nothing has come yet. */
	KUNIT_EXPECT_EQ(test, cc_bh_off(rig->ops->on_group(&rig->flow[0], &s)), 0U);
	rig->flow[0].rx.senders = 1;
	rig_data(rig, DART_PKT_BYTES, false);
	rig_fill(rig);
	KUNIT_EXPECT_EQ(test, cc_bh_off(rig->ops->on_group(&rig->flow[0], &s)), 0U);
	rig->flow[0].rx.senders = 17;
	KUNIT_EXPECT_EQ(test, cc_bh_off(rig->ops->on_group(&rig->flow[0], &s)), RXE_CC_RX_REPORT);
	KUNIT_EXPECT_EQ(test, rig_fill(rig), 17ULL);
	KUNIT_EXPECT_EQ(test, cc_bh_off(rig->ops->on_group(&rig->flow[0], &s)), 0U);
	/* And once more with the next packet, in case that the report was not believed. */
	KUNIT_EXPECT_EQ(test, rig_data(rig, DART_PKT_BYTES, false), RXE_CC_RX_REPORT);
	rig_fill(rig);
	KUNIT_EXPECT_EQ(test, rig_data(rig, DART_PKT_BYTES, false), 0U);
	rig->flow[0].rx.senders = 18;
	s.now_ns += BASE_NS + 1;
	KUNIT_EXPECT_EQ(test, cc_bh_off(rig->ops->on_group(&rig->flow[0], &s)), 0U);
}

static void dart__rules(struct kunit *test)
{
	struct dart_rig *rig = rig_new(test, LINE, BASE_NS);
	struct rxe_cc_rx_rules r = {};

	rig_param(test, rig, "linger", 7);
	rig->ops->rx_rules(rig->params, &r);
	KUNIT_EXPECT_TRUE(test, r.on);
	KUNIT_EXPECT_EQ(test, r.linger_ns, 7ULL);
	KUNIT_EXPECT_EQ(test, r.idle_ns, 2 * GBPS);
}

static struct kunit_case dart_cases[] = {
	KUNIT_CASE_PARAM(dart__model, dart_table_gen_params),
	KUNIT_CASE(dart__states),
	KUNIT_CASE(dart__silence),
	KUNIT_CASE(dart__slow),
	KUNIT_CASE(dart__slow_pairs),
	KUNIT_CASE(dart__incasts),
	KUNIT_CASE(dart__incast_beside_slow),
	KUNIT_CASE(dart__stranger),
	KUNIT_CASE(dart__news),
	KUNIT_CASE(dart__told),
	KUNIT_CASE(dart__dcqcn),
	KUNIT_CASE(dart__on_group),
	KUNIT_CASE(dart__forgotten),
	KUNIT_CASE(dart__lookahead),
	KUNIT_CASE(dart__told_at_once),
	KUNIT_CASE(dart__rules),
	{}
};

static struct kunit_suite dart_suite = {
	.name = "rxe_cc_dart",
	.test_cases = dart_cases,
};

kunit_test_suite(dart_suite);
