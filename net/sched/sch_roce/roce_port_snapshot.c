// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshot of a port for other kernel modules (include/rxe_cc/roce_port_snapshot.h).
 */
#include <linux/bitops.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <rxe_cc/roce_port_snapshot.h>

#include "roce_feature.h"
#include "roce_lost_flows.h"
#include "roce_queue_histogram.h"
#include "features/lscc/roce_lscc.h"
#include "features/mercury/roce_mercury.h"
#include "roce_qdisc.h"
#include "roce_switch.h"

static struct roce_sched *roce_sched_of(struct net_device *dev)
{
	struct Qdisc *sch = rtnl_dereference(dev->qdisc);

	return sch && sch->ops == &roce_qdisc_ops ? qdisc_priv(sch) : NULL;
}

/* Lock a port's switch, with all of it as it is now. */
static struct roce_switch *roce_look_lock(struct roce_sched *q, u64 *now_ns)
	__acquires(&q->port.sw->lock)
{
	struct roce_switch *sw = q->port.sw;

	spin_lock_bh(&sw->lock);
	*now_ns = ktime_get_ns();
	roce_switch_advance(sw, *now_ns);
	roce_schedule(q);
	return sw;
}

static void roce_look_unlock(struct roce_switch *sw)
	__releases(&sw->lock)
{
	roce_switch_unlock(sw);
	local_bh_enable();
}

static void roce_look_mercury(const struct roce_port *port, struct roce_look *look)
{
	const struct roce_mercury_port *m = roce_feature_port(port, &roce_mercury_feature);
	int i;

	if (!m)
		return;
	look->mercury = m->on;
	for (i = 0; i < TC_ROCE_PRIOS; i++)
		look->undetermined |= (m->on >> i & m->state[i].undetermined) << i;
}

/**
 * roce_look() - how a port is now
 * @dev: its device
 * @look: receives it
 *
 * Context: RTNL.
 * Return: 0, or -ENOENT when @dev is no "roce" port.
 */
int roce_look(struct net_device *dev, struct roce_look *look)
{
	struct roce_sched *q = roce_sched_of(dev);
	const struct roce_port *port;
	struct roce_switch *sw;
	u64 now_ns;
	int i;

	if (!q)
		return -ENOENT;
	port = &q->port;
	memset(look, 0, sizeof(*look));
	sw = roce_look_lock(q, &now_ns);
	look->tx_packets = roce_sent_packets(port);
	look->busy_ns = roce_port_busy_ns(port, now_ns);
	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		if (!roce_prio_in_use(port, i))
			continue;
		look->in_use |= BIT(i);
		look->paused |= roce_port_paused(port, i, now_ns) << i;
		look->bytes[i] = port->prio[i].bytes;
		look->pause_ns[i] = roce_port_pause_ns(port, i, now_ns);
	}
	roce_look_mercury(port, look);
	roce_look_unlock(sw);
	return 0;
}
EXPORT_SYMBOL_GPL(roce_look);

/**
 * roce_look_lscc() - what LSCC does at a port now
 * @dev: its device
 * @look: receives it
 *
 * Context: RTNL.
 * Return: 0, or -ENOENT when @dev is no "roce" port or LSCC is off there.
 */
int roce_look_lscc(struct net_device *dev, struct roce_look_lscc *look)
{
	struct roce_sched *q = roce_sched_of(dev);
	struct roce_lscc_port *l = q ? roce_lscc_of(&q->port) : NULL;
	struct roce_switch *sw;
	u64 now_ns, left_bytes;

	if (!l || !l->on)
		return -ENOENT;
	sw = roce_look_lock(q, &now_ns);
	roce_lscc_update(&q->port, now_ns);
	roce_lscc_account(&q->port, &look->queue_bytes, &left_bytes);
	look->out_bps = l->out_bps;
	look->rate_bps = l->calc.last_bps;
	look->limit_bps = l->limit.rate_bps;
	look->pseudo_bytes = l->limit.bytes;
	roce_look_unlock(sw);
	return 0;
}
EXPORT_SYMBOL_GPL(roce_look_lscc);

/**
 * roce_hist_begin() - begin a histogram of a port's queue, or begin it anew
 * @dev: its device
 *
 * Context: RTNL, may sleep.
 * Return: 0, -ENOENT when @dev is no "roce" port, or -ENOMEM.
 */
int roce_hist_begin(struct net_device *dev)
{
	struct roce_sched *q = roce_sched_of(dev);
	struct roce_hist *hist, *old;
	struct roce_switch *sw;
	u64 now_ns;

	if (!q)
		return -ENOENT;
	hist = kzalloc(sizeof(*hist), GFP_KERNEL);
	if (!hist)
		return -ENOMEM;
	sw = roce_look_lock(q, &now_ns);
	hist->since_ns = now_ns;
	old = q->port.hist;
	q->port.hist = hist;
	roce_look_unlock(sw);
	kfree(old);
	return 0;
}
EXPORT_SYMBOL_GPL(roce_hist_begin);

/**
 * roce_hist_end() - end a port's histogram
 * @dev: its device
 * @ns: receives the time of each bucket, up to now
 *
 * Context: RTNL.
 * Return: 0, or -ENOENT when there is none.
 */
int roce_hist_end(struct net_device *dev, u64 ns[ROCE_WATCH_BUCKETS])
{
	struct roce_sched *q = roce_sched_of(dev);
	struct roce_hist *hist;
	struct roce_switch *sw;
	u64 now_ns;

	if (!q || !q->port.hist)
		return -ENOENT;
	sw = roce_look_lock(q, &now_ns);
	hist = q->port.hist;
	q->port.hist = NULL;
	roce_hist_update(hist, q->port.bytes, now_ns);
	roce_look_unlock(sw);
	memcpy(ns, hist->ns, sizeof(hist->ns));
	kfree(hist);
	return 0;
}
EXPORT_SYMBOL_GPL(roce_hist_end);

/**
 * roce_lost_take() - which flows a port's link has lost packets of since the call before; the first
 *	call begins to keep them
 * @dev: its device
 * @flows: called once if there are any, with each once, and whether there were more
 * @data: for @flows
 *
 * Context: RTNL, may sleep.
 * Return: 0, -ENOENT when @dev is no "roce" port, or -ENOMEM.
 */
int roce_lost_take(struct net_device *dev,
		   void (*flows)(const struct roce_watch_lost_flow *flow, u32 nr, bool more,
				 void *data), void *data)
{
	struct roce_sched *q = roce_sched_of(dev);
	struct roce_lost_flows *lost, *old;
	struct roce_switch *sw;
	u64 now_ns;

	if (!q)
		return -ENOENT;
	lost = kzalloc(sizeof(*lost), GFP_KERNEL);
	if (!lost)
		return -ENOMEM;
	sw = roce_look_lock(q, &now_ns);
	old = q->port.loss.flows;
	q->port.loss.flows = lost;
	roce_look_unlock(sw);
	if (old && (old->nr || old->more)) {
		roce_lost_flows_compact(old);
		flows(old->flow, old->nr, old->more, data);
	}
	roce_lost_flows_free(old);
	return 0;
}
EXPORT_SYMBOL_GPL(roce_lost_take);
