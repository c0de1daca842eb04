/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Network namespaces of RDMA devices.
 */
#ifndef RXE_NETNS_H
#define RXE_NETNS_H

struct net;
struct net_device;
struct rxe_dev;
struct sk_buff;
struct sock;

int rxe_netns_init(int (*encap_rcv)(struct sock *sk, struct sk_buff *skb));
void rxe_netns_exit(void);
int rxe_netns_register(struct rxe_dev *rxe, struct net_device *ndev, const char *name);
void rxe_netns_put(struct rxe_dev *rxe);
struct net *rxe_netns_net(const struct rxe_dev *rxe);

#endif /* RXE_NETNS_H */
