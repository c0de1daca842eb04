/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Serialiser arithmetic: exact instants on a line of any rate.
 *
 * A packet of W wire bytes occupies a line of R bit/s for 8e9 * W / R ns,
 * which is rarely an integer: 82 bytes at 100 Gbit/s are 6.56 ns. A binary
 * fraction would round every packet; here the remainder of the division is
 * kept instead, as a count of 1/R ns. Sums are then exact for as long as the
 * rate stays, and one packet costs one 64-bit division and no wide product.
 *
 * Range: W < 2^24 and R between 1 Mbit/s and 800 Gbit/s (< 2^40) give a
 * dividend below 2^24 * 8e9 < 2^57.
 */
#ifndef _ROCE_SERIALIZATION_H
#define _ROCE_SERIALIZATION_H

#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>

/**
 * struct roce_time - an instant or a span: ns + rem / rate nanoseconds
 * @ns: whole nanoseconds
 * @rem: in 1/rate ns, always below the rate that it was made with
 */
struct roce_time {
	u64 ns;
	u64 rem;
};

/**
 * roce_serial_span - how long a packet occupies the line
 * @rate_bps: line rate in bit/s, not zero
 * @wire_bytes: everything that the packet puts on the line, below 2^24
 *
 * Return: the exact span, with its remainder in 1/@rate_bps ns.
 */
static inline struct roce_time roce_serial_span(u64 rate_bps, u32 wire_bytes)
{
	struct roce_time span;

	span.ns = div64_u64_rem((u64)wire_bytes * (8 * NSEC_PER_SEC), rate_bps, &span.rem);
	return span;
}

/**
 * roce_time_add - move an instant later
 * @t: instant, changed in place
 * @span: how much later
 * @rate_bps: rate that both remainders refer to
 *
 * Without a branch: whether the remainders make a nanosecond is a coin toss.
 */
static inline void roce_time_add(struct roce_time *t, struct roce_time span, u64 rate_bps)
{
	u64 rem = t->rem + span.rem;
	u64 carry = rem >= rate_bps;

	t->ns += span.ns + carry;
	t->rem = rem - (-carry & rate_bps);
}

struct roce_time roce_serial_sum(u64 rate_bps, u64 wire_bytes);
u64 roce_serial_bytes(u64 rate_bps, struct roce_time span);
void roce_time_sub(struct roce_time *t, struct roce_time span, u64 rate_bps);
void roce_time_rescale(struct roce_time *t, u64 old_bps, u64 new_bps);

/**
 * roce_time_ceil - first clock reading that is not before @t
 * @t: instant
 *
 * Return: nanoseconds, rounded up.
 */
static inline u64 roce_time_ceil(const struct roce_time *t)
{
	return t->ns + !!t->rem;
}

/**
 * roce_time_after - order of two instants
 * @a: instant
 * @b: instant, its remainder referring to the same rate
 *
 * Return: @a is later than @b.
 */
static inline bool roce_time_after(const struct roce_time *a, const struct roce_time *b)
{
	return a->ns != b->ns ? a->ns > b->ns : a->rem > b->rem;
}

#endif /* _ROCE_SERIALIZATION_H */
