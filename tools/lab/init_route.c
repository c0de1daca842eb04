// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: who reaches whom through which port.
 *
 * Bridges get a static forwarding entry for every host, so that nothing is
 * ever flooded; routers get a route for every host over all shortest paths.
 * Neighbours are permanent: no ARP, whose timers are random.
 */
#include <errno.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "init_topo.h"

#define DIST_NONE	(1 << 30)

/* Next hop between routers and from hosts to them; never seen in a packet. */
#define GATEWAY_ADDR	htonl(0x0afe0000)	/* 10.254.0.0 + port id */

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

			if (m->dist != DIST_NONE)
				continue;
			m->dist = n->dist + 1;
			queue[tail++] = m;
		}
	}
}

static bool is_next_hop(const struct port *p)
{
	return p->peer->node->dist == p->node->dist - 1;
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
	return htonl(ntohl(GATEWAY_ADDR) + p->peer->id);
}

static struct nlmsghdr *route_msg(uint32_t dst, int prefix, uint8_t scope)
{
	struct nlmsghdr *nlh = nl_msg(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL);
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

static void put_onlink(struct nlmsghdr *nlh)
{
	struct rtmsg *rtm = mnl_nlmsg_get_payload(nlh);

	rtm->rtm_flags |= RTNH_F_ONLINK;
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

static int router_route(struct node *n, struct node *host)
{
	struct nlmsghdr *nlh;
	struct port *only = NULL;
	struct nlattr *multi;
	int i, hops = 0;

	for (i = 0; i < n->n_ports; i++) {
		if (!is_next_hop(n->ports[i]))
			continue;
		only = n->ports[i];
		hops++;
	}
	if (!hops)
		return fail("%s cannot reach %s", n->name, host->name);
	if (only->peer->node == host) {
		nlh = route_msg(host->addr.s_addr, 32, RT_SCOPE_LINK);
		mnl_attr_put_u32(nlh, RTA_OIF, only->ifindex);
		if (nl_talk(&n->rt, nlh, NULL, NULL, "route"))
			return -1;
		return neigh_add(&n->rt, only->ifindex, host->addr.s_addr, only->peer->mac);
	}
	nlh = route_msg(host->addr.s_addr, 32, RT_SCOPE_UNIVERSE);
	if (hops == 1) {
		put_onlink(nlh);
		mnl_attr_put_u32(nlh, RTA_OIF, only->ifindex);
		mnl_attr_put_u32(nlh, RTA_GATEWAY, gateway_of(only));
	} else {
		multi = mnl_attr_nest_start(nlh, RTA_MULTIPATH);
		for (i = 0; i < n->n_ports; i++)
			if (is_next_hop(n->ports[i]))
				put_next_hop(nlh, n->ports[i]);
		mnl_attr_nest_end(nlh, multi);
	}
	return nl_talk(&n->rt, nlh, NULL, NULL, "route");
}

static int bridge_entry(struct node *n, struct node *host)
{
	struct port *next = NULL;
	int i;

	for (i = 0; i < n->n_ports; i++) {
		if (!is_next_hop(n->ports[i]))
			continue;
		if (next)
			return fail("%s has several paths to %s: bridges must form a tree",
				    n->name, host->name);
		next = n->ports[i];
	}
	return next ? fdb_add(next, host->ports[0]->mac) :
		      fail("%s cannot reach %s", n->name, host->name);
}

/* Routers know each other's ports, hosts know their router's, as gateways. */
static int gateway_neighbours(struct port *p)
{
	struct nlmsghdr *nlh;

	if (p->peer->node->kind != NODE_ROUTER)
		return 0;
	if (p->node->kind == NODE_BRIDGE)
		return fail("link %s-%s: bridges and routers do not mix", p->node->name,
			    p->peer->node->name);
	if (neigh_add(&p->node->rt, p->ifindex, gateway_of(p), p->peer->mac))
		return -1;
	if (p->node->kind != NODE_HOST || p != p->node->ports[0])
		return 0;
	nlh = route_msg(0, 0, RT_SCOPE_UNIVERSE);
	put_onlink(nlh);
	mnl_attr_put_u32(nlh, RTA_OIF, p->ifindex);
	mnl_attr_put_u32(nlh, RTA_GATEWAY, gateway_of(p));
	return nl_talk(&p->node->rt, nlh, NULL, NULL, "default route");
}

/* On one L2 segment: hosts that talk know each other's MAC address. */
static int peer_neighbours(struct node *a, struct node *b)
{
	if (a == b || a->ports[0]->peer->node->kind == NODE_ROUTER)
		return 0;
	if (neigh_add(&a->rt, a->ports[0]->ifindex, b->addr.s_addr, b->ports[0]->mac))
		return -1;
	return neigh_add(&b->rt, b->ports[0]->ifindex, a->addr.s_addr, a->ports[0]->mac);
}

static int all_peers(struct topo *t, struct json_object *peers)
{
	size_t i;

	for (i = 0; i < js_len(peers); i++) {
		struct json_object *pair = json_object_array_get_idx(peers, i);
		struct node *n[2];
		int k;

		for (k = 0; k < 2; k++) {
			const char *name;

			name = json_object_get_string(json_object_array_get_idx(pair, k));
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
	struct node **queue = xcalloc(t->n_nodes, sizeof(*queue));
	int h, i, rc = 0;

	for (i = 0; i < t->n_ports && !rc; i++)
		rc = gateway_neighbours(&t->ports[i]);
	for (h = 0; h < t->n_nodes && !rc; h++) {
		if (t->nodes[h].kind != NODE_HOST)
			continue;
		distances(t, &t->nodes[h], queue);
		for (i = 0; i < t->n_nodes && !rc; i++) {
			if (t->nodes[i].kind == NODE_BRIDGE)
				rc = bridge_entry(&t->nodes[i], &t->nodes[h]);
			else if (t->nodes[i].kind == NODE_ROUTER)
				rc = router_route(&t->nodes[i], &t->nodes[h]);
		}
	}
	free(queue);
	return rc ? rc : all_peers(t, js_get(job, "peers"));
}
