// SPDX-License-Identifier: GPL-2.0
/*
 * What IOFD costs a packet that is not deflected: arrival, departure and delivery at a port
 * of a switch without it, with it for a packet without tokens, and for one with tokens while
 * the switch has no entry, and while all eight are other flows'. Prints, and asserts
 * nothing: machines differ. In virtual time nothing takes time; see Documentation/testing.md
 * for real time.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/sort.h>
#include <linux/udp.h>
#include <linux/unaligned.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "../roce_iofd.h"
#include "../roce_switch.h"
#include "roce_kunit.h"
#include "roce_test_switch.h"

#define COST_BLOCK	1000
#define COST_BLOCKS	500
#define COST_LEN	100U		/* bytes of a packet, ns on the line */
#define COST_PACKETS	10000		/* waiting */
#define COST_OPCODE	0x07		/* the middle of a WRITE */

/**
 * struct cost_case - what is measured
 * @what: its name
 * @threshold: of the port, 0 = IOFD is off
 * @bits: of the packets
 * @entries: that the switch has of other flows
 */
struct cost_case {
	const char *what;
	u32 threshold;
	u8 bits;
	int entries;
};

/* Of a flow that had another packet before, so it is looked up and never deflected. */
static struct sk_buff *cost_packet(struct kunit *test, u32 number, u8 bits)
{
	struct sk_buff *skb = roce_test_packet(test, 1, DATA, COST_LEN);
	struct iphdr *ip = (void *)skb->data + ETH_HLEN;
	struct udphdr *udp = (void *)(ip + 1);
	u8 *bth = (void *)(udp + 1);

	ip->protocol = IPPROTO_UDP;
	ip->tot_len = htons(COST_LEN - ETH_HLEN);
	ip_send_check(ip);
	memset(udp, 0, COST_LEN - ETH_HLEN - sizeof(*ip));
	udp->source = htons(0xc000);
	udp->dest = htons(4791);
	bth[0] = COST_OPCODE;
	put_unaligned_be32(number | (u32)bits << 24, bth + 4);
	return skb;
}

static int cost_cmp(const void *a, const void *b)
{
	return *(const u64 *)a < *(const u64 *)b ? -1 :
	       *(const u64 *)a > *(const u64 *)b;
}

/* One packet goes, and comes again as the last of the queue. */
static u64 cost_block(struct kunit *test, struct roce_port *port, u64 *now_ns)
{
	u64 start_ns = ktime_get_ns();
	int i;

	for (i = 0; i < COST_BLOCK; i++) {
		struct sk_buff *skb;

		*now_ns += COST_LEN;
		skb = roce_port_deliver(port, *now_ns);
		KUNIT_ASSERT_NOT_NULL(test, skb);
		roce_port_arrive(port, skb, *now_ns);
	}
	return ktime_get_ns() - start_ns;
}

static void cost_drain(struct roce_port *port, u64 now_ns)
{
	struct sk_buff *skb;

	while ((skb = roce_port_deliver(port, now_ns)))
		kfree_skb(skb);
}

/* Entries that last longer than the measurement. */
static void cost_entries(struct kunit *test, struct roce_port *port, int entries)
{
	struct roce_iofd_table *t = roce_feature_switch(port, &roce_iofd_feature);
	struct roce_reply_to to = { .ipv4 = true, .src.v4 = 1, .dst.v4 = 2 };
	struct roce_flow_key key;
	struct roce_iofd_entry *e;

	while (entries--) {
		to.qpn = 0xf00000 + entries;
		roce_iofd_key(&key, &to, 4);
		e = roce_iofd_add(t, &key, 1);
		KUNIT_ASSERT_NOT_NULL(test, e);
		roce_iofd_seen(e, false, T0);
	}
}

/* Median of the blocks, in ns per 100 packets. */
static u64 cost_of(struct kunit *test, const struct cost_case *c)
{
	u64 *block_ns = kunit_kcalloc(test, COST_BLOCKS, sizeof(u64), GFP_KERNEL);
	struct roce_config *cfg = roce_test_config(test);
	static u32 next_switch = 5000;
	struct roce_port *port, *back;
	u64 now_ns = T0;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, block_ns);
	cfg->switch_id = next_switch++;
	cfg->buffer_bytes = 64 << 20;
	cfg->prio[3].mmu.xoff_bytes = 32 << 20;
	roce_iofd_config(cfg)->prio[3].threshold_bytes = c->threshold;
	roce_iofd_config(cfg)->hold_ns = 10 * NSEC_PER_SEC;
	roce_iofd_config(cfg)->idle_ns = 10 * NSEC_PER_SEC;
	back = roce_test_port(test, 1, cfg);
	port = roce_test_port(test, 2, cfg);
	cost_entries(test, port, c->entries);
	for (i = 0; i < COST_PACKETS; i++)
		roce_port_arrive(port, cost_packet(test, i, c->bits), now_ns);
	for (i = 0; i < COST_BLOCKS; i++) {
		preempt_disable();
		block_ns[i] = cost_block(test, port, &now_ns);
		preempt_enable();
	}
	cost_drain(port, now_ns + 2 * COST_PACKETS * COST_LEN);
	cost_drain(back, now_ns + 2 * COST_PACKETS * COST_LEN);
	sort(block_ns, COST_BLOCKS, sizeof(u64), cost_cmp, NULL);
	return block_ns[COST_BLOCKS / 2] / (COST_BLOCK / 100);
}

static void roce_iofd__cost(struct kunit *test)
{
	static const struct cost_case table[] = {
		{ "off", 0, 4, 0 },
		{ "no tokens", 1000, 0, 0 },
		{ "tokens, no entries", 1000, 4, 0 },
		{ "tokens, 8 entries of others", 1000, 4, ROCE_IOFD_FLOWS },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		u64 ns = cost_of(test, &table[i]);

		if (!ns)
			kunit_info(test, "%s: no time passes here", table[i].what);
		else
			kunit_info(test, "%s: %llu.%02llu ns a packet, %d waiting (median of %d blocks of %d)",
				   table[i].what, ns / 100, ns % 100, COST_PACKETS,
				   COST_BLOCKS, COST_BLOCK);
	}
}

static struct kunit_case roce_iofd_cost_cases[] = {
	KUNIT_CASE(roce_iofd__cost),
	{}
};

struct kunit_suite roce_iofd_cost_suite = {
	.name = "roce_iofd_cost",
	.test_cases = roce_iofd_cost_cases,
};
