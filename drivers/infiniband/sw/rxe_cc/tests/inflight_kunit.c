// SPDX-License-Identifier: GPL-2.0
/*
 * What is in flight: in order, over the wrap, with go-back-N, READs among the
 * packets, and acknowledgments nobody should send.
 */
#include <kunit/test.h>

#include "core/cc_inflight.h"

static void psn_send(struct rxe_cc_psns *s, u32 from, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		rxe_cc_psns_sent(s, (from + i) & RXE_CC_PSN_MASK,
				 (from + i + 1) & RXE_CC_PSN_MASK, false);
}

static struct rxe_cc_psns *psn_new(struct kunit *test)
{
	struct rxe_cc_psns *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->hole = kunit_kcalloc(test, RXE_CC_MAX_HOLES, sizeof(*s->hole),
				GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, s->hole);
	return s;
}

static void psn_diff__wrap(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, rxe_cc_psn_diff(0, 0xffffff), 1);
	KUNIT_EXPECT_EQ(test, rxe_cc_psn_diff(0xffffff, 0), -1);
	KUNIT_EXPECT_EQ(test, rxe_cc_psn_diff(0x7fffff, 0), 0x7fffff);
	KUNIT_EXPECT_EQ(test, rxe_cc_psn_diff(0x800000, 0), -0x800000);
}

static void psn_inflight__in_order_over_the_wrap(struct kunit *test)
{
	struct rxe_cc_psns *s = psn_new(test);

	psn_send(s, 0xfffff0, 32);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 32);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 0xfffff8), 8);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 0x000004), 12);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 12);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 0x000010), 12);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 0);
}

static void psn_acked__old_and_never_sent(struct kunit *test)
{
	struct rxe_cc_psns *s = psn_new(test);

	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 5), 0);
	psn_send(s, 100, 10);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 105), 5);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 105), 0);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 90), 0);
	KUNIT_EXPECT_LT(test, rxe_cc_psns_acked(s, 111), 0);
	KUNIT_EXPECT_LT(test, rxe_cc_psns_acked(s, 0x7000), 0);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 5);
}

static void psn_sent__go_back_n(struct kunit *test)
{
	struct rxe_cc_psns *s = psn_new(test);

	psn_send(s, 0, 20);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 5), 5);
	/* Back to 5: what is sent again counts once. */
	KUNIT_EXPECT_TRUE(test, rxe_cc_psns_sent(s, 5, 6, false));
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 1);
	/* An ACK of the first copy, beyond what was sent again. */
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 15), 10);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 0);
	KUNIT_EXPECT_TRUE(test, rxe_cc_psns_sent(s, 15, 16, false));
	psn_send(s, 16, 4);
	KUNIT_EXPECT_FALSE(test, rxe_cc_psns_sent(s, 20, 21, false));
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 6);
}

static void psn_holes__read_between_writes(struct kunit *test)
{
	struct rxe_cc_psns *s = psn_new(test);

	psn_send(s, 0, 4);
	rxe_cc_psns_sent(s, 4, 1004, true);
	psn_send(s, 1004, 6);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 10);
	/* The READ's responses acknowledge the first 4 and themselves. */
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 500), 4);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 6);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 1004), 0);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 6);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 1010), 6);
	KUNIT_EXPECT_EQ(test, s->hole_psns, 0);
	KUNIT_EXPECT_EQ(test, s->nr_holes, 0);
}

/* A retry that lands in the middle of a READ: its rest is asked for anew. */
static void psn_holes__retry_inside_a_read(struct kunit *test)
{
	struct rxe_cc_psns *s = psn_new(test);

	rxe_cc_psns_sent(s, 0, 100, true);
	psn_send(s, 100, 5);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 40), 0);
	KUNIT_EXPECT_TRUE(test, rxe_cc_psns_sent(s, 40, 100, true));
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 0);
	psn_send(s, 100, 5);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 5);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 105), 5);
	KUNIT_EXPECT_EQ(test, s->hole_psns, 0);
}

/* 2^31 bytes at the smallest MTU: half of all PSNs, to which nothing compares. */
static void psn_holes__largest_read(struct kunit *test)
{
	struct rxe_cc_psns *s = psn_new(test);
	u32 psn;

	psn_send(s, 0, 1);
	rxe_cc_psns_sent(s, 1, 0x800001, true);
	KUNIT_EXPECT_EQ(test, s->max, 0x800001U);
	/* Asked for again: it is one hole still. */
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 1), 1);
	KUNIT_EXPECT_TRUE(test, rxe_cc_psns_sent(s, 1, 0x800001, true));
	KUNIT_EXPECT_EQ(test, s->nr_holes, 1);
	for (psn = 2; psn <= 0x800001; psn++)
		KUNIT_ASSERT_EQ(test, rxe_cc_psns_acked(s, psn), 0);
	KUNIT_EXPECT_EQ(test, s->hole_psns, 0U);
	psn_send(s, 0x800001, 5);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 5U);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_acked(s, 0x800006), 5);
}

/* More READs than the ring holds, or no memory for it: counted as data, which
 * only makes the window tighter.
 */
static void psn_holes__too_many(struct kunit *test)
{
	struct rxe_cc_psns *s = psn_new(test);
	u32 i;

	for (i = 0; i < RXE_CC_MAX_HOLES + 2; i++)
		rxe_cc_psns_sent(s, i * 10, i * 10 + 10, true);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 20);
	rxe_cc_psns_acked(s, i * 10);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 0);
	s->hole = NULL;
	rxe_cc_psns_reset(s);
	rxe_cc_psns_sent(s, 0, 10, true);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 10);
}

/* Anything in any order keeps the sums consistent. */
static void psn_storm__invariants(struct kunit *test)
{
	struct rxe_cc_psns *s = psn_new(test);
	u32 x = 12345, nxt = 0xfffff000;
	int i;

	nxt &= RXE_CC_PSN_MASK;
	for (i = 0; i < 200000; i++) {
		u32 n;

		x = x * 1664525 + 1013904223;
		n = 1 + (x >> 8) % 300;
		switch (x >> 30) {
		case 0:
			rxe_cc_psns_sent(s, nxt, nxt + n, true);
			nxt = (nxt + n) & RXE_CC_PSN_MASK;
			break;
		case 1:
			rxe_cc_psns_sent(s, nxt, nxt + 1, false);
			nxt = (nxt + 1) & RXE_CC_PSN_MASK;
			break;
		case 2:
			rxe_cc_psns_acked(s, s->una + n);
			if (rxe_cc_psn_diff(nxt, s->una) < 0)
				nxt = s->una;
			break;
		default:
			/* Retry, from somewhere that was sent. */
			if (s->valid)
				nxt = s->una;
		}
		if (rxe_cc_psn_diff(nxt, s->una) > 100000) {
			rxe_cc_psns_acked(s, nxt);
			nxt = s->nxt;
		}
		KUNIT_ASSERT_LE(test, s->nr_holes, RXE_CC_MAX_HOLES);
		KUNIT_ASSERT_TRUE(test, !s->valid ||
				  rxe_cc_psn_diff(s->max, s->nxt) >= 0);
		KUNIT_ASSERT_LE(test, rxe_cc_psns_inflight(s), 110000U);
	}
	rxe_cc_psns_acked(s, s->max);
	KUNIT_EXPECT_EQ(test, rxe_cc_psns_inflight(s), 0);
	KUNIT_EXPECT_EQ(test, s->hole_psns, 0);
}

static struct kunit_case psn_cases[] = {
	KUNIT_CASE(psn_diff__wrap),
	KUNIT_CASE(psn_inflight__in_order_over_the_wrap),
	KUNIT_CASE(psn_acked__old_and_never_sent),
	KUNIT_CASE(psn_sent__go_back_n),
	KUNIT_CASE(psn_holes__read_between_writes),
	KUNIT_CASE(psn_holes__retry_inside_a_read),
	KUNIT_CASE(psn_holes__largest_read),
	KUNIT_CASE(psn_holes__too_many),
	KUNIT_CASE(psn_storm__invariants),
	{}
};

static struct kunit_suite psn_suite = {
	.name = "rxe_cc_psn",
	.test_cases = psn_cases,
};

kunit_test_suite(psn_suite);
