// SPDX-License-Identifier: GPL-2.0
/*
 * Reads text files that other simulators read: lines of words between blanks, where # starts a
 * comment and lines may be empty or end in a carriage return.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/word_lines.h"

#define BLANKS	" \t\r\n\v\f"

/**
 * word_lines_open() - begin to read a file
 * @path: the file; must last as long as the result
 *
 * Return: reader before the first line, or NULL with errno.
 */
struct word_lines *word_lines_open(const char *path)
{
	FILE *f = text_open(path);
	struct word_lines *l;

	if (!f)
		return NULL;
	l = xcalloc(1, sizeof(*l));
	l->path = path;
	l->f = f;
	return l;
}

/**
 * word_lines_next() - the next line with words on it
 * @l: reader
 *
 * Return: false at the end of the file.
 */
bool word_lines_next(struct word_lines *l)
{
	char *rest, *word;

	while (getline(&l->line, &l->size, l->f) > 0) {
		l->nr++;
		l->line[strcspn(l->line, "#")] = '\0';
		rest = l->line;
		for (l->n = 0; l->n < WORDS_MAX; l->word[l->n++] = word) {
			while ((word = strsep(&rest, BLANKS)) && !*word)
				;
			if (!word)
				break;
		}
		if (l->n)
			return true;
	}
	return false;
}

/**
 * word_lines_bad() - say what is wrong with the present line
 * @l: reader
 * @fmt: what, behind file and line
 *
 * Return: exit status.
 */
int word_lines_bad(const struct word_lines *l, const char *fmt, ...)
{
	char text[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return usage_error("%s:%d: %s", l->path, l->nr, text);
}

/**
 * word_lines_end() - was it the end of the file that ended the lines
 * @l: reader
 *
 * Return: 0, or the exit status after a message.
 */
int word_lines_end(const struct word_lines *l)
{
	return ferror(l->f) ? usage_error("%s: %s", l->path, strerror(errno)) : 0;
}

/**
 * word_lines_close() - done with a file
 * @l: reader, or NULL
 */
void word_lines_close(struct word_lines *l)
{
	if (!l)
		return;
	fclose(l->f);
	free(l->line);
	free(l);
}

/**
 * word_number() - a whole number of digits alone
 * @text: word
 * @max: largest
 * @val: receives it
 *
 * Return: true if it is one, and at most @max.
 */
bool word_number(const char *text, int64_t max, int64_t *val)
{
	char *end;

	errno = 0;
	*val = strtoll(text, &end, 10);
	return isdigit((unsigned char)*text) && !*end && !errno && *val <= max;
}

/**
 * word_quantity() - a decimal number and what stands behind it
 * @text: word
 * @val: receives the number
 * @unit: receives the rest of the word
 *
 * Return: true if there is a number: not hexadecimal, not negative, not infinite.
 */
bool word_quantity(const char *text, double *val, char **unit)
{
	if (!isdigit((unsigned char)*text) || text[1] == 'x' || text[1] == 'X')
		return false;
	*val = strtod(text, unit);
	return *val <= 1e300;
}
