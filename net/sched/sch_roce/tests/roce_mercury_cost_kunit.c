// SPDX-License-Identifier: GPL-2.0
/*
 * What Mercury costs a packet that waits: arrival, departure and delivery at a port
 * without it, with 10 flows in the queue and with 10000, over IPv4 and IPv6, below the
 * threshold and above it, where each flow has been told just before. Prints, and asserts
 * nothing: machines differ. In virtual time nothing takes time; see Documentation/testing.md for
 * real time.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/sort.h>
#include <linux/udp.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "../roce_mercury.h"
#include "roce_kunit.h"
#include "roce_test_switch.h"

#define COST_BLOCK	1000
#define COST_BLOCKS	500
#define COST_LEN	100U		/* bytes of a packet, ns on the line */
#define COST_PACKETS	10000		/* waiting */

/**
 * struct cost_case - what is measured
 * @what: its name
 * @flows: in the queue
 * @threshold: of Mercury, 0 = off
 * @v6: packets are IPv6
 */
struct cost_case {
	const char *what;
	u32 flows;
	u32 threshold;
	bool v6;
};

#define COST_NEVER	(32 << 20)	/* threshold that no queue here has */

static void cost_ipv4(struct sk_buff *skb, u32 number)
{
	struct iphdr *ip = ip_hdr(skb);

	ip->protocol = IPPROTO_UDP;
	ip->saddr = htonl(0x0a000000 + number);
	ip->daddr = htonl(0x0b000000 + number);
	ip_send_check(ip);
	((struct udphdr *)(ip + 1))->dest = htons(4791);
}

static void cost_ipv6(struct sk_buff *skb, u32 number)
{
	struct ipv6hdr *ip = ipv6_hdr(skb);

	memset(ip, 0, sizeof(*ip));
	ip6_flow_hdr(ip, DATA << 2 | INET_ECN_ECT_0, 0);
	ip->nexthdr = IPPROTO_UDP;
	ip->saddr.s6_addr32[0] = htonl(0xfd000000);
	ip->saddr.s6_addr32[3] = htonl(number);
	ip->daddr.s6_addr32[0] = htonl(0xfd000001);
	ip->daddr.s6_addr32[3] = htonl(number);
	((struct udphdr *)(ip + 1))->dest = htons(4791);
	eth_hdr(skb)->h_proto = htons(ETH_P_IPV6);
	skb->protocol = htons(ETH_P_IPV6);
}

/* Data, its pair of addresses by number. */
static struct sk_buff *cost_packet(struct kunit *test, u32 number, bool v6)
{
	struct sk_buff *skb = roce_test_packet(test, 1, DATA, COST_LEN);

	if (v6)
		cost_ipv6(skb, number);
	else
		cost_ipv4(skb, number);
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
static u64 cost_of(struct kunit *test, const struct cost_case *c)
{
	u64 *block_ns = kunit_kcalloc(test, COST_BLOCKS, sizeof(u64), GFP_KERNEL);
	struct roce_config *cfg = roce_test_config(test);
	static u32 next_switch = 3000;
	struct roce_port *port, *back;
	u64 now_ns = T0;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, block_ns);
	cfg->switch_id = next_switch++;
	cfg->buffer_bytes = 64 << 20;
	cfg->prio[3].mmu.xoff_bytes = 32 << 20;
	back = roce_test_port(test, 1, cfg);
	roce_mercury_config(cfg)->prio[3].threshold_bytes = c->threshold;
	roce_mercury_config(cfg)->interval_ns = NSEC_PER_SEC;
	port = roce_test_port(test, 2, cfg);
	for (i = 0; i < COST_PACKETS; i++)
		roce_port_arrive(port, cost_packet(test, i % c->flows, c->v6),
				 now_ns);
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

static void roce_mercury__cost(struct kunit *test)
{
	static const struct cost_case table[] = {
		{ "off", 10000 },
		{ "10 flows", 10, COST_NEVER },
		{ "10000 flows", 10000, COST_NEVER },
		{ "10 flows, IPv6", 10, COST_NEVER, true },
		{ "10000 flows, IPv6", 10000, COST_NEVER, true },
		{ "10 flows, above the threshold", 10, 1 },
		{ "10000 flows, above the threshold", 10000, 1 },
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

static struct kunit_case roce_mercury_cost_cases[] = {
	KUNIT_CASE(roce_mercury__cost),
	{}
};

struct kunit_suite roce_mercury_cost_suite = {
	.name = "roce_mercury_cost",
	.test_cases = roce_mercury_cost_cases,
};
