// SPDX-License-Identifier: GPL-2.0
/*
 * lab sweep: runs that have results and failed all the same.
 *
 * Flows did not end in time, or the kernel complained: "lab run" said so, and the
 * file "failed" remembers it for the sweeps that find the results there.
 */
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

static char *failed_path(const struct sweep *s)
{
	return xasprintf("%s/failed", s->dir);
}

static struct json_object *load(const char *path)
{
	char *err = NULL;
	struct json_object *o = path_exists(path) ? js_load(path, &err) : NULL;

	free(err);
	return o ? o : json_object_new_object();
}

/**
 * failed_note() - after a run has come to its place
 * @s: sweep
 * @r: run; why is what was said of it, NULL if all is well
 */
void failed_note(struct sweep *s, const struct sweep_run *r)
{
	char *path = failed_path(s);
	struct json_object *o = load(path);

	if (r->why || js_get(o, r->place)) {
		json_object_object_del(o, r->place);
		if (r->why)
			js_add_str(o, r->place, r->why);
		if (js_save(o, path))
			run_error("%s: %m", path);
	}
	json_object_put(o);
	free(path);
}

/**
 * failed_load() - what sweeps before have noted of the results that are there
 * @s: after check_results()
 */
void failed_load(struct sweep *s)
{
	char *path = failed_path(s);
	struct json_object *o = load(path);
	size_t i;

	for (i = 0; i < s->n_runs; i++) {
		struct sweep_run *r = &s->runs[i];

		if (r->state == RUN_DONE && js_get(o, r->place))
			r->why = xstrdup(js_str(o, r->place, ""));
	}
	json_object_put(o);
	free(path);
}
