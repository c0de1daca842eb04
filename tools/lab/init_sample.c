// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: samples of rates and queues while the traffic runs, totals after it.
 *
 * Rows are raw material for the host side, which knows how flows and queue
 * pairs belong together with what the traffic generator wrote.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "init_run.h"

#define PRIOS	ARRAY_SIZE(((struct qdisc_stats *)NULL)->prio)

static int cmp_qp(const void *a, const void *b)
{
	const struct flow_qp *x = a, *y = b;
	int rc = strcmp(x->dev, y->dev);

	if (rc)
		return rc;
	return (x->qpn > y->qpn) - (x->qpn < y->qpn);
}

/* The side that sends data is the destination's when a flow reads. */
static int load_qps(struct sampler *s, const char *path, bool reads)
{
	struct json_object *flows;
	char *err = NULL;
	size_t i;

	s->qps_doc = js_load(path, &err);
	if (!s->qps_doc)
		return fail("%s", err);
	flows = js_get(s->qps_doc, "flows");
	s->n_qps = js_len(flows);
	s->qps = xcalloc(s->n_qps, sizeof(*s->qps));
	for (i = 0; i < s->n_qps; i++) {
		struct json_object *f = json_object_array_get_idx(flows, i);

		s->qps[i].dev = js_str(f, reads ? "dst" : "src", "");
		s->qps[i].qpn = js_int(f, reads ? "dst_qpn" : "qpn", 0);
		s->qps[i].flow = js_int(f, "flow", i);
	}
	qsort(s->qps, s->n_qps, sizeof(*s->qps), cmp_qp);
	return 0;
}

static FILE *open_csv(const char *out, const char *name, const char *head)
{
	char *path = xasprintf("%s/%s", out, name);
	FILE *f = fopen(path, "we");

	if (!f)
		fail("%s: %s", path, strerror(errno));
	else
		fprintf(f, "%s\n", head);
	free(path);
	return f;
}

/**
 * sampler_open() - prepare for samples
 * @s: sampler with @topo and @cc set
 * @job: "watch": pairs of nodes that name ports; "reads": flows are READs
 * @out: directory; flowgen/qps.json in it must exist
 *
 * Return: 0, or -1 after fail().
 */
int sampler_open(struct sampler *s, struct json_object *job, const char *out)
{
	struct json_object *watch = js_get(job, "watch");
	char *path = xasprintf("%s/flowgen/qps.json", out);
	size_t i;
	int rc;

	rc = load_qps(s, path, js_bool(job, "reads", false));
	free(path);
	if (rc)
		return rc;
	s->watch = xcalloc(s->topo->n_ports, sizeof(*s->watch));
	s->written = xcalloc(s->topo->n_ports * PRIOS, sizeof(*s->written));
	s->base = xcalloc(s->topo->n_ports, sizeof(*s->base));
	s->last = xcalloc(s->topo->n_ports, sizeof(*s->last));
	for (i = 0; i < js_len(watch); i++) {
		struct json_object *pair = json_object_array_get_idx(watch, i);
		const char *node, *peer;
		struct port *p;

		node = json_object_get_string(json_object_array_get_idx(pair, 0));
		peer = json_object_get_string(json_object_array_get_idx(pair, 1));
		p = topo_port(s->topo, node, peer);
		if (!p || !p->qdisc)
			return fail("watch: no port %s-%s", node, peer);
		s->watch[p->id] = true;
	}
	s->rates = open_csv(out, "cc.csv",
			    "t_ns,flow,cc_rate_bps,cwnd_bytes,inflight_bytes,acked_bytes");
	s->queues = open_csv(out, "queues.csv", "t_ns,port,prio,bytes,paused");
	return s->rates && s->queues ? 0 : -1;
}

static void print_opt(FILE *f, int64_t val, char end)
{
	if (val >= 0)
		fprintf(f, "%" PRId64, val);
	fputc(end, f);
}

static void on_qp(const struct cc_qp *qp, void *data)
{
	struct flow_qp key = { .dev = qp->dev, .qpn = qp->qpn }, *hit;
	struct sampler *s = data;

	hit = bsearch(&key, s->qps, s->n_qps, sizeof(*s->qps), cmp_qp);
	if (!hit)
		return;
	fprintf(s->rates, "%" PRId64 ",%d,", s->t_ns, hit->flow);
	print_opt(s->rates, qp->rate_bps, ',');
	print_opt(s->rates, qp->cwnd_bytes, ',');
	print_opt(s->rates, qp->inflight_bytes, ',');
	print_opt(s->rates, qp->acked_bytes, '\n');
}

/* An empty queue is written once: most queues are empty most of the time. */
static int sample_port(struct sampler *s, struct port *p)
{
	struct qdisc_stats *st = &s->last[p->id];
	size_t i;

	if (qdisc_stats(p, st))
		return -1;
	s->tx_packets += st->tx_packets;
	for (i = 0; i < PRIOS; i++) {
		bool *written = &s->written[p->id * PRIOS + i];

		if (!st->prio[i].used || (!st->prio[i].bytes && !*written))
			continue;
		*written = st->prio[i].bytes != 0;
		fprintf(s->queues, "%" PRId64 ",%s-%s,%zu,%" PRIu64 ",0\n", s->t_ns,
			p->node->name, p->peer->node->name, i, st->prio[i].bytes);
	}
	return 0;
}

/**
 * sampler_take() - one row for each flow and each watched queue
 * @s: sampler
 * @t_ns: time since t0
 *
 * Return: 0, or -1 after fail().
 */
int sampler_take(struct sampler *s, int64_t t_ns)
{
	int i;

	s->t_ns = t_ns;
	s->tx_packets = 0;
	for (i = 0; i < s->topo->n_ports; i++)
		if (s->watch[i] && sample_port(s, &s->topo->ports[i]))
			return -1;
	return s->cc ? cc_qp_dump(s->cc, on_qp, s) : 0;
}

/* Counters at t0: connecting queue pairs and warming up are not the run. */
int sampler_base(struct sampler *s)
{
	int i;

	for (i = 0; i < s->topo->n_ports; i++)
		if (s->topo->ports[i].qdisc &&
		    qdisc_stats(&s->topo->ports[i], &s->base[i]))
			return -1;
	return 0;
}

static void add_prio(struct json_object *list, size_t id, const struct qdisc_prio *a,
		     const struct qdisc_prio *b)
{
	struct json_object *o = json_object_new_object();

	js_add_int(o, "prio", id);
	js_add_int(o, "peak_bytes", b->peak_bytes);
	js_add_int(o, "kib_us", b->byte_ns - a->byte_ns);
	js_add_int(o, "tx_packets", b->tx_packets - a->tx_packets);
	js_add_int(o, "tx_wire_bytes", b->tx_wire_bytes - a->tx_wire_bytes);
	js_add_int(o, "ecn_marked", b->ecn_marked - a->ecn_marked);
	js_add_int(o, "ecn_not_ect", b->ecn_not_ect - a->ecn_not_ect);
	js_add_int(o, "drops", b->drop_limit + b->drop_port_limit + b->drop_other -
			       a->drop_limit - a->drop_port_limit - a->drop_other);
	json_object_array_add(list, o);
}

static int port_totals(struct sampler *s, struct port *p, struct json_object *out)
{
	struct json_object *o = json_object_new_object(), *prios = json_object_new_array();
	struct qdisc_stats *a = &s->base[p->id], *b = &s->last[p->id];
	char name[160];
	size_t i;

	if (qdisc_stats(p, b))
		return -1;
	js_add_int(o, "busy_ns", b->busy_ns - a->busy_ns);
	js_add_int(o, "tx_wire_bytes", b->tx_wire_bytes - a->tx_wire_bytes);
	js_add_int(o, "tx_packets", b->tx_packets - a->tx_packets);
	for (i = 0; i < PRIOS; i++)
		if (b->prio[i].used)
			add_prio(prios, i, &a->prio[i], &b->prio[i]);
	json_object_object_add(o, "prio", prios);
	snprintf(name, sizeof(name), "%s-%s", p->node->name, p->peer->node->name);
	json_object_object_add(out, name, o);
	return 0;
}

/**
 * sampler_totals() - counters of every port and device since t0
 * @s: sampler
 * @out: JSON object that receives "ports" and "counters"
 *
 * Return: 0, or -1 after fail().
 */
int sampler_totals(struct sampler *s, struct json_object *out)
{
	struct json_object *ports = json_object_new_object();
	struct json_object *counters = json_object_new_object();
	int i;

	json_object_object_add(out, "ports", ports);
	json_object_object_add(out, "counters", counters);
	for (i = 0; i < s->topo->n_ports; i++)
		if (s->topo->ports[i].qdisc && port_totals(s, &s->topo->ports[i], ports))
			return -1;
	for (i = 0; s->cc && i < s->topo->n_nodes; i++)
		if (s->topo->nodes[i].kind == NODE_HOST &&
		    cc_dev_counters(s->cc, s->topo->nodes[i].rdma, counters))
			return -1;
	return 0;
}

static int close_csv(FILE *f, const char *name)
{
	if (f && fclose(f))
		return fail("%s: %s", name, strerror(errno));
	return 0;
}

int sampler_close(struct sampler *s)
{
	int rc = close_csv(s->rates, "cc.csv");

	rc |= close_csv(s->queues, "queues.csv");
	free(s->qps);
	free(s->watch);
	free(s->written);
	free(s->base);
	free(s->last);
	if (s->qps_doc)
		json_object_put(s->qps_doc);
	return rc;
}
