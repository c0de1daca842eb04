// SPDX-License-Identifier: GPL-2.0
/*
 * Random numbers and flow size distributions, for flowgen and for lab.
 *
 * The generator is xoshiro256** (Blackman and Vigna, public domain algorithm),
 * its state filled by splitmix64. Every purpose and every index has a stream of
 * its own, so that adding a host or a key does not shift what others draw. The
 * sequence depends on the seed alone.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/file.h"
#include "random_distributions.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/**
 * fg_splitmix64() - next number of a splitmix64 sequence
 * @state: any value
 */
u64 fg_splitmix64(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static u64 rotl(u64 x, int k)
{
	return (x << k) | (x >> (64 - k));
}

/**
 * fg_rng_seed() - start a stream
 * @r: generator
 * @seed: the run's seed
 * @stream: what the numbers are for
 * @index: which host, flow or generator
 */
void fg_rng_seed(struct fg_rng *r, u64 seed, enum fg_stream stream, u64 index)
{
	u64 x = seed;
	int i;

	x = fg_splitmix64(&x) ^ ((u64)stream + 1);
	x = fg_splitmix64(&x) ^ index;
	for (i = 0; i < 4; i++)
		r->s[i] = fg_splitmix64(&x);
}

/**
 * fg_rng_u64() - 64 random bits
 * @r: generator
 */
u64 fg_rng_u64(struct fg_rng *r)
{
	u64 *s = r->s;
	u64 result = rotl(s[1] * 5, 7) * 9;
	u64 t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

/**
 * fg_rng_unit() - uniform in [0, 1), 53 bits
 * @r: generator
 */
double fg_rng_unit(struct fg_rng *r)
{
	return ldexp(fg_rng_u64(r) >> 11, -53);
}

/**
 * fg_rng_below() - uniform in [0, n), without bias
 * @r: generator
 * @n: 0 gives 0
 */
u64 fg_rng_below(struct fg_rng *r, u64 n)
{
	u64 limit, x;

	if (n < 2)
		return 0;
	/* Values below 2^64 mod n would make small results likelier. */
	limit = -n % n;
	do {
		x = fg_rng_u64(r);
	} while (x < limit);
	return x % n;
}

/**
 * fg_rng_exp() - exponentially distributed
 * @r: generator
 * @mean: mean value
 */
double fg_rng_exp(struct fg_rng *r, double mean)
{
	return -mean * log(1.0 - fg_rng_unit(r));
}

/**
 * fg_rng_shuffle() - random permutation in place
 * @r: generator
 * @v: values
 * @n: how many
 */
void fg_rng_shuffle(struct fg_rng *r, u32 *v, u32 n)
{
	u32 i, j, t;

	for (i = n; i > 1; i--) {
		j = fg_rng_below(r, i);
		t = v[i - 1];
		v[i - 1] = v[j];
		v[j] = t;
	}
}

/**
 * fg_rng_derange() - random permutation of 0..n-1 without fixed points
 * @r: generator
 * @v: result
 * @n: at least 2
 *
 * Draws until there is no fixed point (1 in e permutations has none), which
 * makes every derangement equally likely.
 */
void fg_rng_derange(struct fg_rng *r, u32 *v, u32 n)
{
	u32 i;

	do {
		for (i = 0; i < n; i++)
			v[i] = i;
		fg_rng_shuffle(r, v, n);
		for (i = 0; i < n && v[i] != i; i++)
			;
	} while (i < n);
}

/* Cumulative percentages from the papers, K = 1000 bytes. */
static const struct fg_cdf_point websearch[] = {
	{ 10e3, 15 }, { 20e3, 20 }, { 30e3, 30 }, { 50e3, 40 }, { 80e3, 53 },
	{ 200e3, 60 }, { 1e6, 70 }, { 2e6, 80 }, { 5e6, 90 }, { 10e6, 97 },
	{ 30e6, 100 },
};

static const struct fg_cdf_point hadoop[] = {
	{ 100, 1 }, { 200, 2 }, { 300, 5 }, { 350, 15 }, { 400, 20 },
	{ 500, 30 }, { 600, 40 }, { 700, 50 }, { 1e3, 60 }, { 2e3, 67 },
	{ 7e3, 70 }, { 30e3, 72 }, { 50e3, 82 }, { 80e3, 87 }, { 120e3, 90 },
	{ 300e3, 95 }, { 1e6, 97.5 }, { 2e6, 99 }, { 10e6, 100 },
};

static const struct fg_cdf_point storage[] = {
	{ 4e3, 22.93 }, { 8e3, 69.21 }, { 16e3, 80.61 }, { 32e3, 90.47 },
	{ 64e3, 93.53 }, { 128e3, 96.77 }, { 256e3, 97.53 }, { 2e6, 100 },
};

/* Facebook's cache followers; the source counts packets, taken as 1500 bytes. */
static const struct fg_cdf_point cachefollower[] = {
	{ 1500, 36 }, { 3e3, 40 }, { 10.5e3, 46 }, { 19.5e3, 50 }, { 100.5e3, 60 },
	{ 199.5e3, 70 }, { 1000.5e3, 78 }, { 1999.5e3, 80 }, { 3e6, 90 },
	{ 4000.5e3, 99 }, { 49999.5e3, 100 },
};

/* VL2. Its mean, 12.7 MB, comes from one flow in twenty. */
static const struct fg_cdf_point datamining[] = {
	{ 180, 10 }, { 216, 20 }, { 560, 30 }, { 900, 40 }, { 1100, 50 },
	{ 1870, 60 }, { 3160, 70 }, { 10e3, 80 }, { 400e3, 90 }, { 3.16e6, 95 },
	{ 100e6, 98 }, { 1e9, 100 },
};

static const struct {
	const char *name;
	const struct fg_cdf_point *pts;
	u32 n;
} builtins[] = {
	{ "websearch", websearch, ARRAY_SIZE(websearch) },
	{ "hadoop", hadoop, ARRAY_SIZE(hadoop) },
	{ "storage", storage, ARRAY_SIZE(storage) },
	{ "cachefollower", cachefollower, ARRAY_SIZE(cachefollower) },
	{ "datamining", datamining, ARRAY_SIZE(datamining) },
};

/**
 * fg_cdf_builtin() - one of the workloads known by name
 * @c: result, must be empty
 * @name: websearch, hadoop, storage, cachefollower, datamining
 *
 * Return: 0, or -1 when there is no such workload (no message).
 */
int fg_cdf_builtin(struct fg_cdf *c, const char *name)
{
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(builtins); i++) {
		if (strcmp(builtins[i].name, name))
			continue;
		for (j = 0; j < builtins[i].n; j++)
			fg_cdf_add(c, builtins[i].pts[j].bytes, builtins[i].pts[j].percent);
		return 0;
	}
	return -1;
}

/**
 * fg_cdf_name() - names of the built-in workloads
 * @i: from 0
 *
 * Return: NULL after the last.
 */
const char *fg_cdf_name(u32 i)
{
	return i < ARRAY_SIZE(builtins) ? builtins[i].name : NULL;
}

/**
 * fg_cdf_wrong() - may a point follow those there are
 * @c: distribution
 * @bytes: flow size
 * @percent: share of the flows that are not larger
 *
 * Size 0 is where the first segment starts, so it stands at 0 percent only:
 * there are no empty flows.
 *
 * Return: NULL, or what is wrong.
 */
const char *fg_cdf_wrong(const struct fg_cdf *c, double bytes, double percent)
{
	const struct fg_cdf_point *last = c->n ? &c->pts[c->n - 1] : NULL;

	if (!(percent >= 0 && percent <= 100))
		return "the percentage is not from 0 to 100";
	if (!(bytes >= 0 && bytes <= FG_SIZE_MAX))
		return "the size is not from 1 to 2^50 bytes";
	if (bytes < 1 && (bytes || percent))
		return "a size below 1 byte; \"0 0\" alone may be the start";
	if (last && bytes < last->bytes)
		return "the size is below that of the point before";
	if (last && percent < last->percent)
		return "the percentage falls";
	return NULL;
}

/**
 * fg_cdf_add() - append a point
 * @c: distribution
 * @bytes: flow size
 * @percent: share of the flows that are not larger
 *
 * Return: 0, or -1 when fg_cdf_wrong() (no message).
 */
int fg_cdf_add(struct fg_cdf *c, double bytes, double percent)
{
	if (fg_cdf_wrong(c, bytes, percent))
		return -1;
	c->pts = realloc(c->pts, (c->n + 1) * sizeof(*c->pts));
	if (!c->pts)
		exit(fg_err("out of memory"));
	c->pts[c->n].bytes = bytes;
	c->pts[c->n++].percent = percent;
	return 0;
}

/**
 * fg_cdf_check() - is the distribution complete?
 * @c: distribution
 * @what: file and line, or key, for the message
 */
int fg_cdf_check(const struct fg_cdf *c, const char *what)
{
	if (!c->n)
		return fg_err("%s: no points", what);
	if (c->pts[c->n - 1].percent != 100)
		return fg_err("%s: the last point is at %g, not at 100 percent", what,
			      c->pts[c->n - 1].percent);
	if (c->pts[c->n - 1].bytes < 1)
		return fg_err("%s: no size above 0", what);
	return 0;
}

/* One line, already without comment and end; NULL, or what is wrong with it. */
static const char *read_point(struct fg_cdf *c, const char *line)
{
	const char *why;
	char *end, *p;
	double b, pct;

	b = strtod(line, &p);
	pct = strtod(p, &end);
	if (p == line || end == p || end[strspn(end, " \t")])
		return "not `bytes percent`";
	why = fg_cdf_wrong(c, b, pct);
	if (!why)
		fg_cdf_add(c, b, pct);
	return why;
}

/* Some write shares from 0 to 1: then the last is 1, and none can be above it. */
static void shares_to_percent(struct fg_cdf *c)
{
	u32 i;

	if (!c->n || c->pts[c->n - 1].percent != 1)
		return;
	for (i = 0; i < c->n; i++)
		c->pts[i].percent *= 100;
}

/**
 * fg_cdf_file() - read `bytes percent` lines, # starts a comment
 * @c: result, must be empty
 * @file: path
 *
 * If the last line is at 1, the file has shares from 0 to 1 in place of percentages.
 */
int fg_cdf_file(struct fg_cdf *c, const char *file)
{
	FILE *f = text_open(file);
	const char *why = NULL;
	char *line = NULL, *p;
	int n = 0, last = 0;
	size_t size = 0;
	char where[320];

	if (!f)
		return fg_err("%s: %s", file, strerror(errno));
	while (!why && getline(&line, &size, f) > 0) {
		n++;
		line[strcspn(line, "#\r\n")] = '\0';
		p = line + strspn(line, " \t");
		if (!*p)
			continue;
		last = n;
		why = read_point(c, p);
		if (why)
			fg_err("%s:%d: %s: %.60s", file, n, why, p);
	}
	if (!why && ferror(f))
		why = strerror(errno);
	if (why && ferror(f))
		fg_err("%s: %s", file, why);
	free(line);
	fclose(f);
	if (why)
		return -1;
	shares_to_percent(c);
	snprintf(where, sizeof(where), last ? "%s:%d" : "%s", file, last);
	return fg_cdf_check(c, where);
}

/**
 * fg_cdf_cap() - no flow larger than this
 * @c: complete distribution
 * @bytes: what larger ones become, at least 1
 */
void fg_cdf_cap(struct fg_cdf *c, double bytes)
{
	double b0 = 0, p0 = 0, b1, p1, pct;
	u32 i;

	for (i = 0; i < c->n && c->pts[i].bytes <= bytes; i++) {
		b0 = c->pts[i].bytes;
		p0 = c->pts[i].percent;
	}
	if (i == c->n)
		return;
	b1 = c->pts[i].bytes;
	p1 = c->pts[i].percent;
	pct = i ? p0 + (p1 - p0) * (bytes - b0) / (b1 - b0) : p1 * bytes / b1;
	c->n = i;
	fg_cdf_add(c, bytes, pct);
	fg_cdf_add(c, bytes, 100);
}

/**
 * fg_cdf_mean() - mean flow size in bytes
 * @c: distribution
 *
 * Sizes are uniform between neighbouring points; the first segment starts at 0
 * bytes, 0 percent. A first point at 0 percent starts there instead.
 */
double fg_cdf_mean(const struct fg_cdf *c)
{
	double b0 = 0, p0 = 0, sum = 0;
	u32 i;

	for (i = 0; i < c->n; i++) {
		sum += (c->pts[i].percent - p0) / 100 *
		       (b0 + c->pts[i].bytes) / 2;
		b0 = c->pts[i].bytes;
		p0 = c->pts[i].percent;
	}
	return sum;
}

/**
 * fg_cdf_at() - quantile: the size at a cumulative share
 * @c: distribution
 * @unit: in [0, 1)
 *
 * Return: bytes, at least 1.
 */
u64 fg_cdf_at(const struct fg_cdf *c, double unit)
{
	double b0 = 0, p0 = 0, pct = unit * 100, b;
	u32 i;

	for (i = 0; i + 1 < c->n && c->pts[i].percent <= pct; i++) {
		b0 = c->pts[i].bytes;
		p0 = c->pts[i].percent;
	}
	b = c->pts[i].bytes;
	if (c->pts[i].percent > p0)
		b = b0 + (b - b0) * (pct - p0) / (c->pts[i].percent - p0);
	return b < 1 ? 1 : (u64)(b + 0.5);
}

/**
 * fg_cdf_free() - forget a distribution
 * @c: distribution
 */
void fg_cdf_free(struct fg_cdf *c)
{
	free(c->pts);
	memset(c, 0, sizeof(*c));
}
