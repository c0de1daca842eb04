/* SPDX-License-Identifier: GPL-2.0 */
/* Prints results of C unit tests in KTAP, the kernel's test output format. */
#ifndef LIB_KTAP_H
#define LIB_KTAP_H

#include <stdbool.h>

/* One result; the reason, a printf format, is printed when @ok is false. */
bool ktap(bool ok, const char *name, const char *why, ...)
	__attribute__((__format__(__printf__, 3, 4)));

/* Prints the plan and the totals; returns the exit code. */
int ktap_end(void);

#endif /* LIB_KTAP_H */
