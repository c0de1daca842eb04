// SPDX-License-Identifier: GPL-2.0
/* Answers of a switch to senders, and INT responses: whom, when, what. */
#include <kunit/test.h>
#include <linux/if_bridge.h>
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/timekeeping.h>
#include <linux/unaligned.h>

#include <rxe_cc/icrc.h>

#include "features/int/roce_int_port.h"
#include "../roce_port.h"
#include "../roce_reply_packet.h"
#include "../roce_reply_vlan.h"
#include "features/int/roce_int_response.h"
#include "../roce_switch.h"
#include "../roce_udp.h"
#include "roce_int_reference.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

#define QPN		0x123456
#define PSN		0x89abcd
#define PKEY		0xfffe
#define WRITE_MIDDLE	0x07
#define REPORT		0xc1
#define PROBE		0xc2
#define INTERVAL	10000
#define SPORT		0xc123		/* of frame_build() */

/* A CNP with its ICRC in the last four bytes, from facts that two independent
 * programs agree on.
 */
static const u8 cnp[] = {
	0x45, 0x89, 0x00, 0x3c, 0x98, 0xc6, 0x40, 0x00, 0x20, 0x11, 0x69, 0x27,
	0x16, 0x16, 0x16, 0x08, 0x16, 0x16, 0x16, 0x07, 0xdb, 0xae, 0x12, 0xb7,
	0x00, 0x28, 0x00, 0x00, 0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x00, 0xd2,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0xda, 0xfc, 0x1b, 0xef,
};

static void roce_reply__icrc(struct kunit *test)
{
	static const u8 variant[] = { 1, 8, 10, 11, 26, 27, 32 };
	static const u8 covered[] = { 2, 4, 12, 20, 28, 33, 35, 55 };
	u8 data[sizeof(cnp)];
	__le32 icrc, want;
	int i;

	memcpy(&want, cnp + sizeof(cnp) - 4, 4);
	icrc = rxe_cc_icrc(cnp, sizeof(cnp) - 4);
	KUNIT_EXPECT_EQ(test, (__force u32)icrc, (__force u32)want);

	/* what is changed on the way does not matter, all else does */
	for (i = 0; i < ARRAY_SIZE(variant); i++) {
		memcpy(data, cnp, sizeof(cnp));
		data[variant[i]] ^= 0x5a;
		icrc = rxe_cc_icrc(data, sizeof(cnp) - 4);
		KUNIT_EXPECT_EQ_MSG(test, (__force u32)icrc, (__force u32)want,
				    "byte %u", variant[i]);
	}
	for (i = 0; i < ARRAY_SIZE(covered); i++) {
		memcpy(data, cnp, sizeof(cnp));
		data[covered[i]] ^= 0x5a;
		icrc = rxe_cc_icrc(data, sizeof(cnp) - 4);
		KUNIT_EXPECT_NE_MSG(test, (__force u32)icrc, (__force u32)want,
				    "byte %u", covered[i]);
	}
}

/* The same CNP by roce_reply_build(), but for id, TTL, TOS and thus checksum. */
static void roce_reply__build(struct kunit *test)
{
	struct roce_reply_to to = {
		.ipv4 = true,
		.src.v4 = htonl(0x16161607), .dst.v4 = htonl(0x16161608),
		.sport = htons(0xdbae), .pkey = htons(0xffff), .qpn = 0xd2,
	};
	struct sk_buff *skb;
	void *body;

	skb = roce_reply_build(&to, 0x81, true, 16, &body);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->len, sizeof(cnp));
	KUNIT_EXPECT_EQ(test, ip_fast_csum(skb->data, 5), 0);
	KUNIT_EXPECT_EQ(test, skb->data[1], 48 << 2);
	KUNIT_EXPECT_EQ(test, skb->data[8], 64);
	KUNIT_EXPECT_PTR_EQ(test, body, (void *)(skb->data + 40));
	memcpy(skb->data + 1, cnp + 1, 1);
	memcpy(skb->data + 4, cnp + 4, 2);
	memcpy(skb->data + 8, cnp + 8, 1);
	memcpy(skb->data + 10, cnp + 10, 2);
	KUNIT_EXPECT_MEMEQ(test, skb->data, cnp, sizeof(cnp) - 4);
	kfree_skb(skb);
}

/* An INT packet with a BTH behind the stack, which has @hops hops. */
static void data_frame(struct frame *f, const struct recipe *r, u8 opcode)
{
	u8 *bth;

	frame_build(f, r);
	bth = f->data + f->shim + 16 + r->hops * r->hop_ml * 4;
	bth[0] = opcode;
	put_unaligned_be16(PKEY, bth + 2);
	put_unaligned_be32(0xff000000 | QPN, bth + 4);
	put_unaligned_be32(0xff000000 | PSN, bth + 8);
}

static void roce_reply__read(struct kunit *test)
{
	static const struct recipe table[] = {
		{ HPCC_RECIPE },
		{ HPCC_RECIPE, .hops = 5, .tags = 2, .options = 3 },
		{ HPCC_RECIPE, .hops = 2, .v6 = true },
	};
	struct int_frames *frames = test->priv;
	struct frame *f = &frames->in;
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_int_packet pkt;
		struct roce_reply_to to;
		struct sk_buff *skb;

		data_frame(f, &table[i], WRITE_MIDDLE);
		skb = frame_skb(test, f, 0, FRAME_MAX);
		KUNIT_ASSERT_TRUE(test, roce_int_read_hpcc(skb, 0x0cc1, &pkt));
		KUNIT_EXPECT_EQ(test, roce_int_hops(&pkt), table[i].hops);
		KUNIT_ASSERT_TRUE(test, roce_reply_read(skb, &pkt.at,
							roce_int_bth(&pkt),
							&to));
		KUNIT_EXPECT_EQ(test, to.ipv4, !table[i].v6);
		KUNIT_EXPECT_EQ(test, to.l3, f->l3);
		KUNIT_EXPECT_EQ(test, to.qpn, QPN);
		KUNIT_EXPECT_EQ(test, to.psn, PSN);
		KUNIT_EXPECT_EQ(test, ntohs(to.pkey), PKEY);
		KUNIT_EXPECT_EQ(test, ntohs(to.sport), SPORT);
		KUNIT_EXPECT_EQ(test, to.opcode, WRITE_MIDDLE);
		if (!table[i].v6) {
			KUNIT_EXPECT_EQ(test, ntohl(to.src.v4), 0x0a000001);
			KUNIT_EXPECT_EQ(test, ntohl(to.dst.v4), 0x0a000002);
		}
		kfree_skb(skb);
	}
}

/* Only the layout that a report can carry. */
static void roce_response__layout(struct kunit *test)
{
	static const struct recipe table[] = {
		{ .instr = 0xc400, .ds = 0xe000, .hop_ml = 8, .domain = OTHER_DOMAIN },
		{ .instr = 0xc400, .ds = 0xc000, .hop_ml = 7, .domain = 0x0cc1 },
		{ .instr = 0xe400, .ds = 0xe000, .hop_ml = 9, .domain = 0x0cc1 },
		{ .instr = 0x0400, .hop_ml = 2, .domain = 0x0cc1 },
		{ .instr = 0xc400, .ds = 0xe000, .hop_ml = 9, .domain = 0x0cc1 },
	};
	struct int_frames *frames = test->priv;
	struct roce_int_packet pkt;
	struct sk_buff *skb;
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		data_frame(&frames->in, &table[i], WRITE_MIDDLE);
		skb = frame_skb(test, &frames->in, 0, FRAME_MAX);
		KUNIT_EXPECT_FALSE_MSG(test,
				       roce_int_read_hpcc(skb, 0x0cc1, &pkt),
				       "row %d", i);
		kfree_skb(skb);
	}
}

struct pair {
	struct roce_port *in, *out;
	struct frame *frame;
};

static u32 next_switch = SWITCH;

/* Ports 1 and 2 of a switch of their own; port 2 responds from @threshold on. */
static struct pair make_pair(struct kunit *test, u32 threshold)
{
	struct roce_config *cfg = roce_test_config(test);
	struct int_frames *frames = test->priv;
	struct pair p = { .frame = &frames->in };

	cfg->switch_id = next_switch++;
	roce_int_config(cfg)->port = 11;
	p.in = roce_test_port(test, 1, cfg);
	roce_int_config(cfg)->port = 22;
	roce_int_config(cfg)->node = 0x77;
	roce_response_config(cfg)->prio[3].bytes = threshold;
	p.out = roce_test_port(test, 2, cfg);
	return p;
}

static void arrive(struct kunit *test, struct pair *p, u64 now_ns)
{
	struct sk_buff *skb = frame_skb(test, p->frame, 64, FRAME_MAX);

	skb->skb_iif = 1;
	KUNIT_ASSERT_EQ(test, roce_port_arrive(p->out, skb, now_ns),
			ROCE_ACCEPTED);
}

static const struct roce_response *response_of(const struct roce_port *port)
{
	return roce_feature_port(port, &roce_response_feature);
}

static void expect_counts(struct kunit *test, const struct pair *p, u64 sent,
			  u64 damped, u64 failed)
{
	static const struct roce_response none;
	const struct roce_response *rsp = response_of(p->out) ?: &none;

	KUNIT_EXPECT_EQ(test, rsp->sent, sent);
	KUNIT_EXPECT_EQ(test, rsp->damped, damped);
	KUNIT_EXPECT_EQ(test, rsp->failed, failed);
}

/* Byte for byte, from the Ethernet header to the ICRC. */
static void roce_response__bytes(struct kunit *test)
{
	static const struct recipe recipe = { HPCC_RECIPE, .hops = 2 };
	const unsigned int body = ETH_HLEN + 20 + 8 + 12, hop = body + 4 + 4;
	struct pair p = make_pair(test, 1);
	struct sk_buff *skb;
	u32 len, reply_len;
	const u8 *d;
	__le32 icrc;

	data_frame(p.frame, &recipe, WRITE_MIDDLE);
	p.frame->data[p.frame->shim + 4] |= 0x06;	/* E, M */
	len = p.frame->len;
	arrive(test, &p, T0);		/* is sent */
	arrive(test, &p, T0);		/* meets an empty queue */
	expect_counts(test, &p, 0, 0, 0);
	arrive(test, &p, T0 + 100);	/* meets that */
	expect_counts(test, &p, 1, 0, 0);

	reply_len = hop + 3 * 32 + 4;
	KUNIT_EXPECT_NULL(test, roce_port_deliver(p.in, T0 + 100 + reply_len - 1));
	skb = roce_port_deliver(p.in, T0 + 100 + reply_len);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_EQ(test, skb->len, reply_len);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->flags & ROCE_SKB_OWN);
	d = skb->data;
	KUNIT_EXPECT_MEMEQ(test, d, p.frame->data + 6, 6);
	KUNIT_EXPECT_MEMEQ(test, d + 6, p.frame->data, 6);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(d + 12), ETH_P_IP);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(d + 16), reply_len - 14);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + 26), 0x0a000002);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + 30), 0x0a000001);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(d + 34), SPORT);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(d + 36), 4791);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(d + 38), reply_len - 34);
	KUNIT_EXPECT_EQ(test, d[body - 12], REPORT);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + body - 8), QPN);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + body - 4), PSN);
	/* kind 4; TLV 1 of 24 words, E and M */
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + body), 4 << 24);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + body + 4), 1 << 24 | 24 << 16 | 3);
	/* the own hop, then those that came */
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + hop), 0x77);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + hop + 4), 11 << 16 | 22);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(d + hop + 8),
			ktime_to_ns(ktime_mono_to_any(ns_to_ktime(T0 + 100),
						      TK_OFFS_TAI)));
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(d + hop + 16), 100);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + hop + 24), len);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + hop + 28), 8000);
	KUNIT_EXPECT_MEMEQ(test, d + hop + 32, p.frame->data + p.frame->shim + 16,
			   64);
	icrc = rxe_cc_icrc(d + 14, reply_len - 18);
	KUNIT_EXPECT_MEMEQ(test, d + reply_len - 4, &icrc, 4);
	kfree_skb(skb);
	roce_test_sums(test, p.in->sw);
}

/* The same of a packet with compact hops: the id of the path, then those. */
static void roce_response__compact(struct kunit *test)
{
	static const struct recipe recipe = { COMPACT_RECIPE, .hops = 2 };
	const unsigned int tlv = ETH_HLEN + 20 + 8 + 12 + 4, hop = tlv + 4 + 4;
	struct pair p = make_pair(test, 1);
	struct sk_buff *skb;
	u32 reply_len;
	const u8 *d;
	__le32 icrc;
	u64 ts_ns;

	data_frame(p.frame, &recipe, WRITE_MIDDLE);
	put_unaligned_be16(0x4711, p.frame->data + p.frame->shim + 14);
	arrive(test, &p, T0);
	arrive(test, &p, T0);
	arrive(test, &p, T0 + 100);
	expect_counts(test, &p, 1, 0, 0);
	reply_len = hop + 3 * 8 + 4;
	skb = roce_port_deliver(p.in, T0 + 100 + reply_len);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_ASSERT_EQ(test, skb->len, reply_len);
	d = skb->data;
	/* TLV 1 of 7 words, compact */
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + tlv), 1 << 24 | 7 << 16 | 4);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + tlv + 4),
			(u32)rxe_cc_compact_path(0x4711, 0x77, 22) << 16);
	ts_ns = ktime_to_ns(ktime_mono_to_any(ns_to_ktime(T0 + 100), TK_OFFS_TAI));
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(d + hop),
			rxe_cc_compact_hop(8000, ts_ns, 100, p.frame->len));
	KUNIT_EXPECT_MEMEQ(test, d + hop + 8, p.frame->data + p.frame->shim + 16, 16);
	icrc = rxe_cc_icrc(d + 14, reply_len - 18);
	KUNIT_EXPECT_MEMEQ(test, d + reply_len - 4, &icrc, 4);
	kfree_skb(skb);
	roce_test_sums(test, p.in->sw);
}

/* From the threshold on, once an interval a flow, and again right after it. */
static void roce_response__damping(struct kunit *test)
{
	static const struct recipe recipe = { HPCC_RECIPE };
	struct int_frames *frames = test->priv;
	struct pair p;
	int i;

	data_frame(&frames->in, &recipe, WRITE_MIDDLE);
	p = make_pair(test, 3 * frames->in.len);
	/* on the line, then queues of 0, 1, 2 */
	for (i = 0; i < 4; i++)
		arrive(test, &p, T0);
	expect_counts(test, &p, 0, 0, 0);
	arrive(test, &p, T0);
	expect_counts(test, &p, 1, 0, 0);
	for (i = 0; i < 200; i++)
		arrive(test, &p, T0);
	expect_counts(test, &p, 1, 200, 0);

	arrive(test, &p, T0 + INTERVAL - 1);
	expect_counts(test, &p, 1, 201, 0);
	arrive(test, &p, T0 + INTERVAL);
	expect_counts(test, &p, 2, 201, 0);
	arrive(test, &p, T0 + INTERVAL);
	expect_counts(test, &p, 2, 202, 0);

	/* another flow: by source port */
	p.frame->data[p.frame->udp] ^= 1;
	arrive(test, &p, T0 + INTERVAL);
	expect_counts(test, &p, 3, 202, 0);
	/* by DestQP */
	p.frame->data[p.frame->shim + 16 + 7] ^= 1;
	arrive(test, &p, T0 + INTERVAL);
	expect_counts(test, &p, 4, 202, 0);
	/* by address */
	p.frame->data[p.frame->l3 + 15] ^= 8;
	frame_fix_ipv4_check(p.frame);
	arrive(test, &p, T0 + INTERVAL);
	expect_counts(test, &p, 5, 202, 0);
	/* not by PSN */
	p.frame->data[p.frame->shim + 16 + 11] ^= 1;
	arrive(test, &p, T0 + INTERVAL);
	expect_counts(test, &p, 5, 203, 0);
	KUNIT_EXPECT_EQ(test, p.in->prio[6].stats.tx_packets +
			p.in->prio[6].queue.qlen, 5);
}

/* What is not answered, and not counted; and what fails. */
static void roce_response__whom(struct kunit *test)
{
	static const struct recipe recipe = { HPCC_RECIPE };
	static const struct {
		u8 opcode;
		u8 hops;
		bool wanted;
	} table[] = {
		{ 0x00, 0, true }, { 0x05, 0, true }, { 0x06, 0, true },
		{ 0x0b, 0, true }, { 0x16, 0, true }, { 0x17, 0, true },
		{ 0x20, 0, true }, { 0x2b, 0, true }, { PROBE, 0, true },
		{ 0x0a, 15, true },
		{ 0x0a, 16, false },	/* a report has no room */
		{ 0x0c, 0, false },	/* READ request */
		{ 0x0d, 0, false }, { 0x10, 0, false },	/* READ responses */
		{ 0x11, 0, false }, { 0x12, 0, false },	/* ACK, atomic ACK */
		{ 0x13, 0, false }, { 0x18, 0, false },
		{ 0x64, 0, false },	/* UD */
		{ 0x81, 0, false },	/* CNP */
		{ REPORT, 0, false }, { 0xc3, 0, false }, { 0xff, 0, false },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct recipe r = recipe;
		struct pair p = make_pair(test, 1);

		r.hops = table[i].hops;
		data_frame(p.frame, &r, table[i].opcode);
		arrive(test, &p, T0);
		arrive(test, &p, T0);
		arrive(test, &p, T0);
		KUNIT_EXPECT_EQ_MSG(test, response_of(p.out)->sent,
				    table[i].wanted, "row %d", i);
		KUNIT_EXPECT_EQ(test, response_of(p.out)->damped +
				response_of(p.out)->failed, 0);
	}
}

static void roce_response__failed(struct kunit *test)
{
	static const struct recipe recipe = { HPCC_RECIPE };
	struct pair p = make_pair(test, 1);
	struct sk_buff *skb;

	data_frame(p.frame, &recipe, WRITE_MIDDLE);
	arrive(test, &p, T0);
	arrive(test, &p, T0);
	/* nobody hears that port */
	p.in->down = true;
	arrive(test, &p, T0);
	expect_counts(test, &p, 0, 0, 1);
	p.in->down = false;
	/* no interval has begun */
	arrive(test, &p, T0);
	expect_counts(test, &p, 1, 0, 1);
	/* a sender that nobody can answer */
	p.frame->data[p.frame->l3 + 12] = 224;
	frame_fix_ipv4_check(p.frame);
	arrive(test, &p, T0);
	expect_counts(test, &p, 1, 0, 2);
	p.frame->data[p.frame->l3 + 12] = 11;
	frame_fix_ipv4_check(p.frame);
	p.frame->data[6] |= 1;
	arrive(test, &p, T0);
	expect_counts(test, &p, 1, 0, 3);
	p.frame->data[6] &= ~1;
	/* from nowhere */
	p.frame->data[p.frame->l3 + 12] = 12;
	frame_fix_ipv4_check(p.frame);
	skb = frame_skb(test, p.frame, 64, FRAME_MAX);
	KUNIT_ASSERT_EQ(test, roce_port_arrive(p.out, skb, T0), ROCE_ACCEPTED);
	expect_counts(test, &p, 1, 0, 4);
	/* no room */
	p.in->cfg.prio[6].limit_bytes = 1;
	p.in->cfg.prio[0].limit_bytes = 1;
	roce_test_send(test, p.in, 0, LOW, 1000, T0);
	p.frame->data[p.frame->l3 + 12] = 13;
	frame_fix_ipv4_check(p.frame);
	arrive(test, &p, T0);
	expect_counts(test, &p, 1, 0, 5);
	KUNIT_EXPECT_EQ(test, p.in->prio[6].stats.drop_limit, 0);
	roce_test_sums(test, p.in->sw);
}

/* Off is off, and so is every priority but the one that is on. */
static void roce_response__off(struct kunit *test)
{
	static const struct recipe recipe = { HPCC_RECIPE };
	struct roce_config *cfg = roce_test_config(test);
	struct pair p = make_pair(test, 0);
	int i;

	KUNIT_EXPECT_NULL(test, response_of(p.out));
	*cfg = p.out->cfg;
	roce_response_config(cfg)->prio[2].bytes = 1;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, cfg, false, 0), 0);
	data_frame(p.frame, &recipe, WRITE_MIDDLE);
	for (i = 0; i < 20; i++)
		arrive(test, &p, T0);
	expect_counts(test, &p, 0, 0, 0);
	KUNIT_EXPECT_NULL(test, p.in->wire.head);
}

/* The line of a port says exactly what it has not sent yet. */
static void roce_response__left_bytes(struct kunit *test)
{
	static const struct {
		u64 rate_bps;
		u32 len;
		u64 after_ns;
		u32 left;
	} table[] = {
		{ 8000000000ULL, 1000, 0, 1000 },
		{ 8000000000ULL, 1000, 1, 999 },
		{ 8000000000ULL, 1000, 999, 1 },
		{ 8000000000ULL, 1000, 1000, 0 },
		/* 12.5 and 0.000125 bytes a ns */
		{ 100000000000ULL, 1000, 1, 988 },
		{ 100000000000ULL, 1000, 2, 975 },
		{ 100000000000ULL, 1001, 80, 1 },
		{ 1000000ULL, 1000, 1, 1000 },
		{ 1000000ULL, 1000, 8000, 999 },
		{ 1000000ULL, 1000, 7999999, 1 },
		{ 800000000000ULL, 9000, 89, 100 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_config *cfg = roce_test_config(test);
		struct roce_port *port;

		cfg->switch_id = SWITCH + i;
		cfg->rate_bps = table[i].rate_bps;
		cfg->prio[3].mmu.headroom_bytes = 100000;
		port = roce_test_port(test, 1, cfg);
		roce_test_send(test, port, 0, LOW, table[i].len, T0);
		roce_switch_advance(port->sw, T0 + table[i].after_ns);
		KUNIT_EXPECT_EQ_MSG(test, roce_line_left_bytes(port, T0 + table[i].after_ns),
				    table[i].left, "row %d", i);
	}
}

/* A bridge: VLANs of the port that packets leave by, and of the one that answers leave by.
 * Devices are but names here.
 */
static struct {
	u16 pvid;
	u16 vid;
	u16 flags;
} vlan;

static int vlan_proto(const struct net_device *br, u16 *proto)
{
	*proto = ETH_P_8021Q;
	return 0;
}

static int vlan_pvid(const struct net_device *port, u16 *vid)
{
	*vid = vlan.pvid;
	return 0;
}

static int vlan_info(const struct net_device *port, u16 vid, struct bridge_vlan_info *info)
{
	info->flags = vlan.flags;
	return vid == vlan.vid ? 0 : -ENOENT;
}

/* An answer goes in the VLAN of the packet, tagged as its sender has that; 6 << 13 is the
 * priority of a CNP's DSCP, 3 << 13 that of the packet's tag.
 */
static void roce_reply__vlan(struct kunit *test)
{
	static const struct roce_bridge bridge = {
		.proto = vlan_proto, .pvid = vlan_pvid, .info = vlan_info,
	};
	static const struct {
		u16 tci;	/* of the packet as it leaves; 0: no tag */
		u16 pvid, vid, flags;
		int err;
		u16 want;
	} table[] = {
		/* both tagged */
		{ 3 << 13 | 5, 1, 5, 0, 0, 3 << 13 | 5 },
		/* a tagged receiver, an untagged sender */
		{ 3 << 13 | 5, 1, 5, BRIDGE_VLAN_INFO_UNTAGGED, 0, 0 },
		/* an untagged receiver, a tagged sender */
		{ 0, 5, 5, 0, 0, 6 << 13 | 5 },
		/* both untagged */
		{ 0, 5, 5, BRIDGE_VLAN_INFO_UNTAGGED | BRIDGE_VLAN_INFO_PVID, 0, 0 },
		/* the receiver's untagged packets would be lost; the sender is not there */
		{ 0, 0, 5, 0, -EHOSTUNREACH, 0 },
		{ 0, 6, 5, 0, -EHOSTUNREACH, 0 },
		{ 6, 5, 5, 0, -EHOSTUNREACH, 6 },
	};
	const struct net_device *dev = (const void *)&vlan;
	struct sk_buff *skb;
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		skb = alloc_skb(64, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, skb);
		vlan.pvid = table[i].pvid;
		vlan.vid = table[i].vid;
		vlan.flags = table[i].flags;
		if (table[i].tci)
			__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q), table[i].tci);
		KUNIT_EXPECT_EQ_MSG(test, roce_reply_retag(&bridge, dev, dev, dev, skb),
				    table[i].err, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, skb_vlan_tag_present(skb), !!table[i].want,
				    "row %d", i);
		if (table[i].want)
			KUNIT_EXPECT_EQ_MSG(test, skb_vlan_tag_get(skb), table[i].want,
					    "row %d", i);
		kfree_skb(skb);
	}
}

static struct kunit_case roce_reply_cases[] = {
	KUNIT_CASE(roce_reply__icrc),
	KUNIT_CASE(roce_reply__build),
	KUNIT_CASE(roce_reply__read),
	KUNIT_CASE(roce_reply__vlan),
	KUNIT_CASE(roce_response__layout),
	KUNIT_CASE(roce_response__bytes),
	KUNIT_CASE(roce_response__compact),
	KUNIT_CASE(roce_response__damping),
	KUNIT_CASE(roce_response__whom),
	KUNIT_CASE(roce_response__failed),
	KUNIT_CASE(roce_response__off),
	KUNIT_CASE(roce_response__left_bytes),
	{}
};

static struct kunit_suite roce_reply_suite = {
	.name = "roce_reply",
	.init = int_frames_init,
	.test_cases = roce_reply_cases,
};

kunit_test_suite(roce_reply_suite);
