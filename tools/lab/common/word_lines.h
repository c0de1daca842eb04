/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: files of other simulators: lines of words between blanks, # starts a comment.
 */
#ifndef LAB_COMMON_WORD_LINES_H
#define LAB_COMMON_WORD_LINES_H

#include <stdint.h>
#include <stdio.h>

#include "lab.h"

#define WORDS_MAX	4096

/**
 * struct word_lines - a file that is being read
 * @path: for messages
 * @f: the file
 * @nr: number of the present line
 * @n: its words
 * @word: they
 */
struct word_lines {
	const char *path;
	FILE *f;
	int nr, n;
	char *word[WORDS_MAX];
	/* private: */
	char *line;
	size_t size;
};

struct word_lines *word_lines_open(const char *path);
bool word_lines_next(struct word_lines *l);
int word_lines_bad(const struct word_lines *l, const char *fmt, ...) PRINTF(2, 3);
int word_lines_end(const struct word_lines *l);
void word_lines_close(struct word_lines *l);
bool word_number(const char *text, int64_t max, int64_t *val);
bool word_quantity(const char *text, double *val, char **unit);

#endif /* LAB_COMMON_WORD_LINES_H */
