// SPDX-License-Identifier: GPL-2.0
/*
 * Serialiser arithmetic against 128-bit integers in units of 1/rate ns, in
 * which every span is a whole number.
 */
#include <kunit/test.h>
#include <linux/prandom.h>
#include <linux/time64.h>
#include <uapi/linux/pkt_sched_roce.h>

#include "../roce_serialization.h"
#include "roce_test_packets.h"

static void roce_serial_span__table(struct kunit *test)
{
	static const struct {
		u64 rate_bps;
		u32 wire_bytes;
		u64 ns;
		u64 rem;
	} table[] = {
		/* 6.56 ns: 0.56 ns are 56 G of 1/100G ns */
		{ 100000000000ULL, 82, 6, 56000000000ULL },
		{ 100000000000ULL, 84, 6, 72000000000ULL },
		{ 100000000000ULL, 1106, 88, 48000000000ULL },
		{ 100000000000ULL, 125, 10, 0 },
		{ 10000000000ULL, 84, 67, 2000000000ULL },
		{ 400000000000ULL, 1106, 22, 48000000000ULL },
		{ TC_ROCE_RATE_MAX_BPS, 84, 0, 672000000000ULL },
		{ TC_ROCE_RATE_MAX_BPS, 1, 0, 8000000000ULL },
		{ TC_ROCE_RATE_MAX_BPS, 65536, 655, 288000000000ULL },
		{ TC_ROCE_RATE_MIN_BPS, 1, 8000, 0 },
		{ TC_ROCE_RATE_MIN_BPS, 65536, 524288000, 0 },
		{ 1000003, 1538, 12303963, 88111 },
		{ 100000000000ULL, 0, 0, 0 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_time span;

		span = roce_serial_span(table[i].rate_bps, table[i].wire_bytes);
		KUNIT_EXPECT_EQ_MSG(test, span.ns, table[i].ns, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, span.rem, table[i].rem, "row %d", i);
	}
}

static u64 random_rate(struct rnd_state *rnd)
{
	u64 r = (u64)prandom_u32_state(rnd) << 32 | prandom_u32_state(rnd);

	return TC_ROCE_RATE_MIN_BPS +
	       r % (TC_ROCE_RATE_MAX_BPS - TC_ROCE_RATE_MIN_BPS + 1);
}

static bool exact(u64 rate, u32 wire, struct roce_time span)
{
	return (u128)span.ns * rate + span.rem ==
	       (u128)wire * 8 * NSEC_PER_SEC && span.rem < rate;
}

/* Any rate in range, any packet up to 64 KiB and overhead. */
static void roce_serial_span__exact(struct kunit *test)
{
	struct rnd_state rnd;
	int i;

	prandom_seed_state(&rnd, 42);
	for (i = 0; i < 100000; i++) {
		u64 rate = random_rate(&rnd);
		u32 wire = prandom_u32_state(&rnd) % (65536 + 512 + 1);

		if (!exact(rate, wire, roce_serial_span(rate, wire)))
			KUNIT_FAIL(test, "rate %llu wire %u", rate, wire);
	}
}

/* A million packets back to back, at rates that divide badly. */
static void roce_time_add__million(struct kunit *test)
{
	static const u64 rates[] = {
		TC_ROCE_RATE_MIN_BPS, 1000003, 9953280000ULL, 25781250000ULL,
		100000000000ULL, 103125000000ULL, 777777777777ULL,
		TC_ROCE_RATE_MAX_BPS,
	};
	struct rnd_state rnd;
	int r, i;

	prandom_seed_state(&rnd, 7);
	for (r = 0; r < ARRAY_SIZE(rates); r++) {
		struct roce_time t = { .ns = 12345 };
		u128 want = (u128)t.ns * rates[r];

		for (i = 0; i < 1000000; i++) {
			u32 wire = 84 + prandom_u32_state(&rnd) % 4300;

			roce_time_add(&t, roce_serial_span(rates[r], wire),
				      rates[r]);
			want += (u64)wire * 8 * NSEC_PER_SEC;
		}
		KUNIT_EXPECT_TRUE_MSG(test, (u128)t.ns * rates[r] +
				      t.rem == want, "rate %llu", rates[r]);
		KUNIT_EXPECT_LT(test, t.rem, rates[r]);
	}
}

static void roce_time_sub__inverts_add(struct kunit *test)
{
	u64 rate = 777777777777ULL;
	struct roce_time t = { .ns = 5, .rem = 700000000000ULL };
	struct roce_time span = roce_serial_span(rate, 1538);

	roce_time_add(&t, span, rate);
	roce_time_sub(&t, span, rate);
	KUNIT_EXPECT_EQ(test, t.ns, 5);
	KUNIT_EXPECT_EQ(test, t.rem, 700000000000ULL);
}

static void roce_time_ceil__rounds_up(struct kunit *test)
{
	struct roce_time whole = { .ns = 6 }, more = { .ns = 6, .rem = 1 };

	KUNIT_EXPECT_EQ(test, roce_time_ceil(&whole), 6);
	KUNIT_EXPECT_EQ(test, roce_time_ceil(&more), 7);
}

static void roce_time_rescale__keeps_instant(struct kunit *test)
{
	/* 0.5 ns at 100G is 0.5 ns at 40G; and never a whole one. */
	struct roce_time t = { .ns = 9, .rem = 50000000000ULL };
	struct roce_time edge = { .rem = TC_ROCE_RATE_MAX_BPS - 1 };

	roce_time_rescale(&t, 100000000000ULL, 40000000000ULL);
	KUNIT_EXPECT_EQ(test, t.ns, 9);
	KUNIT_EXPECT_EQ(test, t.rem, 20000000000ULL);

	roce_time_rescale(&edge, TC_ROCE_RATE_MAX_BPS, TC_ROCE_RATE_MIN_BPS);
	KUNIT_EXPECT_EQ(test, edge.ns, 0);
	KUNIT_EXPECT_EQ(test, edge.rem, TC_ROCE_RATE_MIN_BPS - 1);
}

/* At the ends of what may be configured nothing wraps, and no division traps. */
static void roce_serial_bytes__ends(struct kunit *test)
{
	const u64 second_bytes = TC_ROCE_RATE_MAX_BPS / 8;
	const struct roce_time second = { .ns = NSEC_PER_SEC };
	struct roce_time t = { .rem = TC_ROCE_RATE_MIN_BPS - 1 };
	struct roce_time sum;

	KUNIT_EXPECT_EQ(test, roce_serial_bytes(TC_ROCE_RATE_MAX_BPS, second),
			second_bytes);
	KUNIT_EXPECT_EQ(test, roce_serial_bytes(TC_ROCE_RATE_MIN_BPS, t), 1);
	/* A terabyte at the lowest rate, 100 days. */
	sum = roce_serial_sum(TC_ROCE_RATE_MIN_BPS, TC_ROCE_BUFFER_MAX);
	KUNIT_EXPECT_EQ(test, sum.ns, TC_ROCE_BUFFER_MAX * 8000);
	KUNIT_EXPECT_EQ(test, sum.rem, 0);
	/* All ones at the highest: 5.8 years. */
	sum = roce_serial_sum(TC_ROCE_RATE_MAX_BPS, U64_MAX);
	KUNIT_EXPECT_EQ(test, sum.ns, U64_MAX / 100);
	KUNIT_EXPECT_EQ(test, sum.rem, U64_MAX % 100 * (8 * NSEC_PER_SEC));
	roce_time_rescale(&t, TC_ROCE_RATE_MIN_BPS, TC_ROCE_RATE_MAX_BPS);
	KUNIT_EXPECT_LT(test, t.rem, TC_ROCE_RATE_MAX_BPS);
}

static struct kunit_case roce_serial_cases[] = {
	KUNIT_CASE(roce_serial_span__table),
	KUNIT_CASE(roce_serial_span__exact),
	KUNIT_CASE_SLOW(roce_time_add__million),
	KUNIT_CASE(roce_time_sub__inverts_add),
	KUNIT_CASE(roce_time_ceil__rounds_up),
	KUNIT_CASE(roce_time_rescale__keeps_instant),
	KUNIT_CASE(roce_serial_bytes__ends),
	{}
};

static struct kunit_suite roce_serial_suite = {
	.name = "roce_serial",
	.test_cases = roce_serial_cases,
};

kunit_test_suite(roce_serial_suite);
