/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fixed-point arithmetic for congestion control.
 *
 * Values are unsigned 64 bit unless said otherwise. A number in "Q n" is an integer
 * that stands for itself / 2^n. Five scales are in use:
 *
 *	Q24	parameters and what people see; range 0 to 2^40, step 6e-8
 *	Q32	ratios that may exceed 1 (utilization, window / bandwidth-delay
 *		product); range 0 to 2^32, step 2.4e-10
 *	Q36	loads and powers of a port that are averaged over many samples; range 0 to
 *		2^28, step 1.5e-11
 *	Q48	arguments of exponential functions, signed; range +-32768, step 3.6e-15
 *	Q62	fractions of at most 1 that are multiplied many times (alpha and
 *		powers of 1 - g); range 0 to 4, step 2.2e-19
 *
 * Every product is formed with 128 bits, so a finer scale costs nothing, and
 * every function saturates: there is no input for which a result wraps or a
 * division traps. (x86's 128/64-bit division, which mul_u64_u64_div_u64() is,
 * traps when the quotient does not fit, so the test for that comes first.)
 * Products and quotients are rounded to nearest, half up, unless the name says
 * otherwise.
 *
 * Rates are bit/s, times ns, sizes bytes, as everywhere in rxe_cc. What 800 Gbit/s
 * carry in five years still fits.
 */
#ifndef _RXE_CC_CC_MATH_H
#define _RXE_CC_CC_MATH_H

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/types.h>

#define RXE_CC_Q24_SHIFT	24
#define RXE_CC_Q32_SHIFT	32
#define RXE_CC_Q36_SHIFT	36
#define RXE_CC_Q48_SHIFT	48
#define RXE_CC_Q62_SHIFT	62
#define RXE_CC_Q24_ONE		BIT_ULL(RXE_CC_Q24_SHIFT)
#define RXE_CC_Q32_ONE		BIT_ULL(RXE_CC_Q32_SHIFT)
#define RXE_CC_Q48_ONE		BIT_ULL(RXE_CC_Q48_SHIFT)
#define RXE_CC_Q62_ONE		BIT_ULL(RXE_CC_Q62_SHIFT)

/* bit/s x ns / this = bytes */
#define RXE_CC_BIT_NS_PER_BYTE	8000000000ULL

/**
 * rxe_cc_sat_add() - a + b, at most U64_MAX
 * @a: first term
 * @b: second term
 *
 * Return: the sum, saturated.
 */
static inline u64 rxe_cc_sat_add(u64 a, u64 b)
{
	return a > U64_MAX - b ? U64_MAX : a + b;
}

/**
 * rxe_cc_sat_sub() - a - b, at least 0
 * @a: what to subtract from
 * @b: what to subtract
 *
 * Return: the difference, saturated.
 */
static inline u64 rxe_cc_sat_sub(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

/**
 * rxe_cc_mul_q() - product of which one factor is in Q @shift
 * @a: a value on any scale; the result has the same
 * @b: factor in Q @shift
 * @shift: 0 to 63
 *
 * Return: a x b / 2^shift to nearest, saturated at U64_MAX.
 */
static inline u64 rxe_cc_mul_q(u64 a, u64 b, unsigned int shift)
{
	u64 high = mul_u64_u64_shr(a, b, 64);
	u64 low = a * b;	/* the low half; meant to wrap */
	u64 half = shift ? 1ULL << (shift - 1) : 0;
	u64 sum = low + half;

	high += sum < low;
	if (shift ? high >> shift : high)
		return U64_MAX;
	return shift ? (high << (64 - shift)) | (sum >> shift) : sum;
}

/**
 * rxe_cc_muldiv() - a x b / c with a 128-bit product
 * @a: factor
 * @b: factor
 * @c: divisor; 0 gives U64_MAX, or 0 when the product is 0 too
 *
 * Return: the quotient rounded down, saturated at U64_MAX.
 */
static inline u64 rxe_cc_muldiv(u64 a, u64 b, u64 c)
{
	if (!a || !b)
		return 0;
	if (mul_u64_u64_shr(a, b, 64) >= c)
		return U64_MAX;
	/*
	 * The one of x86 is mulq and divq. Where the compiler knows that a and c are equal it
	 * may keep c in the register that mulq overwrites.
	 */
	OPTIMIZER_HIDE_VAR(c);
	return mul_u64_u64_div_u64(a, b, c);
}

/**
 * rxe_cc_muldiv_up() - as rxe_cc_muldiv(), rounded up
 * @a: factor
 * @b: factor
 * @c: divisor; 0 gives U64_MAX, or 0 when the product is 0 too
 *
 * Return: the quotient rounded up, saturated at U64_MAX.
 */
static inline u64 rxe_cc_muldiv_up(u64 a, u64 b, u64 c)
{
	u64 quot = rxe_cc_muldiv(a, b, c);

	/* The low halves are equal exactly when nothing was rounded away. */
	if (quot != U64_MAX && quot * c != a * b)
		quot++;
	return quot;
}

/**
 * rxe_cc_div_round() - a / b to nearest
 * @a: dividend
 * @b: divisor; 0 gives U64_MAX, or 0 when @a is 0 too
 *
 * Return: the quotient to nearest.
 */
static inline u64 rxe_cc_div_round(u64 a, u64 b)
{
	u64 quot, rem;

	if (!b)
		return a ? U64_MAX : 0;
	quot = div64_u64_rem(a, b, &rem);
	return quot + (rem >= b - rem);
}

/**
 * rxe_cc_ratio_q() - a / b in Q @shift
 * @a: dividend
 * @b: divisor; 0 gives U64_MAX, or 0 when @a is 0 too
 * @shift: scale of the result, 0 to 63
 *
 * Return: the ratio rounded down, saturated at U64_MAX.
 */
static inline u64 rxe_cc_ratio_q(u64 a, u64 b, unsigned int shift)
{
	return rxe_cc_muldiv(a, 1ULL << shift, b);
}

/**
 * rxe_cc_sqrt_q24() - square root
 * @x: Q24
 *
 * About 30 steps of a shift and a subtraction. The result is exact but for rounding
 * down to 2^-24 where @x is below 65536, and to 2^-12 above.
 *
 * Return: the root in Q24, at most 2^44.
 */
static inline u64 rxe_cc_sqrt_q24(u64 x)
{
	if (x >> (64 - RXE_CC_Q24_SHIFT))
		return (u64)int_sqrt64(x) << (RXE_CC_Q24_SHIFT / 2);
	return int_sqrt64(x << RXE_CC_Q24_SHIFT);
}

/**
 * rxe_cc_pow_q62() - power of a fraction
 * @x: fraction in Q62, at most RXE_CC_Q62_ONE
 * @n: exponent; x^0 is 1, also for x = 0
 *
 * At most 64 squarings, so that thousands of periods without an event are
 * worth one call. Each product is off by at most 2^-63; measured against
 * multiplying one by one the result is within 2^-50 for any @n.
 *
 * Return: x^n in Q62.
 */
static inline u64 rxe_cc_pow_q62(u64 x, u64 n)
{
	u64 result = RXE_CC_Q62_ONE;

	while (n && result) {
		if (n & 1)
			result = rxe_cc_mul_q(result, x, RXE_CC_Q62_SHIFT);
		x = rxe_cc_mul_q(x, x, RXE_CC_Q62_SHIFT);
		n >>= 1;
	}
	return result;
}

/**
 * rxe_cc_ewma_q62() - (1 - w) old + w new
 * @old: old value, any scale, less than 2^63
 * @new: new value, same scale
 * @w: weight of @new in Q62, at most RXE_CC_Q62_ONE
 *
 * Return: the average on the scale of @old and @new.
 */
static inline u64 rxe_cc_ewma_q62(u64 old, u64 new, u64 w)
{
	return rxe_cc_mul_q(old, RXE_CC_Q62_ONE - w, RXE_CC_Q62_SHIFT) +
	       rxe_cc_mul_q(new, w, RXE_CC_Q62_SHIFT);
}

/* ln 2 in Q48, to nearest. */
#define RXE_CC_LN2_Q48		195103586505167ULL
/* Terms of the series for e^-z, z <= ln 2, beyond the first: the next one is below
 * 2^-61.
 */
#define RXE_CC_EXP_TERMS	16

/**
 * rxe_cc_exp_neg_q62() - e^-x
 * @x_q48: x >= 0, in Q48
 *
 * x = n ln 2 + z, hence e^-x = 2^-n e^-z; e^-z by its series in nested form,
 * 1 - z (1 - z/2 (1 - z/3 (...))). Within 2^-43 of the true value: ln 2 is off by 2^-50
 * and taken up to 62 times.
 *
 * Return: e^-x in Q62, 0 from where it rounds to that.
 */
static inline u64 rxe_cc_exp_neg_q62(u64 x_q48)
{
	u64 n = div64_u64(x_q48, RXE_CC_LN2_Q48);
	u64 z_q62 = (x_q48 - n * RXE_CC_LN2_Q48) <<
		    (RXE_CC_Q62_SHIFT - RXE_CC_Q48_SHIFT);
	u64 sum = RXE_CC_Q62_ONE;
	u32 k;

	if (n > RXE_CC_Q62_SHIFT)
		return 0;
	for (k = RXE_CC_EXP_TERMS; k; k--)
		sum = RXE_CC_Q62_ONE -
		      div_u64(rxe_cc_mul_q(z_q62, sum, RXE_CC_Q62_SHIFT), k);
	return n ? ((sum >> (n - 1)) + 1) >> 1 : sum;
}

/* |x|, also of the number that has no negative. */
static inline u64 __rxe_cc_abs(s64 x)
{
	return x < 0 ? -(u64)x : x;
}

/**
 * rxe_cc_sigmoid_q62() - 1 / (1 + e^-x)
 * @x_q48: x in Q48
 *
 * Far below 0 it keeps the precision of e^x.
 *
 * Return: the sigmoid in Q62, from 0 to RXE_CC_Q62_ONE.
 */
static inline u64 rxe_cc_sigmoid_q62(s64 x_q48)
{
	u64 e = rxe_cc_exp_neg_q62(__rxe_cc_abs(x_q48));

	return rxe_cc_muldiv(x_q48 < 0 ? e : RXE_CC_Q62_ONE, RXE_CC_Q62_ONE,
			     RXE_CC_Q62_ONE + e);
}

/**
 * rxe_cc_tanh_q62() - hyperbolic tangent
 * @x_q48: x in Q48
 *
 * (1 - e^-2x) / (1 + e^-2x). KUnit compares every 2^-16 from 0 to 16 with the addition
 * theorem: off by less than 1e-12.
 *
 * Return: tanh x in Q62, from -RXE_CC_Q62_ONE to RXE_CC_Q62_ONE.
 */
static inline s64 rxe_cc_tanh_q62(s64 x_q48)
{
	u64 e = rxe_cc_exp_neg_q62(rxe_cc_mul_q(__rxe_cc_abs(x_q48), 2, 0));
	s64 tanh = rxe_cc_muldiv(RXE_CC_Q62_ONE - e, RXE_CC_Q62_ONE,
				 RXE_CC_Q62_ONE + e);

	return x_q48 < 0 ? -tanh : tanh;
}

/**
 * rxe_cc_bytes_in() - bytes that a rate carries in a time
 * @rate_bps: rate
 * @ns: time
 *
 * Return: wire bytes, rounded down, saturated.
 */
static inline u64 rxe_cc_bytes_in(u64 rate_bps, u64 ns)
{
	return rxe_cc_muldiv(rate_bps, ns, RXE_CC_BIT_NS_PER_BYTE);
}

/**
 * rxe_cc_ns_for() - time that bytes take at a rate
 * @bytes: wire bytes
 * @rate_bps: rate; 0 gives U64_MAX
 *
 * Return: ns, rounded up (a packet is not out before its last bit), saturated.
 */
static inline u64 rxe_cc_ns_for(u64 bytes, u64 rate_bps)
{
	return rxe_cc_muldiv_up(bytes, RXE_CC_BIT_NS_PER_BYTE, rate_bps);
}

/**
 * rxe_cc_rate_of() - rate of bytes in a time
 * @bytes: wire bytes
 * @ns: time; 0 gives U64_MAX
 *
 * Return: bit/s, rounded down, saturated.
 */
static inline u64 rxe_cc_rate_of(u64 bytes, u64 ns)
{
	return rxe_cc_muldiv(bytes, RXE_CC_BIT_NS_PER_BYTE, ns);
}

/**
 * rxe_cc_load_q36() - bytes as a part of what a rate carries in a time
 * @bytes: wire bytes
 * @rate_bps: rate
 * @ns: time; with a rate or a time of 0, U64_MAX, or 0 when @bytes is 0 too
 *
 * One division, with halves of 8e9 and one bit more of scale, because 2^32 x 8e9 exceeds 64
 * bits and half of it does not. What exceeds 64 bits loses its low end, and the other as much.
 *
 * Return: bytes / (rate x time) in Q36, rounded down, saturated.
 */
static inline u64 rxe_cc_load_q36(u64 bytes, u64 rate_bps, u64 ns)
{
	const u64 half = RXE_CC_BIT_NS_PER_BYTE / 2;
	u64 high = mul_u64_u64_shr(rate_bps, ns, 64) | mul_u64_u64_shr(bytes, half, 64);
	u64 num = bytes * half, den = rate_bps * ns;

	if (unlikely(high)) {
		den = mul_u64_u64_shr(rate_bps, ns, fls64(high));
		num = mul_u64_u64_shr(bytes, half, fls64(high));
	}
	return rxe_cc_muldiv(num, BIT_ULL(RXE_CC_Q36_SHIFT + 1), den);
}

/* Packet sequence numbers have 24 bits. */
#define RXE_CC_PSN_MASK		0xffffffU

/**
 * rxe_cc_psn_diff() - how far one PSN is after another
 * @a: PSN; bits above the 24th do not count
 * @b: the other
 *
 * Return: a - b, from -2^23 to 2^23 - 1; negative when @a is before @b.
 */
static inline s32 rxe_cc_psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << 8) >> 8;
}

#endif /* _RXE_CC_CC_MATH_H */
