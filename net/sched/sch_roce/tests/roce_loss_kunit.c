// SPDX-License-Identifier: GPL-2.0
/* Packets that do not arrive: random losses, and a link that is down. A byte a nanosecond. */
#include <kunit/test.h>
#include <linux/math.h>

#include "../roce_next_event.h"
#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

#define DRAWS		1000000U
#define DELAY		10000U

/* Of a million packets n p are lost, by a binomial law: 5 sigma are missed once in 1.7 million. */
static void roce_loss__probability(struct kunit *test)
{
	static const u32 ppb[] = { 0, 1000, 1000000, 10000000, 500000000, 999000000, 1000000000 };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(ppb); i++) {
		u64 mean = (u64)DRAWS * ppb[i] / TC_ROCE_LOSS_ONE;
		u64 variance = DIV_ROUND_UP_ULL(mean * (TC_ROCE_LOSS_ONE - ppb[i]),
						TC_ROCE_LOSS_ONE);
		struct roce_loss loss = {};
		u64 lost = 0;

		roce_loss_set(&loss, ppb[i], 7);
		for (k = 0; k < DRAWS; k++)
			lost += roce_loss_draw(&loss);
		KUNIT_EXPECT_LE_MSG(test, abs_diff(lost, mean), int_sqrt64(25 * variance),
				    "%u ppb: %llu lost, not %llu", ppb[i], lost, mean);
	}
}

/* Which of 64 packets are lost. */
static u64 draw64(struct roce_loss *loss)
{
	u64 bits = 0;
	int i;

	for (i = 0; i < 64; i++)
		bits |= (u64)roce_loss_draw(loss) << i;
	return bits;
}

/* Equal seeds lose the same packets, others do not; another probability goes on. */
static void roce_loss__seed(struct kunit *test)
{
	struct roce_loss a = {}, b = {};
	u64 first;

	roce_loss_set(&a, 500000000, 1);
	roce_loss_set(&b, 500000000, 2);
	first = draw64(&a);
	KUNIT_EXPECT_NE(test, draw64(&b), first);
	roce_loss_set(&a, 500000000, 1);
	KUNIT_EXPECT_NE(test, draw64(&a), first);
	roce_loss_set(&b, 500000000, 1);
	KUNIT_EXPECT_EQ(test, draw64(&b), first);
}

static struct roce_port *loss_port(struct kunit *test, struct roce_config *cfg)
{
	struct roce_port *port;

	cfg->delay_ns = DELAY;
	port = roce_test_port(test, 1, cfg);
	KUNIT_ASSERT_NOT_NULL(test, port);
	return port;
}

static u32 loss_deliver(struct roce_port *port, u64 now_ns)
{
	struct sk_buff *skb;
	u32 nr = 0;

	for (; (skb = roce_port_deliver(port, now_ns)); nr++)
		kfree_skb(skb);
	return nr;
}

static void loss_arrive(struct kunit *test, struct roce_port *port, u32 nr, u64 now_ns)
{
	for (; nr; nr--)
		KUNIT_EXPECT_EQ(test, roce_port_arrive(port, roce_test_packet(test, 0, DATA, 100),
						       now_ns), ROCE_ACCEPTED);
}

/* What is lost has been sent: the line is as busy, and the rest arrives when it would have. */
static void roce_loss__line(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *port;
	u32 nr;

	cfg->loss_ppb = TC_ROCE_LOSS_ONE / 4;
	port = loss_port(test, cfg);
	loss_arrive(test, port, 1000, T0);
	KUNIT_EXPECT_EQ(test, loss_deliver(port, T0 + DELAY), 0);
	nr = loss_deliver(port, T0 + 100 * 1000 + DELAY);
	KUNIT_EXPECT_EQ(test, nr + port->stats.lost, 1000);
	/* 250, sigma is 13.7 */
	KUNIT_EXPECT_LE(test, abs_diff(port->stats.lost, 250ULL), 69);
	KUNIT_EXPECT_EQ(test, port->stats.lost_wire_bytes, port->stats.lost * 100);
	KUNIT_EXPECT_EQ(test, port->stats.lost_down, 0);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.tx_packets, 1000);
	KUNIT_EXPECT_EQ(test, roce_port_busy_ns(port, T0 + 100 * 1000), 100 * 1000);
	KUNIT_EXPECT_EQ(test, port->prio[3].stats.drop_wire_limit, 0);
	roce_test_bury(port);
}

/*
 * 50 packets of 100 ns; the link goes down when 20 have left and one is half out, of those the
 * first 5 have arrived. 15 are under way and 30 are sent into nothing. A packet that starts when
 * the link is up again arrives.
 */
static void roce_loss__down(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *port = loss_port(test, cfg);

	cfg->delay_ns = 1500;
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, T0), 0);
	loss_arrive(test, port, 50, T0);
	KUNIT_EXPECT_EQ(test, loss_deliver(port, T0 + 2050), 5);
	cfg->link = TC_ROCE_LINK_DOWN;
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, T0 + 2050), 0);
	KUNIT_EXPECT_EQ(test, port->stats.lost_down, 15);
	KUNIT_EXPECT_EQ(test, port->wire_bytes, 0);
	KUNIT_EXPECT_EQ(test, loss_deliver(port, T0 + 6000), 0);
	KUNIT_EXPECT_EQ(test, port->stats.lost_down, 45);
	KUNIT_EXPECT_EQ(test, port->stats.lost_wire_bytes, 4500);
	KUNIT_EXPECT_EQ(test, port->stats.lost, 0);
	KUNIT_EXPECT_EQ(test, roce_port_busy_ns(port, T0 + 6000), 5000);
	cfg->link = TC_ROCE_LINK_UP;
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, T0 + 6000), 0);
	loss_arrive(test, port, 1, T0 + 6000);
	KUNIT_EXPECT_EQ(test, loss_deliver(port, T0 + 7599), 0);
	KUNIT_EXPECT_EQ(test, loss_deliver(port, T0 + 7600), 1);
	roce_test_bury(port);
}

/* A pause of the peer ends with the link: what waited goes out, and is lost. */
static void roce_loss__down_ends_pauses(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *port = loss_port(test, cfg);

	roce_test_pause(test, port, 65535, T0);
	loss_arrive(test, port, 3, T0 + 100);
	KUNIT_EXPECT_EQ(test, port->prio[3].queue.qlen, 3);
	cfg->link = TC_ROCE_LINK_DOWN;
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, T0 + 200), 0);
	roce_switch_advance(port->sw, T0 + 500);
	KUNIT_EXPECT_EQ(test, port->stats.lost_down, 3);
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 500), 200);
	roce_test_bury(port);
}

/* PFC frames are lost as others. A pause that holds when the link is back is sent again. */
static void roce_loss__down_loses_pfc(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in = roce_test_port(test, 1, cfg);
	struct roce_port *out = roce_test_port(test, 2, cfg);
	int i;

	cfg->link = TC_ROCE_LINK_DOWN;
	KUNIT_ASSERT_EQ(test, roce_test_configure(in, cfg, false, T0), 0);
	for (i = 0; i < 15; i++)
		roce_test_send(test, out, 1, DATA, 100, T0);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	KUNIT_EXPECT_EQ(test, loss_deliver(in, T0 + 100), 0);
	KUNIT_EXPECT_EQ(test, in->stats.lost_down, 1);
	cfg->link = TC_ROCE_LINK_UP;
	KUNIT_ASSERT_EQ(test, roce_test_configure(in, cfg, false, T0 + 200), 0);
	KUNIT_EXPECT_EQ(test, loss_deliver(in, T0 + 259), 0);
	KUNIT_EXPECT_EQ(test, loss_deliver(in, T0 + 260), 1);
	roce_test_drain(out, T0 + 10000);
	roce_test_drain(in, T0 + 10000);
	roce_test_bury(in);
}

static struct kunit_case roce_loss_cases[] = {
	KUNIT_CASE(roce_loss__probability),
	KUNIT_CASE(roce_loss__seed),
	KUNIT_CASE(roce_loss__line),
	KUNIT_CASE(roce_loss__down),
	KUNIT_CASE(roce_loss__down_ends_pauses),
	KUNIT_CASE(roce_loss__down_loses_pfc),
	{}
};

static struct kunit_suite roce_loss_suite = {
	.name = "roce_loss",
	.test_cases = roce_loss_cases,
};

kunit_test_suite(roce_loss_suite);
