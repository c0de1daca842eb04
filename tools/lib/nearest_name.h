/* SPDX-License-Identifier: GPL-2.0 */
/* What was probably meant by a name that there is not. */
#ifndef LIB_NEAREST_NAME_H
#define LIB_NEAREST_NAME_H

#include <stddef.h>

const char *nearest(const char *word, const char * const *names, size_t n);

#endif /* LIB_NEAREST_NAME_H */
