// SPDX-License-Identifier: GPL-2.0
/*
 * Two or three algorithms side by side: rates, the bottleneck's queue and what
 * each algorithm goes by, on one time axis.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RPT_CMP_MOST 3
#define RPT_CMP_ROWS 3
#define RPT_CMP_PX 138			/* height of a panel */
#define RPT_CMP_GAP 34			/* below it */
#define RPT_CMP_TOP 88
#define RPT_CMP_LEFT 74
#define RPT_CMP_RIGHT 20
#define RPT_CMP_BETWEEN 62
#define RPT_CMP_FLOOR 1000.0		/* bytes, about a packet; less is drawn as this */
#define RPT_CMP_HEIGHT \
	(RPT_CMP_TOP + RPT_CMP_ROWS * (RPT_CMP_PX + RPT_CMP_GAP) + 28)

struct rpt_column_of {
	const struct rpt_course *c;
	const struct rpt_series *queue;	/* NULL: not sampled */
	struct rpt_half rate, signal;
	char data[2][16];
};

struct rpt_compare {
	struct rpt_column_of col[RPT_CMP_MOST];
	size_t n;
	double t1, rate, queue;		/* ns; ends of the common axes */
	struct rpt_scale ts;
};

static void rpt_compare_make(const struct rpt_scenario *s,
			     const struct rpt_course *c, struct rpt_compare *m)
{
	size_t i, k;

	for (i = 0; i < s->nr_algos; i++)
		for (k = 0; k < c[i].flows.n; k++) {
			const struct rpt_series *g;

			g = &c[i].flows.flow[k].s[RPT_Q_GOODPUT];
			if (g->n)
				m->t1 = fmax(m->t1, g->t[g->n - 1]);
		}
	m->ts = rpt_scale_of(RPT_NS, m->t1);
	m->n = s->nr_algos;
	for (i = 0; i < m->n; i++) {
		struct rpt_column_of *o = &m->col[i];
		const struct rpt_ports *ps = &c[i].ports;
		const struct rpt_port *b = NULL;

		o->c = &c[i];
		if (ps->rows && ps->bottleneck)
			b = rpt_port_find(ps, ps->bottleneck);
		if (b)
			o->queue = &b->q;
		m->queue = fmax(m->queue, b ? b->peak : 0);
		snprintf(o->data[0], sizeof(o->data[0]), "rate%zu", i);
		snprintf(o->data[1], sizeof(o->data[1]), "signal%zu", i);
		o->rate = (struct rpt_half){
			.data = o->data[0], .unit = RPT_BPS,
		};
		rpt_half_make(&o->rate, o->c, RPT_Q_RATE, m->t1);
		m->rate = fmax(m->rate, o->rate.top);
		if (!c[i].signal)
			continue;
		o->signal = (struct rpt_half){
			.data = o->data[1], .unit = c[i].signal->unit,
		};
		rpt_half_make(&o->signal, o->c, RPT_Q_SIGNAL, m->t1);
		rpt_half_axis(&o->signal, o->c, c[i].signal);
	}
}

static void rpt_compare_data(FILE *f, struct rpt_compare *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		struct rpt_column_of *o = &m->col[i];
		struct rpt_half *h = &o->signal;

		o->rate.scale = rpt_scale_of(RPT_BPS, m->rate);
		rpt_half_data(f, &o->rate, o->c, m->t1 / o->rate.bin.nbins / m->ts.div);
		fprintf(f, "$queue%zu << EOD\n", i);
		if (o->queue)
			rpt_series_put(f, o->queue, m->t1, m->ts.div, 1e3,
				       RPT_CMP_FLOOR);
		fputs("EOD\n", f);
		if (!h->data)
			continue;
		h->scale = rpt_scale_of(h->unit, h->log ? h->bottom : h->top);
		rpt_half_data(f, h, o->c, m->t1 / h->bin.nbins / m->ts.div);
	}
}

/* Panel @row of column @i, to the pixel. */
static void rpt_compare_place(FILE *f, const struct rpt_compare *m, size_t i,
			      int row)
{
	double w = (RPT_PLOT_WIDTH - RPT_CMP_LEFT - RPT_CMP_RIGHT -
		    (m->n - 1.0) * RPT_CMP_BETWEEN) / m->n;
	double x = RPT_CMP_LEFT + i * (w + RPT_CMP_BETWEEN);
	double y = RPT_CMP_TOP + row * (RPT_CMP_PX + RPT_CMP_GAP);

	fprintf(f,
		"set lmargin screen %.5f\nset rmargin screen %.5f\n"
		"set tmargin screen %.5f\nset bmargin screen %.5f\n",
		x / RPT_PLOT_WIDTH, (x + w) / RPT_PLOT_WIDTH,
		1 - y / RPT_CMP_HEIGHT,
		1 - (y + RPT_CMP_PX) / RPT_CMP_HEIGHT);
	if (row + 1 == RPT_CMP_ROWS)
		fprintf(f,
			"set format x \"%%g\"\nset label \"time (%s)\" at graph 0.5, screen %.5f center\n",
			m->ts.name, 16.0 / RPT_CMP_HEIGHT);
	else
		fputs("set format x \"\"\n", f);
}

static void rpt_compare_title(FILE *f, const char *text, const char *unit)
{
	fprintf(f,
		"set label \"%s%s%s%s\" at graph 0, graph 1 offset 0,0.6 left tc rgb \"#333333\"\n",
		text, *unit ? " (" : "", unit, *unit ? ")" : "");
}

static void rpt_compare_rate(FILE *f, const struct rpt_compare *m, size_t i)
{
	const struct rpt_column_of *o = &m->col[i];

	rpt_compare_place(f, m, i, 0);
	fputs("set label \"{/:Bold ", f);
	rpt_plot_text(f, o->c->algo->cc);
	fprintf(f, "}\" at graph 0, graph 1 offset 0,1.8 left font \",15\" tc rgb \"#%06x\"\n",
		o->c->algo->style.rgb);
	rpt_compare_title(f, "CC rate of each flow", o->rate.scale.name);
	fprintf(f, "set yrange [0:%.6g]\n", m->rate / o->rate.scale.div);
	if (o->rate.bin.max > 0)
		rpt_half_curves(f, &o->rate, o->c);
	else
		fputs("plot NaN notitle", f);
	fputs("\nunset label\n", f);
}

static void rpt_compare_queue(FILE *f, const struct rpt_compare *m, size_t i)
{
	const struct rpt_column_of *o = &m->col[i];
	unsigned int rgb = o->c->algo->style.rgb;

	rpt_compare_place(f, m, i, 1);
	rpt_compare_title(f, "queue of the bottleneck", "kB");
	fprintf(f,
		"set logscale y\nset yrange [%g:%.6g]\nset ytics add (\"<= %g\" %g)\n",
		RPT_CMP_FLOOR / 1e3, fmax(m->queue * 1.6, 20e3) / 1e3,
		RPT_CMP_FLOOR / 1e3, RPT_CMP_FLOOR / 1e3);
	if (!o->queue)
		fputs("plot NaN notitle", f);
	else if (rpt_series_dense(o->queue))
		fprintf(f,
			"plot $queue%zu using 1:3:4 with filledcurves lc rgb \"#%06x\" notitle, \\\n"
			"     $queue%zu using 1:2 with lines lw 1.6 lc rgb \"#%06x\" notitle",
			i, rgb, i, rgb);
	else
		fprintf(f, "plot $queue%zu using 1:2 with steps lw 1.6 lc rgb \"#%06x\" notitle",
			i, rgb);
	fputs("\nunset logscale y\nset ytics autofreq\nunset label\n", f);
}

/* The lines' names stand inside, on their lines: there is no margin for them. */
static void rpt_compare_marks(FILE *f, const struct rpt_column_of *o)
{
	const struct rpt_signal *sig = o->c->signal;
	size_t k;

	for (k = 0; k < RPT_SIGNAL_LINES && sig->line[k].param; k++) {
		double v = rpt_signal_line(o->c->run, sig, k);
		double y = v / o->signal.scale.div;
		char num[32];

		if (!(v > o->signal.bottom) || v > o->signal.top)
			continue;
		rpt_fmt_auto(num, sizeof(num), sig->unit, rpt_round3(v));
		fprintf(f,
			"set arrow from graph 0, first %.6g to graph 1, first %.6g nohead dt 3 lw 1.4 lc rgb \"#222222\" front\n"
			"set label \"", y, y);
		rpt_plot_text(f, sig->line[k].text);
		/* A curve that hangs about its line has room further up. */
		fprintf(f,
			" %s\" at graph 0.98, first %.6g right offset 0,%g front tc rgb \"#222222\"\n",
			num, y, !o->signal.log ? 1.9 :
			v > 0.5 * o->signal.top ? -0.8 : 0.8);
	}
}

static void rpt_compare_signal(FILE *f, const struct rpt_compare *m, size_t i)
{
	const struct rpt_column_of *o = &m->col[i];
	const struct rpt_half *h = &o->signal;
	char *title;

	rpt_compare_place(f, m, i, 2);
	if (!h->data || !(h->bin.max > 0)) {
		fputs("set label \"no signal\" at graph 0.5, graph 0.5 center tc rgb \"#888888\"\n"
		      "set yrange [0:1]\nplot NaN notitle\nunset label\n", f);
		return;
	}
	title = rpt_printf("%s of each flow", o->c->signal->name);
	rpt_compare_title(f, title, h->scale.name);
	free(title);
	fprintf(f, "%s\nset yrange [%.6g:%.6g]\n", h->log ?
		"set logscale y" : "unset logscale y",
		h->bottom / h->scale.div, h->top / h->scale.div);
	rpt_compare_marks(f, o);
	rpt_half_curves(f, h, o->c);
	fputs("\nunset logscale y\nunset label\nunset arrow\n", f);
}

static void rpt_compare_script(FILE *f, const struct rpt_scenario *s,
			       struct rpt_compare *m)
{
	size_t i;

	rpt_compare_data(f, m);
	fprintf(f, "unset key\nset format y \"%%g\"\nset xrange [0:%.6g]\nset multiplot\n",
		m->t1 / m->ts.div);
	fputs("set label \"{/:Bold ", f);
	rpt_plot_text(f, s->name);
	fprintf(f, ": rates, queue and signal}\" at screen 0.012, screen %.5f left font \",15\"\n",
		1 - 22.0 / RPT_CMP_HEIGHT);
	for (i = 0; i < m->n; i++) {
		rpt_compare_rate(f, m, i);
		rpt_compare_queue(f, m, i);
		rpt_compare_signal(f, m, i);
	}
	fputs("unset multiplot\n", f);
}

/**
 * rpt_plot_compare() - two or three algorithms side by side
 * @r: the report
 * @s: the scenario
 * @c: its algorithms' courses, their signals read
 */
void rpt_plot_compare(struct rpt *r, const struct rpt_scenario *s,
		      const struct rpt_course *c)
{
	struct rpt_compare m = { 0 };
	bool any = false;
	struct rpt_plot p;
	char *caption;
	size_t i;

	for (i = 0; i < s->nr_algos; i++)
		if (c[i].signal)
			any = true;
	if (!any || s->nr_algos < 2 || s->nr_algos > RPT_CMP_MOST)
		return;
	rpt_compare_make(s, c, &m);
	if (m.t1 > 0 && rpt_plot_begin(r, &p, s->name, "compare", RPT_CMP_HEIGHT)) {
		rpt_compare_script(p.f, s, &m);
		caption = rpt_printf("Seed %lu. Rates and queues have the same axes, signals\n"
				     "their own. Flows are shades, the first the darkest; more than %d\n"
				     "are a band with the median as line.",
				     s->algos[0].runs[0].seed, RPT_LINES);
		rpt_plot_end(r, &p, s->name, "Rates, queue and signal", caption);
		free(caption);
	}
	for (i = 0; i < m.n; i++) {
		free(m.col[i].rate.bin.v);
		free(m.col[i].signal.bin.v);
	}
}
