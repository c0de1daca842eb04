/* SPDX-License-Identifier: GPL-2.0 */
/* The known name that is nearest to a misspelt one, for "did you mean". */
#ifndef LIB_NEAREST_NAME_H
#define LIB_NEAREST_NAME_H

#include <stddef.h>

const char *nearest(const char *word, const char * const *names, size_t n);

#endif /* LIB_NEAREST_NAME_H */
