// SPDX-License-Identifier: GPL-2.0
/*
 * DCTCP against an independent floating-point model (gen_dctcp.c), and case by case.
 */
#include <linux/array_size.h>
#include <rxe_cc/cc_math.h>

#include "cc_test.h"
#include "dctcp_events.h"

#define GBPS		1000000000ULL
#define BASE_NS		8000
#define PKT_BYTES	1000

/* A step is rounded by 2^-16 bytes, of which a row's hundred make 0.002 bytes, a cut by less. What
 * a window is off by a cut shrinks too. A packet of 554 bytes, the least window but one, has 4 ppm.
 */
#define MAX_PPM		10

struct dctcp_point {
	u64 cwnd_q10, sum_q10;
	u32 alpha_q24, cuts;
};

struct dctcp_table {
	const char *name;
	const struct dctcp_point *points;
	u64 line_bps, base_ns, g_q24, min_cwnd_q24;
	struct dctcp_source source;
};

#include "dctcp_vectors.h"

KUNIT_ARRAY_PARAM_DESC(dctcp_table, dctcp_tables, name);

static struct cc_test_rig *rig_new(struct kunit *test, u64 line_bps, u64 base_ns, u32 pkt_bytes)
{
	return cc_test_rig_new(test, "dctcp", line_bps, base_ns, pkt_bytes, 2);
}

/* 100 Gbit/s, 8 us, packets of 1000 bytes: 100 of them. The first ACK has come. */
static struct cc_test_rig *rig_plain(struct kunit *test)
{
	struct cc_test_rig *rig = rig_new(test, 100 * GBPS, BASE_NS, PKT_BYTES);

	cc_test_flow_start(&rig->t, 0);
	rig->s.next_seq = 100;
	rig->t.ops->on_ack(&rig->t.flow, &rig->s);
	KUNIT_ASSERT_EQ(test, cc_test_cwnd(rig), 100000ULL);
	return rig;
}

/* An ACK of @pkts packets, @marked of which were; as many are sent, so W is full. */
static u64 rig_ack(struct cc_test_rig *rig, u32 pkts, u32 marked)
{
	rig->s.seq += pkts;
	rig->s.next_seq += pkts;
	rig->s.bytes = (u64)pkts * PKT_BYTES;
	rig->s.inflight_bytes = cc_test_cwnd(rig);
	rig->s.fb[0] += (u64)pkts * PKT_BYTES;
	rig->s.fb[1] += (u64)marked * PKT_BYTES;
	rig->t.ops->on_ack(&rig->t.flow, &rig->s);
	return cc_test_cwnd(rig);
}

static u64 rig_loss(struct cc_test_rig *rig, enum rxe_cc_loss loss)
{
	rig->s.loss = loss;
	rig->t.ops->on_loss(&rig->t.flow, &rig->s);
	return cc_test_cwnd(rig);
}

static u64 rig_alpha(const struct cc_test_rig *rig)
{
	return cc_test_flow_var(&rig->t, "alpha_q24");
}

static void rig_event(struct cc_test_rig *rig, const struct dctcp_event *e)
{
	static const u8 loss[] = {
		[DCTCP_NAK] = RXE_CC_LOSS_NAK, [DCTCP_TIMEOUT] = RXE_CC_LOSS_TIMEOUT,
		[DCTCP_RNR] = RXE_CC_LOSS_RNR,
	};

	rig->s = (struct rxe_cc_sample) {
		.bytes = e->acked, .inflight_bytes = e->inflight, .fb = { e->bytes, e->marked },
		.nr_fb = e->fb, .seq = e->seq, .next_seq = e->next_seq,
	};
	if (e->kind == DCTCP_ACK)
		rig->t.ops->on_ack(&rig->t.flow, &rig->s);
	else
		rig_loss(rig, loss[e->kind]);
}

/* Windows are whole bytes here: half a byte of those that are a few is a lot. */
static bool near(u64 got_q10, u64 want_q10, u64 bytes)
{
	u64 diff = got_q10 > want_q10 ? got_q10 - want_q10 : want_q10 - got_q10;

	return diff <= bytes * 1024 + rxe_cc_muldiv(want_q10, MAX_PPM, 1000000);
}

static void dctcp__model(struct kunit *test)
{
	const struct dctcp_table *t = test->param_value;
	struct dctcp_source src = t->source;
	struct cc_test_rig *rig = rig_new(test, t->line_bps, t->base_ns, src.pkt_bytes);
	unsigned int i, j;

	cc_test_flow_param(test, &rig->t, "g", t->g_q24);
	cc_test_flow_param(test, &rig->t, "min_cwnd", t->min_cwnd_q24);
	cc_test_flow_start(&rig->t, 0);
	for (i = 0; i < DCTCP_POINTS; i++) {
		const struct dctcp_point *p = &t->points[i];
		u64 sum_q10 = 0;

		for (j = 0; j < DCTCP_PER_POINT; j++) {
			struct dctcp_event e = dctcp_next_event(&src);

			rig_event(rig, &e);
			sum_q10 += cc_test_cwnd(rig) << 10;
		}
		KUNIT_ASSERT_EQ_MSG(test, cc_test_flow_var(&rig->t, "cuts"), p->cuts, "row %u", i);
		KUNIT_ASSERT_TRUE_MSG(test, near(cc_test_cwnd(rig) << 10, p->cwnd_q10, 1),
				      "row %u: %llu for %llu", i, cc_test_cwnd(rig) << 10,
				      p->cwnd_q10);
		KUNIT_ASSERT_TRUE_MSG(test, near(sum_q10, p->sum_q10, DCTCP_PER_POINT),
				      "row %u: %llu for %llu", i, sum_q10, p->sum_q10);
		KUNIT_ASSERT_LE_MSG(test, abs((s64)(rig_alpha(rig) - p->alpha_q24)), 1LL,
				    "row %u: alpha %llu for %u", i, rig_alpha(rig), p->alpha_q24);
	}
}

/* Until the first mark W gains what is acknowledged; after it a packet in a window of data. */
static void dctcp__raise(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);

	KUNIT_EXPECT_EQ(test, rig_ack(rig, 10, 0), 110000ULL);
	KUNIT_EXPECT_EQ(test, rig_alpha(rig), RXE_CC_Q24(15, 16));
	/* The next window of data ends: alpha is 15/16 x 15/16 + 1/16, 110000 (1 - 241/512). */
	rig->s.seq = 100;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 10, 10), 58222ULL);
	KUNIT_EXPECT_EQ(test, rig_alpha(rig), RXE_CC_Q24(241, 256));
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "ssthresh_bytes"), 58222ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 58, 0), 59218ULL);
	/* What does not hold the flow back does not grow: one byte less than a packet must be
	 * missing. W is 59218.4 bytes, the ACK's packet is one of those.
	 */
	rig->s.inflight_bytes = 59218 - 2 * PKT_BYTES;
	rig->s.bytes = 1000;
	rig->s.fb[0] += 1000;
	rig->t.ops->on_ack(&rig->t.flow, &rig->s);
	KUNIT_EXPECT_EQ(test, cc_test_cwnd(rig), 59218ULL);
	rig->s.inflight_bytes++;
	rig->s.fb[0] += 1000;
	rig->t.ops->on_ack(&rig->t.flow, &rig->s);
	KUNIT_EXPECT_EQ(test, cc_test_cwnd(rig), 59235ULL);
}

/* A window that is there already, as in a replay, is the first one. */
static void dctcp__given_window(struct kunit *test)
{
	struct cc_test_rig *rig = rig_new(test, 100 * GBPS, BASE_NS, PKT_BYTES);

	rig->t.flow.cwnd_bytes = 30000;
	rig->t.ops->init(&rig->t.flow, 0);
	KUNIT_EXPECT_EQ(test, cc_test_cwnd(rig), 30000ULL);
}

/* By alpha / 2, once in a window of data, and no more than to the smallest window. */
static void dctcp__cut(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);
	unsigned int i;

	cc_test_flow_param(test, &rig->t, "g", RXE_CC_Q24_ONE);
	/* The window of data ends with packet 100, a quarter of it was marked. */
	rig->s.seq = 99;
	rig->s.next_seq = 200;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 4, 1), 87500ULL);
	KUNIT_EXPECT_EQ(test, rig_alpha(rig), RXE_CC_Q24(1, 4));
	/* All of the next ones are, but were sent before that. */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 50, 50), 87500ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 50, 50), 87500ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 1), 43750ULL);
	KUNIT_EXPECT_EQ(test, rig_alpha(rig), RXE_CC_Q24_ONE);
	for (i = 0; i < 10; i++) {
		rig->s.seq = rig->s.next_seq;
		rig_ack(rig, 10, 10);
	}
	KUNIT_EXPECT_EQ(test, cc_test_cwnd(rig), 2000ULL);
}

/* NAK: half, once in a window of data. Timeout: a packet, then slow start to the half. */
static void dctcp__loss(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);

	cc_test_flow_param(test, &rig->t, "min_cwnd", 1);
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_RNR), 100000ULL);
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_NAK), 50000ULL);
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_NAK), 50000ULL);
	rig->s.seq = rig->s.next_seq;
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_NAK), 25000ULL);
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_TIMEOUT), 1000ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "ssthresh_bytes"), 12500ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 0), 2000ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 10, 0), 12000ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 0), 13000ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 13, 0), 14000ULL);
	rig_loss(rig, RXE_CC_LOSS_TIMEOUT);
	rig_loss(rig, RXE_CC_LOSS_TIMEOUT);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "ssthresh_bytes"), 2000ULL);
}

/* Totals that are lower, or have more marked than came, change nothing; the next ones count from
 * there. An ACK without them neither.
 */
static void dctcp__false_totals(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);

	rig->s.fb[0] = 5000000;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 0), 101000ULL);
	rig->s.fb[0] = 0;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 0), 101000ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 0), 102000ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 2), 102000ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "cuts"), 0ULL);
	rig->s.nr_fb = 0;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 0), 102000ULL);
}

/* The receiver counts all, and what is marked of it, and tells both with each ACK. */
static void dctcp__receiver(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);
	const struct rxe_cc_report *r = &rig->t.flow.report;
	struct rxe_cc_sample s = { .bytes = 1000 };
	unsigned int i;

	KUNIT_EXPECT_TRUE(test, r->always);
	KUNIT_EXPECT_EQ(test, r->nr, 2);
	for (i = 0; i < 8; i++) {
		s.ce = i % 4 == 1;
		KUNIT_EXPECT_EQ(test, rig->t.ops->on_data(&rig->t.flow, &s), 0U);
	}
	KUNIT_EXPECT_EQ(test, r->fb[0], 8000ULL);
	KUNIT_EXPECT_EQ(test, r->fb[1], 2000ULL);
}

static struct kunit_case dctcp_cases[] = {
	KUNIT_CASE_PARAM(dctcp__model, dctcp_table_gen_params),
	KUNIT_CASE(dctcp__raise),
	KUNIT_CASE(dctcp__given_window),
	KUNIT_CASE(dctcp__cut),
	KUNIT_CASE(dctcp__loss),
	KUNIT_CASE(dctcp__false_totals),
	KUNIT_CASE(dctcp__receiver),
	{}
};

static struct kunit_suite dctcp_suite = {
	.name = "rxe_cc_dctcp",
	.test_cases = dctcp_cases,
};

kunit_test_suite(dctcp_suite);
