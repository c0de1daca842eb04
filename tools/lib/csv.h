/* SPDX-License-Identifier: GPL-2.0 */
/* The result files' CSV: a heading with names of columns, no quotes. */
#ifndef LIB_CSV_H
#define LIB_CSV_H

int csv_split(char *line, char **col, int max);
int csv_column(char *const *col, int n, const char *name);

#endif /* LIB_CSV_H */
