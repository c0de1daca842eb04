// SPDX-License-Identifier: GPL-2.0
/*
 * Percentiles, medians and means against values worked out by hand. The
 * samples are squares, so that no two statistics of a sample agree and one
 * taken for its neighbour shows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../stats.h"
#include "ktap.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

/* Of 1, 4, 9 ... n * n. The mean is (n + 1)(2n + 1) / 6. */
static const struct stats squares[] = {
	{ .n = 1, .min = 1, .p50 = 1, .p95 = 1, .p99 = 1, .p999 = 1, .max = 1, .mean = 1 },
	{ .n = 2, .min = 1, .p50 = 1, .p95 = 4, .p99 = 4, .p999 = 4, .max = 4, .mean = 2.5 },
	{ .n = 7, .min = 1, .p50 = 16, .p95 = 49, .p99 = 49, .p999 = 49, .max = 49, .mean = 20 },
	{ .n = 20, .min = 1, .p50 = 100, .p95 = 361, .p99 = 400, .p999 = 400, .max = 400,
	  .mean = 143.5 },
	{ .n = 21, .min = 1, .p50 = 121, .p95 = 400, .p99 = 441, .p999 = 441, .max = 441,
	  .mean = 22 * 43 / 6.0 },
	{ .n = 2000, .min = 1, .p50 = 1000000, .p95 = 3610000, .p99 = 3920400, .p999 = 3992004,
	  .max = 4000000, .mean = 1334333.5 },
	{ .n = 2001, .min = 1, .p50 = 1002001, .p95 = 3613801, .p99 = 3924361, .p999 = 3996001,
	  .max = 4004001, .mean = 2002 * 4003 / 6.0 },
};

/* Neither in ascending nor in descending order. */
static void fill_squares(int64_t *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		v[(i * 2 + (i * 2 >= n && n % 2 == 0)) % n] = (int64_t)(i + 1) * (int64_t)(i + 1);
}

static void is(const char *what, size_t n, double got, double want)
{
	char name[80];

	snprintf(name, sizeof(name), "stats_of__%zu_%s", n, what);
	ktap(got == want, name, "got %.17g, wanted %.17g", got, want);
}

static void test_stats_of(void)
{
	static int64_t v[2001];
	struct stats st;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(squares); i++) {
		const struct stats *want = &squares[i];

		fill_squares(v, want->n);
		st = stats_of(v, want->n);
		is("n", want->n, st.n, want->n);
		is("min", want->n, st.min, want->min);
		is("p50", want->n, st.p50, want->p50);
		is("p95", want->n, st.p95, want->p95);
		is("p99", want->n, st.p99, want->p99);
		is("p999", want->n, st.p999, want->p999);
		is("max", want->n, st.max, want->max);
		is("mean", want->n, st.mean, want->mean);
	}
	st = stats_of(v, 0);
	ktap(!st.n && !st.min && !st.p50 && !st.p95 && !st.p99 && !st.p999 && !st.max && !st.mean,
	     "stats_of__none", "not all are 0");
	v[0] = 3;
	v[1] = -5;
	st = stats_of(v, 2);
	ktap(st.min == -5 && st.p50 == -5 && st.max == 3 && st.mean == -1, "stats_of__negative",
	     "min %lld, mean %g", (long long)st.min, st.mean);
}

static void test_ranks(void)
{
	static const struct {
		size_t n;
		double p;
		size_t rank;
	} ranks[] = {
		{ 10, 0, 1 }, { 10, 1, 1 }, { 10, 10, 1 }, { 10, 10.1, 2 }, { 10, 50, 5 },
		{ 10, 90, 9 }, { 10, 95, 10 }, { 10, 100, 10 }, { 11, 50, 6 }, { 1000, 99.9, 999 },
		{ 1001, 99.9, 1000 }, { 3, 33, 1 }, { 3, 34, 2 }, { 100, 29, 29 }, { 100, 57, 57 },
	};
	char name[80];
	size_t i, rank;

	for (i = 0; i < ARRAY_SIZE(ranks); i++) {
		rank = percentile_rank(ranks[i].n, ranks[i].p);
		snprintf(name, sizeof(name), "percentile_rank__%zu_%g", ranks[i].n, ranks[i].p);
		ktap(rank == ranks[i].rank, name, "got %zu, wanted %zu", rank, ranks[i].rank);
	}
	ktap(percentile(NULL, 0, 50) == 0, "percentile__none", "not 0");
}

static void test_spread(void)
{
	static const struct {
		double v[6];
		struct stats_spread want;
	} spreads[] = {
		/* The interval is t / sqrt(n) times the deviation, of these 3 sqrt(2), 4, ... */
		{ { 7 }, { 1, 7, 7, 7, 7, NAN } },
		{ { 8, 2 }, { 2, 5, 2, 8, 5, 12.706 * 3 } },
		{ { 9, 1, 5 }, { 3, 5, 1, 9, 5, 4.303 * 4 / 1.7320508075688772 } },
		{ { 10, -1, 3, 6 }, { 4, 4.5, -1, 10, 4.5, 3.182 / 2 * 4.654746681256314 } },
		{ { 5, 11, 2, 3, 7 }, { 5, 5, 2, 11, 5.6, 2.776 * 1.6 } },
		{ { 1, 13, 2, 30, 7, 1 }, { 6, 4.5, 1, 30, 9, 2.571 / 2.449489742783178 *
					    11.296016997154352 } },
	};
	struct stats_spread s;
	double v[6];
	char name[80];
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(spreads); i++) {
		const struct stats_spread *want = &spreads[i].want;

		for (k = 0; k < want->n; k++)
			v[k] = spreads[i].v[k];
		s = stats_spread_of(v, want->n);
		snprintf(name, sizeof(name), "stats_spread_of__%zu", want->n);
		ktap(s.n == want->n && s.median == want->median && s.min == want->min &&
		     s.max == want->max && fabs(s.mean - want->mean) < 1e-12 &&
		     (want->n > 1 ? fabs(s.ci95 - want->ci95) < 1e-9 : isnan(s.ci95)), name,
		     "n %zu, median %g, min %g, max %g, mean %g, interval %.15g", s.n, s.median,
		     s.min, s.max, s.mean, s.ci95);
	}
	s = stats_spread_of(v, 0);
	ktap(!s.n && isnan(s.median) && isnan(s.min) && isnan(s.max) && isnan(s.mean) &&
	     isnan(s.ci95), "stats_spread_of__none", "median %g", s.median);
}

/* The density of Student's distribution with @df degrees of freedom. */
static double student(double x, double df)
{
	return exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * M_PI) *
	       pow(1 + x * x / df, -(df + 1) / 2);
}

/* Its integral from 0 to @t, by Simpson's rule. */
static double student_to(double t, double df)
{
	const int steps = 20000;
	double h = t / steps, sum = student(0, df) + student(t, df);
	int i;

	for (i = 1; i < steps; i++)
		sum += (i % 2 ? 4 : 2) * student(i * h, df);
	return sum * h / 3;
}

/*
 * From -t to t there is 0.95. The table is rounded to 0.001, so t is wrong by half of that and the
 * integral by as much times the density. Beyond 31 values t is that of fewer: larger, by at most
 * 0.03.
 */
static void test_t95(void)
{
	char name[80];
	size_t n;

	for (n = 2; n <= 200; n++) {
		double t = stats_t95(n), half = student_to(t, n - 1);
		double off = 0.00051 * student(t - 0.0005, n - 1);
		double most = 0.475 + off + (n > 31 ? 0.03 * student(1.96, n - 1) : 0);

		snprintf(name, sizeof(name), "stats_t95__%zu", n);
		ktap(half > 0.475 - off && half < most, name, "%g: %.7g in place of 0.475", t,
		     half);
	}
}

static void test_cmp(void)
{
	static const int64_t i64[] = { INT64_MIN, -1, 0, 1, INT64_MAX };
	static const double dbl[] = { -1e300, -0.5, 0, 0.5, 1e300 };
	size_t i, k;
	bool ok = true;

	for (i = 0; i < 5; i++) {
		for (k = 0; k < 5; k++) {
			int want = (i > k) - (i < k);

			ok &= stats_cmp_i64(&i64[i], &i64[k]) == want;
			ok &= stats_cmp_double(&dbl[i], &dbl[k]) == want;
		}
	}
	ktap(ok, "stats_cmp", "wrong order");
}

int main(void)
{
	test_stats_of();
	test_ranks();
	test_spread();
	test_t95();
	test_cmp();
	return ktap_end();
}
