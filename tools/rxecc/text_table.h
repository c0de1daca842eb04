/* SPDX-License-Identifier: GPL-2.0 */
/* Prints a text table whose columns are padded to their widest cell. */
#ifndef RXECC_TEXT_TABLE_H
#define RXECC_TEXT_TABLE_H

#include <stdio.h>

#include "kernel_types.h"

#define TABLE_COLS	16

struct table_row {
	char *cell[TABLE_COLS];
	char *below;		/* lines printed under the row, or NULL */
};

struct table {
	struct table_row *rows;
	size_t n;
	unsigned int col;	/* next cell of the last row */
};

void table_row(struct table *t);
void table_cell(struct table *t, const char *fmt, ...)
	__printf(2, 3);

/* Takes over @text: whole lines to print below the last row. */
void table_below(struct table *t, char *text);

/* Prints with @indent spaces before each row, and frees the table. */
void table_print(struct table *t, FILE *out, int indent);

#endif
