/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of "lab report"; nothing else includes it. */
#ifndef LAB_REPORT_REPORT_H
#define LAB_REPORT_REPORT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <json-c/json.h>

#include "lib/csv.h"
#include "lib/json.h"
#include "lib/mem.h"
#include "lib/stats.h"

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
	RPT_M_FCT_MEAN,
	RPT_M_MEASURED,
	RPT_M_OFFERED,
	RPT_M_CARRIED,
	RPT_M_ALL_P50,
	RPT_M_ALL_P99,
	RPT_M_SHORT_P99,
	RPT_M_LONG_P99,
	RPT_M_RTT_P50,
	RPT_M_RTT_P99,
	RPT_M_RTT_MAX,
	RPT_M_RTT_MODEL,
	RPT_M_RETRANS,
	RPT_M_TIMEOUTS,
	RPT_M_PAUSES,
	RPT_M_PAUSE_NS,
	RPT_M_PAUSE_RATIO,
	RPT_M_STORMS,
	RPT_M_HEADROOM_USED,
	RPT_M_HEADROOM,
	RPT_M_HEADROOM_RATIO,
	RPT_M_DROPS_ALL,
	RPT_M_DROPS_LIMIT,
	RPT_M_DROPS_PORT,
	RPT_M_DROPS_BUFFER,
	RPT_M_DROPS_HEADROOM,
	RPT_M_DROPS_WATCHDOG,
	RPT_M_DROPS_NOT_ECT,
	RPT_M_DROPS_FEATURE,
	RPT_M_DROPS_OTHER,
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
 * struct rpt_style - how an algorithm or variant looks in every picture
 * @rgb: colour
 * @dash: number of a dash type (gp/common.gp), a second cue beside the colour
 * @point: gnuplot point type, filled; one less is the same one hollow
 */
struct rpt_style {
	unsigned int rgb;
	int dash;
	int point;
};

struct pic;
struct pic_panel;

struct rpt_run {
	char *dir;			/* as given: DIR/.../seedN */
	unsigned long seed;
	struct json_object *summary;	/* NULL when unreadable */
	struct json_object *info;	/* run.json, NULL when unreadable */
	double m[RPT_M_NR];		/* NAN: absent */
};

struct rpt_algo {
	char *cc;			/* label: NAME[:PARAMETER=VALUE]... */
	struct rpt_style style;
	struct rpt_run *runs;		/* by seed, ascending */
	size_t nr_runs;
};

struct rpt_scenario {
	char *name;			/* scenario and point, for people */
	char *scenario;
	char *point;			/* of a sweep: KEY=VALUE,... or "" */
	struct rpt_algo *algos;		/* in palette order */
	size_t nr_algos;
	struct rpt_course *course;	/* of each algorithm, while pictures are made */
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
	const char *over;		/* swept key that --over names; NULL: any */
	const char *out;		/* --out, if given */
	bool no_plots, json, fct, pdf, no_title;
	bool no_gnuplot;		/* told once */
};

/* A sampled quantity over time. */
struct rpt_series {
	double *t, *v;
	size_t n, cap;
};

#define RPT_PRIOS 8

/* A port of summary.json or queues.csv, named NODE-PEER. */
struct rpt_port {
	char *name, *node, *peer;
	struct rpt_series q;		/* wire bytes, all priorities */
	bool sampled;			/* else nothing is known of @q over time */
	struct rpt_series pause[RPT_PRIOS]; /* ns paused since 0, cumulated */
	double bytes[RPT_PRIOS];	/* while reading: of the last row */
	bool paused[RPT_PRIOS];		/* the same */
	double peak;			/* of @q, bytes */
	double seen_ns;			/* paused, by the samples */
	double pause_ns;		/* paused, exact; NAN: not known */
	double rate_bps, busy_ns;	/* NAN: not known */
};

struct rpt_ports {
	struct rpt_port *port;		/* by name */
	size_t n, last;
	char *bottleneck;		/* a name, or NULL */
	double step_ns;			/* between samples; 0: not known */
	double t1;			/* the last row's time, or the run's end */
	bool exact;			/* there is pauses.csv */
	bool rows;			/* queues.csv was read */
};

enum rpt_quantity {
	RPT_Q_GOODPUT,
	RPT_Q_RATE,
	RPT_Q_WINDOW,
	RPT_Q_RATES,			/* so many are in rates.csv */
	RPT_Q_SIGNAL = RPT_Q_RATES,	/* from state.csv, see report/plot/rate_and_cc_signal.c */
	RPT_Q_NR,
};

struct rpt_flow {
	long id;
	struct rpt_series s[RPT_Q_NR];
};

/* The flows of one run in rates.csv, by id. */
struct rpt_flows {
	const struct rpt_algo *algo;
	struct rpt_flow *flow;
	size_t n, last;
};

/* The bins of one panel: each flow's, one flow after the other. */
struct rpt_binned {
	double *v;
	int nbins;
	bool course;			/* there is something to show */
	double max;
	double high;			/* most values are below */
};

/* A flow of flows.csv, its group from summary.json. */
struct rpt_end {
	long id;
	char *src, *dst, *group;	/* group: "" if it has none */
	double bytes, start_ns, fct_ns, ideal_ns;	/* NAN: not known */
};

struct rpt_ends {
	struct rpt_end *end;
	size_t n;
};

#define RPT_SIGNAL_LINES 2

/* A variable of state.csv that an algorithm goes by, as it declares it. */
struct rpt_signal {
	const char *var, *name, *note;
	enum rpt_unit unit;
	double div;
	const char *line[RPT_SIGNAL_LINES];	/* parameters */
	const char *rtt_unit;		/* parameter: base RTT for which they hold */
};

/* What one run shows over time: that of the lowest seed. */
struct rpt_course {
	const struct rpt_algo *algo;
	const struct rpt_run *run;
	struct rpt_ports ports;
	struct rpt_flows flows;
	struct rpt_ends ends;
	bool pauses;			/* some port was paused */
	const struct rpt_signal *signal; /* NULL: none is known */
	bool constant;			/* which has one value all the time */
	struct rpt_signal declared;	/* texts are the run's */
};

/* report/model/read_result_dirs.c */
void rpt_warn(struct rpt *r, const char *fmt, ...) __attribute__
	((format(printf, 2, 3)));
int rpt_scan(struct rpt *r);
void rpt_free(struct rpt *r);
double rpt_json_double(struct json_object *o, const char *path);
struct json_object *rpt_setting(const struct rpt_run *run, const char *key);
double rpt_setting_num(const struct rpt_run *run, const char *key);

/* report/model/text_storage.c */
char *rpt_text(const char *fmt, ...) LIB_PRINTF(1, 2);
char *rpt_vtext(const char *fmt, va_list ap);
void rpt_texts_free(void);

/* report/model/algorithm_style.c */
bool rpt_is_algo(const struct rpt_algo *a, const char *name);
int rpt_cmp_algo(const void *pa, const void *pb);
void rpt_styles(struct rpt *r);
unsigned int rpt_mix(unsigned int rgb, unsigned int with, double share);
int rpt_dash(size_t i);
size_t rpt_longest_name(const struct rpt_scenario *s);

/* report/model/report_metrics.c */
struct rpt_interval {
	double lo, hi;
};

struct stats_spread rpt_aggregate(const struct rpt_algo *a, enum rpt_metric_id m);
struct rpt_interval rpt_interval(const struct stats_spread *g);

/* report/model/csv.c */
bool rpt_csv_open(struct rpt *r, struct csv *c, const struct rpt_run *run, const char *file,
		  const char *want);
bool rpt_run_has(const struct rpt_run *run, const char *file);
bool rpt_csv_next(struct csv *c);
void rpt_csv_close(struct rpt *r, struct csv *c);
void rpt_series_add(struct rpt_series *s, double t, double v);
void rpt_series_free(struct rpt_series *s);

/* report/model/units.c */
struct rpt_scale {
	double div;
	const char *name;
};

struct rpt_scale rpt_scale_of(enum rpt_unit unit, double max);
char *rpt_axis(const char *what, struct rpt_scale sc);
void rpt_fmt(char *buf, size_t len, enum rpt_unit unit, struct rpt_scale sc, double v);
void rpt_fmt_auto(char *buf, size_t len, enum rpt_unit unit, double v);
double rpt_parse_quantity(const char *s);

/* report/page/comparison_tables.c */
struct rpt_column {
	enum rpt_metric_id id;
	struct rpt_scale scale;
};

size_t rpt_columns(const struct rpt_scenario *s, struct rpt_column *cols);
size_t rpt_seed_count(const struct rpt_scenario *s);
void rpt_cell(char *buf, size_t len, const struct rpt_algo *a, const struct rpt_column *col,
	      bool mean);
void rpt_algo_status(char *buf, size_t len, const struct rpt_algo *a);
void rpt_print_tables(const struct rpt *r, FILE *out);
void rpt_print_json(const struct rpt *r, FILE *out);

/* report/model/port_queues_and_pauses.c */
void rpt_ports_read(struct rpt *r, const struct rpt_run *run, struct rpt_ports *ps);
void rpt_ports_free(struct rpt_ports *ps);
double rpt_paused_until(const struct rpt_series *s, double t, size_t *hint);
double rpt_port_share(const struct rpt_port *p, double from, double to);
struct rpt_port *rpt_port_find(const struct rpt_ports *ps, const char *name);
bool rpt_port_paused(const struct rpt_port *p);
double rpt_port_pause_ns(const struct rpt_port *p);

/* report/model/flow_ends_and_groups.c */
void rpt_ends_read(struct rpt *r, const struct rpt_run *run, struct rpt_ends *es);
void rpt_ends_free(struct rpt_ends *es);
const struct rpt_end *rpt_end_of(const struct rpt_ends *es, long id);
bool rpt_is_host(const struct rpt_ends *es, const char *node);

#define RPT_VICTIM "victim"	/* group of the flows that suffer */

/* Curves for people: a flow each, or the sum of a group of flows. */
struct rpt_groups {
	struct rpt_flows fs;		/* goodput only */
	char **label;
	bool *victim;
};

size_t rpt_flows_sum(const struct rpt_flows *fs, const bool *member, struct rpt_series *out);
void rpt_groups_make(const struct rpt_course *c, struct rpt_groups *g);
void rpt_groups_free(struct rpt_groups *g);

/* report/model/topology_paths.c */
#define RPT_FAR 1000000		/* hops; not reached */
#define RPT_PATH 64		/* most nodes of a way */

struct rpt_graph {
	const char **node;
	size_t n, edges;
	size_t *from, *to;		/* by edge */
};

void rpt_graph_make(const struct rpt_ports *ps, struct rpt_graph *g);
void rpt_graph_free(struct rpt_graph *g);
int *rpt_graph_hops(const struct rpt_graph *g, const char *name);
int rpt_graph_hops_to(const struct rpt_graph *g, const int *hops, const char *name);
size_t rpt_graph_path(const struct rpt_graph *g, const char *src,
		      const char *dst, const char **path);
const struct rpt_port *rpt_root_port(const struct rpt_ports *ps, const struct rpt_port *start);
const struct rpt_port *rpt_main_root(const struct rpt_ports *ps);

/* report/plot/pause_bars.c: pauses as bars */
#define RPT_STRIPS 12		/* more: grouped by who pauses them */
#define RPT_STRIP_BINS 500

struct rpt_strip {
	char *label;
	const struct rpt_port *first;
	size_t nports;
	bool shared;			/* by the ports that one node pauses */
	double total_ns;		/* sum of its ports */
	double seen_ns;			/* thereof in @share */
	int hops;			/* from the root of the pauses */
	double share[RPT_STRIP_BINS];	/* of a bin, mean of its ports */
	bool strong;			/* emphasized */
};

struct rpt_strips {
	struct rpt_strip *strip;
	size_t n;
	double t1, run_ns;		/* end of the axis, of the run */
};

typedef bool (*rpt_port_filter)(const struct rpt_port *p, const void *arg);

void rpt_strips_make(const struct rpt_course *c, double t1, rpt_port_filter want, const void *arg,
		     struct rpt_strips *ss);
void rpt_strips_free(struct rpt_strips *ss);
void rpt_strip_data(struct pic *p, const struct rpt_strips *ss, const struct rpt_strip *st);
int rpt_strips_height(const struct rpt_strips *ss);
int rpt_strips_left(const struct rpt_strips *ss);
char *rpt_strips_caption(const struct rpt_course *c, const struct rpt_strips *ss);

/* report/model/timeline_events.c */
struct rpt_event {
	double at_ns;
	const char *what;
};

size_t rpt_events(const struct rpt_run *run, struct rpt_event **events);

/* report/plot/stacked_panels.c: panels one below the other with one time axis */
#define RPT_STACK_GAP 40	/* below a panel, pixels */
#define RPT_STACK_LEFT 128	/* most of a margin in a narrow picture */
#define RPT_STACK_RIGHT 152

struct rpt_stack {
	struct pic *p;
	int height, left, right;	/* pixels: picture, margins */
	int y;				/* top of the next panel */
	int panel;			/* height of the present one */
	unsigned int rgb;		/* the algorithm's */
	const char *cc;			/* its name */
	double t1;			/* end of the time axis, ns */
	struct rpt_scale ts;
	const char *xlabel;		/* NULL: time in @ts */
};

struct rpt_label {
	char *text;
	double y;			/* 0..1 of the panel */
	unsigned int rgb;
	int dash;			/* 0: no sample of the line */
};

/* What a colour means. */
struct rpt_swatch {
	const char *text;
	unsigned int rgb;
};

void rpt_stack_begin(struct rpt_stack *st, const struct rpt_course *c, double t1);
void rpt_stack_panel(struct rpt_stack *st, struct pic_panel *panel, bool last);
void rpt_stack_strips(struct rpt_stack *st, const struct rpt_strips *ss, bool last);

/* report/model/victim.c: a flow that waits for a port it does not use */
struct rpt_victim {
	const struct rpt_course *c;
	const struct rpt_end *e;
	const char *path[RPT_PATH];	/* nodes of its way */
	size_t n;
	const char *tail[RPT_PATH];	/* from a node of the way to the root */
	size_t ntail, fork;		/* path[fork] = tail[0] */
	const struct rpt_port *paused;	/* of its ports, that paused longest */
	const struct rpt_port *root;	/* whose queue makes it wait */
	const struct rpt_port *access;	/* to its receiver; may be NULL */
	const struct rpt_port *spread;	/* whose pauses bound the window */
	double from, to;		/* window, ns */
	double before, during;		/* goodput, bit/s; before: may be NAN */
	double alone;			/* the same on an idle path; NAN: unknown */
	double line;			/* goodput that @access can carry; or NAN */
	double idle;			/* share of @from..@to; NAN: unknown */
	size_t ncrowd;			/* flows through the root */
	struct rpt_flows fs;		/* 0: to its receiver, 1: the crowd's */
};

bool rpt_victim_find(const struct rpt_course *c, struct rpt_victim *v);
void rpt_victim_free(struct rpt_victim *v);
bool rpt_victim_port(const struct rpt_port *p, const void *victim);
bool rpt_on_path(const char *const *path, size_t n, const struct rpt_port *p);

/* report/plot/victim_path_sketch.c */
#define RPT_SKETCH_PX 142

void rpt_sketch(struct rpt_stack *st, const struct rpt_victim *v);

/* report/plot/stacked_panels.c */
unsigned int rpt_shade(unsigned int rgb, size_t i, size_t n);
double rpt_round3(double v);

/* report/plot/run_gnuplot.c, report/plot/make_all_pictures.c, report/plot/fct_distribution.c */
#define RPT_WIDTH_PX 900	/* of pictures, and how much that is in print */
#define RPT_WIDTH_IN 7
#define RPT_NARROW_PX 640	/* less wide: panels stand one below the other */

int rpt_width(void);
bool rpt_narrow(void);
void rpt_set_width(int px);

void rpt_plot_draw(struct rpt *r, const char *base, const char *scenario, const char *title,
		   const char *caption);
void rpt_plot_text(FILE *f, const char *s);
char *rpt_axis_end(const struct rpt_course *c, const double *end, size_t n, double *t1);
void rpt_plots(struct rpt *r);

/* report/plot/workload_pictures.c: runs under a workload */
bool rpt_is_traffic(const struct rpt_scenario *s);
void rpt_plot_traffic(struct rpt *r);

/*
 * report/model/sweep_points.c, report/plot/figures_over_swept_key.c: figures over the values of a
 * swept key
 */
struct rpt_swept;
void rpt_swept_each(struct rpt *r, void (*fn)(struct rpt *r, const struct rpt_swept *w));
int rpt_over_check(const struct rpt *r);
void rpt_plot_swept(struct rpt *r);

/* report/plot/rate_and_cc_signal.c */
/* A quantity of all flows in one panel. */
struct rpt_half {
	const char *name, *note, *what;
	enum rpt_unit unit;
	struct rpt_binned bin;
	struct rpt_scale scale;
	double bottom, top;		/* of the axis */
	bool cut;			/* rare peaks are beyond it */
	bool log;
};

void rpt_half_make(struct rpt_half *h, const struct rpt_course *c, enum rpt_quantity k, double t1);
void rpt_half_axis(struct rpt_half *h, const struct rpt_course *c, const struct rpt_signal *sig);
double rpt_half_y(const struct rpt_half *h, double v);
enum rpt_quantity rpt_decides(const struct rpt_course *c);
double rpt_signal_line(const struct rpt_run *run, const struct rpt_signal *sig, size_t i);

/* report/plot/mercury.c: states of ports */
struct rpt_state_row {
	char *port;
	struct rpt_series s;		/* index of a state, from then on */
	double doubt;			/* how long it was not Determined, ns */
};

struct rpt_states {
	struct rpt_state_row *row;
	size_t n, shown, left_out;	/* the first @shown have a row */
};

void rpt_states_read(struct rpt *r, const struct rpt_course *c, struct rpt_states *ss);
void rpt_states_free(struct rpt_states *ss);
int rpt_states_height(const struct rpt_states *ss);
void rpt_states_panel(struct rpt_stack *st, const struct rpt_states *ss);

/* report/plot/flow_rates_and_windows.c */
#define RPT_BINS 300		/* over a panel's width */
#define RPT_LINES 8		/* more flows: a band, or a line a group */

int rpt_grid_height(size_t n);
void rpt_grid_place(struct pic_panel *panel, size_t i, size_t n, const char *xl, const char *yl);
void rpt_grid_name(struct pic_panel *panel, const struct rpt_algo *a);
void rpt_rates_read(struct rpt *r, const struct rpt_run *run, struct rpt_flows *fs);
void rpt_flows_free(struct rpt_flows *fs);
void rpt_bin_panel(const struct rpt_flows *fs, enum rpt_quantity k, double t1,
		   struct rpt_binned *b);
unsigned int rpt_flow_shade(unsigned int rgb, size_t i, size_t n);
void rpt_put_line(struct pic *p, const struct rpt_binned *bin, size_t i, double dt);
void rpt_put_flows(struct pic *p, const char *what, const struct rpt_flows *fs,
		   const struct rpt_binned *bin, double t1, bool named);

/* report/plot/bottleneck_queue.c */
void rpt_series_put(struct pic *p, const struct rpt_series *s, double t1);
bool rpt_series_dense(const struct rpt_series *s);

/* report/page/rerun_command.c */
char *rpt_command(const struct rpt_scenario *s, const struct rpt_algo *a,
		  const struct rpt_run *run);

/* report/page/html.c, report/page/html_ports.c */
void rpt_esc(FILE *f, const char *s);
void rpt_html_cc(FILE *f, const struct rpt_algo *a);
int rpt_html_ports(FILE *f, const struct rpt_scenario *s);
int rpt_write_html(struct rpt *r);

/* report/page/simulator_files.c */
int rpt_write_simulator_files(struct rpt *r);

#endif
