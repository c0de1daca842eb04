// SPDX-License-Identifier: GPL-2.0
/*
 * lab judge: reads the verdicts that "python3 -m unittest --verbose" and its like print.
 *
 *	test_name (package.module.Class.test_name)
 *	First line of its description ... ok
 *
 * The second line is missing if there is no description; then " ... ok" ends the first one. What
 * a test prints comes between the dots and the verdict.
 */
#include <stdlib.h>
#include <string.h>

#include "programs/test_cases.h"

static const struct {
	const char *word;
	enum verdict v;
} words[] = {
	{ "ok", V_PASS }, { "FAIL", V_FAIL }, { "ERROR", V_FAIL }, { "skipped", V_SKIP },
	{ "expected failure", V_PASS }, { "unexpected success", V_FAIL },
};

/* A line, or the rest of one, that is a verdict. */
static enum verdict verdict_of(const char *text, const char **why)
{
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		len = strlen(words[i].word);
		if (strncmp(text, words[i].word, len) || (text[len] && text[len] != ' '))
			continue;
		*why = text[len] ? text + len + 1 : NULL;
		return words[i].v;
	}
	return V_MISSING;
}

/* The verdict in a line of a test, which may follow anything that the test has printed. */
static enum verdict find_verdict(const char *line, bool begun, const char **why)
{
	const char *dots = strstr(line, " ... ");
	size_t len = strlen(line), i, n;
	enum verdict v;

	v = verdict_of(dots ? dots + 5 : line, why);
	if (v != V_MISSING && (dots || begun))
		return v;
	for (i = 0; (dots || begun) && i < ARRAY_SIZE(words); i++) {
		n = strlen(words[i].word);
		if (len > n && strcmp(line + len - n, words[i].word) == 0)
			return words[i].v;
	}
	return V_MISSING;
}

/* "test_x (tests.test_y.Class.test_x)": into "test_y.Class.test_x". */
static char *test_name(const char *line)
{
	const char *open = strstr(line, " ("), *close;
	char *name;

	if (strncmp(line, "test_", 5) || !open || strcspn(line, " ") != (size_t)(open - line))
		return NULL;
	open += 2;
	close = strchr(open, ')');
	if (!close)
		return NULL;
	if (strncmp(open, "tests.", 6) == 0)
		open += 6;
	name = xasprintf("%.*s", (int)(close - open), open);
	return name;
}

/**
 * suite_read() - the verdicts of a suite
 * @path: file with what it has printed
 * @fn: is called for each test that was begun
 * @ctx: for @fn
 *
 * Return: 0, or -1 if there is no such file.
 */
int suite_read(const char *path, suite_fn fn, void *ctx)
{
	char *text = read_file(path, NULL), *rest = text, *line, *name = NULL, *next;
	const char *why;
	enum verdict v;
	bool begun = false;

	if (!text)
		return -1;
	while ((line = strsep(&rest, "\n"))) {
		/* What follows the rule tells of failures once more. */
		if (strncmp(line, "=====", 5) == 0 || strncmp(line, "-----", 5) == 0)
			break;
		next = test_name(line);
		if (next) {
			if (name)
				fn(ctx, name, V_FAIL, "no verdict");
			free(name);
			name = next;
			begun = false;
		}
		if (!name)
			continue;
		why = NULL;
		v = find_verdict(line, begun, &why);
		begun |= !!strstr(line, " ... ");
		if (v == V_MISSING)
			continue;
		fn(ctx, name, v, why);
		free(name);
		name = NULL;
	}
	if (name)
		fn(ctx, name, V_FAIL, "no verdict");
	free(name);
	free(text);
	return 0;
}
