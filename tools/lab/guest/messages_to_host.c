// SPDX-License-Identifier: GPL-2.0
/*
 * labinit: marks and errors for the host side, as lines on the console and to a coordinator.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest/labinit.h"

static int coordinator = -1;

/**
 * say_to() - there is a coordinator
 * @fd: where it listens
 */
void say_to(int fd)
{
	coordinator = fd;
}

/**
 * guest_say() - a line to the coordinator, if there is one
 * @kind: "mark", "error", ...
 * @text: the rest of it
 */
void guest_say(const char *kind, const char *text)
{
	char *line;
	ssize_t n;

	if (coordinator < 0)
		return;
	line = xasprintf("%s %s\n", kind, text);
	/* Without a coordinator there is nobody to tell. */
	n = write(coordinator, line, strlen(line));
	(void)n;
	free(line);
}

/* On the console, where the host side of a lab of one kernel reads, and to a coordinator. */
static void say(const char *console, const char *kind, const char *fmt, va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof(text), fmt, ap);
	printf(MARK "%s%s\n", console, text);
	fflush(stdout);
	guest_say(kind, text);
}

/**
 * fail() - say on the console what went wrong
 * @fmt: as for printf, one line without a newline
 *
 * Return: -1, so that callers can return it.
 */
int fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("error ", "error", fmt, ap);
	va_end(ap);
	return -1;
}

/**
 * mark() - tell the host side, which reads the console, how far the job is
 * @fmt: as for printf, one line without a newline
 */
void mark(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", "mark", fmt, ap);
	va_end(ap);
}
