// SPDX-License-Identifier: GPL-2.0
/*
 * A queue pair under congestion control: its life, and changes of algorithm.
 *
 * All of this is process context and, except for what the transport guarantees
 * to be alone, under port->mutex.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <net/ipv6.h>
#include <rxe_cc/wire.h>

#include "cc_core.h"
#include "cc_trace.h"

/* UC has no acknowledgments, so nothing that lives on them can run there. */
bool rxe_cc_qp_may_run(const struct rxe_cc_qp *qp, const struct rxe_cc_ops *ops)
{
	const u32 acks = RXE_CC_ALGO_NEED_RTT | RXE_CC_ALGO_NEED_INT |
			 RXE_CC_ALGO_NEED_ACK_EVERY_PACKET;

	return !qp->info.uc || !(ops->needs & acks);
}

static_assert(offsetofend(struct rxe_cc_qp, info) <= offsetof(struct rxe_cc_qp, lock));
static_assert(!(offsetof(struct rxe_cc_qp, lock) % SMP_CACHE_BYTES));
static_assert(offsetofend(struct rxe_cc_port, knob) <= offsetof(struct rxe_cc_port, mutex));
static_assert(!(offsetof(struct rxe_cc_port, mutex) % SMP_CACHE_BYTES));
static_assert(offsetofend(struct rxe_cc_inst, congestion) <= offsetof(struct rxe_cc_inst, lock));
static_assert(!(offsetof(struct rxe_cc_inst, lock) % SMP_CACHE_BYTES));

static void rxe_cc_qp_init_flow(struct rxe_cc_qp *qp, u64 now_ns)
{
	struct rxe_cc_flow *f = &qp->flow;
	const struct rxe_cc_ops *ops = qp->inst->ops;
	struct rxe_cc_env env;

	rxe_cc_qp_env(qp, &env);
	memset(&qp->idle_rtt, 0, sizeof(qp->idle_rtt));
	rxe_cc_flow_reset(f, &env, ops, qp->inst->params,
			  qp->inst->priv, rxe_cc_peer_data(qp));
	rxe_cc_qp_set_env(qp);
	trace_rxe_cc_flow(qp, RXE_CC_EV_INIT, now_ns);
	qp->timer_set_ns = RXE_CC_NO_TIMER;
	WRITE_ONCE(qp->ect, ops->needs & RXE_CC_ALGO_NEED_ECN);
	ops->init(f, now_ns);
	qp->pacer = (struct rxe_cc_pacer) { .since_ns = now_ns };
	rxe_cc_qp_apply(qp, now_ns, RXE_CC_EV_INIT);
}

/* Let both sides ask again; who must wait arms the timer anew. */
static void rxe_cc_qp_let_go(struct rxe_cc_qp *qp)
{
	WRITE_ONCE(qp->pkt_waiting, 0);
	qp->win_waiting = false;
}

/* Forget what was measured and sent: a new connection, or another algorithm. */
static void rxe_cc_qp_forget(struct rxe_cc_qp *qp)
{
	rxe_cc_qp_unheard(qp);
	rxe_cc_cap_idle(qp);
	rxe_cc_psns_reset(&qp->psns);
	qp->older_out = false;
	memset(&qp->vseq, 0, sizeof(qp->vseq));
	memset(&qp->sparse, 0, sizeof(qp->sparse));
	if (qp->ext)
		memset(qp->ext, 0, RXE_CC_NR_EXTS * sizeof(*qp->ext));
	memset(&qp->compact, 0, sizeof(qp->compact));
	qp->rtt_sampling = false;
	qp->rtt_sample_misses = 0;
	rxe_cc_rtts_forget(qp);
	rxe_cc_owd_forget(qp);
	qp->resp_sent = false;
	qp->asked = false;
	qp->report_due = false;
	memset(qp->rx_heard, 0, sizeof(qp->rx_heard));
	qp->reports_seen = 0;
	memset(&qp->recent, 0, sizeof(qp->recent));
	memset(&qp->cnp, 0, sizeof(qp->cnp));
	memset(&qp->expect, 0, sizeof(qp->expect));
	rxe_cc_qp_let_go(qp);
}

/* Start the algorithm of a QP over. Under qp->lock. */
static void rxe_cc_qp_start(struct rxe_cc_qp *qp)
{
	if (qp->inst->ops->release)
		qp->inst->ops->release(&qp->flow);
	hrtimer_try_to_cancel(&qp->algo_timer);
	rxe_cc_qp_init_flow(qp, ktime_get_ns());
}

static void rxe_cc_wake_all(struct rxe_cc_qp *qp)
{
	rxe_cc_wake(qp, BIT(RXE_CC_REQUESTER) | BIT(RXE_CC_RESPONDER));
}

/* Compact telemetry is for who needs any. */
static size_t rxe_cc_ext_bytes(const struct rxe_cc_ops *ops)
{
	return ops->needs & RXE_CC_ALGO_NEED_INT ?
	       RXE_CC_NR_EXTS * sizeof(struct rxe_cc_extend) : 0;
}

/**
 * rxe_cc_qp_prepare() - memory for what an algorithm is to remember of a QP
 * @qp: queue pair
 * @ops: algorithm that rxe_cc_qp_switch() will put it under, or
 *	rxe_cc_qp_unprepare() will not
 *
 * Context: process, port->mutex held.
 *
 * Return: 0 or -ENOMEM.
 */
int rxe_cc_qp_prepare(struct rxe_cc_qp *qp, const struct rxe_cc_ops *ops)
{
	size_t bytes = rxe_cc_flow_own_bytes(ops) + rxe_cc_ext_bytes(ops);

	lockdep_assert_held(&qp->port->mutex);
	if (!bytes)
		return 0;
	qp->own_next = kzalloc(bytes, GFP_KERNEL);
	return qp->own_next ? 0 : -ENOMEM;
}

/**
 * rxe_cc_qp_unprepare() - the algorithm does not come after all
 * @qp: queue pair, prepared or not
 *
 * Context: process, port->mutex held.
 */
void rxe_cc_qp_unprepare(struct rxe_cc_qp *qp)
{
	kfree(qp->own_next);
	qp->own_next = NULL;
}

/* The algorithm's memory takes the place of the last one's, which is returned. Under
 * qp->lock.
 */
static void *rxe_cc_qp_own(struct rxe_cc_qp *qp, const struct rxe_cc_ops *ops)
{
	void *old = qp->own;

	qp->own = qp->own_next;
	qp->own_next = NULL;
	rxe_cc_flow_own(&qp->flow, ops, qp->own);
	qp->ext = rxe_cc_ext_bytes(ops) ? qp->own + rxe_cc_flow_own_bytes(ops) : NULL;
	return old;
}

/**
 * rxe_cc_qp_switch() - put a QP under an algorithm
 * @qp: queue pair, prepared for it
 * @inst: algorithm's instance on the port, with a user counted for this QP.
 *	The reference on the old one is dropped.
 *
 * Works under load: the flow starts anew with what is sent next; packets already
 * out are left to the transport.
 *
 * Context: process, port->mutex held.
 */
void rxe_cc_qp_switch(struct rxe_cc_qp *qp, struct rxe_cc_inst *inst)
{
	struct rxe_cc_peer *peer, *old_peer = qp->peer;
	struct rxe_cc_peer_priv *peer_priv;
	struct rxe_cc_inst *old;
	void *own;
	bool older_out;

	lockdep_assert_held(&qp->port->mutex);
	rxe_cc_qp_leave_groups(qp);
	peer_priv = rxe_cc_qp_find_peer(qp, inst, &peer);
	spin_lock_bh(&qp->lock);
	old = qp->inst;
	/* Under "none" nobody counts. */
	older_out = old && (qp->older_out || qp->psns.valid || !qp->algo_on);
	if (old)
		trace_rxe_cc_flow(qp, RXE_CC_EV_END, ktime_get_ns());
	if (old && old->ops->release)
		old->ops->release(&qp->flow);
	if (old)
		rxe_cc_qp_unheard(qp);
	rxe_cc_cap_idle(qp);
	qp->inst = inst;
	qp->peer = peer;
	qp->peer_priv = peer_priv;
	hrtimer_try_to_cancel(&qp->algo_timer);
	own = rxe_cc_qp_own(qp, inst->ops);
	rxe_cc_qp_forget(qp);
	qp->older_out = older_out;
	rxe_cc_qp_init_flow(qp, ktime_get_ns());
	qp->algo_on = inst->ops != &rxe_cc_none_ops;
	WRITE_ONCE(qp->handle->on, qp->algo_on);
	spin_unlock_bh(&qp->lock);
	kfree(own);
	rxe_cc_qp_join_groups(qp);
	rxe_cc_peer_put(qp->port, old_peer);

	if (old) {
		rxe_cc_inst_put(qp->port, old);
		/* The old algorithm may have held it back. */
		rxe_cc_wake_all(qp);
	}
}

/**
 * rxe_cc_qp_refresh() - the port's knobs or the algorithm's parameters changed
 * @qp: queue pair
 * @params: new values, or NULL when only knobs changed
 *
 * Context: process, port->mutex held.
 */
void rxe_cc_qp_refresh(struct rxe_cc_qp *qp, const u64 *params)
{
	const struct rxe_cc_ops *ops = qp->inst->ops;
	struct rxe_cc_flow *f = &qp->flow;
	u64 now_ns;

	lockdep_assert_held(&qp->port->mutex);
	spin_lock_bh(&qp->lock);
	now_ns = ktime_get_ns();
	rxe_cc_qp_set_env(qp);
	trace_rxe_cc_flow(qp, RXE_CC_EV_CHANGE, now_ns);
	if (params)
		f->params = params;
	if (qp->algo_on && ops->params_changed)
		ops->params_changed(f, now_ns);
	/* First: while somebody waits, a new rate arms the pacer's timer. */
	rxe_cc_qp_let_go(qp);
	rxe_cc_qp_apply(qp, now_ns, RXE_CC_EV_CHANGE);
	spin_unlock_bh(&qp->lock);
	rxe_cc_wake_all(qp);
}

/**
 * rxe_cc_qp_choose() - override the port's algorithm for one QP
 * @qp: queue pair
 * @ops: algorithm, with a module reference that is consumed; NULL to follow the
 *	port again
 *
 * Context: process, port->mutex held.
 *
 * Return: 0 or -ENOMEM, which changes nothing.
 */
int rxe_cc_qp_choose(struct rxe_cc_qp *qp, const struct rxe_cc_ops *ops)
{
	struct rxe_cc_inst *inst;

	if (!ops) {
		inst = qp->port->def;
		if (!rxe_cc_qp_may_run(qp, inst->ops)) {
			__module_get(rxe_cc_none_ops.owner);
			inst = rxe_cc_inst_get(qp->port, &rxe_cc_none_ops);
			if (IS_ERR(inst))
				return PTR_ERR(inst);
		} else {
			inst->users++;
		}
	} else {
		inst = rxe_cc_inst_get(qp->port, ops);
		if (IS_ERR(inst))
			return PTR_ERR(inst);
	}
	if (inst != qp->inst && rxe_cc_qp_prepare(qp, inst->ops)) {
		rxe_cc_inst_put(qp->port, inst);
		return -ENOMEM;
	}
	qp->override = ops;
	if (inst == qp->inst)
		rxe_cc_inst_put(qp->port, inst);
	else
		rxe_cc_qp_switch(qp, inst);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_qp_choose);

/**
 * rxe_cc_qp_add() - a queue pair was created
 * @ph: port
 * @h: handle in the transport's queue pair
 * @info: identity and path as far as known
 * @host_qp: comes back in callbacks
 *
 * The QP gets the port's algorithm, or none when a UC QP cannot run that.
 *
 * Context: process.
 *
 * Return: 0, -ENOMEM, or -EAGAIN while a queue pair of the same number is being destroyed.
 */
int rxe_cc_qp_add(struct rxe_cc_port_handle *ph, struct rxe_cc_qp_handle *h,
		  const struct rxe_cc_qp_info *info, void *host_qp)
{
	struct rxe_cc_port *port = ph->port;
	struct rxe_cc_qp *qp;
	int err;

	qp = kzalloc(sizeof(*qp), GFP_KERNEL);
	if (!qp)
		return -ENOMEM;
	spin_lock_init(&qp->lock);
	rxe_cc_qp_timers_init(qp);
	qp->handle = h;
	qp->port = port;
	qp->host_qp = host_qp;
	qp->info = *info;

	mutex_lock(&port->mutex);
	/* The last owner of the number may not be quite gone; it takes a million queue pairs
	 * to come round to it.
	 */
	err = xa_insert(&port->qps, info->qpn, NULL, GFP_KERNEL);
	if (!err) {
		err = rxe_cc_qp_choose(qp, NULL);
		if (err)
			xa_release(&port->qps, info->qpn);
	}
	if (err) {
		mutex_unlock(&port->mutex);
		kfree(qp);
		return err == -EBUSY ? -EAGAIN : err;
	}
	xa_store(&port->qps, info->qpn, qp, GFP_KERNEL);
	port->nr_qps++;
	atomic_inc(&rxe_cc_generation);
	h->qp = qp;
	mutex_unlock(&port->mutex);
	return 0;
}
EXPORT_SYMBOL_GPL(rxe_cc_qp_add);

/**
 * rxe_cc_qp_modify() - identity or path of a queue pair changed
 * @h: handle
 * @info: all of it
 *
 * A flow that has not sent yet starts anew, with the path it will use.
 *
 * Context: process.
 */
void rxe_cc_qp_modify(struct rxe_cc_qp_handle *h,
		      const struct rxe_cc_qp_info *info)
{
	struct rxe_cc_peer *peer, *old_peer = NULL;
	struct rxe_cc_peer_priv *peer_priv;
	struct rxe_cc_qp *qp = h->qp;
	bool renew, moved;

	if (!qp)
		return;
	mutex_lock(&qp->port->mutex);
	moved = !ipv6_addr_equal(&info->peer, &qp->info.peer);
	if (moved)
		rxe_cc_qp_leave_groups(qp);
	spin_lock_bh(&qp->lock);
	renew = info->psn != qp->info.psn;
	qp->info = *info;
	spin_unlock_bh(&qp->lock);
	if (moved) {
		old_peer = qp->peer;
		peer_priv = rxe_cc_qp_find_peer(qp, qp->inst, &peer);
	}
	spin_lock_bh(&qp->lock);
	if (moved) {
		rxe_cc_qp_unheard(qp);
		rxe_cc_cap_idle(qp);
		qp->peer = peer;
		qp->peer_priv = peer_priv;
	}
	if (renew)
		rxe_cc_qp_forget(qp);
	if (moved || !qp->psns.valid) {
		rxe_cc_qp_start(qp);
	} else {
		rxe_cc_qp_set_env(qp);
		trace_rxe_cc_flow(qp, RXE_CC_EV_ENV, ktime_get_ns());
	}
	spin_unlock_bh(&qp->lock);
	if (moved) {
		rxe_cc_qp_join_groups(qp);
		rxe_cc_peer_put(qp->port, old_peer);
	}
	mutex_unlock(&qp->port->mutex);
	if (renew || moved)
		rxe_cc_wake_all(qp);
}
EXPORT_SYMBOL_GPL(rxe_cc_qp_modify);

/**
 * rxe_cc_qp_reset() - a queue pair went back to RESET
 * @h: handle
 *
 * The next connection starts as the first did.
 *
 * Context: process; the transport's work items of the QP are stopped.
 */
void rxe_cc_qp_reset(struct rxe_cc_qp_handle *h)
{
	struct rxe_cc_qp *qp = h->qp;

	if (!qp)
		return;
	hrtimer_cancel(&qp->pace_timer);
	spin_lock_bh(&qp->lock);
	rxe_cc_qp_forget(qp);
	rxe_cc_qp_start(qp);
	spin_unlock_bh(&qp->lock);
}
EXPORT_SYMBOL_GPL(rxe_cc_qp_reset);

/**
 * rxe_cc_qp_del() - a queue pair is being destroyed
 * @h: handle
 *
 * Context: process; no reference on the transport's queue pair is left, so no
 * data-path call is under way or will come.
 */
void rxe_cc_qp_del(struct rxe_cc_qp_handle *h)
{
	struct rxe_cc_qp *qp = h->qp;
	struct rxe_cc_port *port;

	if (!qp)
		return;
	port = qp->port;
	mutex_lock(&port->mutex);
	WRITE_ONCE(h->on, false);
	h->qp = NULL;
	xa_erase(&port->qps, qp->info.qpn);
	port->nr_qps--;
	atomic_inc(&rxe_cc_generation);
	rxe_cc_qp_leave_groups(qp);
	spin_lock_bh(&qp->lock);
	trace_rxe_cc_flow(qp, RXE_CC_EV_END, ktime_get_ns());
	if (qp->inst->ops->release)
		qp->inst->ops->release(&qp->flow);
	qp->algo_on = false;
	rxe_cc_qp_unheard(qp);
	rxe_cc_cap_idle(qp);
	spin_unlock_bh(&qp->lock);
	hrtimer_cancel(&qp->pace_timer);
	hrtimer_cancel(&qp->algo_timer);
	rxe_cc_peer_put(port, qp->peer);
	rxe_cc_inst_put(port, qp->inst);
	mutex_unlock(&port->mutex);
	kfree(qp->psns.hole);
	kfree(qp->slots);
	kfree(qp->own);
	kfree(qp);
}
EXPORT_SYMBOL_GPL(rxe_cc_qp_del);
