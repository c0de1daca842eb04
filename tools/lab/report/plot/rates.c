// SPDX-License-Identifier: GPL-2.0
/*
 * Goodput, CC rate and window of every flow over time: one panel an algorithm,
 * all with the same axes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RPT_BINS_MIN 24
#define RPT_BIN_MESSAGES 12	/* a bin of goodput is not shorter than these */
#define RPT_UNLIMITED 9e18	/* "no limit" in u64 or s64 */

static const struct {
	const char *kind, *title, *axis, *absent;
	enum rpt_unit unit;
} rpt_quantities[RPT_Q_RATES] = {
	{ "goodput", "goodput of each flow", "goodput", "no data",
	  RPT_BPS },
	{ "ccrate", "rate set by the CC for each flow", "CC rate",
	  "sets no rate", RPT_BPS },
	{ "cwnd", "window set by the CC for each flow", "window",
	  "sets no window", RPT_BYTES },
};

static size_t rpt_grid_cols(size_t n)
{
	return n > 3 ? 2 : 1;
}

static int rpt_grid_panel(size_t n)
{
	return n == 1 ? 270 : 170;
}

/* Title, rows of panels with their gaps, the x axis. */
int rpt_grid_height(size_t n)
{
	size_t rows = (n + rpt_grid_cols(n) - 1) / rpt_grid_cols(n);

	return 84 + rows * (rpt_grid_panel(n) + 44) + 14;
}

static const char *const rpt_rates_cols[] = {
	"t_ns", "flow", "goodput_bps", "cc_rate_bps", "cwnd_bytes",
};

/* Rows come flow by flow at each time, so look behind the last one first. */
static struct rpt_flow *rpt_flow_of(struct rpt_flows *fs, long id)
{
	size_t i, k;

	for (k = 0; k < fs->n; k++) {
		i = (fs->last + 1 + k) % fs->n;
		if (fs->flow[i].id == id) {
			fs->last = i;
			return &fs->flow[i];
		}
	}
	fs->flow = rpt_realloc(fs->flow, fs->n + 1, sizeof(*fs->flow));
	fs->flow[fs->n] = (struct rpt_flow){ .id = id };
	fs->last = fs->n++;
	return &fs->flow[fs->last];
}

static int rpt_cmp_flow(const void *pa, const void *pb)
{
	const struct rpt_flow *a = pa, *b = pb;

	return a->id < b->id ? -1 : a->id > b->id;
}

/**
 * rpt_rates_read() - the flows of a run over time
 * @r: the report, for warnings
 * @run: the run
 * @fs: filled in; @fs->algo must be set
 */
void rpt_rates_read(struct rpt *r, const struct rpt_run *run,
		    struct rpt_flows *fs)
{
	bool none = rpt_is_algo(fs->algo, "none");
	struct rpt_csv c;
	int k;

	if (!rpt_csv_open(r, &c, run, "rates.csv", rpt_rates_cols, 5))
		return;
	while (rpt_csv_next(&c)) {
		double t = rpt_num(c.field[0]);
		struct rpt_flow *f;

		f = rpt_flow_of(fs, strtol(c.field[1], NULL, 10));
		for (k = 0; k < RPT_Q_RATES; k++) {
			double v = rpt_num(c.field[2 + k]);

			/* Without CC, rate and window are not the CC's. */
			if (isnan(v) || v >= RPT_UNLIMITED ||
			    (k != RPT_Q_GOODPUT && (v <= 0 || none)))
				continue;
			rpt_series_add(&f->s[k], t, v);
		}
	}
	rpt_csv_close(r, &c);
	if (fs->n)
		qsort(fs->flow, fs->n, sizeof(*fs->flow), rpt_cmp_flow);
}

/*
 * The mean of the samples in each of @nbins bins over 0..@t1, NAN for a bin
 * without samples. Goodput counts what was delivered since the sample before,
 * so means lose nothing.
 */
static void rpt_rebin(const struct rpt_series *s, double t1, int nbins,
		      double *out)
{
	size_t i = 0, most = 0;
	int b;

	for (b = 0; b < nbins; b++) {
		double to = t1 * (b + 1) / nbins, sum = 0;
		size_t n = 0;

		for (; i < s->n && (s->t[i] <= to || b == nbins - 1); i++, n++)
			sum += s->v[i];
		/* A bin that is hardly begun when the flow ends says nothing. */
		out[b] = n && 2 * n >= most ? sum / n : NAN;
		most = n > most ? n : most;
	}
}

/*
 * Goodput grows by a message at a time. A bin shorter than a few messages
 * shows their beat with the sampling, not the flow: this many bins are not.
 */
static double rpt_message_bins(const struct rpt_series *s, double step,
			       double t1)
{
	double *v = rpt_realloc(NULL, s->n + 1, sizeof(*v)), sum = 0, width = 0;
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		sum += s->v[i];
		if (s->v[i] > 0)
			v[n++] = s->v[i];
	}
	if (n) {
		/* The smallest step, but for a flow's short last message. */
		qsort(v, n, sizeof(*v), stats_cmp_double);
		width = RPT_BIN_MESSAGES * v[n / 10] * step / (sum / s->n);
	}
	free(v);
	return width > step ? t1 / width : HUGE_VAL;
}

/* As many bins as the densest flow can fill. */
static int rpt_bins_of(const struct rpt_flows *fs, enum rpt_quantity k,
		       double t1)
{
	double step = HUGE_VAL, most = RPT_BINS;
	size_t i;

	for (i = 0; i < fs->n; i++) {
		const struct rpt_series *s = &fs->flow[i].s[k];
		double mean;

		if (s->n < 2)
			continue;
		mean = (s->t[s->n - 1] - s->t[0]) / (s->n - 1);
		if (!(mean > 0))
			continue;
		step = fmin(step, mean);
		if (k == RPT_Q_GOODPUT && s->n > RPT_BINS_MIN)
			most = fmin(most, rpt_message_bins(s, mean, t1));
	}
	if (isinf(step))
		return RPT_BINS;
	most = fmax(most, RPT_BINS_MIN);
	return fmax(1, fmin(most, floor(t1 / step)));
}

/**
 * rpt_bin_panel() - bin all flows' samples alike
 * @fs: the flows
 * @k: which of their quantities
 * @t1: bins reach from 0 to this
 * @b: filled in; @b->v is the caller's to free
 */
void rpt_bin_panel(const struct rpt_flows *fs, enum rpt_quantity k, double t1,
		   struct rpt_binned *b)
{
	size_t i, n = 0, points = 0, longest = 0, total;
	double *sorted;

	b->nbins = rpt_bins_of(fs, k, t1);
	b->max = 0;
	b->high = 0;
	total = fs->n * b->nbins;
	b->v = rpt_realloc(NULL, total + 1, sizeof(*b->v));
	for (i = 0; i < fs->n; i++)
		rpt_rebin(&fs->flow[i].s[k], t1, b->nbins,
			  b->v + i * b->nbins);
	sorted = rpt_realloc(NULL, total + 1, sizeof(*sorted));
	for (i = 0; i < total; i++) {
		if (i % b->nbins == 0)
			points = 0;
		if (isnan(b->v[i]))
			continue;
		sorted[n++] = b->v[i];
		longest = ++points > longest ? points : longest;
	}
	/* A run shorter than a few samples has no course to show. */
	if (longest > 2) {
		qsort(sorted, n, sizeof(*sorted), stats_cmp_double);
		b->max = sorted[n - 1];
		b->high = sorted[(size_t)(0.98 * (n - 1))];
	}
	free(sorted);
}

/* Rows "t value", a block a flow; a pause in the samples breaks the line. */
void rpt_put_lines(FILE *f, const struct rpt_flows *fs,
		   const struct rpt_binned *bin, double dt, double vdiv)
{
	size_t i;
	int b, gap;

	for (i = 0; i < fs->n; i++) {
		if (i)
			fputs("\n\n", f);
		for (b = gap = 0; b < bin->nbins; b++) {
			double v = bin->v[i * bin->nbins + b];

			if (isnan(v)) {
				gap++;
				continue;
			}
			if (gap > 2 && gap < b)
				fputc('\n', f);
			gap = 0;
			fprintf(f, "%.6g %.6g\n", dt * (b + 0.5), v / vdiv);
		}
	}
}

/* Rows "t min median max" over the flows that are active in each bin. */
void rpt_put_band(FILE *f, const struct rpt_flows *fs,
		  const struct rpt_binned *bin, double dt, double vdiv)
{
	struct stats_spread sp;
	double *v = rpt_realloc(NULL, fs->n, sizeof(*v));
	size_t i, n;
	int b;

	for (b = 0; b < bin->nbins; b++) {
		for (i = n = 0; i < fs->n; i++)
			if (!isnan(bin->v[i * bin->nbins + b]))
				v[n++] = bin->v[i * bin->nbins + b];
		if (!n)
			continue;
		sp = stats_spread_of(v, n);
		fprintf(f, "%.6g %.6g %.6g %.6g\n", dt * (b + 0.5),
			sp.min / vdiv, sp.median / vdiv, sp.max / vdiv);
	}
	free(v);
}

/* Shades of the algorithm's colour for its flows, dark to light. */
unsigned int rpt_flow_shade(unsigned int rgb, size_t i, size_t n)
{
	double x = n > 1 ? 0.97 * i / (n - 1) - 0.55 : 0;

	return x < 0 ? rpt_mix(rgb, 0, -x) : rpt_mix(rgb, 0xffffff, x);
}

static void rpt_panel_lines(FILE *f, const struct rpt_flows *fs, size_t idx)
{
	unsigned int rgb = fs->algo->style.rgb;
	const char *sep = "plot";
	size_t i;

	for (i = 0; i < fs->n; i++) {
		fprintf(f, "%s $d%zu index %zu with lines lw 1.8 lc rgb \"#%06x\" t \"flow %ld\"",
			sep, idx, i, rpt_flow_shade(rgb, i, fs->n),
			fs->flow[i].id);
		sep = ", \\\n    ";
	}
	fputc('\n', f);
}

/* The algorithm above its panel. */
void rpt_grid_name(FILE *f, const struct rpt_algo *a)
{
	fputs("set label 2 \"{/:Bold ", f);
	rpt_plot_text(f, a->cc);
	fprintf(f, "}\" at graph 0, graph 1 offset 0.3,0.55 left tc rgb \"#%06x\"\n",
		a->style.rgb);
}

static void rpt_panel(FILE *f, const struct rpt_flows *fs, size_t idx,
		      enum rpt_quantity k, bool data)
{
	unsigned int rgb = fs->algo->style.rgb;

	rpt_grid_name(f, fs->algo);
	if (!data) {
		fprintf(f,
			"set label 3 \"%s\" at graph 0.5, graph 0.5 center tc rgb \"#888888\"\n"
			"plot NaN notitle\nunset label 3\n",
			rpt_quantities[k].absent);
	} else if (fs->n <= RPT_LINES) {
		rpt_panel_lines(f, fs, idx);
	} else {
		fprintf(f,
			"plot $d%zu using 1:2:4 with filledcurves fs transparent solid 0.25 lc rgb \"#%06x\" title \"all %zu\", \\\n"
			"     $d%zu using 1:3 with lines lw 1.8 lc rgb \"#%06x\" title \"median\"\n",
			idx, rgb, fs->n, idx, rgb);
	}
}

/*
 * Panel @i of @n in a grid, placed to the pixel so that all
 * have the same size whatever their labels.
 */
void rpt_grid_place(FILE *f, size_t i, size_t n, int height)
{
	size_t cols = rpt_grid_cols(n);
	int panel = rpt_grid_panel(n);
	double left = 72, right = 100, gap = 118, top = 84, pitch = panel + 44;
	double w = (RPT_PLOT_WIDTH - left - right - (cols - 1) * gap) / cols;
	size_t row = i / cols, col = i % cols;
	double x = left + col * (w + gap), y = top + row * pitch;

	fprintf(f,
		"set lmargin screen %.5f\nset rmargin screen %.5f\n"
		"set tmargin screen %.5f\nset bmargin screen %.5f\n",
		x / RPT_PLOT_WIDTH, (x + w) / RPT_PLOT_WIDTH,
		1 - y / height, 1 - (y + panel) / height);
	if (i + cols >= n)
		fprintf(f,
			"set label 4 xl at graph 0.5, screen %.5f center\n"
			"set format x \"%%g\"\n",
			1 - (y + panel + 41) / height);
	else
		fputs("unset label 4\nset format x \"\"\n", f);
	if (!col)
		fprintf(f, "set label 5 yl at screen %.5f, graph 0.5 center rotate\n",
			(x - 56) / RPT_PLOT_WIDTH);
	else
		fputs("unset label 5\n", f);
}

static void rpt_rates_script(FILE *f, const struct rpt_scenario *s,
			     const struct rpt_course *c,
			     const struct rpt_binned *bin, enum rpt_quantity k,
			     double t1, double top)
{
	int height = rpt_grid_height(s->nr_algos);
	size_t n = s->nr_algos, i;
	struct rpt_scale vs = rpt_scale_of(rpt_quantities[k].unit, top);
	struct rpt_scale ts = rpt_scale_of(RPT_NS, t1);

	for (i = 0; i < n; i++) {
		double dt = t1 / bin[i].nbins / ts.div;

		fprintf(f, "$d%zu << EOD\n", i);
		if (c[i].flows.n <= RPT_LINES)
			rpt_put_lines(f, &c[i].flows, &bin[i], dt, vs.div);
		else
			rpt_put_band(f, &c[i].flows, &bin[i], dt, vs.div);
		fputs("EOD\n", f);
	}
	fprintf(f,
		"xl = \"time (%s)\"\nyl = \"%s (%s)\"\n"
		"set xrange [0:%.6g]\nset yrange [0:%.6g]\n",
		ts.name, rpt_quantities[k].axis, vs.name, t1 / ts.div,
		top * 1.05 / vs.div);
	fputs("set key at graph 1.01, graph 1.04 left top\n"
	      "set key Left reverse samplen 1.4 spacing 0.95 maxrows 8 noautotitle\n"
	      "set multiplot\nset label 1 \"{/:Bold ", f);
	rpt_plot_text(f, s->name);
	fprintf(f, ": %s}\" at screen 0.012, screen %.5f left font \",15\"\n",
		rpt_quantities[k].title, 1 - 26.0 / height);
	for (i = 0; i < n; i++) {
		rpt_grid_place(f, i, n, height);
		rpt_panel(f, &c[i].flows, i, k, bin[i].max > 0);
		if (!i)
			fputs("unset label 1\n", f);
	}
	fputs("unset multiplot\n", f);
}

/*
 * A start at line rate that lasts microseconds must not flatten everything
 * after it: when the highest values are rare and far above the rest, the axis
 * ends below them and the caption says so.
 */
static void rpt_quantity_plot(struct rpt *r, const struct rpt_scenario *s,
			      const struct rpt_course *c, enum rpt_quantity k,
			      double t1)
{
	struct rpt_binned *bin = rpt_realloc(NULL, s->nr_algos, sizeof(*bin));
	double max = 0, high = 0, top;
	char cut[96] = "", buf[32];
	bool band = false;
	struct rpt_plot p;
	char *caption;
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		rpt_bin_panel(&c[i].flows, k, t1, &bin[i]);
		max = fmax(max, bin[i].max);
		high = fmax(high, bin[i].high);
		band |= c[i].flows.n > RPT_LINES;
	}
	top = max;
	if (high > 0 && max > 2 * high) {
		top = 1.25 * high;
		rpt_fmt_auto(buf, sizeof(buf), rpt_quantities[k].unit, max);
		snprintf(cut, sizeof(cut), " Short peaks beyond the axis reach %s.",
			 buf);
	}
	if (max > 0 && rpt_plot_begin(r, &p, s->name, rpt_quantities[k].kind,
				      rpt_grid_height(s->nr_algos))) {
		rpt_rates_script(p.f, s, c, bin, k, t1, top);
		caption = rpt_printf("One panel an algorithm, same axes, seed %lu;\n"
				     "each point is a mean over at least 1/%d of the time shown.%s%s",
				     s->algos[0].runs[0].seed, RPT_BINS, band ?
				     " Shades reach from the slowest to the fastest flow,\n"
				     "lines are the median flow." :
				     "", cut);
		rpt_plot_end(r, &p, s->name, rpt_quantities[k].title, caption);
		free(caption);
	}
	for (i = 0; i < s->nr_algos; i++)
		free(bin[i].v);
	free(bin);
}

void rpt_flows_free(struct rpt_flows *fs)
{
	size_t i;
	int k;

	for (i = 0; i < fs->n; i++)
		for (k = 0; k < RPT_Q_NR; k++)
			rpt_series_free(&fs->flow[i].s[k]);
	free(fs->flow);
}

void rpt_plot_rates(struct rpt *r, const struct rpt_scenario *s,
		    const struct rpt_course *c)
{
	double t1 = 0;
	size_t i, j;
	int k;

	for (i = 0; i < s->nr_algos; i++) {
		for (j = 0; j < c[i].flows.n; j++) {
			const struct rpt_series *g = &c[i].flows.flow[j].s[0];

			if (g->n)
				t1 = fmax(t1, g->t[g->n - 1]);
		}
	}
	for (k = 0; k < RPT_Q_RATES && t1 > 0; k++)
		rpt_quantity_plot(r, s, c, k, t1);
}
