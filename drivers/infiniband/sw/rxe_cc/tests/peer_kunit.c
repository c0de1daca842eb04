// SPDX-License-Identifier: GPL-2.0
/*
 * What flows share: state of a peer and of a port, calls of on_group, the port's
 * timer; how long peers are kept.
 */
#include <linux/delay.h>
#include <net/ipv6.h>

#include "core_fixture.h"

#define PEER_QPS	4
/* The core keeps that many peers without queue pairs. */
#define PEER_IDLE_MAX	256
/* A work item runs as soon as bottom halves do: at once in virtual time. */
#define PEER_PASS_US	100

struct peer_priv {
	u64 mark;
};

struct peer_qp {
	struct rxe_cc_qp_handle h;
	struct rxe_cc_qp_info info;
};

/**
 * struct peer_rig - queue pairs of one port to several peers
 * @rig: port, and a queue pair that is not connected
 * @ops: algorithm
 * @qp: queue pairs
 * @on_group: calls of on_group for each of them
 * @kick_peer: what on_ack leaves, as the next two
 * @kick_port: see above
 * @port_timer_ns: see above
 * @port_inits: calls of port_init, as the next three
 * @port_exits: see above
 * @peer_inits: see above
 * @peer_exits: see above
 * @port_timers: calls of on_port_timer
 * @again_ns: how much later on_port_timer wants the next call; 0: never
 * @port_kick: on_port_timer kicks
 * @verdict: what on_group returns
 */
struct peer_rig {
	struct core_rig *rig;
	struct rxe_cc_ops ops;
	struct peer_qp qp[PEER_QPS];
	unsigned int on_group[PEER_QPS];
	bool kick_peer, kick_port;
	u64 port_timer_ns;
	unsigned int port_inits, port_exits, peer_inits, peer_exits;
	unsigned int port_timers;
	u64 again_ns;
	bool port_kick;
	u32 verdict;
};

/* The core's calls bring no pointer to the rig. */
static struct peer_rig *peer_rig;

static void peer_on_init(struct rxe_cc_flow *f, u64 now_ns)
{
}

static void peer_on_ack(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	f->kick_peer = peer_rig->kick_peer;
	f->kick_port = peer_rig->kick_port;
	if (peer_rig->port_timer_ns)
		f->port_timer_ns = s->now_ns + peer_rig->port_timer_ns;
}

static u32 peer_on_group(struct rxe_cc_flow *f, const struct rxe_cc_sample *s)
{
	unsigned int i;

	for (i = 0; i < PEER_QPS; i++)
		if (peer_rig->qp[i].h.qp && f == &peer_rig->qp[i].h.qp->flow)
			peer_rig->on_group[i]++;
	return peer_rig->verdict;
}

static void peer_on_port_timer(void *port_priv, struct rxe_cc_port_call *c)
{
	peer_rig->port_timers++;
	c->kick = peer_rig->port_kick;
	if (peer_rig->again_ns)
		c->timer_ns = c->now_ns + peer_rig->again_ns;
}

static int peer_port_init(void *port_priv)
{
	peer_rig->port_inits++;
	return 0;
}

static void peer_port_exit(void *port_priv)
{
	peer_rig->port_exits++;
}

static void peer_peer_init(void *peer_priv, void *port_priv)
{
	struct peer_priv *p = peer_priv;

	p->mark = ++peer_rig->peer_inits;
}

static void peer_peer_exit(void *peer_priv, void *port_priv)
{
	peer_rig->peer_exits++;
}

static void peer_addr(struct in6_addr *addr, u32 n)
{
	ipv6_addr_set_v4mapped(htonl(0x0a000000 + n), addr);
}

static void peer_end(void *data)
{
	unsigned int i;

	for (i = 0; i < PEER_QPS; i++)
		rxe_cc_qp_del(&peer_rig->qp[i].h);
}

/* Queue pairs 0 and 1 to peer 1, 2 to peer 2, 3 to nobody. */
static struct peer_rig *peer_new(struct kunit *test)
{
	struct peer_rig *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	static const u32 peers[PEER_QPS] = { 1, 1, 2, 0 };
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, p);
	peer_rig = p;
	p->rig = core_rig_new(test, 0, 0);
	p->ops = (struct rxe_cc_ops) {
		.init = peer_on_init, .on_ack = peer_on_ack,
		.on_group = peer_on_group,
		.on_port_timer = peer_on_port_timer,
		.port_init = peer_port_init, .port_exit = peer_port_exit,
		.peer_init = peer_peer_init, .peer_exit = peer_peer_exit,
		.port_priv_size = sizeof(u64),
		.peer_priv_size = sizeof(struct peer_priv),
		.name = "peers", .owner = THIS_MODULE,
	};
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&p->rig->ph, &p->ops, NULL));
	for (i = 0; i < PEER_QPS; i++) {
		p->qp[i].info = p->rig->info;
		p->qp[i].info.qpn = 100 + i;
		if (peers[i])
			peer_addr(&p->qp[i].info.peer, peers[i]);
		KUNIT_ASSERT_EQ(test, 0, rxe_cc_qp_add(&p->rig->ph, &p->qp[i].h,
						       &p->qp[i].info, p));
	}
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, peer_end, p));
	return p;
}

static struct rxe_cc_flow *peer_flow(struct peer_rig *p, unsigned int i)
{
	return &p->qp[i].h.qp->flow;
}

static u64 peer_mark(struct peer_rig *p, unsigned int i)
{
	return ((struct peer_priv *)peer_flow(p, i)->peer_priv)->mark;
}

/* Queue pair @i sends and is acknowledged. */
static void peer_call(struct peer_rig *p, unsigned int i)
{
	struct rxe_cc_qp *qp = p->qp[i].h.qp;
	u32 psn = qp->psns.valid ? qp->psns.max : 0;

	core_rig_sent(qp, RXE_CC_PKT_DATA, psn, true, true);
	rxe_cc_rx_ack(qp, RXE_CC_ACK, psn, ktime_get_ns(), RXE_CC_CAP_KNOWN,
		      NULL, 0);
	core_rig_pass(PEER_PASS_US);
}

static void peer_expect_group(struct kunit *test, struct peer_rig *p,
			      unsigned int a, unsigned int b, unsigned int c,
			      unsigned int d)
{
	KUNIT_EXPECT_EQ(test, p->on_group[0], a);
	KUNIT_EXPECT_EQ(test, p->on_group[1], b);
	KUNIT_EXPECT_EQ(test, p->on_group[2], c);
	KUNIT_EXPECT_EQ(test, p->on_group[3], d);
}

static void peer__state(struct kunit *test)
{
	struct peer_rig *p = peer_new(test);

	KUNIT_EXPECT_PTR_EQ(test, peer_flow(p, 0)->peer_priv, peer_flow(p, 1)->peer_priv);
	KUNIT_EXPECT_PTR_NE(test, peer_flow(p, 0)->peer_priv, peer_flow(p, 2)->peer_priv);
	/* Of those who are not connected, too. */
	KUNIT_ASSERT_NOT_NULL(test, peer_flow(p, 3)->peer_priv);
	KUNIT_EXPECT_PTR_NE(test, peer_flow(p, 0)->peer_priv, peer_flow(p, 3)->peer_priv);
	KUNIT_EXPECT_PTR_EQ(test, peer_flow(p, 0)->port_priv, peer_flow(p, 2)->port_priv);
	KUNIT_EXPECT_EQ(test, p->peer_inits, 3U);
	KUNIT_EXPECT_EQ(test, p->port_inits, 1U);
	KUNIT_EXPECT_EQ(test, p->port_exits, 0U);
}

static void peer__kick(struct kunit *test)
{
	struct peer_rig *p = peer_new(test);

	peer_call(p, 0);
	peer_expect_group(test, p, 0, 0, 0, 0);
	p->kick_peer = true;
	peer_call(p, 0);
	peer_expect_group(test, p, 1, 1, 0, 0);
	peer_call(p, 2);
	peer_expect_group(test, p, 1, 1, 1, 0);
	p->kick_peer = false;
	p->kick_port = true;
	peer_call(p, 1);
	peer_expect_group(test, p, 2, 2, 2, 1);
	/* Asked for once, done once. */
	p->kick_port = false;
	peer_call(p, 1);
	peer_expect_group(test, p, 2, 2, 2, 1);
}

static void peer__port_timer(struct kunit *test)
{
	struct peer_rig *p = peer_new(test);

	p->port_timer_ns = 50 * NSEC_PER_USEC;
	peer_call(p, 0);
	core_rig_pass(PEER_PASS_US);
	KUNIT_EXPECT_EQ(test, p->port_timers, 1U);
	peer_expect_group(test, p, 0, 0, 0, 0);
	/* Of two wishes the earlier one, and once. */
	p->port_timer_ns = 10 * NSEC_PER_MSEC;
	peer_call(p, 0);
	p->port_timer_ns = 50 * NSEC_PER_USEC;
	peer_call(p, 1);
	core_rig_pass(PEER_PASS_US);
	KUNIT_EXPECT_EQ(test, p->port_timers, 2U);
	core_rig_pass(20 * USEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, p->port_timers, 2U);
	p->port_kick = true;
	peer_call(p, 2);
	core_rig_pass(PEER_PASS_US);
	peer_expect_group(test, p, 1, 1, 1, 1);
	/* It goes on by itself, until it does not want to. */
	p->again_ns = NSEC_PER_MSEC;
	peer_call(p, 2);
	core_rig_pass(10 * USEC_PER_MSEC);
	KUNIT_EXPECT_GE(test, p->port_timers, 5U);
	p->again_ns = 0;
	core_rig_pass(2 * USEC_PER_MSEC);
	p->port_timers = 0;
	core_rig_pass(10 * USEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, p->port_timers, 0U);
}

/* A timer that is armed when the last flow leaves. */
static void peer__port_exit(struct kunit *test)
{
	struct peer_rig *p = peer_new(test);

	p->port_timer_ns = NSEC_PER_MSEC;
	peer_call(p, 0);
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&p->rig->ph, &p->rig->ops, NULL));
	KUNIT_EXPECT_EQ(test, p->port_exits, 1U);
	KUNIT_EXPECT_EQ(test, p->peer_exits, p->peer_inits);
	core_rig_pass(3 * USEC_PER_MSEC);
	KUNIT_EXPECT_EQ(test, p->port_timers, 0U);
}

static void peer__moves(struct kunit *test)
{
	struct peer_rig *p = peer_new(test);

	p->kick_peer = true;
	peer_call(p, 1);
	peer_expect_group(test, p, 1, 1, 0, 0);
	peer_addr(&p->qp[1].info.peer, 2);
	rxe_cc_qp_modify(&p->qp[1].h, &p->qp[1].info);
	KUNIT_EXPECT_PTR_EQ(test, peer_flow(p, 1)->peer_priv, peer_flow(p, 2)->peer_priv);
	peer_call(p, 1);
	peer_expect_group(test, p, 1, 2, 1, 0);
	KUNIT_EXPECT_EQ(test, p->peer_inits, 3U);
}

/* State outlives the connection, so that the next one finds it. */
static void peer__outlives(struct kunit *test)
{
	struct peer_rig *p = peer_new(test);
	u64 mark = peer_mark(p, 2);

	rxe_cc_qp_del(&p->qp[2].h);
	KUNIT_EXPECT_EQ(test, p->peer_exits, 0U);
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_qp_add(&p->rig->ph, &p->qp[2].h,
					       &p->qp[2].info, p));
	KUNIT_EXPECT_EQ(test, peer_mark(p, 2), mark);
	KUNIT_EXPECT_EQ(test, p->peer_inits, 3U);
}

/* But not for ever: 10 s, looked at every 10 s. And not so many. */
static void peer__expires(struct kunit *test)
{
	struct peer_rig *p = peer_new(test);
	struct rxe_cc_qp_info info = p->qp[2].info;
	struct rxe_cc_qp_handle h = { };
	u64 added, expired;
	unsigned int i;

	rxe_cc_qp_del(&p->qp[2].h);
	ssleep(21);
	KUNIT_EXPECT_EQ(test, p->peer_exits, 1U);
	for (i = 0; i < PEER_IDLE_MAX + 50; i++) {
		peer_addr(&info.peer, 1000 + i);
		KUNIT_ASSERT_EQ(test, 0, rxe_cc_qp_add(&p->rig->ph, &h, &info, p));
		rxe_cc_qp_del(&h);
	}
	added = core_rig_counter(p->rig, "peer_added");
	expired = core_rig_counter(p->rig, "peer_expired");
	/* Those of the rig's own queue pairs: peer 1, and nobody. */
	KUNIT_EXPECT_EQ(test, added - expired, PEER_IDLE_MAX + 2ULL);
	KUNIT_EXPECT_EQ(test, p->peer_exits, (unsigned int)expired);
}

static struct kunit_case peer_cases[] = {
	KUNIT_CASE(peer__state),
	KUNIT_CASE(peer__kick),
	KUNIT_CASE(peer__port_timer),
	KUNIT_CASE(peer__port_exit),
	KUNIT_CASE(peer__moves),
	KUNIT_CASE(peer__outlives),
	KUNIT_CASE(peer__expires),
	{}
};

static struct kunit_suite peer_suite = {
	.name = "rxe_cc_peer",
	.test_cases = peer_cases,
};

kunit_test_suite(peer_suite);
