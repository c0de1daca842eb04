// SPDX-License-Identifier: GPL-2.0
/*
 * What Mercury costs a packet that waits: arrival, departure and delivery at a port
 * without it, with 10 flows in the queue and with 10000. Prints, and asserts nothing:
 * machines differ. In virtual time nothing takes time; see Documentation/testing.md for
 * real time.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/sort.h>
#include <linux/udp.h>
#include <net/ip.h>

#include "../roce_mercury.h"
#include "roce_kunit.h"
#include "roce_test_switch.h"

#define COST_BLOCK	1000
#define COST_BLOCKS	500
#define COST_LEN	100U		/* bytes of a packet, ns on the line */
#define COST_PACKETS	10000		/* waiting */

/* Its pair of addresses by number. */
static struct sk_buff *cost_packet(struct kunit *test, u32 number)
{
	struct sk_buff *skb = roce_test_packet(test, 1, DATA, COST_LEN);
	struct iphdr *ip = ip_hdr(skb);
	struct udphdr *udp = (struct udphdr *)(ip + 1);

	ip->protocol = IPPROTO_UDP;
	ip->saddr = htonl(0x0a000000 + number);
	ip->daddr = htonl(0x0b000000 + number);
	ip_send_check(ip);
	udp->dest = htons(4791);
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

/* Median of the blocks, in ns per 100 packets. */
static u64 cost_of(struct kunit *test, bool on, u32 flows)
{
	u64 *block_ns = kunit_kcalloc(test, COST_BLOCKS, sizeof(u64), GFP_KERNEL);
	struct roce_config *cfg = roce_test_config(test);
	static u32 next_switch = 3000;
	struct roce_port *port;
	u64 now_ns = T0;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, block_ns);
	cfg->switch_id = next_switch++;
	cfg->buffer_bytes = 64 << 20;
	cfg->prio[3].mmu.xoff_bytes = 32 << 20;
	roce_test_port(test, 1, cfg);
	roce_mercury_config(cfg)->prio[3].threshold_bytes = on ? 32 << 20 : 0;
	port = roce_test_port(test, 2, cfg);
	for (i = 0; i < COST_PACKETS; i++)
		roce_port_arrive(port, cost_packet(test, i % flows), now_ns);
	for (i = 0; i < COST_BLOCKS; i++) {
		preempt_disable();
		block_ns[i] = cost_block(test, port, &now_ns);
		preempt_enable();
	}
	cost_drain(port, now_ns + 2 * COST_PACKETS * COST_LEN);
	sort(block_ns, COST_BLOCKS, sizeof(u64), cost_cmp, NULL);
	return block_ns[COST_BLOCKS / 2] / (COST_BLOCK / 100);
}

static void roce_mercury__cost(struct kunit *test)
{
	static const struct {
		const char *what;
		bool on;
		u32 flows;
	} table[] = {
		{ "off", false, 10000 }, { "10 flows", true, 10 },
		{ "10000 flows", true, 10000 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		u64 ns = cost_of(test, table[i].on, table[i].flows);

		if (!ns)
			kunit_info(test, "%s: no time passes here", table[i].what);
		else
			kunit_info(test, "%s: %llu.%02llu ns a packet, %d waiting (median of %d blocks of %d)",
				   table[i].what, ns / 100, ns % 100, COST_PACKETS,
				   COST_BLOCKS, COST_BLOCK);
	}
}

static struct kunit_case roce_mercury_cost_cases[] = {
	KUNIT_CASE(roce_mercury__cost),
	{}
};

struct kunit_suite roce_mercury_cost_suite = {
	.name = "roce_mercury_cost",
	.test_cases = roce_mercury_cost_cases,
};
