// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the timer and the commands of the state that an algorithm's flows share on a port, as
 * opposed to those of one queue pair.
 */
#include "cc_port.h"
#include "cc_trace.h"

/* Arm the timer for @at_ns unless it goes off before. Under inst->lock. */
static void rxe_cc_inst_arm(struct rxe_cc_inst *inst, u64 at_ns)
{
	if (at_ns >= inst->timer_ns)
		return;
	inst->timer_ns = at_ns;
	hrtimer_start(&inst->timer, ns_to_ktime(at_ns), HRTIMER_MODE_ABS_SOFT);
}

/* What a call for the port's state has left. Under inst->lock. */
static void rxe_cc_inst_apply(struct rxe_cc_inst *inst,
			      const struct rxe_cc_port_call *c)
{
	if (c->timer_ns != RXE_CC_NO_TIMER && inst->ops->on_port_timer)
		rxe_cc_inst_arm(inst, max(c->timer_ns,
					  c->now_ns + RXE_CC_TIMER_MIN_NS));
	if (c->kick)
		rxe_cc_group_kick(&inst->group);
}

static enum hrtimer_restart rxe_cc_inst_expired(struct hrtimer *t)
{
	struct rxe_cc_inst *inst = container_of(t, struct rxe_cc_inst, timer);
	struct rxe_cc_port_call c = { .timer_ns = RXE_CC_NO_TIMER };

	spin_lock_bh(&inst->lock);
	c.now_ns = ktime_get_ns();
	/* It may have been moved while this waited for the lock. */
	if (inst->timer_ns > c.now_ns)
		goto out;
	inst->timer_ns = RXE_CC_NO_TIMER;
	c.line_rate_bps = READ_ONCE(inst->port->line_rate_bps);
	c.params = inst->params;
	inst->ops->on_port_timer(inst->priv, &c);
	trace_rxe_cc_port_timer(inst, c.now_ns, c.kick);
	rxe_cc_inst_apply(inst, &c);
out:
	spin_unlock_bh(&inst->lock);
	return HRTIMER_NORESTART;
}

/**
 * rxe_cc_inst_timer() - a flow wants the timer of the port's state
 * @inst: its algorithm
 * @at_ns: when at the latest
 * @now_ns: time
 *
 * Context: qp->lock held.
 */
void rxe_cc_inst_timer(struct rxe_cc_inst *inst, u64 at_ns, u64 now_ns)
{
	if (!inst->ops->on_port_timer)
		return;
	spin_lock_bh(&inst->lock);
	rxe_cc_inst_arm(inst, max(at_ns, now_ns + RXE_CC_TIMER_MIN_NS));
	spin_unlock_bh(&inst->lock);
}

/**
 * rxe_cc_inst_cmd() - a command for the state that flows share
 * @inst: algorithm
 * @peer: of a command about a peer: what the algorithm knows of it
 * @cmd: command, to a peer or to the port
 * @c: arguments; receives the answer. With @check: would it be taken? What is taken now is
 *	taken until port->mutex is dropped
 *
 * Context: process, port->mutex held.
 *
 * Return: what the algorithm returns.
 */
int rxe_cc_inst_cmd(struct rxe_cc_inst *inst, struct rxe_cc_peer_priv *peer,
		    const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c)
{
	struct rxe_cc_port_call p = { .timer_ns = RXE_CC_NO_TIMER };
	void *data = peer && inst->ops->peer_priv_size ? peer->data : NULL;
	u32 peer_id = peer ? peer->peer_id : 0;
	int err;

	lockdep_assert_held(&inst->port->mutex);
	spin_lock_bh(&inst->lock);
	p.now_ns = ktime_get_ns();
	p.line_rate_bps = READ_ONCE(inst->port->line_rate_bps);
	p.params = inst->params;
	err = peer ? cmd->to_peer(data, inst->priv, &p, c) : cmd->to_port(inst->priv, &p, c);
	if (!c->check)
		trace_rxe_cc_inst_cmd(inst, peer_id, cmd, c, &p, err);
	else if (err)
		trace_rxe_cc_inst_refused(inst, peer_id, cmd, p.now_ns, err);
	if (!err && !c->check) {
		rxe_cc_inst_apply(inst, &p);
		if (peer && c->expect_ns && inst->rx)
			rxe_cc_rxp_expect(inst->rx, &peer->rx, c->expect_ns, p.now_ns);
	}
	spin_unlock_bh(&inst->lock);
	if (!err && !c->check && peer && c->kick_peer)
		rxe_cc_group_kick(&peer->group);
	return err;
}

/**
 * rxe_cc_inst_timer_init() - a new instance
 * @inst: instance; its timer is not armed
 *
 * Context: process.
 */
void rxe_cc_inst_timer_init(struct rxe_cc_inst *inst)
{
	spin_lock_init(&inst->lock);
	hrtimer_setup(&inst->timer, rxe_cc_inst_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	inst->timer_ns = RXE_CC_NO_TIMER;
}
