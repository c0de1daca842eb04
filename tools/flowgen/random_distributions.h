/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random streams and flow size distributions, for flowgen and for lab.
 *
 * Whoever builds random_distributions.c provides fg_err().
 */
#ifndef FLOWGEN_RANDOM_DISTRIBUTIONS_H
#define FLOWGEN_RANDOM_DISTRIBUTIONS_H

#include <linux/types.h>

typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;
typedef __s32 s32;
typedef __s64 s64;

#ifndef __printf
#define __printf(a, b)	__attribute__((format(printf, a, b)))
#endif

int fg_err(const char *fmt, ...) __printf(1, 2);

struct fg_rng {
	u64 s[4];
};

/* Purposes of random streams: each draws from its own sequence. */
enum fg_stream {
	FG_STREAM_PSN, FG_STREAM_JITTER, FG_STREAM_ARRIVAL, FG_STREAM_SIZE,
	FG_STREAM_PEER, FG_STREAM_PERM, FG_STREAM_PATTERN, FG_STREAM_INCAST,
	FG_STREAM_BACKGROUND, FG_STREAM_CLOCK, FG_STREAM_COLLECTIVE
};

/* The largest size of a flow, 2^50 bytes. */
#define FG_SIZE_MAX	1125899906842624.0

struct fg_cdf_point {
	double bytes;
	double percent;
};

struct fg_cdf {
	struct fg_cdf_point *pts;
	u32 n;
};

u64 fg_splitmix64(u64 *state);
void fg_rng_seed(struct fg_rng *r, u64 seed, enum fg_stream stream, u64 index);
u64 fg_rng_u64(struct fg_rng *r);
double fg_rng_unit(struct fg_rng *r);
u64 fg_rng_below(struct fg_rng *r, u64 n);
double fg_rng_exp(struct fg_rng *r, double mean);
void fg_rng_shuffle(struct fg_rng *r, u32 *v, u32 n);
void fg_rng_derange(struct fg_rng *r, u32 *v, u32 n);
int fg_cdf_builtin(struct fg_cdf *c, const char *name);
const char *fg_cdf_name(u32 i);
int fg_cdf_file(struct fg_cdf *c, const char *file);
const char *fg_cdf_wrong(const struct fg_cdf *c, double bytes, double percent);
int fg_cdf_add(struct fg_cdf *c, double bytes, double percent);
int fg_cdf_check(const struct fg_cdf *c, const char *what);
void fg_cdf_cap(struct fg_cdf *c, double bytes);
double fg_cdf_mean(const struct fg_cdf *c);
u64 fg_cdf_at(const struct fg_cdf *c, double unit);
void fg_cdf_free(struct fg_cdf *c);

#endif /* FLOWGEN_RANDOM_DISTRIBUTIONS_H */
