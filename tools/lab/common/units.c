// SPDX-License-Identifier: GPL-2.0
/*
 * Values of a scenario's keys, in the units that scenario files name. The
 * spellings and the arithmetic are tools/lib's.
 */
#include <math.h>
#include <string.h>

#include "common/util.h"

static const struct {
	const char *name;
	const struct unit_suffix *suffixes;
} kinds[] = {
	[UNIT_COUNT] = { "count", unit_counts },
	[UNIT_RATE] = { "rate", unit_rates },
	[UNIT_TIME] = { "time", unit_times },
	[UNIT_SIZE] = { "size", unit_sizes },
	[UNIT_FRACTION] = { "fraction", unit_fractions },
	[UNIT_BOOL] = { "bool", NULL },
	[UNIT_ENUM] = { "enum", NULL },
	[UNIT_TEXT] = { "text", NULL },
};

const char *unit_name(enum unit unit)
{
	return kinds[unit].name;
}

int unit_by_name(const char *name, enum unit *unit)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(kinds[i].name, name) == 0) {
			*unit = i;
			return 0;
		}
	}
	return -1;
}

/* a/b, x%, or a number: a part of 1. */
static int parse_fraction(const char *text, double *val)
{
	const struct unit_suffix *unit;
	struct number n;
	const char *end;
	bool ratio;

	if (number_read_ratio(text, &end, &n, &ratio))
		return -1;
	unit = ratio && *end ? NULL : unit_find(unit_fractions, end, strlen(end));
	if (!unit)
		return -1;
	number_scale(&n, unit);
	*val = number_double(&n);
	return 0;
}

/**
 * unit_parse() - a value as the user writes it
 * @unit: what it must be
 * @text: number with a suffix of that unit, or without one in the base unit;
 *	a fraction also as a/b or x%
 * @val: result, in the base unit
 *
 * Everything but a fraction is whole in its base unit, and fits 64 bits with a sign.
 *
 * Return: 0, or -1 if it is no such value.
 */
int unit_parse(enum unit unit, const char *text, double *val)
{
	struct number n;
	bool on;

	if (unit == UNIT_BOOL) {
		if (!bool_parse(text, &on))
			return -1;
		*val = on;
		return 0;
	}
	if (unit == UNIT_FRACTION)
		return parse_fraction(text, val);
	if (!kinds[unit].suffixes || quantity_parse(kinds[unit].suffixes, text, &n) ||
	    n.num % n.den)
		return -1;
	*val = number_double(&n);
	return *val < 0x1p63 ? 0 : -1;
}

/**
 * unit_format() - a value as the user would write it
 * @unit: its unit
 * @val: in the base unit
 *
 * Return: new string.
 */
char *unit_format(enum unit unit, double val)
{
	const struct unit_suffix *u = kinds[unit].suffixes;

	if (unit == UNIT_BOOL)
		return xstrdup(val ? "on" : "off");
	if (unit == UNIT_FRACTION)
		return xasprintf("%g", val);
	while (u && *u->name && (!val || fmod(val, u->mul) != 0))
		u++;
	return u ? xasprintf("%.0f%s", val / u->mul, u->name) : xasprintf("%.0f", val);
}
