// SPDX-License-Identifier: GPL-2.0
/* flowgen: tests of random_distributions.c. */
#include <stdlib.h>
#include <unistd.h>

#include "test.h"

/* First outputs for state 0, as published with the algorithm. */
static bool splitmix__known_values(void)
{
	u64 s = 0;

	EXPECT(fg_splitmix64(&s) == 0xe220a8397b1dcdafULL);
	EXPECT(fg_splitmix64(&s) == 0x6e789e6aa1b965f4ULL);
	return true;
}

/* xoshiro256** from state 1, 2, 3, 4: 11520, 0, 1509978240. */
static bool rng__known_values(void)
{
	struct fg_rng r = { { 1, 2, 3, 4 } };

	EXPECT(fg_rng_u64(&r) == 11520);
	EXPECT(fg_rng_u64(&r) == 0);
	EXPECT(fg_rng_u64(&r) == 1509978240);
	return true;
}

static bool rng__streams_differ(void)
{
	struct fg_rng a, b, c, d;

	fg_rng_seed(&a, 1, FG_STREAM_SIZE, 0);
	fg_rng_seed(&b, 1, FG_STREAM_SIZE, 0);
	fg_rng_seed(&c, 1, FG_STREAM_SIZE, 1);
	fg_rng_seed(&d, 1, FG_STREAM_PEER, 0);
	EXPECT(fg_rng_u64(&a) == fg_rng_u64(&b));
	EXPECT(fg_rng_u64(&a) != fg_rng_u64(&c));
	EXPECT(fg_rng_u64(&b) != fg_rng_u64(&d));
	return true;
}

static bool rng_below__range_and_mean(void)
{
	u64 count[7] = { 0 }, x;
	struct fg_rng r;
	int i;

	fg_rng_seed(&r, 5, FG_STREAM_PEER, 0);
	EXPECT(fg_rng_below(&r, 0) == 0);
	EXPECT(fg_rng_below(&r, 1) == 0);
	for (i = 0; i < 70000; i++) {
		x = fg_rng_below(&r, 7);
		EXPECT(x < 7);
		count[x]++;
	}
	/* 10000 each, standard deviation 93. */
	for (i = 0; i < 7; i++)
		EXPECT(count[i] > 9500 && count[i] < 10500);
	return true;
}

static bool rng_exp__mean(void)
{
	struct fg_rng r;
	double sum = 0;
	int i;

	fg_rng_seed(&r, 9, FG_STREAM_ARRIVAL, 0);
	for (i = 0; i < 200000; i++)
		sum += fg_rng_exp(&r, 100);
	EXPECT(fabs(sum / 200000 - 100) < 1.5);
	return true;
}

static bool derange__no_fixed_point(void)
{
	u32 v[64], n, i, seen;
	struct fg_rng r;

	fg_rng_seed(&r, 3, FG_STREAM_PERM, 0);
	for (n = 2; n <= 64; n++) {
		fg_rng_derange(&r, v, n);
		for (i = 0; i < n; i++)
			EXPECT(v[i] != i && v[i] < n);
		for (i = 0; i < n; i++)
			for (seen = i + 1; seen < n; seen++)
				EXPECT(v[i] != v[seen]);
	}
	return true;
}

static bool cdf__builtin_quantiles(void)
{
	static const struct {
		const char *name;
		double at;
		u64 bytes;
	} t[] = {
		{ "websearch", 0.0, 1 },
		{ "websearch", 0.075, 5000 },
		{ "websearch", 0.15, 10000 },
		{ "websearch", 0.175, 15000 },
		{ "websearch", 0.999999999, 30000000 },
		{ "hadoop", 0.01, 100 },
		{ "hadoop", 0.5, 700 },
		{ "storage", 0.6921, 8000 },
	};
	struct fg_cdf c = { NULL, 0 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		EXPECT(!fg_cdf_builtin(&c, t[i].name));
		EXPECT(!fg_cdf_check(&c, t[i].name));
		EXPECT(llabs((s64)(fg_cdf_at(&c, t[i].at) - t[i].bytes)) <= 1);
		fg_cdf_free(&c);
	}
	EXPECT(fg_cdf_builtin(&c, "nosuch"));
	return true;
}

static bool cdf__mean_matches_samples(void)
{
	static const char *const names[] = { "websearch", "hadoop", "storage", "cachefollower" };
	struct fg_cdf c = { NULL, 0 };
	struct fg_rng r;
	double sum;
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		EXPECT(!fg_cdf_builtin(&c, names[i]));
		fg_rng_seed(&r, 1, FG_STREAM_SIZE, i);
		for (k = 0, sum = 0; k < 400000; k++)
			sum += fg_cdf_at(&c, fg_rng_unit(&r));
		EXPECT(fabs(sum / 400000 / fg_cdf_mean(&c) - 1) < 0.02);
		fg_cdf_free(&c);
	}
	return true;
}

static bool cdf__fixed(void)
{
	struct fg_cdf c = { NULL, 0 };

	EXPECT(!fg_cdf_add(&c, 5000, 0));
	EXPECT(!fg_cdf_add(&c, 5000, 100));
	EXPECT(fg_cdf_mean(&c) == 5000);
	EXPECT(fg_cdf_at(&c, 0) == 5000);
	EXPECT(fg_cdf_at(&c, 0.77) == 5000);
	fg_cdf_free(&c);
	return true;
}

static bool cdf__refuses_bad_points(void)
{
	struct fg_cdf c = { NULL, 0 };

	EXPECT(fg_cdf_check(&c, "x") == -1);
	EXPECT(!fg_cdf_add(&c, 100, 10));
	EXPECT(fg_cdf_add(&c, 99, 20) == -1);
	EXPECT(fg_cdf_add(&c, 200, 9) == -1);
	EXPECT(fg_cdf_add(&c, 200, 101) == -1);
	EXPECT(fg_cdf_check(&c, "x") == -1);
	EXPECT(strstr(test_last_error(), "100 percent"));
	fg_cdf_free(&c);
	return true;
}

/* Each wrong point is refused; the start "0 0" is not. */
static bool cdf__wrong_points(void)
{
	static const struct {
		double bytes, percent;
		const char *why;
	} t[] = {
		{ 0, 1, "size below 1" },
		{ 0.5, 1, "size below 1" },
		{ -1, 1, "not from 1 to 2^50" },
		{ 9223372036854775808.0, 50, "not from 1 to 2^50" },
		{ NAN, 50, "not from 1 to 2^50" },
		{ INFINITY, 50, "not from 1 to 2^50" },
		{ 10, NAN, "not from 0 to 100" },
		{ 10, 100.1, "not from 0 to 100" },
		{ 10, -1, "not from 0 to 100" },
	};
	struct fg_cdf c = { NULL, 0 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		EXPECT(fg_cdf_wrong(&c, t[i].bytes, t[i].percent) &&
		       strstr(fg_cdf_wrong(&c, t[i].bytes, t[i].percent), t[i].why));
	EXPECT(!fg_cdf_add(&c, 0, 0));
	EXPECT(!fg_cdf_add(&c, 100, 50));
	EXPECT(strstr(fg_cdf_wrong(&c, 200, 49), "falls"));
	EXPECT(strstr(fg_cdf_wrong(&c, 99, 60), "below that of the point before"));
	fg_cdf_free(&c);
	return true;
}

/* Half of what is above the cap in a segment from 100 to 300 is at the cap. */
static bool cdf__cap(void)
{
	struct fg_cdf c = { NULL, 0 };

	fg_cdf_add(&c, 100, 20);
	fg_cdf_add(&c, 300, 100);
	fg_cdf_cap(&c, 400);
	EXPECT(c.n == 2);
	fg_cdf_cap(&c, 200);
	EXPECT(c.n == 3 && c.pts[1].percent == 60 && c.pts[2].percent == 100);
	EXPECT(fg_cdf_at(&c, 0.59999) == 200 && fg_cdf_at(&c, 0.99) == 200);
	EXPECT(fabs(fg_cdf_mean(&c) - (0.2 * 50 + 0.4 * 150 + 0.4 * 200)) < 0.000001);
	fg_cdf_cap(&c, 50);
	EXPECT(c.n == 2 && c.pts[0].percent == 10 && fg_cdf_at(&c, 0.9) == 50);
	fg_cdf_free(&c);
	return true;
}

static bool cdf_file__reads_and_refuses(void)
{
	char name[] = P_tmpdir "/flowgen_cdf_XXXXXX";
	struct fg_cdf c = { NULL, 0 };
	int fd = mkstemp(name);
	FILE *f = fdopen(fd, "w");
	bool good, bad;

	fputs("# sizes\n0 0\n\n1000 50\n2000 100 # end\n", f);
	fflush(f);
	good = !fg_cdf_file(&c, name) && c.n == 3 && fg_cdf_at(&c, 0.5) == 1000;
	fg_cdf_free(&c);
	fputs("frob 3\n", f);
	fclose(f);
	bad = fg_cdf_file(&c, name) == -1 && strstr(test_last_error(), ":6:");
	fg_cdf_free(&c);
	unlink(name);
	EXPECT(good);
	EXPECT(bad);
	return true;
}

/* Shares from 0 to 1 are the same distribution as percentages; what ends elsewhere is neither. */
static bool cdf_file__shares(void)
{
	static const struct {
		const char *text;
		bool good;
	} t[] = {
		{ "0 0\n1000 50\n2000 100\n", true },
		{ "0 0.0\n1000 0.5\n2000 1\n", true },
		{ "# shares\r\n0 0.0\r\n\r\n1000\t0.5\r\n2000 1.0\r\n", true },
		{ "0 0\n1000 0.5\n2000 1.01\n", false },
		{ "0 0\n1000 0.5\n2000 0.99\n", false },
		{ "0 0\n1000 50\n2000 1\n", false },
	};
	bool good[ARRAY_SIZE(t)];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		char name[] = P_tmpdir "/flowgen_cdf_XXXXXX";
		struct fg_cdf c = { NULL, 0 };
		FILE *f = fdopen(mkstemp(name), "w");

		fputs(t[i].text, f);
		fclose(f);
		good[i] = !fg_cdf_file(&c, name) && c.n == 3 && fg_cdf_at(&c, 0.5) == 1000 &&
			  fg_cdf_mean(&c) == 1000;
		fg_cdf_free(&c);
		unlink(name);
	}
	for (i = 0; i < ARRAY_SIZE(t); i++)
		EXPECT(good[i] == t[i].good);
	return true;
}

const struct test_case dist_cases[] = {
	{ "splitmix__known_values", splitmix__known_values },
	{ "rng__known_values", rng__known_values },
	{ "rng__streams_differ", rng__streams_differ },
	{ "rng_below__range_and_mean", rng_below__range_and_mean },
	{ "rng_exp__mean", rng_exp__mean },
	{ "derange__no_fixed_point", derange__no_fixed_point },
	{ "cdf__builtin_quantiles", cdf__builtin_quantiles },
	{ "cdf__mean_matches_samples", cdf__mean_matches_samples },
	{ "cdf__fixed", cdf__fixed },
	{ "cdf__refuses_bad_points", cdf__refuses_bad_points },
	{ "cdf__wrong_points", cdf__wrong_points },
	{ "cdf__cap", cdf__cap },
	{ "cdf_file__reads_and_refuses", cdf_file__reads_and_refuses },
	{ "cdf_file__shares", cdf_file__shares },
	{ }
};
