// SPDX-License-Identifier: GPL-2.0
/*
 * The pacer's arithmetic against exact fractions, and its behaviour when late,
 * when idle and when the rate changes.
 */
#include <kunit/test.h>
#include <linux/array_size.h>

#include "cc_pacer.h"

#define GBIT(n)	((u64)(n) * 1000 * 1000 * 1000)

struct pacer_cost_case {
	u32 bytes;
	u64 rate_bps;
	u64 q16;	/* floor(bytes * 8 * 10^9 * 2^16 / rate) by bc(1) */
};

static const struct pacer_cost_case pacer_cost_cases[] = {
	{ 82, GBIT(100), 429916 },
	{ 1106, GBIT(100), 5798625 },
	{ 1106, GBIT(37), 15671960 },
	{ 4178, GBIT(10), 219047526 },
	{ 1, GBIT(800), 655 },
	{ 0, GBIT(1), 0 },
	{ 4178, 1000, 2190475264000000ULL },
	{ 131072, 1000, 68719476736000000ULL },
};

static void pacer_cost__table(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(pacer_cost_cases); i++) {
		const struct pacer_cost_case *c = &pacer_cost_cases[i];

		KUNIT_EXPECT_EQ_MSG(test,
				    rxe_cc_pacer_cost_q16(c->bytes, c->rate_bps),
				    c->q16, "%u bytes at %llu bit/s", c->bytes,
				    c->rate_bps);
	}
}

/* Longer than the longest packet is charged as the longest. */
static void pacer_cost__clamp(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, rxe_cc_pacer_cost_q16(U32_MAX, 1000),
			rxe_cc_pacer_cost_q16(RXE_CC_PACER_MAX_BYTES, 1000));
}

/* A million packets of 82 bytes at 100 Gbit/s take 6.56 ms, to the ns. */
static void pacer_charge__long_run(struct kunit *test)
{
	struct rxe_cc_pacer p = { .next_ns = 1000, .rate_bps = GBIT(100) };
	int i;

	for (i = 0; i < 1000000; i++)
		rxe_cc_pacer_charge(&p, p.next_ns, 82, 0);
	/* Each division drops less than 2^-16 ns: below 16 ns in a million. */
	KUNIT_EXPECT_LE(test, p.next_ns, 1000 + 6560000ULL);
	KUNIT_EXPECT_GE(test, p.next_ns, 1000 + 6560000ULL - 16);
}

/* Each packet held and 1 ns late: with a burst of one packet the rate stays
 * exact, without it every packet adds its lateness.
 */
static void pacer_charge__late(struct kunit *test)
{
	struct rxe_cc_pacer p = { .next_ns = 10000, .rate_bps = GBIT(37) };
	struct rxe_cc_pacer q = p;
	int i;

	for (i = 0; i < 1000; i++) {
		KUNIT_ASSERT_TRUE(test, rxe_cc_pacer_hold(&p, p.next_ns - 1));
		rxe_cc_pacer_charge(&p, p.next_ns + 1, 1106, 1106);
		KUNIT_ASSERT_TRUE(test, rxe_cc_pacer_hold(&q, q.next_ns - 1));
		rxe_cc_pacer_charge(&q, q.next_ns + 1, 1106, 0);
	}
	KUNIT_EXPECT_EQ(test, p.next_ns, 10000 + 239135ULL);
	/* The fraction is dropped with each late start. */
	KUNIT_EXPECT_EQ(test, q.next_ns, 10000 + 240000ULL);
}

static int pacer_burst(struct kunit *test, struct rxe_cc_pacer *p, u64 now_ns)
{
	int n = 0;

	while (!rxe_cc_pacer_hold(p, now_ns)) {
		rxe_cc_pacer_charge(p, now_ns, 1000, 3000);
		KUNIT_ASSERT_LT(test, ++n, 100);
	}
	return n;
}

/* After an hour's pause packets leave one by one, as at the start. */
static void pacer_charge__idle(struct kunit *test)
{
	struct rxe_cc_pacer p = { .next_ns = 1, .rate_bps = GBIT(8) };

	KUNIT_EXPECT_EQ(test, 1, pacer_burst(test, &p, 5000));
	rxe_cc_pacer_charge(&p, p.next_ns, 1000, 3000);
	KUNIT_EXPECT_EQ(test, 1, pacer_burst(test, &p, 3600ULL * NSEC_PER_SEC));
}

/* Held, and woken an hour late: at most the burst goes out at once. */
static void pacer_charge__overslept(struct kunit *test)
{
	struct rxe_cc_pacer p = { .next_ns = 1000, .rate_bps = GBIT(8) };

	KUNIT_ASSERT_TRUE(test, rxe_cc_pacer_hold(&p, 1));
	/* 3000 bytes of credit and the packet that is due. */
	KUNIT_EXPECT_EQ(test, 4, pacer_burst(test, &p, 3600ULL * NSEC_PER_SEC));
}

/* Time before the schedule began must not underflow. */
static void pacer_charge__young_clock(struct kunit *test)
{
	struct rxe_cc_pacer p = { .rate_bps = 1000, .held = true };

	rxe_cc_pacer_charge(&p, 5, 1000, 100000);
	KUNIT_EXPECT_EQ(test, p.next_ns, 8ULL * NSEC_PER_SEC);
}

static void pacer_set_rate__scales_the_wait(struct kunit *test)
{
	struct rxe_cc_pacer p = { .next_ns = 33000000000ULL, .rate_bps = 1000 };

	/* 33 s left at 1 kbit/s are 330 ns left at 100 Gbit/s. */
	rxe_cc_pacer_set_rate(&p, 0, GBIT(100));
	KUNIT_EXPECT_EQ(test, p.next_ns, 330ULL);
	/* And back. */
	rxe_cc_pacer_set_rate(&p, 0, 1000);
	KUNIT_EXPECT_EQ(test, p.next_ns, 33000000000ULL);
	/* Nothing left to wait: nothing to scale. */
	rxe_cc_pacer_set_rate(&p, 40000000000ULL, GBIT(1));
	KUNIT_EXPECT_EQ(test, p.next_ns, 33000000000ULL);
	KUNIT_EXPECT_EQ(test, p.rate_bps, GBIT(1));
}

static void pacer_window_rate__table(struct kunit *test)
{
	/* 276 bytes a 10 us round trip are 220.8 Mbit/s. */
	KUNIT_EXPECT_EQ(test, rxe_cc_window_rate_bps(276, 10000), 220800000ULL);
	/* Never zero, never beyond the fastest port. */
	KUNIT_EXPECT_EQ(test, rxe_cc_window_rate_bps(1, U64_MAX), 1000ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_window_rate_bps(U64_MAX, 1), GBIT(800));
}

static struct kunit_case pacer_cases[] = {
	KUNIT_CASE(pacer_cost__table),
	KUNIT_CASE(pacer_cost__clamp),
	KUNIT_CASE(pacer_charge__long_run),
	KUNIT_CASE(pacer_charge__late),
	KUNIT_CASE(pacer_charge__idle),
	KUNIT_CASE(pacer_charge__overslept),
	KUNIT_CASE(pacer_charge__young_clock),
	KUNIT_CASE(pacer_set_rate__scales_the_wait),
	KUNIT_CASE(pacer_window_rate__table),
	{}
};

static struct kunit_suite pacer_suite = {
	.name = "rxe_cc_pacer",
	.test_cases = pacer_cases,
};

kunit_test_suite(pacer_suite);
