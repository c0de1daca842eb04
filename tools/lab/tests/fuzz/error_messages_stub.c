// SPDX-License-Identifier: GPL-2.0
/* In the place of error_messages.c of lab: messages are counted, not printed. */
#include "fuzz.h"

int usage_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fuzz_message(fmt, ap);
	va_end(ap);
	return EXIT_USAGE;
}

void error_place(const char *file_line)
{
	(void)file_line;
}

int run_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fuzz_message(fmt, ap);
	va_end(ap);
	return EXIT_RUN_FAILED;
}

/* Scenarios are those that a reader has put there. */
const char *lab_root(void)
{
	return fuzz_dir();
}
