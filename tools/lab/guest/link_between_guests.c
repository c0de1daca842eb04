// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: ports of links that lead to another kernel. Each is a network device
 * that was there from the beginning: it has the port's MAC address, which
 * depends on the topology alone, and moves into the node's namespace.
 */
#include <dirent.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "guest/topo.h"

#define NET_DIR	"/sys/class/net"

static char *device_by_mac(const uint8_t *mac)
{
	char want[3 * MAC_LEN], *path, *text, *name = NULL;
	DIR *d = opendir(NET_DIR);
	struct dirent *de;

	snprintf(want, sizeof(want), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
		 mac[3], mac[4], mac[5]);
	while (d && !name && (de = readdir(d))) {
		path = xasprintf(NET_DIR "/%s/address", de->d_name);
		text = read_file(path, NULL);
		if (text && strncmp(text, want, strlen(want)) == 0)
			name = xstrdup(de->d_name);
		free(text);
		free(path);
	}
	if (d)
		closedir(d);
	return name;
}

static int move(struct topo *t, struct port *p, struct nl *rt, int ifindex)
{
	struct nlmsghdr *nlh = nl_msg(RTM_NEWLINK, 0);
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));
	char what[128];

	ifi->ifi_index = ifindex;
	mnl_attr_put_strz(nlh, IFLA_IFNAME, p->ifname);
	mnl_attr_put_u32(nlh, IFLA_MTU, t->mtu);
	mnl_attr_put_u32(nlh, IFLA_NET_NS_FD, p->node->ns_fd);
	mnl_attr_put_u32(nlh, IFLA_NEW_IFINDEX, p->ifindex);
	snprintf(what, sizeof(what), "cable %s-%s", p->node->name, p->peer->node->name);
	return nl_talk(rt, nlh, NULL, NULL, what);
}

/**
 * cable_plug() - move a port's device into its node's namespace
 * @t: topology; the current namespace is any
 * @p: port
 *
 * Return: 0, or -1 after fail().
 */
int cable_plug(struct topo *t, struct port *p)
{
	struct nl rt = {};
	char *name;
	int rc;

	/* sysfs shows the devices of the namespace in which it was mounted, the initial one. */
	if (topo_leave(t) || nl_open(&rt, NETLINK_ROUTE))
		return -1;
	name = device_by_mac(p->mac);
	rc = name ? move(t, p, &rt, if_nametoindex(name)) :
		    fail("port %s-%s: no network device with its address", p->node->name,
			 p->peer->node->name);
	free(name);
	nl_close(&rt);
	return rc;
}

/**
 * cable_unplug() - move a port's device back where it was at the beginning
 * @t: topology; the current namespace is any
 * @p: port
 *
 * What was on it, addresses, neighbours and its qdisc, is gone. Its name there is of no port,
 * so that cable_plug() can find it again.
 *
 * Return: 0, or -1 after fail().
 */
int cable_unplug(struct topo *t, struct port *p)
{
	struct nlmsghdr *nlh = nl_msg(RTM_NEWLINK, 0);
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));
	char what[128], name[IFNAMSIZ];

	snprintf(name, sizeof(name), "cable%d", p->id);
	ifi->ifi_index = p->ifindex;
	mnl_attr_put_strz(nlh, IFLA_IFNAME, name);
	mnl_attr_put_u32(nlh, IFLA_NET_NS_FD, t->home_fd);
	snprintf(what, sizeof(what), "cable %s-%s", p->node->name, p->peer->node->name);
	return nl_talk(&p->node->rt, nlh, NULL, NULL, what);
}
