// SPDX-License-Identifier: GPL-2.0
/*
 * Queues, pauses and rates on one time axis: a picture an algorithm under
 * which ports were paused, all with the same axes of values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_PAUSE_QUEUES 5	/* lines: the root of the pauses and four more */
#define RPT_PAUSE_QUEUE_PX 170
#define RPT_PAUSE_RATE_PX 170

#define RPT_PAUSE_LONGER 1.6	/* a run so much longer has its own time axis */

/* Axes that the pictures of all algorithms share. */
struct rpt_axes {
	double longest, queue, rate;
};

struct rpt_pause {
	const struct rpt_course *c;
	const struct rpt_port *q[RPT_PAUSE_QUEUES];
	size_t nq;
	double t1;
	struct rpt_states states;
	struct rpt_strips strips;
	struct rpt_groups groups;
	struct rpt_binned bin;
};

static int rpt_cmp_peak(const void *pa, const void *pb)
{
	const struct rpt_port *a = *(const struct rpt_port *const *)pa;
	const struct rpt_port *b = *(const struct rpt_port *const *)pb;

	return a->peak > b->peak ? -1 : a->peak < b->peak;
}

/*
 * The root of the pauses, then the longest of the switch ports: where pauses
 * make the queue. What waits in a paused host has not entered the network.
 */
static void rpt_pause_queues(struct rpt_pause *p)
{
	const struct rpt_ports *ps = &p->c->ports;
	const struct rpt_port **all, *root = rpt_main_root(ps);
	double least = root ? 0.02 * root->peak : 0;
	size_t i, n = 0;

	all = xreallocarray(NULL, ps->n + 1, sizeof(*all));
	for (i = 0; i < ps->n; i++)
		if (&ps->port[i] != root && ps->port[i].peak > least &&
		    !rpt_is_host(&p->c->ends, ps->port[i].node))
			all[n++] = &ps->port[i];
	if (n)
		qsort(all, n, sizeof(*all), rpt_cmp_peak);
	if (root && root->sampled)
		p->q[p->nq++] = root;
	for (i = 0; i < n && p->nq < RPT_PAUSE_QUEUES; i++)
		p->q[p->nq++] = all[i];
	free(all);
}

static void rpt_pause_make(struct rpt *r, struct rpt_pause *p, const struct rpt_course *c,
			   struct rpt_axes *ax)
{
	size_t i;

	*p = (struct rpt_pause){ .c = c, .t1 = ax->longest };
	/* A crawl under one algorithm must not hide what others show. */
	if (ax->longest > RPT_PAUSE_LONGER * c->ports.t1)
		p->t1 = c->ports.t1;
	rpt_pause_queues(p);
	rpt_states_read(r, c, &p->states);
	rpt_strips_make(c, p->t1, NULL, NULL, &p->strips);
	rpt_groups_make(c, &p->groups);
	rpt_bin_panel(&p->groups.fs, RPT_Q_GOODPUT, p->t1, &p->bin);
	for (i = 0; i < p->nq; i++)
		ax->queue = fmax(ax->queue, p->q[i]->peak);
	ax->rate = fmax(ax->rate, p->bin.max > 2 * p->bin.high ? 1.25 * p->bin.high : p->bin.max);
}

static void rpt_pause_free(struct rpt_pause *p)
{
	rpt_states_free(&p->states);
	rpt_strips_free(&p->strips);
	rpt_groups_free(&p->groups);
	free(p->bin.v);
}

static unsigned int rpt_pause_rgb(const struct rpt_stack *st, size_t i, size_t n)
{
	/* The first in the algorithm's own colour, the rest beside it. */
	return i ? rpt_shade(st->rgb, i - 1, n > 2 ? n - 1 : 2) : st->rgb;
}

static void rpt_pause_queue_panel(struct rpt_stack *st, const struct rpt_pause *p, double max,
				  struct rpt_scale vs)
{
	struct rpt_label l[RPT_PAUSE_QUEUES];
	struct pic_panel panel = {
		.h = RPT_PAUSE_QUEUE_PX, .title = "queue", .more = ", wire bytes",
		.ylabel = rpt_axis("queue", vs), .y1 = 1.08 * max / vs.div, .ydiv = vs.div,
	};
	size_t i;

	rpt_stack_panel(st, &panel, false);
	for (i = 0; i < p->nq; i++) {
		struct pic_look look = {
			.kind = rpt_series_dense(&p->q[i]->q) ? PIC_LINE : PIC_STEPS,
			.rgb = rpt_pause_rgb(st, i, p->nq), .dash = rpt_dash(i),
		};

		l[i] = (struct rpt_label){
			.text = p->q[i]->name,
			.y = p->q[i]->peak / (1.08 * max),
			.rgb = look.rgb, .dash = look.dash,
		};
		pic_curve(st->p, &look, "queue_bytes", st->cc, p->q[i]->name);
		rpt_series_put(st->p, &p->q[i]->q, p->t1);
	}
	pic_names(st->p, l, p->nq, st->panel);
}

/* Mean of what is shown of a curve, as a height in the panel. */
static double rpt_curve_level(const struct rpt_binned *b, size_t i, double top)
{
	double sum = 0;
	int k, n = 0;

	for (k = 0; k < b->nbins; k++) {
		double v = b->v[i * b->nbins + k];

		if (isnan(v))
			continue;
		sum += v;
		n++;
	}
	return n ? fmin(sum / n / top, 1) : 0;
}

static void rpt_pause_rate_panel(struct rpt_stack *st, const struct rpt_pause *p, double max,
				 struct rpt_scale vs)
{
	const struct rpt_groups *g = &p->groups;
	struct rpt_label l[RPT_LINES];
	struct pic_panel panel = {
		.h = RPT_PAUSE_RATE_PX, .title = "goodput",
		.more = g->fs.n < p->c->flows.n ? " of all flows of a kind together" :
			" of each flow",
		.ylabel = rpt_axis("goodput", vs), .y1 = 1.05 * max / vs.div, .ydiv = vs.div,
	};
	size_t i;

	rpt_stack_panel(st, &panel, true);
	for (i = 0; i < g->fs.n; i++) {
		struct pic_look look = {
			.rgb = g->victim[i] ? 0x111111 : rpt_shade(st->rgb, i, g->fs.n),
			.dash = g->victim[i] ? 1 : rpt_dash(i),
			.width = g->victim[i] ? 2.6 : 1.8,
		};

		l[i] = (struct rpt_label){
			.text = g->label[i],
			.y = rpt_curve_level(&p->bin, i, 1.05 * max),
			.rgb = look.rgb, .dash = look.dash,
		};
		pic_curve(st->p, &look, "goodput_bps", st->cc, g->label[i]);
		rpt_put_line(st->p, &p->bin, i, p->t1 / p->bin.nbins);
	}
	pic_names(st->p, l, g->fs.n, st->panel);
}

static void rpt_pause_panels(struct rpt_stack *st, struct rpt_pause *p, const struct rpt_axes *ax)
{
	bool rates = p->bin.max > 0;

	rpt_stack_begin(st, p->c, p->t1);
	if (p->states.shown)
		rpt_states_panel(st, &p->states);
	if (p->nq && ax->queue > 0)
		rpt_pause_queue_panel(st, p, ax->queue, rpt_scale_of(RPT_BYTES, ax->queue));
	rpt_stack_strips(st, &p->strips, !rates);
	if (rates)
		rpt_pause_rate_panel(st, p, ax->rate, rpt_scale_of(RPT_BPS, ax->rate));
}

static void rpt_pause_plot(struct rpt *r, const struct rpt_scenario *s,
			   struct rpt_pause *p, const struct rpt_axes *ax)
{
	bool queue = p->nq && ax->queue > 0, rates = p->bin.max > 0;
	struct rpt_stack st = {
		.left = rpt_strips_left(&p->strips), .right = 172, .y = 74,
		.rgb = p->c->algo->style.rgb, .cc = p->c->algo->cc,
	};
	struct pic pic;

	st.height = st.y + rpt_strips_height(&p->strips) + 56 +
		    (p->states.shown ? rpt_states_height(&p->states) + 40 : 0) +
		    queue * (RPT_PAUSE_QUEUE_PX + 40) +
		    rates * (RPT_PAUSE_RATE_PX + 40);
	if (pic_open(r, &pic, s, p->c, P_PAUSES, st.height)) {
		st.p = &pic;
		rpt_pause_panels(&st, p, ax);
		pic_close(&pic, "%s, seed %lu. The longest queues of switch ports. %s",
			  p->c->algo->cc, p->c->run->seed, rpt_strips_caption(p->c, &p->strips));
	}
}

/**
 * rpt_plot_pauses() - a picture for each algorithm with pauses
 * @r: the report
 * @s: scenario
 */
void rpt_plot_pauses(struct rpt *r, const struct rpt_scenario *s)
{
	const struct rpt_course *c = s->course;
	struct rpt_pause *p = xreallocarray(NULL, s->nr_algos, sizeof(*p));
	struct rpt_axes ax = { 0 };
	size_t i, n = 0;

	for (i = 0; i < s->nr_algos; i++)
		if (c[i].pauses)
			ax.longest = fmax(ax.longest, c[i].ports.t1);
	for (i = 0; i < s->nr_algos && ax.longest > 0; i++)
		if (c[i].pauses && c[i].ports.rows)
			rpt_pause_make(r, &p[n++], &c[i], &ax);
	for (i = 0; i < n; i++)
		rpt_pause_plot(r, s, &p[i], &ax);
	for (i = 0; i < n; i++)
		rpt_pause_free(&p[i]);
	free(p);
}
