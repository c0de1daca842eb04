// SPDX-License-Identifier: GPL-2.0
/*
 * In-order flow deflection (IOFD): the life of a table entry, and the feature on switches whose
 * lines send a byte a nanosecond. Ports 1 and 2 lead to hosts, 3 to 5 up, 6 down.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <linux/unaligned.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include <rxe_cc/wire.h>

#include "features/iofd/roce_iofd.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

#define QPN		0x123456
#define WRITE_FIRST	0x06
#define WRITE_MIDDLE	0x07
#define WRITE_LAST	0x08
#define LEN		250U
#define THRESHOLD	1000U
#define HOLD		5000ULL
#define IDLE		50000ULL
#define ESCAPE		28		/* priority 4 */
#define FIRST		RXE_CC_TOKENS_FIRST
#define IOFD_PORTS	6
#define BTH		(ETH_HLEN + 20 + 8)

static const struct roce_iofd_rule rule = { .hold_ns = HOLD, .idle_ns = IDLE };

static struct roce_flow_key key_of(u32 qpn, u8 tokens)
{
	struct roce_reply_to to = { .ipv4 = true, .qpn = qpn, .src.v4 = 1, .dst.v4 = 2 };
	struct roce_flow_key key;

	roce_iofd_key(&key, &to, tokens);
	return key;
}

/* An entry lasts idle_ns within a message, hold_ns behind one, and is never taken away
 * from its flow before.
 */
static void roce_iofd__life(struct kunit *test)
{
	struct roce_iofd_table *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct roce_flow_key key;
	struct roce_iofd_entry *e;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	for (i = 0; i < ROCE_IOFD_FLOWS; i++) {
		key = key_of(i, 4);
		KUNIT_EXPECT_TRUE(test, roce_iofd_has_room(t, &rule, T0));
		e = roce_iofd_add(t, &key, i);
		KUNIT_ASSERT_NOT_NULL(test, e);
		roce_iofd_seen(e, i & 1, T0);
	}
	KUNIT_EXPECT_FALSE(test, roce_iofd_has_room(t, &rule, T0 + HOLD - 1));
	key = key_of(100, 4);
	KUNIT_EXPECT_NULL(test, roce_iofd_add(t, &key, 1));
	KUNIT_EXPECT_EQ(test, t->peak, ROCE_IOFD_FLOWS);
	/* The same flow with fewer tokens is on another visit. */
	key = key_of(1, 3);
	KUNIT_EXPECT_NULL(test, roce_iofd_find(t, &rule, &key, T0));
	for (i = 0; i < ROCE_IOFD_FLOWS; i++) {
		key = key_of(i, 4);
		e = roce_iofd_find(t, &rule, &key, T0 + HOLD - 1);
		KUNIT_ASSERT_NOT_NULL(test, e);
		KUNIT_EXPECT_EQ(test, e->slot, i);
	}
	KUNIT_EXPECT_TRUE(test, roce_iofd_has_room(t, &rule, T0 + HOLD));
	KUNIT_EXPECT_EQ(test, roce_iofd_count(t), ROCE_IOFD_FLOWS / 2);
	key = key_of(0, 4);
	KUNIT_EXPECT_NOT_NULL(test, roce_iofd_find(t, &rule, &key, T0 + IDLE - 1));
	KUNIT_EXPECT_NULL(test, roce_iofd_find(t, &rule, &key, T0 + IDLE));
	KUNIT_EXPECT_EQ(test, roce_iofd_forget_slot(t, 2), 1);
	KUNIT_EXPECT_EQ(test, roce_iofd_forget_slot(t, 2), 0);
}

struct iofd_switch {
	struct roce_config *cfg;
	struct roce_port *port[IOFD_PORTS + 1];
	const struct roce_iofd_table *table;
};

static u32 next_switch = 3000;

static void set_prio(struct roce_config *cfg, u8 id, u32 threshold, u8 escape)
{
	struct roce_iofd_config *iofd = roce_iofd_config(cfg);

	cfg->prio[id].lossless = true;
	cfg->prio[id].mmu.headroom_bytes = 5000;
	cfg->prio[id].mmu.xoff_bytes = 4 << 20;
	iofd->prio[id].threshold_bytes = threshold;
	iofd->prio[id].escape_dscp = escape;
}

/* @up leads up; without @escape there is one priority only. */
static struct iofd_switch make_switch(struct kunit *test, int ports, u8 escape)
{
	static const u8 link[IOFD_PORTS + 1] = {
		[3] = TC_ROCE_IOFD_UP, [4] = TC_ROCE_IOFD_UP,
		[5] = TC_ROCE_IOFD_UP, [6] = TC_ROCE_IOFD_DOWN,
	};
	struct iofd_switch s = { .cfg = roce_test_config(test) };
	struct roce_iofd_config *iofd = roce_iofd_config(s.cfg);
	struct roce_iofd_port *m;
	int i;

	s.cfg->switch_id = next_switch++;
	s.cfg->buffer_bytes = 64 << 20;
	s.cfg->dscp_prio[ESCAPE] = 4;
	set_prio(s.cfg, 3, THRESHOLD, escape);
	set_prio(s.cfg, 4, THRESHOLD, 0);
	iofd->hold_ns = HOLD;
	iofd->idle_ns = IDLE;
	for (i = 1; i <= ports; i++) {
		iofd->link = link[i];
		s.port[i] = roce_test_port(test, i, s.cfg);
		m = roce_feature_port(s.port[i], &roce_iofd_feature);
		KUNIT_ASSERT_NOT_NULL(test, m);
		m->known = true;
	}
	s.table = roce_feature_switch(s.port[1], &roce_iofd_feature);
	return s;
}

static const struct roce_iofd_stats *stats_of(const struct iofd_switch *s, int port)
{
	struct roce_iofd_port *m = roce_feature_port(s->port[port], &roce_iofd_feature);

	return &m->stats;
}

/* A packet of a flow; the UDP checksum is none. */
static struct sk_buff *packet(struct kunit *test, int in, u32 qpn, u8 opcode, u8 bits)
{
	struct sk_buff *skb = roce_test_packet(test, in, DATA, LEN);
	struct iphdr *ip = (void *)skb->data + ETH_HLEN;
	struct udphdr *udp = (void *)(ip + 1);
	u8 *bth = (void *)(udp + 1);

	ip->protocol = IPPROTO_UDP;
	ip->tot_len = htons(LEN - ETH_HLEN);
	ip_send_check(ip);
	memset(udp, 0, LEN - ETH_HLEN - sizeof(*ip));
	udp->dest = htons(4791);
	udp->source = htons(0xc000);
	bth[0] = opcode;
	put_unaligned_be32(qpn | (u32)bits << 24, bth + 4);
	return skb;
}

static enum roce_verdict send(struct kunit *test, struct iofd_switch *s, int out, int in,
			      u32 qpn, u8 opcode, u8 bits, u64 now_ns)
{
	struct sk_buff *skb = packet(test, in, qpn, opcode, bits);
	enum roce_verdict verdict = roce_port_arrive(s->port[out], skb, now_ns);

	if (verdict != ROCE_ACCEPTED && verdict != ROCE_REDIRECTED)
		kfree_skb(skb);
	return verdict;
}

/* So many packets of nobody's wait at @out. */
static void fill(struct kunit *test, struct iofd_switch *s, int out, int count, u64 now_ns)
{
	while (count--)
		KUNIT_ASSERT_EQ(test, send(test, s, out, 2, 1, WRITE_MIDDLE, 0, now_ns),
				ROCE_ACCEPTED);
}

static void drain(struct iofd_switch *s, u64 now_ns)
{
	int i;

	for (i = 1; i <= IOFD_PORTS && s->port[i]; i++)
		roce_test_drain(s->port[i], now_ns);
}

/* One packet is being sent and four wait: 1000 bytes are not above the threshold, 1250
 * are. Only who says that it is the first is deflected, and all that follows it is.
 */
static void roce_iofd__threshold(struct kunit *test)
{
	struct iofd_switch s = make_switch(test, IOFD_PORTS, ESCAPE);
	u64 now = T0;
	int i;

	fill(test, &s, 3, 5, now);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, 4 | FIRST, now),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_LAST, 4, now), ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 3)->flows, 0);
	/* no tokens; tokens, but not the first */
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, FIRST, now),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, 4, now), ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, 4 | FIRST, now),
			ROCE_REDIRECTED);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 3)->flows, 1);
	now += 100000;
	drain(&s, now);
	/* The queue is empty, but the entry is over: what comes goes straight on. */
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_MIDDLE, 4, now), ROCE_ACCEPTED);

	fill(test, &s, 3, 6, now);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, 4 | FIRST, now),
			ROCE_REDIRECTED);
	drain(&s, now + 10000);
	for (i = 1; i < 8; i++)
		KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, i == 7 ? WRITE_LAST : WRITE_MIDDLE,
					   4, now + 10000 + i * 300), ROCE_REDIRECTED);
	now += 12100;
	/* Another message behind it, within the hold; then one after it. */
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, 4, now + HOLD - 1),
			ROCE_REDIRECTED);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_LAST, 4, now + HOLD),
			ROCE_REDIRECTED);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, 4, now + 2 * HOLD),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 3)->packets, 11);
	drain(&s, now + 1000000);
	roce_test_sums(test, s.port[1]->sw);
}

/* A switch with one port has nowhere to go: the packet waits, and that is counted. */
static void roce_iofd__one_port(struct kunit *test)
{
	struct iofd_switch s = make_switch(test, 1, ESCAPE);

	while (s.port[1]->bytes <= 2 * THRESHOLD)
		KUNIT_ASSERT_EQ(test, send(test, &s, 1, 1, 1, WRITE_MIDDLE, 0, T0),
				ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, send(test, &s, 1, 1, QPN, WRITE_FIRST, 7 | FIRST, T0),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 1)->no_port, 1);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 1)->flows, 0);
	KUNIT_EXPECT_EQ(test, roce_iofd_count(s.table), 0);
	drain(&s, T0 + 1000000);
	roce_test_sums(test, s.port[1]->sw);
}

/* Eight first packets take the table, the ninth waits; so it is with seven tokens each. */
static void roce_iofd__full(struct kunit *test)
{
	struct iofd_switch s = make_switch(test, IOFD_PORTS, ESCAPE);
	int i;

	fill(test, &s, 3, 6, T0);
	for (i = 0; i <= ROCE_IOFD_FLOWS; i++)
		KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN + i, WRITE_FIRST, 7 | FIRST, T0),
				i < ROCE_IOFD_FLOWS ? ROCE_REDIRECTED : ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 3)->full, 1);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 3)->flows, ROCE_IOFD_FLOWS);
	KUNIT_EXPECT_EQ(test, roce_iofd_count(s.table), ROCE_IOFD_FLOWS);
	drain(&s, T0 + 1000000);
	roce_test_sums(test, s.port[1]->sw);
}

/* A first packet decides anew: no longer deflected, none that follows is. */
static void roce_iofd__anew(struct kunit *test)
{
	struct iofd_switch s = make_switch(test, IOFD_PORTS, ESCAPE);

	fill(test, &s, 3, 6, T0);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_LAST, 4 | FIRST, T0),
			ROCE_REDIRECTED);
	drain(&s, T0 + 3000);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, 4 | FIRST, T0 + 3000),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_LAST, 4, T0 + 3000),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, roce_iofd_count(s.table), 0);
	drain(&s, T0 + 1000000);
}

/* The other port is any that leads up or down but the one that the packet came in by; all
 * are chosen, and equal seeds choose alike.
 */
static void roce_iofd__choice(struct kunit *test)
{
	u8 chosen[2][64];
	int run, i, seen = 0;

	for (run = 0; run < 2; run++) {
		struct iofd_switch s = make_switch(test, IOFD_PORTS, ESCAPE);
		u64 now = T0;

		for (i = 0; i < 64; i++, now += 1000000) {
			fill(test, &s, 3, 6, now);
			KUNIT_EXPECT_EQ(test, send(test, &s, 3, 4, QPN + i, WRITE_LAST,
						   4 | FIRST, now), ROCE_REDIRECTED);
			chosen[run][i] = s.table->entry[0].slot;
			seen |= BIT(chosen[run][i]);
			drain(&s, now + 999999);
		}
	}
	KUNIT_EXPECT_MEMEQ(test, chosen[0], chosen[1], sizeof(chosen[0]));
	KUNIT_EXPECT_EQ(test, seen, BIT(5) | BIT(6));
}

/* What leaves: one token less, the first bit as it was, another DSCP where it turns up,
 * the checksums right; charged to the priority that it came in by.
 */
static void roce_iofd__bytes(struct kunit *test)
{
	struct iofd_switch s = make_switch(test, 5, ESCAPE);
	struct sk_buff *was = packet(test, 3, QPN, WRITE_LAST, 4 | FIRST);
	struct sk_buff *skb = packet(test, 3, QPN, WRITE_LAST, 4 | FIRST);
	struct udphdr *udp = (void *)skb->data + ETH_HLEN + 20;
	const struct roce_account *in3 = &s.port[3]->prio[3].in;
	struct roce_port *out;

	fill(test, &s, 1, 6, T0);
	udp->check = htons(0x1234);
	KUNIT_ASSERT_EQ(test, roce_port_arrive(s.port[1], skb, T0), ROCE_REDIRECTED);
	out = s.port[1]->sw->slots[s.table->entry[0].slot];
	KUNIT_EXPECT_TRUE(test, out == s.port[4] || out == s.port[5]);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->prio == 4);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(in3), LEN);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&s.port[3]->prio[4].in), 0);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 1)->escaped, 1);
	roce_test_sums(test, s.port[1]->sw);

	KUNIT_ASSERT_PTR_EQ(test, roce_port_deliver(out, T0 + LEN), skb);
	KUNIT_EXPECT_EQ(test, skb->data[BTH + 4], 3 | FIRST);
	KUNIT_EXPECT_EQ(test, skb->data[ETH_HLEN + 1], ESCAPE << 2 | INET_ECN_ECT_0);
	KUNIT_EXPECT_EQ(test, ip_fast_csum(skb->data + ETH_HLEN, 5), 0);
	/* The sum of what was and the checksum is that of what is and its checksum. */
	udp = (void *)skb->data + ETH_HLEN + 20;
	KUNIT_EXPECT_EQ(test, ntohs(udp->check), 0x1234 + 0x100);
	udp->check = 0;
	skb->data[BTH + 4] = 4 | FIRST;
	KUNIT_EXPECT_MEMEQ(test, skb->data + ETH_HLEN + 20, was->data + ETH_HLEN + 20,
			   LEN - ETH_HLEN - 20);
	kfree_skb(skb);
	kfree_skb(was);
	drain(&s, T0 + 100000);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(in3), 0);
}

/* A packet that comes from above and is routed up changes its priority, tokens or not. In
 * the last priority it cannot, is counted, and goes on.
 */
static void roce_iofd__turns(struct kunit *test)
{
	struct iofd_switch s = make_switch(test, IOFD_PORTS, ESCAPE);
	struct sk_buff *skb = packet(test, 3, QPN, WRITE_MIDDLE, 0);
	struct sk_buff *last = packet(test, 3, QPN, WRITE_MIDDLE, 0);
	struct iphdr *ip = (void *)last->data + ETH_HLEN;

	KUNIT_ASSERT_EQ(test, roce_port_arrive(s.port[4], skb, T0), ROCE_ACCEPTED);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->prio == 4);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->in_prio == 3);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 4)->escaped, 1);
	ip->tos = ESCAPE << 2 | INET_ECN_ECT_0;
	ip_send_check(ip);
	KUNIT_ASSERT_EQ(test, roce_port_arrive(s.port[4], last, T0), ROCE_ACCEPTED);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(last)->prio == 4);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 4)->no_escape, 1);
	drain(&s, T0 + 100000);
	roce_test_sums(test, s.port[1]->sw);
}

/* Without an escape nothing is sent where it must turn: up instead of up it may go. */
static void roce_iofd__no_escape(struct kunit *test)
{
	struct iofd_switch s = make_switch(test, IOFD_PORTS, 0);
	int i;

	fill(test, &s, 1, 6, T0);
	KUNIT_EXPECT_EQ(test, send(test, &s, 1, 3, QPN, WRITE_FIRST, 4 | FIRST, T0),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 1)->no_port, 1);
	fill(test, &s, 3, 6, T0);
	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN + i, WRITE_FIRST, 4 | FIRST, T0),
				ROCE_REDIRECTED);
		KUNIT_EXPECT_NE(test, s.table->entry[i].slot, 6);
	}
	drain(&s, T0 + 100000);
}

/* Ports that are as full, are down, know nobody, or are the only one, take nothing. A full
 * table takes nobody.
 */
static void roce_iofd__refusals(struct kunit *test)
{
	struct iofd_switch alone = make_switch(test, 1, ESCAPE);
	struct iofd_switch s = make_switch(test, 4, ESCAPE);
	struct roce_iofd_port *m = roce_feature_port(s.port[4], &roce_iofd_feature);
	u8 bits = 7 | FIRST;
	u32 i;

	fill(test, &alone, 1, 6, T0);
	KUNIT_EXPECT_EQ(test, send(test, &alone, 1, 1, QPN, WRITE_LAST, bits, T0),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, stats_of(&alone, 1)->no_port, 1);
	drain(&alone, T0 + 100000);

	fill(test, &s, 3, 60, T0);
	fill(test, &s, 4, 6, T0);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_LAST, bits, T0), ROCE_ACCEPTED);
	drain(&s, T0 + 6 * LEN);
	s.port[4]->down = true;
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_LAST, bits, T0 + 6 * LEN),
			ROCE_ACCEPTED);
	s.port[4]->down = false;
	m->known = false;
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_LAST, bits, T0 + 6 * LEN),
			ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 3)->no_port, 3);
	m->known = true;
	for (i = 0; i < ROCE_IOFD_FLOWS; i++) {
		KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN + i, WRITE_FIRST, bits,
					   T0 + 6 * LEN + i * LEN), ROCE_REDIRECTED);
	}
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN + i, WRITE_FIRST, bits,
				   T0 + 6 * LEN + i * LEN), ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 3)->full, 1);
	drain(&s, T0 + 1000000);
}

/* A port takes its entries along, when it is down and when it leaves the switch. What
 * comes then goes where it is routed.
 */
static void roce_iofd__port_gone(struct kunit *test)
{
	struct iofd_switch s = make_switch(test, 4, ESCAPE);
	struct roce_switch *sw = s.port[1]->sw;

	fill(test, &s, 3, 20, T0);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, 4 | FIRST, T0),
			ROCE_REDIRECTED);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN + 1, WRITE_FIRST, 4 | FIRST, T0),
			ROCE_REDIRECTED);
	s.port[4]->down = true;
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_MIDDLE, 4, T0), ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, roce_iofd_count(s.table), 0);
	KUNIT_EXPECT_EQ(test, stats_of(&s, 3)->lost_port, 2);
	s.port[4]->down = false;
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_FIRST, 4 | FIRST, T0),
			ROCE_REDIRECTED);
	roce_switch_leave(s.port[4], T0 + 10);
	KUNIT_EXPECT_EQ(test, roce_iofd_count(s.table), 0);
	KUNIT_EXPECT_EQ(test, send(test, &s, 3, 1, QPN, WRITE_MIDDLE, 4, T0 + 10),
			ROCE_ACCEPTED);
	roce_test_bury(s.port[4]);
	roce_switch_join(s.port[4], sw, s.cfg, T0 + 20);
	drain(&s, T0 + 1000000);
	roce_test_sums(test, sw);
}

/* A port on which it was on, and is off, joins a switch in which it never was: no table. */
static void roce_iofd__elsewhere(struct kunit *test)
{
	struct iofd_switch s = make_switch(test, 3, 0);
	struct sk_buff *msg = alloc_skb(NLMSG_GOODSIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, msg);
	s.cfg->switch_id = next_switch++;
	set_prio(s.cfg, 3, 0, 0);
	set_prio(s.cfg, 4, 0, 0);
	KUNIT_EXPECT_EQ(test, roce_test_configure(s.port[3], s.cfg, false, T0), 0);
	KUNIT_EXPECT_NOT_NULL(test, roce_feature_port(s.port[3], &roce_iofd_feature));
	KUNIT_EXPECT_NULL(test, roce_feature_switch(s.port[3], &roce_iofd_feature));
	KUNIT_EXPECT_EQ(test, roce_dump_stats(s.port[3], T0, msg), 0);
	kfree_skb(msg);
}

static struct kunit_case roce_iofd_cases[] = {
	KUNIT_CASE(roce_iofd__life),
	KUNIT_CASE(roce_iofd__threshold),
	KUNIT_CASE(roce_iofd__one_port),
	KUNIT_CASE(roce_iofd__full),
	KUNIT_CASE(roce_iofd__anew),
	KUNIT_CASE(roce_iofd__choice),
	KUNIT_CASE(roce_iofd__bytes),
	KUNIT_CASE(roce_iofd__turns),
	KUNIT_CASE(roce_iofd__no_escape),
	KUNIT_CASE(roce_iofd__refusals),
	KUNIT_CASE(roce_iofd__port_gone),
	KUNIT_CASE(roce_iofd__elsewhere),
	{}
};

static struct kunit_suite roce_iofd_suite = {
	.name = "roce_iofd",
	.test_cases = roce_iofd_cases,
};

kunit_test_suite(roce_iofd_suite);
