// SPDX-License-Identifier: GPL-2.0
/* The result files' CSV: a heading with names of columns, no quotes. */
#include <string.h>

#include "csv.h"

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
