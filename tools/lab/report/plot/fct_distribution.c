// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: two pictures: the distribution of flow completion times (FCT), and the overview
 * of all figures.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_CDF_POINTS 500
#define RPT_OV_CHAR 7.6		/* pixels of a letter */
#define RPT_CDF_LOG_RATIO 20	/* times further apart: logarithmic axis */

/* The completion times of all seeds, ascending. */
static void rpt_fct_read(struct rpt *r, const struct rpt_algo *a, struct rpt_series *s)
{
	struct csv c;
	size_t i;

	for (i = 0; i < a->nr_runs; i++) {
		if (!rpt_csv_open(r, &c, &a->runs[i], "flows.csv", "id,fct_ns"))
			continue;
		while (rpt_csv_next(&c)) {
			double v = csv_double(c.field[1]);

			if (v > 0)
				rpt_series_add(s, 0, v);
		}
		rpt_csv_close(r, &c);
	}
	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), stats_cmp_double);
}

/* Both ends are kept whatever the number of flows. */
static void rpt_fct_data(struct pic *p, const struct rpt_series *s)
{
	size_t points = s->n < RPT_CDF_POINTS ? s->n : RPT_CDF_POINTS, i;

	pic_row(p, 2, s->v[0], 0.0);
	for (i = 0; i < points; i++) {
		size_t k = points > 1 ? i * (s->n - 1) / (points - 1) : 0;

		pic_row(p, 2, s->v[k], 100.0 * (k + 1) / s->n);
	}
}

static int rpt_fct_top(void)
{
	return rpt_narrow() ? 70 : 57;
}

/* Names are at the right, in a narrow picture above. */
static void rpt_fct_panel(struct pic *p, const struct rpt_scenario *s, const struct rpt_series *v)
{
	double names = rpt_narrow() ? 0 : 43 + RPT_OV_CHAR * rpt_longest_name(s);
	double min = HUGE_VAL, max = 0, pad;
	struct pic_panel panel = {
		.x = 76.5, .y = rpt_fct_top(), .h = 267.9,
		.ylabel = "flows completed (%)", .y1 = 100.5,
		.w = rpt_width() - 96.5 - names,
	};
	struct rpt_scale ts;
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		if (!v[i].n)
			continue;
		min = fmin(min, v[i].v[0]);
		max = fmax(max, v[i].v[v[i].n - 1]);
	}
	ts = rpt_scale_of(RPT_NS, max);
	panel.xlabel = rpt_axis("flow completion time", ts);
	panel.xdiv = ts.div;
	panel.xlog = max > RPT_CDF_LOG_RATIO * min;
	pad = max > min ? (max - min) * 0.04 : max * 0.04;
	panel.x0 = (panel.xlog ? min / 1.2 : min - pad) / ts.div;
	panel.x1 = (panel.xlog ? max * 1.2 : max + pad) / ts.div;
	pic_panel(p, &panel);
	for (i = 0; i < s->nr_algos; i++) {
		const struct rpt_style *st = &s->algos[i].style;
		struct pic_look look = {
			.rgb = st->rgb, .dash = st->dash, .point = st->point, .width = 2,
			.name = s->algos[i].cc,
		};

		if (!v[i].n)
			continue;
		pic_block(p, s->algos[i].cc, (const char *)NULL);
		pic_look(p, &look);
		pic_num(p, "curve_few", v[i].n <= 40);
		rpt_fct_data(p, &v[i]);
	}
}

/* Cumulative share of flows over completion time, all seeds together. */
void rpt_plot_fct(struct rpt *r, const struct rpt_scenario *s)
{
	struct rpt_series *v = xreallocarray(NULL, s->nr_algos, sizeof(*v));
	struct pic p;
	size_t i, n = 0;

	if (rpt_is_traffic(s))
		return;
	memset(v, 0, s->nr_algos * sizeof(*v));
	for (i = 0; i < s->nr_algos; i++) {
		rpt_fct_read(r, &s->algos[i], &v[i]);
		n += v[i].n;
	}
	if (n && pic_open(r, &p, s, NULL, P_FCT, rpt_fct_top() + 323)) {
		pic_algos(&p, s);
		rpt_fct_panel(&p, s, v);
		pic_close(&p,
			  "Share of the flows that had completed after the time on the x axis, counted from each flow's start; flows of all seeds together.");
	}
	for (i = 0; i < s->nr_algos; i++)
		rpt_series_free(&v[i]);
	free(v);
}

static const enum rpt_metric_id rpt_overview[] = {
	RPT_M_GOODPUT, RPT_M_FCT_P50, RPT_M_FCT_P99,
	RPT_M_Q_MEAN, RPT_M_Q_MAX, RPT_M_JAIN,
	RPT_M_RTT_P50, RPT_M_RTT_P99, RPT_M_RTT_MAX,
};

#define RPT_OV_NR 6
#define RPT_OV_FIGURE 68.0	/* of a figure beside its bar */
#define RPT_OV_GAP 38

/* Where panels begin: behind the names of the algorithms. */
static double rpt_overview_left(const struct rpt_scenario *s)
{
	return fmax(rpt_narrow() ? 50 : 106, RPT_OV_CHAR * rpt_longest_name(s) + 24);
}

/* In a narrow picture two, or one if the names leave no room for two. */
static size_t rpt_overview_cols(const struct rpt_scenario *s)
{
	if (!rpt_narrow())
		return 3;
	return (rpt_width() - rpt_overview_left(s) - RPT_OV_GAP) / 2 > 1.6 * RPT_OV_FIGURE ? 2 : 1;
}

/* A bar an algorithm, the first on top. */
static void rpt_overview_data(struct pic *p, const struct rpt_scenario *s,
			      enum rpt_metric_id m, struct rpt_scale sc)
{
	char num[32];
	size_t i;

	pic_block(p, rpt_metrics[m].key, "", "", (const char *)NULL);
	for (i = 0; i < s->nr_algos; i++) {
		struct stats_spread g = rpt_aggregate(&s->algos[i], m);
		struct rpt_interval ci = rpt_interval(&g);

		if (!g.n)
			continue;
		rpt_fmt(num, sizeof(num), rpt_metrics[m].unit, sc, g.median);
		pic_key(p, rpt_metrics[m].key, s->algos[i].cc, num, (const char *)NULL);
		pic_row(p, 6, (double)(s->nr_algos - i), g.median, g.min, g.max, ci.lo, ci.hi);
	}
}

static void rpt_overview_panel(struct pic *p, const struct rpt_scenario *s, size_t i,
			       enum rpt_metric_id id, int height)
{
	const struct rpt_metric *m = &rpt_metrics[id];
	double left = rpt_overview_left(s), right = rpt_narrow() ? 6 : 22, max = 0, bar = 0;
	size_t cols = rpt_overview_cols(s);
	struct pic_panel panel = {
		.w = (rpt_width() - left - (cols - 1) * RPT_OV_GAP - right) / cols, .h = height,
		.y = 84 + i / cols * (height + 52), .y0 = 0.4, .y1 = s->nr_algos + 0.6,
	};
	struct rpt_scale sc;
	size_t j;

	for (j = 0; j < s->nr_algos; j++) {
		struct stats_spread g = rpt_aggregate(&s->algos[j], id);

		max = g.n ? fmax(max, fmax(g.max, rpt_interval(&g).hi)) : max;
		bar = g.n ? fmax(bar, g.median) : bar;
	}
	sc = rpt_scale_of(m->unit, bar);
	panel.title = rpt_text("%s%s%s", m->head[0], *m->head[1] ? " " : "", m->head[1]);
	panel.more = rpt_axis("", sc);
	panel.x = left + i % cols * (panel.w + RPT_OV_GAP);
	panel.xdiv = sc.div;
	/* The longest bar leaves room for its figure. */
	panel.x1 = max > 0 ? max / sc.div / (1 - RPT_OV_FIGURE / panel.w) : 1;
	pic_panel(p, &panel);
	for (j = 0; j < s->nr_algos; j++)
		pic_tic(p, 'y', i % cols ? "" : s->algos[j].cc, s->nr_algos - j);
	rpt_overview_data(p, s, id, sc);
}

static bool rpt_overview_has(const struct rpt_scenario *s, enum rpt_metric_id m)
{
	size_t i;

	for (i = 0; i < s->nr_algos; i++)
		if (rpt_aggregate(&s->algos[i], m).n)
			return true;
	return false;
}

/* Six figures at a glance: a bar an algorithm, whiskers over the seeds. */
void rpt_plot_overview(struct rpt *r, const struct rpt_scenario *s)
{
	int panel = (rpt_narrow() ? 19 : 26) * s->nr_algos + 14, height;
	size_t cols = rpt_overview_cols(s);
	enum rpt_metric_id id[RPT_OV_NR];
	struct pic p;
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(rpt_overview) && n < RPT_OV_NR; i++)
		if (rpt_overview_has(s, rpt_overview[i]))
			id[n++] = rpt_overview[i];
	height = 54 + (n + cols - 1) / cols * (panel + 52);
	if (!n || !pic_open(r, &p, s, NULL, P_OVERVIEW, height))
		return;
	pic_algos(&p, s);
	for (i = 0; i < n; i++)
		rpt_overview_panel(&p, s, i, id[i], panel);
	pic_close(&p,
		  "Bars are medians over the seeds, whiskers reach from the smallest to the largest; of three seeds or more the light band is the 95 %% confidence interval of the mean.");
}
