// SPDX-License-Identifier: GPL-2.0
/* Distribution of completion times, and the overview of all figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RPT_CDF_POINTS 500
#define RPT_OV_CHAR 7.6		/* pixels of a letter */
#define RPT_CDF_LOG_RATIO 20	/* times further apart: logarithmic axis */

static const char *const rpt_flows_cols[] = {
	"id", "fct_ns",
};

/* The completion times of all seeds, ascending. */
static void rpt_fct_read(struct rpt *r, const struct rpt_algo *a,
			 struct rpt_series *s)
{
	struct rpt_csv c;
	size_t i;

	for (i = 0; i < a->nr_runs; i++) {
		if (!rpt_csv_open(r, &c, &a->runs[i], "flows.csv",
				  rpt_flows_cols, 2))
			continue;
		while (rpt_csv_next(&c)) {
			double v = rpt_num(c.field[1]);

			if (v > 0)
				rpt_series_add(s, 0, v);
		}
		rpt_csv_close(r, &c);
	}
	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), stats_cmp_double);
}

/* Rows "time share", both ends kept whatever the number of flows. */
static void rpt_fct_data(FILE *f, const struct rpt_series *s, size_t idx,
			 double div)
{
	size_t points = s->n < RPT_CDF_POINTS ? s->n : RPT_CDF_POINTS, i;

	fprintf(f, "$c%zu << EOD\n", idx);
	if (s->n)
		fprintf(f, "%.8g 0\n", s->v[0] / div);
	for (i = 0; i < points; i++) {
		size_t k = points > 1 ? i * (s->n - 1) / (points - 1) : 0;

		fprintf(f, "%.8g %.6g\n", s->v[k] / div,
			100.0 * (k + 1) / s->n);
	}
	fputs("EOD\n", f);
}

static void rpt_fct_script(FILE *f, const struct rpt_scenario *s,
			   const struct rpt_series *v)
{
	double min = HUGE_VAL, max = 0, pad;
	const char *sep = "plot";
	struct rpt_scale ts;
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		if (!v[i].n)
			continue;
		min = fmin(min, v[i].v[0]);
		max = fmax(max, v[i].v[v[i].n - 1]);
	}
	ts = rpt_scale_of(RPT_NS, max);
	for (i = 0; i < s->nr_algos; i++)
		rpt_fct_data(f, &v[i], i, ts.div);
	fprintf(f, "set lmargin screen 0.085\nset rmargin screen %.4f\n"
		"set tmargin screen 0.85\nset bmargin screen 0.145\n"
		"set label 1 \"{/:Bold ",
		0.93 - RPT_OV_CHAR * rpt_longest_name(s) / RPT_PLOT_WIDTH);
	rpt_plot_text(f, s->name);
	fputs(": flow completion times}\" at screen 0.012,0.945 left font \",15\"\n",
	      f);
	fprintf(f,
		"set label 2 \"flow completion time (%s)\" at graph 0.5, screen 0.035 center\n"
		"set label 3 \"flows completed (%%)\" at screen 0.016, graph 0.5 center rotate\n"
		"set yrange [0:100.5]\nset ytics 0,20,100\n",
		ts.name);
	if (max > RPT_CDF_LOG_RATIO * min) {
		fprintf(f, "set logscale x\nset format x \"%%g\"\nset xrange [%.6g:%.6g]\n",
			min / 1.2 / ts.div, max * 1.2 / ts.div);
	} else {
		pad = max > min ? (max - min) * 0.04 : max * 0.04;
		fprintf(f, "set xrange [%.6g:%.6g]\n", (min - pad) / ts.div,
			(max + pad) / ts.div);
	}
	fputs("set key at graph 1.01, graph 1.02 left top\n"
	      "set key Left reverse samplen 2.2 width 1 noautotitle\n",
	      f);
	for (i = 0; i < s->nr_algos; i++) {
		const struct rpt_style *st = &s->algos[i].style;

		if (!v[i].n)
			continue;
		fprintf(f, "%s $c%zu with steps lw 2 dt %d lc rgb \"#%06x\" title \"",
			sep, i, st->dash, st->rgb);
		rpt_plot_text(f, s->algos[i].cc);
		fputc('"', f);
		sep = ", \\\n    ";
		if (v[i].n <= 40)
			fprintf(f, "%s $c%zu every ::1 with points pt %d ps 0.7 lc rgb \"#%06x\"",
				sep, i, st->point, st->rgb);
	}
	fputc('\n', f);
}

/* Cumulative share of flows over completion time, all seeds together. */
void rpt_plot_fct(struct rpt *r, const struct rpt_scenario *s)
{
	struct rpt_series *v = rpt_realloc(NULL, s->nr_algos, sizeof(*v));
	struct rpt_plot p;
	size_t i, n = 0;

	memset(v, 0, s->nr_algos * sizeof(*v));
	for (i = 0; i < s->nr_algos; i++) {
		rpt_fct_read(r, &s->algos[i], &v[i]);
		n += v[i].n;
	}
	if (n && rpt_plot_begin(r, &p, s->name, "fct", 380)) {
		rpt_fct_script(p.f, s, v);
		rpt_plot_end(r, &p, s->name, "Flow completion times",
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

/* Rows "y median min max rgb text whisker", the first algorithm on top. */
static double rpt_overview_data(FILE *f, const struct rpt_scenario *s,
				enum rpt_metric_id m, size_t idx,
				struct rpt_scale *sc)
{
	double max = 0, bar = 0;
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		struct stats_spread g = rpt_aggregate(&s->algos[i], m);

		max = g.n ? fmax(max, g.max) : max;
		bar = g.n ? fmax(bar, g.median) : bar;
	}
	*sc = rpt_scale_of(rpt_metrics[m].unit, bar);
	fprintf(f, "$o%zu << EOD\n", idx);
	for (i = 0; i < s->nr_algos; i++) {
		struct stats_spread g = rpt_aggregate(&s->algos[i], m);
		char num[32];

		if (!g.n)
			continue;
		rpt_fmt(num, sizeof(num), rpt_metrics[m].unit, *sc, g.median);
		fprintf(f, "%zu %.6g %.6g %.6g %u \"%s\" %s\n",
			s->nr_algos - i, g.median / sc->div, g.min / sc->div,
			g.max / sc->div, s->algos[i].style.rgb,
			num, g.max > g.min ? "1" : "NaN");
	}
	fputs("EOD\n", f);
	return max / sc->div;
}

static void rpt_overview_panel(FILE *f, const struct rpt_scenario *s, size_t i,
			       enum rpt_metric_id id, double max, struct rpt_scale sc, int height,
			       int panel)
{
	const struct rpt_metric *m = &rpt_metrics[id];
	double gap = 38;
	double left = fmax(106, RPT_OV_CHAR * rpt_longest_name(s) + 24);
	double w = (RPT_PLOT_WIDTH - left - 2 * gap - 22) / 3;
	double x = left + (i % 3) * (w + gap), y = 84 + (i / 3) * (panel + 52);
	size_t j;

	fprintf(f,
		"set lmargin screen %.5f\nset rmargin screen %.5f\n"
		"set tmargin screen %.5f\nset bmargin screen %.5f\n",
		x / RPT_PLOT_WIDTH, (x + w) / RPT_PLOT_WIDTH, 1 - y / height,
		1 - (y + panel) / height);
	fprintf(f, "set label 2 \"{/:Bold %s%s%s}%s%s%s\" at graph 0, graph 1 offset 0,0.6 left\n",
		m->head[0], *m->head[1] ? " " : "", m->head[1],
		*sc.name ? " (" : "", sc.name, *sc.name ? ")" : "");
	/* The longest bar leaves room for its figure. */
	fprintf(f, "set xrange [0:%.6g]\nset ytics (",
		max > 0 ? max / (1 - RPT_OV_FIGURE / w) : 1);
	for (j = 0; j < s->nr_algos; j++) {
		fprintf(f, "%s\"", j ? ", " : "");
		if (i % 3 == 0)
			rpt_plot_text(f, s->algos[j].cc);
		fprintf(f, "\" %zu", s->nr_algos - j);
	}
	fputs(") scale 0\n", f);
	fprintf(f,
		"plot $o%zu using 2:1:(0):2:($1-0.36):($1+0.36):5 with boxxyerror fs solid 0.9 noborder lc rgb variable, \\\n"
		"     $o%zu using ($2*$7):1:3:4 with xerrorbars pt -1 lw 1.2 lc rgb \"#222222\", \\\n"
		"     $o%zu using 4:1:6 with labels left offset 0.6,0\n",
		i, i, i);
}

static bool rpt_overview_has(const struct rpt_scenario *s,
			     enum rpt_metric_id m)
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
	enum rpt_metric_id id[RPT_OV_NR];
	int panel = 26 * s->nr_algos + 14, height;
	struct rpt_scale sc[RPT_OV_NR];
	double max[RPT_OV_NR];
	struct rpt_plot p;
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(rpt_overview) && n < RPT_OV_NR; i++)
		if (rpt_overview_has(s, rpt_overview[i]))
			id[n++] = rpt_overview[i];
	height = 54 + (n + 2) / 3 * (panel + 52);
	if (!n || !rpt_plot_begin(r, &p, s->name, "overview", height))
		return;
	for (i = 0; i < n; i++)
		max[i] = rpt_overview_data(p.f, s, id[i], i, &sc[i]);
	fprintf(p.f,
		"unset grid\nset border 2\nunset xtics\nunset key\nset bars small\n"
		"set yrange [0.4:%.1f]\nset multiplot\nset label 1 \"{/:Bold ",
		s->nr_algos + 0.6);
	rpt_plot_text(p.f, s->name);
	fprintf(p.f, ": overview}\" at screen 0.012, screen %.5f left font \",15\"\n",
		1 - 26.0 / height);
	for (i = 0; i < n; i++) {
		rpt_overview_panel(p.f, s, i, id[i], max[i], sc[i], height,
				   panel);
		if (!i)
			fputs("unset label 1\n", p.f);
	}
	fputs("unset multiplot\n", p.f);
	rpt_plot_end(r, &p, s->name, "Overview",
		     "Bars are medians over the seeds, whiskers reach from the smallest to the largest.");
}
