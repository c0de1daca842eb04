// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: what results were made of that their settings do not tell.
 *
 * Files that options name have their names in the settings, and builds of changed
 * sources have all the same commit. The sweep notes both in "made-of", so that the
 * next one into the same place does not mix results of different things.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

#define BUILD	"build"

static char *made_of_path(struct sweep *s)
{
	return xasprintf("%s/made-of", s->dir);
}

/* What the sweeps before have noted, or an empty object. */
static struct json_object *load(struct sweep *s)
{
	char *path = made_of_path(s), *err = NULL;
	struct json_object *o = path_exists(path) ? js_load(path, &err) : NULL;

	free(err);
	free(path);
	return o ? o : json_object_new_object();
}

static char *hash_text(const char *file)
{
	return xasprintf("%016" PRIx64, hash_file(HASH_START, file));
}

/**
 * check_made_of() - are results that are there made of what there is now
 * @s: after check_options() and sweep_open()
 *
 * Return: 0, or the exit status after a message.
 */
int check_made_of(struct sweep *s)
{
	struct json_object *o = load(s);
	const char *old = js_str(o, BUILD, s->build);
	char *now;
	size_t i;
	int rc = 0;

	if (strcmp(old, s->build))
		rc = run_error("--out %s: results of the build %s, this is %s: --out DIR or --force",
			       s->out, old, s->build);
	for (i = 0; i < s->n_files && !rc; i++) {
		now = hash_text(s->files[i]);
		if (strcmp(js_str(o, s->files[i], now), now))
			rc = run_error("--out %s: %s has changed since: --out DIR or --force",
				       s->out, s->files[i]);
		free(now);
	}
	json_object_put(o);
	return rc;
}

/**
 * note_made_of() - for the next sweep into the same place
 * @s: after check_results()
 *
 * Return: 0, or the exit status after a message.
 */
int note_made_of(struct sweep *s)
{
	struct json_object *o = load(s);
	char *path = made_of_path(s), *hash;
	size_t i;
	int rc = 0;

	js_add_str(o, BUILD, s->build);
	for (i = 0; i < s->n_files; i++) {
		hash = hash_text(s->files[i]);
		js_add_str(o, s->files[i], hash);
		free(hash);
	}
	if (js_save(o, path))
		rc = run_error("%s: %s", path, strerror(errno));
	json_object_put(o);
	free(path);
	return rc;
}
