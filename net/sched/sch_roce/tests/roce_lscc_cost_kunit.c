// SPDX-License-Identifier: GPL-2.0
/*
 * CPU cost of LSCC (link-segmented congestion control) for a packet that goes out by a long
 * link: arrival, departure and delivery at a port without it, with 10 flows and with 10000 (of
 * which 8192 have a place), while the pseudo queue is short and while it is long and each flow
 * has been told just before. Prints, and asserts nothing: machines differ. In virtual time
 * nothing takes time; see Documentation/devel/testing.md for real time.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <linux/unaligned.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "features/lscc/roce_lscc.h"
#include "../roce_switch.h"
#include "roce_feature_cost.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

#define COST_OPCODE	0x07		/* the middle of a WRITE */

/**
 * struct cost_case - what is measured
 * @what: its name
 * @flows: that go out by the link
 * @pseudo: reference of the pseudo queue, 0 = LSCC is off
 * @ecn: field of the packets
 */
struct cost_case {
	const char *what;
	u32 flows;
	u32 pseudo;
	u8 ecn;
};

#define COST_NEVER	BIT(31)		/* pseudo queue that there never is here */

/* Data of a flow, by number. */
static struct sk_buff *cost_packet(struct kunit *test, u32 number, u8 ecn)
{
	struct sk_buff *skb = roce_test_packet(test, 1, DATA, COST_LEN);
	struct iphdr *ip = ip_hdr(skb);
	struct udphdr *udp = (struct udphdr *)(ip + 1);
	u8 *bth = (u8 *)(udp + 1);

	ip->tos = DATA << 2 | ecn;
	ip->protocol = IPPROTO_UDP;
	ip->saddr = htonl(0x0a000000 + number);
	ip->daddr = htonl(0x0b000000 + number);
	ip_send_check(ip);
	udp->source = htons(0xc000);
	udp->dest = htons(4791);
	bth[0] = COST_OPCODE;
	put_unaligned_be32(number, bth + 4);
	return skb;
}

static void cost_lscc(struct roce_config *cfg, u32 pseudo)
{
	struct roce_lscc_config *lscc = roce_lscc_config(cfg);

	if (!pseudo)
		return;
	lscc->self = 1;
	lscc->peer = 2;
	lscc->period_ns = NSEC_PER_SEC;
	lscc->rtt_ns = NSEC_PER_SEC;
	lscc->expiry_ns = 10 * NSEC_PER_SEC;
	lscc->interval_ns = NSEC_PER_SEC;
	lscc->qref_bytes = 1;
	lscc->pseudo_bytes = pseudo;
	lscc->step_bps = 1;
	lscc->min_bps = NSEC_PER_SEC / 10;
	lscc->prio[3] = 1;
}

/* Median of the blocks, in ns per 100 packets. */
static u64 cost_of(struct kunit *test, const struct cost_case *c)
{
	struct roce_config *cfg = roce_cost_config(test);
	struct roce_port *port, *back;
	u32 i;

	back = roce_test_port(test, 1, cfg);
	cost_lscc(cfg, c->pseudo);
	port = roce_test_port(test, 2, cfg);
	if (c->pseudo)
		roce_lscc_hear(&roce_lscc_of(port)->limit, 1, 1, NSEC_PER_SEC / 10,
			       T0);
	for (i = 0; i < COST_PACKETS; i++)
		roce_port_arrive(port, cost_packet(test, i % c->flows, c->ecn),
				 T0);
	return roce_cost_of(test, port, back);
}

static void roce_lscc__cost(struct kunit *test)
{
	static const struct cost_case table[] = {
		{ "off", 10000, 0, INET_ECN_ECT_0 },
		{ "10 flows", 10, COST_NEVER, INET_ECN_ECT_0 },
		{ "10000 flows", 10000, COST_NEVER, INET_ECN_ECT_0 },
		{ "10 flows, a long pseudo queue", 10, 1, INET_ECN_ECT_0 },
		{ "10000 flows, a long pseudo queue", 10000, 1, INET_ECN_ECT_0 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		roce_cost_tell(test, table[i].what, cost_of(test, &table[i]));
}

static struct kunit_case roce_lscc_cost_cases[] = {
	KUNIT_CASE_SLOW(roce_lscc__cost),
	{}
};

static struct kunit_suite roce_lscc_cost_suite = {
	.name = "roce_lscc_cost",
	.test_cases = roce_lscc_cost_cases,
};

kunit_test_suite(roce_lscc_cost_suite);
