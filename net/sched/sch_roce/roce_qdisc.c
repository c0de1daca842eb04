// SPDX-License-Identifier: GPL-2.0
/*
 * Queueing discipline "roce": a NIC port or a switch port with its cable.
 *
 * It stands for everything between the driver's transmit call and the
 * receiver's first look at a packet: the egress queues, the serialiser at
 * line rate, and the propagation delay. On a veth pair the other end is then
 * the peer's ingress, and a network of namespaces and bridges behaves as one
 * of machines and switches.
 *
 * Why not netem and tbf, which are there: netem's clock has 64 ns ticks and
 * its rate rounds every packet; neither has priorities, ECN on one's own
 * terms, or statistics exact to the instant; and neither tells the sender
 * when a packet has left the port, so that a sender's limit on outstanding
 * packets becomes a window over the whole path.
 *
 * The stack runs a qdisc when a packet is queued, and when the watchdog
 * fires. Both end in roce_dequeue(), which hands out what has arrived at the
 * far end by now and sets the watchdog to the next event. The watchdog is a
 * hard hrtimer without slack: it only schedules the transmit softirq, which
 * then runs on return from the same interrupt; a soft hrtimer would need a
 * pass of its own softirq before that.
 *
 * The root lock of a qdisc protects what the kernel counts of it; the lock of the switch protects
 * the model. So a packet that the model drops after it was queued is freed, and counted, by the
 * next dequeue. PFC frames and answers to senders (roce_reply_packet.c), which the model itself
 * makes, are in none of the kernel's counts.
 *
 * Where to find what:
 *	arrival and queues		roce_port.c, roce_queue.c
 *	the line			roce_transmit.c
 *	ports of one switch, its buffer	roce_switch_order.c, roce_switch_member.c,
 *					roce_shared_buffer.c
 *	pauses that the peer sends	roce_pause_rx.c, roce_ingress_tap.c
 *	pauses that the peer gets	roce_pause_tx.c, roce_pfc_frame.c
 *	arithmetic			roce_serialization.c, roce_queue_integral.c
 *	ECN, INT, Mercury, IOFD, LSCC	features/, which roce_feature.h explains
 */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/gso.h>
#include <net/pkt_sched.h>

#include "roce_next_event.h"
#include "roce_feature.h"
#include "roce_lost_flows.h"
#include "roce_qdisc.h"
#include "roce_route_memory.h"
#include "roce_switch.h"

/* Why a packet is dropped, for those who trace that. Later kernels have reasons for qdiscs. */
#if __has_include(<net/dropreason-qdisc.h>)
#define ROCE_DROP_REFUSED	QDISC_DROP_OVERLIMIT
#define ROCE_DROP_SEGMENTS	QDISC_DROP_GENERIC
#else
#define ROCE_DROP_REFUSED	SKB_DROP_REASON_QDISC_DROP
#define ROCE_DROP_SEGMENTS	SKB_DROP_REASON_SKB_GSO_SEG
#endif

/* Set the watchdog to the port's next event. Where the kernel refuses, because
 * the device is being taken down, it does not count as set.
 */
static void roce_set_watchdog(struct roce_sched *q, u64 next_ns)
{
	if (next_ns == ROCE_NEVER) {
		;
	} else if (q->port.cfg.direct) {
		if (!roce_link_schedule(q, next_ns))
			next_ns = 0;
	} else {
		qdisc_watchdog_schedule_range_ns(&q->watchdog, next_ns, 0);
		if (!hrtimer_is_queued(&q->watchdog.timer))
			next_ns = 0;
	}
	WRITE_ONCE(q->armed_ns, next_ns);
}

/**
 * roce_schedule - have the qdisc looked at when the port has something to do
 * @q: qdisc, whose port has been advanced to now
 *
 * Context: switch lock held.
 */
void roce_schedule(struct roce_sched *q)
{
	u64 next_ns = roce_event_wake_ns(&q->port);

	if (next_ns != q->armed_ns)
		roce_set_watchdog(q, next_ns);
}

/* Also what is set already: the watchdog may have fired while the qdisc was not
 * yet, or for a while not, the device's.
 */
static void roce_kick(struct roce_port *port)
{
	roce_set_watchdog(container_of(port, struct roce_sched, port), roce_event_wake_ns(port));
}

static int roce_enqueue_one(struct sk_buff *skb, struct Qdisc *sch, u64 now_ns,
			    struct sk_buff **to_free)
{
	struct roce_sched *q = qdisc_priv(sch);

	switch (roce_port_arrive(&q->port, skb, now_ns)) {
	case ROCE_ACCEPTED:
		qdisc_qstats_backlog_inc(sch, skb);
		sch->q.qlen++;
		return NET_XMIT_SUCCESS;
	case ROCE_CONSUMED:
	case ROCE_REDIRECTED:
		return NET_XMIT_SUCCESS;
	default:
		qdisc_qstats_overlimit(sch);
		return qdisc_drop_reason(skb, sch, to_free, ROCE_DROP_REFUSED);
	}
}

/* A line sends packets, not bundles: each has its own overhead. */
static int roce_enqueue_gso(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	netdev_features_t features = netif_skb_features(skb);
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_switch *sw = q->port.sw;
	struct sk_buff *segs, *seg, *next;
	int ret = NET_XMIT_DROP;
	u64 now_ns;

	segs = skb_gso_segment(skb, features & ~NETIF_F_GSO_MASK);

	spin_lock(&sw->lock);
	now_ns = ktime_get_ns();
	if (IS_ERR_OR_NULL(segs)) {
		roce_port_refused(&q->port, skb, now_ns);
		roce_switch_unlock(sw);
		return qdisc_drop_reason(skb, sch, to_free, ROCE_DROP_SEGMENTS);
	}

	skb_list_walk_safe(segs, seg, next) {
		skb_mark_not_on_list(seg);
		qdisc_skb_cb(seg)->pkt_len = seg->len;
		if (roce_enqueue_one(seg, sch, now_ns, to_free) == NET_XMIT_SUCCESS)
			ret = NET_XMIT_SUCCESS;
	}
	roce_schedule(q);
	roce_switch_unlock(sw);
	consume_skb(skb);
	return ret;
}

static int roce_enqueue(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_switch *sw = q->port.sw;
	int ret;

	if (unlikely(skb_is_gso(skb)))
		return roce_enqueue_gso(skb, sch, to_free);

	spin_lock(&sw->lock);
	ret = roce_enqueue_one(skb, sch, ktime_get_ns(), to_free);
	roce_schedule(q);
	roce_switch_unlock(sw);
	return ret;
}

/* Free what the model has lost, and take it out of the kernel's counts. */
static void roce_bury(struct Qdisc *sch, struct sk_buff *dead)
{
	struct sk_buff *skb, *next;

	skb_list_walk_safe(dead, skb, next) {
		skb_mark_not_on_list(skb);
		if (!(roce_skb_cb(skb)->flags & ROCE_SKB_OWN)) {
			qdisc_qstats_backlog_dec(sch, skb);
			qdisc_qstats_drop(sch);
			sch->q.qlen--;
		}
		if (roce_skb_cb(skb)->flags & ROCE_SKB_EATEN)
			consume_skb(skb);
		else
			kfree_skb_reason(skb, SKB_DROP_REASON_QDISC_DROP);
	}
}

/**
 * roce_pop_arrived - take a packet that has arrived at the far end by now
 * @sch: qdisc
 *
 * Context: bottom halves off, root lock.
 * Return: the packet, no longer the qdisc's; or NULL, and the port will be looked at
 * when there is something to do.
 */
struct sk_buff *roce_pop_arrived(struct Qdisc *sch)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_switch *sw = q->port.sw;
	struct sk_buff *skb, *dead = NULL;
	u64 now_ns, next_ns = READ_ONCE(q->armed_ns);

	/* The stack asks after each enqueue, and again after each packet. */
	if (next_ns == ROCE_NEVER || ktime_get_ns() < next_ns)
		return NULL;

	spin_lock(&sw->lock);
	now_ns = ktime_get_ns();
	skb = roce_port_deliver(&q->port, now_ns);
	if (unlikely(q->port.dead.head))
		dead = roce_port_pop_dead(&q->port).head;
	next_ns = roce_event_wake_ns(&q->port);
	if (next_ns > now_ns || !skb)
		roce_set_watchdog(q, next_ns);
	roce_switch_unlock(sw);

	if (unlikely(dead))
		roce_bury(sch, dead);
	if (!skb || unlikely(roce_skb_cb(skb)->flags & ROCE_SKB_OWN))
		return skb;
	qdisc_qstats_backlog_dec(sch, skb);
	qdisc_skb_cb(skb)->pkt_len += roce_skb_cb(skb)->grown_bytes;
	/* One packet, as it left roce_enqueue(): no need to look at its end for GSO. */
	_bstats_update(&sch->bstats, qdisc_pkt_len(skb), 1);
	sch->q.qlen--;
	return skb;
}

static struct sk_buff *roce_dequeue(struct Qdisc *sch)
{
	struct roce_sched *q = qdisc_priv(sch);

	if (!q->port.cfg.direct)
		return roce_pop_arrived(sch);
	roce_link_dequeue(sch);
	return NULL;
}

static bool roce_is_lossless(const struct roce_config *cfg)
{
	int i;

	for (i = 0; i < TC_ROCE_PRIOS; i++) {
		if (cfg->prio[i].lossless)
			return true;
	}
	return false;
}

/* Under the root lock: @cfg holds from now on, in switch @target. */
static void roce_commit(struct Qdisc *sch, struct roce_switch *target,
			const struct roce_config *cfg)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_port *port = &q->port;
	struct roce_switch *old = port->sw;
	bool direct = port->cfg.direct;

	if (old && old != target) {
		spin_lock(&old->lock);
		roce_switch_leave(port, ktime_get_ns());
		roce_switch_unlock(old);
	}
	spin_lock(&target->lock);
	if (old != target)
		roce_switch_join(port, target, cfg, ktime_get_ns());
	else
		roce_switch_update(port, cfg, ktime_get_ns());
	if (direct != cfg->direct)
		roce_kick(port);
	else
		roce_schedule(q);
	roce_switch_unlock(target);
}

/**
 * roce_configure - check a configuration and put it into force
 * @sch: qdisc
 * @cfg: configuration, parsed; its buffer may become the switch's
 * @buffer_told: its buffer is to become the switch's
 * @blame: attribute to name when the buffer does not suffice
 * @extack: gets attribute and reason
 *
 * Context: RTNL, may sleep.
 * Return: 0 or a negative error; nothing has changed then.
 */
int roce_configure(struct Qdisc *sch, struct roce_config *cfg,
		   bool buffer_told, const struct nlattr *blame, struct netlink_ext_ack *extack)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_switch *old = q->port.sw, *target;
	int err;

	err = roce_switch_prepare(&q->port, cfg, buffer_told, blame, extack, &target);
	if (err)
		return err;

	if (old && old != target)
		roce_tap_update(&q->port, false);
	if (cfg->direct)
		roce_routes_setup();
	sch_tree_lock(sch);
	roce_commit(sch, target, cfg);
	sch_tree_unlock(sch);
	if (old != target)
		roce_switch_put(old);
	roce_tap_update(&q->port, roce_is_lossless(cfg));
	return 0;
}

static int roce_change(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct nlattr *buffer = NULL;
	struct roce_config *cfg;
	int err = 0;

	cfg = kmemdup(&q->port.cfg, sizeof(*cfg), GFP_KERNEL);
	if (!cfg)
		return -ENOMEM;

	if (opt) {
		buffer = nla_find_nested(opt, TCA_ROCE_BUFFER);
		err = roce_config_parse(cfg, opt, extack);
	}
	if (!err)
		err = roce_configure(sch, cfg, buffer, buffer ?: opt, extack);
	kfree(cfg);
	return err;
}

static int roce_init(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct roce_sched *q = qdisc_priv(sch);
	int err;

	/* First, because destroy runs also after a failed init. */
	qdisc_watchdog_init(&q->watchdog, sch);
	roce_port_init(&q->port, qdisc_dev(sch));
	q->port.kick = roce_kick;
	err = roce_link_init(q, sch);
	if (err)
		return err;

	if (sch->parent != TC_H_ROOT) {
		NL_SET_ERR_MSG(extack, "roce: a port is the root qdisc of its device, not a child");
		return -EOPNOTSUPP;
	}
	return roce_change(sch, opt, extack);
}

static void roce_reset(struct Qdisc *sch)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_port *port = &q->port;
	struct roce_switch *sw = port->sw;
	struct qdisc_skb_head dead;
	struct roce_time now = {};

	qdisc_watchdog_cancel(&q->watchdog);
	roce_link_cancel(q);
	if (!sw)
		return;

	spin_lock_bh(&sw->lock);
	WRITE_ONCE(q->armed_ns, 0);
	now.ns = ktime_get_ns();
	roce_port_purge(port, now.ns);
	dead = roce_port_pop_dead(port);
	/* If the link is up nobody else will have the peer told again. */
	roce_line_poke(port, now);
	roce_switch_unlock(sw);
	local_bh_enable();
	rtnl_kfree_skbs(dead.head, dead.tail);
}

static void roce_destroy(struct Qdisc *sch)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_port *port = &q->port;
	struct roce_switch *sw = port->sw;
	struct qdisc_skb_head dead;

	if (sw) {
		roce_tap_update(port, false);
		spin_lock_bh(&sw->lock);
		roce_switch_leave(port, ktime_get_ns());
		/* Another port may have had a frame sent since the reset. */
		dead = roce_port_pop_dead(port);
		roce_switch_unlock(sw);
		local_bh_enable();
		rtnl_kfree_skbs(dead.head, dead.tail);
		roce_switch_put(sw);
	}
	/* Last: no other port of the switch can kick it any more. */
	qdisc_watchdog_cancel(&q->watchdog);
	roce_link_forget(q);
	kfree(port->pfc.pending);
	kfree(port->hist);
	roce_lost_flows_free(port->loss.flows);
	roce_features_release(port);
}

static int roce_dump(struct Qdisc *sch, struct sk_buff *msg)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct nlattr *nest = nla_nest_start_noflag(msg, TCA_OPTIONS);

	if (!nest)
		return -EMSGSIZE;
	roce_options_sync(&q->port.cfg);
	if (roce_dump_config(&q->port.cfg, msg)) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	return nla_nest_end(msg, nest);
}

static int roce_dump_xstats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_switch *sw = q->port.sw;
	u64 now_ns;
	int err;

	spin_lock_bh(&sw->lock);
	now_ns = ktime_get_ns();
	roce_switch_advance(sw, now_ns);
	roce_schedule(q);
	err = roce_dump_stats(&q->port, now_ns, d->skb);
	roce_switch_unlock(sw);
	local_bh_enable();
	return err;
}

struct Qdisc_ops roce_qdisc_ops __read_mostly = {
	.id		= TC_ROCE_KIND,
	.priv_size	= sizeof(struct roce_sched),
	.enqueue	= roce_enqueue,
	.dequeue	= roce_dequeue,
	.peek		= qdisc_peek_dequeued,
	.init		= roce_init,
	.reset		= roce_reset,
	.destroy	= roce_destroy,
	.change		= roce_change,
	.dump		= roce_dump,
	.dump_stats	= roce_dump_xstats,
	.owner		= THIS_MODULE,
};
