// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: slowdown by flow size. The axis of sizes has the same number of
 * flows on each inch, as in papers, so that what most flows get is not squeezed
 * into a corner.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/workload_pictures.h"
#include "report/plot/gnuplot_input.h"

#define PANEL_PX	(rpt_narrow() ? 140 : 176)
#define TOP_PX		74
#define GAP_PX		50
#define BOTTOM_PX	62
#define LEFT_PX		(rpt_narrow() ? 78 : 64)
#define RIGHT_PX	30
#define LOG_RATIO	10.0		/* more: logarithmic axis */
#define GRID_COLS	(rpt_narrow() ? 2 : 3)
#define COLUMNS		"panel,cc,series,flows_percent,slowdown,low,high,flows"
#define X_LABEL		"flow size; as many flows between any two labels"

static const char *const pct_name[RPT_PCTS] = {
	"median", "95th percentile", "99th percentile",
};

struct range {
	double lo, hi;
};

/* "512B", "1.2KiB", "5MiB": short. */
static void size_text(char *buf, size_t len, int64_t bytes)
{
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double v = bytes;
	size_t i = 0;

	while (v >= 1023.5 && i + 1 < ARRAY_SIZE(unit)) {
		v /= 1024;
		i++;
	}
	snprintf(buf, len, v < 9.95 && i ? "%.1f%s" : "%.0f%s", v, unit[i]);
	if (strstr(buf, ".0"))
		snprintf(buf, len, "%.0f%s", v, unit[i]);
}

/* head() - what each picture of slowdown begins with, and below how many flows a point is hollow */
static void head(struct pic *p, const struct rpt_sizes *f, const char *scenario, const char *what)
{
	pic_head(p, scenario, what);
	pic_algos(p, f->s);
	pic_say(p, "sizes", X_LABEL);
	pic_set(p, "few", SLOWDOWN_FEW);
}

static void widen(struct range *r, const struct rpt_sizes *f, enum rpt_percentile p)
{
	size_t i, k;

	for (i = 0; i < f->n; i++) {
		for (k = 0; k < f->n_bins; k++) {
			if (!f->algo[i].bin[k].st.flows)
				continue;
			r->lo = fmin(r->lo, f->algo[i].bin[k].lo[p]);
			r->hi = fmax(r->hi, f->algo[i].bin[k].hi[p]);
		}
	}
}

/* A label at the ends of bins, so many as there is room for. */
static void put_sizes(struct pic *p, const struct rpt_sizes *f, double width)
{
	size_t every = (size_t)ceil(f->n_bins * 58.0 / width), i;
	char text[32];

	every = every < 2 ? 2 : every;
	for (i = 0; i < f->n_bins; i++) {
		/* Bins of many flows of one size have room for a label each. */
		if ((i + 1) % every && f->n_bins >= SLOWDOWN_BINS / 2)
			continue;
		size_text(text, sizeof(text), f->edge[i].to_bytes);
		pic_tic(p, 'x', text, 100 * f->end[i]);
	}
}

static void put_yaxis(struct pic_panel *panel, const struct range *r)
{
	double low = fmin(r->lo, 1);

	panel->ylog = r->hi > LOG_RATIO * r->lo;
	panel->y0 = panel->ylog ? low / 1.03 : low;
	panel->y1 = panel->ylog ? r->hi * 1.2 : r->hi + 0.06 * (r->hi - low) + 0.01;
}

/* @panel: where it is and what it is called. */
static void put_panel(struct pic *p, const struct rpt_sizes *f, enum rpt_percentile pct,
		      const struct range *range, struct pic_panel *panel)
{
	size_t i, k;

	panel->x1 = 100;
	put_yaxis(panel, range);
	pic_panel(p, panel);
	put_sizes(p, f, panel->w);
	rpt_log_tics(p, 'y', panel);
	for (i = 0; i < f->n; i++) {
		const struct rpt_sizes_algo *a = &f->algo[i];
		struct pic_look look = {
			.kind = a->n_seeds > 1 ? PIC_BAND : PIC_LINE, .rgb = a->a->style.rgb,
			.dash = a->a->style.dash, .point = a->a->style.point,
		};

		pic_curve(p, &look, f->s->point, a->a->cc, pct_name[pct]);
		for (k = 0; k < f->n_bins; k++) {
			const struct rpt_size_bin *b = &a->bin[k];

			if (b->st.flows)
				pic_row(p, 5, 100 * f->at[k], rpt_percentile(&b->st, pct),
					b->lo[pct],
					b->hi[pct], (double)b->st.flows);
			else
				pic_row(p, 5, 100 * f->at[k], NAN, NAN, NAN, NAN);
		}
	}
}

#define SEEDS_CAPTION \
	" Lines are over the flows of all seeds together, bands reach from the lowest to the highest of the seeds."

#define FEW_CAPTION \
	" Hollow points are of fewer than 100 flows: the 99th percentile of those is the largest."

#define CSV_HEADING \
	"point,cc,bin,from_bytes,to_bytes,flows,p50,p50_min,p50_max,p95,p95_min,p95_max,p99,p99_min,p99_max,mean,max"

static void put_csv(FILE *csv, const struct rpt_sizes *f)
{
	size_t i, k;
	int p;

	for (i = 0; csv && i < f->n; i++) {
		for (k = 0; k < f->n_bins; k++) {
			const struct rpt_size_bin *b = &f->algo[i].bin[k];
			char *c;

			if (!b->st.flows)
				continue;
			/* A point of a sweep has commas of its own. */
			for (c = f->s->point; *c; c++)
				fputc(*c == ',' ? ' ' : *c, csv);
			fprintf(csv, ",%s,%zu,%lld,%lld,%zu", f->algo[i].a->cc, k,
				(long long)f->edge[k].from_bytes, (long long)f->edge[k].to_bytes,
				b->st.flows);
			for (p = 0; p < RPT_PCTS; p++)
				fprintf(csv, ",%.4f,%.4f,%.4f", rpt_percentile(&b->st, p), b->lo[p],
					b->hi[p]);
			fprintf(csv, ",%.4f,%.4f\n", b->st.mean, b->st.max);
		}
	}
}

static size_t most_seeds(const struct rpt_sizes *f, size_t n)
{
	size_t i, k, most = 0;

	for (k = 0; k < n; k++)
		for (i = 0; i < f[k].n; i++)
			most = f[k].algo[i].n_seeds > most ? f[k].algo[i].n_seeds : most;
	return most;
}

/* Is there a bin of less flows than a 99th percentile needs? */
static bool any_few(const struct rpt_sizes *f, size_t n)
{
	size_t i, j, k;

	for (j = 0; j < n; j++)
		for (i = 0; i < f[j].n; i++)
			for (k = 0; k < f[j].n_bins; k++)
				if (slowdown_few(&f[j].algo[i].bin[k].st))
					return true;
	return false;
}

static char *new_caption(const struct rpt_sizes *f, size_t n)
{
	return rpt_text("Completion time over that alone on an idle path, of the flows that start in the time that is measured. Each bin of sizes holds as many flows as the others, flows of one size stay together; a label is the largest size so far.%s%s%s",
			most_seeds(f, n) > 1 ? SEEDS_CAPTION : "",
			any_few(f, n) ? FEW_CAPTION : "", rpt_sizes_sample(f));
}

/**
 * rpt_plot_slowdown() - slowdown by size: median, 95th and 99th percentile
 * @r: the report
 * @f: figures of one scenario
 */
void rpt_plot_slowdown(struct rpt *r, const struct rpt_sizes *f)
{
	int height = TOP_PX + RPT_PCTS * (PANEL_PX + GAP_PX) - GAP_PX + BOTTOM_PX, i;
	struct pic p;
	FILE *csv;

	/* Flows of one size are better seen in the distribution. */
	if (f->n_bins < 2 || !pic_begin(r, &p, f->s->name, "slowdown", "slowdown", height, COLUMNS))
		return;
	head(&p, f, f->s->name, "slowdown by flow size");
	for (i = 0; i < RPT_PCTS; i++) {
		struct range range = { HUGE_VAL, 0 };
		struct pic_panel panel = {
			.x = LEFT_PX, .y = TOP_PX + i * (PANEL_PX + GAP_PX),
			.w = rpt_width() - LEFT_PX - RIGHT_PX, .h = PANEL_PX,
			.title = pct_name[i], .ylabel = "slowdown",
		};

		widen(&range, f, i);
		put_panel(&p, f, i, &range, &panel);
	}
	csv = rpt_table_begin(r, p.base, CSV_HEADING);
	put_csv(csv, f);
	rpt_table_end(r, csv, p.base);
	pic_end(&p, "Slowdown by flow size", "%s", new_caption(f, 1));
}

/* What a panel of several points is called: what differs. */
static char *panel_title(const struct rpt_sizes *f)
{
	struct json_object *t = js_path(f->s->algos[0].runs[0].summary, "traffic");
	struct json_object *w = js_path(t, "workload"), *l = js_path(t, "load");

	if (w && l)
		return rpt_text("%s, load %.3g", json_object_get_string(w),
				 json_object_get_double(l));
	return rpt_text("%s", f->s->point);
}

static struct json_object *workload(const struct rpt_sizes *f)
{
	return js_path(f->s->algos[0].runs[0].summary, "traffic.workload");
}

/* Of the columns, if the points are all loads of each workload: the loads. */
static size_t grid_columns(const struct rpt_sizes *f, size_t n)
{
	size_t i, loads = 0;

	for (i = 0; i < n; i++) {
		struct json_object *a = workload(&f[0]);
		struct json_object *b = workload(&f[i]);

		if (!a || !b || !json_object_equal(a, b))
			break;
		loads++;
	}
	if (loads && loads <= (rpt_narrow() ? 2 : 4) && n % loads == 0)
		return loads;
	return n < GRID_COLS ? n : GRID_COLS;
}

static int cmp_figs(const void *pa, const void *pb)
{
	const struct rpt_sizes *a = pa, *b = pb;
	struct json_object *x = js_path(a->s->algos[0].runs[0].summary, "traffic");
	struct json_object *y = js_path(b->s->algos[0].runs[0].summary, "traffic");
	struct json_object *v = js_path(x, "workload"), *w = js_path(y, "workload");
	int rc = strcmp(v ? json_object_get_string(v) : "", w ? json_object_get_string(w) : "");
	double la = rpt_json_double(x, "load"), lb = rpt_json_double(y, "load");

	return rc ? rc : (la > lb) - (la < lb);
}

static void plot_grid(struct rpt *r, const struct rpt_sizes *f, size_t n, enum rpt_percentile pct)
{
	size_t cols = grid_columns(f, n), rows = (n + cols - 1) / cols, i;
	int height = TOP_PX + rows * (PANEL_PX + 20 + GAP_PX) - GAP_PX + BOTTOM_PX;
	double w = (rpt_width() - LEFT_PX - RIGHT_PX - (cols - 1) * 44.0) / cols;
	char *what = rpt_text("slowdown by flow size, %s", pct_name[pct]);
	struct range range = { HUGE_VAL, 0 };
	struct pic p;
	FILE *csv;

	if (!pic_begin(r, &p, f->s->scenario,
		       rpt_text("slowdown_p%d", pct == RPT_P50 ? 50 : pct == RPT_P95 ? 95 : 99),
		       "slowdown", height, COLUMNS))
		return;
	for (i = 0; i < n; i++)
		widen(&range, &f[i], pct);
	head(&p, f, f->s->scenario, what);
	for (i = 0; i < n; i++) {
		struct pic_panel panel = {
			.x = LEFT_PX + i % cols * (w + 44), .w = w, .h = PANEL_PX + 8,
			.y = TOP_PX + 12 + i / cols * (PANEL_PX + 20 + GAP_PX),
			.title = panel_title(&f[i]), .ylabel = i % cols ? NULL : "slowdown",
		};

		put_panel(&p, &f[i], pct, &range, &panel);
	}
	csv = rpt_table_begin(r, p.base, CSV_HEADING);
	for (i = 0; i < n; i++)
		put_csv(csv, &f[i]);
	rpt_table_end(r, csv, p.base);
	pic_end(&p, what, "%s", new_caption(f, n));
}

/**
 * rpt_plot_slowdowns() - several workloads and loads in one picture
 * @r: the report
 * @f: figures of one scenario's points; their order may change
 * @n: how many
 */
void rpt_plot_slowdowns(struct rpt *r, const struct rpt_sizes *f, size_t n)
{
	struct rpt_sizes *sorted;
	size_t i, bins = 0;

	for (i = 0; i < n; i++)
		bins = f[i].n_bins > bins ? f[i].n_bins : bins;
	if (n < 2 || bins < 2)
		return;
	sorted = xreallocarray(NULL, n, sizeof(*sorted));
	memcpy(sorted, f, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), cmp_figs);
	plot_grid(r, sorted, n, RPT_P50);
	plot_grid(r, sorted, n, RPT_P99);
	free(sorted);
}
