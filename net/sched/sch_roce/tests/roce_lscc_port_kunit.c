// SPDX-License-Identifier: GPL-2.0
/*
 * LSCC (link-segmented congestion control) on ports whose lines send a byte a nanosecond: what a
 * port tells the other end of its link, whom it believes, and whom it sends CNPs.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <linux/unaligned.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "features/lscc/roce_lscc.h"
#include "../roce_reply_packet.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

#define SELF		0x0a000001
#define PEER		0x0a000002
#define PERIOD		10000ULL
#define RTT		40000ULL	/* N = 4 */
#define QREF		20000ULL
#define PSEUDO		5000ULL
#define INTERVAL	2000ULL
#define THRESHOLD	8000ULL
#define LEN		500U		/* of a packet */
#define GBIT		1000000000ULL
#define LINE		(8 * GBIT)
#define QPN		0x123456
#define PSN		0x89abcd
#define WRITE_MIDDLE	0x07
#define CNP		0x81
#define INSIDE		1		/* ifindex */
#define LINK		2

/* A switch of its own: a port inside, and one at a long link. */
struct ends {
	struct roce_config *cfg;
	struct roce_port *in, *link;
	struct roce_lscc_port *l;
};

static u32 next_switch = 3000;

static struct ends make_ends(struct kunit *test)
{
	struct ends e = { .cfg = roce_test_config(test) };
	struct roce_lscc_config *lscc = roce_lscc_config(e.cfg);

	e.cfg->switch_id = next_switch++;
	e.cfg->buffer_bytes = 64 << 20;
	e.cfg->prio[3].mmu.xoff_bytes = 8 << 20;
	e.in = roce_test_port(test, INSIDE, e.cfg);
	lscc->self = SELF;
	lscc->peer = PEER;
	lscc->period_ns = PERIOD;
	lscc->rtt_ns = RTT;
	lscc->qref_bytes = QREF;
	lscc->pseudo_bytes = PSEUDO;
	lscc->interval_ns = INTERVAL;
	lscc->threshold_bytes = THRESHOLD;
	lscc->step_bps = 100 * GBIT;
	lscc->min_bps = GBIT / 10;
	lscc->prio[3] = 1;
	e.link = roce_test_port(test, LINK, e.cfg);
	e.l = roce_lscc_of(e.link);
	KUNIT_ASSERT_NOT_NULL(test, e.l);
	/* Ports are made at time 0: periods end at multiples of T. */
	KUNIT_ASSERT_EQ(test, e.l->since_ns, 0);
	return e;
}

struct packet {
	u32 src, dst;
	u16 sport;
	u32 qpn;
	u8 opcode;
	u8 ecn;
};

#define DATA_PACKET	.src = 0x0b000001, .dst = 0x0c000001, .sport = 0xc001, \
			.qpn = QPN, .opcode = WRITE_MIDDLE, .ecn = INET_ECN_ECT_0

static struct sk_buff *packet_skb(struct kunit *test, const struct packet *p,
				  int in, u8 dscp, u32 len)
{
	struct sk_buff *skb = roce_test_packet(test, in, dscp, len);
	struct iphdr *ip = ip_hdr(skb);
	struct udphdr *udp = (struct udphdr *)(ip + 1);
	u8 *bth = (u8 *)(udp + 1);

	eth_hdr(skb)->h_dest[0] = 2;
	eth_hdr(skb)->h_source[0] = 4;
	ip->tos = dscp << 2 | p->ecn;
	ip->protocol = IPPROTO_UDP;
	ip->saddr = htonl(p->src);
	ip->daddr = htonl(p->dst);
	ip_send_check(ip);
	udp->source = htons(p->sport);
	udp->dest = htons(4791);
	bth[0] = p->opcode;
	put_unaligned_be32(p->qpn, bth + 4);
	put_unaligned_be32(PSN, bth + 8);
	qdisc_skb_cb(skb)->pkt_len = skb->len;
	return skb;
}

/* A packet from inside goes out by the link. */
static void goes_out(struct kunit *test, struct ends *e, const struct packet *p,
		     u64 now_ns)
{
	struct sk_buff *skb = packet_skb(test, p, INSIDE, DATA, LEN);

	KUNIT_ASSERT_EQ(test, roce_port_arrive(e->link, skb, now_ns),
			ROCE_ACCEPTED);
}

/* It has come in by the link, and goes to the host inside. */
static void comes_in(struct kunit *test, struct ends *e, int count, u64 now_ns)
{
	static const struct packet packet = { DATA_PACKET };

	while (count--)
		KUNIT_ASSERT_EQ(test, roce_port_arrive(e->in,
						       packet_skb(test, &packet, LINK, DATA, LEN),
						       now_ns), ROCE_ACCEPTED);
}

static void received(struct ends *e, struct sk_buff *skb, u64 now_ns)
{
	skb_pull(skb, ETH_HLEN);
	roce_switch_advance(e->link->sw, now_ns);
	roce_features_receive(e->link, skb, now_ns);
	kfree_skb(skb);
}

static void tell(struct kunit *test, struct ends *e, u32 seq, u64 time_ns,
		 u64 rate_bps, u64 now_ns)
{
	const struct roce_lscc_msg msg = {
		.self = htonl(PEER), .peer = htonl(SELF), .seq = seq,
		.time_ns = time_ns, .units = roce_lscc_units(rate_bps),
	};
	struct sk_buff *skb = roce_lscc_msg_build(NULL, &msg);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	received(e, skb, now_ns);
}

/* The next message that the link's port sends. */
static u64 told_bps(struct kunit *test, struct ends *e, u32 seq, u64 due_ns)
{
	struct roce_lscc_msg msg;
	struct sk_buff *skb;

	KUNIT_ASSERT_NULL(test, roce_port_deliver(e->link, due_ns - 1));
	skb = roce_port_deliver(e->link, due_ns);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->prio == 6);
	skb_pull(skb, ETH_HLEN);
	KUNIT_ASSERT_EQ(test, roce_lscc_msg_parse(skb, &msg), ROCE_LSCC_HEARD);
	KUNIT_EXPECT_TRUE(test, msg.self == htonl(SELF));
	KUNIT_EXPECT_TRUE(test, msg.peer == htonl(PEER));
	KUNIT_EXPECT_EQ(test, msg.seq, seq);
	KUNIT_EXPECT_EQ(test, msg.time_ns, due_ns - ETH_ZLEN);
	kfree_skb(skb);
	return msg.units * ROCE_LSCC_UNIT_BPS;
}

/* Each T a message of 60 bytes, which takes 60 ns. Idle, N = 4 and Qref = 20000: 16 Gbit/s
 * would fill the queue in T; the line has 8. Then, per Algorithm 1: 16 less what the list
 * has, first 8, then 16 and more, after five 8 + 3 x 0.1.
 */
static void roce_lscc_port__idle(struct kunit *test)
{
	static const u64 mbit[] = { 8000, 8000, 100, 100, 100, 7700, 8000 };
	struct ends e = make_ends(test);
	int i;

	for (i = 0; i < ARRAY_SIZE(mbit); i++)
		KUNIT_EXPECT_EQ_MSG(test, told_bps(test, &e, i,
						   (i + 1) * PERIOD + 60),
				    mbit[i] * 1000000, "period %d", i);
	KUNIT_EXPECT_EQ(test, e.l->stats.sent, ARRAY_SIZE(mbit));
}

/* What came by the link and waits inside is Q, what has left is BR: 30000 bytes come at
 * once, 5000 have left by the end of T (a packet that is being sent is still in), so
 * (25500 - 20000) * 8 / T = 4.4 Gbit/s too much, BR is 4500 * 8 / T = 3.6 Gbit/s: Rmin.
 * A period later Q = 15500 and BR = 8: 8 + 3.6 + (3.6 - 0.1) = 15.1 is above the line.
 */
static void roce_lscc_port__account(struct kunit *test)
{
	struct ends e = make_ends(test);

	comes_in(test, &e, 60, 5000);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&e.link->prio[3].in), 30000);
	KUNIT_EXPECT_EQ(test, told_bps(test, &e, 0, PERIOD + 60), GBIT / 10);
	KUNIT_EXPECT_EQ(test, e.l->calc.last_bps, GBIT / 10);
	/* Departures of that nanosecond may come before or after the period's end. */
	KUNIT_EXPECT_GE(test, e.l->left_bytes, 4500);
	KUNIT_EXPECT_LE(test, e.l->left_bytes, 5000);
	KUNIT_EXPECT_EQ(test, told_bps(test, &e, 1, 2 * PERIOD + 60), LINE);
	roce_test_drain(e.in, 100000);
	KUNIT_EXPECT_EQ(test, e.link->prio[3].in.left_bytes, 30000);
	roce_test_sums(test, e.link->sw);
}

/* A machine that comes late does not do all periods. The period at 2 T is done 998.5 T late; one
 * is left out and the next comes 2 T later. Its BR is the mean since 2 T. It is done 2 T late,
 * as long as its wait: five are left out. Each that is done in time leaves out one fewer, until
 * none is. All that were left out are counted.
 */
static void roce_lscc_port__late(struct kunit *test)
{
	u64 now_ns = 1000 * PERIOD + PERIOD / 2;
	struct ends e = make_ends(test);
	u64 left, i;

	comes_in(test, &e, 60, 5000);
	roce_switch_advance(e.link->sw, PERIOD);
	left = e.l->left_bytes;
	KUNIT_EXPECT_LE(test, left, 5000);
	roce_switch_advance(e.link->sw, now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.sent, 2);
	KUNIT_EXPECT_EQ(test, e.l->left_out, 1);
	/* From 2 T to 1002.5 T are 1000 periods, one of which is that. */
	KUNIT_EXPECT_EQ(test, e.l->stats.unsent, 999);
	roce_switch_advance(e.link->sw, now_ns + 2 * PERIOD - 1);
	KUNIT_EXPECT_EQ(test, e.l->stats.sent, 2);
	now_ns += 4 * PERIOD;
	roce_switch_advance(e.link->sw, now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.sent, 3);
	/* 1000 T for what had not left by 2 T, not one T: 24 Gbit/s. */
	KUNIT_EXPECT_GT(test, e.l->out_bps, 0);
	KUNIT_EXPECT_LE(test, e.l->out_bps, (30000 - left) * 8 * GBIT / (1000 * PERIOD));
	KUNIT_EXPECT_EQ(test, e.l->left_out, 5);
	/* From 2 T before now to 6 T after it. */
	KUNIT_EXPECT_EQ(test, e.l->stats.unsent, 999 + 7);
	for (i = 5; i; i--) {
		now_ns += (1 + i) * PERIOD;
		roce_switch_advance(e.link->sw, now_ns - 1);
		KUNIT_EXPECT_EQ(test, e.l->left_out, i);
		roce_switch_advance(e.link->sw, now_ns);
		KUNIT_EXPECT_EQ(test, e.l->left_out, i - 1);
	}
	/* And from there as ever. */
	KUNIT_EXPECT_EQ(test, e.l->stats.sent, 8);
	KUNIT_EXPECT_EQ(test, e.l->stats.unsent, 999 + 7 + 4 + 3 + 2 + 1);
	roce_switch_advance(e.link->sw, now_ns + 10 * PERIOD - 1);
	roce_test_drain(e.in, now_ns + 10 * PERIOD);
	roce_test_drain(e.link, now_ns + 10 * PERIOD);
}

/* A machine that is always late by more than the longest wait still does one each time. */
static void roce_lscc_port__always_late(struct kunit *test)
{
	struct ends e = make_ends(test);
	u64 now_ns = 0;
	int i;

	for (i = 0; i < 100; i++) {
		now_ns += 100000 * PERIOD;
		roce_switch_advance(e.link->sw, now_ns);
		KUNIT_EXPECT_LE(test, e.l->left_out, 4095);
		KUNIT_EXPECT_EQ(test, e.l->stats.sent, i + 1);
	}
	roce_test_drain(e.link, now_ns);
}

/* The pseudo queue at 4 Gbit/s: half of what the line sends stays. A message of the first
 * packets' sender, with all that a CNP has.
 */
static void roce_lscc_port__limit(struct kunit *test)
{
	u8 field[16] = { 0, 0, 0, 0, 5, 2, 0, 0, 0, 0x89, 0xab, 0xcd };
	struct packet packet = { DATA_PACKET }, other = packet;
	struct ends e = make_ends(test);
	struct sk_buff *skb;
	int i;

	field[7] = roce_reply_number(e.link);
	other.sport = 1;
	/* without a rate there is no queue, and nobody is told */
	for (i = 0; i < 20; i++)
		goes_out(test, &e, &packet, 100);
	KUNIT_EXPECT_EQ(test, e.l->limit.bytes, 0);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 0);

	tell(test, &e, 7, 1, 4 * GBIT, 1000);
	KUNIT_EXPECT_EQ(test, e.l->limit.rate_bps, 4 * GBIT);
	for (i = 0; i < 10; i++)
		goes_out(test, &e, &packet, 1000);
	KUNIT_EXPECT_EQ(test, e.l->limit.bytes, 5000);
	/* 10000 + 5000 bytes of the flow: not below the threshold, and not marked */
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 0);
	/* another flow; 500 ns at half a byte: 5000 - 250 + 500 */
	goes_out(test, &e, &other, 1500);
	KUNIT_EXPECT_EQ(test, e.l->limit.bytes, 5250);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 1);

	skb = roce_port_deliver(e.in, 1500 + 74);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(skb->data + 26), 0x0c000001);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(skb->data + 30), 0x0b000001);
	KUNIT_EXPECT_EQ(test, skb->data[42], CNP);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(skb->data + 46),
			0x40000000 | QPN);
	KUNIT_EXPECT_MEMEQ(test, skb->data + 54, field, sizeof(field));
	kfree_skb(skb);
	KUNIT_EXPECT_EQ(test, e.l->peak_bytes, 5250);
}

/* Damped for an interval, for each queue pair alone; only data is told. */
static void roce_lscc_port__whom(struct kunit *test)
{
	struct packet packet = { DATA_PACKET }, other = packet;
	struct ends e = make_ends(test);
	int i;

	other.sport = 1;
	tell(test, &e, 7, 1, 100000000, 1000);
	for (i = 0; i < 10; i++)
		goes_out(test, &e, &other, 1000);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 1);
	goes_out(test, &e, &packet, 1000);
	goes_out(test, &e, &packet, 1000);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 2);
	KUNIT_EXPECT_EQ(test, e.l->stats.damped, 1);
	packet.qpn++;
	goes_out(test, &e, &packet, 1000);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 3);
	goes_out(test, &e, &packet, 1000 + INTERVAL - 1);
	KUNIT_EXPECT_EQ(test, e.l->stats.damped, 2);
	goes_out(test, &e, &packet, 1000 + INTERVAL);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 4);
	packet.sport = 99;
	packet.opcode = 0x11;	/* ACK */
	goes_out(test, &e, &packet, 1000 + INTERVAL);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 4);
	KUNIT_EXPECT_EQ(test, e.l->stats.failed + e.l->stats.no_place, 0);
}

/* A long flow is told in the period in which it is marked: by a CE from inside, which goes
 * no further, or by a CNP of its receiver.
 */
static void roce_lscc_port__marks(struct kunit *test)
{
	struct packet packet = { DATA_PACKET }, other = packet;
	struct packet cnp = {
		.src = packet.dst, .dst = packet.src, .sport = 0xc999,
		.qpn = 77, .opcode = CNP,
	};
	struct ends e = make_ends(test);
	u64 now_ns = 2 * PERIOD;
	struct sk_buff *skb;
	int i;

	other.dst = 5;
	tell(test, &e, 7, 1, 100000000, now_ns);
	for (i = 0; i < 16; i++) {
		goes_out(test, &e, &packet, now_ns);
		goes_out(test, &e, &other, now_ns);
	}
	e.l->stats.cnps = 0;
	now_ns += INTERVAL;
	goes_out(test, &e, &packet, now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 0);

	packet.ecn = INET_ECN_CE;
	skb = packet_skb(test, &packet, INSIDE, DATA, LEN);
	KUNIT_ASSERT_EQ(test, roce_port_arrive(e.link, skb, now_ns),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, ip_hdr(skb)->tos, DATA << 2 | INET_ECN_ECT_0);
	KUNIT_EXPECT_EQ(test, ip_fast_csum(ip_hdr(skb), 5), 0);
	KUNIT_EXPECT_EQ(test, e.l->stats.cleared, 1);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 1);
	packet.ecn = INET_ECN_ECT_0;
	now_ns += INTERVAL;
	goes_out(test, &e, &packet, now_ns);
	goes_out(test, &e, &other, now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 2);
	now_ns = 3 * PERIOD;
	goes_out(test, &e, &packet, now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 2);

	received(&e, packet_skb(test, &cnp, 0, 48, 74), now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.marked, 1);
	goes_out(test, &e, &packet, now_ns);
	goes_out(test, &e, &other, now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 3);
	now_ns = 4 * PERIOD;
	goes_out(test, &e, &packet, now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 3);
	/* data that comes in is no CNP */
	received(&e, packet_skb(test, &packet, 0, DATA, LEN), now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.marked, 1);
}

/* The ECN field of a marked packet behind the port. */
static int left_ecn(struct kunit *test, struct ends *e, const struct packet *p, u64 now_ns)
{
	struct packet marked = *p;
	struct sk_buff *skb;

	marked.ecn = INET_ECN_CE;
	skb = packet_skb(test, &marked, INSIDE, DATA, LEN);
	KUNIT_ASSERT_EQ(test, roce_port_arrive(e->link, skb, now_ns),
			ROCE_ACCEPTED);
	return ip_hdr(skb)->tos & INET_ECN_MASK;
}

/* Who cannot be told from here must be told by its receiver: CE stays where no rate is in
 * force, or no more, and where the flow has no place. With lscc-clear long it also stays where
 * the pseudo queue is short, so that no direct CNP is sent: this flow is not told then.
 */
static void roce_lscc_port__clears(struct kunit *test)
{
	struct packet packet = { DATA_PACKET }, other = packet;
	struct ends e = make_ends(test);
	u64 now_ns = 1000;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, left_ecn(test, &e, &packet, now_ns), INET_ECN_CE);
	tell(test, &e, 7, 1, 100000000, now_ns);
	KUNIT_EXPECT_EQ(test, left_ecn(test, &e, &packet, now_ns), INET_ECN_ECT_0);
	roce_lscc_config(e.cfg)->clear = TC_ROCE_LSCC_CLEAR_LONG;
	KUNIT_ASSERT_EQ(test, roce_test_configure(e.link, e.cfg, false, now_ns), 0);
	tell(test, &e, 8, 2, 100000000, now_ns);
	KUNIT_EXPECT_EQ(test, left_ecn(test, &e, &packet, now_ns), INET_ECN_CE);
	for (i = 0; i < PSEUDO / LEN; i++)
		goes_out(test, &e, &packet, now_ns);
	KUNIT_EXPECT_EQ(test, left_ecn(test, &e, &packet, now_ns), INET_ECN_ECT_0);
	KUNIT_EXPECT_EQ(test, e.l->stats.cleared, 2);
	/* as many flows as make it certain that there is no place */
	for (i = 0; i < 2 * ROCE_LSCC_FLOWS; i++) {
		other.qpn = i;
		goes_out(test, &e, &other, now_ns);
	}
	for (i = 0; i < ROCE_FLOW_WAYS * ROCE_LSCC_FLOWS; i++) {
		u64 before = e.l->stats.no_place;

		other.qpn = 2 * ROCE_LSCC_FLOWS + i;
		goes_out(test, &e, &other, now_ns);
		if (e.l->stats.no_place != before)
			break;
	}
	KUNIT_EXPECT_EQ(test, left_ecn(test, &e, &other, now_ns), INET_ECN_CE);
	KUNIT_EXPECT_EQ(test, left_ecn(test, &e, &packet, now_ns), INET_ECN_ECT_0);
	/* the rate expires */
	now_ns += 10 * PERIOD;
	KUNIT_EXPECT_EQ(test, left_ecn(test, &e, &packet, now_ns), INET_ECN_CE);
	KUNIT_EXPECT_EQ(test, e.l->stats.expired, 1);
}

/* A queue pair that has sent more than the threshold and then nothing for a round trip has had
 * no feedback on what it sends now, so it is told like a new one.
 */
static void roce_lscc_port__idle_flow(struct kunit *test)
{
	const struct packet packet = { DATA_PACKET };
	struct ends e = make_ends(test);
	u64 now_ns = 1000;
	unsigned int i;

	tell(test, &e, 7, 1, 100000000, now_ns);
	for (i = 0; i < 2 * THRESHOLD / LEN; i++)
		goes_out(test, &e, &packet, now_ns);
	e.l->stats.cnps = 0;
	now_ns += RTT - 1;
	goes_out(test, &e, &packet, now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 0);
	now_ns += RTT;
	for (i = 0; i < PSEUDO / LEN; i++)
		goes_out(test, &e, &packet, now_ns);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 1);
}

/* IPv6's traffic class lies across two bytes. */
static void roce_lscc_port__ipv6(struct kunit *test)
{
	struct sk_buff *skb = roce_test_ipv6(test, DATA << 2 | INET_ECN_CE, LEN);
	struct ipv6hdr *ip = ipv6_hdr(skb);
	struct udphdr *udp = (struct udphdr *)(ip + 1);
	struct ends e = make_ends(test);

	ip->nexthdr = IPPROTO_UDP;
	ip->payload_len = htons(LEN - ETH_HLEN - sizeof(*ip));
	ip->saddr.s6_addr[0] = 0xfd;
	ip->daddr.s6_addr[0] = 0xfc;
	udp->dest = htons(4791);
	((u8 *)(udp + 1))[0] = WRITE_MIDDLE;
	skb->skb_iif = INSIDE;
	tell(test, &e, 7, 1, GBIT, 100);
	KUNIT_ASSERT_EQ(test, roce_port_arrive(e.link, skb, 100),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, ipv6_get_dsfield(ip), DATA << 2 | INET_ECN_ECT_0);
	KUNIT_EXPECT_TRUE(test, ip->version == 6);
	KUNIT_EXPECT_EQ(test, e.l->stats.cleared, 1);
}

/* Strangers, the past, and rates that cannot be. */
static void roce_lscc_port__belief(struct kunit *test)
{
	struct roce_lscc_msg msg = {
		.self = htonl(PEER), .peer = htonl(SELF), .units = 1000,
	};
	struct ends e = make_ends(test);

	tell(test, &e, 100, 5000, 4 * GBIT, 1000);
	tell(test, &e, 100, 5001, 2 * GBIT, 1001);	/* the number again */
	tell(test, &e, 101, 5000, 2 * GBIT, 1002);	/* the time again */
	tell(test, &e, 99, 6000, 2 * GBIT, 1003);
	tell(test, &e, 101, 4000, 2 * GBIT, 1004);
	tell(test, &e, 100 + BIT(31), 6000, 2 * GBIT, 1005);
	KUNIT_EXPECT_EQ(test, e.l->stats.late, 5);
	KUNIT_EXPECT_EQ(test, e.l->stats.heard, 1);
	KUNIT_EXPECT_EQ(test, e.l->limit.rate_bps, 4 * GBIT);

	msg.self = htonl(PEER + 1);
	received(&e, roce_lscc_msg_build(NULL, &msg), 1010);
	msg.self = htonl(PEER);
	msg.peer = htonl(SELF + 1);
	received(&e, roce_lscc_msg_build(NULL, &msg), 1011);
	KUNIT_EXPECT_EQ(test, e.l->stats.refused, 2);

	/* 0 is Rmin; 2^63 bit/s are more units than there are, and above the line */
	msg = (struct roce_lscc_msg){
		.self = htonl(PEER), .peer = htonl(SELF), .seq = 102,
		.time_ns = 7000,
	};
	received(&e, roce_lscc_msg_build(NULL, &msg), 1012);
	KUNIT_EXPECT_EQ(test, e.l->limit.rate_bps, GBIT / 10);
	tell(test, &e, 103, 7001, BIT_ULL(63), 1013);
	KUNIT_EXPECT_EQ(test, e.l->limit.rate_bps, LINE);
	KUNIT_EXPECT_EQ(test, e.l->stats.heard, 3);
}

/* Ten periods without a message: no rate, no queue. Then a peer that has started again. */
static void roce_lscc_port__expiry(struct kunit *test)
{
	const struct packet packet = { DATA_PACKET };
	struct ends e = make_ends(test);
	int i;

	tell(test, &e, 100, 500000, 100000000, 1000);
	for (i = 0; i < 12; i++)
		goes_out(test, &e, &packet, 1000);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 1);
	goes_out(test, &e, &packet, 1000 + 10 * PERIOD - 1);
	KUNIT_EXPECT_EQ(test, e.l->stats.expired, 0);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 2);
	tell(test, &e, 3, 200, 5 * GBIT, 1000 + 10 * PERIOD - 1);
	KUNIT_EXPECT_EQ(test, e.l->stats.late, 1);
	goes_out(test, &e, &packet, 1000 + 10 * PERIOD);
	KUNIT_EXPECT_EQ(test, e.l->stats.expired, 1);
	KUNIT_EXPECT_EQ(test, e.l->limit.rate_bps, 0);
	KUNIT_EXPECT_EQ(test, e.l->limit.bytes, 0);
	tell(test, &e, 3, 200, 5 * GBIT, 1000 + 10 * PERIOD);
	KUNIT_EXPECT_EQ(test, e.l->limit.rate_bps, 5 * GBIT);
}

/* More queue pairs than places: who has none is not told, nothing else happens. All come at
 * once, and the port that CNPs leave by has room for 885 of 74 bytes: the others fail.
 */
static void roce_lscc_port__full(struct kunit *test)
{
	const u32 pairs = 2 * ROCE_LSCC_FLOWS;
	struct packet packet = { DATA_PACKET };
	struct ends e = make_ends(test);
	unsigned int i, used = 0;

	tell(test, &e, 7, 1, 100000000, 1000);
	for (i = 0; i < pairs; i++) {
		packet.qpn = i;
		goes_out(test, &e, &packet, 1000);
	}
	for (i = 0; i < ROCE_LSCC_FLOWS; i++)
		used += e.l->flows[i].key.used;
	KUNIT_EXPECT_EQ(test, used + e.l->stats.no_place, pairs);
	KUNIT_EXPECT_GT(test, used, ROCE_LSCC_FLOWS * 9 / 10);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps + e.l->stats.failed, used - PSEUDO / LEN + 1);
	KUNIT_EXPECT_EQ(test, e.l->stats.cnps, 65536 / 74);
	/* a round trip later others have their places */
	packet.qpn = pairs;
	goes_out(test, &e, &packet, 1000 + RTT);
	KUNIT_EXPECT_EQ(test, used + e.l->stats.no_place, pairs);
}

/* Off: no message, no queue, nobody is told; on again: anew. Other changes leave it. */
static void roce_lscc_port__on_and_off(struct kunit *test)
{
	const struct packet packet = { DATA_PACKET };
	struct ends e = make_ends(test);

	tell(test, &e, 7, 1, 100000000, 1000);
	e.cfg->pfc_quanta = 1000;
	KUNIT_ASSERT_EQ(test, roce_test_configure(e.link, e.cfg, false, 1500), 0);
	KUNIT_EXPECT_EQ(test, e.l->limit.rate_bps, 100000000);
	KUNIT_EXPECT_EQ(test, e.l->since_ns, 0);

	roce_lscc_config(e.cfg)->prio[3] = 0;
	KUNIT_ASSERT_EQ(test, roce_test_configure(e.link, e.cfg, false, 2000), 0);
	KUNIT_EXPECT_EQ(test, e.l->limit.rate_bps, 0);
	KUNIT_EXPECT_EQ(test, e.link->receivers, 0);
	goes_out(test, &e, &packet, 3000);
	roce_switch_advance(e.link->sw, 5 * PERIOD);
	KUNIT_EXPECT_EQ(test, e.l->stats.sent, 0);

	roce_lscc_config(e.cfg)->prio[3] = 1;
	KUNIT_ASSERT_EQ(test, roce_test_configure(e.link, e.cfg, false,
						  5 * PERIOD + 7), 0);
	roce_test_drain(e.link, 5 * PERIOD + 7);
	KUNIT_EXPECT_EQ(test, told_bps(test, &e, 0, 6 * PERIOD + 67), LINE);
	e.link->down = true;
	roce_switch_advance(e.link->sw, 7 * PERIOD + 7);
	KUNIT_EXPECT_EQ(test, e.l->stats.sent, 1);
	KUNIT_EXPECT_EQ(test, e.l->stats.unsent, 1);
	e.link->down = false;
	/* the number of the lost one is not used again */
	KUNIT_EXPECT_EQ(test, e.l->seq, 2);
}

static struct kunit_case roce_lscc_port_cases[] = {
	KUNIT_CASE(roce_lscc_port__idle),
	KUNIT_CASE(roce_lscc_port__account),
	KUNIT_CASE(roce_lscc_port__late),
	KUNIT_CASE(roce_lscc_port__always_late),
	KUNIT_CASE(roce_lscc_port__limit),
	KUNIT_CASE(roce_lscc_port__whom),
	KUNIT_CASE(roce_lscc_port__marks),
	KUNIT_CASE(roce_lscc_port__clears),
	KUNIT_CASE(roce_lscc_port__idle_flow),
	KUNIT_CASE(roce_lscc_port__ipv6),
	KUNIT_CASE(roce_lscc_port__belief),
	KUNIT_CASE(roce_lscc_port__expiry),
	KUNIT_CASE(roce_lscc_port__full),
	KUNIT_CASE(roce_lscc_port__on_and_off),
	{}
};

static struct kunit_suite roce_lscc_port_suite = {
	.name = "roce_lscc_port",
	.test_cases = roce_lscc_port_cases,
};

kunit_test_suite(roce_lscc_port_suite);
