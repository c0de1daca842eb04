// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: what the ports of each tier did: distribution of their queues,
 * utilization and time in pause.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/workload_pictures.h"
#include "report/plot/gnuplot_input.h"

#define TIERS_MAX	12
#define QUEUE_PX	190
#define QUEUE_COLS	(rpt_narrow() ? 2 : 3)
#define BAR_PX		15		/* height of a bar */
#define BYTE_FLOOR	102.4		/* emptier queues are drawn as this */
#define LEAST_PERCENT	0.0001
#define BYTE_UNIT	1024.0		/* of the axis of queues */

struct tier_names {
	const char *name[TIERS_MAX];	/* in the order of a packet's way */
	size_t n;
};

/* The tiers of the first run that has any. */
static void find_tiers(const struct rpt_sizes *f, struct tier_names *t)
{
	size_t i, k;

	for (i = 0; i < f->n && !t->n; i++) {
		for (k = 0; k < f->algo[i].a->nr_runs && !t->n; k++) {
			struct json_object *o;

			o = js_path(f->algo[i].a->runs[k].summary, "tiers");
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
	struct csv csv;
	size_t i;

	if (!rpt_run_has(run, "queue_cdf.csv") ||
	    !rpt_csv_open(r, &csv, run, "queue_cdf.csv", "bytes,tier,cum"))
		return;
	while (rpt_csv_next(&csv))
		for (i = 0; i < t->n; i++)
			if (strcmp(csv.field[1], t->name[i]) == 0)
				rpt_series_add(&c[i].s, csv_double(csv.field[0]),
					       csv_double(csv.field[2]));
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

static struct rpt_series *read_queues(struct rpt *r, const struct rpt_sizes *f,
				      const struct tier_names *t)
{
	struct rpt_series *all = xreallocarray(NULL, f->n * t->n, sizeof(*all));
	size_t i, k;

	memset(all, 0, f->n * t->n * sizeof(*all));
	for (i = 0; i < f->n; i++) {
		const struct rpt_algo *a = f->algo[i].a;
		struct curve *c = xreallocarray(NULL, a->nr_runs * t->n, sizeof(*c));

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

/* Distribution of the queues of tier @k, a curve an algorithm. */
static void queue_curves(struct pic *p, const struct rpt_sizes *f, const struct tier_names *t,
			 size_t k, const struct rpt_series *q)
{
	size_t i, n;

	for (i = 0; i < f->n; i++) {
		const struct rpt_series *s = &q[i * t->n + k];
		const struct rpt_algo *a = f->algo[i].a;
		struct pic_look look = {
			.rgb = a->style.rgb, .dash = a->style.dash, .width = 1.6,
		};
		double above = 1;

		if (!s->n)
			continue;
		pic_curve(p, &look, t->name[k], a->cc, "queue");
		for (n = 0; n < s->n; n++) {
			pic_row(p, 2, fmax(s->t[n], BYTE_FLOOR), 100 * above);
			above = 1 - s->v[n];
		}
	}
}

static void queue_csv(FILE *csv, const struct rpt_sizes *f, const struct tier_names *t,
		      const struct rpt_series *q)
{
	size_t i, k, n;

	for (i = 0; csv && i < f->n; i++) {
		for (k = 0; k < t->n; k++) {
			const struct rpt_series *s = &q[i * t->n + k];

			for (n = 0; n < s->n; n++)
				fprintf(csv, "%s,%s,%.0f,%.9g\n", f->algo[i].a->cc, t->name[k],
					s->t[n], s->v[n]);
		}
	}
}

#define TIERS_CAPTION \
	"Mean over the ports of a tier and the busiest of them, and the share of the time that ports were paused, while it was measured; medians over the seeds."

#define QUEUE_CAPTION \
	"Share of the time that the queue of a port, any of the tier, is at least so long. %s is the tier of ports from %.*s to %s. Every change of every queue while it was measured counts; a length is drawn up to 1/16 too large, less than 0.1 KiB as that. All seeds together."

static void queue_panels(struct pic *p, const struct rpt_sizes *f, const struct tier_names *t,
			 const struct rpt_series *q, double max, double least)
{
	struct rpt_scale vs = rpt_scale_of(RPT_BYTES, BYTE_UNIT);
	double left = rpt_narrow() ? 84 : 64;
	double w = (rpt_width() - left - 18 - (QUEUE_COLS - 1) * 50.0) / QUEUE_COLS;
	size_t k;

	pic_algos(p, f->s);
	pic_say(p, "queues", rpt_axis("queue of at least", vs));
	for (k = 0; k < t->n; k++) {
		struct pic_panel panel = {
			.x = left + k % QUEUE_COLS * (w + 50),
			.y = 84 + k / QUEUE_COLS * (QUEUE_PX + 48), .w = w, .h = QUEUE_PX,
			.title = t->name[k], .ylabel = k % QUEUE_COLS ? NULL :
			"share of the time (%)",
			.x0 = BYTE_FLOOR / vs.div, .x1 = max * 1.1 / vs.div, .xdiv = vs.div,
			.y0 = fmax(100 * least, LEAST_PERCENT) * 0.9, .y1 = 110,
			.xlog = true, .ylog = true,
		};

		pic_panel(p, &panel);
		queue_curves(p, f, t, k, q);
	}
}

/**
 * rpt_plot_queue_tiers() - distribution of the queues of each tier's ports
 * @r: the report
 * @f: figures of one scenario
 */
void rpt_plot_queue_tiers(struct rpt *r, const struct rpt_sizes *f)
{
	struct tier_names t = { .n = 0 };
	struct rpt_series *q;
	double max = 0, least = 1;
	struct pic p;
	size_t i;
	int height;
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
	height = 84 + (t.n + QUEUE_COLS - 1) / QUEUE_COLS * (QUEUE_PX + 48) + 14;
	if (!max ||
	    !pic_open(r, &p, f->s, NULL, P_QUEUE_TIERS, height))
		goto out;
	csv = rpt_table_begin(r, p.base, "cc,tier,bytes,cum");
	queue_panels(&p, f, &t, q, max, least);
	queue_csv(csv, f, &t, q);
	rpt_table_end(r, csv, p.base);
	pic_close(&p, QUEUE_CAPTION, t.name[0], (int)strcspn(t.name[0], "-"), t.name[0],
		  strchr(t.name[0], '-') ? strchr(t.name[0], '-') + 1 : "");
out:
	for (i = 0; i < f->n * t.n; i++)
		rpt_series_free(&q[i]);
	free(q);
}

/* Median over the seeds and extremes of a tier's figure. */
static struct stats_spread tier_figure(const struct rpt_algo *a, const char *tier,
				       const char *figure)
{
	double *v = xreallocarray(NULL, a->nr_runs, sizeof(*v)), x;
	struct stats_spread g;
	size_t i, n = 0;

	for (i = 0; i < a->nr_runs; i++) {
		x = rpt_json_double(a->runs[i].summary, rpt_text("tiers.%s.%s", tier, figure));
		if (!isnan(x))
			v[n++] = x;
	}
	g = stats_spread_of(v, n);
	free(v);
	return g;
}

/* The largest of a figure of all tiers and algorithms, per cent. */
static double bar_max(const struct rpt_sizes *f, const struct tier_names *t, const char *figure)
{
	double max = 0;
	size_t i, k;

	for (k = 0; k < t->n; k++) {
		for (i = 0; i < f->n; i++) {
			struct stats_spread g = tier_figure(f->algo[i].a, t->name[k], figure);

			if (g.n)
				max = fmax(max, 100 * g.median);
		}
	}
	return max;
}

/* A bar an algorithm, tier after tier, the first on top; @most: the busiest port's figure. */
static void bar_panel(struct pic *p, const struct rpt_sizes *f, const struct tier_names *t,
		      const char *figure, const char *most, struct pic_panel *panel)
{
	size_t rows = f->n + 1, i, k;

	panel->y = 84;
	panel->h = p->height - 84 - 40;
	panel->x1 *= 1.08;
	panel->xdiv = 0.01;
	panel->y0 = 0.5;
	panel->y1 = t->n * rows + 0.5;
	pic_panel(p, panel);
	pic_block(p, figure, "", "", (const char *)NULL);
	for (k = 0; k < t->n; k++) {
		pic_tic(p, 'y', t->name[k], (t->n - k) * rows - (f->n - 1) / 2.0);
		for (i = 0; i < f->n; i++) {
			const struct rpt_algo *a = f->algo[i].a;
			struct stats_spread g = tier_figure(a, t->name[k], figure);

			if (!g.n)
				continue;
			pic_key(p, figure, a->cc, t->name[k], (const char *)NULL);
			pic_row(p, 3, (double)((t->n - k) * rows - i), g.median, most ?
				tier_figure(a, t->name[k], most).median : NAN);
		}
	}
}

static void tiers_csv(FILE *csv, const struct rpt_sizes *f, const struct tier_names *t)
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
 * rpt_plot_tiers() - utilization and time in pause of each tier
 * @r: the report
 * @f: figures of one scenario
 */
void rpt_plot_tiers(struct rpt *r, const struct rpt_sizes *f)
{
	struct tier_names t = { .n = 0 };
	struct pic_panel panel = { .x = 64 };
	double util, pause, w;
	struct pic p;
	int height;
	FILE *csv;

	find_tiers(f, &t);
	height = 84 + BAR_PX * t.n * (f->n + 1) + 50;
	if (!t.n || !pic_open(r, &p, f->s, NULL, P_TIERS, height))
		return;
	util = fmax(bar_max(f, &t, "utilization.mean"), bar_max(f, &t, "utilization.max"));
	pause = bar_max(f, &t, "pause_ratio");
	w = pause > 0 ? (rpt_width() - 64 - 18 - 60) / 2.0 : rpt_width() - 64 - 18;
	pic_algos(&p, f->s);
	panel.w = w;
	panel.title = rpt_narrow() ? "utilization (%)" : "utilization (%), cross: busiest port";
	panel.xlabel = " ";
	panel.x1 = fmax(util, 1);
	bar_panel(&p, f, &t, "utilization.mean", "utilization.max", &panel);
	if (pause > 0) {
		panel.x += w + 60;
		panel.title = rpt_narrow() ? "paused (%)" : "paused (% of the time)";
		panel.x1 = pause;
		bar_panel(&p, f, &t, "pause_ratio", NULL, &panel);
	}
	csv = rpt_table_begin(r, p.base,
			      "cc,tier,ports,utilization_mean,utilization_max,pause_ns,pause_ratio,queue_mean,queue_p50,queue_p99,queue_max");
	tiers_csv(csv, f, &t);
	rpt_table_end(r, csv, p.base);
	pic_close(&p, pause > 0 ? TIERS_CAPTION : TIERS_CAPTION " No port was paused.");
}
