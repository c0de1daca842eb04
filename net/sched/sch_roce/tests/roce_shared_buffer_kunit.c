// SPDX-License-Identifier: GPL-2.0
/* The shared buffer's accounting: tables, and random use of many accounts. */
#include <kunit/test.h>
#include <linux/prandom.h>

#include "../roce_shared_buffer.h"
#include "../roce_port.h"
#include "roce_test_packets.h"

static void roce_mmu__threshold(struct kunit *test)
{
	/* 1000000 B, 100000 of them reserves, 300000 headrooms */
	static const struct {
		u64 shared_used;
		u32 alpha, xoff;
		bool lossless;
		u64 expected;
	} table[] = {
		{ 0, TC_ROCE_ALPHA_ONE, 0, false, 600000 },
		{ 200000, TC_ROCE_ALPHA_ONE, 0, false, 400000 },
		{ 600000, TC_ROCE_ALPHA_ONE, 0, false, 0 },
		{ 700000, TC_ROCE_ALPHA_ONE, 0, false, 0 },	/* after a change */
		{ 200000, 0, 0, false, 3200000 },		/* automatic: 8 */
		{ 200000, 0, 0, true, 50000 },			/* automatic: 1/8 */
		{ 599999, TC_ROCE_ALPHA_ONE / 2, 0, true, 0 },	/* rounded down */
		{ 200000, TC_ROCE_ALPHA_ONE / 4, 0, true, 100000 },
		{ 200000, 0, 70000, true, 70000 },
		{ 600000, 0, 70000, true, 70000 },
		{ 200000, 0, 70000, false, 3200000 },		/* only of pausing */
	};
	struct roce_mmu mmu = {
		.buffer_bytes = 1000000,
		.reserve_bytes = 100000,
		.headroom_bytes = 300000,
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_mmu_config cfg = {
			.alpha_q16 = table[i].alpha,
			.xoff_bytes = table[i].xoff,
		};

		mmu.shared_used = table[i].shared_used;
		KUNIT_EXPECT_EQ_MSG(test,
				    roce_mmu_threshold(&mmu, &cfg,
						       table[i].lossless),
				    table[i].expected, "row %d", i);
	}
	/* The largest buffer and alpha do not overflow: 2^40 * 256. */
	mmu = (struct roce_mmu){ .buffer_bytes = TC_ROCE_BUFFER_MAX };
	KUNIT_EXPECT_EQ(test,
			roce_mmu_threshold(&mmu, &(struct roce_mmu_config){
				.alpha_q16 = TC_ROCE_ALPHA_MAX }, false),
			1ULL << 48);
}

/* Reserve, shared, headroom; released the other way round. */
static void roce_mmu__order(struct kunit *test)
{
	static const struct {
		int bytes;		/* negative: a release */
		bool accepted;
		u64 reserved, shared, headroom;
	} table[] = {
		{ 600, true, 600, 0, 0 },
		{ 600, true, 1000, 200, 0 },
		{ 1500, true, 1000, 1700, 0 },
		{ 500, true, 1000, 2000, 200 },	/* threshold 2000 */
		{ 1801, false, 1000, 2000, 200 },
		{ 1800, true, 1000, 2000, 2000 },
		{ 1, false, 1000, 2000, 2000 },
		{ -500, true, 1000, 2000, 1500 },
		{ -2500, true, 1000, 1000, 0 },
		{ 900, true, 1000, 1900, 0 },
		{ -2500, true, 400, 0, 0 },
		{ -400, true, 0, 0, 0 },
	};
	struct roce_mmu_config cfg = { .xoff_bytes = 2000, .xon_bytes = 1000 };
	struct roce_mmu mmu = { .buffer_bytes = 10000 };
	struct roce_account acct = {};
	int i;

	roce_mmu_resize(&mmu, &acct, 1000, 2000);
	KUNIT_EXPECT_EQ(test, roce_mmu_shared_free(&mmu), 7000);
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		bool accepted = true;

		if (table[i].bytes < 0)
			roce_mmu_release(&mmu, &acct, -table[i].bytes);
		else
			accepted = roce_mmu_charge(&mmu, &acct, &cfg, true,
						   table[i].bytes);
		KUNIT_EXPECT_EQ_MSG(test, accepted, table[i].accepted, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, acct.reserved_bytes, table[i].reserved,
				    "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, acct.shared_bytes, table[i].shared,
				    "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, acct.headroom_bytes, table[i].headroom,
				    "row %d", i);
		KUNIT_EXPECT_EQ(test, mmu.reserved_used, acct.reserved_bytes);
		KUNIT_EXPECT_EQ(test, mmu.shared_used, acct.shared_bytes);
		KUNIT_EXPECT_EQ(test, mmu.headroom_used, acct.headroom_bytes);
	}
	KUNIT_EXPECT_EQ(test, acct.peak_bytes, 5000);
	KUNIT_EXPECT_EQ(test, acct.headroom_peak_bytes, 2000);
	KUNIT_EXPECT_EQ(test, mmu.peak_used, 5000);
}

/* A lossy packet is in or out as a whole, and never in a headroom. */
static void roce_mmu__lossy(struct kunit *test)
{
	struct roce_mmu_config cfg = { .alpha_q16 = TC_ROCE_ALPHA_ONE };
	struct roce_mmu mmu = { .buffer_bytes = 10000 };
	struct roce_account a = {}, b = {};

	roce_mmu_resize(&mmu, &b, 0, 2000);
	/* Pool 8000: alpha 1 lets one account have half of it. */
	KUNIT_EXPECT_FALSE(test, roce_mmu_charge(&mmu, &a, &cfg, false, 8001));
	KUNIT_EXPECT_TRUE(test, roce_mmu_charge(&mmu, &a, &cfg, false, 4000));
	KUNIT_EXPECT_FALSE(test, roce_mmu_charge(&mmu, &a, &cfg, false, 1));
	/* The next one half of the rest. */
	KUNIT_EXPECT_TRUE(test, roce_mmu_charge(&mmu, &b, &cfg, false, 2000));
	KUNIT_EXPECT_FALSE(test, roce_mmu_charge(&mmu, &b, &cfg, false, 2001));
	KUNIT_EXPECT_EQ(test, b.headroom_bytes, 0);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&mmu), 6000);
}

/* A fixed threshold above what the pool has left takes no more than that. */
static void roce_mmu__fixed_within_pool(struct kunit *test)
{
	struct roce_mmu_config cfg = { .xoff_bytes = 8000 };
	struct roce_mmu mmu = { .buffer_bytes = 10000 };
	struct roce_account a = {}, b = {};

	roce_mmu_resize(&mmu, &a, 0, 1000);
	roce_mmu_resize(&mmu, &b, 0, 1000);
	KUNIT_EXPECT_TRUE(test, roce_mmu_charge(&mmu, &a, &cfg, true, 7000));
	KUNIT_EXPECT_TRUE(test, roce_mmu_charge(&mmu, &b, &cfg, true, 1500));
	KUNIT_EXPECT_EQ(test, b.shared_bytes, 1000);
	KUNIT_EXPECT_EQ(test, b.headroom_bytes, 500);
	KUNIT_EXPECT_EQ(test, roce_mmu_shared_free(&mmu), 0);
}

static void roce_mmu__resume(struct kunit *test)
{
	static const struct {
		u64 shared, headroom, others;
		u32 xoff, xon, offset;
		bool expected;
	} table[] = {
		{ 1001, 0, 0, 2000, 1000, 0, false },
		{ 1000, 0, 0, 2000, 1000, 0, true },
		{ 1000, 1, 0, 2000, 1000, 0, false },
		{ 0, 0, 0, 2000, 0, 0, true },
		/* dynamic, alpha 1, pool 10000 */
		{ 4500, 0, 0, 0, 0, 1000, true },	/* 5500 <= 5500 */
		{ 4501, 0, 0, 0, 0, 1000, false },	/* 5501 > 5499 */
		{ 4500, 0, 1, 0, 0, 1000, false },
		{ 1, 0, 9999, 0, 0, 0, false },
		{ 0, 0, 10000, 0, 0, 4096, true },	/* never stuck */
		{ 0, 1, 0, 0, 0, 0, false },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_mmu_config cfg = {
			.alpha_q16 = TC_ROCE_ALPHA_ONE,
			.xoff_bytes = table[i].xoff,
			.xon_bytes = table[i].xon,
			.xon_offset_bytes = table[i].offset,
		};
		struct roce_account acct = {
			.shared_bytes = table[i].shared,
			.headroom_bytes = table[i].headroom,
		};
		struct roce_mmu mmu = {
			.buffer_bytes = 10000,
			.shared_used = table[i].shared + table[i].others,
		};

		KUNIT_EXPECT_EQ_MSG(test,
				    roce_mmu_may_resume(&mmu, &acct, &cfg),
				    table[i].expected, "row %d", i);
	}
}

/* Below the bound nobody may resume, and at most a step of the threshold's
 * rounding (1 / alpha) above it everybody may.
 */
static void roce_mmu__resume_free(struct kunit *test)
{
	struct rnd_state rnd;
	int i;

	prandom_seed_state(&rnd, 5);
	for (i = 0; i < 20000; i++) {
		struct roce_mmu_config cfg = {
			.alpha_q16 = 1 + prandom_u32_state(&rnd) % (1 << 20),
			.xon_offset_bytes = prandom_u32_state(&rnd) % 10000,
		};
		struct roce_account acct = {
			.shared_bytes = 1 + prandom_u32_state(&rnd) % 1000000,
		};
		struct roce_mmu mmu = {};
		u64 bound = roce_mmu_resume_free(&acct, &cfg);

		if (bound) {
			mmu.buffer_bytes = bound - 1;
			KUNIT_ASSERT_FALSE(test,
					   roce_mmu_may_resume(&mmu, &acct,
							       &cfg));
		}
		mmu.buffer_bytes = bound + 1 +
				   TC_ROCE_ALPHA_ONE / cfg.alpha_q16;
		KUNIT_ASSERT_TRUE(test,
				  roce_mmu_may_resume(&mmu, &acct, &cfg));
	}
}

#define ACCOUNTS	24
#define PACKETS		4096

struct random_use {
	struct roce_mmu mmu;
	struct roce_mmu_config cfg[ACCOUNTS];
	struct roce_account acct[ACCOUNTS];
	struct {
		u32 bytes;
		u8 acct;
	} packet[PACKETS];
};

/* Half of the accounts are lossless; half of those have a fixed threshold. */
static bool is_lossless(int i)
{
	return i & 1;
}

static void check_sums(struct kunit *test, const struct random_use *u)
{
	struct roce_mmu sum = {};
	int i;

	for (i = 0; i < ACCOUNTS; i++) {
		const struct roce_account *acct = &u->acct[i];

		KUNIT_ASSERT_LE(test, acct->reserved_bytes, acct->reserve_size);
		KUNIT_ASSERT_LE(test, acct->headroom_bytes, acct->headroom_size);
		sum.reserve_bytes += acct->reserve_size;
		sum.headroom_bytes += acct->headroom_size;
		sum.reserved_used += acct->reserved_bytes;
		sum.shared_used += acct->shared_bytes;
		sum.headroom_used += acct->headroom_bytes;
	}
	KUNIT_ASSERT_EQ(test, sum.reserve_bytes, u->mmu.reserve_bytes);
	KUNIT_ASSERT_EQ(test, sum.headroom_bytes, u->mmu.headroom_bytes);
	KUNIT_ASSERT_EQ(test, sum.reserved_used, u->mmu.reserved_used);
	KUNIT_ASSERT_EQ(test, sum.shared_used, u->mmu.shared_used);
	KUNIT_ASSERT_EQ(test, sum.headroom_used, u->mmu.headroom_used);
	KUNIT_ASSERT_LE(test, u->mmu.shared_used + u->mmu.reserve_bytes +
			u->mmu.headroom_bytes, u->mmu.buffer_bytes);
}

static void roce_mmu__random(struct kunit *test)
{
	struct random_use *u = kunit_kzalloc(test, sizeof(*u), GFP_KERNEL);
	u64 refused = 0, sum = 0;
	struct rnd_state rnd;
	int i, n;

	KUNIT_ASSERT_NOT_NULL(test, u);
	prandom_seed_state(&rnd, 7);
	u->mmu.buffer_bytes = 1000000;
	for (i = 0; i < ACCOUNTS; i++) {
		u->cfg[i].alpha_q16 = TC_ROCE_ALPHA_ONE >> (i / 4);
		if (i % 4 == 3)
			u->cfg[i].xoff_bytes = 30000;
		roce_mmu_resize(&u->mmu, &u->acct[i], 1000 * (i % 3),
				is_lossless(i) ? 20000 : 0);
	}
	for (n = 0; n < 200000; n++) {
		u32 slot = prandom_u32_state(&rnd) % PACKETS;
		u32 bytes = 84 + prandom_u32_state(&rnd) % 9000;

		if (u->packet[slot].bytes) {
			i = u->packet[slot].acct;
			roce_mmu_release(&u->mmu, &u->acct[i],
					 u->packet[slot].bytes);
			sum -= u->packet[slot].bytes;
			u->packet[slot].bytes = 0;
		} else {
			i = prandom_u32_state(&rnd) % ACCOUNTS;
			if (roce_mmu_charge(&u->mmu, &u->acct[i], &u->cfg[i],
					    is_lossless(i), bytes)) {
				u->packet[slot].bytes = bytes;
				u->packet[slot].acct = i;
				sum += bytes;
			} else {
				refused++;
			}
		}
		KUNIT_ASSERT_EQ(test, roce_mmu_used(&u->mmu), sum);
		if (n % 16 == 0)
			check_sums(test, u);
	}
	KUNIT_EXPECT_GT(test, refused, 0);
	for (n = 0; n < PACKETS; n++) {
		if (u->packet[n].bytes)
			roce_mmu_release(&u->mmu, &u->acct[u->packet[n].acct],
					 u->packet[n].bytes);
	}
	check_sums(test, u);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&u->mmu), 0);
}

/* What loses its place goes to the pool, even when the pool has none. */
static void roce_mmu__resize(struct kunit *test)
{
	struct roce_mmu_config cfg = { .xoff_bytes = 500 };
	struct roce_mmu mmu = { .buffer_bytes = 3000 };
	struct roce_account acct = {};

	roce_mmu_resize(&mmu, &acct, 1000, 1000);
	KUNIT_ASSERT_TRUE(test, roce_mmu_charge(&mmu, &acct, &cfg, true, 2400));
	roce_mmu_resize(&mmu, &acct, 300, 200);
	KUNIT_EXPECT_EQ(test, acct.reserved_bytes, 300);
	KUNIT_EXPECT_EQ(test, acct.headroom_bytes, 200);
	KUNIT_EXPECT_EQ(test, acct.shared_bytes, 1900);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&mmu), 2400);
	KUNIT_EXPECT_EQ(test, roce_mmu_shared_free(&mmu), 600);
	mmu.buffer_bytes = 1000;
	KUNIT_EXPECT_EQ(test, roce_mmu_shared_free(&mmu), 0);
	KUNIT_EXPECT_FALSE(test, roce_mmu_charge(&mmu, &acct, &cfg, true, 1));
	roce_mmu_force(&mmu, &acct, 100);
	KUNIT_EXPECT_EQ(test, acct.shared_bytes, 2000);
	roce_mmu_release(&mmu, &acct, 2500);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&mmu), 0);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&acct), 0);
}

/* 2 * peer + own + pfc + rate * (2 * delay + response + 2 ns) / 8, worked out
 * by hand and rounded up to the next whole byte.
 */
static void roce_mmu__headroom(struct kunit *test)
{
	static const struct {
		u64 rate_bps, delay_ns, response_ns;
		u32 own, peer;
		u64 expected;
	} table[] = {
		/* 3 * 1542 + 84 + 25 */
		{ 100000000000ULL, 0, 0, 1542, 1542, 4735 },
		/* + 12.5 B/ns * 2000 ns */
		{ 100000000000ULL, 1000, 0, 1542, 1542, 29735 },
		{ 100000000000ULL, 1000000, 0, 1542, 1542, 25004735 },
		/* 2 * 9042 + 1542 + 84 + 12.5 * (2000 + 307 + 2) = 28862.5 */
		{ 100000000000ULL, 1000, 307, 1542, 9042, 48573 },
		/* 3 * 1542 + 84 + 0.125 * 10002 = 1250.25 */
		{ 1000000000ULL, 5000, 0, 1542, 1542, 5961 },
		/* + 100 B/ns * 20000000002 ns */
		{ 800000000000ULL, 10000000000ULL, 0, 1542, 1542,
		  2000000004910ULL },
	};
	u64 bytes;
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		bytes = roce_mmu_headroom(table[i].rate_bps, table[i].delay_ns,
					  table[i].response_ns, table[i].own,
					  table[i].peer, 84);
		/* One byte more is allowed where the sum is whole. */
		KUNIT_EXPECT_GE_MSG(test, bytes, table[i].expected, "row %d", i);
		KUNIT_EXPECT_LE_MSG(test, bytes, table[i].expected + 1,
				    "row %d", i);
	}
}

static struct kunit_case roce_mmu_cases[] = {
	KUNIT_CASE(roce_mmu__threshold),
	KUNIT_CASE(roce_mmu__order),
	KUNIT_CASE(roce_mmu__lossy),
	KUNIT_CASE(roce_mmu__fixed_within_pool),
	KUNIT_CASE(roce_mmu__resume),
	KUNIT_CASE(roce_mmu__resume_free),
	KUNIT_CASE(roce_mmu__random),
	KUNIT_CASE(roce_mmu__resize),
	KUNIT_CASE(roce_mmu__headroom),
	{}
};

static struct kunit_suite roce_mmu_suite = {
	.name = "roce_mmu",
	.test_cases = roce_mmu_cases,
};

kunit_test_suite(roce_mmu_suite);
