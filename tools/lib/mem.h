/* SPDX-License-Identifier: GPL-2.0 */
/* Allocation that ends the program with one line when there is no memory. */
#ifndef LIB_MEM_H
#define LIB_MEM_H

#include <stddef.h>

#define LIB_PRINTF(f, a)	__attribute__((format(printf, f, a)))

char *xasprintf(const char *fmt, ...) LIB_PRINTF(1, 2);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
_Noreturn void out_of_memory(void);

#endif /* LIB_MEM_H */
