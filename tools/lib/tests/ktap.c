// SPDX-License-Identifier: GPL-2.0
/* Prints results of C unit tests in KTAP, the kernel's test output format. */
#include <stdarg.h>
#include <stdio.h>

#include "ktap.h"

static unsigned int passed, failed;

bool ktap(bool ok, const char *name, const char *why, ...)
{
	va_list ap;

	if (!passed && !failed)
		puts("KTAP version 1");
	if (ok) {
		passed++;
	} else {
		failed++;
		printf("# ");
		va_start(ap, why);
		vprintf(why, ap);
		va_end(ap);
		printf("\n");
	}
	printf("%sok %u %s\n", ok ? "" : "not ", passed + failed, name);
	fflush(stdout);
	return ok;
}

int ktap_end(void)
{
	printf("1..%u\n# Totals: pass:%u fail:%u xfail:0 xpass:0 skip:0 error:0\n",
	       passed + failed, passed, failed);
	return failed || !passed;
}
