// SPDX-License-Identifier: GPL-2.0
/*
 * fg_err(): how lab reports errors of the code for distributions that it shares with flowgen
 * (random_distributions.h).
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
