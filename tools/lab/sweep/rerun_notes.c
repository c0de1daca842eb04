// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: files "made-of" and "failed", which tell the next sweep into the same directory
 * what results were made of and which runs failed.
 *
 * "made-of": files that options name have their names in the settings, and builds of changed
 * sources have all the same commit, so what results were made of is noted apart.
 *
 * "failed": runs that have results and failed all the same. Flows did not end in time, or the
 * kernel complained: "lab run" said so.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

#define MADE_OF	"made-of"
#define FAILED	"failed"
#define BUILD	"build"

/* What the sweeps before have noted, or an empty object. */
static struct json_object *load(const struct sweep *s, const char *name)
{
	char *path = sweep_path(s, name), *err = NULL;
	struct json_object *o = path_exists(path) ? js_load(path, &err) : NULL;

	free(err);
	free(path);
	return o ? o : json_object_new_object();
}

static int save(const struct sweep *s, const char *name, struct json_object *o)
{
	char *path = sweep_path(s, name);
	int rc = js_save(o, path) ? run_error("%s: %s", path, strerror(errno)) : 0;

	json_object_put(o);
	free(path);
	return rc;
}

static char *hash_text(const char *file)
{
	return xasprintf("%016" PRIx64, hash_file(HASH_START, file));
}

/**
 * rerun_notes_check() - are results that are there made of what there is now
 * @s: after check_options() and sweep_open()
 *
 * Return: 0, or the exit status after a message.
 */
int rerun_notes_check(struct sweep *s)
{
	struct json_object *o = load(s, MADE_OF);
	const char *old = js_str(o, BUILD, s->build);
	char *now;
	size_t i;
	int rc = 0;

	if (strcmp(old, s->build))
		rc = run_error("--out %s: results of the build %s, this is %s: --out DIR or --force",
			       s->out, old, s->build);
	for (i = 0; i < s->files.n && !rc; i++) {
		now = hash_text(s->files.v[i]);
		if (strcmp(js_str(o, s->files.v[i], now), now))
			rc = run_error("--out %s: %s has changed since: --out DIR or --force",
				       s->out, s->files.v[i]);
		free(now);
	}
	json_object_put(o);
	return rc;
}

/**
 * rerun_notes_write() - for the next sweep into the same place
 * @s: after check_results()
 *
 * Return: 0, or the exit status after a message.
 */
int rerun_notes_write(struct sweep *s)
{
	struct json_object *o = load(s, MADE_OF);
	char *hash;
	size_t i;

	js_add_str(o, BUILD, s->build);
	for (i = 0; i < s->files.n; i++) {
		hash = hash_text(s->files.v[i]);
		js_add_str(o, s->files.v[i], hash);
		free(hash);
	}
	return save(s, MADE_OF, o);
}

/**
 * rerun_notes_add_failed() - after a run has come to its place
 * @s: sweep
 * @r: run; why is what was said of it, NULL if all is well
 */
void rerun_notes_add_failed(struct sweep *s, const struct sweep_run *r)
{
	struct json_object *o = load(s, FAILED);

	if (!r->why && !js_get(o, r->place)) {
		json_object_put(o);
		return;
	}
	json_object_object_del(o, r->place);
	if (r->why)
		js_add_str(o, r->place, r->why);
	save(s, FAILED, o);
}

/**
 * rerun_notes_load_failed() - what sweeps before have noted of the results that are there
 * @s: after check_results()
 */
void rerun_notes_load_failed(struct sweep *s)
{
	struct json_object *o = load(s, FAILED);
	size_t i;

	for (i = 0; i < s->n_runs; i++) {
		struct sweep_run *r = &s->runs[i];

		if (r->state == RUN_DONE && js_get(o, r->place))
			r->why = xstrdup(js_str(o, r->place, ""));
	}
	json_object_put(o);
}
