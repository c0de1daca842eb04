/* SPDX-License-Identifier: GPL-2.0 */
/*
 * INT packets as plain bytes, and what a port must make of them: a second,
 * slow implementation of the rules in Documentation/reference/int.md for the tests.
 */
#ifndef _ROCE_INT_REFERENCE_H
#define _ROCE_INT_REFERENCE_H

#include <kunit/test.h>
#include <linux/skbuff.h>

#include "features/int/roce_int_push.h"

#define FRAME_MAX	2048
#define OTHER_DOMAIN	0x1234

/* The bytes of every field tell which one it is. */
extern const struct roce_int_hop roce_int_test_hop;

struct frame {
	u32 len;
	u32 l3;		/* offsets */
	u32 udp;
	u32 shim;
	bool v6;
	u8 tags;
	u8 data[FRAME_MAX];
};

/* A packet that is in order; zero: untagged IPv4 without options. */
struct recipe {
	bool v6;
	u8 tags;
	u8 options;	/* words of IPv4 options */
	u8 hops;	/* on the stack already */
	u8 hop_ml;
	u8 rem_hop;
	u16 instr;
	u16 domain;
	u16 ds;
	u16 rest;	/* bytes behind the stack, 0 = BTH, 28 bytes, ICRC */
	u16 pad;	/* behind the IP packet */
};

#define HPCC_INSTR	.instr = 0xc400, .domain = 0x0cc1, .ds = 0xe000, \
			.hop_ml = 8
#define HPCC_RECIPE	HPCC_INSTR, .rem_hop = 6
#define COMPACT_RECIPE	.domain = 0x0cc1, .ds = 0x1000, .hop_ml = 2, .rem_hop = 6

/* A packet, and what it must be afterwards: test->priv of both suites. */
struct int_frames {
	struct frame in;
	struct frame want;
};

int int_frames_init(struct kunit *test);
void frame_build(struct frame *f, const struct recipe *r);
void frame_insert(struct frame *f, const void *hop, u32 bytes);
u32 frame_hop(const struct frame *f, u8 *hop);
enum roce_int_result frame_push(struct frame *f, u32 mtu);
void frame_fix_ipv4_check(struct frame *f);
u32 frame_link_bytes(const struct frame *f);
void frame_fill(struct kunit *test, struct sk_buff *skb, const struct frame *f,
		u32 linear);
struct sk_buff *frame_skb(struct kunit *test, const struct frame *f,
			  u32 headroom, u32 linear);
enum roce_int_result frame_skb_push(struct sk_buff *skb, u32 mtu);
bool frame_is(struct sk_buff *skb, const struct frame *f);

#endif /* _ROCE_INT_REFERENCE_H */
