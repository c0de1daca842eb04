// SPDX-License-Identifier: GPL-2.0
/*
 * CPU cost of in-order flow deflection (IOFD) for a packet that is not deflected: arrival,
 * departure and delivery at a port of a switch without it, with it for a packet without tokens,
 * and for one with tokens while the switch has no entry, and while all eight are other flows'.
 * Prints, and asserts nothing: machines differ. In virtual time nothing takes time; see
 * Documentation/devel/testing.md for real time.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/udp.h>
#include <linux/unaligned.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "features/iofd/roce_iofd.h"
#include "../roce_switch.h"
#include "roce_feature_cost.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

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
	struct roce_config *cfg = roce_cost_config(test);
	struct roce_port *port, *back;
	u32 i;

	roce_iofd_config(cfg)->prio[3].threshold_bytes = c->threshold;
	roce_iofd_config(cfg)->hold_ns = 10 * NSEC_PER_SEC;
	roce_iofd_config(cfg)->idle_ns = 10 * NSEC_PER_SEC;
	back = roce_test_port(test, 1, cfg);
	port = roce_test_port(test, 2, cfg);
	cost_entries(test, port, c->entries);
	for (i = 0; i < COST_PACKETS; i++)
		roce_port_arrive(port, cost_packet(test, i, c->bits), T0);
	return roce_cost_of(test, port, back);
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

	for (i = 0; i < ARRAY_SIZE(table); i++)
		roce_cost_tell(test, table[i].what, cost_of(test, &table[i]));
}

static struct kunit_case roce_iofd_cost_cases[] = {
	KUNIT_CASE_SLOW(roce_iofd__cost),
	{}
};

static struct kunit_suite roce_iofd_cost_suite = {
	.name = "roce_iofd_cost",
	.test_cases = roce_iofd_cost_cases,
};

kunit_test_suite(roce_iofd_cost_suite);
