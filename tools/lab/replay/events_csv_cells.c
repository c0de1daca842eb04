// SPDX-License-Identifier: GPL-2.0
/*
 * lab: reads the cells of events.csv into the members of a record.
 */
#include <inttypes.h>
#include <string.h>

#include "replay/events_csv_reader.h"

/* In files with PSNs: numbers of packets that come round. */
static const char *const psn_columns[COLUMNS] = {
	[COL_SEQ] = "psn",
	[COL_NEXT_SEQ] = "next_psn",
};

/**
 * reader_column() - a column by its name
 * @rd: reader
 * @name: as the file has it
 *
 * Return: column; COLUMNS if there is none of that name.
 */
enum column reader_column(struct reader *rd, const char *name)
{
	enum column i;

	for (i = 0; i < COLUMNS && strcmp(event_columns[i].name, name); i++) {
		if (psn_columns[i] && strcmp(psn_columns[i], name) == 0) {
			rd->psns = true;
			break;
		}
	}
	return i;
}

/**
 * reader_bad_line() - say what is wrong with the line that is being read
 * @rd: reader
 * @why: reason
 *
 * Return: the exit status.
 */
int reader_bad_line(struct reader *rd, const char *why)
{
	return usage_error("%s:%" PRId64 ": %s", rd->r->path, rd->line, why);
}

/**
 * reader_bad_cell() - say what is wrong with a cell of that line
 * @rd: reader
 * @col: its column
 * @why: reason
 *
 * Return: the exit status.
 */
int reader_bad_cell(struct reader *rd, enum column col, const char *why)
{
	return usage_error("%s:%" PRId64 ": column %s: \"%.40s\": %s", rd->r->path, rd->line,
			   rd->psns && psn_columns[col] ? psn_columns[col] :
			   event_columns[col].name, rd->cell[col], why);
}

bool reader_has(const struct reader *rd, enum column col)
{
	return rd->cell[col] && *rd->cell[col];
}

/**
 * reader_u64() - a plain number, nothing around it
 * @text: digits
 * @len: how many
 * @val: result
 *
 * Return: 0, or -1 if it is none or too large.
 */
int reader_u64(const char *text, size_t len, uint64_t *val)
{
	size_t i;

	*val = 0;
	for (i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9' ||
		    __builtin_mul_overflow(*val, 10, val) ||
		    __builtin_add_overflow(*val, (uint64_t)(text[i] - '0'), val))
			return -1;
	return len ? 0 : -1;
}

static int cell_u64(struct reader *rd, enum column col, uint64_t max, uint64_t *val)
{
	if (reader_u64(rd->cell[col], strlen(rd->cell[col]), val))
		return reader_bad_cell(rd, col, "not a whole number");
	return *val > max ? reader_bad_cell(rd, col, "too large") : 0;
}

/* A time may lie before the file's zero, not before the kernel's. */
static int cell_time(struct reader *rd, enum column col, uint64_t *val)
{
	const char *text = rd->cell[col];
	bool minus = *text == '-';
	int64_t at;

	if (reader_u64(text + minus, strlen(text + minus), val))
		return reader_bad_cell(rd, col, "not a whole number");
	if (*val > INT64_MAX / 2)
		return reader_bad_cell(rd, col, "too large");
	at = rd->r->t0_ns + (minus ? -(int64_t)*val : (int64_t)*val);
	*val = (uint64_t)at;
	return at < 0 ? reader_bad_cell(rd, col, "before the start of the clock (t0_ns)") : 0;
}

static int cell_word(struct reader *rd, enum column col, const struct event_field *d, uint64_t *val)
{
	for (*val = 0; *val <= d->max; (*val)++)
		if (d->words[*val] && strcmp(rd->cell[col], d->words[*val]) == 0)
			return 0;
	return reader_bad_cell(rd, col, "not a word that may stand here");
}

static void store(struct rxe_cc_evt *e, size_t at, size_t size, uint64_t val)
{
	void *to = (char *)e + at;

	if (size == 8)
		*(__u64 *)to = val;
	else if (size == 4)
		*(__u32 *)to = (__u32)val;
	else if (size == 2)
		*(__u16 *)to = (__u16)val;
	else
		*(__u8 *)to = (__u8)val;
}

/* Values that a receiver tells, with bars between. */
static int cell_values(struct reader *rd, enum column col, struct rxe_cc_evt *e,
		       const struct event_field *d)
{
	const char *text = rd->cell[col];
	size_t len, nr = 0;
	uint64_t val;

	for (;; text += len + 1) {
		len = strcspn(text, "|");
		if (nr == RXE_CC_EVT_FB_MAX)
			return reader_bad_cell(rd, col, "more than four values");
		if (reader_u64(text, len, &val))
			return reader_bad_cell(rd, col, "not whole numbers with bars between");
		store(e, d->at + nr++ * sizeof(__u64), sizeof(__u64), val);
		store(e, d->nr_at, d->nr_size, nr);
		if (!text[len])
			return 0;
	}
}

/* name=value, with bars between. */
static int cell_named(struct reader *rd, enum column col, struct rxe_cc_evt *e,
		      const struct event_field *d)
{
	struct rxe_cc_evt_value *list = (void *)((char *)e + d->at);
	const char *text = rd->cell[col];
	size_t len, name, nr = 0;
	uint64_t val;

	for (;; text += len + 1) {
		len = strcspn(text, "|");
		name = strcspn(text, "=|");
		if (!name || name >= RXE_CC_EVT_NAME_MAX || name == len ||
		    reader_u64(text + name + 1, len - name - 1, &val))
			return reader_bad_cell(rd, col, "not name=number with bars between");
		if (nr == RXE_CC_EVT_VALUES_MAX)
			return reader_bad_cell(rd, col, "more than eight values");
		memcpy(list[nr].name, text, name);
		list[nr++].value = val;
		store(e, d->nr_at, d->nr_size, nr);
		if (!text[len])
			return 0;
	}
}

/**
 * reader_field() - what the line has of an event in one column
 * @rd: reader
 * @col: column, whose cell is there and which such events have
 * @e: record, with its kind and scope
 *
 * Return: 0, or the exit status after a message.
 */
int reader_field(struct reader *rd, enum column col, struct rxe_cc_evt *e)
{
	const struct event_field *d = event_field(e, col);
	uint64_t val = 0, max = d->max;
	int rc = 0;

	switch (d->how) {
	case HOW_FLAG:
		rc = cell_u64(rd, col, 1, &val);
		e->flags |= val ? d->flag : 0;
		return rc;
	case HOW_PARTIAL:
		rc = cell_u64(rd, col, 2, &val);
		e->flags |= val ? RXE_CC_EVT_F_PARTIAL : 0;
		e->flags |= val == 2 ? RXE_CC_EVT_F_DIRECT : 0;
		return rc;
	case HOW_VALUES:
		return cell_values(rd, col, e, d);
	case HOW_NAMED:
		return cell_named(rd, col, e, d);
	case HOW_TEXT:
		if (strlen(rd->cell[col]) >= d->size)
			return reader_bad_cell(rd, col, "too long");
		strcpy((char *)e + d->at, rd->cell[col]);
		return 0;
	case HOW_FLOW:
	case HOW_PORT:
	case HOW_HOPS:
		return 0;
	case HOW_WORD:
		rc = cell_word(rd, col, d, &val);
		break;
	case HOW_TIME:
		rc = cell_time(rd, col, &val);
		break;
	case HOW_OLD_VALUE:
		rc = cell_u64(rd, col, max, &val);
		if (rc || !val || reader_has(rd, COL_TOLD))
			return rc;
		store(e, d->nr_at, d->nr_size, 2);
		break;
	default:
		if (rd->psns && psn_columns[col])
			max = UINT32_MAX;
		rc = cell_u64(rd, col, max, &val);
		if (d->how == HOW_WINDOW && !val)
			val = NO_WINDOW;
		e->flags |= d->flag;
		break;
	}
	store(e, d->at, d->size, val);
	return rc;
}

/**
 * reader_fields() - all that the line has of an event, but time, flow and kind
 * @rd: reader
 * @e: record, with its kind and scope and the values that hold where the line does not say
 *
 * Hops, and the name of the port, are left to others.
 *
 * Return: 0, or the exit status after a message.
 */
int reader_fields(struct reader *rd, struct rxe_cc_evt *e)
{
	const struct event_field *d;
	enum column col;

	for (col = COL_EVENT + 1; col < COLUMNS; col++) {
		d = event_field(e, col);
		if (!d)
			continue;
		/* The command line goes before the file. */
		if (d->def && rd->r->given[d->def - 1])
			store(e, d->at, d->size, ((uint64_t *)&rd->r->defs)[d->def - 1]);
		else if (reader_has(rd, col) && reader_field(rd, col, e))
			return EXIT_USAGE;
	}
	return 0;
}
