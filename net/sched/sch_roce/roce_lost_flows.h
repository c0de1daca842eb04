/* SPDX-License-Identifier: GPL-2.0 */
/* Which flows a port's link has lost packets of, for the lab (roce_watch.ko). */
#ifndef _ROCE_LOST_FLOWS_H
#define _ROCE_LOST_FLOWS_H

#include <linux/types.h>
#include <uapi/linux/roce_watch.h>

struct roce_port;
struct sk_buff;

/**
 * struct roce_lost_flows - queue pairs that lost packets were for
 * @flow: them; some may be there twice until roce_lost_flows_compact()
 * @nr: entries of @flow
 * @sorted: so many of the first are in order
 * @room: there is room for
 * @more: there were others, and no room
 */
struct roce_lost_flows {
	struct roce_watch_lost_flow *flow;
	u32 nr;
	u32 sorted;
	u32 room;
	bool more;
};

void roce_lost_flows_note(struct roce_lost_flows *lost, const struct roce_port *port,
			  const struct sk_buff *skb);
void roce_lost_flows_add(struct roce_lost_flows *lost, const struct roce_watch_lost_flow *flow);
void roce_lost_flows_compact(struct roce_lost_flows *lost);
void roce_lost_flows_free(struct roce_lost_flows *lost);

#endif /* _ROCE_LOST_FLOWS_H */
