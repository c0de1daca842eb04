// SPDX-License-Identifier: GPL-2.0
/*
 * events.csv, as "lab replay --check" reads it and writes it again. What is written is read,
 * and written a second time it is the same.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

void fuzz_begin(void)
{
}

static int check(const char *in, const char *out)
{
	char *from = xasprintf("%s/%s", fuzz_dir(), in), *to = xasprintf("%s/%s", fuzz_dir(), out);
	char *argv[] = { "replay", "--check", "--in", from, "--out", to, "--line-rate", "100gbit",
			 NULL };
	int rc;

	fuzz_quiet();
	rc = cmd_replay(ARRAY_SIZE(argv) - 1, argv);
	fuzz_one_message(rc);
	free(from);
	free(to);
	return rc;
}

static char *text_of(const char *name)
{
	char *path = xasprintf("%s/%s", fuzz_dir(), name), *text = read_file(path, NULL);

	free(path);
	return text;
}

void fuzz_one(const char *text, size_t len)
{
	char *once, *twice;

	fuzz_file("in", text, len);
	if (check("in", "once"))
		return;
	once = text_of("once");
	if (check("once", "twice")) {
		fprintf(stderr, "what was written is refused:\n%s", once);
		abort();
	}
	twice = text_of("twice");
	if (strcmp(once, twice)) {
		fprintf(stderr, "written:\n%s\nthen:\n%s", once, twice);
		abort();
	}
	free(once);
	free(twice);
}
