// SPDX-License-Identifier: GPL-2.0
/* lab report: figures of summary.json over a key that a sweep varied. Each algorithm has a line. */
#include <math.h>
#include <string.h>

#include "report/plot/workload_pictures.h"
#include "report/plot/gnuplot_input.h"

#define COLS		(rpt_narrow() ? 1 : 2)
#define TOP_PX		86
#define PANEL_PX	(rpt_narrow() ? 130 : 190)
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
static struct stats_spread agg_at(const struct rpt_swept_value *p, const char *cc,
				  enum rpt_metric_id id)
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
			range.hi = fmax(range.hi, fmax(g.max, rpt_interval(&g).hi));
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

/*
 * The values that were run, as they were given, where there is room for them; in shares of
 * the axis, so that the program needs no units.
 */
static void put_values(struct pic *p, const struct rpt_swept *w, double width)
{
	double free_from = -HUGE_VAL;
	size_t i;

	for (i = 0; i < w->n; i++) {
		double x = share_x(w, w->place[i].x) * width / 1.08;
		double half = strlen(w->place[i].text) * TIC_PX / 2;
		bool room = x - half >= free_from;

		pic_tic(p, 'x', room ? w->place[i].text : "", share_x(w, w->place[i].x));
		if (room)
			free_from = x + half + TIC_PX;
	}
}

/*
 * A line an algorithm, side by side, else the last one would hide those with the same
 * figure. A place without it breaks the line.
 */
static void put_lines(struct pic *p, const struct rpt_swept *w, enum rpt_metric_id id)
{
	size_t i, k;

	for (k = 0; k < w->n_algos; k++) {
		double aside = (k - (w->n_algos - 1) / 2.0) * fmin(ASIDE, 0.06 / w->n_algos);
		const struct rpt_style *st = &w->algo[k].style;
		struct pic_look look = { .rgb = st->rgb, .dash = st->dash, .point = st->point };

		pic_curve(p, &look, rpt_metrics[id].key, w->algo[k].cc, w->key);
		for (i = 0; i < w->n; i++) {
			struct stats_spread g = agg_at(&w->place[i], w->algo[k].cc, id);
			double x = share_x(w, w->place[i].x) + aside;
			struct rpt_interval ci = rpt_interval(&g);

			if (g.n)
				pic_row(p, 6, x, g.median, g.min, g.max, ci.lo, ci.hi);
			else
				pic_row(p, 6, x, NAN, NAN, NAN, NAN, NAN);
		}
	}
}

/* @last: of its column, with the key's name below */
static void put_panel(struct pic *p, const struct rpt_swept *w, const struct panel *what,
		      size_t idx, bool last)
{
	double width = (rpt_width() - LEFT_PX - RIGHT_PX - BETWEEN_PX) / COLS;
	enum rpt_unit unit = rpt_metrics[what->id].unit;
	struct range range = range_of(w, what->id);
	struct rpt_scale sc = rpt_scale_of(unit, range.hi);
	bool log = unit != RPT_PERCENT && range.lo > 0 && range.hi > LOG_Y * range.lo;
	struct pic_panel panel = {
		.x = LEFT_PX + idx % COLS * (width + BETWEEN_PX),
		.y = TOP_PX + idx / COLS * (double)(PANEL_PX + GAP_PX),
		.w = width, .h = PANEL_PX, .title = what->title, .more = rpt_axis("", sc),
		.xlabel = last ? w->key : " ", .x0 = -0.04, .x1 = 1.04,
		.y0 = log ? range.lo / 1.2 / sc.div : 0, .ydiv = sc.div, .ylog = log,
		.y1 = log ? range.hi * 1.2 / sc.div :
		      range.hi > 0 ? range.hi * 1.06 / sc.div : 1,
	};

	pic_panel(p, &panel);
	put_values(p, w, width);
	rpt_log_tics(p, 'y', &panel);
	put_lines(p, w, what->id);
}

/* In base units. */
static void put_csv(struct rpt *r, const char *base, const struct rpt_swept *w,
		    const struct panel *const *p, size_t n)
{
	FILE *csv = rpt_table_begin(r, base, NULL);
	size_t i, j, k;

	if (!csv)
		return;
	fprintf(csv, "%s,value,cc,seeds", w->key);
	for (j = 0; j < n; j++) {
		const char *key = rpt_metrics[p[j]->id].key;

		fprintf(csv, ",%s,%s_min,%s_max,%s_mean,%s_ci95", key, key, key, key, key);
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
					fprintf(csv, ",%.12g,%.12g,%.12g,%.12g,", g.median, g.min,
						g.max, g.mean);
				else
					fputs(",,,,,", csv);
				if (g.n > 1)
					fprintf(csv, "%.12g", g.ci95);
			}
			fputc('\n', csv);
		}
	}
	rpt_table_end(r, csv, base);
}

/* One picture: a panel a figure, the swept key across. */
static void plot_over(struct rpt *r, const struct rpt_swept *w)
{
	const struct panel *p[ARRAY_SIZE(panels)];
	size_t n = choose(w, p), rows = (n + COLS - 1) / COLS, i;
	int height = TOP_PX + rows * (PANEL_PX + GAP_PX) - GAP_PX + BOTTOM_PX;
	struct pic pic;

	if (n && pic_begin(r, &pic, w->scenario,
			   rpt_text("over_%s%s%s", w->key, *w->rest ? "_" : "", w->rest), "over",
			   height, "panel,cc,series,place,median,min,max,ci95_low,ci95_high")) {
		pic_say(&pic, "heading",
			rpt_text("%s%s%s over %s", w->scenario, *w->rest ? ", " : "", w->rest,
				 w->key));
		for (i = 0; i < w->n_algos; i++)
			pic_algo(&pic, &w->algo[i]);
		for (i = 0; i < n; i++)
			put_panel(&pic, w, p[i], i, i + COLS >= n);
		put_csv(r, pic.base, w, p, n);
		pic_end(&pic,
			rpt_text("Figures over %s%s%s", w->key, *w->rest ? ", " : "", w->rest),
			"Points are medians over the seeds, bars reach from the smallest to the largest; of three seeds or more the light band is the 95 %% confidence interval of the mean. At each value the algorithms stand side by side.");
	}
}

/**
 * rpt_plot_swept() - figures over a swept key, for each scenario that was swept
 * @r: the report
 */
void rpt_plot_swept(struct rpt *r)
{
	rpt_swept_each(r, plot_over);
}
