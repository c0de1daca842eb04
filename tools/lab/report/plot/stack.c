// SPDX-License-Identifier: GPL-2.0
/*
 * Panels one below the other: one time axis, the same margins to the pixel,
 * names beside what they name instead of a legend.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define RPT_LINE_PX 15		/* of text */

/* The @i'th of @n shades of an algorithm's colour, all dark enough for text. */
unsigned int rpt_shade(unsigned int rgb, size_t i, size_t n)
{
	double x = n > 1 ? 0.65 * i / (n - 1) - 0.4 : 0;

	return x < 0 ? rpt_mix(rgb, 0, -x) : rpt_mix(rgb, 0xffffff, x);
}

/* Dash types that stay legible on curves that move fast. */
int rpt_dash(size_t i)
{
	static const int dash[] = { 1, 2, 4, 5 };

	return dash[i % ARRAY_SIZE(dash)];
}

void rpt_stack_title(struct rpt_stack *st, const struct rpt_course *c,
		     const char *scenario, const char *title)
{
	fprintf(st->f, "set multiplot\nset label 1 \"{/:Bold ");
	rpt_plot_text(st->f, scenario);
	fprintf(st->f, ": %s}\" at screen 0.012, screen %.5f left font \",15\"\n",
		title, 1 - 24.0 / st->height);
	fputs("set label 2 \"{/:Bold ", st->f);
	rpt_plot_text(st->f, c->algo->cc);
	fprintf(st->f, "}\" at screen 0.985, screen %.5f right font \",15\" tc rgb \"#%06x\"\n",
		1 - 24.0 / st->height, st->rgb);
	/* The panels' own, so that others get other numbers. */
	fputs("set label 3 \"\"\nset label 4 \"\"\nset label 5 \"\"\n", st->f);
}

/**
 * rpt_stack_panel() - place the next panel
 * @st: the stack, moved on
 * @height: of the panel, pixels
 * @title: above it, gnuplot's enhanced text
 * @axis: name of the y axis, NULL: none
 * @last: it has the time axis
 */
void rpt_stack_panel(struct rpt_stack *st, int height, const char *title,
		     const char *axis, bool last)
{
	st->panel = height;
	fprintf(st->f,
		"set lmargin screen %.5f\nset rmargin screen %.5f\n"
		"set tmargin screen %.5f\nset bmargin screen %.5f\n",
		(double)st->left / RPT_PLOT_WIDTH,
		1 - (double)st->right / RPT_PLOT_WIDTH,
		1 - (double)st->y / st->height,
		1 - (double)(st->y + height) / st->height);
	fprintf(st->f, "set label 3 \"%s\" at screen %.5f, screen %.5f left\n",
		title, (double)st->left / RPT_PLOT_WIDTH,
		1 - (st->y - 12.0) / st->height);
	if (axis)
		fprintf(st->f, "set label 4 \"%s\" at screen 0.018, graph 0.5 center rotate\n",
			axis);
	else
		fputs("unset label 4\n", st->f);
	if (last)
		fprintf(st->f,
			"set format x \"%%g\"\nset label 5 \"time (%s)\" at graph 0.5, screen %.5f center\n",
			st->unit, 1 - (st->y + height + 42.0) / st->height);
	else
		fputs("set format x \"\"\n", st->f);
	st->y += height + 40;
}

/**
 * rpt_stack_swatches() - beside a panel's title what its colours mean
 * @st: the stack, the panel placed
 * @w: colours
 * @n: how many
 * @x: of the first, 0..1 of the picture
 */
void rpt_stack_swatches(struct rpt_stack *st, const struct rpt_swatch *w, size_t n, double x)
{
	double y = 1 - (st->y - 40 - st->panel - 12.0) / st->height;
	size_t i;

	for (i = 0; i < n; x += 0.055 + 0.0092 * strlen(w[i].text), i++)
		fprintf(st->f,
			"set object %zu rectangle at screen %.4f, screen %.5f size screen 0.018, screen %.5f fc rgb \"#%06x\" fs solid noborder front\n"
			"set label \"%s\" at screen %.4f, screen %.5f left\n",
			i + 1, x, y, 11.0 / st->height, w[i].rgb, w[i].text, x + 0.015, y);
}

static int rpt_cmp_label(const void *pa, const void *pb)
{
	const struct rpt_label *a = pa, *b = pb;

	return a->y > b->y ? -1 : a->y < b->y;
}

/**
 * rpt_stack_labels() - names in the right margin, at the height of their curves
 * @st: the stack, its panel placed
 * @l: the labels, sorted here; texts stay the caller's
 * @n: how many
 *
 * Names keep a line's distance, which moves them by as little as possible.
 */
void rpt_stack_labels(struct rpt_stack *st, struct rpt_label *l, size_t n)
{
	double line = (double)RPT_LINE_PX / st->panel, floor;
	size_t i;

	if (n)
		qsort(l, n, sizeof(*l), rpt_cmp_label);
	/* Down from the top, then up from the bottom. */
	for (i = 1; i < n; i++)
		l[i].y = fmin(l[i].y, l[i - 1].y - line);
	floor = 0.3 * line;
	for (i = n; i-- > 0; floor = l[i].y + line)
		l[i].y = fmax(l[i].y, floor);
	for (i = 0; i < n; i++) {
		if (l[i].dash)
			fprintf(st->f,
				"set arrow from graph 1.010, graph %.4f to graph 1.038, graph %.4f nohead lw 2 dt %d lc rgb \"#%06x\"\n",
				l[i].y, l[i].y, l[i].dash, l[i].rgb);
		fputs("set label \"", st->f);
		rpt_plot_text(st->f, l[i].text);
		fprintf(st->f, "\" at graph %s, graph %.4f left tc rgb \"#%06x\"\n",
			l[i].dash ? "1.044" : "1.012", l[i].y, l[i].rgb);
	}
}

/* @v to three digits, which is what a picture needs. */
double rpt_round3(double v)
{
	double unit = v > 0 ? pow(10, floor(log10(v)) - 2) : 1;

	return round(v / unit) * unit;
}

/* Time paused and its share, mean of the row's ports, beside each row. */
static void rpt_stack_totals(struct rpt_stack *st, const struct rpt_strips *ss)
{
	char total[32];
	size_t i;

	for (i = 0; i < ss->n; i++) {
		const struct rpt_strip *s = &ss->strip[i];
		double mean = s->total_ns / s->nports;

		rpt_fmt_auto(total, sizeof(total), RPT_NS,
			     rpt_round3(mean));
		fprintf(st->f,
			"set label \"%s%s, %.2g %%\" at graph 1.012, first %.2f left tc rgb \"#333333\"\n",
			total, s->nports > 1 ? " each" : "",
			100 * mean / ss->run_ns, ss->n - i - 0.5);
	}
}

/**
 * rpt_stack_strips() - the panel of pauses
 * @st: the stack
 * @ss: rows, their data written by rpt_strips_data()
 * @last: it has the time axis
 */
void rpt_stack_strips(struct rpt_stack *st, const struct rpt_strips *ss,
		      bool last)
{
	const char *sep = "plot";
	size_t i;

	rpt_stack_panel(st, rpt_strips_height(ss),
			"{/:Bold paused ports}: by PFC from their peer, full height is all the time",
			NULL, last);
	fprintf(st->f,
		"set yrange [0:%zu]\nset border 1\nunset grid\nset grid xtics lt 1 lw 0.6 lc rgb \"#dddddd\"\nset ytics (",
		ss->n);
	for (i = 0; i < ss->n; i++) {
		fputs(i ? ", \"" : "\"", st->f);
		if (ss->strip[i].strong)
			fputs("{/:Bold ", st->f);
		rpt_plot_text(st->f, ss->strip[i].label);
		fprintf(st->f, "%s\" %.1f", ss->strip[i].strong ? "}" : "",
			ss->n - i - 0.5);
		fprintf(st->f, "%s", i + 1 == ss->n ? ") scale 0\n" : "");
	}
	for (i = 0; i < ss->n; i++)
		fprintf(st->f,
			"set object %zu rectangle from graph 0, first %.2f to graph 1, first %.2f fc rgb \"#f1f1f1\" fs solid noborder behind\n",
			i + 1, ss->n - i - 0.9, ss->n - i - 0.1);
	rpt_stack_totals(st, ss);
	for (i = 0; i < ss->n; i++) {
		fprintf(st->f,
			"%s $pause index %zu using 1:2 with filledcurves y=%.2f fs solid 1 noborder lc rgb \"#%06x\" notitle",
			sep, i, ss->n - i - 0.9, ss->strip[i].strong ?
			0x111111 : rpt_mix(st->rgb, 0, 0.25));
		sep = ", \\\n    ";
	}
	fputs("\nset border 3\nset grid ytics\nset ytics autofreq scale 0.6\n"
	      "unset object\nunset label\nunset arrow\n",
	      st->f);
}
