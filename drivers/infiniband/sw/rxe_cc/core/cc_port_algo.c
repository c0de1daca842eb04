// SPDX-License-Identifier: GPL-2.0
/*
 * An algorithm in use on a port: creates, finds and frees its parameters, the state that its
 * flows share, and the timer of that state.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "cc_core.h"

/**
 * rxe_cc_test_cmd() - give a command, as netlink does, for tests
 * @qp: queue pair of the algorithm
 * @addr: host, for a command about a peer
 * @name: command
 * @c: arguments; receives the answer
 *
 * Context: process.
 *
 * Return: what the algorithm returns; -ENOENT when there is no such command or peer.
 */
int rxe_cc_test_cmd(struct rxe_cc_qp *qp, const struct in6_addr *addr,
		    const char *name, struct rxe_cc_cmd_call *c)
{
	struct rxe_cc_peer_priv *peer = NULL;
	const struct rxe_cc_cmd *cmd;
	int err = -ENOENT;

	mutex_lock(&qp->port->mutex);
	cmd = rxe_cc_cmd_find(qp->inst->ops, name);
	if (cmd && cmd->to_peer)
		peer = rxe_cc_peer_find(qp->inst, addr);
	if (cmd && cmd->to_qp)
		err = rxe_cc_qp_cmd(qp, cmd, c);
	else if (cmd && (cmd->to_port || peer))
		err = rxe_cc_inst_cmd(qp->inst, peer, cmd, c);
	mutex_unlock(&qp->port->mutex);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_test_cmd);

/**
 * rxe_cc_inst_rules() - what is to be counted where its flows receive
 * @inst: algorithm; its parameters or a knob of the port may have changed
 *
 * Context: process, port->mutex held.
 */
void rxe_cc_inst_rules(struct rxe_cc_inst *inst)
{
	const u64 *knob = inst->port->knob;
	struct rxe_cc_rx_rules rules = {};

	if (!inst->rx)
		return;
	inst->ops->rx_rules(inst->params, &rules);
	/* Or the clock would move in User-Mode Linux. */
	local_bh_disable();
	rxe_cc_rxp_set(inst->rx, &rules, knob[RXE_CC_KNOB_BASE_RTT],
		       knob[RXE_CC_KNOB_RTT_WINDOW], ktime_get_ns());
	local_bh_enable();
}

/* No queue pair uses it any more. */
static void rxe_cc_inst_free(struct rxe_cc_inst *inst)
{
	hrtimer_cancel(&inst->timer);
	flush_work(&inst->group.work);
	rxe_cc_peers_leave(inst);
	if (inst->ready && inst->ops->port_exit)
		inst->ops->port_exit(inst->priv);
	/* Nobody is left who could have something in flight. */
	if (inst->rx)
		WARN_ON_ONCE(inst->rx->msgs_all || inst->rx->msgs || inst->rx->senders);
	module_put(inst->ops->owner);
	kfree(inst->priv);
	kfree(inst->rx);
	kfree(inst->params);
	kfree(inst);
}

/* A new instance; consumes a module reference, also on failure. */
static struct rxe_cc_inst *rxe_cc_inst_new(struct rxe_cc_port *port,
					   const struct rxe_cc_ops *ops)
{
	struct rxe_cc_inst *inst = kzalloc(sizeof(*inst), GFP_KERNEL);

	if (!inst) {
		module_put(ops->owner);
		return NULL;
	}
	inst->ops = ops;
	inst->port = port;
	inst->algo_id = rxe_cc_algo_id(ops->name);
	rxe_cc_group_init(&inst->group, RXE_CC_GROUP_PORT);
	rxe_cc_inst_timer_init(inst);
	inst->params = kcalloc(RXE_CC_MAX_PARAMS, sizeof(u64), GFP_KERNEL);
	if (ops->port_priv_size)
		inst->priv = kzalloc(ops->port_priv_size, GFP_KERNEL);
	if (ops->rx_rules)
		inst->rx = kzalloc(sizeof(*inst->rx), GFP_KERNEL);
	if (!inst->params || (ops->port_priv_size && !inst->priv) ||
	    (ops->rx_rules && !inst->rx)) {
		rxe_cc_inst_free(inst);
		return NULL;
	}
	rxe_cc_param_defaults(ops, inst->params);
	if (inst->rx)
		rxe_cc_rxp_init(inst->rx, port);
	rxe_cc_inst_rules(inst);
	if (ops->port_init && ops->port_init(inst->priv)) {
		rxe_cc_inst_free(inst);
		return NULL;
	}
	inst->ready = true;
	return inst;
}

/**
 * rxe_cc_inst_get() - the port's instance of an algorithm, made when there is none
 * @port: port
 * @ops: algorithm, with a module reference that is consumed, also on failure
 *
 * Context: process, port->mutex held.
 *
 * Return: the instance with one more user, or -ENOMEM.
 */
struct rxe_cc_inst *rxe_cc_inst_get(struct rxe_cc_port *port,
				    const struct rxe_cc_ops *ops)
{
	struct rxe_cc_inst *inst;

	list_for_each_entry(inst, &port->insts, list) {
		if (inst->ops == ops) {
			module_put(ops->owner);
			inst->users++;
			return inst;
		}
	}
	inst = rxe_cc_inst_new(port, ops);
	if (!inst)
		return ERR_PTR(-ENOMEM);
	inst->users = 1;
	list_add_tail(&inst->list, &port->insts);
	return inst;
}

/* An algorithm in use on a port, by name; NULL when it is not. Under port->mutex. */
struct rxe_cc_inst *rxe_cc_inst_find(struct rxe_cc_port *port, const char *name)
{
	struct rxe_cc_inst *inst;

	list_for_each_entry(inst, &port->insts, list)
		if (!strcmp(inst->ops->name, name))
			return inst;
	return NULL;
}

/* Under port->mutex. */
void rxe_cc_inst_put(struct rxe_cc_port *port, struct rxe_cc_inst *inst)
{
	if (--inst->users)
		return;
	list_del(&inst->list);
	rxe_cc_inst_free(inst);
}

/**
 * rxe_cc_inst_set_params() - new values of all parameters
 * @inst: instance
 * @params: values, RXE_CC_MAX_PARAMS
 *
 * Context: process, port->mutex held.
 *
 * Return: the old ones, for the caller to free once no flow points to them.
 */
u64 *rxe_cc_inst_set_params(struct rxe_cc_inst *inst, u64 *params)
{
	u64 *old;

	spin_lock_bh(&inst->lock);
	old = inst->params;
	inst->params = params;
	spin_unlock_bh(&inst->lock);
	return old;
}
