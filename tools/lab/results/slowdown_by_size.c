// SPDX-License-Identifier: GPL-2.0
/*
 * lab: slowdown by flow size.
 *
 * Bins of equal counts are what papers show: each holds 5 % of the flows. Flows
 * of one size stay together, in the bin in which the middle one of them falls,
 * so that no bin's figures depend on how equals were ordered; where all sizes
 * differ the counts are equal to one flow. Decades are (10^k, 10^(k+1)] bytes,
 * the first one up to 1000 bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "results/flow_figures.h"
#include "results/results.h"

/**
 * flow_set_measured() - does a flow count
 * @s: set with a window
 * @f: flow
 *
 * Return: true if it starts in the window, and was not stopped as planned.
 */
bool flow_set_measured(const struct flow_set *s, const struct flow_outcome *f)
{
	return f->start_ns >= s->from_ns && f->start_ns < s->to_ns && !f->stopped;
}

/**
 * flow_set_counts() - is a flow in the distributions of a group
 * @s: flows
 * @f: one of them
 * @group: index, or ALL_GROUPS
 *
 * Return: true if it was measured and completed.
 */
bool flow_set_counts(const struct flow_set *s, const struct flow_outcome *f, int group)
{
	return f->done && flow_set_measured(s, f) && (group == ALL_GROUPS || f->group == group);
}

/**
 * flow_set_groups_used() - which groups are worth figures of their own
 * @s: flows
 *
 * Return: for each group, true if it has a name and some but not all of the flows;
 * to be freed.
 */
bool *flow_set_groups_used(const struct flow_set *s)
{
	bool *used = xcalloc(s->n_groups + 1, sizeof(*used));
	size_t *count = xcalloc(s->n_groups + 1, sizeof(*count)), i;
	struct flow_outcome f;
	int g;

	for (i = 0; i < s->n; i++) {
		s->get(s->ctx, i, &f);
		count[f.group]++;
	}
	for (g = 0; g < s->n_groups; g++)
		used[g] = s->groups[g] && count[g] && count[g] < s->n;
	free(count);
	return used;
}

/**
 * slowdown_ppm() - slowdown of a flow
 * @f: flow that is done and has an ideal time
 *
 * Return: parts per million.
 */
int64_t slowdown_ppm(const struct flow_outcome *f)
{
	return (int64_t)(f->fct_ns * 1e6 / f->ideal_ns + 0.5);
}

static int cmp_size(const void *a, const void *b)
{
	const struct slowdown_point *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	return (x->ppm > y->ppm) - (x->ppm < y->ppm);
}

static int cmp_ppm(const void *a, const void *b)
{
	const struct slowdown_point *x = a, *y = b;

	return (x->ppm > y->ppm) - (x->ppm < y->ppm);
}

/**
 * slowdown_points() - size and slowdown of the flows that were measured and completed
 * @s: flows
 * @group: index, or ALL_GROUPS
 * @pts: receives them by size; to be freed
 *
 * Return: how many.
 */
size_t slowdown_points(const struct flow_set *s, int group, struct slowdown_point **pts)
{
	struct flow_outcome f;
	size_t i, n = 0;
	int pass;

	*pts = NULL;
	/* Counted first: a million flows must not cost twice their room. */
	for (pass = 0; pass < 2; pass++) {
		if (pass)
			*pts = xcalloc(n ? n : 1, sizeof(**pts));
		for (i = 0, n = 0; i < s->n; i++) {
			s->get(s->ctx, i, &f);
			if (!flow_set_counts(s, &f, group) || !f.ideal_ns)
				continue;
			if (pass)
				(*pts)[n] = (struct slowdown_point){ f.bytes, slowdown_ppm(&f) };
			n++;
		}
	}
	qsort(*pts, n, sizeof(**pts), cmp_size);
	return n;
}

static double at_percent(const struct slowdown_point *pts, size_t n, double p)
{
	return pts[percentile_rank(n, p) - 1].ppm / 1e6;
}

/**
 * slowdown_stats() - figures of some flows' slowdowns
 * @pts: the flows; are sorted by slowdown
 * @n: how many
 *
 * Return: figures; zeros without flows.
 */
struct slowdown_stats slowdown_stats(struct slowdown_point *pts, size_t n)
{
	struct slowdown_stats st = { .flows = n };
	double sum = 0;
	size_t i;

	if (!n)
		return st;
	qsort(pts, n, sizeof(*pts), cmp_ppm);
	for (i = 0; i < n; i++)
		sum += pts[i].ppm;
	st.mean = sum / n / 1e6;
	st.p50 = at_percent(pts, n, 50);
	st.p95 = at_percent(pts, n, 95);
	st.p99 = at_percent(pts, n, 99);
	st.p999 = at_percent(pts, n, 99.9);
	st.max = pts[n - 1].ppm / 1e6;
	return st;
}

/* Flows of the size of the first one. */
static size_t same_size(const struct slowdown_point *pts, size_t n)
{
	size_t k = 1;

	while (k < n && pts[k].bytes == pts[0].bytes)
		k++;
	return k;
}

/**
 * slowdown_count_bins() - bins with about the same number of flows
 * @pts: flows by size; their order is lost
 * @n: how many
 * @bins: how many bins
 * @out: receives those that are not empty
 *
 * Return: how many these are.
 */
size_t slowdown_count_bins(struct slowdown_point *pts, size_t n, int bins, struct slowdown_bin *out)
{
	size_t i, from = 0, k, used = 0;
	int bin = -1, b;

	for (i = 0; i <= n; i += k) {
		k = i < n ? same_size(pts + i, n - i) : 1;
		/* Twice the middle of the flows i to i + k - 1, which counts from 1/2. */
		b = i < n ? (int)((2 * i + k) * bins / (2 * n)) : bins;
		if (b != bin && i > from) {
			out[used] = (struct slowdown_bin){
				.from_bytes = pts[from].bytes, .to_bytes = pts[i - 1].bytes,
			};
			out[used++].st = slowdown_stats(pts + from, i - from);
			from = i;
		}
		bin = b;
	}
	return used;
}

/**
 * slowdown_decades() - bins by powers of ten
 * @pts: flows by size; their order is lost
 * @n: how many
 * @out: receives those that are not empty; room for SLOWDOWN_DECADES
 *
 * Return: how many these are.
 */
size_t slowdown_decades(struct slowdown_point *pts, size_t n, struct slowdown_bin *out)
{
	int64_t from = 1, to = 1000;
	size_t i = 0, k, used = 0;

	while (i < n) {
		for (k = i; k < n && pts[k].bytes <= to; k++)
			;
		if (k > i) {
			out[used] = (struct slowdown_bin){ .from_bytes = from, .to_bytes = to };
			out[used++].st = slowdown_stats(pts + i, k - i);
		}
		i = k;
		from = to + 1;
		to = to > INT64_MAX / 10 ? INT64_MAX : to * 10;
	}
	return used;
}
