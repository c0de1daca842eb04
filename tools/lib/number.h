/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers as people write them, and their units, without rounding. The one
 * parser of quantities of all tools and of the tc plug-in. It needs libc only.
 */
#ifndef LIB_NUMBER_H
#define LIB_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct number - an exact rational number
 * @num: numerator
 * @den: denominator, never 0
 * @minus: it has a minus sign
 */
struct number {
	unsigned __int128 num;
	unsigned __int128 den;
	bool minus;
};

/**
 * struct unit_suffix - a spelling of a unit
 * @name: the letters behind the number, in any case; NULL ends a table
 * @mul: one of it is @mul / @div base units
 * @div: see @mul
 */
struct unit_suffix {
	const char *name;
	uint64_t mul;
	uint64_t div;
};

/*
 * What each kind of quantity takes. The spellings that are also used to print
 * come first, in falling order; "" is a number without a unit.
 */
extern const struct unit_suffix unit_counts[];		/* none */
extern const struct unit_suffix unit_rates[];		/* tbit...: bit/s */
extern const struct unit_suffix unit_times[];		/* s...: ns */
extern const struct unit_suffix unit_sizes[];		/* gb...: bytes */
extern const struct unit_suffix unit_fractions[];	/* %: parts of 1 */

/**
 * enum number_error - why a text is no value
 * @NUMBER_OK: it is one
 * @NUMBER_SYNTAX: it does not begin with a number
 * @NUMBER_DIGITS: more digits than are kept
 * @NUMBER_UNIT: what follows the number is no unit of this kind
 * @NUMBER_NEGATIVE: below 0
 * @NUMBER_FRACTION: not a whole number of base units
 * @NUMBER_LARGE: more than 64 bits
 */
enum number_error {
	NUMBER_OK,
	NUMBER_SYNTAX,
	NUMBER_DIGITS,
	NUMBER_UNIT,
	NUMBER_NEGATIVE,
	NUMBER_FRACTION,
	NUMBER_LARGE,
};

enum number_error number_read(const char *text, const char **end, struct number *n);
enum number_error number_read_ratio(const char *text, const char **end, struct number *n,
				    bool *ratio);
void number_scale(struct number *n, const struct unit_suffix *unit);
enum number_error number_whole(const struct number *n, uint64_t *val);
enum number_error number_round(const struct number *n, uint64_t *val);
double number_double(const struct number *n);

const struct unit_suffix *unit_find(const struct unit_suffix *table, const char *name, size_t len);
const struct unit_suffix *unit_find_any(const char *name, size_t len);
const struct unit_suffix *unit_dividing(const struct unit_suffix *table, uint64_t val);

enum number_error quantity_parse(const struct unit_suffix *table, const char *text,
				 struct number *n);
enum number_error quantity_parse_u64(const struct unit_suffix *table, const char *text,
				     uint64_t *val);
const char *number_why(enum number_error error);
bool bool_parse(const char *text, bool *on);

#endif /* LIB_NUMBER_H */
