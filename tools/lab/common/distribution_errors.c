// SPDX-License-Identifier: GPL-2.0
/*
 * What the distributions, which flowgen has too, say of errors.
 */
#include "random_distributions.h"
#include "lab.h"

int fg_err(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	usage_error("%s", text);
	return -1;
}
