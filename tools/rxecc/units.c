// SPDX-License-Identifier: GPL-2.0
/*
 * Values as people write them. Suffixes are tc's (100gbit, 200kb, 55us; kb is
 * 1024 bytes), a plain number is in base units. All arithmetic is exact: a
 * value that is no whole number of base units is refused, except for q24,
 * which is rounded to the nearest step.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "units.h"

#define uint128_t unsigned __int128

/* Digits of one number; 10^24 times the largest factor stays below 2^127. */
#define DIGITS_MAX	24
#define Q24_ONE		16777216ULL	/* 2^24 */

struct suffix {
	const char *name;
	u64 mul;
	u64 div;
};

static const struct suffix count_suffixes[] = {
	{ "", 1, 1 },
	{ NULL, 0, 0 }
};

static const struct suffix ns_suffixes[] = {
	{ "", 1, 1 },
	{ "ns", 1, 1 }, { "nsec", 1, 1 }, { "nsecs", 1, 1 },
	{ "us", 1000, 1 }, { "usec", 1000, 1 }, { "usecs", 1000, 1 },
	{ "ms", 1000000, 1 }, { "msec", 1000000, 1 }, { "msecs", 1000000, 1 },
	{ "s", 1000000000, 1 }, { "sec", 1000000000, 1 },
	{ "secs", 1000000000, 1 },
	{ NULL, 0, 0 }
};

static const struct suffix bytes_suffixes[] = {
	{ "", 1, 1 }, { "b", 1, 1 },
	{ "k", 1 << 10, 1 }, { "kb", 1 << 10, 1 },
	{ "m", 1 << 20, 1 }, { "mb", 1 << 20, 1 },
	{ "g", 1 << 30, 1 }, { "gb", 1 << 30, 1 },
	{ "kbit", 1 << 7, 1 }, { "mbit", 1 << 17, 1 }, { "gbit", 1 << 27, 1 },
	{ NULL, 0, 0 }
};

static const struct suffix bps_suffixes[] = {
	{ "", 1, 1 }, { "bit", 1, 1 },
	{ "kbit", 1000, 1 }, { "kibit", 1 << 10, 1 },
	{ "mbit", 1000000, 1 }, { "mibit", 1 << 20, 1 },
	{ "gbit", 1000000000, 1 }, { "gibit", 1 << 30, 1 },
	{ "tbit", 1000000000000ULL, 1 },
	{ "tibit", 1ULL << 40, 1 },
	{ NULL, 0, 0 }
};

static const struct suffix ppm_suffixes[] = {
	{ "", 1, 1 }, { "ppm", 1, 1 }, { "%", 10000, 1 },
	{ NULL, 0, 0 }
};

static const struct suffix q24_suffixes[] = {
	{ "", Q24_ONE, 1 }, { "%", Q24_ONE, 100 }, { "q24", 1, 1 },
	{ NULL, 0, 0 }
};

static const struct unit_desc {
	const char *name;
	const char *wants;
	const struct suffix *suffixes;
} unit_descs[] = {
	[UNIT_COUNT] = { "count", "a whole number", count_suffixes },
	[UNIT_NS] = { "ns", "a time (55us, 1ms; plain number: ns)", ns_suffixes },
	[UNIT_BYTES] = {
		"bytes", "a size (200kb, 10mb; plain number: bytes)",
		bytes_suffixes
	},
	[UNIT_BPS] = {
		"bps", "a rate (40mbit, 100gbit; plain number: bit/s)",
		bps_suffixes
	},
	[UNIT_PPM] = { "ppm", "parts per million (10000, 1%)", ppm_suffixes },
	[UNIT_BOOL] = { "bool", "on or off", NULL },
	[UNIT_MODE] = { "mode", "off, auto or on", NULL },
	[UNIT_Q24] = {
		"q24", "a fraction (0.00390625, 1/256, 50%)", q24_suffixes
	},
};

#define UNITS	(ARRAY_SIZE(unit_descs))

enum unit unit_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; name && i < UNITS; i++)
		if (!strcmp(unit_descs[i].name, name))
			return i;
	return UNIT_COUNT;	/* a newer kernel's unit: show it unscaled */
}

enum unit unit_by_suffix(const char *name)
{
	const char *suffix = strrchr(name, '_');

	return suffix ? unit_by_name(suffix + 1) : UNIT_COUNT;
}

static bool parse_bool(const char *text, u64 *val)
{
	static const char * const words[] = {
		"off", "on", "false", "true", "no", "yes", "0", "1",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcasecmp(text, words[i])) {
			*val = i & 1;
			return true;
		}
	}
	return false;
}

static const char * const mode_names[] = { "off", "auto", "on" };

static bool parse_mode(const char *text, u64 *val)
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

/* digits[.digits] as @num / @den; NULL when there is no number to read. */
static const char *parse_decimal(const char *p, uint128_t *num, uint128_t *den)
{
	unsigned int digits = 0;
	bool any = false;

	*num = 0;
	*den = 1;
	for (; isdigit((unsigned char)*p); p++) {
		*num = *num * 10 + (unsigned int)(*p - '0');
		any = true;
		if (*num && ++digits > DIGITS_MAX)
			return NULL;
	}
	if (*p != '.')
		return any ? p : NULL;
	for (p++; isdigit((unsigned char)*p); p++) {
		const char *q = p;

		any = true;
		while (*q == '0')
			q++;
		if (!isdigit((unsigned char)*q))
			return q;	/* only zeros are left */
		*num = *num * 10 + (unsigned int)(*p - '0');
		*den *= 10;
		if (++digits > DIGITS_MAX)
			return NULL;
	}
	return any ? p : NULL;
}

static bool fits_u64(uint128_t num, uint128_t den, bool round, u64 *val)
{
	uint128_t q = num / den;
	uint128_t r = num % den;

	if (r && !round)
		return false;
	if (r && r >= den - r)
		q++;
	if (q > U64_MAX)
		return false;
	*val = (u64)q;
	return true;
}

/* a/b, which tc does not know, is the natural way to write a gain. */
static bool parse_ratio(const char *text, uint128_t *num, uint128_t *den)
{
	uint128_t a, b, one;
	const char *p;

	p = parse_decimal(text, &a, &one);
	if (!p || one != 1 || *p != '/')
		return false;
	p = parse_decimal(p + 1, &b, &one);
	if (!p || one != 1 || *p || !b)
		return false;
	*num = a * Q24_ONE;
	*den = b;
	return true;
}

static const struct suffix *find_suffix(const struct suffix *s, const char *p)
{
	for (; s->name; s++)
		if (!strcasecmp(s->name, p))
			return s;
	return NULL;
}

/* "40gbps" is bytes per second to tc and bits per second to everybody else. */
static bool ends_in_bps(const char *p)
{
	size_t len = strlen(p);

	return len >= 3 && !strcasecmp(p + len - 3, "bps");
}

bool unit_parse(enum unit unit, const char *text, u64 *val,
		char *why, size_t why_len)
{
	const struct unit_desc *d = &unit_descs[unit];
	const struct suffix *s;
	uint128_t num, den;
	const char *p;
	u64 v;

	snprintf(why, why_len, "needs %s", d->wants);
	if (unit == UNIT_BOOL)
		return parse_bool(text, val);
	if (unit == UNIT_MODE)
		return parse_mode(text, val);
	if (*text == '-') {
		snprintf(why, why_len, "must not be negative");
		return false;
	}
	if (unit != UNIT_Q24 || !parse_ratio(text, &num, &den)) {
		p = parse_decimal(text, &num, &den);
		if (!p)
			return false;
		s = find_suffix(d->suffixes, p);
		if (!s) {
			if (unit == UNIT_BPS && ends_in_bps(p))
				snprintf(why, why_len,
					 "unit %s is ambiguous, say mbit or gbit",
					 p);
			else
				snprintf(why, why_len, "unit %s: needs %s", p,
					 d->wants);
			return false;
		}
		num *= s->mul;
		den *= s->div;
	}
	if (num / den > U64_MAX) {
		snprintf(why, why_len, "is too large");
		return false;
	}
	if (!fits_u64(num, den, unit == UNIT_Q24, &v)) {
		snprintf(why, why_len, "is not a whole number of %s",
			 unit == UNIT_COUNT ? "units" :
			 unit == UNIT_BPS ? "bit/s" : d->name);
		return false;
	}
	*val = v;
	return true;
}

/* @num / @den with @decimals decimals, trailing zeros removed. */
static void put_decimal(char *buf, size_t len, uint128_t num, u64 den,
			unsigned int decimals)
{
	u64 scale = 1;
	unsigned int i;
	uint128_t fixed;
	size_t n;

	for (i = 0; i < decimals; i++)
		scale *= 10;
	fixed = (num * scale + den / 2) / den;
	n = snprintf(buf, len, "%llu", (u64)(fixed / scale));
	if (!(fixed % scale))
		return;
	n += snprintf(buf + n, len - n, ".%0*llu", (int)decimals,
		      (u64)(fixed % scale));
	while (buf[n - 1] == '0')
		buf[--n] = '\0';
}

struct scale {
	const char *name;
	u64 mul;
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
static void put_scaled(char *buf, const struct scale *s, u64 val,
		       bool exact)
{
	/* 1/8 is the smallest binary fraction that three decimals hold */
	u64 step = s->mul & (s->mul - 1) ? 1000 : 8;
	size_t n;

	for (; s->mul > 1; s++)
		if (val >= s->mul && (!exact || !(val % (s->mul / step))))
			break;
	put_decimal(buf, UNIT_TEXT_MAX, val, s->mul, s->mul > 1 ? 3 : 0);
	n = strlen(buf);
	snprintf(buf + n, UNIT_TEXT_MAX - n, "%s", s->name);
}

/* As few decimals as it takes to read the same value back. */
static void put_q24(char *buf, u64 val)
{
	unsigned int decimals;
	u64 back;
	char why[UNIT_TEXT_MAX * 2];

	for (decimals = 1; decimals <= 9; decimals++) {
		put_decimal(buf, UNIT_TEXT_MAX, val, Q24_ONE, decimals);
		if (unit_parse(UNIT_Q24, buf, &back, why, sizeof(why)) &&
		    back == val)
			break;
	}
}

const char *unit_format(enum unit unit, u64 val, enum unit_style style,
			char *buf)
{
	if (unit == UNIT_BOOL && val <= 1 && style != UNIT_RAW) {
		snprintf(buf, UNIT_TEXT_MAX, "%s", val ? "on" : "off");
	} else if (unit == UNIT_MODE && val < ARRAY_SIZE(mode_names) &&
		   style != UNIT_RAW) {
		snprintf(buf, UNIT_TEXT_MAX, "%s", mode_names[val]);
	} else if (unit == UNIT_Q24 && style == UNIT_RAW) {
		/* with its suffix, or it would read back as a whole number */
		snprintf(buf, UNIT_TEXT_MAX, "%lluq24", val);
	} else if (style == UNIT_RAW || unit == UNIT_COUNT ||
		   unit == UNIT_BOOL || unit == UNIT_MODE) {
		snprintf(buf, UNIT_TEXT_MAX, "%llu", val);
	} else if (unit == UNIT_Q24) {
		put_q24(buf, val);
	} else if (unit == UNIT_PPM) {
		snprintf(buf, UNIT_TEXT_MAX, "%lluppm", val);
	} else {
		const struct scale *s = unit == UNIT_BPS ? bps_scales :
					unit == UNIT_NS ? ns_scales :
					bytes_scales;

		put_scaled(buf, s, val, style == UNIT_EXACT);
	}
	return buf;
}
