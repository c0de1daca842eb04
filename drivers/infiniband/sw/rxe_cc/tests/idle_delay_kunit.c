// SPDX-License-Identifier: GPL-2.0
/*
 * The idle path by length, against paths of up to six links, packet by packet: each port sends
 * a packet on when it has all of it, first come, first served. What a packet waits is known
 * here, so what is found can be compared with it.
 */
#include <kunit/test.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "core/cc_idle_delay.h"

#define IDLE_LINKS	6
#define IDLE_PS		1000LL
#define IDLE_FULL	1130
#define IDLE_SHORT	112
#define IDLE_WINDOW_NS	(10 * (u64)NSEC_PER_MSEC)
#define IDLE_GBPS	1000000000ULL

/**
 * struct idle_path - a path, and who measures on it
 * @idle: what is tested
 * @links: of the path
 * @gbit: speed of each
 * @prop_ps: propagation of each
 * @free_ps: when each is free
 * @now_ps: when the next packet is sent
 * @psn: its PSN
 * @longest: length of the longest so far
 * @ttl: of packets
 * @apart_ns: what the clocks are apart
 * @drifts: they are two
 * @waited_ns: what the last packet waited
 * @over_ns: its excess, as found
 * @base_ns: the longest's time on the idle path, as found
 */
struct idle_path {
	struct rxe_cc_idle idle;
	unsigned int links, gbit[IDLE_LINKS];
	s64 prop_ps[IDLE_LINKS];
	s64 free_ps[IDLE_LINKS];
	s64 now_ps;
	u32 psn, longest;
	u8 ttl;
	s64 apart_ns;
	bool drifts;
	s64 waited_ns, over_ns, base_ns;
};

static s64 idle_tx_ps(const struct idle_path *p, unsigned int link, u32 bytes)
{
	return div_u64(8000ULL * bytes, p->gbit[link]);
}

/* What a packet takes that waits nowhere. */
static s64 idle_alone_ps(const struct idle_path *p, u32 bytes)
{
	s64 ps = 0;
	unsigned int i;

	for (i = 0; i < p->links; i++)
		ps += p->prop_ps[i] + idle_tx_ps(p, i, bytes);
	return ps;
}

/* The round trip of the longest, and of an answer of 100 bytes. */
static s64 idle_t_ns(const struct idle_path *p)
{
	return div_s64(idle_alone_ps(p, p->longest) + idle_alone_ps(p, 100), IDLE_PS);
}

static struct idle_path *idle_new(struct kunit *test, unsigned int links, unsigned int gbit,
				  s64 prop_ns)
{
	struct idle_path *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->links = links;
	for (i = 0; i < links; i++) {
		p->gbit[i] = gbit;
		p->prop_ps[i] = prop_ns * IDLE_PS;
	}
	p->now_ps = NSEC_PER_SEC * IDLE_PS;
	return p;
}

/* The packet arrives: it is measured. */
static void idle_arrives(struct idle_path *p, s64 took_ps, s64 at_ps, u32 bytes)
{
	struct rxe_cc_idle_pkt pkt = {
		.now_ns = div_s64(at_ps, IDLE_PS), .at_ns = div_s64(at_ps, IDLE_PS),
		.ns = div_s64(took_ps, IDLE_PS) + p->apart_ns, .window_ns = IDLE_WINDOW_NS,
		.line_bps = p->gbit[p->links - 1] * IDLE_GBPS, .bytes = bytes,
		.psn = p->psn++ & 0xffffff, .ttl = p->ttl, .drifts = p->drifts,
	};

	p->over_ns = pkt.ns - rxe_cc_idle_sample(&p->idle, &pkt, &p->base_ns);
}

/* Send a packet now; the next one may go when the first link has had it. */
static void idle_send(struct idle_path *p, u32 bytes)
{
	s64 at_ps, left_ps = max(p->now_ps, p->free_ps[0]);
	unsigned int i;

	at_ps = left_ps;
	for (i = 0; i < p->links; i++) {
		at_ps = max(at_ps, p->free_ps[i]) + idle_tx_ps(p, i, bytes);
		p->free_ps[i] = at_ps;
		at_ps += p->prop_ps[i];
	}
	p->longest = max(p->longest, bytes);
	p->waited_ns = div_s64(at_ps - left_ps - idle_alone_ps(p, bytes) + IDLE_PS - 1, IDLE_PS);
	idle_arrives(p, at_ps - left_ps, at_ps, bytes);
	p->now_ps = p->free_ps[0];
}

static void idle_pass(struct idle_path *p, s64 ns)
{
	p->now_ps += ns * IDLE_PS;
}

/* Packets of others are before it on a link. */
static void idle_others(struct idle_path *p, unsigned int link, s64 ns)
{
	p->free_ps[link] = max(p->free_ps[link], p->now_ps) + ns * IDLE_PS;
}

/* Lengths, by turns: of messages of k packets and a byte, of one length, of any. */
static u32 idle_length(unsigned int kind, unsigned int n)
{
	switch (kind) {
	case 0:
		return n % 17 ? IDLE_FULL : IDLE_SHORT;
	case 1:
		return IDLE_FULL;
	case 2:
		return IDLE_SHORT;
	case 3:
		return n % 2 ? IDLE_FULL : IDLE_SHORT;
	case 4: /* long ones only later */
		return n < 20 ? IDLE_SHORT : IDLE_FULL;
	case 5:
		return n < 20 ? IDLE_FULL : IDLE_SHORT;
	default:
		return IDLE_SHORT + n * 7919 % (IDLE_FULL - IDLE_SHORT + 1);
	}
}

static void idle_packets(struct kunit *test, struct idle_path *p, unsigned int kind,
			 void (*each)(struct kunit *test, struct idle_path *p, u32 bytes))
{
	unsigned int n;

	for (n = 0; n < 200; n++)
		each(test, p, idle_length(kind, n));
	kunit_kfree(test, p);
}

/* All speeds, 2, 4 and 6 links, of which one may be ten times slower or the others faster,
 * at any place; all orders of lengths. Calls @each for 200 packets.
 */
static void idle_paths(struct kunit *test, s64 prop_ns,
		       void (*each)(struct kunit *test, struct idle_path *p, u32 bytes))
{
	static const unsigned int gbit[] = { 1, 10, 25, 40, 100, 400 };
	unsigned int g, links, place, kind;

	for (g = 0; g < ARRAY_SIZE(gbit); g++)
		for (links = 2; links <= IDLE_LINKS; links += 2)
			for (place = 0; place <= links; place++)
				for (kind = 0; kind < 7; kind++) {
					struct idle_path *p = idle_new(test, links, gbit[g],
								       prop_ns);

					if (place < links)
						p->gbit[place] = DIV_ROUND_UP(gbit[g], 10);
					idle_packets(test, p, kind, each);
				}
}

/* Sent alone: the excess is 0, give or take 1 % of T; 2 ns are rounding. */
static void idle_one_alone(struct kunit *test, struct idle_path *p, u32 bytes)
{
	idle_send(p, bytes);
	KUNIT_EXPECT_LE_MSG(test, p->over_ns, idle_t_ns(p) / 100 + 2,
			    "%u links of %u and %u Gbit/s, packet %u of %u bytes", p->links,
			    p->gbit[0], p->gbit[1], p->psn, bytes);
	idle_pass(p, 2 * idle_t_ns(p));
}

static void idle__alone(struct kunit *test)
{
	idle_paths(test, 0, idle_one_alone);
	idle_paths(test, 1000, idle_one_alone);
}

/* In bursts of ten: never more than the packet waited, which is what those before it cause. */
static void idle_one_behind(struct kunit *test, struct idle_path *p, u32 bytes)
{
	idle_send(p, bytes);
	KUNIT_EXPECT_LE_MSG(test, p->over_ns, p->waited_ns + idle_t_ns(p) / 100 + 2,
			    "%u links of %u and %u Gbit/s, packet %u of %u bytes", p->links,
			    p->gbit[0], p->gbit[1], p->psn, bytes);
	if (p->psn % 10 == 0)
		idle_pass(p, 40 * idle_t_ns(p));
}

static void idle__back_to_back(struct kunit *test)
{
	idle_paths(test, 0, idle_one_behind);
	idle_paths(test, 1000, idle_one_behind);
}

/* A short packet meets the path idle, long ones never do. The first sees what is above the
 * slope that is supposed, (GUESS - links) packets; those behind it what is above six of the
 * slowest link: LINKS - links packets are missed.
 */
static void idle__queue_first(struct kunit *test)
{
	static const unsigned int gbit[] = { 1, 10, 25, 40, 100, 400 };
	unsigned int g, links, n;

	for (g = 0; g < ARRAY_SIZE(gbit); g++)
		for (links = 2; links <= IDLE_LINKS; links += 2) {
			struct idle_path *p = idle_new(test, links, gbit[g], 1000);
			s64 tx_ns = div_s64(idle_tx_ps(p, 0, IDLE_FULL), IDLE_PS) + 1;
			s64 missed_ns = (RXE_CC_IDLE_GUESS - links) * tx_ns;

			idle_send(p, IDLE_SHORT);
			idle_pass(p, 10 * idle_t_ns(p));
			idle_others(p, 1, 40 * tx_ns + 1000);
			for (n = 0; n < 50; n++) {
				idle_send(p, IDLE_FULL);
				/* 2 ns of rounding in a distance of two packets, for each link. */
				KUNIT_EXPECT_GE_MSG(test, p->over_ns,
						    p->waited_ns - missed_ns - 2 * IDLE_LINKS - 2,
						    "%u links of %u Gbit/s, packet %u", links,
						    gbit[g], n);
				KUNIT_EXPECT_LE(test, p->over_ns, p->waited_ns + 2);
				missed_ns = (RXE_CC_IDLE_LINKS - links) * tx_ns;
			}
			kunit_kfree(test, p);
		}
}

/* A queue that stands for a hundred windows does not become the path, whatever flow sees it,
 * unless that sends next to nothing: 1/256 of the line, a packet in eight of its delays.
 */
static void idle__no_ratchet(struct kunit *test)
{
	struct idle_path *p = idle_new(test, 3, 10, 1000);
	s64 each_ns, alone_ns, queue_ns = 10000;
	unsigned int n;

	idle_send(p, IDLE_FULL);
	alone_ns = p->base_ns;
	each_ns = min(256 * idle_tx_ps(p, 0, IDLE_FULL) / 1000, 8 * (alone_ns + queue_ns));
	for (n = 0; n < 100 * IDLE_WINDOW_NS / each_ns; n++) {
		idle_pass(p, each_ns);
		/* As long as the last one, give or take a packet. */
		idle_others(p, 1, queue_ns + n % 7 * 100);
		idle_send(p, IDLE_FULL);
		KUNIT_ASSERT_EQ(test, p->base_ns, alone_ns);
		KUNIT_ASSERT_GE(test, p->over_ns, queue_ns - 3000);
	}
}

/* A longer path. Another number of routers: at once, once in a window. The same number: after
 * a window in which the flow sent next to nothing, so that it does not wait for ever.
 */
static void idle__longer(struct kunit *test)
{
	struct idle_path *p = idle_new(test, 4, 100, 1000);
	unsigned int n;
	s64 old_ns;

	p->ttl = 61;
	for (n = 0; n < 10; n++, idle_pass(p, 20000))
		idle_send(p, n & 1 ? IDLE_FULL : IDLE_SHORT);
	KUNIT_EXPECT_EQ(test, p->over_ns, 0LL);
	p->prop_ps[1] += 50000 * IDLE_PS;
	p->ttl = 60;
	for (n = 0; n < 10; n++, idle_pass(p, 20000)) {
		idle_send(p, n & 1 ? IDLE_FULL : IDLE_SHORT);
		KUNIT_EXPECT_LE(test, p->over_ns, 1LL);
	}
	old_ns = p->base_ns;
	/* Who claims another number each time has no more than that. */
	p->prop_ps[1] += 50000 * IDLE_PS;
	for (n = 0; n < 100; n++, idle_pass(p, 20000)) {
		p->ttl = 50 + n % 3;
		idle_send(p, IDLE_FULL);
		KUNIT_EXPECT_EQ(test, p->base_ns, old_ns);
		KUNIT_EXPECT_GE(test, p->over_ns, 49990LL);
	}
	p->ttl = 60;
	/* Packets that are less than 16 delays apart, and more than 1/512 of the line. */
	for (n = 0; n < 10 * IDLE_WINDOW_NS / 40000; n++, idle_pass(p, 40000)) {
		idle_send(p, IDLE_FULL);
		KUNIT_ASSERT_EQ(test, p->base_ns, old_ns);
	}
	/* Then few: all is well after two windows, or eight packets. */
	for (n = 0; n < 30; n++, idle_pass(p, 2 * NSEC_PER_MSEC))
		idle_send(p, n & 1 ? IDLE_FULL : IDLE_SHORT);
	KUNIT_EXPECT_LE(test, p->over_ns, 1LL);
	KUNIT_EXPECT_LE(test, abs(p->base_ns - old_ns - 50000), 1LL);
}

/* Two links behind the slow one bring packets together, so the slope is believed to be less
 * than it is. A flow that such an excess stops is alone then, and learns it.
 */
static void idle__proven(struct kunit *test)
{
	struct idle_path *p = idle_new(test, 6, 100, 1000);
	unsigned int n;

	p->gbit[1] = 1;
	idle_send(p, IDLE_SHORT);
	idle_pass(p, 100000);
	p->idle.near_q16 = 5243;	/* 0.08 ns a byte: 100 Gbit/s */
	for (n = 0; n < 40; n++, idle_pass(p, NSEC_PER_MSEC)) {
		idle_send(p, n % 4 ? IDLE_FULL : IDLE_SHORT);
		/* Eight packets, and two windows of ten. */
		if (n > 20)
			KUNIT_EXPECT_LE_MSG(test, p->over_ns, 1LL, "packet %u", n);
	}
	/* It is not forgotten with the next pair. */
	p->idle.near_q16 = 5243;
	for (n = 0; n < 40; n++, idle_pass(p, NSEC_PER_MSEC)) {
		idle_send(p, n % 4 ? IDLE_FULL : IDLE_SHORT);
		KUNIT_EXPECT_LE_MSG(test, p->over_ns, 1LL, "packet %u", n);
	}
}

/* Two clocks, 100 ppm apart either way: what is found lags by a window of drift, and what is
 * above is queue. A queue that never ends counts as path no faster than 244 ppm.
 */
static void idle__drift(struct kunit *test)
{
	int ppm;

	for (ppm = -100; ppm <= 100; ppm += 200) {
		struct idle_path *p = idle_new(test, 3, 100, 1000);
		s64 begin_ps = p->now_ps, lag_ns = 2 * IDLE_WINDOW_NS / 10000 + 2, base_ns;
		unsigned int n;

		p->drifts = true;
		for (n = 0; n < 10000; n++, idle_pass(p, 20000)) {
			p->apart_ns = -1000000000 + div_s64((p->now_ps - begin_ps) * ppm,
							    1000000 * IDLE_PS);
			idle_send(p, n % 5 ? IDLE_FULL : IDLE_SHORT);
			KUNIT_ASSERT_LE(test, p->over_ns, lag_ns);
		}
		base_ns = p->base_ns;
		/* A window is under way; packets arrive 20 us later. */
		begin_ps = p->now_ps - IDLE_WINDOW_NS * IDLE_PS;
		for (n = 0; n < 10000; n++, idle_pass(p, 20000)) {
			idle_others(p, 1, 15000);
			idle_send(p, IDLE_FULL);
			KUNIT_ASSERT_LE(test, p->base_ns - base_ns,
					((p->now_ps - begin_ps) / IDLE_PS >>
					 RXE_CC_IDLE_DRIFT_SHIFT) + 10);
		}
		kunit_kfree(test, p);
	}
}

/* Whatever times are claimed, of whatever lengths: sums fit, what is found is no more than
 * the packet took, and true packets are well again after two windows of few.
 */
static void idle__forged(struct kunit *test)
{
	static const s64 claim_ns[] = {
		-RXE_CC_IDLE_MAX_NS + 1, -1, 0, 1, 5000, RXE_CC_IDLE_MAX_NS - 1,
	};
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(claim_ns); i++) {
		struct idle_path *p = idle_new(test, 3, 10, 1000);

		for (n = 0; n < 20; n++, idle_pass(p, 1000)) {
			idle_send(p, n & 1 ? IDLE_FULL : IDLE_SHORT);
			idle_arrives(p, claim_ns[i] / 1000 * IDLE_PS, p->now_ps,
				     n % 3 ? U16_MAX : 1);
			KUNIT_EXPECT_GE(test, p->over_ns, 0LL);
			p->idle.ns = claim_ns[i];
			idle_send(p, IDLE_FULL);
			KUNIT_EXPECT_GE(test, p->over_ns, 0LL);
		}
		for (n = 0; n < 30; n++, idle_pass(p, 2 * NSEC_PER_MSEC))
			idle_send(p, n & 1 ? IDLE_FULL : IDLE_SHORT);
		KUNIT_EXPECT_LE_MSG(test, p->over_ns, 1LL, "claim %u", i);
		kunit_kfree(test, p);
	}
}

static struct kunit_case idle_cases[] = {
	KUNIT_CASE(idle__alone),
	KUNIT_CASE(idle__back_to_back),
	KUNIT_CASE(idle__queue_first),
	KUNIT_CASE(idle__no_ratchet),
	KUNIT_CASE(idle__longer),
	KUNIT_CASE(idle__proven),
	KUNIT_CASE(idle__drift),
	KUNIT_CASE(idle__forged),
	{}
};

static struct kunit_suite idle_suite = {
	.name = "rxe_cc_idle",
	.test_cases = idle_cases,
};

kunit_test_suite(idle_suite);
