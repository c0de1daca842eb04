// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "cc_groups" of summary.json: figures of the flows of each group of hosts that has an
 * algorithm of its own (--cc A@h0-h3+B@h4-h7), and how they share.
 */
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

struct cc_group {
	int64_t flows, completed, bytes, from_ns, to_ns;
	int64_t *fct_ns;
	double moved;			/* payload while all groups have flows */
};

/* Payload of a flow between two times. */
static double moved(struct results *r, const struct flow_result *f, int64_t from, int64_t to)
{
	struct series *s = &r->series[f->id];
	size_t hint = 0;
	double before = series_at(s, f->start_ns, from, &hint);

	return series_at(s, f->start_ns, to, &hint) - before;
}

static int64_t end_ns(const struct results *r, const struct flow_result *f)
{
	return f->done ? f->start_ns + f->fct_ns : r->last_ns;
}

static void count(struct results *r, struct cc_group *groups, const int *group_of)
{
	size_t i;

	for (i = 0; i < r->n_flows; i++) {
		const struct flow_result *f = &r->flows[i];
		struct cc_group *g = &groups[group_of[r->plan->flows[f->id].src]];

		if (!g->flows++ || f->start_ns < g->from_ns)
			g->from_ns = f->start_ns;
		if (end_ns(r, f) > g->to_ns)
			g->to_ns = end_ns(r, f);
		g->bytes += f->bytes;
		if (f->done)
			g->fct_ns[g->completed++] = f->fct_ns;
	}
}

/*
 * Each group's payload from when all have a flow until one has none, a mean over its flows, as a
 * part of the sum of these means: 1/n each where all flows get the same. And Jain's index of them.
 */
static bool share(struct results *r, struct cc_group *groups, size_t n, const int *group_of,
		  double *jain, int64_t *from, int64_t *to)
{
	double sum = 0, squares = 0;
	size_t i;

	*from = INT64_MIN;
	*to = INT64_MAX;
	for (i = 0; i < n; i++) {
		if (!groups[i].flows)
			return false;
		if (groups[i].from_ns > *from)
			*from = groups[i].from_ns;
		if (groups[i].to_ns < *to)
			*to = groups[i].to_ns;
	}
	if (*to - *from < 2 * r->plan->sample_ns)
		return false;
	for (i = 0; i < r->n_flows; i++) {
		const struct flow_result *f = &r->flows[i];

		if (f->id >= r->n_series)
			return false;
		groups[group_of[r->plan->flows[f->id].src]].moved += moved(r, f, *from, *to);
	}
	for (i = 0; i < n; i++) {
		groups[i].moved /= groups[i].flows;
		sum += groups[i].moved;
		squares += groups[i].moved * groups[i].moved;
	}
	for (i = 0; i < n && sum > 0; i++)
		groups[i].moved /= sum;
	*jain = squares > 0 ? sum * sum / (n * squares) : 0;
	return squares > 0;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static struct json_object *group_json(const struct cc_group *g, const char *cc, const char *hosts,
				      bool shared)
{
	struct json_object *o = json_object_new_object();

	js_add_str(o, "cc", cc);
	js_add_str(o, "hosts", *hosts ? hosts : "all");
	js_add_int(o, "flows", g->flows);
	js_add_int(o, "completed", g->completed);
	js_add_int(o, "bytes", g->bytes);
	if (g->completed) {
		qsort(g->fct_ns, g->completed, sizeof(*g->fct_ns), by_value);
		js_add_int(o, "fct_p50_ns", percentile(g->fct_ns, g->completed, 50));
		js_add_int(o, "fct_p99_ns", percentile(g->fct_ns, g->completed, 99));
	} else {
		json_object_object_add(o, "fct_p50_ns", NULL);
		json_object_object_add(o, "fct_p99_ns", NULL);
	}
	if (shared)
		js_add_dbl(o, "share", g->moved, 5);
	else
		json_object_object_add(o, "share", NULL);
	return o;
}

/**
 * results_cc_groups() - "cc_groups", if groups of hosts have an algorithm each
 * @r: results with flows and series read
 * @cc: item of --cc
 */
void results_cc_groups(struct results *r, const char *cc)
{
	struct json_object *o, *list;
	struct cc_group *groups;
	int64_t from, to;
	int *group_of;
	double jain;
	bool shared;
	size_t n, i;
	char **v;

	if (!cc_is_mixed(cc))
		return;
	v = cc_groups_of(cc, &n);
	groups = xcalloc(n, sizeof(*groups));
	group_of = xcalloc(r->plan->n_nodes, sizeof(*group_of));
	for (i = 0; i < n; i++)
		groups[i].fct_ns = xcalloc(r->n_flows + 1, sizeof(*groups[i].fct_ns));
	if (!cc_group_of_hosts(r->plan, cc, group_of)) {
		count(r, groups, group_of);
		shared = share(r, groups, n, group_of, &jain, &from, &to);
		o = json_object_new_object();
		list = json_object_new_array();
		for (i = 0; i < n; i++)
			json_object_array_add(list, group_json(&groups[i], v[2 * i], v[2 * i + 1],
							       shared));
		json_object_object_add(o, "groups", list);
		if (shared) {
			js_add_int(o, "from_ns", from);
			js_add_int(o, "to_ns", to);
			js_add_dbl(o, "jain", jain, 5);
		}
		json_object_object_add(r->summary, "cc_groups", o);
	}
	for (i = 0; i < n; i++)
		free(groups[i].fct_ns);
	free(group_of);
	free(groups);
	cc_groups_free(v, n);
}

/**
 * cc_groups_table() - print the figures of groups, if a run has any
 * @summary: of the run
 * @name: of the run
 */
void cc_groups_table(struct json_object *summary, const char *name)
{
	struct json_object *o = js_get(summary, "cc_groups"), *list = js_get(o, "groups");
	size_t i;

	if (!o)
		return;
	printf("\n%s: groups\n%12s %10s %10s %8s  algorithm and hosts\n%12s %10s %10s %8s\n", name,
	       "flows", "FCT p50", "FCT p99", "share", "", "us", "us", "%");
	for (i = 0; i < js_len(list); i++) {
		struct json_object *g = js_at(list, i);
		char *flows = xasprintf("%lld/%lld", (long long)js_int(g, "completed", 0),
					(long long)js_int(g, "flows", 0));

		printf("%12s %10.1f %10.1f %8.2f  %s, %s\n", flows,
		       js_int(g, "fct_p50_ns", 0) / 1e3, js_int(g, "fct_p99_ns", 0) / 1e3,
		       js_dbl(g, "share", 0) * 100, js_str(g, "cc", ""), js_str(g, "hosts", ""));
		free(flows);
	}
}
