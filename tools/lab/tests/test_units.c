// SPDX-License-Identifier: GPL-2.0
/* Test of values with units: keys and settings are read, axes and tables print figures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tests/ktap.h"
#include "lab.h"
#include "report/report.h"

static const struct {
	enum unit unit;
	const char *text;
	double val;		/* NAN: refused */
	const char *back;	/* as unit_format() prints it */
} keys[] = {
	{ UNIT_COUNT, "12", 12, "12" },
	{ UNIT_COUNT, "1.5", NAN, NULL },
	{ UNIT_COUNT, "12kb", NAN, NULL },
	{ UNIT_RATE, "100gbit", 100e9, "100gbit" },
	{ UNIT_RATE, "2500mbit", 2.5e9, "2500mbit" },
	{ UNIT_RATE, "1000gbit", 1e12, "1tbit" },
	{ UNIT_RATE, "12345", 12345, "12345bit" },
	{ UNIT_RATE, "1us", NAN, NULL },
	{ UNIT_TIME, "1.5us", 1500, "1500ns" },
	{ UNIT_TIME, "3000us", 3e6, "3ms" },
	{ UNIT_TIME, "0", 0, "0" },
	{ UNIT_TIME, "0.5ns", NAN, NULL },
	{ UNIT_TIME, "9223372036s", 9223372036e9, "9223372036s" },
	{ UNIT_TIME, "9223372037s", NAN, NULL },	/* no longer 63 bits of ns */
	{ UNIT_RATE, "9999999tbit", NAN, NULL },
	{ UNIT_SIZE, "40kb", 40960, "40kb" },
	{ UNIT_SIZE, "40000", 40000, "40000b" },
	{ UNIT_SIZE, "1024kb", 1048576, "1mb" },
	{ UNIT_FRACTION, "0.2", 0.2, "0.2" },
	{ UNIT_FRACTION, "20%", 0.2, "0.2" },
	{ UNIT_FRACTION, "1/8", 0.125, "0.125" },
	{ UNIT_FRACTION, "1/8%", NAN, NULL },
	{ UNIT_FRACTION, "1/8x", NAN, NULL },
	{ UNIT_BOOL, "on", 1, "on" },
	{ UNIT_BOOL, "no", 0, "off" },
	{ UNIT_BOOL, "2", NAN, NULL },
};

static void test_keys(void)
{
	static const char *const names[] = { "count", "rate", "time", "size", "fraction", "bool",
		"enum", "text" };
	char name[80], *back;
	enum unit unit;
	double val;
	size_t i;
	int rc;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		val = 0;
		rc = unit_parse(keys[i].unit, keys[i].text, &val);
		back = rc ? xstrdup("") : unit_format(keys[i].unit, val);
		snprintf(name, sizeof(name), "unit_parse__%s_'%s'", unit_name(keys[i].unit),
			 keys[i].text);
		ktap(isnan(keys[i].val) ? rc : !rc && val == keys[i].val &&
		     !strcmp(back, keys[i].back), name, "got %g, \"%s\"", val, back);
		free(back);
	}
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(name, sizeof(name), "unit_by_name__%s", names[i]);
		ktap(!unit_by_name(names[i], &unit) && unit == i &&
		     !strcmp(unit_name(unit), names[i]), name, "not found");
	}
	ktap(unit_by_name("furlongs", &unit), "unit_by_name__unknown", "found");
}

static void test_quantities(void)
{
	static const struct {
		const char *text;
		double val;
	} settings[] = {
		{ "100gbit", 100e9 }, { "1.5us", 1500 }, { "200kb", 204800 }, { "8", 8 },
		{ "20%", 0.2 }, { "-3", -3 }, { "off", NAN }, { "", NAN }, { "5zz", NAN },
	};
	char name[80];
	double val;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(settings); i++) {
		val = rpt_parse_quantity(settings[i].text);
		snprintf(name, sizeof(name), "rpt_parse_quantity__'%s'", settings[i].text);
		ktap(isnan(settings[i].val) ? isnan(val) : val == settings[i].val, name, "got %g",
		     val);
	}
}

/* An axis has the unit of its largest value. */
static void test_axes(void)
{
	static const struct {
		enum rpt_unit unit;
		double max;
		const char *name;
		double div;
	} axes[] = {
		{ RPT_NS, 0, "ns", 1 }, { RPT_NS, 999, "ns", 1 }, { RPT_NS, 1000, "us", 1e3 },
		{ RPT_NS, 999.6, "us", 1e3 },
		{ RPT_NS, 55000, "us", 1e3 }, { RPT_NS, 998000, "us", 1e3 },
		{ RPT_NS, 3.5e6, "ms", 1e6 }, { RPT_NS, 1e9, "s", 1e9 }, { RPT_NS, 5e12, "s", 1e9 },
		{ RPT_BPS, 500, "bit/s", 1 }, { RPT_BPS, 5e3, "kbit/s", 1e3 },
		{ RPT_BPS, 5e6, "Mbit/s", 1e6 }, { RPT_BPS, 100e9, "Gbit/s", 1e9 },
		{ RPT_BPS, 2e12, "Tbit/s", 1e12 },
		{ RPT_COUNT, 1e9, "", 1 }, { RPT_PERCENT, 0.5, "%", 0.01 },
		{ RPT_PLAIN, 1e9, "", 1 },
	};
	struct rpt_scale sc;
	char name[80];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(axes); i++) {
		sc = rpt_scale_of(axes[i].unit, axes[i].max);
		snprintf(name, sizeof(name), "rpt_scale_of__%d_%g", axes[i].unit, axes[i].max);
		ktap(!strcmp(sc.name, axes[i].name) && sc.div == axes[i].div, name, "%s, %g",
		     sc.name, sc.div);
	}
}

static void test_texts(void)
{
	static const struct {
		enum rpt_unit unit;
		double val;
		const char *text;
	} texts[] = {
		{ RPT_NS, 4193, "4.193 us" }, { RPT_NS, 41930, "41.93 us" },
		{ RPT_NS, 419300, "419.3 us" }, { RPT_NS, 1500000, "1.5 ms" },
		{ RPT_NS, 2e9, "2 s" }, { RPT_NS, 17, "17 ns" }, { RPT_NS, 12345e9, "12345 s" },
		{ RPT_NS, 0, "0 ns" },
		{ RPT_BPS, 36.681e9, "36.68 Gbit/s" }, { RPT_BPS, 40e6, "40 Mbit/s" },
		{ RPT_PERCENT, 0.9910, "99.1 %" }, { RPT_PERCENT, 0.12346, "12.35 %" },
		{ RPT_COUNT, 540, "540" }, { RPT_PLAIN, 0.988, "0.988" },
		{ RPT_PLAIN, 14.1, "14.1" },
		{ RPT_PLAIN, -2.5, "-2.5" }, { RPT_NS, NAN, "- ns" },
	};
	char name[80], buf[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		rpt_fmt_auto(buf, sizeof(buf), texts[i].unit, texts[i].val);
		snprintf(name, sizeof(name), "rpt_fmt_auto__%s", texts[i].text);
		ktap(!strcmp(buf, texts[i].text), name, "got %s", buf);
	}
}

int main(void)
{
	test_keys();
	test_quantities();
	test_axes();
	test_texts();
	return ktap_end();
}
