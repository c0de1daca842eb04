// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: the flows of runs under a workload, in bins of their sizes.
 *
 * Sizes are cut into the same bins for all algorithms of a scenario, by all their
 * flows: points above each other compare.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot/workload_pictures.h"

double rpt_percentile(const struct slowdown_stats *st, enum rpt_percentile p)
{
	return p == RPT_P50 ? st->p50 : p == RPT_P95 ? st->p95 : st->p99;
}

static void get_pooled(const void *ctx, size_t i, struct flow_outcome *f)
{
	const struct rpt_sizes_algo *a = ctx;
	const struct loaded_flows *l = a->seed;

	while (i >= l->n)
		i -= l++->n;
	*f = l->flow[i];
	/* Each run has a window of its own: what it leaves out is out. */
	if (f->start_ns < l->from_ns || f->start_ns >= l->to_ns)
		f->done = false;
	f->start_ns = 0;
	f->group = 0;
}

/**
 * rpt_sizes_pooled() - flows of all seeds together
 * @a: algorithm
 *
 * Return: set, of which those flows count that are measured in their run.
 */
struct flow_set rpt_sizes_pooled(const struct rpt_sizes_algo *a)
{
	return (struct flow_set){
		.n = a->rows, .get = get_pooled, .ctx = a, .from_ns = 0, .to_ns = INT64_MAX,
		.bins = SLOWDOWN_BINS,
	};
}

/* loaded_flows_read() says what is wrong with a file; the other runs are reported. */
static void read_algo(struct rpt *r, const struct rpt_algo *a, struct rpt_sizes_algo *fa)
{
	size_t i;

	fa->a = a;
	fa->seed = xreallocarray(NULL, a->nr_runs, sizeof(*fa->seed));
	for (i = 0; i < a->nr_runs; i++) {
		struct loaded_flows *l = &fa->seed[fa->n_seeds];

		memset(l, 0, sizeof(*l));
		if (!js_path(a->runs[i].summary, "measured"))
			continue;
		if (loaded_flows_read(l, a->runs[i].dir)) {
			rpt_warn(r, "%s: its flows are left out", a->runs[i].dir);
			loaded_flows_free(l);
			continue;
		}
		fa->rows += l->n;
		fa->of += l->of;
		fa->n_seeds++;
	}
}

static int cmp_point(const void *a, const void *b)
{
	const struct slowdown_point *x = a, *y = b;

	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Bins over the flows of all algorithms. */
static void make_edges(struct rpt_sizes *f)
{
	struct slowdown_point *all = NULL, *pts;
	size_t i, n = 0, k, sum = 0;

	for (i = 0; i < f->n; i++) {
		struct flow_set s = rpt_sizes_pooled(&f->algo[i]);

		k = slowdown_points(&s, ALL_GROUPS, &pts);
		all = xreallocarray(all, n + k + 1, sizeof(*all));
		memcpy(all + n, pts, k * sizeof(*all));
		n += k;
		free(pts);
	}
	f->edge = xreallocarray(NULL, SLOWDOWN_BINS, sizeof(*f->edge));
	f->at = xreallocarray(NULL, SLOWDOWN_BINS, sizeof(*f->at));
	f->end = xreallocarray(NULL, SLOWDOWN_BINS, sizeof(*f->end));
	if (n)
		qsort(all, n, sizeof(*all), cmp_point);
	f->n_bins = slowdown_count_bins(all, n, SLOWDOWN_BINS, f->edge);
	for (i = 0; i < f->n_bins; i++) {
		f->at[i] = (sum + f->edge[i].st.flows / 2.0) / n;
		sum += f->edge[i].st.flows;
		f->end[i] = (double)sum / n;
	}
	free(all);
}

/* Flows of the bin from @pts on; these are in order of size. */
static size_t in_bin(const struct rpt_sizes *f, size_t bin, const struct slowdown_point *pts,
		     size_t n)
{
	size_t k = 0;

	while (k < n && (pts[k].bytes <= f->edge[bin].to_bytes || bin + 1 == f->n_bins))
		k++;
	return k;
}

static void fill_bins(const struct rpt_sizes *f, struct rpt_sizes_algo *fa)
{
	struct flow_set s = rpt_sizes_pooled(fa);
	size_t i, k, n, from = 0, seed;
	struct slowdown_point *pts;

	fa->bin = xreallocarray(NULL, SLOWDOWN_BINS, sizeof(*fa->bin));
	n = slowdown_points(&s, ALL_GROUPS, &pts);
	for (i = 0; i < f->n_bins; i++, from += k) {
		int p;

		k = in_bin(f, i, pts + from, n - from);
		fa->bin[i].st = slowdown_stats(pts + from, k);
		for (p = 0; p < RPT_PCTS; p++) {
			fa->bin[i].lo[p] = HUGE_VAL;
			fa->bin[i].hi[p] = 0;
		}
	}
	free(pts);
	for (seed = 0; seed < fa->n_seeds; seed++) {
		struct flow_set one = loaded_flows_set(&fa->seed[seed]);

		n = slowdown_points(&one, ALL_GROUPS, &pts);
		for (i = 0, from = 0; i < f->n_bins; i++, from += k) {
			struct slowdown_stats st;
			int p;

			k = in_bin(f, i, pts + from, n - from);
			st = slowdown_stats(pts + from, k);
			for (p = 0; k && p < RPT_PCTS; p++) {
				fa->bin[i].lo[p] = fmin(fa->bin[i].lo[p], rpt_percentile(&st, p));
				fa->bin[i].hi[p] = fmax(fa->bin[i].hi[p], rpt_percentile(&st, p));
			}
		}
		free(pts);
	}
}

/**
 * rpt_sizes_read() - read the flows of a scenario
 * @r: the report, for warnings
 * @s: scenario with a workload
 * @f: receives them; rpt_sizes_free() is due
 */
void rpt_sizes_read(struct rpt *r, const struct rpt_scenario *s, struct rpt_sizes *f)
{
	size_t i;

	*f = (struct rpt_sizes){ .s = s, .n = s->nr_algos };
	f->algo = xreallocarray(NULL, f->n, sizeof(*f->algo));
	memset(f->algo, 0, f->n * sizeof(*f->algo));
	for (i = 0; i < f->n; i++)
		read_algo(r, &s->algos[i], &f->algo[i]);
	make_edges(f);
	for (i = 0; i < f->n; i++)
		fill_bins(f, &f->algo[i]);
}

void rpt_sizes_free(struct rpt_sizes *f)
{
	size_t i, k;

	for (i = 0; i < f->n; i++) {
		for (k = 0; k < f->algo[i].n_seeds; k++)
			loaded_flows_free(&f->algo[i].seed[k]);
		free(f->algo[i].seed);
		free(f->algo[i].bin);
	}
	free(f->algo);
	free(f->edge);
	free(f->at);
	free(f->end);
}

/**
 * rpt_sizes_sample() - for captions: which flows are known
 * @f: figures
 *
 * Return: a sentence, nobody's to free; "" if all flows are in flows.csv.
 */
char *rpt_sizes_sample(const struct rpt_sizes *f)
{
	size_t i, rows = 0;
	int64_t of = 0;

	for (i = 0; i < f->n; i++) {
		rows += f->algo[i].rows;
		of += f->algo[i].of;
	}
	if ((int64_t)rows >= of)
		return rpt_text("%s", "");
	return rpt_text(" flows.csv holds a sample of %zu of %.0f flows: drawn are the sample's figures.",
			 rows, (double)of);
}
