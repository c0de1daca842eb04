// SPDX-License-Identifier: GPL-2.0
/*
 * lab compare: makes the runs of each entry, by "lab sweep", and takes the entry's measure of them.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"

#define CC	"{cc}"

/**
 * compare_dir() - where results and the table go
 * @c: command line
 *
 * Return: new string.
 */
char *compare_dir(const struct compare *c)
{
	return xasprintf("%s/%s", c->out, c->quick ? "quick" : "full");
}

/* The item of --cc of an algorithm in an entry, which may have others beside it. */
static char *item_of(struct json_object *entry, const char *algo)
{
	const char *cc = js_str(entry, "cc", CC), *at = strstr(cc, CC);

	return xasprintf("%.*s%s%s", (int)(at - cc), cc, algo, at + strlen(CC));
}

static void add_settings(struct option_list *argv, struct json_object *set)
{
	if (!set)
		return;
	json_object_object_foreach(set, key, val)
		list_add2(argv, xstrdup("--set"),
			  xasprintf("%s=%s", key, json_object_get_string(val)));
}

static void make_command(const struct compare *c, struct json_object *entry,
			 struct option_list *argv)
{
	char *dir = compare_dir(c), *ccs = xstrdup(""), *item, *more;
	size_t i;

	for (i = 0; i < c->algos.n; i++) {
		item = item_of(entry, c->algos.v[i]);
		more = xasprintf("%s%s%s", ccs, i ? "," : "", item);
		free(ccs);
		free(item);
		ccs = more;
	}
	list_add2(argv, xasprintf("%s/build/bin/lab", lab_root()), xstrdup("sweep"));
	list_add2(argv, xstrdup(js_str(entry, "scenario", "")), xstrdup("--cc"));
	list_add(argv, ccs);
	add_settings(argv, js_get(entry, "set"));
	add_settings(argv, js_get(entry, c->quick ? "quick" : "full"));
	list_add2(argv, xstrdup("--seed"), c->seeds > 1 ? xasprintf("1-%" PRIu64, c->seeds) :
		  xstrdup("1"));
	for (i = 0; i < c->sweep.n; i++)
		list_add(argv, xstrdup(c->sweep.v[i]));
	list_add2(argv, xstrdup("--out"), xasprintf("%s/%s", dir, js_str(entry, "name", "")));
	list_add(argv, xstrdup("-j"));
	if (c->quiet)
		list_add(argv, xstrdup("-q"));
	free(dir);
}

/* "a.0.b": members of objects and elements of lists. */
static bool value_at(struct json_object *o, const char *path, double *value)
{
	char *copy = xstrdup(path), *rest = copy, *part;

	while (o && (part = strsep(&rest, ".")))
		o = json_object_is_type(o, json_type_array) ? js_at(o, strtoul(part, NULL, 10)) :
							      js_get(o, part);
	free(copy);
	if (!o || json_object_is_type(o, json_type_null))
		return false;
	*value = json_object_get_double(o);
	return true;
}

/* Of a run in which not all flows completed no figure counts: it would be one of the others. */
static bool counts(struct json_object *summary)
{
	return js_get(summary, "scenario") && !js_get(summary, "failed") &&
	       !js_int(summary, "errors", 0);
}

static void measure(struct compare *c, size_t e, struct json_object *of, struct json_object *list)
{
	struct json_object *entry = c->entries[e], *run;
	double *v = xcalloc(js_len(list) + 1, sizeof(*v));
	const char *path = js_str(entry, "measure", "");
	size_t a, i, n;

	for (a = 0; a < c->algos.n; a++) {
		char *item = item_of(of, c->algos.v[a]);

		for (i = 0, n = 0; i < js_len(list); i++) {
			run = js_at(list, i);
			if (strcmp(js_str(run, "label", ""), item) == 0 && counts(run) &&
			    value_at(run, path, &v[n]))
				n++;
		}
		if (n == c->seeds)
			c->cells[a * c->n_entries + e] = stats_spread_of(v, n);
		free(item);
	}
	free(v);
}

static int run_entry(struct compare *c, struct json_object *entry, struct json_object **list)
{
	struct option_list argv = {};
	char *text = NULL;
	size_t i;
	int rc;

	make_command(c, entry, &argv);
	if (!c->quiet)
		fprintf(stderr, "%s: %s\n", js_str(entry, "name", ""), js_str(entry, "help", ""));
	rc = child_output(&(struct child){ .argv = argv.v, .death = SIGTERM }, &text);
	*list = text && *text ? json_tokener_parse(text) : NULL;
	for (i = 0; i < argv.n; i++)
		free(argv.v[i]);
	free(argv.v);
	free(text);
	if (work_interrupted())
		return interrupted_error();
	if (rc == EXIT_USAGE || !*list)
		return rc ? rc : run_error("lab sweep has no results");
	for (i = 0; i < js_len(*list); i++)
		c->failed += !counts(js_at(*list, i));
	return 0;
}

static struct json_object *entry_named(const struct compare *c, const char *name)
{
	struct json_object *all = js_get(c->doc, "entries");
	size_t i;

	for (i = 0; i < js_len(all); i++)
		if (strcmp(js_str(js_at(all, i), "name", ""), name) == 0)
			return js_at(all, i);
	return NULL;
}

/**
 * compare_run() - make the runs that are not there yet, and measure all
 * @c: command line; cells are filled in
 *
 * Return: 0, also if runs failed, or the exit status after a message.
 */
int compare_run(struct compare *c)
{
	struct json_object *list = NULL, *last = NULL, *of;
	size_t e;
	int rc = 0;

	work_catch();
	for (e = 0; e < c->n_entries && !rc; e++) {
		const char *other = js_str(c->entries[e], "runs_of", NULL);

		of = other ? entry_named(c, other) : c->entries[e];
		/* Two measures of the same runs follow each other. */
		if (of != last) {
			json_object_put(list);
			list = NULL;
			rc = run_entry(c, of, &list);
			last = of;
		}
		if (!rc)
			measure(c, e, of, list);
	}
	json_object_put(list);
	return rc;
}
