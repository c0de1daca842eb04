// SPDX-License-Identifier: GPL-2.0
/*
 * Goodput, CC rate and window of every flow over time: one panel an algorithm,
 * all with the same axes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/gnuplot_input.h"

#define RPT_BINS_MIN 24
#define RPT_ROUNDING (1 / 1e9)
#define RPT_BIN_MESSAGES 12	/* a bin of goodput is not shorter than these */

/* In the order of P_GOODPUT, P_CCRATE, P_CWND. */
static const struct {
	const char *what, *axis, *absent;
	enum rpt_unit unit;
} rpt_quantities[RPT_Q_RATES] = {
	{ "goodput_bps", "goodput", "no data", RPT_BPS },
	{ "cc_rate_bps", "CC rate", "sets no rate", RPT_BPS },
	{ "cwnd_bytes", "window", "sets no window", RPT_BYTES },
};

static size_t rpt_grid_cols(size_t n)
{
	return n > 3 && !rpt_narrow() ? 2 : 1;
}

/* Up to eight below each other fit on a page. */
static int rpt_grid_panel(size_t n)
{
	if (rpt_narrow())
		return n == 1 ? 200 : n <= 3 ? 130 : n <= 6 ? 100 : 80;
	return n == 1 ? 270 : 170;
}

/* Title, rows of panels with their gaps, the x axis. */
int rpt_grid_height(size_t n)
{
	size_t rows = (n + rpt_grid_cols(n) - 1) / rpt_grid_cols(n);

	return 84 + rows * (rpt_grid_panel(n) + 44) + 14;
}

/*
 * The mean of the samples in each of @nbins bins over 0..@t1, NAN for a bin
 * without samples. Goodput counts what was delivered since the sample before,
 * so means lose nothing.
 */
static void rpt_rebin(const struct rpt_series *s, double t1, int nbins, double *out)
{
	size_t i = 0, most = 0;
	int b;

	for (b = 0; b < nbins; b++) {
		double to = t1 * (b + 1) / nbins, sum = 0;
		size_t n = 0;

		/* The axis may end before the samples. */
		if (b == nbins - 1)
			to = t1 * (1 + RPT_ROUNDING);
		for (; i < s->n && s->t[i] <= to; i++, n++)
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
static double rpt_message_bins(const struct rpt_series *s, double step, double t1)
{
	double *v = xreallocarray(NULL, s->n + 1, sizeof(*v)), sum = 0, width = 0;
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
static int rpt_bins_of(const struct rpt_flows *fs, enum rpt_quantity k, double t1)
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

/* Points of the longest curve: of a flow, or of the band that many flows become. */
static int rpt_longest(const struct rpt_flows *fs, const struct rpt_binned *b)
{
	int longest = 0, band = 0, k;
	size_t i;

	for (i = 0; i < fs->n; i++) {
		int points = 0;

		for (k = 0; k < b->nbins; k++)
			points += !isnan(b->v[i * b->nbins + k]);
		longest = points > longest ? points : longest;
	}
	for (k = 0; k < b->nbins && fs->n > RPT_LINES; k++) {
		for (i = 0; i < fs->n && isnan(b->v[i * b->nbins + k]); i++)
			;
		band += i < fs->n;
	}
	return fs->n > RPT_LINES ? band : longest;
}

/**
 * rpt_bin_panel() - bin all flows' samples alike
 * @fs: the flows
 * @k: which of their quantities
 * @t1: bins reach from 0 to this
 * @b: filled in; @b->v is the caller's to free
 */
void rpt_bin_panel(const struct rpt_flows *fs, enum rpt_quantity k, double t1, struct rpt_binned *b)
{
	size_t i, n = 0, total;
	double *sorted;

	b->nbins = rpt_bins_of(fs, k, t1);
	b->max = 0;
	b->high = 0;
	b->course = false;
	total = fs->n * b->nbins;
	b->v = xreallocarray(NULL, total + 1, sizeof(*b->v));
	for (i = 0; i < fs->n; i++)
		rpt_rebin(&fs->flow[i].s[k], t1, b->nbins, b->v + i * b->nbins);
	sorted = xreallocarray(NULL, total + 1, sizeof(*sorted));
	for (i = 0; i < total; i++) {
		if (!isnan(b->v[i]))
			sorted[n++] = b->v[i];
	}
	/* A run shorter than a few samples has no course to show. */
	b->course = rpt_longest(fs, b) > 2;
	if (b->course) {
		qsort(sorted, n, sizeof(*sorted), stats_cmp_double);
		b->max = sorted[n - 1];
		b->high = sorted[(size_t)(0.98 * (n - 1))];
	}
	free(sorted);
}

/*
 * Bin @b of a curve is about to be drawn, the one drawn before is @last, -1: none. A time
 * without samples breaks the curve, and samples that beat against the bins do not.
 */
static void rpt_put_gap(struct pic *p, int b, int *last)
{
	if (*last >= 0 && b - *last > 3)
		pic_gap(p);
	*last = b;
}

/* Flow @i of @fs; a pause in the samples breaks the line. */
void rpt_put_line(struct pic *p, const struct rpt_binned *bin, size_t i, double dt)
{
	int b, last = -1;

	for (b = 0; b < bin->nbins; b++) {
		double v = bin->v[i * bin->nbins + b];

		if (isnan(v))
			continue;
		rpt_put_gap(p, b, &last);
		pic_row(p, 2, dt * (b + 0.5), v);
	}
}

/* Median, smallest and largest over the flows that are active in each bin. */
static void rpt_put_band(struct pic *p, const struct rpt_flows *fs, const struct rpt_binned *bin,
			 double dt)
{
	struct stats_spread sp;
	double *v = xreallocarray(NULL, fs->n, sizeof(*v));
	int b, last = -1;
	size_t i, n;

	for (b = 0; b < bin->nbins; b++) {
		for (i = n = 0; i < fs->n; i++)
			if (!isnan(bin->v[i * bin->nbins + b]))
				v[n++] = bin->v[i * bin->nbins + b];
		if (!n)
			continue;
		sp = stats_spread_of(v, n);
		rpt_put_gap(p, b, &last);
		pic_row(p, 4, dt * (b + 0.5), sp.median, sp.min, sp.max);
	}
	free(v);
}

/* Shades of the algorithm's colour for its flows, dark to light. */
unsigned int rpt_flow_shade(unsigned int rgb, size_t i, size_t n)
{
	double x = n > 1 ? 0.97 * i / (n - 1) - 0.55 : 0;

	return x < 0 ? rpt_mix(rgb, 0, -x) : rpt_mix(rgb, 0xffffff, x);
}

/**
 * rpt_put_flows() - a curve for each flow, or a band when they are many
 * @p: the picture, a panel begun
 * @what: the quantity, in the data
 * @fs: the flows
 * @bin: their values
 * @t1: end of the axis
 * @named: with names for the key
 */
void rpt_put_flows(struct pic *p, const char *what, const struct rpt_flows *fs,
		   const struct rpt_binned *bin, double t1, bool named)
{
	struct pic_look look = { .kind = PIC_BAND, .rgb = fs->algo->style.rgb };
	double dt = t1 / bin->nbins;
	char *name;
	size_t i;

	if (fs->n > RPT_LINES) {
		name = rpt_text("all %zu", fs->n);
		look.name = named ? "median" : NULL;
		look.shade = named ? name : NULL;
		pic_curve(p, &look, what, fs->algo->cc, name);
		rpt_put_band(p, fs, bin, dt);
		return;
	}
	for (i = 0; i < fs->n; i++) {
		name = rpt_text("flow %ld", fs->flow[i].id);
		look = (struct pic_look){
			.rgb = rpt_flow_shade(fs->algo->style.rgb, i, fs->n),
			.name = named ? name : NULL,
		};
		pic_curve(p, &look, what, fs->algo->cc, name);
		rpt_put_line(p, bin, i, dt);
	}
}

/* The algorithm above its panel. */
void rpt_grid_name(struct pic_panel *panel, const struct rpt_algo *a)
{
	panel->title = a->cc;
	panel->rgb = a->style.rgb;
}

/**
 * rpt_grid_place() - one of panels that are alike, whatever their labels
 * @panel: filled in
 * @i: which of them
 * @n: how many there are
 * @xl: name of the x axis, below the last of each column
 * @yl: name of the y axis, beside the first of each row
 */
void rpt_grid_place(struct pic_panel *panel, size_t i, size_t n, const char *xl, const char *yl)
{
	size_t cols = rpt_grid_cols(n);
	double left = 72, right = 100, gap = 118, top = 84, pitch = rpt_grid_panel(n) + 44;

	*panel = (struct pic_panel){
		.w = (rpt_width() - left - right - (cols - 1) * gap) / cols,
		.h = rpt_grid_panel(n), .y = top + i / cols * pitch,
		.xlabel = i + cols >= n ? xl : NULL, .ylabel = i % cols ? NULL : yl,
	};
	panel->x = left + i % cols * (panel->w + gap);
}

static void rpt_rates_panels(struct pic *p, const struct rpt_scenario *s,
			     const struct rpt_course *c, const struct rpt_binned *bin,
			     enum rpt_quantity k, double t1, double top)
{
	struct rpt_scale vs = rpt_scale_of(rpt_quantities[k].unit, top);
	struct rpt_scale ts = rpt_scale_of(RPT_NS, t1);
	struct pic_panel panel;
	size_t i;

	for (i = 0; i < s->nr_algos; i++) {
		rpt_grid_place(&panel, i, s->nr_algos, rpt_axis("time", ts),
			       rpt_axis(rpt_quantities[k].axis, vs));
		rpt_grid_name(&panel, c[i].algo);
		panel.x1 = t1 / ts.div;
		panel.y1 = top * 1.05 / vs.div;
		panel.xdiv = ts.div;
		panel.ydiv = vs.div;
		pic_panel(p, &panel);
		if (bin[i].max > 0)
			rpt_put_flows(p, rpt_quantities[k].what, &c[i].flows, &bin[i], t1, true);
		else
			pic_note(p, rpt_quantities[k].absent, 0.5, 0.5, 0, 0x888888);
	}
}

/*
 * A start at line rate that lasts microseconds must not flatten everything
 * after it: when the highest values are rare and far above the rest, the axis
 * ends below them and the caption says so.
 */
static void rpt_quantity_plot(struct rpt *r, const struct rpt_scenario *s,
			      const struct rpt_course *c, enum rpt_quantity k,
			      double t1, const char *more)
{
	struct rpt_binned *bin = xreallocarray(NULL, s->nr_algos, sizeof(*bin));
	double max = 0, high = 0, top;
	char cut[96] = "", buf[32];
	bool band = false;
	struct pic p;
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
		snprintf(cut, sizeof(cut), " Short peaks beyond the axis reach %s.", buf);
	}
	if (max > 0 && pic_open(r, &p, s, NULL, P_GOODPUT + k, rpt_grid_height(s->nr_algos))) {
		rpt_rates_panels(&p, s, c, bin, k, t1, top);
		pic_close(&p, "One panel an algorithm, same axes, seed %lu;\n"
			  "each point is a mean over at least 1/%d of the time shown.%s%s%s",
			  s->algos[0].runs[0].seed, RPT_BINS, band ?
			  " Shades reach from the slowest to the fastest flow,\n"
			  "lines are the median flow." : "", cut, more);
	}
	for (i = 0; i < s->nr_algos; i++)
		free(bin[i].v);
	free(bin);
}

void rpt_plot_rates(struct rpt *r, const struct rpt_scenario *s)
{
	const struct rpt_course *c = s->course;
	double *end = xreallocarray(NULL, s->nr_algos + 1, sizeof(*end)), t1;
	size_t i, j;
	char *more;
	int k;

	for (i = 0; i < s->nr_algos; i++) {
		end[i] = 0;
		for (j = 0; j < c[i].flows.n; j++) {
			const struct rpt_series *g = &c[i].flows.flow[j].s[0];

			if (g->n)
				end[i] = fmax(end[i], g->t[g->n - 1]);
		}
	}
	more = rpt_axis_end(c, end, s->nr_algos, &t1);
	for (k = 0; k < RPT_Q_RATES && t1 > 0; k++)
		rpt_quantity_plot(r, s, c, k, t1, more);
	free(end);
}
