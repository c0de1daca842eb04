// SPDX-License-Identifier: GPL-2.0
/* Prints a text table whose columns are padded to their widest cell. */
#include <err.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text_table.h"

void table_row(struct table *t)
{
	if (!(t->n & (t->n - 1))) {
		t->rows = reallocarray(t->rows, t->n ? 2 * t->n : 1,
				       sizeof(*t->rows));
		if (!t->rows)
			errx(1, "out of memory");
	}
	memset(&t->rows[t->n++], 0, sizeof(*t->rows));
	t->col = 0;
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list ap;

	if (!t->n || t->col == TABLE_COLS)
		return;
	va_start(ap, fmt);
	if (vasprintf(&t->rows[t->n - 1].cell[t->col++], fmt, ap) < 0)
		errx(1, "out of memory");
	va_end(ap);
}

void table_below(struct table *t, char *text)
{
	t->rows[t->n - 1].below = text;
}

static int last_cell(const struct table_row *row)
{
	int col;

	for (col = TABLE_COLS - 1; col >= 0; col--)
		if (row->cell[col] && *row->cell[col])
			break;
	return col;
}

void table_print(struct table *t, FILE *out, int indent)
{
	int width[TABLE_COLS] = { 0 };
	struct table_row *row;
	int col, last;
	size_t i;

	for (i = 0; i < t->n; i++)
		for (col = 0; col < TABLE_COLS && t->rows[i].cell[col]; col++)
			if ((int)strlen(t->rows[i].cell[col]) > width[col])
				width[col] = (int)strlen(t->rows[i].cell[col]);
	for (i = 0; i < t->n; i++) {
		row = &t->rows[i];
		last = last_cell(row);
		fprintf(out, "%*s", indent, "");
		for (col = 0; col < last; col++)
			if (width[col])
				fprintf(out, "%-*s  ", width[col],
					row->cell[col] ? row->cell[col] : "");
		fprintf(out, "%s\n", last >= 0 ? row->cell[last] : "");
		if (row->below)
			fputs(row->below, out);
		for (col = 0; col < TABLE_COLS; col++)
			free(row->cell[col]);
		free(row->below);
	}
	free(t->rows);
	memset(t, 0, sizeof(*t));
}
