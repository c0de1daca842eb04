// SPDX-License-Identifier: GPL-2.0
/* lab report: figures of summary.json over a swept key, a line an algorithm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/fig.h"

#define COLS		2
#define TOP_PX		86
#define PANEL_PX	190
#define GAP_PX		52
#define BOTTOM_PX	52
#define LEFT_PX		66.0
#define RIGHT_PX	22.0
#define BETWEEN_PX	74.0
#define TIC_PX		8.0	/* of a letter below the axis */
#define ASIDE		0.012	/* from one algorithm's point to the next one's, of the axis */
#define LOG_X		8	/* times further apart: logarithmic axis */
#define LOG_Y		30

/*
 * What is drawn, in this order. Of the two slowdowns a workload's measured flows have the
 * first, other runs the second.
 */
static const struct panel {
	enum rpt_metric_id id;
	const char *title;
	bool quiet;			/* left out when it is zero everywhere */
} panels[] = {
	{ RPT_M_ALL_P99, "slowdown of measured flows, 99th percentile", true },
	{ RPT_M_SLOW_P99, "slowdown, 99th percentile", false },
	{ RPT_M_FCT_MEAN, "flow completion time, mean", false },
	{ RPT_M_PAUSE_RATIO, "pause ratio", true },
	{ RPT_M_Q_P99, "queue of the bottleneck, 99th percentile", false },
	{ RPT_M_GOODPUT, "goodput", false },
	{ RPT_M_UTIL, "utilization of the bottleneck", false },
};

/* A figure of one algorithm at one place; n is 0 when there is none. */
static struct stats_spread agg_at(const struct rpt_place *p, const char *cc, enum rpt_metric_id id)
{
	size_t i;

	for (i = 0; i < p->s->nr_algos; i++)
		if (strcmp(p->s->algos[i].cc, cc) == 0)
			return rpt_aggregate(&p->s->algos[i], id);
	return (struct stats_spread){ .median = NAN, .min = NAN, .max = NAN };
}

struct range {
	double lo, hi;
	size_t n;
};

static struct range range_of(const struct rpt_swept *w, enum rpt_metric_id id)
{
	struct range range = { HUGE_VAL, 0, 0 };
	size_t i, k;

	for (i = 0; i < w->n; i++) {
		for (k = 0; k < w->n_algos; k++) {
			struct stats_spread g = agg_at(&w->place[i], w->algo[k].cc, id);

			if (!g.n)
				continue;
			range.n++;
			range.lo = fmin(range.lo, g.min);
			range.hi = fmax(range.hi, g.max);
		}
	}
	return range;
}

static size_t choose(const struct rpt_swept *w, const struct panel **out)
{
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(panels); i++) {
		struct range range = range_of(w, panels[i].id);

		if (!range.n || (panels[i].quiet && range.hi == 0))
			continue;
		if (panels[i].id == RPT_M_SLOW_P99 && n && out[n - 1]->id == RPT_M_ALL_P99)
			continue;
		out[n++] = &panels[i];
	}
	return n;
}

static bool log_x(const struct rpt_swept *w)
{
	return w->place[0].x > 0 && w->place[w->n - 1].x >= LOG_X * w->place[0].x;
}

/* Where @x is, 0 to 1 of the axis. */
static double share_x(const struct rpt_swept *w, double x)
{
	double a = w->place[0].x, b = w->place[w->n - 1].x;

	if (log_x(w)) {
		a = log(a);
		b = log(b);
		x = log(x);
	}
	return b > a ? (x - a) / (b - a) : 0.5;
}

/* The values that were run, as they were given, where there is room for them. */
static void put_xaxis(FILE *f, const struct rpt_swept *w, double width)
{
	const char *sep = "";
	double free_from = -HUGE_VAL;
	size_t i;

	/* In shares of the axis, so that the script needs no units. */
	fputs("set xrange [-0.04:1.04]\nset xtics (", f);
	for (i = 0; i < w->n; i++) {
		double x = share_x(w, w->place[i].x) * width / 1.08;
		double half = strlen(w->place[i].text) * TIC_PX / 2;

		fprintf(f, "%s\"", sep);
		if (x - half >= free_from) {
			rpt_plot_text(f, w->place[i].text);
			free_from = x + half + TIC_PX;
		}
		fprintf(f, "\" %.6g", share_x(w, w->place[i].x));
		sep = ", ";
	}
	fputs(")\n", f);
}

static struct rpt_scale put_yaxis(FILE *f, const struct panel *p, const struct range *range)
{
	enum rpt_unit unit = rpt_metrics[p->id].unit;
	struct rpt_scale sc = rpt_scale_of(unit, range->hi);

	fputs("unset logscale y\nset ytics autofreq\nset format y \"%g\"\n", f);
	if (unit != RPT_PERCENT && range->lo > 0 && range->hi > LOG_Y * range->lo)
		rpt_fig_log(f, 'y', range->lo / 1.2 / sc.div, range->hi * 1.2 / sc.div);
	else
		fprintf(f, "set yrange [0:%.6g]\n",
			range->hi > 0 ? range->hi * 1.06 / sc.div : 1);
	fprintf(f, "set label 2 \"{/:Bold %s}%s%s%s\" at graph 0, graph 1 offset 0,0.6 left\n",
		p->title, *sc.name ? " (" : "", sc.name, *sc.name ? ")" : "");
	return sc;
}

/*
 * Rows "x median min max" of each algorithm, side by side, else the last one would hide
 * those with the same figure. A place without it breaks the line.
 */
static void put_data(FILE *f, const struct rpt_swept *w, size_t idx, enum rpt_metric_id id,
		     double div)
{
	size_t i, k;

	for (k = 0; k < w->n_algos; k++) {
		double aside = (k - (w->n_algos - 1) / 2.0) * fmin(ASIDE, 0.06 / w->n_algos);

		fprintf(f, "$w%zu_%zu << EOD\n", idx, k);
		for (i = 0; i < w->n; i++) {
			struct stats_spread g = agg_at(&w->place[i], w->algo[k].cc, id);
			double x = share_x(w, w->place[i].x) + aside;

			if (g.n)
				fprintf(f, "%.6g %.8g %.8g %.8g\n", x, g.median / div,
					g.min / div, g.max / div);
			else
				fprintf(f, "%.6g NaN NaN NaN\n", x);
		}
		fputs("EOD\n", f);
	}
}

static void put_lines(FILE *f, const struct rpt_swept *w, size_t idx)
{
	const char *sep = "plot";
	size_t k;

	for (k = 0; k < w->n_algos; k++) {
		const struct rpt_style *st = &w->algo[k].style;

		fprintf(f, "%s $w%zu_%zu using 1:2:3:4 with yerrorbars pt -1 lw 1.4 lc rgb \"#%06x\", \\\n"
			"     $w%zu_%zu using 1:2 with linespoints lw 1.8 dt %d pt %d ps 0.9 lc rgb \"#%06x\"",
			sep, idx, k, st->rgb, idx, k, st->dash, st->point, st->rgb);
		sep = ", \\\n    ";
	}
	fputc('\n', f);
}

/* @last: of its column, with the key's name below */
static void put_panel(FILE *f, const struct rpt_swept *w, const struct panel *p, size_t idx,
		      int height, bool last)
{
	double width = (RPT_PLOT_WIDTH - LEFT_PX - RIGHT_PX - BETWEEN_PX) / COLS;
	double x = LEFT_PX + idx % COLS * (width + BETWEEN_PX);
	double y = TOP_PX + idx / COLS * (double)(PANEL_PX + GAP_PX);
	struct range range = range_of(w, p->id);
	struct rpt_scale sc;

	fprintf(f, "set lmargin screen %.5f\nset rmargin screen %.5f\nset tmargin screen %.5f\nset bmargin screen %.5f\n",
		x / RPT_PLOT_WIDTH, (x + width) / RPT_PLOT_WIDTH, 1 - y / height,
		1 - (y + PANEL_PX) / height);
	put_xaxis(f, w, width);
	sc = put_yaxis(f, p, &range);
	fputs("set label 3 \"", f);
	rpt_plot_text(f, last ? w->key : "");
	fprintf(f, "\" at graph 0.5, screen %.5f center\n", 1 - (y + PANEL_PX + 36) / height);
	put_data(f, w, idx, p->id, sc.div);
	put_lines(f, w, idx);
}

/* Names in their colours, to the right, below the title. */
static void put_keys(FILE *f, const struct rpt_swept *w, int height)
{
	struct rpt_figs figs = { .n = w->n_algos };
	size_t k;

	figs.algo = rpt_realloc(NULL, w->n_algos, sizeof(*figs.algo));
	for (k = 0; k < w->n_algos; k++)
		figs.algo[k] = (struct rpt_fig_algo){ .a = &w->algo[k] };
	rpt_fig_keys(f, &figs, 0.985, 1 - 50.0 / height);
	free(figs.algo);
}

static void put_title(FILE *f, const struct rpt_swept *w, int height)
{
	fputs("unset key\nset bars small\nset multiplot\nset label 1 \"{/:Bold ", f);
	rpt_plot_text(f, w->scenario);
	fputs(*w->rest ? ", " : "", f);
	rpt_plot_text(f, w->rest);
	fputs(" over ", f);
	rpt_plot_text(f, w->key);
	fprintf(f, "}\" at screen 0.012, screen %.5f left font \",15\"\n", 1 - 22.0 / height);
	put_keys(f, w, height);
}

/* In base units. */
static void put_csv(struct rpt *r, const struct rpt_plot *plot, const struct rpt_swept *w,
		    const struct panel *const *p, size_t n)
{
	FILE *csv = rpt_fig_csv(r, plot, NULL);
	size_t i, j, k;

	if (!csv)
		return;
	fprintf(csv, "%s,value,cc,seeds", w->key);
	for (j = 0; j < n; j++) {
		const char *key = rpt_metrics[p[j]->id].key;

		fprintf(csv, ",%s,%s_min,%s_max", key, key, key);
	}
	fputc('\n', csv);
	for (k = 0; k < w->n_algos; k++) {
		for (i = 0; i < w->n; i++) {
			const char *cc = w->algo[k].cc;
			size_t seeds = agg_at(&w->place[i], cc, RPT_M_FLOWS).n;

			if (!seeds)
				continue;
			fprintf(csv, "%s,%.12g,%s,%zu", w->place[i].text, w->place[i].x, cc, seeds);
			for (j = 0; j < n; j++) {
				struct stats_spread g = agg_at(&w->place[i], cc, p[j]->id);

				if (g.n)
					fprintf(csv, ",%.12g,%.12g,%.12g", g.median, g.min, g.max);
				else
					fputs(",,,", csv);
			}
			fputc('\n', csv);
		}
	}
	rpt_fig_csv_end(r, csv, plot);
}

/**
 * rpt_plot_over() - one picture: a panel a figure, the swept key across
 * @r: the report
 * @w: the points, by value
 */
void rpt_plot_over(struct rpt *r, const struct rpt_swept *w)
{
	const struct panel *p[ARRAY_SIZE(panels)];
	size_t n = choose(w, p), rows = (n + COLS - 1) / COLS, i;
	int height = TOP_PX + rows * (PANEL_PX + GAP_PX) - GAP_PX + BOTTOM_PX;
	char *kind, *title;
	struct rpt_plot plot;

	kind = rpt_printf("over_%s%s%s", w->key, *w->rest ? "_" : "", w->rest);
	title = rpt_printf("Figures over %s%s%s", w->key, *w->rest ? ", " : "", w->rest);
	if (n && rpt_plot_begin(r, &plot, w->scenario, kind, height)) {
		put_title(plot.f, w, height);
		for (i = 0; i < n; i++) {
			put_panel(plot.f, w, p[i], i, height, i + COLS >= n);
			if (!i)
				fprintf(plot.f, "unset label 1\nunset for [i=100:%zu] label i\nunset for [i=200:%zu] label i\n",
					99 + w->n_algos, 199 + w->n_algos);
		}
		fputs("unset multiplot\n", plot.f);
		put_csv(r, &plot, w, p, n);
		rpt_plot_end(r, &plot, w->scenario, title,
			     "Points are medians over the seeds, bars reach from the smallest to the largest. At each value the algorithms stand side by side.");
	}
	free(kind);
	free(title);
}
