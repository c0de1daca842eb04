// SPDX-License-Identifier: GPL-2.0
/*
 * From a scenario's "hosts", "switches" and "links" to a graph of nodes and links, and the
 * shortest paths in it.
 */
#include <limits.h>
#include <linux/pkt_sched_roce.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

/* Interface names of switch ports are node names. */
#define NODE_NAME_MAX	15
#define LOOP_MAX	100000

/* Loop variables and keys of the scenario. */
int plan_var(void *ctx, const char *name, double *val)
{
	struct loop *l = ctx;
	struct plan *p = l->p;

	if (strcmp(name, "i") == 0) {
		*val = l->i;
		return 0;
	}
	if (strcmp(name, "j") == 0) {
		*val = l->j;
		return 0;
	}
	if (strcmp(name, "perm") == 0 && l->i < p->n_perm) {
		*val = p->perm[l->i];
		return 0;
	}
	return scenario_var(p->sc, name, val);
}

/**
 * plan_number() - value of an expression in a scenario file
 * @l: loop variables
 * @entry: entry of a section
 * @member: which expression of it
 * @def: expression when there is none
 * @val: result
 *
 * Return: 0, or the exit status after a message.
 */
int plan_number(struct loop *l, struct json_object *entry, const char *member, const char *def,
		double *val)
{
	const char *text = js_str(entry, member, def);
	char *err = NULL;

	if (expr_eval(text, plan_var, l, val, &err)) {
		run_error("scenario %s: %s: %s", l->p->sc->name, member, err);
		free(err);
		return EXIT_RUN_FAILED;
	}
	return 0;
}

char *plan_name(struct loop *l, struct json_object *entry, const char *member)
{
	char *err = NULL, *name;

	name = expr_expand(js_str(entry, member, ""), plan_var, l, &err);
	if (!name)
		run_error("scenario %s: %s: %s", l->p->sc->name, member, err);
	free(err);
	return name;
}

static int run_entry(struct loop *l, struct json_object *entry, loop_fn fn)
{
	double ni, nj;
	int rc;

	l->i = 0;
	l->j = 0;
	if (plan_number(l, entry, "for", "1", &ni))
		return EXIT_RUN_FAILED;
	for (l->i = 0; l->i < ni && l->i < LOOP_MAX; l->i++) {
		l->j = 0;
		if (plan_number(l, entry, "for2", "1", &nj))
			return EXIT_RUN_FAILED;
		for (l->j = 0; l->j < nj && l->j < LOOP_MAX; l->j++) {
			rc = fn(l, entry);
			if (rc)
				return rc;
		}
	}
	return 0;
}

/**
 * plan_for_each() - go through a section of the scenario file
 * @p: plan
 * @section: name of a list
 * @fn: called for each entry, "for" times "for2" times
 *
 * Return: 0, or what @fn returned.
 */
int plan_for_each(struct plan *p, const char *section, loop_fn fn)
{
	struct json_object *list = js_get(p->sc->doc, section);
	struct loop l = { .p = p };
	size_t i;
	int rc;

	for (i = 0; i < js_len(list); i++) {
		rc = run_entry(&l, js_at(list, i), fn);
		if (rc)
			return rc;
	}
	return 0;
}

int plan_find_node(struct plan *p, const char *name)
{
	int i;

	for (i = 0; i < p->n_nodes; i++)
		if (strcmp(p->nodes[i].name, name) == 0)
			return i;
	return -1;
}

static int add_node(struct loop *l, struct json_object *entry, bool host)
{
	char *name = plan_name(l, entry, "name");
	struct plan *p = l->p;
	struct lab_node *n;

	if (!name)
		return EXIT_RUN_FAILED;
	if (!*name || strlen(name) > NODE_NAME_MAX || plan_find_node(p, name) >= 0)
		return run_error("scenario %s: node name \"%s\" is empty, too long or twice there",
				 p->sc->name, name);
	p->nodes = xrealloc(p->nodes, (p->n_nodes + 1) * sizeof(*p->nodes));
	n = &p->nodes[p->n_nodes++];
	memset(n, 0, sizeof(*n));
	n->name = name;
	n->host = host;
	n->role = *js_str(entry, "role", "");
	p->n_hosts += host;
	return 0;
}

static int add_host(struct loop *l, struct json_object *entry)
{
	return add_node(l, entry, true);
}

static int add_switch(struct loop *l, struct json_object *entry)
{
	return add_node(l, entry, false);
}

static int link_end(struct loop *l, struct json_object *entry, const char *member)
{
	struct plan *p = l->p;
	char *name = plan_name(l, entry, member);
	struct lab_node *n;
	int node;

	if (!name)
		return -1;
	node = plan_find_node(p, name);
	if (node < 0) {
		run_error("scenario %s: link to unknown node \"%s\"", p->sc->name, name);
	} else {
		n = &p->nodes[node];
		n->links = xrealloc(n->links, (n->n_links + 1) * sizeof(*n->links));
		n->links[n->n_links++] = p->n_links;
	}
	free(name);
	return node;
}

/* What may be left to the rate of the link: not there, or a key that is auto. */
static int number_or_auto(struct loop *l, struct json_object *entry, const char *member,
			  int64_t *val)
{
	struct key *k = scenario_key(l->p->sc, js_str(entry, member, "auto"));
	double v = -1;

	if (js_get(entry, member) && !(k && k->is_auto) &&
	    plan_number(l, entry, member, "0", &v))
		return EXIT_RUN_FAILED;
	*val = llround(v);
	return 0;
}

static int add_link(struct loop *l, struct json_object *entry)
{
	struct plan *p = l->p;
	double rate, delay, loss, xoff, xon, is_long;
	struct lab_link *k;

	p->links = xrealloc(p->links, (p->n_links + 1) * sizeof(*p->links));
	k = &p->links[p->n_links];
	k->a = link_end(l, entry, "a");
	k->b = k->a < 0 ? -1 : link_end(l, entry, "b");
	if (k->a < 0 || k->b < 0 || plan_number(l, entry, "rate", "rate", &rate) ||
	    plan_number(l, entry, "delay", "delay", &delay) ||
	    plan_number(l, entry, "loss", "loss", &loss) ||
	    plan_number(l, entry, "xoff", "0", &xoff) ||
	    plan_number(l, entry, "xon", "0", &xon) ||
	    number_or_auto(l, entry, "kmin", &k->kmin_bytes) ||
	    number_or_auto(l, entry, "kmax", &k->kmax_bytes) ||
	    plan_number(l, entry, "long", "0", &is_long))
		return EXIT_RUN_FAILED;
	if (!(loss >= 0 && loss <= 1))
		return run_error("scenario %s: link %s-%s: loss %g: not a share from 0 to 1",
				 p->sc->name, p->nodes[k->a].name, p->nodes[k->b].name, loss);
	k->loss_ppb = llround(loss * TC_ROCE_LOSS_ONE);
	k->rate_bps = llround(rate);
	k->delay_ns = llround(delay);
	k->xoff_bytes = llround(xoff);
	k->xon_bytes = llround(xon);
	k->is_long = is_long != 0;
	p->n_links++;
	return 0;
}

static int other_end(struct plan *p, int link, int node)
{
	return p->links[link].a == node ? p->links[link].b : p->links[link].a;
}

/**
 * plan_port() - the link of a port
 * @p: plan
 * @name: of the port, NODE-NEIGHBOUR
 * @node: receives the node that has it
 *
 * Return: the link, or NULL if there is no such port.
 */
const struct lab_link *plan_port(struct plan *p, const char *name, int *node)
{
	size_t len;
	int i, k;

	for (i = 0; i < p->n_links; i++) {
		for (k = 0; k < 2; k++) {
			int from = k ? p->links[i].b : p->links[i].a;

			len = strlen(p->nodes[from].name);
			if (strncmp(name, p->nodes[from].name, len) || name[len] != '-' ||
			    strcmp(name + len + 1, p->nodes[other_end(p, i, from)].name))
				continue;
			*node = from;
			return &p->links[i];
		}
	}
	return NULL;
}

#define NO_PATH		INT_MAX

/*
 * Links from every node to @dst; hosts do not forward. @order receives the
 * nodes that can reach it, the nearest first. Returns how many.
 */
static int distances(struct plan *p, int dst, int *dist, int *order)
{
	int head = 0, tail = 0, i, n, m;

	for (i = 0; i < p->n_nodes; i++)
		dist[i] = NO_PATH;
	dist[dst] = 0;
	order[tail++] = dst;
	while (head < tail) {
		n = order[head++];
		if (n != dst && p->nodes[n].host)
			continue;
		for (i = 0; i < p->nodes[n].n_links; i++) {
			m = other_end(p, p->nodes[n].links[i], n);
			if (dist[m] != NO_PATH)
				continue;
			dist[m] = dist[n] + 1;
			order[tail++] = m;
		}
	}
	return tail;
}

/* Does a shortest path to where @dist counts from lead from @n over this link. */
static bool leads_on(struct plan *p, const int *dist, int n, int link)
{
	int m = other_end(p, link, n);

	return dist[m] == dist[n] - 1 && (!dist[m] || !p->nodes[m].host);
}

/* From a node to the destination: the lowest rate on the way, the round trip of a full packet. */
struct way {
	int64_t rate_bps, rtt_ns;
	int link, n_links;		/* the first of it; of so many that lead there */
};

/* Is the way @a what is asked for rather than @b? */
static bool rather(const struct way *a, const struct way *b, enum plan_way which)
{
	if (which == WAY_SLOWEST)
		return a->rtt_ns > b->rtt_ns;
	if (which == WAY_BY_RATE && a->rate_bps != b->rate_bps)
		return a->rate_bps > b->rate_bps;
	return a->rtt_ns != b->rtt_ns ? a->rtt_ns < b->rtt_ns : a->rate_bps > b->rate_bps;
}

/* One of the shortest ways from each node in @order; of those alike that of the first link. */
static void find_ways(struct plan *p, const int *dist, const int *order, int n_order,
		      enum plan_way which, struct way *ways)
{
	int64_t bytes = scenario_val(p->sc, "mtu", 1024) + 2 * ROCE_WIRE_OVERHEAD + ROCE_AETH_BYTES;
	const struct lab_link *l;
	struct way way, *best;
	int i, k, n;

	ways[order[0]] = (struct way){ .rate_bps = INT64_MAX };
	for (k = 1; k < n_order; k++) {
		n = order[k];
		best = &ways[n];
		for (i = 0; i < p->nodes[n].n_links; i++) {
			if (!leads_on(p, dist, n, p->nodes[n].links[i]))
				continue;
			l = &p->links[p->nodes[n].links[i]];
			way = ways[other_end(p, p->nodes[n].links[i], n)];
			if (l->rate_bps < way.rate_bps)
				way.rate_bps = l->rate_bps;
			way.rtt_ns += bytes * 8 * NSEC_PER_SEC / l->rate_bps + 2 * l->delay_ns;
			way.link = p->nodes[n].links[i];
			way.n_links = best->n_links + 1;
			if (!best->n_links || rather(&way, best, which))
				*best = way;
			best->n_links = way.n_links;
		}
	}
}

/* @sole: there is to be one only. */
static int shortest(struct plan *p, int src, int dst, enum plan_way which, int *links, bool sole)
{
	struct way *ways = xcalloc(p->n_nodes, sizeof(*ways));
	int *dist = xcalloc(p->n_nodes, sizeof(*dist));
	int *order = xcalloc(p->n_nodes, sizeof(*order));
	int hops = 0, n = src;

	find_ways(p, dist, order, distances(p, dst, dist, order), which, ways);
	while (n != dst && dist[n] != NO_PATH && (!sole || ways[n].n_links == 1)) {
		links[hops++] = ways[n].link;
		n = other_end(p, links[hops - 1], n);
	}
	free(ways);
	free(dist);
	free(order);
	return n == dst ? hops : -1;
}

/**
 * plan_access_of() - the switch that a host is at
 * @p: plan
 * @host: node
 *
 * Return: node; @host itself if there is none.
 */
int plan_access_of(const struct plan *p, int host)
{
	const struct lab_link *l = &p->links[p->nodes[host].links[0]];
	int peer = l->a == host ? l->b : l->a;

	return p->nodes[peer].host ? host : peer;
}

/**
 * plan_path() - a shortest path between two hosts
 * @p: plan
 * @src: node
 * @dst: node
 * @which: of several
 * @links: receives the links in order; room for as many as there are nodes
 *
 * Return: number of links, or -1 if there is no path.
 */
int plan_path(struct plan *p, int src, int dst, enum plan_way which, int *links)
{
	return shortest(p, src, dst, which, links, false);
}

/**
 * plan_sole_path() - the path between two hosts, where no hash has a choice
 * @p: plan
 * @src: node
 * @dst: node
 * @links: receives the links in order; room for as many as there are nodes
 *
 * Return: number of links, or -1 if there is no path, or more than one.
 */
int plan_sole_path(struct plan *p, int src, int dst, int *links)
{
	return shortest(p, src, dst, WAY_BY_RATE, links, true);
}

int plan_hops(struct plan *p, int src, int dst)
{
	int *links = xcalloc(p->n_nodes, sizeof(*links));
	int hops = plan_path(p, src, dst, WAY_BY_RATE, links);

	free(links);
	return hops;
}

/**
 * plan_spread_to() - how equal-cost paths share what goes to one host
 * @p: plan
 * @dst: node
 * @part: at each node, what it sends; changed
 * @share: at 2 * link, and plus 1 in the direction from its end a: what the link
 *	carries is added, if each switch divides its part equally
 */
void plan_spread_to(struct plan *p, int dst, double *part, double *share)
{
	int *dist = xcalloc(p->n_nodes, sizeof(*dist));
	int *order = xcalloc(p->n_nodes, sizeof(*order));
	int n_order = distances(p, dst, dist, order), n, i, link, next;

	/* The farthest first: all that a node gets is there when its turn comes. */
	while (n_order-- > 1) {
		n = order[n_order];
		for (i = 0, next = 0; part[n] > 0 && i < p->nodes[n].n_links; i++)
			next += leads_on(p, dist, n, p->nodes[n].links[i]);
		for (i = 0; part[n] > 0 && i < p->nodes[n].n_links; i++) {
			link = p->nodes[n].links[i];
			if (!leads_on(p, dist, n, link))
				continue;
			share[2 * link + (p->links[link].a == n)] += part[n] / next;
			part[other_end(p, link, n)] += part[n] / next;
		}
	}
	free(dist);
	free(order);
}

/**
 * plan_data_ways() - which ports data may pass
 * @p: plan with its flows
 *
 * Return: new array; at 2 * link, and plus 1 in the direction from its end a: that
 *	direction is on a shortest path of some flow's data.
 */
bool *plan_data_ways(struct plan *p)
{
	bool *sends = xcalloc((size_t)p->n_nodes * p->n_nodes, sizeof(*sends));
	bool *ways = xcalloc(2 * (size_t)p->n_links, sizeof(*ways));
	double *part = xcalloc(p->n_nodes, sizeof(*part));
	double *share = xcalloc(2 * (size_t)p->n_links, sizeof(*share));
	int i, n;
	bool any;

	for (i = 0; i < p->n_flows; i++)
		sends[(size_t)p->flows[i].dst * p->n_nodes + p->flows[i].src] = true;
	for (i = 0; i < p->n_nodes; i++) {
		any = false;
		for (n = 0; n < p->n_nodes; n++) {
			part[n] = sends[(size_t)i * p->n_nodes + n];
			any |= sends[(size_t)i * p->n_nodes + n];
		}
		if (any)
			plan_spread_to(p, i, part, share);
	}
	for (i = 0; i < 2 * p->n_links; i++)
		ways[i] = share[i] > 0;
	free(sends);
	free(part);
	free(share);
	return ways;
}

static int find_bottleneck(struct plan *p)
{
	struct json_object *b = js_get(p->sc->doc, "bottleneck");
	struct loop l = { .p = p };
	int i;

	p->bottleneck[0] = -1;
	p->bottleneck[1] = -1;
	for (i = 0; i < 2 && js_len(b) == 2; i++) {
		const char *text = json_object_get_string(js_at(b, i));
		char *err = NULL, *name;

		name = expr_expand(text, plan_var, &l, &err);
		p->bottleneck[i] = name ? plan_find_node(p, name) : -1;
		free(name);
		free(err);
		if (p->bottleneck[i] < 0)
			return run_error("scenario %s: bottleneck: unknown node \"%s\"",
					 p->sc->name, text);
	}
	return 0;
}

/* xorshift64*: the same on every machine and with every C library. */
static uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/* Sattolo's shuffle: one cycle, so that nobody sends to himself. */
static int make_permutation(struct plan *p)
{
	uint64_t state = p->seed * 0x9e3779b97f4a7c15ULL + 1;
	struct loop l = { .p = p };
	double n = 0;
	int i, j, tmp;

	if (!js_get(p->sc->doc, "permutation"))
		return 0;
	if (plan_number(&l, p->sc->doc, "permutation", "0", &n))
		return EXIT_RUN_FAILED;
	if (!(n >= 0 && n <= LOOP_MAX))
		return run_error("scenario %s: permutation: not 0 to %d", p->sc->name, LOOP_MAX);
	p->n_perm = (int)n;
	p->perm = xcalloc(p->n_perm, sizeof(*p->perm));
	for (i = 0; i < p->n_perm; i++)
		p->perm[i] = i;
	for (i = p->n_perm - 1; i > 0; i--) {
		j = random_next(&state) % i;
		tmp = p->perm[i];
		p->perm[i] = p->perm[j];
		p->perm[j] = tmp;
	}
	return 0;
}

/* A port has the name of the node behind it, so two nodes have one link at most. */
static int check_link(struct plan *p, int link)
{
	struct lab_link *l = &p->links[link];
	struct lab_node *n = &p->nodes[l->a];
	int i;

	if (l->a == l->b)
		return usage_error("scenario %s: node %s is linked to itself", p->sc->name,
				   n->name);
	for (i = 0; i < n->n_links; i++)
		if (n->links[i] < link && other_end(p, n->links[i], l->a) == l->b)
			return usage_error("scenario %s: nodes %s and %s are linked twice",
					   p->sc->name, n->name, p->nodes[l->b].name);
	return 0;
}

/*
 * What labinit can build: a host has one RDMA device over one port, with one address in the
 * subnet of its switch.
 */
static int check_graph(struct plan *p)
{
	int i, rc = 0;

	for (i = 0; i < p->n_nodes; i++) {
		struct lab_node *n = &p->nodes[i];

		if (!n->n_links)
			return usage_error("scenario %s: node %s has no link", p->sc->name,
					   n->name);
		if (n->host && n->n_links > 1)
			return usage_error("scenario %s: host %s has %d links, a host can have one",
					   p->sc->name, n->name, n->n_links);
	}
	for (i = 0; i < p->n_links && !rc; i++)
		rc = check_link(p, i);
	return rc;
}

/**
 * topology_expand() - make the graph of a scenario
 * @p: plan with scenario and seed
 *
 * Return: 0, or the exit status after a message.
 */
int topology_expand(struct plan *p)
{
	int rc;

	if (make_permutation(p) || plan_for_each(p, "hosts", add_host) ||
	    plan_for_each(p, "switches", add_switch) || plan_for_each(p, "links", add_link))
		return EXIT_RUN_FAILED;
	rc = check_graph(p);
	return rc ? rc : find_bottleneck(p);
}
