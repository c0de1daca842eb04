/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: figures of many flows: slowdown by size, distributions, tables of them. Flows are those
 * of a run or are read from result directories.
 */
#ifndef LAB_RESULTS_FLOW_FIGURES_H
#define LAB_RESULTS_FLOW_FIGURES_H

#include "lab.h"

#define SLOWDOWN_BINS	20		/* of equal counts: each 5 % of the flows */
#define SLOWDOWN_BINS_MAX	1000
#define SLOWDOWN_DECADES	17	/* up to 1000 bytes, 10^4, ... 10^18, all above */
#define SHORT_FLOW_BYTES	10000	/* flows up to this are short */
#define LONG_FLOW_BYTES	1000000		/* flows above this are long */
#define ALL_GROUPS		(-1)	/* instead of a group: all flows */

/* Rows of a distribution: 1000 quantiles, 27 more at its upper end, the minimum. */
#define DISTRIBUTION_ROWS	(1 + 1000 + 3 * 9)

/* What the figures need to know of a flow. */
struct flow_outcome {
	int64_t bytes, start_ns, fct_ns, ideal_ns;
	int group;			/* index of the set's groups */
	bool done;
	bool stopped;			/* as was planned: it counts neither way */
};

/* Flows, wherever they are kept, and which of them count. */
struct flow_set {
	size_t n;
	void (*get)(const void *ctx, size_t i, struct flow_outcome *f);
	const void *ctx;
	char *const *groups;		/* names; NULL: flows without a group */
	int n_groups;
	int64_t from_ns, to_ns;		/* those that start at or after, and before */
	int bins;			/* of equal counts */
};

/* Size of a flow, and its slowdown in parts per million. */
struct slowdown_point {
	int64_t bytes, ppm;
};

struct slowdown_stats {
	size_t flows;
	double mean, p50, p95, p99, p999, max;
};

/* Of fewer flows the 99th percentile is the largest, so figures of a bin are marked. */
#define SLOWDOWN_FEW	100

static inline bool slowdown_few(const struct slowdown_stats *st)
{
	return st->flows && st->flows < SLOWDOWN_FEW;
}

struct slowdown_bin {
	int64_t from_bytes, to_bytes;	/* both belong to it */
	struct slowdown_stats st;
};

struct distribution_row {
	int64_t value;
	double cum;			/* share of the values that do not exceed it */
};

/* results/slowdown_by_size.c */
bool flow_set_measured(const struct flow_set *s, const struct flow_outcome *f);
bool flow_set_counts(const struct flow_set *s, const struct flow_outcome *f, int group);
bool *flow_set_groups_used(const struct flow_set *s);
int64_t slowdown_ppm(const struct flow_outcome *f);
size_t slowdown_points(const struct flow_set *s, int group, struct slowdown_point **pts);
struct slowdown_stats slowdown_stats(struct slowdown_point *pts, size_t n);
size_t slowdown_count_bins(struct slowdown_point *pts, size_t n, int bins,
			   struct slowdown_bin *out);
size_t slowdown_decades(struct slowdown_point *pts, size_t n, struct slowdown_bin *out);

/* results/distribution_points.c */
size_t distribution_rows(const int64_t *sorted, size_t n, struct distribution_row *rows);
size_t distribution_values(const struct flow_set *s, int group, bool slowdown, int64_t **out);

/* results/fct_size_and_cdf_csv.c */
const char *flow_set_group_name(const struct flow_set *s, int group);
int flow_set_write_csv(const struct flow_set *s, const char *dir, struct json_object **bins);
struct json_object *flow_set_measured_json(const struct flow_set *s);

/* results/read_flows_of_seeds.c: flows of result directories */
struct loaded_flows {
	struct flow_outcome *flow;
	size_t n, size;
	char **groups;			/* the first is NULL */
	int n_groups;
	int64_t from_ns, to_ns;		/* as the runs have it */
	int64_t of;			/* so many flows there were; @n: all are there */
};

int loaded_flows_read(struct loaded_flows *l, const char *dir);
void loaded_flows_free(struct loaded_flows *l);
struct flow_set loaded_flows_set(const struct loaded_flows *l);

/* results/recompute_flow_figures.c: of which flows, and where to */
struct recompute_figures {
	int64_t from_ns, to_ns;		/* negative: as the runs have it */
	uint64_t bins;			/* 0: SLOWDOWN_BINS */
	const char *out;		/* directory for tables; NULL: none */
	bool json;
};

int recompute_figures(const struct recompute_figures *a, char *const *dirs);

#endif /* LAB_RESULTS_FLOW_FIGURES_H */
