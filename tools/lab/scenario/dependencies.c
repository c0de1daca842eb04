// SPDX-License-Identifier: GPL-2.0
/*
 * Flows that wait for flows: of a scenario file, and of a file of flows. The traffic generator
 * starts them; here is what must be known before: whether it can ever come, and how soon.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

static int add_id(struct loop *l, struct json_object *v, const char *member, bool start)
{
	const char *text = json_object_get_string(v), *name = l->p->sc->name;
	char *err = NULL;
	double id;

	if (expr_eval(text, plan_var, l, &id, &err)) {
		run_error("scenario %s: flow: %s: %s", name, member, err);
		free(err);
		return EXIT_RUN_FAILED;
	}
	/* So the first of a loop, which names the one before, waits for none. */
	if (id < 0)
		return 0;
	if (id != floor(id) || id >= DEPEND_NONE / 2)
		return usage_error("scenario %s: flow: %s: \"%s\" is %g, no number of a flow", name,
				   member, text, id);
	if (depend_add(&l->p->after, (uint32_t)id, start))
		return usage_error("scenario %s: more than %u dependencies of flows", name,
				   DEPEND_MAX);
	return 0;
}

/* A number, an expression, or a list of them. */
static int add_ids(struct loop *l, struct json_object *entry, const char *member, bool start)
{
	struct json_object *v = js_get(entry, member);
	bool list = v && json_object_is_type(v, json_type_array);
	size_t i, n = list ? js_len(v) : v ? 1 : 0;
	int rc = 0;

	for (i = 0; i < n && !rc; i++)
		rc = add_id(l, list ? js_at(v, i) : v, member, start);
	return rc;
}

/**
 * plan_after_entry() - "after", "after_start" and "delay" of a flow that a scenario file lists
 * @l: loops around the entry
 * @entry: the flow's
 * @flow: its number
 *
 * Return: 0, or the exit status after a message.
 */
int plan_after_entry(struct loop *l, struct json_object *entry, int flow)
{
	struct depend *d = &l->p->after;
	double delay;
	int rc;

	if (!js_get(entry, "after") && !js_get(entry, "after_start")) {
		if (!js_get(entry, "delay"))
			return 0;
		return usage_error("scenario %s: flow %d: \"delay\" needs \"after\" or \"after_start\"",
				   l->p->sc->name, flow);
	}
	if (plan_number(l, entry, "delay", "0", &delay))
		return EXIT_RUN_FAILED;
	if (!(delay >= 0 && delay < 1e18))
		return usage_error("scenario %s: flow %d: \"delay\" is %g ns", l->p->sc->name, flow,
				   delay);
	depend_begin(d, flow, llround(delay));
	rc = add_ids(l, entry, "after", false);
	if (!rc)
		rc = add_ids(l, entry, "after_start", true);
	if (d->list[d->n - 1].begin == d->n_edges)
		d->n--;
	else
		l->p->flows[flow].after = d->n;
	return rc;
}

/* Rows of our own files have the numbers of their lines, but for the heading. */
static int bad(struct plan *p, const char *file, const int *line, uint32_t list, const char *what,
	       uint32_t id)
{
	uint32_t node = p->after.list[list].node;

	/* In files with lines of their own flows are numbered otherwise, or not at all. */
	if (line)
		return usage_error("%s:%d: in a circle, this flow waits for itself", file,
				   line[node]);
	if (file)
		return usage_error("%s:%u: after: %s %u", file, node + 2, what, id);
	return usage_error("scenario %s: flow %u: after: %s %u", p->sc->name, node, what, id);
}

/**
 * plan_after_check() - all flows that may wait for others are known: can all of them start?
 * @p: plan
 * @file: that the flows are of; NULL: the scenario's
 * @line: by flow, its line in @file; NULL: a heading, then one line for each. With lines, only
 *	flows that there are may be waited for
 *
 * Return: 0, or the exit status after a message.
 */
int plan_after_check(struct plan *p, const char *file, const int *line)
{
	struct depend *d = &p->after;
	struct depend_graph g;
	uint32_t i, k, list;

	if (!d->n)
		return 0;
	p->own_groups = true;
	depend_end(d);
	for (i = 0; i < d->n; i++)
		for (k = d->list[i].begin; k < d->list[i + 1].begin; k++)
			if (depend_node(d->edge[k]) >= (uint32_t)p->n_flows)
				return bad(p, file, line, i, "there is no flow",
					   depend_node(d->edge[k]));
	depend_graph_make(&g, d, p->n_flows);
	p->after_order = xcalloc(p->n_flows, sizeof(*p->after_order));
	p->n_ordered = p->n_flows;
	list = depend_order(&g, d, p->after_order);
	depend_graph_free(&g);
	if (list == DEPEND_NONE)
		return 0;
	return bad(p, file, line, list, "in a circle, flow waits for itself:", d->list[list].node);
}

/* When what an edge waits for comes at the earliest. */
static int64_t moment(struct plan *p, uint32_t edge, const int64_t *ideal_ns)
{
	uint32_t node = depend_node(edge);

	if (depend_on_start(edge))
		return p->earliest_ns[node];
	if (p->flows[node].background)
		return scenario_val(p->sc, "stop", 0);
	return p->earliest_ns[node] + ideal_ns[node];
}

/**
 * plan_after_times() - when each flow starts at the earliest
 * @p: plan after plan_after_check()
 */
void plan_after_times(struct plan *p)
{
	const struct depend *d = &p->after;
	const struct depend_list *own;
	int64_t *ideal_ns, at, t;
	uint32_t k, n;
	int i;

	if (!d->n || p->earliest_ns)
		return;
	p->earliest_ns = xcalloc(p->n_flows, sizeof(*p->earliest_ns));
	ideal_ns = xcalloc(p->n_flows, sizeof(*ideal_ns));
	for (i = 0; i < p->n_flows; i++) {
		p->earliest_ns[i] = p->flows[i].start_ns;
		ideal_ns[i] = wire_ideal_fct_ns(p, &p->flows[i]);
	}
	/* Flows of incasts and the like come after those that were checked, and wait for none. */
	for (i = 0; i < p->n_ordered; i++) {
		n = p->after_order[i];
		if (!p->flows[n].after)
			continue;
		at = p->flows[n].start_ns;
		own = &d->list[p->flows[n].after - 1];
		for (k = own[0].begin; k < own[1].begin; k++) {
			t = moment(p, d->edge[k], ideal_ns) + depend_edge_delay(d, k) +
			    own->delay_ns;
			at = t > at ? t : at;
		}
		p->earliest_ns[n] = at;
	}
	free(ideal_ns);
	free(p->after_order);
	p->after_order = NULL;
}

/**
 * plan_earliest_ns() - when a flow starts at the earliest
 * @p: plan
 * @flow: its number
 *
 * Return: ns from the start of the traffic.
 */
int64_t plan_earliest_ns(const struct plan *p, int flow)
{
	return p->earliest_ns ? p->earliest_ns[flow] : p->flows[flow].start_ns;
}

static void write_ids(const struct plan *p, const struct depend_list *list, bool start, FILE *f)
{
	const char *sep = "";
	uint32_t k;

	for (k = list[0].begin; k < list[1].begin; k++) {
		if (depend_on_start(p->after.edge[k]) != start)
			continue;
		fprintf(f, "%s%u", sep, depend_node(p->after.edge[k]));
		if (depend_edge_delay(&p->after, k))
			fprintf(f, "@%" PRIu64, depend_edge_delay(&p->after, k));
		sep = "+";
	}
}

/**
 * plan_after_write() - ",after,after_start,delay_ns" of a row of a file of flows
 * @p: plan
 * @flow: its number
 * @f: file
 */
void plan_after_write(const struct plan *p, int flow, FILE *f)
{
	const struct depend_list *list;

	if (!p->flows[flow].after) {
		fputs(",,,0", f);
		return;
	}
	list = &p->after.list[p->flows[flow].after - 1];
	fputc(',', f);
	write_ids(p, list, false, f);
	fputc(',', f);
	write_ids(p, list, true, f);
	fprintf(f, ",%" PRIu64, list->delay_ns);
}
