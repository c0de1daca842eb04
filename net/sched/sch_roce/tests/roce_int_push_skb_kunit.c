// SPDX-License-Identifier: GPL-2.0
/*
 * INT metadata and what an skb may look like: clones, pages, no headroom,
 * offsets; and a fuzz of headers in all of these, against a second
 * implementation.
 */
#include <kunit/test.h>
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/prandom.h>
#include <linux/skbuff.h>

#include <rxe_cc/int_wire.h>

#include "roce_int_reference.h"
#include "roce_test_packets.h"

#define MTU	1500
#define ALL	FRAME_MAX

static const struct recipe hpcc = { HPCC_RECIPE, .hops = 1 };

/* frames.want is what a port makes of frames.in. */
static struct int_frames *frames(struct kunit *test, const struct recipe *r)
{
	struct int_frames *f = test->priv;

	frame_build(&f->in, r);
	f->want = f->in;
	KUNIT_EXPECT_EQ(test, frame_push(&f->want, MTU), ROCE_INT_PUSHED);
	return f;
}

static enum roce_int_result push(struct sk_buff *skb)
{
	return frame_skb_push(skb, MTU);
}

/* A capture holds a clone: it must keep seeing what it saw. */
static void roce_int_skb__clone(struct kunit *test)
{
	struct int_frames *f = frames(test, &hpcc);
	struct sk_buff *skb, *clone;
	u32 linear;

	for (linear = 0; linear <= ALL; linear += ALL / 2) {
		skb = frame_skb(test, &f->in, 64, linear);
		clone = skb_clone(skb, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, clone);
		KUNIT_EXPECT_EQ(test, push(skb), ROCE_INT_PUSHED);
		KUNIT_EXPECT_TRUE(test, frame_is(skb, &f->want));
		KUNIT_EXPECT_TRUE(test, frame_is(clone, &f->in));
		kfree_skb(skb);
		KUNIT_EXPECT_TRUE(test, frame_is(clone, &f->in));
		kfree_skb(clone);
	}
}

/* So must it when only a bit is set. */
static void roce_int_skb__clone_flag(struct kunit *test)
{
	struct int_frames *f = frames(test, &hpcc);
	u32 mtu = frame_link_bytes(&f->in), linear;
	struct sk_buff *skb, *clone;

	f->want = f->in;
	f->want.data[f->want.shim + 4] |= RXE_CC_INT_M;
	for (linear = 0; linear <= ALL; linear += ALL / 2) {
		skb = frame_skb(test, &f->in, 0, linear);
		clone = skb_clone(skb, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, clone);
		KUNIT_EXPECT_EQ(test, frame_skb_push(skb, mtu), ROCE_INT_MTU);
		KUNIT_EXPECT_TRUE(test, frame_is(skb, &f->want));
		KUNIT_EXPECT_TRUE(test, frame_is(clone, &f->in));
		kfree_skb(skb);
		kfree_skb(clone);
	}
}

/* Every split between head and page, so one within each header. */
static void roce_int_skb__pages(struct kunit *test)
{
	static const struct recipe table[] = {
		{ HPCC_RECIPE, .hops = 1 },
		{ HPCC_RECIPE, .hops = 2, .v6 = true, .tags = 1 },
		{ HPCC_RECIPE, .options = 3 },
	};
	struct sk_buff *skb;
	struct int_frames *f;
	u32 linear;
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		f = frames(test, &table[i]);
		for (linear = 0; linear < f->in.len; linear++) {
			skb = frame_skb(test, &f->in, 64, linear);
			KUNIT_EXPECT_EQ(test, push(skb), ROCE_INT_PUSHED);
			KUNIT_EXPECT_TRUE_MSG(test, frame_is(skb, &f->want),
					      "split at %u", linear);
			/* the payload is not copied */
			KUNIT_EXPECT_LE(test, skb_headlen(skb),
					max(linear, f->in.shim + 16) + 32);
			kfree_skb(skb);
		}
	}
}

/* Any headroom; with enough of it the buffer stays. */
static void roce_int_skb__headroom(struct kunit *test)
{
	struct int_frames *f = frames(test, &hpcc);
	struct sk_buff *skb;
	unsigned char *head;
	u32 room;

	for (room = 0; room < 80; room++) {
		skb = frame_skb(test, &f->in, room, ALL);
		head = skb->head;
		KUNIT_EXPECT_EQ(test, push(skb), ROCE_INT_PUSHED);
		KUNIT_EXPECT_TRUE(test, frame_is(skb, &f->want));
		KUNIT_EXPECT_EQ(test, skb->head == head, room >= 32);
		kfree_skb(skb);
	}
}

/* Where the headers are afterwards, with and without a new buffer. */
static void roce_int_skb__offsets(struct kunit *test)
{
	static const struct recipe table[] = {
		{ HPCC_RECIPE },
		{ HPCC_RECIPE, .v6 = true },
		{ HPCC_RECIPE, .tags = 1 },
	};
	struct sk_buff *skb;
	struct int_frames *f;
	u16 mac_len;
	int i;

	for (i = 0; i < 2 * ARRAY_SIZE(table); i++) {
		f = frames(test, &table[i / 2]);
		skb = frame_skb(test, &f->in, i & 1 ? 64 : 0, ALL);
		mac_len = skb->mac_len;
		skb->ip_summed = CHECKSUM_COMPLETE;
		KUNIT_EXPECT_EQ(test, push(skb), ROCE_INT_PUSHED);
		KUNIT_EXPECT_PTR_EQ(test, skb_mac_header(skb), skb->data);
		KUNIT_EXPECT_EQ(test, skb_network_offset(skb), ETH_HLEN);
		KUNIT_EXPECT_EQ(test, skb_transport_offset(skb), f->in.udp);
		KUNIT_EXPECT_EQ(test, skb->mac_len, mac_len);
		KUNIT_EXPECT_EQ(test, (int)skb->ip_summed, CHECKSUM_NONE);
		kfree_skb(skb);
	}
}

/* A tag that the device is to insert: that in the packet is then the second. */
static void roce_int_skb__tag_to_insert(struct kunit *test)
{
	static const struct recipe tagged = { HPCC_RECIPE, .tags = 1 };
	struct int_frames *f = frames(test, &tagged);
	u32 fits = f->want.len - ETH_HLEN, i;
	struct sk_buff *skb;

	for (i = 0; i < 2; i++) {
		skb = frame_skb(test, &f->in, 64, ALL);
		__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021AD), 7);
		KUNIT_EXPECT_EQ(test, frame_skb_push(skb, fits - i),
				i ? ROCE_INT_MTU : ROCE_INT_PUSHED);
		KUNIT_EXPECT_EQ(test, skb_vlan_tag_get(skb), 7);
		kfree_skb(skb);
	}
}

/* XDP's metadata lies where the headers go: it must not be taken for any. */
static void roce_int_skb__xdp_metadata(struct kunit *test)
{
	struct int_frames *f = frames(test, &hpcc);
	struct sk_buff *skb = frame_skb(test, &f->in, 64, ALL);

	skb_metadata_set(skb, 8);
	KUNIT_EXPECT_EQ(test, push(skb), ROCE_INT_PUSHED);
	KUNIT_EXPECT_TRUE(test, frame_is(skb, &f->want));
	KUNIT_EXPECT_EQ(test, skb_metadata_len(skb), 0);
	kfree_skb(skb);
}

/* A checksum that a device is to fill in, and an skb that others hold. */
static void roce_int_skb__untouched(struct kunit *test)
{
	struct int_frames *f = frames(test, &hpcc);
	struct sk_buff *skb = frame_skb(test, &f->in, 64, ALL);

	skb->ip_summed = CHECKSUM_PARTIAL;
	KUNIT_EXPECT_EQ(test, push(skb), ROCE_INT_UNSUPPORTED);
	KUNIT_EXPECT_TRUE(test, frame_is(skb, &f->in));
	KUNIT_EXPECT_EQ(test, (int)skb->ip_summed, CHECKSUM_PARTIAL);
	kfree_skb(skb);

	skb = frame_skb(test, &f->in, 0, ALL);
	skb_get(skb);
	KUNIT_EXPECT_EQ(test, push(skb), ROCE_INT_NOMEM);
	KUNIT_EXPECT_EQ(test, frame_skb_push(skb, 100), ROCE_INT_NOMEM);
	KUNIT_EXPECT_TRUE(test, frame_is(skb, &f->in));
	kfree_skb(skb);
	kfree_skb(skb);
}

/* A head as large as kmalloc() can make it cannot be replaced by a larger one. */
static void roce_int_skb__no_memory(struct kunit *test)
{
	u32 size = SKB_WITH_OVERHEAD(KMALLOC_MAX_SIZE);
	struct int_frames *f = frames(test, &hpcc);
	struct sk_buff *skb;

	skb = alloc_skb(size, GFP_KERNEL | __GFP_NOWARN);
	if (!skb)
		kunit_skip(test, "no %u bytes in one piece", size);
	frame_fill(test, skb, &f->in, ALL);
	KUNIT_EXPECT_EQ(test, frame_skb_push(skb, MTU), ROCE_INT_NOMEM);
	KUNIT_EXPECT_TRUE(test, frame_is(skb, &f->in));
	kfree_skb(skb);
}

#define FUZZ_ROUNDS	100000
#define GUARD		0xa5

static u32 dice(struct rnd_state *rnd, u32 n)
{
	return (u64)prandom_u32_state(rnd) * n >> 32;
}

/* A good packet, up to three bytes of its headers replaced, maybe cut off. */
static void fuzz_frame(struct frame *f, struct rnd_state *rnd)
{
	static const struct recipe base[] = {
		{ HPCC_RECIPE },
		{ COMPACT_RECIPE },
		{ .instr = 0x0400, .hop_ml = 2, .rem_hop = 1 },
		{ .ds = 0x0800, .domain = 0x0cc1, .hop_ml = 2, .rem_hop = 1 },
		{ .instr = 0xff81, .domain = 0x0cc1, .ds = 0xe000,
		  .hop_ml = 17, .rem_hop = 3 },
		{ .instr = 0x8000, .domain = OTHER_DOMAIN, .ds = 0x8000,
		  .hop_ml = 3, .rem_hop = 9 },
	};
	struct recipe r = base[dice(rnd, ARRAY_SIZE(base))];
	u32 n, end;

	r.v6 = dice(rnd, 2);
	r.tags = dice(rnd, 3);
	r.options = dice(rnd, 4) ? 0 : dice(rnd, 11);
	/* now and then a stack that fills the shim's length, or no hop left */
	r.hops = dice(rnd, 16) ? dice(rnd, 4) : 252 / r.hop_ml;
	if (!dice(rnd, 16))
		r.rem_hop = 0;
	r.pad = dice(rnd, 4) ? 0 : dice(rnd, 20);
	frame_build(f, &r);
	end = f->shim + 16;
	for (n = dice(rnd, 4); n; n--)
		f->data[f->l3 + dice(rnd, end - f->l3)] = prandom_u32_state(rnd);
	if (!dice(rnd, 8))
		f->len = f->l3 + dice(rnd, f->len - f->l3);
}

/* Nobody may write outside of the packet: the room around it is guarded. */
static bool fuzz_guards_hold(const struct sk_buff *skb)
{
	return !memchr_inv(skb->head, GUARD, skb_headroom(skb)) &&
	       !memchr_inv(skb_tail_pointer(skb), GUARD, skb_tailroom(skb));
}

static enum roce_int_result fuzz_one(struct kunit *test, struct int_frames *f,
				     struct rnd_state *rnd, int round)
{
	enum roce_int_result result, want;
	struct sk_buff *skb, *clone = NULL;
	unsigned char *head;
	u32 mtu;

	fuzz_frame(&f->in, rnd);
	mtu = dice(rnd, 4) ? MTU : frame_link_bytes(&f->in) + dice(rnd, 80);
	f->want = f->in;
	want = frame_push(&f->want, mtu);

	skb = frame_skb(test, &f->in, dice(rnd, 100),
			dice(rnd, 2) ? ALL : dice(rnd, f->in.len + 1));
	head = skb->head;
	memset(head, GUARD, skb_headroom(skb));
	memset(skb_tail_pointer(skb), GUARD, skb->end - skb->tail);
	if (!dice(rnd, 4)) {
		clone = skb_clone(skb, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, clone);
	}
	result = frame_skb_push(skb, mtu);
	KUNIT_EXPECT_EQ_MSG(test, result, want, "round %d", round);
	KUNIT_EXPECT_TRUE_MSG(test, frame_is(skb, &f->want), "round %d", round);
	if (skb->head == head && !skb_is_nonlinear(skb))
		KUNIT_EXPECT_TRUE_MSG(test, fuzz_guards_hold(skb), "round %d",
				      round);
	if (clone)
		KUNIT_EXPECT_TRUE_MSG(test, frame_is(clone, &f->in), "round %d",
				      round);
	kfree_skb(skb);
	kfree_skb(clone);
	return result;
}

/* Every result but that for want of memory must have come up often. */
static void roce_int_skb__fuzz(struct kunit *test)
{
	u32 count[ROCE_INT_NOMEM + 1] = {};
	struct rnd_state rnd;
	int i;

	prandom_seed_state(&rnd, 1);
	for (i = 0; i < FUZZ_ROUNDS; i++) {
		count[fuzz_one(test, test->priv, &rnd, i)]++;
		cond_resched();
	}
	for (i = 0; i < ROCE_INT_NOMEM; i++)
		KUNIT_EXPECT_GE_MSG(test, count[i], FUZZ_ROUNDS / 200,
				    "result %d", i);
	KUNIT_EXPECT_EQ(test, count[ROCE_INT_NOMEM], 0);
}

static struct kunit_case roce_int_skb_cases[] = {
	KUNIT_CASE(roce_int_skb__clone),
	KUNIT_CASE(roce_int_skb__clone_flag),
	KUNIT_CASE(roce_int_skb__pages),
	KUNIT_CASE(roce_int_skb__headroom),
	KUNIT_CASE(roce_int_skb__offsets),
	KUNIT_CASE(roce_int_skb__tag_to_insert),
	KUNIT_CASE(roce_int_skb__xdp_metadata),
	KUNIT_CASE(roce_int_skb__untouched),
	KUNIT_CASE(roce_int_skb__no_memory),
	KUNIT_CASE_SLOW(roce_int_skb__fuzz),
	{}
};

static struct kunit_suite roce_int_skb_suite = {
	.name = "roce_int_skb",
	.init = int_frames_init,
	.test_cases = roce_int_skb_cases,
};

kunit_test_suite(roce_int_skb_suite);
