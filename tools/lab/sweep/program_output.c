// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: runs other programs, returns their output, reports why they failed.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

/**
 * program_output() - run a program to its end
 * @argv: program, looked for in PATH, and arguments
 * @dir: where, or NULL
 * @out: what it printed, also on stderr; to be freed
 *
 * Return: exit status as of child_output().
 */
int program_output(char *const argv[], const char *dir, char **out)
{
	return child_output(&(struct child){ .argv = argv, .dir = dir, .errors = true,
					     .death = SIGTERM }, out);
}

/**
 * first_line() - of what a program said, for a message
 * @text: may be NULL
 *
 * Return: new string: the first line that is not empty.
 */
char *first_line(const char *text)
{
	const char *line = text ? text + strspn(text, " \t\r\n") : "";

	return *line ? xasprintf("%.*s", (int)strcspn(line, "\r\n"), line) :
		       xstrdup("it said nothing");
}

/**
 * program_error() - say what a program said when it failed
 * @what: before it
 * @out: all that it printed
 *
 * Return: the exit status.
 */
int program_error(const char *what, const char *out)
{
	char *line = first_line(out);
	int rc = run_error("%s: %s", what, line);

	free(line);
	return rc;
}
