// SPDX-License-Identifier: GPL-2.0
/* PFC frames, and pauses as the peer asks for them, on a clock of the test's. */
#include <kunit/test.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/math64.h>
#include <net/inet_ecn.h>

#include "../roce_next_event.h"
#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

#define T0		1000000ULL
#define LOW		0		/* DSCPs of the default map */
#define DATA		26		/* priority 3 */
#define HIGH		48		/* priority 6 */

/* A PFC frame as a receive handler gets it. */
static struct sk_buff *pfc_frame(struct kunit *test, u8 enable, u16 quanta)
{
	struct roce_pfc_frame frame = { .enable = enable };
	struct sk_buff *skb;
	int i;

	for (i = 0; i < ROCE_PFC_PRIOS; i++)
		frame.quanta[i] = enable & BIT(i) ? quanta : 0;
	skb = roce_pfc_build(NULL, &frame);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_pull(skb, ETH_HLEN);
	return skb;
}

/* The peer pauses priority 3, or resumes it. */
static void pause(struct kunit *test, struct roce_port *port, u16 quanta,
		  u64 now_ns)
{
	struct sk_buff *skb = pfc_frame(test, BIT(3), quanta);

	roce_switch_advance(port->sw, now_ns);
	roce_tap_pfc(port, skb, now_ns);
	kfree_skb(skb);
}

static struct roce_port *lossless_port(struct kunit *test)
{
	struct roce_port *port = roce_test_port(test, 1, NULL);

	port->cfg.prio[3].lossless = true;
	return port;
}

static struct sk_buff *arrive(struct kunit *test, struct roce_port *port,
			      u8 dscp, u32 len, u64 now_ns)
{
	struct sk_buff *skb = roce_test_ipv4(test, dscp << 2 | INET_ECN_ECT_0,
					     len);

	KUNIT_EXPECT_EQ(test, roce_port_arrive(port, skb, now_ns),
			ROCE_ACCEPTED);
	return skb;
}

/* @skb is delivered at @at_ns and not a nanosecond before. */
static void expect_at(struct kunit *test, struct roce_port *port,
		      struct sk_buff *skb, u64 at_ns)
{
	struct sk_buff *got = roce_port_deliver(port, at_ns - 1);

	KUNIT_ASSERT_NULL(test, got);
	got = roce_port_deliver(port, at_ns);
	KUNIT_ASSERT_PTR_EQ(test, got, skb);
	kfree_skb(skb);
}

static void roce_pfc__round_trip(struct kunit *test)
{
	struct roce_pfc_frame in = { .enable = 0xa5 }, out = {};
	struct sk_buff *skb;
	int i;

	for (i = 0; i < ROCE_PFC_PRIOS; i++)
		in.quanta[i] = in.enable & BIT(i) ? 1000 * i + 7 : 0;
	skb = roce_pfc_build(NULL, &in);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->len, 60);
	KUNIT_EXPECT_EQ(test, ntohs(skb->protocol), 0x8808);
	skb_pull(skb, ETH_HLEN);
	KUNIT_EXPECT_EQ(test, roce_pfc_parse(skb, &out), ROCE_PFC_OK);
	KUNIT_EXPECT_MEMEQ(test, &in, &out, sizeof(in));
	kfree_skb(skb);
}

/* Byte for byte as in the standard: 3 paused for 0xffff, 5 resumed. */
static void roce_pfc__bytes(struct kunit *test)
{
	static const u8 expected[60] = {
		0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0, 0, 0, 0, 0, 0,
		0x88, 0x08, 0x01, 0x01, 0x00, 0x28,
		0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	struct roce_pfc_frame frame = { .enable = 0x28, .quanta[3] = 0xffff };
	struct sk_buff *skb = roce_pfc_build(NULL, &frame);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_MEMEQ(test, skb->data, expected, sizeof(expected));
	kfree_skb(skb);
}

static void roce_pfc__malformed(struct kunit *test)
{
	static const struct {
		int at;			/* byte from the Ethernet header, < 0: none */
		u8 value;
		u32 len;		/* behind the Ethernet header */
		bool tagged;
		enum roce_pfc_verdict expected;
	} table[] = {
		{ -1, 0, 46, false, ROCE_PFC_OK },
		{ -1, 0, 45, false, ROCE_PFC_BAD },
		{ -1, 0, 19, false, ROCE_PFC_BAD },
		{ -1, 0, 1, false, ROCE_PFC_BAD },
		{ -1, 0, 0, false, ROCE_PFC_BAD },
		{ -1, 0, 46, true, ROCE_PFC_BAD },
		{ 0, 0x00, 46, false, ROCE_PFC_BAD },	/* address */
		{ 5, 0x02, 46, false, ROCE_PFC_BAD },
		{ 14, 0x00, 46, false, ROCE_PFC_OTHER },	/* opcode: PAUSE */
		{ 15, 0x02, 46, false, ROCE_PFC_OTHER },
		{ 16, 0x01, 46, false, ROCE_PFC_BAD },	/* enable's upper byte */
		{ 16, 0x80, 46, false, ROCE_PFC_BAD },
		{ 17, 0x00, 46, false, ROCE_PFC_OK },	/* nobody */
		{ 17, 0xff, 46, false, ROCE_PFC_OK },
		{ 59, 0xff, 46, false, ROCE_PFC_OK },	/* padding */
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_port *port = lossless_port(test);
		struct sk_buff *skb = pfc_frame(test, BIT(3), 100);

		if (table[i].at >= 0)
			skb->data[table[i].at - ETH_HLEN] = table[i].value;
		skb_trim(skb, table[i].len);
		if (table[i].tagged)
			__vlan_hwaccel_put_tag(skb, htons(ETH_P_8021Q), 1);
		roce_tap_pfc(port, skb, T0);
		KUNIT_EXPECT_EQ_MSG(test, port->stats.pfc_rx,
				    table[i].expected == ROCE_PFC_OK, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, port->stats.pfc_bad,
				    table[i].expected == ROCE_PFC_BAD, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, port->stats.pfc_other,
				    table[i].expected == ROCE_PFC_OTHER,
				    "row %d", i);
		if (table[i].expected != ROCE_PFC_OK)
			KUNIT_EXPECT_EQ_MSG(test, port->pfc.paused, 0,
					    "row %d", i);
		kfree_skb(skb);
	}
}

/* Behind the header in another fragment, it reads the same. */
static void roce_pfc__nonlinear(struct kunit *test)
{
	struct sk_buff *skb = pfc_frame(test, BIT(3), 100);
	struct roce_pfc_frame frame = {};
	struct page *page = alloc_page(GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, page);
	memcpy(page_address(page), skb->data + 10, 36);
	skb_trim(skb, 10);
	skb_add_rx_frag(skb, 0, page, 0, 36, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, skb_headlen(skb), 10);
	KUNIT_EXPECT_EQ(test, roce_pfc_parse(skb, &frame), ROCE_PFC_OK);
	KUNIT_EXPECT_EQ(test, frame.quanta[3], 100);
	kfree_skb(skb);
}

static u64 ns_of_bits(u64 bits, u64 rate_bps)
{
	return div64_u64(bits * NSEC_PER_SEC + rate_bps - 1, rate_bps);
}

/* At every speed: the packet being sent is finished, then silence, to the
 * nanosecond as long as the frame says from the frame on.
 */
static void roce_pause__timing(struct kunit *test)
{
	static const u64 gbit[] = { 1, 10, 25, 40, 100, 200, 400, 800 };
	static const u16 quanta[] = { 65535, 1000, 333 };
	int i, q;

	for (i = 0; i < ARRAY_SIZE(gbit) * ARRAY_SIZE(quanta); i++) {
		struct roce_port *port = lossless_port(test);
		u64 rate_bps = gbit[i % ARRAY_SIZE(gbit)] * NSEC_PER_SEC;
		struct sk_buff *skb[2];
		u64 pause_ns, bits;

		q = quanta[i / ARRAY_SIZE(gbit)];
		port->cfg.rate_bps = rate_bps;
		skb[0] = arrive(test, port, DATA, 1001, T0);
		skb[1] = arrive(test, port, DATA, 1001, T0);
		/* while the first is on the line */
		pause_ns = T0 + ns_of_bits(4000, rate_bps);
		pause(test, port, q, pause_ns);
		expect_at(test, port, skb[0],
			  T0 + ns_of_bits(8008, rate_bps));
		KUNIT_EXPECT_TRUE(test, roce_port_paused(port, 3, pause_ns));

		bits = 512ULL * q;
		KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port),
				pause_ns + ns_of_bits(bits, rate_bps));
		expect_at(test, port, skb[1],
			  pause_ns + ns_of_bits(bits + 8008, rate_bps));
		KUNIT_EXPECT_EQ(test, port->prio[3].pause.pause_ns,
				ns_of_bits(bits, rate_bps));
	}
}

static void roce_pause__resume(struct kunit *test)
{
	struct roce_port *port = lossless_port(test);
	struct sk_buff *skb;

	pause(test, port, 65535, T0);
	skb = arrive(test, port, DATA, 100, T0 + 10);
	KUNIT_EXPECT_EQ(test, port->prio[3].bytes, 100);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 400), 400);
	pause(test, port, 0, T0 + 500);
	KUNIT_EXPECT_FALSE(test, roce_port_paused(port, 3, T0 + 500));
	expect_at(test, port, skb, T0 + 600);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 1000), 500);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.indications, 1);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.resumed, 1);
	/* resumed without a pause: counted, harmless */
	pause(test, port, 0, T0 + 1000);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.resumed, 2);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 2000), 500);
}

/* 8 Gbit/s: a quantum is 64 ns. A refresh counts from itself, also when it
 * shortens, and is no break; after the end a new pause begins.
 */
static void roce_pause__refresh(struct kunit *test)
{
	struct roce_port *port = lossless_port(test);
	struct sk_buff *skb;

	pause(test, port, 100, T0);		/* until 6400 */
	skb = arrive(test, port, DATA, 100, T0 + 10);
	pause(test, port, 100, T0 + 3200);	/* until 9600 */
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.since_ns, T0);
	pause(test, port, 10, T0 + 9000);	/* until 9640 */
	expect_at(test, port, skb, T0 + 9740);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 9740), 9640);

	pause(test, port, 10, T0 + 20000);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.since_ns, T0 + 20000);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 90000), 10280);
	KUNIT_EXPECT_FALSE(test, roce_port_paused(port, 3, T0 + 20640));
	KUNIT_EXPECT_TRUE(test, roce_port_paused(port, 3, T0 + 20639));
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.indications, 4);
}

/* Only the priority that is paused waits; the others, below and above it, go
 * on, also when they come to an idle line.
 */
static void roce_pause__others_go_on(struct kunit *test)
{
	struct roce_port *port = lossless_port(test);
	struct sk_buff *data, *low, *high, *low2;

	pause(test, port, 100, T0);		/* until 6400 */
	data = arrive(test, port, DATA, 100, T0);
	low = arrive(test, port, LOW, 100, T0 + 10);
	high = arrive(test, port, HIGH, 100, T0 + 20);
	expect_at(test, port, low, T0 + 110);
	expect_at(test, port, high, T0 + 210);
	/* on the line at the end of the pause: it is finished first */
	low2 = arrive(test, port, LOW, 100, T0 + 6350);
	expect_at(test, port, low2, T0 + 6450);
	expect_at(test, port, data, T0 + 6550);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 9000), 6400);
}

/* A priority that is not lossless does not obey. */
static void roce_pause__ignored(struct kunit *test)
{
	struct roce_port *port = roce_test_port(test, 1, NULL);
	struct sk_buff *skb;

	pause(test, port, 100, T0);
	pause(test, port, 0, T0 + 1);
	skb = arrive(test, port, DATA, 100, T0 + 2);
	expect_at(test, port, skb, T0 + 102);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.ignored, 2);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.indications, 0);
	KUNIT_EXPECT_EQ(test, port->stats.pfc_rx, 2);
}

/* Effect 300 ns after the frame; the pause lasts from then on. */
static void roce_pause__response(struct kunit *test)
{
	struct roce_port *port = lossless_port(test);
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);
	struct sk_buff *skb[4];
	int i;

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	*cfg = port->cfg;
	cfg->pfc_response_ns = 300;
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, 0), 0);

	for (i = 0; i < 4; i++)
		skb[i] = arrive(test, port, DATA, 150, T0);
	pause(test, port, 100, T0 + 50);	/* 350 .. 6750 */
	expect_at(test, port, skb[0], T0 + 150);
	expect_at(test, port, skb[1], T0 + 300);
	expect_at(test, port, skb[2], T0 + 450);
	pause(test, port, 0, T0 + 1000);	/* effect at 1300 */
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), T0 + 1300);
	expect_at(test, port, skb[3], T0 + 1450);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 2000), 950);

	/* A shorter response does not overtake. */
	pause(test, port, 0, T0 + 10000);
	cfg->pfc_response_ns = 0;
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, T0 + 10010),
			0);
	pause(test, port, 100, T0 + 10020);
	KUNIT_EXPECT_EQ(test, port->pfc.count, 2);
	roce_switch_advance(port->sw, T0 + 10300);
	KUNIT_EXPECT_EQ(test, port->pfc.count, 0);
	KUNIT_EXPECT_TRUE(test, roce_port_paused(port, 3, T0 + 10300));
}

/* More frames than the line can carry: the first take effect early, none is
 * forgotten.
 */
static void roce_pause__flood(struct kunit *test)
{
	struct roce_port *port = lossless_port(test);
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	*cfg = port->cfg;
	cfg->pfc_response_ns = 1000000;
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, 0), 0);
	for (i = 0; i < 1000; i++)
		pause(test, port, i & 1 ? 0 : 100, T0 + i);
	KUNIT_EXPECT_EQ(test, port->pfc.count, ROCE_PFC_PENDING);
	KUNIT_EXPECT_EQ(test, port->stats.pfc_rx, 1000);
	roce_switch_advance(port->sw, T0 + 2000000);
	KUNIT_EXPECT_EQ(test, port->pfc.count, 0);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.indications, 500);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.resumed, 500);
	KUNIT_EXPECT_FALSE(test, roce_port_paused(port, 3, T0 + 2000000));
}

/* Half the rate halfway: what has been decided stays. Then no longer lossless. */
static void roce_pause__change(struct kunit *test)
{
	struct roce_port *port = lossless_port(test);
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);
	struct sk_buff *skb;

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	*cfg = port->cfg;
	pause(test, port, 100, T0);		/* until 6400 */
	cfg->rate_bps /= 2;
	roce_test_configure(port, cfg, false, T0 + 3200);
	skb = arrive(test, port, DATA, 100, T0 + 3300);
	expect_at(test, port, skb, T0 + 6600);

	pause(test, port, 100, T0 + 10000);
	skb = arrive(test, port, DATA, 100, T0 + 10100);
	cfg->prio[3].lossless = false;
	roce_test_configure(port, cfg, false, T0 + 10200);
	expect_at(test, port, skb, T0 + 10400);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 90000), 6600);
}

/* Nothing of a pause survives a pulled cable. */
static void roce_pause__purge(struct kunit *test)
{
	struct roce_port *port = lossless_port(test);
	struct sk_buff *skb;

	pause(test, port, 65535, T0);
	arrive(test, port, DATA, 100, T0 + 10);
	roce_port_purge(port, T0 + 200);
	KUNIT_EXPECT_EQ(test, port->dead.qlen, 1);
	roce_test_bury(port);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 90000), 200);
	skb = arrive(test, port, DATA, 100, T0 + 300);
	expect_at(test, port, skb, T0 + 400);
}

/* 8 Gbit/s, watchdog 1000 ns, refreshed in between; two packets wait. */
static struct roce_port *storm_port(struct kunit *test, u8 action,
				    struct sk_buff *skb[2])
{
	struct roce_port *port = lossless_port(test);

	port->pfc.watchdog_ns = 1000;
	port->cfg.pfc_restore_ns = 0;
	port->cfg.pfc_watchdog_action = action;
	pause(test, port, 65535, T0);
	skb[0] = arrive(test, port, DATA, 100, T0 + 10);
	skb[1] = arrive(test, port, DATA, 100, T0 + 20);
	pause(test, port, 65535, T0 + 900);
	roce_switch_advance(port->sw, T0 + 999);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 0);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), T0 + 1000);
	roce_switch_advance(port->sw, T0 + 1000);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 1);
	return port;
}

static void roce_storm__report(struct kunit *test)
{
	struct sk_buff *skb[2];
	struct roce_port *port = storm_port(test, TC_ROCE_WATCHDOG_REPORT, skb);

	roce_switch_advance(port->sw, T0 + 50000);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 1);
	KUNIT_EXPECT_EQ(test, port->prio[3].bytes, 200);
	pause(test, port, 0, T0 + 60000);
	expect_at(test, port, skb[0], T0 + 60100);
	expect_at(test, port, skb[1], T0 + 60200);
}

static void roce_storm__drop(struct kunit *test)
{
	struct sk_buff *skb[2], *late;
	struct roce_port *port = storm_port(test, TC_ROCE_WATCHDOG_DROP, skb);

	KUNIT_EXPECT_EQ(test, port->prio[3].stats.drop_watchdog, 2);
	KUNIT_EXPECT_EQ(test, port->prio[3].bytes, 0);
	KUNIT_EXPECT_EQ(test, port->dead.qlen, 2);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), 0);
	roce_test_bury(port);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), ROCE_NEVER);

	late = roce_test_ipv4(test, DATA << 2, 100);
	KUNIT_EXPECT_EQ(test, roce_port_arrive(port, late, T0 + 2000),
			ROCE_DROP_WATCHDOG);
	kfree_skb(late);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.drop_watchdog, 3);
	pause(test, port, 0, T0 + 3000);
	late = arrive(test, port, DATA, 100, T0 + 3000);
	expect_at(test, port, late, T0 + 3100);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 1);
}

/* Sent in spite of the pause until it ends; the next pause holds again. */
static void roce_storm__ignore(struct kunit *test)
{
	struct sk_buff *skb[2], *late;
	struct roce_port *port = storm_port(test, TC_ROCE_WATCHDOG_IGNORE, skb);

	expect_at(test, port, skb[0], T0 + 1100);
	expect_at(test, port, skb[1], T0 + 1200);
	late = arrive(test, port, DATA, 100, T0 + 2000);
	expect_at(test, port, late, T0 + 2100);
	KUNIT_EXPECT_TRUE(test, roce_port_paused(port, 3, T0 + 2100));
	pause(test, port, 0, T0 + 3000);
	pause(test, port, 10, T0 + 3000);
	late = arrive(test, port, DATA, 100, T0 + 3010);
	expect_at(test, port, late, T0 + 3740);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 1);
}

/* Nothing waits: no storm, until something comes. A break: none either. */
static void roce_storm__when(struct kunit *test)
{
	struct roce_port *port = lossless_port(test);

	port->pfc.watchdog_ns = 1000;
	port->cfg.pfc_restore_ns = 0;
	port->cfg.pfc_watchdog_action = TC_ROCE_WATCHDOG_DROP;
	pause(test, port, 65535, T0);
	roce_switch_advance(port->sw, T0 + 5000);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 0);
	arrive(test, port, DATA, 100, T0 + 5000);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), T0 + 5000);
	roce_switch_advance(port->sw, T0 + 5000);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 1);
	KUNIT_EXPECT_EQ(test, port->dead.qlen, 1);
	roce_test_bury(port);

	/* 640 + 640 ns with a packet in between, then exactly 1000 */
	pause(test, port, 0, T0 + 6000);
	pause(test, port, 10, T0 + 7000);
	arrive(test, port, DATA, 100, T0 + 7000);
	arrive(test, port, DATA, 100, T0 + 7000);
	pause(test, port, 10, T0 + 7650);
	roce_switch_advance(port->sw, T0 + 9000);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 1);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.tx_packets, 2);
	roce_port_purge(port, T0 + 9000);
}

/* A pause within 500 ns of a storm's is that storm again, later it is not. */
static void roce_storm__restore(struct kunit *test)
{
	struct roce_port *port = lossless_port(test);
	struct sk_buff *skb;

	port->pfc.watchdog_ns = 1000;
	port->cfg.pfc_restore_ns = 500;
	port->cfg.pfc_watchdog_action = TC_ROCE_WATCHDOG_DROP;
	pause(test, port, 65535, T0);
	arrive(test, port, DATA, 100, T0);
	roce_switch_advance(port->sw, T0 + 1000);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 1);
	roce_test_bury(port);
	pause(test, port, 0, T0 + 2000);
	/* while it is not paused it sends */
	skb = arrive(test, port, DATA, 100, T0 + 2000);
	expect_at(test, port, skb, T0 + 2100);

	pause(test, port, 65535, T0 + 2499);
	arrive(test, port, DATA, 100, T0 + 2600);
	roce_switch_advance(port->sw, T0 + 2600);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 2);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.drop_watchdog, 2);
	roce_test_bury(port);
	pause(test, port, 0, T0 + 3000);

	pause(test, port, 65535, T0 + 3500);
	arrive(test, port, DATA, 100, T0 + 3600);
	roce_switch_advance(port->sw, T0 + 4499);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 2);
	roce_switch_advance(port->sw, T0 + 4500);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.storms, 3);
	roce_test_bury(port);
}

/* 200 ms, or five buffers at line rate; a NIC none; what is told is told. */
static void roce_storm__auto(struct kunit *test)
{
	static const struct {
		u64 rate_bps, buffer_bytes, told_ns, want_ns;
	} table[] = {
		{ 100000000000ULL, 32 << 20, TC_ROCE_WATCHDOG_AUTO, 200000000 },
		{ 10000000000ULL, 32 << 20, TC_ROCE_WATCHDOG_AUTO, 200000000 },
		/* 32 MiB at 1 Gbit/s: 268.435456 ms */
		{ 1000000000ULL, 32 << 20, TC_ROCE_WATCHDOG_AUTO, 1342177280 },
		{ 1000000000ULL, 1000000, TC_ROCE_WATCHDOG_AUTO, 200000000 },
		{ 1000000000ULL, 32 << 20, 0, 0 },
		{ 1000000000ULL, 32 << 20, 1000, 1000 },
	};
	int i;

	KUNIT_EXPECT_EQ(test, lossless_port(test)->pfc.watchdog_ns, 0);
	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_config *cfg = roce_test_config(test);
		struct roce_port *port, *other;

		cfg->switch_id = 2000 + i;
		cfg->rate_bps = table[i].rate_bps;
		cfg->buffer_bytes = 16 << 20;
		cfg->pfc_watchdog_ns = table[i].told_ns;
		port = roce_test_port(test, 1, cfg);
		/* the buffer is set on another port */
		other = roce_test_port(test, 2, cfg);
		cfg->buffer_bytes = table[i].buffer_bytes;
		KUNIT_ASSERT_EQ(test, roce_test_configure(other, cfg, true, 0),
				0);
		KUNIT_EXPECT_EQ_MSG(test, port->pfc.watchdog_ns,
				    table[i].want_ns, "row %d", i);
	}
}

/* A port that does not obey counts pauses and sends on; what holds is forgotten. */
static void roce_pause__disobey(struct kunit *test)
{
	struct roce_config *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);
	struct roce_port *port = lossless_port(test);
	struct sk_buff *skb;

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	pause(test, port, 65535, T0);
	*cfg = port->cfg;
	cfg->pfc_obey = false;
	roce_port_set_config(port, cfg, T0 + 100);
	KUNIT_EXPECT_FALSE(test, roce_port_paused(port, 3, T0 + 100));
	pause(test, port, 65535, T0 + 200);
	skb = arrive(test, port, DATA, 100, T0 + 300);
	expect_at(test, port, skb, T0 + 400);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.ignored, 1);
	KUNIT_EXPECT_EQ(test, port->prio[3].pause.indications, 1);
}

static struct kunit_case roce_pfc_cases[] = {
	KUNIT_CASE(roce_pfc__round_trip),
	KUNIT_CASE(roce_pfc__bytes),
	KUNIT_CASE(roce_pfc__malformed),
	KUNIT_CASE(roce_pfc__nonlinear),
	KUNIT_CASE(roce_pause__timing),
	KUNIT_CASE(roce_pause__resume),
	KUNIT_CASE(roce_pause__refresh),
	KUNIT_CASE(roce_pause__others_go_on),
	KUNIT_CASE(roce_pause__ignored),
	KUNIT_CASE(roce_pause__response),
	KUNIT_CASE(roce_pause__flood),
	KUNIT_CASE(roce_pause__change),
	KUNIT_CASE(roce_pause__purge),
	KUNIT_CASE(roce_storm__report),
	KUNIT_CASE(roce_storm__drop),
	KUNIT_CASE(roce_storm__ignore),
	KUNIT_CASE(roce_storm__when),
	KUNIT_CASE(roce_storm__restore),
	KUNIT_CASE(roce_storm__auto),
	KUNIT_CASE(roce_pause__disobey),
	{}
};

static struct kunit_suite roce_pfc_suite = {
	.name = "roce_pfc",
	.test_cases = roce_pfc_cases,
};

kunit_test_suite(roce_pfc_suite);
