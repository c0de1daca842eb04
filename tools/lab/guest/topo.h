/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: hosts and switches as network namespaces.
 */
#ifndef LAB_GUEST_TOPO_H
#define LAB_GUEST_TOPO_H

#include <net/if.h>
#include <netinet/in.h>

#include "common/port_counters.h"
#include "guest/nl.h"

#define MAC_LEN		6
#define BRIDGE_IFINDEX	2
#define PORT_IFINDEX	10	/* of a node's first port; the others follow */

enum node_kind {
	NODE_HOST,
	NODE_BRIDGE,		/* L2 switch */
	NODE_ROUTER,		/* L3 switch, equal-cost paths by flow hash */
};

struct port;

struct node {
	const char *name;
	enum node_kind kind;
	bool here;			/* in this kernel; others are neighbours only */
	int ns_fd;
	struct nl rt;			/* rtnetlink of this namespace */
	struct in_addr addr;		/* of a host, or of a router's subnet */
	int subnet_bits;		/* of a router with hosts */
	char rdma[64];			/* RDMA device, hosts only */
	const char *algo;		/* that it is set to */
	struct port **ports;
	int n_ports;
	int dist;			/* for path search */
	struct route *routes;		/* of a router to other routers' subnets */
	int n_routes;
};

struct route {
	uint32_t base;			/* host order */
	int bits;
};

struct port {
	struct node *node;
	struct port *peer;		/* other end of the link */
	char ifname[IFNAMSIZ];
	int ifindex;
	uint8_t mac[MAC_LEN];
	struct json_object *qdisc;	/* NULL: none, or the node is not here */
	int id;				/* index in struct topo */
	bool down;			/* its link is: the next routes leave it out */
};

struct topo {
	struct node *nodes;
	int n_nodes;
	struct port *ports;		/* two a link */
	int n_ports;
	int mtu;
	int home_fd;			/* the initial namespace */
	bool refused;			/* the kernel did not take what the user wrote */
};

/* A host of this kernel. */
static inline bool topo_is_host(const struct node *n)
{
	return n->here && n->kind == NODE_HOST;
}

int topo_build(struct topo *t, struct json_object *job);
struct node *topo_node(struct topo *t, const char *name);
struct port *topo_port(struct topo *t, const char *node, const char *peer);
int topo_enter(struct topo *t, struct node *n);
int topo_leave(struct topo *t);
int topo_name_namespaces(struct topo *t);
void topo_close(struct topo *t);

/* guest/link_between_guests.c */
int cable_plug(struct topo *t, struct port *p);
int cable_unplug(struct topo *t, struct port *p);

/* guest/node_command_server.c */
int node_commands_serve(struct topo *t, struct json_object *job);

/* guest/route.c */
int route_build(struct topo *t, struct json_object *job);
int route_rebuild(struct topo *t);

/* guest/qdisc.c */
int qdisc_add(struct port *p);
int qdisc_start(struct port *p);
int qdisc_change(struct port *p, struct json_object *options);

#define PRIOS	8

struct qdisc_prio {
	uint64_t n[PRIO_COUNTERS];
	bool used;
};

struct qdisc_stats {
	uint64_t n[PORT_COUNTERS];
	struct qdisc_prio prio[PRIOS];
	uint64_t sw[SWITCH_COUNTERS];	/* all ports of a switch share it; zeros at a NIC port */
};

struct qdisc_query {
	struct port *ports[NL_BATCH];
	struct qdisc_stats *stats[NL_BATCH];
	int n;
};

int qdisc_query(struct qdisc_query *q, struct port *p, struct qdisc_stats *st);
int qdisc_flush(struct qdisc_query *q);
int qdisc_read(struct topo *t, bool (*pick)(const void *ctx, const struct port *p),
	       const void *ctx, struct qdisc_stats *to);

#endif /* LAB_GUEST_TOPO_H */
