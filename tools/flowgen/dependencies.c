// SPDX-License-Identifier: GPL-2.0
/*
 * flowgen: flows that wait for flows, while they run. A flow is complete at the moment at which
 * this process, at the side that posts, sees its last completion: the end of its fct_ns. Those
 * that wait are started in the same batch of events, so waiting takes no virtual time.
 *
 * If a flow fails, all that wait for it never start, and so on. That may be a chain of a
 * million, so there is a list of those that have ended and no recursion.
 */
#include <stdlib.h>

#include "flowgen.h"

struct ended {
	u32 node;
	bool started;
	bool good;		/* it has not failed */
};

static struct {
	struct ended *v;	/* the last one is the next */
	u32 n;
	u32 cap;
	bool busy;
} after;

/* The delay of a flow that waits: lists are in the order of the nodes. */
static u64 delay_of(u32 node)
{
	const struct depend *d = &eng.plan->after;
	u32 lo = 0, hi = d->n - 1, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (d->list[mid].node < node)
			lo = mid + 1;
		else
			hi = mid;
	}
	return d->list[lo].delay_ns;
}

/* What an edge of the graph waits for has come, at this moment. */
static void release(u32 edge, u64 moment_ns)
{
	struct fg_plan *p = eng.plan;
	u32 node = depend_node(p->graph.to[edge]);
	u64 at = moment_ns, start;

	if (p->graph.delay_ns) {
		at += p->graph.delay_ns[edge];
		if (at < p->graph.moment_ns[node])
			at = p->graph.moment_ns[node];
		p->graph.moment_ns[node] = at;
	}
	if (p->graph.waits[node] == FG_CANCELLED || --p->graph.waits[node])
		return;
	at += delay_of(node);
	start = eng.t0_ns + (node < p->nflows ? p->flows[node].start_ns :
			     p->rows[node - p->nflows].start_ns);
	if (at < start)
		at = start;
	if (node < p->nflows)
		fg_timer_add(at, fg_flow_timer, &p->flows[node]);
	else
		fg_churn_release(node - p->nflows, at);
}

static void push(u32 node, bool started, bool good)
{
	after.v = fg_grow(after.v, &after.cap, after.n + 1, sizeof(*after.v));
	after.v[after.n++] = (struct ended){ node, started, good };
}

/* It never starts; what waits for it is for the loop of flow_ended(). */
static void cancel(u32 node)
{
	struct fg_plan *p = eng.plan;

	if (p->graph.waits[node] == FG_CANCELLED)
		return;
	p->graph.waits[node] = FG_CANCELLED;
	if (node < p->nflows) {
		fg_flow_give_up(&p->flows[node], NULL);
		return;
	}
	fg_churn_cancel();
	push(node, false, false);
}

static u32 node_of(const struct fg_flow *f)
{
	return f->from_file ? eng.plan->nflows + f->row : f - eng.plan->flows;
}

/* What waits for the start of a flow is released. */
static void flow_started(const struct fg_flow *f)
{
	const struct depend_graph *g = &eng.plan->graph;
	u32 node = node_of(f), i;

	for (i = g->begin[node]; i < g->begin[node + 1]; i++)
		if (depend_on_start(g->to[i]))
			release(i, f->t_start_ns);
}

/* What waits for a flow is released, or never starts. */
static void go_on(struct ended e)
{
	const struct depend_graph *g = &eng.plan->graph;
	u32 i;

	for (i = g->begin[e.node]; i < g->begin[e.node + 1]; i++) {
		/* Those were released when it started. */
		if (e.started && depend_on_start(g->to[i]))
			continue;
		if (e.good)
			release(i, fg_batch_now());
		else
			cancel(depend_node(g->to[i]));
	}
}

/* A flow has ended; if it has failed, or was given up, it is nothing to go on from. */
static void flow_ended(const struct fg_flow *f)
{
	if (eng.stopping)
		return;
	push(node_of(f), f->t_start_ns, !fg_flow_failed(f));
	if (after.busy)
		return;
	after.busy = true;
	while (after.n)
		go_on(after.v[--after.n]);
	after.busy = false;
}

/**
 * fg_after_start() - traffic starts: have those that wait started in their turn, if there are any
 */
void fg_after_start(void)
{
	if (!eng.plan->graph.n)
		return;
	eng.flow_started = flow_started;
	eng.flow_ended = flow_ended;
}

/**
 * fg_after_exit() - free all
 */
void fg_after_exit(void)
{
	free(after.v);
}
