// SPDX-License-Identifier: GPL-2.0
/*
 * What labinit is told of nodes and links: addresses, and the "roce" port at
 * each end of a link.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feature/switch_features.h"

/* All hosts of a switch are in one subnet, and no two switches share one. */
#define FIRST_ADDR		0x0a000000	/* 10.0.0.0 */
#define SUBNET_MIN		256

/* What is lossy waits in the shared buffer, and nowhere else is there a limit. */
#define NO_LIMIT		UINT32_MAX

static bool is_on(struct plan *p, const char *key)
{
	return scenario_val(p->sc, key, 0) != 0;
}

/* A link may have thresholds of its own. */
static void add_link_xoff(struct lab_link *l, struct json_object *prio)
{
	if (!l->xoff_bytes)
		return;
	job_add_int(prio, J_PRIO_XOFF, l->xoff_bytes);
	job_add_int(prio, J_PRIO_XON, l->xon_bytes);
}

/* The data's priority; NULL if it is like all others. */
static struct json_object *data_prio(struct plan *p, struct lab_link *l, int node)
{
	bool is_switch = !p->nodes[node].host, pfc = is_on(p, "pfc");
	struct json_object *q = json_object_new_object();
	struct key *alpha = scenario_key(p->sc, "alpha");

	job_add_int(q, J_PRIO_ID, DATA_PRIO);
	if (pfc)
		job_add_int(q, J_PRIO_LOSSLESS, 1);
	if (port_marks(p, node)) {
		job_add_int(q, J_PRIO_ECN, 1 + (int)scenario_val(p->sc, "ecn_at", 0));
		job_add_int(q, J_PRIO_KMIN, port_kmin(p, l));
		job_add_int(q, J_PRIO_KMAX, port_kmax(p, l));
		job_add_int(q, J_PRIO_PMAX, llround(scenario_val(p->sc, "pmax", 0) * 1e6));
		port_keys(p, q, JOB_PRIO, "ecn");
	}
	if (!is_switch)
		return q;
	port_keys(p, q, JOB_PRIO, "switch");
	if (alpha && !alpha->is_auto)
		job_add_int(q, J_PRIO_ALPHA, llround(alpha->val * 65536));
	if (pfc) {
		port_keys(p, q, JOB_PRIO, "pfc");
		add_link_xoff(l, q);
	}
	return q;
}

/* All ports of a switch share one buffer, of a size or of so much for each of them. */
static void add_buffer(struct plan *p, struct json_object *o, int node)
{
	double each = scenario_val(p->sc, "port_buffer", 0);

	if (each > 0)
		job_add_int(o, J_PORT_BUFFER, llround(each * p->nodes[node].n_links));
	else
		port_keys(p, o, JOB_PORT, "buffer");
}

/* @port counts from 1 at its node. */
static struct json_object *qdisc_of(struct plan *p, struct lab_link *l, int node, int port,
				    int seed)
{
	struct json_object *o = json_object_new_object(), *prios = json_object_new_array();
	bool is_switch = !p->nodes[node].host;
	const char *direct = getenv("LAB_DIRECT");

	job_add_int(o, J_PORT_RATE, l->rate_bps);
	job_add_int(o, J_PORT_DELAY, l->delay_ns);
	if (l->loss_ppb)
		job_add_int(o, J_PORT_LOSS, l->loss_ppb);
	job_add_int(o, J_PORT_SEED, (int64_t)(p->seed * 1000003 + seed));
	job_add_int(o, J_PORT_DIRECT, !direct || strcmp(direct, "off"));
	job_add_int(o, J_PORT_INT, is_on(p, "int"));
	job_add_int(o, J_PORT_INT_NODE, node + 1);
	job_add_int(o, J_PORT_INT_PORT, port);
	host_clock_add(p, node, o);
	if (is_switch) {
		job_add_bool(o, J_PORT_SWITCH, true);
		job_add_int(o, J_PORT_LIMIT, NO_LIMIT);
		add_buffer(p, o, node);
		port_keys(p, o, JOB_PORT, "switch");
	} else {
		port_keys(p, o, JOB_PORT, "nic");
	}
	if (is_on(p, "pfc"))
		port_keys(p, o, JOB_PORT, "pfc");
	json_object_array_add(prios, data_prio(p, l, node));
	job_add(o, J_PORT_PRIO, prios);
	/* What is copied from the data's priority has its features. */
	if (is_switch)
		switch_features_port(p, l, node, o);
	short_prio_port(p, o);
	return o;
}

static char *addr_text(uint32_t addr)
{
	return xasprintf("%u.%u.%u.%u", addr >> 24, addr >> 16 & 255, addr >> 8 & 255,
			 addr & 255);
}

/* A power of two, so that it is one route, and aligned to itself. */
static uint32_t subnet_size(int n_hosts)
{
	uint32_t size = SUBNET_MIN;

	while (size < (uint32_t)n_hosts + 2)
		size *= 2;
	return size;
}

struct subnet {
	uint32_t base, size;
	int n_hosts, next;
};

static struct subnet *make_subnets(struct plan *p)
{
	struct subnet *nets = xcalloc(p->n_nodes, sizeof(*nets));
	uint32_t addr = FIRST_ADDR;
	int i;

	for (i = 0; i < p->n_nodes; i++)
		if (p->nodes[i].host)
			nets[plan_access_of(p, i)].n_hosts++;
	for (i = 0; i < p->n_nodes; i++) {
		if (!nets[i].n_hosts)
			continue;
		nets[i].size = subnet_size(nets[i].n_hosts);
		nets[i].base = (addr + nets[i].size - 1) & ~(nets[i].size - 1);
		nets[i].next = 1;
		addr = nets[i].base + nets[i].size;
	}
	return nets;
}

static void add_node(struct plan *p, int node, struct subnet *nets, struct json_object *list)
{
	struct json_object *o = json_object_new_object();
	struct lab_node *n = &p->nodes[node];
	struct subnet *net = &nets[n->host ? plan_access_of(p, node) : node];
	char *addr = NULL;

	job_add_str(o, J_NODE_NAME, n->name);
	job_add_str(o, J_NODE_KIND, n->host ? "host" : scenario_text(p->sc, "fabric", "bridge"));
	if (n->host) {
		addr = addr_text(net->base + net->next++);
		job_add_str(o, J_NODE_ADDR, addr);
	} else if (net->n_hosts) {
		addr = addr_text(net->base);
		job_add_str(o, J_NODE_SUBNET, addr);
		job_add_int(o, J_NODE_SUBNET_BITS, 32 - __builtin_ctz(net->size));
	}
	free(addr);
	json_object_array_add(list, o);
}

/**
 * job_nodes() - "nodes" of the job: hosts with addresses, switches with subnets
 * @p: plan after topology_expand()
 */
void job_nodes(struct plan *p)
{
	struct json_object *list = json_object_new_array();
	struct subnet *nets = make_subnets(p);
	int i;

	for (i = 0; i < p->n_nodes; i++)
		add_node(p, i, nets, list);
	free(nets);
	job_add(p->base, J_NODES, list);
}

/**
 * job_links() - "links" of the job, with the "roce" ports at their ends
 * @p: plan after topology_expand()
 * @job: with what hosts are set to, if that is known
 *
 * Whether host ports mark is for key host_ecn to say. Unless it does, they do with dart,
 * which wants to hear of congestion at the source by marks. Likewise the switches' features.
 */
void job_links(struct plan *p, struct json_object *job)
{
	struct json_object *list = json_object_new_array(), *o;
	struct json_object *cc = job_get(job, J_CC);
	bool dart = strcmp(job_str(cc, J_CC_ALGO, "none"), "dart") == 0;
	int *ports = xcalloc(p->n_nodes, sizeof(*ports));
	int i;

	p->host_ecn = scenario_val(p->sc, "host_ecn", dart) != 0;
	switch_features_set(p, cc);
	for (i = 0; i < p->n_links; i++) {
		struct lab_link *l = &p->links[i];

		o = json_object_new_object();
		job_add_str(o, J_LINK_A, p->nodes[l->a].name);
		job_add_str(o, J_LINK_B, p->nodes[l->b].name);
		job_add(o, J_LINK_A_QDISC,
			qdisc_of(p, l, l->a, ++ports[l->a], 2 * i));
		job_add(o, J_LINK_B_QDISC,
			qdisc_of(p, l, l->b, ++ports[l->b], 2 * i + 1));
		json_object_array_add(list, o);
	}
	free(ports);
	job_add(job, J_LINKS, list);
}
