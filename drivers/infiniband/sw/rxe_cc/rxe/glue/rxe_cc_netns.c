// SPDX-License-Identifier: GPL-2.0
/*
 * Network namespaces for rxe: the UDP sockets that receive RoCEv2.
 *
 * An RDMA device belongs to the network namespace of its port's netdev, for
 * its sockets and routes. (The RDMA subsystem's own idea of namespaces, who may
 * see the device, is another matter.) The sockets of a namespace are made when
 * its first device is, those of the initial one when the module is loaded, as
 * rxe always did; they go with the namespace.
 *
 * A socket of the kernel holds no reference on its namespace, and must not: the
 * namespace could never go while a device is in it. Instead, the namespace's
 * exit waits for its devices. By then all netdevs have left or gone, which has
 * started the removal of their RDMA devices (rxe_notify()), and no verbs
 * context can hold that up (rxe_hook_disassociate()).
 */
#include <linux/rtnetlink.h>
#include <linux/wait.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/udp_tunnel.h>

#include "rxe.h"
#include "rxe_loc.h"

/**
 * struct rxe_netns - rxe's part of a network namespace
 * @net: the namespace
 * @lock: guards the making of sockets
 * @sockets: the sockets; NULL as long as there has been no device
 * @devices: RDMA devices in the namespace; raised under the RTNL
 */
struct rxe_netns {
	struct net *net;
	struct mutex lock;		/* making of sockets */
	struct rxe_recv_sockets sockets;
	atomic_t devices;
};

static unsigned int rxe_netns_id __read_mostly;
static int (*rxe_encap_rcv)(struct sock *sk, struct sk_buff *skb);

/* Not in struct rxe_netns: a waker must not touch that after the last device,
 * since the namespace may be gone at once.
 */
static DECLARE_WAIT_QUEUE_HEAD(rxe_netns_idle);

static struct socket *rxe_netns_listen(struct net *net, u8 family)
{
	struct udp_port_cfg port = {
		.family = family,
		.local_udp_port = htons(ROCE_V2_UDP_DPORT),
		.ipv6_v6only = family == AF_INET6,
	};
	struct udp_tunnel_sock_cfg tunnel = {
		.encap_type = 1,
		.encap_rcv = rxe_encap_rcv,
	};
	struct socket *sock;
	int err;

	err = udp_sock_create(net, &port, &sock);
	if (err)
		return ERR_PTR(err);

	setup_udp_tunnel_sock(net, sock, &tunnel);
	return sock;
}

static void rxe_netns_close(struct rxe_netns *ns)
{
	if (ns->sockets.sk6)
		udp_tunnel_sock_release(ns->sockets.sk6);
	if (ns->sockets.sk4)
		udp_tunnel_sock_release(ns->sockets.sk4);
	ns->sockets.sk6 = NULL;
	ns->sockets.sk4 = NULL;
}

static int rxe_netns_open(struct rxe_netns *ns)
{
	struct socket *sock;
	int err = 0;

	mutex_lock(&ns->lock);
	if (ns->sockets.sk4)
		goto unlock;

	sock = rxe_netns_listen(ns->net, AF_INET);
	if (IS_ERR(sock)) {
		err = PTR_ERR(sock);
		pr_err("Failed to create IPv4 UDP tunnel, err = %d\n", err);
		goto unlock;
	}
	ns->sockets.sk4 = sock;

	if (!IS_ENABLED(CONFIG_IPV6))
		goto unlock;

	sock = rxe_netns_listen(ns->net, AF_INET6);
	if (!IS_ERR(sock)) {
		ns->sockets.sk6 = sock;
	} else if (PTR_ERR(sock) == -EAFNOSUPPORT) {
		pr_warn("IPv6 is not supported, can not create a UDPv6 socket\n");
	} else {
		err = PTR_ERR(sock);
		pr_err("Failed to create IPv6 UDP tunnel, err = %d\n", err);
		rxe_netns_close(ns);
	}

unlock:
	mutex_unlock(&ns->lock);
	return err;
}

static int __net_init rxe_netns_init_net(struct net *net)
{
	struct rxe_netns *ns = net_generic(net, rxe_netns_id);

	ns->net = net;
	mutex_init(&ns->lock);
	atomic_set(&ns->devices, 0);
	return 0;
}

static void __net_exit rxe_netns_exit_net(struct net *net)
{
	struct rxe_netns *ns = net_generic(net, rxe_netns_id);

	while (!wait_event_timeout(rxe_netns_idle, !atomic_read(&ns->devices),
				   10 * HZ))
		pr_warn("waiting for %d devices of a network namespace to go\n",
			atomic_read(&ns->devices));

	rxe_netns_close(ns);
	mutex_destroy(&ns->lock);
}

static struct pernet_operations rxe_netns_ops = {
	.init = rxe_netns_init_net,
	.exit = rxe_netns_exit_net,
	.id = &rxe_netns_id,
	.size = sizeof(struct rxe_netns),
};

/**
 * rxe_netns_get() - a device is about to be registered on a netdev
 * @rxe: the device
 * @ndev: the netdev
 *
 * Opens the sockets of the netdev's namespace if that was not done yet.
 *
 * Context: process, without the RTNL.
 * Return: 0, -ENODEV when the netdev is going, or the error of a socket.
 */
int rxe_netns_get(struct rxe_dev *rxe, struct net_device *ndev)
{
	struct rxe_netns *ns = NULL;
	int err;

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
	err = rxe_netns_open(ns);
	if (err)
		rxe_netns_put(rxe);
	return err;
}

/**
 * rxe_netns_put() - undo rxe_netns_get()
 * @rxe: the device; nothing happens when it has no namespace
 *
 * Context: process. Nothing of the device may use the namespace any more.
 */
void rxe_netns_put(struct rxe_dev *rxe)
{
	struct rxe_netns *ns = rxe->netns;

	rxe->netns = NULL;
	if (ns && atomic_dec_and_test(&ns->devices))
		wake_up_all(&rxe_netns_idle);
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
	int err;

	rxe_encap_rcv = encap_rcv;
	err = register_pernet_subsys(&rxe_netns_ops);
	if (err)
		return err;

	err = rxe_netns_open(net_generic(&init_net, rxe_netns_id));
	if (err)
		unregister_pernet_subsys(&rxe_netns_ops);
	return err;
}

/**
 * rxe_netns_exit() - at module unload, when no device is left
 */
void rxe_netns_exit(void)
{
	unregister_pernet_subsys(&rxe_netns_ops);
}
