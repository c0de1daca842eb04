// SPDX-License-Identifier: GPL-2.0
/* The bottleneck's queue over time, all algorithms in one picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_Q_BINS 250		/* over the picture's width */
#define RPT_Q_TOGETHER 3	/* more algorithms: a panel each */
#define RPT_Q_LOG_RATIO 30	/* peaks further apart: logarithmic axis */
#define RPT_Q_LOG_FLOOR 1024.0	/* bytes; about a packet */

struct rpt_queue {
	const struct rpt_algo *algo;
	const struct rpt_series *s;	/* NULL: no data */
	const char *port;
	double peak;
};

/* Is the picture dense: more samples than it has columns? */
bool rpt_series_dense(const struct rpt_series *s)
{
	return s->n > 2 * RPT_Q_BINS;
}

/*
 * At most RPT_Q_BINS bins over 0..@t1. A sample holds until the next one, so means are
 * weighted by time and nothing is lost: each bin keeps its extremes.
 */
static void rpt_series_bins(struct pic *p, const struct rpt_series *s, double t1)
{
	double width = t1 / RPT_Q_BINS;
	size_t i = 0;
	int b;

	for (b = 0; b < RPT_Q_BINS; b++) {
		double from = b * width, to = from + width, at = from;
		double area = 0, min = HUGE_VAL, max = -HUGE_VAL;

		while (i + 1 < s->n && s->t[i + 1] <= from)
			i++;
		if (s->t[i] >= to || (i + 1 == s->n && s->t[i] < from))
			continue;
		for (;;) {
			double end = i + 1 < s->n ? s->t[i + 1] : to;

			end = fmin(end, to);
			area += s->v[i] * fmax(end - at, 0);
			at = fmax(at, end);
			min = fmin(min, s->v[i]);
			max = fmax(max, s->v[i]);
			if (i + 1 == s->n || s->t[i + 1] >= to)
				break;
			i++;
		}
		pic_row(p, 4, from + width / 2, area / width, min, max);
	}
}

/**
 * rpt_series_put() - data of a quantity that keeps its value between samples
 * @p: picture, the curve begun
 * @s: samples
 * @t1: end of the time axis
 *
 * Steps, or bins with mean, smallest and largest value when the samples are dense.
 */
void rpt_series_put(struct pic *p, const struct rpt_series *s, double t1)
{
	size_t i;

	if (rpt_series_dense(s)) {
		rpt_series_bins(p, s, t1);
		return;
	}
	for (i = 0; i < s->n && s->t[i] <= t1; i++)
		pic_row(p, 2, s->t[i], s->v[i]);
	if (i && i < s->n)
		pic_row(p, 2, t1, s->v[i - 1]);
}

/* What all algorithms' queues are shown on. */
struct rpt_queue_axes {
	double t1, ymax, floor;		/* ns; bytes */
	struct rpt_scale ts, vs;
	char *xl, *yl;			/* names */
	bool log;
};

/* Those of the port that is drawn; without, those of the scenario's keys. */
static double rpt_threshold(const struct rpt_run *run, const char *key)
{
	double v = rpt_json_double(run->summary, rpt_text("bottleneck.%s_bytes", key));

	return isnan(v) ? rpt_setting_num(run, key) : v;
}

/* kmin and kmax beside the panel, where the axis shows them. */
static void rpt_queue_marks(struct pic *p, const struct rpt_run *run,
			    const struct rpt_queue_axes *ax, double height)
{
	static const char *const key[] = { "kmin", "kmax" };
	struct rpt_label l[ARRAY_SIZE(key)];
	double before = NAN;
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(key); i++) {
		double v = rpt_threshold(run, key[i]);
		struct rpt_scale sc = rpt_scale_of(RPT_BYTES, v);

		if (!(v > 0) || v > ax->ymax || v == before)
			continue;
		before = v;
		pic_line(p, 'y', v / ax->vs.div);
		/* Three digits: the margin has no room for more. */
		l[n++] = (struct rpt_label){
			.text = rpt_text(v / sc.div < 999.5 ? "%s %.3g %s" : "%s %.0f %s", key[i],
					  v / sc.div, sc.name),
			.rgb = 0x444444,
			.y = ax->log ? log(v / ax->floor) / log(ax->ymax / ax->floor) :
			     v / ax->ymax,
		};
	}
	pic_names(p, l, n, height);
}

static void rpt_queue_axes_make(struct rpt_queue_axes *ax, const struct rpt_scenario *s,
				const struct rpt_queue *q, double t1)
{
	double peak = 0, low = HUGE_VAL, kmax;
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		peak = fmax(peak, q[i].peak);
		if (q[i].s)
			low = fmin(low, fmax(q[i].peak, RPT_Q_LOG_FLOOR));
	}
	ax->t1 = t1;
	ax->ts = rpt_scale_of(RPT_NS, t1);
	ax->log = peak > RPT_Q_LOG_RATIO * low;
	ax->floor = ax->log ? RPT_Q_LOG_FLOOR : 0;
	kmax = rpt_setting_num(&s->algos[0].runs[0], "kmax");
	ax->ymax = peak * (ax->log ? 1.5 : 1.06) + (peak == 0);
	if (!ax->log && kmax > peak && kmax < 3 * peak)
		ax->ymax = kmax * 1.06;
	ax->vs = rpt_scale_of(RPT_BYTES, ax->log ? ax->floor : ax->ymax);
	ax->xl = rpt_axis("time", ax->ts);
	ax->yl = rpt_text(rpt_narrow() ? "queue (%s)" : "queue (%s of wire bytes)", ax->vs.name);
}

static void rpt_queue_panel(struct pic *p, const struct rpt_queue_axes *ax, struct pic_panel *panel)
{
	panel->x1 = ax->t1 / ax->ts.div;
	panel->xdiv = ax->ts.div;
	panel->y0 = ax->floor / ax->vs.div;
	panel->y1 = ax->ymax / ax->vs.div;
	panel->ydiv = ax->vs.div;
	panel->ylog = ax->log;
	panel->floor = ax->floor;
	pic_panel(p, panel);
	if (!ax->log)
		return;
	pic_tic(p, 'y', rpt_text("<= %g", panel->y0), panel->y0);
}

static void rpt_queue_curve(struct pic *p, const struct rpt_queue *q, double t1, int dash,
			    bool alone)
{
	struct pic_look look = {
		.rgb = q->algo->style.rgb, .dash = dash, .name = q->algo->cc,
	};

	if (!q->s) {
		if (alone)
			pic_note(p, "not sampled", 0.5, 0.5, 0, 0x888888);
		return;
	}
	look.kind = rpt_series_dense(q->s) ? PIC_BAND : PIC_STEPS;
	pic_curve(p, &look, "queue_bytes", q->algo->cc, q->port);
	rpt_series_put(p, q->s, t1);
}

static void rpt_queue_together(struct pic *p, const struct rpt_scenario *s,
			       const struct rpt_queue *q, const struct rpt_queue_axes *ax)
{
	struct pic_panel panel = {
		.x = 83, .y = 76, .w = rpt_width() - 200, .h = 270,
		.xlabel = ax->xl, .ylabel = ax->yl,
	};
	size_t i;

	rpt_queue_panel(p, ax, &panel);
	rpt_queue_marks(p, &s->algos[0].runs[0], ax, panel.h);
	for (i = 0; i < s->nr_algos; i++)
		rpt_queue_curve(p, &q[i], ax->t1, q[i].algo->style.dash, false);
}

/* Too many for one panel: one each, with the same axes. */
static void rpt_queue_apart(struct pic *p, const struct rpt_scenario *s,
			    const struct rpt_queue *q, const struct rpt_queue_axes *ax)
{
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		struct pic_panel panel;

		rpt_grid_place(&panel, i, s->nr_algos, ax->xl, ax->yl);
		rpt_grid_name(&panel, q[i].algo);
		rpt_queue_panel(p, ax, &panel);
		/* The left column has no room for their names. */
		if (rpt_narrow() || i % 2 || i + 1 == s->nr_algos)
			rpt_queue_marks(p, &s->algos[0].runs[0], ax, panel.h);
		rpt_queue_curve(p, &q[i], ax->t1, 1, true);
	}
}

static void rpt_queue_draw(struct rpt *r, const struct rpt_scenario *s,
			   const struct rpt_queue *q, double t1, bool dense, const char *more)
{
	bool apart = s->nr_algos > RPT_Q_TOGETHER;
	int height = apart ? rpt_grid_height(s->nr_algos) : 400;
	struct rpt_queue_axes ax;
	struct pic p;

	if (!pic_open(r, &p, s, NULL, P_QUEUE, height))
		return;
	rpt_queue_axes_make(&ax, s, q, t1);
	pic_more_tics(&p, 'y');
	(apart ? rpt_queue_apart : rpt_queue_together)(&p, s, q, &ax);
	pic_close(&p, "Queue of the bottleneck port, wire bytes, seed %lu.%s%s",
		  s->algos[0].runs[0].seed, dense ?
		  " Lines are means over 1/250 of the time shown,\n"
		  "shades reach from the smallest to the largest value in it." :
		  "", more);
}

/* Under a workload no port is watched unless asked for. */
static bool rpt_any_queue(const struct rpt_scenario *s, const struct rpt_course *c)
{
	size_t i, k;

	for (i = 0; i < s->nr_algos; i++)
		for (k = 0; k < c[i].ports.n; k++)
			if (c[i].ports.port[k].peak > 0)
				return true;
	return false;
}

/* One run stands for an algorithm: that of its lowest seed. */
void rpt_plot_queue(struct rpt *r, const struct rpt_scenario *s)
{
	const struct rpt_course *c = s->course;
	double *end, t1;
	struct rpt_queue *q;
	bool dense = false;
	char *more;
	size_t i;

	if (rpt_is_traffic(s) && !rpt_any_queue(s, c))
		return;
	q = xreallocarray(NULL, s->nr_algos, sizeof(*q));
	end = xreallocarray(NULL, s->nr_algos + 1, sizeof(*end));
	for (i = 0; i < s->nr_algos; i++) {
		const struct rpt_ports *ps = &c[i].ports;
		const struct rpt_port *b = NULL;

		end[i] = 0;
		q[i] = (struct rpt_queue){ .algo = c[i].algo };
		if (ps->rows && ps->bottleneck)
			b = rpt_port_find(ps, ps->bottleneck);
		if (b && !b->sampled && c[i].run->m[RPT_M_Q_MAX] > 0)
			rpt_warn(r, "%s: port '%s' was not sampled, so its queue is not drawn (--set watch=all samples all ports)",
				 c[i].run->dir, b->name);
		if (!b || !b->sampled)
			continue;
		q[i].s = &b->q;
		q[i].port = b->name;
		q[i].peak = b->peak;
		dense |= rpt_series_dense(q[i].s);
		end[i] = b->q.t[b->q.n - 1];
	}
	more = rpt_axis_end(c, end, s->nr_algos, &t1);
	if (t1 > 0)
		rpt_queue_draw(r, s, q, t1, dense, more);
	free(end);
	free(q);
}
