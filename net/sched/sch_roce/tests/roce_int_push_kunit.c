// SPDX-License-Identifier: GPL-2.0
/*
 * INT metadata pushed into crafted packets: every byte afterwards is compared,
 * of packets that change and of those that must not.
 */
#include <kunit/test.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/prandom.h>
#include <linux/skbuff.h>
#include <linux/unaligned.h>

#include <rxe_cc/int_wire.h>

#include "features/int/roce_int_load.h"
#include "features/int/roce_int_port.h"
#include "roce_int_reference.h"
#include "roce_test_packets.h"

#define MTU	1500
#define ALL	FRAME_MAX	/* nothing in pages */

static struct int_frames *frames(struct kunit *test)
{
	return test->priv;
}

/* frames.in goes through a port and must come out as frames.want. */
static void expect(struct kunit *test, enum roce_int_result result, u32 mtu,
		   const char *what)
{
	struct int_frames *f = frames(test);
	struct sk_buff *skb = frame_skb(test, &f->in, 128, ALL);
	enum roce_int_result got = frame_skb_push(skb, mtu);

	KUNIT_EXPECT_EQ_MSG(test, got, result, "%s", what);
	KUNIT_EXPECT_TRUE_MSG(test, frame_is(skb, &f->want), "%s", what);
	kfree_skb(skb);
}

static void build(struct kunit *test, const struct recipe *r)
{
	struct int_frames *f = frames(test);

	frame_build(&f->in, r);
	f->want = f->in;
}

/* HPCC over IPv4, all bytes written out. */
static void roce_int_push__bytes(struct kunit *test)
{
	static const u8 before[] = {
		2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00,
		0x45, 0x6e, 0x00, 0x3c, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
		0x26, 0x41, 10, 0, 0, 1, 10, 0, 0, 2,
		0xc0, 0x00, 0x12, 0xb7, 0x00, 0x28, 0x00, 0x00,
		0x10, 0x03, 0x00, 0x00,
		0x20, 0x00, 0x08, 0x03, 0xc4, 0x00, 0x0c, 0xc1,
		0xe0, 0x00, 0x00, 0x00,
		0x04, 0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x11,
		0x80, 0x00, 0x00, 0x01, 0xde, 0xad, 0xbe, 0xef,
	}, after[] = {
		2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00,
		0x45, 0x6e, 0x00, 0x5c, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
		0x26, 0x21, 10, 0, 0, 1, 10, 0, 0, 2,
		0xc0, 0x00, 0x12, 0xb7, 0x00, 0x48, 0x00, 0x00,
		0x10, 0x0b, 0x00, 0x00,
		0x20, 0x00, 0x08, 0x02, 0xc4, 0x00, 0x0c, 0xc1,
		0xe0, 0x00, 0x00, 0x00,
		0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
		0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28,
		0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38,
		0x00, 0x0d, 0x0e, 0x0f, 0x41, 0x42, 0x43, 0x44,
		0x04, 0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x11,
		0x80, 0x00, 0x00, 0x01, 0xde, 0xad, 0xbe, 0xef,
	};
	struct int_frames *f = frames(test);

	build(test, &(struct recipe) { HPCC_RECIPE });
	f->in.len = sizeof(before);
	memcpy(f->in.data, before, sizeof(before));
	f->want.len = sizeof(after);
	memcpy(f->want.data, after, sizeof(after));
	expect(test, ROCE_INT_PUSHED, MTU, "bytes");
}

/* Both IP versions, tags, options, padding, hops before this one. */
static void roce_int_push__packets(struct kunit *test)
{
	static const struct recipe table[] = {
		{ HPCC_RECIPE },
		{ HPCC_RECIPE, .v6 = true },
		{ HPCC_RECIPE, .tags = 1 },
		{ HPCC_RECIPE, .tags = 2, .v6 = true },
		{ HPCC_RECIPE, .options = 1 },
		{ HPCC_RECIPE, .options = 10, .tags = 2, .hops = 5 },
		{ HPCC_RECIPE, .hops = 3, .v6 = true },
		{ HPCC_RECIPE, .rest = 16, .pad = 4 },
		{ HPCC_RECIPE, .rest = 16, .pad = 46, .v6 = true },
		{ HPCC_RECIPE, .rest = 12 + 1024 + 4 },
		/* RCC: the time at the last port that has room for it */
		{ .instr = 0x0400, .hop_ml = 2, .rem_hop = 1 },
		{ .instr = 0x0400, .hop_ml = 2, .rem_hop = 255, .hops = 100 },
		/* compact */
		{ COMPACT_RECIPE },
		{ COMPACT_RECIPE, .hops = 5, .v6 = true, .tags = 1 },
		{ .ds = 0xf000, .instr = 0xc400, .domain = 0x0cc1, .hop_ml = 10,
		  .rem_hop = 1, .hops = 1 },
		/* 253 words are the longest stack that can grow by two */
		{ .instr = 0x0400, .hop_ml = 2, .rem_hop = 1, .hops = 125 },
	};
	struct int_frames *f = frames(test);
	u8 hop[128];
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		build(test, &table[i]);
		frame_insert(&f->want, hop, frame_hop(&f->in, hop));
		if (!f->want.v6)
			frame_fix_ipv4_check(&f->want);
		KUNIT_EXPECT_EQ(test, f->want.len,
				f->in.len + 4 * table[i].hop_ml);
		expect(test, ROCE_INT_PUSHED, MTU, "packets");
	}
}

/* Each instruction alone, then all at once; the length must be the right one. */
static void roce_int_push__every_instruction(struct kunit *test)
{
	static const struct {
		u16 instr, ds;
		u8 words;
	} table[] = {
		{ 0x8000, 0, 1 }, { 0x4000, 0, 1 }, { 0x2000, 0, 1 },
		{ 0x1000, 0, 1 }, { 0x0800, 0, 2 }, { 0x0400, 0, 2 },
		{ 0x0200, 0, 2 }, { 0x0100, 0, 1 }, { 0x0080, 0, 1 },
		{ 0x0001, 0, 1 }, { 0, 0x8000, 2 }, { 0, 0x4000, 1 },
		{ 0, 0x2000, 1 }, { 0xff81, 0xe000, 17 }, { 0x0101, 0x2000, 3 },
		{ 0, 0x1000, 2 }, { 0xff81, 0xf000, 19 }, { 0xff81, 0xf800, 21 },
	};
	struct int_frames *f = frames(test);
	u8 hop[128];
	int i, ml;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		for (ml = 1; ml < 32; ml++) {
			bool right = ml == table[i].words;

			build(test, &(struct recipe) {
				.instr = table[i].instr, .domain = 0x0cc1,
				.ds = table[i].ds, .hop_ml = ml, .rem_hop = 1,
				.hops = 1 });
			if (right)
				frame_insert(&f->want, hop,
					     frame_hop(&f->in, hop));
			expect(test, right ? ROCE_INT_PUSHED : ROCE_INT_BAD,
			       MTU, "every instruction");
		}
	}
}

/* The specific fields of another domain are ones, as long as HopML says. */
static void roce_int_push__other_domain(struct kunit *test)
{
	static const struct {
		u16 domain, instr, ds;
		u8 hop_ml;
		enum roce_int_result result;
	} table[] = {
		{ OTHER_DOMAIN, 0xc400, 0xe000, 8, ROCE_INT_PUSHED },
		{ OTHER_DOMAIN, 0xc400, 0xe000, 7, ROCE_INT_PUSHED },
		{ OTHER_DOMAIN, 0xc400, 0xe000, 31, ROCE_INT_PUSHED },
		{ OTHER_DOMAIN, 0xc400, 0xe000, 6, ROCE_INT_BAD },
		{ OTHER_DOMAIN, 0xc400, 0x0001, 5, ROCE_INT_PUSHED },
		{ OTHER_DOMAIN, 0x0000, 0xffff, 16, ROCE_INT_PUSHED },
		{ OTHER_DOMAIN, 0x0000, 0x1000, 2, ROCE_INT_PUSHED },
		{ OTHER_DOMAIN, 0x8001, 0x0001, 3, ROCE_INT_PUSHED },
		/* without instructions of its own the domain does not matter */
		{ OTHER_DOMAIN, 0xc400, 0, 4, ROCE_INT_PUSHED },
		{ OTHER_DOMAIN, 0xc400, 0, 5, ROCE_INT_BAD },
		{ 0, 0xc400, 0, 4, ROCE_INT_PUSHED },
	};
	struct int_frames *f = frames(test);
	u8 hop[128];
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		build(test, &(struct recipe) {
			.instr = table[i].instr, .domain = table[i].domain,
			.ds = table[i].ds, .hop_ml = table[i].hop_ml,
			.rem_hop = 2 });
		if (table[i].result == ROCE_INT_PUSHED)
			frame_insert(&f->want, hop, frame_hop(&f->in, hop));
		expect(test, table[i].result, MTU, "other domain");
	}
}

/* No hops left, no room in the shim's length, no room in the MTU: one bit. */
static void roce_int_push__limits(struct kunit *test)
{
	static const struct recipe none_left = { HPCC_INSTR };
	static const struct recipe full = {
		.instr = 0x0400, .hop_ml = 2, .rem_hop = 9, .hops = 126,
	};
	struct int_frames *f = frames(test);
	int i;

	build(test, &none_left);
	f->want.data[f->want.shim + 4] |= 0x04;
	expect(test, ROCE_INT_HOP_LIMIT, MTU, "no hop left");
	f->in = f->want;
	expect(test, ROCE_INT_HOP_LIMIT, MTU, "no hop left, E is set");

	build(test, &full);
	f->want.data[f->want.shim + 4] |= 0x04;
	expect(test, ROCE_INT_HOP_LIMIT, MTU, "the shim's length is full");

	for (i = 0; i < 6; i++) {
		const struct recipe r = { HPCC_RECIPE, .v6 = i & 1,
					  .tags = i >> 1, .pad = i };
		u32 fits;
		u8 hop[128];

		build(test, &r);
		fits = frame_link_bytes(&f->in) + 32;
		frame_insert(&f->want, hop, frame_hop(&f->in, hop));
		expect(test, ROCE_INT_PUSHED, fits, "fits");

		f->want = f->in;
		f->want.data[f->want.shim + 4] |= 0x02;
		expect(test, ROCE_INT_MTU, fits - 1, "a byte over the MTU");
		f->in = f->want;
		expect(test, ROCE_INT_MTU, fits - 1, "M is set");
		expect(test, ROCE_INT_MTU, 0, "no MTU");
	}

	/* E and M do not keep a later hop from its metadata */
	build(test, &(struct recipe) { HPCC_RECIPE });
	f->in.data[f->in.shim + 4] |= 0x0e;
	f->want = f->in;
	frame_push(&f->want, MTU);
	expect(test, ROCE_INT_PUSHED, MTU, "D, E and M stay");
	KUNIT_EXPECT_EQ(test, f->want.data[f->want.shim + 4], 0x2e);
}

/* One field is wrong: where, what was written there. */
struct damage {
	enum { AT_L3, AT_UDP, AT_SHIM } base;
	s8 offset;
	u8 bytes;
	u16 value;
	enum roce_int_result result;
};

static void expect_damage(struct kunit *test, const struct recipe *r,
			  const struct damage *d, int n)
{
	struct int_frames *f = frames(test);
	char what[16];
	u32 at;

	build(test, r);
	at = d->offset + (d->base == AT_L3 ? f->in.l3 :
			  d->base == AT_UDP ? f->in.udp : f->in.shim);
	if (d->bytes == 2)
		put_unaligned_be16(d->value, f->in.data + at);
	else
		f->in.data[at] = d->value;
	f->want = f->in;
	snprintf(what, sizeof(what), "row %d", n);
	expect(test, d->result, MTU, what);
}

/* One hop on the stack: IPv4 of 120, UDP of 100, shim of 11 words. */
static void roce_int_push__damage(struct kunit *test)
{
	static const struct damage table[] = {
		/* not RoCEv2 */
		{ AT_L3, 0, 1, 0x55, ROCE_INT_NONE },
		{ AT_L3, 0, 1, 0x44, ROCE_INT_NONE },
		{ AT_L3, 9, 1, 6, ROCE_INT_NONE },
		{ AT_L3, 6, 2, 0x2000, ROCE_INT_NONE },	/* first fragment */
		{ AT_L3, 6, 2, 0x0010, ROCE_INT_NONE },	/* last fragment */
		{ AT_L3, 0, 1, 0x4f, ROCE_INT_NONE },	/* UDP elsewhere */
		{ AT_UDP, 2, 2, 4790, ROCE_INT_NONE },
		/* lengths of IP and UDP */
		{ AT_L3, 2, 2, 119, ROCE_INT_BAD },
		{ AT_L3, 2, 2, 121, ROCE_INT_BAD },
		{ AT_L3, 2, 2, 0, ROCE_INT_BAD },
		{ AT_L3, 2, 2, 0xffff, ROCE_INT_BAD },
		{ AT_UDP, 4, 2, 99, ROCE_INT_BAD },
		{ AT_UDP, 4, 2, 101, ROCE_INT_BAD },
		{ AT_UDP, 4, 2, 0, ROCE_INT_BAD },
		{ AT_UDP, 4, 2, 7, ROCE_INT_BAD },
		{ AT_UDP, 4, 2, 0xffff, ROCE_INT_BAD },
		/* shim and MD header */
		{ AT_SHIM, 0, 1, 0x20, ROCE_INT_BAD },	/* INT destination */
		{ AT_SHIM, 0, 1, 0x30, ROCE_INT_BAD },	/* INT-MX */
		{ AT_SHIM, 0, 1, 0x14, ROCE_INT_BAD },	/* next protocol */
		{ AT_SHIM, 1, 1, 0, ROCE_INT_BAD },
		{ AT_SHIM, 1, 1, 2, ROCE_INT_BAD },
		{ AT_SHIM, 1, 1, 10, ROCE_INT_BAD },	/* part of a hop */
		{ AT_SHIM, 1, 1, 19, ROCE_INT_BAD },	/* over BTH and ICRC */
		{ AT_SHIM, 1, 1, 251, ROCE_INT_BAD },	/* over the end */
		{ AT_SHIM, 6, 1, 0, ROCE_INT_BAD },
		{ AT_SHIM, 6, 1, 7, ROCE_INT_BAD },
		{ AT_SHIM, 6, 1, 4, ROCE_INT_BAD },	/* not these instructions */
		{ AT_SHIM, 8, 2, 0, ROCE_INT_BAD },
		{ AT_SHIM, 12, 2, 0xc000, ROCE_INT_BAD },
		/* not for this port */
		{ AT_UDP, 6, 2, 1, ROCE_INT_UNSUPPORTED },
		{ AT_SHIM, 4, 1, 0x10, ROCE_INT_UNSUPPORTED },
		{ AT_SHIM, 4, 1, 0x30, ROCE_INT_UNSUPPORTED },
		{ AT_SHIM, 8, 2, 0xc440, ROCE_INT_UNSUPPORTED },
		{ AT_SHIM, 8, 2, 0xc402, ROCE_INT_UNSUPPORTED },
		{ AT_SHIM, 12, 2, 0xf000, ROCE_INT_BAD },
		{ AT_SHIM, 12, 2, 0xe800, ROCE_INT_BAD },
		{ AT_SHIM, 12, 2, 0xe400, ROCE_INT_UNSUPPORTED },
		{ AT_SHIM, 12, 2, 0xe001, ROCE_INT_UNSUPPORTED },
	}, v6[] = {
		{ AT_L3, 0, 1, 0x46, ROCE_INT_NONE },
		{ AT_L3, 6, 1, 0, ROCE_INT_NONE },	/* hop by hop */
		{ AT_L3, 6, 1, 44, ROCE_INT_NONE },	/* fragment */
		{ AT_L3, 6, 1, 6, ROCE_INT_NONE },
		{ AT_L3, 4, 2, 99, ROCE_INT_BAD },
		{ AT_L3, 4, 2, 101, ROCE_INT_BAD },
		{ AT_L3, 4, 2, 0, ROCE_INT_BAD },	/* a jumbogram */
		{ AT_UDP, 4, 2, 99, ROCE_INT_BAD },
		{ AT_UDP, 6, 2, 0x1234, ROCE_INT_UNSUPPORTED },
	};
	struct recipe r = { HPCC_RECIPE, .hops = 1 };
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		expect_damage(test, &r, &table[i], i);
	r.v6 = true;
	for (i = 0; i < ARRAY_SIZE(v6); i++)
		expect_damage(test, &r, &v6[i], 100 + i);
}

/* Cut off at every length: never read beyond, never changed. */
static void roce_int_push__cut_off(struct kunit *test)
{
	struct recipe r = { HPCC_RECIPE };
	struct int_frames *f = frames(test);
	struct sk_buff *skb;
	u32 len, i;

	for (i = 0; i < 4; i++) {
		r.v6 = i & 1;
		r.tags = i >> 1;
		build(test, &r);
		for (len = ETH_HLEN; len < f->in.len; len++) {
			f->want = f->in;
			f->want.len = len;
			skb = frame_skb(test, &f->want, 64, ALL);
			KUNIT_EXPECT_EQ(test, frame_skb_push(skb, MTU),
					len < f->in.udp + 8 ? ROCE_INT_NONE :
					ROCE_INT_BAD);
			KUNIT_EXPECT_TRUE(test, frame_is(skb, &f->want));
			kfree_skb(skb);
		}
	}

	/* a datagram of its own that is too short for header, BTH and ICRC */
	r = (struct recipe) { HPCC_RECIPE };
	for (r.rest = 1; r.rest < 16; r.rest++) {
		build(test, &r);
		expect(test, ROCE_INT_BAD, MTU, "too short");
	}
}

static void roce_int_push__not_ip(struct kunit *test)
{
	struct sk_buff *skb = roce_test_frame(test, htons(ETH_P_ARP), 60);

	KUNIT_EXPECT_EQ(test, frame_skb_push(skb, MTU), ROCE_INT_NONE);
	kfree_skb(skb);
}

/* What does not fit into its field is unknown, not wrong. */
static void roce_int_push__saturation(struct kunit *test)
{
	static const struct {
		u64 latency, qlen;
		u32 want[3];	/* latency, queue 5 and occupancy, length */
	} table[] = {
		{ U32_MAX - 1, 0xfffffe, { U32_MAX - 1, 0x05fffffe, 0xfffffe } },
		{ U32_MAX, 0xffffff, { U32_MAX, 0x05ffffff, 0xffffff } },
		{ U32_MAX + 1ULL, 1 << 24, { U32_MAX, 0x05ffffff, 1 << 24 } },
		{ U64_MAX, 1ULL << 32, { U32_MAX, 0x05ffffff, U32_MAX } },
	};
	struct int_frames *f = frames(test);
	struct roce_int_hop hop = { .queue = 5 };
	unsigned int bytes;
	int i, k;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct sk_buff *skb;

		build(test, &(struct recipe) {
			.instr = 0x3000, .domain = 0x0cc1, .ds = 0x4000,
			.hop_ml = 3, .rem_hop = 1 });
		hop.latency_ns = table[i].latency;
		hop.qlen_bytes = table[i].qlen;
		skb = frame_skb(test, &f->in, 64, ALL);
		KUNIT_EXPECT_EQ(test, ROCE_INT_PUSHED,
				roce_int_push(skb, MTU, RXE_CC_INT_DOMAIN, &hop,
					      &bytes));
		KUNIT_EXPECT_EQ(test, bytes, 12);
		for (k = 0; k < 3; k++)
			KUNIT_EXPECT_EQ(test, table[i].want[k],
					get_unaligned_be32(skb->data +
							   f->in.shim + 16 +
							   4 * k));
		kfree_skb(skb);
	}
}

/* Three ports in a row: the newest is on top. */
static void roce_int_push__three_hops(struct kunit *test)
{
	struct int_frames *f = frames(test);
	struct roce_int_hop hop = {};
	struct sk_buff *skb;
	unsigned int bytes;
	u8 *stack;
	u64 i;

	build(test, &(struct recipe) { HPCC_INSTR, .rem_hop = 3 });
	skb = frame_skb(test, &f->in, 64, ALL);
	for (i = 1; i <= 4; i++) {
		hop.node = i;
		hop.in_port = 10 * i;
		hop.out_port = 10 * i + 1;
		hop.egress_ts_ns = 1000000000000 * i;
		hop.tx_bytes = 10000000000 * i;
		hop.qlen_bytes = 100000 * i;
		hop.speed_mbps = 100000 * i;
		KUNIT_EXPECT_EQ(test, i < 4 ? ROCE_INT_PUSHED :
				ROCE_INT_HOP_LIMIT,
				roce_int_push(skb, MTU, RXE_CC_INT_DOMAIN, &hop,
					      &bytes));
	}
	KUNIT_ASSERT_EQ(test, skb->len, f->in.len + 96);
	stack = skb->data + f->in.shim + 16;
	for (i = 3; i >= 1; i--, stack += 32) {
		KUNIT_EXPECT_EQ(test, get_unaligned_be32(stack), i);
		KUNIT_EXPECT_EQ(test, get_unaligned_be16(stack + 4), 10 * i);
		KUNIT_EXPECT_EQ(test, get_unaligned_be16(stack + 6), 10 * i + 1);
		KUNIT_EXPECT_EQ(test, get_unaligned_be64(stack + 8),
				1000000000000 * i);
		KUNIT_EXPECT_EQ(test, get_unaligned_be64(stack + 16),
				10000000000 * i);
		KUNIT_EXPECT_EQ(test, get_unaligned_be32(stack + 24), 100000 * i);
		KUNIT_EXPECT_EQ(test, get_unaligned_be32(stack + 28), 100000 * i);
	}
	/* shim: 27 words; version 2 and E; no hop left */
	KUNIT_EXPECT_EQ(test, skb->data[f->in.shim + 1], 27);
	KUNIT_EXPECT_EQ(test, skb->data[f->in.shim + 4], 0x24);
	KUNIT_EXPECT_EQ(test, skb->data[f->in.shim + 7], 0);
	KUNIT_EXPECT_TRUE(test, !ip_fast_csum(ip_hdr(skb), 5));
	KUNIT_EXPECT_EQ(test, 0, memcmp(stack, f->in.data + f->in.shim + 16,
					f->in.len - f->in.shim - 16));
	kfree_skb(skb);
}

/* Three ports of different speeds: units by speed, ids folded into one. */
static void roce_int_push__compact(struct kunit *test)
{
	static const struct {
		u32 mbps;
		u64 ts_ns, tx_bytes, qlen_bytes, want;
	} ports[] = {
		{ 100000, 0x7123456, 0x1abcdef, 0x1234 * 128, 0x9123456abcde1234ULL },
		{ 10000, 0x123456 * 8 + 7, 0xfabcde * 8 + 7, 0x4321 * 16 + 7,
		  0x4123456abcde4321ULL },
		{ 12345, 1, 2, 3, 0 },
	};
	struct int_frames *f = frames(test);
	struct sk_buff *skb;
	unsigned int bytes;
	u16 path = 0;
	u8 *shim;
	int i;

	build(test, &(struct recipe) { COMPACT_RECIPE });
	skb = frame_skb(test, &f->in, 64, ALL);
	for (i = 0; i < 3; i++) {
		struct roce_int_hop hop = {
			.node = 100 + i, .out_port = 7 + i, .speed_mbps = ports[i].mbps,
			.egress_ts_ns = ports[i].ts_ns, .tx_bytes = ports[i].tx_bytes,
			.qlen_bytes = ports[i].qlen_bytes,
		};

		KUNIT_EXPECT_EQ(test, ROCE_INT_PUSHED,
				roce_int_push(skb, MTU, RXE_CC_INT_DOMAIN, &hop, &bytes));
		KUNIT_EXPECT_EQ(test, bytes, 8);
		shim = skb->data + f->in.shim;
		KUNIT_EXPECT_EQ(test, get_unaligned_be64(shim + 16), ports[i].want);
		path = rxe_cc_compact_path(path, 100 + i, 7 + i);
		KUNIT_EXPECT_EQ(test, get_unaligned_be16(shim + 14), path);
	}
	KUNIT_EXPECT_EQ(test, get_unaligned_be64(shim + 32), ports[0].want);
	KUNIT_EXPECT_TRUE(test, !ip_fast_csum(ip_hdr(skb), 5));
	kfree_skb(skb);
}

/* Offset and rate, to the nanosecond. */
static void roce_int__clock(struct kunit *test)
{
	static const struct {
		u64 offset_ns, mono_ns;
		u32 rate;
		s64 ahead_ns;
	} table[] = {
		{ 0, 0, TC_ROCE_CLOCK_RATE, 0 },
		{ 0, S64_MAX, TC_ROCE_CLOCK_RATE, 0 },
		{ TC_ROCE_CLOCK_MAX_NS, 5, TC_ROCE_CLOCK_RATE, TC_ROCE_CLOCK_MAX_NS },
		/* 1 ppm in 10 s are 10 us */
		{ 0, 10ULL * NSEC_PER_SEC, TC_ROCE_CLOCK_RATE + 1000, 10000 },
		{ 0, 10ULL * NSEC_PER_SEC, TC_ROCE_CLOCK_RATE - 1000, -10000 },
		{ 7, 10ULL * NSEC_PER_SEC, TC_ROCE_CLOCK_RATE - 1000, -9993 },
		/* rounded towards the true time */
		{ 0, 1999999, TC_ROCE_CLOCK_RATE + 500, 0 },
		{ 0, 2000000, TC_ROCE_CLOCK_RATE + 500, 1 },
		{ 0, 1999999, TC_ROCE_CLOCK_RATE - 500, 0 },
		{ 0, 2000000, TC_ROCE_CLOCK_RATE - 500, -1 },
		/* 100 years, whose product with a million exceeds 64 bits */
		{ 0, 3155760000ULL * NSEC_PER_SEC, TC_ROCE_CLOCK_RATE_MAX,
		  3155760ULL * NSEC_PER_SEC },
		{ 0, 3155760000ULL * NSEC_PER_SEC, TC_ROCE_CLOCK_RATE_MIN,
		  -3155760LL * NSEC_PER_SEC },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_int_config config = {
			.clock_offset_ns = table[i].offset_ns,
			.clock_rate = table[i].rate,
		};

		KUNIT_EXPECT_EQ_MSG(test, roce_int_clock_ahead_ns(&config, i, table[i].mono_ns),
				    table[i].ahead_ns, "row %d", i);
	}
}

/*
 * Uniform from 0 to the jitter, the same for a seed and a time, another for another. The
 * mean of n values has a standard deviation of jitter / sqrt(12 n): five of them are allowed,
 * and at most twice as many equal ones from two seeds as chance would make.
 */
static void roce_int__clock_jitter(struct kunit *test)
{
	struct roce_int_config config = {
		.clock_rate = TC_ROCE_CLOCK_RATE, .clock_jitter_ns = 1000,
	};
	u64 sum = 0, least = U64_MAX, most = 0;
	int n = 40000, same = 0, i;

	for (i = 0; i < n; i++) {
		u64 ns = roce_int_clock_ahead_ns(&config, 3, 90 * i);

		sum += ns;
		least = min(least, ns);
		most = max(most, ns);
		same += ns == (u64)roce_int_clock_ahead_ns(&config, 4, 90 * i);
		KUNIT_ASSERT_EQ(test, ns, (u64)roce_int_clock_ahead_ns(&config, 3, 90 * i));
	}
	/* Whole ns, rounded down: a mean of 499.5, 1000 / sqrt(12 x 40000) = 1.44 */
	KUNIT_EXPECT_GE(test, sum, 492 * (u64)n);
	KUNIT_EXPECT_LE(test, sum, 507 * (u64)n);
	KUNIT_EXPECT_EQ(test, least, 0);
	KUNIT_EXPECT_EQ(test, most, 999);
	KUNIT_EXPECT_LE(test, same, 2 * n / 1000);
}

/* What a measurement says: the line is used from one packet to the other, whatever their sizes. */
static void roce_int_load__line(struct kunit *test)
{
	static const u64 rates[] = { 1000000000, 100000000000, 400000000000, 800000000000 };
	u64 tx, ns, drain_ns, rate_bps, used_ns;
	unsigned int i, k;
	u32 util = 0;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		struct roce_int_load l = {};

		rate_bps = rates[i];
		tx = 1000000;
		ns = NSEC_PER_SEC;
		roce_int_load(&l, rate_bps, ns, 0, tx, 0, &drain_ns);
		/* Always busy: within the ns by which instants are rounded. */
		for (k = 0; k < 1000; k++) {
			tx += 84 + k % 4096;
			ns = NSEC_PER_SEC + roce_int_line_ns(tx - 1000000, rate_bps);
			util = roce_int_load(&l, rate_bps, ns, 0, tx, 0, &drain_ns);
		}
		KUNIT_EXPECT_LE(test, abs_diff(util, 65536U), 65536U / ROCE_INT_LOAD_NS + 1);
		/* Half of the time idle. */
		l = (struct roce_int_load) {};
		roce_int_load(&l, rate_bps, ns, 0, tx, 0, &drain_ns);
		used_ns = roce_int_line_ns(1250000, rate_bps);
		util = roce_int_load(&l, rate_bps, ns + 2 * used_ns, 0, tx + 1250000, 0, &drain_ns);
		KUNIT_EXPECT_LE(test, abs_diff(util, 32768U), 32768U / ROCE_INT_LOAD_NS + 1);
		/* That holds until the next measurement is long enough. */
		ns += 2 * used_ns;
		tx += 1250000;
		KUNIT_EXPECT_EQ(test, util, roce_int_load(&l, rate_bps, ns + ROCE_INT_LOAD_NS - 1, 0,
							  tx + 1000000, 0, &drain_ns));
		/* And that is half of T, of the packet that asks. */
		KUNIT_EXPECT_EQ(test, util, roce_int_load(&l, rate_bps, ns + 4999, 10000,
							  tx + 1000000, 0, &drain_ns));
		KUNIT_EXPECT_NE(test, util, roce_int_load(&l, rate_bps, ns + 5000, 10000,
							  tx + 1000000, 0, &drain_ns));
		ns += 5000;
		tx += 1000000;
		util = l.util_q16;
		KUNIT_EXPECT_NE(test, util, roce_int_load(&l, rate_bps, ns + ROCE_INT_LOAD_NS, 0,
							  tx, 0, &drain_ns));
	}
}

/* The smaller queue of now and of the last measurement; and numbers without bound. */
static void roce_int_load__queue(struct kunit *test)
{
	const u64 rate_bps = 100000000000;
	struct roce_int_load l = {};
	u64 drain_ns;

	roce_int_load(&l, rate_bps, 5000, 0, 0, 125000, &drain_ns);
	KUNIT_EXPECT_EQ(test, drain_ns, 0);
	roce_int_load(&l, rate_bps, 5500, 0, 0, 12500, &drain_ns);
	KUNIT_EXPECT_EQ(test, drain_ns, 1000);
	roce_int_load(&l, rate_bps, 5600, 0, 0, 1250000, &drain_ns);
	KUNIT_EXPECT_EQ(test, drain_ns, 10000);
	roce_int_load(&l, rate_bps, 6000, 0, 0, 1250000, &drain_ns);
	KUNIT_EXPECT_EQ(test, drain_ns, 10000);
	roce_int_load(&l, rate_bps, 6001, 0, 0, 1250000, &drain_ns);
	KUNIT_EXPECT_EQ(test, drain_ns, 100000);

	KUNIT_EXPECT_EQ(test, RXE_CC_WORST_UTIL_MAX,
			roce_int_load(&l, 1, 7000, 0, U64_MAX, U64_MAX, &drain_ns));
	/* Time has stood still, or gone back; more bytes than there are. */
	roce_int_load(&l, 1, 7000, 0, 0, U64_MAX, &drain_ns);
	roce_int_load(&l, 1, 0, 0, 0, U64_MAX, &drain_ns);
	KUNIT_EXPECT_EQ(test, drain_ns, U64_MAX / (8 * NSEC_PER_SEC) * (8 * NSEC_PER_SEC));
}

/* A packet past three ports: the word of the most loaded one is there at the end, and it is
 * longer by one word, by what the first has pushed.
 */
static void roce_int_push__worst(struct kunit *test)
{
	static const struct {
		u32 used_bytes, queue_bytes;	/* in 10 us of 100 Gbit/s */
		enum roce_int_result result;
	} ports[] = {
		{ 62500, 0, ROCE_INT_PUSHED },		/* 0.5 */
		{ 50000, 12500, ROCE_INT_PUSHED },	/* 0.4 + 1 us / 8 us */
		{ 62500, 0, ROCE_INT_NONE },		/* 0.5 again */
		{ 50000, 12500, ROCE_INT_NONE },	/* as much is not more */
	};
	struct int_frames *f = frames(test);
	struct sk_buff *skb;
	unsigned int bytes;
	u64 drain_ns, word;
	u32 len;
	int i;

	/* T is 8 us: 4000 x 2. */
	build(test, &(struct recipe) { .ds = 0x0800, .domain = 0x0cc1, .hop_ml = 2, .rem_hop = 1 });
	put_unaligned_be16(0x1fa0, f->in.data + f->in.shim + 14);
	skb = frame_skb(test, &f->in, 64, ALL);
	len = skb->len;
	for (i = 0; i < ARRAY_SIZE(ports); i++) {
		struct roce_int_load load = {};
		struct roce_int_hop hop = {
			.node = 1 + i, .out_port = 7, .speed_mbps = 100000,
			.rate_bps = 100000000000, .at_ns = NSEC_PER_SEC, .load = &load,
			.tx_bytes = ports[i].used_bytes, .qlen_bytes = ports[i].queue_bytes,
		};

		roce_int_load(&load, hop.rate_bps, hop.at_ns - 10000, 0, 0, ports[i].queue_bytes,
			      &drain_ns);
		KUNIT_EXPECT_EQ(test, ports[i].result,
				roce_int_push(skb, MTU, RXE_CC_INT_DOMAIN, &hop, &bytes));
		KUNIT_EXPECT_EQ(test, bytes, i ? 0 : 8);
	}
	KUNIT_EXPECT_EQ(test, skb->len, len + 8);
	word = get_unaligned_be64(skb->data + f->in.shim + 16);
	KUNIT_EXPECT_EQ(test, word, rxe_cc_worst_word(100000, rxe_cc_compact_path(0, 2, 7),
						      65536 * 4 / 10, 1000));
	/* No port more may push, and none has set E for that: T is what it was. */
	KUNIT_EXPECT_EQ(test, skb->data[f->in.shim + 4], 0x20);
	KUNIT_EXPECT_EQ(test, skb->data[f->in.shim + 7], 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_be16(skb->data + f->in.shim + 14), 0x1fa0);
	kfree_skb(skb);
}

static struct kunit_case roce_int_cases[] = {
	KUNIT_CASE(roce_int_push__bytes),
	KUNIT_CASE(roce_int_push__packets),
	KUNIT_CASE(roce_int_push__every_instruction),
	KUNIT_CASE(roce_int_push__other_domain),
	KUNIT_CASE(roce_int_push__limits),
	KUNIT_CASE(roce_int_push__damage),
	KUNIT_CASE(roce_int_push__cut_off),
	KUNIT_CASE(roce_int_push__not_ip),
	KUNIT_CASE(roce_int_push__saturation),
	KUNIT_CASE(roce_int_push__three_hops),
	KUNIT_CASE(roce_int_push__compact),
	KUNIT_CASE(roce_int_push__worst),
	KUNIT_CASE(roce_int_load__line),
	KUNIT_CASE(roce_int_load__queue),
	KUNIT_CASE(roce_int__clock),
	KUNIT_CASE(roce_int__clock_jitter),
	{}
};

static struct kunit_suite roce_int_suite = {
	.name = "roce_int",
	.init = int_frames_init,
	.test_cases = roce_int_cases,
};

kunit_test_suite(roce_int_suite);
