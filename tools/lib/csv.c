// SPDX-License-Identifier: GPL-2.0
/* The result files' CSV: a heading with names of columns, no quotes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "mem.h"

/**
 * csv_split() - cut a line at its commas
 * @line: a line, changed; its end of line is removed
 * @col: receives the columns, which point into @line
 * @max: room in @col; further columns are left out
 *
 * Return: number of columns, at least 1.
 */
int csv_split(char *line, char **col, int max)
{
	int n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	while (line && n < max) {
		col[n++] = line;
		line = strchr(line, ',');
		if (line)
			*line++ = '\0';
	}
	return n;
}

/**
 * csv_column() - a column by its name
 * @col: the heading's columns
 * @n: how many
 * @name: name
 *
 * Return: its place, or -1. The last one, if two have that name.
 */
int csv_column(char *const *col, int n, const char *name)
{
	while (n-- && strcmp(col[n], name))
		;
	return n;
}

/**
 * csv_open() - begin to read a table
 * @c: reader, filled in
 * @path: the file
 * @want: names of the wanted columns, with commas between; a '?' ahead: the table may do
 *	without. NULL: all that the heading has
 *
 * Columns are found by name, so their order and further ones do not matter.
 *
 * Return: 0; or -1: errno says why, 0: there is no heading. Then csv_close() is not due.
 */
int csv_open(struct csv *c, const char *path, const char *want)
{
	char *col[CSV_COLUMNS];
	int n, i;

	*c = (struct csv){ .f = fopen(path, "re"), .line = 1 };
	if (!c->f)
		return -1;
	errno = 0;
	if (getline(&c->text, &c->size, c->f) < 0) {
		fclose(c->f);
		free(c->text);
		return -1;
	}
	c->path = xstrdup(path);
	c->names = xstrdup(want ? want : c->text);
	n = csv_split(c->text, col, CSV_COLUMNS);
	c->n = csv_split(c->names, c->name, CSV_COLUMNS);
	for (i = 0; i < c->n; i++) {
		c->optional[i] = *c->name[i] == '?';
		c->name[i] += c->optional[i];
		c->place[i] = csv_column(col, n, c->name[i]);
	}
	return 0;
}

/* csv_missing() - the name of column @i if the table must have it and has not, else NULL */
const char *csv_missing(const struct csv *c, int i)
{
	return c->place[i] < 0 && !c->optional[i] ? c->name[i] : NULL;
}

/* csv_next() - read the next row; false: there is none. Empty lines and comments (#) are none. */
bool csv_next(struct csv *c)
{
	static char empty[1];
	char *col[CSV_COLUMNS];
	int n, i;

	do {
		if (getline(&c->text, &c->size, c->f) < 0)
			return false;
		c->line++;
	} while (*c->text == '#' || *c->text == '\n');
	n = csv_split(c->text, col, CSV_COLUMNS);
	c->whole = true;
	for (i = 0; i < c->n; i++) {
		c->whole &= c->place[i] < n;
		c->field[i] = c->place[i] >= 0 && c->place[i] < n ? col[c->place[i]] : empty;
	}
	return true;
}

void csv_close(struct csv *c)
{
	fclose(c->f);
	free(c->path);
	free(c->text);
	free(c->names);
}

/* csv_double() - the number in a field; NAN for an empty one or a word */
double csv_double(const char *field)
{
	char *end;
	double v = strtod(field, &end);

	return end == field || *end ? NAN : v;
}
