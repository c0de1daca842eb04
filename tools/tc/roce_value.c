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

#include "q_roce.h"

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
static int parse_scaled(const struct roce_keyword *kw, const char *text,
			uint64_t *out)
{
	bool alpha = kw->form == ROCE_ALPHA, ratio;
	const struct unit_suffix *unit;
	enum number_error error;
	struct number n;
	const char *end;

	error = alpha ? number_read_ratio(text, &end, &n, &ratio) :
			number_read(text, &end, &n);
	if (error)
		return bad(kw->name, text, why(error), kw->want);
	unit = unit_find(kw->units->read, end, strlen(end));
	if (!unit)
		return bad(kw->name, text, why(NUMBER_UNIT), kw->want);
	number_scale(&n, unit);
	error = alpha ? number_round(&n, out) : number_whole(&n, out);
	if (error)
		return bad(kw->name, text, why(error), kw->want);
	if ((double)*out < kw->min || (double)*out > kw->max)
		return bad(kw->name, text, why(NUMBER_LARGE), kw->want);
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

static int parse_signed(const struct roce_keyword *kw, const char *text,
			uint64_t *out)
{
	bool minus = *text == '-';
	uint64_t number;

	if (roce_parse_whole(kw->name, text + minus, kw->want, INT32_MAX,
			     &number))
		return -1;
	*out = minus ? -number : number;
	if ((double)(int64_t)*out < kw->min || (double)(int64_t)*out > kw->max)
		return bad(kw->name, text, "out of range", kw->want);
	return 0;
}

static int parse_ipv4(const struct roce_keyword *kw, const char *text,
		      uint64_t *out)
{
	struct in_addr addr;

	if (inet_pton(AF_INET, text, &addr) != 1)
		return bad(kw->name, text, "not an IPv4 address", kw->want);
	*out = ntohl(addr.s_addr);
	if (!*out)
		return bad(kw->name, text, "out of range", kw->want);
	return 0;
}

/**
 * roce_parse_value - the value behind a keyword
 * @kw: keyword
 * @text: what the user wrote
 * @out: its value
 *
 * Return: 0, or -1 after a message.
 */
int roce_parse_value(const struct roce_keyword *kw, const char *text,
		     uint64_t *out)
{
	const struct roce_word *w;

	for (w = kw->words; w && w->name; w++) {
		if (!strcmp(text, w->name)) {
			*out = w->value;
			return 0;
		}
	}
	switch (kw->form) {
	case ROCE_NAMED:
		return bad(kw->name, text, "unknown", kw->want);
	case ROCE_SIGNED:
		return parse_signed(kw, text, out);
	case ROCE_IPV4:
		return parse_ipv4(kw, text, out);
	case ROCE_NUMBER:
	case ROCE_HEX:
		if (roce_parse_whole(kw->name, text, kw->want, UINT64_MAX, out))
			return -1;
		if ((double)*out < kw->min || (double)*out > kw->max)
			return bad(kw->name, text, "out of range", kw->want);
		return 0;
	default:
		return parse_scaled(kw, text, out);
	}
}

/* With the largest unit that divides it. */
static void format_units(char *text, size_t size, const struct roce_units *units,
			 uint64_t value)
{
	const struct unit_suffix *u = unit_dividing(units->print, value);

	snprintf(text, size, "%" PRIu64 "%s", value / u->mul, u->name);
}

/* A fraction, or as few digits as make the same value again. */
static void format_alpha(char *text, size_t size, const struct roce_keyword *kw,
			 uint64_t q16)
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
	} while (digits < 12 && (quantity_parse(kw->units->read, text, &n) ||
				 number_round(&n, &again) || again != q16));
}

static void format_value(char *text, size_t size, const struct roce_keyword *kw,
			 uint64_t value)
{
	switch (kw->form) {
	case ROCE_NAMED:	/* newer than this program */
	case ROCE_NUMBER:
		snprintf(text, size, "%" PRIu64, value);
		break;
	case ROCE_SIGNED:
		snprintf(text, size, "%d", (int32_t)value);
		break;
	case ROCE_HEX:
		snprintf(text, size, "0x%04" PRIx64, value);
		break;
	case ROCE_UNITS:
		format_units(text, size, kw->units, value);
		break;
	case ROCE_PPM:
		snprintf(text, size, "%.6g", value / 1e6);
		break;
	case ROCE_ALPHA:
		format_alpha(text, size, kw, value);
		break;
	case ROCE_IPV4:
		snprintf(text, size, "%u.%u.%u.%u", (unsigned int)value >> 24,
			 (unsigned int)value >> 16 & 255,
			 (unsigned int)value >> 8 & 255,
			 (unsigned int)value & 255);
		break;
	}
}

static void print_json(const struct roce_keyword *kw, const char *text,
		       bool named, uint64_t value)
{
	if (kw->as_json == ROCE_JSON_STRING)
		print_color_string(PRINT_JSON, COLOR_NONE, kw->json, NULL,
				   text);
	else if (kw->as_json == ROCE_JSON_BOOL)
		print_color_bool(PRINT_JSON, COLOR_NONE, kw->json, NULL, value);
	else if (kw->as_json == ROCE_JSON_NULL && named && value == kw->quiet)
		print_color_null(PRINT_JSON, COLOR_NONE, kw->json, NULL, NULL);
	else if (kw->form == ROCE_SIGNED)
		print_color_int(PRINT_JSON, COLOR_NONE, kw->json, NULL,
				(int32_t)value);
	else
		print_color_u64(PRINT_JSON, COLOR_NONE, kw->json, NULL, value);
}

/**
 * roce_is_shown - is a value worth a word in text?
 * @kw: keyword
 * @value: its value
 *
 * Return: false for defaults of options that few use.
 */
bool roce_is_shown(const struct roce_keyword *kw, uint64_t value)
{
	return !kw->is_quiet || value != kw->quiet;
}

/**
 * roce_print_value - "KEYWORD VALUE ", so that tc takes it back, or JSON
 * @kw: keyword
 * @value: its value
 *
 * Text leaves out what is not worth a word; JSON has everything.
 */
void roce_print_value(const struct roce_keyword *kw, uint64_t value)
{
	const struct roce_word *w = kw->words;
	char text[64], out[128];

	while (w && w->name && w->value != value)
		w++;
	if (w && w->name)
		snprintf(text, sizeof(text), "%s", w->name);
	else
		format_value(text, sizeof(text), kw, value);
	print_json(kw, text, w && w->name, value);
	if (!roce_is_shown(kw, value))
		return;
	snprintf(out, sizeof(out), "%s %s ", kw->name, text);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s", out);
}
