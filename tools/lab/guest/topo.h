/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labinit: hosts and switches as network namespaces.
 */
#ifndef LAB_GUEST_TOPO_H
#define LAB_GUEST_TOPO_H

#include <net/if.h>
#include <netinet/in.h>

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
	struct port **ports;
	int n_ports;
	int dist;			/* for path search */
};

struct port {
	struct node *node;
	struct port *peer;		/* other end of the link */
	char ifname[IFNAMSIZ];
	int ifindex;
	uint8_t mac[MAC_LEN];
	struct json_object *qdisc;	/* NULL: none, or the node is not here */
	int id;				/* index in struct topo */
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
void topo_close(struct topo *t);

/* guest/cable.c */
int cable_plug(struct topo *t, struct port *p);
int cable_unplug(struct topo *t, struct port *p);

/* guest/on.c */
int on_serve(struct topo *t, struct json_object *job);

/* guest/route.c */
int route_build(struct topo *t, struct json_object *job);

/* guest/qdisc.c */
int qdisc_add(struct port *p);
int qdisc_start(struct port *p);

/* Why packets were lost; drop_names in guest/sample.c */
enum qdisc_drop {
	DROP_LIMIT,
	DROP_PORT_LIMIT,
	DROP_BUFFER,
	DROP_HEADROOM,
	DROP_WATCHDOG,
	DROP_NOT_ECT,
	DROP_FEATURE,
	DROP_OTHER,
	DROP_WIRE_LIMIT,
	DROPS
};

struct qdisc_prio {
	uint64_t bytes, packets, peak_bytes, byte_ns, tx_packets, tx_wire_bytes;
	uint64_t ecn_marked, ecn_not_ect, drop[DROPS];
	uint64_t pauses_sent, resumes_sent, pauses_received, resumes_received;
	uint64_t paused, pause_ns, xoff_ns, storms;
	uint64_t in_peak_bytes, headroom_peak_bytes, headroom_bytes;
	uint64_t mercury_entered, mercury_congested, mercury_spared;
	bool used;
};

/* What all ports of a switch share; zeros at a NIC port. */
struct qdisc_switch {
	uint64_t ports, buffer, reserved, headroom, shared, peak_used, xoff;
	uint64_t used, reserved_used, headroom_used, shared_used;
};

struct qdisc_mercury {
	uint64_t cnps, damped, failed, no_place, flows, flows_peak;
};

struct qdisc_iofd {
	uint64_t flows, packets, bytes, taken, full, no_port, lost_port;
	uint64_t escaped, no_escape, failed, entries_peak;
};

struct qdisc_lscc {
	uint64_t rate_bps, sent, unsent, limit_bps, queue_peak_bytes;
	uint64_t heard, refused, late, expired;
	uint64_t cnps, damped, failed, cleared, uncleared, marked, no_place;
	uint64_t ints, taken, untaken;
};

struct qdisc_stats {
	uint64_t now_ns, busy_ns, tx_wire_bytes, tx_packets;
	struct qdisc_mercury mercury;
	struct qdisc_lscc lscc;
	struct qdisc_iofd iofd;
	struct qdisc_prio prio[8];
	struct qdisc_switch sw;
};

struct qdisc_query {
	struct port *ports[NL_BATCH];
	struct qdisc_stats *stats[NL_BATCH];
	int n;
};

int qdisc_query(struct qdisc_query *q, struct port *p, struct qdisc_stats *st);
int qdisc_flush(struct qdisc_query *q);

#endif /* LAB_GUEST_TOPO_H */
