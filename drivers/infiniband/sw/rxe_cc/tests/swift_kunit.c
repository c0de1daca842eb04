// SPDX-License-Identifier: GPL-2.0
/*
 * Swift against an independent floating-point model (gen_swift.c), and case by case.
 */
#include <linux/array_size.h>
#include <rxe_cc/cc_math.h>

#include "cc_test.h"
#include "swift_events.h"

#define GBPS		1000000000ULL
#define BASE_NS		8000
#define PKT_BYTES	1000

/* A target is rounded by a nanosecond of at least 4000, of which a cut takes less than one
 * part, each cut and step by 2^-16 bytes; errors shrink with each step, which is smaller
 * for the larger window. No event is so close to its target that rounding decides.
 */
#define MAX_PPM		100

struct swift_value {
	const char *name;
	u64 value;
};

struct swift_point {
	u64 cwnd_q10, sum_q10;
	u32 cuts;
};

struct swift_table {
	const char *name;
	const struct swift_point *points;
	u64 line_bps;
	struct swift_value values[10];
	struct swift_source source;
};

#include "swift_vectors.h"

KUNIT_ARRAY_PARAM_DESC(swift_table, swift_tables, name);

struct swift_rig {
	struct cc_test_flow t;
	u64 now_ns;
};

static struct swift_rig *rig_new(struct kunit *test, u64 line_bps, u64 base_ns, u32 pkt_bytes,
				 const struct swift_value *v, unsigned int nr)
{
	struct swift_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, rig);
	cc_test_flow_new(test, &rig->t, "swift");
	for (; nr; nr--, v++)
		cc_test_flow_param(test, &rig->t, v->name, v->value);
	rig->t.flow.line_rate_bps = line_bps;
	rig->t.flow.base_rtt_ns = base_ns;
	rig->t.flow.pkt_bytes = pkt_bytes;
	cc_test_flow_start(&rig->t, 0);
	return rig;
}

/* 100 Gbit/s, 8 us, packets of 1000 bytes: 100 of them. */
static struct swift_rig *rig_plain(struct kunit *test)
{
	return rig_new(test, 100 * GBPS, BASE_NS, PKT_BYTES, NULL, 0);
}

/* Returns the window in bytes. */
static u64 rig_ack(struct swift_rig *rig, u64 rtt_ns, u64 bytes)
{
	struct rxe_cc_sample s = { .now_ns = rig->now_ns, .rtt_ns = rtt_ns, .bytes = bytes };

	rig->t.ops->on_ack(&rig->t.flow, &s);
	return rig->t.flow.cwnd_bytes;
}

static u64 rig_loss(struct swift_rig *rig, enum rxe_cc_loss loss)
{
	struct rxe_cc_sample s = { .now_ns = rig->now_ns, .loss = loss };

	rig->t.ops->on_loss(&rig->t.flow, &s);
	return rig->t.flow.cwnd_bytes;
}

static void rig_event(struct swift_rig *rig, const struct swift_event *e)
{
	static const u8 loss[] = {
		[SWIFT_NAK] = RXE_CC_LOSS_NAK, [SWIFT_TIMEOUT] = RXE_CC_LOSS_TIMEOUT,
		[SWIFT_RNR] = RXE_CC_LOSS_RNR,
	};
	struct rxe_cc_sample s = {
		.now_ns = e->now_ns, .rtt_ns = e->rtt_ns, .bytes = e->bytes,
		.path_hops = e->hops,
	};

	if (e->kind == SWIFT_ACK) {
		rig->t.ops->on_ack(&rig->t.flow, &s);
	} else {
		s.loss = loss[e->kind];
		rig->t.ops->on_loss(&rig->t.flow, &s);
	}
}

/* Windows are whole bytes here: half a byte of those that are a few is a lot. */
static bool near(u64 got_q10, u64 want_q10, u64 bytes)
{
	u64 diff = got_q10 > want_q10 ? got_q10 - want_q10 : want_q10 - got_q10;

	return diff <= bytes * 1024 + rxe_cc_muldiv(want_q10, MAX_PPM, 1000000);
}

static void swift__model(struct kunit *test)
{
	const struct swift_table *t = test->param_value;
	struct swift_source src = t->source;
	struct swift_rig *rig = rig_new(test, t->line_bps, src.base_ns, src.pkt_bytes, t->values,
					ARRAY_SIZE(t->values));
	unsigned int i, j;

	for (i = 0; i < SWIFT_POINTS; i++) {
		const struct swift_point *p = &t->points[i];
		u64 sum_q10 = 0;

		for (j = 0; j < SWIFT_PER_POINT; j++) {
			struct swift_event e = swift_next_event(&src);

			rig_event(rig, &e);
			sum_q10 += rig->t.flow.cwnd_bytes << 10;
		}
		KUNIT_ASSERT_EQ_MSG(test, cc_test_flow_var(&rig->t, "cuts"), p->cuts, "row %u", i);
		KUNIT_ASSERT_TRUE_MSG(test, near(rig->t.flow.cwnd_bytes << 10, p->cwnd_q10, 1),
				      "row %u: %llu for %llu", i, rig->t.flow.cwnd_bytes << 10,
				      p->cwnd_q10);
		KUNIT_ASSERT_TRUE_MSG(test, near(sum_q10, p->sum_q10, SWIFT_PER_POINT),
				      "row %u: %llu for %llu", i, sum_q10, p->sum_q10);
	}
}

/* A window's worth of ACKs below the target adds a packet; below one packet, each adds one. */
static void swift__raise(struct kunit *test)
{
	struct swift_rig *rig = rig_plain(test);

	KUNIT_EXPECT_EQ(test, rig->t.flow.cwnd_bytes, 100000ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, BASE_NS, 100000), 101000ULL);
	/* What was acknowledged without a measurement counts at the next. */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 0, 50500), 101000ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, BASE_NS, 50500), 102000ULL);
	cc_test_flow_param(test, &rig->t, "retx_reset", 1);
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_TIMEOUT), 1ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, BASE_NS, 1000), 1001ULL);
}

/* 10 us is 1.25 base RTTs: at it the window stays, 20 us takes 0.75 x 10 / 20 of it. */
static void swift__cut(struct kunit *test)
{
	struct swift_rig *rig = rig_plain(test);

	cc_test_flow_param(test, &rig->t, "beta", RXE_CC_Q24(3, 4));
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 10000, 1000), 100000ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "target_ns"), 10000ULL);
	/* Once a round trip. */
	rig->now_ns = 19999;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 20000, 1000), 100000ULL);
	rig->now_ns = 20000;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 20000, 1000), 62500ULL);
	/* No more than half at once, however late. */
	rig->now_ns = 40000000;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 20000000, 1000), 31250ULL);
}

/* The smaller the window, the longer the queue that it aims at. */
static void swift__scaling(struct kunit *test)
{
	struct swift_rig *rig = rig_plain(test);
	u64 before_ns = 0, target_ns;

	cc_test_flow_param(test, &rig->t, "max_mdf", RXE_CC_Q24_ONE / 2);
	for (rig->now_ns = 1; rig->t.flow.cwnd_bytes > 100; rig->now_ns += NSEC_PER_SEC) {
		rig_ack(rig, NSEC_PER_MSEC, 1);
		target_ns = cc_test_flow_var(&rig->t, "target_ns");
		KUNIT_EXPECT_GT(test, target_ns, before_ns);
		before_ns = target_ns;
	}
	/* 100 bytes are fs_min: 1 + 0.25 + 5 base RTTs. */
	rig_ack(rig, NSEC_PER_MSEC, 1);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "target_ns"), 50000ULL);
}

/* New ends of the flow scaling hold at once. With a window of 100 packets:
 * (1 / sqrt(100) - 1 / sqrt(400)) / (1 / sqrt(4) - 1 / sqrt(400)) = 1 / 9 of five base RTTs
 * above 1.25; before, 100 packets were fs_max. A part of 2^-24 rounds by less than a ns.
 */
static void swift__new_scaling(struct kunit *test)
{
	struct swift_rig *rig = rig_plain(test);
	u64 target_ns;

	rig_ack(rig, BASE_NS, 0);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "target_ns"), 10000ULL);
	cc_test_flow_param(test, &rig->t, "fs_min", RXE_CC_Q24(4, 1));
	cc_test_flow_param(test, &rig->t, "fs_max", RXE_CC_Q24(400, 1));
	rig->t.ops->params_changed(&rig->t.flow, 0);
	KUNIT_EXPECT_EQ(test, rig->t.flow.cwnd_bytes, 100000ULL);
	rig_ack(rig, BASE_NS, 0);
	target_ns = cc_test_flow_var(&rig->t, "target_ns");
	KUNIT_EXPECT_GE(test, target_ns, 14443ULL);
	KUNIT_EXPECT_LE(test, target_ns, 14445ULL);
}

/* NAK: half. Timeouts: half, and from the fifth in a row on the smallest window. RNR: nothing. */
static void swift__loss(struct kunit *test)
{
	struct swift_rig *rig = rig_plain(test);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_RNR), 100000ULL);
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_NAK), 50000ULL);
	for (i = 0; i < 4; i++) {
		rig->now_ns += NSEC_PER_MSEC;
		KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_TIMEOUT), 25000ULL >> i);
	}
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_TIMEOUT), 1ULL);
	/* An ACK ends the row. */
	rig_ack(rig, 0, 1);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "timeouts"), 0ULL);
}

/* The pace is 5/4 of window / RTT, and at most the line. */
static void swift__pace(struct kunit *test)
{
	struct swift_rig *rig = rig_plain(test);

	cc_test_flow_param(test, &rig->t, "beta", RXE_CC_Q24(3, 4));
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, 100 * GBPS);
	rig->now_ns = 1;
	/* 62 500 x 8 / 20 us x 5 / 4 */
	rig_ack(rig, 20000, 1000);
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, 31250000000ULL);
	rig_ack(rig, BASE_NS / 2, 1000);
	KUNIT_EXPECT_EQ(test, rig->t.flow.rate_bps, 100 * GBPS);
}

/* The two ends of the flow scaling must be apart: it divides by what lies between. */
static void swift__check(struct kunit *test)
{
	struct swift_rig *rig = rig_plain(test);
	unsigned int bad = UINT_MAX;
	u64 fs_min = 0;
	unsigned int i;

	for (i = 0; i < rig->t.ops->nr_params; i++)
		if (!strcmp(rig->t.ops->params[i].name, "fs_min"))
			fs_min = rig->t.params[i];
	cc_test_flow_param(test, &rig->t, "fs_max", fs_min + 1);
	KUNIT_EXPECT_NULL(test, rig->t.ops->check_params(rig->t.params, &bad));
	cc_test_flow_param(test, &rig->t, "fs_max", fs_min);
	KUNIT_ASSERT_NOT_NULL(test, rig->t.ops->check_params(rig->t.params, &bad));
	KUNIT_EXPECT_STREQ(test, rig->t.ops->params[bad].name, "fs_min");
}

static struct kunit_case swift_cases[] = {
	KUNIT_CASE_PARAM(swift__model, swift_table_gen_params),
	KUNIT_CASE(swift__raise),
	KUNIT_CASE(swift__cut),
	KUNIT_CASE(swift__scaling),
	KUNIT_CASE(swift__new_scaling),
	KUNIT_CASE(swift__loss),
	KUNIT_CASE(swift__pace),
	KUNIT_CASE(swift__check),
	{}
};

static struct kunit_suite swift_suite = {
	.name = "rxe_cc_swift",
	.test_cases = swift_cases,
};

kunit_test_suite(swift_suite);
