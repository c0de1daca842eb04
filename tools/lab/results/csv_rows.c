// SPDX-License-Identifier: GPL-2.0
/* lab: reads rows of CSV tables, checks them, copies them to result files. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"

/**
 * csv_bad() - say what is wrong with a row
 * @c: table that is being read
 * @what: the rest of the sentence
 * @text: what it is about
 *
 * Return: exit status.
 */
int csv_bad(const struct csv *c, const char *what, const char *text)
{
	return run_error("%s:%lu: %s \"%s\"", c->path, c->line, what, text);
}

/**
 * csv_number() - a whole number
 * @c: table that is being read
 * @i: wanted column
 * @val: receives it
 *
 * Return: 0, or the exit status after a message.
 */
int csv_number(const struct csv *c, int i, int64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoll(c->field[i], &end, 10);
	return errno || end == c->field[i] || *end ?
	       csv_bad(c, "not a number:", c->field[i]) : 0;
}

/**
 * csv_rows() - read a table
 * @dir: its directory
 * @t: the table
 * @want: columns as of csv_open(); those that must be there are
 * @row: called for each row; returns non-zero to stop
 * @ctx: for @row
 *
 * Return: 0, or the exit status after a message.
 */
int csv_rows(const char *dir, enum table_id t, const char *want,
	     int (*row)(const struct csv *c, void *ctx), void *ctx)
{
	char *path = xasprintf("%s/%s", dir, tables[t].file);
	struct csv c;
	int rc = 0, i;

	if (csv_open(&c, path, want)) {
		rc = errno ? run_error("%s: %s", path, strerror(errno)) :
		     run_error("%s: empty", path);
		free(path);
		return rc;
	}
	for (i = 0; i < c.n && !rc; i++)
		if (csv_missing(&c, i))
			rc = csv_bad(&c, "no column", csv_missing(&c, i));
	while (!rc && csv_next(&c))
		rc = c.whole ? row(&c, ctx) : csv_bad(&c, "too few columns:", c.field[0]);
	csv_close(&c);
	free(path);
	return rc;
}

/**
 * row_time() - when a row of labinit's was taken
 * @r: results
 * @c: table, its first wanted column is the time
 *
 * Return: ns by the clock of the flows.
 */
int64_t row_time(const struct results *r, const struct csv *c)
{
	return strtoll(c->field[0], NULL, 10) + r->shift_ns;
}

/**
 * csv_create() - begin a table, with its heading
 * @dir: its directory
 * @t: the table
 * @optional: with its optional columns
 *
 * Return: the file, or NULL after a message.
 */
FILE *csv_create(const char *dir, enum table_id t, bool optional)
{
	char *path = xasprintf("%s/%s", dir, tables[t].file);
	FILE *f = fopen(path, "we");

	if (f)
		csv_columns_heading(f, t, optional);
	else
		results_error(dir, tables[t].file);
	free(path);
	return f;
}

/**
 * csv_finish() - end a table
 * @f: from csv_create()
 * @dir: its directory
 * @t: the table
 *
 * Return: 0, or the exit status after a message.
 */
int csv_finish(FILE *f, const char *dir, enum table_id t)
{
	return file_close(f) ? results_error(dir, tables[t].file) : 0;
}

struct copy {
	struct results *r;
	enum table_id t;
	bool always;
	FILE *f;
};

/* The sampler's clock becomes that of the flows; all else stays. */
static int copy_row(const struct csv *c, void *ctx)
{
	struct copy *copy = ctx;
	int64_t t_ns = row_time(copy->r, c);
	int i;

	if (copy->always && t_ns < 0)
		return 0;
	if (!copy->f)
		copy->f = csv_create(copy->r->dir, copy->t, true);
	if (!copy->f)
		return EXIT_RUN_FAILED;
	fprintf(copy->f, "%" PRId64, t_ns);
	for (i = 1; i < c->n; i++)
		fprintf(copy->f, ",%s", c->field[i]);
	fputc('\n', copy->f);
	return 0;
}

/**
 * results_copy() - a table of labinit's that is a result as it is
 * @r: results
 * @t: the table
 * @always: also without rows, and those from before the traffic are left out; else the first
 *	rows say how things were when the traffic began
 *
 * Return: 0, or the exit status after a message.
 */
int results_copy(struct results *r, enum table_id t, bool always)
{
	struct copy copy = { .r = r, .t = t, .always = always };
	char *want = csv_columns_wanted(t);
	int rc = 0;

	if (always) {
		copy.f = csv_create(r->dir, t, true);
		rc = copy.f ? 0 : EXIT_RUN_FAILED;
	}
	rc = rc || csv_rows(r->raw, t, want, copy_row, &copy);
	if (copy.f)
		rc |= csv_finish(copy.f, r->dir, t);
	free(want);
	return rc ? EXIT_RUN_FAILED : 0;
}
