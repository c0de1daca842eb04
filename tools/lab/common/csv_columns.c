// SPDX-License-Identifier: GPL-2.0
/* The CSV tables of a run: their files and the names of their columns. */

#include "common/csv_columns.h"
#include "common/util.h"

const struct table tables[TABLES] = {
#define TABLE(id, file, made)	\
	[T_##id] = { file, made },
#define COLUMN(...)
#define OPTIONAL(...)
#include "common/csv_column_rows.h"
};

static const struct {
	enum table_id table;
	const char *name;
	bool optional;
} columns[] = {
#define TABLE(...)
#define COLUMN(t, name, ...)	{ T_##t, name, false },
#define OPTIONAL(t, name, ...)	{ T_##t, name, true },
#include "common/csv_column_rows.h"
};

/* With optional columns or without; before their names there is @mark. */
static void put_names(FILE *f, enum table_id t, bool optional, const char *mark)
{
	const char *comma = "";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].table != t || (columns[i].optional && !optional))
			continue;
		fprintf(f, "%s%s%s", comma, columns[i].optional ? mark : "", columns[i].name);
		comma = ",";
	}
}

/**
 * csv_columns_wanted() - all columns of a table, for csv_open()
 * @t: the table
 *
 * Return: their names, to be freed.
 */
char *csv_columns_wanted(enum table_id t)
{
	char *names;
	size_t len;
	FILE *f = open_memstream(&names, &len);

	if (f)
		put_names(f, t, true, "?");
	if (!f || fclose(f))
		out_of_memory();
	return names;
}

/* csv_columns_heading() - the first line of table @t, with its optional columns or without */
void csv_columns_heading(FILE *f, enum table_id t, bool optional)
{
	put_names(f, t, optional, "");
	fputc('\n', f);
}
