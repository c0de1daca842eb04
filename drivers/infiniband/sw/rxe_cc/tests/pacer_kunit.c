// SPDX-License-Identifier: GPL-2.0
/*
 * The pacer's arithmetic against exact fractions, and its behaviour when late,
 * when idle and when the rate changes.
 */
#include <kunit/test.h>
#include <linux/array_size.h>

#include "core/cc_pacer.h"
#include "cc_test.h"

#define GBIT(n)	((u64)(n) * 1000 * 1000 * 1000)

struct pacer_due_case {
	u32 bytes;
	u64 rate_bps;
	u64 due_ns;	/* ceil(bytes * 8 * 10^9 / rate) by bc(1) */
};

static const struct pacer_due_case pacer_due_cases[] = {
	{ 82, GBIT(100), 7 },
	{ 1106, GBIT(100), 89 },
	{ 1106, GBIT(37), 240 },
	{ 4178, GBIT(10), 3343 },
	{ 1000, GBIT(8), 1000 },
	{ 1, GBIT(800), 1 },
	{ 0, GBIT(1), 0 },
	{ 4178, 1000, 33424000000ULL },
	{ RXE_CC_PACER_MAX_BYTES, 1000, 1048576000000ULL },
	/* Longer than the longest packet counts as the longest. */
	{ RXE_CC_PACER_MAX_BYTES + 1, 1000, 1048576000000ULL },
	{ U32_MAX, 1000, 1048576000000ULL },
};

/* One packet: the next may leave at the first ns that is not before its time. */
static void pacer_due__table(struct kunit *test)
{
	const struct pacer_due_case *c;

	for (c = pacer_due_cases;
	     c < pacer_due_cases + ARRAY_SIZE(pacer_due_cases); c++) {
		struct rxe_cc_pacer p = {
			.since_ns = 1000, .rate_bps = c->rate_bps,
		};

		rxe_cc_pacer_charge(&p, 1000, c->bytes, 0);
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_pacer_due_ns(&p),
				    1000 + c->due_ns, "%u bytes at %llu bit/s",
				    c->bytes, c->rate_bps);
		KUNIT_EXPECT_FALSE(test, rxe_cc_pacer_hold(&p, 1000 + c->due_ns));
		if (c->due_ns)
			KUNIT_EXPECT_TRUE(test,
					  rxe_cc_pacer_hold(&p, 999 + c->due_ns));
	}
}

/* A million packets of 82 bytes at 100 Gbit/s take 6.56 ms, to the ns. */
static void pacer_charge__long_run(struct kunit *test)
{
	struct rxe_cc_pacer p = { .since_ns = 1000, .rate_bps = GBIT(100) };
	u64 now_ns = 1000;
	int i;

	for (i = 0; i < 1000000; i++) {
		if (rxe_cc_pacer_hold(&p, now_ns))
			now_ns = rxe_cc_pacer_due_ns(&p);
		rxe_cc_pacer_charge(&p, now_ns, 82, 82);
	}
	KUNIT_EXPECT_EQ(test, rxe_cc_pacer_due_ns(&p), 1000 + 6560000ULL);
}

/* Each packet held and 1 ns late: with a burst of one packet the rate stays
 * exact, without it every packet adds its lateness.
 */
static void pacer_charge__late(struct kunit *test)
{
	struct rxe_cc_pacer p = { .since_ns = 10000, .rate_bps = GBIT(37) };
	struct rxe_cc_pacer q = p;
	int i;

	rxe_cc_pacer_charge(&p, 10000, 1106, 0);
	rxe_cc_pacer_charge(&q, 10000, 1106, 0);
	for (i = 1; i < 1000; i++) {
		u64 p_ns = rxe_cc_pacer_due_ns(&p);
		u64 q_ns = rxe_cc_pacer_due_ns(&q);

		KUNIT_ASSERT_TRUE(test, rxe_cc_pacer_hold(&p, p_ns - 1));
		rxe_cc_pacer_charge(&p, p_ns + 1, 1106, 1106);
		KUNIT_ASSERT_TRUE(test, rxe_cc_pacer_hold(&q, q_ns - 1));
		rxe_cc_pacer_charge(&q, q_ns + 1, 1106, 0);
	}
	/* 239135.14 ns, of which the next packet sees whole ones. */
	KUNIT_EXPECT_EQ(test, rxe_cc_pacer_due_ns(&p), 10000 + 239136ULL);
	/* 239.14 ns each, seen as 240, and 1 ns late but for the first. */
	KUNIT_EXPECT_EQ(test, rxe_cc_pacer_due_ns(&q), 10000 + 240999ULL);
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
	struct rxe_cc_pacer p = { .since_ns = 1, .rate_bps = GBIT(8) };

	KUNIT_EXPECT_EQ(test, 1, pacer_burst(test, &p, 5000));
	rxe_cc_pacer_charge(&p, rxe_cc_pacer_due_ns(&p), 1000, 3000);
	KUNIT_EXPECT_EQ(test, 1, pacer_burst(test, &p, 3600ULL * NSEC_PER_SEC));
}

/* Held, and woken an hour late: at most the burst goes out at once. */
static void pacer_charge__overslept(struct kunit *test)
{
	struct rxe_cc_pacer p = { .rate_bps = GBIT(8) };

	rxe_cc_pacer_charge(&p, 1, 1000, 3000);
	KUNIT_ASSERT_TRUE(test, rxe_cc_pacer_hold(&p, 1));
	/* 3000 bytes of credit and the packet that is due. */
	KUNIT_EXPECT_EQ(test, 4, pacer_burst(test, &p, 3600ULL * NSEC_PER_SEC));
}

/* More time than a product of 64 bits can tell: a century at the highest rate. */
static void pacer_charge__century(struct kunit *test)
{
	struct rxe_cc_pacer p = { .rate_bps = RXE_CC_RATE_MAX_BPS };
	u64 now_ns = 100ULL * 365 * 24 * 3600 * NSEC_PER_SEC;

	rxe_cc_pacer_charge(&p, 1, 1000, 3000);
	KUNIT_EXPECT_FALSE(test, rxe_cc_pacer_hold(&p, now_ns));
	KUNIT_EXPECT_EQ(test, 1, pacer_burst(test, &p, now_ns));
	KUNIT_ASSERT_TRUE(test, rxe_cc_pacer_hold(&p, now_ns));
	rxe_cc_pacer_set_rate(&p, 2 * now_ns, RXE_CC_RATE_MIN_BPS);
	KUNIT_EXPECT_EQ(test, 4, pacer_burst(test, &p, 2 * now_ns));
}

/* A clock that stands before the schedule's time pays nothing. */
static void pacer_charge__young_clock(struct kunit *test)
{
	struct rxe_cc_pacer p = { .since_ns = 50, .rate_bps = 1000 };

	rxe_cc_pacer_charge(&p, 5, 1000, 100000);
	KUNIT_EXPECT_EQ(test, rxe_cc_pacer_due_ns(&p), 50 + 8ULL * NSEC_PER_SEC);
	KUNIT_EXPECT_TRUE(test, rxe_cc_pacer_hold(&p, 5));
}

static void pacer_set_rate__scales_the_wait(struct kunit *test)
{
	struct rxe_cc_pacer p = { .rate_bps = 1000 };

	rxe_cc_pacer_charge(&p, 0, 4125, 0);
	KUNIT_EXPECT_EQ(test, rxe_cc_pacer_due_ns(&p), 33 * (u64)NSEC_PER_SEC);
	/* 33 s left at 1 kbit/s are 330 ns left at 100 Gbit/s. */
	KUNIT_EXPECT_TRUE(test, rxe_cc_pacer_set_rate(&p, 0, GBIT(100)));
	KUNIT_EXPECT_EQ(test, rxe_cc_pacer_due_ns(&p), 330ULL);
	/* And back. */
	KUNIT_EXPECT_TRUE(test, rxe_cc_pacer_set_rate(&p, 0, 1000));
	KUNIT_EXPECT_FALSE(test, rxe_cc_pacer_set_rate(&p, 0, 1000));
	KUNIT_EXPECT_EQ(test, rxe_cc_pacer_due_ns(&p), 33 * (u64)NSEC_PER_SEC);
	/* Nothing left to wait: nothing to scale, nor does an idle flow save up. */
	rxe_cc_pacer_set_rate(&p, 40 * (u64)NSEC_PER_SEC, GBIT(1));
	KUNIT_EXPECT_FALSE(test, rxe_cc_pacer_hold(&p, 40 * (u64)NSEC_PER_SEC));
	KUNIT_EXPECT_EQ(test, p.debt_nbit, 0LL);
	KUNIT_EXPECT_EQ(test, p.rate_bps, GBIT(1));
}

#define PACER_PKTS	1000000

/**
 * struct pacer_run - a flow that always has a packet to send
 * @p: schedule
 * @now_ns: time
 * @ahead_nbit: bits sent less the integral of the rate, in 10^-9 bit: whole
 *	numbers, so exact, and from nothing that @p keeps but the rate set
 */
struct pacer_run {
	struct rxe_cc_pacer p;
	u64 now_ns;
	s64 ahead_nbit;
};

static void pacer_run_until(struct pacer_run *run, u64 now_ns)
{
	run->ahead_nbit -= run->p.rate_bps * (now_ns - run->now_ns);
	run->now_ns = now_ns;
}

static void pacer_run_send(struct pacer_run *run, u32 bytes)
{
	rxe_cc_pacer_charge(&run->p, run->now_ns, bytes, 4500);
	run->ahead_nbit += bytes * 8LL * NSEC_PER_SEC;
}

static u64 pacer_random_rate(struct cc_test_prng *r, u64 line_bps)
{
	u64 bps = line_bps >> cc_test_below(r, 6);

	return bps - cc_test_below(r, line_bps >> 6);
}

/* What a packet may be late in the test below: a rate changes at any ns between two
 * packets, up to 2 ns after the second one's time, which itself is rounded up. One
 * that is late already leaves at once.
 */
#define PACER_LATE_NS	3

/* Two rates in turn, of which neither takes whole ns for a packet, or random ones
 * between 1/64 of the line and all of it.
 */
static void pacer_integral(struct kunit *test, u64 line_bps, bool random)
{
	struct pacer_run run = {
		.p = { .since_ns = 1000, .rate_bps = line_bps }, .now_ns = 1000,
	};
	struct cc_test_prng r = { .state = line_bps + random };
	s64 most = 0, least = 0;
	u64 rate_bps, span_ns;
	int i;

	for (i = 0; i < PACER_PKTS; i++) {
		pacer_run_send(&run, i % 3 ? 1106 : 82);
		span_ns = 1;
		if (rxe_cc_pacer_hold(&run.p, run.now_ns))
			span_ns = rxe_cc_pacer_due_ns(&run.p) - run.now_ns +
				  PACER_LATE_NS;
		pacer_run_until(&run, run.now_ns + cc_test_below(&r, span_ns));
		rate_bps = random ? pacer_random_rate(&r, line_bps) :
				    line_bps - i % 2 * (line_bps / 7);
		rxe_cc_pacer_set_rate(&run.p, run.now_ns, rate_bps);
		if (rxe_cc_pacer_hold(&run.p, run.now_ns))
			pacer_run_until(&run, rxe_cc_pacer_due_ns(&run.p));
		most = max(most, run.ahead_nbit);
		least = min(least, run.ahead_nbit);
	}
	kunit_info(test, "%llu bit/s, %s: from %lld to %lld x 10^-9 bit\n",
		   line_bps, random ? "random" : "in turn", least, most);
	/* A packet never leaves before its time; how late it does is made up for, not
	 * added up. At 800 Gbit/s 3 ns are 300 bytes, less than a packet.
	 */
	KUNIT_EXPECT_LE(test, most, 0LL);
	KUNIT_EXPECT_GT(test, least, -PACER_LATE_NS * (s64)line_bps);
}

static void pacer_set_rate__integral(struct kunit *test)
{
	static const u64 line_gbit[] = { 10, 25, 40, 100, 200, 400, 800 };
	int i;

	for (i = 0; i < ARRAY_SIZE(line_gbit); i++) {
		pacer_integral(test, GBIT(line_gbit[i]), false);
		pacer_integral(test, GBIT(line_gbit[i]), true);
	}
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
	KUNIT_CASE(pacer_due__table),
	KUNIT_CASE(pacer_charge__long_run),
	KUNIT_CASE(pacer_charge__late),
	KUNIT_CASE(pacer_charge__idle),
	KUNIT_CASE(pacer_charge__overslept),
	KUNIT_CASE(pacer_charge__century),
	KUNIT_CASE(pacer_charge__young_clock),
	KUNIT_CASE(pacer_set_rate__scales_the_wait),
	KUNIT_CASE_SLOW(pacer_set_rate__integral),
	KUNIT_CASE(pacer_window_rate__table),
	{}
};

static struct kunit_suite pacer_suite = {
	.name = "rxe_cc_pacer",
	.test_cases = pacer_cases,
};

kunit_test_suite(pacer_suite);
