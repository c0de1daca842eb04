// SPDX-License-Identifier: GPL-2.0
/*
 * RDMA devices in network namespaces.
 *
 * A device sends and receives in the network namespace of its netdev. (Who may see
 * the device is decided by the RDMA subsystem, by namespaces of its own.) A namespace gets its
 * sockets with its first device. They are closed with its last one, so that the port is free
 * for others. (The kernel's own rxe has them, in the initial namespace, as long as the module is
 * loaded.)
 *
 * A socket of the kernel holds no reference on its namespace, and must not: the
 * namespace could never end while a device is in it. Instead, the namespace's
 * exit waits for its devices. By then all netdevs have left or gone, which has
 * started the removal of their RDMA devices.
 */
#include <linux/rtnetlink.h>
#include <linux/wait.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/udp_tunnel.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "rxe_netns.h"

/* The address families that RoCEv2 comes over. */
static const struct {
	u8 family;
	u8 version;
	bool there;
} rxe_netns_ip[] = {
	{ AF_INET, 4, true },
	{ AF_INET6, 6, IS_ENABLED(CONFIG_IPV6) },
};

/**
 * struct rxe_netns - rxe's part of a network namespace
 * @net: the namespace
 * @lock: guards @users and the making of @socket
 * @socket: by rxe_netns_ip[]; NULL: none
 * @users: RDMA devices that want the sockets
 * @open: the sockets are there
 * @devices: RDMA devices in the namespace, for its exit to wait for; raised under the RTNL
 */
struct rxe_netns {
	struct net *net;
	struct mutex lock;		/* making of sockets */
	struct socket *socket[ARRAY_SIZE(rxe_netns_ip)];
	unsigned int users;
	bool open;
	atomic_t devices;
};

static unsigned int rxe_netns_id __read_mostly;
static int (*rxe_netns_rcv)(struct sock *sk, struct sk_buff *skb);

/* Not in struct rxe_netns: a waker must not touch that after the last device,
 * since the namespace may be gone at once.
 */
static DECLARE_WAIT_QUEUE_HEAD(rxe_netns_idle);

static int rxe_netns_listen(struct rxe_netns *ns, unsigned int i)
{
	struct udp_tunnel_sock_cfg receiver = {
		.encap_type = 1, .encap_rcv = rxe_netns_rcv,
	};
	struct udp_port_cfg where = {
		.family = rxe_netns_ip[i].family,
		.ipv6_v6only = rxe_netns_ip[i].family == AF_INET6,
		.local_udp_port = htons(ROCE_V2_UDP_DPORT),
	};
	int err = udp_sock_create(ns->net, &where, &ns->socket[i]);

	if (!err)
		setup_udp_tunnel_sock(ns->net, ns->socket[i], &receiver);
	return err;
}

static void rxe_netns_close(struct rxe_netns *ns)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rxe_netns_ip); i++) {
		if (ns->socket[i])
			udp_tunnel_sock_release(ns->socket[i]);
		ns->socket[i] = NULL;
	}
	ns->open = false;
}

/* For one device more, which rxe_netns_unuse() follows also when this fails. */
static int rxe_netns_use(struct rxe_netns *ns)
{
	unsigned int i;
	int err = 0;

	mutex_lock(&ns->lock);
	ns->users++;
	for (i = 0; !ns->open && !err && i < ARRAY_SIZE(rxe_netns_ip); i++) {
		if (!rxe_netns_ip[i].there)
			continue;
		err = rxe_netns_listen(ns, i);
		if (!err)
			continue;
		ns->socket[i] = NULL;
		/* Turned off at boot. */
		if (err == -EAFNOSUPPORT && rxe_netns_ip[i].family == AF_INET6)
			err = 0;
		pr_warn("no socket for RoCE over IPv%u (error %d)\n",
			rxe_netns_ip[i].version, err);
	}
	if (err)
		rxe_netns_close(ns);
	ns->open = !err;
	mutex_unlock(&ns->lock);
	return err;
}

static void rxe_netns_unuse(struct rxe_netns *ns)
{
	mutex_lock(&ns->lock);
	if (!--ns->users)
		rxe_netns_close(ns);
	mutex_unlock(&ns->lock);
}

static int __net_init rxe_netns_begin(struct net *net)
{
	struct rxe_netns *ns = net_generic(net, rxe_netns_id);

	ns->net = net;
	mutex_init(&ns->lock);
	atomic_set(&ns->devices, 0);
	return 0;
}

static void __net_exit rxe_netns_end(struct net *net)
{
	struct rxe_netns *ns = net_generic(net, rxe_netns_id);

	while (!wait_event_timeout(rxe_netns_idle, !atomic_read(&ns->devices),
				   10 * HZ))
		pr_warn("waiting for %d devices of a network namespace to go\n",
			atomic_read(&ns->devices));

	mutex_destroy(&ns->lock);
}

static struct pernet_operations rxe_netns_ops = {
	.init = rxe_netns_begin,
	.exit = rxe_netns_end,
	.id = &rxe_netns_id,
	.size = sizeof(struct rxe_netns),
};

static int rxe_netns_get(struct rxe_dev *rxe, struct net_device *ndev)
{
	struct rxe_netns *ns = NULL;

	/* A registered netdev under the RTNL means that the namespace's exit
	 * is not past its netdevs: it will see the device counted.
	 */
	rtnl_lock();
	if (ndev->reg_state == NETREG_REGISTERED) {
		ns = net_generic(dev_net(ndev), rxe_netns_id);
		atomic_inc(&ns->devices);
	}
	rtnl_unlock();
	if (!ns)
		return -ENODEV;

	rxe->netns = ns;
	return rxe_netns_use(ns);
}

/**
 * rxe_netns_put() - a device is about to be freed
 * @rxe: the device; nothing happens when it has no namespace
 *
 * Context: process. Nothing of the device may use the namespace any more.
 */
void rxe_netns_put(struct rxe_dev *rxe)
{
	struct rxe_netns *ns = rxe->netns;

	rxe->netns = NULL;
	if (!ns)
		return;
	rxe_netns_unuse(ns);
	if (atomic_dec_and_test(&ns->devices))
		wake_up_all(&rxe_netns_idle);
}

/**
 * rxe_netns_register() - register a device in the network namespace of its netdev
 * @rxe: the device
 * @ndev: netdev of its port
 * @name: name of the RDMA device
 *
 * Undone by rxe_netns_put(), which ib_dealloc_device() reaches through
 * rxe_dealloc() also when this fails.
 *
 * Context: process, without the RTNL.
 * Return: 0; -ENODEV when the netdev is going; -EEXIST when another RDMA device has the name; or
 * an error. After success another thread may
 * have unregistered the device already.
 */
int rxe_netns_register(struct rxe_dev *rxe, struct net_device *ndev, const char *name)
{
	struct ib_device *dev = &rxe->ib_dev;
	int err = rxe_netns_get(rxe, ndev);

	if (err)
		return err;
	get_device(&dev->dev);
	err = ib_register_device(dev, name, NULL);
	/* What the RDMA subsystem says of a name that is taken. */
	if (err == -ENFILE) {
		pr_err("there is an RDMA device %s already\n", name);
		err = -EEXIST;
	}
	if (!err && ib_device_try_get(dev)) {
		/* A netdev that went or moved before the device could be found
		 * by it told rxe_notify() in vain.
		 */
		rtnl_lock();
		if (ndev->reg_state != NETREG_REGISTERED ||
		    !net_eq(dev_net(ndev), rxe_netns_net(rxe)))
			ib_unregister_device_queued(dev);
		rtnl_unlock();
		ib_device_put(dev);
	}
	put_device(&dev->dev);
	return err;
}

/**
 * rxe_netns_net() - network namespace of a device's port
 * @rxe: a device that is registered, or being so
 *
 * Return: the namespace; it lives at least as long as the device is registered.
 */
struct net *rxe_netns_net(const struct rxe_dev *rxe)
{
	return rxe->netns->net;
}

/**
 * rxe_netns_init() - at module load
 * @encap_rcv: receives the packets
 *
 * Return: 0 or an error.
 */
int rxe_netns_init(int (*encap_rcv)(struct sock *sk, struct sk_buff *skb))
{
	rxe_netns_rcv = encap_rcv;
	return register_pernet_subsys(&rxe_netns_ops);
}

/**
 * rxe_netns_exit() - at module unload, when no device is left
 */
void rxe_netns_exit(void)
{
	unregister_pernet_subsys(&rxe_netns_ops);
}
