// SPDX-License-Identifier: GPL-2.0
/*
 * lab: figures of summary.json: completion times, slowdown, goodput, Jain's index, the
 * bottleneck's queue and utilization, a given window of time, latency.
 */
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/* Times of flows that completed; null if none did. */
static void add_fct(struct json_object *flows, int64_t *fct, size_t n)
{
	struct json_object *o = n ? json_object_new_object() : NULL;
	struct stats st = stats_of(fct, n);

	json_object_object_add(flows, "fct_ns", o);
	if (!o)
		return;
	js_add_int(o, "min", st.min);
	js_add_int(o, "mean", (int64_t)(st.mean + 0.5));
	js_add_int(o, "p50", st.p50);
	js_add_int(o, "p95", st.p95);
	js_add_int(o, "p99", st.p99);
	js_add_int(o, "max", st.max);
}

/* Slowdowns are sorted as integers, in parts per million. */
static void add_slowdown(struct json_object *flows, int64_t *ppm, size_t n)
{
	struct json_object *o = n ? json_object_new_object() : NULL;
	struct stats st = stats_of(ppm, n);

	json_object_object_add(flows, "slowdown", o);
	if (!o)
		return;
	js_add_dbl(o, "mean", st.mean / 1e6, 4);
	js_add_dbl(o, "p50", st.p50 / 1e6, 4);
	js_add_dbl(o, "p95", st.p95 / 1e6, 4);
	js_add_dbl(o, "p99", st.p99 / 1e6, 4);
	js_add_dbl(o, "max", st.max / 1e6, 4);
}

/**
 * results_flow_stats() - "flows", "goodput_bps" and "jain"
 * @r: results with flows and series read
 */
void results_flow_stats(struct results *r)
{
	int64_t *fct = xcalloc(r->n_flows, sizeof(*fct)), *ppm = xcalloc(r->n_flows, sizeof(*ppm));
	struct json_object *o = json_object_new_object();
	int64_t bytes = 0, span = r->last_ns - r->first_ns, ideal, stopped = 0;
	size_t i, n = 0;
	double index;
	bool valid;

	for (i = 0; i < r->n_flows; i++) {
		struct flow_result *f = &r->flows[i];

		bytes += f->bytes;
		stopped += f->stopped;
		if (!f->done)
			continue;
		fct[n] = f->fct_ns;
		ideal = results_ideal_ns(r, f);
		ppm[n++] = ideal ? (int64_t)(f->fct_ns * 1e6 / ideal + 0.5) : 0;
	}
	js_add_int(o, "count", r->n_flows);
	js_add_int(o, "completed", n);
	if (stopped)
		js_add_int(o, "stopped", stopped);
	js_add_int(o, "bytes", bytes);
	add_fct(o, fct, n);
	add_slowdown(o, ppm, n);
	json_object_object_add(r->summary, "flows", o);
	js_add_int(r->summary, "goodput_bps", span > 0 ? (int64_t)(bytes * 8e9 / span + 0.5) : 0);
	index = results_jain(r, &valid);
	if (valid)
		js_add_dbl(r->summary, "jain", index, 6);
	else
		json_object_object_add(r->summary, "jain", NULL);
	free(fct);
	free(ppm);
}

/* Payload of a flow between two times. */
static double moved(struct results *r, const struct flow_result *f, int64_t from, int64_t to)
{
	struct series *s = &r->series[f->id];
	size_t hint = 0;
	double before;

	if (f->id >= r->n_series)
		return 0;
	before = series_at(s, f->start_ns, from, &hint);
	return series_at(s, f->start_ns, to, &hint) - before;
}

static double jain(struct results *r, int64_t from, int64_t to, bool *valid)
{
	double sum = 0, squares = 0, x;
	size_t i;

	for (i = 0; i < r->n_flows; i++) {
		x = moved(r, &r->flows[i], from, to);
		sum += x;
		squares += x * x;
	}
	*valid = squares > 0;
	return squares > 0 ? sum * sum / (r->n_flows * squares) : 0;
}

/**
 * results_jain() - Jain's index of the goodputs while all flows are active
 * @r: results with flows and series read
 * @valid: false if there is no such time, or one flow only
 *
 * Return: the index.
 */
double results_jain(struct results *r, bool *valid)
{
	int64_t from = INT64_MIN, to = INT64_MAX;
	size_t i;

	*valid = false;
	for (i = 0; i < r->n_flows; i++) {
		struct flow_result *f = &r->flows[i];

		if (!f->done || f->id >= r->n_series)
			return 0;
		if (f->start_ns > from)
			from = f->start_ns;
		if (f->start_ns + f->fct_ns < to)
			to = f->start_ns + f->fct_ns;
	}
	if (r->n_flows < 2 || to - from < 2 * r->plan->sample_ns)
		return 0;
	return jain(r, from, to, valid);
}

struct queue_ctx {
	struct results *r;
	const char *port;
	int64_t from_ns, to_ns;		/* samples of this time count */
	int64_t prio_bytes[8];
	int64_t t_ns;			/* of the rows being gathered */
	int64_t *samples;
	size_t n, size;
};

static void queue_sample(struct queue_ctx *c, int64_t bytes)
{
	if (c->n == c->size) {
		c->size = c->size ? 2 * c->size : 1024;
		c->samples = xrealloc(c->samples, c->size * sizeof(*c->samples));
	}
	c->samples[c->n++] = bytes;
}

/* One sample for each interval from the last rows to @t; rows are left out while empty. */
static void queue_until(struct queue_ctx *c, int64_t t)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(c->prio_bytes); i++)
		sum += c->prio_bytes[i];
	for (; c->t_ns < t && c->t_ns <= c->to_ns; c->t_ns += c->r->plan->sample_ns)
		if (c->t_ns >= c->from_ns)
			queue_sample(c, sum);
	c->t_ns = t;
}

static int queue_row(const struct csv *row, void *ctx)
{
	int64_t t = strtoll(row->field[0], NULL, 10);
	unsigned int prio = strtoul(row->field[2], NULL, 10);
	struct queue_ctx *c = ctx;

	if (strcmp(row->field[1], c->port))
		return 0;
	if (t != c->t_ns)
		queue_until(c, t);
	if (prio < ARRAY_SIZE(c->prio_bytes))
		c->prio_bytes[prio] = strtoll(row->field[3], NULL, 10);
	return 0;
}

/* Not of a port that was not sampled. */
static void add_sampled(struct results *r, struct queue_ctx *c, struct json_object *o,
			const char *name, double p)
{
	if (plan_watches(r->plan, c->port))
		js_add_int(o, name, percentile(c->samples, c->n, p));
	else
		json_object_object_add(o, name, NULL);
}

static struct json_object *new_queue(struct results *r, const char *name, struct json_object *port,
				     int64_t from, int64_t to)
{
	struct queue_ctx c = { .r = r, .port = name, .from_ns = from, .to_ns = to };
	struct json_object *o = json_object_new_object();
	double kib_us = port_figure(port, "kib_us", false);

	csv_rows(r->dir, T_QUEUES, "t_ns,port,prio,bytes", queue_row, &c);
	queue_until(&c, to + 1);
	qsort(c.samples, c.n, sizeof(*c.samples), stats_cmp_i64);
	js_add_int(o, "mean", to > from ? (int64_t)(kib_us * 1024 * 1000 / (to - from) + 0.5) : 0);
	add_sampled(r, &c, o, "p50", 50);
	add_sampled(r, &c, o, "p99", 99);
	free(c.samples);
	return o;
}

static double utilization(struct json_object *port, int64_t from, int64_t to)
{
	return to > from ? (double)js_int(port, "busy_ns", 0) / (to - from) : 0;
}

/* Where the port marks, as far as it does. */
static void add_thresholds(struct results *r, struct json_object *b, const char *name)
{
	int node;
	const struct lab_link *l = plan_port(r->plan, name, &node);

	if (!l || !port_marks(r->plan, node))
		return;
	js_add_int(b, "kmin_bytes", port_kmin(r->plan, l));
	js_add_int(b, "kmax_bytes", port_kmax(r->plan, l));
}

static void add_queue(struct results *r, struct json_object *b, const char *name,
		      struct json_object *port)
{
	struct json_object *drops = port_drops_json(port), *o;

	o = new_queue(r, name, port, r->first_ns, r->last_ns);
	/* Peaks of priorities need not coincide: the largest is a fact. */
	js_add_int(o, "max", port_figure(port, "queue_peak_bytes", true));
	json_object_object_add(b, "queue_bytes", o);
	js_add_int(b, "ecn_marked", port_figure(port, "ecn_marked", false));
	js_add_int(b, "drops", js_int(drops, "total", 0));
	add_thresholds(r, b, name);
	json_object_put(drops);
}

/* The busiest port where the scenario names none; of equals the first. */
static char *bottleneck_name(struct results *r)
{
	struct json_object *ports = js_get(r->totals, "ports");
	struct plan *p = r->plan;
	const char *best = NULL;
	int64_t most = 0;

	if (p->bottleneck[0] >= 0)
		return xasprintf("%s-%s", p->nodes[p->bottleneck[0]].name,
				 p->nodes[p->bottleneck[1]].name);
	if (!ports)
		return NULL;
	json_object_object_foreach(ports, name, port) {
		if (js_int(port, "busy_ns", 0) <= most)
			continue;
		most = js_int(port, "busy_ns", 0);
		best = name;
	}
	return best ? xstrdup(best) : NULL;
}

/**
 * results_queue_stats() - "bottleneck"
 * @r: results; queues.csv must be written
 *
 * Utilization is the time the port was sending over the time from the first
 * flow's start to the last one's end.
 */
void results_queue_stats(struct results *r)
{
	char *name = bottleneck_name(r);
	struct json_object *b, *port;

	if (!name)
		return;
	port = js_get(js_get(r->totals, "ports"), name);
	b = json_object_new_object();
	js_add_str(b, "port", name);
	js_add_dbl(b, "utilization", utilization(port, r->first_ns, r->last_ns), 5);
	add_queue(r, b, name, port);
	json_object_object_add(r->summary, "bottleneck", b);
	free(name);
}

static struct json_object *window_goodput(struct results *r, int64_t from, int64_t to)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < r->n_flows && r->flows[i].id < r->n_series; i++)
		json_object_array_add(list, json_object_new_int64(to > from ?
			moved(r, &r->flows[i], from, to) * 8e9 / (to - from) + 0.5 : 0));
	return list;
}

/**
 * results_window() - "window": the part of the run between two given times
 * @r: results with flows and series read; queues.csv must be written
 *
 * There is none if the run ended before.
 */
void results_window(struct results *r)
{
	struct json_object *raw = js_get(r->totals, "window"), *from_ports = js_get(raw, "ports");
	struct json_object *o, *ports;
	int64_t from = js_int(raw, "from_ns", 0), to = js_int(raw, "to_ns", 0);
	double index;
	bool valid;

	if (!from_ports)
		return;
	o = json_object_new_object();
	ports = json_object_new_object();
	js_add_int(o, "from_ns", from);
	js_add_int(o, "to_ns", to);
	json_object_object_add(o, "goodput_bps", window_goodput(r, from, to));
	index = jain(r, from, to, &valid);
	if (valid)
		js_add_dbl(o, "jain", index, 6);
	js_add_int(o, "timeouts", js_int(raw, "timeouts", 0));
	json_object_object_foreach(from_ports, name, port) {
		struct json_object *p = json_object_new_object();

		js_add_dbl(p, "utilization", utilization(port, from, to), 5);
		js_add_int(p, "tx_packets", port_figure(port, "tx_packets", false));
		js_add_int(p, "tx_wire_bytes", port_figure(port, "tx_wire_bytes", false));
		json_object_object_add(p, "queue_bytes", new_queue(r, name, port, from, to));
		json_object_object_add(ports, name, p);
	}
	json_object_object_add(o, "ports", ports);
	json_object_object_add(r->summary, "window", o);
}

/**
 * results_latency() - "latency" of a ping-pong, beside the model
 * @r: results
 */
void results_latency(struct results *r)
{
	struct json_object *probe, *rtt, *o;

	if (!r->latency || !js_len(js_get(r->latency, "probes")))
		return;
	probe = js_at(js_get(r->latency, "probes"), 0);
	rtt = js_get(probe, "rtt_ns");
	o = json_object_new_object();
	js_add_int(o, "bytes", js_int(probe, "bytes", 0));
	js_add_int(o, "iterations", js_int(probe, "iterations", 0));
	js_add_int(o, "completed", js_int(probe, "completed", 0));
	js_add_int(o, "model_ns", r->plan->latency_model_ns);
	if (!js_int(probe, "completed", 0))
		rtt = NULL;
	json_object_object_add(o, "rtt_ns", json_object_get(rtt));
	json_object_object_add(r->summary, "latency", o);
}
