// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: prints the joint table of all runs, as text or JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

/**
 * run_summary() - what came of a run
 * @s: sweep
 * @r: run, which has results
 * @err: reason if it cannot be read; may be NULL
 *
 * Return: new object, or NULL.
 */
struct json_object *run_summary(const struct sweep *s, const struct sweep_run *r, char **err)
{
	char *path = xasprintf("%s/%s/summary.json", s->out, r->place), *why = NULL;
	struct json_object *o = js_load(path, &why);

	if (err)
		*err = why;
	else
		free(why);
	free(path);
	return o;
}

static const char *why(const struct sweep_run *r)
{
	return r->why ? r->why : "no word from its worker, which was killed or cut off";
}

/* Summaries as "lab run -j" has them, each with its point; of failures the reason. */
static int print_json(struct sweep *s)
{
	struct json_object *all = json_object_new_array(), *o;
	char *err = NULL;
	size_t i;
	int rc = 0;

	for (i = 0; i < s->n_runs && !rc; i++) {
		const struct sweep_run *r = &s->runs[i];

		if (r->state == RUN_DONE) {
			o = run_summary(s, r, &err);
			if (o && r->why)
				js_add_str(o, "failed", r->why);
		} else {
			o = json_object_new_object();
			js_add_str(o, "failed", why(r));
		}
		if (o) {
			js_add_str(o, "point", r->point);
			js_add_str(o, "run", r->name);
			json_object_array_add(all, o);
		} else {
			rc = run_error("%s", err);
		}
	}
	if (!rc)
		printf("%s\n", json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY |
			JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
	free(err);
	json_object_put(all);
	return rc;
}

static int print_rows(struct sweep *s)
{
	char **names = xcalloc(s->n_runs, sizeof(*names));
	char **dirs = xcalloc(s->n_runs, sizeof(*dirs));
	size_t i, n = 0;
	int rc = 0;

	for (i = 0; i < s->n_runs; i++) {
		if (s->runs[i].state != RUN_DONE)
			continue;
		dirs[n] = xasprintf("%s/%s", s->out, s->runs[i].place);
		names[n++] = s->runs[i].name;
	}
	if (n)
		rc = run_end_table_named(dirs, names, n);
	if (!rc)
		means_over_seeds(s);
	for (i = 0; i < s->n_runs; i++)
		if (s->runs[i].state != RUN_DONE || s->runs[i].why)
			printf("%s: failed: %s\n", s->runs[i].name, why(&s->runs[i]));
	while (n--)
		free(dirs[n]);
	free(names);
	free(dirs);
	return rc;
}

/* Flows that did not complete, or what the kernel complained of. */
static bool has_errors(struct sweep *s, const struct sweep_run *r)
{
	struct json_object *o = run_summary(s, r, NULL);
	bool bad = !o || r->why || js_int(o, "errors", 0);

	json_object_put(o);
	return bad;
}

/**
 * print_table() - figures of all runs in their order, and what failed
 * @s: sweep
 *
 * Return: exit status.
 */
int print_table(struct sweep *s)
{
	size_t i, failed = 0;
	int rc = s->json ? print_json(s) : print_rows(s);

	for (i = 0; i < s->n_runs; i++)
		failed += s->runs[i].state != RUN_DONE || has_errors(s, &s->runs[i]);
	if (!rc && failed)
		rc = run_error("%zu of %zu runs failed", failed, s->n_runs);
	return rc;
}
