// SPDX-License-Identifier: GPL-2.0
/* Medians and their confidence intervals. */
#include "../lib/stats.h"
#include "bench.h"

/* Sorts @v. */
double bench_median(double *v, size_t n)
{
	return stats_spread_of(v, n).median;
}

/**
 * bench_ratio_of() - median of pairs' ratios with its confidence interval
 * @v: the ratios, sorted here
 * @n: how many
 *
 * The interval is that of the order statistics: it holds whatever the
 * distribution of the noise, because each ratio is below the true median with
 * probability 1/2. With @skip values left out at each end, the median is
 * outside with probability 2 P(Binomial(n, 1/2) <= skip).
 *
 * Return: median and interval.
 */
struct bench_ratio bench_ratio_of(double *v, size_t n)
{
	struct bench_ratio r = { .median = bench_median(v, n) };
	double p = 1, tail = 0;
	size_t skip, i;

	for (i = 0; i < n; i++)
		p /= 2;
	r.confidence = 1 - 2 * p;
	r.low = v[0];
	r.high = v[n - 1];
	for (skip = 0; 2 * (skip + 1) < n; skip++) {
		tail += p;
		if (2 * tail > 0.05)
			break;
		r.confidence = 1 - 2 * tail;
		r.low = v[skip];
		r.high = v[n - 1 - skip];
		p = p * (n - skip) / (skip + 1);
	}
	return r;
}
