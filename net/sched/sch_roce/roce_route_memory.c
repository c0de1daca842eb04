// SPDX-License-Identifier: GPL-2.0
/*
 * Remembers the route of each flow that a direct link brings to a host or router, so that only
 * a flow's first packet is looked up.
 *
 * In a fabric of namespaces each packet is routed at each hop, and the look-up in the tables of
 * the namespace is a good part of what a hop costs. Its result depends on the device and the
 * header alone. So it is done before the packet enters the stack, and kept; a packet that has a
 * route already is not looked up by the stack (ip_rcv_finish_core()). All else is the stack's
 * as ever: checks of the header, TTL, taps, hooks, counters, the neighbour.
 *
 * A route that is kept is asked before each use whether it still holds. That covers whatever
 * makes the kernel itself forget routes: changes of routes, rules, addresses, links,
 * forwarding, "ip route flush cache". A change of how paths are chosen by hash does not, so the
 * kernel's notice of it makes us forget everything; so does a device that goes away. A change
 * of rp_filter holds for flows that are not remembered yet.
 *
 * Not remembered: what may be another packet by the time it is routed (bridge, VRF, XDP, tc
 * ingress, PREROUTING), or is routed on another CPU (RPS); and packets for whose route more than
 * addresses, ports and TOS may count (marks, a hash that the sending socket chose, IP options,
 * fragments, hash over inner headers). A forged flow pushes out another one, which is then
 * looked up as it would be without this.
 */
#include <linux/hash.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/netevent.h>
#include <net/route.h>
#include <net/rps.h>

#include "roce_route_memory.h"

/* A flow, and the route of its packets. A bucket of two is a line of cache. */
struct roce_route {
	struct net_device *dev;		/* it comes in by; never followed */
	struct dst_entry *dst;		/* NULL: free */
	__be32 saddr;
	__be32 daddr;
	u32 ports;
	u32 tos;
};

#define ROCE_ROUTE_BITS		14
#define ROCE_ROUTE_WAYS		2

struct roce_route_bucket {
	struct roce_route way[ROCE_ROUTE_WAYS];
};

/*
 * @lock: protects the rest; bottom halves off
 * @buckets: by hash, the flow seen last first; NULL until a port is direct, and without memory
 * @used: there may be one to forget
 */
static struct {
	spinlock_t lock;	/* bottom halves off */
	struct roce_route_bucket *buckets;
	bool used;
} roce_routes;

/* May what comes in by this device be changed, go elsewhere or wait before it is routed? */
static bool roce_route_may_divert(const struct net_device *dev)
{
#ifdef CONFIG_RPS
	if (static_branch_unlikely(&rps_needed))
		return true;
#endif
	if (rcu_access_pointer(dev->rx_handler) || rcu_access_pointer(dev->xdp_prog) ||
	    netif_is_l3_slave(dev))
		return true;
#ifdef CONFIG_NET_XGRESS
	if (rcu_access_pointer(dev->tcx_ingress))
		return true;
#endif
#ifdef CONFIG_NETFILTER_INGRESS
	if (rcu_access_pointer(dev->nf_hooks_ingress))
		return true;
#endif
#ifdef CONFIG_NETFILTER
	if (rcu_access_pointer(dev_net(dev)->nf.hooks_ipv4[NF_INET_PRE_ROUTING]))
		return true;
#endif
	return false;
}

/* The flow of a packet at its network header; false if it has none to remember. */
static bool roce_route_flow(const struct sk_buff *skb, struct roce_route *flow)
{
	const struct iphdr *iph = (const struct iphdr *)skb->data;
	const struct udphdr *udp = (const struct udphdr *)(iph + 1);

	if (skb->protocol != htons(ETH_P_IP) || skb->pkt_type != PACKET_HOST ||
	    skb->mark || skb->l4_hash || skb_dst(skb) || skb_vlan_tag_present(skb) ||
	    skb_headlen(skb) < sizeof(*iph) + sizeof(*udp))
		return false;
	if (iph->version != 4 || iph->ihl != 5 || iph->protocol != IPPROTO_UDP ||
	    ip_is_fragment(iph) || roce_route_may_divert(skb->dev))
		return false;

	flow->dev = skb->dev;
	flow->saddr = iph->saddr;
	flow->daddr = iph->daddr;
	flow->ports = (__force u32)udp->source << 16 | (__force u32)udp->dest;
	flow->tos = iph->tos;
	return true;
}

static bool roce_route_is(const struct roce_route *route, const struct roce_route *flow)
{
	return route->dev == flow->dev && route->saddr == flow->saddr &&
	       route->daddr == flow->daddr && route->ports == flow->ports &&
	       route->tos == flow->tos && route->dst;
}

static struct roce_route_bucket *roce_route_bucket(const struct roce_route *flow)
{
	u64 addrs = (__force u64)flow->saddr << 32 | (__force u32)flow->daddr;
	u64 rest = (unsigned long)flow->dev ^ (u64)flow->ports << 32 ^ flow->tos;

	/* All 64 bits of the product: hash_64() returns 32, in which the ports have no part. */
	return &roce_routes.buckets[hash_64(addrs ^ rest * GOLDEN_RATIO_64, ROCE_ROUTE_BITS)];
}

/* The stack's own look-up. Returns the route if it is one to keep; the packet has it then,
 * and else has none: the stack will say what is wrong with it.
 */
static struct dst_entry *roce_route_look_up(struct sk_buff *skb, const struct roce_route *flow)
{
	const struct netns_ipv4 *ipv4 = &dev_net(skb->dev)->ipv4;
	const struct rtable *rt;

#ifdef CONFIG_IP_ROUTE_MULTIPATH
	if (READ_ONCE(ipv4->sysctl_fib_multipath_hash_policy) > 1 ||
	    READ_ONCE(ipv4->sysctl_fib_multipath_use_neigh))
		return NULL;
#endif
	/* Where it goes out as it came in, the look-up leaves a note that the stack would wipe. */
	memset(IPCB(skb), 0, sizeof(*IPCB(skb)));
	if (ip_route_input_noref(skb, flow->daddr, flow->saddr, flow->tos, skb->dev))
		return NULL;
	rt = skb_rtable(skb);
	if ((rt->rt_type == RTN_UNICAST || rt->rt_type == RTN_LOCAL) &&
	    !(IPCB(skb)->flags & IPSKB_DOREDIRECT) && dst_hold_safe(skb_dst(skb)))
		return skb_dst(skb);
	skb_dst_drop(skb);
	return NULL;
}

/**
 * roce_route_packet - give a packet the route that its flow has, before the stack gets it
 * @skb: packet that comes in, at its network header
 *
 * Context: bottom halves off, RCU, which also holds the route while the stack has the packet.
 */
void roce_route_packet(struct sk_buff *skb)
{
	struct roce_route_bucket *bucket;
	struct roce_route flow, last;
	int i;

	if (!READ_ONCE(roce_routes.buckets) || !roce_route_flow(skb, &flow))
		return;

	spin_lock(&roce_routes.lock);
	bucket = roce_route_bucket(&flow);
	for (i = 0; i < ROCE_ROUTE_WAYS; i++) {
		if (roce_route_is(&bucket->way[i], &flow) && dst_check(bucket->way[i].dst, 0)) {
			skb_dst_set_noref(skb, bucket->way[i].dst);
			goto out;
		}
	}
	flow.dst = roce_route_look_up(skb, &flow);
	if (!flow.dst)
		goto out;
	last = bucket->way[ROCE_ROUTE_WAYS - 1];
	memmove(&bucket->way[1], &bucket->way[0], sizeof(last) * (ROCE_ROUTE_WAYS - 1));
	bucket->way[0] = flow;
	roce_routes.used = true;
	dst_release(last.dst);
out:
	spin_unlock(&roce_routes.lock);
}

/**
 * roce_routes_forget - all flows are to be looked up again
 *
 * Context: process or bottom half.
 */
void roce_routes_forget(void)
{
	struct roce_route *route;
	int i;

	spin_lock_bh(&roce_routes.lock);
	for (i = 0; roce_routes.used && i < ROCE_ROUTE_WAYS << ROCE_ROUTE_BITS; i++) {
		route = &roce_routes.buckets[i / ROCE_ROUTE_WAYS].way[i % ROCE_ROUTE_WAYS];
		dst_release(route->dst);
		route->dst = NULL;
	}
	roce_routes.used = false;
	spin_unlock_bh(&roce_routes.lock);
}

/**
 * roce_routes_setup - a port is direct: remember routes from now on
 *
 * Where there is no memory for it all packets are looked up by the stack.
 *
 * Context: RTNL, may sleep.
 */
void roce_routes_setup(void)
{
	struct roce_route_bucket *buckets;

	if (roce_routes.buckets)
		return;
	buckets = kvcalloc(BIT(ROCE_ROUTE_BITS), sizeof(*buckets), GFP_KERNEL | __GFP_NOWARN);
	spin_lock_bh(&roce_routes.lock);
	WRITE_ONCE(roce_routes.buckets, buckets);
	spin_unlock_bh(&roce_routes.lock);
}

static int roce_route_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	if (event == NETEVENT_IPV4_MPATH_HASH_UPDATE)
		roce_routes_forget();
	return NOTIFY_DONE;
}

static struct notifier_block roce_route_notifier = {
	.notifier_call = roce_route_event,
};

/**
 * roce_routes_register - ask for notices of what dst_check() does not know
 *
 * Before there are ports.
 *
 * Return: 0 or a negative error.
 */
int roce_routes_register(void)
{
	spin_lock_init(&roce_routes.lock);
	return register_netevent_notifier(&roce_route_notifier);
}

/**
 * roce_routes_unregister - when there are no ports any more, and no packets of theirs
 */
void roce_routes_unregister(void)
{
	unregister_netevent_notifier(&roce_route_notifier);
	roce_routes_forget();
	kvfree(roce_routes.buckets);
}
