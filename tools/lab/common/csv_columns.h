/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The CSV tables of a run: those that flowgen and labinit write, and those that become result
 * files. csv_column_rows.h alone says what columns each has.
 */
#ifndef LAB_COMMON_CSV_COLUMNS_H
#define LAB_COMMON_CSV_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

enum table_id {
#define TABLE(id, ...)	T_##id,
#define COLUMN(...)
#define OPTIONAL(...)
#include "common/csv_column_rows.h"
	TABLES
};

/* Who writes a table; what labinit and lab write is copied, but for the clock. */
#define TABLE_FLOWGEN	1
#define TABLE_RAW	2	/* labinit */
#define TABLE_RESULT	4	/* lab */

struct table {
	const char *file;
	int made;
};

extern const struct table tables[TABLES];

char *csv_columns_wanted(enum table_id t);
void csv_columns_heading(FILE *f, enum table_id t, bool optional);

#endif /* LAB_COMMON_CSV_COLUMNS_H */
