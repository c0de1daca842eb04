/* SPDX-License-Identifier: GPL-2.0 */
/* A qdisc's private part, and what its two files share. */
#ifndef _ROCE_SCHED_H
#define _ROCE_SCHED_H

#include <net/pkt_sched.h>

#include "roce_port.h"

struct netlink_ext_ack;
struct nlattr;

/**
 * struct roce_sched - a qdisc's private part
 * @armed_ns: before this time there is nothing to dequeue: @watchdog is set
 *	to it, or it is %ROCE_NEVER. Without either 0.
 * @port: the model
 * @watchdog: for the port's next event
 */
struct roce_sched {
	u64 armed_ns;
	struct roce_port port;
	struct qdisc_watchdog watchdog;
};

extern struct Qdisc_ops roce_qdisc_ops;

int roce_configure(struct Qdisc *sch, struct roce_config *cfg,
		   bool buffer_told, const struct nlattr *blame,
		   struct netlink_ext_ack *extack);

/* roce_netdev.c */
void roce_tap_update(struct roce_port *port, bool wanted);
int roce_netdev_register(void);
void roce_netdev_unregister(void);

#endif /* _ROCE_SCHED_H */
