/* SPDX-License-Identifier: GPL-2.0 */
/* Percentiles, medians and extremes: one definition of each for all tools. */
#ifndef LIB_STATS_H
#define LIB_STATS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct stats - what a table says of many whole numbers
 * @n: how many; with none of them the rest is 0
 * @min: smallest
 * @p50: percentiles by nearest rank
 * @p95: see @p50
 * @p99: see @p50
 * @p999: 99.9 %
 * @max: largest
 * @mean: arithmetic mean
 */
struct stats {
	size_t n;
	int64_t min, p50, p95, p99, p999, max;
	double mean;
};

/**
 * struct stats_spread - what a table says of a figure of several runs
 * @n: how many; with none of them the rest is NAN
 * @median: the middle one, or the mean of the middle two
 * @min: smallest
 * @max: largest
 * @mean: arithmetic mean
 * @ci95: the 95 % confidence interval of the mean reaches so far to both sides; NAN with less than
 *	two of them
 */
struct stats_spread {
	size_t n;
	double median, min, max, mean, ci95;
};

int stats_cmp_i64(const void *a, const void *b);
int stats_cmp_double(const void *a, const void *b);
size_t percentile_rank(size_t n, double p);
int64_t percentile(const int64_t *sorted, size_t n, double p);
struct stats stats_of(int64_t *v, size_t n);
double stats_t95(size_t n);
struct stats_spread stats_spread_of(double *v, size_t n);

#endif /* LIB_STATS_H */
