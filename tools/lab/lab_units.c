// SPDX-License-Identifier: GPL-2.0
/*
 * Units of the command line: those of tc. kb is 1024 bytes, kbit 1000 bit/s.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lab_util.h"

static const char *const unit_names[] = {
	[UNIT_COUNT] = "count",
	[UNIT_RATE] = "rate",
	[UNIT_TIME] = "time",
	[UNIT_SIZE] = "size",
	[UNIT_FRACTION] = "fraction",
	[UNIT_BOOL] = "bool",
	[UNIT_ENUM] = "enum",
	[UNIT_TEXT] = "text",
};

/* Largest first within a unit: unit_format() takes the first that divides. */
static const struct {
	const char *suffix;
	double factor;
	enum unit unit;
} suffixes[] = {
	{ "tbit", 1e12, UNIT_RATE },
	{ "gbit", 1e9, UNIT_RATE },
	{ "mbit", 1e6, UNIT_RATE },
	{ "kbit", 1e3, UNIT_RATE },
	{ "bit", 1, UNIT_RATE },
	{ "s", 1e9, UNIT_TIME },
	{ "ms", 1e6, UNIT_TIME },
	{ "us", 1e3, UNIT_TIME },
	{ "ns", 1, UNIT_TIME },
	{ "gb", 1024.0 * 1024 * 1024, UNIT_SIZE },
	{ "mb", 1024.0 * 1024, UNIT_SIZE },
	{ "kb", 1024, UNIT_SIZE },
	{ "b", 1, UNIT_SIZE },
};

const char *unit_name(enum unit unit)
{
	return unit_names[unit];
}

int unit_by_name(const char *name, enum unit *unit)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(unit_names); i++) {
		if (strcmp(unit_names[i], name) == 0) {
			*unit = i;
			return 0;
		}
	}
	return -1;
}

/**
 * unit_suffix() - meaning of the letters after a number
 * @text: letters
 * @len: how many
 * @factor: to the base unit
 * @unit: which unit it belongs to
 *
 * Return: 0, or -1 if there is no such suffix.
 */
int unit_suffix(const char *text, size_t len, double *factor, enum unit *unit)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (strlen(suffixes[i].suffix) != len ||
		    strncasecmp(suffixes[i].suffix, text, len))
			continue;
		*factor = suffixes[i].factor;
		*unit = suffixes[i].unit;
		return 0;
	}
	return -1;
}

static int parse_bool(const char *text, double *val)
{
	static const char *const words[] = { "off", "on", "0", "1", "no", "yes", "false", "true" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcasecmp(text, words[i]) == 0) {
			*val = i & 1;
			return 0;
		}
	}
	return -1;
}

/* a/b, x%, or a number: a part of 1. */
static int parse_ratio(const char *text, double *val)
{
	double den;
	char *end;

	*val = strtod(text, &end);
	if (end == text || !isfinite(*val))
		return -1;
	if (strcmp(end, "%") == 0) {
		*val /= 100;
		return 0;
	}
	if (*end == '/') {
		text = end + 1;
		den = strtod(text, &end);
		if (end == text || !(den > 0))
			return -1;
		*val /= den;
	}
	return *end ? -1 : 0;
}

/**
 * unit_parse() - a value as the user writes it
 * @unit: what it must be
 * @text: number with a suffix of that unit, or without one in the base unit;
 *	a fraction also as a/b or x%
 * @val: result, in the base unit
 *
 * Return: 0, or -1 if it is no such value.
 */
int unit_parse(enum unit unit, const char *text, double *val)
{
	enum unit found;
	double factor;
	char *end;

	if (unit == UNIT_BOOL)
		return parse_bool(text, val);
	if (unit == UNIT_FRACTION)
		return parse_ratio(text, val);
	*val = strtod(text, &end);
	if (end == text || !isfinite(*val))
		return -1;
	if (*end) {
		if (unit_suffix(end, strlen(end), &factor, &found) || found != unit)
			return -1;
		*val *= factor;
	}
	/* Everything but a fraction is whole in its base unit. */
	return *val == rint(*val) ? 0 : -1;
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
	size_t i;

	if (unit == UNIT_BOOL)
		return xstrdup(val ? "on" : "off");
	if (unit == UNIT_FRACTION)
		return xasprintf("%g", val);
	for (i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (suffixes[i].unit == unit && val && fmod(val, suffixes[i].factor) == 0)
			return xasprintf("%.0f%s", val / suffixes[i].factor, suffixes[i].suffix);
	return xasprintf("%.0f", val);
}

static int mode_parse(const char *text, uint64_t *val)
{
	static const char *const names[] = { "off", "auto", "on" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(text, names[i]) && (text[0] != (char)('0' + i) || text[1]))
			continue;
		*val = i;
		return 0;
	}
	return -1;
}

/**
 * param_parse() - a parameter or knob in the kernel's words
 * @unit: ns, bytes, bps, ppm, count, bool, mode or q24, as the kernel says
 * @text: as the user writes it
 * @val: what the kernel takes
 *
 * Return: 0, or -1 if it is no such value.
 */
int param_parse(const char *unit, const char *text, uint64_t *val)
{
	static const struct {
		const char *name;
		enum unit unit;
	} units[] = {
		{ "ns", UNIT_TIME },
		{ "bytes", UNIT_SIZE },
		{ "bps", UNIT_RATE },
		{ "count", UNIT_COUNT },
		{ "bool", UNIT_BOOL },
	};
	double scale = strcmp(unit, "q24") == 0 ? 1 << 24 : 1000000, num;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(unit, units[i].name))
			continue;
		if (unit_parse(units[i].unit, text, &num) || num < 0 || num >= 0x1p64)
			return -1;
		*val = (uint64_t)num;
		return 0;
	}
	if (strcmp(unit, "mode") == 0)
		return mode_parse(text, val);
	/* Parts per million are written as such, or as a percentage. */
	if (strcmp(unit, "ppm") == 0 && !strpbrk(text, "%/."))
		scale = 1;
	if (parse_ratio(text, &num) || num < 0 || num > 1e9)
		return -1;
	*val = (uint64_t)llround(num * scale);
	return 0;
}
