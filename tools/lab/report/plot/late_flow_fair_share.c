// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: picture of a join: the last flow starts while all others are active. It shows how
 * soon that flow has its fair share, and how much the others keep, in round trips, all
 * algorithms together.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_JOIN_PX 210
#define RPT_JOIN_QUIET 5	/* round trips between the last two starts */
#define RPT_JOIN_SAMPLE 3	/* samples are not further apart, round trips */
#define RPT_JOIN_LOG 60		/* round trips; more: logarithmic axis */
#define RPT_JOIN_GROW 1.08	/* each mean then is over so much of the time */
/* Of the line: what an algorithm that keeps queues empty may leave free. */
#define RPT_JOIN_LINE 0.95
#define RPT_JOIN_SHARE 0.9
#define RPT_JOIN_TOP 2.2	/* of the axis */

#define RPT_JOIN_CAPTION \
	"Goodput in units of a fair share: 1/%zu of %g %% of the bottleneck's rate,\n" \
	"less headers and telemetry; seed %lu. Means over a round trip, later over\n" \
	"%g %% of the time since the join, until the first completion."

struct rpt_join {
	const struct rpt_algo *algo;
	const struct rpt_flow *flow;	/* the newcomer */
	const struct rpt_flows *all;
	double at, end;			/* ns: its start, the first completion */
	double rtt, fair;		/* ns; bit/s of goodput */
};

/* The newcomer, or NULL: another flow had ended, or had just begun. */
static const struct rpt_end *rpt_join_last(const struct rpt_ends *es, double quiet, double *end)
{
	const struct rpt_end *last = NULL;
	size_t i;

	for (i = 0; i < es->n; i++)
		if (!last || es->end[i].start_ns > last->start_ns)
			last = &es->end[i];
	*end = HUGE_VAL;
	for (i = 0; last && i < es->n; i++) {
		const struct rpt_end *e = &es->end[i];

		if (isnan(e->start_ns) || isnan(e->fct_ns) ||
		    (e != last && e->start_ns + quiet > last->start_ns))
			return NULL;
		*end = fmin(*end, e->start_ns + e->fct_ns);
	}
	return last && es->n > 1 && *end > last->start_ns + quiet ? last : NULL;
}

/* Goodput of a fair share: what packets of the run carry is known from it. */
static double rpt_join_fair(const struct rpt_run *run, size_t flows)
{
	struct json_object *port = js_path(run->summary, "bottleneck.port"), *o;
	double rate, wire, bytes = rpt_json_double(run->summary, "flows.bytes");

	if (!port)
		return NAN;
	o = js_path(run->summary, rpt_text("ports.%s", json_object_get_string(port)));
	rate = rpt_json_double(o, "rate_bps");
	wire = rpt_json_double(o, "tx_wire_bytes");
	return RPT_JOIN_LINE * rate * fmin(bytes / wire, 1) / flows;
}

static bool rpt_join_read(struct rpt *r, struct rpt_course *c, struct rpt_join *j)
{
	const struct rpt_series *s;
	const struct rpt_end *last;
	size_t i;

	*j = (struct rpt_join){ .algo = c->algo, .all = &c->flows };
	j->rtt = rpt_json_double(c->run->summary, "knobs.base_rtt");
	if (!(j->rtt > 0) || c->flows.n < 2 || c->flows.n > RPT_LINES)
		return false;
	if (!c->ends.n)
		rpt_ends_read(r, c->run, &c->ends);
	last = rpt_join_last(&c->ends, RPT_JOIN_QUIET * j->rtt, &j->end);
	j->fair = rpt_join_fair(c->run, c->ends.n);
	if (!last || c->ends.n != c->flows.n || !(j->fair > 0))
		return false;
	for (i = 0; i < c->flows.n; i++)
		if (c->flows.flow[i].id == last->id)
			j->flow = &c->flows.flow[i];
	j->at = last->start_ns;
	s = j->flow ? &j->flow->s[RPT_Q_GOODPUT] : NULL;
	return s && s->n > 2 && (s->t[s->n - 1] - s->t[0]) / (s->n - 1) <=
				RPT_JOIN_SAMPLE * j->rtt;
}

/* Mean over @from..@to: a sample is the mean since the one before. */
static double rpt_join_mean(const struct rpt_series *s, double from, double to)
{
	double sum = 0, before = from;
	size_t i;

	for (i = 0; i < s->n && before < to; i++) {
		double t = fmin(s->t[i], to);

		if (t <= before)
			continue;
		sum += s->v[i] * (t - before);
		before = t;
	}
	return sum / (to - from);
}

/* Of the newcomer, or the mean of all others; in fair shares. */
static double rpt_join_share(const struct rpt_join *j, bool newcomer, double from, double to)
{
	double sum = 0;
	size_t i, n = 0;

	if (newcomer)
		return rpt_join_mean(&j->flow->s[RPT_Q_GOODPUT], from, to) /
		       j->fair;
	for (i = 0; i < j->all->n; i++) {
		if (&j->all->flow[i] == j->flow)
			continue;
		sum += rpt_join_mean(&j->all->flow[i].s[RPT_Q_GOODPUT], from, to);
		n++;
	}
	return sum / n / j->fair;
}

/* Shares over round trips. Return: the last share. */
static double rpt_join_data(struct pic *p, const struct rpt_join *j, bool newcomer)
{
	double end = (j->end - j->at) / j->rtt, from = 0, to, v = 0;

	for (; from < end; from = to) {
		to = fmax(from + 1, from * RPT_JOIN_GROW);
		if (to > end)
			break;
		v = rpt_join_share(j, newcomer, j->at + from * j->rtt, j->at + to * j->rtt);
		pic_row(p, 2, to, v);
	}
	return v;
}

static void rpt_join_panel(struct rpt_stack *st, const struct rpt_join *j, size_t n, double end,
			   bool newcomer, const char *title, const char *more)
{
	struct rpt_label *l = xreallocarray(NULL, n + 1, sizeof(*l));
	struct pic_panel panel = {
		.h = RPT_JOIN_PX, .title = title, .more = more,
		.ylabel = "share of a fair rate", .y1 = RPT_JOIN_TOP,
		.x0 = end > RPT_JOIN_LOG, .x1 = end, .xdiv = 1, .xlog = end > RPT_JOIN_LOG,
	};
	size_t i;

	rpt_stack_panel(st, &panel, !newcomer);
	pic_line(st->p, 'y', RPT_JOIN_SHARE);
	l[n] = (struct rpt_label){
		.text = "90 %", .y = RPT_JOIN_SHARE / RPT_JOIN_TOP,
		.rgb = 0x222222, .dash = 3,
	};
	for (i = 0; i < n; i++) {
		struct pic_look look = {
			.rgb = j[i].algo->style.rgb, .dash = j[i].algo->style.dash, .width = 2,
		};

		pic_curve(st->p, &look, newcomer ? "joins" : "was there", j[i].algo->cc, "share");
		l[i] = (struct rpt_label){
			.text = j[i].algo->cc, .rgb = look.rgb, .dash = look.dash,
			.y = rpt_join_data(st->p, &j[i], newcomer) / RPT_JOIN_TOP,
		};
	}
	pic_names(st->p, l, n + 1, st->panel);
	free(l);
}

static void rpt_join_panels(struct pic *p, const struct rpt_scenario *s,
			    const struct rpt_join *j, size_t n, int height)
{
	struct rpt_stack st = {
		.p = p, .height = height, .left = 84, .y = 74,
		.right = 60 + 8 * (int)rpt_longest_name(s),
		.xlabel = "time (round trips since the join)",
	};
	bool two = j[0].all->n == 2;
	double end = 0;
	size_t i;

	for (i = 0; i < n; i++)
		end = fmax(end, (j[i].end - j[i].at) / j[i].rtt);
	rpt_stack_begin(&st, NULL, end);
	rpt_join_panel(&st, j, n, end, true, "the flow that joins", ": goodput");
	rpt_join_panel(&st, j, n, end, false, two ? "the flow that was there" :
		       "the flows that were there", two ? ": goodput" : ": goodput, mean");
}

/**
 * rpt_plot_join() - a picture of a join, where there is one
 * @r: the report
 * @s: the scenario
 */
void rpt_plot_join(struct rpt *r, const struct rpt_scenario *s)
{
	struct rpt_course *c = s->course;
	struct rpt_join *j = xreallocarray(NULL, s->nr_algos, sizeof(*j));
	int height = 74 + 2 * (RPT_JOIN_PX + 40) + 16;
	struct pic p;
	size_t i, n = 0;

	for (i = 0; i < s->nr_algos; i++)
		n += rpt_join_read(r, &c[i], &j[n]);
	if (n && pic_open(r, &p, s, NULL, P_JOIN, height)) {
		rpt_join_panels(&p, s, j, n, height);
		pic_close(&p, RPT_JOIN_CAPTION, j[0].all->n, 100 * RPT_JOIN_LINE,
			  s->algos[0].runs[0].seed, 100 * (RPT_JOIN_GROW - 1));
	}
	free(j);
}
