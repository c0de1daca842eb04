// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: distributions of completion times and slowdowns, and their tails:
 * the share of the flows above a value, on a logarithmic axis.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/workload_pictures.h"
#include "report/plot/gnuplot_input.h"

#define TOP_PX		84
#define PANEL_PX	246
#define BELOW_PX	60
#define HEIGHT		((rpt_narrow() ? 2 : 1) * (TOP_PX + PANEL_PX + BELOW_PX) - \
			 (rpt_narrow() ? 50 : 0))
#define LOG_RATIO	20		/* times further apart: logarithmic axis */

struct dist {
	struct distribution_row row[DISTRIBUTION_ROWS];
	size_t n, flows;
};

static void read_dist(const struct rpt_sizes_algo *a, bool slowdown, struct dist *d)
{
	struct flow_set s = rpt_sizes_pooled(a);
	int64_t *v;

	d->flows = distribution_values(&s, ALL_GROUPS, slowdown, &v);
	d->n = distribution_rows(v, d->flows, d->row);
	free(v);
}

/* Value, share up to it, share of at least that. */
static void put_data(struct pic *p, const struct rpt_sizes *f, const struct dist *d, double scale)
{
	size_t i, k;

	for (i = 0; i < f->n; i++) {
		const struct rpt_style *st = &f->algo[i].a->style;
		struct pic_look look = { .rgb = st->rgb, .dash = st->dash, .point = st->point };
		double above = 100;

		if (!d[i].n)
			continue;
		pic_block(p, f->algo[i].a->cc, (const char *)NULL);
		pic_look(p, &look);
		for (k = 0; k < d[i].n; k++) {
			pic_row(p, 3, d[i].row[k].value / scale, 100 * d[i].row[k].cum, above);
			above = 100 * (1 - d[i].row[k].cum);
		}
	}
}

static void put_panels(struct pic *p, const struct rpt_sizes *f, const struct dist *d,
		       bool slowdown, double min, double max, size_t most)
{
	double scale = slowdown ? 1e6 : 1;
	struct rpt_scale sc = rpt_scale_of(slowdown ? RPT_PLAIN : RPT_NS, max / scale);
	char *axis = slowdown ? rpt_text("slowdown") :
		     rpt_axis("flow completion time", sc);
	struct pic_panel panel = {
		.x = 56, .y = TOP_PX, .w = rpt_narrow() ? rpt_width() - 72 : rpt_width() / 2 - 68,
		.h = PANEL_PX,
		.title = "share of flows up to a value (%)", .xlabel = axis,
		.x0 = min / scale / sc.div / 1.02, .x1 = max / scale / sc.div * 1.02,
		.xdiv = sc.div, .xlog = max > LOG_RATIO * min, .y1 = 100.5,
	};

	pic_panel(p, &panel);
	rpt_log_tics(p, 'x', &panel);
	if (rpt_narrow()) {
		panel.y += PANEL_PX + BELOW_PX + 34;
		panel.title = "share of at least that value (%), tail";
	} else {
		panel.x = rpt_width() / 2 + 62;
		panel.w = rpt_width() / 2 - 78;
		panel.title = "share of flows of at least that value (%), tail";
	}
	panel.ylog = true;
	panel.y0 = 90.0 / (double)(most ? most : 1);
	panel.y1 = 110;
	pic_panel(p, &panel);
	rpt_log_tics(p, 'x', &panel);
	put_data(p, f, d, scale);
}

static void put_csv(FILE *csv, const struct rpt_sizes *f, const struct dist *d, bool slowdown)
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

static void plot_dist(struct rpt *r, const struct rpt_sizes *f, struct dist *d, bool slowdown)
{
	double min = HUGE_VAL, max = 0;
	struct pic p;
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
	    !pic_open(r, &p, f->s, NULL, slowdown ? P_SLOWDOWN_CDF : P_FCT_CDF, HEIGHT))
		return;
	pic_algos(&p, f->s);
	put_panels(&p, f, d, slowdown, min, max, most);
	csv = rpt_table_begin(r, p.base, slowdown ? "cc,slowdown,cum" : "cc,fct_ns,cum");
	put_csv(csv, f, d, slowdown);
	rpt_table_end(r, csv, p.base);
	pic_close(&p,
		  "%s of the flows that start in the time that is measured, all seeds together. Left: share of the flows that needed no more; right: share that needed at least so much.%s",
		  slowdown ? "Slowdowns" : "Completion times", rpt_sizes_sample(f));
}

/**
 * rpt_plot_slowdown_cdf() - distributions of completion times and of slowdowns
 * @r: the report
 * @f: figures of one scenario
 */
void rpt_plot_slowdown_cdf(struct rpt *r, const struct rpt_sizes *f)
{
	struct dist *d = xreallocarray(NULL, f->n, sizeof(*d));

	plot_dist(r, f, d, false);
	plot_dist(r, f, d, true);
	free(d);
}
