// SPDX-License-Identifier: GPL-2.0
/*
 * lab report: prints and parses figures with units. Rates and times have powers of 1000, bytes
 * have powers of 1024. Values of settings have the units of tc.
 */
#include <math.h>
#include <string.h>

#include "lib/number.h"
#include "report/report.h"

static const struct rpt_scale rpt_scales[][5] = {
	[RPT_BPS] = { { 1, "bit/s" }, { 1e3, "kbit/s" }, { 1e6, "Mbit/s" },
		      { 1e9, "Gbit/s" }, { 1e12, "Tbit/s" } },
	[RPT_NS] = { { 1, "ns" }, { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" } },
	[RPT_BYTES] = { { 1, "B" }, { 1024, "KiB" }, { 1048576, "MiB" },
			{ 1073741824, "GiB" } },
	[RPT_COUNT] = { { 1, "" } },
	[RPT_PERCENT] = { { 0.01, "%" } },
	[RPT_PLAIN] = { { 1, "" } },
};

/* The largest unit in which @max is still 1 or more. */
struct rpt_scale rpt_scale_of(enum rpt_unit unit, double max)
{
	struct rpt_scale sc = rpt_scales[unit][0];
	int i;

	for (i = 1; i < 5 && rpt_scales[unit][i].name; i++)
		if (max >= rpt_scales[unit][i].div * 0.9995)
			sc = rpt_scales[unit][i];
	return sc;
}

/* @v in the given scale to about four digits, without the unit's name. */
void rpt_fmt(char *buf, size_t len, enum rpt_unit unit, struct rpt_scale sc, double v)
{
	double x = v / sc.div, mag = fabs(x);

	if (isnan(v))
		snprintf(buf, len, "-");
	else if (unit == RPT_COUNT || (unit != RPT_PLAIN && sc.div == 1))
		snprintf(buf, len, "%.0f", v);
	else if (unit == RPT_PERCENT)
		snprintf(buf, len, "%.2f", x);
	else if (mag == 0)
		snprintf(buf, len, "0");
	else if (mag >= 999.95)
		snprintf(buf, len, "%.0f", x);
	else if (mag >= 99.995)
		snprintf(buf, len, "%.1f", x);
	else if (mag >= 9.9995)
		snprintf(buf, len, "%.2f", x);
	else
		snprintf(buf, len, "%.3f", x);
}

/* @v in its own best scale, with the unit's name, without idle zeros. */
void rpt_fmt_auto(char *buf, size_t len, enum rpt_unit unit, double v)
{
	struct rpt_scale sc = rpt_scale_of(unit, fabs(v));
	char num[32], *end;

	rpt_fmt(num, sizeof(num), unit, sc, v);
	if (strchr(num, '.')) {
		end = num + strlen(num) - 1;
		while (*end == '0')
			*end-- = '\0';
		if (*end == '.')
			*end = '\0';
	}
	snprintf(buf, len, "%s%s%s", num, *sc.name ? " " : "", sc.name);
}

/**
 * rpt_parse_quantity() - a setting's value in base units
 * @s: a plain number or one with a unit of tc's: 100gbit, 1us, 200kb
 *
 * Return: bit/s, ns, bytes or the plain number; NAN when it is none of these.
 */
double rpt_parse_quantity(const char *s)
{
	const struct unit_suffix *unit;
	const char *end;
	struct number n;

	if (number_read(s, &end, &n))
		return NAN;
	unit = unit_find_any(end, strlen(end));
	if (!unit)
		return NAN;
	number_scale(&n, unit);
	return number_double(&n);
}

/* "what (unit)", or "what" alone if it has no unit */
char *rpt_axis(const char *what, struct rpt_scale sc)
{
	return *sc.name ? rpt_text("%s (%s)", what, sc.name) : rpt_text("%s", what);
}
