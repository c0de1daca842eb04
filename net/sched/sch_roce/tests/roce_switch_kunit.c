// SPDX-License-Identifier: GPL-2.0
/* Which packet is charged to whom, and who belongs to a switch. */
#include <kunit/test.h>
#include <linux/ip.h>
#include <linux/prandom.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "features/ecn/roce_ecn.h"
#include "features/int/roce_int_port.h"
#include "../roce_port.h"
#include "../roce_switch.h"
#include "roce_int_reference.h"
#include "roce_test_packets.h"
#include "roce_test_switch.h"

/* Which account a packet is charged to, and until when. */
static void roce_switch__charge(struct kunit *test)
{
	static const struct {
		int in;
		u8 dscp;
		u64 in_bytes, out_bytes;
	} table[] = {
		{ 1, DATA, 300, 0 },
		{ 1, LOW, 0, 300 },
		{ 0, DATA, 0, 300 },
		{ 99, DATA, 0, 300 },
		{ 2, DATA, 0, 0 },	/* out where it came in: see below */
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct roce_config *cfg = roce_test_config(test);
		u8 id = table[i].dscp == DATA ? 3 : 0;
		struct roce_port *in, *out;
		int n;

		cfg->switch_id = SWITCH + i;
		in = roce_test_port(test, 1, cfg);
		out = roce_test_port(test, 2, cfg);
		for (n = 0; n < 3; n++)
			KUNIT_EXPECT_EQ(test, ROCE_ACCEPTED,
					roce_test_send(test, out, table[i].in,
						       table[i].dscp, 100, T0));
		roce_test_sums(test, in->sw);
		KUNIT_EXPECT_EQ_MSG(test, roce_account_bytes(&in->prio[id].in),
				    table[i].in_bytes, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, roce_account_bytes(&out->prio[id].out),
				    table[i].out_bytes, "row %d", i);
		KUNIT_EXPECT_EQ_MSG(test, roce_account_bytes(&out->prio[id].in),
				    table[i].in == 2 ? 300 : 0, "row %d", i);
		/* released at the last byte, not when it has arrived */
		roce_switch_advance(in->sw, T0 + 99);
		KUNIT_EXPECT_EQ(test, roce_mmu_used(&in->sw->mmu), 300);
		roce_switch_advance(in->sw, T0 + 100);
		KUNIT_EXPECT_EQ(test, roce_mmu_used(&in->sw->mmu), 200);
		roce_switch_advance(in->sw, T0 + 300);
		KUNIT_EXPECT_EQ(test, roce_mmu_used(&in->sw->mmu), 0);
		roce_test_sums(test, in->sw);
	}
}

/* The ingress port's own map says which priority its peer is to pause. */
static void roce_switch__ingress_map(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *in, *out;

	cfg->prio[5].lossless = true;
	cfg->prio[5].mmu.headroom_bytes = 5000;
	out = roce_test_port(test, 2, cfg);
	cfg->dscp_prio[DATA] = 5;
	in = roce_test_port(test, 1, cfg);
	roce_test_send(test, out, 1, DATA, 100, T0);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&in->prio[5].in), 100);
	KUNIT_EXPECT_EQ(test, out->prio[3].stats.tx_packets, 1);
	roce_switch_advance(in->sw, T0 + 100);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&in->prio[5].in), 0);
}

/* Limits are for what waits and is lossy; the buffer is for everything. */
static void roce_switch__refusals(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in, *out;
	int i;

	cfg->limit_bytes = 200;
	cfg->prio[0].mmu.alpha_q16 = TC_ROCE_ALPHA_ONE / 1024;
	in = roce_test_port(test, 1, cfg);
	out = roce_test_port(test, 2, cfg);
	/* Pool 990000: a share of 966 bytes. An idle line does not help. */
	KUNIT_EXPECT_EQ(test, roce_test_send(test, out, 1, LOW, 1000, T0),
			ROCE_DROP_BUFFER);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, roce_test_send(test, out, 1, LOW, 100, T0),
				ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, roce_test_send(test, out, 1, LOW, 100, T0),
			ROCE_DROP_PORT_LIMIT);
	/* 1000 + 5000 bytes of lossless packets, no matter what the limit is */
	for (i = 0; i < 60; i++)
		KUNIT_EXPECT_EQ(test, roce_test_send(test, out, 1, DATA, 100, T0),
				ROCE_ACCEPTED);
	KUNIT_EXPECT_EQ(test, roce_test_send(test, out, 1, DATA, 100, T0),
			ROCE_DROP_HEADROOM);
	/* from elsewhere it is lossy */
	KUNIT_EXPECT_EQ(test, roce_test_send(test, out, 0, DATA, 100, T0),
			ROCE_DROP_PORT_LIMIT);
	KUNIT_EXPECT_EQ(test, out->prio[0].stats.drop_buffer, 1);
	KUNIT_EXPECT_EQ(test, out->prio[0].stats.drop_port_limit, 1);
	KUNIT_EXPECT_EQ(test, out->prio[3].stats.drop_headroom, 1);
	KUNIT_EXPECT_EQ(test, out->prio[3].stats.drop_port_limit, 1);
	roce_test_sums(test, in->sw);
	roce_switch_advance(in->sw, T0 + 10000);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&in->sw->mmu), 0);
}

static int mark_of(const struct sk_buff *skb)
{
	return ip_hdr(skb)->tos & INET_ECN_MASK;
}

/* A packet that is not ECT is lost instead of marked, but never a lossless
 * one; at dequeue the line takes the next one at the same instant.
 */
static void roce_switch__not_ect(struct kunit *test)
{
	static const u8 modes[] = { TC_ROCE_ECN_ENQUEUE, TC_ROCE_ECN_DEQUEUE };
	int m;

	for (m = 0; m < ARRAY_SIZE(modes); m++) {
		struct roce_config *cfg = roce_test_config(test);
		struct roce_ecn_config *ecn = roce_ecn_config(cfg);
		const struct roce_ecn *state;
		struct roce_port *out;
		struct sk_buff *skb[4];
		int i;

		cfg->switch_id = SWITCH + m;
		ecn->prio[0].when = modes[m];
		ecn->prio[0].not_ect = TC_ROCE_NOT_ECT_DROP;
		ecn->prio[0].ramp.kmin_bytes = 50;
		ecn->prio[0].ramp.kmax_bytes = 50;
		out = roce_test_port(test, 2, cfg);
		for (i = 0; i < 4; i++) {
			skb[i] = roce_test_packet(test, 0, LOW, 100);
			if (i == 2) {
				ip_hdr(skb[i])->tos = 0;
				ip_send_check(ip_hdr(skb[i]));
			}
			if (roce_port_arrive(out, skb[i], T0) != ROCE_ACCEPTED)
				kfree_skb(skb[i]);
		}
		/* enqueue: 2 and 3 meet a queue; dequeue: 1 and 2 leave one */
		KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(out, T0 + 100),
				    skb[0]);
		KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(out, T0 + 200),
				    skb[1]);
		KUNIT_EXPECT_PTR_EQ(test, roce_port_deliver(out, T0 + 300),
				    skb[3]);
		KUNIT_EXPECT_EQ(test, out->prio[0].stats.drop_not_ect, 1);
		state = roce_feature_port(out, &roce_ecn_feature);
		KUNIT_EXPECT_EQ(test, state->stats[0].not_ect, 0);
		KUNIT_EXPECT_EQ(test, out->dead.qlen,
				modes[m] == TC_ROCE_ECN_DEQUEUE);
		KUNIT_EXPECT_EQ(test, mark_of(skb[1]) == INET_ECN_CE,
				modes[m] == TC_ROCE_ECN_DEQUEUE);
		KUNIT_EXPECT_EQ(test, mark_of(skb[3]) == INET_ECN_CE,
				modes[m] == TC_ROCE_ECN_ENQUEUE);
		roce_switch_advance(out->sw, T0 + 300);
		roce_test_sums(test, out->sw);
		KUNIT_EXPECT_EQ(test, roce_mmu_used(&out->sw->mmu), 0);
		kfree_skb(skb[0]);
		kfree_skb(skb[1]);
		kfree_skb(skb[3]);
	}
}

/* A port leaves while its packets wait elsewhere and others' wait at it. */
static void roce_switch__leave(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_config *alone = roce_test_fixed_config(test);
	struct roce_port *gone, *out, *third;
	struct roce_switch *sw;
	struct sk_buff *skb;
	int i;

	cfg->prio[3].mmu.reserve_bytes = 300;
	gone = roce_test_port(test, 1, cfg);
	out = roce_test_port(test, 2, cfg);
	third = roce_test_port(test, 3, cfg);
	sw = out->sw;
	for (i = 0; i < 20; i++) {
		roce_test_send(test, out, 1, DATA, 100, T0);
		roce_test_send(test, gone, 3, DATA, 100, T0);
	}
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(gone, 3));
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(third, 3));
	KUNIT_EXPECT_EQ(test, sw->nr_xoff, 2);

	alone->switch_id = SWITCH + 1;
	KUNIT_ASSERT_EQ(test, roce_test_configure(gone, alone, false, T0 + 150),
			0);
	KUNIT_EXPECT_PTR_NE(test, gone->sw, sw);
	KUNIT_EXPECT_EQ(test, sw->nr_ports, 2);
	roce_test_sums(test, sw);
	roce_test_sums(test, gone->sw);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&gone->sw->mmu), 0);
	/* its packets that wait elsewhere came in nowhere, whoever has its place next */
	for (skb = out->prio[3].queue.head; skb; skb = skb->next)
		KUNIT_EXPECT_EQ(test, roce_skb_cb(skb)->in_slot, 0);
	/* PFC frame on the line until 60, data from then on: two are through */
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&out->prio[3].out), 1900);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&gone->prio[3].in), 0);
	/* what waited at it is lost: the third may resume */
	KUNIT_EXPECT_FALSE(test, roce_port_xoff(third, 3));
	KUNIT_EXPECT_FALSE(test, roce_port_xoff(gone, 3));
	KUNIT_EXPECT_EQ(test, sw->nr_xoff, 0);
	KUNIT_EXPECT_GT(test, gone->dead.qlen, 18);

	/* and back, with packets of its former self still there */
	KUNIT_ASSERT_EQ(test, roce_test_configure(gone, cfg, false, T0 + 300),
			0);
	KUNIT_EXPECT_PTR_EQ(test, gone->sw, sw);
	roce_test_send(test, out, 1, DATA, 100, T0 + 300);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&gone->prio[3].in), 100);
	roce_test_sums(test, sw);
	roce_switch_advance(sw, T0 + 10000);
	roce_test_sums(test, sw);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&sw->mmu), 0);
	KUNIT_EXPECT_EQ(test, out->prio[3].stats.tx_packets, 21);
}

/* INT packets that wait while the overhead changes: each releases what it was
 * charged with.
 */
static void roce_switch__overhead(struct kunit *test)
{
	static const struct recipe hpcc = { HPCC_RECIPE };
	const struct roce_int_port *state;
	struct frame *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *in, *out;
	struct sk_buff *skb;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	frame_build(f, &hpcc);
	in = roce_test_port(test, 1, cfg);
	out = roce_test_port(test, 2, cfg);
	for (i = 0; i < 3; i++) {
		skb = frame_skb(test, f, 64, f->len);
		skb->skb_iif = 1;
		KUNIT_ASSERT_EQ(test, roce_port_arrive(out, skb, T0),
				ROCE_ACCEPTED);
	}
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&in->sw->mmu), 3 * f->len);
	cfg->overhead = 500;
	roce_test_configure(out, cfg, false, T0 + 10);
	roce_switch_advance(in->sw, T0 + 10000);
	state = roce_feature_port(out, &roce_int_feature);
	KUNIT_EXPECT_EQ(test, state->pushed, 3);
	KUNIT_EXPECT_EQ(test, out->tx_wire_bytes, 3 * (f->len + 32));
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&in->sw->mmu), 0);
	roce_test_sums(test, in->sw);
}

/* A pulled cable: own packets go, what came in by it stays charged to it. */
static void roce_switch__purge(struct kunit *test)
{
	struct roce_config *cfg = roce_test_fixed_config(test);
	struct roce_port *in = roce_test_port(test, 1, cfg);
	struct roce_port *out = roce_test_port(test, 2, cfg);
	int i;

	for (i = 0; i < 20; i++) {
		roce_test_send(test, out, 1, DATA, 100, T0);
		roce_test_send(test, in, 2, LOW, 100, T0);
	}
	roce_port_purge(in, T0 + 50);
	roce_test_sums(test, in->sw);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&in->prio[3].in), 2000);
	KUNIT_EXPECT_EQ(test, roce_account_bytes(&in->prio[0].out), 0);
	KUNIT_EXPECT_TRUE(test, roce_port_xoff(in, 3));
	roce_port_purge(out, T0 + 250);
	roce_test_sums(test, in->sw);
	KUNIT_EXPECT_EQ(test, roce_mmu_used(&in->sw->mmu), 0);
	KUNIT_EXPECT_FALSE(test, roce_port_xoff(in, 3));
}

/* The buffer is the switch's, and must hold what is set apart of it. */
static void roce_switch__buffer(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *a, *b;

	cfg->buffer_bytes = 20000;
	cfg->prio[3].mmu.reserve_bytes = 1000;
	a = roce_test_port(test, 1, cfg);
	KUNIT_EXPECT_EQ(test, a->sw->mmu.buffer_bytes, 20000);
	KUNIT_EXPECT_EQ(test, a->sw->mmu.headroom_bytes, 5000);
	KUNIT_EXPECT_EQ(test, a->sw->mmu.reserve_bytes, 1000);

	/* not told: takes it; told: sets it for all */
	cfg->buffer_bytes = 77777;
	b = roce_test_port(test, 2, cfg);
	KUNIT_EXPECT_EQ(test, b->cfg.buffer_bytes, 20000);
	cfg->buffer_bytes = 12000;
	KUNIT_EXPECT_EQ(test, roce_test_configure(b, cfg, true, T0), 0);
	KUNIT_EXPECT_EQ(test, a->cfg.buffer_bytes, 12000);
	KUNIT_EXPECT_EQ(test, a->sw->mmu.buffer_bytes, 12000);

	/* 2 * 6000 is the least */
	cfg->buffer_bytes = 11999;
	KUNIT_EXPECT_EQ(test, roce_test_configure(b, cfg, true, T0), -ENOSPC);
	cfg->buffer_bytes = 12000;
	cfg->prio[3].mmu.headroom_bytes = 5001;
	KUNIT_EXPECT_EQ(test, roce_test_configure(b, cfg, false, T0), -ENOSPC);
	KUNIT_EXPECT_EQ(test, b->prio[3].in.headroom_size, 5000);
	cfg->prio[3].mmu.reserve_bytes = 999;
	KUNIT_EXPECT_EQ(test, roce_test_configure(b, cfg, false, T0), 0);
	KUNIT_EXPECT_EQ(test, b->prio[3].in.headroom_size, 5001);
	KUNIT_EXPECT_EQ(test, a->sw->mmu.headroom_bytes, 10001);

	/* lossy priorities have no headroom; their reserve is at the egress */
	cfg->prio[3].lossless = false;
	KUNIT_EXPECT_EQ(test, roce_test_configure(b, cfg, false, T0), 0);
	KUNIT_EXPECT_EQ(test, b->prio[3].in.headroom_size, 0);
	KUNIT_EXPECT_EQ(test, b->prio[3].in.reserve_size, 0);
	KUNIT_EXPECT_EQ(test, b->prio[3].out.reserve_size, 999);

	/* A NIC port has neither. */
	cfg->prio[3].lossless = true;
	cfg->switch_id = TC_ROCE_SWITCH_NONE;
	KUNIT_EXPECT_EQ(test, roce_test_configure(b, cfg, false, T0), 0);
	KUNIT_EXPECT_EQ(test, b->prio[3].in.headroom_size, 0);
	KUNIT_EXPECT_EQ(test, a->sw->mmu.headroom_bytes, 5000);
	KUNIT_EXPECT_EQ(test, a->sw->nr_ports, 1);
}

/* A qdisc takes another's place on its device: the buffer need not hold both,
 * though for a moment both are there.
 */
static void roce_switch__replace(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_config *none = roce_test_config(test);
	struct roce_port *old, *new, *other;
	struct roce_switch *sw;

	cfg->buffer_bytes = 10000;
	old = roce_test_port(test, 1, cfg);
	other = roce_test_port(test, 2, cfg);
	sw = other->sw;
	new = roce_test_port(test, 1, cfg);
	KUNIT_EXPECT_PTR_EQ(test, new->sw, sw);
	KUNIT_EXPECT_EQ(test, sw->mmu.headroom_bytes, 15000);
	KUNIT_EXPECT_EQ(test, roce_mmu_shared_free(&sw->mmu), 0);
	roce_test_sums(test, sw);

	none->switch_id = TC_ROCE_SWITCH_NONE;
	KUNIT_ASSERT_EQ(test, roce_test_configure(old, none, false, T0), 0);
	KUNIT_EXPECT_EQ(test, sw->mmu.headroom_bytes, 10000);
	KUNIT_EXPECT_PTR_EQ(test, roce_switch_ingress(sw, 1), new);
	roce_test_sums(test, sw);
	/* as another device's it does not fit */
	old->ifindex = 3;
	KUNIT_EXPECT_EQ(test, roce_test_configure(old, cfg, false, T0),
			-ENOSPC);
}

/* More ports than a switch has room for at first. */
static void roce_switch__many(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *port[40];
	int i;

	for (i = 0; i < ARRAY_SIZE(port); i++) {
		port[i] = roce_test_port(test, 1 + 3 * i, cfg);
		KUNIT_ASSERT_PTR_EQ(test, port[i]->sw, port[0]->sw);
		KUNIT_ASSERT_PTR_EQ(test, port[0]->sw->slots[port[i]->slot],
				    port[i]);
	}
	for (i = 0; i < ARRAY_SIZE(port); i++)
		KUNIT_EXPECT_PTR_EQ(test,
				    roce_switch_ingress(port[0]->sw, 1 + 3 * i),
				    port[i]);
	KUNIT_EXPECT_NULL(test, roce_switch_ingress(port[0]->sw, 2));
	KUNIT_EXPECT_EQ(test, port[0]->sw->nr_ports, 40);
	for (i = 0; i < ARRAY_SIZE(port); i++)
		KUNIT_EXPECT_EQ(test, ROCE_ACCEPTED,
				roce_test_send(test, port[0], 1 + 3 * i, DATA,
					       100, T0));
	roce_test_sums(test, port[0]->sw);
}

/* Whether the buffer suffices for an MTU is a question for ports of a switch: a headroom
 * that is computed holds two packets at least.
 */
static void roce_switch__mtu(struct kunit *test)
{
	struct roce_config *cfg = roce_test_config(test);
	struct roce_port *port;

	cfg->buffer_bytes = 100000;
	cfg->prio[3].mmu.headroom_bytes = TC_ROCE_HEADROOM_AUTO;
	port = roce_test_port(test, 1, cfg);
	KUNIT_EXPECT_EQ(test, roce_switch_check_mtu(port, 1500), 0);
	KUNIT_EXPECT_EQ(test, roce_switch_check_mtu(port, 65535), -ENOSPC);

	roce_config_default(cfg);
	cfg->prio[3].lossless = true;
	port = roce_test_port(test, 2, cfg);
	KUNIT_EXPECT_EQ(test, roce_switch_check_mtu(port, 1500), 0);
	KUNIT_EXPECT_EQ(test, roce_switch_check_mtu(port, 65535), 0);
}

static struct kunit_case roce_switch_cases[] = {
	KUNIT_CASE(roce_switch__mtu),
	KUNIT_CASE(roce_switch__charge),
	KUNIT_CASE(roce_switch__ingress_map),
	KUNIT_CASE(roce_switch__refusals),
	KUNIT_CASE(roce_switch__not_ect),
	KUNIT_CASE(roce_switch__leave),
	KUNIT_CASE(roce_switch__overhead),
	KUNIT_CASE(roce_switch__purge),
	KUNIT_CASE(roce_switch__buffer),
	KUNIT_CASE(roce_switch__replace),
	KUNIT_CASE(roce_switch__many),
	{}
};

static struct kunit_suite roce_switch_suite = {
	.name = "roce_switch",
	.test_cases = roce_switch_cases,
};

kunit_test_suite(roce_switch_suite);
