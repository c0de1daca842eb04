// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: distributions of completion times and slowdowns, and their tails:
 * the share of the flows above a value, on a logarithmic axis.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/fig.h"

#define HEIGHT		390
#define LOG_RATIO	20		/* times further apart: logarithmic axis */

struct dist {
	struct fig_cdf row[FIG_CDF_ROWS];
	size_t n, flows;
};

static void read_dist(const struct rpt_fig_algo *a, bool slowdown, struct dist *d)
{
	struct fig_set s = rpt_fig_pooled(a);
	int64_t *v;

	d->flows = fig_values(&s, FIG_ALL, slowdown, &v);
	d->n = fig_cdf(v, d->flows, d->row);
	free(v);
}

static void put_data(FILE *out, const struct dist *d, size_t i, double div)
{
	double above = 100;
	size_t k;

	/* Value, share up to it, share of at least that. */
	fprintf(out, "$c%zu << EOD\n", i);
	for (k = 0; k < d->n; k++) {
		fprintf(out, "%.7g %.9g %.9g\n", d->row[k].value / div, 100 * d->row[k].cum, above);
		above = 100 * (1 - d->row[k].cum);
	}
	fputs("EOD\n", out);
}

/* @steps: a share up to a value lasts to the next, one of at least a value comes from the last. */
static void put_curves(FILE *out, const struct rpt_figs *f, const struct dist *d, int col,
		       const char *steps)
{
	const char *sep = "plot";
	size_t i;

	for (i = 0; i < f->n; i++) {
		const struct rpt_style *st = &f->algo[i].a->style;

		if (!d[i].n)
			continue;
		fprintf(out, "%s $c%zu using 1:%d with %s lw 1.8 dt %d lc rgb \"#%06x\"", sep, i,
			col, steps, st->dash, st->rgb);
		sep = ", \\\n    ";
	}
	fputc('\n', out);
}

static void put_panel(FILE *out, const char *title, const char *axis, double left, double right)
{
	fprintf(out, "set lmargin screen %.5f\nset rmargin screen %.5f\nset tmargin screen %.5f\nset bmargin screen %.5f\n",
		left / RPT_PLOT_WIDTH, right / RPT_PLOT_WIDTH, 1 - 84.0 / HEIGHT, 60.0 / HEIGHT);
	fprintf(out, "set label 2 \"{/:Bold %s}\" at graph 0, graph 1 offset 0,0.6 left\n", title);
	fprintf(out, "set label 3 \"%s\" at graph 0.5, screen %.5f center\n", axis, 18.0 / HEIGHT);
}

static void put_script(FILE *out, const struct rpt_figs *f, const struct dist *d, bool slowdown,
		       double min, double max, size_t most)
{
	struct rpt_scale sc = { 1e6, "" };
	double low = 100.0 / (double)(most ? most : 1);
	char *axis;
	size_t i;

	if (!slowdown)
		sc = rpt_scale_of(RPT_NS, max);
	axis = slowdown ? rpt_printf("slowdown") : rpt_printf("flow completion time (%s)", sc.name);
	for (i = 0; i < f->n; i++)
		put_data(out, &d[i], i, sc.div);
	fputs("unset key\nset multiplot\nset label 1 \"{/:Bold ", out);
	rpt_plot_text(out, f->s->name);
	fprintf(out, ": %s}\" at screen 0.012, screen %.5f left font \",15\"\n",
		slowdown ? "slowdown" : "flow completion times", 1 - 22.0 / HEIGHT);
	rpt_fig_keys(out, f, 0.985, 1 - 50.0 / HEIGHT);
	if (max > LOG_RATIO * min)
		rpt_fig_log(out, 'x', min / sc.div / 1.02, max / sc.div * 1.02);
	else
		fprintf(out, "set format x \"%%g\"\nset xrange [%.6g:%.6g]\n", min / sc.div / 1.02,
			max / sc.div * 1.02);
	put_panel(out, "share of flows up to a value (%)", axis, 56, 438);
	fputs("set yrange [0:100.5]\nset ytics 0,20,100\n", out);
	put_curves(out, f, d, 2, "steps");
	fputs("unset label 1\n", out);
	for (i = 0; i < f->n; i++)
		fprintf(out, "unset label %zu\nunset label %zu\n", 100 + i, 200 + i);
	put_panel(out, "share of flows of at least that value (%), tail", axis, 512, 884);
	fprintf(out, "set logscale y\nset format y \"%%g\"\nset ytics autofreq\nset yrange [%.6g:110]\n",
		low * 0.9);
	put_curves(out, f, d, 3, "fsteps");
	fputs("unset multiplot\n", out);
	free(axis);
}

static void put_csv(FILE *csv, const struct rpt_figs *f, const struct dist *d, bool slowdown)
{
	size_t i, k;

	for (i = 0; csv && i < f->n; i++) {
		for (k = 0; k < d[i].n; k++) {
			fprintf(csv, "%s,", f->algo[i].a->cc);
			if (slowdown)
				fprintf(csv, "%.6f", d[i].row[k].value / 1e6);
			else
				fprintf(csv, "%" PRId64, d[i].row[k].value);
			fprintf(csv, ",%.9g\n", d[i].row[k].cum);
		}
	}
}

static void plot_dist(struct rpt *r, const struct rpt_figs *f, struct dist *d, bool slowdown)
{
	double min = HUGE_VAL, max = 0;
	char *sample, *caption;
	struct rpt_plot plot;
	size_t i, most = 0;
	FILE *csv;

	for (i = 0; i < f->n; i++) {
		read_dist(&f->algo[i], slowdown, &d[i]);
		if (!d[i].n)
			continue;
		min = fmin(min, d[i].row[0].value);
		max = fmax(max, d[i].row[d[i].n - 1].value);
		most = d[i].flows > most ? d[i].flows : most;
	}
	if (!most ||
	    !rpt_plot_begin(r, &plot, f->s->name, slowdown ? "slowdown_cdf" : "fct", HEIGHT))
		return;
	put_script(plot.f, f, d, slowdown, min, max, most);
	csv = rpt_fig_csv(r, &plot, slowdown ? "cc,slowdown,cum" : "cc,fct_ns,cum");
	put_csv(csv, f, d, slowdown);
	rpt_fig_csv_end(r, csv, &plot);
	sample = rpt_fig_sample(f);
	caption = rpt_printf("%s of the flows that start in the time that is measured, all seeds together. Left: share of the flows that needed no more; right: share that needed at least so much.%s",
			     slowdown ? "Slowdowns" : "Completion times", sample);
	rpt_plot_end(r, &plot, f->s->name, slowdown ? "Slowdown" : "Flow completion times",
		     caption);
	free(caption);
	free(sample);
}

/**
 * rpt_plot_fig_cdf() - distributions of completion times and of slowdowns
 * @r: the report
 * @f: figures of one scenario
 */
void rpt_plot_fig_cdf(struct rpt *r, const struct rpt_figs *f)
{
	struct dist *d = rpt_realloc(NULL, f->n, sizeof(*d));

	plot_dist(r, f, d, false);
	plot_dist(r, f, d, true);
	free(d);
}
