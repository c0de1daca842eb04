// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the figures of a run under a workload: "traffic", "measured", "tiers" and
 * "fct_bins" of summary.json, and their tables.
 */
#include <stdlib.h>
#include <string.h>

#include "results/flow_figures.h"
#include "results/results.h"

static void get_result(const void *ctx, size_t i, struct flow_outcome *f)
{
	const struct results *r = ctx;
	const struct flow_result *x = &r->flows[i];

	*f = (struct flow_outcome){
		.bytes = x->bytes, .start_ns = x->start_ns, .fct_ns = x->fct_ns,
		.ideal_ns = results_ideal_ns(r, x), .done = x->done,
		.stopped = x->stopped, .group = r->plan->flows[x->id].group,
	};
}

/* What is completed when packets leave the host has no slowdown. */
static void get_unreliable(const void *ctx, size_t i, struct flow_outcome *f)
{
	get_result(ctx, i, f);
	f->ideal_ns = 0;
}

static struct flow_set run_set(const struct results *r)
{
	return (struct flow_set){
		.n = r->n_flows, .ctx = r,
		.get = results_unreliable(r) ? get_unreliable : get_result,
		.groups = r->plan->groups, .n_groups = r->plan->n_groups,
		.from_ns = r->plan->measure_from_ns, .to_ns = r->plan->measure_to_ns,
		.bins = SLOWDOWN_BINS,
	};
}

/*
 * Of what a flow moved, the part that went between two times if its rate was even.
 * What did not complete went on to its last completion or planned end, or to that
 * of the run.
 */
static double share_between(const struct results *r, const struct flow_result *f, int64_t from,
			    int64_t to)
{
	int64_t a = f->start_ns, b = r->last_ns, stop = plan_flow_stop_ns(r->plan, f->id), took;

	if (f->done || (f->stopped && f->fct_ns > 0))
		b = f->start_ns + f->fct_ns;
	else if (f->stopped && stop)
		b = stop;
	took = b - a;
	if (took <= 0)
		return a >= from && a < to;
	a = a > from ? a : from;
	b = b < to ? b : to;
	return b > a ? (double)(b - a) / took : 0;
}

/* What load 1 is; the sum of the hosts' links unless the workload says otherwise. */
static double capacity_bps(const struct plan *p)
{
	double sum = js_dbl(p->traffic, "capacity_bps", 0);
	int i;

	if (sum > 0)
		return sum;
	for (i = 0; i < p->n_links; i++)
		if (p->nodes[p->links[i].a].host || p->nodes[p->links[i].b].host)
			sum += p->links[i].rate_bps;
	return sum;
}

/* What flows of one group moved in the window, and how many of them did. */
struct moved {
	double payload, wire;
	int64_t flows;
};

static void add_goodput(struct json_object *o, const struct moved *m, int64_t span)
{
	js_add_int(o, "active_flows", m->flows);
	js_add_int(o, "payload_bytes", (int64_t)(m->payload + 0.5));
	js_add_int(o, "wire_bytes", (int64_t)(m->wire + 0.5));
	js_add_dbl(o, "goodput_bps", span > 0 ? m->payload * 8e9 / span : 0, 0);
}

/* What a background flow would bring in the window if nothing hindered it. */
static double line_share(const struct results *r, const struct flow_result *f, int64_t from,
			 int64_t to)
{
	int64_t a = f->start_ns > from ? f->start_ns : from, stop;
	int src = r->plan->flows[f->id].src;

	stop = plan_flow_stop_ns(r->plan, f->id);
	if (to > stop)
		to = stop;
	return to > a ? r->plan->links[r->plan->nodes[src].links[0]].rate_bps / 8e9 * (to - a) : 0;
}

/* Flows that are watched for their rate, such as long ones, may start before the window. */
static void add_groups(struct results *r, struct json_object *measured, const struct moved *m,
		       int64_t span)
{
	struct json_object *groups = js_get(measured, "groups"), *o;
	int g;

	for (g = 0; groups && g < r->plan->n_groups; g++) {
		o = r->plan->groups[g] ? js_get(groups, r->plan->groups[g]) : NULL;
		if (o)
			add_goodput(o, &m[g], span);
	}
}

/*
 * Offered is what flows that start in the window bring, and background flows at
 * line rate in it; carried what all flows moved in it; both of the data, sent once,
 * in wire bytes unless the load counts payload, over the capacity.
 */
static void add_load(struct results *r, struct json_object *measured)
{
	bool payload = strcmp(js_str(r->plan->traffic, "load_counts", "wire"), "payload") == 0;
	int64_t from = r->plan->measure_from_ns, to = r->plan->measure_to_ns, wire;
	struct moved *m = xcalloc(r->plan->n_groups + 1, sizeof(*m)), all = {};
	double offered = 0, part, capacity;
	size_t i;

	if (to == INT64_MAX)
		to = r->plan->stop_ns;
	for (i = 0; i < r->n_flows; i++) {
		const struct flow_result *f = &r->flows[i];
		struct moved *g = &m[r->plan->flows[f->id].group];

		wire = wire_flow_bytes(r->plan, f->bytes);
		if (f->stopped)
			offered += line_share(r, f, from, to);
		else if (f->start_ns >= from && f->start_ns < r->plan->measure_to_ns)
			offered += payload ? f->bytes : wire;
		part = share_between(r, f, from, to);
		g->payload += part * f->bytes;
		g->wire += part * wire;
		g->flows += part > 0;
		all.payload += part * f->bytes;
		all.wire += part * wire;
		all.flows += part > 0;
	}
	capacity = capacity_bps(r->plan) * (to - from) / 8e9;
	add_goodput(measured, &all, to - from);
	js_add_dbl(measured, "load_offered", capacity > 0 ? offered / capacity : 0, 5);
	js_add_dbl(measured, "load_carried", capacity > 0 ?
		   (payload ? all.payload : all.wire) / capacity : 0, 5);
	add_groups(r, measured, m, to - from);
	free(m);
}

static struct json_object *copy_of(struct json_object *from)
{
	struct json_object *to = NULL;

	json_object_deep_copy(from, &to, NULL);
	return to;
}

/**
 * results_workload() - figures of a workload, if there is one
 * @r: results, flows and totals being read
 *
 * Return: 0, or the exit status after a message.
 */
int results_workload(struct results *r)
{
	struct json_object *measured, *traffic, *bins = NULL;
	struct flow_set s = run_set(r);
	int rc;

	if (!r->plan->traffic)
		return 0;
	rc = flow_set_write_csv(&s, r->dir, &bins);
	traffic = copy_of(r->plan->traffic);
	measured = flow_set_measured_json(&s);
	add_load(r, measured);
	js_add_dbl(traffic, "load_carried", js_dbl(measured, "load_carried", 0), 5);
	json_object_object_add(r->summary, "traffic", traffic);
	json_object_object_add(r->summary, "measured", measured);
	if (!rc)
		rc = results_tiers(r);
	json_object_object_add(r->summary, "fct_bins", bins);
	return rc;
}
