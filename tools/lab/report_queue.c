// SPDX-License-Identifier: GPL-2.0
/* The bottleneck's queue over time, all algorithms in one picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_priv.h"

#define RPT_Q_BINS 250		/* over the picture's width */
#define RPT_Q_PRIOS 16
#define RPT_Q_LOG_RATIO 30	/* peaks further apart: logarithmic axis */
#define RPT_Q_LOG_FLOOR 1000.0	/* bytes; about a packet */

struct rpt_queue {
	const struct rpt_algo *algo;
	struct rpt_series s;
	double peak;
};

static const char *const rpt_queue_cols[] = {
	"t_ns", "port", "prio", "bytes",
};

/* The port of summary.json, else the one with the longest queue. */
static char *rpt_queue_port(struct rpt *r, const struct rpt_run *run)
{
	struct json_object *o = rpt_get(run->summary, "bottleneck.port");
	char *best = NULL;
	struct rpt_csv c;
	double max = -1;

	if (o && *json_object_get_string(o))
		return rpt_printf("%s", json_object_get_string(o));
	if (!rpt_csv_open(r, &c, run, "queues.csv", rpt_queue_cols, 4))
		return NULL;
	while (rpt_csv_next(&c)) {
		double v = rpt_num(c.field[3]);

		if (v > max) {
			max = v;
			free(best);
			best = rpt_printf("%s", c.field[1]);
		}
	}
	rpt_csv_close(r, &c);
	return best;
}

/* An empty queue has no further rows: it stays empty until the end. */
static void rpt_queue_tail(const struct rpt_run *run, struct rpt_queue *q)
{
	double end = json_object_get_double(rpt_get(run->summary, "virtual_ns"));

	if (q->s.v[q->s.n - 1] == 0 && end > q->s.t[q->s.n - 1])
		rpt_series_add(&q->s, end, 0);
}

/*
 * One port's queue: the sum of its priorities, each of which keeps its value
 * until its next row.
 */
static void rpt_queue_read(struct rpt *r, const struct rpt_run *run,
			   struct rpt_queue *q)
{
	double prio[RPT_Q_PRIOS] = { 0 }, sum = 0, t, v;
	char *port = rpt_queue_port(r, run);
	struct rpt_csv c;
	unsigned int p;

	if (!port || !rpt_csv_open(r, &c, run, "queues.csv", rpt_queue_cols,
				   4)) {
		free(port);
		return;
	}
	/* Nothing waits before the traffic. */
	rpt_series_add(&q->s, 0, 0);
	while (rpt_csv_next(&c)) {
		if (strcmp(c.field[1], port))
			continue;
		t = rpt_num(c.field[0]);
		v = rpt_num(c.field[3]);
		p = strtoul(c.field[2], NULL, 10) % RPT_Q_PRIOS;
		if (isnan(v))
			continue;
		sum += v - prio[p];
		prio[p] = v;
		if (q->s.n && q->s.t[q->s.n - 1] == t)
			q->s.v[q->s.n - 1] = sum;
		else
			rpt_series_add(&q->s, t, sum);
	}
	if (q->s.n == 1 && run->m[RPT_M_Q_MAX] > 0)
		rpt_warn(r, "%s: no rows of port '%s'", c.path, port);
	rpt_csv_close(r, &c);
	free(port);
	rpt_queue_tail(run, q);
	for (size_t i = 0; i < q->s.n; i++)
		if (q->s.v[i] > q->peak)
			q->peak = q->s.v[i];
}

/* Is the picture dense: more samples than it has columns? */
static bool rpt_queue_dense(const struct rpt_queue *q)
{
	return q->s.n > 2 * RPT_Q_BINS;
}

/*
 * Rows "t mean min max" of at most RPT_Q_BINS bins over 0..@t1. A sample holds
 * until the next one, so means are weighted by time and nothing is lost: each
 * bin keeps its extremes.
 */
static void rpt_queue_bins(FILE *f, const struct rpt_queue *q, double t1,
			   double tdiv, double vdiv, double floor)
{
	double width = t1 / RPT_Q_BINS;
	size_t i = 0;
	int b;

	for (b = 0; b < RPT_Q_BINS; b++) {
		double from = b * width, to = from + width, at = from;
		double area = 0, min = HUGE_VAL, max = -HUGE_VAL, mean;

		while (i + 1 < q->s.n && q->s.t[i + 1] <= from)
			i++;
		if (q->s.t[i] >= to || (i + 1 == q->s.n && q->s.t[i] < from))
			continue;
		for (;;) {
			double end = i + 1 < q->s.n ? q->s.t[i + 1] : to;

			end = fmin(end, to);
			area += q->s.v[i] * fmax(end - at, 0);
			at = fmax(at, end);
			min = fmin(min, q->s.v[i]);
			max = fmax(max, q->s.v[i]);
			if (i + 1 == q->s.n || q->s.t[i + 1] >= to)
				break;
			i++;
		}
		mean = area / width;
		fprintf(f, "%.6g %.6g %.6g %.6g\n", (from + width / 2) / tdiv,
			fmax(mean, floor) / vdiv, fmax(min, floor) / vdiv,
			fmax(max, floor) / vdiv);
	}
}

static void rpt_queue_data(FILE *f, const struct rpt_queue *q, size_t idx,
			   double t1, double tdiv, double vdiv, double floor)
{
	size_t i;

	fprintf(f, "$q%zu << EOD\n", idx);
	if (rpt_queue_dense(q)) {
		rpt_queue_bins(f, q, t1, tdiv, vdiv, floor);
	} else {
		for (i = 0; i < q->s.n; i++)
			fprintf(f, "%.6g %.6g\n", q->s.t[i] / tdiv,
				fmax(q->s.v[i], floor) / vdiv);
	}
	fputs("EOD\n", f);
}

/* A dashed line across the picture with its name in the right margin. */
static void rpt_queue_mark(FILE *f, const char *key, double v, double vdiv,
			   double shift)
{
	char buf[48];

	rpt_fmt_auto(buf, sizeof(buf), RPT_BYTES, v);
	fprintf(f,
		"set arrow from graph 0, first %.6g to graph 1, first %.6g nohead dt 3 lw 1.2 lc rgb \"#444444\" back\n"
		"set label \"%s %s\" at graph 1, first %.6g offset 0.6,%.2f tc rgb \"#444444\"\n",
		v / vdiv, v / vdiv, key, buf, v / vdiv, shift);
}

/* kmin and kmax, where the axis shows them, their names never overlapping. */
static void rpt_queue_marks(FILE *f, const struct rpt_run *run, double vdiv,
			    double ymax, bool log_axis)
{
	double kmin = rpt_setting_num(run, "kmin");
	double kmax = rpt_setting_num(run, "kmax");
	double gap, shift = 0;

	/* In lines of text: the axis is about 17 of them high. */
	gap = log_axis ? 17 * log(kmax / kmin) / log(ymax / RPT_Q_LOG_FLOOR) :
			 17 * (kmax - kmin) / ymax;
	if (gap < 1.1 && kmax <= ymax)
		shift = (1.1 - gap) / 2;
	if (kmin > 0 && kmin <= ymax)
		rpt_queue_mark(f, "kmin", kmin, vdiv, -shift);
	if (kmax > 0 && kmax <= ymax && kmax != kmin)
		rpt_queue_mark(f, "kmax", kmax, vdiv, shift);
}

static void rpt_queue_script(FILE *f, const struct rpt_scenario *s,
			     const struct rpt_queue *q, size_t n, double t1)
{
	double peak = 0, low = HUGE_VAL, floor = 0, kmax, ymax;
	struct rpt_scale ts = rpt_scale_of(RPT_NS, t1), vs;
	const struct rpt_run *ref = &s->algos[0].runs[0];
	const char *sep = "plot";
	bool logy;
	size_t i;

	for (i = 0; i < n; i++) {
		peak = fmax(peak, q[i].peak);
		if (q[i].s.n)
			low = fmin(low, fmax(q[i].peak, RPT_Q_LOG_FLOOR));
	}
	logy = peak > RPT_Q_LOG_RATIO * low;
	floor = logy ? RPT_Q_LOG_FLOOR : 0;
	kmax = rpt_setting_num(ref, "kmax");
	ymax = peak * 1.06 + (peak == 0);
	if (kmax > peak && kmax < 3 * peak)
		ymax = kmax * 1.06;
	/* The logarithmic axis prints its own prefixes. */
	vs = rpt_scale_of(RPT_BYTES, logy ? 0 : ymax);

	for (i = 0; i < n; i++)
		rpt_queue_data(f, &q[i], i, t1, ts.div, vs.div, floor);
	fputs("set lmargin screen 0.092\nset rmargin screen 0.87\n"
	      "set tmargin screen 0.81\nset bmargin screen 0.135\n"
	      "set label 1 \"{/:Bold ", f);
	rpt_plot_text(f, s->name);
	fputs(": queue at the bottleneck}\" at screen 0.012,0.95 left font \",15\"\n",
	      f);
	fprintf(f,
		"set label 2 \"time (%s)\" at graph 0.5, screen 0.035 center\n"
		"set label 3 \"queue (%s%swire bytes)\" at screen 0.016, graph 0.5 center rotate\n",
		ts.name, logy ? "" : vs.name, logy ? "" : " of ");
	fprintf(f, "set xrange [0:%.6g]\n", t1 / ts.div);
	if (logy)
		fprintf(f,
			"set logscale y\nset yrange [%.6g:%.6g]\n"
			"set format y \"%%.0s %%cB\"\nset ytics add (\"<= 1 kB\" %.6g)\n",
			floor, peak * 1.5, floor);
	else
		fprintf(f, "set yrange [0:%.6g]\n", ymax / vs.div);
	fputs("set key at graph 0, graph 1.05 left bottom horizontal\n"
	      "set key Left reverse samplen 2.2 width 1 noautotitle\n",
	      f);
	rpt_queue_marks(f, ref, vs.div, ymax, logy);
	for (i = 0; i < n; i++) {
		if (!q[i].s.n || !rpt_queue_dense(&q[i]))
			continue;
		fprintf(f, "%s $q%zu using 1:3:4 with filledcurves lc rgb \"#%06x\"",
			sep, i, rpt_style_of(q[i].algo->cc)->rgb);
		sep = ", \\\n    ";
	}
	for (i = 0; i < n; i++) {
		const struct rpt_style *st = rpt_style_of(q[i].algo->cc);

		if (!q[i].s.n)
			continue;
		fprintf(f, "%s $q%zu using 1:2 with %s lw 1.8 dt %d lc rgb \"#%06x\" title \"",
			sep, i, rpt_queue_dense(&q[i]) ? "lines" : "steps",
			st->dash, st->rgb);
		rpt_plot_text(f, q[i].algo->cc);
		fputc('"', f);
		sep = ", \\\n    ";
	}
	fputc('\n', f);
}

/* One run stands for an algorithm: that of its lowest seed. */
void rpt_plot_queue(struct rpt *r, const struct rpt_scenario *s)
{
	struct rpt_queue *q = rpt_realloc(NULL, s->nr_algos, sizeof(*q));
	bool any = false, dense = false;
	struct rpt_plot p;
	double t1 = 0;
	char *caption;
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		q[i] = (struct rpt_queue){ .algo = &s->algos[i] };
		rpt_queue_read(r, &s->algos[i].runs[0], &q[i]);
		if (!q[i].s.n)
			continue;
		any = true;
		dense |= rpt_queue_dense(&q[i]);
		t1 = fmax(t1, q[i].s.t[q[i].s.n - 1]);
	}
	if (any && t1 > 0 && rpt_plot_begin(r, &p, s->name, "queue", 400)) {
		rpt_queue_script(p.f, s, q, s->nr_algos, t1);
		caption = rpt_printf("Queue of the bottleneck port, wire bytes, seed %lu.%s",
				     s->algos[0].runs[0].seed, dense ?
				     " Lines are means over 1/250 of the time shown,\n"
				     "shades reach from the smallest to the largest value in it." :
				     "");
		rpt_plot_end(r, &p, s->name, "Queue over time", caption);
		free(caption);
	}
	for (i = 0; i < s->nr_algos; i++)
		rpt_series_free(&q[i].s);
	free(q);
}
