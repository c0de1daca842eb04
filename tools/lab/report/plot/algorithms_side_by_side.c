// SPDX-License-Identifier: GPL-2.0
/*
 * Two or three algorithms side by side, in a narrow picture one below the other: rates, the
 * bottleneck's queue and what each algorithm goes by, on one time axis.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_CMP_MOST 3
#define RPT_CMP_ROWS 3
#define RPT_CMP_PX (rpt_narrow() ? 88 : 138)	/* height of a panel */
#define RPT_CMP_GAP 34			/* below it */
#define RPT_CMP_TOP 88
#define RPT_CMP_LEFT 74
#define RPT_CMP_RIGHT 20
#define RPT_CMP_BETWEEN 62
#define RPT_CMP_FLOOR 1024.0		/* bytes, about a packet; less is drawn as this */
#define RPT_CMP_NEXT 22			/* more above the next algorithm below */

struct rpt_column_of {
	const struct rpt_course *c;
	const struct rpt_series *queue;	/* NULL: not sampled */
	const char *port;
	struct rpt_half rate, signal;
};

struct rpt_compare {
	struct rpt_column_of col[RPT_CMP_MOST];
	size_t n;
	double t1, rate, queue;		/* ns; ends of the common axes */
	char *more;			/* of the caption */
	struct rpt_scale ts;
};

static void rpt_compare_make(const struct rpt_scenario *s,
			     const struct rpt_course *c, struct rpt_compare *m)
{
	double end[RPT_CMP_MOST] = { 0 };
	size_t i, k;

	for (i = 0; i < s->nr_algos; i++)
		for (k = 0; k < c[i].flows.n; k++) {
			const struct rpt_series *g;

			g = &c[i].flows.flow[k].s[RPT_Q_GOODPUT];
			if (g->n)
				end[i] = fmax(end[i], g->t[g->n - 1]);
		}
	m->more = rpt_axis_end(c, end, s->nr_algos, &m->t1);
	m->ts = rpt_scale_of(RPT_NS, m->t1);
	m->n = s->nr_algos;
	for (i = 0; i < m->n; i++) {
		struct rpt_column_of *o = &m->col[i];
		const struct rpt_ports *ps = &c[i].ports;
		const struct rpt_port *b = NULL;

		o->c = &c[i];
		if (ps->rows && ps->bottleneck)
			b = rpt_port_find(ps, ps->bottleneck);
		if (b && !b->sampled)
			b = NULL;
		if (b)
			o->queue = &b->q;
		o->port = b ? b->name : "";
		m->queue = fmax(m->queue, b ? b->peak : 0);
		o->rate = (struct rpt_half){
			.what = "cc_rate_bps", .unit = RPT_BPS, .name = "CC rate",
		};
		if (rpt_decides(o->c) == RPT_Q_WINDOW)
			o->rate = (struct rpt_half){
				.what = "cwnd_bytes", .unit = RPT_BYTES, .name = "window",
			};
		rpt_half_make(&o->rate, o->c, rpt_decides(o->c), m->t1);
		if (o->rate.unit == RPT_BPS)
			m->rate = fmax(m->rate, o->rate.top);
		if (!c[i].signal)
			continue;
		o->signal = (struct rpt_half){
			.what = c[i].signal->var, .unit = c[i].signal->unit,
		};
		rpt_half_make(&o->signal, o->c, RPT_Q_SIGNAL, m->t1);
		rpt_half_axis(&o->signal, o->c, c[i].signal);
	}
}

/* Panel @row of column @i with its title and axes; NULL @title: none. */
static void rpt_compare_panel(struct pic *p, const struct rpt_compare *m, size_t i, int row,
			      const char *title, struct rpt_scale vs, struct pic_panel *panel)
{
	size_t cols = rpt_narrow() ? 1 : m->n, below = rpt_narrow() ? i : 0;
	double w = (rpt_width() - RPT_CMP_LEFT - RPT_CMP_RIGHT -
		    (cols - 1.0) * RPT_CMP_BETWEEN) / cols;
	char *more = NULL, *xl = rpt_axis("time", m->ts);

	if (title)
		more = rpt_axis(title, vs);
	panel->x = RPT_CMP_LEFT + (i - below) * (w + RPT_CMP_BETWEEN);
	panel->y = RPT_CMP_TOP + below * RPT_CMP_NEXT +
		   (below * RPT_CMP_ROWS + row) * (RPT_CMP_PX + RPT_CMP_GAP);
	panel->w = w;
	panel->h = RPT_CMP_PX;
	panel->more = more;
	panel->rgb = 0x333333;
	panel->xlabel = row + 1 == RPT_CMP_ROWS && (!rpt_narrow() || i + 1 == m->n) ? xl : NULL;
	panel->x1 = m->t1 / m->ts.div;
	panel->xdiv = m->ts.div;
	panel->y0 /= vs.div;
	panel->y1 /= vs.div;
	panel->ydiv = vs.div;
	pic_panel(p, panel);
}

static void rpt_compare_rate(struct pic *p, const struct rpt_compare *m, size_t i)
{
	const struct rpt_column_of *o = &m->col[i];
	/* Rates have one axis, a window has its own. */
	struct pic_panel panel = { .y1 = o->rate.unit == RPT_BPS ? m->rate : o->rate.top };

	if (!(panel.y1 > 0))
		panel.y1 = 1;
	rpt_compare_panel(p, m, i, 0, rpt_text("%s of each flow", o->rate.name),
			  rpt_scale_of(o->rate.unit, panel.y1), &panel);
	pic_text(p, "column_name", o->c->algo->cc);
	pic_num(p, "column_rgb", o->c->algo->style.rgb);
	if (o->rate.bin.max > 0)
		rpt_put_flows(p, o->rate.what, &o->c->flows, &o->rate.bin, m->t1, false);
}

static void rpt_compare_queue(struct pic *p, const struct rpt_compare *m, size_t i)
{
	const struct rpt_column_of *o = &m->col[i];
	struct pic_look look = { .rgb = o->c->algo->style.rgb, .width = 1.6 };
	struct rpt_scale vs = rpt_scale_of(RPT_BYTES, RPT_CMP_FLOOR);
	struct pic_panel panel = {
		.y0 = RPT_CMP_FLOOR, .y1 = fmax(m->queue * 1.6, 20 * RPT_CMP_FLOOR),
		.ylog = true, .floor = RPT_CMP_FLOOR,
	};

	rpt_compare_panel(p, m, i, 1, "queue of the bottleneck", vs, &panel);
	pic_tic(p, 'y', rpt_text("<= %g", panel.y0), panel.y0);
	if (!o->queue) {
		pic_note(p, "not sampled", 0.5, 0.5, 0, 0x888888);
		return;
	}
	look.kind = rpt_series_dense(o->queue) ? PIC_BAND : PIC_STEPS;
	pic_curve(p, &look, "queue_bytes", o->c->algo->cc, o->port);
	rpt_series_put(p, o->queue, m->t1);
}

/* The lines' names stand inside, on their lines: there is no margin for them. */
static void rpt_compare_marks(struct pic *p, const struct rpt_column_of *o)
{
	const struct rpt_signal *sig = o->c->signal;
	const struct rpt_half *h = &o->signal;
	double up, line = 15.0 / RPT_CMP_PX;
	char num[32];
	size_t k;

	for (k = 0; k < RPT_SIGNAL_LINES && sig->line[k]; k++) {
		double v = rpt_signal_line(o->c->run, sig, k);

		if (!(v > h->bottom) || v > h->top)
			continue;
		rpt_fmt_auto(num, sizeof(num), sig->unit, rpt_round3(v));
		pic_line(p, 'y', v / h->scale.div);
		/* A curve that hangs about its line has room further up. */
		up = !h->log ? 1.9 : v > 0.5 * h->top ? -0.8 : 0.8;
		pic_note(p, rpt_text("%s %s", sig->line[k], num), 0.98,
			 rpt_half_y(h, v) + up * line, 1, 0x222222);
	}
}

static void rpt_compare_signal(struct pic *p, const struct rpt_compare *m, size_t i)
{
	const struct rpt_column_of *o = &m->col[i];
	const struct rpt_half *h = &o->signal;
	struct pic_panel panel = { .y0 = h->bottom, .y1 = h->top, .ylog = h->log };

	if (!h->what || !h->bin.course) {
		panel = (struct pic_panel){ .y1 = 1 };
		rpt_compare_panel(p, m, i, 2, NULL, rpt_scale_of(RPT_PLAIN, 1), &panel);
		pic_note(p, h->what ? "too few samples" : "no signal", 0.5, 0.5, 0, 0x888888);
		return;
	}
	rpt_compare_panel(p, m, i, 2, rpt_text("%s of each flow", o->c->signal->name), h->scale,
			  &panel);
	rpt_compare_marks(p, o);
	rpt_put_flows(p, h->what, &o->c->flows, &h->bin, m->t1, false);
}

static void rpt_compare_panels(struct pic *p, struct rpt_compare *m)
{
	size_t i;

	pic_more_tics(p, 'y');
	for (i = 0; i < m->n; i++) {
		struct rpt_half *h = &m->col[i].signal;

		h->scale = rpt_scale_of(h->unit, h->log ? h->bottom : h->top);
		rpt_compare_rate(p, m, i);
		rpt_compare_queue(p, m, i);
		rpt_compare_signal(p, m, i);
	}
}

static int rpt_compare_height(const struct rpt_compare *m)
{
	size_t below = rpt_narrow() ? m->n : 1;

	return RPT_CMP_TOP + (below - 1) * RPT_CMP_NEXT +
	       below * RPT_CMP_ROWS * (RPT_CMP_PX + RPT_CMP_GAP) + 28;
}

/**
 * rpt_plot_compare() - two or three algorithms side by side
 * @r: the report
 * @s: the scenario
 */
void rpt_plot_compare(struct rpt *r, const struct rpt_scenario *s)
{
	const struct rpt_course *c = s->course;
	struct rpt_compare m = { 0 };
	bool any = false;
	struct pic p;
	size_t i;

	for (i = 0; i < s->nr_algos; i++)
		if (c[i].signal && !c[i].constant)
			any = true;
	if (!any || s->nr_algos < 2 || s->nr_algos > RPT_CMP_MOST)
		return;
	rpt_compare_make(s, c, &m);
	if (m.t1 > 0 && pic_open(r, &p, s, NULL, P_COMPARE, rpt_compare_height(&m))) {
		rpt_compare_panels(&p, &m);
		pic_close(&p, "Seed %lu. Rates and queues have the same axes, signals\n"
			  "their own. Flows are shades, the first the darkest; more than %d\n"
			  "are a band with the median as line.%s", s->algos[0].runs[0].seed,
			  RPT_LINES, m.more);
	}
	for (i = 0; i < m.n; i++) {
		free(m.col[i].rate.bin.v);
		free(m.col[i].signal.bin.v);
	}
}
