// SPDX-License-Identifier: GPL-2.0
/*
 * Find a victim of head-of-line blocking: a flow that shares a paused link with
 * others and does not use the port for which these wait.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RPT_VICTIM_PAUSED 0.1	/* share of the window, at least */
#define RPT_VICTIM_LOSES 0.8	/* of its goodput before, at most */
#define RPT_VICTIM_ALONE 0.5	/* paused from the start: of that when alone */
#define RPT_VICTIM_EDGE 0.02	/* of the pauses, before and behind the window */
#define RPT_VICTIM_SLOWDOWN 1.2	/* a flow not named as victim: at least */

/* Is @p a port from one node of the way to the next? */
bool rpt_on_path(const char *const *path, size_t n, const struct rpt_port *p)
{
	size_t i;

	for (i = 0; i + 1 < n; i++)
		if (!strcmp(path[i], p->node) && !strcmp(path[i + 1], p->peer))
			return true;
	return false;
}

/* For rpt_strips_make(): the victim's way and that to the root. */
bool rpt_victim_port(const struct rpt_port *p, const void *victim)
{
	const struct rpt_victim *v = victim;

	return rpt_on_path(v->path, v->n, p) ||
	       rpt_on_path(v->tail, v->ntail, p);
}

/* The way from the last node that both have in common to the root's peer. */
static bool rpt_victim_tail(const struct rpt_graph *g, struct rpt_victim *v)
{
	const char *tail[RPT_PATH];
	size_t n, i, k;

	n = rpt_graph_path(g, v->paused->peer, v->root->node, tail);
	if (!n || n + 1 >= RPT_PATH)
		return false;
	tail[n++] = v->root->peer;
	for (i = n; i-- > 0;)
		for (k = 0; k < v->n; k++)
			if (!strcmp(tail[i], v->path[k])) {
				v->fork = k;
				v->ntail = n - i;
				memcpy(v->tail, tail + i, v->ntail * sizeof(*tail));
				return v->ntail > 1;
			}
	return false;
}

/* Does flow @e wait for a port that is not on its way? */
static bool rpt_victim_try(const struct rpt_graph *g, struct rpt_victim *v, const struct rpt_end *e)
{
	const struct rpt_ports *ps = &v->c->ports;
	size_t i;

	v->e = e;
	v->paused = NULL;
	v->access = NULL;
	v->n = rpt_graph_path(g, e->src, e->dst, v->path);
	if (v->n < 3)
		return false;
	for (i = 0; i < ps->n; i++) {
		const struct rpt_port *p = &ps->port[i];

		if (!rpt_on_path(v->path, v->n, p))
			continue;
		if (!strcmp(p->peer, e->dst))
			v->access = p;
		/* The sender's own port pauses last: it explains nothing. */
		if (!rpt_port_paused(p) || !strcmp(p->node, e->src))
			continue;
		if (!v->paused || rpt_port_pause_ns(p) > rpt_port_pause_ns(v->paused))
			v->paused = p;
	}
	if (!v->paused)
		return false;
	v->root = rpt_root_port(ps, v->paused);
	return v->root && v->root->peak > 0 &&
	       !rpt_on_path(v->path, v->n, v->root) && rpt_victim_tail(g, v);
}

/* Mean of the samples from @from to @to, NAN without any. */
static double rpt_series_mean(const struct rpt_series *s, double from, double to)
{
	double sum = 0;
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		if (s->t[i] <= from || s->t[i] > to)
			continue;
		sum += s->v[i];
		n++;
	}
	return n ? sum / n : NAN;
}

/* When a port's pauses had reached @share of what they became. */
static double rpt_pause_time(const struct rpt_port *p, double share)
{
	const struct rpt_series *s = NULL;
	size_t i, k;
	double at;

	/* The priority that is paused most. */
	for (k = 0; k < RPT_PRIOS; k++)
		if (p->pause[k].n && (!s || p->pause[k].v[p->pause[k].n - 1] > s->v[s->n - 1]))
			s = &p->pause[k];
	if (!s)
		return NAN;
	at = share * s->v[s->n - 1];
	for (i = 1; i < s->n; i++)
		if (s->v[i] > at)
			return s->t[i - 1] + (at - s->v[i - 1]) *
			       (s->t[i] - s->t[i - 1]) /
			       (s->v[i] - s->v[i - 1]);
	return s->t[s->n - 1];
}

/*
 * The time to look at: from the first to the last pause but for stragglers, of
 * the link that leads on to the root, else of the shared one.
 */
static void rpt_victim_window(struct rpt_victim *v)
{
	char *name = rpt_text("%s-%s", v->tail[0], v->tail[1]);
	const struct rpt_port *p = rpt_port_find(&v->c->ports, name);

	v->spread = p && p != v->root && p->seen_ns > 0 ? p : v->paused;
	v->from = rpt_pause_time(v->spread, RPT_VICTIM_EDGE);
	v->to = rpt_pause_time(v->spread, 1 - RPT_VICTIM_EDGE);
}

/* Goodput of what goes to the victim's receiver, and of the root's crowd. */
static void rpt_victim_curves(const struct rpt_graph *g, struct rpt_victim *v)
{
	const struct rpt_course *c = v->c;
	bool *mine = xreallocarray(NULL, c->flows.n + 1, sizeof(*mine));
	bool *crowd = xreallocarray(NULL, c->flows.n + 1, sizeof(*crowd));
	size_t i, n;

	for (i = 0; i < c->flows.n; i++) {
		const struct rpt_end *e;
		const char *path[RPT_PATH];

		e = rpt_end_of(&c->ends, c->flows.flow[i].id);
		n = e ? rpt_graph_path(g, e->src, e->dst, path) : 0;
		mine[i] = e && !strcmp(e->dst, v->e->dst);
		crowd[i] = rpt_on_path(path, n, v->root);
	}
	v->fs.algo = c->algo;
	v->fs.n = 2;
	v->fs.flow = xreallocarray(NULL, 2, sizeof(*v->fs.flow));
	memset(v->fs.flow, 0, 2 * sizeof(*v->fs.flow));
	rpt_flows_sum(&c->flows, mine, &v->fs.flow[0].s[RPT_Q_GOODPUT]);
	v->ncrowd = rpt_flows_sum(&c->flows, crowd, &v->fs.flow[1].s[RPT_Q_GOODPUT]);
	free(mine);
	free(crowd);
}

static void rpt_victim_figures(struct rpt_victim *v)
{
	const struct rpt_series *s = &v->fs.flow[0].s[RPT_Q_GOODPUT];
	double mtu = rpt_setting_num(v->c->run, "mtu"), share = 1;

	v->before = rpt_series_mean(s, v->e->start_ns, v->from);
	v->during = rpt_series_mean(s, v->from, v->to);
	v->alone = v->e->bytes * 8e9 / v->e->ideal_ns;
	/* 82 bytes around the payload of a packet in the middle of a message. */
	if (mtu > 0)
		share = mtu / (mtu + 82);
	v->line = v->access ? v->access->rate_bps : NAN;
	if (isnan(v->line))
		v->line = rpt_setting_num(v->c->run, "rate");
	v->line *= share;
	v->idle = fmax(0, 1 - v->during / v->line);
}

/* Pauses that cost little are no story. */
static bool rpt_victim_suffers(const struct rpt_victim *v)
{
	if (rpt_port_share(v->paused, v->from, v->to) < RPT_VICTIM_PAUSED)
		return false;
	return v->before > 0 ? v->during <= RPT_VICTIM_LOSES * v->before :
			       v->during <= RPT_VICTIM_ALONE * v->alone;
}

/**
 * rpt_victim_find() - the victim of a run that has a story to tell
 * @c: the run, flows' ends read
 * @v: filled in; rpt_victim_free() is due when one was found
 *
 * One that the scenario names, else the one that was slowed down most.
 */
bool rpt_victim_find(const struct rpt_course *c, struct rpt_victim *v)
{
	const struct rpt_end *best = NULL;
	double slow, worst = 0;
	struct rpt_graph g;
	bool ok = false;
	size_t i;

	memset(v, 0, sizeof(*v));
	v->c = c;
	rpt_graph_make(&c->ports, &g);
	for (i = 0; i < c->ends.n; i++) {
		const struct rpt_end *e = &c->ends.end[i];

		slow = e->fct_ns / e->ideal_ns;
		if (!strcmp(e->group, RPT_VICTIM))
			slow = 1e9;
		else if (!(slow >= RPT_VICTIM_SLOWDOWN))
			continue;
		if (slow <= worst || !rpt_victim_try(&g, v, e))
			continue;
		worst = slow;
		best = e;
	}
	if (best && rpt_victim_try(&g, v, best)) {
		rpt_victim_window(v);
		rpt_victim_curves(&g, v);
		rpt_victim_figures(v);
		ok = v->to > v->from && rpt_victim_suffers(v);
		if (!ok)
			rpt_victim_free(v);
	}
	rpt_graph_free(&g);
	return ok;
}

void rpt_victim_free(struct rpt_victim *v)
{
	rpt_flows_free(&v->fs);
}
