// SPDX-License-Identifier: GPL-2.0
/* Pauses that a switch asks of its peers, to the nanosecond. */
#include <kunit/test.h>
#include <linux/ip.h>
#include <linux/prandom.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

/* The next thing on the wire is a PFC frame for priority 3 at @at_ns. */
static void expect_pfc(struct kunit *test, struct roce_port *port, u16 quanta,
		       u64 at_ns)
{
	struct roce_pfc_frame frame = {};
	struct sk_buff *skb;

	KUNIT_ASSERT_NULL(test, roce_port_deliver(port, at_ns - 1));
	skb = roce_port_deliver(port, at_ns);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->flags & ROCE_SKB_PFC);
	skb_pull(skb, ETH_HLEN);
	KUNIT_EXPECT_EQ(test, roce_pfc_parse(skb, &frame), ROCE_PFC_OK);
	KUNIT_EXPECT_EQ(test, frame.enable, BIT(3));
	KUNIT_EXPECT_EQ(test, frame.quanta[3], quanta);
	kfree_skb(skb);
}

/* @nr packets of 100 come in by port 1 at T0; the 11th makes it pause. */
static void fill(struct kunit *test, struct roce_port *out, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		roce_test_send(test, out, 1, DATA, 100, T0);
}

/* 15 packets of 100: the 11th reaches into the headroom. They leave every 100
 * ns; 500 are left when the tenth has gone.
 */
static void roce_xoff__fixed(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in = roce_test_port(test, 1, cfg);
	struct roce_port *out = roce_test_port(test, 2, cfg);
	int i;

	for (i = 0; i < 10; i++)
		roce_test_send(test, out, 1, DATA, 100, T0 + i);
	KUNIT_EXPECT_FALSE(test, roce_port_xoff(in, 3));
	for (; i < 15; i++)
		roce_test_send(test, out, 1, DATA, 100, T0 + i);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	KUNIT_EXPECT_EQ(test, in->prio[3].in.headroom_bytes, 500);
	roce_test_sums(test, in->sw);
	expect_pfc(test, in, 65535, T0 + 10 + 60);
	KUNIT_EXPECT_EQ(test, roce_port_xoff_ns(in, 3, T0 + 500), 490);
	expect_pfc(test, in, 0, T0 + 1000 + 60);
	KUNIT_EXPECT_FALSE(test, roce_port_xoff(in, 3));
	KUNIT_EXPECT_EQ(test, roce_port_xoff_ns(in, 3, T0 + 2000), 990);
	KUNIT_EXPECT_EQ(test, in->prio[3].xoff.requests, 1);
	KUNIT_EXPECT_EQ(test, in->prio[3].xoff.resumes, 1);
	KUNIT_EXPECT_EQ(test, in->stats.pfc_tx, 2);
	KUNIT_EXPECT_EQ(test, in->tx_wire_bytes, 120);
	roce_test_sums(test, in->sw);
}

/* A headroom without room for a packet: lost, but the peer is asked to stop. */
static void roce_xoff__narrow(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in, *out;

	cfg->prio[3].mmu.headroom_bytes = 50;
	in = roce_test_port(test, 1, cfg);
	out = roce_test_port(test, 2, cfg);
	/* nothing in the account: no departure would let the peer go on */
	KUNIT_EXPECT_EQ(test, roce_test_send(test, out, 1, DATA, 1100, T0),
			ROCE_DROP_HEADROOM);
	KUNIT_EXPECT_FALSE(test, roce_port_xoff(in, 3));
	fill(test, out, 10);
	KUNIT_EXPECT_FALSE(test, roce_port_xoff(in, 3));
	KUNIT_EXPECT_EQ(test, roce_test_send(test, out, 1, DATA, 100, T0),
			ROCE_DROP_HEADROOM);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	expect_pfc(test, in, 65535, T0 + 60);
	expect_pfc(test, in, 0, T0 + 500 + 60);
	KUNIT_EXPECT_EQ(test, out->prio[3].stats.drop_headroom, 2);
	roce_test_sums(test, in->sw);
}

/* A pause of 20 quanta (1280 ns) is sent again 640 ns after each start, and
 * the egress, itself paused, lets nothing out.
 */
static void roce_xoff__refresh(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in, *out;
	int i;

	cfg->pfc_quanta = 20;
	in = roce_test_port(test, 1, cfg);
	out = roce_test_port(test, 2, cfg);
	roce_test_stop(test, out);
	fill(test, out, 11);
	for (i = 0; i < 5; i++)
		expect_pfc(test, in, 20, T0 + 60 + 640 * i);
	/* a packet of its own on the line delays one, and those after it */
	roce_test_send(test, in, 2, LOW, 100, T0 + 640 * 5 - 10);
	kfree_skb(roce_port_deliver(in, T0 + 640 * 5 + 90));
	expect_pfc(test, in, 20, T0 + 640 * 5 + 90 + 60);
	expect_pfc(test, in, 20, T0 + 640 * 6 + 90 + 60);
	KUNIT_EXPECT_EQ(test, in->prio[3].xoff.requests, 7);
	roce_test_sums(test, in->sw);
}

/* Who looks late sends the last refreshes, not all of them, and the next 1 us later: the
 * frames begin 32 ns, half a pause, and that wait apart, which gets an eighth shorter.
 */
static void roce_xoff__late(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in, *out;

	cfg->pfc_quanta = 1;
	in = roce_test_port(test, 1, cfg);
	out = roce_test_port(test, 2, cfg);
	cfg->rate_bps = TC_ROCE_RATE_MIN_BPS;
	roce_test_configure(out, cfg, false, T0);
	fill(test, out, 12);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	roce_switch_advance(in->sw, T0 + 600000);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	KUNIT_EXPECT_LT(test, in->stats.pfc_tx, 5);
	KUNIT_EXPECT_EQ(test, in->prio[3].xoff.requests, in->stats.pfc_tx);
	/* in time again */
	roce_port_purge(in, T0 + 600000);
	roce_test_bury(in);
	roce_test_configure(in, &in->cfg, false, T0 + 600000);
	expect_pfc(test, in, 1, T0 + 600060);
	expect_pfc(test, in, 1, T0 + 600060 + 32 + 1000);
	expect_pfc(test, in, 1, T0 + 600060 + 32 + 1000 + 32 + 875);
	roce_test_sums(test, in->sw);
}

/* A machine that is always later than the longest wait tells one pause each time. When it
 * is in time, the waits end: 10 ms x (7/8)^115 is 2 ns.
 */
static void roce_xoff__always_late(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in, *out;
	u64 now_ns = T0, sent;
	int i;

	cfg->pfc_quanta = 1;
	in = roce_test_port(test, 1, cfg);
	out = roce_test_port(test, 2, cfg);
	/* at 1 Mbit/s the egress stands still for 33 s */
	cfg->rate_bps = TC_ROCE_RATE_MIN_BPS;
	roce_test_configure(out, cfg, false, T0);
	roce_test_stop(test, out);
	fill(test, out, 12);
	for (i = 0; i < 30; i++) {
		sent = in->stats.pfc_tx;
		now_ns += 20 * NSEC_PER_MSEC;
		roce_test_drain(in, now_ns);
		KUNIT_EXPECT_EQ(test, in->stats.pfc_tx, sent + 1);
		KUNIT_EXPECT_LE(test, in->pfc.late_ns, 10 * NSEC_PER_MSEC);
	}
	KUNIT_EXPECT_EQ(test, in->pfc.late_ns, 10 * NSEC_PER_MSEC);
	for (i = 0; i < 115 && in->prio[3].xoff.refresh_ns != ROCE_NEVER; i++) {
		now_ns = in->prio[3].xoff.refresh_ns;
		roce_test_drain(in, now_ns);
	}
	/* refreshes wait for the line now */
	KUNIT_EXPECT_LE(test, in->pfc.late_ns, 60 - 32);
	for (i = 0; i < 28; i++)
		roce_test_drain(in, roce_time_ceil(&in->line_free));
	KUNIT_EXPECT_EQ(test, in->pfc.late_ns, 0);
	roce_test_sums(test, in->sw);
}

/* A frame waits for the packet being sent, goes before all data, and says what
 * holds when it starts.
 */
static void roce_xoff__line_busy(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in = roce_test_port(test, 1, cfg);
	struct roce_port *out = roce_test_port(test, 2, cfg);
	struct sk_buff *skb;

	roce_test_send(test, in, 2, LOW, 700, T0);
	roce_test_send(test, in, 2, LOW, 100, T0);
	fill(test, out, 11);
	skb = roce_port_deliver(in, T0 + 700);
	KUNIT_EXPECT_EQ(test, skb->len, 700);
	kfree_skb(skb);
	/* asked for at 0, resumed at 600, told once at 700 */
	expect_pfc(test, in, 0, T0 + 760);
	skb = roce_port_deliver(in, T0 + 860);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	KUNIT_EXPECT_EQ(test, skb->len, 100);
	kfree_skb(skb);
	KUNIT_EXPECT_EQ(test, in->prio[3].xoff.requests, 0);
	KUNIT_EXPECT_EQ(test, in->prio[3].xoff.resumes, 1);
}

/* No link, no frame; when it is back the peer is told what holds. */
static void roce_xoff__down(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in = roce_test_port(test, 1, cfg);
	struct roce_port *out = roce_test_port(test, 2, cfg);

	in->down = true;
	fill(test, out, 11);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	KUNIT_EXPECT_EQ(test, in->stats.pfc_tx, 0);
	roce_switch_advance(in->sw, T0 + 50);
	in->down = false;
	roce_test_configure(in, cfg, false, T0 + 50);
	expect_pfc(test, in, 65535, T0 + 110);
}

/* The link goes down while the frame waits for the line: it is told when the
 * link is up again, and refreshed from then on.
 */
static void roce_xoff__flap(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in, *out;

	cfg->pfc_quanta = 20;
	in = roce_test_port(test, 1, cfg);
	out = roce_test_port(test, 2, cfg);
	roce_test_stop(test, out);
	roce_test_send(test, in, 2, LOW, 700, T0);
	fill(test, out, 11);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	roce_port_purge(in, T0 + 50);
	roce_test_bury(in);
	roce_test_configure(in, cfg, false, T0 + 100);
	expect_pfc(test, in, 20, T0 + 160);
	expect_pfc(test, in, 20, T0 + 160 + 640);
	roce_test_sums(test, in->sw);
}

/* Alpha 1/8, pool 80000. Port 1's account stops at 1/8 of what is free while
 * port 3's lossy packets hold most of the pool. Its own packets do not move;
 * the departure of another's packet that makes room lets it resume, at that
 * instant.
 */
static void roce_xoff__others_leave(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *in, *out, *other;
	struct sk_buff *skb;
	u64 free, n;
	int i;

	cfg->buffer_bytes = 95000;
	cfg->prio[3].mmu.xon_offset_bytes = 500;
	cfg->limit_bytes = 1000000;
	in = roce_test_port(test, 1, cfg);
	out = roce_test_port(test, 2, cfg);
	other = roce_test_port(test, 3, cfg);
	roce_test_stop(test, out);
	for (i = 0; i < 60; i++)
		KUNIT_ASSERT_EQ(test, roce_test_send(test, other, 0, LOW, 1000, T0),
				ROCE_ACCEPTED);
	for (i = 0; !roce_port_xoff(in, 3); i++)
		KUNIT_ASSERT_EQ(test, roce_test_send(test, out, 1, DATA, 100, T0),
				ROCE_ACCEPTED);
	KUNIT_EXPECT_GT(test, in->prio[3].in.shared_bytes, 2000);
	expect_pfc(test, in, 65535, T0 + 60);
	/* Its own headroom first: only own departures empty that. Give it
	 * back by hand, as a departure would.
	 */
	roce_switch_advance(in->sw, T0 + 500);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	skb = roce_queue_pop(out, 3, T0 + 500);
	roce_xoff_release(out, skb, T0 + 500);
	kfree_skb(skb);
	KUNIT_EXPECT_EQ(test, in->prio[3].in.headroom_bytes, 0);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));

	/* free / 8 >= shared + 500 after the nth departure, at n * 1000 ns */
	free = roce_mmu_shared_free(&in->sw->mmu);
	n = DIV_ROUND_UP(8 * (in->prio[3].in.shared_bytes + 500) - free, 1000);
	KUNIT_ASSERT_GT(test, n, 0);
	expect_pfc(test, in, 0, T0 + n * 1000 + 60);
	roce_test_sums(test, in->sw);
}

static struct kunit_case roce_xoff_cases[] = {
	KUNIT_CASE(roce_xoff__fixed),
	KUNIT_CASE(roce_xoff__narrow),
	KUNIT_CASE(roce_xoff__refresh),
	KUNIT_CASE(roce_xoff__late),
	KUNIT_CASE(roce_xoff__always_late),
	KUNIT_CASE(roce_xoff__line_busy),
	KUNIT_CASE(roce_xoff__down),
	KUNIT_CASE(roce_xoff__flap),
	KUNIT_CASE(roce_xoff__others_leave),
	{}
};

static struct kunit_suite roce_xoff_suite = {
	.name = "roce_xoff",
	.test_cases = roce_xoff_cases,
};

kunit_test_suite(roce_xoff_suite);
