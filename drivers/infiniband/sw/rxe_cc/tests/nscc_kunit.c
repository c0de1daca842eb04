// SPDX-License-Identifier: GPL-2.0
/*
 * NSCC against an independent floating-point model (gen_nscc.c), and case by case.
 */
#include <linux/array_size.h>
#include <rxe_cc/cc_math.h>

#include "cc_test.h"
#include "nscc_events.h"

#define BASE_NS		12000
#define PKT_BYTES	1000

/* Parameters are rounded to 2^-24, eta and what it adds by 0.2 ppm; what an ACK adds to W by 2^-9
 * bytes, so a few hundred until the next cut are within a byte. Another one is lost because windows
 * are whole bytes here. The BDPs are whole bytes.
 */
#define MAX_PPM		2

struct nscc_point {
	u64 cwnd_q10, sum_q10;
	u32 avg_q4, cuts, adapts;
};

struct nscc_table {
	const char *name;
	const struct nscc_point *points;
	u64 line_bps, qa_gate, q24[12];
	struct nscc_source source;
};

#include "nscc_vectors.h"

KUNIT_ARRAY_PARAM_DESC(nscc_table, nscc_tables, name);

static const char *const nscc_q24[] = {
	"target_qdelay", "max_wnd", "alpha", "fi", "fi_scale", "eta", "gamma", "max_md_jump",
	"clear", "qa_threshold", "adjust_bytes", "adjust_period",
};

static struct cc_test_rig *rig_new(struct kunit *test, u64 line_bps, u64 base_ns, u32 pkt_bytes)
{
	return cc_test_rig_new(test, "nscc", line_bps, base_ns, pkt_bytes, 1);
}

/* An ACK of @pkts packets after @dt_ns, with @delay_ns in queues. */
static u64 rig_ack(struct cc_test_rig *rig, u64 dt_ns, u32 pkts, u64 delay_ns, bool marked)
{
	rig->s.now_ns += dt_ns;
	rig->s.bytes = (u64)pkts * PKT_BYTES;
	rig->s.rtt_ns = BASE_NS + delay_ns;
	rig->s.fb[0] += marked ? rig->s.bytes : 0;
	rig->t.ops->on_ack(&rig->t.flow, &rig->s);
	return cc_test_cwnd(rig);
}

static u64 rig_loss(struct cc_test_rig *rig, enum rxe_cc_loss loss)
{
	rig->s.loss = loss;
	rig->t.ops->on_loss(&rig->t.flow, &rig->s);
	return cc_test_cwnd(rig);
}

/* The network of the specification: 100 Gbit/s, 12 us, 150 packets of 1000 bytes. At 1 ms the
 * receiver's total is known, the average is the target, and the period of quick adapt begins. It
 * ends at 1.024 ms.
 */
static struct cc_test_rig *rig_at(struct kunit *test, u64 cwnd_bytes)
{
	struct cc_test_rig *rig = rig_new(test, 100000000000ULL, BASE_NS, PKT_BYTES);

	rig->t.flow.cwnd_bytes = cwnd_bytes;
	rig->t.ops->init(&rig->t.flow, 1000000);
	rig->s.now_ns = 1000000;
	rig_ack(rig, 0, 0, BASE_NS, false);
	rig_ack(rig, 0, 0, BASE_NS, false);
	KUNIT_ASSERT_EQ(test, cc_test_flow_var(&rig->t, "avg_delay_ns"), 1ULL * BASE_NS);
	return rig;
}

/* W is as at the start, 1.5 BDP. */
static struct cc_test_rig *rig_plain(struct kunit *test)
{
	struct cc_test_rig *rig = rig_at(test, RXE_CC_NO_WINDOW);

	KUNIT_ASSERT_EQ(test, cc_test_cwnd(rig), 225000ULL);
	return rig;
}

static void rig_event(struct cc_test_rig *rig, const struct nscc_event *e)
{
	static const u8 loss[] = {
		[NSCC_NAK] = RXE_CC_LOSS_NAK, [NSCC_TIMEOUT] = RXE_CC_LOSS_TIMEOUT,
		[NSCC_RNR] = RXE_CC_LOSS_RNR,
	};

	rig->s = (struct rxe_cc_sample) {
		.now_ns = e->now_ns, .bytes = e->acked, .inflight_bytes = e->inflight,
		.rtt_ns = e->rtt_ns, .fb = { e->marked }, .nr_fb = e->fb,
	};
	if (e->kind == NSCC_ACK)
		rig->t.ops->on_ack(&rig->t.flow, &rig->s);
	else
		rig_loss(rig, loss[e->kind]);
}

/* At small windows a byte is a lot. */
static bool near(u64 got_q10, u64 want_q10, u64 bytes)
{
	u64 diff = got_q10 > want_q10 ? got_q10 - want_q10 : want_q10 - got_q10;

	return diff <= bytes * 1024 + rxe_cc_muldiv(want_q10, MAX_PPM, 1000000);
}

static void nscc__model(struct kunit *test)
{
	const struct nscc_table *t = test->param_value;
	struct nscc_source src = t->source;
	struct cc_test_rig *rig = rig_new(test, t->line_bps, src.base_ns, src.pkt_bytes);
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(nscc_q24); i++)
		cc_test_flow_param(test, &rig->t, nscc_q24[i], t->q24[i]);
	cc_test_flow_param(test, &rig->t, "qa_gate", t->qa_gate);
	cc_test_flow_start(&rig->t, 0);
	for (i = 0; i < NSCC_POINTS; i++) {
		const struct nscc_point *p = &t->points[i];
		u64 sum_q10 = 0, avg_ns;

		for (j = 0; j < NSCC_PER_POINT; j++) {
			struct nscc_event e = nscc_next_event(&src);

			rig_event(rig, &e);
			sum_q10 += cc_test_cwnd(rig) << 10;
		}
		avg_ns = cc_test_flow_var(&rig->t, "avg_delay_ns");
		KUNIT_ASSERT_EQ_MSG(test, cc_test_flow_var(&rig->t, "cuts"), p->cuts, "row %u", i);
		KUNIT_ASSERT_EQ_MSG(test, cc_test_flow_var(&rig->t, "adapts"), p->adapts,
				    "row %u", i);
		KUNIT_ASSERT_TRUE_MSG(test, near(cc_test_cwnd(rig) << 10, p->cwnd_q10, 2),
				      "row %u: %llu for %llu", i, cc_test_cwnd(rig) << 10,
				      p->cwnd_q10);
		KUNIT_ASSERT_TRUE_MSG(test, near(sum_q10, p->sum_q10, 2 * NSCC_PER_POINT),
				      "row %u: %llu for %llu", i, sum_q10, p->sum_q10);
		KUNIT_ASSERT_LE_MSG(test, abs((s64)(avg_ns * 16 - p->avg_q4)), 16LL,
				    "row %u: delay %llu for %u/16", i, avg_ns, p->avg_q4);
	}
}

/* Above the target and not marked: 5 packets acked / W. Increases wait for 8 packets or a period;
 * a period adds 150 bytes.
 */
static void nscc__fair(struct kunit *test)
{
	struct cc_test_rig *rig = rig_at(test, 100000);

	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 8, BASE_NS, false), 100000ULL);
	/* 9 x 5000 / 100 */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 1, BASE_NS, false), 100450ULL);
	rig_ack(rig, 100, 8, 2 * BASE_NS, false);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, BASE_NS - 400, 0, 2 * BASE_NS, false), 100450ULL);
	/* 8 x 5000 / 100.450 + 150 */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 0, 2 * BASE_NS, false), 100998ULL);
}

/* Below it: 4 packets acked / W times the part of the target that is left. */
static void nscc__proportional(struct kunit *test)
{
	struct cc_test_rig *rig = rig_at(test, 100000);

	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 10, BASE_NS / 4, false), 100300ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 10, BASE_NS - 12, false), 100300ULL);
	/* 12 us of a target of 24 */
	cc_test_flow_param(test, &rig->t, "target_qdelay", RXE_CC_Q24(2, 1));
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 10, BASE_NS, false), 100699ULL);
}

/* Marked below the target: nothing. */
static void nscc__early_mark(struct kunit *test)
{
	struct cc_test_rig *rig = rig_at(test, 100000);

	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 10, BASE_NS - 1, true), 100000ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "cuts"), 0ULL);
}

/* Marked above it: by 4/5 of the average's excess, once a base RTT, half at most. */
static void nscc__decrease(struct kunit *test)
{
	struct cc_test_rig *rig = rig_at(test, 100000);

	/* After a base RTT a sample replaces all before it: 1 - 4/5 x 1/3, and eta. */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, BASE_NS + 1, 1, 3 * BASE_NS / 2, true), 73483ULL);
	/* A base RTT later it may not yet; then by a half, which is less than 4/5 x 2/3. */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, BASE_NS, 1, 3 * BASE_NS, true), 73633ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 1, 3 * BASE_NS, true), 36816ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "cuts"), 2ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "avg_delay_ns"), 3ULL * BASE_NS);
}

/* The average: a sample weighs the time since the last one, in base RTTs. */
static void nscc__average(struct kunit *test)
{
	struct cc_test_rig *rig = rig_at(test, 100000);

	rig_ack(rig, BASE_NS / 4, 0, 2 * BASE_NS, false);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "avg_delay_ns"), 5ULL * BASE_NS / 4);
	rig_ack(rig, 3 * BASE_NS, 0, BASE_NS / 2, false);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "avg_delay_ns"), 1ULL * BASE_NS / 2);
}

/* Without delay for more than W: a quarter of what is acknowledged, until there is delay. */
static void nscc__fast(struct kunit *test)
{
	struct cc_test_rig *rig = rig_at(test, 50000);

	/* 4 x 50, and not yet fast */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 50, 0, false), 54000ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 5, 0, false), 55250ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 10, 999, false), 57750ULL);
	/* 4 x 8 / 57.75 x 11/12 of 1000 */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 10, 1000, false), 58384ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 20, 0, false), 59755ULL);
}

/* W is what arrived in a base RTT and the target's, if that is less than an eighth of max_wnd and a
 * packet was lost. What was under way is let pass if it is marked.
 */
static void nscc__quick_adapt(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);

	rig_ack(rig, 100, 9, BASE_NS, false);
	rig->s.inflight_bytes = 200000;
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_RNR), 225000ULL);
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_NAK), 224000ULL);
	/* Fourteen came until 1.024 ms. */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 23900, 5, 3 * BASE_NS, true), 14000ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "adapts"), 1ULL);
	/* Marked ones of the 200 change nothing, ones that are not do. */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 13000, 190, 3 * BASE_NS, true), 14000ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "cuts"), 0ULL);
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_NAK), 14000ULL);
	/* With the lost one it is 200: the average is 3 RTTs, 1 - 4/5 x 2/3 is below a half; eta */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 1, 9, 3 * BASE_NS, true), 7150ULL);
}

/* Not if an eighth has arrived: then a packet goes for the loss. 1 - 4/5 x 1/2 for the delay. */
static void nscc__qa_gate(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);

	rig_loss(rig, RXE_CC_LOSS_NAK);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 24000, 29, 2 * BASE_NS, true), 134549ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "adapts"), 0ULL);
}

/* A delay above four targets is as a loss, unless it is switched off. */
static void nscc__qa_delay(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);

	rig_ack(rig, 24000, 7, 4 * BASE_NS + 1, false);
	KUNIT_EXPECT_EQ(test, cc_test_cwnd(rig), 7000ULL);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "adapts"), 1ULL);
	cc_test_flow_param(test, &rig->t, "quick_adapt", 0);
	rig_ack(rig, 24000, 1, 5 * BASE_NS, false);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "adapts"), 1ULL);
}

/* A timeout leaves a packet, and nothing less. */
static void nscc__timeout(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);

	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_TIMEOUT), 1000ULL);
	KUNIT_EXPECT_EQ(test, rig_loss(rig, RXE_CC_LOSS_NAK), 1000ULL);
}

/* A total that is lower changes nothing; the next ones count from there. Nor does an ACK that tells
 * none, or that was not measured; its mark counts with the next.
 */
static void nscc__told(struct kunit *test)
{
	struct cc_test_rig *rig = rig_at(test, 100000);

	rig->s.fb[0] = 5000000;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 9, BASE_NS - 1, false), 100000ULL);
	rig->s.fb[0] = 0;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 9, BASE_NS, false), 100000ULL);
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 10, BASE_NS, false), 100500ULL);
	rig->s.nr_fb = 0;
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 10, BASE_NS, false), 100500ULL);
	rig->s.nr_fb = 1;
	rig->s.rtt_ns = 0;
	rig->s.fb[0] = 1;
	rig->t.ops->on_ack(&rig->t.flow, &rig->s);
	KUNIT_EXPECT_EQ(test, cc_test_flow_var(&rig->t, "told_marked_bytes"), 0ULL);
	/* Fair increases would be 500 more. */
	KUNIT_EXPECT_EQ(test, rig_ack(rig, 100, 10, BASE_NS, false), 100500ULL);
}

/* The receiver counts what is marked, and tells it with each ACK. */
static void nscc__receiver(struct kunit *test)
{
	struct cc_test_rig *rig = rig_plain(test);
	const struct rxe_cc_report *r = &rig->t.flow.report;
	struct rxe_cc_sample s = { .bytes = 1000 };
	unsigned int i;

	KUNIT_EXPECT_TRUE(test, r->always);
	KUNIT_EXPECT_EQ(test, r->nr, 1);
	for (i = 0; i < 8; i++) {
		s.ce = i % 4 == 1;
		KUNIT_EXPECT_EQ(test, rig->t.ops->on_data(&rig->t.flow, &s), 0U);
	}
	KUNIT_EXPECT_EQ(test, r->fb[0], 2000ULL);
	KUNIT_EXPECT_TRUE(test, rig->t.flow.wants & RXE_CC_WANT_RTTS);
}

static struct kunit_case nscc_cases[] = {
	KUNIT_CASE_PARAM(nscc__model, nscc_table_gen_params),
	KUNIT_CASE(nscc__fair),
	KUNIT_CASE(nscc__proportional),
	KUNIT_CASE(nscc__early_mark),
	KUNIT_CASE(nscc__decrease),
	KUNIT_CASE(nscc__average),
	KUNIT_CASE(nscc__fast),
	KUNIT_CASE(nscc__quick_adapt),
	KUNIT_CASE(nscc__qa_gate),
	KUNIT_CASE(nscc__qa_delay),
	KUNIT_CASE(nscc__timeout),
	KUNIT_CASE(nscc__told),
	KUNIT_CASE(nscc__receiver),
	{}
};

static struct kunit_suite nscc_suite = {
	.name = "rxe_cc_nscc",
	.test_cases = nscc_cases,
};

kunit_test_suite(nscc_suite);
