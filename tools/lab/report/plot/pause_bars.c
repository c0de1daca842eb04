// SPDX-License-Identifier: GPL-2.0
/*
 * Pauses as bars, a row a port: the height is the share of a short time that
 * the port was paused, so that pauses shorter than a pixel keep their weight.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

/* Add the pauses of all priorities of @p, which may be paused at once. */
static void rpt_strip_add(struct rpt_strip *st, const struct rpt_port *p, double t1)
{
	double width = t1 / RPT_STRIP_BINS, from, to;
	size_t hint, k;
	int b;

	for (k = 0; k < RPT_PRIOS; k++) {
		if (!p->pause[k].n)
			continue;
		hint = 0;
		from = rpt_paused_until(&p->pause[k], 0, &hint);
		for (b = 0; b < RPT_STRIP_BINS; b++) {
			to = rpt_paused_until(&p->pause[k], (b + 1) * width, &hint);
			st->share[b] += (to - from) / width;
			from = to;
		}
	}
	st->total_ns += rpt_port_pause_ns(p);
	st->seen_ns += p->seen_ns;
	st->nports++;
}

/* How ports share rows. */
enum rpt_rows {
	RPT_ROW_PORT,	/* not at all */
	RPT_ROW_HOSTS,	/* hosts at one switch do */
	RPT_ROW_PEER,	/* all that one node pauses do */
};

static enum rpt_rows rpt_rows_of(const struct rpt_course *c,
				 const struct rpt_port *p, enum rpt_rows rows)
{
	if (rows == RPT_ROW_HOSTS && !rpt_is_host(&c->ends, p->node))
		return RPT_ROW_PORT;
	return rows;
}

/* A row of several ports has the name of those who pause them. */
static void rpt_strips_port(const struct rpt_course *c, struct rpt_strips *ss,
			    const struct rpt_port *p, enum rpt_rows rows)
{
	bool shared = rpt_rows_of(c, p, rows) != RPT_ROW_PORT;
	struct rpt_strip *st;
	size_t i = ss->n;

	for (i = shared ? 0 : ss->n; i < ss->n; i++)
		if (ss->strip[i].shared && !strcmp(ss->strip[i].first->peer, p->peer))
			break;
	if (i == ss->n) {
		ss->strip = xreallocarray(ss->strip, ++ss->n, sizeof(*ss->strip));
		ss->strip[i] = (struct rpt_strip){
			.first = p, .shared = shared,
		};
	}
	st = &ss->strip[i];
	rpt_strip_add(st, p, ss->t1);
}

static void rpt_strips_all(const struct rpt_course *c, rpt_port_filter want,
			   const void *arg, enum rpt_rows rows, struct rpt_strips *ss)
{
	size_t i;

	ss->n = 0;
	for (i = 0; i < c->ports.n; i++) {
		const struct rpt_port *p = &c->ports.port[i];

		if (rpt_port_paused(p) && (!want || want(p, arg)))
			rpt_strips_port(c, ss, p, rows);
	}
}

static int rpt_cmp_total(const void *pa, const void *pb)
{
	const struct rpt_strip *a = pa, *b = pb;

	return a->total_ns > b->total_ns ? -1 : a->total_ns < b->total_ns;
}

static int rpt_cmp_hops(const void *pa, const void *pb)
{
	const struct rpt_strip *a = pa, *b = pb;

	if (a->hops != b->hops)
		return a->hops < b->hops ? -1 : 1;
	return strverscmp(a->first->name, b->first->name);
}

/* The root of the pauses on top, then the way they spread. */
static void rpt_strips_order(const struct rpt_ports *ps, struct rpt_strips *ss)
{
	const struct rpt_port *root = rpt_main_root(ps);
	struct rpt_graph g;
	int *hops = NULL;
	size_t i;

	rpt_graph_make(ps, &g);
	if (root)
		hops = rpt_graph_hops(&g, root->node);
	for (i = 0; i < ss->n; i++)
		ss->strip[i].hops = !hops ? 0 :
			rpt_graph_hops_to(&g, hops, ss->strip[i].first->node);
	if (ss->n)
		qsort(ss->strip, ss->n, sizeof(*ss->strip), rpt_cmp_hops);
	free(hops);
	rpt_graph_free(&g);
}

static void rpt_strip_finish(const struct rpt_course *c, struct rpt_strip *st)
{
	const char *what = "ports";
	int b;

	for (b = 0; b < RPT_STRIP_BINS; b++)
		st->share[b] = fmin(st->share[b] / st->nports, 1);
	if (rpt_is_host(&c->ends, st->first->node))
		what = "hosts";
	st->label = st->nports == 1 ? rpt_text("%s", st->first->name) :
		    rpt_text("%zu %s to %s", st->nports, what, st->first->peer);
}

/**
 * rpt_strips_make() - the paused ports of a run as rows
 * @c: the run, its flows' ends read
 * @t1: end of the time axis
 * @want: which ports; NULL: all
 * @arg: for @want
 * @ss: filled in: the surroundings of the pauses' root first
 *
 * When there are too many ports, those paused by one peer share a row; when
 * these are too many still, those paused least are left out.
 */
void rpt_strips_make(const struct rpt_course *c, double t1, rpt_port_filter want, const void *arg,
		     struct rpt_strips *ss)
{
	enum rpt_rows rows = RPT_ROW_PORT;
	size_t i;

	*ss = (struct rpt_strips){ .t1 = t1, .run_ns = c->ports.t1 };
	do {
		rpt_strips_all(c, want, arg, rows, ss);
	} while (ss->n > RPT_STRIPS && rows++ < RPT_ROW_PEER);
	if (ss->n > RPT_STRIPS) {
		qsort(ss->strip, ss->n, sizeof(*ss->strip), rpt_cmp_total);
		ss->n = RPT_STRIPS;
	}
	rpt_strips_order(&c->ports, ss);
	for (i = 0; i < ss->n; i++)
		rpt_strip_finish(c, &ss->strip[i]);
}

void rpt_strips_free(struct rpt_strips *ss)
{
	free(ss->strip);
}

/* The share of the time that the ports of a row were paused, in steps. */
void rpt_strip_data(struct pic *p, const struct rpt_strips *ss, const struct rpt_strip *st)
{
	double width = ss->t1 / RPT_STRIP_BINS;
	const double *v = st->share;
	int b, e;

	for (b = 0; b < RPT_STRIP_BINS; b = e) {
		for (e = b + 1; e < RPT_STRIP_BINS; e++)
			if (fabs(v[e] - v[b]) > 0.001)
				break;
		pic_row(p, 2, b * width, v[b]);
		pic_row(p, 2, e * width, v[b]);
	}
}

int rpt_strips_height(const struct rpt_strips *ss)
{
	return ss->n * (ss->n > 6 ? 19 : 23) + 4;
}

/* Room for the longest name at the left. */
int rpt_strips_left(const struct rpt_strips *ss)
{
	int left = 76;
	size_t i;

	for (i = 0; i < ss->n; i++) {
		int w = 16 + 7.8 * strlen(ss->strip[i].label);

		left = w > left ? w : left;
	}
	return left > 220 ? 220 : left;
}

/* What the bars cannot show; "" when they show all. */
static char *rpt_strips_hidden(const struct rpt_course *c, const struct rpt_strips *ss, double seen,
			       double total)
{
	bool known = ss->n && !isnan(ss->strip[0].first->pause_ns);
	char step[32];

	if (!(seen > 0))
		return rpt_text(" No sample saw a pause: only the totals are known.");
	if (c->ports.exact && fabs(seen - total) <= 0.05 * total)
		return rpt_text("%s", "");
	if (c->ports.exact)
		return rpt_text(" Bars miss part of the pauses; totals are exact.");
	rpt_fmt_auto(step, sizeof(step), RPT_NS, c->ports.step_ns);
	return rpt_text(" Bars are from samples every %s,\n%s %s.", step,
			 "which miss shorter pauses; totals are",
			 known ? "exact" : "estimates from them");
}

/* How to read the bars. */
char *rpt_strips_caption(const struct rpt_course *c, const struct rpt_strips *ss)
{
	double total = 0, seen = 0;
	size_t i, n = 0, shown = 0;

	for (i = 0; i < c->ports.n; i++)
		n += rpt_port_paused(&c->ports.port[i]);
	for (i = 0; i < ss->n; i++) {
		shown += ss->strip[i].nports;
		total += ss->strip[i].total_ns;
		seen += ss->strip[i].seen_ns;
	}
	return rpt_text("%s Right: time paused and its share of the run.%s%s",
			"Bars: the share of the time that a port's peer had paused it.",
			rpt_strips_hidden(c, ss, seen, total),
			n > shown ? " Not all paused ports are shown." : "");
}
