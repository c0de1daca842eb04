// SPDX-License-Identifier: GPL-2.0
/*
 * Mercury on ports whose lines send a byte a nanosecond: who is told what, and that the
 * table of flows is empty in the end.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <linux/unaligned.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include <rxe_cc/icrc.h>

#include "features/mercury/roce_mercury.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

#define QPN		0x123456
#define PSN		0x89abcd
#define PKEY		0xffff
#define SPORT		0xc123
#define WRITE_MIDDLE	0x07
#define ACK		0x11
#define CNP		0x81
#define BASE_RTT	8000ULL
#define PERIOD		500ULL
#define THRESHOLD	1000U
#define LEN		250U		/* of a packet */
#define CNP_BYTES	(20 + 8 + 12 + 16 + 4)

/* A RoCEv2 packet without telemetry. */
struct packet {
	u32 pair;	/* both addresses */
	u32 len;	/* from the Ethernet header on */
	u32 qpn;
	u8 opcode;
	u8 dsfield;
	bool v6;
};

#define DATA_PACKET	.len = LEN, .qpn = QPN, .opcode = WRITE_MIDDLE, \
			.dsfield = DATA << 2 | INET_ECN_ECT_0

static void packet_ip(struct sk_buff *skb, const struct packet *p)
{
	u32 bytes = p->len - ETH_HLEN;

	if (p->v6) {
		struct ipv6hdr *ip = skb_put_zero(skb, sizeof(*ip));

		ip6_flow_hdr(ip, p->dsfield, 0);
		ip->payload_len = htons(bytes - sizeof(*ip));
		ip->nexthdr = IPPROTO_UDP;
		ip->hop_limit = 64;
		ip->saddr.s6_addr[0] = 0xfd;
		ip->saddr.s6_addr32[3] = htonl(p->pair);
		ip->daddr.s6_addr[0] = 0xfd;
		ip->daddr.s6_addr32[3] = htonl(~p->pair);
	} else {
		struct iphdr *ip = skb_put_zero(skb, sizeof(*ip));

		ip->version = 4;
		ip->ihl = 5;
		ip->tos = p->dsfield;
		ip->tot_len = htons(bytes);
		ip->ttl = 64;
		ip->protocol = IPPROTO_UDP;
		ip->saddr = htonl(0x0a000000 + p->pair);
		ip->daddr = htonl(0x0b000000 + p->pair);
		ip_send_check(ip);
	}
}

static struct sk_buff *packet_skb(struct kunit *test, const struct packet *p)
{
	struct sk_buff *skb = alloc_skb(64 + p->len, GFP_KERNEL);
	struct udphdr *udp;
	struct ethhdr *eth;
	u8 *bth;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, 64);
	skb_reset_mac_header(skb);
	eth = skb_put_zero(skb, ETH_HLEN);
	memset(eth->h_dest, 2, ETH_ALEN);
	memset(eth->h_source, 4, ETH_ALEN);
	eth->h_proto = p->v6 ? htons(ETH_P_IPV6) : htons(ETH_P_IP);
	skb_set_network_header(skb, ETH_HLEN);
	skb->protocol = eth->h_proto;
	packet_ip(skb, p);
	udp = skb_put_zero(skb, sizeof(*udp));
	udp->source = htons(SPORT);
	udp->dest = htons(4791);
	bth = skb_put_zero(skb, p->len - skb->len);
	bth[0] = p->opcode;
	put_unaligned_be16(PKEY, bth + 2);
	put_unaligned_be32(p->qpn, bth + 4);
	put_unaligned_be32(0x80000000 | PSN, bth + 8);
	qdisc_skb_cb(skb)->pkt_len = skb->len;
	skb->skb_iif = 1;
	return skb;
}

struct pair {
	struct roce_config *cfg;
	struct roce_port *in, *out;
	struct roce_mercury_port *m;
	const struct roce_mercury_switch *sw;
};

static u32 next_switch = 2000;

/* Two ports of a switch of their own; the second has Mercury in priority 3. */
static struct pair make_pair(struct kunit *test)
{
	struct pair p = { .cfg = roce_test_config(test) };
	struct roce_mercury_config *mercury = roce_mercury_config(p.cfg);

	p.cfg->switch_id = next_switch++;
	p.cfg->buffer_bytes = 64 << 20;
	p.cfg->prio[3].mmu.xoff_bytes = 32 << 20;
	p.in = roce_test_port(test, 1, p.cfg);
	mercury->base_rtt_ns = BASE_RTT;
	mercury->period_ns = PERIOD;
	mercury->prio[3].threshold_bytes = THRESHOLD;
	p.out = roce_test_port(test, 2, p.cfg);
	p.m = roce_feature_port(p.out, &roce_mercury_feature);
	p.sw = roce_feature_switch(p.out, &roce_mercury_feature);
	KUNIT_ASSERT_NOT_NULL(test, p.m);
	return p;
}

static void arrive(struct kunit *test, struct pair *p,
		   const struct packet *packet, u64 now_ns)
{
	KUNIT_ASSERT_EQ(test, roce_port_arrive(p->out, packet_skb(test, packet),
					       now_ns), ROCE_ACCEPTED);
}

static void arrive_many(struct kunit *test, struct pair *p, int count, u64 now_ns)
{
	static const struct packet packet = { DATA_PACKET, .pair = 1 };

	while (count--)
		arrive(test, p, &packet, now_ns);
}

/* What has left both ports by @now_ns goes. */
static void drain(struct pair *p, u64 now_ns)
{
	roce_test_drain(p->in, now_ns);
	roce_test_drain(p->out, now_ns);
}

static void expect_cnps(struct kunit *test, const struct pair *p, u64 cnps,
			u64 damped, u64 failed)
{
	KUNIT_EXPECT_EQ(test, p->m->cnps, cnps);
	KUNIT_EXPECT_EQ(test, p->m->damped, damped);
	KUNIT_EXPECT_EQ(test, p->m->failed, failed);
}

/* No flow has packets waiting, and the table does not say so either. */
static void expect_empty(struct kunit *test, const struct pair *p)
{
	unsigned int left = 0;
	int i;

	for (i = 0; i < ROCE_MERCURY_FLOWS; i++)
		left += !!p->sw->flows[i].bytes;
	KUNIT_EXPECT_EQ(test, left, 0);
	KUNIT_EXPECT_EQ(test, p->m->flows, 0);
	roce_test_sums(test, p->out->sw);
}

/* Byte for byte, from the Ethernet header to the ICRC; 4 packets of 250 bytes wait, the
 * fifth makes 1250: all of one flow, so the window is C * baseRTT.
 */
static void roce_mercury__bytes(struct kunit *test)
{
	static const u8 field[16] = {
		0, 0, BASE_RTT >> 8, BASE_RTT & 0xff, 7, 1, 0, 2,
		0, 0x89, 0xab, 0xcd,
	};
	struct pair p = make_pair(test);
	const u32 len = ETH_HLEN + CNP_BYTES;
	struct sk_buff *skb;
	const u8 *d;
	__le32 icrc;

	arrive_many(test, &p, 5, T0);
	expect_cnps(test, &p, 0, 0, 0);
	arrive_many(test, &p, 1, T0 + 10);
	expect_cnps(test, &p, 1, 0, 0);
	KUNIT_EXPECT_EQ(test, p.m->stats[3].congested, 1);

	KUNIT_EXPECT_NULL(test, roce_port_deliver(p.in, T0 + 10 + len - 1));
	skb = roce_port_deliver(p.in, T0 + 10 + len);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_EQ(test, skb->len, len);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->prio == 6);
	d = skb->data;
	KUNIT_EXPECT_EQ(test, d[0], 4);
	KUNIT_EXPECT_EQ(test, d[6], 2);
	KUNIT_EXPECT_EQ(test, d[15], 48 << 2);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(d + 16), CNP_BYTES);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + 26), 0x0b000001);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + 30), 0x0a000001);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(d + 34), SPORT);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(d + 36), 4791);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(d + 38), 40);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + 42), CNP << 24 | PKEY);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + 46), 0x40000000 | QPN);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + 50), 0);
	KUNIT_EXPECT_MEMEQ(test, d + 54, field, sizeof(field));
	icrc = rxe_cc_icrc(d + 14, CNP_BYTES - 4);
	KUNIT_EXPECT_MEMEQ(test, d + len - 4, &icrc, 4);
	kfree_skb(skb);
	drain(&p, T0 + 10000);
	expect_empty(test, &p);
}

/* Shares of several flows, over IPv4 and IPv6. */
static void roce_mercury__shares(struct kunit *test)
{
	struct packet packet = { DATA_PACKET };
	struct pair p = make_pair(test);
	const u32 at = 20 + ETH_HLEN + 20 + 8 + 12;	/* IPv6 */
	struct sk_buff *skb;
	int i;

	/* on the line; flow 2: 500 bytes, flow 3: 500 */
	for (i = 0; i < 5; i++) {
		packet.pair = i ? 2 + (i & 1) : 1;
		arrive(test, &p, &packet, T0);
	}
	expect_cnps(test, &p, 0, 0, 0);
	KUNIT_EXPECT_EQ(test, p.m->flows, 2);
	packet.pair = 9;
	packet.v6 = true;
	packet.len = 600;
	arrive(test, &p, &packet, T0);
	expect_cnps(test, &p, 1, 0, 0);
	KUNIT_EXPECT_EQ(test, p.m->flows, 3);
	skb = roce_port_deliver(p.in, T0 + 1000);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->len, ETH_HLEN + 20 + CNP_BYTES);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(skb->data + at),
			BASE_RTT * 600 / 1600);
	kfree_skb(skb);
	drain(&p, T0 + 10000);
	expect_empty(test, &p);
	KUNIT_EXPECT_EQ(test, p.m->flows_peak, 3);
}

/* One an interval for a pair of addresses, whatever its queue pairs; another pair has
 * its own, and so has another queue. Its memory outlasts an empty queue.
 */
static void roce_mercury__damping(struct kunit *test)
{
	struct packet packet = { DATA_PACKET, .pair = 1 };
	struct pair p = make_pair(test);

	arrive_many(test, &p, 5, T0);
	arrive_many(test, &p, 3, T0);
	expect_cnps(test, &p, 1, 2, 0);
	packet.qpn++;
	arrive(test, &p, &packet, T0 + 1);
	expect_cnps(test, &p, 1, 3, 0);
	packet.pair = 2;
	arrive(test, &p, &packet, T0 + 1);
	expect_cnps(test, &p, 2, 3, 0);

	drain(&p, T0 + BASE_RTT - 1);
	expect_empty(test, &p);
	arrive_many(test, &p, 6, T0 + BASE_RTT - 1);
	expect_cnps(test, &p, 2, 4, 0);
	arrive_many(test, &p, 2, T0 + BASE_RTT);
	expect_cnps(test, &p, 3, 5, 0);

	roce_mercury_config(p.cfg)->interval_ns = 1;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false,
						  T0 + BASE_RTT), 0);
	arrive_many(test, &p, 1, T0 + BASE_RTT + 1);
	expect_cnps(test, &p, 4, 5, 0);
	drain(&p, T0 + 3 * BASE_RTT);
	expect_empty(test, &p);
}

/* Only data has its sender told; all that is RoCE counts as its flow's. */
static void roce_mercury__whom(struct kunit *test)
{
	static const struct {
		u8 opcode;
		bool told;
	} table[] = {
		{ 0x00, true }, { 0x05, true }, { 0x06, true }, { 0x0b, true },
		{ 0x0c, false },		/* READ request */
		{ 0x0d, true }, { 0x10, true },	/* READ responses */
		{ ACK, false }, { 0x12, false }, { 0x13, false }, { 0x14, false },
		{ 0x16, true }, { 0x17, true }, { 0x18, false },
		{ 0x20, true }, { 0x2b, true }, { 0x2c, false },
		{ 0x40, false }, { 0x64, false },	/* RD, UD */
		{ CNP, false }, { 0xc1, false }, { 0xff, false },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct packet packet = { DATA_PACKET, .pair = 5 };
		struct pair p = make_pair(test);

		arrive_many(test, &p, 5, T0);
		packet.opcode = table[i].opcode;
		arrive(test, &p, &packet, T0);
		KUNIT_EXPECT_EQ_MSG(test, p.m->cnps, table[i].told, "row %d", i);
		KUNIT_EXPECT_EQ(test, p.m->damped + p.m->failed, 0);
		KUNIT_EXPECT_EQ(test, p.m->flows, 2);
		KUNIT_EXPECT_EQ(test, p.m->stats[3].congested, 1);
	}
}

/* A CNP that fails begins no interval: the next packet causes another. */
static void roce_mercury__failed(struct kunit *test)
{
	struct pair p = make_pair(test);

	arrive_many(test, &p, 5, T0);
	p.in->down = true;
	arrive_many(test, &p, 2, T0);
	expect_cnps(test, &p, 0, 0, 2);
	p.in->down = false;
	arrive_many(test, &p, 1, T0);
	expect_cnps(test, &p, 1, 0, 2);
	arrive_many(test, &p, 1, T0);
	expect_cnps(test, &p, 1, 1, 2);
}

/* Nothing of the shared pool is free: that is when senders have to be told. */
static void roce_mercury__full_buffer(struct kunit *test)
{
	struct pair p = make_pair(test);
	struct roce_mmu *mmu = &p.out->sw->mmu;
	struct roce_account *acct = &p.in->prio[0].out;
	u64 free;

	arrive_many(test, &p, 5, T0);
	free = roce_mmu_shared_free(mmu);
	roce_mmu_force(mmu, acct, free - LEN);
	arrive_many(test, &p, 1, T0);
	expect_cnps(test, &p, 1, 0, 0);
	roce_mmu_release(mmu, acct, free - LEN);
	drain(&p, T0 + 10000);
	expect_empty(test, &p);
}

/* The port that CNPs leave by has 64 KiB for them: 885 of 74 bytes. A packet each ns causes
 * one, and the line sends one in 74 ns.
 */
static void roce_mercury__own_memory(struct kunit *test)
{
	const u32 most = 65536, bytes = ETH_HLEN + CNP_BYTES;
	struct packet packet = { DATA_PACKET, .pair = 1 };
	struct pair p = make_pair(test);
	unsigned int i, sent;

	roce_mercury_config(p.cfg)->interval_ns = 1;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false, T0), 0);
	arrive_many(test, &p, 5, T0);
	for (i = 0; i < 1000; i++) {
		arrive(test, &p, &packet, T0 + 1 + i);
		KUNIT_ASSERT_LE(test, p.in->own_bytes, most);
	}
	sent = 1000 / bytes;
	KUNIT_EXPECT_GE(test, p.m->cnps, (u64)(most / bytes + sent - 1));
	KUNIT_EXPECT_LE(test, p.m->cnps, (u64)(most / bytes + sent + 1));
	KUNIT_EXPECT_EQ(test, p.m->cnps + p.m->failed, 1000ULL);
	drain(&p, T0 + 1000000);
	KUNIT_EXPECT_EQ(test, p.in->own_bytes, 0U);
	expect_empty(test, &p);
}

/* A pause explains the queue: nobody is told, until it does not fall any more. 52000
 * quanta of 64 ns are 3.3 ms; ten packets come while it holds.
 */
static void roce_mercury__victim(struct kunit *test)
{
	struct roce_mercury_state *s;
	struct pair p = make_pair(test);

	s = &p.m->state[3];
	roce_test_pause(test, p.out, 52000, T0);
	KUNIT_EXPECT_TRUE(test, s->undetermined);
	arrive_many(test, &p, 10, T0 + 1000);
	/* again: it goes on, as before */
	roce_test_pause(test, p.out, 52000, T0 + 2000);
	KUNIT_EXPECT_EQ(test, s->pause_ns, T0);
	KUNIT_EXPECT_EQ(test, s->rx_bytes, 2500);
	KUNIT_EXPECT_EQ(test, p.m->stats[3].spared, 6);
	/* 2500 bytes in 2500 ns: what the line carries, not more */
	roce_test_pause(test, p.out, 0, T0 + 2500);
	KUNIT_EXPECT_TRUE(test, s->undetermined);
	KUNIT_EXPECT_FALSE(test, s->paused);
	KUNIT_EXPECT_EQ(test, s->check_bytes, 2500);
	/* packets go at 2500, 2750, 3000: then T is over, and 1750 < 2500 wait */
	drain(&p, T0 + 3000);
	KUNIT_EXPECT_TRUE(test, s->undetermined);
	KUNIT_EXPECT_EQ(test, s->check_bytes, 1750);
	KUNIT_EXPECT_EQ(test, s->check_ns, T0 + 3000);
	/* three more: 1750 again at 3500 */
	arrive_many(test, &p, 2, T0 + 3100);
	drain(&p, T0 + 3499);
	KUNIT_EXPECT_TRUE(test, s->undetermined);
	expect_cnps(test, &p, 0, 0, 0);
	drain(&p, T0 + 3500);
	KUNIT_EXPECT_EQ(test, s->check_bytes, 1750);
	KUNIT_EXPECT_FALSE(test, s->undetermined);
	arrive_many(test, &p, 1, T0 + 3501);
	expect_cnps(test, &p, 1, 0, 0);
	KUNIT_EXPECT_EQ(test, p.m->stats[3].entered, 1);
	drain(&p, T0 + 20000);
	expect_empty(test, &p);
}

/* More came than the line carries: told from the end of the pause on. The pause runs out
 * by itself, at its nanosecond, though nobody looks: 100 quanta are 6400 ns.
 */
static void roce_mercury__culprit(struct kunit *test)
{
	struct roce_mercury_state *s;
	struct pair p = make_pair(test);

	s = &p.m->state[3];
	roce_test_pause(test, p.out, 100, T0);
	arrive_many(test, &p, 26, T0 + 1000);	/* 6500 bytes */
	KUNIT_EXPECT_EQ(test, p.m->stats[3].spared, 22);
	expect_cnps(test, &p, 0, 0, 0);
	roce_switch_advance(p.out->sw, T0 + 6399);
	KUNIT_EXPECT_TRUE(test, s->paused);
	roce_switch_advance(p.out->sw, T0 + 6400);
	KUNIT_EXPECT_FALSE(test, s->paused);
	KUNIT_EXPECT_FALSE(test, s->undetermined);
	arrive_many(test, &p, 1, T0 + 6401);
	expect_cnps(test, &p, 1, 0, 0);
	drain(&p, T0 + 60000);
	expect_empty(test, &p);
}

/* Switched off with packets waiting, and on again, also in the middle of a pause. */
static void roce_mercury__on_and_off(struct kunit *test)
{
	struct pair p = make_pair(test);
	u32 *threshold = &roce_mercury_config(p.cfg)->prio[3].threshold_bytes;

	arrive_many(test, &p, 4, T0);
	KUNIT_EXPECT_EQ(test, p.m->flows, 1);
	*threshold = 0;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false, T0), 0);
	expect_empty(test, &p);
	arrive_many(test, &p, 4, T0);
	roce_test_pause(test, p.out, 1000, T0);
	KUNIT_EXPECT_FALSE(test, p.m->state[3].undetermined);
	*threshold = THRESHOLD;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false, T0 + 100),
			0);
	KUNIT_EXPECT_TRUE(test, p.m->state[3].undetermined);
	KUNIT_EXPECT_EQ(test, p.m->state[3].pause_ns, T0 + 100);
	KUNIT_EXPECT_EQ(test, p.m->flows, 0);
	arrive_many(test, &p, 4, T0 + 200);
	KUNIT_EXPECT_EQ(test, p.m->stats[3].spared, 4);
	KUNIT_EXPECT_EQ(test, p.m->flows, 1);
	/* the old ones go without a trace, the new ones leave nothing */
	drain(&p, T0 + 100000);
	expect_empty(test, &p);
	expect_cnps(test, &p, 0, 0, 0);
}

/* The line's rate is what it is when the question is asked. No longer lossless, it is no
 * longer paused, and T = 0 looks at every packet that goes.
 */
static void roce_mercury__changes(struct kunit *test)
{
	struct pair p = make_pair(test);
	struct roce_mercury_state *s = &p.m->state[3];

	roce_test_pause(test, p.out, 52000, T0);
	arrive_many(test, &p, 10, T0);
	p.cfg->rate_bps = 4000000000ULL;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false, T0 + 10), 0);
	/* 2500 bytes in 4000 ns: more than 2000 */
	roce_test_pause(test, p.out, 0, T0 + 4000);
	KUNIT_EXPECT_FALSE(test, s->undetermined);

	roce_test_pause(test, p.out, 52000, T0 + 4001);
	KUNIT_EXPECT_TRUE(test, s->undetermined);
	p.cfg->prio[3].lossless = false;
	roce_mercury_config(p.cfg)->period_ns = 0;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false, T0 + 5000),
			0);
	KUNIT_EXPECT_FALSE(test, s->paused);
	KUNIT_EXPECT_TRUE(test, s->undetermined);
	/* falls with every packet, down to the threshold */
	drain(&p, T0 + 4000 + 5 * 500);
	KUNIT_EXPECT_TRUE(test, s->undetermined);
	drain(&p, T0 + 100000);
	KUNIT_EXPECT_FALSE(test, s->undetermined);
	expect_empty(test, &p);
}

/* The port's packets are lost with it, and the table hears of that. */
static void roce_mercury__lost(struct kunit *test)
{
	struct pair p = make_pair(test);

	arrive_many(test, &p, 10, T0);
	KUNIT_EXPECT_EQ(test, p.m->flows, 1);
	roce_port_purge(p.out, T0 + 1);
	roce_test_bury(p.out);
	KUNIT_EXPECT_EQ(test, p.m->flows, 0);
	expect_empty(test, &p);
}

/* No marks where Mercury is, unless it is wanted; elsewhere as ever. */
static void roce_mercury__ecn(struct kunit *test)
{
	struct pair p = make_pair(test);
	struct roce_mercury_config *mercury = roce_mercury_config(p.cfg);

	KUNIT_EXPECT_EQ(test, roce_mercury_feature.no_ecn(p.cfg), BIT(3));
	mercury->ecn = 1;
	KUNIT_EXPECT_EQ(test, roce_mercury_feature.no_ecn(p.cfg), 0);
	KUNIT_EXPECT_EQ(test, roce_mercury_threshold(p.cfg, 3), THRESHOLD);
	mercury->prio[3].threshold_bytes = TC_ROCE_MERCURY_AUTO;
	roce_ecn_config(p.cfg)->prio[3].ramp.kmin_bytes = 777;
	KUNIT_EXPECT_EQ(test, roce_mercury_threshold(p.cfg, 3), 777);
}

/* A million pairs one after the other, as fast as they go: nothing is left. */
static void roce_mercury__million(struct kunit *test)
{
	struct packet packet = { DATA_PACKET };
	struct pair p = make_pair(test);
	u64 now_ns = T0;

	packet.len = 100;
	for (packet.pair = 1; packet.pair <= 1000000; packet.pair++) {
		arrive(test, &p, &packet, now_ns);
		/* 1500 bytes at a time, then the line has time to send them */
		if (packet.pair % 15 == 0) {
			now_ns += 1500;
			drain(&p, now_ns);
		}
	}
	drain(&p, now_ns + 100000);
	expect_empty(test, &p);
	KUNIT_EXPECT_EQ(test, p.m->no_place, 0);
	KUNIT_EXPECT_LE(test, p.m->flows_peak, 15);
	KUNIT_EXPECT_GT(test, p.m->cnps, 100000);
}

/* More pairs than places wait. Who has none is not told, and leaves nothing behind,
 * though its next packets may find a place.
 */
static void roce_mercury__exhaustion(struct kunit *test)
{
	const u32 pairs = 2 * ROCE_MERCURY_FLOWS;
	struct packet packet = { DATA_PACKET };
	struct pair p = make_pair(test);
	u64 full;

	packet.len = 100;
	roce_test_pause(test, p.out, 65535, T0);
	for (packet.pair = 1; packet.pair <= pairs; packet.pair++)
		arrive(test, &p, &packet, T0);
	full = p.m->no_place;
	KUNIT_EXPECT_EQ(test, p.m->flows + full, pairs);
	KUNIT_EXPECT_GE(test, full, pairs - ROCE_MERCURY_FLOWS);
	/* every place of such a table is taken: 2 flows a place, 16 a set of 8 */
	KUNIT_EXPECT_GT(test, p.m->flows, ROCE_MERCURY_FLOWS * 9 / 10);
	roce_test_pause(test, p.out, 0, T0 + 1000);
	/* half of the bytes go; the others' second packets come */
	drain(&p, T0 + 1000 + 100 * pairs / 2);
	for (packet.pair = 1; packet.pair <= pairs; packet.pair++)
		arrive(test, &p, &packet, T0 + 1000 + 100 * pairs / 2);
	drain(&p, T0 + 1000 + 200 * pairs + 100000);
	KUNIT_EXPECT_EQ(test, p.out->prio[3].bytes, 0);
	expect_empty(test, &p);
}

/* As many bytes as the line carries for 20 ms, with a queue of 1500. Every 20 us the
 * packet is @forged: of a pair that was never seen before. Returns the CNPs.
 */
static u64 with_forger(struct kunit *test, struct pair *p, bool forged)
{
	struct packet packet = { DATA_PACKET };
	u32 i;

	arrive_many(test, p, 6, T0);
	for (i = 1; i <= 20000000 / LEN; i++) {
		packet.pair = forged && i % 80 == 0 ? i : 1;
		arrive(test, p, &packet, T0 + i * LEN);
		if (i % 100 == 0)
			drain(p, T0 + i * LEN);
	}
	KUNIT_EXPECT_GE(test, p->out->prio[3].bytes, 1000);
	KUNIT_EXPECT_LE(test, p->out->prio[3].bytes, 2000);
	drain(p, T0 + 30000000);
	expect_empty(test, p);
	return p->m->cnps;
}

/* Made-up senders, 50 000 packets a second: a CNP each, and one place at a time. The real
 * sender hears what it hears without them; a packet of its that would have been told
 * may be a forged one now, and then it is the next.
 */
static void roce_mercury__forger(struct kunit *test)
{
	struct pair p = make_pair(test), q = make_pair(test);
	u64 honest = with_forger(test, &p, false);
	u64 all = with_forger(test, &q, true);

	KUNIT_EXPECT_LE(test, all, honest + 1000);
	KUNIT_EXPECT_GE(test, all, honest + 1000 - 1000 * LEN / BASE_RTT - 1);
	KUNIT_EXPECT_EQ(test, q.m->flows_peak, 2);
	KUNIT_EXPECT_EQ(test, q.m->no_place + q.m->failed, 0);
}

/* With another seed flows have other places. Those that wait are still found. */
static void roce_mercury__reseed(struct kunit *test)
{
	struct packet packet = { DATA_PACKET };
	struct pair p = make_pair(test);
	u32 seed;

	for (seed = 1; seed <= 4; seed++) {
		p.cfg->seed = seed;
		KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false,
							  T0), 0);
		for (packet.pair = 1; packet.pair <= 100; packet.pair++)
			arrive(test, &p, &packet, T0);
	}
	KUNIT_EXPECT_GT(test, p.m->flows, 100);
	drain(&p, T0 + 4 * 100 * 1000);
	KUNIT_EXPECT_EQ(test, p.out->prio[3].bytes, 0);
	expect_empty(test, &p);
}

static struct kunit_case roce_mercury_cases[] = {
	KUNIT_CASE(roce_mercury__bytes),
	KUNIT_CASE(roce_mercury__shares),
	KUNIT_CASE(roce_mercury__damping),
	KUNIT_CASE(roce_mercury__whom),
	KUNIT_CASE(roce_mercury__failed),
	KUNIT_CASE(roce_mercury__full_buffer),
	KUNIT_CASE(roce_mercury__own_memory),
	KUNIT_CASE(roce_mercury__victim),
	KUNIT_CASE(roce_mercury__culprit),
	KUNIT_CASE(roce_mercury__on_and_off),
	KUNIT_CASE(roce_mercury__changes),
	KUNIT_CASE(roce_mercury__lost),
	KUNIT_CASE(roce_mercury__ecn),
	KUNIT_CASE_SLOW(roce_mercury__million),
	KUNIT_CASE_SLOW(roce_mercury__exhaustion),
	KUNIT_CASE(roce_mercury__reseed),
	KUNIT_CASE(roce_mercury__forger),
	{}
};

static struct kunit_suite roce_mercury_suite = {
	.name = "roce_mercury",
	.test_cases = roce_mercury_cases,
};

kunit_test_suite(roce_mercury_suite);
