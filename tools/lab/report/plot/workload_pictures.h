/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab report: pictures of runs under a workload, and their flows in bins of size. The flows of
 * all seeds of an algorithm count together; each seed alone gives the spread.
 */
#ifndef LAB_REPORT_PLOT_WORKLOAD_PICTURES_H
#define LAB_REPORT_PLOT_WORKLOAD_PICTURES_H

#include "results/flow_figures.h"
#include "report/report.h"

enum rpt_percentile { RPT_P50, RPT_P95, RPT_P99, RPT_PCTS };

/* Slowdowns of one algorithm in one bin of sizes. */
struct rpt_size_bin {
	struct slowdown_stats st;		/* all seeds */
	double lo[RPT_PCTS], hi[RPT_PCTS];	/* over the seeds */
};

struct rpt_sizes_algo {
	const struct rpt_algo *a;
	struct loaded_flows *seed;
	size_t n_seeds, rows;
	int64_t of;				/* flows that there were; @rows: all are known */
	struct rpt_size_bin *bin;		/* by size, as many as the scenario has */
};

/* One scenario, or one point of a sweep. */
struct rpt_sizes {
	const struct rpt_scenario *s;
	struct rpt_sizes_algo *algo;
	size_t n;
	struct slowdown_bin *edge;		/* of the sizes, common to all algorithms */
	double *at;				/* share of the flows up to a bin's middle */
	double *end;				/* and up to its end */
	size_t n_bins;
};

/* A value of a swept key. */
struct rpt_swept_value {
	const struct rpt_scenario *s;
	char *text;				/* as it was given */
	double x;
};

/* Points of a sweep that differ in one key. */
struct rpt_swept {
	const char *scenario, *key;
	char *rest;				/* KEY=VALUE,... that they have in common */
	struct rpt_swept_value *place;		/* by value */
	size_t n;
	struct rpt_algo *algo;			/* names and styles, each once */
	size_t n_algos;
};

double rpt_percentile(const struct slowdown_stats *st, enum rpt_percentile p);
void rpt_sizes_read(struct rpt *r, const struct rpt_scenario *s, struct rpt_sizes *f);
void rpt_sizes_free(struct rpt_sizes *f);
struct flow_set rpt_sizes_pooled(const struct rpt_sizes_algo *a);
char *rpt_sizes_sample(const struct rpt_sizes *f);

/* report/plot/picture_table_csv_json.c: what a picture shows, beside it */
FILE *rpt_table_begin(struct rpt *r, const char *base, const char *heading);
void rpt_table_end(struct rpt *r, FILE *f, const char *base);

/* report/plot/slowdown_by_size.c */
void rpt_plot_slowdowns(struct rpt *r, const struct rpt_sizes *f, size_t n);

/* report/plot/log_axis_tics.c */
void rpt_log_tics(struct pic *p, char axis, const struct pic_panel *panel);

#endif /* LAB_REPORT_PLOT_WORKLOAD_PICTURES_H */
