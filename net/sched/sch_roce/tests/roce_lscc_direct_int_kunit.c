// SPDX-License-Identifier: GPL-2.0
/*
 * HPCC*'s direct INT (in-band network telemetry) in the switch: hops are taken off packets and
 * go back to the sender with the pseudo queue. Lines send a byte a nanosecond.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/timekeeping.h>
#include <linux/unaligned.h>

#include <rxe_cc/icrc.h>

#include "features/int/roce_int_port.h"
#include "features/lscc/roce_lscc.h"
#include "../roce_reply_packet.h"
#include "../roce_switch.h"
#include "roce_int_reference.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

#define QPN		0x123456
#define PSN		0x89abcd
#define WRITE_MIDDLE	0x07
#define READ_LAST	0x0f		/* a response */
#define REPORT		0xc1
#define MBIT		1000000ULL
#define R_BPS		(4000 * MBIT)	/* half of the line */
#define INTERVAL	2000ULL
#define INSIDE		1		/* ifindex */
#define LINK		2
#define STACK		16		/* from the shim */
#define STALE		0xc3
#define RDMA_BYTES	44		/* of frame_build(): BTH, 28 bytes, ICRC */

/* A port inside, and one at a long link; test->priv has the frames. */
struct ends {
	struct roce_port *in, *link;
	struct roce_lscc_port *l;
	struct frame *f;
};

static u32 next_switch = 5000;

static struct ends make_ends(struct kunit *test, u8 reply, u64 rate_bps)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_lscc_config *lscc = roce_lscc_config(cfg);
	struct int_frames *frames = test->priv;
	struct ends e = { .f = &frames->in };

	cfg->switch_id = next_switch++;
	cfg->buffer_bytes = 64 << 20;
	cfg->prio[3].mmu.xoff_bytes = 8 << 20;
	roce_int_config(cfg)->port = 11;
	e.in = roce_test_port(test, INSIDE, cfg);
	roce_int_config(cfg)->port = 22;
	roce_int_config(cfg)->node = 0x77;
	lscc->self = 1;
	lscc->peer = 2;
	lscc->rtt_ns = 40000;
	lscc->period_ns = TC_ROCE_LSCC_MAX_NS;	/* it tells nothing itself */
	lscc->pseudo_bytes = 1;
	lscc->interval_ns = INTERVAL;
	lscc->threshold_bytes = 1 << 20;
	lscc->reply = reply;
	lscc->prio[3] = 1;
	e.link = roce_test_port(test, LINK, cfg);
	e.l = roce_lscc_of(e.link);
	KUNIT_ASSERT_NOT_NULL(test, e.l);
	if (rate_bps)
		roce_lscc_hear(&e.l->limit, 1, 1, rate_bps, T0);
	return e;
}

/* An INT packet with a BTH behind its stack. */
static void data_frame(struct frame *f, const struct recipe *r, u8 opcode)
{
	u8 *bth;

	frame_build(f, r);
	bth = f->data + f->shim + STACK + r->hops * r->hop_ml * 4;
	bth[0] = opcode;
	put_unaligned_be16(0xffff, bth + 2);
	put_unaligned_be32(QPN, bth + 4);
	put_unaligned_be32(PSN, bth + 8);
}

static void goes_out(struct kunit *test, struct ends *e, u64 now_ns)
{
	struct sk_buff *skb = frame_skb(test, e->f, 64, FRAME_MAX);

	skb->skb_iif = INSIDE;
	qdisc_skb_cb(skb)->pkt_len = skb->len;
	KUNIT_ASSERT_EQ(test, roce_port_arrive(e->link, skb, now_ns),
			ROCE_ACCEPTED);
}

static struct sk_buff *delivered(struct kunit *test, struct roce_port *port)
{
	struct sk_buff *skb = roce_port_deliver(port, T0 + 100000);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	return skb;
}

static void expect_stats(struct kunit *test, const struct ends *e, u64 taken,
			 u64 ints, u64 cnps, u64 damped)
{
	KUNIT_EXPECT_EQ(test, e->l->stats.taken, taken);
	KUNIT_EXPECT_EQ(test, e->l->stats.ints, ints);
	KUNIT_EXPECT_EQ(test, e->l->stats.cnps, cnps);
	KUNIT_EXPECT_EQ(test, e->l->stats.damped, damped);
	KUNIT_EXPECT_EQ(test, e->l->stats.untaken + e->l->stats.failed, 0);
}

/* The ICRC that a sink calculates: without INT, with the lengths that are then right. */
static u32 sink_icrc(const struct frame *f)
{
	u32 int_bytes = 4 + 4 * f->data[f->shim + 1], l3_bytes = f->shim - f->l3;
	u8 buf[256];
	u32 len = l3_bytes + RDMA_BYTES - RXE_CC_ICRC_BYTES;

	memcpy(buf, f->data + f->l3, l3_bytes);
	memcpy(buf + l3_bytes, f->data + f->shim + int_bytes,
	       RDMA_BYTES - RXE_CC_ICRC_BYTES);
	/* What the headers say, so that a wrong one shows. */
	put_unaligned_be16(get_unaligned_be16(f->data + f->udp + 4) - int_bytes,
			   buf + f->udp - f->l3 + 4);
	if (f->v6)
		put_unaligned_be16(get_unaligned_be16(f->data + f->l3 + 4) -
				   int_bytes, buf + 4);
	else
		put_unaligned_be16(get_unaligned_be16(f->data + f->l3 + 2) -
				   int_bytes, buf + 2);
	return (__force u32)rxe_cc_icrc(buf, len);
}

static void frame_read(struct frame *f, const struct frame *like,
		       struct sk_buff *skb)
{
	*f = *like;
	f->len = skb->len;
	memset(f->data, 0, sizeof(f->data));
	skb_copy_bits(skb, 0, f->data, min_t(u32, skb->len, FRAME_MAX));
}

struct take_case {
	struct recipe r;
	u8 hops;
	u32 linear;
};

static void take(struct kunit *test, const struct take_case *c)
{
	struct int_frames *frames = test->priv;
	struct frame *in = &frames->in, *want = &frames->want;
	struct roce_int_packet pkt;
	struct sk_buff *skb, *twin;
	struct frame *was;
	u8 hop[32];
	u32 i;

	was = kunit_kzalloc(test, sizeof(*was), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, was);
	data_frame(want, &c->r, WRITE_MIDDLE);
	*in = *want;
	for (i = 0; i < c->hops; i++) {
		memset(hop, 0xa0 + i, sizeof(hop));
		frame_insert(in, hop, c->r.hop_ml * 4);
	}
	in->data[in->shim + 4] |= 0x06;		/* E, M */
	*was = *in;
	KUNIT_ASSERT_EQ(test, sink_icrc(in), sink_icrc(want));

	skb = frame_skb(test, in, 0, c->linear);
	twin = skb_clone(skb, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, twin);
	KUNIT_ASSERT_TRUE(test, roce_int_read_hpcc(skb, 0x0cc1, &pkt));
	KUNIT_ASSERT_EQ(test, roce_int_strip(skb, &pkt), 0);
	KUNIT_EXPECT_TRUE(test, frame_is(skb, want));
	KUNIT_EXPECT_TRUE(test, frame_is(twin, was));
	KUNIT_EXPECT_PTR_EQ(test, skb_mac_header(skb), skb->data);
	KUNIT_EXPECT_EQ(test, skb_network_offset(skb), ETH_HLEN);
	KUNIT_EXPECT_EQ(test, skb_transport_offset(skb), want->udp);
	frame_read(in, want, skb);
	KUNIT_EXPECT_EQ(test, sink_icrc(in), sink_icrc(want));
	kfree_skb(skb);
	kfree_skb(twin);
}

/* The packet is as its source sent it, whatever it looks like; others that share its
 * bytes keep theirs.
 */
static void roce_int__strip(struct kunit *test)
{
	static const struct recipe plain = { HPCC_INSTR, .rem_hop = 16 };
	static const struct take_case table[] = {
		{ { HPCC_INSTR, .rem_hop = 16 }, 0, FRAME_MAX },
		{ { HPCC_INSTR, .rem_hop = 16 }, 3, FRAME_MAX },
		{ { HPCC_INSTR, .rem_hop = 16 }, 15, FRAME_MAX },
		{ { HPCC_INSTR, .rem_hop = 16 }, 3, 60 },
		{ { HPCC_INSTR, .rem_hop = 8, .tags = 2, .options = 3 }, 2, FRAME_MAX },
		{ { HPCC_INSTR, .rem_hop = 8, .v6 = true }, 8, FRAME_MAX },
		{ { HPCC_INSTR, .rem_hop = 8, .v6 = true, .tags = 1 }, 1, 20 },
		{ { HPCC_INSTR, .rem_hop = 8, .pad = 9 }, 2, FRAME_MAX },
		{ { COMPACT_RECIPE }, 4, FRAME_MAX },
	};
	struct int_frames *frames = test->priv;
	struct roce_int_packet pkt;
	struct sk_buff *skb;
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		take(test, &table[i]);

	/* RemHop has eight bits. */
	data_frame(&frames->in, &plain, WRITE_MIDDLE);
	skb = frame_skb(test, &frames->in, 0, FRAME_MAX);
	KUNIT_ASSERT_TRUE(test, roce_int_read_hpcc(skb, 0x0cc1, &pkt));
	pkt.rem_hop = 255;
	KUNIT_EXPECT_EQ(test, roce_int_strip(skb, &pkt), 0);
	KUNIT_EXPECT_EQ(test, skb->data[frames->in.shim + 7], 255);
	/* Nobody would know the new sum. */
	pkt.udp_check = true;
	KUNIT_EXPECT_EQ(test, roce_int_strip(skb, &pkt), -EOPNOTSUPP);
	kfree_skb(skb);
}

/* The second of two packets meets what is left of the first: byte for byte. The line has
 * begun with the first at once; the second waits.
 */
static void bytes(struct kunit *test, const struct recipe *r)
{
	const u32 ip_bytes = r->v6 ? 40 : 20;
	const u32 body = ETH_HLEN + ip_bytes + 8 + 12, hop = body + 4 + 4;
	const u32 reply_len = hop + (r->hops + 1) * 32 + 4;
	struct ends e = make_ends(test, TC_ROCE_LSCC_REPLY_INT, R_BPS);
	u32 bare, first, icrc;
	struct sk_buff *skb;
	const u8 *d;

	data_frame(e.f, r, WRITE_MIDDLE);
	e.f->data[e.f->shim + 4] |= 0x06;	/* E, M */
	bare = e.f->len - r->hops * 32;
	first = bare + 32;			/* the hop of the link's own port */
	goes_out(test, &e, T0);
	goes_out(test, &e, T0 + 100);		/* within the interval */
	/* What stays of packets with more hops goes nowhere. */
	memset(e.l->taken.stack, STALE, sizeof(e.l->taken.stack));
	goes_out(test, &e, T0 + INTERVAL);
	expect_stats(test, &e, 3, 2, 0, 1);
	KUNIT_EXPECT_EQ(test, e.l->in_bytes, 2 * first + bare);

	kfree_skb(delivered(test, e.in));
	skb = delivered(test, e.in);
	KUNIT_ASSERT_EQ(test, skb->len, reply_len);
	d = skb->data;
	KUNIT_EXPECT_MEMEQ(test, d, e.f->data + 6, 6);
	KUNIT_EXPECT_MEMEQ(test, d + 6, e.f->data, 6);
	KUNIT_EXPECT_EQ(test, d[body - 12], REPORT);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + body - 8), QPN);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + body - 4), PSN);
	/* kind 5; TLV 1 of 8 words a hop, E and M */
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + body), 5 << 24);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + body + 4),
			1 << 24 | (r->hops + 1) * 8 << 16 | 3);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + hop), 0x77);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + hop + 4), 11 << 16 | 22);
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(d + hop + 8),
			ktime_to_ns(ktime_mono_to_any(ns_to_ktime(T0 + INTERVAL),
						      TK_OFFS_TAI)));
	/* Both have come; in 2 us 1000 bytes have left, more than they had. */
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(d + hop + 16), first + bare);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + hop + 24), 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(d + hop + 28), R_BPS / MBIT);
	KUNIT_EXPECT_MEMEQ(test, d + hop + 32, e.f->data + e.f->shim + STACK,
			   r->hops * 32);
	icrc = (__force u32)rxe_cc_icrc(d + ETH_HLEN, reply_len - ETH_HLEN - 4);
	KUNIT_EXPECT_EQ(test, get_unaligned((const u32 *)(d + reply_len - 4)), icrc);
	kfree_skb(skb);

	/* The data packet has the link's own hop, and no other. */
	skb = delivered(test, e.link);
	KUNIT_EXPECT_EQ(test, skb->len, first);
	KUNIT_EXPECT_EQ(test, skb->data[e.f->shim + 1], 3 + 8);
	KUNIT_EXPECT_EQ(test, skb->data[e.f->shim + 4], 0x20);
	KUNIT_EXPECT_EQ(test, skb->data[e.f->shim + 7], r->rem_hop + r->hops - 1);
	KUNIT_EXPECT_EQ(test, get_unaligned_be32(skb->data + e.f->shim + STACK), 0x77);
	KUNIT_EXPECT_MEMEQ(test, skb->data + first - RDMA_BYTES,
			   e.f->data + e.f->len - RDMA_BYTES, RDMA_BYTES);
	kfree_skb(skb);
	roce_test_sums(test, e.in->sw);
}

static void roce_lscc_int__bytes(struct kunit *test)
{
	static const struct recipe table[] = {
		{ HPCC_RECIPE, .hops = 2 },
		{ HPCC_RECIPE, .hops = 0 },
		{ HPCC_RECIPE, .hops = 15 },
		{ HPCC_RECIPE, .hops = 3, .v6 = true },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		bytes(test, &table[i]);
}

/* Packets of 14 + 20 + 8 + 16 + 44 bytes and two hops, all at once: a queue at R. The third
 * is one interval late, when 1000 of 134 + 102 bytes could have left; then four at once, of
 * which each meets those before it.
 */
static void roce_lscc_int__pseudo(struct kunit *test)
{
	static const struct recipe recipe = { HPCC_RECIPE, .hops = 2 };
	struct ends e = make_ends(test, TC_ROCE_LSCC_REPLY_INT, R_BPS);
	const u32 body = ETH_HLEN + 20 + 8 + 12, hop = body + 4 + 4;
	u64 met = 0, came = 0;
	struct sk_buff *skb;
	int i;

	roce_lscc_config(&e.link->cfg)->interval_ns = 0;
	data_frame(e.f, &recipe, WRITE_MIDDLE);
	for (i = 0; i < 5; i++)
		goes_out(test, &e, T0 + 10 * i);
	expect_stats(test, &e, 5, 5, 0, 0);
	for (i = 0; i < 5; i++) {
		skb = delivered(test, e.in);
		/* R takes 5 bytes in 10 ns. */
		met -= i ? 5 : 0;
		KUNIT_EXPECT_EQ(test, get_unaligned_be32(skb->data + hop + 24), met);
		KUNIT_EXPECT_EQ(test, get_unaligned_be64(skb->data + hop + 16), came);
		met += i ? 102 : 134;
		came += i ? 102 : 134;
		kfree_skb(skb);
	}
}

struct not_case {
	struct recipe r;
	u8 opcode;
	u8 reply;
	u64 rate_bps;
	u64 cnps;
};

/* What must not be taken: the packet goes on as it came, but for the link's hop. */
static void roce_lscc_int__not(struct kunit *test)
{
	static const struct not_case table[] = {
		/* as before: CNPs */
		{ { HPCC_RECIPE, .hops = 2 }, WRITE_MIDDLE, TC_ROCE_LSCC_REPLY_CNP, R_BPS, 1 },
		/* no R in force */
		{ { HPCC_RECIPE, .hops = 2 }, WRITE_MIDDLE, TC_ROCE_LSCC_REPLY_INT, 0, 0 },
		/* the PSN is of the other direction */
		{ { HPCC_RECIPE, .hops = 2 }, READ_LAST, TC_ROCE_LSCC_REPLY_INT, R_BPS, 1 },
		/* no room for one hop more in a report */
		{ { HPCC_RECIPE, .hops = 16 }, WRITE_MIDDLE, TC_ROCE_LSCC_REPLY_INT, R_BPS, 1 },
		/* what tells no R */
		{ { COMPACT_RECIPE, .hops = 2 }, WRITE_MIDDLE, TC_ROCE_LSCC_REPLY_INT, R_BPS, 1 },
		{ { .instr = 0x0400, .hop_ml = 2, .rem_hop = 1, .hops = 1 }, WRITE_MIDDLE,
		  TC_ROCE_LSCC_REPLY_INT, R_BPS, 1 },
	};
	struct sk_buff *skb;
	struct ends e;
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		const struct not_case *c = &table[i];

		e = make_ends(test, c->reply, c->rate_bps);
		data_frame(e.f, &c->r, c->opcode);
		goes_out(test, &e, T0);
		expect_stats(test, &e, 0, 0, c->cnps, 0);
		skb = delivered(test, e.link);
		KUNIT_EXPECT_EQ_MSG(test, skb->len, e.f->len + c->r.hop_ml * 4,
				    "row %d", i);
		kfree_skb(skb);
	}
}

/* Packets without telemetry get CNPs, also where that is taken off others; garbage where
 * it should be nothing.
 */
static void roce_lscc_int__without(struct kunit *test)
{
	static const struct recipe recipe = { HPCC_RECIPE, .hops = 2 };
	struct ends e = make_ends(test, TC_ROCE_LSCC_REPLY_INT, R_BPS);

	data_frame(e.f, &recipe, WRITE_MIDDLE);
	/* DSCP 26; the shim takes the place of the BTH: opcode 0x10, a READ response */
	e.f->data[e.f->l3 + 1] = 26 << 2 | 2;
	frame_fix_ipv4_check(e.f);
	goes_out(test, &e, T0);
	expect_stats(test, &e, 0, 0, 1, 0);

	data_frame(e.f, &recipe, WRITE_MIDDLE);
	e.f->data[e.f->shim + 1] = 200;
	goes_out(test, &e, T0 + 1000);
	expect_stats(test, &e, 0, 0, 1, 0);
	/* The hops of another packet are nobody's. */
	KUNIT_EXPECT_NULL(test, e.l->taken.skb);
}

/* A flow without a place is never sent its hops, so they stay in its packets. */
static void roce_lscc_int__no_place(struct kunit *test)
{
	static const struct recipe recipe = { HPCC_RECIPE, .hops = 2 };
	struct ends e = make_ends(test, TC_ROCE_LSCC_REPLY_INT, R_BPS);
	struct sk_buff *skb;
	unsigned int i;

	for (i = 0; i < ROCE_LSCC_FLOWS; i++) {
		e.l->flows[i].key.used = 1;
		e.l->flows[i].seen_ns = T0;
	}
	data_frame(e.f, &recipe, WRITE_MIDDLE);
	goes_out(test, &e, T0);
	expect_stats(test, &e, 0, 0, 0, 0);
	KUNIT_EXPECT_GT(test, e.l->stats.no_place, 0);
	skb = delivered(test, e.link);
	KUNIT_EXPECT_EQ(test, skb->len, e.f->len + recipe.hop_ml * 4);
	kfree_skb(skb);
	/* a round trip later the place of one of them is free */
	goes_out(test, &e, T0 + 40000);
	expect_stats(test, &e, 1, 1, 0, 0);
}

static struct kunit_case roce_lscc_int_cases[] = {
	KUNIT_CASE(roce_int__strip),
	KUNIT_CASE(roce_lscc_int__bytes),
	KUNIT_CASE(roce_lscc_int__pseudo),
	KUNIT_CASE(roce_lscc_int__not),
	KUNIT_CASE(roce_lscc_int__no_place),
	KUNIT_CASE(roce_lscc_int__without),
	{}
};

static struct kunit_suite roce_lscc_int_suite = {
	.name = "roce_lscc_int",
	.init = int_frames_init,
	.test_cases = roce_lscc_int_cases,
};

kunit_test_suite(roce_lscc_int_suite);
