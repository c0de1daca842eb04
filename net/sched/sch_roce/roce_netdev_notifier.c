// SPDX-License-Identifier: GPL-2.0
/*
 * Netdevice notifier: what a port does when its device changes bridge, MTU, address or link.
 * Packets that the device receives: roce_ingress_tap.c.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "roce_next_event.h"
#include "roce_qdisc.h"
#include "roce_route_memory.h"
#include "roce_switch.h"

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

static int roce_netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct Qdisc *sch = rtnl_dereference(dev->qdisc);
	struct roce_sched *q;

	if (event == NETDEV_UNREGISTER)
		roce_routes_forget();
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
