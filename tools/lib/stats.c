// SPDX-License-Identifier: GPL-2.0
/* Percentiles, medians and extremes: one definition of each for all tools. */
#include <math.h>
#include <stdlib.h>

#include "stats.h"

int stats_cmp_i64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int stats_cmp_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/**
 * percentile_rank() - nearest rank
 * @n: how many values
 * @p: 0..100
 *
 * Return: rank, from 1, of the smallest value that at least p percent do not exceed.
 */
size_t percentile_rank(size_t n, double p)
{
	size_t rank = (size_t)(p * n / 100);

	if ((double)rank * 100 < p * n)
		rank++;
	return rank < 1 ? 1 : rank;
}

/**
 * percentile() - nearest rank
 * @sorted: values in ascending order
 * @n: how many
 * @p: 0..100
 *
 * Return: the smallest value that at least p percent do not exceed; 0 if n is 0.
 */
int64_t percentile(const int64_t *sorted, size_t n, double p)
{
	return n ? sorted[percentile_rank(n, p) - 1] : 0;
}

/**
 * stats_of() - figures of whole numbers
 * @v: them; sorted here
 * @n: how many
 *
 * Return: the figures, 0 without numbers.
 */
struct stats stats_of(int64_t *v, size_t n)
{
	struct stats st = { .n = n };
	double sum = 0;
	size_t i;

	if (!n)
		return st;
	qsort(v, n, sizeof(*v), stats_cmp_i64);
	for (i = 0; i < n; i++)
		sum += v[i];
	st.mean = sum / n;
	st.min = v[0];
	st.p50 = percentile(v, n, 50);
	st.p95 = percentile(v, n, 95);
	st.p99 = percentile(v, n, 99);
	st.p999 = percentile(v, n, 99.9);
	st.max = v[n - 1];
	return st;
}

/**
 * stats_spread_of() - median and extremes
 * @v: numbers; sorted here
 * @n: how many
 *
 * Return: the figures, NAN without numbers.
 */
struct stats_spread stats_spread_of(double *v, size_t n)
{
	struct stats_spread s = { .n = n, .median = NAN, .min = NAN, .max = NAN };

	if (!n)
		return s;
	qsort(v, n, sizeof(*v), stats_cmp_double);
	s.median = (v[(n - 1) / 2] + v[n / 2]) / 2;
	s.min = v[0];
	s.max = v[n - 1];
	return s;
}
