// SPDX-License-Identifier: GPL-2.0
/* Allocation that ends the program with one line when there is no memory. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

/**
 * out_of_memory() - the end of the program
 */
void out_of_memory(void)
{
	fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
	exit(1);
}

/**
 * xasprintf() - sprintf into new memory; never fails, the program ends instead
 * @fmt: as for printf
 *
 * Return: the string, to be freed by the caller.
 */
char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int rc;

	va_start(ap, fmt);
	rc = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (rc < 0)
		out_of_memory();
	return s;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

/**
 * xreallocarray() - room for an array, as reallocarray()
 * @p: the array, or NULL
 * @n: number of elements
 * @size: size of one
 *
 * Return: the array; NULL only for no elements.
 */
void *xreallocarray(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n, size);
	if (!p && n)
		out_of_memory();
	return p;
}

char *xstrdup(const char *s)
{
	char *d = strdup(s);

	if (!d)
		out_of_memory();
	return d;
}
