/* SPDX-License-Identifier: GPL-2.0 */
/* Figures of ports: the qdiscs `roce` of network namespaces. */
#ifndef RXECC_ROCE_PORTS_H
#define RXECC_ROCE_PORTS_H

#include <net/if.h>

#include "rxecc.h"

/**
 * struct roce_port - figures of a port
 * @netns: named network namespace that it is in; "" for that of this process
 * @name: network device
 * @ifindex: of @name
 * @rate_bps: line rate
 * @tx_wire_bytes: sent
 * @queue_bytes: waiting, all priorities
 * @marked: packets that it marked CE
 * @drops: packets lost here, or on the link behind it
 * @pause_ns: time for which PFC stopped priorities, summed over them
 * @pfc_tx: PFC frames sent
 */
struct roce_port {
	char netns[64];
	char name[IF_NAMESIZE];
	u32 ifindex;
	u64 rate_bps;
	u64 tx_wire_bytes;
	u64 queue_bytes;
	u64 marked;
	u64 drops;
	u64 pause_ns;
	u64 pfc_tx;
};

struct roce_ports {
	struct roce_port *v;
	size_t n;
};

/**
 * roce_ports_read() - figures of all ports
 * @rx: context
 * @all: also those of all named network namespaces ("ip netns list")
 * @ports: for free() of its list, after a failure too
 *
 * Return: RX_OK, or RX_KERNEL after telling why.
 */
int roce_ports_read(struct rxecc *rx, bool all, struct roce_ports *ports);

/* The port in @ports that @like is; NULL: none. */
const struct roce_port *roce_port_find(const struct roce_ports *ports,
				       const struct roce_port *like);

/* Adds the ports of a dump; for tests. */
void roce_ports_add(struct roce_ports *ports, const struct nlmsghdr *nlh, const char *netns);

#endif
