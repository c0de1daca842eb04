/* SPDX-License-Identifier: GPL-2.0 */
/* Values of parameters as people write them: tc's units, exact arithmetic. */
#ifndef RXECC_UNITS_H
#define RXECC_UNITS_H

#include "compat.h"

enum unit {
	UNIT_COUNT,
	UNIT_NS,
	UNIT_BYTES,
	UNIT_BPS,
	UNIT_PPM,
	UNIT_BOOL,
	UNIT_MODE,
	UNIT_Q24,
};

#define UNIT_TEXT_MAX	48

enum unit_style {
	UNIT_RAW,	/* base units, no scaling */
	UNIT_EXACT,	/* scaled, but reads back as the same value */
	UNIT_ROUND,	/* scaled to at most three decimals */
};

enum unit unit_by_name(const char *name);

/* Of a variable: by the end of its name, as in rate_bps, alpha_q24. */
enum unit unit_by_suffix(const char *name);

/**
 * unit_parse() - read a value
 * @unit: the unit the value must have
 * @text: what the user wrote
 * @val: result in base units; untouched on error
 * @why: on error one sentence without the value, e.g. "needs a time, ..."
 * @why_len: room in @why
 *
 * Return: true when @text is a value of @unit.
 */
bool unit_parse(enum unit unit, const char *text, u64 *val,
		char *why, size_t why_len);

/**
 * unit_format() - write a value
 * @unit: the unit of @val
 * @val: value in base units
 * @style: how much to scale
 * @buf: at least UNIT_TEXT_MAX bytes
 *
 * Return: @buf.
 */
const char *unit_format(enum unit unit, u64 val, enum unit_style style,
			char *buf);

#endif
