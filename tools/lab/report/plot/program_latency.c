// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: picture of the latency that programs of perftest have measured, and of its tail.
 */
#include <math.h>
#include <stdlib.h>

#include "report/plot/gnuplot_input.h"
#include "report/plot/workload_pictures.h"

#define HEIGHT		390
#define LOG_RATIO	20		/* times further apart: logarithmic axis */

/* Of all seeds and all programs, ascending. */
static void read_latency(struct rpt *r, const struct rpt_algo *a, struct rpt_series *s)
{
	struct csv c;
	size_t i;

	for (i = 0; i < a->nr_runs; i++) {
		if (!rpt_run_has(&a->runs[i], "latency.csv") ||
		    !rpt_csv_open(r, &c, &a->runs[i], "latency.csv", "ns"))
			continue;
		while (rpt_csv_next(&c))
			if (csv_double(c.field[0]) > 0)
				rpt_series_add(s, 0, csv_double(c.field[0]));
		rpt_csv_close(r, &c);
	}
	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), stats_cmp_double);
}

static void put_panels(struct pic *p, double min, double max, size_t most)
{
	struct rpt_scale sc = rpt_scale_of(RPT_NS, max);
	char *axis = rpt_axis("latency", sc);
	struct pic_panel panel = {
		.x = 56, .y = 84, .w = 382, .h = HEIGHT - 84 - 60,
		.title = "share of messages up to a value (%)", .xlabel = axis,
		.x0 = min / sc.div / 1.02, .x1 = max / sc.div * 1.02, .xdiv = sc.div,
		.xlog = max > LOG_RATIO * min, .y1 = 100.5,
	};

	pic_panel(p, &panel);
	rpt_log_tics(p, 'x', &panel);
	panel.x = 512;
	panel.w = 372;
	panel.title = "share of messages of at least that value (%), tail";
	panel.ylog = true;
	panel.y0 = 90.0 / (double)most;
	panel.y1 = 110;
	pic_panel(p, &panel);
	rpt_log_tics(p, 'x', &panel);
}

/* Value, share up to it, share of at least that. */
static void put_data(struct pic *p, const struct rpt_algo *a, const struct rpt_series *s)
{
	struct pic_look look = {
		.rgb = a->style.rgb, .dash = a->style.dash, .point = a->style.point,
	};
	size_t i;

	pic_block(p, a->cc, (const char *)NULL);
	pic_look(p, &look);
	for (i = 0; i < s->n; i++)
		pic_row(p, 3, s->v[i], 100.0 * (double)(i + 1) / (double)s->n,
			100.0 * (double)(s->n - i) / (double)s->n);
}

/**
 * rpt_plot_program_latency() - a picture of what perftest has measured under each algorithm
 * @r: the report
 * @s: scenario
 */
void rpt_plot_program_latency(struct rpt *r, const struct rpt_scenario *s)
{
	struct rpt_series *v = xcalloc(s->nr_algos, sizeof(*v));
	double min = HUGE_VAL, max = 0;
	size_t i, most = 0;
	struct pic p;

	for (i = 0; i < s->nr_algos; i++) {
		read_latency(r, &s->algos[i], &v[i]);
		if (!v[i].n)
			continue;
		min = fmin(min, v[i].v[0]);
		max = fmax(max, v[i].v[v[i].n - 1]);
		most = v[i].n > most ? v[i].n : most;
	}
	if (most && pic_open(r, &p, s, NULL, P_PROGRAM_LATENCY, HEIGHT)) {
		pic_algos(&p, s);
		put_panels(&p, min, max, most);
		for (i = 0; i < s->nr_algos; i++)
			if (v[i].n)
				put_data(&p, &s->algos[i], &v[i]);
		pic_close(&p, "Latency as perftest tells it, all programs and seeds together. Left: share of the messages that needed no more; right: share that needed at least so much.");
	}
	for (i = 0; i < s->nr_algos; i++)
		rpt_series_free(&v[i]);
	free(v);
}
