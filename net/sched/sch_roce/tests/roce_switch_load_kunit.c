// SPDX-License-Identifier: GPL-2.0
/*
 * Switches under load, with simulated hosts that obey the switch's PFC pauses: headroom, incast.
 */
#include <kunit/test.h>
#include <linux/ip.h>
#include <linux/prandom.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "../roce_next_event.h"
#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

/* A host on each port, a NIC port that obeys pauses, and the cables. */
struct net_of_hosts {
	struct roce_port *nic[PORTS], *port[PORTS];
	int nr;
	u64 received, dropped;
};

static void hosts_init(struct kunit *test, struct net_of_hosts *net, int nr,
		       struct roce_config *cfg)
{
	struct roce_config *nic = kunit_kzalloc(test, sizeof(*nic), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, nic);
	*nic = *cfg;
	nic->switch_id = TC_ROCE_SWITCH_NONE;
	nic->limit_bytes = U32_MAX;
	memset(net, 0, sizeof(*net));
	net->nr = nr;
	for (i = 0; i < nr; i++) {
		net->nic[i] = roce_test_port(test, 100 + i, nic);
		net->port[i] = roce_test_port(test, 1 + i, cfg);
	}
}

/* A NIC's packet comes to the switch: skb->mark says to which host. */
static void hosts_forward(struct net_of_hosts *net, int from,
			  struct sk_buff *skb, u64 now_ns)
{
	skb->skb_iif = net->port[from]->ifindex;
	if (roce_port_arrive(net->port[skb->mark], skb, now_ns) ==
	    ROCE_ACCEPTED)
		return;
	net->dropped++;
	kfree_skb(skb);
}

/* A packet of the switch comes to a host. */
static void hosts_receive(struct net_of_hosts *net, int to,
			  struct sk_buff *skb, u64 now_ns)
{
	if (roce_skb_cb(skb)->flags & ROCE_SKB_PFC) {
		skb_pull(skb, ETH_HLEN);
		roce_switch_advance(net->nic[to]->sw, now_ns);
		roce_tap_pfc(net->nic[to], skb, now_ns);
	} else {
		net->received++;
	}
	kfree_skb(skb);
}

/* What the watchdogs and the switch's timer would do, until nothing is due. */
static void hosts_run(struct kunit *test, struct net_of_hosts *net, u64 until_ns)
{
	struct roce_switch *sw = net->port[0]->sw;
	const struct roce_calendar_entry *first;
	struct sk_buff *skb;
	u64 now_ns;
	int i;

	for (;;) {
		now_ns = until_ns;
		first = roce_calendar_first(&sw->events);
		if (sw->nr_xoff && first)
			now_ns = min(now_ns, first->at_ns);
		for (i = 0; i < net->nr; i++) {
			now_ns = min(now_ns, roce_event_wake_ns(net->nic[i]));
			now_ns = min(now_ns, roce_event_wake_ns(net->port[i]));
		}
		if (now_ns >= until_ns)
			break;
		roce_switch_advance(sw, now_ns);
		for (i = 0; i < net->nr; i++) {
			while ((skb = roce_port_deliver(net->nic[i], now_ns)))
				hosts_forward(net, i, skb, now_ns);
		}
		for (i = 0; i < net->nr; i++) {
			while ((skb = roce_port_deliver(net->port[i], now_ns)))
				hosts_receive(net, i, skb, now_ns);
		}
		roce_test_sums(test, sw);
	}
}

static void hosts_send(struct kunit *test, struct net_of_hosts *net, int from,
		       int to, u8 dscp, u32 len, int packets)
{
	struct sk_buff *skb;

	while (packets--) {
		skb = roce_test_packet(test, 0, dscp, len);
		skb->mark = to;
		KUNIT_ASSERT_EQ(test, roce_port_arrive(net->nic[from], skb, T0),
				ROCE_ACCEPTED);
	}
}

/* 100 Gbit/s, 10 us of cable each way, full packets both ways, an egress that
 * is paused all the time: the worst that can come after the threshold. The
 * computed headroom holds it, with at most three packets to spare (how the
 * ends of packets fall in with the threshold, our line and the pause is worth
 * up to one each); 80 % do not.
 */
static void run_headroom(struct kunit *test, struct net_of_hosts *net,
			 u32 headroom)
{
	struct roce_config *cfg = roce_test_config(test);

	cfg->rate_bps = 100000000000ULL;
	cfg->overhead = 24;
	cfg->delay_ns = 10000;
	cfg->buffer_bytes = 10000000;
	cfg->prio[3].mmu.xoff_bytes = 100000;
	cfg->prio[3].mmu.xon_bytes = 90000;
	cfg->prio[3].mmu.headroom_bytes = headroom;
	hosts_init(test, net, 2, cfg);
	roce_test_stop(test, net->port[1]);
	/* towards host 0 lossy packets keep port 0 busy */
	hosts_send(test, net, 1, 0, LOW, 1518, 400);
	hosts_send(test, net, 0, 1, DATA, 1518, 1000);
	hosts_run(test, net, T0 + 100000);
}

static void roce_switch__headroom(struct kunit *test)
{
	struct net_of_hosts net;
	const struct roce_account *in;
	u64 size;

	run_headroom(test, &net, TC_ROCE_HEADROOM_AUTO);
	in = &net.port[0]->prio[3].in;
	size = in->headroom_size;
	/* 3 packets, 84, 12.5 B/ns * 20002 ns */
	KUNIT_EXPECT_GE(test, size, 3 * 1542 + 84 + 250025);
	KUNIT_EXPECT_EQ(test, net.dropped, 0);
	KUNIT_EXPECT_LE(test, in->headroom_peak_bytes, size);
	KUNIT_EXPECT_GE(test, in->headroom_peak_bytes, size - 3 * 1542);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(net.port[0], 3));

	/* When the egress goes on everything arrives. */
	hosts_run(test, &net, T0 + 2000000);
	KUNIT_EXPECT_EQ(test, net.dropped, 0);
	KUNIT_EXPECT_EQ(test, net.received, 1400);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&net.port[0]->sw->mmu), 0);
	KUNIT_EXPECT_EQ(test, net.port[0]->sw->nr_xoff, 0);
}

static void roce_switch__headroom_too_small(struct kunit *test)
{
	struct net_of_hosts net;

	run_headroom(test, &net, (3 * 1542 + 84 + 250025) * 8 / 10);
	KUNIT_EXPECT_GT(test, net.dropped, 0);
	KUNIT_EXPECT_EQ(test, net.port[1]->prio[3].stats.drop_headroom,
			net.dropped);
}

/* Three hosts send to the fourth, four times what the buffer holds, with
 * thresholds of either kind. Nothing is lost, and the line is never idle from
 * the first to the last packet (but for the time of the cables at each end).
 */
static void roce_switch__incast(struct kunit *test)
{
	int fixed, i;

	for (fixed = 0; fixed < 2; fixed++) {
		struct roce_config *cfg = roce_test_config(test);
		struct net_of_hosts net;

		cfg->switch_id = SWITCH + fixed;
		cfg->delay_ns = 500;
		cfg->buffer_bytes = 300000;
		cfg->prio[3].mmu.headroom_bytes = TC_ROCE_HEADROOM_AUTO;
		if (fixed) {
			cfg->prio[3].mmu.xoff_bytes = 20000;
			cfg->prio[3].mmu.xon_bytes = 15000;
		}
		hosts_init(test, &net, 4, cfg);
		for (i = 0; i < 3; i++)
			hosts_send(test, &net, i, 3, DATA, 1000, 400);
		hosts_run(test, &net, T0 + 1000 * 1200 + 2 * 500 + 1001);
		KUNIT_EXPECT_EQ_MSG(test, net.dropped, 0, "fixed %d", fixed);
		KUNIT_EXPECT_EQ_MSG(test, net.received, 1200, "fixed %d", fixed);
		for (i = 0; i < 3; i++)
			KUNIT_EXPECT_GT(test,
					net.port[i]->prio[3].xoff.requests, 0);
		KUNIT_EXPECT_EQ(test, roce_mmu_used(&net.port[0]->sw->mmu), 0);
	}
}

/* The same arrivals at a switch that is looked at every nanosecond and at one
 * that is not: same verdicts, same deliveries, same pauses. Without one order
 * of events for all ports the dynamic thresholds would differ.
 */
static void roce_switch__lazy_is_exact(struct kunit *test)
{
	struct roce_port *port[2][PORTS];
	u64 now_ns = T0, drops = 0, frames = 0;
	struct rnd_state rnd;
	struct sk_buff *a, *b;
	int i, n, s;

	prandom_seed_state(&rnd, 11);
	for (s = 0; s < 2; s++) {
		struct roce_config *cfg = roce_test_config(test);

		cfg->switch_id = SWITCH + s;
		cfg->buffer_bytes = 16000;
		cfg->pfc_quanta = 30;
		cfg->prio[3].mmu.headroom_bytes = 1000;
		cfg->prio[3].mmu.xon_offset_bytes = 100;
		for (i = 0; i < PORTS; i++) {
			cfg->rate_bps = 8000000000ULL - 1234567 * i;
			port[s][i] = roce_test_port(test, i + 1, cfg);
		}
	}
	for (n = 0; n < 3000; n++) {
		int in = 1 + prandom_u32_state(&rnd) % PORTS;
		int out = prandom_u32_state(&rnd) % PORTS;
		u8 dscp = prandom_u32_state(&rnd) & 1 ? LOW : DATA;
		u32 len = 60 + prandom_u32_state(&rnd) % 1000;
		u64 until_ns = now_ns + prandom_u32_state(&rnd) % 250;
		enum roce_verdict verdict;

		verdict = roce_test_send(test, port[0][out], in, dscp, len,
					 now_ns);
		KUNIT_ASSERT_EQ(test, verdict,
				roce_test_send(test, port[1][out], in, dscp,
					       len, now_ns));
		drops += verdict != ROCE_ACCEPTED;
		roce_test_sums(test, port[1][0]->sw);
		while (now_ns < until_ns)
			roce_switch_advance(port[0][0]->sw, ++now_ns);
	}
	now_ns += 1000000;
	for (i = 0; i < PORTS; i++) {
		for (;;) {
			a = roce_port_deliver(port[0][i], now_ns);
			b = roce_port_deliver(port[1][i], now_ns);
			if (!a || !b)
				break;
			frames += !!(roce_skb_cb(a)->flags & ROCE_SKB_PFC);
			KUNIT_ASSERT_EQ(test, a->len, b->len);
			KUNIT_ASSERT_EQ(test, roce_skb_cb(a)->time_ns,
					roce_skb_cb(b)->time_ns);
			kfree_skb(a);
			kfree_skb(b);
		}
		KUNIT_EXPECT_NULL(test, a);
		KUNIT_EXPECT_NULL(test, b);
		KUNIT_EXPECT_EQ(test, roce_port_xoff_ns(port[0][i], 3, now_ns),
				roce_port_xoff_ns(port[1][i], 3, now_ns));
	}
	/* Otherwise nothing has been tested. */
	KUNIT_EXPECT_GT(test, drops, 100);
	KUNIT_EXPECT_GT(test, frames, 100);
}

static struct kunit_case roce_hosts_cases[] = {
	KUNIT_CASE(roce_switch__headroom),
	KUNIT_CASE(roce_switch__headroom_too_small),
	KUNIT_CASE(roce_switch__incast),
	KUNIT_CASE(roce_switch__lazy_is_exact),
	{}
};

static struct kunit_suite roce_hosts_suite = {
	.name = "roce_hosts",
	.test_cases = roce_hosts_cases,
};

kunit_test_suite(roce_hosts_suite);
