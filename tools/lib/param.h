/* SPDX-License-Identifier: GPL-2.0 */
/* Values of parameters and knobs, in the units that the kernel names. */
#ifndef LIB_PARAM_H
#define LIB_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

enum param_unit {
	PARAM_COUNT,
	PARAM_NS,
	PARAM_BYTES,
	PARAM_BPS,
	PARAM_PPM,
	PARAM_BOOL,
	PARAM_MODE,
	PARAM_Q24,
};

#define PARAM_TEXT_MAX	48
#define PARAM_WHY_MAX	128

enum param_style {
	PARAM_RAW,	/* base units, no scaling */
	PARAM_EXACT,	/* scaled, but reads back as the same value */
	PARAM_ROUND,	/* scaled to at most three decimals */
};

enum param_unit param_unit_by_name(const char *name);

/* Of a variable: by the end of its name, as in rate_bps, alpha_q24. */
enum param_unit param_unit_by_suffix(const char *name);

/**
 * param_parse() - read a value
 * @unit: the unit the value must have
 * @text: what the user wrote
 * @val: result in base units; untouched on error
 * @why: on error one sentence without the value, e.g. "needs a time, ..."
 * @why_len: room in @why
 *
 * Return: true when @text is a value of @unit.
 */
bool param_parse(enum param_unit unit, const char *text, __u64 *val,
		 char *why, size_t why_len);

/**
 * param_format() - write a value
 * @unit: the unit of @val
 * @val: value in base units
 * @style: how much to scale
 * @buf: at least PARAM_TEXT_MAX bytes
 *
 * Return: @buf.
 */
const char *param_format(enum param_unit unit, __u64 val, enum param_style style,
			 char *buf);

#endif
