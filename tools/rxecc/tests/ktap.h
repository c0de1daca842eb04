/* SPDX-License-Identifier: GPL-2.0 */
/* Results in KTAP. */
#ifndef KTAP_H
#define KTAP_H

#include "../compat.h"

/* One result; the reason, a printf format, is printed when @ok is false. */
bool ktap(bool ok, const char *name, const char *why, ...)
	__printf(3, 4);

/* Prints the plan and the totals; returns the exit code. */
int ktap_end(void);

#endif
