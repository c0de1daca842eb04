/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pseudo-random number generator, the same in KUnit suites and in the user-space programs that
 * write their tables.
 */
#ifndef _RXE_CC_PRNG_H
#define _RXE_CC_PRNG_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;
#endif

struct cc_test_prng {
	u64 state;
};

static inline u64 cc_test_rand(struct cc_test_prng *r)
{
	u64 z = r->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* Uniform in [0, n), but for a bias below n / 2^64. */
static inline u64 cc_test_below(struct cc_test_prng *r, u64 n)
{
	return cc_test_rand(r) % n;
}

/* A random number shifted right by @from to @from + @nr - 1 bits. Two calls in one expression
 * would come in the order that the compiler likes, and tables are made by another build.
 */
static inline u64 cc_test_shifted(struct cc_test_prng *r, u32 from, u32 nr)
{
	u64 z = cc_test_rand(r);

	return z >> (from + cc_test_below(r, nr));
}

/* All orders of magnitude alike: a random number of random bits. */
static inline u64 cc_test_wild(struct cc_test_prng *r)
{
	return cc_test_shifted(r, 0, 64);
}

#endif /* _RXE_CC_PRNG_H */
