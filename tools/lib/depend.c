// SPDX-License-Identifier: GPL-2.0
/*
 * Flows that wait for flows. There may be 10^7 dependencies, so one takes 4 bytes, and what a
 * flow without any takes is not here. Lists say whom a flow waits for; the graph, made of them
 * once, says who waits for it.
 */
#include <stdlib.h>
#include <string.h>

#include "depend.h"
#include "mem.h"

static void *grow(void *p, uint32_t *cap, uint32_t need, size_t size)
{
	if (need <= *cap)
		return p;
	*cap = *cap ? *cap + *cap / 2 + 1 : 64;
	return xreallocarray(p, *cap, size);
}

/**
 * depend_begin() - a flow waits for those that depend_add() gets next
 * @d: lists
 * @node: the flow; each has one list at most
 * @delay_ns: from what it waits for to its start
 */
void depend_begin(struct depend *d, uint32_t node, uint64_t delay_ns)
{
	d->list = grow(d->list, &d->cap, d->n + 2, sizeof(*d->list));
	d->list[d->n++] = (struct depend_list){ node, d->n_edges, delay_ns };
}

/**
 * depend_add() - the flow of the last depend_begin() waits for this one too
 * @d: lists
 * @node: flow
 * @start: for its start; else until it is complete
 *
 * Return: 0, or -1 with %DEPEND_MAX of them.
 */
int depend_add(struct depend *d, uint32_t node, bool start)
{
	if (d->n_edges == DEPEND_MAX)
		return -1;
	d->edge = grow(d->edge, &d->cap_edges, d->n_edges + 1, sizeof(*d->edge));
	d->edge[d->n_edges++] = node << 1 | start;
	return 0;
}

/**
 * depend_add_delayed() - the same with a delay of its own
 * @d: lists
 * @node: flow
 * @start: for its start; else until it is complete
 * @delay_ns: from there to the moment that counts. The flow starts the delay of its list after
 *	the latest of these
 *
 * Return: 0, or -1 with %DEPEND_MAX of them.
 */
int depend_add_delayed(struct depend *d, uint32_t node, bool start, uint64_t delay_ns)
{
	uint32_t had = d->cap_delays;

	if (depend_add(d, node, start))
		return -1;
	if (!delay_ns)
		return 0;
	d->edge_delay_ns = grow(d->edge_delay_ns, &d->cap_delays, d->n_edges, sizeof(delay_ns));
	if (d->cap_delays < d->n_edges) {
		d->cap_delays = d->n_edges;
		d->edge_delay_ns = xreallocarray(d->edge_delay_ns, d->cap_delays, sizeof(delay_ns));
	}
	memset(d->edge_delay_ns + had, 0, (size_t)(d->cap_delays - had) * sizeof(delay_ns));
	d->edge_delay_ns[d->n_edges - 1] = delay_ns;
	return 0;
}

/**
 * depend_end() - all lists are there: mark the end of the last
 * @d: lists
 */
void depend_end(struct depend *d)
{
	if (d->n)
		d->list[d->n].begin = d->n_edges;
}

/**
 * depend_free() - free the lists
 * @d: lists
 */
void depend_free(struct depend *d)
{
	free(d->list);
	free(d->edge);
	free(d->edge_delay_ns);
	memset(d, 0, sizeof(*d));
}

/**
 * depend_graph_make() - who waits for a flow
 * @g: receives it
 * @d: lists after depend_end(), all of their flows below @n
 * @n: flows
 */
void depend_graph_make(struct depend_graph *g, const struct depend *d, uint32_t n)
{
	uint32_t i, e, node, at;

	memset(g, 0, sizeof(*g));
	g->n = n;
	g->begin = xcalloc((size_t)n + 2, sizeof(*g->begin));
	g->to = xcalloc((size_t)d->n_edges + 1, sizeof(*g->to));
	g->waits = xcalloc((size_t)n + 1, sizeof(*g->waits));
	if (d->cap_delays) {
		g->delay_ns = xcalloc((size_t)d->n_edges + 1, sizeof(*g->delay_ns));
		g->moment_ns = xcalloc((size_t)n + 1, sizeof(*g->moment_ns));
	}
	/* Counted two places further: filling moves each begin by one, to where it belongs. */
	for (e = 0; e < d->n_edges; e++)
		g->begin[depend_node(d->edge[e]) + 2]++;
	for (i = 2; i <= n + 1; i++)
		g->begin[i] += g->begin[i - 1];
	for (i = 0; i < d->n; i++) {
		g->waits[d->list[i].node] = d->list[i + 1].begin - d->list[i].begin;
		for (e = d->list[i].begin; e < d->list[i + 1].begin; e++) {
			node = depend_node(d->edge[e]);
			at = g->begin[node + 1]++;
			g->to[at] = d->list[i].node << 1 | depend_on_start(d->edge[e]);
			if (g->delay_ns)
				g->delay_ns[at] = depend_edge_delay(d, e);
		}
	}
}

/* Each flow that is left waits for one that is left: going back from any ends in a circle. */
static uint32_t find_circle(const struct depend_graph *g, const struct depend *d,
			    const uint32_t *waits)
{
	uint32_t *list = xcalloc((size_t)g->n + 1, sizeof(*list)), node = 0, i, k;

	for (i = 0; i < d->n; i++)
		list[d->list[i].node] = i;
	while (!waits[node])
		node++;
	for (i = 0; i < g->n; i++) {
		for (k = d->list[list[node]].begin; !waits[depend_node(d->edge[k])]; k++)
			;
		node = depend_node(d->edge[k]);
	}
	i = list[node];
	free(list);
	return i;
}

/**
 * depend_order() - an order in which every flow comes after all that it waits for
 * @g: graph
 * @d: the lists that it was made of
 * @order: room for all flows; gets the order
 *
 * Return: %DEPEND_NONE; or, if flows wait for each other in a circle, the list of one of them.
 */
uint32_t depend_order(const struct depend_graph *g, const struct depend *d, uint32_t *order)
{
	uint32_t *waits = xcalloc((size_t)g->n + 1, sizeof(*waits)), n = 0, i, k;
	uint32_t bad = DEPEND_NONE;

	memcpy(waits, g->waits, (size_t)g->n * sizeof(*waits));
	for (i = 0; i < g->n; i++)
		if (!waits[i])
			order[n++] = i;
	for (i = 0; i < n; i++)
		for (k = g->begin[order[i]]; k < g->begin[order[i] + 1]; k++)
			if (!--waits[depend_node(g->to[k])])
				order[n++] = depend_node(g->to[k]);
	if (n < g->n)
		bad = find_circle(g, d, waits);
	free(waits);
	return bad;
}

/**
 * depend_graph_free() - free a graph
 * @g: graph
 */
void depend_graph_free(struct depend_graph *g)
{
	free(g->begin);
	free(g->to);
	free(g->waits);
	free(g->delay_ns);
	free(g->moment_ns);
	memset(g, 0, sizeof(*g));
}
