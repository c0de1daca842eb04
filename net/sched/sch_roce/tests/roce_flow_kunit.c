// SPDX-License-Identifier: GPL-2.0
/* Tables of flows: who has a place, and who loses it. */
#include <kunit/test.h>

#include "../roce_flow.h"
#include "roce_kunit.h"

#define SIZE	(4 * ROCE_FLOW_WAYS)
#define IDLE	1000ULL

static struct roce_flow *new_table(struct kunit *test)
{
	struct roce_flow *table;

	table = kunit_kcalloc(test, SIZE, sizeof(*table), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, table);
	return table;
}

static struct roce_flow_key key_of(u32 src, u32 qpn, u16 sport,
				   enum roce_flow_kind kind)
{
	struct roce_reply_to to = {
		.src.v4 = htonl(src), .dst.v4 = htonl(0x0a000001),
		.qpn = qpn, .sport = htons(sport), .psn = src * 77,
		.opcode = src, .l3 = 14, .ipv4 = true,
	};
	struct roce_flow_key key;

	/* padding must not tell flows apart */
	memset(&key, 0xff, sizeof(key));
	roce_flow_key(&key, &to, kind);
	return key;
}

/* What tells flows apart, by kind. */
static void roce_flow__key(struct kunit *test)
{
	static const struct {
		u32 src, qpn;
		u16 sport;
		bool pair, qp;	/* the same as the first? */
	} table[] = {
		{ 1, 5, 9, true, true },
		{ 2, 5, 9, false, false },
		{ 1, 6, 9, true, false },
		{ 1, 5, 8, true, false },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_flow_key a, b;

		a = key_of(1, 5, 9, ROCE_FLOW_PAIR);
		b = key_of(table[i].src, table[i].qpn, table[i].sport,
			   ROCE_FLOW_PAIR);
		KUNIT_EXPECT_EQ_MSG(test, !memcmp(&a, &b, sizeof(a)),
				    table[i].pair, "row %d", i);
		a = key_of(1, 5, 9, ROCE_FLOW_QP);
		b = key_of(table[i].src, table[i].qpn, table[i].sport,
			   ROCE_FLOW_QP);
		KUNIT_EXPECT_EQ_MSG(test, !memcmp(&a, &b, sizeof(a)),
				    table[i].qp, "row %d", i);
	}
}

/* A new flow is all zeros; it is found again until it is put. */
static void roce_flow__get_put(struct kunit *test)
{
	struct roce_flow_key key = key_of(1, 2, 3, ROCE_FLOW_QP);
	struct roce_flow *table = new_table(test), *flow;

	KUNIT_EXPECT_NULL(test, roce_flow_find(table, SIZE, &key));
	flow = roce_flow_get(table, SIZE, &key, 10, IDLE);
	KUNIT_ASSERT_NOT_NULL(test, flow);
	KUNIT_EXPECT_EQ(test, flow->bytes, 0);
	KUNIT_EXPECT_EQ(test, flow->seen_ns, 10);
	flow->bytes = 5;
	flow->data[1] = 6;
	KUNIT_EXPECT_PTR_EQ(test, roce_flow_get(table, SIZE, &key, 20, IDLE),
			    flow);
	KUNIT_EXPECT_EQ(test, flow->seen_ns, 20);
	KUNIT_EXPECT_PTR_EQ(test, roce_flow_find(table, SIZE, &key), flow);
	roce_flow_put(flow);
	KUNIT_EXPECT_NULL(test, roce_flow_find(table, SIZE, &key));
	flow = roce_flow_get(table, SIZE, &key, 30, IDLE);
	KUNIT_ASSERT_NOT_NULL(test, flow);
	KUNIT_EXPECT_EQ(test, flow->bytes, 0);
	KUNIT_EXPECT_EQ(test, flow->data[1], 0);
}

/* One set: as many flows as it has places, whatever they hash to. */
static void roce_flow__eviction(struct kunit *test)
{
	struct roce_flow *table = new_table(test), *flow[ROCE_FLOW_WAYS];
	struct roce_flow_key more = key_of(99, 2, 3, ROCE_FLOW_QP);
	struct roce_flow_key key;
	int i;

	for (i = 0; i < ROCE_FLOW_WAYS; i++) {
		key = key_of(i, 2, 3, ROCE_FLOW_QP);
		flow[i] = roce_flow_get(table, ROCE_FLOW_WAYS, &key, 100 + i,
					IDLE);
		KUNIT_ASSERT_NOT_NULL(test, flow[i]);
	}
	/* nobody is idle for long enough */
	KUNIT_EXPECT_NULL(test, roce_flow_get(table, ROCE_FLOW_WAYS, &more,
					      100 + IDLE - 1, IDLE));
	/* the first two are; the first has bytes in a queue */
	flow[0]->bytes = 1;
	KUNIT_EXPECT_NULL(test, roce_flow_get(table, ROCE_FLOW_WAYS, &more,
					      100 + IDLE, IDLE));
	KUNIT_EXPECT_PTR_EQ(test, roce_flow_get(table, ROCE_FLOW_WAYS, &more,
						102 + IDLE, IDLE), flow[1]);
	key = key_of(1, 2, 3, ROCE_FLOW_QP);
	KUNIT_EXPECT_NULL(test, roce_flow_find(table, ROCE_FLOW_WAYS, &key));
	/* a free place goes first */
	roce_flow_put(flow[7]);
	KUNIT_EXPECT_PTR_EQ(test, roce_flow_get(table, ROCE_FLOW_WAYS, &key,
						200 + IDLE, IDLE), flow[7]);
}

static struct kunit_case roce_flow_cases[] = {
	KUNIT_CASE(roce_flow__key),
	KUNIT_CASE(roce_flow__get_put),
	KUNIT_CASE(roce_flow__eviction),
	{}
};

struct kunit_suite roce_flow_suite = {
	.name = "roce_flow",
	.test_cases = roce_flow_cases,
};
