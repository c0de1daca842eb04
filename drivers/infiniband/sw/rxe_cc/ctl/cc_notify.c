// SPDX-License-Identifier: GPL-2.0
/*
 * Notifications of generic netlink family "rxe_cc", under port->mutex.
 */
#include <linux/slab.h>
#include <net/genetlink.h>
#include <rdma/ib_verbs.h>

#include "cc_netlink.h"
#include "cc_netlink_gen.h"

static const struct genl_family *rxe_cc_family;

/**
 * rxe_cc_notify_init() - before there is a port
 * @family: the family; who is called for a request of it may not name it
 *
 * Context: process.
 */
void rxe_cc_notify_init(const struct genl_family *family)
{
	rxe_cc_family = family;
	rxe_cc_port_watch(rxe_cc_notify_port);
}

static void rxe_cc_multicast(struct rxe_cc_port *port, struct sk_buff *skb)
{
	genlmsg_multicast_netns(rxe_cc_family,
				read_pnet(&port->ibdev->coredev.rdma_net), skb,
				0, RXE_CC_NLGRP_MONITOR, GFP_KERNEL);
}

void rxe_cc_notify_port(struct rxe_cc_port *port, u8 cmd)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE * 4, GFP_KERNEL);
	void *hdr;

	if (!skb)
		return;
	hdr = genlmsg_put(skb, 0, 0, rxe_cc_family, 0, cmd);
	if (!hdr || rxe_cc_fill_port(skb, port)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, hdr);
	rxe_cc_multicast(port, skb);
}

void rxe_cc_notify_qp(struct rxe_cc_qp *qp)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	struct rxe_cc_qp_snapshot *snap = kmalloc(sizeof(*snap), GFP_KERNEL);
	void *hdr;

	if (!skb || !snap)
		goto out;
	hdr = genlmsg_put(skb, 0, 0, rxe_cc_family, 0, RXE_CC_CMD_QP_NTF);
	if (!hdr || rxe_cc_fill_qp(skb, qp, snap))
		goto out;
	genlmsg_end(skb, hdr);
	rxe_cc_multicast(qp->port, skb);
	skb = NULL;
out:
	kfree(snap);
	nlmsg_free(skb);
}
