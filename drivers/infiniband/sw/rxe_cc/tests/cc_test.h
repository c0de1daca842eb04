/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the KUnit suites of rxe_cc. */
#ifndef _RXE_CC_TEST_H
#define _RXE_CC_TEST_H

#include <kunit/test.h>
#include <linux/string.h>
#include <linux/types.h>
#include <rxe_cc/cc.h>

/* A generator of its own: the same sequence on every kernel and machine. */
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

/* All orders of magnitude alike: a random number of random bits. */
static inline u64 cc_test_wild(struct cc_test_prng *r)
{
	return cc_test_rand(r) >> cc_test_below(r, 64);
}

/* For KUNIT_CASE_PARAM: one run for each registered algorithm. */
static inline const void *cc_test_algo_gen(const void *prev, char *desc)
{
	const struct rxe_cc_ops *ops = rxe_cc_test_next_algo(prev);

	if (ops)
		strscpy(desc, ops->name, KUNIT_PARAM_DESC_SIZE);
	return ops;
}

#endif /* _RXE_CC_TEST_H */
