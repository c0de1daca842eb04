// SPDX-License-Identifier: GPL-2.0
/* The bottleneck's queue over time, all algorithms in one picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RPT_Q_BINS 250		/* over the picture's width */
#define RPT_Q_TOGETHER 3	/* more algorithms: a panel each */
#define RPT_Q_LOG_RATIO 30	/* peaks further apart: logarithmic axis */
#define RPT_Q_LOG_FLOOR 1000.0	/* bytes; about a packet */

struct rpt_queue {
	const struct rpt_algo *algo;
	const struct rpt_series *s;	/* NULL: no data */
	double peak;
};

/* Is the picture dense: more samples than it has columns? */
bool rpt_series_dense(const struct rpt_series *s)
{
	return s->n > 2 * RPT_Q_BINS;
}

/*
 * Rows "t mean min max" of at most RPT_Q_BINS bins over 0..@t1. A sample holds
 * until the next one, so means are weighted by time and nothing is lost: each
 * bin keeps its extremes.
 */
static void rpt_series_bins(FILE *f, const struct rpt_series *s, double t1,
			    double tdiv, double vdiv, double floor)
{
	double width = t1 / RPT_Q_BINS;
	size_t i = 0;
	int b;

	for (b = 0; b < RPT_Q_BINS; b++) {
		double from = b * width, to = from + width, at = from;
		double area = 0, min = HUGE_VAL, max = -HUGE_VAL, mean;

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
		mean = area / width;
		fprintf(f, "%.6g %.6g %.6g %.6g\n", (from + width / 2) / tdiv,
			fmax(mean, floor) / vdiv, fmax(min, floor) / vdiv,
			fmax(max, floor) / vdiv);
	}
}

/**
 * rpt_series_put() - data of a quantity that keeps its value between samples
 * @f: script
 * @s: samples
 * @t1: end of the time axis
 * @tdiv: unit of time
 * @vdiv: unit of the values
 * @floor: smaller values are shown as this
 *
 * Rows "t value" for steps, or "t mean min max" of bins when the samples are
 * dense.
 */
void rpt_series_put(FILE *f, const struct rpt_series *s, double t1,
		    double tdiv, double vdiv, double floor)
{
	size_t i;

	if (rpt_series_dense(s)) {
		rpt_series_bins(f, s, t1, tdiv, vdiv, floor);
		return;
	}
	for (i = 0; i < s->n; i++)
		fprintf(f, "%.6g %.6g\n", s->t[i] / tdiv,
			fmax(s->v[i], floor) / vdiv);
}

/* What all algorithms' queues are shown on. */
struct rpt_queue_axes {
	double t1, ymax, floor;		/* ns; bytes */
	struct rpt_scale ts, vs;
	bool log;
	double lines;			/* of text, the height of a panel */
};

/* A dashed line across the picture with its name in the right margin. */
static void rpt_queue_mark(FILE *f, const char *key, double v,
			   const struct rpt_queue_axes *ax, double shift)
{
	double y = v / ax->vs.div;
	char buf[48];

	rpt_fmt_auto(buf, sizeof(buf), RPT_BYTES, v);
	fprintf(f,
		"set arrow from graph 0, first %.6g to graph 1, first %.6g nohead dt 3 lw 1.2 lc rgb \"#444444\" back\n"
		"set label \"%s %s\" at graph 1, first %.6g offset 0.6,%.2f tc rgb \"#444444\"\n",
		y, y, key, buf, y, shift);
}

/* kmin and kmax, where the axis shows them, their names never overlapping. */
static void rpt_queue_marks(FILE *f, const struct rpt_run *run,
			    const struct rpt_queue_axes *ax)
{
	double kmin = rpt_setting_num(run, "kmin");
	double kmax = rpt_setting_num(run, "kmax");
	double gap, shift = 0;

	gap = ax->log ? log(kmax / kmin) / log(ax->ymax / RPT_Q_LOG_FLOOR) :
			(kmax - kmin) / ax->ymax;
	gap *= ax->lines;
	if (gap < 1.1 && kmax <= ax->ymax)
		shift = (1.1 - gap) / 2;
	if (kmin > 0 && kmin <= ax->ymax)
		rpt_queue_mark(f, "kmin", kmin, ax, -shift);
	if (kmax > 0 && kmax <= ax->ymax && kmax != kmin)
		rpt_queue_mark(f, "kmax", kmax, ax, shift);
}

static void rpt_queue_axes_make(struct rpt_queue_axes *ax,
				const struct rpt_scenario *s,
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
}

/* The data of all, and the axes. */
static void rpt_queue_data(FILE *f, const struct rpt_queue *q, size_t n,
			   const struct rpt_queue_axes *ax)
{
	double low = ax->floor / ax->vs.div;
	size_t i;

	for (i = 0; i < n; i++) {
		fprintf(f, "$q%zu << EOD\n", i);
		if (q[i].s)
			rpt_series_put(f, q[i].s, ax->t1, ax->ts.div,
				       ax->vs.div, ax->floor);
		fputs("EOD\n", f);
	}
	fprintf(f, "set xrange [0:%.6g]\n"
		"xl = \"time (%s)\"\nyl = \"queue (%s of wire bytes)\"\n",
		ax->t1 / ax->ts.div, ax->ts.name, ax->vs.name);
	if (ax->log)
		fprintf(f,
			"set logscale y\nset yrange [%.6g:%.6g]\n"
			"set format y \"%%g\"\nset ytics add (\"<= %g\" %.6g)\n",
			low, ax->ymax / ax->vs.div, low, low);
	else
		fprintf(f, "set yrange [0:%.6g]\n", ax->ymax / ax->vs.div);
}

static void rpt_queue_title(FILE *f, const struct rpt_scenario *s, double y)
{
	fputs("set label 1 \"{/:Bold ", f);
	rpt_plot_text(f, s->name);
	fprintf(f, ": queue at the bottleneck}\" at screen 0.012, screen %.5f left font \",15\"\n",
		y);
}

/* A shade between the extremes where samples are binned. */
static bool rpt_queue_shade(FILE *f, const struct rpt_queue *q, size_t i,
			    const char *sep)
{
	if (!q[i].s || !rpt_series_dense(q[i].s))
		return false;
	fprintf(f, "%s $q%zu using 1:3:4 with filledcurves lc rgb \"#%06x\" notitle",
		sep, i, q[i].algo->style.rgb);
	return true;
}

static bool rpt_queue_curve(FILE *f, const struct rpt_queue *q, size_t i,
			    const char *sep, int dash)
{
	if (!q[i].s)
		return false;
	fprintf(f, "%s $q%zu using 1:2 with %s lw 1.8 dt %d lc rgb \"#%06x\" title \"",
		sep, i, rpt_series_dense(q[i].s) ? "lines" : "steps", dash,
		q[i].algo->style.rgb);
	rpt_plot_text(f, q[i].algo->cc);
	fputc('"', f);
	return true;
}

static void rpt_queue_together(FILE *f, const struct rpt_scenario *s,
			       const struct rpt_queue *q,
			       struct rpt_queue_axes *ax)
{
	static const char *const and = ", \\\n    ";
	const char *sep = "plot";
	size_t i;

	ax->lines = 17;
	rpt_queue_data(f, q, s->nr_algos, ax);
	fputs("set lmargin screen 0.092\nset rmargin screen 0.87\n"
	      "set tmargin screen 0.81\nset bmargin screen 0.135\n"
	      "set label 2 xl at graph 0.5, screen 0.035 center\n"
	      "set label 3 yl at screen 0.016, graph 0.5 center rotate\n"
	      "set key at graph 0, graph 1.05 left bottom horizontal\n"
	      "set key Left reverse samplen 2.2 width 1 noautotitle\n", f);
	rpt_queue_title(f, s, 0.95);
	rpt_queue_marks(f, &s->algos[0].runs[0], ax);
	for (i = 0; i < s->nr_algos; i++)
		if (rpt_queue_shade(f, q, i, sep))
			sep = and;
	for (i = 0; i < s->nr_algos; i++)
		if (rpt_queue_curve(f, q, i, sep, q[i].algo->style.dash))
			sep = and;
	fputc('\n', f);
}

/* Too many for one panel: one each, with the same axes. */
static void rpt_queue_apart(FILE *f, const struct rpt_scenario *s,
			    const struct rpt_queue *q,
			    struct rpt_queue_axes *ax)
{
	int height = rpt_grid_height(s->nr_algos);
	size_t i;

	ax->lines = 11;
	rpt_queue_data(f, q, s->nr_algos, ax);
	fputs("unset key\nset multiplot\n", f);
	rpt_queue_title(f, s, 1 - 26.0 / height);
	fputs("set label 2 \"\"\nset label 4 \"\"\nset label 5 \"\"\n", f);
	for (i = 0; i < s->nr_algos; i++) {
		bool last = i % 2 || i + 1 == s->nr_algos, shade;

		rpt_grid_place(f, i, s->nr_algos, height);
		rpt_grid_name(f, q[i].algo);
		/* The left column has no room for their names. */
		if (last)
			rpt_queue_marks(f, &s->algos[0].runs[0], ax);
		shade = rpt_queue_shade(f, q, i, "plot");
		if (!rpt_queue_curve(f, q, i, shade ? "," : "plot", 1))
			fputs("plot NaN notitle", f);
		fputs("\nunset label\nunset arrow\n", f);
	}
	fputs("unset multiplot\n", f);
}

/* One run stands for an algorithm: that of its lowest seed. */
void rpt_plot_queue(struct rpt *r, const struct rpt_scenario *s,
		    const struct rpt_course *c)
{
	struct rpt_queue *q = rpt_realloc(NULL, s->nr_algos, sizeof(*q));
	bool any = false, dense = false, apart;
	struct rpt_queue_axes ax;
	struct rpt_plot p;
	double t1 = 0;
	char *caption;
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		const struct rpt_ports *ps = &c[i].ports;
		const struct rpt_port *b = NULL;

		q[i] = (struct rpt_queue){ .algo = c[i].algo };
		if (ps->rows && ps->bottleneck)
			b = rpt_port_find(ps, ps->bottleneck);
		if (!b)
			continue;
		q[i].s = &b->q;
		q[i].peak = b->peak;
		any = true;
		dense |= rpt_series_dense(q[i].s);
		t1 = fmax(t1, b->q.t[b->q.n - 1]);
	}
	apart = s->nr_algos > RPT_Q_TOGETHER;
	if (any && t1 > 0 &&
	    rpt_plot_begin(r, &p, s->name, "queue",
			   apart ? rpt_grid_height(s->nr_algos) : 400)) {
		rpt_queue_axes_make(&ax, s, q, t1);
		if (apart)
			rpt_queue_apart(p.f, s, q, &ax);
		else
			rpt_queue_together(p.f, s, q, &ax);
		caption = rpt_printf("Queue of the bottleneck port, wire bytes, seed %lu.%s",
				     s->algos[0].runs[0].seed, dense ?
				     " Lines are means over 1/250 of the time shown,\n"
				     "shades reach from the smallest to the largest value in it." :
				     "");
		rpt_plot_end(r, &p, s->name, "Queue over time", caption);
		free(caption);
	}
	free(q);
}
