// SPDX-License-Identifier: GPL-2.0
/*
 * lab: error messages on stderr with their exit status, and the path of the checkout.
 */
#include <libgen.h>
#include <limits.h>
#include <unistd.h>

#include "lab.h"

static const char *place;

static int vmessage(int status, const char *fmt, va_list ap)
{
	fflush(stdout);
	fprintf(stderr, "lab: %s%s", place ? place : "", place ? ": " : "");
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	return status;
}

/**
 * error_place() - where that is written which messages from now on are about
 * @file_line: "FILE:LINE", to be kept by the caller; NULL: nowhere in a file
 */
void error_place(const char *file_line)
{
	place = file_line;
}

int usage_error(const char *fmt, ...)
{
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = vmessage(EXIT_USAGE, fmt, ap);
	va_end(ap);
	return rc;
}

int run_error(const char *fmt, ...)
{
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = vmessage(EXIT_RUN_FAILED, fmt, ap);
	va_end(ap);
	return rc;
}

/* The checkout: this program is build/bin/lab in it. */
const char *lab_root(void)
{
	static char root[PATH_MAX];
	char path[PATH_MAX];
	ssize_t n;

	if (root[0])
		return root;
	n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (n < 0)
		n = 0;
	path[n] = '\0';
	snprintf(root, sizeof(root), "%s", dirname(dirname(dirname(path))));
	return root;
}
