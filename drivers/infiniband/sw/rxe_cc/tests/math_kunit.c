// SPDX-License-Identifier: GPL-2.0
/*
 * Tables for the fixed-point arithmetic of cc_math.h, and for the interval between CNPs of the
 * notification point.
 */
#include <kunit/test.h>
#include <rxe_cc/cc.h>
#include <rxe_cc/cc_math.h>

#include "cc_test.h"

struct op_case {
	u64 a, b, c, want;
};

static void math__sat(struct kunit *test)
{
	static const struct op_case add[] = {
		{ 0, 0, 0, 0 }, { 1, 2, 0, 3 }, { U64_MAX, 0, 0, U64_MAX },
		{ U64_MAX, 1, 0, U64_MAX }, { U64_MAX - 1, 1, 0, U64_MAX },
		{ U64_MAX, U64_MAX, 0, U64_MAX },
	};
	static const struct op_case sub[] = {
		{ 0, 0, 0, 0 }, { 3, 2, 0, 1 }, { 2, 3, 0, 0 },
		{ U64_MAX, 1, 0, U64_MAX - 1 }, { 0, U64_MAX, 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(add); i++)
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_sat_add(add[i].a, add[i].b),
				    add[i].want, "row %u", i);
	for (i = 0; i < ARRAY_SIZE(sub); i++)
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_sat_sub(sub[i].a, sub[i].b),
				    sub[i].want, "row %u", i);
}

/* To nearest, half up, as units.md says and rxecc does. */
static void math__q24(struct kunit *test)
{
	static const struct op_case t[] = {
		{ RXE_CC_Q24(0, 1), 0, 0, 0 },
		{ RXE_CC_Q24(1, 1), 0, 0, RXE_CC_Q24_ONE },
		{ RXE_CC_Q24(1, 2), 0, 0, RXE_CC_Q24_ONE / 2 },
		{ RXE_CC_Q24(255, 256), 0, 0, 16711680 },
		{ RXE_CC_Q24(1019, 1024), 0, 0, 16695296 },
		{ RXE_CC_Q24(1, 3), 0, 0, 5592405 },		/* .33 down */
		{ RXE_CC_Q24(2, 3), 0, 0, 11184811 },		/* .67 up */
		{ RXE_CC_Q24(4, 5), 0, 0, 13421773 },		/* .8 up */
		{ RXE_CC_Q24(95, 100), 0, 0, 15938355 },	/* .2 down */
		{ RXE_CC_Q24(99, 100), 0, 0, 16609444 },	/* .84 up */
		{ RXE_CC_Q24(1, 1 << 25), 0, 0, 1 },		/* .5 up */
		{ RXE_CC_Q24(1, (1 << 25) + 1), 0, 0, 0 },
		{ RXE_CC_Q24(3, 1 << 25), 0, 0, 2 },		/* 1.5 up */
		/* The largest numerator whose product fits. */
		{ RXE_CC_Q24((1ULL << 39) - 1, 1), 0, 0,
		  ((1ULL << 39) - 1) << 24 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		KUNIT_EXPECT_EQ_MSG(test, t[i].a, t[i].want, "row %u", i);
}

static void math__mul_q(struct kunit *test)
{
	static const struct op_case t[] = {
		/* a, b, shift */
		{ 0, U64_MAX, 24, 0 },
		{ 7, 9, 0, 63 },
		{ U64_MAX, 1, 0, U64_MAX },
		{ U64_MAX, 2, 0, U64_MAX },
		{ 3, 1, 1, 2 },				/* 1.5 up */
		{ 5, 1, 2, 1 },				/* 1.25 down */
		{ 100000000000ULL, RXE_CC_Q24(1, 2), 24, 50000000000ULL },
		{ 100000000000ULL, RXE_CC_Q62_ONE, 62, 100000000000ULL },
		{ RXE_CC_Q62_ONE, RXE_CC_Q62_ONE, 62, RXE_CC_Q62_ONE },
		{ U64_MAX, RXE_CC_Q62_ONE, 62, U64_MAX },
		{ U64_MAX, RXE_CC_Q62_ONE + 1, 62, U64_MAX },
		{ U64_MAX, U64_MAX, 62, U64_MAX },
		{ U64_MAX, U64_MAX, 63, U64_MAX },
		{ 1ULL << 63, 1ULL << 63, 63, 1ULL << 63 },
		{ 1ULL << 40, 1ULL << 40, 32, 1ULL << 48 },
		{ 1, 1ULL << 61, 62, 1 },		/* 0.5 up */
		{ 1, (1ULL << 61) - 1, 62, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_mul_q(t[i].a, t[i].b, t[i].c),
				    t[i].want, "row %u", i);
}

static void math__muldiv(struct kunit *test)
{
	static const struct op_case t[] = {
		{ 0, 0, 0, 0 }, { 0, 5, 0, 0 }, { 5, 1, 0, U64_MAX },
		{ 6, 7, 4, 10 }, { U64_MAX, U64_MAX, U64_MAX, U64_MAX },
		{ U64_MAX, U64_MAX, U64_MAX - 1, U64_MAX },
		{ U64_MAX, 3, 2, U64_MAX }, { U64_MAX, 2, 3, 0xaaaaaaaaaaaaaaaaULL },
		{ 1ULL << 63, 2, 1ULL << 63, 2 },
		{ 1ULL << 32, 1ULL << 32, 1, U64_MAX },
		{ 1ULL << 32, 1ULL << 32, 2, 1ULL << 63 },
	};
	static const struct op_case up[] = {
		{ 0, 5, 0, 0 }, { 5, 1, 0, U64_MAX }, { 6, 7, 4, 11 },
		{ 6, 2, 4, 3 }, { 1, 1, U64_MAX, 1 },
		{ U64_MAX, U64_MAX, U64_MAX, U64_MAX },
		{ 1ULL << 32, 1ULL << 32, 2, 1ULL << 63 },
		{ U64_MAX, 2, 3, 0xaaaaaaaaaaaaaaaaULL },
		{ U64_MAX, 2, 4, 1ULL << 63 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_muldiv(t[i].a, t[i].b, t[i].c),
				    t[i].want, "row %u", i);
	for (i = 0; i < ARRAY_SIZE(up); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    rxe_cc_muldiv_up(up[i].a, up[i].b, up[i].c),
				    up[i].want, "up row %u", i);
}

static void math__div_round(struct kunit *test)
{
	static const struct op_case t[] = {
		{ 0, 0, 0, 0 }, { 1, 0, 0, U64_MAX }, { 5, 2, 0, 3 },
		{ 4, 3, 0, 1 }, { 5, 3, 0, 2 }, { U64_MAX, 1, 0, U64_MAX },
		{ U64_MAX, U64_MAX, 0, 1 }, { 1, 2, 0, 1 },
		{ U64_MAX / 2, U64_MAX, 0, 0 }, { U64_MAX / 2 + 1, U64_MAX, 0, 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_div_round(t[i].a, t[i].b),
				    t[i].want, "row %u", i);
	KUNIT_EXPECT_EQ(test, rxe_cc_ratio_q(1, 2, 24), 1ULL << 23);
	KUNIT_EXPECT_EQ(test, rxe_cc_ratio_q(3, 1, 32), 3ULL << 32);
	KUNIT_EXPECT_EQ(test, rxe_cc_ratio_q(1, 0, 24), U64_MAX);
	KUNIT_EXPECT_EQ(test, rxe_cc_ratio_q(0, 0, 24), 0ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_ratio_q(U64_MAX, 1, 1), U64_MAX);
}

/* The power must be what one multiplication a period gives. */
static void math__pow(struct kunit *test)
{
	static const u64 keep_q24[] = {
		RXE_CC_Q24(1019, 1024), RXE_CC_Q24(255, 256),
		RXE_CC_Q24(1, 2), RXE_CC_Q24((1 << 24) - 1, 1 << 24),
	};
	u64 worst = 0;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(keep_q24); i++) {
		u64 keep = keep_q24[i] << 38, one_by_one = RXE_CC_Q62_ONE;

		for (n = 0; n < 20000; n++) {
			u64 pow = rxe_cc_pow_q62(keep, n);
			u64 diff = pow > one_by_one ? pow - one_by_one :
						      one_by_one - pow;

			worst = max(worst, diff);
			one_by_one = rxe_cc_mul_q(one_by_one, keep,
						  RXE_CC_Q62_SHIFT);
		}
	}
	kunit_info(test, "worst difference %llu x 2^-62", worst);
	KUNIT_EXPECT_LE(test, worst, 1ULL << 15);
	KUNIT_EXPECT_EQ(test, rxe_cc_pow_q62(0, 0), RXE_CC_Q62_ONE);
	KUNIT_EXPECT_EQ(test, rxe_cc_pow_q62(0, 1), 0ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_pow_q62(RXE_CC_Q62_ONE, U64_MAX),
			RXE_CC_Q62_ONE);
	KUNIT_EXPECT_EQ(test, rxe_cc_pow_q62(RXE_CC_Q62_ONE / 2, 62), 1ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_pow_q62(RXE_CC_Q62_ONE / 2, U64_MAX), 0ULL);
}

static void math__ewma(struct kunit *test)
{
	u64 half = RXE_CC_Q62_ONE / 2;

	KUNIT_EXPECT_EQ(test, rxe_cc_ewma_q62(10, 20, 0), 10ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_ewma_q62(10, 20, RXE_CC_Q62_ONE), 20ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_ewma_q62(10, 20, half), 15ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_ewma_q62(RXE_CC_Q62_ONE, RXE_CC_Q62_ONE,
					      half / 128), RXE_CC_Q62_ONE);
}

static void math__rates(struct kunit *test)
{
	static const struct op_case bytes[] = {
		{ 100000000000ULL, 1000, 0, 12500 },
		{ 1000, 1000000000, 0, 125 }, { 1000, 1, 0, 0 },
		{ RXE_CC_RATE_MAX_BPS, 3600ULL * NSEC_PER_SEC, 0,
		  360000000000000ULL },
		{ U64_MAX, U64_MAX, 0, U64_MAX },
	};
	static const struct op_case ns[] = {
		{ 1106, 100000000000ULL, 0, 89 },	/* 88.48 */
		{ 82, RXE_CC_RATE_MAX_BPS, 0, 1 },
		{ 0, 0, 0, 0 }, { 1, 0, 0, U64_MAX },
		{ U64_MAX, 1000, 0, U64_MAX },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bytes); i++)
		KUNIT_EXPECT_EQ_MSG(test,
				    rxe_cc_bytes_in(bytes[i].a, bytes[i].b),
				    bytes[i].want, "row %u", i);
	for (i = 0; i < ARRAY_SIZE(ns); i++)
		KUNIT_EXPECT_EQ_MSG(test, rxe_cc_ns_for(ns[i].a, ns[i].b),
				    ns[i].want, "row %u", i);
	KUNIT_EXPECT_EQ(test, rxe_cc_rate_of(12500, 1000), 100000000000ULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_rate_of(1, 0), U64_MAX);
}

#define Q48(n)		((s64)(n) << RXE_CC_Q48_SHIFT)
/* tanh(2^-16) = h - h^3/3 + 2 h^5/15 - ..., in Q62 */
#define TANH_STEP	70368744172203ULL
/* What the exhaustive comparison accepts: 1e-12, a hundred millionth of the 1e-4 that is
 * asked for, in Q62.
 */
#define TANH_MAX_DIFF	4611686ULL

static u64 math_diff(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* Values from 40 decimal digits. */
static void math__exp(struct kunit *test)
{
	static const struct op_case t[] = {
		/* x, -, accepted, e^-x */
		{ 0, 0, 0, RXE_CC_Q62_ONE },
		{ Q48(1), 0, 1 << 17, 1696544475317221319ULL },
		{ Q48(20), 0, 1, 9505393342ULL },
		{ Q48(40), 0, 0, 20 },
		{ Q48(44), 0, 0, 0 },
		{ U64_MAX, 0, 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		KUNIT_EXPECT_LE_MSG(test, math_diff(rxe_cc_exp_neg_q62(t[i].a), t[i].want),
				    t[i].c, "row %u", i);
	KUNIT_EXPECT_LE(test, math_diff(rxe_cc_tanh_q62(Q48(1)), 3512233120737208491ULL),
			TANH_MAX_DIFF);
	KUNIT_EXPECT_LE(test, math_diff(rxe_cc_tanh_q62(Q48(1) / 2), 2131139233011397477ULL),
			TANH_MAX_DIFF);
	KUNIT_EXPECT_LE(test, math_diff(rxe_cc_sigmoid_q62(Q48(3)), 4392972782182692705ULL),
			TANH_MAX_DIFF);
	KUNIT_EXPECT_EQ(test, rxe_cc_tanh_q62(0), 0LL);
	KUNIT_EXPECT_EQ(test, rxe_cc_tanh_q62(S64_MAX), (s64)RXE_CC_Q62_ONE);
	KUNIT_EXPECT_EQ(test, rxe_cc_tanh_q62(S64_MIN), -(s64)RXE_CC_Q62_ONE);
	KUNIT_EXPECT_EQ(test, rxe_cc_sigmoid_q62(0), RXE_CC_Q62_ONE / 2);
	KUNIT_EXPECT_EQ(test, rxe_cc_sigmoid_q62(S64_MAX), RXE_CC_Q62_ONE);
	KUNIT_EXPECT_EQ(test, rxe_cc_sigmoid_q62(S64_MIN), 0ULL);
}

/*
 * tanh without an exponential: tanh(x + h) = (tanh x + tanh h) / (1 + tanh x tanh h),
 * whose roundings do not grow, since its derivative is below 1: 2^20 of them are 2^-41.
 * Between two points of that grid the true value differs from that of the lower one by
 * at most its distance 2^-16 = 1.5e-5, since tanh' <= 1; and so does ours, as the points
 * tried there show. So no argument has an error of 1e-4.
 */
static void math__tanh(struct kunit *test)
{
	struct cc_test_prng r = { .state = 1 };
	u64 want = 0, worst = 0, below = 0;
	s64 x;

	for (x = 0; x <= Q48(16); x += Q48(1) >> 16) {
		u64 got = rxe_cc_tanh_q62(x);
		u64 twice = 2 * rxe_cc_sigmoid_q62(2 * x) - RXE_CC_Q62_ONE;
		u64 den = RXE_CC_Q62_ONE + rxe_cc_mul_q(want, TANH_STEP, RXE_CC_Q62_SHIFT);
		u64 next = rxe_cc_muldiv(want + TANH_STEP, RXE_CC_Q62_ONE, den);
		u64 between = rxe_cc_tanh_q62(x + cc_test_below(&r, Q48(1) >> 16));

		worst = max3(worst, math_diff(got, want), math_diff(twice, want));
		if (got < below || between < got || between - got > TANH_STEP + TANH_MAX_DIFF)
			KUNIT_FAIL(test, "not monotone, or too steep, near %lld", x);
		if (-rxe_cc_tanh_q62(-x) != (s64)got)
			KUNIT_FAIL(test, "not odd at %lld", x);
		below = between;
		want = next;
	}
	kunit_info(test, "worst error of 2^20 values: %llu x 2^-62", worst);
	KUNIT_EXPECT_LE(test, worst, TANH_MAX_DIFF);
}

/* A fraction that becomes small keeps its precision: 1 - tanh x = 2 s(-2x). */
static void math__sigmoid_small(struct kunit *test)
{
	u64 step = rxe_cc_exp_neg_q62(Q48(1) / 4), e = RXE_CC_Q62_ONE;
	s64 x;

	for (x = 0; x <= Q48(20); x += Q48(1) / 4) {
		u64 want = rxe_cc_muldiv(e, RXE_CC_Q62_ONE, RXE_CC_Q62_ONE + e);

		KUNIT_EXPECT_LE(test, math_diff(rxe_cc_sigmoid_q62(-x), want),
				(want >> 36) + 81);
		e = rxe_cc_mul_q(e, step, RXE_CC_Q62_SHIFT);
	}
}

/* No input makes a division trap or a result wrap. */
static void math__wild(struct kunit *test)
{
	struct cc_test_prng r = { .state = 1 };
	unsigned int i;

	for (i = 0; i < 200000; i++) {
		u64 a = cc_test_wild(&r), b = cc_test_wild(&r);
		u64 c = cc_test_wild(&r), down, up;

		down = rxe_cc_muldiv(a, b, c);
		up = rxe_cc_muldiv_up(a, b, c);
		if (up < down || up - down > 1)
			KUNIT_FAIL(test, "muldiv(%llu, %llu, %llu): %llu, %llu",
				   a, b, c, down, up);
		/* Without overflow all ways of computing agree. */
		if (a && b > U64_MAX / a)
			continue;
		if (c && down != div64_u64(a * b, c))
			KUNIT_FAIL(test, "muldiv(%llu, %llu, %llu): %llu",
				   a, b, c, down);
		if (rxe_cc_mul_q(a, b, 8) !=
		    ((a * b) >> 8) + (((a * b) >> 7) & 1))
			KUNIT_FAIL(test, "mul_q(%llu, %llu, 8)", a, b);
	}
}

static void math__np_due(struct kunit *test)
{
	u64 last = 0;

	KUNIT_EXPECT_TRUE(test, rxe_cc_np_due(&last, 0, 4000));
	KUNIT_EXPECT_FALSE(test, rxe_cc_np_due(&last, 1, 4000));
	KUNIT_EXPECT_FALSE(test, rxe_cc_np_due(&last, 4000, 4000));
	KUNIT_EXPECT_TRUE(test, rxe_cc_np_due(&last, 4001, 4000));
	KUNIT_EXPECT_FALSE(test, rxe_cc_np_due(&last, 8000, 4000));
	KUNIT_EXPECT_TRUE(test, rxe_cc_np_due(&last, 8001, 4000));
	KUNIT_EXPECT_TRUE(test, rxe_cc_np_due(&last, 8001, 0));
}

static struct kunit_case math_cases[] = {
	KUNIT_CASE(math__sat),
	KUNIT_CASE(math__q24),
	KUNIT_CASE(math__mul_q),
	KUNIT_CASE(math__muldiv),
	KUNIT_CASE(math__div_round),
	KUNIT_CASE(math__pow),
	KUNIT_CASE(math__ewma),
	KUNIT_CASE(math__rates),
	KUNIT_CASE(math__exp),
	KUNIT_CASE(math__tanh),
	KUNIT_CASE(math__sigmoid_small),
	KUNIT_CASE(math__wild),
	KUNIT_CASE(math__np_due),
	{}
};

static struct kunit_suite math_suite = {
	.name = "rxe_cc_math",
	.test_cases = math_cases,
};

kunit_test_suite(math_suite);
