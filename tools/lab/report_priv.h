/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of "lab report"; nothing else includes it. */
#ifndef RXE_CC_LAB_REPORT_PRIV_H
#define RXE_CC_LAB_REPORT_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <json-c/json.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#endif

/* What a figure means; decides scaling and the unit printed beside it. */
enum rpt_unit {
	RPT_BPS,	/* bit/s */
	RPT_NS,		/* nanoseconds */
	RPT_BYTES,
	RPT_COUNT,
	RPT_PERCENT,	/* stored as 0..1, shown as 0..100 */
	RPT_PLAIN,	/* a ratio shown as it is */
};

enum rpt_metric_id {
	RPT_M_GOODPUT,
	RPT_M_UTIL,
	RPT_M_FCT_P50,
	RPT_M_FCT_P99,
	RPT_M_SLOW_P50,
	RPT_M_SLOW_P99,
	RPT_M_Q_MEAN,
	RPT_M_Q_P99,
	RPT_M_Q_MAX,
	RPT_M_MARKS,
	RPT_M_DROPS,
	RPT_M_CNP,
	RPT_M_JAIN,
	RPT_M_RTT_P50,
	RPT_M_RTT_P99,
	RPT_M_RTT_MAX,
	RPT_M_RTT_MODEL,
	RPT_M_RETRANS,
	RPT_M_TIMEOUTS,
	RPT_M_PAUSES,
	RPT_M_PAUSE_RATIO,
	RPT_M_COMPLETED,
	RPT_M_FLOWS,
	RPT_M_ERRORS,
	RPT_M_NR,
};

/**
 * struct rpt_metric - one figure of summary.json
 * @path: members from the top, joined by dots
 * @key: name in the report's JSON
 * @head: two lines of column heading; NULL: not a column
 * @unit: what it counts
 * @quiet: leave the column out when it is zero or absent everywhere
 * @help: one line for the legend
 */
struct rpt_metric {
	const char *path;
	const char *key;
	const char *head[2];
	enum rpt_unit unit;
	bool quiet;
	const char *help;
};

extern const struct rpt_metric rpt_metrics[RPT_M_NR];

/**
 * struct rpt_style - how an algorithm looks in every picture
 * @name: the algorithm, NULL for the spare colours
 * @rgb: colour
 * @dash: gnuplot dash type, a second cue beside the colour
 * @point: gnuplot point type
 */
struct rpt_style {
	const char *name;
	unsigned int rgb;
	int dash;
	int point;
};

const struct rpt_style *rpt_style_of(const char *cc);
unsigned int rpt_style_rank(const char *cc);

struct rpt_run {
	char *dir;			/* as given: DIR/.../seedN */
	unsigned long seed;
	struct json_object *summary;	/* NULL when unreadable */
	struct json_object *info;	/* run.json, NULL when unreadable */
	double m[RPT_M_NR];		/* NAN: absent */
};

struct rpt_algo {
	char *cc;
	struct rpt_run *runs;		/* by seed, ascending */
	size_t nr_runs;
};

struct rpt_scenario {
	char *name;			/* scenario and point, for people */
	char *scenario;
	char *point;			/* of a sweep: KEY=VALUE,... or "" */
	struct rpt_algo *algos;		/* in palette order */
	size_t nr_algos;
};

struct rpt_figure {
	char *scenario;
	char *file;			/* without extension, in outdir */
	char *title;
	char *caption;
};

struct rpt {
	const char *dir;
	char *outdir;
	struct rpt_scenario *scen;
	size_t nr_scen;
	struct rpt_figure *figs;
	size_t nr_figs;
	char **warnings;
	size_t nr_warnings;
	bool no_plots;
	bool no_gnuplot;		/* told once */
};

/* Median, extremes and number of seeds of one metric of one algorithm. */
struct rpt_agg {
	double median, min, max;
	size_t n;
};

/* A sampled quantity over time. */
struct rpt_series {
	double *t, *v;
	size_t n, cap;
};

#define RPT_CSV_COLS 12

struct rpt_csv {
	FILE *f;
	char *path;
	char *line;
	size_t cap;
	unsigned long lineno, bad;
	int map[RPT_CSV_COLS];		/* wanted column -> position */
	int nr;				/* wanted columns */
	char *field[RPT_CSV_COLS];	/* in wanted order, "" if absent */
};

/* report_data.c */
void rpt_warn(struct rpt *r, const char *fmt, ...) __attribute__
	((format(printf, 2, 3)));
void *rpt_realloc(void *p, size_t n, size_t size);
char *rpt_printf(const char *fmt, ...) __attribute__
	((format(printf, 1, 2)));
int rpt_scan(struct rpt *r);
void rpt_free(struct rpt *r);
struct rpt_agg rpt_aggregate(const struct rpt_algo *a, enum rpt_metric_id m);
struct json_object *rpt_get(struct json_object *o, const char *path);
struct json_object *rpt_setting(const struct rpt_run *run, const char *key);
double rpt_setting_num(const struct rpt_run *run, const char *key);

/* report_csv.c */
bool rpt_csv_open(struct rpt *r, struct rpt_csv *c, const struct rpt_run *run,
		  const char *file, const char *const *want, int nr);
bool rpt_csv_next(struct rpt_csv *c);
void rpt_csv_close(struct rpt *r, struct rpt_csv *c);
double rpt_num(const char *s);
void rpt_series_add(struct rpt_series *s, double t, double v);
void rpt_series_free(struct rpt_series *s);

/* report_units.c */
struct rpt_scale {
	double div;
	const char *name;
};

struct rpt_scale rpt_scale_of(enum rpt_unit unit, double max);
void rpt_fmt(char *buf, size_t len, enum rpt_unit unit, struct rpt_scale sc,
	     double v);
void rpt_fmt_auto(char *buf, size_t len, enum rpt_unit unit, double v);
double rpt_parse_quantity(const char *s);

/* report_table.c */
struct rpt_column {
	enum rpt_metric_id id;
	struct rpt_scale scale;
};

size_t rpt_columns(const struct rpt_scenario *s, struct rpt_column *cols);
void rpt_cell(char *buf, size_t len, const struct rpt_algo *a,
	      const struct rpt_column *col, const char *pm);
void rpt_algo_status(char *buf, size_t len, const struct rpt_algo *a);
void rpt_print_tables(const struct rpt *r, FILE *out);
void rpt_print_json(const struct rpt *r, FILE *out);

/* report_plot.c, report_time.c, report_dist.c */
#define RPT_PLOT_WIDTH 900

struct rpt_plot {
	FILE *f;
	char *base;			/* file name without extension */
	char *script;
};

bool rpt_plot_begin(struct rpt *r, struct rpt_plot *p, const char *scenario,
		    const char *kind, int height);
void rpt_plot_end(struct rpt *r, struct rpt_plot *p, const char *scenario,
		  const char *title, const char *caption);
void rpt_plot_text(FILE *f, const char *s);
unsigned int rpt_mix(unsigned int rgb, unsigned int with, double share);
void rpt_plots(struct rpt *r);
void rpt_plot_rates(struct rpt *r, const struct rpt_scenario *s);
void rpt_plot_queue(struct rpt *r, const struct rpt_scenario *s);
void rpt_plot_fct(struct rpt *r, const struct rpt_scenario *s);
void rpt_plot_overview(struct rpt *r, const struct rpt_scenario *s);

/* report_html.c */
int rpt_write_html(struct rpt *r);

#endif
