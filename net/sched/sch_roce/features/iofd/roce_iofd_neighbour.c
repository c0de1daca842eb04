// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the MAC address of the neighbour behind a port, for packets that in-order flow
 * deflection (IOFD) sends there. A deflected packet has no route by that port, and so no gateway
 * whose address could be looked up. But a link between two routers has one neighbour, whichever
 * of its addresses is known. So all entries of the neighbour tables for the device must have the
 * same MAC address. If there is none, or several, nothing is sent there. No address resolution
 * is started, and nothing is flooded.
 *
 * The tables are searched once in ROCE_IOFD_ASK_NS for a port that a packet is to be sent
 * to. Until then a changed address is not noticed. The lock of a table is taken within
 * that of the switch; code that holds a table's lock sends no packet.
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <net/arp.h>
#include <net/neighbour.h>

#include "roce_iofd.h"
#include "roce_ipv6.h"

#define ROCE_IOFD_ASK_NS	(100ULL * NSEC_PER_MSEC)

/* What a walk has found. */
struct roce_iofd_walk {
	const struct net_device *dev;
	unsigned int found;
	u8 mac[ETH_ALEN];
};

/* Under the table's lock. */
static void roce_iofd_visit(struct neighbour *n, void *cookie)
{
	struct roce_iofd_walk *walk = cookie;
	u8 state = READ_ONCE(n->nud_state);
	u8 mac[MAX_ADDR_LEN];

	if (n->dev != walk->dev || !(state & NUD_VALID) || state & NUD_NOARP)
		return;
	neigh_ha_snapshot(mac, n, walk->dev);
	if (!is_valid_ether_addr(mac) || (walk->found && ether_addr_equal(walk->mac, mac)))
		return;
	walk->found++;
	ether_addr_copy(walk->mac, mac);
}

static void roce_iofd_ask(const struct roce_port *port, struct roce_iofd_port *m)
{
	struct roce_iofd_walk walk = { .dev = port->dev };
	struct neigh_table *ipv6 = roce_ipv6_neighbours();

	if (port->dev->type == ARPHRD_ETHER) {
		neigh_for_each(&arp_tbl, roce_iofd_visit, &walk);
		if (ipv6)
			neigh_for_each(ipv6, roce_iofd_visit, &walk);
	}
	m->known = walk.found == 1;
	ether_addr_copy(m->mac, walk.mac);
}

/**
 * roce_iofd_next_hop - find the neighbour behind a port
 * @port: port
 * @m: its state of IOFD, in which @known and @mac are then valid
 * @now_ns: present time
 *
 * Return: true when there is exactly one.
 */
bool roce_iofd_next_hop(const struct roce_port *port, struct roce_iofd_port *m, u64 now_ns)
{
	if (port->dev && now_ns >= m->ask_ns) {
		roce_iofd_ask(port, m);
		m->ask_ns = now_ns + ROCE_IOFD_ASK_NS;
	}
	return m->known;
}
