// SPDX-License-Identifier: GPL-2.0
/*
 * Units of quantities (kb, gbit, us) as tc has them, and the reading of a number with its unit.
 * kb is 1024 bytes, kbit is 1000 bit/s, kibit is 1024. Documentation/reference/units.md has the
 * list for users.
 */
#include <string.h>
#include <strings.h>

#include "number.h"

const struct unit_suffix unit_counts[] = {
	{ "", 1, 1 },
	{ NULL, 0, 0 }
};

const struct unit_suffix unit_rates[] = {
	{ "tbit", 1000000000000ULL, 1 }, { "gbit", 1000000000, 1 },
	{ "mbit", 1000000, 1 }, { "kbit", 1000, 1 }, { "bit", 1, 1 }, { "", 1, 1 },
	{ "tibit", 1ULL << 40, 1 }, { "gibit", 1 << 30, 1 },
	{ "mibit", 1 << 20, 1 }, { "kibit", 1 << 10, 1 },
	{ NULL, 0, 0 }
};

const struct unit_suffix unit_times[] = {
	{ "s", 1000000000, 1 }, { "ms", 1000000, 1 }, { "us", 1000, 1 }, { "ns", 1, 1 },
	{ "", 1, 1 },
	{ "sec", 1000000000, 1 }, { "secs", 1000000000, 1 },
	{ "msec", 1000000, 1 }, { "msecs", 1000000, 1 },
	{ "usec", 1000, 1 }, { "usecs", 1000, 1 }, { "nsec", 1, 1 }, { "nsecs", 1, 1 },
	{ NULL, 0, 0 }
};

const struct unit_suffix unit_sizes[] = {
	{ "gb", 1 << 30, 1 }, { "mb", 1 << 20, 1 }, { "kb", 1 << 10, 1 }, { "b", 1, 1 },
	{ "", 1, 1 },
	{ "g", 1 << 30, 1 }, { "m", 1 << 20, 1 }, { "k", 1 << 10, 1 },
	{ "gib", 1 << 30, 1 }, { "mib", 1 << 20, 1 }, { "kib", 1 << 10, 1 },
	{ "gbit", 1 << 27, 1 }, { "mbit", 1 << 17, 1 }, { "kbit", 1 << 7, 1 },
	{ NULL, 0, 0 }
};

const struct unit_suffix unit_fractions[] = {
	{ "", 1, 1 }, { "%", 1, 100 },
	{ NULL, 0, 0 }
};

/**
 * unit_find() - a spelling in a table
 * @table: spellings of one kind
 * @name: letters behind a number
 * @len: how many
 *
 * Return: the entry, or NULL.
 */
const struct unit_suffix *unit_find(const struct unit_suffix *table, const char *name, size_t len)
{
	for (; table->name; table++)
		if (strlen(table->name) == len && !strncasecmp(table->name, name, len))
			return table;
	return NULL;
}

/**
 * unit_find_any() - a spelling of whichever kind
 * @name: letters behind a number
 * @len: how many
 *
 * Where two kinds share a spelling, as kbit, it is a rate.
 *
 * Return: the entry, or NULL.
 */
const struct unit_suffix *unit_find_any(const char *name, size_t len)
{
	static const struct unit_suffix *const kinds[] = {
		unit_rates, unit_times, unit_sizes, unit_fractions,
	};
	const struct unit_suffix *found = NULL;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !found; i++)
		found = unit_find(kinds[i], name, len);
	return found;
}

/**
 * unit_dividing() - the largest unit of which a value is a whole number
 * @table: spellings of one kind, or its end from a unit on
 * @val: in base units
 *
 * Return: the entry; for 0 that of the base unit.
 */
const struct unit_suffix *unit_dividing(const struct unit_suffix *table, uint64_t val)
{
	while (table->mul > 1 && (!val || val % table->mul))
		table++;
	return table;
}

/**
 * quantity_parse() - a number with a unit
 * @table: units it may have
 * @text: all of what the user wrote
 * @n: result in base units, exact
 *
 * Return: NUMBER_OK, NUMBER_SYNTAX, NUMBER_DIGITS or NUMBER_UNIT.
 */
enum number_error quantity_parse(const struct unit_suffix *table, const char *text,
				 struct number *n)
{
	const struct unit_suffix *unit;
	enum number_error error;
	const char *end;

	error = number_read(text, &end, n);
	if (error)
		return error;
	unit = unit_find(table, end, strlen(end));
	if (!unit)
		return NUMBER_UNIT;
	number_scale(n, unit);
	return NUMBER_OK;
}

/**
 * quantity_parse_u64() - a number with a unit, whole in its base unit
 * @table: units it may have
 * @text: all of what the user wrote
 * @val: result in base units; untouched on error
 *
 * Return: NUMBER_OK or why not.
 */
enum number_error quantity_parse_u64(const struct unit_suffix *table, const char *text,
				     uint64_t *val)
{
	enum number_error error;
	struct number n;

	error = quantity_parse(table, text, &n);
	return error ? error : number_whole(&n, val);
}

/**
 * number_why() - an error in words, to follow the value
 * @error: not NUMBER_OK
 *
 * Return: words.
 */
const char *number_why(enum number_error error)
{
	static const char *const words[] = {
		[NUMBER_OK] = "fine",
		[NUMBER_SYNTAX] = "not a number",
		[NUMBER_DIGITS] = "too many digits",
		[NUMBER_UNIT] = "unknown unit",
		[NUMBER_NEGATIVE] = "negative",
		[NUMBER_FRACTION] = "not a whole number of base units",
		[NUMBER_LARGE] = "too large",
	};

	return words[error];
}

/**
 * bool_parse() - a switch
 * @text: on, off, yes, no, true, false, 1 or 0, in any case
 * @on: result
 *
 * Return: true when it is one of these.
 */
bool bool_parse(const char *text, bool *on)
{
	static const char *const words[] = {
		"off", "on", "0", "1", "no", "yes", "false", "true",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strcasecmp(text, words[i])) {
			*on = i & 1;
			return true;
		}
	}
	return false;
}
