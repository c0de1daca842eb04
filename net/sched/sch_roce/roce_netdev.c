// SPDX-License-Identifier: GPL-2.0
/*
 * What a port gets from its device: received PFC frames, other packets that a
 * feature wants (roce_feature.receive), and changes of the device (bridge, MTU,
 * address, link).
 *
 * Linux has no PFC in software. A handler for EtherType 0x8808 would never see
 * a frame on a port of a bridge, because the bridge takes all frames first and
 * drops those to 01:80:c2:00:00:01. Taps come before the bridge. This one is
 * there only while a priority is lossless, because each tap costs every received
 * packet a call. It does not get packets that the device sends.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "roce_event.h"
#include "roce_sched.h"
#include "roce_switch.h"

/* Context: softirq, RCU. The tap is gone before the port leaves its switch. */
static int roce_tap(struct sk_buff *skb, struct net_device *dev,
		    struct packet_type *pt, struct net_device *orig_dev)
{
	struct roce_port *port = pt->af_packet_priv;
	bool pfc = skb->protocol == htons(ETH_P_PAUSE);
	struct roce_switch *sw = port->sw;
	u64 now_ns;

	if (likely(!pfc && !READ_ONCE(port->receivers)))
		goto out;

	spin_lock_bh(&sw->lock);
	now_ns = ktime_get_ns();
	roce_switch_advance(sw, now_ns);
	if (pfc)
		roce_pfc_receive(port, skb, now_ns);
	else
		roce_features_receive(port, skb, now_ns);
	roce_event_kick(port);
	roce_switch_unlock(sw);
	local_bh_enable();
out:
	consume_skb(skb);
	return NET_RX_SUCCESS;
}

/**
 * roce_tap_update - receive PFC frames or no longer
 * @port: port with a device and a switch
 * @wanted: receive them
 *
 * Context: RTNL, may sleep.
 */
void roce_tap_update(struct roce_port *port, bool wanted)
{
	struct packet_type *tap = &port->pfc.tap;

	if (!!tap->func == wanted)
		return;
	if (!wanted) {
		dev_remove_pack(tap);
		tap->func = NULL;
		return;
	}
	tap->type = htons(ETH_P_ALL);
	tap->dev = port->dev;
	tap->func = roce_tap;
	tap->af_packet_priv = port;
	tap->ignore_outgoing = true;
	dev_add_pack(tap);
}

/* The device has been put into another bridge, or taken out of one: as if its
 * cable were pulled out of one switch and put into another.
 */
static void roce_netdev_moved(struct Qdisc *sch)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_config *cfg;
	int err;

	if (!roce_switch_moved(&q->port))
		return;
	cfg = kmemdup(&q->port.cfg, sizeof(*cfg), GFP_KERNEL);
	if (!cfg)
		return;
	err = roce_configure(sch, cfg, false, NULL, NULL);
	kfree(cfg);
	if (err)
		netdev_err(q->port.dev,
			   "roce: stays with its switch: the buffer of the other one does not suffice (%d)\n",
			   err);
}

/* Something that the configuration in force was computed from has changed. */
static void roce_netdev_changed(struct Qdisc *sch, struct net_device *dev)
{
	struct roce_sched *q = qdisc_priv(sch);
	struct roce_port *port = &q->port;
	struct roce_switch *sw = port->sw;
	u64 now_ns;

	sch_tree_lock(sch);
	spin_lock(&sw->lock);
	now_ns = ktime_get_ns();
	port->mtu = dev->mtu;
	roce_switch_update(port, &port->cfg, now_ns);
	roce_event_kick(port);
	roce_switch_unlock(sw);
	sch_tree_unlock(sch);
}

static int roce_netdev_event(struct notifier_block *nb, unsigned long event,
			     void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct Qdisc *sch = rtnl_dereference(dev->qdisc);
	struct roce_sched *q;

	if (!sch || sch->ops != &roce_qdisc_ops)
		return NOTIFY_DONE;
	q = qdisc_priv(sch);

	switch (event) {
	case NETDEV_CHANGEUPPER:
		roce_netdev_moved(sch);
		break;
	case NETDEV_CHANGEMTU:
		/* The error takes the change back, with another event. */
		if (roce_switch_check_mtu(&q->port, dev->mtu)) {
			netdev_err(dev, "roce: the switch's buffer does not suffice for the headroom of MTU %u\n",
				   dev->mtu);
			return notifier_from_errno(-ENOSPC);
		}
		roce_netdev_changed(sch, dev);
		break;
	case NETDEV_UP:
	case NETDEV_CHANGE:
	case NETDEV_CHANGEADDR:
		roce_netdev_changed(sch, dev);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block roce_netdev_notifier = {
	.notifier_call = roce_netdev_event,
};

/**
 * roce_netdev_register - ask for notifications of changes of devices
 *
 * Return: 0 or a negative error.
 */
int roce_netdev_register(void)
{
	return register_netdevice_notifier(&roce_netdev_notifier);
}

/**
 * roce_netdev_unregister - end notifications
 */
void roce_netdev_unregister(void)
{
	unregister_netdevice_notifier(&roce_netdev_notifier);
}
