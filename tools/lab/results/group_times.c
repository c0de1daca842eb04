// SPDX-License-Identifier: GPL-2.0
/*
 * lab: "group_times" of summary.json: when the flows of a group began and when all of them were
 * complete. Only where flows wait for others, or a file of flows says which group they are of.
 */
#include <stdlib.h>

#include "results/results.h"

struct group {
	int64_t flows, completed, bytes, start_ns, end_ns;
};

static struct json_object *group_json(const struct group *g)
{
	struct json_object *o = json_object_new_object();
	int64_t took = g->end_ns - g->start_ns;

	js_add_int(o, "flows", g->flows);
	js_add_int(o, "completed", g->completed);
	js_add_int(o, "bytes", g->bytes);
	if (g->completed == g->flows && took > 0) {
		js_add_int(o, "start_ns", g->start_ns);
		js_add_int(o, "completion_ns", took);
		js_add_int(o, "goodput_bps", (int64_t)(g->bytes * 8e9 / took + 0.5));
	} else {
		json_object_object_add(o, "start_ns", NULL);
		json_object_object_add(o, "completion_ns", NULL);
		json_object_object_add(o, "goodput_bps", NULL);
	}
	return o;
}

/**
 * results_group_times() - "group_times": completion time of each group of flows
 * @r: results with flows read
 *
 * Flows of the scenario's own without a group are called "scenario".
 */
void results_group_times(struct results *r)
{
	const struct plan *p = r->plan;
	struct group *groups = xcalloc(p->n_groups, sizeof(*groups)), *g;
	struct json_object *o = json_object_new_object();
	size_t i;
	int k;

	for (i = 0; i < r->n_flows; i++) {
		const struct flow_result *f = &r->flows[i];

		g = &groups[p->flows[f->id].group];
		if (!g->flows++ || f->start_ns < g->start_ns)
			g->start_ns = f->start_ns;
		g->completed += f->done;
		g->bytes += f->bytes;
		if (f->done && f->start_ns + f->fct_ns > g->end_ns)
			g->end_ns = f->start_ns + f->fct_ns;
	}
	for (k = 0; k < p->n_groups; k++)
		if (groups[k].flows)
			json_object_object_add(o, p->groups[k] ? p->groups[k] : "scenario",
					       group_json(&groups[k]));
	json_object_object_add(r->summary, "group_times", o);
	free(groups);
}
