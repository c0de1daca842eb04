// SPDX-License-Identifier: GPL-2.0
/* The known name that is nearest to a misspelt one, for "did you mean". */
#include <string.h>

#include "nearest_name.h"

/* Longer names are not compared. */
#define LENGTH_MAX	64

/* Edit distance; a swap of neighbours counts once. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int d[LENGTH_MAX + 1][LENGTH_MAX + 1];
	size_t la = strlen(a), lb = strlen(b), i, j;
	unsigned int best;

	if (la > LENGTH_MAX || lb > LENGTH_MAX)
		return LENGTH_MAX;
	for (i = 0; i <= la; i++)
		d[i][0] = (unsigned int)i;
	for (j = 0; j <= lb; j++)
		d[0][j] = (unsigned int)j;
	for (i = 1; i <= la; i++) {
		for (j = 1; j <= lb; j++) {
			best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[la][lb];
}

/**
 * nearest() - the name that was probably meant
 * @word: what was written
 * @names: what there is
 * @n: how many
 *
 * Return: one of @names, or NULL if none is like it.
 */
const char *nearest(const char *word, const char * const *names, size_t n)
{
	unsigned int limit = strlen(word) / 3 > 2 ?
			     (unsigned int)strlen(word) / 3 : 2;
	unsigned int best = limit + 1;
	const char *found = NULL;
	unsigned int d;
	size_t i;

	for (i = 0; i < n; i++) {
		/* a part of the name, say ai_rate, is a good guess too */
		d = strlen(word) > 2 && strstr(names[i], word) ?
		    1 : distance(word, names[i]);
		if (d < best) {
			best = d;
			found = names[i];
		}
	}
	return found;
}
