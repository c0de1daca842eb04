// SPDX-License-Identifier: GPL-2.0
/*
 * TLVs of ACKs and reports, hops of a path: what is right, tables of what is not, and
 * random bytes.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include <rxe_cc/wire.h>

#include "core/cc_tlv_parse.h"
#include "cc_test.h"

#define WIRE_MAX	1200

/* Too large for a stack with KASAN; suites run one after the other. */
static struct rxe_cc_int_hop hop[RXE_CC_INT_MAX_HOPS];

struct wire_buf {
	unsigned int len;
	u8 b[WIRE_MAX];
};

static struct wire_buf *wire_new(struct kunit *test)
{
	struct wire_buf *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, w);
	return w;
}

static u8 *wire_tlv(struct wire_buf *w, u8 type, u8 words, u16 flags)
{
	u8 *p = w->b + w->len;

	p[0] = type;
	p[1] = words;
	p[2] = flags >> 8;
	p[3] = flags;
	memset(p + 4, type, 4 * words);
	w->len += 4 + 4 * words;
	return p + 4;
}

/* Hop @i of a path: every field depends on it. */
static void wire_hop(u8 *p, u32 i)
{
	put_unaligned_be32(0x0a000001 + i, p);
	put_unaligned_be16(7 + i, p + 4);
	put_unaligned_be16(100 + i, p + 6);
	put_unaligned_be64(1700000000000000000ULL + i, p + 8);
	put_unaligned_be64(0x123456789abcULL + i, p + 16);
	put_unaligned_be32(4000 + i, p + 24);
	put_unaligned_be32(100000 + i, p + 28);
}

static void wire_parse__whole_ack(struct kunit *test)
{
	struct wire_buf *w = wire_new(test);
	struct rxe_cc_feedback fb;
	u8 *p;
	u32 i;

	wire_tlv(w, 200, 0, 0);
	p = wire_tlv(w, RXE_CC_TLV_INT, 24, RXE_CC_TLV_INT_E | 0x8000);
	/* Newest first: hop 2 is the last port before the receiver. */
	for (i = 0; i < 3; i++)
		wire_hop(p + 32 * i, 2 - i);
	wire_tlv(w, RXE_CC_TLV_MESSAGES, 2, 0);
	wire_tlv(w, RXE_CC_TLV_WINDOW, 2, 0);
	p = wire_tlv(w, RXE_CC_TLV_FB, 5, 0x8000);
	put_unaligned_be32(0x01020304, p);
	put_unaligned_be64(0x0102030405060708ULL, p + 4);
	put_unaligned_be64(7, p + 12);
	p = wire_tlv(w, RXE_CC_TLV_TIME, 6, 0);
	put_unaligned_be64(11, p);
	put_unaligned_be64(22, p + 8);
	put_unaligned_be64(33, p + 16);

	KUNIT_ASSERT_EQ(test, rxe_cc_tlv_parse(w->b, w->len, &fb), RXE_CC_TLV_OK);
	KUNIT_EXPECT_EQ(test, fb.nr_hops, 3);
	KUNIT_EXPECT_EQ(test, fb.int_flags, RXE_CC_TLV_INT_E | 0x8000);
	KUNIT_EXPECT_EQ(test, fb.unknown, 3);
	KUNIT_EXPECT_TRUE(test, fb.has_time);
	KUNIT_EXPECT_EQ(test, fb.tx_ns, 11);
	KUNIT_EXPECT_EQ(test, fb.rx_ns, 22);
	KUNIT_EXPECT_EQ(test, fb.turnaround_ns, 33);
	KUNIT_EXPECT_EQ(test, fb.algo_id, 0x01020304U);
	KUNIT_ASSERT_EQ(test, fb.nr_fb, 2);
	KUNIT_EXPECT_EQ(test, fb.fb[0], 0x0102030405060708ULL);
	KUNIT_EXPECT_EQ(test, fb.fb[1], 7ULL);
	KUNIT_EXPECT_EQ(test, fb.fb[2], 0ULL);
	KUNIT_ASSERT_TRUE(test, rxe_cc_hops_read(&fb, hop));
	for (i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, hop[i].node, 0x0a000001 + i);
		KUNIT_EXPECT_EQ(test, hop[i].port, 100 + i);
		KUNIT_EXPECT_EQ(test, hop[i].ts_ns, 1700000000000000000ULL + i);
		KUNIT_EXPECT_EQ(test, hop[i].tx_bytes, 0x123456789abcULL + i);
		KUNIT_EXPECT_EQ(test, hop[i].qlen_bytes, 4000 + i);
		KUNIT_EXPECT_EQ(test, hop[i].rate_bps, (100000 + i) * 1000000ULL);
	}
}

/* Lists of type and words; the packet is @cut bytes shorter than they make it. @flags
 * are those of all of them.
 */
struct wire_case {
	const char *name;
	u8 nr;
	u8 tlv[4][2];
	u8 cut;
	enum rxe_cc_tlv_verdict verdict;
	u16 flags;
};

static const struct wire_case wire_cases[] = {
	{ "none", 0, {}, 0, RXE_CC_TLV_OK },
	{ "unknown without a body", 1, { { 0, 0 } }, 0, RXE_CC_TLV_OK },
	{ "unknown, the longest", 1, { { 255, 255 } }, 0, RXE_CC_TLV_OK },
	{ "unknown twice", 2, { { 9, 1 }, { 9, 1 } }, 0, RXE_CC_TLV_OK },
	{ "reserved twice", 2, { { 5, 2 }, { 5, 2 } }, 0, RXE_CC_TLV_OK },
	{ "one hop", 1, { { 1, 8 } }, 0, RXE_CC_TLV_OK },
	{ "most hops", 1, { { 1, 128 } }, 0, RXE_CC_TLV_OK },
	{ "a hop too many", 1, { { 1, 136 } }, 0, RXE_CC_TLV_LENGTH },
	{ "no hop", 1, { { 1, 0 } }, 0, RXE_CC_TLV_LENGTH },
	{ "half a hop", 1, { { 1, 12 } }, 0, RXE_CC_TLV_LENGTH },
	{ "INT twice", 2, { { 1, 8 }, { 1, 8 } }, 0, RXE_CC_TLV_TWICE },
	{ "INT twice, with others between", 4,
	  { { 1, 8 }, { 77, 3 }, { 2, 6 }, { 1, 16 } }, 0, RXE_CC_TLV_TWICE },
	{ "time twice", 2, { { 2, 6 }, { 2, 6 } }, 0, RXE_CC_TLV_TWICE },
	{ "time too short", 1, { { 2, 5 } }, 0, RXE_CC_TLV_LENGTH },
	{ "time too long", 1, { { 2, 7 } }, 0, RXE_CC_TLV_LENGTH },
	{ "retired ones", 3, { { 3, 2 }, { 4, 1 }, { 3, 1 } }, 0, RXE_CC_TLV_OK },
	{ "one value", 1, { { 6, 3 } }, 0, RXE_CC_TLV_OK },
	{ "four values", 1, { { 6, 9 } }, 0, RXE_CC_TLV_OK },
	{ "five values", 1, { { 6, 11 } }, 0, RXE_CC_TLV_LENGTH },
	{ "half a value", 1, { { 6, 2 } }, 0, RXE_CC_TLV_LENGTH },
	{ "a value and a half", 1, { { 6, 4 } }, 0, RXE_CC_TLV_LENGTH },
	{ "an algorithm without values", 1, { { 6, 1 } }, 0, RXE_CC_TLV_LENGTH },
	{ "told without a body", 1, { { 6, 0 } }, 0, RXE_CC_TLV_LENGTH },
	{ "told twice", 3, { { 6, 3 }, { 2, 6 }, { 6, 5 } }, 0, RXE_CC_TLV_TWICE },
	{ "values that are cut", 1, { { 6, 5 } }, 4, RXE_CC_TLV_SHORT },
	{ "all of them", 3, { { 6, 5 }, { 2, 6 }, { 1, 8 } }, 0, RXE_CC_TLV_OK },
	{ "ends in the header", 1, { { 9, 0 } }, 1, RXE_CC_TLV_SHORT },
	{ "ends in the first header's type", 1, { { 9, 0 } }, 3, RXE_CC_TLV_SHORT },
	{ "ends in the body", 1, { { 1, 8 } }, 1, RXE_CC_TLV_SHORT },
	{ "ends a word early", 2, { { 1, 8 }, { 255, 255 } }, 4, RXE_CC_TLV_SHORT },
	{ "compact: one hop", 1, { { 1, 3 } }, 0, RXE_CC_TLV_OK, 4 },
	{ "compact: most hops", 1, { { 1, 33 } }, 0, RXE_CC_TLV_OK, 4 },
	{ "compact: a hop too many", 1, { { 1, 35 } }, 0, RXE_CC_TLV_LENGTH, 4 },
	{ "compact: no path", 1, { { 1, 0 } }, 0, RXE_CC_TLV_LENGTH, 4 },
	{ "compact: no hop", 1, { { 1, 1 } }, 0, RXE_CC_TLV_LENGTH, 4 },
	{ "compact: half a hop", 1, { { 1, 4 } }, 0, RXE_CC_TLV_LENGTH, 4 },
	{ "compact: twice", 2, { { 1, 3 }, { 1, 3 } }, 0, RXE_CC_TLV_TWICE, 4 },
	{ "compact: cut in the path", 1, { { 1, 3 } }, 10, RXE_CC_TLV_SHORT, 4 },
	{ "first port", 1, { { 1, 2 } }, 0, RXE_CC_TLV_OK, 8 },
	{ "first port: two", 1, { { 1, 4 } }, 0, RXE_CC_TLV_LENGTH, 8 },
	{ "first port: half", 1, { { 1, 1 } }, 0, RXE_CC_TLV_LENGTH, 8 },
	{ "first port: none", 1, { { 1, 0 } }, 0, RXE_CC_TLV_LENGTH, 8 },
	{ "worst hop", 1, { { 1, 2 } }, 0, RXE_CC_TLV_OK, 12 },
	{ "worst hop: two", 1, { { 1, 4 } }, 0, RXE_CC_TLV_LENGTH, 12 },
	{ "worst hop: half", 1, { { 1, 1 } }, 0, RXE_CC_TLV_LENGTH, 12 },
	{ "a layout to come", 2, { { 1, 5 }, { 1, 0 } }, 0, RXE_CC_TLV_OK, 16 },
	{ "the second one's header is cut", 2, { { 2, 6 }, { 9, 0 } }, 2,
	  RXE_CC_TLV_SHORT },
};

static void wire_case_desc(const struct wire_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(wire_parse, wire_cases, wire_case_desc);

static void wire_parse__table(struct kunit *test)
{
	const struct wire_case *c = test->param_value;
	struct wire_buf *w = wire_new(test);
	struct rxe_cc_feedback fb;
	u8 *exact;
	int i;

	for (i = 0; i < c->nr; i++)
		wire_tlv(w, c->tlv[i][0], c->tlv[i][1], c->flags);
	/* Exactly as long as the packet, so that KASAN sees a read beyond. */
	exact = kunit_kmalloc(test, max(w->len - c->cut, 1U), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, exact);
	memcpy(exact, w->b, w->len - c->cut);
	KUNIT_EXPECT_EQ(test, rxe_cc_tlv_parse(exact, w->len - c->cut, &fb),
			c->verdict);
	if (c->verdict != RXE_CC_TLV_OK) {
		KUNIT_EXPECT_NULL(test, fb.hops);
		KUNIT_EXPECT_EQ(test, fb.nr_hops, 0);
		KUNIT_EXPECT_FALSE(test, fb.has_time);
		KUNIT_EXPECT_EQ(test, fb.nr_fb, 0);
	}
}

static void wire_hop__what_a_port_cannot_tell(struct kunit *test)
{
	struct rxe_cc_int_hop one;
	u8 p[32];

	wire_hop(p, 0);
	KUNIT_EXPECT_TRUE(test, rxe_cc_hop_read(p, &one));
	put_unaligned_be32(U32_MAX, p + 24);
	KUNIT_EXPECT_TRUE(test, rxe_cc_hop_read(p, &one));
	KUNIT_EXPECT_EQ(test, one.qlen_bytes, U32_MAX);
	put_unaligned_be32(0, p + 28);
	KUNIT_EXPECT_FALSE(test, rxe_cc_hop_read(p, &one));
	put_unaligned_be32(U32_MAX, p + 28);
	KUNIT_EXPECT_FALSE(test, rxe_cc_hop_read(p, &one));
	wire_hop(p, 0);
	put_unaligned_be64(U64_MAX, p + 8);
	KUNIT_EXPECT_FALSE(test, rxe_cc_hop_read(p, &one));
	wire_hop(p, 0);
	put_unaligned_be64(U64_MAX, p + 16);
	KUNIT_EXPECT_FALSE(test, rxe_cc_hop_read(p, &one));
}

static void wire_hops__one_bad_hop_spoils_all(struct kunit *test)
{
	struct wire_buf *w = wire_new(test);
	struct rxe_cc_feedback fb;
	u32 bad, i;
	u8 *p;

	p = wire_tlv(w, RXE_CC_TLV_INT, 128, 0);
	for (i = 0; i < 16; i++)
		wire_hop(p + 32 * i, i);
	KUNIT_ASSERT_EQ(test, rxe_cc_tlv_parse(w->b, w->len, &fb), RXE_CC_TLV_OK);
	KUNIT_EXPECT_TRUE(test, rxe_cc_hops_read(&fb, hop));
	for (bad = 0; bad < 16; bad++) {
		put_unaligned_be32(0, p + 32 * bad + 28);
		KUNIT_EXPECT_FALSE(test, rxe_cc_hops_read(&fb, hop));
		wire_hop(p + 32 * bad, bad);
	}
}

static void wire_int__source_is_what_a_port_accepts(struct kunit *test)
{
	static const u8 wire[RXE_CC_INT_HDR_BYTES] = {
		0x10, 3, 0, 26 << 2, 0x20, 0, 8, 5,
		0xc4, 0, 0x0c, 0xc1, 0xe0, 0, 0, 0,
	};
	static const u8 compact[] = {
		0x10, 3, 0, 26 << 2, 0x20, 0, 2, 5, 0, 0, 0x0c, 0xc1, 0x10, 0, 0, 0,
	}, first[] = {
		0x10, 3, 0, 26 << 2, 0x20, 0, 2, 1, 0x04, 0, 0x0c, 0xc1, 0, 0, 0, 0,
	}, worst[] = {
		0x10, 3, 0, 26 << 2, 0x20, 0, 2, 1, 0, 0, 0x0c, 0xc1, 0x08, 0, 0x1f, 0x40,
	};
	static const u8 *const wires[] = { wire, compact, first, worst };
	struct rxe_cc_int_md *md;
	u8 b[RXE_CC_INT_HDR_BYTES];
	int i, hop;

	md = (void *)(b + sizeof(struct rxe_cc_int_shim));
	for (i = 0; i < RXE_CC_NR_INT_PROFILES; i++) {
		memset(b, 0xff, sizeof(b));
		rxe_cc_int_write(b, i, 26 << 2 | 2, 5, i == RXE_CC_INT_WORST ? 0x1f40 : 0);
		KUNIT_EXPECT_MEMEQ(test, b, wires[i], sizeof(b));
		KUNIT_EXPECT_EQ(test, rxe_cc_int_check(b, sizeof(b) + 16, 16),
				RXE_CC_INT_OK);
		hop = rxe_cc_int_hop_bytes(i);
		KUNIT_EXPECT_EQ(test, hop, 4 * rxe_cc_int_words(ntohs(md->instr),
								ntohs(md->ds_instr)));
		KUNIT_EXPECT_EQ(test, rxe_cc_int_profile_of(md, 0), i);
		KUNIT_EXPECT_EQ(test, rxe_cc_int_profile_of(md, hop), i);
		KUNIT_EXPECT_EQ(test, rxe_cc_int_profile_of(md, 16 * hop),
				rxe_cc_int_is_path(i) ? i : RXE_CC_NR_INT_PROFILES);
		KUNIT_EXPECT_EQ(test, rxe_cc_int_profile_of(md, 17 * hop),
				RXE_CC_NR_INT_PROFILES);
		md->instr ^= htons(RXE_CC_INT_PORTS);
		KUNIT_EXPECT_EQ(test, rxe_cc_int_profile_of(md, 0),
				RXE_CC_NR_INT_PROFILES);
		rxe_cc_int_write(b, i, 0, 5, 0);
		md->domain = 0;
		KUNIT_EXPECT_EQ(test, rxe_cc_int_profile_of(md, 0),
				RXE_CC_NR_INT_PROFILES);
	}
}

static void wire_int__lengths(struct kunit *test)
{
	static const u32 hop[] = { 32, 8, 8, 8 };
	static const u32 room[] = { 16 + 6 * 32, 16 + 6 * 8, 16 + 8, 16 + 8 };
	int i;

	for (i = 0; i < RXE_CC_NR_INT_PROFILES; i++) {
		KUNIT_EXPECT_EQ(test, rxe_cc_int_hop_bytes(i), hop[i]);
		KUNIT_EXPECT_EQ(test, rxe_cc_int_first_link(i), 16 + hop[i]);
		KUNIT_EXPECT_EQ(test, rxe_cc_int_room(i, 6), room[i]);
	}
}

static void wire_tlv__echo(struct kunit *test)
{
	static const u8 wire[] = { 1, 24, 0, 3 }, compact[] = { 1, 7, 0, 6, 0xab, 0xcd, 0, 0 },
			first[] = { 1, 2, 0, 8 };
	const u8 flags = RXE_CC_INT_VERSION;
	u8 b[8];

	KUNIT_EXPECT_PTR_EQ(test, rxe_cc_tlv_int_write(b, RXE_CC_INT_FULL, 96, flags |
						       RXE_CC_INT_E | RXE_CC_INT_M, 0xabcd),
			    (void *)(b + 4));
	KUNIT_EXPECT_MEMEQ(test, b, wire, sizeof(wire));
	KUNIT_EXPECT_EQ(test, rxe_cc_tlv_int_bytes(RXE_CC_INT_FULL, 96), 4 + 96);
	memset(b, 0xff, sizeof(b));
	KUNIT_EXPECT_PTR_EQ(test, rxe_cc_tlv_int_write(b, RXE_CC_INT_COMPACT, 24, flags |
						       RXE_CC_INT_M, 0xabcd),
			    (void *)(b + 8));
	KUNIT_EXPECT_MEMEQ(test, b, compact, sizeof(compact));
	KUNIT_EXPECT_EQ(test, rxe_cc_tlv_int_bytes(RXE_CC_INT_COMPACT, 24), 8 + 24);
	KUNIT_EXPECT_PTR_EQ(test, rxe_cc_tlv_int_write(b, RXE_CC_INT_FIRST, 8, flags, 0),
			    (void *)(b + 4));
	KUNIT_EXPECT_MEMEQ(test, b, first, sizeof(first));
	KUNIT_EXPECT_EQ(test, rxe_cc_tlv_int_bytes(RXE_CC_INT_FIRST, 8), 4 + 8);
}

/* Echoes that are not of the full profile, read back. */
static void wire_parse__profiles(struct kunit *test)
{
	struct wire_buf *w = wire_new(test);
	struct rxe_cc_feedback fb;
	u8 *p;

	p = rxe_cc_tlv_int_write(w->b, RXE_CC_INT_COMPACT, 24, RXE_CC_INT_E, 0xabcd);
	memset(p, 0x90, 24);
	KUNIT_ASSERT_EQ(test, rxe_cc_tlv_parse(w->b, 8 + 24, &fb), RXE_CC_TLV_OK);
	KUNIT_EXPECT_EQ(test, fb.profile, RXE_CC_INT_COMPACT);
	KUNIT_EXPECT_EQ(test, fb.path, 0xabcd);
	KUNIT_EXPECT_EQ(test, fb.nr_hops, 3);
	KUNIT_EXPECT_PTR_EQ(test, fb.hops, (const u8 *)p);
	KUNIT_EXPECT_TRUE(test, fb.int_flags & RXE_CC_TLV_INT_E);
	KUNIT_EXPECT_FALSE(test, rxe_cc_hops_read(&fb, hop));

	p = rxe_cc_tlv_int_write(w->b, RXE_CC_INT_FIRST, 8, 0, 0);
	put_unaligned_be64(1700000000000000001ULL, p);
	KUNIT_ASSERT_EQ(test, rxe_cc_tlv_parse(w->b, 4 + 8, &fb), RXE_CC_TLV_OK);
	KUNIT_EXPECT_EQ(test, fb.profile, RXE_CC_INT_FIRST);
	KUNIT_EXPECT_EQ(test, fb.nr_hops, 1);
	KUNIT_ASSERT_TRUE(test, rxe_cc_hops_read(&fb, hop));
	KUNIT_EXPECT_EQ(test, hop[0].ts_ns, 1700000000000000001ULL);
	KUNIT_EXPECT_EQ(test, hop[0].rate_bps, 0);
	KUNIT_EXPECT_EQ(test, hop[0].tx_bytes, 0);
	put_unaligned_be64(U64_MAX, p);
	KUNIT_EXPECT_FALSE(test, rxe_cc_hops_read(&fb, hop));
}

static void wire_tlv__others(struct kunit *test)
{
	static const u8 wire[] = {
		2, 6, 1, 0x3f,
		1, 2, 3, 4, 5, 6, 7, 8, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
		0, 0, 0, 0, 0, 0, 0x21, 0x22,
		6, 5, 0, 0, 0x41, 0x42, 0x43, 0x44,
		0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38,
		0, 0, 0, 0, 0, 0, 0x51, 0x52,
	};
	static const u64 fb[] = { 0x3132333435363738ULL, 0x5152 };
	u8 b[sizeof(wire)];
	void *p = b;

	KUNIT_ASSERT_EQ(test, sizeof(wire), RXE_CC_TLV_TIME_BYTES +
			RXE_CC_TLV_FB_BYTES(2));
	memset(b, 0xff, sizeof(b));
	p = rxe_cc_tlv_time_write(p, 0x0102030405060708ULL, 0x1112131415161718ULL, 0x2122,
				  0x3f);
	KUNIT_EXPECT_PTR_EQ(test, p, (void *)b + RXE_CC_TLV_TIME_BYTES);
	p = rxe_cc_tlv_fb_write(p, 0x41424344, fb, ARRAY_SIZE(fb));
	KUNIT_EXPECT_PTR_EQ(test, p, (void *)b + sizeof(b));
	KUNIT_EXPECT_MEMEQ(test, b, wire, sizeof(wire));
}

/* A parser of its own, written as a list of what must hold. */
static enum rxe_cc_tlv_verdict wire_model(const u8 *b, unsigned int len)
{
	unsigned int at = 0, seen = 0;

	while (at < len) {
		unsigned int type, words, layout, hop_words, most;

		if (len - at < 4 || len - at < 4 + 4 * b[at + 1])
			return RXE_CC_TLV_SHORT;
		type = b[at];
		words = b[at + 1];
		layout = b[at + 3] >> 2 & 7;
		if (type == 1 && layout > 3)
			type = 99;
		hop_words = layout ? 2 : 8;
		most = layout == 0 ? 128 : layout == 1 ? 32 : 2;
		if (type == 1 && layout == 1)
			words = words ? words - 1 : 1;
		if ((type == 1 || type == 2 || type == 6) && seen & BIT(type))
			return RXE_CC_TLV_TWICE;
		if ((type == 1 && (words % hop_words || !words || words > most)) ||
		    (type == 2 && words != 6) ||
		    (type == 6 && words != 3 && words != 5 && words != 7 &&
		     words != 9))
			return RXE_CC_TLV_LENGTH;
		if (type < 7)
			seen |= BIT(type);
		at += 4 + 4 * b[at + 1];
	}
	return RXE_CC_TLV_OK;
}

static void wire_parse__fuzz(struct kunit *test)
{
	struct cc_test_prng r = { .state = 4 };
	unsigned int hits[RXE_CC_TLV_TWICE + 1] = {};
	struct wire_buf *w = wire_new(test);
	struct rxe_cc_feedback fb;
	int i, j;

	for (i = 0; i < 100000; i++) {
		enum rxe_cc_tlv_verdict v;
		u8 *exact;
		int n = cc_test_below(&r, 4);

		w->len = 0;
		for (j = 0; j < n; j++) {
			static const u8 types[] = { 1, 2, 6, 6, 5 };
			u8 type = types[cc_test_below(&r, ARRAY_SIZE(types))];
			u8 layout = cc_test_below(&r, 5);
			u8 hops = cc_test_below(&r, layout >= 2 ? 3 : 5);
			u8 words = type == 2 ? 6 :
				   type == 6 ? 3 + 2 * cc_test_below(&r, 4) :
				   type != 1 ? cc_test_below(&r, 9) :
				   layout == 0 ? 8 * hops : 2 * hops + (layout == 1);
			u16 flags = (cc_test_rand(&r) & ~0x1cU) | layout << 2;

			wire_tlv(w, type, words, flags);
		}
		for (j = cc_test_below(&r, 3); j > 0 && w->len; j--) {
			u8 *b = &w->b[cc_test_below(&r, w->len)];

			*b = cc_test_rand(&r);
		}
		if (w->len && !cc_test_below(&r, 4))
			w->len -= cc_test_below(&r, min(w->len, 9U));

		exact = kmemdup(w->b, max(w->len, 1U), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, exact);
		v = rxe_cc_tlv_parse(exact, w->len, &fb);
		hits[v]++;
		if (v != wire_model(exact, w->len))
			KUNIT_FAIL(test, "packet %d: %d", i, v);
		if (fb.hops)
			rxe_cc_hops_read(&fb, hop);
		kfree(exact);
	}
	for (i = 0; i <= RXE_CC_TLV_TWICE; i++)
		KUNIT_EXPECT_GT(test, hits[i], 1000);
}

static struct kunit_case wire_cases_all[] = {
	KUNIT_CASE(wire_parse__whole_ack),
	KUNIT_CASE_PARAM(wire_parse__table, wire_parse_gen_params),
	KUNIT_CASE(wire_hop__what_a_port_cannot_tell),
	KUNIT_CASE(wire_hops__one_bad_hop_spoils_all),
	KUNIT_CASE(wire_int__source_is_what_a_port_accepts),
	KUNIT_CASE(wire_int__lengths),
	KUNIT_CASE(wire_parse__profiles),
	KUNIT_CASE(wire_tlv__echo),
	KUNIT_CASE(wire_tlv__others),
	KUNIT_CASE(wire_parse__fuzz),
	{}
};

static struct kunit_suite wire_suite = {
	.name = "rxe_cc_wire",
	.test_cases = wire_cases_all,
};

kunit_test_suite(wire_suite);
