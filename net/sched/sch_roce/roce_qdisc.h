/* SPDX-License-Identifier: GPL-2.0 */
/* Private data of the roce qdisc, shared by roce_qdisc.c, roce_direct_link.c and others. */
#ifndef _ROCE_QDISC_H
#define _ROCE_QDISC_H

#include <linux/list.h>
#include <net/pkt_sched.h>

#include "roce_port.h"

struct netlink_ext_ack;
struct nlattr;

/**
 * struct roce_link - what roce_direct_link.c knows of a port
 * @slot: its number in the calendar of all of them; 0: none
 * @due: place among those that the timer has found due
 * @gone: it is being destroyed; root lock
 */
struct roce_link {
	unsigned int slot;
	struct list_head due;
	bool gone;
};

/**
 * struct roce_sched - a qdisc's private part
 * @armed_ns: before this time there is nothing to dequeue: @watchdog is set
 *	to it, or it is %ROCE_NEVER. Without either 0.
 * @sch: the qdisc
 * @link: for the port's next event, if it is a direct one
 * @port: the model
 * @watchdog: for the next event, unless it is a direct one
 */
struct roce_sched {
	u64 armed_ns;
	struct Qdisc *sch;
	struct roce_link link;
	struct roce_port port;
	struct qdisc_watchdog watchdog;
};

extern struct Qdisc_ops roce_qdisc_ops;

int roce_configure(struct Qdisc *sch, struct roce_config *cfg,
		   bool buffer_told, const struct nlattr *blame, struct netlink_ext_ack *extack);

struct sk_buff *roce_pop_arrived(struct Qdisc *sch);
void roce_schedule(struct roce_sched *q);

/* roce_direct_link.c */
void roce_links_setup(void);
void roce_links_stop(void);
int roce_link_init(struct roce_sched *q, struct Qdisc *sch);
void roce_link_forget(struct roce_sched *q);
bool roce_link_schedule(struct roce_sched *q, u64 next_ns);
void roce_link_cancel(struct roce_sched *q);
void roce_link_dequeue(struct Qdisc *sch);

/* roce_netdev_notifier.c */
int roce_netdev_register(void);
void roce_netdev_unregister(void);

#endif /* _ROCE_QDISC_H */
