// SPDX-License-Identifier: GPL-2.0
/* Switches for tests, and whether their accounts sum up. */
#include <kunit/test.h>
#include <linux/ip.h>
#include <linux/prandom.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

struct roce_config *roce_test_config(struct kunit *test)
{
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	roce_config_default(cfg);
	cfg->rate_bps = 8000000000ULL;
	cfg->overhead = 0;
	cfg->switch_id = SWITCH;
	cfg->buffer_bytes = 1000000;
	cfg->prio[3].lossless = true;
	cfg->prio[3].mmu.headroom_bytes = 5000;
	return cfg;
}

/* Fixed thresholds: 1000 and 500 bytes. */
struct roce_config *roce_test_fixed_config(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);

	cfg->prio[3].mmu.xoff_bytes = 1000;
	cfg->prio[3].mmu.xon_bytes = 500;
	return cfg;
}

/* A packet that came in by port @in, 0 = from elsewhere. */
struct sk_buff *roce_test_packet(struct kunit *test, int in, u8 dscp, u32 len)
{
	struct sk_buff *skb = roce_test_ipv4(test, dscp << 2 | INET_ECN_ECT_0,
					     len);

	skb->skb_iif = in;
	return skb;
}

enum roce_verdict roce_test_send(struct kunit *test, struct roce_port *out,
				 int in, u8 dscp, u32 len, u64 now_ns)
{
	struct sk_buff *skb = roce_test_packet(test, in, dscp, len);
	enum roce_verdict verdict = roce_port_arrive(out, skb, now_ns);

	if (verdict != ROCE_ACCEPTED)
		kfree_skb(skb);
	return verdict;
}

/* What the packets of a port are charged with. */
static u64 charged_to_packets(const struct roce_port *port)
{
	const struct sk_buff *skb;
	u64 bytes = 0;
	int id;

	for (id = 0; id < TC_ROCE_PRIOS; id++) {
		for (skb = port->prio[id].queue.head; skb; skb = skb->next)
			if (!(roce_skb_cb(skb)->flags & ROCE_SKB_HELD))
				bytes += roce_skb_cb(skb)->wire_bytes;
	}
	skb = port->sending;
	if (skb && !(roce_skb_cb(skb)->flags & (ROCE_SKB_PFC | ROCE_SKB_HELD)))
		bytes += roce_skb_cb(skb)->wire_bytes -
			 roce_skb_cb(skb)->grown_bytes;
	return bytes;
}

/* Accounts sum up to the totals, and the totals are the packets in it. */
void roce_test_sums(struct kunit *test, const struct roce_switch *sw)
{
	struct roce_mmu sum = {};
	unsigned int nr_xoff = 0;
	u64 packets = 0;
	int slot, id;

	for (slot = 1; slot < sw->nr_slots; slot++) {
		const struct roce_port *port = sw->slots[slot];

		if (!port)
			continue;
		packets += charged_to_packets(port);
		nr_xoff += hweight8(port->pfc.xoff);
		for (id = 0; id < TC_ROCE_PRIOS; id++) {
			const struct roce_account *acct[] = {
				&port->prio[id].in, &port->prio[id].out,
			};
			int i;

			for (i = 0; i < ARRAY_SIZE(acct); i++) {
				sum.reserve_bytes += acct[i]->reserve_size;
				sum.headroom_bytes += acct[i]->headroom_size;
				sum.reserved_used += acct[i]->reserved_bytes;
				sum.shared_used += acct[i]->shared_bytes;
				sum.headroom_used += acct[i]->headroom_bytes;
			}
		}
	}
	KUNIT_ASSERT_EQ(test, sum.reserve_bytes, sw->mmu.reserve_bytes);
	KUNIT_ASSERT_EQ(test, sum.headroom_bytes, sw->mmu.headroom_bytes);
	KUNIT_ASSERT_EQ(test, sum.reserved_used, sw->mmu.reserved_used);
	KUNIT_ASSERT_EQ(test, sum.shared_used, sw->mmu.shared_used);
	KUNIT_ASSERT_EQ(test, sum.headroom_used, sw->mmu.headroom_used);
	KUNIT_ASSERT_EQ(test, roce_mmu_used(&sw->mmu), packets);
	KUNIT_ASSERT_EQ(test, sw->nr_xoff, nr_xoff);
}

/* The port's peer pauses priority 3 for so many quanta, with 0 resumes it. */
void roce_test_pause(struct kunit *test, struct roce_port *port, u16 quanta,
		     u64 now_ns)
{
	struct roce_pfc_frame frame = { .enable = BIT(3), .quanta[3] = quanta };
	struct sk_buff *skb = roce_pfc_build(NULL, &frame);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_pull(skb, ETH_HLEN);
	roce_switch_advance(port->sw, now_ns);
	roce_tap_pfc(port, skb, now_ns);
	kfree_skb(skb);
}

/* The peer pauses priority 3 of @port at T0 for as long as it can. */
void roce_test_stop(struct kunit *test, struct roce_port *port)
{
	roce_test_pause(test, port, 65535, T0);
}
