// SPDX-License-Identifier: GPL-2.0
/*
 * LSCC's arithmetic against a model in user space (gen_lscc.c), and by hand where rates
 * are such that a byte is a nanosecond; its messages, whole and broken.
 */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <net/checksum.h>
#include <net/ip.h>

#include "features/lscc/roce_lscc.h"
#include "roce_test_packets.h"
#include "roce_lscc_events.h"
#include "roce_lscc_vectors.h"

#define BYTE_A_NS	8000000000ULL
#define GBIT		1000000000ULL

/* Too large for a stack. */
static struct roce_lscc_calc calc;

static void lscc_calculate(struct lscc_row *row, u32 number)
{
	struct roce_lscc_rule rule;
	struct lscc_link l;
	u64 rate;
	int i;

	lscc_link_begin(&l, number);
	rule = (struct roce_lscc_rule) {
		.period_ns = l.period_ns, .qref_bytes = l.qref_bytes,
		.step_bps = l.step_bps, .min_bps = l.min_bps,
		.max_bps = l.max_bps,
		.in_flight = min_t(u64, roce_lscc_in_flight(l.rtt_ns, l.period_ns),
				   ROCE_LSCC_LIST),
	};
	roce_lscc_calc_init(&calc, l.min_bps);
	for (i = 0; i < LSCC_STEPS; i++) {
		lscc_link_next(&l);
		rate = roce_lscc_calc_rate(&calc, &rule, l.queue_bytes,
					   roce_lscc_mean_bps(l.out_bytes,
							      l.period_ns));
		row->digest = lscc_digest(row->digest, rate);
		row->sum += rate;
	}
}

/* 300 000 periods: each rate is the model's, to the bit. */
static void roce_lscc__rates(struct kunit *test)
{
	int r, i;

	for (r = 0; r < LSCC_ROWS; r++) {
		struct lscc_row row = { .digest = LSCC_DIGEST };

		for (i = 0; i < LSCC_SEQUENCES; i++)
			lscc_calculate(&row, r * LSCC_SEQUENCES + i);
		KUNIT_EXPECT_EQ_MSG(test, row.digest, lscc_rates[r].digest,
				    "row %d: sum %llu, want %llu", r, row.sum,
				    lscc_rates[r].sum);
	}
}

struct lscc_table {
	struct roce_lscc_limit limit;
	struct roce_lscc_flow flows[LSCC_FLOWS];
	u64 pair_marked[LSCC_FLOWS];
};

/* What the port does with a packet. */
static u64 lscc_packet(struct lscc_table *t, const struct lscc_outlet *o,
		       const struct lscc_event *e, u64 period)
{
	const struct roce_lscc_whom whom = {
		.qref_bytes = o->qref_bytes,
		.threshold_bytes = o->threshold_bytes,
		.idle_ns = o->idle_ns,
		.interval_ns = o->interval_ns,
	};
	struct roce_lscc_flow *flow = &t->flows[e->flow];

	roce_lscc_add(&t->limit, e->bytes);
	roce_lscc_count(flow, &whom, e->bytes, e->now_ns);
	if (e->ce)
		flow->marked = period;
	if (!roce_lscc_is_long(&t->limit, whom.qref_bytes))
		return 0;
	return roce_lscc_due(flow, &whom, flow->marked == period ||
			     t->pair_marked[e->flow / LSCC_FLOWS_OF_PAIR] ==
			     period, e->now_ns);
}

static void lscc_limit(struct lscc_row *row, u32 number)
{
	struct lscc_table t = {};
	struct lscc_outlet o;
	u64 answer, period;
	int i;

	lscc_outlet_begin(&o, number);
	for (i = 0; i < LSCC_STEPS; i++) {
		struct lscc_event e = lscc_outlet_next(&o);

		answer = 0;
		period = roce_lscc_period(o.begin_ns, o.period_ns, e.now_ns);
		roce_lscc_settle(&t.limit, o.expiry_ns, e.now_ns);
		if (e.kind == LSCC_PACKET)
			answer = lscc_packet(&t, &o, &e, period);
		else if (e.kind == LSCC_CNP)
			t.pair_marked[e.flow / LSCC_FLOWS_OF_PAIR] = period;
		else if (roce_lscc_is_new(&t.limit, e.seq, e.peer_ns))
			roce_lscc_hear(&t.limit, e.seq, e.peer_ns, e.rate_bps,
				       e.now_ns);
		row->digest = lscc_digest(row->digest, t.limit.bytes);
		row->digest = lscc_digest(row->digest,
					  t.limit.rate_bps << 2 | answer);
		row->sum += answer == ROCE_LSCC_TELL;
	}
}

/* 300 000 events: the same pseudo queue and answer after every one of them. */
static void roce_lscc__limits(struct kunit *test)
{
	int r, i;

	for (r = 0; r < LSCC_ROWS; r++) {
		struct lscc_row row = { .digest = LSCC_DIGEST };

		for (i = 0; i < LSCC_SEQUENCES; i++)
			lscc_limit(&row, r * LSCC_SEQUENCES + i);
		KUNIT_EXPECT_EQ_MSG(test, row.digest, lscc_limits[r].digest,
				    "row %d: CNPs %llu, want %llu", r, row.sum,
				    lscc_limits[r].sum);
	}
}

/* No figure is too large: a queue of 2^63 bytes, rates of 2^63. */
static void roce_lscc__bounds(struct kunit *test)
{
	struct roce_lscc_rule rule = {
		.period_ns = 1000, .qref_bytes = 1, .step_bps = U64_MAX,
		.min_bps = 1000000, .max_bps = 800 * GBIT,
		.in_flight = ROCE_LSCC_LIST,
	};
	struct roce_lscc_limit limit = {};
	u64 huge = BIT_ULL(63);
	int i;

	roce_lscc_calc_init(&calc, rule.min_bps);
	for (i = 0; i < 1000; i++) {
		KUNIT_ASSERT_EQ(test, roce_lscc_calc_rate(&calc, &rule, huge, 0),
				rule.min_bps);
		KUNIT_ASSERT_EQ(test, calc.sum, -(s64)rule.min_bps *
				min(i + 1, ROCE_LSCC_LIST));
	}
	KUNIT_EXPECT_EQ(test, roce_lscc_mean_bps(huge, 1), BIT_ULL(42) - 1);
	KUNIT_EXPECT_EQ(test, roce_lscc_mean_bps(0, 1), 0);
	/* a large BR: what it is above R is an adjustment under way, 2^42 each */
	for (i = 0; i < 1000; i++)
		KUNIT_ASSERT_EQ(test, roce_lscc_calc_rate(&calc, &rule, 0, huge),
				rule.max_bps);
	KUNIT_EXPECT_EQ(test, roce_lscc_in_flight(0, 200000), 1);
	KUNIT_EXPECT_EQ(test, roce_lscc_in_flight(2000000, 200000), 10);
	KUNIT_EXPECT_EQ(test, roce_lscc_in_flight(2100000, 200000), 11);
	KUNIT_EXPECT_EQ(test, roce_lscc_in_flight(40000000, 200000), 200);
	KUNIT_EXPECT_EQ(test, roce_lscc_in_flight(GBIT, 1000), 1000000);

	/* the queue of a rate of 2^63 is empty at once; the next second comes, too */
	roce_lscc_hear(&limit, 1, 1, huge, 1);
	roce_lscc_add(&limit, U32_MAX);
	KUNIT_EXPECT_TRUE(test, roce_lscc_is_long(&limit, U32_MAX));
	roce_lscc_settle(&limit, U64_MAX, 3);
	KUNIT_EXPECT_EQ(test, limit.bytes, 1ULL * U32_MAX - 2305843009);
	roce_lscc_settle(&limit, U64_MAX, U64_MAX);
	KUNIT_EXPECT_EQ(test, limit.bytes, 0);

	KUNIT_EXPECT_EQ(test, roce_lscc_units(0), 1);
	KUNIT_EXPECT_EQ(test, roce_lscc_units(1999999), 1);
	KUNIT_EXPECT_EQ(test, roce_lscc_units(200 * GBIT), 200000);
	KUNIT_EXPECT_EQ(test, roce_lscc_units(huge), U32_MAX);
}

/* An idle link: R is what fills the queue in a period, then Rmin for N of them: the
 * periodic rates of the paper's Fig. 7. 2 MB in 200 us are 80 Gbit/s.
 */
static void roce_lscc__idle(struct kunit *test)
{
	struct roce_lscc_rule rule = {
		.period_ns = 200000, .qref_bytes = 2000000,
		.step_bps = 200 * GBIT, .max_bps = 200 * GBIT, .in_flight = 10,
	};
	int i;

	roce_lscc_calc_init(&calc, 0);
	for (i = 0; i < 44; i++)
		KUNIT_EXPECT_EQ(test, roce_lscc_calc_rate(&calc, &rule, 0, 0),
				i % 11 ? 0 : 80 * GBIT);
}

/* A link, in the paper's terms: R is in force 2D later, and what leaves is BR: the queue
 * follows Eq. 9, here exactly: at a steady BR it is Qref from the first round trip on.
 */
static void lscc_queue(struct kunit *test, int n)
{
	struct roce_lscc_rule rule = {
		.period_ns = 1000, .qref_bytes = 5000, .step_bps = 800 * GBIT,
		.max_bps = 800 * GBIT,
		.in_flight = roce_lscc_in_flight(1000 * n, 1000),
	};
	const u64 out_bps = 20 * BYTE_A_NS;	/* 20000 bytes a period */
	u64 *sent, queue_bytes = 0;
	int t;

	KUNIT_ASSERT_EQ(test, rule.in_flight, n);
	sent = kunit_kcalloc(test, 6 * n, sizeof(*sent), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sent);
	roce_lscc_calc_init(&calc, 0);
	for (t = 0; t < 6 * n; t++) {
		if (t > n) {
			queue_bytes += sent[t - n - 1] / 8000000;
			queue_bytes -= 20000;
		}
		sent[t] = roce_lscc_calc_rate(&calc, &rule, queue_bytes, out_bps);
		if (t > n)
			KUNIT_ASSERT_EQ_MSG(test, queue_bytes, 5000,
					    "N %d, period %d", n, t);
	}
}

/* Links of 1, 20 and 102 ms at a T of 200 us. */
static void roce_lscc__queue(struct kunit *test)
{
	lscc_queue(test, 10);
	lscc_queue(test, 200);
	lscc_queue(test, ROCE_LSCC_LIST);
}

/* TxBytes ends with a silence of a round trip, and not a nanosecond before. */
static void roce_lscc__count(struct kunit *test)
{
	const struct roce_lscc_whom whom = { .idle_ns = 2000 };
	struct roce_lscc_flow flow = {};

	roce_lscc_count(&flow, &whom, 500, 100000);
	KUNIT_EXPECT_EQ(test, flow.tx_bytes, 500);
	roce_lscc_count(&flow, &whom, 500, 101999);
	roce_lscc_count(&flow, &whom, 500, 103998);
	KUNIT_EXPECT_EQ(test, flow.tx_bytes, 1500);
	roce_lscc_count(&flow, &whom, 500, 105998);
	KUNIT_EXPECT_EQ(test, flow.tx_bytes, 500);
}

/* Marks hold for their period, damping and sizes at their very edges. */
static void roce_lscc__due(struct kunit *test)
{
	const struct roce_lscc_whom whom = {
		.threshold_bytes = 1000, .interval_ns = 100,
	};
	struct roce_lscc_flow flow = { .tx_bytes = 999 };

	KUNIT_EXPECT_EQ(test, roce_lscc_due(&flow, &whom, false, 5000),
			ROCE_LSCC_TELL);
	KUNIT_EXPECT_EQ(test, roce_lscc_due(&flow, &whom, true, 5099),
			ROCE_LSCC_DAMPED);
	flow.tx_bytes = 1000;
	KUNIT_EXPECT_EQ(test, roce_lscc_due(&flow, &whom, false, 5100),
			ROCE_LSCC_NOT);
	KUNIT_EXPECT_EQ(test, roce_lscc_due(&flow, &whom, true, 5100),
			ROCE_LSCC_TELL);
	KUNIT_EXPECT_EQ(test, flow.cnp_ns, 5100);

	KUNIT_EXPECT_EQ(test, roce_lscc_period(1000, 200, 1000), 1);
	KUNIT_EXPECT_EQ(test, roce_lscc_period(1000, 200, 1199), 1);
	KUNIT_EXPECT_EQ(test, roce_lscc_period(1000, 200, 1200), 2);
}

static const struct roce_lscc_msg lscc_msg = {
	.self = cpu_to_be32(0x0a0b0c01), .peer = cpu_to_be32(0x0a0b0c02),
	.seq = 0x12345678, .time_ns = 0x1122334455667788ULL, .units = 40000,
};

/* As a receive handler gets it. */
static struct sk_buff *lscc_received(struct kunit *test)
{
	struct sk_buff *skb = roce_lscc_msg_build(NULL, &lscc_msg);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_pull(skb, ETH_HLEN);
	return skb;
}

static void roce_lscc__message(struct kunit *test)
{
	static const u8 wire[] = {
		/* Ethernet */
		0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e, 0, 0, 0, 0, 0, 0, 8, 0,
		/* IP: 44 bytes, DF, TTL 255, ICMP; the sum by hand, from the other words */
		0x45, 0xc0, 0, 44, 0, 0, 0x40, 0, 255, 1, 0x0, 0x0,
		10, 11, 12, 1, 10, 11, 12, 2,
		/* ICMP */
		253, 0, 0x0, 0x0, 'L', 'S', 1, 0, 0x12, 0x34, 0x56, 0x78,
		0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
		0, 0, 40000 >> 8, 40000 & 0xff,
	};
	struct sk_buff *skb = roce_lscc_msg_build(NULL, &lscc_msg);
	struct roce_lscc_msg msg;

	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->len, ETH_ZLEN);
	KUNIT_EXPECT_EQ(test, ip_fast_csum(skb->data + 14, 5), 0);
	KUNIT_EXPECT_EQ(test, ip_compute_csum(skb->data + 34, 24), 0);
	put_unaligned_be16(0, skb->data + 24);
	put_unaligned_be16(0, skb->data + 36);
	KUNIT_EXPECT_MEMEQ(test, skb->data, wire, sizeof(wire));
	kfree_skb(skb);

	skb = lscc_received(test);
	KUNIT_EXPECT_EQ(test, roce_lscc_msg_parse(skb, &msg), ROCE_LSCC_HEARD);
	KUNIT_EXPECT_TRUE(test, msg.self == lscc_msg.self);
	KUNIT_EXPECT_TRUE(test, msg.peer == lscc_msg.peer);
	KUNIT_EXPECT_EQ(test, msg.seq, lscc_msg.seq);
	KUNIT_EXPECT_EQ(test, msg.time_ns, lscc_msg.time_ns);
	KUNIT_EXPECT_EQ(test, msg.units, lscc_msg.units);
	kfree_skb(skb);
}

/* Any one byte of it wrong, and any length: it is none, or a bad one. */
static void roce_lscc__broken(struct kunit *test)
{
	struct roce_lscc_msg msg;
	struct sk_buff *skb;
	unsigned int i;

	for (i = 0; i < 44; i++) {
		skb = lscc_received(test);
		skb->data[i] ^= 0x15;
		KUNIT_EXPECT_NE_MSG(test, roce_lscc_msg_parse(skb, &msg),
				    ROCE_LSCC_HEARD, "byte %u", i);
		kfree_skb(skb);
		skb = lscc_received(test);
		skb_trim(skb, i);
		KUNIT_EXPECT_NE_MSG(test, roce_lscc_msg_parse(skb, &msg),
				    ROCE_LSCC_HEARD, "%u bytes", i);
		kfree_skb(skb);
	}
	skb = lscc_received(test);
	eth_hdr(skb)->h_dest[5] = 0;
	KUNIT_EXPECT_EQ(test, roce_lscc_msg_parse(skb, &msg), ROCE_LSCC_OTHER);
	kfree_skb(skb);
	/* routed: the TTL is one less, and the sum is right */
	skb = lscc_received(test);
	ip_hdr(skb)->ttl--;
	ip_send_check(ip_hdr(skb));
	KUNIT_EXPECT_EQ(test, roce_lscc_msg_parse(skb, &msg), ROCE_LSCC_BAD);
	kfree_skb(skb);
}

static struct kunit_case roce_lscc_cases[] = {
	KUNIT_CASE(roce_lscc__rates),
	KUNIT_CASE(roce_lscc__limits),
	KUNIT_CASE(roce_lscc__bounds),
	KUNIT_CASE(roce_lscc__idle),
	KUNIT_CASE(roce_lscc__queue),
	KUNIT_CASE(roce_lscc__count),
	KUNIT_CASE(roce_lscc__due),
	KUNIT_CASE(roce_lscc__message),
	KUNIT_CASE(roce_lscc__broken),
	{}
};

static struct kunit_suite roce_lscc_suite = {
	.name = "roce_lscc",
	.test_cases = roce_lscc_cases,
};

kunit_test_suite(roce_lscc_suite);
