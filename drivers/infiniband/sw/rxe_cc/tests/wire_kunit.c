// SPDX-License-Identifier: GPL-2.0
/*
 * TLVs of ACKs and reports, hops of a path: what is right, tables of what is not, and
 * random bytes.
 */
#include <kunit/test.h>
#include <linux/slab.h>
#include <rxe_cc/wire.h>

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
	p = wire_tlv(w, RXE_CC_TLV_WINDOW, 2, 0x8000);
	put_unaligned_be64(0x0102030405060708ULL, p);
	p = wire_tlv(w, RXE_CC_TLV_SENDERS, 1, 0);
	put_unaligned_be32(7, p);
	p = wire_tlv(w, RXE_CC_TLV_TIME, 6, 0);
	put_unaligned_be64(11, p);
	put_unaligned_be64(22, p + 8);
	put_unaligned_be64(33, p + 16);

	KUNIT_ASSERT_EQ(test, rxe_cc_tlv_parse(w->b, w->len, &fb), RXE_CC_TLV_OK);
	KUNIT_EXPECT_EQ(test, fb.nr_hops, 3);
	KUNIT_EXPECT_EQ(test, fb.int_flags, RXE_CC_TLV_INT_E | 0x8000);
	KUNIT_EXPECT_EQ(test, fb.unknown, 2);
	KUNIT_EXPECT_TRUE(test, fb.has_time);
	KUNIT_EXPECT_EQ(test, fb.tx_ns, 11);
	KUNIT_EXPECT_EQ(test, fb.rx_ns, 22);
	KUNIT_EXPECT_EQ(test, fb.turnaround_ns, 33);
	KUNIT_EXPECT_EQ(test, fb.window_bytes, 0x0102030405060708ULL);
	KUNIT_EXPECT_EQ(test, fb.senders, 7);
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

/* Lists of type and words; the packet is @cut bytes shorter than they make it, and
 * the body of TLV @zero, from 1, is zeros.
 */
struct wire_case {
	const char *name;
	u8 nr;
	u8 tlv[4][2];
	u8 cut;
	enum rxe_cc_tlv_verdict verdict;
	u8 zero;
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
	{ "window", 1, { { 3, 2 } }, 0, RXE_CC_TLV_OK },
	{ "window twice", 2, { { 3, 2 }, { 3, 2 } }, 0, RXE_CC_TLV_TWICE },
	{ "window of a word", 1, { { 3, 1 } }, 0, RXE_CC_TLV_LENGTH },
	{ "window of three words", 1, { { 3, 3 } }, 0, RXE_CC_TLV_LENGTH },
	{ "window without a body", 1, { { 3, 0 } }, 0, RXE_CC_TLV_LENGTH },
	{ "window of 0", 1, { { 3, 2 } }, 0, RXE_CC_TLV_ZERO, 1 },
	{ "window of 0 behind a good hop", 2, { { 1, 8 }, { 3, 2 } }, 0,
	  RXE_CC_TLV_ZERO, 2 },
	{ "window that is cut", 1, { { 3, 2 } }, 4, RXE_CC_TLV_SHORT },
	{ "senders", 1, { { 4, 1 } }, 0, RXE_CC_TLV_OK },
	{ "senders twice", 3, { { 4, 1 }, { 3, 2 }, { 4, 1 } }, 0, RXE_CC_TLV_TWICE },
	{ "senders without a body", 1, { { 4, 0 } }, 0, RXE_CC_TLV_LENGTH },
	{ "senders of two words", 1, { { 4, 2 } }, 0, RXE_CC_TLV_LENGTH },
	{ "0 senders", 1, { { 4, 1 } }, 0, RXE_CC_TLV_ZERO, 1 },
	{ "senders that are cut", 1, { { 4, 1 } }, 1, RXE_CC_TLV_SHORT },
	{ "all of them", 4, { { 4, 1 }, { 3, 2 }, { 2, 6 }, { 1, 8 } }, 0, RXE_CC_TLV_OK },
	{ "ends in the header", 1, { { 9, 0 } }, 1, RXE_CC_TLV_SHORT },
	{ "ends in the first header's type", 1, { { 9, 0 } }, 3, RXE_CC_TLV_SHORT },
	{ "ends in the body", 1, { { 1, 8 } }, 1, RXE_CC_TLV_SHORT },
	{ "ends a word early", 2, { { 1, 8 }, { 255, 255 } }, 4, RXE_CC_TLV_SHORT },
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

	for (i = 0; i < c->nr; i++) {
		u8 *body = wire_tlv(w, c->tlv[i][0], c->tlv[i][1], 0);

		if (i + 1 == c->zero)
			memset(body, 0, 4 * c->tlv[i][1]);
	}
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
		KUNIT_EXPECT_EQ(test, fb.window_bytes, 0);
		KUNIT_EXPECT_EQ(test, fb.senders, 0);
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
	struct rxe_cc_int_md *md;
	u8 b[RXE_CC_INT_HDR_BYTES];

	memset(b, 0xff, sizeof(b));
	rxe_cc_int_write(b, 26 << 2 | 2, 5);
	KUNIT_EXPECT_MEMEQ(test, b, wire, sizeof(b));
	KUNIT_EXPECT_EQ(test, rxe_cc_int_check(b, sizeof(b) + 16, 16), RXE_CC_INT_OK);
	md = (void *)(b + sizeof(struct rxe_cc_int_shim));
	KUNIT_EXPECT_TRUE(test, rxe_cc_int_is_hpcc(md));
	md->instr = htons(RXE_CC_INT_HPCC_INSTR ^ RXE_CC_INT_PORTS);
	KUNIT_EXPECT_FALSE(test, rxe_cc_int_is_hpcc(md));
	rxe_cc_int_write(b, 0, 5);
	md->domain = 0;
	KUNIT_EXPECT_FALSE(test, rxe_cc_int_is_hpcc(md));
}

static void wire_tlv__echo(struct kunit *test)
{
	static const u8 wire[] = { 1, 24, 0, 3 };
	struct rxe_cc_tlv tlv;

	rxe_cc_tlv_int_write(&tlv, 3, RXE_CC_INT_VERSION | RXE_CC_INT_E | RXE_CC_INT_M);
	KUNIT_EXPECT_MEMEQ(test, (u8 *)&tlv, wire, sizeof(wire));
	rxe_cc_tlv_int_write(&tlv, 3, RXE_CC_INT_VERSION);
	KUNIT_EXPECT_EQ(test, tlv.flags, 0);
}

static void wire_tlv__others(struct kunit *test)
{
	static const u8 wire[] = {
		2, 6, 0, 0,
		1, 2, 3, 4, 5, 6, 7, 8, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
		0, 0, 0, 0, 0, 0, 0x21, 0x22,
		3, 2, 0, 0, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38,
		4, 1, 0, 0, 0x41, 0x42, 0x43, 0x44,
	};
	u8 b[sizeof(wire)];
	void *p = b;

	KUNIT_ASSERT_EQ(test, sizeof(wire), RXE_CC_TLV_TIME_BYTES +
			RXE_CC_TLV_WINDOW_BYTES + RXE_CC_TLV_SENDERS_BYTES);
	memset(b, 0xff, sizeof(b));
	p = rxe_cc_tlv_time_write(p, 0x0102030405060708ULL, 0x1112131415161718ULL, 0x2122);
	KUNIT_EXPECT_PTR_EQ(test, p, (void *)b + RXE_CC_TLV_TIME_BYTES);
	p = rxe_cc_tlv_window_write(p, 0x3132333435363738ULL);
	p = rxe_cc_tlv_senders_write(p, 0x41424344);
	KUNIT_EXPECT_PTR_EQ(test, p, (void *)b + sizeof(b));
	KUNIT_EXPECT_MEMEQ(test, b, wire, sizeof(wire));
}

/* A parser of its own, written as a list of what must hold. */
static enum rxe_cc_tlv_verdict wire_model(const u8 *b, unsigned int len)
{
	unsigned int at = 0, seen = 0;

	while (at < len) {
		unsigned int type, words;

		if (len - at < 4 || len - at < 4 + 4 * b[at + 1])
			return RXE_CC_TLV_SHORT;
		type = b[at];
		words = b[at + 1];
		if (type >= 1 && type <= 4 && seen & BIT(type))
			return RXE_CC_TLV_TWICE;
		if ((type == 1 && (words % 8 || words < 8 || words > 128)) ||
		    (type == 2 && words != 6) || (type == 3 && words != 2) ||
		    (type == 4 && words != 1))
			return RXE_CC_TLV_LENGTH;
		if ((type == 3 || type == 4) &&
		    !memchr_inv(b + at + 4, 0, 4 * words))
			return RXE_CC_TLV_ZERO;
		if (type < 5)
			seen |= BIT(type);
		at += 4 + 4 * words;
	}
	return RXE_CC_TLV_OK;
}

static void wire_parse__fuzz(struct kunit *test)
{
	struct cc_test_prng r = { .state = 4 };
	unsigned int hits[RXE_CC_TLV_ZERO + 1] = {};
	struct wire_buf *w = wire_new(test);
	struct rxe_cc_feedback fb;
	int i, j;

	for (i = 0; i < 100000; i++) {
		enum rxe_cc_tlv_verdict v;
		u8 *exact;
		int n = cc_test_below(&r, 4);

		w->len = 0;
		for (j = 0; j < n; j++) {
			static const u8 fixed[] = { [2] = 6, [3] = 2, [4] = 1 };
			u8 type = 1 + cc_test_below(&r, 5);
			u8 words = type == 1 ? 8 * cc_test_below(&r, 5) :
				   type < 5 ? fixed[type] : cc_test_below(&r, 9);
			u8 *body = wire_tlv(w, type, words, cc_test_rand(&r));

			if (!cc_test_below(&r, 10))
				memset(body, 0, 4 * words);
		}
		for (j = cc_test_below(&r, 3); j > 0 && w->len; j--)
			w->b[cc_test_below(&r, w->len)] = cc_test_rand(&r);
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
	for (i = 0; i <= RXE_CC_TLV_ZERO; i++)
		KUNIT_EXPECT_GT(test, hits[i], 1000);
}

static struct kunit_case wire_cases_all[] = {
	KUNIT_CASE(wire_parse__whole_ack),
	KUNIT_CASE_PARAM(wire_parse__table, wire_parse_gen_params),
	KUNIT_CASE(wire_hop__what_a_port_cannot_tell),
	KUNIT_CASE(wire_hops__one_bad_hop_spoils_all),
	KUNIT_CASE(wire_int__source_is_what_a_port_accepts),
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
