// SPDX-License-Identifier: GPL-2.0
/*
 * Values: of keys, parameters and commands' arguments. What is written of a value is read
 * as the same one.
 */
#include <stdlib.h>

#include "lib/csv.h"
#include "fuzz.h"

void fuzz_begin(void)
{
}

static void key_value(enum unit unit, const char *text)
{
	double val, back;
	char *again;

	if (unit_parse(unit, text, &val))
		return;
	again = unit_format(unit, val);
	/* Fractions are written with a fixed number of digits. */
	if (unit < UNIT_FRACTION && (unit_parse(unit, again, &back) || back != val)) {
		fprintf(stderr, "%s: %.17g is written %s\n", unit_name(unit), val, again);
		abort();
	}
	free(again);
}

static void param_value(enum param_unit unit, const char *text)
{
	char why[PARAM_WHY_MAX] = "", buf[PARAM_TEXT_MAX];
	enum param_style style;
	__u64 val, back;

	if (!param_parse(unit, text, &val, why, sizeof(why))) {
		if (!why[0])
			abort();
		return;
	}
	for (style = PARAM_RAW; style <= PARAM_ROUND; style++) {
		param_format(unit, val, style, buf);
		if (style != PARAM_ROUND &&
		    (!param_parse(unit, buf, &back, why, sizeof(why)) || back != val)) {
			fprintf(stderr, "unit %d: %llu is written %s\n", unit, val, buf);
			abort();
		}
	}
}

void fuzz_one(const char *text, size_t len)
{
	char *copy = xstrdup(text), *col[4];
	enum param_unit p;
	enum unit u;
	bool on;

	(void)len;
	for (u = UNIT_COUNT; u < UNIT_TEXT; u++)
		if (u != UNIT_ENUM)
			key_value(u, text);
	for (p = PARAM_COUNT; p <= PARAM_Q24; p++)
		param_value(p, text);
	bool_parse(text, &on);
	param_unit_by_suffix(text);
	if (csv_split(copy, col, 4) < 1)
		abort();
	free(copy);
}
