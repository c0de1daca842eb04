// SPDX-License-Identifier: GPL-2.0
/*
 * Reference model of INT transit (in-band network telemetry), on plain bytes, for comparison
 * with roce_int_push.c. Offsets and lengths are numbers here: nothing is shared with the code
 * under test.
 */
#include <kunit/test.h>
#include <kunit/test-bug.h>
#include <linux/if_ether.h>
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/unaligned.h>

#include "roce_int_reference.h"

const struct roce_int_hop roce_int_test_hop = {
	.node = 0x01020304,
	.in_port = 0x0506,
	.out_port = 0x0708,
	.queue = 3,
	.latency_ns = 0x090a0b0c,
	.ingress_ts_ns = 0x1112131415161718,
	.egress_ts_ns = 0x2122232425262728,
	.tx_bytes = 0x3132333435363738,
	.qlen_bytes = 0x0d0e0f,
	.speed_mbps = 0x41424344,
};

/* roce_int_test_hop on the wire. */
static const struct {
	u16 bit;
	u8 len;
	u8 bytes[8];
} standard[] = {
	{ 0x8000, 4, { 1, 2, 3, 4 } },
	{ 0x4000, 4, { 5, 6, 7, 8 } },
	{ 0x2000, 4, { 9, 10, 11, 12 } },
	{ 0x1000, 4, { 3, 13, 14, 15 } },
	{ 0x0800, 8, { 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18 } },
	{ 0x0400, 8, { 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28 } },
	{ 0x0200, 8, { 255, 255, 255, 255, 255, 255, 255, 255 } },
	{ 0x0100, 4, { 255, 255, 255, 255 } },
	{ 0x0080, 4, { 255, 255, 255, 255 } },
}, specific[] = {
	{ 0x8000, 8, { 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38 } },
	{ 0x4000, 4, { 0, 13, 14, 15 } },
	{ 0x2000, 4, { 0x41, 0x42, 0x43, 0x44 } },
	/* compact: of that speed nothing can be told */
	{ 0x1000, 8, { 0 } },
	/* the worst hop: no such speed, not measured; a hash of node and port */
	{ 0x0800, 8, { 0x0d, 0x25, 0xa0, 0x00, 0x00, 0x00, 0x00, 0x00 } },
};

static u16 get16(const struct frame *f, u32 offset)
{
	return get_unaligned_be16(f->data + offset);
}

static void put16(struct frame *f, u32 offset, u32 value)
{
	put_unaligned_be16(value, f->data + offset);
}

static void add16(struct frame *f, u32 offset, u32 value)
{
	put16(f, offset, get16(f, offset) + value);
}

static u16 frame_ipv4_sum(const struct frame *f)
{
	u32 sum = 0, i;

	for (i = 0; i < (f->data[f->l3] & 15) * 4; i += 2)
		sum += get16(f, f->l3 + i);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~((sum & 0xffff) + (sum >> 16));
}

void frame_fix_ipv4_check(struct frame *f)
{
	put16(f, f->l3 + 10, 0);
	put16(f, f->l3 + 10, frame_ipv4_sum(f));
}

static u32 frame_l3_bytes(const struct frame *f)
{
	return f->v6 ? 40 + get16(f, f->l3 + 4) : get16(f, f->l3 + 2);
}

/* Behind the Ethernet header, but for one tag. */
u32 frame_link_bytes(const struct frame *f)
{
	return f->len - 14 - (f->tags ? 4 : 0);
}

void frame_build(struct frame *f, const struct recipe *r)
{
	u32 stack = r->hops * r->hop_ml * 4;
	u32 rest = r->rest ?: 12 + 28 + 4;
	u32 udp_len = 8 + 16 + stack + rest;
	u8 *d = f->data;
	u32 i;

	memset(f, 0, sizeof(*f));
	f->v6 = r->v6;
	f->tags = r->tags;
	for (i = 0; i < 12; i++)
		d[i] = 2 + i;
	for (i = 0; i < r->tags; i++) {
		put16(f, 12 + 4 * i, ETH_P_8021Q);
		put16(f, 14 + 4 * i, 100 + i);
	}
	f->l3 = 14 + 4 * r->tags;
	put16(f, f->l3 - 2, r->v6 ? ETH_P_IPV6 : ETH_P_IP);

	if (r->v6) {
		f->udp = f->l3 + 40;
		d[f->l3] = 0x66;	/* version 6, DSCP 27 */
		d[f->l3 + 1] = 0xe1;
		put16(f, f->l3 + 4, udp_len);
		d[f->l3 + 6] = 17;
		d[f->l3 + 7] = 64;
		memset(d + f->l3 + 8, 0xfd, 32);
	} else {
		f->udp = f->l3 + 20 + 4 * r->options;
		d[f->l3] = 0x45 + r->options;
		d[f->l3 + 1] = 27 << 2 | 2;
		put16(f, f->l3 + 2, 20 + 4 * r->options + udp_len);
		d[f->l3 + 6] = 0x40;	/* do not fragment */
		d[f->l3 + 8] = 64;
		d[f->l3 + 9] = 17;
		put_unaligned_be32(0x0a000001, d + f->l3 + 12);
		put_unaligned_be32(0x0a000002, d + f->l3 + 16);
		memset(d + f->l3 + 20, 1, 4 * r->options);
		frame_fix_ipv4_check(f);
	}
	put16(f, f->udp, 0xc123);
	put16(f, f->udp + 2, 4791);
	put16(f, f->udp + 4, udp_len);

	f->shim = f->udp + 8;
	d[f->shim] = 0x10;
	d[f->shim + 1] = 3 + stack / 4;
	d[f->shim + 4] = 0x20;
	d[f->shim + 6] = r->hop_ml;
	d[f->shim + 7] = r->rem_hop;
	put16(f, f->shim + 8, r->instr);
	put16(f, f->shim + 10, r->domain);
	put16(f, f->shim + 12, r->ds);
	f->len = f->udp + udp_len + r->pad;
	for (i = f->shim + 16; i < f->len; i++)
		d[i] = i * 7;
}

/* The metadata of roce_int_test_hop as @f wants them: their bytes. */
u32 frame_hop(const struct frame *f, u8 *hop)
{
	u16 instr = get16(f, f->shim + 8), ds = get16(f, f->shim + 12);
	u32 n = 0, total = (f->data[f->shim + 6] & 31) * 4, i;

	for (i = 0; i < ARRAY_SIZE(standard); i++) {
		if (!(instr & standard[i].bit))
			continue;
		memcpy(hop + n, standard[i].bytes, 8);
		n += standard[i].len;
	}
	for (i = 0; i < ARRAY_SIZE(specific); i++) {
		if (!(ds & specific[i].bit) || get16(f, f->shim + 10) != 0x0cc1)
			continue;
		memcpy(hop + n, specific[i].bytes, 8);
		n += specific[i].len;
	}
	/* somebody else's, and the checksum complement behind all */
	memset(hop + n, 0xff, total - n);
	return total;
}

/* Compact hops: the ids of roce_int_test_hop go into the domain-specific flags. */
static void frame_path(struct frame *f)
{
	const u64 golden = 0x61c8864680b583ebULL;
	u64 x = 0x0102030407080000ULL | get16(f, f->shim + 14);

	if (get16(f, f->shim + 10) != 0x0cc1 || !(f->data[f->shim + 12] & 0x10))
		return;
	x *= golden;
	x = (x ^ x >> 32) * golden;
	put16(f, f->shim + 14, x >> 48);
}

void frame_insert(struct frame *f, const void *hop, u32 bytes)
{
	u8 *stack = f->data + f->shim + 16;
	u32 sum;

	memmove(stack + bytes, stack, f->len - f->shim - 16);
	memcpy(stack, hop, bytes);
	f->len += bytes;
	f->data[f->shim + 1] += bytes / 4;
	f->data[f->shim + 7]--;
	frame_path(f);
	add16(f, f->udp + 4, bytes);
	if (f->v6) {
		add16(f, f->l3 + 4, bytes);
		return;
	}
	/* A wrong checksum stays as wrong as it was (RFC 1624). */
	sum = (u16)~get16(f, f->l3 + 10) + (u16)~get16(f, f->l3 + 2);
	add16(f, f->l3 + 2, bytes);
	sum += get16(f, f->l3 + 2);
	sum = (sum & 0xffff) + (sum >> 16);
	put16(f, f->l3 + 10, ~((sum & 0xffff) + (sum >> 16)));
}

static enum roce_int_result frame_lengths(struct frame *f)
{
	const u8 *ip = f->data + f->l3;
	u32 l3_bytes;

	if (f->len < f->l3 + (f->v6 ? 40 : 20))
		return ROCE_INT_NONE;
	if (f->v6) {
		if (ip[0] >> 4 != 6 || ip[6] != 17)
			return ROCE_INT_NONE;
		f->udp = f->l3 + 40;
	} else {
		if (ip[0] >> 4 != 4 || (ip[0] & 15) < 5 || ip[9] != 17 ||
		    (get16(f, f->l3 + 6) & 0x3fff))
			return ROCE_INT_NONE;
		f->udp = f->l3 + (ip[0] & 15) * 4;
	}
	l3_bytes = frame_l3_bytes(f);
	f->shim = f->udp + 8;
	if (f->len < f->udp + 8 || get16(f, f->udp + 2) != 4791)
		return ROCE_INT_NONE;
	if (f->l3 + l3_bytes > f->len ||
	    f->l3 + l3_bytes != f->udp + get16(f, f->udp + 4) ||
	    get16(f, f->udp + 4) < 8 + 16 + 16)
		return ROCE_INT_BAD;
	return ROCE_INT_PUSHED;
}

static enum roce_int_result frame_instructions(const struct frame *f)
{
	u16 instr = get16(f, f->shim + 8), ds = get16(f, f->shim + 12);
	bool ours = get16(f, f->shim + 10) == 0x0cc1;
	u32 ml = f->data[f->shim + 6] & 31, words = instr & 1, i;

	for (i = 0; i < ARRAY_SIZE(standard); i++)
		words += instr & standard[i].bit ? standard[i].len / 4 : 0;
	for (i = 0; i < ARRAY_SIZE(specific) && ours; i++)
		words += ds & specific[i].bit ? specific[i].len / 4 : 0;
	for (i = 0; i < 16 && !ours; i++)
		words += ds >> i & 1;
	if ((instr & 0x7e) || (ours && (ds & 0x07ff)))
		return ROCE_INT_UNSUPPORTED;
	if (ml < words || (ml > words && (ours || !ds)))
		return ROCE_INT_BAD;
	return ROCE_INT_PUSHED;
}

/* What becomes of @f, which may be anything, at a port of domain 0x0cc1. */
enum roce_int_result frame_push(struct frame *f, u32 mtu)
{
	enum roce_int_result result = frame_lengths(f);
	u32 words, ml, hop_bytes;
	const u8 *d = f->data;
	u8 hop[31 * 4 + 8];

	if (result != ROCE_INT_PUSHED)
		return result;
	if ((d[f->shim] & 0xfc) != 0x10)
		return ROCE_INT_BAD;
	if (d[f->shim + 4] >> 4 != 2)
		return ROCE_INT_UNSUPPORTED;
	words = d[f->shim + 1];
	ml = d[f->shim + 6] & 31;
	if (!ml || words < 3 || (words - 3) % ml ||
	    get16(f, f->udp + 4) < 8 + 4 + 4 * words + 16)
		return ROCE_INT_BAD;
	result = frame_instructions(f);
	if (result != ROCE_INT_PUSHED)
		return result;
	if (get16(f, f->udp + 6))
		return ROCE_INT_UNSUPPORTED;

	/* Another port's word: this one, not measured, is not more loaded than any. */
	if (!get16(f, f->shim + 8) && get16(f, f->shim + 12) == 0x0800 &&
	    get16(f, f->shim + 10) == 0x0cc1 && words == 3 + 2)
		return ROCE_INT_NONE;

	if (!d[f->shim + 7] || words + ml > 255) {
		f->data[f->shim + 4] |= 0x04;
		return ROCE_INT_HOP_LIMIT;
	}
	if (frame_link_bytes(f) + 4 * ml > mtu) {
		f->data[f->shim + 4] |= 0x02;
		return ROCE_INT_MTU;
	}
	hop_bytes = frame_hop(f, hop);
	frame_insert(f, hop, hop_bytes);
	return ROCE_INT_PUSHED;
}

/* Into an skb at its headroom; @linear bytes go to the head, the rest to a page. */
void frame_fill(struct kunit *test, struct sk_buff *skb, const struct frame *f,
		u32 linear)
{
	linear = min(linear, f->len);
	skb_put_data(skb, f->data, linear);
	if (linear < f->len) {
		struct page *page = alloc_page(GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, page);
		memcpy(page_address(page), f->data + linear, f->len - linear);
		skb_add_rx_frag(skb, 0, page, 0, f->len - linear, PAGE_SIZE);
	}
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb_set_transport_header(skb, f->udp);
	skb_reset_mac_len(skb);
	skb->protocol = htons(f->tags ? ETH_P_8021Q :
			      f->v6 ? ETH_P_IPV6 : ETH_P_IP);
}

struct sk_buff *frame_skb(struct kunit *test, const struct frame *f,
			  u32 headroom, u32 linear)
{
	struct sk_buff *skb;

	skb = alloc_skb(headroom + min(linear, f->len), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, headroom);
	frame_fill(test, skb, f, linear);
	return skb;
}

/* A port of domain 0x0cc1; what it says of the length must be true. */
enum roce_int_result frame_skb_push(struct sk_buff *skb, u32 mtu)
{
	struct kunit *test = kunit_get_current_test();
	unsigned int bytes = FRAME_MAX, len = skb->len;
	enum roce_int_result result;

	result = roce_int_push(skb, mtu, 0x0cc1, &roce_int_test_hop, &bytes);
	KUNIT_EXPECT_EQ(test, skb->len, len + bytes);
	KUNIT_EXPECT_EQ(test, bytes > 0, result == ROCE_INT_PUSHED);
	return result;
}

bool frame_is(struct sk_buff *skb, const struct frame *f)
{
	u8 buf[64];
	u32 n, i;

	for (i = 0; i < f->len; i += n) {
		n = min_t(u32, f->len - i, sizeof(buf));
		if (skb_copy_bits(skb, i, buf, n) ||
		    memcmp(buf, f->data + i, n))
			return false;
	}
	return skb->len == f->len;
}

int int_frames_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct int_frames), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}
