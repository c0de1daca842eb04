// SPDX-License-Identifier: GPL-2.0
/* Which flows lost packets: each once, whatever the order, and what happens when there are many. */
#include <kunit/test.h>
#include <linux/slab.h>

#include "../roce_lost_flows.h"

#define MOST	16384U		/* that are kept */

static void lost_free(void *lost)
{
	kfree(((struct roce_lost_flows *)lost)->flow);
}

static struct roce_lost_flows *lost_new(struct kunit *test)
{
	struct roce_lost_flows *lost = kunit_kzalloc(test, sizeof(*lost), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, lost);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, lost_free, lost), 0);
	return lost;
}

static void lost_add(struct roce_lost_flows *lost, u8 addr, u32 qpn)
{
	struct roce_watch_lost_flow flow = { .daddr[15] = addr, .qpn = qpn };

	roce_lost_flows_add(lost, &flow);
}

/* Packets of three flows, one of which differs in its address only, mixed and in runs. */
static void roce_lost_flows__once(struct kunit *test)
{
	static const struct {
		u8 addr;
		u32 qpn;
	} lost[] = { { 2, 7 }, { 2, 7 }, { 1, 9 }, { 2, 7 }, { 1, 7 }, { 1, 9 }, { 1, 9 } };
	struct roce_lost_flows *l = lost_new(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lost); i++)
		lost_add(l, lost[i].addr, lost[i].qpn);
	roce_lost_flows_compact(l);
	KUNIT_ASSERT_EQ(test, l->nr, 3);
	KUNIT_EXPECT_FALSE(test, l->more);
	for (i = 0; i < l->nr; i++) {
		unsigned int k, found = 0;

		for (k = 0; k < ARRAY_SIZE(lost); k++)
			found += l->flow[i].daddr[15] == lost[k].addr &&
				 l->flow[i].qpn == lost[k].qpn;
		KUNIT_EXPECT_GE_MSG(test, found, 1, "%u: %u to %u", i, l->flow[i].qpn,
				    l->flow[i].daddr[15]);
	}
}

/* A million packets of 100 flows in turn take no more room than 100 flows do, twice. */
static void roce_lost_flows__few_of_many(struct kunit *test)
{
	struct roce_lost_flows *l = lost_new(test);
	u32 i;

	for (i = 0; i < 1000000; i++)
		lost_add(l, 1, i % 100);
	KUNIT_EXPECT_LE(test, l->room, 256);
	KUNIT_EXPECT_FALSE(test, l->more);
	roce_lost_flows_compact(l);
	KUNIT_EXPECT_EQ(test, l->nr, 100);
}

/* As many as are kept, and one more. */
static void roce_lost_flows__most(struct kunit *test)
{
	struct roce_lost_flows *l = lost_new(test);
	u32 i;

	for (i = 0; i < 3 * MOST; i++)
		lost_add(l, 1, i % MOST);
	roce_lost_flows_compact(l);
	KUNIT_EXPECT_EQ(test, l->nr, MOST);
	KUNIT_EXPECT_FALSE(test, l->more);
	lost_add(l, 1, MOST);
	KUNIT_EXPECT_TRUE(test, l->more);
	KUNIT_EXPECT_EQ(test, l->nr, MOST);
}

static struct kunit_case roce_lost_flows_cases[] = {
	KUNIT_CASE(roce_lost_flows__once),
	KUNIT_CASE(roce_lost_flows__few_of_many),
	KUNIT_CASE(roce_lost_flows__most),
	{}
};

static struct kunit_suite roce_lost_flows_suite = {
	.name = "roce_lost_flows",
	.test_cases = roce_lost_flows_cases,
};

kunit_test_suite(roce_lost_flows_suite);
