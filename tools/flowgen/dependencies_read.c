// SPDX-License-Identifier: GPL-2.0
/* flowgen: flows that wait for others, by id, become a graph; unknown ids and circles are errors */
#include <stdlib.h>

#include "flowgen.h"

/* Where flows are, by id: those of the plan sorted, rows by what comes after its highest id. */
struct ids {
	const struct fg_plan *plan;
	const u32 *line;
	u32 *sorted;
	u32 first;
	u32 *row;
};

/* For by_id(): qsort() has no context. */
static const struct fg_flow *sorting;

static int by_id(const void *a, const void *b)
{
	u32 x = sorting[*(const u32 *)a].id, y = sorting[*(const u32 *)b].id;

	return (x > y) - (x < y);
}

static void make_ids(struct ids *s)
{
	const struct fg_plan *p = s->plan;
	u32 i;

	s->sorted = fg_zalloc(p->nflows, sizeof(*s->sorted));
	s->row = fg_zalloc(p->nrows, sizeof(*s->row));
	s->first = fg_plan_max_id(p) + 1;
	for (i = 0; i < p->nflows; i++)
		s->sorted[i] = i;
	sorting = p->flows;
	qsort(s->sorted, p->nflows, sizeof(*s->sorted), by_id);
	for (i = 0; i < p->nrows; i++)
		s->row[p->rows[i].id - s->first] = i;
}

/* Number of a flow in the graph: flows of the plan come first, then rows. */
static u32 node_of(const struct ids *s, u32 id)
{
	const struct fg_plan *p = s->plan;
	u32 lo = 0, hi = p->nflows, mid;

	if (id - s->first < p->nrows)
		return p->nflows + s->row[id - s->first];
	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (p->flows[s->sorted[mid]].id == id)
			return s->sorted[mid];
		if (p->flows[s->sorted[mid]].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return DEPEND_NONE;
}

/* A message about the flow of a list; %u is of @id. */
static int bad(const struct ids *s, u32 list, const char *column, const char *fmt, u32 id)
{
	const struct fg_plan *p = s->plan;
	u32 node = p->after.list[list].node;
	char text[128];

	snprintf(text, sizeof(text), fmt, id);
	if (node < p->nflows)
		return fg_err("flow %u: %s: %s", p->flows[node].id, column, text);
	return fg_err("%s:%u: %s: %s", p->flows_file, s->line[node - p->nflows], column, text);
}

static int ids_to_nodes(struct fg_plan *p, const struct ids *s)
{
	struct depend *d = &p->after;
	u32 i, k, node;
	bool start;

	for (i = 0; i < d->n; i++) {
		for (k = d->list[i].begin; k < d->list[i + 1].begin; k++) {
			start = depend_on_start(d->edge[k]);
			node = node_of(s, depend_node(d->edge[k]));
			if (node == DEPEND_NONE)
				return bad(s, i, start ? "after_start" : "after",
					   "no flow has the id %u", depend_node(d->edge[k]));
			d->edge[k] = node << 1 | start;
		}
	}
	return 0;
}

static u32 id_of(const struct fg_plan *p, u32 node)
{
	return node < p->nflows ? p->flows[node].id : p->rows[node - p->nflows].id;
}

/**
 * fg_after_resolve() - all flows are known: make the graph of those that wait
 * @p: plan
 * @line: by row, its line in the file; NULL if no row waits
 *
 * Return: 0, or -1 after a message that names the flow, or file and line.
 */
int fg_after_resolve(struct fg_plan *p, const u32 *line)
{
	struct ids s = { .plan = p, .line = line };
	struct depend *d = &p->after;
	u32 n = p->nflows + p->nrows, *order, list;
	int ret;

	if (!d->n)
		return 0;
	depend_end(d);
	make_ids(&s);
	ret = ids_to_nodes(p, &s);
	free(s.sorted);
	free(s.row);
	if (ret)
		return ret;
	depend_graph_make(&p->graph, d, n);
	order = fg_zalloc(n, sizeof(*order));
	list = depend_order(&p->graph, d, order);
	free(order);
	if (list != DEPEND_NONE)
		return bad(&s, list, "after", "flow %u waits for itself, in the end",
			   id_of(p, d->list[list].node));
	/* From here on only the other direction is of use. */
	free(d->edge);
	free(d->edge_delay_ns);
	d->edge = NULL;
	d->edge_delay_ns = NULL;
	d->cap_delays = 0;
	return 0;
}
