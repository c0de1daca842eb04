// SPDX-License-Identifier: GPL-2.0
/*
 * lab and labinit: what a kernel module says of itself. Its section .modinfo is text in the
 * file: strings with a 0 byte between them.
 */
#include <string.h>

#include "common/modinfo.h"

/**
 * modinfo_next() - the next value of a key
 * @image: the module's file
 * @len: its length
 * @key: with "=" at its end
 * @pos: where to look from, 0 at first; becomes where to go on
 *
 * Return: text in @image, or NULL at the end.
 */
const char *modinfo_next(const char *image, size_t len, const char *key, size_t *pos)
{
	size_t klen = strlen(key);
	const char *p;

	while (*pos + klen < len) {
		p = memmem(image + *pos, len - *pos, key, klen);
		if (!p)
			return NULL;
		*pos = p - image + klen;
		if (p == image || p[-1] == '\0')
			return p + klen;
	}
	return NULL;
}
