// SPDX-License-Identifier: GPL-2.0
/*
 * A port of an RDMA device: added, removed, its link speed, and changes of its configuration.
 */
#include <kunit/visibility.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include <rxe_cc/wire.h>

#include "cc_qp.h"

/* Speed assumed where the network device does not know its own. */
#define RXE_CC_DEF_LINE_RATE_BPS	(100ULL * 1000 * 1000 * 1000)

static void (*rxe_cc_port_news)(struct rxe_cc_port *port, u8 cmd);

/**
 * rxe_cc_port_watch() - who is called when ports come, change and go
 * @fn: is called with the port's mutex held, and an RXE_CC_CMD_DEV_*_NTF
 *
 * Context: before there is a port.
 */
void rxe_cc_port_watch(void (*fn)(struct rxe_cc_port *port, u8 cmd))
{
	rxe_cc_port_news = fn;
}

/* Why the knobs do not suit a queue pair with an algorithm of its own, or NULL.
 * Under port->mutex.
 */
const char *rxe_cc_port_knob_refusal(struct rxe_cc_port *port, const u64 *knob)
{
	const struct rxe_cc_qp *qp;
	unsigned long qpn;

	xa_for_each(&port->qps, qpn, qp)
		if (qp->override && rxe_cc_port_refusal(qp->inst->ops, qp->inst->params, knob))
			return "a queue pair runs an algorithm that needs it";
	return NULL;
}

/**
 * rxe_cc_port_lock() - find the port of a device, for a change or a look
 * @ibdev: device
 *
 * Context: process.
 *
 * Return: the port, for rxe_cc_port_unlock(); or NULL, with nothing locked.
 */
struct rxe_cc_port *rxe_cc_port_lock(const struct ib_device *ibdev)
{
	struct rxe_cc_port *port;

	mutex_lock(&rxe_cc_mutex);
	list_for_each_entry(port, &rxe_cc_ports, list) {
		if (port->ibdev == ibdev) {
			mutex_lock(&port->mutex);
			return port;
		}
	}
	mutex_unlock(&rxe_cc_mutex);
	return NULL;
}

/**
 * rxe_cc_port_unlock() - done with a port
 * @port: port that was locked together with rxe_cc_mutex; NULL: none was
 *
 * Context: process.
 */
void rxe_cc_port_unlock(struct rxe_cc_port *port)
{
	if (!port)
		return;
	mutex_unlock(&port->mutex);
	mutex_unlock(&rxe_cc_mutex);
}

/* Under port->mutex. */
static void rxe_cc_port_find_rate(struct rxe_cc_port *port)
{
	u64 bps = port->knob[RXE_CC_KNOB_LINE_RATE];

	if (!bps)
		bps = READ_ONCE(port->link_bps);
	if (!bps)
		bps = RXE_CC_DEF_LINE_RATE_BPS;
	WRITE_ONCE(port->line_rate_bps,
		   clamp(bps, RXE_CC_RATE_MIN_BPS, RXE_CC_RATE_MAX_BPS));
}

static void rxe_cc_port_set_limits(struct rxe_cc_port *port)
{
	struct rxe_cc_port_handle *h = port->handle;
	u32 skbs = port->knob[RXE_CC_KNOB_MAX_SKBS_OUT];
	u32 hops = port->knob[RXE_CC_KNOB_INT_HOPS];
	u32 room = 0;

	WRITE_ONCE(port->unacked_psns, max_t(u32, port->unacked_psns,
					     port->knob[RXE_CC_KNOB_MAX_UNACKED]));
	WRITE_ONCE(h->max_unacked_psns, port->knob[RXE_CC_KNOB_MAX_UNACKED]);
	WRITE_ONCE(h->skbs_out_high, skbs);
	WRITE_ONCE(h->skbs_out_low, skbs / (RXE_CC_DEF_SKBS_OUT_HIGH /
					    RXE_CC_DEF_SKBS_OUT_LOW));
	WRITE_ONCE(h->ack_limit, (s32)port->knob[RXE_CC_KNOB_ACK_EVERY] - 2);
	WRITE_ONCE(h->int_dscp, port->knob[RXE_CC_KNOB_INT_DSCP]);
	WRITE_ONCE(h->int_hops, hops);
	WRITE_ONCE(h->tokens, port->knob[RXE_CC_KNOB_IOFD_TOKENS] != 0);
	if (port->knob[RXE_CC_KNOB_INT] != RXE_CC_INT_OFF)
		room = rxe_cc_int_room(RXE_CC_INT_FULL, hops);
	if (room == h->int_room)
		return;
	WRITE_ONCE(h->int_room, room);
	port->host_ops->room_changed(port->host_port);
}

/* Memory for all queue pairs that are about to change to an algorithm, or none of it. Under
 * port->mutex.
 */
static int rxe_cc_port_prepare(struct rxe_cc_port *port, const struct rxe_cc_ops *ops)
{
	const struct rxe_cc_ops *to;
	struct rxe_cc_qp *qp;
	unsigned long qpn;

	xa_for_each(&port->qps, qpn, qp) {
		to = rxe_cc_qp_may_run(qp, ops) ? ops : &rxe_cc_none_ops;
		if (!qp->override && qp->inst->ops != to && rxe_cc_qp_prepare(qp, to))
			goto nomem;
	}
	return 0;

nomem:
	xa_for_each(&port->qps, qpn, qp)
		rxe_cc_qp_unprepare(qp);
	return -ENOMEM;
}

/**
 * rxe_cc_port_commit() - apply a change that was checked
 * @port: port
 * @c: the change
 *
 * Context: process, port->mutex held.
 *
 * Return: 0 or -ENOMEM, which changes nothing.
 */
int rxe_cc_port_commit(struct rxe_cc_port *port, struct rxe_cc_change *c)
{
	struct rxe_cc_inst *inst = port->def, *none = NULL, *old = NULL;
	struct rxe_cc_inst *i;
	u64 *params = NULL, *old_params = NULL;
	struct rxe_cc_qp *qp;
	unsigned long qpn;
	unsigned int k;

	lockdep_assert_held(&port->mutex);
	if (c->set_params) {
		params = kmemdup(c->params, sizeof(c->params), GFP_KERNEL);
		if (!params)
			goto nomem;
	}
	if (c->ops && c->ops != port->def->ops) {
		/* UC QPs may have to fall back: nothing may fail half-way. */
		__module_get(rxe_cc_none_ops.owner);
		none = rxe_cc_inst_get(port, &rxe_cc_none_ops);
		if (IS_ERR(none))
			goto nomem;
		inst = rxe_cc_inst_get(port, c->ops);
		c->ops = NULL;
		if (IS_ERR(inst)) {
			rxe_cc_inst_put(port, none);
			goto nomem;
		}
		if (rxe_cc_port_prepare(port, inst->ops)) {
			rxe_cc_inst_put(port, inst);
			rxe_cc_inst_put(port, none);
			goto nomem;
		}
		old = port->def;
	} else if (c->ops) {
		module_put(c->ops->owner);
		c->ops = NULL;
	}

	for (k = 0; k < RXE_CC_NR_KNOBS; k++)
		WRITE_ONCE(port->knob[k], c->knob[k]);
	rxe_cc_port_find_rate(port);
	rxe_cc_port_set_limits(port);
	if (params)
		old_params = rxe_cc_inst_set_params(inst, params);
	port->def = inst;
	WRITE_ONCE(port->managed, inst->ops != &rxe_cc_none_ops);
	list_for_each_entry(i, &port->insts, list)
		rxe_cc_inst_rules(i);
	xa_for_each(&port->qps, qpn, qp) {
		if (old && !qp->override) {
			struct rxe_cc_inst *to = inst;

			if (!rxe_cc_qp_may_run(qp, inst->ops))
				to = none;
			if (qp->inst != to) {
				to->users++;
				rxe_cc_qp_switch(qp, to);
				continue;
			}
		}
		rxe_cc_qp_refresh(qp, qp->inst == inst ? inst->params : NULL);
	}
	kfree(old_params);
	if (old) {
		rxe_cc_inst_put(port, old);
		rxe_cc_inst_put(port, none);
	}
	return 0;

nomem:
	kfree(params);
	if (c->ops)
		module_put(c->ops->owner);
	c->ops = NULL;
	return -ENOMEM;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_port_commit);

/**
 * rxe_cc_test_set() - choose algorithm and knobs of a port, for tests
 * @h: port
 * @ops: algorithm, whose module the caller holds; NULL: as it is
 * @knob: values of all knobs; NULL: as they are
 *
 * Context: process.
 *
 * Return: 0 or -ENOMEM.
 */
int rxe_cc_test_set(struct rxe_cc_port_handle *h, const struct rxe_cc_ops *ops,
		    const u64 *knob)
{
	struct rxe_cc_change *c = kzalloc(sizeof(*c), GFP_KERNEL);
	int err;

	if (!c)
		return -ENOMEM;
	mutex_lock(&h->port->mutex);
	memcpy(c->knob, knob ? knob : h->port->knob, sizeof(c->knob));
	if (ops)
		__module_get(ops->owner);
	c->ops = ops;
	err = rxe_cc_port_commit(h->port, c);
	mutex_unlock(&h->port->mutex);
	kfree(c);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(rxe_cc_test_set);

/* The speed of the link has changed: so have line rate and ceilings, unless the knob says. */
static void rxe_cc_port_relink(struct work_struct *work)
{
	struct rxe_cc_port *port = container_of(work, struct rxe_cc_port,
						link_work);
	u64 before_bps;
	struct rxe_cc_qp *qp;
	unsigned long qpn;

	mutex_lock(&port->mutex);
	before_bps = port->line_rate_bps;
	rxe_cc_port_find_rate(port);
	if (port->line_rate_bps != before_bps) {
		xa_for_each(&port->qps, qpn, qp)
			rxe_cc_qp_refresh(qp, NULL);
		if (port->announced)
			rxe_cc_port_news(port, RXE_CC_CMD_DEV_NTF);
	}
	mutex_unlock(&port->mutex);
}

/**
 * rxe_cc_port_link() - the speed of a port's link, at first and whenever it may have changed
 * @h: port
 * @bps: speed; 0: unknown
 *
 * Where the knob line_rate is 0 that is the ceiling for every queue pair, soon after.
 *
 * Context: any; not beside rxe_cc_port_del().
 */
void rxe_cc_port_link(struct rxe_cc_port_handle *h, u64 bps)
{
	struct rxe_cc_port *port = h->port;

	if (!port || READ_ONCE(port->link_bps) == bps)
		return;
	WRITE_ONCE(port->link_bps, bps);
	schedule_work(&port->link_work);
}
EXPORT_SYMBOL_GPL(rxe_cc_port_link);

/**
 * rxe_cc_port_add() - a port of the transport comes into being
 * @h: handle in the transport's device, its limits set to the defaults
 * @ibdev: device, not registered yet
 * @port_num: port number
 * @ifindex: network device
 * @ops: transport's callbacks
 * @host_port: comes back in callbacks
 *
 * The port starts with algorithm "none".
 *
 * Context: process.
 *
 * Return: 0 or -ENOMEM.
 */
int rxe_cc_port_add(struct rxe_cc_port_handle *h, struct ib_device *ibdev,
		    u32 port_num, int ifindex,
		    const struct rxe_cc_host_ops *ops, void *host_port)
{
	struct rxe_cc_port *port;
	unsigned int i;

	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return -ENOMEM;
	port->counts = alloc_percpu(struct rxe_cc_counts);
	if (!port->counts)
		goto nomem;
	INIT_LIST_HEAD(&port->insts);
	mutex_init(&port->mutex);
	xa_init(&port->qps);
	INIT_WORK(&port->link_work, rxe_cc_port_relink);
	port->handle = h;
	port->ibdev = ibdev;
	port->port_num = port_num;
	port->ifindex = ifindex;
	port->host_ops = ops;
	port->host_port = host_port;
	port->line_rate_bps = RXE_CC_DEF_LINE_RATE_BPS;
	for (i = 0; i < RXE_CC_NR_KNOBS; i++)
		port->knob[i] = rxe_cc_knobs[i].def;
	rxe_cc_port_set_limits(port);
	rxe_cc_peers_init(port);

	__module_get(rxe_cc_none_ops.owner);
	port->def = rxe_cc_inst_get(port, &rxe_cc_none_ops);
	if (IS_ERR(port->def))
		goto nomem;
	mutex_lock(&rxe_cc_mutex);
	list_add_tail(&port->list, &rxe_cc_ports);
	atomic_inc(&rxe_cc_generation);
	h->port = port;
	mutex_unlock(&rxe_cc_mutex);
	return 0;

nomem:
	free_percpu(port->counts);
	kfree(port);
	return -ENOMEM;
}
EXPORT_SYMBOL_GPL(rxe_cc_port_add);

/**
 * rxe_cc_port_announce() - the device of a port is registered
 * @h: handle
 *
 * Context: process.
 */
void rxe_cc_port_announce(struct rxe_cc_port_handle *h)
{
	struct rxe_cc_port *port = h->port;

	if (!port)
		return;
	mutex_lock(&rxe_cc_mutex);
	mutex_lock(&port->mutex);
	port->announced = true;
	atomic_inc(&rxe_cc_generation);
	rxe_cc_port_find_rate(port);
	rxe_cc_port_news(port, RXE_CC_CMD_DEV_NTF);
	rxe_cc_port_unlock(port);
}
EXPORT_SYMBOL_GPL(rxe_cc_port_announce);

/**
 * rxe_cc_port_del() - a port goes away
 * @h: handle; one that was never added is fine
 *
 * Context: process; all its queue pairs are gone.
 */
void rxe_cc_port_del(struct rxe_cc_port_handle *h)
{
	struct rxe_cc_port *port = h->port;

	if (!port)
		return;
	mutex_lock(&rxe_cc_mutex);
	mutex_lock(&port->mutex);
	if (port->announced)
		rxe_cc_port_news(port, RXE_CC_CMD_DEV_DEL_NTF);
	list_del(&port->list);
	atomic_inc(&rxe_cc_generation);
	h->port = NULL;
	rxe_cc_port_unlock(port);

	/* Nobody finds it any more. */
	cancel_work_sync(&port->link_work);
	cancel_delayed_work_sync(&port->peer_work);
	mutex_lock(&port->mutex);
	rxe_cc_inst_put(port, port->def);
	WARN_ON_ONCE(!list_empty(&port->insts));
	rxe_cc_peers_exit(port);
	mutex_unlock(&port->mutex);
	xa_destroy(&port->qps);
	mutex_destroy(&port->mutex);
	free_percpu(port->counts);
	kfree(port);
}
EXPORT_SYMBOL_GPL(rxe_cc_port_del);
