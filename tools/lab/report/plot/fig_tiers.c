// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: what the ports of each tier did: distribution of their queues,
 * utilization and time in pause.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/fig.h"

#define TIERS_MAX	12
#define QUEUE_PX	190
#define QUEUE_COLS	3
#define BAR_PX		15		/* height of a bar */
#define BYTE_FLOOR	100.0		/* emptier queues are drawn as this */
#define LEAST_PERCENT	0.0001

struct tier_names {
	const char *name[TIERS_MAX];	/* in the order of a packet's way */
	size_t n;
};

/* The tiers of the first run that has any. */
static void find_tiers(const struct rpt_figs *f, struct tier_names *t)
{
	size_t i, k;

	for (i = 0; i < f->n && !t->n; i++) {
		for (k = 0; k < f->algo[i].a->nr_runs && !t->n; k++) {
			struct json_object *o;

			o = rpt_get(f->algo[i].a->runs[k].summary, "tiers");
			if (!json_object_is_type(o, json_type_object))
				continue;
			json_object_object_foreach(o, name, val) {
				(void)val;
				if (t->n < TIERS_MAX)
					t->name[t->n++] = name;
			}
		}
	}
}

/* Rows of queue_cdf.csv of one tier and seed. */
struct curve {
	struct rpt_series s;		/* t: bytes, v: share up to it */
};

static void read_curves(struct rpt *r, const struct rpt_run *run, const struct tier_names *t,
			struct curve *c)
{
	static const char *const cols[] = { "bytes", "tier", "cum" };
	struct rpt_csv csv;
	size_t i;

	if (!rpt_run_has(run, "queue_cdf.csv") ||
	    !rpt_csv_open(r, &csv, run, "queue_cdf.csv", cols, 3))
		return;
	while (rpt_csv_next(&csv))
		for (i = 0; i < t->n; i++)
			if (strcmp(csv.field[1], t->name[i]) == 0)
				rpt_series_add(&c[i].s, rpt_num(csv.field[0]),
					       rpt_num(csv.field[2]));
	rpt_csv_close(r, &csv);
}

static double curve_at(const struct rpt_series *s, double bytes)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->t[mid] <= bytes)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? s->v[lo - 1] : 0;
}

/* Mean of the seeds' shares: each has read the queues equally often. */
static void mean_curve(const struct curve *c, size_t n_seeds, size_t n_tiers, size_t tier,
		       struct rpt_series *out)
{
	struct rpt_series at = { 0 };
	size_t i, k, n = 0;

	for (k = 0; k < n_seeds; k++) {
		const struct rpt_series *s = &c[k * n_tiers + tier].s;

		n += s->n > 0;
		for (i = 0; i < s->n; i++)
			rpt_series_add(&at, 0, s->t[i]);
	}
	if (at.n)
		qsort(at.v, at.n, sizeof(*at.v), stats_cmp_double);
	for (i = 0; i < at.n; i++) {
		double sum = 0;

		if (i && at.v[i] == at.v[i - 1])
			continue;
		for (k = 0; k < n_seeds; k++)
			sum += curve_at(&c[k * n_tiers + tier].s, at.v[i]);
		rpt_series_add(out, at.v[i], sum / n);
	}
	rpt_series_free(&at);
}

static struct rpt_series *read_queues(struct rpt *r, const struct rpt_figs *f,
				      const struct tier_names *t)
{
	struct rpt_series *all = rpt_realloc(NULL, f->n * t->n, sizeof(*all));
	size_t i, k;

	memset(all, 0, f->n * t->n * sizeof(*all));
	for (i = 0; i < f->n; i++) {
		const struct rpt_algo *a = f->algo[i].a;
		struct curve *c = rpt_realloc(NULL, a->nr_runs * t->n, sizeof(*c));

		memset(c, 0, a->nr_runs * t->n * sizeof(*c));
		for (k = 0; k < a->nr_runs; k++)
			read_curves(r, &a->runs[k], t, &c[k * t->n]);
		for (k = 0; k < t->n; k++)
			mean_curve(c, a->nr_runs, t->n, k, &all[i * t->n + k]);
		for (k = 0; k < a->nr_runs * t->n; k++)
			rpt_series_free(&c[k].s);
		free(c);
	}
	return all;
}

static void put_margins(FILE *out, double x, double y, double w, double h, int height)
{
	fprintf(out, "set lmargin screen %.5f\nset rmargin screen %.5f\nset tmargin screen %.5f\nset bmargin screen %.5f\n",
		x / RPT_PLOT_WIDTH, (x + w) / RPT_PLOT_WIDTH, 1 - y / height, 1 - (y + h) / height);
}

static void queue_data(FILE *out, FILE *csv, const struct rpt_figs *f, const struct tier_names *t,
		       const struct rpt_series *q)
{
	size_t i, k, p;

	for (i = 0; i < f->n; i++) {
		for (k = 0; k < t->n; k++) {
			const struct rpt_series *s = &q[i * t->n + k];
			double above = 1;

			fprintf(out, "$q%zu_%zu << EOD\n", i, k);
			for (p = 0; p < s->n; p++) {
				fprintf(out, "%.6g %.6g\n", fmax(s->t[p], BYTE_FLOOR) / 1e3,
					100 * above);
				above = 1 - s->v[p];
				if (csv)
					fprintf(csv, "%s,%s,%.0f,%.9g\n", f->algo[i].a->cc,
						t->name[k], s->t[p], s->v[p]);
			}
			fputs("EOD\n", out);
		}
	}
}

#define TIERS_CAPTION \
	"Mean over the ports of a tier and the busiest of them, and the share of the time that ports were paused, while it was measured; medians over the seeds."

#define QUEUE_CAPTION \
	"Share of the time that the queue of a port, any of the tier, is at least so long. %s is the tier of ports from %.*s to %s. Every change of every queue while it was measured counts; a length is drawn up to 1/16 too large, less than 100 bytes as 100. All seeds together."

/**
 * rpt_plot_fig_queue() - distribution of the queues of each tier's ports
 * @r: the report
 * @f: figures of one scenario
 */
void rpt_plot_fig_queue(struct rpt *r, const struct rpt_figs *f)
{
	struct tier_names t = { .n = 0 };
	struct rpt_series *q;
	struct rpt_plot plot;
	double max = 0, least = 1;
	size_t i, k, rows;
	int height;
	char *caption;
	FILE *csv;

	find_tiers(f, &t);
	if (!t.n)
		return;
	q = read_queues(r, f, &t);
	for (i = 0; i < f->n * t.n; i++) {
		if (!q[i].n)
			continue;
		max = fmax(max, q[i].t[q[i].n - 1]);
		if (q[i].n > 1)
			least = fmin(least, 1 - q[i].v[q[i].n - 2]);
	}
	rows = (t.n + QUEUE_COLS - 1) / QUEUE_COLS;
	height = 84 + rows * (QUEUE_PX + 48) + 14;
	if (!max || !rpt_plot_begin(r, &plot, f->s->name, "queue_tiers", height))
		goto out;
	csv = rpt_fig_csv(r, &plot, "cc,tier,bytes,cum");
	queue_data(plot.f, csv, f, &t, q);
	rpt_fig_csv_end(r, csv, &plot);
	rpt_fig_title(plot.f, f, f->s->name, "queues of all ports, by tier", height);
	fprintf(plot.f, "set logscale xy\nset format x \"%%g\"\nset format y \"%%g\"\nset xrange [%.6g:%.6g]\nset yrange [%.6g:110]\n",
		BYTE_FLOOR / 1e3, max * 1.1 / 1e3, fmax(100 * least, LEAST_PERCENT) * 0.9);
	for (k = 0; k < t.n; k++) {
		double w = (RPT_PLOT_WIDTH - 64 - 18 - 2 * 50.0) / QUEUE_COLS;
		const char *sep = "plot";

		put_margins(plot.f, 64 + k % QUEUE_COLS * (w + 50), 84 + k / QUEUE_COLS *
			    (QUEUE_PX + 48), w, QUEUE_PX, height);
		fprintf(plot.f, "set label 2 \"{/:Bold %s}\" at graph 0, graph 1 offset 0,0.6 left\nunset label 3\n",
			t.name[k]);
		if (k % QUEUE_COLS == 0)
			fputs("set label 3 \"share of the time (%)\" at screen 0.016, graph 0.5 center rotate\n",
			      plot.f);
		fprintf(plot.f, "set label 4 \"%s\" at screen 0.5, screen %.5f center\n",
			k ? "" : "queue of at least (kB)", 16.0 / height);
		for (i = 0; i < f->n; i++) {
			const struct rpt_style *st = &f->algo[i].a->style;

			if (!q[i * t.n + k].n)
				continue;
			fprintf(plot.f, "%s $q%zu_%zu using 1:2 with fsteps lw 1.6 dt %d lc rgb \"#%06x\"",
				sep, i, k, st->dash, st->rgb);
			sep = ", \\\n    ";
		}
		fputc('\n', plot.f);
		rpt_fig_title_end(plot.f, f);
	}
	fputs("unset multiplot\n", plot.f);
	caption = rpt_printf(QUEUE_CAPTION, t.name[0], (int)strcspn(t.name[0], "-"), t.name[0],
			     strchr(t.name[0], '-') ? strchr(t.name[0], '-') + 1 : "");
	rpt_plot_end(r, &plot, f->s->name, "Queues of all ports, by tier", caption);
	free(caption);
out:
	for (i = 0; i < f->n * t.n; i++)
		rpt_series_free(&q[i]);
	free(q);
}

/* Median over the seeds and extremes of a tier's figure. */
static struct stats_spread tier_figure(const struct rpt_algo *a, const char *tier,
				       const char *figure)
{
	double *v = rpt_realloc(NULL, a->nr_runs, sizeof(*v)), x;
	char *path = rpt_printf("tiers.%s.%s", tier, figure);
	struct stats_spread g;
	size_t i, n = 0;

	for (i = 0; i < a->nr_runs; i++) {
		x = rpt_json_double(a->runs[i].summary, path);
		if (!isnan(x))
			v[n++] = x;
	}
	g = stats_spread_of(v, n);
	free(path);
	free(v);
	return g;
}

/* Rows "y value most rgb", a tier after the other, the first on top. */
static double bar_data(FILE *out, const struct rpt_figs *f, const struct tier_names *t,
		       const char *name, const char *figure, const char *most)
{
	size_t rows = f->n + 1, i, k;
	double max = 0;

	fprintf(out, "$%s << EOD\n", name);
	for (k = 0; k < t->n; k++) {
		for (i = 0; i < f->n; i++) {
			const struct rpt_algo *a = f->algo[i].a;
			struct stats_spread g = tier_figure(a, t->name[k], figure), m = g;

			if (most)
				m = tier_figure(a, t->name[k], most);
			if (!g.n)
				continue;
			fprintf(out, "%zu %.6g %.6g %u\n", (t->n - k) * rows - i, 100 * g.median,
				100 * m.median, a->style.rgb);
			max = fmax(max, 100 * fmax(m.median, g.median));
		}
	}
	fputs("EOD\n", out);
	return max;
}

static void bar_panel(FILE *out, const struct rpt_figs *f, const struct tier_names *t,
		      const char *name, const char *title, double max, bool most, double x,
		      double w, int height)
{
	size_t rows = f->n + 1, k;

	put_margins(out, x, 84, w, height - 84 - 40, height);
	fprintf(out, "set label 2 \"{/:Bold %s}\" at graph 0, graph 1 offset 0,0.6 left\n", title);
	fprintf(out, "set xrange [0:%.6g]\nset yrange [0.5:%zu.5]\nset ytics (", max * 1.08,
		t->n * rows);
	for (k = 0; k < t->n; k++)
		fprintf(out, "%s\"%s\" %.2f", k ? ", " : "", t->name[k],
			(t->n - k) * rows - (f->n - 1) / 2.0);
	fputs(") scale 0\n", out);
	fprintf(out, "plot $%s using 2:1:(0):2:($1-0.42):($1+0.42):4 with boxxyerror fs solid 0.9 noborder lc rgb variable",
		name);
	if (most)
		fprintf(out, ", \\\n     $%s using 3:1 with points pt 2 ps 0.5 lw 1.4 lc rgb \"#222222\"",
			name);
	fputc('\n', out);
}

static void tiers_csv(FILE *csv, const struct rpt_figs *f, const struct tier_names *t)
{
	static const char *const figure[] = {
		"ports", "utilization.mean", "utilization.max", "pause_ns", "pause_ratio",
		"queue_bytes.mean", "queue_bytes.p50", "queue_bytes.p99", "queue_bytes.max",
	};
	size_t i, k, j;

	for (i = 0; csv && i < f->n; i++) {
		for (k = 0; k < t->n; k++) {
			fprintf(csv, "%s,%s", f->algo[i].a->cc, t->name[k]);
			for (j = 0; j < ARRAY_SIZE(figure); j++)
				fprintf(csv, ",%.9g",
					tier_figure(f->algo[i].a, t->name[k], figure[j]).median);
			fputc('\n', csv);
		}
	}
}

/**
 * rpt_plot_fig_tiers() - utilization and time in pause of each tier
 * @r: the report
 * @f: figures of one scenario
 */
void rpt_plot_fig_tiers(struct rpt *r, const struct rpt_figs *f)
{
	struct tier_names t = { .n = 0 };
	struct rpt_plot plot;
	double util, pause, w;
	int height;
	FILE *csv;

	find_tiers(f, &t);
	height = 84 + BAR_PX * t.n * (f->n + 1) + 50;
	if (!t.n || !rpt_plot_begin(r, &plot, f->s->name, "tiers", height))
		return;
	util = bar_data(plot.f, f, &t, "util", "utilization.mean", "utilization.max");
	pause = bar_data(plot.f, f, &t, "pause", "pause_ratio", NULL);
	w = pause > 0 ? (RPT_PLOT_WIDTH - 64 - 18 - 60) / 2.0 : RPT_PLOT_WIDTH - 64 - 18;
	rpt_fig_title(plot.f, f, f->s->name, "utilization and pauses, by tier", height);
	fputs("unset grid\nset grid x lt 1 lw 0.6 lc rgb \"#dddddd\"\nset border 1\n", plot.f);
	bar_panel(plot.f, f, &t, "util", "utilization (%), cross: busiest port", fmax(util, 1),
		  true, 64, w, height);
	rpt_fig_title_end(plot.f, f);
	if (pause > 0)
		bar_panel(plot.f, f, &t, "pause", "paused (% of the time)", pause, false,
			  64 + w + 60, w, height);
	fputs("unset multiplot\n", plot.f);
	csv = rpt_fig_csv(r, &plot,
			  "cc,tier,ports,utilization_mean,utilization_max,pause_ns,pause_ratio,queue_mean,queue_p50,queue_p99,queue_max");
	tiers_csv(csv, f, &t);
	rpt_fig_csv_end(r, csv, &plot);
	rpt_plot_end(r, &plot, f->s->name, "Utilization and pauses, by tier",
		     pause > 0 ? TIERS_CAPTION : TIERS_CAPTION " No port was paused.");
}
