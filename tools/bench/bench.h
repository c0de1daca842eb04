/* SPDX-License-Identifier: GPL-2.0 */
/* Paired benchmark of two builds of rxe: shared declarations. */
#ifndef RXE_CC_BENCH_H
#define RXE_CC_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_PLANS 3

/* What a plan of traffic measures besides CPU time. */
enum bench_kind {
	BENCH_GOODPUT,		/* bit/s, higher is better */
	BENCH_RTT,		/* ns, lower is better */
};

/**
 * struct bench_plan - one kind of traffic
 * @name: of its files and in the table
 * @kind: what flowgen's result is
 * @units: data packets, or round trips: what CPU time is divided by
 * @bytes: payload of the plan; 0 for round trips
 * @json: flowgen's plan
 */
struct bench_plan {
	const char *name;
	enum bench_kind kind;
	uint64_t units;
	uint64_t bytes;
	const char *json;
};

extern const struct bench_plan bench_plans[BENCH_PLANS];

/* One plan under one build. */
struct bench_sample {
	double value;		/* bit/s of undisturbed time, or ns */
	double cpu_ns;		/* of the lab kernel, for the whole plan */
};

/* Index of a build in a pair. */
enum bench_variant {
	BENCH_STOCK,
	BENCH_PATCHED,
	BENCH_VARIANTS,
};

struct bench_pair {
	bool patched_first;
	struct bench_sample s[BENCH_PLANS][BENCH_VARIANTS];
};

struct bench_config {
	const char *linux_bin;
	const char *guest;	/* guest.sh, absolute */
	const char *dir;	/* exchanged with the guest, absolute */
	unsigned int timeout_s;
	bool progress;
};

/**
 * struct bench_ratio - patched over stock
 * @median: of the pairs' ratios
 * @low: lower end of the confidence interval of the median
 * @high: upper end
 * @confidence: that the interval really has, at least 0.95 when n >= 6
 */
struct bench_ratio {
	double median, low, high, confidence;
};

int bench_run(const struct bench_config *cfg, struct bench_pair *pairs,
	      size_t nr);
double bench_median(double *v, size_t n);
struct bench_ratio bench_ratio_of(double *v, size_t n);

#endif
