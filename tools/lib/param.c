// SPDX-License-Identifier: GPL-2.0
/*
 * Values of parameters as people write them. A plain number is in base units.
 * All arithmetic is exact: a value that is no whole number of base units is
 * refused, except for fractions that may have no exact form: a q24 and a ratio
 * a/b are rounded to the nearest step.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "number.h"
#include "param.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof(*(a)))
#define Q24_ONE		16777216ULL	/* 2^24 */
#define PPM_ONE		1000000ULL

typedef unsigned __int128 uint128_t;

static const struct unit_suffix ppm_suffixes[] = {
	{ "", 1, 1 }, { "ppm", 1, 1 }, { "%", PPM_ONE / 100, 1 },
	{ NULL, 0, 0 }
};

static const struct unit_suffix q24_suffixes[] = {
	{ "", Q24_ONE, 1 }, { "%", Q24_ONE, 100 }, { "q24", 1, 1 },
	{ NULL, 0, 0 }
};

static const struct unit_suffix ppm_of_one = { "", PPM_ONE, 1 };

static const struct unit_desc {
	const char *name;
	const char *wants;
	const char *base;
	const struct unit_suffix *suffixes;
} unit_descs[] = {
	[PARAM_COUNT] = { "count", "a whole number", "units", unit_counts },
	[PARAM_NS] = { "ns", "a time (55us, 1ms; plain number: ns)", "ns", unit_times },
	[PARAM_BYTES] = {
		"bytes", "a size (200kb, 10mb; plain number: bytes)", "bytes",
		unit_sizes
	},
	[PARAM_BPS] = {
		"bps", "a rate (40mbit, 100gbit; plain number: bit/s)", "bit/s",
		unit_rates
	},
	[PARAM_PPM] = { "ppm", "parts per million (10000, 1%)", "ppm", ppm_suffixes },
	[PARAM_BOOL] = { "bool", "on or off", NULL, NULL },
	[PARAM_MODE] = { "mode", "off, auto or on", NULL, NULL },
	[PARAM_Q24] = {
		"q24", "a fraction (0.00390625, 1/256, 50%)", "q24", q24_suffixes
	},
};

#define UNITS	(ARRAY_SIZE(unit_descs))

enum param_unit param_unit_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; name && i < UNITS; i++)
		if (!strcmp(unit_descs[i].name, name))
			return i;
	return PARAM_COUNT;	/* a newer kernel's unit: show it unscaled */
}

enum param_unit param_unit_by_suffix(const char *name)
{
	const char *suffix = strrchr(name, '_');

	return suffix ? param_unit_by_name(suffix + 1) : PARAM_COUNT;
}

static bool parse_bool(const char *text, __u64 *val)
{
	bool on;

	if (!bool_parse(text, &on))
		return false;
	*val = on;
	return true;
}

static const char * const mode_names[] = { "off", "auto", "on" };

static bool parse_mode(const char *text, __u64 *val)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mode_names); i++) {
		const char number[] = { (char)('0' + i), '\0' };

		if (!strcasecmp(text, mode_names[i]) || !strcmp(text, number)) {
			*val = i;
			return true;
		}
	}
	return false;
}

/* "40gbps" is bytes per second to tc and bits per second to everybody else. */
static bool ends_in_bps(const char *p)
{
	size_t len = strlen(p);

	return len >= 3 && !strcasecmp(p + len - 3, "bps");
}

static bool bad_unit(enum param_unit unit, const char *end, char *why, size_t why_len)
{
	if (unit == PARAM_BPS && ends_in_bps(end))
		snprintf(why, why_len, "unit %s is ambiguous, say mbit or gbit", end);
	else
		snprintf(why, why_len, "unit %s: needs %s", end, unit_descs[unit].wants);
	return false;
}

static bool bad_number(enum param_unit unit, enum number_error error, char *why, size_t why_len)
{
	if (error == NUMBER_NEGATIVE)
		snprintf(why, why_len, "must not be negative");
	else if (error == NUMBER_LARGE)
		snprintf(why, why_len, "is too large");
	else if (error == NUMBER_FRACTION)
		snprintf(why, why_len, "is not a whole number of %s", unit_descs[unit].base);
	else if (error == NUMBER_DIGITS)
		snprintf(why, why_len, "has too many digits");
	return false;
}

/* Parts per million are written as such, or as a fraction: 0.01, 1/100. */
static const struct unit_suffix *find_unit(enum param_unit unit, const char *text,
					   const char *end, bool ratio)
{
	if (unit == PARAM_PPM && !*end && (ratio || strchr(text, '.')))
		return &ppm_of_one;
	return ratio && *end ? NULL : unit_find(unit_descs[unit].suffixes, end, strlen(end));
}

bool param_parse(enum param_unit unit, const char *text, __u64 *val, char *why, size_t why_len)
{
	const struct unit_desc *d = &unit_descs[unit];
	bool ratio = false, fraction = unit == PARAM_Q24 || unit == PARAM_PPM;
	const struct unit_suffix *suffix;
	enum number_error error;
	struct number n;
	const char *end;
	uint64_t v;

	snprintf(why, why_len, "needs %s", d->wants);
	if (unit == PARAM_BOOL)
		return parse_bool(text, val);
	if (unit == PARAM_MODE)
		return parse_mode(text, val);
	error = fraction ? number_read_ratio(text, &end, &n, &ratio) : number_read(text, &end, &n);
	if (error)
		return bad_number(unit, error, why, why_len);
	suffix = find_unit(unit, text, end, ratio);
	if (!suffix)
		return bad_unit(unit, end, why, why_len);
	number_scale(&n, suffix);
	error = ratio || unit == PARAM_Q24 ? number_round(&n, &v) : number_whole(&n, &v);
	if (error)
		return bad_number(unit, error, why, why_len);
	*val = v;
	return true;
}

/* @num / @den with @decimals decimals, trailing zeros removed. */
static void put_decimal(char *buf, size_t len, uint128_t num, uint64_t den, unsigned int decimals)
{
	uint64_t scale = 1;
	unsigned int i;
	uint128_t fixed;
	size_t n;

	for (i = 0; i < decimals; i++)
		scale *= 10;
	fixed = (num * scale + den / 2) / den;
	n = snprintf(buf, len, "%" PRIu64, (uint64_t)(fixed / scale));
	if (!(fixed % scale))
		return;
	n += snprintf(buf + n, len - n, ".%0*" PRIu64, (int)decimals, (uint64_t)(fixed % scale));
	while (buf[n - 1] == '0')
		buf[--n] = '\0';
}

struct scale {
	const char *name;
	uint64_t mul;
};

static const struct scale bps_scales[] = {
	{ "Tbit", 1000000000000ULL }, { "Gbit", 1000000000 },
	{ "Mbit", 1000000 }, { "Kbit", 1000 }, { "bit", 1 },
};

static const struct scale ns_scales[] = {
	{ "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 },
};

static const struct scale bytes_scales[] = {
	{ "gb", 1 << 30 }, { "mb", 1 << 20 }, { "kb", 1 << 10 }, { "b", 1 },
};

/*
 * The largest unit that fits, or with @exact the largest in which the value has
 * at most three decimals and so reads back unchanged.
 */
static void put_scaled(char *buf, const struct scale *s, uint64_t val, bool exact)
{
	/* 1/8 is the smallest binary fraction that three decimals hold */
	uint64_t step = s->mul & (s->mul - 1) ? 1000 : 8;
	size_t n;

	for (; s->mul > 1; s++)
		if (val >= s->mul && (!exact || !(val % (s->mul / step))))
			break;
	put_decimal(buf, PARAM_TEXT_MAX, val, s->mul, s->mul > 1 ? 3 : 0);
	n = strlen(buf);
	snprintf(buf + n, PARAM_TEXT_MAX - n, "%s", s->name);
}

/* As few decimals as it takes to read the same value back. */
static void put_q24(char *buf, uint64_t val)
{
	unsigned int decimals;
	__u64 back;
	char why[PARAM_TEXT_MAX * 2];

	for (decimals = 1; decimals <= 9; decimals++) {
		put_decimal(buf, PARAM_TEXT_MAX, val, Q24_ONE, decimals);
		if (param_parse(PARAM_Q24, buf, &back, why, sizeof(why)) && back == val)
			break;
	}
}

const char *param_format(enum param_unit unit, __u64 val, enum param_style style, char *buf)
{
	if (unit == PARAM_BOOL && val <= 1 && style != PARAM_RAW) {
		snprintf(buf, PARAM_TEXT_MAX, "%s", val ? "on" : "off");
	} else if (unit == PARAM_MODE && val < ARRAY_SIZE(mode_names) &&
		   style != PARAM_RAW) {
		snprintf(buf, PARAM_TEXT_MAX, "%s", mode_names[val]);
	} else if (unit == PARAM_Q24 && style == PARAM_RAW) {
		/* with its suffix, or it would read back as a whole number */
		snprintf(buf, PARAM_TEXT_MAX, "%lluq24", val);
	} else if (style == PARAM_RAW || unit == PARAM_COUNT ||
		   unit == PARAM_BOOL || unit == PARAM_MODE) {
		snprintf(buf, PARAM_TEXT_MAX, "%llu", val);
	} else if (unit == PARAM_Q24) {
		put_q24(buf, val);
	} else if (unit == PARAM_PPM) {
		snprintf(buf, PARAM_TEXT_MAX, "%lluppm", val);
	} else {
		const struct scale *s = unit == PARAM_BPS ? bps_scales :
					unit == PARAM_NS ? ns_scales :
					bytes_scales;

		put_scaled(buf, s, val, style == PARAM_EXACT);
	}
	return buf;
}
