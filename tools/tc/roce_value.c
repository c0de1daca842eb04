// SPDX-License-Identifier: GPL-2.0
/*
 * Values of options: from the user's text, to text and JSON. tc's own parsers
 * of rates and times round; here a value is what the user wrote or refused.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "q_roce.h"

static int bad(const char *name, const char *text, const char *why,
	       const char *want)
{
	fprintf(stderr, "roce: %s \"%s\": %s, want %s\n", name, text, why,
		want);
	return -1;
}

/* strtod() also takes hexadecimal, infinity and leading space. */
static bool starts_number(const char *text)
{
	text += *text == '-' || *text == '+';
	return (isdigit((unsigned char)*text) || *text == '.') &&
	       tolower((unsigned char)text[1]) != 'x';
}

/* NUMBER[UNIT], or for alpha NUMBER/NUMBER, rounded to whole base units. */
static int parse_scaled(const struct roce_keyword *kw, const char *text,
			uint64_t *out)
{
	const struct roce_unit *u;
	double number, by = 1;
	char *end;

	if (!starts_number(text))
		return bad(kw->name, text, "not a number", kw->want);
	number = strtod(text, &end);
	if (kw->form == ROCE_ALPHA && *end == '/' && starts_number(end + 1))
		by = strtod(end + 1, &end);
	for (u = kw->units; u->name; u++) {
		if (!strcasecmp(end, u->name))
			break;
	}
	if (!u->name)
		return bad(kw->name, text, "unknown unit", kw->want);
	number = rint(number / by * u->scale);
	if (!(number >= kw->min && number <= kw->max))
		return bad(kw->name, text, "out of range", kw->want);
	*out = (uint64_t)number;
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
static void format_units(char *text, size_t size, const struct roce_unit *u,
			 uint64_t value)
{
	while (u->scale > 1 && (!value || value % (uint64_t)u->scale))
		u++;
	snprintf(text, size, "%" PRIu64 "%s", value / (uint64_t)u->scale,
		 u->name);
}

/* A fraction, or as few digits as make the same value again. */
static void format_alpha(char *text, size_t size, uint64_t q16)
{
	double alpha = q16 / (double)TC_ROCE_ALPHA_ONE;
	int digits = 0;

	if (q16 && q16 < TC_ROCE_ALPHA_ONE && !(TC_ROCE_ALPHA_ONE % q16)) {
		snprintf(text, size, "1/%" PRIu64, TC_ROCE_ALPHA_ONE / q16);
		return;
	}
	do {
		snprintf(text, size, "%.*g", ++digits, alpha);
	} while (digits < 12 && rint(strtod(text, NULL) * TC_ROCE_ALPHA_ONE) != q16);
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
