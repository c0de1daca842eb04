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
 * stats_t95() - the factor of a 95 % confidence interval
 * @n: how many values the mean is of, at least 2
 *
 * With the standard deviation s of few values the mean is within t s / sqrt(n) of the true one
 * in 95 % of the cases, where t is the 0.975 quantile of Student's distribution with n - 1
 * degrees of freedom. The table is that of the NIST/SEMATECH e-Handbook of Statistical Methods,
 * section 1.3.6.7.2. Between its rows the one before counts, which is larger by at most 0.03.
 *
 * Return: t.
 */
double stats_t95(size_t n)
{
	static const double t[] = {
		12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
		2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
	};
	static const size_t rows = sizeof(t) / sizeof(*t);

	if (n - 1 <= rows)
		return t[n - 2];
	return n - 1 < 40 ? t[rows - 1] : n - 1 < 60 ? 2.021 : n - 1 < 100 ? 2.000 : 1.984;
}

/* Of the mean, to both sides. */
static double ci95(const double *v, size_t n, double mean)
{
	double squares = 0;
	size_t i;

	if (n < 2)
		return NAN;
	for (i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	return stats_t95(n) * sqrt(squares / (n - 1) / n);
}

/**
 * stats_spread_of() - median, extremes, mean and its interval
 * @v: numbers; sorted here
 * @n: how many
 *
 * Return: the figures, NAN without numbers.
 */
struct stats_spread stats_spread_of(double *v, size_t n)
{
	struct stats_spread s = {
		.n = n, .median = NAN, .min = NAN, .max = NAN, .mean = NAN, .ci95 = NAN,
	};
	double sum = 0;
	size_t i;

	if (!n)
		return s;
	qsort(v, n, sizeof(*v), stats_cmp_double);
	s.median = (v[(n - 1) / 2] + v[n / 2]) / 2;
	s.min = v[0];
	s.max = v[n - 1];
	for (i = 0; i < n; i++)
		sum += v[i];
	s.mean = sum / n;
	s.ci95 = ci95(v, n, s.mean);
	return s;
}
