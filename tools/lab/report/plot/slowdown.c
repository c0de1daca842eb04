// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: slowdown by flow size. The axis of sizes has the same number of
 * flows on each inch, as in papers, so that what most flows get is not squeezed
 * into a corner.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/fig.h"

#define PANEL_PX	176
#define TOP_PX		74
#define GAP_PX		50
#define BOTTOM_PX	62
#define LEFT_PX		64
#define RIGHT_PX	30
#define LOG_RATIO	10.0		/* more: logarithmic axis */
#define GRID_COLS	3
#define Y_LABEL \
	"set label 3 \"slowdown\" at screen 0.018, graph 0.5 center rotate\n"

static const char *const pct_name[RPT_PCTS] = {
	"median", "95th percentile", "99th percentile",
};

/* Where a panel is, in pixels from the upper left. */
struct place {
	double x, y, w, h;
	int width, height;		/* of the picture */
};

struct range {
	double lo, hi;
};

/* "1.2K", "30K", "5M": short, of SI prefixes. */
static void size_text(char *buf, size_t len, int64_t bytes)
{
	static const char *const unit[] = { "", "K", "M", "G", "T" };
	double v = bytes;
	size_t i = 0;

	while (v >= 999.5 && i + 1 < ARRAY_SIZE(unit)) {
		v /= 1000;
		i++;
	}
	snprintf(buf, len, v < 9.95 && i ? "%.1f%s" : "%.0f%s", v, unit[i]);
	if (strstr(buf, ".0"))
		snprintf(buf, len, "%.0f%s", v, unit[i]);
}

static void put_data(FILE *out, const struct rpt_figs *f, size_t id)
{
	size_t i, k;
	int p;

	for (i = 0; i < f->n; i++) {
		fprintf(out, "$d%zu_%zu << EOD\n", id, i);
		for (k = 0; k < f->n_bins; k++) {
			const struct rpt_size_bin *b = &f->algo[i].bin[k];

			fprintf(out, "%.6g", 100 * f->at[k]);
			for (p = 0; p < RPT_PCTS; p++) {
				if (b->st.flows)
					fprintf(out, " %.6g %.6g %.6g", rpt_pct(&b->st, p),
						b->lo[p], b->hi[p]);
				else
					fputs(" NaN NaN NaN", out);
			}
			fputc('\n', out);
		}
		fputs("EOD\n", out);
	}
}

static void widen(struct range *r, const struct rpt_figs *f, enum rpt_pct p)
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

static void put_place(FILE *out, const struct place *at)
{
	fprintf(out, "set lmargin screen %.5f\nset rmargin screen %.5f\nset tmargin screen %.5f\nset bmargin screen %.5f\n",
		at->x / at->width, (at->x + at->w) / at->width, 1 - at->y / at->height,
		1 - (at->y + at->h) / at->height);
}

/* A label at the ends of bins, so many as there is room for. */
static void put_sizes(FILE *out, const struct rpt_figs *f, double width)
{
	size_t every = (size_t)ceil(f->n_bins * 52.0 / width), i;
	const char *sep = "";
	char text[32];

	every = every < 2 ? 2 : every;
	fputs("set xtics (", out);
	for (i = 0; i < f->n_bins; i++) {
		/* Bins of many flows of one size have room for a label each. */
		if ((i + 1) % every && f->n_bins >= FIG_BINS / 2)
			continue;
		size_text(text, sizeof(text), f->edge[i].to_bytes);
		fprintf(out, "%s\"%s\" %.6g", sep, text, 100 * f->end[i]);
		sep = ", ";
	}
	fputs(")\n", out);
}

static void put_yaxis(FILE *out, const struct range *r)
{
	double low = fmin(r->lo, 1);

	if (r->hi > LOG_RATIO * r->lo)
		rpt_fig_log(out, 'y', low / 1.03, r->hi * 1.2);
	else
		fprintf(out, "unset logscale y\nset format y \"%%g\"\nset ytics autofreq\nset yrange [%.6g:%.6g]\n",
			low, r->hi + 0.06 * (r->hi - low) + 0.01);
}

static void put_panel(FILE *out, const struct rpt_figs *f, size_t id, enum rpt_pct p)
{
	const char *sep = "plot";
	size_t i;

	for (i = 0; i < f->n; i++) {
		const struct rpt_style *st = &f->algo[i].a->style;

		if (f->algo[i].n_seeds > 1)
			fprintf(out, "%s $d%zu_%zu using 1:%d:%d with filledcurves lc rgb \"#%06x\"",
				sep, id, i, 3 + 3 * p, 4 + 3 * p, st->rgb);
		sep = f->algo[i].n_seeds > 1 ? ", \\\n    " : sep;
	}
	for (i = 0; i < f->n; i++) {
		const struct rpt_style *st = &f->algo[i].a->style;

		fprintf(out, "%s $d%zu_%zu using 1:%d with linespoints lw 1.8 dt %d pt %d ps 0.55 lc rgb \"#%06x\"",
			sep, id, i, 2 + 3 * p, st->dash, st->point, st->rgb);
		sep = ", \\\n    ";
	}
	fputc('\n', out);
}

#define SEEDS_CAPTION \
	" Lines are over the flows of all seeds together, bands reach from the lowest to the highest of the seeds."

#define CSV_HEADING \
	"point,cc,bin,from_bytes,to_bytes,flows,p50,p50_min,p50_max,p95,p95_min,p95_max,p99,p99_min,p99_max,mean,max"

static void put_csv(FILE *csv, const struct rpt_figs *f)
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
				fprintf(csv, ",%.4f,%.4f,%.4f", rpt_pct(&b->st, p), b->lo[p],
					b->hi[p]);
			fprintf(csv, ",%.4f,%.4f\n", b->st.mean, b->st.max);
		}
	}
}

static size_t most_seeds(const struct rpt_figs *f, size_t n)
{
	size_t i, k, most = 0;

	for (k = 0; k < n; k++)
		for (i = 0; i < f[k].n; i++)
			most = f[k].algo[i].n_seeds > most ? f[k].algo[i].n_seeds : most;
	return most;
}

static char *new_caption(const struct rpt_figs *f, size_t n)
{
	char *sample = rpt_fig_sample(f), *text;

	text = rpt_printf("Completion time over that alone on an idle path, of the flows that start in the time that is measured. Each bin of sizes holds as many flows as the others, flows of one size stay together; a label is the largest size so far.%s%s",
			  most_seeds(f, n) > 1 ? SEEDS_CAPTION : "",
			  sample);
	free(sample);
	return text;
}

/**
 * rpt_plot_slowdown() - slowdown by size: median, 95th and 99th percentile
 * @r: the report
 * @f: figures of one scenario
 */
void rpt_plot_slowdown(struct rpt *r, const struct rpt_figs *f)
{
	int height = TOP_PX + RPT_PCTS * (PANEL_PX + GAP_PX) - GAP_PX + BOTTOM_PX, p;
	struct place at = { LEFT_PX, TOP_PX, RPT_PLOT_WIDTH - LEFT_PX - RIGHT_PX, PANEL_PX,
			    RPT_PLOT_WIDTH, height };
	struct rpt_plot plot;
	char *caption;
	FILE *csv;

	/* Flows of one size are better seen in the distribution. */
	if (f->n_bins < 2 || !rpt_plot_begin(r, &plot, f->s->name, "slowdown", height))
		return;
	put_data(plot.f, f, 0);
	fputs("set xrange [0:100]\n", plot.f);
	rpt_fig_title(plot.f, f, f->s->name, "slowdown by flow size", height);
	for (p = 0; p < RPT_PCTS; p++, at.y += PANEL_PX + GAP_PX) {
		struct range range = { HUGE_VAL, 0 };

		widen(&range, f, p);
		put_place(plot.f, &at);
		put_sizes(plot.f, f, at.w);
		put_yaxis(plot.f, &range);
		fprintf(plot.f, "set label 2 \"{/:Bold %s}\" at graph 0, graph 1 offset 0,0.6 left\n",
			pct_name[p]);
		fputs(Y_LABEL, plot.f);
		if (p + 1 == RPT_PCTS)
			fprintf(plot.f, "set label 4 \"flow size (bytes); as many flows between any two labels\" at graph 0.5, screen %.5f center\n",
				18.0 / height);
		put_panel(plot.f, f, 0, p);
		rpt_fig_title_end(plot.f, f);
	}
	fputs("unset multiplot\n", plot.f);
	csv = rpt_fig_csv(r, &plot, CSV_HEADING);
	put_csv(csv, f);
	rpt_fig_csv_end(r, csv, &plot);
	caption = new_caption(f, 1);
	rpt_plot_end(r, &plot, f->s->name, "Slowdown by flow size", caption);
	free(caption);
}

/* What a panel of several points is called: what differs. */
static char *panel_title(const struct rpt_figs *f)
{
	struct json_object *t = rpt_get(f->s->algos[0].runs[0].summary, "traffic");
	struct json_object *w = rpt_get(t, "workload"), *l = rpt_get(t, "load");

	if (w && l)
		return rpt_printf("%s, load %.3g", json_object_get_string(w),
				  json_object_get_double(l));
	return rpt_printf("%s", f->s->point);
}

/* Of the columns, if the points are all loads of each workload: the loads. */
static size_t grid_columns(const struct rpt_figs *f, size_t n)
{
	size_t i, loads = 0;

	for (i = 0; i < n; i++) {
		struct json_object *a = rpt_get(f[0].s->algos[0].runs[0].summary, "traffic.workload");
		struct json_object *b = rpt_get(f[i].s->algos[0].runs[0].summary, "traffic.workload");

		if (!a || !b || !json_object_equal(a, b))
			break;
		loads++;
	}
	if (loads && loads <= 4 && n % loads == 0)
		return loads;
	return n < GRID_COLS ? n : GRID_COLS;
}

static int cmp_figs(const void *pa, const void *pb)
{
	const struct rpt_figs *a = pa, *b = pb;
	struct json_object *x = rpt_get(a->s->algos[0].runs[0].summary, "traffic");
	struct json_object *y = rpt_get(b->s->algos[0].runs[0].summary, "traffic");
	struct json_object *v = rpt_get(x, "workload"), *w = rpt_get(y, "workload");
	int rc = strcmp(v ? json_object_get_string(v) : "", w ? json_object_get_string(w) : "");
	double la = rpt_json_double(x, "load"), lb = rpt_json_double(y, "load");

	return rc ? rc : (la > lb) - (la < lb);
}

static void plot_grid(struct rpt *r, const struct rpt_figs *f, size_t n, enum rpt_pct p)
{
	size_t cols = grid_columns(f, n), rows = (n + cols - 1) / cols, i;
	int height = TOP_PX + rows * (PANEL_PX + 20 + GAP_PX) - GAP_PX + BOTTOM_PX;
	double w = (RPT_PLOT_WIDTH - LEFT_PX - RIGHT_PX - (cols - 1) * 44.0) / cols;
	char *kind = rpt_printf("slowdown_p%d", p == RPT_P50 ? 50 : p == RPT_P95 ? 95 : 99);
	char *what = rpt_printf("slowdown by flow size, %s", pct_name[p]), *caption;
	struct range range = { HUGE_VAL, 0 };
	struct rpt_plot plot;
	FILE *csv;

	if (!rpt_plot_begin(r, &plot, f->s->scenario, kind, height))
		goto out;
	for (i = 0; i < n; i++) {
		put_data(plot.f, &f[i], i);
		widen(&range, &f[i], p);
	}
	fputs("set xrange [0:100]\n", plot.f);
	rpt_fig_title(plot.f, &f[0], f->s->scenario, what, height);
	for (i = 0; i < n; i++) {
		struct place at = { LEFT_PX + i % cols * (w + 44), TOP_PX + 12 +
				    i / cols * (PANEL_PX + 20 + GAP_PX), w, PANEL_PX + 8,
				    RPT_PLOT_WIDTH, height };
		char *title = panel_title(&f[i]);

		put_place(plot.f, &at);
		put_sizes(plot.f, &f[i], w);
		put_yaxis(plot.f, &range);
		fputs("set label 2 \"{/:Bold ", plot.f);
		rpt_plot_text(plot.f, title);
		fputs("}\" at graph 0, graph 1 offset 0,0.6 left\nunset label 3\n", plot.f);
		if (i % cols == 0)
			fputs(Y_LABEL, plot.f);
		if (!i)
			fprintf(plot.f, "set label 4 \"flow size (bytes); as many flows between any two labels\" at screen 0.5, screen %.5f center\n",
				18.0 / height);
		put_panel(plot.f, &f[i], i, p);
		rpt_fig_title_end(plot.f, &f[0]);
		fputs("unset label 4\n", plot.f);
		free(title);
	}
	fputs("unset multiplot\n", plot.f);
	csv = rpt_fig_csv(r, &plot, CSV_HEADING);
	for (i = 0; i < n; i++)
		put_csv(csv, &f[i]);
	rpt_fig_csv_end(r, csv, &plot);
	caption = new_caption(f, n);
	rpt_plot_end(r, &plot, f->s->scenario, what, caption);
	free(caption);
out:
	free(kind);
	free(what);
}

/**
 * rpt_plot_slowdowns() - several workloads and loads in one picture
 * @r: the report
 * @f: figures of one scenario's points; their order may change
 * @n: how many
 */
void rpt_plot_slowdowns(struct rpt *r, const struct rpt_figs *f, size_t n)
{
	struct rpt_figs *sorted;
	size_t i, bins = 0;

	for (i = 0; i < n; i++)
		bins = f[i].n_bins > bins ? f[i].n_bins : bins;
	if (n < 2 || bins < 2)
		return;
	sorted = rpt_realloc(NULL, n, sizeof(*sorted));
	memcpy(sorted, f, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), cmp_figs);
	plot_grid(r, sorted, n, RPT_P50);
	plot_grid(r, sorted, n, RPT_P99);
	free(sorted);
}
