// SPDX-License-Identifier: GPL-2.0
/*
 * The port model on a clock of the test's own. 8 Gbit/s: a byte a nanosecond,
 * so that times can be read off the lengths.
 */
#include <kunit/test.h>
#include <linux/ip.h>
#include <net/inet_ecn.h>

#include "features/ecn/roce_ecn.h"
#include "../roce_next_event.h"
#include "../roce_queue_histogram.h"
#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"

#define BYTE_PER_NS	8000000000ULL
#define T0		1000000ULL
#define LOW		0		/* DSCPs of the default map */
#define DATA		26		/* priority 3 */
#define HIGH		48		/* priority 6 */

static struct roce_port *new_port(struct kunit *test)
{
	return roce_test_port(test, 1, NULL);
}

/* Bring a port up to @now_ns. */
static void advance(struct roce_port *port, u64 now_ns)
{
	roce_switch_advance(port->sw, now_ns);
}

/* Lose everything. */
static void purge(struct roce_port *port, u64 now_ns)
{
	roce_port_purge(port, now_ns);
	roce_test_bury(port);
}

static struct sk_buff *packet(struct kunit *test, u8 dscp, u32 len)
{
	return roce_test_ipv4(test, dscp << 2 | INET_ECN_ECT_0, len);
}

/* The next delivery must be @skb at @at_ns, and not a nanosecond sooner. */
static void expect_delivery(struct kunit *test, struct roce_port *port,
			    struct sk_buff *skb, u64 at_ns)
{
	KUNIT_EXPECT_NULL(test, roce_port_deliver(port, at_ns - 1));
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), at_ns);
	KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(port, at_ns), skb);
	kfree_skb(skb);
}

static void roce_port__one_packet(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	struct sk_buff *skb = packet(test, DATA, 100);

	port->cfg.delay_ns = 500;
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), ROCE_NEVER);
	KUNIT_EXPECT_EQ(test, roce_port_arrive(port, skb, T0), ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, port->bytes, 0);
	expect_delivery(test, port, skb, T0 + 600);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.tx_packets, 1);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.tx_wire_bytes, 100);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.peak_bytes, 0);
	KUNIT_EXPECT_EQ(test, roce_port_busy_ns(port, T0 + 600), 100);
}

/* Fractions add up: 3 x 6.56 ns end at 6.56, 13.12, 19.68. */
static void roce_port__fractions(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	static const u64 end[] = { 7, 14, 20 };
	struct sk_buff *skb[3];
	int i;

	port->cfg.rate_bps = 100000000000ULL;
	for (i = 0; i < 3; i++) {
		skb[i] = packet(test, DATA, 82);
		roce_port_arrive(port, skb[i], T0);
	}
	for (i = 0; i < 3; i++)
		expect_delivery(test, port, skb[i], T0 + end[i]);
}

/* Strict, not preemptive, first come first served within a priority. */
static void roce_port__priorities(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	struct sk_buff *low1 = packet(test, LOW, 100);
	struct sk_buff *low2 = packet(test, LOW, 100);
	struct sk_buff *data1 = packet(test, DATA, 100);
	struct sk_buff *data2 = packet(test, DATA, 100);
	struct sk_buff *high = packet(test, HIGH, 100);

	roce_port_arrive(port, low1, T0);
	roce_port_arrive(port, low2, T0 + 1);
	roce_port_arrive(port, data1, T0 + 2);
	roce_port_arrive(port, data2, T0 + 3);
	roce_port_arrive(port, high, T0 + 4);
	expect_delivery(test, port, low1, T0 + 100);
	expect_delivery(test, port, high, T0 + 200);
	expect_delivery(test, port, data1, T0 + 300);
	expect_delivery(test, port, data2, T0 + 400);
	expect_delivery(test, port, low2, T0 + 500);
}

/* Who comes in the nanosecond in which the line becomes free is too late for
 * that choice; one nanosecond before is not.
 */
static void roce_port__tie(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	struct sk_buff *first = packet(test, LOW, 100);
	struct sk_buff *low = packet(test, LOW, 100);
	struct sk_buff *high1 = packet(test, HIGH, 100);
	struct sk_buff *high2 = packet(test, HIGH, 100);
	struct sk_buff *low2 = packet(test, LOW, 100);

	roce_port_arrive(port, first, T0);
	roce_port_arrive(port, low, T0 + 50);
	roce_port_arrive(port, high1, T0 + 100);
	roce_port_arrive(port, low2, T0 + 150);
	roce_port_arrive(port, high2, T0 + 299);
	KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(port, T0 + 100), first);
	KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(port, T0 + 200), low);
	KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(port, T0 + 300), high1);
	KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(port, T0 + 400), high2);
	KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(port, T0 + 500), low2);
	kfree_skb(first);
	kfree_skb(low);
	kfree_skb(high1);
	kfree_skb(high2);
	kfree_skb(low2);
}

/* The same arrivals, looked at every nanosecond or only at the end. */
static void roce_port__lazy_is_exact(struct kunit *test)
{
	static const u8 dscp[] = { LOW, DATA, HIGH };
	struct roce_port *eager = new_port(test), *lazy = new_port(test);
	struct sk_buff *a, *b;
	struct rnd_state rnd;
	u64 now_ns = T0;
	int i;

	prandom_seed_state(&rnd, 3);
	eager->cfg.rate_bps = 9953280000ULL;
	lazy->cfg.rate_bps = 9953280000ULL;
	for (i = 0; i < 300; i++) {
		u8 d = dscp[prandom_u32_state(&rnd) % 3];
		u32 len = 60 + prandom_u32_state(&rnd) % 100;
		u64 until_ns = now_ns + prandom_u32_state(&rnd) % 180;

		a = packet(test, d, len);
		b = packet(test, d, len);
		a->mark = i;
		b->mark = i;
		roce_port_arrive(eager, a, now_ns);
		roce_port_arrive(lazy, b, now_ns);
		while (now_ns < until_ns)
			advance(eager, ++now_ns);
	}
	now_ns += 1000000;
	for (i = 0; i < 300; i++) {
		a = roce_port_deliver(eager, now_ns);
		b = roce_port_deliver(lazy, now_ns);
		KUNIT_ASSERT_NOT_NULL(test, a);
		KUNIT_ASSERT_NOT_NULL(test, b);
		KUNIT_EXPECT_EQ(test, a->mark, b->mark);
		KUNIT_EXPECT_EQ(test, roce_skb_cb(a)->time_ns,
				roce_skb_cb(b)->time_ns);
		kfree_skb(a);
		kfree_skb(b);
	}
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		KUNIT_EXPECT_EQ(test,
				roce_area_units(&eager->prio[i].area, 0, now_ns),
				roce_area_units(&lazy->prio[i].area, 0, now_ns));
		KUNIT_EXPECT_EQ(test, eager->prio[i].stats.peak_bytes,
				lazy->prio[i].stats.peak_bytes);
	}
}

/* 250 bytes may wait: two of 100, not three; the line's own is not counted. */
static void roce_port__limits(struct kunit *test)
{
	static const struct {
		u32 port_limit, prio_limit;
		enum roce_verdict third;
	} table[] = {
		{ 250, 0, ROCE_DROP_PORT_LIMIT },
		{ 1000, 250, ROCE_DROP_LIMIT },
		{ 250, 250, ROCE_DROP_LIMIT },
		{ 300, 300, ROCE_ACCEPTED },
		{ 300, 0, ROCE_ACCEPTED },
	};
	int i, n;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_port *port = new_port(test);
		enum roce_verdict verdict;
		struct sk_buff *skb;

		port->cfg.limit_bytes = table[i].port_limit;
		port->cfg.prio[3].limit_bytes = table[i].prio_limit;
		for (n = 0; n < 3; n++) {
			skb = packet(test, DATA, 100);
			KUNIT_EXPECT_EQ(test, roce_port_arrive(port, skb, T0),
					ROCE_ACCEPTED);
		}
		skb = packet(test, DATA, 100);
		verdict = roce_port_arrive(port, skb, T0);
		KUNIT_EXPECT_EQ_MSG(test, verdict, table[i].third, "row %d", i);
		if (verdict != ROCE_ACCEPTED)
			kfree_skb(skb);
		KUNIT_EXPECT_EQ(test, port->prio[3].stats.drop_limit,
				verdict == ROCE_DROP_LIMIT);
		KUNIT_EXPECT_EQ(test, port->prio[3].stats.drop_port_limit,
				verdict == ROCE_DROP_PORT_LIMIT);
		purge(port, T0);
		KUNIT_EXPECT_EQ(test, port->bytes, 0);
	}
}

static void orphaned(struct sk_buff *skb)
{
	(*(int *)skb->sk)++;
	skb->sk = NULL;
}

/* The sender hears of a departure at its instant, not at the delivery. */
static void roce_port__orphans_at_departure(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	struct sk_buff *skb[2];
	int heard = 0, i;

	port->cfg.delay_ns = 10000;
	for (i = 0; i < 2; i++) {
		skb[i] = packet(test, DATA, 100);
		skb[i]->sk = (void *)&heard;
		skb[i]->destructor = orphaned;
		roce_port_arrive(port, skb[i], T0);
	}
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), T0 + 100);
	advance(port, T0 + 99);
	KUNIT_EXPECT_EQ(test, heard, 0);
	advance(port, T0 + 100);
	KUNIT_EXPECT_EQ(test, heard, 1);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), T0 + 200);
	advance(port, T0 + 200);
	KUNIT_EXPECT_EQ(test, heard, 2);
	expect_delivery(test, port, skb[0], T0 + 10100);
	expect_delivery(test, port, skb[1], T0 + 10200);
}

/* ... also when a packet without a sender is being sent before it. */
static void roce_port__orphans_behind_forwarded(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	struct sk_buff *forwarded = packet(test, DATA, 100);
	struct sk_buff *own = packet(test, DATA, 100);
	int heard = 0;

	port->cfg.delay_ns = 10000;
	own->sk = (void *)&heard;
	own->destructor = orphaned;
	roce_port_arrive(port, forwarded, T0);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), T0 + 10100);
	roce_port_arrive(port, own, T0);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), T0 + 100);
	advance(port, T0 + 100);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), T0 + 200);
	advance(port, T0 + 200);
	KUNIT_EXPECT_EQ(test, heard, 1);
	expect_delivery(test, port, forwarded, T0 + 10100);
	expect_delivery(test, port, own, T0 + 10200);
}

/* 100 bytes wait from T0 to T0 + 10240, then 50 for as long again. */
static void roce_port__area(struct kunit *test)
{
	struct roce_area area = { .since_ns = T0 };

	/* 102400 ns * 100 B = 10240000 byte ns = 10 KiB us */
	KUNIT_EXPECT_EQ(test, roce_area_units(&area, 100, T0 + 102400), 10);
	KUNIT_EXPECT_EQ(test, roce_area_units(&area, 50, T0 + 204800), 15);
	/* an hour of 4 GB does not overflow */
	KUNIT_EXPECT_EQ(test, roce_area_units(&area, 1ULL << 32, T0 + 204800 +
					      3600ULL * NSEC_PER_SEC),
			15 + 4194304ULL * 3600 * 1000000);
}

/* Priority 3 marks above 150 bytes. */
static void set_ecn(struct kunit *test, struct roce_port *port, u8 when)
{
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);
	struct roce_ecn_config *ecn = roce_ecn_config(cfg);

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	*cfg = port->cfg;
	ecn->prio[3].when = when;
	ecn->prio[3].ramp.kmin_bytes = 150;
	ecn->prio[3].ramp.kmax_bytes = 150;
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, 0), 0);
}

static u64 marked_of(const struct roce_port *port, u8 id)
{
	const struct roce_ecn *ecn = roce_feature_port(port, &roce_ecn_feature);

	return ecn ? ecn->stats[id].marked : 0;
}

static void roce_port__ecn(struct kunit *test)
{
	static const u8 modes[] = { TC_ROCE_ECN_OFF, TC_ROCE_ECN_ENQUEUE,
				    TC_ROCE_ECN_DEQUEUE };
	/* queue met: -, 0, 100, 200, 300; left behind: -, 300, 200, 100, 0 */
	static const bool marked[][5] = {
		{ false, false, false, false, false },
		{ false, false, false, true, true },
		{ false, true, true, false, false },
	};
	int m, i;

	for (m = 0; m < ARRAY_SIZE(modes); m++) {
		struct roce_port *port = new_port(test);
		struct sk_buff *skb;
		u64 marks = 0;

		set_ecn(test, port, modes[m]);
		for (i = 0; i < 5; i++)
			roce_port_arrive(port, packet(test, DATA, 100), T0);
		for (i = 0; i < 5; i++) {
			bool ce;

			skb = roce_port_deliver(port, T0 + 500);
			KUNIT_ASSERT_NOT_NULL(test, skb);
			ce = (ip_hdr(skb)->tos & INET_ECN_MASK) == INET_ECN_CE;
			KUNIT_EXPECT_EQ_MSG(test, ce, marked[m][i],
					    "mode %d packet %d", m, i);
			marks += ce;
			kfree_skb(skb);
		}
		KUNIT_EXPECT_EQ(test, marked_of(port, 3), marks);
	}
}

/* 300 bytes of another priority wait: none of this one's business. */
static void roce_port__ecn_own_queue(struct kunit *test)
{
	static const u8 modes[] = { TC_ROCE_ECN_ENQUEUE, TC_ROCE_ECN_DEQUEUE };
	int m, i;

	for (m = 0; m < ARRAY_SIZE(modes); m++) {
		struct roce_port *port = new_port(test);

		set_ecn(test, port, modes[m]);
		for (i = 0; i < 4; i++)
			roce_port_arrive(port, packet(test, LOW, 100), T0);
		for (i = 0; i < 2; i++)
			roce_port_arrive(port, packet(test, DATA, 100), T0);
		advance(port, T0 + 1000);
		KUNIT_EXPECT_EQ(test, port->prio[3].stats.tx_packets, 2);
		KUNIT_EXPECT_EQ(test, marked_of(port, 3), 0);
		KUNIT_EXPECT_EQ(test, marked_of(port, 0), 0);
		purge(port, T0 + 1000);
	}
}

/* Half rate from the next packet on; a shorter wire does not reorder. */
static void roce_port__change(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);
	struct sk_buff *skb[3];
	int i;

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	port->cfg.delay_ns = 1000;
	for (i = 0; i < 3; i++) {
		skb[i] = packet(test, DATA, 100);
		roce_port_arrive(port, skb[i], T0);
	}
	*cfg = port->cfg;
	cfg->rate_bps = BYTE_PER_NS / 2;
	roce_port_set_config(port, cfg, T0 + 50);
	cfg->delay_ns = 0;
	roce_port_set_config(port, cfg, T0 + 250);

	expect_delivery(test, port, skb[0], T0 + 1100);
	/* sent from 100 to 300 at half rate, started with the old delay */
	expect_delivery(test, port, skb[1], T0 + 1300);
	/* sent from 300 to 500, no delay, but behind the one before */
	KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(port, T0 + 1300), skb[2]);
	KUNIT_EXPECT_EQ(test, roce_skb_cb(skb[2])->time_ns, T0 + 1300);
	kfree_skb(skb[2]);
	KUNIT_EXPECT_EQ(test, roce_port_busy_ns(port, T0 + 2000), 500);
}

static void roce_port__purge(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	struct sk_buff *skb;
	int i;

	for (i = 0; i < 10; i++)
		roce_port_arrive(port, packet(test, i & 1 ? DATA : HIGH, 100),
				 T0);
	purge(port, T0 + 150);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), ROCE_NEVER);
	KUNIT_EXPECT_EQ(test, port->bytes, 0);
	KUNIT_EXPECT_EQ(test, port->backlog, 0);
	KUNIT_EXPECT_EQ(test, roce_port_busy_ns(port, T0 + 1000), 150);

	skb = packet(test, DATA, 100);
	roce_port_arrive(port, skb, T0 + 160);
	expect_delivery(test, port, skb, T0 + 260);
}

/* Of 16 buckets for each power of two; the last one has no end. */
static void roce_port__hist_bucket(struct kunit *test)
{
	static const struct {
		u64 bytes;
		unsigned int nr;
	} cases[] = {
		{ 0, 0 }, { 31, 31 }, { 32, 32 }, { 33, 32 }, { 34, 33 },
		{ 63, 47 }, { 64, 48 }, { 100, 57 }, { 103, 57 }, { 104, 58 },
		{ U32_MAX, ROCE_WATCH_BUCKETS - 1 },
		{ U64_MAX, ROCE_WATCH_BUCKETS - 1 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		KUNIT_EXPECT_EQ(test, roce_hist_bucket(cases[i].bytes), cases[i].nr);
}

/* All priorities together, whenever somebody looks: of 400 ns and the 5 before,
 * 0 bytes wait until 10 and from 300 on, 100 until 40 and from 100, else 300.
 */
static void roce_port__hist(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	struct roce_hist *hist = kunit_kzalloc(test, sizeof(*hist), GFP_KERNEL);
	struct sk_buff *skb;
	u64 sum = 0;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, hist);
	hist->since_ns = T0 - 5;
	port->hist = hist;
	roce_port_arrive(port, packet(test, DATA, 100), T0);
	roce_port_arrive(port, packet(test, DATA, 100), T0 + 10);
	roce_port_arrive(port, packet(test, HIGH, 200), T0 + 40);
	advance(port, T0 + 400);
	roce_hist_update(hist, port->bytes, T0 + 400);
	port->hist = NULL;
	KUNIT_EXPECT_EQ(test, hist->ns[0], 5 + 10 + 100);
	KUNIT_EXPECT_EQ(test, hist->ns[roce_hist_bucket(100)], 30 + 200);
	KUNIT_EXPECT_EQ(test, hist->ns[roce_hist_bucket(300)], 60);
	for (i = 0; i < ROCE_WATCH_BUCKETS; i++)
		sum += hist->ns[i];
	KUNIT_EXPECT_EQ(test, sum, 405);
	while ((skb = roce_port_deliver(port, T0 + 400)))
		kfree_skb(skb);
}

/* Send @nr packets of 100 bytes, one after the other. Returns when the last has been. */
static u64 wire_fill(struct kunit *test, struct roce_port *port, u32 nr, u64 now_ns)
{
	for (; nr; nr--, now_ns += 100)
		KUNIT_EXPECT_EQ(test, roce_port_arrive(port, packet(test, DATA, 100), now_ns),
				ROCE_ACCEPTED);
	advance(port, now_ns);
	return now_ns;
}

static u32 wire_deliver(struct kunit *test, struct roce_port *port, u64 now_ns)
{
	struct sk_buff *skb;
	u32 nr = 0;

	for (; (skb = roce_port_deliver(port, now_ns)); nr++)
		kfree_skb(skb);
	return nr;
}

/* A cable of ten seconds holds what it may and no more: bytes, then packets. The line is as
 * busy as without a limit, and what fits arrives when it would have.
 */
static void roce_port__wire_limit(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	const struct roce_prio_stats *st = &port->prio[3].stats;
	u64 delay_ns = TC_ROCE_DELAY_MAX_NS;
	u64 end_ns;

	port->cfg.delay_ns = delay_ns;
	port->cfg.wire_bytes = 1099;
	end_ns = wire_fill(test, port, 30, T0);
	KUNIT_EXPECT_EQ(test, port->wire.qlen, 10);
	KUNIT_EXPECT_EQ(test, port->wire_bytes, 1000);
	KUNIT_EXPECT_EQ(test, st->drop_wire_limit, 20);
	KUNIT_EXPECT_EQ(test, st->tx_packets, 30);
	KUNIT_EXPECT_EQ(test, roce_port_busy_ns(port, end_ns), 3000);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), 0);
	roce_test_bury(port);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), T0 + 100 + delay_ns);

	/* The first has come out: there is room for one. */
	end_ns = T0 + 100 + delay_ns;
	KUNIT_EXPECT_EQ(test, wire_deliver(test, port, end_ns), 1);
	wire_fill(test, port, 2, end_ns);
	KUNIT_EXPECT_EQ(test, st->drop_wire_limit, 21);
	roce_test_bury(port);

	/* Of packets one may be more than the bytes let out. */
	port->cfg.wire_packets = 3;
	port->cfg.wire_bytes = 0;
	KUNIT_EXPECT_EQ(test, wire_deliver(test, port, end_ns + 2 * delay_ns), 10);
	KUNIT_EXPECT_EQ(test, port->wire_bytes, 0);
	end_ns = wire_fill(test, port, 5, end_ns + 2 * delay_ns);
	KUNIT_EXPECT_EQ(test, port->wire.qlen, 3);
	KUNIT_EXPECT_EQ(test, st->drop_wire_limit, 23);
	roce_test_bury(port);
	purge(port, end_ns);
	KUNIT_EXPECT_EQ(test, port->wire_bytes, 0);
}

/* An empty wire takes a packet of any length; one that is lost when the cable is pulled
 * while the line still sends it, is lost once.
 */
static void roce_port__wire_limit_edges(struct kunit *test)
{
	struct roce_port *port = new_port(test);
	struct sk_buff *dead;
	u32 nr = 0;

	port->cfg.delay_ns = TC_ROCE_DELAY_MAX_NS;
	port->cfg.wire_bytes = 1;
	roce_port_arrive(port, packet(test, DATA, 200), T0);
	KUNIT_EXPECT_EQ(test, port->wire.qlen, 1);
	roce_port_arrive(port, packet(test, DATA, 100), T0 + 200);
	KUNIT_EXPECT_EQ(test, port->wire.qlen, 1);
	KUNIT_ASSERT_NOT_NULL(test, port->sending);
	roce_port_purge(port, T0 + 250);
	for (dead = port->dead.head; dead; dead = dead->next)
		nr++;
	KUNIT_EXPECT_EQ(test, nr, 2);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.drop_wire_limit, 0);
	KUNIT_EXPECT_NULL(test, port->sending);
	roce_test_bury(port);
}

/* What nobody set is no limit for what a line can have under way: 256 MiB at most, at
 * 800 Gbit/s 2.6 ms of the largest packets.
 */
static void roce_port__wire_limit_auto(struct kunit *test)
{
	struct roce_port *port = new_port(test);

	port->cfg.delay_ns = 1000000;
	wire_fill(test, port, 10000, T0);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.drop_wire_limit, 0);
	KUNIT_EXPECT_EQ(test, port->wire.qlen, 10000);
	purge(port, T0 + 1000000);
}

static struct kunit_case roce_port_cases[] = {
	KUNIT_CASE(roce_port__one_packet),
	KUNIT_CASE(roce_port__fractions),
	KUNIT_CASE(roce_port__priorities),
	KUNIT_CASE(roce_port__tie),
	KUNIT_CASE(roce_port__lazy_is_exact),
	KUNIT_CASE(roce_port__limits),
	KUNIT_CASE(roce_port__orphans_at_departure),
	KUNIT_CASE(roce_port__orphans_behind_forwarded),
	KUNIT_CASE(roce_port__area),
	KUNIT_CASE(roce_port__hist_bucket),
	KUNIT_CASE(roce_port__hist),
	KUNIT_CASE(roce_port__ecn),
	KUNIT_CASE(roce_port__ecn_own_queue),
	KUNIT_CASE(roce_port__change),
	KUNIT_CASE(roce_port__purge),
	KUNIT_CASE(roce_port__wire_limit),
	KUNIT_CASE(roce_port__wire_limit_edges),
	KUNIT_CASE(roce_port__wire_limit_auto),
	{}
};

static struct kunit_suite roce_port_suite = {
	.name = "roce_port",
	.test_cases = roce_port_cases,
};

kunit_test_suite(roce_port_suite);
