// SPDX-License-Identifier: GPL-2.0
/*
 * ECN (explicit congestion notification): the marking ramp as a table and as frequencies, and CE
 * set in real headers.
 */
#include <kunit/test.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/prandom.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>

#include "features/ecn/roce_ecn.h"
#include "roce_test_packets.h"

#define PPM(x)	((u64)(x) * ROCE_ECN_ALWAYS / ROCE_ECN_PPM)

static void roce_ecn_threshold__table(struct kunit *test)
{
	static const struct {
		struct roce_ecn_ramp ramp;
		u64 queue;
		u64 threshold;
	} table[] = {
		{ { 40960, 163840, 200000 }, 0, 0 },
		{ { 40960, 163840, 200000 }, 40960, 0 },
		{ { 40960, 163840, 200000 }, 102400, PPM(100000) },
		{ { 40960, 163840, 200000 }, 163840, PPM(200000) },
		{ { 40960, 163840, 200000 }, 163841, ROCE_ECN_ALWAYS },
		{ { 1000, 1000, 500000 }, 1000, 0 },
		{ { 1000, 1000, 500000 }, 1001, ROCE_ECN_ALWAYS },
		{ { 0, 0, 0 }, 0, 0 },
		{ { 0, 0, 0 }, 1, ROCE_ECN_ALWAYS },
		{ { 0, 1000, 1000000 }, 1000, ROCE_ECN_ALWAYS },
		{ { 0, 1000, 1000000 }, 250, PPM(250000) },
		{ { 0, 1000, 0 }, 1000, 0 },
		/* widest values: no overflow */
		{ { 0, U32_MAX, 1000000 }, U32_MAX, ROCE_ECN_ALWAYS },
		{ { U32_MAX, U32_MAX, 1000000 }, U32_MAX, 0 },
		{ { 0, U32_MAX, 1000000 }, 1ULL << 33, ROCE_ECN_ALWAYS },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		u64 t = roce_ecn_threshold(&table[i].ramp, table[i].queue);

		KUNIT_EXPECT_EQ_MSG(test, t, table[i].threshold, "row %d", i);
	}
}

/* 200000 draws at five queue lengths: within 4 standard deviations. */
static void roce_ecn_threshold__frequency(struct kunit *test)
{
	static const struct roce_ecn_ramp ramp = { 40960, 163840, 200000 };
	static const struct {
		u64 queue;
		u32 expect;
		u32 margin;
	} table[] = {
		{ 40000, 0, 0 },
		{ 53248, 4000, 251 },
		{ 102400, 20000, 537 },
		{ 151552, 36000, 687 },
		{ 200000, 200000, 0 },
	};
	struct rnd_state rnd;
	int i, n;

	prandom_seed_state(&rnd, 1);
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		u64 threshold = roce_ecn_threshold(&ramp, table[i].queue);
		u32 marks = 0;

		for (n = 0; n < 200000; n++)
			marks += prandom_u32_state(&rnd) < threshold;
		KUNIT_EXPECT_LE_MSG(test, abs_diff(marks, table[i].expect),
				    table[i].margin, "row %d: %u marks", i,
				    marks);
	}
}

static void roce_ecn_set_ce__ipv4(struct kunit *test)
{
	static const struct {
		u8 before, after;
		enum roce_ecn_result result;
	} table[] = {
		{ 26 << 2 | INET_ECN_ECT_0, 26 << 2 | INET_ECN_CE,
		  ROCE_ECN_MARKED },
		{ 26 << 2 | INET_ECN_ECT_1, 26 << 2 | INET_ECN_CE,
		  ROCE_ECN_MARKED },
		{ 26 << 2 | INET_ECN_CE, 26 << 2 | INET_ECN_CE,
		  ROCE_ECN_WAS_CE },
		{ 26 << 2, 26 << 2, ROCE_ECN_NOT_ECT },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct sk_buff *skb = roce_test_ipv4(test, table[i].before, 100);

		KUNIT_EXPECT_EQ(test, roce_ecn_set_ce(skb), table[i].result);
		KUNIT_EXPECT_EQ(test, ip_hdr(skb)->tos, table[i].after);
		KUNIT_EXPECT_TRUE(test, !ip_fast_csum(ip_hdr(skb), 5));
		kfree_skb(skb);
	}
}

static void roce_ecn_set_ce__ipv6(struct kunit *test)
{
	struct sk_buff *skb;

	skb = roce_test_ipv6(test, 26 << 2 | INET_ECN_ECT_0, 100);
	KUNIT_EXPECT_EQ(test, roce_ecn_set_ce(skb), ROCE_ECN_MARKED);
	KUNIT_EXPECT_EQ(test, ipv6_get_dsfield(ipv6_hdr(skb)),
			26 << 2 | INET_ECN_CE);
	kfree_skb(skb);

	skb = roce_test_ipv6(test, 26 << 2, 100);
	KUNIT_EXPECT_EQ(test, roce_ecn_set_ce(skb), ROCE_ECN_NOT_ECT);
	kfree_skb(skb);
}

/* A capture holds a clone: it must keep seeing what it saw. */
static void roce_ecn_set_ce__clone(struct kunit *test)
{
	struct sk_buff *skb, *clone;

	skb = roce_test_ipv4(test, 26 << 2 | INET_ECN_ECT_0, 100);
	clone = skb_clone(skb, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, clone);

	KUNIT_EXPECT_EQ(test, roce_ecn_set_ce(skb), ROCE_ECN_MARKED);
	KUNIT_EXPECT_EQ(test, ip_hdr(skb)->tos & INET_ECN_MASK, INET_ECN_CE);
	KUNIT_EXPECT_EQ(test, ip_hdr(clone)->tos & INET_ECN_MASK,
			INET_ECN_ECT_0);
	kfree_skb(skb);
	kfree_skb(clone);
}

static void roce_ecn_set_ce__not_ip(struct kunit *test)
{
	struct sk_buff *skb = roce_test_frame(test, htons(ETH_P_ARP), 60);

	KUNIT_EXPECT_EQ(test, roce_ecn_set_ce(skb), ROCE_ECN_NOT_ECT);
	kfree_skb(skb);
}

static struct kunit_case roce_ecn_cases[] = {
	KUNIT_CASE(roce_ecn_threshold__table),
	KUNIT_CASE(roce_ecn_threshold__frequency),
	KUNIT_CASE(roce_ecn_set_ce__ipv4),
	KUNIT_CASE(roce_ecn_set_ce__ipv6),
	KUNIT_CASE(roce_ecn_set_ce__clone),
	KUNIT_CASE(roce_ecn_set_ce__not_ip),
	{}
};

static struct kunit_suite roce_ecn_suite = {
	.name = "roce_ecn",
	.test_cases = roce_ecn_cases,
};

kunit_test_suite(roce_ecn_suite);
