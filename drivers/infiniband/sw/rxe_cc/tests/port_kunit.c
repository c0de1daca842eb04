// SPDX-License-Identifier: GPL-2.0
/*
 * A port of the core: the speed of its link, and the numbers of its queue pairs.
 */
#include <kunit/test.h>

#include "core_rig.h"

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
	f->timer_ns = now_ns + NSEC_PER_MSEC;
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
	qp->pacer.debt_nbit = qp->pacer.rate_bps * 10 * NSEC_PER_MSEC;
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

static struct kunit_case port_cases[] = {
	KUNIT_CASE(port__link),
	KUNIT_CASE(port__knob),
	KUNIT_CASE(port__numbers),
	KUNIT_CASE(port__refresh),
	KUNIT_CASE(port__bounds),
	KUNIT_CASE(port__gone),
	{ }
};

static struct kunit_suite port_suite = {
	.name = "rxe_cc_port",
	.test_cases = port_cases,
};

kunit_test_suite(port_suite);
