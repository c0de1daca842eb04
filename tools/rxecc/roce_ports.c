// SPDX-License-Identifier: GPL-2.0
/* Figures of ports: the qdiscs `roce` of network namespaces. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/gen_stats.h>
#include <linux/pkt_sched_roce.h>
#include <linux/rtnetlink.h>

#include "../lib/netlink.h"
#include "roce_ports.h"

#define NETNS_DIR	"/run/netns"
#define DUMP_BYTES	65536

/* A figure is a u32, or a u64 if it is too large for one. */
static u64 figure(const struct nlattr *attr)
{
	return mnl_attr_get_payload_len(attr) == sizeof(u64) ? mnl_attr_get_u64(attr) :
	       mnl_attr_get_payload_len(attr) == sizeof(u32) ? mnl_attr_get_u32(attr) : 0;
}

static void take_prio(const struct nlattr *nest, struct roce_port *p)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case TCA_ROCE_PSTATS_BYTES:
			p->queue_bytes += figure(attr);
			break;
		case TCA_ROCE_PSTATS_ECN_MARKED:
			p->marked += figure(attr);
			break;
		case TCA_ROCE_PSTATS_PAUSE_NS:
			p->pause_ns += figure(attr);
			break;
#define ROCE_DROP(attr, ...) case TCA_ROCE_PSTATS_DROP_##attr:
		TC_ROCE_DROPS(ROCE_DROP)
#undef ROCE_DROP
			p->drops += figure(attr);
			break;
		}
	}
}

static void take_stats(const struct nlattr *app, struct roce_port *p)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, app) {
		switch (mnl_attr_get_type(attr)) {
		case TCA_ROCE_XSTATS_TX_WIRE_BYTES:
			p->tx_wire_bytes = figure(attr);
			break;
		case TCA_ROCE_XSTATS_PFC_TX:
			p->pfc_tx = figure(attr);
			break;
		case TCA_ROCE_XSTATS_LOST:
		case TCA_ROCE_XSTATS_LOST_DOWN:
			p->drops += figure(attr);
			break;
		case TCA_ROCE_XSTATS_PRIO:
			take_prio(attr, p);
			break;
		}
	}
}

void roce_ports_add(struct roce_ports *ports, const struct nlmsghdr *nlh, const char *netns)
{
	const struct nlattr *attr, *in, *options = NULL, *stats = NULL;
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(nlh);
	struct roce_port *p;
	bool ours = false;

	if (nlh->nlmsg_type != RTM_NEWQDISC || mnl_nlmsg_get_payload_len(nlh) < sizeof(*tcm))
		return;
	mnl_attr_for_each(attr, nlh, sizeof(*tcm)) {
		if (mnl_attr_get_type(attr) == TCA_KIND)
			ours = !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) &&
			       !strcmp(mnl_attr_get_str(attr), "roce");
		else if (mnl_attr_get_type(attr) == TCA_OPTIONS)
			options = attr;
		else if (mnl_attr_get_type(attr) == TCA_STATS2)
			stats = attr;
	}
	if (!ours || !options || !stats)
		return;
	p = reallocarray(ports->v, ports->n + 1, sizeof(*p));
	if (!p)
		return;
	ports->v = p;
	p += ports->n++;
	memset(p, 0, sizeof(*p));
	snprintf(p->netns, sizeof(p->netns), "%s", netns);
	p->ifindex = (u32)tcm->tcm_ifindex;
	if (!if_indextoname(p->ifindex, p->name))
		snprintf(p->name, sizeof(p->name), "if%u", p->ifindex);
	mnl_attr_for_each_nested(attr, options)
		if (mnl_attr_get_type(attr) == TCA_ROCE_RATE)
			p->rate_bps = figure(attr);
	mnl_attr_for_each_nested(in, stats)
		if (mnl_attr_get_type(in) == TCA_STATS_APP)
			take_stats(in, p);
}

/* One process may read the namespace that it is in. */
static int read_here(struct roce_ports *ports, const char *netns)
{
	char buf[DUMP_BYTES];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct mnl_socket *sock = nl_socket(NETLINK_ROUTE);
	bool done = false;
	int left, err = 0;
	ssize_t len;

	if (!sock)
		return -errno;
	nlh->nlmsg_type = RTM_GETQDISC;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	mnl_nlmsg_put_extra_header(nlh, sizeof(struct tcmsg));
	if (mnl_socket_sendto(sock, nlh, nlh->nlmsg_len) < 0)
		err = -errno;
	while (!err && !done) {
		len = mnl_socket_recvfrom(sock, buf, sizeof(buf));
		if (len <= 0)
			err = len ? -errno : -EPIPE;
		left = (int)len;
		for (nlh = (void *)buf; !err && mnl_nlmsg_ok(nlh, left);
		     nlh = mnl_nlmsg_next(nlh, &left)) {
			if (nlh->nlmsg_type == NLMSG_DONE || nlh->nlmsg_type == NLMSG_ERROR)
				done = true;
			roce_ports_add(ports, nlh, netns);
		}
	}
	mnl_socket_close(sock);
	return err;
}

static int not_dots(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Namespaces that go meanwhile are left out. */
static int read_named(struct roce_ports *ports)
{
	int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), err = 0, fd, i;
	char path[sizeof(NETNS_DIR) + NAME_MAX + 1];
	struct dirent **names = NULL;
	int n = home < 0 ? 0 : scandir(NETNS_DIR, &names, not_dots, versionsort);

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), NETNS_DIR "/%s", names[i]->d_name);
		fd = err ? -1 : open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && setns(fd, CLONE_NEWNET))
			err = -errno;
		else if (fd >= 0)
			err = read_here(ports, names[i]->d_name);
		if (fd >= 0)
			close(fd);
		free(names[i]);
	}
	free(names);
	if (home >= 0) {
		if (n > 0 && setns(home, CLONE_NEWNET) && !err)
			err = -errno;
		close(home);
	}
	return err;
}

int roce_ports_read(struct rxecc *rx, bool all, struct roce_ports *ports)
{
	struct nl_err err = { .offs = -1 };

	*ports = (struct roce_ports){ 0 };
	err.code = -read_here(ports, "");
	if (all && !err.code)
		err.code = -read_named(ports);
	return err.code ? rx_kernel_error(rx, "ports", NULL, &err) : RX_OK;
}

const struct roce_port *roce_port_find(const struct roce_ports *ports,
				       const struct roce_port *like)
{
	size_t i;

	for (i = 0; i < ports->n; i++)
		if (ports->v[i].ifindex == like->ifindex &&
		    !strcmp(ports->v[i].netns, like->netns))
			return &ports->v[i];
	return NULL;
}
