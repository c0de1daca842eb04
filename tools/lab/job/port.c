// SPDX-License-Identifier: GPL-2.0
/*
 * What labinit is told of nodes and links: addresses, and the "roce" port at
 * each end of a link.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

#define DATA_PRIO		3

/* All hosts of a switch are in one subnet, and no two switches share one. */
#define FIRST_ADDR		0x0a000000	/* 10.0.0.0 */
#define SUBNET_MIN		256

/* rxe takes this much of a port's MTU for headers before it picks its own. */
#define RXE_HDR_ROOM		80
/* INT-MD: shim and header; and all that this lab's algorithms ask of a hop. */
#define INT_FIXED_BYTES		16
#define INT_HOP_BYTES		32

/* Default of the key kmax. */
#define KMAX_OVER_KMIN		4

/* What is lossy waits in the shared buffer, and nowhere else is there a limit. */
#define NO_LIMIT		UINT32_MAX

/* Addresses that LSCC's ports call each other by; nobody else sees them. */
#define LSCC_FIRST_ADDR		0xa9fe0001	/* 169.254.0.1 */
#define LSCC_LEAD_PERIODS	100
#define HPCCSTAR		"hpccstar"

/* A key of the scenario, and the same as labinit calls it. */
struct key_name {
	const char *key;
	enum job_key name;
};

static const struct key_name pfc_prio_keys[] = {
	{ "xoff", J_PRIO_XOFF },
	{ "xon", J_PRIO_XON },
	{ "xon_offset", J_PRIO_XON_OFFSET },
	{ "headroom", J_PRIO_HEADROOM },
};

static const struct key_name pfc_port_keys[] = {
	{ "pfc_quanta", J_PORT_PFC_QUANTA },
	{ "pfc_response", J_PORT_PFC_RESPONSE },
	{ "pfc_watchdog", J_PORT_PFC_WATCHDOG },
	{ "pfc_watchdog_action", J_PORT_PFC_ACTION },
};

static const struct key_name lscc_keys[] = {
	{ "lscc_qref", J_PORT_LSCC_QREF },
	{ "lscc_pseudo", J_PORT_LSCC_PSEUDO },
	{ "lscc_period", J_PORT_LSCC_PERIOD },
	{ "lscc_rtt", J_PORT_LSCC_RTT },
	{ "lscc_step", J_PORT_LSCC_STEP },
	{ "lscc_min", J_PORT_LSCC_MIN },
	{ "lscc_interval", J_PORT_LSCC_INTERVAL },
	{ "lscc_threshold", J_PORT_LSCC_THRESHOLD },
	{ "lscc_expiry", J_PORT_LSCC_EXPIRY },
};

static void add_key(struct plan *p, struct json_object *o, const char *key,
		    enum job_key name)
{
	struct key *k = scenario_key(p->sc, key);

	if (k && !k->is_auto)
		job_add_int(o, name, llround(k->val));
}

static void add_keys(struct plan *p, struct json_object *o, const struct key_name *k, size_t n)
{
	for (; n; n--, k++)
		add_key(p, o, k->key, k->name);
}

static bool is_on(struct plan *p, const char *key)
{
	return scenario_val(p->sc, key, 0) != 0;
}

/**
 * port_mtu() - the largest IP packet that a run can make
 * @p: plan whose flows are known
 *
 * It is the MTU of every port, and with it part of every computed headroom: more
 * would reserve buffer for packets that never come.
 *
 * Return: bytes.
 */
int64_t port_mtu(struct plan *p)
{
	int64_t room = ROCE_HDR_BYTES - ETH_HDR_BYTES + ROCE_RETH_BYTES;

	/* rxe takes that off, and what INT needs besides. */
	if (room < RXE_HDR_ROOM)
		room = RXE_HDR_ROOM;
	if (is_on(p, "int"))
		room += INT_FIXED_BYTES + (int64_t)p->max_hops * INT_HOP_BYTES;
	return (int64_t)scenario_val(p->sc, "mtu", 1024) + room;
}

/* Neither the user nor the scenario says: it goes by the rate. */
static bool by_rate(const struct key *k)
{
	return !k->set && strcmp(k->def, k->general) == 0;
}

/* The keys are of a link of the key rate. A kmin that goes by the rate does not pass a kmax. */
static int64_t key_kmin(struct plan *p, const struct lab_link *l)
{
	struct key *kmin = scenario_key(p->sc, "kmin"), *kmax = scenario_key(p->sc, "kmax");
	double v = kmin->val;

	if (!by_rate(kmin))
		return llround(v);
	v *= l->rate_bps / scenario_val(p->sc, "rate", l->rate_bps);
	if (l->kmax_bytes >= 0)
		return llround(fmin(v, l->kmax_bytes));
	return llround(by_rate(kmax) ? v : fmin(v, kmax->val));
}

/**
 * port_kmin() - queue where the ports of a link begin to mark
 * @p: plan
 * @l: link
 *
 * Return: what the link says or else the key or, unless that was set, 32 us of queue at the
 * rate of the link.
 */
int64_t port_kmin(struct plan *p, const struct lab_link *l)
{
	return l->kmin_bytes >= 0 ? l->kmin_bytes : key_kmin(p, l);
}

/**
 * port_kmax() - queue from which they mark every packet
 * @p: plan
 * @l: link
 *
 * Return: what the link says or else the key or, unless that was set, four times port_kmin().
 */
int64_t port_kmax(struct plan *p, const struct lab_link *l)
{
	struct key *kmax = scenario_key(p->sc, "kmax");

	if (l->kmax_bytes >= 0)
		return l->kmax_bytes;
	return by_rate(kmax) ? KMAX_OVER_KMIN * port_kmin(p, l) : llround(kmax->val);
}

/* By kmin, whether or not anything marks. */
static void add_mercury_prio(struct plan *p, struct lab_link *l, struct json_object *prio)
{
	job_add_int(prio, J_PRIO_MERCURY,
		    llround(scenario_val(p->sc, "mercury_threshold", port_kmin(p, l))));
}

static void add_mercury_port(struct plan *p, struct json_object *port)
{
	job_add_int(port, J_PORT_MERCURY_RTT,
		    llround(scenario_val(p->sc, "mercury_rtt", p->base_rtt_ns)));
	add_key(p, port, "mercury_period", J_PORT_MERCURY_PERIOD);
	add_key(p, port, "mercury_interval", J_PORT_MERCURY_INTERVAL);
	add_key(p, port, "mercury_ecn", J_PORT_MERCURY_ECN);
}

/* LSCC keeps a queue in the switches at its link: none of their ports marks. */
static bool keeps_queue(struct plan *p, int node)
{
	struct lab_node *n = &p->nodes[node];
	int i;

	for (i = 0; p->lscc && i < n->n_links; i++)
		if (p->links[n->links[i]].is_long)
			return true;
	return false;
}

/**
 * port_marks() - do the ports of a node mark
 * @p: plan after job_ports()
 * @node: node
 *
 * Return: true if so.
 */
bool port_marks(struct plan *p, int node)
{
	return is_on(p, "ecn") && (!p->nodes[node].host || p->host_ecn) && !keeps_queue(p, node);
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
		add_key(p, q, "ecn_not_ect", J_PRIO_NOT_ECT);
	}
	if (!is_switch)
		return q;
	add_key(p, q, "reserve", J_PRIO_RESERVE);
	add_key(p, q, "int_response", J_PRIO_INT_RESPONSE);
	if (p->mercury)
		add_mercury_prio(p, l, q);
	if (alpha && !alpha->is_auto)
		job_add_int(q, J_PRIO_ALPHA, llround(alpha->val * 65536));
	if (pfc) {
		add_keys(p, q, pfc_prio_keys, ARRAY_SIZE(pfc_prio_keys));
		add_link_xoff(l, q);
	}
	return q;
}

/* It is switched on some periods before the traffic, see qdisc_start(). */
static void add_lscc_port(struct plan *p, struct lab_link *l, int node, struct json_object *port)
{
	uint32_t a = LSCC_FIRST_ADDR + 2 * (uint32_t)(l - p->links);

	job_add_int(port, J_PORT_LSCC_SELF, node == l->a ? a : a + 1);
	job_add_int(port, J_PORT_LSCC_PEER, node == l->a ? a + 1 : a);
	add_keys(p, port, lscc_keys, ARRAY_SIZE(lscc_keys));
	job_add_int(port, J_PORT_LSCC_REPLY, p->lscc_int);
	job_add_int(port, J_PORT_LSCC_CLEAR,
		    strcmp(scenario_text(p->sc, "lscc_clear", "always"), "long") == 0);
	job_add_int(port, J_PORT_START_PRIO, DATA_PRIO);
	job_add_int(port, J_PORT_START_LEAD,
		    llround(LSCC_LEAD_PERIODS * scenario_val(p->sc, "lscc_period", 0)));
}

/* All ports of a switch share one buffer, of a size or of so much for each of them. */
static void add_buffer(struct plan *p, struct json_object *o, int node)
{
	double each = scenario_val(p->sc, "port_buffer", 0);

	if (each > 0)
		job_add_int(o, J_PORT_BUFFER, llround(each * p->nodes[node].n_links));
	else
		add_key(p, o, "buffer", J_PORT_BUFFER);
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
	job_add_int(o, J_PORT_SEED, (int64_t)(p->seed * 1000003 + seed));
	job_add_int(o, J_PORT_DIRECT, !direct || strcmp(direct, "off"));
	job_add_int(o, J_PORT_INT, is_on(p, "int"));
	job_add_int(o, J_PORT_INT_NODE, node + 1);
	job_add_int(o, J_PORT_INT_PORT, port);
	clock_add(p, node, o);
	if (is_switch) {
		job_add_bool(o, J_PORT_SWITCH, true);
		job_add_int(o, J_PORT_LIMIT, NO_LIMIT);
		add_buffer(p, o, node);
		add_key(p, o, "int_response_interval", J_PORT_INT_INTERVAL);
		if (p->mercury)
			add_mercury_port(p, o);
		if (p->lscc && l->is_long)
			add_lscc_port(p, l, node, o);
	} else {
		add_key(p, o, "nic_buffer", J_PORT_LIMIT);
	}
	if (is_on(p, "pfc"))
		add_keys(p, o, pfc_port_keys, ARRAY_SIZE(pfc_port_keys));
	json_object_array_add(prios, data_prio(p, l, node));
	job_add(o, J_PORT_PRIO, prios);
	short_prio_port(p, o);
	if (is_switch && p->iofd)
		iofd_port(p, l, node, o);
	return o;
}

static char *addr_text(uint32_t addr)
{
	return xasprintf("%u.%u.%u.%u", addr >> 24, addr >> 16 & 255, addr >> 8 & 255,
			 addr & 255);
}

/* The switch that a host is at; itself if there is none. */
static int access_of(struct plan *p, int host)
{
	struct lab_link *l = &p->links[p->nodes[host].links[0]];
	int peer = l->a == host ? l->b : l->a;

	return p->nodes[peer].host ? host : peer;
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
			nets[access_of(p, i)].n_hosts++;
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
	struct subnet *net = &nets[n->host ? access_of(p, node) : node];
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
 * @p: plan after topo_expand()
 */
void job_nodes(struct plan *p)
{
	struct json_object *list = json_object_new_array();
	struct subnet *nets = make_subnets(p);
	int i;

	for (i = 0; i < p->n_nodes; i++)
		add_node(p, i, nets, list);
	free(nets);
	job_add(p->job, J_NODES, list);
}

/**
 * job_links() - "links" of the job, with the "roce" ports at their ends
 * @p: plan after topo_expand()
 */
void job_links(struct plan *p)
{
	struct json_object *list = json_object_new_array(), *o;
	int *ports = xcalloc(p->n_nodes, sizeof(*ports));
	int i;

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
	job_add(p->job, J_LINKS, list);
}

/**
 * wants_mercury() - do the switches run Mercury, and hosts believe them?
 * @p: plan
 * @algo: algorithm
 *
 * Return: what the key mercury says; unless it does, with the algorithm of that name.
 */
bool wants_mercury(struct plan *p, const char *algo)
{
	return scenario_val(p->sc, "mercury", strcmp(algo, "mercury") == 0) != 0;
}

/**
 * wants_lscc() - do the switches at long links run LSCC, and hosts believe them?
 * @p: plan
 * @algo: algorithm
 *
 * Return: what the key lscc says, which only scenarios with a long link have; unless it
 * does, with the algorithm of that name and with hpccstar.
 */
bool wants_lscc(struct plan *p, const char *algo)
{
	bool one = strcmp(algo, "lscc") == 0 || strcmp(algo, HPCCSTAR) == 0;

	return scenario_key(p->sc, "lscc") && scenario_val(p->sc, "lscc", one) != 0;
}

/**
 * wants_lscc_int() - do they send direct INT instead of CNPs?
 * @p: plan
 * @algo: algorithm
 *
 * Return: what the key lscc_reply says; unless it does, with hpccstar.
 */
bool wants_lscc_int(struct plan *p, const char *algo)
{
	const char *reply = scenario_text(p->sc, "lscc_reply", "auto");

	if (!wants_lscc(p, algo))
		return false;
	return strcmp(reply, "auto") == 0 ? strcmp(algo, HPCCSTAR) == 0 : strcmp(reply, "int") == 0;
}

/**
 * job_ports() - "links" of the job, for an algorithm
 * @p: plan after job_links()
 * @cc: what hosts are set to, of cc_json()
 *
 * Whether host ports mark is for key host_ecn to say. Unless it does, they do with dart,
 * which wants to hear of congestion at the source by marks. Likewise Mercury, LSCC and IOFD.
 */
void job_ports(struct plan *p, struct json_object *cc)
{
	const char *algo = job_str(cc, J_CC_ALGO, "none");
	bool ecn = scenario_val(p->sc, "host_ecn", strcmp(algo, "dart") == 0) != 0;
	bool mercury = wants_mercury(p, algo), lscc = wants_lscc(p, algo);
	bool iofd = wants_iofd(p, cc), lscc_int = wants_lscc_int(p, algo);

	if (ecn == p->host_ecn && mercury == p->mercury && lscc == p->lscc &&
	    lscc_int == p->lscc_int && iofd == p->iofd)
		return;
	p->host_ecn = ecn;
	p->mercury = mercury;
	p->lscc = lscc;
	p->lscc_int = lscc_int;
	p->iofd = iofd;
	job_links(p);
}
