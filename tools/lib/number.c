// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers as people write them: decimals, exponents and ratios as exact
 * fractions of integers. Nothing is rounded unless the caller asks for it.
 */
#include <ctype.h>

#include "number.h"

/* 10^24 times the largest factor of a unit, 8e12, stays below 2^127. */
#define DIGITS_MAX	24
/* Of each side of a ratio: crosswise products stay below 10^24. */
#define RATIO_DIGITS	12

typedef unsigned __int128 uint128_t;

struct decimal {
	struct number *n;
	unsigned int digits;	/* of the numerator, leading zeros not counted */
	unsigned int places;	/* den = 10^places */
};

static bool is_digit(char c)
{
	return isdigit((unsigned char)c);
}

static bool add_digit(struct decimal *d, char c)
{
	d->n->num = d->n->num * 10 + (unsigned int)(c - '0');
	return !d->n->num || ++d->digits <= DIGITS_MAX;
}

/* Zeros at the end of a fraction say nothing and take no place. */
static const char *read_fraction(struct decimal *d, const char *p)
{
	const char *q;

	for (; is_digit(*p); p++) {
		q = p;
		while (*q == '0')
			q++;
		if (!is_digit(*q))
			return q;
		d->n->den *= 10;
		if (!add_digit(d, *p) || ++d->places > DIGITS_MAX)
			return NULL;
	}
	return p;
}

/* e[+-]digits; a letter e that no digits follow belongs to a unit. */
static const char *read_exponent(struct decimal *d, const char *p)
{
	const char *q = p + 1;
	unsigned int exp = 0;
	bool minus;

	if (tolower((unsigned char)*p) != 'e')
		return p;
	minus = *q == '-';
	q += *q == '-' || *q == '+';
	if (!is_digit(*q))
		return p;
	for (; is_digit(*q); q++) {
		exp = exp * 10 + (unsigned int)(*q - '0');
		if (exp > DIGITS_MAX)
			return NULL;
	}
	if (!d->n->num)
		return q;
	if (minus ? d->places + exp > DIGITS_MAX : d->digits + exp > DIGITS_MAX)
		return NULL;
	for (; exp; exp--) {
		if (minus)
			d->n->den *= 10;
		else
			d->n->num *= 10;
	}
	return q;
}

/**
 * number_read() - a decimal number at the beginning of a text
 * @text: [+-]digits[.digits][e[+-]digits]
 * @end: where it ends, may be NULL
 * @n: result
 *
 * No leading space, no hexadecimal, no infinity: what strtod() takes beside
 * decimal numbers is a typing error here.
 *
 * Return: NUMBER_OK, NUMBER_SYNTAX or NUMBER_DIGITS.
 */
enum number_error number_read(const char *text, const char **end, struct number *n)
{
	struct decimal d = { .n = n };
	const char *p = text;

	*n = (struct number){ .den = 1, .minus = *p == '-' };
	p += *p == '-' || *p == '+';
	if (!is_digit(*p) && (*p != '.' || !is_digit(p[1])))
		return NUMBER_SYNTAX;
	if (p[0] == '0' && tolower((unsigned char)p[1]) == 'x')
		return NUMBER_SYNTAX;
	for (; is_digit(*p); p++)
		if (!add_digit(&d, *p))
			return NUMBER_DIGITS;
	if (*p == '.')
		p = read_fraction(&d, p + 1);
	if (p)
		p = read_exponent(&d, p);
	if (!p)
		return NUMBER_DIGITS;
	if (end)
		*end = p;
	return NUMBER_OK;
}

static bool is_short(const struct number *n)
{
	uint128_t limit = 1;
	int i;

	for (i = 0; i < RATIO_DIGITS; i++)
		limit *= 10;
	return n->num < limit && n->den <= limit;
}

/**
 * number_read_ratio() - a number, or a/b
 * @text: what the user wrote
 * @end: where it ends
 * @n: result
 * @ratio: it was a/b, so it may have no decimal form
 *
 * Return: NUMBER_OK, NUMBER_SYNTAX or NUMBER_DIGITS.
 */
enum number_error number_read_ratio(const char *text, const char **end, struct number *n,
				    bool *ratio)
{
	enum number_error error = number_read(text, end, n);
	struct number by;

	*ratio = !error && **end == '/';
	if (!*ratio)
		return error;
	error = number_read(*end + 1, end, &by);
	if (error)
		return error;
	if (!by.num || by.minus)
		return NUMBER_SYNTAX;
	if (!is_short(n) || !is_short(&by))
		return NUMBER_DIGITS;
	n->num *= by.den;
	n->den *= by.num;
	return NUMBER_OK;
}

/**
 * number_scale() - from a unit to its base unit
 * @n: number, changed
 * @unit: in which it is
 */
void number_scale(struct number *n, const struct unit_suffix *unit)
{
	n->num *= unit->mul;
	n->den *= unit->div;
}

static enum number_error to_u64(const struct number *n, bool round, uint64_t *val)
{
	uint128_t q = n->num / n->den, r = n->num % n->den;

	if (n->minus && n->num)
		return NUMBER_NEGATIVE;
	if (q > UINT64_MAX)
		return NUMBER_LARGE;
	if (r && !round)
		return NUMBER_FRACTION;
	if (r && r >= n->den - r)
		q++;
	if (q > UINT64_MAX)
		return NUMBER_LARGE;
	*val = (uint64_t)q;
	return NUMBER_OK;
}

/**
 * number_whole() - a number that must be whole
 * @n: number
 * @val: result; untouched on error
 *
 * Return: NUMBER_OK, NUMBER_NEGATIVE, NUMBER_FRACTION or NUMBER_LARGE.
 */
enum number_error number_whole(const struct number *n, uint64_t *val)
{
	return to_u64(n, false, val);
}

/**
 * number_round() - the nearest whole number, halves up
 * @n: number
 * @val: result; untouched on error
 *
 * Return: NUMBER_OK, NUMBER_NEGATIVE or NUMBER_LARGE.
 */
enum number_error number_round(const struct number *n, uint64_t *val)
{
	return to_u64(n, true, val);
}

/**
 * number_double() - the nearest floating-point number
 * @n: number
 *
 * One division of integers that both are exact when they are below 2^53, so it
 * gives what strtod() gives; beyond that it may be off by one place.
 *
 * Return: its value.
 */
double number_double(const struct number *n)
{
	const uint128_t exact = 1ULL << 53;
	double val;

	if (n->num % n->den == 0)
		val = (double)(n->num / n->den);
	else if (n->num <= exact && n->den <= exact)
		val = (double)n->num / (double)n->den;
	else
		val = (double)((long double)n->num / (long double)n->den);
	return n->minus ? -val : val;
}
