// SPDX-License-Identifier: GPL-2.0
/* What the fuzzed readers share: files in memory, and messages that are counted. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "wrap.h"

static char dir[64];
static unsigned int messages;
static char last[512];

static void remove_dir(void)
{
	rm_rf(dir);
}

const char *fuzz_dir(void)
{
	if (dir[0])
		return dir;
	snprintf(dir, sizeof(dir), "%s/lab-fuzz.XXXXXX", access("/dev/shm", W_OK) ? "/tmp" :
		 "/dev/shm");
	if (!mkdtemp(dir))
		exit(1);
	atexit(remove_dir);
	return dir;
}

static char *path_of(const char *name)
{
	return xasprintf("%s/%s", fuzz_dir(), name);
}

void fuzz_file(const char *name, const char *text, size_t len)
{
	char *path = path_of(name), *slash = strrchr(path, '/');
	FILE *f;

	*slash = '\0';
	mkdir_p(path);
	*slash = '/';
	f = fopen(path, "we");
	if (!f || fwrite(text, 1, len, f) != len || fclose(f)) {
		perror(path);
		abort();
	}
	free(path);
}

bool fuzz_has(const char *name)
{
	char *path = path_of(name);
	bool has = path_exists(path);

	free(path);
	return has;
}

/* The line "=== NAME" that comes first at or after @at, or NULL. */
static const char *heading(const char *at, const char *end)
{
	const char *p = at;

	while (p && p < end) {
		if (end - p >= 4 && !memcmp(p, "=== ", 4))
			return p;
		p = memchr(p, '\n', end - p);
		p = p ? p + 1 : NULL;
	}
	return NULL;
}

void fuzz_files(const char *text, size_t len, const char *const *names, size_t n)
{
	const char *end = text + len, *at = heading(text, end), *body, *next;
	size_t i;

	for (i = 0; i < n; i++) {
		char *path = path_of(names[i]);

		unlink(path);
		free(path);
	}
	for (; at; at = next) {
		body = memchr(at, '\n', end - at);
		body = body ? body + 1 : end;
		next = heading(body, end);
		for (i = 0; i < n; i++)
			if (strlen(names[i]) + 5 == (size_t)(body - at) &&
			    !memcmp(at + 4, names[i], strlen(names[i])))
				fuzz_file(names[i], body, (next ? next : end) - body);
	}
}

unsigned int fuzz_messages(void)
{
	return messages;
}

void fuzz_quiet(void)
{
	messages = 0;
}

/* Formatted, so that each argument is looked at. */
void fuzz_message(const char *fmt, va_list ap)
{
	vsnprintf(last, sizeof(last), fmt, ap);
	messages++;
}

static void bad(bool failed)
{
	fprintf(stderr, "%s, and %u messages, the last: %s\n", failed ? "refused" : "accepted",
		messages, last);
	abort();
}

void fuzz_one_message(bool failed)
{
	if (messages != failed)
		bad(failed);
}

void fuzz_some_message(bool failed)
{
	if (!messages == failed)
		bad(failed);
}

/* With a 0 byte behind it, in memory of its own: reading further is noticed. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	char *text = xcalloc(1, len + 1);

	memcpy(text, data, len);
	fuzz_quiet();
	fuzz_one(text, len);
	free(text);
	return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_begin();
	return 0;
}
