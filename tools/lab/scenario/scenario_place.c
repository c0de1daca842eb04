// SPDX-License-Identifier: GPL-2.0
/* lab: the line of a scenario's file that messages name. json-c does not keep it. */
#include <stdlib.h>
#include <string.h>

#include "lab.h"

/* Behind a word in quotes, or at the end of the text. */
static const char *quotes_end(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

static bool is_word(const char *p, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - p) == len + 2 && strncmp(p + 1, word, len) == 0;
}

/* Where a member of a member of the whole begins; 0: there is none. */
static int member_line(const char *text, const char *outer, const char *inner)
{
	const char *p = text, *end;
	int line = 1, depth = 0;
	bool in_outer = false;

	while (*p) {
		if (*p != '"') {
			line += *p == '\n';
			depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
			p++;
			continue;
		}
		end = quotes_end(p);
		if (end[strspn(end, " \t\r\n")] == ':') {
			if (depth == 2 && in_outer && is_word(p, end, inner))
				return line;
			if (depth == 1)
				in_outer = is_word(p, end, outer);
		}
		p = end;
	}
	return 0;
}

/**
 * scenario_place() - where a scenario's own file gives a key its default
 * @sc: scenario
 * @key: name of the key
 *
 * Return: new string "FILE:LINE"; NULL if the default comes from elsewhere.
 */
char *scenario_place(const struct scenario *sc, const char *key)
{
	char *path = sc->file ? xstrdup(sc->file) :
		     xasprintf("%s/tools/lab/scenarios/%s.json", lab_root(), sc->name);
	char *text = read_file(path, NULL), *place;
	int line = text ? member_line(text, "defaults", key) : 0;

	place = line ? xasprintf("%s:%d", path, line) : NULL;
	free(text);
	free(path);
	return place;
}
