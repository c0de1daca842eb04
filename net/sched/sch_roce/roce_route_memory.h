/* SPDX-License-Identifier: GPL-2.0 */
/* Routes of flows, remembered by the device that their packets come in by. */
#ifndef _ROCE_ROUTE_MEMORY_H
#define _ROCE_ROUTE_MEMORY_H

struct sk_buff;

int roce_routes_register(void);
void roce_routes_unregister(void);
void roce_routes_setup(void);
void roce_routes_forget(void);
void roce_route_packet(struct sk_buff *skb);

#endif /* _ROCE_ROUTE_MEMORY_H */
