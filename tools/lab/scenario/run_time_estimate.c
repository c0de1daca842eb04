// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates how long a run takes at least: the busiest link direction, if equal-cost paths
 * share equally, or the last flow.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

/* Wire bytes that a flow brings while it lasts. */
static int64_t flow_load(struct plan *p, int flow)
{
	const struct lab_flow *f = &p->flows[flow];
	int64_t bytes = wire_flow_bytes(p, f->bytes), lasts, most;
	struct lab_link *l = &p->links[p->nodes[f->src].links[0]];

	if (!f->background)
		return bytes;
	lasts = plan_flow_stop_ns(p, flow) - f->start_ns;
	most = lasts > 0 ? (double)lasts * l->rate_bps / 8e9 : 0;
	return bytes < most ? bytes : most;
}

/* Flows one after the other by destination: where each one's begin in @order. */
static int *by_dst(struct plan *p, int *order)
{
	int *begin = xcalloc(p->n_nodes + 1, sizeof(*begin)), i;

	for (i = 0; i < p->n_flows; i++)
		begin[p->flows[i].dst + 1]++;
	for (i = 0; i < p->n_nodes; i++)
		begin[i + 1] += begin[i];
	for (i = 0; i < p->n_flows; i++)
		order[begin[p->flows[i].dst]++] = i;
	memmove(begin + 1, begin, p->n_nodes * sizeof(*begin));
	begin[0] = 0;
	return begin;
}

/* Time that all flows need at a link of this rate, in each direction of each link. */
static void add_busy(struct plan *p, int64_t rate_bps, const int *begin, const int *order,
		     double *busy)
{
	double *part = xcalloc(p->n_nodes, sizeof(*part));
	struct lab_flow *f;
	int n, i;

	for (n = 0; n < p->n_nodes; n++) {
		if (begin[n] == begin[n + 1])
			continue;
		memset(part, 0, p->n_nodes * sizeof(*part));
		for (i = begin[n]; i < begin[n + 1]; i++) {
			f = &p->flows[order[i]];
			part[f->src] += wire_ns(flow_load(p, order[i]), rate_bps);
		}
		plan_spread_to(p, n, part, busy);
	}
	free(part);
}

/* Is there an earlier link of the same rate? */
static bool rate_known(struct plan *p, int link)
{
	int i;

	for (i = 0; i < link && p->links[i].rate_bps != p->links[link].rate_bps; i++)
		;
	return i < link;
}

/**
 * plan_expected_ns() - how long a run takes at least
 * @p: plan with flows and their ideal times
 *
 * Return: ns from the start of the traffic.
 */
int64_t plan_expected_ns(struct plan *p)
{
	double *busy = xcalloc(2 * p->n_links, sizeof(*busy)), most = 0;
	int *order = xcalloc(p->n_flows, sizeof(*order)), *begin = by_dst(p, order), i, k;
	int64_t last = 0, end;

	for (i = 0; i < p->n_links; i++) {
		if (rate_known(p, i))
			continue;
		memset(busy, 0, 2 * p->n_links * sizeof(*busy));
		add_busy(p, p->links[i].rate_bps, begin, order, busy);
		for (k = 0; k < 2 * p->n_links; k++)
			if (p->links[k / 2].rate_bps == p->links[i].rate_bps && busy[k] > most)
				most = busy[k];
	}
	for (i = 0; i < p->n_flows; i++) {
		struct lab_flow *f = &p->flows[i];

		end = f->background ? plan_flow_stop_ns(p, i) :
		      plan_earliest_ns(p, i) + f->ideal_ns;
		if (end > last)
			last = end;
	}
	free(begin);
	free(order);
	free(busy);
	return most > last ? llround(most) : last;
}
