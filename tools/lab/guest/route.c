// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: who reaches whom through which port.
 *
 * Bridges get a static forwarding entry for every host, so that nothing is
 * ever flooded. Routers get a route for every host of their own and for every
 * other router's subnet over all shortest paths, neighbouring subnets with the
 * same paths in one route. Neighbours are permanent: no ARP, whose timers are
 * random.
 */
#include <arpa/inet.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "guest/topo.h"

#define DIST_NONE	(1 << 30)

/* Next hop between routers and from hosts to them; never seen in a packet. */
#define GATEWAY_ADDR	0x0afe0000	/* 10.254.0.0 + port id */

/* A router's hosts, and the way there from the router that is being set up. */
struct subnet {
	struct node *router;
	uint32_t base;			/* host order */
	int bits;
	int set;			/* which set of next hops, or SET_* */
};

/*
 * Distances from all nodes to all subnets, and the sets of next hops of one
 * router. Few sets differ: those down to one router, and the one up.
 */
struct routing {
	struct topo *t;
	struct node **queue;
	struct subnet *nets;
	int n_nets;
	int *dist;			/* [net][node] */
	bool *sets;			/* [set][port] */
	int n_sets;
	int n_routes, n_routers;
	bool again;			/* others take the place of those that are there */
	bool apart;			/* of one router: it does not reach all subnets any more */
};

#define SET_OWN		(-1)
#define SET_NONE	(-2)		/* no way there */

/* Distances to @to over switches; hosts do not forward. */
static void distances(struct topo *t, struct node *to, struct node **queue)
{
	int head = 0, tail = 0, i;

	for (i = 0; i < t->n_nodes; i++)
		t->nodes[i].dist = DIST_NONE;
	to->dist = 0;
	queue[tail++] = to;
	while (head < tail) {
		struct node *n = queue[head++];

		if (n != to && n->kind == NODE_HOST)
			continue;
		for (i = 0; i < n->n_ports; i++) {
			struct node *m = n->ports[i]->peer->node;

			if (m->dist != DIST_NONE || n->ports[i]->down)
				continue;
			m->dist = n->dist + 1;
			queue[tail++] = m;
		}
	}
}

static int neigh_add(struct nl *rt, int ifindex, uint32_t addr, const uint8_t *mac)
{
	struct nlmsghdr *nlh = nl_msg(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE);
	struct ndmsg *ndm = mnl_nlmsg_put_extra_header(nlh, sizeof(*ndm));

	ndm->ndm_family = AF_INET;
	ndm->ndm_ifindex = ifindex;
	ndm->ndm_state = NUD_PERMANENT;
	mnl_attr_put_u32(nlh, NDA_DST, addr);
	mnl_attr_put(nlh, NDA_LLADDR, MAC_LEN, mac);
	return nl_talk(rt, nlh, NULL, NULL, "neighbour");
}

static int fdb_add(struct port *p, const uint8_t *mac)
{
	struct nlmsghdr *nlh = nl_msg(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE);
	struct ndmsg *ndm = mnl_nlmsg_put_extra_header(nlh, sizeof(*ndm));

	ndm->ndm_family = AF_BRIDGE;
	ndm->ndm_ifindex = p->ifindex;
	ndm->ndm_state = NUD_NOARP;
	ndm->ndm_flags = NTF_MASTER;
	mnl_attr_put(nlh, NDA_LLADDR, MAC_LEN, mac);
	return nl_talk(&p->node->rt, nlh, NULL, NULL, "bridge forwarding entry");
}

static uint32_t gateway_of(const struct port *p)
{
	return htonl(GATEWAY_ADDR + p->peer->id);
}

static struct nlmsghdr *route_change(uint16_t type, uint16_t flags, uint32_t dst, int prefix,
				     uint8_t scope)
{
	struct nlmsghdr *nlh = nl_msg(type, flags);
	struct rtmsg *rtm = mnl_nlmsg_put_extra_header(nlh, sizeof(*rtm));

	rtm->rtm_family = AF_INET;
	rtm->rtm_dst_len = prefix;
	rtm->rtm_table = RT_TABLE_MAIN;
	rtm->rtm_protocol = RTPROT_STATIC;
	rtm->rtm_scope = scope;
	rtm->rtm_type = RTN_UNICAST;
	if (prefix)
		mnl_attr_put_u32(nlh, RTA_DST, dst);
	return nlh;
}

static struct nlmsghdr *route_msg(uint32_t dst, int prefix, uint8_t scope)
{
	return route_change(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, dst, prefix, scope);
}

/* Towards one router. */
static void put_gateway(struct nlmsghdr *nlh, const struct port *p)
{
	struct rtmsg *rtm = mnl_nlmsg_get_payload(nlh);

	rtm->rtm_flags |= RTNH_F_ONLINK;
	mnl_attr_put_u32(nlh, RTA_OIF, p->ifindex);
	mnl_attr_put_u32(nlh, RTA_GATEWAY, gateway_of(p));
}

/* Like mnl_attr_put_*(), but for the next hops of RTA_MULTIPATH. */
static void put_next_hop(struct nlmsghdr *nlh, const struct port *p)
{
	struct rtnexthop *nh = mnl_nlmsg_get_payload_tail(nlh);

	memset(nh, 0, sizeof(*nh));
	nh->rtnh_ifindex = p->ifindex;
	nh->rtnh_flags = RTNH_F_ONLINK;
	nlh->nlmsg_len += sizeof(*nh);
	mnl_attr_put_u32(nlh, RTA_GATEWAY, gateway_of(p));
	nh->rtnh_len = (char *)mnl_nlmsg_get_payload_tail(nlh) - (char *)nh;
}

static int route_to_hosts(struct routing *r, struct node *n)
{
	struct nlmsghdr *nlh;
	int i;

	for (i = 0; i < n->n_ports; i++) {
		struct port *p = n->ports[i], *peer = p->peer;

		if (peer->node->kind != NODE_HOST)
			continue;
		nlh = route_msg(peer->node->addr.s_addr, 32, RT_SCOPE_LINK);
		mnl_attr_put_u32(nlh, RTA_OIF, p->ifindex);
		if (nl_talk(&n->rt, nlh, NULL, NULL, "route") ||
		    neigh_add(&n->rt, p->ifindex, peer->node->addr.s_addr, peer->mac))
			return -1;
		r->n_routes++;
	}
	return 0;
}

/* Addresses base/bits over one set of next hops. */
static int route_over(struct routing *r, struct node *n, uint32_t base, int bits, int set)
{
	const bool *member = &r->sets[set * n->n_ports];
	struct port *only = NULL;
	struct nlmsghdr *nlh;
	struct nlattr *multi;
	int i, hops = 0;

	for (i = 0; i < n->n_ports; i++) {
		if (!member[i])
			continue;
		only = n->ports[i];
		hops++;
	}
	nlh = route_change(RTM_NEWROUTE, NLM_F_CREATE | (r->again ? NLM_F_REPLACE : NLM_F_EXCL),
			   htonl(base), bits, RT_SCOPE_UNIVERSE);
	if (hops == 1) {
		put_gateway(nlh, only);
	} else {
		multi = mnl_attr_nest_start(nlh, RTA_MULTIPATH);
		for (i = 0; i < n->n_ports; i++)
			if (member[i])
				put_next_hop(nlh, n->ports[i]);
		mnl_attr_nest_end(nlh, multi);
	}
	r->n_routes++;
	n->routes = xrealloc(n->routes, (n->n_routes + 1) * sizeof(*n->routes));
	n->routes[n->n_routes++] = (struct route){ base, bits };
	return nl_talk(&n->rt, nlh, NULL, NULL, "route");
}

/* The set of next hops of @n towards a subnet: one that is known, or a new one. */
static int next_hops(struct routing *r, struct node *n, int net)
{
	const int *dist = &r->dist[net * r->t->n_nodes];
	bool *set = &r->sets[r->n_sets * n->n_ports];
	int self = n - r->t->nodes, i, hops = 0;

	for (i = 0; i < n->n_ports; i++) {
		struct node *peer = n->ports[i]->peer->node;

		set[i] = peer->kind == NODE_ROUTER && !n->ports[i]->down &&
			 dist[peer - r->t->nodes] == dist[self] - 1;
		hops += set[i];
	}
	if (!hops && r->again) {
		r->apart = true;
		return SET_NONE;
	}
	if (!hops)
		return fail("%s cannot reach %s", n->name, r->nets[net].router->name);
	for (i = 0; memcmp(&r->sets[i * n->n_ports], set, n->n_ports * sizeof(*set)); i++)
		;
	if (i == r->n_sets)
		r->n_sets++;
	return i;
}

/*
 * Routes for the @n_nets subnets that lie in base/bits: one if they fill it and
 * share their next hops, else those of its halves. Exact: an address that
 * nobody has is never covered.
 */
static int route_block(struct routing *r, struct node *n, uint32_t base, int bits, int first,
		       int n_nets)
{
	uint64_t size, covered = 0;
	bool same = true;
	int i, split;

	if (!n_nets)
		return 0;
	if (bits > 32)
		return fail("%s: subnets of switches overlap", r->nets[first].router->name);
	size = 1ULL << (32 - bits);
	for (i = first; i < first + n_nets; i++) {
		covered += 1ULL << (32 - r->nets[i].bits);
		same &= r->nets[i].set == r->nets[first].set;
	}
	if (same && covered == size)
		return r->nets[first].set < 0 ? 0 : route_over(r, n, base, bits,
							       r->nets[first].set);
	for (split = first; split < first + n_nets; split++)
		if (r->nets[split].base >= base + size / 2)
			break;
	return route_block(r, n, base, bits + 1, first, split - first) ||
	       route_block(r, n, base + size / 2, bits + 1, split, first + n_nets - split) ? -1 : 0;
}

static bool has_route(const struct node *n, const struct route *of)
{
	int i;

	for (i = 0; i < n->n_routes; i++)
		if (n->routes[i].base == of->base && n->routes[i].bits == of->bits)
			return true;
	return false;
}

/* Those that no other has taken the place of. Where there is no way they stay: packets are lost on
 * the link that is down.
 */
static int remove_old(struct routing *r, struct node *n, const struct route *old, int n_old)
{
	struct nlmsghdr *nlh;
	int i;

	for (i = 0; i < n_old && !r->apart; i++) {
		if (has_route(n, &old[i]))
			continue;
		nlh = route_change(RTM_DELROUTE, 0, htonl(old[i].base), old[i].bits,
				   RT_SCOPE_NOWHERE);
		if (nl_talk(&n->rt, nlh, NULL, NULL, "old route"))
			return -1;
	}
	for (i = 0; i < n_old && r->apart; i++) {
		if (has_route(n, &old[i]))
			continue;
		n->routes = xrealloc(n->routes, (n->n_routes + 1) * sizeof(*n->routes));
		n->routes[n->n_routes++] = old[i];
	}
	return 0;
}

static int router_build(struct routing *r, struct node *n)
{
	struct route *old = n->routes;
	int i, rc = 0, n_old = n->n_routes;

	n->routes = NULL;
	n->n_routes = 0;
	r->apart = false;

	r->sets = xcalloc((r->n_nets + 1) * n->n_ports, sizeof(*r->sets));
	r->n_sets = 0;
	for (i = 0; i < r->n_nets && !rc; i++) {
		r->nets[i].set = r->nets[i].router == n ? SET_OWN : next_hops(r, n, i);
		rc = r->nets[i].set < 0 && r->nets[i].set != SET_OWN && !r->again;
	}
	if (!rc)
		rc = (!r->again && route_to_hosts(r, n)) ||
		     route_block(r, n, 0, 0, 0, r->n_nets) || remove_old(r, n, old, n_old);
	free(old);
	free(r->sets);
	r->n_routers++;
	return rc ? -1 : 0;
}

/* Subnets come in ascending order, each aligned to its size. */
static void find_subnets(struct routing *r)
{
	struct topo *t = r->t;
	int i, k;

	r->nets = xcalloc(t->n_nodes, sizeof(*r->nets));
	for (i = 0; i < t->n_nodes; i++) {
		struct subnet *net = &r->nets[r->n_nets];

		if (t->nodes[i].kind != NODE_ROUTER || !t->nodes[i].subnet_bits)
			continue;
		net->router = &t->nodes[i];
		net->base = ntohl(t->nodes[i].addr.s_addr);
		net->bits = t->nodes[i].subnet_bits;
		r->n_nets++;
	}
	r->dist = xcalloc((r->n_nets + 1) * t->n_nodes, sizeof(*r->dist));
	for (i = 0; i < r->n_nets; i++) {
		distances(t, r->nets[i].router, r->queue);
		for (k = 0; k < t->n_nodes; k++)
			r->dist[i * t->n_nodes + k] = t->nodes[k].dist;
	}
}

static int routers_build(struct routing *r)
{
	int i, rc = 0;

	find_subnets(r);
	for (i = 0; i < r->t->n_nodes && !rc; i++)
		if (r->t->nodes[i].here && r->t->nodes[i].kind == NODE_ROUTER)
			rc = router_build(r, &r->t->nodes[i]);
	if (r->n_routers && !r->again)
		mark("routes %d in %d routers", r->n_routes, r->n_routers);
	free(r->nets);
	free(r->dist);
	return rc;
}

static int bridge_entry(struct topo *t, struct node *n, struct node *host)
{
	struct port *next = NULL;
	int i;

	for (i = 0; i < n->n_ports; i++) {
		if (n->ports[i]->peer->node->dist != n->dist - 1)
			continue;
		t->refused |= !!next;
		if (next)
			return fail("%s has several paths to %s: bridges must form a tree",
				    n->name, host->name);
		next = n->ports[i];
	}
	return next ? fdb_add(next, host->ports[0]->mac) :
		      fail("%s cannot reach %s", n->name, host->name);
}

static int bridges_build(struct routing *r)
{
	struct topo *t = r->t;
	int h, i, rc = 0;

	for (h = 0; h < t->n_nodes && !rc; h++) {
		if (t->nodes[h].kind != NODE_HOST)
			continue;
		distances(t, &t->nodes[h], r->queue);
		for (i = 0; i < t->n_nodes && !rc; i++)
			if (t->nodes[i].here && t->nodes[i].kind == NODE_BRIDGE)
				rc = bridge_entry(t, &t->nodes[i], &t->nodes[h]);
	}
	return rc;
}

/* Routers know each other's ports, hosts know their router's, as gateways. */
static int gateway_neighbours(struct port *p)
{
	struct nlmsghdr *nlh;

	if (!p->node->here || p->peer->node->kind != NODE_ROUTER)
		return 0;
	if (p->node->kind == NODE_BRIDGE)
		return fail("link %s-%s: bridges and routers do not mix", p->node->name,
			    p->peer->node->name);
	if (neigh_add(&p->node->rt, p->ifindex, gateway_of(p), p->peer->mac))
		return -1;
	if (p->node->kind != NODE_HOST || p != p->node->ports[0])
		return 0;
	nlh = route_msg(0, 0, RT_SCOPE_UNIVERSE);
	put_gateway(nlh, p);
	return nl_talk(&p->node->rt, nlh, NULL, NULL, "default route");
}

/* On one L2 segment: hosts that talk know each other's MAC address. */
static int peer_neighbours(struct node *a, struct node *b)
{
	if (a == b || a->ports[0]->peer->node->kind == NODE_ROUTER)
		return 0;
	if (a->here &&
	    neigh_add(&a->rt, a->ports[0]->ifindex, b->addr.s_addr, b->ports[0]->mac))
		return -1;
	return b->here ?
	       neigh_add(&b->rt, b->ports[0]->ifindex, a->addr.s_addr, a->ports[0]->mac) : 0;
}

static int all_peers(struct topo *t, struct json_object *peers)
{
	size_t i;

	for (i = 0; i < js_len(peers); i++) {
		struct json_object *pair = js_at(peers, i);
		struct node *n[2];
		int k;

		for (k = 0; k < 2; k++) {
			const char *name;

			name = json_object_get_string(js_at(pair, k));
			n[k] = topo_node(t, name ? name : "");
			if (!n[k] || n[k]->kind != NODE_HOST)
				return fail("peers: no host \"%s\"", name ? name : "");
		}
		if (peer_neighbours(n[0], n[1]))
			return -1;
	}
	return 0;
}

/**
 * route_build() - forwarding tables, routes and neighbours
 * @t: topology from topo_build()
 * @job: "peers": pairs of hosts that talk
 *
 * Return: 0, or -1 after fail().
 */
int route_build(struct topo *t, struct json_object *job)
{
	struct routing r = { .t = t, .queue = xcalloc(t->n_nodes, sizeof(*r.queue)) };
	int i, rc = 0;

	for (i = 0; i < t->n_ports && !rc; i++)
		rc = gateway_neighbours(&t->ports[i]);
	if (!rc)
		rc = bridges_build(&r) || routers_build(&r);
	free(r.queue);
	return rc ? -1 : all_peers(t, job_get(job, J_PEERS));
}

/**
 * route_rebuild() - routes over the links that are up
 * @t: topology after route_build()
 *
 * New routes take the place of old ones, so there is one all the time.
 *
 * Return: 0, or -1 after fail().
 */
int route_rebuild(struct topo *t)
{
	struct routing r = {
		.t = t, .queue = xcalloc(t->n_nodes, sizeof(*r.queue)), .again = true,
	};
	int rc = routers_build(&r);

	free(r.queue);
	return rc;
}
