// SPDX-License-Identifier: GPL-2.0
/*
 * Features of a port, by the feature "testfeat": who is told what and when, and
 * what a feature may do. Lines send a byte a nanosecond.
 */
#include <kunit/test.h>
#include <linux/ip.h>
#include <net/inet_ecn.h>

#include "features/ecn/roce_ecn.h"
#include "../roce_next_event.h"
#include "../roce_feature.h"
#include "../roce_switch.h"
#include "roce_int_reference.h"
#include "roce_test_packets.h"
#include "roce_testfeat.h"
#include "roce_test_switch.h"

#define WATCH	TC_ROCE_TESTFEAT_WATCH

static u32 next_switch = 1000;

/* Two ports of a switch of their own; the second has "testfeat" in priority 3. */
struct pair {
	struct roce_config *cfg;
	struct roce_port *in, *out;
	struct roce_testfeat_port *testfeat;
};

static struct pair make_pair(struct kunit *test, u32 what)
{
	struct pair p = { .cfg = roce_test_config(test) };

	p.cfg->switch_id = next_switch++;
	p.cfg->prio[3].lossless = false;
	p.in = roce_test_port(test, 1, p.cfg);
	roce_testfeat_config(p.cfg)->prio[3].what = what;
	p.out = roce_test_port(test, 2, p.cfg);
	p.testfeat = roce_feature_port(p.out, &roce_testfeat_feature);
	return p;
}

/* Packets that come at T0, with those that are not accepted freed. */
static void send(struct kunit *test, struct pair *p, int count)
{
	while (count--)
		roce_test_send(test, p->out, 1, DATA, 100, T0);
}

static void expect_calls(struct kunit *test, const struct pair *p,
			 const u8 *want)
{
	int i;

	for (i = 0; i < ROCE_HOOKS; i++)
		KUNIT_EXPECT_EQ_MSG(test, p->testfeat->calls[i], want[i],
				    "hook %d", i);
	KUNIT_EXPECT_EQ(test, p->testfeat->wrong, 0);
}

/* Every call that belongs to a packet's life, as often as it must be. */
static void roce_feature__life(struct kunit *test)
{
	/* three come, two wait */
	static const u8 want[ROCE_HOOKS] = { 3, 2, 3, 2, 3, 3, 0, 0, 0 };
	struct pair p = make_pair(test, WATCH);
	const struct roce_testfeat_switch *sw =
		roce_feature_switch(p.out, &roce_testfeat_feature);

	send(test, &p, 3);
	KUNIT_EXPECT_EQ(test, p.testfeat->here, 3);
	KUNIT_EXPECT_EQ(test, sw->here, 3);
	KUNIT_EXPECT_EQ(test, p.testfeat->waiting_bytes[3], 200);
	/* of another priority: none of its business */
	roce_test_send(test, p.out, 1, LOW, 100, T0);
	roce_test_drain(p.out, T0 + 1000);
	expect_calls(test, &p, want);
	KUNIT_EXPECT_EQ(test, p.testfeat->here, 0);
	KUNIT_EXPECT_EQ(test, sw->here, 0);
	KUNIT_EXPECT_EQ(test, p.testfeat->waiting_bytes[3], 0);
	KUNIT_EXPECT_NULL(test, roce_feature_port(p.in, &roce_testfeat_feature));
	roce_test_sums(test, p.out->sw);
}

/* Refused when it comes, when it is to wait, when it has waited. */
static void roce_feature__refuse(struct kunit *test)
{
	static const struct {
		u32 what;
		u8 drops;
		u8 calls[ROCE_HOOKS];
	} table[] = {
		{ WATCH | TC_ROCE_TESTFEAT_REFUSE, 3, { 3 } },
		{ WATCH | TC_ROCE_TESTFEAT_REFUSE_ENQUEUE, 2,
		  { 3, 2, 1, 0, 1, 1 } },
		{ WATCH | TC_ROCE_TESTFEAT_REFUSE_DEQUEUE, 2,
		  { 3, 2, 3, 2, 1, 1, 2 } },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct pair p = make_pair(test, table[i].what);

		send(test, &p, 3);
		roce_test_drain(p.out, T0 + 1000);
		expect_calls(test, &p, table[i].calls);
		KUNIT_EXPECT_EQ(test, p.out->prio[3].stats.drop_feature,
				table[i].drops);
		KUNIT_EXPECT_EQ(test, p.out->prio[3].stats.tx_packets,
				3 - table[i].drops);
		KUNIT_EXPECT_EQ(test, p.testfeat->here, 0);
		KUNIT_EXPECT_EQ(test, roce_mmu_used(&p.out->sw->mmu), 0);
		roce_test_sums(test, p.out->sw);
	}
}

/* A consumed packet is gone, and no drop; its memory is the port's to free. */
static void roce_feature__consume(struct kunit *test)
{
	struct pair p = make_pair(test, WATCH | TC_ROCE_TESTFEAT_CONSUME);
	struct sk_buff *skb = roce_test_packet(test, 1, DATA, 100);

	KUNIT_EXPECT_EQ(test, roce_port_arrive(p.out, skb, T0), ROCE_CONSUMED);
	KUNIT_EXPECT_PTR_EQ(test, p.out->dead.head, skb);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->flags & ROCE_SKB_EATEN);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->flags & ROCE_SKB_OWN);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(p.out), 0);
	roce_test_bury(p.out);
	KUNIT_EXPECT_EQ(test, p.out->prio[3].stats.drop_feature, 0);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&p.out->sw->mmu), 0);
	KUNIT_EXPECT_EQ(test, p.testfeat->here, 0);
}

/* A redirected packet leaves by the other port, charged to where it came in. A
 * port that nobody hears is none.
 */
static void roce_feature__redirect(struct kunit *test)
{
	struct pair p = make_pair(test, WATCH | TC_ROCE_TESTFEAT_REDIRECT);
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *third;
	struct sk_buff *skb = roce_test_packet(test, 1, DATA, 100);

	*cfg = *p.cfg;
	roce_testfeat_config(cfg)->prio[3].what = 0;
	cfg->prio[3].lossless = true;
	roce_test_configure(p.in, cfg, false, 0);
	third = roce_test_port(test, 3, cfg);

	KUNIT_EXPECT_EQ(test, roce_port_arrive(p.out, skb, T0),
			ROCE_REDIRECTED);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&p.in->prio[3].in), 100);
	KUNIT_EXPECT_NULL(test, roce_port_deliver(p.out, T0 + 200));
	KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(third, T0 + 200), skb);
	KUNIT_EXPECT_TRUE(test, roce_skb_cb(skb)->flags & ROCE_SKB_OWN);
	kfree_skb(skb);

	third->down = true;
	p.in->down = true;
	KUNIT_EXPECT_EQ(test, roce_test_send(test, p.out, 1, DATA, 100,
					     T0 + 300), ROCE_ACCEPTED);
	third->down = false;
	p.in->down = false;
	/* no room there: lost, and counted there */
	third->cfg.limit_bytes = 50;
	roce_test_send(test, third, 0, LOW, 100, T0 + 300);
	KUNIT_EXPECT_EQ(test, roce_test_send(test, p.out, 0, DATA, 100,
					     T0 + 300), ROCE_DROP_PORT_LIMIT);
	KUNIT_EXPECT_EQ(test, third->prio[3].stats.drop_port_limit, 1);
	KUNIT_EXPECT_EQ(test, p.out->prio[3].stats.drop_port_limit, 0);
	roce_test_sums(test, p.out->sw);
	roce_test_drain(p.out, T0 + 1000);
	roce_test_drain(third, T0 + 1000);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&p.out->sw->mmu), 0);
}

/* Added bytes are sent, and not charged to the buffer. */
static void roce_feature__grow(struct kunit *test)
{
	struct pair p = make_pair(test, WATCH | TC_ROCE_TESTFEAT_GROW);
	struct sk_buff *skb = roce_test_packet(test, 1, DATA, 100);
	u32 room = skb_tailroom(skb) >= 4 ? 4 : 0;

	KUNIT_ASSERT_EQ(test, room, 4);
	KUNIT_EXPECT_EQ(test, roce_port_arrive(p.out, skb, T0), ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&p.out->sw->mmu), 100);
	KUNIT_EXPECT_EQ(test, p.out->line_free.ns, T0 + 104);
	KUNIT_EXPECT_NULL(test, roce_port_deliver(p.out, T0 + 103));
	KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(p.out, T0 + 104), skb);
	KUNIT_EXPECT_EQ(test, skb->len, 104);
	KUNIT_EXPECT_EQ(test, p.out->tx_wire_bytes, 104);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&p.out->sw->mmu), 0);
	kfree_skb(skb);
}

/* Told of pauses, not of refreshes; and of their ends in the nanosecond in which
 * they are, though nothing waits for it. A quantum is 64 ns here.
 */
static void roce_feature__pause(struct kunit *test)
{
	struct pair p = make_pair(test, WATCH);
	const u64 *calls = p.testfeat->calls;

	p.cfg->prio[3].lossless = true;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false, 0), 0);
	roce_test_pause(test, p.out, 2, T0);
	KUNIT_EXPECT_EQ(test, calls[ROCE_HOOK_PAUSE], 1);
	KUNIT_EXPECT_EQ(test, p.testfeat->pause_ns, T0);
	roce_test_pause(test, p.out, 3, T0 + 100);
	KUNIT_EXPECT_EQ(test, calls[ROCE_HOOK_PAUSE], 1);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(p.out), T0 + 100 + 192);
	roce_switch_advance(p.out->sw, T0 + 100 + 191);
	KUNIT_EXPECT_EQ(test, calls[ROCE_HOOK_RESUME], 0);
	roce_switch_advance(p.out->sw, T0 + 5000);
	KUNIT_EXPECT_EQ(test, calls[ROCE_HOOK_RESUME], 1);
	KUNIT_EXPECT_EQ(test, p.testfeat->resume_ns, T0 + 100 + 192);

	/* ended by the peer */
	roce_test_pause(test, p.out, 100, T0 + 6000);
	roce_test_pause(test, p.out, 0, T0 + 6010);
	KUNIT_EXPECT_EQ(test, calls[ROCE_HOOK_PAUSE], 2);
	KUNIT_EXPECT_EQ(test, calls[ROCE_HOOK_RESUME], 2);
	KUNIT_EXPECT_EQ(test, p.testfeat->resume_ns, T0 + 6010);
	/* a second resume is none */
	roce_test_pause(test, p.out, 0, T0 + 6020);
	KUNIT_EXPECT_EQ(test, calls[ROCE_HOOK_RESUME], 2);
	/* forgotten, when the priority is no longer lossless */
	roce_test_pause(test, p.out, 100, T0 + 7000);
	p.cfg->prio[3].lossless = false;
	roce_test_configure(p.out, p.cfg, false, T0 + 7005);
	KUNIT_EXPECT_EQ(test, calls[ROCE_HOOK_RESUME], 3);
	KUNIT_EXPECT_EQ(test, p.testfeat->resume_ns, T0 + 7005);
}

/* While the line sends something else, too. */
static void roce_feature__resume_while_sending(struct kunit *test)
{
	struct pair p = make_pair(test, WATCH);

	p.cfg->prio[3].lossless = true;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false, 0), 0);
	roce_test_send(test, p.out, 0, LOW, 1000, T0);
	roce_test_pause(test, p.out, 2, T0);
	roce_switch_advance(p.out->sw, T0 + 128);
	KUNIT_EXPECT_EQ(test, p.testfeat->resume_ns, T0 + 128);
	KUNIT_EXPECT_NOT_NULL(test, p.out->sending);
}

/* At its time, also when others look later; not after it is switched off. */
static void roce_feature__timer(struct kunit *test)
{
	struct pair p = make_pair(test, WATCH);
	struct roce_testfeat_config *cfg = roce_testfeat_config(p.cfg);

	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(p.out), ROCE_NEVER);
	cfg->interval_ns = 1500;
	roce_test_configure(p.out, p.cfg, false, T0);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(p.out), T0 + 1500);
	KUNIT_EXPECT_EQ(test, p.out->sw->next_ns, T0 + 1500);
	roce_switch_advance(p.out->sw, T0 + 1499);
	KUNIT_EXPECT_EQ(test, p.testfeat->timers, 0);
	/* the look of another port */
	roce_test_send(test, p.in, 0, LOW, 100, T0 + 4600);
	KUNIT_EXPECT_EQ(test, p.testfeat->timers, 3);
	KUNIT_EXPECT_EQ(test, p.testfeat->timer_ns, T0 + 4500);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(p.out), T0 + 6000);
	cfg->interval_ns = 0;
	roce_test_configure(p.out, p.cfg, false, T0 + 4700);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(p.out), ROCE_NEVER);
	cfg->interval_ns = 1000;
	roce_test_configure(p.out, p.cfg, false, T0 + 5000);
	cfg->prio[3].what = 0;
	roce_test_configure(p.out, p.cfg, false, T0 + 5100);
	roce_switch_advance(p.out->sw, T0 + 9000);
	KUNIT_EXPECT_EQ(test, p.testfeat->timers, 3);
}

/* Lost in a storm, with the port, while being sent: each is told once. */
static void roce_feature__lost(struct kunit *test)
{
	static const u8 storm[ROCE_HOOKS] = { 4, 3, 4, 0, 1, 1, 3, 1, 0 };
	static const u8 down[ROCE_HOOKS] = { 3, 2, 3, 0, 1, 0, 3, 0, 0 };
	struct pair p = make_pair(test, WATCH);

	p.cfg->prio[3].lossless = true;
	p.cfg->pfc_watchdog_ns = 1000;
	p.cfg->pfc_watchdog_action = TC_ROCE_WATCHDOG_DROP;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, p.cfg, false, 0), 0);
	send(test, &p, 4);
	roce_test_pause(test, p.out, 65535, T0);
	roce_switch_advance(p.out->sw, T0 + 2000);
	expect_calls(test, &p, storm);
	KUNIT_EXPECT_EQ(test, p.testfeat->here, 0);
	roce_test_drain(p.out, T0 + 2000);

	p = make_pair(test, WATCH);
	send(test, &p, 3);
	roce_port_purge(p.out, T0 + 50);
	expect_calls(test, &p, down);
	KUNIT_EXPECT_EQ(test, p.testfeat->here, 0);
	KUNIT_EXPECT_EQ(test, p.testfeat->waiting_bytes[3], 0);
	roce_test_bury(p.out);
}

/* ECN leaves a priority to the feature that takes its place. */
static void roce_feature__no_ecn(struct kunit *test)
{
	static const u32 what[] = { 0, WATCH, WATCH | TC_ROCE_TESTFEAT_NO_ECN };
	static const u64 marked[] = { 2, 2, 0 };
	int i;

	for (i = 0; i < ARRAY_SIZE(what); i++) {
		struct pair p = make_pair(test, what[i]);
		struct roce_ecn_prio *ecn = &roce_ecn_config(p.cfg)->prio[3];
		const struct roce_ecn *state;

		ecn->when = TC_ROCE_ECN_ENQUEUE;
		ecn->ramp.kmin_bytes = 50;
		ecn->ramp.kmax_bytes = 50;
		roce_test_configure(p.out, p.cfg, false, 0);
		send(test, &p, 4);
		state = roce_feature_port(p.out, &roce_ecn_feature);
		KUNIT_EXPECT_EQ_MSG(test, state ? state->stats[3].marked : 0,
				    marked[i], "row %d", i);
		roce_test_drain(p.out, T0 + 1000);
	}
}

/* Switched on while packets wait: none of its business, also when it had been on
 * before.
 */
static void roce_feature__late(struct kunit *test)
{
	struct pair p = make_pair(test, WATCH);
	struct roce_testfeat_config *cfg = roce_testfeat_config(p.cfg);
	u64 was;

	send(test, &p, 3);
	cfg->prio[3].what = 0;
	roce_test_configure(p.out, p.cfg, false, T0 + 10);
	cfg->prio[3].what = WATCH;
	roce_test_configure(p.out, p.cfg, false, T0 + 20);
	was = p.testfeat->calls[ROCE_HOOK_DEQUEUE];
	roce_test_drain(p.out, T0 + 1000);
	KUNIT_EXPECT_EQ(test, p.testfeat->calls[ROCE_HOOK_DEQUEUE], was);
	KUNIT_EXPECT_EQ(test, p.testfeat->calls[ROCE_HOOK_DEPART], 0);
	KUNIT_EXPECT_EQ(test, p.out->prio[3].stats.tx_packets, 3);
}

/* The sender hears of each packet, and nobody of the answers: that would never
 * end.
 */
static void roce_feature__reply(struct kunit *test)
{
	static const struct recipe recipe = { HPCC_RECIPE };
	struct pair p = make_pair(test, WATCH | TC_ROCE_TESTFEAT_REPLY);
	struct frame *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct roce_testfeat_port *back;
	struct sk_buff *skb;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	frame_build(f, &recipe);
	/* the way back answers everything, too */
	roce_testfeat_config(p.cfg)->prio[6].what = WATCH | TC_ROCE_TESTFEAT_REPLY;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.in, p.cfg, false, 0), 0);
	back = roce_feature_port(p.in, &roce_testfeat_feature);
	for (i = 0; i < 3; i++) {
		skb = frame_skb(test, f, 64, FRAME_MAX);
		skb->skb_iif = 1;
		KUNIT_ASSERT_EQ(test, roce_port_arrive(p.out, skb, T0),
				ROCE_ACCEPTED);
	}
	KUNIT_EXPECT_EQ(test, p.testfeat->replies, 3);
	KUNIT_EXPECT_EQ(test, back->replies, 0);
	/* told of what the port sends by itself, but for arrive */
	KUNIT_EXPECT_EQ(test, back->calls[ROCE_HOOK_ARRIVE], 0);
	KUNIT_EXPECT_EQ(test, back->calls[ROCE_HOOK_ARRIVED], 3);
	skb = roce_port_deliver(p.in, T0 + 100000);
	KUNIT_ASSERT_NOT_NULL(test, skb);
	/* Ethernet, IPv4, UDP, BTH, 16 bytes, ICRC */
	KUNIT_EXPECT_EQ(test, skb->len, 14 + 20 + 8 + 12 + 16 + 4);
	KUNIT_EXPECT_EQ(test, skb->data[14 + 20 + 8], 0x81);
	kfree_skb(skb);
	roce_test_drain(p.in, T0 + 100000);
	roce_test_drain(p.out, T0 + 100000);
}

/* A port that leaves takes its timer along, and the switch forgets it. */
static void roce_feature__leave(struct kunit *test)
{
	struct pair p = make_pair(test, WATCH);
	struct roce_config *cfg = roce_test_config(test);
	const struct roce_testfeat_switch *sw =
		roce_feature_switch(p.out, &roce_testfeat_feature);

	roce_testfeat_config(p.cfg)->interval_ns = 1000;
	roce_test_configure(p.out, p.cfg, false, T0);
	send(test, &p, 3);
	KUNIT_EXPECT_EQ(test, sw->ports, BIT_ULL(p.out->slot));
	*cfg = *p.cfg;
	cfg->switch_id = next_switch++;
	KUNIT_ASSERT_EQ(test, roce_test_configure(p.out, cfg, false, T0 + 50),
			0);
	KUNIT_EXPECT_EQ(test, sw->ports, 0);
	KUNIT_EXPECT_EQ(test, sw->here, 0);
	KUNIT_EXPECT_EQ(test, p.in->sw->next_ns, ROCE_NEVER);
	KUNIT_EXPECT_EQ(test, p.testfeat->calls[ROCE_HOOK_LOST], 3);
	KUNIT_EXPECT_PTR_NE(test, roce_feature_switch(p.out, &roce_testfeat_feature),
			    (void *)sw);
	/* it goes on there */
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(p.out), 0);
	roce_test_bury(p.out);
	KUNIT_EXPECT_EQ(test, roce_event_wake_ns(p.out), T0 + 50 + 1000);
}

static u16 wants_nothing(const struct roce_config *cfg, u8 prio, u8 class)
{
	return 0;
}

/* What cannot be registered. */
static void roce_feature__register(struct kunit *test)
{
	static const struct roce_option taken[] = {
		{ .name = "a", .type = TCA_ROCE_INT, .bytes = 1 }, { }
	};
	static const struct roce_option outside[] = {
		{ .name = "a", .type = TCA_ROCE_MAX + 1, .bytes = 1 }, { }
	};
	static const struct roce_option behind[] = {
		{ .name = "a", .type = TCA_ROCE_PAD, .bytes = 4, .offset = 6 }, { }
	};
	static const struct roce_option odd[] = {
		{ .name = "a", .type = TCA_ROCE_PAD, .bytes = 3 }, { }
	};
	static const struct {
		const struct roce_option *options;
		int err;
	} table[] = {
		{ taken, -EEXIST }, { outside, -EINVAL }, { behind, -EINVAL },
		{ odd, -EINVAL },
	};
	struct roce_feature f = {
		.wants = wants_nothing, .config_bytes = 8, .port_bytes = 8,
		.name = "test", .owner = THIS_MODULE,
	};
	struct roce_feature *many;
	int i, n;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		f.options = table[i].options;
		KUNIT_EXPECT_EQ_MSG(test, roce_feature_register(&f),
				    table[i].err, "row %d", i);
	}
	f.options = NULL;
	f.config_bytes = ROCE_FEATURE_CONFIG_BYTES + 1;
	KUNIT_EXPECT_EQ(test, roce_feature_register(&f), -EINVAL);
	f.config_bytes = 8;
	f.wants = NULL;
	KUNIT_EXPECT_EQ(test, roce_feature_register(&f), -EINVAL);
	f.wants = wants_nothing;

	/* until there is no slot */
	many = kunit_kcalloc(test, ROCE_FEATURES_MAX, sizeof(*many), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, many);
	for (n = 0; n < ROCE_FEATURES_MAX; n++) {
		many[n] = f;
		if (roce_feature_register(&many[n]))
			break;
	}
	KUNIT_EXPECT_GT(test, n, 0);
	KUNIT_EXPECT_LT(test, n, ROCE_FEATURES_MAX);
	KUNIT_EXPECT_EQ(test, roce_feature_register(&f), -ENOSPC);
	while (n--)
		roce_feature_unregister(&many[n]);
	KUNIT_EXPECT_EQ(test, roce_feature_register(&f), 0);
	roce_feature_unregister(&f);
}

static struct kunit_case roce_feature_cases[] = {
	KUNIT_CASE(roce_feature__life),
	KUNIT_CASE(roce_feature__refuse),
	KUNIT_CASE(roce_feature__consume),
	KUNIT_CASE(roce_feature__redirect),
	KUNIT_CASE(roce_feature__grow),
	KUNIT_CASE(roce_feature__pause),
	KUNIT_CASE(roce_feature__resume_while_sending),
	KUNIT_CASE(roce_feature__timer),
	KUNIT_CASE(roce_feature__lost),
	KUNIT_CASE(roce_feature__no_ecn),
	KUNIT_CASE(roce_feature__late),
	KUNIT_CASE(roce_feature__reply),
	KUNIT_CASE(roce_feature__leave),
	KUNIT_CASE(roce_feature__register),
	{}
};

static struct kunit_suite roce_feature_suite = {
	.name = "roce_feature",
	.test_cases = roce_feature_cases,
};

kunit_test_suite(roce_feature_suite);
