// SPDX-License-Identifier: GPL-2.0
/*
 * lab: reads the heading of events.csv (comments, names of columns), and what the command line
 * says in its place.
 */
#include <string.h>

#include "replay/events_csv_reader.h"

/* Names in the heading; in the order of struct replay_defs. */
static const struct {
	const char *name;
	enum unit unit;
} defs[REPLAY_DEFS] = {
	{ "line_rate_bps", UNIT_RATE }, { "min_rate_bps", UNIT_RATE },
	{ "base_rtt_ns", UNIT_TIME },
	{ "rate_bps", UNIT_RATE }, { "cwnd_bytes", UNIT_SIZE }, { "pkt_bytes", UNIT_SIZE },
	{ "int_ts_bits", UNIT_COUNT }, { "int_tx_bits", UNIT_COUNT },
	{ "int_tx_unit", UNIT_COUNT }, { "int_qlen_unit", UNIT_COUNT },
};

/**
 * reader_comment() - a line of the heading
 * @rd: reader
 * @text: the line, from its "#" on
 *
 * "# name=value" and "# param name=value"; any other line is for people.
 *
 * Return: 0, or the exit status after a message.
 */
int reader_comment(struct reader *rd, char *text)
{
	struct recording *r = rd->r;
	bool param;
	uint64_t val;
	double num;
	char *eq;
	size_t i;

	text += 1 + strspn(text + 1, " \t");
	param = strncmp(text, "param ", 6) == 0;
	text += param ? 6 : 0;
	eq = strchr(text, '=');
	if (!eq)
		return 0;
	*eq++ = '\0';
	if (param) {
		if (reader_u64(eq, strlen(eq), &val))
			return reader_bad_line(rd, "a parameter is a whole number here");
		js_add_str(r->params, text, eq);
	} else if (strcmp(text, "cc") == 0) {
		free(r->cc);
		r->cc = xstrdup(eq);
	} else if (strcmp(text, "t0_ns") == 0) {
		if (reader_u64(eq, strlen(eq), &val) || val > INT64_MAX / 2)
			return reader_bad_line(rd, "t0_ns: not a whole number, or too large");
		r->t0_ns = (int64_t)val;
	}
	for (i = 0; i < ARRAY_SIZE(defs) && !param; i++) {
		if (strcmp(text, defs[i].name) || r->given[i])
			continue;
		if (unit_parse(defs[i].unit, eq, &num) || num < 0 || num >= 0x1p63)
			return reader_bad_line(rd, "the value is no number, or in another unit");
		((uint64_t *)&r->defs)[i] = (uint64_t)num;
	}
	return 0;
}

/* The heading is complete: can what it says be meant. */
static int check_defs(struct recording *r)
{
	const struct replay_defs *d = &r->defs;

	if (!d->ts_bits || d->ts_bits > 64 || !d->tx_bits || d->tx_bits > 64)
		return usage_error("%s: int_ts_bits and int_tx_bits are 1 to 64", r->path);
	if (!d->tx_unit || d->tx_unit > 1 << 20 || !d->qlen_unit || d->qlen_unit > 1 << 20)
		return usage_error("%s: int_tx_unit and int_qlen_unit are 1 to 1048576", r->path);
	return 0;
}

static int unknown_column(struct reader *rd, const char *name)
{
	const char *names[COLUMNS], *like;
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		names[i] = event_columns[i].name;
	like = nearest(name, names, COLUMNS);
	return usage_error("%s:%" PRId64 ": unknown column \"%.40s\"%s%s%s", rd->r->path, rd->line,
			   name, like ? ", did you mean \"" : "", like ? like : "",
			   like ? "\"?" : "");
}

/**
 * reader_columns() - the line with the names of the columns
 * @rd: reader
 * @text: the line
 *
 * The heading ends with it.
 *
 * Return: 0, or the exit status after a message.
 */
int reader_columns(struct reader *rd, char *text)
{
	bool seen[COLUMNS] = {};
	const char *name;
	enum column i;

	while ((name = strsep(&text, ","))) {
		i = reader_column(rd, name);
		if (i == COLUMNS)
			return unknown_column(rd, name);
		if (seen[i])
			return usage_error("%s:%" PRId64 ": column %s stands there twice",
					   rd->r->path, rd->line, name);
		seen[i] = true;
		rd->col[rd->n_cols++] = i;
	}
	for (i = 0; i <= COL_EVENT; i++)
		if (!seen[i])
			return usage_error("%s:%" PRId64 ": no column %s", rd->r->path, rd->line,
					   event_columns[i].name);
	return check_defs(rd->r);
}

/**
 * recording_values() - what goes before the file's values
 * @r: recording
 * @values: of the command line; NOT_GIVEN where it has none
 */
void recording_values(struct recording *r, const struct replay_defs *values)
{
	const uint64_t *val = (const uint64_t *)values;
	size_t i;

	for (i = 0; i < REPLAY_DEFS; i++) {
		r->given[i] = val[i] != NOT_GIVEN;
		if (r->given[i])
			((uint64_t *)&r->defs)[i] = val[i];
	}
}
