/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: figures of many flows: slowdown by size, distributions, tables of them. Flows are those
 * of a run or are read from result directories.
 */
#ifndef LAB_RESULTS_FLOW_FIGURES_H
#define LAB_RESULTS_FLOW_FIGURES_H

#include "lab.h"

#define FIG_BINS	20		/* of equal counts: each 5 % of the flows */
#define FIG_BINS_MAX	1000
#define FIG_DECADES	17		/* up to 1000 bytes, 10^4, ... 10^18, all above */
#define FIG_SHORT_BYTES	10000		/* flows up to this are short */
#define FIG_LONG_BYTES	1000000		/* flows above this are long */
#define FIG_ALL		(-1)		/* instead of a group: all flows */

/* Rows of a distribution: 1000 quantiles, 27 more at its upper end, the minimum. */
#define FIG_CDF_ROWS	(1 + 1000 + 3 * 9)

/* What the figures need to know of a flow. */
struct fig_flow {
	int64_t bytes, start_ns, fct_ns, ideal_ns;
	int group;			/* index of the set's groups */
	bool done;
	bool stopped;			/* as was planned: it counts neither way */
};

/* Flows, wherever they are kept, and which of them count. */
struct fig_set {
	size_t n;
	void (*get)(const void *ctx, size_t i, struct fig_flow *f);
	const void *ctx;
	char *const *groups;		/* names; NULL: flows without a group */
	int n_groups;
	int64_t from_ns, to_ns;		/* those that start at or after, and before */
	int bins;			/* of equal counts */
};

/* Size of a flow, and its slowdown in parts per million. */
struct fig_point {
	int64_t bytes, ppm;
};

struct fig_stats {
	size_t flows;
	double mean, p50, p95, p99, p999, max;
};

/* Of fewer flows the 99th percentile is the largest, so figures of a bin are marked. */
#define FIG_FEW	100

static inline bool fig_few(const struct fig_stats *st)
{
	return st->flows && st->flows < FIG_FEW;
}

struct fig_bin {
	int64_t from_bytes, to_bytes;	/* both belong to it */
	struct fig_stats st;
};

struct fig_cdf {
	int64_t value;
	double cum;			/* share of the values that do not exceed it */
};

/* results/slowdown_by_size.c */
bool fig_measured(const struct fig_set *s, const struct fig_flow *f);
bool fig_counts(const struct fig_set *s, const struct fig_flow *f, int group);
bool *fig_groups_used(const struct fig_set *s);
int64_t fig_ppm(const struct fig_flow *f);
size_t fig_points(const struct fig_set *s, int group, struct fig_point **pts);
struct fig_stats fig_stats(struct fig_point *pts, size_t n);
size_t fig_count_bins(struct fig_point *pts, size_t n, int bins, struct fig_bin *out);
size_t fig_decades(struct fig_point *pts, size_t n, struct fig_bin *out);

/* results/distribution_points.c */
size_t fig_cdf(const int64_t *sorted, size_t n, struct fig_cdf *rows);
size_t fig_values(const struct fig_set *s, int group, bool slowdown, int64_t **out);

/* results/fct_size_and_cdf_csv.c */
const char *fig_group_name(const struct fig_set *s, int group);
int fig_write(const struct fig_set *s, const char *dir, struct json_object **bins);
struct json_object *fig_measured_json(const struct fig_set *s);

/* results/read_flows_of_seeds.c: flows of result directories */
struct fig_loaded {
	struct fig_flow *flow;
	size_t n, size;
	char **groups;			/* the first is NULL */
	int n_groups;
	int64_t from_ns, to_ns;		/* as the runs have it */
	int64_t of;			/* so many flows there were; @n: all are there */
};

int fig_load(struct fig_loaded *l, const char *dir);
void fig_loaded_free(struct fig_loaded *l);
struct fig_set fig_loaded_set(const struct fig_loaded *l);

/* results/recompute_flow_figures.c: of which flows, and where to */
struct fig_again {
	int64_t from_ns, to_ns;		/* negative: as the runs have it */
	uint64_t bins;			/* 0: FIG_BINS */
	const char *out;		/* directory for tables; NULL: none */
	bool json;
};

int fig_again(const struct fig_again *a, char *const *dirs);

#endif /* LAB_RESULTS_FLOW_FIGURES_H */
