// SPDX-License-Identifier: GPL-2.0
/*
 * lab: types.csv of a run: the type of congestion that receivers believed in, beside what ports
 * and flows show. counts.csv comes from counts_csv.c, which this file calls.
 *
 * The truth about a flow goes by the ports of its way, whatever the algorithm thinks:
 *
 *	last_hop	the port to its receiver was sending for TRUTH_ETA of the last base RTT
 *	network		it was not, and another switch's port on the way has a queue of more
 *			than TRUTH_DELTA base RTTs of its speed
 *
 * The constants are those of RCC's paper (III-C, III-F). They are no parameters of a run,
 * so that an algorithm with other ones is wrong. A line at just TRUTH_ETA sends a whole
 * packet more or less in each base RTT, so a packet less is enough.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/belief_accuracy.h"
#include "results/results.h"

#define TRUTH_ETA	0.95
#define TRUTH_DELTA	0.2
/* What follows a change of the truth within so many base RTTs is not compared. */
#define SETTLE_RTTS	3

static const char *const type_names[] = { "none", "last_hop", "network" };

/* Samples of a port: how long it has been sending, and its queue. */
struct track {
	double *busy_ns, *queue_bytes;
};

/* What an algorithm said, from when on. */
struct said {
	int64_t *t_ns;
	int *type;
	size_t n, at;
};

struct types {
	struct results *r;
	struct plan *p;
	int64_t base_ns;
	double packet_bytes;
	int64_t *t_ns;			/* of the samples */
	size_t n, room;
	struct track *track;		/* by port: 2 * link, plus 1 from its end a */
	struct said *said;		/* by flow */
	bool any;
};

static int port_of(struct plan *p, const char *name)
{
	char *node = xasprintf("%.*s", (int)strcspn(name, "-"), name);
	int a = plan_find_node(p, node), i, port = -1;
	int b = name[strlen(node)] ? plan_find_node(p, name + strlen(node) + 1) : -1;

	for (i = 0; i < p->n_links && a >= 0 && b >= 0 && port < 0; i++)
		if (p->links[i].a == a && p->links[i].b == b)
			port = 2 * i + 1;
		else if (p->links[i].b == a && p->links[i].a == b)
			port = 2 * i;
	free(node);
	return port;
}

static void grow(struct types *c)
{
	int i;

	c->room = c->room ? 2 * c->room : 1024;
	c->t_ns = xrealloc(c->t_ns, c->room * sizeof(*c->t_ns));
	for (i = 0; i < 2 * c->p->n_links; i++) {
		struct track *t = &c->track[i];

		if (!t->busy_ns)
			continue;
		t->busy_ns = xrealloc(t->busy_ns, c->room * sizeof(*t->busy_ns));
		t->queue_bytes = xrealloc(t->queue_bytes, c->room * sizeof(*t->queue_bytes));
	}
}

/* All ports of a sample follow each other. */
static int port_row(const struct csv *row, void *ctx)
{
	struct types *c = ctx;
	int port = port_of(c->p, row->field[1]);
	int64_t t = row_time(c->r, row);
	struct track *track;

	if (port < 0)
		return csv_bad(row, "not a port's row:", row->field[0]);
	if (!c->n || c->t_ns[c->n - 1] != t) {
		if (c->n == c->room)
			grow(c);
		c->t_ns[c->n++] = t;
	}
	track = &c->track[port];
	if (!track->busy_ns) {
		track->busy_ns = xcalloc(c->room, sizeof(*track->busy_ns));
		track->queue_bytes = xcalloc(c->room, sizeof(*track->queue_bytes));
	}
	track->busy_ns[c->n - 1] = strtod(row->field[2], NULL);
	track->queue_bytes[c->n - 1] = strtod(row->field[3], NULL);
	return 0;
}

/* One of the flow's ends says something new. */
static int said_row(const struct csv *row, void *ctx)
{
	struct types *c = ctx;
	int64_t flow, type;
	struct said *s;

	if (csv_number(row, 1, &flow) || csv_number(row, 2, &type))
		return EXIT_RUN_FAILED;
	if (flow < 0 || flow >= c->r->n_series || type < 0 || type >= (int)ARRAY_SIZE(type_names))
		return 0;
	s = &c->said[flow];
	if (!(s->n & (s->n - 1))) {
		s->t_ns = xrealloc(s->t_ns, (s->n ? 2 * s->n : 1) * sizeof(*s->t_ns));
		s->type = xrealloc(s->type, (s->n ? 2 * s->n : 1) * sizeof(*s->type));
	}
	s->t_ns[s->n] = row_time(c->r, row);
	s->type[s->n++] = type;
	c->any = true;
	return 0;
}

/* How long a port was sending up to a time, linear between samples. */
static double busy_at(const struct types *c, const struct track *t, size_t k, int64_t at_ns)
{
	double part;

	while (k && c->t_ns[k - 1] >= at_ns)
		k--;
	if (!k)
		return 0;
	part = (double)(at_ns - c->t_ns[k - 1]) / (c->t_ns[k] - c->t_ns[k - 1]);
	return t->busy_ns[k - 1] + part * (t->busy_ns[k] - t->busy_ns[k - 1]);
}

/* Was the port busy for eta of the last base RTT, or of the last sample if that is longer? */
static bool is_full(const struct types *c, int port, size_t k)
{
	const struct track *t = &c->track[port];
	int64_t over_ns = c->base_ns, step_ns = k ? c->t_ns[k] - c->t_ns[k - 1] : 0;
	double packet_ns = c->packet_bytes * 8e9 / c->p->links[port / 2].rate_bps;

	if (step_ns > over_ns)
		over_ns = step_ns;
	return t->busy_ns[k] - busy_at(c, t, k, c->t_ns[k] - over_ns) + packet_ns >=
	       TRUTH_ETA * over_ns;
}

static bool is_queued(const struct types *c, int port, size_t k)
{
	return c->track[port].queue_bytes[k] >
	       TRUTH_DELTA * c->base_ns * c->p->links[port / 2].rate_bps / 8e9;
}

/* Ports from the first switch's on; none if they are not known, or not sampled. */
static int flow_ports(const struct types *c, int flow, int *ports)
{
	struct lab_flow *f = &c->p->flows[flow];
	int hops = plan_sole_path(c->p, f->src, f->dst, ports), at = f->src, i;

	for (i = 0; i < hops; i++) {
		struct lab_link *l = &c->p->links[ports[i]];
		bool from_a = l->a == at;

		at = from_a ? l->b : l->a;
		ports[i] = 2 * ports[i] + from_a;
		if (i && !c->track[ports[i]].busy_ns)
			return 0;
	}
	if (hops < 2)
		return 0;
	memmove(ports, ports + 1, (hops - 1) * sizeof(*ports));
	return hops - 1;
}

static int truth_at(const struct types *c, const int *ports, int n, size_t k)
{
	int i;

	if (is_full(c, ports[n - 1], k))
		return 1;
	for (i = 0; i < n - 1; i++)
		if (is_queued(c, ports[i], k))
			return 2;
	return 0;
}

static int said_at(struct said *s, int64_t t)
{
	while (s->at < s->n && s->t_ns[s->at] <= t)
		s->at++;
	return s->at ? s->type[s->at - 1] : 0;
}

/* A sample stands for the time until the next. */
static void flow_types(struct types *c, int flow, const int *ports, int n, FILE *f,
		       struct belief_accuracy *a)
{
	int64_t changed_ns = INT64_MIN;
	int truth = -1, type = -1, new_truth, new_type;
	size_t k;

	for (k = 0; k < c->n; k++) {
		if (!results_active(c->r, flow, c->t_ns[k]))
			continue;
		new_truth = truth_at(c, ports, n, k);
		new_type = said_at(&c->said[flow], c->t_ns[k]);
		if (new_truth != truth)
			changed_ns = c->t_ns[k];
		if (new_truth != truth || new_type != type)
			fprintf(f, "%" PRId64 ",%d,%s,%s\n", c->t_ns[k], flow,
				type_names[new_type], type_names[new_truth]);
		truth = new_truth;
		type = new_type;
		belief_accuracy_add(a, k + 1 < c->n ? c->t_ns[k + 1] - c->t_ns[k] : 0,
				    c->t_ns[k] - changed_ns >= SETTLE_RTTS * c->base_ns,
				    type == truth);
	}
}

static int write_types(struct types *c)
{
	int *ports = xcalloc(c->p->n_nodes, sizeof(*ports)), flow, n;
	FILE *f = csv_create(c->r->dir, T_TYPES, true);
	struct belief_accuracy all = {};

	if (!f) {
		free(ports);
		return EXIT_RUN_FAILED;
	}
	for (flow = 0; flow < c->r->n_series; flow++) {
		n = flow_ports(c, flow, ports);
		if (n)
			flow_types(c, flow, ports, n, f, &all);
	}
	json_object_object_add(c->r->summary, "types", belief_accuracy_json(&all));
	free(ports);
	return csv_finish(f, c->r->dir, T_TYPES);
}

static void types_free(struct types *c)
{
	int i;

	for (i = 0; i < 2 * c->p->n_links; i++) {
		free(c->track[i].busy_ns);
		free(c->track[i].queue_bytes);
	}
	for (i = 0; i < c->r->n_series; i++) {
		free(c->said[i].t_ns);
		free(c->said[i].type);
	}
	free(c->track);
	free(c->said);
	free(c->t_ns);
}

/**
 * results_types() - write types.csv and counts.csv, where an algorithm told something
 * @r: results with flows and series read
 *
 * Return: 0, or the exit status after a message.
 */
int results_types(struct results *r)
{
	struct types c = { .r = r, .p = r->plan, .base_ns = r->plan->base_rtt_ns };
	int rc;

	c.packet_bytes = wire_flow_bytes(r->plan, (int64_t)scenario_val(r->plan->sc, "mtu", 1024));
	c.track = xcalloc(2 * c.p->n_links, sizeof(*c.track));
	c.said = xcalloc(r->n_series + 1, sizeof(*c.said));
	rc = csv_rows(r->raw, T_RAW_PORTS, "t_ns,port,busy_ns,bytes", port_row, &c) ||
	     csv_rows(r->raw, T_RAW_TYPES, "t_ns,flow,type", said_row, &c);
	rc = rc || (c.any ? write_types(&c) : 0);
	rc = rc || results_counts(r, c.t_ns, c.n);
	types_free(&c);
	return rc ? EXIT_RUN_FAILED : 0;
}
