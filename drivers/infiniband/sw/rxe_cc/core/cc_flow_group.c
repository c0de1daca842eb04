// SPDX-License-Identifier: GPL-2.0
/*
 * Calls on_group of every flow that shares a state (of a port or a peer) after that state has
 * changed.
 *
 * A call has one flow's lock and must not take another's. So it asks for a call of
 * on_group for each flow (&rxe_cc_flow.kick_peer, kick_port), which a work item makes right
 * afterwards. That walks the group under RCU; who leaves waits for it, so a queue pair
 * that is found there is alive.
 */
#include <linux/rculist.h>

#include "cc_core.h"
#include "cc_trace.h"

/* State that the flow shares has changed. Context: work item with bottom halves off,
 * no lock held.
 */
static void rxe_cc_qp_on_group(struct rxe_cc_qp *qp)
{
	const struct rxe_cc_host_ops *host = qp->port->host_ops;
	struct rxe_cc_sample s;
	unsigned long wake = 0;
	u32 verdict = 0;
	u8 before;

	spin_lock_bh(&qp->lock);
	if (qp->algo_on && !qp->inst->ops->on_group)
		wake = rxe_cc_qp_pace(qp, rxe_cc_now(qp));
	if (qp->algo_on && qp->inst->ops->on_group) {
		s = rxe_cc_sample_now(qp);
		rxe_cc_qp_view(qp, s.now_ns);
		trace_rxe_cc_sample(qp, RXE_CC_EV_GROUP, &s);
		before = rxe_cc_congestion(qp);
		verdict = qp->inst->ops->on_group(&qp->flow, &s);
		rxe_cc_congestion_done(qp, before, s.now_ns);
		wake = rxe_cc_qp_apply(qp, s.now_ns, RXE_CC_EV_GROUP);
		if (verdict & RXE_CC_RX_REPORT)
			rxe_cc_qp_report_due(qp);
	}
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake(qp, wake);
	if (verdict & RXE_CC_RX_REPORT && host->send_report)
		host->send_report(qp->host_qp);
}

static void rxe_cc_group_work(struct work_struct *work)
{
	struct rxe_cc_group *g = container_of(work, struct rxe_cc_group, work);
	struct rxe_cc_qp *qp;

	rcu_read_lock();
	list_for_each_entry_rcu(qp, &g->qps, in_group[g->kind])
		rxe_cc_qp_on_group(qp);
	rcu_read_unlock();
}

/* Nobody is in it. */
void rxe_cc_group_init(struct rxe_cc_group *g, enum rxe_cc_group_kind kind)
{
	INIT_LIST_HEAD(&g->qps);
	INIT_WORK(&g->work, rxe_cc_group_work);
	g->kind = kind;
}
