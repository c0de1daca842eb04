// SPDX-License-Identifier: GPL-2.0
/* Settings of the library in the environment of the program. */
#include <stdlib.h>

#include "preload.h"

/* 1 ms: longer is no poll and no cost of a request. */
#define SETTING_MAX	1000000

/* A number of ns or of polls in the environment. */
void setting(const char *name, unsigned long *to)
{
	const char *text = getenv(name);
	unsigned long val = text ? strtoul(text, NULL, 10) : 0;

	if (val && val <= SETTING_MAX)
		*to = val;
}
