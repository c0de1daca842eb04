// SPDX-License-Identifier: GPL-2.0
/*
 * What Mercury costs a packet that waits: arrival, departure and delivery at a port
 * without it, with 10 flows in the queue and with 10000, over IPv4 and IPv6, below the
 * threshold and above it, where each flow has been told just before. Prints, and asserts
 * nothing: machines differ. In virtual time nothing takes time; for real time see
 * Documentation/devel/testing.md.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "features/mercury/roce_mercury.h"
#include "roce_feature_cost.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

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

/* Median of the blocks, in ns per 100 packets. */
static u64 cost_of(struct kunit *test, const struct cost_case *c)
{
	struct roce_config *cfg = roce_cost_config(test);
	struct roce_port *port, *back;
	u32 i;

	back = roce_test_port(test, 1, cfg);
	roce_mercury_config(cfg)->prio[3].threshold_bytes = c->threshold;
	roce_mercury_config(cfg)->interval_ns = NSEC_PER_SEC;
	port = roce_test_port(test, 2, cfg);
	for (i = 0; i < COST_PACKETS; i++)
		roce_port_arrive(port, cost_packet(test, i % c->flows, c->v6),
				 T0);
	return roce_cost_of(test, port, back);
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

	for (i = 0; i < ARRAY_SIZE(table); i++)
		roce_cost_tell(test, table[i].what, cost_of(test, &table[i]));
}

static struct kunit_case roce_mercury_cost_cases[] = {
	KUNIT_CASE_SLOW(roce_mercury__cost),
	{}
};

static struct kunit_suite roce_mercury_cost_suite = {
	.name = "roce_mercury_cost",
	.test_cases = roce_mercury_cost_cases,
};

kunit_test_suite(roce_mercury_cost_suite);
