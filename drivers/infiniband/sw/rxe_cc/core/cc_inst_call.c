// SPDX-License-Identifier: GPL-2.0
/*
 * Calls for the state that an algorithm's flows share on a port: its timer, commands.
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

/* Under inst->lock. @p is what the algorithm was given, and asked for. */
static int inst_cmd_run(struct rxe_cc_inst *inst, struct rxe_cc_peer_priv *peer,
			const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c,
			struct rxe_cc_port_call *p)
{
	*p = (struct rxe_cc_port_call){
		.now_ns = ktime_get_ns(), .timer_ns = RXE_CC_NO_TIMER,
		.line_rate_bps = READ_ONCE(inst->port->line_rate_bps),
		.params = inst->params,
	};
	if (!peer)
		return cmd->to_port(inst->priv, p, c);
	return cmd->to_peer(inst->ops->peer_priv_size ? peer->data : NULL, inst->priv, p,
			    c);
}

/**
 * rxe_cc_inst_check() - would a command about a peer be taken?
 * @inst: algorithm
 * @peer: what the algorithm knows of the peer
 * @cmd: command to a peer
 * @c: arguments, with @check set
 *
 * Context: process, port->mutex held: what is taken now is taken until it is dropped.
 *
 * Return: what the algorithm returns.
 */
int rxe_cc_inst_check(struct rxe_cc_inst *inst, struct rxe_cc_peer_priv *peer,
		      const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c)
{
	struct rxe_cc_port_call p;
	int err;

	lockdep_assert_held(&inst->port->mutex);
	spin_lock_bh(&inst->lock);
	err = inst_cmd_run(inst, peer, cmd, c, &p);
	if (err)
		trace_rxe_cc_inst_refused(inst, peer->peer_id, cmd, p.now_ns, err);
	spin_unlock_bh(&inst->lock);
	return err;
}

/**
 * rxe_cc_inst_cmd() - a command for the state that flows share
 * @inst: algorithm
 * @peer: of a command about a peer: what the algorithm knows of it
 * @cmd: command, to a peer or to the port
 * @c: arguments; receives the answer
 *
 * Context: process, port->mutex held.
 *
 * Return: what the algorithm returns.
 */
int rxe_cc_inst_cmd(struct rxe_cc_inst *inst, struct rxe_cc_peer_priv *peer,
		    const struct rxe_cc_cmd *cmd, struct rxe_cc_cmd_call *c)
{
	struct rxe_cc_port_call p;
	int err;

	lockdep_assert_held(&inst->port->mutex);
	spin_lock_bh(&inst->lock);
	err = inst_cmd_run(inst, peer, cmd, c, &p);
	trace_rxe_cc_inst_cmd(inst, peer ? peer->peer_id : 0, cmd, c, &p, err);
	if (!err)
		rxe_cc_inst_apply(inst, &p);
	if (!err && peer && c->expect_ns && inst->rx)
		rxe_cc_rxp_expect(inst->rx, &peer->rx, c->expect_ns, p.now_ns);
	spin_unlock_bh(&inst->lock);
	if (!err && peer && c->kick_peer)
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
	hrtimer_init(&inst->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	inst->timer.function = rxe_cc_inst_expired;
	inst->timer_ns = RXE_CC_NO_TIMER;
}
