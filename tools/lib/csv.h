/* SPDX-License-Identifier: GPL-2.0 */
/* The result files' CSV: a heading with names of columns, no quotes. */
#ifndef LIB_CSV_H
#define LIB_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CSV_COLUMNS	64

/**
 * struct csv - a table that is being read
 * @path: the file
 * @line: number of the present row's line, the heading's is 1
 * @n: wanted columns
 * @name: of each of them
 * @optional: of each of them: the table may do without
 * @place: where it is in the file; -1: nowhere
 * @field: what it has in the present row; "" without
 * @whole: the row has all of them that the heading has
 * @bad: rows that the reader of the table could not use
 */
struct csv {
	char *path;
	unsigned long line;
	int n;
	char *name[CSV_COLUMNS];
	bool optional[CSV_COLUMNS];
	int place[CSV_COLUMNS];
	char *field[CSV_COLUMNS];
	bool whole;
	unsigned long bad;
	/* private: */
	FILE *f;
	char *text, *names;
	size_t size;
};

int csv_split(char *line, char **col, int max);
int csv_column(char *const *col, int n, const char *name);
int csv_open(struct csv *c, const char *path, const char *want);
const char *csv_missing(const struct csv *c, int i);
bool csv_next(struct csv *c);
void csv_close(struct csv *c);
double csv_double(const char *field);

#endif /* LIB_CSV_H */
