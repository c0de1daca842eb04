// SPDX-License-Identifier: GPL-2.0
/* Exact numbers and their units: every spelling, every way to be wrong. */
#include <stdio.h>
#include <string.h>

#include "../number.h"
#include "ktap.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))

struct quantity {
	const char *text;
	uint64_t val;
	enum number_error error;
};

/* One of each spelling; the digits differ, so that no two entries can be swapped. */
static const struct quantity rates[] = {
	{ .text = "2", .val = 2 },
	{ .text = "3bit", .val = 3 },
	{ .text = "4kbit", .val = 4000 },
	{ .text = "5mbit", .val = 5000000 },
	{ .text = "100gbit", .val = 100000000000ULL },
	{ .text = "6tbit", .val = 6000000000000ULL },
	{ .text = "7kibit", .val = 7168 },
	{ .text = "3mibit", .val = 3145728 },
	{ .text = "5gibit", .val = 5368709120ULL },
	{ .text = "2tibit", .val = 2199023255552ULL },
	{ .text = "40GBit", .val = 40000000000ULL },
	{ .text = "0.5kbit", .val = 500 },
	{ .text = "0.0005kbit", .error = NUMBER_FRACTION },
	{ .text = "40gbps", .error = NUMBER_UNIT },
	{ .text = "40 gbit", .error = NUMBER_UNIT },
	{ .text = "10us", .error = NUMBER_UNIT },
	{ .text = "gbit", .error = NUMBER_SYNTAX },
	{ .text = "-1gbit", .error = NUMBER_NEGATIVE },
	{ .text = "18446744073709551616", .error = NUMBER_LARGE },
	{ .text = "99999999tbit", .error = NUMBER_LARGE },
};

static const struct quantity times[] = {
	{ .text = "11", .val = 11 },
	{ .text = "12ns", .val = 12 },
	{ .text = "13nsec", .val = 13 },
	{ .text = "14nsecs", .val = 14 },
	{ .text = "15us", .val = 15000 },
	{ .text = "16usec", .val = 16000 },
	{ .text = "17usecs", .val = 17000 },
	{ .text = "18ms", .val = 18000000 },
	{ .text = "19msec", .val = 19000000 },
	{ .text = "20msecs", .val = 20000000 },
	{ .text = "21s", .val = 21000000000ULL },
	{ .text = "22sec", .val = 22000000000ULL },
	{ .text = "23secs", .val = 23000000000ULL },
	{ .text = "1.5us", .val = 1500 },
	{ .text = "0.000000001s", .val = 1 },
	{ .text = "4.35ms", .val = 4350000 },
	{ .text = "0.5ns", .error = NUMBER_FRACTION },
	{ .text = "6.56ns", .error = NUMBER_FRACTION },
	{ .text = "0.0005us", .error = NUMBER_FRACTION },
	{ .text = "1m", .error = NUMBER_UNIT },
	{ .text = "1kb", .error = NUMBER_UNIT },
	{ .text = "18446744073709551615", .val = UINT64_MAX },
};

static const struct quantity sizes[] = {
	{ .text = "31", .val = 31 },
	{ .text = "32b", .val = 32 },
	{ .text = "33k", .val = 33792 },
	{ .text = "40kb", .val = 40960 },
	{ .text = "34m", .val = 35651584 },
	{ .text = "35mb", .val = 36700160 },
	{ .text = "3g", .val = 3221225472ULL },
	{ .text = "5gb", .val = 5368709120ULL },
	{ .text = "41KiB", .val = 41984 },
	{ .text = "1.5mib", .val = 1572864 },
	{ .text = "2GiB", .val = 2147483648ULL },
	{ .text = "8kbit", .val = 1024 },
	{ .text = "3mbit", .val = 393216 },
	{ .text = "5gbit", .val = 671088640 },
	{ .text = "1.5kb", .val = 1536 },
	{ .text = "1.0001kb", .error = NUMBER_FRACTION },
	{ .text = "0.1mb", .error = NUMBER_FRACTION },
	{ .text = "1tb", .error = NUMBER_UNIT },
	{ .text = "1s", .error = NUMBER_UNIT },
};

/* What is a number at all, without units. */
static const struct quantity counts[] = {
	{ .text = "0", .val = 0 },
	{ .text = "-0", .val = 0 },
	{ .text = "+7", .val = 7 },
	{ .text = "007", .val = 7 },
	{ .text = "5.0", .val = 5 },
	{ .text = "5.", .val = 5 },
	{ .text = "2e3", .val = 2000 },
	{ .text = "2E+3", .val = 2000 },
	{ .text = "2.5e1", .val = 25 },
	{ .text = "2500e-2", .val = 25 },
	{ .text = "0e24", .val = 0 },
	{ .text = "1e19", .val = 10000000000000000000ULL },
	{ .text = "0.5", .error = NUMBER_FRACTION },
	{ .text = ".5", .error = NUMBER_FRACTION },
	{ .text = "1e-1", .error = NUMBER_FRACTION },
	{ .text = "-5", .error = NUMBER_NEGATIVE },
	{ .text = "5x", .error = NUMBER_UNIT },
	{ .text = "5e", .error = NUMBER_UNIT },
	{ .text = "5e+", .error = NUMBER_UNIT },
	{ .text = "1/2", .error = NUMBER_UNIT },
	{ .text = "", .error = NUMBER_SYNTAX },
	{ .text = " 5", .error = NUMBER_SYNTAX },
	{ .text = "five", .error = NUMBER_SYNTAX },
	{ .text = ".", .error = NUMBER_SYNTAX },
	{ .text = "-", .error = NUMBER_SYNTAX },
	{ .text = "--5", .error = NUMBER_SYNTAX },
	{ .text = "0x10", .error = NUMBER_SYNTAX },
	{ .text = "inf", .error = NUMBER_SYNTAX },
	{ .text = "nan", .error = NUMBER_SYNTAX },
	{ .text = "999999999999999999999999", .error = NUMBER_LARGE },		/* 24 digits */
	{ .text = "9999999999999999999999999", .error = NUMBER_DIGITS },	/* 25 */
	{ .text = "0.000000000000000000000001", .error = NUMBER_FRACTION },	/* 24 places */
	{ .text = "0.0000000000000000000000001", .error = NUMBER_DIGITS },	/* 25 */
	{ .text = "1e23", .error = NUMBER_LARGE },
	{ .text = "1e24", .error = NUMBER_DIGITS },
	{ .text = "1e-24", .error = NUMBER_FRACTION },
	{ .text = "1e-25", .error = NUMBER_DIGITS },
	{ .text = "0.1e-24", .error = NUMBER_DIGITS },
};

static void test_table(const char *kind, const struct unit_suffix *table,
		       const struct quantity *q, size_t n)
{
	enum number_error error;
	uint64_t val;
	char name[96];

	for (; n; n--, q++) {
		val = 0xbad;
		error = quantity_parse_u64(table, q->text, &val);
		snprintf(name, sizeof(name), "quantity__%s_'%s'", kind, q->text);
		ktap(error == q->error && val == (error ? 0xbad : q->val), name,
		     "got %llu, %s", (unsigned long long)val, number_why(error));
	}
}

static const struct {
	const char *text;
	double val;
	enum number_error error;
	uint64_t round;		/* of 1000 times the value */
} ratios[] = {
	{ "1/8", 0.125, NUMBER_OK, 125 },
	{ "1/3", 1.0 / 3, NUMBER_OK, 333 },
	{ "2/3", 2.0 / 3, NUMBER_OK, 667 },
	{ "1019/1024", 0.9951171875, NUMBER_OK, 995 },
	{ "0.5/2", 0.25, NUMBER_OK, 250 },
	{ "2/0.5", 4, NUMBER_OK, 4000 },
	{ "0.2", 0.2, NUMBER_OK, 200 },
	{ "0.0005", 0.0005, NUMBER_OK, 1 },	/* a half goes up */
	{ "0.00049", 0.00049, NUMBER_OK, 0 },
	{ "999999999999/1", 999999999999.0, NUMBER_OK, 999999999999000ULL },
	{ "1000000000000/1", 0, NUMBER_DIGITS, 0 },
	{ "1/1000000000000", 0, NUMBER_DIGITS, 0 },
	{ "1/0", 0, NUMBER_SYNTAX, 0 },
	{ "1/", 0, NUMBER_SYNTAX, 0 },
	{ "1/-2", 0, NUMBER_SYNTAX, 0 },
	{ "/2", 0, NUMBER_SYNTAX, 0 },
};

static void test_ratios(void)
{
	static const struct unit_suffix per_mille = { "", 1000, 1 };
	enum number_error error;
	uint64_t val;
	const char *end;
	struct number n;
	char name[96];
	double d;
	bool ratio;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ratios); i++) {
		end = "";
		val = 0;
		d = 0;
		error = number_read_ratio(ratios[i].text, &end, &n, &ratio);
		if (!error) {
			d = number_double(&n);
			number_scale(&n, &per_mille);
			number_round(&n, &val);
		}
		snprintf(name, sizeof(name), "ratio__'%s'", ratios[i].text);
		ktap(error == ratios[i].error && d == ratios[i].val && val == ratios[i].round &&
		     (error || (!*end && ratio == !!strchr(ratios[i].text, '/'))), name,
		     "got %.17g, %llu, %s", d, (unsigned long long)val, number_why(error));
	}
}

/* As strtod() has it, so that results do not depend on who read a setting. */
static void test_doubles(void)
{
	static const struct {
		const char *text;
		double val;
	} doubles[] = {
		{ "0.1", 0.1 }, { "0.3", 0.3 }, { "6.56", 6.56 }, { "-2.5", -2.5 },
		{ "1e-3", 0.001 }, { "123456789.125", 123456789.125 },
		{ "1234567890123456.3", 1234567890123456.3 },
		{ "9007199254740993", 0x1p53 },
		{ "0.333333333333333314829616", 1.0 / 3 },
	};
	struct number n;
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(doubles); i++) {
		number_read(doubles[i].text, NULL, &n);
		snprintf(name, sizeof(name), "number_double__'%s'", doubles[i].text);
		ktap(number_double(&n) == doubles[i].val, name, "got %.17g", number_double(&n));
	}
}

static void test_find_any(void)
{
	static const struct {
		const char *name;
		const struct unit_suffix *table;
		uint64_t mul, div;
	} units[] = {
		{ "gbit", unit_rates, 1000000000, 1 }, { "kbit", unit_rates, 1000, 1 },
		{ "us", unit_times, 1000, 1 }, { "kb", unit_sizes, 1024, 1 },
		{ "%", unit_fractions, 1, 100 }, { "", unit_rates, 1, 1 },
	};
	const struct unit_suffix *u;
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		u = unit_find_any(units[i].name, strlen(units[i].name));
		snprintf(name, sizeof(name), "unit_find_any__'%s'", units[i].name);
		ktap(u && u->mul == units[i].mul && u->div == units[i].div &&
		     u == unit_find(units[i].table, units[i].name, strlen(units[i].name)), name,
		     "got %s", u ? u->name : "nothing");
	}
	ktap(!unit_find_any("lightyears", 10), "unit_find_any__unknown", "found");
	ktap(!unit_find_any("kbx", 3) && unit_find_any("kbx", 2), "unit_find_any__by_length",
	     "length ignored");
}

static void test_dividing(void)
{
	static const struct {
		const struct unit_suffix *table;
		uint64_t val;
		const char *name;
	} units[] = {
		{ unit_rates, 3000000000000ULL, "tbit" }, { unit_rates, 2500000000ULL, "mbit" },
		{ unit_rates, 1001, "bit" }, { unit_rates, 0, "bit" },
		{ unit_times, 2000000000, "s" }, { unit_times, 1500, "ns" },
		{ unit_times, 4000, "us" },
		{ unit_sizes, 3 << 20, "mb" }, { unit_sizes, 40960, "kb" },
		{ unit_sizes, 40000, "b" },
	};
	const struct unit_suffix *u;
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		u = unit_dividing(units[i].table, units[i].val);
		snprintf(name, sizeof(name), "unit_dividing__%llu%s",
			 (unsigned long long)units[i].val, units[i].name);
		ktap(!strcmp(u->name, units[i].name), name, "got %s", u->name);
	}
}

static void test_bools(void)
{
	static const char *const words[] = { "off", "on", "NO", "Yes", "false", "TRUE", "0", "1" };
	char name[96];
	size_t i;
	bool on;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		on = !(i & 1);
		snprintf(name, sizeof(name), "bool_parse__%s", words[i]);
		ktap(bool_parse(words[i], &on) && on == (i & 1), name, "got %d", on);
	}
	ktap(!bool_parse("2", &on) && !bool_parse("", &on) && !bool_parse("o", &on),
	     "bool_parse__refuses", "accepted");
}

int main(void)
{
	test_table("rate", unit_rates, rates, ARRAY_SIZE(rates));
	test_table("time", unit_times, times, ARRAY_SIZE(times));
	test_table("size", unit_sizes, sizes, ARRAY_SIZE(sizes));
	test_table("count", unit_counts, counts, ARRAY_SIZE(counts));
	test_ratios();
	test_doubles();
	test_find_any();
	test_dividing();
	test_bools();
	return ktap_end();
}
