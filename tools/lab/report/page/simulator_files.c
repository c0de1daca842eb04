// SPDX-License-Identifier: GPL-2.0
/*
 * --fct: of each run fct.txt and, where ports were paused, pfc.txt as the public HPCC simulator
 * writes them, for its scripts. nodes.txt says which node has which number in them.
 *
 *	fct.txt		sip dip sport dport bytes start_ns fct_ns standalone_ns
 *	pfc.txt		ns node type port 1, and 0 where the pause ends; type 1: a switch
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/util.h"
#include "report/report.h"

/* Of the simulator: node n is 11.n/256.n%256.1, and flows of two hosts have ports from here on. */
#define ADDRESS(n)	(0x0b000001 + ((n) / 256) * 0x10000 + ((n) % 256) * 0x100)
#define FIRST_PORT	10000
#define PORTS		(UINT16_MAX + 1 - FIRST_PORT)
/* By this one its scripts tell incasts from other flows. */
#define DPORT		100
#define DPORT_INCAST	200

struct node {
	char *name;
	int seen;			/* which of the nodes it was */
	long nr;
	bool host;
};

/* A priority of a port that was paused; the pause that is known last is from @from to @to. */
struct paused {
	const char *port, *prio;
	const struct node *node;
	int index;
	int64_t from, to, last_t, last_sum;
	bool open;
};

struct event {
	int64_t t;
	size_t port;
	bool on;
};

struct files {
	struct rpt *r;
	const struct rpt_run *run;
	char *dir;
	struct node *node;		/* by name */
	size_t n_nodes;
	int64_t start_ns;		/* of the first flow, in the file that it came from */
};

static int cmp_name(const void *a, const void *b)
{
	return strcmp(((const struct node *)a)->name, ((const struct node *)b)->name);
}

static int cmp_seen(const void *a, const void *b)
{
	return ((const struct node *)a)->seen - ((const struct node *)b)->seen;
}

static int cmp_nr(const void *a, const void *b)
{
	long x = ((const struct node *)a)->nr, y = ((const struct node *)b)->nr;

	return (x > y) - (x < y);
}

static struct node *find_node(const struct files *fs, char *name)
{
	struct node key = { .name = name };

	return bsearch(&key, fs->node, fs->n_nodes, sizeof(key), cmp_name);
}

/* The node that a port "h0-sw" is of. */
static char *node_of_port(const char *port)
{
	return rpt_text("%.*s", (int)strcspn(port, "-"), port);
}

/*
 * In the network of a simulator's own file all names are a letter and the node's number in the
 * file: h0, s4.
 */
static bool numbers_in_names(struct files *fs)
{
	char letter, rest;
	size_t i;

	for (i = 0; i < fs->n_nodes; i++)
		if (sscanf(fs->node[i].name, "%c%ld%c", &letter, &fs->node[i].nr, &rest) != 2 ||
		    letter != (fs->node[i].host ? 'h' : 's') || fs->node[i].nr < 0)
			return false;
	qsort(fs->node, fs->n_nodes, sizeof(*fs->node), cmp_nr);
	for (i = 1; i < fs->n_nodes; i++)
		if (fs->node[i].nr == fs->node[i - 1].nr)
			return false;
	return true;
}

/* Other networks: hosts first, each in the order of the run's ports. */
static void number_in_order(struct files *fs)
{
	long next = 0;
	size_t i;
	int host;

	qsort(fs->node, fs->n_nodes, sizeof(*fs->node), cmp_seen);
	for (host = 1; host >= 0; host--)
		for (i = 0; i < fs->n_nodes; i++)
			if (fs->node[i].host == host)
				fs->node[i].nr = next++;
}

static void list_nodes(struct files *fs)
{
	struct json_object *switches = js_path(fs->run->summary, "switches");
	struct json_object *ports = js_path(fs->run->summary, "ports");
	size_t i, n = 0;

	if (!json_object_is_type(ports, json_type_object))
		return;
	fs->node = xcalloc(json_object_object_length(ports) + 1, sizeof(*fs->node));
	json_object_object_foreach(ports, port, unused) {
		struct node *node = &fs->node[fs->n_nodes];

		(void)unused;
		node->seen = fs->n_nodes++;
		node->name = node_of_port(port);
		node->host = !js_get(switches, node->name);
	}
	/* One of each name, the first that was seen. */
	qsort(fs->node, fs->n_nodes, sizeof(*fs->node), cmp_name);
	for (i = 0; i < fs->n_nodes; i++) {
		if (!n || strcmp(fs->node[n - 1].name, fs->node[i].name))
			fs->node[n++] = fs->node[i];
		else if (fs->node[i].seen < fs->node[n - 1].seen)
			fs->node[n - 1].seen = fs->node[i].seen;
	}
	fs->n_nodes = n;
	if (!numbers_in_names(fs))
		number_in_order(fs);
}

static FILE *create(struct files *fs, const char *name)
{
	char *path = rpt_text("%s/%s", fs->dir, name);
	FILE *f = fopen(path, "we");

	if (!f)
		rpt_warn(fs->r, "%s: %s", path, strerror(errno));
	return f;
}

static int finish(struct files *fs, const char *name, FILE *f)
{
	if (!f)
		return -1;
	if (!file_close(f))
		return 0;
	rpt_warn(fs->r, "%s/%s: %s", fs->dir, name, strerror(errno));
	return -1;
}

static int write_nodes(struct files *fs)
{
	FILE *f = create(fs, "nodes.txt");
	size_t i;

	qsort(fs->node, fs->n_nodes, sizeof(*fs->node), cmp_nr);
	for (i = 0; f && i < fs->n_nodes; i++)
		fprintf(f, "%ld %s\n", fs->node[i].nr, fs->node[i].name);
	return finish(fs, "nodes.txt", f);
}

/* Of the simulator: node 258 has 11.1.2.1. */
static unsigned long address(const struct node *n)
{
	return 0x0b000001 + n->nr / 256 * 0x10000 + n->nr % 256 * 0x100;
}

/* Flows that completed; of each pair of hosts the first has FIRST_PORT. */
static void write_flows(struct files *fs, struct csv *c, FILE *f)
{
	unsigned int *seen = xcalloc(fs->n_nodes * fs->n_nodes + 1, sizeof(*seen)), *port;
	const struct node *src, *dst;

	while (rpt_csv_next(c)) {
		src = find_node(fs, c->field[1]);
		dst = find_node(fs, c->field[2]);
		if (!src || !dst || !*c->field[5])
			continue;
		port = &seen[(src - fs->node) * fs->n_nodes + (dst - fs->node)];
		fprintf(f, "%08lx %08lx %u %u %s %" PRId64 " %s %s\n", address(src),
			address(dst), FIRST_PORT + (*port)++ % PORTS,
			strcmp(c->field[7], "incast") ? DPORT : DPORT_INCAST, c->field[3],
			fs->start_ns + (int64_t)strtoll(c->field[4], NULL, 10), c->field[5],
			c->field[6]);
	}
	free(seen);
}

static int write_fct(struct files *fs)
{
	struct csv c;
	FILE *f;

	if (!rpt_csv_open(fs->r, &c, fs->run, "flows.csv",
			  "id,src,dst,bytes,start_ns,fct_ns,ideal_fct_ns,?group"))
		return -1;
	f = create(fs, "fct.txt");
	if (f)
		write_flows(fs, &c, f);
	rpt_csv_close(fs->r, &c);
	return finish(fs, "fct.txt", f);
}

struct pauses {
	struct files *fs;
	struct paused *port;
	struct event *event;
	size_t n_ports, n_events, last;
	int64_t step_ns;		/* between samples */
};

/* Of the simulator ports count from 1 at each node. */
static int port_index(struct files *fs, const char *port)
{
	size_t len = strcspn(port, "-") + 1;
	int index = 0;

	json_object_object_foreach(js_path(fs->run->summary, "ports"), other, unused) {
		(void)unused;
		index += !strncmp(other, port, len);
		if (!strcmp(other, port))
			break;
	}
	return index;
}

/* Rows of a sample are in the order of those of the sample before. */
static struct paused *port_of(struct pauses *ps, const char *port, const char *prio)
{
	struct paused *p;
	size_t i;

	for (i = 0; i < ps->n_ports; i++) {
		ps->last = (ps->last + 1) % ps->n_ports;
		p = &ps->port[ps->last];
		if (!strcmp(p->port, port) && !strcmp(p->prio, prio))
			return p;
	}
	ps->port = xreallocarray(ps->port, ps->n_ports + 1, sizeof(*ps->port));
	ps->last = ps->n_ports;
	p = &ps->port[ps->n_ports++];
	*p = (struct paused) { .port = rpt_text("%s", port), .prio = rpt_text("%s", prio),
			       .node = find_node(ps->fs, node_of_port(port)),
			       .index = port_index(ps->fs, port) };
	return p;
}

static void end_pause(struct pauses *ps, struct paused *p)
{
	size_t port = p - ps->port;

	if (!p->open)
		return;
	ps->event = xreallocarray(ps->event, ps->n_events + 2, sizeof(*ps->event));
	ps->event[ps->n_events++] = (struct event) { p->from, port, true };
	ps->event[ps->n_events++] = (struct event) { p->to, port, false };
	p->open = false;
}

/*
 * A row has how long the port had been paused until then. What is new may have been anywhere in
 * the interval between two samples. It goes to the end of a pause that reached the last sample,
 * else before this one. So times are right to a sample, and their sum is exact.
 */
static void add_pause(struct pauses *ps, struct paused *p, int64_t t, int64_t sum)
{
	int64_t more = sum - p->last_sum;

	if (more > 0 && p->open && p->to == p->last_t && t - p->last_t <= ps->step_ns) {
		p->to += more;
	} else if (more > 0) {
		end_pause(ps, p);
		p->from = t - more;
		p->to = t;
		p->open = true;
	}
	p->last_t = t;
	p->last_sum = sum;
}

static bool open_pauses(struct files *fs, struct csv *c)
{
	return rpt_run_has(fs->run, "pauses.csv") &&
	       rpt_csv_open(fs->r, c, fs->run, "pauses.csv", "t_ns,port,prio,pause_ns");
}

static int64_t sample_step(struct files *fs)
{
	int64_t step = INT64_MAX, last = INT64_MAX, t;
	struct csv c;

	if (!open_pauses(fs, &c))
		return 0;
	while (rpt_csv_next(&c)) {
		t = strtoll(c.field[0], NULL, 10);
		if (t > last && t - last < step)
			step = t - last;
		last = t;
	}
	rpt_csv_close(fs->r, &c);
	return step;
}

/* A pause that ends when the next begins ends first. */
static int cmp_event(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	if (x->port != y->port)
		return x->port < y->port ? -1 : 1;
	return x->on - y->on;
}

static int put_events(struct pauses *ps)
{
	FILE *f = create(ps->fs, "pfc.txt");
	const struct paused *p;
	size_t i;

	if (ps->n_events)
		qsort(ps->event, ps->n_events, sizeof(*ps->event), cmp_event);
	for (i = 0; f && i < ps->n_events; i++) {
		p = &ps->port[ps->event[i].port];
		if (p->node)
			fprintf(f, "%" PRId64 " %ld %d %d %d\n",
				ps->event[i].t + ps->fs->start_ns, p->node->nr, !p->node->host,
				p->index, ps->event[i].on);
	}
	return finish(ps->fs, "pfc.txt", f);
}

static int write_pfc(struct files *fs)
{
	struct pauses ps = { .fs = fs, .step_ns = sample_step(fs) };
	struct csv c;
	size_t i;
	int rc;

	if (!open_pauses(fs, &c))
		return 0;
	while (rpt_csv_next(&c))
		add_pause(&ps, port_of(&ps, c.field[1], c.field[2]),
			  strtoll(c.field[0], NULL, 10), strtoll(c.field[3], NULL, 10));
	rpt_csv_close(fs->r, &c);
	for (i = 0; i < ps.n_ports; i++)
		end_pause(&ps, &ps.port[i]);
	rc = put_events(&ps);
	free(ps.port);
	free(ps.event);
	return rc;
}

static int write_run(struct rpt *r, const struct rpt_run *run)
{
	struct files fs = { .r = r, .run = run };
	int rc = -1;

	if (!run->summary)
		return 0;
	fs.dir = rpt_text("%s%s", r->outdir, run->dir + strlen(r->dir));
	fs.start_ns = js_int(js_path(run->summary, "traffic"), "file_start_ns", 0);
	list_nodes(&fs);
	if (mkdir_p(fs.dir)) {
		rpt_warn(r, "%s: %s", fs.dir, strerror(errno));
	} else if (!write_nodes(&fs)) {
		if (fs.n_nodes)
			qsort(fs.node, fs.n_nodes, sizeof(*fs.node), cmp_name);
		rc = write_fct(&fs) || write_pfc(&fs) ? -1 : 0;
	}
	free(fs.node);
	return rc;
}

/**
 * rpt_write_simulator_files() - fct.txt, pfc.txt and nodes.txt of all runs
 * @r: the report, its runs read
 *
 * They come below the output directory, in the same directories as the results.
 *
 * Return: 0, or -1 after a warning.
 */
int rpt_write_simulator_files(struct rpt *r)
{
	size_t i, k, n;
	int rc = 0;

	for (i = 0; i < r->nr_scen; i++)
		for (k = 0; k < r->scen[i].nr_algos; k++)
			for (n = 0; n < r->scen[i].algos[k].nr_runs; n++)
				rc |= write_run(r, &r->scen[i].algos[k].runs[n]);
	return rc;
}
