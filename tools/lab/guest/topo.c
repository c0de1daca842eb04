// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: build namespaces, links and addresses, all by netlink from this one
 * process: starting a program costs 25 ms in the lab kernel, and there are
 * several hundred hosts.
 *
 * Nothing is left to chance that would differ between two runs: interface
 * indices, MAC addresses, neighbours and hash seeds are all given.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/topo.h"

struct node *topo_node(struct topo *t, const char *name)
{
	int i;

	for (i = 0; i < t->n_nodes; i++)
		if (strcmp(t->nodes[i].name, name) == 0)
			return &t->nodes[i];
	return NULL;
}

struct port *topo_port(struct topo *t, const char *node, const char *peer)
{
	struct node *n = topo_node(t, node);
	int i;

	for (i = 0; n && i < n->n_ports; i++)
		if (strcmp(n->ports[i]->peer->node->name, peer) == 0)
			return n->ports[i];
	return NULL;
}

/* What follows happens in the namespace of @n. */
int topo_enter(struct topo *t, struct node *n)
{
	(void)t;
	if (setns(n->ns_fd, CLONE_NEWNET))
		return fail("namespace of %s: %s", n->name, strerror(errno));
	return 0;
}

int topo_leave(struct topo *t)
{
	if (setns(t->home_fd, CLONE_NEWNET))
		return fail("initial namespace: %s", strerror(errno));
	return 0;
}

/* topo_name_namespaces() - "ip netns exec NAME" finds the namespaces of nodes in /run/netns */
int topo_name_namespaces(struct topo *t)
{
	char dst[128], src[64];
	int i, fd;

	if (mkdir("/run/netns", 0755) && errno != EEXIST)
		return fail("/run/netns: %s", strerror(errno));
	for (i = 0; i < t->n_nodes; i++) {
		if (!t->nodes[i].here)
			continue;
		snprintf(dst, sizeof(dst), "/run/netns/%s", t->nodes[i].name);
		snprintf(src, sizeof(src), "/proc/self/fd/%d", t->nodes[i].ns_fd);
		fd = open(dst, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
		if (fd >= 0)
			close(fd);
		if (fd < 0 || mount(src, dst, "none", MS_BIND, NULL))
			return fail("%s: %s", dst, strerror(errno));
	}
	return 0;
}

static int link_up(struct nl *rt, int ifindex, const char *what)
{
	struct nlmsghdr *nlh = nl_msg(RTM_SETLINK, 0);
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));

	ifi->ifi_index = ifindex;
	ifi->ifi_flags = IFF_UP;
	ifi->ifi_change = IFF_UP;
	return nl_talk(rt, nlh, NULL, NULL, what);
}

/* Routers that hash alike would use but one of several equal paths further on. */
static uint32_t node_hash_seed(struct topo *t, struct node *n, uint32_t seed)
{
	uint32_t mixed = (seed + (uint32_t)(n - t->nodes) * 0x9e3779b9U) * 0x85ebca6bU;

	mixed ^= mixed >> 15;
	return mixed ? mixed : 1;	/* 0 would mean a random one */
}

static int node_sysctl(struct node *n, uint32_t hash_seed)
{
	/* Multicast of IPv6 (randomly timed) has no place among the traffic. */
	if (path_exists("/proc/sys/net/ipv6") &&
	    (sys_sysctl("net/ipv6/conf/all/disable_ipv6", "1") ||
	     sys_sysctl("net/ipv6/conf/default/disable_ipv6", "1")))
		return -1;
	if (sys_sysctl("net/ipv4/fib_multipath_hash_policy", "1") ||
	    sys_sysctl("net/ipv4/fib_multipath_hash_seed", "%u", hash_seed))
		return -1;
	/* No packet here has a connected socket to be found early: rxe has none. */
	if (sys_sysctl("net/ipv4/ip_early_demux", "0"))
		return -1;
	/* What is deflected may have to go back where it came from: nobody is to be told. */
	if (n->kind == NODE_ROUTER &&
	    (sys_sysctl("net/ipv4/conf/all/send_redirects", "0") ||
	     sys_sysctl("net/ipv4/conf/default/send_redirects", "0")))
		return -1;
	if (n->kind == NODE_ROUTER)
		return sys_sysctl("net/ipv4/ip_forward", "1");
	return 0;
}

static int bridge_add(struct topo *t, struct node *n)
{
	int id = n - t->nodes;
	const uint8_t mac[MAC_LEN] = { 0x02, 0x02, id >> 8, id, 0, 0 };
	struct nlattr *info, *data;
	struct ifinfomsg *ifi;
	struct nlmsghdr *nlh;
	char what[64];

	nlh = nl_msg(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
	ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));
	ifi->ifi_index = BRIDGE_IFINDEX;
	ifi->ifi_flags = IFF_UP;
	ifi->ifi_change = IFF_UP;
	mnl_attr_put_strz(nlh, IFLA_IFNAME, "br0");
	mnl_attr_put(nlh, IFLA_ADDRESS, MAC_LEN, mac);
	mnl_attr_put_u32(nlh, IFLA_MTU, t->mtu);
	info = mnl_attr_nest_start(nlh, IFLA_LINKINFO);
	mnl_attr_put_strz(nlh, IFLA_INFO_KIND, "bridge");
	data = mnl_attr_nest_start(nlh, IFLA_INFO_DATA);
	mnl_attr_put_u32(nlh, IFLA_BR_STP_STATE, 0);
	mnl_attr_nest_end(nlh, data);
	mnl_attr_nest_end(nlh, info);
	snprintf(what, sizeof(what), "bridge %s", n->name);
	return nl_talk(&n->rt, nlh, NULL, NULL, what);
}

/* A namespace of its own, with a route socket, loopback up and a bridge if it is one. */
static int node_build(struct topo *t, struct node *n, uint32_t hash_seed)
{
	if (unshare(CLONE_NEWNET))
		return fail("namespace of %s: %s", n->name, strerror(errno));
	n->ns_fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (n->ns_fd < 0)
		return fail("namespace of %s: %s", n->name, strerror(errno));
	if (nl_open(&n->rt, NETLINK_ROUTE) || node_sysctl(n, node_hash_seed(t, n, hash_seed)) ||
	    link_up(&n->rt, 1, "loopback"))
		return -1;
	return n->kind == NODE_BRIDGE ? bridge_add(t, n) : 0;
}

static void put_port(struct topo *t, struct nlmsghdr *nlh, struct port *p)
{
	mnl_attr_put_strz(nlh, IFLA_IFNAME, p->ifname);
	mnl_attr_put(nlh, IFLA_ADDRESS, MAC_LEN, p->mac);
	mnl_attr_put_u32(nlh, IFLA_MTU, t->mtu);
}

static void put_ifinfo(struct nlmsghdr *nlh, struct port *p)
{
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));

	ifi->ifi_index = p->ifindex;
}

static int link_build(struct topo *t, struct port *a, struct port *b)
{
	struct nlattr *info, *data, *peer;
	struct nlmsghdr *nlh;
	char what[128];

	nlh = nl_msg(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
	put_ifinfo(nlh, a);
	put_port(t, nlh, a);
	info = mnl_attr_nest_start(nlh, IFLA_LINKINFO);
	mnl_attr_put_strz(nlh, IFLA_INFO_KIND, "veth");
	data = mnl_attr_nest_start(nlh, IFLA_INFO_DATA);
	peer = mnl_attr_nest_start(nlh, VETH_INFO_PEER);
	put_ifinfo(nlh, b);
	put_port(t, nlh, b);
	mnl_attr_put_u32(nlh, IFLA_NET_NS_FD, b->node->ns_fd);
	mnl_attr_nest_end(nlh, peer);
	mnl_attr_nest_end(nlh, data);
	mnl_attr_nest_end(nlh, info);
	snprintf(what, sizeof(what), "link %s-%s", a->node->name, b->node->name);
	if (nl_talk(&a->node->rt, nlh, NULL, NULL, what))
		return -1;
	/* Only a whole pair can be brought up. */
	return link_up(&a->node->rt, a->ifindex, what) || link_up(&b->node->rt, b->ifindex, what) ?
	       -1 : 0;
}

/* An end of a link to another kernel: what is sent there cannot go past the stack. */
static int cable_end(struct topo *t, struct port *p)
{
	char what[128];

	if (p->qdisc)
		job_add_int(p->qdisc, J_PORT_DIRECT, 0);
	snprintf(what, sizeof(what), "port %s-%s", p->node->name, p->peer->node->name);
	return cable_plug(t, p) || link_up(&p->node->rt, p->ifindex, what) ? -1 : 0;
}

static int any_link_build(struct topo *t, struct port *a, struct port *b)
{
	if (a->node->here && b->node->here)
		return link_build(t, a, b);
	if (a->node->here)
		return cable_end(t, a);
	return b->node->here ? cable_end(t, b) : 0;
}

static int bridge_enslave(struct port *p)
{
	struct nlmsghdr *nlh = nl_msg(RTM_SETLINK, 0);
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));
	char what[64];

	ifi->ifi_index = p->ifindex;
	mnl_attr_put_u32(nlh, IFLA_MASTER, BRIDGE_IFINDEX);
	snprintf(what, sizeof(what), "port %s of %s", p->ifname, p->node->name);
	return nl_talk(&p->node->rt, nlh, NULL, NULL, what);
}

static int addr_add(struct node *n, int prefix)
{
	struct nlmsghdr *nlh = nl_msg(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL);
	struct ifaddrmsg *ifa = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifa));
	char what[64];

	ifa->ifa_family = AF_INET;
	ifa->ifa_prefixlen = prefix;
	ifa->ifa_index = n->ports[0]->ifindex;
	mnl_attr_put_u32(nlh, IFA_LOCAL, n->addr.s_addr);
	mnl_attr_put_u32(nlh, IFA_ADDRESS, n->addr.s_addr);
	snprintf(what, sizeof(what), "address of %s", n->name);
	return nl_talk(&n->rt, nlh, NULL, NULL, what);
}

static int parse_node(struct topo *t, struct node *n, struct json_object *obj)
{
	const char *kind = job_str(obj, J_NODE_KIND, "host");

	(void)t;
	n->here = control_guest() < 0 || job_int(obj, J_NODE_PART, 0) == control_guest();
	n->name = job_str(obj, J_NODE_NAME, "");
	n->ns_fd = -1;
	if (strcmp(kind, "host") == 0)
		n->kind = NODE_HOST;
	else if (strcmp(kind, "bridge") == 0)
		n->kind = NODE_BRIDGE;
	else if (strcmp(kind, "router") == 0)
		n->kind = NODE_ROUTER;
	else
		return fail("node %s: unknown kind \"%s\"", n->name, kind);
	n->subnet_bits = job_int(obj, J_NODE_SUBNET_BITS, 0);
	if (n->subnet_bits < 0 || n->subnet_bits > 32 ||
	    (n->subnet_bits &&
	     inet_pton(AF_INET, job_str(obj, J_NODE_SUBNET, ""), &n->addr) != 1))
		return fail("switch %s: bad subnet", n->name);
	if (n->kind != NODE_HOST)
		return 0;
	snprintf(n->rdma, sizeof(n->rdma), "rxe_%s", n->name);
	if (inet_pton(AF_INET, job_str(obj, J_NODE_ADDR, ""), &n->addr) != 1)
		return fail("host %s: bad address", n->name);
	return 0;
}

/* Locally administered: 02, kind, node, port. */
static void port_init(struct topo *t, struct port *p, struct node *n, struct port *peer,
		      struct json_object *qdisc)
{
	int node = n - t->nodes;

	p->node = n;
	p->peer = peer;
	p->id = p - t->ports;
	p->qdisc = n->here ? qdisc : NULL;
	p->ifindex = PORT_IFINDEX + n->n_ports;
	p->mac[0] = 0x02;
	p->mac[1] = n->kind == NODE_HOST ? 0 : 1;
	p->mac[2] = node >> 8;
	p->mac[3] = node;
	p->mac[4] = n->n_ports >> 8;
	p->mac[5] = n->n_ports;
	n->ports = xrealloc(n->ports, (n->n_ports + 1) * sizeof(*n->ports));
	n->ports[n->n_ports] = p;
	n->n_ports++;
}

static int parse_link(struct topo *t, int i, struct json_object *obj)
{
	struct port *a = &t->ports[2 * i], *b = &t->ports[2 * i + 1];
	struct node *na, *nb;

	na = topo_node(t, job_str(obj, J_LINK_A, ""));
	nb = topo_node(t, job_str(obj, J_LINK_B, ""));
	if (!na || !nb)
		return fail("link %d: unknown node \"%s\"", i,
			    job_str(obj, na ? J_LINK_B : J_LINK_A, ""));
	port_init(t, a, na, b, job_get(obj, J_LINK_A_QDISC));
	port_init(t, b, nb, a, job_get(obj, J_LINK_B_QDISC));
	if (na->kind == NODE_HOST)
		snprintf(a->ifname, sizeof(a->ifname), "eth%d", na->n_ports - 1);
	else
		snprintf(a->ifname, sizeof(a->ifname), "%.15s", nb->name);
	if (nb->kind == NODE_HOST)
		snprintf(b->ifname, sizeof(b->ifname), "eth%d", nb->n_ports - 1);
	else
		snprintf(b->ifname, sizeof(b->ifname), "%.15s", na->name);
	return 0;
}

static int topo_parse(struct topo *t, struct json_object *job)
{
	struct json_object *nodes = job_get(job, J_NODES), *links = job_get(job, J_LINKS);
	int i, n_links = js_len(links);

	t->mtu = job_int(job, J_NETDEV_MTU, 9000);
	t->n_nodes = js_len(nodes);
	t->nodes = xcalloc(t->n_nodes, sizeof(*t->nodes));
	t->n_ports = 2 * n_links;
	t->ports = xcalloc(t->n_ports, sizeof(*t->ports));
	for (i = 0; i < t->n_nodes; i++)
		if (parse_node(t, &t->nodes[i], js_at(nodes, i)))
			return -1;
	for (i = 0; i < n_links; i++)
		if (parse_link(t, i, js_at(links, i)))
			return -1;
	for (i = 0; i < t->n_nodes; i++)
		if (!t->nodes[i].n_ports)
			return fail("node %s has no link", t->nodes[i].name);
	return 0;
}

static int home_setup(struct topo *t)
{
	struct nl rt = {};
	int rc;

	t->home_fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (t->home_fd < 0)
		return fail("/proc/self/ns/net: %s", strerror(errno));
	if (nl_open(&rt, NETLINK_ROUTE))
		return -1;
	rc = link_up(&rt, 1, "loopback");
	nl_close(&rt);
	return rc;
}

/**
 * topo_build() - everything up to addresses and qdiscs
 * @t: result
 * @job: "nodes", "links", "netdev_mtu", "hash_seed"
 *
 * Return: 0, or -1 after fail().
 */
int topo_build(struct topo *t, struct json_object *job)
{
	uint32_t seed = job_int(job, J_HASH_SEED, 1);
	int i, prefix;

	if (topo_parse(t, job) || home_setup(t))
		return -1;
	for (i = 0; i < t->n_nodes; i++)
		if (t->nodes[i].here && node_build(t, &t->nodes[i], seed))
			return -1;
	for (i = 0; i < t->n_ports; i += 2)
		if (any_link_build(t, &t->ports[i], &t->ports[i + 1]))
			return -1;
	for (i = 0; i < t->n_ports; i++) {
		struct port *p = &t->ports[i];

		if (p->node->here && p->node->kind == NODE_BRIDGE && bridge_enslave(p))
			return -1;
		if (p->qdisc && qdisc_add(p)) {
			t->refused = true;
			return -1;
		}
	}
	for (i = 0; i < t->n_nodes; i++) {
		struct node *n = &t->nodes[i];

		if (!topo_is_host(n))
			continue;
		/* Behind a router every other host is reached through it. */
		prefix = n->ports[0]->peer->node->kind == NODE_ROUTER ? 32 : 8;
		if (addr_add(n, prefix))
			return -1;
	}
	return topo_leave(t);
}

/**
 * topo_close() - let go of all namespaces
 * @t: topology, built or not
 *
 * Namespaces without processes and descriptors go, and all in them.
 */
void topo_close(struct topo *t)
{
	int i;

	for (i = 0; i < t->n_nodes; i++) {
		nl_close(&t->nodes[i].rt);
		if (t->nodes[i].ns_fd > 0)
			close(t->nodes[i].ns_fd);
		free(t->nodes[i].ports);
		free(t->nodes[i].routes);
	}
	free(t->nodes);
	free(t->ports);
	if (t->home_fd > 0)
		close(t->home_fd);
}
