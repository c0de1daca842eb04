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
 * Packets here: roce_queue.c. Arithmetic: roce_serial.c. Marking: roce_ecn.c.
 */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/gso.h>
#include <net/pkt_sched.h>

#include "roce_port.h"

/**
 * struct roce_sched - a qdisc's private part
 * @port: the model
 * @watchdog: for the port's next event
 */
struct roce_sched {
	struct roce_port port;
	struct qdisc_watchdog watchdog;
};

static void roce_schedule(struct roce_sched *q)
{
	u64 next_ns = roce_port_next_event(&q->port);

	if (next_ns != ROCE_NEVER)
		qdisc_watchdog_schedule_range_ns(&q->watchdog, next_ns, 0);
}

static int roce_enqueue_one(struct sk_buff *skb, struct Qdisc *sch, u64 now_ns,
			    struct sk_buff **to_free)
{
	struct roce_sched *q = qdisc_priv(sch);

	if (roce_port_arrive(&q->port, skb, now_ns) != ROCE_ACCEPTED) {
		qdisc_qstats_overlimit(sch);
		return qdisc_drop_reason(skb, sch, to_free,
					 SKB_DROP_REASON_QDISC_DROP);
	}
	qdisc_qstats_backlog_inc(sch, skb);
	sch->q.qlen++;
	return NET_XMIT_SUCCESS;
}

/* A line sends packets, not bundles: each has its own overhead. */
static int roce_enqueue_gso(struct sk_buff *skb, struct Qdisc *sch, u64 now_ns,
			    struct sk_buff **to_free)
{
	netdev_features_t features = netif_skb_features(skb);
	struct roce_sched *q = qdisc_priv(sch);
	struct sk_buff *segs, *seg, *next;
	int ret = NET_XMIT_DROP;

	segs = skb_gso_segment(skb, features & ~NETIF_F_GSO_MASK);
	if (IS_ERR_OR_NULL(segs)) {
		roce_port_refused(&q->port, skb, now_ns);
		return qdisc_drop_reason(skb, sch, to_free,
					 SKB_DROP_REASON_SKB_GSO_SEG);
	}

	skb_list_walk_safe(segs, seg, next) {
		skb_mark_not_on_list(seg);
		qdisc_skb_cb(seg)->pkt_len = seg->len;
		if (roce_enqueue_one(seg, sch, now_ns, to_free) ==
		    NET_XMIT_SUCCESS)
			ret = NET_XMIT_SUCCESS;
	}
	consume_skb(skb);
	return ret;
}

static int roce_enqueue(struct sk_buff *skb, struct Qdisc *sch,
			struct sk_buff **to_free)
{
	u64 now_ns = ktime_get_ns();

	if (unlikely(skb_is_gso(skb)))
		return roce_enqueue_gso(skb, sch, now_ns, to_free);
	return roce_enqueue_one(skb, sch, now_ns, to_free);
}

static struct sk_buff *roce_dequeue(struct Qdisc *sch)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct sk_buff *skb;

	skb = roce_port_deliver(&q->port, ktime_get_ns());
	if (!skb) {
		roce_schedule(q);
		return NULL;
	}
	qdisc_qstats_backlog_dec(sch, skb);
	qdisc_bstats_update(sch, skb);
	sch->q.qlen--;
	return skb;
}

static int roce_change(struct Qdisc *sch, struct nlattr *opt,
		       struct netlink_ext_ack *extack)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_config *cfg;
	int err;

	cfg = kmemdup(&q->port.cfg, sizeof(*cfg), GFP_KERNEL);
	if (!cfg)
		return -ENOMEM;

	err = roce_config_parse(cfg, opt, extack);
	if (!err) {
		sch_tree_lock(sch);
		roce_port_set_config(&q->port, cfg, ktime_get_ns());
		roce_schedule(q);
		sch_tree_unlock(sch);
	}
	kfree(cfg);
	return err;
}

static int roce_init(struct Qdisc *sch, struct nlattr *opt,
		     struct netlink_ext_ack *extack)
{
	struct roce_sched *q = qdisc_priv(sch);

	/* First, because destroy runs also after a failed init. */
	qdisc_watchdog_init(&q->watchdog, sch);
	roce_port_init(&q->port, qdisc_dev(sch));

	if (sch->parent != TC_H_ROOT) {
		NL_SET_ERR_MSG(extack, "roce: a port is the root qdisc of its device, not a child");
		return -EOPNOTSUPP;
	}
	return opt ? roce_change(sch, opt, extack) : 0;
}

static void roce_reset(struct Qdisc *sch)
{
	struct roce_sched *q = qdisc_priv(sch);

	qdisc_watchdog_cancel(&q->watchdog);
	roce_port_purge(&q->port, ktime_get_ns(), rtnl_kfree_skbs);
}

static void roce_destroy(struct Qdisc *sch)
{
	struct roce_sched *q = qdisc_priv(sch);

	qdisc_watchdog_cancel(&q->watchdog);
}

static int roce_dump(struct Qdisc *sch, struct sk_buff *msg)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct nlattr *nest = nla_nest_start_noflag(msg, TCA_OPTIONS);

	if (!nest)
		return -EMSGSIZE;
	if (roce_dump_config(&q->port.cfg, msg)) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	return nla_nest_end(msg, nest);
}

static int roce_dump_xstats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct roce_sched *q = qdisc_priv(sch);
	u64 now_ns;
	int err;

	sch_tree_lock(sch);
	now_ns = ktime_get_ns();
	roce_port_advance(&q->port, now_ns);
	roce_schedule(q);
	err = roce_dump_stats(&q->port, now_ns, d->skb);
	sch_tree_unlock(sch);
	return err;
}

static struct Qdisc_ops roce_qdisc_ops __read_mostly = {
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
MODULE_ALIAS_NET_SCH("roce");

static int __init roce_module_init(void)
{
	return register_qdisc(&roce_qdisc_ops);
}

static void __exit roce_module_exit(void)
{
	unregister_qdisc(&roce_qdisc_ops);
}

module_init(roce_module_init);
module_exit(roce_module_exit);
MODULE_LICENSE("GPL");
MODULE_AUTHOR("rxe-cc developers");
MODULE_DESCRIPTION("RoCE NIC and switch port");
