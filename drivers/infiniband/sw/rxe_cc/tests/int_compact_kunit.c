// SPDX-License-Identifier: GPL-2.0
/*
 * Compact telemetry: one hop and back, at every speed; and what the core makes of a
 * sequence of them, against counters that never wrapped.
 */
#include <kunit/test.h>
#include <linux/sort.h>
#include <rxe_cc/hpcc_rp.h>
#include <rxe_cc/int_compact.h>

#include "core/cc_int_unwrap.h"
#include "cc_test.h"

#define HOPS		5
#define TAI_NS		(37 * NSEC_PER_SEC)
#define PKT_BYTES	1154	/* MTU 1024 with full INT: the shorter, the worse */

static const u32 speeds[] = {
	1000, 2500, 5000, 10000, 20000, 25000, 40000, 50000, 100000, 200000, 400000,
	800000,
};

/* Wire bytes in a time at Mbit/s, and the other way round. */
static u64 bytes_in(u64 mbps, u64 ns)
{
	return rxe_cc_bytes_in(mbps * 1000000, ns);
}

static void compact_units__every_speed(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(speeds); i++) {
		const struct rxe_cc_compact_units *u;
		u64 mbps = speeds[i];

		KUNIT_EXPECT_EQ(test, rxe_cc_compact_speed(mbps), i + 1);
		u = rxe_cc_compact_units(i + 1);
		KUNIT_ASSERT_NOT_NULL(test, u);
		KUNIT_EXPECT_EQ(test, u->mbps, mbps);
		/* As the head of int_compact.h has it: 6.4 ns, times 10 for integers;
		 * a unit of time is at most 12.5 bytes, or 1 ns.
		 */
		KUNIT_EXPECT_LE(test, u->ts_shift ? bytes_in(mbps, 10 << u->ts_shift) : 0,
				125);
		if (mbps < 10000)
			continue;
		KUNIT_EXPECT_LE(test, 80ULL << u->tx_shift, 64 * mbps / 1000);
		KUNIT_EXPECT_LE(test, 40ULL << u->qlen_shift, 64 * mbps / 1000);
		/* Half a wrap: 670 us at least. */
		KUNIT_EXPECT_GE(test, rxe_cc_extend_max_bytes(u), bytes_in(mbps, 670000));
	}
	KUNIT_EXPECT_EQ(test, RXE_CC_COMPACT_NR_SPEEDS, ARRAY_SIZE(speeds) + 1);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_speed(0), RXE_CC_COMPACT_OTHER);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_speed(99999), RXE_CC_COMPACT_OTHER);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_speed(U32_MAX), RXE_CC_COMPACT_OTHER);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_speed(100000ULL << 32), RXE_CC_COMPACT_OTHER);
	KUNIT_EXPECT_NULL(test, rxe_cc_compact_units(RXE_CC_COMPACT_OTHER));
	for (i = RXE_CC_COMPACT_NR_SPEEDS; i < 16; i++)
		KUNIT_EXPECT_NULL(test, rxe_cc_compact_units(i));
}

/* 100 Gbit/s, class 9: 1 ns, 16 and 128 bytes. */
static void compact_hop__bits(struct kunit *test)
{
	struct rxe_cc_compact c;
	u64 word;

	word = rxe_cc_compact_hop(100000, 0x7123456, 0x1abcdef, 0x1234 * 128);
	KUNIT_EXPECT_EQ(test, word, 0x9123456abcde1234ULL);
	KUNIT_ASSERT_TRUE(test, rxe_cc_compact_read(word, &c));
	KUNIT_EXPECT_EQ(test, c.speed, 9);
	KUNIT_EXPECT_EQ(test, c.units->mbps, 100000);
	KUNIT_EXPECT_EQ(test, c.ts, 0x123456);
	KUNIT_EXPECT_EQ(test, c.tx, 0xabcde);
	KUNIT_EXPECT_EQ(test, c.qlen_bytes, 0x1234 * 128);
	/* The queue: nearest, and no more than there is room for. */
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_hop(100000, 0, 0, 63) & 0xffff, 0);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_hop(100000, 0, 0, 64) & 0xffff, 1);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_hop(100000, 0, 0, 65535 * 128) & 0xffff, 0xffff);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_hop(100000, 0, 0, 65536 * 128),
			0x900000000000ffffULL);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_hop(100000, 0, 0, U64_MAX),
			0x900000000000ffffULL);
	/* A speed without a class says nothing else. */
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_hop(30000, 1000, 1000, 1000), 0);
	KUNIT_EXPECT_FALSE(test, rxe_cc_compact_read(0, &c));
	KUNIT_EXPECT_FALSE(test, rxe_cc_compact_read(U64_MAX, &c));
}

static void compact_hop__every_speed(struct kunit *test)
{
	struct cc_test_prng r = { .state = 1 };
	struct rxe_cc_compact c;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(speeds); i++) {
		for (k = 0; k < 10000; k++) {
			u64 ts = cc_test_shifted(&r, 0, 40);
			u64 tx = cc_test_shifted(&r, 0, 40);
			u64 q = cc_test_shifted(&r, 32, 32);
			u64 most, diff;

			KUNIT_ASSERT_TRUE(test, rxe_cc_compact_read(rxe_cc_compact_hop(speeds[i],
										       ts, tx, q),
								    &c));
			KUNIT_ASSERT_EQ(test, c.units->mbps, speeds[i]);
			KUNIT_ASSERT_EQ(test, c.ts, (ts >> c.units->ts_shift) % BIT(24));
			KUNIT_ASSERT_EQ(test, c.tx, (tx >> c.units->tx_shift) % BIT(20));
			most = 0xffffULL << c.units->qlen_shift;
			diff = min(q, most) > c.qlen_bytes ? min(q, most) - c.qlen_bytes :
							     c.qlen_bytes - min(q, most);
			KUNIT_ASSERT_LE(test, 2 * diff, BIT(c.units->qlen_shift));
		}
	}
}

static int u16_cmp(const void *a, const void *b)
{
	return *(const u16 *)a - *(const u16 *)b;
}

/*
 * Ids of random paths agree by chance only: of 4096 paths, 8.4 million pairs, 128 in
 * the mean, with a deviation of 11.3; the bound is 6 of them more.
 */
static void compact_path__chance(struct kunit *test)
{
	const unsigned int nr = 4096;
	struct cc_test_prng r = { .state = 2 };
	u16 *id = kunit_kcalloc(test, nr, sizeof(*id), GFP_KERNEL);
	unsigned int i, k, same = 0, run = 0;

	KUNIT_ASSERT_NOT_NULL(test, id);
	for (i = 0; i < nr; i++)
		for (k = 0; k < 5; k++) {
			u32 node = 0x51000000 + cc_test_below(&r, 64);

			id[i] = rxe_cc_compact_path(id[i], node, 1 + cc_test_below(&r, 48));
		}
	sort(id, nr, sizeof(*id), u16_cmp, NULL);
	for (i = 1; i < nr; i++) {
		run = id[i] == id[i - 1] ? run + 1 : 0;
		same += run;
	}
	KUNIT_EXPECT_LE(test, same, 196);
	KUNIT_EXPECT_GE(test, same, 60);
	/* The order of the ports matters, and the first one. */
	KUNIT_EXPECT_NE(test, rxe_cc_compact_path(rxe_cc_compact_path(0, 1, 2), 3, 4),
			rxe_cc_compact_path(rxe_cc_compact_path(0, 3, 4), 1, 2));
	KUNIT_EXPECT_NE(test, rxe_cc_compact_path(0, 1, 2), rxe_cc_compact_path(0, 2, 1));
}

static void compact_near__half_a_wrap(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_near(5, 4, 0x100), 0x105);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_near(7, 4, 0x100), 0x107);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_near(8, 4, 0x100), 0xf8);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_near(15, 4, 0x100), 0xff);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_near(0, 4, 0x10f), 0x110);
	KUNIT_EXPECT_EQ(test, rxe_cc_compact_near(15, 4, 0x10f), 0x10f);
}

/**
 * struct path - ports as they are, and as a flow hears of them
 * @speed: index of each port's speed
 * @ts_ns: time at the port
 * @tx_bytes: wire bytes that it has sent
 * @qlen_bytes: its queue
 * @now_ns: own clock
 * @e: state
 * @stack: as received, newest first
 * @hop: as heard
 * @exact: as it is
 */
struct path {
	u8 speed[HOPS];
	u64 ts_ns[HOPS];
	u64 tx_bytes[HOPS];
	u32 qlen_bytes[HOPS];
	u64 now_ns;
	struct rxe_cc_extend e;
	u8 stack[HOPS * 8];
	struct rxe_cc_int_hop hop[HOPS];
	struct rxe_cc_int_hop exact[HOPS];
};

static struct path *path_new(struct kunit *test, u8 speed, struct cc_test_prng *r)
{
	struct path *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->now_ns = NSEC_PER_SEC;
	for (i = 0; i < HOPS; i++) {
		p->speed[i] = speed;
		p->ts_ns[i] = p->now_ns + TAI_NS - cc_test_below(r, 100000);
		p->tx_bytes[i] = cc_test_rand(r) >> 20;
	}
	return p;
}

static enum rxe_cc_extended path_hear(struct path *p, u16 id)
{
	unsigned int i;

	for (i = 0; i < HOPS; i++) {
		u32 mbps = speeds[p->speed[i]];

		p->exact[i] = (struct rxe_cc_int_hop) {
			.ts_ns = p->ts_ns[i], .tx_bytes = p->tx_bytes[i],
			.qlen_bytes = p->qlen_bytes[i], .rate_bps = mbps * 1000000ULL,
		};
		put_unaligned_be64(rxe_cc_compact_hop(mbps, p->ts_ns[i], p->tx_bytes[i],
						      p->qlen_bytes[i]),
				   p->stack + 8 * (HOPS - 1 - i));
	}
	return rxe_cc_extend(&p->e, p->stack, HOPS, id, p->now_ns, p->now_ns + TAI_NS,
			     p->hop);
}

/* Time passes for all, more or less: each port has a queue of its own. */
static void path_pass(struct path *p, u64 ns, u64 jitter_ns, struct cc_test_prng *r)
{
	unsigned int i;

	p->now_ns += ns;
	for (i = 0; i < HOPS; i++) {
		u64 late_ns = cc_test_below(r, jitter_ns + 1);
		u64 dt = ns + late_ns - min(ns, cc_test_below(r, jitter_ns + 1));

		p->ts_ns[i] += dt;
		p->tx_bytes[i] += cc_test_below(r, bytes_in(speeds[p->speed[i]], dt) + 1);
		p->qlen_bytes[i] = cc_test_below(r, 100000);
	}
}

/*
 * Through many wraps of both counters: what is put together is what there was,
 * rounded down. The jitter of 3 ms is below half the shortest wrap of a time, and
 * with it the longest time is below half a wrap of txBytes.
 */
static void extend__as_it_is(struct kunit *test)
{
	struct cc_test_prng r = { .state = 3 };
	unsigned int s, i, k;

	for (s = 0; s < ARRAY_SIZE(speeds); s++) {
		struct path *p = path_new(test, s, &r);
		const struct rxe_cc_compact_units *u = rxe_cc_compact_units(s + 1);
		u64 most_ns = rxe_cc_ns_for(rxe_cc_extend_max_bytes(u), speeds[s] * 1000000ULL);
		u64 base[HOPS], jitter_ns = min(most_ns / 4, 3000000ULL);
		u32 node;

		KUNIT_ASSERT_EQ(test, path_hear(p, 7), RXE_CC_EXTEND_ANEW);
		node = p->hop[0].node;
		for (i = 0; i < HOPS; i++)
			base[i] = (p->tx_bytes[i] >> u->tx_shift << u->tx_shift) -
				  p->hop[i].tx_bytes;
		for (k = 0; k < 2000; k++) {
			path_pass(p, cc_test_below(&r, most_ns - jitter_ns), jitter_ns, &r);
			KUNIT_ASSERT_EQ_MSG(test, path_hear(p, 7), RXE_CC_EXTENDED,
					    "speed %u, %u", speeds[s], k);
			for (i = 0; i < HOPS; i++) {
				const struct rxe_cc_int_hop *h = &p->hop[i];

				KUNIT_ASSERT_EQ(test, h->ts_ns,
						p->ts_ns[i] >> u->ts_shift << u->ts_shift);
				KUNIT_ASSERT_EQ(test, h->tx_bytes + base[i],
						p->tx_bytes[i] >> u->tx_shift << u->tx_shift);
				KUNIT_ASSERT_EQ(test, h->rate_bps, p->exact[i].rate_bps);
				KUNIT_ASSERT_EQ(test, h->node, node);
				KUNIT_ASSERT_EQ(test, h->port, 0);
			}
		}
	}
}

/* What a port has sent since is not known: the hops are not those of before. */
static void extend__too_late(struct kunit *test)
{
	struct cc_test_prng r = { .state = 4 };
	unsigned int s;

	for (s = 0; s < ARRAY_SIZE(speeds); s++) {
		struct path *p = path_new(test, s, &r);
		const struct rxe_cc_compact_units *u = rxe_cc_compact_units(s + 1);
		u64 ns = rxe_cc_ns_for(rxe_cc_extend_max_bytes(u), speeds[s] * 1000000ULL);
		u64 unit = BIT(u->ts_shift);
		u32 node;

		path_hear(p, 7);
		node = p->hop[0].node;
		path_pass(p, ns - unit, 0, &r);
		KUNIT_EXPECT_EQ(test, path_hear(p, 7), RXE_CC_EXTENDED);
		KUNIT_EXPECT_EQ(test, p->hop[0].node, node);
		path_pass(p, ns + 2 * unit, 0, &r);
		KUNIT_EXPECT_EQ(test, path_hear(p, 7), RXE_CC_EXTEND_FAR);
		KUNIT_EXPECT_NE(test, p->hop[0].node, node);
		KUNIT_EXPECT_EQ(test, (u16)p->hop[0].node, 7);
		/* And from there on as ever. */
		node = p->hop[0].node;
		path_pass(p, 1000, 0, &r);
		KUNIT_EXPECT_EQ(test, path_hear(p, 7), RXE_CC_EXTENDED);
		KUNIT_EXPECT_EQ(test, p->hop[HOPS - 1].node, node);
		/* An hour later, and the time is that of the port. */
		path_pass(p, 3600 * NSEC_PER_SEC, 0, &r);
		KUNIT_EXPECT_EQ(test, path_hear(p, 7), RXE_CC_EXTEND_FAR);
		KUNIT_EXPECT_EQ(test, p->hop[0].ts_ns,
				p->ts_ns[0] >> u->ts_shift << u->ts_shift);
	}
}

static void extend__another_path(struct kunit *test)
{
	struct cc_test_prng r = { .state = 5 };
	struct path *p = path_new(test, 8, &r);
	u32 node;

	path_hear(p, 7);
	node = p->hop[0].node;
	path_pass(p, 1000, 0, &r);
	KUNIT_EXPECT_EQ(test, path_hear(p, 8), RXE_CC_EXTEND_ANEW);
	KUNIT_EXPECT_EQ(test, (u16)p->hop[0].node, 8);
	path_pass(p, 1000, 0, &r);
	KUNIT_EXPECT_EQ(test, path_hear(p, 7), RXE_CC_EXTEND_ANEW);
	KUNIT_EXPECT_NE(test, p->hop[0].node, node);
	node = p->hop[0].node;
	/* A port with another speed: the id says nothing of that. */
	p->speed[3] = 7;
	path_pass(p, 1000, 0, &r);
	KUNIT_EXPECT_EQ(test, path_hear(p, 7), RXE_CC_EXTEND_ANEW);
	KUNIT_EXPECT_NE(test, p->hop[0].node, node);
	/* Fewer of them. */
	KUNIT_EXPECT_EQ(test, rxe_cc_extend(&p->e, p->stack, HOPS - 1, 7, p->now_ns,
					    p->now_ns, p->hop),
			RXE_CC_EXTEND_ANEW);
}

/* Time that goes back says so. */
static void extend__back(struct kunit *test)
{
	struct cc_test_prng r = { .state = 6 };
	struct path *p = path_new(test, 8, &r);
	u64 ts_ns;

	path_hear(p, 7);
	ts_ns = p->hop[1].ts_ns;
	path_pass(p, 1000, 0, &r);
	p->ts_ns[1] -= 5000;
	KUNIT_EXPECT_EQ(test, path_hear(p, 7), RXE_CC_EXTENDED);
	KUNIT_EXPECT_EQ(test, p->hop[1].ts_ns, ts_ns - 4000);
}

static void extend__no_speed(struct kunit *test)
{
	static const u8 bad[] = { 0, 13, 14, 15 };
	struct cc_test_prng r = { .state = 7 };
	struct path *p = path_new(test, 8, &r);
	struct rxe_cc_extend *before;
	unsigned int i, k;

	before = kunit_kzalloc(test, sizeof(*before), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, before);
	path_hear(p, 7);
	*before = p->e;
	for (i = 0; i < HOPS; i++) {
		for (k = 0; k < ARRAY_SIZE(bad); k++) {
			u8 was = p->stack[8 * i];

			p->stack[8 * i] = bad[k] << 4 | (was & 15);
			KUNIT_EXPECT_EQ(test, rxe_cc_extend(&p->e, p->stack, HOPS, 7,
							    p->now_ns, 0, p->hop),
					RXE_CC_EXTEND_BAD);
			p->stack[8 * i] = was;
			KUNIT_EXPECT_MEMEQ(test, &p->e, before, sizeof(*before));
		}
	}
}

/* Whatever a peer sends, a port's time stays near the own one: each claim moves it by
 * what passed here and half a wrap at most, and bytes by less than a wrap.
 */
static void extend__forged(struct kunit *test)
{
	struct cc_test_prng r = { .state = 8 };
	struct rxe_cc_int_hop last[HOPS] = {};
	struct path *p = path_new(test, 8, &r);
	unsigned int i, k, kept = 0;

	for (k = 0; k < 100000; k++) {
		u64 ns = cc_test_shifted(&r, 32, 32);
		enum rxe_cc_extended what;

		p->now_ns += ns;
		for (i = 0; i < HOPS; i++) {
			u64 word = cc_test_rand(&r);

			/* Mostly a speed that is one, and the same. */
			if (cc_test_below(&r, 20))
				word = word >> 4 | 9ULL << 60;
			put_unaligned_be64(word, p->stack + 8 * i);
		}
		what = rxe_cc_extend(&p->e, p->stack, HOPS, 7, p->now_ns, p->now_ns, p->hop);
		for (i = 0; i < HOPS && what == RXE_CC_EXTENDED; i++) {
			unsigned int speed = rxe_cc_compact_speed(p->hop[i].rate_bps / 1000000);
			const struct rxe_cc_compact_units *u = rxe_cc_compact_units(speed);
			s64 diff = p->hop[i].ts_ns - last[i].ts_ns - ns;
			s64 half = BIT(23) << u->ts_shift;

			/* A unit more, since what passed here is rounded down to it. */
			KUNIT_ASSERT_LE(test, abs(diff), half + BIT(u->ts_shift));
			KUNIT_ASSERT_LT(test, p->hop[i].tx_bytes - last[i].tx_bytes,
					BIT(20) << u->tx_shift);
			kept++;
		}
		if (what != RXE_CC_EXTEND_BAD)
			memcpy(last, p->hop, sizeof(last));
		else
			p->now_ns -= ns;
	}
	KUNIT_EXPECT_GT(test, kept, 1000);
}

static void extend__fits(struct kunit *test)
{
	struct rxe_cc_int_hop hop[2] = {
		{ .rate_bps = 100000000000ULL }, { .rate_bps = 10000000000ULL },
	};

	/* A quarter of 2^20 x 16 bytes at 100 Gbit/s: 335.5 us. */
	KUNIT_EXPECT_TRUE(test, rxe_cc_extend_fits(hop, 2, 335000));
	KUNIT_EXPECT_FALSE(test, rxe_cc_extend_fits(hop, 2, 336000));
	KUNIT_EXPECT_TRUE(test, rxe_cc_extend_fits(hop + 1, 1, 1600000));
	hop[1].rate_bps = 30000000000ULL;
	KUNIT_EXPECT_FALSE(test, rxe_cc_extend_fits(hop, 2, 1000));
	hop[1].rate_bps = 10000000001ULL;
	KUNIT_EXPECT_TRUE(test, rxe_cc_extend_fits(hop, 2, 1000));
}

/*
 * What HPCC makes of both. An ACK for each packet of a flow that has its port to
 * itself, and four more ports as busy, is the worst case: each ACK may take the port
 * whose rounding was the most, each time the other way. Then U is too high by one unit
 * of txBytes and one of time in what a packet is, and half a unit of the queue over
 * B T. It is as often too low for one port as too high, so it is never lower than the
 * same.
 */
static void extend__u_of_hpcc(struct kunit *test)
{
	struct cc_test_prng r = { .state = 9 };
	unsigned int s, i, k;

	for (s = 0; s < ARRAY_SIZE(speeds); s++) {
		struct path *p = path_new(test, s, &r);
		const struct rxe_cc_compact_units *u = rxe_cc_compact_units(s + 1);
		u64 bps = speeds[s] * 1000000ULL, pkt_ns = rxe_cc_ns_for(PKT_BYTES, bps);
		struct rxe_hpcc_ctx ctx = {
			.t_ns = max(12000ULL, 20 * pkt_ns),
			.line_q16 = min(bps, RXE_HPCC_RATE_MAX_BPS) << RXE_HPCC_RATE_SHIFT,
			.eta_q24 = RXE_CC_Q24(95, 100),
		};
		struct rxe_cc_sample exact = { .hops = p->exact, .nr_hops = HOPS };
		struct rxe_cc_sample compact = { .hops = p->hop, .nr_hops = HOPS };
		u64 bt_bytes = bytes_in(speeds[s], ctx.t_ns), bound_q36, worst_q36 = 0;
		struct rxe_hpcc *a, *b;

		a = kunit_kzalloc(test, sizeof(*a), GFP_KERNEL);
		b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, a);
		KUNIT_ASSERT_NOT_NULL(test, b);
		bound_q36 = (BIT(u->tx_shift) + bytes_in(speeds[s], BIT(u->ts_shift)) + 1) *
			    BIT_ULL(RXE_HPCC_U_SHIFT) / PKT_BYTES +
			    BIT_ULL(RXE_HPCC_U_SHIFT + u->qlen_shift - 1) / bt_bytes;
		rxe_hpcc_init(a, &ctx);
		rxe_hpcc_init(b, &ctx);
		for (k = 0; k < 20000; k++) {
			u32 q = cc_test_below(&r, bt_bytes / 2);

			p->now_ns += pkt_ns;
			for (i = 0; i < HOPS; i++) {
				p->ts_ns[i] += pkt_ns;
				p->tx_bytes[i] += PKT_BYTES * (u64)(900 + k / 200) / 1000;
				p->qlen_bytes[i] = i == 2 ? q : 0;
			}
			path_hear(p, 7);
			exact.now_ns = p->now_ns;
			compact.now_ns = p->now_ns;
			rxe_hpcc_measure(a, &ctx, &exact);
			rxe_hpcc_measure(b, &ctx, &compact);
			if (k > 1000)
				worst_q36 = max_t(u64, worst_q36,
						  abs((s64)b->u_q36 - (s64)a->u_q36));
		}
		KUNIT_EXPECT_LE_MSG(test, worst_q36, bound_q36, "%u Mbit/s", speeds[s]);
		kunit_info(test, "%u Mbit/s: U differs by %llu ppm at most, bound %llu\n",
			   speeds[s], worst_q36 * 1000000 >> RXE_HPCC_U_SHIFT,
			   bound_q36 * 1000000 >> RXE_HPCC_U_SHIFT);
	}
}

static struct kunit_case compact_cases[] = {
	KUNIT_CASE(compact_units__every_speed),
	KUNIT_CASE(compact_hop__bits),
	KUNIT_CASE(compact_hop__every_speed),
	KUNIT_CASE(compact_path__chance),
	KUNIT_CASE(compact_near__half_a_wrap),
	KUNIT_CASE(extend__as_it_is),
	KUNIT_CASE(extend__too_late),
	KUNIT_CASE(extend__another_path),
	KUNIT_CASE(extend__back),
	KUNIT_CASE(extend__no_speed),
	KUNIT_CASE(extend__forged),
	KUNIT_CASE(extend__fits),
	KUNIT_CASE(extend__u_of_hpcc),
	{}
};

static struct kunit_suite compact_suite = {
	.name = "rxe_cc_compact",
	.test_cases = compact_cases,
};

kunit_test_suite(compact_suite);
