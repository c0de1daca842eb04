// SPDX-License-Identifier: GPL-2.0
/*
 * The topology as far as the names of ports tell it: who is whose neighbour,
 * the way of a flow, and where pauses come from.
 */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

static size_t rpt_graph_node(struct rpt_graph *g, const char *name)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (!strcmp(g->node[i], name))
			return i;
	g->node = xreallocarray(g->node, g->n + 1, sizeof(*g->node));
	g->node[g->n] = name;
	return g->n++;
}

/**
 * rpt_graph_make() - the graph of a run's ports
 * @ps: the ports, which must outlive the graph
 * @g: filled in
 *
 * A link needs to be named by one of its two ports only.
 */
void rpt_graph_make(const struct rpt_ports *ps, struct rpt_graph *g)
{
	size_t i;

	*g = (struct rpt_graph){ .edges = ps->n };
	g->from = xreallocarray(NULL, ps->n + 1, sizeof(*g->from));
	g->to = xreallocarray(NULL, ps->n + 1, sizeof(*g->to));
	for (i = 0; i < ps->n; i++) {
		g->from[i] = rpt_graph_node(g, ps->port[i].node);
		g->to[i] = rpt_graph_node(g, ps->port[i].peer);
	}
}

void rpt_graph_free(struct rpt_graph *g)
{
	free(g->node);
	free(g->from);
	free(g->to);
}

/**
 * rpt_graph_hops() - links from a node to every other one
 * @g: graph
 * @name: the node
 *
 * Return: by node, RPT_FAR for those not reached; the caller's to free.
 */
int *rpt_graph_hops(const struct rpt_graph *g, const char *name)
{
	int *hops = xreallocarray(NULL, g->n + 1, sizeof(*hops)), d;
	bool more = true;
	size_t i;

	for (i = 0; i < g->n; i++)
		hops[i] = strcmp(g->node[i], name) ? RPT_FAR : 0;
	for (d = 0; more; d++) {
		more = false;
		for (i = 0; i < g->edges; i++) {
			size_t a = g->from[i], b = g->to[i];

			if (hops[a] == d && hops[b] == RPT_FAR)
				hops[b] = d + 1;
			else if (hops[b] == d && hops[a] == RPT_FAR)
				hops[a] = d + 1;
			else
				continue;
			more = true;
		}
	}
	return hops;
}

int rpt_graph_hops_to(const struct rpt_graph *g, const int *hops, const char *name)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (!strcmp(g->node[i], name))
			return hops[i];
	return RPT_FAR;
}

static bool rpt_graph_linked(const struct rpt_graph *g, size_t a, size_t b)
{
	size_t i;

	for (i = 0; i < g->edges; i++)
		if ((g->from[i] == a && g->to[i] == b) || (g->from[i] == b && g->to[i] == a))
			return true;
	return false;
}

/**
 * rpt_graph_path() - the way from one node to another
 * @g: graph
 * @src: begin
 * @dst: end
 * @path: names of its nodes, both ends included, room for RPT_PATH
 *
 * Return: number of nodes; 0 when there is no way, when it is longer than
 * RPT_PATH, or when several are the shortest, so that the hash decides.
 */
size_t rpt_graph_path(const struct rpt_graph *g, const char *src,
		      const char *dst, const char **path)
{
	int *hops = rpt_graph_hops(g, dst), d;
	size_t i, at = g->n, n = 0;

	for (i = 0; i < g->n; i++)
		if (!strcmp(g->node[i], src))
			at = i;
	if (at < g->n && hops[at] < RPT_PATH) {
		path[n++] = g->node[at];
		for (d = hops[at] - 1; d >= 0 && n; d--) {
			size_t next = g->n;

			for (i = 0; i < g->n; i++) {
				if (hops[i] != d || !rpt_graph_linked(g, at, i))
					continue;
				if (next < g->n)
					break;
				next = i;
			}
			if (i < g->n || next == g->n) {
				n = 0;
				break;
			}
			at = next;
			path[n++] = g->node[at];
		}
	}
	free(hops);
	return n;
}

static bool rpt_visited(const char *const *seen, size_t n, const char *node)
{
	while (n--)
		if (!strcmp(seen[n], node))
			return true;
	return false;
}

/**
 * rpt_root_port() - the port whose queue made others pause
 * @ps: ports of a run
 * @start: a paused port
 *
 * Who pauses a port may do so because its own way on is paused; the last one
 * in this chain has the queue that all wait for.
 * Return: the port, NULL when the chain ends at a node without ports.
 */
const struct rpt_port *rpt_root_port(const struct rpt_ports *ps, const struct rpt_port *start)
{
	const struct rpt_port *next = start, *root = NULL;
	const char *seen[RPT_PATH];
	size_t i, n = 0;

	while (next && n + 1 < RPT_PATH) {
		const struct rpt_port *at = next;

		seen[n++] = at->node;
		next = NULL;
		for (i = 0; i < ps->n; i++) {
			const struct rpt_port *p = &ps->port[i];

			if (strcmp(p->node, at->peer) || rpt_visited(seen, n, p->peer))
				continue;
			if (rpt_port_paused(p) && (!next || rpt_port_pause_ns(p) >
				      rpt_port_pause_ns(next)))
				next = p;
			if (!root || strcmp(root->node, p->node) || p->peak > root->peak)
				root = p;
		}
	}
	return root;
}

/**
 * rpt_main_root() - the root of most pauses of a run
 * @ps: ports of a run
 *
 * Return: the root of the port that was paused longest, else the bottleneck,
 * else NULL.
 */
const struct rpt_port *rpt_main_root(const struct rpt_ports *ps)
{
	const struct rpt_port *most = NULL, *root = NULL;
	size_t i;

	for (i = 0; i < ps->n; i++)
		if (rpt_port_paused(&ps->port[i]) && (!most || rpt_port_pause_ns(&ps->port[i]) >
			      rpt_port_pause_ns(most)))
			most = &ps->port[i];
	if (most)
		root = rpt_root_port(ps, most);
	if ((!root || !(root->peak > 0)) && ps->bottleneck)
		root = rpt_port_find(ps, ps->bottleneck);
	return root;
}
