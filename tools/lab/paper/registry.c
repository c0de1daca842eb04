// SPDX-License-Identifier: GPL-2.0
/*
 * lab paper: reads the files of the papers.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/nearest_name.h"
#include "paper/paper.h"

#define JSON		".json"
#define MEASURED	".measured.json"

/**
 * papers_path() - a file in the folder of the papers
 * @name: of the paper; "" for the folder
 * @suffix: of the file
 *
 * Return: new string.
 */
char *papers_path(const char *name, const char *suffix)
{
	return xasprintf("%s/" PAPERS_DIR "%s%s%s", lab_root(), *name ? "/" : "", name, suffix);
}

static int is_paper(const struct dirent *de)
{
	const char *point = strchr(de->d_name, '.');

	return point && point != de->d_name && strcmp(point, JSON) == 0;
}

/**
 * paper_names() - the papers that there are
 * @n: how many
 *
 * Return: new array of new strings, in alphabetical order.
 */
char **paper_names(size_t *n)
{
	char *dir = papers_path("", ""), **names;
	struct dirent **list;
	int i, found = scandir(dir, &list, is_paper, alphasort);

	*n = found < 0 ? 0 : found;
	names = xcalloc(*n + 1, sizeof(*names));
	for (i = 0; i < found; i++) {
		names[i] = xasprintf("%.*s", (int)strcspn(list[i]->d_name, "."), list[i]->d_name);
		free(list[i]);
	}
	if (found >= 0)
		free(list);
	free(dir);
	return names;
}

static int unknown_paper(const char *name)
{
	size_t n;
	char **names = paper_names(&n);
	const char *like = nearest(name, (const char *const *)names, n);

	return usage_error("unknown paper \"%s\"%s%s%s; see \"lab paper\"", name,
			   like ? ", did you mean \"" : "", like ? like : "", like ? "\"?" : "");
}

/**
 * paper_load_measured() - read the digits of a paper, again if they were read before
 * @p: paper
 *
 * Return: 0, or the exit status after a message.
 */
int paper_load_measured(struct paper *p)
{
	char *path = papers_path(p->name, MEASURED), *err = NULL;

	json_object_put(p->measured);
	p->measured = path_exists(path) ? js_load(path, &err) : json_object_new_object();
	free(path);
	return p->measured ? 0 : run_error("%s", err);
}

/**
 * paper_load() - read the files of a paper
 * @p: filled in; paper_free() is due in any case
 * @name: of the paper
 *
 * Return: 0, or the exit status after a message.
 */
int paper_load(struct paper *p, const char *name)
{
	char *path = NULL, *err = NULL;
	size_t n, i;
	char **names = paper_names(&n);

	*p = (struct paper){ .name = xstrdup(name) };
	for (i = 0; i < n && strcmp(names[i], name); i++)
		;
	if (i == n)
		return unknown_paper(name);
	path = papers_path(name, JSON);
	p->doc = js_load(path, &err);
	free(path);
	return p->doc ? paper_load_measured(p) : run_error("%s", err);
}

void paper_free(struct paper *p)
{
	json_object_put(p->doc);
	json_object_put(p->measured);
	free(p->name);
}

/**
 * paper_figure() - an entry of a paper
 * @p: paper
 * @name: "6", "12a", "T2"
 *
 * Return: it, or NULL.
 */
struct json_object *paper_figure(const struct paper *p, const char *name)
{
	struct json_object *list = js_get(p->doc, "figures");
	size_t i;

	for (i = 0; i < js_len(list); i++)
		if (strcmp(js_str(js_at(list, i), "figure", ""), name) == 0)
			return js_at(list, i);
	return NULL;
}

/* figure_form() - the form of a figure by its name, or NULL */
struct json_object *figure_form(struct json_object *figure, const char *form)
{
	return js_get(js_get(figure, "forms"), form);
}

/* figure_default_form() - the reduced one where there is one, else the paper's; NULL: none */
const char *figure_default_form(struct json_object *figure)
{
	if (figure_form(figure, FORM_REDUCED))
		return FORM_REDUCED;
	return figure_form(figure, FORM_FULL) ? FORM_FULL : NULL;
}
