// SPDX-License-Identifier: GPL-2.0
/*
 * Values of options: from the user's text, to text and JSON. tc's own parsers
 * of rates and times round; here a value is what the user wrote or refused.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/number.h"
#include "q_roce.h"

/* As in tc itself, bps are bytes per second. */
static const struct unit_suffix tc_rates[] = {
	{ "gbit", 1000000000, 1 }, { "mbit", 1000000, 1 }, { "kbit", 1000, 1 },
	{ "bit", 1, 1 }, { "", 1, 1 }, { "tbit", 1000000000000ULL, 1 },
	{ "kibit", 1 << 10, 1 }, { "mibit", 1 << 20, 1 }, { "gibit", 1 << 30, 1 },
	{ "tibit", 1ULL << 40, 1 },
	{ "bps", 8, 1 }, { "kbps", 8000, 1 }, { "mbps", 8000000, 1 },
	{ "gbps", 8000000000ULL, 1 }, { }
};

static const struct unit_suffix ppm_units[] = {
	{ "", 1000000, 1 }, { "%", 10000, 1 }, { }
};

static const struct unit_suffix ppb_units[] = {
	{ "", TC_ROCE_LOSS_ONE, 1 }, { "%", TC_ROCE_LOSS_ONE / 100, 1 }, { }
};

static const struct unit_suffix q16_units[] = {
	{ "", TC_ROCE_ALPHA_ONE, 1 }, { }
};

static const struct roce_word on_off_words[] = { { "off", 0 }, { "on", 1 }, { } };

/*
 * By form: the units that users may write (tools/lib/number.h), from where on they are also
 * printed, and what is behind the keyword in JSON.
 */
static const struct {
	const struct unit_suffix *units;
	const struct unit_suffix *print;
	const char *json;
} forms[] = {
	[ROCE_RATE] = { tc_rates, tc_rates, "_bps" },
	/* Printed from mb on, 1024mb and not 1gb: scripts read what tc prints. */
	[ROCE_SIZE] = { unit_sizes, unit_sizes + 1, "_bytes" },
	[ROCE_TIME] = { unit_times, unit_times, "_ns" },
	[ROCE_PPM] = { ppm_units, NULL, "_ppm" },
	[ROCE_ALPHA] = { q16_units, NULL, "_q16" },
	[ROCE_PPB] = { ppb_units, NULL, "_ppb" },
};

static int bad(const char *name, const char *text, const char *why,
	       const char *want)
{
	fprintf(stderr, "roce: %s \"%s\": %s, want %s\n", name, text, why,
		want);
	return -1;
}

static const char *why(enum number_error error)
{
	return error == NUMBER_NEGATIVE || error == NUMBER_LARGE ? "out of range" :
	       error == NUMBER_FRACTION ? "not a whole number of the base unit" :
	       number_why(error);
}

/*
 * NUMBER[UNIT], exact; for alpha also NUMBER/NUMBER, rounded to the nearest of its
 * steps, as 1/3 is none.
 */
static int parse_scaled(const struct roce_option *o, const char *text,
			uint64_t *out)
{
	bool alpha = o->form == ROCE_ALPHA, ratio;
	const struct unit_suffix *unit;
	enum number_error error;
	struct number n;
	const char *end;

	error = alpha ? number_read_ratio(text, &end, &n, &ratio) :
			number_read(text, &end, &n);
	if (error)
		return bad(o->name, text, why(error), o->want);
	unit = unit_find(forms[o->form].units, end, strlen(end));
	if (!unit)
		return bad(o->name, text, why(NUMBER_UNIT), o->want);
	number_scale(&n, unit);
	error = alpha ? number_round(&n, out) : number_whole(&n, out);
	if (error)
		return bad(o->name, text, why(error), o->want);
	return 0;
}

/**
 * roce_parse_whole - a whole number, decimal or 0x
 * @name: whose, for messages
 * @text: the number
 * @want: what it may be, in words
 * @max: highest value
 * @out: the number
 *
 * Return: 0, or -1 after a message.
 */
int roce_parse_whole(const char *name, const char *text, const char *want,
		     uint64_t max, uint64_t *out)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;

	if (!isdigit((unsigned char)*text))
		return bad(name, text, *text == '-' ? "out of range" :
			   "not a number", want);
	errno = 0;
	*out = strtoull(text, &end, hex ? 16 : 10);
	if (*end)
		return bad(name, text, "not a number", want);
	if (errno || *out > max)
		return bad(name, text, "out of range", want);
	return 0;
}

static int parse_signed(const struct roce_option *o, const char *text,
			uint64_t *out)
{
	bool minus = *text == '-';
	uint64_t number;

	if (roce_parse_whole(o->name, text + minus, o->want, INT32_MAX,
			     &number))
		return -1;
	*out = minus ? -number : number;
	return 0;
}

static int parse_ipv4(const struct roce_option *o, const char *text,
		      uint64_t *out)
{
	struct in_addr addr;

	if (inet_pton(AF_INET, text, &addr) != 1)
		return bad(o->name, text, "not an IPv4 address", o->want);
	*out = ntohl(addr.s_addr);
	return 0;
}

static const struct roce_word *words_of(const struct roce_option *o)
{
	return o->form == ROCE_ONOFF ? on_off_words : o->words;
}

static int parse_number(const struct roce_option *o, const char *text, uint64_t *out)
{
	switch (o->form) {
	case ROCE_NAMED:
	case ROCE_ONOFF:
		return bad(o->name, text, "unknown", o->want);
	case ROCE_SIGNED:
		return parse_signed(o, text, out);
	case ROCE_IPV4:
		return parse_ipv4(o, text, out);
	case ROCE_NUMBER:
	case ROCE_HEX:
		return roce_parse_whole(o->name, text, o->want, UINT64_MAX, out);
	default:
		return parse_scaled(o, text, out);
	}
}

static bool in_range(const struct roce_option *o, uint64_t value)
{
	uint64_t max = o->max ? o->max : UINT64_MAX >> (64 - 8 * o->bytes);

	if (o->form == ROCE_SIGNED)
		return (int64_t)value >= o->min && (int64_t)value <= (int64_t)max;
	return value >= (uint64_t)o->min && value <= max;
}

/**
 * roce_parse_value - the value behind a keyword
 * @o: option
 * @text: what the user wrote
 * @out: its value
 *
 * Return: 0, or -1 after a message.
 */
int roce_parse_value(const struct roce_option *o, const char *text, uint64_t *out)
{
	const struct roce_word *w;

	for (w = words_of(o); w && w->name; w++) {
		if (!strcmp(text, w->name)) {
			*out = w->value;
			return 0;
		}
	}
	if (parse_number(o, text, out))
		return -1;
	return in_range(o, *out) ? 0 : bad(o->name, text, why(NUMBER_LARGE), o->want);
}

/* With the largest unit that divides it. */
static void format_units(char *text, size_t size, const struct unit_suffix *units,
			 uint64_t value)
{
	const struct unit_suffix *u = unit_dividing(units, value);

	snprintf(text, size, "%" PRIu64 "%s", value / u->mul, u->name);
}

/* A fraction, or as few digits as make the same value again. */
static void format_alpha(char *text, size_t size, uint64_t q16)
{
	double alpha = q16 / (double)TC_ROCE_ALPHA_ONE;
	struct number n;
	uint64_t again;
	int digits = 0;

	if (q16 && q16 < TC_ROCE_ALPHA_ONE && !(TC_ROCE_ALPHA_ONE % q16)) {
		snprintf(text, size, "1/%" PRIu64, TC_ROCE_ALPHA_ONE / q16);
		return;
	}
	do {
		snprintf(text, size, "%.*g", ++digits, alpha);
	} while (digits < 12 && (quantity_parse(q16_units, text, &n) ||
				 number_round(&n, &again) || again != q16));
}

static void format_value(char *text, size_t size, const struct roce_option *o,
			 uint64_t value)
{
	switch (o->form) {
	default:	/* a name may be newer than this program */
		snprintf(text, size, "%" PRIu64, value);
		break;
	case ROCE_SIGNED:
		snprintf(text, size, "%d", (int32_t)value);
		break;
	case ROCE_HEX:
		snprintf(text, size, "0x%04" PRIx64, value);
		break;
	case ROCE_RATE:
	case ROCE_SIZE:
	case ROCE_TIME:
		format_units(text, size, forms[o->form].print, value);
		break;
	case ROCE_PPM:
		snprintf(text, size, "%.6g", value / 1e6);
		break;
	case ROCE_PPB:
		snprintf(text, size, "%.9g", value / (double)TC_ROCE_LOSS_ONE);
		break;
	case ROCE_ALPHA:
		format_alpha(text, size, value);
		break;
	case ROCE_IPV4:
		snprintf(text, size, "%u.%u.%u.%u", (unsigned int)value >> 24,
			 (unsigned int)value >> 16 & 255,
			 (unsigned int)value >> 8 & 255,
			 (unsigned int)value & 255);
		break;
	}
}

/**
 * roce_json_name - the key of an option in JSON
 * @o: option
 * @name: gets it: the keyword, and the unit
 * @size: bytes there
 *
 * Return: @name.
 */
const char *roce_json_name(const struct roce_option *o, char *name, size_t size)
{
	const char *unit = o->unit ? o->unit : o->form >= ROCE_RATE ? forms[o->form].json : "";
	char *c;

	snprintf(name, size, "%s%s", o->name, unit);
	for (c = name; *c; c++) {
		if (*c == '-')
			*c = '_';
	}
	return name;
}

/**
 * roce_text - a value as users write it
 * @o: option
 * @value: its value
 * @text: gets it
 * @size: bytes there
 *
 * Return: @text.
 */
const char *roce_text(const struct roce_option *o, uint64_t value, char *text, size_t size)
{
	const struct roce_word *w = words_of(o);

	while (w && w->name && w->value != value)
		w++;
	if (w && w->name)
		snprintf(text, size, "%s", w->name);
	else
		format_value(text, size, o, value);
	return text;
}
