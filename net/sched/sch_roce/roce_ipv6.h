/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routes and neighbours of IPv6, which is a module of its own in some kernels, reached by
 * stubs, and in later ones a part of the kernel.
 */
#ifndef ROCE_IPV6_H
#define ROCE_IPV6_H

#include <net/ipv6.h>
#include <net/ndisc.h>

#if __has_include(<net/ipv6_stubs.h>)
#include <net/ipv6_stubs.h>

static inline struct dst_entry *roce_ipv6_route(struct net *net, struct flowi6 *fl6)
{
	return ipv6_stub->ipv6_dst_lookup_flow(net, NULL, fl6, NULL);
}

static inline struct neighbour *roce_ipv6_neighbour(struct net_device *dev, const void *addr)
{
	return __ipv6_neigh_lookup_noref_stub(dev, addr);
}

/* NULL: no IPv6. */
static inline struct neigh_table *roce_ipv6_neighbours(void)
{
	return IS_ENABLED(CONFIG_IPV6) ? ipv6_stub->nd_tbl : NULL;
}
#else
static inline struct dst_entry *roce_ipv6_route(struct net *net, struct flowi6 *fl6)
{
	return ip6_dst_lookup_flow(net, NULL, fl6, NULL);
}

static inline struct neighbour *roce_ipv6_neighbour(struct net_device *dev, const void *addr)
{
	return IS_ENABLED(CONFIG_IPV6) ? __ipv6_neigh_lookup_noref(dev, addr) : NULL;
}

static inline struct neigh_table *roce_ipv6_neighbours(void)
{
	return IS_ENABLED(CONFIG_IPV6) && ipv6_mod_enabled() ? &nd_tbl : NULL;
}
#endif

#endif /* ROCE_IPV6_H */
