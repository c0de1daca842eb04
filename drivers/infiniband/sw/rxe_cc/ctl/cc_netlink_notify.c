// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast notifications of generic netlink family "rxe_cc", sent under port->mutex.
 */
#include <net/genetlink.h>
#include <rdma/ib_verbs.h>

#include "cc_netlink.h"
#include "cc_netlink_gen.h"

static const struct genl_family *rxe_cc_family;

void rxe_cc_notify(struct rxe_cc_port *port, u8 cmd, rxe_cc_fill_fn fill, void *obj)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE * 4, GFP_KERNEL);
	void *hdr;

	if (!skb)
		return;
	hdr = genlmsg_put(skb, 0, 0, rxe_cc_family, 0, cmd);
	if (!hdr || fill(skb, obj)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, hdr);
	genlmsg_multicast_netns(rxe_cc_family, read_pnet(&port->ibdev->coredev.rdma_net), skb,
				0, RXE_CC_NLGRP_MONITOR, GFP_KERNEL);
}

static void rxe_cc_notify_port(struct rxe_cc_port *port, u8 cmd)
{
	rxe_cc_notify(port, cmd, rxe_cc_fill_port, port);
}

/* Before there is a port. Who is called for a request of @family may not name it. */
void rxe_cc_notify_init(const struct genl_family *family)
{
	rxe_cc_family = family;
	rxe_cc_port_watch(rxe_cc_notify_port);
}
