// SPDX-License-Identifier: GPL-2.0
/* Priorities of crafted packets, and their length on the wire. */
#include <kunit/test.h>
#include <linux/if_vlan.h>
#include <uapi/linux/pkt_sched_roce.h>

#include "../roce_classify.h"
#include "roce_test_packets.h"

/* Every DSCP of both IP versions, with all ECN values. */
static u8 classify(const struct sk_buff *skb, const u8 *dscp_prio)
{
	return roce_class_prio(roce_class(skb), dscp_prio);
}

static void roce_classify__every_dscp(struct kunit *test)
{
	u8 map[TC_ROCE_DSCPS];
	int i;

	for (i = 0; i < TC_ROCE_DSCPS; i++)
		map[i] = (i * 5 + 3) % TC_ROCE_PRIOS;

	for (i = 0; i < 256; i++) {
		struct sk_buff *v4 = roce_test_ipv4(test, i, 80);
		struct sk_buff *v6 = roce_test_ipv6(test, i, 80);

		KUNIT_EXPECT_EQ(test, classify(v4, map), map[i >> 2]);
		KUNIT_EXPECT_EQ(test, classify(v6, map), map[i >> 2]);
		kfree_skb(v4);
		kfree_skb(v6);
	}
}

static void roce_classify__not_ip(struct kunit *test)
{
	struct sk_buff *skb = roce_test_frame(test, htons(ETH_P_ARP), 60);
	u8 map[TC_ROCE_DSCPS];

	memset(map, 5, sizeof(map));
	KUNIT_EXPECT_EQ(test, classify(skb, map), 0);
	skb->priority = 7;
	KUNIT_EXPECT_EQ(test, classify(skb, map), 7);
	/* a class id, not a priority */
	skb->priority = 0x10003;
	KUNIT_EXPECT_EQ(test, classify(skb, map), 0);
	kfree_skb(skb);
}

/* Cut off behind the Ethernet header: DSCP 0, and no read beyond the end. */
static void roce_classify__truncated(struct kunit *test)
{
	struct sk_buff *skb = roce_test_ipv4(test, 48 << 2, 80);
	u8 map[TC_ROCE_DSCPS] = { [0] = 2, [48] = 6 };

	skb_trim(skb, ETH_HLEN + 1);
	KUNIT_EXPECT_EQ(test, classify(skb, map), 2);
	kfree_skb(skb);
}

/* A tag in the packet moves the IP header by 4 bytes; so does a second. */
static void roce_classify__vlan(struct kunit *test)
{
	u8 map[TC_ROCE_DSCPS] = { [26] = 3 };
	int tags, i;

	for (tags = 1; tags <= 2; tags++) {
		struct sk_buff *skb = roce_test_ipv4(test, 26 << 2, 80);

		for (i = 0; i < tags; i++) {
			skb = __vlan_insert_tag(skb, htons(ETH_P_8021Q), 1 + i) ?
			      NULL : skb;
			KUNIT_ASSERT_NOT_NULL(test, skb);
			skb->protocol = htons(ETH_P_8021Q);
		}
		skb_reset_mac_header(skb);
		skb_set_network_header(skb, ETH_HLEN);
		skb_reset_mac_len(skb);
		KUNIT_EXPECT_EQ(test, classify(skb, map), 3);
		kfree_skb(skb);
	}
}

static void roce_wire_bytes__table(struct kunit *test)
{
	static const struct {
		u32 len;
		s32 overhead;
		u32 wire;
	} table[] = {
		{ 42, 24, 84 }, { 60, 24, 84 }, { 61, 24, 85 },
		{ 1514, 24, 1538 }, { 1514, 0, 1514 }, { 1514, -14, 1500 },
		{ 60, 512, 572 },
		/* RoCEv2 over IPv4, 1024 bytes: payload + 82 */
		{ 14 + 20 + 8 + 12 + 1024 + 4, 24, 1024 + 82 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct sk_buff *skb;

		skb = roce_test_frame(test, htons(ETH_P_IP), table[i].len);
		KUNIT_EXPECT_EQ_MSG(test,
				    roce_wire_bytes(skb, table[i].overhead),
				    table[i].wire, "row %d", i);
		kfree_skb(skb);
	}
}

static void roce_wire_bytes__tag_to_insert(struct kunit *test)
{
	struct sk_buff *skb = roce_test_frame(test, htons(ETH_P_IP), 100);

	__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q), 5);
	KUNIT_EXPECT_EQ(test, roce_wire_bytes(skb, 24), 128);
	kfree_skb(skb);
}

static struct kunit_case roce_class_cases[] = {
	KUNIT_CASE(roce_classify__every_dscp),
	KUNIT_CASE(roce_classify__not_ip),
	KUNIT_CASE(roce_classify__truncated),
	KUNIT_CASE(roce_classify__vlan),
	KUNIT_CASE(roce_wire_bytes__table),
	KUNIT_CASE(roce_wire_bytes__tag_to_insert),
	{}
};

static struct kunit_suite roce_class_suite = {
	.name = "roce_class",
	.test_cases = roce_class_cases,
};

kunit_test_suite(roce_class_suite);
