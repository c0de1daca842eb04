// SPDX-License-Identifier: GPL-2.0
/* A stalled port: what comes waits, nothing is sent but PFC frames. A byte a nanosecond. */
#include <kunit/test.h>

#include "../roce_next_event.h"
#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

static void stall(struct kunit *test, struct roce_port *port, struct roce_config *cfg, bool on,
		  u64 now_ns)
{
	cfg->stall = on;
	KUNIT_ASSERT_EQ(test, roce_test_configure(port, cfg, false, now_ns), 0);
}

static void stall_arrive(struct kunit *test, struct roce_port *port, u64 now_ns)
{
	KUNIT_EXPECT_EQ(test, roce_port_arrive(port, roce_test_packet(test, 0, DATA, 100), now_ns),
			ROCE_ACCEPTED);
}

static u32 stall_deliver(struct roce_port *port, u64 now_ns)
{
	struct sk_buff *skb;
	u32 nr = 0;

	for (; (skb = roce_port_deliver(port, now_ns)); nr++)
		kfree_skb(skb);
	return nr;
}

/*
 * Of three packets of 100 ns the first is half out when the port stalls: it is finished. The
 * others, and one that comes to the idle line, wait, and nobody looks at the port for them. When
 * the stall ends they go out one behind the other.
 */
static void roce_stall__waits(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *port = roce_test_port(test, 1, cfg);

	stall_arrive(test, port, T0);
	stall_arrive(test, port, T0);
	stall_arrive(test, port, T0);
	stall(test, port, cfg, true, T0 + 50);
	KUNIT_EXPECT_EQ(test, stall_deliver(port, T0 + 100), 1);
	stall_arrive(test, port, T0 + 500);
	KUNIT_EXPECT_EQ(test, stall_deliver(port, T0 + 900), 0);
	KUNIT_EXPECT_EQ(test, port->prio[3].queue.qlen, 3);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(port), ROCE_NEVER);
	KUNIT_EXPECT_EQ(test, roce_port_busy_ns(port, T0 + 900), 100);

	stall(test, port, cfg, false, T0 + 1000);
	KUNIT_EXPECT_EQ(test, stall_deliver(port, T0 + 1099), 0);
	KUNIT_EXPECT_EQ(test, stall_deliver(port, T0 + 1100), 1);
	KUNIT_EXPECT_EQ(test, stall_deliver(port, T0 + 1299), 1);
	KUNIT_EXPECT_EQ(test, stall_deliver(port, T0 + 1300), 1);
	roce_test_bury(port);
}

/* A pause of the peer ends when it would have. What waited for it waits for the stall then. */
static void roce_stall__pause_ends(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *port = roce_test_port(test, 1, cfg);

	roce_test_pause(test, port, 2, T0);
	stall(test, port, cfg, true, T0);
	stall_arrive(test, port, T0 + 10);
	roce_switch_advance(port->sw, T0 + 1000);
	KUNIT_EXPECT_FALSE(test, roce_port_paused(port, 3, T0 + 1000));
	KUNIT_EXPECT_EQ(test, roce_port_pause_ns(port, 3, T0 + 1000), 2 * 64);
	KUNIT_EXPECT_EQ(test, stall_deliver(port, T0 + 1000), 0);
	stall(test, port, cfg, false, T0 + 2000);
	KUNIT_EXPECT_EQ(test, stall_deliver(port, T0 + 2099), 0);
	KUNIT_EXPECT_EQ(test, stall_deliver(port, T0 + 2100), 1);
	roce_test_bury(port);
}

/* A stalled port of a switch goes on pausing its peer. */
static void roce_stall__sends_pfc(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in = roce_test_port(test, 1, cfg);
	struct roce_port *out = roce_test_port(test, 2, cfg);
	int i;

	stall(test, in, cfg, true, T0);
	for (i = 0; i < 15; i++)
		roce_test_send(test, out, 1, DATA, 100, T0);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	KUNIT_EXPECT_EQ(test, stall_deliver(in, T0 + 60), 1);
	roce_test_drain(out, T0 + 10000);
	roce_test_drain(in, T0 + 10000);
	roce_test_bury(in);
}

static struct kunit_case roce_stall_cases[] = {
	KUNIT_CASE(roce_stall__waits),
	KUNIT_CASE(roce_stall__pause_ends),
	KUNIT_CASE(roce_stall__sends_pfc),
	{}
};

static struct kunit_suite roce_stall_suite = {
	.name = "roce_stall",
	.test_cases = roce_stall_cases,
};

kunit_test_suite(roce_stall_suite);
