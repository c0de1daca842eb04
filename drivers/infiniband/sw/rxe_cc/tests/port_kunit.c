// SPDX-License-Identifier: GPL-2.0
/*
 * A port of the core: the speed of its link, the numbers of its queue pairs, and changes of
 * knobs, algorithm and parameters.
 */
#include <kunit/test.h>
#include <linux/module.h>

#include "core_fixture.h"

/* For the work item that brings flows in line; a test waits for it that long at most. */
#define PORT_WAIT_US	1000
#define PORT_WAITS	1000

static bool port_reaches(const struct core_rig *rig, u64 bps)
{
	int i;

	for (i = 0; i < PORT_WAITS; i++) {
		if (READ_ONCE(rig->h.qp->flow.line_rate_bps) == bps)
			return true;
		core_rig_pass(PORT_WAIT_US);
	}
	return false;
}

/* A link that comes up with another speed: flows hear of it, and their rate is bounded by it. */
static void port__link(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);

	KUNIT_EXPECT_TRUE(test, port_reaches(rig, RIG_LINE_BPS));
	rxe_cc_port_link(&rig->ph, RIG_LINE_BPS / 10);
	KUNIT_EXPECT_TRUE(test, port_reaches(rig, RIG_LINE_BPS / 10));
	KUNIT_EXPECT_LE(test, rig->h.qp->flow.rate_bps, RIG_LINE_BPS / 10);
	rxe_cc_port_link(&rig->ph, 1);
	KUNIT_EXPECT_TRUE(test, port_reaches(rig, RXE_CC_RATE_MIN_BPS));
	rxe_cc_port_link(&rig->ph, U64_MAX);
	KUNIT_EXPECT_TRUE(test, port_reaches(rig, RXE_CC_RATE_MAX_BPS));
	/* Unknown: what the core assumes. */
	rxe_cc_port_link(&rig->ph, 0);
	KUNIT_EXPECT_TRUE(test, port_reaches(rig, 100ULL * 1000 * 1000 * 1000));
}

/* What the knob says holds, whatever the link does; without it, what the link did meanwhile. */
static void port__knob(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);

	core_rig_knob(test, rig, RXE_CC_KNOB_LINE_RATE, RIG_LINE_BPS / 2);
	KUNIT_EXPECT_TRUE(test, port_reaches(rig, RIG_LINE_BPS / 2));
	rxe_cc_port_link(&rig->ph, RIG_LINE_BPS / 10);
	flush_work(&rig->ph.port->link_work);
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.line_rate_bps, RIG_LINE_BPS / 2);
	core_rig_knob(test, rig, RXE_CC_KNOB_LINE_RATE, 0);
	KUNIT_EXPECT_TRUE(test, port_reaches(rig, RIG_LINE_BPS / 10));
}

/* Two queue pairs of one number there are only while the first is being destroyed: the second
 * is refused, without a trace, until it has gone.
 */
static void port__numbers(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);
	struct rxe_cc_qp_handle other = {};
	struct rxe_cc_qp_info info = rig->info;

	KUNIT_EXPECT_EQ(test, -EAGAIN, rxe_cc_qp_add(&rig->ph, &other, &info, rig));
	KUNIT_EXPECT_NULL(test, other.qp);
	KUNIT_EXPECT_EQ(test, 1U, rig->ph.port->nr_qps);
	KUNIT_EXPECT_PTR_EQ(test, xa_load(&rig->ph.port->qps, info.qpn), (void *)rig->h.qp);
	info.qpn++;
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_qp_add(&rig->ph, &other, &info, rig));
	KUNIT_EXPECT_PTR_EQ(test, xa_load(&rig->ph.port->qps, info.qpn), (void *)other.qp);
	rxe_cc_qp_del(&other);
	KUNIT_EXPECT_NULL(test, xa_load(&rig->ph.port->qps, info.qpn));
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_qp_add(&rig->ph, &other, &info, rig));
	rxe_cc_qp_del(&other);
	KUNIT_EXPECT_EQ(test, 1U, rig->ph.port->nr_qps);
}

/* What the algorithm does about new values, and how often it was asked. */
static unsigned int port_changes;

static void port_changed(struct rxe_cc_flow *f, u64 now_ns)
{
	port_changes++;
	f->rate_bps = RIG_LINE_BPS / 4;
	f->timer_ns = now_ns + NSEC_PER_SEC;	/* not within a test */
}

/* A change that comes while a flow waits: the algorithm is asked once, what it says is in
 * force at once, and both sides ask again, which would else wait at the old pace.
 */
static void port__refresh(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);
	struct rxe_cc_qp *qp = rig->h.qp;

	rig->ops.params_changed = port_changed;
	port_changes = 0;
	core_rig_send(rig, 0, 1);
	qp->pacer.debt_nbit = qp->pacer.rate_bps * 50 * NSEC_PER_MSEC;
	KUNIT_EXPECT_TRUE(test, core_rig_wait(qp, RXE_CC_REQUESTER, RXE_CC_PKT_DATA));
	KUNIT_EXPECT_TRUE(test, core_rig_wait(qp, RXE_CC_RESPONDER, RXE_CC_PKT_RESP));
	memset(rig->wakes, 0, sizeof(rig->wakes));
	core_rig_knob(test, rig, RXE_CC_KNOB_BURST, 0);
	KUNIT_EXPECT_EQ(test, port_changes, 1U);
	KUNIT_EXPECT_EQ(test, qp->flow.rate_bps, RIG_LINE_BPS / 4);
	KUNIT_EXPECT_EQ(test, qp->pacer.rate_bps, RIG_LINE_BPS / 4);
	KUNIT_EXPECT_EQ(test, ktime_to_ns(hrtimer_get_expires(&qp->algo_timer)),
			(s64)qp->flow.timer_ns);
	KUNIT_EXPECT_TRUE(test, hrtimer_active(&qp->algo_timer));
	KUNIT_EXPECT_EQ(test, qp->pkt_waiting, 0UL);
	KUNIT_EXPECT_EQ(test, rig->wakes[RXE_CC_REQUESTER], 1U);
	KUNIT_EXPECT_EQ(test, rig->wakes[RXE_CC_RESPONDER], 1U);
}

/* Bounds hold for whatever the algorithm leaves. */
static void port__bounds(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);
	struct rxe_cc_qp *qp = rig->h.qp;

	rig->ops.params_changed = port_changed;
	core_rig_knob(test, rig, RXE_CC_KNOB_LINE_RATE, RIG_LINE_BPS / 5);
	KUNIT_EXPECT_EQ(test, qp->pacer.rate_bps, RIG_LINE_BPS / 5);
	core_rig_knob(test, rig, RXE_CC_KNOB_LINE_RATE, RIG_LINE_BPS);
	core_rig_knob(test, rig, RXE_CC_KNOB_MIN_RATE, RIG_LINE_BPS / 3);
	KUNIT_EXPECT_EQ(test, qp->pacer.rate_bps, RIG_LINE_BPS / 3);
	/* A floor above the line is the line. */
	core_rig_knob(test, rig, RXE_CC_KNOB_LINE_RATE, RIG_LINE_BPS / 5);
	KUNIT_EXPECT_EQ(test, qp->pacer.rate_bps, RIG_LINE_BPS / 5);
}

/* What has gone is told of no more, and nothing that comes late finds it. */
static void port__gone(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);

	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "peer_added"), 1ULL);
	kunit_release_action(test, core_rig_end, rig);
	KUNIT_EXPECT_NULL(test, rig->h.qp);
	KUNIT_EXPECT_NULL(test, rig->ph.port);
	KUNIT_EXPECT_FALSE(test, rig->h.on);
	if (rig->h.qp || rig->ph.port)
		return;
	KUNIT_EXPECT_EQ(test, core_rig_counter(rig, "peer_added"), 0ULL);
	rxe_cc_port_link(&rig->ph, 1);
	rxe_cc_rx_cnp_ignored(&rig->ph);
	rxe_cc_tx_unmanaged(&rig->ph);
	rxe_cc_qp_reset(&rig->h);
	rxe_cc_qp_modify(&rig->h, &rig->info);
	rxe_cc_qp_del(&rig->h);
	rxe_cc_port_del(&rig->ph);
}

/* Each limit that the transport reads from its handle is its own knob's, and no other's. */
static void port__limits(struct kunit *test)
{
	static const struct {
		enum rxe_cc_knob knob;
		u64 value;
		struct rxe_cc_port_handle want;	/* what differs from before; 0: nothing */
	} rows[] = {
		{ RXE_CC_KNOB_MAX_UNACKED, 300, { .max_unacked_psns = 300 } },
		/* rxe stops at 64 and goes on below 16, a quarter. */
		{ RXE_CC_KNOB_MAX_SKBS_OUT, 400, { .skbs_out_high = 400, .skbs_out_low = 100 } },
		{ RXE_CC_KNOB_MAX_SKBS_OUT, 7, { .skbs_out_high = 7, .skbs_out_low = 1 } },
		/* One in @value asks: the first behind value - 1 that did not. */
		{ RXE_CC_KNOB_ACK_EVERY, 1, { .ack_limit = -1 } },
		{ RXE_CC_KNOB_ACK_EVERY, 10, { .ack_limit = 8 } },
		{ RXE_CC_KNOB_INT_DSCP, 5, { .int_dscp = 5 } },
		/* 16 bytes and 32 for each port, see int.md. */
		{ RXE_CC_KNOB_INT_HOPS, 3, { .int_hops = 3, .int_room = 16 + 3 * 32 } },
		{ RXE_CC_KNOB_INT_HOPS, 16, { .int_hops = 16, .int_room = 16 + 16 * 32 } },
		{ RXE_CC_KNOB_IOFD_TOKENS, 1, { .tokens = true } },
	};
	struct rxe_cc_port_handle was, *h;
	struct core_rig *rig;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct rxe_cc_port_handle *w = &rows[i].want;

		rig = core_rig_new(test, 0, 0);
		h = &rig->ph;
		was = *h;
		KUNIT_EXPECT_EQ(test, was.int_room, 16U + 8 * 32);
		rig->rooms = 0;
		core_rig_knob(test, rig, rows[i].knob, rows[i].value);
		KUNIT_EXPECT_EQ_MSG(test, h->max_unacked_psns,
				    w->max_unacked_psns ?: was.max_unacked_psns, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, h->skbs_out_high,
				    w->skbs_out_high ?: was.skbs_out_high, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, h->skbs_out_low,
				    w->skbs_out_low ?: was.skbs_out_low, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, h->ack_limit, w->ack_limit ?: was.ack_limit,
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, h->int_dscp, w->int_dscp ?: was.int_dscp,
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, h->int_hops, w->int_hops ?: was.int_hops,
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, h->int_room, w->int_room ?: was.int_room,
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, h->tokens, w->tokens, "row %u", i);
		/* Who keeps the path MTU is told when the room is another, and only then. */
		KUNIT_EXPECT_EQ_MSG(test, rig->rooms, w->int_room ? 1U : 0U, "row %u", i);
		core_rig_knob(test, rig, RXE_CC_KNOB_INT, RXE_CC_INT_OFF);
		KUNIT_EXPECT_EQ_MSG(test, h->int_room, 0U, "row %u", i);
		kunit_release_action(test, core_rig_end, rig);
	}
}

#define PORT_PARAM	77ULL

static const struct rxe_cc_param port_params[] = {
	{ "value", "count", 1, 100, 50, "for the test" },
};

static int port_no_state(void *port_priv)
{
	return -ENOMEM;
}

/* A change that cannot be made, for want of memory, changes nothing: algorithm, its
 * values and users, knobs, references on modules. Of what it had allocated nothing is
 * left, which the debug kernel looks for; so it is tried more than once.
 */
static void port__no_memory(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);
	struct rxe_cc_port *port = rig->ph.port;
	struct rxe_cc_inst *def = port->def;
	struct rxe_cc_change *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct rxe_cc_ops other = rig->ops;
	unsigned int i, users = def->users;
	int refs, none_refs;

	KUNIT_ASSERT_NOT_NULL(test, c);
	other.params = port_params;
	other.nr_params = ARRAY_SIZE(port_params);
	other.port_priv_size = sizeof(u64);
	other.port_init = port_no_state;
	refs = module_refcount(THIS_MODULE);
	none_refs = module_refcount(rxe_cc_none_ops.owner);
	for (i = 0; i < 20; i++) {
		memcpy(c->knob, port->knob, sizeof(c->knob));
		c->knob[RXE_CC_KNOB_BURST]++;
		c->params[0] = PORT_PARAM;
		c->set_params = true;
		__module_get(other.owner);
		c->ops = &other;
		mutex_lock(&port->mutex);
		KUNIT_EXPECT_EQ(test, -ENOMEM, rxe_cc_port_commit(port, c));
		mutex_unlock(&port->mutex);
	}
	KUNIT_EXPECT_PTR_EQ(test, port->def, def);
	KUNIT_EXPECT_EQ(test, def->users, users);
	KUNIT_EXPECT_TRUE(test, list_is_singular(&port->insts));
	KUNIT_EXPECT_PTR_EQ(test, rig->h.qp->inst, def);
	KUNIT_EXPECT_EQ(test, port->knob[RXE_CC_KNOB_BURST], 4500ULL);
	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), refs);
	KUNIT_EXPECT_EQ(test, module_refcount(rxe_cc_none_ops.owner), none_refs);
	/* The queue pair's own choice neither. */
	__module_get(other.owner);
	mutex_lock(&port->mutex);
	KUNIT_EXPECT_EQ(test, -ENOMEM, rxe_cc_qp_choose(rig->h.qp, &other));
	mutex_unlock(&port->mutex);
	KUNIT_EXPECT_FALSE(test, rig->h.qp->override);
	KUNIT_EXPECT_PTR_EQ(test, rig->h.qp->inst, def);
	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), refs);
}

/* New values reach the flows that run the algorithm, and those alone; the same algorithm
 * again keeps its state and gives the reference back.
 */
static void port__params(struct kunit *test)
{
	struct core_rig *rig = core_rig_new(test, 0, 0);
	struct rxe_cc_port *port = rig->ph.port;
	struct rxe_cc_change *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	struct rxe_cc_qp_handle own = {};
	struct rxe_cc_ops other = rig->ops;
	struct rxe_cc_inst *def;
	int refs;

	KUNIT_ASSERT_NOT_NULL(test, c);
	other.params = port_params;
	other.nr_params = ARRAY_SIZE(port_params);
	other.params_changed = port_changed;
	core_rig_other(test, rig, &own);
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, &other, NULL));
	def = port->def;
	KUNIT_EXPECT_EQ(test, rig->h.qp->flow.params[0], 50ULL);
	KUNIT_EXPECT_TRUE(test, port->managed);
	/* The second has one of its own. */
	__module_get(rig->ops.owner);
	mutex_lock(&port->mutex);
	KUNIT_EXPECT_EQ(test, 0, rxe_cc_qp_choose(own.qp, &rig->ops));
	mutex_unlock(&port->mutex);
	KUNIT_EXPECT_EQ(test, def->users, 2U);
	refs = module_refcount(THIS_MODULE);

	port_changes = 0;
	memcpy(c->knob, port->knob, sizeof(c->knob));
	c->params[0] = PORT_PARAM;
	c->set_params = true;
	__module_get(other.owner);
	c->ops = &other;
	mutex_lock(&port->mutex);
	KUNIT_EXPECT_EQ(test, 0, rxe_cc_port_commit(port, c));
	mutex_unlock(&port->mutex);
	KUNIT_EXPECT_PTR_EQ(test, port->def, def);
	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), refs);
	KUNIT_EXPECT_EQ(test, def->params[0], PORT_PARAM);
	KUNIT_EXPECT_PTR_EQ(test, rig->h.qp->flow.params, (const u64 *)def->params);
	KUNIT_EXPECT_PTR_NE(test, own.qp->flow.params, (const u64 *)def->params);
	KUNIT_EXPECT_EQ(test, port_changes, 1U);

	/* A queue pair that follows the port again, and one that goes. */
	mutex_lock(&port->mutex);
	KUNIT_EXPECT_EQ(test, 0, rxe_cc_qp_choose(own.qp, NULL));
	mutex_unlock(&port->mutex);
	KUNIT_EXPECT_EQ(test, def->users, 3U);
	KUNIT_EXPECT_TRUE(test, list_is_singular(&port->insts));
	KUNIT_EXPECT_EQ(test, module_refcount(THIS_MODULE), refs - 1);
	rxe_cc_qp_del(&own);
	KUNIT_EXPECT_EQ(test, def->users, 2U);
	/* Back to none: nobody is managed, and nothing of the other is left. */
	KUNIT_ASSERT_EQ(test, 0, rxe_cc_test_set(&rig->ph, &rxe_cc_none_ops, NULL));
	KUNIT_EXPECT_FALSE(test, port->managed);
	KUNIT_EXPECT_FALSE(test, rig->h.on);
	KUNIT_EXPECT_TRUE(test, list_is_singular(&port->insts));
	KUNIT_EXPECT_EQ(test, port->def->users, 2U);
}

static struct kunit_case port_cases[] = {
	KUNIT_CASE(port__link),
	KUNIT_CASE(port__knob),
	KUNIT_CASE(port__numbers),
	KUNIT_CASE(port__refresh),
	KUNIT_CASE(port__bounds),
	KUNIT_CASE(port__limits),
	KUNIT_CASE(port__no_memory),
	KUNIT_CASE(port__params),
	KUNIT_CASE(port__gone),
	{ }
};

static struct kunit_suite port_suite = {
	.name = "rxe_cc_port",
	.test_cases = port_cases,
};

kunit_test_suite(port_suite);
