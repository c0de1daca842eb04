/* SPDX-License-Identifier: GPL-2.0 */
/* Reads and writes whole files, makes and removes directories. */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mem.h"

int mkdir_p(const char *path);
int rm_rf(const char *path);
char *read_file(const char *path, size_t *len);
int write_file(const char *path, const char *fmt, ...) LIB_PRINTF(2, 3);
bool path_exists(const char *path);
bool path_missing(const char *path);
FILE *text_open(const char *path);
int file_close(FILE *f);

#endif /* LIB_FILE_H */
